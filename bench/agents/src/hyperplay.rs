use play::{Rng, settle};

use crate::meter::Meter;
use crate::params::Params;
use crate::payoffs::Range;
use crate::sampler::{Sample, Sampler, WeightedSampler};
use crate::tree::{Tree, View};
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

    /// Votes by playouts: a state is drawn for each round, and every action played once in it. Sum
    /// of weights and of weighted payoffs of each action.
    fn playouts(
        &self,
        obs: &Observation<'_>,
        samples: &[Sample<'_>],
        meter: &mut Meter,
        rng: &mut Rng,
    ) -> Result<Vec<(f64, f64)>, Fault> {
        let urn = WeightedSampler::new(samples);
        let mut range = Range::new(obs.game.facts().players);
        let mut votes = vec![(0.0, 0.0); obs.legal.len()];
        let (mut action, mut state) = (0, 0);
        while meter.next() {
            if action == 0 {
                state = urn.draw(rng);
            }
            let sample = &samples[state];
            let mut position = sample.position.copy();
            position.play(sample.order[action], rng).map_err(|e| Fault(e.to_string()))?;
            settle(&mut *position, rng);
            let payoffs = range.payoffs(position.playout(rng, self.plies));
            votes[action].0 += 1.0;
            votes[action].1 += payoffs.get(usize::from(obs.player.0)).copied().unwrap_or(0.0);
            action = (action + 1) % votes.len();
        }
        Ok(votes)
    }

    /// Votes by a tree for each state, all grown in turn.
    fn trees(
        &self,
        obs: &Observation<'_>,
        samples: &[Sample<'_>],
        meter: &mut Meter,
        rng: &mut Rng,
    ) -> Vec<(f64, f64)> {
        let facts = obs.game.facts();
        let view = if facts.chance { View::Labels } else { View::Numbers };
        let grow = |_| Tree::new(view, facts.players, self.c, self.plies);
        let mut trees: Vec<Tree> = samples.iter().map(grow).collect();
        let mut turn = 0;
        while meter.next() {
            trees[turn].simulate(samples[turn].position.copy(), rng);
            turn = (turn + 1) % trees.len();
        }
        let mut votes = vec![(0.0, 0.0); obs.legal.len()];
        for (tree, state) in trees.iter().zip(samples) {
            let values = tree.values(obs.player, &*state.position);
            for (vote, &action) in votes.iter_mut().zip(&state.order) {
                if let Some(value) = values.get(action).filter(|value| value.visits > 0) {
                    vote.0 += state.weight;
                    vote.1 += state.weight * value.mean;
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
        } else if self.search {
            self.trees(obs, &samples, &mut meter, &mut rng)
        } else {
            self.playouts(obs, &samples, &mut meter, &mut rng)?
        };
        Ok(Choice::by_mean(&votes, meter.done, obs, &mut rng))
    }

    fn counts(&self) -> Vec<(&'static str, u64)> {
        self.sampler.counts()
    }
}
