//! Adapters of other people's systems, on stand-ins: `tests/peers` holds modules and classes with
//! the interface of each system and games written here. The systems themselves are checked by
//! `ggpbench peers check`, where they are installed.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use bench::client::{Bounds, Program, Worker};
use bench::engine_check;
use bench::engine_set::EngineSet;
use bench::entry::Entry;
use bench::protocol::Searches;
use bench::subject::{Local, Subject};
use bench::verify::{Effort, Expected, GameProof, PairProof, verify};
use play::{Job, Language, Limits, Rules, Via};
use reports::Verdict;

use crate::common;

fn adapters() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../engines/peers")
}

fn standins() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/peers")
}

/// The adapter of a peer in Python on the stand-in of its package, with a text of it exchanged.
struct Adapted {
    folder: tempfile::TempDir,
}

impl Adapted {
    fn new(peer: &str, from: &str, to: &str) -> Adapted {
        let folder = tempfile::tempdir().expect("there is room");
        let text = std::fs::read_to_string(adapters().join(peer).join("worker.py")).unwrap();
        let changed = text.replacen(from, to, 1);
        assert!(from == to || changed != text, "the adapter has no {from:?}");
        std::fs::write(folder.path().join("worker.py"), changed).unwrap();
        Adapted { folder }
    }

    /// The program that starts it, with these folders of modules.
    fn program(&self, peer: &str, modules: &[PathBuf]) -> Program {
        let paths: Vec<String> =
            modules.iter().map(|path| path.to_string_lossy().into_owned()).collect();
        let worker = self.folder.path().join("worker.py").to_string_lossy().into_owned();
        let path = format!("PYTHONPATH={}", paths.join(":"));
        // Nothing that is written beside the modules.
        let command = ["env", "PYTHONDONTWRITEBYTECODE=1", &path, "python3", &worker];
        Program {
            engine: peer.to_owned(),
            lineage: peer.to_owned(),
            command: command.map(str::to_owned).to_vec(),
            languages: vec!["bitboard".to_owned()],
            version: Vec::new(),
        }
    }

    fn on_standins(&self, peer: &str) -> Program {
        // The stand-in `lanes` is found before that of the adapters, which needs JAX.
        self.program(peer, &[standins().join("standins"), adapters().join("python-common")])
    }
}

fn load(program: &Program, language: Language, id: &str) -> Worker {
    let mut worker = Worker::start(program, &Bounds { memory: 0, ..Bounds::default() })
        .unwrap_or_else(|failure| panic!("{failure}"));
    let rules = common::rules(id, language);
    worker.load(&rules, &Limits::default()).unwrap_or_else(|failure| panic!("{failure}"));
    worker
}

/// The proof of a worker beside our hand-coded game, of little evidence if that shows what it
/// should.
fn proof(worker: Worker, id: &str, shows: impl Fn(&GameProof) -> bool) -> GameProof {
    let ours = common::compile("bitboard", id);
    let mut subjects: Vec<Box<dyn Subject>> =
        vec![Box::new(worker), Box::new(Local::new("bitboard", &*ours))];
    let verify = |effort: &Effort| verify(&mut subjects, &Expected::default(), effort);
    common::prove(&Effort::quick(3, 60), verify, shows)
}

/// True if both play the same, as far as was looked. On a busy machine there may be time for
/// fingerprints or for walks only.
fn is_ok(proof: &GameProof) -> bool {
    let compared = |pair: &PairProof| pair.depth + pair.walks >= 2;
    proof.engines.iter().all(|engine| engine.verdict == Verdict::Ok)
        && proof.pairs[0].result.as_ref().is_ok_and(compared)
}

fn assert_ok(proof: &GameProof, id: &str) {
    for engine in &proof.engines {
        assert_eq!(engine.verdict, Verdict::Ok, "{id}: {}: {}", engine.engine, engine.reason);
    }
    let pair = proof.pairs[0].result.as_ref().expect("they agree");
    assert!(is_ok(proof), "{id}: {pair:?}");
}

/// Games with forced passes, with passes that may be chosen, with chance and hidden cards, with
/// plies that the peer makes by itself, with players that are numbered otherwise, with another
/// score, and with words of a description exchanged.
const GAMES: [(&str, &str); 9] = [
    ("openspiel", "tic-tac-toe-3x3"),
    ("openspiel", "reversi-8x8"),
    ("openspiel", "go-9x9"),
    ("openspiel", "kuhn-poker"),
    ("openspiel", "goofspiel-5"),
    ("pgx", "tic-tac-toe-3x3"),
    ("pgx", "go-9x9"),
    ("ludax", "tic-tac-toe-3x3"),
    ("ludax", "tic-tac-toe-5x5"),
];

#[test]
fn adapters_play_the_games_of_the_catalogue() {
    for (peer, id) in GAMES {
        let adapted = Adapted::new(peer, "", "");
        let worker = load(&adapted.on_standins(peer), Language::Bitboard, id);
        let is_walked =
            |proof: &GameProof| proof.pairs[0].result.as_ref().is_ok_and(|p| p.walks > 0);
        let proof = proof(worker, id, |proof| is_ok(proof) && is_walked(proof));
        assert_ok(&proof, id);
        assert!(is_walked(&proof), "{peer} {id}: {:?}", proof.pairs);
        let pair = proof.pairs[0].result.as_ref().expect("they agree");
        let matched = pair.matching == bench::verify::Matching::Labels;
        assert!(matched, "{peer} {id}: labels are not those of the catalogue: {pair:?}");
    }
}

/// A mistake in an adapter: the peer, the game, a text of it, what stands there instead.
const MISTAKES: [(&str, &str, &str, &str); 6] = [
    ("openspiel", "reversi-8x8", "passing=64", "passing=None"),
    (
        "openspiel",
        "kuhn-poker",
        "(\"jack\", \"queen\", \"king\")",
        "(\"jack\", \"queen\", \"ace\")",
    ),
    ("openspiel", "kuhn-poker", "item.player >= 0", "item.player >= -1"),
    ("openspiel", "goofspiel-5", "last=2", "last=0"),
    ("pgx", "tic-tac-toe-3x3", "self.order = [(first + seat)", "self.order = [(seat)"),
    (
        "ludax",
        "tic-tac-toe-5x5",
        "('\"token\" 3', '\"token\" 5')",
        "('\"token\" 3', '\"token\" 4')",
    ),
];

#[test]
fn mistakes_of_adapters_are_found() {
    for (peer, id, from, to) in MISTAKES {
        let adapted = Adapted::new(peer, from, to);
        let is_found = |proof: &GameProof| {
            matches!(proof.engines[0].verdict, Verdict::Wrong | Verdict::Disputed)
        };
        let worker = load(&adapted.on_standins(peer), Language::Bitboard, id);
        let proof = proof(worker, id, is_found);
        assert!(is_found(&proof), "{peer} {id} with {to}: {}", proof.engines[0].verdict);
    }
}

/// Games of Go by bots, each with the passes that its adapter calls forced and those that were.
const PASSES: &str = "
import pyspiel, worker
game = worker.load('go-9x9')
for seed in range(12):
    state = game.peer.new_initial_state()
    bots = [pyspiel.make_uniform_random_bot(player, 2 * seed + player) for player in (0, 1)]
    pyspiel.evaluate_bots(state, bots, 0)
    again, forced = game.peer.new_initial_state(), 0
    for action in state.history():
        forced += again.legal_actions() == [81]
        again.apply_action(action)
    print(len(state.history()) - game.plies(state), forced, state.history().count(81))
";

#[test]
fn passes_that_were_forced_are_told_from_those_that_were_chosen() {
    let adapted = Adapted::new("openspiel", "", "");
    let mut command = adapted.on_standins("openspiel").command;
    command.pop();
    let path = adapted.folder.path().to_string_lossy();
    let script = format!("import sys; sys.path.insert(0, {path:?})\n{PASSES}");
    let output = Command::new(&command[0]).args(&command[1..]).args(["-c", &script]).output();
    let output = output.expect("it runs");
    assert!(output.status.success(), "{}", text(&output));
    let said = text(&output);
    let (mut forced, mut chosen) = (0, 0);
    for line in said.lines() {
        let numbers: Vec<u32> = line.split(' ').map(|n| n.parse().expect("a number")).collect();
        let [found, were, all] = numbers[..] else { panic!("{said}") };
        assert_eq!(found, were, "{said}");
        (forced, chosen) = (forced + were, chosen + all - were);
    }
    assert!(forced > 0 && chosen > 0, "{said}");
}

/// A position of Go that comes back is a draw, for whoever Pgx has lose it.
#[test]
fn repetitions_are_draws() {
    for peer in ["openspiel", "pgx"] {
        let adapted = Adapted::new(peer, "", "");
        let mut worker = load(&adapted.on_standins(peer), Language::Bitboard, "go-9x9");
        let (mut path, mut view) = (Vec::new(), worker.look(&[], 0, 0).expect("it starts"));
        for label in ["b2", "b1", "c2", "a2", "d1", "c1", "a1", "b1"] {
            assert_eq!(view.scores, None, "{peer} before {label}");
            path.push(view.labels.iter().position(|l| l == label).expect("it is legal"));
            view = worker.look(&path, 0, 0).expect("it goes on");
        }
        assert_eq!(view.scores, Some(vec![50, 50]), "{peer}");
    }
}

#[test]
fn adapters_keep_the_protocol() {
    let catalogue = games::Catalogue::embedded().unwrap_or_else(|e| panic!("{e}"));
    // Kuhn poker has cards to be dealt.
    for (peer, id) in [
        ("openspiel", "tic-tac-toe-3x3"),
        ("openspiel", "kuhn-poker"),
        ("pgx", "tic-tac-toe-3x3"),
        ("ludax", "tic-tac-toe-3x3"),
    ] {
        let game = Entry::of_catalogue(catalogue.get(id).unwrap());
        let adapted = Adapted::new(peer, "", "");
        let program = adapted.on_standins(peer);
        let findings =
            engine_check::check(&program, std::slice::from_ref(&game), &Bounds::default());
        assert!(findings.len() > 20, "{peer}: {findings:?}");
        for finding in findings {
            assert!(finding.result.is_ok(), "{peer}: {finding:?}");
        }
    }
}

/// A game whose rules differ is measured, and neither compared nor called proven.
#[test]
fn other_rules_are_said_and_not_held_against_anybody() {
    let id = "tic-tac-toe-3x3";
    let edit = "grid(3, 3), variant=\"another board\")";
    let adapted = Adapted::new("openspiel", "grid(3, 3))", edit);
    let worker = load(&adapted.on_standins("openspiel"), Language::Bitboard, id);
    let proof = proof(worker, id, |_| true);
    let [peer, ours] = &proof.engines[..] else { panic!("{proof:?}") };
    assert_eq!(peer.verdict, Verdict::Unchecked);
    assert_eq!(peer.reason, "plays by other rules: another board");
    assert_eq!(ours.verdict, Verdict::Unchecked, "there is nobody to compare it with");
    assert!(proof.pairs.is_empty(), "{:?}", proof.pairs);
}

#[test]
fn a_peer_that_cannot_be_imported_or_is_of_another_version_says_so() {
    for peer in ["openspiel", "pgx", "ludax"] {
        let adapted = Adapted::new(peer, "", "");
        // No stand-in, and whatever this machine has is not looked at.
        let nothing = adapted.program(peer, &[adapters().join("python-common")]);
        let mut command = nothing.command.clone();
        command.insert(4, "-S".to_owned());
        let program = Program { command, ..nothing };
        let failure = Worker::start(&program, &Bounds::default()).expect_err("there is no package");
        assert_eq!(failure.verdict, Verdict::Unsupported, "{failure}");
        let line = format!("`ggpbench peers install {peer} --again`");
        assert!(failure.reason.contains("cannot be imported"), "{failure}");
        assert!(failure.reason.contains(&line), "{failure}");

        let old = Adapted::new(peer, "VERSION = \"", "VERSION = \"9.");
        let failure = Worker::start(&old.on_standins(peer), &Bounds::default())
            .expect_err("the stand-in is older");
        assert_eq!(failure.verdict, Verdict::Unsupported, "{failure}");
        assert!(failure.reason.contains("and the adapter is for 9."), "{failure}");
        assert!(failure.reason.contains(&line), "{failure}");
    }
}

fn run(root: &Path, arguments: &[&str]) -> Output {
    let mut command = common::command(root, arguments);
    command.env("GGPBENCH_PEERS", root.join("peers")).output().expect("it runs")
}

fn text(output: &Output) -> String {
    [&output.stdout[..], &output.stderr].map(String::from_utf8_lossy).concat()
}

/// A Python that makes environments of itself and installs nothing: its packages are the stand-ins.
fn false_python(root: &Path) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let path = root.join("python");
    let script = format!(
        "#!/bin/sh\ncase \"$1 $2\" in\n\
         '-m venv') mkdir -p \"$3/bin\" && cp \"$0\" \"$3/bin/python\" ;;\n\
         '-m pip') echo \"pip $*\" > {log} ;;\n\
         '-c '*) exec python3 \"$@\" ;;\n\
         *) PYTHONDONTWRITEBYTECODE=1 PYTHONPATH={standins} exec python3 \"$@\" ;;\nesac\n",
        log = root.join("pip.log").display(),
        standins = standins().join("standins").display(),
    );
    std::fs::write(&path, script).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

#[test]
fn a_peer_is_installed_listed_checked_and_played() {
    let root = tempfile::tempdir().expect("there is room");
    let root = root.path();
    let python = false_python(root).to_string_lossy().into_owned();

    // Before: rows with the reason, and the line that helps.
    let quick = ["--protocol", "0.05s", "--processes", "1", "--rounds", "1", "-q"];
    let measure =
        [&["run", "tic-tac-toe-3x3", "--engines", "openspiel,bitboard"], &quick[..]].concat();
    let output = run(root, &[&measure[..], &["--no-verify", "--out", "before"]].concat());
    let said = text(&output);
    assert!(output.status.success(), "a missing peer is an answer, no failure: {said}");
    let rows = std::fs::read_to_string(root.join("before/measurements.csv")).unwrap();
    let row = rows.lines().find(|row| row.contains(",openspiel,")).expect("it has a row");
    assert!(row.contains("unsupported"), "{row}");
    assert!(row.contains("OpenSpiel is not installed"), "{row}");
    assert!(row.contains("`ggpbench peers install openspiel` does it"), "{row}");
    let list = text(&run(root, &["peers", "list"]));
    for word in ["openspiel", "pgx", "ludax", "ludii", "ggp-base", "is not installed"] {
        assert!(list.contains(word), "{list}");
    }

    let output = run(root, &["peers", "install", "openspiel", "--python", &python]);
    assert!(output.status.success(), "{}", text(&output));
    assert!(text(&output).contains("OpenSpiel 2.0.2 is installed"), "{}", text(&output));
    let pip = std::fs::read_to_string(root.join("pip.log")).unwrap();
    assert!(pip.contains("--requirement") && pip.contains("requirements.txt"), "{pip}");
    let twice = run(root, &["peers", "install", "openspiel", "--python", &python]);
    assert!(!twice.status.success() && text(&twice).contains("--again"), "{}", text(&twice));
    let again = run(root, &["peers", "install", "openspiel", "--again", "--python", &python]);
    assert!(again.status.success(), "{}", text(&again));

    assert!(text(&run(root, &["peers", "list"])).contains("installed"));
    let check = run(root, &["peers", "check"]);
    assert!(check.status.success(), "{}", text(&check));
    assert!(text(&check).contains("openspiel: OpenSpiel 2.0.2, "), "{}", text(&check));
    let output = run(root, &[&measure[..], &["--out", "after"]].concat());
    assert!(output.status.success(), "{}", text(&output));
    let rows = std::fs::read_to_string(root.join("after/measurements.csv")).unwrap();
    let sample = rows.lines().find(|row| row.contains(",openspiel,") && row.contains(",sample,"));
    // On a busy machine the harness may say of a worker that waited that it was idle.
    let fine = |row: &&str| row.contains(",ok,") || row.contains(",unchecked,its process was idle");
    assert!(sample.is_some_and(|row| fine(&row)), "{rows}");
    // With --peers all that pip could install have rows, whether or not they are there.
    let verify = ["verify", "tic-tac-toe-3x3", "--peers", "--seconds", "0.05", "-q"];
    let all = text(&run(root, &verify));
    for word in ["openspiel", "pgx", "ludax", "unsupported"] {
        assert!(all.contains(word), "{all}");
    }
    assert!(!all.contains("ludii"), "{all}");

    // What is no installation is left alone, and bad arguments are usage.
    std::fs::create_dir(root.join("peers/pgx")).unwrap();
    std::fs::write(root.join("peers/pgx/mine.txt"), "mine").unwrap();
    let output = run(root, &["peers", "install", "pgx", "--again", "--python", &python]);
    assert!(text(&output).contains("holds something else"), "{}", text(&output));
    assert!(root.join("peers/pgx/mine.txt").is_file());
    let output = run(root, &["peers", "install", "ludx"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output).contains("did you mean `ludax`?"), "{}", text(&output));
    let output = run(root, &["peers", "install", "ludii"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output).contains("Ludii.jar"), "{}", text(&output));
}

/// The sources below a folder.
fn java_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).expect("sources are there") {
        let path = entry.expect("it can be read").path();
        if path.is_dir() {
            files.extend(java_files(&path));
        } else {
            files.push(path);
        }
    }
    files
}

/// The program of a peer that is installed in a folder.
fn installed(root: &Path, peer: &str) -> Program {
    let file = root.join("peers").join(peer).join("engine.toml");
    let engines = EngineSet::new(Some(&file), &[], None).expect("it is sound");
    engines.external().next().expect("it names an engine").clone()
}

#[test]
fn pgx_searches() {
    let adapted = Adapted::new("pgx", "", "");
    searches(&adapted.on_standins("pgx"), Language::Bitboard, "the stand-in's own searches");
}

/// A peer searches by itself, and says so: nobody can check that.
fn searches(peer: &Program, language: Language, says: &str) {
    let bounds = Bounds { memory: 0, ..Bounds::default() };
    let mut worker = Worker::start(peer, &bounds).expect("it starts");
    let rules = common::rules("tic-tac-toe-3x3", language);
    let recorded = [["b2", "a1", "c3"].map(str::to_owned).to_vec()];
    let searches = Searches { simulations: 20, recorded: &recorded };
    let loaded = worker.load_searches(&rules, &Limits::default(), searches).expect("it searches");
    assert!(loaded.variant.contains(says), "{}", loaded.variant);
    let job = Job { seed: 3, first: 7, count: 30, cap: 60 };
    let ran = worker.run(&job, Via::Fast, 1).expect("it searches");
    assert_eq!((ran.playouts, ran.plies), (30, 0));
    assert!(worker.run(&job, Via::Reference, 1).is_err(), "it has one way to search");
}

#[test]
fn java_systems_are_compiled_against_and_played() {
    if Command::new("javac").arg("-version").output().is_err() {
        eprintln!("skipped: there is no javac here");
        return;
    }
    let root = tempfile::tempdir().expect("there is room");
    let root = root.path();
    for (peer, language) in [("ludii", Language::Lud), ("ggp-base", Language::Kif)] {
        // What the user would have: a folder of classes.
        let classes = root.join(format!("{peer}-classes"));
        let compiled = Command::new("javac")
            .arg("-d")
            .arg(&classes)
            .args(java_files(&standins().join("java").join(peer)))
            .output()
            .unwrap();
        assert!(compiled.status.success(), "{}", text(&compiled));
        let jar = classes.to_string_lossy().into_owned();
        let output = run(root, &["peers", "install", peer, "--jar", &jar]);
        assert!(output.status.success(), "{}", text(&output));
        let program = installed(root, peer);
        assert_eq!(program.engine, peer);
        let worker = load(&program, language, "tic-tac-toe-3x3");
        let proof = proof(worker, "tic-tac-toe-3x3", is_ok);
        assert_ok(&proof, peer);

        let mut worker = load(&program, language, "tic-tac-toe-3x3");
        let nonsense = Rules::new(language, "nonsense", "(no game)");
        let failure = worker.load(&nonsense, &Limits::default()).expect_err("it is no game");
        assert_eq!(failure.verdict, Verdict::Invalid, "{failure}");
    }
    searches(&installed(root, "ludii"), Language::Lud, "Ludii's own search");
    let output = run(root, &["peers", "install", "ludii", "--again", "--jar", "nowhere.jar"]);
    assert!(text(&output).contains("there is no nowhere.jar"), "{}", text(&output));
    let empty = root.join("empty");
    std::fs::create_dir(&empty).unwrap();
    let empty = empty.to_string_lossy().into_owned();
    let output = run(root, &["peers", "install", "ludii", "--again", "--jar", &empty]);
    assert!(!output.status.success(), "there is no Ludii in an empty folder");
    assert!(text(&output).contains("does not compile with these classes"), "{}", text(&output));
    assert!(text(&run(root, &["peers", "list"])).contains("was not installed to the end"));
}
