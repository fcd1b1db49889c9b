//! Payoffs as rewards.

use crate::scores::{MAX_PLAYERS, Player};
use crate::tally::Ending;

/// One number a player.
pub(super) type Payoffs = [f64; MAX_PLAYERS];

/// The least and the greatest payoff of each player so far: UCB1 wants rewards in `0..=1`, and
/// rules do not say in advance what they pay.
pub(super) struct Range {
    players: usize,
    seen: [(f64, f64); MAX_PLAYERS],
}

impl Range {
    pub(super) fn new(players: u8) -> Range {
        let nothing = (f64::INFINITY, f64::NEG_INFINITY);
        Range { players: usize::from(players).min(MAX_PLAYERS), seen: [nothing; MAX_PLAYERS] }
    }

    /// Adds what an ending pays, so many times. One that is not by the rules counts as the middle
    /// of what was seen, so that it neither draws a search nor repels it.
    pub(super) fn add(&mut self, ending: Ending, times: f64, sums: &mut Payoffs) {
        let players = self.seen.iter_mut().zip(sums).take(self.players);
        for (player, ((low, high), sum)) in (0..).zip(players) {
            if let Ending::Over(scores) = ending {
                let payoff = f64::from(scores.get(Player(player)));
                (*low, *high) = (low.min(payoff), high.max(payoff));
            }
            *sum += times * payoff(ending, player, (*low, *high));
        }
    }

    /// The payoff of an ending to a player, scaled by the range of payoffs seen so far.
    pub(super) fn payoff(&self, ending: Ending, player: Player) -> f64 {
        let seen = self.seen.get(usize::from(player.0));
        payoff(ending, player.0, seen.copied().unwrap_or((0.0, 0.0)))
    }

    /// The least payoff of a player, and what a point more is worth where rewards go up to 1.
    pub(super) fn scale(&self, player: Player) -> (f64, f64) {
        match self.seen.get(usize::from(player.0)) {
            Some(&(low, high)) if low < high => (low, 1.0 / (high - low)),
            _ => (0.0, 0.0),
        }
    }
}

fn payoff(ending: Ending, player: u8, (low, high): (f64, f64)) -> f64 {
    match ending {
        Ending::Over(scores) => f64::from(scores.get(Player(player))),
        _ if low <= high => f64::midpoint(low, high),
        _ => 0.0,
    }
}
