//! Phantom tic-tac-toe.

use play::picture::Picture;
use play::{Encoding, End, Percepts, Player, Rng, Scores, Turn};

use crate::bits::Bits;
use crate::grid::{Grid, Ranks};
use crate::pictures::{MARKS, cover, kinds};
use crate::rules::{Rules, capped, draw, over};
use cpu::Cpu;

/// Tic-tac-toe in which a player sees his own marks and those of the other that he ran into, as in
/// Kriegspiel. Who runs into a mark moves again.
pub(crate) struct PhantomTicTacToe;

type Board = Grid<Ranks, 1, 3, 3>;

/// The marks of both players, and the other's marks that each of them knows.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct State {
    marks: [Bits<1>; 2],
    known: [Bits<1>; 2],
    mover: u8,
}

/// The sets of squares with three in a row, a bit each.
const ROWS: [u64; 8] = {
    let lines: [u64; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
    let (mut rows, mut set) = ([0; 8], 0);
    while set < 512 {
        let mut line = 0;
        while line < 8 {
            if set & lines[line] == lines[line] {
                rows[set as usize / 64] |= 1 << (set % 64);
            }
            line += 1;
        }
        set += 1;
    }
    rows
};

/// True if a set of squares has three in a row.
#[inline(always)]
fn has_row(marks: u64) -> bool {
    ROWS[marks as usize / 64 % 8] >> (marks % 64) & 1 == 1
}

impl State {
    /// The squares that whoever moves does not know to be taken.
    fn open(&self) -> Bits<1> {
        let mover = usize::from(self.mover);
        Board::BOARD.without(self.marks[mover] | self.known[mover])
    }

    fn winner(&self) -> Option<Player> {
        (0..2).map(Player).find(|who| has_row(self.marks[usize::from(who.0)].words[0]))
    }

    fn is_over(&self) -> bool {
        self.winner().is_some() || (self.marks[0] | self.marks[1]) == Board::BOARD
    }
}

impl Rules for PhantomTicTacToe {
    type State = State;
    type Action = u8;

    const HIDDEN: bool = true;

    fn start(&self) -> State {
        State { marks: [Bits::EMPTY; 2], known: [Bits::EMPTY; 2], mover: 0 }
    }

    fn expand(&self, state: &State, legal: &mut Vec<u8>) -> Turn {
        if state.is_over() {
            return Turn::Over;
        }
        legal.extend(state.open().iter().map(|square| square as u8));
        Turn::Move(Player(state.mover))
    }

    fn apply(&self, state: &mut State, square: u8) {
        let square = Bits::single(square.into());
        let mover = usize::from(state.mover);
        if square.intersects(state.marks[1 - mover]) {
            state.known[mover] |= square;
        } else {
            state.marks[mover] |= square;
            state.mover = 1 - state.mover;
        }
    }

    fn perceive(&self, before: &State, _: u8, after: &State, percepts: &mut Percepts) {
        let (mover, other) = (Player(before.mover), Player(1 - before.mover));
        if before.mover == after.mover {
            percepts.tell(mover, "taken");
            return;
        }
        percepts.tell(mover, "placed");
        percepts.tell(other, "moved");
        if after.is_over() {
            percepts.tell_all(2, "over");
        }
    }

    fn scores(&self, state: &State) -> Scores {
        state.winner().map_or(Scores::DRAW, Scores::win)
    }

    fn label(&self, _: &State, square: u8) -> String {
        Board::name(square.into())
    }

    fn picture(&self, state: &State) -> Picture {
        let knows = |player: usize| {
            let known: Vec<String> = state.known[player].iter().map(Board::name).collect();
            format!("{} knows of {}\n", ["x", "o"][player], known.join(" "))
        };
        let mut picture = Board::sides(false, state.marks)
            .with_signs(kinds(&MARKS))
            .with_notes(&(knows(0) + &knows(1)));
        for (player, known) in (0..).zip(state.known) {
            for square in Board::BOARD.without(known) {
                if let Some(cell) = picture.cell_mut(&Board::name(square)) {
                    cover(&mut cell.cover, player);
                }
            }
        }
        picture
    }

    fn encoding(&self) -> Option<Encoding> {
        let percepts = ["placed", "taken", "moved", "over"].map(str::to_owned);
        Some(Encoding::perceived(Board::names(), percepts.into()))
    }

    fn code(&self, _: &State, square: u8) -> u32 {
        Board::number(square.into())
    }

    /// One word holds all: marks and knowledge of who moves in the lower half, of the other in the
    /// upper, so that handing on the turn is a rotation.
    #[inline(always)]
    fn playout<C: Cpu>(&self, cpu: C, rng: &mut Rng, cap: u32) -> End {
        let all = Board::BOARD.words[0];
        let mut word = 0u64;
        let (mut plies, mut placed) = (0, 0);
        while plies < cap {
            plies += 1;
            let open = all & !(word | word >> KNOWN);
            let square = cpu.nth_bit(open, draw(rng, open.count_ones()));
            let met = square & word >> OTHER;
            word |= (square ^ met) | met << KNOWN;
            if met == 0 {
                if has_row(word & all) {
                    return over(
                        plies,
                        if placed % 2 == 0 { Scores::FIRST } else { Scores::SECOND },
                    );
                }
                placed += 1;
                if placed == Board::SQUARES {
                    return over(plies, Scores::DRAW);
                }
                word = word.rotate_left(OTHER);
            }
        }
        capped(cap)
    }
}

/// The first bit, in the word of a playout, of the knowledge that goes with marks.
const KNOWN: u32 = 16;
/// The first bit of the other player's half.
const OTHER: u32 = 32;
