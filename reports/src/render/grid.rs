//! Tables as plain text fields, before any notation: what `table.md` shows, ready for other
//! notations.

use std::collections::BTreeSet;

use super::remarks::{MARKED_CONTENDED, MARKED_TABLED};
use super::{bounded_factor, counted, length, rate_with_interval};
use crate::format;
use crate::published::{self, Published};
use crate::rows::Verdict;
use crate::stats::Estimate;
use crate::table::{Bound, Cell, Column, Speedups, Summary, Table};

/// The text of an empty field.
pub(super) const NOTHING: &str = "–";

/// The notes without which the grid of [`published`] figures must not be read.
pub(super) const PUBLISHED: &str = "Ludii and GDL are as printed in Piette et al., measured there \
    on one core of a Xeon E5-2680 v2 at 2.80 GHz; the other columns were measured here, so a \
    ratio between the two sides would compare machines as well.";

/// Fields in rows and columns. The first column names the row; the others hold figures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Grid {
    pub(super) header: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
}

impl Grid {
    /// A grid with the given first columns, then one for each engine.
    fn new<'c>(first: &[&str], columns: impl IntoIterator<Item = &'c Column>) -> Self {
        let first = first.iter().map(|&name| name.to_owned());
        Self {
            header: first.chain(columns.into_iter().map(Column::label)).collect(),
            rows: Vec::new(),
        }
    }
}

/// The text that a field refers to by number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Note {
    /// Game, engine and verdict.
    pub(super) about: String,
    /// The reason, which may have several lines.
    pub(super) reason: String,
}

/// The main table: rates with intervals, verdicts where there is no rate. Appends to `notes` the
/// reasons it refers to as `[n]`.
pub(super) fn rates(table: &Table, notes: &mut Vec<Note>) -> Grid {
    let mut grid = Grid::new(&["game", "mean plies"], table.columns());
    for (row, game) in table.games().iter().enumerate() {
        let mut fields =
            vec![game.title.clone(), table.best_known(row).map_or_else(nothing, length)];
        for (column, head) in table.columns().iter().enumerate() {
            let Some(cell) = table.cell(row, column) else {
                fields.push(nothing());
                continue;
            };
            let mut text = rate(cell);
            if cell.verdict() != Verdict::Ok && !cell.reason().is_empty() {
                let about = format!("{} on {}: {}", game.title, head.label(), cell.verdict());
                notes.push(Note { about, reason: cell.reason().to_owned() });
                text = format!("{text} [{}]", notes.len());
            }
            fields.push(text);
        }
        grid.rows.push(fields);
    }
    grid
}

fn rate(cell: &Cell) -> String {
    let verdict = cell.verdict();
    let Some(figures) = cell.figures() else {
        return if verdict.is_ranked() {
            format!("{verdict}, no sample")
        } else {
            verdict.to_string()
        };
    };
    let mut text = rate_with_interval(&figures.per_cpu_second);
    if verdict != Verdict::Ok {
        text = format!("{text} {verdict}");
    }
    if figures.is_contended() { format!("{text} {MARKED_CONTENDED}") } else { text }
}

/// Ratios to the baseline, marked where a side was contended or exactly one is tabled, with the
/// geometric means as last rows; `None` where there is no ratio.
pub(super) fn speedups(table: &Table, speedups: &Speedups) -> Option<Grid> {
    if speedups.is_empty() {
        return None;
    }
    let shown: Vec<usize> = speedups.columns().collect();
    let mut grid = Grid::new(&["game"], shown.iter().map(|&column| &table.columns()[column]));
    for (row, (game, ratios)) in table.games().iter().zip(&speedups.ratios).enumerate() {
        if shown.iter().any(|&column| ratios[column].is_some()) {
            let contended = |column: usize| table.cell(row, column).is_some_and(Cell::is_contended);
            let fields = shown.iter().map(|&column| {
                let Some(ratio) = &ratios[column] else { return nothing() };
                let bound = speedups.bounds[column];
                let mut text = bounded_factor(ratio, bound);
                let marks = [
                    (contended(column) || contended(speedups.baseline), MARKED_CONTENDED),
                    (bound != Bound::Exact, MARKED_TABLED),
                ];
                for (_, mark) in marks.into_iter().filter(|(holds, _)| *holds) {
                    text = format!("{text} {mark}");
                }
                text
            });
            grid.rows.push(std::iter::once(game.title.clone()).chain(fields).collect());
        }
    }
    let mut summary = |what: &str, items: &[Option<Summary>]| {
        grid.rows.push(means(what, &shown, items));
    };
    if speedups.is_uniform() {
        summary("geometric mean", &speedups.own);
    } else {
        summary("geometric mean, each engine's own games", &speedups.own);
        if speedups.common.iter().any(Option::is_some) {
            summary("geometric mean, games common to all", &speedups.common);
        }
    }
    Some(grid)
}

/// Heading of the grid of [`searches`].
pub(super) const SEARCHES: &str = "Simulations over playouts";

/// The explanation of [`searches`].
pub(super) const ABOUT_SEARCHES: &str = "Simulations of UCT per CPU second over random playouts \
    from the start of the same engine in the same run. A simulation is a descent and a playout; \
    playouts from the middle of a game are shorter, so that a ratio may pass 1.";

/// Simulations over playouts, with the geometric means as the last row; `None` where no engine has
/// both.
pub(super) fn searches(table: &Table) -> Option<Grid> {
    let searches = table.searches()?;
    let shown: Vec<usize> = searches.columns().collect();
    let mut grid = Grid::new(&["game"], shown.iter().map(|&column| &table.columns()[column]));
    for (game, ratios) in table.games().iter().zip(&searches.ratios) {
        if shown.iter().any(|&column| ratios[column].is_some()) {
            let text = |ratio: &Estimate| bounded_factor(ratio, Bound::Exact);
            let fields =
                shown.iter().map(|&column| ratios[column].as_ref().map_or_else(nothing, text));
            grid.rows.push(std::iter::once(game.title.clone()).chain(fields).collect());
        }
    }
    grid.rows.push(means("geometric mean", &shown, &searches.means));
    Some(grid)
}

/// A row of the geometric means of some columns, with the number of games that each goes over.
fn means(what: &str, shown: &[usize], items: &[Option<Summary>]) -> Vec<String> {
    let text = |summary: Summary| {
        let mean = bounded_factor(&summary.mean, summary.bound);
        format!("{mean}, {}", counted(summary.games, "game"))
    };
    let fields = shown.iter().map(|&column| items[column].map_or_else(nothing, text));
    std::iter::once(what.to_owned()).chain(fields).collect()
}

/// The published figures beside ours, with the published rows used; `None` where no game stands for
/// a published row.
pub(super) fn published(table: &Table) -> Option<(Grid, Vec<&'static Published>)> {
    let columns: Vec<usize> =
        (0..table.columns().len()).filter(|&column| !table.columns()[column].control).collect();
    let mut grid = Grid::new(
        &["row of the paper", "Ludii", "GDL", "Ludii / GDL, printed", "computed"],
        columns.iter().map(|&column| &table.columns()[column]),
    );
    let mut used = Vec::new();
    for (row, game) in table.games().iter().enumerate() {
        for published in game.paper.iter().filter_map(|paper| published::find(paper)) {
            let ratio =
                |ratio: Option<f64>| ratio.map_or_else(nothing, |ratio| format!("{ratio:.2}"));
            let mut fields = vec![
                published.reference(),
                format::as_printed(published.ludii),
                published.gdl.map_or_else(nothing, format::as_printed),
                ratio(published.printed_ratio),
                ratio(published.ratio()),
            ];
            let rates = columns.iter().map(|&column| table.cell(row, column));
            fields.extend(rates.map(|cell| cell.map_or_else(nothing, rate)));
            grid.rows.push(fields);
            used.push(published);
        }
    }
    (!used.is_empty()).then_some((grid, used))
}

/// The explanation of [`costs`].
pub(super) const COSTS: &str = "Time to compile / to the end of the first playout / peak memory \
    of the worker / size of a position";

/// See [`COSTS`]; `None` where nothing of it is known.
pub(super) fn costs(table: &Table) -> Option<Grid> {
    let mut grid = Grid::new(&["game"], table.columns());
    let mut any = false;
    for (row, game) in table.games().iter().enumerate() {
        let mut fields = vec![game.title.clone()];
        for column in 0..table.columns().len() {
            let known = table.cell(row, column).map(|cell| {
                [
                    cell.compile_ns().map(format::duration),
                    cell.first_playout_ns().map(format::duration),
                    cell.peak_bytes().map(format::bytes),
                    cell.state_bytes().map(format::bytes),
                ]
            });
            fields.push(match known {
                Some(parts) if parts.iter().any(Option::is_some) => {
                    any = true;
                    parts.map(|part| part.unwrap_or_else(nothing)).join(" / ")
                }
                _ => nothing(),
            });
        }
        grid.rows.push(fields);
    }
    any.then_some(grid)
}

/// The explanation of [`sizes`].
pub(super) const SIZES: &str = "Description size in tokens";

/// See [`SIZES`]: a column a language; `None` where no row tells any.
pub(super) fn sizes(table: &Table) -> Option<Grid> {
    let cells = || table.cells().filter_map(|(row, _, cell)| Some((row, cell, cell.tokens()?)));
    let languages: BTreeSet<&str> = cells().map(|(_, cell, _)| cell.language()).collect();
    let mut header = vec!["game".to_owned()];
    header.extend(languages.iter().map(|language| format!(".{language}")));
    let rows = table.games().iter().enumerate().map(|(row, game)| {
        let size = |language: &&str| {
            let mut own = cells().filter(|(r, cell, _)| *r == row && cell.language() == *language);
            own.next().map_or_else(nothing, |(.., tokens)| format::count(tokens))
        };
        std::iter::once(game.title.clone()).chain(languages.iter().map(size)).collect()
    });
    (!languages.is_empty()).then(|| Grid { header, rows: rows.collect() })
}

/// Warnings of the samples, each with the pairs that have it.
pub(super) fn warnings(table: &Table) -> Vec<String> {
    let pair = |row: usize, column: usize| {
        format!("{} on {}", table.games()[row].title, table.columns()[column].label())
    };
    let mut kinds: Vec<&String> = Vec::new();
    for warning in table.cells().flat_map(|(.., cell)| cell.warnings()) {
        if !kinds.contains(&warning) {
            kinds.push(warning);
        }
    }
    let mut lines: Vec<String> = kinds
        .into_iter()
        .map(|kind| {
            let having = table.cells().filter(|(.., cell)| cell.warnings().contains(kind));
            let pairs: Vec<String> = having.map(|(row, column, _)| pair(row, column)).collect();
            format!("{kind}: {}", pairs.join(", "))
        })
        .collect();
    for (row, column, cell) in table.cells() {
        let hosts = cell.figures().map(crate::Figures::hosts).unwrap_or_default();
        if hosts.len() > 1 {
            lines.push(format!(
                "measured on several machines ({}): {}",
                hosts.join(", "),
                pair(row, column)
            ));
        }
    }
    lines
}

fn nothing() -> String {
    NOTHING.to_owned()
}
