//! The rows inside the page, to be saved as a file.

use std::fmt::Write as _;

use crate::rows::{Sample, header, to_line};

/// The rows as a `data:` address, so that a page without a server can offer a file.
pub(super) fn data_link(samples: &[Sample]) -> String {
    let lines = std::iter::once(header().into_bytes()).chain(samples.iter().map(to_line));
    format!("data:text/csv;charset=utf-8,{}", percent_encoded(lines.flatten()))
}

/// Bytes as an address holds them: `%0A` for all that could mean something there.
pub(super) fn percent_encoded(bytes: impl IntoIterator<Item = u8>) -> String {
    let mut out = String::new();
    for byte in bytes {
        match byte {
            b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => out.push(char::from(byte)),
            b'-' | b'_' | b'.' | b'~' | b',' | b':' | b';' | b'(' | b')' | b'*' => {
                out.push(char::from(byte));
            }
            _ => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}
