//! Layers: the walks that lead from the state behind an edge to the next edges, in an order in
//! which every register is complete before it is used.

use rustc_hash::FxHashMap;

use super::automaton::{Graph, Transition};
use super::{Compiler, TooLarge};
use crate::program::{EdgeKind, Layer, Op, Step, Walk};

/// The strongly connected parts of the states of one layer, and the walks between them.
struct Components {
    /// Parts in an order in which walks lead forwards.
    parts: Vec<Vec<u32>>,
}

impl<const W: usize> Compiler<W> {
    /// Builds the layers of an automaton; returns the one that begins at `start`.
    pub(super) fn layers_of(&mut self, graph: &Graph, start: u32) -> Result<u32, TooLarge> {
        let mut known: FxHashMap<u32, u32> = FxHashMap::default();
        let mut todo = vec![start];
        let first = self.reserve_layer();
        known.insert(start, first);
        let useful = useful(graph);
        let mut behind: FxHashMap<u32, u32> = FxHashMap::default();
        for way in graph.out.iter().flatten() {
            if let Transition::Edge(edge, to) = *way {
                behind.insert(edge, to);
            }
        }
        while let Some(state) = todo.pop() {
            let parts = self.parts(graph, state, &useful)?;
            let layer = self.layer(graph, state, &parts, &useful)?;
            for op in &layer.ops {
                if let Op::Take { edge, .. } = op {
                    let to = behind[edge];
                    let next = match known.get(&to) {
                        Some(&next) => next,
                        None => {
                            let next = self.reserve_layer();
                            known.insert(to, next);
                            todo.push(to);
                            next
                        }
                    };
                    self.edges[*edge as usize].next = next;
                }
            }
            let id = known[&state];
            self.layers[id as usize] = layer;
        }
        Ok(first)
    }

    fn reserve_layer(&mut self) -> u32 {
        self.bytes += super::GROWN * size_of::<Layer>() as u64;
        self.layers.push(Layer::default());
        self.layers.len() as u32 - 1
    }

    /// Tarjan's algorithm (1972) over the walks from a state, without recursion.
    fn parts(
        &mut self,
        graph: &Graph,
        start: u32,
        useful: &[bool],
    ) -> Result<Components, TooLarge> {
        struct Visit {
            index: u32,
            low: u32,
            open: bool,
        }
        let mut visits: FxHashMap<u32, Visit> = FxHashMap::default();
        let mut stack = Vec::new();
        let mut parts = Vec::new();
        let mut calls: Vec<(u32, usize)> = vec![(start, 0)];
        visits.insert(start, Visit { index: 0, low: 0, open: true });
        stack.push(start);
        while let Some(&mut (state, ref mut at)) = calls.last_mut() {
            self.work += 1;
            let way = graph.out[state as usize].get(*at);
            *at += 1;
            match way {
                Some(&Transition::Walk(_, to)) if useful[to as usize] => {
                    let next = visits.len() as u32;
                    match visits.get(&to) {
                        None => {
                            visits.insert(to, Visit { index: next, low: next, open: true });
                            stack.push(to);
                            calls.push((to, 0));
                        }
                        Some(seen) if seen.open => {
                            let index = seen.index;
                            if let Some(visit) = visits.get_mut(&state) {
                                visit.low = visit.low.min(index);
                            }
                        }
                        Some(_) => {}
                    }
                }
                Some(_) => {}
                None => {
                    calls.pop();
                    let (index, low) = visits.get(&state).map_or((0, 0), |v| (v.index, v.low));
                    if let Some(&(parent, _)) = calls.last()
                        && let Some(visit) = visits.get_mut(&parent)
                    {
                        visit.low = visit.low.min(low);
                    }
                    if index == low {
                        let mut part = Vec::new();
                        while let Some(member) = stack.pop() {
                            if let Some(visit) = visits.get_mut(&member) {
                                visit.open = false;
                            }
                            part.push(member);
                            if member == state {
                                break;
                            }
                        }
                        part.reverse();
                        parts.push(part);
                    }
                }
            }
        }
        self.check()?;
        parts.reverse();
        Ok(Components { parts })
    }

    fn layer(
        &mut self,
        graph: &Graph,
        start: u32,
        parts: &Components,
        useful: &[bool],
    ) -> Result<Layer, TooLarge> {
        let mut part_of: FxHashMap<u32, usize> = FxHashMap::default();
        // Number of walks into a state, with the origin of one that is no step at all.
        let mut entries: FxHashMap<u32, (u32, Option<u32>)> = FxHashMap::default();
        for (i, part) in parts.parts.iter().enumerate() {
            for &state in part {
                part_of.insert(state, i);
                for way in &graph.out[state as usize] {
                    if let Transition::Walk(walk, to) = *way
                        && useful[to as usize]
                    {
                        let entry = entries.entry(to).or_default();
                        entry.0 += 1;
                        entry.1 = if walk.is_none() { Some(state) } else { None };
                    }
                }
            }
        }
        let mut registers = 0;
        let mut register: FxHashMap<u32, u32> = FxHashMap::default();
        for (i, part) in parts.parts.iter().enumerate() {
            for &state in part {
                // A state with a single entry that is no step shares the register of its origin.
                let shared = entries.get(&state).and_then(|&(count, from)| {
                    let from = from.filter(|from| count == 1 && part_of.get(from) != Some(&i))?;
                    register.get(&from).copied().filter(|_| state != start)
                });
                let id = shared.unwrap_or_else(|| {
                    registers += 1;
                    registers - 1
                });
                register.insert(state, id);
            }
        }
        let mut ops = Vec::new();
        let mut written = vec![false; registers as usize];
        written[register[&start] as usize] = true;
        debug_assert_eq!(register[&start], 0);
        // Number of walks into each part that are still to be made. A part is left as soon as it is
        // complete, before the next walk is made, so that a search for any move makes no walk too
        // many.
        let mut waiting = vec![0u32; parts.parts.len()];
        for (i, part) in parts.parts.iter().enumerate() {
            for way in part.iter().flat_map(|&state| &graph.out[state as usize]) {
                if let Transition::Walk(_, to) = *way
                    && useful[to as usize]
                    && part_of[&to] != i
                {
                    waiting[part_of[&to]] += 1;
                }
            }
        }
        // Each part that has been begun, with the number of its next transition.
        let mut begun: Vec<(usize, usize)> = Vec::new();
        let first = part_of[&start];
        self.circle(graph, &parts.parts[first], &register, &mut written, &mut ops);
        begun.push((first, 0));
        while let Some(&mut (part, ref mut at)) = begun.last_mut() {
            let ways = parts.parts[part]
                .iter()
                .flat_map(|&state| graph.out[state as usize].iter().map(move |way| (state, way)));
            let Some((state, way)) = ways.into_iter().nth(*at) else {
                begun.pop();
                continue;
            };
            *at += 1;
            self.work += *at as u64;
            let from = register[&state];
            match *way {
                Transition::Edge(edge, _) => ops.push(Op::Take { edge, from }),
                Transition::Walk(walk, to) if useful[to as usize] && part_of[&to] != part => {
                    let (id, to) = (part_of[&to], register[&to]);
                    if walk.is_some() || to != from {
                        let merge = std::mem::replace(&mut written[to as usize], true);
                        let walk = self.walk_or_none(walk);
                        ops.push(Op::Walk { walk, from, to, merge });
                    }
                    waiting[id] -= 1;
                    if waiting[id] == 0 {
                        self.circle(graph, &parts.parts[id], &register, &mut written, &mut ops);
                        begun.push((id, 0));
                    }
                }
                Transition::Walk(..) => {}
            }
        }
        self.work += ops.len() as u64;
        self.bytes += (ops.len() * size_of::<Op>()) as u64;
        self.check()?;
        self.join(&mut ops);
        Ok(self.layer_of(ops, registers))
    }

    /// A layer of some instructions.
    pub(super) fn layer_of(&self, ops: Vec<Op>, registers: u32) -> Layer {
        let only = match ops.as_slice() {
            [Op::Take { edge, from: 0 }] => Some(*edge),
            _ => None,
        };
        let lone = match *ops.as_slice() {
            [Op::Walk { walk, from: 0, to, merge: false }, Op::Take { edge, from }]
                if to == from && matches!(self.edges[edge as usize].kind, EdgeKind::Switch(_)) =>
            {
                Some((walk, edge))
            }
            _ => None,
        };
        Layer { only, lone, straight: None, ops: ops.into(), registers }
    }

    /// Makes one walk of two if only the second goes on from the result of the first.
    fn join(&mut self, ops: &mut Vec<Op>) {
        self.work += (ops.len() * ops.len()) as u64;
        let mut i = 0;
        while i + 1 < ops.len() {
            let (
                &Op::Walk { walk: first, from, to: middle, merge: false },
                &Op::Walk { walk, from: begin, to, merge },
            ) = (&ops[i], &ops[i + 1])
            else {
                i += 1;
                continue;
            };
            let touches = |op: &Op| match op {
                Op::Walk { from, to, .. } => *from == middle || *to == middle,
                Op::Take { from, .. } => *from == middle,
                Op::Unless { of, to, .. } => *of == middle || *to == middle,
                Op::Loop(ways) => ways.iter().any(|way| way.1 == middle || way.2 == middle),
            };
            if begin != middle || to == middle || ops.iter().filter(|op| touches(op)).count() != 2 {
                i += 1;
                continue;
            }
            let steps: Vec<_> = [first, walk]
                .iter()
                .flat_map(|&walk| self.walks[walk as usize].iter().cloned())
                .collect();
            self.bytes += (steps.len() * size_of::<Step<W>>()) as u64;
            self.walks.push(steps.into());
            let walk = self.walks.len() as u32 - 1;
            ops[i] = Op::Walk { walk, from, to, merge };
            ops.remove(i + 1);
        }
    }

    /// The walks inside a part.
    fn circle(
        &mut self,
        graph: &Graph,
        part: &[u32],
        register: &FxHashMap<u32, u32>,
        written: &mut [bool],
        ops: &mut Vec<Op>,
    ) {
        let mut circle = Vec::new();
        for &state in part {
            for way in &graph.out[state as usize] {
                if let Transition::Walk(walk, to) = *way
                    && part.contains(&to)
                {
                    let walk = self.walk_or_none(walk);
                    circle.push((walk, register[&state], register[&to]));
                    written[register[&to] as usize] = true;
                }
            }
        }
        self.work += (part.len() * part.len()) as u64;
        if !circle.is_empty() {
            ops.push(Op::Loop(circle.into()));
        }
    }

    fn walk_or_none(&mut self, walk: Option<u32>) -> u32 {
        walk.unwrap_or_else(|| {
            self.bytes += super::GROWN * size_of::<Walk<W>>() as u64;
            self.walks.push(Box::default());
            self.walks.len() as u32 - 1
        })
    }
}

/// The states from which an edge can be reached by walks.
fn useful(graph: &Graph) -> Vec<bool> {
    let mut into: Vec<Vec<u32>> = vec![Vec::new(); graph.out.len()];
    let mut useful = vec![false; graph.out.len()];
    let mut todo = Vec::new();
    for (state, ways) in graph.out.iter().enumerate() {
        for way in ways {
            match *way {
                Transition::Walk(_, to) => into[to as usize].push(state as u32),
                Transition::Edge(..) => {
                    if !std::mem::replace(&mut useful[state], true) {
                        todo.push(state as u32);
                    }
                }
            }
        }
    }
    while let Some(state) = todo.pop() {
        for &from in &into[state as usize] {
            if !std::mem::replace(&mut useful[from as usize], true) {
                todo.push(from);
            }
        }
    }
    useful
}
