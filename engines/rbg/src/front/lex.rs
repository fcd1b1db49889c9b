//! The way from text to tokens.

use crate::limits::MAX_BAD_CHARACTERS;
use rustc_hash::FxHashMap;
use text::{Diagnostic, Source, Span};

/// A word of the text, interned.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub(crate) struct Sym(pub(crate) u32);

/// The words with a meaning of their own, in the order of their symbols.
const RESERVED: [&str; 8] =
    ["players", "pieces", "variables", "rules", "board", "hexagon", "cuboid", "rectangle"];

impl Sym {
    pub(crate) const PLAYERS: Sym = Sym(0);
    pub(crate) const PIECES: Sym = Sym(1);
    pub(crate) const VARIABLES: Sym = Sym(2);
    pub(crate) const RULES: Sym = Sym(3);
    pub(crate) const BOARD: Sym = Sym(4);
    pub(crate) const HEXAGON: Sym = Sym(5);
    pub(crate) const CUBOID: Sym = Sym(6);
    pub(crate) const RECTANGLE: Sym = Sym(7);

    /// True if the word cannot name a part of a game.
    pub(crate) fn is_reserved(self) -> bool {
        (self.0 as usize) < RESERVED.len()
    }

    /// True if the word names a section.
    pub(crate) fn is_section(self) -> bool {
        self <= Sym::BOARD
    }
}

/// All words seen.
#[derive(Clone, Debug)]
pub(crate) struct Words {
    texts: Vec<String>,
    index: FxHashMap<String, Sym>,
}

impl Words {
    pub(crate) fn new() -> Words {
        let mut words = Words { texts: Vec::new(), index: FxHashMap::default() };
        for word in RESERVED {
            words.intern(word);
        }
        words
    }

    pub(crate) fn intern(&mut self, text: &str) -> Sym {
        if let Some(&sym) = self.index.get(text) {
            return sym;
        }
        let sym = Sym(self.texts.len() as u32);
        self.texts.push(text.to_owned());
        self.index.insert(text.to_owned(), sym);
        sym
    }

    pub(crate) fn text(&self, sym: Sym) -> &str {
        &self.texts[sym.0 as usize]
    }
}

/// The content of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Tok {
    Word(Sym),
    Number(u32),
    /// Punctuation, by its text.
    Mark(&'static str),
}

/// A token, with its span and the use of a macro that it comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) tok: Tok,
    pub(crate) span: Span,
    /// Number of the macro use that inserted it, from 1; 0 if it stands in the text itself.
    pub(crate) site: u32,
}

impl Token {
    pub(crate) fn is(&self, mark: &str) -> bool {
        matches!(self.tok, Tok::Mark(m) if m == mark)
    }

    pub(crate) fn word(&self) -> Option<Sym> {
        match self.tok {
            Tok::Word(sym) => Some(sym),
            _ => None,
        }
    }
}

/// Punctuation, longer marks before their beginnings.
pub(crate) const MARKS: [&str; 34] = [
    "->>", "{?", "{!", "{$", "[$", "->", "+>", "==", "!=", "<=", ">=", "(", ")", "[", "]", "{",
    "}", "~", "#", "-", "+", "^", "/", "*", ".", ",", ";", ":", "$", "=", "<", ">", "!", "?",
];

/// Splits the text into tokens; other characters are reported and left out.
pub(crate) fn lex(
    source: &Source,
    words: &mut Words,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Token> {
    let text = source.text();
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut offset = 0;
    let mut complaints = 0;
    while let Some(&byte) = bytes.get(offset) {
        let start = offset;
        let rest = &bytes[offset..];
        let blank = text[offset..].chars().next();
        let blank = blank.filter(|&c| c.is_whitespace() || c == '\u{feff}');
        let tok = if let Some(blank) = blank {
            offset += blank.len_utf8();
            continue;
        } else if rest.starts_with(b"//") {
            offset += rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
            continue;
        } else if rest.starts_with(b"/*") {
            match text[offset + 2..].find("*/") {
                Some(end) => offset += end + 4,
                None => {
                    diagnostics.push(
                        Diagnostic::error(
                            "unclosed-comment",
                            Span::new(offset, offset + 2),
                            "this comment is never closed",
                        )
                        .help("write `*/` where it ends"),
                    );
                    offset = text.len();
                }
            }
            continue;
        } else if byte.is_ascii_alphabetic() {
            offset += rest.iter().position(|b| !b.is_ascii_alphanumeric()).unwrap_or(rest.len());
            Tok::Word(words.intern(&text[start..offset]))
        } else if byte.is_ascii_digit() {
            offset += rest.iter().position(|b| !b.is_ascii_digit()).unwrap_or(rest.len());
            match text[start..offset].parse() {
                Ok(number) => Tok::Number(number),
                Err(_) => {
                    diagnostics.push(
                        Diagnostic::error(
                            "number",
                            Span::new(start, offset),
                            "this number is too large",
                        )
                        .label("expected at most 4294967295"),
                    );
                    Tok::Number(0)
                }
            }
        } else if let Some(mark) = MARKS.iter().find(|mark| rest.starts_with(mark.as_bytes())) {
            offset += mark.len();
            Tok::Mark(mark)
        } else {
            offset += text[offset..].chars().next().map_or(1, char::len_utf8);
            complaints += 1;
            if complaints <= MAX_BAD_CHARACTERS {
                diagnostics.push(stray(source, Span::new(start, offset)));
            }
            continue;
        };
        tokens.push(Token { tok, span: Span::new(start, offset), site: 0 });
    }
    tokens
}

fn stray(source: &Source, span: Span) -> Diagnostic {
    let found = source.slice(span);
    let diagnostic = Diagnostic::error(
        "stray-character",
        span,
        format!("`{}` means nothing here", found.escape_debug()),
    );
    match found {
        "_" => diagnostic.help("names are letters and digits; write `someName` for `some_name`"),
        "\"" => diagnostic.help("there are no strings in this language"),
        _ => diagnostic.help("delete it"),
    }
}
