//! Facts met so far, and indexes over them.

use rustc_hash::FxHashMap;

use crate::ground::pattern::{Path, Shape};
use crate::ground::tuples::Tuples;
use crate::terms::{TermId, Terms};

/// Which facts of a relation to look at, and by what to find them.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct IndexSpec {
    pub(super) relation: usize,
    /// Compound terms that have to stand at these places.
    pub(super) shapes: Vec<Shape>,
    /// The places whose terms make up the key.
    pub(super) keys: Vec<Path>,
}

/// Facts by key, in the order of their numbers. Brought up to date by [`Facts::refresh`] only.
#[derive(Clone, Debug)]
pub(super) struct Index {
    spec: IndexSpec,
    keys: Tuples,
    /// First and last entry of each key.
    ends: Vec<(u32, u32)>,
    /// Number of the fact, and the next entry of the same key.
    entries: Vec<(u32, u32)>,
    /// So many facts of the relation have been looked at.
    seen: u32,
}

/// No entry.
pub(super) const NONE: u32 = u32::MAX;

impl Index {
    /// The first entry of a key.
    pub(super) fn first(&self, key: &[u32]) -> u32 {
        self.keys.find(key).map_or(NONE, |k| self.ends[k as usize].0)
    }

    /// The number of the fact of an entry, and the next entry.
    pub(super) fn entry(&self, entry: u32) -> (u32, u32) {
        self.entries[entry as usize]
    }

    fn bytes(&self) -> usize {
        self.keys.bytes() + 8 * (self.ends.capacity() + self.entries.capacity())
    }
}

/// How many facts have some shapes, and how many different terms stand at a place of these.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spread {
    pub(super) facts: u32,
    pub(super) distinct: u32,
    /// Facts of the relation when this was counted.
    of: u32,
}

/// The facts of all relations.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    pub(super) terms: Terms,
    pub(super) relations: Vec<Tuples>,
    indexes: Vec<Index>,
    by_spec: FxHashMap<IndexSpec, usize>,
    spreads: FxHashMap<(usize, Vec<Shape>, Path), Spread>,
}

impl Facts {
    pub(super) fn new(terms: Terms, arities: impl Iterator<Item = usize>) -> Facts {
        Facts {
            terms,
            relations: arities.map(Tuples::new).collect(),
            indexes: Vec::new(),
            by_spec: FxHashMap::default(),
            spreads: FxHashMap::default(),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        // A term takes a node, its arguments, and a boxed key in the table.
        self.relations.iter().map(Tuples::bytes).sum::<usize>()
            + self.indexes.iter().map(Index::bytes).sum::<usize>()
            + self.terms.len() * 100
    }

    /// The term at a place of a tuple, if the tuple has that place.
    pub(super) fn at(&self, tuple: &[u32], path: &Path) -> Option<u32> {
        let (&first, rest) = path.split_first()?;
        let mut term = *tuple.get(first as usize)?;
        for &step in rest {
            term = self.terms.args(TermId(term)).get(step as usize)?.0;
        }
        Some(term)
    }

    /// Whether a compound term of this shape stands there.
    pub(super) fn has_shape(&self, tuple: &[u32], shape: &Shape) -> bool {
        self.at(tuple, &shape.path).is_some_and(|t| {
            self.terms.functor(TermId(t)) == shape.functor
                && self.terms.args(TermId(t)).len() == shape.arity
        })
    }

    /// The index of this kind, made if it is not there; not yet up to date.
    pub(super) fn index(&mut self, spec: &IndexSpec) -> usize {
        if let Some(&index) = self.by_spec.get(spec) {
            return index;
        }
        self.indexes.push(Index {
            spec: spec.clone(),
            keys: Tuples::new(spec.keys.len()),
            ends: Vec::new(),
            entries: Vec::new(),
            seen: 0,
        });
        self.by_spec.insert(spec.clone(), self.indexes.len() - 1);
        self.indexes.len() - 1
    }

    pub(super) fn indexed(&self, index: usize) -> &Index {
        &self.indexes[index]
    }

    /// Adds the facts that came since the last time to an index; returns how many these were.
    pub(super) fn refresh(&mut self, index: usize) -> u64 {
        let mut taken = std::mem::replace(
            &mut self.indexes[index],
            Index {
                spec: IndexSpec { relation: 0, shapes: Vec::new(), keys: Vec::new() },
                keys: Tuples::new(0),
                ends: Vec::new(),
                entries: Vec::new(),
                seen: 0,
            },
        );
        let facts = &self.relations[taken.spec.relation];
        let before = taken.seen;
        let mut key = Vec::with_capacity(taken.spec.keys.len());
        while taken.seen < facts.len() {
            let fact = taken.seen;
            taken.seen += 1;
            let tuple = facts.get(fact);
            if !taken.spec.shapes.iter().all(|s| self.has_shape(tuple, s)) {
                continue;
            }
            key.clear();
            key.extend(taken.spec.keys.iter().filter_map(|path| self.at(tuple, path)));
            let entry = taken.entries.len() as u32;
            taken.entries.push((fact, NONE));
            let (k, new) = taken.keys.insert(&key);
            if new {
                taken.ends.push((entry, entry));
            } else {
                let last = std::mem::replace(&mut taken.ends[k as usize].1, entry);
                taken.entries[last as usize].1 = entry;
            }
        }
        let added = u64::from(taken.seen - before);
        self.indexes[index] = taken;
        added
    }

    /// Statistics for planning; counted anew when the relation has doubled.
    pub(super) fn spread(&mut self, relation: usize, shapes: &[Shape], path: &Path) -> Spread {
        let of = self.relations[relation].len();
        let key = (relation, shapes.to_vec(), path.clone());
        if let Some(&known) = self.spreads.get(&key)
            && of <= known.of.saturating_mul(2)
        {
            return known;
        }
        let mut distinct = Tuples::new(1);
        let mut facts = 0;
        for tuple in self.relations[relation].iter() {
            if shapes.iter().all(|s| self.has_shape(tuple, s))
                && let Some(term) = self.at(tuple, path)
            {
                facts += 1;
                distinct.insert(&[term]);
            }
        }
        let spread = Spread { facts, distinct: distinct.len(), of };
        self.spreads.insert(key, spread);
        spread
    }
}
