//! Replays games that another prover recorded on public rulesheets. Sheets and traces lie beside
//! the project, in `shared/corpus`; where they are not, this says so and passes. A normal run takes
//! a sample; `cargo test --release -p bench --test it engines::gdl::traces:: -- --ignored
//! --nocapture` takes all.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use gdl::ProverEngine;
use play::{Engine, Language, Limits, ReplayError, Rules};

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
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/corpus"));
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
    Agrees(u64),
    /// The recorder got nowhere.
    NoTrace,
    Differs(String),
    /// The sheet does not compile, for this reason.
    Refused(String),
}

fn replay(corpus: &Path, sheet: &str) -> Outcome {
    let bytes = fs::read(corpus.join("gdl").join(sheet)).unwrap();
    let rules = Rules::new(Language::Kif, sheet, String::from_utf8_lossy(&bytes));
    let trace = corpus.join("gdl-traces").join(sheet).with_extension("jsonl.gz");
    let mut record = String::new();
    let file = fs::File::open(trace).unwrap();
    flate2::read::GzDecoder::new(file).read_to_string(&mut record).unwrap();
    match ProverEngine.replay(&rules, &record, &Limits::default()) {
        Ok(replay) => match replay.difference {
            Some(difference) => Outcome::Differs(difference.to_string()),
            None if replay.agrees() => Outcome::Agrees(replay.plies),
            None => Outcome::NoTrace,
        },
        Err(ReplayError::Compile(error)) => {
            let first = error.diagnostics().iter().find(|d| d.is_error());
            Outcome::Refused(
                first.map_or_else(|| error.one_line(&rules.source), |d| d.code.to_owned()),
            )
        }
        Err(error) => panic!("{sheet}: {error:?}"),
    }
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
    let sample: Vec<String> = all.into_iter().step_by(18).collect();
    check(&corpus, &sample);
}

#[test]
#[ignore = "takes about a minute"]
fn all_recorded_games_are_the_same() {
    let Some(corpus) = corpus() else { return };
    check(&corpus, &sheets(&corpus.join("gdl")));
}
