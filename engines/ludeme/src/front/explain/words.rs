//! Words for messages.

use text::Bracket;

use super::{Explainer, Role};
use crate::front::grammar::{Kind, Type, TypeId, one_of};
use crate::front::resolve::{boolean, integer, number};
use crate::front::tree::{NodeId, NodeKind};

impl Explainer<'_, '_, '_> {
    /// A node in a few words.
    pub(super) fn describe(&self, id: NodeId) -> String {
        let grammar = self.resolver.grammar;
        match &self.resolver.tree.node(id).kind {
            NodeKind::Bad => "something unclear".to_owned(),
            NodeKind::Text(text) => format!("the string \"{text}\""),
            NodeKind::Word(word) if integer(word).is_some() => "an integer".to_owned(),
            NodeKind::Word(word) if number(word).is_some() => "a real number".to_owned(),
            NodeKind::Word(word) if boolean(word).is_some() => "a truth value".to_owned(),
            NodeKind::Word(word) if !grammar.constants(word).is_empty() => {
                format!("the constant `{word}`")
            }
            NodeKind::Word(word) => format!("the word `{word}`"),
            NodeKind::List(Bracket::Curly, _) => "an array".to_owned(),
            NodeKind::List(Bracket::Round, _) => {
                let keyword = self.resolver.tree.keyword(id).unwrap_or_default();
                let mut kinds: Vec<&str> = grammar
                    .with_keyword(keyword)
                    .map(|ludeme| grammar.kind(ludeme.kind()).words)
                    .collect();
                kinds.sort_unstable();
                kinds.dedup();
                match kinds.as_slice() {
                    [] => format!("a call of `{keyword}`"),
                    kinds => format!("{} of `{keyword}`", one_of(kinds)),
                }
            }
        }
    }

    /// The item type, in words, when one of the types is an array that the node could be an item
    /// of.
    pub(super) fn array_of(&mut self, id: NodeId, types: &[TypeId]) -> Option<String> {
        let grammar = self.resolver.grammar;
        types.iter().find_map(|&ty| {
            let Type::Array(items) = grammar.ty(ty) else { return None };
            items.iter().any(|&item| self.resolver.fits(id, item)).then(|| grammar.words(ty))
        })
    }

    /// The kinds among the types.
    pub(super) fn kinds(&self, types: &[TypeId]) -> Vec<Kind> {
        let grammar = self.resolver.grammar;
        let kinds = types.iter().filter_map(|&ty| match grammar.ty(ty) {
            Type::Kind(kind) => Some(*kind),
            _ => None,
        });
        kinds.collect()
    }

    /// The types in words.
    pub(super) fn wanted(&self, types: &[TypeId]) -> String {
        let mut words: Vec<String> =
            types.iter().map(|&ty| self.resolver.grammar.words(ty)).collect();
        words.dedup();
        one_of(&words)
    }

    /// The form of values of these types, with examples.
    pub(super) fn example(&self, types: &[TypeId]) -> String {
        let examples: Vec<String> =
            types.iter().filter_map(|&ty| self.resolver.grammar.example(ty)).take(2).collect();
        format!("write for example {}", one_of(&examples))
    }
}

impl Role<'_> {
    /// `argument 1 of `is Line``.
    pub(super) fn subject(&self) -> String {
        if self.of.is_empty() {
            self.which.clone()
        } else {
            format!("{} of `{}`", self.which, self.of)
        }
    }
}
