//! Rows folded into one cell a game and engine.
//!
//! A rate cannot be had without its verdict: [`Figures`] live inside a [`Cell`], are computed only
//! when the cell's verdict allows ranking, and have no public constructor.

mod bound;
mod cell;
mod searches;
mod speedup;
mod way;

use std::collections::{BTreeMap, BTreeSet};

pub use bound::{Bound, Summary};
pub use cell::{CONTENDED, CONTENTION, Cell, Figures};
pub use searches::Searches;
pub use speedup::Speedups;
pub use way::Way;

use crate::published;
use crate::rows::{Method, Phase, Sample, Verdict, Via, without_overtaken};
use crate::text::printable;

/// Games as rows, engines as columns, a [`Cell`] where the pair exists.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    games: Vec<GameRow>,
    columns: Vec<Column>,
    /// Row by row.
    cells: Vec<Vec<Option<Cell>>>,
}

/// A game of a table, in printable text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameRow {
    /// Its id.
    pub id: String,
    /// Its name for people; the id where no row tells one.
    pub title: String,
    /// Rows of published tables that it stands for.
    pub paper: Vec<String>,
    /// Number of players; 0 where unknown.
    pub players: u32,
    /// The family and the size, where it is one size of several.
    pub size: Option<(String, u64)>,
}

/// An engine as it was run: which loop, how many threads, how many playouts at once.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Column {
    /// The engine's id.
    pub engine: String,
    /// Its loop.
    pub via: Via,
    /// Threads that shared a batch.
    pub threads: u32,
    /// Playouts in a job, where that was set.
    pub job: Option<u64>,
    /// True if results were carried over from one playout to the next ([`Method::Tabled`]): such a
    /// rate is of something else than playing every playout, and a ratio to others is a [`Bound`].
    pub tabled: bool,
    /// True if this is the control of an A/A test: the column that is the same in all else,
    /// measured a second time. It takes part in no ranking, ratio or mean.
    pub control: bool,
}

impl Column {
    /// The label of the column: the engine, and what is unusual about the run: `bitboard`,
    /// `bitboard (reference)`, `propnet (batch) ×2`, `rbg, jobs of 64`, `ludeme (tabled)`, `ludeme
    /// (control)`.
    pub fn label(&self) -> String {
        let threads =
            if self.threads == 1 { String::new() } else { format!(" ×{}", self.threads) };
        let job = self.job.map_or_else(String::new, |job| format!(", jobs of {job}"));
        format!("{}{threads}{job}", self.way())
    }

    /// The engine and its loop alone: `bitboard`, `propnet (batch)`, `ludeme (tabled)`.
    pub fn way(&self) -> String {
        let via = (self.via != Via::Fast).then_some(self.via.word());
        let tabled = self.tabled.then_some(Method::Tabled.word());
        let control = self.control.then_some("control");
        let unusual: Vec<&str> = [via, tabled, control].into_iter().flatten().collect();
        if unusual.is_empty() {
            self.engine.clone()
        } else {
            format!("{} ({})", self.engine, unusual.join(", "))
        }
    }

    /// The side that the ratio of this column to another bounds.
    pub fn bound_over(&self, base: &Self) -> Bound {
        Bound::of(self.tabled, base.tabled)
    }

    /// True if a ratio of the two says how much faster one engine plays than the other: neither is
    /// a control, and both or none carry results from playout to playout.
    pub fn is_comparable(&self, other: &Self) -> bool {
        !self.control && !other.control && self.bound_over(other) == Bound::Exact
    }
}

/// In which order games stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// The order of first appearance in the rows, which is the order of the suite.
    #[default]
    Measured,
    /// The order of the published tables; games that stand for no published row come last.
    Published,
}

impl Table {
    /// Folds rows. Columns are sorted by name and not by appearance: engines run in shuffled order,
    /// and two runs should have the same columns.
    pub fn new(samples: &[Sample], order: Order) -> Self {
        let mut games: Vec<GameRow> = Vec::new();
        let mut row_of: BTreeMap<&str, usize> = BTreeMap::new();
        for sample in samples {
            let row = *row_of.entry(&sample.game).or_insert_with(|| {
                games.push(GameRow {
                    id: printable(&sample.game).into_owned(),
                    title: String::new(),
                    paper: Vec::new(),
                    players: 0,
                    size: None,
                });
                games.len() - 1
            });
            games[row].learn(sample);
        }
        for game in &mut games {
            if game.title.is_empty() {
                game.title.clone_from(&game.id);
            }
        }
        let position = |row: usize| {
            let papers = games[row].paper.iter();
            papers.filter_map(|paper| published::position(paper)).min().unwrap_or(usize::MAX)
        };
        let mut rows: Vec<usize> = (0..games.len()).collect();
        if order == Order::Published {
            rows.sort_by_key(|&row| position(row));
        }
        let placed = place(&without_overtaken(samples));
        let columns: BTreeSet<&Column> = placed.iter().map(|(_, column)| column).collect();
        let columns: Vec<Column> = columns.into_iter().cloned().collect();

        let mut by_pair: BTreeMap<(usize, &str), Vec<&(&Sample, Column)>> = BTreeMap::new();
        for item in &placed {
            let row = row_of[&*item.0.game];
            by_pair.entry((row, &item.1.engine)).or_default().push(item);
        }
        let cells = rows
            .iter()
            .map(|&row| {
                let cell = |column: &Column| cell_of(by_pair.get(&(row, &*column.engine))?, column);
                columns.iter().map(cell).collect()
            })
            .collect();
        let games = rows.iter().map(|&row| games[row].clone()).collect();
        Self { games, columns, cells }
    }

    /// The games, one a row.
    pub fn games(&self) -> &[GameRow] {
        &self.games
    }

    /// The engines, one a column.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The cell of a row and a column; `None` where the pair was not tried, as when the game is not
    /// written in the engine's language.
    pub fn cell(&self, row: usize, column: usize) -> Option<&Cell> {
        self.cells.get(row)?.get(column)?.as_ref()
    }

    /// The figures of a cell that may be ranked and was measured.
    pub fn figures(&self, row: usize, column: usize) -> Option<&Figures> {
        self.cell(row, column)?.figures()
    }

    /// All cells with their row and column, row by row.
    pub fn cells(&self) -> impl Iterator<Item = (usize, usize, &Cell)> {
        self.cells.iter().enumerate().flat_map(|(row, cells)| {
            cells
                .iter()
                .enumerate()
                .filter_map(move |(column, cell)| Some((row, column, cell.as_ref()?)))
        })
    }

    /// The figures of a row with the most playouts, whose mean length is the best known. Those in
    /// searches are not as long as others, and stand for them only where there are no others.
    pub fn best_known(&self, row: usize) -> Option<&Figures> {
        let measured = self.columns.iter().enumerate().filter_map(|(number, column)| {
            Some((column.via != Via::Uct, self.figures(row, number)?))
        });
        let best = measured.max_by_key(|(plain, figures)| (*plain, figures.playouts));
        best.map(|(_, figures)| figures)
    }

    /// The number of cells with each verdict, from best to worst, verdicts without cells left out.
    pub fn verdicts(&self) -> Vec<(Verdict, usize)> {
        let count = |verdict| self.cells().filter(|(.., cell)| cell.verdict() == verdict).count();
        Verdict::ALL
            .iter()
            .map(|&verdict| (verdict, count(verdict)))
            .filter(|&(_, cells)| cells > 0)
            .collect()
    }

    /// The column that a name means: its label, or the engine's id.
    pub fn find_column(&self, name: &str) -> Option<usize> {
        let by = |test: &dyn Fn(&Column) -> bool| self.columns.iter().position(test);
        by(&|column| column.label() == name).or_else(|| by(&|column| column.engine == name))
    }
}

impl GameRow {
    /// The heading that it stands under where games are in groups. It is what rows tell of a game:
    /// there are boards, cards and dice for one player and for several.
    pub fn heading(&self) -> &'static str {
        match self.players {
            0 => "Players unknown",
            1 => "For one player",
            _ => "For two players or more",
        }
    }

    fn learn(&mut self, sample: &Sample) {
        if self.title.is_empty() {
            self.title = printable(&sample.title).into_owned();
        }
        if self.paper.is_empty() {
            self.paper = sample.paper.iter().map(|paper| printable(paper).into_owned()).collect();
        }
        self.players = self.players.max(sample.players);
        if let (None, Some(size)) = (&self.size, sample.size) {
            self.size = Some((printable(&sample.family).into_owned(), size));
        }
    }
}

/// Every row with its column. A row that tells no method, such as that of a worker which died, goes
/// with the rows of the same game and engine that tell one.
fn place<'s>(samples: &[&'s Sample]) -> Vec<(&'s Sample, Column)> {
    let is_tabled = |sample: &Sample| sample.method == Some(Method::Tabled);
    let tabled: BTreeSet<(&str, Column)> = samples
        .iter()
        .filter(|sample| is_tabled(sample))
        .map(|sample| (&*sample.game, column_of(sample, true)))
        .collect();
    let placed = samples.iter().map(|&sample| {
        let column = column_of(sample, true);
        let silent = sample.method.is_none();
        if is_tabled(sample) || silent && tabled.contains(&(&*sample.game, column.clone())) {
            (sample, column)
        } else {
            (sample, column_of(sample, false))
        }
    });
    placed.collect()
}

fn column_of(sample: &Sample, tabled: bool) -> Column {
    let Sample { via, threads, job, control, .. } = *sample;
    let engine = printable(&sample.engine).into_owned();
    Column { engine, via, threads, job, tabled, control }
}

/// The cell of a column, from the rows of its pair.
///
/// - A pair that is wrong or disputed in one column is so in all of them: the fault is in the
///   engine's idea of the game until shown otherwise.
/// - Otherwise the column's own rows decide, by the worst of them; what may have been an accident
///   is not among them where later rows overtake it.
/// - A pair that has no row in this column but failed in another (it did not compile, so nothing
///   was tried) has that failure here too.
/// - Columns of tabled playouts and of controls are there for some games only, so they have no cell
///   without a row of their own.
fn cell_of(pair: &[&(&Sample, Column)], column: &Column) -> Option<Cell> {
    let own: Vec<&Sample> =
        pair.iter().filter(|(_, of)| of == column).map(|(sample, _)| *sample).collect();
    if own.is_empty() && (column.tabled || column.control) {
        return None;
    }
    let all = || pair.iter().map(|(sample, _)| *sample);
    let differing: Vec<&Sample> = all()
        .filter(|sample| matches!(sample.verdict, Verdict::Wrong | Verdict::Disputed))
        .collect();
    let failures: Vec<&Sample> = all().filter(|sample| sample.phase == Phase::None).collect();
    let deciding =
        first_worst(&differing).or_else(|| first_worst(&own)).or_else(|| first_worst(&failures))?;
    Some(Cell::new(deciding, &own, column.threads))
}

/// The first of the rows with the worst verdict; `max_by_key` alone would give the last.
fn first_worst<'s>(samples: &[&'s Sample]) -> Option<&'s Sample> {
    samples.iter().copied().rev().max_by_key(|sample| sample.verdict)
}
