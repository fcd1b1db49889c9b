//! `record`: games played by agents, written as trials or in the format of `conform --traces`.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow};
use clap::{Args, ValueEnum};
use play::{Course, Language, Limits, mix};
use reports::text::printable;
use serde_json::Value;

use super::Outcome;
use super::keeper::{AgentLimits, check_agents, keep};
use super::select::{At, CatalogueArgs, DEFAULT_CAP, Usage, entry_of};
use crate::identity::sha256;
use crate::output;
use crate::seat::play_trial;
use crate::trial::{Header, Ply, Trial, line_of};

#[derive(Args, Clone, Debug)]
pub(super) struct RecordArgs {
    /// A game of the catalogue by id, or a rule file
    game: String,
    /// Games to play
    #[arg(long, short = 'n', default_value_t = 10, value_name = "NUMBER")]
    count: u64,
    /// Agents, one for each role; a single one plays all roles
    #[arg(long, num_args = 1.., default_value = "random", value_name = "AGENT")]
    agents: Vec<String>,
    #[command(flatten)]
    thinking: AgentLimits,
    /// Engine that keeps the rules [default: the quickest that reads the game]
    #[arg(long)]
    engine: Option<String>,
    /// An option of the rules, such as "Board Size/8x8"; may be given several times
    #[arg(long = "option", value_name = "OPTION")]
    options: Vec<String>,
    /// Seed of chance and of the agents
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Plies after which a game is given up [default: the game's own]
    #[arg(long)]
    cap: Option<u32>,
    /// What to write: trials, which `replay` reads; labels, a line a game, as the manifest of a
    /// game records them; or traces, which `conform --traces` reads (of rule files in KIF, where
    /// the prover keeps the rules, or in ludemes)
    #[arg(long, value_enum, default_value_t = Format::Trials, value_name = "FORMAT")]
    format: Format,
    /// File to write [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    at: At,
    #[command(flatten)]
    place: CatalogueArgs,
}

/// The format in which games are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Trials,
    Labels,
    Traces,
}

/// The engines that write traces, with the languages that they read.
const TRACERS: [(&str, Language); 2] = [("prover", Language::Kif), ("ludeme", Language::Lud)];

pub(super) fn record(args: &RecordArgs) -> Result<Outcome> {
    let agents = check_agents(&args.agents)?;
    let cap = args.cap.unwrap_or(DEFAULT_CAP);
    let mut entry = args.at.of(entry_of(&args.game, &args.place, &args.options, cap)?)?;
    let cap = args.cap.unwrap_or(entry.cap);
    let plies = entry.descriptions.first().map_or(0, |rules| rules.start.len());
    if args.format != Format::Trials && entry.position.is_some() && plies == 0 {
        let message = "labels and traces are of games from the start of the rules, or from a \
            position that labels lead to";
        return Err(Usage(message.to_owned()).into());
    }
    let kept = match args.format {
        Format::Trials | Format::Labels => keep(&entry, args.engine.as_deref())?,
        Format::Traces => {
            // Traces are in the words of the rules.
            entry.descriptions.iter_mut().for_each(|rules| rules.words = play::Words::default());
            let asked = args.engine.as_deref();
            let mut tracers = TRACERS.into_iter().filter(|(id, _)| asked.is_none_or(|a| a == *id));
            if tracers.clone().next().is_none() {
                let message = "writes no traces; the engines `prover` and `ludeme` do";
                return Err(Usage(format!("{} {message}", asked.unwrap_or_default())).into());
            }
            let reads = |language| entry.descriptions.iter().any(|d| d.language == language);
            let Some((tracer, _)) = tracers.find(|&(_, language)| reads(language)) else {
                let message =
                    format!("traces are of rule files in KIF or ludemes; {} has none", entry.title);
                return Err(Usage(message).into());
            };
            keep(&entry, Some(tracer))?
        }
    };
    let players = usize::from(kept.game.facts().players);
    let names = match args.agents.as_slice() {
        [one] => vec![one.clone(); players],
        all if all.len() == players => all.to_vec(),
        all => {
            let (title, given) = (&entry.title, all.len());
            let message = format!("{title} has {players} players; {given} agents were named");
            return Err(Usage(message).into());
        }
    };
    let setting = args.thinking.setting(&agents, &entry, &kept, cap)?;
    let header = Header::new(&args.game, &kept.rules, kept.engine, kept.game.facts(), cap)
        .at(entry.position.as_deref());
    let mut out: Box<dyn Write> = match &args.out {
        Some(path) => {
            let file =
                File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
            Box::new(BufWriter::new(file))
        }
        None => Box::new(Vec::new()),
    };
    let (mut failed, mut courses) = (false, Vec::new());
    if args.format == Format::Trials {
        emit(&mut out, args.out.is_none(), &line_of(&header)?)?;
    }
    for number in 1..=args.count {
        let seed = mix(args.seed ^ mix(number));
        let trial = play_trial(&*kept.game, &setting, &names, number, seed);
        let trial = trial.map_err(Usage)?;
        if let Some(fault) = &trial.fault {
            failed = true;
            errln!(
                "trial {number}: {} (player {}): {}",
                names[usize::from(fault.player)],
                fault.player + 1,
                fault.reason
            );
        }
        // They begin where the rules do.
        let before = &kept.rules.start;
        let labels =
            |plies: Vec<Ply>| before.iter().cloned().chain(plies.into_iter().map(|ply| ply.label));
        match args.format {
            Format::Trials => emit(&mut out, args.out.is_none(), &line_of(&trial)?)?,
            Format::Labels => {
                let labels: Vec<String> = labels(trial.plies).collect();
                let line = printable(&labels.join(" ")).to_string() + "\n";
                emit(&mut out, args.out.is_none(), &line)?;
            }
            Format::Traces => {
                let Trial { plies, chance, .. } = trial;
                courses.push(Course { moves: labels(plies).collect(), chance });
            }
        }
    }
    if args.format == Format::Traces {
        emit(&mut out, args.out.is_none(), &traces(kept.engine, &kept.rules, &courses)?)?;
    }
    if let Some(path) = &args.out {
        let what = match args.format {
            Format::Trials => "trials",
            Format::Labels => "games",
            Format::Traces => "traces",
        };
        outln!("{} {what} on {} are in {}", args.count, kept.engine, path.display())?;
    }
    Ok(if failed { Outcome::Failed } else { Outcome::Fine })
}

/// The games as traces, with the hash of the rule file by which `conform` knows it.
fn traces(tracer: &str, rules: &play::Rules, courses: &[Course]) -> Result<String> {
    let engines = roster::engines();
    let engine = engines.iter().find(|engine| engine.id() == tracer).context("no engine")?;
    let text = engine.record(rules, courses, &Limits::default()).map_err(|error| match error {
        play::ReplayError::Compile(error) => anyhow!(error.one_line(&rules.source)),
        play::ReplayError::Unsupported(what) | play::ReplayError::Malformed(what) => anyhow!(what),
    })?;
    let (header, games) = text.split_once('\n').unwrap_or((&text, ""));
    let mut header: Value = serde_json::from_str(header).context("the header of the traces")?;
    header["sha256"] = sha256(rules.source.text().as_bytes()).into();
    if !rules.options.is_empty() {
        header["options"] = rules.options.clone().into();
    }
    Ok(format!("{header}\n{games}"))
}

/// Writes text to a file, or to standard output as everything that commands print.
fn emit(out: &mut dyn Write, terminal: bool, text: &str) -> Result<()> {
    if terminal {
        return Ok(output::raw(text)?);
    }
    // Whoever is killed leaves at most one line that is cut.
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).context("cannot write the games")
}
