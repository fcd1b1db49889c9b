//! Charts of points and curves over two axes.

use plotters::element::PathElement;
use plotters::style::Color;
use plotters_backend::text_anchor::HPos;

use super::Picture;
use super::axis::Axis;
use super::frame::Frame;
use super::head::Head;
use super::labels::{Label, draw_labels};
use super::mark::{Mark, RADIUS};
use super::page::{Area, Drawn, LABEL, MARGIN, MUTED, WIDTH, dots, line, picture, write};
use crate::Error;

/// The points, axes and series of a chart in the plane.
pub(super) struct PlaneChart {
    pub(super) name: String,
    pub(super) head: Head,
    /// The horizontal axis and what it shows.
    pub(super) across: (Axis, String),
    /// The vertical axis and what it shows.
    pub(super) up: (Axis, String),
    pub(super) curves: Vec<Curve>,
    /// A line to compare with, in grey.
    pub(super) guide: Vec<(f64, f64)>,
}

/// The points of one series.
pub(super) struct Curve {
    pub(super) mark: Mark,
    pub(super) points: Vec<Point>,
    pub(super) join: Join,
}

/// A point of a series.
pub(super) struct Point {
    pub(super) at: (f64, f64),
    /// Of the vertical value.
    pub(super) interval: Option<(f64, f64)>,
    /// The label beside the point, if there is room; empty for none.
    pub(super) name: String,
}

/// The connection between the points of a series.
pub(super) enum Join {
    Nothing,
    /// Straight lines from point to point.
    Lines,
    /// Steps up to each point; the last one goes on to the right edge.
    Steps,
    /// A line of its own, through these values.
    Through(Vec<(f64, f64)>),
}

const HEIGHT: f64 = 460.0;
/// Between the vertical axis and the least value.
const INSET: f64 = 10.0;
/// From the edge of the page to the vertical axis, for the names of its lines.
const LEFT: f64 = MARGIN + 58.0;
/// Half the width of the end of an interval.
const CAP: f64 = 3.5;

impl PlaneChart {
    pub(super) fn picture(&self) -> Result<Picture, Error> {
        let top = self.head.height() + 34.0;
        let bottom = top + HEIGHT;
        picture(&self.name, &self.head.title, bottom + 52.0 + MARGIN, |area| {
            self.head.draw(area)?;
            let (sides, ends) = ((LEFT, WIDTH - MARGIN - 10.0), (top, bottom));
            let frame = Frame::new(area, sides, ends, INSET, &self.across.0, &self.up.0)?;
            frame.draw_across(&[bottom + 12.0])?;
            frame.draw_up()?;
            write(area, (MARGIN, top - 18.0), HPos::Left, LABEL, &self.up.1)?;
            write(area, (frame.sides.1, bottom + 35.0), HPos::Right, LABEL, &self.across.1)?;
            self.plot(area, &frame)
        })
    }

    fn plot(&self, area: &Area<'_>, frame: &Frame<'_, '_>) -> Drawn {
        let places = |values: &[(f64, f64)]| -> Vec<(f64, f64)> {
            values.iter().map(|&(x, y)| frame.at(x, y)).collect()
        };
        path(area, &places(&self.guide), 1.0, MUTED)?;
        for curve in &self.curves {
            let at: Vec<(f64, f64)> = curve.points.iter().map(|point| point.at).collect();
            let (through, width) = match &curve.join {
                Join::Nothing => continue,
                Join::Lines => (places(&at), 1.5),
                Join::Through(values) => (places(values), 1.0),
                Join::Steps => (steps(&places(&at), (frame.sides.1, frame.ends.1)), 1.5),
            };
            path(area, &through, width, curve.mark.colour)?;
        }
        let points = || self.curves.iter().flat_map(|c| c.points.iter().map(|p| (c.mark, p)));
        for (mark, point) in points() {
            let Some((low, high)) = point.interval else { continue };
            let (x, from) = frame.at(point.at.0, low);
            let (_, to) = frame.at(point.at.0, high);
            if from - to > 2.0 {
                line(area, (x, from), (x, to), 1.0, mark.colour)?;
                for y in [from, to] {
                    line(area, (x - CAP, y), (x + CAP, y), 1.0, mark.colour)?;
                }
            }
        }
        let stepped = self.curves.iter().filter(|curve| matches!(curve.join, Join::Steps));
        for (number, curve) in stepped.enumerate() {
            // Beside each other, as many curves may end at the same height.
            let Some(last) = curve.points.last() else { continue };
            let x = frame.sides.1 - 14.0 * (number as f64 + 0.5);
            curve.mark.draw(area, (x, frame.at(last.at.0, last.at.1).1), 0.9)?;
        }
        let mut labels = Vec::new();
        for (mark, point) in points() {
            let at = frame.at(point.at.0, point.at.1);
            mark.draw(area, at, 0.9)?;
            labels.push(Label { at, text: point.name.clone() });
        }
        draw_labels(area, &labels, RADIUS, (frame.sides, frame.ends))
    }
}

/// Draws lines from place to place.
fn path(
    area: &Area<'_>,
    places: &[(f64, f64)],
    width: f64,
    colour: plotters::style::RGBColor,
) -> Drawn {
    let path: Vec<(i32, i32)> = places.iter().map(|&(x, y)| (dots(x), dots(y))).collect();
    // Piece by piece: `plotters` fills a wide path as one polygon, which goes astray where it turns
    // back.
    for ends in path.windows(2).filter(|ends| ends[0] != ends[1]) {
        let style = colour.stroke_width(dots(width) as u32);
        area.draw(&PathElement::new(ends.to_vec(), style))?;
    }
    Ok(())
}

/// A curve that begins at the bottom, rises at each point to its height and ends at the right edge.
fn steps(points: &[(f64, f64)], (right, bottom): (f64, f64)) -> Vec<(f64, f64)> {
    let Some(&(first, _)) = points.first() else { return Vec::new() };
    let mut height = bottom;
    let mut path = vec![(first, bottom)];
    for &(x, y) in points {
        path.extend([(x, height), (x, y)]);
        height = y;
    }
    path.push((right, height));
    path
}
