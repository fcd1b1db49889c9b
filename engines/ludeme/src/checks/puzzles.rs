//! Deduction puzzles played with sets of candidates beside the evaluator alone, which tests every
//! move that the rules offer: lists, names, states and playouts at every position of random walks.

use play::kit::{Effort, check};
use play::{Adapted, Language, Mechanics, NoChance, Rules};

use super::files::{catalogue, descriptions, shared};
use super::positions::{compiled, walk_beside};

/// Number of plies of walks through a puzzle; `None` if a description is no puzzle, is not played,
/// or is not played with sets.
fn walk(rules: &Rules, plies: usize, seeds: std::ops::Range<u64>) -> Option<usize> {
    let name = rules.source.name();
    let code = compiled(rules).filter(|code| code.game().puzzle.is_some())?;
    code.initial(&mut NoChance).domains?;
    assert!(code.facts().listed, "{name}");
    let alone = code.evaluator_alone();
    let walks = seeds.map(|seed| {
        let walked = walk_beside(&code, &alone, plies, seed);
        walked.unwrap_or_else(|e| panic!("{name}, seed {seed}: {e}")).positions
    });
    Some(walks.sum())
}

const LATIN: &str = "(square 3) (values Cell (range 1 3))";
const LINE: &str = "(rectangle 1 4) (values Cell (range 0 3))";
const ZEROS: &str = "(square 4) (values Cell (range 0 1))";
const RUNS: &str = "(rectangle 2 5) (values Cell (range 0 2))";
const LINES: &str = "(regions {Columns Rows})";
const HINTS: &str = "(hints {(hint {0 1 2 3 4} 2) (hint {5 6 7 8 9} 3)})";

/// In the line of a hint all values 1 are in one run of the length that it says.
const ONE_RUN: &str = "(forAll Hint (is In 1 (results from:(sites Hint) to:(from)
    (toInt (is Count
        (difference (sites Hint)
            (sites Direction from:(from) E included:True distance:(- (hint) 1)))
        0)))))";

const SOLVED: &str = "(if (is Solved) (result P1 Win))";
const SHARE: &str = "(if (no Moves Next) (payoffs {(payoff P1 (* 25.0 (toFloat (count Moves))))}))";
const BOTH: &str = "(if (no Moves Next) (result P1 Loss)) (if (is Solved) (result P1 Win))";

/// Board with values, other equipment, rules before the play, constraints, end rules.
const PUZZLES: [[&str; 5]; 17] = [
    [LATIN, LINES, "", "(all Different) (< 0 1) (<= 4 5)", SHARE],
    [LATIN, LINES, "", "(all Different)", BOTH],
    [LATIN, LINES, "(start (set {{4 2}}))", "(all Different)", SOLVED],
    // Constraints broken from the start.
    [LATIN, LINES, "(start (set {{0 1} {1 1}}))", "(all Different)", SHARE],
    [LATIN, LINES, "(start (set {{0 1} {1 1}}))", "(all Different)", SOLVED],
    // Passes do not end the game.
    [LATIN, LINES, "(meta (passEnd NoEnd))", "(all Different)", SOLVED],
    [LINE, "", "", "(is Sum (sites Board) 4)", SOLVED],
    [LINE, "", "", "(is Sum (sites Board) 4)", BOTH],
    [
        LINE,
        "",
        "",
        "(is Count (sites Board) of:2 1) (all Different (sites {1 2}) except:0)",
        SOLVED,
    ],
    [LINE, "", "", "(is Count (sites {0 1 2}) of:0 2)", SHARE],
    [
        "(square 4) (values Cell (range 1 1))",
        "(regions {AllDirections})",
        "",
        "(all Different)",
        SHARE,
    ],
    [RUNS, HINTS, "(start (set {{2 1}}))", ONE_RUN, SHARE],
    [RUNS, HINTS, "", ONE_RUN, SHARE],
    // Constraints without a form.
    [RUNS, HINTS, "", ONE_RUN, SOLVED],
    [ZEROS, LINES, "", "(not (is Line 3 Orthogonal)) (is Sum 2)", SOLVED],
    [ZEROS, LINES, "", "(not (is Line 3 Orthogonal)) (is Unique)", SHARE],
    ["(square 8) (values Cell (range 1 8))", LINES, "", "(all Different)", SHARE],
];

fn puzzle([board, equipment, before, constraints, end]: [&str; 5]) -> Rules {
    let text = format!(
        "(game \"P\" (players 1) (equipment {{(board {board}) {equipment}}})
            (rules {before} (play (satisfy {{{constraints}}})) (end {{{end}}})))"
    );
    Rules::new(Language::Lud, format!("{constraints} {end}"), text)
}

#[test]
fn small_puzzles_are_played_as_by_the_evaluator_alone() {
    for parts in PUZZLES {
        let walked = walk(&puzzle(parts), 60, 0..4);
        assert!(walked.is_some_and(|plies| plies >= 4), "{parts:?}: {walked:?}");
    }
}

#[test]
fn small_puzzles_keep_what_games_promise() {
    // Values drawn by lot at the start are no part of the sets.
    let drawn = [LATIN, LINES, "(start (place Random {\"1\"}))", "(all Different)", SHARE];
    for parts in PUZZLES.into_iter().chain([drawn]) {
        let game = Adapted::new(compiled(&puzzle(parts)).expect("it is played"));
        let effort = Effort { seed: 3, walks: 1, playouts: 20, cap: 100 };
        let report = check(&game, &effort);
        assert!(report.faults.is_empty(), "{parts:?}: {:?}", report.faults);
    }
}

#[test]
fn puzzles_of_the_catalogue_are_played_as_by_the_evaluator_alone() {
    let walks: Vec<usize> = catalogue().iter().filter_map(|rules| walk(rules, 60, 1..2)).collect();
    assert!(walks.len() >= 8 && walks.iter().sum::<usize>() > 150, "{walks:?}");
}

#[test]
fn public_puzzles_are_played_as_by_the_evaluator_alone() {
    let Some(folder) = shared("corpus/lud/puzzle/deduction") else { return };
    let files = descriptions(&folder);
    assert!(files.iter().filter_map(|rules| walk(rules, 40, 2..3)).count() > 8);
}
