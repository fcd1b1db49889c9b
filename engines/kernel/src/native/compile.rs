//! Compiles all functions of a program, one by one.

use std::collections::BTreeMap;

use cranelift_codegen::Context as Compiler;
use cranelift_codegen::ir::{
    self as clif, AbiParam, InstBuilder, MemFlagsData, Signature, UserFuncName, types,
};
use cranelift_codegen::isa::TargetIsa;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_module::{FuncId, ModuleReloc};

use super::context::Tables;
use super::limits::{MAX_NATIVE_STACK, Reason};
use super::ranges::TableRanges;
use super::target::Target;
use super::translate::Translation;
use crate::ir::{Program, Type};

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

/// All functions of a program in order, then the thunks.
pub(super) fn functions(
    program: &Program,
    isa: &dyn TargetIsa,
    tables: &Tables,
) -> Result<(Vec<Compiled>, Thunks), Reason> {
    let ranges = TableRanges::of(program);
    let mut target = Target { program, isa, tables, ranges, calls_host: Vec::new() };
    let mut compiler = Compiler::new();
    let mut builder = FunctionBuilderContext::new();
    let mut compiled: Vec<Compiled> = Vec::new();
    // Bytes of stack of functions with the deepest chain of what they call.
    let mut stacks: Vec<usize> = Vec::new();
    for (number, function) in program.functions.iter().enumerate() {
        compiler.clear();
        compiler.func.name = UserFuncName::user(0, number as u32);
        compiler.func.signature = target.signature(function);
        let (calls, calls_host) =
            Translation::function(&target, function, &mut compiler.func, &mut builder);
        target.calls_host.push(calls_host);
        let code = finish(isa, &mut compiler, number, &function.name)?;
        let below = calls.iter().map(|callee| stacks[callee.0 as usize]).max();
        let stack = code.frame + below.unwrap_or(0);
        if stack > MAX_NATIVE_STACK {
            return Err(Reason::Stack(function.name.clone(), stack));
        }
        stacks.push(stack);
        compiled.push(code);
    }
    let thunks = thunks_of(program);
    let mut in_order: Vec<_> = thunks.iter().collect();
    in_order.sort_by_key(|(_, number)| **number);
    for ((arguments, has_result), number) in in_order {
        compiler.clear();
        compiler.func.name = UserFuncName::user(0, *number);
        thunk(isa, *arguments, *has_result, &mut compiler.func, &mut builder);
        compiled.push(finish(isa, &mut compiler, *number as usize, "entry")?);
    }
    Ok((compiled, thunks))
}

/// The thunks that a program needs, numbered behind its functions.
fn thunks_of(program: &Program) -> Thunks {
    let mut thunks = Thunks::new();
    for function in &program.functions {
        if function.locals[..function.params].iter().all(|of| *of == Type::Int)
            && function.result != Some(Type::Set)
        {
            let next = (program.functions.len() + thunks.len()) as u32;
            thunks.entry((function.params, function.result.is_some())).or_insert(next);
        }
    }
    thunks
}

fn finish(
    isa: &dyn TargetIsa,
    compiler: &mut Compiler,
    number: usize,
    name: &str,
) -> Result<Compiled, Reason> {
    #[expect(clippy::default_trait_access, reason = "the type is not exported here")]
    let done = compiler.compile(isa, &mut Default::default());
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

/// A function of context, arguments in memory, and the function that is called with them.
fn thunk(
    isa: &dyn TargetIsa,
    arguments: usize,
    has_result: bool,
    func: &mut clif::Function,
    builder: &mut FunctionBuilderContext,
) {
    let convention = isa.default_call_conv();
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
    let result = if has_result { b.inst_results(call)[0] } else { b.ins().iconst(types::I32, 0) };
    b.ins().return_(&[result]);
    b.finalize(isa.frontend_config());
}
