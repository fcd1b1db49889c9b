//! Yavalath on a hexagon.

use std::sync::Arc;

use play::picture::Picture;
use play::{Encoding, End, Lockstep, LockstepJob, Player, Rng, Scores, Symmetry, Turn};

use crate::bits::Bits;
use crate::form::NoBoard;
use crate::grid::{Grid, GuardedRanks};
use crate::placement_lockstep::{self, PlacementRules};
use crate::rules::handmade::Handmade;
use crate::rules::{Rules, draw, over, over_unless_capped};
use crate::select::Select;
use crate::sides::Sides;
use cpu::Cpu;

/// Yavalath on the 61 cells of a hexagon with five a side, without swap: a line of four or more
/// wins, a line of three and none of four loses, a full board is a draw.
pub(crate) struct Yavalath;

/// Cells of a side, and of the longest line.
const SIDE: u32 = 5;
const LONGEST: u32 = 2 * SIDE - 1;

/// The square of cells around the hexagon: a cell touches the next ones on its file and its rank,
/// and the two that are one further on both.
type Square = Grid<GuardedRanks, 2, LONGEST, LONGEST>;

const CELLS: u32 = 61;

/// The cells of the hexagon, numbered rank after rank: as places in the square. Ranks are slanted,
/// so `a1` is the left end of the lowest one, and the ends of the square that the hexagon does not
/// have are its upper left and its lower right.
static PLACES: [u8; CELLS as usize] = {
    let (mut places, mut cell, mut rank) = ([0; CELLS as usize], 0, 0);
    while rank < LONGEST {
        let mut file = 0;
        while file < LONGEST {
            if file.abs_diff(rank) < SIDE {
                places[cell] = Square::at(file, rank) as u8;
                cell += 1;
            }
            file += 1;
        }
        rank += 1;
    }
    assert!(cell == CELLS as usize);
    places
};

/// All cells, as numbers.
const ALL: Bits<1> = Bits::from_words([(1 << CELLS) - 1]);

/// The stones of one player by line: nine ranks, nine files, nine diagonals.
struct Lines([u16; 32]);

/// The three lines through each cell, and where on each of them it lies, a byte each.
static THROUGH: [u64; CELLS as usize] = {
    let (mut through, mut cell) = ([0; CELLS as usize], 0);
    while cell < CELLS as usize {
        let (file, rank) = Square::place(PLACES[cell] as u32);
        let lines = rank | (LONGEST + file) << 8 | (2 * LONGEST + SIDE - 1 + file - rank) << 16;
        let places = file | rank << 8 | file << 16;
        through[cell] = lines as u64 | (places as u64) << 32;
        cell += 1;
    }
    through
};

impl Lines {
    /// Places a stone and says whether it makes lines of at least three and of at least four. The
    /// three lines through it stand side by side in one word.
    #[inline(always)]
    fn place(&mut self, cell: u32) -> [bool; 2] {
        let through = THROUGH[cell as usize % THROUGH.len()];
        let mut rows = 0;
        for i in 0..3 {
            let line = &mut self.0[(through >> (8 * i) & 31) as usize];
            *line |= 1 << (through >> (32 + 8 * i) & 15);
            rows |= u64::from(*line) << (16 * i);
        }
        let pairs = rows & rows >> 1;
        [pairs & rows >> 2 != 0, pairs & pairs >> 2 != 0]
    }
}

/// True if stones have a line of so many.
fn has_line(stones: Bits<1>, length: u32) -> bool {
    let stones = stones
        .iter()
        .fold(Bits::<2>::EMPTY, |set, cell| set | Bits::single(PLACES[cell as usize].into()));
    [(1, 0), (0, 1), (1, 1)].into_iter().any(|(files, ranks)| {
        let stride = Square::stride(files, ranks).unsigned_abs();
        let run = (1..length).fold(stones, |run, i| run & stones.down(i * stride));
        !run.is_empty()
    })
}

impl Yavalath {
    /// The scores, if the game has ended.
    fn outcome(state: &Sides<1>) -> Option<Scores> {
        for player in 0..2 {
            let stones = state.men[usize::from(player)];
            if has_line(stones, 4) {
                return Some(Scores::win(Player(player)));
            }
            if has_line(stones, 3) {
                return Some(Scores::win(Player(1 - player)));
            }
        }
        (state.occupied() == ALL).then_some(Scores::DRAW)
    }
}

impl Rules for Yavalath {
    type State = Sides<1>;
    /// The number of a cell.
    type Action = u32;
    type Board = NoBoard;

    fn start(&self) -> Sides<1> {
        Sides::new(Bits::EMPTY, Bits::EMPTY)
    }

    fn placed(&self, rows: &str, mover: u8, _: u32) -> Option<Sides<1>> {
        let men = Square::drawn(rows, ['x', 'o'])?;
        let cells = men.map(|men| {
            let cells = (0..CELLS).filter(|&cell| men.contains(PLACES[cell as usize].into()));
            cells.fold(Bits::EMPTY, |all, cell| all | Bits::single(cell))
        });
        Sides::placed(cells, mover)
    }

    fn expand(&self, state: &Sides<1>, legal: &mut Vec<u32>) -> Turn {
        if Self::outcome(state).is_some() {
            return Turn::Over;
        }
        legal.extend(ALL.without(state.occupied()).iter());
        Turn::Move(state.mover())
    }

    fn apply(&self, state: &mut Sides<1>, cell: u32) {
        state.place(cell);
    }

    fn scores(&self, state: &Sides<1>) -> Scores {
        Self::outcome(state).unwrap_or(Scores::DRAW)
    }

    fn label(&self, _: &Sides<1>, cell: u32) -> String {
        Square::name(PLACES[cell as usize].into())
    }

    fn picture(&self, state: &Sides<1>) -> Picture {
        let mut numbers = [None; Bits::<2>::ROOM];
        for (cell, &place) in (0..).zip(&PLACES) {
            numbers[usize::from(place)] = Some(cell);
        }
        Square::picture(true, |place| match numbers[place as usize] {
            None => ' ',
            Some(cell) => match state.men.map(|men| men.contains(cell)) {
                [true, _] => 'x',
                [_, true] => 'o',
                _ => '.',
            },
        })
    }

    fn encoding(&self) -> Option<Encoding> {
        let names = PLACES.iter().map(|&place| Square::name(place.into())).collect();
        Some(Encoding::placements(names, &["x", "o"]).with_symmetry(Symmetry::Same))
    }

    #[inline]
    fn code(&self, _: &Sides<1>, cell: u32) -> u32 {
        cell
    }

    #[inline]
    fn planes(&self, state: &Self::State, planes: &mut [u8]) {
        for (men, plane) in state.men.into_iter().zip(planes.chunks_exact_mut(CELLS as usize)) {
            let [stones] = men.words;
            for (cell, out) in plane.iter_mut().enumerate() {
                *out = (stones >> cell & 1) as u8;
            }
        }
    }

    fn lockstep(game: &Arc<Handmade<Self>>, job: &LockstepJob) -> Option<Box<dyn Lockstep>> {
        placement_lockstep::boxed(game, job)
    }

    #[inline(always)]
    fn playout<C: Cpu>(&self, cpu: C, rng: &mut Rng, cap: u32) -> End {
        Self::fill(cpu, ALL, [Lines([0; 32]), Lines([0; 32])], rng, cap)
    }

    #[inline(always)]
    fn play_on<C: Cpu>(&self, cpu: C, state: Sides<1>, rng: &mut Rng, cap: u32) -> Option<End> {
        let mut lines = [Lines([0; 32]), Lines([0; 32])];
        for (player, lines) in (0..).zip(&mut lines) {
            let [mut three, mut four] = [false; 2];
            for cell in state.men[usize::from(player)] {
                let made = lines.place(cell);
                [three, four] = [three | made[0], four | made[1]];
            }
            if three || four {
                let winner = if four { player } else { 1 - player };
                return Some(over(0, Scores::win(Player(winner))));
            }
        }
        Some(Self::fill(cpu, ALL.without(state.occupied()), lines, rng, cap))
    }
}

impl Yavalath {
    /// Fills the empty cells, with the stones on the others in these lines, which nobody has won.
    #[inline(always)]
    fn fill<C: Cpu>(
        cpu: C,
        mut empty: Bits<1>,
        mut lines: [Lines; 2],
        rng: &mut Rng,
        cap: u32,
    ) -> End {
        let before = CELLS - empty.len();
        for ply in before..CELLS {
            let stone = empty.select_bit(cpu, draw(rng, CELLS - ply));
            empty ^= stone;
            let mover = (ply % 2) as u8;
            let [three, four] = lines[usize::from(mover)].place(stone.first_index() as u32);
            if three || four {
                let winner = if four { mover } else { 1 - mover };
                return over_unless_capped(ply + 1 - before, Scores::win(Player(winner)), cap);
            }
        }
        over_unless_capped(CELLS - before, Scores::DRAW, cap)
    }
}

impl PlacementRules<1> for Yavalath {
    const BOARD: Bits<1> = ALL;

    #[inline(always)]
    fn open<C: Cpu>(&self, _: C, state: &mut Sides<1>) -> Option<Bits<1>> {
        Self::outcome(state).is_none().then(|| ALL.without(state.occupied()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cpu::Portable;

    #[test]
    fn the_last_stone_of_a_line_is_found_on_every_line() {
        let mut rng = Rng::stream(4, 4);
        let mut found = [0; 2];
        for _ in 0..400 {
            let mut lines = Lines([0; 32]);
            let (mut stones, mut empty) = (Bits::EMPTY, ALL);
            for _ in 0..30 {
                let stone = empty.select_bit(Portable, rng.below(empty.len()));
                empty ^= stone;
                stones |= stone;
                let seen = lines.place(stone.first_index() as u32);
                assert_eq!(seen, [3, 4].map(|length| has_line(stones, length)), "{stones:?}");
                if seen[0] || seen[1] {
                    found = [found[0] + u32::from(!seen[1]), found[1] + u32::from(seen[1])];
                    break;
                }
            }
        }
        assert!(found[0] > 100 && found[1] > 20, "{found:?}");
    }
}
