//! The facts about each cell: the panel that its figures open.

use std::collections::BTreeMap;

use serde::Serialize;

use super::tables::panel;
use super::words::{about_loop, about_method, about_verdict};
use crate::format;
use crate::record::{Record, settings};
use crate::render::remarks::detected;
use crate::render::{counted, length, plus_minus, rate_with_interval};
use crate::rows::Sample;
use crate::stats::Mean;
use crate::table::{Cell, Column, Figures, GameRow, Table};
use crate::text::printable;

/// Rounds that a panel lists; a longer measurement is in the rows.
const MOST_ROUNDS: usize = 60;

/// A panel: its name in the page, its name in addresses, a title and facts.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Panel {
    pub(super) id: String,
    /// `game/column`, by which an address names it.
    pub(super) address: String,
    pub(super) title: String,
    pub(super) facts: Vec<Fact>,
}

/// A name and what is known.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Fact {
    pub(super) name: &'static str,
    pub(super) text: String,
    /// True if it is to be typed.
    pub(super) is_command: bool,
}

/// A panel for each cell of the table.
pub(super) fn panels(table: &Table, samples: &[Sample], record: Option<&Record>) -> Vec<Panel> {
    let mut seeds: BTreeMap<(String, String), u64> = BTreeMap::new();
    for sample in samples {
        let pair = (printable(&sample.game).into_owned(), printable(&sample.engine).into_owned());
        seeds.entry(pair).or_insert(sample.seed);
    }
    let of_cell = |(row, column, cell): (usize, usize, &Cell)| {
        let (game, head) = (&table.games()[row], &table.columns()[column]);
        let seed = seeds.get(&(game.id.clone(), head.engine.clone())).copied().unwrap_or(0);
        Panel {
            id: panel(row, column),
            address: format!("{}/{}", game.id, head.label()),
            title: format!("{} on {}", game.title, head.label()),
            facts: facts(game, head, cell, seed, record),
        }
    };
    table.cells().map(of_cell).collect()
}

fn facts(
    game: &GameRow,
    column: &Column,
    cell: &Cell,
    seed: u64,
    record: Option<&Record>,
) -> Vec<Fact> {
    let mut facts = Vec::new();
    let mut fact = |name, text: String| {
        if !text.is_empty() {
            facts.push(Fact { name, text, is_command: false });
        }
    };
    fact("verdict", format!("{}: {}", cell.verdict(), about_verdict(cell.verdict())));
    fact("why", cell.reason().to_owned());
    fact("would have seen", cell.detects().map(detected).unwrap_or_default());
    if let Some(figures) = cell.figures() {
        for (name, text) in of_figures(figures) {
            fact(name, text);
        }
    }
    let mut ways = vec![format!("{}: {}", column.via, about_loop(column.via))];
    ways.extend(cell.methods().iter().map(|&of| format!("{of}: {}", about_method(of))));
    fact("how it played", ways.join("\n"));
    fact("threads", column.threads.to_string());
    fact("playouts in a job", column.job.map(format::count).unwrap_or_default());
    fact("language", cell.language().to_owned());
    fact("hash of the rules", cell.rules().join(", "));
    fact("options of the rules", cell.options().join(", "));
    fact("hash of the program", cell.builds().join(", "));
    let known = |value: Option<u64>, text: fn(u64) -> String| value.map(text).unwrap_or_default();
    fact("compiled in", known(cell.compile_ns(), format::duration));
    fact("first playout done in", known(cell.first_playout_ns(), format::duration));
    fact("peak memory", known(cell.peak_bytes(), format::bytes));
    fact("a position", known(cell.state_bytes(), format::bytes));
    fact("tokens of the description", known(cell.tokens(), format::count));
    fact("warnings", cell.warnings().join("\n"));
    facts.extend(again(game, column, seed, record));
    facts
}

/// Mean payoffs of the players with 95 % intervals.
fn payoffs(figures: &Figures) -> String {
    let shown = |mean: &Mean| match mean.error {
        Some(error) => format!("{:.3} ± {:.3}", mean.value, 1.96 * error),
        None => format!("{:.3}", mean.value),
    };
    figures.payoffs.iter().map(shown).collect::<Vec<_>>().join(", ")
}

fn of_figures(figures: &Figures) -> Vec<(&'static str, String)> {
    let rate = &figures.per_cpu_second;
    let processes = figures.rates_by_process();
    let mut facts = vec![
        ("playouts / CPU s", format!("{} {}", rate_with_interval(rate), plus_minus(rate))),
        ("playouts / s", rate_with_interval(&figures.per_wall_second)),
        ("plies / CPU s", rate_with_interval(&figures.plies_per_cpu_second)),
        ("mean plies", length(figures)),
        ("mean payoffs", payoffs(figures)),
        (
            "measured",
            format!(
                "{} playouts in {} of {}, {}, {} CPU time, {} % of the cores' time",
                format::count(figures.playouts),
                counted(figures.samples, "sample"),
                counted(figures.rounds(), "round"),
                match processes.len() {
                    1 => "1 process".to_owned(),
                    several => format!("{several} processes"),
                },
                format::duration(figures.cpu_ns),
                (100.0 * figures.utilisation).round()
            ),
        ),
        ("samples", samples(&processes)),
        ("machines", figures.hosts().join(", ")),
    ];
    for (name, count) in [("capped", figures.capped), ("stuck", figures.stuck)] {
        if count > 0 {
            facts.push((name, format!("{} playouts", format::count(count))));
        }
    }
    facts
}

/// The rate of each round, a line a process.
fn samples(processes: &[Vec<f64>]) -> String {
    let mut left = MOST_ROUNDS;
    let mut lines = Vec::new();
    for (number, rounds) in processes.iter().enumerate() {
        let shown = rounds.len().min(left);
        if shown == 0 {
            lines.push(format!("… and {} more processes", processes.len() - number));
            break;
        }
        left -= shown;
        let rates: Vec<String> = rounds[..shown].iter().map(|&r| format::readable(r)).collect();
        let more = rounds.len() - shown;
        let rest = if more > 0 { format!(" … and {more} more") } else { String::new() };
        lines.push(format!("process {}: {}{rest}", number + 1, rates.join(" · ")));
    }
    lines.join("\n")
}

/// The fact that tells how to measure the cell again: a command if the run's record gives one, and
/// otherwise the settings in the rows.
fn again(game: &GameRow, column: &Column, seed: u64, record: Option<&Record>) -> Option<Fact> {
    let name = "measure it again";
    if let Some(text) = record.and_then(|record| record.command_for(game, column, seed)) {
        return Some(Fact { name, text, is_command: true });
    }
    let mut words = vec!["--engines".to_owned(), column.engine.clone()];
    words.extend(settings(column, seed));
    let options = shlex::try_join(words.iter().map(String::as_str)).ok()?;
    let text = format!(
        "The run has no record of the command that began it; of this cell the rows tell {}",
        printable(&options)
    );
    Some(Fact { name, text, is_command: false })
}
