//! The errors and warnings of the checks, each once: an expanded description has many edges from one
//! place of the text.

use rustc_hash::FxHashSet;
use text::{Diagnostic, MAX_DIAGNOSTICS, Span};

use crate::symbols::{Symbol, Symbols};

/// The most names that a misspelt one is compared with.
const MAX_CANDIDATES: usize = 2000;

/// The diagnostics of the checks.
pub(super) struct Report<'a> {
    diagnostics: &'a mut Vec<Diagnostic>,
    said: FxHashSet<(Span, String)>,
    /// The number of errors.
    pub(super) errors: usize,
}

impl Report<'_> {
    pub(super) fn new(diagnostics: &mut Vec<Diagnostic>) -> Report<'_> {
        Report { diagnostics, said: FxHashSet::default(), errors: 0 }
    }

    /// Adds a diagnostic, unless the same has been said of the same place.
    pub(super) fn push(&mut self, diagnostic: Diagnostic) {
        self.errors += usize::from(diagnostic.is_error());
        if self.said.insert((diagnostic.span, diagnostic.message.clone())) {
            self.diagnostics.push(diagnostic);
        }
    }

    /// True if there are far more diagnostics than anybody is shown.
    pub(super) fn full(&self) -> bool {
        self.said.len() > 10 * MAX_DIAGNOSTICS
    }

    /// Adds a diagnostic that suggests one of some names for a misspelt one.
    pub(super) fn push_near(
        &mut self,
        diagnostic: Diagnostic,
        symbols: &Symbols,
        found: Symbol,
        candidates: impl IntoIterator<Item = Symbol>,
    ) {
        let shown = self.said.len() <= MAX_DIAGNOSTICS;
        let candidates = candidates
            .into_iter()
            .filter(|&symbol| symbol != found)
            .take(if shown { MAX_CANDIDATES } else { 0 })
            .map(|symbol| symbols.name(symbol));
        self.push(diagnostic.suggest(symbols.name(found), candidates));
    }
}
