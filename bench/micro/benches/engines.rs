//! Inner loops of every engine on a few games: compiling, opening and expanding positions, applying
//! actions, and playouts one at a time and by the reference loop.
//!
//! The harness measures what is compared and published; these benches are for working on an engine.
#![allow(missing_docs, reason = "criterion's macros make undocumented items")]

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use play::{Job, Limits, NoChance, Rng, Turn, Via};

const GAMES: [&str; 4] = ["tic-tac-toe-3x3", "connect-4-6x7", "breakthrough-8x8", "lights-out-5x5"];

fn engines(criterion: &mut Criterion) {
    let catalogue = games::Catalogue::embedded().unwrap_or_else(|error| panic!("{error}"));
    for id in GAMES {
        let entry = catalogue.get(id).unwrap_or_else(|error| panic!("{error}"));
        for engine in roster::engines() {
            let rules = engine.languages().iter().find_map(|&language| entry.rules_in(language));
            let Some(rules) = rules else { continue };
            let Ok(compiled) = engine.compile(&rules, &Limits::default()) else { continue };
            let game = &*compiled.game;

            let mut group = criterion.benchmark_group(format!("{id}/{}", engine.id()));
            group.sample_size(20);
            group.bench_function("compile", |b| {
                b.iter(|| black_box(engine.compile(&rules, &Limits::default())));
            });
            group.bench_function("open", |b| {
                b.iter(|| black_box(game.open(&mut NoChance).actions()));
            });
            group.bench_function("ply", |b| {
                let mut rng = Rng::stream(1, 1);
                let mut position = game.open(&mut rng);
                b.iter(|| {
                    if position.turn() == Turn::Over || position.actions() == 0 {
                        position = game.open(&mut rng);
                    }
                    let action = rng.below(position.actions() as u32) as usize;
                    position.play(action, &mut rng).expect("it is legal");
                });
            });
            let count = 4;
            group.throughput(Throughput::Elements(count));
            for via in [Via::Fast, Via::Reference] {
                group.bench_function(BenchmarkId::new("playouts", via.name()), |b| {
                    let mut first = 0;
                    b.iter(|| {
                        first += count;
                        game.run(&Job { seed: 1, first, count, cap: entry.cap }, via)
                    });
                });
            }
            group.finish();
        }
    }
}

criterion_group!(benches, engines);
criterion_main!(benches);
