//! Oware: sowing and reaping around two rows of six houses.

use std::cmp::Ordering;

use play::picture::{Cell, Outline, Picture, Piece, file_name};
use play::{End, Player, Rng, Scores, Turn};

use crate::pictures::tray;
use crate::rules::{Rules, capped, draw, over};
use cpu::Cpu;

/// Seeds are sown counterclockwise, the house that they come from left out. Where the last one
/// makes two or three in a house of the other row, these are captured, and so are those in the
/// houses just before that have two or three. The other player must keep a seed.
pub(crate) struct Oware;

/// Houses of one player.
const ROW: u32 = 6;

const HOUSES: u32 = 2 * ROW;

/// All seeds: four in a house.
const SEEDS: u32 = 48;

/// Plies in a row without a capture that end the game.
const IDLE: u8 = 50;

/// The seeds in each house of a player, a byte each from the one that is sown into first; the
/// captured seeds; the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct State {
    rows: [u64; 2],
    captured: [u8; 2],
    mover: u8,
    idle: u8,
}

const START: State = State { rows: [ONES * 4; 2], captured: [0; 2], mover: 0, idle: 0 };

/// A one in each house of a row.
const ONES: u64 = 0x0101_0101_0101;

/// The top bits of all bytes of a word.
const TOPS: u64 = 0x8080_8080_8080_8080;

/// The seeds that a house of the player to move gives to all others when it holds so many seeds.
#[derive(Clone, Copy)]
struct Sown {
    own: u64,
    other: u64,
    /// By how much the other row is shifted for the house of the last seed to come to the top; all
    /// of it goes if that is no house of the other row.
    shift: u32,
}

static SOWING: [[Sown; SEEDS as usize + 1]; ROW as usize] = {
    let nothing = Sown { own: 0, other: 0, shift: 63 };
    let mut sowing = [[nothing; SEEDS as usize + 1]; ROW as usize];
    let mut house = 0;
    while house < ROW as usize {
        let (mut gains, mut at, mut seeds) = ([0; 2], house, 1);
        while seeds <= SEEDS as usize {
            at = (at + 1) % HOUSES as usize;
            if at == house {
                at = (at + 1) % HOUSES as usize;
            }
            let (row, place) = (at / ROW as usize, at % ROW as usize);
            gains[row] += 1 << (8 * place);
            let shift = if row == 1 { 8 * (7 - place as u32) } else { nothing.shift };
            sowing[house][seeds] = Sown { own: gains[0], other: gains[1], shift };
            seeds += 1;
        }
        house += 1;
    }
    sowing
};

/// The rows of the player to move and of the other player after sowing from a house with seeds, by
/// where its byte begins, and the captured seeds.
#[inline(always)]
fn sow(own: u64, other: u64, begin: u32) -> (u64, u64, u64) {
    let seeds = (own >> begin) & 255;
    let of_house = &SOWING[begin as usize / 8 % ROW as usize];
    let Sown { own: more_own, other: more, shift } = of_house[(seeds as usize).min(SEEDS as usize)];
    let own = own - (seeds << begin) + more_own;
    let other = other + more;
    // Bytes of two or three become nothing, all others something; then a bit for each of them.
    let apart = (other ^ (ONES * 2)) & (ONES * 0xfe);
    let ripe = !((apart + ONES * 0x7f) | apart) & (ONES * 0x80);
    // The run of ripe houses that ends with the last one, from the top.
    let run = (!(ripe << shift) & TOPS).leading_zeros() & !7;
    let taken = other & (!(u64::MAX >> run) >> shift);
    (own, other - taken, taken)
}

/// The sum of the bytes of a row.
#[inline(always)]
fn sum(row: u64) -> u8 {
    (row.wrapping_mul(0x0101_0101_0101_0101) >> 56) as u8
}

/// The houses of a row with seeds: the top bit of each.
#[inline(always)]
fn filled(row: u64) -> u64 {
    (row + ONES * 0x7f) & TOPS
}

/// The houses that may be sown from, the top bit of each.
#[inline(always)]
fn choice(own: u64, other: u64) -> u64 {
    // A house with four seeds or more is never captured from, and sowing takes none away.
    if (other + ONES * 0x7c) & TOPS != 0 {
        return filled(own);
    }
    let (mut houses, mut legal) = (filled(own), 0);
    while houses != 0 {
        let bit = houses & houses.wrapping_neg();
        // The other player must keep a seed.
        if sow(own, other, bit.trailing_zeros() & !7).1 != 0 {
            legal |= bit;
        }
        houses -= bit;
    }
    legal
}

impl State {
    #[inline(always)]
    fn seeds(&self, house: u32) -> u8 {
        (self.rows[house as usize / ROW as usize % 2] >> (8 * (house % ROW))) as u8
    }

    /// Sows from a house of whoever moves, and captures; `None` if the other player is left without
    /// a seed.
    fn after(&self, house: u32) -> Option<State> {
        let (mover, other) = (usize::from(self.mover % 2), usize::from(1 - self.mover % 2));
        let mut state = *self;
        let (own, left, taken) = sow(self.rows[mover], self.rows[other], 8 * (house % ROW));
        (state.rows[mover], state.rows[other]) = (own, left);
        if left == 0 {
            return None;
        }
        state.captured[mover] += sum(taken);
        state.idle = if taken != 0 { 0 } else { self.idle + 1 };
        state.mover = other as u8;
        Some(state)
    }

    /// True if a player has more than half of the seeds, or nothing was captured for too long.
    #[inline(always)]
    fn is_decided(&self) -> bool {
        u32::from(self.captured[0].max(self.captured[1])) > SEEDS / 2 || self.idle == IDLE
    }

    /// The scores when nobody sows any more.
    fn scores(&self) -> Scores {
        // The seeds left go with the rows, which changes nothing where one has more than half.
        let of = |player: usize| self.captured[player] + sum(self.rows[player]);
        match of(0).cmp(&of(1)) {
            Ordering::Greater => Scores::FIRST,
            Ordering::Less => Scores::SECOND,
            Ordering::Equal => Scores::DRAW,
        }
    }
}

impl Rules for Oware {
    type State = State;
    /// The house sown from.
    type Action = u8;

    fn start(&self) -> State {
        START
    }

    fn expand(&self, state: &State, legal: &mut Vec<u8>) -> Turn {
        if state.is_decided() {
            return Turn::Over;
        }
        let first = ROW as u8 * state.mover;
        let houses = (first..first + ROW as u8)
            .filter(|&house| state.seeds(house.into()) > 0 && state.after(house.into()).is_some());
        legal.extend(houses);
        if legal.is_empty() { Turn::Over } else { Turn::Move(Player(state.mover)) }
    }

    fn apply(&self, state: &mut State, house: u8) {
        if let Some(after) = state.after(house.into()) {
            *state = after;
        }
    }

    fn scores(&self, state: &State) -> Scores {
        state.scores()
    }

    fn label(&self, _: &State, house: u8) -> String {
        let (file, rank) = match u32::from(house) {
            house @ 0..ROW => (house, 1),
            house => (HOUSES - 1 - house, 2),
        };
        format!("{}{rank}", char::from(b'a' + file as u8))
    }

    fn draw(&self, state: &State) -> String {
        let row = |houses: &mut dyn Iterator<Item = u32>| -> String {
            houses.map(|house| format!("{:3}", state.seeds(house))).collect()
        };
        let [first, second] = state.captured;
        format!(
            "2{}\n1{}\n   a  b  c  d  e  f\ncaptured {first} and {second}\n",
            row(&mut (ROW..HOUSES).rev()),
            row(&mut (0..ROW)),
        )
    }

    fn picture(&self, state: &State) -> Picture {
        let house = |house: u32| {
            let (file, rank) = if house < ROW { (house, 0) } else { (HOUSES - 1 - house, 1) };
            let name = format!("{}{}", file_name(file), rank + 1);
            let mut cell = Cell::new(name, [file as f32, rank as f32], Outline::House);
            cell.pieces = vec![Piece::new(None, "seeds").times(state.seeds(house).into())];
            cell
        };
        let [first, second] = state.captured;
        let won = |player: u8, seeds: u8| {
            tray("captured", Some(player), [Piece::new(None, "seeds").times(seeds.into())])
        };
        Picture { cells: (0..HOUSES).map(house).collect(), ..Picture::default() }
            .with_tray(won(0, first))
            .with_tray(won(1, second))
    }

    #[inline(always)]
    fn play_on<C: Cpu>(&self, cpu: C, state: State, rng: &mut Rng, cap: u32) -> Option<End> {
        if state.is_decided() {
            return Some(over(0, state.scores()));
        }
        Some(state.play_on(cpu, rng, cap))
    }
}

impl State {
    /// Plays random plies to the end, from a state that is not decided.
    #[inline(always)]
    fn play_on<C: Cpu>(self, cpu: C, rng: &mut Rng, cap: u32) -> End {
        let first = usize::from(self.mover % 2);
        let [mut own, mut other] = [self.rows[first], self.rows[1 - first]];
        let mut captured = [first, 1 - first].map(|player| u32::from(self.captured[player]));
        let (mut idle, mut plies) = (self.idle, 0);
        while captured[1] <= SEEDS / 2 && idle < IDLE {
            let houses = choice(own, other);
            if houses == 0 {
                break;
            }
            if plies == cap {
                return capped(cap);
            }
            plies += 1;
            let top = cpu.nth(houses, draw(rng, houses.count_ones()));
            let (left, theirs, taken) = sow(own, other, top & !7);
            // Whoever moves next comes first.
            (own, other) = (theirs, left);
            captured = [captured[1], captured[0] + u32::from(sum(taken))];
            idle = if taken != 0 { 0 } else { idle + 1 };
        }
        let mover = (first as u32 + plies) as u8 % 2;
        let captured = captured.map(|n| n as u8);
        let mut state = State { rows: [own, other], captured, mover, idle };
        if mover == 1 {
            state.rows.reverse();
            state.captured.reverse();
        }
        over(plies, state.scores())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sows seed by seed on plain numbers; the houses and the seeds captured.
    fn naive(mut houses: [u8; 12], house: usize) -> ([u8; 12], u8) {
        let (mut at, mut captured) = (house, 0);
        for _ in 0..std::mem::take(&mut houses[house]) {
            at = (at + 1) % 12;
            at += usize::from(at == house);
            houses[at % 12] += 1;
        }
        at %= 12;
        while at / 6 != house / 6 && matches!(houses[at], 2 | 3) {
            captured += std::mem::take(&mut houses[at]);
            at = (at + 11) % 12;
        }
        (houses, captured)
    }

    #[test]
    fn sowing_by_tables_is_sowing_seed_by_seed() {
        let mut rng = Rng::stream(12, 48);
        let mut captures = [0; 4];
        for _ in 0..20_000 {
            let mut houses = [0u8; 12];
            let most = 1 + rng.below(48);
            // Now and then one house has most of them.
            let heap = rng.below(12) as usize;
            for _ in 0..most {
                let house = if rng.below(3) == 0 { heap } else { rng.below(12) as usize };
                houses[house] += 1;
            }
            let row =
                |houses: &[u8]| houses.iter().rev().fold(0, |all, &n| all << 8 | u64::from(n));
            let rows = [row(&houses[..6]), row(&houses[6..])];
            let house = rng.below(12);
            if houses[house as usize] == 0 {
                continue;
            }
            let mover = u8::from(house >= ROW);
            let state = State { rows, captured: [0; 2], mover, idle: 3 };
            let (expected, captured) = naive(houses, house as usize);
            let other = if mover == 0 { &expected[6..] } else { &expected[..6] };
            let left: u8 = other.iter().sum();
            match state.after(house) {
                None => assert_eq!(left, 0, "{houses:?} {house}"),
                Some(after) => {
                    let found: Vec<u8> = (0..HOUSES).map(|h| after.seeds(h)).collect();
                    assert_eq!(found, expected, "{houses:?} {house}");
                    assert_eq!(after.captured[usize::from(mover)], captured);
                    assert!(left > 0, "{houses:?} {house}");
                    captures[usize::from(captured / 4).min(3)] += 1;
                }
            }
            let all: u64 = (0..ROW)
                .filter(|&h| {
                    let house = h as usize + 6 * usize::from(mover);
                    let (after, _) = naive(houses, house);
                    let other = if mover == 0 { &after[6..] } else { &after[..6] };
                    houses[house] > 0 && other.iter().any(|&n| n > 0)
                })
                .map(|h| 0x80 << (8 * h))
                .sum();
            let [own, other] = [mover, 1 - mover].map(|player| rows[usize::from(player)]);
            assert_eq!(choice(own, other), all, "{houses:?}");
        }
        assert!(captures.iter().all(|&n| n > 10), "{captures:?}");
    }
}
