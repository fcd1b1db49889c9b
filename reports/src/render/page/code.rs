//! Sentences of ours and of engines, in which what is typed stands between backticks.

use std::fmt::Write as _;

use minijinja::HtmlEscape;

/// The text as HTML, with what stands between backticks as code. A backtick without a partner
/// stands for itself, and so do all of a text of several lines, which is shown as it is.
pub(in crate::render) fn with_code(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('`') {
        let Some((code, after)) = after.split_once('`').filter(|_| !text.contains('\n')) else {
            break;
        };
        let _ = write!(out, "{}<code>{}</code>", HtmlEscape(before), HtmlEscape(code));
        rest = after;
    }
    let _ = write!(out, "{}", HtmlEscape(rest));
    out
}

#[cfg(test)]
mod tests {
    use super::with_code;

    #[test]
    fn backticks_are_code_and_nothing_else_is() {
        assert_eq!(
            with_code("neither `ok` nor `<b>`"),
            "neither <code>ok</code> nor <code>&lt;b&gt;</code>"
        );
        assert_eq!(
            with_code("one ` alone, `two` & <i>"),
            "one <code> alone, </code>two` &amp; &lt;i&gt;"
        );
        assert_eq!(with_code("`a`\n`b`"), "`a`\n`b`");
        assert_eq!(with_code("`"), "`");
    }
}
