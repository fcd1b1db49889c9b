//! Points and curves over two axes, the horizontal one logarithmic.

use super::axis::LogAxis;
use super::frame::{MARGIN, SUBTITLE, TICK, WIDTH, head, is_hollow, swatch};
use super::scene::{Anchor, Scene, Type, Weight};
use super::theme::Paint;

/// What is drawn.
pub(super) struct PlaneChart {
    pub(super) title: String,
    pub(super) subtitle: String,
    pub(super) across: Label,
    pub(super) up: Label,
    /// Values of the horizontal axis that have a line; round ones, if none are named.
    pub(super) places: Vec<f64>,
    pub(super) scale: Scale,
    pub(super) series: Vec<Series>,
    /// What to say if there is nothing to draw.
    pub(super) empty: String,
}

/// What an axis shows, and how its values are written.
pub(super) struct Label {
    pub(super) name: String,
    pub(super) tick: fn(f64) -> String,
}

/// The vertical scale.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Scale {
    /// Logarithmic, as wide as the values.
    Log,
    /// Linear, from 0 to 1.
    Share,
}

/// The marks of an engine.
pub(super) struct Series {
    pub(super) name: String,
    pub(super) fill: Paint,
    /// Horizontal value, vertical value; all above zero, but for shares.
    pub(super) points: Vec<(f64, f64)>,
    pub(super) mark: Mark,
}

/// How points are drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    /// Each by itself.
    Dots,
    /// Joined by lines, from left to right.
    Line,
    /// As where a curve of steps rises.
    Steps,
}

const HEIGHT: f64 = 520.0;
const DOT: f64 = 7.0;
const STROKE: f64 = 2.5;
const NAME: Type = Type::new(13.0, Weight::Regular, Paint::Ink);

enum Vertical {
    Log(LogAxis),
    Share { bottom: f64, top: f64 },
}

impl Vertical {
    fn place(&self, value: f64) -> f64 {
        match self {
            Self::Log(axis) => axis.place(value),
            Self::Share { bottom, top } => bottom + value * (top - bottom),
        }
    }
}

impl PlaneChart {
    pub(super) fn scene(self) -> Scene {
        let mut scene = Scene::new(WIDTH, &self.title);
        let legend: Vec<(String, Paint)> =
            self.series.iter().map(|series| (series.name.clone(), series.fill)).collect();
        let below_head = head(&mut scene, &self.title, &self.subtitle, &legend);
        let points = || self.series.iter().flat_map(|series| &series.points);
        let Some(across) = span(points().map(|point| point.0)) else {
            scene.text((MARGIN, below_head + 24.0), Anchor::Start, SUBTITLE, &self.empty);
            scene.height = below_head + 24.0 + MARGIN;
            return scene;
        };
        let (left, right) = (MARGIN + 70.0, WIDTH - MARGIN - 10.0);
        let (top, bottom) = (below_head + 40.0, below_head + 40.0 + HEIGHT);
        let horizontal = LogAxis::new(across, (left, right));
        let (vertical, ticks) = match self.scale {
            Scale::Share => {
                let ticks = (0..=5).map(|fifth| f64::from(fifth) / 5.0).collect();
                (Vertical::Share { bottom, top }, ticks)
            }
            Scale::Log => {
                let domain = span(points().map(|point| point.1)).unwrap_or((1.0, 10.0));
                let axis = LogAxis::new(domain, (bottom, top));
                (Vertical::Log(axis), axis.ticks(bottom, top))
            }
        };
        scene.text((MARGIN, top - 16.0), Anchor::Start, NAME, &self.up.name);
        let mut free = bottom + 20.0;
        for tick in ticks {
            let y = vertical.place(tick);
            scene.line((left, y), (right, y), 1.0, Paint::Grid);
            if y + 5.0 < free {
                scene.text((left - 8.0, y + 4.5), Anchor::End, TICK, &(self.up.tick)(tick));
                free = y - 9.0;
            }
        }
        let mut free = 4.0;
        let places = match &self.places[..] {
            [] => horizontal.ticks(left, right),
            places => places.to_vec(),
        };
        for tick in places {
            let x = horizontal.place(tick);
            scene.line((x, top), (x, bottom), 1.0, Paint::Grid);
            let text = (self.across.tick)(tick);
            let half = TICK.width(&text) / 2.0;
            if x - half > free && x + half < WIDTH - 4.0 {
                scene.text((x, bottom + 18.0), Anchor::Middle, TICK, &text);
                free = x + half + 8.0;
            }
        }
        scene.text((right, bottom + 42.0), Anchor::End, NAME, &self.across.name);
        scene.line((left, bottom), (right, bottom), 1.5, Paint::Ink);
        scene.line((left, top), (left, bottom), 1.5, Paint::Ink);
        for series in &self.series {
            let place = |&(x, y): &(f64, f64)| (horizontal.place(x), vertical.place(y));
            let places: Vec<(f64, f64)> = series.points.iter().map(place).collect();
            if series.mark == Mark::Steps {
                steps(&mut scene, &places, (right, bottom), series.fill);
            } else {
                if series.mark == Mark::Line {
                    for ends in places.windows(2) {
                        scene.line(ends[0], ends[1], STROKE, series.fill);
                    }
                }
                for (x, y) in places {
                    let at = (x - DOT / 2.0, y - DOT / 2.0);
                    swatch(&mut scene, at, DOT, series.fill, is_hollow(series.fill));
                }
            }
        }
        scene.height = (bottom + 42.0 + MARGIN).ceil();
        scene
    }
}

/// A curve that begins at the bottom, rises at each point to its height and ends at the right edge.
fn steps(scene: &mut Scene, points: &[(f64, f64)], (right, bottom): (f64, f64), fill: Paint) {
    let Some(&(first, _)) = points.first() else { return };
    let mut at = (first, bottom);
    for &(x, y) in points {
        scene.line(at, (x, at.1), STROKE, fill);
        scene.line((x, at.1), (x, y), STROKE, fill);
        at = (x, y);
    }
    scene.line(at, (right, at.1), STROKE, fill);
}

/// The least and the greatest value with some room around, a power of ten apart or more; `None` without values.
fn span(values: impl Iterator<Item = f64> + Clone) -> Option<(f64, f64)> {
    let low = values.clone().min_by(f64::total_cmp)?;
    let high = values.max_by(f64::total_cmp)?;
    let room = (high / low).powf(0.04).max(1.25).max((10.0 * low / high).sqrt());
    Some((low / room, high * room))
}
