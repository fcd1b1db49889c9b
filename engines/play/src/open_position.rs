//! The slow, checked view of a state, for tools.

use std::any::Any;
use std::sync::Arc;

use crate::any_state::AnyState;
use crate::chance::Chance;
use crate::job::Job;
use crate::numbers::{CachedNumbers, Numbers, Perceived};
use crate::percepts::Percepts;
use crate::picture::Picture;
use crate::position::{IllegalAction, OpenLoopSearch, Position};
use crate::rng::Rng;
use crate::scores::{Player, Scores, Turn};
use crate::search::{Search, SearchSettings};
use crate::tally::End;
use crate::uct;

/// A state of a game, its legal actions listed.
pub(crate) struct OpenPosition {
    state: Box<dyn AnyState>,
    numbers: Arc<CachedNumbers>,
    turn: Turn,
    percepts: Percepts,
    /// Empty where nothing is hidden.
    perceived: Arc<Perceived>,
}

impl OpenPosition {
    /// The start of a playout.
    pub(crate) fn new(mut state: Box<dyn AnyState>, numbers: Arc<CachedNumbers>) -> OpenPosition {
        let (mut percepts, mut perceived) = (Percepts::default(), Perceived::default());
        if state.facts().hidden {
            state.start_percepts(&mut percepts);
            perceived.note(state.facts().players, &percepts);
        }
        let turn = state.list();
        OpenPosition { state, numbers, turn, percepts, perceived: Arc::new(perceived) }
    }

    fn numbers(&self) -> Option<&Arc<Numbers>> {
        self.numbers.get(&|| self.state.encoding())
    }

    fn is_legal(&self, action: usize) -> bool {
        action < self.state.actions()
    }
}

impl Position for OpenPosition {
    fn turn(&self) -> Turn {
        self.turn
    }

    fn actions(&self) -> usize {
        self.state.actions()
    }

    fn label(&self, action: usize) -> String {
        if self.is_legal(action) { self.state.label(action) } else { String::new() }
    }

    fn labels(&self) -> Vec<String> {
        self.state.labels()
    }

    fn is_pass(&self, action: usize) -> bool {
        self.is_legal(action) && self.state.is_pass(action)
    }

    fn play(&mut self, action: usize, chance: &mut dyn Chance) -> Result<(), IllegalAction> {
        let OpenPosition { state, turn, percepts, perceived, .. } = self;
        let legal = state.actions();
        if action >= legal {
            return Err(IllegalAction { action, legal });
        }
        if state.facts().hidden {
            // A forced pass belongs to the ply before it.
            let perceived = Arc::make_mut(perceived);
            if legal > 1 || !state.is_pass(action) {
                percepts.clear();
                if let Turn::Move(player) = *turn {
                    perceived.chose(player, &state.label(action));
                }
            }
            state.apply(action, chance, Some(percepts));
            perceived.note(state.facts().players, percepts);
        } else {
            state.apply(action, chance, None);
        }
        *turn = state.list();
        Ok(())
    }

    fn percepts(&self) -> &Percepts {
        &self.percepts
    }

    fn codes(&self) -> Option<Vec<u32>> {
        let (numbers, mut all) = (self.numbers()?, Vec::new());
        numbers.codes(&*self.state, &mut all);
        let is_lost = numbers.encoding.open && self.unseen().is_some();
        if is_lost || all.contains(&u32::MAX) {
            all.clear();
        }
        Some(all)
    }

    fn planes(&self, player: Player, planes: &mut [u8]) {
        if !self.state.facts().hidden {
            self.state.planes(planes);
        } else if let Some(numbers) = self.numbers() {
            self.perceived.write(numbers, player, planes);
        }
    }

    fn unseen(&self) -> Option<String> {
        let players = self.state.facts().perceiving();
        self.perceived.unknown(self.numbers()?, players).map(str::to_owned)
    }

    fn scores(&self) -> Option<Scores> {
        (self.turn == Turn::Over).then(|| self.state.scores())
    }

    fn draw(&self) -> String {
        self.state.draw()
    }

    fn picture(&self) -> Picture {
        let hidden = self.state.facts().hidden;
        Picture { turn: Some(self.turn), hidden, ..self.state.picture() }
    }

    fn playout(&self, rng: &mut Rng, cap: u32) -> End {
        self.state.copy().play_out(rng, cap)
    }

    fn playouts(&self, job: &Job, ends: &mut Vec<End>) {
        self.state.playouts(job, ends);
    }

    fn listed_playout(&self, rng: &mut Rng, cap: u32) -> End {
        self.state.copy().play_listed(rng, cap)
    }

    fn search<'a>(&self, settings: SearchSettings) -> Option<Box<dyn Search + 'a>> {
        if self.state.facts().chance { None } else { Some(self.state.search(settings)) }
    }

    fn search_open_loop<'a>(
        &self,
        settings: SearchSettings,
        observer: Option<Player>,
    ) -> Option<Box<dyn OpenLoopSearch<'a> + 'a>> {
        let numbers = self.numbers().cloned();
        Some(uct::grow_open_loop(self.state.copy(), numbers, settings, observer))
    }

    fn state(&self) -> Option<&dyn Any> {
        Some(self.state.state())
    }

    fn copy<'a>(&self) -> Box<dyn Position + 'a> {
        Box::new(OpenPosition {
            state: self.state.copy(),
            numbers: Arc::clone(&self.numbers),
            turn: self.turn,
            percepts: self.percepts.clone(),
            perceived: Arc::clone(&self.perceived),
        })
    }
}
