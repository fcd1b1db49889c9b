//! The syntax tree of HRG. Chains of operators are flat, so that the depth of a tree is that of its
//! brackets.

use text::Span;

use crate::syntax::Name;

/// A whole description.
#[derive(Debug, Default)]
pub(super) struct Program {
    pub(super) domains: Vec<Domain>,
    pub(super) functions: Vec<Function>,
    pub(super) variables: Vec<Variable>,
    pub(super) graphs: Vec<Graph>,
}

/// `domain name = element | element`
#[derive(Debug)]
pub(super) struct Domain {
    pub(super) name: Name,
    pub(super) elements: Vec<Element>,
}

/// An element of a domain, or all of those that it stands for.
#[derive(Debug)]
pub(super) enum Element {
    /// A symbol, or all elements of another domain.
    Name(Name),
    /// `C(p, q) where X in range`
    Compound { constructor: Name, arguments: Vec<Name>, ranges: Vec<Range>, span: Span },
}

/// `X in 0..3` or `X in {a, b}`
#[derive(Debug)]
pub(super) struct Range {
    pub(super) name: Name,
    pub(super) values: RangeValues,
    pub(super) span: Span,
}

/// The values of a range.
#[derive(Debug)]
pub(super) enum RangeValues {
    /// All numbers from the first to the second, both included.
    Numbers(u32, u32),
    Names(Vec<Name>),
}

/// `key -> key -> end`
#[derive(Debug)]
pub(super) struct Type {
    pub(super) keys: Vec<Name>,
    pub(super) end: TypeEnd,
    pub(super) span: Span,
}

/// What stands behind the last arrow of a type.
#[derive(Debug)]
pub(super) enum TypeEnd {
    Named(Name),
    Set(Vec<Name>),
}

/// A function with its cases; there is at least one.
#[derive(Debug)]
pub(super) struct Function {
    pub(super) name: Name,
    pub(super) ty: Type,
    pub(super) cases: Vec<Case>,
}

/// `name(pattern, pattern) = body`
#[derive(Debug)]
pub(super) struct Case {
    pub(super) patterns: Vec<Pattern>,
    pub(super) body: Expr,
    /// The place of the name and the patterns.
    pub(super) span: Span,
}

/// The left side of a case or of a part of a map.
#[derive(Debug)]
pub(super) enum Pattern {
    Any(Span),
    /// An upper-case name, which takes any value.
    Bind(Name),
    Literal(Name),
    Compound(Name, Vec<Pattern>, Span),
}

/// `name : type = value`
#[derive(Debug)]
pub(super) struct Variable {
    pub(super) name: Name,
    pub(super) ty: Type,
    pub(super) value: Option<Expr>,
}

/// `graph name(parameter : type) { ... }`
#[derive(Debug)]
pub(super) struct Graph {
    pub(super) name: Name,
    pub(super) reusable: bool,
    pub(super) parameters: Vec<(Name, Type)>,
    pub(super) body: Block,
}

/// Statements in a row.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) statements: Vec<Statement>,
    pub(super) span: Span,
}

/// A statement.
#[derive(Debug)]
pub(super) struct Statement {
    pub(super) kind: StatementKind,
    pub(super) span: Span,
}

/// A statement without its place.
#[derive(Debug)]
pub(super) enum StatementKind {
    /// `target[key] = value`
    Assign(Name, Vec<Expr>, Expr),
    /// `target[key] = type(*)`
    AssignAny(Name, Vec<Expr>, Type),
    Call(Name, Vec<Expr>),
    Check(Expr),
    Jump(Jump),
    Branch(Vec<Block>),
    BranchIn(Name, Type, Block),
    Repeat(u32, Block),
    RepeatIn(Name, Type, Block),
    Loop(Block),
    While(Expr, Block),
    /// `if` and `else if` with their conditions, and `else`.
    If(Vec<(Expr, Block)>, Option<Block>),
    /// `$ a`, `$(a b)`, or with `$_` an artificial tag.
    Tag {
        names: Vec<Name>,
        artificial: bool,
    },
    /// `$$ variable`
    TagVariable(Name),
}

/// A statement that leads out of its block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Jump {
    End,
    Break,
    Continue,
    Return,
}

/// An expression or a condition.
#[derive(Debug)]
pub(super) struct Expr {
    pub(super) kind: ExprKind,
    pub(super) span: Span,
}

/// An expression without its place.
#[derive(Debug)]
pub(super) enum ExprKind {
    Name(Name),
    /// `f(a)[b](c, d)`
    Apply(Box<Expr>, Vec<Arguments>),
    /// `C(a, b)`
    Compound(Name, Vec<Expr>),
    Sum(Box<Expr>, Vec<(Operator, Expr)>),
    /// `term in Domain`
    In(Box<Expr>, Name),
    Compare(Box<Expr>, Comparison, Box<Expr>),
    And(Vec<Expr>),
    Or(Vec<Expr>),
    /// Conditions with their values, and the value if none holds.
    If(Vec<(Expr, Expr)>, Box<Expr>),
    Map(Map),
}

/// Arguments in one pair of brackets.
#[derive(Debug)]
pub(super) struct Arguments {
    pub(super) values: Vec<Expr>,
    /// True for `[..]`.
    pub(super) square: bool,
    pub(super) span: Span,
}

/// `+`, `-` or `%`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Operator {
    Plus,
    Minus,
    Remainder,
}

/// An operator that compares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Comparison {
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// `{ :default; part; part }`
#[derive(Debug)]
pub(super) struct Map {
    pub(super) default: Option<Box<Expr>>,
    pub(super) parts: Vec<Part>,
}

/// `pattern = value where ranges`
#[derive(Debug)]
pub(super) struct Part {
    pub(super) key: Pattern,
    pub(super) value: Expr,
    pub(super) ranges: Vec<Range>,
}

impl Pattern {
    /// The place of the pattern.
    pub(super) fn span(&self) -> Span {
        match self {
            Pattern::Any(span) | Pattern::Compound(.., span) => *span,
            Pattern::Bind(name) | Pattern::Literal(name) => name.span,
        }
    }
}
