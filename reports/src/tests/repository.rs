//! The README says what the code does.

use std::path::Path;

use crate::tests::made;
use reports::render::table_csv;
use reports::rows::COLUMNS;
use reports::{Order, Table, Verdict, chart};

const README: &str = include_str!("../../README.md");

/// The names in the first column of the tables in a section of the README.
fn named(section: &str) -> Vec<&'static str> {
    let (_, section) = README.split_once(&format!("\n## {section}\n")).expect(section);
    let section = section.split("\n## ").next().unwrap();
    let cells = section.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next());
    cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect()
}

#[test]
fn the_dictionary_names_every_column_in_order() {
    assert_eq!(named("measurements.csv"), COLUMNS);
}

#[test]
fn the_dictionary_of_the_table_names_every_column_in_order() {
    let table = Table::new(&made::fourteen(), Order::Measured);
    let csv = table_csv(&table, &table.speedups(None).unwrap());
    assert_eq!(named("table.csv"), csv.lines().next().unwrap().split(',').collect::<Vec<_>>());
}

#[test]
fn the_table_of_charts_names_every_chart_in_order() {
    let names: Vec<&str> = chart::ALL.iter().map(|chart| chart.name).collect();
    let named = named("Charts").into_iter().map(|name| name.split("-<").next().unwrap());
    assert_eq!(named.collect::<Vec<_>>(), names);
}

#[test]
fn the_dictionary_names_every_verdict_from_best_to_worst() {
    let words: Vec<String> = Verdict::ALL.iter().map(|verdict| format!("`{verdict}`")).collect();
    assert!(README.contains(&words.join(", ")), "expected {}", words.join(", "));
}

/// The names of the source files and folders in a folder, without `.rs`.
fn sources(folder: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let names = std::fs::read_dir(path).unwrap();
    let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.map(|name| name.trim_end_matches(".rs").to_owned()).collect()
}

#[test]
fn the_map_names_every_source_file() {
    let map = README.split("```text\nsrc/").nth(1).unwrap().split("```").next().unwrap();
    for name in sources("src") {
        let known = ["lib", "error"].contains(&&*name)
            || map.contains(&format!(" {name}.rs"))
            || map.contains(&format!(" {name}/"));
        assert!(known, "the README's map lacks {name}");
    }
    for name in sources("src/chart") {
        assert!(map.contains(&format!("`{name}`")), "the README's map lacks chart/{name}.rs");
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
