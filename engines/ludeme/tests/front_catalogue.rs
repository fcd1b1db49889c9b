//! The front end on the descriptions of the catalogue.

use std::fs;
use std::path::Path;

use ludeme::front;
use play::{Language, Rng, Rules};

/// All descriptions of the catalogue, sorted by name.
fn catalogue() -> Vec<Rules> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/catalogue");
    let mut rules: Vec<Rules> = fs::read_dir(folder)
        .expect("the catalogue")
        .map(|entry| entry.expect("a readable entry").path())
        .filter_map(|game| {
            let text = fs::read_to_string(game.join("rules.lud")).ok()?;
            let name = format!("{}/rules.lud", game.file_name()?.to_str()?);
            Some(Rules::new(Language::Lud, name, text))
        })
        .collect();
    rules.sort_by(|a, b| a.source.name().cmp(b.source.name()));
    assert!(rules.len() >= 14, "only {} descriptions", rules.len());
    rules
}

#[test]
fn every_description_is_accepted_without_remarks() {
    for rules in catalogue() {
        match front::parse(&rules) {
            Ok(parsed) => {
                assert_eq!(parsed.root.name(), "game");
                let remarks: Vec<String> =
                    parsed.warnings.iter().map(|warning| warning.render(&rules.source)).collect();
                assert!(remarks.is_empty(), "{}", remarks.join("\n"));
            }
            Err(error) => {
                let all: Vec<String> =
                    error.diagnostics().iter().map(|d| d.render(&rules.source)).collect();
                panic!("{}", all.join("\n"));
            }
        }
    }
}

/// Pieces of text that mutations put in: brackets, names, macros, options and what else may upset a
/// reader.
const SCRAPS: [&str; 24] = [
    "(",
    ")",
    "{",
    "}",
    "\"",
    " ",
    ",",
    ":",
    "//",
    "((",
    "()",
    "{}",
    "#1",
    "~",
    "<A>",
    "0..99999",
    "-1",
    "é",
    "Mover",
    "(sites Empty)",
    "if:(is Full)",
    "(\"A\" (\"A\"))",
    "(define \"A\" (or (\"A\") #1 #1))",
    "(option \"O\" <A> args:{ <x> } { (item \"a\" <\"A\"> \"\")* })",
];

/// A text with one to four small changes.
fn mutate(text: &str, rng: &mut Rng) -> String {
    let mut text = text.to_owned();
    for _ in 0..=rng.below(4) {
        let place = |rng: &mut Rng, text: &str| {
            let mut at = rng.below(text.len() as u32 + 1) as usize;
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let (a, b) = (place(rng, &text), place(rng, &text));
        // Most changes are local: far ones leave little of the description.
        let mut near = (a + rng.below(12) as usize).min(text.len());
        while !text.is_char_boundary(near) {
            near -= 1;
        }
        match rng.below(6) {
            0 => text.replace_range(a..near.max(a), ""),
            1 | 2 => text.insert_str(a, SCRAPS[rng.below(SCRAPS.len() as u32) as usize]),
            3 => {
                let piece = text[a..near.max(a)].to_owned();
                text.insert_str(b, &piece);
            }
            4 => {
                // A word in the place of another one.
                let words: Vec<(usize, &str)> = text
                    .match_indices(|c: char| c.is_alphabetic())
                    .filter(|(at, _)| !text[..*at].ends_with(char::is_alphabetic))
                    .map(|(at, _)| {
                        let end = text[at..].find(|c: char| !c.is_alphabetic());
                        (at, &text[at..end.map_or(text.len(), |end| at + end)])
                    })
                    .collect();
                if !words.is_empty() {
                    let (at, old) = words[rng.below(words.len() as u32) as usize];
                    let (_, new) = words[rng.below(words.len() as u32) as usize];
                    let (range, new) = (at..at + old.len(), new.to_owned());
                    text.replace_range(range, &new);
                }
            }
            _ => {
                let (from, to) = (a.min(b), a.max(b));
                if rng.below(8) == 0 {
                    let piece = text[from..to].to_owned();
                    text.insert_str(to, &piece);
                } else {
                    text.replace_range(from..near.max(from), ")");
                }
            }
        }
    }
    text
}

#[test]
fn ten_thousand_mutations_are_answered() {
    let catalogue = catalogue();
    let mut rng = Rng::stream(2, 1);
    let (mut accepted, mut refused) = (0, 0);
    for round in 0..10_000 {
        let original = &catalogue[round % catalogue.len()];
        let text = mutate(original.source.text(), &mut rng);
        let rules = Rules::new(Language::Lud, original.source.name(), text);
        let diagnostics = match front::parse(&rules) {
            Ok(parsed) => {
                accepted += 1;
                parsed.warnings
            }
            Err(error) => {
                refused += 1;
                assert!(!error.diagnostics().is_empty(), "{}", rules.source.text());
                error.diagnostics().to_vec()
            }
        };
        for diagnostic in diagnostics {
            // A place in the text, and something to say: rendering all would take most of the time.
            assert!(diagnostic.span.end as usize <= rules.source.text().len());
            assert!(!diagnostic.message.is_empty());
            if round % 20 == 0 {
                assert!(diagnostic.render(&rules.source).contains(rules.source.name()));
            }
        }
    }
    assert!(accepted > 500 && refused > 5000, "{accepted} accepted, {refused} refused");
}
