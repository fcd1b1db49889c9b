//! The table of the micro files: moves, leaf counts and refusals.

use play::{Limits, Rules};

use super::{root, rules, shared, source};
use crate::automaton::{Automaton, Mover};
use crate::engine::reference;
use crate::front;
use crate::search::{Fault, Move};
use crate::symbols::Symbol;

/// The reason of a difference: moves with equal tags are one move.
const ONE_MOVE: &str = "equal tags are one move";

/// The reason of a difference: promises of pragmas are not believed.
const PROMISE: &str = "promises of pragmas are not believed";

/// Files of which something else is told here, with the reason.
const OTHERS: [(&str, &str, &str); 9] = [
    ("r02_twin_paths_split.rg", "`go`; 1 0", ONE_MOVE),
    ("r04_same_tags_other_values.rg", "`go`; 1 0", "nobody reads the value that differs again"),
    (
        "r05_goals_not_in_key.rg",
        "two moves with equal tags have different results",
        "the scores are a part of the state",
    ),
    (
        "r11_keeper_choice.rg",
        "`m`; the keeper has more than one move",
        "a keeper that chooses is a fault",
    ),
    ("r13_random_dup_results.rg", "`heads`, `tails`; 2 0", ONE_MOVE),
    ("r14_map_equality.rg", "`listed`, `same`; 2 0", "maps are equal if their contents are"),
    ("r19_pragma_unique_lie.rg", "`go`; 1 0", PROMISE),
    ("r20_pragma_repeat_lie.rg", "`0`, `1`; 2 0", PROMISE),
    ("r21_pragma_disjoint_lie.rg", "`left`, `right`; 2 0", PROMISE),
];

/// The cells of the rows of a table of Markdown that begin with a file.
fn rows(text: &str) -> Vec<Vec<String>> {
    let row = |line: &str| -> Option<Vec<String>> {
        let line = line.strip_prefix("| ")?.replace("\\|", "/");
        let cells: Vec<String> = line.split('|').map(|cell| cell.trim().to_owned()).collect();
        cells[0].ends_with("rg").then_some(cells)
    };
    text.lines().filter_map(row).collect()
}

/// The table of the micro files; none, with a line that says so, where they are absent.
fn table() -> Vec<Vec<String>> {
    match std::fs::read_to_string(root().join("rg-micro/README.md")) {
        Ok(text) => rows(&text),
        Err(_) => {
            println!("skipped: there is no {}", root().join("rg-micro").display());
            Vec::new()
        }
    }
}

/// The tags of a move.
fn tags(automaton: &Automaton, chosen: &Move) -> String {
    let names = chosen.tags.iter().map(|tag| automaton.name(Symbol(tag.symbol.into())));
    format!("`{}`", names.collect::<Vec<&str>>().join(" "))
}

/// The moves of the first state in which somebody else than the keeper is to move, sorted.
fn moves(rules: &Rules) -> Result<Vec<String>, Fault> {
    let automaton = front::read(&rules.source).0.expect("a sound file");
    let game = reference(automaton, &Limits::default());
    let mut state = game.begin();
    let mut moves = game.list(&state)?;
    while game.rules.mover(&state.cells) == Some(Mover::Keeper) && moves.len() == 1 {
        state.make(&moves[0]);
        moves = game.list(&state)?;
    }
    let mut found: Vec<String> =
        moves.iter().map(|chosen| tags(&game.rules.automaton, chosen)).collect();
    found.sort();
    Ok(found)
}

/// The moves and leaf counts of a file, or its error.
fn told(rules: &Rules, depth: usize) -> String {
    let moves = match moves(rules) {
        Ok(moves) => moves.join(", "),
        Err(fault) => return fault.text().to_owned(),
    };
    let counts = match crate::perft(rules, &Limits::default(), depth as u32) {
        Ok(counts) => counts.iter().map(u64::to_string).collect::<Vec<String>>().join(" "),
        Err(error) => error.one_line(&rules.source),
    };
    format!("{moves}; {counts}")
}

/// The same as the table has it; a list of moves that it cuts off is completed by `found`.
fn expected(moves: &str, counts: &str, found: &str) -> String {
    if moves.contains("...") {
        let number = moves.rsplit(['(', ')']).nth(1).unwrap_or_default();
        let found = found.split(';').next().unwrap_or_default();
        assert_eq!(found.split(", ").count().to_string(), number, "{moves}");
        return format!("{found}; {counts}");
    }
    let mut moves: Vec<&str> = moves.split(", ").filter(|&name| name != "none").collect();
    moves.sort_unstable();
    format!("{}; {counts}", moves.join(", "))
}

#[test]
fn moves_and_counts_are_those_of_the_table() {
    let mut differ = Vec::new();
    for row in table().iter().filter(|row| row.len() > 4) {
        let [name, _, moves, counts, ..] = &row[..] else { continue };
        let rules = rules(&source(&root().join("rg-micro").join(name)));
        let told = told(&rules, counts.split(' ').count());
        let other = OTHERS.iter().find(|(file, ..)| file == name);
        let expected =
            other.map_or_else(|| expected(moves, counts, &told), |other| other.1.to_owned());
        if told != expected {
            let reason = other.map_or("", |other| other.2);
            differ.push(format!("{name}: {told}\n  not {expected} {reason}"));
        }
    }
    assert!(differ.is_empty(), "{}", differ.join("\n"));
}

#[test]
fn faulty_files_are_refused() {
    let refused: Vec<String> =
        table().into_iter().filter(|row| row.len() == 3).map(|row| row[0].clone()).collect();
    for source in shared("rg-micro") {
        let said = crate::check(&rules(&source));
        let is_refused = said.iter().any(text::Diagnostic::is_error);
        let name = source.name();
        assert_eq!(is_refused, refused.iter().any(|file| file == name), "{name}: {said:?}");
    }
}
