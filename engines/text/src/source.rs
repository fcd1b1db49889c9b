use std::fmt;
use std::ops::Range;

/// A half-open range of bytes in a [`Source`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The span of bytes `start..end`.
    pub fn new(start: usize, end: usize) -> Span {
        Span { start: start as u32, end: end.max(start) as u32 }
    }

    /// An empty span at `offset`.
    pub fn at(offset: usize) -> Span {
        Span::new(offset, offset)
    }

    /// The smallest span that covers both.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The span as a range of indices into the text.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

/// A line and a column, both counted from 1; columns count characters, not bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// A named text: what the user calls the file, and what is in it.
#[derive(Clone, Debug)]
pub struct Source {
    name: String,
    text: String,
    line_starts: Vec<u32>,
    /// The number of characters before each block of [`BLOCK`] bytes, so that a place in a long
    /// line costs no more than one in a short line.
    characters: Vec<u32>,
}

const BLOCK: usize = 1024;

/// The number of characters that begin in these bytes of UTF-8.
fn characters(bytes: &[u8]) -> u32 {
    // Continuation bytes are no characters of their own.
    bytes.iter().filter(|&&byte| byte & 0xC0 != 0x80).count() as u32
}

impl Source {
    /// Wraps `text` under the name that messages will show. Its lines end in LF or CRLF from then
    /// on, see [`with_line_feeds`].
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Source {
        let text = with_line_feeds(text.into());
        let newlines = text.bytes().enumerate().filter(|&(_, b)| b == b'\n');
        let line_starts = std::iter::once(0).chain(newlines.map(|(i, _)| i as u32 + 1)).collect();
        let blocks = text.as_bytes().chunks(BLOCK).scan(0, |before, block| {
            *before += characters(block);
            Some(*before)
        });
        let characters = std::iter::once(0).chain(blocks).collect();
        Source { name: name.into(), text, line_starts, characters }
    }

    /// The name shown in messages, usually a path.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text under a span; spans outside the text, or that split a character, give `""`.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or("")
    }

    /// The position of a byte offset; offsets past the end give the end.
    pub fn position(&self, offset: u32) -> Position {
        let offset = offset.min(self.text.len() as u32);
        let line = self.line_starts.partition_point(|&s| s <= offset) - 1;
        let column =
            self.characters_before(offset) - self.characters_before(self.line_starts[line]);
        Position { line: line as u32 + 1, column: column + 1 }
    }

    /// The line that a byte offset is in, from 0, and its bytes without its end.
    pub(crate) fn line(&self, offset: u32) -> (usize, Range<usize>) {
        let line = self.line_starts.partition_point(|&s| s <= offset) - 1;
        let next = self.line_starts.get(line + 1);
        let end = next.map_or(self.text.len(), |&next| next as usize - 1);
        let start = self.line_starts[line] as usize;
        let is_pair = next.is_some() && self.text[start..end].ends_with('\r');
        (line, start..end - usize::from(is_pair))
    }

    fn characters_before(&self, offset: u32) -> u32 {
        let block = offset as usize / BLOCK;
        let rest = &self.text.as_bytes()[block * BLOCK..offset as usize];
        self.characters[block] + characters(rest)
    }
}

/// A text with LF in place of each CR that no LF follows: of the three ends of lines (LF, CRLF, and
/// CR alone) two are left, both of which contain a LF. All places in the text stay as they are.
pub fn with_line_feeds(text: String) -> String {
    if !text.contains('\r') {
        return text;
    }
    let mut rest = text.as_str();
    let mut out = String::with_capacity(text.len());
    while let Some(at) = rest.find('\r') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        out.push(if rest.starts_with('\n') { '\r' } else { '\n' });
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_end_of_a_line_counts_once() {
        for (text, there) in [
            ("a\nb\nc d", "3:3"),
            ("a\r\nb\r\nc d", "3:3"),
            ("a\rb\rc d", "3:3"),
            ("a\rb\r\nc d", "3:3"),
            ("a\n\rc d", "3:3"),
            ("a\r\r\nc d", "3:3"),
            ("\r\rc d\r", "3:3"),
        ] {
            let source = Source::new("t", text);
            assert_eq!(source.text().len(), text.len());
            let at = text.find('d').expect("it is there");
            assert_eq!(source.position(at as u32).to_string(), there, "{text:?}");
            let (_, line) = source.line(at as u32);
            assert_eq!(&source.text()[line], "c d", "{text:?}");
            let (_, first) = source.line(0);
            assert_eq!(&source.text()[first], text.split(['\r', '\n']).next().unwrap());
        }
    }

    #[test]
    fn positions_count_lines_and_characters_from_one() {
        let source = Source::new("t", "ab\ncdé f\n");
        assert_eq!(source.position(0).to_string(), "1:1");
        assert_eq!(source.position(3).to_string(), "2:1");
        assert_eq!(source.position(8).to_string(), "2:5"); // after the two-byte é and a blank
        assert_eq!(source.position(999).to_string(), "3:1");
        assert_eq!(source.slice(Span::new(3, 5)), "cd");
    }

    #[test]
    fn positions_in_long_lines_are_counted_as_in_short_ones() {
        for text in ["é".repeat(3000), "x".repeat(2 * BLOCK), format!("ab\n{}", "aé".repeat(999))]
        {
            let source = Source::new("t", text.clone());
            for offset in (0..=text.len()).filter(|&offset| text.is_char_boundary(offset)) {
                let line = text[..offset].rsplit('\n').next().unwrap_or_default();
                let column = source.position(offset as u32).column as usize;
                assert_eq!(column, line.chars().count() + 1, "{offset}");
            }
        }
    }
}
