//! Deduction puzzles: their constraints, how they are played, and their solutions.

use ludeme::{Solutions, solve};
use play::kit::{Effort, check};
use play::{
    Chance, CompileError, Job, Language, Method, NoChance, PlayoutMode, Position, Promise, Rules,
    Via,
};

use super::common::compiled;

/// A puzzle on a board with values and other equipment, with what is given, constraints and end
/// rules.
fn puzzle(board: &str, equipment: &str, start: &str, constraints: &str, end: &str) -> String {
    format!(
        "(game \"P\" (players 1) (equipment {{(board {board}) {equipment}}})
            (rules {start} (play (satisfy {{{constraints}}})) (end {end})))"
    )
}

/// Solved or not is all that counts.
const SOLVED: &str = "(if (is Solved) (result P1 Win))";

/// The values given count, in percent of four.
const SHARE: &str = "(if (no Moves Next) (payoffs {(payoff P1 (* 25.0 (toFloat (count Moves))))}))";

fn open(text: &str) -> Box<dyn Position> {
    let mut chance = NoChance;
    let chance: &mut dyn Chance = &mut chance;
    compiled("puzzle.lud", text).open(chance)
}

/// The legal moves after some, sorted.
fn legal(text: &str, moves: &[&str]) -> String {
    let mut position = open(text);
    for label in moves {
        let labels = position.labels();
        let at = labels.iter().position(|l| l == label);
        let at = at.unwrap_or_else(|| panic!("no {label} among {labels:?}"));
        position.play(at, &mut NoChance).expect("legal");
    }
    let mut labels = position.labels();
    labels.sort_unstable();
    labels.join(" ")
}

fn solutions(text: &str) -> Solutions {
    let rules = Rules::new(Language::Lud, "puzzle.lud", text);
    solve(&rules, 100_000, 1_000_000).unwrap_or_else(|e| panic!("{}", e.one_line(&rules.source)))
}

/// In the line of a hint all values 1 are in one run of the length that it says.
const ONE_RUN: &str = "(forAll Hint (is In 1 (results from:(sites Hint) to:(from)
    (toInt (is Count
        (difference (sites Hint)
            (sites Direction from:(from) E included:True distance:(- (hint) 1)))
        0)))))";

/// The search is left nothing to try where lines follow from what they can be.
#[test]
fn a_nonogram_follows_from_the_patterns_of_its_lines() {
    for id in ["nonogram-5x5", "nonogram-10x10"] {
        let path = format!("{}/../games/catalogue/{id}/rules.lud", env!("CARGO_MANIFEST_DIR"));
        let found = solutions(&std::fs::read_to_string(path).expect(id));
        assert!(found.complete);
        assert_eq!((found.found, found.tried), (1, 0), "{id}");
    }
}

const SQUARE: &str = "(square 2) (values Cell (range 1 2))";
const LINES: &str = "(regions {Columns Rows})";

#[test]
fn a_value_comes_once_in_each_area() {
    let latin = puzzle(SQUARE, LINES, "", "(all Different)", SOLVED);
    assert_eq!(legal(&latin, &[]), "a11 a12 a21 a22 b11 b12 b21 b22");
    assert_eq!(legal(&latin, &["a11"]), "a22 b12 b21 b22");
    let given = puzzle(SQUARE, LINES, "(start (set {{0 1}}))", "(all Different)", SOLVED);
    assert_eq!(legal(&given, &[]), "a22 b12 b21 b22");
    assert_eq!(solutions(&latin).found, 2);
    assert_eq!(solutions(&given).found, 1);
}

#[test]
fn a_region_of_its_own_and_exceptions_are_heeded() {
    let zeros = "(square 2) (values Cell (range 0 1))";
    let row = puzzle(zeros, LINES, "", "(all Different (sites {0 1}) except:0)", SHARE);
    // Only the variables of the region take part.
    assert_eq!(legal(&row, &["a11"]), "b10");
    // A value of 0 that is not excepted is as bad as one that comes twice.
    let strict = puzzle(zeros, LINES, "", "(all Different (sites {0 1}))", SHARE);
    assert_eq!(legal(&strict, &[]), "a11 b11");
    let ones = puzzle(zeros, LINES, "", "(all Different (sites {0 1}) excepts:{0 1})", SHARE);
    assert_eq!(legal(&ones, &["a11"]), "b10 b11");
    assert_eq!(
        (solutions(&row).found, solutions(&strict).found, solutions(&ones).found),
        (3, 0, 4)
    );
}

#[test]
fn sums_are_not_exceeded_and_met_in_the_end() {
    let row = "(rectangle 1 3) (values Cell (range 1 4))";
    let sum = puzzle(row, "", "", "(is Sum (sites Board) 6)", SOLVED);
    assert_eq!(legal(&sum, &["a14"]), "b11 b12 c11 c12");
    assert_eq!(legal(&sum, &["a14", "b11"]), "c11");
    // What is left out counts as 0: this is solved.
    assert_eq!(legal(&sum, &["a14", "b12"]), "");
    // In three numbers of 1 to 4, some of which may be left out.
    assert_eq!(solutions(&sum).found, 10 + 3 * 3);
    let hints = "(hints {(hint {0 1} 3) (hint {1 2} 5)}) (regions HintRegions)";
    let kakuro = puzzle(row, hints, "", "(is Sum (hint)) (all Different)", SOLVED);
    assert_eq!(legal(&kakuro, &["a12"]), "b11 c11 c12 c13 c14");
    assert_eq!(solutions(&kakuro).found, 2);
}

#[test]
fn counts_are_not_exceeded_and_met_in_the_end() {
    let row = "(rectangle 1 3) (values Cell (range 0 1))";
    let count = puzzle(row, "", "", "(is Count (sites Board) of:1 2)", SOLVED);
    assert_eq!(legal(&count, &["a11", "b10"]), "c11");
    assert_eq!(legal(&count, &["a10", "b10"]), "pass");
    assert_eq!(solutions(&count).found, 3);
    let around = puzzle(
        row,
        "(hints {(hint 0 2) (hint 2 1)})",
        "",
        "(forAll Hint (is Count (sites Around (from) includeSelf:True) of:1 (hint)))",
        SOLVED,
    );
    assert_eq!(legal(&around, &["a11"]), "b11 c10 c11");
    assert_eq!(solutions(&around).found, 1);
}

#[test]
fn a_range_without_values_leaves_nothing_to_set() {
    let one_run = "(forAll Hint (is In 1 (results from:(sites Hint) to:(from) (toInt (is Count
        (difference (sites Hint)
            (sites Direction from:(from) E included:True distance:(- (hint) 1))) 0)))))";
    let hints = "(hints {(hint {0 1 2} 2) (hint {3 4 5} 3)})";
    let board = "(rectangle 2 3) (values Cell (range 1 0))";
    let none = puzzle(board, hints, "", one_run, SHARE);
    assert!(["", "pass"].contains(&&*legal(&none, &[])));
}

#[test]
fn values_of_sites_are_compared() {
    let text = puzzle(
        "(rectangle 1 3) (values Cell (range 1 3))",
        "(regions Rows)",
        "",
        "(all Different) (< (coord \"A1\") (coord \"B1\")) (>= (coord \"C1\") (coord \"B1\"))",
        SOLVED,
    );
    assert_eq!(legal(&text, &["b12"]), "a11 c13");
    assert_eq!(solutions(&text).found, 1);
}

#[test]
fn sub_grids_and_all_directions_are_families_of_regions() {
    let board = "(square 4) (values Cell (range 1 4))";
    let text = puzzle(board, "(regions SubGrids)", "", "(all Different)", SOLVED);
    assert!(!legal(&text, &["a11"]).contains("b21"));
    assert!(legal(&text, &["a11"]).contains("c11"));
    let queens = puzzle(
        "(square 4) (values Cell (range 1 1))",
        "(regions AllDirections)",
        "",
        "(all Different except:0) (is Count (sites Board) 4)",
        SOLVED,
    );
    assert_eq!(legal(&queens, &["a1"]), "b3 b4 c2 c4 d2 d3");
    assert_eq!(solutions(&queens).found, 2);
}

#[test]
fn other_conditions_are_constraints_too() {
    let text = puzzle(
        "(square 4) (values Cell (range 0 1))",
        LINES,
        "(start (set {{0 1} {1 1}}))",
        "(not (is Line 3 Orthogonal)) (is Unique) (is Sum (/ (count Rows) 2))",
        SOLVED,
    );
    assert!(!legal(&text, &[]).contains("c11"));
    let found = solutions(&text);
    assert_eq!((found.complete, found.tested), (true, 2));
    // Counted by trying all boards of four by four.
    assert_eq!(found.found, 12);
}

#[test]
fn what_plays_fast_plays_what_the_reference_plays() {
    let line = "(rectangle 1 4) (values Cell (range 0 3))";
    for (board, equipment, start, constraints, end) in [
        (
            "(square 4) (values Cell (range 1 4))",
            "(regions {Columns Rows SubGrids})",
            "(start (set {{5 2}}))",
            "(all Different)",
            SOLVED,
        ),
        (
            "(square 3) (values Cell (range 1 3))",
            LINES,
            "",
            "(all Different) (< 0 1) (<= 4 5)",
            SHARE,
        ),
        (line, "", "", "(is Sum (sites Board) 4)", SOLVED),
        (
            line,
            "",
            "",
            "(is Count (sites Board) of:2 1) (all Different (sites {1 2}) except:0)",
            SOLVED,
        ),
        (
            "(square 4) (values Cell (range 0 1))",
            LINES,
            "",
            "(not (is Line 3 Orthogonal)) (is Sum 2)",
            SOLVED,
        ),
        (
            "(square 4) (values Cell (range 1 1))",
            "(regions {AllDirections})",
            "",
            "(all Different)",
            SHARE,
        ),
        // More candidates than are compiled as arrays.
        ("(square 10) (values Cell (range 1 10))", LINES, "", "(all Different)", SHARE),
        (
            "(square 4) (values Cell (range 1 9))",
            "(hints {(hint {0 1 2} 12) (hint {2 6 10} 20)}) (regions HintRegions)",
            "(start (set {{1 3}}))",
            "(all Different) (is Sum (hint))",
            SHARE,
        ),
        (
            "(rectangle 2 5) (values Cell (range 0 2))",
            "(hints {(hint {0 1 2 3 4} 2) (hint {5 6 7 8 9} 3)})",
            "(start (set {{2 1}}))",
            ONE_RUN,
            SHARE,
        ),
    ] {
        let text = puzzle(board, equipment, start, constraints, end);
        let game = compiled("puzzle.lud", &text);
        // The reference asks of each of a thousand moves whether it keeps twenty constraints.
        let (playouts, count) = if board.contains("10") { (10, 30) } else { (200, 300) };
        let report = check(&*game, &Effort { seed: 3, walks: 4, playouts, cap: 100 });
        assert!(report.faults.is_empty(), "{constraints}: {:?}", report.faults);
        let job = Job { seed: 5, first: 0, count, cap: 3 };
        if !constraints.contains("Line") {
            assert_eq!(game.run(&job, Via::Fast), game.run(&job, Via::Reference), "{constraints}");
        }
    }
}

#[test]
fn constraints_on_the_runs_of_a_line_are_looked_up() {
    let line = "(rectangle 1 4) (values Cell (range 1 1))";
    let hint = "(hints {(hint {0 1 2 3} 2)})";
    let text = puzzle(line, hint, "", ONE_RUN, SHARE);
    assert_eq!(legal(&text, &["a1"]), "b1");
    assert_eq!(legal(&text, &["b1"]), "a1 c1");
    // Too many positions for a table of all.
    let lines = "(rectangle 2 9) (values Cell (range 1 1))";
    let hints = "(hints {(hint {0 1 2 3 4 5 6 7 8} 4) (hint {9 10 11 12 13 14 15 16 17} 6)})";
    let mode = |end| compiled("puzzle.lud", &puzzle(lines, hints, "", ONE_RUN, end)).facts().fast;
    assert_eq!(
        mode(SHARE),
        PlayoutMode { method: Method::Counted, promise: Promise::SamePlayouts }
    );
    // Whether the puzzle is solved does not follow from what may still be given.
    assert_eq!(mode(SOLVED).method, Method::Sampled);
}

#[test]
fn a_puzzle_that_is_stuck_is_lost() {
    let row = "(rectangle 1 3) (values Cell (range 0 1))";
    let text = puzzle(row, "", "", "(is Count (sites Board) of:1 2)", SOLVED);
    let mut position = open(&text);
    for label in ["a10", "b10", "pass"] {
        let at = position.labels().iter().position(|l| l == label).expect(label);
        position.play(at, &mut NoChance).expect("legal");
    }
    assert_eq!(position.scores().map(|scores| scores.get(play::Player(0))), Some(0));
    // That is what random playouts get as well: a third of them ends so.
    let job = Job { seed: 1, first: 0, count: 3000, cap: 10 };
    let tally = compiled("puzzle.lud", &text).run(&job, Via::Fast);
    assert!(tally.capped == 0 && tally.plies > 6000, "{tally:?}");
}

#[test]
fn only_puzzles_have_solutions() {
    let text = "(game \"G\" (players 1) (equipment {(board (square 3)) (piece \"A\" P1)})
        (rules (play (move Add (to (sites Empty)))) (end (if (is Full) (result P1 Win)))))";
    let rules = Rules::new(Language::Lud, "g.lud", text);
    assert!(matches!(solve(&rules, 1, 1), Err(CompileError::Unsupported(_))));
}

#[test]
fn searches_stop_at_their_bounds() {
    let text = puzzle("(square 4) (values Cell (range 1 4))", LINES, "", "(all Different)", SOLVED);
    let rules = Rules::new(Language::Lud, "latin.lud", text);
    let some = solve(&rules, 10, 1_000_000).expect("a puzzle");
    assert_eq!((some.found, some.complete), (10, false));
    let none = solve(&rules, 10, 0).expect("a puzzle");
    assert_eq!((none.found, none.complete), (0, false));
    // The Latin squares of order 4.
    let all = solve(&rules, 1000, 1_000_000).expect("a puzzle");
    assert_eq!((all.found, all.complete), (576, true));
}

#[test]
fn wrong_puzzles_are_explained() {
    let problem = |start: &str, board: &str| {
        let rules = Rules::new(
            Language::Lud,
            "p.lud",
            puzzle(board, LINES, start, "(all Different)", SOLVED),
        );
        let problem = solve(&rules, 1, 1).expect_err("wrong");
        problem.one_line(&rules.source)
    };
    assert!(problem("(start (set {{0 7}}))", SQUARE).contains("7 is no value"));
    assert!(problem("(start (set {{9 1}}))", SQUARE).contains("no site 9"));
    assert!(problem("(start (set {{0}}))", SQUARE).contains("a site and its value"));
    let large = "(square 2) (values Cell (range 1 100000))";
    assert!(problem("", large).contains("at most 255"));
}

/// Nobody gives values in a game for no player, whatever they could be.
#[test]
fn a_puzzle_for_no_player_lists_no_values() {
    let text = puzzle("(square 3) (values Cell (range 1 1))", "", "", "(all Different)", SHARE);
    let position = open(&text.replace("(players 1)", "(players 0)"));
    assert!(
        position.labels().iter().all(|label| !label.starts_with("a1")),
        "{:?}",
        position.labels()
    );
}
