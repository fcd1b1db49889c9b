//! Tests over whole descriptions.

mod corpus;
mod drawings;
mod games;
mod kit;
mod micro;
mod plays;
mod twin;
mod warnings;

use std::path::{Path, PathBuf};

use play::{Adapted, Engine, Game, Language, Limits, Rules};
use text::Source;

use crate::engine::reference;
use crate::{RgEngine, front};

/// The folder of the shared corpus, which may be absent.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus")
}

/// Results of the reference tool; `None`, with a line that says so, if they are not on this
/// machine.
fn oracle() -> Option<serde_json::Value> {
    let path = root().join("rg-oracle.json");
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("skipped: there is no {}", path.display());
        return None;
    };
    Some(serde_json::from_str(&text).expect("JSON"))
}

/// The descriptions in a folder of the shared corpus with either extension, in the order of their
/// names; none, with a line that says so, if the folder is not on this machine.
pub(crate) fn shared(folder: &str) -> Vec<Source> {
    let root = root().join(folder);
    let Ok(entries) = std::fs::read_dir(&root) else {
        println!("skipped: there is no {}", root.display());
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|file| file.extension().is_some_and(|e| e == "rg" || e == "hrg"));
    files.sort();
    files.iter().map(|file| source(file)).collect()
}

/// The description in a file.
fn source(file: &Path) -> Source {
    let text = std::fs::read_to_string(file).expect("a file of the corpus");
    Source::new(file.file_name().expect("a name").to_string_lossy(), text)
}

/// The rules of a description.
fn rules(source: &Source) -> Rules {
    Rules::new(Language::Rg, source.name(), source.text())
}

/// A description of our own.
fn rules_of(name: &str, text: &str) -> Rules {
    Rules::new(Language::Rg, name, text)
}

/// The game of a sound description.
fn compiled(name: &str, text: &str) -> Box<dyn Game> {
    let rules = rules_of(name, text);
    let compiled = RgEngine.compile(&rules, &Limits::default());
    compiled.unwrap_or_else(|error| panic!("{}", error.one_line(&rules.source))).game
}

/// The game of a sound description, as the search plays it.
fn searched(name: &str, text: &str) -> Box<dyn Game> {
    let automaton = front::read(&rules_of(name, text).source).0.expect("a sound description");
    Adapted::boxed(reference(automaton, &Limits::default()))
}
