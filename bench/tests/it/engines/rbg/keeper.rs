//! Tests of the keeper between moves.

use play::{Job, Language, Limits, Rules, Tally, Via};

use crate::engines::rbg::common::compiled;

/// Rules on a row of three cells.
fn on_a_row(rules: &str) -> Rules {
    let text = format!(
        "#players = first(100)
        #pieces = e, x, y
        #variables =
        #board = rectangle(up,down,left,right, [e,e,x])
        #any = (left* + right*)
        #rules = {rules}"
    );
    Rules::new(Language::Rbg, "keeper.rbg", text)
}

/// Leaf counts of rules on a row of three cells.
fn counts(rules: &str, depth: u32) -> Vec<u64> {
    rbg::perft(&on_a_row(rules).source, &Limits::default(), depth).unwrap()
}

/// A hundred playouts of rules on a row of three cells, which are the same both ways.
fn playouts(rules: &str) -> Tally {
    let game = compiled(&on_a_row(rules));
    let job = Job { seed: 5, first: 0, count: 100, cap: 50 };
    let tally = game.run(&job, Via::Fast);
    assert_eq!(tally, game.run(&job, Via::Reference), "{rules}");
    tally
}

#[test]
fn all_cells_of_a_walk_are_tried() {
    // The walk leads to two cells, of which the first can do nothing.
    let rules = "->first any {x} ->> any {e} (
        {? right {x}} [y] ->first any {y} {? left {e}} ->> {}
        + {! right} [y] ->first any {e} ->> {})";
    assert_eq!(counts(rules, 2), [1, 1]);
}

#[test]
fn a_pass_is_for_those_who_cannot_move() {
    let rules = "(->first (any {e} ->> [y] + {! any {e}} ->>))*";
    assert_eq!(counts(rules, 4), [2, 2, 2, 2]);
}

#[test]
fn a_lone_move_after_which_the_keeper_cannot_go_on_is_a_ply() {
    // The keeper takes its piece back, so that nothing has changed; but nobody was handed the turn.
    for end in ["{}", "[x] {}", "{! any} ->>"] {
        let rules =
            format!("(->first any {{e}} ->> [y] ({{? any {{e}}}} + {{! any {{e}}}} {end}))*");
        let tally = playouts(&rules);
        assert_eq!((tally.plies, tally.stuck, tally.capped), (200, 0, 0), "{end}");
    }
    let tally = playouts("->first any {x} ->> {}");
    assert_eq!((tally.plies, tally.stuck), (100, 0));
}

#[test]
fn a_keeper_who_never_stops_leaves_the_play_stuck_behind_a_ply() {
    let rules = "(->first any {e} ->> [y] ({? any {e}} + {! any {e}} ->>* {}))*";
    let tally = playouts(rules);
    assert_eq!((tally.plies, tally.stuck), (200, 100));
}
