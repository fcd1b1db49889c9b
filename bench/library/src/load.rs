use std::path::Path;

use bench::entry::{Entry, read_rules};
use bench::strategies;
use games::{Catalogue, Family};
use play::{CompileError, Engine, Language, Limits, Rules};
use text::did_you_mean;

use crate::error::{Error, ErrorKind};
use crate::game::Game;

/// What the message says of the id of a family without a size.
const FAMILY_WITHOUT_SIZE: &str = "; it is a family of games: give its size, too \
    (`Loader::size` in Rust, `size=` in Python)";

/// Ply cap of rules that no manifest gives one.
const CAP: u32 = 2000;

/// Loads a game of the catalogue by its id, or a rule file by its path, on the first engine that
/// plays it: hand-coded where there is such a module, else by its language.
///
/// ```
/// assert_eq!(ggpbench::load("hex-9x9")?.engine(), "bitboard");
/// let error = ggpbench::load("hex").unwrap_err();
/// assert!(error.to_string().contains("did you mean `hex-9x9`?"));
/// # Ok::<(), ggpbench::Error>(())
/// ```
pub fn load(target: &str) -> Result<Game, Error> {
    Loader::new(target).load()
}

/// The choice of rules to load, and of an engine.
///
/// ```
/// use ggpbench::Loader;
/// let hex = Loader::new("hex").size(5).engine("propnet").load()?;
/// assert_eq!(hex.open(1).legal().len(), 25);
/// # Ok::<(), ggpbench::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Loader {
    target: String,
    engine: Option<String>,
    options: Vec<String>,
    size: Option<u32>,
    position: Option<String>,
    cap: Option<u32>,
    limits: Limits,
    /// True if only engines that write the game in numbers will do.
    coded: bool,
}

/// An engine and a description that it reads.
type Pair = (Box<dyn Engine>, Rules);

impl Loader {
    /// A game of the catalogue by its id, a family by its id (with [`Loader::size`]), or a rule
    /// file by its path: `.lud`, `.kif` (or `.gdl`), `.rbg`, `.rg` (or `.hrg`).
    pub fn new(target: impl Into<String>) -> Loader {
        Loader {
            target: target.into(),
            engine: None,
            options: Vec::new(),
            size: None,
            position: None,
            cap: None,
            limits: Limits::default(),
            coded: false,
        }
    }

    /// On this engine, one of [`engines`].
    #[must_use]
    pub fn engine(mut self, engine: impl Into<String>) -> Loader {
        self.engine = Some(engine.into());
        self
    }

    /// The engine that is wanted.
    pub(crate) fn engine_name(&self) -> Option<&str> {
        self.engine.as_deref()
    }

    /// With an option of the rules, such as `"Board Size/8x8"`. May be called several times.
    #[must_use]
    pub fn option(mut self, option: impl Into<String>) -> Loader {
        self.options.push(option.into());
        self
    }

    /// A family of games at this size.
    #[must_use]
    pub fn size(mut self, size: u32) -> Loader {
        self.size = Some(size);
        self
    }

    /// From a position on: the labels of the plies that lead to it, or in the notation that the
    /// game's manifest names, such as FEN for chess. Batches begin at positions in a notation; at
    /// those that plies lead to, they do by [`Loader::batch_at`].
    ///
    /// ```
    /// use ggpbench::Loader;
    /// let game = Loader::new("connect-4-6x7").position("d1 d2").load()?;
    /// assert!(game.open(1).legal().contains(&"d3".to_owned()));
    /// let rook = Loader::new("chess").position("4k3/8/8/8/8/8/8/4K2R w K - 0 1").load()?;
    /// assert!(rook.open(1).legal().contains(&"e1g1".to_owned()));
    /// # Ok::<(), ggpbench::Error>(())
    /// ```
    #[must_use]
    pub fn position(mut self, position: impl Into<String>) -> Loader {
        self.position = Some(position.into());
        self
    }

    /// Playouts are given up after so many plies; else the catalogue's cap holds, or 2,000.
    #[must_use]
    pub fn cap(mut self, plies: u32) -> Loader {
        self.cap = Some(plies);
        self
    }

    /// Compiling may take about so many bytes of memory.
    #[must_use]
    pub fn memory(mut self, bytes: u64) -> Loader {
        self.limits.bytes = bytes;
        self
    }

    /// On the first engine that writes the game in numbers, so that it has a [`Game::encoding`].
    ///
    /// ```
    /// use ggpbench::Loader;
    /// assert!(Loader::new("oware").coded().load()?.encoding().is_some());
    /// # Ok::<(), ggpbench::Error>(())
    /// ```
    #[must_use]
    pub fn coded(mut self) -> Loader {
        self.coded = true;
        self
    }

    /// Loads the game.
    pub fn load(&self) -> Result<Game, Error> {
        self.first(&self.entry()?)
    }

    /// The game on the first engine that will do.
    pub(crate) fn first(&self, entry: &Entry) -> Result<Game, Error> {
        let mut refused: Option<Error> = None;
        let mut without = Vec::new();
        for (engine, rules) in self.pairs(entry)? {
            match self.compile(&*engine, &rules, entry) {
                Ok(game) if self.coded && game.encoding().is_none() => without.push(engine.id()),
                Ok(game) => return Ok(game),
                // The fault of the rules is the same on every engine of their language.
                Err(error) => {
                    let worse = refused.as_ref().is_none_or(|e| e.kind() != ErrorKind::Invalid);
                    if error.kind() == ErrorKind::Invalid && worse {
                        refused = Some(error);
                    } else {
                        refused = refused.or(Some(error));
                    }
                }
            }
        }
        if !without.is_empty() {
            let text = format!(
                "{} has no numbers for actions and squares on {}: play by labels",
                entry.id,
                without.join(", ")
            );
            return Err(Error::new(ErrorKind::Unsupported, text));
        }
        Err(refused.unwrap_or_else(|| Error::usage("no engine plays it")))
    }

    /// Loads rules that are a text rather than a file; the name stands in messages.
    pub fn load_text(&self, language: Language, name: &str, text: &str) -> Result<Game, Error> {
        self.first(&self.placed(self.entry_of_text(language, name, text))?)
    }

    /// An entry that is made of a text, from its start.
    pub(crate) fn entry_of_text(&self, language: Language, name: &str, text: &str) -> Entry {
        let mut rules = Rules::new(language, name, text);
        rules.options.clone_from(&self.options);
        Entry {
            id: name.to_owned(),
            title: name.to_owned(),
            paper: Vec::new(),
            size: None,
            teams: Vec::new(),
            in_words: String::new(),
            cap: CAP,
            descriptions: vec![rules],
            expected: bench::verify::Expected::default(),
            recorded: Vec::new(),
            position: None,
            setup: None,
        }
    }

    /// The catalogue entry of the target, or one that is made of its file, from the position on.
    pub(crate) fn entry(&self) -> Result<Entry, Error> {
        self.placed(self.whole()?)
    }

    /// An entry from the position on.
    pub(crate) fn placed(&self, entry: Entry) -> Result<Entry, Error> {
        match &self.position {
            Some(position) => entry.at(position).map_err(Error::usage),
            None => Ok(entry),
        }
    }

    /// The same from its start.
    pub(crate) fn whole(&self) -> Result<Entry, Error> {
        let path = Path::new(&self.target);
        let extension = path.extension().and_then(|extension| extension.to_str());
        if extension.and_then(Language::of_extension).is_some() || path.is_file() {
            return self.file(path);
        }
        let broken =
            |error: &dyn std::fmt::Display| Error::new(ErrorKind::Invalid, error.to_string());
        let catalogue = Catalogue::embedded().map_err(|error| broken(&error))?;
        let families = || Family::embedded().map_err(|error| broken(&error));
        let mut entry = match self.size {
            None => match catalogue.get(&self.target) {
                Ok(game) => Entry::of_catalogue(game),
                Err(error) => {
                    let is_family = families()?.iter().any(|family| family.id == self.target);
                    let hint = if is_family { FAMILY_WITHOUT_SIZE } else { "" };
                    return Err(Error::usage(format!("{error}{hint}")));
                }
            },
            Some(size) => {
                let families = families()?;
                let known = || families.iter().map(|family| family.id.as_str());
                let family = families.iter().find(|family| family.id == self.target);
                let family = family.ok_or_else(|| {
                    Error::usage(format!(
                        "no family of games is called `{}`{} (there are {})",
                        self.target,
                        did_you_mean(&self.target, known()),
                        known().collect::<Vec<_>>().join(", ")
                    ))
                })?;
                let entry = Entry::of_family(family, size, &catalogue);
                entry.map_err(|error| Error::usage(error.to_string()))?
            }
        };
        for rules in &mut entry.descriptions {
            rules.options.clone_from(&self.options);
        }
        entry.cap = self.cap.unwrap_or(entry.cap);
        Ok(entry)
    }

    fn file(&self, path: &Path) -> Result<Entry, Error> {
        let rules = read_rules(path, &self.options)
            .map_err(|error| Error::unreadable(format!("{error:#}"), path, error.chain()))?;
        let stem = path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
        Ok(Entry {
            id: stem.clone(),
            title: stem,
            paper: Vec::new(),
            size: None,
            teams: Vec::new(),
            in_words: String::new(),
            cap: self.cap.unwrap_or(CAP),
            descriptions: vec![rules],
            expected: bench::verify::Expected::default(),
            recorded: Vec::new(),
            position: None,
            setup: None,
        })
    }

    /// Engines that read a description of the game, in the order of the roster.
    pub(crate) fn pairs(&self, entry: &Entry) -> Result<Vec<Pair>, Error> {
        let wanted = match &self.engine {
            None => None,
            Some(name) => Some(engine(name)?),
        };
        let engines = match wanted {
            Some(engine) => vec![engine],
            None => roster::engines(),
        };
        let mut pairs = Vec::new();
        for engine in engines {
            let readable = |rules: &&Rules| {
                // Hand-coded games have no options.
                engine.languages().contains(&rules.language)
                    && (rules.language != Language::Bitboard || rules.options.is_empty())
            };
            if let Some(rules) = entry.descriptions.iter().find(readable) {
                let rules = rules.clone();
                pairs.push((engine, rules));
            }
        }
        if pairs.is_empty() {
            let languages = entry.descriptions.iter().map(|rules| rules.language.name());
            let languages = languages.collect::<Vec<_>>().join(", ");
            let engine = self.engine.as_deref().unwrap_or("engine");
            return Err(Error::usage(format!(
                "no {engine} reads {}: it is there in {languages}",
                entry.id
            )));
        }
        Ok(pairs)
    }

    pub(crate) fn compile(
        &self,
        engine: &dyn Engine,
        rules: &Rules,
        entry: &Entry,
    ) -> Result<Game, Error> {
        let compile = || engine.load(rules, &self.limits);
        let compiled = std::panic::catch_unwind(std::panic::AssertUnwindSafe(compile))
            .unwrap_or_else(|_| {
                let text = "the engine panicked, which is a fault of ours: please report the rules";
                Err(CompileError::Unavailable(text.to_owned()))
            })
            .map_err(|error| Error::of_rules(&error, engine.id(), &rules.source))?;
        strategies::log(engine.id(), rules, &strategies::of(&*compiled.game));
        Ok(Game::new(compiled, engine.id(), rules, entry, self.cap))
    }
}

/// An engine by its name.
fn engine(name: &str) -> Result<Box<dyn Engine>, Error> {
    roster::engine(name).ok_or_else(|| {
        let hint =
            roster::similar(name).map_or_else(String::new, |s| format!("; did you mean `{s}`?"));
        Error::usage(format!("no engine `{name}`{hint} (there are {})", engines().join(", ")))
    })
}

/// The names of all engines.
pub fn engines() -> Vec<&'static str> {
    roster::engines().iter().map(|engine| engine.id()).collect()
}

/// The ids of all games of the catalogue.
///
/// ```
/// assert!(ggpbench::games().contains(&"chess".to_owned()));
/// ```
pub fn games() -> Vec<String> {
    let catalogue = Catalogue::embedded();
    catalogue.map_or_else(|_| Vec::new(), |all| all.games().iter().map(|g| g.id.clone()).collect())
}
