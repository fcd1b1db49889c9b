//! Marks: the colour and the shape of an engine, which go with its name and are the same in every
//! chart of every run.

use std::collections::{BTreeMap, BTreeSet};

use plotters::element::{Circle, Polygon};
use plotters::style::{Color, RGBColor};

use super::page::{Area, Drawn, MUTED, PAPER, dots};
use super::theme::{BLACK, BLUE, GREEN, ORANGE, PURPLE, SKY, VERMILION};
use crate::rows::Via;
use crate::table::{Column, Table};

/// The engines of this repository, and the systems that it has adapters for. Shapes differ, so that
/// they are told apart in grey, too.
const KNOWN: [(&str, RGBColor, Shape); 12] = [
    ("bitboard", BLACK, Shape::Circle),
    ("ludeme", VERMILION, Shape::Up),
    ("propnet", BLUE, Shape::Square),
    ("propnet-batch", SKY, Shape::Diamond),
    ("prover", PURPLE, Shape::Cross),
    ("rbg", GREEN, Shape::Down),
    ("rg", ORANGE, Shape::Bar),
    ("openspiel", ORANGE, Shape::Pentagon),
    ("pgx", SKY, Shape::Left),
    ("ludax", PURPLE, Shape::Right),
    ("ludii", VERMILION, Shape::Hourglass),
    ("ggp-base", BLUE, Shape::Bowtie),
];
/// The marks of other engines: a shape of these in a colour of those.
const SHAPES: [Shape; 8] = [
    Shape::Pentagon,
    Shape::Plus,
    Shape::Hourglass,
    Shape::Bar,
    Shape::Left,
    Shape::Right,
    Shape::Bowtie,
    Shape::Dash,
];
const COLOURS: [RGBColor; 7] = [ORANGE, BLUE, GREEN, PURPLE, BLACK, SKY, VERMILION];

/// Half the height of a circle, pixels; other shapes are as large to the eye.
pub(super) const RADIUS: f64 = 4.5;

/// The outline of a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Circle,
    Square,
    Diamond,
    Up,
    Down,
    Cross,
    Plus,
    Pentagon,
    Hourglass,
    Bowtie,
    Bar,
    Dash,
    Left,
    Right,
}

/// The mark of an engine, or of a system that a paper measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) colour: RGBColor,
    shape: Shape,
    /// Only an outline: for figures that were printed and not measured here.
    is_open: bool,
    /// The loop that ran, shown as a white sign in the middle unless it is the usual one.
    via: Via,
    /// A white bar: results were carried over from one playout to the next.
    is_tabled: bool,
}

/// The systems whose figures are printed, in the order of [`Mark::printed`].
const PRINTED: [Shape; 3] = [Shape::Circle, Shape::Square, Shape::Diamond];

impl Mark {
    /// The mark of a published system, by its number: an outline in grey.
    pub(super) fn printed(system: usize) -> Self {
        let shape = PRINTED[system % PRINTED.len()];
        Self { colour: MUTED, shape, is_open: true, via: Via::Fast, is_tabled: false }
    }

    /// The mark of an engine of this repository in its usual loop; a grey one of any other.
    pub(super) fn of_engine(engine: &str) -> Self {
        let known = KNOWN.iter().find(|known| known.0 == engine);
        let (colour, shape) = known.map_or((MUTED, Shape::Dash), |known| (known.1, known.2));
        Self { colour, shape, is_open: false, via: Via::Fast, is_tabled: false }
    }

    /// Draws it round a place in pixels, so many times as large as usual.
    pub(super) fn draw(&self, area: &Area<'_>, (x, y): (f64, f64), scale: f64) -> Drawn {
        let shape = |radius: f64, colour: RGBColor| self.shape.fill(area, (x, y), radius, colour);
        let radius = RADIUS * scale;
        shape(radius, self.colour)?;
        if self.is_open {
            shape(radius - 1.5, PAPER)?;
        }
        let circle = |radius: f64, colour| Shape::Circle.fill(area, (x, y), radius, colour);
        let bar = |half: (f64, f64)| {
            let corners = [(-half.0, -half.1), (half.0, -half.1), half, (-half.0, half.1)];
            polygon(area, (x, y), scale, &corners, PAPER)
        };
        match self.via {
            Via::Fast => {}
            Via::Batch => circle(0.4 * radius, PAPER)?,
            Via::Interpreted => Shape::Square.fill(area, (x, y), 0.4 * radius, PAPER)?,
            Via::Reference => circle(0.65 * radius, PAPER)?,
            Via::Listed => bar((0.75, 6.0))?,
            Via::Uct => Shape::Diamond.fill(area, (x, y), 0.5 * radius, PAPER)?,
        }
        if self.is_tabled { bar((6.0, 0.75)) } else { Ok(()) }
    }
}

impl Shape {
    fn fill(self, area: &Area<'_>, at: (f64, f64), radius: f64, colour: RGBColor) -> Drawn {
        if self == Self::Circle {
            let centre = (dots(at.0), dots(at.1));
            return area.draw(&Circle::new(centre, dots(radius), colour.filled()));
        }
        for piece in self.pieces() {
            polygon(area, at, radius, piece, colour)?;
        }
        Ok(())
    }

    /// Convex polygons that make up the shape, round the origin and about as large as a circle of
    /// radius one.
    fn pieces(self) -> &'static [&'static [(f64, f64)]] {
        match self {
            Self::Circle => &[],
            Self::Square => &[&[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)]],
            Self::Diamond => &[&[(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)]],
            Self::Up => &[&[(0.0, -1.3), (1.25, 0.95), (-1.25, 0.95)]],
            Self::Down => &[&[(0.0, 1.3), (1.25, -0.95), (-1.25, -0.95)]],
            Self::Cross => &[
                &[(-1.1, -0.75), (-0.75, -1.1), (1.1, 0.75), (0.75, 1.1)],
                &[(-1.1, 0.75), (-0.75, 1.1), (1.1, -0.75), (0.75, -1.1)],
            ],
            Self::Plus => &[
                &[(-1.25, -0.35), (1.25, -0.35), (1.25, 0.35), (-1.25, 0.35)],
                &[(-0.35, -1.25), (0.35, -1.25), (0.35, 1.25), (-0.35, 1.25)],
            ],
            Self::Pentagon => {
                &[&[(0.0, -1.15), (1.1, -0.35), (0.7, 1.0), (-0.7, 1.0), (-1.1, -0.35)]]
            }
            Self::Hourglass => {
                &[&[(-1.0, -1.1), (1.0, -1.1), (0.0, 0.1)], &[(-1.0, 1.1), (1.0, 1.1), (0.0, -0.1)]]
            }
            Self::Bowtie => {
                &[&[(-1.1, -1.0), (-1.1, 1.0), (0.1, 0.0)], &[(1.1, -1.0), (1.1, 1.0), (-0.1, 0.0)]]
            }
            Self::Bar => &[&[(-0.45, -1.3), (0.45, -1.3), (0.45, 1.3), (-0.45, 1.3)]],
            Self::Dash => &[&[(-1.3, -0.45), (1.3, -0.45), (1.3, 0.45), (-1.3, 0.45)]],
            Self::Left => &[&[(-1.3, 0.0), (0.95, -1.25), (0.95, 1.25)]],
            Self::Right => &[&[(1.3, 0.0), (-0.95, -1.25), (-0.95, 1.25)]],
        }
    }
}

fn polygon(
    area: &Area<'_>,
    (x, y): (f64, f64),
    scale: f64,
    corners: &[(f64, f64)],
    colour: RGBColor,
) -> Drawn {
    let corner = |&(across, down): &(f64, f64)| (dots(x + scale * across), dots(y + scale * down));
    let corners: Vec<(i32, i32)> = corners.iter().map(corner).collect();
    area.draw(&Polygon::new(corners, colour.filled()))
}

/// The marks of a run.
#[derive(Debug, Clone)]
pub(super) struct Marks {
    engines: BTreeMap<String, (RGBColor, Shape)>,
}

impl Marks {
    /// Gives each engine its mark: those of this repository what [`KNOWN`] says, others what a hash
    /// of the name says. Only where two of these would have the same shape, or, if all shapes are
    /// taken, the same mark, does the second one by name take the next.
    pub(super) fn of(table: &Table) -> Self {
        let names: BTreeSet<&str> =
            table.columns().iter().map(|column| column.engine.as_str()).collect();
        let mut shapes = [false; SHAPES.len()];
        let mut taken = [[false; SHAPES.len()]; COLOURS.len()];
        let mut look = |engine: &str| {
            if let Some(&(_, colour, shape)) = KNOWN.iter().find(|known| known.0 == engine) {
                return (colour, shape);
            }
            let hash = hash(engine) as usize;
            let (first, colour) = (hash % SHAPES.len(), hash / SHAPES.len() % COLOURS.len());
            let turns = |count: usize, first: usize| (0..count).map(move |n| (first + n) % count);
            let pairs = turns(COLOURS.len(), colour)
                .flat_map(|colour| turns(SHAPES.len(), first).map(move |shape| (colour, shape)));
            let new_shape = pairs.clone().find(|&(_, shape)| !shapes[shape]);
            let new_pair = || pairs.clone().find(|&(colour, shape)| !taken[colour][shape]);
            let (colour, shape) = new_shape.or_else(new_pair).unwrap_or((colour, first));
            (shapes[shape], taken[colour][shape]) = (true, true);
            (COLOURS[colour], SHAPES[shape])
        };
        let engines = names.into_iter().map(|engine| (engine.to_owned(), look(engine))).collect();
        Self { engines }
    }

    /// The mark of a column.
    pub(super) fn mark(&self, column: &Column) -> Mark {
        let (colour, shape) =
            self.engines.get(&column.engine).copied().unwrap_or((MUTED, Shape::Circle));
        Mark { colour, shape, is_open: false, via: column.via, is_tabled: column.tabled }
    }
}

/// FNV-1a with its halves folded, which is the same on every machine and in every version.
fn hash(text: &str) -> u32 {
    let hash = text
        .bytes()
        .fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    hash ^ (hash >> 16)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::{Sample, Verdict};
    use crate::table::Order;

    fn looks(engines: &[String]) -> BTreeMap<String, (RGBColor, Shape)> {
        let row = |engine: &String| Sample::failure("g", engine, Verdict::Crashed, "why");
        let rows: Vec<Sample> = engines.iter().map(row).collect();
        Marks::of(&Table::new(&rows, Order::Measured)).engines
    }

    #[test]
    fn shapes_differ_as_long_as_there_are_any() {
        let engines: Vec<String> = (0..60).map(|n| format!("engine-{n:02}")).collect();
        for n in 0..52 {
            let some = looks(&engines[n..n + 8]);
            let shapes: Vec<Shape> = some.values().map(|look| look.1).collect();
            assert!((1..8).all(|n| !shapes[n..].contains(&shapes[n - 1])), "{some:?}");
            assert_eq!(some[&engines[n]], looks(&engines[n..=n])[&engines[n]], "the first one's");
        }
        // Past that, pairs of colour and shape.
        let all = looks(&engines[..56]);
        let texts: BTreeSet<String> = all.values().map(|look| format!("{look:?}")).collect();
        assert_eq!(texts.len(), 56);
        assert_eq!(looks(&engines).len(), 60);
    }
}
