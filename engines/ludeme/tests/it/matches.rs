//! Matches of several games.

use ludeme::LudemeEngine;
use play::kit::{Effort, check};
use play::{CompileError, Engine, Game, Job, Language, Limits, Rules, Via};
use text::Source;

use crate::hidden::Table;

/// A game of two players on so many cells, which they fill in turn, with these end rules.
fn filling(cells: u32, end: &str) -> String {
    format!(
        "(game \"G\" (players 2)
            (equipment {{ (board (rectangle 1 {cells})) (piece \"Disc\" Each) }})
            (rules (play (move Add (to (sites Empty)))) (end {end})))"
    )
}

/// A match of games with these texts, by their names.
fn match_of(games: &str, end: &str, texts: &[(&str, &str)]) -> Rules {
    let text = format!("(match \"M\" (players 2) (games {{ {games} }}) (end {{ {end} }}))");
    let mut rules = Rules::new(Language::Lud, "match.lud", text);
    for &(name, text) in texts {
        rules.parts.insert(name.to_owned(), Source::new(format!("{name}.lud"), text));
    }
    rules
}

fn refused(rules: &Rules) -> CompileError {
    match LudemeEngine.compile(rules, &Limits::default()) {
        Err(error) => error,
        Ok(_) => panic!("it is compiled"),
    }
}

fn compiled(rules: &Rules) -> Box<dyn Game> {
    let compiled = LudemeEngine.compile(rules, &Limits::default());
    compiled.unwrap_or_else(|e| panic!("{}", e.one_line(&rules.source))).game
}

const FULL: &str = "(if (is Full) (result Mover Win))";
const TWO: &str = "(if (>= (matchScore P1) 2) (result P1 Win)) \
                   (if (>= (matchScore P2) 2) (result P2 Win))";

/// A match of two games, in which the next one is said by the rules.
pub(crate) fn of_two_games() -> Rules {
    let games =
        r#"(subgame "One" next:1 result:(score Mover)) (subgame "Two" next:(- 1 (matchScore P2)))"#;
    match_of(games, TWO, &[("One", &filling(1, FULL)), ("Two", &filling(2, FULL))])
}

/// Plays whatever is the first action, so many times; the numbers of actions before each.
fn widths(table: &mut Table<'_>, plies: usize) -> Vec<usize> {
    let mut widths = Vec::new();
    for _ in 0..plies {
        let labels = table.position.labels();
        widths.push(labels.len());
        table.after(&labels[0], &[]);
    }
    widths
}

#[test]
fn games_follow_each_other_until_a_score_is_reached() {
    // On one cell the first player wins, on two the second one.
    let (one, two) = (filling(1, FULL), filling(2, FULL));
    let texts = [("One", one.as_str()), ("Two", two.as_str())];
    let rules = match_of(r#"(subgame "One") (subgame "Two")"#, TWO, &texts);
    let game = compiled(&rules);
    let mut table = Table::open(&*game, &[]);
    assert_eq!(widths(&mut table, 4), [1, 2, 1, 1]);
    assert_eq!(table.payoffs(), [100, 0], "2 : 1");
    // With a number for the next game: after the first one the second again and again.
    let rules = match_of(r#"(subgame "One" next:1) (subgame "Two" next:1)"#, TWO, &texts);
    let game = compiled(&rules);
    let mut table = Table::open(&*game, &[]);
    assert_eq!(widths(&mut table, 5), [1, 2, 1, 2, 1]);
    assert_eq!(table.payoffs(), [0, 100], "1 : 2");
    let report = check(&*game, &Effort { seed: 3, walks: 3, playouts: 20, cap: 100 });
    assert!(report.faults.is_empty(), "{:?}", report.faults);
}

#[test]
fn a_match_says_what_a_win_brings_and_games_know_how_it_stands() {
    let score = filling(1, FULL).replace("Each) }", "Each) (hand Each size:3) }").replace(
        "(move Add (to (sites Empty)))",
        "(move Add (to (forEach (sites Board) if:(= (matchScore P1) (* 5 (count Trials))))) \
         (then (set Score Mover 5)))",
    );
    let end = "(if (>= (matchScore P1) 12) (result P1 Win))";
    let rules = match_of(r#"(subgame "S" result:(score Mover))"#, end, &[("S", &score)]);
    let game = compiled(&rules);
    let mut table = Table::open(&*game, &[]);
    assert_eq!(widths(&mut table, 3), [1, 1, 1]);
    assert_eq!(table.payoffs(), [100, 0], "15 : 0");
}

#[test]
fn draws_count_for_both_and_several_may_win() {
    let drawn = filling(2, "(if (is Full) (result Mover Draw))");
    let texts = [("Drawn", drawn.as_str())];
    let game = compiled(&match_of(r#"(subgame "Drawn")"#, TWO, &texts));
    let mut table = Table::open(&*game, &[]);
    assert_eq!(widths(&mut table, 4), [2, 1, 2, 1]);
    assert_eq!(table.payoffs(), [100, 100], "both have 2");
    let end = "(if (= (count Trials) 2) (result P1 Draw))";
    let game = compiled(&match_of(r#"(subgame "Drawn")"#, end, &texts));
    let mut table = Table::open(&*game, &[]);
    widths(&mut table, 4);
    assert_eq!(table.payoffs(), [50, 50]);
}

#[test]
fn a_match_that_nothing_ends_ends() {
    let nothing = filling(1, FULL).replace("(sites Empty)", "(difference (sites Empty) 0)");
    let end = TWO.replace(" 2)", " 9999)");
    let game = compiled(&match_of(r#"(subgame "N")"#, &end, &[("N", &nothing)]));
    let job = Job { seed: 1, first: 0, count: 1, cap: 100 };
    assert_eq!(game.run(&job, Via::Reference).playouts, 1);
}

#[test]
fn what_is_missing_or_wrong_is_named() {
    let one = filling(1, FULL);
    let rules = match_of(r#"(subgame "One") (subgame "Two")"#, TWO, &[("One", &one)]);
    assert_eq!(ludeme::front::subgames(&rules), ["One", "Two"]);
    let error = refused(&rules);
    assert_eq!(error.kind(), "unsupported");
    let text = error.diagnostics()[0].render(&rules.source);
    assert!(text.contains("the game \"Two\" of this match is not there"), "{text}");
    assert!(text.contains("`Two.lud`"), "{text}");
    let wrong = one.replace("Mover Win", "Mover Wins");
    let error = refused(&match_of(r#"(subgame "One")"#, TWO, &[("One", &wrong)]));
    assert_eq!(error.kind(), "invalid");
    assert!(error.diagnostics()[0].message.contains("One.lud:3:"), "{error:?}");
    // What is wrong with the match itself is shown there.
    let rules = match_of(r#"(subgame "One")"#, "(if True (result Mover Win))", &[("One", &one)]);
    let error = refused(&rules);
    assert!(error.one_line(&rules.source).starts_with("match.lud:1:"), "{error:?}");
    // A match is no game of a match, and all games are for as many players.
    let inner = match_of(r#"(subgame "One")"#, TWO, &[]).source.text().to_owned();
    let error = refused(&match_of(r#"(subgame "Inner")"#, TWO, &[("Inner", &inner)]));
    assert_eq!(error.kind(), "unsupported");
    let alone = "(game \"A\" (players 1) (equipment { (board (square 1)) (piece \"Disc\" Each) }) \
                 (rules (play (move Add (to (sites Empty)))) (end (if (is Full) (result P1 Win)))))";
    let error = refused(&match_of(r#"(subgame "Alone")"#, TWO, &[("Alone", alone)]));
    assert_eq!(error.kind(), "unsupported");
}
