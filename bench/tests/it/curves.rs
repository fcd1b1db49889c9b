//! Runs that vary something: sizes of a family, threads, playouts in a job, ways of playing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::common::{ggpbench, is_proven};
use reports::curves::{Over, curves};
use reports::stats::PowerLaw;
use reports::{Phase, Run};

fn succeeds(folder: &Path, arguments: &[&str]) {
    let output = ggpbench(folder, arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {errors}");
}

#[test]
fn a_study_verifies_and_measures_every_size_and_fits_its_growth() {
    let folder = tempfile::tempdir().unwrap();
    let quick = ["--protocol", "0.1s", "--processes", "3", "--rounds", "1", "--out", "out"];
    let study =
        ["study", "tic-tac-toe", "--sizes", "4,5,6", "--engines", "bitboard,ludeme,propnet"];
    succeeds(folder.path(), &[&study[..], &quick].concat());
    let out = folder.path().join("out");
    for file in ["curves.csv", "growth-tic-tac-toe.png", "growth-tic-tac-toe.svg"] {
        assert!(out.join(file).is_file(), "no {file}");
    }
    let table = Run::load(&out).unwrap().table();
    let ids: Vec<&str> = table.games().iter().map(|game| game.id.as_str()).collect();
    assert_eq!(ids, ["tic-tac-toe-4", "tic-tac-toe-5", "tic-tac-toe-6"]);
    assert!(table.cells().all(|(.., cell)| is_proven(cell)));
    let bundles = curves(&table);
    assert_eq!(bundles[0].over, Over::Size("tic-tac-toe".to_owned()));
    let sizes = |name: &str| -> Vec<u64> {
        let curve = bundles[0].curves.iter().find(|curve| curve.name == name);
        let points = &curve.unwrap_or_else(|| panic!("no curve of {name}")).points;
        points.iter().map(|point| point.at).collect()
    };
    assert_eq!(sizes("ludeme"), [4, 5, 6]);
    // There is a hand-written module for one of the sizes only, and one point makes no curve.
    assert!(bundles[0].curves.iter().all(|curve| curve.name != "bitboard"));
    // What the law says depends on how busy the machine was, so it is held against its points.
    assert!(bundles[0].curves.len() >= 2);
    for curve in &bundles[0].curves {
        let points = curve.points.iter().map(|point| (point.at as f64, point.value.value));
        let law = PowerLaw::through(&points.collect::<Vec<_>>()).unwrap();
        let growth = curve.growth.unwrap();
        assert!((growth.exponent.value - law.exponent.value).abs() < 1e-6, "{curve:?}");
    }
    let page = std::fs::read_to_string(out.join("report.html")).unwrap();
    assert!(page.contains("ggpbench study tic-tac-toe --sizes 4 --engines ludeme"));
}

#[test]
fn threads_and_jobs_are_columns_of_the_same_rounds() {
    let folder = tempfile::tempdir().unwrap();
    let common = ["run", "tic-tac-toe-3x3", "--engines", "ludeme", "--no-verify", "--via", "fast"];
    let quick = ["--protocol", "0.1s", "--processes", "3", "--rounds", "1"];
    let vary = ["--threads", "1,2", "--job", "4,4096", "--out", "out"];
    succeeds(folder.path(), &[&common[..], &quick, &vary].concat());
    let run = Run::load(&folder.path().join("out")).unwrap();
    let samples = || run.samples.iter().filter(|row| row.phase == Phase::Sample);
    let columns: BTreeSet<(u32, Option<u64>)> =
        samples().map(|row| (row.threads, row.job)).collect();
    assert_eq!(columns.len(), 4);
    assert_eq!(samples().count(), 12);
    assert!(samples().all(|row| row.playouts % row.job.unwrap() == 0));
    let overs: Vec<Over> = curves(&run.table()).into_iter().map(|bundle| bundle.over).collect();
    assert_eq!(overs, [Over::Threads, Over::Job]);
    for file in ["threads.png", "jobs.png"] {
        assert!(folder.path().join("out").join(file).is_file(), "no {file}");
    }
}

#[test]
fn engines_that_make_machine_code_are_measured_without_it() {
    let folder = tempfile::tempdir().unwrap();
    let run = ["run", "breakthrough-6x6", "--engines", "bitboard,ludeme,rbg", "--no-verify"];
    let quick =
        ["--no-native", "--protocol", "0.1s", "--processes", "3", "--rounds", "1", "--out", "out"];
    succeeds(folder.path(), &[&run[..], &["--via", "fast"], &quick].concat());
    let run = Run::load(&folder.path().join("out")).unwrap();
    let samples = run.samples.iter().filter(|row| row.phase == Phase::Sample);
    let mut columns: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    samples.for_each(|row| *columns.entry((&row.engine, row.via.word())).or_default() += 1);
    let both = ["ludeme", "rbg"].map(|engine| ["fast", "interpreted"].map(|via| (engine, via)));
    let expected = both.concat().into_iter().chain([("bitboard", "fast")]);
    assert_eq!(columns, expected.map(|column| (column, 3)).collect());
}

#[test]
fn what_there_is_not_is_said() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, expected) in [
        (&["study", "go"][..], "no family `go` (there are breakthrough, connect-4, "),
        (&["study", "hex", "--sizes", "40"], "`hex` has no size 40; expected 2 to 26"),
    ] {
        let output = ggpbench(folder.path(), arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(errors.contains(expected), "{errors}");
    }
}
