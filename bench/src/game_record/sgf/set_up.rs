//! Stones that a record sets up before the first move: `AB`, `AW`, `AE`, `PL`, `HA`.

use text::{Diagnostic, Span};

use super::syntax;

/// A stone, and the node that changed its point last.
#[derive(Clone, Copy, Default)]
struct Point {
    /// 0 for Black's, 1 for White's.
    stone: Option<usize>,
    node: Option<usize>,
}

/// A number of handicap stones, with its place.
type Handicap = Option<(usize, Span)>;

/// The stones on a board, and who is to move.
pub(super) struct Stones {
    side: u32,
    /// The points, row by row from the top.
    points: Vec<Point>,
    /// The first place at which the record says anything of them.
    first: Option<Span>,
    /// The player to move (`PL`), with the place.
    pub(super) mover: Option<(u8, Span)>,
    /// The stones that Black is given, with the place; `None` for fewer than two.
    pub(super) handicap: Handicap,
}

impl Stones {
    /// An empty board.
    pub(super) fn new(side: u32) -> Stones {
        let points = vec![Point::default(); (side * side) as usize];
        Stones { side, points, first: None, mover: None, handicap: None }
    }

    /// True if there are no stones.
    pub(super) fn is_empty(&self) -> bool {
        self.points.iter().all(|point| point.stone.is_none())
    }

    /// The first place at which stones or the player to move are set up.
    pub(super) fn span(&self) -> Option<Span> {
        let mover = self.mover.map(|(_, span)| span);
        [self.first, mover].into_iter().flatten().min_by_key(|span| span.start)
    }

    /// Puts a colour's stones on the points between two corners, or takes away what stands there.
    /// A node sets up each point once.
    pub(super) fn put(
        &mut self,
        colour: Option<usize>,
        (from, to): ((u32, u32), (u32, u32)),
        node: usize,
        span: Span,
    ) -> Result<(), Diagnostic> {
        self.first.get_or_insert(span);
        for y in from.1.min(to.1)..=from.1.max(to.1) {
            for x in from.0.min(to.0)..=from.0.max(to.0) {
                let point = &mut self.points[(y * self.side + x) as usize];
                if point.node == Some(node) {
                    let [x, y] = [x, y].map(|at| char::from(b'a' + at as u8));
                    let message = format!("the point `{x}{y}` is set up twice");
                    return Err(syntax(span, message)
                        .help("in a node, AB, AW and AE have each point at most once"));
                }
                *point = Point { stone: colour, node: Some(node) };
            }
        }
        Ok(())
    }

    /// An error if the record says that Black is given more stones than are set up.
    pub(super) fn check_handicap(&self) -> Result<(), Diagnostic> {
        let stones = self.points.iter().filter(|point| point.stone == Some(0)).count();
        match self.handicap {
            Some((number, span)) if number > stones => {
                let set_up = if stones == 0 { "none".to_owned() } else { stones.to_string() };
                let message = format!("Black is given {number} stones, and `AB` sets up {set_up}");
                Err(syntax(span, message).help("where they stand is said by `AB`"))
            }
            _ => Ok(()),
        }
    }

    /// The player to move: who is named, or else who makes the first move, or else White if Black
    /// is given stones.
    pub(super) fn mover(&self, first: Option<u8>) -> u8 {
        let named = self.mover.map(|(player, _)| player);
        named.or(first).unwrap_or(u8::from(self.handicap.is_some()))
    }

    /// The board as a drawing on one line. `square` gives the file of a column and a row, from 0,
    /// and the rank, from 1.
    pub(super) fn rows(&self, square: impl Fn(u32, u32) -> (u32, u32)) -> String {
        let side = self.side as usize;
        let mut rows = vec![vec!['.'; side]; side];
        for (at, point) in (0..).zip(&self.points) {
            let (file, rank) = square(at % self.side, at / self.side);
            if let Some(stone) = point.stone {
                rows[side - rank as usize][file as usize] = ['x', 'o'][stone];
            }
        }
        let rows: Vec<String> = rows.into_iter().map(String::from_iter).collect();
        rows.join("/")
    }
}

/// The player of a colour: 0 is Black.
pub(super) fn colour(text: &str, span: Span) -> Result<u8, Diagnostic> {
    match text.to_lowercase().as_str() {
        "b" | "black" => Ok(0),
        "w" | "white" => Ok(1),
        _ => Err(syntax(span, format!("`{text}` is no colour")).help("colours are `B` and `W`")),
    }
}

/// The number of stones that Black is given; one stone is no handicap.
pub(super) fn handicap(text: &str, span: Span) -> Result<Handicap, Diagnostic> {
    let number: Option<usize> = text.parse().ok();
    let number = number.ok_or_else(|| syntax(span, format!("`{text}` is no number of stones")))?;
    Ok((number > 1).then_some((number, span)))
}
