//! Duties of machine code alone: panics, threads, refusals.

use std::panic::{AssertUnwindSafe, catch_unwind};

use expect_test::expect;
use kernel::build::{CodeBuilder, FunctionBuilder, ProgramBuilder};
use kernel::ir::{Access, Expr, FunctionId, Stmt, Type};
use kernel::{Native, check};

use crate::tests::common::{Memory, only, run};

/// The host panics in the middle of loops and calls: nothing more is done, and what it panicked
/// with goes on.
#[test]
fn panics_of_the_host_go_on() {
    let mut program = ProgramBuilder::new(1);
    let host = program.host("host", 1);
    let numbers = program.ints("numbers", Access::Write);
    let mut f = FunctionBuilder::new("inner", &[Type::Int], Some(Type::Set));
    f.store(numbers, 0, numbers.at(0) + 1);
    f.eval(host.call(vec![f.param(0).get()]));
    f.store(numbers, 0, numbers.at(0) + 10);
    f.give(Expr::single(3));
    let inner = program.function(f.finish());
    let (checked, f) = only(program, 0, |f| {
        f.repeat(1, |f| {
            f.count(0, 4, |f, i| {
                f.for_each(inner.call(vec![i.get()]), |f, site| f.store(numbers, 1, site));
                f.store(numbers, 2, i);
            });
        });
    });
    let native = Native::new(&checked).expect("there is machine code");
    for patience in 0..12 {
        let memory =
            Memory { ints: vec![vec![0; 3]], patience: Some(patience), ..Memory::default() };
        let (mut left, mut other_left) = (100, 100);
        let (mut after, mut other) = (memory.clone(), memory);
        let unwound = catch_unwind(AssertUnwindSafe(|| {
            native.run(&mut after, f, &[], &mut left);
        }));
        assert_eq!(unwound.expect_err("it panics").downcast_ref(), Some(&patience));
        let unwound = catch_unwind(AssertUnwindSafe(|| {
            checked.interpret(&mut other, f, &[], &mut other_left);
        }));
        assert_eq!(unwound.expect_err("it panics").downcast_ref(), Some(&patience));
        assert_eq!((after, left), (other, other_left));
    }
}

/// An array that is shorter than the host has promised is refused, before code runs and after a
/// call.
#[test]
fn promises_are_kept() {
    let mut program = ProgramBuilder::new(1);
    let host = program.host("host", 0);
    let numbers = program.ints_of("numbers", Access::Write, 2);
    program.sets_of("unused", Access::Write, 9);
    let (checked, f) = only(program, 0, |f| {
        f.store(numbers, 1, 7);
        f.eval(host.call(vec![]));
        f.give(numbers.at(1));
    });
    let native = Native::new(&checked).expect("there is machine code");
    let outcome = |memory: &Memory| {
        let runs = [true, false].map(|as_code| {
            let (mut memory, mut budget) = (memory.clone(), 0);
            catch_unwind(AssertUnwindSafe(|| {
                if as_code {
                    native.run(&mut memory, f, &[], &mut budget)
                } else {
                    checked.interpret(&mut memory, f, &[], &mut budget)
                }
            }))
            .map_err(|panic| panic.downcast_ref::<String>().cloned())
        });
        let [native, interpreted] = runs;
        assert_eq!(native, interpreted);
        native
    };
    let of =
        |numbers: Vec<i32>| Memory { ints: vec![numbers], sets: vec![vec![]], ..Memory::default() };
    assert_eq!(outcome(&of(vec![0; 2])), Ok(7));
    let refused =
        |entries| Err(Some(format!("array 0 has {entries} entries of 2 that were promised")));
    assert_eq!(outcome(&of(vec![0; 1])), refused(1));
    assert_eq!(outcome(&Memory { read_only: true, ..of(vec![0; 5]) }), refused(0));
    // A call leaves one entry of five.
    assert_eq!(outcome(&Memory { moves: true, ..of(vec![0; 6]) }), refused(1));
}

/// Rows that are run one after the other are what they are if each is run by itself.
#[test]
fn rows_are_runs() {
    let mut program = ProgramBuilder::new(1);
    let host = program.host("host", 1);
    let numbers = program.ints_of("numbers", Access::Write, 2);
    let mut f = FunctionBuilder::new("calls", &[], Some(Type::Int));
    f.give(host.call(vec![numbers.at(1)]));
    let calls = program.function(f.finish());
    let (checked, f) = only(program, 0, |f| {
        f.repeat(numbers.at(0).less(numbers.at(1)), |f| f.store(numbers, 0, numbers.at(0) + 1));
        f.give(numbers.at(0) + calls.call(vec![]));
    });
    let native = Native::new(&checked).expect("there is machine code");
    let rows = [[0, 5], [7, 2], [0, 900], [1, 9]].map(|row: [i32; 2]| row.to_vec());
    let of = |row: &Vec<i32>| Memory { ints: vec![row.clone()], ..Memory::default() };
    let alone = rows.each_ref().map(|row| {
        let mut memory = of(row);
        let result = native.run(&mut memory, f, &[], &mut { 100 });
        (result, memory.ints)
    });
    let (mut memory, mut left, mut found) = (Memory::default(), rows.iter(), Vec::new());
    native.run_rows(&mut memory, f, 100, |memory, result| {
        found.extend(result.map(|result| (result, memory.ints.clone())));
        left.next().map(|row| memory.ints = of(row).ints).is_some()
    });
    assert_eq!(found, alone);
    assert_eq!(checked.hosts_called(f).len(), 1);
    let mut quiet = ProgramBuilder::new(1);
    quiet.host("host", 1);
    let (checked, f) = only(quiet, 0, |f| f.give(3));
    assert!(checked.hosts_called(f).is_empty());
}

#[test]
fn threads_share_code() {
    let mut program = ProgramBuilder::new(2);
    let numbers = program.ints("numbers", Access::Write);
    let (checked, f) = only(program, 1, |f| {
        f.repeat(numbers.at(0).less(f.param(0)), |f| f.store(numbers, 0, numbers.at(0) + 1));
        f.give(numbers.at(0) * 2);
    });
    let native = Native::new(&checked).expect("there is machine code");
    drop(checked);
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let native = &native;
            scope.spawn(move || {
                for end in 0..200 {
                    let mut memory = Memory { ints: vec![vec![0]], ..Memory::default() };
                    let mut budget = 1_000_000;
                    let result = native.run(&mut memory, f, &[end + thread], &mut budget);
                    assert_eq!(result, 2 * (end + thread));
                    assert_eq!(budget, 1_000_000 - (end + thread) as u32);
                }
            });
        }
    });
}

#[test]
fn reasons() {
    let refused = |program: ProgramBuilder| {
        let checked = check(program.finish(), 1_000_000).expect("it can run");
        Native::new(&checked).expect_err("there is no machine code").to_string()
    };
    expect!["sets have 9 words, machine code is made for at most 8"]
        .assert_eq(&refused(ProgramBuilder::new(9)));
    let mut program = ProgramBuilder::new(6);
    for _ in 0..100 {
        program.ints("numbers", Access::Read);
        program.sets("sets", Access::Read);
    }
    expect!["there are 200 arrays, machine code is made for at most 128"]
        .assert_eq(&refused(program));
    // Calls one within the other, each with a frame of 16 kB for arguments of the host.
    let mut program = ProgramBuilder::new(6);
    let host = program.host("host", 4_000);
    for number in 0..40_u32 {
        let mut f = FunctionBuilder::new("wide", &[], Some(Type::Int));
        if number > 0 {
            f.eval(FunctionId(number - 1).call(vec![]));
        }
        f.give(host.call(vec![Expr::Int(0); 4_000]));
        program.function(f.finish());
    }
    let refused = refused(program);
    assert!(refused.starts_with("function wide and what it calls take "), "{refused}");
    assert!(refused.ends_with(" bytes of stack, more than 524288"), "{refused}");
}

#[test]
fn empty_programs() {
    let checked = check(ProgramBuilder::new(1).finish(), 0).expect("it can run");
    assert_eq!(Native::new(&checked).expect("there is machine code").bytes(), 0);
}

/// The test that a fact from a condition on a number is forgotten behind a branch that writes the
/// number.
#[test]
fn branches_that_go_on_may_write() {
    let mut program = ProgramBuilder::new(1);
    let table = program.table([5, 6, 7]);
    let (checked, f) = only(program, 2, |f| {
        let [number, other] = [0, 1].map(|param| f.param(param));
        let inside = number.get().at_least(0).and(number.get().less(3));
        let written = f.block(|f| f.set(number, other));
        let left = f.block(|f| f.give(-1));
        f.push(Stmt::If(inside, written, left));
        f.when(number.get().at_least(3), |f| f.give(-2));
        f.give(table.at(number));
    });
    for (arguments, expected) in [([1, 2], 7), ([1, 3], -2), ([3, 1], -1), ([2, i32::MIN], 0)] {
        assert_eq!(run(&checked, &Memory::default(), f, &arguments, 0).0, expected);
    }
}

/// Conditions, masks and sites that are known take no instructions, and mean what they say.
#[test]
fn what_is_known_takes_no_instructions() {
    let bytes = |is_known: bool| {
        let mut program = ProgramBuilder::new(1);
        let board = program.set_table([0o777u64]);
        let cells = program.ints_of("cells", Access::Write, 9);
        let pieces = program.sets_of("pieces", Access::Write, 1);
        let (checked, f) = only(program, 0, |f| {
            let sites = if is_known { pieces.at(0) & board.at(0) } else { pieces.at(0) };
            f.for_each(sites, |f, site| {
                let inside = site.get().at_least(0).and(site.get().less(9));
                f.when(inside, |f| {
                    let least = cells.at(site).and_bits(7).min(7).and_bits(15);
                    f.store(cells, site, least + 1);
                });
            });
            f.give(cells.at(8));
        });
        let mut memory = Memory { ints: vec![vec![13; 9]], ..Memory::default() };
        memory.sets = vec![vec![0o421]];
        assert_eq!(run(&checked, &memory, f, &[], 0).0, 6);
        Native::new(&checked).expect("there is machine code").bytes()
    };
    assert!(bytes(true) < bytes(false));
}
