//! The game that code is written for.

use std::ops::Deref;

use sites::SiteSet;

use crate::game::{Definition, to_set};
use crate::ir::{Int, SetId};

/// A set of sites while code is written, with the most words that code can have.
pub(super) type Sites = SiteSet<{ kernel::MAX_NATIVE_WORDS }, usize>;

/// The game that code is written for.
pub(super) struct Context<'g> {
    pub(super) definition: &'g Definition,
    /// The value of a number that depends only on the origin and the destination of a move.
    pub(super) fixed: &'g dyn Fn(&Int, usize, u16) -> i32,
}

impl Deref for Context<'_> {
    type Target = Definition;

    fn deref(&self) -> &Definition {
        self.definition
    }
}

impl Context<'_> {
    /// The number of words of a set in code.
    pub(super) fn words(&self) -> usize {
        self.layout.sizes.words
    }

    /// The number of sites that a set in code has room for.
    pub(super) fn room(&self) -> usize {
        64 * self.words()
    }

    /// A region that never changes.
    pub(super) fn set(&self, id: SetId) -> Sites {
        to_set(self.region(id))
    }

    /// The sites of the board.
    pub(super) fn board(&self) -> Sites {
        Sites::below(self.world.topology.sites())
    }

    /// The sites of all containers.
    pub(super) fn everywhere(&self) -> Sites {
        to_set(&self.world.all_sites())
    }
}
