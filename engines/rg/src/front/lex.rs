//! Text to tokens, for both forms of the language.

use text::{Diagnostic, Source, Span};

use crate::symbols::{Symbol, Symbols};

/// A token with its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) span: Span,
}

/// A token without its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Letters, digits and `_`; numbers and reserved words too.
    Name(Symbol),
    /// Punctuation.
    Mark(&'static str),
}

/// The punctuation of both forms; of marks that begin alike, the longer come first.
const MARKS: [&str; 30] = [
    "$$", "->", "==", "!=", "<=", ">=", "&&", "||", "..", "{", "}", "(", ")", "[", "]", ":", ";",
    ",", "=", "?", "!", "$", "*", "@", "<", ">", "+", "-", "%", "|",
];

/// The tokens of a text. Comments go from `//` to the end of the line. A run of characters that
/// begin no token is reported and left out.
pub(crate) fn lex(
    source: &Source,
    symbols: &mut Symbols,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Token> {
    let text = source.text();
    let mut tokens = Vec::new();
    let mut at = 0;
    // The end of the last run of characters that begin no token.
    let mut unknown = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        if first.is_whitespace() || first == '\u{feff}' {
            at += first.len_utf8();
        } else if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if let Some(length) = foreign_comment(text, at) {
            let mark = if first == '#' { 1 } else { 2 };
            diagnostics.push(
                Diagnostic::error(
                    "syntax",
                    Span::new(at, at + mark),
                    "a comment of another language",
                )
                .label("expected `//`")
                .help("comments go from `//` to the end of the line"),
            );
            at += length;
        } else if is_of_name(first) {
            let length = rest.find(|c| !is_of_name(c)).unwrap_or(rest.len());
            let kind = Kind::Name(symbols.intern(&rest[..length]));
            tokens.push(Token { kind, span: Span::new(at, at + length) });
            at += length;
        } else if let Some(mark) = MARKS.into_iter().find(|mark| rest.starts_with(mark)) {
            tokens.push(Token { kind: Kind::Mark(mark), span: Span::new(at, at + mark.len()) });
            at += mark.len();
        } else {
            if unknown != at || at == 0 {
                let span = Span::new(at, at + first.len_utf8());
                let message = format!("unexpected character {first:?}");
                diagnostics.push(
                    Diagnostic::error("syntax", span, message)
                        .label("no token begins like this")
                        .help("names have letters, digits and `_`; comments begin with `//`"),
                );
            }
            at += first.len_utf8();
            unknown = at;
        }
    }
    tokens
}

/// The length of a comment from `/*` to `*/`, or from `#` to the end of the line, which other
/// languages have; nothing if no such comment begins here.
fn foreign_comment(text: &str, at: usize) -> Option<usize> {
    let rest = &text[at..];
    if rest.starts_with("/*") {
        return Some(rest.find("*/").map_or(rest.len(), |end| end + 2));
    }
    let is_apart = text[..at].chars().next_back().is_none_or(char::is_whitespace);
    let follows = rest.strip_prefix('#')?.chars().next();
    let is_comment = is_apart && follows.is_none_or(|c| c == '#' || c == ' ' || c.is_alphabetic());
    is_comment.then(|| rest.find('\n').unwrap_or(rest.len()))
}

/// True if names may have this character.
fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
