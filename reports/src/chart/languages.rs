//! Charts with a curve a language: how their order changes with the way of playing, and how the
//! share of children that are games falls with the number of edits.

use super::Picture;
use super::axis::{self, Axis, extent};
use super::head::Head;
use super::mark::Mark;
use super::plane::{Curve, Join, PlaneChart, Point};
use crate::Error;
use crate::stats::Estimate;

/// The figures of a language.
pub(crate) struct LanguageCurve {
    /// The engine whose mark the language has.
    pub(crate) engine: &'static str,
    /// Its name.
    pub(crate) name: String,
    /// Figures by their place on the horizontal axis.
    pub(crate) points: Vec<(f64, Estimate)>,
}

impl LanguageCurve {
    fn mark(&self) -> Mark {
        Mark::of_engine(self.engine)
    }

    fn curve(&self) -> Curve {
        let point = |(x, figure): &(f64, Estimate)| Point {
            at: (*x, figure.value),
            interval: figure.interval.map(|interval| (interval.low, interval.high)),
            name: String::new(),
        };
        let points = self.points.iter().map(point).collect();
        Curve { mark: self.mark(), points, join: Join::Lines }
    }
}

fn legend(all: &[LanguageCurve]) -> Vec<(Mark, String)> {
    all.iter().map(|language| (language.mark(), language.name.clone())).collect()
}

/// Draws rates of languages over those of games by hand, by ways of playing, which are numbered from
/// 1; `None` if there are none.
///
/// # Errors
/// A picture that cannot be encoded.
pub(crate) fn ways_picture(
    ways: Vec<String>,
    all: &[LanguageCurve],
) -> Result<Option<Picture>, Error> {
    let curves: Vec<Curve> = all.iter().map(LanguageCurve::curve).collect();
    let points = curves.iter().flat_map(|curve| &curve.points);
    let values = points.flat_map(|point| extent(point.at.1, point.interval));
    let Some(up) = Axis::decades(values.chain([1.0]), axis::factor) else { return Ok(None) };
    let chart = PlaneChart {
        name: "ways".to_owned(),
        head: Head {
            title: "Speed, four ways".to_owned(),
            remark: format!(
                "Playouts a CPU second of each language's best engine over those of the same games \
                 by hand, by the way of playing: {}. Bars are 95 % intervals over games.",
                ways.join(", ")
            ),
            legend: legend(all),
        },
        guide: vec![(0.5, 1.0), (ways.len() as f64 + 0.5, 1.0)],
        across: (Axis::numbered(ways), "way of playing".to_owned()),
        up: (up, "over games by hand, logarithmic".to_owned()),
        curves,
    };
    chart.picture().map(Some)
}

/// Draws shares of children by numbers of edits; `None` if there are none.
///
/// # Errors
/// A picture that cannot be encoded.
pub(crate) fn distances_picture(all: &[LanguageCurve]) -> Result<Option<Picture>, Error> {
    let edits = all.iter().flat_map(|of| &of.points).map(|(edits, _)| *edits as u64);
    let Some(across) = Axis::counts(edits) else { return Ok(None) };
    let chart = PlaneChart {
        name: "distances".to_owned(),
        head: Head {
            title: "Games after random edits".to_owned(),
            remark:
                "Children of the same games that are viable games other than their parents, by \
                     the number of random edits between them. Bars are 95 % intervals."
                    .to_owned(),
            legend: legend(all),
        },
        across: (across, "edits, logarithmic".to_owned()),
        up: (Axis::shares([]), "viable and new".to_owned()),
        guide: Vec::new(),
        curves: all.iter().map(LanguageCurve::curve).collect(),
    };
    chart.picture().map(Some)
}
