//! Programs before and after they are made simpler.

use expect_test::{Expect, expect};
use kernel::build::{CodeBuilder, FunctionBuilder, ProgramBuilder};
use kernel::check;
use kernel::ir::{Access, Expr, Type};

/// The function that `write` writes, simpler: with an array of numbers and a function of the host.
fn simpler(write: impl FnOnce(&mut FunctionBuilder, Names), expected: Expect) {
    let mut program = ProgramBuilder::new(1);
    let names = Names {
        counts: program.ints("counts", Access::Write),
        layers: program.sets("layers", Access::Write),
        table: program.table([5, 0]),
        masks: program.set_table([5, 0]),
        host: program.host("host", 1),
    };
    let mut f = FunctionBuilder::new("f", &[Type::Int, Type::Set], Some(Type::Int));
    write(&mut f, names);
    program.function(f.finish());
    let checked = check(program.finish(), 1_000).expect("it can run").simplified();
    let text = checked.program().to_string();
    let function = text.find("fn f").expect("the function is printed");
    expected.assert_eq(&text[function..]);
}

struct Names {
    counts: kernel::ir::Ints,
    layers: kernel::ir::Sets,
    table: kernel::ir::Table,
    masks: kernel::ir::SetTable,
    host: kernel::ir::HostId,
}

#[test]
fn constants() {
    simpler(
        |f, names| {
            let never = f.local(Type::Int);
            let nowhere = f.local(Type::Set);
            let x = f.param(0).get();
            f.store(names.counts, Expr::Int(2) * 3 + names.table.at(0), (x.clone() + 0) * 1);
            f.store(names.counts, never, Expr::Int(7) - never);
            f.store(names.counts, names.table.at(9), Expr::Int(3) + x.clone());
            f.store_set(names.layers, 0, f.param(1).get() | nowhere);
            f.store_set(names.layers, 1, names.masks.at(1) | Expr::single(64) | f.param(1));
            f.store_set(names.layers, 2, names.masks.at(0) & nowhere);
            f.give(x.and_bits(0) + nowhere.get().len());
        },
        expect![[r#"
            fn f(n0: int, s1: set) -> int {
                counts[11] = n0
                counts[0] = 7
                counts[0] = n0 + 3
                layers[0] = s1
                layers[1] = s1
                layers[2] = none
                return 0
            }
        "#]],
    );
}

#[test]
fn conditions() {
    simpler(
        |f, names| {
            let x = f.param(0).get();
            f.when(Expr::Int(0).or(x.clone().differs(0)), |f| f.store(names.counts, 1, 1));
            f.when(!!x.clone(), |f| f.store(names.counts, 2, 1));
            f.when(!x.clone().less(3), |f| f.store(names.counts, 3, 1));
            f.either(x.clone().equals(4), |_| (), |f| f.store(names.counts, 4, 1));
            f.either(Expr::Int(1).and(1), |f| f.store(names.counts, 5, 1), |f| f.give(9));
            f.store(names.counts, 6, x.clone().choose(1, 0));
            f.store(names.counts, 7, x.clone().choose(x.clone(), x.clone()));
            f.store(names.counts, 8, x.clone().and(1));
            // The host is asked all the same.
            f.store(names.counts, 9, names.host.call(vec![x.clone()]).and(0));
            f.repeat(x.less(2).and(0), |f| f.give(1));
        },
        expect![[r#"
            fn f(n0: int, s1: set) -> int {
                if n0 {
                    counts[1] = 1
                }
                if n0 {
                    counts[2] = 1
                }
                if n0 >= 3 {
                    counts[3] = 1
                }
                if n0 != 4 {
                    counts[4] = 1
                }
                counts[5] = 1
                counts[6] = n0 != 0
                counts[7] = n0
                counts[8] = n0 != 0
                counts[9] = host::host(n0) && 0
            }
        "#]],
    );
}

#[test]
fn dead_code() {
    simpler(
        |f, names| {
            let x = f.param(0).get();
            let unread = f.var(Type::Int, names.counts.at(0));
            let chain = f.var(Type::Int, x.clone());
            let end = f.var(Type::Int, chain.get() + 1);
            f.set(end, end.get());
            let asked = f.var(Type::Int, names.host.call(vec![x.clone()]));
            let kept = f.var(Type::Int, x.clone() * 2);
            f.set(unread, 3);
            f.eval(names.counts.at(1) + 4);
            f.for_each(Expr::NoSites, |f, site| f.store(names.counts, site, asked));
            f.count(3, 3, |f, i| f.store(names.counts, i, 1));
            f.repeat(1, |f| {
                f.leave(1);
                f.store(names.counts, 0, 1);
            });
            f.give(kept);
            f.give(chain);
        },
        expect![[r#"
            fn f(n0: int, s1: set) -> int {
                let n2: int
                _ = host::host(n0)
                n2 = n0 * 2
                while 1 {
                    break
                }
                return n2
            }
        "#]],
    );
}

#[test]
fn calls_written_out() {
    let mut program = ProgramBuilder::new(1);
    let counts = program.ints("counts", Access::Write);
    // Small: it is written wherever it is called, with what is known there.
    let mut f = FunctionBuilder::new("small", &[Type::Int, Type::Int], Some(Type::Int));
    let (x, y) = (f.param(0).get(), f.param(1).get());
    f.when(y.clone().equals(0), |f| f.give(x.clone()));
    f.give(x + y);
    let small = program.function(f.finish());
    // Called once, in a loop, where its variable begins anew.
    let mut f = FunctionBuilder::new("once", &[Type::Int], None);
    let sum = f.local(Type::Int);
    f.count(0, 3, |f, i| f.set(sum, sum.get() + i));
    f.store(counts, f.param(0).get(), sum);
    let once = program.function(f.finish());
    let mut f = FunctionBuilder::new("play", &[Type::Int], Some(Type::Int));
    let x = f.param(0).get();
    f.count(0, 2, |f, i| f.call(once, vec![i.get()]));
    f.give(small.call(vec![x.clone(), Expr::Int(0)]) + small.call(vec![Expr::Int(1), x]));
    let play = program.function(f.finish());
    let checked = check(program.finish(), 1_000).expect("it can run");
    let text = checked.inlined(&[play]).simplified().program().to_string();
    let functions = text.find("fn ").expect("the function is printed");
    expect![[r#"
        fn play(n0: int) -> int {
            let n1: int, n2: int, n3: int, n4: int, n5: int
            for n1 in 0..2 {
                n2 = 0
                n3 = 0
                for n3 in 0..3 {
                    n2 = n2 + n3
                }
                counts[n1] = n2
            }
            return {
                blocks {
                    0: {
                        n4 = n0
                        go 1
                    }
                    1: {}
                }
                n4
            } + {
                blocks {
                    0: {
                        if !n0 {
                            n5 = 1
                            go 1
                        }
                        n5 = n0 + 1
                    }
                    1: {}
                }
                n5
            }
        }
    "#]]
    .assert_eq(&text[functions..]);
}
