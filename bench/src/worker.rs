//! The server side of the worker protocol: hosts one engine, one game at a time.

use std::io::{BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

use play::kit::Effort;
use play::{
    CompileError, Compiled, Engine, Job, Limits, NotSearched, PlayoutMode, Promise, ReplayError,
    Rng, Rules, Searched, Via,
};
use reports::Verdict;
use serde::Serialize;
use text::Diagnostic;

use crate::analysis;
use crate::belief::ChanceWalk;
use crate::failure::Failure;
use crate::protocol::{self, Hello, Loaded, Refusal, Replayed, Reply, Request};
use crate::random_walk::WalkId;
use crate::strategies;
use crate::subject::{Local, Subject};

/// Answers every request with an error of kind `unavailable`, until the input ends.
pub(crate) fn refuse_all(
    reason: &str,
    input: impl BufRead,
    mut output: impl Write,
) -> std::io::Result<()> {
    for line in input.lines() {
        line?;
        answer::<()>(&mut output, &Err(refusal("unavailable", reason.to_owned())))?;
    }
    Ok(())
}

/// Answers requests from `input` on `output` until the input ends.
pub fn serve(
    engine: &dyn Engine,
    input: impl BufRead,
    mut output: impl Write,
) -> std::io::Result<()> {
    let mut lines = input.lines();
    // The request that ended the conversation about a game, to be answered next.
    let mut pending: Option<String> = None;
    loop {
        let Some(line) = pending.take().map(Ok).or_else(|| lines.next()).transpose()? else {
            return Ok(());
        };
        match serde_json::from_str(&line) {
            Ok(Request::Hello { .. }) => answer(&mut output, &Ok(hello(engine)))?,
            Ok(Request::Load {
                language,
                name,
                text,
                options,
                parts,
                words,
                start,
                bytes,
                work,
                simulations,
                recorded,
            }) => {
                let result = protocol::language(&language).and_then(|language| {
                    let mut rules = Rules::new(language, name, text);
                    rules.options = options;
                    rules.start = start;
                    rules.parts = protocol::sources(parts);
                    rules.words =
                        words.read().map_err(|fault| refusal("protocol", fault.to_string()))?;
                    compile(engine, &rules, &Limits { bytes, work })
                        .and_then(|compiled| searched(compiled, simulations, &recorded))
                        .map(|compiled| (compiled, rules))
                });
                let reply = result.as_ref().map(|(compiled, rules)| describe(compiled, rules));
                answer(&mut output, &reply.map_err(Clone::clone))?;
                if let Ok((compiled, rules)) = &result {
                    let mut subject = Local::new(engine.id(), &*compiled.game);
                    let replay =
                        |record: &str| replay(engine, rules, record, &Limits { bytes, work });
                    pending = converse(&mut subject, &replay, &mut lines, &mut output)?;
                    if pending.is_none() {
                        return Ok(());
                    }
                }
            }
            Ok(request) => {
                let message = format!("`{}` before a game was loaded", request.name());
                answer::<()>(&mut output, &Err(refusal("protocol", message)))?;
            }
            Err(error) => answer::<()>(&mut output, &Err(not_understood(&error)))?,
        }
    }
}

/// Answers requests about one game; gives back the line that ends it.
fn converse(
    subject: &mut dyn Subject,
    replay: &dyn Fn(&str) -> Result<Replayed, Failure>,
    lines: &mut impl Iterator<Item = std::io::Result<String>>,
    output: &mut impl Write,
) -> std::io::Result<Option<String>> {
    while let Some(line) = lines.next().transpose()? {
        match serde_json::from_str(&line) {
            Ok(Request::Hello { .. } | Request::Load { .. }) => return Ok(Some(line)),
            Ok(Request::Run {
                seed,
                first,
                count,
                cap,
                via,
                threads,
                job: size,
                passes,
                steps,
            }) => {
                let reply =
                    via.parse::<Via>().map_err(|e| refusal("protocol", e)).and_then(|via| {
                        let job = Job { seed, first, count, cap };
                        if first.checked_add(count).is_none() {
                            return Err(refusal("protocol", "`first + count` overflows"));
                        }
                        guarded(|| {
                            if steps {
                                let refused = || Failure::new(Verdict::Unsupported, "no steps");
                                subject.step(&job)?.ok_or_else(refused)
                            } else if passes {
                                subject.raw_run(&job)
                            } else if size > 0 {
                                subject.run_in_jobs(&job, size, via, threads)
                            } else {
                                subject.run(&job, via, threads)
                            }
                        })
                    });
                answer(output, &reply)?;
            }
            Ok(Request::Perft { depth, budget, passes }) => {
                let depth = depth.min(64);
                let counts = guarded(|| {
                    if passes {
                        subject.raw_perft(depth, budget)
                    } else {
                        subject.perft(depth, budget)
                    }
                });
                answer(output, &counts)?;
            }
            Ok(Request::Fingerprint { depth, budget }) => {
                let print = guarded(|| subject.fingerprint(depth.min(64), budget));
                answer(output, &print.map(|p| p.map(|p| format!("{p:016x}"))))?;
            }
            Ok(Request::Walk { path, chance, depth, budget }) => {
                let look = || subject.look_at(&path, &chance, depth.min(64), budget);
                answer(output, &guarded(look))?;
            }
            Ok(Request::Observe { seed, number, cap, labels, width, samples, follow }) => {
                let id = WalkId { seed, number, cap };
                let walk = ChanceWalk { id, labels, width, samples };
                answer(output, &guarded(|| subject.observe(walk, &follow)))?;
            }
            Ok(Request::Walks { seed, first, count, cap }) => {
                let first = WalkId { seed, number: first, cap };
                answer(output, &guarded(|| subject.random_walks(first, count)))?;
            }
            Ok(Request::Replay { record }) => answer(output, &guarded(|| replay(&record)))?,
            Ok(Request::Analyse { seed, games, plies, cap }) => {
                let effort = analysis::Effort { seed, games, plies, cap };
                answer(output, &guarded(|| subject.analyse(&effort)))?;
            }
            Ok(Request::Kit { seed, walks, playouts, cap }) => {
                let effort = Effort { seed, walks, playouts, cap };
                answer(output, &guarded(|| subject.kit(&effort)))?;
            }
            Err(error) => answer::<()>(output, &Err(not_understood(&error)))?,
        }
    }
    Ok(None)
}

fn hello(engine: &dyn Engine) -> Hello {
    Hello {
        protocol: protocol::VERSION,
        engine: engine.id().to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        languages: engine.languages().iter().map(|l| l.name().to_owned()).collect(),
        rng: Rng::NAME.to_owned(),
    }
}

fn compile(engine: &dyn Engine, rules: &Rules, limits: &Limits) -> Result<Compiled, Refusal> {
    if !engine.languages().contains(&rules.language) {
        let message = format!("{} does not read .{}", engine.id(), rules.language);
        return Err(refusal("unsupported", message));
    }
    match catch_unwind(AssertUnwindSafe(|| engine.load(rules, limits))) {
        Err(panic) => Err(refusal("crashed", panic_text(&*panic))),
        Ok(Ok(compiled)) => Ok(compiled),
        Ok(Err(error)) => Err(Refusal {
            kind: error.kind().to_owned(),
            message: error.one_line(&rules.source),
            details: details(&error, rules),
        }),
    }
}

/// The game, or searches of so many simulations of it, which begin in recorded games, too.
fn searched(
    compiled: Compiled,
    simulations: u32,
    recorded: &[Vec<String>],
) -> Result<Compiled, Refusal> {
    if simulations == 0 {
        return Ok(compiled);
    }
    let searched = Searched::new(compiled.game, simulations, recorded).map_err(|why| {
        let kind = match why {
            NotSearched::NoTree => "unsupported",
            NotSearched::NotFollowed { .. } => "wrong",
        };
        refusal(kind, why.to_string())
    })?;
    Ok(Compiled { game: Box::new(searched), ..compiled })
}

fn details(error: &CompileError, rules: &Rules) -> String {
    let rendered: Vec<String> =
        error.diagnostics().iter().map(|d: &Diagnostic| d.render(&rules.source)).collect();
    rendered.join("\n\n")
}

fn describe(compiled: &Compiled, rules: &Rules) -> Loaded {
    let facts = compiled.game.facts();
    let method = |mode: &PlayoutMode| mode.method.name().to_owned();
    let why = |mode: &PlayoutMode| match mode.promise {
        Promise::SamePlayouts => String::new(),
        Promise::SameDistribution(why) => why.to_owned(),
    };
    let (batch, interpreted) = (facts.batch.as_ref(), facts.interpreted.as_ref());
    Loaded {
        players: facts.players,
        state_bytes: facts.state_bytes as u64,
        batch: batch.is_some(),
        chance: facts.chance,
        outcomes: facts.chance,
        method: method(&facts.fast),
        batch_method: batch.map_or_else(String::new, method),
        interpreted_method: interpreted.map_or_else(String::new, method),
        listed: facts.listed,
        start: rules.start.len() as u32,
        simulations: facts.simulations,
        distribution: why(&facts.fast),
        batch_distribution: batch.map_or_else(String::new, why),
        interpreted_distribution: interpreted.map_or_else(String::new, why),
        warnings: compiled.warnings.iter().map(|w| w.one_line(&rules.source)).collect(),
        build: facts.build.iter().map(|(fact, n)| (fact.to_string(), *n)).collect(),
        strategies: strategies::of(&*compiled.game),
        ..Loaded::default()
    }
}

fn replay(
    engine: &dyn Engine,
    rules: &Rules,
    record: &str,
    limits: &Limits,
) -> Result<Replayed, Failure> {
    match engine.replay(rules, record, limits) {
        Ok(replay) => Ok(replay.into()),
        Err(ReplayError::Unsupported(reason)) => Err(Failure::new(Verdict::Unsupported, reason)),
        Err(ReplayError::Malformed(reason)) => Err(Failure::new(Verdict::Invalid, reason)),
        Err(ReplayError::Compile(error)) => {
            let verdict = error.kind().parse().unwrap_or(Verdict::Unsupported);
            Err(Failure::new(verdict, error.one_line(&rules.source)))
        }
    }
}

/// Runs engine code; a panic in it is an answer of kind `crashed`, and the worker lives on.
fn guarded<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Refusal> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(failure)) => Err(refusal(failure.verdict.word(), failure.reason)),
        Err(panic) => Err(refusal("crashed", panic_text(&*panic))),
    }
}

/// The text of a panic in engine code.
pub(crate) fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic
        .downcast_ref::<&str>()
        .map(|s| (*s).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_default();
    format!("the engine panicked: {text}")
}

fn refusal(kind: &str, message: impl Into<String>) -> Refusal {
    Refusal { kind: kind.to_owned(), message: message.into(), details: String::new() }
}

fn not_understood(error: &serde_json::Error) -> Refusal {
    // serde says "unknown variant" for a command it does not know.
    let kind = if error.to_string().contains("unknown variant") { "unknown" } else { "protocol" };
    refusal(kind, format!("not understood: {error}"))
}

fn answer<T: Serialize>(
    output: &mut impl Write,
    result: &Result<T, Refusal>,
) -> std::io::Result<()> {
    let reply = match result {
        Ok(value) => Reply::Ok(value),
        Err(refusal) => Reply::Error(refusal.clone()),
    };
    let mut line = serde_json::to_string(&reply)?;
    line.push('\n');
    output.write_all(line.as_bytes())?;
    output.flush()
}
