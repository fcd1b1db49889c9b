//! Programs in print.

use expect_test::{Expect, expect};
use kernel::build::{CodeBuilder, FunctionBuilder, ProgramBuilder};
use kernel::check;
use kernel::ir::{Access, Expr, Stmt, Type};

/// A program with one of everything.
fn everything() -> ProgramBuilder {
    let mut program = ProgramBuilder::new(2);
    let counts = program.ints("counts", Access::Write);
    let fixed = program.ints("fixed", Access::Read);
    let layers = program.sets("layers", Access::Write);
    program.sets("fixed", Access::Read);
    let table = program.table([1, 2, 3]);
    let masks = program.set_table([1, 0, 3, 3]);
    let draw = program.host("draw", 1);

    let mut f = FunctionBuilder::new("moves of a piece", &[Type::Set, Type::Int], Some(Type::Set));
    let (empty, from) = (f.param(0), f.param(1));
    let to = f.var(Type::Set, masks.at(from) & empty);
    f.when(to.get().is_empty(), |f| f.give(Expr::NoSites));
    f.give(to.get().without(Expr::single(from)) | (layers.at(1) ^ layers.at(table.at(2))));
    let moves = program.function(f.finish());

    let mut f = FunctionBuilder::new("note", &[Type::Int], None);
    f.store(counts, 0, counts.at(0) + f.param(0));
    f.quit();
    let note = program.function(f.finish());

    let mut f = FunctionBuilder::new("play", &[Type::Int], Some(Type::Int));
    let player = f.param(0);
    let ends = f.var(Type::Set, moves.call(vec![layers.at(0), player.get()]));
    let rank = draw.call(vec![ends.get().len()]);
    let site = f.var(Type::Int, ends.get().nth(rank));
    f.either(
        site.get().at_least(0).and(!fixed.at(player)),
        |f| f.store_set(layers, 1, layers.at(1) | Expr::single(site)),
        |f| {
            f.either(
                ends.get().contains(site),
                |f| f.call(note, vec![Expr::Int(-1)]),
                |f| {
                    f.eval(draw.call(vec![-player.get() * (site.get() - 3).abs()]));
                },
            );
        },
    );
    f.for_each(ends, |f, end| {
        f.count(0, end.get().rest(7).max(2), |f, _| {
            f.repeat(counts.at(1).differs(0).or(end.get().less(5)), |f| {
                f.store(counts, 1, counts.at(1) - 1);
                f.when(1, |f| f.leave(2));
                f.leave(1);
            });
        });
    });
    let wait = f.block(|f| f.when(site.get().less(3), |f| f.push(Stmt::Go(1))));
    let again = f.block(|f| {
        f.set(site, layers.draw(9));
        f.push(Stmt::Go(0));
    });
    f.push(Stmt::Blocks(vec![wait, again]));
    let last = ends
        .get()
        .after(vec![Stmt::Set(site, site.get().shifted_right(2)), Stmt::Set(ends, layers.at(0))]);
    f.give(last.is_subset(layers.at(0)).choose(site, Expr::Int(7).min(counts.at(2))));
    program.function(f.finish());
    program
}

fn printed(program: ProgramBuilder, expected: Expect) {
    let program = program.finish();
    expected.assert_eq(&program.to_string());
    check(program, 1_000).expect("it can run");
}

#[test]
fn one_of_everything() {
    printed(
        everything(),
        expect![[r#"
        sets of 2 words
        counts: [int], written
        fixed.1: [int]
        layers: [set], written
        fixed.3: [set]
        table0: 3 constant ints
        sets0: 2 constant sets
        host::draw: 1 arguments

        fn moves_of_a_piece(s0: set, n1: int) -> set {
            let s2: set
            s2 = sets0[n1] & s0
            if s2.is_empty() {
                return none
            }
            return (s2 \ one(n1)) | (layers[1] ^ layers[table0[2]])
        }

        fn note(n0: int) {
            counts[0] = counts[0] + n0
            return
        }

        fn play(n0: int) -> int {
            let s1: set, n2: int, n3: int, n4: int
            s1 = moves_of_a_piece(layers[0], n0)
            n2 = s1.nth(host::draw(s1.len()))
            if (n2 >= 0) && !fixed.1[n0] {
                layers[1] = layers[1] | one(n2)
            } else if s1.contains(n2) {
                note(-1)
            } else {
                _ = host::draw(-n0 * abs(n2 - 3))
            }
            for n3 in s1 {
                for n4 in 0..max(n3 % 7, 2) {
                    while (counts[1] != 0) || (n3 < 5) {
                        counts[1] = counts[1] - 1
                        if 1 {
                            break 2
                        }
                        break
                    }
                }
            }
            blocks {
                0: {
                    if n2 < 3 {
                        go 1
                    }
                }
                1: {
                    n2 = draw(layers, 9)
                    go 0
                }
            }
            return if {
                n2 = n2 >>> 2
                s1 = layers[0]
                s1
            }.is_subset(layers[0]) { n2 } else { min(7, counts[2]) }
        }
    "#]],
    );
}
