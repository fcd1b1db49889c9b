//! A reader of XML, as far as matches of GGP servers need it: elements and texts in their order.

use text::{Diagnostic, Span};

use super::syntax;

/// A piece of a document.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece<'t> {
    /// The begin of an element.
    Open(&'t str, Span),
    /// The end of an element.
    Close(&'t str, Span),
    /// A text that is more than blanks, with its entities replaced.
    Text(String, Span),
}

/// The pieces of a document. Attributes, comments, declarations and instructions are left out.
pub(super) fn pieces(text: &str) -> Result<Vec<Piece<'_>>, Diagnostic> {
    let mut pieces = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let wholes = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"), ("<!", ">"), ("<", ">")];
        let Some((open, close)) = wholes.into_iter().find(|(open, _)| rest.starts_with(open))
        else {
            let end = rest.find('<').unwrap_or(rest.len());
            if !rest[..end].trim().is_empty() {
                let span = Span::new(at, at + end);
                pieces.push(Piece::Text(plain(rest[..end].trim()), span));
            }
            at += end;
            continue;
        };
        let start = Span::new(at, at + open.len());
        let Some(length) = rest[open.len()..].find(close) else {
            return Err(syntax(start, format!("`{open}` is not closed by `{close}`")));
        };
        let inside = &rest[open.len()..open.len() + length];
        let span = Span::new(at, at + open.len() + length + close.len());
        at = span.range().end;
        match open {
            "<" => {
                let name = inside.trim_matches('/').split(char::is_whitespace).next();
                let name = name.unwrap_or_default();
                if !inside.starts_with('/') {
                    pieces.push(Piece::Open(name, span));
                }
                if inside.starts_with('/') || inside.ends_with('/') {
                    pieces.push(Piece::Close(name, span));
                }
            }
            "<![CDATA[" if !inside.trim().is_empty() => {
                pieces.push(Piece::Text(inside.trim().to_owned(), span));
            }
            // A list of declarations has declarations inside.
            "<!" if inside.contains('[') => match text[at..].find("]>") {
                Some(end) => at += end + 2,
                None => return Err(syntax(start, "a list of declarations is not closed by `]>`")),
            },
            _ => {}
        }
    }
    Ok(pieces)
}

/// A text with the five named entities replaced.
fn plain(text: &str) -> String {
    let entities =
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")];
    entities.iter().fold(text.to_owned(), |text, (entity, plain)| text.replace(entity, plain))
}
