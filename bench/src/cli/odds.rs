//! `odds`: what can be told of the squares of a Wumpus world.

use std::path::PathBuf;

use agents::{Assumptions, ObservedPly, PitPrior, WumpusWorld};
use anyhow::{Context, Result};
use clap::Args;
use play::Player;

use super::Outcome;
use super::keeper::{Kept, keep};
use super::select::{CatalogueArgs, DEFAULT_CAP, Usage, entry_of, there};
use crate::trial::{Header, Reader, past_of};

#[derive(Args, Clone, Debug)]
pub(super) struct OddsArgs {
    /// What was perceived at the start, then after each move, such as `forward: breeze, stench`; a
    /// percept of the start has no move before it
    #[arg(value_name = "PAST", conflicts_with = "trials")]
    past: Vec<String>,
    /// The game that moves are of, by id or as a rule file: any Wumpus world, wumpus-4x4 or a hunt.
    /// Its labels, sizes, arrows and tunnels are then found out by trying [default: that of the
    /// trials; else labels as in wumpus-4x4]
    #[arg(long)]
    game: Option<String>,
    /// Engine whose labels they are [default: that of the trials; else the first that reads the
    /// game]
    #[arg(long)]
    engine: Option<String>,
    /// Instead: a file of trials, of which --trial and --ply choose
    #[arg(long, value_name = "FILE")]
    trials: Option<PathBuf>,
    /// Number of the trial in that file
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    trial: u64,
    /// Plies of that trial to look at [default: all]
    #[arg(long, value_name = "NUMBER")]
    ply: Option<usize>,
    /// Rows and columns of the cave, where no game says [default: 4]
    #[arg(long, value_parser = clap::value_parser!(u8).range(2..=26))]
    #[arg(conflicts_with_all = ["game", "trials"])]
    size: Option<u8>,
    /// Just so many pits, all ways to place them equally likely [default: as in the catalogue: a
    /// chance of 1/5 for each square; one or two pits in hunts, three in the printed cave]
    #[arg(long, value_name = "NUMBER", conflicts_with = "pit_chance")]
    pits: Option<usize>,
    /// A pit in each square with this probability, independently
    #[arg(long, value_name = "PROBABILITY")]
    pit_chance: Option<f64>,
    /// Flocks of bats, in caves of rooms [default: 2]
    #[arg(long, value_name = "NUMBER")]
    bats: Option<usize>,
    /// Arrows at the start [default: those of the game; else 1]
    #[arg(long, value_name = "NUMBER")]
    arrows: Option<u32>,
    /// The player who asks, by number, in games for several
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u8).range(1..))]
    player: u8,
    #[command(flatten)]
    place: CatalogueArgs,
}

pub(super) fn odds(args: &OddsArgs) -> Result<Outcome> {
    let (past, header) = match &args.trials {
        None => (args.past.iter().map(|text| observed_ply(text)).collect(), None),
        Some(path) => {
            there(path)?;
            let mut reader = Reader::open(path)?;
            let trial = loop {
                match reader.next_trial()? {
                    Some(trial) if trial.trial == args.trial => break trial,
                    Some(_) => {}
                    None => {
                        let file = path.display();
                        let message =
                            format!("{file} has no trial {}; --trial names one", args.trial);
                        return Err(Usage(message).into());
                    }
                }
            };
            let plies = trial.plies.len().min(args.ply.unwrap_or(usize::MAX));
            let past = past_of(Player(args.player - 1), &trial.start, &trial.plies[..plies]);
            (past, Some(reader.header().clone()))
        }
    };
    let pits = args.pits.map(PitPrior::Exactly).or(args.pit_chance.map(PitPrior::Each));
    let assumed = Assumptions { pits, arrows: args.arrows, bats: args.bats };
    let odds = match kept(args, header.as_ref())? {
        Some(kept) => {
            let players = kept.game.facts().players;
            if args.player > players {
                let message = format!("--player {}: the game has {players}", args.player);
                return Err(Usage(message).into());
            }
            agents::odds_in(&*kept.game, Player(args.player - 1), &past, &assumed)
        }
        None => {
            let size = usize::from(args.size.unwrap_or(4));
            agents::odds(&WumpusWorld::new(size, &assumed), &past)
        }
    };
    let odds = odds.map_err(Usage)?;
    outln!("{}", odds.to_string().trim_end())?;
    Ok(Outcome::Fine)
}

/// The game whose labels the moves are, if there is one, on the engine that has them.
fn kept(args: &OddsArgs, header: Option<&Header>) -> Result<Option<Kept>> {
    let recorded = header.filter(|_| args.game.is_none());
    let Some(named) = args.game.as_ref().or(recorded.map(|header| &header.game)) else {
        return Ok(None);
    };
    let options = recorded.map_or(&[][..], |header| &header.options);
    let hint = || format!("the game `{named}`; --game names another id or rule file");
    let entry = entry_of(named, &args.place, options, DEFAULT_CAP).with_context(hint)?;
    let engine = args.engine.as_deref().or(header.map(|header| header.engine.as_str()));
    Ok(Some(keep(&entry, engine).with_context(hint)?))
}

/// `forward: breeze, stench`, or what was perceived at the start: `breeze`.
fn observed_ply(text: &str) -> ObservedPly {
    let (own, percepts) = match text.split_once(':') {
        Some((own, percepts)) => (Some(own.trim().to_owned()), percepts),
        None => (None, text),
    };
    let percepts = percepts.split(',').map(str::trim).filter(|percept| !percept.is_empty());
    let mut percepts: Vec<String> = percepts.map(str::to_owned).collect();
    percepts.sort();
    ObservedPly { own, percepts }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn glimpses_are_a_move_and_percepts() {
        let seen = observed_ply("forward: stench,breeze");
        assert_eq!(seen.own.as_deref(), Some("forward"));
        assert_eq!(seen.percepts, ["breeze", "stench"]);
        assert_eq!(observed_ply("breeze").own, None);
        assert!(observed_ply("turn-left:").percepts.is_empty());
    }
}
