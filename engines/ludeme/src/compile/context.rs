//! The game that code is written for.

use std::ops::Deref;

use crate::game::{Definition, to_set};
use crate::ir::{Int, SetId};
use crate::set::Set;

/// A set of sites while code is written, with as many words as any code can have.
pub(super) type Sites = Set<{ kernel::MAX_NATIVE_WORDS }>;

/// What is known of a game while code is written for it.
pub(super) struct Context<'g> {
    pub(super) definition: &'g Definition,
    /// What a number is that both ends of a move fix.
    pub(super) fixed: &'g dyn Fn(&Int, usize, u16) -> i32,
}

impl Deref for Context<'_> {
    type Target = Definition;

    fn deref(&self) -> &Definition {
        self.definition
    }
}

impl Context<'_> {
    /// Words of a set in code.
    pub(super) fn words(&self) -> usize {
        self.layout.sizes.words
    }

    /// How many sites a set in code has room for.
    pub(super) fn room(&self) -> usize {
        64 * self.words()
    }

    /// A region that never changes.
    pub(super) fn set(&self, id: SetId) -> Sites {
        to_set(&self.regions[id.0 as usize])
    }

    /// Sites of the board that are played on.
    pub(super) fn board(&self) -> Sites {
        Sites::below(self.world.topology.sites())
    }

    /// Sites of all containers.
    pub(super) fn everywhere(&self) -> Sites {
        to_set(&self.world.all_sites())
    }
}
