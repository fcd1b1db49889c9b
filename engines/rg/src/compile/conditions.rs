//! Values, conditions and assignments of a walk as code.

use std::rc::Rc;

use kernel::build::CodeBuilder;
use kernel::ir::{Expr as Code, Type};

use super::tables::set_var;
use super::terms::{Alias, Elements, Env, Function, Source, Term, Write};
use super::walk::arrays::{BOARDS, CELLS};
use super::walk::{Compiler, Goal, Stop, arguments};
use super::writer::Writer;
use crate::automaton::{Cell, Expr, NodeId, Place, Shape, Slot};

/// The most words of a table of sets that has one for each number.
const MAX_TABLE_WORDS: usize = 1 << 16;

/// The most values for each of which a set is asked in one condition.
const MAX_CASES: usize = 4;

/// A condition.
pub(super) enum Condition {
    Known(bool),
    /// A number that is 0 if it does not hold.
    If(Code),
    /// The elements for which it holds, with all that it may hold for if they are known.
    For(Code, Option<Rc<[i32]>>),
}

/// A side of a comparison.
enum Side {
    Term(Term),
    /// What lies on a board, at a place for each element.
    /// The board, the writes of the walk that count, and the place.
    OnBoard(Slot, usize, Function),
}

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

    fn keys(&mut self, w: &mut Writer, env: &mut Env, place: &Place) -> Result<Vec<Term>, Stop> {
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
        let local = w.var(Type::Int, CELLS.at(self.map.places[slot].base as i32));
        env.loaded.insert(slot, local);
        Term::Local(local)
    }

    /// The entry of a constant map.
    fn constant(
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
    fn index(&mut self, shape: &Shape, keys: &[Term]) -> Result<Code, Stop> {
        let mut index = Code::Int(0);
        for (&set, key) in shape.keys.iter().zip(keys) {
            let set = &self.rules.automaton.sets[set];
            let place = |&symbol: &Cell| set.place(symbol) as i32;
            let place = match key {
                Term::Constant(number) => {
                    Code::Int(place(&self.map.symbols[*number as usize]))
                }
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

    /// The cell of a map of the game that keys lead to.
    fn address(&mut self, slot: Slot, keys: &[Term]) -> Result<Code, Stop> {
        let base = self.map.places[slot].base as i32;
        let index = match keys {
            [key] => code_of(key)?,
            _ => self.index(&self.rules.automaton.variables[slot].shape, keys)?,
        };
        Ok(match index {
            Code::Int(number) => Code::Int(base + number),
            index if base == 0 => index,
            index => index + base,
        })
    }

    /// What a cell holds after so many writes of the walk.
    fn cell(
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
                    Source::Variable(source) => {
                        Some(self.cell(w, env, source, &all, *writes)?)
                    }
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

    /// A comparison.
    pub(super) fn compare(
        &mut self,
        w: &mut Writer,
        env: &mut Env,
        left: &Expr,
        right: &Expr,
        equal: bool,
    ) -> Result<Condition, Stop> {
        let left = self.side(w, env, left)?;
        let right = self.side(w, env, right)?;
        let condition = match (left, right) {
            (Side::Term(one), Side::Term(other)) => self.equal_terms(env, &one, &other)?,
            (Side::OnBoard(slot, writes, function), Side::Term(value))
            | (Side::Term(value), Side::OnBoard(slot, writes, function)) => {
                self.equal_on_board(w, env, (slot, writes), &function, &value)?
            }
            (Side::OnBoard(..), Side::OnBoard(..)) => return Err(Stop::NeedsElement),
        };
        Ok(if equal { condition } else { self.negated(env, condition) })
    }

    /// The board that a variable is, or is another name of, and the writes of the walk that count.
    fn board(&self, env: &Env, slot: Slot) -> Option<(Slot, usize)> {
        let Some(Alias { source, keys, writes }) = env.aliases.get(&slot) else {
            return self.map.places[slot].board.is_some().then_some((slot, env.writes.len()));
        };
        let Source::Variable(source) = *source else { return None };
        let is_written = env.writes.iter().any(|write| write.slot == slot);
        let is_board = keys.is_empty() && self.map.places[source].board.is_some();
        (is_board && !is_written && !env.aliases.contains_key(&source)).then_some((source, *writes))
    }

    /// Gives a variable a map as a whole.
    pub(super) fn alias(
        &mut self,
        w: &mut Writer,
        env: &mut Env,
        target: &Place,
        value: &Expr,
    ) -> Result<(), Stop> {
        let (source, place) = match value {
            Expr::Variable(place) => (Source::Variable(place.slot), place),
            Expr::Constant(place) => (Source::Constant(place.slot), place),
            Expr::Symbol(_) => return Err(Stop::Unsupported("a map that is a symbol")),
        };
        let automaton = &self.rules.automaton;
        let own = &automaton.variables[target.slot].shape;
        let shape = match source {
            Source::Variable(slot) => &automaton.variables[slot].shape,
            Source::Constant(slot) => &automaton.constants[slot].shape,
        };
        if !target.keys.is_empty() || own.keys != shape.keys[place.keys.len()..] {
            return Err(Stop::Unsupported("a map that is assigned to a part of another"));
        }
        let is_same = source == Source::Variable(target.slot);
        let names = |alias: &Alias| alias.source == Source::Variable(target.slot);
        if is_same || env.aliases.values().any(names) {
            return Err(Stop::Unsupported("a map that is assigned to itself"));
        }
        let keys = self.keys(w, env, place)?;
        let mut alias = Alias { source, keys, writes: env.writes.len() };
        if let Source::Variable(slot) = source
            && let Some(named) = env.aliases.get(&slot)
        {
            if env.writes.iter().any(|write| write.slot == slot) {
                return Err(Stop::Unsupported("a copy of a map that is written"));
            }
            alias = Alias { keys: [&named.keys[..], &alias.keys].concat(), ..named.clone() };
        }
        // What was written to the old map is lost with it.
        if env.writes.iter().any(|write| write.slot == target.slot) {
            return Err(Stop::Unsupported("a map that is written, and then assigned as a whole"));
        }
        env.cells.retain(|(slot, ..)| *slot != target.slot);
        env.aliases.insert(target.slot, alias);
        Ok(())
    }

    fn side(&mut self, w: &mut Writer, env: &mut Env, expr: &Expr) -> Result<Side, Stop> {
        if let Expr::Variable(Place { slot, keys }) = expr
            && let [key] = keys.as_slice()
            && let Some((slot, writes)) = self.board(env, *slot)
            && let Term::OfElement(function) = self.term(w, env, key)?
        {
            return Ok(Side::OnBoard(slot, writes, function));
        }
        Ok(Side::Term(self.term(w, env, expr)?))
    }

    /// The condition that holds where another does not.
    fn negated(&mut self, env: &Env, condition: Condition) -> Condition {
        match condition {
            Condition::Known(known) => Condition::Known(!known),
            Condition::If(code) => Condition::If(!code),
            Condition::For(elements, domain) => match &env.elements {
                Some(Elements { set, domain: all }) => {
                    let others = |domain: Rc<[i32]>| {
                        let is_other = |element: &&i32| domain.binary_search(element).is_err();
                        all.iter().filter(is_other).copied().collect()
                    };
                    Condition::For(set.get().without(elements), domain.map(others))
                }
                None => Condition::Known(false),
            },
        }
    }

    fn equal_terms(&mut self, env: &Env, one: &Term, other: &Term) -> Result<Condition, Stop> {
        match &env.elements {
            Some(Elements { domain, .. }) => self.equal_over(&Rc::clone(domain), one, other),
            None => self.equal_over(&[], one, other),
        }
    }

    /// A comparison of terms for these elements.
    fn equal_over(&mut self, domain: &[i32], one: &Term, other: &Term) -> Result<Condition, Stop> {
        let (Term::OfElement(function), value) = (match (one, other) {
            (Term::Constant(a), Term::Constant(b)) => return Ok(Condition::Known(a == b)),
            (Term::OfElement(_), _) => (one, other),
            (_, Term::OfElement(_)) => (other, one),
            _ => return Ok(Condition::If(code_of(one)?.equals(code_of(other)?))),
        }) else {
            return Err(Stop::NeedsElement);
        };
        let equal_to = |value: &dyn Fn(i32) -> i32| -> Rc<[i32]> {
            domain.iter().copied().filter(|&e| function[e as usize] == value(e)).collect()
        };
        let members: Rc<[i32]> = match value {
            Term::Constant(number) => equal_to(&|_| *number),
            Term::OfElement(other) => equal_to(&|element| other[element as usize]),
            local => {
                let numbers = self.map.symbols.len();
                if numbers * self.map.words > MAX_TABLE_WORDS {
                    return Err(Stop::NeedsElement);
                }
                let row = |n| self.tables.words_of(equal_to(&|_| n).iter().copied());
                let rows: Vec<u64> = (0..numbers as i32).flat_map(row).collect();
                let table = self.tables.sets(&mut self.program, &rows);
                return Ok(Condition::For(table.at(code_of(local)?), None));
            }
        };
        let set = self.tables.set(&mut self.program, members.iter().copied());
        Ok(if members.is_empty() {
            Condition::Known(false)
        } else if members.len() == domain.len() {
            Condition::Known(true)
        } else {
            Condition::For(set, Some(members))
        })
    }

    /// The elements that are at places of a board with a value.
    fn equal_on_board(
        &mut self,
        w: &mut Writer,
        env: &Env,
        (slot, writes): (Slot, usize),
        function: &Function,
        value: &Term,
    ) -> Result<Condition, Stop> {
        let Some(Elements { domain, .. }) = &env.elements else { return Err(Stop::NeedsElement) };
        if let Term::OfElement(values) = value {
            let mut cases: Vec<i32> = domain.iter().map(|&e| values[e as usize]).collect();
            cases.sort_unstable();
            cases.dedup();
            if cases.len() > MAX_CASES {
                return Err(Stop::NeedsElement);
            }
            let union = set_var(w, Code::NoSites);
            for case in cases {
                let of_case = domain.iter().copied().filter(|&e| values[e as usize] == case);
                let of_case = self.tables.set(&mut self.program, of_case.collect::<Vec<i32>>());
                let case = Term::Constant(case);
                match self.equal_on_board(w, env, (slot, writes), function, &case)? {
                    Condition::Known(false) => {}
                    Condition::Known(true) => w.set(union, union.get() | of_case),
                    Condition::If(code) => {
                        w.when(code, |w| w.set(union, union.get() | of_case));
                    }
                    Condition::For(set, _) => w.set(union, union.get() | (set & of_case)),
                }
            }
            return Ok(Condition::For(union.get(), None));
        }
        let writes: Vec<Write> =
            env.writes[..writes].iter().filter(|write| write.slot == slot).cloned().collect();
        let domain = Rc::clone(domain);
        Ok(Condition::For(self.on_board(w, slot, &writes, function, &domain, value)?, None))
    }

    /// Those of some elements that are at places of a board with a value, after writes to it.
    fn on_board(
        &mut self,
        w: &mut Writer,
        slot: Slot,
        writes: &[Write],
        function: &Function,
        domain: &[i32],
        value: &Term,
    ) -> Result<Code, Stop> {
        let Some((last, before)) = writes.split_last() else {
            return self.at_rest(w, slot, function, domain, value);
        };
        let to = |element: i32| function[element as usize];
        // The elements at the place that is written, and whether they are known now.
        let (written, rest): (Code, Vec<i32>) = match &last.keys[0] {
            Term::OfElement(_) | Term::Constant(_) => {
                let key = |element: i32| match &last.keys[0] {
                    Term::OfElement(key) => key[element as usize],
                    Term::Constant(key) => *key,
                    Term::Local(_) | Term::Entry(..) => -1,
                };
                let (at, rest): (Vec<i32>, Vec<i32>) =
                    domain.iter().partition(|&&element| to(element) == key(element));
                (self.tables.set(&mut self.program, at), rest)
            }
            key => {
                let single = set_var(w, Code::single(code_of(key)?));
                let at = self.tables.preimage(&mut self.program, single, function, domain);
                (set_var(w, at.ok_or(Stop::NeedsElement)?).get(), domain.to_vec())
            }
        };
        let others = self.on_board(w, slot, before, function, &rest, value)?;
        if written == Code::NoSites {
            return Ok(others);
        }
        let others = match &last.keys[0] {
            Term::Local(_) | Term::Entry(..) => others.without(written.clone()),
            _ => others,
        };
        let both = |others: Code, written: Code| match (others, written) {
            (Code::NoSites, set) | (set, Code::NoSites) => set,
            (others, written) => others | written,
        };
        match self.equal_over(domain, &last.value, value)? {
            Condition::Known(false) => Ok(others),
            Condition::Known(true) => Ok(both(others, written)),
            Condition::For(set, _) => Ok(both(others, set & written)),
            Condition::If(code) => {
                let set = set_var(w, others);
                w.when(code, |w| w.set(set, set.get() | written));
                Ok(set.get())
            }
        }
    }

    /// Those of some elements that are at places of a board with a value, as it is in memory.
    fn at_rest(
        &mut self,
        w: &mut Writer,
        slot: Slot,
        function: &Function,
        domain: &[i32],
        value: &Term,
    ) -> Result<Code, Stop> {
        let variable = &self.rules.automaton.variables[slot];
        let keys = &self.rules.automaton.sets[variable.shape.keys[0]];
        let is_key = |&element: &i32| {
            let symbol = self.map.symbols[function[element as usize] as usize];
            keys.place(symbol) < keys.members.len()
        };
        let (inside, outside): (Vec<i32>, Vec<i32>) = domain.iter().partition(|e| is_key(e));
        let inside = if inside.is_empty() {
            Code::NoSites
        } else {
            let on_board = set_var(w, self.set_of(slot, value)?);
            let inside = self.tables.preimage(&mut self.program, on_board, function, &inside);
            inside.ok_or(Stop::NeedsElement)?
        };
        if outside.is_empty() {
            return Ok(inside);
        }
        // There is the default, which is never written.
        let default = variable.start.last().copied().unwrap_or_default();
        let default = self.map.numbers[usize::from(default)];
        let words = self.tables.words_of(outside);
        let both = [vec![0; words.len()], words].concat();
        let table = self.tables.sets(&mut self.program, &both);
        Ok(match value {
            Term::Constant(number) if *number != default => inside,
            Term::Constant(_) => inside | table.at(1),
            value => inside | table.at(code_of(value)?.equals(default)),
        })
    }

    /// Where a value lies on a board.
    fn set_of(&mut self, slot: Slot, value: &Term) -> Result<Code, Stop> {
        let Some(board) = &self.map.places[slot].board else { return Err(Stop::NeedsElement) };
        let none = self.map.sets as i32;
        let place = |number: i32| match board.values.binary_search(&number) {
            Ok(at) => (board.base + at) as i32,
            Err(_) => none,
        };
        Ok(match value {
            Term::Constant(number) if place(*number) == none => Code::NoSites,
            Term::Constant(number) => BOARDS.at(place(*number)),
            value => {
                let places: Vec<i32> = (0..self.map.symbols.len() as i32).map(place).collect();
                BOARDS.at(self.tables.ints(&mut self.program, &places).at(code_of(value)?))
            }
        })
    }

    /// A test of whether a node can be reached from another.
    pub(super) fn test(
        &mut self,
        w: &mut Writer,
        env: &mut Env,
        from: NodeId,
        to: NodeId,
        negated: bool,
    ) -> Result<Condition, Stop> {
        if from == to {
            return Ok(Condition::Known(!negated));
        }
        let mut inside = self.trimmed(from, env, &Goal::Reach(to));
        inside.settle(w);
        let uses_elements = inside.clone().uses_elements();
        if !uses_elements {
            inside.elements = None;
            let function = self.tested(from, to, &inside, Type::Int)?;
            let reached = function.call(arguments(&inside));
            return Ok(Condition::If(if negated { !reached } else { reached }));
        }
        let nested = self.nested;
        let function = match self.tested(from, to, &inside, Type::Set) {
            Ok(function) => function,
            Err(_) => {
                self.nested = nested;
                return Err(Stop::NeedsElement);
            }
        };
        let reached = set_var(w, function.call(arguments(&inside)));
        let condition = Condition::For(reached.get(), None);
        Ok(if negated { self.negated(env, condition) } else { condition })
    }

    /// Goes on where a condition holds; false if that is nowhere.
    pub(super) fn narrow(&mut self, w: &mut Writer, env: &mut Env, condition: Condition) -> bool {
        match condition {
            Condition::Known(known) => return known,
            Condition::If(code) => w.open_if(code),
            Condition::For(elements, domain) => {
                if let Some(old) = &mut env.elements {
                    old.set = set_var(w, old.set.get() & elements);
                    if let Some(domain) = domain {
                        let is_in = |element: &&i32| domain.binary_search(element).is_ok();
                        old.domain = old.domain.iter().filter(is_in).copied().collect();
                    }
                }
            }
        }
        true
    }

    /// Assigns a value to a variable or to a cell of one.
    pub(super) fn assign(
        &mut self,
        w: &mut Writer,
        target: &Place,
        value: Term,
        env: &mut Env,
        goal: &Goal,
    ) -> Result<(), Stop> {
        if target.keys.is_empty() {
            env.loaded.remove(&target.slot);
            env.assigned.insert(target.slot, value);
            return Ok(());
        }
        if goal.is_in_loop() {
            return Err(Stop::Unsupported("a loop that writes to a map"));
        }
        let keys = self.keys(w, env, target)?;
        let same = |write: &Write| write.slot == target.slot && write.keys == keys;
        match env.writes.last_mut() {
            Some(last) if same(last) => last.value = value,
            _ => env.writes.push(Write { slot: target.slot, keys, value }),
        }
        Ok(())
    }

    /// Writes the cells and variables that a walk has assigned, as far as they matter at the node
    /// that it leads to.
    pub(super) fn write_all(&mut self, w: &mut Writer, env: &Env, to: NodeId) -> Result<(), Stop> {
        let liveness = &self.rules.liveness;
        if env.aliases.keys().any(|&slot| liveness.is_live(to, slot)) {
            return Err(Stop::Unsupported("a map that is kept as a copy"));
        }
        for write in env.writes.iter().filter(|write| liveness.is_live(to, write.slot)) {
            self.write(w, write)?;
        }
        for (&slot, term) in &env.assigned {
            if liveness.is_live(to, slot) {
                w.store(CELLS, self.map.places[slot].base as i32, code_of(term)?);
            }
        }
        Ok(())
    }

    pub(super) fn write(&mut self, w: &mut Writer, write: &Write) -> Result<(), Stop> {
        let Write { slot, keys, value } = write;
        let outside = self.outside(*slot, keys)?;
        let depth = w.depth();
        if let Some(is_key) = outside {
            w.open_if(is_key);
        }
        let address = self.address(*slot, keys)?;
        let value_code = code_of(value)?;
        if self.map.places[*slot].board.is_some() {
            let key = code_of(&keys[0])?;
            let old = Term::Local(w.var(Type::Int, CELLS.at(address.clone())));
            for (value, there) in [(&old, false), (value, true)] {
                let set = match self.set_of(*slot, value)? {
                    Code::LoadSet(_, index) => *index,
                    _ => continue,
                };
                w.put(BOARDS, set, key.clone(), there);
            }
        }
        w.store(CELLS, address, value_code);
        w.close_to(depth);
        Ok(())
    }

    /// The condition that all keys are keys of the map, if that is not certain: what is written
    /// elsewhere is lost.
    fn outside(&mut self, slot: Slot, keys: &[Term]) -> Result<Option<Code>, Stop> {
        let mut all: Option<Code> = None;
        let shape = &self.rules.automaton.variables[slot].shape;
        for (&set, key) in shape.keys.iter().zip(keys) {
            let set = &self.rules.automaton.sets[set];
            let is_key = |&symbol: &Cell| i32::from(set.place(symbol) < set.members.len());
            let condition = match key {
                Term::Constant(number) if is_key(&self.map.symbols[*number as usize]) == 1 => {
                    continue;
                }
                Term::Constant(_) => Code::Int(0),
                key => {
                    let keys: Vec<i32> = self.map.symbols.iter().map(is_key).collect();
                    self.tables.ints(&mut self.program, &keys).at(code_of(key)?)
                }
            };
            all = Some(match all {
                Some(all) => all.and(condition),
                None => condition,
            });
        }
        Ok(all)
    }
}

impl Env {
    /// True if something depends on the elements.
    fn uses_elements(&mut self) -> bool {
        let mut uses = false;
        self.each_term(&mut |term| uses |= matches!(term, Term::OfElement(_)));
        uses
    }
}

/// A function of elements; a constant if it is one.
fn simplified(function: Function) -> Term {
    let mut values = function.iter().filter(|&&value| value >= 0);
    match values.next() {
        Some(&first) if values.all(|&value| value == first) => Term::Constant(first),
        _ => Term::OfElement(function),
    }
}

/// A value as code.
pub(super) fn code_of(term: &Term) -> Result<Code, Stop> {
    match term {
        Term::Constant(number) => Ok(Code::Int(*number)),
        Term::Local(local) => Ok(local.get()),
        Term::Entry(local, _, table) => Ok(table.at(*local)),
        Term::OfElement(_) => Err(Stop::NeedsElement),
    }
}
