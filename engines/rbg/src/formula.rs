//! Arithmetic on the variables of a state.

use crate::bits::Bits;
use crate::description::{Comparison, Operator, Piece};
use crate::program::{Compare, Formula, Operand};
use crate::state::State;

fn count<const W: usize>(piece: Piece, state: &State<W>) -> i32 {
    state.bits[usize::from(piece)].count() as i32
}

/// Whether a comparison holds; one with a side that has no value does not.
#[inline]
pub(crate) fn holds<const W: usize>(compare: &Compare, state: &State<W>) -> bool {
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

/// The value of a formula, if it has one: division by zero has none, and neither has what 32 bits
/// do not hold.
#[inline]
pub(crate) fn value<const W: usize>(formula: &Formula, state: &State<W>) -> Option<i32> {
    match formula {
        Formula::Number(n) => Some(*n),
        Formula::Var(var) => Some(state.vars[usize::from(*var)]),
        Formula::Count(piece) => Some(count(*piece, state)),
        Formula::Plus(var, n) => state.vars[usize::from(*var)].checked_add(*n),
        Formula::Long(terms) => long(terms, state),
    }
}

/// Parts of a formula whose values are kept on the stack of the machine.
const SMALL: usize = 32;

fn long<const W: usize>(terms: &[Operand], state: &State<W>) -> Option<i32> {
    // Deep ones alone need a stack of their own.
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
            Operand::Var(var) => state.vars[usize::from(var)],
            Operand::Count(piece) => count(piece, state),
            Operand::CountAll(first, last) => {
                let sets = &state.bits[usize::from(first)..=usize::from(last)];
                sets.iter().fold(Bits::EMPTY, |all, set| all.or(*set)).count() as i32
            }
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
