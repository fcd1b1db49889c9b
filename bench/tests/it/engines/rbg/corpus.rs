//! The engine against the reference's results on public descriptions. They lie beside the project,
//! in `shared/corpus`; where they are not, these tests say so and pass.

use std::path::{Path, PathBuf};

use play::{Job, Language, Limits, NoChance, Player, Position, Rng, Rules, Turn, Via};
use rbg::{perft, tokens};
use serde_json::Value;

use crate::engines::rbg::common::compiled;

/// Leaves a game that the everyday test counts.
const FEW_LEAVES: u64 = 20_000;
/// Leaves that are counted in well under a minute.
const MANY_LEAVES: u64 = 30_000_000;
/// Differences of more standard errors than this are no accident.
const SIGMAS: f64 = 5.0;

fn corpus() -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/corpus")).to_owned()
}

/// The games with what the reference says of them.
fn games() -> Vec<(String, Rules, Value)> {
    let Ok(text) = std::fs::read_to_string(corpus().join("rbg-oracle.json")) else {
        eprintln!("skipped: no ../shared/corpus/rbg-oracle.json");
        return Vec::new();
    };
    let oracle: Value = serde_json::from_str(&text).unwrap();
    let load = |(name, facts): (&String, &Value)| {
        let file = corpus().join("rbg").join(format!("{name}.rbg"));
        let text = std::fs::read_to_string(file).unwrap();
        (name.clone(), Rules::new(Language::Rbg, format!("{name}.rbg"), text), facts.clone())
    };
    oracle.as_object().unwrap().iter().map(load).collect()
}

#[test]
fn sizes_agree_with_the_reference() {
    for (name, rules, facts) in games() {
        assert_eq!(Some(tokens(&rules.source) as u64), facts["tokens"].as_u64(), "{name}");
    }
}

fn check_perft(most: u64) {
    for (name, rules, facts) in games() {
        let all: Vec<u64> =
            facts["perft"].as_array().unwrap().iter().map(|v| v.as_u64().unwrap()).collect();
        let depth = all.iter().take_while(|&&leaves| leaves <= most).count();
        let counts = perft(&rules.source, &Limits::default(), depth as u32).unwrap();
        assert_eq!(counts, all[..depth], "{name}");
        eprintln!("{name}: depth {depth} agrees");
    }
}

#[test]
fn leaf_counts_agree_with_the_reference() {
    check_perft(FEW_LEAVES);
}

#[test]
#[ignore = "takes minutes"]
fn leaf_counts_agree_with_the_reference_deeply() {
    check_perft(MANY_LEAVES);
}

/// Moves of a random play, passes counted, and the scores at its end.
fn random_play(position: &mut dyn Position, rng: &mut Rng) -> (f64, Vec<f64>) {
    let mut moves = 0.0;
    while position.turn() != Turn::Over {
        let action = rng.below(position.actions() as u32) as usize;
        position.play(action, &mut NoChance).unwrap();
        moves += 1.0;
    }
    let scores = position.scores().unwrap();
    (moves, (0..scores.players()).map(|p| f64::from(scores.get(Player(p as u8)))).collect())
}

/// The players' greatest scores, as they stand in the text.
fn bounds(text: &str) -> Vec<f64> {
    let players = text.split_once("#players").unwrap().1.split('#').next().unwrap();
    players.split('(').skip(1).map(|p| p.split(')').next().unwrap().parse().unwrap()).collect()
}

/// Mean and variance.
fn moments(sample: &[f64]) -> (f64, f64) {
    let n = sample.len() as f64;
    let mean = sample.iter().sum::<f64>() / n;
    (mean, sample.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0))
}

fn check_plays(most_moves: f64, fewest: usize) {
    for (name, rules, facts) in games() {
        let theirs = facts["playouts"].as_f64().unwrap();
        if theirs < 100.0 {
            continue; // too slow for the reference to say much
        }
        let game = compiled(&rules);
        let mut rng = Rng::stream(7, 7);
        let (mut lengths, mut scores) = (Vec::new(), Vec::new());
        let mut total = 0.0;
        while total < most_moves || lengths.len() < fewest {
            let mut position = game.open(&mut NoChance);
            let (moves, score) = random_play(&mut *position, &mut rng);
            total += moves;
            lengths.push(moves);
            scores.push(score);
        }
        let near = |sample: &[f64], theirs_mean: f64, slack: f64, what: &str| {
            let (mean, variance) = moments(sample);
            let error = (variance * (1.0 / sample.len() as f64 + 1.0 / theirs)).sqrt();
            let apart = (mean - theirs_mean).abs();
            assert!(
                apart <= SIGMAS * error + slack,
                "{name}: {what} {mean} ± {error}, expected {theirs_mean}"
            );
        };
        // Theirs is rounded to three digits.
        near(&lengths, facts["mean_turns"].as_f64().unwrap(), 0.001, "moves");
        let bounds = bounds(rules.source.text());
        for player in 0..scores[0].len() {
            let sample: Vec<f64> = scores.iter().map(|s| s[player]).collect();
            let goal = facts["mean_goals"][player].as_f64().unwrap();
            // The reference's are the values themselves, ours a share of the greatest, rounded
            // down.
            near(&sample, goal * 100.0 / bounds[player], 1.0, "score");
        }
    }
}

#[test]
fn random_plays_are_as_long_as_the_references() {
    check_plays(600.0, 30);
}

#[test]
#[ignore = "takes minutes"]
fn random_plays_are_as_long_as_the_references_closely() {
    check_plays(200_000.0, 200);
}

#[test]
fn the_kit_finds_no_fault() {
    let some = [
        "hex_5x5",
        "breakthrough_6x6",
        "reversi_4x4",
        "chessSilverman4x5_kingCapture",
        "theMillGame_split",
        "knightthrough_split",
        "connect4",
    ];
    for (name, rules, _) in games().into_iter().filter(|g| some.contains(&g.0.as_str())) {
        let game = compiled(&rules);
        let effort = play::kit::Effort { playouts: 200, walks: 2, ..Default::default() };
        let report = play::kit::check(&*game, &effort);
        assert!(report.faults.is_empty(), "{name}: {:?}", report.faults);
    }
}

/// Descriptions in a folder and those below it, by name.
fn descriptions(folder: &Path, found: &mut Vec<Rules>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            descriptions(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rbg") {
            let text = std::fs::read_to_string(&path).unwrap();
            found.push(Rules::new(Language::Rbg, path.display().to_string(), text));
        }
    }
}

/// Plays descriptions both ways: all playouts must be the same.
fn check_same_playouts(folder: &Path, count: u64) {
    let mut found = Vec::new();
    descriptions(folder, &mut found);
    if found.is_empty() {
        eprintln!("skipped: no descriptions in {}", folder.display());
    }
    for rules in found {
        let game = compiled(&rules);
        for (first, cap) in [(0, 30), (1 << 40, 400)] {
            let job = Job { seed: 11, first, count, cap };
            let name = rules.source.name();
            assert_eq!(game.run(&job, Via::Fast), game.run(&job, Via::Reference), "{name}");
        }
    }
}

#[test]
fn the_catalogues_playouts_are_those_of_the_reference() {
    check_same_playouts(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../games/catalogue")), 3);
}

#[test]
#[ignore = "takes minutes"]
fn all_playouts_are_those_of_the_reference() {
    check_same_playouts(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../games/catalogue")), 100);
    check_same_playouts(&corpus().join("rbg"), 100);
}
