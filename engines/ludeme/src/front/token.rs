use std::sync::Arc;

use text::{Bracket, Node, NodeKind, Span};

use super::place::Place;
use crate::meter;

/// A token on its way through options, macros and ranges. These work on lists of tokens rather than
/// on trees, because the parts that they paste need not be whole: several arguments, a name without
/// its value, a part of a word.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    /// True if no white space separates it from the token before.
    pub(super) glued: bool,
    pub(super) place: Place,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    Open(Bracket),
    Close(Bracket),
    Word(Arc<str>),
    Text(Arc<str>),
}

impl Token {
    pub(super) fn is_open(&self) -> bool {
        matches!(self.kind, TokenKind::Open(_))
    }

    pub(super) fn is_close(&self) -> bool {
        matches!(self.kind, TokenKind::Close(_))
    }

    pub(super) fn word(&self) -> Option<&str> {
        match &self.kind {
            TokenKind::Word(word) => Some(word),
            _ => None,
        }
    }

    pub(super) fn text(&self) -> Option<&str> {
        match &self.kind {
            TokenKind::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The same token as part of a body, without the places that it came through.
    pub(super) fn with(&self, kind: TokenKind, glued: bool) -> Token {
        Token { kind, glued, place: self.place.clone() }
    }
}

/// The tokens of the nodes that the bracket reader found, in the order of the text.
pub(super) fn flatten(nodes: &[Node]) -> Vec<Token> {
    let mut out = Vec::new();
    for node in nodes {
        push(node, &mut out);
    }
    out
}

fn push(node: &Node, out: &mut Vec<Token>) {
    let mut token = |kind, span: Span| {
        let glued = out.last().is_some_and(|last: &Token| last.place.span.end == span.start);
        out.push(Token { kind, glued, place: Place::new(span) });
    };
    match &node.kind {
        NodeKind::Word(word) => token(TokenKind::Word(word.as_str().into()), node.span),
        NodeKind::Text(text) => {
            let collapsed: Vec<&str> = text.split_whitespace().collect();
            token(TokenKind::Text(collapsed.join(" ").into()), node.span);
        }
        NodeKind::List(bracket, items) => {
            let (start, end) = (node.span.start as usize, node.span.end as usize);
            token(TokenKind::Open(*bracket), Span::new(start, start + 1));
            for item in items {
                push(item, out);
            }
            let span = Span::new(end.saturating_sub(1).max(start), end);
            out.push(Token {
                kind: TokenKind::Close(*bracket),
                glued: false,
                place: Place::new(span),
            });
        }
    }
}

/// The tokens of a part of the text, cut out of all its tokens. Words that cross the borders are
/// cut; no string crosses them.
pub(super) fn within(tokens: &[Token], span: Span) -> Vec<Token> {
    let first = tokens.partition_point(|token| token.place.span.end <= span.start);
    let mut out = Vec::new();
    for token in &tokens[first..] {
        let own = token.place.span;
        if own.start >= span.end {
            break;
        }
        let mut token = token.clone();
        if let TokenKind::Word(word) = &token.kind {
            let cut = Span { start: own.start.max(span.start), end: own.end.min(span.end) };
            let range = (cut.start - own.start) as usize..(cut.end - own.start) as usize;
            let Some(part) = word.get(range).filter(|part| !part.is_empty()) else { continue };
            token.kind = TokenKind::Word(part.into());
            token.place.span = cut;
        } else if own.start < span.start || own.end > span.end {
            continue;
        }
        if out.is_empty() {
            token.glued = false;
        }
        out.push(token);
    }
    out
}

/// Tokens as text, for pasting into strings: one blank where there was white space, and a lone
/// string without its quotes.
pub(super) fn render(tokens: &[Token]) -> String {
    if let [Token { kind: TokenKind::Text(text), .. }] = tokens {
        return text.to_string();
    }
    let mut out = String::new();
    for token in tokens {
        if !token.glued && !token.is_close() && !out.is_empty() {
            out.push(' ');
        }
        match &token.kind {
            TokenKind::Open(bracket) => out.push(bracket.open()),
            TokenKind::Close(bracket) => out.push(bracket.close()),
            TokenKind::Word(word) => out.push_str(word),
            TokenKind::Text(text) => {
                out.push('"');
                out.push_str(text);
                out.push('"');
            }
        }
    }
    out
}

/// The index of the bracket that closes the one at `open`, or the end.
pub(super) fn closing(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0usize;
    for (index, token) in tokens.iter().enumerate().skip(open) {
        if token.is_open() {
            depth += 1;
        } else if token.is_close() {
            depth = depth.saturating_sub(1);
            if depth == 0 {
                return index;
            }
        }
    }
    tokens.len()
}

/// Number of tokens that expansion may still make before it is given up.
#[derive(Debug)]
pub(super) struct Budget(usize);

impl Budget {
    /// The largest public description has 80,000 tokens when expanded.
    pub(super) fn new() -> Budget {
        Budget(1_000_000)
    }

    /// Takes `count` tokens; `false` if fewer are left.
    pub(super) fn take(&mut self, count: usize) -> bool {
        let left = self.0.checked_sub(count).filter(|_| meter::work(10 * (1 + count as u64)));
        self.0 = left.unwrap_or(0);
        left.is_some()
    }

    pub(super) fn is_spent(&self) -> bool {
        self.0 == 0
    }
}
