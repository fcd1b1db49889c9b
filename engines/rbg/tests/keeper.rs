//! What the keeper does between moves, where its scripts are put to the test.

use play::{Language, Limits, Rules};

/// Leaf counts of rules on a row of three cells.
fn counts(rules: &str, depth: u32) -> Vec<u64> {
    let text = format!(
        "#players = first(100)
        #pieces = e, x, y
        #variables =
        #board = rectangle(up,down,left,right, [e,e,x])
        #any = (left* + right*)
        #rules = {rules}"
    );
    let rules = Rules::new(Language::Rbg, "keeper.rbg", &text);
    rbg::perft(&rules.source, &Limits::default(), depth).unwrap()
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
