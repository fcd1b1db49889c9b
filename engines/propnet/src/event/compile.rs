//! From a network to what a playout runs on.

use std::collections::BTreeMap;

use play::{BuildFact, Player, Pool};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::circuit::{Block, Circuit, Gate};
use crate::costs::{ASK, INPUT, INSTRUCTION};
use crate::event::cells::Number;
use crate::event::effects::{Change, Operators};
use crate::event::fan_outs::{FanOut, FanOuts};
use crate::event::literals::LayoutLiterals;
use crate::event::memory::{Desk, Scratch};
use crate::event::net::{Net, NetBuilder, Place};
use crate::event::on_demand::{OnDemandGates, Operand};
use crate::event::program::{Instruction, program};
use crate::graph::Lit;
use crate::guards::Group;
use crate::implied::implied;
use crate::network::Network;
use crate::plain_evaluator::{MoveId, PlainEvaluator};
use crate::trial::Trial;

/// Moves that are legal while a guard holds and their bit is set.
#[derive(Clone, Debug)]
pub(crate) struct Choices {
    pub(crate) guard: Place,
    /// Words of leaves; bit by bit the moves from `first` on.
    pub(crate) words: std::ops::Range<usize>,
    pub(crate) first: MoveId,
}

/// A role.
#[derive(Clone, Debug)]
pub(crate) struct RoleLayout {
    pub(crate) player: Option<Player>,
    pub(crate) choices: Vec<Choices>,
    /// The move by which it waits.
    pub(crate) idle: MoveId,
}

/// A state in which one role chooses from one group, and the others have to pass.
#[derive(Clone, Debug)]
pub(crate) struct Solo {
    pub(crate) role: usize,
    pub(crate) words: std::ops::Range<usize>,
    pub(crate) first: MoveId,
    pub(crate) idle: MoveId,
}

/// A base in the net.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    pub(crate) node: u32,
    /// Word and bit that say whether it is about to change; no bit if it does not drift.
    pub(crate) word: u32,
    pub(crate) bit: u64,
}

/// The effect of one move: ranges of the lists in [`EventNetwork`].
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Operator {
    pub(crate) program: [u32; 2],
    /// Drifting bases to which something else happens.
    pub(crate) overrides: [u32; 2],
    /// Nodes of bases that change for sure.
    pub(crate) flips: [u32; 2],
    /// Gates that turn off for sure.
    pub(crate) sure: [u32; 2],
    /// The sum of what all these tell the gates that they feed.
    pub(crate) fan_out: FanOut,
}

/// A network laid out for change propagation.
pub(crate) struct EventNetwork<N: Number> {
    pub(crate) net: Net<N>,
    pub(crate) actors: Vec<RoleLayout>,
    pub(crate) terminal: Place,
    /// The state is terminal, too, if none of these words has a bit set.
    pub(crate) exhausted: std::ops::Range<usize>,
    /// Nodes of propositions that tell whose turn it is; and by combination, whether it is one
    /// role's.
    pub(crate) turn_bases: Vec<N>,
    pub(crate) solos: Vec<Option<Solo>>,
    pub(crate) bases: Vec<Slot>,
    /// Bases that drift, in the order of their leaves; and the words of these.
    pub(crate) drift: Vec<u32>,
    pub(crate) drift_words: std::ops::Range<usize>,
    /// The effect of each move, and last the effect of waiting; empty if the net itself says so.
    pub(crate) operators: Vec<Operator>,
    pub(crate) programs: Vec<Instruction<Operand>>,
    /// Place among the bases that drift, and what becomes of it.
    pub(crate) overrides: Vec<(u32, Operand)>,
    pub(crate) flips: Vec<N>,
    /// Words of nodes with bits to flip, so that what is summed up flips them back.
    pub(crate) sure: Vec<(u32, u64)>,
    pub(crate) fan_outs: FanOuts<N>,
    /// Nodes of the moves, if the net itself says what they do; 0 for moves that do nothing.
    pub(crate) does: Vec<u32>,
    pub(crate) on_demand: OnDemandGates,
    pub(crate) goal_blocks: Vec<Block>,
    pub(crate) goals: Vec<Operand>,
    pub(crate) passes: Vec<bool>,
    /// Memory of playouts.
    pub(crate) desks: Pool<Box<Desk<N::Cells>>>,
    /// Memory of single steps.
    pub(crate) scratch: Pool<Box<Scratch>>,
}

/// Steps of all moves together that may be written down; beyond, bases tell what they feed.
const STEPS: usize = 1 << 21;

/// So many gates that a move may ask for are looked at to tell what it costs.
const ASKED: usize = 10_000;

/// So many consequences of a move's legality are looked at.
const KNOWN: usize = 256;

/// A network laid out, but for the width of the numbers.
pub(crate) struct Blueprint<'a> {
    network: &'a Network,
    plain: &'a PlainEvaluator,
    groups: &'a [Group],
    parts: LayoutLiterals,
    circuit: Circuit,
    programs: Vec<Vec<Instruction<Lit>>>,
    builder: NetBuilder,
    /// By group, its words.
    words: Vec<std::ops::Range<usize>>,
    /// The leaf of the first drifting base.
    first_drift: usize,
    /// The cost of finding the next state, see [`Costs`](crate::costs::Costs).
    pub(crate) next: f64,
}

impl<'a> Blueprint<'a> {
    /// Lays out a network. `groups` cover its moves in order. To tell the net of the moves costs
    /// `told`; operators that cost more are left out.
    pub(crate) fn new(
        network: &'a Network,
        plain: &'a PlainEvaluator,
        trial: &Trial,
        groups: &'a [Group],
        told: f64,
    ) -> Blueprint<'a> {
        let mut parts = LayoutLiterals::new(network, trial, groups, true);
        let (mut circuit, mut programs) = lay_out(network, &mut parts);
        let mut next = told;
        if let Some(operators) = &parts.operators {
            let programmed = programmed(&circuit, operators, &parts, &programs, trial);
            if programmed < told {
                next = programmed;
            } else {
                parts = LayoutLiterals::new(network, trial, groups, false);
                (circuit, programs) = lay_out(network, &mut parts);
            }
        }
        let lit = |l: Lit| circuit.lit(l).unwrap_or(Lit::FALSE);
        let mut leaves = Vec::new();
        let mut words = Vec::new();
        for legal in &parts.legal {
            let start = leaves.len() / 64;
            leaves.extend(legal.iter().map(|&l| Some(lit(l))));
            leaves.resize(leaves.len().next_multiple_of(64), None);
            words.push(start..leaves.len() / 64);
        }
        let first_drift = leaves.len();
        leaves.extend(parts.drift.iter().map(|&(_, l)| Some(lit(l))));

        let mut values = vec![false; circuit.len()];
        for (base, b) in network.bases.iter().enumerate() {
            values[circuit.base(base) as usize] = b.initially;
        }
        values[0] = false;
        circuit.evaluate(circuit.stage(0), &mut values);
        let mut builder = NetBuilder::new(&circuit, &leaves, &values);
        for (at, &(base, _)) in parts.drift.iter().enumerate() {
            if network.bases[base as usize].initially {
                builder.flip_leaf(first_drift + at);
            }
        }
        Blueprint {
            network,
            plain,
            groups,
            parts,
            circuit,
            programs,
            builder,
            words,
            first_drift,
            next,
        }
    }

    /// Number of nodes.
    pub(crate) fn nodes(&self) -> usize {
        self.builder.len()
    }

    pub(crate) fn build<N: Number>(self) -> EventNetwork<N> {
        let places = self.builder.places.clone();
        let lit = |l: Lit| self.circuit.lit(l).unwrap_or(Lit::FALSE);
        let place = |l: Lit| Place::new(places[lit(l).node() as usize], lit(l).is_negative());
        let mut bases: Vec<Slot> = (0..self.network.bases.len())
            .map(|b| Slot { node: places[self.circuit.base(b) as usize], word: 0, bit: 0 })
            .collect();
        for (at, &(base, _)) in self.parts.drift.iter().enumerate() {
            let slot = &mut bases[base as usize];
            (slot.word, slot.bit) = self.builder.leaf(self.first_drift + at);
        }
        let first_pulled = self.circuit.stage(0).last().map_or(1, |b| b.end);
        let on_demand = OnDemandGates::new(&self.circuit, first_pulled, &places);
        let actors = self.actors(&place);
        let (turn_bases, solos) = self.solos(&actors, &bases);
        let drift_start = self.first_drift / 64;
        let mut fast = EventNetwork {
            actors,
            terminal: place(self.parts.terminal),
            exhausted: self.parts.exhausted.map_or(0..0, |group| self.words[group].clone()),
            turn_bases: turn_bases.into_iter().map(N::narrow).collect(),
            solos,
            bases,
            drift: self.parts.drift.iter().map(|d| d.0).collect(),
            drift_words: drift_start..drift_start + self.parts.drift.len().div_ceil(64),
            operators: Vec::new(),
            programs: Vec::new(),
            overrides: Vec::new(),
            flips: Vec::new(),
            sure: Vec::new(),
            fan_outs: FanOuts::new(),
            does: (0..self.network.moves.len())
                .map(|m| places[self.circuit.does(m) as usize])
                .collect(),
            goal_blocks: self.circuit.stage(2).to_vec(),
            goals: self
                .network
                .goals
                .iter()
                .map(|g| on_demand.operand(lit(g.lit), &places))
                .collect(),
            passes: self.network.moves.iter().map(|m| m.pass).collect(),
            on_demand,
            net: Net::new(&self.builder),
            desks: Pool::default(),
            scratch: Pool::default(),
        };
        let writer = Writer {
            circuit: &self.circuit,
            builder: &self.builder,
            places: &places,
            bases: &self.parts.bases,
        };
        if let Some(operators) = &self.parts.operators {
            for (at, (effects, program)) in operators.moves.iter().zip(&self.programs).enumerate() {
                let known = self.network.moves.get(at).map(|m| self.known(m.legal));
                let operator =
                    writer.write(effects, program, &known.unwrap_or_default(), &mut fast);
                fast.operators.push(operator);
            }
        }
        fast
    }

    /// The places of gates that are true wherever this literal of the network is.
    fn known(&self, lit: Lit) -> FxHashSet<u32> {
        let all = implied(&self.parts.graph, lit, KNOWN);
        let own = all.iter().filter_map(|&l| self.circuit.lit(l)).filter(|l| !l.is_negative());
        let gates = own.map(Lit::node).filter(|&node| self.circuit.gate(node) == Gate::And);
        // Those outside the net have place 0, and leaves are not visited.
        let places = gates.map(|node| self.builder.places.get(node as usize).copied().unwrap_or(0));
        places.filter(|&place| place != 0 && !self.builder.is_leaf(place)).collect()
    }

    fn actors(&self, place: &dyn Fn(Lit) -> Place) -> Vec<RoleLayout> {
        let roles = self.plain.roles.all.iter().enumerate();
        roles
            .map(|(role, entry)| {
                let own = (0..self.groups.len()).filter(|&g| self.groups[g].role == role);
                let choices = own.map(|g| Choices {
                    guard: place(self.parts.guards[g]),
                    words: self.words[g].clone(),
                    first: self.groups[g].moves.first().copied().unwrap_or(0),
                });
                let idle = self.parts.operators.as_ref().and_then(|o| o.idle[role]);
                RoleLayout {
                    player: entry.player,
                    choices: choices.collect(),
                    idle: idle.unwrap_or(MoveId::MAX),
                }
            })
            .collect()
    }

    /// Nodes of the propositions that tell whose turn it is, and whose it is.
    fn solos(&self, actors: &[RoleLayout], bases: &[Slot]) -> (Vec<u32>, Vec<Option<Solo>>) {
        let Some(turns) = &self.parts.turns else { return (Vec::new(), vec![None]) };
        let solo = |open: &Vec<usize>| {
            let mut solo = None;
            for (role, actor) in actors.iter().enumerate() {
                actor.player?;
                let mut own = open.iter().copied().filter(|&g| self.groups[g].role == role);
                let (Some(group), None) = (own.next(), own.next()) else { return None };
                let moves = &self.groups[group].moves;
                let waits = moves[..] == [actor.idle]
                    && self.parts.legal[group] == [Lit::TRUE]
                    && self.network.moves[actor.idle as usize].pass;
                if waits {
                    continue;
                }
                if solo.is_some() {
                    return None;
                }
                let (words, first) = (self.words[group].clone(), moves[0]);
                solo = Some(Solo { role, words, first, idle: actor.idle });
            }
            solo
        };
        let nodes = turns.bases.iter().map(|&b| bases[b as usize].node).collect();
        (nodes, turns.open.iter().map(solo).collect())
    }
}

/// Lays out the circuit: first what has to be up to date at each step, then what effects ask for
/// besides, then goals. Also the programs of the moves.
fn lay_out(network: &Network, parts: &mut LayoutLiterals) -> (Circuit, Vec<Vec<Instruction<Lit>>>) {
    let goals: Vec<Lit> = network.goals.iter().map(|g| g.lit).collect();
    let circuit = |parts: &LayoutLiterals, kept: &[Lit], asked: Vec<Lit>, goals: Vec<Lit>| {
        let kept = [&parts.roots()[..], kept].concat();
        let sizes = (network.bases.len(), network.moves.len());
        Circuit::new(&parts.graph, [kept, asked, goals], sizes.0, sizes.1)
    };
    let mut kept: Vec<Lit> = Vec::new();
    loop {
        let hand = circuit(parts, &kept, Vec::new(), Vec::new());
        let mut programs = Vec::new();
        let mut asked: Vec<Lit> = Vec::new();
        if let Some(operators) = &parts.operators {
            let drifting = parts.drifting();
            for effects in &operators.moves {
                // Overrides of what drifts are read as they are. What changes for sure is summed
                // up, not programmed.
                let (drifting, own): (Vec<_>, Vec<_>) =
                    effects.iter().copied().partition(|(base, _)| drifting.contains(base));
                let rest: Vec<(u32, Change)> = own
                    .into_iter()
                    .filter(|(_, change)| !matches!(change, Change::On | Change::Off))
                    .collect();
                let at_hand = |l: Lit| hand.lit(l).is_some();
                let program = program(&mut parts.graph, &rest, &parts.bases, &at_hand);
                asked.extend(program.iter().filter_map(|i| i.operand()));
                asked.extend(drifting.iter().filter_map(|(_, change)| match change {
                    Change::Become(lit) => Some(*lit),
                    _ => None,
                }));
                programs.push(program);
            }
        }
        asked.sort_unstable();
        asked.dedup();
        let all = circuit(parts, &kept, asked.clone(), goals.clone());
        if !all.stage(1).iter().any(|b| b.is_loop) {
            return (all, programs);
        }
        // Loops are kept up to date.
        kept = asked;
    }
}

/// The cost of the operators of the moves of a trial, by step.
fn programmed(
    circuit: &Circuit,
    operators: &Operators,
    parts: &LayoutLiterals,
    programs: &[Vec<Instruction<Lit>>],
    trial: &Trial,
) -> f64 {
    let first = circuit.stage(0).last().map_or(1, |b| b.end);
    let drifting = parts.drifting();
    let mut asked = FxHashSet::default();
    let mut stack = Vec::new();
    let mut cost = 0.0;
    for ((program, effects), &n) in programs.iter().zip(&operators.moves).zip(&trial.made) {
        if n == 0 {
            continue;
        }
        asked.clear();
        let mut ask = |lit: Lit| {
            let mut cost = INSTRUCTION;
            stack.extend(circuit.lit(lit).map(Lit::node));
            while let Some(node) = stack.pop() {
                if node >= first && asked.len() < ASKED && asked.insert(node) {
                    let inputs = circuit.inputs(node);
                    cost += ASK + INPUT * inputs.len() as f64;
                    stack.extend(inputs.iter().map(|l| l.node()));
                }
            }
            cost
        };
        let mut own = 0.0;
        for &(base, change) in effects {
            if let Change::Become(lit) = change
                && drifting.contains(&base)
            {
                own += ask(lit);
            }
        }
        // Every other condition holds.
        let mut share = 1.0;
        let mut ends = Vec::new();
        for (at, instruction) in program.iter().enumerate() {
            while ends.pop_if(|end| *end == at).is_some() {
                share *= 2.0;
            }
            own += share * instruction.operand().map_or(INSTRUCTION, &mut ask);
            if let Instruction::Unless { skip, .. } = instruction {
                ends.push(at + 1 + *skip as usize);
                share /= 2.0;
            }
        }
        cost += f64::from(n) * own;
    }
    cost / trial.states.max(1) as f64
}

/// Writes down what moves do.
struct Writer<'a> {
    circuit: &'a Circuit,
    builder: &'a NetBuilder,
    places: &'a [u32],
    bases: &'a [Lit],
}

impl Writer<'_> {
    fn operand<N: Number>(&self, lit: Lit, fast: &EventNetwork<N>) -> Operand {
        fast.on_demand.operand(self.circuit.lit(lit).unwrap_or(Lit::FALSE), self.places)
    }

    fn write<N: Number>(
        &self,
        effects: &[(u32, Change)],
        program: &[Instruction<Lit>],
        known: &FxHashSet<u32>,
        fast: &mut EventNetwork<N>,
    ) -> Operator {
        let lens = |fast: &EventNetwork<N>| {
            [fast.programs.len(), fast.overrides.len(), fast.flips.len(), fast.sure.len()]
                .map(|len| len as u32)
        };
        let start = lens(fast);
        // Nodes that change for sure, and whether they become true.
        let mut sure: Vec<(u32, bool)> = Vec::new();
        for &(base, change) in effects {
            let slot = fast.bases[base as usize];
            if slot.bit != 0 {
                let own = self.bases[base as usize];
                let to = match change {
                    Change::Keep => own,
                    Change::On => Lit::TRUE,
                    Change::Off => Lit::FALSE,
                    Change::Toggle => !own,
                    Change::Become(lit) => lit,
                };
                let at = fast.drift.iter().position(|&b| b == base).unwrap_or(0);
                let to = self.operand(to, fast);
                fast.overrides.push((at as u32, to));
            } else if matches!(change, Change::On | Change::Off) {
                if fast.fan_outs.len() + self.builder.fed(slot.node).len() > STEPS {
                    fast.programs.push(Instruction::Toggle { base });
                    continue;
                }
                sure.push((slot.node, change == Change::On));
                fast.flips.push(N::narrow(slot.node));
            }
        }
        let mut sums: FxHashMap<u32, i16> = FxHashMap::default();
        let mut flipped: BTreeMap<u32, u64> = BTreeMap::new();
        let mut at = 0;
        while let Some(&(node, on)) = sure.get(at) {
            at += 1;
            for (fed, step) in self.builder.fed(node) {
                let step = if on { step } else { -step };
                *sums.entry(fed).or_default() += step;
                // An AND that is true turns off with the first of its inputs.
                if step < 0 && known.contains(&fed) && !sure.contains(&(fed, false)) {
                    sure.push((fed, false));
                    *flipped.entry(fed / 64).or_default() |= 1 << (fed % 64);
                }
            }
        }
        fast.sure.extend(flipped);
        let mut sums: Vec<(u32, i16)> = sums.into_iter().filter(|s| s.1 != 0).collect();
        sums.sort_unstable();
        let fan_out = fast.fan_outs.push(&sums);
        for instruction in program {
            let written = instruction.map(|lit| self.operand(lit, fast));
            fast.programs.push(written);
        }
        let end = lens(fast);
        let range = |i: usize| [start[i], end[i]];
        Operator {
            program: range(0),
            overrides: range(1),
            flips: range(2),
            sure: range(3),
            fan_out,
        }
    }
}

impl<N: Number> EventNetwork<N> {
    /// The sizes of the compiled network, by name.
    pub(crate) fn statistics(&self) -> Vec<(BuildFact, u64)> {
        vec![
            (BuildFact::EventNodes, self.net.nodes() as u64),
            (BuildFact::EventEdges, self.net.fan_out() as u64),
            (BuildFact::PulledGates, self.on_demand.len() as u64),
            (BuildFact::DriftingBases, self.drift.len() as u64),
            (BuildFact::ProgramSteps, (self.programs.len() + self.overrides.len()) as u64),
            (BuildFact::SummedSteps, (self.fan_outs.len() + self.flips.len()) as u64),
        ]
    }

    /// Bytes of the state of one playout.
    pub(crate) fn state_bytes(&self) -> usize {
        self.net.state_bytes()
    }
}
