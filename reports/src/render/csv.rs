//! `table.csv`: one line a cell, for machines.

use std::fmt::Display;

use crate::format::machine;
use crate::published::{self, Published, System};
use crate::stats::{Estimate, Mean};
use crate::table::{Bound, Cell, Column, Figures, GameRow, Speedups, Table};
use crate::text::csv_field;

/// The name of a column, and its value in a line.
type NamedValue = (&'static str, fn(&Line<'_>) -> String);

/// The columns, each with what a line has there. Figures are empty where the verdict allows none.
const COLUMNS: &[NamedValue] = &[
    ("game", |line| line.game.id.clone()),
    ("title", |line| line.game.title.clone()),
    ("paper", |line| line.game.paper.join(";")),
    ("players", |line| line.game.players.to_string()),
    ("engine", |line| line.column.engine.clone()),
    ("language", |line| line.cell.language().to_owned()),
    ("via", |line| line.column.via.to_string()),
    ("method", |line| joined(line.cell.methods())),
    ("tabled", |line| line.column.tabled.to_string()),
    ("control", |line| line.column.control.to_string()),
    ("threads", |line| line.column.threads.to_string()),
    ("job", |line| known(line.column.job)),
    ("verdict", |line| line.cell.verdict().to_string()),
    ("reason", |line| line.cell.reason().to_owned()),
    ("detects_plies", |line| known(line.cell.detects().and_then(|of| share(of.plies)))),
    ("detects_payoffs", |line| known(line.cell.detects().and_then(|of| share(of.payoffs)))),
    ("detects_by", |line| known(line.cell.detects().map(|of| &of.by))),
    ("playouts_per_cpu_s", |line| value(line.per_cpu_second())),
    ("playouts_per_cpu_s_low", |line| low(line.per_cpu_second())),
    ("playouts_per_cpu_s_high", |line| high(line.per_cpu_second())),
    ("playouts_per_wall_s", |line| value(line.per_wall_second())),
    ("playouts_per_wall_s_low", |line| low(line.per_wall_second())),
    ("playouts_per_wall_s_high", |line| high(line.per_wall_second())),
    ("plies_per_cpu_s", |line| value(line.plies_per_cpu_second())),
    ("plies_per_cpu_s_low", |line| low(line.plies_per_cpu_second())),
    ("plies_per_cpu_s_high", |line| high(line.plies_per_cpu_second())),
    ("mean_plies", |line| line.figure(|of| machine(of.length.value))),
    ("mean_plies_error", |line| line.figure(|of| known(of.length.error.map(machine)))),
    ("mean_payoffs", |line| line.payoffs(|mean| machine(mean.value))),
    ("mean_payoffs_error", |line| line.payoffs(|mean| known(mean.error.map(machine)))),
    ("speedup", |line| value(line.speedup)),
    ("speedup_low", |line| low(line.speedup)),
    ("speedup_high", |line| high(line.speedup)),
    ("speedup_over", |line| known(line.speedup.map(|_| line.baseline.label()))),
    ("speedup_comparable", |line| known(line.speedup.map(|_| line.is_comparable))),
    ("over_playouts", |line| value(line.over_playouts)),
    ("over_playouts_low", |line| low(line.over_playouts)),
    ("over_playouts_high", |line| high(line.over_playouts)),
    ("published_ludii_per_s", |line| known(line.published().map(|row| machine(row.ludii)))),
    ("published_gdl_per_s", |line| number(line.published().and_then(|row| row.gdl))),
    ("published_ratio", |line| number(line.published().and_then(|row| row.printed_ratio))),
    ("over_published", |line| number(line.over_published())),
    ("playouts", |line| line.figure(|of| of.playouts)),
    ("capped", |line| line.figure(|of| of.capped)),
    ("stuck", |line| line.figure(|of| of.stuck)),
    ("samples", |line| line.figure(|of| of.samples)),
    ("processes", |line| line.figure(Figures::processes)),
    ("rounds", |line| line.figure(Figures::rounds)),
    ("cpu_s", |line| line.figure(|of| machine(of.cpu_ns as f64 / 1e9))),
    ("wall_s", |line| line.figure(|of| machine(of.wall_ns as f64 / 1e9))),
    ("utilisation", |line| line.figure(|of| machine(of.utilisation))),
    ("contended", |line| line.figure(Figures::is_contended)),
    ("compile_ns", |line| known(line.cell.compile_ns())),
    ("first_playout_ns", |line| known(line.cell.first_playout_ns())),
    ("peak_bytes", |line| known(line.cell.peak_bytes())),
    ("state_bytes", |line| known(line.cell.state_bytes())),
    ("tokens", |line| known(line.cell.tokens())),
    ("rules", |line| line.cell.rules().join(";")),
    ("options", |line| line.cell.options().join(";")),
    ("build", |line| line.cell.builds().join(";")),
    ("warnings", |line| line.cell.warnings().join(";")),
];

/// The aggregated table as CSV, one line a cell; line breaks in reasons are written out, and a text
/// that a spreadsheet would take for a formula has an apostrophe before it.
pub fn table_csv(table: &Table, speedups: &Speedups) -> String {
    let names: Vec<&str> = COLUMNS.iter().map(|(name, _)| *name).collect();
    let mut out = Fields::new(&names);
    let searches = table.searches();
    for (row, column, cell) in table.cells() {
        let line = Line {
            game: &table.games()[row],
            column: &table.columns()[column],
            cell,
            speedup: speedups.ratios[row][column].as_ref(),
            baseline: &table.columns()[speedups.baseline],
            is_comparable: speedups.bounds[column] == Bound::Exact,
            over_playouts: searches.as_ref().and_then(|of| of.ratios[row][column].as_ref()),
        };
        out.line(&COLUMNS.iter().map(|(_, field)| field(&line)).collect::<Vec<_>>());
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
        self.0.write_record(fields).expect("a line has as many fields as the header");
    }

    pub(super) fn finish(self) -> String {
        let bytes = self.0.into_inner().expect("a vector takes every byte");
        String::from_utf8(bytes).expect("made of strings")
    }
}

/// A cell, with what it is compared with.
struct Line<'t> {
    game: &'t GameRow,
    column: &'t Column,
    cell: &'t Cell,
    speedup: Option<&'t Estimate>,
    /// The column that the speed-up is over.
    baseline: &'t Column,
    /// True if the speed-up is no bound.
    is_comparable: bool,
    /// Searches over playouts from the start.
    over_playouts: Option<&'t Estimate>,
}

impl<'t> Line<'t> {
    fn per_cpu_second(&self) -> Option<&'t Estimate> {
        self.cell.figures().map(|figures| &figures.per_cpu_second)
    }

    fn per_wall_second(&self) -> Option<&'t Estimate> {
        self.cell.figures().map(|figures| &figures.per_wall_second)
    }

    fn plies_per_cpu_second(&self) -> Option<&'t Estimate> {
        self.cell.figures().map(|figures| &figures.plies_per_cpu_second)
    }

    /// A figure of the cell, where it has any.
    fn figure<T: Display>(&self, figure: impl Fn(&Figures) -> T) -> String {
        known(self.cell.figures().map(figure))
    }

    /// A figure of each player's payoffs.
    fn payoffs(&self, figure: impl Fn(&Mean) -> String) -> String {
        self.figure(|figures| joined(&figures.payoffs.iter().map(&figure).collect::<Vec<_>>()))
    }

    /// The printed row of the game; of several the first.
    fn published(&self) -> Option<&'static Published> {
        self.game.paper.iter().find_map(|paper| published::find(paper))
    }

    /// The rate over the one printed for the cell's language.
    fn over_published(&self) -> Option<f64> {
        let system = System::of_language(self.cell.language())?;
        let printed = self.published()?.figure(system)?;
        Some(self.per_cpu_second()?.value / printed)
    }
}

fn value(estimate: Option<&Estimate>) -> String {
    number(estimate.map(|estimate| estimate.value))
}

fn low(estimate: Option<&Estimate>) -> String {
    number(estimate.and_then(|estimate| estimate.interval).map(|interval| interval.low))
}

fn high(estimate: Option<&Estimate>) -> String {
    number(estimate.and_then(|estimate| estimate.interval).map(|interval| interval.high))
}

fn number(value: Option<f64>) -> String {
    known(value.map(machine))
}

/// What is known, or nothing.
fn known(value: Option<impl Display>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

/// A share given in parts per million.
fn share(parts: Option<u64>) -> Option<String> {
    parts.map(|parts| machine(parts as f64 / 1e6))
}

/// Words separated by semicolons.
fn joined(words: &[impl Display]) -> String {
    words.iter().map(ToString::to_string).collect::<Vec<_>>().join(";")
}
