//! The growth of the cost of a playout with the size of the board: a chart a family.

use std::collections::BTreeSet;

use super::axis::{self, Axis, extent};
use super::head::Head;
use super::plane::{Curve, Join, PlaneChart, Point};
use super::{Chart, Data, Picture};
use crate::Error;
use crate::curves::{Curves, Over};
use crate::stats::PowerLaw;

pub(super) const CHART: Chart = Chart {
    name: "growth",
    title: "Growth with the size of the board",
    shows: "CPU time of a playout over the sizes of a family, with the exponents of growth",
    draw,
};

fn draw(data: &Data<'_>) -> Result<Vec<Picture>, Error> {
    let mut pictures = Vec::new();
    let mut names = BTreeSet::new();
    for bundle in data.curves {
        let Over::Size(family) = &bundle.over else { continue };
        let Some(mut chart) = family_chart(data, bundle, family) else { continue };
        // A family's name comes from a file: it must not lead out of the folder.
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        let name: String = family.chars().take(60).map(plain).collect();
        let numbered = (2..).map(|number| format!("growth-{name}-{number}"));
        let mut candidates = std::iter::once(format!("growth-{name}")).chain(numbered);
        if let Some(free) = candidates.find(|name| names.insert(name.clone())) {
            chart.name = free;
        }
        pictures.push(chart.picture()?);
    }
    Ok(pictures)
}

fn family_chart(data: &Data<'_>, bundle: &Curves, family: &str) -> Option<PlaneChart> {
    let points = || bundle.curves.iter().flat_map(|curve| &curve.points);
    let across = Axis::counts(points().map(|point| point.at))?;
    let nanoseconds = |seconds: f64| 1e9 * seconds;
    let interval = |point: &crate::curves::Point| {
        point.value.interval.map(|interval| (1e9 * interval.low, 1e9 * interval.high))
    };
    let times = points().flat_map(|point| extent(nanoseconds(point.value.value), interval(point)));
    let up = Axis::decades(times, axis::nanoseconds)?;
    let ends = across.ends();
    let mut legend = Vec::new();
    let mut curves = Vec::new();
    for curve in &bundle.curves {
        let mark = data.mark(curve.column);
        let points = curve.points.iter().map(|point| Point {
            at: (point.at as f64, nanoseconds(point.value.value)),
            interval: interval(point),
            name: String::new(),
        });
        let join = curve.growth.map_or(Join::Lines, |law| {
            let value = |size: f64| nanoseconds(law.factor * size.powf(law.exponent.value));
            // Ends that lie outside would bend the line at the edge.
            let (low, high) = up.ends();
            let inside = |&(_, time): &(f64, f64)| (low..=high).contains(&time);
            let steps = (0..=200).map(|step| {
                let size = ends.0 * (ends.1 / ends.0).powf(f64::from(step) / 200.0);
                (size, value(size))
            });
            let all: Vec<(f64, f64)> = steps.filter(inside).collect();
            Join::Through(all.first().into_iter().chain(all.last()).copied().collect())
        });
        let law = curve.growth.map_or_else(String::new, |law| format!(": {}", exponent(&law)));
        legend.push((mark, format!("{}{law}", curve.name)));
        curves.push(Curve { mark, points: points.collect(), join });
    }
    Some(PlaneChart {
        name: String::new(),
        head: Head {
            title: format!("How the cost of a playout grows: {family}"),
            remark: "CPU time of a playout over the size n of the board. Lines are the power laws \
                that fit best, the legend has their exponents with 95 % intervals; lines through \
                marks are 95 % intervals, where wide enough to be seen."
                .to_owned(),
            legend,
        },
        across: (across, format!("n, the size in the family {family}, logarithmic")),
        up: (up, "CPU time of a playout, logarithmic".to_owned()),
        curves,
        guide: Vec::new(),
    })
}

/// `n^3.02 (2.95–3.09)`.
fn exponent(law: &PowerLaw) -> String {
    let value = law.exponent.value;
    law.exponent.interval.map_or_else(
        || format!("n^{value:.2}"),
        |interval| format!("n^{value:.2} ({:.2}–{:.2})", interval.low, interval.high),
    )
}
