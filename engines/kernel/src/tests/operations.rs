//! The result of every operation, at its edges above all.

use kernel::build::{CodeBuilder, FunctionBuilder, ProgramBuilder};
use kernel::check;
use kernel::ir::{Access, Binary, Expr, Stmt, Type};

use crate::tests::common::{Memory, only, run, value};

const MIN: i32 = i32::MIN;
const MAX: i32 = i32::MAX;

fn int(number: i32) -> Expr {
    Expr::Int(number)
}

fn sites(sites: &[i32]) -> Expr {
    sites.iter().fold(Expr::NoSites, |set, site| set | Expr::single(*site))
}

/// The value of an operation on two parameters, on a parameter and a constant, on constants.
fn binary(operation: Binary, first: i32, second: i32) -> i32 {
    let new = |a: Expr, b: Expr| Expr::Binary(operation, Box::new(a), Box::new(b));
    let empty = Memory::default();
    let (checked, f) =
        only(ProgramBuilder::new(1), 2, |f| f.give(new(f.param(0).get(), f.param(1).get())));
    let both = run(&checked, &empty, f, &[first, second], 0).0;
    let (checked, f) =
        only(ProgramBuilder::new(1), 1, |f| f.give(new(f.param(0).get(), int(second))));
    let constant = run(&checked, &empty, f, &[first], 0).0;
    assert_eq!(both, constant, "{operation:?} {first} {second}");
    assert_eq!(both, value(1, new(int(first), int(second))), "{operation:?} {first} {second}");
    both
}

#[test]
fn arithmetic_is_total() {
    assert_eq!(binary(Binary::Add, MAX, 1), MIN);
    assert_eq!(binary(Binary::Sub, MIN, 1), MAX);
    assert_eq!(binary(Binary::Mul, MIN, -1), MIN);
    assert_eq!(binary(Binary::Div, 7, -2), -3);
    assert_eq!(binary(Binary::Div, 7, 0), 0);
    assert_eq!(binary(Binary::Div, MIN, -1), MIN);
    assert_eq!(binary(Binary::Div, MIN, 1), MIN);
    assert_eq!(binary(Binary::Rem, -7, 2), -1);
    assert_eq!(binary(Binary::Rem, -7, 0), 0);
    assert_eq!(binary(Binary::Rem, MIN, -1), 0);
    assert_eq!(binary(Binary::And, 6, 3), 2);
    assert_eq!(binary(Binary::Or, 6, 3), 7);
    assert_eq!(binary(Binary::Xor, 6, 3), 5);
    assert_eq!(binary(Binary::Shl, 3, 33), 6);
    assert_eq!(binary(Binary::Shl, 3, -1), MIN);
    assert_eq!(binary(Binary::Shr, -1, 28), 15);
    assert_eq!(binary(Binary::Shr, -1, 32), -1);
    assert_eq!(binary(Binary::Min, MIN, 3), MIN);
    assert_eq!(binary(Binary::Max, MIN, 3), 3);
    assert_eq!(value(1, -int(MIN)), MIN);
    assert_eq!(value(1, int(MIN).abs()), MIN);
    assert_eq!(value(1, int(-5).abs()), 5);
    assert_eq!(value(1, !int(0)), 1);
    assert_eq!(value(1, !int(-5)), 0);
    assert_eq!(value(1, int(MIN).less(MAX) + int(1).at_most(1) + int(1).greater(-1)), 3);
    assert_eq!(value(1, int(1).less(1) + int(2).equals(3) + int(2).differs(2)), 0);
}

#[test]
fn sets_end_where_their_words_end() {
    for words in [1, 2, 3, 6, 8, 9] {
        let end = 64 * words as i32;
        let all: Vec<i32> = vec![0, 1, 31, 32, 63, end - 64, end - 1];
        let distinct = all.iter().collect::<std::collections::BTreeSet<_>>();
        let set = || sites(&all);
        assert_eq!(value(words, set().len()), distinct.len() as i32);
        assert_eq!(value(words, set().last()), end - 1);
        assert_eq!(value(words, set().without(sites(&[63, end - 1, end - 64])).last()), 32);
        assert_eq!(value(words, Expr::NoSites.last()), -1);
        for (rank, site) in distinct.iter().enumerate() {
            assert_eq!(value(words, set().nth(rank as i32)), **site);
        }
        for rank in [-1, MIN, MAX, distinct.len() as i32] {
            assert_eq!(value(words, set().nth(rank)), -1, "{words} {rank}");
        }
        for site in [-1, MIN, end, MAX, 2, 33] {
            assert_eq!(value(words, set().contains(site)), 0, "{words} {site}");
        }
        for site in [0, 32, 63, end - 1] {
            assert_eq!(value(words, set().contains(site)), 1, "{words} {site}");
        }
        for site in [-1, MIN, end, MAX] {
            assert_eq!(value(words, Expr::single(site).is_empty()), 1, "{words} {site}");
        }
        assert_eq!(value(words, Expr::single(end - 1).is_empty()), 0);
        assert_eq!(value(words, sites(&[end - 1]).is_subset(set())), 1);
        assert_eq!(value(words, set().is_subset(sites(&[end - 1]))), 0);
        assert_eq!(value(words, Expr::NoSites.is_subset(Expr::NoSites)), 1);
        let (a, b) = (|| sites(&[1, end - 1]), || sites(&[end - 1, 5]));
        assert_eq!(value(words, (a() & b()).nth(0)), end - 1);
        assert_eq!(value(words, (a() | b()).len()), 3);
        assert_eq!(value(words, (a() ^ b()).nth(1)), 5);
        assert_eq!(value(words, a().without(b()).nth(0)), 1);
        assert_eq!(value(words, a().without(b()).len()), 1);
    }
}

#[test]
fn shifts_lose_what_leaves() {
    for words in [1, 2, 3, 6, 8, 9] {
        let end = 64 * words as i32;
        let all = [0, 1, 62, 63, end - 64, end - 1];
        for by in [0, 1, -1, 5, 63, -63, 64, -64, 65, -65, 127, 128, end - 1, 1 - end, end, -end] {
            let moved = all.iter().map(|site| site + by).filter(|site| (0..end).contains(site));
            let moved = sites(&moved.collect::<Vec<_>>());
            let shifted = sites(&all).shift(by);
            assert_eq!(value(words, (shifted ^ moved).len()), 0, "{words} {by}");
            // In place, too: no word is written before it is read.
            let (checked, f) = only(ProgramBuilder::new(words), 0, |f| {
                let set = f.var(Type::Set, sites(&all));
                let copy = f.var(Type::Set, sites(&all).shift(by));
                f.set(set, set.get().shift(by));
                f.give((set.get() ^ copy).len());
            });
            assert_eq!(run(&checked, &Memory::default(), f, &[], 0).0, 0, "{words} {by}");
        }
        for by in [MIN, MAX] {
            assert_eq!(value(words, sites(&all).shift(by).len()), 0);
        }
    }
}

#[test]
fn arrays_out_of_range() {
    let mut program = ProgramBuilder::new(2);
    let numbers = program.ints("numbers", Access::Write);
    let sets = program.sets("sets", Access::Write);
    let table = program.table([7, 8]);
    let set_table = program.set_table([1, 2, 3, 4]);
    let (checked, f) = only(program, 1, |f| {
        let index = f.param(0);
        let before = f.var(Type::Int, numbers.at(index));
        let set = f.var(Type::Set, sets.at(index));
        f.store(numbers, index, 5);
        f.store_set(sets, index, Expr::single(127));
        let table = table.at(index) * 100 + set_table.at(index).len() * 1000;
        f.give(before.get() + set.get().len() * 10 + table);
    });
    // The last word is no set.
    let memory =
        Memory { ints: vec![vec![1, 2, 3]], sets: vec![vec![3, 1, 4, 1, 5]], ..Memory::default() };
    let written = |index: usize| {
        let mut memory = memory.clone();
        memory.ints[0][index] = 5;
        if index < 2 {
            memory.sets[0][2 * index..2 * index + 2].copy_from_slice(&[0, 1 << 63]);
        }
        memory
    };
    assert_eq!(run(&checked, &memory, f, &[0], 0), (2731, written(0), 0));
    assert_eq!(run(&checked, &memory, f, &[1], 0), (3822, written(1), 0));
    assert_eq!(run(&checked, &memory, f, &[2], 0), (3, written(2), 0));
    for index in [-1, 3, 4, MIN, MAX] {
        assert_eq!(run(&checked, &memory, f, &[index], 0), (0, memory.clone(), 0), "{index}");
    }
}

#[test]
fn conditions_evaluate_what_they_need() {
    let mut program = ProgramBuilder::new(1);
    let host = program.host("note", 1);
    let note = |n: i32, value: Expr| value.after(vec![Stmt::Eval(host.call(vec![int(n)]))]);
    let (checked, f) = only(program, 2, |f| {
        let (a, b) = (|| f.param(0).get(), || f.param(1).get());
        let both = f.param(0).get().and(note(1, b()));
        let either = a().or(note(2, b()));
        let choice = a().choose(note(3, int(10)), note(4, int(20)));
        f.give(both + either * 2 + choice);
    });
    let calls = |arguments: [i32; 2]| {
        let (result, memory, _) = run(&checked, &Memory::default(), f, &arguments, 0);
        (result, memory.calls.iter().map(|(_, n)| n[0]).collect::<Vec<_>>())
    };
    assert_eq!(calls([0, 0]), (20, vec![2, 4]));
    assert_eq!(calls([0, 9]), (22, vec![2, 4]));
    assert_eq!(calls([-3, 0]), (12, vec![1, 3]));
    assert_eq!(calls([-3, MIN]), (13, vec![1, 3]));
}

#[test]
fn operands_are_read_in_order() {
    let write = |x, n: i32, value: Expr| value.after(vec![Stmt::Set(x, int(n))]);
    let (checked, f) = only(ProgramBuilder::new(1), 1, |f| {
        let x = f.param(0);
        // 3 before the writes, then 10, then 20.
        let sum = x.get() + write(x, 10, x.get()) * 100 + write(x, 20, x.get()) * 10000;
        f.give(sum);
    });
    assert_eq!(run(&checked, &Memory::default(), f, &[3], 0).0, 201_003);

    let (checked, f) = only(ProgramBuilder::new(1), 0, |f| {
        let set = f.var(Type::Set, Expr::single(1));
        let new = set.get().after(vec![Stmt::Set(set, Expr::single(2))]);
        f.give((set.get() ^ new).len() + set.get().nth(0) * 10);
    });
    assert_eq!(run(&checked, &Memory::default(), f, &[], 0).0, 22);
}

#[test]
fn loops() {
    // Sites in order; the set is that of before, and the variable is set anew.
    let (checked, f) = only(ProgramBuilder::new(2), 0, |f| {
        let set = f.var(Type::Set, sites(&[100, 3, 64, 63]));
        let sum = f.local(Type::Int);
        f.for_each(set, |f, site| {
            f.set(sum, sum.get() * 101 + site);
            f.set(set, Expr::NoSites);
            f.set(site, -7);
        });
        f.give(sum);
    });
    let expected = [3, 63, 64, 100].iter().fold(0, |sum, site| sum * 101 + site);
    assert_eq!(run(&checked, &Memory::default(), f, &[], 0).0, expected);

    // Numbers, at the greatest one too.
    let (checked, f) = only(ProgramBuilder::new(1), 2, |f| {
        let rounds = f.local(Type::Int);
        let (from, to) = (f.param(0), f.param(1));
        f.count(from, to, |f, i| {
            f.set(rounds, rounds.get() + 1);
            f.set(from, 0);
            f.set(to, 0);
            f.set(i, MAX);
        });
        f.give(rounds);
    });
    for (from, to, rounds) in [(MAX - 2, MAX, 2), (3, 3, 0), (4, 3, 0), (MIN, MIN + 4, 4)] {
        assert_eq!(run(&checked, &Memory::default(), f, &[from, to], 0).0, rounds);
    }

    // A loop without a bound of its own takes from the budget.
    let (checked, f) = only(ProgramBuilder::new(1), 1, |f| {
        let rounds = f.local(Type::Int);
        f.repeat(rounds.get().less(f.param(0)), |f| f.set(rounds, rounds.get() + 1));
        f.give(rounds);
    });
    let left = |end, budget| {
        let (result, _, left) = run(&checked, &Memory::default(), f, &[end], budget);
        (result, left)
    };
    assert_eq!(left(5, 9), (5, 4));
    assert_eq!(left(5, 5), (5, 0));
    assert_eq!(left(MAX, 1000), (1000, 0));
    assert_eq!(left(5, 0), (0, 0));
}

#[test]
fn leaving_loops_and_functions() {
    let (checked, f) = only(ProgramBuilder::new(1), 2, |f| {
        let (inner, outer) = (f.param(0), f.param(1));
        let sum = f.local(Type::Int);
        f.count(0, 10, |f, i| {
            f.for_each(sites(&[0, 1, 2, 3]), |f, j| {
                f.when(j.get().equals(inner), |f| f.leave(1));
                f.when(i.get().equals(outer), |f| f.leave(2));
                f.when(i.get().equals(7), |f| f.give(-1));
                f.set(sum, sum.get() + 1);
            });
        });
        f.give(sum);
    });
    let result = |inner, outer| run(&checked, &Memory::default(), f, &[inner, outer], 0).0;
    assert_eq!(result(2, 3), 6);
    assert_eq!(result(9, 3), 12);
    assert_eq!(result(9, 9), -1);

    // Out of the middle of a value; a condition belongs to its loop.
    let (checked, f) = only(ProgramBuilder::new(1), 1, |f| {
        let sum = f.local(Type::Int);
        let stop = |f: &mut FunctionBuilder| {
            let then = vec![Stmt::Break(1)];
            Stmt::If(sum.get().equals(f.param(0)), then, vec![])
        };
        let statements = vec![stop(f)];
        f.repeat(int(1).after(statements), |f| f.set(sum, sum.get() + 1));
        f.give(sum);
    });
    assert_eq!(run(&checked, &Memory::default(), f, &[6], 100).0, 6);
    assert_eq!(run(&checked, &Memory::default(), f, &[600], 100).0, 100);
}

#[test]
fn calls() {
    let mut program = ProgramBuilder::new(3);
    let mut f = FunctionBuilder::new("shifted", &[Type::Set, Type::Int], Some(Type::Set));
    let (set, by) = (f.param(0), f.param(1));
    let result = f.local(Type::Set);
    f.for_each(set, |f, site| f.set(result, result.get() | Expr::single(site.get() + by)));
    f.give(result);
    let shifted = program.function(f.finish());
    // Without a `Return` the result is 0 or empty.
    let falls_off = FunctionBuilder::new("falls off", &[Type::Int], Some(Type::Set)).finish();
    let falls_off = program.function(falls_off);
    let log = program.ints("log", Access::Write);
    let mut f = FunctionBuilder::new("write", &[Type::Int], None);
    f.store(log, 0, f.param(0));
    f.quit();
    let write = program.function(f.finish());
    let host = program.host("host", 3);
    let (checked, f) = only(program, 1, |f| {
        let set = f.var(Type::Set, sites(&[0, 60, 100]));
        let moved = f.var(Type::Set, shifted.call(vec![set.get(), int(7)]));
        f.call(write, vec![moved.get().nth(1)]);
        let again = shifted.call(vec![shifted.call(vec![set.get(), f.param(0).get()]), int(1)]);
        let lost = falls_off.call(vec![int(3)]).len();
        f.give(host.call(vec![again.nth(2), set.get().len(), lost]));
    });
    let memory = Memory { ints: vec![vec![0]], ..Memory::default() };
    let (result, memory, _) = run(&checked, &memory, f, &[80], 0);
    assert_eq!(memory.calls, [(0, vec![181, 3, 0])]);
    assert_eq!(memory.ints, [[67]]);
    assert_eq!(result, ((31 + 181) * 31 + 3) * 31);
    // A function without a result gives 0.
    let (result, memory, _) = run(&checked, &memory, write, &[80], 0);
    assert_eq!((result, memory.ints), (0, vec![vec![80]]));
}

#[test]
fn variables_begin_as_nothing_in_every_call() {
    let mut program = ProgramBuilder::new(1);
    let mut f = FunctionBuilder::new("fresh", &[], Some(Type::Int));
    let (number, set) = (f.local(Type::Int), f.local(Type::Set));
    let seen = f.var(Type::Int, number.get() * 100 + set.get().len());
    f.set(number, 5);
    f.set(set, sites(&[1, 2]));
    f.give(seen);
    let fresh = program.function(f.finish());
    let (checked, f) = only(program, 0, |f| {
        f.count(0, 3, |f, _| f.eval(fresh.call(vec![])));
        f.give(fresh.call(vec![]));
    });
    assert_eq!(run(&checked, &Memory::default(), f, &[], 0).0, 0);
    assert_eq!(run(&checked, &Memory::default(), fresh, &[], 0).0, 0);
}

#[test]
fn blocks_go_on_with_one_another() {
    // From 7 down to 1 and up to 16 in powers, with a loop that is left.
    let write = |f: &mut FunctionBuilder| {
        let (n, sum) = (f.param(0), f.local(Type::Int));
        let add = |f: &mut FunctionBuilder| f.set(sum, sum.get() * 10 + n);
        let first = f.block(|f| {
            f.when(n.get().equals(1), |f| f.push(Stmt::Go(2)));
            add(f);
        });
        let second = f.block(|f| {
            f.count(0, 5, |f, _| {
                f.set(n, n.get() - 1);
                f.push(Stmt::Go(0));
            });
        });
        let third = f.block(|f| {
            f.set(n, n.get() * 2);
            f.when(n.get().less(16), |f| f.push(Stmt::Go(2)));
        });
        f.push(Stmt::Blocks(vec![first, second, third]));
        add(f);
        f.give(sum);
    };
    let (checked, f) = only(ProgramBuilder::new(1), 1, write);
    for checked in [checked.simplified(), checked] {
        let empty = Memory::default();
        assert_eq!(run(&checked, &empty, f, &[4], 100), (432 * 10 + 16, empty.clone(), 94));
        // Where the budget is spent the blocks are left.
        assert_eq!(run(&checked, &empty, f, &[4], 6), (432 * 10 + 16, empty.clone(), 0));
        assert_eq!(run(&checked, &empty, f, &[4], 5), (432 * 10 + 8, empty.clone(), 0));
        assert_eq!(run(&checked, &empty, f, &[4], 0), (4 * 10 + 3, empty.clone(), 0));
    }
}

#[test]
fn draws_are_those_of_the_generator() {
    let draws = |words: usize, state: &[u64], end: i32| {
        let mut program = ProgramBuilder::new(words);
        let generator = program.sets("generator", Access::Write);
        let (checked, f) = only(program, 1, |f| f.give(generator.draw(f.param(0))));
        let memory = Memory { sets: vec![state.to_vec()], ..Memory::default() };
        let (drawn, memory, _) = run(&checked, &memory, f, &[end], 0);
        (drawn, memory.sets.concat())
    };
    // The first outputs from the state 1, 2, 3, 4 are 41943041, 58720359, 3588806011781223.
    assert_eq!(draws(1, &[1, 2, 3, 4], MAX), (0, vec![7, 0, 262_146, 6 << 45]));
    let state = [7, 0, 262_146, 6 << 45];
    let random = 3_588_806_011_781_223_u64;
    let (_, second) = draws(1, &state, 1);
    let (third, _) = draws(2, &second, MAX);
    assert_eq!(third, ((u128::from(random) * MAX as u128) >> 64) as i32);
    // What is not above the threshold is drawn again: 2^64 is no multiple of 3, and 0 is drawn once
    // more.
    let (drawn, after) = draws(1, &[0, 1, 1, 0], 3);
    assert_eq!((drawn, after), draws(1, &draws(1, &[0, 1, 1, 0], 1).1, 3));
    assert_eq!(draws(1, &[0; 4], 3), (0, vec![0; 4]));
    // No number is below 0; four words make a generator.
    for (words, state, end) in [
        (1, &[1, 2, 3, 4][..], 0),
        (1, &[1, 2, 3, 4], MIN),
        (1, &[1, 2, 3], 5),
        (3, &[1, 2, 3, 4], 5),
    ] {
        assert_eq!(draws(words, state, end), (0, state.to_vec()));
    }
}

#[test]
fn panics_of_the_host_go_on() {
    let mut program = ProgramBuilder::new(1);
    let host = program.host("host", 0);
    let (checked, f) = only(program, 0, |f| {
        f.count(0, 10, |f, _| f.eval(host.call(vec![])));
    });
    let memory = Memory { patience: Some(3), ..Memory::default() };
    let unwound =
        std::panic::catch_unwind(|| run(&checked, &memory, f, &[], 0)).expect_err("it panics");
    assert_eq!(unwound.downcast_ref(), Some(&3_usize));
    let memory = Memory { patience: None, ..memory };
    assert_eq!(run(&checked, &memory, f, &[], 0).1.calls.len(), 10);
}

#[test]
#[should_panic(expected = "only has parameters [Int]")]
fn entry_points_are_asked_for_their_arguments() {
    let (checked, f) = only(ProgramBuilder::new(1), 1, |_| ());
    run(&checked, &Memory::default(), f, &[], 0);
}

/// Hosts may run programs while they are called.
#[test]
fn runs_within_runs() {
    struct Nested<'a>(&'a kernel::Checked, u32);
    impl kernel::Host for Nested<'_> {
        fn call(&mut self, _: kernel::ir::HostId, arguments: &[i32]) -> i32 {
            let mut inner = Nested(self.0, self.1 + 1);
            self.0.interpret(&mut inner, kernel::ir::FunctionId(0), &[arguments[0] - 1], &mut 0)
        }
    }
    let mut program = ProgramBuilder::new(1);
    let host = program.host("again", 1);
    let mut f = FunctionBuilder::new("factorial", &[Type::Int], Some(Type::Int));
    let n = f.param(0);
    let less = host.call(vec![n.get()]);
    f.give(n.get().choose(n.get() * less, 1));
    program.function(f.finish());
    let checked = check(program.finish(), 100).expect("it can run");
    let mut host = Nested(&checked, 0);
    assert_eq!(checked.interpret(&mut host, kernel::ir::FunctionId(0), &[6], &mut 0), 720);
}
