//! The outlook of moves: their number, those that win, and if one makes its player
//! lose.
//!
//! Rules that ask this of moves that are looked at for the same reason get no answer: none, or no.

use super::Eval;
use crate::ir::Moves;
use crate::set::Set;
use crate::state::State;

/// The things that are being looked for, as bits of `Record::supposed`.
mod looking {
    pub(super) const COUNT: u8 = 1;
    pub(super) const WIN: u8 = 2;
    pub(super) const LOSS: u8 = 4;
}

impl Eval<'_> {
    /// The number of legal moves of the mover, repetitions counted; a forced pass is one.
    pub(super) fn count_legal(&mut self) -> i32 {
        let head = &self.state.head;
        if head.over || head.record.supposed & looking::COUNT != 0 {
            return 0;
        }
        let mut state = self.trial();
        state.head.record.supposed |= looking::COUNT;
        let phase = usize::from(state.head.phase[usize::from(self.turns.mover)]);
        let chance = self.chance_aside();
        let mut eval = Eval { chance, ..Eval::new(self.game, &state) };
        let found = eval.all_made(&self.game.phases[phase].play);
        let legal = found.iter().filter(|made| !self.game.is_repetition(&state, made)).count();
        let swaps = usize::from(self.game.swap_move(&state).is_some());
        (legal + swaps).max(1) as i32
    }

    /// The destinations of the moves by which a player wins.
    pub(super) fn winning(&mut self, moves: &Moves, who: i32) -> Set {
        let known = usize::try_from(who).ok().filter(|who| (1..=self.players()).contains(who));
        let Some(who) = known else { return Set::EMPTY };
        if self.state.head.record.supposed & looking::WIN != 0 {
            return Set::EMPTY;
        }
        let found = self.all_made(moves);
        let chance = self.chance_aside();
        let wins = found.iter().filter(|made| {
            let mut after = self.trial();
            after.head.record.supposed |= looking::WIN;
            self.game.advance(&mut after, made, chance);
            let out = after.head.active >> who & 1 == 0;
            out && after.head.ranks[who] == 2
        });
        wins.filter_map(|made| usize::try_from(made.to).ok()).collect()
    }

    /// True if the end rules make the mover lose, here where a move has been made.
    pub(super) fn mover_loses(&mut self) -> bool {
        if self.state.head.record.supposed & looking::LOSS != 0 {
            return false;
        }
        let mut after = self.trial();
        after.head.record.supposed |= looking::LOSS;
        self.game.run_end_rules(&mut after);
        self.has_lost(&after)
    }

    /// True if the mover is among the losers of a state that end rules have been asked for.
    fn has_lost(&self, after: &State) -> bool {
        let (before, now) = (&self.state.head, &after.head);
        let mover = usize::from(self.turns.mover);
        if before.active >> mover & 1 == 0 || now.active >> mover & 1 != 0 {
            return false;
        }
        let rank = now.ranks[mover];
        // Alone there is nothing between a win and a loss.
        match self.players() {
            1 => rank != 2,
            _ => now.losers > before.losers && rank > 2 * now.winners,
        }
    }
}
