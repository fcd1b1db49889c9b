//! Warnings of whole descriptions: of sound ones there are none but those that are true.

use std::path::{Path, PathBuf};

use text::Source;

use super::{rules, shared, source};

/// The descriptions of the catalogue.
fn catalogue() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/catalogue");
    let folders = std::fs::read_dir(root).expect("the catalogue");
    let mut files: Vec<PathBuf> = folders
        .filter_map(|folder| Some(folder.ok()?.path().join("rules.hrg")))
        .filter(|file| file.exists())
        .collect();
    files.sort();
    files.iter().map(|file| source(file)).collect()
}

#[test]
fn sound_descriptions_have_no_warnings_but_true_ones() {
    let sources = [shared("rg"), shared("rg-micro"), catalogue()].concat();
    for source in sources {
        for found in crate::check(&rules(&source)) {
            println!("{}", found.one_line(&source));
        }
    }
    panic!();
}
