use std::path::{Path, PathBuf};

use super::*;

/// The files of a folder of the corpus beside the project; empty if it is absent.
fn corpus(folder: &str) -> Vec<PathBuf> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/corpus"));
    let mut files: Vec<PathBuf> = std::fs::read_dir(root.join(folder))
        .map(|dir| dir.flatten().map(|entry| entry.path()).collect())
        .unwrap_or_default();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "hrg"));
    files.sort();
    if files.is_empty() {
        eprintln!("skipped: no ../shared/corpus/{folder}");
    }
    files
}

/// The declarations of a text, and all that is said of it.
fn expanded(name: &str, text: &str) -> (Option<Declarations>, String) {
    let source = Source::new(name, text);
    let mut diagnostics = Vec::new();
    let declarations = expand(&source, &mut diagnostics);
    let shown: Vec<String> = diagnostics.iter().map(|d| d.render(&source)).collect();
    (declarations, shown.join("\n"))
}

#[test]
fn the_corpus_expands() {
    for folder in ["rg", "rg-micro"] {
        for file in corpus(folder) {
            let name = file.file_name().unwrap().to_string_lossy().into_owned();
            let text = std::fs::read_to_string(&file).unwrap();
            let start = std::time::Instant::now();
            let (declarations, said) = expanded(&name, &text);
            println!(
                "{name} {:?} {:?}\n{said}",
                start.elapsed(),
                declarations.as_ref().map(|d| d.edges.len())
            );
        }
    }
}
