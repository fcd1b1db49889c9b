//! What is known of the pieces on the current cell and the cells of the current set, instruction by
//! instruction, whatever has been played before.

use super::{Bytecode, Cells, Ins};
use crate::description::Piece;

/// What is known where an instruction is.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Known {
    /// Pieces that the cells of the current set, and the current cell, may hold.
    pub(crate) set: Cells,
    pub(crate) cell: Cells,
    /// The piece that was put last of all, if that was on the current cell.
    pub(crate) last: Option<Piece>,
    /// Whether the keeper may have an alternative to go back to.
    pub(crate) is_open: bool,
    /// Whether the keeper may have noted a change.
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

    /// Where the keeper begins.
    fn begun(self) -> Known {
        Known { is_open: false, is_changed: false, ..self }
    }

    /// Behind an instruction, and at the one that it may go on with besides; not where nothing is
    /// known.
    fn behind(self, ins: Ins) -> (Option<Known>, Known) {
        let with = |set: Cells| Known { set, ..self };
        let on = |piece: Piece| with(Cells::of([piece]));
        let next = match ins {
            // Nowhere, or elsewhere.
            Ins::Skip(_) | Ins::Jump(_) => return (None, self),
            Ins::Draw { .. } => return (None, self.at(self.set)),
            Ins::Ply { .. } => return (None, self.at(self.set).begun()),
            Ins::Fail
            | Ins::Search
            | Ins::Leave { .. }
            | Ins::DrawFrom { .. }
            | Ins::DrawListed
            | Ins::Untry(_) => return (None, NOTHING),
            // All that is changed behind it, and may have to be, is taken back.
            Ins::Choice(_) => return (Some(Known { is_open: true, ..self }), with(Cells::ALL)),
            Ins::Enter(_) => self.begun(),
            Ins::SetNoted { .. } | Ins::Assign { .. } => Known { is_changed: true, ..self },
            // Sets.
            Ins::Cell => with(self.cell),
            Ins::On(cells) => with(self.set.and(cells)),
            Ins::ConstOn { piece, .. }
            | Ins::RowOn { piece, .. }
            | Ins::ShiftOn { piece, .. }
            | Ins::LoadOn { piece, .. } => on(piece),
            Ins::IfAnyOn { piece, .. } => {
                let known = with(self.set.and(Cells::of([piece])));
                return (Some(known), known);
            }
            Ins::Fan(fan) if !fan.hit => with(fan.cells),
            Ins::Const(_)
            | Ins::Fan(_)
            | Ins::Everywhere(_)
            | Ins::Row(_)
            | Ins::Rows(_)
            | Ins::Shift { .. }
            | Ins::ShiftOr { .. }
            | Ins::Sum
            | Ins::Fill { .. }
            | Ins::Load(_)
            | Ins::Without(_)
            | Ins::Unless(_)
            | Ins::Walk(_) => with(Cells::ALL),
            // The same set, or less of it.
            Ins::Within(_)
            | Ins::NoSum
            | Ins::AddShift { .. }
            | Ins::AddPreimage { .. }
            | Ins::WithinSum { .. }
            | Ins::Lookahead { .. }
            | Ins::OnlyIf(_)
            | Ins::Among { .. }
            | Ins::Save(_)
            | Ins::None(_)
            | Ins::Or(_)
            | Ins::And(_)
            | Ins::IfEmpty(_)
            | Ins::IfAny(_)
            | Ins::IfWithin { .. }
            | Ins::IfClause { .. }
            | Ins::IfCompare { .. }
            | Ins::IfPattern { .. }
            | Ins::IfKept { .. }
            | Ins::Turn { .. }
            | Ins::Set { .. }
            | Ins::List
            | Ins::Entry(_)
            | Ins::Split { .. }
            | Ins::TrySet { .. } => self,
            // Other cells.
            Ins::Single | Ins::ToSingle(_) | Ins::First => self.at(self.set),
            Ins::Each => Known { is_open: true, ..self.at(self.set) },
            Ins::Step { .. } | Ins::Next { .. } | Ins::Try(_) => self.at(Cells::ALL),
            Ins::StepOn { cells, .. } => self.at(cells),
            Ins::IfOn { cells, .. } => Known { cell: self.cell.and(cells), ..self },
            Ins::Put(piece) | Ins::PutNoted(piece) => {
                let cell = Cells::of([piece]);
                let is_changed = self.is_changed || matches!(ins, Ins::PutNoted(_));
                Known { set: self.set.or(cell), cell, last: Some(piece), is_changed, ..self }
            }
        };
        (Some(next), self)
    }
}

/// What is known at each instruction that anything comes to.
pub(crate) fn follow(quick: &Bytecode) -> Vec<Option<Known>> {
    let mut known: Vec<Option<Known>> = vec![None; quick.code.len()];
    let turns = quick.turns.iter().flatten().map(|turn| turn.1);
    let ways = quick.ways.iter().map(|way| way.target);
    // Where it goes on with what is left of a set.
    let each = (0..).zip(&quick.code).filter(|(_, ins)| matches!(ins, Ins::Each)).map(|(at, _)| at);
    let mut todo: Vec<(u32, Known)> =
        turns.chain(ways).chain(each).map(|at| (at, NOTHING)).collect();
    while let Some((at, more)) = todo.pop() {
        let Some(here) = known.get_mut(at as usize) else { continue };
        let all = here.map_or(more, |here| here.or(more));
        if *here == Some(all) {
            continue;
        }
        *here = Some(all);
        let mut ins = quick.code[at as usize];
        let (next, there) = all.behind(ins);
        todo.extend(next.map(|next| (at + 1, next)));
        todo.extend(ins.target().map(|to| (*to, there)));
    }
    known
}
