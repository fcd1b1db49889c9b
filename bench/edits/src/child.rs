//! Children of rule files: files that differ from their parents by some edits, as programs that
//! search for games make them.

use std::ops::Range;

use play::{Language, Rng};

use crate::piece::{LINE, Piece, pieces};
use crate::slip::{Slip, SlipKind, Slips, pick};
use crate::unit::is_word;

/// The edits of a text by itself.
const EDITS: [SlipKind; 6] = [
    SlipKind::Dropped,
    SlipKind::Doubled,
    SlipKind::Swapped,
    SlipKind::WrongName,
    SlipKind::WrongNumber,
    SlipKind::Opposite,
];
/// Files do not grow beyond this many bytes.
const LARGEST: usize = 200_000;
/// Tries to make an edit.
const TRIES: u32 = 20;

/// The look of brackets: which they are, and the words that say what is between them. Brackets of
/// one look stand in places of one kind, more often than others.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Look {
    begin: &'static str,
    /// The word directly before them, and the first one between them.
    words: [String; 2],
}

/// Files that parts are taken from.
pub struct Donors {
    language: Language,
    /// The text of the part of each pair of brackets.
    parts: Vec<(Look, String)>,
}

/// A file that was made from another one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Child {
    /// Its text.
    pub text: String,
    /// The edits that made it, in their order.
    pub edits: Vec<Edit>,
}

/// One edit of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// Its kind: that of a slip, or `crossover`.
    pub kind: &'static str,
    /// What was there.
    pub was: String,
    /// What is there now.
    pub is: String,
}

impl Donors {
    /// Parts of these texts.
    pub fn new<'t>(language: Language, texts: impl IntoIterator<Item = &'t str>) -> Donors {
        let mut parts = Vec::new();
        for text in texts {
            let all = looks(text, language, &pieces(text, language));
            parts.extend(all.into_iter().map(|(look, place)| (look, text[place].to_owned())));
        }
        parts.sort();
        parts.dedup();
        Donors { language, parts }
    }

    /// The child of a text with a number, by so many edits; the same for the same text, donors,
    /// seed and number. Every other edit, on average, is a crossover: the part of a donor in the
    /// place of one with the same look. `None` if the text cannot be edited.
    pub fn child(&self, parent: &str, edits: u32, seed: u64, number: u64) -> Option<Child> {
        let mut rng = Rng::stream(seed, number);
        let mut child = Child { text: parent.to_owned(), edits: Vec::new() };
        for _ in 0..edits {
            let (text, edit) = (0..TRIES).find_map(|_| {
                let made = self.edited(&child.text, &mut rng)?;
                (made.0 != parent && made.0.len() <= LARGEST).then_some(made)
            })?;
            child.text = text;
            child.edits.push(edit);
        }
        Some(child)
    }

    /// A text after one edit.
    fn edited(&self, text: &str, rng: &mut Rng) -> Option<(String, Edit)> {
        if rng.below(2) == 0
            && let Some(made) = self.crossed(text, rng)
        {
            return Some(made);
        }
        let slips = Slips::new(text, self.language);
        let Slip { kind, was, is, text, .. } = slips.of_kind(*pick(&EDITS, rng)?, rng)?;
        Some((text, Edit { kind: kind.name(), was, is }))
    }

    /// A text with a part of a donor.
    fn crossed(&self, text: &str, rng: &mut Rng) -> Option<(String, Edit)> {
        let all = looks(text, self.language, &pieces(text, self.language));
        let (look, place) = pick(&all, rng)?;
        let first = self.parts.partition_point(|(other, _)| other < look);
        let count = self.parts[first..].partition_point(|(other, _)| other == look);
        let (_, is) = pick(&self.parts[first..first + count], rng)?;
        let was = text[place.clone()].to_owned();
        let mut text = text.to_owned();
        text.replace_range(place.clone(), is);
        (was != *is).then(|| (text, Edit { kind: "crossover", was, is: is.clone() }))
    }
}

/// The places of all brackets in a text with their looks, each before those inside of it; those
/// around a whole game are left out.
fn looks(text: &str, language: Language, pieces: &[Piece]) -> Vec<(Look, Range<usize>)> {
    fn walk(text: &str, language: Language, pieces: &[Piece], all: &mut Vec<(Look, Range<usize>)>) {
        for (number, piece) in pieces.iter().enumerate() {
            let Some((begin, _)) = piece.brackets else { continue };
            let is_beside =
                |before: &&Piece| before.place.end == piece.place.start && is_word(before, text);
            let before = number.checked_sub(1).map(|at| &pieces[at]).filter(is_beside);
            let is_headed = matches!(language, Language::Kif | Language::Lud) || begin == LINE.0;
            let head = piece.inner.first().filter(|first| is_headed && is_word(first, text));
            let words = [before, head]
                .map(|word| word.map_or_else(String::new, |it| text[it.place.clone()].to_owned()));
            all.push((Look { begin, words }, piece.place.clone()));
            walk(text, language, &piece.inner, all);
        }
    }
    let mut all = Vec::new();
    walk(text, language, pieces, &mut all);
    // A file whose whole game is another one is no child of it.
    let is_whole = |place: &Range<usize>| {
        (language == Language::Lud || pieces.len() == 1)
            && pieces.iter().any(|piece| piece.place == *place)
    };
    all.retain(|(_, place)| !is_whole(place));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARENT: &str = "// A\n(game \"A\" (board (square 3)) (end (if (is In 1) 2)))";
    const OTHER: &str = "// B\n(game \"B\" (board (hex 5)) (end (if (is Line 4) 7)))";

    #[test]
    fn children_come_again_and_differ_by_number_and_seed() {
        let donors = Donors::new(Language::Lud, [OTHER]);
        let some = |seed| {
            let child = |number| donors.child(PARENT, 2, seed, number).expect("there are edits");
            (0..50).map(child).collect::<Vec<_>>()
        };
        assert_eq!(some(1), some(1));
        assert_ne!(some(1), some(2));
        for child in some(1) {
            assert_eq!(child.edits.len(), 2);
            assert_ne!(child.text, PARENT);
        }
    }

    #[test]
    fn crossovers_put_parts_of_one_look_into_each_other_s_places() {
        let donors = Donors::new(Language::Lud, [OTHER]);
        let crossed = (0..200).filter_map(|number| donors.child(PARENT, 1, 1, number));
        let crossed = crossed.filter(|child| child.edits[0].kind == "crossover");
        let mut all: Vec<(String, String)> =
            crossed.map(|child| child.edits[0].clone()).map(|edit| (edit.was, edit.is)).collect();
        all.sort();
        all.dedup();
        let pairs = [
            ("(board (square 3))", "(board (hex 5))"),
            ("(end (if (is In 1) 2))", "(end (if (is Line 4) 7))"),
            ("(if (is In 1) 2)", "(if (is Line 4) 7)"),
            ("(is In 1)", "(is Line 4)"),
        ];
        assert_eq!(all, pairs.map(|(was, is)| (was.to_owned(), is.to_owned())));
        let rg = "a(x)\nb(y)\n";
        let donors = Donors::new(Language::Rg, ["b(z)\n"]);
        let texts = (0..50).filter_map(|number| donors.crossed(rg, &mut Rng::stream(1, number)));
        assert!(texts.into_iter().all(|(text, _)| text == "a(x)\nb(z)\n"));
    }

    #[test]
    fn what_has_no_edits_has_no_children() {
        assert_eq!(Donors::new(Language::Kif, []).child("", 1, 1, 1), None);
    }
}
