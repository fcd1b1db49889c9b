//! Engines in order of speed, over all games that two or more of them play.

use crate::Error;
use crate::stats::{Bootstrap, Estimate};
use crate::table::{Cell, Column, Table};
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
    /// How many times as fast as the engine in the last place: the geometric mean over the games,
    /// or where some engines have no figures in some of them, the least-squares fit of a factor for
    /// each game and one for each engine. A game that an engine lacks tells nothing of it, so an
    /// engine that gives up where it would be slow looks better than it is.
    ///
    /// The interval is a bootstrap over *games*: how much the figure hangs on which games were
    /// chosen. Noise of measuring is small beside that.
    pub factor: Estimate,
    /// In how many of the games it has figures.
    pub games: usize,
    /// In how many of them it is the fastest.
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
                let hint = did_you_mean(name, known.iter().map(String::as_str));
                Error::Request(format!(
                    "no engine {name:?} in this run; it has: {}{hint}",
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
    if columns.len() > MOST {
        return Err(Error::Request(format!("at most {MOST} columns can be ranked; name fewer")));
    }
    let shared: Vec<usize> = rows
        .clone()
        .filter(|&row| columns.iter().filter(|&&column| measured(column, row)).nth(1).is_some())
        .collect();
    let count = |column: usize| shared.iter().filter(|&&row| measured(column, row)).count();
    let not_joined = || {
        let games =
            |&column: &usize| format!("{} {}", table.columns()[column].label(), count(column));
        let each: Vec<String> = columns.iter().map(games).collect();
        Error::Request(format!(
            "these engines share too few games to be ranked together (games that each shares with \
             another: {}); name fewer of them",
            each.join(", ")
        ))
    };
    let rate = |column: usize, row: usize| {
        table.figures(row, column).map(|figures| figures.per_cpu_second.value)
    };
    let ratios = |order: &[usize]| {
        let rates = |&row: &usize| order.iter().map(|&column| rate(column, row)).collect();
        let rates: Vec<Vec<Option<f64>>> = shared.iter().map(rates).collect();
        Bootstrap::ratios_to_last(order.len(), &rates, 0).ok_or_else(not_joined)
    };
    // The slowest comes last, and all others are told in multiples of it.
    let mut order = columns.clone();
    let slowest = |ratios: &[Bootstrap]| {
        let value = |&place: &usize| ratios[place].estimate().value;
        (0..ratios.len()).min_by(|a, b| value(a).total_cmp(&value(b)))
    };
    if let Some(slowest) = slowest(&ratios(&order)?) {
        let last = order.remove(slowest);
        order.push(last);
    }
    let place = |(&column, ratio): (&usize, Bootstrap)| {
        let wins = shared.iter().filter(|&&row| {
            let own = rate(column, row);
            own.is_some() && columns.iter().all(|&other| rate(other, row) <= own)
        });
        Place {
            column: table.columns()[column].clone(),
            factor: ratio.estimate(),
            games: count(column),
            wins: wins.count(),
            contended: shared
                .iter()
                .filter(|&&row| table.cell(row, column).is_some_and(Cell::is_contended))
                .count(),
        }
    };
    let mut places: Vec<Place> = order.iter().zip(ratios(&order)?).map(place).collect();
    places.sort_by(|a, b| b.factor.value.total_cmp(&a.factor.value));
    Ok(Ranking {
        places,
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
