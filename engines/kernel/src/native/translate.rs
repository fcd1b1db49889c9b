//! From functions of a program to functions of Cranelift.

use std::collections::{BTreeMap, BTreeSet};

use cranelift_codegen::Context as Compiler;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    self as clif, AbiParam, AliasRegionData, BlockArg, ExtFuncData, ExternalName, FuncRef,
    InstBuilder, MemFlagsData, SigRef, Signature, StackSlot, StackSlotData, StackSlotKind,
    UserExternalName, UserFuncName, Value, types,
};
use cranelift_codegen::isa::TargetIsa;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Variable};
use cranelift_module::{FuncId, ModuleReloc};
use smallvec::SmallVec;

use super::run::{Context, Tables};
use super::{MAX_NATIVE_STACK, MAX_NATIVE_WORDS, Reason};
use crate::ir::{
    Binary, Block, Combine, Compare, Expr, Function, FunctionId, HostId, Local, Program, Sets,
    Stmt, Type, Unary,
};
use crate::lower::value_type;

/// The words of a set.
type Words = SmallVec<[Value; MAX_NATIVE_WORDS]>;

/// Machine code of a function that is not in its place yet.
pub(super) struct Compiled {
    pub(super) bytes: Vec<u8>,
    pub(super) alignment: u64,
    pub(super) relocations: Vec<ModuleReloc>,
    /// Bytes of stack that it takes, return address included.
    frame: usize,
}

/// Numbers of the functions that take arguments from memory and call others with them: by how many
/// arguments there are, and whether there is a result.
pub(super) type Thunks = BTreeMap<(usize, bool), u32>;

/// What all functions of a program are compiled with.
pub(super) struct Target<'a> {
    program: &'a Program,
    isa: &'a dyn TargetIsa,
    tables: &'a Tables,
    /// Whether functions call the host, themselves or through others.
    calls_host: Vec<bool>,
    thunks: Thunks,
}

impl<'a> Target<'a> {
    pub(super) fn new(program: &'a Program, isa: &'a dyn TargetIsa, tables: &'a Tables) -> Self {
        let mut thunks = Thunks::new();
        for function in &program.functions {
            if function.locals[..function.params].iter().all(|of| *of == Type::Int)
                && function.result != Some(Type::Set)
            {
                let next = (program.functions.len() + thunks.len()) as u32;
                thunks.entry((function.params, function.result.is_some())).or_insert(next);
            }
        }
        Target { program, isa, tables, calls_host: Vec::new(), thunks }
    }

    /// All functions in order, then the thunks.
    pub(super) fn compile(mut self) -> Result<(Vec<Compiled>, Thunks), Reason> {
        let mut compiler = Compiler::new();
        let mut builder = FunctionBuilderContext::new();
        let mut compiled: Vec<Compiled> = Vec::new();
        // Bytes of stack of functions with the deepest chain of what they call.
        let mut stacks: Vec<usize> = Vec::new();
        for (number, function) in self.program.functions.iter().enumerate() {
            compiler.clear();
            compiler.func.name = UserFuncName::user(0, number as u32);
            compiler.func.signature = self.signature(function);
            let (calls, calls_host) =
                Translation::function(&self, function, &mut compiler.func, &mut builder);
            self.calls_host.push(calls_host);
            let code = self.finish(&mut compiler, number, &function.name)?;
            let below = calls.iter().map(|callee| stacks[callee.0 as usize]).max();
            let stack = code.frame + below.unwrap_or(0);
            if stack > MAX_NATIVE_STACK {
                return Err(Reason::Stack(function.name.clone(), stack));
            }
            stacks.push(stack);
            compiled.push(code);
        }
        let mut thunks: Vec<_> = self.thunks.iter().collect();
        thunks.sort_by_key(|(_, number)| **number);
        for ((arguments, has_result), number) in thunks {
            compiler.clear();
            compiler.func.name = UserFuncName::user(0, *number);
            self.thunk(*arguments, *has_result, &mut compiler.func, &mut builder);
            compiled.push(self.finish(&mut compiler, *number as usize, "entry")?);
        }
        Ok((compiled, self.thunks))
    }

    fn finish(
        &self,
        compiler: &mut Compiler,
        number: usize,
        name: &str,
    ) -> Result<Compiled, Reason> {
        #[expect(clippy::default_trait_access, reason = "the type is not exported here")]
        let done = compiler.compile(self.isa, &mut Default::default());
        if let Err(error) = done {
            return Err(Reason::Function(name.to_owned(), error.inner.to_string()));
        }
        let code = compiler.compiled_code().expect("it was compiled above");
        let id = FuncId::from_u32(number as u32);
        let relocations = code.buffer.relocs().iter();
        let relocations =
            relocations.map(|reloc| ModuleReloc::from_mach_reloc(reloc, &compiler.func, id));
        // Up to the frame pointer, which stands with the return address and arguments above it.
        let frame = code.buffer.frame_layout().map_or(0, |layout| layout.frame_to_fp_offset);
        let arguments = 8 * compiler.func.signature.params.len();
        Ok(Compiled {
            bytes: code.code_buffer().to_vec(),
            alignment: u64::from(code.buffer.alignment),
            relocations: relocations.collect(),
            frame: frame as usize + 16 + arguments,
        })
    }

    fn signature(&self, function: &Function) -> Signature {
        let mut signature = Signature::new(self.isa.default_call_conv());
        signature.params.push(AbiParam::new(types::I64));
        for of in &function.locals[..function.params] {
            match of {
                Type::Int => signature.params.push(AbiParam::new(types::I32)),
                Type::Set => {
                    let words = std::iter::repeat_n(AbiParam::new(types::I64), self.program.words);
                    signature.params.extend(words);
                }
            }
        }
        match function.result {
            Some(Type::Int) => signature.returns.push(AbiParam::new(types::I32)),
            // Wider ones go through the context.
            Some(Type::Set) if self.program.words == 1 => {
                signature.returns.push(AbiParam::new(types::I64));
            }
            Some(Type::Set) | None => (),
        }
        signature
    }

    /// A function of context, arguments in memory, and the function that is called with them.
    fn thunk(
        &self,
        arguments: usize,
        has_result: bool,
        func: &mut clif::Function,
        builder: &mut FunctionBuilderContext,
    ) {
        let convention = self.isa.default_call_conv();
        let mut callee = Signature::new(convention);
        callee.params.push(AbiParam::new(types::I64));
        callee.params.extend(std::iter::repeat_n(AbiParam::new(types::I32), arguments));
        if has_result {
            callee.returns.push(AbiParam::new(types::I32));
        }
        func.signature = Signature::new(convention);
        func.signature.params.extend([AbiParam::new(types::I64); 3]);
        func.signature.returns.push(AbiParam::new(types::I32));
        let mut b = FunctionBuilder::new(func, builder);
        let entry = b.create_block();
        b.append_block_params_for_function_params(entry);
        b.switch_to_block(entry);
        b.seal_block(entry);
        let [context, memory, function] = *b.block_params(entry) else {
            unreachable!("it has three parameters")
        };
        let mut values = vec![context];
        for argument in 0..arguments {
            let offset = 4 * argument as i32;
            values.push(b.ins().load(types::I32, MemFlagsData::trusted(), memory, offset));
        }
        let signature = b.import_signature(callee);
        let call = b.ins().call_indirect(signature, function, &values);
        let result =
            if has_result { b.inst_results(call)[0] } else { b.ins().iconst(types::I32, 0) };
        b.ins().return_(&[result]);
        b.finalize(self.isa.frontend_config());
    }
}

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
    arrays: MemFlagsData,
    tables: MemFlagsData,
    stack: MemFlagsData,
}

struct Translation<'a, 'b> {
    target: &'a Target<'a>,
    function: &'a Function,
    b: FunctionBuilder<'b>,
    words: usize,
    context: Value,
    memory: Memory,
    places: Vec<Place>,
    /// Where loops are left to, outermost first.
    exits: Vec<clif::Block>,
    /// Words of the sets whose sites are gone through, by how many loops over sites are around.
    sets: Vec<StackSlot>,
    open_sets: usize,
    /// Room for arguments of calls of the host, and for how many.
    arguments: Option<(StackSlot, usize)>,
    /// Where the function is left when the program is to stop.
    leave: Option<clif::Block>,
    functions: BTreeMap<FunctionId, FuncRef>,
    host_signature: Option<SigRef>,
    nth_signature: Option<SigRef>,
    calls_host: bool,
}

impl<'a, 'b> Translation<'a, 'b> {
    /// Writes a function. What it calls, and whether that or itself calls the host.
    fn function(
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
        let memory = Memory {
            context: region(1, "context"),
            arrays: region(2, "arrays"),
            tables: region(3, "tables").with_readonly().with_can_move(),
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
            exits: Vec::new(),
            sets: Vec::new(),
            open_sets: 0,
            arguments: None,
            leave: None,
            functions: BTreeMap::new(),
            host_signature: None,
            nth_signature: None,
            calls_host: false,
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
        (t.functions.into_keys().collect(), t.calls_host)
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

    // Statements.

    fn block(&mut self, block: &'a Block) {
        for statement in block {
            self.statement(statement);
        }
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
                let index = self.number(index);
                let value = self.number(value);
                let address = self.entry(Context::ints(*array), index, 4, Context::SINK);
                self.b.ins().store(self.memory.arrays, value, address, 0);
            }
            Stmt::StoreSet(array, index, set) => {
                let index = self.number(index);
                let set = self.set(set);
                let slot = self.slot_of(*array);
                let address = self.entry(slot, index, 8 * self.words, Context::SINK);
                for (number, word) in set.into_iter().enumerate() {
                    self.b.ins().store(self.memory.arrays, word, address, 8 * number as i32);
                }
            }
            Stmt::Eval(value) => match value_type(self.target.program, self.function, value) {
                Type::Int => drop(self.number(value)),
                Type::Set => drop(self.set(value)),
            },
            Stmt::Call(function, arguments) => drop(self.call(*function, arguments)),
            Stmt::If(condition, then, otherwise) => {
                let (yes, done) = (self.b.create_block(), self.b.create_block());
                let no = if otherwise.is_empty() { done } else { self.b.create_block() };
                self.branch(condition, yes, no);
                self.enter(yes);
                self.block(then);
                self.jump(done);
                if no != done {
                    self.enter(no);
                    self.block(otherwise);
                    self.jump(done);
                }
                self.enter(done);
            }
            Stmt::ForEach(local, set, block) => self.for_each(*local, set, block),
            Stmt::For(local, from, to, block) => {
                let from = self.number(from);
                let to = self.number(to);
                let counter = self.b.declare_var(types::I32);
                self.b.def_var(counter, from);
                let (head, body, exit) = self.loop_blocks();
                self.jump(head);
                self.b.switch_to_block(head);
                let number = self.b.use_var(counter);
                let more = self.b.ins().icmp(IntCC::SignedLessThan, number, to);
                self.b.ins().brif(more, body, &[], exit, &[]);
                self.enter(body);
                self.set_int(*local, number);
                let next = self.b.ins().iadd_imm_s(number, 1);
                self.b.def_var(counter, next);
                self.rounds(block, head, exit);
            }
            Stmt::While(condition, block) => {
                let (head, body, exit) = self.loop_blocks();
                let (spend, more) = (self.b.create_block(), self.b.create_block());
                self.jump(head);
                self.b.switch_to_block(head);
                self.exits.push(exit);
                self.branch(condition, spend, exit);
                self.exits.pop();
                self.enter(spend);
                let budget = self.in_context(types::I32, Context::BUDGET);
                self.b.ins().brif(budget, more, &[], exit, &[]);
                self.enter(more);
                let left = self.b.ins().iadd_imm_s(budget, -1);
                self.b.ins().store(self.memory.context, left, self.context, Context::BUDGET as i32);
                self.jump(body);
                self.enter(body);
                self.rounds(block, head, exit);
            }
            Stmt::Break(loops) => {
                let exit = self.exits[self.exits.len() - *loops as usize];
                self.jump(exit);
                self.unreachable();
            }
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

    /// Head, body and exit of a loop.
    fn loop_blocks(&mut self) -> (clif::Block, clif::Block, clif::Block) {
        (self.b.create_block(), self.b.create_block(), self.b.create_block())
    }

    /// The statements of a loop, from the body back to its head; then its exit.
    fn rounds(&mut self, block: &'a Block, head: clif::Block, exit: clif::Block) {
        self.exits.push(exit);
        self.block(block);
        self.exits.pop();
        self.jump(head);
        self.b.seal_block(head);
        self.enter(exit);
    }

    fn for_each(&mut self, local: Local, set: &'a Expr, block: &'a Block) {
        let set = self.set(set);
        let word = self.b.declare_var(types::I64);
        self.b.def_var(word, set[0]);
        let (head, body, exit) = self.loop_blocks();
        // Wider sets wait in memory for their turn, word by word.
        let number = self.b.declare_var(types::I32);
        let waiting = (self.words > 1).then(|| {
            if self.open_sets == self.sets.len() {
                let size = 8 * self.words as u32;
                let data = StackSlotData::new(StackSlotKind::ExplicitSlot, size, 3);
                self.sets.push(self.b.create_sized_stack_slot(data));
            }
            let slot = self.sets[self.open_sets];
            self.open_sets += 1;
            let address = self.b.ins().stack_addr(types::I64, slot, 0);
            for (number, word) in set.iter().enumerate().skip(1) {
                self.b.ins().store(self.memory.stack, *word, address, 8 * number as i32);
            }
            let zero = self.int(0);
            self.b.def_var(number, zero);
            slot
        });
        self.jump(head);
        self.b.switch_to_block(head);
        let left = self.b.use_var(word);
        if let Some(slot) = waiting {
            let (next, load) = (self.b.create_block(), self.b.create_block());
            self.b.ins().brif(left, body, &[], next, &[]);
            self.enter(next);
            let before = self.b.use_var(number);
            let this = self.b.ins().iadd_imm_s(before, 1);
            let more = self.b.ins().icmp_imm_s(IntCC::NotEqual, this, self.words as i64);
            self.b.ins().brif(more, load, &[], exit, &[]);
            self.enter(load);
            self.b.def_var(number, this);
            let address = self.b.ins().stack_addr(types::I64, slot, 0);
            let offset = self.b.ins().uextend(types::I64, this);
            let offset = self.b.ins().ishl_imm_u(offset, 3);
            let address = self.b.ins().iadd(address, offset);
            let loaded = self.b.ins().load(types::I64, self.memory.stack, address, 0);
            self.b.def_var(word, loaded);
            self.jump(head);
        } else {
            self.b.ins().brif(left, body, &[], exit, &[]);
        }
        self.enter(body);
        let first = self.b.ins().ctz(left);
        let mut site = self.b.ins().ireduce(types::I32, first);
        if waiting.is_some() {
            let number = self.b.use_var(number);
            let base = self.b.ins().ishl_imm_u(number, 6);
            site = self.b.ins().iadd(base, site);
        }
        self.set_int(local, site);
        let less = self.b.ins().iadd_imm_s(left, -1);
        let rest = self.b.ins().band(left, less);
        self.b.def_var(word, rest);
        self.rounds(block, head, exit);
        self.open_sets -= usize::from(waiting.is_some());
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
        match condition {
            Expr::Unary(Unary::IsZero, value) => self.branch(value, no, yes),
            Expr::Both(first, second) if !is_cheap(second) => {
                let middle = self.b.create_block();
                self.branch(first, middle, no);
                self.enter(middle);
                self.branch(second, yes, no);
            }
            Expr::Either(first, second) if !is_cheap(second) => {
                let middle = self.b.create_block();
                self.branch(first, yes, middle);
                self.enter(middle);
                self.branch(second, yes, no);
            }
            _ => {
                let truth = self.condition(condition);
                self.b.ins().brif(truth, yes, &[], no, &[]);
            }
        }
    }

    /// A truth, as Cranelift has it: in a byte.
    fn condition(&mut self, condition: &'a Expr) -> Value {
        match condition {
            Expr::Compare(compare, first, second) => {
                let code = match compare {
                    Compare::Equal => IntCC::Equal,
                    Compare::NotEqual => IntCC::NotEqual,
                    Compare::Less => IntCC::SignedLessThan,
                    Compare::LessEqual => IntCC::SignedLessThanOrEqual,
                    Compare::Greater => IntCC::SignedGreaterThan,
                    Compare::GreaterEqual => IntCC::SignedGreaterThanOrEqual,
                };
                let first = self.number(first);
                let second = self.number(second);
                self.b.ins().icmp(code, first, second)
            }
            Expr::Unary(Unary::IsZero, value) => {
                let truth = self.condition(value);
                self.b.ins().bxor_imm_u(truth, 1)
            }
            Expr::Both(first, second) if is_cheap(second) => {
                let first = self.condition(first);
                let second = self.condition(second);
                self.b.ins().band(first, second)
            }
            Expr::Either(first, second) if is_cheap(second) => {
                let first = self.condition(first);
                let second = self.condition(second);
                self.b.ins().bor(first, second)
            }
            Expr::Both(..) | Expr::Either(..) => {
                let done = self.b.create_block();
                let truth = self.b.append_block_param(done, types::I8);
                let (yes, no) = (self.b.create_block(), self.b.create_block());
                self.branch(condition, yes, no);
                for (block, value) in [(yes, 1), (no, 0)] {
                    self.enter(block);
                    let value = self.b.ins().iconst(types::I8, value);
                    self.jump_with(done, &[value]);
                }
                self.enter(done);
                truth
            }
            Expr::IsEmpty(set) => {
                let set = self.set(set);
                let any = self.any(set);
                self.b.ins().icmp_imm_s(IntCC::Equal, any, 0)
            }
            Expr::IsSubset(first, second) => {
                let first = self.set(first);
                let second = self.set(second);
                let lacking: Words = first
                    .into_iter()
                    .zip(second)
                    .map(|(a, b)| self.b.ins().band_not(a, b))
                    .collect();
                let any = self.any(lacking);
                self.b.ins().icmp_imm_s(IntCC::Equal, any, 0)
            }
            Expr::Contains(set, site) => {
                let set = self.set(set);
                let site = self.number(site);
                let word = self.select_word(&set, site);
                let bit = self.b.ins().ushr(word, site);
                let bit = self.b.ins().ireduce(types::I8, bit);
                let bit = self.b.ins().band_imm_u(bit, 1);
                let inside = self.is_site(site);
                self.b.ins().band(bit, inside)
            }
            _ => {
                let number = self.number(condition);
                self.is_not_zero(number)
            }
        }
    }

    /// 1 if a number is one of a site.
    fn is_site(&mut self, site: Value) -> Value {
        self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, site, 64 * self.words as i64)
    }

    /// The word in which a site is.
    fn select_word(&mut self, set: &Words, site: Value) -> Value {
        let mut word = set[0];
        for number in 1..self.words {
            let beyond = self.b.ins().icmp_imm_u(
                IntCC::UnsignedGreaterThanOrEqual,
                site,
                64 * number as i64,
            );
            word = self.b.ins().select(beyond, set[number], word);
        }
        word
    }

    /// A word that is 0 only if all are.
    fn any(&mut self, set: Words) -> Value {
        set.into_iter().reduce(|any, word| self.b.ins().bor(any, word)).expect("sets have words")
    }

    // Values.

    fn number(&mut self, value: &'a Expr) -> Value {
        match value {
            Expr::Int(number) => self.int(*number),
            Expr::Get(local) => match self.places[local.0 as usize] {
                Place::Int(variable) => self.b.use_var(variable),
                Place::Set(_) => unreachable!("the checker knows it for a number"),
            },
            Expr::Load(array, index) => {
                let index = self.number(index);
                let address = self.entry(Context::ints(*array), index, 4, Context::ZEROS);
                self.b.ins().load(types::I32, self.memory.arrays, address, 0)
            }
            Expr::Table(table, index) => {
                let index = self.number(index);
                let (address, len) = self.target.tables.ints(*table);
                let address = self.table_entry(address, len, index, 4);
                self.b.ins().load(types::I32, self.memory.tables, address, 0)
            }
            Expr::Unary(unary, operand) => match unary {
                Unary::Neg => {
                    let operand = self.number(operand);
                    self.b.ins().ineg(operand)
                }
                Unary::Abs => {
                    let operand = self.number(operand);
                    self.b.ins().iabs(operand)
                }
                Unary::IsZero => {
                    let truth = self.condition(value);
                    self.truth(truth)
                }
            },
            Expr::Binary(binary, first, second) => {
                let constant = match **second {
                    Expr::Int(number) => Some(number),
                    _ => None,
                };
                let first = self.number(first);
                let second = self.number(second);
                self.binary(*binary, first, second, constant)
            }
            Expr::Choose(condition, then, otherwise) if is_cheap(then) && is_cheap(otherwise) => {
                let condition = self.condition(condition);
                let then = self.number(then);
                let otherwise = self.number(otherwise);
                self.b.ins().select(condition, then, otherwise)
            }
            Expr::Choose(condition, then, otherwise) => {
                let done = self.b.create_block();
                let chosen = self.b.append_block_param(done, types::I32);
                let (yes, no) = (self.b.create_block(), self.b.create_block());
                self.branch(condition, yes, no);
                for (block, value) in [(yes, then), (no, otherwise)] {
                    self.enter(block);
                    let value = self.number(value);
                    self.jump_with(done, &[value]);
                }
                self.enter(done);
                chosen
            }
            Expr::After(block, value) => {
                self.block(block);
                self.number(value)
            }
            Expr::Call(function, arguments) => self.call(*function, arguments)[0],
            Expr::Host(function, arguments) => self.call_host(*function, arguments),
            Expr::Len(set) => {
                let set = self.set(set);
                let counts: Words = set.into_iter().map(|word| self.b.ins().popcnt(word)).collect();
                let sum = counts.into_iter().reduce(|sum, count| self.b.ins().iadd(sum, count));
                self.b.ins().ireduce(types::I32, sum.expect("sets have words"))
            }
            Expr::Nth(set, rank) => {
                let set = self.set(set);
                let rank = self.number(rank);
                self.nth(&set, rank)
            }
            Expr::Compare(..)
            | Expr::Both(..)
            | Expr::Either(..)
            | Expr::IsEmpty(_)
            | Expr::Contains(..)
            | Expr::IsSubset(..) => {
                let truth = self.condition(value);
                self.truth(truth)
            }
            Expr::NoSites
            | Expr::Single(_)
            | Expr::LoadSet(..)
            | Expr::SetTable(..)
            | Expr::Shift(..)
            | Expr::Combine(..) => unreachable!("the checker knows {value:?} for a set"),
        }
    }

    /// All sites of a set moved by a number.
    fn shift(&mut self, words: &[Value], by: i32) -> Words {
        let (far, near) = (by.unsigned_abs() as usize / 64, i64::from(by.unsigned_abs() % 64));
        // The word that comes into another from so many words below, or above.
        let source = |at: usize, distance: usize| {
            let at = if by < 0 { at.checked_add(distance) } else { at.checked_sub(distance) };
            at.and_then(|at| words.get(at)).copied()
        };
        let zero = self.word(0);
        let moved = (0..words.len()).map(|at| {
            let (whole, next) = (source(at, far), source(at, far + 1));
            let mut shifted = |word: Option<Value>, left: bool, by: i64| {
                word.map(|word| match (by, left) {
                    (0, _) => word,
                    (_, true) => self.b.ins().ishl_imm_u(word, by),
                    (_, false) => self.b.ins().ushr_imm_u(word, by),
                })
            };
            let whole = shifted(whole, by >= 0, near);
            let next = if near == 0 { None } else { shifted(next, by < 0, 64 - near) };
            match (whole, next) {
                (Some(a), Some(b)) => self.b.ins().bor(a, b),
                (Some(word), None) | (None, Some(word)) => word,
                (None, None) => zero,
            }
        });
        moved.collect()
    }

    fn set(&mut self, value: &'a Expr) -> Words {
        match value {
            Expr::Get(local) => match self.places[local.0 as usize] {
                Place::Set(variables) => {
                    variables.into_iter().take(self.words).map(|v| self.b.use_var(v)).collect()
                }
                Place::Int(_) => unreachable!("the checker knows it for a set"),
            },
            Expr::NoSites => self.no_sites(),
            Expr::Single(site) => {
                let site = self.number(site);
                let one = self.word(1);
                let bit = self.b.ins().ishl(one, site);
                let zero = self.word(0);
                if self.words == 1 {
                    let inside = self.is_site(site);
                    let word = self.b.ins().select(inside, bit, zero);
                    return SmallVec::from_slice(&[word]);
                }
                let number = self.b.ins().ushr_imm_u(site, 6);
                (0..self.words)
                    .map(|word| {
                        let here = self.b.ins().icmp_imm_u(IntCC::Equal, number, word as i64);
                        self.b.ins().select(here, bit, zero)
                    })
                    .collect()
            }
            Expr::LoadSet(array, index) => {
                let index = self.number(index);
                let slot = self.slot_of(*array);
                let address = self.entry(slot, index, 8 * self.words, Context::ZEROS);
                let flags = self.memory.arrays;
                self.load_words(flags, address)
            }
            Expr::SetTable(table, index) => {
                let index = self.number(index);
                let (address, len) = self.target.tables.sets(*table);
                let address = self.table_entry(address, len, index, 8 * self.words);
                let flags = self.memory.tables;
                self.load_words(flags, address)
            }
            Expr::Shift(set, by) => {
                let words = self.set(set);
                self.shift(&words, *by)
            }
            Expr::Combine(combine, first, second) => {
                let first = self.set(first);
                let second = self.set(second);
                let words = first.into_iter().zip(second);
                let combined = words.map(|(a, b)| match combine {
                    Combine::And => self.b.ins().band(a, b),
                    Combine::Or => self.b.ins().bor(a, b),
                    Combine::Xor => self.b.ins().bxor(a, b),
                    Combine::Without => self.b.ins().band_not(a, b),
                });
                combined.collect()
            }
            Expr::Choose(condition, then, otherwise) if is_cheap(then) && is_cheap(otherwise) => {
                let condition = self.condition(condition);
                let then = self.set(then);
                let otherwise = self.set(otherwise);
                let words = then.into_iter().zip(otherwise);
                words.map(|(a, b)| self.b.ins().select(condition, a, b)).collect()
            }
            Expr::Choose(condition, then, otherwise) => {
                let done = self.b.create_block();
                let chosen: Words =
                    (0..self.words).map(|_| self.b.append_block_param(done, types::I64)).collect();
                let (yes, no) = (self.b.create_block(), self.b.create_block());
                self.branch(condition, yes, no);
                for (block, value) in [(yes, then), (no, otherwise)] {
                    self.enter(block);
                    let value = self.set(value);
                    self.jump_with(done, &value);
                }
                self.enter(done);
                chosen
            }
            Expr::After(block, value) => {
                self.block(block);
                self.set(value)
            }
            Expr::Call(function, arguments) => self.call(*function, arguments),
            _ => unreachable!("the checker knows {value:?} for a number"),
        }
    }

    fn load_words(&mut self, flags: MemFlagsData, address: Value) -> Words {
        let word = |number| self.b.ins().load(types::I64, flags, address, 8 * number as i32);
        (0..self.words).map(word).collect()
    }

    fn binary(
        &mut self,
        binary: Binary,
        first: Value,
        second: Value,
        constant: Option<i32>,
    ) -> Value {
        let ins = |t: &mut Self| match binary {
            Binary::Add => t.b.ins().iadd(first, second),
            Binary::Sub => t.b.ins().isub(first, second),
            Binary::Mul => t.b.ins().imul(first, second),
            Binary::And => t.b.ins().band(first, second),
            Binary::Or => t.b.ins().bor(first, second),
            Binary::Xor => t.b.ins().bxor(first, second),
            Binary::Shl => t.b.ins().ishl(first, second),
            Binary::Shr => t.b.ins().ushr(first, second),
            Binary::Min => t.b.ins().smin(first, second),
            Binary::Max => t.b.ins().smax(first, second),
            Binary::Div => t.b.ins().sdiv(first, second),
            Binary::Rem => t.b.ins().srem(first, second),
        };
        match (binary, constant) {
            (Binary::Div | Binary::Rem, Some(0)) | (Binary::Rem, Some(-1)) => self.int(0),
            (Binary::Div, Some(-1)) => self.b.ins().ineg(first),
            (Binary::Div | Binary::Rem, None) => {
                // By 1 in place of what would trap: 0, and -1, by which the least number overflows.
                let after = self.b.ins().iadd_imm_s(second, 1);
                let traps = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, after, 2);
                let one = self.int(1);
                let divisor = self.b.ins().select(traps, one, second);
                if binary == Binary::Rem {
                    return self.b.ins().srem(first, divisor);
                }
                let quotient = self.b.ins().sdiv(first, divisor);
                let zero = self.int(0);
                let by_minus_one = self.b.ins().ineg(first);
                let is_zero = self.b.ins().icmp_imm_s(IntCC::Equal, second, 0);
                let special = self.b.ins().select(is_zero, zero, by_minus_one);
                self.b.ins().select(traps, special, quotient)
            }
            _ => ins(self),
        }
    }

    // Arrays.

    /// Where pointer and length of an array of sets are.
    fn slot_of(&self, array: Sets) -> usize {
        Context::slot(self.target.program.ints.len() + array.0 as usize)
    }

    /// The address of an entry of so many bytes; out of range that of something in the context. Both are
    /// computed and one is selected: branches would make more code, and take longer to compile.
    fn entry(&mut self, slot: usize, index: Value, bytes: usize, elsewhere: usize) -> Value {
        let len = self.in_context(types::I32, slot + Context::LEN);
        let is_inside = self.b.ins().icmp(IntCC::UnsignedLessThan, index, len);
        let base = self.in_context(types::I64, slot + Context::POINTER);
        let address = self.address(base, index, bytes);
        let elsewhere = self.b.ins().iadd_imm_s(self.context, elsewhere as i64);
        self.b.ins().select(is_inside, address, elsewhere)
    }

    /// The address of an entry of a table, or of the empty one that stands after its last.
    fn table_entry(&mut self, address: usize, len: u32, index: Value, bytes: usize) -> Value {
        let end = self.int(len as i32);
        let index = self.b.ins().umin(index, end);
        let base = self.word(address as u64);
        self.address(base, index, bytes)
    }

    fn address(&mut self, base: Value, index: Value, bytes: usize) -> Value {
        let index = self.b.ins().uextend(types::I64, index);
        let offset = if bytes.is_power_of_two() {
            self.b.ins().ishl_imm_u(index, i64::from(bytes.trailing_zeros()))
        } else {
            self.b.ins().imul_imm_s(index, bytes as i64)
        };
        self.b.ins().iadd(base, offset)
    }

    // Calls.

    fn call(&mut self, id: FunctionId, arguments: &'a [Expr]) -> Words {
        let callee = &self.target.program.functions[id.0 as usize];
        let mut values = vec![self.context];
        for (argument, of) in arguments.iter().zip(&callee.locals) {
            match of {
                Type::Int => values.push(self.number(argument)),
                Type::Set => values.extend(self.set(argument)),
            }
        }
        let function = match self.functions.get(&id) {
            Some(function) => *function,
            None => {
                let signature = self.b.import_signature(self.target.signature(callee));
                let name = UserExternalName { namespace: 0, index: id.0 };
                let name = self.b.func.declare_imported_user_function(name);
                let name = ExternalName::user(name);
                let data = ExtFuncData { name, signature, colocated: true, patchable: false };
                let function = self.b.import_function(data);
                self.functions.insert(id, function);
                function
            }
        };
        let call = self.b.ins().call(function, &values);
        let mut results = Words::from_slice(self.b.inst_results(call));
        if self.target.calls_host[id.0 as usize] {
            self.stop();
        }
        if callee.result == Some(Type::Set) && self.words > 1 {
            results = (0..self.words)
                .map(|number| self.in_context(types::I64, Context::RESULT + 8 * number))
                .collect();
        }
        results
    }

    /// After what may have called the host: leaves the function if the program is to stop.
    fn stop(&mut self) {
        self.calls_host = true;
        let leave = match self.leave {
            Some(leave) => leave,
            None => {
                let leave = self.b.create_block();
                self.b.set_cold_block(leave);
                *self.leave.insert(leave)
            }
        };
        let stopped = self.in_context(types::I32, Context::STOPPED);
        let go_on = self.b.create_block();
        self.b.ins().brif(stopped, leave, &[], go_on, &[]);
        self.enter(go_on);
    }

    fn call_host(&mut self, id: HostId, arguments: &'a [Expr]) -> Value {
        let values: Vec<Value> = arguments.iter().map(|argument| self.number(argument)).collect();
        let address = if values.is_empty() {
            // Any address will do.
            self.context
        } else {
            let slot = match self.arguments {
                Some((slot, room)) if values.len() <= room => slot,
                _ => {
                    let data =
                        StackSlotData::new(StackSlotKind::ExplicitSlot, 4 * values.len() as u32, 3);
                    let slot = self.b.create_sized_stack_slot(data);
                    self.arguments = Some((slot, values.len()));
                    slot
                }
            };
            let address = self.b.ins().stack_addr(types::I64, slot, 0);
            for (number, value) in values.iter().enumerate() {
                self.b.ins().store(self.memory.stack, *value, address, 4 * number as i32);
            }
            address
        };
        let signature = match self.host_signature {
            Some(signature) => signature,
            None => {
                let mut signature = Signature::new(self.target.isa.default_call_conv());
                for of in [types::I64, types::I32, types::I64, types::I32] {
                    signature.params.push(AbiParam::new(of));
                }
                signature.returns.push(AbiParam::new(types::I32));
                *self.host_signature.insert(self.b.import_signature(signature))
            }
        };
        let (number, count) = (self.int(id.0 as i32), self.int(values.len() as i32));
        let trampoline = self.in_context(types::I64, Context::CALL);
        let operands = [self.context, number, address, count];
        let call = self.b.ins().call_indirect(signature, trampoline, &operands);
        let result = self.b.inst_results(call)[0];
        self.stop();
        result
    }

    /// Finds the word by its count of sites, and the site by a call.
    fn nth(&mut self, set: &Words, mut rank: Value) -> Value {
        let mut word = set[0];
        let mut base = self.int(0);
        for number in 1..self.words {
            let count = self.count(word);
            let beyond = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, rank, count);
            let less = self.b.ins().isub(rank, count);
            rank = self.b.ins().select(beyond, less, rank);
            word = self.b.ins().select(beyond, set[number], word);
            let here = self.int(64 * number as i32);
            base = self.b.ins().select(beyond, here, base);
        }
        let count = self.count(word);
        let has = self.b.ins().icmp(IntCC::UnsignedLessThan, rank, count);
        let (found, outside, done) =
            (self.b.create_block(), self.b.create_block(), self.b.create_block());
        let site = self.b.append_block_param(done, types::I32);
        self.b.ins().brif(has, found, &[], outside, &[]);
        self.enter(found);
        let signature = match self.nth_signature {
            Some(signature) => signature,
            None => {
                let mut signature = Signature::new(self.target.isa.default_call_conv());
                signature.params.push(AbiParam::new(types::I64));
                signature.params.push(AbiParam::new(types::I32));
                signature.returns.push(AbiParam::new(types::I32));
                *self.nth_signature.insert(self.b.import_signature(signature))
            }
        };
        let select = self.word(super::run::select_address() as u64);
        let call = self.b.ins().call_indirect(signature, select, &[word, rank]);
        let bit = self.b.inst_results(call)[0];
        let bit = self.b.ins().iadd(base, bit);
        self.jump_with(done, &[bit]);
        self.enter(outside);
        let none = self.int(-1);
        self.jump_with(done, &[none]);
        self.enter(done);
        site
    }

    fn count(&mut self, word: Value) -> Value {
        let count = self.b.ins().popcnt(word);
        self.b.ins().ireduce(types::I32, count)
    }
}

/// Whether a value may be computed although it is not wanted: nothing but a few instructions are lost.
fn is_cheap(value: &Expr) -> bool {
    fn fits(value: &Expr, left: &mut u32) -> bool {
        if *left == 0 {
            return false;
        }
        *left -= 1;
        match value {
            Expr::Int(_) | Expr::Get(_) | Expr::NoSites => true,
            Expr::Unary(_, e) | Expr::IsEmpty(e) | Expr::Single(e) | Expr::Shift(e, _) => {
                fits(e, left)
            }
            Expr::Binary(Binary::Div | Binary::Rem, ..) => false,
            Expr::Binary(_, a, b)
            | Expr::Compare(_, a, b)
            | Expr::Contains(a, b)
            | Expr::Combine(_, a, b)
            | Expr::IsSubset(a, b) => fits(a, left) && fits(b, left),
            _ => false,
        }
    }
    fits(value, &mut 5)
}
