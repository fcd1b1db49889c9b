//! Deduction puzzles played fast.
//!
//! For every value the variables that can still have it are a set of sites. Giving a variable a value
//! takes it out of all sets, and out of the set of each value those other variables that a constraint
//! now forbids it for ([`steps`]). That is enough, because a constraint says only what the values
//! that there are forbid, and values are only added: what is forbidden stays so. Constraints of other
//! forms are left to the plain interpreter, which tests the move that was drawn.

mod cpu;
mod forms;
mod playout;
mod solve;
mod steps;
mod tables;

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
    /// Constraints that the plain interpreter has to test.
    rest: Vec<Bool>,
}

/// How to play a puzzle fast.
pub(crate) struct Plan<const W: usize> {
    forms: Forms<W>,
    steps: steps::Steps<W>,
    /// For each value the variables that can have it at the start.
    first: Vec<Set<W>>,
    /// What else is so at the start.
    known: steps::Known<W>,
    ends: playout::Ends,
}

impl<const W: usize> Plan<W> {
    /// A plan, for puzzles whose end rules have a form and that are not too large.
    pub(crate) fn of(game: &Game<W>) -> Option<Plan<W>> {
        let puzzle = game.puzzle.as_ref()?;
        if game.world.sites() > MOST_SITES || puzzle.values.0 > puzzle.values.1 {
            return None;
        }
        let ends = playout::Ends::of(game)?;
        let mut forms = Forms::of(game, puzzle, !ends.asks_solved());
        if ends.asks_solved() && !forms.knows_zeros(puzzle) {
            return None;
        }
        let steps = steps::Steps::of(game, puzzle, &mut forms, ends.asks_solved());
        let (first, known) = steps.start(game, puzzle, &forms);
        Some(Plan { forms, steps, first, known, ends })
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
        self.forms.rest.is_empty()
    }
}

impl<const W: usize> Forms<W> {
    /// Whether all constraints with forms hold once 0 is the value of all variables that have none.
    fn is_solved(&self, known: &steps::Known<W>) -> bool {
        self.different.iter().all(|d| d.excepted[0] || !known.open.intersects(&d.covered))
            && self.counted.iter().zip(&known.left).all(|(counted, &(left, open))| {
                let zeros = if counted.total == Total::Count(0) { i64::from(open) } else { 0 };
                left == zeros
            })
            && self.are_zeros_in_order(known)
    }
}
