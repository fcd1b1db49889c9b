//! Between the plies: the limits of a game, its phases, and whose turn is next.

use crate::eval::Eval;
use crate::game::Game;
use crate::ir::Repeats;
use crate::limits::{MOVE_LIMIT, TURN_LIMIT};
use crate::lower::Feature;
use crate::state::{State, Turns};

/// Plies before which no limit of moves or turns is met in a game for so many, whatever forced
/// passes there are between them: at most one of each other player, since a round of passes ends
/// the game or never ends.
pub(crate) fn no_limit_before(players: usize) -> u32 {
    (MOVE_LIMIT / players.max(1) as u32).min(TURN_LIMIT) - 2
}
impl Game {
    /// The player after another in the order of play who has no result yet.
    #[inline]
    pub(crate) fn following(&self, state: &State, player: u8) -> u8 {
        let players = self.world.players as u8;
        let mut next = player;
        for _ in 0..players {
            next = if next >= players { 1 } else { next + 1 };
            if state.head.active >> next & 1 != 0 {
                return next;
            }
        }
        next
    }

    /// Hands on the turn after a move between two sites, once the end rules have been asked.
    #[inline]
    pub(crate) fn end_ply(&self, state: &mut State, (from, to): (i16, i16)) {
        let Turns { mover, next, prev } = state.head.turns;
        self.remember_position(state, mover, prev);
        if self.has(Feature::Visits) {
            if mover == next {
                state.visit(&self.layout, from);
                state.visit(&self.layout, to);
            } else {
                state.forget_visits(&self.layout);
            }
        }
        self.after_end_rules(state);
    }

    /// The sum of the dice by the faces that they show, used or not.
    pub(crate) fn sum_dice(&self, state: &mut State) {
        let Some(dice) = &self.world.dice else { return };
        let shown = dice.faces.iter().enumerate().map(|(die, faces)| {
            let face = state.extra(dice.first + die, None).state;
            usize::try_from(face).ok().and_then(|f| faces.get(f)).copied().unwrap_or(0)
        });
        let sum = shown.fold(0, i32::wrapping_add);
        state.head.record.pips = sum;
    }

    /// Keeps the position after a move, where the rules ask for earlier ones.
    fn remember_position(&self, state: &mut State, mover: u8, prev: u8) {
        let first = mover != prev;
        match self.repeats {
            Some(Repeats::Positional) if first || self.has(Feature::Cycles) => {
                state.remember_position();
            }
            Some(Repeats::Situational) if first => {
                let hash = self.hash(state, Repeats::Situational);
                state.remember_hash(hash);
            }
            Some(repeats @ (Repeats::PositionalInTurn | Repeats::SituationalInTurn)) => {
                if first {
                    state.forget_positions();
                }
                let hash = self.hash(state, repeats);
                state.remember_hash(hash);
            }
            None if self.has(Feature::Cycles) => state.remember_position(),
            _ => {}
        }
    }

    /// Limits, phases, and whose turn is next.
    #[inline]
    pub(crate) fn after_end_rules(&self, state: &mut State) {
        let head = &state.head;
        if !head.over
            && (head.moves >= MOVE_LIMIT
                || head.turn_number >= TURN_LIMIT * self.world.players as u32)
        {
            self.draw(state);
        }
        if self.phases.len() > 1 && state.head.active != 0 && !state.head.over {
            self.change_phases(state);
        }
        let head = &mut state.head;
        head.counter = head.counter.wrapping_add(1);
        if head.active == 0 || head.over {
            head.turns.prev = head.turns.mover;
            return;
        }
        head.turns.prev = head.turns.mover;
        head.turns.mover = head.turns.next;
        if head.turns.prev == head.turns.mover {
            head.moves_this_turn += 1;
        } else {
            head.moves_this_turn = 0;
            head.turn_number += 1;
        }
        let mover = head.turns.mover;
        state.head.turns.next = self.following(state, mover);
    }

    fn change_phases(&self, state: &mut State) {
        for player in 1..=self.world.players {
            let current = usize::from(state.head.phase[player]);
            for change in &self.phases[current].next {
                let mut eval = Eval::new(self, state);
                let (asked, mover) = match &change.who {
                    None => (true, usize::from(eval.turns.mover)),
                    Some(who) => {
                        let who = eval.int(who);
                        (who == player as i32, player)
                    }
                };
                if !asked || !eval.test(&change.condition) {
                    continue;
                }
                state.head.stalemated = eval.stalemated;
                // Without a name it is the phase after that of the player named, or of the mover.
                let to = change.to.unwrap_or_else(|| {
                    (usize::from(state.head.phase[mover]) + 1) % self.phases.len()
                });
                state.head.phase[player] = to as u8;
                break;
            }
        }
    }

    /// True if the last turn of every player consisted of a pass, by the history of moves and of
    /// pieces placed at the start.
    pub(crate) fn all_passed(&self, state: &State) -> bool {
        if self.world.players == 1 {
            return state.head.passed;
        }
        let mut last = state.head.turns.mover;
        let mut pass = false;
        let mut count = 0;
        let mut history = state.history.iter().rev();
        for _ in 0..self.world.players {
            loop {
                // More than one move in the turn looked at settles it.
                let Some(&entry) = history.next() else { return pass };
                if count > 1 {
                    return false;
                }
                let (mover, passed) = (entry >> 1, entry & 1 != 0);
                if mover != last {
                    if !pass {
                        return false;
                    }
                    last = mover;
                    count = 0;
                    pass = passed;
                    break;
                }
                count += 1;
                pass = passed;
            }
        }
        true
    }
}

/// Begins a new turn for a player who has changed sides.
pub(super) fn begin_turn(state: &mut State) {
    let head = &mut state.head;
    if head.active != 0 && head.turns.prev == head.turns.mover {
        head.moves_this_turn = 0;
        head.turn_number += 1;
    }
}
