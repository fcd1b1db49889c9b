//! Lists of any items, and words that have to stand somewhere.

use crate::front::cursor::Cursor;
use crate::syntax::Name;

/// Items with `,` between them, and the bracket behind them.
fn some<T>(
    cursor: &mut Cursor<'_>,
    close: &str,
    what: &str,
    item: fn(&mut Cursor<'_>) -> Option<T>,
) -> Option<Vec<T>> {
    let mut items = vec![cursor.nested(item)?];
    while cursor.eat(",") {
        items.push(cursor.nested(item)?);
    }
    cursor.expect(close, what)?;
    Some(items)
}

/// Like [`some`], but there may be no items.
pub(super) fn some_or_none<T>(
    cursor: &mut Cursor<'_>,
    close: &str,
    what: &str,
    item: fn(&mut Cursor<'_>) -> Option<T>,
) -> Option<Vec<T>> {
    if cursor.eat(close) { Some(Vec::new()) } else { some(cursor, close, what, item) }
}

/// The rest of a set without a name.
pub(super) fn members(cursor: &mut Cursor<'_>) -> Option<Vec<Name>> {
    some(cursor, "}", "or `,` behind the member", |cursor| cursor.name("a member of the set"))
}

/// Reads the word, or reports that it is missing.
pub(super) fn keyword(cursor: &mut Cursor<'_>, word: &str, place: &str) -> Option<()> {
    if cursor.eat_word(word) {
        return Some(());
    }
    cursor.unexpected(&format!("expected `{word}` {place}"));
    None
}
