//! Proofs that walks which part at a node have different tags, by going along them with values.
//!
//! Values that are not known are asked for as a walk reads them, and each answer is a *fact* of the
//! walk. Two walks with the same tags are no two moves of one state if their facts exclude each
//! other: one is of a state with a pawn on a square, the other of one with that square empty.

use rustc_hash::FxHashMap;

use super::memory::MemoryMap;
use crate::automaton::{Automaton, Cell, Edge, Expr, Label, NodeId, Place, Slot};

/// The most values that are tried for a cell.
const MAX_VALUES: usize = 512;

/// The most facts and edges of a walk, and walks with the same tags.
const MAX_FACTS: usize = 64;
const MAX_EDGES: usize = 200;
const MAX_ALIKE: usize = 6000;

/// The subject of a fact: a cell of a variable, or a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Subject {
    Cell(Slot, usize),
    Test(NodeId, NodeId),
}

/// A fact about the state at which a walk begins, on which the walk depends: that its subject has a
/// value, or, if `is_equal` is false, another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Fact {
    subject: Subject,
    value: Cell,
    is_equal: bool,
}

/// A tag; `None` behind the end of the move.
type Next = Option<Cell>;

/// A walk.
#[derive(Clone, Default)]
struct Walk {
    facts: Vec<Fact>,
    /// The cells that it has written.
    written: Vec<(Slot, usize, Cell)>,
    tags: Vec<Next>,
    edges: usize,
}

/// The reason why a walk does not go on as it is.
enum Halt {
    /// This cell of a variable has to be known.
    Needs(Slot, usize),
    /// It does what is not followed.
    NotFollowed,
}

/// Goes along the walks that part at a node.
pub(super) struct Apart<'a> {
    pub(super) automaton: &'a Automaton,
    pub(super) map: &'a MemoryMap,
    /// The node where they part.
    pub(super) node: NodeId,
    /// True if comparisons that ask for what a cell of a map holds pass in any case, so that walks
    /// are few and long ones are gone along.
    pub(super) is_coarse: bool,
    /// The edges that may still be gone along.
    pub(super) budget: &'a mut usize,
}

impl Apart<'_> {
    /// True if walks along different edges of the node, or with different values that an edge may
    /// give, differ in the first tags, so many, or are not of one state.
    pub(super) fn differ_within(&mut self, tags: usize) -> bool {
        self.all_within(tags).unwrap_or(false)
    }

    fn all_within(&mut self, most: usize) -> Option<bool> {
        let mut by_tags: FxHashMap<Vec<Next>, Vec<(usize, Vec<Fact>)>> = FxHashMap::default();
        let mut way = 0;
        for edge in &self.automaton.nodes[self.node].edges {
            for begun in self.passed(&Walk::default(), edge)? {
                way += 1;
                let mut ends = Vec::new();
                self.go_on(begun, edge, most, &mut ends)?;
                for Walk { facts, tags, .. } in ends {
                    let alike = by_tags.entry(tags).or_default();
                    alike.push((way, facts));
                    if alike.len() > MAX_ALIKE {
                        return None;
                    }
                }
            }
        }
        Some(by_tags.values().all(|alike| {
            alike.iter().enumerate().all(|(number, (way, facts))| {
                let others = alike[number + 1..].iter().filter(|(other, _)| other != way);
                others.into_iter().all(|(_, other)| exclude(facts, other))
            })
        }))
    }

    /// Collects the walks behind an edge that has been passed, up to so many tags or the end of the
    /// move; `None` if they are too many or do what is not followed.
    fn go_on(
        &mut self,
        mut walk: Walk,
        edge: &Edge,
        most: usize,
        ends: &mut Vec<Walk>,
    ) -> Option<()> {
        if edge.label.ends_move() {
            walk.tags.resize(most, None);
        }
        if walk.tags.len() >= most {
            ends.push(walk);
            return Some(());
        }
        walk.edges += 1;
        if walk.edges > MAX_EDGES {
            return None;
        }
        let mut ways: Vec<(&Edge, Vec<Walk>)> = Vec::new();
        for next in &self.automaton.nodes[edge.to].edges {
            let on = self.passed(&walk, next)?;
            let is_condition = |(other, others): &&mut (&Edge, Vec<Walk>)| {
                let both = others.iter().chain(&on);
                other.to == next.to
                    && [others.len(), on.len()] == [1, 1]
                    && both.into_iter().all(|on| on.has_done_as(&walk))
            };
            // Which of several conditions holds says little, and doubles the walks.
            match ways.iter_mut().find(is_condition) {
                Some((_, others)) => others[0].facts.clone_from(&walk.facts),
                None => ways.push((next, on)),
            }
        }
        for (next, walks) in ways {
            for walk in walks {
                self.go_on(walk, next, most, ends)?;
            }
        }
        Some(())
    }

    /// The walks on behind an edge: none if it does not pass, several if it may give several values
    /// or what it reads may have several.
    fn passed(&mut self, walk: &Walk, edge: &Edge) -> Option<Vec<Walk>> {
        *self.budget = self.budget.checked_sub(1)?;
        let mut passed = Vec::new();
        let mut waiting = vec![walk.clone()];
        while let Some(mut walk) = waiting.pop() {
            if walk.facts.len() > MAX_FACTS {
                return None;
            }
            let (slot, cell) = match self.pass(&mut walk, &edge.label) {
                Ok(true) => {
                    match &edge.label {
                        Label::AssignAny { target, set } => {
                            passed.extend(self.each_value(&walk, target, *set)?);
                        }
                        _ => passed.push(walk),
                    }
                    continue;
                }
                Ok(false) => continue,
                Err(Halt::Needs(slot, cell)) => (slot, cell),
                Err(Halt::NotFollowed) => return None,
            };
            let all = (0..self.automaton.values).map(|value| value as Cell);
            let values: Vec<Cell> = all.filter(|&v| self.can_hold(slot, cell, v)).collect();
            let is_map = !self.automaton.variables[slot].shape.keys.is_empty();
            let is_compared = matches!(edge.label, Label::Compare { .. });
            if self.is_coarse && is_compared && is_map && values.len() > 1 {
                passed.push(walk);
                continue;
            }
            *self.budget = self.budget.checked_sub(values.len())?;
            if values.len() > MAX_VALUES {
                return None;
            }
            for value in values {
                let subject = Subject::Cell(slot, cell);
                let mut walk = walk.clone();
                if walk.assume(Fact { subject, value, is_equal: true }) {
                    waiting.push(walk);
                }
            }
        }
        Some(passed)
    }

    /// Passes an edge, a choice of values left aside; false if it does not pass.
    fn pass(&self, walk: &mut Walk, label: &Label) -> Result<bool, Halt> {
        match label {
            Label::Skip | Label::AssignAny { .. } => {}
            Label::Tag(symbol) => walk.tags.push(Some(symbol.0 as Cell)),
            Label::TagVariable(slot) => {
                let tag = walk.cell(*slot, 0)?;
                walk.tags.push(Some(tag));
            }
            Label::Test { from, to, negated } => {
                let subject = Subject::Test(*from, *to);
                let fact = Fact { subject, value: Cell::from(!negated), is_equal: true };
                // What the walk has written may decide the test.
                return Ok(!walk.written.is_empty() || walk.assume(fact));
            }
            Label::Compare { left, right, equal } => {
                return self.compare(walk, [left, right], *equal);
            }
            Label::Assign { target, value } => {
                let shape = &self.automaton.variables[target.slot].shape;
                if target.keys.len() < shape.keys.len() {
                    return Err(Halt::NotFollowed);
                }
                let value = self.value(walk, value)?;
                if let Some(cell) = self.place(walk, target)? {
                    walk.write(target.slot, cell, value);
                }
            }
        }
        Ok(true)
    }

    /// A comparison. One of a cell that is not known with a value is taken for granted.
    fn compare(&self, walk: &mut Walk, sides: [&Expr; 2], equal: bool) -> Result<bool, Halt> {
        let (cell, value, needs) = match sides.map(|side| self.value(walk, side)) {
            [Ok(left), Ok(right)] => return Ok((left == right) == equal),
            [Err(needs), Ok(value)] => (sides[0], value, needs),
            [Ok(value), Err(needs)] => (sides[1], value, needs),
            [Err(left), Err(right)] => {
                return Err(if matches!(right, Halt::NotFollowed) { right } else { left });
            }
        };
        // It may be a key of the cell that has to be known.
        let (Expr::Variable(place), Halt::Needs(slot, at)) = (cell, &needs) else {
            return Err(needs);
        };
        match self.index(walk, place) {
            Ok(index) if (place.slot, index) == (*slot, *at) => {
                let fact = Fact { subject: Subject::Cell(*slot, *at), value, is_equal: equal };
                let is_possible = self.can_hold(*slot, *at, value);
                Ok(if is_possible { walk.assume(fact) } else { !equal })
            }
            _ => Err(needs),
        }
    }

    /// The walks on with each value of a set.
    fn each_value(&mut self, walk: &Walk, target: &Place, set: usize) -> Option<Vec<Walk>> {
        let members = &self.automaton.sets[set].members;
        if members.len() > MAX_VALUES {
            return None;
        }
        *self.budget = self.budget.checked_sub(members.len())?;
        let cell = self.place(walk, target).ok()?;
        let with = |member: &crate::symbols::Symbol| {
            let mut walk = walk.clone();
            if let Some(cell) = cell {
                walk.write(target.slot, cell, member.0 as Cell);
            }
            walk
        };
        Some(members.iter().map(with).collect())
    }

    /// True if a cell may have a value where walks part.
    fn can_hold(&self, slot: Slot, cell: usize, value: Cell) -> bool {
        let ranges = &self.map.ranges;
        if self.automaton.variables[slot].shape.keys.is_empty() {
            ranges.can_be(self.node, slot, value)
        } else {
            ranges.can_hold(slot, cell, value)
        }
    }

    /// The value of an expression.
    fn value(&self, walk: &Walk, expr: &Expr) -> Result<Cell, Halt> {
        match expr {
            Expr::Symbol(symbol) => Ok(symbol.0 as Cell),
            Expr::Variable(place) => walk.cell(place.slot, self.index(walk, place)?),
            Expr::Constant(place) => {
                let constant = &self.automaton.constants[place.slot];
                Ok(constant.cells[self.offset(walk, &constant.shape.keys, &place.keys)?])
            }
        }
    }

    /// The cell of a variable that keys lead to, that of the default among them.
    fn index(&self, walk: &Walk, place: &Place) -> Result<usize, Halt> {
        self.offset(walk, &self.automaton.variables[place.slot].shape.keys, &place.keys)
    }

    fn offset(&self, walk: &Walk, sets: &[usize], keys: &[Expr]) -> Result<usize, Halt> {
        if keys.len() < sets.len() {
            return Err(Halt::NotFollowed);
        }
        sets.iter().zip(keys).try_fold(0, |at, (&set, key)| {
            let set = &self.automaton.sets[set];
            Ok(at * set.width() + set.place(self.value(walk, key)?))
        })
    }

    /// The cell that is written; `None` if a key is none of the map.
    fn place(&self, walk: &Walk, place: &Place) -> Result<Option<usize>, Halt> {
        let sets = &self.automaton.variables[place.slot].shape.keys;
        for (&set, key) in sets.iter().zip(&place.keys) {
            if !self.automaton.sets[set].is_key(self.value(walk, key)?) {
                return Ok(None);
            }
        }
        self.index(walk, place).map(Some)
    }
}

impl Walk {
    /// True if another walk has the same tags and has written the same.
    fn has_done_as(&self, other: &Walk) -> bool {
        self.tags == other.tags && self.written == other.written
    }

    /// The value of a cell.
    fn cell(&self, slot: Slot, cell: usize) -> Result<Cell, Halt> {
        let mut written = self.written.iter().filter(|(of, at, _)| (*of, *at) == (slot, cell));
        if let Some(&(_, _, value)) = written.next() {
            return Ok(value);
        }
        let subject = Subject::Cell(slot, cell);
        let is_known = |fact: &&Fact| fact.subject == subject && fact.is_equal;
        match self.facts.iter().find(is_known) {
            Some(fact) => Ok(fact.value),
            None => Err(Halt::Needs(slot, cell)),
        }
    }

    /// Takes a fact for granted; false if that cannot be.
    fn assume(&mut self, fact: Fact) -> bool {
        if self.facts.iter().any(|other| fact.excludes(other)) {
            return false;
        }
        if !self.facts.contains(&fact) {
            self.facts.push(fact);
        }
        true
    }

    fn write(&mut self, slot: Slot, cell: usize, value: Cell) {
        self.written.retain(|(of, at, _)| (*of, *at) != (slot, cell));
        self.written.push((slot, cell, value));
    }
}

impl Fact {
    /// True if both cannot be.
    fn excludes(&self, other: &Fact) -> bool {
        self.subject == other.subject
            && match (self.is_equal, other.is_equal) {
                (true, true) => self.value != other.value,
                (false, false) => false,
                _ => self.value == other.value,
            }
    }
}

/// True if the facts of two walks are not those of one state.
fn exclude(one: &[Fact], other: &[Fact]) -> bool {
    one.iter().any(|fact| other.iter().any(|of_other| fact.excludes(of_other)))
}
