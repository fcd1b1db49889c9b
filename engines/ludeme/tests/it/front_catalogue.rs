//! The front end on the descriptions of the catalogue.

use std::fs;
use std::path::Path;

use ludeme::front;
use play::{Language, Rules};

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
