use std::hash::Hasher;

use rustc_hash::FxHasher;

/// A set of tuples of one width, numbered from 0 in the order in which they came.
#[derive(Clone, Debug)]
pub(super) struct Tuples {
    width: usize,
    len: u32,
    data: Vec<u32>,
    /// Open addressing; a number plus one, or 0 for an empty slot. Empty if never searched.
    slots: Vec<u32>,
}

impl Tuples {
    pub(super) fn new(width: usize) -> Tuples {
        Tuples { width, len: 0, data: Vec::new(), slots: Vec::new() }
    }

    pub(super) fn len(&self) -> u32 {
        self.len
    }

    pub(super) fn bytes(&self) -> usize {
        4 * (self.data.capacity() + self.slots.capacity())
    }

    pub(super) fn get(&self, index: u32) -> &[u32] {
        let start = index as usize * self.width;
        &self.data[start..start + self.width]
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &[u32]> + '_ {
        (0..self.len).map(|i| self.get(i))
    }

    /// Adds a tuple without asking whether it is there. Not to be mixed with searching.
    pub(super) fn push(&mut self, tuple: &[u32]) {
        self.data.extend_from_slice(tuple);
        self.len += 1;
    }

    pub(super) fn find(&self, tuple: &[u32]) -> Option<u32> {
        let mask = self.slots.len().checked_sub(1)?;
        let mut slot = hash(tuple) & mask;
        while self.slots[slot] != 0 {
            let index = self.slots[slot] - 1;
            if self.get(index) == tuple {
                return Some(index);
            }
            slot = (slot + 1) & mask;
        }
        None
    }

    /// The number of a tuple, and whether it is new.
    pub(super) fn insert(&mut self, tuple: &[u32]) -> (u32, bool) {
        if self.slots.len() <= self.len as usize * 2 {
            self.grow();
        }
        let mask = self.slots.len() - 1;
        let mut slot = hash(tuple) & mask;
        while self.slots[slot] != 0 {
            let index = self.slots[slot] - 1;
            if self.get(index) == tuple {
                return (index, false);
            }
            slot = (slot + 1) & mask;
        }
        self.push(tuple);
        self.slots[slot] = self.len;
        (self.len - 1, true)
    }

    fn grow(&mut self) {
        let mut slots = vec![0; (self.slots.len() * 2).max(16)];
        let mask = slots.len() - 1;
        for index in 0..self.len {
            let mut slot = hash(self.get(index)) & mask;
            while slots[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            slots[slot] = index + 1;
        }
        self.slots = slots;
    }
}

fn hash(tuple: &[u32]) -> usize {
    let mut hasher = FxHasher::default();
    for &part in tuple {
        hasher.write_u32(part);
    }
    hasher.finish() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tuples_are_kept_once_in_order() {
        let mut set = Tuples::new(2);
        for i in 0..1000 {
            assert_eq!(
                set.insert(&[i % 250, i / 500]),
                ((i % 250) + 250 * (i / 500), i % 500 < 250)
            );
        }
        assert_eq!(set.len(), 500);
        assert_eq!(set.find(&[3, 1]), Some(253));
        assert_eq!(set.find(&[3, 2]), None);
        let mut empty = Tuples::new(0);
        assert_eq!(empty.find(&[]), None);
        assert_eq!([empty.insert(&[]), empty.insert(&[])], [(0, true), (0, false)]);
        assert_eq!(empty.get(0), &[] as &[u32]);
    }
}
