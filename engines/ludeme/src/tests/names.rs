//! Names that lowering asks for: each is one of the grammar, so that a slip is found here, and not
//! as a rule that is never followed.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::front::grammar::grammar;

/// Methods of calls and of items that ask for what fills a slot.
const ASKS: [&str; 8] = ["arg", "call", "items", "has", "constant", "text", "flag", "int"];

/// A use of a name in the code.
struct Use {
    /// File and line.
    place: String,
    name: String,
    /// Whether it is the label of a slot that is asked for; otherwise it is a pattern of a `match`.
    is_label: bool,
}

/// The uses in a line: literals, but for those that are neither asked for nor matched.
fn uses(place: &str, line: &str) -> Vec<Use> {
    let parts: Vec<&str> = line.split('"').collect();
    let mut found = Vec::new();
    for literal in (1..parts.len().saturating_sub(1)).step_by(2) {
        let (before, behind) = (parts[literal - 1].trim(), parts[literal + 1].trim());
        let needs = before.ends_with(',') && before.contains("need");
        let is_label = needs || ASKS.iter().any(|ask| before.ends_with(&format!(".{ask}(")));
        let is_pattern =
            before.ends_with('|') || behind.starts_with('|') || behind.starts_with("=>");
        if is_label || is_pattern {
            let (place, name) = (place.to_owned(), parts[literal].to_owned());
            found.push(Use { place, name, is_label });
        }
    }
    found
}

#[test]
fn names_that_lowering_asks_for_are_names_of_the_grammar() {
    let mut labels = BTreeSet::new();
    let mut names: BTreeSet<&str> = grammar().keywords().collect();
    for ludeme in grammar().ludemes() {
        let slots = &ludeme.signature().slots;
        labels.extend(slots.iter().flat_map(|slot| &slot.choices).map(|choice| choice.label));
        names.extend([ludeme.name(), ludeme.kind()]);
        names.extend(&ludeme.signature().selectors);
    }
    let is_constant = |name: &str| !grammar().constants(name).is_empty();
    let is_name = |name: &str| names.contains(name) || is_constant(name);

    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lower");
    let (mut asked, mut matched, mut wrong) = (0, 0, Vec::new());
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        for (line, text) in (1..).zip(fs::read_to_string(&path).expect("a file").lines()) {
            if text.trim_start().starts_with("//") {
                continue;
            }
            for one in uses(&format!("{}:{line}", path.display()), text) {
                asked += u32::from(one.is_label);
                matched += u32::from(!one.is_label);
                if !(labels.contains(&*one.name) || !one.is_label && is_name(&one.name)) {
                    wrong.push(format!("{}: the grammar has no {:?}", one.place, one.name));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(asked > 300 && matched > 600, "only {asked} labels and {matched} names");
}
