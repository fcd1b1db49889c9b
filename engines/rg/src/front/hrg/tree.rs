//! The syntax tree of HRG. Chains of operators are flat, so that a tree is as deep as its brackets.

use text::Span;

use crate::syntax::Name;

/// A whole description.
#[derive(Default)]
pub(super) struct Program {
    /// Domains by name, with forms of their elements.
    pub(super) domains: Vec<(Name, Vec<(Pattern, Ranges)>)>,
    pub(super) functions: Vec<Function>,
    /// Variables with their types and first values.
    pub(super) variables: Vec<(Name, Type, Option<Expr>)>,
    pub(super) graphs: Vec<Graph>,
}

/// Names with their values: `X in 0..3, Y in {a, b}`
pub(super) type Ranges = Vec<(Name, RangeValues)>;

/// The values of a range.
pub(super) enum RangeValues {
    /// The first and the last number.
    Numbers(u32, u32),
    Names(Vec<Name>),
}

/// `key -> key -> end`
pub(super) struct Type {
    pub(super) keys: Vec<Name>,
    pub(super) end: TypeEnd,
    pub(super) span: Span,
}

/// The type behind the last arrow.
pub(super) enum TypeEnd {
    Named(Name),
    Set(Vec<Name>),
}

/// A function with its cases; there is at least one.
pub(super) struct Function {
    pub(super) name: Name,
    pub(super) ty: Type,
    pub(super) cases: Vec<Case>,
}

/// `name(pattern, pattern) = body`
pub(super) struct Case {
    pub(super) patterns: Vec<Pattern>,
    pub(super) body: Expr,
    /// The place of the name and the patterns.
    pub(super) span: Span,
}

/// The left side of a case, a key of a map, or the form of elements.
pub(super) enum Pattern {
    Any(Span),
    /// An upper-case name, which takes any value.
    Bind(Name),
    Literal(Name),
    Compound(Name, Vec<Pattern>, Span),
}

/// `graph name(parameter : type) { ... }`
pub(super) struct Graph {
    pub(super) name: Name,
    pub(super) reusable: bool,
    pub(super) parameters: Vec<(Name, Type)>,
    pub(super) body: Block,
}

/// Statements in a row.
pub(super) struct Block {
    pub(super) statements: Vec<Statement>,
    pub(super) span: Span,
}

/// A statement with its place.
pub(super) struct Statement {
    pub(super) kind: StatementKind,
    pub(super) span: Span,
}

/// A statement.
pub(super) enum StatementKind {
    /// `target[key] = value`
    Assign(Name, Vec<Expr>, Expr),
    /// `target[key] = type(*)`
    AssignAny(Name, Vec<Expr>, Type),
    Call(Name, Vec<Expr>),
    Check(Expr),
    /// `end()`, `break()`, `continue()` or `return()`
    Jump(&'static str),
    Branch(Vec<Block>),
    BranchIn(Name, Type, Block),
    Repeat(u32, Block),
    RepeatIn(Name, Type, Block),
    Loop(Block),
    While(Expr, Block),
    /// Each `if` with its block, and the last `else`.
    If(Vec<(Expr, Block)>, Option<Block>),
    /// `$ a` or `$(a b)`; true behind `$_`.
    Tag(Vec<Name>, bool),
    TagVariable(Name),
}

/// An expression or a condition with its place.
pub(super) struct Expr {
    pub(super) kind: ExprKind,
    pub(super) span: Span,
}

/// An expression or a condition.
pub(super) enum ExprKind {
    Name(Name),
    /// `f(a)[b](c, d)`
    Apply(Box<Expr>, Vec<Expr>),
    /// `C(a, b)`
    Compound(Name, Vec<Expr>),
    /// Terms with `+`, `-` or `%` before them.
    Sum(Box<Expr>, Vec<(&'static str, Expr)>),
    /// `term in Domain`
    In(Box<Expr>, Name),
    /// `left == right`, or another comparison
    Compare(Box<Expr>, &'static str, Box<Expr>),
    And(Vec<Expr>),
    Or(Vec<Expr>),
    /// Conditions with their values, and the value if none holds.
    If(Vec<(Expr, Expr)>, Box<Expr>),
    Map(Option<Box<Expr>>, Vec<Part>),
}

/// `key = value where ranges` in a map.
pub(super) struct Part {
    pub(super) key: Pattern,
    pub(super) value: Expr,
    pub(super) ranges: Ranges,
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

impl Expr {
    /// The name, if the expression is nothing else.
    pub(super) fn as_name(&self) -> Option<Name> {
        if let ExprKind::Name(name) = self.kind { Some(name) } else { None }
    }
}

/// True if a name is a variable of a pattern, or a constructor.
pub(super) fn is_upper(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
}
