use std::fmt;
use std::str::FromStr;

use text::{Diagnostic, Source};

use crate::chance::Chance;
use crate::encoding::Encoding;
use crate::lockstep::{Flock, Lockstep};
use crate::position::Position;
use crate::replay::{Course, Replay, ReplayError};
use crate::tally::Tally;

/// Name of an engine in tables and commands, such as `ludeme` or `propnet`.
pub type EngineId = &'static str;

/// A language that games are described in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Language {
    /// Ludii's ludemes, `.lud`.
    Lud,
    /// Game Description Language in KIF syntax, `.kif`.
    Kif,
    /// Regular Boardgames, `.rbg`.
    Rbg,
    /// No description: hand-written code, named by the module that plays the game.
    Bitboard,
}

impl Language {
    /// All of them.
    pub const ALL: [Language; 4] =
        [Language::Lud, Language::Kif, Language::Rbg, Language::Bitboard];

    /// Its short name, which for descriptions is the file extension.
    pub fn name(self) -> &'static str {
        match self {
            Language::Lud => "lud",
            Language::Kif => "kif",
            Language::Rbg => "rbg",
            Language::Bitboard => "bitboard",
        }
    }

    /// The language of a file, by its extension (`.gdl` counts as `.kif`).
    pub fn of_extension(extension: &str) -> Option<Language> {
        match extension.to_ascii_lowercase().as_str() {
            "lud" => Some(Language::Lud),
            "kif" | "gdl" => Some(Language::Kif),
            "rbg" => Some(Language::Rbg),
            _ => None,
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Language {
    type Err = String;

    fn from_str(s: &str) -> Result<Language, String> {
        Language::ALL
            .into_iter()
            .find(|l| l.name() == s)
            .ok_or_else(|| format!("no language `{s}`: expected lud, kif, rbg or bitboard"))
    }
}

/// A description to compile.
#[derive(Clone, Debug)]
pub struct Rules {
    /// What it is written in.
    pub language: Language,
    /// The text, under the name that messages show. For [`Language::Bitboard`] the text is the name
    /// of the hand-written module.
    pub source: Source,
    /// Chosen options, in the words of the language (for `.lud`: `"Board Size/8x8"`).
    pub options: Vec<String>,
}

impl Rules {
    /// Rules without options.
    pub fn new(language: Language, name: impl Into<String>, text: impl Into<String>) -> Rules {
        Rules { language, source: Source::new(name, text), options: Vec::new() }
    }
}

/// Budgets of a compilation. Engines see no clock: they count work instead, and the harness adds
/// real limits of time and memory around the process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Bytes that the compiled game and the work on it may take, roughly.
    pub bytes: u64,
    /// Elementary steps (tuples derived, rules instantiated, nodes built), of the order of 10 to
    /// 100 ns each.
    pub work: u64,
}

impl Default for Limits {
    /// 4 GiB and 2 billion steps.
    fn default() -> Limits {
        Limits { bytes: 4 << 30, work: 2_000_000_000 }
    }
}

/// Why rules were not compiled.
#[derive(Clone, Debug)]
pub enum CompileError {
    /// The rules are wrong: their author's fault.
    Invalid(Vec<Diagnostic>),
    /// The rules may be right, but this engine lacks something that they use: our fault.
    Unsupported(Vec<Diagnostic>),
    /// A budget of [`Limits`] ran out; the text says which and where it went.
    TooLarge(String),
    /// The machine or this build lacks something that the engine needs.
    Unavailable(String),
}

impl CompileError {
    /// `invalid`, `unsupported`, `too large` or `unavailable`.
    pub fn kind(&self) -> &'static str {
        match self {
            CompileError::Invalid(_) => "invalid",
            CompileError::Unsupported(_) => "unsupported",
            CompileError::TooLarge(_) => "too large",
            CompileError::Unavailable(_) => "unavailable",
        }
    }

    /// The diagnostics, where there are any.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        match self {
            CompileError::Invalid(all) | CompileError::Unsupported(all) => all,
            CompileError::TooLarge(_) | CompileError::Unavailable(_) => &[],
        }
    }

    /// The reason on one line, for tables.
    pub fn one_line(&self, source: &Source) -> String {
        match self {
            CompileError::Invalid(all) | CompileError::Unsupported(all) => {
                let first = all.iter().find(|d| d.is_error()).or(all.first());
                first.map_or_else(|| self.kind().to_owned(), |d| d.one_line(source))
            }
            CompileError::TooLarge(text) | CompileError::Unavailable(text) => text.clone(),
        }
    }
}

/// What is known of a compiled game without playing it.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// Number of players, nature not counted.
    pub players: u8,
    /// Whether chance events occur.
    pub chance: bool,
    /// Whether several players may choose at the same time.
    pub simultaneous: bool,
    /// Whether players do not see everything.
    pub hidden: bool,
    /// Bytes of one state, what it points to included.
    pub state_bytes: usize,
    /// How [`Via::Fast`] plays.
    pub fast: Way,
    /// How [`Via::Batch`] plays, where it is something of its own.
    pub batch: Option<Way>,
    /// What was built, by name: gates, atoms, sites, nodes, ... in an order of the engine's choice.
    pub build: Vec<(&'static str, u64)>,
}

impl Facts {
    /// How many players have percepts to be asked for: none where everybody sees everything.
    pub fn perceiving(&self) -> u8 {
        if self.hidden { self.players } else { 0 }
    }
}

/// How a way of playing gets from one position to the next: what a rate of playouts was a rate of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Method {
    /// All legal actions of every position are listed, and one of them is drawn.
    #[default]
    Listed,
    /// An action is drawn by its number; all of them are counted, and only the drawn one is made.
    Counted,
    /// An action is drawn without counting all: by rejection of those that turn out not to be legal.
    Sampled,
    /// Results are carried over from one playout to the next: a table of positions, or positions met
    /// before.
    Tabled,
}

impl Method {
    /// `listed`, `counted`, `sampled` or `tabled`.
    pub fn name(self) -> &'static str {
        match self {
            Method::Listed => "listed",
            Method::Counted => "counted",
            Method::Sampled => "sampled",
            Method::Tabled => "tabled",
        }
    }
}

/// How the playouts of a fast or batch way relate to those that the reference loop plays under the
/// same ids. Known when the game is compiled; the kit checks it, and a broken promise is a fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Promise {
    /// They are the same, one by one: plies, ending and scores of every id.
    #[default]
    SamePlayouts,
    /// They are drawn from the same distribution, but are not the same, for this reason.
    SameDistribution(&'static str),
}

/// What is known of a way of playing when the game is compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Way {
    /// How it gets from one position to the next.
    pub method: Method,
    /// How its playouts relate to the reference's.
    pub promise: Promise,
}

/// Which way to play a job.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Via {
    /// The engine's quickest way, one playout at a time.
    Fast,
    /// The generic loop over listed legal actions: the truth that checks the other two.
    Reference,
    /// Many playouts side by side.
    Batch,
}

impl Via {
    /// `fast`, `reference` or `batch`.
    pub fn name(self) -> &'static str {
        match self {
            Via::Fast => "fast",
            Via::Reference => "reference",
            Via::Batch => "batch",
        }
    }
}

impl FromStr for Via {
    type Err = String;

    fn from_str(s: &str) -> Result<Via, String> {
        [Via::Fast, Via::Reference, Via::Batch]
            .into_iter()
            .find(|v| v.name() == s)
            .ok_or_else(|| format!("no way `{s}`: expected fast, reference or batch"))
    }
}

/// A number of playouts to play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Job {
    /// Seed of the run.
    pub seed: u64,
    /// Id of the first playout; each id owns the stream [`Rng::stream`](crate::Rng::stream)`(seed, id)`.
    pub first: u64,
    /// How many, with ids counting up from `first`.
    pub count: u64,
    /// Plies after which a playout is given up and counted as capped.
    pub cap: u32,
}

impl Job {
    /// The ids to play.
    pub fn ids(&self) -> std::ops::Range<u64> {
        self.first..self.first + self.count
    }
}

/// A way to play games described in some languages. Engines see text and jobs, and neither the
/// catalogue nor the file system, the clock or threads.
pub trait Engine: Send + Sync {
    /// Its name.
    fn id(&self) -> EngineId;

    /// What it reads.
    fn languages(&self) -> &[Language];

    /// The family that it belongs to. Engines of one lineage share a front end, a grounder or a
    /// network, and may share its faults: where engines differ, they have one vote together.
    fn lineage(&self) -> &'static str {
        self.id()
    }

    /// Compiles rules within limits.
    fn compile(&self, rules: &Rules, limits: &Limits) -> Result<Compiled, CompileError>;

    /// Replays games of these rules that another system recorded, and compares at every ply what the
    /// record holds. The record is text in the language's own format: one JSON object a line for
    /// `.kif` and `.lud`. It is as little to be trusted as rules are: no panic, whatever it holds.
    fn replay(
        &self,
        _rules: &Rules,
        _record: &str,
        _limits: &Limits,
    ) -> Result<Replay, ReplayError> {
        Err(ReplayError::Unsupported(format!("{} replays no records", self.id())))
    }

    /// Writes games that were played on this engine in the format that [`Engine::replay`] reads, in the
    /// words of the language and with what labels do not tell.
    fn record(
        &self,
        _rules: &Rules,
        _courses: &[Course],
        _limits: &Limits,
    ) -> Result<String, ReplayError> {
        Err(ReplayError::Unsupported(format!("{} writes no records", self.id())))
    }
}

/// A compiled game with what the front end had to remark.
pub struct Compiled {
    /// The game.
    pub game: Box<dyn Game>,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
}

impl fmt::Debug for Compiled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Compiled")
            .field("facts", self.game.facts())
            .field("warnings", &self.warnings)
            .finish()
    }
}

/// How large what was made of a description was at one step of its making.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stage {
    /// After which step.
    pub name: &'static str,
    /// Sizes by name; one that was not taken is left out.
    pub sizes: Vec<(&'static str, u64)>,
}

/// A compiled game: immutable, shared by threads. The harness calls it once per large batch; authors
/// of engines implement [`Mechanics`](crate::Mechanics) instead and wrap it in
/// [`Adapted`](crate::Adapted).
pub trait Game: Send + Sync {
    /// What is known of it.
    fn facts(&self) -> &Facts;

    /// The initial position: slow, checked, readable; for tools, play and verification. It may outlive
    /// the game.
    fn open(&self, chance: &mut dyn Chance) -> Box<dyn Position>;

    /// Plays a job. [`Via::Batch`] on a game without [`Facts::batch`] plays [`Via::Fast`].
    fn run(&self, job: &Job, via: Via) -> Tally;

    /// The steps of its making, in order, where the engine tells.
    fn stages(&self) -> &[Stage] {
        &[]
    }

    /// What was compiled as a graph in the language of Graphviz, where the engine can draw it;
    /// as an error the number of its nodes, if there are more than `most`.
    fn dot(&self, _most: usize) -> Option<Result<String, usize>> {
        None
    }

    /// How positions and actions are written as numbers, where the engine can do that for this game.
    fn encoding(&self) -> Option<Encoding> {
        None
    }

    /// Many positions that go on together; `None` where there is no [`Encoding`].
    fn lockstep(&self, _flock: &Flock) -> Option<Box<dyn Lockstep>> {
        None
    }
}
