//! Options that several commands share: which catalogue, which games, which engines.

use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use games::Family;
use play::Language;
use text::did_you_mean;

use crate::client::Bounds;
use crate::engine_set::EngineSet;
use crate::engines_file::{self, FILE};
use crate::entry::{Entry, read_bounded, text_of};
use crate::output;
use crate::peers;
use crate::suite;

/// A mistake in the command line that clap cannot see: exit code 2.
#[derive(Clone, Debug)]
pub(super) struct Usage(pub(super) String);

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// An error in what the command line names.
fn usage(error: anyhow::Error) -> Usage {
    Usage(output::chain(&error))
}

/// An engine of our own, by its name.
pub(super) fn own_engine(id: &str) -> Result<Box<dyn play::Engine>> {
    roster::engine(id).ok_or_else(|| {
        let hint =
            roster::similar(id).map_or_else(String::new, |s| format!("; did you mean `{s}`?"));
        let known: Vec<&str> = roster::engines().iter().map(|engine| engine.id()).collect();
        Usage(format!("no engine `{id}`{hint} (there are {})", known.join(", "))).into()
    })
}

/// The folders that games come from.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct CatalogueArgs {
    /// Games of your own besides the built-in ones: a folder of game folders. One with the id of a
    /// built-in game takes its place; where no game is named, those of this folder are meant
    #[arg(long = "games", id = "catalogue", value_name = "DIR")]
    pub(super) catalogue: Option<PathBuf>,
    /// Leave the built-in games out: the folder of --games is the whole catalogue
    #[arg(long, requires = "catalogue")]
    pub(super) no_builtin: bool,
}

impl CatalogueArgs {
    /// Loads the catalogue.
    pub(super) fn load(&self) -> Result<games::Catalogue> {
        self.catalogue.as_deref().map_or(Ok(()), there)?;
        sound(match &self.catalogue {
            Some(folder) if self.no_builtin => games::Catalogue::from_dir(folder),
            Some(folder) => games::Catalogue::embedded_and(folder),
            None => games::Catalogue::embedded(),
        })
    }

    /// The games of these ids, or of a suite; where none is named those of --games, or else all.
    pub(super) fn entries(&self, ids: &[String], suite: Option<&str>) -> Result<Vec<Entry>> {
        let catalogue = self.load()?;
        if let Some(name) = suite {
            let suite = suite::get(name).map_err(|error| Usage(error.to_string()))?;
            let games = suite.games(&catalogue).map_err(|error| Usage(error.to_string()))?;
            let mut entries: Vec<Entry> = games.into_iter().map(Entry::of_catalogue).collect();
            for (family, wanted) in &suite.families {
                let wanted = (&wanted[..], &[][..]);
                entries.extend(sizes(std::slice::from_ref(family), wanted, None, &catalogue)?);
            }
            return Ok(entries);
        }
        if ids.is_empty() {
            let meant = match &self.catalogue {
                Some(folder) => sound(games::Catalogue::from_dir(folder))?,
                None => catalogue,
            };
            return Ok(meant.games().iter().map(Entry::of_catalogue).collect());
        }
        ids.iter()
            .map(|id| match catalogue.get(id) {
                Ok(game) => Ok(Entry::of_catalogue(game)),
                Err(_) if is_rule_file(id) => Err(Usage(format!(
                    "{id} is a rule file and no game of the catalogue; `ggpbench bench {id}` \
                     measures it"
                ))
                .into()),
                Err(error) if self.catalogue.is_none() && error.meant.is_empty() => {
                    let tip =
                        "`--games DIR` adds a folder of games (in `match`: `--catalogue DIR`)";
                    Err(Usage(format!("{error}; {tip}")).into())
                }
                Err(error) => Err(Usage(error.to_string()).into()),
            })
            .collect()
    }
}

/// The catalogue, unless it has faults.
fn sound(loaded: Result<games::Catalogue, games::CatalogueError>) -> Result<games::Catalogue> {
    loaded.map_err(|errors| anyhow::anyhow!("the catalogue has faults\n\n{errors}"))
}

/// A name that is none of those there are.
pub(super) fn unknown_name(what: &str, name: &str, known: &[&str]) -> Usage {
    let hint = did_you_mean(name, known.iter().copied());
    Usage(format!("no {what} `{name}`{hint} (there are {})", known.join(", ")))
}

/// Refuses a baseline that names none of the engines that play: an engine, or one of its columns,
/// such as `bitboard (batch)`. The reports would refuse it too, but only after everything was
/// measured.
pub(super) fn check_baseline<'a>(
    baseline: Option<&str>,
    playing: impl Iterator<Item = &'a str>,
) -> Result<(), Usage> {
    let Some(baseline) = baseline else { return Ok(()) };
    let mut known: Vec<&str> = Vec::new();
    for engine in playing {
        if !known.contains(&engine) {
            known.push(engine);
        }
    }
    reports::check_baseline(Some(baseline), &known)
        .map_err(|_| unknown_name("baseline", baseline, &known))
}

/// Refuses a path that leads nowhere: a slip of the pen, and no file that cannot be read.
pub(super) fn there(path: &Path) -> Result<(), Usage> {
    match path.symlink_metadata() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Err(Usage(format!("{}: {error}", path.display())))
        }
        _ => Ok(()),
    }
}

fn is_rule_file(path: &str) -> bool {
    let path = Path::new(path);
    let extension = path.extension().and_then(|extension| extension.to_str());
    path.is_file() && extension.and_then(Language::of_extension).is_some()
}

/// The families in a folder, or those that are built in.
pub(super) fn families(folder: Option<&Path>) -> Result<Vec<Family>> {
    folder.map_or(Ok(()), there)?;
    let families = match folder {
        Some(folder) => Family::from_dir(folder),
        None => Family::embedded(),
    };
    families.map_err(|error| anyhow::anyhow!("the families have a fault: {error}"))
}

/// A parameter of a family and its value: `alive=2`.
pub(super) fn parameter(text: &str) -> Result<(String, u32), String> {
    let (name, value) = text.split_once('=').ok_or("expected a name and a number: `alive=2`")?;
    let value = value.trim().parse().map_err(|_| format!("`{value}` is no number"))?;
    Ok((name.trim().to_owned(), value))
}

/// Families of games at their sizes, or at those given, with these parameters.
pub(super) fn sizes(
    ids: &[String],
    (sizes, parameters): (&[u32], &[(String, u32)]),
    folder: Option<&Path>,
    catalogue: &games::Catalogue,
) -> Result<Vec<Entry>> {
    let families = families(folder)?;
    let known: Vec<&str> = families.iter().map(|family| family.id.as_str()).collect();
    if let Some(unknown) = ids.iter().find(|id| !known.contains(&id.as_str())) {
        return Err(unknown_name("family", unknown, &known).into());
    }
    let mut entries = Vec::new();
    for family in families.iter().filter(|family| ids.is_empty() || ids.contains(&family.id)) {
        let chosen = parameters
            .iter()
            .try_fold(family.clone(), |family, (name, value)| family.with(name, *value))
            .map_err(|error| Usage(error.to_string()))?;
        for &size in if sizes.is_empty() { &family.sizes } else { sizes } {
            let entry = Entry::of_family(&chosen, size, catalogue);
            entries.push(entry.map_err(|error| Usage(error.to_string()))?);
        }
    }
    Ok(entries)
}

/// Rule files of the user's own.
#[derive(Args, Clone, Debug)]
pub(super) struct Files {
    /// Rule files: .lud, .kif (or .gdl), .rbg, .rg (or .hrg)
    #[arg(required = true, value_name = "FILES")]
    pub(super) paths: Vec<PathBuf>,
    /// An option of the rules, such as "Board Size/8x8"; may be given several times
    #[arg(long = "option", value_name = "OPTION")]
    pub(super) options: Vec<String>,
    /// Plies after which a playout is given up
    #[arg(long, default_value_t = DEFAULT_CAP)]
    pub(super) cap: u32,
}

/// Ply cap of rule files without a manifest.
pub(super) const DEFAULT_CAP: u32 = 2000;

impl Files {
    /// The files as games.
    pub(super) fn entries(&self) -> Result<Vec<Entry>> {
        self.paths.iter().try_for_each(|path| there(path))?;
        Entry::of_files(&self.paths, &self.options, self.cap)
    }
}

/// Which engines.
#[derive(Args, Clone, Debug)]
pub(super) struct Names {
    /// Engines to use, separated by commas [default: all]
    #[arg(long = "engines", id = "names", value_delimiter = ',', value_name = "ENGINES")]
    wanted: Vec<String>,
    /// File that names external engines, whose programs are then run [default: engines.toml in the
    /// working directory, if there is one, unless --engines names our own alone; /dev/null for
    /// none]
    #[arg(long = "engines-file", value_name = "FILE")]
    externals: Option<PathBuf>,
    /// Let other people's systems take part, those installed in DIR or where `ggpbench peers
    /// install` puts them; what is missing has rows that say so. `--engines` may name them without
    /// this
    #[arg(long, value_name = "DIR", num_args = 0..=1, require_equals = true)]
    #[allow(clippy::option_option, reason = "an option whose value may be left out")]
    peers: Option<Option<PathBuf>>,
}

impl Names {
    /// The engines that take part.
    pub(super) fn engine_set(&self) -> Result<EngineSet> {
        self.engine_set_with(false)
    }

    /// The engines that take part, with all peers if so asked.
    fn engine_set_with(&self, with_peers: bool) -> Result<EngineSet> {
        let peers = match &self.peers {
            None if !with_peers => None,
            Some(Some(folder)) => Some(folder.clone()),
            _ => Some(peers::default_root().map_err(usage)?),
        };
        let engine_set = EngineSet::new(self.externals.as_deref(), &self.wanted, peers.as_deref());
        let engine_set = engine_set.map_err(usage)?;
        if self.externals.is_none() && Path::new(FILE).exists() {
            // Whoever unpacked a folder may not know that it holds programs to run.
            let named = engines_file::read_file(Path::new(FILE)).unwrap_or_default();
            for program in engine_set.external().filter(|program| named.contains(program)) {
                errln!(
                    "note: {FILE} in this folder names the external engine `{}`, whose program \
                     takes part: \
                     `{}`; `--engines-file /dev/null` leaves it out",
                    program.engine,
                    program.command.join(" ")
                );
            }
        }
        Ok(engine_set)
    }
}

/// Which engines, and their limits.
#[derive(Args, Clone, Debug)]
pub(super) struct Engines {
    #[command(flatten)]
    names: Names,
    /// Memory limit of each worker in GiB; 0 for none
    #[arg(long, default_value_t = 8.0, value_name = "GIB")]
    memory: f64,
    /// Seconds of CPU time that a single answer of a worker may take; by the clock, where others
    /// have the cores, twenty times as many
    #[arg(long, default_value_t = 60.0, value_name = "SECONDS")]
    patience: f64,
}

impl Engines {
    /// The engines that take part.
    pub(super) fn engine_set(&self) -> Result<EngineSet> {
        self.names.engine_set()
    }

    /// The engines that play a suite: some have other people's systems take part.
    pub(super) fn engine_set_of(&self, suite: Option<&str>) -> Result<EngineSet> {
        self.names.engine_set_with(
            suite.is_some_and(|name| suite::get(name).is_ok_and(|suite| suite.peers)),
        )
    }

    /// The engines among them that are our own; no file is read.
    pub(super) fn own_lineup(&self) -> Result<EngineSet> {
        Ok(EngineSet::own(&self.names.wanted).map_err(usage)?)
    }

    /// The limits of a worker.
    pub(super) fn bounds(&self) -> Result<Bounds> {
        bounds(self.memory, "--patience", self.patience)
    }
}

/// The limits of a worker: GiB of memory (0 for no limit), and seconds an answer, with the name of
/// the option that gives them.
pub(super) fn bounds(memory: f64, name: &str, seconds: f64) -> Result<Bounds> {
    let fits = |x: f64, most: f64| (0.0..=most).contains(&x);
    if !fits(memory, 1e6) || !fits(seconds, 1e7) || seconds == 0.0 {
        return Err(Usage(format!("--memory and {name} must be positive numbers")).into());
    }
    Ok(Bounds {
        memory: (memory * f64::from(1 << 30)) as u64,
        patience: std::time::Duration::from_secs_f64(seconds),
        ..Bounds::default()
    })
}

/// The position at which a game begins.
#[derive(Args, Clone, Debug)]
pub(super) struct At {
    /// Begin at this position: the labels of the plies that lead to it, such as "e2e4 e7e5", those
    /// with a blank in quotes; where the game's manifest names a notation, text of that form (FEN
    /// in chess, `W:W18:B12` in draughts, a drawing), or a name of it. `@FILE` reads it from a file
    #[arg(long, value_name = "POSITION")]
    position: Option<String>,
}

impl At {
    /// True if a position is given.
    pub(super) fn is_given(&self) -> bool {
        self.position.is_some()
    }

    /// The game from the position on, if one is given.
    pub(super) fn of(&self, entry: Entry) -> Result<Entry> {
        let Some(given) = &self.position else { return Ok(entry) };
        let text = match given.strip_prefix('@') {
            Some(file) => {
                there(Path::new(file))?;
                text_of(&read_bounded(Path::new(file))?)
            }
            None => given.clone(),
        };
        Ok(entry.at(&text).map_err(|why| Usage(format!("--position: {why}")))?)
    }

    /// The same of the only game; a position of several is a mistake.
    pub(super) fn of_one(&self, mut entries: Vec<Entry>) -> Result<Vec<Entry>> {
        match (&self.position, entries.len()) {
            (None, _) => Ok(entries),
            (Some(_), 1) => entries.drain(..).map(|entry| self.of(entry)).collect(),
            (Some(_), many) => {
                let message = format!("--position is of one game, and {many} are named");
                Err(Usage(message).into())
            }
        }
    }
}

/// A game by its id in the catalogue, or a rule file by its path.
pub(super) fn entry_of(
    target: &str,
    place: &CatalogueArgs,
    options: &[String],
    cap: u32,
) -> Result<Entry> {
    let path = PathBuf::from(target);
    if path.is_file() {
        let mut entries = Entry::of_files(&[path], options, cap)?;
        return entries.pop().ok_or_else(|| Usage(format!("nothing in {target}")).into());
    }
    place
        .entries(&[target.to_owned()], None)?
        .pop()
        .ok_or_else(|| Usage(format!("no game `{target}`")).into())
}
