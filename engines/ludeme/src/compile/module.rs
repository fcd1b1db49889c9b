//! The program of a game while it is written.

use std::cell::OnceCell;
use std::collections::HashMap;

use kernel::ir::{Access, Function, FunctionId, LentArray, Program};
use play::Rng;

use super::arrays::{ENTRY, FRAME_LENGTH, MOST_ENTRIES, MOST_NOTED, SERVICES};
use super::context::Context;
use super::purpose::Purpose;
use super::tables::Tables;
use super::views::MaintainedViews;
use crate::facts::FactSet;
use crate::ir::{EffectId, EvaluatedParts, Moves};
use crate::meter;

/// A function that changes the contents of a site, with its parameters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Change {
    /// Sets the component on a site: site, component, component before.
    What,
    /// Site, component, local state.
    Add,
    /// Site.
    Remove,
    /// Origin, destination.
    Move,
    /// Origin, destination.
    Copy,
    /// Site, component.
    Promote,
    /// Site, number.
    Count,
    /// Origin, destination, number.
    MoveCount,
    /// Origin, destination, number of seeds.
    Seed,
}

/// A program that is being written.
pub(super) struct Module {
    pub(super) purpose: Purpose,
    pub(super) tables: Tables,
    pub(super) functions: Vec<Function>,
    /// The number of statements and variables written so far.
    pub(super) written: usize,
    /// The number after which rules are left to the evaluator. It bounds the code of nested loops,
    /// since the body of a loop may be written twice.
    most_written: usize,
    /// The views of added pieces, in placement games.
    pub(super) added: Option<MaintainedViews>,
    /// The functions that change the contents of a site.
    pub(super) changes: HashMap<Change, FunctionId>,
    /// The functions of effects, `None` while one is written; and true if a trial of one needs a
    /// copy of the state.
    pub(super) effects: HashMap<EffectId, (Option<FunctionId>, bool)>,
    /// The generators that conditions and regions refer to, by number.
    pub(super) generators: Vec<Moves>,
    /// The functions that test if a player could move to a site by some rules; `None` if these have
    /// no form in code.
    pub(super) threats: Vec<(Moves, Option<FunctionId>)>,
    /// The functions that test if the next player has no move, with no variable of the rules bound
    /// and with some, if they are needed; `None` if the test has no form in code.
    pub(super) next_is_stuck: [OnceCell<Option<NextIsStuck>>; 2],
    /// The nodes that the code of effects and end rules leaves to the evaluator.
    pub(super) parts: EvaluatedParts,
    pub(super) traits: FactSet<Trait>,
}

/// A fact about the code of a program on which other code or the caller depends.
#[derive(Clone, Copy)]
pub(super) enum Trait {
    /// It changes data outside the memory that code is lent, or reads data that differ in a trial:
    /// so a trial of it needs a copy of the state.
    NeedsCopy,
    /// It restores a state that it has kept.
    KeepsState,
    /// It may capture pieces that are removed when the turn ends.
    DefersCaptures,
    /// It moves [`Slot::ActsAt`](super::arrays::Slot::ActsAt).
    MovesActsAt,
    /// It may play on before it has tested all end rules.
    PlaysOn,
    /// It may add pieces.
    AddsPieces,
    /// It gathers moves in another order than the evaluator's.
    Reorders,
}

impl From<Trait> for u8 {
    fn from(fact: Trait) -> u8 {
        fact as u8
    }
}

/// The function that tests if the next player has no move.
pub(super) struct NextIsStuck {
    pub(super) function: FunctionId,
    /// True if it reads variables of the rules that it has not bound.
    pub(super) reads_variables: bool,
    /// True if it reads numbers that change when a move begins.
    pub(super) reads_begin: bool,
    /// True if a trial of it needs a copy of the state.
    pub(super) needs_copy: bool,
}

impl Module {
    /// An empty program for at most `most_written` statements and variables.
    pub(super) fn new(game: &Context<'_>, purpose: Purpose, most_written: usize) -> Module {
        Module {
            purpose,
            tables: Tables::new(game.words()),
            functions: Vec::new(),
            written: 0,
            most_written,
            added: None,
            changes: HashMap::new(),
            effects: HashMap::new(),
            generators: game.generators.clone(),
            threats: Vec::new(),
            next_is_stuck: Default::default(),
            parts: EvaluatedParts::default(),
            traits: FactSet::default(),
        }
    }

    /// True if moves must come in the order of the evaluator.
    pub(super) fn is_in_order(&self) -> bool {
        self.purpose != Purpose::Playouts
    }

    /// Writes code. Returns true beside it if a trial of the code needs a copy of the state.
    pub(super) fn noting_copies<T>(&mut self, write: impl FnOnce(&mut Module) -> T) -> (T, bool) {
        let around = self.traits.take(Trait::NeedsCopy);
        let written = write(self);
        let needs_copy = self.traits.take(Trait::NeedsCopy);
        self.traits.add_if(around, Trait::NeedsCopy);
        (written, needs_copy)
    }

    /// True if the rest of the rules is to be left to the evaluator.
    pub(super) fn is_full(&self) -> bool {
        self.written > self.most_written || meter::is_spent()
    }

    /// Adds a function.
    pub(super) fn function(&mut self, function: Function) -> FunctionId {
        self.functions.push(function);
        FunctionId(self.functions.len() as u32 - 1)
    }

    /// The whole program.
    pub(super) fn program(self, game: &Context<'_>) -> Program {
        let lent = |name: &str, access, least| LentArray { name: name.to_owned(), access, least };
        let words = game.words();
        let least = game.blank.as_ref().unwrap_or(&game.initial);
        let (cells, sets) = (least.cells().len(), least.words().len() / words);
        let draws = Rng::WORDS.div_ceil(words);
        let mut ints = vec![
            lent("frame", Access::Write, FRAME_LENGTH),
            lent("moves", Access::Write, MOST_ENTRIES * ENTRY),
            lent("list", Access::Write, 0),
            lent("cells", Access::Write, cells),
            lent("acts", Access::Write, 0),
            lent("history", Access::Write, MOST_NOTED),
            lent("given", Access::Write, 0),
            lent("added", Access::Write, self.added.as_ref().map_or(0, |added| added.length)),
        ];
        let mut sets_lent = vec![
            lent("state", Access::Write, sets),
            lent("scratch", Access::Read, 2),
            lent("targets", Access::Write, MOST_ENTRIES),
            lent("draws", Access::Write, draws),
        ];
        // These come last, since they are lent only if they are needed.
        if self.traits.has(Trait::KeepsState) {
            ints.push(lent("kept_cells", Access::Write, cells));
            ints.push(lent("kept_frame", Access::Write, FRAME_LENGTH));
            sets_lent.push(lent("kept_state", Access::Write, sets));
            sets_lent.push(lent("kept_draws", Access::Write, draws));
        }
        Program {
            words,
            ints,
            sets: sets_lent,
            tables: self.tables.numbers,
            set_tables: self.tables.sets,
            hosts: SERVICES.iter().map(|&(_, name, n)| (name.to_owned(), n)).collect(),
            functions: self.functions,
        }
    }
}
