//! Arithmetic on the variables of a state, and comparisons.

use crate::description::{Comparison, Operator, Piece, Var};

/// A comparison.
#[derive(Clone, Debug)]
pub(crate) struct Compare {
    pub(crate) left: Formula,
    pub(crate) operator: Comparison,
    pub(crate) right: Formula,
}

/// Arithmetic, operands before their operators.
#[derive(Clone, Debug)]
pub(crate) enum Formula {
    Number(i32),
    Var(Var),
    Count(Piece),
    /// A variable and a number to be added to it.
    Plus(Var, i32),
    Long(Box<[Operand]>),
}

/// A part of a long formula.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Operand {
    Number(i32),
    Var(Var),
    Count(Piece),
    /// Number of cells that hold any of the pieces from one to another.
    CountAll(Piece, Piece),
    Apply(Operator),
}

/// The values that formulas read.
pub(crate) trait Numbers {
    fn var(&self, var: Var) -> i32;
    /// Number of cells that hold a piece.
    fn count(&self, piece: Piece) -> i32;
    /// Number of cells that hold any of the pieces from one to another.
    fn count_all(&self, first: Piece, last: Piece) -> i32;
}

/// True if a comparison holds. It does not if a side has no value.
#[inline]
pub(crate) fn holds(compare: &Compare, state: &impl Numbers) -> bool {
    let (Some(a), Some(b)) = (value(&compare.left, state), value(&compare.right, state)) else {
        return false;
    };
    match compare.operator {
        Comparison::Equal => a == b,
        Comparison::NotEqual => a != b,
        Comparison::Less => a < b,
        Comparison::LessEqual => a <= b,
        Comparison::Greater => a > b,
        Comparison::GreaterEqual => a >= b,
    }
}

/// The value of a formula. Division by zero has none, nor have results beyond 32 bits.
#[inline]
pub(crate) fn value(formula: &Formula, state: &impl Numbers) -> Option<i32> {
    match formula {
        Formula::Number(n) => Some(*n),
        Formula::Var(var) => Some(state.var(*var)),
        Formula::Count(piece) => Some(state.count(*piece)),
        Formula::Plus(var, n) => state.var(*var).checked_add(*n),
        Formula::Long(terms) => long(terms, state),
    }
}

/// Most parts of a formula whose values are kept on the stack of the machine.
const SMALL: usize = 32;

fn long(terms: &[Operand], state: &impl Numbers) -> Option<i32> {
    // Only deep formulas need a stack of their own.
    let (mut small, mut large) = ([0i32; SMALL], Vec::new());
    let stack = if terms.len() <= SMALL {
        &mut small[..]
    } else {
        large.resize(terms.len(), 0);
        &mut large
    };
    let mut top = 0usize;
    for term in terms {
        let value = match *term {
            Operand::Number(n) => n,
            Operand::Var(var) => state.var(var),
            Operand::Count(piece) => state.count(piece),
            Operand::CountAll(first, last) => state.count_all(first, last),
            Operand::Apply(operator) => {
                let (a, b) = (*stack.get(top.checked_sub(2)?)?, *stack.get(top - 1)?);
                top -= 2;
                match operator {
                    Operator::Add => a.checked_add(b)?,
                    Operator::Subtract => a.checked_sub(b)?,
                    Operator::Multiply => a.checked_mul(b)?,
                    Operator::Divide => a.checked_div(b)?,
                }
            }
        };
        *stack.get_mut(top)? = value;
        top += 1;
    }
    stack.first().copied()
}
