//! Curves as tables: exponents of growth, speed-ups of threads, shares of jobs.

use super::csv::Fields;
use super::factor_with_interval;
use super::grid::Grid;
use crate::curves::{Curve, Curves, Over};
use crate::format::{count, machine};
use crate::stats::{Estimate, PowerLaw};
use crate::table::Table;

/// Headings and tables of all curves, growth of all families in one.
pub(super) fn grids(table: &Table, bundles: &[Curves]) -> Vec<(String, Grid)> {
    let mut grids = Vec::new();
    grids.extend(growth(table, bundles).map(|grid| (GROWTH.to_owned(), grid)));
    for bundle in bundles {
        let (heading, first) = match bundle.over {
            Over::Size(_) => continue,
            Over::Threads => ("Speed-up by threads", "threads"),
            Over::Job => ("Share of the rate by playouts in a job", "playouts in a job"),
        };
        grids.push((heading.to_owned(), by_place(bundle, first)));
    }
    grids
}

const GROWTH: &str = "How cost grows with the board";

/// The explanation of the numbers of [`growth`].
pub(super) const READ_GROWTH: &str = "Exponents e of the power law that fits best: CPU time ~ \
    size^e, per playout and per ply. In brackets stands the 95 % interval from the residuals: how \
    well a power law fits, not how well it was measured.";

/// A row a family and unit, a column an engine.
fn growth(table: &Table, bundles: &[Curves]) -> Option<Grid> {
    let families: Vec<(&str, &Curves)> = bundles
        .iter()
        .filter_map(|bundle| match &bundle.over {
            Over::Size(family) => Some((family.as_str(), bundle)),
            _ => None,
        })
        .collect();
    let taking_part = |column: &usize| {
        let mut curves = families.iter().flat_map(|(_, bundle)| &bundle.curves);
        curves.any(|curve| curve.column == *column)
    };
    let columns: Vec<usize> = (0..table.columns().len()).filter(taking_part).collect();
    if columns.is_empty() {
        return None;
    }
    let mut header = vec!["family".to_owned()];
    header.extend(columns.iter().map(|&column| table.columns()[column].label()));
    let mut rows = Vec::new();
    for (family, bundle) in families {
        let row = |unit: &str, law: fn(&Curve) -> Option<PowerLaw>| {
            let mut row = vec![format!("{family}, {unit}")];
            row.extend(columns.iter().map(|&column| {
                let curve = bundle.curves.iter().find(|curve| curve.column == column);
                curve.and_then(law).map_or_else(|| "–".to_owned(), |law| exponent(&law.exponent))
            }));
            row
        };
        rows.push(row("playout", |curve| curve.growth));
        rows.push(row("ply", |curve| curve.growth_of_ply));
    }
    Some(Grid { header, rows })
}

/// `2.53 (2.41–2.65)`.
fn exponent(estimate: &Estimate) -> String {
    match estimate.interval {
        Some(interval) => {
            format!("{:.2} ({:.2}–{:.2})", estimate.value, interval.low, interval.high)
        }
        None => format!("{:.2}", estimate.value),
    }
}

/// A row an engine, a column a place.
fn by_place(bundle: &Curves, first: &str) -> Grid {
    let mut places: Vec<u64> =
        bundle.curves.iter().flat_map(|curve| &curve.points).map(|point| point.at).collect();
    places.sort_unstable();
    places.dedup();
    let mut header = vec![first.to_owned()];
    header.extend(places.iter().map(|&place| count(place)));
    header.push("games".to_owned());
    let row = |curve: &Curve| {
        let mut row = vec![curve.name.clone()];
        row.extend(places.iter().map(|&place| {
            let point = curve.points.iter().find(|point| point.at == place);
            point.map_or_else(|| "–".to_owned(), |point| factor_with_interval(&point.value))
        }));
        row.push(curve.points.first().map_or(0, |point| point.games).to_string());
        row
    };
    Grid { header, rows: bundle.curves.iter().map(row).collect() }
}

/// `curves.csv`: a line a point, for machines.
pub fn curves_csv(bundles: &[Curves]) -> String {
    let mut out = Fields::new(&[
        "over",
        "curve",
        "at",
        "value",
        "low",
        "high",
        "games",
        "exponent",
        "exponent_low",
        "exponent_high",
        "exponent_of_ply",
    ]);
    for bundle in bundles {
        for curve in &bundle.curves {
            for point in &curve.points {
                let number = |value: Option<f64>| value.map(machine).unwrap_or_default();
                let law = curve.growth.map(|law| law.exponent);
                let interval = law.and_then(|law| law.interval);
                out.line(&[
                    bundle.over.name().to_owned(),
                    curve.name.clone(),
                    point.at.to_string(),
                    machine(point.value.value),
                    number(point.value.interval.map(|interval| interval.low)),
                    number(point.value.interval.map(|interval| interval.high)),
                    point.games.to_string(),
                    number(law.map(|law| law.value)),
                    number(interval.map(|interval| interval.low)),
                    number(interval.map(|interval| interval.high)),
                    number(curve.growth_of_ply.map(|law| law.exponent.value)),
                ]);
            }
        }
    }
    out.finish()
}
