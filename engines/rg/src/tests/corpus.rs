//! Leaf counts and sizes of the shared corpus, as the reference tool has them.

use play::{CompileError, Limits, Rules};
use serde_json::Value;

use super::{oracle, rules, shared};

/// The most leaves of a depth that is counted by the search, and by code.
const LEAVES: [u64; 2] = [20_000, 300_000];

/// The counts of a description in the corpus, as far as they are known, up to so many leaves.
fn expected(oracle: &Value, name: &str, most: u64) -> Option<Vec<u64>> {
    let counts = oracle["games"][name]["perft"].as_array()?.iter().filter_map(Value::as_u64);
    Some(counts.take_while(|&count| count <= most).collect())
}

/// Leaf counts, if there are any.
type Counts = Result<Option<Vec<u64>>, CompileError>;

/// The descriptions whose leaf counts, where there are any, are those of the reference, and all.
fn agreeing(most: u64, counts: fn(&Rules, u32) -> Counts) -> [usize; 2] {
    let Some(oracle) = oracle() else { return [0; 2] };
    let (mut differ, mut agreeing) = (Vec::new(), 0);
    let sources = shared("rg");
    for source in &sources {
        let name = source.name();
        let Some(expected) = expected(&oracle, name, most) else { continue };
        match counts(&rules(source), expected.len() as u32) {
            Ok(None) => println!("{name}: no code"),
            Ok(Some(counts)) if counts == expected => agreeing += 1,
            other => differ.push(format!("{name}: {other:?}, not {expected:?}")),
        }
    }
    assert!(differ.is_empty(), "{}", differ.join("\n"));
    [agreeing, sources.len()]
}

#[test]
fn leaf_counts_are_those_of_the_reference() {
    agreeing(LEAVES[0], |rules, depth| crate::perft(rules, &Limits::default(), depth).map(Some));
}

#[test]
fn leaf_counts_by_code_are_those_of_the_reference() {
    let [coded, all] =
        agreeing(LEAVES[1], |rules, depth| crate::perft_by_code(rules, &Limits::default(), depth));
    assert!(4 * coded >= 3 * all, "{coded} of {all} have code");
}

#[test]
fn tokens_are_those_of_the_reference() {
    let Some(oracle) = oracle() else { return };
    let sources = shared("rg");
    assert!(sources.len() >= 40);
    for source in sources {
        let expected = oracle["games"][source.name()]["tokens"].as_u64();
        assert_eq!(Some(crate::tokens(&source) as u64), expected, "{}", source.name());
    }
}
