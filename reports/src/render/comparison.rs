//! The difference between two runs as text and as CSV.

use std::fmt::Write as _;

use comfy_table::CellAlignment;

use super::terminal::{STYLE, lines};
use super::{counted, factor_with_interval};
use crate::compare::{Change, Comparison};
use crate::format::{machine, readable};
use crate::table::Column;

/// A table of ratios (*b* over *a*) with intervals and changed verdicts, then what only one run has, then the geometric mean.
pub fn comparison_text(comparison: &Comparison) -> String {
    let mut out = comfy_table::Table::new();
    out.load_style(STYLE);
    out.force_no_tty();
    out.set_header(["game", "engine", "before", "after", "after / before", ""]);
    for change in &comparison.changes {
        let rate = |rate: Option<f64>, verdict: crate::Verdict| {
            rate.map_or_else(|| verdict.to_string(), readable)
        };
        out.add_row([
            change.game.clone(),
            change.column.label(),
            rate(change.rates.0, change.verdicts.0),
            rate(change.rates.1, change.verdicts.1),
            change.ratio.as_ref().map_or_else(|| "–".to_owned(), factor_with_interval),
            remark(change),
        ]);
    }
    for column in out.column_iter_mut().skip(2).take(3) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let mut text = lines(&out);
    for (which, cells) in [("before", &comparison.only_a), ("after", &comparison.only_b)] {
        for (game, column) in cells {
            let _ = writeln!(text, "only {which}: {game} on {}", column.label());
        }
    }
    if let Some((mean, pairs)) = &comparison.mean {
        let mean = factor_with_interval(mean);
        let _ = writeln!(text, "geometric mean of {}: {mean}", counted(*pairs, "pair"));
    }
    text.push_str("Intervals tell the noise inside each run; what changed on the machine between the runs is not in them.\n");
    text
}

fn remark(change: &Change) -> String {
    let (before, after) = change.verdicts;
    if before != after {
        return format!("{before} → {after}");
    }
    match change.ratio {
        Some(ratio) if change.is_significant() => {
            if ratio.value > 1.0 { "faster" } else { "slower" }.to_owned()
        }
        _ => String::new(),
    }
}

/// One line a cell: both verdicts, both rates, the ratio with its interval, and whether the interval leaves out 1.
pub fn comparison_csv(comparison: &Comparison) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut write =
        |fields: [String; 13]| writer.write_record(fields).expect("a vector takes every byte");
    write(
        [
            "game",
            "engine",
            "via",
            "threads",
            "job",
            "verdict_a",
            "verdict_b",
            "playouts_per_cpu_s_a",
            "playouts_per_cpu_s_b",
            "ratio",
            "ratio_low",
            "ratio_high",
            "significant",
        ]
        .map(str::to_owned),
    );
    let job = |column: &Column| column.job.map_or_else(String::new, |job| job.to_string());
    let number = |value: Option<f64>| value.map(machine).unwrap_or_default();
    for change in &comparison.changes {
        let interval = change.ratio.and_then(|ratio| ratio.interval);
        write([
            change.game.clone(),
            change.column.engine.clone(),
            change.column.via.to_string(),
            change.column.threads.to_string(),
            job(&change.column),
            change.verdicts.0.to_string(),
            change.verdicts.1.to_string(),
            number(change.rates.0),
            number(change.rates.1),
            number(change.ratio.map(|ratio| ratio.value)),
            number(interval.map(|interval| interval.low)),
            number(interval.map(|interval| interval.high)),
            change.is_significant().to_string(),
        ]);
    }
    let mut only = |cells: &[(String, Column)], a: &str, b: &str| {
        for (game, column) in cells {
            let mut fields: [String; 13] = Default::default();
            fields[0].clone_from(game);
            fields[1].clone_from(&column.engine);
            fields[2] = column.via.to_string();
            fields[3] = column.threads.to_string();
            fields[4] = job(column);
            fields[5].push_str(a);
            fields[6].push_str(b);
            write(fields);
        }
    };
    only(&comparison.only_a, "present", "absent");
    only(&comparison.only_b, "absent", "present");
    let bytes = writer.into_inner().expect("a vector takes every byte");
    String::from_utf8(bytes).expect("made of strings")
}
