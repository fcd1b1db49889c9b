//! Leaf counts and sizes of the shared corpus, as the reference tool has them.

use play::Limits;
use serde_json::Value;

use super::{oracle, rules, shared};

/// The most leaves of a depth that is counted by the search, and by code.
const LEAVES: [u64; 2] = [20_000, 300_000];

/// The counts of a description in the corpus, as far as they are known, up to so many leaves.
fn expected(oracle: &Value, name: &str, most: u64) -> Option<Vec<u64>> {
    let counts = oracle["games"][name]["perft"].as_array()?.iter().filter_map(Value::as_u64);
    Some(counts.take_while(|&count| count <= most).collect())
}

#[test]
fn leaf_counts_are_those_of_the_reference() {
    let Some(oracle) = oracle() else { return };
    let mut differ = Vec::new();
    for source in shared("rg") {
        let name = source.name();
        let Some(expected) = expected(&oracle, name, LEAVES[0]) else { continue };
        match crate::perft(&rules(&source), &Limits::default(), expected.len() as u32) {
            Ok(counts) if counts == expected => {}
            other => differ.push(format!("{name}: {other:?}, not {expected:?}")),
        }
    }
    assert!(differ.is_empty(), "{}", differ.join("\n"));
}

#[test]
fn leaf_counts_by_code_are_those_of_the_reference() {
    let Some(oracle) = oracle() else { return };
    let (mut differ, mut coded) = (Vec::new(), 0);
    let sources = shared("rg");
    for source in &sources {
        let name = source.name();
        let Some(expected) = expected(&oracle, name, LEAVES[1]) else { continue };
        let depth = expected.len() as u32;
        match crate::perft_by_code(&rules(source), &Limits::default(), depth) {
            Ok(None) => println!("{name}: no code"),
            Ok(Some(counts)) if counts == expected => coded += 1,
            other => differ.push(format!("{name}: {other:?}, not {expected:?}")),
        }
    }
    assert!(differ.is_empty(), "{}", differ.join("\n"));
    assert!(4 * coded >= 3 * sources.len(), "{coded} of {} have code", sources.len());
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
