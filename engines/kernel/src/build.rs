//! Helpers to write programs with: operators and methods of [`Expr`], [`CodeBuilder`],
//! [`FunctionBuilder`], [`ProgramBuilder`]. They check nothing; [`check`](crate::check) does.

use std::ops::{Add, BitAnd, BitOr, BitXor, Mul, Neg, Not, Sub};

use crate::ir::{
    Access, Binary, Block, Combine, Compare, Expr, Function, FunctionId, HostId, Ints, LentArray,
    Local, Program, SetTable, Sets, Stmt, Table, Type, Unary,
};

impl From<i32> for Expr {
    fn from(number: i32) -> Expr {
        Expr::Int(number)
    }
}

impl From<Local> for Expr {
    fn from(local: Local) -> Expr {
        Expr::Get(local)
    }
}

macro_rules! operators {
    ($($(#[$doc:meta])* $trait:ident::$method:ident => $node:ident($operation:expr)),* $(,)?) => {$(
        impl<E: Into<Expr>> $trait<E> for Expr {
            type Output = Expr;

            $(#[$doc])*
            fn $method(self, other: E) -> Expr {
                Expr::$node($operation, Box::new(self), Box::new(other.into()))
            }
        }
    )*};
}

operators! {
    /// Sum of numbers.
    Add::add => Binary(Binary::Add),
    /// Difference of numbers.
    Sub::sub => Binary(Binary::Sub),
    /// Product of numbers.
    Mul::mul => Binary(Binary::Mul),
    /// Intersection of sets.
    BitAnd::bitand => Combine(Combine::And),
    /// Union of sets.
    BitOr::bitor => Combine(Combine::Or),
    /// Symmetric difference of sets.
    BitXor::bitxor => Combine(Combine::Xor),
}

impl Neg for Expr {
    type Output = Expr;

    /// 0 less the number.
    fn neg(self) -> Expr {
        Expr::Unary(Unary::Neg, Box::new(self))
    }
}

impl Not for Expr {
    type Output = Expr;

    /// 1 if the number is 0, else 0.
    fn not(self) -> Expr {
        Expr::Unary(Unary::IsZero, Box::new(self))
    }
}

macro_rules! methods {
    ($($(#[$doc:meta])* $method:ident => $node:ident $(($operation:expr))?),* $(,)?) => {
        impl Expr {$(
            $(#[$doc])*
            #[must_use]
            pub fn $method(self, other: impl Into<Expr>) -> Expr {
                Expr::$node($($operation,)? Box::new(self), Box::new(other.into()))
            }
        )*}
    };
}

methods! {
    /// Quotient of numbers towards zero.
    quotient => Binary(Binary::Div),
    /// Rest of that division.
    rest => Binary(Binary::Rem),
    /// Bits of both numbers.
    and_bits => Binary(Binary::And),
    /// Bits of either number.
    or_bits => Binary(Binary::Or),
    /// Bits of one of the numbers.
    xor_bits => Binary(Binary::Xor),
    /// The number shifted left.
    shifted_left => Binary(Binary::Shl),
    /// The number shifted right without sign.
    shifted_right => Binary(Binary::Shr),
    /// The smaller number.
    min => Binary(Binary::Min),
    /// The greater number.
    max => Binary(Binary::Max),
    /// 1 if the numbers are equal.
    equals => Compare(Compare::Equal),
    /// 1 if the numbers differ.
    differs => Compare(Compare::NotEqual),
    /// 1 if the number is less.
    less => Compare(Compare::Less),
    /// 1 if the number is less or equal.
    at_most => Compare(Compare::LessEqual),
    /// 1 if the number is greater.
    greater => Compare(Compare::Greater),
    /// 1 if the number is greater or equal.
    at_least => Compare(Compare::GreaterEqual),
    /// 1 if both are not 0; the other one is evaluated only if this is not 0.
    and => Both,
    /// 1 if either is not 0; the other one is evaluated only if this is 0.
    or => Either,
    /// The sites of this set that the other has not.
    without => Combine(Combine::Without),
    /// 1 if this set has the site.
    contains => Contains,
    /// The site of this set with a rank from 0, or -1.
    nth => Nth,
    /// 1 if the other set has all sites of this.
    is_subset => IsSubset,
}

impl Expr {
    /// The magnitude of the number.
    #[must_use]
    pub fn abs(self) -> Expr {
        Expr::Unary(Unary::Abs, Box::new(self))
    }

    /// The last site of this set, or -1.
    #[must_use]
    pub fn last(self) -> Expr {
        Expr::Last(Box::new(self))
    }

    /// The number of sites in this set.
    #[must_use]
    pub fn len(self) -> Expr {
        Expr::Len(Box::new(self))
    }

    /// 1 if this set has no site. ([`Expr`] is no collection, but clippy asks for it beside `len`.)
    #[must_use]
    pub fn is_empty(self) -> Expr {
        Expr::IsEmpty(Box::new(self))
    }

    /// 1 if this set has a site.
    #[must_use]
    pub fn is_inhabited(self) -> Expr {
        !self.is_empty()
    }

    /// The first if this number is not 0, else the second.
    #[must_use]
    pub fn choose(self, then: impl Into<Expr>, otherwise: impl Into<Expr>) -> Expr {
        Expr::Choose(Box::new(self), Box::new(then.into()), Box::new(otherwise.into()))
    }

    /// This value after statements.
    #[must_use]
    pub fn after(self, statements: Block) -> Expr {
        Expr::After(statements, Box::new(self))
    }

    /// All sites of this set moved by a number; those that leave the sets are lost.
    #[must_use]
    pub fn shift(self, by: i32) -> Expr {
        Expr::Shift(Box::new(self), by)
    }

    /// A set of one site.
    pub fn single(site: impl Into<Expr>) -> Expr {
        Expr::Single(Box::new(site.into()))
    }
}

impl Local {
    /// Its value.
    pub fn get(self) -> Expr {
        Expr::Get(self)
    }
}

impl Ints {
    /// An entry.
    pub fn at(self, index: impl Into<Expr>) -> Expr {
        Expr::Load(self, Box::new(index.into()))
    }
}

impl Sets {
    /// An entry.
    pub fn at(self, index: impl Into<Expr>) -> Expr {
        Expr::LoadSet(self, Box::new(index.into()))
    }
}

impl Table {
    /// An entry.
    pub fn at(self, index: impl Into<Expr>) -> Expr {
        Expr::Table(self, Box::new(index.into()))
    }
}

impl Sets {
    /// A number below another, drawn with the generator in its first four words.
    pub fn draw(self, end: impl Into<Expr>) -> Expr {
        Expr::Draw(self, Box::new(end.into()))
    }
}

impl SetTable {
    /// An entry.
    pub fn at(self, index: impl Into<Expr>) -> Expr {
        Expr::SetTable(self, Box::new(index.into()))
    }
}

impl FunctionId {
    /// A call for its result.
    pub fn call(self, arguments: Vec<Expr>) -> Expr {
        Expr::Call(self, arguments)
    }
}

impl HostId {
    /// A call for its result.
    pub fn call(self, arguments: Vec<Expr>) -> Expr {
        Expr::Host(self, arguments)
    }
}

/// Statements while they are written: they are added at the end of the innermost open block.
pub trait CodeBuilder {
    /// A new variable.
    fn local(&mut self, of: Type) -> Local;

    /// Adds a statement.
    fn push(&mut self, statement: Stmt);

    /// The statements that `write` adds, as a block of their own.
    fn block(&mut self, write: impl FnOnce(&mut Self)) -> Block;

    /// A new variable with a first value.
    fn var(&mut self, of: Type, value: impl Into<Expr>) -> Local {
        let local = self.local(of);
        self.set(local, value);
        local
    }

    /// Gives a variable a value.
    fn set(&mut self, local: Local, value: impl Into<Expr>) {
        self.push(Stmt::Set(local, value.into()));
    }

    /// Writes an entry of an array.
    fn store(&mut self, array: Ints, index: impl Into<Expr>, value: impl Into<Expr>) {
        self.push(Stmt::Store(array, index.into(), value.into()));
    }

    /// Writes an entry of an array of sets.
    fn store_set(&mut self, array: Sets, index: impl Into<Expr>, value: impl Into<Expr>) {
        self.push(Stmt::StoreSet(array, index.into(), value.into()));
    }

    /// Adds a site to an entry of an array of sets, or takes it out.
    fn put(&mut self, array: Sets, index: impl Into<Expr>, site: impl Into<Expr>, there: bool) {
        self.push(Stmt::Put(array, index.into(), site.into(), there));
    }

    /// Evaluates a value for what else it does.
    fn eval(&mut self, value: impl Into<Expr>) {
        self.push(Stmt::Eval(value.into()));
    }

    /// Calls a function without a result.
    fn call(&mut self, function: FunctionId, arguments: Vec<Expr>) {
        self.push(Stmt::Call(function, arguments));
    }

    /// Statements for a number that is not 0.
    fn when(&mut self, condition: impl Into<Expr>, then: impl FnOnce(&mut Self)) {
        self.either(condition, then, |_| ());
    }

    /// Statements for a number that is not 0, and for 0.
    fn either(
        &mut self,
        condition: impl Into<Expr>,
        then: impl FnOnce(&mut Self),
        otherwise: impl FnOnce(&mut Self),
    ) {
        let (then, otherwise) = (self.block(then), self.block(otherwise));
        self.push(Stmt::If(condition.into(), then, otherwise));
    }

    /// Statements for every site of a set, which they are given as a new variable.
    fn for_each(&mut self, set: impl Into<Expr>, write: impl FnOnce(&mut Self, Local)) {
        let site = self.local(Type::Int);
        let block = self.block(|f| write(f, site));
        self.push(Stmt::ForEach(site, set.into(), block));
    }

    /// Statements for every number from one up to another, that excluded, which they are given as a
    /// new variable.
    fn count(
        &mut self,
        from: impl Into<Expr>,
        to: impl Into<Expr>,
        write: impl FnOnce(&mut Self, Local),
    ) {
        let number = self.local(Type::Int);
        let block = self.block(|f| write(f, number));
        self.push(Stmt::For(number, from.into(), to.into(), block));
    }

    /// Statements as long as a number is not 0 and the budget lasts.
    fn repeat(&mut self, condition: impl Into<Expr>, write: impl FnOnce(&mut Self)) {
        let block = self.block(write);
        self.push(Stmt::While(condition.into(), block));
    }

    /// Leaves so many loops.
    fn leave(&mut self, loops: u32) {
        self.push(Stmt::Break(loops));
    }

    /// Leaves the function with a result.
    fn give(&mut self, result: impl Into<Expr>) {
        self.push(Stmt::Return(Some(result.into())));
    }

    /// Leaves a function that has no result.
    fn quit(&mut self) {
        self.push(Stmt::Return(None));
    }
}

/// A function while it is written.
///
/// ```
/// use kernel::build::{CodeBuilder, FunctionBuilder};
/// use kernel::ir::Type;
///
/// // The sum of the numbers from 0 up to a parameter.
/// let mut f = FunctionBuilder::new("sum", &[Type::Int], Some(Type::Int));
/// let sum = f.local(Type::Int);
/// let end = f.param(0);
/// f.count(0, end, |f, i| f.set(sum, sum.get() + i));
/// f.give(sum);
/// let function = f.finish();
/// assert_eq!(function.locals.len(), 3);
/// ```
#[derive(Debug)]
pub struct FunctionBuilder {
    function: Function,
    /// Blocks that are open around the one that statements are added to, outermost first.
    outer: Vec<Block>,
}

impl FunctionBuilder {
    /// A function with parameters and a result.
    pub fn new(name: impl Into<String>, params: &[Type], result: Option<Type>) -> FunctionBuilder {
        let function = Function {
            name: name.into(),
            locals: params.to_vec(),
            params: params.len(),
            result,
            body: Block::new(),
        };
        FunctionBuilder { function, outer: Vec::new() }
    }

    /// A parameter, counted from 0.
    pub fn param(&self, number: usize) -> Local {
        assert!(number < self.function.params, "{} has no such parameter", self.function.name);
        Local(number as u32)
    }

    /// The function.
    pub fn finish(self) -> Function {
        self.function
    }
}

impl CodeBuilder for FunctionBuilder {
    fn local(&mut self, of: Type) -> Local {
        self.function.locals.push(of);
        Local(self.function.locals.len() as u32 - 1)
    }

    fn push(&mut self, statement: Stmt) {
        self.function.body.push(statement);
    }

    fn block(&mut self, write: impl FnOnce(&mut FunctionBuilder)) -> Block {
        self.outer.push(std::mem::take(&mut self.function.body));
        write(self);
        let outer = self.outer.pop().expect("it was pushed above");
        std::mem::replace(&mut self.function.body, outer)
    }
}

/// A program while it is written.
#[derive(Debug)]
pub struct ProgramBuilder {
    program: Program,
}

impl ProgramBuilder {
    /// A program over sets of so many words.
    pub fn new(words: usize) -> ProgramBuilder {
        let program = Program {
            words,
            ints: Vec::new(),
            sets: Vec::new(),
            tables: Vec::new(),
            set_tables: Vec::new(),
            hosts: Vec::new(),
            functions: Vec::new(),
        };
        ProgramBuilder { program }
    }

    /// An array of numbers that the host lends.
    pub fn ints(&mut self, name: impl Into<String>, access: Access) -> Ints {
        self.ints_of(name, access, 0)
    }

    /// Like [`ProgramBuilder::ints`], of at least so many entries.
    pub fn ints_of(&mut self, name: impl Into<String>, access: Access, least: usize) -> Ints {
        self.program.ints.push(LentArray { name: name.into(), access, least });
        Ints(self.program.ints.len() as u32 - 1)
    }

    /// An array of sets that the host lends.
    pub fn sets(&mut self, name: impl Into<String>, access: Access) -> Sets {
        self.sets_of(name, access, 0)
    }

    /// Like [`ProgramBuilder::sets`], of at least so many entries.
    pub fn sets_of(&mut self, name: impl Into<String>, access: Access, least: usize) -> Sets {
        self.program.sets.push(LentArray { name: name.into(), access, least });
        Sets(self.program.sets.len() as u32 - 1)
    }

    /// A constant array of numbers.
    pub fn table(&mut self, entries: impl Into<Box<[i32]>>) -> Table {
        self.program.tables.push(entries.into());
        Table(self.program.tables.len() as u32 - 1)
    }

    /// A constant array of sets, as words.
    pub fn set_table(&mut self, words: impl Into<Box<[u64]>>) -> SetTable {
        self.program.set_tables.push(words.into());
        SetTable(self.program.set_tables.len() as u32 - 1)
    }

    /// A function of the host.
    pub fn host(&mut self, name: impl Into<String>, arguments: usize) -> HostId {
        self.program.hosts.push((name.into(), arguments));
        HostId(self.program.hosts.len() as u32 - 1)
    }

    /// A function, which may call those that were added before it.
    pub fn function(&mut self, function: Function) -> FunctionId {
        self.program.functions.push(function);
        FunctionId(self.program.functions.len() as u32 - 1)
    }

    /// The program.
    pub fn finish(self) -> Program {
        self.program
    }
}
