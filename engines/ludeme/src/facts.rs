//! Sets of facts: features of a description, and what turns out while code is written.

use std::marker::PhantomData;

/// A set of facts of one sort.
#[derive(Clone, Copy)]
pub(crate) struct FactSet<F> {
    bits: u32,
    sort: PhantomData<F>,
}

impl<F> Default for FactSet<F> {
    fn default() -> FactSet<F> {
        FactSet { bits: 0, sort: PhantomData }
    }
}

impl<F: Into<u8>> FactSet<F> {
    /// Adds a fact.
    pub(crate) fn add(&mut self, fact: F) {
        self.add_if(true, fact);
    }

    /// Adds a fact if it holds.
    pub(crate) fn add_if(&mut self, holds: bool, fact: F) {
        self.bits |= u32::from(holds) << fact.into();
    }

    /// True if a fact is in the set.
    #[inline(always)]
    pub(crate) fn has(self, fact: F) -> bool {
        self.bits >> fact.into() & 1 != 0
    }

    /// Removes a fact; true if it was in the set.
    pub(crate) fn take(&mut self, fact: F) -> bool {
        let bit = 1 << fact.into();
        let had = self.bits & bit != 0;
        self.bits &= !bit;
        had
    }
}
