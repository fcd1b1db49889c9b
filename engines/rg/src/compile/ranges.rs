//! The values that variables can have at each node, and cells of maps anywhere: assignments give
//! them, and conditions narrow them (data-flow analysis, Aho, Lam, Sethi and Ullman, *Compilers*,
//! 9.2).

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use rustc_hash::FxHashMap;

use crate::automaton::{Automaton, Cell, Expr, Label, NodeId, Place, Shape, Slot};

/// The most words of the sets at all nodes; beyond it one set is for all nodes.
const MAX_WORDS: usize = 1 << 21;

/// The most visits of nodes; beyond it one set is for all nodes.
const MAX_VISITS: usize = 100_000;

/// The most cells that are looked at; beyond it one set is for all nodes. Where a compilation is
/// allowed little they are fewer: so many for each step.
const MAX_WORK: u64 = 10_000_000;
const MIN_WORK: u64 = 300_000;
const WORK_OF_STEP: u64 = 3;

/// The most values of a variable that a condition is tried for.
const MAX_TRIED: usize = 512;

/// The values that variables can have.
#[derive(Debug)]
pub(crate) struct Ranges {
    /// The words of a set of values.
    words: usize,
    /// For each variable without keys its place in a row.
    columns: Vec<Option<usize>>,
    /// A row of sets for each node, or one for all; empty where no walk comes to.
    rows: Vec<Vec<u64>>,
    maps: Vec<Map>,
    /// The targets whose keys may be no keys of the map.
    outside: Vec<Place>,
    /// The cells that were looked at so far, and the most that may be.
    work: AtomicUsize,
    most_work: usize,
}

/// A map.
#[derive(Clone, Debug)]
struct Map {
    /// A set of values for each cell.
    cells: Vec<u64>,
    /// For each cell: true if it may be written.
    is_written: Vec<bool>,
}

/// The values of variables that conditions were tried for, and those of them that pass: by the
/// number of the condition, the variable, and the values of the others that the condition reads.
type Tried = FxHashMap<(usize, usize, Vec<u64>), [Vec<u64>; 2]>;

impl Ranges {
    /// Works them out in so many steps; `None` if that takes too long.
    pub(crate) fn of(automaton: &Automaton, steps: u64) -> Option<Ranges> {
        let nodes = automaton.nodes.len();
        let scalars = automaton.variables.iter().filter(|variable| variable.shape.keys.is_empty());
        let words = nodes * scalars.count() * automaton.values.div_ceil(64);
        let attempts = [if words <= MAX_WORDS { nodes } else { 1 }, 1];
        attempts.into_iter().find_map(|rows| {
            let mut ranges = Ranges::start(automaton, rows, steps);
            ranges.flow(automaton).then_some(ranges)
        })
    }

    /// The values of a play's beginning.
    fn start(automaton: &Automaton, rows: usize, steps: u64) -> Ranges {
        let words = automaton.values.div_ceil(64);
        let mut next = 0..;
        let is_scalar = |slot: Slot| automaton.variables[slot].shape.keys.is_empty();
        let columns = (0..automaton.variables.len())
            .map(|slot| is_scalar(slot).then(|| next.next().unwrap_or_default()))
            .collect();
        let map = |start: &Vec<Cell>| {
            let mut cells = vec![0; start.len() * words];
            for (set, &value) in cells.chunks_exact_mut(words).zip(start) {
                insert(set, value.into());
            }
            Map { cells, is_written: vec![false; start.len()] }
        };
        let maps = automaton.variables.iter().map(|variable| map(&variable.start)).collect();
        Ranges {
            words,
            columns,
            rows: vec![Vec::new(); rows],
            maps,
            outside: Vec::new(),
            work: AtomicUsize::default(),
            most_work: steps.saturating_mul(WORK_OF_STEP).clamp(MIN_WORK, MAX_WORK) as usize,
        }
    }

    /// The symbols that a variable without keys can have at a node, by symbol.
    pub(crate) fn at(&self, node: NodeId, slot: Slot) -> Vec<bool> {
        (0..64 * self.words).map(|value| self.can_be(node, slot, value as Cell)).collect()
    }

    /// True if a variable without keys can have a value at a node.
    pub(crate) fn can_be(&self, node: NodeId, slot: Slot, value: Cell) -> bool {
        let row = self.row(node);
        self.columns[slot].is_some_and(|column| contains(self.part(row, column), value.into()))
    }

    /// The symbols that a variable, or a cell of it, can have, by symbol.
    pub(crate) fn possible(&self, slot: Slot) -> Vec<bool> {
        let mut all = vec![0; self.words];
        match self.columns[slot] {
            Some(column) => {
                let rows = self.rows.iter().filter(|row| !row.is_empty());
                rows.for_each(|row| unite(&mut all, self.part(row, column)));
            }
            None => {
                self.maps[slot].cells.chunks_exact(self.words).for_each(|set| unite(&mut all, set));
            }
        }
        (0..64 * self.words).map(|value| contains(&all, value)).collect()
    }

    /// True if a cell of a map can have a value.
    pub(crate) fn can_hold(&self, slot: Slot, cell: usize, value: Cell) -> bool {
        contains(&self.maps[slot].cells[cell * self.words..][..self.words], value.into())
    }

    /// True if a cell of a map may be written.
    pub(crate) fn is_written(&self, slot: Slot, cell: usize) -> bool {
        self.maps[slot].is_written[cell]
    }

    /// True if the keys with which a cell is written are always keys of the map.
    pub(crate) fn is_inside(&self, target: &Place) -> bool {
        !self.outside.contains(target)
    }

    fn row(&self, node: NodeId) -> &[u64] {
        &self.rows[node.min(self.rows.len() - 1)]
    }

    fn part<'r>(&self, row: &'r [u64], column: usize) -> &'r [u64] {
        row.get(column * self.words..).map_or(&[], |row| &row[..self.words])
    }

    /// Follows all edges until nothing changes; false if that takes too long.
    fn flow(&mut self, automaton: &Automaton) -> bool {
        let scalars = automaton.variables.iter().filter(|variable| variable.shape.keys.is_empty());
        let mut row = vec![0; scalars.clone().count() * self.words];
        for (set, variable) in row.chunks_exact_mut(self.words).zip(scalars) {
            insert(set, variable.start[0].into());
        }
        let numbers = label_numbers(automaton);
        let mut is_reached = vec![false; automaton.nodes.len()];
        is_reached[automaton.begin] = true;
        self.join(automaton.begin, &row);
        let mut visits = 0;
        loop {
            let mut has_grown = false;
            let mut tried = Tried::default();
            let mut waiting: VecDeque<NodeId> =
                (0..is_reached.len()).filter(|&node| is_reached[node]).collect();
            let mut is_waiting = is_reached.clone();
            while let Some(node) = waiting.pop_front() {
                is_waiting[node] = false;
                visits += 1;
                if visits > MAX_VISITS || self.work.load(Relaxed) > self.most_work {
                    return false;
                }
                for (edge, &number) in automaton.nodes[node].edges.iter().zip(&numbers[node]) {
                    let mut row = self.row(node).to_vec();
                    let mut reach = |ranges: &mut Ranges, to: NodeId, row: &[u64]| {
                        let is_new = ranges.join(to, row) || !is_reached[to];
                        is_reached[to] = true;
                        has_grown |= is_new && ranges.rows.len() == 1;
                        if is_new && !std::mem::replace(&mut is_waiting[to], true) {
                            waiting.push_back(to);
                        }
                    };
                    if let Label::Test { from, .. } = edge.label {
                        reach(self, from, &row);
                    }
                    let passes = match &edge.label {
                        Label::Compare { left, right, equal } => self.compare(
                            automaton,
                            &mut row,
                            (left, right, *equal),
                            (number, &mut tried),
                        ),
                        _ => true,
                    };
                    if passes {
                        let grown = self.assign(automaton, &mut row, &edge.label);
                        reach(self, edge.to, &row);
                        has_grown |= grown;
                    }
                }
            }
            if !has_grown {
                return true;
            }
        }
    }

    /// Adds values to those of a node; true if any are new.
    fn join(&mut self, node: NodeId, row: &[u64]) -> bool {
        let last = self.rows.len() - 1;
        let known = &mut self.rows[node.min(last)];
        if known.is_empty() {
            known.extend_from_slice(row);
            return true;
        }
        let is_new = known.iter().zip(row).any(|(known, new)| new & !known != 0);
        unite(known, row);
        is_new
    }

    /// Leaves the values for which a condition can hold; false if there are none.
    fn compare(
        &self,
        automaton: &Automaton,
        row: &mut [u64],
        (left, right, equal): (&Expr, &Expr, bool),
        (number, tried): (usize, &mut Tried),
    ) -> bool {
        let mut columns = Vec::new();
        let mut read = |slot: Slot| columns.extend(self.columns[slot]);
        left.each_read(&mut read);
        right.each_read(&mut read);
        columns.sort_unstable();
        columns.dedup();
        let can_hold = |row: &[u64]| {
            let left = self.values(automaton, row, left);
            let right = self.values(automaton, row, right);
            if equal {
                left.iter().zip(&right).any(|(left, right)| left & right != 0)
            } else {
                left != right || members(&left).nth(1).is_some()
            }
        };
        if columns.is_empty() {
            return can_hold(row);
        }
        for &column in &columns {
            let all = self.part(row, column).to_vec();
            if members(&all).nth(MAX_TRIED).is_some() {
                continue;
            }
            let others = columns.iter().filter(|&&other| other != column);
            let others = others.flat_map(|&other| self.part(row, other)).copied().collect();
            let none = || [vec![0; self.words], vec![0; self.words]];
            let [known, passing] = tried.entry((number, column, others)).or_insert_with(none);
            for value in members(&all).filter(|&value| !contains(known, value)).collect::<Vec<_>>()
            {
                let part = &mut row[column * self.words..][..self.words];
                part.fill(0);
                insert(part, value);
                if self.work.load(Relaxed) > self.most_work || can_hold(row) {
                    insert(passing, value);
                }
                insert(known, value);
            }
            let part = &mut row[column * self.words..][..self.words];
            part.iter_mut().zip(all).zip(passing).for_each(|((part, all), ok)| *part = all & *ok);
            if part.iter().all(|&word| word == 0) {
                return false;
            }
        }
        true
    }

    /// Assigns what a label does; true if cells of maps may have more values.
    fn assign(&mut self, automaton: &Automaton, row: &mut [u64], label: &Label) -> bool {
        let (target, values) = match label {
            Label::Assign { target, value } => {
                if let Some(has_grown) = self.assign_map(automaton, row, target, value) {
                    return has_grown;
                }
                (target, self.values(automaton, row, value))
            }
            Label::AssignAny { target, set } => {
                let mut values = vec![0; self.words];
                let all = &automaton.sets[*set].members;
                all.iter().for_each(|member| insert(&mut values, member.index()));
                (target, values)
            }
            _ => return false,
        };
        if let Some(column) = self.columns[target.slot] {
            row[column * self.words..][..self.words].copy_from_slice(&values);
            return false;
        }
        let shape = &automaton.variables[target.slot].shape;
        let is_known = |(key, &set): (&Expr, &usize)| {
            let set = &automaton.sets[set];
            let values = self.values(automaton, row, key);
            members(&values).all(|value| set.is_key(value as Cell))
        };
        if !target.keys.iter().zip(&shape.keys).all(is_known) && self.is_inside(target) {
            self.outside.push(target.clone());
        }
        let mut has_grown = false;
        let offsets = self.offsets(automaton, row, shape, &target.keys);
        let map = &mut self.maps[target.slot];
        for cell in offsets.into_iter().filter(|&cell| is_cell(automaton, target, shape, cell)) {
            let known = &mut map.cells[cell * self.words..][..self.words];
            has_grown |= known.iter().zip(&values).any(|(known, new)| new & !known != 0);
            has_grown |= !std::mem::replace(&mut map.is_written[cell], true);
            unite(known, &values);
        }
        has_grown
    }

    /// Assigns a map to a variable cell by cell; `None` if the keys are not the same.
    fn assign_map(
        &mut self,
        automaton: &Automaton,
        row: &[u64],
        target: &Place,
        value: &Expr,
    ) -> Option<bool> {
        let (shape, place) = match value {
            Expr::Symbol(_) => return None,
            Expr::Variable(place) => (&automaton.variables[place.slot].shape, place),
            Expr::Constant(place) => (&automaton.constants[place.slot].shape, place),
        };
        let (outer, inner) = shape.keys.split_at_checked(place.keys.len())?;
        let own = &automaton.variables[target.slot].shape;
        if !target.keys.is_empty() || inner.is_empty() || inner != own.keys {
            return None;
        }
        let (count, words) = (automaton.cells(own), self.words);
        let outer = Shape { keys: outer.to_vec(), values: shape.values };
        let mut has_grown = false;
        for first in self.offsets(automaton, row, &outer, &place.keys) {
            self.work.fetch_add(count, Relaxed);
            for cell in 0..count {
                let from = first * count + cell;
                let mut new = vec![0; words];
                match value {
                    Expr::Constant(place) => {
                        insert(&mut new, automaton.constants[place.slot].cells[from].into());
                    }
                    _ => unite(&mut new, &self.maps[place.slot].cells[from * words..][..words]),
                }
                let map = &mut self.maps[target.slot];
                let known = &mut map.cells[cell * words..][..words];
                has_grown |= known.iter().zip(&new).any(|(known, new)| new & !known != 0);
                has_grown |= !std::mem::replace(&mut map.is_written[cell], true);
                unite(known, &new);
            }
        }
        Some(has_grown)
    }

    /// The values that an expression, or a cell of it, can have.
    fn values(&self, automaton: &Automaton, row: &[u64], expr: &Expr) -> Vec<u64> {
        let mut values = vec![0; self.words];
        if let Some(value) = self.single(automaton, row, expr) {
            insert(&mut values, value);
            return values;
        }
        match expr {
            Expr::Symbol(_) => {}
            Expr::Variable(place) => {
                if let Some(column) = self.columns[place.slot] {
                    return self.part(row, column).to_vec();
                }
                let shape = &automaton.variables[place.slot].shape;
                let cells = &self.maps[place.slot].cells;
                for cell in self.offsets(automaton, row, shape, &place.keys) {
                    unite(&mut values, &cells[cell * self.words..][..self.words]);
                }
            }
            Expr::Constant(place) => {
                let constant = &automaton.constants[place.slot];
                for cell in self.offsets(automaton, row, &constant.shape, &place.keys) {
                    insert(&mut values, constant.cells[cell].into());
                }
            }
        }
        values
    }

    /// The value of an expression, if it is easily seen to have one only.
    fn single(&self, automaton: &Automaton, row: &[u64], expr: &Expr) -> Option<usize> {
        match expr {
            Expr::Symbol(symbol) => Some(symbol.index()),
            Expr::Variable(place) => {
                let set = self.part(row, self.columns[place.slot]?);
                let mut values = members(set);
                values.next().filter(|_| set.iter().map(|word| word.count_ones()).sum::<u32>() == 1)
            }
            Expr::Constant(place) => {
                let constant = &automaton.constants[place.slot];
                let keys = &constant.shape.keys;
                if place.keys.len() < keys.len() {
                    return None;
                }
                let cell = keys.iter().zip(&place.keys).try_fold(0, |at, (&set, key)| {
                    let set = &automaton.sets[set];
                    let key = self.single(automaton, row, key)?;
                    Some(at * set.width() + set.place(key as Cell))
                })?;
                Some(constant.cells[cell].into())
            }
        }
    }

    /// The cells that keys can lead to.
    fn offsets(
        &self,
        automaton: &Automaton,
        row: &[u64],
        shape: &Shape,
        keys: &[Expr],
    ) -> Vec<usize> {
        let mut offsets = vec![0];
        for (at, &set) in shape.keys.iter().enumerate() {
            let set = &automaton.sets[set];
            let places: Vec<usize> = match keys.get(at) {
                Some(key) => {
                    let mut places: Vec<usize> = match self.single(automaton, row, key) {
                        Some(value) => vec![set.place(value as Cell)],
                        None => members(&self.values(automaton, row, key))
                            .map(|value| set.place(value as Cell))
                            .collect(),
                    };
                    places.sort_unstable();
                    places.dedup();
                    places
                }
                None => (0..set.width()).collect(),
            };
            let below =
                |&offset: &usize| places.iter().map(move |place| offset * set.width() + place);
            offsets = offsets.iter().flat_map(below).collect();
        }
        self.work.fetch_add(offsets.len(), Relaxed);
        offsets
    }
}

/// True if this is a cell that an assignment can write: defaults are never written.
fn is_cell(automaton: &Automaton, target: &Place, shape: &Shape, mut cell: usize) -> bool {
    for (number, &set) in shape.keys.iter().enumerate().rev() {
        let width = automaton.sets[set].width();
        if number < target.keys.len() && cell % width == width - 1 {
            return false;
        }
        cell /= width;
    }
    true
}

/// Numbers for the labels of all edges, equal ones for equal labels.
fn label_numbers(automaton: &Automaton) -> Vec<Vec<usize>> {
    let mut labels: FxHashMap<String, usize> = FxHashMap::default();
    let mut number = |label: &Label| {
        let next = labels.len();
        *labels.entry(format!("{label:?}")).or_insert(next)
    };
    let nodes = automaton.nodes.iter();
    nodes.map(|node| node.edges.iter().map(|edge| number(&edge.label)).collect()).collect()
}

fn insert(set: &mut [u64], value: usize) {
    set[value / 64] |= 1 << (value % 64);
}

fn contains(set: &[u64], value: usize) -> bool {
    set.get(value / 64).is_some_and(|word| word >> (value % 64) & 1 != 0)
}

fn unite(set: &mut [u64], other: &[u64]) {
    set.iter_mut().zip(other).for_each(|(word, other)| *word |= other);
}

/// The values in a set.
fn members(set: &[u64]) -> impl Iterator<Item = usize> {
    let bits = |(at, &word): (usize, &u64)| {
        (0..64).filter(move |bit| word >> bit & 1 != 0).map(move |bit| 64 * at + bit)
    };
    set.iter().enumerate().flat_map(bits)
}
