use play::{ActionValue, SearchSettings};

use crate::meter::Meter;
use crate::params::Params;
use crate::sampler::{Sampler, WeightedSampler};
use crate::tree::{estimates, most_visited, open_loop};
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
        let any = Choice::by_mean(&[], 0, obs, &mut rng);
        let Some(first) = samples.first() else { return Ok(any) };
        let facts = obs.game.facts();
        let settings = SearchSettings {
            seed: rng.next_u64(),
            exploration: self.c,
            cap: self.plies,
            ..SearchSettings::default()
        };
        let observer = facts.hidden.then_some(obs.player);
        let mut tree = open_loop(&*first.position, facts, settings, observer);
        let urn = WeightedSampler::new(&samples);
        meter.spend(|count| {
            for _ in 0..count {
                tree.simulate(&*samples[urn.draw(&mut rng)].position, 1);
            }
        });
        if meter.done == 0 {
            return Ok(any);
        }
        let values = tree.values(&*first.position);
        // From the order of that state to the one that the role sees.
        let value = |&action: &usize| values.get(action).copied().unwrap_or_default();
        let values: Vec<ActionValue> = first.order.iter().map(value).collect();
        let action = most_visited(&values);
        Ok(Choice { action, simulations: meter.done, values: estimates(&values) })
    }

    fn counts(&self) -> Vec<(&'static str, u64)> {
        self.sampler.counts()
    }
}
