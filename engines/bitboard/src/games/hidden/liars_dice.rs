//! Liar's dice with one die each.

use play::picture::{Picture, Piece, Tray};
use play::{Chance, Encoding, End, Percepts, Player, Rng, Scores, Turn};

use crate::pictures::{held, tray};
use crate::rules::{Rules, capped, draw, over};
use cpu::Cpu;

/// Liar's dice as it is used in research on games of imperfect information: one die each, seen by
/// its owner only, and sixes count as every face.
pub(crate) struct LiarsDice;

/// The dice, and what was said.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct State {
    /// From 1; 0 before they are thrown.
    dice: [u8; 2],
    /// The number of the last bid, see [`dice_and_face`]; 0 before the first.
    bid: u8,
    /// The plies so far.
    said: u8,
    called: bool,
}

const FACES: u8 = 6;

/// Number of bids: one or two dice of each face.
const BIDS: u8 = 2 * FACES;

/// In the place of a bid: the last one is called a lie.
const LIAR: u8 = 0;

/// The number of dice and the face that a bid names. The greater its number from 1, the higher the
/// bid.
const fn dice_and_face(bid: u8) -> (u8, u8) {
    ((bid - 1) / FACES + 1, (bid - 1) % FACES + 1)
}

/// True if a bid is true of the dice.
#[inline(always)]
fn holds(bid: u8, dice: [u8; 2]) -> bool {
    let (many, face) = dice_and_face(bid);
    let [one, other] = dice.map(
        #[inline(always)]
        |die| u8::from(die == face || die == FACES),
    );
    one + other >= many
}

/// The payoffs when a bid is called by this player.
#[inline(always)]
fn payoffs(caller: u32, bid: u8, dice: [u8; 2]) -> Scores {
    let first_wins = (caller == 1) == holds(bid, dice);
    if first_wins { Scores::two(1, -1) } else { Scores::two(-1, 1) }
}

fn name(said: u8) -> String {
    if said == LIAR {
        return "liar".to_owned();
    }
    let (many, face) = dice_and_face(said);
    format!("{many}x{face}")
}

impl Rules for LiarsDice {
    type State = State;
    /// A bid or [`LIAR`].
    type Action = u8;

    const CHANCE: bool = true;
    const HIDDEN: bool = true;

    fn start(&self) -> State {
        State { dice: [0; 2], bid: 0, said: 0, called: false }
    }

    fn happen<C: Chance + ?Sized>(&self, state: &mut State, chance: &mut C) {
        if state.dice == [0; 2] {
            state.dice = [0; 2].map(|_: u8| 1 + chance.below(FACES.into()) as u8);
        }
    }

    fn expand(&self, state: &State, legal: &mut Vec<u8>) -> Turn {
        if state.called {
            return Turn::Over;
        }
        legal.extend(state.bid + 1..=BIDS);
        if state.bid > 0 {
            legal.push(LIAR);
        }
        Turn::Move(Player(state.said % 2))
    }

    fn apply(&self, state: &mut State, said: u8) {
        state.said += 1;
        if said == LIAR {
            state.called = true;
        } else {
            state.bid = said;
        }
    }

    fn perceive_start(&self, start: &State, percepts: &mut Percepts) {
        for (player, die) in (0..).zip(start.dice) {
            percepts.tell(Player(player), format!("die {die}"));
        }
    }

    fn perceive(&self, _: &State, said: u8, _: &State, percepts: &mut Percepts) {
        percepts.tell_all(2, &name(said));
    }

    fn scores(&self, state: &State) -> Scores {
        payoffs(u32::from(1 - state.said % 2), state.bid, state.dice)
    }

    fn label(&self, _: &State, said: u8) -> String {
        name(said)
    }

    fn draw(&self, state: &State) -> String {
        let [one, other] = state.dice;
        let bid = if state.bid > 0 { name(state.bid) } else { "none".to_owned() };
        let called = if state.called { ", liar" } else { "" };
        format!("dice {one} {other}\nlast bid of {}: {bid}{called}\n", state.said)
    }

    fn picture(&self, state: &State) -> Picture {
        let die = |player: u8| {
            let die = state.dice[usize::from(player)];
            let dice = (die > 0).then(|| Piece::new(None, format!("die {die}")));
            let cover = held(player, []).cover;
            Tray { cover, ..tray("die", Some(player), dice) }
        };
        let text = self.draw(state);
        let said = text.lines().nth(1).unwrap_or_default();
        Picture::default().with_tray(die(0)).with_tray(die(1)).with_notes(said)
    }

    fn encoding(&self) -> Option<Encoding> {
        let said: Vec<String> = (LIAR..=BIDS).map(name).collect();
        let dice = (1..=FACES).map(|face| format!("die {face}"));
        Some(Encoding::perceived(said.clone(), dice.chain(said).collect()))
    }

    fn code(&self, _: &State, said: u8) -> u32 {
        u32::from(said - LIAR)
    }

    #[inline(always)]
    fn playout<C: Cpu>(&self, _: C, rng: &mut Rng, cap: u32) -> End {
        let dice = [draw(rng, FACES.into()) as u8 + 1, draw(rng, FACES.into()) as u8 + 1];
        if cap == 0 {
            return capped(cap);
        }
        let mut bid = 1 + draw(rng, BIDS.into());
        let mut plies = 1;
        loop {
            if plies == cap {
                return capped(cap);
            }
            plies += 1;
            let higher = bid + 1 + draw(rng, u32::from(BIDS) + 1 - bid);
            if higher > u32::from(BIDS) {
                return over(plies, payoffs((plies + 1) % 2, bid as u8, dice));
            }
            bid = higher;
        }
    }
}
