//! Gates that are evaluated when they are asked for: conditions of effects, and goals.

use crate::circuit::{Block, Circuit, Gate};
use crate::event::cells::Cells;
use crate::event::net::{Place, Propagation};
use crate::graph::Lit;

/// The location of a value: a node of the net, or a gate of [`OnDemandGates`]; or the negation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Operand(u32);

impl Operand {
    fn of_net(place: Place) -> Operand {
        Operand(place.node() << 2 | u32::from(place.is_negative()))
    }

    fn of_pull(gate: u32, negative: bool) -> Operand {
        Operand(gate << 2 | 2 | u32::from(negative))
    }

    fn is_of_net(self) -> bool {
        self.0 & 2 == 0
    }

    fn is_negative(self) -> bool {
        self.0 & 1 == 1
    }

    fn index(self) -> u32 {
        self.0 >> 2
    }
}

#[derive(Clone, Copy, Debug)]
struct OnDemandGate {
    /// The first of its inputs, where those of the net are first; the first of the gates among
    /// them; and the end.
    start: u32,
    gates: u32,
    end: u32,
    /// An OR; else an AND.
    is_or: bool,
}

/// Gates outside the net that read from it, in an order in which they can be evaluated.
#[derive(Clone, Debug)]
pub(crate) struct OnDemandGates {
    gates: Vec<OnDemandGate>,
    inputs: Vec<Operand>,
    /// First node of the circuit that is here.
    first: u32,
}

impl OnDemandGates {
    /// Takes the nodes of a circuit from `first` on, which are gates; those before are in a net,
    /// at these places.
    pub(crate) fn new(circuit: &Circuit, first: u32, places: &[u32]) -> OnDemandGates {
        let mut on_demand = OnDemandGates { gates: Vec::new(), inputs: Vec::new(), first };
        for node in first..circuit.len() as u32 {
            let start = on_demand.inputs.len() as u32;
            let inputs = circuit.inputs(node).iter().map(|&lit| on_demand.operand(lit, places));
            let mut inputs: Vec<Operand> = inputs.collect();
            // What is at hand is looked at first.
            inputs.sort_by_key(|o| (!o.is_of_net(), o.index()));
            let of_net = inputs.partition_point(|o| o.is_of_net());
            on_demand.inputs.extend(inputs);
            let is_or = circuit.gate(node) == Gate::Or;
            let (gates, end) = (start + of_net as u32, on_demand.inputs.len() as u32);
            on_demand.gates.push(OnDemandGate { start, gates, end, is_or });
        }
        on_demand
    }

    /// The location of a literal of the circuit.
    pub(crate) fn operand(&self, lit: Lit, places: &[u32]) -> Operand {
        if lit.node() < self.first {
            Operand::of_net(Place::new(places[lit.node() as usize], lit.is_negative()))
        } else {
            Operand::of_pull(lit.node() - self.first, lit.is_negative())
        }
    }

    /// The number of gates.
    pub(crate) fn len(&self) -> usize {
        self.gates.len()
    }

    /// The value of an operand. Gates are evaluated as far as it takes, and what is found is noted.
    #[inline(always)]
    pub(crate) fn read<C: Cells>(
        &self,
        operand: Operand,
        propagation: &Propagation<C>,
        found: &mut Found,
    ) -> bool {
        let index = operand.index();
        let value = if operand.is_of_net() {
            propagation.holds(Place::new(index, false))
        } else {
            match self.at_hand(index, propagation, found) {
                Some(value) => value,
                None => self.evaluate(index, propagation, found),
            }
        };
        value != operand.is_negative()
    }

    /// The value of a gate if it is known, or inputs of the net say it.
    #[inline(always)]
    fn at_hand<C: Cells>(
        &self,
        index: u32,
        propagation: &Propagation<C>,
        found: &mut Found,
    ) -> Option<bool> {
        if let Some(value) = found.get(index) {
            return Some(value);
        }
        let gate = self.gates[index as usize];
        let inputs = &self.inputs[gate.start as usize..gate.gates as usize];
        let value = |o: &Operand| propagation.holds(Place::new(o.index(), o.is_negative()));
        let decided = inputs.iter().any(|o| value(o) == gate.is_or);
        (decided || gate.gates == gate.end).then(|| found.note(index, decided == gate.is_or))
    }

    /// Evaluates a gate whose value is not at hand, and those of its inputs that decide it, with a
    /// stack of its own: rules may be nested deeper than calls.
    fn evaluate<C: Cells>(
        &self,
        mut index: u32,
        propagation: &Propagation<C>,
        found: &mut Found,
    ) -> bool {
        let mut gate = self.gates[index as usize];
        let mut at = gate.gates;
        let mut stack = std::mem::take(&mut found.stack);
        let value = 'gates: loop {
            let mut value = !gate.is_or;
            while let Some(&operand) = self.inputs[..gate.end as usize].get(at as usize) {
                let Some(input) = self.at_hand(operand.index(), propagation, found) else {
                    stack.push((index, at));
                    index = operand.index();
                    gate = self.gates[index as usize];
                    at = gate.gates;
                    continue 'gates;
                };
                if (input != operand.is_negative()) == gate.is_or {
                    value = gate.is_or;
                    break;
                }
                at += 1;
            }
            found.note(index, value);
            let Some(waiting) = stack.pop() else { break value };
            (index, at) = waiting;
            gate = self.gates[index as usize];
        };
        found.stack = stack;
        value
    }

    /// Solves the loops among blocks of the circuit that are here, which asking gate by gate
    /// cannot.
    pub(crate) fn solve<C: Cells>(
        &self,
        blocks: &[Block],
        propagation: &Propagation<C>,
        found: &mut Found,
    ) {
        for block in blocks.iter().filter(|b| b.is_loop) {
            let gates = block.start - self.first..block.end - self.first;
            for gate in gates.clone() {
                found.note(gate, false);
            }
            let mut changed = true;
            while changed {
                changed = false;
                for gate in gates.clone() {
                    if found.get(gate) == Some(false) {
                        let OnDemandGate { start, end, is_or, .. } = self.gates[gate as usize];
                        let mut inputs = self.inputs[start as usize..end as usize].iter();
                        let decided = inputs.any(|&o| self.read(o, propagation, found) == is_or);
                        if decided == is_or {
                            found.note(gate, true);
                            changed = true;
                        }
                    }
                }
            }
        }
    }
}

/// The values found of the gates of a [`OnDemandGates`] in the present state.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    /// By gate, when it was last evaluated and to what: values of other times say nothing.
    notes: Vec<u32>,
    /// Twice the present time.
    now: u32,
    /// Gates that wait for an input, and for which.
    stack: Vec<(u32, u32)>,
}

impl Found {
    /// Nothing is known of so many gates.
    pub(crate) fn new(gates: usize) -> Found {
        Found { notes: vec![0; gates], now: 2, stack: Vec::new() }
    }

    /// The state changes: nothing is known any more.
    #[inline(always)]
    pub(crate) fn forget(&mut self) {
        self.now = self.now.wrapping_add(2);
        if self.now == 0 {
            self.notes.fill(0);
            self.now = 2;
        }
    }

    #[inline(always)]
    fn get(&self, gate: u32) -> Option<bool> {
        let note = self.notes[gate as usize] ^ self.now;
        (note < 2).then_some(note == 1)
    }

    /// Notes a value, which it hands back.
    #[inline(always)]
    fn note(&mut self, gate: u32, value: bool) -> bool {
        self.notes[gate as usize] = self.now | u32::from(value);
        value
    }
}
