//! Rules taken apart, so that conditions which have little to do with each other are not combined
//! in all ways: `p(x) <- a(x y) b(y z) c(z w)` has as many instances as there are ways to choose
//! all four terms, but `p(x) <- a(x y) q(y)`, `q(y) <- b(y z) r(z)`, `r(z) <- c(z w)` ask for two
//! at a time.
//!
//! This eliminates variables one after the other, those first that meet the fewest others (bucket
//! elimination: Dechter 1999).

use crate::ground::clause::{Clause, Extent, Positive};
use crate::ground::pattern::{AtomPattern, Pattern};
use crate::program::Var;

/// Rules with more literals stay whole.
const MOST: usize = 64;

/// What a literal is, and where in its list of the clause.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    Positive(usize),
    Absent(usize),
    Negated(usize),
    Distinct(usize),
}

/// Takes a clause apart as far as that helps: clauses for new relations, which are added to
/// `relations`, and last what is left of the clause itself.
pub(super) fn take_apart(mut clause: Clause, relations: &mut Vec<Extent>) -> Vec<Clause> {
    let mut parts = Vec::new();
    while let Some(part) = split(&mut clause, relations) {
        parts.push(part);
    }
    parts.push(clause);
    parts
}

/// The variables of a literal, in order.
fn variables(clause: &Clause, place: Place) -> Vec<Var> {
    let mut all = Vec::new();
    let mut add = |var: Var| {
        if !all.contains(&var) {
            all.push(var);
        }
    };
    match place {
        Place::Positive(i) => clause.positive[i].atom.variables(&mut add),
        Place::Absent(i) => clause.absent[i].variables(&mut add),
        Place::Negated(i) => clause.negated[i].variables(&mut add),
        Place::Distinct(i) => {
            clause.distinct[i].0.variables(&mut add);
            clause.distinct[i].1.variables(&mut add);
        }
    }
    all.sort_unstable();
    all
}

/// Takes one variable out of a clause, and what speaks of it into a clause of its own.
fn split(clause: &mut Clause, relations: &mut Vec<Extent>) -> Option<Clause> {
    let places: Vec<Place> = (0..clause.positive.len())
        .map(Place::Positive)
        .chain((0..clause.absent.len()).map(Place::Absent))
        .chain((0..clause.negated.len()).map(Place::Negated))
        .chain((0..clause.distinct.len()).map(Place::Distinct))
        .collect();
    if places.len() > MOST {
        return None;
    }
    let literals: Vec<(Place, Vec<Var>)> =
        places.into_iter().map(|place| (place, variables(clause, place))).collect();
    let mut all: Vec<Var> = literals.iter().flat_map(|(_, vars)| vars).copied().collect();
    all.sort_unstable();
    all.dedup();
    let mut in_head = Vec::new();
    clause.head.variables(&mut |var| in_head.push(var));
    let mut best: Option<(Vec<Var>, Vec<Place>)> = None;
    for &var in all.iter().filter(|v| !in_head.contains(v)) {
        let (bucket, rest): (Vec<_>, Vec<_>) =
            literals.iter().partition(|(_, vars)| vars.contains(&var));
        let union = |list: &[&(Place, Vec<Var>)]| {
            let mut vars: Vec<Var> = list.iter().flat_map(|l| &l.1).copied().collect();
            vars.sort_unstable();
            vars.dedup();
            vars
        };
        let met = union(&bucket);
        let binds = |place: &Place| matches!(place, Place::Positive(_));
        let binding: Vec<_> = bucket.iter().copied().filter(|l| binds(&l.0)).collect();
        let kept = |place: Place| match place {
            Place::Positive(i) => clause.positive[i].kept || !clause.recorded,
            Place::Negated(_) => true,
            Place::Absent(_) | Place::Distinct(_) => false,
        };
        let helps = !rest.is_empty()
            && met.len() < all.len()
            && union(&binding) == met
            && bucket.iter().any(|l| kept(l.0))
            && best.as_ref().is_none_or(|(others, _)| met.len() <= others.len());
        if helps {
            let others = met.into_iter().filter(|&v| v != var).collect();
            best = Some((others, bucket.iter().map(|l| l.0).collect()));
        }
    }
    let (others, bucket) = best?;
    Some(part(clause, &others, &bucket, relations))
}

/// Moves the literals of a bucket into a clause of their own, and asks for its head instead.
fn part(
    clause: &mut Clause,
    others: &[Var],
    bucket: &[Place],
    relations: &mut Vec<Extent>,
) -> Clause {
    let relation = relations.len();
    let head = || AtomPattern::of(relation, others.iter().map(|&v| Pattern::Variable(v)).collect());
    let mut part = Clause {
        head: head(),
        positive: Vec::new(),
        absent: Vec::new(),
        negated: Vec::new(),
        distinct: Vec::new(),
        variables: clause.variables,
        recorded: clause.recorded,
        wanted: Vec::new(),
        told: Vec::new(),
    };
    // From the back, so that places stay right.
    for &place in bucket.iter().rev() {
        match place {
            Place::Positive(i) => part.positive.insert(0, clause.positive.remove(i)),
            Place::Absent(i) => part.absent.insert(0, clause.absent.remove(i)),
            Place::Negated(i) => part.negated.insert(0, clause.negated.remove(i)),
            Place::Distinct(i) => part.distinct.insert(0, clause.distinct.remove(i)),
        }
    }
    relations.push(Extent {
        arity: others.len(),
        is_static: !clause.recorded,
        recorded: clause.recorded,
        ..relations[clause.head.relation]
    });
    clause.positive.push(Positive { atom: head(), kept: clause.recorded });
    part.settle();
    clause.settle();
    part
}
