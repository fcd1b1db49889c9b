//! Sources of the outcomes of chance while rules are evaluated.

use std::cell::{Cell, RefCell};

use crate::buffer::Buffer;

/// A source of outcomes.
pub(crate) trait ChanceSource {
    /// An outcome in `0..n`; `n` is not 0.
    fn below(&self, n: u32) -> u32;

    /// Different numbers in `0..n`, as many as there are up to `count`, every choice as likely as
    /// every other. They are drawn one by one among those that are left, which takes few draws.
    fn different(&self, n: u32, count: u32) -> Buffer<u32> {
        let mut left: Buffer<u32> = (0..n).collect();
        let draw = |_| {
            let at = self.below(left.len() as u32) as usize;
            let last = left.len() - 1;
            left.remove(at.min(last))
        };
        (0..count.min(n)).map(draw).collect()
    }

    /// The face that a die with so many faces shows after a throw.
    fn face(&self, _die: usize, faces: u32) -> u32 {
        self.below(faces)
    }

    /// The number of outcomes drawn, if they are kept.
    fn drawn(&self) -> usize {
        0
    }

    /// The source itself, where outcomes are kept or given again: for what is only tried, whose
    /// outcomes belong to no list.
    fn aside(&self) -> Option<&dyn ChanceSource> {
        None
    }
}

/// `None` where nothing is left to chance, or outcomes are not asked for.
pub(crate) type MaybeChance<'c> = Option<&'c dyn ChanceSource>;

/// Chance as the harness hands it out.
pub(crate) struct HarnessChance<'c>(RefCell<&'c mut dyn play::Chance>);

impl<'c> HarnessChance<'c> {
    /// Lets rules ask this source.
    pub(crate) fn new(chance: &'c mut dyn play::Chance) -> HarnessChance<'c> {
        HarnessChance(RefCell::new(chance))
    }
}

impl ChanceSource for HarnessChance<'_> {
    fn below(&self, n: u32) -> u32 {
        self.0.borrow_mut().below(n)
    }
}

/// Keeps the outcomes that are drawn while moves are listed: they belong to the list.
pub(crate) struct Recorder<'a> {
    chance: &'a dyn ChanceSource,
    draws: RefCell<&'a mut Vec<u32>>,
}

impl<'a> Recorder<'a> {
    /// Keeps what is drawn from a source, and nothing else.
    pub(crate) fn new(chance: &'a dyn ChanceSource, draws: &'a mut Vec<u32>) -> Recorder<'a> {
        draws.clear();
        Recorder { chance, draws: RefCell::new(draws) }
    }

    fn keep(&self, outcome: u32) -> u32 {
        self.draws.borrow_mut().push(outcome);
        outcome
    }
}

impl ChanceSource for Recorder<'_> {
    fn below(&self, n: u32) -> u32 {
        self.keep(self.chance.below(n))
    }

    fn face(&self, die: usize, faces: u32) -> u32 {
        self.keep(self.chance.face(die, faces))
    }

    fn drawn(&self) -> usize {
        self.draws.borrow().len()
    }

    fn aside(&self) -> Option<&dyn ChanceSource> {
        Some(self.chance)
    }
}

/// Gives the outcomes again that were drawn while moves were listed, up to the move that is made;
/// what it draws itself is new.
pub(crate) struct Replayed<'a> {
    draws: &'a [u32],
    next: Cell<usize>,
    chance: MaybeChance<'a>,
}

impl<'a> Replayed<'a> {
    /// Gives these outcomes, then those of a source; without one every further outcome is the
    /// first.
    pub(crate) fn new(draws: &'a [u32], chance: MaybeChance<'a>) -> Replayed<'a> {
        Replayed { draws, next: Cell::new(0), chance }
    }

    fn known(&self) -> Option<u32> {
        let known = self.draws.get(self.next.get()).copied();
        self.next.set(self.next.get() + usize::from(known.is_some()));
        known
    }
}

impl ChanceSource for Replayed<'_> {
    fn below(&self, n: u32) -> u32 {
        let known = self.known().map(|outcome| outcome.min(n - 1));
        known.unwrap_or_else(|| self.chance.map_or(0, |chance| chance.below(n)))
    }

    fn face(&self, die: usize, faces: u32) -> u32 {
        let known = self.known().map(|outcome| outcome.min(faces - 1));
        known.unwrap_or_else(|| self.chance.map_or(0, |chance| chance.face(die, faces)))
    }

    fn aside(&self) -> Option<&dyn ChanceSource> {
        self.chance
    }
}
