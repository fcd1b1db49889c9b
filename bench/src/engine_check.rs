//! Conformance of an external engine to the worker protocol, one promise at a time.
//!
//! `verify` says *that* an engine is wrong, in terms of games. This says *what* its author got
//! wrong, in terms of requests and answers: sums that do not add up, a job that cannot be split, a
//! fingerprint that is computed differently. It needs no other engine.

use std::collections::BTreeSet;

use play::{Job, Language, Limits, Rng, Rules, Via, tree};
use serde_json::Value;

use crate::client::{Bounds, Program, Worker};
use crate::entry::Entry;
use crate::failure::Failure;
use crate::protocol::{Loaded, Reply, Request, Searches, View};
use crate::subject::Subject;

/// One promise of the protocol, and whether the engine keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The promise.
    pub what: String,
    /// A remark, often empty; or how the promise is broken.
    pub result: Result<String, String>,
}

/// Positions that a search may visit.
const BUDGET: u64 = 1 << 20;
/// Playouts of a job.
const PLAYOUTS: u64 = 60;
/// Plies after which a walk is given up.
const LONGEST_WALK: usize = 400;
/// Outcomes of chance that are looked at one by one.
const MOST_OUTCOMES: u64 = 200;
/// Children of a position that are looked at one by one.
const MOST_CHILDREN: usize = 40;

/// Checks a program on the first of these games that it loads. The first failure that leaves
/// nothing to talk to ends the check.
pub fn check(program: &Program, games: &[Entry], bounds: &Bounds) -> Vec<Finding> {
    let mut findings = Findings(Vec::new());
    let _ = converse(program, games, bounds, &mut findings);
    findings.0
}

/// The engine is not to be talked to any more; the reason is among the findings.
struct Ended;

struct Findings(Vec<Finding>);

impl Findings {
    fn add(&mut self, what: &str, result: Result<String, String>) -> bool {
        let kept = result.is_ok();
        self.0.push(Finding { what: what.to_owned(), result });
        kept
    }

    fn that(&mut self, what: &str, kept: bool, fault: impl FnOnce() -> String) -> bool {
        self.add(what, if kept { Ok(String::new()) } else { Err(fault()) })
    }

    /// The value of an answer; a failure is a finding, and ends the check.
    fn take<T>(&mut self, what: &str, answer: Result<T, Failure>) -> Result<T, Ended> {
        answer.map_err(|failure| {
            self.add(what, Err(failure.to_string()));
            Ended
        })
    }
}

fn converse(
    program: &Program,
    games: &[Entry],
    bounds: &Bounds,
    findings: &mut Findings,
) -> Result<(), Ended> {
    let mut worker = findings.take("answers `hello`", Worker::start(program, bounds))?;
    greeting(&worker, findings);
    manners(&mut worker, findings)?;
    let (loaded, cap) = load(&mut worker, games, findings)?;
    playouts(&mut worker, cap, findings)?;
    walks(&mut worker, findings)?;
    if loaded.outcomes {
        outcomes(&mut worker, findings)?;
    }
    searches(&mut worker, &loaded, findings)?;
    refusals(&mut worker, findings)
}

fn greeting(worker: &Worker, findings: &mut Findings) {
    let Some(hello) = worker.hello() else { return };
    findings.add("answers `hello`", Ok(format!("{} {}", hello.engine, hello.version)));
    findings.that("has a name", !hello.engine.trim().is_empty(), || "`engine` is empty".to_owned());
    let strange: Vec<&String> =
        hello.languages.iter().filter(|l| l.parse::<Language>().is_err()).collect();
    findings.that(
        "reads languages that exist",
        strange.is_empty() && !hello.languages.is_empty(),
        || {
            format!(
                "`languages` is {:?}; there are lud, kif, rbg, rg and bitboard",
                hello.languages
            )
        },
    );
    findings.that("names its random generator", !hello.rng.is_empty(), || {
        "`rng` is empty; name the generator, since it alone moves figures".to_owned()
    });
}

/// Checks that an engine answers requests that it cannot serve with an error, and lives.
fn manners(worker: &mut Worker, findings: &mut Findings) -> Result<(), Ended> {
    let what = "answers a command that it does not know with an error of kind `unknown`";
    match findings.take(what, worker.exchange::<Value>(r#"{"cmd":"juggle"}"#, "juggle"))? {
        Reply::Error(refusal) => findings
            .that(what, refusal.kind == "unknown", || format!("the kind is `{}`", refusal.kind)),
        Reply::Ok(value) => findings.add(what, Err(format!("it answers {value}"))),
    };
    let what = "refuses to play before a game is loaded";
    let job = Job { seed: 1, first: 0, count: 1, cap: 10 };
    let line = serde_json::to_string(&Request::run(&job, Via::Fast, 1)).unwrap_or_default();
    match findings.take(what, worker.exchange::<Value>(&line, "run"))? {
        Reply::Error(_) => findings.add(what, Ok(String::new())),
        Reply::Ok(value) => findings.add(what, Err(format!("it answers {value}"))),
    };
    let languages = worker.hello().map_or_else(Vec::new, |hello| hello.languages.clone());
    for language in languages.iter().filter_map(|name| name.parse::<Language>().ok()) {
        let what = format!("refuses .{language} rules that are no rules, and lives");
        let rules = Rules::new(language, "nonsense", "((no such game");
        let line =
            serde_json::to_string(&Request::load(&rules, &Limits::default(), Searches::default()));
        let reply = worker.exchange::<Value>(&line.unwrap_or_default(), "load");
        match findings.take(&what, reply)? {
            Reply::Error(refusal) => {
                let kinds = ["invalid", "unsupported", "too large"];
                findings.that(
                    &what,
                    kinds.contains(&refusal.kind.as_str()) && !refusal.message.is_empty(),
                    || {
                        format!(
                            "kind `{}` with message {:?}; say `invalid` or `unsupported`, and why",
                            refusal.kind, refusal.message
                        )
                    },
                )
            }
            Reply::Ok(_) => findings.add(&what, Err("it loads `((no such game`".to_owned())),
        };
    }
    Ok(())
}

/// Loads the first game that the engine takes.
fn load(
    worker: &mut Worker,
    games: &[Entry],
    findings: &mut Findings,
) -> Result<(Loaded, u32), Ended> {
    let what = "loads a game";
    let languages = worker.hello().map_or_else(Vec::new, |hello| hello.languages.clone());
    let mut last = "it reads no language of any game; name one that it plays".to_owned();
    for game in games {
        for rules in &game.descriptions {
            if !languages.iter().any(|name| name == rules.language.name()) {
                continue;
            }
            let loaded = worker.load(rules, &Limits::default()).cloned();
            match loaded {
                Ok(loaded) => {
                    findings.add(what, Ok(game.id.clone()));
                    findings.that("the game has players", loaded.players > 0, || {
                        "`players` is 0".to_owned()
                    });
                    return Ok((loaded, game.cap));
                }
                Err(failure) if worker.is_dead() => {
                    findings.add(what, Err(format!("{}: {failure}", game.id)));
                    return Err(Ended);
                }
                Err(failure) => last = format!("{}: {failure}", game.id),
            }
        }
    }
    findings.add(what, Err(last));
    Err(Ended)
}

fn playouts(worker: &mut Worker, cap: u32, findings: &mut Findings) -> Result<(), Ended> {
    let what = "plays a job";
    let job = |first, count| Job { seed: 5, first, count, cap };
    let whole = findings.take(what, worker.run(&job(0, PLAYOUTS), Via::Fast, 1))?;
    findings.add(what, Ok(format!("{} plies in {PLAYOUTS} playouts", whole.plies)));
    let again = findings.take(what, worker.run(&job(0, PLAYOUTS), Via::Fast, 1))?;
    let what = "the same job gives the same tally";
    findings.that(what, again.difference(&whole).is_none(), || {
        "seed and playout id must decide everything: give each id a generator of its own".to_owned()
    });
    let parts =
        [job(0, 1), job(1, PLAYOUTS / 3), job(1 + PLAYOUTS / 3, PLAYOUTS - 1 - PLAYOUTS / 3)];
    let mut tally = play::Tally::default();
    for part in &parts {
        let what = "plays a part of a job";
        let ran = findings.take(what, worker.run(part, Via::Fast, 1))?;
        if let Ok(part) = ran.tally() {
            tally += &part;
        }
    }
    findings.that("a job in parts gives the same \
        sums", whole.tally().is_ok_and(|t| t == tally), || {
        "counts or digest differ: a playout must depend on the seed and its own id alone, and the \
         digest be a sum".to_owned()
    });
    let other = Job { seed: 6, ..job(0, PLAYOUTS) };
    let other = findings.take("plays with another seed", worker.run(&other, Via::Fast, 1))?;
    // Where all playouts end alike, digests say nothing of the seed.
    let varied = whole.outcomes.len() > 1
        || u128::from(whole.plies).pow(2) != u128::from(whole.plies_squared) * u128::from(PLAYOUTS);
    findings.that(
        "another seed gives other playouts",
        !varied || other.digest != whole.digest,
        || "the digests of seeds 5 and 6 are equal".to_owned(),
    );
    // Counts are looked at wherever playouts are asked for.
    let what = "the ply cap ends playouts";
    let short = Job { cap: 1, ..job(0, PLAYOUTS) };
    let short = findings.take(what, worker.run(&short, Via::Fast, 1))?;
    findings.add(what, Ok(format!("{} plies in {PLAYOUTS} playouts of at most one", short.plies)));
    Ok(())
}

/// Checks the refusals of an engine with a loaded game. This check comes last, as no game is loaded
/// afterwards.
fn refusals(worker: &mut Worker, findings: &mut Findings) -> Result<(), Ended> {
    let what = "refuses a word for `via` that does not exist";
    let job = Job { seed: 1, first: 0, count: 1, cap: 10 };
    let line = serde_json::to_string(&Request::run(&job, Via::Fast, 1)).unwrap_or_default();
    let sideways = line.replace("\"fast\"", "\"sideways\"");
    match findings.take(what, worker.exchange::<Value>(&sideways, "run"))? {
        Reply::Error(refusal) => findings.that(what, refusal.kind == "protocol", || {
            format!("the kind is `{}`; say `protocol`", refusal.kind)
        }),
        Reply::Ok(value) => findings.add(what, Err(format!("it answers {value}"))),
    };
    let what = "has no game after a `load` that failed";
    let languages = worker.hello().map_or_else(Vec::new, |hello| hello.languages.clone());
    let Some(language) = languages.iter().find_map(|name| name.parse::<Language>().ok()) else {
        return Ok(());
    };
    let rules = Rules::new(language, "nonsense", "((no such game");
    let load =
        serde_json::to_string(&Request::load(&rules, &Limits::default(), Searches::default()));
    // That it is refused was looked at before.
    findings.take(what, worker.exchange::<Value>(&load.unwrap_or_default(), "load"))?;
    match findings.take(what, worker.exchange::<Value>(&line, "run"))? {
        Reply::Error(_) => findings.add(what, Ok(String::new())),
        Reply::Ok(_) => findings.add(what, Err("it plays the game from before".to_owned())),
    };
    Ok(())
}

/// Walks to an end of the game, position by position.
fn walks(worker: &mut Worker, findings: &mut Findings) -> Result<(), Ended> {
    let what = "walks to an end of the game";
    let mut path = Vec::new();
    let mut rng = Rng::stream(11, 0);
    let end = loop {
        let view = findings.take(what, worker.look(&path, 0, BUDGET))?;
        if let Some(fault) = view_fault(&view) {
            findings.add(what, Err(format!("after the actions {path:?}: {fault}")));
            return Ok(());
        }
        if view.turn.is_none() || path.len() >= LONGEST_WALK {
            break view;
        }
        path.push(rng.below(view.labels.len() as u32) as usize);
    };
    let plies = path.len();
    findings.add(
        what,
        Ok(match end.scores {
            Some(scores) => format!("{plies} plies, scores {scores:?}"),
            None => format!("given up after {plies} plies"),
        }),
    );
    let what = "looking again finds the same position";
    let again = findings.take(what, worker.look(&path, 0, BUDGET))?;
    findings.that(what, again.labels == end.labels && again.turn == end.turn, || {
        format!("after the actions {path:?} turn and labels were different the second time")
    });
    let what = "refuses a path that does not exist, and lives";
    let request =
        Request::Walk { path: vec![1_000_000], chance: Vec::new(), depth: 0, budget: BUDGET };
    let line = serde_json::to_string(&request).unwrap_or_default();
    let reply = worker.exchange::<Value>(&line, "walk");
    let refused = matches!(findings.take(what, reply)?, Reply::Error(_));
    findings.that(what, refused, || "action number 1000000 was taken".to_owned());
    Ok(())
}

/// Checks the outcomes of chance at the start, and at the first action after it.
fn outcomes(worker: &mut Worker, findings: &mut Findings) -> Result<(), Ended> {
    for path in [&[][..], &[0]] {
        let what = format!("numbers the outcomes of chance after the actions {path:?}");
        let chance = |last| [&vec![0; path.len()][..], &[last]].concat();
        let first = findings.take(&what, worker.look_at(path, &chance(0), 0, BUDGET))?;
        let count = first.outcomes.unwrap_or(0);
        if first.turn.is_none() && path.is_empty() {
            return Ok(());
        }
        let mut odds = Vec::new();
        for number in 0..count.min(MOST_OUTCOMES) {
            let view = findings.take(&what, worker.look_at(path, &chance(number), 0, BUDGET))?;
            odds.extend(view.odds.filter(|odds| *odds > 0.0));
        }
        let whole: f64 = odds.iter().sum();
        let kept = odds.len() as u64 == count.min(MOST_OUTCOMES)
            && (count > MOST_OUTCOMES || count == 0 || (whole - 1.0).abs() < 1e-6);
        findings.that(&what, first.outcomes.is_some() && kept, || {
            format!(
                "`outcomes` is {:?}, and {} of them have `odds` that add up to {whole}; expected 1",
                first.outcomes,
                odds.len()
            )
        });
        let what = format!("draws by a number that no outcome has, after the actions {path:?}");
        let draw = chance((1 << 32) + 7);
        let one = findings.take(&what, worker.look_at(path, &draw, 0, BUDGET))?;
        let again = findings.take(&what, worker.look_at(path, &draw, 0, BUDGET))?;
        findings.that(&what, one == again, || "the same number drew another outcome".to_owned());
    }
    Ok(())
}

/// The contradiction of a position in itself, if there is one.
fn view_fault(view: &View) -> Option<String> {
    let distinct: BTreeSet<&String> = view.labels.iter().collect();
    if view.turn.is_some() && view.labels.is_empty() {
        return Some(
            "somebody is to move and has no action; a forced pass is to be skipped".to_owned(),
        );
    }
    let repeated = distinct.len() < view.labels.len();
    repeated.then(|| "two legal actions have the same label".to_owned())
}

/// Leaf counts and fingerprints against what the walks show.
fn searches(worker: &mut Worker, loaded: &Loaded, findings: &mut Findings) -> Result<(), Ended> {
    let what = "counts leaves";
    let root = findings.take(what, worker.look(&[], 1, BUDGET))?;
    let counts = findings.take(what, worker.perft(2, BUDGET))?;
    let Some(counts) = counts else {
        findings.add(what, Ok(format!("not within {BUDGET} positions")));
        return Ok(());
    };
    if loaded.chance {
        findings.add(what, Ok("with chance; not compared with the walks".to_owned()));
        return Ok(());
    }
    let actions = root.labels.len();
    let mut children = Vec::new();
    for action in 0..actions.min(MOST_CHILDREN) {
        children.push(findings.take(what, worker.look(&[action], 0, BUDGET))?);
    }
    let complete = children.len() == actions;
    let replies: usize = children.iter().map(|child| child.labels.len()).sum();
    let walked = [actions as u64, replies as u64];
    let same = counts.len() == 2 && counts[0] == walked[0] && (!complete || counts[1] == walked[1]);
    findings.that(what, same, || {
        let walked = if complete { format!("{walked:?}") } else { format!("[{actions}, ...]") };
        format!("`perft` to depth 2 is {counts:?}, and `walk` shows {walked}")
    });

    let leaf: Vec<u64> = children.iter().map(View::shallow_fingerprint).collect();
    let what = "the fingerprint to depth 0 is that of turn and number of actions";
    let expected = root.shallow_fingerprint();
    let print = findings.take(what, worker.fingerprint(0, BUDGET))?;
    findings.that(what, print == Some(expected), || {
        format!(
            "it is {}, expected {expected:016x}: mix(turn << 32 | actions | 1 << 48) with turn {} \
             and {actions} actions",
            shown(print),
            root.turn.unwrap_or_default()
        )
    });
    let what = "walks show the fingerprint of what each action leads to";
    let prints: Option<Vec<u64>> = root.prints.as_ref().and_then(|prints| {
        prints.iter().map(|print| u64::from_str_radix(print, 16).ok()).collect()
    });
    let agree = prints.as_ref().is_some_and(|p| p.len() == actions && p.starts_with(&leaf));
    findings.that(what, agree, || {
        let at = prints.iter().flatten().zip(&leaf).position(|(a, b)| a != b);
        match (&prints, at) {
            (None, _) => "`prints` is missing, or not hexadecimal, at depth 1".to_owned(),
            (Some(p), Some(at)) => format!(
                "`prints[{at}]` at depth 1 is {:016x}, and the position there hashes to {:016x}",
                p[at], leaf[at]
            ),
            (Some(p), None) => format!("{} prints for {actions} actions", p.len()),
        }
    });
    if complete {
        let what = "the fingerprint to depth 1 folds the children in ascending order";
        let expected = tree::folded(expected, leaf);
        let print = findings.take(what, worker.fingerprint(1, BUDGET))?;
        findings.that(what, print == Some(expected), || {
            format!("it is {}, expected {expected:016x}", shown(print))
        });
    }
    Ok(())
}

fn shown(print: Option<u64>) -> String {
    print.map_or_else(|| "null".to_owned(), |print| format!("{print:016x}"))
}
