//! Faults that the checker refuses, and its words for them.

use expect_test::{Expect, expect};
use kernel::build::{CodeBuilder, FunctionBuilder, ProgramBuilder};
use kernel::ir::{
    Access, Expr, FunctionId, HostId, Ints, Local, SetTable, Sets, Stmt, Table, Type,
};
use kernel::{MAX_NESTING, check};

use crate::tests::common::{Memory, run};

fn refused(program: ProgramBuilder, expected: Expect) {
    let fault = check(program.finish(), 10_000).expect_err("it cannot run");
    expected.assert_eq(&fault.to_string());
}

/// A program with one of everything, and a second function of which the body is given.
fn body(statements: Vec<Stmt>, expected: Expect) {
    let mut program = ProgramBuilder::new(2);
    program.ints("read", Access::Read);
    program.sets("read", Access::Read);
    program.table([1]);
    program.set_table([1, 2]);
    program.host("host", 2);
    let callee = FunctionBuilder::new("callee", &[Type::Int, Type::Set], Some(Type::Int));
    program.function(callee.finish());
    program.function(FunctionBuilder::new("procedure", &[], None).finish());
    let mut caller = FunctionBuilder::new("caller", &[Type::Int], Some(Type::Int));
    caller.local(Type::Set);
    for statement in statements {
        caller.push(statement);
    }
    program.function(caller.finish());
    refused(program, expected);
}

const NUMBER: Local = Local(0);
const SET: Local = Local(1);

fn int() -> Expr {
    Expr::Int(0)
}

#[test]
fn types() {
    let say = expect!["function 2 (caller), body[0].value.second: Int is wanted, Set found"];
    body(vec![Stmt::Set(NUMBER, NUMBER.get() + SET)], say);
    let say = expect!["function 2 (caller), body[1].value: Set is wanted, Int found"];
    body(vec![Stmt::Eval(int()), Stmt::Set(SET, int())], say);
    let say = expect!["function 2 (caller), body[0].value.else: Int is wanted, Set found"];
    body(vec![Stmt::Eval(int().choose(1, Expr::NoSites))], say);
    let say = expect!["function 2 (caller), body[0]: Int is wanted, Set found"];
    body(vec![Stmt::ForEach(SET, Expr::NoSites, vec![])], say);
    let say = expect!["function 2 (caller), body[0].value.argument[1]: Set is wanted, Int found"];
    body(vec![Stmt::Eval(FunctionId(0).call(vec![int(), int()]))], say);
    let say = expect!["function 2 (caller), body[0].value: Int is wanted, Set found"];
    body(vec![Stmt::Return(Some(SET.get()))], say);
    let say = expect![
        "function 2 (caller), body[0]: `Return` has a value where the function has no result, or \
         none where it has one"
    ];
    body(vec![Stmt::Return(None)], say);
}

#[test]
fn numbers_of_things() {
    let missing = |value: Expr, expected: Expect| body(vec![Stmt::Eval(value)], expected);
    let say = expect!["function 2 (caller), body[0].value: there is no variable 2"];
    missing(Local(2).get(), say);
    let say = expect!["function 2 (caller), body[0].value: there is no array of numbers 1"];
    missing(Ints(1).at(0), say);
    let say = expect!["function 2 (caller), body[0].value: there is no array of sets 1"];
    missing(Sets(1).at(0), say);
    let say = expect!["function 2 (caller), body[0].value: there is no table of numbers 1"];
    missing(Table(1).at(0), say);
    let say = expect!["function 2 (caller), body[0].value: there is no table of sets 1"];
    missing(SetTable(1).at(0), say);
    let say = expect!["function 2 (caller), body[0].value: there is no host function 1"];
    missing(HostId(1).call(vec![]), say);
    let say =
        expect!["function 2 (caller), body[0].value: 1 arguments are given where 2 are wanted"];
    missing(HostId(0).call(vec![int()]), say);
}

#[test]
fn calls() {
    let say = expect![
        "function 2 (caller), body[0].value: function 2 is called, which does not stand before \
         the caller"
    ];
    body(vec![Stmt::Eval(FunctionId(2).call(vec![int()]))], say);
    let say =
        expect!["function 2 (caller), body[0].value: 0 arguments are given where 2 are wanted"];
    body(vec![Stmt::Eval(FunctionId(0).call(vec![]))], say);
    let say = expect![
        "function 2 (caller), body[0].value: a function without a result is called for its value"
    ];
    body(vec![Stmt::Eval(FunctionId(1).call(vec![]))], say);
    let say = expect![
        "function 2 (caller), body[0]: a function with a result is called by a statement; \
         evaluate it instead"
    ];
    body(vec![Stmt::Call(FunctionId(0), vec![int(), Expr::NoSites])], say);
}

#[test]
fn loops_and_writes() {
    let say = expect!["function 2 (caller), body[0]: 1 loops are left where there are 0"];
    body(vec![Stmt::Break(1)], say);
    let say = expect!["function 2 (caller), body[0].loop[0]: 2 loops are left where there are 1"];
    body(vec![Stmt::While(int(), vec![Stmt::Break(2)])], say);
    let say = expect!["function 2 (caller), body[0].loop[0]: 0 loops are left where there are 1"];
    body(vec![Stmt::While(int(), vec![Stmt::Break(0)])], say);
    let say =
        expect!["function 2 (caller), body[0].from.after[0]: 1 loops are left where there are 0"];
    body(vec![Stmt::For(NUMBER, int().after(vec![Stmt::Break(1)]), int(), vec![])], say);
    let say = expect!["function 2 (caller), body[0]: block 0 is gone to where there are 0"];
    body(vec![Stmt::Go(0)], say);
    let say = expect![
        "function 2 (caller), body[0].block[0].body[0].block[1].body[0]: block 2 is gone to where \
         there are 2"
    ];
    let inner = Stmt::Blocks(vec![vec![], vec![Stmt::Go(2)]]);
    body(vec![Stmt::Blocks(vec![vec![inner], vec![], vec![]])], say);
    let say = expect![
        "function 2 (caller), body[0].block[0].body[1]: block 1 is gone to where there are 1"
    ];
    body(vec![Stmt::Blocks(vec![vec![Stmt::Blocks(vec![vec![], vec![]]), Stmt::Go(1)]])], say);
    let say = expect!["function 2 (caller), body[0].value: an array that is only read is written"];
    body(vec![Stmt::Eval(Sets(0).draw(int()))], say);
    let say = expect!["function 2 (caller), body[0]: an array that is only read is written"];
    body(vec![Stmt::Store(Ints(0), int(), int())], say);
    let say = expect!["function 2 (caller), body[0]: an array that is only read is written"];
    body(vec![Stmt::Clear(Ints(0), 1)], say);
    let say = expect!["function 2 (caller), body[0]: an array that is only read is written"];
    body(vec![Stmt::CopyInts(Ints(0), Ints(0), 1)], say);
    let say = expect!["function 2 (caller), body[0]: there is no array of sets 1"];
    body(vec![Stmt::CopySets(Sets(1), Sets(9), 1)], say);
    let say =
        expect!["function 2 (caller), body[0].then[0]: an array that is only read is written"];
    let store = Stmt::StoreSet(Sets(0), int(), Expr::NoSites);
    body(vec![Stmt::If(int(), vec![store], vec![])], say);
}

#[test]
fn sizes() {
    refused(
        ProgramBuilder::new(0),
        expect!["program: sets have 0 words; they must have from 1 to 64"],
    );
    refused(
        ProgramBuilder::new(65),
        expect!["program: sets have 65 words; they must have from 1 to 64"],
    );
    let mut program = ProgramBuilder::new(2);
    program.set_table([1, 2, 3]);
    let say = expect!["program: table of sets 0 has 3 words, which is no multiple of 2"];
    refused(program, say);
    let mut function = FunctionBuilder::new("f", &[], None).finish();
    function.params = 1;
    let mut program = ProgramBuilder::new(2);
    program.function(function);
    refused(program, expect!["function 0 (f): it has 1 parameters but 0 variables"]);
    let mut program = ProgramBuilder::new(1);
    let mut f = FunctionBuilder::new("long", &[], None);
    for _ in 0..5_000 {
        f.eval(0);
    }
    program.function(f.finish());
    let say = expect!["function 0 (long), body[4999].value: the program has more than 10000 nodes"];
    refused(program, say);
}

/// Exactly so deep is still fine, on the stack of a test thread too, whatever is nested.
#[test]
fn nesting() {
    let deep = |wrap: &dyn Fn(Expr) -> Expr, levels: usize| {
        let mut program = ProgramBuilder::new(1);
        let mut f = FunctionBuilder::new("deep", &[Type::Int], Some(Type::Int));
        f.param(0);
        // The statement is one level, its value the next.
        f.give((2..levels).fold(Expr::Get(Local(0)), |e, _| wrap(e)));
        let function = program.function(f.finish());
        (program.finish(), function)
    };
    let wraps: [&dyn Fn(Expr) -> Expr; 6] = [
        &|e| Expr::Int(1) + e,
        &|e| (Expr::single(e) | Expr::NoSites).len(),
        &|e| e.choose(Local(0), 3),
        &|e| Expr::Int(3).choose(Local(0), e),
        &|e| int().after(vec![Stmt::Set(Local(0), e)]),
        &|e| int().after(vec![Stmt::While(e, vec![Stmt::Break(1)])]),
    ];
    for (number, wrap) in wraps.into_iter().enumerate() {
        // How many levels one step makes.
        let step = [1, 3, 1, 1, 2, 2][number];
        let levels = 2 + (MAX_NESTING - 2) / step;
        let (program, function) = deep(wrap, levels);
        assert!(!program.to_string().is_empty());
        let checked = check(program, 10_000).expect("it can run").simplified();
        run(&checked, &Memory::default(), function, &[5], 1_000_000);
        let fault = check(deep(wrap, levels + 1).0, 10_000).expect_err("too deep");
        assert!(fault.to_string().ends_with("nested deeper than 200"), "{fault}");
    }
    assert!(check(deep(wraps[0], 4_000).0, 10_000).is_err());
}

/// A chain of calls whose variables together are too many.
#[test]
fn registers() {
    let mut program = ProgramBuilder::new(64);
    for number in 0..30_u32 {
        let mut f = FunctionBuilder::new("wide", &[], None);
        for _ in 0..4_000 {
            f.local(Type::Set);
        }
        if number > 0 {
            f.call(FunctionId(number - 1), vec![]);
        }
        program.function(f.finish());
    }
    let fault = check(program.finish(), usize::MAX).expect_err("too many");
    expect![
        "function 16 (wide): its variables and those of what it calls take more than 4194304 \
        registers"
    ]
    .assert_eq(&fault.to_string());
}
