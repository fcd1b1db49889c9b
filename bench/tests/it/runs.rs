//! Tests of whole runs as a user makes them: what they write, say, and measure again.

use std::collections::BTreeSet;
use std::io::BufRead;
use std::process::{Output, Stdio};
use std::time::Duration;

use nix::sys::signal::{self, Signal};
use nix::unistd::Pid;
use reports::{Phase, Run, Verdict};

use crate::cli::{engines_of, ggpbench};
use crate::common::{COIN, ENDLESS, command, ggpbench as run_in, is_proven, stderr, stdout};

/// Before anything is proven or measured.
#[test]
fn a_long_run_says_how_long_it_takes_before_it_starts() {
    let folder = tempfile::tempdir().unwrap();
    let long = ["run", "hanoi-3", "--engines", "bitboard,ludeme", "--protocol", "paper"];
    let mut child = command(folder.path(), &long)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("ggpbench starts");
    let errors = std::io::BufReader::new(child.stderr.take().expect("it is piped"));
    // The seed comes first, and a debug build says that it is one.
    let is_other = |line: &String| {
        line.is_empty() || line.contains("debug build") || line.starts_with("seed ")
    };
    let first = errors.lines().map(|line| line.unwrap()).find(|line| !is_other(line)).unwrap();
    signal::kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).unwrap();
    signal::kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).unwrap();
    child.wait().unwrap();
    assert!(first.contains("the samples of this run take about"), "{first}");
    assert!(first.contains("minutes in all"), "{first}");
}

/// The last lines on standard output: who is faster, by how much and how certain that is.
fn answer(output: &Output) -> [String; 3] {
    let text = stdout(output);
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let [.., who, much, certain] = &lines[..] else { panic!("{text}") };
    assert!(who.starts_with("Who is faster: "), "{text}");
    assert!(much.starts_with("By how much: ") && much.contains("The baseline of"), "{text}");
    assert!(certain.starts_with("Is it certain: "), "{text}");
    [who, much, certain].map(Clone::clone)
}

#[test]
fn run_writes_everything_and_report_writes_the_same_again() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let out_text = out.to_string_lossy();
    let output = ggpbench(&[
        "run",
        "tic-tac-toe-3x3",
        "hanoi-3",
        // One column an engine, whatever the processor offers.
        "--via",
        "fast",
        "--protocol",
        "0.1s",
        "--processes",
        "3",
        "--rounds",
        "1",
        "--out",
        &out_text,
    ]);
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    let said = answer(&output);
    let files = [
        "measurements.csv",
        "machine.txt",
        "table.csv",
        "table.md",
        "table.tex",
        "report.html",
        "rates.png",
        "ratios.png",
        "rates.svg",
        "ratios.svg",
        "profile.png",
        "profile.svg",
        "compile.png",
        "compile.svg",
        "tokens.png",
        "tokens.svg",
        "verdicts.png",
        "verdicts.svg",
    ];
    for file in files {
        assert!(out.join(file).is_file(), "no {file}");
    }
    let run = Run::load(&out).unwrap();
    let machine = run.machine.as_deref().unwrap();
    assert!(machine.lines().any(|line| line.starts_with("date: 20")), "{machine}");
    let table = run.table();
    let engines = ["tic-tac-toe-3x3", "hanoi-3"].map(engines_of);
    let pairs = engines.iter().map(Vec::len).sum::<usize>();
    let cells = || table.cells().filter(|(_, _, cell)| cell.verdict() != Verdict::Unsupported);
    let measured: BTreeSet<String> =
        cells().map(|(_, column, _)| table.columns()[column].engine.clone()).collect();
    assert_eq!(table.games().len(), 2);
    assert_eq!(measured, engines.concat().into_iter().map(ToString::to_string).collect());
    for (_, _, cell) in cells() {
        assert!(is_proven(cell), "{:?}: {}", cell.verdict(), cell.reason());
    }
    // Three processes with a measured round, each with all of the pairs in some order.
    let samples: Vec<_> = run.samples.iter().filter(|s| s.phase == Phase::Sample).collect();
    assert_eq!(samples.len(), 3 * pairs);
    // Nobody named a seed, so that one was drawn, and is told wherever it is needed.
    let seed = run.samples[0].seed;
    assert!(seed != 1 && seed < bench::playout_ids::RANGE, "{seed}");
    assert!(run.samples.iter().all(|s| s.seed == seed && s.rng == play::Rng::NAME));
    let told = |file: &str| std::fs::read_to_string(out.join(file)).unwrap();
    assert!(told("machine.txt").contains(&format!("seed: {seed}\n")));
    assert!(told("run.toml").contains(&format!("\"{seed}\"")));
    assert!(told("report.html").contains(&format!("--seed {seed}")));

    let before: Vec<Vec<u8>> =
        files[2..].iter().map(|f| std::fs::read(out.join(f)).unwrap()).collect();
    for file in &files[2..] {
        std::fs::remove_file(out.join(file)).unwrap();
    }
    let output = ggpbench(&["report", &out_text]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(answer(&output), said, "`report` says what `run` said");
    for (file, before) in files[2..].iter().zip(before) {
        assert!(std::fs::read(out.join(file)).unwrap() == before, "{file} came out differently");
    }
    let output = ggpbench(&["compare", &out_text, &out_text]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    // A second run does not write over the first.
    let output = ggpbench(&["run", "hanoi-3", "--out", &out_text]);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn the_rows_of_a_run_can_be_played_again() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let arguments =
        ["run", "tic-tac-toe-3x3", "--engines", "ludeme", "--protocol", "0.1s", "--no-verify"];
    let output = ggpbench(
        &[&arguments[..], &["--threads", "2", "--seed", "77", "--out", &out.to_string_lossy()]]
            .concat(),
    );
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let run = Run::load(&out).unwrap();
    let row = run.samples.iter().find(|s| s.phase == Phase::Sample).expect("a sample");
    assert_eq!((row.seed, row.threads, row.verdict), (77, 2, Verdict::Unchecked));
    let catalogue = games::Catalogue::embedded().unwrap_or_else(|e| panic!("{e}"));
    let game = catalogue.get("tic-tac-toe-3x3").unwrap_or_else(|e| panic!("{e}"));
    let rules = game.rules_in(play::Language::Lud).expect("it is written as .lud");
    let engine = roster::engine("ludeme").expect("it is in the roster");
    let compiled = engine.compile(&rules, &play::Limits::default()).expect("it compiles");
    let seed = bench::playout_ids::told(row.seed);
    let job = play::Job { seed, first: row.first, count: row.playouts, cap: game.cap };
    let tally = compiled.game.run(&job, play::Via::Fast);
    assert_eq!((tally.plies, tally.digest), (row.plies, row.digest.0));
}

/// A small sound game, one whose grounding explodes, and one that never ends: two rows with a
/// reason, and the run goes on.
#[test]
fn rule_files_that_misbehave_are_rows_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("sound.kif", COIN);
    write("explosive.kif", EXPLOSIVE);
    write("endless.lud", ENDLESS);
    write("broken.kif", "(role a) (init (p 1)) (<= terminal (true (q ?x)) (");
    let output = run_in(
        folder.path(),
        &[
            "bench",
            "broken.kif",
            "endless.lud",
            "explosive.kif",
            "sound.kif",
            "--engines",
            "ludeme,propnet",
            "--protocol",
            "0.1s",
            "--memory",
            "0.4",
            "--cap",
            "200",
            // A busy machine is given time to run out of memory.
            "--patience",
            "300",
            "--out",
            "out",
        ],
    );
    // Rules that are faulty fail the command.
    assert_eq!(output.status.code(), Some(1), "{}{}", stdout(&output), stderr(&output));
    let table = Run::load(&folder.path().join("out")).unwrap().table();
    let verdict = |id: &str| {
        let row = table.games().iter().position(|g| g.id == id).expect("it has a row");
        let column = (0..table.columns().len()).find_map(|c| table.cell(row, c)).expect("a cell");
        column.verdict()
    };
    assert_eq!(verdict("broken"), Verdict::Invalid);
    assert_eq!(verdict("endless"), Verdict::Capped);
    assert_eq!(verdict("explosive"), Verdict::TooLarge);
    assert_eq!(verdict("sound"), Verdict::Unchecked);
}

/// Twelve independent digits in one action: 10^12 ground actions.
const EXPLOSIVE: &str = "
(role robot)
(digit 0) (digit 1) (digit 2) (digit 3) (digit 4) (digit 5) (digit 6) (digit 7) (digit 8) (digit 9)
(init start)
(<= (legal robot (dial ?a ?b ?c ?d ?e ?f ?g ?h ?i ?j ?k ?l))
    (digit ?a) (digit ?b) (digit ?c) (digit ?d) (digit ?e) (digit ?f)
    (digit ?g) (digit ?h) (digit ?i) (digit ?j) (digit ?k) (digit ?l))
(<= (next (last ?a ?b ?c ?d ?e ?f ?g ?h ?i ?j ?k ?l))
    (does robot (dial ?a ?b ?c ?d ?e ?f ?g ?h ?i ?j ?k ?l)))
(<= terminal (true (last 1 2 3 4 5 6 7 8 9 0 1 2)))
(<= (goal robot 100) terminal)
(<= (goal robot 0) (not terminal))
";

#[test]
fn programs_of_the_working_directory_are_announced_and_run_only_if_they_take_part() {
    let folder = tempfile::tempdir().unwrap();
    let started = folder.path().join("started");
    let engines =
        "[[engine]]\nname = \"other\"\ncommand = [\"touch\", \"started\"]\nlanguages = [\"kif\"]";
    std::fs::write(folder.path().join("engines.toml"), engines).unwrap();
    let perft = ["perft", "tic-tac-toe-3x3", "--depth", "1"];
    for (arguments, takes_part) in [
        (&["list"][..], false),
        (&["inspect", "tic-tac-toe-3x3"], false),
        (&[&perft[..], &["--engines", "bitboard,ludeme"]].concat(), false),
        (&[&perft[..], &["--engines-file", "/dev/null"]].concat(), false),
        (&perft, true),
    ] {
        let output = run_in(folder.path(), arguments);
        let said = stderr(&output);
        assert_eq!(started.exists(), takes_part, "{arguments:?}: {said}");
        assert_eq!(said.contains("external engine `other`"), takes_part, "{said}");
        assert_eq!(said.contains("`touch started`"), takes_part, "{said}");
    }
    // A file that nobody asked for is no reason to fail either.
    std::fs::write(folder.path().join("engines.toml"), "nonsense").unwrap();
    let output = run_in(folder.path(), &[&perft[..], &["--engines", "bitboard"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let output = run_in(folder.path(), &["list"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).starts_with("note: in engines.toml"), "{}", stderr(&output));
    assert_eq!(run_in(folder.path(), &perft).status.code(), Some(2));
}

#[test]
fn a_run_that_is_stopped_before_it_measured_anything_has_failed() {
    let folder = tempfile::tempdir().unwrap();
    let run = ["run", "hex-9x9", "--engines", "bitboard,ludeme", "--out", "out"];
    let child = command(folder.path(), &run)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    while !folder.path().join("out/measurements.csv").exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    // Ctrl-C is listened to right after the folder was made, and verifying takes longer than this.
    std::thread::sleep(Duration::from_millis(100));
    let process = Pid::from_raw(i32::try_from(child.id()).unwrap());
    signal::kill(process, Signal::SIGINT).expect("it is there");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(1), "{}", stdout(&output));
    let said = stderr(&output);
    assert!(said.contains("stopped before anything was measured"), "{said}");
    assert!(said.contains("run --resume out"), "{said}");
}

/// The commands that the page of a report gives measure its figures again: with files of one's own,
/// options and a protocol.
#[test]
fn the_commands_of_a_report_measure_again() {
    let folder = tempfile::tempdir().unwrap();
    let rules = r#"(game "Row" (players 2)
(equipment {(board (square <Size:side>)) (piece "Disc" Each)})
(rules (play (move Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Win)))))
(option "Size" <Size> args:{ <side> } { (item "3x3" <3> "")* (item "4x4" <4> "") })"#;
    std::fs::create_dir(folder.path().join("my rules")).unwrap();
    std::fs::write(folder.path().join("my rules/a row.lud"), rules).unwrap();
    let protocol =
        ["--protocol", "0.1s", "--processes", "2", "--rounds", "1", "--no-verify", "--quiet"];
    let own = ["bench", "my rules/a row.lud", "--option", "Size/4x4", "--via", "fast,listed"];
    let games = ["run", "tic-tac-toe-3x3", "--engines", "bitboard,rbg", "--threads", "1,2"];
    for (begun, out) in [(&own[..], "own"), (&games[..], "games")] {
        let begun = run_in(folder.path(), &[begun, &protocol, &["--out", out]].concat());
        assert_eq!(begun.status.code(), Some(0), "{}", stderr(&begun));
        let run = Run::load(&folder.path().join(out)).unwrap();
        let (record, table) = (run.record.clone().unwrap(), run.table());
        let page = std::fs::read_to_string(folder.path().join(out).join("report.html")).unwrap();
        let mut commands = BTreeSet::new();
        for (row, column, cell) in table.cells() {
            let head = &table.columns()[column];
            let seed = run.samples[0].seed;
            let line = record.command_for(&table.games()[row], head, seed).unwrap();
            let shown = line.replace('\'', "&#x27;").replace('/', "&#x2f;");
            assert!(page.contains(&shown), "the page does not have {line}");
            // A column of tabled playouts is measured by the same command.
            if !commands.insert(line.clone()) {
                continue;
            }
            let mut words = shlex::split(&line).unwrap();
            words.extend(["--quiet", "--out"].map(str::to_owned));
            words.push(format!("again-{out}-{row}-{column}"));
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let again = run_in(folder.path(), &words[1..]);
            assert_eq!(again.status.code(), Some(0), "{line}: {}", stderr(&again));
            let measured = Run::load(&folder.path().join(words[words.len() - 1])).unwrap().table();
            let found = measured.find_column(&head.label()).unwrap_or_else(|| panic!("{line}"));
            let same = measured.cell(0, found).unwrap();
            assert_eq!((same.rules(), same.options()), (cell.rules(), cell.options()), "{line}");
            assert_eq!(measured.cells().count(), 1, "{line}");
        }
        assert!(commands.len() > 1);
    }
}
