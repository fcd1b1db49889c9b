//! Playouts a second of every module on one core, with the best instructions of the machine, one at
//! a time and, where there are lanes, side by side: `cargo bench -p benches --bench bitboard`, or
//! with a part of a name behind `--` for some. The group `floor` measures what a ply is made of,
//! which is what none can cost less than. All times are CPU times, as a machine that is shared
//! stretches the others.

use std::time::Duration;

use bitboard::{BitboardEngine, Level, Link, modules};
use criterion::measurement::{Measurement, ValueFormatter, WallTime};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use nix::time::{ClockId, clock_gettime};
use play::{Engine, Job, Language, Limits, Rules, Via};

/// Playouts in one measured call: enough that what a call costs does not show, nor that
/// lanes run empty in the end.
const COUNT: u64 = 4096;

fn playouts(criterion: &mut Criterion<CpuTime>) {
    let engine = BitboardEngine::new();
    let mut group = criterion.benchmark_group("playouts");
    group.throughput(Throughput::Elements(COUNT));
    for module in modules() {
        let rules = Rules::new(Language::Bitboard, module, module);
        let compiled = engine.compile(&rules, &Limits::default()).expect("a module by its name");
        let batch = compiled.game.facts().batch.map(|_| Via::Batch);
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

fn floor(criterion: &mut Criterion<CpuTime>) {
    let mut group = criterion.benchmark_group("floor");
    group.throughput(Throughput::Elements(LINKS));
    for link in Link::ALL {
        group.bench_function(format!("{link:?}"), |bencher| {
            bencher.iter(|| link.chain(LINKS, Level::best()));
        });
    }
    group.finish();
}

/// The time that this process has been given.
struct CpuTime;

impl Measurement for CpuTime {
    type Intermediate = Duration;
    type Value = Duration;

    fn start(&self) -> Duration {
        clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID).expect("a clock of every Unix").into()
    }

    fn end(&self, start: Duration) -> Duration {
        self.start().saturating_sub(start)
    }

    fn add(&self, a: &Duration, b: &Duration) -> Duration {
        *a + *b
    }

    fn zero(&self) -> Duration {
        Duration::ZERO
    }

    fn to_f64(&self, value: &Duration) -> f64 {
        value.as_nanos() as f64
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        WallTime.formatter()
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().with_measurement(CpuTime);
    targets = floor, playouts
}
criterion_main!(benches);
