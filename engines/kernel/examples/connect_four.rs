//! Connect Four as a program: random playouts, interpreted and as machine code, and how fast they
//! are.
//!
//! `cargo run --release -p kernel --example connect_four`

use kernel::build::{CodeBuilder, FunctionBuilder, ProgramBuilder};
use kernel::ir::{Access, Expr, FunctionId, Program, Type};
use kernel::{Memory, check};

const COLUMNS: i32 = 7;
const ROWS: i32 = 6;
/// From a site to the one on its right: a column has one site more than rows, which stays empty.
const RIGHT: i32 = ROWS + 1;

/// A program that plays so many games at random, and adds up wins of the first and the second
/// player, and plies. The generator (xorshift, Marsaglia 2003) is in its memory.
fn program() -> (Program, FunctionId) {
    let mut program = ProgramBuilder::new(1);
    let sums = program.ints_of("sums", Access::Write, 3);
    let random = program.ints_of("random", Access::Write, 1);
    let columns = (0..COLUMNS).map(|x| 1 << (x * RIGHT));
    let bottom: u64 = columns.sum();
    let bottom_and_board = program.set_table([bottom, bottom * ((1 << ROWS) - 1)]);

    // A number below another.
    let mut f = FunctionBuilder::new("draw", &[Type::Int], Some(Type::Int));
    let x = f.var(Type::Int, random.at(0));
    f.set(x, x.get().xor_bits(x.get().shifted_left(13)));
    f.set(x, x.get().xor_bits(x.get().shifted_right(17)));
    f.set(x, x.get().xor_bits(x.get().shifted_left(5)));
    f.store(random, 0, x);
    f.give((x.get().shifted_right(16) * f.param(0)).shifted_right(16));
    let draw = program.function(f.finish());

    let mut f = FunctionBuilder::new("play", &[Type::Int], None);
    let count = f.param(0);
    f.count(0, count, |f, _| {
        let playable = f.var(Type::Set, bottom_and_board.at(0));
        let mine = f.var(Type::Set, Expr::NoSites);
        let theirs = f.var(Type::Set, Expr::NoSites);
        let plies = f.var(Type::Int, 0);
        f.repeat(playable.get().is_inhabited(), |f| {
            let rank = draw.call(vec![playable.get().len()]);
            let one = f.var(Type::Set, Expr::single(playable.get().nth(rank)));
            let above = one.get().shift(1) & bottom_and_board.at(1);
            f.set(playable, playable.get().without(one) | above);
            f.set(mine, mine.get() | one);
            f.set(plies, plies.get() + 1);
            // Four in a line: two pairs, two apart.
            let lines = f.var(Type::Set, Expr::NoSites);
            for step in [1, RIGHT, RIGHT - 1, RIGHT + 1] {
                let pairs = f.var(Type::Set, mine.get() & mine.get().shift(step));
                f.set(lines, lines.get() | (pairs.get() & pairs.get().shift(2 * step)));
            }
            f.when(lines.get().is_inhabited(), |f| {
                let winner = f.var(Type::Int, plies.get().and_bits(1).choose(0, 1));
                f.store(sums, winner, sums.at(winner) + 1);
                f.leave(1);
            });
            let other = f.var(Type::Set, mine);
            f.set(mine, theirs);
            f.set(theirs, other);
        });
        f.store(sums, 2, sums.at(2) + plies);
    });
    let play = program.function(f.finish());
    (program.finish(), play)
}

/// Seconds that something takes on the processor, the shortest of several, and what it gives.
fn time<T>(mut work: impl FnMut() -> T) -> (f64, T) {
    let once = |_| {
        let start = clock();
        let result = work();
        (clock() - start, result)
    };
    (0..7).map(once).min_by(|a, b| a.0.total_cmp(&b.0)).expect("several")
}

/// Seconds that this thread has run for.
fn clock() -> f64 {
    use nix::time::{ClockId, clock_gettime};

    let time = clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).expect("there is a clock");
    std::time::Duration::from(time).as_secs_f64()
}

fn main() {
    let (program, play) = program();
    println!("{program}");
    let (took, checked) = time(|| check(program.clone(), 10_000).expect("it can run"));
    println!("{} nodes, checked in {:.1} µs", checked.nodes(), took * 1e6);
    let (took, checked) = time(|| checked.simplified());
    println!("{} when simplified, in {:.1} µs", checked.nodes(), took * 1e6);
    let games = 100_000;
    let report = |way: &str, run: &dyn Fn(&mut Memory, &mut u32) -> i32| {
        let (took, memory) = time(|| {
            let mut memory = Memory::new(checked.program());
            memory.ints[1][0] = 2463534242_u32 as i32;
            run(&mut memory, &mut u32::MAX.clone());
            memory
        });
        let mean = |number: usize| f64::from(memory.ints[0][number]) / games as f64;
        let [first, second, plies] = [0, 1, 2].map(mean);
        let rate = games as f64 / took / 1e6;
        println!(
            "{way}: {rate:.2} million games a second; {first:.4} and {second:.4} won, {plies:.2} \
             plies"
        );
        memory
    };
    let interpreted =
        report("interpreted", &|host, budget| checked.interpret(host, play, &[games], budget));
    #[cfg(feature = "native")]
    {
        let (took, native) = time(|| kernel::Native::new(&checked).expect("there is machine code"));
        let per_node = took * 1e6 / checked.nodes() as f64;
        println!(
            "machine code: {} bytes in {:.0} µs, {per_node:.2} µs a node",
            native.bytes(),
            took * 1e6
        );
        let compiled =
            report("machine code", &|host, budget| native.run(host, play, &[games], budget));
        assert_eq!(interpreted, compiled);
    }
    let sums = &interpreted.ints[0];
    assert!(sums[0] > sums[1], "who begins wins more often");
}
