//! The layout of sets: the bit of each vertex.
//!
//! Vertices are numbered so that a direction leads, as far as possible, to a cell a fixed number
//! further on. Then a whole set follows the direction by one shift of words. Holes of a board get
//! bits of their own if that costs no further word.

use crate::description::{Board, Shape, Vertex};

/// No cell.
pub(crate) const NONE: u16 = u16::MAX;

/// Sizes of sets, in words, that code has. The search has fewer; see `with_program`.
pub(crate) const SIZES: [usize; 5] = [1, 2, 4, 8, 64];

/// The numbering of the cells of a board.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) cell_of: Vec<u16>,
    /// The vertex of each cell; [`NONE`] for bits without a vertex.
    pub(crate) vertex_of: Vec<u16>,
    /// Words that a set of cells needs, one of [`SIZES`].
    pub(crate) words: usize,
    /// A number for each cell, so that every direction leads a fixed number further, if the board
    /// has such numbers; often those of cells, but not always.
    pub(crate) numbers: Vec<u16>,
}

fn words_for(cells: usize) -> usize {
    SIZES.into_iter().find(|words| 64 * words >= cells).unwrap_or(SIZES[SIZES.len() - 1])
}

impl Layout {
    pub(crate) fn new(board: &Board) -> Layout {
        let plain = words_for(board.start.len());
        let linear = match board.shape {
            Shape::Graph => None,
            Shape::Hexagon => hexagon(board),
            Shape::Rectangle | Shape::Cuboid => Some(boxed(board)),
        };
        let cells = linear.filter(|cells| {
            words_for(cells.iter().copied().max().map_or(1, |m| m as usize + 1)) <= plain
        });
        let cell_of: Vec<u16> = match cells {
            Some(cells) => cells.into_iter().map(|c| c as u16).collect(),
            None => (0..board.start.len() as Vertex).collect(),
        };
        let cells = cell_of.iter().copied().max().map_or(1, |m| usize::from(m) + 1);
        let mut vertex_of = vec![NONE; cells];
        for (vertex, &cell) in cell_of.iter().enumerate() {
            vertex_of[usize::from(cell)] = vertex as u16;
        }
        let regular = match board.shape {
            Shape::Hexagon => rows(board).into_iter().map(|(y, x)| 256 * y + x).collect(),
            Shape::Rectangle | Shape::Cuboid => boxed(board),
            Shape::Graph => cell_of.iter().map(|&cell| u32::from(cell)).collect(),
        };
        let mut numbers = vec![0; cells];
        for (&cell, &number) in cell_of.iter().zip(&regular) {
            numbers[usize::from(cell)] = number as u16;
        }
        Layout { cell_of, vertex_of, words: words_for(cells), numbers }
    }
}

/// Numbers row by row, holes counted.
fn boxed(board: &Board) -> Vec<u32> {
    let width = board.places.iter().map(|p| p.0).max().map_or(1, |x| u32::from(x) + 1);
    let height = board.places.iter().map(|p| p.1).max().map_or(1, |y| u32::from(y) + 1);
    let number = |&(x, y, z): &(u16, u16, u16)| {
        u32::from(x) + width * (u32::from(y) + height * u32::from(z))
    };
    board.places.iter().map(number).collect()
}

/// Rows of a hexagon, and places in them, in coordinates in which every direction is a fixed step.
fn rows(board: &Board) -> Vec<(u32, u32)> {
    // The first column shifts left with every row that grows.
    let place = |&(x, y, _): &(u16, u16, u16)| {
        (u32::from(y), u32::from(x) + u32::from(board.peak) - u32::from(y.min(board.peak)))
    };
    board.places.iter().map(place).collect()
}

/// The tightest numbering of the cells of a hexagon without collisions, among those with one factor
/// for rows and one for columns.
fn hexagon(board: &Board) -> Option<Vec<u32>> {
    const MOST: u32 = 48;
    let rows = rows(board);
    let mut best: Option<(u32, Vec<u32>)> = None;
    for row in 1..=MOST {
        for column in 1..=MOST {
            let numbers: Vec<u32> = rows.iter().map(|&(y, x)| row * y + column * x).collect();
            let (low, high) = (*numbers.iter().min()?, *numbers.iter().max()?);
            if best.as_ref().is_some_and(|(range, _)| *range <= high - low) {
                continue;
            }
            let mut seen = vec![false; (high - low) as usize + 1];
            let distinct =
                numbers.iter().all(|n| !std::mem::replace(&mut seen[(n - low) as usize], true));
            if distinct {
                best = Some((high - low, numbers.iter().map(|n| n - low).collect()));
            }
        }
    }
    best.map(|(_, numbers)| numbers)
}
