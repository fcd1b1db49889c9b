//! Engines in order of speed, over the games that all of them play.

use crate::Error;
use crate::stats::{Bootstrap, Estimate};
use crate::table::{Cell, Column, Table};

/// Engines ranked on the intersection of their games.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranking {
    /// Titles of the games that count, in the order of the table.
    pub games: Vec<String>,
    /// From fastest to slowest.
    pub places: Vec<Place>,
    /// Labels of columns with figures that were left out because their playouts are tabled.
    pub left_out: Vec<String>,
}

/// An engine's place.
#[derive(Debug, Clone, PartialEq)]
pub struct Place {
    /// The engine, its loop and its threads.
    pub column: Column,
    /// How many times as fast as the engine in the last place, as the geometric mean over the
    /// games.
    ///
    /// The interval is a bootstrap over *games*: how much the figure hangs on which games were
    /// chosen. Noise of measuring is small beside that.
    pub factor: Estimate,
    /// In how many of the games it is the fastest.
    pub wins: usize,
    /// In how many of the games it was measured on a busy machine.
    pub contended: usize,
}

/// Ranks the columns of these names (labels or engine ids), or all that have figures and are
/// neither controls nor tabled among others.
///
/// # Errors
/// A name that the table does not have, a control, tabled columns beside others, fewer than two
/// columns, or no game that all of them were measured on.
pub fn rank(table: &Table, names: &[String]) -> Result<Ranking, Error> {
    let measured = |column: usize, row: usize| table.figures(row, column).is_some();
    let rows = 0..table.games().len();
    let mut left_out = Vec::new();
    let columns: Vec<usize> = if names.is_empty() {
        let all: Vec<usize> = (0..table.columns().len())
            .filter(|&column| !table.columns()[column].control)
            .filter(|&column| rows.clone().any(|row| measured(column, row)))
            .collect();
        let (tabled, others): (Vec<usize>, Vec<usize>) =
            all.into_iter().partition(|&column| table.columns()[column].tabled);
        if others.is_empty() {
            tabled
        } else {
            left_out = tabled.iter().map(|&column| table.columns()[column].label()).collect();
            others
        }
    } else {
        let find = |name: &String| {
            table.find_column(name).ok_or_else(|| {
                let known: Vec<String> = table.columns().iter().map(Column::label).collect();
                Error::Request(format!(
                    "no engine {name:?} in this run; it has: {}",
                    known.join(", ")
                ))
            })
        };
        let mut columns = names.iter().map(find).collect::<Result<Vec<_>, _>>()?;
        columns.sort_unstable();
        columns.dedup();
        if let Some((one, other)) = unlike(table, &columns) {
            return Err(Error::Request(format!(
                "{one} and {other} cannot be ranked together: tabled playouts carry results over \
                 from one playout to the next, and a control is the same column once more"
            )));
        }
        columns
    };
    if columns.len() < 2 {
        return Err(Error::Request("a ranking needs two engines with figures".to_owned()));
    }
    let shared: Vec<usize> =
        rows.clone().filter(|&row| columns.iter().all(|&column| measured(column, row))).collect();
    if shared.is_empty() {
        let games = |&column: &usize| {
            let count = rows.clone().filter(|&row| measured(column, row)).count();
            format!("{} {count}", table.columns()[column].label())
        };
        let each: Vec<String> = columns.iter().map(games).collect();
        return Err(Error::Request(format!(
            "there is no game that all of these engines were measured on ({}); name fewer of them",
            each.join(", ")
        )));
    }
    let rate = |column: usize, row: usize| {
        table.figures(row, column).map_or(f64::NAN, |figures| figures.per_cpu_second.value)
    };
    let logs = |column: usize| shared.iter().map(|&row| rate(column, row).ln()).sum::<f64>();
    let mut order = columns.clone();
    order.sort_by(|&a, &b| logs(b).total_cmp(&logs(a)));
    let last = order[order.len() - 1];
    let places = order.iter().filter_map(|&column| {
        let ratios: Vec<f64> =
            shared.iter().map(|&row| rate(column, row) / rate(last, row)).collect();
        let wins = shared
            .iter()
            .filter(|&&row| columns.iter().all(|&other| rate(other, row) <= rate(column, row)));
        Some(Place {
            column: table.columns()[column].clone(),
            factor: Bootstrap::geometric_mean_of(&ratios, 0)?.estimate(),
            wins: wins.count(),
            contended: shared
                .iter()
                .filter(|&&row| table.cell(row, column).is_some_and(Cell::is_contended))
                .count(),
        })
    });
    Ok(Ranking {
        places: places.collect(),
        games: shared.iter().map(|&row| table.games()[row].title.clone()).collect(),
        left_out,
    })
}

/// Labels of two of the columns that must not be compared.
fn unlike(table: &Table, columns: &[usize]) -> Option<(String, String)> {
    let column = |&number: &usize| &table.columns()[number];
    let first = column(columns.first()?);
    let other = columns.iter().skip(1).map(column).find(|other| !first.is_comparable(other))?;
    Some((first.label(), other.label()))
}
