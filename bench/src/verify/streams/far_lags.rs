//! Playouts whose ids lie far apart: streams that repeat with a long period, and ids of which some
//! bits are ignored. At each distance a few successive playouts are asked for.

use play::Rng;

use super::coincidence::{Alarm, Count};

/// The greatest distance is two to this power.
const GREATEST: u32 = 40;

/// Distances that are drawn at random.
const RANDOM: usize = 16;

/// Most playouts at a distance; where chance explains so many coincidences, more would be needed.
const MOST: usize = 256;

/// The number of lags compared at each distance: the distance itself, one less and one more.
const NEIGHBOURS: usize = 3;

/// Tests that there are at most.
pub(super) const TESTS: usize = NEIGHBOURS * (GREATEST as usize + 1 + RANDOM);

/// Distances beyond those that so many successive playouts show well: all powers of two and some at
/// random, in random order, so that each run begins with others where time is short.
pub(super) fn lags(successive: usize, seed: u64) -> Vec<u64> {
    let mut rng = Rng::stream(seed, 0x1a95);
    let least = (successive as u64 / 2).max(2).ilog2() + 1;
    let mut lags: Vec<u64> = (least..=GREATEST).map(|exponent| 1 << exponent).collect();
    for _ in 0..RANDOM {
        // Each order of magnitude is as likely.
        let magnitude = 1u64 << (least + rng.below((GREATEST - least).max(1)));
        lags.push(magnitude + rng.next_u64() % magnitude);
    }
    rng.shuffle(&mut lags);
    lags
}

/// The number of playouts to ask for at a distance, from one less on.
pub(super) fn playouts(successive: usize, alarm: &Alarm) -> usize {
    alarm.enough().min(successive).min(MOST) + NEIGHBOURS - 1
}

/// The distance at which playouts coincide too often, and how many do. `near` are successive ones,
/// and `far` those that begin one less than `lag` further on.
pub(super) fn repeated(near: &[u64], far: &[u64], lag: u64, alarm: &Alarm) -> Option<(u64, Count)> {
    (0..NEIGHBOURS.min(far.len())).find_map(|shift| {
        let mut count = Count::default();
        near.iter().zip(&far[shift..]).for_each(|(a, b)| count.add(a == b));
        alarm.is_rare(count).then_some((lag - 1 + shift as u64, count))
    })
}
