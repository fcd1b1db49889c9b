//! Curves over what was varied: sizes of a family, threads, playouts in a job.

use std::collections::BTreeSet;

use super::plane::{Label, Mark, PlaneChart, Scale, Series};
use super::playouts::short;
use super::scene::Scene;
use super::speedup;
use super::theme::Paint;
use crate::curves::{Curve, Curves, Over};
use crate::format;

/// The chart of a bundle of curves, both axes logarithmic: a power law is a straight line, and its exponent the slope.
pub fn curves_chart(bundle: &Curves) -> Scene {
    let (title, subtitle, across, up) = match &bundle.over {
        Over::Size(family) => (
            format!("How the cost of a playout grows: {family}"),
            "CPU time of a playout over the size of the board; in the legend the exponent of the power law that fits best.",
            Label { name: "size".to_owned(), tick: whole },
            Label { name: "CPU time of a playout".to_owned(), tick: time },
        ),
        Over::Threads => (
            "Speed-up by threads".to_owned(),
            "Playouts a second of elapsed time against those on the fewest threads, geometric mean over the games.",
            Label { name: "threads".to_owned(), tick: whole },
            Label { name: "times as many".to_owned(), tick: speedup::tick },
        ),
        Over::Job => (
            "Rate by playouts in a job".to_owned(),
            "Playouts a CPU second against those in the largest jobs, geometric mean over the games: what it costs to ask for few.",
            Label { name: "playouts in a job".to_owned(), tick: whole },
            Label { name: "share of the rate".to_owned(), tick: speedup::tick },
        ),
    };
    let places: BTreeSet<u64> =
        bundle.curves.iter().flat_map(|curve| &curve.points).map(|point| point.at).collect();
    let series = bundle.curves.iter().map(|curve| Series {
        name: name(curve),
        fill: Paint::Series(curve.series),
        points: curve.points.iter().map(|point| (point.at as f64, point.value.value)).collect(),
        mark: Mark::Line,
    });
    PlaneChart {
        title,
        subtitle: subtitle.to_owned(),
        across,
        up,
        places: places.into_iter().map(|place| place as f64).collect(),
        scale: Scale::Log,
        series: series.collect(),
        empty: "There is no curve.".to_owned(),
    }
    .scene()
}

fn name(curve: &Curve) -> String {
    match curve.growth {
        Some(law) => format!("{} ({:.2})", curve.name, law.exponent.value),
        None => curve.name.clone(),
    }
}

fn whole(value: f64) -> String {
    format::count(value as u64)
}

/// `10 µs`, `1 ms`, from seconds.
fn time(seconds: f64) -> String {
    match seconds * 1e9 {
        ns if ns < 999.5 => format!("{} ns", format::plain(ns, 3)),
        ns => short(&format::duration(ns.round() as u64)),
    }
}
