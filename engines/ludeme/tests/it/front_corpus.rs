//! The front end on descriptions of another system. They are no part of this repository: where
//! `../shared` is absent beside it, these tests say so and pass.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use ludeme::front;
use play::{Language, Rules};

/// The folder of shared files, if it is there.
fn shared() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    if !path.is_dir() {
        eprintln!("skipped: {} is absent", path.display());
        return None;
    }
    Some(path)
}

/// The descriptions below a folder, sorted, with their paths inside it.
fn descriptions(folder: &Path) -> Vec<(String, Rules)> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(at) = folders.pop() {
        for entry in fs::read_dir(at).expect("a readable folder") {
            let path = entry.expect("a readable entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "lud") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
        .into_iter()
        .map(|path| {
            let name = path.strip_prefix(folder).expect("below the folder").display().to_string();
            let text = fs::read_to_string(&path).expect("a readable file");
            (name.clone(), Rules::new(Language::Lud, name, text))
        })
        .collect()
}

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
    let Some(shared) = shared() else { return };
    let checks = fs::read_to_string(shared.join("spec/checks/language-checks.jsonl")).unwrap();
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
fn counts(shared: &Path) -> BTreeMap<String, (u32, u32)> {
    let table = fs::read_to_string(shared.join("spec/checks/language-tokens.tsv")).unwrap();
    let lines = table.lines().skip(1);
    lines
        .map(|line| {
            let mut cells = line.split('\t');
            let name = cells.next().unwrap_or_default().to_owned();
            let mut number = || cells.next().and_then(|cell| cell.parse().ok()).unwrap_or(0);
            (name, (number(), number()))
        })
        .collect()
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
    let Some(shared) = shared() else { return };
    let counts = counts(&shared);
    let mut problems = Vec::new();
    let mut looked_at = 0;
    for (name, rules) in descriptions(&shared.join("corpus/lud")).into_iter().step_by(step) {
        looked_at += 1;
        match front::tokens(&rules) {
            Ok(count) if Some(&(count.tokens, count.with_arrays)) == counts.get(&name) => {}
            Ok(count) => problems.push(format!("{name}: {count:?}, not {:?}", counts.get(&name))),
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
    let Some(shared) = shared() else { return };
    for (name, rules) in descriptions(&shared.join("corpus/seeds")) {
        let result = front::parse(&rules);
        if name == "Tic-Tac-Toe 2019.lud" {
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
