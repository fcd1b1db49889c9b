use std::path::{Path, PathBuf};

use super::*;

/// The RG files of a folder of the corpus beside the project; empty if it is absent.
fn corpus(folder: &str) -> Vec<Source> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/corpus"));
    let mut files: Vec<PathBuf> = std::fs::read_dir(root.join(folder))
        .map(|dir| dir.flatten().map(|entry| entry.path()).collect())
        .unwrap_or_default();
    files.sort();
    if files.is_empty() {
        eprintln!("skipped: no ../shared/corpus/{folder}");
    }
    let read = |file: PathBuf| {
        let text = std::fs::read_to_string(&file).unwrap();
        Source::new(file.file_name().unwrap().to_string_lossy(), text)
    };
    files.into_iter().map(read).collect()
}

fn is_rg(source: &Source) -> bool {
    source.name().ends_with(".rg")
}

/// The text of all diagnostics of a description.
fn said(source: &Source) -> String {
    let (_, diagnostics) = read(source);
    let shown: Vec<String> = diagnostics.iter().map(|d| d.render(source)).collect();
    shown.join("\n")
}

#[test]
fn the_corpus_loads() {
    for source in corpus("rg").iter().chain(&corpus("rg-micro")).filter(|source| is_rg(source)) {
        let sound = read(source).0.is_some();
        assert_eq!(sound, !source.name().starts_with('e'), "{}\n{}", source.name(), said(source));
        if !sound || !said(source).is_empty() {
            eprintln!("{}", said(source));
        }
    }
}
