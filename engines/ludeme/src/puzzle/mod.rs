//! Deduction puzzles played fast.
//!
//! What can still be given is a set of candidates, each a variable with a value. Giving a variable
//! a value takes out its other candidates, and those of other variables that a constraint now
//! forbids ([`steps`]). That is enough, because a constraint says only what the values that there
//! are forbid, and values are only added: what is forbidden stays so. Constraints of other forms
//! are left to the plain interpreter, which tests the move that was drawn.

mod cpu;
mod ends;
mod forms;
mod patterns;
mod playout;
mod solve;
mod steps;
mod tables;
mod tested;
mod zeros;

pub use solve::{Solutions, solve};

use play::{Method, Promise, Way};

use crate::game::Game;
use crate::ir::{Bool, Compare};
use crate::set::Set;

/// Sites of a puzzle beyond which it is played plainly: tables by site would take too much room.
const MOST_SITES: usize = 1536;

/// Variables of which no two may have the same value.
#[derive(Debug)]
struct Different<const W: usize> {
    /// The values that may come twice, by value.
    excepted: Vec<bool>,
    /// For each site the others that it shares an area with.
    peers: Vec<Set<W>>,
    /// All sites of all areas.
    covered: Set<W>,
}

/// What the values of some sites are counted for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Total {
    /// They add up to a number.
    Sum,
    /// As many as a number are this value.
    Count(i32),
}

/// Sites whose values are counted.
#[derive(Clone, Debug)]
struct Counted<const W: usize> {
    sites: Set<W>,
    total: Total,
    number: i64,
}

impl<const W: usize> Counted<W> {
    /// What a value adds to the count.
    #[inline(always)]
    fn adds(&self, value: i32) -> i64 {
        match self.total {
            Total::Sum => i64::from(value),
            Total::Count(of) => i64::from(value == of),
        }
    }
}

/// The constraints of a puzzle by their forms.
#[derive(Debug)]
struct Forms<const W: usize> {
    different: Vec<Different<W>>,
    counted: Vec<Counted<W>>,
    /// For each site the numbers of those in `counted` that it belongs to.
    counts_of: Vec<Vec<u32>>,
    /// For each site the comparisons of its value, which comes first, with that of another.
    compared: Vec<Vec<(Compare, u16)>>,
    /// Constraints about few variables.
    tables: Vec<tables::Table<W>>,
    /// Constraints without a form.
    rest: Vec<Bool>,
}

/// How to play a puzzle fast.
pub(crate) struct Plan {
    steps: steps::Steps,
    /// The candidates at the start.
    first: Vec<u64>,
    /// What else is known then.
    known: steps::Known,
    /// Where a rule asks whether the puzzle is solved.
    zeros: Option<zeros::Zeros>,
    ends: ends::Ends,
    /// Constraints that the plain interpreter has to test.
    rest: Vec<Bool>,
}

impl Plan {
    /// A plan, for puzzles whose end rules have a form and that are not too large.
    pub(crate) fn of<const W: usize>(game: &Game<W>) -> Option<Plan> {
        let puzzle = game.puzzle.as_ref()?;
        if game.world.sites() > MOST_SITES {
            return None;
        }
        let ends = ends::Ends::of(game)?;
        let solved = ends.asks_solved();
        let forms = Forms::of(game, puzzle, !solved);
        let zeros = if solved { Some(zeros::Zeros::of(game, puzzle, &forms)?) } else { None };
        let (steps, first, known) = steps::Steps::of(game, puzzle, &forms, solved)?;
        Some(Plan { steps, first, known, zeros, ends, rest: forms.rest })
    }

    /// How it plays.
    pub(crate) fn way(&self) -> Way {
        if self.is_exact() {
            return Way { method: Method::Counted, promise: Promise::SamePlayouts };
        }
        let promise = Promise::SameDistribution("legal moves are drawn by rejection");
        Way { method: Method::Sampled, promise }
    }

    /// Whether all constraints have forms.
    pub(crate) fn is_exact(&self) -> bool {
        self.rest.is_empty()
    }
}
