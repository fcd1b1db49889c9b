//! A place in the tokens of a description, which reports what was expected there.

use text::{Diagnostic, Span};

use super::lex::{Kind, Token};
use crate::limits::MAX_DEPTH;
use crate::symbols::Symbols;
use crate::syntax::Name;

/// Words that are never names.
const RESERVED: [&str; 3] = ["const", "type", "var"];

/// A place in the tokens of a description.
pub(crate) struct Cursor<'a> {
    tokens: &'a [Token],
    at: usize,
    /// The end of the text.
    end: Span,
    depth: usize,
    /// Replacements of tokens that other languages have, to be named where such a token stands.
    pub(crate) hints: &'static [(&'static str, &'static str)],
    pub(crate) symbols: &'a mut Symbols,
    pub(crate) diagnostics: &'a mut Vec<Diagnostic>,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(
        tokens: &'a [Token],
        end: Span,
        symbols: &'a mut Symbols,
        diagnostics: &'a mut Vec<Diagnostic>,
    ) -> Cursor<'a> {
        Cursor { tokens, at: 0, end, depth: 0, hints: &[], symbols, diagnostics }
    }

    /// The next token.
    pub(crate) fn peek(&self) -> Option<Token> {
        self.tokens.get(self.at).copied()
    }

    /// The token behind so many others.
    pub(crate) fn peek_at(&self, ahead: usize) -> Option<Token> {
        self.tokens.get(self.at + ahead).copied()
    }

    /// True if nothing is left.
    pub(crate) fn done(&self) -> bool {
        self.at >= self.tokens.len()
    }

    /// The place of the next token, or the end of the text.
    pub(crate) fn span(&self) -> Span {
        self.peek().map_or(self.end, |token| token.span)
    }

    /// The place from `start` to the end of the last token.
    pub(crate) fn since(&self, start: Span) -> Span {
        self.at.checked_sub(1).map_or(start, |last| start.to(self.tokens[last].span))
    }

    /// Goes on by one token.
    pub(crate) fn skip(&mut self) {
        self.at += 1;
    }

    /// True if the next token is this mark.
    pub(crate) fn at_mark(&self, mark: &str) -> bool {
        self.mark_at(0, mark)
    }

    /// True if the token behind so many others is this mark.
    pub(crate) fn mark_at(&self, ahead: usize, mark: &str) -> bool {
        matches!(self.peek_at(ahead), Some(Token { kind: Kind::Mark(found), .. }) if found == mark)
    }

    /// True if the next token is this word.
    pub(crate) fn at_word(&self, word: &str) -> bool {
        self.word_at(0).is_some_and(|found| found == word)
    }

    /// The text of the name behind so many other tokens.
    pub(crate) fn word_at(&self, ahead: usize) -> Option<&str> {
        match self.peek_at(ahead)?.kind {
            Kind::Name(symbol) => Some(self.symbols.name(symbol)),
            Kind::Mark(_) => None,
        }
    }

    /// Reads the mark if it is next.
    pub(crate) fn eat(&mut self, mark: &str) -> bool {
        let found = self.at_mark(mark);
        self.at += usize::from(found);
        found
    }

    /// Reads the word if it is next.
    pub(crate) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        self.at += usize::from(found);
        found
    }

    /// Reads the mark, or reports that it is missing; `what` says where it belongs, as in "behind
    /// the type".
    pub(crate) fn expect(&mut self, mark: &str, what: &str) -> Option<()> {
        if self.eat(mark) {
            return Some(());
        }
        self.unexpected(&format!("expected `{mark}` {what}"));
        None
    }

    /// Reads a name, or reports that it is missing; `what` says which one.
    pub(crate) fn name(&mut self, what: &str) -> Option<Name> {
        match self.peek() {
            Some(Token { kind: Kind::Name(symbol), span }) => {
                if RESERVED.contains(&self.symbols.name(symbol)) {
                    self.unexpected(&format!("expected {what}; this word is reserved"));
                    return None;
                }
                self.skip();
                Some(Name { symbol, span })
            }
            _ => {
                self.unexpected(&format!("expected {what}"));
                None
            }
        }
    }

    /// Reports that the next token does not fit.
    pub(crate) fn unexpected(&mut self, label: &str) {
        let text = |token: Token| match token.kind {
            Kind::Name(symbol) => self.symbols.name(symbol),
            Kind::Mark(mark) => mark,
        };
        let found = self.peek().map(text);
        let before = self.at.checked_sub(1).and_then(|last| self.tokens.get(last));
        let before = before.copied().map(text).filter(|word| *word == "not");
        let message = match found {
            Some(found) => format!("unexpected `{found}`"),
            None => "this ends too early".to_owned(),
        };
        let mut diagnostic = Diagnostic::error("syntax", self.span(), message).label(label);
        let hint = |of: Option<&str>| self.hints.iter().find(|hint| of == Some(hint.0));
        if let Some(hint) = hint(found).or_else(|| hint(before)) {
            diagnostic = diagnostic.help(hint.1);
        }
        self.diagnostics.push(diagnostic);
    }

    /// Reports that the next token does not fit, and what to write.
    pub(crate) fn unexpected_but(&mut self, label: &str, help: &str) {
        self.unexpected(label);
        if let Some(last) = self.diagnostics.last_mut() {
            last.help = vec![help.to_owned()];
        }
    }

    /// Reads something that may contain its like, or reports that it is nested too deep.
    pub(crate) fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.depth == MAX_DEPTH {
            let message = format!("nested more than {MAX_DEPTH} deep");
            self.diagnostics.push(
                Diagnostic::error("too-deep", self.span(), message)
                    .help("give the inner part a name of its own"),
            );
            return None;
        }
        self.depth += 1;
        let read = read(self);
        self.depth -= 1;
        read
    }
}
