//! From a function of a program to a function of Cranelift: variables, statements, control.

mod arrays;
mod calls;
mod loops;
mod selection;
mod values;

use std::collections::{BTreeMap, BTreeSet};

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    self as clif, AliasRegionData, BlockArg, FuncRef, InstBuilder, MemFlagsData, SigRef, StackSlot,
    Value, types,
};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Variable};
use smallvec::SmallVec;

use super::context::Context;
use super::limits::MAX_NATIVE_WORDS;
use super::ranges::Ranges;
use super::target::Target;
use crate::ir::{Access, Block, Expr, Function, FunctionId, Local, Stmt, Type, Unary};
use crate::passes::is_cheap;
use crate::properties::value_type;

/// The words of a set.
type Words = SmallVec<[Value; MAX_NATIVE_WORDS]>;
/// A variable: of a number, or of each word of a set.
#[derive(Clone, Copy)]
enum Place {
    Int(Variable),
    Set([Variable; MAX_NATIVE_WORDS]),
}

/// Memory that does not overlap, for the analysis of aliases.
#[derive(Clone, Copy)]
struct Memory {
    context: MemFlagsData,
    /// Slots of arrays in the context.
    slots: MemFlagsData,
    arrays: MemFlagsData,
    /// Entries of tables: reads that may be moved anywhere, and reads that stay where they are.
    tables: MemFlagsData,
    tables_here: MemFlagsData,
    stack: MemFlagsData,
}

/// Blocks that are being written.
#[derive(Default)]
struct Blocks {
    all: Vec<clif::Block>,
    /// The number of them that have been begun.
    begun: usize,
    /// The blocks that are jumped to from behind their beginning.
    again: BTreeSet<usize>,
    exit: Option<clif::Block>,
}

/// A function while it is written.
pub(super) struct Translation<'a, 'b> {
    target: &'a Target<'a>,
    function: &'a Function,
    b: FunctionBuilder<'b>,
    words: usize,
    context: Value,
    memory: Memory,
    places: Vec<Place>,
    /// The ranges of variables at the point that is being written.
    ranges: Ranges<'a>,
    /// The blocks behind the loops around, outermost first.
    exits: Vec<clif::Block>,
    /// The innermost blocks around.
    blocks: Blocks,
    /// Words of the sets whose sites are gone through, by how many loops over sites are around.
    sets: Vec<StackSlot>,
    open_sets: usize,
    /// Room for arguments of calls of the host, and for how many.
    arguments: Option<(StackSlot, usize)>,
    /// The block that leaves the function when the program is to stop.
    leave: Option<clif::Block>,
    functions: BTreeMap<FunctionId, FuncRef>,
    host_signature: Option<SigRef>,
    nth_signature: Option<SigRef>,
}

impl<'a, 'b> Translation<'a, 'b> {
    /// Writes a function. What it calls, and whether that or itself calls the host.
    pub(super) fn function(
        target: &'a Target<'a>,
        function: &'a Function,
        func: &'b mut clif::Function,
        builder: &'b mut FunctionBuilderContext,
    ) -> (BTreeSet<FunctionId>, bool) {
        let mut region = |user_id: u32, description: &'static str| {
            let data = AliasRegionData { user_id, description: description.into() };
            let region = func.dfg.alias_regions.insert(data);
            MemFlagsData::trusted().with_alias_region(Some(region))
        };
        let ranges = Ranges::of(target.program, &target.ranges, function);
        let writes = &ranges.writes;
        let calls_host = writes.calls_host
            || writes.calls.iter().any(|callee| target.calls_host[callee.0 as usize]);
        let tables_here = region(3, "tables").with_readonly();
        let context = region(1, "context");
        // Only the host moves arrays.
        let stays = MemFlagsData::trusted().with_readonly().with_can_move();
        let memory = Memory {
            context,
            slots: if calls_host { context } else { stays },
            arrays: region(2, "arrays"),
            tables: tables_here.with_can_move(),
            tables_here,
            stack: region(4, "stack"),
        };
        let mut b = FunctionBuilder::new(func, builder);
        let entry = b.create_block();
        b.append_block_params_for_function_params(entry);
        b.switch_to_block(entry);
        b.seal_block(entry);
        let context = b.block_params(entry)[0];
        let words = target.program.words;
        let mut t = Translation {
            target,
            function,
            b,
            words,
            context,
            memory,
            places: Vec::new(),
            ranges,
            exits: Vec::new(),
            blocks: Blocks::default(),
            sets: Vec::new(),
            open_sets: 0,
            arguments: None,
            leave: None,
            functions: BTreeMap::new(),
            host_signature: None,
            nth_signature: None,
        };
        let params: Vec<Value> = t.b.block_params(entry)[1..].to_vec();
        let mut params = params.into_iter();
        let zeros = (t.int(0), t.word(0));
        for (number, of) in function.locals.iter().enumerate() {
            let is_param = number < function.params;
            let mut value =
                |zero| if is_param { params.next().expect("a parameter") } else { zero };
            let place = match of {
                Type::Int => {
                    let variable = t.b.declare_var(types::I32);
                    t.b.def_var(variable, value(zeros.0));
                    Place::Int(variable)
                }
                Type::Set => {
                    let first = t.b.declare_var(types::I64);
                    t.b.def_var(first, value(zeros.1));
                    let mut variables = [first; MAX_NATIVE_WORDS];
                    for variable in variables.iter_mut().take(words).skip(1) {
                        *variable = t.b.declare_var(types::I64);
                        t.b.def_var(*variable, value(zeros.1));
                    }
                    Place::Set(variables)
                }
            };
            t.places.push(place);
        }
        t.block(&function.body);
        t.return_nothing();
        if let Some(leave) = t.leave {
            t.b.switch_to_block(leave);
            t.b.seal_block(leave);
            t.return_nothing();
        }
        t.b.finalize(target.isa.frontend_config());
        (t.ranges.writes.calls.clone(), calls_host)
    }

    fn int(&mut self, number: i32) -> Value {
        // Constants are kept without sign.
        self.b.ins().iconst(types::I32, i64::from(number as u32))
    }

    fn word(&mut self, word: u64) -> Value {
        self.b.ins().iconst(types::I64, word as i64)
    }

    fn no_sites(&mut self) -> Words {
        let zero = self.word(0);
        std::iter::repeat_n(zero, self.words).collect()
    }

    /// A truth as a number.
    fn truth(&mut self, truth: Value) -> Value {
        self.b.ins().uextend(types::I32, truth)
    }

    fn is_not_zero(&mut self, number: Value) -> Value {
        self.b.ins().icmp_imm_s(IntCC::NotEqual, number, 0)
    }

    /// The number at an offset in the context.
    fn in_context(&mut self, of: clif::Type, offset: usize) -> Value {
        self.b.ins().load(of, self.memory.context, self.context, offset as i32)
    }

    /// Like [`Translation::in_context`], of an array that is lent.
    fn of_slot(&mut self, of: clif::Type, offset: usize) -> Value {
        self.b.ins().load(of, self.memory.slots, self.context, offset as i32)
    }

    // Statements.

    fn block(&mut self, block: &'a Block) {
        let mut narrowed = Vec::new();
        for (number, statement) in block.iter().enumerate() {
            self.statement(statement);
            narrowed.extend(self.ranges.narrow_behind(statement, &block[number + 1..]));
        }
        self.ranges.widen(narrowed);
    }

    /// Writes statements where a condition holds, or where it does not.
    fn block_where(&mut self, condition: &Expr, holds: bool, block: &'a Block) {
        let narrowed = self.ranges.narrow(condition, holds, &[block]);
        self.block(block);
        self.ranges.widen(narrowed);
    }

    /// Writes a value where a condition holds, or where it does not.
    fn where_it<T>(
        &mut self,
        condition: &Expr,
        holds: bool,
        value: &'a Expr,
        write: impl FnOnce(&mut Self, &'a Expr) -> T,
    ) -> T {
        let narrowed = self.ranges.narrow_value(condition, holds, value);
        let written = write(self, value);
        self.ranges.widen(narrowed);
        written
    }

    fn statement(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::Set(local, value) => match self.places[local.0 as usize] {
                Place::Int(variable) => {
                    let value = self.number(value);
                    self.b.def_var(variable, value);
                }
                Place::Set(variables) => {
                    let value = self.set(value);
                    for (variable, word) in variables.into_iter().zip(value) {
                        self.b.def_var(variable, word);
                    }
                }
            },
            Stmt::Store(array, index, value) => {
                let index = self.index(index);
                let value = self.number(value);
                let (address, offset) = self.entry(self.lent_ints(*array), index, Access::Write);
                self.b.ins().store(self.memory.arrays, value, address, offset);
            }
            Stmt::StoreSet(array, index, set) => {
                let index = self.index(index);
                let set = self.set(set);
                let (address, offset) = self.entry(self.lent_sets(*array), index, Access::Write);
                for (number, word) in set.into_iter().enumerate() {
                    let offset = offset + 8 * number as i32;
                    self.b.ins().store(self.memory.arrays, word, address, offset);
                }
            }
            Stmt::Put(array, index, site, there) => {
                let index = self.index(index);
                let is_site = self.ranges.is_site(site);
                let site = self.number(site);
                let array = self.lent_sets(*array);
                let (address, offset) = self.word_of(array, index, (site, is_site), Access::Write);
                let word = self.b.ins().load(types::I64, self.memory.arrays, address, offset);
                let one = self.word(1);
                let bit = self.b.ins().ishl(one, site);
                let word = if *there {
                    self.b.ins().bor(word, bit)
                } else {
                    self.b.ins().band_not(word, bit)
                };
                self.b.ins().store(self.memory.arrays, word, address, offset);
            }
            Stmt::Clear(array, entries) => self.clear(*array, *entries),
            Stmt::CopyInts(to, from, entries) => {
                self.copy(self.lent_ints(*to), self.lent_ints(*from), *entries);
            }
            Stmt::CopySets(to, from, entries) => {
                self.copy(self.lent_sets(*to), self.lent_sets(*from), *entries);
            }
            Stmt::Eval(value) => match value_type(self.target.program, self.function, value) {
                Type::Int => drop(self.number(value)),
                Type::Set => drop(self.set(value)),
            },
            Stmt::Call(function, arguments) => drop(self.call(*function, arguments)),
            Stmt::If(condition, then, otherwise) => {
                if let Some(holds) = self.ranges.decides(condition) {
                    return self.block(if holds { then } else { otherwise });
                }
                let (yes, done) = (self.b.create_block(), self.b.create_block());
                let no = if otherwise.is_empty() { done } else { self.b.create_block() };
                self.branch(condition, yes, no);
                self.enter(yes);
                self.block_where(condition, true, then);
                self.jump(done);
                if no != done {
                    self.enter(no);
                    self.block_where(condition, false, otherwise);
                    self.jump(done);
                }
                self.enter(done);
            }
            Stmt::ForEach(local, set, block) => self.for_each(*local, set, block),
            Stmt::For(local, from, to, block) => self.for_range(*local, from, to, block),
            Stmt::While(condition, block) => self.while_loop(condition, block),
            Stmt::Break(loops) => {
                let exit = self.exits[self.exits.len() - *loops as usize];
                self.jump(exit);
                self.unreachable();
            }
            Stmt::Blocks(blocks) => self.blocks(blocks),
            Stmt::Go(number) => self.go(*number as usize),
            Stmt::Return(value) => {
                match (value, self.function.result) {
                    (Some(value), Some(Type::Int)) => {
                        let value = self.number(value);
                        self.b.ins().return_(&[value]);
                    }
                    (Some(value), Some(Type::Set)) => {
                        let value = self.set(value);
                        self.return_set(&value);
                    }
                    _ => drop(self.b.ins().return_(&[])),
                }
                self.unreachable();
            }
        }
    }

    fn set_int(&mut self, local: Local, number: Value) {
        match self.places[local.0 as usize] {
            Place::Int(variable) => self.b.def_var(variable, number),
            Place::Set(_) => unreachable!("the checker knows it for a number"),
        }
    }

    // Control.

    fn jump(&mut self, to: clif::Block) {
        self.b.ins().jump(to, &[]);
    }

    fn jump_with(&mut self, to: clif::Block, values: &[Value]) {
        let values: SmallVec<[BlockArg; MAX_NATIVE_WORDS]> =
            values.iter().map(|value| BlockArg::Value(*value)).collect();
        self.b.ins().jump(to, &values);
    }

    /// Goes on in a block to which no more jumps are added.
    fn enter(&mut self, block: clif::Block) {
        self.b.switch_to_block(block);
        self.b.seal_block(block);
    }

    /// Goes on after a jump, where nothing comes to.
    fn unreachable(&mut self) {
        let block = self.b.create_block();
        self.enter(block);
    }

    fn return_nothing(&mut self) {
        match self.function.result {
            Some(Type::Int) => {
                let zero = self.int(0);
                self.b.ins().return_(&[zero]);
            }
            Some(Type::Set) => {
                let empty = self.no_sites();
                self.return_set(&empty);
            }
            None => drop(self.b.ins().return_(&[])),
        }
    }

    fn return_set(&mut self, set: &Words) {
        if self.words == 1 {
            self.b.ins().return_(set);
            return;
        }
        for (number, word) in set.iter().enumerate() {
            let offset = (Context::RESULT + 8 * number) as i32;
            self.b.ins().store(self.memory.context, *word, self.context, offset);
        }
        self.b.ins().return_(&[]);
    }

    /// Jumps to the first block if a number is not 0, else to the second.
    fn branch(&mut self, condition: &'a Expr, yes: clif::Block, no: clif::Block) {
        if let Some(holds) = self.ranges.decides(condition) {
            return self.jump(if holds { yes } else { no });
        }
        if let Some(rest) = undecided_part(condition, |part| self.ranges.decides(part)) {
            return self.branch(rest, yes, no);
        }
        match condition {
            Expr::Unary(Unary::IsZero, value) => self.branch(value, no, yes),
            Expr::Both(first, second) if !is_cheap(second) => {
                let middle = self.b.create_block();
                self.branch(first, middle, no);
                self.enter(middle);
                self.where_it(first, true, second, |t, second| t.branch(second, yes, no));
            }
            Expr::Either(first, second) if !is_cheap(second) => {
                let middle = self.b.create_block();
                self.branch(first, yes, middle);
                self.enter(middle);
                self.where_it(first, false, second, |t, second| t.branch(second, yes, no));
            }
            _ => {
                let truth = self.condition(condition);
                self.b.ins().brif(truth, yes, &[], no, &[]);
            }
        }
    }
}

/// Of two conditions that decide together the one that does so alone, because it is known that the
/// other one leaves it to decide.
fn undecided_part(condition: &Expr, decides: impl Fn(&Expr) -> Option<bool>) -> Option<&Expr> {
    let (parts, leaves_it) = match condition {
        Expr::Both(first, second) => ([first, second], true),
        Expr::Either(first, second) => ([first, second], false),
        _ => return None,
    };
    let known = parts.iter().position(|part| decides(part) == Some(leaves_it))?;
    Some(parts[1 - known])
}
