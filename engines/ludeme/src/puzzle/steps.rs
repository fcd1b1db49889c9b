//! What giving a variable a value forbids, laid out for playouts.
//!
//! What a value forbids whatever else has been given is a mask for its own value, and a list for the
//! others. What depends on other values is counted: the rest of a sum, the entry of a table.

use play::Rng;

use super::cpu::Cpu;
use super::{Counted, Forms};
use crate::eval::{Eval, compare};
use crate::game::Game;
use crate::ir::Puzzle;
use crate::set::Set;

/// For each value the variables that can have it.
pub(super) trait Sets<const W: usize>: Clone + AsRef<[Set<W>]> + AsMut<[Set<W>]> {
    /// Does rare work on the sets.
    fn rarely(&mut self, work: impl FnOnce(&mut [Set<W>]));
}

impl<const W: usize> Sets<W> for Vec<Set<W>> {
    #[inline(always)]
    fn rarely(&mut self, work: impl FnOnce(&mut [Set<W>])) {
        work(self);
    }
}

/// One value, whose set can stay in registers.
impl<const W: usize> Sets<W> for [Set<W>; 1] {
    #[inline(always)]
    fn rarely(&mut self, work: impl FnOnce(&mut [Set<W>])) {
        let mut copy = *self;
        work(&mut copy);
        *self = copy;
    }
}

/// Lists one after the other.
#[derive(Debug)]
struct Lists<T> {
    /// Where each begins in `items`, and the last one ends.
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

/// The consequences of each step: a value given to a site.
#[derive(Debug)]
pub(super) struct Steps<const W: usize> {
    /// The least value that a move gives.
    least: usize,
    sites: usize,
    /// By step what it takes out of the set of its value: the site, and those that must differ from it.
    own: Box<[Set<W>]>,
    /// By step what it takes out of other sets: the number of the set, and a site.
    others: Lists<(u16, u16)>,
    counted: Box<[Counted<W>]>,
    /// What the greatest value adds to each of the counted.
    greatest: Box<[i64]>,
    /// By site the counted that it belongs to.
    counts_of: Lists<u32>,
    /// By site the tables that it belongs to, with what one step of its value adds to the entry.
    tables_of: Lists<(u32, u32)>,
    /// Where the tables begin in `allowed`.
    tables: Box<[u32]>,
    /// By entry of each table and by value the sites that may be given it.
    allowed: Box<[Set<W>]>,
    /// Whether somebody asks which variables have no value.
    zeros: bool,
}

/// What is known of the values given so far.
#[derive(Debug)]
pub(super) struct Known<const W: usize> {
    /// For each of the counted what is left to its number, and how many of its sites are open.
    pub(super) left: Vec<(i64, u32)>,
    /// The entry of each table, as an index of `Steps::allowed`.
    entries: Vec<u32>,
    /// All sites without a value; only where a rule asks for them.
    pub(super) open: Set<W>,
    /// The value of each site, 0 for none; only where a rule asks for them.
    pub(super) values: Vec<u16>,
}

impl<const W: usize> Clone for Known<W> {
    fn clone(&self) -> Known<W> {
        let Known { left, entries, open, values } = self;
        Known { left: left.clone(), entries: entries.clone(), open: *open, values: values.clone() }
    }

    /// Uses the memory that it has.
    #[inline(always)]
    fn clone_from(&mut self, other: &Known<W>) {
        let Known { left, entries, open, values } = other;
        self.left.clone_from(left);
        self.entries.clone_from(entries);
        self.open = *open;
        self.values.clone_from(values);
    }
}

impl<const W: usize> Steps<W> {
    /// What follows from the constraints that have forms, whose tables it takes. `zeros` says whether
    /// somebody asks which variables have no value.
    pub(super) fn of(
        game: &Game<W>,
        puzzle: &Puzzle,
        forms: &mut Forms<W>,
        zeros: bool,
    ) -> Steps<W> {
        let sites = game.world.sites();
        let (least, greatest) = puzzle.values;
        let steps = || (0..=greatest).flat_map(|value| (0..sites).map(move |site| (value, site)));
        let own = steps().map(|(value, site)| {
            let different = forms.different.iter().filter(|d| !d.excepted[value as usize]);
            different.fold(Set::single(site), |own, d| own | d.peers[site])
        });
        let others = steps().map(|(value, site)| {
            let broken = forms.compared[site].iter().flat_map(|&(how, other)| {
                let candidates = (0u16..).zip(least..=greatest);
                let broken = candidates.filter(move |&(_, c)| !compare(how, value, c));
                broken.map(move |(set, _)| (set, other))
            });
            broken.collect()
        });
        let mut tables_of = vec![Vec::new(); sites];
        let (mut tables, mut allowed) = (Vec::new(), Vec::new());
        let values = (greatest - least + 1) as u32;
        for (number, table) in (0..).zip(std::mem::take(&mut forms.tables)) {
            for (site, weight) in table.weights {
                tables_of[usize::from(site)].push((number, weight * values));
            }
            tables.push(allowed.len() as u32);
            allowed.extend(table.allowed);
        }
        let counted: Box<[Counted<W>]> = forms.counted.iter().cloned().collect();
        let most = |counted: &Counted<W>| (least..=greatest).map(|v| counted.adds(v)).max();
        Steps {
            least: least as usize,
            sites,
            own: own.collect(),
            others: Lists::new(others),
            greatest: counted.iter().map(|counted| most(counted).unwrap_or(0)).collect(),
            counted,
            counts_of: Lists::new(forms.counts_of.iter().cloned()),
            tables_of: Lists::new(tables_of.into_iter()),
            tables: tables.into(),
            allowed: allowed.into(),
            zeros,
        }
    }

    /// For each value the variables that can have it after the set-up, and what else is known then.
    pub(super) fn start(
        &self,
        game: &Game<W>,
        puzzle: &Puzzle,
        forms: &Forms<W>,
    ) -> (Vec<Set<W>>, Known<W>) {
        let state = &game.initial;
        let variables: Set<W> = puzzle.open.iter().map(|&site| usize::from(site)).collect();
        let values = (puzzle.values.1 - puzzle.values.0 + 1) as usize;
        let mut sets = vec![variables & state.set(crate::state::EMPTY); values];
        let mut known = Known {
            left: self.counted.iter().map(|c| (c.number, c.sites.len())).collect(),
            entries: self.tables.to_vec(),
            // Before anything has a value all sites of an area are open.
            open: game.everywhere,
            values: if self.zeros { vec![0; self.sites] } else { Vec::new() },
        };
        for &table in &self.tables {
            self.look_up(&mut sets, table);
        }
        if self.least == 0 {
            for different in forms.different.iter().filter(|d| !d.excepted[0]) {
                sets[0] = sets[0].without(&different.covered);
            }
        }
        for number in 0..self.counted.len() {
            self.forbid(&mut sets, &known, number);
        }
        if !Eval::new(game, state).is_consistent(puzzle) {
            // What is broken stays broken.
            sets.fill(Set::EMPTY);
        }
        for site in game.everywhere.iter().filter(|&site| !state.is_empty(site)) {
            self.give(&mut sets, &mut known, site, usize::from(state.what(site)) - 1);
        }
        (sets, known)
    }

    /// Gives a site a value.
    #[inline(always)]
    pub(super) fn give(
        &self,
        sets: &mut impl Sets<W>,
        known: &mut Known<W>,
        site: usize,
        value: usize,
    ) {
        let step = value * self.sites + site;
        let own = value.wrapping_sub(self.least);
        let all = sets.as_mut();
        if all.len() > 1 {
            for set in &mut *all {
                set.remove(site);
            }
        }
        if let Some(set) = all.get_mut(own) {
            *set = set.without(&self.own[step]);
        }
        for &(other, peer) in self.others.get(step) {
            all[usize::from(other)].remove(usize::from(peer));
        }
        for &number in self.counts_of.get(site) {
            let number = number as usize;
            let adds = self.counted[number].adds(value as i32);
            let (left, open) = &mut known.left[number];
            *left -= adds;
            *open -= 1;
            if *open == 1 || adds != 0 && *left < self.greatest[number] {
                sets.rarely(|sets| self.forbid(sets, known, number));
            }
        }
        for &(table, weight) in self.tables_of.get(site) {
            let entry = &mut known.entries[table as usize];
            *entry += weight * (own + 1) as u32;
            let entry = *entry;
            self.look_up(sets.as_mut(), entry);
        }
        if self.zeros {
            known.open.remove(site);
            known.values[site] = value as u16;
        }
    }

    /// Takes out what a table does not allow.
    #[inline(always)]
    fn look_up(&self, sets: &mut [Set<W>], entry: u32) {
        for (set, allowed) in sets.iter_mut().zip(&self.allowed[entry as usize..]) {
            *set &= *allowed;
        }
    }

    /// Takes out the values that would break a count.
    #[cold]
    #[inline(never)]
    fn forbid(&self, sets: &mut [Set<W>], known: &Known<W>, number: usize) {
        let counted = &self.counted[number];
        let (left, open) = known.left[number];
        if open == 0 {
            return;
        }
        for (set, value) in sets.iter_mut().zip(self.least as i32..) {
            let adds = counted.adds(value);
            if adds > left || open == 1 && adds != left {
                *set = set.without(&counted.sites);
            }
        }
    }

    /// The least value that a move gives.
    pub(super) fn least(&self) -> usize {
        self.least
    }
}

/// Draws one of all sites of all sets, with the number of its set. `ends` is room for a number more than
/// there are words in the sets.
#[inline(always)]
pub(super) fn draw<const W: usize>(
    cpu: impl Cpu,
    sets: &[Set<W>],
    ends: &mut [u32],
    rng: &mut Rng,
) -> Option<(usize, usize)> {
    if let [set] = sets {
        return draw_of_one(cpu, set, rng).map(|site| (0, site));
    }
    // How many there are up to each word.
    let mut total = 0;
    ends[0] = 0;
    for (set, ends) in sets.iter().zip(ends[1..].chunks_exact_mut(W)) {
        for (word, end) in set.0.iter().zip(ends) {
            total += word.count_ones();
            *end = total;
        }
    }
    if total == 0 {
        return None;
    }
    let number = rng.below(total);
    // Without branches, which nothing could predict.
    let before = ends[1..].iter().map(|&end| usize::from(end <= number)).sum::<usize>();
    let (at, word) = (before / W, before % W);
    let site = 64 * word + cpu.nth(sets[at].0[word], number - ends[before]) as usize;
    Some((at, site))
}

/// Draws one of the sites of a set.
#[inline(always)]
fn draw_of_one<const W: usize>(cpu: impl Cpu, set: &Set<W>, rng: &mut Rng) -> Option<usize> {
    let mut ends = [0; W];
    let mut total = 0;
    for (word, end) in set.0.iter().zip(&mut ends) {
        total += word.count_ones();
        *end = total;
    }
    if total == 0 {
        return None;
    }
    let number = rng.below(total);
    let (mut word, mut base, mut below) = (set.0[0], 0, 0);
    for at in 1..W {
        // Without branches, which nothing could predict.
        let beyond = number >= ends[at - 1];
        word = if beyond { set.0[at] } else { word };
        base = if beyond { at } else { base };
        below = if beyond { ends[at - 1] } else { below };
    }
    Some(64 * base + cpu.nth(word, number - below) as usize)
}
