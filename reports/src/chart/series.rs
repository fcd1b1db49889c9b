//! The choice of the columns of a table that a chart shows side by side.

use std::collections::BTreeMap;

use super::mark::{Mark, Marks};
use crate::rows::Via;
use crate::table::{Column, Table};

/// A column that is shown.
#[derive(Debug, Clone)]
pub(super) struct Series {
    /// Its number in the table.
    pub(super) column: usize,
    pub(super) mark: Mark,
    pub(super) name: String,
}

/// The most columns that are shown: no legend of more can be read.
const MOST: usize = 64;

/// One column for each engine and loop, in the table's order, at most [`MOST`]. Columns that differ
/// from another one in nothing but threads or jobs have charts of their own; of these, the one with
/// the fewest threads and the largest jobs stands for all. Controls are left out.
pub(super) fn series(table: &Table, marks: &Marks) -> Vec<Series> {
    let mut shown: BTreeMap<(&str, Via, bool), usize> = BTreeMap::new();
    // `None` is what the engine itself makes of a batch, and goes before any job.
    let order = |column: &Column| {
        (column.threads, column.job.is_some(), u64::MAX - column.job.unwrap_or(0))
    };
    for (number, column) in table.columns().iter().enumerate().filter(|(_, c)| !c.control) {
        let best = shown.entry((&column.engine, column.via, column.tabled)).or_insert(number);
        if order(column) < order(&table.columns()[*best]) {
            *best = number;
        }
    }
    let mut columns: Vec<usize> = shown.into_values().collect();
    columns.sort_unstable();
    columns.truncate(MOST);
    let series = |column: usize| {
        let of = &table.columns()[column];
        Series { column, mark: marks.mark(of), name: of.label() }
    };
    columns.into_iter().map(series).collect()
}
