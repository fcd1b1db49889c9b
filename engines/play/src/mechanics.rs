use std::sync::{Arc, OnceLock};

use crate::chance::Chance;
use crate::encoding::Encoding;
use crate::engine::{Facts, Game, Job, Stage, Via};
use crate::lockstep::{Flock, Herd, Lockstep};
use crate::numbers::{Numbers, Perceived};
use crate::percepts::Percepts;
use crate::position::{IllegalAction, Position};
use crate::reference;
use crate::rng::Rng;
use crate::scores::{Player, Scores, Turn};
use crate::tally::{End, Tally};

/// The rules of one game, as the author of an engine writes them. [`Adapted`] turns it into a
/// [`Game`].
///
/// `expand` is one call because the terminal test and the list of actions come from the same work
/// in most engines. Overriding [`Mechanics::run`] or [`Mechanics::run_batch`] is a claim that
/// playouts are drawn from the same distribution as by the reference loop; the kit checks it.
pub trait Mechanics: Send + Sync + 'static {
    /// Everything that changes during a playout.
    type State: Clone + Send;
    /// One legal action of a state.
    type Action: Copy + Eq + Send;

    /// What is known of the game.
    fn facts(&self) -> &Facts;

    /// The state that a playout starts from.
    fn initial<C: Chance + ?Sized>(&self, chance: &mut C) -> Self::State;

    /// As [`Mechanics::initial`], with the same questions to chance, in the place of a state of this game
    /// that is no longer needed: engines whose states own memory use it again.
    fn restart<C: Chance + ?Sized>(&self, state: &mut Self::State, chance: &mut C) {
        *state = self.initial(chance);
    }

    /// Says who moves and appends the distinct legal actions to `legal`, which is empty;
    /// [`Turn::Over`] appends nothing. `state` is mutable for caches only.
    fn expand(&self, state: &mut Self::State, legal: &mut Vec<Self::Action>) -> Turn;

    /// Applies an action that `expand` listed for this very state.
    fn apply<C: Chance + ?Sized>(
        &self,
        state: &mut Self::State,
        action: Self::Action,
        chance: &mut C,
    );

    /// Applies an action as [`Mechanics::apply`] does, with the same questions to chance, and says what
    /// each player perceives of it. Only called where [`Facts::hidden`] is set, and never in playouts:
    /// percepts that nobody reads cost nothing.
    fn apply_perceived<C: Chance + ?Sized>(
        &self,
        state: &mut Self::State,
        action: Self::Action,
        chance: &mut C,
        _percepts: &mut Percepts,
    ) {
        self.apply(state, action, chance);
    }

    /// What each player perceives of the state that a playout starts from, where the rules tell
    /// something before the first ply. Only called where [`Facts::hidden`] is set.
    fn start_percepts(&self, _state: &Self::State, _percepts: &mut Percepts) {}

    /// The scores of a state for which `expand` said [`Turn::Over`].
    fn scores(&self, state: &Self::State) -> Scores;

    /// The action in neutral notation, see [`Position::label`].
    fn label(&self, state: &Self::State, action: Self::Action) -> String;

    /// The labels of all legal actions of a state, in their order. To be overridden where what tells
    /// actions apart is better worked out once than for each of them.
    fn labels(&self, state: &Self::State, legal: &[Self::Action]) -> Vec<String> {
        legal.iter().map(|&action| self.label(state, action)).collect()
    }

    /// Whether the action does nothing but hand on the turn. Where such an action is the only legal
    /// one it is forced, and no ply.
    fn is_pass(&self, _state: &Self::State, _action: Self::Action) -> bool {
        false
    }

    /// The state drawn in text.
    fn draw(&self, state: &Self::State) -> String;

    /// Draws one action of a state that is not over the way [`Mechanics::run`] does, where that is
    /// not by number in the list of `expand`.
    fn sample(&self, _state: &mut Self::State, _rng: &mut Rng) -> Option<Self::Action> {
        None
    }

    /// Plays a job the quickest way, one playout at a time.
    fn run(&self, job: &Job) -> Tally {
        reference::run(self, job)
    }

    /// Plays a job side by side; only called where [`Facts::batch`] is set.
    fn run_batch(&self, job: &Job) -> Tally {
        self.run(job)
    }

    /// See [`Game::stages`].
    fn stages(&self) -> &[Stage] {
        &[]
    }

    /// See [`Game::dot`].
    fn dot(&self, _most: usize) -> Option<Result<String, usize>> {
        None
    }

    /// How positions and actions are written as numbers, for programs that learn; optional. Where
    /// [`Facts::hidden`] is set, by [`Encoding::perceived`], since planes tell everything.
    fn encoding(&self) -> Option<Encoding> {
        None
    }

    /// The code of an action that `expand` listed for this very state: the place of its label in
    /// [`Encoding::actions`]. `u32::MAX` has it looked up by its label, which takes longer. Only called
    /// where there is an [`Encoding`].
    fn code(&self, _state: &Self::State, _action: Self::Action) -> u32 {
        u32::MAX
    }

    /// Writes what lies where: for each kind and site of the [`Encoding`], kind after kind, 1 if one
    /// lies there, else 0. Every byte is written. Only called where there is an [`Encoding`] and nothing
    /// is hidden.
    fn planes(&self, _state: &Self::State, _planes: &mut [u8]) {}

    /// Positions that go on together, where the engine has a quicker way for them than to list and code
    /// the actions of each; the kit holds it to that way's results. Only called where there is an
    /// [`Encoding`].
    fn lockstep(self: &Arc<Self>, _flock: &Flock) -> Option<Box<dyn Lockstep>> {
        None
    }
}

fn numbers<'c, M: Mechanics>(mechanics: &M, coded: &'c Coded) -> Option<&'c Arc<Numbers>> {
    coded.get_or_init(|| mechanics.encoding().map(Numbers::new).map(Arc::new)).as_ref()
}

/// The codes of the actions that `expand` listed for this very state.
pub(crate) fn codes<M: Mechanics>(
    mechanics: &M,
    numbers: &Numbers,
    state: &M::State,
    legal: &[M::Action],
    codes: &mut Vec<u32>,
) {
    codes.clear();
    codes.extend(legal.iter().map(|&action| mechanics.code(state, action)));
    if codes.contains(&u32::MAX) {
        let labels = mechanics.labels(state, legal);
        for (code, label) in codes.iter_mut().zip(&labels).filter(|(code, _)| **code == u32::MAX) {
            *code = numbers.code(label);
        }
    }
}

/// Turns [`Mechanics`] into a [`Game`].
pub struct Adapted<M>(Arc<M>, Coded);

/// The numbers of a game, once somebody has asked for them.
type Coded = Arc<OnceLock<Option<Arc<Numbers>>>>;

impl<M: Mechanics> Adapted<M> {
    /// Wraps the rules of a game.
    pub fn new(mechanics: M) -> Adapted<M> {
        Adapted(Arc::new(mechanics), Coded::default())
    }

    fn numbers(&self) -> Option<&Arc<Numbers>> {
        numbers(&*self.0, &self.1)
    }

    /// Wraps and boxes them.
    pub fn boxed(mechanics: M) -> Box<dyn Game> {
        Box::new(Adapted::new(mechanics))
    }
}

impl<M: Mechanics> Game for Adapted<M> {
    fn facts(&self) -> &Facts {
        self.0.facts()
    }

    fn open(&self, chance: &mut dyn Chance) -> Box<dyn Position> {
        let state = self.0.initial(chance);
        let mut percepts = Percepts::default();
        let mut perceived = Arc::<Perceived>::default();
        if self.facts().hidden {
            self.0.start_percepts(&state, &mut percepts);
            Arc::make_mut(&mut perceived).note(self.facts().players, &percepts);
        }
        let (mechanics, coded) = (Arc::clone(&self.0), Arc::clone(&self.1));
        let (turn, legal) = (Turn::Over, Vec::new());
        let mut open = Open { mechanics, coded, state, turn, legal, percepts, perceived };
        open.refresh();
        Box::new(open)
    }

    fn run(&self, job: &Job, via: Via) -> Tally {
        match via {
            Via::Batch if self.facts().batch.is_some() => self.0.run_batch(job),
            Via::Fast | Via::Batch => self.0.run(job),
            Via::Reference => reference::run(&*self.0, job),
        }
    }

    fn stages(&self) -> &[Stage] {
        self.0.stages()
    }

    fn dot(&self, most: usize) -> Option<Result<String, usize>> {
        self.0.dot(most)
    }

    fn encoding(&self) -> Option<Encoding> {
        self.numbers().map(|numbers| numbers.encoding.clone())
    }

    fn lockstep(&self, flock: &Flock) -> Option<Box<dyn Lockstep>> {
        let numbers = self.numbers()?;
        let own = self.0.lockstep(flock);
        let herd = || Box::new(Herd::new(Arc::clone(&self.0), Arc::clone(numbers), *flock));
        Some(own.unwrap_or_else(|| herd()))
    }
}

/// An open position over any mechanics.
struct Open<M: Mechanics> {
    mechanics: Arc<M>,
    coded: Coded,
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
        Some(if code == u32::MAX { numbers.code(&self.labels()[action]) } else { code })
    }

    fn codes(&self) -> Option<Vec<u32>> {
        let (numbers, mut all) = (numbers(&*self.mechanics, &self.coded)?, Vec::new());
        codes(&*self.mechanics, numbers, &self.state, &self.legal, &mut all);
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
        reference::playout_from(
            &*self.mechanics,
            &mut self.state.clone(),
            rng,
            cap,
            &mut Vec::new(),
        )
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
