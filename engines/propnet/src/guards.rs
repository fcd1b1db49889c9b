//! What many moves of a role have in common, such as that it is the role's turn: kept apart, so
//! that nothing has to be told to all these moves when the turn goes round.

use rustc_hash::FxHashMap;

use crate::graph::Lit;
use crate::implied::implied;
use crate::machine::Machine;
use crate::network::Network;
use crate::trial::Trial;

/// Moves of one role that are legal only while all guards hold. In the order of their numbers.
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
pub(crate) fn groups(network: &Network, machine: &Machine, trial: &Trial) -> Vec<Group> {
    let rate = |lit: Lit| {
        let node = machine.circuit().lit(lit).map_or(0, Lit::node);
        f64::from(trial.changes[node as usize]) / trial.states.max(1) as f64
    };
    let mut groups = Vec::new();
    for (role, entry) in machine.roles.all.iter().enumerate() {
        let mut rest: Vec<(u32, Vec<Lit>)> = entry
            .moves
            .clone()
            .map(|m| (m, implied(&network.graph, network.moves[m as usize].legal, LOOK)))
            .collect();
        let mut own = 0;
        while !rest.is_empty() {
            own += 1;
            let best = if own < MOST { best_guard(&rest, &rate) } else { None };
            let (mut inside, outside): (Vec<_>, Vec<_>) = match best {
                Some(guard) => rest.into_iter().partition(|(_, all)| all.contains(&guard)),
                None => (rest, Vec::new()),
            };
            rest = outside;
            // A part of the group may have a guard of its own; the others come back later.
            let mut common = common(&inside);
            while let Some(guard) = best_guard(&inside, &|l| {
                if common.contains(&l) { 0.0 } else { rate(l) }
            }) {
                let back: Vec<_>;
                (inside, back) = inside.into_iter().partition(|(_, all)| all.contains(&guard));
                if back.is_empty() {
                    break;
                }
                rest.extend(back);
                common = self::common(&inside);
            }
            rest.sort_by_key(|(m, _)| *m);
            groups.push(Group {
                role,
                guards: common,
                moves: inside.into_iter().map(|(m, _)| m).collect(),
            });
        }
    }
    groups
}

/// What all of these moves imply.
fn common(moves: &[(u32, Vec<Lit>)]) -> Vec<Lit> {
    let Some(((_, first), rest)) = moves.split_first() else { return Vec::new() };
    let mut common = first.clone();
    for (_, all) in rest {
        common.retain(|l| all.binary_search(l).is_ok());
    }
    common
}

/// The literal that saves the most edges, if any is worth it.
fn best_guard(moves: &[(u32, Vec<Lit>)], rate: &dyn Fn(Lit) -> f64) -> Option<Lit> {
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
