//! The candidates that a given value forbids, laid out for playouts.
//!
//! A *candidate* is a variable with a value that it can still have. Candidates are numbered by
//! value, and by site among those of the same value, which is the order of the legal moves. The
//! candidates that a step always forbids are a mask over all candidates, computed in advance. Those
//! that depend on other values are found by counts: the rest of a sum, the entry of a table.

use cpu::Cpu;
use play::Rng;

use super::{Counted, Forms};
use crate::eval::Eval;
use crate::game::Game;
use crate::ir::Puzzle;
use crate::moves::MoveId;
use crate::set::Set;
use crate::state::Tallies;

/// Most words of masks of a puzzle with fast playouts.
const MOST_WORDS: usize = 1 << 22;

/// Numbers of words for which sets of candidates are compiled.
pub(super) const SIZES: [usize; 5] = [1, 2, 4, 8, 12];

/// A set of candidates: an array, which can stay in registers, or a vector.
pub(super) trait Candidates: Clone + AsRef<[u64]> + AsMut<[u64]> {
    /// Does rare work on the set.
    fn rarely(&mut self, work: impl FnOnce(&mut [u64]));
}

impl Candidates for Vec<u64> {
    #[inline(always)]
    fn rarely(&mut self, work: impl FnOnce(&mut [u64])) {
        work(self);
    }
}

impl<const N: usize> Candidates for [u64; N] {
    #[inline(always)]
    fn rarely(&mut self, work: impl FnOnce(&mut [u64])) {
        let mut copy = *self;
        work(&mut copy);
        *self = copy;
    }
}

/// Lists stored one after the other.
#[derive(Debug)]
struct Lists<T> {
    /// The beginning of each list in `items`, and the end of the last one.
    begins: Box<[u32]>,
    items: Box<[T]>,
}

impl<T> Lists<T> {
    fn new(lists: impl Iterator<Item = Vec<T>>) -> Lists<T> {
        let (mut begins, mut items) = (vec![0], Vec::new());
        for list in lists {
            items.extend(list);
            begins.push(items.len() as u32);
        }
        Lists { begins: begins.into(), items: items.into() }
    }

    #[inline(always)]
    fn get(&self, number: usize) -> &[T] {
        if self.items.is_empty() {
            return &[];
        }
        &self.items[self.begins[number] as usize..self.begins[number + 1] as usize]
    }
}

/// A count of a puzzle, as the steps need it.
#[derive(Debug)]
struct Count {
    /// The number that the greatest value adds.
    most: i64,
    /// For each value the number that it adds.
    adds: Box<[i64]>,
    /// For each value the candidates with another value, or on sites that do not count.
    keeps: Box<[u64]>,
}

/// The consequences of each step: a candidate that becomes the value of its variable.
#[derive(Debug)]
pub(super) struct Steps {
    /// The least value.
    least: i32,
    sites: usize,
    /// Words of a set of candidates.
    words: usize,
    /// By candidate those that it leaves.
    keeps: Box<[u64]>,
    counts: Box<[Count]>,
    /// By candidate the counts that it changes, with the number that it adds; without those in
    /// `even`.
    counts_of: Lists<(u32, i64)>,
    /// Counts that all candidates change alike, with the number that each adds: they depend only on
    /// the number of plies.
    even: Box<[(u32, i64)]>,
    /// The number of plies from which on one of these counts forbids candidates.
    even_from: usize,
    /// By candidate the tables with its variable, with the number that it adds to the index of the
    /// entry.
    tables_of: Lists<(u32, u32)>,
    /// By entry of each table the candidates that it leaves.
    entries: Box<[u64]>,
}

impl Steps {
    /// The steps of the constraints that have forms, the candidates at the start, and the sums and
    /// entries at the start; `None` for a puzzle that is too large or has no values. `zeros` is
    /// true if a rule reads the counts.
    pub(super) fn of(
        game: &Game,
        puzzle: &Puzzle,
        forms: &Forms,
        zeros: bool,
    ) -> Option<(Steps, Vec<u64>, Tallies)> {
        let sites = game.world.sites();
        let (least, greatest) = puzzle.values;
        let values = usize::try_from(greatest - least + 1).ok().filter(|&values| values > 0)?;
        let needed = (values * sites).div_ceil(64);
        let words = SIZES.into_iter().find(|&size| size >= needed).unwrap_or(needed);
        let masks = values * (sites + forms.counted.len());
        let entries: usize = forms.tables.iter().map(|table| table.allowed.len() / values).sum();
        if (masks + entries).checked_mul(words).is_none_or(|room| room > MOST_WORDS) {
            return None;
        }
        let mut steps = Steps {
            least,
            sites,
            words,
            keeps: Box::new([]),
            counts: Box::new([]),
            counts_of: Lists::new(std::iter::empty()),
            even: Box::new([]),
            even_from: usize::MAX,
            tables_of: Lists::new(std::iter::empty()),
            entries: Box::new([]),
        };
        steps.counts = forms.counted.iter().map(|c| steps.count(c, greatest)).collect();
        if !zeros && least == greatest {
            let open: Set = puzzle.open.iter().map(|&site| usize::from(site)).collect();
            let counted = (0..).zip(&forms.counted).filter(|(_, c)| open.is_subset(&c.sites));
            steps.even = counted.map(|(number, c)| (number, c.adds(least))).collect();
        }
        steps.lay_out(forms, greatest);
        let (first, tallies) = steps.start(game, puzzle, forms);
        steps.even_from = steps.even_from(&tallies);
        Some((steps, first, tallies))
    }

    /// All candidates: each value from the least on, and each site.
    fn all(&self, greatest: i32) -> impl Iterator<Item = (i32, usize)> + use<> {
        let sites = self.sites;
        (self.least..=greatest).flat_map(move |value| (0..sites).map(move |site| (value, site)))
    }

    /// Makes the lists and masks of all candidates.
    fn lay_out(&mut self, forms: &Forms, greatest: i32) {
        let candidates = || self.all(greatest);
        let keeps = candidates()
            .flat_map(|(value, site)| self.kept(forms, greatest, value, site))
            .collect();
        let counts_of = candidates().map(|(value, site)| {
            let uneven = |number: &&u32| self.even.iter().all(|(even, _)| even != *number);
            let counts = forms.counts_of[site].iter().filter(uneven);
            counts.map(|&number| (number, forms.counted[number as usize].adds(value))).collect()
        });
        let counts_of = Lists::new(counts_of);
        let mut tables_of = vec![Vec::new(); self.sites];
        let mut entries: Vec<u64> = Vec::new();
        let values = (greatest - self.least + 1) as usize;
        for (number, table) in (0u32..).zip(&forms.tables) {
            for &(site, weight) in &table.weights {
                tables_of[usize::from(site)].push((number, weight * self.words as u32));
            }
            for sets in table.allowed.chunks(values) {
                let mut mask = vec![0; self.words];
                for (value, set) in (self.least..).zip(sets) {
                    let sites = set.iter().take_while(|&site| site < self.sites);
                    sites.for_each(|site| self.insert(&mut mask, value, site));
                }
                entries.extend(mask);
            }
        }
        let tables_of = candidates().map(|(value, site)| {
            let step = (value - self.least + 1) as u32;
            tables_of[site].iter().map(|&(number, weight)| (number, weight * step)).collect()
        });
        (self.tables_of, self.counts_of) = (Lists::new(tables_of), counts_of);
        (self.keeps, self.entries) = (keeps, entries.into());
    }

    /// Adds a candidate to a set, unless its value is one that no move gives.
    fn insert(&self, set: &mut [u64], value: i32, site: usize) {
        if value >= self.least {
            let candidate = self.number(value, site) as usize;
            set[candidate / 64] |= 1 << (candidate % 64);
        }
    }

    /// The number of a candidate: a value from the least on, and a site.
    pub(super) fn number(&self, value: i32, site: usize) -> u32 {
        (value - self.least) as u32 * self.sites as u32 + site as u32
    }

    /// The number of the candidate that a move gives.
    pub(super) fn number_of(&self, id: &MoveId) -> u32 {
        self.number(i32::from(id.piece) - 1, id.to as usize)
    }

    /// Number of values below the one that a move gives.
    pub(super) fn lesser_values(&self, id: &MoveId) -> u16 {
        (i32::from(id.piece) - 1 - self.least) as u16
    }

    /// Number of numbers for candidates.
    pub(super) fn candidates(&self) -> usize {
        64 * self.words
    }

    /// The candidates that a value at a site leaves.
    fn kept(&self, forms: &Forms, greatest: i32, value: i32, site: usize) -> Vec<u64> {
        let mut taken = vec![0; self.words];
        for own in self.least..=greatest {
            self.insert(&mut taken, own, site);
        }
        for different in forms.different.iter().filter(|d| !d.excepted[value as usize]) {
            different.peers[site].iter().for_each(|peer| self.insert(&mut taken, value, peer));
        }
        for &(how, partner) in &forms.compared[site] {
            for candidate in (self.least..=greatest).filter(|&c| !how.holds(value, c)) {
                self.insert(&mut taken, candidate, usize::from(partner));
            }
        }
        taken.iter_mut().for_each(|word| *word = !*word);
        taken
    }

    fn count(&self, counted: &Counted, greatest: i32) -> Count {
        let adds: Box<[i64]> = (self.least..=greatest).map(|value| counted.adds(value)).collect();
        let keeps = (self.least..=greatest).flat_map(|value| {
            let mut taken = vec![0; self.words];
            counted.sites.iter().for_each(|site| self.insert(&mut taken, value, site));
            taken.into_iter().map(|word: u64| !word)
        });
        Count { most: adds.iter().copied().max().unwrap_or(0), keeps: keeps.collect(), adds }
    }

    /// The candidates after the set-up, with the sums and entries.
    fn start(&self, game: &Game, puzzle: &Puzzle, forms: &Forms) -> (Vec<u64>, Tallies) {
        let state = &game.initial;
        let (least, greatest) = puzzle.values;
        let mut first = vec![0; self.words];
        let empty: Set = state.set(crate::state::EMPTY);
        let open = puzzle.open.iter().map(|&site| usize::from(site));
        for site in open.filter(|&site| empty.contains(site)) {
            for value in least..=greatest {
                // A value of 0 breaks all areas of which it is no exception.
                let zero = |d: &super::Different| !d.excepted[0] && d.covered.contains(site);
                if value != 0 || !forms.different.iter().any(zero) {
                    self.insert(&mut first, value, site);
                }
            }
        }
        let mut tallies = Tallies {
            left: forms.counted.iter().map(|c| (c.number, c.sites.len())).collect(),
            entries: Vec::new(),
        };
        let mut entry = 0;
        for table in &forms.tables {
            tallies.entries.push(entry as u32);
            keep(&mut first, &self.entries[entry..]);
            entry += table.allowed.len() / (greatest - least + 1) as usize * self.words;
        }
        for site in game.everywhere.iter().filter(|&site| !state.is_empty(site)) {
            let value = i32::from(state.what(site) as u16) - 1;
            keep(&mut first, &self.kept(forms, greatest, value, site));
            for &number in &forms.counts_of[site] {
                let (left, open) = &mut tallies.left[number as usize];
                *left -= forms.counted[number as usize].adds(value);
                *open -= 1;
            }
        }
        for (number, &(left, open)) in tallies.left.iter().enumerate() {
            self.forbid(&mut first, number, left, open);
        }
        if !Eval::new(game, state).is_consistent(puzzle) {
            // A broken constraint stays broken.
            first.fill(0);
        }
        (first, tallies)
    }

    /// The number of plies from which on a count that depends only on it forbids candidates.
    fn even_from(&self, tallies: &Tallies) -> usize {
        let forbids = |plies: &usize| {
            self.even.iter().any(|&(number, adds)| {
                let (left, open) = tallies.after(number, adds, *plies);
                open <= 1 || left < self.counts[number as usize].most
            })
        };
        (1..=self.sites).find(forbids).unwrap_or(usize::MAX)
    }

    /// Value and site of a candidate.
    pub(super) fn candidate(&self, candidate: u32) -> (u16, u16) {
        let (at, site) = (candidate as usize / self.sites, candidate as usize % self.sites);
        ((self.least as usize + at) as u16, site as u16)
    }

    /// Gives a variable a value, which is the ply with this number, from 1 on.
    #[inline(always)]
    pub(super) fn give(
        &self,
        set: &mut impl Candidates,
        tallies: &mut Tallies,
        candidate: u32,
        ply: usize,
    ) {
        let candidate = candidate as usize;
        let words = set.as_ref().len();
        keep(set.as_mut(), &self.keeps[candidate * words..][..words]);
        for &(number, adds) in self.counts_of.get(candidate) {
            let number = number as usize;
            let (left, open) = &mut tallies.left[number];
            *left -= adds;
            *open -= 1;
            if *open == 1 || adds != 0 && *left < self.counts[number].most {
                let (left, open) = (*left, *open);
                set.rarely(|set| self.forbid(set, number, left, open));
            }
        }
        if ply >= self.even_from {
            for &(number, adds) in &self.even {
                let (left, open) = tallies.after(number, adds, ply);
                set.rarely(|set| self.forbid(set, number as usize, left, open));
            }
        }
        for &(table, adds) in self.tables_of.get(candidate) {
            let entry = &mut tallies.entries[table as usize];
            *entry += adds;
            keep(set.as_mut(), &self.entries[*entry as usize..][..words]);
        }
    }

    /// Removes the values that would break a count.
    #[inline(never)]
    fn forbid(&self, set: &mut [u64], number: usize, left: i64, open: u32) {
        let count = &self.counts[number];
        if open == 0 {
            return;
        }
        for (&adds, keeps) in count.adds.iter().zip(count.keeps.chunks(self.words)) {
            if adds > left || open == 1 && adds != left {
                keep(set, keeps);
            }
        }
    }
}

#[inline(always)]
fn keep(set: &mut [u64], kept: &[u64]) {
    for (word, kept) in set.iter_mut().zip(kept) {
        *word &= kept;
    }
}

/// Draws one of the candidates.
#[inline(always)]
pub(super) fn draw(cpu: impl Cpu, set: &[u64], rng: &mut Rng) -> Option<u32> {
    let total: u32 = set.iter().map(|word| word.count_ones()).sum();
    if total == 0 {
        return None;
    }
    let number = rng.below(total);
    let (mut word, mut base, mut below, mut end) = (set[0], 0, 0, 0);
    for index in 1..set.len() {
        // Written without branches, which could not be predicted.
        end += set[index - 1].count_ones();
        let beyond = number >= end;
        word = if beyond { set[index] } else { word };
        base = if beyond { index as u32 } else { base };
        below = if beyond { end } else { below };
    }
    Some(64 * base + cpu.nth(word, number - below))
}
