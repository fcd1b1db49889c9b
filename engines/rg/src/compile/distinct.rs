//! Proofs about the moves of a turn that code relies on: that there is at most one, or that no two
//! have the same tags.

use rustc_hash::FxHashSet;

use super::apart::Apart;
use super::memory::MemoryMap;
use super::regions::{Regions, inner};
use crate::automaton::{Automaton, Cell, Edge, Expr, Label, NodeId, Slot};
use crate::symbols::Symbol;

/// The tags of a move that are looked at to tell it from others.
const MAX_AHEAD: usize = 4;

/// The same along walks of which little is known.
const MAX_FAR: usize = 10;

/// The most cases that are tried to see that two values differ.
const MAX_CASES: usize = 64;

/// The nodes that may be gone through for one proof.
const BUDGET: usize = 400_000;

/// True if walks from a node never branch, but where conditions exclude each other.
pub(crate) fn is_deterministic(automaton: &Automaton, map: &MemoryMap, start: NodeId) -> bool {
    let exclusive = |node: NodeId| {
        let edges = &automaton.nodes[node].edges;
        let is_any = |edge: &Edge| match edge.label {
            Label::AssignAny { set, .. } => automaton.sets[set].members.len() > 1,
            _ => false,
        };
        !edges.iter().any(is_any)
            && pairs(edges).all(|(one, other)| exclude(automaton, map, one, other))
    };
    reachable(automaton, start).into_iter().all(exclusive)
}

/// True if no two moves of the turn that begins at a node have the same tags, as is seen within so
/// many steps, of which those that were needed are taken.
pub(crate) fn has_distinct_tags(
    automaton: &Automaton,
    regions: &Regions,
    map: &MemoryMap,
    steps: &mut usize,
    start: NodeId,
) -> bool {
    let budget = BUDGET.min(*steps);
    let mut proof = Proof { automaton, regions, map, budget, steps };
    reachable(automaton, start).into_iter().all(|node| proof.tells_apart(node))
}

/// The nodes that walks of one turn come to.
fn reachable(automaton: &Automaton, start: NodeId) -> Vec<NodeId> {
    let mut seen: FxHashSet<NodeId> = FxHashSet::from_iter([start]);
    let mut nodes = vec![start];
    let mut at = 0;
    while at < nodes.len() {
        for edge in inner(automaton, nodes[at]) {
            if seen.insert(edge.to) {
                nodes.push(edge.to);
            }
        }
        at += 1;
    }
    nodes
}

fn pairs(edges: &[Edge]) -> impl Iterator<Item = (&Label, &Label)> {
    edges.iter().enumerate().flat_map(move |(i, one)| {
        edges[i + 1..].iter().map(move |other| (&one.label, &other.label))
    })
}

/// True if at most one of two edges of a node passes.
fn exclude(automaton: &Automaton, map: &MemoryMap, one: &Label, other: &Label) -> bool {
    match (one, other) {
        (
            Label::Test { from: a, to: b, negated },
            Label::Test { from: c, to: d, negated: other },
        ) => (a, b) == (c, d) && negated != other,
        (
            Label::Compare { left: a, right: b, equal },
            Label::Compare { left: c, right: d, equal: other },
        ) => {
            let differ = |one, other| differ(automaton, map, one, other);
            let same = (a, b) == (c, d) || (a, b) == (d, c);
            (same && equal != other)
                || (*equal && *other)
                    && (a == c && differ(b, d)
                        || a == d && differ(b, c)
                        || b == c && differ(a, d)
                        || b == d && differ(a, c))
        }
        _ => false,
    }
}

/// True if two expressions never have the same value, whatever the variables that they read hold.
fn differ(automaton: &Automaton, map: &MemoryMap, one: &Expr, other: &Expr) -> bool {
    let mut slots = Vec::new();
    let mut reads = |slot| slots.push(slot);
    one.each_read(&mut reads);
    other.each_read(&mut reads);
    slots.sort_unstable();
    slots.dedup();
    if slots.iter().any(|&slot| !automaton.variables[slot].shape.keys.is_empty()) {
        return false;
    }
    let mut cases: Vec<Vec<(Slot, Cell)>> = vec![Vec::new()];
    for slot in slots {
        let possible = &map.places[slot].possible;
        let values: Vec<Cell> =
            (0..possible.len()).filter(|&v| possible[v]).map(|v| v as Cell).collect();
        if cases.len() * values.len() > MAX_CASES {
            return false;
        }
        let with = |case: &Vec<(Slot, Cell)>| {
            let case = case.clone();
            let extended = move |&value: &Cell| [&case[..], &[(slot, value)]].concat();
            values.iter().map(extended).collect::<Vec<_>>()
        };
        cases = cases.iter().flat_map(with).collect();
    }
    cases.iter().all(|case| match (value(automaton, case, one), value(automaton, case, other)) {
        (Some(one), Some(other)) => one != other,
        _ => false,
    })
}

/// The value of an expression, given those of the variables; `None` of a map.
fn value(automaton: &Automaton, case: &[(Slot, Cell)], expr: &Expr) -> Option<Cell> {
    match expr {
        Expr::Symbol(symbol) => Some(symbol.0 as Cell),
        Expr::Variable(place) => {
            case.iter().find(|(slot, _)| *slot == place.slot).map(|&(_, value)| value)
        }
        Expr::Constant(place) => {
            let constant = &automaton.constants[place.slot];
            if place.keys.len() < constant.shape.keys.len() {
                return None;
            }
            let mut at = 0;
            for (&set, key) in constant.shape.keys.iter().zip(&place.keys) {
                let set = &automaton.sets[set];
                at = at * set.width() + set.place(value(automaton, case, key)?);
            }
            Some(constant.cells[at])
        }
    }
}

/// A proof that the moves of a turn have different tags.
struct Proof<'a> {
    automaton: &'a Automaton,
    regions: &'a Regions,
    map: &'a MemoryMap,
    budget: usize,
    /// The edges that may be gone along with values.
    steps: &'a mut usize,
}

/// A tag, or the end of the move.
type Next = Option<Symbol>;

impl Proof<'_> {
    /// True if walks that part at a node have different tags.
    fn tells_apart(&mut self, node: NodeId) -> bool {
        if self.regions.join(node).is_some() {
            return true;
        }
        self.seems_apart(node) || self.is_apart(node)
    }

    /// True if walks that part at a node differ in tags with a value, or ways, of their own.
    fn seems_apart(&mut self, node: NodeId) -> bool {
        let automaton = self.automaton;
        let edges = &automaton.nodes[node].edges;
        for edge in edges {
            if let Label::AssignAny { target, set } = &edge.label
                && automaton.sets[*set].members.len() > 1
                && !(target.keys.is_empty() && self.is_tagged(target.slot, edge.to))
            {
                return false;
            }
        }
        edges.iter().enumerate().all(|(i, one)| {
            edges[i + 1..].iter().all(|other| {
                exclude(automaton, self.map, &one.label, &other.label)
                    || self.differ_ahead(one, other)
            })
        })
    }

    /// True if walks that part at a node differ as values show.
    fn is_apart(&mut self, node: NodeId) -> bool {
        let Proof { automaton, map, steps, .. } = self;
        let mut differ = |tags: usize, is_coarse: bool| {
            Apart { automaton, map, node, is_coarse, budget: steps }.differ_within(tags)
        };
        [1, MAX_FAR].into_iter().any(|tags| differ(tags, true))
            || (1..=MAX_AHEAD).any(|tags| differ(tags, false))
    }

    /// True if all walks from a node give the value of a variable as their tag at one place.
    fn is_tagged(&mut self, slot: Slot, start: NodeId) -> bool {
        let mut seen = FxHashSet::from_iter([(start, 0_usize)]);
        let mut waiting = vec![(start, 0_usize)];
        let mut place = None;
        while let Some((node, tags)) = waiting.pop() {
            let Some(budget) = self.budget.checked_sub(1) else { return false };
            self.budget = budget;
            if tags > MAX_AHEAD {
                return false;
            }
            for edge in &self.automaton.nodes[node].edges {
                let tags = match &edge.label {
                    Label::TagVariable(tag) if *tag == slot => {
                        if *place.get_or_insert(tags) != tags {
                            return false;
                        }
                        continue;
                    }
                    Label::Tag(_) | Label::TagVariable(_) => tags + 1,
                    label if label.ends_move() => return false,
                    Label::Assign { target, .. } | Label::AssignAny { target, .. }
                        if target.slot == slot =>
                    {
                        return false;
                    }
                    _ => tags,
                };
                if seen.insert((edge.to, tags)) {
                    waiting.push((edge.to, tags));
                }
            }
        }
        true
    }

    /// True if some tag that follows one edge is never that of walks along another.
    fn differ_ahead(&mut self, one: &Edge, other: &Edge) -> bool {
        (0..MAX_AHEAD).any(|ahead| match (self.ahead(one, ahead), self.ahead(other, ahead)) {
            (Some(one), Some(other)) => one.is_disjoint(&other),
            _ => false,
        })
    }

    /// The tags at a place behind an edge, so many tags ahead.
    fn ahead(&mut self, edge: &Edge, ahead: usize) -> Option<FxHashSet<Next>> {
        let mut found = FxHashSet::default();
        let mut seen = FxHashSet::default();
        let mut waiting: Vec<(NodeId, usize)> = Vec::new();
        let follow = |edge: &Edge, ahead: usize, found: &mut FxHashSet<Next>| {
            let tags: Vec<Symbol> = match &edge.label {
                Label::Tag(symbol) => vec![*symbol],
                Label::TagVariable(slot) => {
                    let possible = &self.map.places[*slot].possible;
                    let symbols = (0..possible.len()).filter(|&symbol| possible[symbol]);
                    symbols.map(|symbol| Symbol(symbol as u32)).collect()
                }
                label if label.ends_move() => {
                    found.insert(None);
                    return None;
                }
                _ => return Some((edge.to, ahead)),
            };
            if ahead > 0 {
                return Some((edge.to, ahead - 1));
            }
            found.extend(tags.into_iter().map(Some));
            None
        };
        waiting.extend(follow(edge, ahead, &mut found));
        while let Some((node, ahead)) = waiting.pop() {
            self.budget = self.budget.checked_sub(1)?;
            if seen.insert((node, ahead)) {
                for edge in &self.automaton.nodes[node].edges {
                    waiting.extend(follow(edge, ahead, &mut found));
                }
            }
        }
        Some(found)
    }
}
