//! Texts that were read as UTF-8 and are in another encoding.
//!
//! Whoever reads a file puts U+FFFD in place of bytes that are not UTF-8, so that comments in an
//! old encoding do no harm. What is left shows which encoding it was.

use crate::diagnostic::Diagnostic;
use crate::source::{Source, Span};

/// Beginnings of files that are no text.
const NOT_TEXT: [(&str, &str); 4] = [
    ("\u{1f}\u{fffd}\u{8}", "packed by gzip"),
    ("PK\u{3}\u{4}", "a zip archive"),
    ("%PDF-", "a PDF file"),
    ("{\\rtf", "a file in Rich Text Format"),
];

impl Source {
    /// An error where the text as a whole is in another encoding, which makes all other messages
    /// about it meaningless; a warning where single characters are.
    pub fn encoding(&self) -> Option<Diagnostic> {
        let text = self.text();
        if let Some((_, what)) = NOT_TEXT.into_iter().find(|(start, _)| text.starts_with(start)) {
            let message = format!("this is {what}, expected text in UTF-8");
            return Some(
                Diagnostic::error("encoding", Span::at(0), message)
                    .help("give the text of the rules, in UTF-8"),
            );
        }
        if let Some(name) = wide_encoding(text) {
            let message = format!("the text is in {name}, expected UTF-8");
            return Some(not_utf8(Span::at(0), message));
        }
        let first = text.find('\u{fffd}')?;
        let place = Span::new(first, first + '\u{fffd}'.len_utf8());
        let unknown = text.matches('\u{fffd}').count();
        if unknown * 4 > text.chars().filter(|c| !c.is_whitespace()).count() {
            return Some(not_utf8(place, "the text is not in UTF-8".to_owned()));
        }
        let message = "a character is not in UTF-8, but in another encoding, such as Latin-1";
        Some(
            Diagnostic::warning("encoding", place, message)
                .label("read as U+FFFD, as all others of this kind")
                .help("save the file in the encoding UTF-8"),
        )
    }
}

fn not_utf8(place: Span, message: String) -> Diagnostic {
    Diagnostic::error("encoding", place, message).help("save the file in the encoding UTF-8")
}

/// The name of an encoding of two or four bytes a character, told by its zeros.
fn wide_encoding(text: &str) -> Option<&'static str> {
    let unmarked = text.trim_start_matches('\u{fffd}');
    let zeros = unmarked.bytes().filter(|&byte| byte == 0).count();
    let has_zero_first = unmarked.starts_with('\0');
    // A byte order mark that is not UTF-8 gives two characters; texts that are not Latin need not
    // have zeros behind it.
    let is_marked = text.starts_with("\u{fffd}\u{fffd}") && zeros > 0;
    let is_wide = zeros * 4 > unmarked.len() || is_marked;
    if !is_wide {
        return None;
    }
    Some(match (zeros * 8 > unmarked.len() * 5, has_zero_first) {
        (true, _) => "UTF-32",
        (false, true) => "UTF-16 (big-endian)",
        (false, false) => "UTF-16 (little-endian)",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "(role a)\n(init (s 1))\n";

    fn found(bytes: &[u8]) -> Option<String> {
        let source = Source::new("t.kif", String::from_utf8_lossy(bytes));
        source.encoding().map(|diagnostic| diagnostic.one_line(&source))
    }

    fn wide(mark: bool, bytes: impl Fn(u16) -> Vec<u8>) -> Vec<u8> {
        let text = TEXT.encode_utf16();
        std::iter::once(0xfeff).filter(|_| mark).chain(text).flat_map(bytes).collect()
    }

    #[test]
    fn other_encodings_are_named() {
        for mark in [false, true] {
            for (bytes, name) in [
                (wide(mark, |c| c.to_le_bytes().into()), "UTF-16 (little-endian)"),
                (wide(mark, |c| c.to_be_bytes().into()), "UTF-16 (big-endian)"),
                (wide(mark, |c| u32::from(c).to_le_bytes().into()), "UTF-32"),
                (wide(mark, |c| u32::from(c).to_be_bytes().into()), "UTF-32"),
            ] {
                let said = found(&bytes).expect("it is not UTF-8");
                let expected =
                    format!("t.kif:1:1: error[encoding]: the text is in {name}, expected UTF-8");
                assert_eq!(said, expected);
            }
        }
        // EBCDIC has most letters beyond 127.
        let ebcdic = [0x4d, 0x99, 0x96, 0x93, 0x85, 0x40, 0x81, 0x5d];
        assert!(found(&ebcdic).is_some_and(|said| said.contains("not in UTF-8")));
        assert!(found(b"\x1f\x8b\x08\0\0").is_some_and(|said| said.contains("gzip")));
    }

    #[test]
    fn single_characters_are_a_warning() {
        let said = found(b"; caf\xe9\n(role a) (init (s 1))");
        assert!(said.is_some_and(|said| said.starts_with("t.kif:1:6: warning[encoding]")));
        assert_eq!(found(TEXT.as_bytes()), None);
        assert_eq!(found("\u{feff}; caf\u{e9}, \u{5c07}".as_bytes()), None);
        assert_eq!(found(b""), None);
        assert_eq!(found(b"(role a)\0"), None);
    }
}
