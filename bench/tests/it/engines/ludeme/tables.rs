//! Small games, which are played on a table of all their positions: what it gives is what plans and
//! the reference give.

use play::{BuildFact, Game, Job, Method, Via};

use super::common::compiled;

const JOB: Job = Job { seed: 7, first: 5, count: 100, cap: 2000 };

const STEP: &str = "(move Step (to if:(is Empty (to))))";

/// A game with this equipment and more, and these rules.
fn game(equipment: &str, more: &str, rules: &str) -> Box<dyn Game> {
    let text =
        format!("(game \"G\" (players 2) (equipment {{ {equipment} {more} }}) (rules {rules}))");
    compiled("G", &text)
}

/// The number of positions of a game that has a table, after a check that it plays what others
/// play.
fn positions(equipment: &str, rules: &str, job: &Job) -> u64 {
    let tabled = game(equipment, "", rules);
    assert_eq!(tabled.facts().fast.method, Method::Tabled, "{rules}");
    let tally = tabled.run(job, Via::Fast);
    assert_eq!(tally, tabled.run(job, Via::Reference), "{rules}");
    // With hands that nobody uses there are too many positions for a table.
    let planned = game(equipment, "(hand Each size:150)", rules);
    assert_ne!(planned.facts().fast.method, Method::Tabled, "{rules}");
    assert_eq!(tally, planned.run(job, Via::Fast), "{rules}");
    tabled.facts().built(BuildFact::TabledPositions).expect("there is a table")
}

#[test]
fn pieces_that_only_move_make_a_small_table() {
    let board = format!("(board (square 3)) (piece \"A\" Each {STEP})");
    let start = "(start { (place \"A1\" (sites Bottom)) (place \"A2\" (sites Top)) })";
    let end = "(end (if (and (is Line 3) (not (all Sites (sites Occupied by:Mover) \
               if:(is In (site) (sites Bottom))))) (result Mover Win)))";
    let all = positions(&board, &format!("{start} (play (forEach Piece)) {end}"), &JOB);
    // Three pieces each on nine sites, and whose turn it is.
    assert!(all <= 3360, "{all}");
    let placing = "(play (if (< (count Moves) 6) (move Add (to (sites Empty))) (forEach Piece)))";
    let end = "(end (if (is Line 3) (result Mover Win)))";
    let all = positions(&board, &format!("{placing} {end}"), &JOB);
    assert!(all <= 8000, "{all}");
}

#[test]
fn passes_and_limits_are_those_of_the_plain_loop() {
    let board = format!("(board (rectangle 1 5)) (piece \"A\" Each {STEP})");
    // The first player is shut in until the other one moves away.
    let start = "(start { (place \"A1\" 0) (place \"A2\" 1) })";
    let right = "(end (if (is In (last To) (sites Right)) (result Mover Win)))";
    positions(&board, &format!("{start} (play (forEach Piece)) {right}"), &JOB);
    // Nobody ever wins: the limit of turns ends it.
    let never = "(end (if (no Pieces P1) (result P2 Win)))";
    let job = Job { count: 2, cap: 10_000, ..JOB };
    positions(&board, &format!("{start} (play (forEach Piece)) {never}"), &job);
    // Both are shut in.
    let full = "(start { (place \"A1\" {0 1 2}) (place \"A2\" {3 4}) })";
    positions(&board, &format!("{full} (play (forEach Piece)) {never}"), &job);
}
