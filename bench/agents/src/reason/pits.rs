//! Odds of pits, each square having one independently, or a given number of squares.

use std::collections::{BTreeMap, HashMap};

use play::Rng;

use super::known::{Known, NO_CAVE, PitPrior, WumpusWorld};
use crate::ObservedPly;

impl PitPrior {
    /// The weight of a square with or without a pit.
    fn weight(self, pit: bool) -> f64 {
        match self {
            PitPrior::Each(chance) if pit => chance,
            PitPrior::Each(chance) => 1.0 - chance,
            PitPrior::Exactly(_) => 1.0,
        }
    }

    /// The number of pits that a pit counts for, and the number that there are.
    fn counted(self) -> (usize, usize) {
        match self {
            PitPrior::Each(_) => (0, 0),
            PitPrior::Exactly(number) => (1, number),
        }
    }

    /// The weights of no square.
    fn one(self) -> Weights {
        let mut weights = Weights::none(self);
        weights.0[0] = 1.0;
        weights
    }

    /// The weights with one more square.
    fn one_more(self, weights: &Weights) -> Weights {
        let mut all = weights.times(self.weight(false), 0);
        all.add(&weights.times(self.weight(true), self.counted().0));
        all
    }
}

/// Weights by the number of pits, up to the number that there are. Where pits are not counted, all
/// have the number 0.
#[derive(Clone, Debug)]
struct Weights(Vec<f64>);

impl Weights {
    fn none(prior: PitPrior) -> Weights {
        Weights(vec![0.0; prior.counted().1 + 1])
    }

    /// These with a factor and so many more pits.
    fn times(&self, factor: f64, pits: usize) -> Weights {
        let shifted = (0..self.0.len()).map(|number| match number.checked_sub(pits) {
            Some(before) => factor * self.0[before],
            None => 0.0,
        });
        Weights(shifted.collect())
    }

    fn add(&mut self, other: &Weights) {
        self.0.iter_mut().zip(&other.0).for_each(|(sum, more)| *sum += more);
    }

    /// Those of two parts of a cave together.
    fn joined(&self, other: &Weights) -> Weights {
        let mut all = Weights(vec![0.0; self.0.len()]);
        for (pits, &weight) in self.0.iter().enumerate().filter(|&(_, &weight)| weight > 0.0) {
            all.add(&other.times(weight, pits));
        }
        all
    }

    /// The weight of this part and another one with all the pits that there are together, or with
    /// so many fewer.
    fn total(&self, other: &Weights, fewer: usize) -> f64 {
        let Some(last) = (self.0.len() - 1).checked_sub(fewer) else { return 0.0 };
        (0..=last).map(|pits| self.0[pits] * other.0[last - pits]).sum()
    }
}

/// Breezes of one component at most; of more, some are left out of account. A cave of 16x16 squares
/// would need them.
const MAX_BREEZES: usize = 128;

/// The consequences of breezes for pits.
///
/// A breeze says that at least one of the squares beside it that can have a pit has one. Squares
/// that share breezes make a *component*; within one, the weights come from variable elimination,
/// square by square: all that matters of the squares done is which of the breezes still open they
/// explain, and how many pits they have if pits are counted. That takes time linear in the squares
/// and exponential in the number of breezes open at once, not in the number of squares.
///
/// Where each square has its own chance, components are independent of each other, and squares
/// without breezes keep their prior. Where the number of pits is known, a component with more of
/// them leaves fewer to the others.
pub(super) struct Pits {
    prior: PitPrior,
    components: Vec<Component>,
    /// Squares that have no pit for certain.
    none: Vec<bool>,
    /// Squares that may have a pit and are in no component.
    free: Vec<usize>,
    /// The weights of so many of these, by their number.
    free_weights: Vec<Weights>,
}

/// Squares that share breezes, in the order of elimination.
struct Component {
    prior: PitPrior,
    squares: Vec<usize>,
    /// The breezes beside each square, as bits.
    breezes: Vec<u128>,
    /// The breezes of which this is the last square: they must be explained by now.
    closes: Vec<u128>,
    /// By square and explained open breezes: the weights with which all the rest gets explained.
    rest: Vec<HashMap<u128, Weights>>,
}

impl Pits {
    pub(super) fn new(known: &Known) -> Pits {
        let none = (0..known.grid.squares()).map(|square| known.no_pit(square)).collect::<Vec<_>>();
        let mut components = Vec::new();
        let windy = |square: &usize| known.visited[*square] && known.breeze[*square];
        let mut done = vec![false; known.grid.squares()];
        for first in known.frontier() {
            let beside = |square: usize| known.grid.beside(square);
            if done[first] || none[first] || !beside(first).any(|b| windy(&b)) {
                continue;
            }
            let mut squares = vec![first];
            done[first] = true;
            let mut next = 0;
            while let Some(&square) = squares.get(next) {
                next += 1;
                for breeze in beside(square).filter(windy) {
                    for other in beside(breeze) {
                        if !none[other] && !done[other] {
                            done[other] = true;
                            squares.push(other);
                        }
                    }
                }
            }
            components.push(Component::new(known, squares));
        }
        let free = (0..none.len()).filter(|&square| !none[square] && !done[square]);
        let free: Vec<usize> = free.collect();
        let prior = known.pits;
        let more = |weights: &Weights| Some(prior.one_more(weights));
        let free_weights = std::iter::successors(Some(prior.one()), more);
        let free_weights = free_weights.take(free.len() + 1).collect();
        Pits { prior, components, none, free, free_weights }
    }

    /// True if there are as many pits in some way that explains all breezes.
    fn are_possible(&self) -> bool {
        self.without(None, self.free.len()).total(&self.prior.one(), 0) > 0.0
    }

    /// The weights of all but one component, and of so many squares in no component.
    fn without(&self, left_out: Option<usize>, free: usize) -> Weights {
        let others = self.components.iter().enumerate();
        let others = others.filter(|&(number, _)| Some(number) != left_out);
        let free = self.free_weights[free].clone();
        others.fold(free, |all, (_, component)| all.joined(&component.all()))
    }

    /// Probability of a pit in each square.
    pub(super) fn odds(&self) -> Vec<f64> {
        let mut odds = vec![0.0; self.none.len()];
        for (number, component) in self.components.iter().enumerate() {
            component.marginals(&self.without(Some(number), self.free.len()), &mut odds);
        }
        if let Some(others) = self.free.len().checked_sub(1) {
            let others = self.without(None, others);
            let one = self.prior.one();
            let total = self.prior.one_more(&one).total(&others, 0);
            let with = self.prior.weight(true) * one.total(&others, self.prior.counted().0);
            self.free.iter().for_each(|&square| odds[square] = share(with, total));
        }
        odds
    }

    /// Pits drawn as they may be.
    pub(super) fn draw(&self, rng: &mut Rng) -> Vec<bool> {
        let mut pits = vec![false; self.none.len()];
        // The weights of all that is drawn later.
        let mut later = self.free_weights[self.free.len()].clone();
        let mut tails = Vec::new();
        for component in self.components.iter().rev() {
            tails.push(later.clone());
            later = later.joined(&component.all());
        }
        let mut drawn = 0;
        for (component, tail) in self.components.iter().zip(tails.iter().rev()) {
            let mut explained = 0;
            for (i, &square) in component.squares.iter().enumerate() {
                let weights = [false, true].map(|pit| {
                    let (next, weights) = component.branch(i, explained, pit)?;
                    Some((next, weights.total(tail, drawn)))
                });
                let of = |branch: Option<(u128, f64)>| branch.map_or(0.0, |(_, weight)| weight);
                let pit = rng.fraction() * (of(weights[0]) + of(weights[1])) >= of(weights[0]);
                pits[square] = pit;
                drawn += usize::from(pit) * self.prior.counted().0;
                explained = weights[usize::from(pit)].map_or(0, |(next, _)| next);
            }
        }
        let one = self.prior.one();
        for (i, &square) in self.free.iter().enumerate() {
            let others = &self.free_weights[self.free.len() - 1 - i];
            let of = |pit: bool| {
                let pits = drawn + usize::from(pit) * self.prior.counted().0;
                self.prior.weight(pit) * one.total(others, pits)
            };
            let pit = rng.fraction() * (of(false) + of(true)) >= of(false);
            pits[square] = pit;
            drawn += usize::from(pit) * self.prior.counted().0;
        }
        pits
    }
}

/// The knowledge that a past gives of a cave, if there are pits that explain it. The error names what
/// is no ply or percept of such a cave.
pub(super) fn known(world: &WumpusWorld, past: &[ObservedPly]) -> Result<Known, String> {
    let known = Known::of(world, past)?;
    let possible = Pits::new(&known).are_possible();
    if possible { Ok(known) } else { Err(NO_CAVE.to_owned()) }
}

/// A part of a whole; 0 of nothing.
fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

impl Component {
    fn new(known: &Known, squares: Vec<usize>) -> Component {
        let mut numbers: Vec<usize> = Vec::new();
        let mut breezes = vec![0u128; squares.len()];
        for (bits, &square) in breezes.iter_mut().zip(&squares) {
            for breeze in known.grid.beside(square) {
                if !known.visited[breeze] || !known.breeze[breeze] {
                    continue;
                }
                let number = numbers.iter().position(|&one| one == breeze).unwrap_or_else(|| {
                    numbers.push(breeze);
                    numbers.len() - 1
                });
                *bits |= if number < MAX_BREEZES { 1 << number } else { 0 };
            }
        }
        let mut closes = breezes.clone();
        let mut later = 0;
        for bits in closes.iter_mut().rev() {
            let own = *bits;
            *bits &= !later;
            later |= own;
        }
        let rest = vec![HashMap::new(); squares.len() + 1];
        let mut component = Component { prior: known.pits, squares, breezes, closes, rest };
        component.fill();
        component
    }

    /// Works out `rest`: which explanations are possible from the first square on, then their
    /// probabilities from the last one back.
    fn fill(&mut self) {
        let mut reached: Vec<Vec<u128>> = vec![vec![0]];
        for i in 0..self.squares.len() {
            let from = &reached[i];
            let both = |&explained: &u128| [false, true].map(|pit| self.next(i, explained, pit));
            let mut next: Vec<u128> = from.iter().flat_map(both).flatten().collect();
            next.sort_unstable();
            next.dedup();
            reached.push(next);
        }
        let last = self.squares.len();
        self.rest[last].insert(0, self.prior.one());
        for i in (0..last).rev() {
            for &explained in &reached[i] {
                let mut sum = Weights::none(self.prior);
                for (_, weights) in
                    [false, true].iter().filter_map(|&p| self.branch(i, explained, p))
                {
                    sum.add(&weights);
                }
                self.rest[i].insert(explained, sum);
            }
        }
    }

    /// The open breezes explained after a square; `None` if one is left without a pit.
    fn next(&self, i: usize, explained: u128, pit: bool) -> Option<u128> {
        let explained = explained | if pit { self.breezes[i] } else { 0 };
        let all = explained & self.closes[i] == self.closes[i];
        all.then_some(explained & !self.closes[i])
    }

    /// The breezes explained after a square with or without a pit, and the weights of this and an
    /// explanation of all the rest.
    fn branch(&self, i: usize, explained: u128, pit: bool) -> Option<(u128, Weights)> {
        let next = self.next(i, explained, pit)?;
        let pits = usize::from(pit) * self.prior.counted().0;
        let rest = self.rest[i + 1].get(&next)?;
        Some((next, rest.times(self.prior.weight(pit), pits)))
    }

    /// The weights of the component as a whole.
    fn all(&self) -> Weights {
        self.rest[0].get(&0).cloned().unwrap_or_else(|| Weights::none(self.prior))
    }

    /// Writes the probability of a pit in each square, given the weights of the rest of the cave.
    fn marginals(&self, others: &Weights, odds: &mut [f64]) {
        let total = self.all().total(others, 0);
        let mut forward = BTreeMap::from([(0u128, self.prior.one())]);
        for (i, &square) in self.squares.iter().enumerate() {
            let mut after: BTreeMap<u128, Weights> = BTreeMap::new();
            let mut with = 0.0;
            for (&explained, weights) in &forward {
                if let Some((_, rest)) = self.branch(i, explained, true) {
                    with += weights.joined(&rest).total(others, 0);
                }
                for pit in [false, true] {
                    let Some(next) = self.next(i, explained, pit) else { continue };
                    let pits = usize::from(pit) * self.prior.counted().0;
                    let more = weights.times(self.prior.weight(pit), pits);
                    after.entry(next).or_insert_with(|| Weights::none(self.prior)).add(&more);
                }
            }
            odds[square] = share(with, total);
            forward = after;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pits are drawn as the odds say, of each prior; a given number of them is drawn each time.
    #[test]
    fn draws_have_the_odds() {
        let ply = |own: &str, percepts: &[&str]| ObservedPly {
            own: Some(own.to_owned()),
            percepts: percepts.iter().map(|&percept| percept.to_owned()).collect(),
        };
        let past = [ply("forward", &["breeze"]), ply("forward", &[]), ply("left", &[])];
        for (number, pits) in [
            (None, PitPrior::USUAL),
            (Some(2), PitPrior::Exactly(2)),
            (Some(4), PitPrior::Exactly(4)),
        ] {
            let known = Known::of(&WumpusWorld { size: 4, pits, arrows: 1 }, &past).unwrap();
            let pits = Pits::new(&known);
            let mut rng = Rng::stream(7, 0);
            let mut counts = [0.0; 16];
            let draws = 20_000;
            for _ in 0..draws {
                let drawn = pits.draw(&mut rng);
                let pits = drawn.iter().filter(|&&pit| pit).count();
                assert!(number.is_none_or(|number| pits == number), "{drawn:?}");
                assert!(drawn[5], "b2 is the only square that explains the breeze: {drawn:?}");
                drawn.iter().zip(&mut counts).for_each(|(&pit, n)| *n += f64::from(u8::from(pit)));
            }
            for (square, (odds, count)) in pits.odds().into_iter().zip(counts).enumerate() {
                let error = (odds * (1.0 - odds) / f64::from(draws)).sqrt();
                let found = count / f64::from(draws);
                assert!((found - odds).abs() <= 5.0 * error, "{square}: {found}, not {odds}");
            }
        }
    }
}
