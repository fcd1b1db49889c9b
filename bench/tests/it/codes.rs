//! Tests of codes and planes: which games of the catalogue have them on which engine, and that
//! positions are not given up for want of a code.

use std::collections::BTreeMap;

use play::{Buffers, Engine, Limits, LockstepJob, Progress, Rules};
use rayon::prelude::*;

/// Pairs of an engine and a game without codes, each with the reason.
const WITHOUT: &[(&str, &str, &str)] = &[];

/// Positions of a batch, and the plies that each of them is played.
const POSITIONS: usize = 16;
const PLIES: u32 = 80;

/// The part of the playouts that ended for want of a code; `None` where the game has no codes.
fn given_up(engine: &dyn Engine, rules: &Rules, cap: u32) -> Option<f64> {
    let compiled = engine.load(rules, &Limits::default());
    let game = compiled.unwrap_or_else(|error| panic!("{}", error.one_line(&rules.source))).game;
    let encoding = game.encoding()?;
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
    let uncoded = buffers.progress.iter().filter(|p| **p == Progress::Uncoded as u8).count();
    Some(uncoded as f64 / POSITIONS as f64)
}

/// Every game has codes on at least one engine, and positions are given up nowhere.
#[test]
fn all_games_of_the_catalogue_are_played_by_codes() {
    let catalogue = games::Catalogue::embedded().unwrap_or_else(|error| panic!("{error}"));
    let pairs: Vec<(&games::GameEntry, Rules, String)> = catalogue
        .games()
        .iter()
        .flat_map(|entry| {
            let engines = roster::engines();
            let rules = |engine: &Box<dyn Engine>| {
                let rules = engine.languages().iter().find_map(|l| entry.rules_in(*l))?;
                Some((entry, rules, engine.id().to_owned()))
            };
            engines.iter().filter_map(rules).collect::<Vec<_>>()
        })
        .collect();
    let found = pairs.par_iter().map(|(entry, rules, engine)| {
        let engine_of_ours = roster::engine(engine).expect("it is in the roster");
        (entry.id.clone(), engine.clone(), given_up(&*engine_of_ours, rules, entry.cap))
    });
    let found: Vec<(String, String, Option<f64>)> = found.collect();
    let mut table: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (game, engine, given_up) in &found {
        let share = match given_up {
            None => "none".to_owned(),
            Some(share) => format!("{share:.2}"),
        };
        table.entry(game).or_default().push(format!("{engine} {share}"));
    }
    for (game, row) in &table {
        println!("{game}: {}", row.join(", "));
    }
    let mut expected: Vec<(&str, &str)> = WITHOUT.iter().map(|&(e, g, _)| (e, g)).collect();
    expected.sort_unstable();
    let mut without: Vec<(&str, &str)> = Vec::new();
    for (game, engine, given_up) in &found {
        match given_up {
            None => without.push((engine, game)),
            Some(share) => assert!(*share == 0.0, "{game} on {engine}: {share} are given up"),
        }
    }
    without.sort_unstable();
    assert_eq!(without, expected);
}
