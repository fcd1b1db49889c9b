//! Programs made simpler, with the same meaning: results, writes, calls of the host and budget
//! stay.
//!
//! Constants are folded, conditions that are known decide, values that nobody wants are not
//! computed, statements that nothing comes to and variables that nobody reads go. Functions keep
//! their numbers.

use crate::check::Checked;
use crate::ir::{Binary, Block, Combine, Compare, Expr, Function, Program, Stmt, Type, Unary};
use crate::properties::{is_truth, opposite};
use crate::walk::{Part, PartMut};
use crate::{check, interpret};

impl Checked {
    /// The same program, simpler.
    #[must_use]
    pub fn simplified(&self) -> Checked {
        let mut program = self.program().clone();
        let mut functions = std::mem::take(&mut program.functions);
        for function in &mut functions {
            // What one round removes may be all that another variable was read for.
            for _ in 0..4 {
                let before = function.clone();
                simplify(&program, function);
                if *function == before {
                    break;
                }
            }
        }
        program.functions = functions;
        check(program, self.nodes()).expect("a simpler program can run if the program can")
    }
}

fn simplify(program: &Program, function: &mut Function) {
    let mut uses = Uses::new(function.locals.len());
    uses.block(&function.body);
    let body = std::mem::take(&mut function.body);
    let pass = Pass { program, function, uses };
    let body = pass.block(body);
    function.body = body;
    drop_variables(function);
}

/// The uses of variables.
pub(crate) struct Uses {
    pub(crate) read: Vec<bool>,
    pub(crate) written: Vec<bool>,
}

impl Uses {
    pub(crate) fn new(variables: usize) -> Uses {
        Uses { read: vec![false; variables], written: vec![false; variables] }
    }

    pub(crate) fn block(&mut self, block: &Block) {
        for statement in block {
            if let Stmt::Set(local, _) | Stmt::ForEach(local, ..) | Stmt::For(local, ..) = statement
            {
                self.written[local.0 as usize] = true;
            }
            statement.each_part(&mut |part| self.part(part));
        }
    }

    fn part(&mut self, part: Part<'_>) {
        match part {
            Part::Expr(Expr::Get(local)) => self.read[local.0 as usize] = true,
            Part::Expr(value) => value.each_part(&mut |part| self.part(part)),
            Part::Block(block) => self.block(block),
        }
    }
}

/// Drops variables that are named nowhere, and numbers the others anew.
fn drop_variables(function: &mut Function) {
    let mut uses = Uses::new(function.locals.len());
    uses.block(&function.body);
    let is_kept =
        |number: usize| number < function.params || uses.read[number] || uses.written[number];
    let mut numbers = Vec::new();
    let mut kept = Vec::new();
    for (number, of) in function.locals.iter().enumerate() {
        numbers.push(kept.len() as u32);
        if is_kept(number) {
            kept.push(*of);
        }
    }
    if kept.len() < function.locals.len() {
        function.locals = kept;
        renumber_block(&mut function.body, &numbers);
    }
}

fn renumber_block(block: &mut Block, numbers: &[u32]) {
    for statement in block {
        if let Stmt::Set(local, _) | Stmt::ForEach(local, ..) | Stmt::For(local, ..) = statement {
            local.0 = numbers[local.0 as usize];
        }
        statement.each_part_mut(&mut |part| renumber(part, numbers));
    }
}

fn renumber(part: PartMut<'_>, numbers: &[u32]) {
    match part {
        PartMut::Expr(Expr::Get(local)) => local.0 = numbers[local.0 as usize],
        PartMut::Expr(value) => value.each_part_mut(&mut |part| renumber(part, numbers)),
        PartMut::Block(block) => renumber_block(block, numbers),
    }
}

/// True if a value does nothing but give a value.
pub(crate) fn is_pure(expr: &Expr) -> bool {
    let mut pure =
        !matches!(expr, Expr::After(..) | Expr::Call(..) | Expr::Host(..) | Expr::Draw(..));
    if pure {
        expr.each_part(&mut |part| pure = pure && matches!(part, Part::Expr(e) if is_pure(e)));
    }
    pure
}

/// True if a value may be computed although it is not wanted: nothing but a few instructions are
/// lost.
pub(crate) fn is_cheap(value: &Expr) -> bool {
    fn fits(value: &Expr, left: &mut u32) -> bool {
        if *left == 0 {
            return false;
        }
        *left -= 1;
        match value {
            Expr::Int(_) | Expr::Get(_) | Expr::NoSites => true,
            Expr::Unary(_, e)
            | Expr::IsEmpty(e)
            | Expr::Single(e)
            | Expr::Shift(e, _)
            | Expr::Last(e) => fits(e, left),
            Expr::Nth(e, rank) if **rank == Expr::Int(0) => fits(e, left),
            Expr::Binary(Binary::Div | Binary::Rem, ..) => false,
            Expr::Binary(_, a, b)
            | Expr::Compare(_, a, b)
            | Expr::Contains(a, b)
            | Expr::Combine(_, a, b)
            | Expr::IsSubset(a, b) => fits(a, left) && fits(b, left),
            _ => false,
        }
    }
    fits(value, &mut 5)
}

/// A simpler expression that is 0 exactly if this one is.
fn condition(expr: Expr) -> Expr {
    match expr {
        Expr::Compare(Compare::NotEqual, value, zero) if *zero == Expr::Int(0) => condition(*value),
        Expr::Unary(Unary::IsZero, inner) => match condition(*inner) {
            Expr::Unary(Unary::IsZero, value) => condition(*value),
            Expr::Compare(compare, a, b) => Expr::Compare(opposite(compare), a, b),
            inner => Expr::Unary(Unary::IsZero, Box::new(inner)),
        },
        Expr::Int(number) => Expr::Int(i32::from(number != 0)),
        expr => expr,
    }
}

/// 1 where a number is not 0.
fn truth(expr: Expr) -> Expr {
    if is_truth(&expr) { expr } else { expr.differs(0) }
}

struct Pass<'a> {
    program: &'a Program,
    function: &'a Function,
    uses: Uses,
}

impl Pass<'_> {
    fn block(&self, block: Block) -> Block {
        let mut simpler = Block::new();
        for statement in block {
            self.statement(statement, &mut simpler);
            if let Some(Stmt::Break(_) | Stmt::Go(_) | Stmt::Return(_)) = simpler.last() {
                break;
            }
        }
        simpler
    }

    fn statement(&self, statement: Stmt, to: &mut Block) {
        match statement {
            Stmt::Set(local, value) => match self.expr(value) {
                Expr::Get(same) if same == local => (),
                value if self.uses.read[local.0 as usize] => to.push(Stmt::Set(local, value)),
                value => evaluate(value, to),
            },
            Stmt::Store(array, index, value) => {
                to.push(Stmt::Store(array, self.expr(index), self.expr(value)));
            }
            Stmt::StoreSet(array, index, value) => {
                to.push(Stmt::StoreSet(array, self.expr(index), self.expr(value)));
            }
            Stmt::Put(array, index, site, there) => {
                to.push(Stmt::Put(array, self.expr(index), self.expr(site), there));
            }
            Stmt::Clear(..) | Stmt::CopyInts(..) | Stmt::CopySets(..) => to.push(statement),
            Stmt::Eval(value) => evaluate(self.expr(value), to),
            Stmt::Call(function, arguments) => {
                to.push(Stmt::Call(function, self.exprs(arguments)));
            }
            Stmt::If(value, then, otherwise) => {
                let (value, then, otherwise) =
                    (condition(self.expr(value)), self.block(then), self.block(otherwise));
                match value {
                    Expr::Int(0) => to.extend(otherwise),
                    Expr::Int(_) => to.extend(then),
                    value if then.is_empty() && otherwise.is_empty() => evaluate(value, to),
                    Expr::Compare(compare, a, b) if then.is_empty() => {
                        to.push(Stmt::If(Expr::Compare(opposite(compare), a, b), otherwise, then));
                    }
                    Expr::Unary(Unary::IsZero, value) if then.is_empty() => {
                        to.push(Stmt::If(*value, otherwise, then));
                    }
                    value => to.push(Stmt::If(value, then, otherwise)),
                }
            }
            Stmt::ForEach(local, set, block) => match self.expr(set) {
                Expr::NoSites => (),
                set => to.push(Stmt::ForEach(local, set, self.block(block))),
            },
            Stmt::For(local, from, to_, block) => match (self.expr(from), self.expr(to_)) {
                (Expr::Int(from), Expr::Int(to)) if from >= to => (),
                (from, end) => to.push(Stmt::For(local, from, end, self.block(block))),
            },
            Stmt::While(value, block) => match condition(self.expr(value)) {
                Expr::Int(0) => (),
                value => to.push(Stmt::While(value, self.block(block))),
            },
            Stmt::Blocks(blocks) => {
                let blocks = blocks.into_iter().map(|block| self.block(block));
                to.push(Stmt::Blocks(blocks.collect()));
            }
            Stmt::Break(_) | Stmt::Go(_) => to.push(statement),
            Stmt::Return(value) => to.push(Stmt::Return(value.map(|value| self.expr(value)))),
        }
    }

    fn exprs(&self, exprs: Vec<Expr>) -> Vec<Expr> {
        exprs.into_iter().map(|expr| self.expr(expr)).collect()
    }

    fn boxed(&self, expr: Expr) -> Box<Expr> {
        Box::new(self.expr(expr))
    }

    fn expr(&self, expr: Expr) -> Expr {
        match expr {
            Expr::Int(_) | Expr::NoSites => expr,
            Expr::Get(local) => {
                let number = local.0 as usize;
                let is_fixed = number >= self.function.params && !self.uses.written[number];
                match self.function.locals[number] {
                    Type::Int if is_fixed => Expr::Int(0),
                    Type::Set if is_fixed => Expr::NoSites,
                    _ => expr,
                }
            }
            Expr::Load(array, index) => Expr::Load(array, self.boxed(*index)),
            Expr::Table(table, index) => match self.expr(*index) {
                Expr::Int(index) => {
                    let entry = usize::try_from(index).ok();
                    let table = &self.program.tables[table.0 as usize];
                    Expr::Int(entry.and_then(|entry| table.get(entry)).copied().unwrap_or(0))
                }
                index => Expr::Table(table, Box::new(index)),
            },
            Expr::Unary(operation, operand) => unary(operation, self.expr(*operand)),
            Expr::Binary(operation, first, second) => {
                binary(operation, self.expr(*first), self.expr(*second))
            }
            Expr::Compare(comparison, first, second) => {
                compare(comparison, self.expr(*first), self.expr(*second))
            }
            Expr::Both(first, second) => {
                both(condition(self.expr(*first)), condition(self.expr(*second)))
            }
            Expr::Either(first, second) => {
                either(condition(self.expr(*first)), condition(self.expr(*second)))
            }
            Expr::Choose(value, then, otherwise) => {
                match (condition(self.expr(*value)), self.expr(*then), self.expr(*otherwise)) {
                    (Expr::Int(0), _, otherwise) => otherwise,
                    (Expr::Int(_), then, _) => then,
                    (value, then, otherwise) if then == otherwise && is_pure(&value) => then,
                    (value, Expr::Int(1), Expr::Int(0)) => truth(value),
                    (value, then, otherwise) => value.choose(then, otherwise),
                }
            }
            Expr::After(block, value) => {
                let (block, value) = (self.block(block), self.expr(*value));
                if block.is_empty() { value } else { value.after(block) }
            }
            Expr::Call(function, arguments) => Expr::Call(function, self.exprs(arguments)),
            Expr::Host(function, arguments) => Expr::Host(function, self.exprs(arguments)),
            Expr::Draw(array, end) => Expr::Draw(array, self.boxed(*end)),
            Expr::Len(set) => match self.expr(*set) {
                Expr::NoSites => Expr::Int(0),
                set => set.len(),
            },
            Expr::Last(set) => match self.expr(*set) {
                Expr::NoSites => Expr::Int(-1),
                set => set.last(),
            },
            Expr::IsEmpty(set) => match self.expr(*set) {
                Expr::NoSites => Expr::Int(1),
                set => set.is_empty(),
            },
            Expr::Contains(set, site) => match (self.expr(*set), self.expr(*site)) {
                (Expr::NoSites, site) if is_pure(&site) => Expr::Int(0),
                (set, Expr::Int(site)) if !self.has_site(site) && is_pure(&set) => Expr::Int(0),
                (set, site) => set.contains(site),
            },
            Expr::Nth(set, rank) => match (self.expr(*set), self.expr(*rank)) {
                (Expr::NoSites, rank) if is_pure(&rank) => Expr::Int(-1),
                (set, rank) => set.nth(rank),
            },
            Expr::IsSubset(first, second) => match (self.expr(*first), self.expr(*second)) {
                (Expr::NoSites, second) if is_pure(&second) => Expr::Int(1),
                (first, Expr::NoSites) => first.is_empty(),
                (first, second) => first.is_subset(second),
            },
            Expr::Single(site) => match self.expr(*site) {
                Expr::Int(site) if !self.has_site(site) => Expr::NoSites,
                site => Expr::single(site),
            },
            Expr::LoadSet(array, index) => Expr::LoadSet(array, self.boxed(*index)),
            Expr::SetTable(table, index) => match self.expr(*index) {
                Expr::Int(index)
                    if self.is_no_set(&self.program.set_tables[table.0 as usize], index) =>
                {
                    Expr::NoSites
                }
                index => Expr::SetTable(table, Box::new(index)),
            },
            Expr::Shift(set, by) => match self.expr(*set) {
                Expr::NoSites => Expr::NoSites,
                set => Expr::Shift(Box::new(set), by),
            },
            Expr::Combine(operation, first, second) => {
                combine(operation, self.expr(*first), self.expr(*second))
            }
        }
    }

    fn has_site(&self, site: i32) -> bool {
        (0..64 * self.program.words as i32).contains(&site)
    }

    /// True if an entry of a table is empty or not there.
    fn is_no_set(&self, table: &[u64], index: i32) -> bool {
        let mut sets = table.chunks_exact(self.program.words);
        let set = usize::try_from(index).ok().and_then(|index| sets.nth(index));
        set.is_none_or(|set| set.iter().all(|word| *word == 0))
    }
}

/// Evaluates a value for what else it does.
fn evaluate(value: Expr, to: &mut Block) {
    if !is_pure(&value) {
        to.push(Stmt::Eval(value));
    }
}

fn both(first: Expr, second: Expr) -> Expr {
    match (first, second) {
        (Expr::Int(0), _) => Expr::Int(0),
        (Expr::Int(_), second) => truth(second),
        (first, Expr::Int(0)) if is_pure(&first) => Expr::Int(0),
        (first, Expr::Int(1)) => truth(first),
        (first, second) => first.and(second),
    }
}

fn either(first: Expr, second: Expr) -> Expr {
    match (first, second) {
        (Expr::Int(0), second) => truth(second),
        (Expr::Int(_), _) => Expr::Int(1),
        (first, Expr::Int(0)) => truth(first),
        (first, Expr::Int(1)) if is_pure(&first) => Expr::Int(1),
        (first, second) => first.or(second),
    }
}

fn unary(operation: Unary, operand: Expr) -> Expr {
    match (operation, operand) {
        (operation, Expr::Int(operand)) => Expr::Int(interpret::unary(operation, operand)),
        (Unary::IsZero, operand) => match condition(operand) {
            Expr::Int(number) => Expr::Int(1 - number),
            Expr::Compare(compare, a, b) => Expr::Compare(opposite(compare), a, b),
            Expr::Unary(Unary::IsZero, value) => truth(*value),
            operand => !operand,
        },
        (Unary::Neg, Expr::Unary(Unary::Neg, value)) => *value,
        (operation, operand) => Expr::Unary(operation, Box::new(operand)),
    }
}

fn binary(operation: Binary, first: Expr, second: Expr) -> Expr {
    use Binary::{Add, And, Div, Max, Min, Mul, Or, Rem, Shl, Shr, Sub, Xor};
    match (operation, first, second) {
        (operation, Expr::Int(a), Expr::Int(b)) => Expr::Int(interpret::binary(operation, a, b)),
        (Add | Sub | Or | Xor | Shl | Shr, first, Expr::Int(0)) => first,
        (Mul | Div, first, Expr::Int(1)) => first,
        (Add | Or | Xor, Expr::Int(0), second) => second,
        (Mul, Expr::Int(1), second) => second,
        (Mul | And | Div | Rem, first, Expr::Int(0)) if is_pure(&first) => Expr::Int(0),
        (Mul | And | Div | Rem | Shl | Shr, Expr::Int(0), second) if is_pure(&second) => {
            Expr::Int(0)
        }
        (And, first, Expr::Int(-1)) => first,
        // Constants second: the interpreter has them in the instruction.
        (Add | Mul | And | Or | Xor | Min | Max, Expr::Int(a), second) => {
            Expr::Binary(operation, Box::new(second), Box::new(Expr::Int(a)))
        }
        (operation, first, second) => Expr::Binary(operation, Box::new(first), Box::new(second)),
    }
}

fn compare(comparison: Compare, first: Expr, second: Expr) -> Expr {
    match (comparison, first, second) {
        (comparison, Expr::Int(a), Expr::Int(b)) => {
            Expr::Int(i32::from(interpret::compare(comparison, a, b)))
        }
        (Compare::NotEqual, first, Expr::Int(0)) if is_truth(&first) => first,
        (Compare::Equal, first, Expr::Int(0)) => unary(Unary::IsZero, first),
        (Compare::Equal, first, Expr::Int(1)) if is_truth(&first) => first,
        (comparison, Expr::Int(a), second) => {
            Expr::Compare(turned(comparison), Box::new(second), Box::new(Expr::Int(a)))
        }
        (comparison, first, second) => Expr::Compare(comparison, Box::new(first), Box::new(second)),
    }
}

/// The comparison of the second with the first.
pub(crate) fn turned(comparison: Compare) -> Compare {
    match comparison {
        Compare::Equal | Compare::NotEqual => comparison,
        Compare::Less => Compare::Greater,
        Compare::LessEqual => Compare::GreaterEqual,
        Compare::Greater => Compare::Less,
        Compare::GreaterEqual => Compare::LessEqual,
    }
}

fn combine(operation: Combine, first: Expr, second: Expr) -> Expr {
    match (operation, first, second) {
        (Combine::Or | Combine::Xor | Combine::Without, first, Expr::NoSites) => first,
        (Combine::Or | Combine::Xor, Expr::NoSites, second) => second,
        (Combine::And, first, Expr::NoSites) if is_pure(&first) => Expr::NoSites,
        (Combine::And | Combine::Without, Expr::NoSites, second) if is_pure(&second) => {
            Expr::NoSites
        }
        (Combine::And | Combine::Or, first, second) if first == second && is_pure(&first) => first,
        (operation, first, second) => Expr::Combine(operation, Box::new(first), Box::new(second)),
    }
}
