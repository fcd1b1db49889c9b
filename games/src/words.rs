//! The words of a game for what its descriptions say otherwise: `[words]` of a manifest.

use std::collections::BTreeMap;

use play::{Language, Wording, Words};
use text::Diagnostic;

use crate::entry::Description;
use crate::fields::{Fields, list, span};

/// The languages in which labels can be [full](Words::full).
const FULL: [Language; 2] = [Language::Kif, Language::Rbg];

/// Reads the words for each description that has some.
pub(crate) fn read_words(fields: &Fields<'_>, descriptions: &mut BTreeMap<Language, Description>) {
    for (key, value) in fields.table() {
        let name = key.get_ref().as_ref();
        let language = name.parse::<Language>().ok();
        let described: Vec<&str> = descriptions.keys().map(|language| language.name()).collect();
        let known = list(&described);
        let Some(description) = language.and_then(|language| descriptions.get_mut(&language))
        else {
            let message = format!("words for `{name}`, in which the game is not described");
            let problem = Diagnostic::error("unused-words", span(key.span()), message);
            fields.note(problem.label(format!("expected {known}")).suggest(name, described));
            continue;
        };
        let Some(table) = fields.fields("a table of [words]", value) else { continue };
        let full = table.find("full").and_then(|v| Some((v, table.flag(v)?)));
        if let Some((value, _)) = full.filter(|_| language.is_none_or(|l| !FULL.contains(&l))) {
            let message = format!("`full` changes nothing in `{name}`");
            let problem = Diagnostic::error("unused-words", span(value.span()), message);
            let with = list(&FULL.map(Language::name));
            table.note(problem.label(format!("labels can be full in {with}")));
        }
        let shared = table.find("shared").and_then(|v| table.flag(v)).unwrap_or(true);
        description.words = Words {
            shared,
            full: full.is_some_and(|(_, full)| full),
            actions: read_wording(&table, "actions"),
            percepts: read_wording(&table, "percepts"),
        };
        if table.table().is_empty() {
            let problem = Diagnostic::error("blank", span(key.span()), "no words are given here");
            table.note(problem.help("name `actions` or `percepts`, or leave the table out"));
        }
        table.finish();
    }
}

fn read_wording(fields: &Fields<'_>, key: &'static str) -> Wording {
    let table = fields.find(key).and_then(|value| fields.fields("a table of words", value));
    let Some(table) = table else { return Wording::default() };
    let mut entries = Vec::new();
    for (text, value) in table.table() {
        let place = span(value.span());
        match value.get_ref().as_str() {
            // A percept that is nobody's.
            Some(word) if key == "percepts" || !word.trim().is_empty() => {
                entries.push((span(text.span()), text.get_ref().as_ref(), word));
            }
            Some(_) => table.note(Diagnostic::error("blank", place, "an action needs a word")),
            None => drop(table.text(value)),
        }
    }
    match Wording::new(entries.iter().map(|&(_, text, word)| (text, word))) {
        Ok(wording) => wording,
        Err(fault) => {
            let place = entries.get(fault.entry).map_or(table.span(), |&(place, ..)| place);
            table.note(Diagnostic::error("bad-words", place, fault.why));
            Wording::default()
        }
    }
}
