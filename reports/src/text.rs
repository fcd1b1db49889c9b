//! Text of others, made safe to show.

use std::borrow::Cow;
use std::fmt::Write;

/// Text without control characters other than line breaks and tabs: each becomes its escape, such as
/// `\u{1b}`, so that no escape sequence of a rule file, a file name or a worker reaches a terminal.
pub fn printable(text: &str) -> Cow<'_, str> {
    let hidden = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    if !text.contains(hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if hidden(c) {
            // Writing to a string cannot fail.
            let _ = write!(shown, "\\u{{{:x}}}", u32::from(c));
        } else {
            shown.push(c);
        }
    }
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::printable;

    #[test]
    fn control_characters_become_visible() {
        assert_eq!(printable("a\x1b[31mb\u{9b}2J\r"), "a\\u{1b}[31mb\\u{9b}2J\\u{d}");
        assert_eq!(printable("two\nlines\tand é"), "two\nlines\tand é");
    }
}
