//! Lists whose memory is reused: a playout under way asks the allocator for no memory.

use std::cell::RefCell;
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::thread::LocalKey;

use crate::ir::EffectId;
use crate::set::Set;

/// Unused lists of one type, with the number of bytes that they have room for.
pub(crate) struct Pool<T> {
    lists: Vec<Vec<T>>,
    bytes: usize,
}

/// Most bytes, and most lists, that a thread keeps of each type. The rest of the memory that
/// dropped games have used is freed.
const MOST_KEPT: (usize, usize) = (1 << 20, 4096);

impl<T> Pool<T> {
    pub(crate) const fn new() -> Pool<T> {
        Pool { lists: Vec::new(), bytes: 0 }
    }

    fn take(&mut self) -> Vec<T> {
        let list = self.lists.pop().unwrap_or_default();
        self.bytes -= list.capacity() * size_of::<T>();
        list
    }

    fn keep(&mut self, list: Vec<T>) {
        let bytes = self.bytes + list.capacity() * size_of::<T>();
        if bytes <= MOST_KEPT.0 && self.lists.len() < MOST_KEPT.1 {
            self.bytes = bytes;
            self.lists.push(list);
        }
    }
}

/// An item of lists that are reused.
pub(crate) trait Pooled: Sized + 'static {
    /// The unused lists of this thread.
    fn pool() -> &'static LocalKey<RefCell<Pool<Self>>>;
}

/// Implements [`Pooled`] for types.
macro_rules! pooled {
    ($($item:ty),*) => {$(
        impl $crate::buffer::Pooled for $item {
            fn pool() -> &'static std::thread::LocalKey<
                std::cell::RefCell<$crate::buffer::Pool<$item>>,
            > {
                use std::cell::RefCell;
                use $crate::buffer::Pool;
                thread_local!(
                    static POOL: RefCell<Pool<$item>> = const { RefCell::new(Pool::new()) }
                );
                &POOL
            }
        }
    )*};
}
pub(crate) use pooled;

pooled!(u8, u16, u32, u64, i32, usize, bool, Option<i32>, (u64, usize), EffectId, Set);

/// A list that takes its memory from a dropped one, and leaves it to a later one. An empty list has
/// none.
pub(crate) struct Buffer<T: Pooled>(Vec<T>);

impl<T: Pooled> Buffer<T> {
    /// An empty list.
    #[inline(always)]
    pub(crate) const fn new() -> Buffer<T> {
        Buffer(Vec::new())
    }

    /// A list of one item.
    pub(crate) fn one(item: T) -> Buffer<T> {
        let mut list = Buffer::new();
        list.push(item);
        list
    }

    /// A list with an item repeated.
    pub(crate) fn filled(item: T, length: usize) -> Buffer<T>
    where
        T: Clone,
    {
        let mut list = Buffer::new();
        list.ready();
        list.resize(length, item);
        list
    }

    /// Reserves memory, so that none has to be allocated when the list grows.
    #[inline(always)]
    pub(crate) fn ready(&mut self) {
        if self.0.capacity() == 0 {
            self.0 = T::pool().with_borrow_mut(Pool::take);
        }
    }

    #[inline]
    pub(crate) fn push(&mut self, item: T) {
        self.ready();
        self.0.push(item);
    }

    #[inline]
    pub(crate) fn extend_from_slice(&mut self, items: &[T])
    where
        T: Clone,
    {
        if !items.is_empty() {
            self.ready();
            self.0.extend_from_slice(items);
        }
    }

    /// Inserts items in front of the item at an index.
    pub(crate) fn put_in(&mut self, index: usize, items: &[T])
    where
        T: Copy,
    {
        let end = self.0.len();
        self.extend_from_slice(items);
        self.0[index..].rotate_right(items.len());
        debug_assert_eq!(self.0.len(), end + items.len());
    }
}

impl<T: Pooled> Drop for Buffer<T> {
    #[inline]
    fn drop(&mut self) {
        if self.0.capacity() > 0 {
            self.0.clear();
            let list = std::mem::take(&mut self.0);
            // When a thread ends, its pool may be gone already.
            let _ = T::pool().try_with(|pool| pool.borrow_mut().keep(list));
        }
    }
}

impl<T: Pooled> Default for Buffer<T> {
    fn default() -> Buffer<T> {
        Buffer::new()
    }
}

impl<T: Pooled> Deref for Buffer<T> {
    type Target = Vec<T>;

    #[inline(always)]
    fn deref(&self) -> &Vec<T> {
        &self.0
    }
}

impl<T: Pooled> DerefMut for Buffer<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Vec<T> {
        &mut self.0
    }
}

impl<T: Pooled + Clone> Clone for Buffer<T> {
    fn clone(&self) -> Buffer<T> {
        let mut copy = Buffer::new();
        copy.extend_from_slice(self);
        copy
    }

    fn clone_from(&mut self, from: &Buffer<T>) {
        self.0.clear();
        self.extend_from_slice(from);
    }
}

impl<T: Pooled + PartialEq> PartialEq for Buffer<T> {
    fn eq(&self, other: &Buffer<T>) -> bool {
        self.0 == other.0
    }
}

impl<T: Pooled + fmt::Debug> fmt::Debug for Buffer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<T: Pooled> Extend<T> for Buffer<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        items.into_iter().for_each(|item| self.push(item));
    }
}

impl<T: Pooled> FromIterator<T> for Buffer<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Buffer<T> {
        let mut list = Buffer::new();
        list.extend(items);
        list
    }
}

impl<T: Pooled, const N: usize> From<[T; N]> for Buffer<T> {
    fn from(items: [T; N]) -> Buffer<T> {
        items.into_iter().collect()
    }
}

impl<'a, T: Pooled> IntoIterator for &'a Buffer<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> std::slice::Iter<'a, T> {
        self.0.iter()
    }
}

/// The items of a list that is consumed, stored in reverse.
pub(crate) struct Items<T: Pooled>(Buffer<T>);

impl<T: Pooled> Iterator for Items<T> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        self.0.0.pop()
    }
}

impl<T: Pooled> IntoIterator for Buffer<T> {
    type Item = T;
    type IntoIter = Items<T>;

    fn into_iter(mut self) -> Items<T> {
        self.0.reverse();
        Items(self)
    }
}

#[cfg(test)]
mod tests {
    use super::{Buffer, MOST_KEPT};

    #[test]
    fn memory_is_used_again() {
        let mut list: Buffer<i32> = (0..1000).collect();
        list.put_in(1, &[7, 8]);
        assert_eq!((&list[..4], list.len()), (&[0, 7, 8, 1][..], 1002));
        assert!(list.into_iter().skip(3).eq(1..1000));
        let mut next: Buffer<i32> = Buffer::new();
        assert_eq!(next.capacity(), 0);
        next.push(1);
        assert!(next.capacity() >= 1000 && next[..] == [1]);
    }

    #[test]
    fn not_more_memory_is_kept_than_a_bound() {
        let many = |length: usize| -> Vec<Buffer<u64>> {
            (0..100).map(|_| Buffer::filled(1, length)).collect()
        };
        drop(many(10_000));
        let again = allocation_counter::measure(|| drop(Buffer::<u64>::filled(1, 10_000)));
        assert_eq!(again.count_total, 0);
        // Together the lists have more than is kept, and one of them has more than that.
        for length in [10_000, 1_000_000] {
            let kept = allocation_counter::measure(|| drop(many(length))).bytes_current;
            assert!(kept <= MOST_KEPT.0 as i64 + 100_000, "{kept} bytes");
        }
    }
}
