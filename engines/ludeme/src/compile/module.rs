//! The program of a game while it is written.

use std::cell::OnceCell;
use std::collections::HashMap;

use kernel::ir::{Access, Function, FunctionId, LentArray, Program};

use super::arrays::{ENTRY, FRAME_LENGTH, MOST_ENTRIES, MOST_NOTED, OF_RNG, SERVICES};
use super::context::Context;
use super::facts::FactSet;
use super::kept::MaintainedViews;
use super::purpose::Purpose;
use super::tables::Tables;
use crate::ir::{EffectId, Moves, Parts};
use crate::meter;

/// Functions that change what stands on a site.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Change {
    /// Lets a site, which must be one, hold a component: site, component.
    What,
    /// Site, component, local state.
    Add,
    Remove,
    /// Origin, destination.
    Move,
    /// Origin, where one like it stays, and destination.
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
    /// How much has been written: statements and variables.
    pub(super) written: usize,
    /// How much of that there may be before rules are left to the evaluator. Bodies of loops may be
    /// written twice, so that nested ones could go on for ever.
    most_written: usize,
    /// What is kept of pieces, where they are only ever added.
    pub(super) added: Option<MaintainedViews>,
    /// Functions that change what stands on a site.
    pub(super) changes: HashMap<Change, FunctionId>,
    /// Functions of effects, `None` while one is written; and whether they can only be tried in a
    /// copy.
    pub(super) effects: HashMap<EffectId, (Option<FunctionId>, bool)>,
    /// Generators that rules or their code ask what moves they would give.
    pub(super) generators: Vec<Moves>,
    /// Functions that say whether a player could move to a site by some rules; `None` where they
    /// have no form in code.
    pub(super) threats: Vec<(Moves, Option<FunctionId>)>,
    /// The functions that say whether the next player has no move, where no variable is bound and
    /// where some may be, if they were asked for; `None` where that has no form in code.
    pub(super) next_is_stuck: [OnceCell<Option<NextIsStuck>>; 2],
    /// What the code of effects and ends leaves to the evaluator.
    pub(super) parts: Parts,
    pub(super) traits: FactSet<Trait>,
}

/// Something that code of a program does, which other code or the caller has to know.
#[derive(Clone, Copy)]
pub(super) enum Trait {
    /// It changes more than the memory that code is lent, or could see that it is only tried: so it
    /// can be tried in a copy of the state alone.
    NeedsCopy,
    /// It takes moves back to a state that is kept.
    KeepsState,
    /// It may capture something that is removed when the turn ends.
    DefersCaptures,
    /// It moves [`Slot::ActsAt`](super::arrays::Slot::ActsAt).
    MovesActsAt,
    /// It may play on before it is known whether an end rule holds.
    PlaysOn,
    /// It may add pieces.
    AddsPieces,
    /// It gathers moves in another order than the evaluator's.
    Reorders,
}

impl From<Trait> for u8 {
    fn from(of: Trait) -> u8 {
        of as u8
    }
}

/// The function that says whether the next player has no move.
pub(super) struct NextIsStuck {
    pub(super) function: FunctionId,
    /// True if it reads variables that nothing in it has bound.
    pub(super) reads_variables: bool,
    /// As `Emitter::reads_begin` and [`Tables::needs_copy`].
    pub(super) reads_begin: bool,
    pub(super) needs_copy: bool,
}

impl Module {
    /// An empty program, for up to so many statements and variables.
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
            generators: game.generators.to_vec(),
            threats: Vec::new(),
            next_is_stuck: Default::default(),
            parts: Parts::default(),
            traits: FactSet::default(),
        }
    }

    /// True if moves must come in the order of the evaluator.
    pub(super) fn is_in_order(&self) -> bool {
        self.purpose != Purpose::Playouts
    }

    /// Writes something, and says whether that can only be tried in a copy of the state.
    pub(super) fn noting_copies<T>(&mut self, write: impl FnOnce(&mut Module) -> T) -> (T, bool) {
        let around = self.traits.take(Trait::NeedsCopy);
        let written = write(self);
        let needs_copy = self.traits.take(Trait::NeedsCopy);
        self.traits.add_if(around, Trait::NeedsCopy);
        (written, needs_copy)
    }

    /// True if there is enough code.
    pub(super) fn is_full(&self) -> bool {
        self.written > self.most_written || meter::is_spent()
    }

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
        let draws = OF_RNG.div_ceil(words);
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
        let mut of_sets = vec![
            lent("state", Access::Write, sets),
            lent("scratch", Access::Read, 2),
            lent("targets", Access::Write, MOST_ENTRIES),
            lent("draws", Access::Write, draws),
        ];
        // They come last, and are lent only where they are needed.
        if self.traits.has(Trait::KeepsState) {
            ints.push(lent("kept_cells", Access::Write, cells));
            ints.push(lent("kept_frame", Access::Write, FRAME_LENGTH));
            of_sets.push(lent("kept_state", Access::Write, sets));
            of_sets.push(lent("kept_draws", Access::Write, draws));
        }
        Program {
            words,
            ints,
            sets: of_sets,
            tables: self.tables.numbers,
            set_tables: self.tables.sets,
            hosts: SERVICES.iter().map(|&(_, name, n)| (name.to_owned(), n)).collect(),
            functions: self.functions,
        }
    }
}
