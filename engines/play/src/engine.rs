//! The interface of engines, which turn rules into games.

use std::fmt;

use text::Diagnostic;

use crate::game::Game;
use crate::replay::{Course, Replay, ReplayError};
use crate::reworded::Reworded;
use crate::rules::{CompileError, Language, Limits, Rules};
use crate::started::Started;

/// Name of an engine in tables and commands, such as `ludeme` or `propnet`.
pub type EngineId = &'static str;

/// A way to play games described in some languages. Engines see text and jobs, and neither the
/// catalogue nor the file system, the clock or threads.
pub trait Engine: Send + Sync {
    /// Its name.
    fn id(&self) -> EngineId;

    /// The languages that the engine reads.
    fn languages(&self) -> &[Language];

    /// The family that it belongs to. Engines of one lineage share a front end, a grounder or a
    /// network, and may share its faults: where engines differ, they have one vote together.
    fn lineage(&self) -> &'static str {
        self.id()
    }

    /// Compiles rules within limits. The game says actions and percepts in the way of their
    /// language, whatever [`Rules::words`] there are; of these only [`Words::full`] is the
    /// engine's.
    ///
    /// [`Words::full`]: crate::Words::full
    fn compile(&self, rules: &Rules, limits: &Limits) -> Result<Compiled, CompileError>;

    /// Compiles rules within limits into a game that says the words of [`Rules::words`] and begins
    /// after the plies of [`Rules::start`].
    fn load(&self, rules: &Rules, limits: &Limits) -> Result<Compiled, CompileError> {
        let Compiled { game, warnings } = self.compile(rules, limits)?;
        let game: Box<dyn Game> = match &rules.words {
            words if words.are_its_own() => game,
            words => Box::new(Reworded::new(game, words.clone())),
        };
        let game: Box<dyn Game> = match &rules.start[..] {
            [] => game,
            plies => Box::new(Started::new(game, plies).map_err(CompileError::Start)?),
        };
        Ok(Compiled { game, warnings })
    }

    /// Replays games of these rules that another system recorded, and compares at every ply what
    /// the record holds. The record is text in the language's own format: one JSON object a line
    /// for `.kif` and `.lud`. It is as little to be trusted as rules are: no panic, whatever it
    /// holds.
    fn replay(
        &self,
        _rules: &Rules,
        _record: &str,
        _limits: &Limits,
    ) -> Result<Replay, ReplayError> {
        Err(ReplayError::Unsupported(format!("{} replays no records", self.id())))
    }

    /// Writes games that were played on this engine in the format that [`Engine::replay`] reads, in
    /// the words of the language and with what labels do not tell.
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
