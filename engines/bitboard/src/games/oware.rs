//! Oware: sowing and reaping around two rows of six houses.

use std::cmp::Ordering;

use play::{End, Player, Rng, Scores, Turn};

use crate::cpu::Cpu;
use crate::rules::{Rules, capped, draw, over};

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

/// What is in each house, a byte each, counterclockwise from the first player's left; what was
/// captured; whoever moves.
#[derive(Clone, Copy)]
pub(crate) struct State {
    houses: u128,
    captured: [u8; 2],
    mover: u8,
    idle: u8,
}

const START: State = State { houses: each(HOUSES) * 4, captured: [0; 2], mover: 0, idle: 0 };

/// A one in each of the first houses.
const fn each(houses: u32) -> u128 {
    let (mut all, mut house) = (0, 0);
    while house < houses {
        all |= 1 << (8 * house);
        house += 1;
    }
    all
}

/// What a house gives to all others when it holds so many seeds, and where the last one falls.
struct Sowing {
    gains: [[u128; SEEDS as usize + 1]; HOUSES as usize],
    last: [[u8; SEEDS as usize + 1]; HOUSES as usize],
}

static SOWING: Sowing = {
    let mut sowing = Sowing {
        gains: [[0; SEEDS as usize + 1]; HOUSES as usize],
        last: [[0; SEEDS as usize + 1]; HOUSES as usize],
    };
    let mut house = 0;
    while house < HOUSES as usize {
        let (mut gains, mut at, mut seeds) = (0u128, house, 1);
        while seeds <= SEEDS as usize {
            at = (at + 1) % HOUSES as usize;
            if at == house {
                at = (at + 1) % HOUSES as usize;
            }
            gains += 1 << (8 * at);
            sowing.gains[house][seeds] = gains;
            sowing.last[house][seeds] = at as u8;
            seeds += 1;
        }
        house += 1;
    }
    sowing
};

/// Ones in the six lowest bytes of a word.
const ONES: u64 = each(ROW) as u64;

impl State {
    /// The seeds of a player's row, a byte each from the house that is sown into first.
    #[inline(always)]
    fn row(&self, player: u8) -> u64 {
        (self.houses >> (8 * ROW * u32::from(player))) as u64 & (ONES * 255)
    }

    #[inline(always)]
    fn seeds(&self, house: u32) -> u8 {
        (self.houses >> (8 * house)) as u8
    }

    /// Sows from a house of whoever moves, and captures; `None` if the other player is left without
    /// a seed.
    #[inline(always)]
    fn after(&self, house: u32) -> Option<State> {
        let mut state = *self;
        let (index, seeds) = (house as usize % HOUSES as usize, self.seeds(house));
        let count = usize::from(seeds).min(SEEDS as usize);
        state.houses -= u128::from(seeds) << (8 * house);
        state.houses += SOWING.gains[index][count];
        let other = 1 - self.mover;
        let row = state.row(other);
        let last = u32::from(SOWING.last[index][count]).wrapping_sub(ROW * u32::from(other));
        // Bytes of two or three become nothing, all others something; then a bit for each of them.
        let apart = (row ^ (ONES * 2)) & (ONES * 0xfe);
        let ripe = !((apart + ONES * 0x7f) | apart) & (ONES * 0x80);
        let taken = if last < ROW {
            // The run of ripe houses that ends with the last one.
            let upto = ripe << (8 * (7 - last));
            let run = (!upto & (0x8080_8080_8080_8080)).leading_zeros() / 8;
            let run = run.min(last + 1);
            row & (((1u64 << (8 * run)) - 1) << (8 * (last + 1 - run)))
        } else {
            0
        };
        if row == taken {
            return None;
        }
        state.houses -= u128::from(taken) << (8 * ROW * u32::from(other));
        // The sum of the bytes, in the top one.
        let sum = (taken.wrapping_mul(0x0101_0101_0101_0101) >> 56) as u8;
        state.captured[usize::from(self.mover % 2)] += sum;
        state.idle = if sum > 0 { 0 } else { self.idle + 1 };
        state.mover = other;
        Some(state)
    }

    /// Whether a player has more than half of the seeds, or nothing was captured for too long.
    #[inline(always)]
    fn is_decided(&self) -> bool {
        u32::from(self.captured[0].max(self.captured[1])) > SEEDS / 2 || self.idle == IDLE
    }

    /// The houses that whoever moves may sow from, a bit each.
    #[inline(always)]
    fn choice(&self) -> u32 {
        let first = ROW * u32::from(self.mover);
        let (own, other) = (self.row(self.mover), self.row(1 - self.mover));
        let mut houses = 0;
        // A house with four seeds or more is never captured from, and sowing takes none away.
        let safe = (other + ONES * 0x7c) & (ONES * 0x80) != 0;
        for house in 0..ROW {
            let filled = own >> (8 * house) & 255 != 0;
            let legal = filled && (safe || self.after(first + house).is_some());
            houses |= u32::from(legal) << house;
        }
        houses
    }

    /// The scores when nobody sows any more.
    fn scores(&self) -> Scores {
        let of = |player: u8| {
            let captured = u32::from(self.captured[usize::from(player)]);
            // The seeds left go with the rows, which changes nothing where one has more than half.
            let rest = self.row(player).to_le_bytes().into_iter().map(u32::from);
            captured + rest.sum::<u32>()
        };
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

    const PLAYERS: u8 = 2;

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

    #[inline(always)]
    fn playout<C: Cpu>(&self, cpu: C, rng: &mut Rng, cap: u32) -> End {
        let mut state = START;
        let mut plies = 0;
        while !state.is_decided() {
            let houses = state.choice();
            if houses == 0 {
                break;
            }
            if plies == cap {
                return capped(cap);
            }
            plies += 1;
            let house = cpu.nth(houses.into(), draw(rng, houses.count_ones()));
            let Some(after) = state.after(house + ROW * u32::from(state.mover)) else { break };
            state = after;
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
            let packed = houses.iter().rev().fold(0, |all, &n| all << 8 | u128::from(n));
            let house = rng.below(12);
            if houses[house as usize] == 0 {
                continue;
            }
            let mover = u8::from(house >= ROW);
            let state = State { houses: packed, captured: [0; 2], mover, idle: 3 };
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
            let all: u32 = (0..ROW)
                .filter(|&h| {
                    let house = h as usize + 6 * usize::from(mover);
                    let (after, _) = naive(houses, house);
                    let other = if mover == 0 { &after[6..] } else { &after[..6] };
                    houses[house] > 0 && other.iter().any(|&n| n > 0)
                })
                .map(|h| 1 << h)
                .sum();
            assert_eq!(state.choice(), all, "{houses:?}");
        }
        assert!(captures.iter().all(|&n| n > 10), "{captures:?}");
    }
}
