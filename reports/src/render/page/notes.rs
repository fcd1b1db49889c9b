//! The notes beside the figures: pairs that are not `ok` with their reasons, and warnings, both in
//! groups.

use serde::Serialize;

use super::words::about_verdict;
use crate::render::{counted, listed};
use crate::rows::Verdict;
use crate::table::{Cell, Table};

/// Notes of one kind.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Group {
    pub(super) kind: String,
    /// The number of its members.
    pub(super) count: String,
    pub(super) items: Vec<Item>,
}

/// A note: what it is about, and the text where it has one of its own.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Item {
    pub(super) about: String,
    pub(super) text: String,
}

/// Pairs that are not `ok`, the worst verdict first. A pair that failed alike in several columns
/// stands once.
pub(super) fn not_ok(table: &Table) -> Vec<Group> {
    let verdicts = table.verdicts().into_iter().map(|(verdict, _)| verdict).rev();
    let group = |verdict: Verdict| {
        let mut items: Vec<Item> = Vec::new();
        let mut last: Option<(usize, &str, &str)> = None;
        for (row, column, cell) in table.cells().filter(|(.., cell)| cell.verdict() == verdict) {
            let engine = table.columns()[column].engine.as_str();
            let key = (row, engine, cell.reason());
            if last == Some(key) {
                continue;
            }
            last = Some(key);
            let about = format!("{engine} on {}", table.games()[row].title);
            items.push(Item { about, text: cell.reason().to_owned() });
        }
        let kind = format!("{verdict}: {}", about_verdict(verdict));
        Group { kind, count: counted(items.len(), "pair"), items }
    };
    verdicts.filter(|&verdict| verdict != Verdict::Ok).map(group).collect()
}

/// Warnings, those of the run first, then those of samples by kind: a line a game, with the engines
/// that it concerns.
pub(super) fn warnings(table: &Table, of_run: &[String]) -> Vec<Group> {
    let mut groups = Vec::new();
    if !of_run.is_empty() {
        let item = |text: &String| Item { about: String::new(), text: text.clone() };
        let kind = "of the run as a whole".to_owned();
        groups.push(Group {
            kind,
            count: of_run.len().to_string(),
            items: of_run.iter().map(item).collect(),
        });
    }
    let mut kinds: Vec<&str> = Vec::new();
    for warning in table.cells().flat_map(|(.., cell)| cell.warnings()) {
        if !kinds.contains(&warning.as_str()) {
            kinds.push(warning);
        }
    }
    groups.extend(by_game(table, "contended (†)", Cell::is_contended));
    for kind in kinds {
        groups.extend(by_game(table, kind, |cell| cell.warnings().iter().any(|w| w == kind)));
    }
    let is_spread = |cell: &Cell| cell.figures().is_some_and(|figures| figures.hosts().len() > 1);
    groups.extend(by_game(table, "measured on several machines", is_spread));
    groups
}

/// The sorts of warnings, in a sentence, so that nobody has to look for them.
pub(super) fn summary(warnings: &[Group]) -> Option<String> {
    let kind = |group: &Group| format!("{} ({})", group.kind, group.count);
    let kinds: Vec<String> = warnings.iter().map(kind).collect();
    (!kinds.is_empty()).then(|| format!("Warnings: {}.", listed(&kinds)))
}

fn by_game(table: &Table, kind: &str, concerns: impl Fn(&Cell) -> bool) -> Option<Group> {
    let mut cells = 0;
    let mut items = Vec::new();
    for (row, game) in table.games().iter().enumerate() {
        let columns = (0..table.columns().len())
            .filter(|&column| table.cell(row, column).is_some_and(&concerns));
        let labels: Vec<String> = columns.map(|column| table.columns()[column].label()).collect();
        if !labels.is_empty() {
            cells += labels.len();
            items.push(Item { about: game.title.clone(), text: labels.join(", ") });
        }
    }
    let games = counted(items.len(), "game");
    let count = format!("{} in {games}", counted(cells, "cell"));
    (!items.is_empty()).then(|| Group { kind: kind.to_owned(), count, items })
}
