//! The generic playout loop: list the legal actions, draw a number, apply. Slow, plain, and the
//! truth that every fast path is checked against.

use crate::engine::Job;
use crate::mechanics::Mechanics;
use crate::position::MAX_FORCED_PASSES;
use crate::rng::Rng;
use crate::scores::Turn;
use crate::tally::{End, Ending, Tally};

/// Plays one playout. Every choice is uniform over the distinct legal actions and takes exactly one
/// bounded draw, also where there is only one action; forced passes take none and are no plies.
pub fn playout<M: Mechanics + ?Sized>(
    mechanics: &M,
    rng: &mut Rng,
    cap: u32,
    legal: &mut Vec<M::Action>,
) -> End {
    let mut state = mechanics.initial(rng);
    playout_from(mechanics, &mut state, rng, cap, legal)
}

/// Plays on from a state as [`playout`] does; the plies are those from here.
pub fn playout_from<M: Mechanics + ?Sized>(
    mechanics: &M,
    state: &mut M::State,
    rng: &mut Rng,
    cap: u32,
    legal: &mut Vec<M::Action>,
) -> End {
    let mut plies = 0;
    let mut passes = 0;
    loop {
        legal.clear();
        if mechanics.expand(state, legal) == Turn::Over {
            return End { plies, ending: Ending::Over(mechanics.scores(state)) };
        }
        let action = match legal[..] {
            [] => return End { plies, ending: Ending::Stuck },
            [only] if mechanics.is_pass(state, only) => {
                passes += 1;
                if passes > MAX_FORCED_PASSES {
                    return End { plies, ending: Ending::Capped };
                }
                only
            }
            _ => {
                if plies == cap {
                    return End { plies, ending: Ending::Capped };
                }
                plies += 1;
                passes = 0;
                legal[rng.below(legal.len() as u32) as usize]
            }
        };
        mechanics.apply(state, action, rng);
    }
}

/// Plays a job, one playout after another.
pub fn run<M: Mechanics + ?Sized>(mechanics: &M, job: &Job) -> Tally {
    let mut tally = Tally::default();
    let mut legal = Vec::new();
    let mut memory = None;
    for id in job.ids() {
        let mut rng = Rng::stream(job.seed, id);
        let state = match &mut memory {
            Some(state) => {
                mechanics.restart(state, &mut rng);
                state
            }
            None => memory.insert(mechanics.initial(&mut rng)),
        };
        tally.record(id, playout_from(mechanics, state, &mut rng, job.cap, &mut legal));
    }
    tally
}
