//! Running scripts: the keeper's moves without a search.

use crate::layout::NONE;
use crate::place::Change;
use crate::place::Place;
use crate::program::{Act, Program, SLOTS};
use crate::scratch::Scratch;
use crate::search::take_back;
use crate::state::State;

impl<const W: usize> Program<W> {
    /// Lets the keeper do what a script says, to its next switch; false where it finds no way to
    /// one, with its changes still to be taken back.
    #[inline(never)]
    pub(crate) fn perform(
        &self,
        script: u32,
        state: &mut State<W>,
        scratch: &mut Scratch<W>,
    ) -> bool {
        let mut cell = state.cell;
        let mut notes = [(0u16, 0u32); SLOTS];
        let mut at = script as usize;
        loop {
            let act = &self.acts[at];
            at += 1;
            match *act {
                Act::Put(piece) => scratch.put(cell, piece, state),
                Act::Set { var, value } => scratch.assign(var, value, state),
                Act::PutLast(piece) => {
                    state.put(cell, piece);
                }
                Act::SetLast { var, value } => state.vars[usize::from(var)] = value,
                Act::Assign { edge, otherwise } => {
                    let kind = &self.edges[edge as usize].kind;
                    if !self.change(kind, cell, state, scratch) {
                        at = otherwise as usize;
                    }
                }
                Act::Test { pattern, negated, otherwise } => {
                    if self.matches(pattern, cell, state, scratch) == negated {
                        at = otherwise as usize;
                    }
                }
                Act::Steps { walk, otherwise } => {
                    let to = self.small_steps(&self.walks[walk as usize], cell, state, scratch);
                    if to == NONE {
                        at = otherwise as usize;
                    } else {
                        cell = to;
                    }
                }
                Act::Walk { walk, otherwise } => {
                    let from = Place::Cell(cell);
                    let place = self.walk(&self.walks[walk as usize], &from, state, scratch);
                    if place.is_nowhere() {
                        at = otherwise as usize;
                    } else {
                        cell = place.first();
                    }
                }
                Act::Only { walk, otherwise, several } => {
                    let from = Place::Cell(cell);
                    match self.walk(&self.walks[walk as usize], &from, state, scratch) {
                        Place::Nowhere => at = otherwise as usize,
                        Place::Cell(to) => cell = to,
                        Place::Set(set) if set.at_most(1) => cell = set.first().unwrap_or(0),
                        Place::Set(_) => at = several as usize,
                    }
                }
                Act::Keep(slot) => {
                    notes[usize::from(slot) % SLOTS] = (cell, scratch.changes() as u32);
                }
                Act::Back(slot) => {
                    let (from, changes) = notes[usize::from(slot) % SLOTS];
                    cell = from;
                    take_back(changes as usize, state, scratch);
                }
                Act::Search { layer, otherwise } => {
                    if self.search(layer, cell, state, scratch) {
                        return true;
                    }
                    at = otherwise as usize;
                }
                Act::Jump(to) => at = to as usize,
                Act::Hand(edge) => {
                    self.hand_on(Change { edge, cell }, state);
                    return true;
                }
                Act::Fail => return false,
            }
        }
    }
}
