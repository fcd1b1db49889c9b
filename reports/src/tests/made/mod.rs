//! Made-up runs: rates near those of real engines, with noise from a fixed generator.
#![allow(dead_code, unreachable_pub, reason = "each test file uses a part of this module")]

use std::path::{Path, PathBuf};

use reports::{Digest, Phase, Sample, Verdict};

/// The folder in which tests leave files for a person to look at.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/tmp")
}

/// A game: id, title, published row, players, mean plies.
pub struct Game(pub &'static str, pub &'static str, pub &'static str, pub u32, pub f64);

/// The fourteen games with roughly true lengths.
pub const GAMES: [Game; 14] = [
    Game("tic-tac-toe-3x3", "Tic-Tac-Toe (3x3)", "table1/Tic-Tac-Toe (3x3)", 2, 7.626),
    Game("tic-tac-toe-5x5", "Tic-Tac-Toe (5x5)", "table1/Tic-Tac-Toe (5x5)", 2, 23.72),
    Game("connect-4-6x7", "Connect 4 (6x7)", "table1/Connect 4 (6x7)", 2, 21.32),
    Game("connect-4-12x9", "Connect 4 (12x9)", "table1/Connect 4 (12x9)", 2, 26.2),
    Game("hex-9x9", "Hex (9x9)", "table1/Hex (9x9)", 2, 71.1),
    Game("breakthrough-6x6", "Breakthrough (6x6)", "table1/Breakthrough (6x6)", 2, 28.1),
    Game("breakthrough-8x8", "Breakthrough (8x8)", "table1/Breakthrough (8x8)", 2, 64.15),
    Game("knightthrough-8x8", "Knightthrough (8x8)", "table1/Knightthrough (8x8)", 2, 33.7),
    Game("reversi-8x8", "Reversi (8x8)", "table1/Reversi (8x8)", 2, 60.4),
    Game("amazons-10x10", "Amazons (10x10)", "table1/Amazons (10x10)", 2, 136.5),
    Game("queens-8", "8 Queens", "table1/8 Queens", 1, 5.4),
    Game("lights-out-5x5", "Lights Out (5x5)", "table1/Lights Out (5x5)", 1, 20.0),
    Game("hanoi-3", "Towers of Hanoi 3", "table1/Towers of Hanoi 3", 1, 29.9),
    Game("8-puzzle", "8 Puzzle", "table1/8 Puzzle", 1, 60.0),
];

/// Rates of bitboard, ludeme, propnet and prover on them.
pub const RATES: [[f64; 4]; 14] = [
    [25.1e6, 3.1e6, 412e3, 21.3e3],
    [9.2e6, 1.2e6, 140e3, 1.9e3],
    [8.83e6, 610e3, 88.4e3, 820.0],
    [5.9e6, 420e3, 71.2e3, 640.0],
    [1.1e6, 130e3, 2.1e3, 45.0],
    [1.4e6, 92e3, 55e3, 1.1e3],
    [471e3, 31e3, 24e3, 212.0],
    [620e3, 40e3, 41e3, 730.0],
    [390e3, 19.4e3, 2.3e3, 7.4],
    [160e3, 22e3, 1.6e3, 0.53],
    [14e6, 1.9e6, 310e3, 4.8e3],
    [8.1e6, 220e3, 71e3, 1.4e3],
    [6.6e6, 540e3, 99e3, 6.7e3],
    [4.4e6, 101e3, 6.1e3, 1.7e3],
];

pub const ENGINES: [(&str, &str); 4] =
    [("bitboard", "native"), ("ludeme", "lud"), ("propnet", "gdl"), ("prover", "gdl")];

/// A fixed generator of noise in -1..1.
pub struct Noise(pub u64);

impl Noise {
    pub fn next(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as f64 / f64::from(1_u32 << 30) - 1.0
    }
}

/// One warm-up and then `rounds` samples of about 200 ms of an engine on a game.
pub fn samples(
    game: &Game,
    engine: &str,
    language: &str,
    rate: f64,
    rounds: u32,
    spread: f64,
) -> Vec<Sample> {
    let mut noise = Noise(
        game.0
            .bytes()
            .chain(engine.bytes())
            .fold(7_u64, |seed, byte| seed.wrapping_mul(131).wrapping_add(u64::from(byte))),
    );
    let mut rows = Vec::new();
    let mut first = 0;
    for round in 0..=rounds {
        let playouts = (0.2 * rate).ceil().max(1.0) as u64;
        let warmup = round == 0;
        let speed = if warmup { 0.6 * rate } else { rate * (1.0 + spread * noise.next()) };
        let cpu_ns = (playouts as f64 / speed * 1e9) as u64;
        let mean = game.4 + 0.5 * noise.next() / (playouts as f64).sqrt();
        let plies = (playouts as f64 * mean) as u64;
        rows.push(Sample {
            title: game.1.to_owned(),
            paper: vec![game.2.to_owned()].into_iter().filter(|paper| !paper.is_empty()).collect(),
            players: game.3,
            language: language.to_owned(),
            verdict: Verdict::Ok,
            round: round.saturating_sub(1),
            slot: round % 4,
            phase: if warmup { Phase::Warmup } else { Phase::Sample },
            seed: 1,
            first,
            playouts,
            plies,
            plies_squared: Some(
                ((playouts as f64 * (mean * mean + 4.0)) as u64).min(plies.saturating_mul(plies)),
            ),
            wall_ns: cpu_ns + cpu_ns / 200,
            cpu_ns,
            digest: Digest(first.wrapping_mul(0x9e37_79b9_7f4a_7c15)),
            compile_ns: Some(1_000_000 + 37 * game.1.len() as u64),
            peak_bytes: Some(9 << 20),
            state_bytes: Some(64),
            tokens: (language != "native").then(|| size(language, game.4)),
            rng: "xoshiro256++".to_owned(),
            ..Sample::failure(game.0, engine, Verdict::Ok, "")
        });
        first += playouts;
    }
    rows
}

/// Descriptions in GDL are longer, and those of long games too.
fn size(language: &str, plies: f64) -> u64 {
    (plies * if language == "gdl" { 40.0 } else { 4.0 }) as u64
}

/// A failed pair.
pub fn failed(game: &Game, engine: &str, language: &str, verdict: Verdict, reason: &str) -> Sample {
    Sample {
        title: game.1.to_owned(),
        players: game.3,
        language: language.to_owned(),
        paper: vec![game.2.to_owned()].into_iter().filter(|paper| !paper.is_empty()).collect(),
        ..Sample::failure(game.0, engine, verdict, reason)
    }
}

/// Fourteen games and four engines at realistic rates, two pairs of which failed.
pub fn fourteen() -> Vec<Sample> {
    let mut rows = Vec::new();
    for (game, rates) in GAMES.iter().zip(RATES) {
        for ((engine, language), rate) in ENGINES.into_iter().zip(rates) {
            match (game.0, engine) {
                ("hex-9x9", "propnet") => rows.push(failed(
                    game,
                    engine,
                    language,
                    Verdict::TooLarge,
                    "grounding passed 5,000,000 rules (limit), most of them from `connected`",
                )),
                ("reversi-8x8", "ludeme") => rows.push(failed(
                    game,
                    engine,
                    language,
                    Verdict::Wrong,
                    "after d3 c5: 7 legal moves, bitboard has 8\n8 ........\n7 ........",
                )),
                _ => rows.extend(samples(
                    game,
                    engine,
                    language,
                    rate,
                    8,
                    if rate < 10.0 { 0.2 } else { 0.03 },
                )),
            }
        }
    }
    rows
}

/// A table of the size of the whole study: 43 games, eight engines, gaps and slow games.
pub fn forty_three() -> Vec<Sample> {
    let engines =
        ["bitboard", "ludeme", "ludeme-jit", "propnet", "propnet-lanes", "prover", "python", "rbg"];
    let mut noise = Noise(3);
    let mut rows = Vec::new();
    for (index, row) in reports::published::all().iter().enumerate() {
        let id: &'static str = Box::leak(format!("game-{index}").into_boxed_str());
        let paper: &'static str = Box::leak(row.reference().into_boxed_str());
        let game = Game(id, &row.row, paper, 2, 40.0);
        for (at, engine) in engines.into_iter().enumerate() {
            let rate = 10_f64.powf(5.2 - 0.6 * at as f64 + 1.2 * noise.next());
            match noise.next() {
                skip if skip < -0.7 => {}
                fail if fail < -0.6 => {
                    rows.push(failed(
                        &game,
                        engine,
                        "lud",
                        Verdict::Unsupported,
                        "`(forEach Team)` is not read yet",
                    ));
                }
                _ => rows.extend(samples(&game, engine, "lud", rate, 5, 0.04)),
            }
        }
    }
    rows
}

/// A small run in which every verdict occurs.
pub fn every_verdict() -> Vec<Sample> {
    let game = |id, title, paper| Game(id, title, paper, 2, 9.5);
    let ttt = game("tic-tac-toe-3x3", "Tic-Tac-Toe (3x3)", "table1/Tic-Tac-Toe (3x3)");
    let chess = game("chess", "Chess", "table1/Chess");
    let loops = game("loops", "Loops | and *stars*", "");
    let mut rows = Vec::new();
    let with = |rows: Vec<Sample>, edit: &dyn Fn(&mut Sample)| -> Vec<Sample> {
        rows.into_iter()
            .map(|mut row| {
                edit(&mut row);
                row
            })
            .collect()
    };
    // The shuffled order of a real run: columns must not depend on it.
    rows.extend(samples(&ttt, "ludeme", "lud", 3.1e6, 4, 0.02));
    rows.extend(samples(&ttt, "bitboard", "native", 25.1e6, 4, 0.02));
    rows.extend(with(samples(&ttt, "prover", "gdl", 21.3e3, 4, 0.05), &|row| {
        row.wall_ns *= 2;
        row.warnings = vec!["busy machine".to_owned()];
    }));
    rows.extend(with(samples(&ttt, "python", "native", 40.0, 1, 0.05), &|row| {
        row.verdict = Verdict::Unchecked;
        row.plies_squared = None;
        row.peak_bytes = None;
    }));
    rows.push(failed(
        &chess,
        "bitboard",
        "native",
        Verdict::Unsupported,
        "no hand-coded game of this name",
    ));
    rows.extend(samples(&chess, "ludeme", "lud", 812.0, 4, 0.02));
    rows.push(failed(
        &chess,
        "propnet",
        "gdl",
        Verdict::TooLarge,
        "grounding passed 5,000,000 rules (limit)",
    ));
    rows.extend(with(samples(&chess, "prover", "gdl", 0.131, 3, 0.05), &|row| {
        row.verdict = Verdict::Wrong;
        row.reason
            .push_str("after e2e4 e7e5:\n  prover has 28 moves, ludeme 29\n  missing: `e1e2`");
    }));
    rows.push(failed(&chess, "rbg", "rbg", Verdict::Invalid, "chess.rbg:3:7: expected `->`"));
    rows.extend(with(samples(&loops, "ludeme", "lud", 5e3, 2, 0.02), &|row| {
        row.verdict = Verdict::Capped;
        row.reason.push_str("every playout ran into the cap of 1,000 plies");
        row.capped = row.playouts;
    }));
    rows.push(failed(&loops, "prover", "gdl", Verdict::Timeout, "no playout within 10 s"));
    rows.push(failed(
        &loops,
        "rbg",
        "rbg",
        Verdict::Disputed,
        "after a1: rbg has 3 moves, python 4, and nothing decides between them",
    ));
    rows.extend(samples(&loops, "propnet", "gdl", 77e3, 2, 0.02));
    rows.push(failed(
        &loops,
        "propnet",
        "gdl",
        Verdict::Crashed,
        "the worker died of signal 11 in round 2",
    ));
    rows
}
