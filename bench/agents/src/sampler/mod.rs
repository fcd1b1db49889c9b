//! States of a game that fit what a role did and perceived.

mod bag;
mod exact;
mod history;
mod sample;

use play::Rng;

use crate::meter::Meter;
use crate::{Observation, ObservedPly};
use bag::Bag;
use history::Known;
pub(crate) use sample::{Sample, WeightedSampler};

/// Of a budget of time, what finding states may take.
const SHARE: f64 = 0.5;

/// Finds states that fit the past of a role: by enumeration of everything that chance and others
/// may have done as long as that is small, then by a bag of histories kept from ply to ply.
///
/// Others are taken to choose at random, all legal actions equally likely: nothing is known of
/// them.
#[derive(Clone, Debug)]
pub(crate) struct Sampler {
    /// States to draw.
    samples: usize,
    /// Positions to visit at most for one ply.
    effort: u64,
    /// Positions to visit at most in an enumeration.
    exact: u64,
    /// True if enumeration was given up in this game: later plies have yet more histories.
    large: bool,
    bag: Bag,
    /// The past of the last ply, by which a new game is known.
    past: Vec<ObservedPly>,
    seed: u64,
    counts: Counts,
}

/// Plies by how states were found for them.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    exact: u64,
    sampled: u64,
    near: u64,
    none: u64,
}

impl Sampler {
    pub(crate) fn new(samples: usize, effort: u64, exact: u64) -> Sampler {
        Sampler {
            samples,
            effort,
            exact,
            large: false,
            bag: Bag::default(),
            past: Vec::new(),
            seed: 0,
            counts: Counts::default(),
        }
    }

    /// Parameters that agents with a sampler share.
    pub(crate) fn with(params: &crate::params::Params<'_>) -> Result<Sampler, String> {
        let samples = params.number("samples", 50, 1..=100_000)?;
        let effort = params.number("effort", 50_000, 1..=1_000_000_000)?;
        let exact = params.number("exact", 5000, 0..=10_000_000)?;
        Ok(Sampler::new(samples, effort, exact))
    }

    /// States for this ply: in games of full information the position; none if nothing was found.
    pub(crate) fn sample<'a>(
        &mut self,
        obs: &Observation<'a>,
        meter: &Meter,
        rng: &mut Rng,
    ) -> Vec<Sample<'a>> {
        if let Some(position) = obs.position {
            let order = (0..obs.legal.len()).collect();
            return vec![Sample { weight: 1.0, position: position.copy(), order }];
        }
        self.recognise(obs);
        let known = Known { game: obs.game, player: obs.player, past: obs.past, legal: obs.legal };
        if !self.large {
            match exact::enumerate(&known, self.exact, &|| meter.within(SHARE / 2.0)) {
                Some(states) if !states.is_empty() => {
                    self.counts.exact += 1;
                    return self.thin(states, rng);
                }
                // None at all fits: others or the engine break the rules, or legal actions differ.
                Some(_) => {}
                None => self.large = true,
            }
        }
        let more = || meter.within(SHARE);
        let states = self.bag.draw(&known, self.samples, self.effort, rng, &more);
        if !states.is_empty() {
            self.counts.sampled += 1;
            return states;
        }
        let near = bag::nearest(&known, self.effort, rng, &more);
        match near {
            Some(_) => self.counts.near += 1,
            None => self.counts.none += 1,
        }
        near.into_iter().collect()
    }

    /// Forgets what belongs to another game.
    fn recognise(&mut self, obs: &Observation<'_>) {
        if !obs.past.starts_with(&self.past) || self.past.is_empty() || obs.seed != self.seed {
            self.bag = Bag::default();
            self.large = false;
        }
        self.past = obs.past.to_vec();
        self.seed = obs.seed;
    }

    /// Of too many states so many, drawn by their weights (systematic resampling, Kitagawa 1996).
    fn thin<'g>(&self, states: Vec<Sample<'g>>, rng: &mut Rng) -> Vec<Sample<'g>> {
        if states.len() <= self.samples {
            return states;
        }
        let total: f64 = states.iter().map(|state| state.weight).sum();
        let step = total / self.samples as f64;
        let mut next = step * rng.fraction();
        let (mut passed, mut kept) = (0.0, Vec::new());
        for mut state in states {
            passed += state.weight;
            let times = if passed > next { ((passed - next) / step).ceil() } else { 0.0 };
            if times > 0.0 {
                next += times * step;
                state.weight = times;
                kept.push(state);
            }
        }
        kept
    }

    /// See [`Agent::counts`](crate::Agent::counts).
    pub(crate) fn counts(&self) -> Vec<(&'static str, u64)> {
        let Counts { exact, sampled, near, none } = self.counts;
        vec![
            ("plies with all states", exact),
            ("plies with sampled states", sampled),
            ("plies with no state that fits, but one near", near),
            ("plies with no state", none),
        ]
    }
}
