//! `play`: people and agents at the terminal.

mod answer;
mod session;

use std::fs::File;
use std::io::BufRead;
use std::path::PathBuf;

use agents::Agent;
use anyhow::{Context, Result, bail};
use clap::Args;
use play::Turn;

use super::Outcome;
use super::keeper::{AgentLimits, Kept, check_agents, keep};
use super::select::{At, CatalogueArgs, DEFAULT_CAP, Usage, entry_of};
use crate::output;
use crate::seat::{Setting, agent};
use crate::trial::{End, Faulty, Header, Trial, write_line};

use answer::Answer;
use session::Session;

#[derive(Args, Clone, Debug)]
pub(super) struct PlayArgs {
    /// A game of the catalogue by id, or a rule file
    game: String,
    /// Which player you are, `all` of them or `none`; agents play the others
    #[arg(long, default_value = "1")]
    you: String,
    /// The agent that plays the others, such as `uct:c=0.7`, or `program:COMMAND`
    #[arg(long, default_value = "random", value_name = "AGENT")]
    against: String,
    /// The agent that gives hints [default: `uct`, or where something is hidden `hyperplay`]
    #[arg(long, value_name = "AGENT")]
    hints: Option<String>,
    #[command(flatten)]
    thinking: AgentLimits,
    /// Show the position and all moves of games in which players do not see everything
    #[arg(long)]
    show: bool,
    /// File for the game that was played, as a trial: see bench/trials.md
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Engine that keeps the rules [default: the first that reads the game]
    #[arg(long)]
    engine: Option<String>,
    /// An option of the rules, such as "Board Size/8x8"; may be given several times
    #[arg(long = "option", value_name = "OPTION")]
    options: Vec<String>,
    /// Seed of chance and of the agents
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Plies after which the game is given up
    #[arg(long, default_value_t = DEFAULT_CAP)]
    cap: u32,
    #[command(flatten)]
    at: At,
    #[command(flatten)]
    place: CatalogueArgs,
}

/// The players who sit at the terminal.
#[derive(Clone, Copy)]
enum TerminalPlayer {
    All,
    Nobody,
    Player(u8),
}

impl TerminalPlayer {
    fn plays(self, player: u8) -> bool {
        match self {
            TerminalPlayer::All => true,
            TerminalPlayer::Nobody => false,
            TerminalPlayer::Player(you) => you == player,
        }
    }
}

pub(super) fn play(args: &PlayArgs) -> Result<Outcome> {
    let person = match args.you.as_str() {
        "all" => TerminalPlayer::All,
        "none" => TerminalPlayer::Nobody,
        number => match number.parse::<u8>() {
            Ok(n) if n > 0 => TerminalPlayer::Player(n - 1),
            _ => {
                return Err(
                    Usage("--you takes a player's number, `all` or `none`".to_owned()).into()
                );
            }
        },
    };
    let named: Vec<String> = args.hints.iter().chain([&args.against]).cloned().collect();
    let named = check_agents(&named)?;
    let entry = args.at.of(entry_of(&args.game, &args.place, &args.options, args.cap)?)?;
    // The ludeme engine draws boards best, so it comes first where the user does not choose.
    let mut kept = keep(&entry, args.engine.as_deref(), "ludeme")?;
    // Where boards are not shown, what tells most are labels, in the words of the rules.
    if kept.game.facts().hidden && args.engine.is_none() {
        kept = keep(&entry, None, "bitboard")?;
    }
    let facts = kept.game.facts();
    if let TerminalPlayer::Player(player) = person
        && player >= facts.players
    {
        return Err(Usage(format!("{} has {} players", entry.title, facts.players)).into());
    }
    let header = Header::new(&args.game, &kept.rules, kept.engine, facts, args.cap)
        .at(entry.position.as_deref());
    let setting = args.thinking.setting(&named, &entry, &kept, args.cap)?;
    let mut table = PlayTable::new(args, person, &kept, setting)?;
    outln!("{}\n", entry.title)?;
    let played = table.play_on();
    // Whatever happened, what was played is kept.
    let end = match &played {
        Ok((end, _)) => *end,
        Err(_) => End::Left,
    };
    let fault = played.as_ref().ok().and_then(|(_, fault)| fault.clone());
    let failed = fault.is_some();
    let trial = table.trial(end, fault);
    if let Some(path) = &args.record {
        let shown = || format!("cannot write {}", path.display());
        let mut file = File::create(path).with_context(shown)?;
        write_line(&mut file, &header).with_context(shown)?;
        write_line(&mut file, &trial).with_context(shown)?;
        if played.is_ok() {
            outln!("The game is in {}; `ggpbench replay` plays it again.", path.display())?;
        }
    } else if played.is_ok() && !trial.plies.is_empty() {
        outln!("The game is not recorded; --record FILE would keep it.")?;
    }
    played?;
    Ok(if failed { Outcome::Failed } else { Outcome::Fine })
}

/// A game between people and agents, with all that is needed to show it.
struct PlayTable<'g> {
    person: TerminalPlayer,
    kept: &'g Kept,
    setting: Setting,
    against: String,
    hints: String,
    session: Session<'g>,
    agents: Vec<Option<Box<dyn Agent>>>,
    /// True if positions and all moves are shown.
    open: bool,
    /// For each player the plies that had been shown to it, and one for the start.
    shown: Vec<usize>,
    lines: Box<dyn Iterator<Item = std::io::Result<String>>>,
}

impl<'g> PlayTable<'g> {
    fn new(
        args: &PlayArgs,
        person: TerminalPlayer,
        kept: &'g Kept,
        setting: Setting,
    ) -> Result<PlayTable<'g>> {
        let facts = kept.game.facts();
        let agents = (0..facts.players).map(|player| {
            let seated = (!person.plays(player)).then(|| agent(&args.against, &setting));
            seated.transpose().map_err(Usage)
        });
        let agents = agents.collect::<Result<_, _>>()?;
        let hints = if facts.hidden { "hyperplay" } else { "uct" };
        Ok(PlayTable {
            person,
            kept,
            against: args.against.clone(),
            hints: args.hints.clone().unwrap_or_else(|| hints.to_owned()),
            session: Session::new(&*kept.game, args.seed)?,
            agents,
            open: args.show || !facts.hidden || matches!(person, TerminalPlayer::Nobody),
            shown: vec![0; usize::from(facts.players)],
            lines: Box::new(std::io::stdin().lock().lines()),
            setting,
        })
    }

    fn trial(&self, end: End, fault: Option<Faulty>) -> Trial {
        let players = self.kept.game.facts().players;
        let names = (0..players).map(|player| {
            if self.person.plays(player) { "person".to_owned() } else { self.against.clone() }
        });
        self.session.trial(names.collect(), &self.setting, end, fault)
    }

    /// Plays to the end.
    fn play_on(&mut self) -> Result<(End, Option<Faulty>)> {
        self.draw()?;
        loop {
            let Turn::Move(player) = self.session.turn() else {
                if !self.open {
                    self.percepts_of_all()?;
                }
                announce(&self.session)?;
                return Ok((End::Over, None));
            };
            let plies = self.session.plies.len();
            if plies >= self.setting.cap as usize {
                outln!("given up after {plies} plies")?;
                return Ok((End::Cap, None));
            }
            if self.session.position().actions() == 0 {
                bail!("player {} has no legal action, and the game is not over", player.0 + 1);
            }
            if self.person.plays(player.0) {
                self.tell(player.0)?;
                let Some(action) = self.ask(player.0)? else {
                    return Ok((End::Left, None));
                };
                self.session.play(action, 0)?;
            } else {
                let Some(agent) = &mut self.agents[usize::from(player.0)] else {
                    bail!("nobody plays player {}", player.0 + 1);
                };
                match self.session.think(&mut **agent, &self.setting) {
                    Ok(choice) => self.session.play(choice.action, choice.simulations)?,
                    Err(fault) => {
                        outln!(
                            "player {} ({}) commits a fault and has lost: {fault}",
                            player.0 + 1,
                            self.against
                        )?;
                        let fault = Faulty { player: player.0, reason: fault.0 };
                        return Ok((End::Fault, Some(fault)));
                    }
                }
            }
            self.last_ply()?;
        }
    }

    /// Shows the ply that was just played, to those who may see it.
    fn last_ply(&self) -> Result<()> {
        let Some(ply) = self.session.plies.last() else { return Ok(()) };
        if self.open || self.person.plays(ply.player) {
            let number = self.session.plies.len();
            outln!("{number}. player {}: {}\n", ply.player + 1, ply.label)?;
        }
        if self.open {
            for (player, percepts) in (1..).zip(&ply.percepts) {
                if !percepts.is_empty() {
                    outln!("player {player} perceives: {}", percepts.join(", "))?;
                }
            }
        }
        self.draw()
    }

    fn draw(&self) -> Result<()> {
        if self.open {
            outln!("{}\n", self.session.position().draw().trim_end())?;
        }
        Ok(())
    }

    /// Tells a person what its role perceived since it was last told, where it sees nothing else.
    fn tell(&mut self, player: u8) -> Result<()> {
        if self.open {
            return Ok(());
        }
        let shown = &mut self.shown[usize::from(player)];
        let perceived = self.session.perceived(player, *shown);
        if !perceived.is_empty() {
            outln!("player {} perceives: {}", player + 1, perceived.join(", "))?;
        }
        *shown = self.session.plies.len() + 1;
        Ok(())
    }

    fn percepts_of_all(&mut self) -> Result<()> {
        for player in 0..self.kept.game.facts().players {
            if self.person.plays(player) {
                self.tell(player)?;
            }
        }
        Ok(())
    }

    /// Asks until there is a legal answer; `None` when the person leaves.
    fn ask(&mut self, player: u8) -> Result<Option<usize>> {
        let mut player = player;
        loop {
            let labels = self.session.position().labels();
            output::prompt(&format!(
                "player {}, your move (? lists all {}, help says more): ",
                player + 1,
                labels.len()
            ))?;
            // What is not text is no move either.
            let line = match self.lines.next() {
                None => {
                    outln!()?;
                    return Ok(None);
                }
                Some(Err(error)) if error.kind() == std::io::ErrorKind::InvalidData => {
                    outln!("that is not text (? lists the legal moves)")?;
                    continue;
                }
                Some(line) => line.context("cannot read from standard input")?,
            };
            match answer::read(&line, &labels) {
                Ok(Answer::Action(action)) => return Ok(Some(action)),
                Ok(Answer::Quit) => return Ok(None),
                Ok(Answer::Help) => outln!("{}", answer::HELP)?,
                Ok(Answer::List) => {
                    let width = output::width().unwrap_or(80);
                    outln!("{}", answer::list(&labels, usize::from(width)))?;
                }
                Ok(Answer::Hint) => self.hint(&labels)?,
                Ok(Answer::Undo) => {
                    let person = self.person;
                    if self.session.undo(|player| person.plays(player)) {
                        let plies = self.session.plies.len();
                        self.shown.iter_mut().for_each(|shown| *shown = (*shown).min(plies));
                        outln!("taken back to ply {}\n", plies + 1)?;
                        self.draw()?;
                        if let Turn::Move(whose) = self.session.turn() {
                            player = whose.0;
                            self.tell(player)?;
                        }
                    } else {
                        outln!("you have not moved yet")?;
                    }
                }
                Err(what) => outln!("{what}")?,
            }
        }
    }

    /// Prints the choice of an agent that knows no more than the person.
    fn hint(&self, labels: &[String]) -> Result<()> {
        let mut adviser = match agent(&self.hints, &self.setting) {
            Ok(adviser) => adviser,
            Err(reason) => return Ok(outln!("no hint: {reason}; --hints names another agent")?),
        };
        match self.session.think(&mut *adviser, &self.setting) {
            Ok(choice) => {
                outln!("{} would play {}", self.hints, labels[choice.action])?;
                let mut values = choice.values;
                values.sort_by(|a, b| b.1.total_cmp(&a.1));
                for (action, value) in values.iter().take(10) {
                    let label = labels.get(*action).map_or("", String::as_str);
                    outln!("  {label}: expects {value:.1}")?;
                }
            }
            Err(fault) => outln!("no hint: {fault}; --hints names another agent")?,
        }
        Ok(())
    }
}

fn announce(session: &Session<'_>) -> Result<()> {
    match session.position().scores() {
        Some(scores) => {
            let all: Vec<String> = scores
                .iter()
                .enumerate()
                .map(|(p, s)| format!("player {} gets {s}", p + 1))
                .collect();
            outln!("The game is over: {}.", all.join(", "))?;
        }
        None => outln!("The game is over.")?,
    }
    Ok(())
}
