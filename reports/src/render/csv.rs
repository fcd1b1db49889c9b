//! `table.csv`: one line a cell, for machines.

use crate::format::machine;
use crate::published::{self, System};
use crate::stats::Estimate;
use crate::table::{Bound, Cell, GameRow, Speedups, Table};
use crate::text::csv_field;

const HEADER: [&str; 61] = [
    "game",
    "title",
    "paper",
    "players",
    "engine",
    "language",
    "via",
    "method",
    "tabled",
    "control",
    "threads",
    "job",
    "verdict",
    "reason",
    "detects_plies",
    "detects_payoffs",
    "detects_by",
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
    "mean_payoffs",
    "mean_payoffs_error",
    "speedup",
    "speedup_low",
    "speedup_high",
    "speedup_over",
    "speedup_comparable",
    "over_playouts",
    "over_playouts_low",
    "over_playouts_high",
    "published_ludii_per_s",
    "published_gdl_per_s",
    "published_ratio",
    "over_published",
    "playouts",
    "capped",
    "stuck",
    "samples",
    "processes",
    "rounds",
    "cpu_s",
    "wall_s",
    "utilisation",
    "contended",
    "compile_ns",
    "first_playout_ns",
    "peak_bytes",
    "state_bytes",
    "tokens",
    "rules",
    "options",
    "build",
    "warnings",
];

/// The aggregated table as CSV, one line a cell. Figures are empty where the verdict allows none;
/// line breaks in reasons are written out, and a text that a spreadsheet would take for a formula
/// has an apostrophe before it.
pub fn table_csv(table: &Table, speedups: &Speedups) -> String {
    let mut out = Fields::new(&HEADER);
    let searches = table.searches();
    for (row, column, cell) in table.cells() {
        let over_playouts = searches.as_ref().and_then(|of| of.ratios[row][column].as_ref());
        out.line(&record(table, (row, column), cell, speedups, over_playouts));
    }
    out.finish()
}

/// A CSV file being written. No field of it holds a control character or is a formula.
pub(super) struct Fields(::csv::Writer<Vec<u8>>);

impl Fields {
    pub(super) fn new(header: &[&str]) -> Self {
        let mut writer = ::csv::Writer::from_writer(Vec::new());
        writer.write_record(header).expect("a vector takes every byte");
        Self(writer)
    }

    /// # Panics
    /// If there are not as many fields as in the header.
    pub(super) fn line(&mut self, fields: &[String]) {
        let fields = fields.iter().map(|field| csv_field(field).into_owned());
        self.0.write_record(fields).expect("every record has the header's length");
    }

    pub(super) fn finish(self) -> String {
        let bytes = self.0.into_inner().expect("a vector takes every byte");
        String::from_utf8(bytes).expect("made of strings")
    }
}

fn record(
    table: &Table,
    (row, column): (usize, usize),
    cell: &Cell,
    speedups: &Speedups,
    over_playouts: Option<&Estimate>,
) -> Vec<String> {
    let speedup = speedups.ratios[row][column].as_ref();
    let comparable = speedups.bounds[column] == Bound::Exact;
    let baseline = table.columns()[speedups.baseline].label();
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
        joined(cell.methods()),
        column.tabled.to_string(),
        column.control.to_string(),
        column.threads.to_string(),
        column.job.map_or_else(String::new, |job| job.to_string()),
        cell.verdict().to_string(),
        cell.reason().to_owned(),
    ];
    let detects = cell.detects();
    let share = |parts: Option<u64>| parts.map(|parts| machine(parts as f64 / 1e6));
    record.push(detects.and_then(|detects| share(detects.plies)).unwrap_or_default());
    record.push(detects.and_then(|detects| share(detects.payoffs)).unwrap_or_default());
    record.push(detects.map(|detects| detects.by.clone()).unwrap_or_default());
    record.extend(estimate(figures.map(|figures| &figures.per_cpu_second)));
    record.extend(estimate(figures.map(|figures| &figures.per_wall_second)));
    record.extend(estimate(figures.map(|figures| &figures.plies_per_cpu_second)));
    record.push(figures.map(|figures| machine(figures.length.value)).unwrap_or_default());
    record.push(figures.and_then(|figures| figures.length.error).map(machine).unwrap_or_default());
    let payoffs = figures.map_or(&[][..], |figures| &figures.payoffs);
    record.push(joined(&payoffs.iter().map(|mean| machine(mean.value)).collect::<Vec<_>>()));
    let errors = payoffs.iter().map(|mean| mean.error.map(machine).unwrap_or_default());
    record.push(joined(&errors.collect::<Vec<_>>()));
    record.extend(estimate(speedup));
    record.push(speedup.map(|_| baseline).unwrap_or_default());
    record.push(speedup.map(|_| comparable.to_string()).unwrap_or_default());
    record.extend(estimate(over_playouts));
    record.extend(published(game, cell));
    match figures {
        None => record.extend(std::iter::repeat_n(String::new(), 10)),
        Some(figures) => record.extend([
            figures.playouts.to_string(),
            figures.capped.to_string(),
            figures.stuck.to_string(),
            figures.samples.to_string(),
            figures.processes().to_string(),
            figures.rounds().to_string(),
            machine(figures.cpu_ns as f64 / 1e9),
            machine(figures.wall_ns as f64 / 1e9),
            machine(figures.utilisation),
            figures.is_contended().to_string(),
        ]),
    }
    record.extend([
        optional(cell.compile_ns()),
        optional(cell.first_playout_ns()),
        optional(cell.peak_bytes()),
        optional(cell.state_bytes()),
        optional(cell.tokens()),
        cell.rules().join(";"),
        cell.options().join(";"),
        cell.builds().join(";"),
        cell.warnings().join(";"),
    ]);
    record
}

/// The printed figures of the paper for the game: Ludii, GDL, their ratio as printed, and the
/// cell's rate over the printed one of its language. Of several published rows the first.
fn published(game: &GameRow, cell: &Cell) -> [String; 4] {
    let Some(row) = game.paper.iter().find_map(|paper| published::find(paper)) else {
        return Default::default();
    };
    let printed = System::of_language(cell.language()).and_then(|system| row.figure(system));
    let over = cell.figures().zip(printed);
    let over = over.map(|(figures, printed)| figures.per_cpu_second.value / printed);
    [Some(row.ludii), row.gdl, row.printed_ratio, over]
        .map(|value| value.map(machine).unwrap_or_default())
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

/// Words separated by semicolons.
fn joined(words: &[impl std::fmt::Display]) -> String {
    words.iter().map(ToString::to_string).collect::<Vec<_>>().join(";")
}
