//! Facts that can hold, as rows of flat relations.

use crate::datalog::base::Base;
use crate::datalog::domain::Domain;
use crate::datalog::flat::FlatId;
use crate::datalog::layout::Layouts;
use crate::datalog::plan::Size;
use crate::datalog::pool::Pool;
use crate::datalog::statics::Extent;
use crate::datalog::store::Store;
use crate::program::RelId;

/// One bit in so many is set at least, if all are gone through.
const SPARSE: u32 = 256;

/// The facts of a relation, row after row; their numbers count from 0.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    pub(super) len: u32,
    values: Vec<u32>,
}

impl Facts {
    /// From rows of which none is there twice.
    pub(super) fn new<'a>(rows: impl Iterator<Item = &'a [u32]>) -> Facts {
        let mut facts = Facts::default();
        for row in rows {
            facts.values.extend_from_slice(row);
            facts.len += 1;
        }
        facts
    }

    /// Takes those of a relation out of a store, in the memory that they have; sorted, if that is
    /// little work, so that facts which rules ask for one after the other lie side by side.
    pub(super) fn take(store: &mut Store, layouts: &Layouts, relation: usize) -> Facts {
        let layout = &layouts.relations[relation];
        let rows = &mut store.relations[relation];
        let (len, stride) = (rows.len, rows.stride as usize);
        let mut values = std::mem::take(&mut rows.values);
        match &layout.bits {
            Some((dense, word)) if dense.size / SPARSE <= len => {
                values.clear();
                store.numbers(*word as usize, 0..dense.size as usize, &mut |mut number| {
                    for column in &dense.columns {
                        values.push(number / column.multiplier + column.low);
                        number %= column.multiplier;
                    }
                });
            }
            _ => {
                let arity = layout.columns.len();
                for number in 0..len as usize {
                    values.copy_within(number * stride..number * stride + arity, number * arity);
                }
                values.truncate(len as usize * arity);
            }
        }
        values.shrink_to_fit();
        Facts { len, values }
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = &[u32]> {
        let arity = self.values.len() / (self.len as usize).max(1);
        (0..self.len as usize).map(move |number| &self.values[number * arity..][..arity])
    }

    /// The number of facts, and of different values of each column.
    pub(super) fn size(&self, arity: usize) -> Size {
        let mut domains = vec![Domain::default(); arity];
        for row in self.rows() {
            domains.iter_mut().zip(row).for_each(|(domain, &value)| domain.add(value));
        }
        let distinct = domains.iter().map(|domain| domain.range().2.into()).collect();
        Size { rows: self.len.into(), distinct, on_demand: false }
    }
}

/// The facts of what changes.
pub(super) struct Known {
    /// By flat relation.
    pub(super) facts: Vec<Facts>,
    /// The whole terms that they hold.
    pub(super) pool: Pool,
}

impl Known {
    /// The facts that are asserted, and those that are true initially. `base` is left without its
    /// whole terms.
    pub(super) fn new(base: &mut Base) -> Known {
        let pool = std::mem::take(&mut base.pool);
        let facts = ids(base).map(|id| {
            let flat = &base.flat;
            let is_true = flat.relations[id.index()].relation == RelId::TRUE;
            let own = if is_true { flat.counterpart(id, RelId::NEXT) } else { id };
            let asserted = base.facts.get(&own).into_iter().flatten().map(Vec::as_slice);
            let init = is_true.then(|| flat.counterpart(id, RelId::INIT));
            let init = init.and_then(|init| base.statics.relations[init.index()].as_ref());
            let rows = asserted.chain(init.into_iter().flat_map(Extent::rows));
            // The same may be asserted twice.
            Facts::new(Extent::new(rows, flat.relations[id.index()].columns.len()).rows())
        });
        Known { facts: facts.collect(), pool }
    }

    /// By flat relation the atom of its first fact, and how many atoms there are.
    pub(super) fn first_atoms(&self, base: &Base) -> Vec<u32> {
        let mut atoms = 0;
        let mut first = Vec::with_capacity(self.facts.len() + 1);
        for id in ids(base) {
            first.push(atoms);
            if base.changes(id) {
                atoms += self.facts[stored(base, id).index()].len;
            }
        }
        first.push(atoms);
        first
    }

    /// Bytes that they take.
    pub(super) fn bytes(&self) -> u64 {
        self.facts.iter().map(|facts| 4 * facts.values.len() as u64).sum()
    }
}

/// All flat relations.
pub(super) fn ids(base: &Base) -> impl Iterator<Item = FlatId> + use<> {
    (0..base.flat.relations.len() as u32).map(FlatId)
}

/// The relation that has the facts of another: what may be legal may be done.
pub(super) fn stored(base: &Base, id: FlatId) -> FlatId {
    match base.flat.relations[id.index()].relation {
        RelId::DOES => base.flat.counterpart(id, RelId::LEGAL),
        _ => id,
    }
}
