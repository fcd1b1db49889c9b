//! The network as gates that there is code for, put in order, before their values have places.

use std::collections::{BTreeMap, VecDeque};

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::circuit::{Block, Circuit};
use crate::graph::Lit;

/// Number of a value: a constant, a source or what a gate computes.
pub(crate) type Value = u32;

/// The constant false.
pub(crate) const FALSE: Value = 0;
/// The constant true.
pub(crate) const TRUE: Value = 1;

/// A value, and whether it is negated.
pub(crate) type Signed = (Value, bool);

/// Two values.
pub(crate) type Pair = [Signed; 2];

/// Gates that are put in order together: those of one shape side by side. More make longer runs,
/// fewer keep what belongs together in the cache.
const WINDOW: usize = 512;

/// An AND of inputs, the negated ones last, and of pairs of which not both hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Gate {
    pub(crate) out: Value,
    pub(crate) inputs: SmallVec<[Signed; 4]>,
    /// The pairs, those with more negated members last; within a pair negated members are last,
    /// too.
    pub(crate) pairs: SmallVec<[Pair; 2]>,
}

impl Gate {
    pub(crate) fn new(out: Value, inputs: &[Signed]) -> Gate {
        let inputs = SmallVec::from_slice(inputs);
        let mut gate = Gate { out, inputs, pairs: SmallVec::new() };
        gate.arrange();
        gate
    }

    /// Puts what it reads in order.
    pub(crate) fn arrange(&mut self) {
        self.inputs.sort_by_key(|&(_, negated)| negated);
        self.pairs.iter_mut().for_each(|pair| pair.sort_by_key(|&(_, negated)| negated));
        self.pairs.sort_by_key(|pair| negated(pair));
    }

    /// The values that the gate reads, in order.
    pub(crate) fn values(&self) -> impl Iterator<Item = Value> {
        self.inputs.iter().chain(self.pairs.iter().flatten()).map(|&(value, _)| value)
    }

    /// The numbers of its plain and negated inputs and pairs, if eight bits can hold them.
    pub(crate) fn shape(&self) -> Shape {
        let singles = negated(&self.inputs);
        let mut pairs = [0; 3];
        self.pairs.iter().for_each(|pair| pairs[negated(pair)] += 1);
        Shape::new([self.inputs.len() - singles, singles], pairs)
    }
}

/// The number of these that are negated.
pub(crate) fn negated(all: &[Signed]) -> usize {
    all.iter().filter(|(_, negated)| *negated).count()
}

/// The numbers of inputs of a gate: not negated, and negated; and the numbers of pairs, by the
/// number of their negated members.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Shape {
    pub(crate) singles: [u8; 2],
    pub(crate) pairs: [u8; 3],
}

impl Shape {
    /// Numbers beyond 255 are all the same.
    pub(crate) fn new(singles: [usize; 2], pairs: [usize; 3]) -> Shape {
        let byte = |count: usize| u8::try_from(count).unwrap_or(u8::MAX);
        Shape { singles: singles.map(byte), pairs: pairs.map(byte) }
    }

    /// Inputs, those of pairs included.
    pub(crate) fn width(self) -> usize {
        let sum = |counts: &[u8]| counts.iter().map(|&count| usize::from(count)).sum::<usize>();
        sum(&self.singles) + 2 * sum(&self.pairs)
    }
}

/// Gates that are evaluated one after another.
#[derive(Clone, Debug)]
pub(crate) enum Segment {
    /// Each once.
    Straight(Vec<Gate>),
    /// Again and again until nothing changes, from false and from true.
    Loop { gates: Vec<Gate>, from: [Vec<Value>; 2] },
}

impl Segment {
    /// All gates.
    pub(crate) fn gates(&self) -> &[Gate] {
        match self {
            Segment::Straight(gates) | Segment::Loop { gates, .. } => gates,
        }
    }
}

/// Turns parts of circuits into segments.
#[derive(Debug)]
pub(crate) struct SegmentBuilder {
    /// The value of each node of the circuit that has been translated.
    nodes: Vec<Signed>,
    bases: Value,
    does: Value,
    /// The next value.
    next: Value,
    /// Values that are the opposite of others.
    opposites: FxHashMap<Value, Value>,
    /// Pairs of inputs that are looked at to find what gates share.
    pub(super) most_pairs: usize,
}

impl SegmentBuilder {
    /// For a game with so many bases and moves, where so many pairs of inputs are looked at.
    pub(crate) fn new(bases: usize, moves: usize, most_pairs: usize) -> SegmentBuilder {
        let first = TRUE + 1;
        let does = first + bases as Value;
        let next = does + moves as Value;
        let nodes = vec![(FALSE, false)];
        let opposites = FxHashMap::default();
        SegmentBuilder { nodes, bases: first, does, next, opposites, most_pairs }
    }

    /// The number of values.
    pub(crate) fn values(&self) -> usize {
        self.next as usize
    }

    /// A base.
    pub(crate) fn base(&self, base: usize) -> Value {
        self.bases + base as Value
    }

    /// A move that is made.
    pub(crate) fn does(&self, action: usize) -> Value {
        self.does + action as Value
    }

    /// True if the value is that of a base.
    pub(crate) fn is_base(&self, value: Value) -> bool {
        (self.bases..self.does).contains(&value)
    }

    /// The value of a literal of the circuit, whose node has been translated.
    pub(crate) fn signed(&self, lit: Lit) -> Signed {
        let (value, negated) = self.nodes[lit.node() as usize];
        (value, negated != lit.is_negative())
    }

    /// Nodes translated so far.
    pub(crate) fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// Forgets the nodes after the first `nodes`, to go on with another circuit that begins alike.
    pub(crate) fn forget(&mut self, nodes: usize) {
        self.nodes.truncate(nodes);
    }

    /// Translates blocks of a circuit, those after the blocks translated before. Gates are as wide
    /// as they come but in loops.
    pub(crate) fn section(&mut self, circuit: &Circuit, blocks: &[Block]) -> Vec<Segment> {
        let mut segments = Vec::new();
        for block in blocks {
            if block.is_loop {
                segments.push(self.closed(circuit, block));
                continue;
            }
            let mut gates = Vec::new();
            for node in block.start..block.end {
                let signed = match circuit.gate(node) {
                    crate::circuit::Gate::False => (FALSE, false),
                    crate::circuit::Gate::Base(base) => (self.base(base as usize), false),
                    crate::circuit::Gate::Does(action) => (self.does(action as usize), false),
                    crate::circuit::Gate::And | crate::circuit::Gate::Or => {
                        let or = circuit.gate(node) == crate::circuit::Gate::Or;
                        let inputs = circuit.inputs(node).iter();
                        let inputs: Vec<Signed> =
                            inputs.map(|&l| self.signed(l.flip(or))).collect();
                        let out = self.value();
                        gates.push(Gate::new(out, &inputs));
                        (out, or)
                    }
                };
                self.nodes.push(signed);
            }
            segments.push(Segment::Straight(gates));
        }
        segments
    }

    /// Translates a loop. An OR is kept as the AND that is its negation, and starts as true.
    fn closed(&mut self, circuit: &Circuit, block: &Block) -> Segment {
        let is_or = |node: u32| circuit.gate(node) == crate::circuit::Gate::Or;
        for node in block.start..block.end {
            let signed = (self.value(), is_or(node));
            self.nodes.push(signed);
        }
        let mut gates: Vec<Gate> = Vec::new();
        let mut from = [Vec::new(), Vec::new()];
        for node in block.start..block.end {
            let or = is_or(node);
            let inputs: Vec<Signed> =
                circuit.inputs(node).iter().map(|&l| self.signed(l.flip(or))).collect();
            let before = gates.len();
            let out = self.nodes[node as usize].0;
            split(Gate::new(out, &inputs), self, &mut gates);
            from[usize::from(or)].extend(gates[before..].iter().map(|g| g.out));
        }
        Segment::Loop { gates, from }
    }

    /// A value that is `signed` without a sign, which a gate at the end of the segments computes
    /// where need be.
    pub(crate) fn plain(&mut self, (value, negated): Signed, segments: &mut Vec<Segment>) -> Value {
        match (value, negated) {
            (value, false) => value,
            (FALSE, true) => TRUE,
            (TRUE, true) => FALSE,
            (value, true) => {
                if let Some(&opposite) = self.opposites.get(&value) {
                    return opposite;
                }
                let out = self.copy((value, true), segments);
                self.opposites.insert(value, out);
                out
            }
        }
    }

    /// A new value that a gate at the end of the segments sets to `signed`.
    pub(crate) fn copy(&mut self, signed: Signed, segments: &mut Vec<Segment>) -> Value {
        let out = self.value();
        let gate = Gate::new(out, &[signed]);
        match segments.last_mut() {
            Some(Segment::Straight(gates)) => gates.push(gate),
            _ => segments.push(Segment::Straight(vec![gate])),
        }
        out
    }

    /// The number of a new value.
    pub(crate) fn value(&mut self) -> Value {
        self.next += 1;
        self.next - 1
    }
}

/// A gate as gates that there is code for.
pub(super) fn split(gate: Gate, builder: &mut SegmentBuilder, all: &mut Vec<Gate>) {
    let Gate { out, inputs, pairs } = gate;
    let mut singles: [Vec<Signed>; 2] = Default::default();
    inputs.into_iter().for_each(|input| singles[usize::from(input.1)].push(input));
    let mut sorts: [Vec<Pair>; 3] = Default::default();
    pairs.into_iter().for_each(|pair| sorts[negated(&pair)].push(pair));
    loop {
        let whole = Shape::new(singles.each_ref().map(Vec::len), sorts.each_ref().map(Vec::len));
        let part = if whole.has_code() { whole } else { part(whole) };
        let last = part == whole;
        let mut taken = Gate::new(if last { out } else { builder.value() }, &[]);
        for (from, count) in singles.iter_mut().zip(part.singles) {
            taken.inputs.extend(from.drain(..usize::from(count)));
        }
        for (from, count) in sorts.iter_mut().zip(part.pairs) {
            taken.pairs.extend(from.drain(..usize::from(count)));
        }
        taken.arrange();
        let value = taken.out;
        all.push(taken);
        if last {
            return;
        }
        singles[0].push((value, false));
    }
}

/// The part to split off a gate that there is no code for.
fn part(whole: Shape) -> Shape {
    let mut part = Shape::new([0; 2], [0; 3]);
    // Many of one sort.
    if let Some(sort) = whole.pairs.iter().position(|&count| count >= 4) {
        part.pairs[sort] = 4;
        return part;
    }
    if let Some(sort) = whole.singles.iter().position(|&count| count >= 8) {
        part.singles[sort] = 8;
        return part;
    }
    // Some of each, up to four values.
    let mut room = 4;
    for (own, &count) in part.pairs.iter_mut().zip(&whole.pairs) {
        *own = count.min(room / 2);
        room -= 2 * *own;
    }
    for (own, &count) in part.singles.iter_mut().zip(&whole.singles) {
        *own = count.min(room);
        room -= *own;
    }
    part
}

/// Puts gates of one shape side by side, as far as their inputs allow. Those of a loop stay roughly
/// in their order, in which what changes is passed on within a round.
pub(crate) fn in_runs(segments: Vec<Segment>) -> Vec<Segment> {
    let segments = segments.into_iter().map(|segment| match segment {
        Segment::Straight(gates) => Segment::Straight(arranged(gates)),
        Segment::Loop { gates, from } => Segment::Loop { gates: arranged(gates), from },
    });
    segments
        .filter(|segment| !matches!(segment, Segment::Straight(gates) if gates.is_empty()))
        .collect()
}

/// A list schedule: of the gates that are ready within the window, those of the shape of which
/// there are most come next, and with them those that they make ready.
fn arranged(gates: Vec<Gate>) -> Vec<Gate> {
    let places: FxHashMap<Value, usize> =
        gates.iter().zip(0..).map(|(g, at)| (g.out, at)).collect();
    // By gate: which later ones read it, and how many earlier ones it waits for.
    let mut readers: Vec<SmallVec<[usize; 4]>> = vec![SmallVec::new(); gates.len()];
    let mut waits = vec![0u32; gates.len()];
    for (at, gate) in gates.iter().enumerate() {
        for value in gate.values() {
            if let Some(&place) = places.get(&value).filter(|&&place| place < at) {
                readers[place].push(at);
                waits[at] += 1;
            }
        }
    }
    let mut ready: BTreeMap<Shape, VecDeque<usize>> = BTreeMap::new();
    let mut placed = vec![false; gates.len()];
    let mut all = Vec::with_capacity(gates.len());
    let (mut oldest, mut admitted) = (0, 0);
    while all.len() < gates.len() {
        while placed[oldest] {
            oldest += 1;
        }
        while admitted < gates.len().min(oldest + WINDOW) {
            if waits[admitted] == 0 {
                ready.entry(gates[admitted].shape()).or_default().push_back(admitted);
            }
            admitted += 1;
        }
        // The first of those with most.
        let most = ready.iter().rev().max_by_key(|(_, queue)| queue.len());
        let Some((&shape, _)) = most else { break };
        while let Some(at) = ready.get_mut(&shape).and_then(VecDeque::pop_front) {
            placed[at] = true;
            all.push(gates[at].clone());
            for &reader in &readers[at] {
                waits[reader] -= 1;
                if waits[reader] == 0 && reader < admitted {
                    ready.entry(gates[reader].shape()).or_default().push_back(reader);
                }
            }
        }
    }
    all
}

/// The slots of values: those that are not needed at the same time may share one.
#[derive(Debug)]
pub(crate) struct Places {
    /// The slot of each value.
    pub(crate) slots: Vec<u32>,
    /// The number of slots.
    pub(crate) count: u32,
}

/// A time at which values are needed.
pub(crate) enum ProgramPoint<'a> {
    /// While these gates are evaluated.
    Run(&'a [Segment]),
    /// All at once.
    Read(&'a [Value]),
}

/// Gives values slots. Those below `fixed` have slots of their own in their order.
pub(crate) fn places(points: &[ProgramPoint<'_>], values: usize, fixed: usize) -> Places {
    // Each gate, each loop and each reading is a time of its own.
    let mut last = vec![0u32; values];
    let mut time = 0;
    let mut visit = |used: &mut dyn Iterator<Item = Value>| {
        for value in used {
            last[value as usize] = time;
        }
        time += 1;
    };
    for point in points {
        match point {
            ProgramPoint::Read(read) => visit(&mut read.iter().copied()),
            ProgramPoint::Run(segments) => {
                for segment in *segments {
                    match segment {
                        Segment::Straight(gates) => {
                            gates.iter().for_each(|g| visit(&mut g.values()));
                        }
                        Segment::Loop { gates, .. } => {
                            visit(&mut gates.iter().flat_map(Gate::values));
                        }
                    }
                }
            }
        }
    }
    let mut slots: Vec<u32> = (0..values as u32).collect();
    let mut count = fixed as u32;
    let mut free: Vec<u32> = Vec::new();
    let mut time = 0;
    // Frees the slots of values that are not needed any more.
    let mut release =
        |used: &mut dyn Iterator<Item = Value>, time, slots: &[u32], free: &mut Vec<u32>| {
            for value in used.filter(|&v| v as usize >= fixed) {
                if last[value as usize] == time {
                    last[value as usize] = u32::MAX;
                    free.push(slots[value as usize]);
                }
            }
        };
    for point in points {
        let segments = match point {
            ProgramPoint::Read(read) => {
                release(&mut read.iter().copied(), time, &slots, &mut free);
                time += 1;
                continue;
            }
            ProgramPoint::Run(segments) => segments,
        };
        for segment in *segments {
            let (gates, closed) = match segment {
                Segment::Straight(gates) => (gates, false),
                Segment::Loop { gates, .. } => (gates, true),
            };
            let mut give = |value: Value, slots: &mut [u32], free: &mut Vec<u32>| {
                slots[value as usize] = free.pop().unwrap_or_else(|| {
                    count += 1;
                    count - 1
                });
            };
            if closed {
                // All of them are needed from the first round to the last.
                gates.iter().for_each(|g| give(g.out, &mut slots, &mut free));
            }
            for gate in gates {
                release(&mut gate.values(), time, &slots, &mut free);
                if !closed {
                    give(gate.out, &mut slots, &mut free);
                    time += 1;
                }
            }
            time += u32::from(closed);
        }
    }
    Places { slots, count }
}
