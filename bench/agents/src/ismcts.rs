use play::SearchSettings;

use crate::meter::Meter;
use crate::params::Params;
use crate::sampler::{Sampler, WeightedSampler};
use crate::tree::{Tree, View, means, most_visited};
use crate::{Agent, Budget, Choice, Fault, Observation};

/// Information set Monte Carlo tree search with a single observer (SO-ISMCTS, Cowling, Powley and
/// Whitehouse 2012): one tree, whose nodes are what the role did and perceived; each simulation
/// begins in a state that fits the past, and only actions legal in it can be chosen.
///
/// So actions have one value over all states that the role cannot tell apart, and information
/// counts for what it is worth. Plies of others stand in the same tree, with values for the labels
/// of their actions: others are taken to know what the role knows, no more and no less.
///
/// Parameters as of [`HyperPlay`](crate::HyperPlay).
#[derive(Clone, Debug)]
pub struct Ismcts {
    name: String,
    sampler: Sampler,
    c: f64,
    plies: u32,
}

impl Ismcts {
    pub(crate) fn new(name: &str, params: &Params<'_>) -> Result<Ismcts, String> {
        let sampler = Sampler::with(params)?;
        let c = params.number("c", 0.7, 0.0..=100.0)?;
        let plies = params.number("plies", 1000, 1..=1_000_000)?;
        Ok(Ismcts { name: name.to_owned(), sampler, c, plies })
    }
}

impl Agent for Ismcts {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn choose(&mut self, obs: &Observation<'_>, budget: Budget) -> Result<Choice, Fault> {
        let mut rng = obs.rng();
        let mut meter = Meter::start(budget);
        let samples = self.sampler.sample(obs, &meter, &mut rng);
        let facts = obs.game.facts();
        let view = if facts.hidden { View::Percepts(obs.player) } else { View::Labels };
        let settings =
            SearchSettings { exploration: self.c, cap: self.plies, ..SearchSettings::default() };
        let mut tree = Tree::new(view, facts.players, settings);
        let urn = WeightedSampler::new(&samples);
        while !samples.is_empty() && meter.next() {
            let state = &samples[urn.draw(&mut rng)];
            tree.simulate(state.position.copy(), &mut rng);
        }
        if meter.done == 0 {
            let action = rng.below(obs.legal.len() as u32) as usize;
            return Ok(Choice { action, ..Choice::default() });
        }
        let state = &samples[0];
        let values = tree.values(obs.player, &*state.position);
        // From the order of that state to the one that the role sees.
        let values: Vec<_> = state.order.iter().map(|&action| values[action]).collect();
        let action = most_visited(&values);
        Ok(Choice { action, simulations: meter.done, values: means(&values) })
    }

    fn counts(&self) -> Vec<(&'static str, u64)> {
        self.sampler.counts()
    }
}
