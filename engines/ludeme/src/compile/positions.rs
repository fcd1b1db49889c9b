//! Positions one after the other, by code: the moves gathered at one are listed, and the one of a
//! number is made.

use super::arrays::Slot;
use super::compiled_playout::CompiledPlayout;
use super::gathered_moves::{GatheredMoves, gathered_sites};
use super::stops::Stop;
use crate::buffer::Buffer;
use crate::eval::Legality;
use crate::limits::MAX_MOVES;
use crate::moves::{Move, MoveId};

impl CompiledPlayout<'_> {
    /// Lists the moves gathered that are legal and differ, as the evaluator lists them; `None` where
    /// it has to.
    pub(crate) fn list(&mut self, list: &mut Vec<MoveId>) -> Option<()> {
        let is_complete = |gathered: &GatheredMoves<'_>| {
            (gathered.count() as usize) < MAX_MOVES && !gathered.has_longest()
        };
        let tests = self.compiled()?.gathered.tests() || self.game.repeats.is_some();
        let mut left_out = Buffer::new();
        if tests {
            self.gathered_moves().filter(is_complete)?;
            left_out = self.illegal()?;
        }
        let gathered = self.gathered_moves().filter(is_complete)?;
        if self.game.overlaps {
            self.game.leave_out_repeated(self.state, &gathered, &mut left_out);
        }
        self.game.list_gathered(self.state, &gathered, &left_out, list);
        Some(())
    }

    /// Writes the moves gathered over a set of sites, if they are all legal and all of one generator
    /// and one piece: their numbers.
    pub(crate) fn sites(&mut self, sites: &mut Vec<u64>) -> Option<(u16, i16)> {
        let parts = &self.compiled()?.gathered;
        if parts.tests() || parts.longest.is_some() || self.game.repeats.is_some() {
            return None;
        }
        gathered_sites(parts, self.gathered_entries()?, self.state.set_words(), sites)
    }

    /// Makes a legal move as [`CompiledPlayout::make_all`] does, and if code has made it, writes the
    /// moves of the next ply as [`CompiledPlayout::sites`] does; of none if the game is over.
    pub(crate) fn make_to_sites(
        &mut self,
        id: MoveId,
        sites: &mut Vec<u64>,
    ) -> (usize, Option<Move>, Option<(u16, i16)>) {
        let (made, next, stop) = self.make_each(&[id]);
        let listed = if made == 1 { self.next_sites(stop, sites) } else { None };
        (made, next, listed)
    }

    fn next_sites(&mut self, after: Stop, sites: &mut Vec<u64>) -> Option<(u16, i16)> {
        if self.state.head.over {
            return None;
        }
        self.game.gatherer(self.state)?;
        if after != Stop::Played {
            // The evaluator has handed on the turn.
            self.take_state();
        }
        self.gather()?;
        self.sites(sites)
    }

    /// The numbers of the moves gathered that are not legal, in order; `None` where code cannot
    /// test them.
    fn illegal(&mut self) -> Option<Buffer<u32>> {
        let mut illegal = Buffer::new();
        self.test_all(|number, legal| {
            if !legal {
                illegal.push(number);
            }
            false
        })?;
        Some(illegal)
    }

    /// Tests the moves gathered, until that is stopped; `None` where code cannot test them. Each is
    /// made in the state itself and taken back.
    fn test_all(&mut self, mut hear: impl FnMut(u32, bool) -> bool) -> Option<()> {
        let trial = self.compiled()?.trial?;
        let count = self.gathered_moves()?.count();
        self.keep();
        for number in 0..count {
            *self.slot(Slot::Chosen) = number as i32;
            let stop = Stop::of(self.run(trial));
            self.take_back();
            let legal = match stop {
                Some(Stop::Played) => true,
                Some(Stop::Stuck) => false,
                _ => self
                    .game
                    .make_gathered(self.state, &self.gathered_moves()?, number, Legality::Open)
                    .is_some(),
            };
            if hear(number, legal) {
                break;
            }
        }
        Some(())
    }

    /// Makes legal moves one after the other, each by the number that it has at its position, as far
    /// as code does. How many it has made, and what the next one does where code has found it and
    /// leaves it to the evaluator.
    pub(crate) fn make_all(&mut self, ids: &[MoveId]) -> (usize, Option<Move>) {
        let (made, next, _) = self.make_each(ids);
        (made, next)
    }

    /// The same, with what has become of the last move.
    fn make_each(&mut self, ids: &[MoveId]) -> (usize, Option<Move>, Stop) {
        let mut stop = Stop::Played;
        for (made, id) in ids.iter().enumerate() {
            if stop != Stop::Played {
                // The evaluator has handed on the turn.
                if self.state.head.over || self.game.gatherer(self.state).is_none() {
                    return (made, None, stop);
                }
                self.take_state();
            }
            // Whether sides may be swapped is asked where code begins.
            let may_swap = self.game.swap && made > 0;
            if id.number == MoveId::PASS.number || may_swap || self.selects() {
                self.end_plies(Stop::Played);
                return (made, None, stop);
            }
            stop = self.make_one(id.number.into());
            match stop {
                Stop::Played => {}
                Stop::Made | Stop::Asked => self.end_plies(stop),
                _ => {
                    self.end_plies(stop);
                    let drawn = matches!(stop, Stop::Drawn | Stop::Forced | Stop::Untested);
                    let gathered = self.gathered_moves().filter(|_| drawn);
                    let next = gathered.and_then(|gathered| {
                        self.game.make_gathered(
                            self.state,
                            &gathered,
                            id.number.into(),
                            Legality::Known,
                        )
                    });
                    return (made, next, stop);
                }
            }
        }
        if stop == Stop::Played {
            self.end_plies(stop);
        }
        (ids.len(), None, stop)
    }

    /// True if only the moves that begin the longest turns are legal here: they have other numbers
    /// for the evaluator, which lists them.
    fn selects(&mut self) -> bool {
        self.game.selects && {
            self.give_head();
            self.gather().is_none()
                || self.gathered_moves().is_none_or(|gathered| gathered.has_longest())
        }
    }

    /// Makes the move of a number, of which the state need not know yet. Where it ends the game if
    /// the next player has no move, it is found out whether he has.
    fn make_one(&mut self, number: u32) -> Stop {
        *self.slot(Slot::Chosen) = number as i32;
        *self.slot(Slot::Cap) = i32::MAX;
        let stop = self.run_plies();
        if stop != Stop::Played || *self.slot(Slot::Expects) == 0 {
            return stop;
        }
        self.give_head();
        if self.is_any_legal() == Some(true) {
            *self.slot(Slot::Expects) = 0;
            return Stop::Played;
        }
        self.take_turn_back(stop);
        Stop::Made
    }

    /// Whether the mover has a legal move; `None` where code does not find out.
    fn is_any_legal(&mut self) -> Option<bool> {
        self.game.gatherer(self.state)?;
        self.gather()?;
        if !self.compiled()?.gathered.tests() {
            return Some(self.gathered_moves()?.count() > 0);
        }
        let mut any = false;
        self.test_all(|_, legal| {
            any = legal;
            legal
        })?;
        Some(any)
    }

    /// Makes the move of a number: whether it is legal, or `None` if there is no code for that.
    #[cfg(test)]
    pub(crate) fn play_number(&mut self, number: u32) -> Option<bool> {
        let stop = self.make_one(number);
        self.end_plies(stop);
        match stop {
            Stop::Made | Stop::Asked | Stop::Played => Some(true),
            Stop::Stuck => Some(false),
            _ => None,
        }
    }
}
