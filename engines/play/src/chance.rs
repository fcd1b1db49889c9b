//! The one narrow door through which randomness of the *game* (not of the players) enters.

/// A source of chance events. Mechanics ask it inside `initial` and `apply`, nowhere else, so that
/// a replay can feed recorded outcomes and a check can enumerate all of them.
pub trait Chance {
    /// An outcome in `0..n`, all equally likely. `n` must not be 0.
    fn below(&mut self, n: u32) -> u32;
}

impl<C: Chance + ?Sized> Chance for &mut C {
    fn below(&mut self, n: u32) -> u32 {
        (**self).below(n)
    }
}

/// For games without chance: every question is answered 0.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoChance;

impl Chance for NoChance {
    fn below(&mut self, _n: u32) -> u32 {
        0
    }
}

/// Feeds given outcomes, then zeros, and writes down what was asked: an odometer over everything
/// that chance can do in one transition.
///
/// ```
/// use play::{Chance, Script};
/// let mut script = Script::default();
/// let mut seen = Vec::new();
/// loop {
///     script.rewind();
///     seen.push((script.below(2), script.below(3)));
///     if !script.advance() { break }
/// }
/// assert_eq!(seen, [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// (outcome, bound) of each question.
    asked: Vec<(u32, u32)>,
    at: usize,
}

impl Script {
    /// A script that answers with these outcomes first (each taken modulo the bound asked for).
    pub fn new(outcomes: impl IntoIterator<Item = u32>) -> Script {
        Script { asked: outcomes.into_iter().map(|o| (o, u32::MAX)).collect(), at: 0 }
    }

    /// Starts again at the first question.
    pub fn rewind(&mut self) {
        self.at = 0;
    }

    /// The outcomes given since the last rewind.
    pub fn outcomes(&self) -> impl Iterator<Item = u32> + '_ {
        self.asked[..self.at].iter().map(|&(outcome, _)| outcome)
    }

    /// The outcomes given since the last rewind, each with its bound.
    pub(crate) fn asked(&self) -> &[(u32, u32)] {
        &self.asked[..self.at]
    }

    /// The probability of exactly these outcomes.
    pub fn probability(&self) -> f64 {
        self.asked[..self.at].iter().map(|&(_, n)| 1.0 / f64::from(n)).product()
    }

    /// Goes to the next combination of outcomes; false when all have been given.
    pub fn advance(&mut self) -> bool {
        self.asked.truncate(self.at);
        while let Some((outcome, n)) = self.asked.pop() {
            if outcome + 1 < n {
                self.asked.push((outcome + 1, n));
                return true;
            }
        }
        false
    }
}

impl Chance for Script {
    fn below(&mut self, n: u32) -> u32 {
        if self.at == self.asked.len() {
            self.asked.push((0, n));
        }
        let entry = &mut self.asked[self.at];
        self.at += 1;
        *entry = (entry.0 % n, n);
        entry.0
    }
}
