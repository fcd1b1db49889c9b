//! The front end on descriptions of another system, where `../shared` is there.

use std::collections::BTreeMap;
use std::fs;

use ludeme::front;
use play::{Language, Rules};

use super::files::{descriptions, shared};

/// White space as the reference leaves it.
fn normal(text: &str) -> String {
    let mut out = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for (from, to) in [("( ", "("), (" )", ")"), ("{ ", "{"), (" }", "}")] {
        out = out.replace(from, to);
    }
    out
}

/// Inputs that we read differently on purpose.
const OURS: [(&str, &str); 3] = [
    ("option_without_arguments_stops", "the reference leaves the options that follow unfilled"),
    ("string_argument_with_blank", "the reference splits a named string argument at its blank"),
    ("white_space_in_strings", "the reference drops blanks behind colons and brackets in strings"),
];

#[test]
fn invented_inputs_expand_as_in_the_reference() {
    let Some(path) = shared("spec/checks/language-checks.jsonl") else { return };
    let checks = fs::read_to_string(path).unwrap();
    let (mut different, mut all) = (Vec::new(), 0);
    for line in checks.lines() {
        let check: serde_json::Value = serde_json::from_str(line).unwrap();
        let field = |name: &str| check[name].as_str().unwrap_or_default().to_owned();
        let rules = Rules::new(Language::Lud, field("name"), field("raw"));
        let (expanded, _) = front::expand_to_text(&rules);
        all += 1;
        if normal(&expanded) != normal(&field("expanded")) {
            different.push(field("name"));
        }
    }
    assert!(all >= 26, "only {all} inputs");
    assert_eq!(different, OURS.map(|(name, _)| name));
}

/// Number of tokens of each description, without and with arrays, by the reference.
fn counts() -> Option<BTreeMap<String, (u32, u32)>> {
    let table = fs::read_to_string(shared("spec/checks/language-tokens.tsv")?).unwrap();
    let row = |line: &str| {
        let mut cells = line.split('\t');
        let name = cells.next().unwrap_or_default().to_owned();
        let mut number = || cells.next().and_then(|cell| cell.parse().ok()).unwrap_or(0);
        (name, (number(), number()))
    };
    Some(table.lines().skip(1).map(row).collect())
}

/// Everything that can be chosen in a description.
fn choices(rules: &Rules) -> Vec<String> {
    let options = front::options(rules);
    let items = options.blocks.iter().flat_map(|block| {
        block.items.iter().map(move |item| format!("{}/{}", block.heading, item.name))
    });
    items.chain(options.rulesets.iter().map(|ruleset| ruleset.name.clone())).collect()
}

/// Every `step`th description of the corpus expands to the size that it has in the reference, and
/// all of its calls are understood, whichever of its options and rulesets is chosen.
fn check_corpus(step: usize) {
    let (Some(counts), Some(corpus)) = (counts(), shared("corpus/lud")) else { return };
    let mut problems = Vec::new();
    let mut looked_at = 0;
    for rules in descriptions(&corpus).into_iter().step_by(step) {
        looked_at += 1;
        let name = rules.source.name();
        match front::tokens(&rules) {
            Ok(count) if Some(&(count.tokens, count.with_arrays)) == counts.get(name) => {}
            Ok(count) => problems.push(format!("{name}: {count:?}, not {:?}", counts.get(name))),
            Err(error) => problems.push(error.one_line(&rules.source)),
        }
        for choice in std::iter::once(None).chain(choices(&rules).into_iter().map(Some)) {
            let rules = Rules { options: choice.into_iter().collect(), ..rules.clone() };
            if let Err(error) = front::parse(&rules) {
                problems.push(format!("{:?} {}", rules.options, error.one_line(&rules.source)));
            }
        }
    }
    assert!(looked_at * step >= 700, "only {looked_at} descriptions");
    assert!(problems.is_empty(), "{} of {looked_at}:\n{}", problems.len(), problems.join("\n"));
}

#[test]
fn a_sample_of_public_descriptions_is_understood() {
    check_corpus(20);
}

#[test]
#[ignore = "a sample of it runs by default"]
fn all_public_descriptions_are_understood() {
    check_corpus(1);
}

/// Descriptions printed in papers; the oldest is in the language of its time.
#[test]
fn printed_descriptions() {
    let Some(seeds) = shared("corpus/seeds") else { return };
    for rules in descriptions(&seeds) {
        let result = front::parse(&rules);
        if rules.source.name() == "Tic-Tac-Toe 2019.lud" {
            let error = result.expect_err("the language has changed");
            let found = error.diagnostics();
            let brackets: Vec<_> = found.iter().filter(|d| d.code.contains("bracket")).collect();
            let [surplus] = brackets[..] else { panic!("{brackets:?}") };
            assert_eq!(surplus.code, "surplus-bracket-inside");
            let place = rules.source.position(surplus.span.start);
            assert_eq!(place.to_string(), "5:28");
            // Every ludeme of its time is named with what it is today.
            for old in ["mode", "disc", "cross", "to", "empty", "line"] {
                let said = |d: &&text::Diagnostic| {
                    let all = d.help.iter().any(|help| help.contains("today"));
                    all && rules.source.text()[d.span.start as usize..]
                        .starts_with(&format!("({old}"))
                };
                assert!(found.iter().any(|d| said(&d)), "{old}");
            }
        } else if let Err(error) = result {
            panic!("{}", error.one_line(&rules.source));
        }
    }
}
