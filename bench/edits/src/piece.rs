//! The words and brackets of a text, with their places.

use std::ops::Range;

use play::Language;

use crate::plain::comment_mark;

/// A word, or a pair of brackets with what is between them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    /// The bytes of the text that it takes, its brackets included.
    pub place: Range<usize>,
    /// Its brackets; `None` of a word, a number, a string or a mark. A directive of RBG has no
    /// bracket behind it, nor has a line of RG, whose first bracket is the end of the line before.
    pub brackets: Option<(&'static str, &'static str)>,
    /// The pieces between its brackets.
    pub inner: Vec<Piece>,
    /// True if the bracket behind it is there.
    pub is_closed: bool,
}

/// A line of RG.
pub const LINE: (&str, &str) = ("\n", "");
/// A directive of RBG.
pub(crate) const DIRECTIVE: (&str, &str) = ("#", "");
/// Brackets nested deeper stay words.
const DEEPEST: usize = 200;
/// Marks of RBG and RG of more than one character.
const MARKS: [&str; 11] = ["->>", "->", "+>", "==", "!=", "<=", ">=", "$$", "&&", "||", ".."];

/// The pieces of a text. Comments are left out; what is not closed ends with its last piece.
pub fn pieces(text: &str, language: Language) -> Vec<Piece> {
    let mut reader = Reader { open: Vec::new(), top: Vec::new() };
    let mut rest = text;
    loop {
        let before = rest;
        let Some(token) = next_token(&mut rest, language) else { break };
        let place = text.len() - rest.len() - token.len()..text.len() - rest.len();
        let skipped = &before[..before.len() - rest.len() - token.len()];
        if language == Language::Rg && (before.len() == text.len() || skipped.contains('\n')) {
            reader.next_line(token, place.start);
        }
        reader.take(token, place, language);
    }
    while !reader.open.is_empty() {
        reader.close(None);
    }
    reader.top
}

struct Reader {
    /// The brackets that are open, outermost first.
    open: Vec<Piece>,
    /// The pieces outside of all brackets.
    top: Vec<Piece>,
}

impl Reader {
    fn begin(&mut self, brackets: (&'static str, &'static str), place: Range<usize>) {
        let (inner, is_closed) = (Vec::new(), false);
        self.open.push(Piece { place, brackets: Some(brackets), inner, is_closed });
    }

    /// Ends the innermost brackets: behind their bracket, or else behind their last piece.
    fn close(&mut self, end: Option<usize>) {
        let Some(mut piece) = self.open.pop() else { return };
        piece.is_closed = end.is_some();
        let last = piece.inner.last().map(|last| last.place.end);
        piece.place.end = end.or(last).unwrap_or(piece.place.end);
        self.put(piece);
    }

    fn put(&mut self, piece: Piece) {
        self.open.last_mut().map_or(&mut self.top, |outer| &mut outer.inner).push(piece);
    }

    /// The brackets that are open, from within, by a number.
    fn brackets(&self, outwards: usize) -> Option<(&'static str, &'static str)> {
        self.open.iter().rev().nth(outwards).and_then(|piece| piece.brackets)
    }

    fn is_line(&self) -> bool {
        self.brackets(0) == Some(LINE)
    }

    fn next_line(&mut self, token: &str, start: usize) {
        if self.is_line() {
            self.close(None);
        }
        let closes = self.brackets(0).is_some_and(|(_, end)| end == token);
        if !closes && self.open.len() < DEEPEST {
            self.begin(LINE, start..start);
        }
    }

    fn take(&mut self, token: &str, place: Range<usize>, language: Language) {
        if self.is_line() && self.brackets(1).is_some_and(|(_, end)| end == token) {
            self.close(None);
        }
        match brackets(language).iter().find(|(begin, _)| *begin == token) {
            Some(&DIRECTIVE) => {
                while !self.open.is_empty() {
                    self.close(None);
                }
                self.begin(DIRECTIVE, place);
            }
            Some(&pair) if self.open.len() < DEEPEST => self.begin(pair, place),
            _ if self.brackets(0).is_some_and(|(_, end)| end == token) => {
                self.close(Some(place.end));
            }
            _ => {
                self.put(Piece { place, brackets: None, inner: Vec::new(), is_closed: true });
            }
        }
    }
}

/// Brackets of a language. A directive of RBG goes on to the next.
fn brackets(language: Language) -> &'static [(&'static str, &'static str)] {
    match language {
        Language::Kif => &[("(", ")")],
        Language::Lud => &[("(", ")"), ("{", "}")],
        Language::Rg => &[("(", ")"), ("[", "]"), ("{", "}")],
        _ => &[DIRECTIVE, ("(", ")"), ("[", "]"), ("{", "}")],
    }
}

/// The next token, taken from the front of the text.
fn next_token<'t>(rest: &mut &'t str, language: Language) -> Option<&'t str> {
    loop {
        *rest = rest.trim_start();
        let comment = comment_mark(language);
        if !rest.starts_with(comment) {
            break;
        }
        *rest = rest.find('\n').map_or("", |end| &rest[end..]);
    }
    let first = rest.chars().next()?;
    let is_rbg = !matches!(language, Language::Kif | Language::Lud);
    let is_in_name = |c: char| c.is_alphanumeric() || language == Language::Rg && c == '_';
    let ends_word = |c: char| c.is_whitespace() || "(){}\"".contains(c) || is_rbg && !is_in_name(c);
    let end = if language == Language::Rg && rest.starts_with("$_") {
        2
    } else if first == '"' && language == Language::Lud {
        rest[1..].find('"').map_or(rest.len(), |end| end + 2)
    } else if let Some(mark) = MARKS.iter().find(|mark| is_rbg && rest.starts_with(**mark)) {
        mark.len()
    } else if ends_word(first) {
        first.len_utf8()
    } else {
        rest.find(ends_word).unwrap_or(rest.len())
    };
    let token = &rest[..end];
    *rest = &rest[end..];
    Some(token)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The texts of all pieces, each before those inside of it.
    fn texts<'t>(text: &'t str, pieces: &[Piece]) -> Vec<&'t str> {
        let own = |piece: &Piece| {
            let inner = texts(text, &piece.inner);
            [vec![&text[piece.place.clone()]], inner].concat()
        };
        pieces.iter().flat_map(own).collect()
    }

    #[test]
    fn places_are_those_of_the_text() {
        let lud = "(a // (\n {b} (c";
        let all = pieces(lud, Language::Lud);
        assert_eq!(texts(lud, &all), [lud, "a", "{b}", "b", "(c", "c"]);
        assert!(!all[0].is_closed && all[0].inner[1].is_closed);
        let rg = "\nif a {\n b[c]\n}\nd";
        let lines =
            ["if a {\n b[c]\n}", "if", "a", "{\n b[c]\n}", "b[c]", "b", "[c]", "c", "d", "d"];
        assert_eq!(texts(rg, &pieces(rg, Language::Rg)), lines);
        let rbg = "#a = b(c)\n#d";
        let directives = ["#a = b(c)", "a", "=", "b", "(c)", "c", "#d", "d"];
        assert_eq!(texts(rbg, &pieces(rbg, Language::Rbg)), directives);
    }
}
