//! The tools that all front ends share: source text with line positions, diagnostics with a span, a
//! message and a hint, and the reader of bracketed text that `.lud` and `.kif` files are made of.
//!
//! Nothing here knows any language's meaning. Parsing never fails as a whole: a reader returns what
//! it understood together with all diagnostics it gathered.
#![warn(missing_docs)]

pub mod cases;
mod diagnostic;
mod encoding;
mod excerpt;
mod reader;
mod source;

pub use diagnostic::{
    Diagnostic, MAX_DIAGNOSTICS, Note, Severity, did_you_mean, keep_first, near_miss, too_large,
};
pub use reader::{Bracket, Flavour, MAX_DEPTH, Node, NodeKind, Tree, read};
pub use source::{Position, Source, Span, with_line_feeds};
