use play::{ActionValue, SearchSettings};

use crate::agent::Tried;
use crate::meter::Meter;
use crate::params::Params;
use crate::tree::{Grown, ROOT_ALONE};
use crate::{Agent, Budget, Choice, Fault, Observation};

/// Flat Monte Carlo: each legal action is followed by random playouts, and the one with the best
/// mean payoff is chosen (Abramson 1990, *Expected-outcome*). Playouts are shared out evenly, or by
/// UCB1 (Auer, Cesa-Bianchi and Fischer 2002), which spends more of them on what looks good.
///
/// That is a search tree of its root alone. `leaves` playouts follow each action at a time, side by
/// side where the engine can.
///
/// Full information only.
#[derive(Clone, Debug)]
pub struct Flat {
    name: String,
    /// Weight of exploration.
    c: f64,
    plies: u32,
    leaves: u32,
}

impl Flat {
    pub(crate) fn new(name: &str, params: &Params<'_>) -> Result<Flat, String> {
        let evenly = params.word("share", &["even", "ucb1"])? == 0;
        let c = params.number("c", 0.7, 0.0..=100.0)?;
        let plies = params.number("plies", 1000, 1..=1_000_000)?;
        let leaves = params.number("leaves", 1, 1..=10_000)?;
        Ok(Flat { name: name.to_owned(), c: if evenly { f64::INFINITY } else { c }, plies, leaves })
    }
}

impl Agent for Flat {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn choose(&mut self, obs: &Observation<'_>, budget: Budget) -> Result<Choice, Fault> {
        let position = obs.full_position(&self.name)?;
        let mut rng = obs.rng();
        let settings = SearchSettings {
            seed: rng.next_u64(),
            exploration: self.c,
            cap: self.plies,
            leaves: self.leaves,
            bytes: ROOT_ALONE,
        };
        let mut meter = Meter::start(budget);
        let mut grown = Grown::below(position, obs.game.facts(), settings);
        meter.spend(|count| grown.simulate(count));
        let weighed = |&ActionValue { visits, mean }: &ActionValue| {
            let weight = visits as f64;
            Tried { visits, weight, sum: weight * mean }
        };
        let tried: Vec<Tried> = grown.values().iter().map(weighed).collect();
        Ok(Choice::by_mean(&tried, meter.done, obs, &mut rng))
    }
}
