//! A game made of its mechanics.

use std::any::Any;
use std::sync::{Arc, OnceLock};

use crate::chance::Chance;
use crate::encoding::Encoding;
use crate::game::{Facts, Game, Stage, Via};
use crate::job::Job;
use crate::listed_lockstep::ListedLockstep;
use crate::lockstep::{Lockstep, LockstepJob};
use crate::mechanics::{Mechanics, reference};
use crate::numbers::{Numbers, Perceived};
use crate::percepts::Percepts;
use crate::position::{IllegalAction, OpenLoopSearch, Position};
use crate::position_table::PositionTable;
use crate::rng::Rng;
use crate::scores::{Player, Scores, Turn};
use crate::search::{Search, SearchSettings};
use crate::strategy::Strategy;
use crate::tabled_lockstep::TabledLockstep;
use crate::tally::{End, Tally};
use crate::uct;

/// Turns [`Mechanics`] into a [`Game`].
pub struct Adapted<M> {
    mechanics: Arc<M>,
    numbers: CachedNumbers,
    /// All positions, where they were found to be few, once somebody has asked for them.
    table: OnceLock<Option<Arc<PositionTable>>>,
}

/// The numbers of a game, once somebody has asked for them.
type CachedNumbers = Arc<OnceLock<Option<Arc<Numbers>>>>;

impl<M: Mechanics> Adapted<M> {
    /// Wraps the rules of a game.
    pub fn new(mechanics: M) -> Adapted<M> {
        let (numbers, table) = (CachedNumbers::default(), OnceLock::new());
        Adapted { mechanics: Arc::new(mechanics), numbers, table }
    }

    fn numbers(&self) -> Option<&Arc<Numbers>> {
        numbers(&*self.mechanics, &self.numbers)
    }

    /// Wraps and boxes them.
    pub fn boxed(mechanics: M) -> Box<dyn Game> {
        Box::new(Adapted::new(mechanics))
    }
}

fn numbers<'c, M: Mechanics>(mechanics: &M, coded: &'c CachedNumbers) -> Option<&'c Arc<Numbers>> {
    coded.get_or_init(|| mechanics.encoding().map(Numbers::new).map(Arc::new)).as_ref()
}

impl<M: Mechanics> Game for Adapted<M> {
    fn facts(&self) -> &Facts {
        self.mechanics.facts()
    }

    fn open(&self, chance: &mut dyn Chance) -> Box<dyn Position> {
        let state = self.mechanics.initial(chance);
        let mut percepts = Percepts::default();
        let mut perceived = Arc::<Perceived>::default();
        if self.facts().hidden {
            self.mechanics.start_percepts(&state, &mut percepts);
            Arc::make_mut(&mut perceived).note(self.facts().players, &percepts);
        }
        let (mechanics, coded) = (Arc::clone(&self.mechanics), Arc::clone(&self.numbers));
        let (turn, legal) = (Turn::Over, Vec::new());
        let mut open = Open { mechanics, coded, state, turn, legal, percepts, perceived };
        open.refresh();
        Box::new(open)
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
        self.numbers().map(|numbers| numbers.encoding.clone())
    }

    fn lockstep(&self, job: &LockstepJob) -> Option<Box<dyn Lockstep>> {
        let numbers = self.numbers()?;
        let mechanics = &self.mechanics;
        let explore = || PositionTable::explore(&**mechanics, numbers).map(Arc::new);
        let table = self.table.get_or_init(explore).as_ref();
        if let Some(tabled) = table.and_then(|table| TabledLockstep::new(table, *job)) {
            return Some(Box::new(tabled));
        }
        Some(mechanics.lockstep(job).unwrap_or_else(|| {
            Box::new(ListedLockstep::new(Arc::clone(mechanics), Arc::clone(numbers), *job))
        }))
    }
}

/// An open position over any mechanics.
struct Open<M: Mechanics> {
    mechanics: Arc<M>,
    coded: CachedNumbers,
    state: M::State,
    turn: Turn,
    legal: Vec<M::Action>,
    percepts: Percepts,
    /// Empty where nothing is hidden.
    perceived: Arc<Perceived>,
}

impl<M: Mechanics> Open<M> {
    fn refresh(&mut self) {
        self.legal.clear();
        self.turn = self.mechanics.expand(&mut self.state, &mut self.legal);
    }
}

impl<M: Mechanics> Position for Open<M> {
    fn turn(&self) -> Turn {
        self.turn
    }

    fn actions(&self) -> usize {
        self.legal.len()
    }

    fn label(&self, action: usize) -> String {
        self.legal.get(action).map_or_else(String::new, |&a| self.mechanics.label(&self.state, a))
    }

    fn labels(&self) -> Vec<String> {
        self.mechanics.labels(&self.state, &self.legal)
    }

    fn is_pass(&self, action: usize) -> bool {
        self.legal.get(action).is_some_and(|&a| self.mechanics.is_pass(&self.state, a))
    }

    fn play(&mut self, action: usize, chance: &mut dyn Chance) -> Result<(), IllegalAction> {
        let legal = self.legal.len();
        let &chosen = self.legal.get(action).ok_or(IllegalAction { action, legal })?;
        if self.mechanics.facts().hidden {
            // A forced pass belongs to the ply before it.
            let perceived = Arc::make_mut(&mut self.perceived);
            if legal > 1 || !self.mechanics.is_pass(&self.state, chosen) {
                self.percepts.clear();
                if let Turn::Move(player) = self.turn {
                    perceived.chose(player, &self.mechanics.label(&self.state, chosen));
                }
            }
            let Open { mechanics, state, percepts, .. } = self;
            mechanics.apply_perceived(state, chosen, chance, percepts);
            perceived.note(mechanics.facts().players, percepts);
        } else {
            self.mechanics.apply(&mut self.state, chosen, chance);
        }
        self.refresh();
        Ok(())
    }

    fn percepts(&self) -> &Percepts {
        &self.percepts
    }

    fn code(&self, action: usize) -> Option<u32> {
        let numbers = numbers(&*self.mechanics, &self.coded)?;
        let &chosen = self.legal.get(action)?;
        let code = self.mechanics.code(&self.state, chosen);
        let code = if code == u32::MAX { numbers.code(&self.labels()[action]) } else { code };
        Some(code).filter(|&code| code != u32::MAX)
    }

    fn codes(&self) -> Option<Vec<u32>> {
        let (numbers, mut all) = (numbers(&*self.mechanics, &self.coded)?, Vec::new());
        numbers.codes(&*self.mechanics, &self.state, &self.legal, &mut all);
        if all.contains(&u32::MAX) {
            all.clear();
        }
        Some(all)
    }

    fn planes(&self, player: Player, planes: &mut [u8]) {
        if !self.mechanics.facts().hidden {
            self.mechanics.planes(&self.state, planes);
        } else if let Some(numbers) = numbers(&*self.mechanics, &self.coded) {
            self.perceived.write(numbers, player, planes);
        }
    }

    fn unseen(&self) -> Option<String> {
        let numbers = numbers(&*self.mechanics, &self.coded)?;
        let players = self.mechanics.facts().perceiving();
        self.perceived.unknown(numbers, players).map(str::to_owned)
    }

    fn scores(&self) -> Option<Scores> {
        (self.turn == Turn::Over).then(|| self.mechanics.scores(&self.state))
    }

    fn draw(&self) -> String {
        self.mechanics.draw(&self.state)
    }

    fn sample(&self, rng: &mut Rng) -> Option<usize> {
        if self.legal.is_empty() {
            return None;
        }
        let action = self.mechanics.sample(&mut self.state.clone(), rng)?;
        // An action that is not legal is a fault for the caller to see.
        Some(self.legal.iter().position(|&a| a == action).unwrap_or(usize::MAX))
    }

    fn playout(&self, rng: &mut Rng, cap: u32) -> End {
        self.mechanics.playout(&mut self.state.clone(), &mut Vec::new(), rng, cap)
    }

    fn playouts(&self, job: &Job, ends: &mut Vec<End>) {
        self.mechanics.playouts(&self.state, job, ends);
    }

    fn search<'a>(&self, settings: SearchSettings) -> Option<Box<dyn Search + 'a>>
    where
        Self: 'a,
    {
        let grow = || uct::grow(Arc::clone(&self.mechanics), &self.state, settings);
        (!self.mechanics.facts().chance).then(grow)
    }

    fn search_open_loop<'a>(
        &self,
        settings: SearchSettings,
        observer: Option<Player>,
    ) -> Option<Box<dyn OpenLoopSearch<'a> + 'a>>
    where
        Self: 'a,
    {
        let numbers = numbers(&*self.mechanics, &self.coded).cloned();
        Some(uct::grow_open_loop(Arc::clone(&self.mechanics), numbers, settings, observer))
    }

    fn state(&self) -> Option<&dyn Any> {
        Some(&self.state)
    }

    fn copy<'a>(&self) -> Box<dyn Position + 'a>
    where
        Self: 'a,
    {
        Box::new(Open {
            mechanics: Arc::clone(&self.mechanics),
            coded: Arc::clone(&self.coded),
            state: self.state.clone(),
            turn: self.turn,
            legal: self.legal.clone(),
            percepts: self.percepts.clone(),
            perceived: Arc::clone(&self.perceived),
        })
    }
}
