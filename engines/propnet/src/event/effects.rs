//! The effect of each move on the state, worked out beforehand.
//!
//! While one role acts and the others have nothing to do but wait, the next state depends on the
//! present one and on one move. So for each move the literals for `next` are rewritten under the
//! assumption that just this move is made, that the others wait, and that the move is legal: most
//! become "as before", many become constants, and what is left is a short list of bases to set, in
//! the manner of planning operators with conditional effects (Pednault 1989).

use rustc_hash::{FxHashMap, FxHashSet};

use crate::graph::{Graph, Lit, Node};
use crate::implied::implied;
use crate::network::Network;
use crate::plain_evaluator::MoveId;
use crate::trial::Trial;

/// The change of a base.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Change {
    /// Nothing, where something else would happen by itself.
    Keep,
    /// It was false and becomes true.
    On,
    /// It was true and becomes false.
    Off,
    /// It becomes what it was not.
    Toggle,
    /// It becomes what the literal was before the move.
    Become(Lit),
}

/// Bases to set.
pub(crate) type Effects = Vec<(u32, Change)>;

/// The effects of all moves.
#[derive(Clone, Debug, Default)]
pub(crate) struct Operators {
    /// By move; one more for the step in which everybody waits.
    pub(crate) moves: Vec<Effects>,
    /// Bases that moves which say nothing about them do not leave as they are, and what these
    /// become.
    pub(crate) drift: Vec<(u32, Lit)>,
    /// By role, the move by which it waits.
    pub(crate) idle: Vec<Option<MoveId>>,
}

/// Gates that may be looked at, over all moves, before this is given up.
const WORK: usize = 60_000_000;
/// Effects of all moves together.
const EFFECTS: usize = 20_000_000;
/// Gates may become so many times as many, and some; with more, nothing would be gained.
const GROWTH: usize = 8;
const SMALL: usize = 100_000;
/// If no more bases than this drift, every move says what happens to them.
const FEW: usize = 4;

/// The literals that gates are equal to, by node.
type Found = FxHashMap<u32, Lit>;

/// The gates that depend on moves.
struct MoveDependentGates {
    /// By node: the gates that it feeds and that depend on a move.
    feeds: FxHashMap<u32, Vec<u32>>,
    /// All of these gates in order.
    gates: Vec<u32>,
    /// By move, its source, if there is one.
    sources: Vec<Option<u32>>,
}

/// Works out the operators; `None` where that is not possible, or not worth it: several roles act
/// at once, or loops depend on moves. New gates go into `graph`, which starts as the network's.
pub(crate) fn operators(network: &Network, graph: &mut Graph, trial: &Trial) -> Option<Operators> {
    if trial.joint > 0 {
        return None;
    }
    let stepwise = MoveDependentGates::new(network)?;
    let mut work = WORK;
    let roles = trial.idle.len();
    let bases = network.bases.len();
    let base_lits = base_literals(network);
    let mut by_next: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    for (base, b) in network.bases.iter().enumerate() {
        by_next.entry(b.next.node()).or_default().push(base as u32);
    }
    // By base, how often it is set to what; unsaid means "as before".
    let mut votes: Vec<FxHashMap<Lit, u32>> = vec![FxHashMap::default(); bases];
    let mut moves: Vec<Vec<Next>> = vec![Vec::new(); network.moves.len() + 1];
    let mut all = 0;
    let mut acted = 0;
    for role in 0..=roles {
        let waiting: Vec<MoveId> =
            (0..roles).filter(|&r| r != role).filter_map(|r| trial.idle[r]).collect();
        if waiting.len() + usize::from(role < roles) < roles {
            // Some role never waits: then it is the only one to act.
            continue;
        }
        let still = stepwise.still(graph, &waiting, &mut work)?;
        let next: Vec<Lit> =
            network.bases.iter().map(|b| MoveDependentGates::lit(&still, b.next)).collect();
        // What happens whatever the role does.
        let drifting: Vec<u32> =
            (0..bases as u32).filter(|&b| next[b as usize] != base_lits[b as usize]).collect();
        let nobody = network.moves.len();
        let acts =
            |m: usize| network.moves[m].role == role && trial.idle[role] != Some(m as MoveId);
        let acting: Vec<usize> =
            if role == roles { vec![nobody] } else { (0..nobody).filter(|&m| acts(m)).collect() };
        for action in acting {
            acted += 1;
            let mut assumed = Vec::new();
            let own = (action != nobody).then_some(action as MoveId);
            for m in waiting.iter().copied().chain(own) {
                assumed.extend(implied(graph, network.moves[m as usize].legal, 64));
            }
            let mut effects = Vec::new();
            let mut touched = drifting.clone();
            let mut changed = Found::default();
            if let Some(source) = own.and_then(|m| stepwise.sources[m as usize]) {
                let cone = stepwise.cone(source, &mut work)?;
                changed = moving(graph, &cone, &still, &mut work)?;
                let fed = cone.iter().flat_map(|node| by_next.get(node).into_iter().flatten());
                touched.extend(fed);
            }
            touched.sort_unstable();
            touched.dedup();
            for base in touched {
                let lit = network.bases[base as usize].next;
                let to = match changed.get(&lit.node()) {
                    Some(to) => to.flip(lit.is_negative()),
                    None => next[base as usize],
                };
                let own = base_lits[base as usize];
                let known = value(own, &assumed);
                let mut to = under(graph, to, &assumed);
                if known.is_some_and(|v| to == Lit::FALSE.flip(v)) {
                    to = own;
                } else if to == !own
                    && let Some(known) = known
                {
                    to = Lit::TRUE.flip(known);
                }
                *votes[base as usize].entry(to).or_default() += 1;
                effects.push(Next { base, to, known });
            }
            all += effects.len();
            if all > EFFECTS || graph.len() > GROWTH * network.graph.len() + SMALL {
                return None;
            }
            moves[action] = effects;
        }
    }
    let drift = drift(&votes, &base_lits, acted);
    let standard: FxHashMap<u32, Lit> = drift.iter().copied().collect();
    let moves = moves
        .into_iter()
        .map(|said| {
            // What a move says, unless that is what happens anyway.
            let unsaid = |base: &u32| said.binary_search_by_key(base, |n| n.base).is_err();
            let kept = drift.iter().map(|d| d.0).filter(unsaid).map(|base| (base, Change::Keep));
            let changes = said.iter().filter_map(|next| {
                let own = base_lits[next.base as usize];
                let usual = standard.get(&next.base).copied().unwrap_or(own);
                (next.to != usual).then(|| (next.base, next.change(own)))
            });
            let mut effects: Effects = kept.chain(changes).collect();
            effects.sort_unstable();
            effects
        })
        .collect();
    Some(Operators { moves, drift, idle: trial.idle.clone() })
}

/// The next value of one base after one move.
#[derive(Clone)]
struct Next {
    base: u32,
    to: Lit,
    /// Its value before, where the move's legality implies it.
    known: Option<bool>,
}

impl Next {
    fn change(&self, own: Lit) -> Change {
        match (self.to, self.known) {
            (to, _) if to == own => Change::Keep,
            (Lit::TRUE, Some(false)) => Change::On,
            (Lit::FALSE, Some(true)) => Change::Off,
            (to, _) if to == !own => Change::Toggle,
            (to, _) => Change::Become(to),
        }
    }
}

/// The literal of each base in the graph.
pub(crate) fn base_literals(network: &Network) -> Vec<Lit> {
    let mut lits = vec![Lit::FALSE; network.bases.len()];
    for node in 0..network.graph.len() as u32 {
        if let Node::Base(base) = network.graph.node(node) {
            lits[base as usize] = Lit::new(node, false);
        }
    }
    lits
}

/// The unconditional updates: for each base that a move may say nothing about, the value that
/// nearly all moves give it.
fn drift(votes: &[FxHashMap<Lit, u32>], base_lits: &[Lit], moves: u32) -> Vec<(u32, Lit)> {
    let mut drift = Vec::new();
    for (base, votes) in votes.iter().enumerate() {
        let most = votes.iter().map(|(&to, &n)| (n, std::cmp::Reverse(to))).max();
        if let Some((most, std::cmp::Reverse(to))) = most
            && to != base_lits[base]
            && u64::from(most) * 8 >= u64::from(moves) * 7
        {
            drift.push((base as u32, to));
        }
    }
    if drift.len() <= FEW { Vec::new() } else { drift }
}

/// The value of a literal, if others being true says it.
fn value(lit: Lit, assumed: &[Lit]) -> Option<bool> {
    assumed.iter().find(|l| l.node() == lit.node()).map(|&l| l == lit)
}

/// A literal, given that others are true; looks one gate deep.
fn under(graph: &Graph, lit: Lit, assumed: &[Lit]) -> Lit {
    if let Some(value) = value(lit, assumed) {
        return Lit::FALSE.flip(value);
    }
    let inputs = graph.inputs(lit.node());
    if inputs.is_empty() || inputs.len() > 64 {
        return lit;
    }
    let values: Vec<Option<bool>> = inputs.iter().map(|&l| value(l, assumed)).collect();
    if values.contains(&Some(false)) {
        return Lit::FALSE.flip(lit.is_negative());
    }
    let mut open = inputs.iter().zip(&values).filter(|(_, v)| v.is_none()).map(|(l, _)| *l);
    match (open.next(), open.next()) {
        (None, _) => Lit::TRUE.flip(lit.is_negative()),
        (Some(only), None) => only.flip(lit.is_negative()),
        _ => lit,
    }
}

impl MoveDependentGates {
    /// `None` where a loop depends on moves.
    fn new(network: &Network) -> Option<MoveDependentGates> {
        let graph = &network.graph;
        let mut depends = vec![false; graph.len()];
        let mut stepwise = MoveDependentGates {
            feeds: FxHashMap::default(),
            gates: Vec::new(),
            sources: vec![None; network.moves.len()],
        };
        for node in 0..graph.len() as u32 {
            match graph.node(node) {
                Node::Does(action) => {
                    depends[node as usize] = true;
                    stepwise.sources[action as usize] = Some(node);
                }
                Node::And(inputs) if inputs.iter().any(|l| depends[l.node() as usize]) => {
                    depends[node as usize] = true;
                    stepwise.gates.push(node);
                    for lit in inputs.iter().filter(|l| depends[l.node() as usize]) {
                        stepwise.feeds.entry(lit.node()).or_default().push(node);
                    }
                }
                _ => {}
            }
        }
        // Definitions lead upwards, so a loop that depends on moves shows only there.
        for node in 0..graph.len() as u32 {
            if let Node::Feedback(feedback) = graph.node(node)
                && depends[graph.definition(feedback).node() as usize]
            {
                return None;
            }
        }
        Some(stepwise)
    }

    /// A move's source and the gates that depend on it, in order.
    fn cone(&self, source: u32, work: &mut usize) -> Option<Vec<u32>> {
        let mut cone = vec![source];
        let mut seen: FxHashSet<u32> = cone.iter().copied().collect();
        let mut at = 0;
        while at < cone.len() {
            for &node in self.feeds.get(&cone[at]).into_iter().flatten() {
                if seen.insert(node) {
                    cone.push(node);
                }
            }
            at += 1;
            *work = work.checked_sub(1)?;
        }
        cone.sort_unstable();
        Some(cone)
    }

    /// The literals that all gates are equal to when these moves are made and no others.
    fn still(&self, graph: &mut Graph, made: &[MoveId], work: &mut usize) -> Option<Found> {
        let mut found = Found::default();
        for (action, source) in (0..).zip(&self.sources) {
            if let Some(source) = source {
                found.insert(*source, Lit::FALSE.flip(made.contains(&action)));
            }
        }
        rewrite(graph, &self.gates, &mut found, &Found::default(), work)?;
        Some(found)
    }

    fn lit(found: &Found, lit: Lit) -> Lit {
        found.get(&lit.node()).map_or(lit, |to| to.flip(lit.is_negative()))
    }
}

/// The literals that the nodes of a move's cone are equal to when the move is made besides.
fn moving(graph: &mut Graph, cone: &[u32], still: &Found, work: &mut usize) -> Option<Found> {
    let (&source, gates) = cone.split_first()?;
    let mut found = Found::default();
    found.insert(source, Lit::TRUE);
    rewrite(graph, gates, &mut found, still, work)?;
    Some(found)
}

/// Rewrites gates whose inputs have been found, or else are `otherwise`, or else stay.
fn rewrite(
    graph: &mut Graph,
    gates: &[u32],
    found: &mut Found,
    otherwise: &Found,
    work: &mut usize,
) -> Option<()> {
    for &gate in gates {
        let inputs: Vec<Lit> = graph
            .inputs(gate)
            .iter()
            .map(|l| {
                let to = found.get(&l.node()).or_else(|| otherwise.get(&l.node()));
                to.map_or(*l, |to| to.flip(l.is_negative()))
            })
            .collect();
        *work = work.checked_sub(inputs.len())?;
        let to = graph.and(inputs);
        found.insert(gate, to);
    }
    Some(())
}
