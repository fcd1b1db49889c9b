//! Parts that several wide gates have in common, as gates of their own.
//!
//! The pair of inputs that most gates have is made a gate, which takes its place in all of them,
//! and so on, until no two gates have a pair in common (as for constants in multipliers: Paar
//! 1997).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::segments::{Gate, SegmentBuilder, Signed, Value};

/// Pairs of inputs that are looked at, in all gates together: the widest are left out.
const PAIRS: usize = 1 << 21;

/// Bytes that a pair may take: two tables while one of them grows, and those that parts add.
const BYTES_OF_PAIR: u64 = 256;

/// The number of pairs of inputs that are looked at if a game may take so many bytes.
pub(super) fn most_pairs(bytes: u64) -> usize {
    usize::try_from(bytes / BYTES_OF_PAIR).map_or(PAIRS, |pairs| pairs.min(PAIRS))
}

/// The same gates with what they share computed once. They stand after their inputs, before and
/// after.
pub(super) fn shared(gates: Vec<Gate>, builder: &mut SegmentBuilder) -> Vec<Gate> {
    let mut sharing = Sharing::new(gates, builder.most_pairs);
    while let Some((count, Reverse(pair))) = sharing.heap.pop() {
        let now = sharing.counts.get(&pair).copied().unwrap_or(0);
        if now == count {
            sharing.replace(pair, builder);
        } else if now > 1 && now < count {
            sharing.heap.push((now, Reverse(pair)));
        }
    }
    sharing.in_order()
}

/// Two inputs, the lesser one first.
type Pair = [Signed; 2];

struct Sharing {
    gates: Vec<Gate>,
    /// Gates that were there before the parts.
    given: usize,
    /// By gate, whether its pairs count.
    open: Vec<bool>,
    /// By input, the open gates that have it; some that had it.
    users: FxHashMap<Signed, Vec<usize>>,
    counts: FxHashMap<Pair, u32>,
    /// Pairs by how often they were met, when that grew last.
    heap: BinaryHeap<(u32, Reverse<Pair>)>,
}

impl Sharing {
    fn new(mut gates: Vec<Gate>, most_pairs: usize) -> Sharing {
        for gate in &mut gates {
            gate.inputs.sort_unstable();
            gate.inputs.dedup();
        }
        let open = within_bounds(&gates, most_pairs);
        let mut users: FxHashMap<Signed, Vec<usize>> = FxHashMap::default();
        let mut counts: FxHashMap<Pair, u32> = FxHashMap::default();
        for (at, gate) in gates.iter().enumerate().filter(|&(at, _)| open[at]) {
            for (number, &input) in gate.inputs.iter().enumerate() {
                users.entry(input).or_default().push(at);
                for &other in &gate.inputs[number + 1..] {
                    *counts.entry([input, other]).or_default() += 1;
                }
            }
        }
        let several = counts.iter().filter(|&(_, &count)| count > 1);
        let heap = several.map(|(&pair, &count)| (count, Reverse(pair))).collect();
        Sharing { given: gates.len(), gates, open, users, counts, heap }
    }

    /// Makes a pair a gate, or takes the gate that it is, and puts that in its place.
    fn replace(&mut self, pair: Pair, builder: &mut SegmentBuilder) {
        let of = |input: &Signed| self.users.get(input).map_or(&[][..], |users| &users[..]);
        let [few, many] = [of(&pair[0]), of(&pair[1])];
        let has = |at: usize| pair.iter().all(|i| self.gates[at].inputs.binary_search(i).is_ok());
        let fewer = if few.len() <= many.len() { few } else { many };
        let mut all: Vec<usize> =
            fewer.iter().copied().filter(|&at| self.open[at] && has(at)).collect();
        all.sort_unstable();
        all.dedup();
        self.counts.remove(&pair);
        let own = match all.iter().position(|&at| self.gates[at].inputs.len() == 2) {
            Some(place) => all.remove(place),
            None => {
                self.gates.push(Gate::new(builder.value(), &pair));
                self.open.push(false);
                self.gates.len() - 1
            }
        };
        self.open[own] = false;
        let part = (self.gates[own].out, false);
        for at in all {
            let inputs = &mut self.gates[at].inputs;
            inputs.retain(|input| !pair.contains(input));
            let place = inputs.binary_search(&part);
            for &other in inputs.iter().filter(|&&other| other != part) {
                for input in pair {
                    let gone = [input.min(other), input.max(other)];
                    if let Some(count) = self.counts.get_mut(&gone) {
                        *count -= 1;
                    }
                }
                if place.is_err() {
                    let met = [part.min(other), part.max(other)];
                    let count = self.counts.entry(met).or_default();
                    *count += 1;
                    if *count > 1 {
                        self.heap.push((*count, Reverse(met)));
                    }
                }
            }
            if let Err(place) = place {
                inputs.insert(place, part);
                self.users.entry(part).or_default().push(at);
            }
        }
    }

    /// The gates in their order, the parts before those that have them.
    fn in_order(self) -> Vec<Gate> {
        let gates = &self.gates;
        let places: FxHashMap<Value, usize> =
            gates.iter().zip(0..).map(|(gate, at)| (gate.out, at)).collect();
        let mut order = Vec::with_capacity(gates.len());
        let mut met = vec![false; gates.len()];
        let mut stack = Vec::new();
        for first in 0..self.given {
            stack.push((first, false));
            while let Some((at, ready)) = stack.pop() {
                if ready {
                    order.push(at);
                } else if !std::mem::replace(&mut met[at], true) {
                    stack.push((at, true));
                    let inputs = gates[at].inputs.iter().rev();
                    let inputs = inputs.filter_map(|(value, _)| places.get(value));
                    stack.extend(inputs.filter(|&&input| !met[input]).map(|&input| (input, false)));
                }
            }
        }
        let mut gates: Vec<Option<Gate>> = self.gates.into_iter().map(Some).collect();
        order.into_iter().filter_map(|at| gates[at].take()).collect()
    }
}

/// True for each gate that has several inputs, and few enough that all pairs can be looked at.
fn within_bounds(gates: &[Gate], most_pairs: usize) -> Vec<bool> {
    let pairs = |gate: &Gate| gate.inputs.len() * gate.inputs.len().saturating_sub(1) / 2;
    let mut by_width: Vec<usize> = (0..gates.len()).filter(|&at| pairs(&gates[at]) > 0).collect();
    by_width.sort_by_key(|&at| gates[at].inputs.len());
    let mut open = vec![false; gates.len()];
    let mut sum = 0;
    for at in by_width {
        sum += pairs(&gates[at]);
        if sum > most_pairs {
            break;
        }
        open[at] = true;
    }
    open
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::pack::packed;
    use crate::batch::segments::Segment;

    /// Values that the gates read and write, once they are packed.
    fn operands(gates: Vec<Gate>, builder: &mut SegmentBuilder) -> usize {
        let read: Vec<Value> = gates.iter().map(|gate| gate.out).collect();
        let [segments] = packed([vec![Segment::Straight(gates)]], read, builder);
        let [Segment::Straight(gates)] = &segments[..] else { panic!("as before") };
        gates.iter().map(|gate| 1 + gate.values().count()).sum()
    }

    #[test]
    fn lines_along_a_row_share_what_they_overlap_in() {
        let mut builder = SegmentBuilder::new(15, 0, usize::MAX);
        let row: Vec<Signed> = (0..15).map(|base| (builder.base(base), false)).collect();
        let windows = row.windows(6);
        let lines: Vec<Gate> = windows.map(|window| Gate::new(builder.value(), window)).collect();
        let shared = shared(lines.clone(), &mut builder);
        let [alone, together] = [lines, shared].map(|gates| operands(gates, &mut builder));
        // Ten lines of six as a gate of five and one of two each.
        assert_eq!(alone, 10 * (6 + 3));
        assert!(together <= 66, "{together}");
    }

    #[test]
    fn an_input_that_is_given_twice_is_one() {
        let mut builder = SegmentBuilder::new(3, 0, usize::MAX);
        let [a, b, c] = [0, 1, 2].map(|base| (builder.base(base), false));
        let gates = [&[a, a, b][..], &[a, a, c], &[a, b], &[a, c]];
        let gates: Vec<Gate> = gates.map(|of| Gate::new(builder.value(), of)).into();
        let outs: Vec<Value> = gates.iter().map(|gate| gate.out).collect();
        let shared = shared(gates, &mut builder);
        let found: Vec<(Value, &[Signed])> =
            shared.iter().map(|gate| (gate.out, &gate.inputs[..])).collect();
        let [first, second] = [outs[0], outs[1]].map(|out| [(out, false)]);
        let expected: [(Value, &[Signed]); 4] =
            [(outs[0], &[a, b]), (outs[1], &[a, c]), (outs[2], &first), (outs[3], &second)];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_gate_that_is_a_part_of_others_is_that_part() {
        let mut builder = SegmentBuilder::new(4, 0, usize::MAX);
        let [a, b, c, d] = [0, 1, 2, 3].map(|base| (builder.base(base), base == 1));
        // The part comes last.
        let gates = [&[a, b, c][..], &[a, b, d], &[a, b]];
        let gates: Vec<Gate> = gates.map(|of| Gate::new(builder.value(), of)).into();
        let outs: Vec<Value> = gates.iter().map(|gate| gate.out).collect();
        let shared = shared(gates, &mut builder);
        let part = (outs[2], false);
        let expected = [(outs[2], [a, b]), (outs[0], [c, part]), (outs[1], [d, part])];
        assert_eq!(shared.len(), expected.len());
        for (gate, (out, mut inputs)) in shared.iter().zip(expected) {
            inputs.sort_unstable();
            assert_eq!((gate.out, &gate.inputs[..]), (out, &inputs[..]));
        }
    }
}
