//! Gates that are evaluated when they are asked for: conditions of effects, and goals.

use crate::circuit::{Block, Circuit, Gate};
use crate::event::cells::Cells;
use crate::event::net::{Place, Wave};
use crate::graph::Lit;

/// Where to read a value: a node of the net, or a gate of [`Pull`]; or the negation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Operand(u32);

impl Operand {
    fn of_net(place: Place) -> Operand {
        Operand(place.node() << 2 | u32::from(place.is_negative()))
    }

    fn of_pull(gate: u32, negative: bool) -> Operand {
        Operand(gate << 2 | 2 | u32::from(negative))
    }

    /// Its value, given what has been pulled.
    #[inline(always)]
    pub(crate) fn read<C: Cells>(self, wave: &Wave<C>, pulled: &[bool]) -> bool {
        let index = self.0 >> 2;
        let value = if self.0 & 2 == 0 {
            wave.holds(Place::new(index, false))
        } else {
            pulled[index as usize]
        };
        value != (self.0 & 1 == 1)
    }
}

#[derive(Clone, Copy, Debug)]
struct PullGate {
    start: u32,
    end: u32,
    /// An OR; else an AND.
    is_or: bool,
}

/// Gates outside the net that read from it, in an order in which they can be evaluated.
#[derive(Clone, Debug)]
pub(crate) struct Pull {
    gates: Vec<PullGate>,
    inputs: Vec<Operand>,
    /// First node of the circuit that is here.
    first: u32,
}

impl Pull {
    /// Takes the nodes of a circuit from `first` on, which are gates; those before are in a net,
    /// at these places.
    pub(crate) fn new(circuit: &Circuit, first: u32, places: &[u32]) -> Pull {
        let mut pull = Pull { gates: Vec::new(), inputs: Vec::new(), first };
        for node in first..circuit.len() as u32 {
            let start = pull.inputs.len() as u32;
            for &lit in circuit.inputs(node) {
                let operand = pull.operand(lit, places);
                pull.inputs.push(operand);
            }
            let is_or = circuit.gate(node) == Gate::Or;
            pull.gates.push(PullGate { start, end: pull.inputs.len() as u32, is_or });
        }
        pull
    }

    /// Where to read a literal of the circuit.
    pub(crate) fn operand(&self, lit: Lit, places: &[u32]) -> Operand {
        if lit.node() < self.first {
            Operand::of_net(Place::new(places[lit.node() as usize], lit.is_negative()))
        } else {
            Operand::of_pull(lit.node() - self.first, lit.is_negative())
        }
    }

    /// How many gates there are.
    pub(crate) fn len(&self) -> usize {
        self.gates.len()
    }

    /// The gate of a node of the circuit, if it is here.
    pub(crate) fn gate(&self, node: u32) -> Option<u32> {
        node.checked_sub(self.first)
    }

    /// Evaluates a gate whose inputs have been evaluated.
    #[inline(always)]
    pub(crate) fn evaluate<C: Cells>(&self, gate: u32, wave: &Wave<C>, pulled: &mut [bool]) {
        let PullGate { start, end, is_or } = self.gates[gate as usize];
        let mut inputs = self.inputs[start as usize..end as usize].iter();
        let decided = inputs.any(|o| o.read(wave, pulled) == is_or);
        pulled[gate as usize] = decided == is_or;
    }

    /// Evaluates blocks of the circuit that are here.
    pub(crate) fn blocks<C: Cells>(&self, blocks: &[Block], wave: &Wave<C>, pulled: &mut [bool]) {
        for block in blocks {
            let gates = block.start - self.first..block.end - self.first;
            if !block.is_loop {
                gates.for_each(|gate| self.evaluate(gate, wave, pulled));
                continue;
            }
            pulled[gates.start as usize..gates.end as usize].fill(false);
            let mut changed = true;
            while changed {
                changed = false;
                for gate in gates.clone().filter(|&g| !pulled[g as usize]).collect::<Vec<u32>>() {
                    self.evaluate(gate, wave, pulled);
                    changed |= pulled[gate as usize];
                }
            }
        }
    }
}
