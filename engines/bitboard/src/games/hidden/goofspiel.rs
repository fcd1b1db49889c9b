//! Goofspiel with descending prizes and hidden bids.

use play::picture::{Picture, Piece, Tray};
use play::{End, Job, Percepts, Player, Rng, Scores, Turn};

use crate::bits::Bits;
use crate::form::{Form, Formed, NUMBERS, NoBoard, words};
use crate::pictures::{held, tray};
use crate::rules::{Results, Rules, draw, over_unless_capped};
use cpu::Cpu;

/// Goofspiel with the cards 1 to `N` and the prizes `N` to 1. Both choose a card at the same time;
/// the higher one wins the prize, and neither is shown.
pub(crate) struct Goofspiel<const N: u32>;

/// The cards that both still have, card by card from bit 0 for the 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct State {
    hands: [Bits<1>; 2],
    /// The choice of the first player, if the other one is to choose.
    chosen: Option<u8>,
    /// The first player's prizes less the other's.
    ahead: i32,
}

/// The percept of a player after a round.
fn told(own: u8, other: u8) -> &'static str {
    match own.cmp(&other) {
        std::cmp::Ordering::Greater => "won",
        std::cmp::Ordering::Less => "lost",
        std::cmp::Ordering::Equal => "tied",
    }
}

impl<const N: u32> Goofspiel<N> {
    /// All cards.
    const HAND: Bits<1> = {
        assert!(2 <= N && N <= 64);
        Bits::from_words([!0 >> (64 - N)])
    };
}

impl<const N: u32> Rules for Goofspiel<N> {
    type State = State;
    /// A card, from 1.
    type Action = u8;
    type Board = NoBoard;

    const FORMS: &'static [Form] = NUMBERS.split_at(N as usize).0;

    const SIMULTANEOUS: bool = true;
    const HIDDEN: bool = true;

    fn start(&self) -> State {
        State { hands: [Self::HAND; 2], chosen: None, ahead: 0 }
    }

    fn expand(&self, state: &State, legal: &mut Vec<u8>) -> Turn {
        let player = u8::from(state.chosen.is_some());
        let hand = state.hands[usize::from(player)];
        if hand.is_empty() {
            return Turn::Over;
        }
        legal.extend(hand.iter().map(|card| card as u8 + 1));
        Turn::Move(Player(player))
    }

    fn apply(&self, state: &mut State, second: u8) {
        let Some(first) = state.chosen.take() else {
            state.chosen = Some(second);
            return;
        };
        // As many cards are left as the prize is worth.
        let prize = state.hands[0].len() as i32;
        state.ahead += prize * (i32::from(first > second) - i32::from(first < second));
        for (hand, card) in state.hands.iter_mut().zip([first, second]) {
            *hand = hand.without(Bits::single(u32::from(card) - 1));
        }
    }

    fn perceive(&self, before: &State, second: u8, _: &State, percepts: &mut Percepts) {
        if let Some(first) = before.chosen {
            percepts.tell(Player(0), told(first, second));
            percepts.tell(Player(1), told(second, first));
        }
    }

    fn scores(&self, state: &State) -> Scores {
        Scores::two(state.ahead, -state.ahead)
    }

    #[inline]
    fn form(&self, _: &State, card: u8) -> Formed {
        Formed::word(usize::from(card) - 1)
    }

    fn percepts(&self) -> Vec<String> {
        words(&["won", "lost", "tied"])
    }

    fn draw(&self, state: &State) -> String {
        let cards = |player: usize| {
            let hand = state.hands[player].iter();
            hand.map(|card| (card + 1).to_string()).collect::<Vec<_>>().join(" ")
        };
        let chosen = state.chosen.map_or(String::new(), |card| format!(", plays {card}"));
        let (prize, ahead) = (state.hands[0].len(), state.ahead);
        format!("{}{chosen}\n{}\nprize {prize}, {ahead:+}\n", cards(0), cards(1))
    }

    fn picture(&self, state: &State) -> Picture {
        // A label names a card of whoever is to choose.
        let mover = u8::from(state.chosen.is_some());
        let cards = |player: u8| {
            let cards =
                || state.hands[usize::from(player)].iter().map(|card| (card + 1).to_string());
            let mut hand = held(player, cards());
            for (piece, card) in hand.pieces.iter_mut().zip(cards()).filter(|_| player == mover) {
                piece.name = card;
            }
            hand
        };
        let chosen = state.chosen.map(|card| held(0, [card.to_string()]));
        let prize = Piece::new(None, format!("card {}", state.hands[0].len()));
        let mut picture = Picture::default()
            .with_tray(cards(0))
            .with_tray(cards(1))
            .with_tray(tray("prize", None, [prize]))
            .with_notes(&format!("player 1 is ahead by {:+}", state.ahead));
        picture.trays.extend(chosen.map(|tray| Tray { title: "plays".to_owned(), ..tray }));
        picture
    }

    #[inline(always)]
    fn playout<C: Cpu>(&self, cpu: C, rng: &mut Rng, cap: u32) -> End {
        let (plies, won) = (2 * N, Self::prizes(cpu, rng));
        over_unless_capped(plies, Scores::two(won, -won), cap)
    }

    #[inline(always)]
    fn play<C: Cpu>(&self, cpu: C, job: &Job, results: &mut Results) {
        for id in job.ids() {
            let rng = &mut Rng::stream(job.seed, id);
            let (plies, won) = (2 * N, Self::prizes(cpu, rng));
            results.note_won(id, plies, won, job.cap);
        }
    }
}

impl<const N: u32> Goofspiel<N> {
    /// Plays all rounds, and says how far the first player is ahead.
    #[inline(always)]
    fn prizes<C: Cpu>(cpu: C, rng: &mut Rng) -> i32 {
        let mut hands = [Self::HAND.words[0]; 2];
        let mut ahead = 0;
        for round in 0..N {
            let left = N - round;
            let mut cards = hands;
            // Of the last card nobody asks who draws it.
            if left > 1 {
                for card in &mut cards {
                    *card = cpu.nth_bit(*card, draw(rng, left));
                }
            }
            let [first, second] = cards;
            hands[0] ^= first;
            hands[1] ^= second;
            ahead += left as i32 * (i32::from(first > second) - i32::from(first < second));
        }
        ahead
    }
}
