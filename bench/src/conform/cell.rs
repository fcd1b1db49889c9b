//! Text of foreign files and programs as cells of tables.

use reports::text::{csv_field, printable, unguard};
use serde::{Deserialize, Deserializer, Serializer};

/// Writes the text of a cell of `rows.csv`: printable, and no formula.
pub(super) fn serialize<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&csv_field(text))
}

/// Reads it back.
pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Ok(unguard(&String::deserialize(deserializer)?).to_owned())
}

/// A cell of a Markdown table: one line, no HTML, no bar that would end it.
pub(super) fn markdown(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    printable(&line).replace('&', "&amp;").replace('<', "&lt;").replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_text_and_nothing_else() {
        assert_eq!(
            markdown("<img src=x> a|b &lt;\nc\x1b"),
            "&lt;img src=x> a\\|b &amp;lt; c\\u{1b}"
        );
    }

    #[test]
    fn what_is_guarded_is_read_back() {
        for text in ["=x.kif", "'quoted'", "'=", "plain", ""] {
            let cell = serde_json::Value::String(csv_field(text).into_owned());
            assert_eq!(deserialize(cell).expect("it is text"), text);
        }
    }
}
