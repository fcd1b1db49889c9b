//! Wumpus World.

use play::picture::{Cover, Picture, Piece};
use play::{Chance, End, Percepts, Player, Rng, Scores, Turn};

use crate::bits::Bits;
use crate::grid::{Grid, Ranks};
use crate::pictures::{CAVE, kinds};
use crate::rules::{Rules, capped, draw, over};
use cpu::Cpu;

/// Wumpus World on `N` x `N` squares (Russell and Norvig, *Artificial Intelligence: A Modern
/// Approach*), ended after [`LIMIT`] plies.
pub(crate) struct Wumpus<const N: u32>;

type Board<const N: u32> = Grid<Ranks, 1, N, N>;

/// The actions of the agent.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Act {
    Forward,
    Left,
    Right,
    Grab,
    Shoot,
    Climb,
}

/// All of them in the order in which they are listed.
const ACTS: [Act; 6] = [Act::Forward, Act::Left, Act::Right, Act::Grab, Act::Shoot, Act::Climb];

const NAMES: [&str; 6] = ["forward", "left", "right", "grab", "shoot", "climb"];

/// Directions, each left of the one before, by files and ranks. The agent begins with the first.
const DIRECTIONS: [(i32, i32); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];

/// Plies after which the game ends.
const LIMIT: u32 = 100;

const OF_ARROW: i32 = -10;
const OF_DEATH: i32 = -1000;
const OF_GOLD: i32 = 1000;

/// The status of the game.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Status {
    GoesOn,
    Dead,
    Out,
}

/// The cave, and the agent in it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct State {
    pits: Bits<1>,
    /// Empty before the cave is laid out.
    wumpus: Bits<1>,
    /// The square on which the gold lies or lay.
    gold: Bits<1>,
    /// Four times the square, and the direction faced.
    pose: u8,
    lives: bool,
    has_gold: bool,
    has_arrow: bool,
    plies: u8,
    status: Status,
}

impl State {
    fn square(&self) -> u32 {
        u32::from(self.pose / 4)
    }

    fn is_over(&self) -> bool {
        self.status != Status::GoesOn || u32::from(self.plies) == LIMIT
    }
}

/// A pose for each square of 8x8 and each direction.
const POSES: usize = 256;

/// Squares that one draw decides on, each of five outcomes of which one is a pit.
const AT_ONCE: u32 = 5;

/// For each outcome of such a draw the squares with a pit, from the lowest bit: the digits to base
/// five that are 4.
const PITS: [u8; 5usize.pow(AT_ONCE)] = {
    let (mut pits, mut outcome) = ([0; 5usize.pow(AT_ONCE)], 0);
    while outcome < pits.len() {
        let (mut rest, mut square) = (outcome, 0);
        while square < AT_ONCE {
            if rest % 5 == 4 {
                pits[outcome] |= 1 << square;
            }
            rest /= 5;
            square += 1;
        }
        outcome += 1;
    }
    pits
};

impl<const N: u32> Wumpus<N> {
    /// Squares that are not the agent's first.
    const OTHERS: u32 = Board::<N>::SQUARES - 1;

    /// The pose after each action from each pose.
    const NEXT: [[u8; 8]; POSES] = {
        assert!(2 <= N && N <= 8);
        let (mut next, mut pose) = ([[0; 8]; POSES], 0);
        while pose < 4 * Board::<N>::SQUARES {
            let (square, direction) = (pose / 4, pose % 4);
            let (files, ranks) = DIRECTIONS[direction as usize];
            next[pose as usize] = [pose as u8; 8];
            if Board::<N>::staying(files, ranks).contains_index(square as usize) {
                let ahead = square as i32 + Board::<N>::stride(files, ranks);
                next[pose as usize][Act::Forward as usize] = (4 * ahead as u32 + direction) as u8;
            }
            next[pose as usize][Act::Left as usize] = (4 * square + (direction + 1) % 4) as u8;
            next[pose as usize][Act::Right as usize] = (4 * square + (direction + 3) % 4) as u8;
            pose += 1;
        }
        next
    };

    /// The squares that an arrow flies through from each pose.
    const FLIGHTS: [Bits<1>; POSES] = {
        let (mut flights, mut pose) = ([Bits::EMPTY; POSES], 0);
        while pose < 4 * Board::<N>::SQUARES {
            let (files, ranks) = DIRECTIONS[pose as usize % 4];
            flights[pose as usize] = Board::<N>::ray(pose / 4, files, ranks);
            pose += 1;
        }
        flights
    };

    /// The squares beside those of a set.
    fn beside(set: Bits<1>) -> Bits<1> {
        Board::<N>::step::<1, 0>(set)
            | Board::<N>::step::<-1, 0>(set)
            | Board::<N>::step::<0, 1>(set)
            | Board::<N>::step::<0, -1>(set)
    }

    /// Draws pits, the wumpus and the gold.
    #[inline(always)]
    fn lay<C: Chance + ?Sized>(chance: &mut C) -> [Bits<1>; 3] {
        let mut pits = 0;
        let mut square = 0;
        while square < Self::OTHERS {
            let drawn = chance.below(5u32.pow(AT_ONCE.min(Self::OTHERS - square)));
            pits |= u64::from(PITS[drawn as usize % PITS.len()]) << square;
            square += AT_ONCE;
        }
        let wumpus = 1u64 << chance.below(Self::OTHERS);
        let gold = 1u64 << chance.below(Self::OTHERS);
        // The first square is a1, which has none of them.
        [pits, wumpus, gold].map(|set| Bits::from_words([set << 1]))
    }

    fn perceive_square(state: &State, percepts: &mut Percepts) {
        let mut tell = |perceived: bool, what: &str| {
            if perceived {
                percepts.tell(Player(0), what);
            }
        };
        let here = state.square();
        tell((state.wumpus | Self::beside(state.wumpus)).contains(here), "stench");
        tell(Self::beside(state.pits).contains(here), "breeze");
        tell(state.gold.contains(here) && !state.has_gold, "glitter");
    }
}

impl<const N: u32> Rules for Wumpus<N> {
    type State = State;
    type Action = Act;

    const PLAYERS: u8 = 1;
    const CHANCE: bool = true;
    const HIDDEN: bool = true;

    fn start(&self) -> State {
        State {
            pits: Bits::EMPTY,
            wumpus: Bits::EMPTY,
            gold: Bits::EMPTY,
            pose: 0,
            lives: true,
            has_gold: false,
            has_arrow: true,
            plies: 0,
            status: Status::GoesOn,
        }
    }

    fn happen<C: Chance + ?Sized>(&self, state: &mut State, chance: &mut C) {
        if state.wumpus.is_empty() {
            [state.pits, state.wumpus, state.gold] = Self::lay(chance);
        }
    }

    fn expand(&self, state: &State, legal: &mut Vec<Act>) -> Turn {
        if state.is_over() {
            return Turn::Over;
        }
        legal.extend(ACTS.into_iter().filter(|act| match act {
            Act::Shoot => state.has_arrow,
            Act::Climb => state.square() == 0,
            _ => true,
        }));
        Turn::Move(Player(0))
    }

    fn apply(&self, state: &mut State, act: Act) {
        state.plies += 1;
        match act {
            Act::Forward | Act::Left | Act::Right => {
                state.pose = Self::NEXT[usize::from(state.pose)][act as usize];
                let here = state.square();
                if state.pits.contains(here) || state.lives && state.wumpus.contains(here) {
                    state.status = Status::Dead;
                }
            }
            Act::Grab => state.has_gold |= state.gold.contains(state.square()),
            Act::Shoot => {
                state.has_arrow = false;
                state.lives &= !state.wumpus.intersects(Self::FLIGHTS[usize::from(state.pose)]);
            }
            Act::Climb => state.status = Status::Out,
        }
    }

    fn perceive_start(&self, start: &State, percepts: &mut Percepts) {
        Self::perceive_square(start, percepts);
    }

    fn perceive(&self, before: &State, act: Act, after: &State, percepts: &mut Percepts) {
        match after.status {
            Status::Dead => percepts.tell(Player(0), "dead"),
            Status::Out => percepts.tell(Player(0), "out"),
            Status::GoesOn if after.is_over() => {}
            Status::GoesOn => {
                Self::perceive_square(after, percepts);
                if act == Act::Forward && before.pose == after.pose {
                    percepts.tell(Player(0), "bump");
                }
                if before.lives && !after.lives {
                    percepts.tell(Player(0), "scream");
                }
            }
        }
    }

    fn scores(&self, state: &State) -> Scores {
        let mut payoff = -i32::from(state.plies);
        if !state.has_arrow {
            payoff += OF_ARROW;
        }
        payoff += match state.status {
            Status::Dead => OF_DEATH,
            Status::Out if state.has_gold => OF_GOLD,
            _ => 0,
        };
        Scores::single(payoff)
    }

    fn label(&self, _: &State, act: Act) -> String {
        NAMES[act as usize].to_owned()
    }

    fn picture(&self, state: &State) -> Picture {
        let agent = [">", "^", "<", "v"][usize::from(state.pose % 4)];
        let board = Board::<N>::picture(false, |square| {
            let here = |set: Bits<1>| set.contains(square);
            match (here(state.wumpus), here(state.pits), here(state.gold) && !state.has_gold) {
                (true, false, false) => 'W',
                (false, true, false) => 'P',
                (false, false, true) => 'G',
                (false, false, false) => '.',
                _ => '*',
            }
        });
        let named = |set: Bits<1>| set.iter().map(Board::<N>::name).collect::<Vec<_>>().join(" ");
        let gold = if state.has_gold { "in hand".to_owned() } else { named(state.gold) };
        let wumpus = if state.lives { "alive" } else { "dead" };
        let notes = format!(
            "agent {} {agent}{}, {} plies\npits {}\nwumpus {} {wumpus}\ngold {gold}\n",
            Board::<N>::name(state.square()),
            if state.has_arrow { " with an arrow" } else { "" },
            state.plies,
            named(state.pits),
            named(state.wumpus),
        );
        // In the text, several things on a square are a star.
        let mut picture = board.with_notes(&notes).with_signs(kinds(&CAVE));
        for cell in &mut picture.cells {
            cell.cover = Cover::From(vec![Player(0)]);
            if cell.sign == "*" {
                cell.pieces.clear();
            }
        }
        let gold = if state.has_gold { Bits::EMPTY } else { state.gold };
        for (set, kind) in [(state.wumpus, "wumpus"), (state.pits, "pit"), (gold, "gold")] {
            for name in set.iter().map(Board::<N>::name) {
                if let Some(cell) = picture.cell_mut(&name).filter(|cell| cell.sign == "*") {
                    cell.pieces.push(Piece::new(None, kind));
                }
            }
        }
        let facing = [90, 0, 270, 180][usize::from(state.pose % 4)];
        let agent = Piece::of(0, "agent").facing([facing]);
        if let Some(cell) = picture.cell_mut(&Board::<N>::name(state.square())) {
            cell.pieces.push(agent);
            cell.cover = Cover::Open;
        }
        picture
    }

    #[inline(always)]
    fn playout<C: Cpu>(&self, _: C, rng: &mut Rng, cap: u32) -> End {
        let [pits, mut wumpus, gold] = Self::lay(rng).map(
            #[inline(always)]
            |set| set.words[0],
        );
        let (mut pose, mut arrow, mut has_gold) = (0u8, 1u32, false);
        let mut plies = 0;
        let left_over = loop {
            if plies == cap {
                return capped(cap);
            }
            plies += 1;
            let drawn = draw(rng, 4 + arrow + u32::from(pose < 4)) as usize;
            // Without an arrow the fifth is climbing.
            let act = drawn + usize::from(drawn >= Act::Shoot as usize && arrow == 0);
            if act == Act::Climb as usize {
                break if has_gold { OF_GOLD } else { 0 };
            }
            let shoots = act == Act::Shoot as usize;
            if shoots {
                wumpus &= !Self::FLIGHTS[usize::from(pose)].words[0];
                arrow = 0;
            }
            pose = Self::NEXT[usize::from(pose)][act % 8];
            let here = 1u64 << (pose / 4);
            has_gold |= act == Act::Grab as usize && gold & here != 0;
            if here & (pits | wumpus) != 0 {
                break OF_DEATH;
            }
            if plies == LIMIT {
                break 0;
            }
        };
        let of_arrow = if arrow == 0 { OF_ARROW } else { 0 };
        over(plies, Scores::single(left_over + of_arrow - plies as i32))
    }
}
