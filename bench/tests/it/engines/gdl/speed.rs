//! The speed of the prover, per CPU second, beside the figures of another prover (GGP-base's, on a
//! machine of this kind; the figures are those of `../shared/facts.md`, read from there). Ignored
//! in a normal run, for it measures the machine too: `cargo test --release -p bench --test it
//! engines::gdl::speed:: -- --ignored --nocapture`.
//!
//! Prints a table for the games of the catalogue, one for the public sheets that the figures were
//! measured on, and one for other files: `FIGURES` names a file of lines `FILE,PLAYOUTS PER
//! SECOND`. `ONLY` plays the sheets whose paths hold that text, `MEASURE_SECONDS` is how long each
//! is played.

use std::fs;
use std::path::{Path, PathBuf};

use gdl::ProverEngine;
use play::{Engine, Job, Language, Limits, Rules, Tally, Via};

/// The aim of the project, in times the other prover's playouts per second.
const MARK: f64 = 100.0;

/// The games of the table of figures: name there, game of the catalogue, public sheet.
const GAMES: &[(&str, &str, &str)] = &[
    ("8 Puzzle", "8-puzzle", "eightPuzzle"),
    ("8 Queens", "queens-8", "queens08lg"),
    ("16 Queens", "queens-16", "queens16ug"),
    ("Futoshiki 4x4", "futoshiki-4x4", "futoshiki4"),
    ("Futoshiki 5x5", "futoshiki-5x5", "futoshiki5"),
    ("Futoshiki 6x6", "futoshiki-6x6", "futoshiki6"),
    ("Knight's Tour 8x8", "knights-tour-8x8", "knightsTourLarge"),
    ("Lights Out 5x5", "lights-out-5x5", "lightsOut"),
    ("Nonogram 5x5", "nonogram-5x5", "nonogram_5x5_1"),
    ("Nonogram 10x10", "nonogram-10x10", "nonogram_10x10_1"),
    ("Peg Solitaire", "peg-solitaire", "peg"),
    ("Sudoku", "sudoku-9x9", "sudoku"),
    ("Towers of Hanoi 3", "hanoi-3", "hanoi"),
    ("Amazons 10x10", "amazons-10x10", "amazons_10x10"),
    ("Breakthrough 6x6", "breakthrough-6x6", "breakthroughSmall"),
    ("Breakthrough 8x8", "breakthrough-8x8", "breakthrough"),
    ("Chess", "chess", "chess"),
    ("Chess, 200 steps", "", "chess_200"),
    ("Connect 4 6x7", "connect-4-6x7", "connectFour"),
    ("Connect 4 12x9", "connect-4-12x9", "connectFourLarger"),
    ("English Draughts", "english-draughts", "englishDraughts"),
    ("Gomoku 15x15", "gomoku-15x15", "gomoku_15x15"),
    ("Hex 9x9", "hex-9x9", "hex"),
    ("Knightthrough 8x8", "knightthrough-8x8", "knightThrough"),
    ("Reversi 8x8", "reversi-8x8", "reversi"),
    ("Skirmish 8x8", "skirmish-8x8", "skirmishZeroSum"),
    ("Tic-Tac-Toe 3x3", "tic-tac-toe-3x3", "ticTacToe"),
    ("Tic-Tac-Toe 5x5", "tic-tac-toe-5x5", "ticTacToeLarge"),
    ("Tron 10x10", "tron-10x10", "tron_10x10"),
    ("Wolf and Sheep 8x8", "wolf-and-sheep-8x8", "sheepAndWolf"),
];

/// The figures of the other prover by name of the game; `None` where the table is not there.
fn figures() -> Option<Vec<(String, f64)>> {
    let facts = fs::read_to_string(root().join("../shared/facts.md")).ok()?;
    let mut rows = facts.lines().skip_while(|line| !line.contains("| GDL prover |"));
    let cells = |line: &str| line.split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
    let place = cells(rows.next()?).iter().position(|cell| cell == "GDL prover")?;
    let rows = rows.take_while(|line| line.starts_with('|')).map(cells);
    Some(rows.filter_map(|row| Some((row.get(1)?.clone(), number(row.get(place)?)?))).collect())
}

/// A number as the table has it: `5.57 k`, `1.34 M`.
fn number(cell: &str) -> Option<f64> {
    let (digits, unit) = cell.split_once(' ').unwrap_or((cell, ""));
    let unit = [("", 1.0), ("k", 1e3), ("M", 1e6)].iter().find(|(name, _)| *name == unit)?.1;
    Some(digits.parse::<f64>().ok()? * unit)
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// CPU seconds of this thread.
fn cpu() -> f64 {
    let stat = fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    stat.split_whitespace().next().unwrap().parse::<f64>().unwrap() / 1e9
}

/// Playouts per CPU second, measured for as long as `MEASURE_SECONDS` says (0.5), with what was
/// played.
fn rate(rules: &Rules) -> (f64, Tally) {
    let seconds = std::env::var("MEASURE_SECONDS").ok().and_then(|s| s.parse().ok()).unwrap_or(0.5);
    let compiled = ProverEngine.compile(rules, &Limits::default()).unwrap();
    let mut tally = Tally::default();
    let (begun, mut batch) = (cpu(), 1);
    while cpu() - begun < seconds {
        let job = Job { seed: 1, first: tally.playouts, count: batch, cap: 10_000 };
        tally += &compiled.game.run(&job, Via::Fast);
        batch = (2 * batch).min(200);
    }
    (tally.playouts as f64 / (cpu() - begun), tally)
}

/// Prints a table of the sheets with the figure of each, and how many of them reach the mark.
fn compare(sheets: &[(PathBuf, f64)]) {
    let only = std::env::var("ONLY").unwrap_or_default();
    let (mut reached, mut played) = (0, 0);
    eprintln!("| sheet | playouts/s | other | times | us a ply | plies |");
    eprintln!("|---|---:|---:|---:|---:|---:|");
    for (path, other) in sheets {
        let name = path.to_string_lossy();
        if !name.contains(&only) {
            continue;
        }
        let Ok(sheet) = fs::read(path) else {
            eprintln!("skipped: there is no {name}");
            continue;
        };
        let short = name.trim_end_matches(".kif").trim_end_matches("/rules");
        let short = short.rsplit('/').next().unwrap_or_default();
        let rules = Rules::new(Language::Kif, &*name, String::from_utf8_lossy(&sheet));
        let (rate, tally) = rate(&rules);
        let (plies, error) = tally.mean_plies();
        let (micros, times) = (1e6 / (rate * plies), rate / other);
        eprintln!(
            "| {short} | {rate:.1} | {other} | {times:.1} | {micros:.2} | {plies:.2} +- \
             {error:.2} |"
        );
        assert!(tally.plies > 0, "{name} was not played");
        reached += usize::from(times >= MARK);
        played += 1;
    }
    eprintln!("{reached} of {played} at {MARK} times or more");
}

/// The sheets of all games that have one and a figure.
fn sheets(of: impl Fn(&str, &str) -> Option<PathBuf>) -> Vec<(PathBuf, f64)> {
    let Some(figures) = figures() else {
        eprintln!("skipped: there is no ../shared/facts.md");
        return Vec::new();
    };
    let figure = |name: &str| figures.iter().find(|(other, _)| other == name).map(|&(_, f)| f);
    let sheet = |&(name, id, public): &(&str, &str, &str)| {
        let figure = figure(name).unwrap_or_else(|| panic!("no figure for {name}"));
        Some((of(id, public)?, figure))
    };
    GAMES.iter().filter_map(sheet).collect()
}

#[test]
#[ignore = "measures the machine"]
fn the_catalogue_beside_another_prover() {
    let catalogue = root().join("games/catalogue");
    let of = |id: &str, _: &str| (!id.is_empty()).then(|| catalogue.join(id).join("rules.kif"));
    compare(&sheets(of));
}

#[test]
#[ignore = "measures the machine"]
fn public_sheets_beside_another_prover() {
    let base = root().join("../shared/corpus/gdl/base");
    compare(&sheets(|_, public| Some(base.join(format!("{public}.kif")))));
}

#[test]
#[ignore = "measures the machine"]
fn files_beside_their_figures() {
    let Ok(path) = std::env::var("FIGURES") else {
        eprintln!("skipped: FIGURES names no file");
        return;
    };
    let text = fs::read_to_string(path).expect("a readable file of figures");
    let sheets = text.lines().map(|line| {
        let (file, figure) = line.split_once(',').expect("a file, a comma and a figure");
        (root().join(file), figure.parse().expect("a number"))
    });
    compare(&sheets.collect::<Vec<_>>());
}
