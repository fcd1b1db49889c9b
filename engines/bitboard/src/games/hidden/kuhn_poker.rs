//! Kuhn poker.

use play::picture::Picture;
use play::{Chance, Encoding, End, Job, Percepts, Player, Rng, Scores, Turn};

use super::RANKS;
use crate::lanes;
use crate::pictures::held;
use crate::rules::{Results, Rules, coin, draw, over_unless_capped};
use cpu::Cpu;

/// Kuhn poker: one card each of jack, queen and king, one bet (Kuhn, *A simplified two-person
/// poker*, 1950). Who folds loses the 1 that he put in; at a showdown the higher card wins what the
/// other put in.
pub(crate) struct KuhnPoker;

/// The deal, and what was done.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct State {
    /// Below [`DEALS`], see [`cards`].
    deal: u8,
    plies: u8,
    /// A bit for each ply, from the lowest: whether it put something in.
    put: u8,
}

/// Ways to deal two of three cards.
const DEALS: u8 = 6;

/// From this one on the first player has the higher card.
const HIGHER: u8 = DEALS / 2;

/// The most that a player wins.
const MOST: i64 = 2;

/// The ranks of both players' cards in a deal.
fn cards(deal: u8) -> [usize; 2] {
    let (first, other) = (deal / 2, deal % 2);
    [first, (first + 1 + other) % 3].map(usize::from)
}

impl State {
    /// True if the ply before was a bet.
    fn is_bet(self) -> bool {
        self.put << 1 >> self.plies & 1 == 1
    }

    /// Only after check and bet there is a third ply.
    fn is_over(self) -> bool {
        self.plies == 3 || self.plies == 2 && self.put != 0b10
    }

    /// The name of an action.
    fn name(self, puts: bool) -> &'static str {
        match (self.is_bet(), puts) {
            (false, false) => "check",
            (false, true) => "bet",
            (true, false) => "fold",
            (true, true) => "call",
        }
    }
}

impl Rules for KuhnPoker {
    type State = State;
    /// True if a chip is put in.
    type Action = bool;

    const CHANCE: bool = true;
    const HIDDEN: bool = true;
    const VECTORS: bool = true;
    const WIDE: bool = true;

    fn start(&self) -> State {
        State { deal: DEALS, plies: 0, put: 0 }
    }

    fn happen<C: Chance + ?Sized>(&self, state: &mut State, chance: &mut C) {
        if state.deal == DEALS {
            state.deal = chance.below(DEALS.into()) as u8;
        }
    }

    fn expand(&self, state: &State, legal: &mut Vec<bool>) -> Turn {
        if state.is_over() {
            return Turn::Over;
        }
        legal.extend([false, true]);
        Turn::Move(Player(state.plies % 2))
    }

    fn apply(&self, state: &mut State, puts: bool) {
        state.put |= u8::from(puts) << state.plies;
        state.plies += 1;
    }

    fn perceive_start(&self, start: &State, percepts: &mut Percepts) {
        for (player, card) in (0..).zip(cards(start.deal)) {
            percepts.tell(Player(player), RANKS[card]);
        }
    }

    fn perceive(&self, before: &State, puts: bool, _: &State, percepts: &mut Percepts) {
        percepts.tell_all(2, before.name(puts));
    }

    fn scores(&self, state: &State) -> Scores {
        let [first, second] = cards(state.deal);
        let showdown = |stake: i32| if first > second { stake } else { -stake };
        let won = match (state.plies, state.put) {
            (2, 0b00) => showdown(1),
            (2, 0b01) => 1,
            (3, 0b010) => -1,
            _ => showdown(2),
        };
        Scores::two(won, -won)
    }

    fn label(&self, state: &State, puts: bool) -> String {
        state.name(puts).to_owned()
    }

    fn draw(&self, state: &State) -> String {
        let [first, second] = cards(state.deal).map(|card| RANKS[card]);
        let mut text = format!("{first} against {second}\n");
        let mut so_far = State { plies: 0, put: 0, ..*state };
        while so_far.plies < state.plies {
            let puts = state.put >> so_far.plies & 1 == 1;
            text += so_far.name(puts);
            text.push('\n');
            self.apply(&mut so_far, puts);
        }
        text
    }

    fn picture(&self, state: &State) -> Picture {
        let [first, second] = cards(state.deal).map(|card| RANKS[card].to_owned());
        let said = self.draw(state);
        let said: Vec<&str> = said.lines().skip(1).collect();
        Picture::default()
            .with_tray(held(0, [first]))
            .with_tray(held(1, [second]))
            .with_notes(&said.join("\n"))
    }

    fn encoding(&self) -> Option<Encoding> {
        let names = ["check", "bet", "fold", "call"];
        let percepts = RANKS.into_iter().chain(names).map(str::to_owned);
        Some(Encoding::perceived(names.map(str::to_owned).into(), percepts.collect()))
    }

    fn code(&self, state: &State, puts: bool) -> u32 {
        2 * u32::from(state.is_bet()) + u32::from(puts)
    }

    #[inline(always)]
    fn playout<C: Cpu>(&self, _: C, rng: &mut Rng, cap: u32) -> End {
        let deal = draw(rng, DEALS.into());
        let (plies, won) = hand(deal.into(), [coin(rng), coin(rng), coin(rng)].map(u64::from));
        over_unless_capped(plies as u32, Scores::two(won as i32, -won as i32), cap)
    }

    #[inline(always)]
    fn play<C: Cpu>(&self, _: C, job: &Job, results: &mut Results) {
        lanes::play_hands::<_, MOST>(
            self,
            job,
            results,
            #[inline(always)]
            |dice| hand(dice.below(DEALS.into()), [dice.coin(), dice.coin(), dice.coin()]),
        );
    }
}

/// The number of plies of a hand, and the payoff of the first player. There are draws even if there
/// is no second or third choice: draws that were not needed are not used.
#[inline(always)]
fn hand(deal: u64, [first, second, third]: [u64; 3]) -> (u64, i64) {
    let higher = deal >= u64::from(HIGHER);
    let raised = first < second;
    let stake = (if higher { 1 } else { -1 }) << (first | second);
    let folded = if raised { -1 } else { 1 };
    let shown = first == second || raised && third == 1;
    (2 + u64::from(raised), if shown { stake } else { folded })
}
