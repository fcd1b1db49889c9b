//! The conditions on programs that can run: types, numbers of things, nesting, size.

use std::collections::BTreeSet;
use std::fmt;

use crate::code::Code;
use crate::ir::{
    Access, Block, Expr, Function, FunctionId, HostId, Ints, Local, Program, SetTable, Sets, Stmt,
    Table, Type,
};
use crate::lower::lower;
use crate::needs::{Need, needs};
use crate::walk::{Use, each_use};

/// The most words of a set.
pub const MAX_WORDS: usize = 64;

/// The most nodes that any program may have.
pub const MAX_NODES: usize = 1 << 24;

/// The most that expressions and blocks of a function may be nested.
pub const MAX_NESTING: usize = 200;

/// The most numbers, and words of sets, that variables and intermediate results may take along
/// calls.
pub const MAX_REGISTERS: usize = 1 << 22;

/// A program that can run.
#[derive(Debug)]
pub struct Checked {
    pub(crate) program: Program,
    pub(crate) code: Code,
    /// The array lengths that each function relies on.
    pub(crate) needs: Vec<Box<[Need]>>,
    nodes: usize,
    /// Nodes of each function.
    #[cfg_attr(not(feature = "native"), expect(dead_code, reason = "machine code has a limit"))]
    pub(crate) sizes: Vec<usize>,
}

impl Checked {
    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The number of its nodes: expressions, statements, variables, a set counting for its words.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// The functions of the host that a function may call, also through others.
    pub fn hosts_called(&self, function: FunctionId) -> BTreeSet<HostId> {
        let mut called: Vec<BTreeSet<HostId>> = Vec::new();
        for function in self.program.functions.iter().take(function.0 as usize + 1) {
            let mut found = BTreeSet::new();
            each_use(&function.body, &mut |what| match what {
                Use::Host(host) => {
                    found.insert(host);
                }
                Use::Call(other) => found.extend(&called[other.0 as usize]),
                Use::Ints(..) | Use::Sets(..) => {}
            });
            called.push(found);
        }
        called.pop().unwrap_or_default()
    }
}

/// The reason why a program cannot run.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub struct Fault {
    /// The function, where the fault is in one: its number and name.
    pub function: Option<(FunctionId, String)>,
    /// The place in the function, from its body inwards, such as `body[2].then[0].value`.
    pub place: String,
    /// The fault at this place.
    pub problem: Problem,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.function {
            Some((id, name)) => write!(f, "function {} ({name})", id.0)?,
            None => write!(f, "program")?,
        }
        if !self.place.is_empty() {
            write!(f, ", {}", self.place)?;
        }
        write!(f, ": {}", self.problem)
    }
}

/// A fault of a program.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum Problem {
    #[error("sets have {0} words; they must have from 1 to {MAX_WORDS}")]
    Words(usize),
    #[error("table of sets {0} has {1} words, which is no multiple of {2}")]
    SetTableLength(usize, usize, usize),
    #[error("the program has more than {0} nodes")]
    TooManyNodes(usize),
    #[error("it has {0} parameters but {1} variables")]
    Params(usize, usize),
    #[error("there is no {0} {1}")]
    Missing(&'static str, u32),
    #[error("{0:?} is wanted, {1:?} found")]
    Type(Type, Type),
    #[error("{0} arguments are given where {1} are wanted")]
    Arity(usize, usize),
    #[error("function {0} is called, which does not stand before the caller")]
    Order(u32),
    #[error("a function without a result is called for its value")]
    NoResult,
    #[error("a function with a result is called by a statement; evaluate it instead")]
    UnusedResult,
    #[error("`Return` has a value where the function has no result, or none where it has one")]
    Return,
    #[error("{0} loops are left where there are {1}")]
    Break(u32, u32),
    #[error("block {0} is gone to where there are {1}")]
    Go(u32, u32),
    #[error("an array that is only read is written")]
    ReadOnly,
    #[error("expressions and blocks are nested deeper than {MAX_NESTING}")]
    Nesting,
    #[error("its variables and those of what it calls take more than {MAX_REGISTERS} registers")]
    Registers,
}

/// The program ready to run, if it can run and has at most so many [nodes](Checked::nodes), and at
/// most [`MAX_NODES`].
///
/// Its work and memory are in proportion to the nodes that it looks at, and it recurses only as
/// deep as [`MAX_NESTING`] says.
pub fn check(program: Program, nodes: usize) -> Result<Checked, Fault> {
    let mut checker = Checker {
        program: &program,
        function: None,
        caller: 0,
        nodes: 0,
        sizes: Vec::new(),
        limit: nodes.min(MAX_NODES),
        place: Vec::new(),
        loops: 0,
        blocks: 0,
    };
    if let Err(problem) = checker.program() {
        let function = checker.caller;
        let name = |f: &Function| (FunctionId(function as u32), f.name.clone());
        return Err(Fault { function: checker.function.map(name), place: checker.path(), problem });
    }
    let (nodes, sizes) = (checker.nodes, checker.sizes);
    let code = lower(&program);
    for (number, function) in program.functions.iter().enumerate() {
        let needed = &code.routines[number];
        if needed.ints.max(needed.sets) > MAX_REGISTERS {
            let function = Some((FunctionId(number as u32), function.name.clone()));
            return Err(Fault { function, place: String::new(), problem: Problem::Registers });
        }
    }
    let needs = needs(&program);
    Ok(Checked { program, code, needs, nodes, sizes })
}

struct Checker<'p> {
    program: &'p Program,
    /// The function that is looked at, and its number.
    function: Option<&'p Function>,
    caller: usize,
    nodes: usize,
    sizes: Vec<usize>,
    limit: usize,
    /// The way to what is looked at; it stays where a problem was found.
    place: Vec<(&'static str, Option<usize>)>,
    /// Loops around what is looked at.
    loops: u32,
    /// The number of blocks of the innermost `Blocks` around.
    blocks: u32,
}

type Found<T> = Result<T, Problem>;

impl<'p> Checker<'p> {
    fn program(&mut self) -> Found<()> {
        let program = self.program;
        if !(1..=MAX_WORDS).contains(&program.words) {
            return Err(Problem::Words(program.words));
        }
        for (number, table) in program.set_tables.iter().enumerate() {
            if !table.len().is_multiple_of(program.words) {
                return Err(Problem::SetTableLength(number, table.len(), program.words));
            }
        }
        for (number, function) in program.functions.iter().enumerate() {
            (self.caller, self.function) = (number, Some(function));
            let before = self.nodes;
            if function.params > function.locals.len() {
                return Err(Problem::Params(function.params, function.locals.len()));
            }
            for local in &function.locals {
                self.count(match local {
                    Type::Int => 1,
                    Type::Set => program.words,
                })?;
            }
            self.count(1)?;
            self.block("body", &function.body)?;
            self.sizes.push(self.nodes - before);
        }
        self.function = None;
        Ok(())
    }

    fn path(&self) -> String {
        let mut path = String::new();
        for (part, index) in &self.place {
            if !path.is_empty() {
                path.push('.');
            }
            path.push_str(part);
            if let Some(index) = index {
                path.push_str(&format!("[{index}]"));
            }
        }
        path
    }

    fn count(&mut self, nodes: usize) -> Found<()> {
        self.nodes += nodes;
        if self.nodes > self.limit { Err(Problem::TooManyNodes(self.limit)) } else { Ok(()) }
    }

    /// Looks at a part one level further in.
    fn inside<T>(
        &mut self,
        part: &'static str,
        index: Option<usize>,
        look: impl FnOnce(&mut Self) -> Found<T>,
    ) -> Found<T> {
        self.place.push((part, index));
        if self.place.len() > MAX_NESTING {
            return Err(Problem::Nesting);
        }
        let found = look(self)?;
        self.place.pop();
        Ok(found)
    }

    fn block(&mut self, part: &'static str, block: &'p Block) -> Found<()> {
        for (index, statement) in block.iter().enumerate() {
            self.inside(part, Some(index), |c| c.statement(statement))?;
        }
        Ok(())
    }

    fn in_loop(&mut self, block: &'p Block) -> Found<()> {
        self.loops += 1;
        self.block("loop", block)?;
        self.loops -= 1;
        Ok(())
    }

    fn statement(&mut self, statement: &'p Stmt) -> Found<()> {
        self.count(1)?;
        match statement {
            Stmt::Set(local, value) => {
                let of = self.local(*local)?;
                self.value("value", value, of)
            }
            Stmt::Store(array, index, value) => {
                writable(self.ints(*array)?)?;
                self.value("index", index, Type::Int)?;
                self.value("value", value, Type::Int)
            }
            Stmt::StoreSet(array, index, value) => {
                writable(self.sets(*array)?)?;
                self.value("index", index, Type::Int)?;
                self.value("value", value, Type::Set)
            }
            Stmt::Clear(array, _) => writable(self.ints(*array)?),
            Stmt::CopyInts(to, from, _) => self.ints(*from).and(writable(self.ints(*to)?)),
            Stmt::CopySets(to, from, _) => self.sets(*from).and(writable(self.sets(*to)?)),
            Stmt::Put(array, index, site, _) => {
                writable(self.sets(*array)?)?;
                self.value("index", index, Type::Int)?;
                self.value("site", site, Type::Int)
            }
            Stmt::Eval(value) => self.inside("value", None, |c| c.expr(value)).map(drop),
            Stmt::Call(function, arguments) => match self.call(*function, arguments)? {
                Some(_) => Err(Problem::UnusedResult),
                None => Ok(()),
            },
            Stmt::If(condition, then, otherwise) => {
                self.value("condition", condition, Type::Int)?;
                self.block("then", then)?;
                self.block("else", otherwise)
            }
            Stmt::ForEach(local, set, block) => {
                self.variable(*local)?;
                self.value("set", set, Type::Set)?;
                self.in_loop(block)
            }
            Stmt::For(local, from, to, block) => {
                self.variable(*local)?;
                self.value("from", from, Type::Int)?;
                self.value("to", to, Type::Int)?;
                self.in_loop(block)
            }
            Stmt::While(condition, block) => {
                // The condition is evaluated in every round: `Break` in it leaves this loop.
                self.loops += 1;
                self.value("condition", condition, Type::Int)?;
                self.loops -= 1;
                self.in_loop(block)
            }
            Stmt::Break(loops) => {
                if (1..=self.loops).contains(loops) {
                    Ok(())
                } else {
                    Err(Problem::Break(*loops, self.loops))
                }
            }
            Stmt::Blocks(blocks) => {
                let outer = std::mem::replace(&mut self.blocks, blocks.len() as u32);
                for (number, block) in blocks.iter().enumerate() {
                    self.inside("block", Some(number), |c| {
                        c.count(1)?;
                        c.block("body", block)
                    })?;
                }
                self.blocks = outer;
                Ok(())
            }
            Stmt::Go(number) if *number < self.blocks => Ok(()),
            Stmt::Go(number) => Err(Problem::Go(*number, self.blocks)),
            Stmt::Return(value) => match (value, self.function.and_then(|f| f.result)) {
                (Some(value), Some(result)) => self.value("value", value, result),
                (None, None) => Ok(()),
                _ => Err(Problem::Return),
            },
        }
    }

    /// A value that must have a type.
    fn value(&mut self, part: &'static str, value: &'p Expr, wanted: Type) -> Found<()> {
        self.inside(part, None, |c| {
            let found = c.expr(value)?;
            if found == wanted { Ok(()) } else { Err(Problem::Type(wanted, found)) }
        })
    }

    fn expr(&mut self, expr: &'p Expr) -> Found<Type> {
        self.count(1)?;
        match expr {
            Expr::Int(_) => Ok(Type::Int),
            Expr::Get(local) => self.local(*local),
            Expr::Load(array, index) => {
                self.ints(*array)?;
                self.value("index", index, Type::Int)?;
                Ok(Type::Int)
            }
            Expr::Table(table, index) => {
                self.table(*table)?;
                self.value("index", index, Type::Int)?;
                Ok(Type::Int)
            }
            Expr::Unary(_, value) => {
                self.value("operand", value, Type::Int)?;
                Ok(Type::Int)
            }
            Expr::Binary(_, first, second)
            | Expr::Compare(_, first, second)
            | Expr::Both(first, second)
            | Expr::Either(first, second) => {
                self.value("first", first, Type::Int)?;
                self.value("second", second, Type::Int)?;
                Ok(Type::Int)
            }
            Expr::Choose(condition, then, otherwise) => {
                self.value("condition", condition, Type::Int)?;
                let of = self.inside("then", None, |c| c.expr(then))?;
                self.value("else", otherwise, of)?;
                Ok(of)
            }
            Expr::After(block, value) => {
                self.block("after", block)?;
                self.inside("value", None, |c| c.expr(value))
            }
            Expr::Call(function, arguments) => {
                self.call(*function, arguments)?.ok_or(Problem::NoResult)
            }
            Expr::Host(function, arguments) => {
                let wanted = self.host(*function)?;
                if arguments.len() != wanted {
                    return Err(Problem::Arity(arguments.len(), wanted));
                }
                for (index, argument) in arguments.iter().enumerate() {
                    self.argument(index, argument, Type::Int)?;
                }
                Ok(Type::Int)
            }
            Expr::Len(set) | Expr::Last(set) | Expr::IsEmpty(set) => {
                self.value("set", set, Type::Set)?;
                Ok(Type::Int)
            }
            Expr::Contains(set, number) | Expr::Nth(set, number) => {
                self.value("set", set, Type::Set)?;
                self.value("number", number, Type::Int)?;
                Ok(Type::Int)
            }
            Expr::IsSubset(first, second) => {
                self.value("first", first, Type::Set)?;
                self.value("second", second, Type::Set)?;
                Ok(Type::Int)
            }
            Expr::Draw(array, end) => {
                writable(self.sets(*array)?)?;
                self.value("end", end, Type::Int)?;
                Ok(Type::Int)
            }
            Expr::NoSites => Ok(Type::Set),
            Expr::Single(site) => {
                self.value("site", site, Type::Int)?;
                Ok(Type::Set)
            }
            Expr::LoadSet(array, index) => {
                self.sets(*array)?;
                self.value("index", index, Type::Int)?;
                Ok(Type::Set)
            }
            Expr::SetTable(table, index) => {
                self.set_table(*table)?;
                self.value("index", index, Type::Int)?;
                Ok(Type::Set)
            }
            Expr::Combine(_, first, second) => {
                self.value("first", first, Type::Set)?;
                self.value("second", second, Type::Set)?;
                Ok(Type::Set)
            }
            Expr::Shift(set, _) => {
                self.value("set", set, Type::Set)?;
                Ok(Type::Set)
            }
        }
    }

    fn argument(&mut self, index: usize, argument: &'p Expr, wanted: Type) -> Found<()> {
        self.inside("argument", Some(index), |c| {
            let found = c.expr(argument)?;
            if found == wanted { Ok(()) } else { Err(Problem::Type(wanted, found)) }
        })
    }

    fn call(&mut self, id: FunctionId, arguments: &'p [Expr]) -> Found<Option<Type>> {
        if id.0 as usize >= self.caller {
            return Err(Problem::Order(id.0));
        }
        let callee = &self.program.functions[id.0 as usize];
        if arguments.len() != callee.params {
            return Err(Problem::Arity(arguments.len(), callee.params));
        }
        for (index, argument) in arguments.iter().enumerate() {
            self.argument(index, argument, callee.locals[index])?;
        }
        Ok(callee.result)
    }

    fn local(&self, local: Local) -> Found<Type> {
        let function = self.function.expect("only functions have variables");
        let found = function.locals.get(local.0 as usize);
        found.copied().ok_or(Problem::Missing("variable", local.0))
    }

    /// The variable of a loop.
    fn variable(&self, local: Local) -> Found<()> {
        match self.local(local)? {
            Type::Int => Ok(()),
            Type::Set => Err(Problem::Type(Type::Int, Type::Set)),
        }
    }

    fn ints(&self, array: Ints) -> Found<Access> {
        let found = self.program.ints.get(array.0 as usize);
        found.map(|lent| lent.access).ok_or(Problem::Missing("array of numbers", array.0))
    }

    fn sets(&self, array: Sets) -> Found<Access> {
        let found = self.program.sets.get(array.0 as usize);
        found.map(|lent| lent.access).ok_or(Problem::Missing("array of sets", array.0))
    }

    fn table(&self, table: Table) -> Found<()> {
        let found = self.program.tables.get(table.0 as usize);
        found.map(|_| ()).ok_or(Problem::Missing("table of numbers", table.0))
    }

    fn set_table(&self, table: SetTable) -> Found<()> {
        let found = self.program.set_tables.get(table.0 as usize);
        found.map(|_| ()).ok_or(Problem::Missing("table of sets", table.0))
    }

    fn host(&self, function: HostId) -> Found<usize> {
        let found = self.program.hosts.get(function.0 as usize);
        found.map(|(_, arguments)| *arguments).ok_or(Problem::Missing("host function", function.0))
    }
}

fn writable(access: Access) -> Found<()> {
    match access {
        Access::Write => Ok(()),
        Access::Read => Err(Problem::ReadOnly),
    }
}
