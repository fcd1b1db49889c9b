//! The memory that machine code is given: the state of a run, constant arrays, and a function that
//! it calls.
#![expect(unsafe_code, reason = "is called by code that was made at run time")]

use std::any::Any;
use std::mem::{MaybeUninit, offset_of};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use super::limits::{MAX_NATIVE_ARRAYS, MAX_NATIVE_WORDS};
use crate::host::Host;
use crate::ir::{HostId, Ints, Program, SetTable, Table};
use crate::loans::{Loans, Slot};
use crate::needs::Need;

/// The state of a run for machine code, whose first argument points here.
#[repr(C)]
pub(super) struct Context {
    /// The host, whose type the trampoline knows.
    host: *mut (),
    trampoline: Trampoline,
    budget: u32,
    /// Not 0 once the host has panicked.
    stopped: u32,
    /// The result of functions that return a set of several words.
    result: [u64; MAX_NATIVE_WORDS],
    /// The words that are read if an index is out of range.
    zeros: [u64; MAX_NATIVE_WORDS],
    /// The words that are written, and never read, if an index is out of range.
    sink: [u64; MAX_NATIVE_WORDS],
    /// The slots of the arrays that the program has: numbers first, then sets.
    slots: [MaybeUninit<Slot>; MAX_NATIVE_ARRAYS],
    // Not for machine code.
    arrays: [usize; 3],
    needs: *const [Need],
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

    /// The offset of the slot with this number.
    pub(super) const fn slot(number: usize) -> usize {
        offset_of!(Context, slots) + number * size_of::<Slot>()
    }

    pub(super) const fn ints(array: Ints) -> usize {
        Context::slot(array.0 as usize)
    }

    /// Of a run with a host of this type, which has not [begun](Context::begin).
    #[inline(always)]
    pub(super) fn new<H: Host>(arrays: [usize; 3], needs: &[Need], budget: u32) -> Context {
        Context {
            host: std::ptr::null_mut(),
            trampoline: trampoline::<H>,
            budget,
            stopped: 0,
            result: [0; MAX_NATIVE_WORDS],
            zeros: [0; MAX_NATIVE_WORDS],
            sink: [0; MAX_NATIVE_WORDS],
            slots: [const { MaybeUninit::uninit() }; MAX_NATIVE_ARRAYS],
            arrays,
            needs: &raw const *needs,
            payload: None,
        }
    }

    /// Takes the arrays of the host.
    #[inline(always)]
    pub(super) fn begin<H: Host>(&mut self, needs: &[Need], host: &mut H) {
        self.fill(needs, host);
        self.host = std::ptr::from_mut(host).cast();
    }

    /// Notes what is left of the budget, and goes on with the panic of the host if it ended by one.
    #[inline(always)]
    pub(super) fn end(&mut self, budget: &mut u32) {
        *budget = self.budget;
        if let Some(payload) = self.payload.take() {
            resume_unwind(payload);
        }
    }

    /// Sets the budget of another run.
    #[inline(always)]
    pub(super) fn refill(&mut self, budget: u32) {
        self.budget = budget;
    }

    /// Notes where the arrays of the host are now.
    ///
    /// # Panics
    /// If one that is needed is shorter than was promised.
    #[inline(always)]
    fn fill<H: Host>(&mut self, needs: &[Need], host: &mut H) {
        host.lend(&mut Loans::to_native(&mut self.slots, self.arrays));
        for need in needs {
            // SAFETY: `Loans` gives each array of the program a slot, and needs are of such arrays.
            let slot = unsafe { self.slots[need.array as usize].assume_init() };
            need.check(slot.len, slot.written);
        }
    }
}

/// Calls the host for machine code, catches what it panics with, and notes where its arrays are
/// then.
///
/// # Safety
/// The context must be that of a run with a host of this type, and as many arguments must be there.
unsafe extern "C" fn trampoline<H: Host>(
    context: *mut Context,
    function: u32,
    arguments: *const i32,
    count: u32,
) -> i32 {
    // SAFETY: machine code passes on the context that `Code::run` lent it for this call, and
    // nothing else uses it meanwhile.
    let context = unsafe { &mut *context };
    // SAFETY: `Code::run` stored a host of this type, which it borrows for as long as it runs;
    // machine code touches its arrays only before and after this call.
    let host = unsafe { &mut *context.host.cast::<H>() };
    // SAFETY: machine code has written so many numbers to its stack; it passes an address that is
    // aligned and not null where there are none.
    let arguments = unsafe { std::slice::from_raw_parts(arguments, count as usize) };
    // SAFETY: it points into the code that runs.
    let needs = unsafe { &*context.needs };
    let called = catch_unwind(AssertUnwindSafe(|| {
        let result = host.call(HostId(function), arguments);
        context.fill(needs, host);
        result
    }));
    called.unwrap_or_else(|payload| {
        context.stopped = 1;
        context.payload = Some(payload);
        0
    })
}

/// Constant arrays at addresses that stay. Beyond what the program has come entries that are 0 or
/// empty: at least one, and as many as make one for each site and one more.
pub(super) struct Tables {
    ints: Vec<Box<[i32]>>,
    sets: Vec<Box<[u64]>>,
    words: usize,
}

impl Tables {
    pub(super) fn new(program: &Program) -> Tables {
        let entries = |entries: usize| (entries + 1).max(64 * program.words + 1);
        let ints = program.tables.iter().map(|table| {
            let mut padded = table.to_vec();
            padded.resize(entries(table.len()), 0);
            padded.into_boxed_slice()
        });
        let sets = program.set_tables.iter().map(|table| {
            let mut padded = table.to_vec();
            padded.resize(entries(table.len() / program.words) * program.words, 0);
            padded.into_boxed_slice()
        });
        Tables { ints: ints.collect(), sets: sets.collect(), words: program.words }
    }

    /// Address and the last entry.
    pub(super) fn ints(&self, table: Table) -> (usize, u32) {
        let table = &self.ints[table.0 as usize];
        (table.as_ptr().addr(), (table.len() - 1) as u32)
    }

    /// Address and the last entry.
    pub(super) fn sets(&self, table: SetTable) -> (usize, u32) {
        let table = &self.sets[table.0 as usize];
        (table.as_ptr().addr(), (table.len() / self.words - 1) as u32)
    }
}

/// Makes numbers 0.
///
/// # Safety
/// As many from the address on must be there to be written.
pub(super) unsafe extern "C" fn clear(first: *mut i32, count: u32) {
    // SAFETY: as the caller promises.
    unsafe { std::ptr::write_bytes(first, 0, count as usize) }
}

/// Copies bytes.
///
/// # Safety
/// As many from both addresses on must be there, to be written and to be read.
pub(super) unsafe extern "C" fn copy(to: *mut u8, from: *const u8, bytes: usize) {
    // SAFETY: as the caller promises; one array may be copied to itself.
    unsafe { std::ptr::copy(from, to, bytes) }
}
