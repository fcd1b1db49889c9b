//! Machine code in memory: how it gets there, what it is called with, how it calls the host.
#![expect(unsafe_code, reason = "calls code that was made at run time, and is called by it")]

use std::any::Any;
use std::fmt;
use std::mem::{ManuallyDrop, MaybeUninit, offset_of};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use cranelift_codegen::ir::Signature;
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_jit::{ArenaMemoryProvider, JITBuilder, JITModule};
use cranelift_module::{FuncId, Module, default_libcall_names};

use super::target::{Compiled, Thunks};
use super::{MAX_NATIVE_ARRAYS, MAX_NATIVE_WORDS, Reason};
use crate::host::Host;
use crate::ir::{FunctionId, HostId, Ints, Program, SetTable, Table};
use crate::loans::{Arrays, Loans, Slot};

/// What machine code knows of a run: its first argument points here.
#[repr(C)]
pub(super) struct Context {
    /// The host, whose type the trampoline knows.
    host: *mut (),
    trampoline: Trampoline,
    budget: u32,
    /// Not 0 once the host has panicked.
    stopped: u32,
    /// Where functions leave a set of several words.
    result: [u64; MAX_NATIVE_WORDS],
    /// What is read where an index is out of range.
    zeros: [u64; MAX_NATIVE_WORDS],
    /// What is written where an index is out of range, and never read.
    sink: [u64; MAX_NATIVE_WORDS],
    /// Those of the arrays that the program has: numbers first, then sets.
    slots: [MaybeUninit<Slot>; MAX_NATIVE_ARRAYS],
    // Not for machine code.
    program: *const Arrays,
    payload: Option<Box<dyn Any + Send>>,
}

/// A call of the host: function, arguments, how many.
type Trampoline = unsafe extern "C" fn(*mut Context, u32, *const i32, u32) -> i32;

impl Context {
    pub(super) const BUDGET: usize = offset_of!(Context, budget);
    pub(super) const STOPPED: usize = offset_of!(Context, stopped);
    pub(super) const RESULT: usize = offset_of!(Context, result);
    pub(super) const ZEROS: usize = offset_of!(Context, zeros);
    pub(super) const SINK: usize = offset_of!(Context, sink);
    pub(super) const CALL: usize = offset_of!(Context, trampoline);
    /// Within a slot.
    pub(super) const POINTER: usize = offset_of!(Slot, pointer);
    pub(super) const LEN: usize = offset_of!(Slot, len);
    pub(super) const WRITTEN: usize = offset_of!(Slot, written);

    /// Where the slot with a number is.
    pub(super) const fn slot(number: usize) -> usize {
        offset_of!(Context, slots) + number * size_of::<Slot>()
    }

    pub(super) const fn ints(array: Ints) -> usize {
        Context::slot(array.0 as usize)
    }

    /// Notes where the arrays of the host are now.
    #[inline(always)]
    fn fill<H: Host>(&mut self, arrays: &Arrays, host: &mut H) {
        host.lend(&mut Loans::new(arrays, &mut self.slots));
    }
}

/// Calls the host for machine code, catches what it panics with, and notes where its arrays are then.
///
/// # Safety
/// The context must be that of a run with a host of this type, and as many arguments must be there.
unsafe extern "C" fn trampoline<H: Host>(
    context: *mut Context,
    function: u32,
    arguments: *const i32,
    count: u32,
) -> i32 {
    // SAFETY: machine code passes on the context that `Code::run` lent it for this call, and nothing else
    // uses it meanwhile.
    let context = unsafe { &mut *context };
    // SAFETY: `Code::run` stored a host of this type, which it borrows for as long as it runs; machine
    // code touches its arrays only before and after this call.
    let host = unsafe { &mut *context.host.cast::<H>() };
    // SAFETY: machine code has written so many numbers to its stack; it passes an address that is aligned
    // and not null where there are none.
    let arguments = unsafe { std::slice::from_raw_parts(arguments, count as usize) };
    // SAFETY: it points into the code that runs.
    let arrays = unsafe { &*context.program };
    let called = catch_unwind(AssertUnwindSafe(|| {
        let result = host.call(HostId(function), arguments);
        context.fill(arrays, host);
        result
    }));
    called.unwrap_or_else(|payload| {
        context.stopped = 1;
        context.payload = Some(payload);
        0
    })
}

/// Constant arrays at addresses that stay: one entry more than the program has, which is 0 or empty.
pub(super) struct Tables {
    ints: Vec<Box<[i32]>>,
    sets: Vec<Box<[u64]>>,
    words: usize,
}

impl Tables {
    pub(super) fn new(program: &Program) -> Tables {
        let ints = program.tables.iter().map(|table| {
            let padded: Vec<i32> = table.iter().copied().chain([0]).collect();
            padded.into_boxed_slice()
        });
        let sets = program.set_tables.iter().map(|table| {
            let empty = std::iter::repeat_n(0, program.words);
            let padded: Vec<u64> = table.iter().copied().chain(empty).collect();
            padded.into_boxed_slice()
        });
        Tables { ints: ints.collect(), sets: sets.collect(), words: program.words }
    }

    /// Address and number of entries, without the last one.
    pub(super) fn ints(&self, table: Table) -> (usize, u32) {
        let table = &self.ints[table.0 as usize];
        (table.as_ptr().addr(), (table.len() - 1) as u32)
    }

    /// Address and number of entries, without the last one.
    pub(super) fn sets(&self, table: SetTable) -> (usize, u32) {
        let table = &self.sets[table.0 as usize];
        (table.as_ptr().addr(), (table.len() / self.words - 1) as u32)
    }
}

/// The address of what finds the bit with a rank.
pub(super) fn select_address() -> usize {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("bmi1") && std::arch::is_x86_feature_detected!("bmi2") {
        return select_bmi2 as *const () as usize;
    }
    select as *const () as usize
}

extern "C" fn select(word: u64, rank: u32) -> u32 {
    crate::interpret::select(word, rank)
}

/// # Safety
/// The processor must have BMI1 and BMI2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi1,bmi2")]
unsafe extern "C" fn select_bmi2(word: u64, rank: u32) -> u32 {
    std::arch::x86_64::_pdep_u64(1 << rank, word).trailing_zeros()
}

/// Machine code that can run, and the constants that it reads.
pub(super) struct Code {
    module: ManuallyDrop<JITModule>,
    /// Addresses of functions.
    functions: Vec<*const u8>,
    /// Addresses of thunks without and with a result, by how many arguments there are.
    thunks: Vec<[*const u8; 2]>,
    arrays: Arrays,
    _tables: Tables,
}

// SAFETY: once it is made, nothing writes to the code, its constants and the addresses in them; what a run
// writes to is in its own context.
unsafe impl Send for Code {}
// SAFETY: as above.
unsafe impl Sync for Code {}

/// A thunk: context, arguments, function.
type Thunk = unsafe extern "C" fn(*mut Context, *const i32, *const u8) -> i32;

impl Code {
    /// Puts code into memory, which is first writable, then executable.
    pub(super) fn new(
        isa: OwnedTargetIsa,
        program: &Program,
        compiled: &[Compiled],
        thunks: &Thunks,
        tables: Tables,
    ) -> Result<Code, Reason> {
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
            arrays: Arrays {
                words: program.words,
                ints: program.ints.iter().map(|(_, access)| *access).collect(),
                sets: program.sets.iter().map(|(_, access)| *access).collect(),
            },
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
        let mut context = Context {
            host: std::ptr::null_mut(),
            trampoline: trampoline::<H>,
            budget: *budget,
            stopped: 0,
            result: [0; MAX_NATIVE_WORDS],
            zeros: [0; MAX_NATIVE_WORDS],
            sink: [0; MAX_NATIVE_WORDS],
            slots: [const { MaybeUninit::uninit() }; MAX_NATIVE_ARRAYS],
            program: &raw const self.arrays,
            payload: None,
        };
        context.fill(&self.arrays, host);
        context.host = std::ptr::from_mut(host).cast();
        let thunk = self.thunks[arguments.len()][usize::from(has_result)];
        assert!(!thunk.is_null(), "there is a thunk for every function that can be run");
        // SAFETY: there is a thunk at this address, which has these parameters; the code stays as long as
        // `self`.
        let thunk = unsafe { std::mem::transmute::<*const u8, Thunk>(thunk) };
        let target = self.functions[function.0 as usize];
        // SAFETY: the function has as many parameters as there are arguments, numbers all, and a result as
        // the thunk expects it. The program was checked, and the code compares every index with the length
        // that stands beside the pointer in the context; it writes only to arrays that were lent to be
        // written. Those stay where they are until the host is called, and then the context is filled
        // anew. The host is borrowed as long as this call lasts, and used by nothing but the trampoline.
        let result = unsafe { thunk(&raw mut context, arguments.as_ptr(), target) };
        *budget = context.budget;
        if let Some(payload) = context.payload {
            resume_unwind(payload);
        }
        result
    }
}

impl Drop for Code {
    fn drop(&mut self) {
        // SAFETY: it is not used after this.
        let module = unsafe { ManuallyDrop::take(&mut self.module) };
        // SAFETY: runs borrow `self`, so none is under way, and no address of the code is left elsewhere.
        unsafe { module.free_memory() };
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Code").field("functions", &self.functions.len()).finish_non_exhaustive()
    }
}
