//! What the numbers of a function can be, found without running it: an interval for each variable,
//! from all that it is ever given (interval analysis; Cousot and Cousot 1977).

use crate::ir::{Binary, Block, Compare, Expr, Function, Local, Program, Stmt, Type, Unary};
use crate::lower::{is_truth, opposite};
use crate::passes::turned;
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

    /// From the least to the most of some numbers.
    pub(super) fn around(numbers: impl IntoIterator<Item = i32>) -> Range {
        numbers.into_iter().fold(Range::only(0), |all, number| all.with(Range::only(number)))
    }

    fn with(self, other: Range) -> Range {
        Range { least: self.least.min(other.least), most: self.most.max(other.most) }
    }

    /// Whether all are indexes below an end.
    pub(super) fn is_below(self, end: usize) -> bool {
        self.least >= 0 && (self.most as usize) < end
    }
}

/// The ranges of the variables of a function.
pub(super) struct Ranges<'a> {
    /// Bits of a set.
    sites: i32,
    /// What is in each constant table of the program, and 0.
    tables: &'a [Range],
    /// At the statement that is being written.
    locals: Vec<Range>,
    /// Wherever it is.
    anywhere: Vec<Range>,
}

/// Rounds after which what still grows may be anything.
const ROUNDS: usize = 4;

impl<'a> Ranges<'a> {
    pub(super) fn of(program: &Program, tables: &'a [Range], function: &Function) -> Ranges<'a> {
        let locals = function.locals.iter().enumerate().map(|(number, of)| match of {
            Type::Int if number < function.params => Range::ANY,
            _ => Range::only(0),
        });
        let sites = 64 * program.words as i32;
        let mut ranges = Ranges { sites, tables, locals: locals.collect(), anywhere: Vec::new() };
        let mut round = 0;
        loop {
            let before = ranges.locals.clone();
            ranges.block(&function.body);
            if ranges.locals == before {
                return Ranges { anywhere: before, ..ranges };
            }
            round += 1;
            if round >= ROUNDS {
                let both = ranges.locals.iter_mut().zip(before);
                both.filter(|(now, old)| **now != *old).for_each(|(now, _)| *now = Range::ANY);
            }
        }
    }

    fn add(&mut self, local: Local, range: Range) {
        let known = &mut self.locals[local.0 as usize];
        *known = known.with(range);
    }

    fn block(&mut self, block: &Block) {
        for statement in block {
            match statement {
                // Those of sets are never asked for.
                Stmt::Set(local, value) => self.add(*local, self.value(value)),
                Stmt::ForEach(local, ..) => self.add(*local, self.site()),
                Stmt::For(local, from, to, _) => {
                    let (from, to) = (self.value(from), self.value(to));
                    if from.least < to.most {
                        self.add(*local, Range { least: from.least, most: to.most - 1 });
                    }
                }
                _ => {}
            }
            statement.each_part(&mut |part| self.part(part));
        }
    }

    fn part(&mut self, part: Part<'_>) {
        match part {
            Part::Block(block) => self.block(block),
            Part::Expr(expr) => expr.each_part(&mut |part| self.part(part)),
        }
    }

    /// Narrows what variables can be where a condition holds, or where it does not, those that stay
    /// as they are there; gives what was known of these before, for [`Ranges::widen`].
    pub(super) fn narrow(
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
            let least = i64::from(known.least).max(least);
            let most = i64::from(known.most).min(most);
            // Where nothing is left nothing comes there.
            if stays(local) && least <= most {
                before.push((local, known));
                ranges.locals[local.0 as usize] = Range::wide(least, most);
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
                    let Range { least, most } = self.value(other);
                    let (least, most) = (i64::from(least), i64::from(most));
                    match compare {
                        Compare::Equal => within(self, local, least, most),
                        Compare::NotEqual => {}
                        Compare::Less => within(self, local, i64::MIN, most - 1),
                        Compare::LessEqual => within(self, local, i64::MIN, most),
                        Compare::Greater => within(self, local, least + 1, i64::MAX),
                        Compare::GreaterEqual => within(self, local, least, i64::MAX),
                    }
                }
            }
            _ => {}
        }
    }

    fn site(&self) -> Range {
        Range { least: 0, most: self.sites - 1 }
    }

    /// Whether a value is always that of a site.
    pub(super) fn is_site(&self, value: &Expr) -> bool {
        self.value(value).is_below(self.sites as usize)
    }

    /// What a value can be.
    pub(super) fn value(&self, value: &Expr) -> Range {
        self.value_with(value, &self.locals)
    }

    /// What a value could be if it were computed elsewhere, conditions around it or not.
    pub(super) fn anywhere(&self, value: &Expr) -> Range {
        self.value_with(value, &self.anywhere)
    }

    fn value_with(&self, value: &Expr, locals: &[Range]) -> Range {
        let of = |value: &Expr| self.value_with(value, locals);
        match value {
            Expr::Int(number) => Range::only(*number),
            Expr::Get(local) => locals[local.0 as usize],
            Expr::Table(table, _) => self.tables[table.0 as usize],
            Expr::Unary(Unary::Neg, operand) => {
                let Range { least, most } = of(operand);
                Range::wide(-i64::from(most), -i64::from(least))
            }
            Expr::Binary(binary, first, second) => Self::binary(*binary, of(first), of(second)),
            Expr::Choose(_, then, otherwise) => of(then).with(of(otherwise)),
            Expr::After(_, value) => of(value),
            Expr::Len(_) => Range { least: 0, most: self.sites },
            Expr::Nth(..) | Expr::Last(_) => Range { least: -1, most: self.sites - 1 },
            Expr::Draw(_, end) => Range { least: 0, most: of(end).most.max(1) - 1 },
            _ if is_truth(value) => Range::TRUTH,
            _ => Range::ANY,
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
