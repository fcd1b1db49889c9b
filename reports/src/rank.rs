//! Engines in order of speed, over all games that two or more of them play.

use crate::Error;
use crate::standing::may_be_beaten;
use crate::stats::{Bootstrap, Estimate};
use crate::table::{Column, Table};
use crate::text::did_you_mean;

/// Most columns that are ranked: the time grows with their cube.
const MOST: usize = 64;

/// Engines ranked on the games that they share with others.
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
    /// The speed over that of the engine in the last place: the geometric mean over the games, or
    /// if some engines have no figures in some of them, the least-squares fit of a factor for each
    /// game and one for each engine. A game that an engine lacks tells nothing of it, so an engine
    /// that gives up where it would be slow looks better than it is.
    ///
    /// The interval is a bootstrap over *games*: how much the figure hangs on which games were
    /// chosen. Noise of measuring is small beside that.
    pub factor: Estimate,
    /// In how many of the games it has figures.
    pub games: usize,
    /// In how many of them it is the fastest, and a tabled engine that was left out is not as fast.
    pub wins: usize,
    /// In how many of the games it was measured on a busy machine.
    pub contended: usize,
}

/// Ranks the columns of these names (labels or engine ids), or all that have figures and are
/// neither controls nor tabled among others.
///
/// # Errors
/// A name that the table does not have, a control, tabled columns beside others, fewer than two
/// columns or very many, or columns that no games join.
pub fn rank(table: &Table, names: &[String]) -> Result<Ranking, Error> {
    let (columns, left_out) =
        if names.is_empty() { measured_columns(table) } else { (named(table, names)?, Vec::new()) };
    if columns.len() < 2 {
        return Err(Error::Request("a ranking needs two engines with figures".to_owned()));
    }
    if columns.len() > MOST {
        return Err(Error::Request(format!("at most {MOST} columns can be ranked; name fewer")));
    }
    let rows: Vec<usize> = (0..table.games().len())
        .filter(|&row| columns.iter().filter(|&&c| rate(table, row, c).is_some()).nth(1).is_some())
        .collect();
    // The slowest comes last, and all others are told in multiples of it.
    let mut order = columns.clone();
    let ratios = ratios_to_last(table, &rows, &order)?;
    let value = |&place: &usize| ratios[place].value;
    let slowest = (0..order.len()).min_by(|a, b| value(a).total_cmp(&value(b)));
    let last = order.remove(slowest.unwrap_or(0));
    order.push(last);
    let mut places: Vec<Place> = ratios_to_last(table, &rows, &order)?
        .into_iter()
        .zip(&order)
        .map(|(factor, &column)| {
            let own = |&row: &usize| rate(table, row, column);
            let is_first = |&row: &usize| {
                let own = own(&row);
                own.is_some()
                    && order.iter().all(|&other| rate(table, row, other) <= own)
                    && !may_be_beaten(table, row, column)
            };
            let cells = || rows.iter().filter_map(|&row| table.cell(row, column));
            Place {
                column: table.columns()[column].clone(),
                factor,
                games: rows.iter().filter_map(own).count(),
                wins: rows.iter().copied().filter(is_first).count(),
                contended: cells().filter(|cell| cell.is_contended()).count(),
            }
        })
        .collect();
    places.sort_by(|a, b| b.factor.value.total_cmp(&a.factor.value));
    Ok(Ranking {
        places,
        games: rows.iter().map(|&row| table.games()[row].title.clone()).collect(),
        left_out,
    })
}

/// Playouts a CPU second, where there are figures.
fn rate(table: &Table, row: usize, column: usize) -> Option<f64> {
    table.figures(row, column).map(|figures| figures.per_cpu_second.value)
}

/// All columns with figures but controls, and the labels of those that are left out of them because
/// they are tabled among others.
fn measured_columns(table: &Table) -> (Vec<usize>, Vec<String>) {
    let all = (0..table.columns().len())
        .filter(|&column| !table.columns()[column].control)
        .filter(|&column| (0..table.games().len()).any(|row| rate(table, row, column).is_some()));
    let (tabled, others): (Vec<usize>, Vec<usize>) =
        all.partition(|&column| table.columns()[column].tabled);
    if others.is_empty() {
        return (tabled, Vec::new());
    }
    let left_out = tabled.iter().map(|&column| table.columns()[column].label()).collect();
    (others, left_out)
}

/// The columns of these names.
fn named(table: &Table, names: &[String]) -> Result<Vec<usize>, Error> {
    let find = |name: &String| {
        table.find_column(name).ok_or_else(|| {
            let known: Vec<String> = table.columns().iter().map(Column::label).collect();
            let hint = did_you_mean(name, known.iter().map(String::as_str));
            let known = known.join(", ");
            Error::Request(format!("no engine {name:?} in this run; it has: {known}{hint}"))
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
    Ok(columns)
}

/// The speed of each of these columns over that of the last of them, over these rows.
fn ratios_to_last(
    table: &Table,
    rows: &[usize],
    columns: &[usize],
) -> Result<Vec<Estimate>, Error> {
    let rates = |&row: &usize| columns.iter().map(|&column| rate(table, row, column)).collect();
    let rates: Vec<Vec<Option<f64>>> = rows.iter().map(rates).collect();
    if let Some(ratios) = Bootstrap::ratios_to_last(columns.len(), &rates, 0) {
        return Ok(ratios.iter().map(Bootstrap::estimate).collect());
    }
    let games = |(place, &column): (usize, &usize)| {
        let count = rates.iter().filter(|rates| rates[place].is_some()).count();
        format!("{} {count}", table.columns()[column].label())
    };
    let each: Vec<String> = columns.iter().enumerate().map(games).collect();
    Err(Error::Request(format!(
        "these engines share too few games to be ranked together (games that each shares with \
         another: {}); name fewer of them",
        each.join(", ")
    )))
}

/// Labels of two of the columns that must not be compared.
fn unlike(table: &Table, columns: &[usize]) -> Option<(String, String)> {
    let column = |&number: &usize| &table.columns()[number];
    let first = column(columns.first()?);
    let other = columns.iter().skip(1).map(column).find(|other| !first.is_comparable(other))?;
    Some((first.label(), other.label()))
}
