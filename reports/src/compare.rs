//! Two runs side by side: what became faster or slower, and which verdicts changed.

mod settings;

use std::collections::BTreeMap;

use crate::Run;
use crate::rows::Verdict;
use crate::stats::{Estimate, LEVEL, Statistic, holm};
use crate::table::{Cell, Column, Table};

/// The difference between run *a* (before) and run *b* (after). Controls of A/A tests are left out.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// Cells that both runs have: in the order of *a*'s games, then by column.
    pub changes: Vec<Change>,
    /// Game and column of cells that both runs have, but played by other rules: nothing about them
    /// is compared.
    pub other_rules: Vec<(String, Column)>,
    /// Game and column of cells that only *a* has.
    pub only_a: Vec<(String, Column)>,
    /// Game and column of cells that only *b* has.
    pub only_b: Vec<(String, Column)>,
    /// Geometric mean of the ratios and their number, where there are any. Tabled cells are left
    /// out.
    pub mean: Option<(Estimate, usize)>,
    /// The differences between the runs besides the figures: machine, build, options, methods; and
    /// the limits of the comparison.
    pub warnings: Vec<String>,
}

/// One cell in both runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// Id of the game.
    pub game: String,
    /// The engine, its loop and its threads.
    pub column: Column,
    /// Verdict in *a* and in *b*.
    pub verdicts: (Verdict, Verdict),
    /// Playouts a CPU second in *a* and in *b*, where ranked.
    pub rates: (Option<f64>, Option<f64>),
    /// True if it was measured on a busy machine in *a*, and in *b*.
    pub contended: (bool, bool),
    /// Rate of *b* over rate of *a*, where both are ranked, with its own 95 % interval: Welch's
    /// between the processes of the runs, or a bootstrap between rounds where both have one
    /// process. Two runs share no visit, so what changed on the machine between them is *not* in
    /// the interval.
    pub ratio: Option<Estimate>,
    /// The p-value of the ratio being 1, raised by Holm's correction over all cells of the
    /// comparison.
    pub p_value: Option<f64>,
}

impl Change {
    /// True if the ratio differs from 1 significantly, after the correction for the number of
    /// cells.
    pub fn is_significant(&self) -> bool {
        self.p_value.is_some_and(|p_value| p_value < 1.0 - LEVEL)
    }

    /// True if the verdict is worse in *b*, by the order of [`Verdict`].
    pub fn is_worse(&self) -> bool {
        self.verdicts.1 > self.verdicts.0
    }

    /// True if *b* is slower by more than `threshold` (0.1 is ten percent), and significantly
    /// slower.
    pub fn is_regression(&self, threshold: f64) -> bool {
        self.is_significant() && self.ratio.is_some_and(|ratio| ratio.value < 1.0 - threshold)
    }
}

impl Comparison {
    /// The cells for which *b* is worse than *a*, a line each: verdicts that turned worse, and,
    /// where there is a `threshold`, cells slower by more than that.
    pub fn failures(&self, threshold: Option<f64>) -> Vec<String> {
        let failure = |change: &Change| {
            let cell = format!("{} on {}", change.game, change.column.label());
            let (before, after) = change.verdicts;
            if change.is_worse() {
                return Some(format!("{cell}: {before} before, {after} after"));
            }
            let threshold = threshold.filter(|&threshold| change.is_regression(threshold))?;
            let slower = 100.0 * (1.0 - change.ratio?.value);
            let allowed = 100.0 * threshold;
            Some(format!("{cell}: {slower:.1} % slower, more than the {allowed} % allowed"))
        };
        self.changes.iter().filter_map(failure).collect()
    }
}

/// The key of a cell in any run: the game's id, and the column.
type Key<'t> = (&'t str, &'t Column);

/// Compares two runs.
pub fn compare(a: &Run, b: &Run) -> Comparison {
    let (table_a, table_b) = (a.table(), b.table());
    let (cells_a, cells_b) = (cells(&table_a), cells(&table_b));
    let (by_key_a, by_key_b): (BTreeMap<Key<'_>, &Cell>, BTreeMap<Key<'_>, &Cell>) =
        (cells_a.iter().copied().collect(), cells_b.iter().copied().collect());
    let owned = |&(game, column): &Key<'_>| (game.to_owned(), column.clone());
    let (mut changes, mut other_rules) = (Vec::new(), Vec::new());
    let mut ratios: Vec<Option<Statistic>> = Vec::new();
    let mut pairs: Vec<(Key<'_>, &Cell, &Cell)> = Vec::new();
    for (key, before) in &cells_a {
        let Some(after) = by_key_b.get(key) else { continue };
        if settings::differ(before.rules(), after.rules()) {
            other_rules.push(owned(key));
            continue;
        }
        let ratio = ratio(before, after, 2 * changes.len() as u64);
        let rate = |cell: &Cell| cell.figures().map(|figures| figures.per_cpu_second.value);
        changes.push(Change {
            game: key.0.to_owned(),
            column: key.1.clone(),
            verdicts: (before.verdict(), after.verdict()),
            rates: (rate(before), rate(after)),
            contended: (before.is_contended(), after.is_contended()),
            ratio: ratio.as_ref().map(Statistic::estimate),
            p_value: ratio.as_ref().and_then(Statistic::p_value),
        });
        ratios.push(ratio);
        pairs.push((*key, before, after));
    }
    correct(&mut changes);
    let lacking = |cells: &[(Key<'_>, &Cell)], others: &BTreeMap<Key<'_>, &Cell>| {
        let lacking = cells.iter().filter(|(key, _)| !others.contains_key(key));
        lacking.map(|(key, _)| owned(key)).collect::<Vec<_>>()
    };
    let (only_a, only_b) = (lacking(&cells_a, &by_key_b), lacking(&cells_b, &by_key_a));
    let items: Vec<&Statistic> = changes
        .iter()
        .zip(&ratios)
        .filter(|(change, _)| !change.column.tabled)
        .filter_map(|(_, ratio)| ratio.as_ref())
        .collect();
    let mean = Statistic::geometric_mean(&items).map(|mean| (mean.estimate(), items.len()));
    let mut warnings = settings::differences((a, b), &pairs);
    warnings.extend(settings::other_ways(&only_a, &only_b));
    Comparison { changes, other_rules, only_a, only_b, mean, warnings }
}

/// Raises the p-values for the number of cells that have one.
fn correct(changes: &mut [Change]) {
    let plain: Vec<f64> = changes.iter().filter_map(|change| change.p_value).collect();
    let mut corrected = holm(&plain).into_iter();
    for p_value in changes.iter_mut().filter_map(|change| change.p_value.as_mut()) {
        *p_value = corrected.next().unwrap_or(*p_value);
    }
}

fn cells(table: &Table) -> Vec<(Key<'_>, &Cell)> {
    let key = |row: usize, column: usize| (&*table.games()[row].id, &table.columns()[column]);
    let cells = table.cells().map(|(row, column, cell)| (key(row, column), cell));
    cells.filter(|((_, column), _)| !column.control).collect()
}

/// Rate of `after` over rate of `before`, which are independent.
fn ratio(before: &Cell, after: &Cell, stream: u64) -> Option<Statistic> {
    let before = before.figures()?.rate(stream)?;
    let after = after.figures()?.rate(stream + 1)?;
    Some(after.over(&before))
}
