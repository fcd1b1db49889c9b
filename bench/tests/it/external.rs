//! The worked examples in Python: an external program becomes a verified, measured column.

use std::path::{Path, PathBuf};

use bench::client::{Bounds, Program, Worker};
use bench::engine_check;
use bench::entry::Entry;
use bench::subject::{Local, Subject};
use bench::verify::{Effort, Expected, GameProof, verify};
use play::toy::Toy;
use play::{Job, Language, Limits, Rules, Via};
use reports::Verdict;

use crate::common::{self, python};

/// The worked examples, each with the game that it plays: one with rules alone, one with chance
/// and hidden information, and the first again without the library that speaks the protocol.
const EXAMPLES: [(&str, &str); 3] = [
    ("tic_tac_toe.py", "tic-tac-toe-3x3"),
    ("kuhn_poker.py", "kuhn-poker"),
    ("protocol.py", "tic-tac-toe-3x3"),
];

fn example(file: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../engines/example").join(file)
}

fn start(file: &str, game: &str) -> Worker {
    let program = python(&[&example(file).to_string_lossy()]);
    let mut worker = Worker::start(&program, &Bounds::default()).expect("python3 is there");
    let rules = Rules::new(Language::Bitboard, game, game);
    worker.load(&rules, &Limits::default()).expect("it plays this game");
    worker
}

fn start_example() -> Worker {
    start("tic_tac_toe.py", "tic-tac-toe-3x3")
}

#[test]
fn the_examples_play_the_same_games_as_ours() {
    for (file, game) in EXAMPLES {
        plays_as_ours(file, game);
    }
}

fn plays_as_ours(file: &str, game: &str) {
    let ours = common::compile("bitboard", game);
    let mut subjects: Vec<Box<dyn Subject>> =
        vec![Box::new(start(file, game)), Box::new(Local::new("bitboard", &*ours))];
    let perft = if game == "kuhn-poker" { vec![2, 4, 2, 0] } else { vec![9, 72, 504, 3024] };
    let expected = Expected { perft, ..Expected::default() };
    let verify = |effort: &Effort| verify(&mut subjects, &expected, effort);
    let compared = |proof: &GameProof| {
        let pair = proof.pairs[0].result.as_ref();
        pair.is_ok_and(|pair| pair.walks >= 2 && pair.depth >= 2)
    };
    let proof = common::prove(&Effort::quick(3, 9), verify, |proof| {
        common::verdicts(proof) == [Verdict::Ok; 2] && compared(proof)
    });
    for engine in &proof.engines {
        assert_eq!(engine.verdict, Verdict::Ok, "{}: {}", engine.engine, engine.reason);
    }
    assert!(compared(&proof), "{:?}", proof.pairs);
}

#[test]
fn the_example_refuses_other_games_and_keeps_the_contract() {
    let mut worker = start_example();
    let job = |first, count| Job { seed: 5, first, count, cap: 9 };
    let whole = worker.run(&job(0, 300), Via::Fast, 1).unwrap().tally().unwrap();
    let mut parts = worker.run(&job(100, 200), Via::Fast, 1).unwrap().tally().unwrap();
    parts += &worker.run(&job(0, 100), Via::Fast, 1).unwrap().tally().unwrap();
    assert_eq!(whole, parts);
    let other = Rules::new(Language::Bitboard, "hex-9x9", "hex-9x9");
    let failure = worker.load(&other, &Limits::default()).unwrap_err();
    assert_eq!(failure.verdict, Verdict::Unsupported);
}

#[test]
fn a_worker_that_is_killed_is_a_row_with_a_reason() {
    let mut worker = start_example();
    let pid = nix::unistd::Pid::from_raw(worker.pid() as i32);
    nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGKILL).unwrap();
    let job = Job { seed: 1, first: 0, count: 10, cap: 9 };
    let failure = worker.run(&job, Via::Fast, 1).unwrap_err();
    assert_eq!(failure.verdict, Verdict::Crashed);
    assert!(failure.reason.contains("signal: 9"), "{}", failure.reason);
    assert_eq!(worker.run(&job, Via::Fast, 1).unwrap_err(), failure, "it stays dead");
}

/// Programs that break the protocol in one way or another have different verdicts.
#[test]
fn broken_workers_are_told_apart() {
    let quick = Bounds { patience: std::time::Duration::from_secs(4), ..Bounds::default() };
    let start = |script: &str, bounds: &Bounds| {
        Worker::start(&python(&["-c", script]), bounds).expect_err("it is broken")
    };
    let impatient = Bounds { patience: std::time::Duration::from_millis(200), ..quick };
    let silent = start("import time; time.sleep(600)", &impatient);
    assert_eq!(silent.verdict, Verdict::Timeout, "{silent}");
    let babbler = start("print('hello there')", &quick);
    assert_eq!(babbler.verdict, Verdict::Crashed);
    assert!(babbler.reason.contains("not what the protocol says"), "{babbler}");
    let raiser = start("raise SystemExit('no licence')", &quick);
    assert!(raiser.reason.contains("no licence"), "{raiser}");
    let small = Bounds { memory: 256 << 20, ..Bounds::default() };
    let glutton = start("x = bytearray(1 << 30)", &small);
    assert_eq!(glutton.verdict, Verdict::TooLarge, "{glutton}");
    let missing = Program {
        engine: "none".to_owned(),
        lineage: "none".to_owned(),
        command: vec!["/nowhere/engine".to_owned()],
        languages: Vec::new(),
        version: Vec::new(),
    };
    let missing = Worker::start(&missing, &quick).expect_err("there is no such program");
    assert_eq!(missing.verdict, Verdict::Crashed, "{missing}");
}

#[test]
fn threads_do_not_change_a_tally() {
    let game = Toy::parse("1(2(=0,100 =100,0) 2(=50,50 1(=50,50 =100,0)))").unwrap().boxed();
    let mut subject = Local::new("toy", &*game);
    let job = Job { seed: 9, first: 17, count: 1001, cap: 9 };
    let one = subject.run(&job, Via::Fast, 1).unwrap().tally().unwrap();
    for threads in [2, 3, 8] {
        assert_eq!(one, subject.run(&job, Via::Fast, threads).unwrap().tally().unwrap());
    }
}

/// The findings of the check on the example without a library, whose text was changed at one place.
fn checked_with(from: &str, to: &str) -> Vec<String> {
    let text = std::fs::read_to_string(example("protocol.py")).unwrap();
    let changed = text.replacen(from, to, 1);
    assert!(changed != text, "the example has no {from:?}");
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), changed).unwrap();
    checked(file.path(), "tic-tac-toe-3x3")
}

/// The findings of the check on a program and a game of the catalogue.
fn checked(file: &Path, game: &str) -> Vec<String> {
    let catalogue = games::Catalogue::embedded().unwrap_or_else(|e| panic!("{e}"));
    let game = Entry::of_catalogue(catalogue.get(game).unwrap());
    let program = python(&[&file.to_string_lossy()]);
    let findings = engine_check::check(&program, &[game], &Bounds::default());
    assert!(findings.len() > 20 || findings.iter().any(|f| f.result.is_err()), "{findings:?}");
    let fault = |f: engine_check::Finding| Some(format!("{}: {}", f.what, f.result.err()?));
    findings.into_iter().filter_map(fault).collect()
}

#[test]
fn the_examples_pass_the_engine_check() {
    for (file, game) in EXAMPLES {
        assert_eq!(checked(&example(file), game), [""; 0], "{file}");
    }
}

/// A text of the example, what an author might have written instead, and words of the finding.
const MISTAKES: [(&str, &str, &str); 11] = [
    (
        "random.Random(request[\"seed\"] << 64 | identity)",
        "random",
        "the same job gives the same tally",
    ),
    ("plies_squared += length * length", "plies_squared += length", "contradict each other"),
    ("length < request[\"cap\"]", "True", "playouts of at most 1 plies have no more than"),
    ("len(squares) | 1 << 48", "len(squares)", "the fingerprint to depth 0"),
    ("(h * 0x9E3779B97F4A7C15", "(h * 0x9E3779B97F4A7C13", "folds the children"),
    (
        "counts[level] += 1",
        "counts[level] += 2",
        "`perft` to depth 2 is [18, 144], and `walk` shows [9, 72]",
    ),
    ("position[2] if result", "position[2] + 1 if result", "the 2 players count from 0"),
    ("\"scores\": result,", "\"scores\": result and result[:1],", "one for each of 2 players"),
    ("\"abc\"[square % 3]", "\"aaa\"[square % 3]", "the same label"),
    ("known else \"protocol\"", "known else \"unknown\"", "`via` that does not exist"),
    ("loaded and not loading", "loaded", "no game after a `load` that failed"),
];

/// Mistakes that authors make, each found by its own check.
#[test]
fn the_engine_check_names_what_is_broken() {
    for (from, to, words) in MISTAKES {
        let faults = checked_with(from, to);
        assert!(faults.iter().any(|fault| fault.contains(words)), "{to}: {faults:?}");
    }
}
