//! `profile.png`: how often each engine comes how close to the quickest.

use super::plane::{Label, Mark, PlaneChart, Scale, Series};
use super::scene::Scene;
use super::speedup;
use super::theme::Paint;
use crate::table::Table;

/// The performance profile of Dolan and Moré ("Benchmarking optimization software with performance
/// profiles", *Mathematical Programming* 91, 2002): for each engine, over factors, the share of the
/// games that it plays at least that close to the quickest engine. Where a curve starts is how often
/// the engine is the quickest; where it ends, how many of the games it plays at all. Games that fewer
/// than two engines have figures for say nothing, and are left out, and so are tabled columns and controls.
pub fn profile_chart(table: &Table) -> Scene {
    // Tabled playouts are no match for others, and a control is nobody's rival.
    let takes_part = |&column: &usize| {
        let column = &table.columns()[column];
        !column.tabled && !column.control
    };
    let columns = (0..table.columns().len()).filter(takes_part);
    let rate = |row: usize, column: usize| {
        table.figures(row, column).map(|figures| figures.per_cpu_second.value)
    };
    let rows: Vec<usize> = (0..table.games().len())
        .filter(|&row| columns.clone().filter(|&column| rate(row, column).is_some()).count() > 1)
        .collect();
    let best =
        |row: usize| columns.clone().filter_map(|column| rate(row, column)).fold(0.0, f64::max);
    let series = columns.clone().filter_map(|column| {
        let mut factors: Vec<f64> =
            rows.iter().filter_map(|&row| Some(best(row) / rate(row, column)?)).collect();
        factors.sort_by(f64::total_cmp);
        let share = |index: usize| (index + 1) as f64 / rows.len() as f64;
        (!factors.is_empty()).then(|| Series {
            name: table.columns()[column].label(),
            fill: Paint::Series(column),
            points: factors.iter().enumerate().map(|(i, &factor)| (factor, share(i))).collect(),
            mark: Mark::Steps,
        })
    });
    PlaneChart {
        title: "Performance profile".to_owned(),
        subtitle: format!(
            "Share of {} games that an engine plays at most so many times slower than the quickest engine of the game (Dolan and Moré 2002).",
            rows.len()
        ),
        across: Label { name: "times slower than the quickest".to_owned(), tick: speedup::tick },
        up: Label { name: "share of games".to_owned(), tick: percent },
        places: Vec::new(),
        scale: Scale::Share,
        series: series.collect(),
        empty: "No game has figures of two engines.".to_owned(),
    }
    .scene()
}

fn percent(value: f64) -> String {
    format!("{:.0} %", 100.0 * value)
}
