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

/// All that is said of a text, by the expansion and by the checks behind it.
fn said(name: &str, text: &str) -> (bool, String) {
    let source = Source::new(name, text);
    let (automaton, diagnostics) = crate::front::read(&source);
    let shown: Vec<String> = diagnostics.iter().map(|d| d.render(&source)).collect();
    (automaton.is_some(), shown.join("\n"))
}

#[test]
fn the_corpus_expands() {
    for folder in ["rg", "rg-micro"] {
        for file in corpus(folder) {
            let name = file.file_name().unwrap().to_string_lossy().into_owned();
            let text = std::fs::read_to_string(&file).unwrap();
            let start = std::time::Instant::now();
            let (sound, said) = said(&name, &text);
            println!("{name} {:?} {sound} \n{said}", start.elapsed());
            let mut diagnostics = Vec::new();
            let Some(expanded) = expand(&Source::new(name.as_str(), text), &mut diagnostics) else {
                continue;
            };
            let printed = crate::front::print(&expanded);
            if let Ok(dir) = std::env::var("DUMP") {
                std::fs::write(format!("{dir}/{name}"), &printed).unwrap();
            }
            let copy = Source::new(name.replace(".hrg", ".rg"), printed.clone());
            let (automaton, diagnostics) = crate::front::read(&copy);
            if automaton.is_none() {
                println!("{}", diagnostics.iter().map(|d| d.render(&copy)).collect::<String>());
            }
            let shape = |source: &Source| {
                let automaton = crate::front::read(source).0?;
                let edges = automaton.nodes.iter().map(|node| node.edges.len()).sum::<usize>();
                Some((automaton.values, edges, automaton.nodes.len()))
            };
            println!("{:?}", shape(&copy));
        }
    }
}
