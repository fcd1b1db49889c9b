//! Peg Solitaire.

use play::picture::Picture;
use play::{End, Job, Player, Rng, Scores, Turn};

use crate::bits::Bits;
use crate::choice::Choice;
use crate::grid::{Grid, GuardedRanks};
use crate::interleaved::Resumable;
use crate::pictures::{kinds, spent};
use crate::rules::{Results, Rules, capped, draw, over};
use cpu::Cpu;

/// The English board: a cross of 33 holes with a peg in each but the middle one. A peg jumps over a
/// neighbour into an empty hole, and the neighbour is taken away, until no peg can jump; the score
/// is the share of 31 pegs that were taken, in percent.
pub(crate) struct PegSolitaire;

type Board = Grid<GuardedRanks, 1, 7, 7>;

/// The jumps of a position to the right, to the left, upwards and downwards, each under the
/// leftmost or lowest of its three holes. So a jump and the one back toggle the same holes.
type Jumps = Choice<4, 1>;

/// Pegs to take.
const PEGS: u32 = 31;

const HOLES: Bits<1> = {
    let (mut holes, mut i) = (Bits::EMPTY, 0);
    while i < 7 {
        let wide = 2 <= i && i <= 4;
        if wide {
            holes = holes.or(Board::rank(i)).or(Board::file(i));
        }
        i += 1;
    }
    holes
};

const START: Bits<1> = HOLES.without(Board::named("d4"));

#[inline(always)]
fn jumps(pegs: Bits<1>) -> Jumps {
    let empty = HOLES.without(pegs);
    let line = |step: u32| {
        // Beyond the edge of the board there is neither a peg nor an empty hole.
        let middle = pegs.down(step);
        [pegs & middle & empty.down(2 * step), empty & middle & pegs.down(2 * step)]
    };
    let ([right, left], [up, down]) = (line(Board::FILE_STEP), line(Board::RANK_STEP));
    Choice::new([right, left, up, down])
}

/// Toggles the three holes of a jump.
#[inline(always)]
fn jump(pegs: Bits<1>, kind: usize, first: Bits<1>) -> Bits<1> {
    let across = first | first.up(Board::FILE_STEP) | first.up(2 * Board::FILE_STEP);
    let upright = first | first.up(Board::RANK_STEP) | first.up(2 * Board::RANK_STEP);
    pegs ^ if kind < 2 { across } else { upright }
}

fn score(taken: u32) -> Scores {
    Scores::single((100 * taken / PEGS) as i32)
}

impl Rules for PegSolitaire {
    /// The pegs.
    type State = Bits<1>;
    /// The kind of the jump and its first hole.
    type Action = (usize, u32);

    const PLAYERS: u8 = 1;

    fn start(&self) -> Bits<1> {
        START
    }

    fn placed(&self, rows: &str, _: u8, _: u32) -> Option<Bits<1>> {
        let [pegs] = Board::drawn(rows, ['o'])?;
        pegs.without(HOLES).is_empty().then_some(pegs)
    }

    fn expand(&self, &pegs: &Bits<1>, legal: &mut Vec<(usize, u32)>) -> Turn {
        legal.extend(jumps(pegs).iter());
        if legal.is_empty() { Turn::Over } else { Turn::Move(Player(0)) }
    }

    fn apply(&self, pegs: &mut Bits<1>, (kind, first): (usize, u32)) {
        *pegs = jump(*pegs, kind, Bits::single(first));
    }

    fn scores(&self, pegs: &Bits<1>) -> Scores {
        score(START.len() - pegs.len())
    }

    fn label(&self, _: &Bits<1>, (kind, first): (usize, u32)) -> String {
        let step = if kind < 2 { Board::FILE_STEP } else { Board::RANK_STEP };
        let mut ends = [first, first + 2 * step].map(Board::name);
        if kind % 2 == 1 {
            ends.reverse();
        }
        ends.concat()
    }

    fn picture(&self, pegs: &Bits<1>) -> Picture {
        Board::picture(false, |square| match (pegs.contains(square), HOLES.contains(square)) {
            (true, _) => 'o',
            (_, true) => '.',
            _ => '+',
        })
        .with_signs(kinds(&[('o', Some(0), "peg")]))
        .with_signs(spent)
    }

    #[inline(always)]
    fn play<C: Cpu>(&self, cpu: C, job: &Job, results: &mut Results) {
        self.in_flight(cpu, job, results);
    }

    #[inline(always)]
    fn play_on<C: Cpu>(&self, cpu: C, state: Bits<1>, rng: &mut Rng, cap: u32) -> Option<End> {
        Some(self.finish(cpu, (state, 0), rng, cap))
    }
}

impl Resumable for PegSolitaire {
    type Run = (Bits<1>, u32);

    #[inline(always)]
    fn begin(&self) -> (Bits<1>, u32) {
        (START, 0)
    }

    #[inline(always)]
    fn step<C: Cpu>(
        &self,
        cpu: C,
        run: &mut (Bits<1>, u32),
        rng: &mut Rng,
        cap: u32,
    ) -> Option<End> {
        let (pegs, plies) = run;
        let jumps = jumps(*pegs);
        let count = jumps.count();
        if count == 0 {
            return Some(over(*plies, score(START.len() - pegs.len())));
        }
        if *plies == cap {
            return Some(capped(cap));
        }
        *plies += 1;
        let (kind, first) = jumps.nth(cpu, draw(rng, count));
        *pegs = jump(*pegs, kind, first);
        None
    }
}
