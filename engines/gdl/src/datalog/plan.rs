//! In which order a rule asks its literals: the order with the least expected work, by dynamic
//! programming over sets of literals (Selinger et al. 1979), greedily where there are many.

use super::flat::{FlatLiteral, FlatRule, FlatTerm};

/// Literals up to which all orders are compared.
const MAX_EXACT: usize = 8;
/// Work of one step of a loop, in rows.
const STEP: f64 = 1.5;

/// The statistics of a relation for the planner: the average number of its rows, and the number of
/// different values in each column.
#[derive(Clone, Debug, Default)]
pub(crate) struct Size {
    pub(crate) rows: f64,
    pub(crate) distinct: Vec<f64>,
    /// True if it is evaluated for keys only, so that it should not be asked without one.
    pub(crate) on_demand: bool,
}

/// Rows to expect where a relation on demand is asked without a key.
const KEYLESS: f64 = 1e9;

impl Size {
    /// Rows to expect for a key over the columns that `bound` names, taking columns for
    /// independent.
    pub(crate) fn matches(&self, bound: impl Fn(usize) -> bool) -> f64 {
        if self.on_demand && !(0..self.distinct.len()).any(&bound) {
            return KEYLESS;
        }
        let keyed = self.distinct.iter().enumerate().filter(|&(c, _)| bound(c));
        keyed.fold(self.rows, |rows, (_, distinct)| rows / distinct.max(1.0))
    }
}

/// True if all variables of a term are known.
pub(crate) fn is_bound(term: &FlatTerm, bound: &[bool]) -> bool {
    let mut all = true;
    term.for_each_variable(&mut |var| all &= bound[var as usize]);
    all
}

fn bind(term: &FlatTerm, bound: &mut [bool]) {
    term.for_each_variable(&mut |var| bound[var as usize] = true);
}

/// The positive literals of a rule, by their place in the body, in the order to ask them; `first`
/// has been asked before.
pub(crate) fn order(rule: &FlatRule, first: Option<usize>, sizes: &[Size]) -> Vec<usize> {
    let positive: Vec<usize> = (0..rule.body.len())
        .filter(|&i| matches!(rule.body[i], FlatLiteral::Positive(_)) && Some(i) != first)
        .collect();
    let mut bound = vec![false; rule.variables as usize];
    if let Some(first) = first {
        bind_literal(rule, first, &mut bound);
    }
    if positive.len() <= MAX_EXACT {
        exact(rule, &positive, &bound, sizes)
    } else {
        greedy(rule, &positive, bound, sizes)
    }
}

fn bind_literal(rule: &FlatRule, literal: usize, bound: &mut [bool]) {
    if let FlatLiteral::Positive(atom) = &rule.body[literal] {
        atom.columns.iter().for_each(|c| bind(c, bound));
    }
}

fn matches(rule: &FlatRule, literal: usize, bound: &[bool], sizes: &[Size]) -> f64 {
    match &rule.body[literal] {
        FlatLiteral::Positive(atom) => {
            sizes[atom.relation.index()].matches(|column| is_bound(&atom.columns[column], bound))
        }
        _ => 1.0,
    }
}

/// The best way found to ask a set of literals.
#[derive(Clone, Copy)]
struct Best {
    cost: f64,
    /// Rows that are left at the end.
    rows: f64,
    /// Place of the literal that is asked last.
    last: usize,
}

fn exact(rule: &FlatRule, literals: &[usize], bound: &[bool], sizes: &[Size]) -> Vec<usize> {
    let mut best: Vec<Option<Best>> = vec![None; 1 << literals.len()];
    best[0] = Some(Best { cost: 0.0, rows: 1.0, last: 0 });
    let mut known = Vec::new();
    for set in 0..best.len() {
        let Some(Best { cost, rows, .. }) = best[set] else { continue };
        // What is bound depends on the set alone.
        known.clear();
        known.extend_from_slice(bound);
        for (i, &literal) in literals.iter().enumerate() {
            if set >> i & 1 == 1 {
                bind_literal(rule, literal, &mut known);
            }
        }
        for (i, &literal) in literals.iter().enumerate().filter(|&(i, _)| set >> i & 1 == 0) {
            let found = matches(rule, literal, &known, sizes);
            let next = Best { cost: cost + rows * (STEP + found), rows: rows * found, last: i };
            let target = &mut best[set | 1 << i];
            if target.is_none_or(|other| next.cost < other.cost) {
                *target = Some(next);
            }
        }
    }
    let mut order = Vec::with_capacity(literals.len());
    let mut set = best.len() - 1;
    while set != 0
        && let Some(Best { last, .. }) = best[set]
    {
        order.push(literals[last]);
        set &= !(1 << last);
    }
    order.reverse();
    order
}

fn greedy(rule: &FlatRule, literals: &[usize], mut bound: Vec<bool>, sizes: &[Size]) -> Vec<usize> {
    let mut left = literals.to_vec();
    let mut order = Vec::with_capacity(left.len());
    // Long bodies are rare and mostly written in a good order: look some way ahead only.
    const AHEAD: usize = 64;
    while !left.is_empty() {
        let costs = left.iter().take(AHEAD).map(|&literal| matches(rule, literal, &bound, sizes));
        let (at, _) = costs.enumerate().min_by(|(_, a), (_, b)| a.total_cmp(b)).unwrap_or((0, 0.0));
        let literal = left.remove(at);
        bind_literal(rule, literal, &mut bound);
        order.push(literal);
    }
    order
}
