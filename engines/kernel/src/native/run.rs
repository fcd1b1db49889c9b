//! Machine code in memory: how it gets there, and how it is called.
#![expect(unsafe_code, reason = "calls code that was made at run time")]

use std::fmt;
use std::mem::ManuallyDrop;

use cranelift_codegen::ir::Signature;
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_jit::{ArenaMemoryProvider, JITBuilder, JITModule};
use cranelift_module::{FuncId, Module, default_libcall_names};

use super::compile::{Compiled, Thunks};
use super::context::{Context, Tables};
use super::limits::Reason;
use crate::check::Checked;
use crate::host::Host;
use crate::ir::FunctionId;
use crate::needs::Need;

/// Machine code that can run, and the constants that it reads.
pub(super) struct Code {
    module: ManuallyDrop<JITModule>,
    /// Addresses of functions.
    functions: Vec<*const u8>,
    /// Addresses of thunks without and with a result, by how many arguments there are.
    thunks: Vec<[*const u8; 2]>,
    /// How many arrays of numbers and of sets there are, and how many words a set has.
    arrays: [usize; 3],
    /// The array lengths that each function relies on.
    needs: Vec<Box<[Need]>>,
    _tables: Tables,
}

// SAFETY: once it is made, nothing writes to the code, its constants and the addresses in them;
// what a run writes to is in its own context.
unsafe impl Send for Code {}
// SAFETY: as above.
unsafe impl Sync for Code {}

/// A thunk: context, arguments, function.
type Thunk = unsafe extern "C" fn(*mut Context, *const i32, *const u8) -> i32;

impl Code {
    /// Puts code into memory, which is first writable, then executable.
    pub(super) fn new(
        isa: OwnedTargetIsa,
        checked: &Checked,
        compiled: &[Compiled],
        thunks: &Thunks,
        tables: Tables,
    ) -> Result<Code, Reason> {
        let program = checked.program();
        let refused = |error: &dyn fmt::Display| Reason::Memory(error.to_string());
        let convention = isa.default_call_conv();
        let mut builder = JITBuilder::with_isa(isa, default_libcall_names());
        // One piece of memory, so that calls reach from any function to any other.
        let size = compiled.iter().map(|code| code.bytes.len() + 64 + code.alignment as usize);
        let arena = ArenaMemoryProvider::new_with_size(size.sum::<usize>() + (1 << 16));
        builder.memory_provider(Box::new(arena.map_err(|error| refused(&error))?));
        let mut module = JITModule::new(builder);
        let ids: Result<Vec<FuncId>, _> = compiled
            .iter()
            .map(|_| module.declare_anonymous_function(&Signature::new(convention)))
            .collect();
        let ids = ids.map_err(|error| refused(&error))?;
        debug_assert!(ids.iter().enumerate().all(|(n, id)| id.as_u32() as usize == n));
        let mut code = Code {
            module: ManuallyDrop::new(module),
            functions: Vec::new(),
            thunks: Vec::new(),
            arrays: [program.ints.len(), program.sets.len(), program.words],
            needs: checked.needs.clone(),
            _tables: tables,
        };
        for (id, Compiled { bytes, alignment, relocations, .. }) in ids.iter().zip(compiled) {
            code.module
                .define_function_bytes(*id, *alignment, bytes, relocations)
                .map_err(|error| refused(&error))?;
        }
        code.module.finalize_definitions().map_err(|error| refused(&error))?;
        for id in &ids {
            code.functions.push(code.module.get_finalized_function(*id));
        }
        let most = thunks.keys().map(|(arguments, _)| *arguments + 1).max();
        code.thunks.resize(most.unwrap_or(0), [std::ptr::null(); 2]);
        for ((arguments, has_result), number) in thunks {
            code.thunks[*arguments][usize::from(*has_result)] = code.functions[*number as usize];
        }
        Ok(code)
    }

    /// Runs a function of numbers, with as many arguments as it has parameters.
    pub(super) fn run<H: Host>(
        &self,
        host: &mut H,
        function: FunctionId,
        arguments: &[i32],
        has_result: bool,
        budget: &mut u32,
    ) -> i32 {
        let needs = &self.needs[function.0 as usize];
        let mut context = Context::new::<H>(self.arrays, needs, *budget);
        context.begin(needs, host);
        let result = self.call(&mut context, function, arguments, has_result);
        context.end(budget);
        result
    }

    /// Runs a function of no parameters for one row of a host after another.
    pub(super) fn run_rows<H: Host>(
        &self,
        host: &mut H,
        function: FunctionId,
        has_result: bool,
        budget: u32,
        mut next: impl FnMut(&mut H, Option<i32>) -> bool,
    ) {
        let needs = &self.needs[function.0 as usize];
        let mut context = Context::new::<H>(self.arrays, needs, budget);
        let mut result = None;
        while next(host, result) {
            context.begin(needs, host);
            result = Some(self.call(&mut context, function, &[], has_result));
            context.end(&mut { budget });
            context.refill(budget);
        }
    }

    /// Calls a function with a context that has begun.
    #[inline(always)]
    fn call(
        &self,
        context: &mut Context,
        function: FunctionId,
        arguments: &[i32],
        has_result: bool,
    ) -> i32 {
        let thunk = self.thunks[arguments.len()][usize::from(has_result)];
        assert!(!thunk.is_null(), "there is a thunk for every function that can be run");
        // SAFETY: there is a thunk at this address, which has these parameters; the code stays as
        // long as `self`.
        let thunk = unsafe { std::mem::transmute::<*const u8, Thunk>(thunk) };
        let target = self.functions[function.0 as usize];
        // SAFETY: the function has as many parameters as there are arguments, numbers all, and a
        // result as the thunk expects it. The program was checked, and the code compares every
        // index with the length that stands beside the pointer in the context, but for those that
        // are known to be within what was promised of an array, which the context has checked; it
        // writes only to arrays that were lent to be written. Those stay where they are until the
        // host is called, and then the context is filled anew. The host has been borrowed since the
        // context began, for as long as this call lasts, and is used by nothing but the trampoline.
        unsafe { thunk(&raw mut *context, arguments.as_ptr(), target) }
    }
}

impl Drop for Code {
    fn drop(&mut self) {
        // SAFETY: it is not used after this.
        let module = unsafe { ManuallyDrop::take(&mut self.module) };
        // SAFETY: runs borrow `self`, so none is under way, and no address of the code is left
        // elsewhere.
        unsafe { module.free_memory() };
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Code").field("functions", &self.functions.len()).finish_non_exhaustive()
    }
}
