//! Whole reports: what is written for known rows, and that it is the same every time.

use crate::tests::made;
use expect_test::{expect, expect_file};
use reports::render::{
    Document, TerminalOptions, comparison_csv, comparison_text, ranking_text, table_csv,
    table_markdown, table_terminal,
};
use reports::{
    Options, Order, Run, Sample, SampleWriter, Table, Verdict, Via, artefacts, compare, write_all,
};

fn every_verdict() -> Run {
    let mut run = Run::from_samples(made::every_verdict());
    run.machine = Some("cpu: Example 9000, 2 cores\ngovernor: performance\n".to_owned());
    run
}

#[test]
fn markdown() {
    let run = every_verdict();
    let table = run.table();
    let speedups = table.speedups(Some("ludeme")).unwrap();
    let document = Document {
        table: &table,
        speedups: &speedups,
        curves: &[],
        machine: run.machine.as_deref(),
        warnings: &run.warnings,
    };
    expect_file!["snapshots/reports-markdown.txt"].assert_eq(&table_markdown(&document));
}

#[test]
fn csv() {
    let table = every_verdict().table();
    let speedups = table.speedups(Some("ludeme")).unwrap();
    expect_file!["snapshots/reports-csv.txt"].assert_eq(&table_csv(&table, &speedups));
}

#[test]
fn terminal() {
    let table = every_verdict().table();
    expect_file!["snapshots/reports-terminal.txt"]
        .assert_eq(&table_terminal(&table, TerminalOptions::default()));
}

#[test]
fn a_narrow_terminal_gets_shorter_fields_and_colour_only_on_request() {
    let table = Run::from_samples(made::fourteen()).table();
    let plain = table_terminal(&table, TerminalOptions { width: Some(80), colour: false });
    assert!(plain.lines().all(|line| line.chars().count() <= 80), "too wide:\n{plain}");
    expect![[r#"
        ───────────────────────────────────────────────────────────────────────
         playouts / CPU s       plies   bitboard   ludeme     propnet   prover
        ───────────────────────────────────────────────────────────────────────
         Tic-Tac-Toe (3x3)       7.63     25.3 M   3.06 M       410 k   21.3 k
         Tic-Tac-Toe (5x5)      23.72     9.13 M   1.20 M       140 k   1.90 k
         Connect 4 (6x7)        21.32     8.87 M    611 k      87.9 k      811
         Connect 4 (12x9)       26.20     5.90 M    419 k      71.6 k      636
         Hex (9x9)              71.10     1.09 M    131 k   too large     44.8
         Breakthrough (6x6)     28.10     1.40 M   92.6 k      55.4 k   1.10 k
         Breakthrough (8x8)     64.15      474 k   30.9 k      24.1 k      213
         Knightthrough (8x8)    33.70      622 k   39.8 k      40.8 k      727
         Reversi (8x8)          60.40      390 k    WRONG      2.29 k     7.33
         Amazons (10x10)       136.50      159 k   21.9 k      1.59 k    0.550
         8 Queens                5.40     14.0 M   1.91 M       312 k   4.80 k
         Lights Out (5x5)       20.00     8.11 M    219 k      70.3 k   1.39 k
         Towers of Hanoi 3      29.90     6.63 M    539 k      98.8 k   6.70 k
         8 Puzzle               60.00     4.39 M    102 k      6.10 k   1.69 k
        ───────────────────────────────────────────────────────────────────────
        56 pairs: 54 ok, 1 too large, 1 WRONG
        Hex (9x9) on propnet: too large: grounding passed 5,000,000 rules (limit), most…
        Reversi (8x8) on ludeme: WRONG: after d3 c5: 7 legal moves, bitboard has 8
        Intervals have no room here; table.md has them.
    "#]]
    .assert_eq(&plain);
    let crowded = table_terminal(
        &Run::from_samples(made::every_verdict()).table(),
        TerminalOptions { width: Some(60), colour: false },
    );
    let grid = crowded
        .split_inclusive('\n')
        .take_while(|line| !line.starts_with("13 pairs"))
        .collect::<String>();
    assert!(
        grid.lines().count() > 5 && grid.lines().all(|line| line.chars().count() <= 60),
        "too wide:\n{grid}"
    );
    let coloured = table_terminal(&table, TerminalOptions { width: Some(80), colour: true });
    assert_ne!(coloured, plain);
    let mut parts = coloured.split('\u{1b}');
    let mut stripped = parts.next().unwrap().to_owned();
    stripped.extend(parts.map(|part| part.split_once('m').unwrap().1));
    let stripped: String = stripped.lines().map(|line| line.trim_end().to_owned() + "\n").collect();
    assert_eq!(stripped, plain, "colour changes nothing but colour");
}

fn write_run(dir: &std::path::Path, rows: &[Sample]) {
    let mut writer = SampleWriter::create(&dir.join("measurements.csv")).unwrap();
    for row in rows {
        writer.write(row).unwrap();
    }
}

/// The files that reports are made of.
const KEPT: [&str; 3] = ["measurements.csv", "measurements.checksums", "machine.txt"];

/// Every file that a report may have is there already, with something else in it.
#[test]
fn every_file_is_written_anew() {
    let mut curves = Vec::new();
    for (id, size) in [("hex-3", 3), ("hex-5", 5), ("hex-7", 7)] {
        for threads in [1, 2] {
            for job in [None, Some(4)] {
                let game = made::Game(id, id, "", 2, size as f64);
                let mut rows = made::samples(&game, "ludeme", "lud", 1e5, 3, 0.01);
                for row in &mut rows {
                    (row.family, row.size) = ("hex".to_owned(), Some(size));
                    (row.threads, row.job) = (threads, job);
                }
                curves.extend(rows);
            }
        }
    }
    for (rows, special) in [(made::every_verdict(), "claim.md"), (curves, "curves.csv")] {
        let dir = tempfile::tempdir().unwrap();
        write_run(dir.path(), &rows);
        let run = Run::load(dir.path()).unwrap();
        let expected = artefacts(&run, &Options::default()).unwrap();
        assert!(expected.iter().any(|(name, _)| name == special));
        for (name, _) in &expected {
            std::fs::write(dir.path().join(name), "of an older report").unwrap();
        }
        let written = write_all(dir.path(), &Options::default()).unwrap();
        for ((name, bytes), path) in expected.iter().zip(&written.files) {
            assert_eq!(*path, dir.path().join(name));
            assert!(std::fs::read(path).unwrap() == *bytes, "{name} is not written anew");
        }
        assert_eq!(written.files.len(), expected.len());
    }
}

#[test]
fn a_folder_is_regenerated_to_the_same_bytes() {
    let dir = tempfile::tempdir().unwrap();
    write_run(dir.path(), &made::every_verdict());
    std::fs::write(dir.path().join("machine.txt"), "cpu: Example 9000\n").unwrap();
    let options = Options { baseline: Some("ludeme".to_owned()), order: Order::Measured };
    let read = |written: &reports::Written| -> Vec<(String, Vec<u8>)> {
        let name =
            |path: &std::path::PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
        written.files.iter().map(|path| (name(path), std::fs::read(path).unwrap())).collect()
    };
    let first = read(&write_all(dir.path(), &options).unwrap());
    let names: Vec<&str> = first.iter().map(|(name, _)| &**name).collect();
    let charts = ["rates", "ratios", "profile", "compile", "tokens", "verdicts"];
    let charts = charts.iter().flat_map(|name| [format!("{name}.svg"), format!("{name}.png")]);
    let texts = ["table.csv", "table.md", "table.tex", "report.html", "claim.md"];
    assert_eq!(names, texts.map(str::to_owned).into_iter().chain(charts).collect::<Vec<_>>());
    assert!(first.iter().all(|(_, bytes)| !bytes.is_empty()));

    // In another folder too: nothing depends on where the rows lie.
    let other = tempfile::tempdir().unwrap();
    for name in KEPT {
        std::fs::copy(dir.path().join(name), other.path().join(name)).unwrap();
    }
    assert_eq!(read(&write_all(other.path(), &options).unwrap()), first);

    let mut left: Vec<String> = std::fs::read_dir(dir.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    left.sort();
    let mut expected: Vec<&str> = names.into_iter().chain(KEPT).collect();
    expected.sort_unstable();
    assert_eq!(left, expected, "no temporary file stays behind");
}

#[test]
fn a_torn_run_is_reported_with_a_warning_in_the_text() {
    let dir = tempfile::tempdir().unwrap();
    write_run(dir.path(), &made::every_verdict());
    let path = dir.path().join("measurements.csv");
    let text = std::fs::read_to_string(&path).unwrap();
    let lines = text.lines().count();
    std::fs::write(&path, text + "tic-tac-toe-3x3,\"Tic-").unwrap();
    let written = write_all(dir.path(), &Options::default()).unwrap();
    let warning = format!(
        "measurements.csv:{}: the last line is torn (it does not end in a line break, as after a \
         run was killed while writing) and was ignored",
        lines + 1
    );
    assert_eq!(written.run.warnings, [&*warning]);
    let markdown = std::fs::read_to_string(dir.path().join("table.md")).unwrap();
    assert!(markdown.contains(&format!("- {warning}")), "{markdown}");
}

#[test]
fn requests_that_cannot_be_answered_say_what_can() {
    let run = every_verdict();
    let options = Options { baseline: Some("ludii".to_owned()), ..Options::default() };
    assert_eq!(
        artefacts(&run, &options).unwrap_err().to_string(),
        "baseline \"ludii\" is not in this run; it has: bitboard, ludeme, propnet, prover, \
         python, rbg"
    );
    expect!["there are no rows to report on"].assert_eq(
        &artefacts(&Run::from_samples(Vec::new()), &Options::default()).unwrap_err().to_string(),
    );
    let empty = tempfile::tempdir().unwrap();
    let missing = write_all(empty.path(), &Options::default()).unwrap_err().to_string();
    assert!(missing.contains("measurements.csv: "), "{missing}");
}

#[test]
fn figures_exist_only_under_a_verdict_that_allows_them() {
    let table = every_verdict().table();
    let mut seen: Vec<Verdict> = table.cells().map(|(.., cell)| cell.verdict()).collect();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen, Verdict::ALL, "the run has every verdict");
    for (row, column, cell) in table.cells() {
        let measured = cell.figures().is_some();
        assert_eq!(
            measured,
            cell.verdict().is_ranked(),
            "{} {}",
            table.games()[row].id,
            table.columns()[column].label()
        );
    }
}

#[test]
fn a_wrong_pair_is_wrong_in_every_column_and_other_failures_stay_in_theirs() {
    let game = &made::GAMES[0];
    let fast = made::samples(game, "ludeme", "lud", 1e6, 3, 0.01);
    let mut reference = fast.clone();
    for row in &mut reference {
        row.via = Via::Reference;
    }
    let verdicts = |rows: &[Sample]| -> Vec<(String, Verdict)> {
        let table = Table::new(rows, Order::Measured);
        table
            .cells()
            .map(|(_, column, cell)| (table.columns()[column].label(), cell.verdict()))
            .collect()
    };
    let with = |verdict: Verdict| {
        let mut rows = [fast.clone(), reference.clone()].concat();
        rows.last_mut().unwrap().verdict = verdict;
        rows.last_mut().unwrap().reason = "why".to_owned();
        rows
    };
    let label = |text: &str| text.to_owned();
    assert_eq!(
        verdicts(&with(Verdict::Wrong)),
        [(label("ludeme"), Verdict::Wrong), (label("ludeme (reference)"), Verdict::Wrong)]
    );
    assert_eq!(
        verdicts(&with(Verdict::Timeout)),
        [(label("ludeme"), Verdict::Ok), (label("ludeme (reference)"), Verdict::Timeout)]
    );
    // A pair that did not compile has one row, and fails in each column of its engine.
    let mut rows = [fast.clone(), reference.clone()].concat();
    rows.push(made::failed(&made::GAMES[1], "ludeme", "lud", Verdict::Unsupported, "why"));
    let table = Table::new(&rows, Order::Measured);
    assert_eq!(table.cell(1, 1).unwrap().verdict(), Verdict::Unsupported);
    assert_eq!(table.cells().count(), 4);
    // Of several failures that may have been accidents the last counts.
    let failure = |verdict, reason| made::failed(&made::GAMES[1], "ludeme", "lud", verdict, reason);
    rows.extend(
        [(Verdict::Crashed, "a"), (Verdict::Crashed, "b"), (Verdict::Timeout, "c")]
            .map(|(verdict, reason)| failure(verdict, reason)),
    );
    let table = Table::new(&rows, Order::Measured);
    let cell = table.cell(1, 0).unwrap();
    assert_eq!((cell.verdict(), cell.reason()), (Verdict::Timeout, "c"));
}

#[test]
fn warm_up_is_not_counted_and_threads_share_cpu_seconds() {
    let mut rows = made::samples(&made::GAMES[2], "bitboard", "native", 1e6, 4, 0.0);
    for row in &mut rows {
        row.threads = 2;
        row.wall_ns = row.cpu_ns / 2;
    }
    let table = Table::new(&rows, Order::Measured);
    assert_eq!(table.columns()[0].label(), "bitboard ×2");
    let figures = table.figures(0, 0).unwrap();
    // The warm-up row ran at 0.6 of this rate.
    assert!((figures.per_cpu_second.value - 1e6).abs() < 10.0, "{figures:?}");
    assert!((figures.per_wall_second.value - 2e6).abs() < 20.0, "{figures:?}");
    assert!((figures.utilisation - 1.0).abs() < 1e-6 && !figures.is_contended());
    assert_eq!((figures.samples, figures.rounds(), figures.playouts), (4, 4, 800_000));
}

#[test]
fn ranking() {
    let run = Run::from_samples(made::fourteen());
    let ranking = reports::rank::rank(&run.table(), &[]).unwrap();
    // Two games have a pair without figures, and count for the others.
    assert_eq!(ranking.games.len(), 14);
    let order: Vec<String> = ranking.places.iter().map(|place| place.column.label()).collect();
    assert_eq!(order, ["bitboard", "ludeme", "propnet", "prover"]);
    let games: Vec<usize> = ranking.places.iter().map(|place| place.games).collect();
    assert_eq!(games, [14, 13, 13, 14]);
    assert_eq!(ranking.places[0].wins, 14);
    assert!((ranking.places[3].factor.value - 1.0).abs() < 1e-12);
    assert!(ranking_text(&ranking).contains("Not every engine has a figure for each game"));
    let two = ["bitboard".to_owned(), "prover".to_owned()];
    let ranking = reports::rank::rank(&run.table(), &two).unwrap();
    assert!(ranking_text(&ranking).contains("Geometric means over 14 shared games"));
    // Where all have all games, the factor is the geometric mean of the speed-ups.
    let table = run.table();
    let speedups = table.speedups(Some("prover")).unwrap();
    let mean = speedups.own[table.find_column("bitboard").unwrap()].unwrap().mean.value;
    let factor = ranking.places[0].factor.value;
    assert!((factor / mean - 1.0).abs() < 0.01, "{factor} {mean}");
    let error = reports::rank::rank(&run.table(), &["ludem".to_owned()]).unwrap_err();
    let error = error.to_string();
    assert!(error.contains("it has: bitboard, ludeme"), "{error}");
    assert!(error.ends_with("did you mean `ludeme`?"), "{error}");
    let error = reports::rank::rank(&run.table(), &["ludeme".to_owned()]).unwrap_err();
    assert!(error.to_string().contains("two engines"), "{error}");
}

#[test]
fn absurd_counts_are_no_panic() {
    let mut rows = made::samples(&made::GAMES[0], "bitboard", "native", 1e6, 3, 0.0);
    rows.extend(made::samples(&made::GAMES[0], "ludeme", "lud", 1e6, 3, 0.0));
    for row in &mut rows {
        row.round = 0;
        (row.playouts, row.plies, row.plies_squared) = (u64::MAX, u64::MAX, Some(u64::MAX));
        (row.wall_ns, row.cpu_ns, row.threads) = (u64::MAX, 1, u32::MAX);
        (row.compile_ns, row.peak_bytes, row.state_bytes) =
            (Some(u64::MAX), Some(u64::MAX), Some(0));
    }
    let files = artefacts(&Run::from_samples(rows), &Options::default()).unwrap();
    assert!(files.iter().all(|(_, bytes)| !bytes.is_empty()));
}

#[test]
fn speedups_use_shared_rounds_and_never_two_hosts() {
    let game = &made::GAMES[0];
    let base = made::samples(game, "prover", "gdl", 1e3, 4, 0.05);
    let mut other = made::samples(game, "bitboard", "native", 1e6, 4, 0.05);
    let ratio = |base: &[Sample], other: &[Sample]| {
        let table = Table::new(&[base, other].concat(), Order::Measured);
        table.speedups(Some("prover")).unwrap().ratios[0][0]
    };
    let all = ratio(&base, &other).unwrap();
    assert!((all.value / 1000.0 - 1.0).abs() < 0.06, "{all:?}");

    // Without the last round of one side, that round leaves the ratio on both sides.
    let shorter = ratio(&base, &other[..other.len() - 1]).unwrap();
    let both = ratio(&base[..base.len() - 1], &other[..other.len() - 1]).unwrap();
    assert_eq!(shorter, both);
    assert_ne!(shorter, all);

    for row in &mut other {
        row.host = "elsewhere".to_owned();
    }
    assert_eq!(ratio(&base, &other), None);
}

#[test]
fn means_over_games_say_over_how_many() {
    let [a, b, c] = [&made::GAMES[0], &made::GAMES[1], &made::GAMES[2]];
    let rows = [
        made::samples(a, "base", "lud", 1e3, 3, 0.0),
        made::samples(b, "base", "lud", 1e3, 3, 0.0),
        made::samples(c, "base", "lud", 1e3, 3, 0.0),
        made::samples(a, "all", "lud", 2e3, 3, 0.0),
        made::samples(b, "all", "lud", 8e3, 3, 0.0),
        made::samples(c, "all", "lud", 4e3, 3, 0.0),
        made::samples(a, "some", "lud", 5e3, 3, 0.0),
        made::samples(b, "some", "lud", 5e3, 3, 0.0),
        vec![made::failed(c, "some", "lud", Verdict::Wrong, "plays another game")],
        vec![made::failed(a, "none", "lud", Verdict::Unsupported, "nothing works")],
    ]
    .concat();
    let table = Table::new(&rows, Order::Measured);
    let speedups = table.speedups(Some("base")).unwrap();
    let column = |name| table.find_column(name).unwrap();
    let close = |summary: &Option<reports::table::Summary>, mean: f64, games: usize| {
        let summary = summary.as_ref().unwrap();
        assert!((summary.mean.value / mean - 1.0).abs() < 1e-6, "{summary:?} is not {mean}");
        assert_eq!(summary.games, games);
    };
    close(&speedups.own[column("all")], 4.0, 3);
    close(&speedups.own[column("some")], 5.0, 2);
    close(&speedups.common[column("all")], 4.0, 2);
    close(&speedups.common[column("some")], 5.0, 2);
    assert_eq!(speedups.own[column("none")], None);
    assert_eq!(speedups.own[column("base")], None);
    assert!(!speedups.is_uniform());
    // The widest columns are `base` and `all`; the slower of them.
    assert_eq!(table.default_baseline(), Some(column("base")));
}

#[test]
fn games_stand_in_the_papers_order_on_request() {
    let mut rows = Vec::new();
    for game in [&made::GAMES[2], &made::GAMES[13], &made::GAMES[9]] {
        rows.extend(made::samples(game, "bitboard", "native", 1e6, 2, 0.0));
    }
    let ids = |order| -> Vec<String> {
        Table::new(&rows, order).games().iter().map(|game| game.id.clone()).collect()
    };
    assert_eq!(ids(Order::Measured), ["connect-4-6x7", "8-puzzle", "amazons-10x10"]);
    assert_eq!(ids(Order::Published), ["8-puzzle", "amazons-10x10", "connect-4-6x7"]);
    rows[0].paper = vec!["table1/Connect Four".to_owned()];
    let run = Run::from_samples(rows);
    assert_eq!(run.warnings, ["no published row is called \"table1/Connect Four\""]);
}

#[test]
fn the_same_playouts_with_other_ends_are_warned_of() {
    let once = made::samples(&made::GAMES[0], "ludeme", "lud", 1e3, 2, 0.0);
    let mut again = once.clone();
    for row in &mut again {
        row.threads = 2;
    }
    assert_eq!(
        Run::from_samples([once.clone(), again.clone()].concat()).warnings,
        Vec::<String>::new()
    );
    again[1].digest.0 ^= 1;
    assert_eq!(
        Run::from_samples([once, again].concat()).warnings,
        ["ludeme played the same playouts of tic-tac-toe-3x3 twice with different ends: its \
             figures are not reproducible"]
    );
}

#[test]
fn two_runs_are_compared_cell_by_cell() {
    let [a, b] = [&made::GAMES[0], &made::GAMES[1]];
    let before = [
        made::samples(a, "bitboard", "native", 1e6, 6, 0.02),
        made::samples(a, "ludeme", "lud", 1e5, 6, 0.02),
        made::samples(a, "prover", "gdl", 1e3, 6, 0.02),
        made::samples(b, "bitboard", "native", 3e5, 6, 0.02),
    ]
    .concat();
    let after = [
        made::samples(a, "bitboard", "native", 2e6, 6, 0.02),
        made::samples(a, "ludeme", "lud", 1.001e5, 6, 0.02),
        vec![made::failed(a, "prover", "gdl", Verdict::Wrong, "after a1: 7 moves, not 8")],
        made::samples(a, "propnet", "gdl", 1e4, 6, 0.02),
    ]
    .concat();
    let (before, after) = (Run::from_samples(before), Run::from_samples(after));
    let comparison = compare(&before, &after);
    expect_file!["snapshots/reports-comparison.txt"].assert_eq(&comparison_text(&comparison));
    expect_file!["snapshots/reports-comparison.csv"].assert_eq(&comparison_csv(&comparison));
    let [bitboard, ludeme, prover] = &comparison.changes[..] else { panic!("{comparison:?}") };
    assert!(bitboard.is_significant() && !bitboard.is_regression(0.1) && !bitboard.is_worse());
    assert!(!ludeme.is_significant());
    assert!(prover.is_worse() && prover.ratio.is_none());

    // What one run alone has is a line a column.
    let rows: Vec<Sample> = made::fourteen();
    let some = rows.iter().filter(|row| row.engine != "prover" && row.engine != "ludeme").cloned();
    let few = compare(&Run::from_samples(rows.clone()), &Run::from_samples(some.collect()));
    let text = comparison_text(&few);
    let alone: Vec<&str> = text.lines().filter(|line| line.starts_with("only before")).collect();
    assert_eq!(
        alone,
        ["ludeme", "prover"].map(|engine| format!(
            "only before: {engine} on tic-tac-toe-3x3, tic-tac-toe-5x5, connect-4-6x7, \
             connect-4-12x9, hex-9x9 and 9 more"
        ))
    );

    let back = compare(&after, &before);
    assert!(back.changes[0].is_regression(0.1) && back.changes[0].is_regression(0.4));
    assert!(!back.changes[0].is_regression(0.6), "half the rate is no loss of more than 60 %");
}
