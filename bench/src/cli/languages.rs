//! `languages`: the description languages compared, by descriptions of the same games.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result};
use clap::Args;
use reports::Run;
use reports::languages::speed::rows_of;
use reports::languages::{Section, file_name, sections};
use reports::render::{
    TerminalOptions, sections_html, sections_latex, sections_markdown, sections_terminal,
};
use reports::replace;

use super::Outcome;
use super::select::{CatalogueArgs, Engines, there, unknown_name};
use crate::languages::{PARTS, Part, Setting};
use crate::output;
use crate::ui::Ui;

#[derive(Args, Clone, Debug)]
pub(super) struct LanguagesArgs {
    /// Games of the catalogue by id [default: the catalogue]
    games: Vec<String>,
    /// Parts to collect, separated by commas [default: all]
    #[arg(long, value_delimiter = ',', value_name = "PARTS")]
    parts: Vec<String>,
    /// Folder of the facts and of the report; what it has of other parts stays
    #[arg(long, value_name = "DIR", default_value = "runs/languages")]
    out: PathBuf,
    /// Runs of `ggpbench run` whose rates are the part `speed`; later ones go before earlier ones
    #[arg(long = "run", value_name = "DIR")]
    runs: Vec<PathBuf>,
    /// Collect nothing: write the report of the folder again from its facts
    #[arg(long, conflicts_with_all = ["games", "parts"])]
    again: bool,
    /// Changed files that are tried of each description
    #[arg(long, default_value_t = 200, value_name = "NUMBER",
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    samples: u32,
    /// Seed of everything drawn
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games that are looked at side by side [default: one a core]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1024))]
    jobs: Option<u32>,
    /// Print no progress
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    place: CatalogueArgs,
    #[command(flatten)]
    engines: Engines,
}

pub(super) fn languages(args: &LanguagesArgs) -> Result<Outcome> {
    args.runs.iter().try_for_each(|dir| there(dir))?;
    if !args.again {
        collect(args)?;
        speed(args)?;
    }
    let sections = sections(&args.out)?;
    write(&args.out, &sections)?;
    let options = TerminalOptions { width: output::width(), colour: output::has_colour() };
    output::raw(&sections_terminal(&sections, options))?;
    output::paragraph(&format!("Written to {}.", args.out.display()))?;
    Ok(Outcome::Fine)
}

/// Collects the facts of all parts that are asked for, a file each.
fn collect(args: &LanguagesArgs) -> Result<()> {
    let parts = parts(&args.parts)?;
    let catalogue = args.place.load()?;
    let games = args.place.entries(&args.games, None)?;
    let engines = args.engines.engine_set()?;
    let jobs = args.jobs.unwrap_or(0) as usize;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build();
    let pool = pool.context("cannot start threads")?;
    std::fs::create_dir_all(&args.out)
        .with_context(|| format!("cannot make {}", args.out.display()))?;
    for part in parts {
        let begun = Instant::now();
        let ui = Ui::new(part.name, games.len() as u64, args.quiet);
        let setting = Setting {
            catalogue: &catalogue,
            games: &games,
            engines: &engines,
            bounds: args.engines.bounds()?,
            seed: args.seed,
            samples: args.samples,
            step: &|| ui.step(1, part.name),
        };
        let text = pool.install(|| (part.collect)(&setting))?;
        ui.finish();
        put(&args.out, &file_name(part.name), text.as_bytes())?;
        if !args.quiet {
            errln!("{}: {:.1} s", part.name, begun.elapsed().as_secs_f64());
        }
    }
    Ok(())
}

/// Writes the rates of the runs that are named.
fn speed(args: &LanguagesArgs) -> Result<()> {
    if args.runs.is_empty() {
        return Ok(());
    }
    let runs = args.runs.iter().map(|dir| Run::load(dir)).collect::<Result<Vec<_>, _>>()?;
    let text = reports::languages::text(&rows_of(&runs))?;
    put(&args.out, &file_name("speed"), text.as_bytes())
}

/// The parts of these names, or all.
fn parts(names: &[String]) -> Result<Vec<&'static Part>> {
    let known: Vec<&str> = PARTS.iter().map(|part| part.name).collect();
    for name in names {
        if !known.contains(&name.as_str()) {
            return Err(unknown_name("part", name, &known).into());
        }
    }
    let is_wanted = |part: &&Part| names.is_empty() || names.iter().any(|name| name == part.name);
    Ok(PARTS.iter().filter(is_wanted).collect())
}

/// Writes the report in all notations.
fn write(dir: &Path, sections: &[Section]) -> Result<()> {
    put(dir, "languages.md", sections_markdown(sections).as_bytes())?;
    put(dir, "languages.tex", sections_latex(sections).as_bytes())?;
    put(dir, "languages.html", sections_html(sections).as_bytes())?;
    for picture in sections.iter().flat_map(|section| &section.pictures) {
        put(dir, &format!("{}.svg", picture.name), picture.svg.as_bytes())?;
        put(dir, &format!("{}.png", picture.name), &picture.png)?;
    }
    Ok(())
}

fn put(dir: &Path, name: &str, bytes: &[u8]) -> Result<()> {
    let path = dir.join(name);
    replace(&path, |out| out.write_all(bytes))
        .with_context(|| format!("cannot write {}", path.display()))
}
