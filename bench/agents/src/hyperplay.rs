use play::{Rng, SearchSettings};

use crate::agent::Tried;
use crate::meter::Meter;
use crate::params::Params;
use crate::sampler::{Sample, Sampler, WeightedSampler};
use crate::tree::{Grown, ROOT_ALONE};
use crate::{Agent, Budget, Choice, Fault, Observation};

/// HyperPlay (Schofield, Cerexhe and Thielscher 2012): states that fit what the role did and
/// perceived are sampled, each is looked at as if it were known, by random playouts of every action
/// or by a UCT of its own (`search=uct`), and they vote with the mean payoffs of the actions,
/// weighted by how probable they are.
///
/// As each state is looked at as if it were known, information counts for nothing: an action that
/// only tells the role something seems worthless (strategy fusion, Frank and Basin 1998).
///
/// Parameters: `samples` is the number of states, `effort` and `exact` bound the positions visited
/// to find them, at random and by enumeration, `c` and `plies` are as in UCT.
#[derive(Clone, Debug)]
pub struct HyperPlay {
    name: String,
    sampler: Sampler,
    search: bool,
    c: f64,
    plies: u32,
}

impl HyperPlay {
    pub(crate) fn new(name: &str, params: &Params<'_>) -> Result<HyperPlay, String> {
        let sampler = Sampler::with(params)?;
        let search = params.word("search", &["playouts", "uct"])? == 1;
        let c = params.number("c", 0.7, 0.0..=100.0)?;
        let plies = params.number("plies", 1000, 1..=1_000_000)?;
        Ok(HyperPlay { name: name.to_owned(), sampler, search, c, plies })
    }

    /// The votes for each action: states are drawn, and every action is played once in each, or a
    /// tree is grown below each state in turn.
    fn votes<'g>(
        &self,
        obs: &Observation<'_>,
        samples: &[Sample<'g>],
        meter: &mut Meter,
        rng: &mut Rng,
    ) -> Vec<Tried> {
        let settings = SearchSettings { cap: self.plies, ..SearchSettings::default() };
        let settings = if self.search {
            let bytes = settings.bytes / samples.len();
            SearchSettings { exploration: self.c, bytes, ..settings }
        } else {
            SearchSettings { exploration: f64::INFINITY, bytes: ROOT_ALONE, ..settings }
        };
        // Not all of many samples may have their turn.
        let mut grown: Vec<Option<Grown<'g>>> = samples.iter().map(|_| None).collect();
        let urn = WeightedSampler::new(samples);
        let mut votes = vec![Tried::default(); obs.legal.len()];
        let at_once = if self.search { 1 } else { votes.len() as u64 };
        let mut turn = 0;
        meter.spend(|mut left| {
            while left > 0 {
                let count = at_once.min(left);
                left -= count;
                let state = if self.search { turn } else { urn.draw(rng) };
                let tree = grown[state].get_or_insert_with(|| {
                    let settings = SearchSettings { seed: rng.next_u64(), ..settings };
                    Grown::below(&*samples[state].position, obs.game.facts(), settings)
                });
                tree.simulate(count);
                turn = (turn + 1) % grown.len();
            }
        });
        for (grown, state) in grown.iter_mut().zip(samples) {
            let values = grown.as_mut().map_or_else(Vec::new, Grown::values);
            for (vote, &action) in votes.iter_mut().zip(&state.order) {
                if let Some(value) = values.get(action).filter(|value| value.visits > 0) {
                    // States that are drawn have been drawn by their weights.
                    let weight = if self.search { state.weight } else { value.visits as f64 };
                    vote.visits += value.visits;
                    vote.weight += weight;
                    vote.sum += weight * value.mean;
                }
            }
        }
        votes
    }
}

impl Agent for HyperPlay {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn choose(&mut self, obs: &Observation<'_>, budget: Budget) -> Result<Choice, Fault> {
        let mut rng = obs.rng();
        let mut meter = Meter::start(budget);
        let samples = self.sampler.sample(obs, &meter, &mut rng);
        let votes = if samples.is_empty() {
            Vec::new()
        } else {
            self.votes(obs, &samples, &mut meter, &mut rng)
        };
        Ok(Choice::by_mean(&votes, meter.done, obs, &mut rng))
    }

    fn counts(&self) -> Vec<(&'static str, u64)> {
        self.sampler.counts()
    }
}
