//! Guards: conditions that many moves of a role have in common, such as that it is the role's turn.
//! They are kept apart, so that nothing has to be told to all these moves when the turn goes round.

use rustc_hash::FxHashMap;

use crate::graph::Lit;
use crate::implied::implied;
use crate::network::Network;
use crate::plain_evaluator::PlainEvaluator;
use crate::trial::Trial;

/// Moves of one role that are legal only while all guards hold. In the order of what they are
/// called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Group {
    pub(crate) role: usize,
    pub(crate) guards: Vec<Lit>,
    pub(crate) moves: Vec<u32>,
}

/// Guards are looked for among so many consequences of a move's legality.
const LOOK: usize = 64;
/// A guard is worth a group if it saves so many edges a step, on average: what it costs to look at
/// the guard.
const WORTH: f64 = 4.0;
/// Groups of one role.
const MOST: usize = 16;

/// Divides the moves into groups, by how often their conditions were seen to change.
pub(crate) fn groups(network: &Network, plain: &PlainEvaluator, trial: &Trial) -> Vec<Group> {
    let rate = |lit: Lit| {
        let node = plain.circuit().lit(lit).map_or(0, Lit::node);
        f64::from(trial.changes[node as usize]) / trial.states.max(1) as f64
    };
    let mut groups: Vec<Group> = Vec::new();
    // The groups of the role before, with the places of their moves among all of the role.
    let mut before: Vec<(usize, Vec<usize>)> = Vec::new();
    for (role, entry) in plain.roles.all.iter().enumerate() {
        // By what they are called, so that roles that have the same moves have them in one order.
        let mut moves: Vec<u32> = entry.moves.clone().collect();
        moves.sort_by(|&a, &b| {
            let label = |m: u32| &network.moves[m as usize].label;
            label(a).cmp(label(b)).then(a.cmp(&b))
        });
        let all: Vec<(usize, Vec<Lit>)> = (0..)
            .zip(&moves)
            .map(|(at, &m)| (at, implied(&network.graph, network.moves[m as usize].legal, LOOK)))
            .collect();
        let divided = mirrored(&all, &before).unwrap_or_else(|| divided(all, &rate));
        before = divided.iter().map(|(guards, at)| (guards.len(), at.clone())).collect();
        groups.extend(divided.into_iter().map(|(guards, at)| Group {
            role,
            guards,
            moves: at.into_iter().map(|at| moves[at]).collect(),
        }));
    }
    groups
}

/// Guards, and the places of the moves that have them.
type Guarded = (Vec<Lit>, Vec<usize>);

/// The moves divided like those of another role, whose groups have so many guards each, if that
/// gives as many here: then both roles have moves of one kind in the same places.
fn mirrored(all: &[(usize, Vec<Lit>)], other: &[(usize, Vec<usize>)]) -> Option<Vec<Guarded>> {
    if all.len() != other.iter().map(|(_, at)| at.len()).sum::<usize>() {
        return None;
    }
    let group = |(guards, at): &(usize, Vec<usize>)| {
        let inside: Vec<(usize, Vec<Lit>)> = at.iter().map(|&at| all[at].clone()).collect();
        let common = common(&inside);
        (common.len() == *guards).then(|| (common, at.clone()))
    };
    other.iter().map(group).collect()
}

/// The moves divided by their most active guards.
fn divided(mut rest: Vec<(usize, Vec<Lit>)>, rate: &dyn Fn(Lit) -> f64) -> Vec<Guarded> {
    let mut groups = Vec::new();
    while !rest.is_empty() {
        let best = if groups.len() + 1 < MOST { best_guard(&rest, rate) } else { None };
        let (mut inside, outside): (Vec<_>, Vec<_>) = match best {
            Some(guard) => rest.into_iter().partition(|(_, all)| all.contains(&guard)),
            None => (rest, Vec::new()),
        };
        rest = outside;
        // A part of the group may have a guard of its own; the others come back later.
        let mut common = common(&inside);
        while let Some(guard) =
            best_guard(&inside, &|l| if common.contains(&l) { 0.0 } else { rate(l) })
        {
            let back: Vec<_>;
            (inside, back) = inside.into_iter().partition(|(_, all)| all.contains(&guard));
            if back.is_empty() {
                break;
            }
            rest.extend(back);
            common = self::common(&inside);
        }
        rest.sort_by_key(|(at, _)| *at);
        groups.push((common, inside.into_iter().map(|(at, _)| at).collect()));
    }
    groups
}

/// The literals that all of these moves imply.
fn common(moves: &[(usize, Vec<Lit>)]) -> Vec<Lit> {
    let Some(((_, first), rest)) = moves.split_first() else { return Vec::new() };
    let mut common = first.clone();
    for (_, all) in rest {
        common.retain(|l| all.binary_search(l).is_ok());
    }
    common
}

/// The literal that saves the most edges, if any is worth it.
fn best_guard(moves: &[(usize, Vec<Lit>)], rate: &dyn Fn(Lit) -> f64) -> Option<Lit> {
    let mut counts: FxHashMap<Lit, u32> = FxHashMap::default();
    for (_, all) in moves {
        for &lit in all {
            *counts.entry(lit).or_default() += 1;
        }
    }
    let mut best = (WORTH, None);
    let mut counts: Vec<(Lit, u32)> = counts.into_iter().collect();
    counts.sort_unstable();
    for (lit, count) in counts {
        let saved = rate(lit) * f64::from(count);
        if count > 1 && saved >= best.0 {
            best = (saved, Some(lit));
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use play::Limits;

    use super::*;
    use crate::passes::reduce;

    #[test]
    fn moves_of_one_kind_have_the_same_places_with_both_roles() {
        // The second role's moves are given in another order.
        let rules = "(role a) (role b) (init (control a))
            (<= (legal a (mark ?x)) (true (control a)) (number a ?x))
            (<= (legal a (wait ?x)) (true (control a)) (number a ?x) (not (true (on ?x))))
            (<= (legal b (wait ?x)) (true (control b)) (number b ?x) (not (true (on ?x))))
            (<= (legal b (mark ?x)) (true (control b)) (number b ?x))
            (number a 1) (number a 2) (number a 3) (number a 4)
            (number b 3) (number b 1) (number b 4) (number b 2)
            (<= (legal a noop) (true (control b))) (<= (legal b noop) (true (control a)))
            (<= (next (control b)) (true (control a))) (<= (next (control a)) (true (control b)))
            (<= (next (on ?x)) (does a (mark ?x))) (<= terminal (true (on 4)))
            (goal a 50) (goal b 50)";
        let program = gdl::check(&text::Source::new("t.kif", rules)).program.expect("sound");
        let ground = gdl::ground::ground(&program, &Limits::default()).expect("small");
        let reduced = reduce(Network::of_program(&ground.program), u64::MAX);
        let groups = groups(&reduced.network, &reduced.plain, &reduced.trial);
        let labels = [0, 1].map(|role| {
            let own = groups.iter().filter(|group| group.role == role);
            let moves = own.flat_map(|group| &group.moves);
            let label = |&m: &u32| reduced.network.moves[m as usize].label.as_str();
            moves.map(label).collect::<Vec<&str>>()
        });
        assert_eq!(labels[0].len(), 9);
        assert_eq!(labels[0], labels[1]);
    }
}
