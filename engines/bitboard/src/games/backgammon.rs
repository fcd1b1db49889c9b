//! Backgammon, a checker a ply.

use play::picture::{Cell, Outline, Picture, Piece, file_name};
use play::{Chance, End, Player, Rng, Scores, Turn};

use crate::pictures::tray;
use crate::rules::{Rules, capped, draw, over};
use cpu::Cpu;

/// A ply moves one checker by one of the dice, as long as one of them can be played; a double is
/// played four times. Nobody has to choose the plies that use most of the dice. Who wins before the
/// other has borne off a checker gains double, and threefold if one of them is still in the
/// winner's home or on the bar.
pub(crate) struct Backgammon;

/// Checkers of a player.
const CHECKERS: u8 = 15;

/// Points; each player has his own numbers for them, from 1 to 24 on his way home. 0 is the bar.
const POINTS: u32 = 24;

/// The points from which a player bears off, and those before them with the bar.
const HOME: u32 = 0b11_1111 << (POINTS - 5);
const AWAY: u32 = (1 << (POINTS - 5)) - 1;

/// The checkers of a player.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Side {
    /// Checkers on the bar and on each point.
    checkers: [u8; POINTS as usize + 1],
    /// The places with any checkers, and those with more than one: a bit for each place.
    any: u32,
    more: u32,
    off: u8,
}

/// Both sides, and what may be played.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct State {
    sides: [Side; 2],
    dice: [u8; 2],
    /// The number of times that each of the dice may be played; none before they are rolled.
    rest: [u8; 2],
    mover: u8,
    /// True if this is the first roll, of two different dice.
    opens: bool,
}

/// The number of the die that is played, and the place from which.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    Play { die: u8, from: u8 },
    Pass,
}

/// The same points in the numbers of the other player.
#[inline(always)]
const fn turned(points: u32) -> u32 {
    points.reverse_bits() >> (31 - POINTS - 1)
}

impl Side {
    const START: Side = {
        let mut checkers = [0; POINTS as usize + 1];
        (checkers[1], checkers[12], checkers[17], checkers[19]) = (2, 5, 3, 5);
        let any = 1 << 1 | 1 << 12 | 1 << 17 | 1 << 19;
        Side { checkers, any, more: any, off: 0 }
    };

    #[inline(always)]
    fn set(&mut self, place: u32, checkers: u8) {
        self.checkers[place as usize] = checkers;
        let bit = 1 << place;
        self.any = self.any & !bit | if checkers > 0 { bit } else { 0 };
        self.more = self.more & !bit | if checkers > 1 { bit } else { 0 };
    }

    #[inline(always)]
    fn add(&mut self, place: u32, more: i8) {
        self.set(place, self.checkers[place as usize].wrapping_add_signed(more));
    }
}

/// The places from which a side may play a die against the points that the other one holds.
#[inline(always)]
fn sources(own: &Side, other: &Side, die: u8) -> u32 {
    let die = u32::from(die);
    let blocked = turned(other.more & !1);
    // Who has a checker on the bar moves that one.
    let from = if own.any & 1 != 0 { 1 } else { own.any };
    let reach = (2 << POINTS) - 2;
    let on = (from << die & reach & !blocked) >> die;
    let exact = 1 << (POINTS + 1 - die);
    let off = if own.any & AWAY != 0 {
        0
    } else if own.any & exact != 0 {
        exact
    } else if own.any & (exact - 1) == 0 {
        // All are nearer than the die says: the farthest of them.
        own.any & own.any.wrapping_neg()
    } else {
        0
    };
    on | off
}

impl State {
    const START: State =
        State { sides: [Side::START; 2], dice: [0; 2], rest: [0; 2], mover: 0, opens: true };

    /// The places from which each of the dice may be played.
    #[inline(always)]
    fn plays(&self) -> [u32; 2] {
        let mover = usize::from(self.mover % 2);
        let (own, other) = (&self.sides[mover], &self.sides[1 - mover]);
        std::array::from_fn(
            |i| if self.rest[i] > 0 { sources(own, other, self.dice[i]) } else { 0 },
        )
    }

    /// Rolls the dice, if none is left and nobody has won.
    #[inline(always)]
    fn roll<C: Chance + ?Sized>(&mut self, chance: &mut C) {
        if self.rest != [0; 2] || self.winner().is_some() {
            return;
        }
        let first = chance.below(6);
        let second = if self.opens {
            let other = chance.below(5);
            other + u32::from(other >= first)
        } else {
            chance.below(6)
        };
        self.opens = false;
        self.dice = [first as u8 + 1, second as u8 + 1];
        self.rest = if first == second { [4, 0] } else { [1, 1] };
    }

    /// Plays a die from a place.
    #[inline(always)]
    fn play(&mut self, die: usize, from: u32) {
        let (mover, steps) = (usize::from(self.mover % 2), u32::from(self.dice[die % 2]));
        self.rest[die % 2] -= 1;
        self.sides[mover].add(from, -1);
        let to = from + steps;
        if to > POINTS {
            self.sides[mover].off += 1;
        } else {
            self.sides[mover].add(to, 1);
            let other = &mut self.sides[1 - mover];
            let hit = POINTS + 1 - to;
            if other.checkers[hit as usize] == 1 {
                other.set(hit, 0);
                other.add(0, 1);
            }
        }
        if self.rest == [0; 2] {
            self.mover = 1 - self.mover;
        }
    }

    fn pass(&mut self) {
        self.rest = [0; 2];
        self.mover = 1 - self.mover;
    }

    #[inline(always)]
    fn winner(&self) -> Option<u8> {
        (0..2).find(|&player| self.sides[usize::from(player)].off == CHECKERS)
    }

    fn scores(&self) -> Scores {
        let Some(winner) = self.winner() else { return Scores::DRAW };
        let other = &self.sides[usize::from(1 - winner)];
        let behind = other.any & (1 | turned(HOME)) != 0;
        let gain = match (other.off, behind) {
            (0, true) => 3,
            (0, false) => 2,
            _ => 1,
        };
        let gain = if winner == 0 { gain } else { -gain };
        Scores::two(gain, -gain)
    }
}

/// The name of a place: the points of the first player are files, between the bars.
fn name(mover: u8, place: u8) -> String {
    let file = if mover == 0 { place } else { POINTS as u8 + 1 - place };
    format!("{}1", char::from(b'a' + file))
}

impl Rules for Backgammon {
    type State = State;
    type Action = Action;

    const CHANCE: bool = true;

    fn start(&self) -> State {
        State::START
    }

    fn happen<C: Chance + ?Sized>(&self, state: &mut State, chance: &mut C) {
        state.roll(chance);
    }

    fn expand(&self, state: &State, legal: &mut Vec<Action>) -> Turn {
        if state.winner().is_some() {
            return Turn::Over;
        }
        for (die, sources) in (0..).zip(state.plays()) {
            let places = (0..=POINTS as u8).filter(|place| sources >> place & 1 == 1);
            legal.extend(places.map(|from| Action::Play { die, from }));
        }
        if legal.is_empty() {
            legal.push(Action::Pass);
        }
        Turn::Move(Player(state.mover))
    }

    fn apply(&self, state: &mut State, action: Action) {
        match action {
            Action::Play { die, from } => state.play(die.into(), from.into()),
            Action::Pass => state.pass(),
        }
    }

    fn scores(&self, state: &State) -> Scores {
        state.scores()
    }

    fn label(&self, state: &State, action: Action) -> String {
        let Action::Play { die, from } = action else { return play::PASS.to_owned() };
        let bears_off = |die: usize| u32::from(from + state.dice[die]) > POINTS;
        let target = if bears_off(die.into()) {
            // Both dice may do it.
            let again = die == 1 && state.plays()[0] >> from & 1 == 1 && bears_off(0);
            format!("hand{}{}", state.mover + 1, if again { "#2" } else { "" })
        } else {
            name(state.mover, from + state.dice[usize::from(die)])
        };
        name(state.mover, from) + &target
    }

    fn is_pass(&self, action: Action) -> bool {
        action == Action::Pass
    }

    fn draw(&self, state: &State) -> String {
        let [first, second] = &state.sides;
        let row = |count: &dyn Fn(usize) -> u8| -> String {
            (0..=POINTS as usize + 1).map(|file| format!("{:3}", count(file))).collect()
        };
        let last = POINTS as usize + 1;
        let own = |side: &Side, place: usize| side.checkers.get(place).copied().unwrap_or(0);
        format!(
            "x{}\no{}\n {}\noff {} and {}; dice {:?}, to be played {:?}\n",
            row(&|file| own(first, file)),
            row(&|file| own(second, last - file)),
            ('a'..='z').map(|file| format!("  {file}")).collect::<String>(),
            first.off,
            second.off,
            state.dice,
            state.rest,
        )
    }

    fn picture(&self, state: &State) -> Picture {
        let last = POINTS as usize + 1;
        let mut cells = Vec::new();
        for file in 0..=last {
            // The first player goes from `a` to `z` round the board; the bars are in the middle.
            let (name, way, x) = match file {
                0 | 25 => (file, 0, 6.0),
                1..=12 => (file, 1, 12.0 - (file as f32 - 1.0) - f32::from(u8::from(file > 6))),
                _ => (file, -1, file as f32 - 13.0 + f32::from(u8::from(file > 18))),
            };
            let y = match (way, file) {
                (0, 0) => 1.6,
                (0, _) => 8.4,
                (1, _) => -0.5,
                _ => 10.5,
            };
            let outline = if way == 0 { Outline::Square } else { Outline::Spike(way) };
            let mut cell = Cell::new(format!("{}1", file_name(name as u32)), [x, y], outline);
            for (owner, side, place) in [(0, 0, file), (1, 1, last - file)] {
                let count = state.sides[side].checkers.get(place).copied().unwrap_or(0);
                if count > 0 {
                    cell.pieces.push(Piece::of(owner, "disc").times(count.into()));
                }
            }
            cells.push(cell);
        }
        let off = |player: u8| {
            let count = state.sides[usize::from(player)].off.into();
            tray("off", Some(player), (count > 0).then(|| Piece::of(player, "disc").times(count)))
        };
        let rolled = (0..2).filter(|&die| state.dice[die] > 0);
        let dice = rolled.map(|die| Piece::new(None, format!("die {}", state.dice[die])));
        let played = format!("to be played {:?}", state.rest);
        Picture { cells, ..Picture::default() }
            .with_tray(off(0))
            .with_tray(off(1))
            .with_tray(tray("dice", None, dice))
            .with_notes(&played)
    }

    #[inline(always)]
    fn playout<C: Cpu>(&self, cpu: C, rng: &mut Rng, cap: u32) -> End {
        play_on(cpu, State::START, rng, cap)
    }

    #[inline(always)]
    fn play_on<C: Cpu>(&self, cpu: C, state: State, rng: &mut Rng, cap: u32) -> Option<End> {
        Some(play_on(cpu, state, rng, cap))
    }
}

/// Plays on, with what is left of the dice that have fallen.
#[inline(always)]
fn play_on<C: Cpu>(cpu: C, mut state: State, rng: &mut Rng, cap: u32) -> End {
    let mut plies = 0;
    while state.winner().is_none() {
        state.roll(rng);
        let [first, second] = state.plays();
        // Those of the second die stand above those of the first.
        let all = u64::from(first) | u64::from(second) << 32;
        if all == 0 {
            state.pass();
            continue;
        }
        if plies == cap {
            return capped(cap);
        }
        plies += 1;
        let place = cpu.nth(all, draw(rng, all.count_ones()));
        state.play(place as usize / 32, place % 32);
    }
    over(plies, state.scores())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// True if a side may play a die from a place, by looking at every checker.
    fn may(own: &Side, other: &Side, die: u32, from: u32) -> bool {
        let has = |place: u32| own.checkers[place as usize] > 0;
        let (to, waits) = (from + die, has(0) && from != 0);
        if !has(from) || waits {
            return false;
        }
        if to <= POINTS {
            return other.checkers[(25 - to) as usize] < 2;
        }
        let farthest = (0..=POINTS).find(|&place| has(place)).unwrap();
        farthest > 18 && (to == 25 || farthest == from)
    }

    #[test]
    fn sources_are_those_of_a_look_at_every_checker() {
        let (mut rng, mut ends, mut bars, mut off) = (Rng::stream(24, 15), 0, 0, 0);
        for _ in 0..300 {
            let mut state = State::START;
            while state.winner().is_none() {
                state.roll(&mut rng);
                let mover = usize::from(state.mover);
                let (own, other) = (&state.sides[mover], &state.sides[1 - mover]);
                for side in [own, other] {
                    let on: u8 = side.checkers.iter().sum();
                    assert_eq!(on + side.off, CHECKERS);
                }
                for die in 1..=6 {
                    let found = sources(own, other, die);
                    for from in 0..=POINTS {
                        let expected = may(own, other, die.into(), from);
                        assert_eq!(found >> from & 1 == 1, expected, "{die} from {from}");
                        off += u32::from(expected && from + u32::from(die) > 25);
                    }
                    bars += u32::from(own.any & 1 != 0);
                }
                let mut legal = Vec::new();
                Backgammon.expand(&state, &mut legal);
                let action = legal[rng.below(legal.len() as u32) as usize];
                Backgammon.apply(&mut state, action);
            }
            let loser = &state.sides[usize::from(1 - state.winner().unwrap())];
            ends |= 1 << (state.scores().get(Player(0)).unsigned_abs());
            assert!(loser.off < CHECKERS);
        }
        assert!(ends == 0b1110 && bars > 1000 && off > 1000, "{ends:b} {bars} {off}");
    }
}
