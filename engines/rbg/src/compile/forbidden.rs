//! Patterns that must not hold at the end of a move (the king in check), tested once for the moves
//! of all pieces.
//!
//! Such a pattern reads the same from all cells. If it does not hold, a piece that is picked up can
//! make it hold only from a cell at which the walk of the pattern would have gone on had the cell
//! been empty. These cells are found by the same walk, once for a list of moves. Behind a piece
//! that is picked up elsewhere, the pattern is not tested again.

use super::Compiler;
use super::bytecode::BytecodeWriter;
use super::steps::Writer;
use crate::bytecode::{Cells, Inst};
use crate::description::Piece;
use crate::program::{Edge, EdgeKind, Layer, Op, Pattern, Step};

/// The cells at which edges that put a piece may make the forbidden pattern behind them hold.
#[derive(Clone, Copy)]
pub(super) struct Exposed {
    pattern: u32,
    piece: Piece,
    /// The register with the cells.
    pub(super) register: u8,
}

impl<const W: usize> Compiler<W> {
    /// The patterns that the edges of a layer forbid before they end a move.
    pub(super) fn forbidden_behind(&self, layer: u32) -> impl Iterator<Item = u32> {
        let ops = self.layers.get(layer as usize).map_or(&[][..], |layer| &layer.ops);
        ops.iter().filter_map(|op| match op {
            Op::Take { edge, .. } => self.edges[*edge as usize].tail.as_ref()?.unless,
            _ => None,
        })
    }

    /// The piece that an edge puts, and the pattern that is forbidden behind it.
    fn exposes(&self, edge: &Edge) -> Option<(Piece, u32)> {
        let EdgeKind::Off(piece) = edge.kind else { return None };
        let pattern = self.forbidden_behind(edge.next).next()?;
        Some((piece, pattern)).filter(|_| edge.tail.is_none())
    }
}

impl<const W: usize> BytecodeWriter<'_, W> {
    /// Puts the cells that the edges of a layer expose into a register, if several edges do.
    pub(super) fn write_exposed(&mut self, layer: &Layer, register: u8) -> Option<Exposed> {
        let compiler = self.writer.compiler;
        let mut exposing = layer.ops.iter().filter_map(|op| match op {
            Op::Take { edge, .. } => compiler.exposes(&compiler.edges[*edge as usize]),
            _ => None,
        });
        let (piece, pattern) = exposing.next()?;
        exposing.find(|other| *other == (piece, pattern))?;
        let Pattern::Walk { forward, .. } = &compiler.patterns[pattern as usize] else {
            return None;
        };
        let [Step::Const(from), rest @ ..] = &**forward else { return None };
        if !compiler.is_unaided(forward, &[]) {
            return None;
        }
        self.writer.attempt(|writer| {
            writer.push(Inst::None(register));
            writer.push(Inst::Const(from.resized()));
            writer.expose(rest, piece, register)?;
            // If the pattern holds, it has to be tested behind each piece.
            let end = writer.label();
            writer.push(Inst::IfEmpty(end));
            writer.push(Inst::Const(compiler.all.resized()));
            writer.push(Inst::Save(register));
            writer.place(end);
            Some(())
        })?;
        Some(Exposed { pattern, piece, register })
    }
}

impl Exposed {
    /// True if these are the cells that an edge exposes.
    pub(super) fn by<const W: usize>(&self, compiler: &Compiler<W>, edge: &Edge) -> bool {
        compiler.exposes(edge) == Some((self.piece, self.pattern))
    }
}

impl<const W: usize> Writer<'_, W> {
    /// Writes a walk from the current set, which adds to a register the cells at which it would
    /// have gone on had they held the piece.
    fn expose(&mut self, steps: &[Step<W>], piece: Piece, to: u8) -> Option<()> {
        for step in steps {
            match step {
                Step::Func(relation) | Step::Rel(relation) => self.image(*relation),
                Step::Const(set) => self.push(Inst::Everywhere(set.resized())),
                Step::Within(set) => self.push(Inst::Within(set.resized())),
                Step::Guard { .. } => {}
                Step::On(class) => self.expose_on(*class, piece, to)?,
                Step::Move { relation, class } => {
                    self.image(*relation);
                    self.expose_on(*class, piece, to)?;
                }
                Step::Terms(terms) => self.sum_of(terms, |writer, term| {
                    writer.image(term.relation);
                    term.class.map_or(Some(()), |class| writer.expose_on(class, piece, to))
                })?,
                &Step::Slide { relation, class, test_first } => {
                    self.fill(relation, class, test_first)?;
                    if self.cells(class).has(piece) {
                        let reached = self.keep()?;
                        self.push(Inst::Save(reached));
                        if !test_first {
                            self.image(relation);
                        }
                        self.add_others(class, to);
                        self.push(Inst::Load(reached));
                        self.kept -= 1;
                    }
                }
                Step::Rays(rays) => self.sum_of(rays, |writer, ray| {
                    let (relation, class) = (ray.relation, ray.class);
                    let slide = Step::Slide { relation, class, test_first: false };
                    let steps = if ray.hit {
                        [slide, Step::Func(relation)]
                    } else {
                        [Step::Move { relation, class }, slide]
                    };
                    writer.expose(&steps, piece, to)
                })?,
                Step::Sum(walks) => {
                    self.sum_of(walks, |writer, walk| writer.expose(walk, piece, to))?;
                }
                Step::Flood { .. } | Step::Star(_) | Step::Test { .. } | Step::Compare(_) => {
                    return None;
                }
            }
        }
        (!self.is_full()).then_some(())
    }

    /// Stays on the cells with a piece of a class, as a step of [`Writer::expose`].
    fn expose_on(&mut self, class: u32, piece: Piece, to: u8) -> Option<()> {
        let cells = self.cells(class);
        if cells.has(piece) {
            let asked = self.keep()?;
            self.push(Inst::Save(asked));
            self.add_others(class, to);
            self.push(Inst::Load(asked));
            self.kept -= 1;
        }
        self.push(Inst::On(cells));
        Some(())
    }

    /// Adds to a register the cells of the current set without a piece of a class.
    fn add_others(&mut self, class: u32, to: u8) {
        let pieces = self.compiler.pieces as Piece;
        let others = Cells::of(0..pieces).without(self.cells(class));
        self.push(Inst::On(others));
        self.push(Inst::Or(to));
    }
}
