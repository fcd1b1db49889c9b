use std::fmt;

use crate::rules::CompileError;

/// A game that was played on an engine, from its start to its end or to where it was left.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Course {
    /// Labels of all plies, in order; forced passes are none.
    pub moves: Vec<String>,
    /// The draws of chance, in the order in which the engine asked for them.
    pub chance: Vec<u32>,
}

/// The result of replaying games that another system recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Replay {
    /// Recorded games that were replayed, whole or to a difference.
    pub trials: u64,
    /// Replayed games that agreed to the end of their record.
    pub agreed: u64,
    /// Recorded plies that were compared, the one that differs included.
    pub plies: u64,
    /// The first difference.
    pub difference: Option<Difference>,
    /// The part that was not compared, and why: the recorder got nowhere, or a part of its record
    /// says nothing about this engine.
    pub remark: Option<String>,
}

impl Replay {
    /// True if something was compared, and nothing differed.
    pub fn agrees(&self) -> bool {
        self.trials > 0 && self.agreed == self.trials
    }
}

/// The first point at which a replayed game differs from its record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Number of the recorded game in its file, from 1.
    pub trial: u64,
    /// Recorded plies before it, in that game.
    pub ply: u64,
    /// The subject of the comparison: `legal`, `state`, `goals`, ...
    pub what: &'static str,
    /// The recorded value, shortened for one line.
    pub expected: String,
    /// The value of the engine, shortened for one line.
    pub found: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference { trial, ply, what, expected, found } = self;
        write!(f, "trial {trial}, ply {ply}, {what}: expected {expected}, found {found}")
    }
}

/// The reason why nothing could be replayed.
#[derive(Clone, Debug)]
pub enum ReplayError {
    /// The rules do not compile.
    Compile(CompileError),
    /// The engine cannot replay records in this language, or not of this game; with the reason.
    Unsupported(String),
    /// The record is not in the format of its language: what is wrong, with the number of the line.
    Malformed(String),
}

impl From<CompileError> for ReplayError {
    fn from(error: CompileError) -> ReplayError {
        ReplayError::Compile(error)
    }
}
