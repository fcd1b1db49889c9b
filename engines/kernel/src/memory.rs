//! Memory for the arrays of a program.

use std::ops::{Index, IndexMut};

use crate::host::Host;
use crate::ir::{HostId, Ints, Program, Sets};
use crate::loans::Loans;

/// The arrays of a program, by their numbers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Memory {
    /// Arrays of numbers.
    pub ints: Vec<Vec<i32>>,
    /// Words of arrays of sets.
    pub sets: Vec<Vec<u64>>,
}

impl Memory {
    /// Each array with as many entries as the program was promised at least, all of them 0.
    pub fn new(program: &Program) -> Memory {
        let ints = program.ints.iter().map(|lent| vec![0; lent.least]).collect();
        let sets = program.sets.iter().map(|lent| vec![0; program.words * lent.least]).collect();
        Memory { ints, sets }
    }
}

/// A host without functions.
impl Host for Memory {
    #[inline]
    fn lend<'a>(&'a mut self, loans: &mut Loans<'a>) {
        for (number, entries) in (0..).zip(&mut self.ints) {
            loans.ints_mut(Ints(number), entries);
        }
        for (number, words) in (0..).zip(&mut self.sets) {
            loans.sets_mut(Sets(number), words);
        }
    }

    fn call(&mut self, _: HostId, _: &[i32]) -> i32 {
        0
    }
}

macro_rules! index {
    ($($array:ident, $arrays:ident: $entry:ty),*) => {$(
        impl Index<$array> for Memory {
            type Output = [$entry];

            #[inline(always)]
            fn index(&self, array: $array) -> &[$entry] {
                &self.$arrays[array.0 as usize]
            }
        }

        impl IndexMut<$array> for Memory {
            #[inline(always)]
            fn index_mut(&mut self, array: $array) -> &mut [$entry] {
                &mut self.$arrays[array.0 as usize]
            }
        }
    )*};
}

index!(Ints, ints: i32, Sets, sets: u64);
