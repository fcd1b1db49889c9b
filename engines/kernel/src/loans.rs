//! The arrays that a host lends to machine code, as pointers and lengths.

use std::marker::PhantomData;
use std::mem::MaybeUninit;

use crate::ir::{Access, Ints, Sets};

/// The arrays that a program is lent.
#[derive(Debug)]
pub(crate) struct Arrays {
    pub(crate) words: usize,
    pub(crate) ints: Vec<Access>,
    pub(crate) sets: Vec<Access>,
}

/// An array of the host.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    pub(crate) pointer: *mut u8,
    /// Entries, at most as many as indexes that are not negative.
    pub(crate) len: u32,
    /// Entries that may be written: all or none.
    pub(crate) written: u32,
}

impl Slot {
    pub(crate) const NONE: Slot = Slot { pointer: std::ptr::null_mut(), len: 0, written: 0 };

    #[inline(always)]
    pub(crate) fn read<T>(array: &[T]) -> Slot {
        let len = array.len().min(1 << 31) as u32;
        Slot { pointer: array.as_ptr().cast_mut().cast(), len, written: 0 }
    }

    #[inline(always)]
    pub(crate) fn written<T>(array: &mut [T]) -> Slot {
        let len = array.len().min(1 << 31) as u32;
        Slot { pointer: array.as_mut_ptr().cast(), len, written: len }
    }

    /// Of words as many sets as there are.
    #[inline(always)]
    fn of_sets(self, words: usize) -> Slot {
        let words = words as u32;
        Slot { len: self.len / words, written: self.written / words, ..self }
    }
}

/// Takes the arrays that a host lends to machine code; those that it is not given have no entries.
#[derive(Debug)]
pub struct Loans<'a> {
    arrays: &'a Arrays,
    slots: &'a mut [MaybeUninit<Slot>],
    /// Arrays must stay as long as the host is borrowed, no less.
    lent: PhantomData<fn(&'a mut ()) -> &'a mut ()>,
}

impl<'a> Loans<'a> {
    /// Nothing is lent yet.
    #[inline(always)]
    pub(crate) fn new(arrays: &'a Arrays, slots: &'a mut [MaybeUninit<Slot>]) -> Loans<'a> {
        slots[..arrays.ints.len() + arrays.sets.len()].fill(MaybeUninit::new(Slot::NONE));
        Loans { arrays, slots, lent: PhantomData }
    }

    /// The arrays that may be lent.
    pub(crate) fn arrays(&self) -> &'a Arrays {
        self.arrays
    }

    #[inline(always)]
    pub(crate) fn put(&mut self, number: usize, slot: Slot) {
        if let Some(place) = self.slots.get_mut(number) {
            *place = MaybeUninit::new(slot);
        }
    }

    #[inline(always)]
    pub(crate) fn put_sets(&mut self, array: Sets, slot: Slot) {
        let slot = slot.of_sets(self.arrays.words);
        self.put(self.arrays.ints.len() + array.0 as usize, slot);
    }

    /// Lends numbers to be read.
    #[inline(always)]
    pub fn ints(&mut self, array: Ints, entries: &'a [i32]) {
        self.put(array.0 as usize, Slot::read(entries));
    }

    /// Lends numbers to be read and written.
    #[inline(always)]
    pub fn ints_mut(&mut self, array: Ints, entries: &'a mut [i32]) {
        self.put(array.0 as usize, Slot::written(entries));
    }

    /// Lends sets to be read: words, one set after the other.
    #[inline(always)]
    pub fn sets(&mut self, array: Sets, words: &'a [u64]) {
        self.put_sets(array, Slot::read(words));
    }

    /// Lends sets to be read and written.
    #[inline(always)]
    pub fn sets_mut(&mut self, array: Sets, words: &'a mut [u64]) {
        self.put_sets(array, Slot::written(words));
    }
}
