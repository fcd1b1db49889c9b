//! Machine code, made by Cranelift.
//!
//! Functions become functions, numbers and the words of sets values of Cranelift, arrays pointers
//! and lengths in a [`Context`](context::Context) that machine code is given as its first argument.
//! Every access is within bounds: [`ranges`] says so, or code compares them first. [`translate`]
//! and [`compile`] write the code, [`run`] runs it; there and in [`context`] alone is `unsafe`.

mod compile;
mod context;
mod limits;
mod ranges;
mod run;
mod target;
mod translate;
mod writes;

use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable};

use crate::check::Checked;
use crate::host::Host;
use crate::ir::{FunctionId, Type};
use context::Tables;
pub use limits::{MAX_NATIVE_ARRAYS, MAX_NATIVE_SIZE, MAX_NATIVE_STACK, MAX_NATIVE_WORDS, Reason};
use run::Code;

/// Machine code of a program. Threads may share it, each with a host of its own.
#[derive(Debug)]
pub struct Native {
    code: Code,
    /// By function: parameters if all are numbers and the result is no set, and whether there is a
    /// result.
    entries: Vec<Option<(usize, bool)>>,
    bytes: usize,
}

impl Native {
    /// The steps of work, of up to 100 ns each, and the bytes that it takes to compile a program,
    /// about: who compiles programs of strangers asks first.
    pub fn effort(checked: &Checked) -> (u64, u64) {
        limits::effort(checked.sizes.iter().map(|nodes| nodes * checked.program().words))
    }

    /// Compiles all functions of a program.
    pub fn new(checked: &Checked) -> Result<Native, Reason> {
        let program = checked.program();
        if program.words > MAX_NATIVE_WORDS {
            return Err(Reason::Words(program.words));
        }
        let arrays = program.ints.len() + program.sets.len();
        if arrays > MAX_NATIVE_ARRAYS {
            return Err(Reason::Arrays(arrays));
        }
        for (function, nodes) in program.functions.iter().zip(&checked.sizes) {
            let size = nodes * program.words;
            if size > MAX_NATIVE_SIZE {
                return Err(Reason::Size(function.name.clone(), size));
            }
        }
        let isa = processor()?;
        let tables = Tables::new(program);
        let (compiled, thunks) = compile::functions(program, isa.as_ref(), &tables)?;
        let bytes = compiled.iter().map(|function| function.bytes.len()).sum();
        let entries = program.functions.iter().map(|function| {
            let params = &function.locals[..function.params];
            let is_entry =
                function.result != Some(Type::Set) && params.iter().all(|of| *of == Type::Int);
            is_entry.then_some((params.len(), function.result.is_some()))
        });
        let entries = entries.collect();
        let code = Code::new(isa, checked, &compiled, &thunks, tables)?;
        Ok(Native { code, entries, bytes })
    }

    /// Runs a function, with the meaning of [`Checked::interpret`].
    ///
    /// # Panics
    /// As that does.
    pub fn run<H: Host>(
        &self,
        host: &mut H,
        function: FunctionId,
        arguments: &[i32],
        budget: &mut u32,
    ) -> i32 {
        let has_result = self.entry(function, arguments.len());
        self.code.run(host, function, arguments, has_result, budget)
    }

    /// Runs a function without parameters for one row of a host after another, each with the same
    /// budget: `next` makes the host lend the arrays of another row, and is given the result for
    /// the row before; false if there is none.
    ///
    /// # Panics
    /// As [`Native::run`] does.
    pub fn run_rows<H: Host>(
        &self,
        host: &mut H,
        function: FunctionId,
        budget: u32,
        next: impl FnMut(&mut H, Option<i32>) -> bool,
    ) {
        let has_result = self.entry(function, 0);
        self.code.run_rows(host, function, has_result, budget, next);
    }

    /// True if a function that can be run, with so many arguments, has a result.
    fn entry(&self, function: FunctionId, arguments: usize) -> bool {
        let entry = self.entries.get(function.0 as usize).copied().flatten();
        let (params, has_result) =
            entry.unwrap_or_else(|| panic!("function {} cannot be run by itself", function.0));
        assert!(params == arguments, "function {} has {params} parameters", function.0);
        has_result
    }

    /// The number of bytes of the code.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

/// The instruction set of this processor, and the settings of the code generator.
fn processor() -> Result<OwnedTargetIsa, Reason> {
    let mut flags = settings::builder();
    let known = "the name of a setting";
    // The README has what other settings give: `none` saves a sixth of the time to compile for code
    // that is 40 % longer, the other register allocator a third of it for code that is a third
    // slower.
    flags.set("opt_level", "speed").expect(known);
    flags.set("regalloc_algorithm", "backtracking").expect(known);
    // Functions are checked before; a fault of the translation shows in its tests, which verify.
    let verify = if cfg!(debug_assertions) { "true" } else { "false" };
    flags.set("enable_verifier", verify).expect(known);
    // Nothing unwinds through machine code.
    flags.set("unwind_info", "false").expect(known);
    // Large frames touch every page of theirs, without a call of the system's library.
    flags.set("probestack_strategy", "inline").expect(known);
    flags.set("is_pic", "false").expect(known);
    let refused = |reason: &dyn std::fmt::Display| Reason::Processor(reason.to_string());
    let builder = cranelift_native::builder().map_err(|reason| refused(&reason))?;
    builder.finish(settings::Flags::new(flags)).map_err(|reason| refused(&reason))
}
