//! The agent that reasons about Wumpus worlds.

mod belief;
mod grid;
mod hunt;
mod hunter;
mod known;
mod learn;
mod odds;
mod pits;
mod plan;
mod rollout;
mod rooms;
mod words;

use play::Rng;

pub use known::{Assumptions, PitPrior, WumpusWorld};
pub use odds::{Odds, Shape, SquareOdds, odds, odds_in};

use crate::meter::Meter;
use crate::params::Params;
use crate::{Agent, Budget, Choice, Estimate, Fault, Observation, ObservedPly};
use belief::{Belief, World, turns};
use known::Known;
use learn::Kind;
use plan::{Goal, Heuristic, Routes, Step};
use words::PlyLabels;

/// Explores Wumpus worlds of any sort by reasoning: it knows the rules, and of the game nothing but
/// labels and percepts. What these leave open (the meanings of labels, sizes, arrows, tunnels) it
/// finds out by trying in caves of its own drawing, or assumes as in the catalogue.
///
/// In `wumpus-4x4`, and such of any size, it works out the exact [`odds`] of pits, wumpus and gold;
/// visits the nearest safe square as long as there is one, grabs the gold, and takes the shortest
/// way home. Where no square is safe it weighs going home, entering a square at some risk, and
/// shooting: caves that fit are drawn, and played to the end by rules of thumb, as many as the
/// budget has.
///
/// In hunts (`wumpus-hunt` and its kin, `wumpus-ludii`, `hunt-the-wumpus`) it counts all states of
/// the cave that fit, and decides by rules of thumb: to shoot what it is sure of, to go where there
/// is no risk, else the better of the best shot and the least risk.
///
/// Parameters: `risk` and `shot` are rules of thumb of the first sort, the risk of death that is
/// taken to go on and the probability of a kill that is worth the arrow; `limit` is the number of
/// plies after which the game ends; `size` is that of the cave, measured by walking in imagined
/// ones if not given. `pits`, `bats` and `arrows` are their numbers where they are not those of the
/// catalogue; with `pits`, there are just so many.
#[derive(Clone, Debug)]
pub struct Reason {
    name: String,
    thumb: Heuristic,
    /// 0 if it is to be measured.
    size: usize,
    assumed: Assumptions,
    kind: Option<Kind>,
    /// The goal that it pursues, with the number of squares visited and the arrows it had when this
    /// was decided: nothing is learned on the way, so nothing is to be decided anew.
    goal: Option<(Goal, usize, u32)>,
    hunt: Memory<hunt::Cave>,
    rooms: Memory<rooms::Cave>,
    seed: u64,
}

/// A belief, and the past that it is made of.
#[derive(Clone, Debug)]
struct Memory<S> {
    past: Vec<ObservedPly>,
    belief: Option<Belief<S>>,
}

impl<S> Default for Memory<S> {
    fn default() -> Memory<S> {
        Memory { past: Vec::new(), belief: None }
    }
}

impl<S: Clone + Ord> Memory<S> {
    /// The belief after a past. It goes on from the one before, if that was of the first plies.
    fn after<W: World<State = S>>(
        &mut self,
        world: &W,
        past: &[ObservedPly],
    ) -> Result<&Belief<S>, String> {
        let goes_on = past.starts_with(&self.past);
        let belief = match self.belief.take().filter(|_| goes_on) {
            Some(mut belief) => {
                let (_, plies) = turns(&past[self.past.len()..], true);
                for (own, percepts) in plies {
                    belief.follow(world, &own, &percepts)?;
                }
                belief.fits()?
            }
            None => Belief::of(world, past, true)?,
        };
        self.past = past.to_vec();
        Ok(self.belief.insert(belief))
    }
}

impl Reason {
    pub(crate) fn new(name: &str, params: &Params<'_>) -> Result<Reason, String> {
        let thumb = Heuristic {
            risk: params.number("risk", 0.25, 0.0..=1.0)?,
            shot: params.number("shot", 0.3, 0.0..=1.0)?,
            limit: params.number("limit", 100, 1..=1_000_000)?,
        };
        let size = params.number("size", 0, 0..=26)?;
        // A number of 0 is none that is assumed.
        let given = |number: usize| (number > 0).then_some(number);
        let pits = given(params.number("pits", 0, 0..=675)?).map(PitPrior::Exactly);
        let bats = given(params.number("bats", 0, 0..=30)?);
        let arrows = given(params.number("arrows", 0, 0..=100)?).map(|arrows| arrows as u32);
        Ok(Reason {
            name: name.to_owned(),
            thumb,
            size,
            assumed: Assumptions { pits, arrows, bats },
            kind: None,
            goal: None,
            hunt: Memory::default(),
            rooms: Memory::default(),
            seed: 0,
        })
    }

    /// The world that the game is, found out once a game.
    fn kind(&mut self, obs: &Observation<'_>) -> Result<Kind, Fault> {
        if obs.past.iter().all(|ply| ply.own.is_none()) || obs.seed != self.seed {
            (self.kind, self.goal, self.seed) = (None, None, obs.seed);
            (self.hunt, self.rooms) = (Memory::default(), Memory::default());
        }
        let kind = match self.kind.take() {
            Some(kind) => kind,
            None => {
                let kind = Kind::of(obs.game, obs.player, self.size, &self.assumed, obs.seed);
                kind.map_err(|what| {
                    let other = "for other games take `hyperplay` or `ismcts`";
                    Fault(format!(
                        "agent `{}` plays Wumpus worlds only: {other} ({what})",
                        self.name
                    ))
                })?
            }
        };
        self.kind = Some(kind.clone());
        Ok(kind)
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
            Some((goal, then, arrows)) if (then, arrows) == (visited, known.arrows) => goal,
            _ => self.thumb.clear(known, &routes).unwrap_or_else(|| {
                let weighed = rollout::weigh(known, &routes, self.thumb, meter, rng);
                values = weighed.iter().map(|&(_, value)| value).collect();
                weighed[0].0
            }),
        };
        self.goal = Some((goal, visited, known.arrows));
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
        let fault = |name: &str, what: String| Fault(format!("{name}: {what}"));
        let action = match self.kind(obs)? {
            Kind::Explorer(words) => return self.explore(obs, budget, &words),
            Kind::Hunt(hunt) => {
                let belief = self.hunt.after(&hunt, obs.past);
                let belief = belief.map_err(|what| fault(&self.name, what))?;
                let (act, at) = (hunter::in_squares(&hunt, belief), belief.at());
                obs.legal
                    .iter()
                    .position(|label| hunt.act(label).is_some_and(|one| hunt.is_same(one, act, at)))
            }
            Kind::Rooms(rooms) => {
                let belief = self.rooms.after(&rooms, obs.past);
                let belief = belief.map_err(|what| fault(&self.name, what))?;
                let acts: Option<Vec<_>> = obs.legal.iter().map(|label| rooms.act(label)).collect();
                acts.map(|acts| hunter::in_rooms(&rooms, belief, &acts))
            }
        };
        let action = action.ok_or_else(|| {
            let legal = obs.legal.join(", ");
            fault(&self.name, format!("what it would do has no label: {legal}"))
        })?;
        Ok(Choice { action, simulations: 0, values: Vec::new() })
    }
}

impl Reason {
    /// The choice in a cave with turns and steps.
    fn explore(
        &mut self,
        obs: &Observation<'_>,
        budget: Budget,
        words: &PlyLabels,
    ) -> Result<Choice, Fault> {
        let mut rng = obs.rng();
        let mut meter = Meter::start(budget);
        let past = words.plain(obs.past);
        let known = pits::known(&WumpusWorld::new(words.size, &self.assumed), &past);
        let known = known.map_err(|what| Fault(format!("{}: {what}", self.name)))?;
        let (ply, values) = self.decide(&known, &mut meter, &mut rng);
        let label = words.label(ply);
        let action = obs.legal.iter().position(|one| one == label).ok_or_else(|| {
            let legal = obs.legal.join(", ");
            Fault(format!("{}: `{label}` is not legal: {legal}", self.name))
        })?;
        let estimate = |&value: &f64| Estimate { action, value, visits: 0 };
        let values = values.first().map(estimate).into_iter().collect();
        Ok(Choice { action, simulations: meter.done, values })
    }
}
