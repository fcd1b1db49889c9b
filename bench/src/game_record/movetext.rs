//! The text of PGN and PDN: tags, then moves with numbers, comments, variations and a result.

use text::{Diagnostic, Source, Span};

use super::{Claim, syntax};

/// A word for a result, with what it states.
pub(super) type ResultWord = (&'static str, Stated);

/// The result that a word states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stated {
    /// The first of the two players won.
    First,
    /// The second won.
    Second,
    /// Nobody won.
    Draw,
    /// The game was not finished.
    Open,
}

/// A game of such a text.
#[derive(Default, Debug)]
pub(super) struct Section {
    /// The place where it begins.
    pub(super) span: Span,
    /// Its tags: names and values, with the places of the values.
    pub(super) tags: Vec<(String, String, Span)>,
    /// The places of the moves of the main line.
    pub(super) moves: Vec<Span>,
    /// The place of the result behind the moves.
    pub(super) result: Option<Span>,
    /// The first thing in it that cannot be read.
    pub(super) fault: Option<Diagnostic>,
}

impl Section {
    /// The value of a tag with its place.
    pub(super) fn tag(&self, name: &str) -> Option<(&str, Span)> {
        let tag = self.tags.iter().find(|(known, ..)| known.eq_ignore_ascii_case(name));
        tag.map(|(_, value, span)| (value.trim(), *span)).filter(|(value, _)| !value.is_empty())
    }

    /// The result behind the moves, or else that of the tag.
    pub(super) fn claim(&self, source: &Source, words: &[ResultWord]) -> Option<Claim> {
        let span = self.result.or_else(|| self.tag("Result").map(|(_, span)| span))?;
        let word = source.slice(span).trim_matches('"').trim();
        let winner = match words.iter().find(|(known, _)| *known == word)?.1 {
            Stated::First => Some(0),
            Stated::Second => Some(1),
            Stated::Draw => None,
            Stated::Open => return None,
        };
        Some(Claim { span, winner, incomparable: None })
    }

    fn is_empty(&self) -> bool {
        self.tags.is_empty()
            && self.moves.is_empty()
            && self.result.is_none()
            && self.fault.is_none()
    }
}

/// The games of a text. The words for results end a game.
pub(super) fn sections(text: &str, results: &[ResultWord]) -> Vec<Section> {
    let mut lexer = Lexer { text, at: 0, depth: 0, done: Vec::new(), now: Section::default() };
    lexer.at = text.len() - text.trim_start_matches('\u{feff}').len();
    while lexer.at < text.len() {
        lexer.next(results);
    }
    lexer.close();
    lexer.done
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    /// Open variations.
    depth: u32,
    done: Vec<Section>,
    now: Section,
}

/// The characters that no word contains.
const ENDS: &[char] = &['{', '}', '(', ')', '[', ']', ';', '$', '<', '>'];

impl Lexer<'_> {
    fn next(&mut self, results: &[ResultWord]) {
        let start = self.at;
        let rest = &self.text[start..];
        let first = rest.chars().next().unwrap_or_default();
        let starts_line = start == 0 || self.text[..start].ends_with('\n');
        match first {
            c if c.is_whitespace() => self.at += c.len_utf8(),
            '%' if starts_line => self.skip_to('\n'),
            ';' => self.skip_to('\n'),
            '{' => {
                if !rest.contains('}') {
                    self.fault(start, "a comment is not closed: there is no `}`");
                }
                self.skip_to('}');
            }
            '<' => self.skip_to('>'),
            '[' => self.tag(),
            '(' => {
                self.depth = self.depth.saturating_add(1);
                self.at += 1;
            }
            ')' => {
                if self.depth == 0 {
                    self.fault(start, "no variation is open here");
                }
                self.depth = self.depth.saturating_sub(1);
                self.at += 1;
            }
            '}' | ']' | '>' => {
                self.fault(start, "a bracket that nothing opened");
                self.at += 1;
            }
            '$' => {
                let digits = rest[1..].chars().take_while(char::is_ascii_digit).count();
                self.at += 1 + digits;
            }
            _ => self.word(results),
        }
    }

    /// Goes behind the next character of this kind, or to the end.
    fn skip_to(&mut self, end: char) {
        let found = self.text[self.at..].find(end);
        self.at = found.map_or(self.text.len(), |found| self.at + found + end.len_utf8());
    }

    fn fault(&mut self, at: usize, message: &str) {
        self.begin(at);
        let fault = syntax(Span::new(at, at + 1), message);
        self.now.fault.get_or_insert(fault);
    }

    /// Begins a game here if none has begun.
    fn begin(&mut self, at: usize) {
        if self.now.is_empty() {
            self.now.span = Span::new(at, at + 1);
        }
    }

    /// Ends a game.
    fn close(&mut self) {
        if self.depth > 0 {
            self.fault(self.at.saturating_sub(1), "a variation is not closed: `)` is missing");
            self.depth = 0;
        }
        let section = std::mem::take(&mut self.now);
        if !section.is_empty() {
            self.done.push(section);
        }
    }

    /// `[Name "value"]`.
    fn tag(&mut self) {
        if !self.now.moves.is_empty() || self.now.result.is_some() {
            self.close();
        }
        let start = self.at;
        self.begin(start);
        let inside = &self.text[start + 1..];
        let blank = inside.len() - inside.trim_start().len();
        let name: &str = inside
            .trim_start()
            .split(|c: char| c.is_whitespace() || c == '"')
            .next()
            .unwrap_or_default();
        let behind = start + 1 + blank + name.len();
        let gap = self.text[behind..].len() - self.text[behind..].trim_start().len();
        let quote = behind + gap;
        let Some((value, end)) = quoted(self.text, quote) else {
            self.at = start + 1;
            self.skip_to('\n');
            return self.fault(start, "a tag is no `[Name \"value\"]`");
        };
        self.at = end;
        let rest = &self.text[end..];
        let gap = rest.len() - rest.trim_start().len();
        if rest[gap..].starts_with(']') {
            self.at += gap + 1;
        } else {
            self.fault(end, "the bracket `]` of a tag is missing");
        }
        self.now.tags.push((name.to_owned(), value, Span::new(quote, end)));
    }

    /// A move, a number of one, or a result.
    fn word(&mut self, results: &[ResultWord]) {
        let start = self.at;
        let rest = &self.text[start..];
        let length = rest.find(|c: char| c.is_whitespace() || ENDS.contains(&c));
        let end = start + length.unwrap_or(rest.len()).max(1);
        let word = &self.text[start..end];
        self.at = end;
        if self.depth > 0 {
            return;
        }
        if results.iter().any(|(known, _)| *known == word) {
            self.begin(start);
            self.now.result = Some(Span::new(start, end));
            return self.close();
        }
        // `12.e4` and `12...e5` are a number and a move.
        let digits = word.len() - word.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let dots = word[digits..].len() - word[digits..].trim_start_matches('.').len();
        let number = match (digits, dots) {
            (d, 0) if d < word.len() => 0,
            (d, dots) => d + dots,
        };
        let said = word[number..].trim_end_matches(['!', '?']);
        if said.is_empty() || said == "e.p." || said == "ep" {
            return;
        }
        self.begin(start);
        self.now.moves.push(Span::new(start + number, start + number + said.len()));
    }
}

/// The text between quotes, and where it ends; `\"` and `\\` are a quote and a backslash.
fn quoted(text: &str, at: usize) -> Option<(String, usize)> {
    let inside = text[at..].strip_prefix('"')?;
    let (mut value, mut escaped) = (String::new(), false);
    for (i, c) in inside.char_indices() {
        match c {
            '\n' => return None,
            _ if escaped => {
                value.push(c);
                escaped = false;
            }
            '\\' => escaped = true,
            '"' => return Some((value, at + 1 + i + 1)),
            _ => value.push(c),
        }
    }
    None
}
