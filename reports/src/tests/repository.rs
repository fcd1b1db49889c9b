//! The README says what the code does.

use reports::Verdict;
use reports::rows::COLUMNS;

const README: &str = include_str!("../../README.md");

/// The first field of each line of the README's table of columns.
#[test]
fn the_dictionary_names_every_column_in_order() {
    let section =
        README.split("## measurements.csv").nth(1).unwrap().split("\n## ").next().unwrap();
    let named: Vec<&str> =
        section.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect();
    assert_eq!(named, COLUMNS);
}

#[test]
fn the_dictionary_names_every_verdict_from_best_to_worst() {
    let words: Vec<String> = Verdict::ALL.iter().map(|verdict| format!("`{verdict}`")).collect();
    assert!(README.contains(&words.join(", ")), "expected {}", words.join(", "));
}

#[test]
fn the_map_names_every_source_file() {
    let map = README.split("```text\nsrc/").nth(1).unwrap().split("```").next().unwrap();
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for entry in std::fs::read_dir(root).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let stem = name.trim_end_matches(".rs");
        let known = ["lib", "error"].contains(&stem)
            || map.contains(&format!(" {stem}.rs"))
            || map.contains(&format!(" {stem}/"));
        assert!(known, "the README's map lacks {name}");
    }
}

#[test]
fn the_citation_is_of_this_version() {
    let citation = include_str!("../../../CITATION.cff");
    let version = format!("version: {}\n", env!("CARGO_PKG_VERSION"));
    assert!(citation.contains(&version), "CITATION.cff lacks {version:?}");
}

#[test]
fn what_tables_cite_is_in_the_references() {
    let references = include_str!("../../published/references.bib");
    let source = include_str!("../../src/render/latex.rs");
    let cited: Vec<&str> =
        source.split("cite{{").skip(1).filter_map(|rest| rest.split('}').next()).collect();
    assert!(!cited.is_empty());
    for key in cited {
        assert!(references.contains(&format!("{{{key},")), "references.bib lacks {key}");
    }
}
