//! `replay`: recorded games played again and compared.

mod records;

use std::io::BufRead;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use pictures::Options;

use super::Outcome;
use super::json::{self, Json};
use super::keeper::{Kept, keep};
use super::select::{CatalogueArgs, Usage, entry_of, there};
use crate::game_record::Format;
use crate::identity;
use crate::output;
use crate::trial::{Agreement, End, Followed, Header, Reader, Trial, follow};

#[derive(Args, Clone, Debug)]
pub(super) struct ReplayArgs {
    /// Files of recorded games, or folders of them: trials, or PGN, SGF, PDN, matches of GGP
    /// servers (.json, .xml), trials of Ludii (.trl); see bench/trials.md
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Engine to replay on [default: of trials the one that recorded, of other records every engine
    /// of the game]
    #[arg(long)]
    engine: Option<String>,
    /// The game, by id or as a rule file, if not what the file names
    #[arg(long)]
    game: Option<String>,
    /// Draw all positions
    #[arg(long)]
    show: bool,
    /// Write a picture of all positions of each trial into this folder
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,
    /// Draw the positions one by one, each after the return key
    #[arg(long)]
    step: bool,
    /// Only the trial of this number; of other records, the game of this number in its file
    #[arg(long, value_name = "NUMBER")]
    trial: Option<u64>,
    /// PDN: the first number of a result is White's, who moves second [default: Black's]
    #[arg(long)]
    white_first: bool,
    #[command(flatten)]
    place: CatalogueArgs,
    #[command(flatten)]
    json: Json,
}

pub(super) fn replay(args: &ReplayArgs) -> Result<Outcome> {
    args.files.iter().try_for_each(|file| there(file))?;
    let mut files = Vec::new();
    for path in &args.files {
        files.extend(records::files_at(path)?);
    }
    let (others, trials): (Vec<PathBuf>, Vec<PathBuf>) =
        files.into_iter().partition(|file| Format::of(file).is_some());
    let mut outcome = Outcome::Fine;
    for file in &trials {
        if replay_trials(args, file)? == Outcome::Failed {
            outcome = Outcome::Failed;
        }
    }
    if others.is_empty() && trials.is_empty() {
        let message = "no recorded games there: none of .pgn .sgf .pdn .json .xml .trl";
        return Err(Usage(message.to_owned()).into());
    }
    if !others.is_empty() && records::replay_records(args, &others)? == Outcome::Failed {
        outcome = Outcome::Failed;
    }
    Ok(outcome)
}

/// Replays a file of trials.
fn replay_trials(args: &ReplayArgs, file: &Path) -> Result<Outcome> {
    let mut reader = Reader::open(file)?;
    let header = reader.header().clone();
    let kept = kept(args, file, &header)?;
    let drawn = kept.engine == header.engine;
    let keep = args.show || args.step || args.svg.is_some();
    let (mut agreed, mut all) = (0u64, 0u64);
    while let Some(trial) = reader.next_trial()? {
        if args.trial.is_some_and(|number| number != trial.trial) {
            continue;
        }
        all += 1;
        let Followed { agreement, positions } = follow(&*kept.game, &header, &trial, drawn, keep);
        if let Some(folder) = &args.svg {
            strip(folder, &header, &trial, &positions)?;
        }
        if (args.show || args.step) && !show(args, &trial, &positions)? {
            return Ok(Outcome::Fine);
        }
        agreed += u64::from(agreement == Agreement::Agrees);
        if args.json.json {
            record(&reader, &kept, &header, &trial, agreement)?;
            continue;
        }
        match agreement {
            Agreement::Agrees => {}
            Agreement::Differs(difference) => {
                outln!("{}: trial {}, {difference}", reader.place(), trial.trial)?;
            }
            Agreement::NotFollowed(reason) => outln!(
                "{}: trial {} cannot be followed on {}: {reason}",
                reader.place(),
                trial.trial,
                kept.engine
            )?,
        }
    }
    let ending = if all == 1 { "" } else { "s" };
    if !args.json.json {
        outln!("{agreed} of {all} trial{ending} of {} agree on {}", header.game, kept.engine)?;
    }
    if all == 0 {
        let what = args.trial.map_or_else(|| "no trial".to_owned(), |n| format!("no trial {n}"));
        errln!("error: {} holds {what}", file.display());
        return Ok(Outcome::Failed);
    }
    Ok(if agreed == all { Outcome::Fine } else { Outcome::Failed })
}

/// Prints the record of a trial.
fn record(
    reader: &Reader,
    kept: &Kept,
    header: &Header,
    trial: &Trial,
    agreement: Agreement,
) -> Result<()> {
    let (file, line) = reader.at();
    let (finding, reason) = match agreement {
        Agreement::Agrees => ("ended", None),
        Agreement::Differs(difference) => ("WRONG", Some(difference.to_string())),
        Agreement::NotFollowed(reason) => ("not followed", Some(reason)),
    };
    let finding = match (finding, trial.end) {
        ("ended", End::Over) | ("WRONG" | "not followed", _) => finding,
        _ => "stopped",
    };
    let file = file.display().to_string();
    let replayed = records::Replayed {
        file: &file,
        line,
        column: 1,
        game: &header.game,
        engine: Some(kept.engine),
        finding: finding.to_owned(),
        plies: Some(trial.plies.len() as u64),
        reason,
    };
    Ok(json::record("replayed", replayed)?)
}

/// The game that the header names, on the engine that is wanted.
fn kept(args: &ReplayArgs, file: &Path, header: &Header) -> Result<Kept> {
    let named = args.game.as_ref().unwrap_or(&header.game);
    let place = format!("{}:1", file.display());
    let hint = || format!("{place}: the game `{named}`; --game names another id or rule file");
    let mut entry = entry_of(named, &args.place, &header.options, header.cap).with_context(hint)?;
    if let Some(position) = &header.position {
        entry = entry.at(position).map_err(|why| Usage(format!("{place}: {why}")))?;
    }
    if args.engine.is_none() {
        entry.descriptions.retain(|rules| rules.language.name() == header.language);
    }
    let engine = args.engine.as_deref().unwrap_or(&header.engine);
    let kept = keep(&entry, Some(engine))
        .with_context(|| format!("{place}: recorded on {}", header.engine))?;
    let same = kept.rules.language.name() != header.language
        || identity::of_rules(&kept.rules) == header.rules;
    if !same {
        errln!(
            "note: the rules of {named} are not those that were recorded (hash {}, now {}); the \
             trials \
             show whether that matters",
            header.rules,
            identity::of_rules(&kept.rules)
        );
    }
    Ok(kept)
}

/// Writes one picture with all positions of a trial.
fn strip(
    folder: &Path,
    header: &Header,
    trial: &Trial,
    positions: &[Box<dyn play::Position + '_>],
) -> Result<()> {
    const COLUMNS: usize = 4;
    let titles: Vec<String> = (0..positions.len())
        .map(|number| match number.checked_sub(1).and_then(|before| trial.plies.get(before)) {
            None => format!("{}, trial {}", header.game, trial.trial),
            Some(ply) => format!("{number}. player {}: {}", ply.player + 1, ply.label),
        })
        .collect();
    let last = |number: usize| {
        let ply = number.checked_sub(1).and_then(|before| trial.plies.get(before));
        ply.map(|ply| ply.label.as_str())
    };
    let pictures: Vec<(play::Picture, Options<'_>)> = positions
        .iter()
        .enumerate()
        .map(|(number, position)| {
            let options =
                Options { title: &titles[number], last: last(number), ..Options::default() };
            (position.picture(), options)
        })
        .collect();
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let name = Path::new(&header.game).file_stem().unwrap_or_default().to_string_lossy();
    let path = folder.join(format!("{name}-{}.svg", trial.trial));
    std::fs::write(&path, pictures::strip(&pictures, COLUMNS))
        .with_context(|| format!("cannot write {}", path.display()))
}

/// Draws the positions of a trial; false if the person wants no more.
fn show(
    args: &ReplayArgs,
    trial: &Trial,
    positions: &[Box<dyn play::Position + '_>],
) -> Result<bool> {
    outln!("trial {}: {}\n", trial.trial, trial.agents.join(" – "))?;
    let mut lines = std::io::stdin().lock().lines();
    for (number, position) in positions.iter().enumerate() {
        let perceived = match number.checked_sub(1) {
            None => &trial.start,
            Some(before) => {
                let ply = &trial.plies[before];
                outln!("{number}. player {}: {}", ply.player + 1, ply.label)?;
                &ply.percepts
            }
        };
        for (player, percepts) in (1..).zip(perceived) {
            if !percepts.is_empty() {
                outln!("player {player} perceives: {}", percepts.join(", "))?;
            }
        }
        outln!("{}\n", position.draw().trim_end())?;
        if args.step && number + 1 < positions.len() {
            output::prompt("return goes on, q quits: ")?;
            match lines.next().transpose()? {
                Some(line) if !line.trim().starts_with('q') => {}
                _ => return Ok(false),
            }
        }
    }
    if let Some(scores) = &trial.scores {
        let scores: Vec<String> = scores.iter().map(ToString::to_string).collect();
        outln!("scores: {}\n", scores.join("/"))?;
    }
    if let Some(fault) = &trial.fault {
        outln!("fault of player {}: {}\n", fault.player + 1, fault.reason)?;
    }
    Ok(true)
}
