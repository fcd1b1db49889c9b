//! Grounding, and playouts of the catalogue's games.

use std::hint::black_box;
use std::path::PathBuf;

use criterion::{Criterion, criterion_group, criterion_main};
use play::{Adapted, Game, Job, Limits, Via};
use propnet::{Evaluator, PropnetGame};
use text::Source;

/// A game of each kind: small, wide, with loops, with many moves, of one player.
const GAMES: [&str; 6] =
    ["tic-tac-toe-3x3", "connect-4-6x7", "hex-9x9", "amazons-10x10", "reversi-8x8", "queens-8"];

fn source(game: &str) -> Source {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../games/catalogue")
        .join(game)
        .join("rules.kif");
    Source::new(game, std::fs::read_to_string(path).expect("the catalogue is there"))
}

fn ground(c: &mut Criterion) {
    let mut group = c.benchmark_group("ground");
    for game in GAMES {
        let program = gdl::check(&source(game)).program.expect("the catalogue is sound");
        group.bench_function(game, |b| {
            b.iter(|| gdl::ground::ground(black_box(&program), &Limits::default()));
        });
    }
    group.finish();
}

fn compile(c: &mut Criterion) {
    let mut group = c.benchmark_group("compile");
    group.sample_size(10);
    for game in GAMES {
        let source = source(game);
        group.bench_function(game, |b| {
            b.iter(|| PropnetGame::new(black_box(&source), Evaluator::Event, &Limits::default()));
        });
    }
    group.finish();
}

/// A thousand playouts side by side.
fn batch(c: &mut Criterion) {
    let mut group = c.benchmark_group("batch");
    for game in GAMES {
        let (compiled, _) = PropnetGame::new(&source(game), Evaluator::Batch, &Limits::default())
            .expect("it plays");
        let compiled = Adapted::new(compiled);
        let mut first = 0;
        group.bench_function(game, |b| {
            b.iter(|| {
                first += 1000;
                compiled.run(&Job { seed: 1, first, count: 1000, cap: 1000 }, Via::Fast)
            });
        });
    }
    group.finish();
}

fn playout(c: &mut Criterion) {
    let mut group = c.benchmark_group("playout");
    for game in GAMES {
        let (compiled, _) = PropnetGame::new(&source(game), Evaluator::Event, &Limits::default())
            .expect("it plays");
        let compiled = Adapted::new(compiled);
        for via in [Via::Fast, Via::Reference] {
            let mut first = 0;
            group.bench_function(format!("{game}/{}", via.name()), |b| {
                b.iter(|| {
                    first += 1;
                    compiled.run(&Job { seed: 1, first, count: 1, cap: 1000 }, via)
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, ground, compile, playout, batch);
criterion_main!(benches);
