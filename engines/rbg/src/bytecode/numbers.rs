//! Arithmetic of the rules as values, where no part of it can leave 32 bits or be divided by zero.

use kernel::ir::{Binary, Compare as Comparison_, Expr, Local};

use crate::description::{Comparison, Operator, Piece, Var};
use crate::formula::{Compare, Formula, Operand};

/// The numbers and pieces that formulas are about.
pub(super) struct Numbers<'n> {
    pub(super) values: &'n [Local],
    /// The greatest values of the variables.
    pub(super) bounds: &'n [i32],
    /// The cells of each piece.
    pub(super) pieces: Vec<Expr>,
    /// The number of cells, at most.
    pub(super) cells: i64,
}

/// Between which numbers a value is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    pub(super) least: i64,
    pub(super) most: i64,
}

type Value = (Expr, Range);

/// Writes a comparison; `None` if it cannot be written.
pub(super) fn compare(compare: &Compare, numbers: &Numbers<'_>) -> Option<Expr> {
    let (left, _) = value(&compare.left, numbers)?;
    let (right, _) = value(&compare.right, numbers)?;
    let operator = match compare.operator {
        Comparison::Equal => Comparison_::Equal,
        Comparison::NotEqual => Comparison_::NotEqual,
        Comparison::Less => Comparison_::Less,
        Comparison::LessEqual => Comparison_::LessEqual,
        Comparison::Greater => Comparison_::Greater,
        Comparison::GreaterEqual => Comparison_::GreaterEqual,
    };
    Some(Expr::Compare(operator, Box::new(left), Box::new(right)))
}

/// The value of a formula, and between which numbers it is.
pub(super) fn value(formula: &Formula, numbers: &Numbers<'_>) -> Option<Value> {
    match formula {
        Formula::Number(number) => Some(constant(*number)),
        Formula::Var(var) => numbers.var(*var),
        Formula::Count(piece) => numbers.count(*piece, *piece),
        Formula::Plus(var, number) => apply(Operator::Add, numbers.var(*var)?, constant(*number)),
        Formula::Long(terms) => {
            let mut stack = Vec::new();
            for term in terms {
                let value = match *term {
                    Operand::Number(number) => constant(number),
                    Operand::Var(var) => numbers.var(var)?,
                    Operand::Count(piece) => numbers.count(piece, piece)?,
                    Operand::CountAll(first, last) => numbers.count(first, last)?,
                    Operand::Apply(operator) => {
                        let (second, first) = (stack.pop()?, stack.pop()?);
                        apply(operator, first, second)?
                    }
                };
                stack.push(value);
            }
            stack.pop()
        }
    }
}

fn constant(number: i32) -> Value {
    (Expr::Int(number), Range { least: number.into(), most: number.into() })
}

fn apply(operator: Operator, first: Value, second: Value) -> Option<Value> {
    let ((a, first), (b, second)) = (first, second);
    let (operation, ends) = match operator {
        Operator::Add => (Binary::Add, vec![first.least + second.least, first.most + second.most]),
        Operator::Subtract => {
            (Binary::Sub, vec![first.least - second.most, first.most - second.least])
        }
        Operator::Multiply => (Binary::Mul, ends(first, second, |a, b| a * b)),
        Operator::Divide if second.least > 0 => (Binary::Div, ends(first, second, |a, b| a / b)),
        Operator::Divide => return None,
    };
    let range = Range { least: *ends.iter().min()?, most: *ends.iter().max()? };
    let fits = |number: i64| i32::try_from(number).is_ok();
    let value = Expr::Binary(operation, Box::new(a), Box::new(b));
    (fits(range.least) && fits(range.most)).then_some((value, range))
}

fn ends(first: Range, second: Range, of: impl Fn(i64, i64) -> i64) -> Vec<i64> {
    let pairs = [first.least, first.most].map(|a| [second.least, second.most].map(|b| of(a, b)));
    pairs.concat()
}

impl Numbers<'_> {
    fn var(&self, var: Var) -> Option<Value> {
        let number = usize::from(var);
        let range = Range { least: 0, most: (*self.bounds.get(number)?).into() };
        Some((self.values.get(number)?.get(), range))
    }

    /// The number of cells that hold any of the pieces from one to another.
    fn count(&self, first: Piece, last: Piece) -> Option<Value> {
        let sets = self.pieces.get(usize::from(first)..=usize::from(last))?;
        let all = sets.iter().cloned().reduce(|all, set| all | set)?;
        Some((all.len(), Range { least: 0, most: self.cells }))
    }
}
