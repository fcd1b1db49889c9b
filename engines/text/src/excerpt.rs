//! The part of a text that a message shows: rendering looks at all that it is given, and there may
//! be as many messages as lines.

use std::ops::Range;

use crate::source::{Source, Span};

/// Places that lie no further apart than this many bytes are shown together, in whole lines.
const MOST_TOGETHER: usize = 4096;
/// Of a line that is longer, so much is shown before the place.
const BEFORE: usize = 60;
/// And so much from its beginning on.
const AFTER: usize = 60;
/// The mark in place of text that was cut off.
const CUT: &str = "...";

/// Some of the lines of a text.
#[derive(Debug)]
pub(crate) struct Excerpt {
    /// The lines, without the end of the last one.
    pub(crate) text: String,
    /// The number of the first, from 1.
    pub(crate) line: usize,
    /// The places in [`Excerpt::text`], on boundaries of characters.
    pub(crate) places: Vec<Range<usize>>,
    /// The column of the first of them, in this text and in the whole one, where a line was cut.
    pub(crate) columns: Option<[u32; 2]>,
}

/// The excerpts that show these places, in their order: one excerpt of whole lines with all places,
/// or one excerpt for each place if lines are long or places far apart.
pub(crate) fn excerpts(source: &Source, spans: &[Span]) -> Vec<Excerpt> {
    let places: Vec<Range<usize>> = spans.iter().map(|&span| clamp(source, span)).collect();
    let lines = places.iter().map(|place| {
        let (_, first) = source.line(place.start as u32);
        let (_, last) = source.line(place.end as u32);
        first.start..last.end
    });
    let all = lines.reduce(|a, b| a.start.min(b.start)..a.end.max(b.end)).unwrap_or_default();
    if all.len() <= MOST_TOGETHER {
        return vec![Excerpt::of(source, all, &places)];
    }
    places.iter().map(|place| Excerpt::cut(source, place)).collect()
}

impl Excerpt {
    /// Whole lines.
    fn of(source: &Source, lines: Range<usize>, places: &[Range<usize>]) -> Excerpt {
        Excerpt {
            line: source.position(lines.start as u32).line as usize,
            places: places
                .iter()
                .map(|place| place.start - lines.start..place.end - lines.start)
                .collect(),
            columns: None,
            text: source.text()[lines].to_owned(),
        }
    }

    /// The line on which a place begins, or the part of it around the beginning of the place.
    fn cut(source: &Source, place: &Range<usize>) -> Excerpt {
        let (line, whole) = source.line(place.start as u32);
        let near = |at: usize| source.text().floor_char_boundary(at.clamp(whole.start, whole.end));
        let shown = near(place.start.saturating_sub(BEFORE))..near(place.start + AFTER);
        let front = if shown.start > whole.start { CUT } else { "" };
        let back = if shown.end < whole.end { CUT } else { "" };
        let start = front.len() + place.start - shown.start;
        let end = front.len() + place.end.min(shown.end) - shown.start;
        let column = source.position(place.start as u32).column;
        let before = source.position(shown.start as u32).column;
        Excerpt {
            columns: (shown.len() < whole.len())
                .then(|| [front.len() as u32 + column - before + 1, column]),
            text: [front, &source.text()[shown], back].concat(),
            line: line + 1,
            places: std::iter::once(start..end).collect(),
        }
    }
}

/// A span as a range inside the text, on boundaries of characters.
fn clamp(source: &Source, span: Span) -> Range<usize> {
    let floor = |at: u32| source.text().floor_char_boundary(at as usize);
    floor(span.start)..floor(span.end).max(floor(span.start))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, spans: &[(usize, usize)]) -> Vec<(usize, String)> {
        let source = Source::new("t", text);
        let spans: Vec<Span> = spans.iter().map(|&(start, end)| Span::new(start, end)).collect();
        let all = excerpts(&source, &spans);
        let marked = |excerpt: Excerpt| {
            let place = excerpt.places[0].clone();
            assert!(excerpt.text.len() <= MOST_TOGETHER);
            (excerpt.line, excerpt.text[place].to_owned())
        };
        all.into_iter().map(marked).collect()
    }

    #[test]
    fn what_is_near_is_one_excerpt_and_what_is_far_several() {
        assert_eq!(shown("a\nb\nc\n", &[(2, 3), (4, 5)]), [(2, "b".to_owned())]);
        let far = format!("a\n{}b\n", "\n".repeat(MOST_TOGETHER));
        let b = far.len() - 2;
        let line = MOST_TOGETHER + 2;
        assert_eq!(
            shown(&far, &[(0, 1), (b, b + 1)]),
            [(1, "a".to_owned()), (line, "b".to_owned())]
        );
    }

    #[test]
    fn long_lines_are_cut_around_the_place() {
        let text = format!("é\n{}here{}\n", "é".repeat(5000), "é".repeat(5000));
        let at = text.find("here").expect("it is there");
        assert_eq!(shown(&text, &[(at, at + 4)]), [(2, "here".to_owned())]);
        let [(2, marked)] = &shown(&text, &[(at, text.len())])[..] else { panic!("one line") };
        assert!(marked.starts_with("here") && marked.len() <= AFTER, "{marked}");
        let whole = excerpts(&Source::new("t", text.as_str()), &[Span::new(at, at + 4)]);
        assert!(whole[0].text.starts_with("...é") && whole[0].text.ends_with("é..."));
        assert_eq!(whole[0].columns, Some([3 + 30 + 1, 5001]));
    }
}
