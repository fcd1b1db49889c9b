//! Patterns that put pieces, as instructions that put them, test the rest and take them back.

use super::steps::{Label, Writer};
use crate::bytecode::{Cells, Inst, MOST_TRIED};
use crate::description::Piece;
use crate::program::{EdgeKind, Op, Step};

impl<const W: usize> Writer<'_, W> {
    /// Jumps to another instruction unless the automaton of a pattern accepts from this layer and
    /// the current cell (or does not). The automaton must have no choice of edges.
    pub(super) fn tentative_test(
        &mut self,
        layer: u32,
        negated: bool,
        otherwise: Label,
    ) -> Option<()> {
        let (here, found) = (self.keep()?, self.keep()?);
        self.look_from(layer, here, found)?;
        self.push(Inst::Load(here));
        self.push(Inst::First);
        self.push(Inst::Load(found));
        self.push(if negated { Inst::IfAny(otherwise) } else { Inst::IfEmpty(otherwise) });
        self.kept -= 2;
        Some(())
    }

    /// Stays on the cells of the current set at which the automaton of a pattern accepts, or not.
    pub(super) fn tentative_among(&mut self, layer: u32, negated: bool) -> Option<()> {
        let [origin, rest, among] = [self.keep()?, self.keep()?, self.keep()?];
        let [here, found] = [self.keep()?, self.keep()?];
        self.push(Inst::Save(rest));
        self.push(Inst::Cell);
        self.push(Inst::Save(origin));
        self.push(Inst::None(among));
        let (again, end) = (self.label(), self.label());
        self.place(again);
        self.push(Inst::Next { register: rest, cells: Cells::ALL, otherwise: end });
        self.look_from(layer, here, found)?;
        self.push(Inst::Load(here));
        self.push(if negated { Inst::Beyond(found) } else { Inst::And(found) });
        self.push(Inst::Or(among));
        self.push(Inst::Skip(again));
        self.place(end);
        self.push(Inst::Load(origin));
        self.push(Inst::First);
        self.push(Inst::Load(among));
        self.kept -= 5;
        Some(())
    }

    /// Puts the current cell into one register, and into another all cells if the automaton accepts
    /// from a layer and that cell, or none.
    fn look_from(&mut self, layer: u32, here: u8, found: u8) -> Option<()> {
        self.push(Inst::Cell);
        self.push(Inst::Save(here));
        self.push(Inst::None(found));
        self.look(layer, found, MOST_TRIED)
    }

    /// Puts all cells into a register if the automaton accepts from a layer and the current cell,
    /// behind at most `most` pieces.
    fn look(&mut self, layer: u32, found: u8, most: usize) -> Option<()> {
        let compiler = self.compiler;
        let (steps, edge): (&[Step<W>], u32) = match *compiler.layers.get(layer as usize)?.ops {
            [Op::Take { edge, from: 0 }] => (&[], edge),
            [Op::Walk { walk, from: 0, to, merge: false }, Op::Take { edge, from }]
                if to == from =>
            {
                (&compiler.walks[walk as usize], edge)
            }
            _ => return None,
        };
        let edge = &compiler.edges[edge as usize];
        let end = self.label();
        match edge.kind {
            EdgeKind::Accept => {
                if is_small(steps) {
                    self.small_steps(steps, end)?;
                } else {
                    let yes = self.label();
                    self.leads_from_cell(steps, yes)?;
                    self.push(Inst::Skip(end));
                    self.place(yes);
                }
                self.push(Inst::Const(compiler.all.resized()));
                self.push(Inst::Save(found));
            }
            EdgeKind::Off(piece) if most > 0 && is_small(steps) => {
                self.small_steps(steps, end)?;
                self.look_behind(piece, edge.next, found, most)?;
            }
            EdgeKind::Off(piece) if most > 0 => {
                // The cells are tried one after the other, until the automaton accepts.
                let rest = self.keep()?;
                self.cell_to_set(steps)?;
                self.push(Inst::Save(rest));
                let again = self.label();
                self.place(again);
                let cells = self.last_cells(steps);
                self.push(Inst::Next { register: rest, cells, otherwise: end });
                self.look_behind(piece, edge.next, found, most)?;
                self.push(Inst::Load(found));
                self.push(Inst::IfEmpty(again));
                self.kept -= 1;
            }
            EdgeKind::Off(_) | EdgeKind::Assign(..) | EdgeKind::Switch(_) => return None,
        }
        self.place(end);
        Some(())
    }

    /// [`Writer::look`] behind a piece.
    fn look_behind(&mut self, piece: Piece, next: u32, found: u8, most: usize) -> Option<()> {
        self.push(Inst::Try(piece));
        self.look(next, found, most - 1)?;
        let behind = self.label();
        self.push(Inst::Untry(behind));
        self.place(behind);
        Some(())
    }
}

/// True if steps lead from a cell to one at most.
fn is_small<const W: usize>(steps: &[Step<W>]) -> bool {
    steps.iter().all(|step| step.is_small() || step.stays())
}
