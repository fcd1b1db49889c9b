//! Skirmish on 8x8.

use std::cmp::Ordering;

use play::picture::Picture;
use play::{Encoding, End, Player, Rng, Scores, Turn};

use crate::rules::{Rules, capped, draw, over};
use crate::turns::{self, Turns};
use cpu::{Cpu, Portable};

use super::men::{self, Action, Men};
use super::moves::{Bounds, Moves};

/// Chess in which the king is a piece like any other: after 100 plies, or when the player to move
/// has none, whoever captured more wins.
pub(crate) struct Skirmish;

/// Plies of a whole game.
const PLIES: u32 = 100;

/// The pieces and the plies made.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct State {
    men: Men,
    plies: u8,
}

impl State {
    const START: State = State { men: Men::START, plies: 0 };

    /// Whoever has more pieces has captured more, as nothing else removes them.
    fn scores(&self) -> Scores {
        let [white, black] = self.men.sides.map(u64::count_ones);
        match white.cmp(&black) {
            Ordering::Greater => Scores::FIRST,
            Ordering::Less => Scores::SECOND,
            Ordering::Equal => Scores::DRAW,
        }
    }
}

impl Skirmish {
    /// A position in Forsyth-Edwards notation, whose number of the move says the plies made.
    pub(crate) fn from_fen(fen: &str) -> Option<State> {
        let (men, side) = Men::from_fen(fen)?;
        let number = fen.split_whitespace().nth(5).map_or(Some(1), |number| number.parse().ok())?;
        let plies = 2 * u32::checked_sub(number, 1)? + side as u32;
        (plies < PLIES).then_some(State { men, plies: plies as u8 })
    }
}

impl Turns for State {
    /// One ply.
    #[inline(always)]
    fn random_turn<const SIDE: usize, C: Cpu>(
        &mut self,
        cpu: C,
        rng: &mut Rng,
        plies: &mut u32,
        cap: u32,
    ) -> Option<End> {
        if u32::from(self.plies) == PLIES {
            return Some(over(*plies, self.scores()));
        }
        let moves = Moves::<SIDE>::new(cpu, &self.men, &Bounds::NONE);
        let count = moves.count();
        if count == 0 {
            return Some(over(*plies, self.scores()));
        }
        if *plies == cap {
            return Some(capped(cap));
        }
        *plies += 1;
        self.men.play(SIDE, moves.nth(cpu, draw(rng, count)));
        self.plies += 1;
        None
    }
}

impl Rules for Skirmish {
    type State = State;
    type Action = Action;

    const WIDE: bool = true;

    fn start(&self) -> State {
        State::START
    }

    fn expand(&self, state: &State, legal: &mut Vec<Action>) -> Turn {
        if u32::from(state.plies) < PLIES {
            match state.plies % 2 {
                0 => legal.extend(Moves::<0>::new(Portable, &state.men, &Bounds::NONE).iter()),
                _ => legal.extend(Moves::<1>::new(Portable, &state.men, &Bounds::NONE).iter()),
            }
        }
        if legal.is_empty() { Turn::Over } else { Turn::Move(Player(state.plies % 2)) }
    }

    fn apply(&self, state: &mut State, action: Action) {
        state.men.play(usize::from(state.plies % 2), action);
        state.plies += 1;
    }

    fn scores(&self, state: &State) -> Scores {
        state.scores()
    }

    fn label(&self, _: &State, action: Action) -> String {
        action.label()
    }

    fn picture(&self, state: &State) -> Picture {
        state.men.picture()
    }

    fn encoding(&self) -> Option<Encoding> {
        Some(men::encoding())
    }

    #[inline]
    fn code(&self, _: &State, action: Action) -> u32 {
        action.code()
    }

    #[inline]
    fn planes(&self, state: &Self::State, planes: &mut [u8]) {
        state.men.write_planes(planes);
    }

    #[inline(always)]
    fn play_on<C: Cpu>(&self, cpu: C, state: State, rng: &mut Rng, cap: u32) -> Option<End> {
        Some(turns::play_on(state, state.plies % 2, cpu, rng, cap))
    }
}
