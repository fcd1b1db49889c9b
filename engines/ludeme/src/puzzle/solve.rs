//! The solutions of a deduction puzzle, by propagation and search.
//!
//! The solver is no crate for satisfiability or for constraints, because the language lets any
//! condition be a constraint, and the interpreter has to evaluate those without a form during the
//! search.

use play::{CompileError, Rules};
use text::Diagnostic;

use super::patterns::{self, Patterns};
use super::{Aggregate, Counted, Forms};
use crate::eval::Eval;
use crate::front;
use crate::game::Game;
use crate::ir::{Bool, Compare, Puzzle, component_of};
use crate::lower;
use crate::state::{PieceValues, State};

/// The values that a variable can have, as bits.
type Values = [u64; 4];

/// The result of a search for solutions.
#[derive(Clone, Debug, Default)]
pub struct Solutions {
    /// Number of solutions found.
    pub found: u64,
    /// True if the search was complete, so that these are all solutions.
    pub complete: bool,
    /// The first solutions, drawn.
    pub drawn: Vec<String>,
    /// Number of assignments that the search tried.
    pub tried: u64,
    /// Number of constraints without a form. The interpreter tests them, and they are assumed to
    /// stay broken once they are.
    pub tested: usize,
}

/// Most solutions that are drawn.
const MOST_DRAWN: usize = 2;

/// Finds the solutions of a deduction puzzle, up to `limit`, with at most `most_tried` assignments
/// tried. A solution gives every variable one of its values, or no value if `is Solved` counts that
/// as 0.
///
/// # Errors
///
/// If the description is wrong, no deduction puzzle, or too large.
pub fn solve(rules: &Rules, limit: u64, most_tried: u64) -> Result<Solutions, CompileError> {
    let parsed = front::parse(rules)?;
    let lowering = lower::lower(&parsed.root)?;
    let mut game: Game = Game::new(lowering);
    super::prepare(&mut game);
    let Some(puzzle) = &game.puzzle else {
        return Err(CompileError::Unsupported(vec![no_puzzle(&parsed.root)]));
    };
    let mut forms = Forms::of(&game, puzzle, false);
    let patterns = patterns::take(&game, puzzle, &mut forms);
    let mut patterns_of = vec![Vec::new(); game.world.sites()];
    for (number, pattern) in (0..).zip(&patterns) {
        pattern.sites.iter().for_each(|&site| patterns_of[usize::from(site)].push(number));
    }
    let mut search = Search {
        game: &game,
        puzzle,
        solutions: Solutions { tested: forms.rest.len(), ..Solutions::default() },
        forms,
        patterns,
        patterns_of,
        limit,
        most_tried,
    };
    search.solutions.complete = match search.start() {
        Some(board) => search.search(board),
        None => true,
    };
    Ok(search.solutions)
}

fn no_puzzle(root: &front::Call) -> Diagnostic {
    root.place
        .error("no-puzzle", "only deduction puzzles have solutions to look for")
        .help("a deduction puzzle says `(play (satisfy ..))`")
}

/// The values that are left at some point of the search.
#[derive(Clone)]
struct Board {
    /// The possible values of each site.
    values: Vec<Values>,
    /// A flag for each site whose value has had all its conclusions drawn.
    settled: Vec<bool>,
}

impl Board {
    fn contains(&self, site: usize, value: i32) -> bool {
        contains(&self.values[site], value)
    }

    /// The only value of a site.
    fn only(&self, site: usize) -> Option<i32> {
        let values = &self.values[site];
        (size(values) == 1).then(|| least(values))
    }
}

fn contains(values: &Values, value: i32) -> bool {
    usize::try_from(value).is_ok_and(|v| v < 256 && values[v / 64] >> (v % 64) & 1 != 0)
}

fn size(values: &Values) -> u32 {
    values.iter().map(|word| word.count_ones()).sum()
}

fn least(values: &Values) -> i32 {
    let word = values.iter().position(|&word| word != 0).unwrap_or(0);
    (word as u32 * 64 + values[word].trailing_zeros()) as i32
}

fn greatest(values: &Values) -> i32 {
    let word = values.iter().rposition(|&word| word != 0).unwrap_or(0);
    word as i32 * 64 + 63 - values[word].leading_zeros() as i32
}

fn list(values: &Values) -> impl Iterator<Item = i32> {
    let values = *values;
    (0..256).filter(move |&value| contains(&values, value))
}

fn only(value: i32) -> Values {
    let mut values = [0; 4];
    values[value as usize / 64] = 1 << (value % 64);
    values
}

struct Search<'g> {
    game: &'g Game,
    puzzle: &'g Puzzle,
    forms: Forms,
    patterns: Vec<Patterns>,
    /// For each site the numbers of the patterns that it belongs to.
    patterns_of: Vec<Vec<u32>>,
    solutions: Solutions,
    limit: u64,
    most_tried: u64,
}

/// Sites whose values have changed.
type Changed = Vec<u16>;

impl Search<'_> {
    /// The values at the start; `None` if they are contradictory.
    fn start(&self) -> Option<Board> {
        let sites = self.game.world.sites();
        let state = &self.game.initial;
        let (low, high) = self.puzzle.values;
        let mut possible = only(0);
        (low..=high).for_each(|value| possible[value as usize / 64] |= 1 << (value % 64));
        // A site that is no variable has no value, which counts as 0 in the end.
        let mut values = vec![only(0); sites];
        for &site in &self.puzzle.variables {
            values[usize::from(site)] = possible;
        }
        for (site, of_site) in values.iter_mut().enumerate() {
            if !state.is_empty(site) {
                *of_site = only(state.what(site) as i32 - 1);
            }
            let zero = |d: &super::Different| d.covered.contains(site) && !d.excepted[0];
            if self.forms.different.iter().any(zero) {
                of_site[0] &= !1;
            }
        }
        let mut board = Board { values, settled: vec![false; sites] };
        let changed = (0..sites as u16).collect();
        self.propagate(&mut board, changed).then_some(board)
    }

    /// Searches for the solutions of a board; false if it had to stop before the end.
    fn search(&mut self, board: Board) -> bool {
        let open = |site: &u16| board.only(usize::from(*site)).is_none();
        let next = self.puzzle.variables.iter().copied().filter(open);
        let Some(site) = next.min_by_key(|&site| size(&board.values[usize::from(site)])) else {
            return self.take(&board);
        };
        for value in list(&board.values[usize::from(site)]) {
            if self.solutions.tried >= self.most_tried {
                return false;
            }
            self.solutions.tried += 1;
            let mut tried = board.clone();
            tried.values[usize::from(site)] = only(value);
            if self.propagate(&mut tried, vec![site])
                && self.is_possible(&board, &tried)
                && !self.search(tried)
            {
                return false;
            }
        }
        true
    }

    /// Counts a solution; false if there are enough.
    fn take(&mut self, board: &Board) -> bool {
        let state = self.state(board);
        if !Eval::new(self.game, &state).is_consistent(self.puzzle) {
            return true;
        }
        self.solutions.found += 1;
        if self.solutions.drawn.len() < MOST_DRAWN {
            let mut shown = state.clone();
            for &site in &self.puzzle.variables {
                // A variable that counts as 0 without a given value is not shown.
                let site = usize::from(site);
                if self.puzzle.values.0 > 0 && shown.what(site) == usize::from(component_of(0)) {
                    shown.remove(&self.game.layout, site);
                }
            }
            self.solutions.drawn.push(crate::draw::draw(self.game, &shown));
        }
        self.solutions.found < self.limit
    }

    /// A state in which all variables with one possible value have it.
    fn state(&self, board: &Board) -> State {
        let mut state = self.game.initial.clone();
        for &site in &self.puzzle.variables {
            let site_index = usize::from(site);
            if state.is_empty(site_index)
                && let Some(value) = board.only(site_index)
            {
                let what = usize::from(component_of(value));
                state.add(&self.game.layout, site_index, what, 1, PieceValues::default());
                (state.head.last_from, state.head.last_to) = (site as i16, site as i16);
            }
        }
        state
    }

    /// True if the constraints without a form hold after each of the values found since.
    fn is_possible(&self, before: &Board, after: &Board) -> bool {
        if self.forms.rest.is_empty() {
            return true;
        }
        let mut state = self.state(after);
        let found = |site: &&u16| {
            let site = usize::from(**site);
            after.only(site).is_some() && before.only(site).is_none()
        };
        self.puzzle.variables.iter().filter(found).all(|&site| {
            (state.head.last_from, state.head.last_to) = (site as i16, site as i16);
            let mut eval = Eval::new(self.game, &state);
            self.forms.rest.iter().all(|constraint: &Bool| eval.test(constraint))
        })
    }

    /// Draws all conclusions from changes; false if there is a contradiction.
    fn propagate(&self, board: &mut Board, mut changed: Changed) -> bool {
        while let Some(site) = changed.pop() {
            let site_index = usize::from(site);
            if size(&board.values[site_index]) == 0 {
                return false;
            }
            if let Some(value) = board.only(site_index).filter(|_| !board.settled[site_index]) {
                board.settled[site_index] = true;
                for different in self.forms.different.iter().filter(|d| !d.excepted[value as usize])
                {
                    for peer in different.peers[site_index].iter() {
                        if board.contains(peer, value) {
                            board.values[peer][value as usize / 64] &= !(1 << (value % 64));
                            changed.push(peer as u16);
                        }
                    }
                }
            }
            for &counted in &self.forms.counts_of[site_index] {
                if !count(board, &self.forms.counted[counted as usize], &mut changed) {
                    return false;
                }
            }
            for &pattern in &self.patterns_of[site_index] {
                if !fit(board, &self.patterns[pattern as usize], &mut changed) {
                    return false;
                }
            }
            for &(how, partner) in &self.forms.compared[site_index] {
                let partner = usize::from(partner);
                let own = board.values[site_index];
                let (low, high) = (least(&own), greatest(&own));
                let fits = |value: i32| match how {
                    Compare::Less | Compare::LessEqual => how.holds(low, value),
                    Compare::Greater | Compare::GreaterEqual => how.holds(high, value),
                    _ => list(&own).any(|mine| how.holds(mine, value)),
                };
                if !keep(board, partner, fits, &mut changed) {
                    return false;
                }
            }
        }
        true
    }
}

/// Draws the conclusions from a count; false if it cannot be satisfied.
fn count(board: &mut Board, counted: &Counted, changed: &mut Changed) -> bool {
    let Counted { sites, aggregate, number } = counted;
    match aggregate {
        Aggregate::Sum => {
            let (mut low, mut high) = (0i64, 0i64);
            for site in sites.iter() {
                low += i64::from(least(&board.values[site]));
                high += i64::from(greatest(&board.values[site]));
            }
            if low > *number || high < *number {
                return false;
            }
            sites.iter().all(|site| {
                let own = board.values[site];
                let (own_low, own_high) = (i64::from(least(&own)), i64::from(greatest(&own)));
                // The range that the other sites leave.
                let (from, to) = (number - (high - own_high), number - (low - own_low));
                own_low >= from && own_high <= to
                    || keep(board, site, |v| (from..=to).contains(&i64::from(v)), changed)
            })
        }
        Aggregate::Count(of) => {
            let has = |board: &Board, site: usize| board.contains(site, *of);
            let possible = sites.iter().filter(|&site| has(board, site)).count() as i64;
            let sure = |site: &usize| board.only(*site) == Some(*of);
            let certain = sites.iter().filter(sure).count() as i64;
            if certain > *number || possible < *number {
                return false;
            }
            if certain == possible {
                return true;
            }
            // Either all sites left have the value, or none has.
            let left: Vec<usize> =
                sites.iter().filter(|site| has(board, *site) && !sure(site)).collect();
            if possible == *number {
                left.into_iter().all(|site| keep(board, site, |v| v == *of, changed))
            } else if certain == *number {
                left.into_iter().all(|site| keep(board, site, |v| v != *of, changed))
            } else {
                true
            }
        }
    }
}

/// Keeps the values that occur in the patterns that are left; false if there is none.
fn fit(board: &mut Board, patterns: &Patterns, changed: &mut Changed) -> bool {
    let mut occurring: Vec<Values> = vec![[0; 4]; patterns.sites.len()];
    for way in patterns.left(|site, value| board.contains(site, value)) {
        for (values, &value) in occurring.iter_mut().zip(way) {
            values[value as usize / 64] |= 1 << (value % 64);
        }
    }
    patterns.sites.iter().zip(&occurring).all(|(&site, values)| {
        keep(board, usize::from(site), |value| contains(values, value), changed)
    })
}

/// Keeps some values of a site; false if none is left.
fn keep(board: &mut Board, site: usize, fits: impl Fn(i32) -> bool, changed: &mut Changed) -> bool {
    let old = board.values[site];
    for value in list(&old).filter(|&value| !fits(value)) {
        board.values[site][value as usize / 64] &= !(1 << (value % 64));
    }
    if board.values[site] != old {
        changed.push(site as u16);
    }
    size(&board.values[site]) > 0
}
