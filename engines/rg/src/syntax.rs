//! The syntax tree of RG: the declarations of a low-level description, as they are written in
//! `.rg` or expanded from `.hrg`. Spans lie in the text that the user wrote, of either language.

use rustc_hash::FxHashMap;
use text::{Diagnostic, Span};

use crate::symbols::{Symbol, Symbols};

/// A name where it stands in the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Name {
    pub(crate) symbol: Symbol,
    pub(crate) span: Span,
}

/// The number of the first of each name, and the names that come again, each with the place of the
/// first.
pub(crate) fn numbered(
    names: impl Iterator<Item = Name>,
) -> (FxHashMap<Symbol, usize>, Vec<(Name, Span)>) {
    let (mut numbers, mut again) = (FxHashMap::default(), Vec::new());
    let mut spans = Vec::new();
    for name in names {
        let first = *numbers.entry(name.symbol).or_insert(spans.len());
        if let Some(&first) = spans.get(first) {
            again.push((name, first));
        }
        spans.push(name.span);
    }
    (numbers, again)
}

/// The diagnostic of a name that comes again, given its text and the place of the first.
pub(crate) fn duplicate(kind: &str, text: &str, name: Name, first: Span) -> Diagnostic {
    let message = format!("{kind} `{text}` is declared twice");
    Diagnostic::error("duplicate", name.span, message)
        .label("expected another name")
        .note(first, "the first one")
}

/// A whole description.
#[derive(Clone, Debug, Default)]
pub(crate) struct Declarations {
    pub(crate) symbols: Symbols,
    pub(crate) types: Vec<TypeDeclaration>,
    pub(crate) constants: Vec<ValueDeclaration>,
    pub(crate) variables: Vec<ValueDeclaration>,
    pub(crate) edges: Vec<Edge>,
    /// Tags that only tell walks apart and say nothing to a player: those of `@artificialTag`. All
    /// other pragmas are promises, which are not believed.
    pub(crate) artificial: Vec<Symbol>,
    /// The variables that no author wrote: parameters of graphs, and where reusable graphs return to.
    pub(crate) internal: Vec<Symbol>,
    /// One entry for each declaration that has faults and is left out: the name of a type,
    /// constant or variable. Nobody is told that these are missing.
    pub(crate) unread: Vec<Option<Symbol>>,
}

/// `type name = type;`
#[derive(Clone, Debug)]
pub(crate) struct TypeDeclaration {
    pub(crate) name: Name,
    pub(crate) ty: Type,
}

/// `const name: type = value;` or `var name: type = value;`
#[derive(Clone, Debug)]
pub(crate) struct ValueDeclaration {
    pub(crate) name: Name,
    pub(crate) ty: Type,
    pub(crate) value: Value,
}

/// A type as it is written.
#[derive(Clone, Debug)]
pub(crate) enum Type {
    Named(Name),
    /// `{a, b, c}`, with at least one member.
    Set(Vec<Name>, Span),
    /// `key -> value`.
    Arrow(Box<Type>, Box<Type>),
}

/// A value of a constant, or the first one of a variable.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    /// A constant or a symbol.
    Name(Name),
    /// `{ key: value, :value }`; the entry without a key is the default.
    Map(Vec<(Option<Name>, Value)>, Span),
}

/// `from, to: label;`
#[derive(Clone, Debug)]
pub(crate) struct Edge {
    pub(crate) from: Name,
    pub(crate) to: Name,
    pub(crate) label: Label,
    /// The place of the label, or of the whole edge if that is empty.
    pub(crate) span: Span,
}

/// The condition or effect of an edge.
#[derive(Clone, Debug)]
pub(crate) enum Label {
    Skip,
    /// `target = value`
    Assign(Expr, Expr),
    /// `target = type(*)`
    AssignAny(Expr, Type),
    /// `left == right`, or `left != right` if not `equal`.
    Compare {
        left: Expr,
        right: Expr,
        equal: bool,
    },
    /// `? from -> to`, or `! from -> to` if `negated`.
    Test {
        from: Name,
        to: Name,
        negated: bool,
    },
    /// `$ tag`
    Tag(Name),
    /// `$$ variable`
    TagVariable(Name),
}

/// An expression.
#[derive(Clone, Debug)]
pub(crate) enum Expr {
    /// A constant, a variable, or the symbol itself.
    Name(Name),
    /// `type(expr)`, which changes no value.
    Cast(Name, Box<Expr>),
    /// `map[key]`
    Access(Box<Expr>, Box<Expr>),
}

impl Expr {
    /// The place of the expression.
    pub(crate) fn span(&self) -> Span {
        match self {
            Expr::Name(name) => name.span,
            Expr::Cast(ty, inner) => ty.span.to(inner.span()),
            Expr::Access(map, key) => map.span().to(key.span()),
        }
    }
}

impl Value {
    /// The place of the value.
    pub(crate) fn span(&self) -> Span {
        match self {
            Value::Name(name) => name.span,
            Value::Map(_, span) => *span,
        }
    }
}

impl Type {
    /// The place of the type.
    pub(crate) fn span(&self) -> Span {
        match self {
            Type::Named(name) => name.span,
            Type::Set(_, span) => *span,
            Type::Arrow(key, value) => key.span().to(value.span()),
        }
    }
}
