//! The text of rule files without what nobody has to understand.

use play::Language;

/// The text without comments, blank lines, and runs of blanks: what is left to be read, in its own
/// lines.
pub fn plain(text: &str, language: Language) -> String {
    let mut lines = Vec::new();
    for line in text.lines() {
        let words: Vec<&str> = without_comment(line, language).split_whitespace().collect();
        if !words.is_empty() {
            lines.push(words.join(" "));
        }
    }
    lines.join("\n")
}

/// The mark that a comment begins with, which goes on to the end of its line.
pub fn comment_mark(language: Language) -> &'static str {
    if language == Language::Kif { ";" } else { "//" }
}

/// The line up to its comment. What stands in a string of ludemes is none.
fn without_comment(line: &str, language: Language) -> &str {
    let mark = comment_mark(language);
    let is_outside =
        |at: usize| language != Language::Lud || line[..at].matches('"').count().is_multiple_of(2);
    let comment = line.match_indices(mark).map(|(at, _)| at).find(|&at| is_outside(at));
    comment.map_or(line, |at| &line[..at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_blanks_are_left_out() {
        assert_eq!(plain("; what\n(a  b) ; c\n\n\t(c)", Language::Kif), "(a b)\n(c)");
        assert_eq!(plain("(a \"http://b\") // c", Language::Lud), "(a \"http://b\")");
        assert_eq!(plain("a ; b // c", Language::Rbg), "a ; b");
        assert_eq!(plain("// all", Language::Rg), "");
    }
}
