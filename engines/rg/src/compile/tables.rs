//! Constant tables of a program, each once, and sets as functions of elements see them.

use kernel::build::{CodeBuilder, ProgramBuilder};
use kernel::ir::{Expr, Local, SetTable, Table, Type};
use rustc_hash::FxHashMap;

use super::terms::Function;
use super::writer::Writer;

/// The most steps by which a function of elements may move them to be seen as shifts of sets.
const MAX_SHIFTS: usize = 10;

/// So many elements that go to one are apart from those that are moved.
const MANY: usize = 3;

/// The constant tables of a program.
#[derive(Default)]
pub(crate) struct Tables {
    ints: FxHashMap<Box<[i32]>, Table>,
    sets: FxHashMap<Box<[u64]>, SetTable>,
    words: usize,
}

/// A function on elements by what it does to sets of them.
struct Shifts {
    /// Elements that are moved by the same number.
    moved: Vec<(i32, Vec<i32>)>,
    /// Elements that all go to one.
    merged: Vec<(i32, Vec<i32>)>,
}

impl Tables {
    pub(crate) fn new(words: usize) -> Tables {
        Tables { words, ..Tables::default() }
    }

    /// A table of numbers.
    pub(crate) fn ints(&mut self, program: &mut ProgramBuilder, entries: &[i32]) -> Table {
        if let Some(&table) = self.ints.get(entries) {
            return table;
        }
        let table = program.table(entries);
        self.ints.insert(entries.into(), table);
        table
    }

    /// A table of sets.
    pub(crate) fn sets(&mut self, program: &mut ProgramBuilder, words: &[u64]) -> SetTable {
        if let Some(&table) = self.sets.get(words) {
            return table;
        }
        let table = program.set_table(words);
        self.sets.insert(words.into(), table);
        table
    }

    /// A constant set.
    pub(crate) fn set(
        &mut self,
        program: &mut ProgramBuilder,
        members: impl IntoIterator<Item = i32>,
    ) -> Expr {
        let words = self.words_of(members);
        if words.iter().all(|&word| word == 0) {
            return Expr::NoSites;
        }
        self.sets(program, &words).at(0)
    }

    /// The words of a set.
    pub(crate) fn words_of(&self, members: impl IntoIterator<Item = i32>) -> Vec<u64> {
        let mut words = vec![0; self.words];
        for member in members {
            if let Some(word) = words.get_mut(member as usize / 64) {
                *word |= 1 << (member % 64);
            }
        }
        words
    }

    /// True if sets are large enough for a number.
    pub(crate) fn holds(&self, number: i32) -> bool {
        (0..64 * self.words as i32).contains(&number)
    }

    /// The elements that a function takes into a set; `None` if that is no matter of a few shifts.
    /// If they are all that there are, others may be among them, which do not matter.
    pub(crate) fn preimage(
        &mut self,
        program: &mut ProgramBuilder,
        set: Local,
        function: &Function,
        domain: &[i32],
        all: usize,
    ) -> Option<Expr> {
        let Shifts { moved, merged } = self.shifts(function, domain)?;
        let mut parts = Vec::new();
        for (by, elements) in moved {
            let shifted = if by == 0 { set.get() } else { set.get().shift(-by) };
            let is_all = elements.len() == all;
            parts.push(if is_all { shifted } else { shifted & self.set(program, elements) });
        }
        for (to, elements) in merged {
            parts.push(self.set_if(program, elements, set.get().contains(to)));
        }
        Some(union(parts))
    }

    /// The image of a set under a function; `None` if a few shifts do not give it.
    pub(crate) fn image(
        &mut self,
        program: &mut ProgramBuilder,
        set: Local,
        function: &Function,
        domain: &[i32],
    ) -> Option<Expr> {
        let Shifts { moved, merged } = self.shifts(function, domain)?;
        let mut parts = Vec::new();
        for (by, elements) in moved {
            let is_all = elements.len() == domain.len();
            let part = if is_all { set.get() } else { set.get() & self.set(program, elements) };
            parts.push(if by == 0 { part } else { part.shift(by) });
        }
        for (to, elements) in merged {
            let from = set.get() & self.set(program, elements);
            parts.push(self.set_if(program, [to], from.is_inhabited()));
        }
        Some(union(parts))
    }

    /// A constant set if a condition, 0 or 1, holds, else the empty one.
    pub(crate) fn set_if(
        &mut self,
        program: &mut ProgramBuilder,
        members: impl IntoIterator<Item = i32>,
        condition: Expr,
    ) -> Expr {
        let both = [self.words_of([]), self.words_of(members)].concat();
        self.sets(program, &both).at(condition)
    }

    fn shifts(&self, function: &Function, domain: &[i32]) -> Option<Shifts> {
        let to = |element: i32| function[element as usize];
        if !domain.iter().all(|&element| self.holds(to(element)) && self.holds(element)) {
            return None;
        }
        let mut times: FxHashMap<i32, usize> = FxHashMap::default();
        domain.iter().for_each(|&element| *times.entry(to(element)).or_default() += 1);
        // First by steps alone; where that makes too many, what many elements go to is apart.
        [usize::MAX, MANY].into_iter().find_map(|many| {
            let mut shifts = Shifts { moved: Vec::new(), merged: Vec::new() };
            for &element in domain {
                let (groups, key) = if times[&to(element)] >= many {
                    (&mut shifts.merged, to(element))
                } else {
                    (&mut shifts.moved, to(element) - element)
                };
                match groups.iter_mut().find(|(of, _)| *of == key) {
                    Some((_, elements)) => elements.push(element),
                    None => groups.push((key, vec![element])),
                }
                if groups.len() > (MAX_SHIFTS / self.words).max(4) {
                    return None;
                }
            }
            Some(shifts)
        })
    }
}

/// The union of sets.
fn union(parts: Vec<Expr>) -> Expr {
    parts.into_iter().reduce(|union, part| union | part).unwrap_or(Expr::NoSites)
}

/// A new variable with a set.
pub(crate) fn set_var(w: &mut Writer, value: Expr) -> Local {
    w.var(Type::Set, value)
}
