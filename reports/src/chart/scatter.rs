//! `compile.png` and `tokens.png`: what a cell's speed costs in waiting and in writing.

use super::plane::{Label, Mark, PlaneChart, Scale, Series};
use super::playouts::{short, tick};
use super::scene::Scene;
use super::theme::Paint;
use crate::format;
use crate::table::{Cell, Table};

/// Playouts a CPU second over the time from text to a playable game, a point a cell.
pub fn compile_chart(table: &Table) -> Scene {
    scatter(
        table,
        "Compile time against speed",
        "Each point is a game on an engine; up is quicker in play, left is quicker to start.",
        Label { name: "time to compile".to_owned(), tick: duration },
        Cell::compile_ns,
    )
}

/// Playouts a CPU second over the size of the description, a point a cell.
pub fn tokens_chart(table: &Table) -> Scene {
    scatter(
        table,
        "Description size against speed",
        "Each point is a game on an engine; up is quicker in play, left is shorter to write. Hand-coded games have no description.",
        Label { name: "tokens of the description".to_owned(), tick },
        Cell::tokens,
    )
}

fn scatter(
    table: &Table,
    title: &str,
    subtitle: &str,
    across: Label,
    value: fn(&Cell) -> Option<u64>,
) -> Scene {
    let point = |cell: &Cell| {
        let rate = cell.figures()?.per_cpu_second.value;
        value(cell).filter(|&value| value > 0).map(|value| (value as f64, rate))
    };
    let series = table.columns().iter().enumerate().filter_map(|(column, engine)| {
        let points: Vec<(f64, f64)> =
            (0..table.games().len()).filter_map(|row| point(table.cell(row, column)?)).collect();
        let fill = Paint::Series(column);
        (!points.is_empty()).then(|| Series {
            name: engine.label(),
            fill,
            points,
            mark: Mark::Dots,
        })
    });
    PlaneChart {
        title: title.to_owned(),
        subtitle: subtitle.to_owned(),
        across,
        up: Label { name: "playouts per CPU second".to_owned(), tick },
        places: Vec::new(),
        scale: Scale::Log,
        series: series.collect(),
        empty: "No cell tells both.".to_owned(),
    }
    .scene()
}

/// `10 µs`, `1 ms`.
fn duration(ns: f64) -> String {
    short(&format::duration(ns.round() as u64))
}
