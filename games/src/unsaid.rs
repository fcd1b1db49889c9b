//! Why a game lacks a language: `[unsaid]` of a manifest.

use std::collections::BTreeMap;

use play::Language;
use text::Diagnostic;

use crate::entry::Description;
use crate::fields::{Fields, list, span};

/// The reasons that a manifest may give; the README has what each means.
pub const REASONS: [&str; 6] =
    ["chance", "hidden", "simultaneous", "memory", "numbers", "unwritten"];

/// Reads the reasons for the languages in which the game is not described.
pub(crate) fn read_unsaid(
    fields: &Fields<'_>,
    descriptions: &BTreeMap<Language, Description>,
) -> BTreeMap<Language, String> {
    let mut unsaid = BTreeMap::new();
    for (key, value) in fields.table() {
        let name = key.get_ref().as_ref();
        let missing: Vec<&str> = Language::ALL
            .into_iter()
            .filter(|language| !descriptions.contains_key(language))
            .map(Language::name)
            .collect();
        let Some(language) = name.parse().ok().filter(|_| missing.contains(&name)) else {
            let message = format!("`{name}` is no language that the game lacks");
            let problem = Diagnostic::error("unused-reason", span(key.span()), message);
            fields.note(problem.label(format!("expected {}", list(&missing))));
            continue;
        };
        let Some(reason) = fields.text(value) else { continue };
        if REASONS.contains(&&*reason) {
            unsaid.insert(language, reason);
        } else {
            let message = format!("`{reason}` is no reason why a language is missing");
            let problem = Diagnostic::error("unknown-reason", span(value.span()), message);
            let expected = format!("expected {}", list(&REASONS));
            fields.note(problem.label(expected).suggest(&reason, REASONS));
        }
    }
    unsaid
}
