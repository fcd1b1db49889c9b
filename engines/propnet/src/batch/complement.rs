//! Of the moves of a move group exactly one is made, so that none of many is made if one of the
//! others is.
//!
//! Rulesheets often say what stays as it is by all the moves that leave it so.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::segments::{Gate, SegmentBuilder, TRUE, Value};

/// The same gates, where those that ask for none of more than half of a move group ask for one of
/// the rest instead. `move_groups` are the moves that are made, move group by move group.
pub(super) fn complemented(
    gates: Vec<Gate>,
    move_groups: &[Range<Value>],
    builder: &mut SegmentBuilder,
) -> Vec<Gate> {
    // By moves, the gate that says that none of them is made.
    let mut known: FxHashMap<Vec<Value>, Value> = FxHashMap::default();
    let mut all = Vec::with_capacity(gates.len());
    for mut gate in gates {
        for move_group in move_groups {
            let none = |value: Value, negated: bool| negated && move_group.contains(&value);
            let count = gate.inputs.iter().filter(|&&(value, sign)| none(value, sign)).count();
            if 2 * count <= move_group.len() {
                continue;
            }
            let mut is_rest = vec![true; move_group.len()];
            gate.inputs.retain(|&mut (value, sign)| {
                if none(value, sign) {
                    is_rest[(value - move_group.start) as usize] = false;
                }
                !none(value, sign)
            });
            let rest: Vec<Value> = move_group
                .clone()
                .zip(is_rest)
                .filter(|&(_, is)| is)
                .map(|(value, _)| value)
                .collect();
            let not_one = if rest.is_empty() {
                TRUE
            } else {
                *known.entry(rest).or_insert_with_key(|rest| {
                    let inputs: Vec<_> = rest.iter().map(|&value| (value, true)).collect();
                    let out = builder.value();
                    all.push(Gate::new(out, &inputs));
                    out
                })
            };
            gate.inputs.push((not_one, true));
        }
        all.push(gate);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn none_of_most_is_one_of_the_rest() {
        let mut builder = SegmentBuilder::new(1, 8, usize::MAX);
        let base = (builder.base(0), false);
        let does = |action| (builder.does(action), true);
        let most = [base, does(0), does(1), does(2)];
        let half = [base, does(0), does(1)];
        let all = [does(0), does(1), does(2), does(3)];
        // Half of the second move group as well.
        let more = [does(0), does(1), does(2), does(4), does(5)];
        let move_groups = [builder.does(0)..builder.does(4), builder.does(4)..builder.does(8)];
        let (last, others) = (does(3), [does(4), does(5)]);
        let gates = [&most[..], &half, &all, &more];
        let gates: Vec<Gate> = gates.map(|of| Gate::new(builder.value(), of)).into();
        let outs: Vec<Value> = gates.iter().map(|gate| gate.out).collect();
        let rest = builder.values() as Value;
        let found = complemented(gates, &move_groups, &mut builder);
        let expected = [
            (rest, vec![last]),
            (outs[0], vec![base, (rest, true)]),
            (outs[1], half.to_vec()),
            (outs[2], vec![(TRUE, true)]),
            (outs[3], vec![others[0], others[1], (rest, true)]),
        ];
        assert_eq!(found.len(), expected.len());
        for (gate, (out, inputs)) in found.iter().zip(expected) {
            assert_eq!((gate.out, gate.inputs.to_vec()), (out, inputs));
        }
    }
}
