//! The ranking of engines: who is faster, by how much, and with what certainty. These are the facts
//! behind the first sentences of a report.

use crate::stats::{Estimate, Statistic};
use crate::table::{Bound, Figures, Summary, Table};

/// The ranking of the engines of a run, by playouts a CPU second.
///
/// Each engine is represented by one column, so that an engine which was run in several ways does
/// not stand against itself. Controls take no part, and tabled columns only where there is nothing
/// else.
#[derive(Debug, Clone, PartialEq)]
pub struct Standing {
    /// Rows of the games on which all places were measured.
    pub games: Vec<usize>,
    /// From fastest to slowest by the geometric mean over these games; fewer than two where nothing
    /// can be compared.
    pub places: Vec<Place>,
    /// Columns of engines that take no part, each with the reason.
    pub left_out: Vec<(usize, LeftOut)>,
    /// The fastest of each game on which two engines or more were measured, whichever way they were
    /// run; see [`winner`].
    pub wins: Vec<Win>,
}

/// A column in its place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    /// The column.
    pub column: usize,
    /// The speed of the first place over that of this one, as the geometric mean over the games;
    /// `None` for the first place itself. The interval tells the noise of measuring on these games.
    pub behind: Option<Estimate>,
}

/// The reason why the columns of an engine take no part.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LeftOut {
    /// It has figures on fewer than half of the games.
    FewGames,
    /// It carries results over from one playout to the next. Where the first place is faster even
    /// so: at least how many times.
    Tabled(Option<Summary>),
}

/// The fastest column of a game.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Win {
    /// The game.
    pub row: usize,
    /// The fastest column.
    pub column: usize,
    /// Its speed over that of the fastest column of any other engine.
    pub lead: Estimate,
}

impl Standing {
    /// The ranking of the engines of a table.
    pub fn of(table: &Table) -> Self {
        Self::among(table, |_| true)
    }

    /// The same for those of some columns.
    pub fn among(table: &Table, takes_part: impl Fn(usize) -> bool) -> Self {
        let columns: Vec<usize> = (0..table.columns().len()).filter(|&c| takes_part(c)).collect();
        let (candidates, mut left_out) = candidates(table, &columns);
        let games: Vec<usize> = (0..table.games().len())
            .filter(|&row| candidates.iter().all(|&column| table.figures(row, column).is_some()))
            .collect();
        let places = if games.is_empty() { Vec::new() } else { places(table, &games, candidates) };
        if let Some(first) = places.first() {
            for (column, reason) in &mut left_out {
                if let LeftOut::Tabled(lead) = reason {
                    *lead = lead_over_tabled(table, first.column, *column);
                }
            }
        }
        let wins = (0..table.games().len()).filter_map(|row| win(table, &columns, row)).collect();
        Self { games, places, left_out, wins }
    }
}

/// True if a run tells a ratio from 1: its interval does not hold it.
pub fn is_shown(ratio: &Estimate) -> bool {
    ratio.interval.is_some_and(|interval| !interval.contains(1.0))
}

/// True if a column may be the fastest of a game: tabled playouts are of another kind, and a
/// control is the same column again.
fn is_rival(table: &Table, column: usize) -> bool {
    table.columns().get(column).is_some_and(|column| !column.tabled && !column.control)
}

/// One column of each engine, that with the most games; of equals the first, which has one thread,
/// whole samples and the engine's own loop. Engines with fewer than half of the games are left out:
/// they would leave few games to compare on.
fn candidates(table: &Table, columns: &[usize]) -> (Vec<usize>, Vec<(usize, LeftOut)>) {
    let measured = |column: usize| {
        (0..table.games().len()).filter(|&row| table.figures(row, column).is_some()).count()
    };
    let any_rival = columns.iter().any(|&column| is_rival(table, column) && measured(column) > 0);
    let mut best: Vec<(usize, usize)> = Vec::new();
    let mut left_out: Vec<(usize, LeftOut)> = Vec::new();
    for &column in columns {
        let (head, games) = (&table.columns()[column], measured(column));
        if head.control || games == 0 {
            continue;
        }
        if head.tabled && any_rival {
            left_out.push((column, LeftOut::Tabled(None)));
            continue;
        }
        match best.iter_mut().find(|(other, _)| table.columns()[*other].engine == head.engine) {
            Some(entry) if games > entry.1 => *entry = (column, games),
            Some(_) => {}
            None => best.push((column, games)),
        }
    }
    let most = best.iter().map(|&(_, games)| games).max().unwrap_or(0);
    let (kept, few): (Vec<_>, Vec<_>) = best.into_iter().partition(|&(_, games)| 2 * games >= most);
    left_out.extend(few.into_iter().map(|(column, _)| (column, LeftOut::FewGames)));
    let takes_part = |column: usize| {
        let engine = &table.columns()[column].engine;
        kept.iter().any(|&(other, _)| table.columns()[other].engine == *engine)
    };
    // An engine whose other column takes part is not missed.
    left_out.retain(|&(column, _)| !takes_part(column));
    (kept.iter().map(|&(column, _)| column).collect(), left_out)
}

fn places(table: &Table, games: &[usize], mut columns: Vec<usize>) -> Vec<Place> {
    let rate = |row: usize, column: usize| {
        table.figures(row, column).map_or(f64::NAN, |figures| figures.per_cpu_second.value)
    };
    let logs = |column: usize| games.iter().map(|&row| rate(row, column).ln()).sum::<f64>();
    columns.sort_by(|&a, &b| logs(b).total_cmp(&logs(a)));
    let Some(&first) = columns.first() else { return Vec::new() };
    let behind = |column: usize| -> Option<Estimate> {
        let ratios: Option<Vec<Statistic>> = games
            .iter()
            .map(|&row| {
                let (lead, other) = (table.figures(row, first)?, table.figures(row, column)?);
                lead.speedup_over(other, row as u64)
            })
            .collect();
        let ratios = ratios?;
        Some(Statistic::geometric_mean(&ratios.iter().collect::<Vec<_>>())?.estimate())
    };
    let place = |&column: &usize| Place {
        column,
        behind: (column != first).then(|| behind(column)).flatten(),
    };
    columns.iter().map(place).collect()
}

/// At least how many times as fast as a tabled column another is, on the games of both; `None`
/// where the tabled one may be as fast.
fn lead_over_tabled(table: &Table, column: usize, tabled: usize) -> Option<Summary> {
    let ratio = |row: usize| {
        table.figures(row, column)?.speedup_over(table.figures(row, tabled)?, row as u64)
    };
    let ratios: Vec<Statistic> = (0..table.games().len()).filter_map(ratio).collect();
    let bounds: Vec<(Bound, &Statistic)> = ratios.iter().map(|r| (Bound::AtLeast, r)).collect();
    Summary::of(&bounds).filter(|lead| lead.order().is_some())
}

/// True if an engine whose figures in a row are tabled may play as fast as this column: its figure
/// is no less, and nobody knows how much of it is playing.
pub fn may_be_beaten(table: &Table, row: usize, column: usize) -> bool {
    let rate = |of: usize| table.figures(row, of).map(|figures| figures.per_cpu_second.value);
    let columns = table.columns();
    (0..columns.len())
        .filter(|&of| columns[of].tabled && columns[of].engine != columns[column].engine)
        .any(|of| rate(of) >= rate(column))
}

/// The column that plays a game fastest, over all columns: that with the highest rate of those that
/// play every playout. There is none where fewer than two engines do, or where a tabled engine may
/// be as fast: a tabled figure neither wins a game nor loses it.
pub fn winner(table: &Table, row: usize) -> Option<usize> {
    let columns: Vec<usize> = (0..table.columns().len()).collect();
    Some(win(table, &columns, row)?.column)
}

fn win(table: &Table, columns: &[usize], row: usize) -> Option<Win> {
    let mut rivals: Vec<(usize, &Figures)> = columns
        .iter()
        .filter(|&&column| is_rival(table, column))
        .filter_map(|&column| Some((column, table.figures(row, column)?)))
        .collect();
    let rate = |figures: &Figures| figures.per_cpu_second.value;
    // Stable: of equals the first column is the fastest.
    rivals.sort_by(|(_, a), (_, b)| rate(b).total_cmp(&rate(a)));
    let &(column, fastest) =
        rivals.first().filter(|(column, _)| !may_be_beaten(table, row, *column))?;
    let engine = |column: usize| &table.columns()[column].engine;
    let (_, next) = rivals.iter().find(|(other, _)| engine(*other) != engine(column))?;
    let lead = fastest.speedup_over(next, row as u64)?.estimate();
    Some(Win { row, column, lead })
}
