//! What is known of the pieces on the current cell and the cells of the current set, instruction by
//! instruction, whatever has been played before.

use super::{Bytecode, Cells, Inst};
use crate::description::Piece;

/// Facts that hold whenever an instruction is reached.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Known {
    /// Pieces that the cells of the current set, and the current cell, may hold.
    pub(crate) set: Cells,
    pub(crate) cell: Cells,
    /// The piece that was put last of all, if that was on the current cell.
    pub(crate) last: Option<Piece>,
    /// True if the keeper may have an alternative to go back to.
    pub(crate) is_open: bool,
    /// True if the keeper may have noted a change.
    pub(crate) is_changed: bool,
}

const NOTHING: Known =
    Known { set: Cells::ALL, cell: Cells::ALL, last: None, is_open: true, is_changed: true };

impl Known {
    fn or(self, other: Known) -> Known {
        Known {
            set: self.set.or(other.set),
            cell: self.cell.or(other.cell),
            last: self.last.filter(|_| self.last == other.last),
            is_open: self.is_open || other.is_open,
            is_changed: self.is_changed || other.is_changed,
        }
    }

    /// At another cell.
    fn at(self, cell: Cells) -> Known {
        Known { cell, last: None, ..self }
    }

    /// The facts that are left where the keeper begins.
    fn begun(self) -> Known {
        Known { is_open: false, is_changed: false, ..self }
    }

    /// Behind an instruction, and at the one that it may go on with besides; not where nothing is
    /// known.
    fn behind(self, ins: Inst) -> (Option<Known>, Known) {
        let with = |set: Cells| Known { set, ..self };
        let on = |piece: Piece| with(Cells::of([piece]));
        let next = match ins {
            // Nowhere, or elsewhere.
            Inst::Skip(_) | Inst::Jump(_) => return (None, self),
            Inst::Draw { .. } => return (None, self.at(self.set)),
            Inst::Ply { .. } => return (None, self.at(self.set).begun()),
            Inst::Fail
            | Inst::Search
            | Inst::Leave { .. }
            | Inst::DrawFrom { .. }
            | Inst::DrawListed
            | Inst::Answer(_) => return (None, NOTHING),
            Inst::Untry(_) => return (None, self),
            Inst::IfRoutine { .. } => {
                let known = with(Cells::ALL);
                return (Some(known), known);
            }
            // All that is changed behind it, and may have to be, is taken back.
            Inst::Choice(_) => return (Some(Known { is_open: true, ..self }), with(Cells::ALL)),
            Inst::Enter(_) => self.begun(),
            Inst::SetNoted { .. } | Inst::Assign { .. } => Known { is_changed: true, ..self },
            // Sets.
            Inst::Cell => with(self.cell),
            Inst::On(cells) => with(self.set.and(cells)),
            Inst::ConstOn { piece, .. }
            | Inst::RowOn { piece, .. }
            | Inst::ShiftOn { piece, .. }
            | Inst::LoadOn { piece, .. } => on(piece),
            Inst::IfAnyOn { piece, .. } => {
                let known = with(self.set.and(Cells::of([piece])));
                return (Some(known), known);
            }
            Inst::Rays(slide) if !slide.hit => with(slide.cells),
            Inst::Const(_)
            | Inst::Rays(_)
            | Inst::Everywhere(_)
            | Inst::Row(_)
            | Inst::Rows(_)
            | Inst::Shift { .. }
            | Inst::ShiftOr { .. }
            | Inst::Sum
            | Inst::Fill { .. }
            | Inst::Load(_)
            | Inst::Without(_)
            | Inst::Unless(_)
            | Inst::Walk(_) => with(Cells::ALL),
            // The same set, or less of it.
            Inst::Within(_)
            | Inst::NoSum
            | Inst::AddShift { .. }
            | Inst::AddPreimage { .. }
            | Inst::WithinSum { .. }
            | Inst::Lookahead { .. }
            | Inst::OnlyIf(_)
            | Inst::Among { .. }
            | Inst::Save(_)
            | Inst::None(_)
            | Inst::Or(_)
            | Inst::And(_)
            | Inst::Beyond(_)
            | Inst::IfEmpty(_)
            | Inst::IfAny(_)
            | Inst::IfWithin { .. }
            | Inst::IfClause { .. }
            | Inst::IfCompare { .. }
            | Inst::IfPattern { .. }
            | Inst::IfKept { .. }
            | Inst::Turn { .. }
            | Inst::Set { .. }
            | Inst::List
            | Inst::Entry(_)
            | Inst::LeaveIfAny(_)
            | Inst::Split { .. }
            | Inst::TrySet { .. } => self,
            // Other cells.
            Inst::Single | Inst::ToSingle(_) | Inst::First => self.at(self.set),
            Inst::Each => Known { is_open: true, ..self.at(self.set) },
            Inst::Step { .. } | Inst::Try(_) => self.at(Cells::ALL),
            Inst::Next { cells, .. } => self.at(cells),
            Inst::StepOn { cells, .. } => self.at(cells),
            Inst::IfOn { cells, .. } => Known { cell: self.cell.and(cells), ..self },
            Inst::Put(piece) | Inst::PutNoted(piece) => {
                let cell = Cells::of([piece]);
                let is_changed = self.is_changed || matches!(ins, Inst::PutNoted(_));
                Known { set: self.set.or(cell), cell, last: Some(piece), is_changed, ..self }
            }
        };
        (Some(next), self)
    }
}

/// The facts at each instruction that code can come to; `None` at the others.
pub(crate) fn follow(bytecode: &Bytecode) -> Vec<Option<Known>> {
    let mut known: Vec<Option<Known>> = vec![None; bytecode.code.len()];
    let turns = bytecode.turns.iter().flatten().map(|turn| turn.1);
    let ways = bytecode.ways.iter().map(|way| way.target);
    let routines = bytecode.routines.iter().copied();
    // Where it goes on with what is left of a set.
    let each =
        (0..).zip(&bytecode.code).filter(|(_, ins)| matches!(ins, Inst::Each)).map(|(at, _)| at);
    let mut todo: Vec<(u32, Known)> =
        turns.chain(ways).chain(each).chain(routines).map(|at| (at, NOTHING)).collect();
    while let Some((at, more)) = todo.pop() {
        let Some(here) = known.get_mut(at as usize) else { continue };
        let all = here.map_or(more, |here| here.or(more));
        if *here == Some(all) {
            continue;
        }
        *here = Some(all);
        let mut ins = bytecode.code[at as usize];
        let (next, there) = all.behind(ins);
        todo.extend(next.map(|next| (at + 1, next)));
        todo.extend(ins.target().map(|to| (*to, there)));
    }
    known
}
