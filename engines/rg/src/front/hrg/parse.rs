//! Tokens to declarations and statements. A declaration with a fault is left out, and reading goes
//! on at the next one.

use text::Diagnostic;

use super::expressions::{arguments, expr, pattern, ranges};
use super::tree::{
    Block, Case, Domain, Element, Function, Graph, Jump, Program, Statement, StatementKind, Type,
    TypeEnd, Variable,
};
use crate::front::cursor::Cursor;
use crate::front::lex::Kind;
use crate::limits::MAX_DEPTH;
use crate::syntax::Name;

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
            while !cursor.done() && !at_declaration(cursor, Some(text)) {
                cursor.skip();
            }
        }
    }
    whole.then_some(program)
}

/// True if a declaration seems to begin here: by its first words, or, if the text is known, as a
/// name with a type at the beginning of a line.
fn at_declaration(cursor: &Cursor<'_>, text: Option<&str>) -> bool {
    let named = is_name(cursor, 1);
    let line_begins = || {
        let before = text.map(|text| &text[..cursor.span().start as usize]);
        before.is_some_and(|before| {
            before.trim_end_matches([' ', '\t']).chars().next_back().is_none_or(|c| c == '\n')
        })
    };
    match cursor.word_at(0) {
        Some("domain") => named && cursor.mark_at(2, "="),
        Some("graph") => named && cursor.mark_at(2, "("),
        Some("reusable") => cursor.word_at(1) == Some("graph"),
        Some(_) => cursor.mark_at(1, ":") && line_begins(),
        None => false,
    }
}

/// True if the token behind so many others is a name.
fn is_name(cursor: &Cursor<'_>, ahead: usize) -> bool {
    cursor.word_at(ahead).is_some()
}

fn declaration(cursor: &mut Cursor<'_>, program: &mut Program) -> Option<()> {
    let named = is_name(cursor, 1);
    if named && cursor.eat_word("domain") {
        program.domains.push(domain(cursor)?);
    } else if named && (cursor.at_word("graph") || cursor.at_word("reusable")) {
        program.graphs.push(graph(cursor)?);
    } else if is_name(cursor, 0) && cursor.mark_at(1, "(") {
        let case = case(cursor)?;
        let found = cursor.symbols.name(case.0.symbol);
        let declared = program.functions.iter().map(|f| cursor.symbols.name(f.name.symbol));
        let diagnostic = Diagnostic::error(
            "stray-case",
            case.1.span,
            format!("a case of `{found}` that does not stand behind the type of `{found}`"),
        )
        .label("expected a declaration");
        let diagnostic = match text::near_miss(found, declared.filter(|name| *name != found)) {
            Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
            None => diagnostic.help(format!("write `{found} : Domain -> Domain` before its cases")),
        };
        cursor.diagnostics.push(diagnostic);
    } else {
        typed(cursor, program)?;
    }
    Some(())
}

fn domain(cursor: &mut Cursor<'_>) -> Option<Domain> {
    let domain = cursor.name("the name of the domain")?;
    cursor.expect("=", "behind the name of the domain")?;
    let mut elements = Vec::new();
    loop {
        let start = cursor.span();
        let name = cursor.name("an element")?;
        elements.push(if cursor.eat("(") {
            let arguments = names(cursor, "an argument")?;
            cursor.expect(")", "or `,` behind the argument")?;
            let ranges = ranges(cursor)?;
            let span = cursor.since(start);
            Element::Compound { constructor: name, arguments, ranges, span }
        } else {
            Element::Name(name)
        });
        if !cursor.eat("|") {
            return Some(Domain { name: domain, elements });
        }
    }
}

/// Names with `,` between them.
pub(super) fn names(cursor: &mut Cursor<'_>, what: &str) -> Option<Vec<Name>> {
    let mut names = vec![cursor.name(what)?];
    while cursor.eat(",") {
        names.push(cursor.name(what)?);
    }
    Some(names)
}

fn ty(cursor: &mut Cursor<'_>) -> Option<Type> {
    let start = cursor.span();
    let mut keys = Vec::new();
    loop {
        let end = if cursor.eat("{") {
            let members = names(cursor, "a member of the set")?;
            cursor.expect("}", "or `,` behind the member")?;
            TypeEnd::Set(members)
        } else {
            let name = cursor.name("a type")?;
            if cursor.eat("->") {
                keys.push(name);
                if keys.len() > MAX_DEPTH {
                    let message = format!("a type of more than {MAX_DEPTH} arrows");
                    let diagnostic = Diagnostic::error("too-deep", name.span, message);
                    cursor.diagnostics.push(diagnostic.help("make one domain of several"));
                    return None;
                }
                continue;
            }
            TypeEnd::Named(name)
        };
        return Some(Type { keys, end, span: cursor.since(start) });
    }
}

/// A variable, or a function with its cases.
fn typed(cursor: &mut Cursor<'_>, program: &mut Program) -> Option<()> {
    if cursor.peek().is_some_and(|token| matches!(token.kind, Kind::Mark(_))) {
        cursor.unexpected("expected `domain`, `graph`, or a name with its type: `name : Type`");
        return None;
    }
    let name = cursor.name("the name of a function or a variable")?;
    cursor.expect(":", "and a type behind the name, or `domain`, or `graph`")?;
    let ty = ty(cursor)?;
    let mut cases = Vec::new();
    while cursor.peek().is_some_and(|token| token.kind == Kind::Name(name.symbol))
        && cursor.mark_at(1, "(")
    {
        cases.push(case(cursor)?.1);
    }
    if cases.is_empty() {
        let value = if cursor.eat("=") { Some(expr(cursor)?) } else { None };
        program.variables.push(Variable { name, ty, value });
    } else {
        program.functions.push(Function { name, ty, cases });
    }
    Some(())
}

/// A case, with the name of its function.
fn case(cursor: &mut Cursor<'_>) -> Option<(Name, Case)> {
    let name = cursor.name("a function")?;
    cursor.expect("(", "behind the function")?;
    let mut patterns = Vec::new();
    if !cursor.at_mark(")") {
        patterns.push(pattern(cursor)?);
        while cursor.eat(",") {
            patterns.push(pattern(cursor)?);
        }
    }
    cursor.expect(")", "or `,` behind the pattern")?;
    let span = cursor.since(name.span);
    cursor.expect("=", "behind the patterns")?;
    Some((name, Case { patterns, body: expr(cursor)?, span }))
}

fn graph(cursor: &mut Cursor<'_>) -> Option<Graph> {
    let reusable = cursor.eat_word("reusable");
    if !cursor.eat_word("graph") {
        cursor.unexpected("expected `graph` behind `reusable`");
        return None;
    }
    let name = cursor.name("the name of the graph")?;
    cursor.expect("(", "behind the name of the graph")?;
    let mut parameters = Vec::new();
    while !cursor.at_mark(")") {
        let parameter = cursor.name("a parameter or `)`")?;
        cursor.expect(":", "and a type behind the parameter")?;
        parameters.push((parameter, ty(cursor)?));
        if !cursor.eat(",") {
            break;
        }
    }
    cursor.expect(")", "or `,` behind the parameters")?;
    Some(Graph { name, reusable, parameters, body: block(cursor)? })
}

fn block(cursor: &mut Cursor<'_>) -> Option<Block> {
    let start = cursor.span();
    cursor.expect("{", "and statements")?;
    let mut statements: Vec<Statement> = Vec::new();
    while !cursor.eat("}") {
        if at_declaration(cursor, None) {
            let diagnostic = Diagnostic::error("syntax", cursor.span(), "a block does not end")
                .label("expected `}` before the next declaration")
                .note(start, "the block begins here");
            cursor.diagnostics.push(diagnostic);
            return None;
        }
        let statement = cursor.nested(statement)?;
        if let Some(Statement { kind: StatementKind::Jump(jump), .. }) = statements.last() {
            let message = format!("a statement behind `{}` is never reached", word(*jump));
            let diagnostic = Diagnostic::error("unreachable", statement.span, message)
                .label("expected `}`")
                .help("delete it, or put it before");
            cursor.diagnostics.push(diagnostic);
        }
        statements.push(statement);
    }
    Some(Block { statements, span: cursor.since(start) })
}

/// The statement as it is written.
pub(super) fn word(jump: Jump) -> &'static str {
    match jump {
        Jump::End => "end()",
        Jump::Break => "break()",
        Jump::Continue => "continue()",
        Jump::Return => "return()",
    }
}

fn statement(cursor: &mut Cursor<'_>) -> Option<Statement> {
    let start = cursor.span();
    let kind = match cursor.word_at(0).filter(|_| !cursor.mark_at(1, "=")) {
        _ if cursor.at_mark("$") || cursor.at_mark("$$") => tag(cursor)?,
        Some("branch") if cursor.mark_at(1, "{") || is_name(cursor, 1) => branch(cursor)?,
        Some("repeat") if is_name(cursor, 1) => repeat(cursor)?,
        Some("loop") if cursor.mark_at(1, "{") => {
            cursor.skip();
            StatementKind::Loop(block(cursor)?)
        }
        Some("while") if !cursor.mark_at(1, "[") => {
            cursor.skip();
            StatementKind::While(expr(cursor)?, block(cursor)?)
        }
        Some("if") if !cursor.mark_at(1, "[") => conditional(cursor)?,
        _ => simple(cursor)?,
    };
    Some(Statement { kind, span: cursor.since(start) })
}

fn branch(cursor: &mut Cursor<'_>) -> Option<StatementKind> {
    cursor.skip();
    if !cursor.at_mark("{") {
        let (name, members) = member_in_type(cursor)?;
        return Some(StatementKind::BranchIn(name, members, block(cursor)?));
    }
    let mut arms = vec![block(cursor)?];
    while cursor.at_word("or") && cursor.mark_at(1, "{") {
        cursor.skip();
        arms.push(block(cursor)?);
    }
    Some(StatementKind::Branch(arms))
}

fn repeat(cursor: &mut Cursor<'_>) -> Option<StatementKind> {
    cursor.skip();
    if !cursor.mark_at(1, "{") {
        let (name, members) = member_in_type(cursor)?;
        return Some(StatementKind::RepeatIn(name, members, block(cursor)?));
    }
    let Some(times) = cursor.word_at(0).and_then(|word| word.parse().ok()) else {
        cursor.unexpected("expected a number of rounds, or `name in Domain`");
        return None;
    };
    cursor.skip();
    Some(StatementKind::Repeat(times, block(cursor)?))
}

/// `x in T`
fn member_in_type(cursor: &mut Cursor<'_>) -> Option<(Name, Type)> {
    let name = cursor.name("a name for the member")?;
    if !cursor.eat_word("in") {
        cursor.unexpected("expected `in` and a domain");
        return None;
    }
    Some((name, ty(cursor)?))
}

fn conditional(cursor: &mut Cursor<'_>) -> Option<StatementKind> {
    let mut arms = Vec::new();
    let mut otherwise = None;
    loop {
        cursor.skip();
        arms.push((expr(cursor)?, block(cursor)?));
        if cursor.at_word("else") && cursor.word_at(1) == Some("if") {
            cursor.skip();
            continue;
        }
        if cursor.at_word("else") && cursor.mark_at(1, "{") {
            cursor.skip();
            otherwise = Some(block(cursor)?);
        }
        return Some(StatementKind::If(arms, otherwise));
    }
}

fn tag(cursor: &mut Cursor<'_>) -> Option<StatementKind> {
    if cursor.eat("$$") {
        return Some(StatementKind::TagVariable(cursor.name("a variable behind `$$`")?));
    }
    let dollar = cursor.span();
    cursor.skip();
    let mut artificial = false;
    if let Some(token) = cursor.peek().filter(|token| token.span.start == dollar.end)
        && let Some(rest) = cursor.word_at(0).and_then(|word| word.strip_prefix('_'))
    {
        artificial = true;
        let rest = rest.to_owned();
        cursor.skip();
        if !rest.is_empty() {
            let symbol = cursor.symbols.intern(&rest);
            let span = text::Span { start: token.span.start + 1, end: token.span.end };
            return Some(StatementKind::Tag { names: vec![Name { symbol, span }], artificial });
        }
    }
    let names = if cursor.eat("(") {
        let mut names = vec![cursor.name("a symbol")?];
        while !cursor.eat(")") {
            names.push(cursor.name("a symbol or `)`")?);
        }
        names
    } else {
        vec![cursor.name("a symbol, or `(` and several")?]
    };
    Some(StatementKind::Tag { names, artificial })
}

/// An assignment or a call.
fn simple(cursor: &mut Cursor<'_>) -> Option<StatementKind> {
    let name = cursor.name("a statement or `}`")?;
    if cursor.at_mark("(") {
        return call(cursor, name);
    }
    let mut keys = Vec::new();
    while cursor.eat("[") {
        keys.push(cursor.nested(expr)?);
        cursor.expect("]", "behind the key")?;
        if keys.len() > MAX_DEPTH {
            cursor.unexpected("expected fewer keys");
            return None;
        }
    }
    cursor.expect("=", if keys.is_empty() { "`[` or `(`" } else { "behind the key" })?;
    if at_any(cursor) {
        let ty = ty(cursor)?;
        cursor.expect("(", "and `*)` behind the type")?;
        cursor.expect("*", "behind `(`")?;
        cursor.expect(")", "behind `*`")?;
        return Some(StatementKind::AssignAny(name, keys, ty));
    }
    Some(StatementKind::Assign(name, keys, expr(cursor)?))
}

/// True if a type stands here, and no expression.
fn at_any(cursor: &Cursor<'_>) -> bool {
    let set = cursor.at_mark("{")
        && is_name(cursor, 1)
        && (cursor.mark_at(2, ",") || cursor.mark_at(2, "}"));
    let named = is_name(cursor, 0)
        && (cursor.mark_at(1, "->") || cursor.mark_at(1, "(") && cursor.mark_at(2, "*"));
    set || named
}

fn call(cursor: &mut Cursor<'_>, name: Name) -> Option<StatementKind> {
    let mut given = arguments(cursor)?;
    let jump = match cursor.symbols.name(name.symbol) {
        "check" if given.len() == 1 => return given.pop().map(StatementKind::Check),
        "check" => {
            let message = format!("`check` takes one condition, and here are {}", given.len());
            let diagnostic = Diagnostic::error("arity", cursor.since(name.span), message)
                .label("expected `check(condition)`");
            cursor.diagnostics.push(diagnostic.help("join conditions by `&&`"));
            return Some(StatementKind::Call(name, given));
        }
        "end" => Jump::End,
        "break" => Jump::Break,
        "continue" => Jump::Continue,
        "return" => Jump::Return,
        _ => return Some(StatementKind::Call(name, given)),
    };
    if let Some(first) = given.first() {
        let message = format!("`{}` takes no argument", word(jump));
        let diagnostic = Diagnostic::error("arity", first.span, message)
            .label(format!("expected `{}`", word(jump)));
        cursor.diagnostics.push(diagnostic);
    }
    Some(StatementKind::Jump(jump))
}
