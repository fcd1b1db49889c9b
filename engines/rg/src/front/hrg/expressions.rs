//! Tokens to expressions, patterns and ranges.

use text::Diagnostic;

use super::parse::names;
use super::tree::{
    Arguments, Comparison, Expr, ExprKind, Map, Operator, Part, Pattern, Range, RangeValues,
};
use crate::front::cursor::Cursor;
use crate::limits::MAX_DEPTH;
use crate::syntax::Name;

/// The operators that compare.
const COMPARISONS: [(&str, Comparison); 6] = [
    ("==", Comparison::Equal),
    ("!=", Comparison::Unequal),
    ("<=", Comparison::LessOrEqual),
    (">=", Comparison::GreaterOrEqual),
    ("<", Comparison::Less),
    (">", Comparison::Greater),
];

/// The operators that compute.
const OPERATORS: [(&str, Operator); 3] =
    [("+", Operator::Plus), ("-", Operator::Minus), ("%", Operator::Remainder)];

/// True if a name is a variable of a pattern, or a constructor.
pub(super) fn is_upper(name: &str) -> bool {
    name.chars().next().is_some_and(char::is_uppercase)
}

/// Reads an expression or a condition.
pub(super) fn expr(cursor: &mut Cursor<'_>) -> Option<Expr> {
    chain(cursor, "||", |cursor| chain(cursor, "&&", comparison, ExprKind::And), ExprKind::Or)
}

/// Operands with an operator between them.
fn chain(
    cursor: &mut Cursor<'_>,
    operator: &str,
    operand: impl Fn(&mut Cursor<'_>) -> Option<Expr>,
    join: fn(Vec<Expr>) -> ExprKind,
) -> Option<Expr> {
    let start = cursor.span();
    let first = operand(cursor)?;
    if !cursor.at_mark(operator) {
        return Some(first);
    }
    let mut operands = vec![first];
    while cursor.eat(operator) {
        operands.push(operand(cursor)?);
    }
    Some(Expr { kind: join(operands), span: cursor.since(start) })
}

fn comparison(cursor: &mut Cursor<'_>) -> Option<Expr> {
    let start = cursor.span();
    let left = sum(cursor)?;
    let Some(&(mark, comparison)) = COMPARISONS.iter().find(|(mark, _)| cursor.at_mark(mark))
    else {
        return Some(left);
    };
    cursor.skip();
    let right = sum(cursor)?;
    if COMPARISONS.iter().any(|(mark, _)| cursor.at_mark(mark)) {
        cursor.unexpected(&format!("expected no comparison behind that by `{mark}`; use `&&`"));
        return None;
    }
    let kind = ExprKind::Compare(Box::new(left), comparison, Box::new(right));
    Some(Expr { kind, span: cursor.since(start) })
}

/// Terms with `+`, `-` and `%` between them, and `in` behind them.
fn sum(cursor: &mut Cursor<'_>) -> Option<Expr> {
    let start = cursor.span();
    let first = postfix(cursor)?;
    let mut rest = Vec::new();
    while let Some(&(_, operator)) = OPERATORS.iter().find(|(mark, _)| cursor.at_mark(mark)) {
        cursor.skip();
        rest.push((operator, postfix(cursor)?));
    }
    let mut whole = first;
    if !rest.is_empty() {
        let kind = ExprKind::Sum(Box::new(whole), rest);
        whole = Expr { kind, span: cursor.since(start) };
    }
    if cursor.eat_word("in") {
        let domain = cursor.name("a domain behind `in`")?;
        let kind = ExprKind::In(Box::new(whole), domain);
        whole = Expr { kind, span: cursor.since(start) };
    }
    Some(whole)
}

/// A term with the arguments behind it.
fn postfix(cursor: &mut Cursor<'_>) -> Option<Expr> {
    let start = cursor.span();
    let head = primary(cursor)?;
    let mut groups: Vec<Arguments> = Vec::new();
    let mut depth = 0;
    loop {
        let bracket = cursor.span();
        let square = cursor.at_mark("[");
        let values = if cursor.at_mark("(") {
            arguments(cursor)?
        } else if cursor.eat("[") {
            let key = cursor.nested(expr)?;
            cursor.expect("]", "behind the key")?;
            vec![key]
        } else {
            break;
        };
        depth += values.len().max(1);
        groups.push(Arguments { values, square, span: cursor.since(bracket) });
        if depth > MAX_DEPTH {
            let message = format!("more than {MAX_DEPTH} arguments in a row");
            let diagnostic = Diagnostic::error("too-deep", cursor.since(bracket), message);
            cursor.diagnostics.push(diagnostic.label("expected fewer arguments"));
            return None;
        }
    }
    if groups.is_empty() {
        return Some(head);
    }
    Some(Expr { kind: ExprKind::Apply(Box::new(head), groups), span: cursor.since(start) })
}

/// Expressions in round brackets.
pub(super) fn arguments(cursor: &mut Cursor<'_>) -> Option<Vec<Expr>> {
    cursor.expect("(", "and arguments")?;
    let mut values = Vec::new();
    if cursor.eat(")") {
        return Some(values);
    }
    loop {
        values.push(cursor.nested(expr)?);
        if !cursor.eat(",") {
            cursor.expect(")", "or `,` behind the argument")?;
            return Some(values);
        }
    }
}

fn primary(cursor: &mut Cursor<'_>) -> Option<Expr> {
    let start = cursor.span();
    if cursor.eat("(") {
        let inner = cursor.nested(expr)?;
        cursor.expect(")", "behind the expression")?;
        return Some(inner);
    }
    let kind = if cursor.at_mark("{") {
        cursor.nested(map)?
    } else if cursor.at_word("if") {
        cursor.nested(choice)?
    } else {
        let name = cursor.name("an expression")?;
        if cursor.at_mark("(") && is_upper(cursor.symbols.name(name.symbol)) {
            ExprKind::Compound(name, arguments(cursor)?)
        } else {
            ExprKind::Name(name)
        }
    };
    Some(Expr { kind, span: cursor.since(start) })
}

/// `if a then b else if c then d else e`
fn choice(cursor: &mut Cursor<'_>) -> Option<ExprKind> {
    let mut arms = Vec::new();
    while cursor.eat_word("if") {
        let condition = expr(cursor)?;
        keyword(cursor, "then", "behind the condition")?;
        let value = expr(cursor)?;
        keyword(cursor, "else", "behind the value")?;
        arms.push((condition, value));
    }
    Some(ExprKind::If(arms, Box::new(expr(cursor)?)))
}

/// Reads the word, or reports that it is missing.
fn keyword(cursor: &mut Cursor<'_>, word: &str, place: &str) -> Option<()> {
    if cursor.eat_word(word) {
        return Some(());
    }
    cursor.unexpected(&format!("expected `{word}` {place}"));
    None
}

fn map(cursor: &mut Cursor<'_>) -> Option<ExprKind> {
    cursor.expect("{", "of a map")?;
    let mut default = None;
    let mut parts = Vec::new();
    let mut more = true;
    if cursor.eat(":") {
        default = Some(Box::new(expr(cursor)?));
        more = cursor.eat(";");
    }
    while more {
        let key = pattern(cursor)?;
        cursor.expect("=", "behind the key")?;
        let value = expr(cursor)?;
        parts.push(Part { key, value, ranges: ranges(cursor)? });
        more = cursor.eat(";");
    }
    cursor.expect("}", "or `;` behind the value")?;
    Some(ExprKind::Map(Map { default, parts }))
}

/// Reads the left side of a case or of a part of a map.
pub(super) fn pattern(cursor: &mut Cursor<'_>) -> Option<Pattern> {
    let name = cursor.name("a pattern")?;
    if cursor.eat("(") {
        let mut parts = Vec::new();
        if !cursor.at_mark(")") {
            parts.push(cursor.nested(pattern)?);
            while cursor.eat(",") {
                parts.push(cursor.nested(pattern)?);
            }
        }
        cursor.expect(")", "or `,` behind the pattern")?;
        return Some(Pattern::Compound(name, parts, cursor.since(name.span)));
    }
    Some(match cursor.symbols.name(name.symbol) {
        "_" => Pattern::Any(name.span),
        text if is_upper(text) => Pattern::Bind(name),
        _ => Pattern::Literal(name),
    })
}

/// Reads `where` and ranges, if they are there.
pub(super) fn ranges(cursor: &mut Cursor<'_>) -> Option<Vec<Range>> {
    let mut ranges = Vec::new();
    if !cursor.eat_word("where") {
        return Some(ranges);
    }
    loop {
        let name = cursor.name("a variable of the range")?;
        keyword(cursor, "in", "behind the variable")?;
        let values = if cursor.eat("{") {
            let values = names(cursor, "a value")?;
            cursor.expect("}", "or `,` behind the value")?;
            RangeValues::Names(values)
        } else {
            let low = number(cursor)?;
            cursor.expect("..", "behind the first number")?;
            let high = number(cursor)?;
            RangeValues::Numbers(low, high)
        };
        ranges.push(Range { name, values, span: cursor.since(name.span) });
        if !cursor.eat(",") {
            return Some(ranges);
        }
    }
}

/// A number that bounds a range.
fn number(cursor: &mut Cursor<'_>) -> Option<u32> {
    let Some(number) = cursor.word_at(0).and_then(|word| word.parse().ok()) else {
        cursor.unexpected("expected a number, as in `0..7`, or names, as in `{a, b}`");
        return None;
    };
    cursor.skip();
    Some(number)
}

/// The name, if the expression is nothing else.
pub(super) fn as_name(expr: &Expr) -> Option<Name> {
    match expr.kind {
        ExprKind::Name(name) => Some(name),
        _ => None,
    }
}
