//! Sets of facts that turn out while code is written.

use std::marker::PhantomData;

/// A set of facts of one sort.
#[derive(Clone, Copy)]
pub(super) struct FactSet<F> {
    bits: u8,
    sort: PhantomData<F>,
}

impl<F> Default for FactSet<F> {
    fn default() -> FactSet<F> {
        FactSet { bits: 0, sort: PhantomData }
    }
}

impl<F: Into<u8>> FactSet<F> {
    /// Adds a fact.
    pub(super) fn add(&mut self, fact: F) {
        self.add_if(true, fact);
    }

    /// Adds a fact if it holds.
    pub(super) fn add_if(&mut self, holds: bool, fact: F) {
        self.bits |= u8::from(holds) << fact.into();
    }

    /// True if a fact is in the set.
    pub(super) fn has(self, fact: F) -> bool {
        self.bits >> fact.into() & 1 != 0
    }

    /// Removes a fact; true if it was in the set.
    pub(super) fn take(&mut self, fact: F) -> bool {
        let bit = 1 << fact.into();
        let had = self.bits & bit != 0;
        self.bits &= !bit;
        had
    }
}
