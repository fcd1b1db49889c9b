//! Hex on N x N.

use std::sync::Arc;

use play::picture::Picture;
use play::{End, Lockstep, LockstepJob, Player, Rng, Scores, Symmetry, Turn};

use crate::bits::Bits;
use crate::form::{Form, Formed};
use crate::grid::{Grid, GuardedRanks};
use crate::placement_lockstep::{self, PlacementRules};
use crate::rules::handmade::Handmade;
use crate::rules::{Rules, draw, over, over_unless_capped};
use crate::select::Select;
use crate::sides::Sides;
use cpu::Cpu;

/// Hex on an `N` x `N` rhombus without swap: the first player joins the outer files, the second the
/// outer ranks. A cell touches the next ones on its file and its rank, and the two that are one
/// further on both.
pub(crate) struct Hex<const W: usize, const N: u32>;

type Board<const W: usize, const N: u32> = Grid<GuardedRanks, W, N, N>;

impl<const W: usize, const N: u32> Hex<W, N> {
    /// The sides that each player joins.
    const SIDES: [[Bits<W>; 2]; 2] = [
        [Board::<W, N>::file(0), Board::<W, N>::file(N - 1)],
        [Board::<W, N>::rank(0), Board::<W, N>::rank(N - 1)],
    ];

    /// The cells of a set and their neighbours; cells beyond the board are for the caller to drop.
    #[inline(always)]
    fn spread(set: Bits<W>) -> Bits<W> {
        let right = set | set.up(Board::<W, N>::FILE_STEP);
        let left = set | set.down(Board::<W, N>::FILE_STEP);
        right | right.up(Board::<W, N>::RANK_STEP) | left | left.down(Board::<W, N>::RANK_STEP)
    }

    /// Adds to `reached` what is connected to it within `stones`; true as soon as it meets `goal`.
    #[inline(always)]
    fn reaches(reached: &mut Bits<W>, stones: Bits<W>, goal: Bits<W>) -> bool {
        loop {
            let next = Self::spread(*reached) & stones;
            if next.intersects(goal) {
                return true;
            }
            if next == *reached {
                return false;
            }
            *reached = next;
        }
    }

    /// After how many plies of the winner the stones, which are given after each of them, join the
    /// winner's sides; they do not after `least`, and do after `most`.
    #[inline(always)]
    fn joined_after(
        after: &[Bits<W>; MOST],
        winner: usize,
        (mut least, mut most): (u32, u32),
    ) -> u32 {
        let [from, to] = Self::SIDES[winner];
        // What was reached after `least`.
        let mut reached = Bits::EMPTY;
        while most - least > 1 {
            let middle = least.midpoint(most);
            let stones = after[middle as usize - 1];
            let mut now = reached | from & stones;
            if Self::reaches(&mut now, stones, to) {
                most = middle;
            } else {
                (least, reached) = (middle, now);
            }
        }
        most
    }

    /// True if a player's stones join the player's sides.
    #[inline(always)]
    fn joined(stones: Bits<W>, player: usize) -> bool {
        let [from, to] = Self::SIDES[player];
        Self::reaches(&mut (from & stones), stones, to)
    }
}

impl<const W: usize, const N: u32> Rules for Hex<W, N> {
    type State = Sides<W>;
    type Action = u32;
    type Board = Board<W, N>;

    const FORMS: &'static [Form] = &[Form::At("")];
    const SYMMETRY: Option<Symmetry> = Some(Symmetry::Diagonal);

    fn start(&self) -> Sides<W> {
        Sides::new(Bits::EMPTY, Bits::EMPTY)
    }

    fn placed(&self, rows: &str, mover: u8, _: u32) -> Option<Sides<W>> {
        Sides::placed(Board::<W, N>::drawn(rows, ['x', 'o'])?, mover)
    }

    fn expand(&self, state: &Sides<W>, legal: &mut Vec<u32>) -> Turn {
        if (0..2).any(|player| Self::joined(state.men[player], player)) {
            return Turn::Over;
        }
        legal.extend(Board::<W, N>::BOARD.without(state.occupied()).iter());
        Turn::Move(state.mover())
    }

    fn apply(&self, state: &mut Sides<W>, cell: u32) {
        state.place(cell);
    }

    fn scores(&self, state: &Sides<W>) -> Scores {
        Scores::win(Player(u8::from(!Self::joined(state.men[0], 0))))
    }

    #[inline]
    fn form(&self, _: &Sides<W>, square: u32) -> Formed {
        Formed::at(square)
    }

    fn picture(&self, state: &Sides<W>) -> Picture {
        Board::<W, N>::sides(true, state.men)
    }

    #[inline]
    fn planes(&self, state: &Self::State, planes: &mut [u8]) {
        Board::<W, N>::write_planes(state.men, planes);
    }

    fn lockstep(game: &Arc<Handmade<Self>>, job: &LockstepJob) -> Option<Box<dyn Lockstep>> {
        placement_lockstep::boxed(game, job)
    }

    /// Fills the board, which decides who wins, since exactly one of the players is joined then.
    /// The winner is joined from some ply on, which bisection finds: at most six floods instead of
    /// one a ply. What a flood reached in vain is where the next one with more stones begins.
    #[inline(always)]
    fn playout<C: Cpu>(&self, cpu: C, rng: &mut Rng, cap: u32) -> End {
        let cells = Board::<W, N>::SQUARES;
        let mut empty = Board::<W, N>::BOARD;
        // `after[player][i]`: the stones of a player after i + 1 of their plies.
        let mut after = [[Bits::<W>::EMPTY; MOST]; 2];
        let mut place = |ply: u32, stones: &mut Bits<W>, after: &mut [Bits<W>; MOST]| {
            let stone = empty.select_bit(cpu, draw(rng, cells - ply));
            empty ^= stone;
            *stones |= stone;
            after[ply as usize / 2] = *stones;
        };
        let (mut first, mut second) = (Bits::EMPTY, Bits::EMPTY);
        let [after_first, after_second] = &mut after;
        for turn in 0..cells / 2 {
            place(2 * turn, &mut first, after_first);
            place(2 * turn + 1, &mut second, after_second);
        }
        if cells % 2 == 1 {
            place(cells - 1, &mut first, after_first);
        }
        let winner = usize::from(!Self::joined(first, 0));
        let all = (Board::<W, N>::SQUARES + 1 - winner as u32) / 2;
        let most = Self::joined_after(&after[winner], winner, (N - 1, all));
        let plies = 2 * most - 1 + winner as u32;
        over_unless_capped(plies, Scores::win(Player(winner as u8)), cap)
    }

    /// Plays as from the start, but for the stones that are there.
    #[inline(always)]
    fn play_on<C: Cpu>(&self, cpu: C, state: Sides<W>, rng: &mut Rng, cap: u32) -> Option<End> {
        if let Some(winner) = (0..2).find(|&player| Self::joined(state.men[player], player)) {
            return Some(over(0, Scores::win(Player(winner as u8))));
        }
        // Whoever moves first from here, there may be any number of stones of either player.
        let first = usize::from(state.mover().0);
        let mut empty = Board::<W, N>::BOARD.without(state.occupied());
        let left = empty.len();
        let mut stones = state.men;
        let mut after = [[Bits::<W>::EMPTY; MOST]; 2];
        for ply in 0..left {
            let stone = empty.select_bit(cpu, draw(rng, left - ply));
            empty ^= stone;
            let mover = (first + ply as usize) % 2;
            stones[mover] |= stone;
            after[mover][ply as usize / 2] = stones[mover];
        }
        let winner = usize::from(!Self::joined(stones[0], 0));
        let all = if winner == first { left.div_ceil(2) } else { left / 2 };
        let most = Self::joined_after(&after[winner], winner, (0, all));
        let plies = 2 * most - u32::from(winner == first);
        Some(over_unless_capped(plies, Scores::win(Player(winner as u8)), cap))
    }
}

impl<const W: usize, const N: u32> PlacementRules<W> for Hex<W, N> {
    const BOARD: Bits<W> = Board::<W, N>::BOARD;

    #[inline(always)]
    fn open<C: Cpu>(&self, _: C, state: &mut Sides<W>) -> Option<Bits<W>> {
        let [_, last] = state.own_and_other();
        let player = 1 - usize::from(state.mover().0);
        let empty = Self::BOARD.without(state.occupied());
        (!Self::joined(last, player)).then_some(empty)
    }
}

/// Room for the plies of one player, up to 11 x 11.
const MOST: usize = 61;

#[cfg(test)]
mod tests {
    use super::*;
    use cpu::Portable;

    type Small = Board<2, 6>;

    /// True if stones join two sides, walking from cell to cell by files and ranks.
    fn naive(stones: Bits<2>, player: usize) -> bool {
        let depth = |cell: u32| {
            let (file, rank) = Small::place(cell);
            if player == 0 { file } else { rank }
        };
        let mut found: Vec<u32> = stones.iter().filter(|&cell| depth(cell) == 0).collect();
        let mut looked = 0;
        while looked < found.len() {
            let (file, rank) = Small::place(found[looked]);
            looked += 1;
            for (files, ranks) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1)] {
                let (f, r) = (file.wrapping_add_signed(files), rank.wrapping_add_signed(ranks));
                if f.max(r) < 6
                    && stones.contains(Small::at(f, r))
                    && !found.contains(&Small::at(f, r))
                {
                    found.push(Small::at(f, r));
                }
            }
        }
        found.into_iter().any(|cell| depth(cell) == 5)
    }

    #[test]
    fn sides_are_joined_where_a_walk_joins_them() {
        let mut rng = Rng::stream(8, 8);
        let mut joined = [0; 2];
        for round in 0..400 {
            let mut stones = [Bits::EMPTY; 2];
            let mut empty = Small::BOARD;
            for ply in 0..if round % 2 == 0 { 36 } else { 27 } {
                let cell = empty.select_bit(Portable, rng.below(empty.len()));
                empty ^= cell;
                stones[ply % 2] |= cell;
            }
            let found = [0, 1].map(|player| Hex::<2, 6>::joined(stones[player], player));
            assert_eq!(found, [0, 1].map(|player| naive(stones[player], player)), "{stones:?}");
            assert!(!(found[0] && found[1]));
            assert!(!empty.is_empty() || found[0] || found[1], "no draw on a full board");
            for player in 0..2 {
                joined[player] += u32::from(found[player]);
            }
        }
        assert!(joined[0] > 50 && joined[1] > 50, "{joined:?}");
    }
}
