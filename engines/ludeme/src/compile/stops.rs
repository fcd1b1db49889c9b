//! Stops: the places where the code of a playout returns, and their reasons.

use kernel::ir::{Block, Expr, Stmt};

use super::arrays::{Slot, both, int, slot};

macro_rules! stops {
    ($($(#[$doc:meta])* $stop:ident,)*) => {
        /// The place where the code of a playout stops.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(super) enum Stop {
            $($(#[$doc])* $stop,)*
        }

        impl Stop {
            /// The stop with a number.
            pub(super) fn of(number: i32) -> Option<Stop> {
                const ALL: &[Stop] = &[$(Stop::$stop),*];
                ALL.get(usize::try_from(number).ok()?).copied()
            }
        }
    };
}

stops! {
    /// Before a ply that the evaluator has to play.
    Ask,
    /// Before a ply without a move.
    Stuck,
    /// Before a ply whose only move is a pass.
    Forced,
    /// Before a ply beyond the cap of the playout.
    Capped,
    /// After a move has been drawn that code does not make; its number is in [`Slot::Chosen`].
    Drawn,
    /// After a swap of sides has been drawn.
    Swapped,
    /// As [`Stop::Drawn`], for a move whose legality code does not test.
    Untested,
    /// After a move, before the end rules.
    Made,
    /// After a move and the end rules, of which none holds, before the turn is passed on.
    Asked,
    /// After a ply.
    Played,
}

/// The statement that stops.
pub(super) fn stop(stop: Stop) -> Stmt {
    Stmt::Return(Some(int(stop as i32)))
}

/// The statement that stops if a condition holds.
pub(super) fn stop_if(condition: Expr, reason: Stop) -> Stmt {
    Stmt::If(condition, vec![stop(reason)], Block::new())
}

/// The result of a function that does not stop the playout.
pub(super) const NOT_STOPPED: i32 = -1;

/// The statement that stops if a function has stopped.
pub(super) fn stop_as(stopped: &Expr) -> Stmt {
    let stops = stopped.clone().differs(int(NOT_STOPPED));
    Stmt::If(stops, vec![Stmt::Return(Some(stopped.clone()))], Block::new())
}

/// Code that is 1 if the playout ends with one more forced pass, which the evaluator makes.
pub(super) fn is_last_pass() -> Expr {
    both(is_after_pass(), slot(Slot::Passes).at_least(int(play::MAX_FORCED_PASSES as i32)))
}

/// Code that is 1 if the last move was a forced pass.
pub(super) fn is_after_pass() -> Expr {
    slot(Slot::PassedAt).equals(slot(Slot::Plies))
}
