//! `table.md`: the tables for people, with what is needed to judge them.

use std::fmt::Write as _;

use super::grid::{self, Grid, Note};
use super::{counted, curves, verdicts};
use crate::curves::Curves;
use crate::stats::{LEVEL, RESAMPLES};
use crate::table::{CONTENTION, Figures, Speedups, Table};

/// What a written report is made of.
#[derive(Debug, Clone, Copy)]
pub struct Document<'d> {
    /// The aggregated rows.
    pub table: &'d Table,
    /// The ratios to show.
    pub speedups: &'d Speedups,
    /// The curves to show.
    pub curves: &'d [Curves],
    /// The machine's description, if known.
    pub machine: Option<&'d str>,
    /// What was noticed while reading.
    pub warnings: &'d [String],
}

/// The whole of `table.md`.
pub fn table_markdown(document: &Document<'_>) -> String {
    let Document { table, speedups, .. } = *document;
    let mut out = String::from("# Playouts per CPU second\n\n");
    let (games, pairs) =
        (counted(table.games().len(), "game"), counted(table.cells().count(), "pair"));
    let _ = writeln!(out, "{games}, {pairs} of game and engine: {}.\n", verdicts(table));
    let mut notes = Vec::new();
    print(&mut out, &grid::rates(table, &mut notes));
    if let Some(grid) = grid::speedups(table, speedups) {
        let baseline = escape(&table.columns()[speedups.baseline].label());
        let _ = writeln!(out, "\n## Speed-up over {baseline}\n");
        print(&mut out, &grid);
    }
    if let Some((grid, used)) = grid::published(table) {
        out.push_str("\n## Beside the published figures\n\n");
        print(&mut out, &grid);
        let _ = writeln!(out, "\n{}", grid::PUBLISHED);
        for published in used.into_iter().filter(|published| !published.note.is_empty()) {
            let _ =
                writeln!(out, "{}: {}.", escape(&published.reference()), escape(&published.note));
        }
    }
    for (heading, grid) in curves::grids(table, document.curves) {
        let _ = write!(out, "\n## {heading}\n\n");
        print(&mut out, &grid);
    }
    if let Some(grid) = grid::costs(table) {
        let _ = write!(out, "\n## {}\n\n", grid::COSTS);
        print(&mut out, &grid);
    }
    if let Some(grid) = grid::sizes(table) {
        let _ = write!(out, "\n## {}\n\n", grid::SIZES);
        print(&mut out, &grid);
    }
    print_notes(&mut out, &notes);
    let warnings: Vec<String> =
        document.warnings.iter().cloned().chain(grid::warnings(table)).collect();
    if !warnings.is_empty() {
        out.push_str("\n## Warnings\n\n");
        for warning in warnings {
            let _ = writeln!(out, "- {}", escape(&warning));
        }
    }
    if let Some(machine) = document.machine {
        let _ = write!(out, "\n## Machine\n\n{}", fenced(machine, ""));
    }
    out.push_str("\n## How to read this\n\n");
    for line in how_to_read(document) {
        let _ = writeln!(out, "- {line}");
    }
    out
}

/// The published figures beside ours alone, for a README; `None` where no game stands for a published
/// row.
pub fn published_markdown(table: &Table) -> Option<String> {
    let (grid, _) = grid::published(table)?;
    let mut out = String::new();
    print(&mut out, &grid);
    Some(out)
}

fn print(out: &mut String, grid: &Grid) {
    let line = |fields: &[String]| {
        let fields: Vec<String> = fields.iter().map(|field| escape(field)).collect();
        format!("| {} |\n", fields.join(" | "))
    };
    out.push_str(&line(&grid.header));
    let _ = writeln!(out, "|---|{}", "---:|".repeat(grid.header.len() - 1));
    for row in &grid.rows {
        out.push_str(&line(row));
    }
}

fn print_notes(out: &mut String, notes: &[Note]) {
    if notes.is_empty() {
        return;
    }
    out.push_str("\n## Why a pair is not `ok`\n\n");
    for (index, note) in notes.iter().enumerate() {
        let number = format!("{}. ", index + 1);
        if note.reason.contains('\n') {
            let _ = writeln!(out, "{number}{}\n", escape(&note.about));
            out.push_str(&fenced(&note.reason, &" ".repeat(number.len())));
        } else {
            let _ = writeln!(out, "{number}{}: {}", escape(&note.about), escape(&note.reason));
        }
    }
}

/// What a reader has to know, a sentence or two each.
pub(super) fn how_to_read(document: &Document<'_>) -> Vec<String> {
    let Document { table, speedups, .. } = *document;
    let (level, resamples) = (100.0 * LEVEL, crate::format::count(RESAMPLES as u64));
    let mut lines = vec![
        "A figure is playouts per second of CPU time: all playouts over all seconds of the samples after warm-up, for one core whatever the number of threads. k is a thousand, M a million.".to_owned(),
        format!("In brackets stands the {level} % interval of a bootstrap over rounds ({resamples} resamples). It tells the noise of this run on this machine, nothing about another machine."),
        "A figure stands only beside a verdict. Pairs that are neither `ok` nor `unchecked` have none and are left out of every ratio, mean and chart; `unchecked` says that nothing was there to check against. A dash is a pair that does not exist: the game is not written in a language of that engine.".to_owned(),
    ];
    if table.cells().any(|(.., cell)| cell.figures().is_some_and(Figures::is_contended)) {
        lines.push(format!(
            "† The worker had less than {:.0} % of its cores' time: something else was running. Measure again on an idle machine.",
            100.0 * CONTENTION
        ));
    }
    if !speedups.is_empty() {
        lines.push("A speed-up is formed inside the rounds that both engines share. Its geometric mean is over games; the interval of the mean tells the noise of measuring these games, not the luck of having chosen them.".to_owned());
    }
    if table.games().iter().any(|game| game.size.is_some()) {
        lines.push(curves::READ_GROWTH.to_owned());
    }
    lines.push("Mean plies come from the engine with the most playouts, with their standard error; forced passes are not counted.".to_owned());
    lines.push(
        "Everything here is computed from `measurements.csv`, which has every sample.".to_owned(),
    );
    lines
}

/// Makes text stand for itself inside a line or a table field of Markdown.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' | '|' | '*' | '_' | '`' | '<' | '>' | '[' | ']' | '#' | '~' => {
                out.push('\\');
                out.push(c);
            }
            '\n' | '\r' => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// A code block whose fence is longer than any run of backticks in the text.
fn fenced(text: &str, indent: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    let mut out = format!("{indent}{fence}text\n");
    for line in text.trim_end().lines() {
        let _ = writeln!(out, "{}", format!("{indent}{line}").trim_end());
    }
    let _ = writeln!(out, "{indent}{fence}");
    out
}
