//! Connect Four on boards of several sizes.

use std::hint::cold_path;
use std::sync::Arc;

use play::picture::Picture;
use play::{End, Lockstep, LockstepJob, Player, Rng, Scores, Symmetry, Turn};

use crate::bits::Bits;
use crate::form::{Form, Formed};
use crate::grid::{Grid, GuardedFiles};
use crate::lanes::{Dice, Lanes, Step};
use crate::placement_lockstep::{self, PlacementRules};
use crate::rules::handmade::Handmade;
use crate::rules::{Rules, below, capped, draw, over, over_unless_capped};
use crate::select::Select;
use crate::sides::Sides;
use cpu::{Cpu, Portable};

/// Connect Four on `FILES` columns and `RANKS` rows, an even number of squares.
pub(crate) struct ConnectFour<const W: usize, const FILES: u32, const RANKS: u32>;

type Board<const W: usize, const FILES: u32, const RANKS: u32> =
    Grid<GuardedFiles, W, FILES, RANKS>;

impl<const W: usize, const FILES: u32, const RANKS: u32> ConnectFour<W, FILES, RANKS> {
    const SQUARES: u32 = Board::<W, FILES, RANKS>::SQUARES;

    /// The square that a stone dropped into a file comes to rest on, if there is one.
    fn landing(state: &Sides<W>, file: u32) -> Option<u32> {
        // Stones lie one upon the other from the lowest square on.
        let column = state.occupied().down(Board::<W, FILES, RANKS>::at(file, 0)).words[0];
        let rank = column.trailing_ones();
        (rank < RANKS).then(|| Board::<W, FILES, RANKS>::at(file, rank))
    }

    /// The squares that stones come to rest on, one in each file that is not full: the lowest
    /// squares, added to the stones, carry to the square above those of each file, or to the guard.
    #[inline(always)]
    fn landings(occupied: Bits<W>) -> Bits<W> {
        occupied.plus(const { Board::<W, FILES, RANKS>::rank(0) }) & Board::<W, FILES, RANKS>::BOARD
    }

    #[inline(always)]
    fn has_four<C: Cpu>(cpu: C, stones: Bits<W>) -> bool {
        Board::<W, FILES, RANKS>::has_line(cpu, stones, 4)
    }
}

impl<const W: usize, const FILES: u32, const RANKS: u32> Rules for ConnectFour<W, FILES, RANKS> {
    type State = Sides<W>;
    /// The landing square.
    type Action = u32;
    type Board = Board<W, FILES, RANKS>;

    const FORMS: &'static [Form] = &[Form::At("")];
    const SYMMETRY: Option<Symmetry> = Some(Symmetry::Same);

    const VECTORS: bool = true;

    fn start(&self) -> Sides<W> {
        Sides::new(Bits::EMPTY, Bits::EMPTY)
    }

    fn placed(&self, rows: &str, mover: u8, _: u32) -> Option<Sides<W>> {
        Sides::placed(Board::<W, FILES, RANKS>::drawn(rows, ['x', 'o'])?, mover)
    }

    fn expand(&self, state: &Sides<W>, legal: &mut Vec<u32>) -> Turn {
        if state.men.into_iter().any(|stones| Self::has_four(Portable, stones)) {
            return Turn::Over;
        }
        legal.extend((0..FILES).filter_map(|file| Self::landing(state, file)));
        if legal.is_empty() { Turn::Over } else { Turn::Move(state.mover()) }
    }

    fn apply(&self, state: &mut Sides<W>, square: u32) {
        state.place(square);
    }

    fn scores(&self, state: &Sides<W>) -> Scores {
        match state.men.map(|stones| Self::has_four(Portable, stones)) {
            [true, _] => Scores::FIRST,
            [_, true] => Scores::SECOND,
            _ => Scores::DRAW,
        }
    }

    #[inline]
    fn form(&self, _: &Sides<W>, square: u32) -> Formed {
        Formed::at(square)
    }

    fn picture(&self, state: &Sides<W>) -> Picture {
        Board::<W, FILES, RANKS>::sides(false, state.men)
    }

    #[inline]
    fn planes(&self, state: &Self::State, planes: &mut [u8]) {
        Board::<W, FILES, RANKS>::write_planes(state.men, planes);
    }

    fn lockstep(game: &Arc<Handmade<Self>>, job: &LockstepJob) -> Option<Box<dyn Lockstep>> {
        placement_lockstep::boxed(game, job)
    }

    /// In one word the landing squares are found by a carry, and that all files are open is
    /// guessed. In more the carry would take longer than the draw: there the heights of the files
    /// are counted apart from the stones, and a file that fills up is an event off the path that
    /// the processor expects. Either way the draw of a file does not wait for the last stone.
    #[inline(always)]
    fn playout<C: Cpu>(&self, cpu: C, rng: &mut Rng, cap: u32) -> End {
        const { assert!(FILES <= 16 && RANKS <= 15 && (FILES * RANKS).is_multiple_of(2)) };
        let mut occupied = Bits::EMPTY;
        // Four bits a file.
        let mut heights = 0u64;
        let mut open = Bits::<1>::from_words([(1 << FILES) - 1]);
        let mut drop = |stones: &mut Bits<W>| {
            if W == 1 {
                let landings = Self::landings(occupied);
                let stone = landings.select_bit(cpu, below(rng, landings.len(), FILES));
                occupied |= stone;
                *stones |= stone;
                return;
            }
            let file = open.select(cpu, draw(rng, open.len()));
            let rank = (heights >> (4 * file)) as u32 & 15;
            heights += 1 << (4 * file);
            *stones |= Bits::single(Board::<W, FILES, RANKS>::at(file, rank));
            if rank == RANKS - 1 {
                cold_path();
                open ^= Bits::single(file);
            }
        };
        let mut stones = [Bits::EMPTY; 2];
        let last = cap.min(Self::SQUARES);
        let mut plies = 0;
        // Nobody has four stones before the seventh ply.
        while plies < last.min(6) {
            drop(&mut stones[0]);
            drop(&mut stones[1]);
            plies += 2;
        }
        while plies < last {
            for (mover, stones) in stones.iter_mut().enumerate() {
                drop(stones);
                plies += 1;
                if Self::has_four(cpu, *stones) {
                    let scores = Scores::win(Player(mover as u8));
                    return over_unless_capped(plies, scores, cap);
                }
            }
        }
        over_unless_capped(Self::SQUARES, Scores::DRAW, cap)
    }

    #[inline(always)]
    fn play_on<C: Cpu>(&self, cpu: C, state: Sides<W>, rng: &mut Rng, cap: u32) -> Option<End> {
        let mut mover = usize::from(state.mover().0);
        let mut stones = state.men;
        if Self::has_four(cpu, stones[1 - mover]) {
            return Some(over(0, Scores::win(Player(1 - mover as u8))));
        }
        let mut occupied = stones[0] | stones[1];
        for plies in 0..Self::SQUARES - occupied.len() {
            if plies == cap {
                return Some(capped(cap));
            }
            let landings = Self::landings(occupied);
            let stone = landings.select_bit(cpu, below(rng, landings.len(), FILES));
            occupied |= stone;
            stones[mover] |= stone;
            if Self::has_four(cpu, stones[mover]) {
                return Some(over(plies + 1, Scores::win(Player(mover as u8))));
            }
            mover = 1 - mover;
        }
        Some(over(Self::SQUARES - (state.men[0] | state.men[1]).len(), Scores::DRAW))
    }
}

impl<const W: usize, const FILES: u32, const RANKS: u32> PlacementRules<W>
    for ConnectFour<W, FILES, RANKS>
{
    const BOARD: Bits<W> = Board::<W, FILES, RANKS>::BOARD;

    #[inline(always)]
    fn open<C: Cpu>(&self, cpu: C, state: &mut Sides<W>) -> Option<Bits<W>> {
        let [_, last] = state.own_and_other();
        let landings = Self::landings(state.occupied());
        (!landings.is_empty() && !Self::has_four(cpu, last)).then_some(landings)
    }
}

impl<const FILES: u32, const RANKS: u32> ConnectFour<1, FILES, RANKS> {
    /// Drops a stone in a lane and says whether it makes four.
    #[inline(always)]
    fn drop_in_lane(own: &mut u64, other: u64, dice: &mut Dice) -> bool {
        let [mut landings] = Self::landings(Bits::from_words([*own | other])).words;
        let k = dice.below(landings.count_ones().into());
        // There are so few that they are passed one by one.
        for passed in 0..u64::from(FILES) - 1 {
            landings &= if passed < k { landings.wrapping_sub(1) } else { !0 };
        }
        *own |= landings & landings.wrapping_neg();
        Self::has_four(Portable, Bits::from_words([*own]))
    }
}

impl<const FILES: u32, const RANKS: u32> Lanes<2> for ConnectFour<1, FILES, RANKS> {
    fn words(&self, state: &Sides<1>) -> Option<[u64; 2]> {
        (state.mover() == Player(0)).then(|| state.men.map(|stones| stones.words[0]))
    }

    #[inline(always)]
    fn step(&self, words: &mut [u64; 2], dice: &mut Dice) -> Step {
        let [mut first, mut second] = *words;
        let first_won = Self::drop_in_lane(&mut first, second, dice);
        let second_won = Self::drop_in_lane(&mut second, first, dice);
        *words = [first, second];
        let full = first | second == Board::<1, FILES, RANKS>::BOARD.words[0];
        Step::two_plies(first_won, second_won, full)
    }
}
