//! How the share of children that are games falls with the number of edits: a curve a language.

use super::Picture;
use super::axis::Axis;
use super::head::Head;
use super::mark::Mark;
use super::plane::{Curve, Join, PlaneChart, Point};
use crate::Error;
use crate::stats::Estimate;

/// Shares of a language by the number of edits.
pub(crate) struct Distances {
    /// The engine whose mark the language has.
    pub(crate) engine: &'static str,
    /// Its name.
    pub(crate) name: String,
    /// Numbers of edits with the shares.
    pub(crate) shares: Vec<(u32, Estimate)>,
}

/// Draws the shares; `None` if there are none.
///
/// # Errors
/// A picture that cannot be encoded.
pub(crate) fn distances_picture(all: &[Distances]) -> Result<Option<Picture>, Error> {
    let curve = |of: &Distances| {
        let point = |&(edits, share): &(u32, Estimate)| Point {
            at: (edits.into(), share.value),
            interval: Some((share.low(), share.high())),
            name: String::new(),
        };
        let points = of.shares.iter().map(point).collect();
        Curve { mark: Mark::of_engine(of.engine), points, join: Join::Lines }
    };
    let curves: Vec<Curve> = all.iter().map(curve).collect();
    let edits = all.iter().flat_map(|of| &of.shares).map(|(edits, _)| u64::from(*edits));
    let Some(across) = Axis::counts(edits) else { return Ok(None) };
    let mark = |of: &Distances| (Mark::of_engine(of.engine), of.name.clone());
    let chart = PlaneChart {
        name: "distances".to_owned(),
        head: Head {
            title: "Games after random edits".to_owned(),
            remark:
                "Children of the same games that are viable games other than their parents, by \
                     the number of random edits between them. Bars are 95 % intervals."
                    .to_owned(),
            legend: all.iter().map(mark).collect(),
        },
        across: (across, "edits, logarithmic".to_owned()),
        up: (Axis::shares([]), "viable and new".to_owned()),
        guide: Vec::new(),
        curves,
    };
    chart.picture().map(Some)
}
