//! A compiled game: what is known of it, and the jobs that it plays.

use std::str::FromStr;
use std::sync::Arc;

use crate::build_fact::BuildFact;
use crate::chance::Chance;
use crate::encoding::Encoding;
use crate::job::Job;
use crate::lockstep::{Lockstep, LockstepJob};
use crate::merged::Merges;
use crate::method::PlayoutMode;
use crate::position::Position;
use crate::recoded::RecodedLockstep;
use crate::strategy::Strategy;
use crate::tally::Tally;

/// A compiled game: immutable, shared by threads. The harness calls it once per large batch;
/// authors of engines implement [`Mechanics`](crate::Mechanics) instead and wrap it in
/// [`Adapted`](crate::Adapted).
pub trait Game: Send + Sync {
    /// The facts that are known of the game.
    fn facts(&self) -> &Facts;

    /// The initial position: slow, checked, readable; for tools, play and verification. It may
    /// outlive the game.
    fn open(&self, chance: &mut dyn Chance) -> Box<dyn Position>;

    /// Plays a job. [`Via::Batch`] on a game without [`Facts::batch`], and [`Via::Interpreted`] on
    /// one without [`Facts::interpreted`], play [`Via::Fast`].
    fn run(&self, job: &Job, via: Via) -> Tally;

    /// The steps of its making, in order, where the engine tells.
    fn stages(&self) -> &[Stage] {
        &[]
    }

    /// The strategies by which it plays the parts of the game, if the engine tells.
    fn strategies(&self) -> Vec<Strategy> {
        Vec::new()
    }

    /// The compiled game as a graph in the language of Graphviz, if the engine can draw it; if
    /// there are more nodes than `most`, their number as an error.
    fn dot(&self, _most: usize) -> Option<Result<String, usize>> {
        None
    }

    /// The program that the rules were compiled to, as text, where the engine makes one.
    fn ir(&self) -> Option<String> {
        None
    }

    /// The encoding of positions and actions as numbers, if the engine has one for this game.
    fn encoding(&self) -> Option<Encoding> {
        None
    }

    /// Many positions that go on together; `None` where there is no [`Encoding`].
    fn lockstep(&self, _flock: &LockstepJob) -> Option<Box<dyn Lockstep>> {
        None
    }

    /// The same in words of the game, where several of its description have one.
    #[doc(hidden)]
    fn lockstep_in_words(
        &self,
        flock: &LockstepJob,
        merges: &Arc<Merges>,
    ) -> Option<Box<dyn Lockstep>> {
        Some(RecodedLockstep::boxed(self.lockstep(flock)?, Arc::clone(merges)))
    }
}

/// The properties of a compiled game that are known without playing it.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// Number of players, nature not counted.
    pub players: u8,
    /// True if chance events occur.
    pub chance: bool,
    /// True if several players may choose at the same time.
    pub simultaneous: bool,
    /// True if players do not see everything.
    pub hidden: bool,
    /// Bytes of one state, what it points to included.
    pub state_bytes: usize,
    /// The mode of [`Via::Fast`].
    pub fast: PlayoutMode,
    /// The mode of [`Via::Batch`], if it is something of its own.
    pub batch: Option<PlayoutMode>,
    /// The mode of [`Via::Interpreted`], if [`Via::Fast`] plays by machine code made for the game.
    pub interpreted: Option<PlayoutMode>,
    /// True if [`Via::Listed`] is something of its own: where the engine lists by something faster
    /// than what [`Via::Reference`] goes by.
    pub listed: bool,
    /// Simulations of each of the searches that the game plays in place of playouts, see
    /// [`Searched`](crate::Searched); 0 of a game that plays playouts.
    pub simulations: u32,
    /// The sizes of the compiled game: gates, atoms, sites, nodes, ... in an order of the engine's
    /// choice.
    pub build: Vec<(BuildFact, u64)>,
}

impl Facts {
    /// A figure of what was built, where the engine says it.
    pub fn built(&self, fact: BuildFact) -> Option<u64> {
        self.build.iter().find(|(of, _)| *of == fact).map(|&(_, figure)| figure)
    }

    /// The mode in which playouts of this kind run; `None` if the game has no such playouts.
    pub fn mode(&self, via: Via) -> Option<PlayoutMode> {
        match via {
            Via::Fast => Some(self.fast),
            Via::Reference => Some(PlayoutMode::default()),
            Via::Batch => self.batch,
            Via::Interpreted => self.interpreted,
            Via::Listed => self.listed.then(PlayoutMode::default),
        }
    }

    /// The number of players who have percepts: 0 in games of full information.
    pub fn perceiving(&self) -> u8 {
        if self.hidden { self.players } else { 0 }
    }
}

/// The loop that plays a job.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Via {
    /// The engine's quickest way, one playout at a time: the column of an engine in every run.
    Fast,
    /// The generic loop over listed legal actions: the truth that proofs check the others against.
    Reference,
    /// Many playouts side by side: a column of its own where the engine has [`Facts::batch`].
    Batch,
    /// The quickest way without machine code that is made when the game is compiled: a column more
    /// with `--no-native`.
    Interpreted,
    /// The generic loop over legal actions as the engine lists them for positions and searches,
    /// where the reference lists them by plainer means: figures of listing are measured by it.
    Listed,
}

impl Via {
    /// All of them.
    pub const ALL: [Via; 5] =
        [Via::Fast, Via::Reference, Via::Batch, Via::Interpreted, Via::Listed];

    /// `fast`, `reference`, `batch`, `interpreted` or `listed`.
    pub fn name(self) -> &'static str {
        match self {
            Via::Fast => "fast",
            Via::Reference => "reference",
            Via::Batch => "batch",
            Via::Interpreted => "interpreted",
            Via::Listed => "listed",
        }
    }
}

impl FromStr for Via {
    type Err = String;

    fn from_str(s: &str) -> Result<Via, String> {
        Via::ALL.into_iter().find(|v| v.name() == s).ok_or_else(|| {
            format!("no way `{s}`: expected fast, reference, batch, interpreted or listed")
        })
    }
}

/// The sizes of a compiled description after one step of its compilation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stage {
    /// After which step.
    pub name: &'static str,
    /// Sizes; one that was not taken is left out.
    pub sizes: Vec<(BuildFact, u64)>,
}
