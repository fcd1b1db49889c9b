//! Games that begin at any position.

use play::picture::Picture;
use play::{Chance, Encoding, End, Game, Method, Percepts, Rng, Scores, Turn};

use crate::rules::{Rules, boxed};
use cpu::{Cpu, Level};

/// A game that begins at a state; all else is that game's.
struct Begun<R: Rules> {
    rules: R,
    start: R::State,
}

/// The game from a position: rows from the top, the number of the player to move, and that of
/// counted plies; `None` if that is no position of the game.
pub(crate) fn from_position<R: Rules>(rules: R, text: &str, level: Level) -> Option<Box<dyn Game>> {
    let mut words = text.split_whitespace();
    let (rows, mover) = (words.next()?, words.next()?.parse().ok()?);
    let count = words.next().map_or(Some(0), |count| count.parse().ok())?;
    let start = rules.placed(rows, mover, count)?;
    Some(from_state(rules, start, level))
}

/// The game from a state.
pub(crate) fn from_state<R: Rules>(rules: R, start: R::State, level: Level) -> Box<dyn Game> {
    boxed(Begun { rules, start }, level)
}

impl<R: Rules> Rules for Begun<R> {
    type State = R::State;
    type Action = R::Action;

    const PLAYERS: u8 = R::PLAYERS;
    const SIMULTANEOUS: bool = R::SIMULTANEOUS;
    const CHANCE: bool = R::CHANCE;
    const HIDDEN: bool = R::HIDDEN;
    const METHOD: Method = R::METHOD;
    const VECTORS: bool = R::VECTORS;
    const WIDE: bool = R::WIDE;

    fn start(&self) -> R::State {
        self.start
    }

    fn happen<C: Chance + ?Sized>(&self, state: &mut R::State, chance: &mut C) {
        self.rules.happen(state, chance);
    }

    fn expand(&self, state: &R::State, legal: &mut Vec<R::Action>) -> Turn {
        self.rules.expand(state, legal)
    }

    fn apply(&self, state: &mut R::State, action: R::Action) {
        self.rules.apply(state, action);
    }

    fn perceive_start(&self, start: &R::State, percepts: &mut Percepts) {
        self.rules.perceive_start(start, percepts);
    }

    fn perceive(
        &self,
        before: &R::State,
        action: R::Action,
        after: &R::State,
        percepts: &mut Percepts,
    ) {
        self.rules.perceive(before, action, after, percepts);
    }

    fn scores(&self, state: &R::State) -> Scores {
        self.rules.scores(state)
    }

    fn label(&self, state: &R::State, action: R::Action) -> String {
        self.rules.label(state, action)
    }

    fn is_pass(&self, action: R::Action) -> bool {
        self.rules.is_pass(action)
    }

    fn draw(&self, state: &R::State) -> String {
        self.rules.draw(state)
    }

    fn picture(&self, state: &R::State) -> Picture {
        self.rules.picture(state)
    }

    fn encoding(&self) -> Option<Encoding> {
        self.rules.encoding()
    }

    fn code(&self, state: &R::State, action: R::Action) -> u32 {
        self.rules.code(state, action)
    }

    fn planes(&self, state: &R::State, planes: &mut [u8]) {
        self.rules.planes(state, planes);
    }

    #[inline(always)]
    fn play_on<C: Cpu>(&self, cpu: C, state: R::State, rng: &mut Rng, cap: u32) -> Option<End> {
        self.rules.play_on(cpu, state, rng, cap)
    }
}
