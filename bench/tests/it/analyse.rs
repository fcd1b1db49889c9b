//! Figures of games as `analyse` prints and writes them.

use std::path::Path;

use crate::common::{ggpbench, stderr, stdout};

/// The rows of a CSV file that `analyse` wrote, each as its fields by column.
fn rows(folder: &Path, arguments: &[&str]) -> Vec<Vec<(String, String)>> {
    let all = [&["analyse", "-q", "--csv", "figures.csv"], arguments].concat();
    let output = ggpbench(folder, &all);
    assert!(output.status.success(), "{}", stderr(&output));
    let mut reader = csv::Reader::from_path(folder.join("figures.csv")).unwrap();
    let heads: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    let row = |record: csv::StringRecord| {
        assert_eq!(record.len(), heads.len());
        heads.iter().cloned().zip(record.iter().map(str::to_owned)).collect()
    };
    reader.records().map(|record| row(record.unwrap())).collect()
}

fn number(row: &[(String, String)], name: &str) -> f64 {
    let field = row.iter().find(|(column, _)| column == name).unwrap_or_else(|| panic!("{name}"));
    field.1.parse().unwrap_or_else(|_| panic!("{field:?}"))
}

/// The lengths that the catalogue has recorded lie in the intervals, on any engine and any number
/// of threads.
#[test]
fn figures_are_those_that_are_known() {
    let folder = tempfile::tempdir().unwrap();
    let games = ["tic-tac-toe-3x3", "connect-4-6x7", "breakthrough-6x6", "kuhn-poker"];
    let mut first = None;
    for (engine, jobs) in [("bitboard", "1"), ("bitboard", "3"), ("ludeme", "2")] {
        let options = ["--engines", engine, "--jobs", jobs, "--seed", "5"];
        let rows = rows(folder.path(), &[&games[..], &options].concat());
        let catalogue = games::Catalogue::embedded().unwrap();
        for (row, id) in rows.iter().zip(games) {
            let mean = catalogue.get(id).unwrap().playouts.as_ref().unwrap().mean_plies;
            let (low, high) = (number(row, "plies_low"), number(row, "plies_high"));
            assert!((low..=high).contains(&mean), "{id} on {engine}: {low} {mean} {high}");
            assert!(number(row, "actions_of_choices") >= number(row, "actions"));
            assert!(number(row, "log10_leaves") >= number(row, "log10_paths") - 1e-9);
            assert!(number(row, "positions") >= number(row, "positions_seen"));
        }
        if engine == "bitboard" {
            assert_eq!(*first.get_or_insert(rows.clone()), rows, "{jobs} jobs");
        }
    }
}

#[test]
fn what_cannot_be_played_has_a_row_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    std::fs::create_dir(path.join("rules")).unwrap();
    std::fs::write(path.join("rules/bad.kif"), "(role x)\n(<= (legal x").unwrap();
    std::fs::write(path.join("rules/coin.kif"), crate::common::COIN).unwrap();
    let output = ggpbench(path, &["analyse", "-q", "rules"]);
    assert_eq!(output.status.code(), Some(1));
    let text = stdout(&output);
    assert!(text.contains("coin.kif") && text.contains("bad.kif"), "{text}");
    assert!(text.contains("invalid: "), "{text}");
    let empty = tempfile::tempdir().unwrap();
    let output = ggpbench(empty.path(), &["analyse", "."]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
}
