//! Connect Four as a program: random playouts, interpreted and as machine code, and how fast they are.
//!
//! `cargo run --release -p kernel --example connect_four`

use kernel::build::{FunctionBuilder, ProgramBuilder};
use kernel::ir::{Access, Expr, FunctionId, HostId, Ints, Program, Sets, Type};
use kernel::{Host, check};

const COLUMNS: i32 = 7;
const ROWS: i32 = 6;

/// All lines of four, as words: sites are numbered column by column, from the bottom.
fn lines() -> Vec<u64> {
    let mut lines = Vec::new();
    for (dx, dy) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
        for x in 0..COLUMNS {
            for y in 0..ROWS {
                let (end_x, end_y) = (x + 3 * dx, y + 3 * dy);
                if (0..COLUMNS).contains(&end_x) && (0..ROWS).contains(&end_y) {
                    let sites = (0..4).map(|i| (x + i * dx) * ROWS + y + i * dy);
                    lines.push(sites.fold(0, |line, site| line | 1 << site));
                }
            }
        }
    }
    lines
}

/// A program that plays so many games at random, and adds up wins of the first and the second player, and
/// plies. The generator (xorshift, Marsaglia 2003) is in its memory.
fn program() -> (Program, FunctionId) {
    let sites = COLUMNS * ROWS;
    let mut program = ProgramBuilder::new(1);
    let sums = program.ints("sums", Access::Write);
    let random = program.ints("random", Access::Write);
    // What becomes playable when a site is taken: the one above it.
    let above = (0..sites).map(|s| if s % ROWS < ROWS - 1 { 1 << (s + 1) } else { 0 });
    let above = program.set_table(above.collect::<Vec<u64>>());
    // The lines through each site, one after the other, and where those of a site begin.
    let (mut through, mut begins) = (Vec::new(), vec![0]);
    for site in 0..sites {
        through.extend(lines().into_iter().filter(|line| line >> site & 1 != 0));
        begins.push(through.len() as i32);
    }
    let (through, begins) = (program.set_table(through), program.table(begins));
    let bottom = program.set_table([(0..COLUMNS).map(|x| 1 << (x * ROWS)).sum::<u64>()]);

    // A number below another.
    let mut f = FunctionBuilder::new("draw", &[Type::Int], Some(Type::Int));
    let x = f.var(Type::Int, random.at(0));
    f.set(x, x.get().xor_bits(x.get().shifted_left(13)));
    f.set(x, x.get().xor_bits(x.get().shifted_right(17)));
    f.set(x, x.get().xor_bits(x.get().shifted_left(5)));
    f.store(random, 0, x);
    f.give((x.get().shifted_right(16) * f.param(0)).shifted_right(16));
    let draw = program.function(f.finish());

    // Whether a player has a line through a site.
    let mut f = FunctionBuilder::new("wins", &[Type::Set, Type::Int], Some(Type::Int));
    let (mine, site) = (f.param(0), f.param(1));
    f.count(begins.at(site), begins.at(site.get() + 1), |f, line| {
        f.when(through.at(line).is_subset(mine), |f| f.give(1));
    });
    let wins = program.function(f.finish());

    let mut f = FunctionBuilder::new("play", &[Type::Int], None);
    let count = f.param(0);
    f.count(0, count, |f, _| {
        let playable = f.var(Type::Set, bottom.at(0));
        let mine = f.var(Type::Set, Expr::NoSites);
        let theirs = f.var(Type::Set, Expr::NoSites);
        let plies = f.var(Type::Int, 0);
        f.repeat(playable.get().is_inhabited(), |f| {
            let rank = draw.call(vec![playable.get().len()]);
            let site = f.var(Type::Int, playable.get().nth(rank));
            let one = Expr::single(site);
            f.set(playable, playable.get().without(one.clone()) | above.at(site));
            f.set(mine, mine.get() | one);
            f.set(plies, plies.get() + 1);
            f.when(wins.call(vec![mine.get(), site.get()]), |f| {
                let winner = plies.get().and_bits(1).choose(0, 1);
                let winner = f.var(Type::Int, winner);
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

#[derive(PartialEq, Eq, Debug)]
struct Memory {
    sums: [i32; 3],
    random: [i32; 1],
}

impl Host for Memory {
    const ARRAYS_STAY: bool = true;

    fn ints(&self, array: Ints) -> &[i32] {
        if array.0 == 0 { &self.sums } else { &self.random }
    }

    fn ints_mut(&mut self, array: Ints) -> &mut [i32] {
        if array.0 == 0 { &mut self.sums } else { &mut self.random }
    }

    fn sets(&self, _: Sets) -> &[u64] {
        &[]
    }

    fn sets_mut(&mut self, _: Sets) -> &mut [u64] {
        &mut []
    }

    fn call(&mut self, _: HostId, _: &[i32]) -> i32 {
        0
    }
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
            let mut memory = Memory { sums: [0; 3], random: [2463534242_u32 as i32] };
            run(&mut memory, &mut u32::MAX.clone());
            memory
        });
        let [first, second, plies] = memory.sums.map(f64::from).map(|sum| sum / games as f64);
        let rate = games as f64 / took / 1e6;
        println!(
            "{way}: {rate:.2} million games a second; {first:.4} and {second:.4} won, {plies:.2} plies"
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
    assert!(interpreted.sums[0] > interpreted.sums[1], "who begins wins more often");
}
