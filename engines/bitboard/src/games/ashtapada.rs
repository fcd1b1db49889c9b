//! Ashtapada: a race by throws of cowries along a spiral on 8x8.

use play::picture::Picture;
use play::{Chance, End, Player, Rng, Scores, Turn};

use crate::grid::{Grid, Ranks};
use crate::rules::{Rules, capped, draw, over};
use cpu::Cpu;

/// Two players race four men each from their own side along a spiral to the middle, by throws of
/// four cowries. A man alone on a square is sent back by an enemy who lands there, but not on a
/// crosscut.
pub(crate) struct Ashtapada;

type Board = Grid<Ranks, 1, 8, 8>;

/// Men of a player.
const MEN: u8 = 4;

const COWRIES: u32 = 4;

/// The value of a throw with no mouth up.
const ALL_DOWN: u32 = 8;

/// The last square of a player's way, from which men are taken off at once.
const HOME: u64 = 1 << 63;

/// The way of the first player; the second player's is the same from the other side of the board.
const WAY: [&str; 64] = [
    "e1", "f1", "g1", "h1", "h2", "h3", "h4", "h5", "h6", "h7", "h8", "g8", "f8", "e8", "d8", "c8",
    "b8", "a8", "a7", "a6", "a5", "a4", "a3", "a2", "a1", "b1", "c1", "d1", "d2", "e2", "f2", "g2",
    "g3", "g4", "g5", "g6", "g7", "f7", "e7", "d7", "c7", "b7", "b6", "b5", "b4", "b3", "b2", "c2",
    "c3", "d3", "e3", "f3", "f4", "f5", "f6", "e6", "d6", "c6", "c5", "c4", "d4", "e4", "e5", "d5",
];

/// The square of each place of the first player's way.
const SQUARES: [u32; 64] = {
    let (mut squares, mut place) = ([0; 64], 0);
    while place < 64 {
        squares[place] = Board::named(WAY[place]).first_index() as u32;
        place += 1;
    }
    squares
};

/// The places of the crosscut squares on the way, the same for both players.
const CROSSCUTS: u64 = {
    let squares = Board::named("a1 d1 e1 h1 a4 h4 a5 h5 a8 d8 e8 h8");
    let (mut places, mut place) = (0, 0);
    while place < 64 {
        places |= (squares.contains_index(SQUARES[place] as usize) as u64) << place;
        place += 1;
    }
    places
};

/// First places of the four rings of the spiral, and how many there are in each.
const RINGS: [(u32, u32); 4] = [(0, 28), (28, 20), (48, 12), (60, 4)];

/// One player's men.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Men {
    /// Their places on the player's own way.
    places: u64,
    waiting: u8,
    home: u8,
}

/// Men of both, the throw, and whoever moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct State {
    men: [Men; 2],
    throw: u8,
    mover: u8,
}

/// The place that a man goes to on his player's way, or a pass.
type Action = u8;

const PASS: Action = 64;

/// The same squares as places on the other player's way: half round each ring.
#[inline(always)]
const fn opposite(places: u64) -> u64 {
    let (mut all, mut ring) = (0, 0);
    while ring < RINGS.len() {
        let (first, count) = RINGS[ring];
        let own = places >> first & ((1 << count) - 1);
        let turned = (own >> (count / 2) | own << (count / 2)) & ((1 << count) - 1);
        all |= turned << first;
        ring += 1;
    }
    all
}

/// Throws the cowries: how many places a man moves.
#[inline(always)]
fn throw<C: Chance + ?Sized>(chance: &mut C) -> u32 {
    let up: u32 = (0..COWRIES).map(|_| chance.below(2)).sum();
    if up == 0 { ALL_DOWN } else { up }
}

/// The places that men can move to.
#[inline(always)]
fn targets(own: &Men, other: &Men, throw: u32) -> u64 {
    let entry = u64::from(own.waiting > 0) << (throw - 1);
    (own.places << throw | entry) & !own.places & !(opposite(other.places) & CROSSCUTS)
}

/// Moves a man to a place.
#[inline(always)]
fn go(own: &mut Men, other: &mut Men, throw: u32, to: u64) {
    let from = to >> throw;
    own.places &= !from;
    own.waiting -= u8::from(from == 0);
    if to == HOME {
        own.home += 1;
    } else {
        own.places |= to;
    }
    let hit = other.places & opposite(to);
    other.places &= !hit;
    other.waiting += u8::from(hit != 0);
}

impl State {
    const START: State = {
        let men = Men { places: 0, waiting: MEN, home: 0 };
        State { men: [men; 2], throw: 0, mover: 0 }
    };

    fn targets(&self) -> u64 {
        let mover = usize::from(self.mover);
        targets(&self.men[mover], &self.men[1 - mover], self.throw.into())
    }

    fn winner(&self) -> Option<Player> {
        (0..2).find(|&player| self.men[usize::from(player)].home == MEN).map(Player)
    }
}

/// The name of a place on a player's way.
fn name(player: u8, place: u32) -> String {
    let square = SQUARES[place as usize % 64];
    Board::name(if player == 0 { square } else { 63 - square })
}

impl Rules for Ashtapada {
    type State = State;
    type Action = Action;

    const CHANCE: bool = true;

    fn start(&self) -> State {
        State::START
    }

    fn happen<C: Chance + ?Sized>(&self, state: &mut State, chance: &mut C) {
        if state.winner().is_none() {
            state.throw = throw(chance) as u8;
        }
    }

    fn expand(&self, state: &State, legal: &mut Vec<Action>) -> Turn {
        if state.winner().is_some() {
            return Turn::Over;
        }
        let targets = state.targets();
        legal.extend((0..64).filter(|&place| targets >> place & 1 == 1));
        if legal.is_empty() {
            legal.push(PASS);
        }
        Turn::Move(Player(state.mover))
    }

    fn apply(&self, state: &mut State, to: Action) {
        let [first, second] = &mut state.men;
        let (own, other) = if state.mover == 0 { (first, second) } else { (second, first) };
        if to != PASS {
            go(own, other, state.throw.into(), 1 << to);
        }
        state.mover = 1 - state.mover;
    }

    fn scores(&self, state: &State) -> Scores {
        state.winner().map_or(Scores::DRAW, Scores::win)
    }

    fn label(&self, state: &State, to: Action) -> String {
        let place = |place: u8| name(state.mover, place.into());
        match to.checked_sub(state.throw) {
            _ if to == PASS => "pass".to_owned(),
            Some(from) => place(from) + &place(to),
            None => place(to),
        }
    }

    fn is_pass(&self, action: Action) -> bool {
        action == PASS
    }

    fn picture(&self, state: &State) -> Picture {
        let [first, second] = state.men;
        let board = Board::picture(false, |square| {
            let has = |places: u64, square: u32| {
                (0..64).any(|place| places >> place & 1 == 1 && SQUARES[place] == square)
            };
            match (has(first.places, square), has(second.places, 63 - square)) {
                (true, _) => 'x',
                (_, true) => 'o',
                _ if has(CROSSCUTS, square) => '+',
                _ => '.',
            }
        });
        let men = |men: Men| format!("{} waiting, {} home", men.waiting, men.home);
        let notes = format!("x: {}; o: {}; throw {}\n", men(first), men(second), state.throw);
        board.with_notes(&notes)
    }

    #[inline(always)]
    fn playout<C: Cpu>(&self, cpu: C, rng: &mut Rng, cap: u32) -> End {
        let start = State { throw: throw(rng) as u8, ..State::START };
        play_on(cpu, start, rng, cap)
    }

    #[inline(always)]
    fn play_on<C: Cpu>(&self, cpu: C, state: State, rng: &mut Rng, cap: u32) -> Option<End> {
        Some(match state.winner() {
            Some(winner) => over(0, Scores::win(winner)),
            None => play_on(cpu, state, rng, cap),
        })
    }
}

/// Plays on where nobody has won, with the throw that has fallen.
#[inline(always)]
fn play_on<C: Cpu>(cpu: C, state: State, rng: &mut Rng, cap: u32) -> End {
    let State { men: [first, second], mut mover, .. } = state;
    let (mut own, mut other) = if mover == 0 { (first, second) } else { (second, first) };
    let mut steps = state.throw.into();
    let mut plies = 0;
    loop {
        let targets = targets(&own, &other, steps);
        let count = targets.count_ones();
        if count > 0 {
            if plies == cap {
                return capped(cap);
            }
            plies += 1;
            let to = cpu.nth_bit(targets, draw(rng, count));
            go(&mut own, &mut other, steps, to);
            if own.home == MEN {
                return over(plies, Scores::win(Player(mover)));
            }
        }
        (own, other) = (other, own);
        mover = 1 - mover;
        steps = throw(rng);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ways_of_both_players_are_one_seen_from_two_sides() {
        let mut seen = 0u64;
        for place in 0..64 {
            seen |= 1 << SQUARES[place];
            let other = opposite(1 << place).trailing_zeros() as usize;
            assert_eq!(SQUARES[other], 63 - SQUARES[place], "{place}");
            if place > 0 {
                let (a, b) = (SQUARES[place - 1], SQUARES[place]);
                assert_eq!((a % 8).abs_diff(b % 8) + (a / 8).abs_diff(b / 8), 1, "{place}");
            }
        }
        assert_eq!(seen, u64::MAX);
        assert_eq!(opposite(CROSSCUTS), CROSSCUTS);
    }
}
