//! Runs that are killed and go on, and runs that are shared and joined.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use crate::common;
use play::Rng;
use reports::{Phase, Run, Sample, Verdict};

fn ggpbench(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = common::command(folder, arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn finished(folder: &Path, arguments: &[&str]) -> Output {
    let output = ggpbench(folder, arguments).output().expect("ggpbench starts");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    output
}

/// The rounds of each column that there are samples of, in order.
fn rounds(run: &Run) -> BTreeMap<(&str, &str), Vec<u32>> {
    let mut rounds: BTreeMap<_, Vec<u32>> = BTreeMap::new();
    for row in run.samples.iter().filter(|row| row.phase == Phase::Sample) {
        rounds.entry((row.game.as_str(), row.engine.as_str())).or_default().push(row.round);
    }
    rounds.values_mut().for_each(|rounds| rounds.sort_unstable());
    rounds
}

/// Every column has rounds of as many processes as an interval needs, each once. (A column that
/// took too long, as one that is begun again and again does, ends before its last.)
fn assert_complete(run: &Run) {
    let rounds = rounds(run);
    assert_eq!(rounds.len(), GAMES.len() * 2, "{rounds:?}");
    for (column, rounds) in rounds {
        let of_process =
            |process: u32| rounds.iter().filter(|&&round| round / 2 == process).count();
        assert!((0..3).all(|process| of_process(process) > 0), "{column:?}: {rounds:?}");
        assert!(rounds.windows(2).all(|pair| pair[0] < pair[1]), "{column:?}: {rounds:?}");
        assert!(rounds.iter().all(|&round| round < 8), "{column:?}: {rounds:?}");
    }
    assert_eq!(run.warnings, [""; 0]);
    assert!(run.has_checksums);
}

/// No playout is counted in two rows.
fn assert_disjoint(run: &Run) {
    let mut columns: BTreeMap<(&str, &str, String), Vec<&Sample>> = BTreeMap::new();
    for row in run.samples.iter().filter(|row| row.phase != Phase::None) {
        columns.entry((&row.game, &row.engine, row.via.to_string())).or_default().push(row);
    }
    for rows in columns.values_mut() {
        rows.sort_by_key(|row| row.first);
        for pair in rows.windows(2) {
            assert!(pair[0].first + pair[0].playouts <= pair[1].first, "{:?}", pair[1]);
        }
    }
}

const GAMES: [&str; 2] = ["tic-tac-toe-3x3", "hanoi-3"];
// One column an engine, whatever the processor offers.
const HOW: [&str; 11] = [
    "--engines",
    "bitboard,prover",
    "--via",
    "fast",
    "--protocol",
    "0.1s",
    "--processes",
    "4",
    "--rounds",
    "2",
    "--no-verify",
];

#[test]
fn a_run_killed_at_any_moment_goes_on_with_nothing_lost_or_double() {
    let folder = tempfile::tempdir().unwrap();
    let begin = [&["run"], &GAMES[..], &HOW, &["--out", "run"]].concat();
    let rows = folder.path().join("run").join("measurements.csv");
    let text = || std::fs::read(&rows).unwrap_or_default();
    let lines = || text().split(|&byte| byte == b'\n').count();
    let mut rng = Rng::stream(7, 0);
    for _ in 0..12 {
        let before = text();
        let whole = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
        // A few rows more, and then at any time: in the middle of a sample, between two, in a row.
        let enough = lines() + rng.below(5) as usize;
        let arguments = if folder.path().join("run/run.toml").exists() {
            &["run", "--resume", "run"][..]
        } else {
            &begin
        };
        let mut child: Child = ggpbench(folder.path(), arguments).spawn().unwrap();
        while lines() < enough && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_micros(u64::from(rng.below(30_000))));
        child.kill().unwrap(); // SIGKILL
        let output = child.wait_with_output().unwrap();
        let words = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code().is_none() || output.status.success(), "{words}");
        assert!(text().starts_with(&before[..whole]), "rows were lost");
    }
    let output = finished(folder.path(), &["run", "--resume", "run"]);
    assert!(String::from_utf8_lossy(&output.stdout).contains("Written to"));
    let run = Run::load(&folder.path().join("run")).unwrap();
    assert_complete(&run);
    assert_disjoint(&run);
    // Whoever goes on with a complete run changes nothing.
    let before = std::fs::read(&rows).unwrap();
    finished(folder.path(), &["run", "--resume", "run"]);
    assert!(before == std::fs::read(&rows).unwrap());
}

/// Whatever reads rows that were changed says which, and nothing is built on them.
#[test]
fn rows_that_were_changed_are_named_and_no_run_goes_on_with_them() {
    let folder = tempfile::tempdir().unwrap();
    let begin = [&["run", GAMES[0]], &HOW[..], &["--out", "run"]].concat();
    finished(folder.path(), &begin);
    let rows = folder.path().join("run/measurements.csv");
    let text = std::fs::read_to_string(&rows).unwrap();
    let (last, line) = text.lines().rev().zip([text.lines().count()]).next().unwrap();
    let first = Run::load(&folder.path().join("run")).unwrap().samples.pop().unwrap().first;
    let double = last.replace(&format!(",{first},"), ",9000000000,");
    std::fs::write(&rows, format!("{text}{double}\n")).unwrap();
    let commands: [&[&str]; 5] = [
        &["report", "run"],
        &["rank", "run"],
        &["compare", "run", "run"],
        &["merge", "--out", "all", "run"],
        &["run", "--resume", "run"],
    ];
    for arguments in commands {
        let output = ggpbench(folder.path(), arguments).output().unwrap();
        let words = common::stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {words}");
        let added = format!("measurements.csv:{}: this row was added", line + 1);
        let again = format!("measurements.csv:{}: this is the sample of line {line}", line + 1);
        assert!(words.contains(&added) && words.contains(&again), "{arguments:?}: {words}");
    }
    // Where nothing vouches for them, no more than that is said of rows without a fault.
    std::fs::write(&rows, text).unwrap();
    std::fs::remove_file(folder.path().join("run/measurements.checksums")).unwrap();
    let words = common::stderr(&finished(folder.path(), &["report", "run"]));
    assert!(words.contains("note: run: there are no checksums"), "{words}");
    finished(folder.path(), &["merge", "--out", "all", "run"]);
    assert!(!folder.path().join("all/measurements.checksums").exists());
}

/// A worker that crashes at its first start and never again: its pair is crashed, and fine once the
/// run goes on. The row of the crash stays.
#[test]
fn a_pair_that_crashed_is_tried_again_when_the_run_goes_on() {
    let ways: [&[&str]; 2] = [&["--via", "listed", "--no-verify"], &["--via", "fast"]];
    for ways in ways {
        let folder = tempfile::tempdir().unwrap();
        let script = format!(
            "mkdir crashed 2>/dev/null && exit 3\nexec {} worker bitboard\n",
            env!("CARGO_BIN_EXE_ggpbench")
        );
        std::fs::write(folder.path().join("worker.sh"), script).unwrap();
        let engines = "[[engine]]\nname = \"odd\"\ncommand = [\"sh\", \"worker.sh\"]\n\
                       languages = [\"bitboard\"]\n\
                       [[engine]]\nname = \"never\"\ncommand = [\"false\"]\n\
                       languages = [\"kif\"]\n";
        std::fs::write(folder.path().join("engines.toml"), engines).unwrap();
        let how = ["--engines", "odd,prover,never", "--protocol", "0.1s", "--out", "run"];
        let begin = [&["run", GAMES[0]], &how[..], ways].concat();
        let output = ggpbench(folder.path(), &begin).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{}", common::stderr(&output));
        let verdicts = || {
            let run = Run::load(&folder.path().join("run")).unwrap();
            let crashes = run.samples.iter().filter(|row| row.verdict == Verdict::Crashed).count();
            let table = run.table();
            let of = |engine| {
                let columns = table.columns().iter().enumerate();
                let mut own = columns.filter(|(_, column)| column.engine == engine);
                let (number, _) = own.next().unwrap();
                assert!(own.next().is_none(), "{:?}", table.columns());
                let cell = table.cell(0, number).unwrap();
                (cell.verdict(), cell.figures().is_some())
            };
            (crashes, of("odd"), of("never"))
        };
        let crashed = (Verdict::Crashed, false);
        assert_eq!(verdicts(), (2, crashed, crashed));
        let prover = |run: &Run| rounds(run)[&(GAMES[0], "prover")].clone();
        let before = prover(&Run::load(&folder.path().join("run")).unwrap());
        let output = ggpbench(folder.path(), &["run", "--resume", "run"]).output().unwrap();
        let (crashes, odd, never) = verdicts();
        assert!(odd.0.is_ranked() && odd.1, "{odd:?}: {}", common::stderr(&output));
        assert_eq!((crashes, never), (3, crashed), "the rows of crashes stay");
        // What was complete is left alone.
        assert_eq!(prover(&Run::load(&folder.path().join("run")).unwrap()), before);
    }
}

/// Ctrl-C ends the sample, not the worker: nothing crashes, and the run can go on.
#[test]
fn an_interrupt_stops_after_the_sample_and_says_how_to_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let begin = [&["run"], &GAMES[..], &HOW, &["--out", "run"]].concat();
    let rows = folder.path().join("run").join("measurements.csv");
    let mut command = ggpbench(folder.path(), &begin);
    // A group of its own, to which the terminal would send the signal as a whole.
    let child = std::os::unix::process::CommandExt::process_group(&mut command, 0).spawn().unwrap();
    let group = nix::unistd::Pid::from_raw(i32::try_from(child.id()).unwrap());
    while std::fs::read_to_string(&rows).map_or(0, |text| text.lines().count()) < 5 {
        std::thread::sleep(Duration::from_millis(2));
    }
    nix::sys::signal::killpg(group, nix::sys::signal::Signal::SIGINT).unwrap();
    let output = child.wait_with_output().unwrap();
    let words = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(words.contains("Go on with `ggpbench run --resume run`"), "{words}");
    let run = Run::load(&folder.path().join("run")).unwrap();
    assert!(run.samples.iter().all(|row| row.phase != Phase::None), "a worker died");
    assert!(rounds(&run).len() < GAMES.len() * 2, "it went on after the signal");
    finished(folder.path(), &["run", "--resume", "run"]);
    assert_complete(&Run::load(&folder.path().join("run")).unwrap());
}

/// Figures of two games do not belong into one row.
#[test]
fn a_run_whose_rules_have_changed_does_not_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let game = |line: &str| {
        format!(
            "(game \"Line\" (players 2) (equipment {{(board (square 3)) (piece \"Disc\" Each)}}) \
             (rules (play (move Add (to (sites Empty)))) (end (if (is Line {line}) \
             (result Mover Win)))))"
        )
    };
    let rules = folder.path().join("line.lud");
    std::fs::write(&rules, game("3")).unwrap();
    let how = ["--engines", "ludeme", "--protocol", "0.1s", "--no-verify", "--out", "run"];
    finished(folder.path(), &[&["bench", "line.lud"], &how[..]].concat());
    // What the engine reads is the same.
    std::fs::write(&rules, format!("// A remark.\n{}", game("3"))).unwrap();
    finished(folder.path(), &["run", "--resume", "run"]);
    std::fs::write(&rules, game("2")).unwrap();
    let output = ggpbench(folder.path(), &["run", "--resume", "run"]).output().unwrap();
    let words = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{words}");
    assert!(words.contains("the rules of line.lud have changed since the run began"), "{words}");
    let run = Run::load(&folder.path().join("run")).unwrap();
    let rules: std::collections::BTreeSet<&str> =
        run.samples.iter().map(|row| row.rules.as_str()).collect();
    assert!(rules.len() == 1 && rules.iter().all(|hash| hash.len() == 16), "{rules:?}");
}

#[test]
fn shards_that_a_plan_makes_are_joined_to_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let plan = ["plan", "--shards", "2", "--out", "it", "--", GAMES[0], GAMES[1]];
    let output = finished(folder.path(), &[&plan[..], &HOW].concat());
    assert!(String::from_utf8_lossy(&output.stdout).contains("sbatch it/job.sbatch"));
    for shard in ["1", "2"] {
        let output = Command::new("bash")
            .args(["it/job.sbatch"])
            .env("SHARD", shard)
            .current_dir(folder.path())
            .output()
            .expect("bash runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    finished(folder.path(), &["merge", "--out", "all", "it/part-1", "it/part-2"]);
    let run = Run::load(&folder.path().join("all")).unwrap();
    assert_complete(&run);
    let games: Vec<&str> = run.samples.iter().map(|row| row.game.as_str()).collect();
    assert!(games.first() == Some(&GAMES[0]) && games.last() == Some(&GAMES[1]), "{games:?}");
    // Each part has the picture of its game, and the whole has both.
    let pictured: Vec<&str> = run.boards.keys().map(String::as_str).collect();
    assert!(GAMES.iter().all(|game| pictured.contains(game)), "{pictured:?}");

    let refused = |arguments: &[&str]| {
        let output = ggpbench(folder.path(), arguments).output().unwrap();
        assert_ne!(output.status.code(), Some(0));
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let missing = refused(&["merge", "--out", "half", "it/part-1"]);
    assert!(missing.contains("no part has hanoi-3"), "{missing}");
    let double = refused(&["merge", "--out", "double", "it/part-1", "it/part-1"]);
    assert!(double.contains("is in it/part-1 and in it/part-1"), "{double}");
    // The same game from another machine.
    let path = folder.path().join("it/part-2/measurements.csv");
    let rows = std::fs::read_to_string(&path).unwrap();
    let part = Run::load(&folder.path().join("it/part-2")).unwrap();
    let host = format!(",{}\n", part.samples[0].host);
    let elsewhere = rows.replacen(&host, ",elsewhere\n", 2);
    assert_ne!(elsewhere, rows);
    std::fs::write(&path, elsewhere).unwrap();
    let changed = refused(&["merge", "--out", "mixed", "it/part-1", "it/part-2"]);
    assert!(changed.contains("it/part-2 are not as they were measured"), "{changed}");
    std::fs::remove_file(folder.path().join("it/part-2/measurements.checksums")).unwrap();
    let mixed = refused(&["merge", "--out", "mixed", "it/part-1", "it/part-2"]);
    assert!(mixed.contains("a ratio may not mix machines"), "{mixed}");
}
