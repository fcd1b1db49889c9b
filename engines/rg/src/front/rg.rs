//! The grammar of RG: text to declarations.

use text::{Diagnostic, Source, Span};

use super::cursor::Cursor;
use super::lex::{Kind, Token, lex};
use crate::limits::MAX_DEPTH;
use crate::symbols::{Symbol, Symbols};
use crate::syntax::{
    Declarations, Edge, Expr, Label, Name, Type, TypeDeclaration, Value, ValueDeclaration,
};

/// Reads the declarations of a text. One that has faults is reported and left out.
pub(crate) fn parse(source: &Source, diagnostics: &mut Vec<Diagnostic>) -> Declarations {
    let mut symbols = Symbols::default();
    let mut unknown = Vec::new();
    let tokens = lex(source, &mut symbols, &mut unknown);
    let end = Span::at(source.text().len());
    let mut cursor = Cursor::new(&tokens, end, &mut symbols, diagnostics);
    let mut declarations = Declarations::default();
    let mut pragmas = Vec::new();
    while !cursor.done() {
        let start = cursor.span();
        let name = match cursor.peek_at(1) {
            Some(Token { kind: Kind::Name(symbol), .. }) if at_keyword(&cursor) => Some(symbol),
            _ => None,
        };
        if cursor.eat("@") {
            pragma(&mut cursor, &mut declarations.artificial);
            pragmas.push(cursor.since(start));
        } else if declaration(&mut cursor, &mut declarations).is_some() {
            close(&mut cursor);
        } else {
            declarations.unread.push(name);
            recover(&mut cursor);
        }
    }
    // The text of a pragma is free.
    unknown.retain(|d| {
        let next = pragmas.partition_point(|pragma: &Span| pragma.start <= d.span.start);
        next == 0 || pragmas[next - 1].end < d.span.end
    });
    diagnostics.append(&mut unknown);
    declarations.symbols = symbols;
    declarations
}

/// True if a pragma begins here, or a declaration that is no edge.
fn at_keyword(cursor: &Cursor<'_>) -> bool {
    let word = ["type", "const", "var"].iter().any(|word| cursor.at_word(word));
    cursor.at_mark("@") || word && cursor.word_at(1).is_some()
}

/// Goes on to the next declaration. No bracket contains a semicolon.
fn recover(cursor: &mut Cursor<'_>) {
    while !cursor.done() && !at_keyword(cursor) && !cursor.eat(";") {
        cursor.skip();
    }
}

/// Reads the semicolon behind a declaration.
fn close(cursor: &mut Cursor<'_>) {
    if cursor.expect(";", "at the end of the declaration").is_some() {
        return;
    }
    let edge = cursor.mark_at(1, ",") && cursor.mark_at(3, ":");
    if !edge && !at_keyword(cursor) {
        recover(cursor);
    }
}

/// Reads a pragma behind its `@`, with the semicolon. The tags of `@artificialTag` are added to
/// `artificial`.
fn pragma(cursor: &mut Cursor<'_>, artificial: &mut Vec<Symbol>) {
    let read = cursor.eat_word("artificialTag");
    while !cursor.done() && !cursor.at_mark(";") {
        if let (true, Some(Token { kind: Kind::Name(symbol), .. })) = (read, cursor.peek()) {
            artificial.push(symbol);
        }
        cursor.skip();
    }
    cursor.expect(";", "at the end of the pragma");
}

/// Reads a declaration without its semicolon.
fn declaration(cursor: &mut Cursor<'_>, into: &mut Declarations) -> Option<()> {
    if cursor.eat_word("type") {
        let name = cursor.name("the name of the type")?;
        cursor.expect("=", "behind the name of the type")?;
        let ty = ty(cursor)?;
        into.types.push(TypeDeclaration { name, ty });
    } else if cursor.eat_word("const") {
        into.constants.push(value_declaration(cursor, "constant")?);
    } else if cursor.eat_word("var") {
        into.variables.push(value_declaration(cursor, "variable")?);
    } else {
        into.edges.push(edge(cursor)?);
    }
    Some(())
}

/// Reads `name: type = value` of a constant or variable.
fn value_declaration(cursor: &mut Cursor<'_>, kind: &str) -> Option<ValueDeclaration> {
    let name = cursor.name(&format!("the name of the {kind}"))?;
    cursor.expect(":", &format!("and a type behind the name of the {kind}"))?;
    let ty = ty(cursor)?;
    cursor.expect("=", "and a value behind the type")?;
    Some(ValueDeclaration { name, ty, value: value(cursor)? })
}

/// Reads a type.
fn ty(cursor: &mut Cursor<'_>) -> Option<Type> {
    cursor.nested(|cursor| {
        let start = cursor.span();
        let base = if cursor.eat("{") {
            let members = list(cursor, "a member of the set", |cursor| {
                cursor.name("a member of the set, which has at least one")
            })?;
            Type::Set(members, cursor.since(start))
        } else {
            Type::Named(cursor.name("a type: a name, or members in braces as in `{a, b}`")?)
        };
        if !cursor.eat("->") {
            return Some(base);
        }
        Some(Type::Arrow(Box::new(base), Box::new(ty(cursor)?)))
    })
}

/// Reads the rest of a list in braces with at least one item; `what` says which.
fn list<T>(
    cursor: &mut Cursor<'_>,
    what: &str,
    mut item: impl FnMut(&mut Cursor<'_>) -> Option<T>,
) -> Option<Vec<T>> {
    let mut items = vec![item(cursor)?];
    while cursor.eat(",") {
        items.push(item(cursor)?);
    }
    cursor.expect("}", &format!("or `,` behind {what}"))?;
    Some(items)
}

/// Reads the value of a constant or variable.
fn value(cursor: &mut Cursor<'_>) -> Option<Value> {
    cursor.nested(|cursor| {
        let start = cursor.span();
        if !cursor.eat("{") {
            return Some(Value::Name(cursor.name("a value: a name, or a map as in `{:a, k: b}`")?));
        }
        let entries = if cursor.eat("}") { vec![] } else { list(cursor, "the entry", entry)? };
        Some(Value::Map(entries, cursor.since(start)))
    })
}

/// Reads an entry of a map.
fn entry(cursor: &mut Cursor<'_>) -> Option<(Option<Name>, Value)> {
    let what = "an entry: `key: value`, or `:value` for all other keys";
    let key = if cursor.at_mark(":") { None } else { Some(cursor.name(what)?) };
    cursor.expect(":", "and a value behind the key")?;
    Some((key, value(cursor)?))
}

/// Reads an edge. A missing `,` or `:` is reported and thought to be there if the rest looks like
/// it.
fn edge(cursor: &mut Cursor<'_>) -> Option<Edge> {
    let start = cursor.span();
    let from =
        cursor.name("a declaration: `type`, `const`, `var`, or an edge `from, to: label;`")?;
    let comma = cursor.expect(",", "and another node behind the first node of an edge");
    comma.or_else(|| cursor.mark_at(1, ":").then_some(()))?;
    let to = cursor.name("the node that the edge leads to")?;
    let colon = cursor.expect(":", "behind the nodes of the edge");
    colon.or_else(|| cursor.word_at(0).map(drop))?;
    let place = cursor.span();
    let label = label(cursor)?;
    let skip = matches!(label, Label::Skip);
    let span = cursor.since(if skip { start } else { place });
    Some(Edge { from, to, label, span })
}

/// Reads the label of an edge.
fn label(cursor: &mut Cursor<'_>) -> Option<Label> {
    if cursor.at_mark(";") || cursor.done() {
        return Some(Label::Skip);
    }
    if cursor.eat("$$") {
        return Some(Label::TagVariable(cursor.name("the variable whose value is the tag")?));
    }
    if cursor.eat("$") {
        return Some(Label::Tag(cursor.name("a tag")?));
    }
    for (mark, negated) in [("?", false), ("!", true)] {
        if cursor.eat(mark) {
            let from = cursor.name("the node where the test begins")?;
            cursor.expect("->", "and another node behind the first node of the test")?;
            let to = cursor.name("the node that the test looks for")?;
            return Some(Label::Test { from, to, negated });
        }
    }
    if cursor.word_at(0).is_none() {
        cursor.unexpected(
            "expected a label: `x = a`, `x == a`, `x != a`, `? p -> q`, `! p -> q`, `$ tag`, \
             `$$ x` or nothing",
        );
        return None;
    }
    let left = expr(cursor, &mut 0)?;
    for (mark, equal) in [("==", true), ("!=", false)] {
        if cursor.eat(mark) {
            return Some(Label::Compare { left, right: expr(cursor, &mut 0)?, equal });
        }
    }
    cursor.expect("=", "to assign, or `==` or `!=` to compare")?;
    let any = cursor.at_mark("{")
        || cursor.mark_at(1, "->")
        || cursor.mark_at(1, "(") && cursor.mark_at(2, "*");
    if !any {
        return Some(Label::Assign(left, expr(cursor, &mut 0)?));
    }
    let ty = ty(cursor)?;
    for mark in ["(", "*", ")"] {
        cursor.expect(mark, "of `type(*)`, which assigns any member of the type")?;
    }
    Some(Label::AssignAny(left, ty))
}

/// Reads an expression; `parts` counts its casts and keys.
fn expr(cursor: &mut Cursor<'_>, parts: &mut usize) -> Option<Expr> {
    let name = cursor.name("an expression: a name, `map[key]` or `type(expression)`")?;
    let mut expr = if cursor.at_mark("(") {
        inner(cursor, parts, ")", "behind the expression")
            .map(|inner| Expr::Cast(name, Box::new(inner)))?
    } else {
        Expr::Name(name)
    };
    while cursor.at_mark("[") {
        let key = inner(cursor, parts, "]", "behind the key")?;
        expr = Expr::Access(Box::new(expr), Box::new(key));
    }
    Some(expr)
}

/// Reads an expression in brackets.
fn inner(cursor: &mut Cursor<'_>, parts: &mut usize, close: &str, what: &str) -> Option<Expr> {
    *parts += 1;
    if *parts > MAX_DEPTH {
        let message = format!("an expression with more than {MAX_DEPTH} pairs of brackets");
        cursor.diagnostics.push(
            Diagnostic::error("too-deep", cursor.span(), message)
                .help("assign a part of it to a variable, and use that"),
        );
        return None;
    }
    cursor.skip();
    let inner = expr(cursor, parts)?;
    cursor.expect(close, what)?;
    Some(inner)
}
