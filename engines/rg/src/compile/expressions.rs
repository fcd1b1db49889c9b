//! Values of expressions on a walk.

use std::rc::Rc;

use kernel::build::CodeBuilder;
use kernel::ir::{Expr as Code, Type};

use super::arrays::{CELLS, SCALARS};
use super::conditions::{code_of, simplified};
use super::terms::{Alias, Env, Function, Source, Term};
use super::walk::{Compiler, Stop};
use super::writer::Writer;
use crate::automaton::{Cell, Expr, Place, Shape, Slot};

impl Compiler<'_> {
    /// The value of an expression.
    pub(super) fn term(
        &mut self,
        w: &mut Writer,
        env: &mut Env,
        expr: &Expr,
    ) -> Result<Term, Stop> {
        match expr {
            Expr::Symbol(symbol) => Ok(Term::Constant(self.map.numbers[symbol.index()])),
            Expr::Variable(place) => {
                let shape = &self.rules.automaton.variables[place.slot].shape;
                if place.keys.len() < shape.keys.len() {
                    return Err(Stop::Unsupported("a map as a value"));
                }
                if place.keys.is_empty() {
                    return Ok(self.variable(w, env, place.slot));
                }
                let keys = self.keys(w, env, place)?;
                let writes = env.writes.len();
                let is_same = |(slot, known, after, _): &&(Slot, Vec<Term>, usize, Term)| {
                    (*slot, *after) == (place.slot, writes) && *known == keys
                };
                if let Some((.., value)) = env.cells.iter().find(is_same) {
                    return Ok(value.clone());
                }
                let value = self.cell(w, env, place.slot, &keys, writes)?;
                env.cells.push((place.slot, keys, writes, value.clone()));
                Ok(value)
            }
            Expr::Constant(place) => {
                let constant = &self.rules.automaton.constants[place.slot];
                if place.keys.len() < constant.shape.keys.len() {
                    return Err(Stop::Unsupported("a map as a value"));
                }
                let keys = self.keys(w, env, place)?;
                let (shape, cells) = (&constant.shape, &constant.cells);
                self.constant(w, shape, cells, &keys)
            }
        }
    }

    pub(super) fn keys(
        &mut self,
        w: &mut Writer,
        env: &mut Env,
        place: &Place,
    ) -> Result<Vec<Term>, Stop> {
        place.keys.iter().map(|key| self.term(w, env, key)).collect()
    }

    /// The value of a variable without keys.
    pub(super) fn variable(&mut self, w: &mut Writer, env: &mut Env, slot: Slot) -> Term {
        if let Some(term) = env.assigned.get(&slot) {
            return term.clone();
        }
        if let Some(&local) = env.loaded.get(&slot) {
            return Term::Local(local);
        }
        let local = w.var(Type::Int, SCALARS.at(self.map.places[slot].base as i32));
        env.loaded.insert(slot, local);
        Term::Local(local)
    }

    /// The entry of a constant map.
    pub(super) fn constant(
        &mut self,
        w: &mut Writer,
        shape: &Shape,
        cells: &[Cell],
        keys: &[Term],
    ) -> Result<Term, Stop> {
        let unknown: Vec<usize> =
            (0..keys.len()).filter(|&i| !matches!(keys[i], Term::Constant(_))).collect();
        // The entry, if unknown keys have this number.
        let entry = |c: &Self, number_of: &dyn Fn(&Term) -> i32| -> i32 {
            let mut at = 0;
            for (&set, key) in shape.keys.iter().zip(keys) {
                let set = &c.rules.automaton.sets[set];
                let place = match usize::try_from(number_of(key)) {
                    Ok(number) => set.place(c.map.symbols[number]),
                    Err(_) => set.members.len(),
                };
                at = at * set.width() + place;
            }
            c.map.numbers[usize::from(cells[at])]
        };
        let known = |term: &Term| match term {
            Term::Constant(number) => *number,
            _ => -1,
        };
        let of_elements = |&i: &usize| matches!(keys[i], Term::OfElement(_));
        if unknown.is_empty() {
            return Ok(Term::Constant(entry(self, &known)));
        }
        let numbers = self.map.symbols.len();
        if unknown.iter().all(of_elements) {
            let value = |element: usize| {
                entry(self, &|term| match term {
                    Term::OfElement(function) => function[element],
                    term => known(term),
                })
            };
            let is_element = |element: usize| match &keys[unknown[0]] {
                Term::OfElement(function) => function[element] >= 0,
                _ => false,
            };
            let value = |n| if is_element(n) { value(n) } else { -1 };
            let function: Function = (0..numbers).map(value).collect();
            return Ok(simplified(function));
        }
        if unknown.iter().any(of_elements) {
            return Err(Stop::NeedsElement);
        }
        let base = |&i: &usize| match &keys[i] {
            Term::Local(local) | Term::Entry(local, ..) => Some(*local),
            _ => None,
        };
        let first = base(&unknown[0]);
        if let Some(local) = first
            && unknown.iter().all(|i| base(i) == first)
        {
            let value = |n: usize| {
                entry(self, &|term| match term {
                    Term::Local(_) => n as i32,
                    Term::Entry(_, function, _) => function[n],
                    term => known(term),
                })
            };
            let function: Function = (0..numbers).map(value).collect();
            if let Term::Constant(number) = simplified(Rc::clone(&function)) {
                return Ok(Term::Constant(number));
            }
            let table = self.tables.ints(&mut self.program, &function);
            return Ok(Term::Entry(local, function, table));
        }
        let index = self.index(shape, keys)?;
        let entries: Vec<i32> =
            cells.iter().map(|&cell| self.map.numbers[usize::from(cell)]).collect();
        let table = self.tables.ints(&mut self.program, &entries);
        Ok(Term::Local(w.var(Type::Int, table.at(index))))
    }

    /// The cell that keys lead to in a row of rows.
    pub(super) fn index(&mut self, shape: &Shape, keys: &[Term]) -> Result<Code, Stop> {
        let mut index = Code::Int(0);
        for (&set, key) in shape.keys.iter().zip(keys) {
            let set = &self.rules.automaton.sets[set];
            let place = |&symbol: &Cell| set.place(symbol) as i32;
            let place = match key {
                Term::Constant(number) => Code::Int(place(&self.map.symbols[*number as usize])),
                key => {
                    let places: Vec<i32> = self.map.symbols.iter().map(place).collect();
                    self.tables.ints(&mut self.program, &places).at(code_of(key)?)
                }
            };
            index = match index {
                Code::Int(0) => place,
                index => index * set.width() as i32 + place,
            };
        }
        Ok(index)
    }

    /// The value of a cell after so many writes of the walk.
    pub(super) fn cell(
        &mut self,
        w: &mut Writer,
        env: &Env,
        slot: Slot,
        keys: &[Term],
        writes: usize,
    ) -> Result<Term, Stop> {
        let mut value = match env.aliases.get(&slot) {
            Some(Alias { source, keys: before, writes }) => {
                let all = [before, keys].concat();
                match *source {
                    Source::Variable(source) => Some(self.cell(w, env, source, &all, *writes)?),
                    Source::Constant(source) => {
                        let constant = &self.rules.automaton.constants[source];
                        Some(self.constant(w, &constant.shape, &constant.cells, &all)?)
                    }
                }
            }
            None => None,
        };
        let writes = || env.writes[..writes].iter().filter(|write| write.slot == slot);
        let is_of_element = |key: &Term| matches!(key, Term::OfElement(_));
        if keys.iter().any(is_of_element) && (value.is_none() || writes().next().is_some()) {
            return Err(Stop::NeedsElement);
        }
        for write in writes() {
            let differ = write.keys.iter().zip(keys).any(|(one, other)| {
                matches!((one, other), (Term::Constant(a), Term::Constant(b)) if a != b)
            });
            if differ {
                continue;
            }
            if write.keys == keys {
                value = Some(write.value.clone());
                continue;
            }
            let mut same = Code::Int(1);
            for (one, other) in write.keys.iter().zip(keys) {
                let equal = code_of(one)?.equals(code_of(other)?);
                same = if same == Code::Int(1) { equal } else { same.and(equal) };
            }
            let before = match value {
                Some(value) => code_of(&value)?,
                None => CELLS.at(self.address(slot, keys)?),
            };
            let now = same.choose(code_of(&write.value)?, before);
            value = Some(Term::Local(w.var(Type::Int, now)));
        }
        match value {
            Some(value) => Ok(value),
            None => Ok(Term::Local(w.var(Type::Int, CELLS.at(self.address(slot, keys)?)))),
        }
    }
}
