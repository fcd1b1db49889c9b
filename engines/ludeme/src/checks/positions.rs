//! Positions listed and moved on by code beside the evaluator: the same actions in the same order
//! under the same names, the same draws of chance, and the same states, at every position of random
//! walks.

use rustc_hash::FxHashMap;

use play::{Language, Mechanics, NoChance, Promise, Rng, Rules, Turn};

use super::files::{catalogue, descriptions, shared};
use super::numbers::games;
use super::programs_that_learn::check_numbers;
use crate::front;
use crate::ir::HistoryDependence;
use crate::lower::lower;
use crate::mechanics::Ludemes;
use crate::state::State;

/// Number of moves of each position that are made on copies, beside the one that the walk takes.
const TRIED: usize = 4;

/// Number of plies from one comparison of a playout from the position to the next; then all moves
/// so far are made at once as well.
const PLAYED_FROM: usize = 20;

/// Numbers of requests to code in a walk, and of its answers.
#[derive(Default, Debug)]
pub(super) struct Counts {
    pub(super) positions: usize,
    listed: usize,
    moves: usize,
    made: usize,
}

/// The part in which two states differ, if they do.
fn difference(one: &State, other: &State, past: HistoryDependence) -> Option<&'static str> {
    let mut heads = [one.head, other.head];
    if one.head.over {
        // Players without moves are not read then.
        heads.iter_mut().for_each(|head| head.stalemated = 0);
    }
    let tells = [
        (heads[0] == heads[1], "turns"),
        (one.same(other), "numbers or lists"),
        (one.words() == other.words(), "sets"),
        (one.history == other.history, "history"),
        (one.positions() == other.positions(), "earlier positions"),
        (one.head.over || one.key(past) == other.key(past), "keys"),
    ];
    tells.into_iter().find(|(same, _)| !same).map(|(_, what)| what)
}

/// A game; `None` if it is not played, or too large for these tests.
pub(super) fn compiled(rules: &Rules) -> Option<Ludemes> {
    let lowering = lower(&front::parse(rules).ok()?.root).ok()?;
    (lowering.world.sites() <= 64 * kernel::MAX_NATIVE_WORDS).then(|| Ludemes::new(lowering))
}

/// Walks through a game beside its reference. The error is a difference; otherwise the numbers of
/// comparisons, if the game is played.
fn walk(rules: &Rules, plies: usize, seed: u64) -> Result<Option<Counts>, String> {
    compiled(rules).map(|code| walk_beside(&code, &code.reference(), plies, seed)).transpose()
}

/// Walks through a game that is played in two ways.
pub(super) fn walk_beside(
    code: &Ludemes,
    plain: &Ludemes,
    plies: usize,
    seed: u64,
) -> Result<Counts, String> {
    let past = code.game().past;
    let (mut rng, mut counts) = (Rng::stream(seed, 1), Counts::default());
    let mut draws = [Rng::stream(seed, 2), Rng::stream(seed, 2)];
    let [mut wanted, mut state] = [plain.initial(&mut draws[0]), code.initial(&mut draws[1])];
    let (start, mut path) = (state.clone(), Vec::new());
    let (mut legal, mut own, mut names) = (Vec::new(), Vec::new(), FxHashMap::default());
    for ply in 0..plies {
        legal.clear();
        own.clear();
        let turns = [plain.expand(&mut wanted, &mut legal), code.expand(&mut state, &mut own)];
        if turns[0] != turns[1] || legal != own {
            return Err(format!("{turns:?} at ply {ply}:\n{legal:?}\n{own:?}"));
        }
        if code.labels(&state, &own) != plain.labels(&wanted, &legal) {
            return Err(format!("other names at ply {ply}"));
        }
        if let Some(what) = difference(&wanted, &state, past) {
            return Err(format!("{what} differ at ply {ply} once it is listed"));
        }
        if !code.facts().chance && (turns[0] == Turn::Over || ply % PLAYED_FROM == 0) {
            let mut after = start.clone();
            code.apply_all(&mut after, &path);
            code.expand(&mut after, &mut Vec::new());
            if let Some(what) = difference(&wanted, &after, past) {
                return Err(format!("{what} differ after the {ply} plies at once"));
            }
        }
        check_numbers(code, &state, &own, &mut names)
            .map_err(|what| format!("{what} at ply {ply}"))?;
        if turns[0] == Turn::Over {
            let scores = [plain.scores(&wanted), code.scores(&state)];
            let same = scores[0] == scores[1];
            return if same { Ok(counts) } else { Err(format!("{scores:?}")) };
        }
        let same_playouts = code.facts().fast.promise == Promise::SamePlayouts;
        if same_playouts && ply % PLAYED_FROM == 0 {
            let played = code.playout(&mut state.clone(), &mut own.clone(), &mut rng.clone(), 100);
            let (mut from, mut rng) = (wanted.clone(), rng.clone());
            if play::reference::playout_from(plain, &mut from, &mut rng, 100, &mut own) != played {
                return Err(format!("another playout from ply {ply}"));
            }
        }
        let asked = code.positions().filter(|_| !code.game().facts.chance);
        counts.positions += 1;
        counts.listed += usize::from(asked.is_some_and(|positions| {
            positions.list(&mut state.clone(), &mut Vec::new()).is_some()
        }));
        let chosen = rng.below(legal.len() as u32) as usize;
        let tried = (0..TRIED).map(|_| rng.below(legal.len() as u32) as usize).chain([chosen]);
        for index in tried {
            let [mut after, mut own_after] = [wanted.clone(), state.clone()];
            let mut own_draws = draws.clone();
            plain.apply(&mut after, legal[index], &mut own_draws[0]);
            code.apply(&mut own_after, legal[index], &mut own_draws[1]);
            if let Some(what) = difference(&after, &own_after, past) {
                let label = plain.labels(&wanted, &legal).swap_remove(index);
                let heads = (&after.head, &own_after.head);
                return Err(format!("{what} differ after {label} at ply {ply}:\n{heads:#?}"));
            }
            if own_draws[0] != own_draws[1] {
                return Err(format!("other draws at ply {ply}"));
            }
            counts.moves += 1;
            counts.made +=
                usize::from(asked.is_some_and(|positions| {
                    positions.make(&mut state.clone(), &[legal[index]]) > 0
                }));
        }
        plain.apply(&mut wanted, legal[chosen], &mut draws[0]);
        code.apply(&mut state, legal[chosen], &mut draws[1]);
        path.push(legal[chosen]);
    }
    Ok(counts)
}

#[test]
fn small_games_are_listed_and_moved_on_by_code() {
    for (name, text) in games() {
        let rules = Rules::new(Language::Lud, name, text);
        for seed in 0..3 {
            let walked = walk(&rules, 40, seed).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert!(walked.is_some(), "{name}");
        }
    }
}

#[test]
fn the_catalogue_is_listed_and_moved_on_by_code() {
    let mut by_code = 0;
    for rules in catalogue() {
        let name = rules.source.name();
        let walked = walk(&rules, 60, 1).unwrap_or_else(|e| panic!("{name}: {e}"));
        let Some(counts) = walked else { continue };
        println!("{name}: {counts:?}");
        by_code += usize::from(counts.listed * 2 > counts.positions);
    }
    assert!(by_code >= 25, "code lists the positions of {by_code} games");
}

/// Number of the public files that are walked through by default.
const SAMPLE: usize = 12;

/// `cargo test --release -p ludeme --lib -- --ignored listed_and_moved_on` walks through all files.
fn public_files(every: usize) {
    let Some(folder) = shared("corpus/lud") else { return };
    let mut differ = Vec::new();
    let (mut walked, mut all) = (0, Counts::default());
    for rules in descriptions(&folder).iter().step_by(every) {
        let name = rules.source.name();
        match walk(rules, 40, 5) {
            Ok(Some(counts)) => {
                walked += 1;
                all.positions += counts.positions;
                all.listed += counts.listed;
                all.moves += counts.moves;
                all.made += counts.made;
            }
            Ok(None) => {}
            Err(difference) => differ.push(format!("{name}: {difference}")),
        }
    }
    println!("{walked} games: {all:?}");
    assert!(differ.is_empty(), "{} differ:\n{}", differ.len(), differ.join("\n"));
}

#[test]
fn a_sample_of_public_files_is_listed_and_moved_on_by_code() {
    let Some(folder) = shared("corpus/lud") else { return };
    public_files(descriptions(&folder).len().div_ceil(SAMPLE));
}

#[test]
#[ignore = "some minutes"]
fn all_public_files_are_listed_and_moved_on_by_code() {
    public_files(1);
}

/// Number of requests for memory in a walk that lists every position, the second time that it is
/// taken.
fn allocations(rules: &Rules) -> u64 {
    let parsed = front::parse(rules).expect("a game of the catalogue");
    let code = Ludemes::new(lower(&parsed.root).expect("a game of the catalogue"));
    let mut state = code.initial(&mut NoChance);
    let mut legal = Vec::new();
    let mut walk = || {
        let mut rng = Rng::stream(9, 1);
        code.restart(&mut state, &mut NoChance);
        for _ in 0..60 {
            legal.clear();
            if code.expand(&mut state, &mut legal) == Turn::Over {
                break;
            }
            let action = legal[rng.below(legal.len() as u32) as usize];
            code.apply(&mut state, action, &mut NoChance);
        }
    };
    (0..2).for_each(|_| walk());
    allocation_counter::measure(walk).count_total
}

#[test]
fn a_walk_asks_for_no_memory() {
    for rules in catalogue() {
        let name = rules.source.name();
        let compact =
            ["amazons-10x10", "breakthrough-8x8", "chess", "connect-4-6x7", "reversi-8x8"];
        let puzzles = ["queens-8", "sudoku-9x9"];
        if compact.iter().chain(&puzzles).any(|compact| name.starts_with(compact)) {
            assert_eq!(allocations(&rules), 0, "{name}");
        }
    }
}
