//! One row of `measurements.csv`.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::detects::Detects;
use super::payoff::Payoff;
use super::words::{Method, Phase, Verdict, Via};
use crate::text;

/// The columns of `measurements.csv`, in order.
pub const COLUMNS: [&str; 42] = [
    "game",
    "title",
    "paper",
    "family",
    "size",
    "players",
    "engine",
    "language",
    "via",
    "method",
    "control",
    "verdict",
    "reason",
    "detects",
    "threads",
    "job",
    "simulations",
    "process",
    "round",
    "slot",
    "phase",
    "seed",
    "first",
    "playouts",
    "plies",
    "plies_squared",
    "capped",
    "stuck",
    "payoffs",
    "wall_ns",
    "cpu_ns",
    "digest",
    "compile_ns",
    "peak_bytes",
    "state_bytes",
    "tokens",
    "rules",
    "options",
    "build",
    "warnings",
    "rng",
    "host",
];

/// The greatest count that a row may claim: past it counts are no longer exact as floating-point
/// numbers, and nanoseconds last for more than a hundred days.
const GREATEST: u64 = 1 << 53;

/// One row: a measured batch of playouts, or (with [`Phase::None`]) the statement that a pair of
/// game and engine failed and why.
///
/// A row is also one line of the file: line breaks inside texts are escaped.
/// Facts about the pair (title, players, compile time, ...) are repeated in each of its rows, so
/// that a row can be read alone and files can be joined by appending.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sample {
    /// Id of the game: the folder name in the catalogue, or the path of a rule file.
    #[serde(with = "line")]
    pub game: String,
    /// Its name for people.
    #[serde(with = "line")]
    pub title: String,
    /// Rows of published tables that this game stands for, such as `table1/Connect 4 (6x7)`.
    #[serde(with = "list")]
    pub paper: Vec<String>,
    /// The family that the game belongs to, where it is one size of several.
    #[serde(with = "line", default)]
    pub family: String,
    /// Its size, in the unit of the family.
    #[serde(default)]
    pub size: Option<u64>,
    /// Number of players; 0 where the rules could not be read.
    pub players: u32,
    /// Id of the engine.
    #[serde(with = "line")]
    pub engine: String,
    /// The description language the engine read, or that the game is hand-coded.
    #[serde(with = "line")]
    pub language: String,
    /// The loop of the engine that ran.
    pub via: Via,
    /// The method by which that loop gets from one position to the next, if the engine says.
    #[serde(default)]
    pub method: Option<Method>,
    /// True if this is the control of an A/A test: a second measurement of the column that is the
    /// same in everything else.
    #[serde(default)]
    pub control: bool,
    /// The verdict on the pair.
    pub verdict: Verdict,
    /// The reason, if the verdict is not `ok`: the counterexample, the diagnostic, the limit that
    /// was hit.
    #[serde(with = "line")]
    pub reason: String,
    /// The smallest deviation of its playouts that the proof would have seen; `None` in old files,
    /// and where nothing was proven.
    #[serde(with = "detects", default)]
    pub detects: Option<Detects>,
    /// Threads that shared the batch.
    pub threads: u32,
    /// Playouts that the engine was given at once, where that was set: the batch was played in jobs
    /// of so many.
    #[serde(default)]
    pub job: Option<u64>,
    /// Simulations of each search, where searches were made in the place of playouts: then a
    /// playout of this row is a search, and its plies and payoffs are means over its simulations,
    /// rounded up or down at random.
    #[serde(default)]
    pub simulations: Option<u64>,
    /// The worker process of the column that played the batch, from 0. Intervals come from the
    /// spread between processes, if there are several.
    #[serde(default)]
    pub process: u32,
    /// Round of the interleaved schedule, from 0. Ratios between engines are formed inside a round.
    pub round: u32,
    /// Position in the shuffled order of this round, from 0.
    pub slot: u32,
    /// Measurement, warm-up, or no measurement at all.
    pub phase: Phase,
    /// Seed of the run; playout `id` draws from a stream that depends on both.
    pub seed: u64,
    /// Id of the first playout of the batch; the batch is `first .. first + playouts`.
    pub first: u64,
    /// Playouts run.
    pub playouts: u64,
    /// Plies played in them, forced passes not counted.
    pub plies: u64,
    /// Sum of the squares of the playouts' plies, where known: it gives the standard error of the
    /// mean length.
    pub plies_squared: Option<u64>,
    /// Playouts that the ply cap ended.
    pub capped: u64,
    /// Playouts that ended in a position with no move and no result.
    pub stuck: u64,
    /// The payoffs of each player in the playouts that ended by the rules; empty in old files.
    #[serde(with = "payoffs", default)]
    pub payoffs: Vec<Payoff>,
    /// Elapsed time, nanoseconds.
    pub wall_ns: u64,
    /// CPU time of all threads, nanoseconds.
    pub cpu_ns: u64,
    /// Commutative digest over (id, plies, scores) of the batch.
    pub digest: Digest,
    /// Time from rule text to a playable game, nanoseconds, where known.
    pub compile_ns: Option<u64>,
    /// Peak resident memory of the worker, bytes, where known.
    pub peak_bytes: Option<u64>,
    /// Size of one position, bytes, where known.
    pub state_bytes: Option<u64>,
    /// Size of the description in the tokens of its language, where known.
    #[serde(default)]
    pub tokens: Option<u64>,
    /// Hash of the rules as the engine read them, with options chosen and macros replaced: 16
    /// hexadecimal digits, or empty in old files.
    #[serde(with = "line", default)]
    pub rules: String,
    /// Options of the rules that were chosen.
    #[serde(with = "list", default)]
    pub options: Vec<String>,
    /// Hash of the engine's program: 16 hexadecimal digits, or empty in old files.
    #[serde(with = "line", default)]
    pub build: String,
    /// The warnings of the harness about this sample.
    #[serde(with = "list")]
    pub warnings: Vec<String>,
    /// The random generator, by name.
    #[serde(with = "line")]
    pub rng: String,
    /// The machine that measured, where parts of a run come from several; ratios never mix hosts.
    #[serde(with = "line", default)]
    pub host: String,
}

impl Sample {
    /// A row that states a failure: no counts, [`Phase::None`], one thread, the fast loop.
    pub fn failure(game: &str, engine: &str, verdict: Verdict, reason: impl Into<String>) -> Self {
        Self {
            game: game.to_owned(),
            title: String::new(),
            paper: Vec::new(),
            family: String::new(),
            size: None,
            players: 0,
            engine: engine.to_owned(),
            language: String::new(),
            via: Via::Fast,
            method: None,
            control: false,
            verdict,
            reason: reason.into(),
            detects: None,
            threads: 1,
            job: None,
            simulations: None,
            process: 0,
            round: 0,
            slot: 0,
            phase: Phase::None,
            seed: 0,
            first: 0,
            playouts: 0,
            plies: 0,
            plies_squared: None,
            capped: 0,
            stuck: 0,
            payoffs: Vec::new(),
            wall_ns: 0,
            cpu_ns: 0,
            digest: Digest(0),
            compile_ns: None,
            peak_bytes: None,
            state_bytes: None,
            tokens: None,
            rules: String::new(),
            options: Vec::new(),
            build: String::new(),
            warnings: Vec::new(),
            rng: String::new(),
            host: String::new(),
        }
    }

    /// The inconsistency of this row, if there is any: a measurement without playouts or time or
    /// with counts that no playouts can have, a failure with counts or without a reason.
    pub fn inconsistency(&self) -> Option<String> {
        if self.game.is_empty() || self.engine.is_empty() {
            return Some("`game` and `engine` must not be empty".to_owned());
        }
        if self.phase == Phase::None {
            if self.verdict.is_ranked() {
                return Some(format!("a row without a measurement cannot be `{}`", self.verdict));
            }
            if self.playouts != 0 || self.plies != 0 || self.wall_ns != 0 || self.cpu_ns != 0 {
                return Some("a row with phase `none` must not carry counts or times".to_owned());
            }
        } else {
            if self.playouts == 0 || self.wall_ns == 0 || self.cpu_ns == 0 {
                return Some(format!(
                    "a `{}` row needs `playouts`, `wall_ns` and `cpu_ns` above zero",
                    self.phase
                ));
            }
            if let Some(fault) = self.impossible_count() {
                return Some(fault);
            }
            if self.payoffs.iter().any(|payoff| !payoff.is_possible()) {
                return Some("`payoffs` has sums that no payoffs of 32 bits have".to_owned());
            }
            let Some(ended) = self.playouts.checked_sub(self.capped.saturating_add(self.stuck))
            else {
                return Some("`capped` and `stuck` together exceed `playouts`".to_owned());
            };
            if let Some(payoff) = self.payoffs.iter().find(|payoff| payoff.playouts != ended) {
                let counted = payoff.playouts;
                return Some(format!(
                    "`payoffs` is of {counted} playouts, where {ended} ended by the rules"
                ));
            }
        }
        if self.threads == 0 {
            return Some("`threads` must be at least 1".to_owned());
        }
        if [self.job, self.size, self.simulations].contains(&Some(0)) {
            let what = "`job`, `size` and `simulations` must be at least 1 where they are set";
            return Some(what.to_owned());
        }
        if self.simulations.is_some() != (self.via == Via::Uct) {
            return Some("`simulations` goes with `via` uct, and only with it".to_owned());
        }
        if self.family.is_empty() != self.size.is_none() {
            return Some("`family` and `size` go together".to_owned());
        }
        if self.reason.is_empty() && !self.verdict.is_ranked() {
            return Some(format!("verdict `{}` needs a `reason`", self.verdict));
        }
        None
    }

    /// A count or a sum of squares that no playouts can have.
    fn impossible_count(&self) -> Option<String> {
        let Self { playouts, plies, wall_ns, cpu_ns, .. } = *self;
        let counts =
            [("playouts", playouts), ("plies", plies), ("wall_ns", wall_ns), ("cpu_ns", cpu_ns)];
        for (name, count) in counts {
            if count > GREATEST {
                return Some(format!("`{name}` is {count}; no measurement passes 2^53"));
            }
        }
        let squares = u128::from(self.plies_squared?);
        let (playouts, plies) = (u128::from(playouts), u128::from(plies));
        // The mean of squares is at least the square of the mean (Cauchy and Schwarz), and whole
        // numbers are at most their squares; the most is one playout that has all plies.
        if squares * playouts < plies * plies || squares < plies {
            Some(format!("`plies_squared` is too small for {plies} plies in {playouts} playouts"))
        } else if squares > plies * plies {
            Some(format!("`plies_squared` is too great for {plies} plies in all"))
        } else {
            None
        }
    }
}

/// A 64-bit digest, written as 16 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest(pub u64);

impl std::fmt::Display for Digest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl Serialize for Digest {
    fn serialize<S: serde::Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        // Not through a number: the csv reader guesses types, and "1234567890123456" is also a
        // decimal.
        let text = String::deserialize(from)?;
        if text.len() != 16 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(serde::de::Error::custom(format!(
                "{text:?} is no digest; expected 16 hexadecimal digits"
            )));
        }
        u64::from_str_radix(&text, 16).map(Digest).map_err(serde::de::Error::custom)
    }
}

/// Text on one line of printable characters: the backslash is doubled, and what is hidden is
/// written out as [`text::printable`] does.
fn escape(text: &str) -> Cow<'_, str> {
    if !text.contains(|c| c == '\\' || text::is_hidden(c)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            c if text::is_hidden(c) => text::push_escape(&mut out, c),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// The text that [`escape`] was given; an unknown escape as the error.
fn unescape(text: &str) -> Result<String, String> {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        plain.push_str(&rest[..at]);
        let escape = &rest[at + 1..];
        let (c, length) = unescape_one(escape).ok_or_else(|| {
            let after: String = escape.chars().take(1).collect();
            format!(
                "`\\{after}` is no escape; expected `\\\\`, `\\n`, `\\r`, `\\t` or `\\u{{...}}`"
            )
        })?;
        plain.push(c);
        rest = &escape[length..];
    }
    plain.push_str(rest);
    Ok(plain)
}

/// The character that an escape stands for and the length of the escape, both without the backslash
/// before it.
fn unescape_one(escape: &str) -> Option<(char, usize)> {
    match *escape.as_bytes().first()? {
        b'\\' => Some(('\\', 1)),
        b'n' => Some(('\n', 1)),
        b'r' => Some(('\r', 1)),
        b't' => Some(('\t', 1)),
        b'u' => {
            let (digits, _) = escape.strip_prefix("u{")?.split_once('}')?;
            let code = u32::from_str_radix(digits, 16).ok()?;
            Some((char::from_u32(code)?, digits.len() + 3))
        }
        _ => None,
    }
}

/// Text fields as [`escape`] writes them, so that a row is a line whatever a reason quotes, and
/// guarded against spreadsheets.
mod line {
    use serde::{Deserialize, Deserializer, Serializer};

    use crate::text;

    pub(super) fn serialize<S: Serializer>(text: &str, out: S) -> Result<S::Ok, S::Error> {
        out.serialize_str(&text::guard(&super::escape(text)))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
        let field = String::deserialize(from)?;
        super::unescape(text::unguard(&field)).map_err(serde::de::Error::custom)
    }
}

/// The deviations that a proof detects; an empty field if they are not known.
mod detects {
    use serde::{Deserializer, Serializer};

    use super::{Detects, line};

    #[allow(clippy::ref_option, reason = "what serde calls gets the field by reference")]
    pub(super) fn serialize<S: Serializer>(
        detects: &Option<Detects>,
        out: S,
    ) -> Result<S::Ok, S::Error> {
        line::serialize(&detects.as_ref().map(ToString::to_string).unwrap_or_default(), out)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Detects>, D::Error> {
        let text = line::deserialize(from)?;
        let read = || text.parse().map_err(serde::de::Error::custom);
        (!text.is_empty()).then(read).transpose()
    }
}

/// Payoffs of the players in one field, separated by semicolons.
mod payoffs {
    use serde::{Deserialize, Deserializer, Serializer};

    use super::Payoff;
    use crate::text;

    pub(super) fn serialize<S: Serializer>(items: &[Payoff], out: S) -> Result<S::Ok, S::Error> {
        let texts: Vec<String> = items.iter().map(ToString::to_string).collect();
        out.serialize_str(&text::guard(&texts.join(";")))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Payoff>, D::Error> {
        let field = String::deserialize(from)?;
        let items = text::unguard(&field).split(';').filter(|item| !item.is_empty());
        items.map(|item| item.parse().map_err(serde::de::Error::custom)).collect()
    }
}

/// A list in one field, separated by semicolons; the items are short words, and in an item a
/// semicolon becomes a comma and what is hidden is written out for good.
mod list {
    use serde::{Deserialize, Deserializer, Serializer};

    use crate::text;

    pub(super) fn serialize<S: Serializer>(items: &[String], out: S) -> Result<S::Ok, S::Error> {
        let clean: Vec<String> =
            items.iter().map(|item| text::printable(item).replace(';', ",")).collect();
        out.serialize_str(&text::guard(&clean.join(";")))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
        let field = String::deserialize(from)?;
        Ok(text::unguard(&field)
            .split(';')
            .map(str::trim)
            .filter(|item| !item.is_empty())
            .map(str::to_owned)
            .collect())
    }
}
