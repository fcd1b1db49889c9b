//! One row: a rule file on an engine.

use std::fmt;

use reports::Verdict;
use serde::{Deserialize, Serialize};

/// The result of a comparison with recorded games, or with figures.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub enum Record {
    /// There is no record of this file, or there is no game in it.
    #[default]
    #[serde(rename = "none")]
    None,
    /// Every recorded game was played alike to its end.
    #[serde(rename = "agrees")]
    Agrees,
    /// It was played otherwise.
    #[serde(rename = "DIFFERS")]
    Differs,
    /// It was played otherwise, and the record is known to be wrong.
    #[serde(rename = "mistaken")]
    Mistaken,
    /// The engine replayed nothing; the note says why.
    #[serde(rename = "not replayed")]
    NotReplayed,
    /// Too little was compared to tell; the note says why.
    #[serde(rename = "unchecked")]
    Unchecked,
}

impl Record {
    /// All of them, in the order of summaries.
    pub const ALL: [Record; 6] = [
        Record::Agrees,
        Record::Differs,
        Record::Mistaken,
        Record::Unchecked,
        Record::NotReplayed,
        Record::None,
    ];
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Record::None => "none",
            Record::Agrees => "agrees",
            Record::Differs => "DIFFERS",
            Record::Mistaken => "mistaken",
            Record::NotReplayed => "not replayed",
            Record::Unchecked => "unchecked",
        })
    }
}

/// The result of a rule file on an engine. Fields that do not apply are empty or 0.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// Path of the file below the folder.
    #[serde(with = "super::cell")]
    pub file: String,
    /// SHA-256 of the file.
    #[serde(with = "super::cell")]
    pub sha256: String,
    /// Name of the engine.
    #[serde(with = "super::cell")]
    pub engine: String,
    /// `ok`: checked by a record or by another engine, and nothing differs.
    pub status: Verdict,
    /// The reason, unless the status is `ok`, or else a remark.
    #[serde(with = "super::cell")]
    pub reason: String,
    /// Number of players.
    pub players: u8,
    /// Warnings of the front end.
    pub warnings: u64,
    /// Milliseconds from text to playable game.
    pub compile_ms: f64,
    /// CPU time of the same, where the engine tells.
    pub compile_cpu_ms: f64,
    /// Peak memory of the process after that, in MiB.
    pub peak_mib: u64,
    /// Atoms, where the engine tells.
    pub atoms: Option<u64>,
    /// Gates, where the engine tells.
    pub gates: Option<u64>,
    /// All that the engine tells of what it built: `name=number`, joined by `; `.
    #[serde(with = "super::cell")]
    pub build: String,
    /// Random playouts.
    pub playouts: u64,
    /// Mean plies of a playout.
    pub mean_plies: Option<f64>,
    /// Playouts that reached the ply cap.
    pub capped: u64,
    /// Playouts that ended where somebody has no action though the game is not over.
    pub stuck: u64,
    /// The result of replaying recorded games.
    pub record: Record,
    /// Recorded games that were compared.
    pub trials: u64,
    /// Recorded games that agree to their end.
    pub trials_agreed: u64,
    /// Recorded plies that were compared.
    pub record_plies: u64,
    /// The first difference, why the record is mistaken, or why nothing was replayed.
    #[serde(with = "super::cell")]
    pub record_note: String,
    /// The comparison with figures that another system gave: the leaf counts, as deeply as they
    /// were counted; without them, the mean length of playouts. A mean that differs differs in any
    /// case.
    #[serde(default)]
    pub figures: Record,
    /// The greatest depth at which leaves were counted and agree.
    #[serde(default)]
    pub perft_depth: Option<u32>,
    /// The greatest depth at which the number of leaves is known.
    #[serde(default)]
    pub perft_known: Option<u32>,
    /// Leaves at the greatest depth that agrees.
    #[serde(default)]
    pub perft_leaves: Option<u64>,
    /// Mean moves of a playout, forced passes counted.
    #[serde(default)]
    pub moves: Option<f64>,
    /// The same as the other system gave it.
    #[serde(default)]
    pub moves_known: Option<f64>,
    /// The comparison of the two means; `unchecked` if a difference of 2 % could not be seen.
    #[serde(default)]
    pub lengths: Record,
    /// The difference from the figures, or the reason why leaves were not counted more deeply.
    #[serde(default, with = "super::cell")]
    pub figures_note: String,
    /// Other engines that play the same game, as far as compared, joined by blanks.
    #[serde(with = "super::cell")]
    pub peers: String,
    /// Depth to which the game trees were the same, of the peer compared least deeply.
    pub peer_depth: Option<u32>,
    /// Random playouts walked in lock-step with peers.
    pub peer_walks: u32,
}

impl Row {
    /// A row that says nothing yet.
    pub(super) fn blank(file: &str, sha256: &str, engine: &str) -> Row {
        Row {
            file: file.to_owned(),
            sha256: sha256.to_owned(),
            engine: engine.to_owned(),
            status: Verdict::Unchecked,
            reason: String::new(),
            players: 0,
            warnings: 0,
            compile_ms: 0.0,
            compile_cpu_ms: 0.0,
            peak_mib: 0,
            atoms: None,
            gates: None,
            build: String::new(),
            playouts: 0,
            mean_plies: None,
            capped: 0,
            stuck: 0,
            record: Record::None,
            trials: 0,
            trials_agreed: 0,
            record_plies: 0,
            record_note: String::new(),
            figures: Record::None,
            perft_depth: None,
            perft_known: None,
            perft_leaves: None,
            moves: None,
            moves_known: None,
            lengths: Record::None,
            figures_note: String::new(),
            peers: String::new(),
            peer_depth: None,
            peer_walks: 0,
        }
    }

    /// True if another system vouches for what the engine plays.
    pub fn is_vouched(&self) -> bool {
        self.record == Record::Agrees || self.figures == Record::Agrees
    }

    /// True if the engine loaded the file and played it.
    pub fn plays(&self) -> bool {
        self.playouts > 0
    }
}
