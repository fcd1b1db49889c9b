//! Wumpus World in a printed cave.

use play::picture::{Cover, Picture};
use play::{End, Percepts, Player, Rng, Scores, Turn};

use crate::bits::Bits;
use crate::grid::{Grid, Ranks};
use crate::pictures::{CAVE, kinds};
use crate::rules::{Rules, capped, draw, over};
use cpu::Cpu;

/// The version of Wumpus World that was written for Ludii: steps instead of turns, gold that is
/// picked up by itself, no way home, and always the same cave.
pub(crate) struct PrintedCave;

type Board = Grid<Ranks, 1, 4, 4>;

const PITS: Bits<1> = Board::named("c1 c3 d4");
const WUMPUS: Bits<1> = Board::named("a3");
const GOLD: Bits<1> = Board::named("b3");

/// Directions by files and ranks, in the order in which plies are listed.
const DIRECTIONS: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];

/// The moves and shots from a square.
#[derive(Clone, Copy)]
struct Ways {
    count: u8,
    /// The neighbours.
    next: [u8; 4],
    /// The squares that an arrow flies through on the way to each of them and on.
    flights: [Bits<1>; 4],
}

/// The ways from each square.
const WAYS: [Ways; 16] = {
    let mut all = [Ways { count: 0, next: [0; 4], flights: [Bits::EMPTY; 4] }; 16];
    let mut square = 0;
    while square < Board::SQUARES {
        let ways = &mut all[square as usize];
        let mut direction = 0;
        while direction < DIRECTIONS.len() {
            let (files, ranks) = DIRECTIONS[direction];
            if Board::staying(files, ranks).contains_index(square as usize) {
                let next = square as i32 + Board::stride(files, ranks);
                ways.next[ways.count as usize] = next as u8;
                ways.flights[ways.count as usize] = Board::ray(square, files, ranks);
                ways.count += 1;
            }
            direction += 1;
        }
        square += 1;
    }
    all
};

/// A step or a shot, along one of the ways from the square.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Act {
    Step(u8),
    Shot(u8),
}

/// The player, and what is left of the cave.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct State {
    square: u8,
    has_arrow: bool,
    has_gold: bool,
    lives: bool,
}

impl State {
    fn ways(&self) -> &'static Ways {
        &WAYS[usize::from(self.square)]
    }

    fn is_in(&self, set: Bits<1>) -> bool {
        set.contains(self.square.into())
    }

    fn is_lost(&self) -> bool {
        self.is_in(PITS) || self.lives && self.is_in(WUMPUS)
    }

    fn is_won(&self) -> bool {
        self.has_gold && !self.lives
    }

    /// True if the square is beside one of a set.
    fn is_beside(&self, set: Bits<1>) -> bool {
        let ways = self.ways();
        ways.next[..usize::from(ways.count)].iter().any(|&next| set.contains(next.into()))
    }
}

impl Rules for PrintedCave {
    type State = State;
    type Action = Act;

    const PLAYERS: u8 = 1;
    const HIDDEN: bool = true;

    fn start(&self) -> State {
        State { square: 0, has_arrow: true, has_gold: false, lives: true }
    }

    fn expand(&self, state: &State, legal: &mut Vec<Act>) -> Turn {
        if state.is_lost() || state.is_won() {
            return Turn::Over;
        }
        let ways = 0..state.ways().count;
        legal.extend(ways.clone().map(Act::Step));
        if state.has_arrow {
            legal.extend(ways.map(Act::Shot));
        }
        Turn::Move(Player(0))
    }

    fn apply(&self, state: &mut State, act: Act) {
        match act {
            Act::Step(way) => {
                state.square = state.ways().next[usize::from(way)];
                state.has_gold |= state.is_in(GOLD);
            }
            Act::Shot(way) => {
                state.has_arrow = false;
                state.lives &= !WUMPUS.intersects(state.ways().flights[usize::from(way)]);
            }
        }
    }

    fn perceive(&self, before: &State, act: Act, after: &State, percepts: &mut Percepts) {
        let mut tell = |perceived: bool, what: &str| {
            if perceived {
                percepts.tell(Player(0), what);
            }
        };
        match act {
            Act::Step(_) => {
                tell(after.is_beside(PITS), "breeze");
                tell(after.is_beside(WUMPUS), "stench");
                tell(after.has_gold && !before.has_gold, "gold");
                tell(after.is_in(PITS), "pit");
                tell(after.is_in(WUMPUS) && after.lives, "eaten");
            }
            Act::Shot(_) => tell(true, if after.lives { "thunk" } else { "scream" }),
        }
    }

    fn scores(&self, state: &State) -> Scores {
        Scores::single(if state.is_won() { 100 } else { 0 })
    }

    fn label(&self, state: &State, act: Act) -> String {
        let from = u32::from(state.square);
        match act {
            Act::Step(way) => {
                Board::name(from) + &Board::name(state.ways().next[usize::from(way)].into())
            }
            Act::Shot(way) => {
                let flight = state.ways().flights[usize::from(way)];
                // Squares of a flight are all greater than the one it begins at, or all smaller.
                let (low, high) = (flight.first_index() as u32, flight.last_index() as u32);
                format!("shoot {}", Board::name(if low > from { high } else { low }))
            }
        }
    }

    fn picture(&self, state: &State) -> Picture {
        let board = Board::picture(false, |square| match square {
            _ if square == u32::from(state.square) => 'x',
            _ if PITS.contains(square) => 'P',
            _ if WUMPUS.contains(square) => 'W',
            _ if GOLD.contains(square) && !state.has_gold => 'G',
            _ => '.',
        });
        let arrow = if state.has_arrow { "an arrow" } else { "no arrow" };
        let gold = if state.has_gold { "gold" } else { "no gold" };
        let wumpus = if state.lives { "alive" } else { "dead" };
        let notes = format!("{arrow}, {gold}, wumpus {wumpus}\n");
        let mut picture = board.with_notes(&notes).with_signs(kinds(&CAVE)).with_signs(kinds(&[(
            'x',
            Some(0),
            "agent",
        )]));
        for cell in picture.cells.iter_mut().filter(|cell| cell.sign != "x") {
            cell.cover = Cover::From(vec![Player(0)]);
        }
        picture
    }

    #[inline(always)]
    fn playout<C: Cpu>(&self, _: C, rng: &mut Rng, cap: u32) -> End {
        let [pits, den, treasure] = [PITS, WUMPUS, GOLD].map(
            #[inline(always)]
            |set| set.words[0],
        );
        let (mut square, mut arrows, mut deadly, mut found) = (0u8, 1u32, pits | den, 0);
        let mut plies = 0;
        while plies < cap {
            plies += 1;
            let ways = &WAYS[usize::from(square % 16)];
            let count = u32::from(ways.count);
            let drawn = draw(rng, count << arrows);
            if drawn < count {
                square = ways.next[drawn as usize % 4];
                let here = 1u64 << (square % 16);
                found |= here & treasure;
                if here & deadly != 0 {
                    return over(plies, Scores::single(0));
                }
            } else {
                arrows = 0;
                let flight = ways.flights[(drawn - count) as usize % 4];
                deadly &= pits | !flight.words[0];
            }
            if found != 0 && deadly == pits {
                return over(plies, Scores::single(100));
            }
        }
        capped(cap)
    }
}
