//! The intermediate representation: a game as functions over numbers, sets of sites, and memory.
//!
//! Programs are structured (jumps are `Break`, `Return` and, within its blocks, `Go`) and *total*:
//! whatever the operands, every operation has a result. Reading out of range gives 0 or the empty
//! set, writing out of range does nothing, dividing by 0 gives 0. So a program that passes the
//! [checker](crate::check) can neither trap nor touch memory that it was not given, and loops
//! without a bound of their own count down a budget.
//!
//! Operands are evaluated in order, each completely before the next, and indexes before the values
//! that are stored. What runs within bounds of its own (`For`, `ForEach`, calls) takes nothing from
//! the budget: who writes programs keeps the product of those bounds small.

/// The type of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Type {
    /// A number of 32 bits that wraps; a condition is 0 or 1.
    Int,
    /// A set of sites, of as many words as the program says.
    Set,
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);
    )*};
}

ids! {
    /// A variable of a function; the first ones are its parameters.
    Local,
    /// A function of the program.
    FunctionId,
    /// An array of numbers that the host lends while the program runs.
    Ints,
    /// An array of sets that the host lends while the program runs.
    Sets,
    /// A constant array of numbers.
    Table,
    /// A constant array of sets.
    SetTable,
    /// A function of the host.
    HostId,
}

/// Operations on one number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Unary {
    /// 0 less the number.
    Neg,
    /// Without its sign; the least number stays what it is.
    Abs,
    /// 1 if it is 0, else 0.
    IsZero,
}

/// Operations on two numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Binary {
    /// Sum, wrapping.
    Add,
    /// Difference, wrapping.
    Sub,
    /// Product, wrapping.
    Mul,
    /// Quotient towards zero; 0 where the divisor is 0, wrapping.
    Div,
    /// Rest of that division, with the sign of the dividend; 0 where the divisor is 0.
    Rem,
    /// Bits of both.
    And,
    /// Bits of either.
    Or,
    /// Bits of one of them.
    Xor,
    /// Shifted left by the lowest five bits of the second.
    Shl,
    /// Shifted right without sign, likewise.
    Shr,
    /// The smaller one.
    Min,
    /// The greater one.
    Max,
}

/// Comparisons of numbers, with sign; 1 or 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[allow(missing_docs)] // the names say it
pub enum Compare {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

/// Operations on two sets.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Combine {
    /// The sites that are in both sets.
    And,
    /// The sites that are in either set.
    Or,
    /// The sites that are in exactly one of the sets.
    Xor,
    /// The sites that are in the first set alone.
    Without,
}

/// A value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expr {
    /// This number.
    Int(i32),
    /// The value of a variable.
    Get(Local),
    /// An entry of an array; 0 out of range.
    Load(Ints, Box<Expr>),
    /// An entry of a constant array; 0 out of range.
    Table(Table, Box<Expr>),
    /// An operation on one number.
    Unary(Unary, Box<Expr>),
    /// An operation on two numbers.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// A comparison.
    Compare(Compare, Box<Expr>, Box<Expr>),
    /// 1 if both are not 0; the second is evaluated only if the first is not 0.
    Both(Box<Expr>, Box<Expr>),
    /// 1 if either is not 0; the second is evaluated only if the first is 0.
    Either(Box<Expr>, Box<Expr>),
    /// The second if the first is not 0, else the third; only that one is evaluated.
    Choose(Box<Expr>, Box<Expr>, Box<Expr>),
    /// A value after statements. `Break` and `Return` inside may leave it.
    After(Block, Box<Expr>),
    /// A call of a function with a result.
    Call(FunctionId, Vec<Expr>),
    /// A call of the host with numbers; it may change all arrays that it lends.
    Host(HostId, Vec<Expr>),
    /// The number of sites in a set.
    Len(Box<Expr>),
    /// The last site of a set; -1 if it has none.
    Last(Box<Expr>),
    /// 1 if a set has no site, else 0.
    IsEmpty(Box<Expr>),
    /// 1 if the set has the site, else 0; 0 out of range.
    Contains(Box<Expr>, Box<Expr>),
    /// The site with a rank in ascending order, from 0; -1 if there are not so many.
    Nth(Box<Expr>, Box<Expr>),
    /// 1 if the second set has all sites of the first, else 0.
    IsSubset(Box<Expr>, Box<Expr>),
    /// A number from 0 up to another, that excluded, drawn with a generator (xoshiro256++, bounded
    /// as Lemire does) whose state is the first four words of an array of sets. 0, and nothing
    /// drawn, where the number is not positive or the whole sets of the array have fewer words; 0
    /// from a state of zeros.
    Draw(Sets, Box<Expr>),
    /// The set without any site.
    NoSites,
    /// A set of one site; the empty one out of range.
    Single(Box<Expr>),
    /// An entry of an array of sets; the empty one out of range.
    LoadSet(Sets, Box<Expr>),
    /// An entry of a constant array of sets; the empty one out of range.
    SetTable(SetTable, Box<Expr>),
    /// An operation on two sets.
    Combine(Combine, Box<Expr>, Box<Expr>),
    /// All sites of a set moved by the same number; those that would leave the sets are lost.
    Shift(Box<Expr>, i32),
}

/// Statements in order.
pub type Block = Vec<Stmt>;

/// A statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stmt {
    /// Gives a variable a value.
    Set(Local, Expr),
    /// Writes an entry of an array; nothing out of range.
    Store(Ints, Expr, Expr),
    /// Writes an entry of an array of sets; nothing out of range.
    StoreSet(Sets, Expr, Expr),
    /// Adds a site to an entry of an array of sets, or takes it out; nothing out of range.
    Put(Sets, Expr, Expr, bool),
    /// Makes so many entries of an array 0, from its first on; those that it has.
    Clear(Ints, u32),
    /// Copies so many entries to an array from another, from the first on; those that both have.
    CopyInts(Ints, Ints, u32),
    /// The same with sets.
    CopySets(Sets, Sets, u32),
    /// Evaluates a value for what else it does.
    Eval(Expr),
    /// Calls a function without a result.
    Call(FunctionId, Vec<Expr>),
    /// The one block if the number is not 0, else the other.
    If(Expr, Block, Block),
    /// The block for every site of a set in ascending order. The set is evaluated once.
    ForEach(Local, Expr, Block),
    /// The block for every number from one up to another, that excluded. Both are evaluated once;
    /// the variable is set anew for every round, whatever the block does to it.
    For(Local, Expr, Expr, Block),
    /// The block as long as the number is not 0 and the budget lasts; every round takes 1 of it.
    /// The number is evaluated first, and belongs to the loop: `Break` in it leaves this one.
    While(Expr, Block),
    /// Leaves so many loops: 1 is the innermost.
    Break(u32),
    /// Blocks in order, for what does not nest: [`Stmt::Go`] in one of them goes on with another.
    Blocks(Vec<Block>),
    /// Goes on with this one of the innermost `Blocks`, out of loops if need be. Not forwards it
    /// takes 1 of the budget, and leaves the `Blocks` when that is spent.
    Go(u32),
    /// Leaves the function, with its result if it has one.
    Return(Option<Expr>),
}

/// A function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    /// Its name in print.
    pub name: String,
    /// The types of its variables, parameters first. All others begin as 0 or the empty set.
    pub locals: Vec<Type>,
    /// The number of them that are parameters.
    pub params: usize,
    /// The type of its result.
    pub result: Option<Type>,
    /// The statements of the function. A function that comes to the end of them returns 0 or the
    /// empty set.
    pub body: Block,
}

/// The right of a program to write an array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// It only reads.
    Read,
    /// It reads and writes.
    Write,
}

/// An array that the host lends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LentArray {
    /// Its name in print.
    pub name: String,
    /// The right of the program to write it.
    pub access: Access,
    /// The number of entries that the host promises at least, wherever a function reads or writes
    /// the array: an index that is known to be below it need not be compared with the length. 0
    /// promises nothing.
    pub least: usize,
}

/// A program: what a host can run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// Words of a set.
    pub words: usize,
    /// Arrays of numbers that the host lends.
    pub ints: Vec<LentArray>,
    /// Arrays of sets that the host lends.
    pub sets: Vec<LentArray>,
    /// Constant arrays of numbers.
    pub tables: Vec<Box<[i32]>>,
    /// Constant arrays of sets: words, one set after the other.
    pub set_tables: Vec<Box<[u64]>>,
    /// Functions of the host: name, number of arguments.
    pub hosts: Vec<(String, usize)>,
    /// The functions; each calls only those before it.
    pub functions: Vec<Function>,
}
