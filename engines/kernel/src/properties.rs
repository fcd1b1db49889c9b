//! Properties of checked values, known without running them.

use crate::ir::{Block, Compare, Expr, Function, Program, Type, Unary};
use crate::walk::Part;

/// The type of a checked value.
pub(crate) fn value_type(program: &Program, function: &Function, value: &Expr) -> Type {
    match value {
        Expr::Get(local) => function.locals[local.0 as usize],
        Expr::Choose(_, value, _) | Expr::After(_, value) => value_type(program, function, value),
        Expr::Call(function, _) => {
            program.functions[function.0 as usize].result.expect("the checker asks for it")
        }
        Expr::NoSites
        | Expr::Single(_)
        | Expr::LoadSet(..)
        | Expr::SetTable(..)
        | Expr::Shift(..)
        | Expr::Combine(..) => Type::Set,
        Expr::Int(_)
        | Expr::Load(..)
        | Expr::Table(..)
        | Expr::Unary(..)
        | Expr::Binary(..)
        | Expr::Compare(..)
        | Expr::Both(..)
        | Expr::Either(..)
        | Expr::Host(..)
        | Expr::Len(_)
        | Expr::Last(_)
        | Expr::IsEmpty(_)
        | Expr::Contains(..)
        | Expr::Nth(..)
        | Expr::IsSubset(..)
        | Expr::Draw(..) => Type::Int,
    }
}

/// True if a number is 0 or 1.
pub(crate) fn is_truth(expr: &Expr) -> bool {
    match expr {
        Expr::Int(number) => matches!(number, 0 | 1),
        Expr::Unary(Unary::IsZero, _)
        | Expr::Compare(..)
        | Expr::Both(..)
        | Expr::Either(..)
        | Expr::IsEmpty(_)
        | Expr::Contains(..)
        | Expr::IsSubset(..) => true,
        Expr::Choose(_, a, b) => is_truth(a) && is_truth(b),
        Expr::After(_, value) => is_truth(value),
        _ => false,
    }
}

/// The comparison that holds where this does not.
pub(crate) fn opposite(compare: Compare) -> Compare {
    match compare {
        Compare::Equal => Compare::NotEqual,
        Compare::NotEqual => Compare::Equal,
        Compare::Less => Compare::GreaterEqual,
        Compare::LessEqual => Compare::Greater,
        Compare::Greater => Compare::LessEqual,
        Compare::GreaterEqual => Compare::Less,
    }
}

/// True if some value of a block comes after statements.
pub(crate) fn contains_after(block: &Block) -> bool {
    let mut found = false;
    for statement in block {
        statement.each_part(&mut |part| found = found || part_contains_after(&part));
    }
    found
}

/// True if a value, or a part of it, comes after statements.
pub(crate) fn expr_contains_after(value: &Expr) -> bool {
    let mut found = matches!(value, Expr::After(..));
    value.each_part(&mut |part| found = found || part_contains_after(&part));
    found
}

fn part_contains_after(part: &Part<'_>) -> bool {
    match part {
        Part::Expr(value) => expr_contains_after(value),
        Part::Block(block) => contains_after(block),
    }
}
