//! Two runs side by side: what became faster or slower, and which verdicts changed.

use std::collections::BTreeMap;

use crate::rows::Verdict;
use crate::stats::{Bootstrap, Estimate};
use crate::table::{Cell, Column, Table};

/// The difference between run *a* (before) and run *b* (after).
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// Cells that both runs have: in the order of *a*'s games, then by column.
    pub changes: Vec<Change>,
    /// Game and column of cells that only *a* has.
    pub only_a: Vec<(String, Column)>,
    /// Game and column of cells that only *b* has.
    pub only_b: Vec<(String, Column)>,
    /// Geometric mean of the ratios and their number, where there are any.
    pub mean: Option<(Estimate, usize)>,
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
    /// Rate of *b* over rate of *a*, where both are ranked. The rounds of each run are resampled on their own: two runs share no round, so what changed on the machine between them is *not* in the interval.
    pub ratio: Option<Estimate>,
}

impl Change {
    /// Whether the ratio's interval leaves out 1.
    pub fn is_significant(&self) -> bool {
        self.ratio.and_then(|ratio| ratio.interval).is_some_and(|interval| !interval.contains(1.0))
    }

    /// Whether the verdict is worse in *b*, by the order of [`Verdict`].
    pub fn is_worse(&self) -> bool {
        self.verdicts.1 > self.verdicts.0
    }

    /// Whether *b* is slower by more than `threshold` (0.1 is ten percent), with the whole interval below 1.
    pub fn is_regression(&self, threshold: f64) -> bool {
        let slower = |ratio: &Estimate| ratio.value < 1.0 - threshold && ratio.high() < 1.0;
        self.ratio.as_ref().is_some_and(slower)
    }
}

/// What names a cell in any run: the game's id, and the column.
type Key<'t> = (&'t str, &'t Column);

/// Compares two tables.
pub fn compare(a: &Table, b: &Table) -> Comparison {
    let (cells_a, cells_b) = (cells(a), cells(b));
    let (by_key_a, by_key_b): (BTreeMap<Key<'_>, &Cell>, BTreeMap<Key<'_>, &Cell>) =
        (cells_a.iter().copied().collect(), cells_b.iter().copied().collect());
    let mut changes = Vec::new();
    let mut ratios: Vec<Bootstrap> = Vec::new();
    for &(key, before) in &cells_a {
        let Some(after) = by_key_b.get(&key) else { continue };
        let ratio = ratio(before, after, 2 * changes.len() as u64);
        let rate = |cell: &Cell| cell.figures().map(|figures| figures.per_cpu_second.value);
        changes.push(Change {
            game: key.0.to_owned(),
            column: key.1.clone(),
            verdicts: (before.verdict(), after.verdict()),
            rates: (rate(before), rate(after)),
            ratio: ratio.as_ref().map(Bootstrap::estimate),
        });
        ratios.extend(ratio);
    }
    let lacking = |cells: &[(Key<'_>, &Cell)], others: &BTreeMap<Key<'_>, &Cell>| {
        let lacking = cells.iter().filter(|(key, _)| !others.contains_key(key));
        lacking.map(|((game, column), _)| ((*game).to_owned(), (*column).clone())).collect()
    };
    let items: Vec<&Bootstrap> = ratios.iter().collect();
    Comparison {
        changes,
        only_a: lacking(&cells_a, &by_key_b),
        only_b: lacking(&cells_b, &by_key_a),
        mean: Bootstrap::geometric_mean(&items).map(|mean| (mean.estimate(), items.len())),
    }
}

fn cells(table: &Table) -> Vec<(Key<'_>, &Cell)> {
    let key = |row: usize, column: usize| (&*table.games()[row].id, &table.columns()[column]);
    table.cells().map(|(row, column, cell)| (key(row, column), cell)).collect()
}

/// Rate of `after` over rate of `before`, resampled from two streams.
fn ratio(before: &Cell, after: &Cell, stream: u64) -> Option<Bootstrap> {
    let before = before.figures()?.rate(stream)?;
    let after = after.figures()?.rate(stream + 1)?;
    Some(after.over(&before))
}
