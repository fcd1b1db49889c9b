//! Playouts a second of every module, one at a time on one core, with the best instructions of the
//! machine: `cargo bench -p bitboard`, or with a part of a name behind `--` for some.

use bitboard::{BitboardEngine, modules};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use play::{Engine, Job, Language, Limits, Rules, Via};

/// Playouts in one measured call: enough that what a call costs does not show.
const COUNT: u64 = 2000;

fn playouts(criterion: &mut Criterion) {
    let engine = BitboardEngine::new();
    let mut group = criterion.benchmark_group("playouts");
    group.throughput(Throughput::Elements(COUNT));
    for module in modules() {
        let rules = Rules::new(Language::Bitboard, module, module);
        let compiled = engine.compile(&rules, &Limits::default()).expect("a module by its name");
        let mut job = Job { seed: 1, first: 0, count: COUNT, cap: u32::MAX };
        group.bench_function(module, |bencher| {
            bencher.iter(|| {
                job.first += COUNT;
                compiled.game.run(&job, Via::Fast)
            });
        });
    }
    group.finish();
}

criterion_group!(benches, playouts);
criterion_main!(benches);
