//! The possible values of the numbers of a function, found without running it: an interval for each
//! variable, from all that it is ever given (interval analysis; Cousot and Cousot 1977).

use std::rc::Rc;

use super::writes::{Writes, leaves};
use crate::ir::{
    Binary, Block, Combine, Compare, Expr, Function, Local, Program, Stmt, Type, Unary,
};
use crate::passes::{is_cheap, is_pure, turned};
use crate::properties::{is_truth, opposite};
use crate::walk::Part;

/// Numbers from one to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Range {
    pub(super) least: i32,
    pub(super) most: i32,
}

impl Range {
    const ANY: Range = Range { least: i32::MIN, most: i32::MAX };
    const TRUTH: Range = Range { least: 0, most: 1 };

    fn only(number: i32) -> Range {
        Range { least: number, most: number }
    }

    /// From one number to another, or any where these do not fit.
    fn wide(least: i64, most: i64) -> Range {
        match (i32::try_from(least), i32::try_from(most)) {
            (Ok(least), Ok(most)) => Range { least, most },
            _ => Range::ANY,
        }
    }

    /// From the least to the most of a number and others.
    fn around(first: i32, others: impl Iterator<Item = i32>) -> Range {
        others.fold(Range::only(first), |all, number| all.with(Range::only(number)))
    }

    fn with(self, other: Range) -> Range {
        Range { least: self.least.min(other.least), most: self.most.max(other.most) }
    }

    /// The intersection with another range; `None` if it is empty.
    fn within(self, least: i64, most: i64) -> Option<Range> {
        let least = i64::from(self.least).max(least);
        let most = i64::from(self.most).min(most);
        (least <= most).then(|| Range::wide(least, most))
    }

    /// From where to where another number is that compares so with one of these.
    fn bounds_of(self, compare: Compare) -> (i64, i64) {
        let (least, most) = (i64::from(self.least), i64::from(self.most));
        match compare {
            Compare::Equal => (least, most),
            Compare::NotEqual => (i64::MIN, i64::MAX),
            Compare::Less => (i64::MIN, most - 1),
            Compare::LessEqual => (i64::MIN, most),
            Compare::Greater => (least + 1, i64::MAX),
            Compare::GreaterEqual => (least, i64::MAX),
        }
    }

    /// The result of comparing all of these with all of others, if it is always the same.
    fn decides(self, compare: Compare, other: Range) -> Option<bool> {
        let apart = self.most < other.least || other.most < self.least;
        let same = self.least == self.most && self == other;
        let (holds, fails) = match compare {
            Compare::Equal => (same, apart),
            Compare::NotEqual => (apart, same),
            Compare::Less => (self.most < other.least, self.least >= other.most),
            Compare::LessEqual => (self.most <= other.least, self.least > other.most),
            Compare::Greater => (self.least > other.most, self.most <= other.least),
            Compare::GreaterEqual => (self.least >= other.most, self.most < other.least),
        };
        (holds || fails).then_some(holds)
    }

    /// The operand that an operation always gives, by the ranges of both; `None` if it depends.
    pub(super) fn kept(binary: Binary, [first, second]: [Range; 2]) -> Option<usize> {
        let less = || first.decides(Compare::LessEqual, second);
        match binary {
            Binary::Min => less().map(|less| usize::from(!less)),
            Binary::Max => less().map(usize::from),
            Binary::And => {
                let mask = second.least;
                let low_bits = mask >= 0 && mask == second.most && mask & mask.wrapping_add(1) == 0;
                (low_bits && first.least >= 0 && first.most <= mask).then_some(0)
            }
            _ => None,
        }
    }

    /// True if all are indexes below an end.
    pub(super) fn is_below(self, end: usize) -> bool {
        self.least >= 0 && (self.most as usize) < end
    }
}

/// The value that a condition wants to be within two constants, or outside of them, and these.
pub(super) fn interval(condition: &Expr) -> Option<(&Expr, Range, bool)> {
    let (first, second, inside) = match condition {
        Expr::Both(first, second) => (first, second, true),
        Expr::Either(first, second) => (first, second, false),
        _ => return None,
    };
    let bounds = |condition: &Expr| match condition {
        Expr::Compare(compare, _, end) => match **end {
            Expr::Int(end) => {
                let compare = if inside { *compare } else { opposite(*compare) };
                Some(Range::only(end).bounds_of(compare))
            }
            _ => None,
        },
        _ => None,
    };
    let (Expr::Compare(_, value, _), Expr::Compare(_, same, _)) = (&**first, &**second) else {
        return None;
    };
    let (a, b) = (bounds(first)?, bounds(second)?);
    let (least, most) = (a.0.max(b.0), a.1.min(b.1));
    let ends = Range { least: i32::try_from(least).ok()?, most: i32::try_from(most).ok()? };
    (value == same && is_pure(value) && least <= most).then_some((value, ends, inside))
}

/// The ranges of the entries of a program's constant tables.
pub(super) struct TableRanges {
    /// Numbers, and 0.
    ints: Vec<Range>,
    /// The last sites of sets, and -1.
    sets: Vec<Range>,
}

impl TableRanges {
    pub(super) fn of(program: &Program) -> TableRanges {
        let ints = program.tables.iter().map(|table| Range::around(0, table.iter().copied()));
        let last = |set: &[u64]| {
            let bits = set.iter().zip(0..).filter(|(word, _)| **word != 0);
            bits.last().map_or(-1, |(word, at)| 64 * at + 63 - word.leading_zeros() as i32)
        };
        let tables = program.set_tables.iter();
        let sets = tables.map(|table| Range::around(-1, table.chunks(program.words).map(last)));
        TableRanges { ints: ints.collect(), sets: sets.collect() }
    }
}

/// The ranges of the variables of a function: of the number, or the last site of the set.
pub(super) struct Ranges<'a> {
    program: &'a Program,
    /// The statements that write each variable.
    pub(super) writes: Rc<Writes>,
    /// Bits of a set.
    sites: i32,
    /// The ranges of the entries of the program's constant tables.
    tables: &'a TableRanges,
    /// True if they are to hold where a value may be computed that is not wanted.
    elsewhere: bool,
    /// At the statement that is being written.
    locals: Vec<Range>,
    /// Wherever a value is computed.
    anywhere: Vec<Range>,
}

/// Rounds after which what still grows may be anything.
const ROUNDS: usize = 4;

impl<'a> Ranges<'a> {
    pub(super) fn of(
        program: &'a Program,
        tables: &'a TableRanges,
        function: &Function,
    ) -> Ranges<'a> {
        let writes = Rc::new(Writes::of(function));
        let sites = 64 * program.words as i32;
        let locals = function.locals.iter().enumerate().map(|(number, of)| match of {
            Type::Int if number < function.params => Range::ANY,
            Type::Int => Range::only(0),
            Type::Set if number < function.params => Range { least: -1, most: sites - 1 },
            Type::Set => Range::only(-1),
        });
        let locals: Vec<_> = locals.collect();
        let find = |elsewhere| {
            let (writes, locals, anywhere) = (writes.clone(), locals.clone(), Vec::new());
            let mut ranges = Ranges { program, writes, sites, tables, elsewhere, locals, anywhere };
            ranges.find(&function.body);
            ranges
        };
        Ranges { anywhere: find(true).locals, ..find(false) }
    }

    /// Finds what all variables are given.
    fn find(&mut self, body: &Block) {
        let mut round = 0;
        loop {
            let before = self.locals.clone();
            self.block(body);
            if self.locals == before {
                return;
            }
            round += 1;
            if round >= ROUNDS {
                let both = self.locals.iter_mut().zip(before);
                both.filter(|(now, old)| **now != *old).for_each(|(now, _)| *now = Range::ANY);
            }
        }
    }

    fn add(&mut self, local: Local, range: Range) {
        let known = &mut self.locals[local.0 as usize];
        *known = known.with(range);
    }

    fn block(&mut self, block: &Block) {
        let mut narrowed = Vec::new();
        for (number, statement) in block.iter().enumerate() {
            match statement {
                Stmt::Set(local, value) => self.add(*local, self.value(value)),
                Stmt::ForEach(local, set, _) => {
                    let last = self.last_site(set, &self.locals);
                    if last >= 0 {
                        // Elsewhere the first site of no sites is the number of bits.
                        let most = if self.elsewhere { self.sites } else { last };
                        self.add(*local, Range { least: 0, most });
                    }
                }
                Stmt::For(local, from, to, _) => {
                    let (from, to) = (self.value(from), self.value(to));
                    if from.least < to.most {
                        self.add(*local, Range { least: from.least, most: to.most - 1 });
                    }
                }
                _ => {}
            }
            match statement {
                Stmt::If(condition, then, otherwise) if !self.elsewhere => {
                    self.part(Part::Expr(condition));
                    for (holds, branch) in [(true, then), (false, otherwise)] {
                        let narrowed = self.narrow(condition, holds, &[branch]);
                        self.block(branch);
                        self.widen(narrowed);
                    }
                    narrowed.extend(self.narrow_behind(statement, &block[number + 1..]));
                }
                _ => statement.each_part(&mut |part| self.part(part)),
            }
        }
        self.widen(narrowed);
    }

    fn part(&mut self, part: Part<'_>) {
        match part {
            Part::Block(block) => self.block(block),
            Part::Expr(expr) => expr.each_part(&mut |part| self.part(part)),
        }
    }

    /// Narrows what variables can be where a condition holds, or where it does not: those that
    /// neither it nor the statements where that is so write. Gives what was known of these before,
    /// for [`Ranges::widen`].
    pub(super) fn narrow(
        &mut self,
        condition: &Expr,
        holds: bool,
        among: &[&[Stmt]],
    ) -> Vec<(Local, Range)> {
        let writes = Rc::clone(&self.writes);
        self.narrow_if(condition, holds, &|local| {
            let written = among.iter().any(|among| writes.is_written(local, among));
            !written && !writes.is_written_in(local, condition)
        })
    }

    /// Like [`Ranges::narrow`], where a value is worked out.
    pub(super) fn narrow_value(
        &mut self,
        condition: &Expr,
        holds: bool,
        value: &Expr,
    ) -> Vec<(Local, Range)> {
        let writes = Rc::clone(&self.writes);
        self.narrow_if(condition, holds, &|local| {
            [condition, value].into_iter().all(|within| !writes.is_written_in(local, within))
        })
    }

    /// Like [`Ranges::narrow`], for the statements behind one that only goes on there if its
    /// condition holds, or only if it does not.
    pub(super) fn narrow_behind(&mut self, statement: &Stmt, rest: &[Stmt]) -> Vec<(Local, Range)> {
        match statement {
            Stmt::If(condition, then, otherwise) if leaves(then) != leaves(otherwise) => {
                let holds = leaves(otherwise);
                let come_here = if holds { then } else { otherwise };
                self.narrow(condition, holds, &[rest, come_here])
            }
            _ => Vec::new(),
        }
    }

    fn narrow_if(
        &mut self,
        condition: &Expr,
        holds: bool,
        stays: &dyn Fn(Local) -> bool,
    ) -> Vec<(Local, Range)> {
        let mut before = Vec::new();
        self.assume(condition, holds, stays, &mut before);
        before
    }

    /// Takes back what [`Ranges::narrow`] has done.
    pub(super) fn widen(&mut self, before: Vec<(Local, Range)>) {
        for (local, range) in before.into_iter().rev() {
            self.locals[local.0 as usize] = range;
        }
    }

    fn assume(
        &mut self,
        condition: &Expr,
        holds: bool,
        stays: &dyn Fn(Local) -> bool,
        before: &mut Vec<(Local, Range)>,
    ) {
        let mut within = |ranges: &mut Self, local: Local, least: i64, most: i64| {
            let known = ranges.locals[local.0 as usize];
            // Where nothing is left nothing comes there.
            if let Some(range) = known.within(least, most)
                && stays(local)
            {
                before.push((local, known));
                ranges.locals[local.0 as usize] = range;
            }
        };
        match condition {
            Expr::Unary(Unary::IsZero, value) => self.assume(value, !holds, stays, before),
            Expr::Both(first, second) if holds => {
                self.assume(first, true, stays, before);
                self.assume(second, true, stays, before);
            }
            Expr::Either(first, second) if !holds => {
                self.assume(first, false, stays, before);
                self.assume(second, false, stays, before);
            }
            Expr::Get(local) if !holds => within(self, *local, 0, 0),
            Expr::Get(local) if self.locals[local.0 as usize].least == 0 => {
                within(self, *local, 1, i64::MAX);
            }
            Expr::Contains(_, site) if holds => {
                if let Expr::Get(local) = **site {
                    within(self, local, 0, i64::from(self.sites) - 1);
                }
            }
            Expr::Compare(compare, first, second) => {
                let compare = if holds { *compare } else { opposite(*compare) };
                let sides = [(first, second, compare), (second, first, turned(compare))];
                for (side, other, compare) in sides {
                    let Expr::Get(local) = **side else { continue };
                    let (least, most) = self.value(other).bounds_of(compare);
                    within(self, local, least, most);
                }
            }
            _ => {}
        }
    }

    /// True if a value is always that of a site.
    pub(super) fn is_site(&self, value: &Expr) -> bool {
        self.value(value).is_below(self.sites as usize)
    }

    /// The truth of a condition without effects, if it is known without looking at parts of it that
    /// are conditions.
    pub(super) fn decides(&self, condition: &Expr) -> Option<bool> {
        self.decides_with(condition, &self.locals)
    }

    /// Like [`Ranges::decides`], whatever the conditions around. Code that is moved elsewhere
    /// because of its operands may rely on nothing else.
    pub(super) fn decides_anywhere(&self, condition: &Expr) -> Option<bool> {
        self.decides_with(condition, &self.anywhere)
    }

    fn decides_with(&self, condition: &Expr, locals: &[Range]) -> Option<bool> {
        let of = |value: &Expr| self.value_with(value, locals);
        let holds = match condition {
            Expr::Unary(Unary::IsZero, value) => {
                return self.decides_with(value, locals).map(|holds| !holds);
            }
            Expr::Compare(compare, first, second) => of(first).decides(*compare, of(second))?,
            _ => of(condition).decides(Compare::NotEqual, Range::only(0))?,
        };
        is_pure(condition).then_some(holds)
    }

    /// The number that a variable or an entry of a table always is here.
    pub(super) fn only_number(&self, value: &Expr) -> Option<i32> {
        match value {
            Expr::Get(local) => {
                let Range { least, most } = self.locals[local.0 as usize];
                (least == most).then_some(least)
            }
            Expr::Table(table, index) => {
                let Range { least, most } = self.value(index);
                let known = least == most && is_pure(index);
                let entry = |table: &[i32]| {
                    usize::try_from(least).ok().and_then(|at| table.get(at)).copied()
                };
                known.then(|| entry(&self.program.tables[table.0 as usize]).unwrap_or(0))
            }
            _ => None,
        }
    }

    /// The range of a value.
    pub(super) fn value(&self, value: &Expr) -> Range {
        self.value_with(value, &self.locals)
    }

    /// The range of a value if it were computed elsewhere, conditions around it or not.
    pub(super) fn anywhere(&self, value: &Expr) -> Range {
        self.value_with(value, &self.anywhere)
    }

    fn value_with(&self, value: &Expr, locals: &[Range]) -> Range {
        let of = |value: &Expr| self.value_with(value, locals);
        match value {
            Expr::Int(number) => Range::only(*number),
            Expr::Get(local) => locals[local.0 as usize],
            Expr::Table(table, _) => self.tables.ints[table.0 as usize],
            Expr::Unary(Unary::Neg, operand) => {
                let Range { least, most } = of(operand);
                Range::wide(-i64::from(most), -i64::from(least))
            }
            Expr::Binary(binary, first, second) => Self::binary(*binary, of(first), of(second)),
            Expr::Choose(condition, then, otherwise) => {
                let mut chosen = of(then);
                // Both are there, and one is selected.
                if let Expr::Get(local) = **then
                    && is_cheap(otherwise)
                    && is_pure(condition)
                {
                    self.where_holds(condition, local, &mut chosen, locals);
                }
                chosen.with(of(otherwise))
            }
            Expr::After(_, value) => of(value),
            Expr::Len(set) => Range { least: 0, most: self.last_site(set, locals) + 1 },
            Expr::Nth(set, _) | Expr::Last(set) => {
                Range { least: -1, most: self.last_site(set, locals) }
            }
            Expr::Draw(_, end) => Range { least: 0, most: of(end).most.max(1) - 1 },
            Expr::NoSites => Range::only(-1),
            Expr::SetTable(table, _) => self.tables.sets[table.0 as usize],
            Expr::Combine(Combine::And, first, second) => {
                Range { least: -1, most: of(first).most.min(of(second).most) }
            }
            Expr::Combine(Combine::Without, first, _) => Range { least: -1, most: of(first).most },
            Expr::Combine(Combine::Or | Combine::Xor, first, second) => {
                Range { least: -1, most: of(first).most.max(of(second).most) }
            }
            Expr::Single(site) => {
                Range { least: -1, most: of(site).most.clamp(-1, self.sites - 1) }
            }
            Expr::LoadSet(..) | Expr::Shift(..) => Range { least: -1, most: self.sites - 1 },
            _ if is_truth(value) => Range::TRUTH,
            // Sets, too, have no more sites.
            _ => Range::ANY,
        }
    }

    /// The last site that a set can have; -1 for none.
    fn last_site(&self, set: &Expr, locals: &[Range]) -> i32 {
        self.value_with(set, locals).most.min(self.sites - 1)
    }

    /// Narrows what a variable can be to what it is where a condition holds, by comparisons of the
    /// variable in it. The condition changes nothing.
    fn where_holds(&self, condition: &Expr, local: Local, range: &mut Range, locals: &[Range]) {
        match condition {
            Expr::Both(first, second) => {
                self.where_holds(first, local, range, locals);
                self.where_holds(second, local, range, locals);
            }
            Expr::Compare(compare, first, second) if **first == Expr::Get(local) => {
                let (least, most) = self.value_with(second, locals).bounds_of(*compare);
                *range = range.within(least, most).unwrap_or(*range);
            }
            _ => {}
        }
    }

    fn binary(binary: Binary, a: Range, b: Range) -> Range {
        let wide = |range: Range| (i64::from(range.least), i64::from(range.most));
        let ((a_least, a_most), (b_least, b_most)) = (wide(a), wide(b));
        match binary {
            Binary::Add => Range::wide(a_least + b_least, a_most + b_most),
            Binary::Sub => Range::wide(a_least - b_most, a_most - b_least),
            Binary::Mul => {
                let products = [a_least, a_most].map(|a| [a * b_least, a * b_most]);
                let products = products.as_flattened();
                let least = products.iter().min().copied().unwrap_or(i64::MIN);
                Range::wide(least, products.iter().max().copied().unwrap_or(i64::MAX))
            }
            Binary::And => {
                // No more bits than the one that is not negative has.
                let known = [a, b].into_iter().filter(|range| range.least >= 0);
                let most = known.map(|range| range.most).min();
                most.map_or(Range::ANY, |most| Range { least: 0, most })
            }
            Binary::Shr if b.least == b.most && a.least >= 0 => {
                let by = b.least & 31;
                Range { least: a.least >> by, most: a.most >> by }
            }
            Binary::Shr if b.least == b.most && b.least & 31 != 0 => {
                Range { least: 0, most: (u32::MAX >> (b.least & 31)) as i32 }
            }
            Binary::Min => Range { least: a.least.min(b.least), most: a.most.min(b.most) },
            Binary::Max => Range { least: a.least.max(b.least), most: a.most.max(b.most) },
            _ => Range::ANY,
        }
    }
}
