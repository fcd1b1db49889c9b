//! The arrays that a host lends.

use std::marker::PhantomData;
#[cfg(feature = "native")]
use std::mem::MaybeUninit;

use smallvec::SmallVec;

use crate::ir::{Ints, Program, Sets};

/// Takes the arrays that a host lends; those that it is not given have no entries. An array that is
/// lent for reading alone is not written: a program that writes to it does nothing.
#[derive(Debug)]
pub struct Loans<'a> {
    to: Borrower<'a>,
    /// Arrays must stay as long as the host is borrowed, no less.
    lent: PhantomData<fn(&'a mut ()) -> &'a mut ()>,
}

#[derive(Debug)]
#[cfg_attr(
    feature = "native",
    expect(clippy::large_enum_variant, reason = "it is on the stack for a moment")
)]
enum Borrower<'a> {
    Interpreter(Slices<'a>),
    #[cfg(feature = "native")]
    Native {
        ints: &'a mut [MaybeUninit<Slot>],
        sets: &'a mut [MaybeUninit<Slot>],
        words: usize,
    },
}

impl<'a> Loans<'a> {
    /// Lends numbers to be read.
    #[inline(always)]
    pub fn ints(&mut self, array: Ints, entries: &'a [i32]) {
        match &mut self.to {
            Borrower::Interpreter(slices) => put(&mut slices.ints, array.0, Slice::Read(entries)),
            #[cfg(feature = "native")]
            Borrower::Native { ints, .. } => put_slot(ints, array.0, Slot::read(entries)),
        }
    }

    /// Lends numbers to be read and written.
    #[inline(always)]
    pub fn ints_mut(&mut self, array: Ints, entries: &'a mut [i32]) {
        match &mut self.to {
            Borrower::Interpreter(slices) => put(&mut slices.ints, array.0, Slice::Write(entries)),
            #[cfg(feature = "native")]
            Borrower::Native { ints, .. } => {
                put_slot(ints, array.0, Slot::written(entries));
            }
        }
    }

    /// Lends sets to be read: words, one set after the other. What is left at the end, with fewer
    /// words than a set has, is not read.
    #[inline(always)]
    pub fn sets(&mut self, array: Sets, words: &'a [u64]) {
        match &mut self.to {
            Borrower::Interpreter(slices) => put(&mut slices.sets, array.0, Slice::Read(words)),
            #[cfg(feature = "native")]
            Borrower::Native { sets, words: of_set, .. } => {
                put_slot(sets, array.0, Slot::read(words).of_sets(*of_set));
            }
        }
    }

    /// Lends sets to be read and written.
    #[inline(always)]
    pub fn sets_mut(&mut self, array: Sets, words: &'a mut [u64]) {
        match &mut self.to {
            Borrower::Interpreter(slices) => put(&mut slices.sets, array.0, Slice::Write(words)),
            #[cfg(feature = "native")]
            Borrower::Native { sets, words: of_set, .. } => {
                put_slot(sets, array.0, Slot::written(words).of_sets(*of_set));
            }
        }
    }

    /// For the interpreter, which is lent nothing yet.
    pub(crate) fn to_interpreter(program: &Program) -> Loans<'a> {
        let ints = (0..program.ints.len()).map(|_| Slice::Read(&[])).collect();
        let sets = (0..program.sets.len()).map(|_| Slice::Read(&[])).collect();
        Loans { to: Borrower::Interpreter(Slices { ints, sets }), lent: PhantomData }
    }

    /// The arrays that were lent to the interpreter.
    pub(crate) fn into_slices(self) -> Slices<'a> {
        match self.to {
            Borrower::Interpreter(slices) => slices,
            #[cfg(feature = "native")]
            Borrower::Native { .. } => Slices::default(),
        }
    }
}

fn put<'a, T>(lent: &mut [Slice<'a, T>], number: u32, slice: Slice<'a, T>) {
    if let Some(place) = lent.get_mut(number as usize) {
        *place = slice;
    }
}

/// The arrays that the interpreter is lent, by their numbers.
#[derive(Debug, Default)]
pub(crate) struct Slices<'a> {
    pub(crate) ints: SmallVec<[Slice<'a, i32>; 16]>,
    pub(crate) sets: SmallVec<[Slice<'a, u64>; 8]>,
}

/// An array of the host for the interpreter.
#[derive(Debug)]
pub(crate) enum Slice<'a, T> {
    Read(&'a [T]),
    Write(&'a mut [T]),
}

impl<T: Copy> Slice<'_, T> {
    pub(crate) fn get(&self) -> &[T] {
        match self {
            Slice::Read(entries) => entries,
            Slice::Write(entries) => entries,
        }
    }

    /// Those that may be written: all or none.
    pub(crate) fn get_mut(&mut self) -> &mut [T] {
        match self {
            Slice::Read(_) => &mut [],
            Slice::Write(entries) => entries,
        }
    }

    /// Copies so many of the first entries of an array to another.
    pub(crate) fn copy(lent: &mut [Slice<'_, T>], to: u32, from: u32, entries: usize) {
        // An array that is copied to itself stays as it is.
        if let Ok([to, from]) = lent.get_disjoint_mut([to as usize, from as usize]) {
            let (to, from) = (to.get_mut(), from.get());
            let entries = entries.min(to.len()).min(from.len());
            to[..entries].copy_from_slice(&from[..entries]);
        }
    }
}

/// An array of the host for machine code.
#[cfg(feature = "native")]
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    pub(crate) pointer: *mut u8,
    /// Entries, at most as many as indexes that are not negative.
    pub(crate) len: u32,
    /// Entries that may be written: all or none.
    pub(crate) written: u32,
}

#[cfg(feature = "native")]
impl Slot {
    const NONE: Slot = Slot { pointer: std::ptr::null_mut(), len: 0, written: 0 };

    #[inline(always)]
    fn read<T>(array: &[T]) -> Slot {
        let len = array.len().min(1 << 31) as u32;
        Slot { pointer: array.as_ptr().cast_mut().cast(), len, written: 0 }
    }

    #[inline(always)]
    fn written<T>(array: &mut [T]) -> Slot {
        let len = array.len().min(1 << 31) as u32;
        Slot { pointer: array.as_mut_ptr().cast(), len, written: len }
    }

    /// Of words as many sets as there are.
    #[inline(always)]
    fn of_sets(self, words: usize) -> Slot {
        // A division takes long, and most boards fit into a word.
        if words == 1 {
            return self;
        }
        let words = words as u32;
        Slot { len: self.len / words, written: self.written / words, ..self }
    }
}

#[cfg(feature = "native")]
#[inline(always)]
fn put_slot(slots: &mut [MaybeUninit<Slot>], number: u32, slot: Slot) {
    if let Some(place) = slots.get_mut(number as usize) {
        *place = MaybeUninit::new(slot);
    }
}

#[cfg(feature = "native")]
impl<'a> Loans<'a> {
    /// For machine code, which is lent nothing yet: numbers first, then sets of so many words.
    #[inline(always)]
    pub(crate) fn to_native(
        slots: &'a mut [MaybeUninit<Slot>],
        [ints, sets, words]: [usize; 3],
    ) -> Loans<'a> {
        let (ints, sets) = slots[..ints + sets].split_at_mut(ints);
        ints.fill(MaybeUninit::new(Slot::NONE));
        sets.fill(MaybeUninit::new(Slot::NONE));
        Loans { to: Borrower::Native { ints, sets, words }, lent: PhantomData }
    }
}
