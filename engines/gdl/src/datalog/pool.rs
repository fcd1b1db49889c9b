//! Whole terms, for columns that cannot be taken apart into constants.

use rustc_hash::FxHashMap;

use super::universe::Universe;
use crate::limits::{MAX_DEPTH, MAX_TERMS};
use crate::symbols::Symbol;
use crate::terms::{TermId, Terms};

/// Hash-consed terms made of values; their ids count on from the constants.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pool {
    constants: u32,
    nodes: Vec<Node>,
    args: Vec<u32>,
    ids: FxHashMap<Box<[u32]>, u32>,
    key: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    functor: Symbol,
    start: u32,
    arity: u32,
    depth: u32,
}

impl Pool {
    /// An empty pool over so many constants.
    pub(crate) fn new(constants: u32) -> Pool {
        Pool { constants, ..Pool::default() }
    }

    /// Bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        // The words of a term stand in its key as well.
        let words = 2 * self.args.len() + self.nodes.len();
        let entry = size_of::<(Box<[u32]>, u32)>() + 1;
        4 * words + size_of::<Node>() * self.nodes.len() + entry * self.ids.capacity()
    }

    /// Number of terms.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    fn fill_key(&mut self, functor: Symbol, args: impl Iterator<Item = u32>) {
        self.key.clear();
        self.key.push(functor.0);
        self.key.extend(args);
    }

    /// The id of a term, if it is there.
    pub(crate) fn find(&mut self, functor: Symbol, args: impl Iterator<Item = u32>) -> Option<u32> {
        self.fill_key(functor, args);
        self.ids.get(self.key.as_slice()).copied()
    }

    /// The id of a term, new or known; `None` if there is no room for it.
    pub(crate) fn make(&mut self, functor: Symbol, args: impl Iterator<Item = u32>) -> Option<u32> {
        self.fill_key(functor, args);
        if let Some(&id) = self.ids.get(self.key.as_slice()) {
            return Some(id);
        }
        let inner = self.key[1..].iter().filter_map(|&a| self.node(a)).map(|node| node.depth);
        let depth = inner.max().unwrap_or(0) + 1;
        if depth > MAX_DEPTH || self.nodes.len() >= MAX_TERMS {
            return None;
        }
        let id = self.constants + self.nodes.len() as u32;
        let (start, arity) = (self.args.len() as u32, self.key.len() as u32 - 1);
        self.args.extend_from_slice(&self.key[1..]);
        self.nodes.push(Node { functor, start, arity, depth });
        self.ids.insert(self.key.as_slice().into(), id);
        Some(id)
    }

    fn node(&self, value: u32) -> Option<&Node> {
        self.nodes.get(value.checked_sub(self.constants)? as usize)
    }

    /// Functor and arguments of a value that is a whole term; `None` for constants.
    pub(crate) fn open(&self, value: u32) -> Option<(Symbol, &[u32])> {
        let &Node { functor, start, arity, .. } = self.node(value)?;
        Some((functor, &self.args[start as usize..(start + arity) as usize]))
    }

    /// Forgets all terms but the first `len`.
    pub(crate) fn truncate(&mut self, len: usize) {
        while self.nodes.len() > len
            && let Some(node) = self.nodes.pop()
        {
            let args = self.args.split_off(node.start as usize);
            self.fill_key(node.functor, args.into_iter());
            self.ids.remove(self.key.as_slice());
        }
    }

    /// Forgets all terms beyond the first `len` but those that `keep` names, and what these are
    /// made of; replaces the values by their new ones.
    pub(crate) fn compact<'a>(&mut self, len: usize, keep: impl Iterator<Item = &'a mut u32>) {
        let old = self.clone();
        self.truncate(len);
        let mut moved = FxHashMap::default();
        for value in keep {
            *value = old.copy_to(self, *value, &mut moved);
        }
    }

    /// Copies a term to another pool; [`MAX_DEPTH`] bounds the recursion.
    fn copy_to(&self, to: &mut Pool, value: u32, moved: &mut FxHashMap<u32, u32>) -> u32 {
        if let Some(&id) = moved.get(&value) {
            return id;
        }
        let Some((functor, args)) = self.open(value) else { return value };
        let args: Vec<u32> = args.iter().map(|&a| self.copy_to(to, a, moved)).collect();
        let id = to.make(functor, args.into_iter()).unwrap_or(value);
        moved.insert(value, id);
        id
    }

    /// The value as a term of a general store.
    pub(crate) fn term(&self, universe: &Universe, value: u32, terms: &mut Terms) -> TermId {
        match self.open(value) {
            Some((functor, args)) => {
                let args: Vec<TermId> =
                    args.iter().map(|&a| self.term(universe, a, terms)).collect();
                terms.compound(functor, &args)
            }
            None => terms.constant(universe.symbol(value).unwrap_or(Symbol(0))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_terms_are_one_and_compaction_keeps_what_is_named() {
        let mut pool = Pool::new(10);
        let f = Symbol(3);
        let a = pool.make(f, [1, 2].into_iter()).unwrap();
        assert_eq!(pool.make(f, [1, 2].into_iter()), Some(a));
        assert_eq!(pool.find(f, [2, 1].into_iter()), None);
        let base = pool.len();
        let b = pool.make(f, [a, 4].into_iter()).unwrap();
        let mut c = pool.make(f, [b, a].into_iter()).unwrap();
        pool.make(f, [7, 7].into_iter()).unwrap();
        pool.compact(base, std::iter::once(&mut c));
        assert_eq!(pool.len(), 3);
        let (_, args) = pool.open(c).unwrap();
        assert_eq!(args[1], a);
        assert_eq!(pool.open(args[0]), Some((f, &[a, 4][..])));
        pool.truncate(base);
        assert_eq!((pool.len(), pool.find(f, [a, 4].into_iter())), (1, None));
        assert_eq!(pool.find(f, [1, 2].into_iter()), Some(a));
    }

    #[test]
    fn depth_is_bounded() {
        let mut pool = Pool::new(1);
        let mut value = 0;
        let made = (0..5000).take_while(|_| match pool.make(Symbol(0), [value].into_iter()) {
            Some(next) => {
                value = next;
                true
            }
            None => false,
        });
        assert_eq!(made.count(), MAX_DEPTH as usize);
    }
}
