//! How fast the prover plays, per CPU second, beside what another prover was measured at (GGP-base's,
//! on a machine of this kind; the figures are from the facts that the project was started with).
//! Ignored in a normal run, for it measures the machine too:
//! `cargo test -p gdl --release --test speed -- --ignored --nocapture`.

use std::fs;
use std::path::Path;

use gdl::ProverEngine;
use play::{Compiled, Engine, Job, Language, Limits, Rules, Tally, Via};

/// Playouts per CPU second of the other prover on public sheets for the games of the catalogue.
const CATALOGUE: &[(&str, f64)] = &[
    ("8-puzzle", 157.0),
    ("queens-8", 393.0),
    ("queens-16", 52.0),
    ("futoshiki-4x4", 142.0),
    ("futoshiki-5x5", 38.5),
    ("futoshiki-6x6", 16.0),
    ("knights-tour-8x8", 5570.0),
    ("lights-out-5x5", 133.0),
    ("nonogram-5x5", 53.5),
    ("nonogram-10x10", 1.65),
    ("peg-solitaire", 62.5),
    ("sudoku-9x9", 1.04),
    ("hanoi-3", 637.0),
    ("amazons-10x10", 3.29),
    ("breakthrough-6x6", 70.1),
    ("breakthrough-8x8", 16.6),
    ("chess", 0.133),
    ("connect-4-6x7", 52.5),
    ("connect-4-12x9", 60.6),
    ("english-draughts", 13.8),
    ("gomoku-15x15", 0.859),
    ("hex-9x9", 4.37),
    ("knightthrough-8x8", 69.5),
    ("reversi-8x8", 0.647),
    ("skirmish-8x8", 2.03),
    ("tic-tac-toe-3x3", 1180.0),
    ("tic-tac-toe-5x5", 150.0),
    ("tron-10x10", 2120.0),
    ("wolf-and-sheep-8x8", 47.6),
];

/// The same for public sheets.
const PUBLIC: [(&str, f64); 30] = [
    ("base/ticTacToe", 1180.0),
    ("base/ticTacToeLarge", 150.0),
    ("base/conn4", 52.5),
    ("base/hex", 4.37),
    ("base/breakthroughSmall", 70.1),
    ("base/breakthrough", 16.6),
    ("base/knightThrough", 69.5),
    ("base/reversi", 0.647),
    ("base/amazons_10x10", 3.29),
    ("base/queens08lg", 393.0),
    ("base/queens08ug", 393.0),
    ("base/queens16ug", 52.0),
    ("base/lightsOut", 133.0),
    ("base/hanoi", 637.0),
    ("base/eightPuzzle", 157.0),
    ("base/futoshiki4", 142.0),
    ("base/futoshiki5", 38.5),
    ("base/futoshiki6", 16.0),
    ("base/knightsTour", 5570.0),
    ("base/knightsTourLarge", 5570.0),
    ("base/nonogram_5x5_1", 53.5),
    ("base/nonogram_10x10_1", 1.65),
    ("base/peg", 62.5),
    ("base/sudokuGrade1", 1.04),
    ("base/chess", 0.133),
    ("base/chess_200", 0.361),
    ("base/englishDraughts", 13.8),
    ("base/gomoku_15x15", 0.859),
    ("base/skirmishNew", 2.03),
    ("base/tron_10x10", 2120.0),
];

/// CPU seconds of this thread.
fn cpu() -> f64 {
    let stat = fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    stat.split_whitespace().next().unwrap().parse::<f64>().unwrap() / 1e9
}

/// Playouts per CPU second, measured for as long as `MEASURE_SECONDS` says (0.5), with what was played.
fn rate(rules: &Rules) -> (f64, Tally, Compiled) {
    let seconds = std::env::var("MEASURE_SECONDS").ok().and_then(|s| s.parse().ok()).unwrap_or(0.5);
    let compiled = ProverEngine.compile(rules, &Limits::default()).unwrap();
    let mut tally = Tally::default();
    let (begun, mut batch) = (cpu(), 1);
    while cpu() - begun < seconds {
        let job = Job { seed: 1, first: tally.playouts, count: batch, cap: 10_000 };
        tally += &compiled.game.run(&job, Via::Fast);
        batch = (2 * batch).min(200);
    }
    (tally.playouts as f64 / (cpu() - begun), tally, compiled)
}

/// Prints a line a game and returns the least ratio to the other prover.
fn compare(folder: &Path, file: impl Fn(&str) -> String, games: &[(&str, f64)]) -> f64 {
    let only = std::env::var("ONLY").unwrap_or_default();
    let mut least = f64::INFINITY;
    for (id, other) in games.iter().filter(|(id, _)| id.contains(&only)) {
        let Ok(sheet) = fs::read(folder.join(file(id))) else {
            eprintln!("skipped: there is no {} in {}", file(id), folder.display());
            continue;
        };
        let rules = Rules::new(Language::Kif, *id, String::from_utf8_lossy(&sheet));
        let (rate, tally, _) = rate(&rules);
        let (plies, error) = tally.mean_plies();
        let micros = 1e6 / (rate * plies);
        eprintln!(
            "{id:24} {rate:10.1} playouts/s, {:7.1} times {other:7.3}; {micros:7.2} us a ply, \
             {plies:.3} +- {error:.3} plies",
            rate / other
        );
        least = least.min(rate / other);
    }
    least
}

#[test]
#[ignore = "measures the machine"]
fn ten_times_another_prover_on_the_catalogue() {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/catalogue"));
    let least = compare(folder, |id| format!("{id}/rules.kif"), CATALOGUE);
    assert!(least >= 10.0, "only {least:.1} times");
}

#[test]
#[ignore = "measures the machine"]
fn ten_times_another_prover_on_public_sheets() {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/corpus/gdl"));
    let least = compare(folder, |id| format!("{id}.kif"), &PUBLIC);
    assert!(least >= 10.0, "only {least:.1} times");
}
