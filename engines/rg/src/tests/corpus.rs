//! Leaf counts and sizes of the shared corpus, as the reference tool has them.

use play::Limits;
use serde_json::Value;

use super::{oracle, rules, shared};

/// The most leaves of a depth that is counted.
const LEAVES: u64 = 20_000;

#[test]
fn leaf_counts_are_those_of_the_reference() {
    let Some(oracle) = oracle() else { return };
    let mut differ = Vec::new();
    for source in shared("rg") {
        let rules = rules(&source);
        let name = source.name();
        let Some(expected) = oracle["games"][name]["perft"].as_array() else { continue };
        let expected: Vec<u64> = expected.iter().filter_map(Value::as_u64).collect();
        let depth = expected.iter().take_while(|&&count| count <= LEAVES).count();
        let counted = crate::perft(&rules, &Limits::default(), depth as u32);
        match counted {
            Ok(counts) if counts == expected[..depth] => {}
            other => differ.push(format!("{name}: {other:?}, not {:?}", &expected[..depth])),
        }
    }
    assert!(differ.is_empty(), "{}", differ.join("\n"));
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
