//! Moves that are legal only if something holds once they have been made: one is drawn among all that
//! would be moves without that, and tried; where it fails another one is drawn. So every legal move is
//! as likely as every other, and the test is made for a few instead of all.

use play::Rng;

use super::choices::Counted;
use super::conditions::Cond;
use super::lift::Maker;
use super::{Cx, View};
use crate::buffer::Buffer;
use crate::eval::Action;
use crate::ir::Bool;

/// What must hold once a move has been made.
pub(super) struct After<const W: usize> {
    condition: Cond<W>,
}

/// Moves drawn in vain after which all are tried.
const TRIES: u32 = 12;

impl<const W: usize> Maker<'_, W> {
    /// A test of moves that have been made; nothing where it could not be asked of a move that is only
    /// tried.
    pub(super) fn after(&self, condition: &Bool) -> Option<After<W>> {
        let condition = self.condition(condition);
        (!condition.asks_links()).then_some(After { condition })
    }
}

impl<const W: usize> Cx<'_, W> {
    /// Whether a condition holds once a move has been made.
    pub(super) fn allows(&self, after: &After<W>, action: Action) -> bool {
        let mut trial = self.state.trial();
        let deed = self.plan.deed(self.view.mover, action);
        let View { mover, next, prev, .. } = self.view;
        trial.head.turns = crate::state::Turns { mover, next, prev };
        self.game.record(&mut trial, false);
        self.plan.make(self.game, &mut trial, self.forest, deed, action);
        let turns = &mut trial.head.turns;
        if turns.next == mover {
            turns.next = prev;
        }
        let view = View { mover, next: turns.next, prev: turns.prev, ..self.view };
        after.condition.holds(&Cx { state: &trial, view, ..*self })
    }
}

impl<const W: usize> Counted<'_, W> {
    /// The move with so many before it, if it may be made.
    fn allowed(&self, cx: &Cx<'_, W>, n: u32) -> Option<Action> {
        let (action, test) = self.with_test(n);
        test.is_none_or(|after| cx.allows(after, action)).then_some(action)
    }

    /// All moves that may be made, in order.
    pub(super) fn all_allowed(&self, cx: &Cx<'_, W>) -> Buffer<Action> {
        (0..self.total()).filter_map(|n| self.allowed(cx, n)).collect()
    }

    /// Whether any of the moves may be made.
    pub(super) fn any_allowed(&self, cx: &Cx<'_, W>) -> bool {
        self.total() > 0
            && (!self.tested || (0..self.total()).any(|n| self.allowed(cx, n).is_some()))
    }

    /// One of the moves that may be made; none if there is no such move.
    pub(super) fn draw(&self, cx: &Cx<'_, W>, rng: &mut Rng) -> Option<Action> {
        let drawn = (0..TRIES).find_map(|_| self.allowed(cx, rng.below(self.total())));
        drawn.or_else(|| {
            let all = self.all_allowed(cx);
            if all.is_empty() { None } else { Some(all[rng.below(all.len() as u32) as usize]) }
        })
    }
}
