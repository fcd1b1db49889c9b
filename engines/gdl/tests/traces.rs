//! Replays games that another prover recorded on public rulesheets. Sheets and traces lie beside the
//! project, in `shared/corpus`; where they are not, this says so and passes. A normal run takes a
//! sample; `cargo test -p gdl --release --test traces -- --ignored --nocapture` takes all.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use gdl::{Action, ProverGame, ProverState};
use play::{CompileError, Limits};
use serde_json::Value;
use text::Source;

/// Sheets that break the rules of the language; the recorder took them in its own way.
const INVALID: [(&str, &str); 6] = [
    ("ggp-base/test_case_3b.kif", "unsafe-rule"),
    ("ggp-base/test_case_3e.kif", "unsafe-rule"),
    ("ggp-base/test_case_3f.kif", "unsafe-rule"),
    ("sancho/Modified-ticTacToe2.kif", "unsafe-rule"),
    ("sancho/simultaneousTicTacToe.kif", "unsafe-rule"),
    ("stanford/firesheep.kif", "dependency"),
];

/// Sheets whose traces are wrong, and why.
const MISTAKEN: [(&str, &str); 3] = [
    (
        "base/alexChess.kif",
        "misses moves that a left-recursive rule allows, such as Bc1-d2 after d4",
    ),
    ("ggp-base/test_case_3a.kif", "takes `(open2)` and `open2` for different relations"),
    ("sancho/anon.kif", "takes `(p)` and `p` for different facts"),
];

fn corpus() -> Option<PathBuf> {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/corpus"));
    if !path.join("gdl").is_dir() {
        eprintln!("skipped: there is no {}", path.display());
        return None;
    }
    Some(path.to_owned())
}

/// The sheets, as paths below the folder, sorted.
fn sheets(folder: &Path) -> Vec<String> {
    let mut all = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "kif") {
                all.push(path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned());
            }
        }
    }
    all.sort();
    all
}

enum Outcome {
    /// So many steps were the same.
    Agrees(usize),
    /// The recorder got nowhere.
    NoTrace,
    Differs(String),
    /// The sheet does not compile, for this reason.
    Refused(String),
}

fn replay(corpus: &Path, sheet: &str) -> Outcome {
    let bytes = fs::read(corpus.join("gdl").join(sheet)).unwrap();
    let source = Source::new(sheet, String::from_utf8_lossy(&bytes));
    let game = match ProverGame::new(&source, &Limits::default()) {
        Ok((game, _)) => game,
        Err(error @ CompileError::Invalid(_)) => {
            let errors = error.diagnostics().iter().find(|d| d.is_error());
            return Outcome::Refused(errors.map_or("none", |d| d.code).to_owned());
        }
        Err(error) => return Outcome::Refused(error.one_line(&source)),
    };
    let trace = corpus.join("gdl-traces").join(sheet).with_extension("jsonl.gz");
    let mut text = String::new();
    let file = fs::File::open(trace).unwrap();
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).unwrap();
    let mut lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    if lines.next().unwrap().get("error").is_some() {
        return Outcome::NoTrace;
    }
    let mut state = game.start();
    let mut steps = 0;
    for line in lines {
        if line.get("trial").is_some() {
            state = game.start();
        } else if let Some(end) = line.get("end") {
            if let Err(difference) = compare_end(&game, &mut state, end, &line) {
                return Outcome::Differs(format!("at the end, step {steps}: {difference}"));
            }
        } else {
            match compare_step(&game, &mut state, &line) {
                Ok(joint) => joint.into_iter().for_each(|action| game.choose(&mut state, action)),
                Err(difference) => return Outcome::Differs(format!("step {steps}: {difference}")),
            }
            steps += 1;
        }
    }
    Outcome::Agrees(steps)
}

/// Compares the legal actions of all roles; gives the joint action that was taken.
fn compare_step(
    game: &ProverGame,
    state: &mut ProverState,
    line: &Value,
) -> Result<Vec<Action>, String> {
    if game.is_terminal(state) {
        return Err("over too early".to_owned());
    }
    let mut joint = Vec::new();
    for role in 0..game.program().roles.len() {
        let legal = game.legal(state, role);
        let mut texts: Vec<String> = legal.iter().map(|&a| game.action_text(state, a)).collect();
        let does = line["does"][role].as_str().unwrap();
        let place = texts.iter().position(|text| text == does);
        joint.push(legal[place.ok_or_else(|| format!("no {does} in {texts:?}"))?]);
        texts.sort();
        let same = match &line["legal"][role] {
            Value::Array(all) => all.iter().map(|v| v.as_str().unwrap()).eq(&texts),
            hash => hash.as_str().unwrap() == format!("#{:016x}", fnv(&texts.join(" "))),
        };
        if !same || line["n"][role].as_u64() != Some(texts.len() as u64) {
            return Err(format!("role {role} may {texts:?}, and not {}", line["legal"][role]));
        }
    }
    Ok(joint)
}

fn compare_end(
    game: &ProverGame,
    state: &mut ProverState,
    end: &Value,
    line: &Value,
) -> Result<(), String> {
    if end.as_str() != Some("over") {
        return Ok(());
    }
    if !game.is_terminal(state) {
        return Err("not over".to_owned());
    }
    for (role, goal) in line["goals"].as_array().unwrap().iter().enumerate() {
        let goals = game.goals(state, role);
        let single = match goals[..] {
            [goal] => goal.parse().unwrap_or(-1),
            _ => -1,
        };
        if goal.as_i64() != Some(single) {
            return Err(format!("goals of role {role} are {goals:?}, and not {goal}"));
        }
    }
    Ok(())
}

/// FNV-1a, 64 bits.
fn fnv(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Replays these sheets; panics where one neither agrees nor is known not to.
fn check(corpus: &Path, sheets: &[String]) {
    let (mut loaded, mut agree, mut steps) = (0, 0, 0);
    let mut faults = Vec::new();
    for sheet in sheets {
        let outcome = replay(corpus, sheet);
        loaded += usize::from(!matches!(outcome, Outcome::Refused(_)));
        let known = |list: &[(&'static str, &'static str)]| {
            list.iter().find(|(name, _)| name == sheet).map(|&(_, why)| why)
        };
        match outcome {
            Outcome::Agrees(n) => {
                agree += 1;
                steps += n;
            }
            Outcome::NoTrace => {}
            Outcome::Refused(why) if known(&INVALID) == Some(&why) => {}
            Outcome::Differs(_) if known(&MISTAKEN).is_some() => {}
            Outcome::Differs(why) => faults.push(format!("{sheet} differs: {why}")),
            Outcome::Refused(why) => faults.push(format!("{sheet} does not load: {why}")),
        }
    }
    eprintln!("{loaded} of {} sheets load, {agree} traces agree, {steps} steps", sheets.len());
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(agree * 10 >= sheets.len() * 9, "only {agree} traces were compared");
}

#[test]
fn a_sample_of_recorded_games_is_the_same() {
    let Some(corpus) = corpus() else { return };
    let all = sheets(&corpus.join("gdl"));
    let sample: Vec<String> = all.into_iter().step_by(9).collect();
    check(&corpus, &sample);
}

#[test]
#[ignore = "takes about a minute"]
fn all_recorded_games_are_the_same() {
    let Some(corpus) = corpus() else { return };
    check(&corpus, &sheets(&corpus.join("gdl")));
}
