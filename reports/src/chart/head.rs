//! The head of every chart: title, explanation, legend.

use plotters_backend::text_anchor::HPos;

use super::mark::Mark;
use super::page::{Area, Drawn, INK, LABEL, MARGIN, REMARK, Type, WIDTH, write};

/// Title, explanation and legend.
#[derive(Debug, Clone, Default)]
pub(super) struct Head {
    pub(super) title: String,
    /// A few sentences, broken into lines as needed.
    pub(super) remark: String,
    pub(super) legend: Vec<(Mark, String)>,
}

const TITLE: Type = Type { size: 18.0, bold: true, colour: INK };
const TITLE_HEIGHT: f64 = 30.0;
const REMARK_HEIGHT: f64 = 17.0;
const LEGEND_HEIGHT: f64 = 21.0;
/// From the middle of a mark to its name, and from there to the next mark.
const NAME_AFTER: f64 = 10.0;
const MARK_AFTER: f64 = 24.0;
/// The most lines of explanation, and the widest name of a legend.
const LINES: usize = 4;
const NAME: f64 = 300.0;

impl Head {
    /// The height of the head on the page, in pixels.
    pub(super) fn height(&self) -> f64 {
        let lines = |height: f64, count: usize| height * count as f64;
        let legend = self.places().last().map_or(0, |place| place.1 + 1);
        MARGIN
            + TITLE_HEIGHT
            + lines(REMARK_HEIGHT, wrap(&self.remark).len())
            + lines(LEGEND_HEIGHT, legend)
            + if legend > 0 { 14.0 } else { 4.0 }
    }

    pub(super) fn draw(&self, area: &Area<'_>) -> Drawn {
        let room = WIDTH - 2.0 * MARGIN;
        let mut y = MARGIN + 9.0;
        write(area, (MARGIN, y), HPos::Left, TITLE, &TITLE.fit(&self.title, room))?;
        y += TITLE_HEIGHT - 4.0;
        for line in wrap(&self.remark) {
            write(area, (MARGIN, y), HPos::Left, REMARK, &line)?;
            y += REMARK_HEIGHT;
        }
        y += 8.0;
        for ((mark, name), (x, line)) in self.legend.iter().zip(self.places()) {
            let y = y + LEGEND_HEIGHT * line as f64;
            mark.draw(area, (x, y), 1.1)?;
            write(area, (x + NAME_AFTER, y), HPos::Left, LABEL, &LABEL.fit(name, NAME))?;
        }
        Ok(())
    }

    /// The positions of the marks of the legend: from the left, and in which of its lines.
    fn places(&self) -> Vec<(f64, usize)> {
        let start = MARGIN + 6.0;
        let (mut x, mut line) = (start, 0);
        let mut places = Vec::new();
        for (_, name) in &self.legend {
            let width = NAME_AFTER + LABEL.width(&LABEL.fit(name, NAME));
            if x > start && x + width > WIDTH - MARGIN {
                (x, line) = (start, line + 1);
            }
            places.push((x, line));
            x += width + MARK_AFTER;
        }
        places
    }
}

/// Breaks a remark into lines that fit the page; what is too long is cut.
fn wrap(text: &str) -> Vec<String> {
    let room = WIDTH - 2.0 * MARGIN;
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let longer = lines.last().map(|line| format!("{line} {word}"));
        if let Some(longer) = longer.filter(|line| REMARK.width(line) <= room) {
            lines.pop();
            lines.push(longer);
        } else if lines.len() < LINES {
            lines.push(REMARK.fit(word, room));
        } else {
            break;
        }
    }
    lines
}
