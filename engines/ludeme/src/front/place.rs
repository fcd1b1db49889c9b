use crate::limits::MAX_NOTES;
use std::sync::Arc;

use text::{Diagnostic, Span};

/// The origin of a piece of the expanded description: its span in the file of the user, and the
/// calls of macros and the option tags that brought it to its present place.
///
/// Pieces of library macros have the span of the call in the user's file. A span ends with its
/// first line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The span in the user's file.
    pub span: Span,
    /// The innermost call or tag that it came through, if any.
    pub via: Option<Arc<Via>>,
}

/// One replacement between the text and the expanded description.
#[derive(Debug, PartialEq, Eq)]
pub struct Via {
    /// The sort of text that was replaced.
    pub what: Replaced,
    /// Name of the macro without quotes, or the option tag without its brackets.
    pub name: Arc<str>,
    /// The span of the replaced text in the user's file.
    pub at: Span,
    /// The replacement that had put the replaced text there, if one had.
    pub outer: Option<Arc<Via>>,
    /// Number of nested replacements, with this one.
    pub depth: u32,
    /// The number of the first parameter of the macro for which the call has no argument, not even
    /// `~`.
    pub lacks: Option<u8>,
}

/// The sort of text that a [`Via`] replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replaced {
    /// A call of a macro that the description defines.
    Macro,
    /// A call of a macro of the library.
    LibraryMacro,
    /// The tag of an option.
    Tag,
}

impl Place {
    /// A place in the user's own text, outside all macros.
    pub fn new(span: Span) -> Place {
        Place { span, via: None }
    }

    /// An error at this place, with notes on the calls that lead to it.
    pub fn error(&self, code: &'static str, message: impl Into<String>) -> Diagnostic {
        self.with_notes(Diagnostic::error(code, self.span, message))
    }

    /// A warning at this place, with notes on the calls that lead to it.
    pub fn warning(&self, code: &'static str, message: impl Into<String>) -> Diagnostic {
        self.with_notes(Diagnostic::warning(code, self.span, message))
    }

    /// The replacements that lead to this place, from the innermost outwards.
    pub fn steps(&self) -> impl Iterator<Item = &Via> {
        std::iter::successors(self.via.as_deref(), |via| via.outer.as_deref())
    }

    /// Number of the replacements that lead to this place.
    pub(super) fn depth(&self) -> u32 {
        self.via.as_ref().map_or(0, |via| via.depth)
    }

    /// The replacement of the text at this place.
    pub(super) fn replaced(&self, what: Replaced, name: Arc<str>, lacks: Option<u8>) -> Arc<Via> {
        let depth = self.depth() + 1;
        Arc::new(Via { what, name, at: self.span, outer: self.via.clone(), depth, lacks })
    }

    fn with_notes(&self, mut diagnostic: Diagnostic) -> Diagnostic {
        for via in self.steps().take(MAX_NOTES) {
            let name = &via.name;
            diagnostic = match via.what {
                // The span is that of the call, so there is no second place to show.
                Replaced::LibraryMacro if via.at == self.span => diagnostic
                    .help(format!("it is in what the library macro \"{name}\" stands for")),
                Replaced::LibraryMacro => {
                    diagnostic.note(via.at, format!("in this call of the library macro \"{name}\""))
                }
                Replaced::Macro => {
                    let lacks = via.lacks.map_or_else(String::new, |number| {
                        format!(", which gives no argument #{number}")
                    });
                    diagnostic.note(via.at, format!("in this call of \"{name}\"{lacks}"))
                }
                Replaced::Tag => diagnostic.note(via.at, format!("which stands here for <{name}>")),
            };
        }
        diagnostic
    }
}
