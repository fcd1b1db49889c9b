//! Rules taken apart, so that conditions which have little to do with each other are not combined
//! in all ways: `p(x) <- a(x y) b(y z) c(z w)` has as many instances as there are ways to choose
//! all four terms, but `p(x) <- a(x y) q(y)`, `q(y) <- b(y z) r(z)`, `r(z) <- c(z w)` ask for two
//! at a time.
//!
//! This eliminates variables one after the other, those first that meet the fewest others (bucket
//! elimination: Dechter 1999).

use crate::datalog::base::Base;
use crate::datalog::flat::{FlatAtom, FlatLiteral, FlatRule, FlatTerm};
use crate::datalog::schedule::asked;

/// Rules with more literals stay whole.
const MOST: usize = 64;

/// True if a rule can be taken apart.
pub(super) fn is_splittable(base: &Base, rule: &FlatRule) -> bool {
    split(base, rule).is_some()
}

/// Takes a rule apart as far as that helps: rules for new relations, and last what is left of the
/// rule itself.
pub(super) fn take_apart(base: &mut Base, mut rule: FlatRule) -> Vec<FlatRule> {
    let mut parts: Vec<FlatRule> = Vec::new();
    while let Some((others, bucket)) = split(base, &rule) {
        let (mut body, variables) = (Vec::new(), rule.variables);
        for (literal, taken) in std::mem::take(&mut rule.body).into_iter().zip(bucket) {
            if taken { body.push(literal) } else { rule.body.push(literal) }
        }
        let relation = base.add_part(&body, &others);
        let head = FlatAtom { relation, columns: others.into_iter().map(FlatTerm::Var).collect() };
        rule.body.push(FlatLiteral::Positive(head.clone()));
        parts.push(FlatRule { head, body, variables });
    }
    parts.push(rule);
    parts
}

/// The variable to take out of a rule next: the others that literals with it speak of, and which
/// these literals are.
fn split(base: &Base, rule: &FlatRule) -> Option<(Vec<u32>, Vec<bool>)> {
    if rule.body.len() > MOST {
        return None;
    }
    let literals: Vec<Vec<u32>> = rule.body.iter().map(FlatLiteral::variables).collect();
    let all = union(literals.iter());
    let in_head = rule.head.variables();
    let mut best: Option<(Vec<u32>, Vec<bool>)> = None;
    for &var in all.iter().filter(|v| !in_head.contains(v)) {
        let bucket: Vec<bool> = literals.iter().map(|vars| vars.contains(&var)).collect();
        let taken = || (0..literals.len()).filter(|&at| bucket[at]);
        let met = union(taken().map(|at| &literals[at]));
        let binds = |&at: &usize| matches!(rule.body[at], FlatLiteral::Positive(_));
        let helps = bucket.contains(&false)
            && met.len() < all.len()
            && union(taken().filter(binds).map(|at| &literals[at])) == met
            && taken().filter_map(|at| asked(&rule.body[at])).any(|(id, _)| base.changes(id))
            && best.as_ref().is_none_or(|(others, _)| met.len() <= others.len());
        if helps {
            best = Some((met.into_iter().filter(|&v| v != var).collect(), bucket));
        }
    }
    best
}

fn union<'a>(lists: impl Iterator<Item = &'a Vec<u32>>) -> Vec<u32> {
    let mut all: Vec<u32> = lists.flatten().copied().collect();
    all.sort_unstable();
    all.dedup();
    all
}
