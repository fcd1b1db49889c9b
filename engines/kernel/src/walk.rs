//! The parts of expressions and statements, one level down, in the order of evaluation; and what
//! they use beyond variables.

use crate::ir::{Access, Block, Expr, FunctionId, HostId, Ints, Sets, Stmt};

/// A part of an expression or a statement.
pub(crate) enum Part<'a> {
    Expr(&'a Expr),
    Block(&'a Block),
}

/// Like [`Part`], to change it.
pub(crate) enum PartMut<'a> {
    Expr(&'a mut Expr),
    Block(&'a mut Block),
}

/// What code does beyond its variables.
pub(crate) enum Use<'a> {
    /// It reads or writes an entry of an array of numbers, or, without an index, several.
    Ints(Ints, Option<&'a Expr>, Access),
    /// The same with an array of sets.
    Sets(Sets, Option<&'a Expr>, Access),
    Call(FunctionId),
    Host(HostId),
}

/// Calls `found` with all uses in a block.
pub(crate) fn each_use(block: &Block, found: &mut dyn FnMut(Use<'_>)) {
    fn part(of: Part<'_>, found: &mut dyn FnMut(Use<'_>)) {
        let expr = match of {
            Part::Block(block) => return each_use(block, found),
            Part::Expr(expr) => expr,
        };
        match expr {
            Expr::Load(array, index) => found(Use::Ints(*array, Some(index), Access::Read)),
            Expr::LoadSet(array, index) => found(Use::Sets(*array, Some(index), Access::Read)),
            Expr::Draw(array, _) => found(Use::Sets(*array, None, Access::Write)),
            Expr::Call(function, _) => found(Use::Call(*function)),
            Expr::Host(host, _) => found(Use::Host(*host)),
            _ => {}
        }
        expr.each_part(&mut |inner| part(inner, found));
    }
    for statement in block {
        match statement {
            Stmt::Store(array, index, _) => found(Use::Ints(*array, Some(index), Access::Write)),
            Stmt::StoreSet(array, index, _) | Stmt::Put(array, index, ..) => {
                found(Use::Sets(*array, Some(index), Access::Write));
            }
            Stmt::Clear(array, _) => found(Use::Ints(*array, None, Access::Write)),
            Stmt::CopyInts(to, from, _) => {
                found(Use::Ints(*to, None, Access::Write));
                found(Use::Ints(*from, None, Access::Read));
            }
            Stmt::CopySets(to, from, _) => {
                found(Use::Sets(*to, None, Access::Write));
                found(Use::Sets(*from, None, Access::Read));
            }
            Stmt::Call(function, _) => found(Use::Call(*function)),
            _ => {}
        }
        statement.each_part(&mut |inner| part(inner, found));
    }
}

/// True if the last statement of a block, on every way through it, is one of some sort.
pub(crate) fn always_ends(block: &Block, with: fn(&Stmt) -> bool) -> bool {
    match block.last() {
        Some(Stmt::If(_, then, otherwise)) => {
            always_ends(then, with) && always_ends(otherwise, with)
        }
        Some(last) => with(last),
        None => false,
    }
}

macro_rules! walks {
    ($part:ident, $each_part:ident, $iter:ident $(, $mutable:tt)?) => {
        impl Expr {
            /// Looks at all parts of it.
            pub(crate) fn $each_part(&$($mutable)? self, look: &mut dyn FnMut($part<'_>)) {
                match self {
                    Expr::Int(_) | Expr::NoSites | Expr::Get(_) => {}
                    Expr::Load(_, e)
                    | Expr::Table(_, e)
                    | Expr::Unary(_, e)
                    | Expr::Len(e)
                    | Expr::Last(e)
                    | Expr::IsEmpty(e)
                    | Expr::Single(e)
                    | Expr::LoadSet(_, e)
                    | Expr::Shift(e, _)
                    | Expr::Draw(_, e)
                    | Expr::SetTable(_, e) => look($part::Expr(e)),
                    Expr::Binary(_, a, b)
                    | Expr::Compare(_, a, b)
                    | Expr::Both(a, b)
                    | Expr::Either(a, b)
                    | Expr::Contains(a, b)
                    | Expr::Nth(a, b)
                    | Expr::IsSubset(a, b)
                    | Expr::Combine(_, a, b) => {
                        [a, b].into_iter().for_each(|e| look($part::Expr(e)));
                    }
                    Expr::Choose(a, b, c) => {
                        [a, b, c].into_iter().for_each(|e| look($part::Expr(e)));
                    }
                    Expr::After(block, value) => {
                        look($part::Block(block));
                        look($part::Expr(value));
                    }
                    Expr::Call(_, arguments) | Expr::Host(_, arguments) => {
                        arguments.$iter().for_each(|e| look($part::Expr(e)));
                    }
                }
            }
        }

        impl Stmt {
            /// Looks at all parts of it.
            pub(crate) fn $each_part(&$($mutable)? self, look: &mut dyn FnMut($part<'_>)) {
                match self {
                    Stmt::Set(_, value) | Stmt::Eval(value) | Stmt::Return(Some(value)) => {
                        look($part::Expr(value));
                    }
                    Stmt::Store(_, index, value)
                    | Stmt::StoreSet(_, index, value)
                    | Stmt::Put(_, index, value, _) => {
                        look($part::Expr(index));
                        look($part::Expr(value));
                    }
                    Stmt::Call(_, arguments) => {
                        arguments.$iter().for_each(|e| look($part::Expr(e)));
                    }
                    Stmt::If(condition, then, otherwise) => {
                        look($part::Expr(condition));
                        look($part::Block(then));
                        look($part::Block(otherwise));
                    }
                    Stmt::ForEach(_, value, block) | Stmt::While(value, block) => {
                        look($part::Expr(value));
                        look($part::Block(block));
                    }
                    Stmt::For(_, from, to, block) => {
                        look($part::Expr(from));
                        look($part::Expr(to));
                        look($part::Block(block));
                    }
                    Stmt::Blocks(blocks) => {
                        blocks.$iter().for_each(|block| look($part::Block(block)));
                    }
                    Stmt::Clear(..)
                    | Stmt::CopyInts(..)
                    | Stmt::CopySets(..)
                    | Stmt::Break(_)
                    | Stmt::Go(_)
                    | Stmt::Return(None) => {}
                }
            }
        }
    };
}

walks!(Part, each_part, iter);
walks!(PartMut, each_part_mut, iter_mut, mut);
