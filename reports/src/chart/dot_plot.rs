//! Dot plots: a row a game, a mark an engine, on a logarithmic axis.

use plotters_backend::text_anchor::HPos;

use super::Picture;
use super::axis::{Axis, extent};
use super::frame::Frame;
use super::head::Head;
use super::lines::{Page, Row, names_width, pages};
use super::mark::{Mark, RADIUS};
use super::page::{Area, Drawn, FAINT, MARGIN, MUTED, REMARK, SMALL, WIDTH, line, picture, write};
use crate::Error;
use crate::stats::Estimate;

/// The rows and labels of a dot plot.
pub(super) struct DotPlot {
    pub(super) name: &'static str,
    pub(super) head: Head,
    /// The label of the axis.
    pub(super) axis_name: String,
    /// The names of its values.
    pub(super) tick: fn(f64) -> String,
    /// A value with a strong line.
    pub(super) origin: Option<f64>,
    /// Sorted by group.
    pub(super) rows: Vec<DotRow>,
}

/// A row of marks.
pub(super) struct DotRow {
    pub(super) group: &'static str,
    pub(super) name: String,
    pub(super) dots: Vec<Dot>,
    /// Notes on marks, or in place of them; written beside the row.
    pub(super) notes: Vec<(Mark, String)>,
}

/// A mark at a value.
pub(super) struct Dot {
    pub(super) mark: Mark,
    pub(super) value: f64,
    pub(super) interval: Option<(f64, f64)>,
}

impl Dot {
    pub(super) fn new(mark: Mark, estimate: &Estimate) -> Self {
        let interval = estimate.interval.map(|interval| (interval.low, interval.high));
        Self { mark, value: estimate.value, interval }
    }
}

impl Row for DotRow {
    fn group(&self) -> &'static str {
        self.group
    }

    fn name(&self) -> &str {
        &self.name
    }
}

/// Above the rows, for the names of lines; and below, for these and the name of the axis.
const ABOVE: f64 = 20.0;
const BELOW: f64 = 40.0;
/// Room at both ends of the axis, so that a mark at an end is whole.
const INSET: f64 = 8.0;
/// The widest that notes beside rows may be.
const NOTES: f64 = 210.0;
const NOTE_MARK: f64 = 8.0;
const NOTE_GAP: f64 = 9.0;
/// Heights at which marks stand that would cover each other, from the middle of the row.
const LANES: [f64; 3] = [0.0, -6.5, 6.5];
/// Size of marks, which is less than elsewhere so that three lanes fit a row.
const SIZE: f64 = 0.9;

impl DotPlot {
    /// The chart, in as many pages as it takes; none if there is nothing to show.
    pub(super) fn pictures(mut self) -> Result<Vec<Picture>, Error> {
        for row in &mut self.rows {
            row.dots.retain(|dot| dot.value > 0.0 && dot.value.is_finite());
        }
        let values = self.rows.iter().flat_map(|row| &row.dots);
        let values = values.flat_map(|dot| extent(dot.value, dot.interval)).chain(self.origin);
        // An origin alone is nothing to draw.
        let is_empty = self.rows.iter().all(|row| row.dots.is_empty());
        let Some(axis) = Axis::decades(values, self.tick).filter(|_| !is_empty) else {
            return Ok(Vec::new());
        };
        let notes = self.rows.iter().map(|row| notes_width(&row.notes)).fold(0.0, f64::max);
        let left = MARGIN + names_width(&self.rows) + 12.0;
        let right = WIDTH - MARGIN - if notes > 0.0 { notes.min(NOTES) + 12.0 } else { 0.0 };
        let pages = pages(&self.rows);
        let draw = |page: &Page<'_, DotRow>| {
            let mut head = self.head.clone();
            head.title += &page.title;
            head.remark += &page.remark;
            let top = head.height() + ABOVE;
            let name = format!("{}{}", self.name, page.name);
            picture(&name, &head.title, top + page.height + BELOW + MARGIN, |area| {
                head.draw(area)?;
                page.draw_names(area, top, left - 12.0)?;
                self.plot(area, page, &axis, (left, right), top)
            })
        };
        pages.iter().map(draw).collect()
    }

    fn plot(
        &self,
        area: &Area<'_>,
        page: &Page<'_, DotRow>,
        axis: &Axis,
        (left, right): (f64, f64),
        top: f64,
    ) -> Drawn {
        let bottom = top + page.height + 6.0;
        let rows = Axis::shares([]);
        let frame = Frame::new(area, (left, right), (top, bottom), INSET, axis, &rows)?;
        let across = |value: f64| frame.x(value);
        for (y, _) in &page.rows {
            line(area, (left, top + y), (right, top + y), 1.0, FAINT)?;
        }
        frame.draw_across(&[top - 9.0, bottom + 11.0])?;
        let under = bottom + 31.0;
        write(area, ((left + right) / 2.0, under), HPos::Center, REMARK, &self.axis_name)?;
        if let Some(origin) = self.origin {
            line(area, (across(origin), top), (across(origin), bottom), 1.5, MUTED)?;
        }
        for &(y, row) in &page.rows {
            let y = top + y;
            let places: Vec<f64> = row.dots.iter().map(|dot| across(dot.value)).collect();
            let lanes = lanes(&places);
            for (dot, lane) in row.dots.iter().zip(&lanes) {
                let Some((low, high)) = dot.interval else { continue };
                let (low, high) = (across(low), across(high));
                if high - low > 1.0 {
                    line(area, (low, y + lane), (high, y + lane), 1.5, dot.mark.colour)?;
                }
            }
            for ((dot, lane), x) in row.dots.iter().zip(&lanes).zip(places) {
                dot.mark.draw(area, (x, y + lane), SIZE)?;
            }
            draw_notes(area, (right + 12.0, y), &row.notes)?;
        }
        Ok(())
    }
}

/// For each mark a height at which it covers no other one if that can be, else the one at which it
/// covers the least.
fn lanes(places: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by(|&a, &b| places[a].total_cmp(&places[b]));
    let mut ends = [f64::NEG_INFINITY; LANES.len()];
    let mut lanes = vec![0.0; places.len()];
    for index in order {
        let start = places[index] - 1.15 * RADIUS;
        let free = ends.iter().position(|&end| end <= start);
        let best = || (0..ends.len()).min_by(|&a, &b| ends[a].total_cmp(&ends[b])).unwrap_or(0);
        let lane = free.unwrap_or_else(best);
        ends[lane] = places[index] + 1.15 * RADIUS;
        lanes[index] = LANES[lane];
    }
    lanes
}

fn notes_width(notes: &[(Mark, String)]) -> f64 {
    let width = |note: &(Mark, String)| NOTE_MARK + SMALL.width(&note.1) + NOTE_GAP;
    notes.iter().map(width).sum()
}

/// Writes as many notes as there is room for.
fn draw_notes(area: &Area<'_>, (left, y): (f64, f64), notes: &[(Mark, String)]) -> Drawn {
    let mut x = left + 4.0;
    for (index, note) in notes.iter().enumerate() {
        let rest = notes_width(&notes[index..]);
        let more = format!("+ {}", notes.len() - index);
        let reserve = if notes.len() - index > 1 { 24.0 } else { 0.0 };
        let next = x + notes_width(std::slice::from_ref(note));
        if x + rest > left + NOTES + 8.0 && next + reserve > left + NOTES {
            return write(area, (x - 4.0, y), HPos::Left, SMALL, &more);
        }
        note.0.draw(area, (x, y), 0.75)?;
        write(area, (x + NOTE_MARK, y), HPos::Left, SMALL, &note.1)?;
        x = next;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::lanes;

    #[test]
    fn marks_that_would_cover_each_other_stand_in_different_lanes() {
        assert_eq!(lanes(&[10.0, 100.0, 30.0]), [0.0, 0.0, 0.0]);
        assert_eq!(lanes(&[10.0, 12.0, 11.0, 40.0]), [0.0, 6.5, -6.5, 0.0]);
        assert_eq!(lanes(&[]), [0.0; 0]);
        assert_eq!(lanes(&[1.0; 5]).len(), 5);
    }
}
