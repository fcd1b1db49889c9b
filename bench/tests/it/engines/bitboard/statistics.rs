//! Statistics of random playouts, against other systems' figures and against the exact truth.

use std::collections::BTreeMap;

use bitboard::modules;
use play::kit::chi_squared_sigmas;
use play::{Job, NoChance, Player, Position, Rng, Turn, Via, settle};

use crate::engines::bitboard::common::game;

/// The origin of a figure, and thereby its exactness.
enum From {
    /// A mean over this many playouts.
    Playouts(f64),
    /// A figure that is off by no more than this.
    Within(f64),
}

/// Module, mean plies, mean score of the first player where it is known, and their source: facts
/// collected from other systems' runs, most of RBG's generated programs; for games that others do
/// not have, or whose rules differ between systems, a brute-force simulator's, as in their
/// manifests.
const MEANS: &[(&str, f64, Option<f64>, From)] = &[
    ("8-puzzle", 60.0, None, From::Within(0.01)),
    ("alquerque", 39.3699, Some(45.049), From::Playouts(1_000_000.0)),
    ("amazons-10x10", 136.155, Some(50.721), From::Playouts(15_735.0)),
    ("ashtapada", 286.569, Some(50.13), From::Playouts(150_000.0)),
    ("backgammon", 201.185, Some(0.0298), From::Playouts(4_000_000.0)),
    ("breakthrough-6x6", 28.171, Some(51.401), From::Playouts(73_258.0)),
    ("breakthrough-8x8", 64.166, Some(50.951), From::Playouts(58_109.0)),
    ("chess", 343.356, Some(50.037), From::Playouts(112_000.0)),
    ("connect-4-12x9", 26.2, None, From::Within(0.1)),
    ("connect-4-6x7", 21.303, Some(55.706), From::Playouts(727_391.0)),
    ("connect-6-19x19", 204.5545, Some(50.099), From::Playouts(100_000.0)),
    ("dara", 158.6674, Some(51.958), From::Playouts(200_000.0)),
    ("fanorona", 57.4385, Some(48.659), From::Playouts(1_000_000.0)),
    ("futoshiki-4x4", 10.7318, Some(76.126), From::Playouts(2_255_000.0)),
    ("futoshiki-5x5", 16.7432, Some(75.594), From::Playouts(873_000.0)),
    ("futoshiki-6x6", 22.8613, Some(75.862), From::Playouts(441_500.0)),
    ("english-draughts", 68.993, Some(49.264), From::Playouts(128_873.0)),
    ("go-9x9", 117.635, Some(37.177), From::Playouts(400_000.0)),
    ("gomoku-15x15", 108.979, Some(51.259), From::Playouts(14_138.0)),
    ("goofspiel-2", 4.0, Some(0.0), From::Within(0.0)),
    ("goofspiel-3", 6.0, Some(0.0), From::Within(0.0)),
    ("goofspiel-4", 8.0, Some(0.0), From::Within(0.0)),
    ("goofspiel-5", 10.0, Some(0.0), From::Within(0.0)),
    ("goofspiel-6", 12.0, Some(0.0), From::Within(0.0)),
    ("goofspiel-7", 14.0, Some(0.0), From::Within(0.0)),
    ("goofspiel-8", 16.0, Some(0.0), From::Within(0.0)),
    // Of the ludeme engine, by the rules of hex-9x9 on a larger board.
    ("hex-11x11", 107.488, Some(52.287), From::Playouts(400_000.0)),
    ("hex-9x9", 71.013, Some(53.04), From::Playouts(34_544.0)),
    ("hnefatafl-11x11", 561.280, Some(5.030), From::Playouts(60_000.0)),
    ("hunt-the-wumpus", 2.958_912, Some(57.8782), From::Playouts(8_000_000.0)),
    ("knights-tour-8x8", 35.2784, Some(56.219), From::Playouts(4_967_500.0)),
    ("knightthrough-8x8", 33.631, Some(51.519), From::Playouts(65_958.0)),
    ("kuhn-poker", 2.25, Some(0.125), From::Within(0.0)),
    ("leduc-poker", 4.0625, Some(-0.078_125), From::Within(0.0)),
    ("liars-dice", 3.361_812, Some(-0.032_407), From::Within(0.000_001)),
    ("lights-out-5x5", 20.0, None, From::Within(0.0001)),
    ("mastermind-4x6", 39.861_397, Some(0.042_340), From::Within(0.000_001)),
    ("minesweeper-8x8", 4.417_39, None, From::Playouts(1_500_000.0)),
    ("mu-torere", 48.4228, Some(49.437), From::Playouts(5_000_000.0)),
    ("nine-mens-morris", 192.3477, Some(51.755), From::Playouts(530_000.0)),
    ("nonogram-10x10", 36.6152, Some(75.888), From::Playouts(79_000.0)),
    ("nonogram-5x5", 10.8110, Some(82.573), From::Playouts(1_699_000.0)),
    ("oware", 103.177, Some(48.52), From::Playouts(400_000.0)),
    ("peg-solitaire", 24.3589, Some(78.041), From::Playouts(3_613_000.0)),
    ("phantom-tic-tac-toe", 10.526_466, Some(64.841_270), From::Within(0.000_001)),
    ("ploy", 284.859, Some(50.288), From::Playouts(60_000.0)),
    ("queens-16", 13.7915, Some(85.754), From::Playouts(1_351_000.0)),
    ("sudoku-9x9", 37.7205, Some(72.242), From::Playouts(261_000.0)),
    ("skirmish-8x8", 100.0, Some(49.341), From::Playouts(8797.0)),
    ("tant-fant", 25.2879, Some(50.513), From::Playouts(2_000_000.0)),
    ("three-mens-morris", 15.6218, Some(52.106), From::Playouts(4_000_000.0)),
    ("tic-tac-toe-3x3", 7.626_190, Some(64.841_3), From::Within(0.000_001)),
    ("tic-tac-toe-5x5", 23.72, None, From::Within(0.005)),
    ("tron-10x10", 6.00382, Some(49.986), From::Playouts(8_000_000.0)),
    ("wolf-and-sheep-8x8", 48.95614, Some(90.519), From::Playouts(4_000_000.0)),
    ("wumpus-2x2", 8.8373, Some(-249.348), From::Playouts(4_000_000.0)),
    ("wumpus-3x3", 10.7135, Some(-284.255), From::Playouts(4_000_000.0)),
    ("wumpus-4x4", 11.128_11, Some(-299.646), From::Playouts(40_000_000.0)),
    ("wumpus-5x5", 11.1768, Some(-306.057), From::Playouts(4_000_000.0)),
    ("wumpus-6x6", 11.2024, Some(-308.800), From::Playouts(4_000_000.0)),
    ("wumpus-7x7", 11.1909, Some(-309.802), From::Playouts(4_000_000.0)),
    ("wumpus-8x8", 11.2222, Some(-311.225), From::Playouts(4_000_000.0)),
    ("wumpus-hunt", 4.444_463, Some(7.8667), From::Playouts(40_000_000.0)),
    ("wumpus-ludii", 6.645_420, Some(14.976_575), From::Within(0.000_001)),
    ("yavalath", 19.6209, Some(47.151), From::Playouts(2_000_000.0)),
];

/// Plies to play of a game whose playouts are long.
const PLIES: f64 = 1_500_000.0;

/// Deviations beyond this many standard errors fail.
const SIGMAS: f64 = 5.0;

#[test]
fn means_are_those_of_other_systems() {
    for &(module, plies, score, ref from) in MEANS {
        let count = (PLIES / plies).min(100_000.0) as u64;
        let tally = game(module).run(&Job { seed: 11, first: 0, count, cap: 10_000 }, Via::Fast);
        assert_eq!((tally.capped, tally.stuck), (0, 0), "{module}");
        let (mean, error) = tally.mean_plies();
        let n = count as f64;
        // The error of a difference of two means, theirs taken from our variance.
        let allowed = |error: f64| match from {
            From::Playouts(m) => SIGMAS * error * (1.0 + n / m).sqrt(),
            From::Within(width) => SIGMAS * error + width,
        };
        assert!(
            (mean - plies).abs() <= allowed(error),
            "{module}: mean plies {mean:.4} +- {error:.4}, elsewhere {plies}"
        );
        if let Some(score) = score {
            let ours = tally.score_sums()[0] as f64 / n;
            let squares: f64 = tally
                .outcomes()
                .into_iter()
                .map(|(scores, k)| f64::from(scores.get(Player(0))).powi(2) * k as f64)
                .sum();
            let error = ((squares / n - ours * ours) / n).sqrt();
            assert!(
                (ours - score).abs() <= allowed(error) + 0.001,
                "{module}: mean score {ours:.3} +- {error:.3}, elsewhere {score}"
            );
        }
    }
}

#[test]
fn reversi_is_as_long_as_elsewhere_when_passes_are_counted() {
    // RBG counts forced passes as plies: 60.41 over 14,220 playouts.
    let game = game("reversi-8x8");
    let (mut sum, mut squares, n) = (0.0, 0.0, 3000);
    for id in 0..n {
        let mut rng = Rng::stream(4, id);
        let mut position = game.open(&mut NoChance);
        let mut actions = 0;
        while position.actions() > 0 {
            let action = rng.below(position.actions() as u32) as usize;
            position.play(action, &mut NoChance).unwrap();
            actions += 1;
        }
        sum += f64::from(actions);
        squares += f64::from(actions * actions);
    }
    let n = n as f64;
    let mean = sum / n;
    let error = ((squares / n - mean * mean) * (1.0 / n + 1.0 / 14_220.0)).sqrt();
    assert!((mean - 60.41).abs() < SIGMAS * error, "{mean} +- {error}");
}

/// The expectation over one player's uniformly random choices below a position: the plies to the
/// end, and the chances of the first player to win and to draw.
fn expectation(position: &dyn Position) -> [f64; 3] {
    if position.turn() == Turn::Over {
        let first = position.scores().unwrap().get(Player(0));
        return [0.0, f64::from(u8::from(first == 100)), f64::from(u8::from(first == 50))];
    }
    let mut sum = [0.0; 3];
    for action in 0..position.actions() {
        let mut child = position.copy();
        child.play(action, &mut NoChance).unwrap();
        let [plies, win, draw] = expectation(&*child);
        for (sum, value) in sum.iter_mut().zip([plies + 1.0, win, draw]) {
            *sum += value / position.actions() as f64;
        }
    }
    sum
}

#[test]
fn the_whole_tree_of_tic_tac_toe_gives_the_exact_figures() {
    let [plies, win, draw] = expectation(&*game("tic-tac-toe-3x3").open(&mut NoChance));
    // 7 + 263/420, 737/1260 and 8/63.
    assert!((plies - 7.626_190_476).abs() < 1e-8, "{plies}");
    assert!((win - 0.584_920_635).abs() < 1e-8, "{win}");
    assert!((draw - 0.126_984_127).abs() < 1e-8, "{draw}");
}

/// Holds the mean plies and the mean score of a game for one against exact ones.
fn assert_fares(module: &str, plies: f64, score: f64) {
    let count = 200_000;
    let tally = game(module).run(&Job { seed: 3, first: 0, count, cap: 100 }, Via::Fast);
    let (mean, error) = tally.mean_plies();
    assert!((mean - plies).abs() < SIGMAS * error, "{module}: {mean} +- {error}, truly {plies}");
    let ours = tally.score_sums()[0] as f64 / count as f64;
    // No score is further from the mean than 100.
    let error = 50.0 / (count as f64).sqrt();
    assert!((ours - score).abs() < SIGMAS * error, "{module}: {ours} +- {error}, truly {score}");
}

#[test]
fn queens_fare_as_all_placements_say() {
    // The probability of each set of queens, by the number of queens: there are 118,969 sets.
    let attacks = |a: u32, b: u32| {
        let (files, ranks) = ((a % 8).abs_diff(b % 8), (a / 8).abs_diff(b / 8));
        files == 0 || ranks == 0 || files == ranks
    };
    let mut sets = BTreeMap::from([(0u64, 1.0)]);
    let (mut plies, mut score) = (0.0, 0.0);
    for queens in 0..=8 {
        let mut next = BTreeMap::new();
        for (set, probability) in sets {
            let safe: Vec<u32> =
                (0..64).filter(|&a| !(0..64).any(|b| set >> b & 1 == 1 && attacks(a, b))).collect();
            if safe.is_empty() {
                plies += probability * f64::from(queens);
                score += probability * f64::from(100 * queens / 8);
            }
            for square in &safe {
                *next.entry(set | 1 << square).or_default() += probability / safe.len() as f64;
            }
        }
        sets = next;
    }
    assert!(sets.is_empty());
    assert_fares("queens-8", plies, score);
}

#[test]
fn towers_of_hanoi_fare_as_their_positions_say() {
    // The probability of each position, by the number of moves made; the smallest disc first.
    let mut positions = BTreeMap::from([([0u8; 3], 1.0)]);
    let (mut plies, mut solved) = (0.0, 0.0);
    for _ in 0..31 {
        let mut next = BTreeMap::new();
        for (pegs, probability) in positions {
            plies += probability;
            let top = |peg| (0..3).find(|&disc| pegs[disc] == peg);
            let moves: Vec<(usize, u8)> = (0..9)
                .filter(|i| i / 3 != i % 3)
                .filter_map(|i| top(i / 3).map(|disc| (disc, i % 3)))
                .filter(|&(disc, to)| top(to).is_none_or(|other| disc < other))
                .collect();
            for &(disc, to) in &moves {
                let mut after = pegs;
                after[disc] = to;
                let share = probability / moves.len() as f64;
                if after == [2; 3] {
                    solved += share;
                } else {
                    *next.entry(after).or_default() += share;
                }
            }
        }
        positions = next;
    }
    assert_fares("hanoi-3", plies, 100.0 * solved);
}

/// The share of all runs of the next test that may fail although every choice is uniform.
const FALSE_ALARMS: f64 = 1e-6;

/// A playout chooses by the number that its stream draws at each ply, which is what the reference
/// does, too (`tests/conformance.rs` finds them identical, playout by playout). So these draws
/// are held against uniformity, at positions of random walks, over the streams of many playouts.
#[test]
fn choices_are_uniform_at_sampled_positions() {
    const WALKS: u64 = 2;
    // The chance that a normal variable is further out than so many deviations is less than half of
    // exp(-x * x / 2): shared out among all tests.
    let tests = (modules().count() as u64 * WALKS) as f64;
    let allowed = (2.0 * (tests / FALSE_ALARMS).ln()).sqrt();
    let mut tested = 0;
    for (number, module) in (0..).zip(modules()) {
        let game = game(module);
        for walk in 0..WALKS {
            let mut rng = Rng::stream(21, WALKS * number + walk);
            let mut position = game.open(&mut rng);
            let mut bounds = Vec::new();
            for _ in 0..rng.below(9) {
                if !settle(&mut *position, &mut rng) || position.actions() == 0 {
                    break;
                }
                bounds.push(position.actions() as u32);
                let action = rng.below(position.actions() as u32) as usize;
                position.play(action, &mut rng).unwrap();
            }
            if !settle(&mut *position, &mut rng) || position.actions() < 2 {
                continue;
            }
            let mut counts = vec![0u32; position.actions()];
            let actions = counts.len() as u32;
            let playouts = 40 * u64::from(actions);
            for id in 0..playouts {
                let mut stream = Rng::stream(walk, id);
                for &bound in &bounds {
                    stream.below(bound);
                }
                counts[stream.below(actions) as usize] += 1;
            }
            let chi: f64 = counts.iter().map(|&n| (f64::from(n) - 40.0).powi(2) / 40.0).sum();
            let sigmas = chi_squared_sigmas(chi, counts.len() - 1);
            assert!(sigmas < allowed, "{module}: {sigmas} > {allowed} at\n{}", position.draw());
            tested += 1;
        }
    }
    assert!(tested >= modules().count(), "{tested} positions");
}

#[test]
fn every_module_has_a_figure() {
    let elsewhere = ["hanoi-3", "queens-8", "reversi-8x8"];
    for module in modules() {
        let here = MEANS.iter().any(|&(name, ..)| name == module);
        assert!(here || elsewhere.contains(&module), "{module}");
    }
}
