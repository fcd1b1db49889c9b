//! The arrays on whose promised length a function relies.

use std::collections::BTreeMap;

use crate::ir::{Access, LentArray, Program};
use crate::loans::{Slice, Slices};
use crate::walk::{Use, each_use};

/// An array that a function, or what it calls, reads or writes, with the entries that are promised.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Need {
    /// Its number: arrays of numbers come first, then those of sets.
    pub(crate) array: u32,
    pub(crate) least: u32,
    /// True if it is written.
    pub(crate) written: bool,
}

impl Need {
    /// # Panics
    /// If the array is shorter than it was promised to be.
    #[inline(always)]
    pub(crate) fn check(self, len: u32, written: u32) {
        let entries = if self.written { len.min(written) } else { len };
        if entries < self.least {
            self.refuse(entries);
        }
    }

    #[cold]
    fn refuse(self, entries: u32) -> ! {
        panic!("array {} has {entries} entries of {} that were promised", self.array, self.least);
    }

    /// Checks what the interpreter is lent.
    pub(crate) fn check_all(needs: &[Need], lent: &mut Slices<'_>, words: usize) {
        fn entries<T: Copy>(slice: &mut Slice<'_, T>) -> [usize; 2] {
            [slice.get().len(), slice.get_mut().len()]
        }
        for need in needs {
            let number = need.array as usize;
            let [len, written] = match number.checked_sub(lent.ints.len()) {
                None => entries(&mut lent.ints[number]),
                Some(number) => entries(&mut lent.sets[number]).map(|len| len / words),
            };
            need.check(len.min(1 << 31) as u32, written.min(1 << 31) as u32);
        }
    }
}

/// The needs of each function of a program.
pub(crate) fn needs(program: &Program) -> Vec<Box<[Need]>> {
    let mut all: Vec<Box<[Need]>> = Vec::new();
    for function in &program.functions {
        let mut search = Search { program, known: &all, found: BTreeMap::new() };
        each_use(&function.body, &mut |found| search.note(&found));
        let needs = search.found.into_iter().map(|(array, (least, written))| Need {
            array,
            least,
            written,
        });
        let needs = needs.collect();
        all.push(needs);
    }
    all
}

struct Search<'a> {
    program: &'a Program,
    known: &'a [Box<[Need]>],
    /// By number: the entries promised, and whether it is written.
    found: BTreeMap<u32, (u32, bool)>,
}

impl Search<'_> {
    fn note(&mut self, found: &Use<'_>) {
        match *found {
            Use::Ints(array, _, access) => {
                self.add(array.0, &self.program.ints[array.0 as usize], access);
            }
            Use::Sets(array, _, access) => {
                let number = self.program.ints.len() as u32 + array.0;
                self.add(number, &self.program.sets[array.0 as usize], access);
            }
            Use::Call(function) => self.call(function.0),
            Use::Host(_) => {}
        }
    }

    fn add(&mut self, number: u32, lent: &LentArray, access: Access) {
        if lent.least > 0 {
            let least = lent.least.min(1 << 31) as u32;
            // What is only read is never written, `Draw` included.
            let writes = access == Access::Write && lent.access == Access::Write;
            let (_, written) = self.found.entry(number).or_insert((least, false));
            *written |= writes;
        }
    }

    fn call(&mut self, function: u32) {
        for need in &self.known[function as usize] {
            let (_, written) = self.found.entry(need.array).or_insert((need.least, false));
            *written |= need.written;
        }
    }
}
