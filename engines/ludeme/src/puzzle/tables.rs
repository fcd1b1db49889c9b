//! Constraints on few variables, evaluated for all values that these can have.
//!
//! Such a constraint may be any combination of counts. Each of its counts is evaluated once for
//! each value, so that a number represents the values of its variables (in the constraint
//! literature a *table*, or *extensional*, constraint), and for each number the table has the
//! values that may be given next.

use super::{Aggregate, Counted};
use crate::eval::Eval;
use crate::game::Game;
use crate::ir::{Bool, Constraint, Int, Ints, Iter, Place, Puzzle, Walk};
use crate::set::{Set, words_for};

/// Most parts of a constraint.
const MOST_PARTS: usize = 20_000;

/// Most entries of a table.
const MOST_ENTRIES: usize = 1 << 14;

/// Most words of all tables together.
const MOST_WORDS: usize = 1 << 21;

/// The values that may be given next, by the present values of the variables of a constraint.
#[derive(Debug)]
pub(super) struct Table {
    /// The variables, each with the number that one step of its value adds to the index of an
    /// entry.
    pub(super) weights: Vec<(u16, u32)>,
    /// For each entry and each value the sites that may be given it, those beside the variables
    /// included.
    pub(super) allowed: Vec<Set>,
}

impl Table {
    /// The table of a constraint, if it combines counts of few variables, and if values that it
    /// forbids stay forbidden when more values are given. `room` is the number of words that are
    /// left for all tables.
    pub(super) fn of(
        game: &Game,
        puzzle: &Puzzle,
        constraint: &Bool,
        room: &mut usize,
    ) -> Option<Table> {
        let mut eval = Eval::new(game, &game.initial);
        let formula = Formula::of_constraint(&mut eval, constraint)?;
        let mut sites = Set::EMPTY;
        formula.sites(&mut sites);
        let state = &game.initial;
        let given = |site: usize| (!state.is_empty(site)).then(|| state.what(site) as i32 - 1);
        let open = puzzle.open.iter().map(|&site| usize::from(site));
        let open: Vec<usize> =
            open.filter(|&site| sites.contains(site) && given(site).is_none()).collect();
        let (least, greatest) = puzzle.values;
        let values = usize::try_from(greatest - least + 1).ok()?;
        let mut entries = 1usize;
        let mut weights = Vec::new();
        for &site in &open {
            weights.push((site as u16, entries as u32));
            entries = entries.checked_mul(values + 1).filter(|&entries| entries <= MOST_ENTRIES)?;
        }
        *room = room.checked_sub(entries * values * words_for(game.world.sites()))?;
        let mut search = Search {
            formula: &formula,
            least,
            weights: &weights,
            values: (0..game.world.sites()).map(given).collect(),
            truth: vec![None; entries],
            reached: vec![false; entries],
            allowed: vec![Set::EMPTY; entries * values],
            beside: Set::below(game.world.sites()).without(&open.iter().copied().collect()),
            each: values,
        };
        search.fill(0).then_some(())?;
        let allowed = search.allowed;
        Some(Table { weights, allowed })
    }

    /// The number of words for the tables of a puzzle.
    pub(super) fn room() -> usize {
        MOST_WORDS
    }
}

/// A table while it is filled, from the entry without values on.
struct Search<'a> {
    formula: &'a Formula,
    least: i32,
    weights: &'a [(u16, u32)],
    /// The values of all sites at the present entry.
    values: Vec<Option<i32>>,
    /// For each entry the truth value of the constraint, if it has been computed.
    truth: Vec<Option<bool>>,
    reached: Vec<bool>,
    allowed: Vec<Set>,
    /// All sites except the variables.
    beside: Set,
    /// Number of values that a variable can have.
    each: usize,
}

impl Search<'_> {
    /// Fills an entry and all entries that can follow it; false if a value becomes allowed again
    /// later.
    fn fill(&mut self, entry: usize) -> bool {
        if std::mem::replace(&mut self.reached[entry], true) {
            return true;
        }
        let mut next = Vec::new();
        for value in 0..self.each {
            let mut allowed = self.beside.clone();
            for &(site, weight) in self.weights {
                let variable = usize::from(site);
                if self.values[variable].is_some() {
                    continue;
                }
                let after = entry + weight as usize * (value + 1);
                self.values[variable] = Some(self.least + value as i32);
                let holds =
                    *self.truth[after].get_or_insert_with(|| self.formula.holds(&self.values));
                self.values[variable] = None;
                if holds {
                    allowed.insert(variable);
                    next.push((variable, value, after));
                }
            }
            self.allowed[entry * self.each + value] = allowed;
        }
        // The recursion is as deep as the number of variables.
        next.into_iter().all(|(variable, value, after)| {
            self.values[variable] = Some(self.least + value as i32);
            let filled = self.fill(after);
            self.values[variable] = None;
            let of_entry = |entry: usize| entry * self.each..(entry + 1) * self.each;
            let mut pairs =
                self.allowed[of_entry(after)].iter().zip(&self.allowed[of_entry(entry)]);
            filled && pairs.all(|(later, sooner)| later.is_subset(sooner))
        })
    }
}

/// A constraint as a combination of counts.
#[derive(Debug)]
pub(super) enum Formula {
    Const(bool),
    Not(Box<Formula>),
    All(Vec<Formula>),
    Any(Vec<Formula>),
    Counted(Counted),
}

impl Formula {
    /// Takes a constraint apart; `None` if it reads anything from the state but counts, or has too
    /// many parts.
    pub(super) fn of_constraint(eval: &mut Eval<'_>, constraint: &Bool) -> Option<Formula> {
        Formula::of(eval, constraint, &mut MOST_PARTS.clone())
    }

    /// Takes a condition apart; `None` if it reads anything from the state but counts. `left` is
    /// the number of parts that it may still have.
    fn of(eval: &mut Eval<'_>, condition: &Bool, left: &mut usize) -> Option<Formula> {
        *left = left.checked_sub(1)?;
        Some(match condition {
            Bool::And(list) => {
                let mut parts = Vec::new();
                for part in list {
                    match Formula::of(eval, part, left)? {
                        Formula::Const(true) => {}
                        Formula::Const(false) => return Some(Formula::Const(false)),
                        part => parts.push(part),
                    }
                }
                Formula::All(parts)
            }
            Bool::Or(list) => {
                let parts = list.iter().map(|part| Formula::of(eval, part, left));
                Formula::Any(parts.collect::<Option<_>>()?)
            }
            Bool::Not(part) => Formula::Not(Box::new(Formula::of(eval, part, left)?)),
            Bool::InInts(wanted, list) => match (&**wanted, &**list) {
                ([Int::Const(wanted @ 0..=1)], Ints::Results { from, to, value }) => {
                    let Int::FromBool(condition) = &**value else { return None };
                    let parts = Formula::of_pairs(eval, from, to, condition, left)?;
                    let turned = |part| Formula::Not(Box::new(part));
                    Formula::Any(match wanted {
                        1 => parts,
                        _ => parts.into_iter().map(turned).collect(),
                    })
                }
                _ => return None,
            },
            Bool::Constraint(constraint) => match &**constraint {
                Constraint::Count { region, of, number }
                    if region.is_fixed() && of.is_fixed() && number.is_fixed() =>
                {
                    Formula::Counted(Counted {
                        sites: eval.region(region),
                        aggregate: Aggregate::Count(eval.int(of)),
                        number: i64::from(eval.int(number)),
                    })
                }
                _ => return None,
            },
            other if other.is_fixed() => Formula::Const(eval.test(other)),
            _ => return None,
        })
    }

    /// The formulas of a condition for every pair of sites that are bound.
    fn of_pairs(
        eval: &mut Eval<'_>,
        from: &Place,
        to: &Place,
        condition: &Bool,
        left: &mut usize,
    ) -> Option<Vec<Formula>> {
        if !from.is_fixed() || !to.is_fixed() {
            return None;
        }
        let mut parts = Vec::new();
        for from in eval.place(from).iter() {
            let found = eval.with(Iter::From, from as i32, |eval| {
                for to in eval.place(to).iter() {
                    let part =
                        eval.with(Iter::To, to as i32, |eval| Formula::of(eval, condition, left))?;
                    if !matches!(part, Formula::Const(false)) {
                        parts.push(part);
                    }
                }
                Some(())
            });
            found?;
        }
        Some(parts)
    }

    /// Adds all sites whose values are read.
    pub(super) fn sites(&self, sites: &mut Set) {
        match self {
            Formula::Const(_) => {}
            Formula::Not(part) => part.sites(sites),
            Formula::All(parts) | Formula::Any(parts) => {
                parts.iter().for_each(|part| part.sites(sites));
            }
            Formula::Counted(counted) => *sites |= &counted.sites,
        }
    }

    pub(super) fn holds(&self, values: &[Option<i32>]) -> bool {
        match self {
            Formula::Const(value) => *value,
            Formula::Not(part) => !part.holds(values),
            Formula::All(parts) => parts.iter().all(|part| part.holds(values)),
            Formula::Any(parts) => parts.iter().any(|part| part.holds(values)),
            Formula::Counted(Counted { sites, aggregate, number }) => {
                let (mut open, mut found) = (false, 0);
                for site in sites.iter() {
                    match (values.get(site).copied().flatten(), aggregate) {
                        (None, _) => open = true,
                        (Some(value), Aggregate::Sum) => found += i64::from(value),
                        (Some(value), Aggregate::Count(of)) => found += i64::from(value == *of),
                    }
                }
                if open { found <= *number } else { found == *number }
            }
        }
    }
}
