//! Checks against reference results of other implementations, which live outside of the repository:
//! each test says so and does nothing where `../shared` is absent. And what unit tests share.

mod boards;
mod cases;
mod compiled;
mod micro_games;
mod numbers;
mod puzzles;

use std::path::{Path, PathBuf};

use play::{Language, Rules};

use crate::front;
use crate::lower::{Lowering, lower};

/// Words for the sites of games in unit tests, enough for most boards. It is the same for all,
/// since interpreter and compiler take long to compile for each number. Games of other sizes are
/// played by the integration tests.
pub(crate) const WORDS: usize = 6;

/// The data of rules that are right.
pub(crate) fn lowered(name: &str, text: &str) -> Lowering {
    let rules = Rules::new(Language::Lud, name, text);
    let parsed =
        front::parse(&rules).unwrap_or_else(|e| panic!("{name}: {}", e.one_line(&rules.source)));
    lower(&parsed.root).unwrap_or_else(|e| panic!("{name}: {}", e.one_line(&rules.source)))
}

/// Path and text of the descriptions in the catalogue, in order.
pub(crate) fn catalogue() -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/catalogue");
    let entries = std::fs::read_dir(folder).expect("the catalogue").flatten();
    let mut paths: Vec<_> = entries.map(|entry| entry.path().join("rules.lud")).collect();
    paths.sort();
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).ok()?;
        Some((path.display().to_string(), text))
    };
    paths.into_iter().filter_map(read).collect()
}

/// A file of the shared folder, if it is there.
fn shared(path: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(path);
    if path.exists() {
        return Some(path);
    }
    eprintln!("skipped: {} is absent", path.display());
    None
}
