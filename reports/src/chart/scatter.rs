//! A point a cell: rate against what it costs.

use super::axis::{self, Axis};
use super::head::Head;
use super::plane::{Curve, Join, PlaneChart, Point};
use super::series::Series;
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
            "Each mark is a game on an engine, in the way in which the engine plays most of them; \
             up is quicker in play, left is quicker to start. Names stand where there is room: \
             where there are many games, of those at the ends of an engine's range.",
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
            "Each mark is a game on an engine, in the way in which the engine plays most of them; \
             up is quicker in play, left is shorter to write. Hand-coded games have no \
             description. Names stand where there is room: where there are many games, of those \
             at the ends of an engine's range.",
            ("tokens of the description, logarithmic", axis::plain),
            Cell::tokens,
        )
    },
};

/// More points than this are not all named.
const NAMED: usize = 40;

/// One column of each engine: that with the most figures, the first of equals. Another way of the
/// same engine costs as much to compile and has the same description, so it would only be the same
/// points once more.
fn one_each(data: &Data<'_>) -> Vec<Series> {
    let table = data.table;
    let figures = |of: &Series| {
        (0..table.games().len()).filter(|&row| table.figures(row, of.column).is_some()).count()
    };
    let engine = |of: &Series| table.columns()[of.column].engine.as_str();
    let mut kept: Vec<Series> = Vec::new();
    for series in data.series() {
        match kept.iter_mut().find(|of| engine(of) == engine(&series)) {
            Some(other) if figures(&series) > figures(other) => *other = series,
            Some(_) => {}
            None => kept.push(series),
        }
    }
    kept
}

/// Leaves the names of the points that are first or last on an axis.
fn name_extremes(curve: &mut Curve) {
    let mut named = Vec::new();
    for axis in [|point: &Point| point.at.0, |point: &Point| point.at.1] {
        let order =
            |a: &usize, b: &usize| axis(&curve.points[*a]).total_cmp(&axis(&curve.points[*b]));
        named.extend((0..curve.points.len()).min_by(order));
        named.extend((0..curve.points.len()).max_by(order));
    }
    for (number, point) in curve.points.iter_mut().enumerate() {
        if !named.contains(&number) {
            point.name.clear();
        }
    }
}

fn draw(
    data: &Data<'_>,
    chart: &Chart,
    remark: &str,
    (across_name, tick): (&str, fn(f64) -> String),
    cost: fn(&Cell) -> Option<u64>,
) -> Result<Vec<Picture>, Error> {
    let mut legend = Vec::new();
    let mut curves = Vec::new();
    for series in one_each(data) {
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
    if curves.iter().map(|curve| curve.points.len()).sum::<usize>() > NAMED {
        curves.iter_mut().for_each(name_extremes);
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
