//! Playouts a second of every module on one core, with the best instructions of the machine, one at a
//! time and, where there are lanes, side by side: `cargo bench -p bitboard`, or with a part of a name
//! behind `--` for some. The group `floor` measures what a ply is made of, which is what none can cost
//! less than.

use bitboard::{BitboardEngine, Level, Link, modules};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use play::{Engine, Job, Language, Limits, Rules, Via};

/// Playouts in one measured call: enough that what a call costs does not show, nor that
/// lanes run empty in the end.
const COUNT: u64 = 4096;

fn playouts(criterion: &mut Criterion) {
    let engine = BitboardEngine::new();
    let mut group = criterion.benchmark_group("playouts");
    group.throughput(Throughput::Elements(COUNT));
    for module in modules() {
        let rules = Rules::new(Language::Bitboard, module, module);
        let compiled = engine.compile(&rules, &Limits::default()).expect("a module by its name");
        let batch = compiled.game.facts().batch.then_some(Via::Batch);
        for via in [Via::Fast].into_iter().chain(batch) {
            let mut job = Job { seed: 1, first: 0, count: COUNT, cap: u32::MAX };
            group.bench_function(format!("{module}/{}", via.name()), |bencher| {
                bencher.iter(|| {
                    job.first += COUNT;
                    compiled.game.run(&job, via)
                });
            });
        }
    }
    group.finish();
}

/// Links in one measured call.
const LINKS: u64 = 1 << 14;

fn floor(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("floor");
    group.throughput(Throughput::Elements(LINKS));
    for link in Link::ALL {
        group.bench_function(format!("{link:?}"), |bencher| {
            bencher.iter(|| link.chain(LINKS, Level::best()));
        });
    }
    group.finish();
}

criterion_group!(benches, floor, playouts);
criterion_main!(benches);
