//! Files of rows that were changed after they were written: each change is named with its line.

use std::path::{Path, PathBuf};

use expect_test::{Expect, expect};
use reports::rows::{COLUMNS, checksums_of};
use reports::{Digest, Options, Payoff, Phase, Run, Sample, SampleWriter, Verdict, write_all};

/// A column of four processes with two samples each, of 1,000 playouts of 560 plies.
fn rows() -> Vec<Sample> {
    let row = |at: u64| {
        let won = 500 + at % 3;
        let payoff = |sum: u64| Payoff { playouts: 1000, sum: sum.into(), squares: sum.into() };
        let plies = 560_000 + 100 * at;
        Sample {
            phase: Phase::Sample,
            process: (at / 2) as u32,
            round: at as u32,
            seed: 1,
            first: 1000 * at,
            playouts: 1000,
            plies,
            plies_squared: Some(plies * plies / 1000 + 9_000_000),
            payoffs: vec![payoff(won), payoff(1000 - won)],
            wall_ns: 40_000_000 + at,
            cpu_ns: 39_000_000 + at,
            digest: Digest(0x1234_5678_9abc_def0 ^ at),
            ..Sample::failure("hex", "ludeme", Verdict::Ok, "")
        }
    };
    (0..8).map(row).collect()
}

/// The file of these rows, with its checksums, in a folder.
fn written(folder: &Path) -> PathBuf {
    let path = folder.join("measurements.csv");
    let mut writer = SampleWriter::create(&path).unwrap();
    rows().iter().for_each(|row| writer.write(row).unwrap());
    path
}

/// A line with other values in some columns.
fn with(line: &str, values: &[(&str, &str)]) -> String {
    let mut fields: Vec<&str> = line.split(',').collect();
    for (name, value) in values {
        fields[COLUMNS.iter().position(|column| column == name).unwrap()] = value;
    }
    fields.join(",")
}

/// The faults found after a change to the lines of the file of rows, of which the header is the
/// first: with checksums, and without.
fn check(change: impl Fn(&mut Vec<String>), vouched: Expect, alone: Expect) {
    let folder = tempfile::tempdir().unwrap();
    let path = written(folder.path());
    let text = std::fs::read_to_string(&path).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    change(&mut lines);
    std::fs::write(&path, lines.join("\n") + "\n").unwrap();
    let said = |run: &Run| run.warnings.join("\n");
    let run = Run::load(folder.path()).unwrap();
    vouched.assert_eq(&said(&run));
    assert!(run.has_checksums && run.note().is_none());
    // What was changed is said in what is made of it.
    if !run.warnings.is_empty() {
        write_all(folder.path(), &Options::default()).unwrap();
        let markdown = std::fs::read_to_string(folder.path().join("table.md")).unwrap();
        assert!(run.warnings.iter().all(|warning| markdown.contains(warning)), "{markdown}");
    }
    let changed = !run.faults.is_empty();
    assert_eq!(SampleWriter::append(&path).is_err(), changed, "rows are added to changed ones");

    std::fs::remove_file(checksums_of(&path)).unwrap();
    let run = Run::load(folder.path()).unwrap();
    alone.assert_eq(&said(&run));
    assert!(run.note().unwrap().contains("nothing vouches for its rows"));
}

#[test]
fn rows_as_they_were_written_are_fine() {
    check(|_| (), expect![""], expect![""]);
}

#[test]
fn a_sample_that_is_there_again_under_other_ids() {
    check(
        |lines| lines.push(with(&lines[3], &[("first", "90000"), ("round", "8")])),
        expect![[r#"
            measurements.csv:10: this row was added to what was written
            measurements.csv:10: this is the sample of line 4 again: digest and time agree"#]],
        expect!["measurements.csv:10: this is the sample of line 4 again: digest and time agree"],
    );
}

#[test]
fn samples_that_are_there_again_as_those_of_new_processes() {
    check(
        |lines| {
            for (at, process) in [(3, "4"), (4, "5")] {
                lines.push(with(&lines[at], &[("process", process)]));
            }
        },
        expect![[r#"
            measurements.csv:10: this row was added to what was written
            measurements.csv:11: this row was added to what was written
            measurements.csv:10: this is the sample of line 4 again: digest and time agree
            measurements.csv:11: this is the sample of line 5 again: digest and time agree"#]],
        expect![[r#"
            measurements.csv:10: this is the sample of line 4 again: digest and time agree
            measurements.csv:11: this is the sample of line 5 again: digest and time agree"#]],
    );
    // Times that were changed as well do not hide it.
    check(
        |lines| {
            lines.push(with(&lines[3], &[("process", "4"), ("wall_ns", "41000000")]));
        },
        expect![[r#"
            measurements.csv:10: this row was added to what was written
            measurements.csv:10: this row has playouts that line 4 has, too"#]],
        expect!["measurements.csv:10: this row has playouts that line 4 has, too"],
    );
}

#[test]
fn processes_that_were_dropped() {
    check(
        |lines| drop(lines.drain(3..5)),
        expect![[r#"
        measurements.csv:4: 2 rows that were written as lines 4 to 5 are gone before this row
        measurements.csv:4: ludeme on hex has a sample of process 2, and process 1 has none"#]],
        expect![
            "measurements.csv:4: ludeme on hex has a sample of process 2, and process 1 has none"
        ],
    );
    // Without checksums nobody knows how many there were.
    check(
        |lines| drop(lines.drain(7..)),
        expect![
            "measurements.csv:7: 2 rows that were written as lines 8 to 9 are gone after this row"
        ],
        expect![""],
    );
}

#[test]
fn plies_unlike_those_of_the_other_rows() {
    check(
        |lines| lines[5] = with(&lines[5], &[("plies", "5000"), ("plies_squared", "25000")]),
        expect![
            "measurements.csv:6: this row is not as it was written\n\
                 measurements.csv:6: plies: 5.0000 a playout, where the other rows of the column \
                 have 560.3429; chance does not explain that"
        ],
        expect![
            "measurements.csv:6: plies: 5.0000 a playout, where the other rows of the column \
                 have 560.3429; chance does not explain that"
        ],
    );
}

#[test]
fn payoffs_that_were_exchanged() {
    // Between rows.
    check(
        |lines| {
            lines[1] = with(&lines[1], &[("payoffs", "1000:501:501;1000:499:499")]);
            lines[2] = with(&lines[2], &[("payoffs", "1000:500:500;1000:500:500")]);
        },
        expect![[r#"
            measurements.csv:2: this row is not as it was written
            measurements.csv:3: this row is not as it was written"#]],
        expect![""],
    );
    // Between players, in one row: seen where they differ enough.
    check(
        |lines| lines[4] = with(&lines[4], &[("payoffs", "1000:900:900;1000:100:100")]),
        expect![
            "measurements.csv:5: this row is not as it was written\n\
                 measurements.csv:5: payoff of player 1: 0.9000 a playout, where the other rows of \
                 the column have 0.5010; chance does not explain that\n\
                 measurements.csv:5: payoff of player 2: 0.1000 a playout, where the other rows of \
                 the column have 0.4990; chance does not explain that"
        ],
        expect![
            "measurements.csv:5: payoff of player 1: 0.9000 a playout, where the other rows of \
                 the column have 0.5010; chance does not explain that\n\
                 measurements.csv:5: payoff of player 2: 0.1000 a playout, where the other rows of \
                 the column have 0.4990; chance does not explain that"
        ],
    );
}

#[test]
fn rows_in_another_order() {
    check(
        |lines| lines.swap(2, 5),
        expect![[r#"
            measurements.csv:3: this row was written as line 6
            measurements.csv:6: this row was written as line 3"#]],
        expect![""],
    );
}
