//! Machine code, made by Cranelift.
//!
//! Functions become functions, numbers and the words of sets values of Cranelift, arrays pointers and
//! lengths in a [`Context`](run::Context) that machine code is given as its first argument. Every access
//! is within bounds that are compared first. [`target`] and [`translate`] write the code, [`run`] runs it;
//! there alone is `unsafe`.

mod run;
mod target;
mod translate;

use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable};

use crate::check::Checked;
use crate::host::Host;
use crate::ir::{FunctionId, Type};
use run::Code;
use target::Target;

/// The most words that a set may have in machine code.
pub const MAX_NATIVE_WORDS: usize = 6;

/// The most arrays that a program may be lent in machine code.
pub const MAX_NATIVE_ARRAYS: usize = 128;

/// The most nodes of a function, times the words of a set, that machine code is made of. Cranelift keeps
/// numbers of values in 24 bits, and some ten values come of a node.
pub const MAX_NATIVE_SIZE: usize = 1 << 18;

/// The most bytes of stack that machine code may take, calls included; threads have 2 MiB or more.
pub const MAX_NATIVE_STACK: usize = 512 << 10;

/// Machine code of a program. Threads may share it, each with a host of its own.
#[derive(Debug)]
pub struct Native {
    code: Code,
    /// By function: parameters if all are numbers and the result is no set, and whether there is a result.
    entries: Vec<Option<(usize, bool)>>,
    bytes: usize,
}

/// Why there is no machine code of a program. The interpreter runs it all the same.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Reason {
    /// Machine code keeps the words of sets in registers.
    #[error("sets have {0} words, machine code is made for at most {MAX_NATIVE_WORDS}")]
    Words(usize),
    /// Pointers to arrays are kept in a block of a fixed size.
    #[error("there are {0} arrays, machine code is made for at most {MAX_NATIVE_ARRAYS}")]
    Arrays(usize),
    /// Cranelift makes no code for this processor.
    #[error("no machine code is made for this processor: {0}")]
    Processor(String),
    /// Cranelift refuses a function.
    #[error("no machine code is made of function {0}: {1}")]
    Function(String, String),
    /// Calls might overflow the stack.
    #[error("function {0} and what it calls take {1} bytes of stack, more than {MAX_NATIVE_STACK}")]
    Stack(String, usize),
    /// Cranelift has room for so many values in a function.
    #[error(
        "function {0} has {1} nodes and words, machine code is made of at most {MAX_NATIVE_SIZE}"
    )]
    Size(String, usize),
    /// The system gives no memory for code.
    #[error("there is no memory for machine code: {0}")]
    Memory(String),
}

impl Native {
    /// Compiles all functions of a program. That takes some ten microseconds a [node](Checked::nodes), so
    /// who compiles programs of strangers looks at their nodes first.
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
        let tables = run::Tables::new(program);
        let (compiled, thunks) = Target::new(program, isa.as_ref(), &tables).compile()?;
        let bytes = compiled.iter().map(|function| function.bytes.len()).sum();
        let entries = program.functions.iter().map(|function| {
            let params = &function.locals[..function.params];
            let is_entry =
                function.result != Some(Type::Set) && params.iter().all(|of| *of == Type::Int);
            is_entry.then_some((params.len(), function.result.is_some()))
        });
        let entries = entries.collect();
        let code = Code::new(isa, program, &compiled, &thunks, tables)?;
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
        let entry = self.entries.get(function.0 as usize).copied().flatten();
        let (params, has_result) =
            entry.unwrap_or_else(|| panic!("function {} cannot be run by itself", function.0));
        assert!(params == arguments.len(), "function {} has {params} parameters", function.0);
        self.code.run(host, function, arguments, has_result, budget)
    }

    /// How many bytes the code has.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

/// What this processor can do, and how code is made for it.
fn processor() -> Result<OwnedTargetIsa, Reason> {
    let mut flags = settings::builder();
    let known = "the name of a setting";
    // The README has what other settings give: `none` saves a sixth of the time to compile for code that
    // is 40 % longer, the other register allocator a third of it for code that is a third slower.
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
