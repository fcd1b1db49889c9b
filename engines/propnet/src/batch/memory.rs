//! The memory that lanes work in, which is used again: a few megabytes, which would take longer to
//! make than a few hundred playouts.

use std::any::Any;

use play::Pool;

use super::slots::Index;
use crate::vector::Vector;

/// The slots and planes of lanes of one kind.
pub(super) struct Memory<I: Index, V: Vector> {
    pub(super) slots: I::Slots<V>,
    pub(super) planes: Vec<V>,
}

/// Memory of all kinds of lanes, by how many words they have as a power of two.
#[derive(Default)]
pub(super) struct Memories([Pool<Box<dyn Any + Send>>; 5]);

impl Memories {
    /// Memory that somebody left, or new memory, with so many slots and planes. What has never been
    /// written has no lane in it.
    pub(super) fn take<I: Index, V: Vector>(&self, slots: u32, planes: u32) -> Memory<I, V> {
        match self.of::<V>().take().map(Box::<dyn Any + Send>::downcast) {
            Some(Ok(left)) => *left,
            _ => Memory { slots: I::slots(slots as usize), planes: vec![V::NONE; planes as usize] },
        }
    }

    /// Leaves memory to whoever comes next.
    pub(super) fn leave<I: Index, V: Vector>(&self, memory: Memory<I, V>) {
        self.of::<V>().put(Box::new(memory));
    }

    fn of<V: Vector>(&self) -> &Pool<Box<dyn Any + Send>> {
        &self.0[V::WORDS.trailing_zeros() as usize]
    }
}
