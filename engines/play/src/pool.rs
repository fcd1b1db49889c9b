//! Memory that is used again.

use std::fmt;
use std::sync::{Mutex, PoisonError, TryLockError};

/// A pool of objects that are expensive to make, for reuse by any thread.
pub struct Pool<T> {
    /// The value that is used first, and taken along by nobody: a thread that is alone takes one
    /// lock, and finds it in its caches.
    first: Mutex<Option<T>>,
    /// Others, for whoever comes while that is in use.
    spare: Mutex<Vec<T>>,
}

impl<T> Pool<T> {
    /// Does something with a value that lies here, or with a new one, which is kept afterwards.
    pub fn with<R>(&self, make: impl FnOnce() -> T, run: impl FnOnce(&mut T) -> R) -> R {
        let first = match self.first.try_lock() {
            Ok(first) => Some(first),
            Err(TryLockError::Poisoned(first)) => Some(first.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        };
        if let Some(mut first) = first {
            return run(first.get_or_insert_with(make));
        }
        let mut value = self.take().unwrap_or_else(make);
        let result = run(&mut value);
        self.put(value);
        result
    }

    /// A value that lies here, for whoever cannot do with a function what is to be done with it.
    pub fn take(&self) -> Option<T> {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    /// Lays a value down, to be used again.
    pub fn put(&self, value: T) {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner).push(value);
    }
}

impl<T> Default for Pool<T> {
    fn default() -> Pool<T> {
        Pool { first: Mutex::new(None), spare: Mutex::new(Vec::new()) }
    }
}

impl<T> fmt::Debug for Pool<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Pool")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_made_is_used_again_and_never_twice_at_once() {
        let pool = Pool::default();
        pool.with(Vec::new, |one: &mut Vec<u8>| {
            one.push(1);
            pool.with(Vec::new, |other| assert!(other.is_empty()));
        });
        let lengths = [0, 1].map(|_| pool.with(|| vec![0; 9], |one| std::mem::take(one).len()));
        assert_eq!(lengths.iter().sum::<usize>(), 1);
        assert_eq!([pool.take(), pool.take()], [Some(Vec::new()), None], "the first one stays");
        pool.put(vec![7]);
        assert_eq!(pool.take(), Some(vec![7]));
    }
}
