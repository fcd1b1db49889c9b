//! Tokens to patterns, elements of domains and ranges.

use text::Diagnostic;

use super::lists::{keyword, members, some_or_none};
use super::tree::{Pattern, RangeValues, Ranges, is_upper};
use crate::front::cursor::Cursor;

/// An element of a domain with the ranges of its variables.
pub(super) fn element(cursor: &mut Cursor<'_>) -> Option<(Pattern, Ranges)> {
    if cursor.at_mark("{") {
        let help = "write the elements with `|` between them, as in `1 | 2 | 3`";
        cursor.unexpected_but("expected an element", help);
        return None;
    }
    let form = pattern(cursor)?;
    if cursor.at_mark("..") {
        let bound = |ahead| cursor.word_at(ahead).and_then(|word| word.parse().ok());
        let low = match &form {
            Pattern::Literal(name) => cursor.symbols.name(name.symbol).parse().ok(),
            _ => None,
        };
        let all = low.zip(bound(1)).map(|(low, high)| RangeValues::Numbers(low, high));
        let help = format!("write {}", listed(cursor, all.as_ref()));
        cursor.unexpected_but("expected no range outside of `where`", &help);
        return None;
    }
    let start = cursor.span();
    let ranges = ranges(cursor)?;
    if let (Pattern::Bind(_) | Pattern::Literal(_) | Pattern::Any(_), Some((_, values))) =
        (&form, ranges.first())
    {
        let message = "`where` behind a name that is no constructor";
        let diagnostic = Diagnostic::error("syntax", cursor.since(start), message)
            .label("expected variables of a constructor, as in `C(N) where N in 0..2`")
            .help(format!("write the elements: {}", listed(cursor, Some(values))));
        cursor.diagnostics.push(diagnostic);
    }
    Some((form, ranges))
}

/// The values of a range as the elements of a domain, if they are few; else an example.
fn listed(cursor: &Cursor<'_>, values: Option<&RangeValues>) -> String {
    let names: Vec<String> = match values {
        Some(RangeValues::Numbers(low, high)) if low < high && high - low < 20 => {
            (*low..=*high).map(|number| number.to_string()).collect()
        }
        Some(RangeValues::Names(names)) if names.len() < 20 => {
            names.iter().map(|name| cursor.symbols.name(name.symbol).to_owned()).collect()
        }
        _ => return "`0 | 1 | 2`, and so on".to_owned(),
    };
    format!("`{}`", names.join(" | "))
}

/// Reads a pattern.
pub(super) fn pattern(cursor: &mut Cursor<'_>) -> Option<Pattern> {
    let name = cursor.name("a name or a constructor")?;
    if cursor.eat("(") {
        let parts = some_or_none(cursor, ")", "or `,` behind the name", pattern)?;
        return Some(Pattern::Compound(name, parts, cursor.since(name.span)));
    }
    Some(match cursor.symbols.name(name.symbol) {
        "_" => Pattern::Any(name.span),
        text if is_upper(text) => Pattern::Bind(name),
        _ => Pattern::Literal(name),
    })
}

/// Reads `where` and ranges, if they are there.
pub(super) fn ranges(cursor: &mut Cursor<'_>) -> Option<Ranges> {
    let mut ranges = Vec::new();
    let mut more = cursor.eat_word("where");
    while more {
        let name = cursor.name("a variable")?;
        keyword(cursor, "in", "behind the variable")?;
        let values = if cursor.eat("{") {
            RangeValues::Names(members(cursor)?)
        } else {
            if cursor.word_at(0).is_some_and(is_upper) {
                let help = "write its elements: `X in 0..7`, or `X in {a, b}`";
                cursor.unexpected_but("expected numbers or names, and no domain", help);
                return None;
            }
            let low = number(cursor, "as in `0..7`, or names as in `{a, b}`")?;
            cursor.expect("..", "behind the first number")?;
            RangeValues::Numbers(low, number(cursor, "that ends the range")?)
        };
        ranges.push((name, values));
        more = cursor.eat(",");
    }
    Some(ranges)
}

/// Reads a number; `what` says which one.
pub(super) fn number(cursor: &mut Cursor<'_>, what: &str) -> Option<u32> {
    let number = cursor.word_at(0).and_then(|word| word.parse().ok());
    match number {
        Some(_) => cursor.skip(),
        None => cursor.unexpected(&format!("expected a number {what}")),
    }
    number
}
