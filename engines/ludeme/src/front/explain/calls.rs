//! Errors about calls that no signature fits.

use text::near_miss;

use super::reading::Reading;
use super::{Explainer, Role, allowed};
use crate::front::grammar::{Ludeme, Signature, TypeId, capitalised};
use crate::front::modern;
use crate::front::resolve::boolean;
use crate::front::tree::{NodeId, NodeKind};

impl Explainer<'_, '_, '_> {
    pub(super) fn unknown_macro(&mut self, id: NodeId, name: &str) {
        let diagnostic = self
            .place(id)
            .error("unknown-macro", format!("there is no macro \"{name}\""))
            .label("a string behind an opening bracket calls a macro")
            .suggest(name, self.macros.iter().copied())
            .help(format!(
                "define it with (define \"{name}\" ..), or write the name of a ludeme \
                without quotes"
            ));
        self.push(diagnostic);
    }

    pub(super) fn call(
        &mut self,
        id: NodeId,
        keyword: &str,
        arguments: &[NodeId],
        types: &[TypeId],
        role: &Role<'_>,
    ) {
        let grammar = self.resolver.grammar;
        let wanted_kinds = self.kinds(types);
        let signatures: Vec<&'static Signature> =
            grammar.with_keyword(keyword).map(Ludeme::signature).collect();
        if signatures.is_empty() {
            return self.unknown_ludeme(id, keyword, arguments, types, role);
        }
        let fitting: Vec<&'static Signature> = signatures
            .iter()
            .copied()
            .filter(|s| wanted_kinds.iter().any(|&wanted| grammar.is_a(s.kind, wanted)))
            .collect();
        if !fitting.is_empty() {
            return self.overloads(id, keyword, arguments, &fitting);
        }
        let place = self.place(id).clone();
        if let Some(item) = self.array_of(id, types) {
            self.wrap(&place, &item);
            return;
        }
        let message = format!(
            "{} must be {}, found {}",
            role.subject(),
            self.wanted(types),
            self.describe(id)
        );
        let diagnostic = place.error("wrong-type", message).help(self.example(types));
        self.push(match modern::general(keyword) {
            Some(forms) => diagnostic.help(format!("in older descriptions {forms}")),
            None => diagnostic,
        });
    }

    /// Reports a call in a form of older descriptions. Returns false if it has none.
    pub(super) fn former(&mut self, id: NodeId) -> bool {
        let tree = self.resolver.tree;
        let Some((keyword, now)) = tree.keyword(id).zip(modern::today(tree, id)) else {
            return false;
        };
        let message = match self.resolver.grammar.with_keyword(keyword).next() {
            Some(_) => format!("this form of `{keyword}` is of older descriptions"),
            None => format!("`{keyword}` is a ludeme of older descriptions"),
        };
        let diagnostic = self.place(id).error("former-ludeme", message);
        self.push(diagnostic.help(format!("today it is written {now}")));
        true
    }

    pub(super) fn unknown_ludeme(
        &mut self,
        id: NodeId,
        keyword: &str,
        arguments: &[NodeId],
        types: &[TypeId],
        role: &Role<'_>,
    ) {
        let grammar = self.resolver.grammar;
        let place = self.place(id).clone();
        let wanted = self.kinds(types);
        if self.former(id) {
            return;
        }
        if let Some(forms) = modern::general(keyword) {
            let message = format!("`{keyword}` is a ludeme of older descriptions");
            return self.push(place.error("former-ludeme", message).help(forms));
        }
        if keyword.starts_with(char::is_uppercase) {
            let first = keyword.chars().next().map_or(0, char::len_utf8);
            let lower = format!("{}{}", keyword[..first].to_lowercase(), &keyword[first..]);
            if grammar.with_keyword(&lower).next().is_some() {
                let diagnostic = place
                    .error("upper-case-ludeme", format!("there is no ludeme `{keyword}`"))
                    .help(format!("ludeme names start lower-case: `{lower}`"));
                return self.push(diagnostic);
            }
        }
        let mut names: Vec<&str> = grammar
            .keywords()
            .filter(|name| {
                types.is_empty()
                    || grammar.with_keyword(name).any(|ludeme| {
                        let kind = ludeme.signature().kind;
                        wanted.iter().any(|&wanted| grammar.is_a(kind, wanted))
                    })
            })
            .collect();
        let mut diagnostic =
            place.error("unknown-ludeme", format!("there is no ludeme `{keyword}`"));
        if !types.is_empty() {
            diagnostic =
                diagnostic.label(format!("{} must be {}", role.subject(), self.wanted(types)));
        }
        // Prefers, among near names, the one that the first argument selects.
        let selected = names.iter().copied().filter(|name| {
            grammar.with_keyword(name).map(Ludeme::signature).any(|signature| {
                !signature.selectors.is_empty()
                    && self.resolver.selected(signature, arguments).is_some()
            })
        });
        let near = near_miss(keyword, selected);
        diagnostic = if let Some(near) = near.or_else(|| near_miss(keyword, names.iter().copied()))
        {
            diagnostic.help(format!("did you mean `{near}`?"))
        } else if let Some(near) = near_miss(keyword, grammar.keywords()) {
            let kinds: Vec<&str> = grammar
                .with_keyword(near)
                .map(|ludeme| grammar.kind(ludeme.kind()).words)
                .take(1)
                .collect();
            diagnostic.help(format!("did you mean `{near}`? It gives {}", kinds.join("")))
        } else if self.macros.contains(&keyword) {
            diagnostic.help(format!("a macro is called with quotes: (\"{keyword}\" ..)"))
        } else if types.is_empty() {
            diagnostic
        } else {
            names.retain(|name| name.chars().all(char::is_alphanumeric));
            diagnostic.help(allowed(&names))
        };
        self.push(diagnostic);
    }

    /// Reports why none of several signatures fits a call.
    pub(super) fn overloads(
        &mut self,
        id: NodeId,
        keyword: &str,
        arguments: &[NodeId],
        signatures: &[&'static Signature],
    ) {
        // Selecting constants decide, and the longest row of them comes first.
        let selected = signatures
            .iter()
            .filter_map(|&s| {
                let rest = self.resolver.selected(s, arguments)?;
                Some((s.selectors.len(), s, rest.to_vec()))
            })
            .collect::<Vec<_>>();
        let longest = selected.iter().map(|(length, ..)| *length).max().unwrap_or(0);
        let candidates: Vec<(&Signature, Vec<NodeId>)> = selected
            .into_iter()
            .filter(|(length, ..)| *length == longest)
            .map(|(_, signature, rest)| (signature, rest))
            .collect();
        let best = candidates
            .iter()
            .map(|(signature, rest)| (self.read(signature, rest), *signature, rest))
            .min_by_key(|(reading, ..)| reading.cost);
        let is_selecting = signatures.iter().any(|s| !s.selectors.is_empty());
        // A reading without a selector is not taken if one seems to be meant.
        let unselected = longest == 0 && is_selecting;
        match best {
            Some((reading, signature, rest))
                if !unselected || !self.looks_selected(arguments, &reading) =>
            {
                self.report(id, signature, rest, &reading);
            }
            _ => self.unknown_selector(id, keyword, arguments, signatures),
        }
    }

    /// True if the first argument looks like a selecting constant rather than like an argument that
    /// the reading has a slot for.
    pub(super) fn looks_selected(&self, arguments: &[NodeId], reading: &Reading) -> bool {
        let Some(&first) = arguments.first() else { return reading.cost > 0 };
        let node = self.resolver.tree.node(first);
        match &node.kind {
            NodeKind::Word(word) => {
                node.name.is_none()
                    && word.starts_with(char::is_alphabetic)
                    && boolean(word).is_none()
                    && (self.resolver.grammar.constants(word).is_empty()
                        || reading.placed.first().is_none_or(Option::is_none))
            }
            _ => false,
        }
    }

    pub(super) fn unknown_selector(
        &mut self,
        id: NodeId,
        keyword: &str,
        arguments: &[NodeId],
        signatures: &[&'static Signature],
    ) {
        // The constants that are possible in place of the first wrong one.
        let given: Vec<&str> = arguments
            .iter()
            .map_while(|&id| match &self.resolver.tree.node(id).kind {
                NodeKind::Word(word) => Some(&**word),
                _ => None,
            })
            .collect();
        let right = signatures
            .iter()
            .map(|s| {
                s.selectors.iter().zip(&given).take_while(|(a, b)| **a == capitalised(b)).count()
            })
            .max()
            .unwrap_or(0);
        let mut names: Vec<&str> = signatures
            .iter()
            .filter(|s| s.selectors.len() > right)
            .filter(|s| {
                s.selectors.iter().zip(&given).take(right).all(|(a, b)| *a == capitalised(b))
            })
            .map(|s| s.selectors[right])
            .collect();
        names.sort_unstable();
        names.dedup();
        let front = std::iter::once(keyword).chain(given[..right].iter().copied());
        let front = front.collect::<Vec<_>>().join(" ");
        let diagnostic = match arguments.get(right) {
            Some(&wrong) => {
                let shown = match &self.resolver.tree.node(wrong).kind {
                    NodeKind::Word(word) => (**word).to_owned(),
                    _ => String::new(),
                };
                let place = self.place(wrong);
                if shown.is_empty() {
                    place
                        .error(
                            "missing-selector",
                            format!("`{front}` needs a constant that says which one"),
                        )
                        .label("expected a constant before this")
                        .help(allowed(&names))
                } else {
                    let diagnostic =
                        place.error("unknown-constant", format!("there is no `{front} {shown}`"));
                    match near_miss(&shown, names.iter().copied()) {
                        Some(near) => diagnostic.help(format!("did you mean `{front} {near}`?")),
                        None => diagnostic.help(allowed(&names)),
                    }
                }
            }
            None => self
                .place(id)
                .error(
                    "missing-selector",
                    format!("`{front}` needs a constant that says which one"),
                )
                .help(allowed(&names)),
        };
        self.push(diagnostic);
    }
}
