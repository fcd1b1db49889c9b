//! Helpers that the tests of the harness share.
#![allow(dead_code, reason = "each test uses its own part")]

pub(crate) mod pairs;

use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

use bench::client::Program;
use bench::verify::{Effort, GameProof};
use play::{Game, Language, Limits, Rules};
use reports::{Cell, Verdict};

/// Nature deals, in a step of its own, and one player guesses the card.
pub(crate) const GUESS: &str = "
(role guesser) (role random)
(init (step 1))
(card 1) (card 2) (card 3)
(<= (legal random (deal ?c)) (true (step 1)) (card ?c))
(<= (legal random noop) (true (step 2)))
(<= (legal guesser noop) (true (step 1)))
(<= (legal guesser (guess ?c)) (true (step 2)) (card ?c))
(<= (next (step 2)) (true (step 1)))
(<= (next (step 3)) (true (step 2)))
(<= (next (drawn ?c)) (does random (deal ?c)))
(<= (next (drawn ?c)) (true (drawn ?c)))
(<= (next (said ?c)) (does guesser (guess ?c)))
(<= right (true (said ?c)) (true (drawn ?c)))
(<= terminal (true (step 3)))
(<= (goal guesser 100) right)
(<= (goal guesser 0) (not right))
(<= (goal random 0) (true (step ?n)))
";

/// Two players name heads or tails at the same time; the first wins if they agree.
pub(crate) const COIN: &str = "
(role even) (role odd)
(init (round 1))
(<= (legal ?p heads) (role ?p) (true (round 1)))
(<= (legal ?p tails) (role ?p) (true (round 1)))
(<= (next same) (does even ?c) (does odd ?c))
(<= (next (round 2)) (true (round 1)))
(<= terminal (true (round 2)))
(<= (goal even 100) (true same))
(<= (goal even 0) (not (true same)))
(<= (goal odd 100) (not (true same)))
(<= (goal odd 0) (true same))
";

/// A lone king each that steps about for ever.
pub(crate) const ENDLESS: &str = r#"
(game "Endless"
    (players 2)
    (equipment {
        (board (square 4))
        (piece "Walker" Each (move Step (to if:(is Empty (to)))))
    })
    (rules
        (start { (place "Walker1" (sites {"A1"})) (place "Walker2" (sites {"D4"})) })
        (play (forEach Piece))
        (end (if (no Pieces Mover) (result Mover Loss)))
    )
)
"#;

/// The command `ggpbench`, to be run in a folder; its tables are as wide as they are.
pub(crate) fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ggpbench"));
    command.current_dir(folder).env_remove("COLUMNS").args(arguments);
    command
}

/// Runs `ggpbench` in a folder; returns its output.
pub(crate) fn ggpbench(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments).output().expect("ggpbench starts")
}

/// The text that a program wrote to its standard output.
pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The text that a program wrote to its standard error.
pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The rules of a game of the catalogue in one language.
pub(crate) fn rules(id: &str, language: Language) -> Rules {
    let catalogue = games::Catalogue::embedded().unwrap_or_else(|e| panic!("{e}"));
    let game = catalogue.get(id).unwrap_or_else(|e| panic!("{e}"));
    game.rules_in(language).unwrap_or_else(|| panic!("{id} has no .{language}"))
}

/// A game of the catalogue on one of our engines.
pub(crate) fn compile(engine: &str, id: &str) -> Box<dyn Game> {
    let engine = roster::engine(engine).expect("it is in the roster");
    compile_rules(&*engine, &rules(id, engine.languages()[0]))
}

/// Rules on an engine.
pub(crate) fn compile_rules(engine: &dyn play::Engine, rules: &Rules) -> Box<dyn Game> {
    match engine.compile(rules, &Limits::default()) {
        Ok(compiled) => compiled.game,
        Err(error) => {
            let shown: Vec<String> =
                error.diagnostics().iter().map(|d| d.render(&rules.source)).collect();
            panic!("{} on {}: {error:?}\n{}", engine.id(), rules.source.name(), shown.join("\n"))
        }
    }
}

/// A worker in Python, started with these arguments.
pub(crate) fn python(arguments: &[&str]) -> Program {
    let command = std::iter::once("python3").chain(arguments.iter().copied());
    Program {
        engine: "python".to_owned(),
        lineage: "python".to_owned(),
        command: command.map(str::to_owned).collect(),
        languages: vec!["bitboard".to_owned()],
        version: Vec::new(),
    }
}

/// The worked example without a library under a name, with something changed: `script` runs after
/// `import protocol as t`, and before `t.main()`.
pub(crate) fn example(engine: &str, script: &str) -> Program {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../engines/example");
    let script = format!(
        "import json, os, signal, sys, threading, time\nsys.path.insert(0, {folder:?})\n\
         sys.dont_write_bytecode = True\nimport protocol as t\n{script}\nt.main()"
    );
    let program = python(&["-c", &script]);
    Program { engine: engine.to_owned(), lineage: engine.to_owned(), ..program }
}

/// True if a figure stands beside a proof. On a busy machine the harness may say of a worker that
/// waited that it was idle.
pub(crate) fn is_proven(cell: &Cell) -> bool {
    let waited = || cell.reason().starts_with("its process was idle");
    cell.verdict() == Verdict::Ok || cell.verdict() == Verdict::Unchecked && waited()
}

/// Verifies with more and more time until the proof shows what it should, and gives the last proof.
/// Most shows within milliseconds; how long the rest takes depends on how busy the machine is.
pub(crate) fn prove(
    effort: &Effort,
    mut verify: impl FnMut(&Effort) -> GameProof,
    shows: impl Fn(&GameProof) -> bool,
) -> GameProof {
    let mut time = Duration::from_millis(12);
    loop {
        let proof = verify(&Effort { time, ..*effort });
        if shows(&proof) || time > Duration::from_secs(2) {
            return proof;
        }
        time *= 3;
    }
}

/// The verdicts of a proof, in the order of its engines.
pub(crate) fn verdicts(proof: &GameProof) -> Vec<Verdict> {
    proof.engines.iter().map(|engine| engine.verdict).collect()
}
