//! `inspect`: what engines make of a description.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result};
use clap::Args;
use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};
use play::{BuildFact, Facts, Game, Limits, NoChance, Stage, Strategy};
use serde::Serialize;

use super::Outcome;
use super::json::{self, Json};
use super::select::{At, CatalogueArgs, DEFAULT_CAP, Engines, Usage, entry_of};

#[derive(Args, Clone, Debug)]
pub(super) struct InspectArgs {
    /// A game of the catalogue by id, or a rule file
    game: String,
    /// An option of the rules, such as "Board Size/8x8"; may be given several times
    #[arg(long = "option", value_name = "OPTION")]
    options: Vec<String>,
    /// Write the first graph that an engine can draw, for Graphviz
    #[arg(long, value_name = "FILE")]
    dot: Option<PathBuf>,
    /// Write the first program that an engine compiles the rules to, as text
    #[arg(long, value_name = "FILE")]
    ir: Option<PathBuf>,
    /// Nodes of a graph that is still worth looking at
    #[arg(long, default_value_t = 3000, value_name = "NODES")]
    most: usize,
    #[command(flatten)]
    at: At,
    #[command(flatten)]
    place: CatalogueArgs,
    #[command(flatten)]
    engines: Engines,
    #[command(flatten)]
    json: Json,
}

/// A description that an engine could not make a game of.
#[derive(Serialize)]
struct RefusedRecord<'a> {
    engine: &'a str,
    source: &'a str,
    kind: String,
    reason: String,
}

/// The record of a description as an engine compiled it.
#[derive(Serialize)]
struct CompiledRecord<'a> {
    engine: &'a str,
    source: &'a str,
    seconds: f64,
    players: u8,
    chance: bool,
    simultaneous: bool,
    hidden: bool,
    state_bytes: usize,
    method: &'static str,
    /// Names with numbers, in the engine's order.
    build: Vec<(&'static str, u64)>,
    stages: Vec<StageRecord>,
    strategies: Vec<StrategyRecord>,
}

#[derive(Serialize)]
struct StrategyRecord {
    part: &'static str,
    way: String,
    reason: Option<String>,
}

#[derive(Serialize)]
struct StageRecord {
    stage: &'static str,
    sizes: Vec<(&'static str, u64)>,
}

#[derive(Serialize)]
struct GraphRecord {
    engine: String,
    /// The file that it was written to; none if it has too many nodes.
    file: Option<String>,
    nodes: Option<usize>,
}

#[derive(Serialize)]
struct ProgramRecord {
    engine: String,
    /// The file that it was written to.
    file: String,
}

impl<'a> CompiledRecord<'a> {
    fn new(engine: &'a str, source: &'a str, seconds: f64, game: &'a dyn Game) -> Self {
        let Facts {
            players, chance, simultaneous, hidden, state_bytes, ref fast, ref build, ..
        } = *game.facts();
        let stages = game.stages().iter();
        CompiledRecord {
            engine,
            source,
            seconds,
            players,
            chance,
            simultaneous,
            hidden,
            state_bytes,
            method: fast.method.name(),
            build: named(build),
            stages: stages
                .map(|stage| StageRecord { stage: stage.name, sizes: named(&stage.sizes) })
                .collect(),
            strategies: game
                .strategies()
                .into_iter()
                .map(|Strategy { part, way, reason }| StrategyRecord { part, way, reason })
                .collect(),
        }
    }
}

/// Figures under the names that they have in reports.
fn named(figures: &[(BuildFact, u64)]) -> Vec<(&'static str, u64)> {
    figures.iter().map(|&(fact, figure)| (fact.as_str(), figure)).collect()
}

pub(super) fn inspect(args: &InspectArgs) -> Result<Outcome> {
    let entry = args.at.of(entry_of(&args.game, &args.place, &args.options, DEFAULT_CAP)?)?;
    if let (Some(position), false) = (&entry.position, args.json.json) {
        outln!("at the position {position}")?;
    }
    // External programs have nothing to show, so none is looked for.
    let engine_set = args.engines.own_lineup()?;
    let Json { json } = args.json;
    let mut failed = false;
    let mut shown: Vec<(String, Vec<Stage>)> = Vec::new();
    let (mut drawn, mut written) = (None, None);
    for (program, rules) in engine_set.pairs(&entry) {
        let Some(engine) = roster::engine(&program.engine) else { continue };
        let source = rules.source.name();
        if !json {
            outln!("{} of {source}", program.engine)?;
        }
        let start = Instant::now();
        let game = match engine.load(rules, &Limits::default()) {
            Ok(compiled) => compiled.game,
            Err(error) => {
                let (kind, reason) = (error.kind().to_string(), error.one_line(&rules.source));
                if json {
                    let engine = &program.engine;
                    json::record("refused", RefusedRecord { engine, source, kind, reason })?;
                } else {
                    outln!("  {kind}: {reason}\n")?;
                }
                failed = true;
                continue;
            }
        };
        let seconds = start.elapsed().as_secs_f64();
        let stages = game.stages();
        if json {
            let compiled = CompiledRecord::new(&program.engine, source, seconds, &*game);
            json::record("compiled", compiled)?;
        } else {
            outln!("  compiled in {:.1} ms", seconds * 1e3)?;
            match shown.iter().find(|(_, before)| !stages.is_empty() && before == stages) {
                Some((before, _)) => outln!("  after each step: as for {before}")?,
                None => print_stages(stages)?,
            }
            print_facts(&*game)?;
            if entry.position.is_some() && !game.facts().chance {
                outln!("{}\n", game.open(&mut NoChance).draw().trim_end())?;
            }
        }
        shown.push((program.engine.clone(), stages.to_vec()));
        if args.dot.is_some() && drawn.is_none() {
            drawn = game.dot(args.most).map(|graph| (program.engine.clone(), graph));
        }
        if args.ir.is_some() && written.is_none() {
            written = game.ir().map(|text| (program.engine.clone(), text));
        }
    }
    if shown.is_empty() && !failed {
        return Err(Usage("none of the engines has a description of this game".to_owned()).into());
    }
    if let Some(path) = &args.dot {
        failed |= !write_graph(path, drawn, json)?;
    }
    if let Some(path) = &args.ir {
        failed |= !write_program(path, written, json)?;
    }
    Ok(if failed { Outcome::Failed } else { Outcome::Fine })
}

/// Writes the first graph that an engine could draw, with the engine's name; false if there is none
/// that is small enough.
fn write_graph(
    path: &Path,
    drawn: Option<(String, Result<String, usize>)>,
    json: bool,
) -> Result<bool> {
    let written = matches!(drawn, Some((_, Ok(_))));
    if let Some((engine, Ok(graph))) = &drawn {
        std::fs::write(path, graph).with_context(|| format!("cannot write {}", path.display()))?;
        if !json {
            outln!("the graph of {engine} is in {}", path.display())?;
        }
    }
    if json {
        if let Some((engine, graph)) = drawn {
            let file = graph.is_ok().then(|| path.to_string_lossy().into_owned());
            json::record("graph", GraphRecord { engine, file, nodes: graph.err() })?;
        }
        return Ok(written);
    }
    match drawn {
        Some((_, Ok(_))) => {}
        Some((engine, Err(nodes))) => outln!(
            "the graph of {engine} has {nodes} nodes and is not drawn; --most {nodes} \
             draws it all the same"
        )?,
        None => outln!("none of the engines can draw what it made of this description")?,
    }
    Ok(written)
}

/// Writes the first program that an engine made, with the engine's name; false if there is none.
fn write_program(path: &Path, written: Option<(String, String)>, json: bool) -> Result<bool> {
    let Some((engine, text)) = written else {
        if !json {
            outln!("none of the engines compiles this description to a program")?;
        }
        return Ok(false);
    };
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
    if json {
        let file = path.to_string_lossy().into_owned();
        json::record("program", ProgramRecord { engine, file })?;
    } else {
        outln!("the program of {engine} is in {}", path.display())?;
    }
    Ok(true)
}

/// A row a stage, a column a size.
fn print_stages(stages: &[Stage]) -> Result<()> {
    let mut facts: Vec<BuildFact> = Vec::new();
    for &(fact, _) in stages.iter().flat_map(|s| &s.sizes) {
        if !facts.contains(&fact) {
            facts.push(fact);
        }
    }
    if facts.is_empty() {
        return Ok(());
    }
    let mut table = Table::new();
    table
        .load_style(NOTHING)
        .set_header(std::iter::once("  after").chain(facts.iter().map(|fact| fact.as_str())));
    for stage in stages {
        let size = |fact: &BuildFact| {
            let found = stage.sizes.iter().find(|(of, _)| of == fact);
            found.map_or_else(|| "-".to_owned(), |(_, size)| size.to_string())
        };
        table.add_row(std::iter::once(format!("  {}", stage.name)).chain(facts.iter().map(size)));
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    outln!("{table}")?;
    Ok(())
}

fn print_facts(game: &dyn Game) -> Result<()> {
    let facts = game.facts();
    let flags = [
        (facts.chance, "chance"),
        (facts.simultaneous, "simultaneous moves"),
        (facts.hidden, "hidden information"),
    ];
    let flags: Vec<&str> = flags.into_iter().filter_map(|(is, name)| is.then_some(name)).collect();
    outln!("  players {}, state of {} bytes{}", facts.players, facts.state_bytes, {
        if flags.is_empty() { String::new() } else { format!(", {}", flags.join(", ")) }
    })?;
    for (fact, size) in &facts.build {
        outln!("  {size:>12} {fact}")?;
    }
    for Strategy { part, way, reason } in game.strategies() {
        outln!("  {part} by {way}")?;
        if let Some(reason) = reason {
            outln!("    since {reason}")?;
        }
    }
    outln!()?;
    Ok(())
}
