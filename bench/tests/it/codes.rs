//! Tests of codes and planes: which games of the catalogue have them on which engine, that positions
//! are not given up for want of a code, and that those that go on together show what positions show
//! that are played one by one.

use std::collections::BTreeSet;

use play::kit::{self, Effort};
use play::{Buffers, Encoding, Game, LockstepJob, NoChance, Player, Position, Progress, Rng, Turn};
use rayon::prelude::*;

use crate::common::pairs::{Pair, pair, pairs};

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

/// Games whose men are called by their players, by letters, by colours and kinds.
const WITH_MEN: [&str; 6] = [
    "tic-tac-toe-3x3",
    "breakthrough-6x6",
    "connect-4-6x7",
    "three-mens-morris",
    "tant-fant",
    "wolf-and-sheep-8x8",
];

/// The men of each player in a position, by its planes.
fn men(game: &dyn Game, encoding: &Encoding, position: &dyn Position) -> Vec<usize> {
    let mut planes = vec![0; encoding.plane_bytes()];
    position.planes(Player(0), &mut planes);
    let mut men = vec![0; usize::from(game.facts().players)];
    for (owner, plane) in encoding.owners.iter().zip(planes.chunks(encoding.sites.len())) {
        if let Some(Player(player)) = *owner {
            men[usize::from(player)] += plane.iter().filter(|&&byte| byte > 0).count();
        }
    }
    men
}

/// The first position of a random game in which two engines see another number of men of a player.
fn other_men(games: [&dyn Game; 2], encodings: [&Encoding; 2]) -> Option<String> {
    let mut positions = games.map(|game| game.open(&mut NoChance));
    let (mut rng, mut walk) = (Rng::stream(7, 0), Vec::new());
    for _ in 0..PLIES {
        let seen = [0, 1].map(|at| men(games[at], encodings[at], &*positions[at]));
        if seen[0] != seen[1] {
            return Some(format!("{seen:?} after {walk:?}"));
        }
        let legal = positions.each_ref().map(|position| position.labels());
        let common: Vec<&String> = legal[0].iter().filter(|it| legal[1].contains(it)).collect();
        if positions[0].turn() == Turn::Over || common.is_empty() {
            break;
        }
        let label = common[rng.below(common.len() as u32) as usize].clone();
        for (position, legal) in positions.iter_mut().zip(&legal) {
            let action = legal.iter().position(|it| *it == label).expect("it is common");
            position.play(action, &mut NoChance).expect("it is legal");
        }
        walk.push(label);
    }
    None
}

/// Engines that tell owners by the names of pieces know what `bitboard` knows, which is told.
#[test]
fn owners_by_names_are_those_of_the_rules() {
    let compared = WITH_MEN.into_iter().flat_map(|game| ["rbg", "rg"].map(|engine| (engine, game)));
    for (engine, game) in compared {
        let games = [engine, "bitboard"].map(|engine| pair(game, engine).game());
        let [named, known] = games.map(|game| game.encoding().expect("it has numbers"));
        let owned = |it: &Encoding| it.owners.iter().flatten().count();
        assert!(owned(&named) >= 2 && owned(&known) >= 2, "{game} on {engine}: {named:?}");
        assert_eq!(other_men(games, [&named, &known]), None, "{game} on {engine}");
    }
}
