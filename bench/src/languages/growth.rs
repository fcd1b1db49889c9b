//! The cost of a game from its text to the first playout.

use std::collections::BTreeMap;

use anyhow::{Result, anyhow};
use edits::plain;
use games::Family;
use play::{BuildFact, Job, Language, Rules, Via};
use reports::languages::growth::Row;
use reports::languages::text;

use super::Setting;
use crate::client::{Program, Worker};
use crate::clock::thread_cpu_ns;
use crate::engine_set::limits;
use crate::entry::Entry;
use crate::failure::Failure;
use crate::subject::Subject;

/// How often everything is measured, the least of which counts.
const TIMES: u32 = 3;
/// What takes longer is measured once.
const LONG_NS: u64 = 2_000_000_000;

pub(super) fn collect(setting: &Setting<'_>) -> Result<String> {
    let mut games: Vec<Entry> = setting.games.to_vec();
    let mut units = BTreeMap::new();
    for family in Family::embedded().map_err(|error| anyhow!("{error}"))? {
        units.insert(family.id.clone(), family.size.clone());
        // Of a few games, the families that they are of.
        if setting.games.iter().any(|game| game.id.starts_with(&family.id)) {
            for &size in &family.sizes {
                let entry = Entry::of_family(&family, size, setting.catalogue);
                games.push(entry.map_err(|error| anyhow!("{error}"))?);
            }
        }
    }
    let rows = setting.each(&games, |game| {
        let pairs = setting.engines.pairs(game);
        let unit = game.size.as_ref().and_then(|(family, _)| units.get(family));
        let unit = unit.map_or("", String::as_str);
        let row = |(program, rules): &(&Program, &Rules)| Row {
            unit: unit.to_owned(),
            ..row(setting, game, program, rules)
        };
        pairs.iter().map(row).collect::<Vec<_>>()
    });
    Ok(text(&rows.concat())?)
}

/// The costs of a game on an engine.
#[derive(Clone, Copy, Default)]
struct Costs {
    load_ns: u64,
    first_ns: u64,
    memory: u64,
    position: u64,
    code: u64,
    tabled: u64,
}

fn row(setting: &Setting<'_>, game: &Entry, program: &Program, rules: &Rules) -> Row {
    let costs = least(|| costs(setting, game, program, rules), |costs| costs.load_ns);
    let is_text = rules.language != Language::Bitboard;
    let (family, size) = game.size.clone().unwrap_or_default();
    let known = costs.as_ref().ok();
    let told = |of: fn(&Costs) -> u64| known.map(of).filter(|&value| value > 0);
    Row {
        family,
        size,
        unit: String::new(),
        game: game.id.clone(),
        language: rules.language.name().to_owned(),
        engine: program.engine.clone(),
        characters: is_text
            .then(|| plain(rules.source.text(), rules.language).chars().count() as u64),
        tokens: roster::tokens(rules),
        read_ns: is_text.then(|| read_ns(rules)),
        load_ns: told(|costs| costs.load_ns),
        first_ns: told(|costs| costs.first_ns),
        memory: told(|costs| costs.memory),
        position: told(|costs| costs.position),
        code: told(|costs| costs.code),
        tabled: known.map_or(0, |costs| costs.tabled),
        failure: costs.err().map_or_else(String::new, |failure| failure.verdict.to_string()),
    }
}

/// The cheapest of several tries, or of one that takes long.
fn least<T>(of: impl Fn() -> Result<T, Failure>, cost: impl Fn(&T) -> u64) -> Result<T, Failure> {
    let mut best = of()?;
    for _ in 1..TIMES {
        if cost(&best) > LONG_NS {
            break;
        }
        let other = of()?;
        if cost(&other) < cost(&best) {
            best = other;
        }
    }
    Ok(best)
}

/// Loads the game in a fresh process, and plays once.
fn costs(
    setting: &Setting<'_>,
    game: &Entry,
    program: &Program,
    rules: &Rules,
) -> Result<Costs, Failure> {
    let mut worker = Worker::start(program, &setting.bounds)?;
    let before = worker.peak_bytes();
    let loaded = worker.load(rules, &limits(&setting.bounds))?;
    let (load_ns, position) = (loaded.compile_cpu_ns, loaded.state_bytes);
    let memory = loaded.peak_bytes.saturating_sub(before);
    let told = |fact: BuildFact| loaded.build.get(fact.as_str()).copied().unwrap_or(0);
    let (code, tabled) = (told(BuildFact::MachineCodeBytes), told(BuildFact::TabledPositions));
    let job = Job { seed: setting.seed, first: 0, count: 1, cap: game.cap };
    let first_ns = worker.run(&job, Via::Fast, 1)?.cpu_ns;
    Ok(Costs { load_ns, first_ns, memory, position, code, tabled })
}

/// CPU time in which the front end of the language reads and checks the text.
fn read_ns(rules: &Rules) -> u64 {
    let once = || {
        let begun = thread_cpu_ns();
        let _ = roster::check(rules);
        Ok(thread_cpu_ns().saturating_sub(begun))
    };
    least(once, |&took| took).unwrap_or_default()
}
