//! Matches of several games.

use std::fs;

use ludeme::LudemeEngine;
use play::kit::{Effort, check};
use play::{CompileError, Engine, Game, Job, Language, Limits, Rules, Turn, Via};
use text::Source;

use super::hidden::Table;

const CASES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../engines/ludeme/tests/cases/matches");

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

fn read(name: &str) -> String {
    let path = format!("{CASES}/{name}.lud");
    fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// Adds the games of a match of `tests/cases/matches`.
pub(crate) fn add_games(rules: &mut Rules) {
    for part in ludeme::front::subgames(rules) {
        rules.parts.insert(part.clone(), Source::new(format!("{part}.lud"), read(&part)));
    }
}

/// Plays what a case says; the first line that does not hold.
fn play_case(rules: &Rules, lines: &[&str]) -> Result<(), String> {
    let game = compiled(rules);
    let mut table = Table::open(&*game, &[]);
    for line in lines {
        if let Some(payoffs) = line.strip_prefix("= ") {
            let found = table.payoffs().iter().map(i32::to_string).collect::<Vec<_>>().join(" ");
            same(line, payoffs, &found)?;
            continue;
        }
        let parts: Vec<&str> = line.split('|').map(str::trim).collect();
        let Turn::Move(mover) = table.position.turn() else { return Err(format!("{line}: over")) };
        same(line, parts[0], &format!("{}: {}", mover.0 + 1, table.position.labels().join(" ")))?;
        table.after(parts[1], &[]);
        let drawn = table.position.draw();
        let score = drawn.rsplit_once("match: ").map_or("", |(_, score)| score);
        same(line, parts[2], score)?;
    }
    let report = check(&*game, &Effort { seed: 3, walks: 3, playouts: 20, cap: 100 });
    if report.faults.is_empty() { Ok(()) } else { Err(format!("{:?}", report.faults)) }
}

fn same(line: &str, expected: &str, found: &str) -> Result<(), String> {
    if expected == found { Ok(()) } else { Err(format!("{line}: found {found}")) }
}

/// A match in `tests/cases/matches` has a `.plies` beside it, with cases as those of games: a line
/// in brackets with options, then `MOVER: LABELS | LABEL | SCORES` for each ply and `= PAYOFFS` at
/// the end.
#[test]
fn matches_go_as_specified() {
    let files = fs::read_dir(CASES).expect("the cases").flatten().map(|entry| entry.path());
    let mut files: Vec<_> = files.filter(|f| f.extension().is_some_and(|e| e == "plies")).collect();
    files.sort();
    let (mut count, mut wrong) = (0, Vec::new());
    for file in files {
        let name = file.file_stem().and_then(|name| name.to_str()).expect("a name");
        let text = fs::read_to_string(&file).expect(name);
        for case in text.split("\n[").skip(1) {
            let (options, lines) = case.split_once("]\n").expect("options in brackets");
            let mut rules = Rules::new(Language::Lud, format!("{name}.lud"), read(name));
            rules.options =
                options.split(';').filter(|o| !o.is_empty()).map(str::to_owned).collect();
            add_games(&mut rules);
            let lines = lines.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
            count += 1;
            if let Err(what) = play_case(&rules, &lines.collect::<Vec<_>>()) {
                wrong.push(format!("{name} [{options}]: {what}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {count} cases:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count >= 19, "only {count} cases");
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
                 (rules (play (move Add (to (sites Empty)))) (end (if (is Full) \
                 (result P1 Win)))))";
    let error = refused(&match_of(r#"(subgame "Alone")"#, TWO, &[("Alone", alone)]));
    assert_eq!(error.kind(), "unsupported");
}
