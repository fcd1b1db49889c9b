//! Functions written out where they are called, with the same meaning.
//!
//! A function that is called in one place needs no call, and a small one costs less than its call.
//! What is known of arguments in the place of the call makes the copy simpler, and what was loaded
//! before it is still known behind it.

use crate::check;
use crate::check::{Checked, MAX_NESTING, MAX_NODES};
use crate::ir::{Block, Expr, Function, FunctionId, Local, Stmt, Type};
use crate::passes::{Uses, is_pure};
use crate::walk::{Part, PartMut, Use, always_ends, each_use};

/// Nodes of a function that is written out wherever it is called.
const SMALL: usize = 40;

/// Nodes that all copies of another one have together, but one.
const COPIES: usize = 200;

/// Nodes beyond which a function takes in no others: the time to compile one grows faster than its
/// size.
const LARGE: usize = 8_000;

/// The most that a function may become nested by inlining.
const DEEP: usize = MAX_NESTING / 2;

impl Checked {
    /// The same program for those who run no other functions than `entries`: functions that are
    /// small, or called in few places, are written out there.
    ///
    /// All functions keep their numbers. What nobody calls any more, and is no entry, does nothing
    /// and gives 0 or the empty set.
    #[must_use]
    pub fn inlined(&self, entries: &[FunctionId]) -> Checked {
        let mut program = self.program().clone();
        let functions = std::mem::take(&mut program.functions);
        let places = places(&functions, entries);
        let mut callees: Vec<Callee> = Vec::with_capacity(functions.len());
        for (mut function, places) in functions.into_iter().zip(places) {
            let mut size = Size::of(&function.body);
            if places > 0 {
                let locals = std::mem::take(&mut function.locals);
                let mut caller = Caller { callees: &callees, locals, nodes: size.nodes, loops: 0 };
                caller.block(&mut function.body, 0);
                function.locals = caller.locals;
                size = Size::of(&function.body);
            }
            // An entry is called from outside: if that is all, nobody wants the copy.
            let copies = size.nodes * places.saturating_sub(1);
            let is_copied = size.nodes <= SMALL || copies <= COPIES;
            let copy = is_copied.then(|| Copied::of(&function, size)).flatten();
            callees.push(Callee { function, copy });
        }
        program.functions = callees.into_iter().map(|callee| callee.function).collect();
        drop_unused(&mut program.functions, entries);
        check(program, MAX_NODES).unwrap_or_else(|_| {
            // Variables of many functions together may be too many.
            check(self.program().clone(), self.nodes()).expect("it can run as it is")
        })
    }
}

/// In how many places each function is called, from outside and by those that are called; 0 where
/// nobody calls it.
fn places(functions: &[Function], entries: &[FunctionId]) -> Vec<usize> {
    let mut places = vec![0; functions.len()];
    for entry in entries {
        places[entry.0 as usize] += 1;
    }
    for (number, function) in functions.iter().enumerate().rev() {
        if places[number] > 0 {
            each_use(&function.body, &mut |found| {
                if let Use::Call(callee) = found {
                    places[callee.0 as usize] += 1;
                }
            });
        }
    }
    places
}

/// Empties the functions that nobody calls.
fn drop_unused(functions: &mut [Function], entries: &[FunctionId]) {
    let places = places(functions, entries);
    for (function, places) in functions.iter_mut().zip(places) {
        if places == 0 {
            function.body.clear();
            function.locals.truncate(function.params);
        }
    }
}

/// The size of a block.
#[derive(Clone, Copy)]
struct Size {
    /// Statements and expressions.
    nodes: usize,
    /// The depth of their nesting.
    depth: usize,
}

impl Size {
    fn of(block: &Block) -> Size {
        let mut size = Size { nodes: 0, depth: 0 };
        size.block(block, 1);
        size
    }

    fn block(&mut self, block: &Block, depth: usize) {
        self.nodes += block.len();
        self.depth = self.depth.max(depth);
        for statement in block {
            statement.each_part(&mut |part| self.part(part, depth + 1));
        }
    }

    fn part(&mut self, part: Part<'_>, depth: usize) {
        match part {
            Part::Block(block) => self.block(block, depth),
            Part::Expr(expr) => {
                self.nodes += 1;
                self.depth = self.depth.max(depth);
                expr.each_part(&mut |part| self.part(part, depth + 1));
            }
        }
    }
}

/// A function that others may call.
struct Callee {
    function: Function,
    /// The copy that is written at each call, if the function is inlined.
    copy: Option<Copied>,
}

/// The properties of the code that is written in place of a call.
struct Copied {
    /// True for each variable that it writes.
    written: Vec<bool>,
    size: Size,
    /// True if there is a way to its end without a result.
    falls_through: bool,
}

impl Copied {
    /// None where it could not be left: out of `Blocks` there is no way past them.
    fn of(function: &Function, size: Size) -> Option<Copied> {
        let mut uses = Uses::new(function.locals.len());
        uses.block(&function.body);
        let written = uses.written;
        (!returns_from_blocks(&function.body, false)).then(|| Copied {
            written,
            size,
            falls_through: !always_ends(&function.body, |last| matches!(last, Stmt::Return(_))),
        })
    }
}

/// True if there is a `Return` within `Blocks`.
fn returns_from_blocks(block: &Block, inside: bool) -> bool {
    fn part(of: Part<'_>, inside: bool) -> bool {
        match of {
            Part::Block(block) => returns_from_blocks(block, inside),
            Part::Expr(expr) => {
                let mut found = false;
                expr.each_part(&mut |inner| found |= part(inner, inside));
                found
            }
        }
    }
    block.iter().any(|statement| {
        let mut found = inside && matches!(statement, Stmt::Return(_));
        let inside = inside || matches!(statement, Stmt::Blocks(_));
        statement.each_part(&mut |inner| found |= part(inner, inside));
        found
    })
}

/// A function into which others are written.
struct Caller<'c> {
    callees: &'c [Callee],
    locals: Vec<Type>,
    nodes: usize,
    /// Loops around what is looked at.
    loops: usize,
}

impl Caller<'_> {
    fn block(&mut self, block: &mut Block, depth: usize) {
        for mut statement in std::mem::take(block) {
            let is_loop = matches!(
                statement,
                Stmt::ForEach(..) | Stmt::For(..) | Stmt::While(..) | Stmt::Blocks(_)
            );
            self.loops += usize::from(is_loop);
            statement.each_part_mut(&mut |part| self.part(part, depth + 1));
            self.loops -= usize::from(is_loop);
            match statement {
                Stmt::Call(function, ref mut arguments) => {
                    match self.copy_of(function, arguments, depth) {
                        Some((copy, _)) => block.extend(copy),
                        None => block.push(statement),
                    }
                }
                _ => block.push(statement),
            }
        }
    }

    fn part(&mut self, part: PartMut<'_>, depth: usize) {
        let expr = match part {
            PartMut::Block(block) => return self.block(block, depth),
            PartMut::Expr(expr) => expr,
        };
        expr.each_part_mut(&mut |part| self.part(part, depth + 1));
        if let Expr::Call(function, arguments) = expr
            && let Some((mut copy, Some(result))) = self.copy_of(*function, arguments, depth)
        {
            // Often the result is all that there is.
            *expr = match copy.pop() {
                Some(Stmt::Set(local, value)) if local == result && copy.is_empty() => value,
                Some(Stmt::Set(local, value)) if local == result => value.after(copy),
                last => {
                    copy.extend(last);
                    result.get().after(copy)
                }
            };
        }
    }

    fn local(&mut self, of: Type) -> Local {
        self.locals.push(of);
        Local(self.locals.len() as u32 - 1)
    }

    /// The statements of a call with these arguments, if the function is inlined, and the place of
    /// its result. `Return` in it leads behind it.
    fn copy_of(
        &mut self,
        id: FunctionId,
        arguments: &mut Vec<Expr>,
        depth: usize,
    ) -> Option<(Block, Option<Local>)> {
        let Callee { function, copy } = &self.callees[id.0 as usize];
        let copy = copy.as_ref()?;
        let nodes = self.nodes + copy.size.nodes;
        if nodes > LARGE || depth + copy.size.depth + 4 > DEEP {
            return None;
        }
        self.nodes = nodes;
        let mut block = Block::new();
        let pure: Vec<bool> = arguments.iter().map(is_pure).collect();
        let mut values = Vec::with_capacity(function.locals.len());
        for (number, argument) in arguments.drain(..).enumerate() {
            let stays = match argument {
                Expr::Int(_) | Expr::NoSites => true,
                // What is evaluated later may write it.
                Expr::Get(_) => pure[number..].iter().all(|pure| *pure),
                _ => false,
            };
            if stays && !copy.written[number] {
                values.push(argument);
            } else {
                let local = self.local(function.locals[number]);
                block.push(Stmt::Set(local, argument));
                values.push(local.get());
            }
        }
        for of in &function.locals[function.params..] {
            let local = self.local(*of);
            if self.loops > 0 {
                block.push(Stmt::Set(local, zero(*of)));
            }
            values.push(local.get());
        }
        let result = function.result.map(|of| self.local(of));
        if let (Some(of), Some(result), true) = (function.result, result, copy.falls_through) {
            block.push(Stmt::Set(result, zero(of)));
        }
        let mut writer = Writer { values, result, leaves: false };
        let mut body = function.body.clone();
        writer.block(&mut body, true);
        if writer.leaves {
            block.push(Stmt::Blocks(vec![body, Block::new()]));
        } else {
            block.extend(body);
        }
        Some((block, result))
    }
}

fn zero(of: Type) -> Expr {
    match of {
        Type::Int => Expr::Int(0),
        Type::Set => Expr::NoSites,
    }
}

/// Writes a copy of a function.
struct Writer {
    /// The expression that stands for each of its variables.
    values: Vec<Expr>,
    result: Option<Local>,
    /// True if it is left before its end.
    leaves: bool,
}

impl Writer {
    /// A block; whether it stands at the end of the function.
    fn block(&mut self, block: &mut Block, is_last: bool) {
        let len = block.len();
        for (number, mut statement) in std::mem::take(block).into_iter().enumerate() {
            let is_last = is_last && number + 1 == len;
            match &mut statement {
                Stmt::Set(local, _) | Stmt::ForEach(local, ..) | Stmt::For(local, ..) => {
                    // What is written has a variable of its own.
                    if let Expr::Get(own) = self.values[local.0 as usize] {
                        *local = own;
                    }
                }
                _ => {}
            }
            match &mut statement {
                Stmt::If(condition, then, otherwise) => {
                    self.part(PartMut::Expr(condition));
                    self.block(then, is_last);
                    self.block(otherwise, is_last);
                }
                _ => statement.each_part_mut(&mut |part| self.part(part)),
            }
            let Stmt::Return(value) = statement else {
                block.push(statement);
                continue;
            };
            if let (Some(result), Some(value)) = (self.result, value) {
                block.push(Stmt::Set(result, value));
            }
            if !is_last {
                self.leaves = true;
                block.push(Stmt::Go(1));
            }
            return;
        }
    }

    fn part(&mut self, part: PartMut<'_>) {
        match part {
            PartMut::Block(block) => self.block(block, false),
            PartMut::Expr(expr) => match *expr {
                Expr::Get(local) => *expr = self.values[local.0 as usize].clone(),
                _ => expr.each_part_mut(&mut |part| self.part(part)),
            },
        }
    }
}
