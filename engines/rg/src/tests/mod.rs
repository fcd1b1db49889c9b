//! Tests over whole descriptions.

mod twin;

use std::path::{Path, PathBuf};

use play::{Language, Rules};

/// The files of a folder of the shared corpus with either extension, in order; `None`, with a line
/// that says so, if there is none on this machine.
fn shared(folder: &str) -> Option<Vec<PathBuf>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus").join(folder);
    let Ok(entries) = std::fs::read_dir(&root) else {
        println!("skipped: there is no {}", root.display());
        return None;
    };
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|file| file.extension().is_some_and(|e| e == "rg" || e == "hrg"));
    files.sort();
    Some(files)
}

/// The rules in a file.
fn rules(file: &Path) -> Rules {
    let text = std::fs::read_to_string(file).expect("a file of the corpus");
    Rules::new(Language::Rg, file.file_name().expect("a name").to_string_lossy(), text)
}
