//! The differences between two runs besides their figures.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;

use super::Key;
use crate::Run;
use crate::table::{Cell, Column};
use crate::text::printable;

/// Lines of `machine.txt` that two runs should share for their figures to be compared.
const FACTS: [&str; 6] = ["cpu", "host", "kernel", "compiler", "build", "git revision"];

/// True if two lists of hashes say different things. An empty one is of an old file and says
/// nothing.
pub(super) fn differ(a: &[String], b: &[String]) -> bool {
    let set = |hashes: &[String]| hashes.iter().cloned().collect::<BTreeSet<_>>();
    !a.is_empty() && !b.is_empty() && set(a) != set(b)
}

/// A line for each setting that differs, and for what neither run can show.
pub(super) fn differences((a, b): (&Run, &Run), pairs: &[(Key<'_>, &Cell, &Cell)]) -> Vec<String> {
    let mut lines = Vec::new();
    for name in FACTS {
        let (of_a, of_b) = (fact(a, name), fact(b, name));
        if !of_a.is_empty() && !of_b.is_empty() && of_a != of_b {
            let list = |values: &BTreeSet<String>| {
                values.iter().map(String::as_str).collect::<Vec<_>>().join(" and ")
            };
            lines.push(format!("{name}: {} before, {} after", list(&of_a), list(&of_b)));
        }
    }
    let builds = pairs.iter().filter(|(_, a, b)| differ(a.builds(), b.builds()));
    let builds: BTreeSet<&str> = builds.map(|((_, column), ..)| &*column.engine).collect();
    if !builds.is_empty() {
        let engines: Vec<&str> = builds.into_iter().collect();
        lines.push(format!("other builds of {}", engines.join(", ")));
    }
    for (what, of) in [("options", options as fn(&Cell) -> String), ("method", methods)] {
        lines.extend(pairs.iter().filter_map(|&((game, column), a, b)| {
            let (of_a, of_b) = (of(a), of(b));
            let said = what == "options" || !(of_a.is_empty() || of_b.is_empty());
            (said && of_a != of_b).then(|| {
                let named = |text: String| if text.is_empty() { "none".to_owned() } else { text };
                let (of_a, of_b) = (named(of_a), named(of_b));
                format!("{what} of {game} on {}: {of_a} before, {of_b} after", column.label())
            })
        }));
    }
    let single = |cell: &Cell| cell.figures().is_some_and(|figures| figures.processes() < 2);
    let count = pairs.iter().filter(|(_, a, b)| single(a) || single(b)).count();
    if count > 0 {
        lines.push(format!(
            "{count} of {} cells were measured by one process in a run, so what differs from \
             process to process is not in their intervals: small differences may be chance",
            pairs.len()
        ));
    }
    lines
}

/// Engines that stand in other columns in the two runs because they were run another way, and so
/// are not compared.
pub(super) fn other_ways(only_a: &[(String, Column)], only_b: &[(String, Column)]) -> Vec<String> {
    let mut ways: BTreeMap<(String, String), usize> = BTreeMap::new();
    for (game, before) in only_a {
        let same = |(other, after): &&(String, Column)| {
            other == game
                && (&after.engine, after.threads, after.job)
                    == (&before.engine, before.threads, before.job)
        };
        if let Some((_, after)) = only_b.iter().find(same) {
            *ways.entry((before.label(), after.label())).or_default() += 1;
        }
    }
    let line = |((before, after), games): ((String, String), usize)| {
        let games = if games == 1 { "1 game".to_owned() } else { format!("{games} games") };
        format!("{before} before, {after} after in {games}: played in other ways, so not compared")
    };
    ways.into_iter().map(line).collect()
}

/// The values of a line of `machine.txt`, which a merged run has for every machine.
fn fact(run: &Run, name: &str) -> BTreeSet<String> {
    let lines = run.machine.as_deref().unwrap_or_default().lines();
    let values = lines.filter_map(|line| line.split_once(": ").filter(|(key, _)| *key == name));
    values.map(|(_, value)| printable(value.trim()).into_owned()).collect()
}

fn options(cell: &Cell) -> String {
    cell.options().join(", ")
}

fn methods(cell: &Cell) -> String {
    joined(cell.methods())
}

fn joined(words: &[impl Display]) -> String {
    words.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
