//! What there is to see on random walks in games of chance, compared as distributions.

use std::collections::BTreeMap;

use play::kit;

use crate::protocol::Walked;
use crate::random_walk::SIGHTS;

/// Where on random walks the sights of two engines are distributed differently, if they are.
pub(super) fn unlike_sights(x: &[Walked], y: &[Walked]) -> Option<String> {
    const AFTER: [&str; SIGHTS] = ["0 plies", "1 ply", "2 plies", "4 plies", "8 plies", "the end"];
    let counts = |walks: &[Walked], at: usize| {
        let mut counts = BTreeMap::<u64, u64>::new();
        for sight in walks.iter().filter_map(|walk| walk.sights.get(at)) {
            // Where nearly every walk has sights of its own, only parts of their hashes come again.
            *counts.entry(sight % if at < 3 { 1024 } else { 64 }).or_default() += 1;
        }
        counts
    };
    let unlike = (0..SIGHTS).find(|&at| kit::unlike_counts(&counts(x, at), &counts(y, at)))?;
    Some(format!("what there is to see on random walks differs after {}", AFTER[unlike]))
}
