//! Gates made as few and as wide as their code can be.
//!
//! A gate that is read once or twice goes into those that read it: into an AND its inputs, and into
//! one that reads it negated both inputs as a pair of which not both may hold. What is too wide
//! then is split.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::segments::{Gate, Segment, SegmentBuilder, Signed, Value, split};

/// Packs sections that are evaluated one after another; `read` are the values that others read.
pub(super) fn packed<const N: usize>(
    sections: [Vec<Segment>; N],
    read: impl IntoIterator<Item = Value>,
    builder: &mut SegmentBuilder,
) -> [Vec<Segment>; N] {
    let mut packing = Packing::new(&sections, read);
    packing.flatten();
    packing.absorb();
    let mut gates = packing.gates.into_iter();
    sections.map(|segments| {
        let segments = segments.into_iter().map(|segment| match segment {
            Segment::Straight(own) => {
                let mut all = Vec::with_capacity(own.len());
                for gate in gates.by_ref().take(own.len()).flatten() {
                    split(gate, builder, &mut all);
                }
                Segment::Straight(all)
            }
            closed @ Segment::Loop { .. } => closed,
        });
        segments.collect()
    })
}

/// Gates with so few readers may go into these.
const FEW: usize = 2;
/// Gates do not get wider than this.
const WIDEST: usize = 1 << 12;

struct Packing {
    /// All gates but those of loops, each after its inputs; none where one has gone into others.
    gates: Vec<Option<Gate>>,
    places: FxHashMap<Value, usize>,
    /// By gate, those that read it, unless it is kept.
    readers: Vec<SmallVec<[usize; FEW + 1]>>,
    /// By gate, whether its value must be there: others read it, or too many do.
    kept: Vec<bool>,
}

impl Packing {
    fn new<const N: usize>(
        sections: &[Vec<Segment>; N],
        read: impl IntoIterator<Item = Value>,
    ) -> Packing {
        let mut read: FxHashSet<Value> = read.into_iter().collect();
        let mut gates = Vec::new();
        for segment in sections.iter().flatten() {
            match segment {
                Segment::Straight(own) => gates.extend(own.iter().cloned().map(Some)),
                Segment::Loop { gates, .. } => read.extend(gates.iter().flat_map(Gate::values)),
            }
        }
        let outs = gates.iter().flatten().map(|gate| gate.out);
        let kept = outs.clone().map(|out| read.contains(&out)).collect();
        let places = outs.zip(0..).collect();
        let readers = vec![SmallVec::new(); gates.len()];
        let mut packing = Packing { gates, places, readers, kept };
        for at in 0..packing.gates.len() {
            let values: Vec<Value> = packing.gates[at].iter().flat_map(Gate::values).collect();
            values.into_iter().for_each(|value| packing.reads(at, value));
        }
        packing
    }

    /// Notes that a gate reads a value.
    fn reads(&mut self, at: usize, value: Value) {
        let Some(&input) = self.places.get(&value) else { return };
        let readers = &mut self.readers[input];
        if !self.kept[input] && !readers.contains(&at) {
            readers.push(at);
            self.kept[input] = readers.len() > FEW;
        }
    }

    /// ANDs of ANDs that nobody else reads become one.
    fn flatten(&mut self) {
        for at in 0..self.gates.len() {
            let &[reader] = &self.readers[at][..] else { continue };
            let (Some(gate), Some(into)) = (&self.gates[at], &self.gates[reader]) else { continue };
            let positive = into.inputs.contains(&(gate.out, false));
            let width = gate.inputs.len() + into.inputs.len();
            if !self.kept[at] && positive && width <= WIDEST {
                self.move_into(at, &[reader]);
            }
        }
    }

    /// Puts small gates into those that read them, from the last gate to the first.
    fn absorb(&mut self) {
        for at in (0..self.gates.len()).rev() {
            let Some(gate) = &self.gates[at] else { continue };
            let readers = self.readers[at].clone();
            let is_small = gate.pairs.is_empty() && gate.inputs.len() <= 2;
            let is_read_by_few = (1..=FEW).contains(&readers.len());
            let width = |reader: &usize| self.gates[*reader].as_ref().map(|g| g.inputs.len());
            let all_take_it = readers.iter().all(|r| width(r).is_some_and(|w| w < WIDEST));
            if !self.kept[at] && is_small && is_read_by_few && all_take_it {
                self.move_into(at, &readers);
            }
        }
    }

    /// Puts a gate into those that read it: either they read it as it is, or it has at most two
    /// inputs and no pairs.
    fn move_into(&mut self, at: usize, readers: &[usize]) {
        let Some(gate) = self.gates[at].take() else { return };
        let mut paired = false;
        for &reader in readers {
            let Some(into) = &mut self.gates[reader] else { continue };
            let mut take = |input: Signed| {
                let place = into.inputs.iter().position(|&other| other == input);
                place.map(|place| into.inputs.remove(place)).is_some()
            };
            let [plain, negated] = [false, true].map(|negated| take((gate.out, negated)));
            let mut singles = SmallVec::<[Signed; 4]>::new();
            if plain {
                singles.extend(gate.inputs.iter().copied());
                into.pairs.extend(gate.pairs.iter().copied());
            }
            match gate.inputs[..] {
                [(value, sign)] if negated => singles.push((value, !sign)),
                [one, other] if negated => {
                    into.pairs.push([one, other]);
                    paired = true;
                }
                _ => {}
            }
            for input in singles {
                if !into.inputs.contains(&input) {
                    into.inputs.push(input);
                }
            }
        }
        for value in gate.values() {
            let Some(&input) = self.places.get(&value) else { continue };
            self.readers[input].retain(|reader| *reader != at);
            readers.iter().for_each(|&reader| self.reads(reader, value));
            // A member of a pair is read as it is.
            self.kept[input] |= paired;
        }
    }
}

#[cfg(test)]
mod tests {
    use play::Rng;

    use super::*;
    use crate::batch::share::shared;

    /// Evaluates gates of any width, with a truth value for each value.
    fn evaluate(sections: &[Vec<Segment>], values: &mut [bool]) {
        for segment in sections.iter().flatten() {
            let Segment::Straight(gates) = segment else { panic!("no loops") };
            for gate in gates {
                let holds = |&(value, negated): &Signed| values[value as usize] != negated;
                let singles = gate.inputs.iter().all(holds);
                let all = singles && gate.pairs.iter().all(|pair| !pair.iter().all(holds));
                values[gate.out as usize] = all;
            }
        }
    }

    #[test]
    fn packed_and_shared_gates_give_what_they_gave() {
        const BASES: usize = 12;
        let mut rng = Rng::stream(8, 8);
        for round in 0..60 {
            let mut builder = SegmentBuilder::new(BASES, 0, usize::MAX);
            let mut known: Vec<Value> = (0..BASES).map(|base| builder.base(base)).collect();
            let mut section = |builder: &mut SegmentBuilder| {
                let gates = (0..30).map(|_| {
                    let width = 1 + rng.below(if round % 4 == 0 { 24 } else { 4 });
                    let inputs: FxHashMap<Value, bool> = (0..width)
                        .map(|_| {
                            let value = known[rng.below(known.len() as u32) as usize];
                            (value, rng.below(2) == 0)
                        })
                        .collect();
                    let mut inputs: Vec<Signed> = inputs.into_iter().collect();
                    inputs.sort_unstable();
                    let gate = Gate::new(builder.value(), &inputs);
                    known.push(gate.out);
                    gate
                });
                vec![Segment::Straight(gates.collect())]
            };
            let before = [section(&mut builder), section(&mut builder)];
            let read: Vec<Value> = known.iter().copied().filter(|v| v % 5 == 0).collect();
            let parts = before.clone().map(|mut segments| {
                if let Some(Segment::Straight(gates)) = segments.pop() {
                    segments.push(Segment::Straight(shared(gates, &mut builder)));
                }
                segments
            });
            let after = packed(parts, read.iter().copied(), &mut builder);
            for segment in after.iter().flatten() {
                let Segment::Straight(gates) = segment else { panic!("no loops") };
                assert!(gates.iter().all(|gate| gate.shape().has_code()));
            }
            for _ in 0..100 {
                let bits = rng.next_u64();
                let sources: Vec<bool> =
                    (0..builder.values()).map(|value| bits >> (value % 64) & 1 == 1).collect();
                let [mut expected, mut found] = [sources.clone(), sources];
                // The constants.
                for values in [&mut expected, &mut found] {
                    (values[0], values[1]) = (false, true);
                }
                evaluate(&before, &mut expected);
                evaluate(&after, &mut found);
                for &value in &read {
                    assert_eq!(found[value as usize], expected[value as usize], "{round}");
                }
            }
        }
    }

    #[test]
    fn wide_gates_are_split_into_few() {
        let mut builder = SegmentBuilder::new(100, 0, usize::MAX);
        let inputs: Vec<Signed> =
            (0..100).map(|base| (builder.base(base), base % 2 == 0)).collect();
        let mut all = Vec::new();
        split(Gate::new(builder.value(), &inputs), &mut builder, &mut all);
        // Each of eight inputs leaves seven fewer.
        assert!(all.len() <= 99_usize.div_ceil(7) + 3, "{}", all.len());
        assert!(all.iter().all(|gate| gate.shape().has_code()));
    }
}
