//! What is known of a program however its rules are compiled.

use rustc_hash::FxHashMap;

use super::demand;
use super::domain::{Domain, Domains};
use super::flat::{FlatId, FlatProgram};
use super::plan::Size;
use super::pool::Pool;
use super::schedule::Schedule;
use super::shapes::Shape;
use super::statics::{Extent, Statics};
use super::store::{Column, Layouts};
use super::universe::Universe;
use crate::program::RelId;

/// Rows expected in a relation of which nothing is known.
pub(super) const GUESS: f64 = 20.0;

/// Everything about a program that does not depend on how rules are compiled.
pub(super) struct Base {
    pub(super) flat: FlatProgram,
    pub(super) schedule: Schedule,
    pub(super) universe: Universe,
    pub(super) statics: Statics,
    /// Whole terms that facts and relations that do not change hold.
    pub(super) pool: Pool,
    /// Facts of relations that change.
    pub(super) facts: FxHashMap<FlatId, Vec<Vec<u32>>>,
    /// By flat relation: its number in the store, if it changes.
    pub(super) slots: Vec<Option<usize>>,
    /// How the relations of the store are kept, without indexes yet.
    pub(super) layouts: Layouts,
    /// By flat relation; of those that change a guess.
    pub(super) sizes: Vec<Size>,
    /// What their columns can hold, once that is known.
    pub(super) domains: Option<Domains>,
    /// Whether some rule asks what will be true.
    pub(super) next_is_read: bool,
}

impl Base {
    /// Takes note of all rows of a relation that does not change.
    pub(super) fn settle(&mut self, id: FlatId, extent: Extent) {
        let distinct = (0..extent.columns.len()).map(|c| {
            let mut values: Vec<u32> = extent.rows().map(|row| row[c]).collect();
            values.sort_unstable();
            values.dedup();
            values.len() as f64
        });
        self.sizes[id.index()] =
            Size { rows: extent.len as f64, distinct: distinct.collect(), on_demand: false };
        self.statics.relations[id.index()] = Some(extent);
    }

    pub(super) fn columns(&self, id: FlatId) -> Vec<Column> {
        let ranges = self.ranges(id).map(|range| match range {
            Some((low, high, _)) => Column::Range { low, size: high - low + 1 },
            None => Column::Anything,
        });
        ranges.collect()
    }

    /// By column of a relation that changes: the least and the greatest value, and how many there
    /// are, where they are constants.
    pub(super) fn ranges(&self, id: FlatId) -> impl Iterator<Item = Option<(u32, u32, u32)>> {
        let columns = self.flat.relations[id.index()].columns.iter().enumerate();
        columns.map(move |(column, node)| {
            let node = (*node)?;
            let domain = self.domains.as_ref().and_then(|all| all[id.index()][column].as_ref());
            Some(domain.map_or_else(|| self.universe.range(&self.flat, node), Domain::range))
        })
    }

    /// Sizes of all relations; `rows` says how many rows to expect where they change.
    pub(super) fn sizes(&self, rows: impl Fn(FlatId) -> f64) -> Vec<Size> {
        (0..self.flat.relations.len())
            .map(|index| match &self.statics.relations[index] {
                Some(_) => self.sizes[index].clone(),
                None => self.guessed_size(FlatId(index as u32), rows(FlatId(index as u32))),
            })
            .collect()
    }

    /// The size of a relation with so many rows whose columns take all values that they can.
    pub(super) fn guessed_size(&self, id: FlatId, rows: f64) -> Size {
        let distinct = self.ranges(id).map(|range| range.map_or(rows, |(.., count)| count.into()));
        Size { rows, distinct: distinct.collect(), on_demand: false }
    }

    /// The rows to expect in a relation that changes before anything was measured.
    pub(super) fn guess(&self, id: FlatId) -> f64 {
        match self.flat.relations[id.index()].relation {
            RelId::DOES => 1.0,
            RelId::TRUE => {
                let init = self.flat.counterpart(id, RelId::INIT);
                let rows = self.statics.relations[init.index()].as_ref().map_or(0, |e| e.len);
                (rows as f64).max(1.0)
            }
            _ => GUESS,
        }
    }

    /// The flat relations of `true` and of `next`, by number in the store.
    pub(super) fn steps(&self) -> impl Iterator<Item = (usize, usize)> {
        let slot = |id: FlatId| self.slots[id.index()].unwrap_or(0);
        let all = self.flat.of(RelId::TRUE);
        all.map(move |id| (slot(id), slot(self.flat.counterpart(id, RelId::NEXT))))
    }

    /// Whether a stage that is not evaluated as a whole may be evaluated on demand: not where it
    /// has facts, which would have to be asked for one by one.
    pub(super) fn may_be_lazy(&self, stage: usize) -> bool {
        let relations = &self.schedule.stages[stage].relations;
        demand::is_candidate(&self.flat, &self.schedule, stage)
            && relations.iter().all(|id| !self.facts.contains_key(id))
    }

    /// The terms that a row of a flat relation stands for are made from its shape: the constant or
    /// column that gives an argument, where it is a constant.
    pub(super) fn argument(&self, id: FlatId, argument: usize) -> Argument {
        let relation = &self.flat.relations[id.index()];
        let column = relation.shapes[..argument].iter().map(Shape::columns).sum();
        match &relation.shapes[argument] {
            Shape::Constant(_) | Shape::Anything => Argument::Column(column),
            Shape::Exactly(symbol) => Argument::Value(self.universe.value(*symbol)),
            Shape::Compound(..) => Argument::Compound,
        }
    }
}

/// Where to find an argument in a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Argument {
    /// In this column.
    Column(usize),
    /// It is this value in all rows.
    Value(u32),
    /// It is a compound term over several columns.
    Compound,
}

impl Argument {
    /// The value in a row; `None` for compound terms.
    #[inline]
    pub(super) fn of(self, row: &[u32]) -> Option<u32> {
        match self {
            Argument::Column(column) => Some(row[column]),
            Argument::Value(value) => Some(value),
            Argument::Compound => None,
        }
    }
}
