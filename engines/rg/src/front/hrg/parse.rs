//! Tokens to the syntax tree. A declaration with a fault is left out, and reading goes on at the
//! next one.

use text::{Diagnostic, Span};

use super::elements::{element, number, pattern, ranges};
use super::lists::{keyword, members, some_or_none};
use super::tree::{
    Block, Case, Expr, ExprKind, Function, Graph, Part, Program, Statement, StatementKind, Type,
    TypeEnd, is_upper,
};
use crate::front::cursor::Cursor;
use crate::front::lex::Kind;
use crate::limits::MAX_DEPTH;
use crate::syntax::Name;

/// Statements that are written like calls and lead out of their block.
pub(super) const JUMPS: [&str; 4] = ["end", "break", "continue", "return"];
/// Replacements of tokens that other languages have.
pub(super) const HINTS: [(&str, &str); 9] = [
    ("!", "write `not(..)`, or `!=` between two values"),
    ("and", "join conditions by `&&`"),
    ("or", "join conditions by `||`"),
    ("not", "write `not(..)`, with brackets"),
    (";", "nothing stands between statements or declarations; delete it"),
    ("const", "write the value itself where it is used, or a function for a table of values"),
    ("var", "a variable is `name : Domain`, or `name : Domain = value`"),
    ("type", "a type is a domain: `domain Name = a | b`"),
    ("*", "there is no product; write a function with a case for each value"),
];
const COMPARISONS: [&str; 6] = ["==", "!=", "<=", ">=", "<", ">"];
const OPERATORS: [&str; 3] = ["+", "-", "%"];

/// Reads all declarations; none if one of them has a fault.
pub(super) fn program(cursor: &mut Cursor<'_>, text: &str) -> Option<Program> {
    let mut program = Program::default();
    let mut whole = true;
    while !cursor.done() {
        let start = cursor.span();
        if declaration(cursor, &mut program).is_none() {
            whole = false;
            if cursor.span() == start {
                cursor.skip();
            }
            while !cursor.done() && !at_declaration(cursor) && !at_typed(cursor, text) {
                cursor.skip();
            }
        }
    }
    whole.then_some(program)
}

/// True if a domain or a graph begins here.
fn at_declaration(cursor: &Cursor<'_>) -> bool {
    match cursor.word_at(0) {
        Some("domain") => is_name(cursor, 1) && cursor.mark_at(2, "="),
        Some("graph") => is_name(cursor, 1) && cursor.mark_at(2, "("),
        Some("reusable") => cursor.word_at(1) == Some("graph"),
        _ => false,
    }
}

/// True if a name with a type stands at the beginning of a line here.
fn at_typed(cursor: &Cursor<'_>, text: &str) -> bool {
    let line = text[..cursor.span().start as usize].trim_end_matches([' ', '\t']);
    let begins = line.is_empty() || line.ends_with(['\n', '\u{feff}']);
    begins && is_name(cursor, 0) && cursor.mark_at(1, ":")
}

/// True if the token behind so many others is a name.
fn is_name(cursor: &Cursor<'_>, ahead: usize) -> bool {
    cursor.word_at(ahead).is_some()
}

fn declaration(cursor: &mut Cursor<'_>, program: &mut Program) -> Option<()> {
    if is_name(cursor, 1) && cursor.eat_word("domain") {
        let domain = cursor.name("the name of the domain")?;
        cursor.expect("=", "behind the name of the domain")?;
        let mut elements = Vec::new();
        while elements.is_empty() || cursor.eat("|") {
            if at_declaration(cursor) {
                cursor.unexpected("expected an element");
                return None;
            }
            elements.push(element(cursor)?);
        }
        program.domains.push((domain, elements));
    } else if is_name(cursor, 1) && (cursor.at_word("graph") || cursor.at_word("reusable")) {
        program.graphs.push(graph(cursor)?);
    } else if is_name(cursor, 0) && cursor.mark_at(1, "(") {
        let (name, case) = case(cursor)?;
        let declared = program.functions.iter().map(|f| cursor.symbols.name(f.name.symbol));
        let name = cursor.symbols.name(name.symbol);
        let diagnostic = Diagnostic::error("stray-case", case.span, "a case without its function")
            .label(format!("expected to stand behind `{name} : Domain -> Domain`, or a case"))
            .suggest(name, declared.filter(|other| *other != name));
        cursor.diagnostics.push(diagnostic);
    } else if is_name(cursor, 0) {
        typed(cursor, program)?;
    } else {
        cursor.unexpected("expected `domain`, `graph`, or a name with its type: `name : Type`");
        return None;
    }
    Some(())
}

/// A variable, or a function with its cases.
fn typed(cursor: &mut Cursor<'_>, program: &mut Program) -> Option<()> {
    let name = cursor.name("the name of a function or a variable")?;
    cursor.expect(":", "and a type behind the name; or `domain`, or `graph`")?;
    let ty = ty(cursor)?;
    let mut cases = Vec::new();
    let same = Some(Kind::Name(name.symbol));
    while cursor.peek().map(|token| token.kind) == same && cursor.mark_at(1, "(") {
        cases.push(case(cursor)?.1);
    }
    if cases.is_empty() {
        let value = if cursor.eat("=") { Some(expr(cursor)?) } else { None };
        program.variables.push((name, ty, value));
    } else {
        program.functions.push(Function { name, ty, cases });
    }
    Some(())
}

/// A case, with the name of its function.
fn case(cursor: &mut Cursor<'_>) -> Option<(Name, Case)> {
    let name = cursor.name("a function")?;
    cursor.expect("(", "behind the function")?;
    let patterns = some_or_none(cursor, ")", "or `,` behind the pattern", pattern)?;
    let span = cursor.since(name.span);
    cursor.expect("=", "behind the patterns")?;
    Some((name, Case { patterns, body: expr(cursor)?, span }))
}

fn ty(cursor: &mut Cursor<'_>) -> Option<Type> {
    let start = cursor.span();
    let mut keys = Vec::new();
    loop {
        let end = if cursor.eat("{") {
            let members = members(cursor)?;
            if cursor.at_mark("->") {
                cursor.unexpected("expected the name of a domain before this, and no set");
                return None;
            }
            TypeEnd::Set(members)
        } else {
            TypeEnd::Named(cursor.name("a type")?)
        };
        match end {
            TypeEnd::Named(key) if keys.len() < MAX_DEPTH && cursor.eat("->") => keys.push(key),
            end => return Some(Type { keys, end, span: cursor.since(start) }),
        }
    }
}

fn graph(cursor: &mut Cursor<'_>) -> Option<Graph> {
    let reusable = cursor.eat_word("reusable");
    keyword(cursor, "graph", "behind `reusable`")?;
    let name = cursor.name("the name of the graph")?;
    cursor.expect("(", "behind the name of the graph")?;
    let parameters = some_or_none(cursor, ")", "or `,` behind the parameter", |cursor| {
        let name = cursor.name("a parameter")?;
        cursor.expect(":", "and a type behind the parameter")?;
        Some((name, ty(cursor)?))
    })?;
    Some(Graph { name, reusable, parameters, body: block(cursor)? })
}

fn block(cursor: &mut Cursor<'_>) -> Option<Block> {
    let start = cursor.span();
    cursor.expect("{", "and statements")?;
    let mut statements: Vec<Statement> = Vec::new();
    while !cursor.eat("}") {
        let arm = cursor.mark_at(1, "{") && (cursor.at_word("or") || cursor.at_word("else"));
        if arm || at_declaration(cursor) {
            let diagnostic = Diagnostic::error("syntax", cursor.span(), "a block does not end")
                .label("expected `}` before this");
            cursor.diagnostics.push(diagnostic.note(start, "the block begins here"));
            return None;
        }
        let statement = cursor.nested(statement)?;
        if let Some(Statement { kind: StatementKind::Jump(jump), .. }) = statements.last() {
            let message = format!("a statement behind `{jump}()` is never reached");
            let diagnostic = Diagnostic::error("unreachable", statement.span, message);
            let help = "delete it, or put it before";
            cursor.diagnostics.push(diagnostic.label("expected `}`").help(help));
        }
        statements.push(statement);
    }
    Some(Block { statements, span: cursor.since(start) })
}

fn statement(cursor: &mut Cursor<'_>) -> Option<Statement> {
    let start = cursor.span();
    // A word is a keyword by what stands behind it.
    let word = cursor.word_at(0).filter(|_| !cursor.mark_at(1, "=") && !cursor.mark_at(1, "["));
    let kind = match word {
        _ if cursor.at_mark("$") || cursor.at_mark("$$") => tag(cursor)?,
        Some("branch") if !cursor.mark_at(1, "(") => branch(cursor)?,
        Some("repeat") if !cursor.mark_at(1, "(") => repeat(cursor)?,
        Some("loop") if !cursor.mark_at(1, "(") => {
            cursor.skip();
            StatementKind::Loop(block(cursor)?)
        }
        Some("while") => {
            cursor.skip();
            StatementKind::While(expr(cursor)?, block(cursor)?)
        }
        Some("if") => conditional(cursor)?,
        _ => simple(cursor)?,
    };
    Some(Statement { kind, span: cursor.since(start) })
}

fn branch(cursor: &mut Cursor<'_>) -> Option<StatementKind> {
    cursor.skip();
    if !cursor.at_mark("{") {
        let (name, ty) = each(cursor)?;
        return Some(StatementKind::BranchIn(name, ty, block(cursor)?));
    }
    let mut arms = vec![block(cursor)?];
    while cursor.mark_at(1, "{") && cursor.eat_word("or") {
        arms.push(block(cursor)?);
    }
    Some(StatementKind::Branch(arms))
}

fn repeat(cursor: &mut Cursor<'_>) -> Option<StatementKind> {
    cursor.skip();
    if !cursor.mark_at(1, "{") {
        let (name, ty) = each(cursor)?;
        return Some(StatementKind::RepeatIn(name, ty, block(cursor)?));
    }
    Some(StatementKind::Repeat(number(cursor, "of rounds, or `name in Domain`")?, block(cursor)?))
}

/// `x in T`
fn each(cursor: &mut Cursor<'_>) -> Option<(Name, Type)> {
    let name = cursor.name("`{`, or a name and `in`")?;
    keyword(cursor, "in", "and a domain behind the name")?;
    Some((name, ty(cursor)?))
}

fn conditional(cursor: &mut Cursor<'_>) -> Option<StatementKind> {
    let mut arms = Vec::new();
    while cursor.eat_word("if") {
        arms.push((expr(cursor)?, block(cursor)?));
        if cursor.mark_at(1, "{") && cursor.eat_word("else") {
            return Some(StatementKind::If(arms, Some(block(cursor)?)));
        }
        if cursor.word_at(1) != Some("if") || !cursor.eat_word("else") {
            break;
        }
    }
    Some(StatementKind::If(arms, None))
}

fn tag(cursor: &mut Cursor<'_>) -> Option<StatementKind> {
    if cursor.eat("$$") {
        let name = cursor.name("a variable behind `$$`")?;
        if cursor.at_mark("[") || cursor.at_mark("(") {
            let help = "assign the value to a variable first, as in `x = map[key] $$ x`";
            cursor.unexpected_but("expected a variable alone behind `$$`", help);
            return None;
        }
        return Some(StatementKind::TagVariable(name));
    }
    let mut place = cursor.span();
    cursor.skip();
    let near = cursor.span().start == place.end;
    let rest = cursor.word_at(0).filter(|_| near).and_then(|word| word.strip_prefix('_'));
    let rest = rest.map(str::to_owned);
    if let Some(rest) = &rest {
        place = Span { start: cursor.span().start + 1, end: cursor.span().end };
        cursor.skip();
        if !rest.is_empty() {
            let name = Name { symbol: cursor.symbols.intern(rest), span: place };
            return Some(StatementKind::Tag(vec![name], true));
        }
    }
    let several = cursor.eat("(");
    let mut names = vec![cursor.name("a symbol, or `(` and several of them")?];
    while several && !cursor.eat(")") {
        names.push(cursor.name("a symbol or `)`")?);
    }
    Some(StatementKind::Tag(names, rest.is_some()))
}

/// An assignment or a call.
fn simple(cursor: &mut Cursor<'_>) -> Option<StatementKind> {
    let name = cursor.name("a statement or `}`")?;
    if cursor.eat("(") {
        return call(cursor, name);
    }
    let word = cursor.symbols.name(name.symbol);
    let jump = JUMPS.into_iter().find(|jump| *jump == word);
    if let Some(jump) = jump.filter(|_| !cursor.at_mark("=") && !cursor.at_mark("[")) {
        let diagnostic =
            Diagnostic::error("syntax", name.span, format!("`{jump}` without brackets"))
                .label(format!("expected `{jump}()`"));
        cursor.diagnostics.push(diagnostic);
        return Some(StatementKind::Jump(jump));
    }
    let mut keys = Vec::new();
    while keys.len() < MAX_DEPTH && cursor.eat("[") {
        keys.push(cursor.nested(expr)?);
        cursor.expect("]", "behind the key")?;
    }
    cursor
        .expect("=", if keys.is_empty() { "or `(` behind the name" } else { "behind the key" })?;
    let after = |mark| cursor.mark_at(2, mark);
    let set = cursor.at_mark("{") && is_name(cursor, 1) && (after(",") || after("}"));
    let any = cursor.mark_at(1, "->") || cursor.mark_at(1, "(") && after("*");
    if set || is_name(cursor, 0) && any {
        let ty = ty(cursor)?;
        cursor.expect("(", "and `*)` behind the type")?;
        cursor.expect("*", "behind `(`")?;
        cursor.expect(")", "behind `*`")?;
        return Some(StatementKind::AssignAny(name, keys, ty));
    }
    Some(StatementKind::Assign(name, keys, expr(cursor)?))
}

fn call(cursor: &mut Cursor<'_>, name: Name) -> Option<StatementKind> {
    let mut given = arguments(cursor)?;
    let word = cursor.symbols.name(name.symbol);
    let jump = JUMPS.into_iter().find(|jump| *jump == word);
    let expected = match (word, jump) {
        ("check", _) if given.len() == 1 => return given.pop().map(StatementKind::Check),
        ("check", _) => "check(condition)".to_owned(),
        (_, Some(jump)) if given.is_empty() => return Some(StatementKind::Jump(jump)),
        (_, Some(jump)) => format!("{jump}()"),
        _ => return Some(StatementKind::Call(name, given)),
    };
    let message = format!("`{word}` with {} arguments", given.len());
    let diagnostic = Diagnostic::error("arity", cursor.since(name.span), message);
    cursor.diagnostics.push(diagnostic.label(format!("expected `{expected}`")));
    None
}

/// Reads an expression or a condition.
fn expr(cursor: &mut Cursor<'_>) -> Option<Expr> {
    chain(cursor, "||", |cursor| chain(cursor, "&&", comparison, ExprKind::And), ExprKind::Or)
}

/// Operands with an operator between them.
fn chain(
    cursor: &mut Cursor<'_>,
    operator: &str,
    operand: fn(&mut Cursor<'_>) -> Option<Expr>,
    join: fn(Vec<Expr>) -> ExprKind,
) -> Option<Expr> {
    let first = operand(cursor)?;
    if !cursor.at_mark(operator) {
        return Some(first);
    }
    let start = first.span;
    let mut operands = vec![first];
    while cursor.eat(operator) {
        operands.push(operand(cursor)?);
    }
    Some(Expr { kind: join(operands), span: cursor.since(start) })
}

fn comparison(cursor: &mut Cursor<'_>) -> Option<Expr> {
    let left = sum(cursor)?;
    let Some(mark) = COMPARISONS.into_iter().find(|mark| cursor.eat(mark)) else {
        return Some(left);
    };
    let right = sum(cursor)?;
    if COMPARISONS.iter().any(|mark| cursor.at_mark(mark)) {
        cursor.unexpected("expected no second comparison; join two by `&&`");
        return None;
    }
    let span = left.span.to(right.span);
    Some(Expr { kind: ExprKind::Compare(Box::new(left), mark, Box::new(right)), span })
}

/// Terms with `+`, `-` and `%` between them, and `in` behind them.
fn sum(cursor: &mut Cursor<'_>) -> Option<Expr> {
    let mut whole = postfix(cursor)?;
    let start = whole.span;
    let mut rest = Vec::new();
    while let Some(operator) = OPERATORS.into_iter().find(|mark| cursor.eat(mark)) {
        rest.push((operator, postfix(cursor)?));
    }
    if !rest.is_empty() {
        whole = Expr { kind: ExprKind::Sum(Box::new(whole), rest), span: cursor.since(start) };
    }
    if cursor.eat_word("in") {
        let domain = cursor.name("a domain behind `in`")?;
        whole = Expr { kind: ExprKind::In(Box::new(whole), domain), span: cursor.since(start) };
    }
    Some(whole)
}

/// A term with the arguments behind it.
fn postfix(cursor: &mut Cursor<'_>) -> Option<Expr> {
    let head = primary(cursor)?;
    let start = head.span;
    if !cursor.at_mark("(") && !cursor.at_mark("[") {
        return Some(head);
    }
    let mut given = Vec::new();
    loop {
        if cursor.eat("(") {
            given.extend(arguments(cursor)?);
        } else if cursor.eat("[") {
            given.push(cursor.nested(expr)?);
            cursor.expect("]", "behind the key")?;
        } else {
            let kind = ExprKind::Apply(Box::new(head), given);
            return Some(Expr { kind, span: cursor.since(start) });
        }
        if given.len() > MAX_DEPTH {
            cursor.unexpected("expected fewer arguments before this");
            return None;
        }
    }
}

/// Expressions up to a round bracket.
fn arguments(cursor: &mut Cursor<'_>) -> Option<Vec<Expr>> {
    some_or_none(cursor, ")", "or `,` behind the argument", expr)
}

fn primary(cursor: &mut Cursor<'_>) -> Option<Expr> {
    let start = cursor.span();
    if cursor.eat("(") {
        let inner = cursor.nested(expr)?;
        cursor.expect(")", "behind the expression")?;
        return Some(inner);
    }
    let kind = if cursor.eat("{") {
        cursor.nested(map)?
    } else if cursor.at_word("if") {
        cursor.nested(choice)?
    } else {
        let name = cursor.name("an expression")?;
        if is_upper(cursor.symbols.name(name.symbol)) && cursor.eat("(") {
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
        arms.push((condition, expr(cursor)?));
        keyword(cursor, "else", "behind the value")?;
    }
    Some(ExprKind::If(arms, Box::new(expr(cursor)?)))
}

/// The rest of a map.
fn map(cursor: &mut Cursor<'_>) -> Option<ExprKind> {
    let default = if cursor.eat(":") { Some(Box::new(expr(cursor)?)) } else { None };
    let mut parts = Vec::new();
    while default.is_none() && parts.is_empty() || cursor.eat(";") {
        let key = pattern(cursor)?;
        cursor.expect("=", "behind the key")?;
        parts.push(Part { key, value: expr(cursor)?, ranges: ranges(cursor)? });
    }
    cursor.expect("}", "or `;` behind the value")?;
    Some(ExprKind::Map(default, parts))
}
