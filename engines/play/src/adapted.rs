//! A game made of its mechanics.

use std::sync::{Arc, OnceLock};

use crate::any_state::AnyState;

use crate::chance::Chance;
use crate::encoding::Encoding;
use crate::game::{Facts, Game, Stage, Via};
use crate::job::Job;
use crate::listed_lockstep::ListedLockstep;
use crate::lockstep::{Lockstep, LockstepJob};
use crate::mechanics::{Mechanics, reference};
use crate::merged::Merges;
use crate::numbers::{CachedNumbers, Numbers};
use crate::open_position::OpenPosition;
use crate::position::Position;
use crate::position_table::PositionTable;
use crate::recoded::RecodedLockstep;
use crate::rng::Rng;
use crate::site_lockstep::SiteLockstep;
use crate::strategy::Strategy;
use crate::tabled_lockstep::TabledLockstep;
use crate::tally::Tally;
use crate::typed_state::initial;

/// Turns [`Mechanics`] into a [`Game`].
pub struct Adapted<M> {
    mechanics: Arc<M>,
    coding: Coding,
    /// The same in the words of the game that is made of it, which is one at most.
    coding_in_words: Coding,
}

/// Numbers of a game, and all its positions in these numbers, where they were found to be few: both
/// once somebody has asked for them.
#[derive(Debug, Default)]
struct Coding {
    numbers: Arc<CachedNumbers>,
    table: OnceLock<Option<Arc<PositionTable>>>,
}

impl<M: Mechanics> Adapted<M> {
    /// Wraps the rules of a game.
    pub fn new(mechanics: M) -> Adapted<M> {
        let mechanics = Arc::new(mechanics);
        Adapted { mechanics, coding: Coding::default(), coding_in_words: Coding::default() }
    }

    /// Wraps and boxes them.
    pub fn boxed(mechanics: M) -> Box<dyn Game> {
        Box::new(Adapted::new(mechanics))
    }

    /// Some state of the game, by which the functions of its type are found.
    #[inline(never)]
    fn some_state(&self) -> Box<dyn AnyState> {
        initial(&self.mechanics, &mut Rng::stream(0, 0))
    }
}

impl<M: Mechanics> Game for Adapted<M> {
    fn facts(&self) -> &Facts {
        self.mechanics.facts()
    }

    fn open(&self, chance: &mut dyn Chance) -> Box<dyn Position> {
        let state = initial(&self.mechanics, chance);
        Box::new(OpenPosition::new(state, Arc::clone(&self.coding.numbers)))
    }

    fn run(&self, job: &Job, via: Via) -> Tally {
        match via {
            Via::Reference => self.mechanics.run_reference(job),
            Via::Listed => reference::run(&*self.mechanics, job),
            Via::Batch if self.facts().batch.is_some() => self.mechanics.run_batch(job),
            Via::Interpreted if self.facts().interpreted.is_some() => {
                self.mechanics.run_interpreted(job)
            }
            Via::Fast | Via::Batch | Via::Interpreted => self.mechanics.run(job),
        }
    }

    fn stages(&self) -> &[Stage] {
        self.mechanics.stages()
    }

    fn strategies(&self) -> Vec<Strategy> {
        self.mechanics.strategies()
    }

    fn dot(&self, most: usize) -> Option<Result<String, usize>> {
        self.mechanics.dot(most)
    }

    fn ir(&self) -> Option<String> {
        self.mechanics.ir()
    }

    fn encoding(&self) -> Option<Encoding> {
        self.coding.numbers.encoding(&|| self.mechanics.encoding())
    }

    fn lockstep(&self, job: &LockstepJob) -> Option<Box<dyn Lockstep>> {
        let state = self.some_state();
        self.coding.numbers.get(&|| state.encoding())?;
        self.coding.lockstep(&*state, job, &|own| own)
    }

    fn lockstep_in_words(
        &self,
        job: &LockstepJob,
        merges: &Arc<Merges>,
    ) -> Option<Box<dyn Lockstep>> {
        self.coding.lockstep_in_words(&self.coding_in_words, &*self.some_state(), job, merges)
    }
}

impl Coding {
    /// See [`Game::lockstep_in_words`], given any state of the game and the coding in words.
    fn lockstep_in_words(
        &self,
        coding_in_words: &Coding,
        state: &dyn AnyState,
        job: &LockstepJob,
        merges: &Arc<Merges>,
    ) -> Option<Box<dyn Lockstep>> {
        let in_words = |own| RecodedLockstep::boxed(own, Arc::clone(merges));
        let description = self.numbers.get(&|| state.encoding())?;
        // Elsewhere states write their planes themselves.
        if !state.facts().hidden && !merges.keep_sites() {
            return self.lockstep(state, job, &|own| own).map(in_words);
        }
        let in_numbers = || Some(Numbers::in_words(description, merges));
        coding_in_words.numbers.get_or_make(&in_numbers)?;
        coding_in_words.lockstep(state, job, &in_words)
    }

    /// Positions that go on together, given any state of the game: looked up where all were found
    /// to be few, else by the engine's own way, put in these numbers, else in rows, else listed. The
    /// numbers must have been asked for.
    fn lockstep(
        &self,
        state: &dyn AnyState,
        job: &LockstepJob,
        in_numbers: &dyn Fn(Box<dyn Lockstep>) -> Box<dyn Lockstep>,
    ) -> Option<Box<dyn Lockstep>> {
        let numbers = self.numbers.get(&|| None)?;
        let explore = || PositionTable::explore(state.copy(), numbers, state.table_bounds()?);
        let table = self.table.get_or_init(|| explore().map(Arc::new)).as_ref();
        if let Some(tabled) = table.and_then(|table| TabledLockstep::new(table, *job)) {
            return Some(Box::new(tabled));
        }
        if let Some(own) = state.lockstep(job) {
            return Some(in_numbers(own));
        }
        if let Some(in_rows) = SiteLockstep::new(state, numbers, *job) {
            return Some(Box::new(in_rows));
        }
        Some(Box::new(ListedLockstep::new(state, Arc::clone(numbers), *job)))
    }
}
