//! Forms of early descriptions, and what they are today.

use text::{Flavour, Node, Source, read};

/// A form of a call in early descriptions, with the form that means the same today.
///
/// Both are ludemes with variables: `<x>` stands for one argument, `<n>` for a whole number,
/// `"<x>"` for a string, `<x..>` for all arguments that are left, and, in the form of today, `<#x>`
/// for their number.
#[derive(Clone, Debug)]
pub struct Former {
    /// The form then: `(disc "<name>" <n>)`.
    pub then: &'static str,
    /// The form today: `(piece "<name>" P<n>)`.
    pub now: &'static str,
    pub(in crate::front) pattern: Node,
    pub(in crate::front) form: Node,
}

impl Former {
    /// Reads both forms; `None` if one is no call.
    pub(super) fn new(then: &'static str, now: &'static str) -> Option<Former> {
        let call = |text: &str| {
            let mut tree = read(&Source::new("former", text), Flavour::LUD);
            let one = tree.nodes.len() == 1 && tree.diagnostics.is_empty();
            tree.nodes.pop().filter(|node| one && node.head().is_some())
        };
        Some(Former { then, now, pattern: call(then)?, form: call(now)? })
    }

    /// The keyword of the form then.
    pub fn keyword(&self) -> &str {
        self.pattern.head().unwrap_or_default()
    }
}
