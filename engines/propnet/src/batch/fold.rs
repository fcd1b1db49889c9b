//! Two roles that take turns as one: literals that are those of whoever has the turn.

use rustc_hash::FxHashMap;

use crate::graph::{Graph, Lit};

/// The depth to which two literals are compared.
const DEPTH: u32 = 8;
/// Wider gates are not.
const WIDE: usize = 64;

/// Literals that depend on the turn.
pub(super) struct Fold {
    /// Holds while the first role has the turn.
    turn: Lit,
    /// True if to look for what both sides have in common, below the gates.
    deep: bool,
    known: FxHashMap<(Lit, Lit), Lit>,
}

impl Fold {
    pub(super) fn new(turn: Lit, deep: bool) -> Fold {
        Fold { turn, deep, known: FxHashMap::default() }
    }

    /// A literal equal to the first one while the first role has the turn, and otherwise to the
    /// second.
    pub(super) fn either(&mut self, graph: &mut Graph, one: Lit, other: Lit) -> Lit {
        self.within(graph, one, other, DEPTH)
    }

    fn within(&mut self, graph: &mut Graph, one: Lit, other: Lit, depth: u32) -> Lit {
        if one == other {
            return one;
        }
        if one.is_negative() && other.is_negative() {
            return !self.within(graph, !one, !other, depth);
        }
        if let Some(&known) = self.known.get(&(one, other)) {
            return known;
        }
        let alike = self.deep && depth > 0 && !one.is_negative() && !other.is_negative();
        let folded = alike.then(|| self.by_inputs(graph, one, other, depth)).flatten();
        let folded = folded.unwrap_or_else(|| self.choice(graph, one, other));
        self.known.insert((one, other), folded);
        folded
    }

    fn choice(&self, graph: &mut Graph, one: Lit, other: Lit) -> Lit {
        let sides = [graph.and([self.turn, one]), graph.and([!self.turn, other])];
        graph.or(sides)
    }

    /// Gates that have inputs in common, or equally many, as one gate of the inputs of either.
    fn by_inputs(&mut self, graph: &mut Graph, one: Lit, other: Lit, depth: u32) -> Option<Lit> {
        let inputs = [one, other].map(|lit| graph.inputs(lit.node()).to_vec());
        let [a, b] = &inputs;
        if a.is_empty() || b.is_empty() || a.len().max(b.len()) > WIDE {
            return None;
        }
        let mut all: Vec<Lit> = a.iter().filter(|l| b.binary_search(l).is_ok()).copied().collect();
        let mut rest = inputs.clone();
        rest.iter_mut().for_each(|rest| rest.retain(|l| all.binary_search(l).is_err()));
        if rest[0].len() == rest[1].len() {
            // Those of one kind are met in the same order, as a rule.
            rest.iter_mut().for_each(|rest| {
                rest.sort_by_key(|l| (graph.inputs(l.node()).is_empty(), l.is_negative(), *l));
            });
            let [a, b] = &rest;
            for (&a, &b) in a.iter().zip(b) {
                let folded = self.within(graph, a, b, depth - 1);
                all.push(folded);
            }
        } else if all.is_empty() {
            return None;
        } else {
            let [a, b] = rest.map(|rest| graph.and(rest));
            all.push(self.choice(graph, a, b));
        }
        Some(graph.and(all))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::circuit::Circuit;

    #[test]
    fn what_both_have_in_common_is_made_once() {
        let mut g = Graph::new();
        let bases: Vec<Lit> = (0..7).map(|base| g.base(base)).collect();
        let [turn, mine, theirs, near, far, block, odd] = bases[..] else { unreachable!() };
        let way = g.and([near, !block]);
        let further = g.and([way, far]);
        // (mine or odd) further, and the same of the other one: and a pair without common parts.
        let [one, other] = [mine, theirs].map(|own| {
            let able = g.or([own, odd]);
            g.and([able, further])
        });
        let pairs = [(one, other), (!one, !other), (one, far), (near, !far), (way, Lit::FALSE)];
        for deep in [false, true] {
            let mut fold = Fold::new(turn, deep);
            let folded = pairs.map(|(a, b)| fold.either(&mut g, a, b));
            let roots = pairs.iter().flat_map(|&(a, b)| [a, b]).chain(folded);
            let circuit = Circuit::new(&g, [roots.collect::<Vec<Lit>>()], 7, 0);
            for state in 0..1 << 7 {
                let mut values = vec![false; circuit.len()];
                for base in 0..7 {
                    values[circuit.base(base) as usize] = state >> base & 1 == 1;
                }
                circuit.evaluate(circuit.blocks(), &mut values);
                let value = |l: Lit| {
                    let lit = circuit.lit(l).expect("a root");
                    values[lit.node() as usize] != lit.is_negative()
                };
                for ((a, b), folded) in pairs.into_iter().zip(folded) {
                    assert_eq!(value(folded), if state & 1 == 1 { value(a) } else { value(b) });
                }
            }
        }
        let gates = [false, true].map(|deep| {
            let folded = Fold::new(turn, deep).either(&mut g, one, other);
            Circuit::new(&g, [[folded]], 7, 0).gates()
        });
        // Besides the way: two of either kind and three to choose; or three to choose the own ones.
        assert!(gates[1] < gates[0], "{gates:?}");
    }
}
