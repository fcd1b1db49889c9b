//! The legal moves of a puzzle from the set of its candidates.

use super::Plan;
use super::tested::put;
use crate::eval::{Eval, Listed, Mode};
use crate::game::Game;
use crate::moves::MoveId;
use crate::state::State;

impl Plan {
    /// Lists the legal moves, as [`Game::list_legal`] does: those of all that the rules offer whose
    /// candidates are left by the values that the state has, and break no constraint without a
    /// form.
    pub(crate) fn list<const W: usize>(
        &self,
        game: &Game<W>,
        state: &mut State,
        listed: &mut Listed,
    ) {
        game.candidates(state, Mode::Drawing, None, listed);
        let set = self.left(game, state);
        listed.list.retain(|id| {
            let candidate = self.steps.number(i32::from(id.piece) - 1, id.to as usize);
            set[candidate as usize / 64] >> (candidate % 64) & 1 != 0
                && self.is_possible(game, state, candidate)
        });
        if listed.list.is_empty() {
            listed.list.push(MoveId::PASS);
        }
    }

    /// The candidates that the values of a state leave.
    fn left<const W: usize>(&self, game: &Game<W>, state: &State) -> Vec<u64> {
        let (mut set, mut known) = (self.first.clone(), self.known.clone());
        let given = game.everywhere.iter().filter(|&site| !state.is_empty(site));
        let given = given.filter(|&site| game.initial.is_empty(site));
        for (ply, site) in (1..).zip(given) {
            let candidate = self.steps.number(state.what(site) as i32 - 1, site);
            self.steps.give(&mut set, &mut known, candidate, ply);
        }
        set
    }

    /// Whether a candidate breaks none of the constraints without a form.
    pub(super) fn is_possible<const W: usize>(
        &self,
        game: &Game<W>,
        state: &State,
        candidate: u32,
    ) -> bool {
        if self.rest.is_empty() {
            return true;
        }
        let mut after = state.trial();
        put(self, game, &mut after, candidate);
        let mut eval = Eval::new(game, &after);
        self.rest.iter().all(|constraint| eval.test(constraint))
    }
}
