//! Games whose every ply fills a cell, against playouts by the search alone.

use crate::tests::common::{build_fact, compiled};
use play::{Engine, Game, Job, Language, Limits, Rules, Via};
use rbg::RbgEngine;

/// How many turns have this form, whether pieces fall, and whether connections are asked for.
type Shape = Option<(u64, bool, bool)>;

fn shape_of(game: &dyn Game) -> Shape {
    let turns = build_fact(game, "turns that fill cells")?;
    let holds = |name| build_fact(game, name).is_some_and(|count| count > 0);
    Some((turns, holds("columns that pieces fall in"), holds("neighbours that connect")))
}

/// Rows of free cells.
fn rows(width: usize, height: usize) -> String {
    format!("[{}]", ["e"; 64][..width].join(",")).repeat(height)
}

/// Plays rules on a board both ways; returns the form, mean plies and the scores' sums.
fn play(board: &str, rules: &str) -> (Shape, f64, Vec<i64>) {
    let text = format!(
        "#players = a(100), b(100)
        #pieces = e, x, y
        #variables = n(9)
        #board = {board}
        #any = (left* + right*) (up* + down*)
        #row(p; back; on; more) = (back {{p}})* (on {{p}})^more
        #lines(p; more) = (row(p; left; right; more) + row(p; up; down; more)
            + row(p; up left; down right; more) + row(p; up right; down left; more))
        #win(me; opp) = [$ me=100, opp=0] ->> {{}}
        #rules = [$ a=50, b=50] {rules}"
    );
    let rules = Rules::new(Language::Rbg, "fill.rbg", &text);
    let game = compiled(&rules);
    let mut told = None;
    for cap in [3, 1000] {
        let job = Job { seed: 7, first: 0, count: 200, cap };
        let tally = game.run(&job, Via::Fast);
        assert_eq!(tally, game.run(&job, Via::Reference), "{text}");
        assert_eq!(tally.stuck, 0, "{text}");
        told = Some((tally.plies as f64 / 200.0, tally.score_sums()));
    }
    let (plies, scores) = told.unwrap();
    (shape_of(&*game), plies, scores)
}

fn rectangle(width: usize, height: usize) -> String {
    format!("rectangle(up,down,left,right, {})", rows(width, height))
}

/// Both players in turn, each of whom wins with so many more in a row.
fn in_a_row(more: usize) -> String {
    let turn = |me: &str, opp: &str, piece: &str| {
        format!(
            "->{me} any {{e}} ->> [{piece}]
            ({{! lines({piece}; {more})}} + {{? lines({piece}; {more})}} win({me}; {opp}))"
        )
    };
    format!("({} {})*", turn("a", "b", "x"), turn("b", "a", "y"))
}

#[test]
fn rows_of_pieces_win() {
    for (width, height, more) in
        [(3, 3, 2), (5, 4, 1), (9, 9, 4), (15, 15, 4), (19, 19, 5), (20, 22, 3), (11, 11, 6)]
    {
        let (shape, plies, scores) = play(&rectangle(width, height), &in_a_row(more));
        assert_eq!(shape, Some((2, false, false)), "{width}x{height}, {more}");
        assert!(plies > 4.0 && scores.iter().sum::<i64>() == 200 * 100);
    }
    // Too long for the tables, and for a row in a word.
    assert_eq!(play(&rectangle(9, 9), &in_a_row(7)).0, None);
    assert_eq!(play(&rectangle(62, 2), &in_a_row(4)).0, None);
}

#[test]
fn several_tests_tell_several_ends() {
    let turn = |me: &str, opp: &str, p: &str| {
        format!(
            "->{me} any {{e}} ->> [{p}] ({{! lines({p}; 2)}}
            + {{? lines({p}; 2)}} ({{? lines({p}; 3)}} [$ {me}=100, {opp}=0]
                + {{! lines({p}; 3)}} [$ {me}=0, {opp}=100]) ->> {{}})"
        )
    };
    let rules = format!("({} {})*", turn("a", "b", "x"), turn("b", "a", "y"));
    let (shape, plies, _) = play(&rectangle(6, 6), &rules);
    assert_eq!(shape, Some((2, false, false)));
    assert!(plies > 5.0);
}

#[test]
fn turns_may_differ() {
    // One opening move, then two each; the score is kept by whoever moved last.
    let turn = |me: &str, opp: &str, p: &str| {
        format!("->{me} any {{e}} ->> [{p}] [$ {me}=100] [$ {opp}=0]")
    };
    let (a, b) = (turn("a", "b", "x"), turn("b", "a", "y"));
    let (shape, plies, scores) = play(&rectangle(5, 3), &format!("{a} ({b} {b} {a} {a})*"));
    assert_eq!(shape, Some((5, false, false)));
    assert_eq!((plies, scores), (15.0, vec![0, 200 * 100]));
}

#[test]
fn pieces_may_stand_there_at_first() {
    let board = "rectangle(up,down,left,right, [x,e,y,e][e,x,e,e][y,e,e,x][e,e,e,e])";
    let (shape, plies, _) = play(board, &in_a_row(2));
    assert_eq!(shape, Some((2, false, false)));
    assert!((2.0..11.0).contains(&plies));
}

#[test]
fn connections_win() {
    let turn = |me: &str, opp: &str, p: &str, from: &str, to: &str| {
        let joined = |side: &str| format!("((left + right + up + down) {{{p}}})* {{! {side}}}");
        let (from, to) = (joined(from), joined(to));
        format!(
            "->{me} any {{e}} ->> [{p}] (({{! {from}}} + {{! {to}}})
            + {{? {from}}} {{? {to}}} win({me}; {opp}))"
        )
    };
    let rules = format!(
        "({} {})*",
        turn("a", "b", "x", "up", "down"),
        turn("b", "a", "y", "left", "right")
    );
    for (width, height) in [(4, 4), (7, 9), (12, 12)] {
        let (shape, plies, scores) = play(&rectangle(width, height), &rules);
        assert_eq!(shape, Some((2, false, true)));
        assert!(plies > 6.0 && scores.iter().all(|&sum| sum > 2000), "{scores:?}");
    }
    let stones = "rectangle(up,down,left,right, [x,e,x][e,x,e][x,e,y][x,e,y])";
    assert_eq!(play(stones, &rules).0, Some((2, false, true)));
}

#[test]
fn pieces_fall() {
    let turn = |me: &str, opp: &str, p: &str| {
        let three = format!(
            "(left {{{p}}})^2 + (right {{{p}}})^2 + left {{{p}}} right^2 {{{p}}} + (down {{{p}}})^2"
        );
        format!(
            "->{me} (down* up^3 (left* + right*)) {{e}} ->> down* {{e}} {{! down {{e}}}}
            ({{! {three}}} [{p}] + {{? {three}}} win({me}; {opp}))"
        )
    };
    let rules = format!("({} {})*", turn("a", "b", "x"), turn("b", "a", "y"));
    let (shape, plies, _) = play(&rectangle(5, 4), &rules);
    assert_eq!(shape, Some((2, true, false)));
    assert!(plies > 5.0);
    // Some are there already; and where one hangs in the air, the search has to see.
    let some = "rectangle(up,down,left,right, [e,e,e][e,e,e][e,e,x][y,e,x])";
    assert_eq!(play(some, &rules).0, Some((2, true, false)));
    let hangs = "rectangle(up,down,left,right, [e,e,e][e,x,e][e,e,e][y,e,x])";
    play(hangs, &rules);
}

#[test]
fn what_is_otherwise_is_left_to_the_search() {
    for rules in [
        // Pieces go away again.
        "(->a any {e} ->> [x] ->b any {x} ->> [e])*",
        // Something else is put by and by.
        "(->a any {e} ->> [x] (right {e} [y] + {! right {e}}))*",
        // What is counted decides.
        "(->a any {e} ->> [x] [$ n=n+1])*",
        // The mover is where he has moved.
        "(->a (left + right + up + down) {e} ->> [x])*",
        // Not all cells.
        "(->a any {e} {! left} ->> [x] ->b any {e} {? left} ->> [y])*",
        // Of several kinds.
        "(->a any {e, y} ->> [x] ->b any {e, x} ->> [y])*",
        // A row that does not lie on lines.
        "(->a any {e} ->> [x] ({! right {x} right right {x}} + {? right {x} right right {x}} ->> {}))*",
    ] {
        assert_eq!(play(&rectangle(4, 3), rules).0, None, "{rules}");
    }
}

#[test]
fn the_last_ply_counts_where_the_keeper_cannot_go_on() {
    let turn = |me: &str, piece: &str| {
        format!(
            "->{me} any {{e}} ->> [{piece}] ({{! lines({piece}; 2)}} + {{? lines({piece}; 2)}} {{}})"
        )
    };
    let rules = format!("({} {})*", turn("a", "x"), turn("b", "y"));
    let (shape, plies, scores) = play(&rectangle(3, 3), &rules);
    assert_eq!(shape, Some((2, false, false)));
    assert!((5.0..9.0).contains(&plies) && scores == [50 * 200; 2]);
}

#[test]
fn what_is_done_in_vain_is_taken_back() {
    // Assignments before the keeper gets stuck do not count, those before a switch of his do.
    let rules =
        "(->a any {e} ->> [x] ([$ b=7] [$ a=1] {! right} {? right} + {! lines(x; 2)} [$ a=60]
            + {? lines(x; 2)} [$ a=70] ->> [$ b=9] {} [$ a=80])
        ->b any {e} ->> [y])*";
    let (shape, plies, scores) = play(&rectangle(4, 4), rules);
    assert_eq!(shape, Some((2, false, false)));
    assert!(plies < 16.0 && scores[0] > 60 * 200 && scores[1] == 50 * 200, "{scores:?}");
    // Very many ways in vain.
    let fork = "([$ a=1] + [$ a=2])";
    let rules = format!("(->a any {{e}} ->> ({} {{}} + [x]))*", [fork; 30].join(" "));
    let limits = Limits { work: 1_000_000, ..Limits::default() };
    let board =
        "#players = a(100) #pieces = e, x #variables = #board = rectangle(u,d,left,right,[e,e])";
    let rules = format!("{board} #any = (left* + right*) #rules = {rules}");
    let rules = Rules::new(Language::Rbg, "forks.rbg", &rules);
    assert_eq!(shape_of(&*RbgEngine.compile(&rules, &limits).unwrap().game), None);
}
