//! `draw`: a position as text or as a picture.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use pictures::{Options, Theme};
use play::{Player, Position, Rng, Turn, settle};

use super::Outcome;
use super::keeper::{Kept, keep};
use super::select::{At, CatalogueArgs, DEFAULT_CAP, Usage, entry_of};

#[derive(Args, Clone, Debug)]
pub(super) struct DrawArgs {
    /// A game of the catalogue by id, or a rule file
    game: String,
    /// Engine that keeps the rules [default: the first that reads the game]
    #[arg(long)]
    engine: Option<String>,
    /// An option of the rules, such as "Board Size/8x8"; may be given several times
    #[arg(long = "option", value_name = "OPTION")]
    options: Vec<String>,
    #[command(flatten)]
    at: At,
    /// Random plies from there
    #[arg(long, default_value_t = 0, value_name = "NUMBER")]
    plies: u32,
    /// Seed of chance and of the random plies
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Mark where legal actions begin and end
    #[arg(long)]
    legal: bool,
    /// Cover what the player of this number does not see
    #[arg(long, value_name = "PLAYER", value_parser = clap::value_parser!(u8).range(1..=16))]
    view: Option<u8>,
    /// Colours: `auto` as the reader's system asks, which pictures in pixels do not know
    #[arg(long, default_value = "auto")]
    theme: ThemeName,
    /// Write SVG
    #[arg(long, conflicts_with = "png")]
    svg: bool,
    /// Write PNG, which needs `--out`
    #[arg(long, requires = "out")]
    png: bool,
    /// Pixels of a PNG from left to right
    #[arg(long, default_value_t = 800, value_name = "PIXELS",
          value_parser = clap::value_parser!(u32).range(16..=8192))]
    width: u32,
    /// File for the picture; without `--svg` and `--png` its ending says which
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    place: CatalogueArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum ThemeName {
    Auto,
    Light,
    Dark,
}

/// What is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Text,
    Svg,
    Png,
}

pub(super) fn draw(args: &DrawArgs) -> Result<Outcome> {
    let form = form(args)?;
    let entry = args.at.of(entry_of(&args.game, &args.place, &args.options, DEFAULT_CAP)?)?;
    let kept = keep(&entry, args.engine.as_deref())?;
    if let Some(view) = args.view.filter(|&view| view > kept.game.facts().players) {
        let message = format!("--view {view}: {} players", kept.game.facts().players);
        return Err(Usage(message).into());
    }
    let (position, last) = position(args, &kept);
    let labels = if args.legal { position.labels() } else { Vec::new() };
    let bytes = match form {
        Form::Text => {
            let mut text = position.draw();
            text.truncate(text.trim_end().len());
            if args.legal {
                text = format!("{text}\nlegal: {}", labels.join(" "));
            }
            (text + "\n").into_bytes()
        }
        Form::Svg | Form::Png => {
            let theme = match (args.theme, form) {
                (ThemeName::Auto, Form::Svg) => Theme::Auto,
                (ThemeName::Dark, _) => Theme::Dark,
                _ => Theme::Light,
            };
            let options = Options {
                title: &entry.title,
                legal: &labels,
                last: last.as_deref(),
                viewer: args.view.map(|view| Player(view - 1)),
                theme,
                ..Options::default()
            };
            let svg = pictures::svg(&position.picture(), &options);
            match form {
                Form::Png => pictures::png(&svg, args.width).map_err(anyhow::Error::msg)?,
                _ => svg.into_bytes(),
            }
        }
    };
    match &args.out {
        Some(path) => std::fs::write(path, bytes)
            .with_context(|| format!("cannot write {}", path.display()))?,
        None => outln!("{}", String::from_utf8_lossy(&bytes).trim_end())?,
    }
    Ok(Outcome::Fine)
}

/// What the arguments ask for.
fn form(args: &DrawArgs) -> Result<Form> {
    let ending = args.out.as_deref().and_then(Path::extension).and_then(|ending| ending.to_str());
    Ok(match (args.svg, args.png, ending) {
        (true, ..) => Form::Svg,
        (_, true, _) => Form::Png,
        (.., Some("svg")) => Form::Svg,
        (.., Some("png")) => Form::Png,
        (.., Some("txt") | None) => Form::Text,
        (.., Some(other)) => {
            let message = format!("--out: no form of pictures ends in .{other}: .svg .png .txt");
            return Err(Usage(message).into());
        }
    })
}

/// The position after the random plies, with the label of the last one.
fn position(args: &DrawArgs, kept: &Kept) -> (Box<dyn Position>, Option<String>) {
    let mut rng = Rng::stream(args.seed, 0);
    let mut position = kept.game.open(&mut rng);
    let mut last = None;
    settle(&mut *position, &mut rng);
    for _ in 0..args.plies {
        if position.turn() == Turn::Over || position.actions() == 0 {
            break;
        }
        let action = rng.below(position.actions() as u32) as usize;
        last = Some(position.label(action));
        if position.play(action, &mut rng).is_err() {
            break;
        }
        settle(&mut *position, &mut rng);
    }
    (position, last)
}
