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
    pub(super) fn add(&mut self, fact: F) {
        self.add_if(true, fact);
    }

    pub(super) fn add_if(&mut self, holds: bool, fact: F) {
        self.bits |= u8::from(holds) << fact.into();
    }

    pub(super) fn has(self, fact: F) -> bool {
        self.bits >> fact.into() & 1 != 0
    }

    /// Takes a fact out; true if it was there.
    pub(super) fn take(&mut self, fact: F) -> bool {
        let place = fact.into();
        let had = self.bits >> place & 1 != 0;
        self.bits &= !(1 << place);
        had
    }
}
