//! Change propagation: gates as counters, and propagations that visit only what changes.
//!
//! Every gate is a counter that is not negative exactly when the gate is true: of an AND with `k`
//! inputs it starts at `-k`, of an OR at -1, and it counts the true inputs. So both kinds change in
//! the same way, when the sign changes, and negated inputs are edges that count the other way
//! round.
//!
//! A propagation goes through the gates that changed in topological order, so that each is visited
//! once at most. Which have changed stands in a bit set: an edge that makes its target's counter
//! change its sign flips the target's bit, changing back flips it back. *Sources* have no inputs,
//! and are told when they change. Gates that nothing depends on but the outside, the *leaves*, are
//! never visited: their bits stay, and are their values.
//!
//! Where a node feeds several of [`ROW`](cpu::ROW) neighbours, these are told together: a
//! *row* of steps is added to their counters by few instructions.

use crate::circuit::{Circuit, Gate};
use crate::event::cells::{Cells, Number, Wide};
use crate::event::fan_outs::{FanOut, FanOuts};
use crate::graph::Lit;
use cpu::{Cpu, Task};

/// A node of a [`Net`], or its negation. Node 0 is the constant false.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Place(u32);

impl Place {
    pub(crate) fn new(node: u32, negative: bool) -> Place {
        Place(node << 1 | u32::from(negative))
    }

    #[inline(always)]
    pub(crate) fn node(self) -> u32 {
        self.0 >> 1
    }

    #[inline(always)]
    pub(crate) fn is_negative(self) -> bool {
        self.0 & 1 == 1
    }
}

/// Gates that depend on each other in a circle. What flows in from outside comes through *ports*,
/// one for each literal; ports and members have words of their own.
#[derive(Clone, Debug)]
struct Loop {
    /// Words of the ports.
    ports: std::ops::Range<usize>,
    /// Words of the members.
    members: std::ops::Range<usize>,
}

/// The gates of a circuit as counters, with what each one feeds. Shared by all playouts.
pub(crate) struct Net<N> {
    /// By node, what it feeds.
    fed: Vec<FanOut>,
    fan_outs: FanOuts<N>,
    /// Number of edges, however they are told.
    edges: usize,
    /// By node, where its edges begin; for edges from ports and members to members of the same
    /// loop. Empty if there are no loops.
    inner_starts: Vec<u32>,
    inner: Vec<u32>,
    loops: Vec<Loop>,
    /// By word, the loop whose ports it has, counted from 1. Empty if there are no loops.
    loop_at: Vec<u32>,
    /// The first word of the leaves.
    leaf_words: usize,
    /// The initial state.
    initial: Propagation<Wide>,
}

/// The state of all counters.
#[derive(Debug)]
pub(crate) struct Propagation<C> {
    pub(crate) cells: C,
    /// Nodes of loops: whether they are true as far as is known in the middle of a propagation.
    live: Vec<bool>,
    /// Worklists of loops.
    stack: Vec<u32>,
    dead: Vec<u32>,
}

impl Clone for Propagation<Wide> {
    fn clone(&self) -> Propagation<Wide> {
        let (cells, live) = (self.cells.clone(), self.live.clone());
        Propagation { cells, live, stack: Vec::new(), dead: Vec::new() }
    }

    fn clone_from(&mut self, other: &Propagation<Wide>) {
        self.cells.clone_from(&other.cells);
        self.live.clone_from(&other.live);
    }
}

/// A net before its width is known.
pub(crate) struct NetBuilder {
    /// Nodes of the circuit: their place in the net, 0 for those not laid out.
    pub(crate) places: Vec<u32>,
    /// (source, target, step), in this order once all are there.
    edges: Vec<(u32, u32, i16)>,
    inner: Vec<(u32, u32)>,
    loops: Vec<Loop>,
    /// The first leaf.
    first_leaf: u32,
    counters: Vec<i16>,
    leaves: Vec<u64>,
}

impl NetBuilder {
    /// Lays out the first stage of a circuit. `leaves` are literals of it in the order of their
    /// bits, `None` for bits that are never set; `values` are those of all nodes in the initial
    /// state.
    pub(crate) fn new(circuit: &Circuit, leaves: &[Option<Lit>], values: &[bool]) -> NetBuilder {
        let own = own_leaves(circuit, leaves);
        let mut builder = NetBuilder {
            places: vec![0; circuit.len()],
            edges: Vec::new(),
            inner: Vec::new(),
            loops: Vec::new(),
            first_leaf: 0,
            counters: vec![-1],
            leaves: vec![0; leaves.len().div_ceil(64)],
        };
        for block in circuit.stage(0) {
            if block.is_loop {
                builder.add_loop(circuit, block.start..block.end, values);
            } else {
                for node in (block.start..block.end).filter(|n| !own.contains(n)) {
                    builder.add_gate(circuit, node, values);
                }
            }
        }
        builder.align();
        builder.first_leaf = builder.counters.len() as u32;
        for (at, leaf) in leaves.iter().enumerate() {
            let Some(lit) = *leaf else {
                builder.counters.push(-1);
                continue;
            };
            let value = values[lit.node() as usize];
            builder.leaves[at / 64] |= u64::from(value != lit.is_negative()) << (at % 64);
            if own.contains(&lit.node()) {
                builder.add_gate(circuit, lit.node(), values);
            } else {
                // Follows the node; the bit has its own sign from the start.
                if lit.node() != 0 {
                    let source = builder.places[lit.node() as usize];
                    builder.edges.push((source, builder.counters.len() as u32, 1));
                }
                builder.counters.push(i16::from(value) - 1);
            }
        }
        builder.align();
        builder.edges.sort_unstable();
        builder
    }

    /// The nodes that a node feeds, each once.
    pub(crate) fn fed(&self, node: u32) -> Vec<(u32, i16)> {
        let start = self.edges.partition_point(|e| e.0 < node);
        let own = self.edges[start..].iter().take_while(|e| e.0 == node);
        let mut fed: Vec<(u32, i16)> = Vec::new();
        for &(_, target, step) in own {
            match fed.last_mut() {
                Some(last) if last.0 == target => last.1 += step,
                _ => fed.push((target, step)),
            }
        }
        fed
    }

    /// Number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.counters.len()
    }

    /// True if a node is a leaf.
    pub(crate) fn is_leaf(&self, node: u32) -> bool {
        node >= self.first_leaf
    }

    /// The word of a leaf among all words, and its bit.
    pub(crate) fn leaf(&self, leaf: usize) -> (u32, u64) {
        (self.first_leaf / 64 + leaf as u32 / 64, 1 << (leaf % 64))
    }

    /// Changes the initial value of a leaf.
    pub(crate) fn flip_leaf(&mut self, leaf: usize) {
        self.leaves[leaf / 64] ^= 1 << (leaf % 64);
    }

    /// Goes to the start of a word; its number.
    fn align(&mut self) -> usize {
        self.counters.resize(self.counters.len().next_multiple_of(64), -1);
        self.counters.len() / 64
    }

    fn add_gate(&mut self, circuit: &Circuit, node: u32, values: &[bool]) {
        let place = self.counters.len() as u32;
        self.places[node as usize] = place;
        let inputs = circuit.inputs(node);
        let mut count = match circuit.gate(node) {
            Gate::And => -(inputs.len() as i16),
            Gate::Or => -1,
            Gate::False | Gate::Base(_) | Gate::Does(_) => i16::from(values[node as usize]) - 1,
        };
        for lit in inputs {
            count += i16::from(values[lit.node() as usize] != lit.is_negative());
            let source = self.places[lit.node() as usize];
            self.edges.push((source, place, if lit.is_negative() { -1 } else { 1 }));
        }
        self.counters.push(count);
    }

    fn add_loop(&mut self, circuit: &Circuit, nodes: std::ops::Range<u32>, values: &[bool]) {
        let is_inner = |l: Lit| nodes.contains(&l.node());
        let mut outer: Vec<Lit> = nodes.clone().flat_map(|n| circuit.inputs(n)).copied().collect();
        outer.retain(|&l| !is_inner(l));
        outer.sort_unstable();
        outer.dedup();
        let value = |l: Lit| values[l.node() as usize] != l.is_negative();
        let ports = self.align();
        let first = self.counters.len() as u32;
        for &lit in &outer {
            let source = self.places[lit.node() as usize];
            let step = if lit.is_negative() { -1 } else { 1 };
            self.edges.push((source, self.counters.len() as u32, step));
            self.counters.push(i16::from(value(lit)) - 1);
        }
        let members = self.align();
        for (place, node) in (self.counters.len() as u32..).zip(nodes.clone()) {
            self.places[node as usize] = place;
        }
        for node in nodes.clone() {
            let place = self.counters.len() as u32;
            let inputs = circuit.inputs(node);
            let is_and = circuit.gate(node) == Gate::And;
            let mut count = if is_and { -(inputs.len() as i16) } else { -1 };
            for &lit in inputs {
                count += i16::from(value(lit));
                let source = match outer.binary_search(&lit) {
                    Ok(port) => first + port as u32,
                    Err(_) => self.places[lit.node() as usize],
                };
                self.inner.push((source, place));
            }
            self.counters.push(count);
        }
        let end = self.align();
        self.loops.push(Loop { ports: ports..members, members: members..end });
    }
}

/// Gates that feed one leaf and nothing else, so that they can be that leaf.
fn own_leaves(circuit: &Circuit, leaves: &[Option<Lit>]) -> rustc_hash::FxHashSet<u32> {
    let mut uses = vec![0u32; circuit.len()];
    let mut in_loop = vec![false; circuit.len()];
    for block in circuit.stage(0) {
        for node in block.start..block.end {
            in_loop[node as usize] = block.is_loop;
            circuit.inputs(node).iter().for_each(|l| uses[l.node() as usize] += 1);
        }
    }
    leaves.iter().flatten().for_each(|l| uses[l.node() as usize] += 1);
    let nodes = leaves.iter().flatten().map(|l| l.node());
    nodes
        .filter(|&n| uses[n as usize] == 1 && circuit.gate(n) == Gate::And && !in_loop[n as usize])
        .collect()
}

impl<N: Number> Net<N> {
    pub(crate) fn new(builder: &NetBuilder) -> Net<N> {
        let nodes = builder.len();
        let mut fan_outs = FanOuts::new();
        let fed = (0..nodes as u32).map(|node| fan_outs.push(&builder.fed(node))).collect();
        let edges = builder.edges.len();
        let mut loop_at = Vec::new();
        let (mut inner_starts, mut inner) = (Vec::new(), Vec::new());
        if !builder.loops.is_empty() {
            loop_at = vec![0; nodes / 64];
            for (at, a_loop) in (1..).zip(&builder.loops) {
                loop_at[a_loop.ports.clone()].fill(at);
            }
            (inner_starts, inner) = by_source(nodes, builder.inner.clone());
        }
        let leaf_words = builder.first_leaf as usize / 64;
        let mut initial = Propagation {
            cells: Wide::new(nodes, leaf_words * 64),
            live: Vec::new(),
            stack: Vec::new(),
            dead: Vec::new(),
        };
        initial.cells.counters_mut().copy_from_slice(&builder.counters);
        initial.cells.bits_mut()[leaf_words..].copy_from_slice(&builder.leaves);
        if !builder.loops.is_empty() {
            let inner = &builder.counters[..leaf_words * 64];
            initial.live.extend(inner.iter().map(|&counter| counter >= 0));
        }
        Net {
            fed,
            fan_outs,
            edges,
            inner_starts,
            inner,
            loops: builder.loops.clone(),
            loop_at,
            leaf_words,
            initial,
        }
    }

    /// The initial state.
    pub(crate) fn initial(&self) -> &Propagation<Wide> {
        &self.initial
    }

    /// Room for a state, to be [`set`](Net::set) before it is used.
    pub(crate) fn propagation<C: Cells>(&self) -> Propagation<C> {
        Propagation {
            cells: C::new(self.nodes(), self.leaf_words * 64),
            live: vec![false; self.initial.live.len()],
            stack: Vec::new(),
            dead: Vec::new(),
        }
    }

    /// Makes a state equal to another one. Neither is in the middle of a propagation.
    #[inline(always)]
    pub(crate) fn set<C: Cells>(&self, to: &mut Propagation<C>, from: &Propagation<Wide>) {
        to.cells.counters_mut().copy_from_slice(from.cells.counters());
        let leaves = self.leaf_words..from.cells.bits().len();
        to.cells.bits_mut()[leaves.clone()].copy_from_slice(&from.cells.bits()[leaves]);
        to.live.copy_from_slice(&from.live);
    }

    /// The words of the leaves.
    #[inline(always)]
    pub(crate) fn leaves<'a, C: Cells>(&self, propagation: &'a Propagation<C>) -> &'a [u64] {
        &propagation.cells.bits()[self.leaf_words..]
    }

    /// Number of nodes, leaves included.
    pub(crate) fn nodes(&self) -> usize {
        self.initial.cells.counters().len()
    }

    /// Number of edges.
    pub(crate) fn fan_out(&self) -> usize {
        self.edges + self.inner.len()
    }

    /// Bytes of the state that a playout begins by setting.
    pub(crate) fn state_bytes(&self) -> usize {
        self.nodes() * 2 + self.nodes() / 8
    }

    /// Turns a source on or off, and tells what it feeds.
    #[inline(always)]
    pub(crate) fn toggle<C: Cells, K: Cpu>(
        &self,
        cpu: K,
        propagation: &mut Propagation<C>,
        pending: &mut C::Pending,
        node: u32,
    ) {
        let counter = propagation.cells.toggle(node);
        self.fire(cpu, propagation, pending, node as usize, counter >= 0);
    }

    /// Carries changes on to all that depends on them.
    #[inline(always)]
    pub(crate) fn run<C: Cells, K: Cpu>(
        &self,
        cpu: K,
        propagation: &mut Propagation<C>,
        pending: C::Pending,
    ) {
        cpu.call(Propagate { net: self, propagation, pending });
    }

    #[inline(always)]
    fn propagate<C: Cells, K: Cpu>(
        &self,
        cpu: K,
        propagation: &mut Propagation<C>,
        mut pending: C::Pending,
    ) {
        while let Some((start, end)) = propagation.cells.next(&mut pending) {
            for word in start..end {
                if let Some(&at) = self.loop_at.get(word)
                    && at != 0
                {
                    if propagation.cells.bits()[word] != 0 {
                        self.turn(cpu, propagation, &mut pending, &self.loops[at as usize - 1]);
                    }
                    continue;
                }
                loop {
                    let bits = propagation.cells.bits()[word];
                    if bits == 0 {
                        break;
                    }
                    propagation.cells.bits_mut()[word] = bits & (bits - 1);
                    let node = word * 64 + bits.trailing_zeros() as usize;
                    let on = propagation.holds(Place::new(node as u32, false));
                    self.fire(cpu, propagation, &mut pending, node, on);
                }
            }
        }
        propagation.cells.done(pending);
    }

    /// Tells all that the node feeds that it has changed.
    #[inline(always)]
    fn fire<C: Cells, K: Cpu>(
        &self,
        cpu: K,
        propagation: &mut Propagation<C>,
        pending: &mut C::Pending,
        node: usize,
        on: bool,
    ) {
        self.fan_outs.fire(cpu, &mut propagation.cells, pending, self.fed[node], !on);
    }

    fn fed(&self, node: u32) -> &[u32] {
        let node = node as usize;
        &self.inner[self.inner_starts[node] as usize..self.inner_starts[node + 1] as usize]
    }

    /// Brings a loop to its least solution again: what lost a support is taken to be false, with
    /// all that it supports in turn; then everything that still has support is true (delete and
    /// rederive: Gupta, Mumick and Subrahmanian 1993, with counters in place of rederivation).
    #[inline(always)]
    fn turn<C: Cells, K: Cpu>(
        &self,
        cpu: K,
        propagation: &mut Propagation<C>,
        pending: &mut C::Pending,
        a_loop: &Loop,
    ) {
        let mut stack = std::mem::take(&mut propagation.stack);
        let mut dead = std::mem::take(&mut propagation.dead);
        // Ports that turned off first, so that those that turned on may support what died.
        for on in [false, true] {
            for word in a_loop.ports.clone() {
                let mut bits = propagation.cells.bits()[word];
                while bits != 0 {
                    let port = (word * 64) as u32 + bits.trailing_zeros();
                    bits &= bits - 1;
                    if propagation.holds(Place::new(port, false)) != on {
                        continue;
                    }
                    for &member in self.fed(port) {
                        let supported = propagation.support(member, if on { 1 } else { -1 });
                        if !on {
                            propagation.set_live(member, false, &mut dead);
                        } else if supported {
                            propagation.set_live(member, true, &mut stack);
                        }
                    }
                }
            }
            if !on {
                let mut at = 0;
                while at < dead.len() {
                    for &member in self.fed(dead[at]) {
                        propagation.support(member, -1);
                        propagation.set_live(member, false, &mut dead);
                    }
                    at += 1;
                }
                for &member in &dead {
                    if propagation.holds(Place::new(member, false)) {
                        propagation.set_live(member, true, &mut stack);
                    }
                }
            }
        }
        while let Some(node) = stack.pop() {
            for &member in self.fed(node) {
                if propagation.support(member, 1) {
                    propagation.set_live(member, true, &mut stack);
                }
            }
        }
        propagation.cells.bits_mut()[a_loop.ports.clone()].fill(0);
        for word in a_loop.members.clone() {
            let mut bits = std::mem::take(&mut propagation.cells.bits_mut()[word]);
            while bits != 0 {
                let node = word * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let on = propagation.holds(Place::new(node as u32, false));
                self.fire(cpu, propagation, pending, node, on);
            }
        }
        dead.clear();
        (propagation.stack, propagation.dead) = (stack, dead);
    }
}

/// [`Net::run`], compiled for a processor.
struct Propagate<'a, N, C: Cells> {
    net: &'a Net<N>,
    propagation: &'a mut Propagation<C>,
    pending: C::Pending,
}

impl<N: Number, C: Cells> Task for Propagate<'_, N, C> {
    type Output = ();

    #[inline(always)]
    fn run<K: Cpu>(self, cpu: K) {
        self.net.propagate(cpu, self.propagation, self.pending);
    }
}

impl<C: Cells> Propagation<C> {
    /// The value of a node.
    #[inline(always)]
    pub(crate) fn holds(&self, place: Place) -> bool {
        self.cells.is_on(place.node()) != place.is_negative()
    }

    /// Counts a support of a member of a loop; whether it has enough.
    fn support(&mut self, member: u32, step: i16) -> bool {
        let counter = &mut self.cells.counters_mut()[member as usize];
        *counter += step;
        *counter >= 0
    }

    /// Notes that a member of a loop is on or off, and puts it on a list if that is news.
    fn set_live(&mut self, member: u32, live: bool, list: &mut Vec<u32>) {
        if self.live[member as usize] != live {
            self.live[member as usize] = live;
            self.cells.bits_mut()[member as usize / 64] ^= 1 << (member % 64);
            list.push(member);
        }
    }
}

/// Targets of edges in the order of their sources, and by source where they begin.
fn by_source(nodes: usize, mut edges: Vec<(u32, u32)>) -> (Vec<u32>, Vec<u32>) {
    edges.sort_unstable();
    let mut starts = Vec::with_capacity(nodes + 1);
    let mut at = 0;
    for node in 0..nodes as u32 {
        starts.push(at as u32);
        while edges.get(at).is_some_and(|e| e.0 == node) {
            at += 1;
        }
    }
    starts.push(at as u32);
    (starts, edges.into_iter().map(|e| e.1).collect())
}
