//! Every engine against one of them.

use super::{Bound, Summary, Table};
use crate::Error;
use crate::stats::{Estimate, Statistic};

/// Speed-ups over a baseline: playouts a CPU second, as ratios formed inside the processes (or
/// rounds) that both share.
#[derive(Debug, Clone, PartialEq)]
pub struct Speedups {
    /// The baseline's column.
    pub baseline: usize,
    /// True if it was asked for; [`Table::default_baseline`] otherwise.
    pub is_chosen: bool,
    /// Row by row and column by column; `None` where either side has no figures, in the baseline's
    /// own column, and in the columns of controls.
    pub ratios: Vec<Vec<Option<Estimate>>>,
    /// The side that the ratios of each column bound.
    pub bounds: Vec<Bound>,
    /// Each column's geometric mean over the games that it shares with the baseline. Columns differ
    /// in which games those are, so these do not rank the columns against each other.
    pub own: Vec<Option<Summary>>,
    /// Each column's geometric mean over the games on which every column with exact ratios has one:
    /// these compare. `None` where there is no such game, and for tabled columns that lack one.
    pub common: Vec<Option<Summary>>,
}

impl Speedups {
    /// True if the two kinds of mean say the same, so that one of them is enough.
    pub fn is_uniform(&self) -> bool {
        self.own == self.common
    }

    /// The reason for the choice of the baseline, in brackets after its name; empty if it was asked
    /// for.
    pub fn choice(&self) -> &'static str {
        if self.is_chosen { "" } else { " (of the engines with the most games the slowest)" }
    }

    /// True if some ratio is a bound, as one of its sides is tabled.
    pub fn has_bounds(&self) -> bool {
        self.columns().any(|column| self.bounds[column] != Bound::Exact)
    }

    /// True if there is any ratio at all.
    pub fn is_empty(&self) -> bool {
        self.columns().next().is_none()
    }

    /// The columns with a ratio.
    pub fn columns(&self) -> impl Iterator<Item = usize> {
        (0..self.bounds.len()).filter(|&column| any_in(&self.ratios, column))
    }
}

/// True if a column has a ratio.
pub(super) fn any_in(ratios: &[Vec<Option<Estimate>>], column: usize) -> bool {
    ratios.iter().any(|row| row[column].is_some())
}

/// The estimates that are shown of ratios.
pub(super) fn estimates(ratios: &[Vec<Option<Statistic>>]) -> Vec<Vec<Option<Estimate>>> {
    let estimate = |ratio: &Option<Statistic>| ratio.as_ref().map(Statistic::estimate);
    ratios.iter().map(|row| row.iter().map(estimate).collect()).collect()
}

impl Table {
    /// Speed-ups over the named column (a label or an engine's id), or over
    /// [`Table::default_baseline`].
    pub fn speedups(&self, baseline: Option<&str>) -> Result<Speedups, Error> {
        let is_chosen = baseline.is_some();
        let baseline = match baseline {
            None => self
                .default_baseline()
                .ok_or_else(|| Error::Request("there are no rows, so no baseline".into()))?,
            Some(name) => self.find_column(name).ok_or_else(|| {
                let known: Vec<String> = self.columns().iter().map(super::Column::label).collect();
                Error::Request(format!(
                    "baseline {name:?} is not in this run; it has: {}",
                    known.join(", ")
                ))
            })?,
        };
        let base_column = &self.columns()[baseline];
        let bounds: Vec<Bound> =
            self.columns().iter().map(|column| column.bound_over(base_column)).collect();
        let ratios: Vec<Vec<Option<Statistic>>> = (0..self.games().len())
            .map(|row| {
                let base = self.figures(row, baseline);
                let ratio = |column: usize| {
                    if column == baseline || self.columns()[column].control {
                        None
                    } else {
                        self.figures(row, column)?.speedup_over(base?, row as u64)
                    }
                };
                (0..self.columns().len()).map(ratio).collect()
            })
            .collect();
        let columns = 0..self.columns().len();
        let summary = |column: usize, rows: &dyn Fn(usize) -> bool| -> Option<Summary> {
            let counted = (0..ratios.len()).filter(|&row| rows(row));
            let counted = counted.filter_map(|row| ratios[row][column].as_ref());
            Summary::of(&counted.map(|ratio| (bounds[column], ratio)).collect::<Vec<_>>())
        };
        let own: Vec<Option<Summary>> =
            columns.clone().map(|column| summary(column, &|_| true)).collect();
        let shares =
            |row: usize, column: usize| own[column].is_none() || ratios[row][column].is_some();
        let in_common = |row: usize| {
            columns.clone().all(|column| bounds[column] != Bound::Exact || shares(row, column))
        };
        let is_whole =
            |column: usize| (0..ratios.len()).all(|row| !in_common(row) || shares(row, column));
        let common = |column: usize| is_whole(column).then(|| summary(column, &in_common))?;
        let common = columns.clone().map(common).collect();
        let ratios = estimates(&ratios);
        Ok(Speedups { baseline, is_chosen, ratios, bounds, own, common })
    }

    /// The column with figures on the most games, and among those the slowest on the games they
    /// share, so that most speed-ups read as factors above one. Controls are left out, and so are
    /// tabled columns where there is another.
    pub fn default_baseline(&self) -> Option<usize> {
        let figures = |column: usize| {
            (0..self.games().len()).filter(move |&row| self.figures(row, column).is_some())
        };
        let column = |column: &usize| &self.columns()[*column];
        let mut columns: Vec<usize> =
            (0..self.columns().len()).filter(|number| !column(number).control).collect();
        let measured = |number: &usize| !column(number).tabled && figures(*number).next().is_some();
        if columns.iter().any(measured) {
            columns.retain(|number| !column(number).tabled);
        }
        let most = columns.iter().map(|&column| figures(column).count()).max()?;
        let widest: Vec<usize> =
            columns.into_iter().filter(|&column| figures(column).count() == most).collect();
        let shared: Vec<usize> = (0..self.games().len())
            .filter(|&row| widest.iter().all(|&column| self.figures(row, column).is_some()))
            .collect();
        let log_rate = |column: usize| -> f64 {
            shared
                .iter()
                .filter_map(|&row| self.figures(row, column))
                .map(|f| f.per_cpu_second.value.ln())
                .sum()
        };
        widest.into_iter().min_by(|&a, &b| log_rate(a).total_cmp(&log_rate(b)))
    }
}
