//! Odds of pits, each square having one with probability 1/5, independently.

use std::collections::{BTreeMap, HashMap};

use play::Rng;

use super::known::Known;

/// Probability that a square has a pit, before anything is known.
pub(super) const PRIOR: f64 = 0.2;

/// Breezes of one component at most; of more, some are left out of account. A cave of 16x16 squares
/// would need them.
const MAX_BREEZES: usize = 128;

/// The consequences of breezes for pits.
///
/// A breeze says that at least one of the squares beside it that can have a pit has one. Squares
/// that share breezes make a *component*; components are independent of each other, and squares
/// without breezes keep their prior. Within a component the probabilities come from variable
/// elimination, square by square: all that matters of the squares done is which of the breezes
/// still open they explain. That takes time linear in the squares and exponential in the number of
/// breezes open at once, not in the number of squares.
pub(super) struct Pits {
    components: Vec<Component>,
    /// Squares that have no pit for certain.
    none: Vec<bool>,
}

/// Squares that share breezes, in the order of elimination.
struct Component {
    squares: Vec<usize>,
    /// The breezes beside each square, as bits.
    breezes: Vec<u128>,
    /// The breezes of which this is the last square: they must be explained by now.
    closes: Vec<u128>,
    /// By square and explained open breezes: the probability that all the rest gets explained.
    rest: Vec<HashMap<u128, f64>>,
}

impl Pits {
    pub(super) fn new(known: &Known) -> Pits {
        let none = (0..known.grid.squares()).map(|square| known.no_pit(square)).collect::<Vec<_>>();
        let mut pits = Pits { components: Vec::new(), none };
        let windy = |square: &usize| known.visited[*square] && known.breeze[*square];
        let mut done = vec![false; known.grid.squares()];
        for first in known.frontier() {
            let beside = |square: usize| known.grid.beside(square);
            if done[first] || pits.none[first] || !beside(first).any(|b| windy(&b)) {
                continue;
            }
            let mut squares = vec![first];
            done[first] = true;
            let mut next = 0;
            while let Some(&square) = squares.get(next) {
                next += 1;
                for breeze in beside(square).filter(windy) {
                    for other in beside(breeze) {
                        if !pits.none[other] && !done[other] {
                            done[other] = true;
                            squares.push(other);
                        }
                    }
                }
            }
            pits.components.push(Component::new(known, squares));
        }
        pits
    }

    /// Probability of a pit in each square.
    pub(super) fn odds(&self) -> Vec<f64> {
        let mut odds: Vec<f64> =
            self.none.iter().map(|&none| if none { 0.0 } else { PRIOR }).collect();
        for component in &self.components {
            component.marginals(&mut odds);
        }
        odds
    }

    /// Pits drawn as they may be.
    pub(super) fn draw(&self, rng: &mut Rng) -> Vec<bool> {
        let mut pits: Vec<bool> =
            self.none.iter().map(|none| !none && rng.fraction() < PRIOR).collect();
        for component in &self.components {
            let mut explained = 0;
            for (i, &square) in component.squares.iter().enumerate() {
                let weights = [false, true].map(|pit| component.branch(i, explained, pit));
                let of = |branch: Option<(u128, f64)>| branch.map_or(0.0, |(_, weight)| weight);
                let pit = rng.fraction() * (of(weights[0]) + of(weights[1])) >= of(weights[0]);
                pits[square] = pit;
                explained = weights[usize::from(pit)].map_or(0, |(next, _)| next);
            }
        }
        pits
    }
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
        let mut component = Component { squares, breezes, closes, rest };
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
        self.rest[last].insert(0, 1.0);
        for i in (0..last).rev() {
            for &explained in &reached[i] {
                let sum =
                    [false, true].into_iter().filter_map(|pit| self.branch(i, explained, pit));
                let sum = sum.map(|(_, weight)| weight).sum();
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

    /// The breezes explained after a square with or without a pit, and the probability of this and
    /// an explanation of all the rest.
    fn branch(&self, i: usize, explained: u128, pit: bool) -> Option<(u128, f64)> {
        let next = self.next(i, explained, pit)?;
        let own = if pit { PRIOR } else { 1.0 - PRIOR };
        Some((next, own * self.rest[i + 1].get(&next).copied().unwrap_or(0.0)))
    }

    /// Writes the probability of a pit in each square.
    fn marginals(&self, odds: &mut [f64]) {
        let total = self.rest[0].get(&0).copied().unwrap_or(0.0);
        let mut forward = BTreeMap::from([(0u128, 1.0)]);
        for (i, &square) in self.squares.iter().enumerate() {
            let mut after: BTreeMap<u128, f64> = BTreeMap::new();
            let mut with = 0.0;
            for (&explained, &weight) in &forward {
                if let Some((_, rest)) = self.branch(i, explained, true) {
                    with += weight * rest;
                }
                for (pit, own) in [(false, 1.0 - PRIOR), (true, PRIOR)] {
                    if let Some(next) = self.next(i, explained, pit) {
                        *after.entry(next).or_default() += weight * own;
                    }
                }
            }
            odds[square] = if total > 0.0 { with / total } else { PRIOR };
            forward = after;
        }
    }
}
