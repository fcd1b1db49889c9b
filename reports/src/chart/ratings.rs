//! The strength of agents against their speed.

use super::Picture;
use super::axis::{self, Axis};
use super::head::Head;
use super::mark::Mark;
use super::plane::{Curve, Join, PlaneChart, Point};
use crate::Error;

/// An agent with its rating and its speed.
#[derive(Debug, Clone, PartialEq)]
pub struct RatedAgent {
    /// Its name.
    pub name: String,
    /// The engine that it thinks on, whose mark it has.
    pub engine: String,
    /// Simulations per second of its choices.
    pub per_second: f64,
    /// The rating in Elo points.
    pub points: f64,
    /// Half the width of the 95 % interval of the rating; `None` if nothing bounds it.
    pub half_width: Option<f64>,
}

/// Draws ratings over speeds; `None` if no agent has a speed.
///
/// # Errors
/// A picture that cannot be encoded.
pub fn ratings_picture(agents: &[RatedAgent]) -> Result<Option<Picture>, Error> {
    let drawn = |agent: &&RatedAgent| agent.per_second > 0.0 && agent.points.is_finite();
    let mut curves: Vec<(&str, Curve)> = Vec::new();
    for agent in agents.iter().filter(drawn) {
        let interval = agent.half_width.map(|half| (agent.points - half, agent.points + half));
        let at = (agent.per_second, agent.points);
        let point = Point { at, interval, name: agent.name.clone() };
        match curves.iter_mut().find(|(engine, _)| *engine == agent.engine) {
            Some((_, curve)) => curve.points.push(point),
            None => {
                let mark = Mark::of_engine(&agent.engine);
                let curve = Curve { mark, points: vec![point], join: Join::Nothing };
                curves.push((&agent.engine, curve));
            }
        }
    }
    let points = || curves.iter().flat_map(|(_, curve)| &curve.points);
    let ends = |point: &Point| {
        let (low, high) = point.interval.unwrap_or((point.at.1, point.at.1));
        [low, high]
    };
    let across = Axis::decades(points().map(|point| point.at.0), axis::plain);
    let Some(across) = across else { return Ok(None) };
    let legend = curves.iter().map(|(engine, curve)| (curve.mark, format!("on {engine}")));
    let chart = PlaneChart {
        name: "ratings".to_owned(),
        head: Head {
            title: "Strength against speed".to_owned(),
            remark: "Each mark is an agent, in the colour of the engine that it thinks on; up is \
                     stronger, right is quicker. Ratings are by Bradley and Terry over all games \
                     of the match, with 95 % intervals; agents that make no simulations are left \
                     out."
                .to_owned(),
            legend: legend.collect(),
        },
        across: (across, "simulations per second, logarithmic".to_owned()),
        up: (Axis::linear(points().flat_map(ends)), "Elo points round the mean".to_owned()),
        guide: Vec::new(),
        curves: curves.into_iter().map(|(_, curve)| curve).collect(),
    };
    chart.picture().map(Some)
}
