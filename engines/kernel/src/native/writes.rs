//! The statements that write the variables of a function, from which follows how long a condition
//! on a variable stays true; and the functions that it calls.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use crate::ir::{Block, Expr, Function, FunctionId, Local, Stmt};
use crate::walk::{Part, always_ends};

/// Statements are numbered, each before those within.
pub(super) struct Writes {
    /// The numbers of a statement and of those within.
    spans: HashMap<*const Stmt, Range<u32>>,
    /// By variable, the statements that write it, in ascending order.
    of_local: Vec<Vec<u32>>,
    /// The functions that are called.
    pub(super) calls: BTreeSet<FunctionId>,
    /// True if the host is called here.
    pub(super) calls_host: bool,
}

impl Writes {
    pub(super) fn of(function: &Function) -> Writes {
        let writes = Writes {
            spans: HashMap::new(),
            of_local: vec![Vec::new(); function.locals.len()],
            calls: BTreeSet::new(),
            calls_host: false,
        };
        let mut search = Search { next: 0, writes };
        search.block(&function.body);
        search.writes
    }

    /// True if a variable is written by statements that stand one behind the other in a block, or
    /// within them.
    pub(super) fn is_written(&self, local: Local, statements: &[Stmt]) -> bool {
        let [Some(first), Some(last)] = [statements.first(), statements.last()].map(|statement| {
            statement.map(|statement| &self.spans[&std::ptr::from_ref(statement)])
        }) else {
            return false;
        };
        let writes = &self.of_local[local.0 as usize];
        let next = writes.partition_point(|number| *number < first.start);
        writes.get(next).is_some_and(|number| *number < last.end)
    }

    /// True if a variable is written by statements within a value.
    pub(super) fn is_written_in(&self, local: Local, value: &Expr) -> bool {
        let mut written = false;
        value.each_part(&mut |part| {
            written = written
                || match part {
                    Part::Block(block) => self.is_written(local, block),
                    Part::Expr(inner) => self.is_written_in(local, inner),
                };
        });
        written
    }
}

struct Search {
    next: u32,
    writes: Writes,
}

impl Search {
    fn block(&mut self, block: &Block) {
        for statement in block {
            let start = self.next;
            self.next += 1;
            if let Stmt::Set(local, _) | Stmt::ForEach(local, ..) | Stmt::For(local, ..) = statement
            {
                self.writes.of_local[local.0 as usize].push(start);
            }
            if let Stmt::Call(function, _) = statement {
                self.writes.calls.insert(*function);
            }
            statement.each_part(&mut |part| self.part(part));
            self.writes.spans.insert(statement, start..self.next);
        }
    }

    fn part(&mut self, part: Part<'_>) {
        match part {
            Part::Block(block) => self.block(block),
            Part::Expr(expr) => {
                match expr {
                    Expr::Call(function, _) => drop(self.writes.calls.insert(*function)),
                    Expr::Host(..) => self.writes.calls_host = true,
                    _ => {}
                }
                expr.each_part(&mut |part| self.part(part));
            }
        }
    }
}

/// True if nothing that stands behind a block is reached from it.
pub(super) fn leaves(block: &Block) -> bool {
    always_ends(block, |last| matches!(last, Stmt::Return(_) | Stmt::Break(_) | Stmt::Go(_)))
}
