//! The difference between two runs as text and as CSV.

use std::fmt::Write as _;

use comfy_table::CellAlignment;

use super::csv::Fields;
use super::remarks::{MARKED_CONTENDED, contention_note};
use super::sheet::{STYLE, lines};
use super::{counted, factor_with_interval};
use crate::compare::{Change, Comparison};
use crate::format::{machine, readable};
use crate::table::Column;

/// A table of ratios (*b* over *a*) with intervals and changed verdicts, then what only one run has
/// or played by other rules, then the geometric mean and what must not be overlooked.
pub fn comparison_text(comparison: &Comparison) -> String {
    let mut out = comfy_table::Table::new();
    out.load_style(STYLE);
    out.force_no_tty();
    out.set_header(["game", "engine", "before", "after", "after / before", ""]);
    for change in &comparison.changes {
        let rate = |rate: Option<f64>, verdict: crate::Verdict, contended: bool| {
            let text = rate.map_or_else(|| verdict.to_string(), readable);
            if contended { format!("{text} {MARKED_CONTENDED}") } else { text }
        };
        out.add_row([
            change.game.clone(),
            change.column.label(),
            rate(change.rates.0, change.verdicts.0, change.contended.0),
            rate(change.rates.1, change.verdicts.1, change.contended.1),
            change.ratio.as_ref().map_or_else(|| "–".to_owned(), factor_with_interval),
            remark(change),
        ]);
    }
    for column in out.column_iter_mut().skip(2).take(3) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let mut text = match &comparison.changes[..] {
        [] => "The runs share no cell that can be compared.\n".to_owned(),
        _ => lines(&out),
    };
    for (what, cells) in [
        ("only before", &comparison.only_a),
        ("only after", &comparison.only_b),
        ("other rules, not compared", &comparison.other_rules),
    ] {
        for (column, games) in by_column(cells) {
            let _ = writeln!(text, "{what}: {column} on {games}");
        }
    }
    if let Some((mean, pairs)) = &comparison.mean {
        let mean = factor_with_interval(mean);
        let _ = writeln!(text, "geometric mean of {}: {mean}", counted(*pairs, "pair"));
    }
    for warning in &comparison.warnings {
        let _ = writeln!(text, "warning: {warning}");
    }
    if comparison.changes.iter().any(|change| change.contended.0 || change.contended.1) {
        let _ = writeln!(text, "{}", contention_note());
    }
    if comparison.changes.is_empty() {
        return text;
    }
    let tested = comparison.changes.iter().filter(|change| change.p_value.is_some()).count();
    let _ = writeln!(
        text,
        "Called faster or slower is what remains significant at 5 % over all {} (Holm's \
         correction). Intervals are each cell's own and tell the noise inside the runs; what \
         changed on the machine between the runs is not in them.",
        counted(tested, "cell")
    );
    text
}

/// The number of games of a column that are named.
const NAMED: usize = 5;

/// Columns, in order of appearance, each with its games: those of many are counted.
fn by_column(cells: &[(String, Column)]) -> Vec<(String, String)> {
    let mut columns: Vec<(String, Vec<&str>)> = Vec::new();
    for (game, column) in cells {
        let label = column.label();
        match columns.iter_mut().find(|(known, _)| *known == label) {
            Some((_, games)) => games.push(game),
            None => columns.push((label, vec![game])),
        }
    }
    let named = columns.into_iter().map(|(label, games)| {
        let mut names = games.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
        if games.len() > NAMED {
            let _ = write!(names, " and {} more", games.len() - NAMED);
        }
        (label, names)
    });
    named.collect()
}

fn remark(change: &Change) -> String {
    let (before, after) = change.verdicts;
    let verdict = (before != after).then(|| format!("{before} → {after}"));
    let speed = change.ratio.filter(|_| change.is_significant());
    let speed = speed.map(|ratio| if ratio.value > 1.0 { "faster" } else { "slower" }.to_owned());
    verdict.into_iter().chain(speed).collect::<Vec<_>>().join(", ")
}

/// The columns of [`comparison_csv`], in order.
const HEADER: [&str; 19] = [
    "game",
    "engine",
    "via",
    "tabled",
    "threads",
    "job",
    "verdict_a",
    "verdict_b",
    "playouts_per_cpu_s_a",
    "playouts_per_cpu_s_b",
    "contended_a",
    "contended_b",
    "ratio",
    "ratio_low",
    "ratio_high",
    "p_value",
    "significant",
    "in_a",
    "in_b",
];

/// One line a cell: both verdicts, both rates, the ratio with its interval, and whether it is
/// significant after Holm's correction. Cells that were not compared have no verdict; `in_a` and
/// `in_b` say which run has them, or that the rules were others.
pub fn comparison_csv(comparison: &Comparison) -> String {
    let mut out = Fields::new(&HEADER);
    let number = |value: Option<f64>| value.map(machine).unwrap_or_default();
    let mut line = |game: &str, column: &Column, change: Option<&Change>, places: [&str; 2]| {
        let ratio = change.and_then(|change| change.ratio);
        let interval = ratio.and_then(|ratio| ratio.interval);
        let of = |text: fn(&Change) -> String| change.map(text).unwrap_or_default();
        let fields: [String; 19] = [
            game.to_owned(),
            column.engine.clone(),
            column.via.to_string(),
            column.tabled.to_string(),
            column.threads.to_string(),
            column.job.map_or_else(String::new, |job| job.to_string()),
            of(|change| change.verdicts.0.to_string()),
            of(|change| change.verdicts.1.to_string()),
            number(change.and_then(|change| change.rates.0)),
            number(change.and_then(|change| change.rates.1)),
            of(|change| change.contended.0.to_string()),
            of(|change| change.contended.1.to_string()),
            number(ratio.map(|ratio| ratio.value)),
            number(interval.map(|interval| interval.low)),
            number(interval.map(|interval| interval.high)),
            number(change.and_then(|change| change.p_value)),
            of(|change| change.is_significant().to_string()),
            places[0].to_owned(),
            places[1].to_owned(),
        ];
        out.line(&fields);
    };
    for change in &comparison.changes {
        line(&change.game, &change.column, Some(change), ["present", "present"]);
    }
    for (cells, places) in [
        (&comparison.only_a, ["present", "absent"]),
        (&comparison.only_b, ["absent", "present"]),
        (&comparison.other_rules, ["other rules", "other rules"]),
    ] {
        for (game, column) in cells {
            line(game, column, None, places);
        }
    }
    out.finish()
}
