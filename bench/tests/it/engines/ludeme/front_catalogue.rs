//! The front end on the descriptions of the catalogue.

use ludeme::front;

use super::files::catalogue;

#[test]
fn every_description_is_accepted_without_remarks() {
    for rules in catalogue() {
        match front::parse(&rules) {
            Ok(parsed) => {
                assert_eq!(parsed.root.name(), front::Name::Game);
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
