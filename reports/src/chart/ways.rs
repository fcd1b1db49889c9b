//! How the order of languages changes with the way of playing: a curve a language.

use super::Picture;
use super::axis::{self, Axis, extent};
use super::head::Head;
use super::mark::Mark;
use super::plane::{Curve, Join, PlaneChart, Point};
use crate::Error;
use crate::stats::Estimate;

/// Rates of languages over those of games by hand.
pub(crate) struct Ways {
    /// The ways of playing, from left to right.
    pub(crate) names: Vec<String>,
    /// Each language: the engine whose mark it has, its name, and its rate in each way.
    pub(crate) curves: Vec<(String, String, Vec<Option<Estimate>>)>,
}

/// Draws the rates; `None` if there are none.
///
/// # Errors
/// A picture that cannot be encoded.
pub(crate) fn ways_picture(ways: &Ways) -> Result<Option<Picture>, Error> {
    let mut legend = Vec::new();
    let mut curves = Vec::new();
    for (engine, name, rates) in &ways.curves {
        let mark = Mark::of_engine(engine);
        let point = |(index, rate): (usize, &Option<Estimate>)| {
            let rate = rate.as_ref()?;
            let interval = rate.interval.map(|interval| (interval.low, interval.high));
            Some(Point { at: ((index + 1) as f64, rate.value), interval, name: String::new() })
        };
        let points = rates.iter().enumerate().filter_map(point).collect();
        legend.push((mark, name.clone()));
        curves.push(Curve { mark, points, join: Join::Lines });
    }
    let values = curves.iter().flat_map(|curve| &curve.points);
    let values = values.flat_map(|point| extent(point.at.1, point.interval));
    let Some(up) = Axis::decades(values.chain([1.0]), axis::factor) else { return Ok(None) };
    let chart = PlaneChart {
        name: "ways".to_owned(),
        head: Head {
            title: "Speed, four ways".to_owned(),
            remark: format!(
                "Playouts a CPU second of each language's best engine over those of the same games \
                 by hand, by the way of playing: {}. Bars are 95 % intervals over games.",
                ways.names.join(", ")
            ),
            legend,
        },
        across: (Axis::numbered(ways.names.clone()), "way of playing".to_owned()),
        up: (up, "over games by hand, logarithmic".to_owned()),
        guide: vec![(0.5, 1.0), (ways.names.len() as f64 + 0.5, 1.0)],
        curves,
    };
    chart.picture().map(Some)
}
