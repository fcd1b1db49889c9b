//! Text of foreign files and programs as cells of tables.

use reports::text::printable;
use serde::{Deserialize, Deserializer, Serializer};

/// What a spreadsheet takes for the beginning of a formula; and the mark itself, so that it can be
/// taken off again.
const GUARDED: [char; 7] = ['=', '+', '-', '@', '\t', '\r', MARK];

/// In front of a cell, spreadsheets take it for "this is text".
const MARK: char = '\'';

/// Writes the text of a cell of `rows.csv`: printable, and no formula.
pub(super) fn serialize<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&guarded(text))
}

/// Reads it back.
pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    Ok(text.strip_prefix(MARK).map_or_else(|| text.clone(), str::to_owned))
}

fn guarded(text: &str) -> String {
    let text = printable(text);
    if text.starts_with(GUARDED) { format!("{MARK}{text}") } else { text.to_string() }
}

/// A cell of a Markdown table: one line, no HTML, no bar that would end it.
pub(super) fn markdown(text: &str) -> String {
    let text = printable(text).replace('&', "&amp;").replace('<', "&lt;").replace('|', "\\|");
    text.replace(['\n', '\t'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_text_and_nothing_else() {
        assert_eq!(guarded("=1+1"), "'=1+1");
        assert_eq!(guarded("a\x1b[0m"), "a\\u{1b}[0m");
        assert_eq!(guarded("a-b"), "a-b");
        assert_eq!(markdown("<img src=x> a|b &lt;\nc"), "&lt;img src=x> a\\|b &amp;lt; c");
    }

    #[test]
    fn what_is_guarded_is_read_back() {
        for text in ["=x.kif", "'quoted'", "plain", ""] {
            let cell = serde_json::Value::String(guarded(text));
            assert_eq!(deserialize(cell).expect("it is text"), text);
        }
    }
}
