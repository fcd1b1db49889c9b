use std::collections::BTreeMap;
use std::fmt;

use play::{Language, Rules, Words};

use crate::setup::Setup;

/// One game of the catalogue: what its folder says, checked.
#[derive(Clone, PartialEq, Debug)]
pub struct GameEntry {
    /// Name of the folder, and of the game in commands and results.
    pub id: String,
    /// Name for people.
    pub title: String,
    /// Number of players, `1..=play::MAX_PLAYERS`.
    pub players: u8,
    /// Players who have one result together, counted from 0; all others play for themselves.
    pub teams: Vec<Vec<u8>>,
    /// Plies after which a playout is given up and counted as capped; an honest playout is shorter.
    pub cap: u32,
    /// The rows of published tables that this game stands for.
    pub paper: Vec<PaperRow>,
    /// The rules in words: what a ply is, how it ends, the scores.
    pub rules: String,
    /// The sources of the rules, and the checks of one against the other.
    pub sources: String,
    /// Expected numbers of leaves of the game tree, if any are known.
    pub perft: Option<Perft>,
    /// Expected statistics of uniformly random playouts, if any are known.
    pub playouts: Option<Playouts>,
    /// Games that were played, if any are recorded.
    pub recorded: Option<Recorded>,
    /// The positions that the game may begin at, where its manifest says how to write them.
    pub setup: Option<Setup>,
    /// The rules in each language that the game is written in; never empty.
    pub descriptions: BTreeMap<Language, Description>,
    /// Why it lacks other languages: one of [`REASONS`](crate::REASONS) for each.
    pub unsaid: BTreeMap<Language, String>,
}

impl GameEntry {
    /// The rules that an engine of this language gets to compile; `None` if the game lacks the
    /// language.
    pub fn rules_in(&self, language: Language) -> Option<Rules> {
        let Description { name, text, words } = self.descriptions.get(&language)?;
        let words = words.clone();
        Some(Rules { words, ..Rules::new(language, &**name, &**text) })
    }

    /// The position that the manifest calls so.
    pub fn position_named(&self, name: &str) -> Option<&str> {
        let mut known = self.perft.iter().flat_map(|perft| &perft.positions);
        let known = known.find(|known| known.name.eq_ignore_ascii_case(name.trim()))?;
        Some(&known.position)
    }

    /// The game from a position in the notation of its manifest, with the languages in which that
    /// says how the rules begin there. What is recorded of the game is not known of it, but for
    /// leaf counts of this very position. The error says what is wrong with the text, and shows
    /// where.
    pub fn at(&self, position: &str) -> Result<GameEntry, String> {
        let Some(setup) = &self.setup else {
            return Err(format!("the manifest of {} has no [setup]", self.id));
        };
        let position = setup.position(position)?;
        let mut descriptions = BTreeMap::new();
        for (&language, rules) in &self.descriptions {
            if let Some(text) = setup.fill(language, &rules.text, &position)? {
                let name = format!("{} at {position}", rules.name);
                descriptions
                    .insert(language, Description { name, text, words: rules.words.clone() });
            }
        }
        Ok(GameEntry {
            perft: self.perft.as_ref().and_then(|perft| perft.at(setup, &position)),
            playouts: None,
            recorded: None,
            setup: None,
            paper: Vec::new(),
            descriptions,
            ..self.clone()
        })
    }
}

/// The rules of a game in one language.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Description {
    /// The file, as messages show it; for a hand-written module the manifest that names it.
    pub name: String,
    /// The text; for [`Language::Bitboard`] the name of the module.
    pub text: String,
    /// The words of the game where the description says others.
    pub words: Words,
}

/// A row of a published table, written `table/row` in manifests.
#[derive(Clone, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub struct PaperRow {
    /// Last part of the name of the table's file, such as `table1`.
    pub table: String,
    /// The game, in the words of the table.
    pub row: String,
}

impl fmt::Display for PaperRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.table, self.row)
    }
}

/// Numbers of leaves of the game tree at depth 1, 2, ...: sequences of that many plies, forced
/// passes not counted; games that end earlier count nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Perft {
    /// The count at depth `i + 1` is `counts[i]`.
    pub counts: Vec<u64>,
    /// The source of the counts.
    pub source: String,
    /// The counts of other positions.
    pub positions: Vec<PerftPosition>,
}

impl Perft {
    /// The counts of a position, if they are known.
    fn at(&self, setup: &Setup, position: &str) -> Option<Perft> {
        let is_same = |other: &str| setup.position(other).is_ok_and(|other| other == position);
        let known = self.positions.iter().find(|known| is_same(&known.position));
        let counts = match known {
            Some(known) => known.counts.clone(),
            None if is_same(&setup.start) => self.counts.clone(),
            None => return None,
        };
        Some(Perft { counts, source: self.source.clone(), positions: Vec::new() })
    }
}

/// The numbers of leaves of a position of the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PerftPosition {
    /// Its name.
    pub name: String,
    /// The position, in the notation of [`Setup`].
    pub position: String,
    /// The count at depth `i + 1` is `counts[i]`.
    pub counts: Vec<u64>,
}

/// Statistics of playouts in which every choice is uniform over the legal actions.
#[derive(Clone, PartialEq, Debug)]
pub struct Playouts {
    /// Mean length in plies, forced passes not counted.
    pub mean_plies: f64,
    /// Uncertainty of `mean_plies` as recorded here: the half-width within which the true mean
    /// lies. A measured mean may differ by this and its own sampling error.
    pub tolerance: f64,
    /// Mean score of each player, if recorded.
    pub mean_scores: Option<Vec<f64>>,
    /// True if the numbers were computed, not sampled; `tolerance` is then their rounding.
    pub exact: bool,
    /// The source of the numbers.
    pub source: String,
}

/// Games that were played, from whose positions searches begin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recorded {
    /// The labels of the plies of each, forced passes left out; a game need not go to its end.
    pub games: Vec<Vec<String>>,
    /// The players of the games.
    pub source: String,
}
