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
use crate::numbers::CachedNumbers;
use crate::open_position::OpenPosition;
use crate::position::Position;
use crate::position_table::PositionTable;
use crate::rng::Rng;
use crate::strategy::Strategy;
use crate::tabled_lockstep::TabledLockstep;
use crate::tally::Tally;
use crate::typed_state::initial;

/// Turns [`Mechanics`] into a [`Game`].
pub struct Adapted<M> {
    mechanics: Arc<M>,
    numbers: Arc<CachedNumbers>,
    /// All positions, where they were found to be few, once somebody has asked for them.
    table: OnceLock<Option<Arc<PositionTable>>>,
}

impl<M: Mechanics> Adapted<M> {
    /// Wraps the rules of a game.
    pub fn new(mechanics: M) -> Adapted<M> {
        let (numbers, table) = (Arc::default(), OnceLock::new());
        Adapted { mechanics: Arc::new(mechanics), numbers, table }
    }

    /// Wraps and boxes them.
    pub fn boxed(mechanics: M) -> Box<dyn Game> {
        Box::new(Adapted::new(mechanics))
    }
}

impl<M: Mechanics> Game for Adapted<M> {
    fn facts(&self) -> &Facts {
        self.mechanics.facts()
    }

    fn open(&self, chance: &mut dyn Chance) -> Box<dyn Position> {
        let state = initial(&self.mechanics, chance);
        Box::new(OpenPosition::new(state, Arc::clone(&self.numbers)))
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
        self.numbers.encoding(&|| self.mechanics.encoding())
    }

    fn lockstep(&self, job: &LockstepJob) -> Option<Box<dyn Lockstep>> {
        let state = initial(&self.mechanics, &mut Rng::stream(0, 0));
        lockstep(&*state, &self.numbers, &self.table, job)
    }
}

/// Positions that go on together, given any state of the game: looked up where all were found to be
/// few, else by the engine's own way, else listed.
fn lockstep(
    state: &dyn AnyState,
    numbers: &CachedNumbers,
    table: &OnceLock<Option<Arc<PositionTable>>>,
    job: &LockstepJob,
) -> Option<Box<dyn Lockstep>> {
    let numbers = numbers.get(&|| state.encoding())?;
    let explore = || PositionTable::explore(state.copy(), numbers, state.bounds()?);
    let table = table.get_or_init(|| explore().map(Arc::new)).as_ref();
    if let Some(tabled) = table.and_then(|table| TabledLockstep::new(table, *job)) {
        return Some(Box::new(tabled));
    }
    let listed = || Box::new(ListedLockstep::new(state, Arc::clone(numbers), *job));
    state.lockstep(job).or_else(|| Some(listed()))
}
