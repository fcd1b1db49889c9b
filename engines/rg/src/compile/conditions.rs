//! Conditions of a walk as code.

use std::collections::BTreeMap;
use std::rc::Rc;

use kernel::build::CodeBuilder;
use kernel::ir::{Expr as Code, Local, Type};

use super::arrays::BOARDS;
use super::functions::arguments;
use super::tables::set_var;
use super::terms::{Alias, Elements, Env, Function, Source, Term, Write};
use super::walk::{Compiler, Goal, Stop};
use super::writer::Writer;
use crate::automaton::{Expr, Label, NodeId, Place, Slot};

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
    OnBoard(OnBoard),
}

/// A cell of a board.
pub(super) struct OnBoard {
    pub(super) board: Slot,
    /// The writes of the walk that count.
    writes: usize,
    pub(super) from: Origin,
    /// The place of the cell, as a function of that.
    pub(super) place: Function,
    /// A constant map: what it has at the value of the cell is compared, not the value.
    pub(super) image: Option<Function>,
}

/// The origin that the place of a cell is a function of.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Origin {
    /// The elements that are gone through.
    Element,
    /// A variable of the code.
    Local(Local),
    /// Nothing: it is one place, and the function has it for 0.
    Nothing,
}

impl Compiler<'_> {
    /// The condition under which an edge passes.
    pub(super) fn condition(
        &mut self,
        w: &mut Writer,
        env: &mut Env,
        label: &Label,
    ) -> Result<Condition, Stop> {
        match label {
            Label::Compare { left, right, equal } => self.compare(w, env, left, right, *equal),
            Label::Test { from, to, negated } => self.test(w, env, *from, *to, *negated),
            _ => Ok(Condition::Known(true)),
        }
    }

    /// A comparison.
    fn compare(
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
            (Side::OnBoard(side), Side::Term(value)) | (Side::Term(value), Side::OnBoard(side)) => {
                return self.compare_on_board(w, env, &side, value, equal);
            }
            (Side::OnBoard(..), Side::OnBoard(..)) => return Err(Stop::NeedsElement),
        };
        Ok(if equal { condition } else { condition.negated(env) })
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

    fn side(&mut self, w: &mut Writer, env: &mut Env, expr: &Expr) -> Result<Side, Stop> {
        if env.elements.is_some()
            && let Some(side) = self.cell_on_board(w, env, expr)?
            && side.from == Origin::Element
        {
            return Ok(Side::OnBoard(side));
        }
        Ok(Side::Term(self.term(w, env, expr)?))
    }

    /// The cell of a board that an expression reads, by itself or as a key of a constant map.
    pub(super) fn cell_on_board(
        &mut self,
        w: &mut Writer,
        env: &mut Env,
        expr: &Expr,
    ) -> Result<Option<OnBoard>, Stop> {
        match expr {
            Expr::Symbol(_) => Ok(None),
            Expr::Constant(place) => self.image_of_board(w, env, place),
            Expr::Variable(Place { slot, keys }) => {
                let ([key], Some((board, writes))) = (keys.as_slice(), self.board(env, *slot))
                else {
                    return Ok(None);
                };
                let numbers = 0..self.map.symbols.len() as i32;
                let (from, place) = match self.term(w, env, key)? {
                    Term::OfElement(place) => (Origin::Element, place),
                    Term::Entry(local, place, _) => (Origin::Local(local), place),
                    Term::Local(local) => (Origin::Local(local), numbers.collect()),
                    Term::Constant(number) => (Origin::Nothing, Rc::from([number])),
                };
                Ok(Some(OnBoard { board, writes, from, place, image: None }))
            }
        }
    }

    /// The entry of a constant map for what lies on a board.
    fn image_of_board(
        &mut self,
        w: &mut Writer,
        env: &mut Env,
        place: &Place,
    ) -> Result<Option<OnBoard>, Stop> {
        let shape = &self.rules.automaton.constants[place.slot].shape;
        if place.keys.len() < shape.keys.len() {
            return Ok(None);
        }
        let (mut on_board, mut keys) = (None, Vec::new());
        for key in &place.keys {
            match self.cell_on_board(w, env, key)? {
                Some(_) if on_board.is_some() => return Ok(None),
                Some(side) => {
                    on_board = Some(side);
                    keys.push(None);
                }
                None => match self.term(w, env, key)? {
                    Term::Constant(number) => keys.push(Some(number)),
                    _ => return Ok(None),
                },
            }
        }
        Ok(on_board.map(|side| {
            let image = self.image(place.slot, &keys, side.image.as_ref());
            OnBoard { image: Some(image), ..side }
        }))
    }

    /// The entry of a constant map for each number as the key that is not known, or for what another
    /// map takes the number to.
    fn image(&self, constant: Slot, keys: &[Option<i32>], inner: Option<&Function>) -> Function {
        let automaton = &self.rules.automaton;
        let constant = &automaton.constants[constant];
        let entry = |number: i32| {
            let number = inner.map_or(number, |inner| inner[number as usize]);
            let at = constant.shape.keys.iter().zip(keys).fold(0, |at, (&set, key)| {
                let set = &automaton.sets[set];
                let key = self.map.symbols[key.unwrap_or(number) as usize];
                at * set.width() + set.place(key)
            });
            self.map.numbers[usize::from(constant.cells[at])]
        };
        (0..self.map.symbols.len() as i32).map(entry).collect()
    }

    /// The values of a board that a map takes to a number, or, if these are fewer, the others; true
    /// if it is the former that a comparison with that number seeks.
    pub(super) fn values_with(
        &self,
        board: Slot,
        image: &Function,
        number: i32,
        equal: bool,
    ) -> (Vec<Term>, bool) {
        let is_possible = &self.map.places[board].possible;
        let all = (0..image.len() as i32)
            .filter(|&value| is_possible[usize::from(self.map.symbols[value as usize])]);
        let (yes, no): (Vec<i32>, Vec<i32>) =
            all.partition(|&value| image[value as usize] == number);
        let (values, equal) = if yes.len() > no.len() { (no, !equal) } else { (yes, equal) };
        (values.into_iter().map(Term::Constant).collect(), equal)
    }

    /// A comparison of what lies on a board.
    fn compare_on_board(
        &mut self,
        w: &mut Writer,
        env: &Env,
        side: &OnBoard,
        value: Term,
        equal: bool,
    ) -> Result<Condition, Stop> {
        let (values, equal) = match (&side.image, value) {
            (None, value) => (vec![value], equal),
            (Some(image), Term::Constant(number)) => {
                self.values_with(side.board, image, number, equal)
            }
            _ => return Err(Stop::NeedsElement),
        };
        if values.is_empty() {
            return Ok(Condition::Known(!equal));
        }
        let found = self.equal_on_board(w, env, side, &values)?;
        let found = if equal { found } else { found.negated(env) };
        Ok(self.bounded(found, env, side, &values, equal))
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

    /// A comparison with a board, with the elements for which it may hold: cells have few values.
    fn bounded(
        &self,
        found: Condition,
        env: &Env,
        side: &OnBoard,
        values: &[Term],
        equal: bool,
    ) -> Condition {
        let (Condition::For(set, _), Some(Elements { domain, .. })) = (&found, &env.elements)
        else {
            return found;
        };
        let may_hold = |&&element: &&i32| {
            let cell = self.cell_of(side.board, &side.place, element);
            let can_hold = values.iter().any(|value| match value {
                Term::Constant(number) => {
                    let value = self.map.symbols[*number as usize];
                    self.map.ranges.can_hold(side.board, cell, value)
                }
                _ => equal,
            });
            if equal { can_hold } else { self.is_written(side.board, cell) || !can_hold }
        };
        let domain: Rc<[i32]> = domain.iter().filter(may_hold).copied().collect();
        if domain.is_empty() {
            return Condition::Known(false);
        }
        Condition::For(set.clone(), Some(domain))
    }

    /// The cell of a board that a function takes an element to.
    fn cell_of(&self, slot: Slot, function: &Function, element: i32) -> usize {
        let automaton = &self.rules.automaton;
        let keys = &automaton.sets[automaton.variables[slot].shape.keys[0]];
        keys.place(self.map.symbols[function[element as usize] as usize])
    }

    fn is_written(&self, slot: Slot, cell: usize) -> bool {
        self.map.ranges.is_written(slot, cell)
    }

    /// The elements that are at places of a board with a value, or one of several constants.
    fn equal_on_board(
        &mut self,
        w: &mut Writer,
        env: &Env,
        side: &OnBoard,
        sought: &[Term],
    ) -> Result<Condition, Stop> {
        let &OnBoard { board: slot, writes, place: ref function, .. } = side;
        let Some(Elements { domain, .. }) = &env.elements else { return Err(Stop::NeedsElement) };
        if let [Term::OfElement(values)] = sought {
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
                match self.equal_on_board(w, env, side, &[case])? {
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
        let (all, domain) = (domain.len(), Rc::clone(domain));
        let found = self.on_board(w, slot, &writes, (function, all), &domain, sought)?;
        Ok(Condition::For(found, None))
    }

    /// Those of some elements that are at places of a board with a value, after writes to it.
    fn on_board(
        &mut self,
        w: &mut Writer,
        slot: Slot,
        writes: &[Write],
        (function, all): (&Function, usize),
        domain: &[i32],
        sought: &[Term],
    ) -> Result<Code, Stop> {
        let Some((last, before)) = writes.split_last() else {
            return self.at_rest(w, slot, (function, all), domain, sought);
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
                let is_written =
                    |&&element: &&i32| self.is_written(slot, self.cell_of(slot, function, element));
                let written: Vec<i32> = domain.iter().filter(is_written).copied().collect();
                let at = self.tables.preimage(&mut self.program, single, function, &written, all);
                (set_var(w, at.ok_or(Stop::NeedsElement)?).get(), domain.to_vec())
            }
        };
        let others = self.on_board(w, slot, before, (function, all), &rest, sought)?;
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
        let mut found = others;
        for value in sought {
            found = match self.equal_over(domain, &last.value, value)? {
                Condition::Known(false) => found,
                Condition::Known(true) => both(found, written.clone()),
                Condition::For(set, _) => both(found, set & written.clone()),
                Condition::If(code) => {
                    let set = set_var(w, found);
                    w.when(code, |w| w.set(set, set.get() | written.clone()));
                    set.get()
                }
            };
        }
        Ok(found)
    }

    /// Those of some elements that are at places of a board with a value, as it is in memory.
    fn at_rest(
        &mut self,
        w: &mut Writer,
        slot: Slot,
        (function, all): (&Function, usize),
        domain: &[i32],
        sought: &[Term],
    ) -> Result<Code, Stop> {
        let start = &self.rules.automaton.variables[slot].start;
        let number = |cell: usize| self.map.numbers[usize::from(start[cell])];
        let mut moving: Vec<i32> = Vec::new();
        // Elements at places that are never written, by what lies there.
        let mut fixed: BTreeMap<i32, Vec<i32>> = BTreeMap::new();
        for &element in domain {
            let cell = self.cell_of(slot, function, element);
            let can_hold = |number: i32| {
                let value = self.map.symbols[number as usize];
                self.map.ranges.can_hold(slot, cell, value)
            };
            let is_elsewhere =
                |value: &Term| matches!(value, Term::Constant(value) if !can_hold(*value));
            if sought.iter().all(is_elsewhere) {
                continue;
            }
            if self.is_written(slot, cell) {
                moving.push(element);
            } else {
                fixed.entry(number(cell)).or_default().push(element);
            }
        }
        let mut found = if moving.is_empty() {
            Code::NoSites
        } else {
            let mut on_board = self.set_of(slot, &sought[0])?;
            for value in &sought[1..] {
                on_board = on_board | self.set_of(slot, value)?;
            }
            let on_board = set_var(w, on_board);
            let tables = &mut self.tables;
            let moving = tables.preimage(&mut self.program, on_board, function, &moving, all);
            moving.ok_or(Stop::NeedsElement)?
        };
        if fixed.len() > MAX_CASES {
            return Err(Stop::NeedsElement);
        }
        for (number, elements) in fixed {
            let is_sought = match &sought[0] {
                Term::Constant(_) => Code::Int(1),
                value => code_of(value)?.equals(number),
            };
            let elements = self.tables.set_if(&mut self.program, elements, is_sought);
            found = if found == Code::NoSites { elements } else { found | elements };
        }
        Ok(found)
    }

    /// The set of the cells of a board that have a value.
    pub(super) fn set_of(&mut self, slot: Slot, value: &Term) -> Result<Code, Stop> {
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
    fn test(
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
        let Ok(function) = self.tested(from, to, &inside, Type::Set) else {
            self.nested = nested;
            return Err(Stop::NeedsElement);
        };
        let reached = set_var(w, function.call(arguments(&inside)));
        let condition = Condition::For(reached.get(), None);
        Ok(if negated { condition.negated(env) } else { condition })
    }
}

impl OnBoard {
    /// True if all counts that the walk has written to the board.
    pub(super) fn counts_all(&self, env: &Env) -> bool {
        env.writes[self.writes..].iter().all(|write| write.slot != self.board)
    }
}

impl Condition {
    /// The condition that holds where another does not.
    fn negated(self, env: &Env) -> Condition {
        match self {
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
}

impl Env {
    /// Goes on where a condition holds; false if that is nowhere.
    pub(super) fn narrow(&mut self, w: &mut Writer, condition: Condition) -> bool {
        match condition {
            Condition::Known(known) => return known,
            Condition::If(code) => w.open_if(code),
            Condition::For(elements, domain) => {
                if let Some(old) = &mut self.elements {
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

    /// True if something depends on the elements.
    pub(super) fn uses_elements(&mut self) -> bool {
        let mut uses = false;
        self.each_term(&mut |term| uses |= matches!(term, Term::OfElement(_)));
        uses
    }
}

/// A function of elements; a constant if it is one.
pub(super) fn simplified(function: Function) -> Term {
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
