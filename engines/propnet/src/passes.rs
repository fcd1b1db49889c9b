//! Reductions of a network, and what each of them achieved.

use gdl::ground::GroundProgram;
use play::{BuildFact, Stage};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::circuit::Circuit;
use crate::graph::{Lit, Node};
use crate::network::{Network, Products};
use crate::plain_evaluator::PlainEvaluator;
use crate::trial::{Trial, trial};

/// The network that a ground program is, gate for gate: an AND for each rule with several
/// conditions, an OR for each atom with several rules, and a NOT for each atom that is negated
/// somewhere.
pub(crate) fn stage_of_program(program: &GroundProgram) -> Stage {
    let atoms = program.atoms as usize;
    let (mut rules, mut negated) = (vec![0u64; atoms], vec![false; atoms]);
    let (mut gates, mut edges) = (0, 0);
    for (head, body) in program.rules.iter() {
        rules[head.index()] += 1;
        if body.len() > 1 {
            gates += 1;
            edges += body.len() as u64;
        }
        for literal in body.iter().filter(|l| l.is_negative()) {
            negated[literal.atom().index()] = true;
        }
    }
    let ors = rules.iter().filter(|&&n| n > 1);
    gates += ors.clone().count() as u64;
    edges += ors.sum::<u64>();
    let nots = negated.iter().filter(|&&n| n).count() as u64;
    Stage {
        name: "ground rules",
        sizes: vec![
            (BuildFact::Bases, program.bases.len() as u64),
            (BuildFact::Moves, program.moves.len() as u64),
            (BuildFact::Gates, gates + nots),
            (BuildFact::Edges, edges + nots),
        ],
    }
}

/// The sizes of a network: its AND gates (ORs are negated ANDs) and their inputs as far as outputs
/// or next values depend on them; the gates one after another on the longest way, a loop being one;
/// and the gates that depend on themselves.
fn stage(name: &'static str, network: &Network) -> Stage {
    let roots = network.roots();
    let circuit = Circuit::new(&network.graph, [roots], network.bases.len(), network.moves.len());
    let mut depths = vec![0u64; circuit.len()];
    for block in circuit.blocks() {
        let nodes = || block.start..block.end;
        let depth = |node: u32, depths: &[u64]| {
            let inputs = circuit.inputs(node).iter().map(|l| depths[l.node() as usize] + 1);
            inputs.max().unwrap_or(0)
        };
        if block.is_loop {
            // What comes from within still counts as 0.
            let most = nodes().map(|node| depth(node, &depths)).max().unwrap_or(0);
            nodes().for_each(|node| depths[node as usize] = most);
        } else {
            nodes().for_each(|node| depths[node as usize] = depth(node, &depths));
        }
    }
    let loops = circuit.blocks().iter().filter(|b| b.is_loop);
    Stage {
        name,
        sizes: vec![
            (BuildFact::Bases, network.bases.len() as u64),
            (BuildFact::Moves, network.moves.len() as u64),
            (BuildFact::Gates, circuit.gates() as u64),
            (BuildFact::Edges, circuit.edges() as u64),
            (BuildFact::Depth, depths.into_iter().max().unwrap_or(0)),
            (BuildFact::GatesInLoops, loops.map(|b| u64::from(b.end - b.start)).sum()),
        ],
    }
}

/// A network as small as the passes get it.
pub(crate) struct Reduced {
    pub(crate) network: Network,
    pub(crate) plain: PlainEvaluator,
    pub(crate) trial: Trial,
    pub(crate) stages: Vec<Stage>,
}

/// Runs all passes.
pub(crate) fn reduce(raw: Network, work: u64) -> Reduced {
    let network = raw.rebuilt(&|_| None);
    drop(raw);
    let mut stages = vec![stage("shared, folded, cut", &network)];
    let network = without_constants(&network);
    stages.push(stage("constants", &network));
    let seen =
        trial(&PlainEvaluator::new(&network), network.bases.len(), network.moves.len(), work);
    let network = merged(&network, &seen).map_or(network, |merged| {
        let network = without_constants(&merged);
        stages.push(stage("equal bases", &network));
        network
    });
    let network = network.factored(Products::Effects);
    stages.push(stage("common factors", &network));
    let plain = PlainEvaluator::new(&network);
    let trial = trial(&plain, network.bases.len(), network.moves.len(), work);
    Reduced { network, plain, trial, stages }
}

/// Gates that no values of the sources make true, or none make false, are constants: among them
/// the members of loops that nothing from outside supports.
fn without_constants(network: &Network) -> Network {
    let roots = network.roots();
    let (bases, moves) = (network.bases.len(), network.moves.len());
    let circuit = Circuit::new(&network.graph, [roots], bases, moves);
    // By node: may it be true, and may it be false?
    let mut may = [false, true].map(|polarity| vec![polarity; circuit.len()]);
    let [may_be_true, may_be_false] = &mut may;
    for source in (0..bases).map(|b| circuit.base(b)).chain((0..moves).map(|m| circuit.does(m))) {
        may_be_true[source as usize] = source != 0;
    }
    for block in circuit.blocks() {
        let mut changed = true;
        // Loops have the least solution: nothing in them holds unless it must.
        while changed {
            changed = false;
            for node in (block.start..block.end).filter(|&n| !circuit.inputs(n).is_empty()) {
                let is_or = circuit.gate(node) == crate::circuit::Gate::Or;
                let can = |l: &Lit, value: bool| {
                    let side =
                        if value == l.is_negative() { &*may_be_false } else { &*may_be_true };
                    side[l.node() as usize]
                };
                let inputs = circuit.inputs(node);
                let (on, off) = if is_or {
                    (inputs.iter().any(|l| can(l, true)), inputs.iter().all(|l| can(l, false)))
                } else {
                    (inputs.iter().all(|l| can(l, true)), inputs.iter().any(|l| can(l, false)))
                };
                let at = node as usize;
                changed |= block.is_loop && (may_be_true[at] != on || may_be_false[at] != off);
                may_be_true[at] = on;
                may_be_false[at] = off;
            }
        }
    }
    let constant = |node: u32| {
        if matches!(network.graph.node(node), Node::False | Node::Base(_) | Node::Does(_)) {
            return None;
        }
        let lit = circuit.lit(Lit::new(node, false))?;
        let at = lit.node() as usize;
        match (may_be_true[at], may_be_false[at]) {
            (false, _) => Some(Lit::FALSE.flip(lit.is_negative())),
            (_, false) => Some(Lit::TRUE.flip(lit.is_negative())),
            _ => None,
        }
    };
    // Constants cut feedback nodes that a second look can take out.
    network.rebuilt(&constant).rebuilt(&|_| None)
}

/// Looking for equal bases goes on for so many rounds. After the patient ones, classes that still
/// part are given up: those of long counters lose a member in each round.
const ROUNDS: usize = 30;
const PATIENT: usize = 20;

/// Merges bases that are always equal or always opposite, and those that never change (register
/// correspondence by induction over structure: van Eijk 1998). What was seen in a trial gives the
/// first guess; the guess is refined until the next values agree as well, by structure, given that
/// the present ones do. `None` if there are none.
fn merged(network: &Network, trial: &Trial) -> Option<Network> {
    let bases = network.bases.len();
    let nodes = crate::event::base_literals(network);
    // Each base or its opposite is false at the start. Class 0 is of those that stay so.
    let lit = |base: usize| nodes[base].flip(network.bases[base].initially);
    let mut numbers: FxHashMap<u64, usize> = FxHashMap::default();
    numbers.insert(0, 0);
    let mut classes: Vec<usize> = (0..bases)
        .map(|base| {
            let held = trial.history[base][usize::from(!network.bases[base].initially)];
            let next = numbers.len();
            *numbers.entry(held).or_insert(next)
        })
        .collect();
    for round in 0..ROUNDS {
        let mut first: FxHashMap<usize, usize> = FxHashMap::default();
        for (base, &class) in classes.iter().enumerate() {
            first.entry(class).or_insert(base);
        }
        let mut by_node: FxHashMap<u32, Lit> = FxHashMap::default();
        for (base, class) in classes.iter().enumerate() {
            let representative = if *class == 0 { Lit::FALSE } else { lit(first[class]) };
            if representative != lit(base) {
                let to = representative.flip(network.bases[base].initially);
                by_node.insert(nodes[base].node(), to);
            }
        }
        if by_node.is_empty() {
            return None;
        }
        let replaced = |node: u32| by_node.get(&node).copied();
        let next: Vec<Lit> = network
            .next_values(&replaced)
            .into_iter()
            .zip(&network.bases)
            .map(|(next, base)| next.flip(base.initially))
            .collect();
        // Members of a class whose next values differ part.
        let mut parted: FxHashMap<(usize, Lit), usize> = FxHashMap::default();
        parted.insert((0, Lit::FALSE), 0);
        let refined: Vec<usize> = (0..bases)
            .map(|base| {
                let number = parted.len();
                *parted.entry((classes[base], next[base])).or_insert(number)
            })
            .collect();
        if parted.len() == numbers_of(&classes) {
            return Some(network.rebuilt(&replaced));
        }
        classes = if round < PATIENT { refined } else { without_parted(&classes, &refined) };
    }
    None
}

/// The refined classes, but members of those that have parted are alone.
fn without_parted(classes: &[usize], refined: &[usize]) -> Vec<usize> {
    let mut parts: FxHashMap<usize, usize> = FxHashMap::default();
    // Class 0 is there without members.
    parts.insert(0, 0);
    let mut parted: FxHashSet<usize> = FxHashSet::default();
    for (&class, &part) in classes.iter().zip(refined) {
        if *parts.entry(class).or_insert(part) != part {
            parted.insert(class);
        }
    }
    // Beyond all that are there.
    let alone = refined.len() + 1..;
    let all = classes.iter().zip(refined).zip(alone);
    all.map(|((class, &part), alone)| if parted.contains(class) { alone } else { part }).collect()
}

/// The number of classes, class 0 included even if it has no members.
fn numbers_of(classes: &[usize]) -> usize {
    let mut all: Vec<usize> = classes.iter().copied().chain([0]).collect();
    all.sort_unstable();
    all.dedup();
    all.len()
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use play::Limits;

    use super::*;

    #[test]
    fn a_counter_that_trials_do_not_reach_the_end_of_hides_no_opposites() {
        let mut rules = "(role a) (role b) (init (control a)) (init (step 0))
            (<= (legal ?p go) (true (control ?p))) (<= (legal ?p stop) (true (control ?p)))
            (<= (legal a noop) (true (control b))) (<= (legal b noop) (true (control a)))
            (<= (next (control b)) (true (control a))) (<= (next (control a)) (true (control b)))
            (<= (next (step ?n)) (true (step ?m)) (after ?m ?n))
            (<= (next stopped) (does ?p stop)) (<= terminal (true stopped))
            (<= terminal (true (step 60))) (goal a 50) (goal b 50)"
            .to_owned();
        for step in 0..60 {
            write!(rules, "(after {step} {})", step + 1).expect("a string takes all");
        }
        let program = gdl::check(&text::Source::new("t.kif", rules)).program.expect("sound");
        let ground = gdl::ground::ground(&program, &Limits::default()).expect("small");
        let bases = ground.program.bases.len();
        let reduced = reduce(Network::of_program(&ground.program), u64::MAX);
        assert_eq!(bases, 2 + 61 + 1);
        assert_eq!(reduced.network.bases.len(), bases - 1);
    }
}
