//! From programs to what the interpreter runs.

use crate::code::{Code, Op, Routine, Slot, Target};
use crate::ir::{Block, Expr, Function, FunctionId, HostId, Local, Program, Stmt, Type, Unary};
use crate::properties::{contains_after, expr_contains_after, opposite, value_type};

/// A checked program as instructions.
pub(crate) fn lower(program: &Program) -> Code {
    let mut code = Code::default();
    for function in &program.functions {
        let routine = Lowering::function(program, function, &mut code);
        code.routines.push(routine);
    }
    code
}

/// Registers of one kind: variables, then intermediate results as a stack.
#[derive(Clone, Copy, Default)]
struct Registers {
    /// The first one that is free.
    free: usize,
    /// The most registers in use at once, calls included.
    most: usize,
}

impl Registers {
    fn take(&mut self, how_many: usize) -> Slot {
        let first = self.free;
        self.free += how_many;
        self.reach(self.free);
        first as Slot
    }

    fn reach(&mut self, end: usize) {
        self.most = self.most.max(end);
    }
}

/// Places of jumps whose target is not known yet.
type Jumps = Vec<usize>;

/// Blocks that are being written.
#[derive(Default)]
struct Blocks {
    /// The first instruction of each block that has been begun.
    starts: Vec<Target>,
    /// Jumps to each, from before it.
    jumps: Vec<Jumps>,
    /// Jumps out of them all.
    out: Jumps,
}

struct Lowering<'a> {
    program: &'a Program,
    function: &'a Function,
    code: &'a mut Code,
    /// The register of each variable.
    slots: Vec<Slot>,
    ints: Registers,
    sets: Registers,
    /// Jumps out of each loop, outermost first.
    loops: Vec<Jumps>,
    /// The innermost blocks around.
    blocks: Blocks,
    /// True if some value comes after statements, which may write variables that were already read.
    has_after: bool,
}

impl<'a> Lowering<'a> {
    fn function(program: &'a Program, function: &'a Function, code: &'a mut Code) -> Routine {
        let (mut ints, mut sets) = (Registers::default(), Registers::default());
        let mut slots = Vec::with_capacity(function.locals.len());
        let mut params = (0, 0);
        for (number, local) in function.locals.iter().enumerate() {
            if number == function.params {
                params = (ints.free, sets.free);
            }
            slots.push(match local {
                Type::Int => ints.take(1),
                Type::Set => sets.take(program.words),
            });
        }
        let has_more = function.params < function.locals.len();
        // Results need a register even where nothing else does.
        ints.reach(1);
        sets.reach(program.words);
        let start = code.ops.len() as Target;
        let has_after = contains_after(&function.body);
        let (int_locals, set_locals) = (ints.free, sets.free);
        let mut lowering = Lowering {
            program,
            function,
            code,
            slots,
            ints,
            sets,
            loops: Vec::new(),
            blocks: Blocks::default(),
            has_after,
        };
        if has_more {
            if params.0 < int_locals {
                lowering.emit(Op::ClearInts(params.0 as Slot, int_locals as Slot));
            }
            if params.1 < set_locals {
                lowering.emit(Op::ClearSets(params.1 as Slot, set_locals as Slot));
            }
        }
        lowering.block(&function.body);
        match function.result {
            Some(Type::Int) => lowering.emit(Op::Int(0, 0)),
            Some(Type::Set) => lowering.emit(Op::NoSites(0)),
            None => 0,
        };
        lowering.emit(Op::Return);
        Routine { start, ints: lowering.ints.most, sets: lowering.sets.most }
    }

    fn emit(&mut self, op: Op) -> usize {
        self.code.ops.push(op);
        self.code.ops.len() - 1
    }

    fn here(&self) -> Target {
        self.code.ops.len() as Target
    }

    /// Lets jumps go to the next instruction.
    fn land(&mut self, jumps: Jumps) {
        let here = self.here();
        for jump in jumps {
            match &mut self.code.ops[jump] {
                Op::Jump(target)
                | Op::If(_, target)
                | Op::Unless(_, target)
                | Op::IfCompare(_, _, _, target)
                | Op::IfCompareInt(_, _, _, target)
                | Op::NextSite(_, _, target)
                | Op::NextNumber(_, _, target)
                | Op::Spend(target) => *target = here,
                op => unreachable!("{op:?} does not jump"),
            }
        }
    }

    fn block(&mut self, block: &'a Block) {
        for statement in block {
            let free = (self.ints.free, self.sets.free);
            self.statement(statement);
            (self.ints.free, self.sets.free) = free;
        }
    }

    fn statement(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::Set(local, value) => {
                self.value(value, self.type_of(*local), Some(self.slot(*local)));
            }
            Stmt::Store(array, index, value) => {
                let index = self.int_before(index, &[value]);
                let value = self.int(value, None);
                self.emit(Op::Store(*array, index, value));
            }
            Stmt::StoreSet(array, index, value) => {
                let index = self.int_before(index, &[value]);
                let value = self.set(value, None);
                self.emit(Op::StoreSet(*array, index, value));
            }
            Stmt::Clear(array, entries) => {
                self.emit(Op::Clear(*array, *entries));
            }
            Stmt::CopyInts(to, from, entries) => {
                self.emit(Op::CopyInts(*to, *from, *entries));
            }
            Stmt::CopySets(to, from, entries) => {
                self.emit(Op::CopySets(*to, *from, *entries));
            }
            Stmt::Put(array, index, site, there) => {
                let index = self.int_before(index, &[site]);
                let site = self.int(site, None);
                self.emit(Op::Put(*array, index, site, *there));
            }
            Stmt::Eval(value) => match self.type_of_value(value) {
                Type::Int => drop(self.int(value, None)),
                Type::Set => drop(self.set(value, None)),
            },
            Stmt::Call(function, arguments) => drop(self.call(*function, arguments)),
            Stmt::If(condition, then, otherwise) => {
                let to_else = self.branch(condition, false);
                self.block(then);
                if otherwise.is_empty() {
                    self.land(to_else);
                } else {
                    let to_end = self.emit(Op::Jump(0));
                    self.land(to_else);
                    self.block(otherwise);
                    self.land(vec![to_end]);
                }
            }
            Stmt::ForEach(local, set, block) => {
                let left = self.sets.take(self.program.words);
                self.set(set, Some(left));
                self.rounds(Op::NextSite(self.slot(*local), left, 0), block);
            }
            Stmt::For(local, from, to, block) => {
                let counter = self.ints.take(2);
                self.int(from, Some(counter));
                self.int(to, Some(counter + 1));
                self.rounds(Op::NextNumber(self.slot(*local), counter, 0), block);
            }
            Stmt::While(condition, block) => {
                let start = self.here();
                self.loops.push(Jumps::new());
                let mut out = self.branch(condition, false);
                out.push(self.emit(Op::Spend(0)));
                self.block(block);
                self.emit(Op::Jump(start));
                out.extend(self.loops.pop().expect("it was pushed above"));
                self.land(out);
            }
            Stmt::Break(loops) => {
                let jump = self.emit(Op::Jump(0));
                let left = self.loops.len() - *loops as usize;
                self.loops[left].push(jump);
            }
            Stmt::Blocks(blocks) => self.blocks(blocks),
            Stmt::Go(number) => self.go(*number as usize),
            Stmt::Return(value) => {
                if let Some(value) = value {
                    let result = self.function.result.expect("checked");
                    self.value(value, result, Some(0));
                }
                self.emit(Op::Return);
            }
        }
    }

    /// Blocks in order, each of which may go on with another.
    fn blocks(&mut self, blocks: &'a [Block]) {
        let jumps = vec![Jumps::new(); blocks.len()];
        let inner = Blocks { jumps, ..Blocks::default() };
        let outer = std::mem::replace(&mut self.blocks, inner);
        for (number, block) in blocks.iter().enumerate() {
            self.blocks.starts.push(self.here());
            let jumps = std::mem::take(&mut self.blocks.jumps[number]);
            self.land(jumps);
            self.block(block);
        }
        let inner = std::mem::replace(&mut self.blocks, outer);
        self.land(inner.out);
    }

    /// A jump to the start of a block: not forwards it takes 1 of the budget, and leaves all blocks
    /// when that is spent.
    fn go(&mut self, number: usize) {
        if let Some(&start) = self.blocks.starts.get(number) {
            let spend = self.emit(Op::Spend(0));
            self.blocks.out.push(spend);
            self.emit(Op::Jump(start));
        } else {
            let jump = self.emit(Op::Jump(0));
            self.blocks.jumps[number].push(jump);
        }
    }

    /// A loop whose rounds begin with an instruction that leaves it at the end.
    fn rounds(&mut self, next: Op, block: &'a Block) {
        let start = self.emit(next);
        self.loops.push(vec![start]);
        self.block(block);
        self.emit(Op::Jump(start as Target));
        let out = self.loops.pop().expect("it was pushed above");
        self.land(out);
    }

    /// Jumps that are taken where a number is not 0, or where it is 0.
    fn branch(&mut self, condition: &'a Expr, if_true: bool) -> Jumps {
        let free = (self.ints.free, self.sets.free);
        let jumps = match condition {
            Expr::Int(number) => {
                if (*number != 0) == if_true {
                    vec![self.emit(Op::Jump(0))]
                } else {
                    Jumps::new()
                }
            }
            Expr::Unary(Unary::IsZero, value) => self.branch(value, !if_true),
            Expr::Compare(compare, first, second) => {
                let compare = if if_true { *compare } else { opposite(*compare) };
                let first = self.int_before(first, &[second]);
                vec![if let Expr::Int(second) = **second {
                    self.emit(Op::IfCompareInt(compare, first, second, 0))
                } else {
                    let second = self.int(second, None);
                    self.emit(Op::IfCompare(compare, first, second, 0))
                }]
            }
            Expr::Both(first, second) => self.branch_two(first, second, false, if_true),
            Expr::Either(first, second) => self.branch_two(first, second, true, if_true),
            _ => {
                let number = self.int(condition, None);
                let op = if if_true { Op::If(number, 0) } else { Op::Unless(number, 0) };
                vec![self.emit(op)]
            }
        };
        (self.ints.free, self.sets.free) = free;
        jumps
    }

    /// Branches on two conditions, where `decides` is the truth of the first condition that decides
    /// alone.
    fn branch_two(
        &mut self,
        first: &'a Expr,
        second: &'a Expr,
        decides: bool,
        if_true: bool,
    ) -> Jumps {
        let mut jumps = self.branch(first, decides);
        if decides == if_true {
            jumps.extend(self.branch(second, if_true));
            jumps
        } else {
            let taken = self.branch(second, if_true);
            self.land(jumps);
            taken
        }
    }

    fn value(&mut self, value: &'a Expr, of: Type, into: Option<Slot>) -> Slot {
        match of {
            Type::Int => self.int(value, into),
            Type::Set => self.set(value, into),
        }
    }

    /// A number that is used only after others are evaluated.
    fn int_before(&mut self, value: &'a Expr, others: &[&'a Expr]) -> Slot {
        let copy = self.may_change(value, others).then(|| self.ints.take(1));
        self.int(value, copy)
    }

    /// A set that is used only after others are evaluated.
    fn set_before(&mut self, value: &'a Expr, others: &[&'a Expr]) -> Slot {
        let copy = self.may_change(value, others).then(|| self.sets.take(self.program.words));
        self.set(value, copy)
    }

    /// True if the register of a value may be written while others are evaluated: a variable, by
    /// statements.
    fn may_change(&self, value: &Expr, others: &[&Expr]) -> bool {
        let mut variable = value;
        while let Expr::After(_, value) = variable {
            variable = value;
        }
        self.has_after
            && matches!(variable, Expr::Get(_))
            && others.iter().any(|e| expr_contains_after(e))
    }

    /// The register of a number: the given one, or any. That is written last.
    fn int(&mut self, value: &'a Expr, into: Option<Slot>) -> Slot {
        let free = (self.ints.free, self.sets.free);
        // What operands took is free again when the result is written.
        let written = |l: &mut Self, op: &dyn Fn(Slot) -> Op| {
            (l.ints.free, l.sets.free) = free;
            let to = into.unwrap_or_else(|| l.ints.take(1));
            l.emit(op(to));
            to
        };
        match value {
            Expr::Int(number) => written(self, &|to| Op::Int(to, *number)),
            Expr::Get(local) => self.variable(*local, into),
            Expr::Load(array, index) => {
                let index = self.int(index, None);
                written(self, &|to| Op::Load(to, *array, index))
            }
            Expr::Table(table, index) => {
                let index = self.int(index, None);
                written(self, &|to| Op::Table(to, *table, index))
            }
            Expr::Unary(unary, operand) => {
                let operand = self.int(operand, None);
                written(self, &|to| Op::Unary(*unary, to, operand))
            }
            Expr::Binary(binary, first, second) => {
                let first = self.int_before(first, &[second]);
                if let Expr::Int(second) = **second {
                    written(self, &|to| Op::BinaryInt(*binary, to, first, second))
                } else {
                    let second = self.int(second, None);
                    written(self, &|to| Op::Binary(*binary, to, first, second))
                }
            }
            Expr::Compare(compare, first, second) => {
                let first = self.int_before(first, &[second]);
                let second = self.int(second, None);
                written(self, &|to| Op::Compare(*compare, to, first, second))
            }
            Expr::Both(..) | Expr::Either(..) => self.truth(value, into),
            Expr::Choose(condition, then, otherwise) => {
                let to = into.unwrap_or_else(|| self.ints.take(1));
                self.choose(condition, then, otherwise, |l, value| {
                    l.int(value, Some(to));
                });
                to
            }
            Expr::After(block, value) => {
                self.block(block);
                self.int(value, into)
            }
            Expr::Call(function, arguments) => {
                let (result, _) = self.call(*function, arguments);
                self.int_result(result, into)
            }
            Expr::Host(function, arguments) => {
                let result = self.host(*function, arguments);
                self.int_result(result, into)
            }
            Expr::Len(set) => {
                let set = self.set(set, None);
                written(self, &|to| Op::Len(to, set))
            }
            Expr::Last(set) => {
                let set = self.set(set, None);
                written(self, &|to| Op::Last(to, set))
            }
            Expr::IsEmpty(set) => {
                let set = self.set(set, None);
                written(self, &|to| Op::IsEmpty(to, set))
            }
            Expr::Contains(set, site) => {
                let set = self.set_before(set, &[site]);
                let site = self.int(site, None);
                written(self, &|to| Op::Contains(to, set, site))
            }
            Expr::Nth(set, rank) => {
                let set = self.set_before(set, &[rank]);
                let rank = self.int(rank, None);
                written(self, &|to| Op::Nth(to, set, rank))
            }
            Expr::IsSubset(first, second) => {
                let first = self.set_before(first, &[second]);
                let second = self.set(second, None);
                written(self, &|to| Op::IsSubset(to, first, second))
            }
            Expr::Draw(array, end) => {
                let end = self.int(end, None);
                written(self, &|to| Op::Draw(to, *array, end))
            }
            Expr::NoSites
            | Expr::Single(_)
            | Expr::LoadSet(..)
            | Expr::SetTable(..)
            | Expr::Shift(..)
            | Expr::Combine(..) => unreachable!("the checker knows {value:?} for a set"),
        }
    }

    /// The register of a variable, or the given one with a copy of it.
    fn variable(&mut self, local: Local, into: Option<Slot>) -> Slot {
        let from = self.slot(local);
        if let Some(to) = into
            && to != from
        {
            self.emit(Op::Copy(to, from));
        }
        into.unwrap_or(from)
    }

    /// The register of 1 if a condition holds, and else of 0.
    fn truth(&mut self, condition: &'a Expr, into: Option<Slot>) -> Slot {
        let to = into.unwrap_or_else(|| self.ints.take(1));
        let to_false = self.branch(condition, false);
        self.emit(Op::Int(to, 1));
        let to_end = self.emit(Op::Jump(0));
        self.land(to_false);
        self.emit(Op::Int(to, 0));
        self.land(vec![to_end]);
        to
    }

    /// Calls the host; the register of the result.
    fn host(&mut self, function: HostId, arguments: &'a [Expr]) -> Slot {
        let first = self.ints.free as Slot;
        for (index, argument) in arguments.iter().enumerate() {
            let slot = first + index as Slot;
            self.ints.free = slot as usize;
            self.ints.take(1);
            self.int(argument, Some(slot));
        }
        self.ints.free = first as usize;
        let result = self.ints.take(1);
        self.emit(Op::Host(function, first, arguments.len() as u32));
        result
    }

    /// The register of a set: the given one, or any. That is written last.
    fn set(&mut self, value: &'a Expr, into: Option<Slot>) -> Slot {
        let free = (self.ints.free, self.sets.free);
        let written = |l: &mut Self, op: &dyn Fn(Slot) -> Op| {
            (l.ints.free, l.sets.free) = free;
            let to = into.unwrap_or_else(|| l.sets.take(l.program.words));
            l.emit(op(to));
            to
        };
        match value {
            Expr::Get(local) => {
                let from = self.slot(*local);
                if let Some(to) = into
                    && to != from
                {
                    self.emit(Op::CopySet(to, from));
                }
                into.unwrap_or(from)
            }
            Expr::NoSites => written(self, &Op::NoSites),
            Expr::Single(site) => {
                let site = self.int(site, None);
                written(self, &|to| Op::Single(to, site))
            }
            Expr::LoadSet(array, index) => {
                let index = self.int(index, None);
                written(self, &|to| Op::LoadSet(to, *array, index))
            }
            Expr::SetTable(table, index) => {
                let index = self.int(index, None);
                written(self, &|to| Op::SetTable(to, *table, index))
            }
            Expr::Shift(set, by) => {
                let set = self.set(set, None);
                written(self, &|to| Op::Shift(to, set, *by))
            }
            Expr::Combine(combine, first, second) => {
                let first = self.set_before(first, &[second]);
                let second = self.set(second, None);
                written(self, &|to| Op::Combine(*combine, to, first, second))
            }
            Expr::Choose(condition, then, otherwise) => {
                let to = into.unwrap_or_else(|| self.sets.take(self.program.words));
                self.choose(condition, then, otherwise, |l, value| {
                    l.set(value, Some(to));
                });
                to
            }
            Expr::After(block, value) => {
                self.block(block);
                self.set(value, into)
            }
            Expr::Call(function, arguments) => {
                let (_, result) = self.call(*function, arguments);
                match into {
                    Some(to) => {
                        self.emit(Op::CopySet(to, result));
                        to
                    }
                    None => self.sets.take(self.program.words),
                }
            }
            _ => unreachable!("the checker knows {value:?} for a number"),
        }
    }

    fn choose(
        &mut self,
        condition: &'a Expr,
        then: &'a Expr,
        otherwise: &'a Expr,
        mut put: impl FnMut(&mut Self, &'a Expr),
    ) {
        let to_else = self.branch(condition, false);
        put(self, then);
        let to_end = self.emit(Op::Jump(0));
        self.land(to_else);
        put(self, otherwise);
        self.land(vec![to_end]);
    }

    /// The register of a number that was left behind the registers in use: `into`, or else a new
    /// one.
    fn int_result(&mut self, result: Slot, into: Option<Slot>) -> Slot {
        self.ints.free = result as usize;
        match into {
            Some(to) => {
                self.emit(Op::Copy(to, result));
                to
            }
            None => self.ints.take(1),
        }
    }

    /// Calls a function; its result is in the first of the registers that are free then.
    fn call(&mut self, function: FunctionId, arguments: &'a [Expr]) -> (Slot, Slot) {
        let callee = &self.program.functions[function.0 as usize];
        let (ints, sets) = (self.ints.free, self.sets.free);
        for (argument, of) in arguments.iter().zip(&callee.locals) {
            let slot = match of {
                Type::Int => self.ints.take(1),
                Type::Set => self.sets.take(self.program.words),
            };
            let free = (self.ints.free, self.sets.free);
            self.value(argument, *of, Some(slot));
            (self.ints.free, self.sets.free) = free;
        }
        self.emit(Op::Call(function, ints as Slot, sets as Slot));
        let needed = self.code.routines[function.0 as usize];
        self.ints.reach(ints + needed.ints);
        self.sets.reach(sets + needed.sets);
        (self.ints.free, self.sets.free) = (ints, sets);
        (ints as Slot, sets as Slot)
    }

    fn slot(&self, local: Local) -> Slot {
        self.slots[local.0 as usize]
    }

    fn type_of(&self, local: Local) -> Type {
        self.function.locals[local.0 as usize]
    }

    fn type_of_value(&self, value: &Expr) -> Type {
        value_type(self.program, self.function, value)
    }
}
