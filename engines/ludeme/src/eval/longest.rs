//! The moves that begin the longest turns, or capture most.

use std::cell::Cell;

use super::Eval;
use super::visitors::MoveVisitor;
use crate::buffer::Buffer;
use crate::ir::{Bool, Moves};
use crate::limits::{MAX_MOVES_AHEAD, MAX_POSITIONS_AHEAD};
use crate::moves::{Act, Move};

/// As [`MAX_POSITIONS_AHEAD`], where the rules have been seen to ask for more.
const FEW_LOOKS: u32 = 500;

/// The way in which turns are looked through.
#[derive(Clone, Copy)]
pub(super) struct Lookahead<'g> {
    /// Positions that may still be looked at.
    left: &'g Cell<u32>,
    /// True if what is captured counts, not the moves.
    with_value: bool,
}

impl Eval<'_> {
    pub(super) fn maximal(
        &mut self,
        captures: bool,
        with_value: &Bool,
        moves: &Moves,
        out: &mut dyn MoveVisitor,
    ) -> bool {
        let with_value = self.test(with_value);
        let same = self.lookahead.is_some_and(|looks| looks.with_value == with_value);
        if !captures && same && !(with_value && self.game.stacking()) {
            // A turn is being looked through for the same: the longest of all is that of the
            // longest.
            return self.generate(moves, out);
        }
        let found = self.all_made(moves);
        let all_count = out.follows_list() || found.len() < 2;
        let kept = (!all_count).then(|| self.longest(&found, captures, with_value));
        found.into_iter().enumerate().any(|(i, made)| {
            if kept.as_ref().is_some_and(|kept| !kept[i]) {
                return out.skip();
            }
            let made = if captures || !out.wants_acts() { made } else { self.as_flattened(made) };
            out.take_move(self, made)
        })
    }

    /// Which of these moves begin the longest turns, or capture most.
    pub(crate) fn longest(
        &mut self,
        found: &[Move],
        captures: bool,
        with_value: bool,
    ) -> Buffer<bool> {
        // Rules that look ahead from where they have looked ahead to see no further.
        let record = &self.state.head.record;
        let nested = record.ahead > 0;
        let most = if record.endless { FEW_LOOKS } else { MAX_POSITIONS_AHEAD };
        let left = Cell::new(if nested { 0 } else { most });
        let looks = self.lookahead.map_or(&left, |looks| looks.left);
        let lookahead = Some(Lookahead { left: looks, with_value });
        let iterated = self.iterated.clone();
        let mut eval = Eval { lookahead, chance: self.chance_aside(), iterated, ..*self };
        let mut best = -1;
        let looking = !captures && looks.get() > 0;
        let lengths: Buffer<Option<i32>> = found
            .iter()
            .map(|made| {
                let length = if captures {
                    let acts = eval.flattened(made);
                    acts.iter().filter(|act| act.removes().is_some()).count() as i32
                } else {
                    let worth = eval.worth(made, with_value, true);
                    worth.wrapping_add(eval.turn_length(made))
                };
                // From where a turn is not seen to its end no move is known to be shorter than
                // others.
                let lost = looking && looks.get() == 0;
                eval.endless |= lost;
                if !lost {
                    best = best.max(length);
                }
                (!lost).then_some(length)
            })
            .collect();
        let (stalemated, endless) = (eval.stalemated, eval.endless);
        self.stalemated = stalemated;
        self.endless |= endless;
        lengths.into_iter().map(|length| length.is_none_or(|length| length == best)).collect()
    }

    /// The worth of a move: the values that it captures, or 1. Of a stack that is captured the move
    /// that is looked at counts the piece at the bottom, over and over, and the moves after it the
    /// one on top. The recorded games show this; the specification does not say which.
    fn worth(&self, made: &Move, with_value: bool, first: bool) -> i32 {
        if !with_value {
            return 1;
        }
        let acts = self.flattened(made);
        let level = (first && self.game.stacking()).then_some(0);
        // What is taken away when the turn ends has been captured before.
        let captures = acts.iter().filter(|act| !matches!(act, Act::Clear { .. }));
        let sites = captures.filter_map(|act| act.removes());
        let values = sites.map(|site| self.state.extra(usize::from(site), level).value);
        values.fold(0, i32::wrapping_add)
    }

    /// The worth of the moves after one in the longest turn that begins with it.
    fn turn_length(&mut self, made: &Move) -> i32 {
        let left = self.lookahead.map_or(0, |looks| looks.left.get());
        let ahead = self.state.head.record.ahead;
        if ahead >= MAX_MOVES_AHEAD || left == 0 {
            // An endless turn is not worth looking at from any other side.
            self.lookahead.inspect(|looks| looks.left.set(0));
            return 0;
        }
        self.lookahead.inspect(|looks| looks.left.set(left - 1));
        let mut after = self.trial();
        after.head.record.ahead = ahead + 1;
        let mover = self.turns.mover;
        if !self.game.stays_at_turn(&mut after, made, self.chance) {
            return 0;
        }
        let with_value = self.lookahead.is_some_and(|looks| looks.with_value);
        let mut eval = Eval::new(self.game, &after);
        eval.lookahead = self.lookahead;
        eval.chance = self.chance;
        let phase = usize::from(after.head.phase[usize::from(mover)]);
        let more = eval.all_made(&self.game.phases[phase].play);
        let mut longest = 0;
        for made in more {
            let worth = eval.worth(&made, with_value, false);
            longest = longest.max(worth.wrapping_add(eval.turn_length(&made)));
        }
        longest
    }
}
