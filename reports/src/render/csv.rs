//! `table.csv`: one line a cell, for machines.

use crate::format::machine;
use crate::rows::one_line;
use crate::stats::Estimate;
use crate::table::{Cell, Speedups, Table};

const HEADER: [&str; 40] = [
    "game",
    "title",
    "paper",
    "players",
    "engine",
    "language",
    "via",
    "threads",
    "job",
    "verdict",
    "reason",
    "playouts_per_cpu_s",
    "playouts_per_cpu_s_low",
    "playouts_per_cpu_s_high",
    "playouts_per_wall_s",
    "playouts_per_wall_s_low",
    "playouts_per_wall_s_high",
    "plies_per_cpu_s",
    "plies_per_cpu_s_low",
    "plies_per_cpu_s_high",
    "mean_plies",
    "mean_plies_error",
    "speedup",
    "speedup_low",
    "speedup_high",
    "speedup_over",
    "playouts",
    "capped",
    "stuck",
    "samples",
    "rounds",
    "cpu_s",
    "wall_s",
    "utilisation",
    "compile_ns",
    "first_playout_ns",
    "peak_bytes",
    "state_bytes",
    "tokens",
    "warnings",
];

/// The aggregated table as CSV, one line a cell. Figures are empty where the verdict allows none; line breaks in reasons are escaped as in `measurements.csv`.
pub fn table_csv(table: &Table, speedups: &Speedups) -> String {
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    writer.write_record(HEADER).expect("a vector takes every byte");
    let baseline =
        table.columns().get(speedups.baseline).map(crate::Column::label).unwrap_or_default();
    for (row, column, cell) in table.cells() {
        let record =
            record(table, (row, column), cell, speedups.ratios[row][column].as_ref(), &baseline);
        writer.write_record(record).expect("every record has the header's length");
    }
    let bytes = writer.into_inner().expect("a vector takes every byte");
    String::from_utf8(bytes).expect("made of strings")
}

fn record(
    table: &Table,
    (row, column): (usize, usize),
    cell: &Cell,
    speedup: Option<&Estimate>,
    baseline: &str,
) -> Vec<String> {
    let (game, column) = (&table.games()[row], &table.columns()[column]);
    let figures = cell.figures();
    let optional = |value: Option<u64>| value.map(|value| value.to_string()).unwrap_or_default();
    let mut record = vec![
        game.id.clone(),
        game.title.clone(),
        game.paper.join(";"),
        game.players.to_string(),
        column.engine.clone(),
        cell.language().to_owned(),
        column.via.to_string(),
        column.threads.to_string(),
        column.job.map_or_else(String::new, |job| job.to_string()),
        cell.verdict().to_string(),
        one_line(cell.reason()).into_owned(),
    ];
    record.extend(estimate(figures.map(|figures| &figures.per_cpu_second)));
    record.extend(estimate(figures.map(|figures| &figures.per_wall_second)));
    record.extend(estimate(figures.map(|figures| &figures.plies_per_cpu_second)));
    record.push(figures.map(|figures| machine(figures.length.value)).unwrap_or_default());
    record.push(figures.and_then(|figures| figures.length.error).map(machine).unwrap_or_default());
    record.extend(estimate(speedup));
    record.push(speedup.map(|_| baseline.to_owned()).unwrap_or_default());
    match figures {
        None => record.extend(std::iter::repeat_n(String::new(), 8)),
        Some(figures) => record.extend([
            figures.playouts.to_string(),
            figures.capped.to_string(),
            figures.stuck.to_string(),
            figures.samples.to_string(),
            figures.rounds().to_string(),
            machine(figures.cpu_ns as f64 / 1e9),
            machine(figures.wall_ns as f64 / 1e9),
            machine(figures.utilisation),
        ]),
    }
    record.extend([
        optional(cell.compile_ns()),
        optional(cell.first_playout_ns()),
        optional(cell.peak_bytes()),
        optional(cell.state_bytes()),
        optional(cell.tokens()),
        cell.warnings().join(";"),
    ]);
    record
}

fn estimate(estimate: Option<&Estimate>) -> [String; 3] {
    let part = |value: Option<f64>| value.map(machine).unwrap_or_default();
    let interval = estimate.and_then(|estimate| estimate.interval);
    [
        part(estimate.map(|estimate| estimate.value)),
        part(interval.map(|interval| interval.low)),
        part(interval.map(|interval| interval.high)),
    ]
}
