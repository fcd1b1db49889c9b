//! `replay`: recorded games played again and compared.

use std::io::BufRead;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;

use super::Outcome;
use super::keeper::{Kept, keep};
use super::select::{CatalogueArgs, Usage, entry_of, there};
use crate::identity;
use crate::output;
use crate::trial::{Agreement, Followed, Header, Reader, Trial, follow};

#[derive(Args, Clone, Debug)]
pub(super) struct ReplayArgs {
    /// File of trials: see bench/trials.md
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Engine to replay on [default: the one that recorded]
    #[arg(long)]
    engine: Option<String>,
    /// The game, by id or as a rule file, if not what the file names
    #[arg(long)]
    game: Option<String>,
    /// Draw all positions
    #[arg(long)]
    show: bool,
    /// Draw the positions one by one, each after the return key
    #[arg(long)]
    step: bool,
    /// Only the trial of this number
    #[arg(long, value_name = "NUMBER")]
    trial: Option<u64>,
    #[command(flatten)]
    place: CatalogueArgs,
}

pub(super) fn replay(args: &ReplayArgs) -> Result<Outcome> {
    there(&args.file)?;
    let mut reader = Reader::open(&args.file)?;
    let header = reader.header().clone();
    let kept = kept(args, &header)?;
    let drawn = kept.engine == header.engine;
    let keep = args.show || args.step;
    let (mut agreed, mut all) = (0u64, 0u64);
    while let Some(trial) = reader.next_trial()? {
        if args.trial.is_some_and(|number| number != trial.trial) {
            continue;
        }
        all += 1;
        let Followed { agreement, positions } = follow(&*kept.game, &header, &trial, drawn, keep);
        if keep && !show(args, &trial, &positions)? {
            return Ok(Outcome::Fine);
        }
        match agreement {
            Agreement::Agrees => agreed += 1,
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
    outln!("{agreed} of {all} trial{ending} of {} agree on {}", header.game, kept.engine)?;
    if all == 0 {
        let what = args.trial.map_or_else(|| "no trial".to_owned(), |n| format!("no trial {n}"));
        errln!("error: {} holds {what}", args.file.display());
        return Ok(Outcome::Failed);
    }
    Ok(if agreed == all { Outcome::Fine } else { Outcome::Failed })
}

/// The game that the header names, on the engine that is wanted.
fn kept(args: &ReplayArgs, header: &Header) -> Result<Kept> {
    let named = args.game.as_ref().unwrap_or(&header.game);
    let place = format!("{}:1", args.file.display());
    let hint = || format!("{place}: the game `{named}`; --game names another id or rule file");
    let mut entry = entry_of(named, &args.place, &header.options, header.cap).with_context(hint)?;
    if let Some(position) = &header.position {
        entry = entry.at(position).map_err(|why| Usage(format!("{place}: {why}")))?;
    }
    if args.engine.is_none() {
        entry.descriptions.retain(|rules| rules.language.name() == header.language);
    }
    let engine = args.engine.as_deref().unwrap_or(&header.engine);
    let kept = keep(&entry, Some(engine), "")
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
