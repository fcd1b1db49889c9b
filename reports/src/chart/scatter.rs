//! A point a cell: rate against what it costs.

use super::axis::{self, Axis};
use super::head::Head;
use super::plane::{Curve, Join, PlaneChart, Point};
use super::{Chart, Data, Picture};
use crate::Error;
use crate::table::Cell;

pub(super) const COMPILE: Chart = Chart {
    name: "compile",
    title: "Compile time against speed",
    shows: "playouts per CPU second over the time from text to a playable game",
    draw: |data| {
        draw(
            data,
            &COMPILE,
            "Each mark is a game on an engine; up is quicker in play, left is quicker to start. \
             Names stand where there is room.",
            ("time from text to a playable game, logarithmic", axis::nanoseconds),
            Cell::compile_ns,
        )
    },
};

pub(super) const TOKENS: Chart = Chart {
    name: "tokens",
    title: "Description size against speed",
    shows: "playouts per CPU second over the number of tokens of the description",
    draw: |data| {
        draw(
            data,
            &TOKENS,
            "Each mark is a game on an engine; up is quicker in play, left is shorter to write. \
             Hand-coded games have no description. Names stand where there is room.",
            ("tokens of the description, logarithmic", axis::plain),
            Cell::tokens,
        )
    },
};

fn draw(
    data: &Data<'_>,
    chart: &Chart,
    remark: &str,
    (across_name, tick): (&str, fn(f64) -> String),
    cost: fn(&Cell) -> Option<u64>,
) -> Result<Vec<Picture>, Error> {
    let mut legend = Vec::new();
    let mut curves = Vec::new();
    for series in data.series() {
        let points: Vec<Point> = data
            .table
            .games()
            .iter()
            .enumerate()
            .filter_map(|(row, game)| {
                let cell = data.table.cell(row, series.column)?;
                let cost = cost(cell).filter(|&cost| cost > 0)? as f64;
                let rate = cell.figures()?.per_cpu_second.value;
                let at = (cost, Some(rate).filter(|rate| *rate > 0.0 && rate.is_finite())?);
                Some(Point { at, interval: None, name: game.title.clone() })
            })
            .collect();
        if !points.is_empty() {
            legend.push((series.mark, series.name));
            curves.push(Curve { mark: series.mark, points, join: Join::Nothing });
        }
    }
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let across = Axis::decades(points().map(|point| point.at.0), tick);
    let up = Axis::decades(points().map(|point| point.at.1), axis::plain);
    let Some((across, up)) = across.zip(up) else { return Ok(Vec::new()) };
    let chart = PlaneChart {
        name: chart.name.to_owned(),
        head: Head { title: chart.title.to_owned(), remark: remark.to_owned(), legend },
        across: (across, across_name.to_owned()),
        up: (up, "playouts per CPU second, logarithmic".to_owned()),
        curves,
        guide: Vec::new(),
    };
    Ok(vec![chart.picture()?])
}
