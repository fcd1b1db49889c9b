//! Skirmish on 8x8.

use std::cmp::Ordering;

use play::{Encoding, End, Player, Rng, Scores, Turn};

use crate::cpu::{Cpu, Portable};
use crate::rules::{Rules, capped, draw, over};

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

    /// Makes a random ply, or gives the end of the playout.
    #[inline(always)]
    fn random_ply<const SIDE: usize, C: Cpu>(
        &mut self,
        cpu: C,
        rng: &mut Rng,
        cap: u32,
    ) -> Option<End> {
        let plies = u32::from(self.plies);
        if plies == PLIES {
            return Some(over(plies, self.scores()));
        }
        let moves = Moves::<SIDE>::new(cpu, &self.men, &Bounds::NONE);
        let count = moves.count();
        if count == 0 {
            return Some(over(plies, self.scores()));
        }
        if plies == cap {
            return Some(capped(cap));
        }
        self.men.play(SIDE, moves.nth(cpu, draw(rng, count)));
        self.plies += 1;
        None
    }
}

impl Rules for Skirmish {
    type State = State;
    type Action = Action;

    const PLAYERS: u8 = 2;
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

    fn draw(&self, state: &State) -> String {
        state.men.draw()
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
        let before = u32::from(state.plies);
        let End { plies, ending } = state.play_on(cpu, rng, cap.saturating_add(before));
        Some(End { plies: plies - before, ending })
    }
}

impl State {
    /// Plays random plies to the end; plies and the cap count from the start of the game.
    #[inline(always)]
    fn play_on<C: Cpu>(mut self, cpu: C, rng: &mut Rng, cap: u32) -> End {
        if self.plies % 2 == 1
            && let Some(end) = self.random_ply::<1, C>(cpu, rng, cap)
        {
            return end;
        }
        loop {
            if let Some(end) = self.random_ply::<0, C>(cpu, rng, cap) {
                return end;
            }
            if let Some(end) = self.random_ply::<1, C>(cpu, rng, cap) {
                return end;
            }
        }
    }
}
