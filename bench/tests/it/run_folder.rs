//! The folder that a run leaves: its files are those of the README, and every column of its rows is
//! filled by somebody.

use std::collections::BTreeSet;
use std::path::Path;

use crate::common::{ggpbench, stderr};
use reports::rows::COLUMNS;
use reports::{Sample, Verdict, chart};

/// Columns that need not be filled in the runs of this test, each with the reason.
const MAY_BE_EMPTY: [(&str, &str); 1] =
    [("warnings", "they are about the machine: it was busy, or its speed changed")];

/// A game that is lost by whoever fills a line, and may end with no move and no result.
const LINE: &str = r#"(game "Line" (players 2)
    (equipment { (board (square <Size:side>)) (piece "Stone" Each) })
    (rules (play (move Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Loss)))))
(option "Size" <Size> args:{ <side> } { (item "3x3" <3> "Nine.")* (item "5x5" <5> "More.") })"#;

/// A game for one that ends with no move and no result, or is won.
const STUCK: &str = "
    (role x) (init (at start))
    (<= (legal x (go ?to)) (true (at start)) (place ?to)) (place goal) (place nowhere)
    (<= (next (at ?to)) (does x (go ?to)))
    (<= terminal (true (at goal))) (<= (goal x 100) (true (at goal)))
    (<= (goal x 0) (not (true (at goal))))";

/// The first column of the README's table of files.
fn documented_files() -> Vec<&'static str> {
    let readme = include_str!("../../README.md");
    let (_, table) = readme.split_once("It leaves a folder").expect("it has the table");
    let rows = table.lines().skip_while(|line| !line.starts_with("| `"));
    let cells = rows.map_while(|line| line.strip_prefix("| ")?.split(" | ").next());
    cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect()
}

/// True if a name is the pattern, in which `*` stands for any letters.
fn is_like(name: &str, pattern: &str) -> bool {
    match pattern.split_once('*') {
        Some((begin, end)) => name.starts_with(begin) && name.ends_with(end),
        None => name == pattern,
    }
}

/// The columns in which some row of a file has something else than a row without a measurement.
fn filled(path: &Path) -> BTreeSet<String> {
    let mut blank = csv::Writer::from_writer(Vec::new());
    blank.serialize(Sample::failure("", "", Verdict::Invalid, "")).expect("it is a row");
    let blank = blank.into_inner().expect("it is in memory");
    let blank = csv::Reader::from_reader(&*blank).records().next().expect("there is a row");
    let blank = blank.expect("it can be read");
    let mut rows = csv::Reader::from_path(path).expect("there are rows");
    let mut columns = BTreeSet::new();
    for row in rows.records() {
        let row = row.expect("it can be read");
        let fields = COLUMNS.iter().zip(row.iter().zip(&blank));
        columns.extend(fields.filter(|(_, (is, blank))| is != blank).map(|(name, _)| *name));
    }
    columns.into_iter().map(ToOwned::to_owned).collect()
}

#[test]
fn the_readme_has_every_chart_among_the_files_of_a_run() {
    let files = documented_files();
    for chart in chart::ALL {
        let is_there = |file: &&str| {
            file.strip_suffix(".png").is_some_and(|name| {
                name == chart.name || name.strip_suffix("-*") == Some(chart.name)
            })
        };
        assert!(files.iter().any(is_there), "bench/README.md lacks {}", chart.name);
    }
}

/// Runs that between them use all that a row can tell of.
#[test]
fn every_file_of_a_run_is_documented_and_every_column_is_filled() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    std::fs::write(path.join("line.lud"), LINE).unwrap();
    std::fs::write(path.join("stuck.kif"), STUCK).unwrap();
    let quick = ["--protocol", "0.1s", "--processes", "2", "--rounds", "1", "-q"];
    let study = ["study", "hex", "--sizes", "3,4", "--engines", "propnet", "--via", "fast,uct"];
    let vary = ["--simulations", "20", "--control", "--threads", "2", "--job", "4"];
    let published = ["run", "tic-tac-toe-3x3", "--engines", "bitboard", "--no-verify"];
    let own = ["bench", "line.lud", "--option", "Size/5x5", "--cap", "9", "--no-verify"];
    let stuck = ["bench", "stuck.kif", "--engines", "prover", "--no-verify"];
    let runs: [&[&[&str]]; 4] = [&[&study, &vary], &[&published], &[&own], &[&stuck]];
    let documented = documented_files();
    let mut columns = BTreeSet::new();
    for (number, arguments) in runs.iter().enumerate() {
        let out = number.to_string();
        let output = ggpbench(path, &[&arguments.concat()[..], &quick, &["--out", &out]].concat());
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", stderr(&output));
        columns.append(&mut filled(&path.join(&out).join("measurements.csv")));
        for entry in std::fs::read_dir(path.join(&out)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let image = name.replace(".svg", ".png");
            let known = documented.iter().any(|pattern| is_like(&image, pattern));
            assert!(known, "the table of files in bench/README.md lacks {name}");
        }
    }
    for name in COLUMNS {
        let may_be_empty = MAY_BE_EMPTY.iter().any(|(column, _)| *column == name);
        assert!(
            columns.contains(name) || may_be_empty,
            "no run fills the column `{name}`: fill it as reports/README.md says, have a run here \
             that uses it, or say in MAY_BE_EMPTY why it is empty"
        );
    }
}
