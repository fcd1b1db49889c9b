//! Where code stops, and the passes that make it stop.

use kernel::ir::{Block, Expr, Stmt};

use super::arrays::{Slot, both, int, slot};

macro_rules! stops {
    ($($(#[$doc:meta])* $stop:ident,)*) => {
        /// Where code stops.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(super) enum Stop {
            $($(#[$doc])* $stop,)*
        }

        impl Stop {
            /// That of a number.
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
    /// Where there is no move.
    Stuck,
    /// Where there is one move, which is a pass.
    Forced,
    /// Where a move can be made that the playout is not allowed any more.
    Capped,
    /// Where a move has been drawn that code does not make; its number is in [`Slot::Chosen`].
    Drawn,
    /// Where the mover changes sides.
    Swapped,
    /// Where a move has been drawn of which code does not find out whether it is legal, likewise.
    Untested,
    /// When a move has been made, before the end rules.
    Made,
    /// When a move has been made and no end rule holds, before the turn is handed on.
    Asked,
    /// After a ply.
    Played,
}

pub(super) fn stop(stop: Stop) -> Stmt {
    Stmt::Return(Some(int(stop as i32)))
}

pub(super) fn stop_if(condition: Expr, at: Stop) -> Stmt {
    Stmt::If(condition, vec![stop(at)], Block::new())
}

/// What a function gives that does not stop the playout.
pub(super) const NOT_STOPPED: i32 = -1;

/// Passes on where a function has stopped, if it has.
pub(super) fn stop_as(stopped: &Expr) -> Stmt {
    let stops = stopped.clone().differs(int(NOT_STOPPED));
    Stmt::If(stops, vec![Stmt::Return(Some(stopped.clone()))], Block::new())
}

/// Whether a playout ends with a further forced pass: the evaluator makes that one.
pub(super) fn is_last_pass() -> Expr {
    let most = int(play::MAX_FORCED_PASSES as i32);
    both(is_after_pass(), slot(Slot::Passes).at_least(most))
}

/// Whether the last move was a forced pass.
pub(super) fn is_after_pass() -> Expr {
    slot(Slot::PassedAt).equals(slot(Slot::Plies))
}
