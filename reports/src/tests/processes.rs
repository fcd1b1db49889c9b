//! Runs in which several processes measured each cell: intervals, controls, tabled cells and
//! comparisons.

use crate::tests::made;
use expect_test::expect;
use reports::render::{
    Document, TerminalOptions, comparison_text, contention, control_summary, ranking_text,
    table_csv, table_markdown, table_terminal,
};
use reports::{Method, Order, Run, Sample, Table, Verdict, Via, artefacts, compare};

/// Four rounds in each of five processes, which differ by up to `between` of the rate.
fn processes(game: &made::Game, engine: &str, rate: f64, between: f64, seed: u64) -> Vec<Sample> {
    let mut noise = made::Noise(seed);
    let mut rows = Vec::new();
    for process in 0..5 {
        let rate = rate * (1.0 + between * noise.next());
        let own = made::samples(game, engine, "lud", rate, 4, 0.002);
        rows.extend(own.into_iter().map(|mut row| {
            row.process = process;
            row.round += 4 * process;
            row.first += 1_000_000_000 * u64::from(process);
            row.digest = reports::Digest(row.first);
            row.plies_squared = None;
            row
        }));
    }
    rows
}

fn with(rows: Vec<Sample>, edit: impl Fn(&mut Sample)) -> Vec<Sample> {
    let edited = rows.into_iter().map(|mut row| {
        edit(&mut row);
        row
    });
    edited.collect()
}

fn markdown(table: &Table, baseline: &str) -> String {
    let speedups = table.speedups(Some(baseline)).unwrap();
    let document =
        Document { table, speedups: &speedups, curves: &[], machine: None, warnings: &[] };
    table_markdown(&document)
}

#[test]
fn intervals_come_from_the_spread_between_processes() {
    let rows = processes(&made::GAMES[0], "ludeme", 1e5, 0.1, 1);
    let figures =
        |rows: &[Sample]| Table::new(rows, Order::Measured).figures(0, 0).unwrap().clone();
    let several = figures(&rows);
    assert_eq!((several.processes(), several.rounds(), several.samples), (5, 20, 20));
    // The textbook's interval, from the five rates.
    let mut rates = Vec::new();
    for process in 0..5 {
        let own = rows.iter().filter(|row| row.process == process);
        let own: Vec<&Sample> = own.filter(|row| row.phase == reports::Phase::Sample).collect();
        let sum = |of: fn(&Sample) -> u64| own.iter().map(|row| of(row)).sum::<u64>() as f64;
        rates.push((sum(|row| row.playouts) / sum(|row| row.cpu_ns) * 1e9).ln());
    }
    let mean = rates.iter().sum::<f64>() / 5.0;
    let variance = rates.iter().map(|rate| (rate - mean).powi(2)).sum::<f64>() / 4.0;
    // Of the median, and of what the processes of a run have in common, which counts as known: the
    // quantile is between that of four degrees of freedom and that of infinitely many.
    let error = (std::f64::consts::FRAC_PI_2 * variance / 5.0 + 0.02 * 0.02).sqrt();
    let rate = several.per_cpu_second;
    for half in [(rate.high() / rate.value).ln(), (rate.value / rate.low()).ln()] {
        assert!((1.96..2.776).contains(&(half / error)), "{rate:?}, {error}");
    }
    // Rounds alone, as if of one process, claim to know more.
    let one = figures(&with(rows, |row| row.process = 0)).per_cpu_second;
    assert!(rate.high() - rate.low() > 1.2 * (one.high() - one.low()), "{rate:?} {one:?}");
}

#[test]
fn ratios_are_paired_by_process() {
    // The processes of both differ in the same way, so their ratio does not.
    let base = processes(&made::GAMES[0], "ludeme", 1e5, 0.2, 3);
    let twice = processes(&made::GAMES[0], "rbg", 2e5, 0.2, 3);
    let ratio = |twice: &[Sample]| {
        let table = Table::new(&[&base[..], twice].concat(), Order::Measured);
        table.speedups(Some("ludeme")).unwrap().ratios[0][1].unwrap()
    };
    let paired = ratio(&twice);
    assert!((paired.value - 2.0).abs() < 0.01 && paired.high() - paired.low() < 0.02, "{paired:?}");
    // Processes that only one side has take no part.
    let without_last = with(twice.clone(), |row| row.process += u32::from(row.process == 4));
    let fewer = ratio(&without_last);
    assert!((fewer.value - 2.0).abs() < 0.01 && fewer != paired, "{fewer:?}");
}

#[test]
fn tabled_cells_stand_apart() {
    let [a, b] = [&made::GAMES[0], &made::GAMES[1]];
    let tabled = |rows| with(rows, |row| row.method = Some(Method::Tabled));
    let mut rows = [
        tabled(processes(a, "ludeme", 1e7, 0.01, 1)),
        processes(b, "ludeme", 1e5, 0.01, 2),
        processes(a, "rbg", 5e4, 0.01, 3),
        processes(b, "rbg", 5e4, 0.01, 4),
    ]
    .concat();
    let table = Table::new(&rows, Order::Measured);
    let labels: Vec<String> = table.columns().iter().map(reports::Column::label).collect();
    assert_eq!(labels, ["ludeme", "ludeme (tabled)", "rbg"]);
    assert!(table.cell(0, 0).is_none() && table.cell(1, 1).is_none());

    let speedups = table.speedups(Some("rbg")).unwrap();
    assert!(speedups.ratios[0][1].is_some(), "the ratio is shown");
    assert_eq!(speedups.own[1], None, "and is in no mean");
    assert!((speedups.own[0].unwrap().mean.value - 2.0).abs() < 0.1);
    let text = markdown(&table, "rbg");
    assert!(
        text.contains(" ‡ |") && text.contains("- ‡ One side of the ratio is tabled"),
        "{text}"
    );
    assert!(text.contains("A column marked (tabled) carries results over"), "{text}");
    assert!(table_csv(&table, &speedups).contains(",ludeme,lud,fast,tabled,true,false,"));

    let ranking = reports::rank::rank(&table, &[]).unwrap();
    assert_eq!(ranking.left_out, ["ludeme (tabled)"]);
    assert!(ranking_text(&ranking).contains("Left out: ludeme (tabled)."));
    let named = ["ludeme (tabled)".to_owned(), "rbg".to_owned()];
    let error = reports::rank::rank(&table, &named).unwrap_err().to_string();
    assert!(error.contains("cannot be ranked together"), "{error}");
    assert_eq!(table.default_baseline(), table.find_column("rbg"));

    // A worker that died tells no method; its failure is that of the tabled cell.
    rows.push(made::failed(a, "ludeme", "lud", Verdict::Crashed, "the worker died"));
    let table = Table::new(&rows, Order::Measured);
    assert_eq!(table.cell(0, 1).unwrap().verdict(), Verdict::Crashed);
    let files = artefacts(&Run::from_samples(rows), &reports::Options::default()).unwrap();
    assert!(!files.is_empty());
}

#[test]
fn controls_say_whether_ratios_can_be_trusted() {
    let games = &made::GAMES[..3];
    let mut rows: Vec<Sample> = Vec::new();
    for (number, game) in games.iter().enumerate() {
        let seed = 3 + 10 * number as u64;
        // The control of the third game is 10 % slower.
        let rate = if number == 2 { 9e4 } else { 1e5 };
        rows.extend(processes(game, "ludeme", 1e5, 0.01, seed));
        let control = processes(game, "ludeme", rate, 0.01, seed + 1);
        rows.extend(with(control, |row| row.control = true));
        rows.extend(processes(game, "rbg", 2e5, 0.01, seed + 2));
    }
    let table = Table::new(&rows, Order::Measured);
    expect![
        "A/A: in 2 of 3 games the 95 % interval of the ratio of a column to its control holds \
        1 (widest 0.987–1.01: Tic-Tac-Toe (3x3) on ludeme); not in Connect 4 \
        (6x7) on ludeme 1.11× (1.10–1.12)."
    ]
    .assert_eq(&control_summary(&table).unwrap());
    assert!(table_terminal(&table, TerminalOptions::default()).contains("\nA/A: in 2 of 3 games"));
    let text = markdown(&table, "rbg");
    assert!(text.contains("\nA/A: in 2 of 3 games"), "{text}");
    let speedups = table.speedups(Some("rbg")).unwrap();
    let control = table.find_column("ludeme (control)").unwrap();
    assert!(speedups.ratios.iter().all(|row| row[control].is_none()));
    assert_eq!(reports::rank::rank(&table, &[]).unwrap().places.len(), 2);
    assert_eq!(control_summary(&Run::from_samples(made::fourteen()).table()), None);
    let run = Run::from_samples(rows);
    assert!(compare(&run, &run).changes.iter().all(|change| !change.column.control));
}

#[test]
fn rows_of_several_rules_in_a_cell_are_warned_of() {
    let rows = with(processes(&made::GAMES[0], "ludeme", 1e5, 0.01, 1), |row| {
        row.rules = format!("{:016x}", row.process / 3);
    });
    assert_eq!(
        Run::from_samples(rows).warnings,
        ["ludeme on tic-tac-toe-3x3 has rows of several rules (0000000000000000, \
             0000000000000001): its figures mix them"]
    );
}

#[test]
fn listed_columns_are_labelled() {
    let rows =
        with(processes(&made::GAMES[0], "ludeme", 1e5, 0.01, 1), |row| row.via = Via::Listed);
    let table = Table::new(&rows, Order::Measured);
    assert_eq!(table.columns()[0].label(), "ludeme (listed)");
}

/// Two runs of the same rates, the second measured by other processes; `edit` changes the second.
fn two_runs(edit: impl Fn(&mut Sample)) -> (Run, Run) {
    let run = |seed: u64| -> Vec<Sample> {
        let cell = |(number, game): (usize, &made::Game)| {
            processes(game, "ludeme", 1e5, 0.05, seed + number as u64)
        };
        let rows: Vec<Sample> = made::GAMES[..4].iter().enumerate().flat_map(cell).collect();
        with(rows, |row| {
            "00000000000000aa".clone_into(&mut row.rules);
            "00000000000000bb".clone_into(&mut row.build);
        })
    };
    (Run::from_samples(run(100)), Run::from_samples(with(run(200), edit)))
}

#[test]
fn runs_of_one_build_differ_in_nothing() {
    let (before, after) = two_runs(|_| ());
    let comparison = compare(&before, &after);
    assert_eq!(comparison.changes.len(), 4);
    assert!(comparison.changes.iter().all(|change| !change.is_significant()), "{comparison:?}");
    assert_eq!(comparison.failures(Some(0.0)), [""; 0]);
    assert_eq!(comparison.warnings, [""; 0]);
}

#[test]
fn what_became_worse_is_named() {
    let (slow, doubtful) = (made::GAMES[1].0, made::GAMES[2].0);
    let (before, after) = two_runs(|row| {
        if row.game == slow {
            row.cpu_ns *= 2;
            row.wall_ns *= 4;
        }
        if row.game == doubtful {
            row.verdict = Verdict::Unchecked;
        }
    });
    let comparison = compare(&before, &after);
    let failures = comparison.failures(Some(0.1));
    let [slower, unchecked] = &failures[..] else { panic!("{failures:?}") };
    assert!(slower.starts_with("tic-tac-toe-5x5 on ludeme: "), "{slower}");
    assert!(slower.ends_with(" % slower, more than the 10 % allowed"), "{slower}");
    assert_eq!(unchecked, "connect-4-6x7 on ludeme: ok before, unchecked after");
    assert_eq!(comparison.failures(None), std::slice::from_ref(unchecked));
    let text = comparison_text(&comparison);
    assert!(text.contains("† The worker had less than 90 %"), "{text}");
    assert!(contention(&after.table()).unwrap().starts_with("1 of 4 cells were contended (†)"));
    assert_eq!(contention(&before.table()), None);
}

#[test]
fn cells_of_other_rules_are_not_compared_and_other_settings_are_told() {
    let other = made::GAMES[0].0;
    let (mut before, mut after) = two_runs(|row| {
        if row.game == other {
            "00000000000000ab".clone_into(&mut row.rules);
        }
        "00000000000000cc".clone_into(&mut row.build);
        row.method = Some(Method::Sampled);
        row.options = vec!["Board/5x5".to_owned()];
    });
    before.samples = with(before.samples, |row| row.method = Some(Method::Listed));
    before.machine = Some("cpu: Example 9000\ngit revision: a\n".to_owned());
    after.machine = Some("cpu: Example 9001\u{1b}[2J\ngit revision: b\n".to_owned());
    let comparison = compare(&before, &after);
    assert_eq!(comparison.changes.len(), 3);
    assert_eq!(comparison.other_rules.len(), 1);
    expect![[r#"
        cpu: Example 9000 before, Example 9001\u{1b}[2J after
        git revision: a before, b after
        other builds of ludeme
        options of tic-tac-toe-5x5 on ludeme: none before, Board/5x5 after
        options of connect-4-6x7 on ludeme: none before, Board/5x5 after
        options of connect-4-12x9 on ludeme: none before, Board/5x5 after
        method of tic-tac-toe-5x5 on ludeme: listed before, sampled after
        method of connect-4-6x7 on ludeme: listed before, sampled after
        method of connect-4-12x9 on ludeme: listed before, sampled after"#]]
    .assert_eq(&comparison.warnings.join("\n"));
    let text = comparison_text(&comparison);
    assert!(text.contains("other rules, not compared: ludeme on tic-tac-toe-3x3"), "{text}");

    // Another way of playing is another column.
    let (before, after) = two_runs(|row| row.via = Via::Listed);
    let comparison = compare(&before, &after);
    assert!(comparison.changes.is_empty());
    assert_eq!(
        comparison.warnings,
        ["ludeme before, ludeme (listed) after in 4 games: played in other ways, so not compared"]
    );
}
