use play::{End, Ending, Player};
use smallvec::SmallVec;

/// One number a player.
pub(crate) type Payoffs = SmallVec<[f64; 2]>;

/// The least and the greatest payoff of each player seen so far. UCB1 wants rewards in `0..=1`, and
/// rules do not say in advance what they pay.
#[derive(Clone, Debug)]
pub(crate) struct Range {
    seen: SmallVec<[(f64, f64); 2]>,
}

impl Range {
    pub(crate) fn new(players: u8) -> Range {
        let nothing = (f64::INFINITY, f64::NEG_INFINITY);
        Range { seen: SmallVec::from_elem(nothing, usize::from(players)) }
    }

    /// The payoffs of a playout. One that did not end by the rules has none; it counts as the
    /// middle of what was seen, so that it neither draws a search nor repels it.
    pub(crate) fn payoffs(&mut self, end: End) -> Payoffs {
        let Ending::Over(scores) = end.ending else {
            let middle = |&(low, high): &(f64, f64)| {
                if low <= high { f64::midpoint(low, high) } else { 0.0 }
            };
            return self.seen.iter().map(middle).collect();
        };
        let payoffs = (0..self.seen.len()).map(|p| f64::from(scores.get(Player(p as u8))));
        let payoffs: Payoffs = payoffs.collect();
        for ((low, high), &payoff) in self.seen.iter_mut().zip(&payoffs) {
            *low = low.min(payoff);
            *high = high.max(payoff);
        }
        payoffs
    }

    /// A payoff of a player as a number in `0..=1`.
    pub(crate) fn scale(&self, player: usize, payoff: f64) -> f64 {
        match self.seen.get(player) {
            Some(&(low, high)) if low < high => (payoff - low) / (high - low),
            _ => 0.5,
        }
    }
}

/// The place of the greatest number; of equal ones the first. 0 of none.
pub(crate) fn greatest(values: impl IntoIterator<Item = f64>) -> usize {
    let mut best = (0, f64::NEG_INFINITY);
    for (i, value) in values.into_iter().enumerate() {
        if value > best.1 {
            best = (i, value);
        }
    }
    best.0
}
