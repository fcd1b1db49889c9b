//! Leduc poker.

use play::picture::{Picture, Piece};
use play::{Chance, Encoding, End, Job, Percepts, Player, Rng, Scores, Turn};

use super::{RANKS, play_hands};
use crate::pictures::{held, tray};
use crate::rules::{Results, Rules, coin, draw, over_unless_capped};
use cpu::Cpu;

/// Leduc poker: six cards of three ranks and two suits, one each and an open one, two rounds of
/// bets (Southey et al., *Bayes' bluff: opponent modelling in poker*, 2005).
pub(crate) struct LeducPoker;

/// The actions of a player.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Act {
    /// Puts in what is missing, which may be nothing.
    Call,
    /// The same and more.
    Raise,
    /// Gives up what he has put in.
    Fold,
}

impl Act {
    const fn name(self) -> &'static str {
        match self {
            Act::Call => "call",
            Act::Raise => "raise",
            Act::Fold => "fold",
        }
    }
}

/// The cards, of which two follow each other in rank, and what was put in.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct State {
    /// Both players' and the open one; [`CARDS`] before it is dealt.
    cards: [u8; 3],
    /// Rounds that have ended.
    round: u8,
    /// Plies of this round, raises among them.
    plies: u8,
    raises: u8,
    /// The stake of each player.
    put: [i32; 2],
    folded: bool,
}

/// The percept of the open card, by its rank.
const OPEN: [&str; 3] = ["open jack", "open queen", "open king"];

/// Number of cards.
const CARDS: u8 = 6;

/// The amount of a raise beyond being even, by round.
const RAISES: [i32; 2] = [2, 4];

/// Raises in a round.
const MOST_RAISES: u8 = 2;

impl State {
    fn mover(&self) -> usize {
        usize::from(self.plies % 2)
    }

    /// The payoff of the first player at the showdown, by the cards.
    #[inline(always)]
    fn shown([first, second, open]: [u8; 3], put: i32) -> i32 {
        let [first, second, open] = [first, second, open].map(|card| card / 2);
        // A pair is above all ranks.
        let [first, second] = [first, second].map(|rank| if rank == open { 3 } else { rank });
        put * (i32::from(first > second) - i32::from(first < second))
    }
}

/// The card of a number that counts only those that have not been dealt, given these in ascending
/// order.
#[inline(always)]
fn undealt(number: u32, dealt: [u8; 2]) -> u8 {
    let card = number as u8;
    let card = card + u8::from(card >= dealt[0]);
    card + u8::from(card >= dealt[1])
}

impl Rules for LeducPoker {
    type State = State;
    type Action = Act;

    const CHANCE: bool = true;
    const HIDDEN: bool = true;

    fn start(&self) -> State {
        let cards = [CARDS; 3];
        State { cards, round: 0, plies: 0, raises: 0, put: [1; 2], folded: false }
    }

    fn happen<C: Chance + ?Sized>(&self, state: &mut State, chance: &mut C) {
        let [first, second, open] = &mut state.cards;
        if *first == CARDS {
            *first = chance.below(6) as u8;
            *second = undealt(chance.below(5), [*first, CARDS]);
        } else if state.round == 1 && *open == CARDS {
            *open = undealt(chance.below(4), [*first.min(second), *first.max(second)]);
        }
    }

    fn expand(&self, state: &State, legal: &mut Vec<Act>) -> Turn {
        if state.folded || state.round == 2 {
            return Turn::Over;
        }
        legal.push(Act::Call);
        if state.raises < MOST_RAISES {
            legal.push(Act::Raise);
        }
        if state.put[state.mover()] < state.put[1 - state.mover()] {
            legal.push(Act::Fold);
        }
        Turn::Move(Player(state.plies % 2))
    }

    fn apply(&self, state: &mut State, act: Act) {
        let mover = state.mover();
        let even = state.put[1 - mover];
        match act {
            Act::Call => state.put[mover] = even,
            Act::Raise => {
                state.put[mover] = even + RAISES[usize::from(state.round)];
                state.raises += 1;
            }
            Act::Fold => state.folded = true,
        }
        if act == Act::Call && state.plies > 0 {
            (state.round, state.plies, state.raises) = (state.round + 1, 0, 0);
        } else {
            state.plies += 1;
        }
    }

    fn perceive_start(&self, start: &State, percepts: &mut Percepts) {
        for (player, card) in (0..2).zip(start.cards) {
            percepts.tell(Player(player), RANKS[usize::from(card / 2)]);
        }
    }

    fn perceive(&self, before: &State, act: Act, after: &State, percepts: &mut Percepts) {
        percepts.tell_all(2, act.name());
        if before.cards[2] != after.cards[2] {
            percepts.tell_all(2, OPEN[usize::from(after.cards[2] / 2)]);
        }
    }

    fn scores(&self, state: &State) -> Scores {
        let won = if state.folded {
            // Who folded is not to move any more.
            let loser = 1 - state.mover();
            if loser == 0 { -state.put[0] } else { state.put[1] }
        } else {
            State::shown(state.cards, state.put[0])
        };
        Scores::two(won, -won)
    }

    fn label(&self, _: &State, act: Act) -> String {
        act.name().to_owned()
    }

    fn draw(&self, state: &State) -> String {
        let [first, second, open] =
            state.cards.map(|card| RANKS.get(usize::from(card / 2)).unwrap_or(&"covered"));
        let [a, b] = state.put;
        let (round, plies) = (state.round + 1, state.plies);
        format!("{first} {a}\n{second} {b}\nopen: {open}\nround {round}, {plies} plies\n")
    }

    fn picture(&self, state: &State) -> Picture {
        let [first, second, open] = state.cards.map(|card| {
            let rank = RANKS.get(usize::from(card / 2)).unwrap_or(&"covered");
            (*rank).to_owned()
        });
        let stake = |player: u8| {
            let stake = state.put[usize::from(player)].unsigned_abs();
            tray("stake", Some(player), [Piece::new(None, "coin").times(stake)])
        };
        Picture::default()
            .with_tray(held(0, [first]))
            .with_tray(stake(0))
            .with_tray(held(1, [second]))
            .with_tray(stake(1))
            .with_tray(tray("open card", None, [Piece::new(None, format!("card {open}"))]))
            .with_notes(&format!("round {}, {} plies", state.round + 1, state.plies))
    }

    fn encoding(&self) -> Option<Encoding> {
        let acts = || [Act::Call, Act::Raise, Act::Fold].map(|act| act.name().to_owned());
        let cards = RANKS.iter().map(|&rank| rank.to_owned());
        let open = OPEN.iter().map(|&rank| rank.to_owned());
        Some(Encoding::perceived(acts().into(), cards.chain(open).chain(acts()).collect()))
    }

    fn code(&self, _: &State, act: Act) -> u32 {
        act as u32
    }

    #[inline(always)]
    fn playout<C: Cpu>(&self, _: C, rng: &mut Rng, cap: u32) -> End {
        let (plies, won) = hand(rng);
        over_unless_capped(plies, Scores::two(won, -won), cap)
    }

    #[inline(always)]
    fn play<C: Cpu>(&self, _: C, job: &Job, results: &mut Results) {
        play_hands(job, results, hand);
    }
}

/// Plays a hand, and says how many plies it took and what the first player won.
#[inline(always)]
fn hand(rng: &mut Rng) -> (u32, i32) {
    let first = draw(rng, 6) as u8;
    let second = undealt(draw(rng, 5), [first, CARDS]);
    let (mut even, mut plies) = (1, 0);
    if let Some(won) = bets(rng, &mut even, &mut plies, RAISES[0]) {
        return (plies, won);
    }
    let open = undealt(draw(rng, 4), [first.min(second), first.max(second)]);
    match bets(rng, &mut even, &mut plies, RAISES[1]) {
        Some(won) => (plies, won),
        None => (plies, State::shown([first, second, open], even)),
    }
}

/// Plays a round of bets, in which both have put in `even`: what the first player won, if somebody
/// folds.
#[inline(always)]
fn bets(rng: &mut Rng, even: &mut i32, plies: &mut u32, raise: i32) -> Option<i32> {
    let lost_by = |mover: u32, put: i32| if mover == 0 { -put } else { put };
    // Who answers the first raise.
    let mut mover = 1;
    *plies += 1;
    if coin(rng) == 0 {
        *plies += 1;
        if coin(rng) == 0 {
            return None;
        }
        mover = 0;
    }
    *plies += 1;
    match draw(rng, 3) {
        0 => {
            *even += raise;
            None
        }
        1 => {
            *even += raise;
            *plies += 1;
            if coin(rng) == 0 {
                *even += raise;
                return None;
            }
            Some(lost_by(1 - mover, *even))
        }
        _ => Some(lost_by(mover, *even)),
    }
}
