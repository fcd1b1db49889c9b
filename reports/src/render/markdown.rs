//! `table.md`: the tables for people, with what is needed to judge them.

use std::fmt::Write as _;

use super::grid::{self, Grid, Note};
use super::remarks::{baseline, contention, contention_note, control_summary, power, tabled_note};
use super::{claim, counted, curves, verdicts};
use crate::curves::Curves;
use crate::rows::Via;
use crate::stats::{LEVEL, RESAMPLES};
use crate::table::{Cell, Column, Speedups, Table};
use crate::text::{printable, printable_lines};

/// The parts of a written report.
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
    /// Warnings from the reader of the rows.
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
    for remark in [power(table), contention(table), control_summary(table)].into_iter().flatten() {
        let _ = writeln!(out, "\n{}", escape(&remark));
    }
    if let Some(grid) = grid::speedups(table, speedups) {
        let heading = escape(&table.columns()[speedups.baseline].label());
        let _ = writeln!(out, "\n## Speed-up over {heading}\n");
        if let Some(baseline) = baseline(table, speedups) {
            let _ = writeln!(out, "{}\n", escape(&baseline));
        }
        print(&mut out, &grid);
    }
    if let Some(grid) = grid::searches(table) {
        let _ = write!(out, "\n## {}\n\n{}\n\n", grid::SEARCHES, grid::ABOUT_SEARCHES);
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
    if let Some(section) = claim::section(table) {
        let _ = writeln!(out, "\n## {}\n", claim::HEADING);
        print_claim(&mut out, &section);
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

/// The published figures beside ours alone, for a README; `None` where no game stands for a
/// published row.
pub fn published_markdown(table: &Table) -> Option<String> {
    let (grid, _) = grid::published(table)?;
    let mut out = String::new();
    print(&mut out, &grid);
    Some(out)
}

/// `claim.md`: the paper's claim, tested on this run, with every row; `None` where no game stands
/// for a published row.
pub fn claim_markdown(table: &Table) -> Option<String> {
    let section = claim::section(table)?;
    let mut out = format!("# {}\n\n", claim::HEADING);
    print_claim(&mut out, &section);
    out.push_str("\n## Row by row\n\n");
    print(&mut out, &section.rows);
    Some(out)
}

/// The claim without its rows, for a README; `None` where no game stands for a published row.
pub fn claim_summary_markdown(table: &Table) -> Option<String> {
    let mut out = String::new();
    print_claim(&mut out, &claim::section(table)?);
    Some(out)
}

/// The verdict on the claim between the engines of the run, an item a pair of them, for a README;
/// `None` if there is no verdict.
pub fn claim_outcome_markdown(table: &Table) -> Option<String> {
    let items = claim::outcome(&crate::claim::claim(table)?)?.items;
    Some(items.iter().map(|item| format!("- {}\n", escape(item))).collect())
}

fn print_claim(out: &mut String, section: &claim::Section) {
    for claim::Paragraph { text, items } in &section.paragraphs {
        let _ = writeln!(out, "{}\n", escape(text));
        for item in items {
            let _ = writeln!(out, "- {}", escape(item));
        }
        if !items.is_empty() {
            out.push('\n');
        }
    }
    print(out, &section.summary);
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

/// The facts that a reader has to know, a sentence or two each.
pub(super) fn how_to_read(document: &Document<'_>) -> Vec<String> {
    let Document { table, speedups, .. } = *document;
    let (level, resamples) = (100.0 * LEVEL, crate::format::count(RESAMPLES as u64));
    let mut lines =
        vec![
        "A figure is playouts per second of CPU time: all playouts over all seconds of the \
         samples after warm-up, for one core whatever the number of threads. k is a thousand, M a \
         million.".to_owned(),
        interval_note(table, level, &resamples),
        "A figure stands only beside a verdict. Pairs that are neither `ok` nor `unchecked` have \
         none and are left out of every ratio, mean and chart; `unchecked` says that nothing was \
         there to check against. A dash is a game that the engine does not play in this way: it is \
         not written in a language of the engine, or a column with a word in brackets has no such \
         way for it.".to_owned(),
    ];
    if table.cells().any(|(.., cell)| Cell::is_contended(cell)) {
        lines.push(contention_note());
    }
    if !speedups.is_empty() {
        lines.push(
            "A speed-up is formed between what was measured together: inside the processes \
            that both engines share, or inside the rounds where there is one process. Its \
            geometric mean is over games; the interval of the mean tells the noise of measuring \
            these games, not the luck of having chosen them."
                .to_owned(),
        );
    }
    if speedups.has_bounds() {
        lines.push(tabled_note());
    }
    if let Some(line) = ways_note(table) {
        lines.push(line);
    }
    if table.games().iter().any(|game| game.size.is_some()) {
        lines.push(curves::READ_GROWTH.to_owned());
    }
    lines.push(
        "Mean plies come from the engine with the most playouts, with their standard \
        error; forced passes are not counted."
            .to_owned(),
    );
    lines.push(
        "Everything here is computed from `measurements.csv`, which has every sample.".to_owned(),
    );
    lines
}

/// The meaning of the interval in brackets.
fn interval_note(table: &Table, level: f64, resamples: &str) -> String {
    let processes = |processes: fn(usize) -> bool| {
        let mut figures = table.cells().filter_map(|(.., cell)| cell.figures());
        figures.any(|figures| processes(figures.processes()))
    };
    let student =
        "from the spread between worker processes (Student's t on the logarithms of their rates)";
    let bootstrap = format!("of a bootstrap over rounds ({resamples} resamples)");
    let how = match (processes(|count| count > 1), processes(|count| count == 1)) {
        (true, false) => student.to_owned(),
        (true, true) => format!("{student}; {bootstrap} where one process measured"),
        (false, _) => bootstrap,
    };
    format!(
        "In brackets stands the {level} % interval {how}. It tells the noise of this run on this \
         machine, nothing about another machine."
    )
}

/// Simulations over playouts alone, for documents; `None` where no engine has both.
pub fn searches_markdown(table: &Table) -> Option<String> {
    let mut out = String::new();
    print(&mut out, &grid::searches(table)?);
    Some(out)
}

/// The meaning of the words in the brackets of columns and of their methods, as far as any column
/// or cell has them.
fn ways_note(table: &Table) -> Option<String> {
    let any = |test: fn(&Column) -> bool| table.columns().iter().any(test);
    let mut parts = Vec::new();
    if any(|column| column.via == Via::Listed) {
        parts.push("(listed) lists all legal moves of every position, as published figures do");
    }
    if any(|column| column.via == Via::Interpreted) {
        parts.push("(interpreted) plays without machine code made for the game");
    }
    if any(|column| column.via == Via::Uct) {
        parts.push("(uct) makes playouts in searches by UCT, one a simulation");
    }
    if any(|column| column.tabled) {
        parts.push(
            "(tabled) carries results over from one playout to the next; beside another column it \
            is a bound, and it is the fastest of no game",
        );
    }
    if any(|column| column.control) {
        parts.push(
            "(control) is the same column measured again, and takes part in no ranking or mean",
        );
    }
    (!parts.is_empty()).then(|| format!("A column marked {}.", parts.join("; ")))
}

/// Makes text stand for itself inside a line or a table field of Markdown: signs of Markdown after
/// a backslash, those of HTML as entities.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in printable(text).chars() {
        match c {
            '\\' | '|' | '*' | '_' | '`' | '[' | ']' | '#' | '~' => {
                out.push('\\');
                out.push(c);
            }
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            c => out.push(c),
        }
    }
    out
}

/// A code block whose fence is longer than any run of backticks in the text. What could be taken
/// for HTML stands in a block of HTML instead, with its signs as entities.
fn fenced(text: &str, indent: &str) -> String {
    if text.contains('<') {
        let text = printable_lines(text);
        let text = text.trim_end().replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let lines = text.lines().map(|line| format!("{indent}{line}").trim_end().to_owned());
        let lines: Vec<String> = lines.collect();
        return format!("{indent}<pre>\n{}\n{indent}</pre>\n", lines.join("\n"));
    }
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    let mut out = format!("{indent}{fence}text\n");
    for line in printable_lines(text).trim_end().lines() {
        let _ = writeln!(out, "{}", format!("{indent}{line}").trim_end());
    }
    let _ = writeln!(out, "{indent}{fence}");
    out
}
