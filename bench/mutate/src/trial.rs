//! One file: compiled by each engine of its language, and played in each way that the game has.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use nix::time::{ClockId, clock_gettime};
use play::{Compiled, Engine, Game, Job, Language, Limits, Promise, Rules, Scores, Tally, Via};

use crate::memory;

/// Documented as the longest that a step of work takes, in seconds.
const STEP: f64 = 1e-7;
/// The factor by which the documented time and memory may be exceeded before it is a finding.
const TIME_SLACK: f64 = 4.0;
const BYTES_SLACK: f64 = 1.3;
/// Seconds and bytes that any file may take besides: its text is read whatever the limits are.
const LEAST_SECONDS: f64 = 0.1;
const LEAST_BYTES: usize = 8 << 20;
/// Bytes that an engine may keep of a game that is gone, such as tables that it makes once.
const KEPT: usize = 4 << 20;
/// Playouts that are compared one by one, and in numbers; and their plies.
const PLAYOUTS: u64 = 8;
const SAMPLE: u64 = 200;
const CAP: u32 = 60;
/// Seconds after which a way has played enough.
const PLAYED: f64 = 0.25;
/// Standard errors that means may differ by: what is compared a million times happens once in
/// a billion times by chance.
const ERRORS: f64 = 6.5;
const SEED: u64 = 1;

/// The limits of a trial.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub(crate) limits: Limits,
}

impl Bounds {
    /// Seconds of compiling from which on it is a finding.
    pub(crate) fn seconds(&self) -> f64 {
        LEAST_SECONDS + TIME_SLACK * STEP * self.limits.work as f64
    }

    fn bytes(&self) -> usize {
        LEAST_BYTES + (BYTES_SLACK * self.limits.bytes as f64) as usize
    }
}

/// A fault: its kind, without blanks, and a description.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Finding {
    pub(crate) engine: String,
    pub(crate) kind: &'static str,
    pub(crate) what: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = self.what.replace(['\n', '\t'], " ");
        write!(f, "{}\t{}\t{what}", self.engine, self.kind)
    }
}

/// The outcome of a file on one engine.
#[derive(Clone, Debug)]
pub(crate) struct Trial {
    pub(crate) engine: &'static str,
    /// `compiled`, or why not.
    pub(crate) outcome: &'static str,
    /// CPU time of compiling, and the most bytes on the way.
    pub(crate) seconds: f64,
    pub(crate) bytes: usize,
    pub(crate) findings: Vec<Finding>,
}

/// CPU time of this process, in seconds.
pub(crate) fn cpu() -> f64 {
    let time = clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID);
    time.map_or(0.0, |time| time.tv_sec() as f64 + time.tv_nsec() as f64 * 1e-9)
}

/// Compiles and plays a text on all engines of a language.
pub(crate) fn all(language: Language, text: &str, bounds: &Bounds) -> Vec<Trial> {
    let rules = Rules::new(language, "file", text);
    let engines = engines();
    let engines = engines.iter().filter(|engine| engine.languages().contains(&language));
    engines.map(|engine| one(&**engine, &rules, bounds)).collect()
}

/// All engines that read rule files, of those languages that this program is built for.
fn engines() -> Vec<Box<dyn Engine>> {
    vec![
        #[cfg(feature = "lud")]
        Box::new(ludeme::LudemeEngine),
        #[cfg(feature = "rbg")]
        Box::new(rbg::RbgEngine),
        #[cfg(feature = "rg")]
        Box::new(rg::RgEngine),
        #[cfg(feature = "kif")]
        Box::new(propnet::PropnetEngine { evaluator: propnet::Evaluator::Quickest }),
        #[cfg(feature = "kif")]
        Box::new(propnet::PropnetEngine { evaluator: propnet::Evaluator::Batch }),
        #[cfg(feature = "prover")]
        Box::new(gdl::ProverEngine),
    ]
}

fn one(engine: &dyn Engine, rules: &Rules, bounds: &Bounds) -> Trial {
    let mut trial = Trial {
        engine: engine.id(),
        outcome: "panicked",
        seconds: 0.0,
        bytes: 0,
        findings: Vec::new(),
    };
    memory::reset();
    let (before, begun) = (memory::live(), cpu());
    let compiled = catch_unwind(AssertUnwindSafe(|| engine.compile(rules, &bounds.limits)));
    trial.seconds = cpu() - begun;
    trial.bytes = memory::peak() - before;
    let mut note = |kind, what: String| {
        trial.findings.push(Finding { engine: engine.id().to_owned(), kind, what });
    };
    if trial.seconds > bounds.seconds() {
        let work = bounds.limits.work;
        note("cpu", format!("{:.2} s to compile, with {work} steps allowed", trial.seconds));
    }
    if trial.bytes > bounds.bytes() {
        let [took, most] = [trial.bytes as u64, bounds.limits.bytes].map(|bytes| bytes >> 20);
        note("bytes", format!("{took} MiB to compile, with {most} MiB allowed"));
    }
    match compiled {
        Err(payload) => note("panic", format!("compiling: {}", message(&*payload))),
        Ok(Err(error)) => {
            trial.outcome = error.kind();
            let begun = cpu();
            let said: usize =
                error.diagnostics().iter().map(|d| d.render(&rules.source).len()).sum();
            if cpu() - begun > 1.0 || said > 1 << 20 {
                note("diagnostics", format!("{said} bytes in {:.1} s", cpu() - begun));
            }
        }
        Ok(Ok(Compiled { game, .. })) => {
            trial.outcome = "compiled";
            for (kind, what) in played(&*game) {
                note(kind, what);
            }
        }
    }
    let kept = memory::live().saturating_sub(before);
    if kept > KEPT {
        note("kept", format!("{} MiB after the game was dropped", kept >> 20));
    }
    trial
}

/// Plays in all ways and compares.
fn played(game: &dyn Game) -> Vec<(&'static str, String)> {
    let job = |first, count| Job { seed: SEED, first, count, cap: CAP };
    let mut found = Vec::new();
    let facts = game.facts();
    let mut counts: Vec<(Via, Vec<Tally>)> = Vec::new();
    for via in [Via::Reference, Via::Interpreted, Via::Fast, Via::Batch] {
        let Some(mode) = facts.mode(via) else { continue };
        let is_native = via == Via::Fast && facts.interpreted.is_some();
        let play = |first, count| {
            let run = || catch_unwind(AssertUnwindSafe(|| game.run(&job(first, count), via)));
            if is_native { memory::guarded(run) } else { run() }
        };
        let begun = cpu();
        let most = match mode.promise {
            Promise::SamePlayouts => PLAYOUTS,
            Promise::SameDistribution(_) => SAMPLE,
        };
        let mut tallies = Vec::new();
        for id in 0..most {
            match play(id, 1) {
                Ok(tally) => tallies.push(tally),
                Err(payload) => {
                    found.push(("panic", format!("{}: {}", via.name(), message(&*payload))));
                    break;
                }
            }
            if cpu() - begun > PLAYED {
                break;
            }
        }
        let reference = counts.first().map_or(&[][..], |(_, reference)| reference);
        match mode.promise {
            Promise::SamePlayouts => {
                let differs = tallies.iter().zip(reference).position(|(a, b)| a != b);
                if let Some(id) = differs {
                    let what = format!("{} plays {id} as {:?}", via.name(), tallies[id]);
                    found.push(("differs", format!("{what}, not {:?}", reference[id])));
                }
            }
            Promise::SameDistribution(_) => {
                let more = (reference.len() as u64..tallies.len() as u64).map_while(|id| {
                    (cpu() - begun < 3.0 * PLAYED).then(|| game.run(&job(id, 1), Via::Reference))
                });
                let reference: Vec<Tally> = reference.iter().cloned().chain(more).collect();
                if let Some(what) = differ(&tallies, &reference) {
                    found.push(("differs", format!("{}: {what}", via.name())));
                }
            }
        }
        counts.push((via, tallies));
    }
    found
}

/// The difference between two samples of playouts whose means are too far apart: of plies, or of
/// the first player's payoffs.
fn differ(a: &[Tally], b: &[Tally]) -> Option<String> {
    let plies = |tally: &Tally| tally.plies as f64;
    let payoff = |tally: &Tally| {
        let scores = |(scores, count): (Scores, u64)| {
            f64::from(scores.iter().next().unwrap_or_default()) * count as f64
        };
        tally.outcomes().into_iter().map(scores).sum::<f64>()
    };
    let [plies, payoff] = [&plies as &dyn Fn(&Tally) -> f64, &payoff].map(|of| {
        let [a, b] = [a, b].map(|sample| moments(sample.iter().map(of)));
        (a, b)
    });
    [("plies", plies), ("the payoff", payoff)].into_iter().find_map(|(name, (a, b))| {
        let error = (a.1 + b.1).sqrt();
        let far = a.2.min(b.2) >= 20.0 && (a.0 - b.0).abs() > ERRORS * error + 1e-9;
        // Samples without any variation say nothing of their error.
        (far && error > 0.0).then(|| format!("{name} {:.3}, not {:.3}", a.0, b.0))
    })
}

/// Mean, square of its standard error, number.
fn moments(values: impl Iterator<Item = f64>) -> (f64, f64, f64) {
    let (mut n, mut sum, mut squares) = (0.0, 0.0, 0.0);
    for value in values {
        n += 1.0;
        sum += value;
        squares += value * value;
    }
    let mean = sum / f64::max(n, 1.0);
    (mean, (squares / f64::max(n, 1.0) - mean * mean).max(0.0) / f64::max(n - 1.0, 1.0), n)
}

fn message(payload: &(dyn std::any::Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().cloned();
    text.or_else(|| payload.downcast_ref::<&str>().map(|&text| text.to_owned()))
        .unwrap_or_else(|| "no message".to_owned())
}
