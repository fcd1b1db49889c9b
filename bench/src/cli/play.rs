//! `play`: a person, or nobody, against random players.

use std::io::BufRead;

use anyhow::{Result, anyhow, bail};
use clap::Args;
use play::{Game, Limits, Position, Rng, Turn, settle};

use super::Outcome;
use super::select::{self, DEFAULT_CAP, Usage, Where, entry_of};
use crate::entry::Entry;
use crate::output;

#[derive(Args, Clone, Debug)]
pub(super) struct PlayArgs {
    /// A game of the catalogue by id, or a rule file
    game: String,
    /// Which player you are, `all` of them or `none`; the others play at random
    #[arg(long, default_value = "1")]
    you: String,
    /// Engine that keeps the rules [default: the first that reads the game]
    #[arg(long)]
    engine: Option<String>,
    /// An option of the rules, such as "Board Size/8x8"; may be given several times
    #[arg(long = "option", value_name = "OPTION")]
    options: Vec<String>,
    /// Seed of the random players
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Plies after which the game is given up
    #[arg(long, default_value_t = DEFAULT_CAP)]
    cap: u32,
    #[command(flatten)]
    place: Where,
}

/// Who sits at the terminal.
enum Person {
    All,
    Nobody,
    Player(u8),
}

pub(super) fn play(args: &PlayArgs) -> Result<Outcome> {
    let person = match args.you.as_str() {
        "all" => Person::All,
        "none" => Person::Nobody,
        number => match number.parse::<u8>() {
            Ok(n) if n > 0 => Person::Player(n - 1),
            _ => {
                return Err(
                    Usage("--you takes a player's number, `all` or `none`".to_owned()).into()
                );
            }
        },
    };
    let entry = entry_of(&args.game, &args.place, &args.options, args.cap)?;
    let game = load(&entry, args.engine.as_deref())?;
    let players = game.facts().players;
    if let Person::Player(player) = person
        && player >= players
    {
        return Err(Usage(format!("{} has {players} players", entry.title)).into());
    }
    let mut rng = Rng::stream(args.seed, 0);
    let mut position = game.open(&mut rng);
    let input = std::io::stdin();
    let mut lines = input.lock().lines();
    outln!("{}\n", entry.title)?;
    for ply in 1..=args.cap {
        if !settle(&mut *position, &mut rng) {
            bail!("the players pass for ever; the rules of this game do not end it");
        }
        outln!("{}\n", position.draw())?;
        let Turn::Move(player) = position.turn() else {
            announce(&*position)?;
            return Ok(Outcome::Fine);
        };
        if position.actions() == 0 {
            bail!("player {} has no legal action, and the game is not over", player.0 + 1);
        }
        let yours = match person {
            Person::All => true,
            Person::Nobody => false,
            Person::Player(you) => you == player.0,
        };
        let action = if yours {
            match ask(&*position, player.0, &mut lines)? {
                Some(action) => action,
                None => return Ok(Outcome::Fine),
            }
        } else {
            rng.below(position.actions() as u32) as usize
        };
        outln!("{ply}. player {}: {}\n", player.0 + 1, position.label(action))?;
        position.play(action, &mut rng)?;
    }
    outln!("given up after {} plies", args.cap)?;
    Ok(Outcome::Fine)
}

fn announce(position: &dyn Position) -> Result<()> {
    match position.scores() {
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

/// Asks until there is a legal answer; `None` when the person leaves.
fn ask(
    position: &dyn Position,
    player: u8,
    lines: &mut dyn Iterator<Item = std::io::Result<String>>,
) -> Result<Option<usize>> {
    let labels = position.labels();
    loop {
        output::prompt(&format!("player {}, your move (? lists them, q quits): ", player + 1))?;
        let Some(line) = lines.next().transpose()? else {
            outln!()?;
            return Ok(None);
        };
        match line.trim() {
            "q" | "quit" => return Ok(None),
            "?" | "" => outln!("{}", labels.join(" "))?,
            answer => {
                let wanted = answer.replace(['-', ' '], "").to_lowercase();
                if let Some(action) = labels.iter().position(|l| l.to_lowercase() == wanted) {
                    return Ok(Some(action));
                }
                let near = text::near_miss(&wanted, labels.iter().map(String::as_str))
                    .map_or_else(String::new, |n| format!("; did you mean {n}?"));
                outln!("{answer} is not legal{near} (? lists the legal moves)")?;
            }
        }
    }
}

fn load(entry: &Entry, wanted: Option<&str>) -> Result<Box<dyn Game>> {
    if let Some(wanted) = wanted {
        select::own_engine(wanted)?;
    }
    let mut reasons = Vec::new();
    // The ludeme engine draws boards best, so it comes first where the user does not choose.
    let mut engines = roster::engines();
    engines.sort_by_key(|engine| engine.id() != "ludeme");
    for engine in engines {
        if wanted.is_some_and(|w| w != engine.id()) {
            continue;
        }
        for rules in &entry.descriptions {
            if !engine.languages().contains(&rules.language) {
                continue;
            }
            match engine.compile(rules, &Limits::default()) {
                Ok(compiled) => return Ok(compiled.game),
                Err(error) => {
                    let shown = error.diagnostics().iter().map(|d| d.render(&rules.source));
                    let shown: Vec<String> = shown.collect();
                    let text = if shown.is_empty() {
                        error.one_line(&rules.source)
                    } else {
                        shown.join("\n\n")
                    };
                    reasons.push(format!("{}: {}\n{text}", engine.id(), error.kind()));
                }
            }
        }
    }
    if reasons.is_empty() {
        let engine = wanted.map_or_else(|| "no engine".to_owned(), |w| format!("the engine `{w}`"));
        return Err(Usage(format!("{engine} does not read {}", entry.id)).into());
    }
    Err(anyhow!("{}", reasons.join("\n\n")))
}
