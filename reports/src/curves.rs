//! The change of a figure with the size of the board, the number of threads, or the number of
//! playouts in a job.

use std::collections::{BTreeMap, BTreeSet};

use crate::stats::{Estimate, PowerLaw, Statistic};
use crate::table::{Column, Figures, Table};

/// A bundle of curves over the same quantity.
#[derive(Debug, Clone, PartialEq)]
pub struct Curves {
    /// The quantity that was varied.
    pub over: Over,
    /// One for each engine and loop, in the order of columns.
    pub curves: Vec<Curve>,
}

/// The quantity that was varied, which decides what is shown.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Over {
    /// The size of the games of this family; shown is the CPU time of a playout, in seconds.
    Size(String),
    /// Threads; shown is how many times as many playouts a second of elapsed time as on one thread,
    /// the geometric mean over the games.
    Threads,
    /// Playouts in a job; shown is the rate as a share of that in the largest jobs, the geometric
    /// mean over the games.
    Job,
}

/// One engine's curve.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// Engine and loop.
    pub name: String,
    /// Its first column in the table.
    pub column: usize,
    /// By ascending place.
    pub points: Vec<Point>,
    /// The power law through the points, for sizes.
    pub growth: Option<PowerLaw>,
    /// The same for the CPU time of a ply.
    pub growth_of_ply: Option<PowerLaw>,
}

/// One point of a curve.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// Size, threads, or playouts in a job.
    pub at: u64,
    /// The value.
    pub value: Estimate,
    /// Games that it is the mean of.
    pub games: usize,
}

impl Over {
    /// A word for files and tables: `hex`, `threads`, `jobs`.
    pub fn name(&self) -> &str {
        match self {
            Self::Size(family) => family,
            Self::Threads => "threads",
            Self::Job => "jobs",
        }
    }
}

/// All bundles that a table has material for: families with two sizes or more, then threads, then
/// jobs.
pub fn curves(table: &Table) -> Vec<Curves> {
    let families: BTreeSet<&str> = table
        .games()
        .iter()
        .filter_map(|game| game.size.as_ref().map(|(family, _)| family.as_str()))
        .collect();
    let mut bundles: Vec<Curves> =
        families.into_iter().map(|family| over_sizes(table, family)).collect();
    bundles.push(over_columns(table, Over::Threads));
    bundles.push(over_columns(table, Over::Job));
    bundles.retain(|bundle| !bundle.curves.is_empty());
    bundles
}

fn over_sizes(table: &Table, family: &str) -> Curves {
    let mut rows: Vec<(u64, usize)> = table
        .games()
        .iter()
        .enumerate()
        .filter_map(|(row, game)| {
            game.size.as_ref().filter(|(name, _)| name == family).map(|&(_, size)| (size, row))
        })
        .collect();
    rows.sort_unstable();
    let curve = |(column, way): (usize, &Column)| {
        if way.control {
            return None;
        }
        let figures: Vec<(u64, &Figures)> = rows
            .iter()
            .filter_map(|&(size, row)| Some((size, table.figures(row, column)?)))
            .collect();
        let time = |figures: &Figures| inverse(&figures.per_cpu_second);
        let fit = |value: &dyn Fn(&Figures) -> f64| {
            let points: Vec<(f64, f64)> =
                figures.iter().map(|&(size, figures)| (size as f64, value(figures))).collect();
            PowerLaw::through(&points)
        };
        let points =
            figures.iter().map(|&(at, figures)| Point { at, value: time(figures), games: 1 });
        (figures.len() > 1).then(|| Curve {
            name: way.label(),
            column,
            points: points.collect(),
            growth: fit(&|figures| 1.0 / figures.per_cpu_second.value),
            growth_of_ply: fit(&|figures| 1.0 / figures.plies_per_cpu_second.value),
        })
    };
    Curves {
        over: Over::Size(family.to_owned()),
        curves: table.columns().iter().enumerate().filter_map(curve).collect(),
    }
}

/// Curves over columns that differ in nothing but what is varied. A game takes part where it has
/// figures at every place, so that all points are means over the same games.
fn over_columns(table: &Table, over: Over) -> Curves {
    let place = |column: &Column| match over {
        Over::Threads => Some(u64::from(column.threads)),
        _ => column.job,
    };
    let mut ways: BTreeMap<Column, Vec<(u64, usize)>> = BTreeMap::new();
    for (number, column) in table.columns().iter().enumerate().filter(|(_, c)| !c.control) {
        let Some(at) = place(column) else { continue };
        let rest = match over {
            Over::Threads => Column { threads: 1, ..column.clone() },
            _ => Column { job: None, ..column.clone() },
        };
        ways.entry(rest).or_default().push((at, number));
    }
    let curve = |(way, mut places): (Column, Vec<(u64, usize)>)| {
        places.sort_unstable();
        // Threads are measured against the fewest, jobs against the largest.
        let &(_, base) = if over == Over::Threads { places.first()? } else { places.last()? };
        let games: Vec<usize> = (0..table.games().len())
            .filter(|&row| places.iter().all(|&(_, column)| table.figures(row, column).is_some()))
            .collect();
        let point = |&(at, column): &(u64, usize)| {
            let ratios: Vec<Statistic> = games
                .iter()
                .filter_map(|&row| {
                    let (one, base) = (table.figures(row, column)?, table.figures(row, base)?);
                    match over {
                        Over::Threads => one.elapsed_speedup_over(base, row as u64),
                        _ => one.speedup_over(base, row as u64),
                    }
                })
                .collect();
            let value = Statistic::geometric_mean(&ratios.iter().collect::<Vec<_>>())?.estimate();
            Some(Point { at, value, games: ratios.len() })
        };
        let points: Vec<Point> = places.iter().filter_map(point).collect();
        (points.len() > 1).then(|| Curve {
            name: way.label(),
            column: places[0].1,
            points,
            growth: None,
            growth_of_ply: None,
        })
    };
    let mut curves: Vec<Curve> = ways.into_iter().filter_map(curve).collect();
    curves.sort_by_key(|curve| curve.column);
    Curves { over, curves }
}

/// One over an estimate.
fn inverse(rate: &Estimate) -> Estimate {
    let interval = rate.interval.map(|interval| crate::stats::Interval {
        low: 1.0 / interval.high,
        high: 1.0 / interval.low,
    });
    Estimate { value: 1.0 / rate.value, interval }
}
