//! The records that `run`, `bench` and `study` print with `--json`.

use anyhow::Result;
use reports::{Cell, Column, Figures, GameRow, Method, Phase, Sample, Table, Verdict, Via};
use serde::Serialize;

use crate::cli::json::{self, ColumnId, Range};

/// The first record of a run.
#[derive(Serialize)]
pub(super) struct RunRecord<'a> {
    pub(super) dir: String,
    /// Of everything drawn.
    pub(super) seed: u64,
    pub(super) games: Vec<&'a str>,
}

/// The proof of an engine at a game before anything is measured.
#[derive(Serialize)]
pub(super) struct VerifiedRecord<'a> {
    pub(super) game: &'a str,
    pub(super) engine: &'a str,
    pub(super) verdict: Verdict,
    pub(super) reason: &'a str,
}

/// A row of `measurements.csv`: what is its own, not what it shares with all rows of its cell.
#[derive(Serialize)]
pub(super) struct SampleRecord<'a> {
    game: &'a str,
    engine: &'a str,
    via: Via,
    method: Option<Method>,
    control: bool,
    threads: u32,
    job: Option<u64>,
    phase: Phase,
    verdict: Verdict,
    reason: &'a str,
    process: u32,
    round: u32,
    slot: u32,
    seed: u64,
    first: u64,
    playouts: u64,
    plies: u64,
    capped: u64,
    stuck: u64,
    wall_ns: u64,
    cpu_ns: u64,
    warnings: &'a [String],
}

impl<'a> From<&'a Sample> for SampleRecord<'a> {
    fn from(row: &'a Sample) -> SampleRecord<'a> {
        SampleRecord {
            game: &row.game,
            engine: &row.engine,
            via: row.via,
            method: row.method,
            control: row.control,
            threads: row.threads,
            job: row.job,
            phase: row.phase,
            verdict: row.verdict,
            reason: &row.reason,
            process: row.process,
            round: row.round,
            slot: row.slot,
            seed: row.seed,
            first: row.first,
            playouts: row.playouts,
            plies: row.plies,
            capped: row.capped,
            stuck: row.stuck,
            wall_ns: row.wall_ns,
            cpu_ns: row.cpu_ns,
            warnings: &row.warnings,
        }
    }
}

/// A cell of the table.
#[derive(Serialize)]
struct CellRecord<'a> {
    game: &'a str,
    title: &'a str,
    #[serde(flatten)]
    column: ColumnId<'a>,
    language: &'a str,
    methods: &'a [Method],
    verdict: Verdict,
    reason: &'a str,
    /// Playouts a CPU second.
    rate: Option<Range>,
    playouts: Option<u64>,
    plies: Option<u64>,
    capped: Option<u64>,
    processes: Option<usize>,
    contended: bool,
    compile_ns: Option<u64>,
    peak_bytes: Option<u64>,
    state_bytes: Option<u64>,
    tokens: Option<u64>,
    warnings: &'a [String],
}

/// The last record of a run.
#[derive(Serialize)]
pub(super) struct WrittenRecord {
    pub(super) dir: String,
    pub(super) files: Vec<String>,
    /// True if Ctrl-C ended it early.
    pub(super) stopped: bool,
}

pub(super) fn print_cells(table: &Table) -> Result<()> {
    for (row, column, cell) in table.cells() {
        let game = &table.games()[row];
        json::record("cell", CellRecord::new(game, &table.columns()[column], cell))?;
    }
    Ok(())
}

impl<'a> CellRecord<'a> {
    fn new(game: &'a GameRow, column: &'a Column, cell: &'a Cell) -> Self {
        let figures = cell.figures();
        CellRecord {
            game: &game.id,
            title: &game.title,
            column: column.into(),
            language: cell.language(),
            methods: cell.methods(),
            verdict: cell.verdict(),
            reason: cell.reason(),
            rate: figures.map(|figures| figures.per_cpu_second.into()),
            playouts: figures.map(|figures| figures.playouts),
            plies: figures.map(|figures| figures.plies),
            capped: figures.map(|figures| figures.capped),
            processes: figures.map(Figures::processes),
            contended: cell.is_contended(),
            compile_ns: cell.compile_ns(),
            peak_bytes: cell.peak_bytes(),
            state_bytes: cell.state_bytes(),
            tokens: cell.tokens(),
            warnings: cell.warnings(),
        }
    }
}
