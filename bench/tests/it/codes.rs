//! Tests of codes and planes: which games of the catalogue have them on which engine, that positions
//! are not given up for want of a code, and that those that go on together show what positions show
//! that are played one by one.

use std::collections::BTreeSet;

use play::kit::{self, Effort};
use play::{Buffers, LockstepJob, Progress};
use rayon::prelude::*;

use crate::common::pairs::{Pair, pairs};

/// Pairs of an engine and a game without codes, each with the reason.
const WITHOUT: &[(&str, &str, &str)] = &[];

/// Positions of a batch, and the plies that each of them is played.
const POSITIONS: usize = 8;
const PLIES: u32 = 40;

/// Positions that are played one by one beside a batch have so many plies.
const EFFORT: Effort = Effort { seed: 1, walks: 0, playouts: 0, cap: 24 };

/// The part of the positions that may be given up, where labels and percepts are learned.
const MOST_GIVEN_UP: f64 = 0.2;

/// The part of the playouts that ended for want of a code; `None` where the game has no codes.
fn given_up(pair: &Pair) -> Option<f64> {
    let (game, cap) = (pair.game(), pair.entry.cap);
    let encoding = game.encoding()?;
    let unique: BTreeSet<&String> = encoding.actions.iter().collect();
    assert_eq!(unique.len(), encoding.actions.len(), "{}: a label has two codes", pair.name());
    let faults = kit::check(game, &EFFORT).faults;
    assert!(faults.is_empty(), "{}: {faults:?}", pair.name());
    let cap = cap.min(PLIES);
    let job = LockstepJob { seed: 1, first: 0, count: POSITIONS, stride: 1, cap };
    let mut batch = game.lockstep(&job).expect("there is one where there are codes");
    let mut buffers = Buffers::new(&encoding, game.facts().players.into(), POSITIONS, 0);
    let mut actions = vec![0; POSITIONS];
    batch.restart(&mut buffers.views());
    while buffers.progress.contains(&(Progress::Going as u8)) {
        batch.draw(&mut actions);
        batch.step(&actions, false, &mut buffers.views()).expect("drawn actions are legal");
    }
    let is_given_up = |&progress: &u8| f64::from(u8::from(progress == Progress::Uncoded as u8));
    Some(buffers.progress.iter().map(is_given_up).sum::<f64>() / POSITIONS as f64)
}

/// Every game has codes on every engine but those of the list, and few positions are given up.
#[test]
fn all_games_of_the_catalogue_are_played_by_codes() {
    let found: Vec<(&Pair, Option<f64>)> =
        pairs().par_iter().map(|pair| (pair, given_up(pair))).collect();
    let mut expected: Vec<(&str, &str)> = WITHOUT.iter().map(|&(e, g, _)| (e, g)).collect();
    expected.sort_unstable();
    let mut without: Vec<(&str, &str)> = Vec::new();
    for (pair, given_up) in &found {
        match given_up {
            None => without.push((pair.engine.id(), &pair.entry.id)),
            Some(share) => assert!(*share < MOST_GIVEN_UP, "{}: {share}", pair.name()),
        }
    }
    without.sort_unstable();
    assert_eq!(without, expected);
}
