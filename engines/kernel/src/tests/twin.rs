//! Random programs give the same however they are run.

use std::panic::{AssertUnwindSafe, catch_unwind};

use kernel::ir::FunctionId;
use kernel::{Checked, check};

use crate::tests::common::Memory;
use crate::tests::random::{self, BUDGET, Dice};

/// The outcome of a run: a result or the host's panic, memory, the rest of the budget.
type Outcome = (Result<i32, usize>, Memory, u32);

fn outcome(memory: &Memory, run: impl FnOnce(&mut Memory, &mut u32) -> i32) -> Outcome {
    let (mut memory, mut budget) = (memory.clone(), BUDGET);
    let result = catch_unwind(AssertUnwindSafe(|| run(&mut memory, &mut budget)));
    let result = result.map_err(|payload| match payload.downcast::<usize>() {
        Ok(calls) => *calls,
        Err(other) => std::panic::resume_unwind(other),
    });
    (result, memory, budget)
}

/// All ways to run a program: as it is, simplified, with functions written out where they are
/// called, both, and that with entries of arrays in variables; interpreted and as machine code.
struct Ways {
    interpreted: [Checked; 6],
    #[cfg(feature = "native")]
    native: [kernel::Native; 6],
}

impl Ways {
    fn new(checked: Checked, entry: FunctionId) -> Ways {
        let inlined = checked.inlined(&[entry]);
        let promoted = checked.inlined(&[entry]).promoted(entry, 30);
        let both = inlined.simplified().promoted(entry, 8);
        let inlined = [inlined.simplified(), inlined];
        let [simple, inlined] = inlined;
        let interpreted = [checked.simplified(), checked, simple, inlined, promoted, both];
        Ways {
            #[cfg(feature = "native")]
            native: interpreted
                .each_ref()
                .map(|checked| kernel::Native::new(checked).expect("there is machine code")),
            interpreted,
        }
    }

    fn outcomes(&self, memory: &Memory, f: FunctionId, arguments: &[i32]) -> Vec<Outcome> {
        let interpreted = self.interpreted.iter().map(|checked| {
            outcome(memory, |host, budget| checked.interpret(host, f, arguments, budget))
        });
        #[cfg(feature = "native")]
        let interpreted =
            interpreted.chain(self.native.iter().map(|native| {
                outcome(memory, |host, budget| native.run(host, f, arguments, budget))
            }));
        interpreted.collect()
    }
}

/// The features that were seen over many programs: all of them should be.
#[derive(Default)]
struct Coverage {
    runs: usize,
    results: std::collections::BTreeSet<i32>,
    calls: usize,
    panics: usize,
    stores: usize,
    spent: usize,
    nodes: usize,
    simplified: usize,
    /// Programs in which entries of arrays are kept in variables.
    promoted: usize,
}

fn compare(seed: u64, seen: &mut Coverage) {
    let mut dice = Dice::new(seed);
    let program = random::program(&mut dice);
    let f = FunctionId(program.functions.len() as u32 - 1);
    let checked = check(program.clone(), 1_000_000);
    let checked = checked.unwrap_or_else(|fault| panic!("seed {seed}: {fault}"));
    let ways = Ways::new(checked, f);
    seen.nodes += ways.interpreted[1].nodes();
    seen.simplified += ways.interpreted[0].nodes();
    let [.., inlined, promoted, _] = &ways.interpreted;
    seen.promoted += usize::from(promoted.program() != inlined.program());
    for _ in 0..5 {
        let (memory, arguments) = random::memory(&mut dice, &program);
        let outcomes = ways.outcomes(&memory, f, &arguments);
        for other in &outcomes[1..] {
            assert!(
                *other == outcomes[0],
                "seed {seed}, arguments {arguments:?}, memory {memory:?}\n{program}\n{outcomes:#?}",
            );
        }
        let (result, after, left) = &outcomes[0];
        seen.runs += 1;
        seen.results.extend(result);
        seen.calls += after.calls.len();
        seen.panics += usize::from(result.is_err());
        seen.stores += usize::from(
            !memory.moves && (&after.ints, &after.sets) != (&memory.ints, &memory.sets),
        );
        seen.spent += (BUDGET - left) as usize;
    }
}

/// Panics of the host are part of the game, and need not be printed.
fn quietly(work: impl FnOnce()) {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if !info.payload().is::<usize>() {
            hook(info);
        }
    }));
    work();
}

#[test]
fn ways_agree() {
    let mut seen = Coverage::default();
    quietly(|| (0..800).for_each(|seed| compare(seed, &mut seen)));
    // It is no test if nothing happens.
    let Coverage { calls, panics, stores, spent, promoted, .. } = seen;
    let each = [seen.results.len(), calls, panics, stores, spent, promoted];
    println!("{} runs: {each:?} results, calls, panics, stores, rounds, promoted", seen.runs);
    assert!(each.iter().all(|seen| *seen > 100), "{each:?}");
    println!("{} nodes, {} when simplified", seen.nodes, seen.simplified);
    assert!(seen.simplified < seen.nodes * 9 / 10);
}

/// Runs for as long as asked: `PROGRAMS=100000 SEED=7 cargo test --release -p kernel --lib
/// tests::twin:: -- --ignored --nocapture`
#[test]
#[ignore = "takes as long as it is told to"]
fn ways_agree_for_long() {
    let number = |name: &str, default: u64| {
        std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let (programs, seed) = (number("PROGRAMS", 100_000), number("SEED", 1));
    let mut seen = Coverage::default();
    let first = seed.wrapping_mul(1_000_000_000);
    quietly(|| {
        for number in 0..programs {
            compare(first.wrapping_add(number), &mut seen);
        }
    });
    println!("{} runs of {programs} programs agree", seen.runs);
}

/// The time to check, simplify and compile random programs: `cargo test --release -p kernel --lib
/// tests::twin::figures -- --ignored --nocapture`
#[cfg(feature = "native")]
#[test]
#[ignore = "measures"]
fn figures() {
    use std::time::Duration;

    use nix::time::{ClockId, clock_gettime};

    // Microseconds that this thread has run for.
    let clock = || {
        let time = clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID);
        Duration::from(time.expect("there is a clock")).as_secs_f64() * 1e6
    };
    let mut took = [0.0; 4];
    let (mut nodes, mut simpler, mut bytes) = (0, 0, 0);
    for seed in 0..400 {
        let program = random::program(&mut Dice::new(seed));
        let start = clock();
        let checked = check(program, 1_000_000).expect("it can run");
        took[0] += clock() - start;
        let start = clock();
        let simplified = checked.simplified();
        took[1] += clock() - start;
        for (slot, checked) in [(2, &checked), (3, &simplified)] {
            let start = clock();
            let native = kernel::Native::new(checked).expect("there is machine code");
            took[slot] += clock() - start;
            bytes += native.bytes();
        }
        nodes += checked.nodes();
        simpler += simplified.nodes();
    }
    let [check, simplify, native, native_simpler] = took;
    let (nodes, simpler) = (nodes as f64, simpler as f64);
    println!(
        "a node: checked in {:.3} µs, simplified in {:.3} µs",
        check / nodes,
        simplify / nodes
    );
    println!(
        "compiled in {:.2} µs, simplified before in {:.2} µs",
        native / nodes,
        native_simpler / simpler
    );
    println!("{nodes} nodes, {simpler} when simplified, {bytes} bytes in all");
}
