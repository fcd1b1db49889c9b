//! A cursor over expanded tokens, which reports what was expected.

use crate::limits::MAX_MESSAGES;
use text::{Diagnostic, Span};

use super::lex::{Sym, Tok, Token, Words};
use super::macros::Expanded;

/// A place in the tokens of a section.
pub(crate) struct Cursor<'a> {
    tokens: &'a [Token],
    at: usize,
    end: Span,
    words: &'a Words,
    expanded: &'a Expanded,
    pub(crate) diagnostics: &'a mut Vec<Diagnostic>,
    budget: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(
        tokens: &'a [Token],
        end: Span,
        words: &'a Words,
        expanded: &'a Expanded,
        diagnostics: &'a mut Vec<Diagnostic>,
    ) -> Cursor<'a> {
        Cursor { tokens, at: 0, end, words, expanded, diagnostics, budget: MAX_MESSAGES }
    }

    pub(crate) fn peek(&self) -> Option<Token> {
        self.tokens.get(self.at).copied()
    }

    pub(crate) fn next(&mut self) -> Option<Token> {
        let token = self.peek();
        self.at += usize::from(token.is_some());
        token
    }

    pub(crate) fn done(&self) -> bool {
        self.at >= self.tokens.len()
    }

    /// True if `mark` is the next token.
    pub(crate) fn at_mark(&self, mark: &str) -> bool {
        self.peek().is_some_and(|t| t.is(mark))
    }

    /// Reads `mark` if it is the next token.
    pub(crate) fn eat(&mut self, mark: &str) -> bool {
        let found = self.at_mark(mark);
        self.at += usize::from(found);
        found
    }

    /// Reads `mark`, or reports that it is missing.
    pub(crate) fn expect(&mut self, mark: &str, why: &str) -> Option<()> {
        if self.eat(mark) {
            return Some(());
        }
        self.unexpected(&format!("expected `{mark}` {why}"));
        None
    }

    pub(crate) fn text(&self, sym: Sym) -> &'a str {
        self.words.text(sym)
    }

    /// A token as it would be written.
    pub(crate) fn show(&self, token: &Token) -> String {
        match token.tok {
            Tok::Word(sym) => self.words.text(sym).to_owned(),
            Tok::Number(number) => number.to_string(),
            Tok::Mark(mark) => mark.to_owned(),
        }
    }

    /// Reports that the next token does not fit.
    pub(crate) fn unexpected(&mut self, label: &str) {
        match self.peek() {
            Some(token) => {
                let message = format!("unexpected `{}`", self.show(&token));
                let diagnostic = Diagnostic::error("syntax", token.span, message).label(label);
                self.report(diagnostic, &token);
            }
            None => {
                if self.budget > 0 {
                    self.budget -= 1;
                    self.diagnostics.push(
                        Diagnostic::error("syntax", self.end, "this ends too early").label(label),
                    );
                }
            }
        }
    }

    /// Reports an error at a token, with the macros that brought it there.
    pub(crate) fn report(&mut self, diagnostic: Diagnostic, token: &Token) {
        if self.budget > 0 {
            self.budget -= 1;
            let diagnostic = self.expanded.explain(diagnostic, token, self.words);
            self.diagnostics.push(diagnostic);
        }
    }

    /// Adds a help line to the last message.
    pub(crate) fn add_help(&mut self, help: &str) {
        if let Some(last) = self.diagnostics.last_mut() {
            last.help.push(help.to_owned());
        }
    }

    /// True if the next brackets hold a `;`, as those of the arguments of a macro do.
    pub(crate) fn call_follows(&self) -> bool {
        // Looking ahead takes time, and is of no use if no more errors are reported.
        let close = if self.budget > 0 { self.closing() } else { self.at };
        self.tokens[self.at..close].iter().any(|t| t.is(";"))
    }

    /// Skips the next brackets.
    pub(crate) fn skip_brackets(&mut self) {
        self.at = (self.closing() + 1).min(self.tokens.len());
    }

    /// Index of the `)` that closes the next `(`.
    fn closing(&self) -> usize {
        let mut depth = 0usize;
        for (i, token) in self.tokens.iter().enumerate().skip(self.at) {
            depth += usize::from(token.is("("));
            if token.is(")") {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return i;
                }
            }
        }
        self.tokens.len()
    }

    /// True if no more messages are collected, so that near misses need not be searched.
    pub(crate) fn is_full(&self) -> bool {
        self.budget == 0
    }

    /// The names of all macros, for near misses.
    pub(crate) fn macros(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let words = self.words;
        let wanted = if self.is_full() { 0 } else { usize::MAX };
        self.expanded.macros.iter().take(wanted).map(|&sym| words.text(sym))
    }

    /// Skips to behind the next of these marks, or to before it, whether brackets are balanced or
    /// not.
    pub(crate) fn skip_to(&mut self, marks: &[&str]) {
        while let Some(token) = self.peek() {
            if marks.iter().any(|mark| token.is(mark)) {
                return;
            }
            self.at += 1;
        }
    }
}
