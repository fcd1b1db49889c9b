//! A function of the kernel while it is written, with blocks that are opened and closed one by one.

use kernel::build::CodeBuilder;
use kernel::ir::{Block, Expr, Function, Local, Stmt, Table, Type};

use super::arrays::{FRAME, Slot as Entry};

/// The statement that an open block will be the body of.
#[derive(Clone)]
enum Opener {
    If(Expr),
    ForEach(Local, Expr),
    Count(Local, Expr),
    While(Expr),
    Plain,
}

/// A function while it is written.
#[derive(Clone)]
pub(crate) struct Writer {
    function: Function,
    open: Vec<(Opener, Block)>,
    pub(super) found: Found,
}

/// The use of the moves that a function finds.
#[derive(Clone)]
pub(super) enum Found {
    /// It finds none.
    Nothing,
    /// They are listed in memory, so many moves and entries.
    Listed([Local; 2]),
    /// Its variables have them.
    Kept(Vec<Choice>),
}

/// An argument of a function that makes a move.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Argument {
    Value(Local),
    /// The element that is drawn, or what a function takes it to.
    Element,
    OfElement(Table),
}

impl Argument {
    /// Its value for an element.
    pub(super) fn code(self, element: Option<Local>) -> Expr {
        let element = element.map_or(Expr::Int(0), Local::get);
        match self {
            Argument::Value(local) => local.get(),
            Argument::Element => element,
            Argument::OfElement(table) => table.at(element),
        }
    }
}

/// An entry in variables of a function: a move, or one for each element of a set.
#[derive(Clone)]
pub(super) struct Choice {
    /// The number of moves.
    pub(super) count: Local,
    pub(super) elements: Option<Local>,
    /// The number of the function that makes a move, and its arguments.
    pub(super) maker: usize,
    pub(super) arguments: Vec<Argument>,
    /// True if the move does nothing but hand on the turn.
    pub(super) is_pass: bool,
}

impl Writer {
    pub(crate) fn new(name: String, params: &[Type], result: Option<Type>) -> Writer {
        let function = Function {
            name,
            locals: params.to_vec(),
            params: params.len(),
            result,
            body: Block::new(),
        };
        Writer { function, open: Vec::new(), found: Found::Nothing }
    }

    /// Leaves how much is listed in memory, where other functions read it.
    pub(crate) fn save_counts(&mut self) {
        if let Found::Listed([moves, entries]) = self.found {
            self.store(FRAME, Entry::Count as i32, moves);
            self.store(FRAME, Entry::Entries as i32, entries);
        }
    }

    /// The number of blocks that are open.
    pub(crate) fn depth(&self) -> usize {
        self.open.len()
    }

    /// True if what is written now may be run several times.
    pub(super) fn is_in_loop(&self) -> bool {
        self.open.iter().any(|(opener, _)| !matches!(opener, Opener::If(_) | Opener::Plain))
    }

    /// Makes all that was written in open blocks unconditional, if that may be: the conditions of
    /// these blocks are few, and nothing but variables was written there. The conditions, as one.
    /// What is written next has them still.
    pub(super) fn take_conditions(&mut self, most: usize) -> Option<Expr> {
        if self.open.is_empty() || self.open.len() > most || !self.is_plain() {
            return None;
        }
        let mut conditions = Vec::new();
        while let Some((opener, outer)) = self.open.pop() {
            let block = std::mem::replace(&mut self.function.body, outer);
            self.function.body.extend(block);
            if let Opener::If(condition) = opener {
                conditions.push(condition);
            }
        }
        let mut all: Option<Expr> = None;
        for condition in conditions.into_iter().rev() {
            let holds = self.var(Type::Int, condition.differs(0));
            all = Some(all.map_or(holds.get(), |all| all.and_bits(holds)));
            self.open(Opener::If(holds.get()));
        }
        all
    }

    /// True if nothing is lost where the open blocks are run in vain.
    fn is_plain(&self) -> bool {
        let is_set = |statement: &Stmt| matches!(statement, Stmt::Set(_, value) if is_plain(value));
        let bodies = self.open.iter().skip(1).map(|(_, body)| body).chain([&self.function.body]);
        let is_condition =
            |opener: &Opener| matches!(opener, Opener::If(condition) if is_plain(condition));
        bodies.flatten().all(is_set) && self.open.iter().all(|(opener, _)| is_condition(opener))
    }

    /// Opens a block for a number that is not 0.
    pub(crate) fn open_if(&mut self, condition: Expr) {
        self.open(Opener::If(condition));
    }

    /// Opens a block for each site of a set.
    pub(crate) fn open_each(&mut self, set: impl Into<Expr>) -> Local {
        let site = self.local(Type::Int);
        self.open(Opener::ForEach(site, set.into()));
        site
    }

    /// Opens a block for each number from 0 up to another, that excluded.
    pub(crate) fn open_count(&mut self, end: impl Into<Expr>) -> Local {
        let number = self.local(Type::Int);
        self.open(Opener::Count(number, end.into()));
        number
    }

    /// Opens a block that is repeated as long as a number is not 0.
    pub(crate) fn open_while(&mut self, condition: Expr) {
        self.open(Opener::While(condition));
    }

    fn open(&mut self, opener: Opener) {
        self.open.push((opener, std::mem::take(&mut self.function.body)));
    }

    /// Closes blocks until so many are open.
    pub(crate) fn close_to(&mut self, depth: usize) {
        while self.open.len() > depth {
            let Some((opener, outer)) = self.open.pop() else { return };
            let block = std::mem::replace(&mut self.function.body, outer);
            match opener {
                Opener::If(condition) if block.is_empty() && is_plain(&condition) => {}
                Opener::If(condition) => self.push(Stmt::If(condition, block, Block::new())),
                Opener::ForEach(site, set) => self.push(Stmt::ForEach(site, set, block)),
                Opener::Count(number, end) => {
                    self.push(Stmt::For(number, Expr::Int(0), end, block));
                }
                Opener::While(condition) => self.push(Stmt::While(condition, block)),
                Opener::Plain => self.function.body.extend(block),
            }
        }
    }

    /// The function; all blocks are closed.
    pub(crate) fn finish(mut self) -> Function {
        self.close_to(0);
        self.function
    }
}

impl CodeBuilder for Writer {
    fn local(&mut self, of: Type) -> Local {
        self.function.locals.push(of);
        Local(self.function.locals.len() as u32 - 1)
    }

    fn push(&mut self, statement: Stmt) {
        self.function.body.push(statement);
    }

    fn block(&mut self, write: impl FnOnce(&mut Writer)) -> Block {
        let depth = self.depth();
        self.open(Opener::Plain);
        write(self);
        self.close_to(depth + 1);
        match self.open.pop() {
            Some((_, outer)) => std::mem::replace(&mut self.function.body, outer),
            None => Block::new(),
        }
    }
}

/// True if a value is read from memory, compared or computed with numbers, and nothing is lost by
/// doing so in vain.
fn is_plain(value: &Expr) -> bool {
    match value {
        Expr::Int(_) | Expr::Get(_) => true,
        Expr::Load(_, e) | Expr::Table(_, e) | Expr::Unary(_, e) => is_plain(e),
        Expr::Compare(_, a, b) | Expr::Binary(_, a, b) => is_plain(a) && is_plain(b),
        _ => false,
    }
}
