//! Breakthrough and Knightthrough: two armies that only move forward and race for the far rank.

use std::marker::PhantomData;

use play::picture::Picture;
use play::{End, Player, Rng, Scores, Symmetry, Turn};

use crate::bits::Bits;
use crate::choice::Choice;
use crate::form::{Form, Formed};
use crate::grid::{Grid, Ranks};
use crate::lanes::{self, Dice, Lanes};
use crate::rules::{Rules, capped, draw, over};
use crate::sides::Sides;
use cpu::Cpu;

/// A race of men of one kind on `FILES` x `RANKS` squares, of which each side fills two ranks.
/// Whoever reaches the far rank or takes the last enemy wins. A player's foremost man always has a
/// move, since no friend stands before it: nobody is ever stuck.
pub(crate) struct Race<M, const FILES: u32, const RANKS: u32>(PhantomData<M>);

/// A way to move forward.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    /// Files to the right.
    files: i32,
    /// Ranks forward.
    ranks: i32,
    /// True if it may end on an enemy, who is taken.
    takes: bool,
}

/// A kind of men that race.
pub(crate) trait Man: Send + Sync + 'static {
    /// What pictures call them.
    const NAME: &str;
    /// Their steps.
    const STEPS: [Step; STEPS];
}

/// Room for the steps of a man; unused ones lead nowhere.
const STEPS: usize = 4;

/// A step that always leaves the board.
const NOWHERE: Step = step(0, 64, false);

/// Pawns step straight or diagonally and take diagonally only.
pub(crate) enum Pawn {}

impl Man for Pawn {
    const NAME: &str = "pawn";
    const STEPS: [Step; STEPS] = [step(-1, 1, true), step(0, 1, false), step(1, 1, true), NOWHERE];
}

/// Knights leap forward.
pub(crate) enum Knight {}

impl Man for Knight {
    const NAME: &str = "knight";
    const STEPS: [Step; STEPS] =
        [step(-2, 1, true), step(-1, 2, true), step(1, 2, true), step(2, 1, true)];
}

const fn step(files: i32, ranks: i32, takes: bool) -> Step {
    Step { files, ranks, takes }
}

type Board<const FILES: u32, const RANKS: u32> = Grid<Ranks, 1, FILES, RANKS>;

/// The kind of step, and the square that it leads to.
type Action = (usize, u32);

impl<M: Man, const FILES: u32, const RANKS: u32> Race<M, FILES, RANKS> {
    pub(crate) const NEW: Self = Race(PhantomData);

    /// For each side and step the squares from which it stays on the board.
    const STAYING: [[Bits<1>; STEPS]; 2] = {
        let (mut staying, mut i) = ([[Bits::EMPTY; STEPS]; 2], 0);
        while i < STEPS {
            let Step { files, ranks, .. } = M::STEPS[i];
            staying[0][i] = Board::<FILES, RANKS>::staying(files, ranks);
            staying[1][i] = Board::<FILES, RANKS>::staying(files, -ranks);
            i += 1;
        }
        staying
    };

    /// For each side and step how far it leads, up for the first side and down for the second.
    const STRIDE: [[u32; STEPS]; 2] = {
        let (mut strides, mut i) = ([[0; STEPS]; 2], 0);
        while i < STEPS {
            let Step { files, ranks, .. } = M::STEPS[i];
            strides[0][i] = Board::<FILES, RANKS>::stride(files, ranks).unsigned_abs() % 64;
            strides[1][i] = Board::<FILES, RANKS>::stride(-files, ranks).unsigned_abs() % 64;
            i += 1;
        }
        strides
    };

    /// The far rank of each side.
    const FAR: [Bits<1>; 2] =
        [Board::<FILES, RANKS>::rank(RANKS - 1), Board::<FILES, RANKS>::rank(0)];

    /// The squares that each step of a side leads to.
    #[inline(always)]
    fn choice<const SIDE: usize>(own: Bits<1>, other: Bits<1>) -> Choice<STEPS, 1> {
        Choice::new(std::array::from_fn(|i| {
            let staying = own & Self::STAYING[SIDE][i];
            let to = match SIDE {
                0 => staying.up(Self::STRIDE[0][i]),
                _ => staying.down(Self::STRIDE[1][i]),
            };
            to.without(if M::STEPS[i].takes { own } else { own | other })
        }))
    }

    /// The step of [`Race::random_step`], in a lane.
    #[inline(always)]
    fn step_in_lane<const SIDE: usize>(own: &mut u64, other: &mut u64, dice: &mut Dice) -> bool {
        let choice = Self::choice::<SIDE>(Bits::from_words([*own]), Bits::from_words([*other]));
        let (to, stride) = choice.draw_in_lane(Self::STRIDE[SIDE].map(u64::from), dice);
        let from = if SIDE == 0 { to >> stride } else { to << stride };
        *own ^= from | to;
        *other &= !to;
        to & Self::FAR[SIDE].words[0] != 0 || *other == 0
    }

    /// Makes a step to a square and says whether it wins.
    #[inline(always)]
    fn step<const SIDE: usize>(
        own: &mut Bits<1>,
        other: &mut Bits<1>,
        kind: usize,
        to: Bits<1>,
    ) -> bool {
        let stride = Self::STRIDE[SIDE][kind];
        let from = if SIDE == 0 { to.down(stride) } else { to.up(stride) };
        *own ^= from | to;
        *other = other.without(to);
        to.intersects(Self::FAR[SIDE]) || other.is_empty()
    }

    /// Makes a random step and says whether it wins.
    #[inline(always)]
    fn random_step<const SIDE: usize, C: Cpu>(
        cpu: C,
        rng: &mut Rng,
        own: &mut Bits<1>,
        other: &mut Bits<1>,
    ) -> bool {
        let choice = Self::choice::<SIDE>(*own, *other);
        let (kind, to) = choice.nth(cpu, draw(rng, choice.count()));
        Self::step::<SIDE>(own, other, kind, to)
    }

    /// Plays on from a state that is not over.
    #[inline(always)]
    fn race<C: Cpu>(cpu: C, state: Sides<1>, rng: &mut Rng, cap: u32) -> End {
        let [mut white, mut black] = state.men;
        let mut waits = state.mover() == Player(1);
        let mut plies = 0;
        loop {
            for mover in 0..2 {
                // White, where Black begins.
                if std::mem::take(&mut waits) {
                    continue;
                }
                if plies == cap {
                    return capped(cap);
                }
                plies += 1;
                let won = match mover {
                    0 => Self::random_step::<0, C>(cpu, rng, &mut white, &mut black),
                    _ => Self::random_step::<1, C>(cpu, rng, &mut black, &mut white),
                };
                if won {
                    return over(plies, Scores::win(Player(mover)));
                }
            }
        }
    }

    fn winner(state: &Sides<1>) -> Option<Player> {
        let [white, black] = state.men;
        if white.intersects(Self::FAR[0]) || black.is_empty() {
            Some(Player(0))
        } else if black.intersects(Self::FAR[1]) || white.is_empty() {
            Some(Player(1))
        } else {
            None
        }
    }
}

impl<M: Man, const FILES: u32, const RANKS: u32> Rules for Race<M, FILES, RANKS> {
    type State = Sides<1>;
    type Action = Action;
    type Board = Board<FILES, RANKS>;

    const FORMS: &'static [Form] = &[Form::FromTo("")];
    const SYMMETRY: Option<Symmetry> = Some(Symmetry::Ranks);

    fn start(&self) -> Sides<1> {
        let rank = Board::<FILES, RANKS>::rank;
        Sides::new(rank(0) | rank(1), rank(RANKS - 2) | rank(RANKS - 1))
    }

    fn placed(&self, rows: &str, mover: u8, _: u32) -> Option<Sides<1>> {
        Sides::placed(Board::<FILES, RANKS>::drawn(rows, ['x', 'o'])?, mover)
    }

    fn expand(&self, state: &Sides<1>, legal: &mut Vec<Action>) -> Turn {
        if Self::winner(state).is_some() {
            return Turn::Over;
        }
        let [own, other] = state.own_and_other();
        let choice = match state.mover() {
            Player(0) => Self::choice::<0>(own, other),
            Player(_) => Self::choice::<1>(own, other),
        };
        legal.extend(choice.iter());
        Turn::Move(state.mover())
    }

    fn apply(&self, state: &mut Sides<1>, (kind, to): Action) {
        let [mut own, mut other] = state.own_and_other();
        match state.mover() {
            Player(0) => Self::step::<0>(&mut own, &mut other, kind, Bits::single(to)),
            Player(_) => Self::step::<1>(&mut own, &mut other, kind, Bits::single(to)),
        };
        state.become_and_pass(own, other);
    }

    fn scores(&self, state: &Sides<1>) -> Scores {
        Self::winner(state).map_or(Scores::DRAW, Scores::win)
    }

    #[inline]
    fn form(&self, state: &Sides<1>, (kind, to): Action) -> Formed {
        let from = match state.mover() {
            Player(0) => to - Self::STRIDE[0][kind],
            Player(_) => to + Self::STRIDE[1][kind],
        };
        Formed::from_to(from, to)
    }

    fn picture(&self, state: &Sides<1>) -> Picture {
        Board::<FILES, RANKS>::sides(false, state.men).with_men(M::NAME)
    }

    #[inline]
    fn planes(&self, state: &Self::State, planes: &mut [u8]) {
        Board::<FILES, RANKS>::write_planes(state.men, planes);
    }

    #[inline(always)]
    fn play_on<C: Cpu>(&self, cpu: C, state: Sides<1>, rng: &mut Rng, cap: u32) -> Option<End> {
        Some(match Self::winner(&state) {
            Some(winner) => over(0, Scores::win(winner)),
            None => Self::race(cpu, state, rng, cap),
        })
    }
}

impl<M: Man, const FILES: u32, const RANKS: u32> Lanes<2> for Race<M, FILES, RANKS> {
    fn words(&self, state: &Sides<1>) -> Option<[u64; 2]> {
        (state.mover() == Player(0)).then(|| state.men.map(|men| men.words[0]))
    }

    #[inline(always)]
    fn step(&self, words: &mut [u64; 2], dice: &mut Dice) -> lanes::Step {
        let [mut white, mut black] = *words;
        let white_won = Self::step_in_lane::<0>(&mut white, &mut black, dice);
        let black_won = Self::step_in_lane::<1>(&mut black, &mut white, dice);
        *words = [white, black];
        lanes::Step::two_plies(white_won, black_won, false)
    }
}
