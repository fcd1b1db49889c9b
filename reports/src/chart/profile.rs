//! The share of games on which each engine is within a factor of the quickest.

use super::axis::{self, Axis};
use super::head::Head;
use super::plane::{Curve, Join, PlaneChart, Point};
use super::{Chart, Data, Picture};
use crate::Error;

/// The performance profile of Dolan and Moré ("Benchmarking optimization software with performance
/// profiles", *Mathematical Programming* 91, 2002): for each engine, over factors, the share of the
/// games that it plays at least that close to the quickest engine. Where a curve starts is how
/// often the engine is the quickest; where it ends, how many of the games it plays at all. Games
/// that fewer than two engines have figures for say nothing, and are left out, and so are tabled
/// columns.
pub(super) const CHART: Chart = Chart {
    name: "profile",
    title: "Performance profile",
    shows: "the share of games that an engine plays at most so many times slower than the quickest",
    draw,
};

fn draw(data: &Data<'_>) -> Result<Vec<Picture>, Error> {
    let table = data.table;
    let mut series = data.series();
    series.retain(|series| !table.columns()[series.column].tabled);
    let rate = |row: usize, column: usize| {
        let rate = table.figures(row, column)?.per_cpu_second.value;
        (rate > 0.0 && rate.is_finite()).then_some(rate)
    };
    let rates = |row: usize| series.iter().filter_map(move |series| rate(row, series.column));
    let rows: Vec<usize> = (0..table.games().len()).filter(|&row| rates(row).count() > 1).collect();
    let mut legend = Vec::new();
    let mut curves = Vec::new();
    for series in &series {
        let factor =
            |&row: &usize| Some(rates(row).fold(0.0, f64::max) / rate(row, series.column)?);
        let mut factors: Vec<f64> = rows.iter().filter_map(factor).collect();
        factors.sort_by(f64::total_cmp);
        let point = |(index, factor): (usize, f64)| Point {
            at: (factor, (index + 1) as f64 / rows.len() as f64),
            interval: None,
            name: String::new(),
        };
        if !factors.is_empty() {
            legend.push((series.mark, series.name.clone()));
            let points = factors.into_iter().enumerate().map(point).collect();
            curves.push(Curve { mark: series.mark, points, join: Join::Steps });
        }
    }
    let factors = curves.iter().flat_map(|curve| &curve.points).map(|point| point.at.0);
    let Some(across) =
        Axis::decades(factors.chain((!rows.is_empty()).then_some(1.0)), axis::factor)
    else {
        return Ok(Vec::new());
    };
    let chart = PlaneChart {
        name: CHART.name.to_owned(),
        head: Head {
            title: CHART.title.to_owned(),
            remark: format!(
                "Share of {} that an engine plays at most so many times slower than the quickest \
                 engine of the game (Dolan and Moré 2002). Where a curve starts is how often the \
                 engine is the quickest; where it ends, how many of the games it plays at all.",
                if rows.len() == 1 { "1 game".to_owned() } else { format!("{} games", rows.len()) }
            ),
            legend,
        },
        across: (across, "times slower than the quickest, logarithmic".to_owned()),
        up: (Axis::shares([]), "share of games".to_owned()),
        curves,
        guide: Vec::new(),
    };
    Ok(vec![chart.picture()?])
}
