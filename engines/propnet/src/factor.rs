//! Factoring of alternatives: `c a` or `c b` or `d` becomes `c (a or b)` or `d`.
//!
//! The simplest of the algebraic ways to factor a sum of products (Brayton and McMullen 1982): each
//! product goes to that one of its factors that most of the products share, and what is left of
//! those of one factor is factored in turn.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::graph::{Graph, Lit};

/// Factors are looked for in what is left so many times.
const DEEPEST: u32 = 8;

/// Literals that all hold if and only if all of these do. None of them is read by anything else.
pub(crate) fn factored(graph: &mut Graph, lits: Vec<Lit>) -> Vec<Lit> {
    factored_to(graph, lits, DEEPEST)
}

fn factored_to(graph: &mut Graph, lits: Vec<Lit>, depth: u32) -> Vec<Lit> {
    let mut shared: FxHashMap<Lit, u32> = FxHashMap::default();
    for &lit in &lits {
        for &factor in factors(graph, lit) {
            *shared.entry(factor).or_default() += 1;
        }
    }
    let mut by_factor: BTreeMap<Lit, Vec<Lit>> = BTreeMap::new();
    let mut all = Vec::new();
    for lit in lits {
        let most = factors(graph, lit).iter().max_by_key(|f| (shared[f], Reverse(**f)));
        match most {
            Some(&factor) if shared[&factor] > 1 => by_factor.entry(factor).or_default().push(lit),
            _ => all.push(lit),
        }
    }
    for (factor, products) in by_factor {
        if products.len() == 1 || depth == 0 {
            all.extend(products);
            continue;
        }
        let mut rest = Vec::with_capacity(products.len());
        for product in products {
            let others: Vec<Lit> =
                factors(graph, product).iter().copied().filter(|&f| f != factor).collect();
            rest.push(!graph.and(others));
        }
        let none = factored_to(graph, rest, depth - 1);
        let none = graph.and(none);
        all.push(!graph.and([factor, !none]));
    }
    all
}

/// The factors of a negated product; none of anything else.
fn factors(graph: &Graph, lit: Lit) -> &[Lit] {
    if lit.is_negative() { graph.inputs(lit.node()) } else { &[] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_some_alternatives_share_is_said_once() {
        let mut g = Graph::new();
        let lits: Vec<Lit> = (0..6).map(|base| g.base(base)).collect();
        let [a, b, c, d, e, f] = lits[..] else { unreachable!() };
        // c a d + c a e + c b + f e + d
        let products = [vec![c, a, d], vec![c, a, e], vec![c, b], vec![f, e], vec![d]];
        let products = products.map(|p| !g.and(p)).to_vec();
        let found = factored(&mut g, products);
        let d_or_e = g.or([d, e]);
        let of_a = g.and([a, d_or_e]);
        let of_c = g.or([of_a, b]);
        let of_c = g.and([c, of_c]);
        let of_f = g.and([e, f]);
        assert_eq!(found, [!d, !of_c, !of_f]);
    }
}
