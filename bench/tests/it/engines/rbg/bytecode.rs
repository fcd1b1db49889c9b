//! Playouts by instructions against playouts by the search alone.

use crate::engines::rbg::common::compiled;
use play::{BuildFact, Engine, Job, Language, Limits, Rules, Tally, Via};
use rbg::RbgEngine;

/// Plays rules on a row of six cells both ways, alone and as the last row of larger boards; returns
/// plies and layers with instructions.
fn play(rules: &str) -> (u64, u64) {
    let on_last = ON_LAST_OF.map(|rows| play_on_last(rules, rows));
    for other in &on_last[1..] {
        assert_eq!(other, &on_last[0], "{rules}");
    }
    let [(tally, turns), ..] = on_last;
    (tally.plies, turns)
}

/// Numbers of rows whose cells need one, two, four and eight words.
const ON_LAST_OF: [usize; 4] = [1, 12, 30, 60];

fn play_on_last(rules: &str, rows: usize) -> (Tally, u64) {
    let above = "[e,e,e,e,e,e]".repeat(rows - 1);
    let down = "down ".repeat(rows - 1);
    let text = format!(
        "#players = a(100), b(100)
        #pieces = e, x, y
        #variables = n(9)
        #board = rectangle(up,down,left,right, {above} [e,x,e,e,y,e])
        #any = (left* + right*)
        #rules = {down}{rules}"
    );
    let game = compiled(&Rules::new(Language::Rbg, "bytecode.rbg", &text));
    let turns = game.facts().built(BuildFact::LayerInstructions).unwrap_or(0);
    let mut played = Tally::default();
    for cap in [3, 100] {
        let job = Job { seed: 7, first: 0, count: 300, cap };
        played = game.run(&job, Via::Fast);
        assert_eq!(played, game.run(&job, Via::Interpreted), "{text}");
        assert_eq!(played, game.run(&job, Via::Reference), "{text}");
        assert_eq!(played.stuck, 0, "{text}");
    }
    (played, turns)
}

/// Plays rules both ways, of which so many layers have instructions, with more than one ply a
/// playout.
#[track_caller]
fn check(rules: &str, layers: u64) {
    let (plies, found) = play(rules);
    assert!(plies > 300 && found == layers, "{plies} {found}");
}

#[test]
fn cells_are_filled_one_by_one() {
    let turn =
        |me: &str, piece: &str| format!("->{me} any {{e}} ->> [{piece}] [$ {me}=n] [$ n=n+1]");
    let rules = format!("({} {})*", turn("a", "x"), turn("b", "y"));
    assert_eq!(play(&rules), (4 * 300, 2));
}

#[test]
fn the_keeper_goes_back_where_it_fails() {
    // Something is put and counted before it shows that there is no way on, from all cells but one.
    let rules =
        "(->a any {e} ->> any {e} [x] [$ n=n+1] {? right {y}} [$ a=100] ->b any {x} ->> [e])*";
    check(rules, 2);
    // Of several ways the second, after the first has put a piece and gone elsewhere.
    let rules = "(->a any {e} ->> (
        [y] right {x} [e] right {x} [$ b=100]
        + {? left {y}} [x] [$ a=50]
        + {! left {y}} [y] left {e} [$ a=10]
        + [x] [$ b=b])
        )*";
    check(rules, 1);
}

#[test]
fn the_keeper_goes_round_in_circles() {
    let rules =
        "(->a any {e} ->> [y] (right {x} [y] + right {y} [x])* (right {e} [x] + {! right}))*";
    check(rules, 1);
}

#[test]
fn lone_moves_are_plies_unless_they_are_passes() {
    let rules = "(->a any {e} ->> [x] ->b (any {y} + {! any {y}} any) ->> ({y} [e] + {! {y}}) )*";
    check(rules, 2);
    let pass = "(->a any {x} ->> ->b (any {y} ->> [e] + {! any {y}} ->>) ->a any {e} ->> [x])*";
    check(pass, 3);
}

#[test]
fn steps_from_all_cells_of_a_set_are_pairs() {
    let rules =
        "(->a any {x} [e] (left + right) {e, y} ->> [x] ->b any {y} [e] right {e} ->> [y])*";
    check(rules, 2);
}

#[test]
fn rays_lead_to_the_first_that_stands_in_their_way() {
    let over = |way: &str| format!("{way} {{e}} ({way} {{e}})*");
    let upto = |way: &str| format!("({way} {{e}})* {way}");
    let rays: [&dyn Fn(&str) -> String; 2] = [&over, &upto];
    for ray in rays {
        let turn = |me: &str, own: &str| {
            let rays = ["left", "right"].map(ray).join(" + ");
            format!("->{me} any {{{own}}} [{own}] ({rays}) ->> [{own}] [$ {me}=n] [$ n=n+1]")
        };
        check(&format!("({} {})*", turn("a", "x"), turn("b", "y")), 2);
    }
}

#[test]
fn from_nowhere_there_is_no_way_to_anywhere() {
    // Behind a test that fails the walk would lead to all cells.
    let rules = "(->a any {e} ->> [x] ->b ({? left {x}} any {e} + right {y} any {y}) ->> [y])*";
    check(rules, 2);
}

#[test]
fn moves_that_put_pieces_first_are_listed() {
    // A move along, and another if it ends beside a piece.
    let rules = "(->a any {x, y} [e] (left + right) {e} [x] ({! left {y}} + {? left {y}} left) ->>
        ->b any {e} ([y] {? left} ->> + [x] right {e} [y] ->>))*";
    check(rules, 2);
    // Two ways on from the same cells.
    let rules =
        "(->a any {e} ([x] right {e} [y] + [y] left {x} [e] any {e}) ->> [x] ->b any {x} ->> [e])*";
    check(rules, 2);
    // A line ends the move; otherwise there is more to do.
    let rules = "(->a any {e} [x] ({? left {x} left {x} + right {x} right {x}}
        + {! left {x} left {x} + right {x} right {x}} any {y, x} [e] any {x}) ->> [e])*";
    check(rules, 1);
    // The same with a line of three kinds of cells.
    let rules = "(->a any {e} [x] ({? left {x} left {y} left {e}}
        + {! left {x} left {y} left {e}} any {y, x} [e] any {x}) ->> [e])*";
    check(rules, 1);
}

#[test]
fn many_forks_in_a_row_are_asked_about_once() {
    let fork = "({? left {x}} [x] + {! left {x}} [y])";
    let rules = format!("(->a any {{e}} ->> {} )*", [fork; 60].join(" "));
    check(&rules, 1);
}

#[test]
fn moves_may_end_with_an_assignment() {
    // Steps that set a variable back, and others that do not; the keeper counts.
    let turn = |me: &str, piece: &str| {
        format!(
            "->{me} (any {{{piece}}} [e] (left + right) {{e}} [$ n=0]
                + any {{e}} [{piece}] (left + right) {{e}} + any {{{piece}}} [$ n=3])
            ->> [{piece}] ({{$ n<9}} [$ n=n+1] [$ {me}=n] + {{$ n==9}} ->> {{}})"
        )
    };
    let rules = format!("({} {})*", turn("a", "x"), turn("b", "y"));
    check(&rules, 2);
    // One such move alone is no pass.
    let lone = "(->a {x} [$ n=3] ->> ->b any {e} ->> [x])*";
    check(&format!("[x] {lone}"), 2);
}

#[test]
fn moves_may_assign_and_put_before_their_last_cells() {
    // What is assigned is asked for later in the move, and may be out of range: then there is no
    // such move.
    let turn = |me: &str, piece: &str| {
        format!(
            "->{me} any {{e}} [{piece}] [$ n=n+2] (right {{e}} [y] ({{$ n<6}} + {{$ n>5}} [$ n=0] \
             left)
                + {{$ n>3}} left [$ {me}=n] any {{x}} [e])
            ->> [x]"
        )
    };
    check(&format!("({} {})*", turn("a", "x"), turn("b", "y")), 2);
    // Some steps there are at certain times only.
    let rules = "(->a any {x} [e] (right {e, y} + {$ n>2} left {e}) ->> [x] ({$ n<9} [$ n=n+1] + \
        {$ n==9} [$ n=0])
        ->b any {e} ->> [x])*";
    check(rules, 2);
    // Four pieces and a variable, of which the last cell has two.
    let rules = "(->a any {e} [x] right [y] right {e} [x] right [y] [x] [$ n=3] ->> [e]
        ->b any {x, y} [e] right ->> [$ n=0] [e])*";
    check(rules, 2);
}

#[test]
fn what_follows_a_shared_walk_goes_back_before_it() {
    // Where the second way fails behind the walk that it shares with the first, the third begins at
    // the cell before that walk.
    let turn = "({e} [x] + {x} [e])";
    let rules = format!(
        "(->a any {{e, x}} ->> {turn} ({{! left}} + left {turn} + right) ({{! right}} + right \
         {turn}))*"
    );
    check(&rules, 1);
    // The second way shares a walk that leads elsewhere with the first, the third does not.
    let turned = "left {x} [y] (left {x} [y])* right* {e}";
    let other = "right {x} [y] (right {x} [y])* left* {e}";
    let rules = format!(
        "(->a any {{e}} ->> ({{! left {{x}}}} + {{? left {{x}}}} {turned}) \
         ({{! right {{}}}} + right {{y}} [] left)
            ({{! right {{x}}}} + {{? right {{x}}}} {other}) [x] ->b any {{y}} ->> [e])*"
    );
    check(&rules, 2);
}

#[test]
fn playouts_do_not_depend_on_which_are_played_together() {
    // Short ones, long ones, and some that are left to the search half-way.
    let games = [
        "(->a any {e} ->> [x] ->b any {e} ->> [y])*",
        "(->a any {x} [e] (left + right) {e} ->> [x] ->b any {y} [e] (left + right) {e} ->> [y])*",
        "(->a any {e} ->> [x] ({? left {x}} (left + right) {x} [e] + {! left {x}}) )*",
    ];
    for rules in games {
        let text = format!(
            "#players = a(100), b(100)
            #pieces = e, x, y
            #variables =
            #board = rectangle(up,down,left,right, [e,x,e,e,y,e])
            #any = (left* + right*)
            #rules = {rules}"
        );
        let game = compiled(&Rules::new(Language::Rbg, "together.rbg", &text));
        let job = |first, count| Job { seed: 3, first, count, cap: 2000 };
        let mut apart = Tally::default();
        for id in 5..205 {
            apart += &game.run(&job(id, 1), Via::Fast);
        }
        assert_eq!(apart, game.run(&job(5, 200), Via::Fast), "{text}");
        assert_eq!(apart, game.run(&job(5, 200), Via::Reference), "{text}");
    }
}

#[test]
fn what_a_turn_leaves_to_the_search_keeps_what_the_keeper_did() {
    // The keeper notes what it does, for it may fail; the next turn asks more of the search than it
    // may.
    let text = "
        #players = a(100)
        #pieces = e, x
        #variables = n(60)
        #board = rectangle(up,down,left,right, [e,e,e,e,e,e][e,e,e,e,e,e][e,e,e,e,e,e][e,e,e,e,e,x])
        #any = (left* + right*) (up* + down*)
        #near = (left + right + up + down)
        #rules = (->a any {e} {? near (near {x} (near {x})*)* {x}} ->> [x] [$ n=n+1] [$ a=n])*";
    let rules = Rules::new(Language::Rbg, "left.rbg", text);
    let job = Job { seed: 3, first: 0, count: 64, cap: 100 };
    let played = [700, 1000, 1400, 2000, 4000, 8000, 16_000, 1_000_000].map(|work| {
        let limits = Limits { work, ..Limits::default() };
        let compiled = RbgEngine.compile(&rules, &limits);
        compiled.is_ok_and(|compiled| {
            let game = compiled.game;
            assert_eq!(game.facts().built(BuildFact::LayerInstructions), Some(1));
            let fast = game.run(&job, Via::Fast);
            assert_eq!(fast, game.run(&job, Via::Reference), "{work}");
            fast.plies == 23 * 64
        })
    });
    assert!(played.iter().filter(|played| **played).count() > 1, "{played:?}");
}

#[test]
fn what_is_gone_back_to_is_noted_for_others_that_share_a_walk() {
    // Both ways to toggle begin with the same walk to another cell; where neither can, a third
    // begins where the keeper was.
    let toggle = "({e} [x] + {x} [y])";
    let beside = |on: &str, back: &str| {
        format!("({{! {on}}} + {on} {toggle} {back} + {on} {{y}} [e] {back} {{e, x}} [y])")
    };
    let (left, right) = (beside("left", "right"), beside("right", "left"));
    check(
        &format!(
            "(->a any {{e, x}} ->> {left} {right} [$ n=n+1] ({{$ n<9}} + {{$ n==9}} ->> {{}}))*"
        ),
        1,
    );
    // The third is tried, too, where what follows a toggle fails.
    check(
        &format!("(->a any {{e, x, y}} ->> {left} ({{? right}} + {{! right}} {{y}}) {right})*"),
        1,
    );
}
