//! Descriptions in files: those of the catalogue, and those of other systems. The tests of `bench`
//! read this module as well.

use std::fs;
use std::path::{Path, PathBuf};

use play::{Language, Rules};

/// The folder of the repository, which lies at different depths above the crates that read its
/// files.
fn repository() -> &'static Path {
    let mut above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    above.find(|folder| folder.join("games/catalogue").is_dir()).expect("inside of the repository")
}

/// The folder of the games.
pub(crate) fn games() -> PathBuf {
    repository().join("games/catalogue")
}

/// All descriptions of the catalogue, sorted by name.
pub(crate) fn catalogue() -> Vec<Rules> {
    let mut rules: Vec<Rules> = fs::read_dir(games())
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

/// The path of a shared file. Shared files are no part of this repository: if their folder is
/// absent beside it, tests that read them say so and pass.
pub(crate) fn shared(path: &str) -> Option<PathBuf> {
    let path = repository().join("../shared").join(path);
    if !path.exists() {
        eprintln!("skipped: {} is absent", path.display());
        return None;
    }
    Some(path)
}

/// The descriptions below a folder, sorted, named by their paths inside it.
pub(crate) fn descriptions(folder: &Path) -> Vec<Rules> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a readable folder") {
            let path = entry.expect("a readable entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "lud") {
                files.push(path);
            }
        }
    }
    files.sort();
    let read = |path: PathBuf| {
        let name = path.strip_prefix(folder).expect("below the folder").display().to_string();
        let text = fs::read_to_string(&path).expect("a readable file");
        Rules::new(Language::Lud, name, text)
    };
    files.into_iter().map(read).collect()
}
