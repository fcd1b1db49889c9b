//! The agent that reasons about Wumpus worlds.

mod grid;
mod known;
mod odds;
mod pits;
mod plan;
mod rollout;
mod words;

use play::Rng;

pub use odds::{Odds, SquareOdds, odds, odds_in};

use crate::meter::Meter;
use crate::params::Params;
use crate::{Agent, Budget, Choice, Fault, Observation};
use known::Known;
use plan::{Goal, Heuristic, Routes, Step};
use words::PlyLabels;

/// Explores Wumpus worlds (`wumpus-4x4`, and such of any size) by reasoning: it knows the rules,
/// and of the game nothing but labels and percepts. Where labels are not the words of the rules, it
/// finds out what they do by trying them in caves of its own drawing.
///
/// It works out the exact [`odds`] of pits, wumpus and gold; visits the nearest safe square as long
/// as there is one, grabs the gold, and takes the shortest way home. Where no square is safe it
/// weighs going home, entering a square at some risk, and shooting: caves that fit are drawn, and
/// played to the end by rules of thumb, as many as the budget has.
///
/// Parameters: `risk` and `shot` are the rules of thumb, the risk of death that is taken to go on
/// and the probability of a kill that is worth the arrow; `limit` is the number of plies after
/// which the game ends; `size` is that of the cave, measured by walking in imagined ones if not
/// given.
#[derive(Clone, Debug)]
pub struct Reason {
    name: String,
    thumb: Heuristic,
    /// 0 if it is to be measured.
    size: usize,
    words: Option<PlyLabels>,
    /// The goal that it pursues, with the number of squares visited and whether it had its arrow
    /// when this was decided: nothing is learned on the way, so nothing is to be decided anew.
    goal: Option<(Goal, usize, bool)>,
    seed: u64,
}

impl Reason {
    pub(crate) fn new(name: &str, params: &Params<'_>) -> Result<Reason, String> {
        let thumb = Heuristic {
            risk: params.number("risk", 0.25, 0.0..=1.0)?,
            shot: params.number("shot", 0.3, 0.0..=1.0)?,
            limit: params.number("limit", 100, 1..=1_000_000)?,
        };
        let size = params.number("size", 0, 0..=26)?;
        let name = name.to_owned();
        Ok(Reason { name, thumb, size, words: None, goal: None, seed: 0 })
    }

    /// Labels and size of the cave, found out once a game.
    fn words(&mut self, obs: &Observation<'_>) -> Result<PlyLabels, Fault> {
        if obs.past.iter().all(|ply| ply.own.is_none()) || obs.seed != self.seed {
            (self.words, self.goal, self.seed) = (None, None, obs.seed);
        }
        let words = match self.words.take() {
            Some(words) => words,
            None => {
                PlyLabels::learn(obs.game, obs.player, self.size, obs.seed).map_err(|what| {
                    let other = "for other games take `hyperplay` or `ismcts`";
                    Fault(format!(
                        "agent `{}` plays Wumpus worlds only: {other} ({what})",
                        self.name
                    ))
                })?
            }
        };
        self.words = Some(words.clone());
        Ok(words)
    }

    /// The next action, and the values of the goals weighed.
    fn decide(
        &mut self,
        known: &Known,
        meter: &mut Meter,
        rng: &mut Rng,
    ) -> (&'static str, Vec<f64>) {
        if known.glitter && !known.gold {
            return ("grab", Vec::new());
        }
        let routes = Routes::new(known);
        let visited = known.visited.iter().filter(|&&visited| visited).count();
        let mut values = Vec::new();
        let goal = match self.goal {
            Some((goal, then, arrow)) if (then, arrow) == (visited, known.arrow) => goal,
            _ => self.thumb.clear(known, &routes).unwrap_or_else(|| {
                let weighed = rollout::weigh(known, &routes, self.thumb, meter, rng);
                values = weighed.iter().map(|&(_, value)| value).collect();
                weighed[0].0
            }),
        };
        self.goal = Some((goal, visited, known.arrow));
        let action = match routes.towards(goal) {
            Some((_, _, Some(Step::Forward))) => "forward",
            Some((_, _, Some(Step::Left))) => "left",
            Some((_, _, Some(Step::Right))) => "right",
            _ if matches!(goal, Goal::Shoot(..)) => "shoot",
            _ => "climb",
        };
        (action, values)
    }
}

impl Agent for Reason {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn choose(&mut self, obs: &Observation<'_>, budget: Budget) -> Result<Choice, Fault> {
        let mut rng = obs.rng();
        let mut meter = Meter::start(budget);
        let words = self.words(obs)?;
        let past = words.plain(obs.past);
        let known = Known::of(words.size, &past);
        let known = known.map_err(|what| Fault(format!("{}: {what}", self.name)))?;
        let (ply, values) = self.decide(&known, &mut meter, &mut rng);
        let label = words.label(ply);
        let action = obs.legal.iter().position(|one| one == label).ok_or_else(|| {
            let legal = obs.legal.join(", ");
            Fault(format!("{}: `{label}` is not legal: {legal}", self.name))
        })?;
        let values = values.first().map(|&value| (action, value)).into_iter().collect();
        Ok(Choice { action, simulations: meter.done, values })
    }
}
