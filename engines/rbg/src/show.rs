//! Moves and states in text.

use std::fmt::Write;

use play::Player;
use play::picture::{Picture, PieceWords};
use rustc_hash::FxHashMap;

use crate::bits::Bits;
use crate::description::{Board, Description, Shape};
use crate::draw::{Drawing, file, picture};
use crate::layout::{Layout, NONE};
use crate::moves::{Chosen, Moves};
use crate::program::{EdgeKind, Program};
use crate::state::State;

/// Most variables that a drawing names.
const MAX_VARS: usize = 100;

/// The names and coordinates by which moves and states are shown.
pub(crate) struct Notation {
    pieces: Vec<String>,
    players: Vec<String>,
    vars: Vec<String>,
    drawing: Drawing,
    /// The cells and the lines between them, empty.
    board: Picture,
    /// Coordinates of each vertex.
    squares: Vec<String>,
    /// All vertices, rank by rank from `a1`.
    order: Vec<usize>,
    /// The index in `order` of the vertex of each cell; [`NONE`] for bits without a vertex.
    site_of: Vec<u16>,
    layout: Layout,
    /// True if labels always have the pieces and values that moves put.
    full: bool,
}

impl Notation {
    pub(crate) fn new(description: &Description, layout: Layout) -> Notation {
        let squares = squares(&description.board);
        let mut order: Vec<usize> = (0..squares.len()).collect();
        order.sort_by_cached_key(|&vertex| by_rank(&squares[vertex]));
        let mut site_of = vec![NONE; layout.vertex_of.len()];
        for (site, &vertex) in order.iter().enumerate() {
            site_of[usize::from(layout.cell_of[vertex])] = site as u16;
        }
        Notation {
            pieces: description.pieces.clone(),
            players: description.players.clone(),
            vars: description.vars.clone(),
            drawing: Drawing::new(&description.board, &description.pieces, &squares),
            board: picture(&description.board, &squares),
            squares,
            order,
            site_of,
            layout,
            full: description.says_all,
        }
    }

    /// The names of pieces.
    pub(crate) fn pieces(&self) -> &[String] {
        &self.pieces
    }

    /// Whose each piece is, by its name, as in pictures.
    pub(crate) fn owners(&self) -> Vec<Option<Player>> {
        let words = PieceWords::new(&self.players);
        let owner = |(number, name): (usize, &String)| {
            words.piece(name).owner.filter(|_| !self.drawing.is_empty(number))
        };
        self.pieces.iter().enumerate().map(owner).collect()
    }

    /// The names of vertices, in the order of planes.
    pub(crate) fn sites(&self) -> Vec<String> {
        self.order.iter().map(|&vertex| self.squares[vertex].clone()).collect()
    }

    /// Writes the cells of each piece, given as sets, in the order of pieces and of
    /// [`Notation::sites`].
    pub(crate) fn planes<const W: usize>(
        &self,
        pieces: impl Iterator<Item = Bits<W>>,
        planes: &mut [u8],
    ) {
        planes.fill(0);
        for (plane, cells) in planes.chunks_exact_mut(self.order.len().max(1)).zip(pieces) {
            for cell in cells {
                let site = self.site_of.get(usize::from(cell));
                if let Some(byte) = site.and_then(|&site| plane.get_mut(usize::from(site))) {
                    *byte = 1;
                }
            }
        }
    }

    fn square(&self, cell: u16) -> &str {
        let vertex = self.layout.vertex_of.get(usize::from(cell)).copied();
        vertex.and_then(|v| self.squares.get(usize::from(v))).map_or("?", String::as_str)
    }

    /// All moves in neutral notation: the squares of the pieces and of the last action of a move
    /// one after another, repetitions in a row left out. If two moves have the same squares, the
    /// pieces and values that they put are added, or always if labels are full; if that is the same
    /// too, their numbers.
    pub(crate) fn labels<const W: usize>(
        &self,
        program: &Program<W>,
        moves: &Moves<W>,
    ) -> Vec<String> {
        let moves_in_order = || (0..moves.count()).map(|n| moves.get(n));
        let plain: Vec<String> = moves_in_order()
            .map(|m| m.map_or_else(String::new, |m| self.plain(program, m)))
            .collect();
        let named_alike = if self.full { vec![true; plain.len()] } else { alike(&plain) };
        if !named_alike.contains(&true) {
            return plain;
        }
        // A full label has signs in it that a plain name does not have.
        let full: Vec<String> = moves_in_order()
            .zip(plain.into_iter().zip(&named_alike))
            .map(|(m, (plain, alike))| match m {
                Some(m) if *alike => self.full(program, m),
                _ => plain,
            })
            .collect();
        let told_alike = alike(&full);
        let number = |(n, (label, alike)): (usize, (String, bool))| {
            if alike { format!("{label}#{n}") } else { label }
        };
        full.into_iter().zip(told_alike).enumerate().map(number).collect()
    }

    /// True if labels always say the pieces and values that moves put.
    pub(crate) fn says_all(&self) -> bool {
        self.full
    }

    /// The squares of the pieces and of the last action of a move.
    pub(crate) fn plain<const W: usize>(&self, program: &Program<W>, chosen: Chosen<'_>) -> String {
        said_cells(program, chosen).map(|cell| self.square(cell)).collect()
    }

    fn full<const W: usize>(&self, program: &Program<W>, chosen: Chosen<'_>) -> String {
        let mut out = String::new();
        for change in program.changes(chosen) {
            let square = self.square(change.cell);
            let _ = match &program.edges[change.edge as usize].kind {
                EdgeKind::Off(piece) => {
                    write!(out, "{square}={},", self.pieces[usize::from(*piece)])
                }
                EdgeKind::Assign(var, _) => {
                    write!(out, "{square}${},", self.vars[usize::from(*var)])
                }
                EdgeKind::Switch(_) | EdgeKind::Accept => Ok(()),
            };
        }
        out.push_str(self.square(chosen.last.cell));
        out
    }

    /// The board as cells, and the variables that are not 0.
    pub(crate) fn picture<const W: usize>(&self, state: &State<W>) -> Picture {
        let words = PieceWords::new(&self.players);
        let mut picture = self.board.clone();
        for (vertex, cell) in picture.cells.iter_mut().enumerate() {
            let piece = state.board[usize::from(self.layout.cell_of[vertex])];
            let name = self.pieces.get(usize::from(piece)).map_or("?", String::as_str);
            if !self.drawing.is_empty(piece.into()) {
                cell.pieces.push(words.piece(name));
            }
        }
        picture.with_notes(&self.said(state))
    }

    /// The board with its coordinates, the meaning of its signs, and the variables that are not 0.
    pub(crate) fn draw<const W: usize>(&self, state: &State<W>) -> String {
        let mut out = self.drawing.board(|vertex| {
            let cell = self.layout.cell_of[vertex];
            usize::from(state.board[usize::from(cell)])
        });
        out += &self.said(state);
        out
    }

    /// Who moves, and the variables that are not 0.
    fn said<const W: usize>(&self, state: &State<W>) -> String {
        let mut out = String::new();
        let mover = match state.mover {
            0 => "nobody",
            player => self.players.get(usize::from(player) - 1).map_or("?", String::as_str),
        };
        let _ = write!(out, "{mover} to move");
        let set = self.vars.iter().zip(&state.vars).filter(|&(_, &value)| value != 0);
        for (name, value) in set.clone().take(MAX_VARS) {
            let _ = write!(out, ", {name}={value}");
        }
        let more = set.count().saturating_sub(MAX_VARS);
        if more > 0 {
            let _ = write!(out, ", and {more} more variables");
        }
        out.push('\n');
        out
    }
}

/// A key of what [`Notation::plain`] says of a move; `None` where that is many squares.
pub(crate) fn label_key<const W: usize>(program: &Program<W>, chosen: Chosen<'_>) -> Option<u64> {
    let mut cells = said_cells(program, chosen);
    // One more than the number of a cell, so that none is something else.
    let next = |key: u64, cell: u16| key << 16 | (u64::from(cell) + 1);
    let key = cells.by_ref().take(4).fold(0, next);
    cells.next().is_none().then_some(key)
}

/// The cells of the pieces and of the last action of a move one after another, repetitions in a row
/// left out.
fn said_cells<'m, const W: usize>(
    program: &'m Program<W>,
    chosen: Chosen<'m>,
) -> impl Iterator<Item = u16> + 'm {
    let mut before = None;
    let changes = program
        .changes(chosen)
        .chain([chosen.last])
        .filter(|change| !matches!(program.edges[change.edge as usize].kind, EdgeKind::Assign(..)));
    let cells = changes.map(|change| change.cell);
    cells.filter(move |&cell| before.replace(cell) != Some(cell))
}

/// A flag for each name that others have too.
fn alike(names: &[String]) -> Vec<bool> {
    let mut counts: FxHashMap<&str, u32> = FxHashMap::default();
    for name in names {
        *counts.entry(name).or_default() += 1;
    }
    names.iter().map(|name| counts[name.as_str()] > 1).collect()
}

/// The key by which squares are sorted rank by rank; names without a number come first.
fn by_rank(square: &str) -> (u32, usize, String) {
    let letters = square.trim_end_matches(|c: char| c.is_ascii_digit());
    (square[letters.len()..].parse().unwrap_or(0), letters.len(), letters.to_owned())
}

/// Neutral coordinates: a letter for the column, from the left, and a number for the row, from the
/// bottom. A graph has only its names.
fn squares(board: &Board) -> Vec<String> {
    let height = board.places.iter().map(|p| p.1).max().unwrap_or(0);
    let layers = board.places.iter().map(|p| p.2).max().unwrap_or(0);
    let square = |&(x, y, z): &(u16, u16, u16)| {
        let layer = if layers > 0 { format!("{}", z + 1) } else { String::new() };
        format!("{}{}{}{layer}", file(x), height - y + 1, if layers > 0 { "." } else { "" })
    };
    match board.shape {
        Shape::Graph => board.names.clone(),
        Shape::Hexagon => hexagon_squares(board, height),
        Shape::Rectangle | Shape::Cuboid => board.places.iter().map(square).collect(),
    }
}

/// Files of a hexagon run towards the upper left, so that `a1` is the left end of the bottom row.
/// Ranks run along that row; if it is a single cell, the corner of a rhombus, they run towards the
/// upper right.
fn hexagon_squares(board: &Board, height: u16) -> Vec<String> {
    let bottom = board.places.iter().filter(|p| p.1 == height).map(|p| p.0).max();
    let pointed = bottom == Some(0) && board.peak < height;
    let square = |&(x, y, _): &(u16, u16, u16)| {
        let column = x + board.peak.saturating_sub(y);
        let rank = height - y + 1;
        let rank = if pointed { rank.saturating_sub(column) } else { rank };
        format!("{}{rank}", file(column))
    };
    board.places.iter().map(square).collect()
}
