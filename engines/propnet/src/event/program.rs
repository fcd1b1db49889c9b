//! The effect of a move as a small program: conditions nested by what they share.

use rustc_hash::FxHashMap;

use crate::event::effects::Change;
use crate::graph::{Graph, Lit};

/// A step of a program. Conditions are read before anything changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Instruction<T> {
    /// Skips so many instructions unless the condition holds.
    Unless { condition: T, skip: u32 },
    /// The base becomes this.
    Set { base: u32, value: bool },
    /// The base becomes what it was not.
    Toggle { base: u32 },
    /// The base becomes what this is.
    Assign { base: u32, from: T },
}

impl<T: Copy> Instruction<T> {
    /// The operand that it reads.
    pub(crate) fn operand(self) -> Option<T> {
        match self {
            Instruction::Unless { condition, .. } => Some(condition),
            Instruction::Assign { from, .. } => Some(from),
            Instruction::Set { .. } | Instruction::Toggle { .. } => None,
        }
    }

    /// The same with other operands.
    pub(crate) fn map<U>(self, f: impl Fn(T) -> U) -> Instruction<U> {
        match self {
            Instruction::Unless { condition, skip } => {
                Instruction::Unless { condition: f(condition), skip }
            }
            Instruction::Set { base, value } => Instruction::Set { base, value },
            Instruction::Toggle { base } => Instruction::Toggle { base },
            Instruction::Assign { base, from } => Instruction::Assign { base, from: f(from) },
        }
    }
}

/// Conditions are taken apart into no more than so many.
const PARTS: usize = 64;

/// Writes the program for these changes. `at_hand` says which literals are known at all times.
pub(crate) fn program(
    graph: &mut Graph,
    changes: &[(u32, Change)],
    base_lits: &[Lit],
    at_hand: &dyn Fn(Lit) -> bool,
) -> Vec<Instruction<Lit>> {
    let mut guarded: Vec<(Vec<Lit>, Instruction<Lit>)> = changes
        .iter()
        .filter_map(|&(base, change)| guard(graph, base, change, base_lits, at_hand))
        .collect();
    // What most changes share is asked first.
    let mut shared: FxHashMap<Lit, u32> = FxHashMap::default();
    for (conditions, _) in &guarded {
        for &lit in conditions {
            *shared.entry(lit).or_default() += 1;
        }
    }
    let rank = |lit: &Lit| (std::cmp::Reverse(shared[lit]), *lit);
    for (conditions, _) in &mut guarded {
        conditions.sort_by_key(rank);
        conditions.dedup();
    }
    guarded.sort_by(|a, b| a.0.iter().map(rank).cmp(b.0.iter().map(rank)));
    let mut out = Vec::new();
    // Open conditions with the places where they are asked.
    let mut open: Vec<(Lit, usize)> = Vec::new();
    for (conditions, instruction) in guarded {
        let same = open.iter().zip(&conditions).take_while(|(a, b)| a.0 == **b).count();
        close(&mut out, &mut open, same);
        for &condition in &conditions[same..] {
            open.push((condition, out.len()));
            out.push(Instruction::Unless { condition, skip: 0 });
        }
        out.push(instruction);
    }
    close(&mut out, &mut open, 0);
    out
}

fn close(out: &mut [Instruction<Lit>], open: &mut Vec<(Lit, usize)>, keep: usize) {
    let end = out.len();
    for (_, at) in open.drain(keep..) {
        if let Instruction::Unless { skip, .. } = &mut out[at] {
            *skip = (end - at - 1) as u32;
        }
    }
}

/// A change, and when it happens.
fn guard(
    graph: &mut Graph,
    base: u32,
    change: Change,
    base_lits: &[Lit],
    at_hand: &dyn Fn(Lit) -> bool,
) -> Option<(Vec<Lit>, Instruction<Lit>)> {
    let lit = match change {
        Change::Keep => return None,
        Change::On => return Some((Vec::new(), Instruction::Set { base, value: true })),
        Change::Off => return Some((Vec::new(), Instruction::Set { base, value: false })),
        Change::Toggle => return Some((Vec::new(), Instruction::Toggle { base })),
        Change::Become(lit) => lit,
    };
    if lit.is_constant() {
        return Some((Vec::new(), Instruction::Set { base, value: lit == Lit::TRUE }));
    }
    // "As before and ..." can only turn it off, "as before or ..." only on.
    let value = lit.is_negative();
    let own = base_lits[base as usize].flip(value);
    if graph.inputs(lit.node()).contains(&own) {
        let rest: Vec<Lit> =
            graph.inputs(lit.node()).iter().copied().filter(|&l| l != own).collect();
        let changes = !graph.and(rest);
        return Some((parts(graph, changes, at_hand), Instruction::Set { base, value }));
    }
    Some((Vec::new(), Instruction::Assign { base, from: lit }))
}

/// Conditions that together are this one: literals at hand, as far as ANDs go.
fn parts(graph: &Graph, lit: Lit, at_hand: &dyn Fn(Lit) -> bool) -> Vec<Lit> {
    let mut parts = vec![lit];
    let mut at = 0;
    while at < parts.len() {
        let lit = parts[at];
        let inputs = graph.inputs(lit.node());
        if lit.is_negative()
            || inputs.is_empty()
            || at_hand(lit)
            || parts.len() + inputs.len() > PARTS
        {
            at += 1;
        } else {
            parts.swap_remove(at);
            parts.extend_from_slice(inputs);
        }
    }
    parts
}
