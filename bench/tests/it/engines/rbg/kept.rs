//! Tests told from what is kept of pieces, against playouts by the search alone.

use crate::engines::rbg::common::compiled;
use play::{BuildFact, Job, Language, Rules, Via};

/// Rows of free cells.
fn rows(width: usize, height: usize) -> String {
    format!("[{}]", ["e"; 64][..width].join(",")).repeat(height)
}

/// Plays rules on a board in all ways; returns how many tests are told from what is kept, mean
/// plies and the scores' sums.
fn play(board: &str, rules: &str) -> (u64, f64, Vec<i64>) {
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
    let rules = Rules::new(Language::Rbg, "kept.rbg", &text);
    let game = compiled(&rules);
    let mut told = None;
    for cap in [3, 1000] {
        let job = Job { seed: 7, first: 0, count: 200, cap };
        let tally = game.run(&job, Via::Fast);
        assert_eq!(tally, game.run(&job, Via::Interpreted), "{text}");
        assert_eq!(tally, game.run(&job, Via::Reference), "{text}");
        assert_eq!(tally.stuck, 0, "{text}");
        told = Some((tally.plies as f64 / 200.0, tally.score_sums()));
    }
    let (plies, scores) = told.unwrap();
    let kept = game.facts().built(BuildFact::KeptTests).unwrap_or(0);
    (kept, plies, scores)
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
    for (width, height, more, tests) in [
        // So few that they are compared.
        (3, 3, 2, 0),
        (5, 4, 1, 2),
        (9, 9, 4, 2),
        (15, 15, 4, 2),
        (19, 19, 5, 2),
        (20, 22, 3, 2),
        (11, 11, 6, 2),
        (9, 9, 7, 2),
        (62, 2, 4, 2),
    ] {
        let (kept, plies, scores) = play(&rectangle(width, height), &in_a_row(more));
        assert_eq!(kept, tests, "{width}x{height}, {more}");
        assert!(plies > 4.0 && scores.iter().sum::<i64>() == 200 * 100);
    }
}

#[test]
fn rows_of_just_so_many_win() {
    let turn = |me: &str, opp: &str, p: &str| {
        let row = |back: &str, on: &str| {
            format!("({back} {{{p}}})* {{! {back} {{{p}}}}} ({on} {{{p}}})^3 {{! {on} {{{p}}}}}")
        };
        let rows = [("left", "right"), ("up", "down"), ("up left", "down right")];
        let rows = rows.map(|(back, on)| row(back, on)).join(" + ");
        format!("->{me} any {{e}} ->> [{p}] ({{! {rows}}} + {{? {rows}}} win({me}; {opp}))")
    };
    for (width, height) in [(9, 6), (9, 9), (16, 13)] {
        let rules = format!("({} {})*", turn("a", "b", "x"), turn("b", "a", "y"));
        let (kept, plies, scores) = play(&rectangle(width, height), &rules);
        assert_eq!(kept, 2);
        assert!(plies > 8.0 && scores.iter().all(|&sum| sum > 2000), "{scores:?}");
        // With one kind of pieces what must not stand at the ends is one kind, too.
        let alone = format!("({})*", turn("a", "b", "x"));
        assert!(play(&rectangle(width, height), &alone).1 > 4.0);
    }
    // More do not count in one direction, and do in another.
    let mixed = "(left {x})* {! left {x}} (right {x})^3 {! right {x}} + (up {x})* (down {x})^3";
    let rules = format!(
        "(->a any {{e}} ->> [x] ({{! {mixed}}} + {{? {mixed}}} win(a; b)) ->b any {{e}} ->> [y])*"
    );
    assert_eq!(play(&rectangle(7, 7), &rules).0, 0);
}

#[test]
fn several_tests_tell_several_ends() {
    let turn = |me: &str, opp: &str, p: &str| {
        format!(
            "->{me} any {{e}} ->> [{p}] ({{! lines({p}; 2)}}
            + {{? lines({p}; 2)}} ({{? lines({p}; 3)}} [$ {me}=0, {opp}=100]
                + {{! lines({p}; 3)}} [$ {me}=100, {opp}=0]) ->> {{}})"
        )
    };
    let rules = format!("({} {})*", turn("a", "b", "x"), turn("b", "a", "y"));
    let (kept, plies, scores) = play(&rectangle(6, 6), &rules);
    assert_eq!(kept, 4);
    assert!(plies > 5.0 && scores.iter().all(|&sum| sum > 2000), "{scores:?}");
}

#[test]
fn pieces_may_stand_there_at_first() {
    let board = "rectangle(up,down,left,right, [x,e,y,e,e][e,x,e,e,e][y,e,e,x,e][e,e,e,e,x])";
    let (kept, plies, _) = play(board, &in_a_row(2));
    assert_eq!(kept, 2);
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
    for (width, height) in [(4, 4), (7, 9), (12, 12), (22, 22)] {
        let (kept, plies, scores) = play(&rectangle(width, height), &rules);
        assert_eq!(kept, 4);
        assert!(plies > 6.0 && scores.iter().all(|&sum| sum > 2000), "{scores:?}");
    }
    let stones = "rectangle(up,down,left,right, [x,e,x][e,x,e][x,e,y][x,e,y])";
    assert_eq!(play(stones, &rules).0, 4);
    // The two sides as one pattern of patterns.
    let chain = "((left + right + up + down) {x})*";
    let both = format!("{{? {chain} {{! left}}}} {{? {chain} {{! right}}}}");
    let rules = format!(
        "(->a any {{e}} ->> [x] ({{! {both}}} + {{? {both}}} win(a; b)) ->b any {{e}} ->> [y])*"
    );
    assert_eq!(play(&rectangle(5, 6), &rules).0, 2);
}

#[test]
fn rows_and_connections_of_one_piece() {
    let edge = "((left + right + up + down) {x})* {! left}";
    let rules = format!(
        "(->a any {{e}} ->> [x] ({{! lines(x; 4)}} + {{? lines(x; 4)}} [$ a=90] ->> {{}})
            ({{! {edge}}} [$ b=b] + {{? {edge}}} [$ b=n] [$ n=n+1])
        ->b any {{e}} ->> [y])*"
    );
    let (kept, plies, _) = play(&rectangle(9, 9), &rules);
    assert_eq!(kept, 2);
    assert!(plies > 20.0);
}

#[test]
fn pieces_fall() {
    let turn = |me: &str, opp: &str, p: &str| {
        format!(
            "->{me} (down* up^5 (left* + right*)) {{e}} ->> down* {{e}} {{! down {{e}}}} [{p}]
            ({{! lines({p}; 3)}} + {{? lines({p}; 3)}} win({me}; {opp}))"
        )
    };
    let rules = format!("({} {})*", turn("a", "b", "x"), turn("b", "a", "y"));
    let (kept, plies, _) = play(&rectangle(7, 6), &rules);
    assert_eq!(kept, 2);
    assert!(plies > 7.0);
    // Some are there already, of which one hangs in the air.
    let hangs = "rectangle(up,down,left,right, \
        [e,e,e,e,e][e,e,x,e,e][e,e,e,e,e][y,e,x,x,x][y,e,x,x,x][y,e,x,y,x])";
    assert_eq!(play(hangs, &rules).0, 2);
}

#[test]
fn what_is_otherwise_is_not_kept() {
    let row = "({! lines(x; 2)} + {? lines(x; 2)} [$ n=1])";
    let edge = "{? ((left + right + up + down) {x})* {! left}}";
    for rules in [
        // Pieces go away again, or others come in their place.
        format!("(->a any {{e}} ->> [x] {row} ->b any {{x}} ->> [e])*"),
        format!("(->a any {{e}} ->> [x] {row} ->b any {{e}} {edge} right ->> [y])*"),
        format!("(->a any {{e}} ->> [x] ({edge} + {{! left}} up) [y])*"),
        format!("(->a any {{e, x}} ->> [x] {row} ->b any {{e}} ->> [y])*"),
        // By a player, and as moves of one that are listed.
        format!("(->a any {{e}} ->> [x] {row} ->b any {{e}} [x] right {{e}} ->> [y])*"),
        format!("(->a any {{e}} ->> [x] {row} ->b any {{e}} [y] right {{e}} [x] left {{y}} ->>)*"),
        // What is asked is asked elsewhere, or before.
        format!("(->a any {{e}} ->> [x] left {row})*"),
        format!("(->a any {{e}} ->> {row} [x])*"),
        format!("(->a any {{e}} ->> [x] right {{e}} [y] left {row})*"),
        // Other pieces are in the row, too, or have been put since.
        "(->a any {e} ->> [x] ({! left {x, y} left {x, y} + right {x} right {x} + up {y} up {x}}) \
         [$ n=1])*"
            .to_owned(),
        // A row that does not lie on lines.
        "(->a any {e} ->> [x] ({! right {x} right right {x}} + {? right {x} right right {x}} ->> \
         {}))*"
            .to_owned(),
    ] {
        assert_eq!(play(&rectangle(5, 5), &rules).0, 0, "{rules}");
    }
}

#[test]
fn what_is_taken_back_is_not_kept() {
    // The keeper puts a piece in vain, and another one instead.
    for rules in [
        "(->a any {e} ->> ([x] {? lines(x; 3)} right {y} [x] [$ a=50] + [y] {! left {x}} + [x] {? \
         lines(x; 3)} + [y])
            ->b any {e} ->> [x] ({! lines(x; 3)} + {? lines(x; 3)} [$ b=40]))*",
        "(->a any {e} ->> (right {e} [x] left {x} [x] + [x] (left {e} [x] right right {x} + {! \
         right {x}} + {? right {x}})
            ({! lines(x; 3)} + {? lines(x; 3)} [$ a=70])) ->b any {e} ->> [y])*",
    ] {
        play(&rectangle(6, 5), rules);
    }
}

#[test]
fn the_last_ply_counts_where_the_keeper_cannot_go_on() {
    let turn = |me: &str, piece: &str| {
        format!(
            "->{me} any {{e}} ->> [{piece}] ({{! lines({piece}; 2)}} + {{? lines({piece}; 2)}} \
             {{}})"
        )
    };
    let rules = format!("({} {})*", turn("a", "x"), turn("b", "y"));
    let (kept, plies, scores) = play(&rectangle(5, 5), &rules);
    assert_eq!(kept, 2);
    assert!((5.0..20.0).contains(&plies) && scores == [50 * 200; 2]);
}
