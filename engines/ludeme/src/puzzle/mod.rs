//! Fast playouts of deduction puzzles.
//!
//! The possible moves are a set of candidates, each a variable with a value. A value that is given
//! takes out the other candidates of its variable, and those of other variables that a constraint
//! now forbids ([`steps`]). That is enough, because a constraint depends only on the present
//! values, and values are only added: a forbidden candidate stays forbidden. Constraints of other
//! forms are left to the plain interpreter, which tests the move that was drawn. Positions that are
//! listed and moved on one by one keep the same set ([`positions`]); the reference computes it anew
//! from the present values ([`legal`]).

mod ends;
mod forms;
mod legal;
mod patterns;
mod playout;
mod positions;
mod solve;
mod steps;
mod tables;
mod tested;
mod zero_completion;

pub use solve::{Solutions, solve};

use play::{Method, PlayoutMode, Promise};

use crate::eval::Eval;
use crate::game::Game;
use crate::ir::{Bool, Compare, Constraint, Int, Ints, Iter, Region, SetId, Walk};
use crate::moves::MoveId;
use crate::set::Set;
use crate::state::{Domains, KeptDomains};

/// Most sites of a puzzle with fast playouts; tables by site would take too much room for more.
const MOST_SITES: usize = 1536;

/// A constraint that counts of values are right for some pair of sites, written out for the pairs
/// that satisfy all conditions without values, with the sites of each count; `None` for other
/// constraints.
fn written_out(game: &Game, constraint: &Bool, sets: &mut Vec<Set>) -> Option<Bool> {
    const MOST_PAIRS: u32 = 20_000;
    let Bool::InInts(wanted, list) = constraint else { return None };
    let ([Int::Const(1)], Ints::Results { from, to, value }) = (&**wanted, &**list) else {
        return None;
    };
    let Int::FromBool(condition) = &**value else { return None };
    let parts = match &**condition {
        Bool::And(parts) => &parts[..],
        condition => std::slice::from_ref(condition),
    };
    let (fixed, counts): (Vec<&Bool>, Vec<&Bool>) = parts.iter().partition(|part| part.is_fixed());
    if !from.is_fixed() || !to.is_fixed() {
        return None;
    }
    let mut eval = Eval::new(game, &game.initial);
    let mut pairs = Vec::new();
    let mut left = MOST_PAIRS;
    for from in eval.place(from).iter() {
        eval.set(Iter::From, from as i32);
        let destinations = eval.place(to);
        left = left.checked_sub(destinations.len())?;
        for to in destinations.iter() {
            eval.set(Iter::To, to as i32);
            if fixed.iter().all(|part| eval.test(part)) {
                let counts = counts.iter().map(|part| fixed_count(&mut eval, part, sets));
                pairs.push(Bool::And(counts.collect::<Option<_>>()?));
            }
        }
        eval.set(Iter::To, -1);
    }
    Some(Bool::Or(pairs.into()))
}

/// A count of values on sites that do not depend on values, with these sites.
fn fixed_count(eval: &mut Eval<'_>, condition: &Bool, sets: &mut Vec<Set>) -> Option<Bool> {
    let Bool::Constraint(constraint) = condition else { return None };
    let Constraint::Count { region, of, number } = &**constraint else { return None };
    if !(region.is_fixed() && of.is_fixed() && number.is_fixed()) {
        return None;
    }
    if sets.len() >= MOST_SETS {
        return None;
    }
    sets.push(eval.region(region));
    let region = Region::Static(SetId(sets.len() as u32 - 1));
    let (of, number) = (Int::Const(eval.int(of)), Int::Const(eval.int(number)));
    Some(Bool::Constraint(Box::new(Constraint::Count { region, of, number })))
}

/// Computes the parts of constraints that do not depend on values.
pub(crate) fn prepare(game: &mut Game) {
    let Some(mut puzzle) = game.puzzle.clone() else { return };
    let mut sets = game.sets.to_vec();
    for constraint in &mut puzzle.constraints {
        if let Some(plain) = written_out(game, constraint, &mut sets) {
            *constraint = plain;
        }
    }
    game.sets = sets.into();
    game.puzzle = Some(puzzle);
}

/// Most sets of sites that are made for the constraints of a game.
const MOST_SETS: usize = 20_000;

/// Variables of which no two may have the same value.
#[derive(Debug)]
struct Different {
    /// A flag for each value that may come twice.
    excepted: Vec<bool>,
    /// For each site the others that it shares an area with.
    peers: Vec<Set>,
    /// All sites of all areas.
    covered: Set,
}

/// A way to make one number of the values of some sites.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Aggregate {
    /// The sum of the values.
    Sum,
    /// The number of sites with this value.
    Count(i32),
}

/// Sites whose values are counted.
#[derive(Clone, Debug)]
struct Counted {
    sites: Set,
    aggregate: Aggregate,
    number: i64,
}

impl Counted {
    /// The number that a value adds to the count.
    #[inline(always)]
    fn adds(&self, value: i32) -> i64 {
        match self.aggregate {
            Aggregate::Sum => i64::from(value),
            Aggregate::Count(counted) => i64::from(value == counted),
        }
    }
}

/// The constraints of a puzzle by their forms.
#[derive(Debug)]
struct Forms {
    different: Vec<Different>,
    counted: Vec<Counted>,
    /// For each site the numbers of those in `counted` that it belongs to.
    counts_of: Vec<Vec<u32>>,
    /// For each site the comparisons of its value, which comes first, with that of another.
    compared: Vec<Vec<(Compare, u16)>>,
    /// Constraints on few variables.
    tables: Vec<tables::Table>,
    /// Constraints without a form.
    rest: Vec<Bool>,
}

/// A plan for fast playouts of a puzzle.
pub(crate) struct Plan {
    steps: steps::Steps,
    /// The candidates at the start.
    start: KeptDomains,
    /// By candidate the move that gives it, as it is listed at the start.
    moves: Box<[MoveId]>,
    /// True if positions keep the set of candidates.
    pub(crate) keeps_domains: bool,
    /// The test that the puzzle is solved, if a rule asks for it.
    completion: Option<zero_completion::ZeroCompletion>,
    ends: ends::Ends,
    /// Constraints that the plain interpreter has to test.
    rest: Vec<Bool>,
}

impl Plan {
    /// A plan, for puzzles whose end rules have a form, that are not too large, and in which
    /// nothing is left to chance.
    pub(crate) fn of(game: &Game) -> Option<Plan> {
        let puzzle = game.puzzle.as_ref()?;
        if game.world.sites() > MOST_SITES || game.facts.chance || game.simultaneous {
            return None;
        }
        let ends = ends::Ends::of(game)?;
        let solved = ends.asks_solved();
        let forms = Forms::of(game, puzzle, !solved);
        let (mut completion, mut values) = (None, Vec::new());
        if solved {
            completion = Some(zero_completion::ZeroCompletion::of(puzzle, &forms)?);
            values = zero_completion::ZeroCompletion::values(game);
        }
        let (steps, set, tallies) = steps::Steps::of(game, puzzle, &forms, solved)?;
        let domains = Domains { set, tallies, given: 0, values };
        let start = KeptDomains { domains, given_before: vec![0; game.world.sites()] };
        let moves = positions::moves(game, &steps);
        // A game for no player lists no moves, whatever the values could be.
        let is_left =
            |candidate: usize| start.domains.set[candidate / 64] >> (candidate % 64) & 1 == 1;
        if (0..moves.len()).any(|candidate| is_left(candidate) && moves[candidate].is_pass()) {
            return None;
        }
        let keeps_domains = positions::are_plain(game);
        Some(Plan { steps, start, moves, keeps_domains, completion, ends, rest: forms.rest })
    }

    /// The method of playouts, and its promise.
    pub(crate) fn mode(&self) -> PlayoutMode {
        if self.is_exact() {
            return PlayoutMode { method: Method::Counted, promise: Promise::SamePlayouts };
        }
        let promise = Promise::SameDistribution("legal moves are drawn by rejection");
        PlayoutMode { method: Method::Sampled, promise }
    }

    /// True if all constraints have forms.
    pub(crate) fn is_exact(&self) -> bool {
        self.rest.is_empty()
    }
}
