//! Boards: rectangles, hexagons, cuboids, and graphs written out.

use rustc_hash::FxHashMap;
use text::Diagnostic;

use super::cursor::Cursor;
use super::lex::{Sym, Token};
use super::names::{Meaning, Names};
use crate::description::{Board, Label, Piece, Shape, Vertex};
use crate::limits::{MAX_LABELS, MAX_VERTICES};

/// Reads the board; `None` after a message.
pub(crate) fn board(cursor: &mut Cursor<'_>, names: &mut Names) -> Option<Board> {
    let first = cursor.peek();
    let shape = match first.and_then(|t| t.word()) {
        Some(Sym::RECTANGLE) => Shape::Rectangle,
        Some(Sym::HEXAGON) => Shape::Hexagon,
        Some(Sym::CUBOID) => Shape::Cuboid,
        Some(_) => return graph(cursor, names),
        None => {
            cursor.unexpected("expected `rectangle`, `hexagon`, `cuboid` or a vertex");
            return None;
        }
    };
    cursor.next();
    cursor.expect("(", "and the directions")?;
    let directions = match shape {
        Shape::Rectangle => 4,
        _ => 6,
    };
    let mut builder = Builder::new(shape);
    for i in 0..directions {
        builder.direction(cursor, names, i, directions)?;
        cursor.expect(",", "after a direction")?;
    }
    let mut layers = Vec::new();
    if shape == Shape::Cuboid {
        while cursor.at_mark("[") {
            let place = cursor.peek()?;
            cursor.next();
            layers.push((place, rows(cursor, names)?));
            cursor.expect("]", "after the rows of a layer")?;
            cursor.eat(",");
        }
    } else {
        let place = cursor.peek()?;
        layers.push((place, rows(cursor, names)?));
    }
    cursor.expect(")", "after the rows")?;
    if !cursor.done() {
        cursor.unexpected("expected the end of the board");
        return None;
    }
    builder.grid(cursor, &layers)
}

/// A row: the token at its place, and its slots.
type Row = (Token, Vec<Option<Piece>>);

fn rows(cursor: &mut Cursor<'_>, names: &Names) -> Option<Vec<Row>> {
    let mut rows = Vec::new();
    let mut slots = 0;
    while let Some(token) = cursor.peek().filter(|t| t.is("[")) {
        cursor.next();
        let mut row = Vec::new();
        loop {
            let slot = match cursor.peek() {
                Some(t) if t.word().is_some() => Some(piece(cursor, names)?),
                _ => None,
            };
            row.push(slot);
            slots += 1;
            if slots > 4 * MAX_VERTICES {
                too_large(cursor, token);
                return None;
            }
            if cursor.eat("]") {
                break;
            }
            cursor.expect(",", "or `]` after a slot")?;
        }
        rows.push((token, row));
        cursor.eat(",");
    }
    if rows.is_empty() {
        cursor.unexpected("expected a row of pieces in `[` `]`");
        return None;
    }
    Some(rows)
}

fn too_large(cursor: &mut Cursor<'_>, token: Token) {
    let diagnostic = Diagnostic::error("too-large", token.span, "this board is too large")
        .label(format!("more than {MAX_VERTICES} vertices"));
    cursor.report(diagnostic, &token);
}

/// Reads a piece.
pub(crate) fn piece(cursor: &mut Cursor<'_>, names: &Names) -> Option<Piece> {
    let token = cursor.peek();
    let Some((token, sym)) = token.and_then(|t| Some((t, t.word()?))) else {
        cursor.unexpected("expected a piece");
        return None;
    };
    if let Some(Meaning::Piece(piece)) = names.get(sym) {
        cursor.next();
        return Some(piece);
    }
    let shown = cursor.text(sym);
    let message = match names.get(sym) {
        Some(other) => format!("`{shown}` is a {}, not a piece", other.kind()),
        None => format!("no piece `{shown}`"),
    };
    let candidates = names.of(cursor, |m| matches!(m, Meaning::Piece(_)));
    let diagnostic = Diagnostic::error("unknown-piece", token.span, message)
        .label("expected a piece")
        .suggest(shown, candidates.into_iter().chain(cursor.macros()));
    cursor.report(diagnostic, &token);
    None
}

struct Builder {
    board: Board,
}

impl Builder {
    fn new(shape: Shape) -> Builder {
        Builder {
            board: Board {
                names: Vec::new(),
                start: Vec::new(),
                labels: Vec::new(),
                next: Vec::new(),
                shape,
                places: Vec::new(),
                peak: 0,
            },
        }
    }

    fn direction(
        &mut self,
        cursor: &mut Cursor<'_>,
        names: &mut Names,
        i: usize,
        of: usize,
    ) -> Option<()> {
        let token = cursor.peek();
        let Some((token, sym)) =
            token.and_then(|t| Some((t, t.word().filter(|sym| !sym.is_reserved())?)))
        else {
            cursor.unexpected(&format!("expected the name of direction {} of {of}", i + 1));
            return None;
        };
        cursor.next();
        if !names.declare(cursor, token, sym, Meaning::Label(i as Label)) {
            return None;
        }
        self.board.labels.push(cursor.text(sym).to_owned());
        Some(())
    }

    /// Vertices and edges of a board of rows.
    fn grid(mut self, cursor: &mut Cursor<'_>, layers: &[(Token, Vec<Row>)]) -> Option<Board> {
        let rows = &layers.first()?.1;
        let peak = match self.board.shape {
            Shape::Hexagon => hexagon_peak(cursor, rows)?,
            _ => {
                for (token, layer) in layers {
                    if layer.len() != rows.len() {
                        let message = format!("a layer of {} rows", layer.len());
                        let label = format!("expected {} as in the first layer", rows.len());
                        let diagnostic =
                            Diagnostic::error("board-shape", token.span, message).label(label);
                        cursor.report(diagnostic, token);
                        return None;
                    }
                    for (token, row) in layer {
                        if row.len() != rows[0].1.len() {
                            let message = format!("a row of {}", slots(row.len()));
                            let label = format!("expected {} as in the first row", rows[0].1.len());
                            let diagnostic = Diagnostic::error("board-shape", token.span, message)
                                .label(label)
                                .note(rows[0].0.span, "the first row");
                            cursor.report(diagnostic, token);
                            return None;
                        }
                    }
                }
                0
            }
        };
        self.board.peak = peak as u16;
        let mut at = FxHashMap::default();
        for (z, (token, layer)) in layers.iter().enumerate() {
            for (y, (_, row)) in layer.iter().enumerate() {
                for (x, slot) in row.iter().enumerate() {
                    let Some(piece) = *slot else { continue };
                    if self.board.start.len() >= MAX_VERTICES {
                        too_large(cursor, *token);
                        return None;
                    }
                    at.insert((x as i32, y as i32, z as i32), self.board.start.len() as Vertex);
                    self.board.start.push(piece);
                    self.board.places.push((x as u16, y as u16, z as u16));
                    self.board.names.push(match self.board.shape {
                        Shape::Rectangle => format!("rx{x}y{y}"),
                        Shape::Hexagon => format!("hx{x}y{y}"),
                        _ => format!("cx{x}y{y}z{z}"),
                    });
                }
            }
        }
        if self.board.start.is_empty() {
            let token = layers[0].0;
            let diagnostic =
                Diagnostic::error("board-shape", token.span, "a board without vertices")
                    .label("expected at least one piece");
            cursor.report(diagnostic, &token);
            return None;
        }
        for label in 0..self.board.labels.len() {
            let next = self.board.places.iter().map(|&(x, y, z)| {
                let (x, y, z) = (i32::from(x), i32::from(y), i32::from(z));
                let (dx, dy, dz) = match self.board.shape {
                    Shape::Hexagon => hexagon_step(label, y, peak as i32),
                    _ => {
                        [(0, -1, 0), (0, 1, 0), (-1, 0, 0), (1, 0, 0), (0, 0, 1), (0, 0, -1)][label]
                    }
                };
                at.get(&(x + dx, y + dy, z + dz)).copied()
            });
            let next = next.collect();
            self.board.next.push(next);
        }
        Some(self.board)
    }
}

fn slots(n: usize) -> String {
    format!("{n} slot{}", if n == 1 { "" } else { "s" })
}

/// The last row up to which rows grow; each differs from the one before by one slot.
fn hexagon_peak(cursor: &mut Cursor<'_>, rows: &[Row]) -> Option<usize> {
    let mut peak = 0;
    for (i, pair) in rows.windows(2).enumerate() {
        let (before, (token, row)) = (pair[0].1.len(), &pair[1]);
        if row.len() == before + 1 && peak == i {
            peak = i + 1;
        } else if row.len() + 1 != before {
            let message = format!("a row of {} after one of {before}", slots(row.len()));
            let label = if peak == i {
                format!("expected {} or {}", before + 1, before - 1)
            } else {
                format!("expected {}", before - 1)
            };
            let diagnostic = Diagnostic::error("board-shape", token.span, message)
                .label(label)
                .help("rows of a hexagon first grow by one slot each, then shrink by one each");
            cursor.report(diagnostic, token);
            return None;
        }
    }
    Some(peak)
}

/// NW, NE, E, SE, SW, W from a row.
fn hexagon_step(label: usize, y: i32, peak: i32) -> (i32, i32, i32) {
    match label {
        0 => (-i32::from(y <= peak), -1, 0),
        1 => (i32::from(y > peak), -1, 0),
        2 => (1, 0, 0),
        3 => (i32::from(y < peak), 1, 0),
        4 => (-i32::from(y >= peak), 1, 0),
        _ => (-1, 0, 0),
    }
}

/// Reads `v1[piece]{label: v2, ...} v2[piece]{...} ...`.
fn graph(cursor: &mut Cursor<'_>, names: &mut Names) -> Option<Board> {
    let mut board = Builder::new(Shape::Graph).board;
    let mut index: FxHashMap<Sym, (Vertex, Token)> = FxHashMap::default();
    // Targets are looked up when all vertices have been read.
    let mut edges: Vec<(Vertex, Label, Token, Sym)> = Vec::new();
    while let Some(token) = cursor.peek() {
        let Some(sym) = token.word() else {
            cursor.unexpected("expected the name of a vertex");
            return None;
        };
        cursor.next();
        if board.start.len() >= MAX_VERTICES {
            too_large(cursor, token);
            return None;
        }
        let vertex = board.start.len() as Vertex;
        if let Some((_, earlier)) = index.insert(sym, (vertex, token)) {
            let message = format!("vertex `{}` is declared twice", cursor.text(sym));
            let diagnostic = Diagnostic::error("duplicate-name", token.span, message)
                .note(earlier.span, "the first time");
            cursor.report(diagnostic, &token);
            return None;
        }
        cursor.expect("[", "and the piece on the vertex")?;
        board.start.push(piece(cursor, names)?);
        board.names.push(cursor.text(sym).to_owned());
        board.places.push((vertex, 0, 0));
        cursor.expect("]", "after the piece")?;
        cursor.expect("{", "and the edges of the vertex")?;
        loop {
            let (label, place) = edge_label(cursor, names, &mut board)?;
            cursor.expect(":", "and where the edge leads")?;
            let Some((token, target)) = cursor.peek().and_then(|t| Some((t, t.word()?))) else {
                cursor.unexpected("expected the name of a vertex");
                return None;
            };
            cursor.next();
            if edges.iter().rev().take_while(|e| e.0 == vertex).any(|e| e.1 == label) {
                let message = format!("two edges `{}`", board.labels[usize::from(label)]);
                let diagnostic = Diagnostic::error("duplicate-edge", place.span, message)
                    .label("a vertex has at most one edge of a label");
                cursor.report(diagnostic, &place);
                return None;
            }
            edges.push((vertex, label, token, target));
            if cursor.eat("}") {
                break;
            }
            cursor.expect(",", "or `}` after an edge")?;
        }
    }
    board.next = vec![vec![None; board.start.len()]; board.labels.len()];
    let mut sound = true;
    for (from, label, token, target) in edges {
        if let Some(&(to, _)) = index.get(&target) {
            board.next[usize::from(label)][usize::from(from)] = Some(to);
        } else {
            sound = false;
            let shown = cursor.text(target);
            let names = if cursor.is_full() { &[][..] } else { &board.names };
            let diagnostic =
                Diagnostic::error("unknown-vertex", token.span, format!("no vertex `{shown}`"))
                    .suggest(shown, names.iter().map(String::as_str));
            cursor.report(diagnostic, &token);
        }
    }
    sound.then_some(board)
}

fn edge_label(
    cursor: &mut Cursor<'_>,
    names: &mut Names,
    board: &mut Board,
) -> Option<(Label, Token)> {
    let token = cursor.peek();
    let Some((token, sym)) =
        token.and_then(|t| Some((t, t.word().filter(|sym| !sym.is_reserved())?)))
    else {
        cursor.unexpected("expected the label of an edge");
        return None;
    };
    cursor.next();
    if let Some(Meaning::Label(label)) = names.get(sym) {
        return Some((label, token));
    }
    if board.labels.len() >= MAX_LABELS {
        let message = format!("more than {MAX_LABELS} labels");
        cursor.report(Diagnostic::error("too-many", token.span, message), &token);
        return None;
    }
    let label = board.labels.len() as Label;
    if !names.declare(cursor, token, sym, Meaning::Label(label)) {
        return None;
    }
    board.labels.push(cursor.text(sym).to_owned());
    Some((label, token))
}
