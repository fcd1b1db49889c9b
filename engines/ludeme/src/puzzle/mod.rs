//! Deduction puzzles played fast.
//!
//! For every value the variables that can still have it are a set of sites ([`Work::allowed`]). Giving a
//! variable a value takes it out of all sets, and out of the set of each value those other variables
//! that a constraint now forbids it for. That is enough, because a constraint says only what the values
//! that there are forbid, and values are only added: what is forbidden stays so. Constraints of other
//! forms are left to the plain interpreter, which tests the move that was drawn.

mod forms;
mod playout;
mod solve;
mod tables;

pub use solve::{Solutions, solve};

use play::{Method, Promise, Way};

use crate::game::Game;
use crate::ir::{Bool, Compare, Puzzle};
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
#[derive(Debug)]
struct Counted<const W: usize> {
    sites: Set<W>,
    total: Total,
    number: i64,
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
    /// For each site the numbers of those in `tables` that it belongs to, with its weight in each.
    tables_of: Vec<Vec<(u32, u32)>>,
    /// Constraints that the plain interpreter has to test.
    rest: Vec<Bool>,
}

/// How to play a puzzle fast.
pub(crate) struct Plan<const W: usize> {
    forms: Forms<W>,
    /// The least value, which the first of the sets of variables is for.
    least: i32,
    /// What is so at the start.
    first: Work<W>,
    ends: playout::Ends,
}

/// What changes during a playout.
#[derive(Clone, Debug)]
struct Work<const W: usize> {
    /// For each value the variables that can have it, in a puzzle whose constraints all have forms.
    allowed: Vec<Set<W>>,
    /// All sites without a value.
    open: Set<W>,
    /// For each of the counted what is left to its number, and how many of its sites are open.
    left: Vec<(i64, u32)>,
    /// The entry of each table.
    entries: Vec<u32>,
    /// The values given, in order.
    given: Vec<(u16, u16)>,
    /// The value of each site, 0 for none; only where values are compared.
    values: Vec<u16>,
}

impl<const W: usize> Work<W> {
    /// Becomes equal to another one, in the memory that it has.
    fn reset(&mut self, first: &Work<W>) {
        let Work { allowed, open, left, entries, given, values } = first;
        self.allowed.clone_from(allowed);
        self.open = *open;
        self.left.clone_from(left);
        self.entries.clone_from(entries);
        self.given.clone_from(given);
        self.values.clone_from(values);
    }
}

impl<const W: usize> Plan<W> {
    /// A plan, for puzzles whose end rules have a form and that are not too large.
    pub(crate) fn of(game: &Game<W>) -> Option<Plan<W>> {
        let puzzle = game.puzzle.as_ref()?;
        if game.world.sites() > MOST_SITES {
            return None;
        }
        let ends = playout::Ends::of(game)?;
        let forms = Forms::of(game, puzzle, !ends.asks_solved());
        if ends.asks_solved() && !forms.knows_zeros(puzzle) {
            return None;
        }
        let first = forms.start(game, puzzle);
        Some(Plan { forms, least: puzzle.values.0, first, ends })
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
    /// What is so after the set-up.
    fn start(&self, game: &Game<W>, puzzle: &Puzzle) -> Work<W> {
        let state = &game.initial;
        let variables: Set<W> = puzzle.open.iter().map(|&site| usize::from(site)).collect();
        let (least, greatest) = puzzle.values;
        let values = (greatest - least + 1).max(0) as usize;
        let mut work = Work {
            allowed: vec![variables & state.set(crate::state::EMPTY); values],
            // Before anything has a value all sites of an area are open.
            open: game.everywhere,
            left: self.counted.iter().map(|c| (c.number, c.sites.len())).collect(),
            entries: vec![0; self.tables.len()],
            given: Vec::new(),
            values: Vec::new(),
        };
        for table in &self.tables {
            for (allowed, by_table) in work.allowed.iter_mut().zip(table.allowed(0, values)) {
                *allowed &= *by_table;
            }
        }
        if self.compared.iter().any(|list| !list.is_empty()) {
            work.values = vec![0; game.world.sites()];
        }
        for different in &self.different {
            if !different.excepted[0]
                && let Some(zero) =
                    usize::try_from(-least).ok().and_then(|at| work.allowed.get_mut(at))
            {
                *zero = zero.without(&different.covered);
            }
        }
        for at in 0..self.counted.len() {
            self.forbid_counted(&mut work, at, least, None);
        }
        let mut eval = crate::eval::Eval::new(game, state);
        if !eval.is_consistent(puzzle) {
            // What is broken stays broken.
            work.allowed.fill(Set::EMPTY);
        }
        for site in game.everywhere.iter().filter(|&site| !state.is_empty(site)) {
            self.give(&mut work, site, state.what(site) as i32 - 1, least);
        }
        work.given.clear();
        work
    }

    /// Gives a variable a value.
    #[inline]
    fn give(&self, work: &mut Work<W>, site: usize, value: i32, least: i32) {
        for set in &mut work.allowed {
            set.remove(site);
        }
        work.open.remove(site);
        work.given.push((site as u16, value as u16));
        if let Some(known) = work.values.get_mut(site) {
            *known = value as u16;
        }
        let at = value - least;
        for different in &self.different {
            if !different.excepted[value as usize]
                && let Some(set) = usize::try_from(at).ok().and_then(|at| work.allowed.get_mut(at))
            {
                *set = set.without(&different.peers[site]);
            }
        }
        for &counted in &self.counts_of[site] {
            let counted = counted as usize;
            let entry = &mut work.left[counted];
            entry.1 -= 1;
            entry.0 -= match self.counted[counted].total {
                Total::Sum => i64::from(value),
                Total::Count(of) => i64::from(value == of),
            };
            self.forbid_counted(work, counted, least, Some(value));
        }
        for &(number, weight) in &self.tables_of[site] {
            let entry = &mut work.entries[number as usize];
            *entry += weight * (at + 1) as u32;
            let values = work.allowed.len();
            let by_table = self.tables[number as usize].allowed(*entry, values);
            for (allowed, by_table) in work.allowed.iter_mut().zip(by_table) {
                *allowed &= *by_table;
            }
        }
        for &(how, other) in &self.compared[site] {
            for (allowed, candidate) in work.allowed.iter_mut().zip(least..) {
                if !crate::eval::compare(how, value, candidate) {
                    allowed.remove(usize::from(other));
                }
            }
        }
    }

    /// Takes out the values that would break a count, after it has changed by a value, or at the start.
    fn forbid_counted(&self, work: &mut Work<W>, counted: usize, least: i32, change: Option<i32>) {
        let Counted { sites, total, .. } = &self.counted[counted];
        let (left, open) = work.left[counted];
        if open == 0 {
            return;
        }
        let last = open == 1;
        if !last && change == Some(0) && *total == Total::Sum {
            return;
        }
        for (allowed, value) in work.allowed.iter_mut().zip(least..) {
            let adds = match total {
                Total::Sum => i64::from(value),
                Total::Count(of) => i64::from(value == *of),
            };
            if adds > left || last && adds != left {
                *allowed = allowed.without(sites);
            }
        }
    }

    /// Whether all constraints with forms hold once 0 is the value of all variables that have none.
    fn is_solved(&self, work: &Work<W>) -> bool {
        self.different.iter().all(|d| d.excepted[0] || !work.open.intersects(&d.covered))
            && self.counted.iter().zip(&work.left).all(|(counted, &(left, open))| {
                let zeros = if counted.total == Total::Count(0) { i64::from(open) } else { 0 };
                left == zeros
            })
            && self.are_zeros_in_order(work)
    }
}
