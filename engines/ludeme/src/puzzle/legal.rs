//! The legal moves of a puzzle by the present values.

use super::Plan;
use super::playout::give;
use super::tested::put;
use crate::eval::{Eval, Listed};
use crate::game::Game;
use crate::moves::MoveId;
use crate::state::State;

impl Plan {
    /// Lists the legal moves, as [`Game::list_legal`] does: those moves of the rules whose
    /// candidates are left by the values of the state, and which break no constraint without a
    /// form. Nothing is kept from one position to the next: the reference lists in this way.
    pub(crate) fn list_anew(&self, game: &Game, state: &mut State, listed: &mut Listed) {
        game.list_all(state, false, None, listed);
        let set = self.left(game, state);
        listed.list.retain(|id| {
            let candidate = self.steps.number_of(id);
            set[candidate as usize / 64] >> (candidate % 64) & 1 != 0
                && self.is_possible(game, state, candidate)
        });
        if listed.list.is_empty() {
            listed.list.push(MoveId::PASS);
        }
    }

    /// The candidates that the values of a state leave.
    fn left(&self, game: &Game, state: &State) -> Vec<u64> {
        let mut domains = self.start.domains.clone();
        let given = game.everywhere.iter().filter(|&site| !state.is_empty(site));
        for site in given.filter(|&site| game.initial.is_empty(site)) {
            let candidate = self.steps.number(state.what(site) as i32 - 1, site);
            give(&self.steps, None, &mut domains, candidate);
        }
        domains.set
    }

    /// True if a candidate breaks none of the constraints without a form.
    pub(super) fn is_possible(&self, game: &Game, state: &State, candidate: u32) -> bool {
        if self.rest.is_empty() {
            return true;
        }
        let mut after = state.trial();
        put(self, game, &mut after, candidate);
        let mut eval = Eval::new(game, &after);
        self.rest.iter().all(|constraint| eval.test(constraint))
    }
}
