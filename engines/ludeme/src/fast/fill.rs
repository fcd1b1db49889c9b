//! Games in which every move puts a piece of the mover on an empty site and nothing ever moves or
//! disappears: lines, connections, full boards. A playout is played on sets alone; runs of equal
//! pieces are kept by their ends, so a line of any length is found with a few loads a line.

use play::{End, Ending, Job, Rng, Scores, Tally};

use super::Plan;
use super::choices::{Choice, Counted, on_site};
use super::conditions::Cond;
use super::links::Forest;
use super::playout::{EndTest, of_other_seats};
use super::sets::SetExpr;
use crate::eval::{Action, Eval};
use crate::game::Game;
use crate::ir::{AxesId, Bool, Compare, Int, LeafKind, Moves};
use crate::lower::AxisTable;
use crate::set::Set;
use crate::state::{EMPTY, Flavour, Layout, State};

/// A game of placements.
pub(super) struct Fill<const W: usize> {
    /// By player.
    turns: Box<[FillTurn<W>]>,
    /// Who moves, by number of moves made.
    movers: Box<[u8]>,
    /// Tables of lines that the end rules ask for.
    lines: Box<[LineTable]>,
    /// Sets of the state before the first move.
    sets: Box<[Set<W>]>,
    sites: u32,
    /// Whether the second player may change sides in the place of his first move.
    swap: bool,
}

/// What one player does.
struct FillTurn<const W: usize> {
    leaf: u16,
    piece: i16,
    piece_set: usize,
    owner_set: usize,
    sites: Places<W>,
    ends: Box<[(FillCond<W>, Scores)]>,
}

/// Where a piece may be put.
enum Places<const W: usize> {
    /// On every empty site.
    Empty,
    /// On empty sites among these, and among those that every piece opens, by its site.
    Opened(Set<W>, Box<[Set<W>]>),
    Sets(SetExpr<W>),
}

/// A condition that sets, runs and links answer.
enum FillCond<const W: usize> {
    Const(bool),
    Not(Box<FillCond<W>>),
    All(Box<[FillCond<W>]>),
    Any(Box<[FillCond<W>]>),
    Moves(Compare, i32),
    /// No site is empty.
    Full,
    IsEmpty(SetExpr<W>),
    /// The last piece stands in a run of at least so many, by number of the table.
    Run(usize, u32),
    Linked(u32),
}

/// Every line of a board as a stretch of positions, with a free position between lines.
#[derive(PartialEq, Debug)]
struct LineTable {
    axes: AxesId,
    /// Positions of each site, `width` of them.
    places: Box<[u16]>,
    width: usize,
    positions: usize,
}

/// What changes during a playout.
struct Board<const W: usize> {
    sets: Vec<Set<W>>,
    left: u32,
    /// By player: the sites opened.
    opened: Vec<Set<W>>,
    /// By table, component and position: the length of the run that ends there. Inside runs the
    /// numbers are stale, and nobody looks at them.
    runs: Vec<Vec<u8>>,
    placed: Vec<u16>,
    /// Whether the players have changed sides.
    swapped: bool,
}

/// What is known of the last move.
struct Made {
    /// The longest runs, by table, as bits: bit `n` for a run of `n`, 63 for all longer ones.
    runs: [u64; MAX_TABLES],
    /// Regions touched by the group of the piece.
    touched: u8,
}

/// Tables of lines that one game may ask for.
const MAX_TABLES: usize = 2;

impl LineTable {
    /// Numbers the lines, if every site sees the same lines as all others on them.
    fn new(axes: AxesId, table: &AxisTable) -> Option<LineTable> {
        let width = table.0.iter().map(Vec::len).max().unwrap_or(0);
        let mut lines: Vec<Vec<u16>> = Vec::new();
        let mut found = rustc_hash::FxHashMap::default();
        let mut of_site: Vec<Vec<(usize, usize)>> = vec![Vec::new(); table.0.len()];
        for (site, axes) in table.0.iter().enumerate() {
            for (ray, opposite) in axes {
                let opposite = opposite.as_deref().unwrap_or_default();
                let mut line: Vec<u16> = opposite.iter().rev().copied().collect();
                line.push(site as u16);
                line.extend(ray);
                if line.len() > usize::from(u8::MAX) {
                    return None;
                }
                if line.first() > line.last() {
                    line.reverse();
                }
                let at = line.iter().position(|&s| usize::from(s) == site)?;
                let number = *found.entry(line.clone()).or_insert_with(|| {
                    lines.push(line);
                    lines.len() - 1
                });
                of_site[site].push((number, at));
            }
        }
        // Every site of a line must have it, once and at its place.
        for (number, line) in lines.iter().enumerate() {
            for (at, &site) in line.iter().enumerate() {
                let here = of_site.get(usize::from(site))?;
                let mut own = here.iter().filter(|(line, _)| *line == number);
                if own.next() != Some(&(number, at)) || own.next().is_some() {
                    return None;
                }
            }
        }
        let mut first = Vec::with_capacity(lines.len());
        let mut next = 1;
        for line in &lines {
            first.push(next);
            next += line.len() + 1;
        }
        let mut places = Vec::with_capacity(of_site.len() * width);
        for lines in &of_site {
            places.extend(lines.iter().map(|&(line, at)| (first[line] + at) as u16));
            // A site with fewer lines has lines of its own.
            for _ in lines.len()..width {
                places.push(next as u16);
                next += 2;
            }
        }
        let fits = u16::try_from(next).is_ok();
        fits.then(|| LineTable { axes, places: places.into(), width, positions: next + 1 })
    }

    /// Takes note of a piece, and says how long the runs are that it stands in now.
    #[inline(always)]
    fn add(&self, runs: &mut [u8], site: usize) -> u64 {
        let mut lengths = 0;
        for &place in &self.places[site * self.width..(site + 1) * self.width] {
            let place = usize::from(place);
            let (before, after) = (usize::from(runs[place - 1]), usize::from(runs[place + 1]));
            let all = before + after + 1;
            runs[place - before] = all as u8;
            runs[place + after] = all as u8;
            lengths |= 1 << all.min(63);
        }
        lengths
    }
}

impl<const W: usize> Fill<W> {
    /// The form, if the game has it.
    pub(super) fn of(game: &Game<W>, plan: &Plan<W>) -> Option<Fill<W>> {
        const MOST_SITES: usize = 1000;
        let sites = game.world.sites();
        let plain = game.phases.len() == 1
            && game.layout.flavour == Flavour::Flat
            && game.world.containers.len() == 1
            && sites <= MOST_SITES
            && !(game.random_start || game.chance || plan.plain_ends || game.pends)
            && game.initial.components().iter().all(|&what| what == 0);
        if !plain {
            return None;
        }
        let mut lines = Vec::new();
        let turns: Option<Vec<FillTurn<W>>> = (1..=game.world.players)
            .map(|mover| {
                let turn = plan.turns[0].get(mover)?;
                let Choice::Sites { leaf, piece, sites } = &turn.choice else { return None };
                let component = usize::try_from(*piece).ok().filter(|&c| c > 0)?;
                let ends = turn.ends.iter().map(|test| {
                    let EndTest { condition, scores: Some(scores) } = test else { return None };
                    Some((
                        fill_condition(game, plan, condition, mover, component, &mut lines)?,
                        *scores,
                    ))
                });
                Some(FillTurn {
                    leaf: *leaf,
                    piece: *piece,
                    piece_set: usize::from(game.layout.piece_set[component]),
                    owner_set: Layout::owner_set(usize::from(game.layout.owner[component])),
                    sites: places(sites, &game.initial.set(EMPTY), game.world.sites())?,
                    ends: ends.collect::<Option<_>>()?,
                })
            })
            .collect();
        let turns = turns?;
        let movers = movers(game, &turns)?;
        // Who changes sides has made a move without placing anything: the others must not go by numbers.
        let in_turn = || movers.iter().zip([1, 2].iter().cycle()).all(|(a, b)| a == b);
        if game.swap && !(turns.len() == 2 && in_turn()) {
            return None;
        }
        (lines.len() <= MAX_TABLES).then(|| Fill {
            turns: turns.into(),
            movers,
            lines: lines.into(),
            sets: (0..game.layout.sets).map(|set| game.initial.set(set)).collect(),
            sites: game.initial.set::<W>(EMPTY).len(),
            swap: game.swap,
        })
    }

    /// Plays a job.
    pub(super) fn run(&self, game: &Game<W>, plan: &Plan<W>, job: &Job) -> Tally {
        let mut tally = Tally::default();
        let components = game.layout.owner.len();
        let forest = Forest::new(game.world.sites());
        let mut board = Board {
            sets: self.sets.to_vec(),
            left: 0,
            opened: vec![Set::EMPTY; self.turns.len()],
            runs: self.lines.iter().map(|t| vec![0; t.positions * components]).collect(),
            placed: Vec::with_capacity(game.world.sites()),
            swapped: false,
        };
        let mut stuck = None;
        for id in job.ids() {
            let mut rng = Rng::stream(job.seed, id);
            let end = self.playout(plan, &mut board, &forest, &mut rng, job.cap);
            let end = end.unwrap_or_else(|| {
                // Nobody can place anything, and no rule ends the game: what then happens is for
                // the general loop.
                let (state, counted) =
                    stuck.get_or_insert_with(|| (game.initial.clone(), Counted::default()));
                let plies = board.placed.len() as u32 + u32::from(board.swapped);
                self.replay(game, plan, &board, state, &forest, counted);
                plan.playout(game, state, &forest, counted, &mut rng, job.cap, plies)
            });
            tally.record(id, end);
        }
        tally
    }

    /// The state after the moves of a playout.
    fn replay<'p>(
        &self,
        game: &'p Game<W>,
        plan: &'p Plan<W>,
        board: &Board<W>,
        state: &mut State,
        forest: &Forest,
        counted: &mut Counted<'p, W>,
    ) {
        state.clone_from(&game.initial);
        for (number, (&site, &mover)) in board.placed.iter().zip(&self.movers).enumerate() {
            let turn = &self.turns[usize::from(mover) - 1];
            let action = on_site(turn.leaf, turn.piece, usize::from(site));
            plan.ply(game, state, forest, counted, plan.turn(0, mover), action);
            if number == 0 && board.swapped {
                game.play(state, Action::SWAP);
            }
        }
    }

    /// One playout; nothing where it comes to a position without moves that is not over.
    #[inline]
    fn playout(
        &self,
        plan: &Plan<W>,
        board: &mut Board<W>,
        forest: &Forest,
        rng: &mut Rng,
        cap: u32,
    ) -> Option<End> {
        board.sets.copy_from_slice(&self.sets);
        board.left = self.sites;
        board.placed.clear();
        board.swapped = false;
        board.runs.iter_mut().for_each(|runs| runs.fill(0));
        for (opened, turn) in board.opened.iter_mut().zip(&self.turns) {
            if let Places::Opened(start, _) = &turn.sites {
                *opened = *start;
            }
        }
        let mut plies = 0;
        loop {
            let mover = *self.movers.get(board.placed.len())?;
            let turn = &self.turns[usize::from(mover) - 1];
            let (total, sites) = match &turn.sites {
                Places::Empty => (board.left, board.sets[EMPTY]),
                Places::Opened(..) => {
                    let sites = board.opened[usize::from(mover) - 1] & board.sets[EMPTY];
                    (sites.len(), sites)
                }
                Places::Sets(sites) => {
                    let sites = sites.of_sets(&board.sets);
                    (sites.len(), sites)
                }
            };
            let swaps = self.swap && plies == 1;
            if total == 0 && !swaps {
                return None;
            }
            if plies == cap {
                return Some(End { plies, ending: Ending::Capped });
            }
            plies += 1;
            let drawn = rng.below(total + u32::from(swaps));
            if drawn == total {
                board.swapped = true;
                continue;
            }
            let site = sites.nth(drawn);
            board.placed.push(site as u16);
            board.left -= 1;
            board.sets[EMPTY].remove(site);
            board.sets[turn.piece_set].insert(site);
            board.sets[turn.owner_set].insert(site);
            for (opened, turn) in board.opened.iter_mut().zip(&self.turns) {
                if let Places::Opened(_, opens) = &turn.sites {
                    *opened |= opens[site];
                }
            }
            let mut made: Made = Made { runs: [0; MAX_TABLES], touched: 0 };
            for ((table, runs), lengths) in
                self.lines.iter().zip(&mut board.runs).zip(&mut made.runs)
            {
                let from = table.positions * turn.piece as usize;
                *lengths = table.add(&mut runs[from..from + table.positions], site);
            }
            if let Some(links) = &plan.links {
                let own = board.sets[turn.owner_set];
                made.touched = links.add(forest, site, usize::from(mover), &own);
            }
            for (condition, scores) in &turn.ends {
                if condition.holds(board, &made, plies) {
                    let scores = if board.swapped { of_other_seats(*scores) } else { *scores };
                    return Some(End { plies, ending: Ending::Over(scores) });
                }
            }
        }
    }
}

impl<const W: usize> FillCond<W> {
    #[inline(always)]
    fn holds(&self, board: &Board<W>, made: &Made, moves: u32) -> bool {
        match self {
            FillCond::Run(table, length) => made.runs[*table] >> length != 0,
            FillCond::Full => board.left == 0,
            FillCond::Linked(wanted) => {
                let touched = u32::from(made.touched).count_ones();
                touched > 0 && touched >= *wanted
            }
            _ => self.holds_rare(board, made, moves),
        }
    }

    fn holds_rare(&self, board: &Board<W>, made: &Made, moves: u32) -> bool {
        match self {
            FillCond::Const(value) => *value,
            FillCond::Moves(how, value) => crate::eval::compare(*how, moves as i32, *value),
            FillCond::IsEmpty(set) => set.of_sets(&board.sets).is_empty(),
            FillCond::Not(inner) => !inner.holds(board, made, moves),
            FillCond::All(list) => list.iter().all(|c| c.holds(board, made, moves)),
            FillCond::Any(list) => list.iter().any(|c| c.holds(board, made, moves)),
            // The common ones are tested where they are met.
            FillCond::Run(..) | FillCond::Full | FillCond::Linked(_) => false,
        }
    }
}

/// The form of a set of empty sites, if it is one that sets alone answer.
fn places<const W: usize>(expr: &SetExpr<W>, all: &Set<W>, sites: usize) -> Option<Places<W>> {
    if matches!(expr, SetExpr::Load(EMPTY)) {
        return Some(Places::Empty);
    }
    opened(expr, all, sites)
        .or_else(|| (expr.is_of_sets() && expr.is_free()).then(|| Places::Sets(expr.clone())))
}

/// Empty sites among fixed ones and the neighbours of all pieces.
fn opened<const W: usize>(expr: &SetExpr<W>, all: &Set<W>, sites: usize) -> Option<Places<W>> {
    let SetExpr::Intersection(parts) = expr else { return None };
    let (free, rest): (Vec<_>, Vec<_>) =
        parts.iter().partition(|part| matches!(part, SetExpr::Load(EMPTY)));
    let ([_], [rest]) = (&free[..], &rest[..]) else { return None };
    let parts = match rest {
        SetExpr::Union(parts) => &parts[..],
        one => std::slice::from_ref(*one),
    };
    let occupied = |set: &SetExpr<W>| match set {
        SetExpr::Difference(pair) => {
            matches!(&**pair, (SetExpr::Const(from), SetExpr::Load(EMPTY)) if all.is_subset(from))
        }
        SetExpr::Not(inner) => matches!(**inner, SetExpr::Load(EMPTY)),
        _ => false,
    };
    let (mut start, mut opens) = (Set::EMPTY, vec![Set::EMPTY; sites]);
    for part in parts {
        match part {
            SetExpr::Const(set) => start |= *set,
            SetExpr::Spread(spread, of) | SetExpr::Grown(spread, of) if occupied(of) => {
                for (site, opens) in opens.iter_mut().enumerate() {
                    *opens |= spread.of(&Set::single(site));
                }
            }
            _ => return None,
        }
    }
    Some(Places::Opened(start, opens.into()))
}

fn fill_condition<const W: usize>(
    game: &Game<W>,
    plan: &Plan<W>,
    condition: &Cond<W>,
    mover: usize,
    component: usize,
    lines: &mut Vec<LineTable>,
) -> Option<FillCond<W>> {
    let mut all = |list: &[Cond<W>]| {
        list.iter()
            .map(|c| fill_condition(game, plan, c, mover, component, lines))
            .collect::<Option<Box<[_]>>>()
    };
    Some(match condition {
        Cond::Const(value) => FillCond::Const(*value),
        Cond::All(list) => FillCond::All(all(list)?),
        Cond::Any(list) => FillCond::Any(all(list)?),
        Cond::Not(inner) => {
            FillCond::Not(Box::new(fill_condition(game, plan, inner, mover, component, lines)?))
        }
        Cond::Moves(how, value) => FillCond::Moves(*how, *value),
        Cond::IsEmpty(set) if matches!(**set, SetExpr::Load(EMPTY)) => FillCond::Full,
        Cond::IsEmpty(set) if set.is_of_sets() => FillCond::IsEmpty((**set).clone()),
        Cond::Line(line) if line.length <= 63 => {
            let known = lines.iter().position(|table| table.axes == line.axes);
            let table = match known {
                Some(table) => table,
                None => {
                    lines.push(LineTable::new(line.axes, game.axis(line.axes))?);
                    lines.len() - 1
                }
            };
            FillCond::Run(table, line.length as u32)
        }
        // The links are those of the owner of the piece.
        Cond::Linked if usize::from(game.layout.owner[component]) == mover => {
            FillCond::Linked(plan.links.as_ref()?.wanted(mover))
        }
        _ => return None,
    })
}

/// Who moves after how many moves: the players in turn, or again by a rule that asks for nothing but
/// the number of moves.
fn movers<const W: usize>(game: &Game<W>, turns: &[FillTurn<W>]) -> Option<Box<[u8]>> {
    let mut again = Vec::new();
    for turn in turns {
        let leaf = game.leaves.get(usize::from(turn.leaf))?.as_ref()?;
        let LeafKind::Add { state: None, count: Int::Const(1), apply: None, .. } = &leaf.kind
        else {
            return None;
        };
        let condition = match leaf.then[..] {
            [] => Bool::Const(false),
            [effect] => match game.effect(effect) {
                Moves::Leaf(leaf) if is_again(leaf) => Bool::Const(true),
                Moves::If(parts) => match &**parts {
                    (condition, Moves::Leaf(leaf), Moves::None)
                        if is_again(leaf) && asks_moves_only(condition) =>
                    {
                        condition.clone()
                    }
                    _ => return None,
                },
                _ => return None,
            },
            _ => return None,
        };
        again.push(condition);
    }
    let mut state = game.initial.clone();
    let mut mover = state.head.turns.mover;
    let mut movers = Vec::new();
    for made in 0..game.world.sites() {
        movers.push(mover);
        state.head.moves = made as u32 + 1;
        let stays = Eval::new(game, &state).test(again.get(usize::from(mover).wrapping_sub(1))?);
        if !stays {
            mover = game.following(&state, mover);
        }
    }
    Some(movers.into())
}

fn is_again(leaf: &crate::ir::Leaf) -> bool {
    leaf.kind == LeafKind::MoveAgain && leaf.then.is_empty()
}

/// Whether a condition depends on the number of moves made and on nothing else.
fn asks_moves_only(condition: &Bool) -> bool {
    fn number(int: &Int) -> bool {
        match int {
            Int::Const(_) | Int::Moves => true,
            Int::Arithmetic(_, pair) => number(&pair.0) && number(&pair.1),
            Int::Fold(_, list) => list.iter().all(number),
            _ => false,
        }
    }
    match condition {
        Bool::Const(_) => true,
        Bool::IsEven(int) => number(int),
        Bool::Compare(_, pair) => number(&pair.0) && number(&pair.1),
        Bool::Not(inner) => asks_moves_only(inner),
        Bool::And(list) | Bool::Or(list) => list.iter().all(asks_moves_only),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use play::Job;

    use super::*;
    use crate::checks::{WORDS, lowered};

    fn game(rules: &str) -> Game<WORDS> {
        let text = format!(
            "(game \"G\" (players 2)
                (equipment {{ (board (square 9)) (piece \"Stone\" Each) }})
                (rules {rules}))"
        );
        Game::new(lowered("G", &text))
    }

    /// Whether a game has the form, and if so plays as without it.
    fn fills(rules: &str) -> bool {
        let game = game(rules);
        let mut plan = Plan::new(&game, &[]);
        let job = Job { seed: 3, first: 0, count: 40, cap: 77 };
        let fast = plan.run(&game, &job);
        let found = plan.fill.take().is_some();
        let plain = plan.run(&game, &job);
        assert_eq!((fast.digest, fast.plies), (plain.digest, plain.plies), "{rules}");
        found
    }

    #[test]
    fn placements_with_lines_are_a_form() {
        let win = "(if (is Line 5) (result Mover Win))";
        let full = "(if (is Full) (result Mover Draw))";
        let place = "(play (move Add (to (sites Empty))))";
        assert!(fills(&format!("{place} (end {{ {win} {full} }})")));
        // Nobody ends the game on a full board: passes do, or the cap.
        assert!(fills(&format!("{place} (end {win})")));
        let twice = "(then (if (is Even (count Moves)) (moveAgain)))";
        assert!(fills(&format!(
            "(play (move Add (to (sites Empty)) {twice})) (end {{ {win} {full} }})"
        )));
        let either = "(if (or (is Line 4 Orthogonal) (is Line 5 Diagonal)) (result Mover Loss))";
        assert!(fills(&format!("{place} (end {{ {either} {full} }})")));
        let edge = "(play (move Add (to (intersection (sites Empty) (sites Outer)))))";
        assert!(fills(&format!("{edge} (end {win})")));
        let landing = "(play (move Add (to (intersection (sites Empty)
            (union (sites Bottom) (expand (sites Occupied by:All) steps:1 N))))))";
        assert!(fills(&format!("{landing} (end {{ {win} {full} }})")));
    }

    #[test]
    fn what_else_happens_is_not() {
        let end = "(end (if (is Line 3) (result Mover Win)))";
        let remove = "(then (if (is Line 2) (remove (last To))))";
        assert!(!fills(&format!("(play (move Add (to (sites Empty)) {remove})) {end}")));
        assert!(!fills(&format!("(play (move Add (to (sites Board)))) {end}")));
    }
}
