//! The facts about a program that hold however its rules are compiled.

use rustc_hash::FxHashMap;

use super::compile::World;
use super::demand::{self, Demands};
use super::domain::{Domain, Domains};
use super::flat::{FlatId, FlatLiteral, FlatProgram, FlatTerm};
use super::layout::{Column, Layouts};
use super::plan::Size;
use super::pool::Pool;
use super::schedule::Schedule;
use super::shapes::Shape;
use super::statics::{Extent, Statics};
use super::universe::Universe;
use crate::program::{Dependence, RelId};
use crate::terms::{TermId, Terms};

/// Rows expected in a relation of which nothing is known.
pub(crate) const GUESS: f64 = 20.0;

/// Everything about a program that does not depend on how rules are compiled.
pub(crate) struct Base {
    pub(crate) flat: FlatProgram,
    pub(crate) schedule: Schedule,
    pub(crate) universe: Universe,
    pub(crate) statics: Statics,
    /// Whole terms that facts and relations that do not change hold.
    pub(crate) pool: Pool,
    /// Facts of relations that change.
    pub(crate) facts: FxHashMap<FlatId, Vec<Vec<u32>>>,
    /// By flat relation: its number in the store, if it changes.
    pub(crate) slots: Vec<Option<usize>>,
    /// The layouts of the relations of the store, without indexes yet.
    pub(crate) layouts: Layouts,
    /// By flat relation; of those that change a guess.
    pub(crate) sizes: Vec<Size>,
    /// The domains of their columns, once they are known.
    pub(crate) domains: Option<Domains>,
    /// True if some rule asks what will be true.
    pub(crate) next_is_read: bool,
}

impl Base {
    /// Takes note of all rows of a relation that does not change.
    pub(crate) fn settle(&mut self, id: FlatId, extent: Extent) {
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

    /// True if the facts of a relation depend on the state, or are taken to.
    pub(crate) fn changes(&self, id: FlatId) -> bool {
        self.schedule.dependence(id) != Dependence::Static
    }

    /// The tables that rules are compiled against, if relations have these numbers in the store.
    pub(crate) fn world<'a>(
        &'a self,
        slots: &'a [Option<usize>],
        sizes: &'a [Size],
        demands: &'a Demands,
    ) -> World<'a> {
        World { universe: &self.universe, statics: &self.statics, slots, sizes, demands }
    }

    /// Adds a relation that changes, for a part of the condition of a rule, with columns for these
    /// of its variables.
    pub(crate) fn add_part(&mut self, part: &[FlatLiteral], variables: &[u32]) -> FlatId {
        let mut columns = Vec::new();
        let mut domains = Vec::new();
        for &var in variables {
            // A literal that says what it can be.
            let source = part.iter().find_map(|literal| {
                let atom = literal.positive()?;
                let column = atom.columns.iter().position(|c| *c == FlatTerm::Var(var))?;
                let node = self.flat.relations[atom.relation.index()].columns[column]?;
                Some((atom.relation.index(), column, node))
            });
            columns.push(source.map(|(.., node)| node));
            domains.push(source.and_then(|(id, column, _)| {
                let mut domain = Domain::default();
                match (&self.statics.relations[id], &self.domains) {
                    (Some(extent), _) => extent.rows().for_each(|row| domain.add(row[column])),
                    (None, all) => domain = all.as_ref()?[id][column].clone()?,
                }
                Some(domain)
            }));
        }
        self.domains.as_mut().into_iter().for_each(|all| all.push(std::mem::take(&mut domains)));
        self.statics.relations.push(None);
        self.sizes.push(Size::default());
        self.schedule.add_stage(Dependence::State);
        self.flat.add_part(columns)
    }

    pub(crate) fn columns(&self, id: FlatId) -> Vec<Column> {
        let ranges = self.ranges(id).map(|range| match range {
            Some((low, high, _)) => Column::Range { low, size: high - low + 1 },
            None => Column::Anything,
        });
        ranges.collect()
    }

    /// By column of a relation that changes: the least and the greatest value, and how many there
    /// are, where they are constants.
    pub(crate) fn ranges(&self, id: FlatId) -> impl Iterator<Item = Option<(u32, u32, u32)>> {
        let columns = self.flat.relations[id.index()].columns.iter().enumerate();
        columns.map(move |(column, node)| {
            let node = (*node)?;
            let domain = self.domains.as_ref().and_then(|all| all[id.index()][column].as_ref());
            Some(domain.map_or_else(|| self.universe.range(&self.flat, node), Domain::range))
        })
    }

    /// Sizes of all relations; `rows` says how many rows to expect where they change.
    pub(crate) fn sizes(&self, rows: impl Fn(FlatId) -> f64) -> Vec<Size> {
        (0..self.flat.relations.len())
            .map(|index| match &self.statics.relations[index] {
                Some(_) => self.sizes[index].clone(),
                None => self.guessed_size(FlatId(index as u32), rows(FlatId(index as u32))),
            })
            .collect()
    }

    /// The size of a relation with so many rows whose columns take all values that they can.
    pub(crate) fn guessed_size(&self, id: FlatId, rows: f64) -> Size {
        let distinct = self.ranges(id).map(|range| range.map_or(rows, |(.., count)| count.into()));
        Size { rows, distinct: distinct.collect(), on_demand: false }
    }

    /// The rows to expect in a relation that changes before anything was measured.
    pub(crate) fn guess(&self, id: FlatId) -> f64 {
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
    pub(crate) fn steps(&self) -> impl Iterator<Item = (usize, usize)> {
        let slot = |id: FlatId| self.slots[id.index()].unwrap_or(0);
        let all = self.flat.of(RelId::TRUE);
        all.map(move |id| (slot(id), slot(self.flat.counterpart(id, RelId::NEXT))))
    }

    /// True if a stage that is not evaluated as a whole may be evaluated on demand: not where it
    /// has facts, which would have to be asked for one by one.
    pub(crate) fn may_be_lazy(&self, stage: usize) -> bool {
        let relations = &self.schedule.stages[stage].relations;
        demand::is_candidate(&self.flat, &self.schedule, stage)
            && relations.iter().all(|id| !self.facts.contains_key(id))
    }

    /// The terms that a row of a flat relation stands for are made from its shape: the constant or
    /// column that gives an argument, where it is a constant.
    pub(crate) fn argument(&self, id: FlatId, argument: usize) -> Argument {
        let relation = &self.flat.relations[id.index()];
        let column = relation.shapes[..argument].iter().map(Shape::columns).sum();
        match &relation.shapes[argument] {
            Shape::Constant(_) | Shape::Anything => Argument::Column(column),
            Shape::Exactly(symbol) => Argument::Value(self.universe.value(*symbol)),
            Shape::Compound(..) => Argument::Compound,
        }
    }

    /// The terms that a row of a flat relation stands for; `pool` has those that are whole.
    pub(crate) fn arguments(
        &self,
        pool: &Pool,
        id: FlatId,
        row: &[u32],
        terms: &mut Terms,
    ) -> Vec<TermId> {
        let mut columns = row.iter().copied();
        let shapes = &self.flat.relations[id.index()].shapes;
        shapes.iter().map(|shape| self.term(pool, shape, &mut columns, terms)).collect()
    }

    fn term(
        &self,
        pool: &Pool,
        shape: &Shape,
        columns: &mut impl Iterator<Item = u32>,
        terms: &mut Terms,
    ) -> TermId {
        match shape {
            Shape::Exactly(symbol) => terms.constant(*symbol),
            Shape::Constant(_) | Shape::Anything => {
                let value = columns.next().unwrap_or(0);
                pool.term(&self.universe, value, terms)
            }
            Shape::Compound(functor, args) => {
                let args: Vec<TermId> =
                    args.iter().map(|arg| self.term(pool, arg, &mut *columns, terms)).collect();
                terms.compound(*functor, &args)
            }
        }
    }
}

/// The source of an argument in a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Argument {
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
    pub(crate) fn of(self, row: &[u32]) -> Option<u32> {
        match self {
            Argument::Column(column) => Some(row[column]),
            Argument::Value(value) => Some(value),
            Argument::Compound => None,
        }
    }
}
