//! The rules as data, with the names and tables that they refer to by number.

use std::ops::Deref;

use super::{Features, Lowered, Problem};
use crate::ir::{
    EffectId, EndRule, HistoryDependence, MatchGame, Moves, Phase, Puzzle, Repeats, StartRule,
};
use crate::limits::MAX_LEAVES;
use crate::meter;

/// The rules of a game.
#[derive(Clone)]
pub(crate) struct Rules {
    /// Features that the description uses anywhere.
    pub(crate) features: Features,
    /// The names that the rules refer to by number.
    pub(crate) names: Names,
    /// The rules of the set-up.
    pub(crate) start: Vec<StartRule>,
    /// The phases, with their moves and their own end rules.
    pub(crate) phases: Vec<Phase>,
    /// The end rules of all phases.
    pub(crate) end: Vec<EndRule>,
    /// Effects that moves and other effects refer to.
    pub(crate) effects: Vec<Moves>,
    /// Consequences that wait until the moves of all players have been made.
    pub(crate) late: Vec<EffectId>,
    /// Generators that rules ask for the moves that they would give.
    pub(crate) generators: Vec<Moves>,
    /// True if all players choose at once.
    pub(crate) simultaneous: bool,
    /// True if the second player may change sides.
    pub(crate) swap: bool,
    /// True if there are no players, so that the game goes by itself.
    pub(crate) simulation: bool,
    /// The positions that must not occur again.
    pub(crate) repeats: Option<Repeats>,
    /// The parts of the past that the rules can read.
    pub(crate) past: HistoryDependence,
    /// The constraints, if the game is a deduction puzzle.
    pub(crate) puzzle: Option<Puzzle>,
    /// The place of the game in a match, if it is part of one.
    pub(crate) match_game: Option<MatchGame>,
}

/// Rules are asked directly for the features of their description.
impl Deref for Rules {
    type Target = Features;

    #[inline(always)]
    fn deref(&self) -> &Features {
        &self.features
    }
}

impl Rules {
    /// Rules without any part.
    pub(super) fn new(features: Features, past: HistoryDependence) -> Rules {
        Rules {
            features,
            names: Names {
                vars: vec![String::new()],
                lists: vec![String::new()],
                texts: Vec::new(),
                phases: Vec::new(),
            },
            start: Vec::new(),
            phases: Vec::new(),
            end: Vec::new(),
            effects: Vec::new(),
            late: Vec::new(),
            generators: Vec::new(),
            simultaneous: false,
            swap: false,
            simulation: false,
            repeats: None,
            past,
            puzzle: None,
            match_game: None,
        }
    }

    /// Adds effects to the table.
    pub(super) fn effect(&mut self, moves: Moves) -> EffectId {
        meter::work(1 + self.effects.len() as u64);
        let effects = self.effects.iter().zip(0..).map(|(m, i)| (m, EffectId(i)));
        let mut equal = effects.filter(|(m, id)| **m == moves && !self.late.contains(id));
        if let Some((_, id)) = equal.next() {
            return id;
        }
        self.effects.push(moves);
        EffectId(self.effects.len() as u32 - 1)
    }

    /// Adds effects to the table that wait until the moves of all players have been made.
    pub(super) fn late_effect(&mut self, moves: Moves) -> EffectId {
        meter::work(1 + self.late.len() as u64);
        let found = self.late.iter().find(|id| self.effects[id.0 as usize] == moves);
        if let Some(&id) = found {
            return id;
        }
        self.effects.push(moves);
        let id = EffectId(self.effects.len() as u32 - 1);
        self.late.push(id);
        id
    }
}

/// Names that the rules refer to by number.
#[derive(Clone)]
pub(crate) struct Names {
    /// Variables; the first is the one without a name.
    pub(crate) vars: Vec<String>,
    /// Lists of remembered values; the first is the one without a name.
    pub(crate) lists: Vec<String>,
    /// Texts that are proposed and voted for, or told.
    pub(crate) texts: Vec<String>,
    /// Phases.
    pub(super) phases: Vec<String>,
}

impl Names {
    /// The number of a variable, which is made when first named.
    pub(super) fn var(&mut self, name: Option<&str>) -> usize {
        number_of(&mut self.vars, name.unwrap_or_default())
    }

    /// The number of a list of remembered values, which is made when first named.
    pub(super) fn list(&mut self, name: Option<&str>) -> usize {
        number_of(&mut self.lists, name.unwrap_or_default())
    }

    /// The number of a text, which is added when first used.
    pub(super) fn text(&mut self, text: &str) -> usize {
        number_of(&mut self.texts, text)
    }
}

/// The number of a name in a list, to which it is added if the list lacks it.
fn number_of(names: &mut Vec<String>, name: &str) -> usize {
    names.iter().position(|n| n == name).unwrap_or_else(|| {
        names.push(name.to_owned());
        names.len() - 1
    })
}

/// What states and playouts have to make room for, so that the rules can be played.
#[derive(Default)]
pub(crate) struct Needs {
    /// Number of generators of moves, which are numbered.
    pub(crate) leaves: usize,
    /// One more than the highest number beyond the sites for which sets of the state have room.
    pub(crate) numbers: usize,
    /// Components that rules ask for by the order in which they were placed.
    pub(crate) sought: Vec<u16>,
}

impl Needs {
    /// A new number for a generator of moves.
    pub(super) fn new_leaf(&mut self) -> Lowered<u16> {
        if self.leaves == MAX_LEAVES {
            return Err(Problem::TooLarge(format!("more than {MAX_LEAVES} generators of moves")));
        }
        self.leaves += 1;
        Ok(self.leaves as u16 - 1)
    }
}
