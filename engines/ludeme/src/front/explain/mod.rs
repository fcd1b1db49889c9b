//! Explanation of errors in a description that does not fit the grammar.
//!
//! The resolver only knows if a node fits. Here the nearest reading is sought: the signature that
//! needs the fewest changes, and in it a slot for each argument. Then every change is a diagnostic,
//! and the parts below are explained in turn, so that one pass names all errors.

mod arguments;
mod calls;
mod reading;
mod words;

use text::{Bracket, Diagnostic, near_miss};

use crate::front::grammar::{Kind, Ludeme, Type, TypeId};
use crate::front::place::{Place, Replaced};
use crate::front::resolve::{Resolver, boolean, is_coordinate};
use crate::front::tree::{NodeId, NodeKind};

/// Most items in lists of alternatives in messages.
const MAX_SHOWN: usize = 24;

/// Finds the reasons why a tree does not fit, and collects them in [`Explainer::found`].
pub(super) struct Explainer<'r, 'a, 'n> {
    resolver: &'r mut Resolver<'a>,
    /// Names of the macros of the description and of the library, sorted.
    macros: &'n [&'n str],
    /// The diagnostics so far.
    pub(super) found: Vec<Diagnostic>,
}

/// The role of an argument in its call, for messages.
struct Role<'s> {
    /// `argument 2`, or the name with its colon.
    which: String,
    /// The name of the signature; empty for the description as a whole and for items of arrays.
    of: &'s str,
    /// The call that it is an argument of.
    call: Option<NodeId>,
}

impl<'r, 'a, 'n> Explainer<'r, 'a, 'n> {
    pub(super) fn new(
        resolver: &'r mut Resolver<'a>,
        macros: &'n [&'n str],
    ) -> Explainer<'r, 'a, 'n> {
        Explainer { resolver, macros, found: Vec::new() }
    }

    /// Reports why a node is no call of this kind.
    pub(super) fn root(&mut self, id: NodeId, ty: TypeId) {
        self.value(id, &[ty], &Role { which: "it".to_owned(), of: "", call: None });
    }

    /// Reports calls that are neither of a ludeme nor of a macro, and ludemes outside brackets, at
    /// any place. This is possible even if brackets are missing, so that it is unknown which call
    /// has which arguments.
    pub(super) fn scan(&mut self) {
        let tree = self.resolver.tree;
        let role = Role { which: String::new(), of: "", call: None };
        for id in tree.ids() {
            if self.has_enough() {
                return;
            }
            let NodeKind::List(bracket, items) = &tree.node(id).kind else { continue };
            let mut arguments = &items[..];
            if *bracket == Bracket::Round {
                arguments = &items[1..];
                match &tree.node(items[0]).kind {
                    NodeKind::Word(keyword)
                        if self.resolver.grammar.with_keyword(keyword).next().is_none()
                            && !self.resolver.grammar.is_unsupported(keyword) =>
                    {
                        self.unknown_ludeme(id, keyword, arguments, &[], &role);
                    }
                    NodeKind::Text(name) => self.unknown_macro(items[0], name),
                    _ => {}
                }
            }
            for &argument in arguments {
                if let NodeKind::Word(word) = &tree.node(argument).kind {
                    self.missing_brackets(argument, word, &[]);
                }
            }
        }
    }

    /// Reports all calls in forms of older descriptions, also in parts that are wrong by themselves
    /// and so have not been examined.
    pub(super) fn former_ludemes(&mut self) {
        let tree = self.resolver.tree;
        let grammar = self.resolver.grammar;
        let role = Role { which: String::new(), of: "", call: None };
        for id in tree.ids() {
            let Some(keyword) = tree.keyword(id) else { continue };
            if self.has_enough() {
                return;
            }
            if !self.former(id)
                && grammar.former(keyword).next().is_some()
                && grammar.with_keyword(keyword).next().is_none()
            {
                self.unknown_ludeme(id, keyword, &[], &[], &role);
            }
        }
    }

    /// Reports a word that is a ludeme without its brackets, if the ludeme gives a wanted kind, or
    /// if its name has no other meaning.
    fn missing_brackets(&mut self, id: NodeId, word: &str, wanted: &[Kind]) -> bool {
        let grammar = self.resolver.grammar;
        let gives: Vec<Kind> = grammar.with_keyword(word).map(Ludeme::kind).collect();
        let is_wanted =
            gives.iter().any(|&kind| wanted.iter().any(|&wanted| grammar.is_a(kind, wanted)));
        let is_nothing_else =
            !gives.is_empty() && grammar.constants(word).is_empty() && word.len() > 1;
        if is_wanted || is_nothing_else {
            let diagnostic = self
                .place(id)
                .error("missing-brackets", format!("the ludeme `{word}` stands outside brackets"))
                .help(format!("write `({word} ..)`"));
            self.push(diagnostic);
        }
        is_wanted || is_nothing_else
    }

    /// True if there are more errors than anybody will read.
    fn has_enough(&self) -> bool {
        self.found.len() >= super::MAX_DIAGNOSTICS
    }

    fn push(&mut self, diagnostic: Diagnostic) {
        self.found.push(diagnostic);
    }

    fn place(&self, id: NodeId) -> &Place {
        &self.resolver.tree.node(id).place
    }

    /// Reports why a node is of none of the types.
    fn value(&mut self, id: NodeId, types: &[TypeId], role: &Role<'_>) {
        if self.has_enough() || self.macro_for_name(id, types, role) {
            return;
        }
        let tree = self.resolver.tree;
        match &tree.node(id).kind {
            NodeKind::Bad => {}
            NodeKind::Word(word) => self.word(id, word, types, role),
            NodeKind::Text(text) => self.text(id, text, types, role),
            NodeKind::List(Bracket::Curly, items) => self.array(id, items, types, role),
            NodeKind::List(Bracket::Round, items) => match &tree.node(items[0]).kind {
                NodeKind::Word(_) if self.former(id) => {}
                NodeKind::Word(keyword) => self.call(id, keyword, &items[1..], types, role),
                NodeKind::Text(name) => self.unknown_macro(items[0], name),
                NodeKind::Bad => {}
                NodeKind::List(..) => {
                    let diagnostic = self
                        .place(items[0])
                        .error("no-keyword", "a call begins with the name of a ludeme")
                        .label("expected a ludeme name, found a list");
                    self.push(diagnostic);
                }
            },
        }
    }

    /// Reports a macro with the name that a string was to have, so that its text replaced the
    /// string.
    fn macro_for_name(&mut self, id: NodeId, types: &[TypeId], role: &Role<'_>) -> bool {
        let place = self.place(id).clone();
        let (Some(via), Some(call)) = (&place.via, role.call) else { return false };
        let is_call = self.place(call).via != place.via && via.what != Replaced::Tag;
        if !is_call || !self.resolver.fits_text_sort(types) {
            return false;
        }
        let outer = Place { span: via.at, via: via.outer.clone() };
        let mut diagnostic = outer
            .error(
                "macro-for-name",
                format!("\"{0}\" is the name of a macro, and cannot name anything else", via.name),
            )
            .label(format!("{} must be {}", role.subject(), self.wanted(types)));
        if via.what == Replaced::Macro {
            diagnostic = diagnostic.note(place.span, "this is put in its place");
        }
        self.push(diagnostic.help("give one of the two another name"));
        true
    }

    fn text(&mut self, id: NodeId, text: &str, types: &[TypeId], role: &Role<'_>) {
        let place = self.place(id).clone();
        let wanted = self.wanted(types);
        if self.resolver.fits_text_sort(types) {
            // A string is wanted, but one of another form.
            let (found, hint) = if is_coordinate(text) {
                (
                    "a coordinate",
                    "digits behind at most two letters make a string a coordinate; choose another \
                     name",
                )
            } else {
                ("a name", "a coordinate is one or two letters and a number, as in \"C4\"")
            };
            let diagnostic = place
                .error("wrong-type", format!("{} must be {wanted}, found {found}", role.subject()))
                .help(hint);
            return self.push(diagnostic);
        }
        if let Some(item) = self.array_of(id, types) {
            return self.wrap(&place, &item);
        }
        let mut diagnostic = place.error(
            "wrong-type",
            format!("{} must be {wanted}, found the string \"{text}\"", role.subject()),
        );
        if let Some(near) = near_miss(text, self.macros.iter().copied()) {
            diagnostic.code = "unknown-macro";
            diagnostic = diagnostic
                .label("no macro has this name")
                .help(format!("did you mean the macro \"{near}\"?"));
        } else {
            diagnostic = diagnostic
                .label("this is neither the name of a macro nor a name that is wanted here")
                .help(self.example(types));
        }
        self.push(diagnostic);
    }

    fn word(&mut self, id: NodeId, word: &str, types: &[TypeId], role: &Role<'_>) {
        let place = self.place(id).clone();
        let grammar = self.resolver.grammar;
        if let Some(item) = self.array_of(id, types) {
            return self.wrap(&place, &item);
        }
        let wanted_kinds: Vec<Kind> = self.kinds(types);
        let constants = grammar.constants(word);
        if self.missing_brackets(id, word, &wanted_kinds) {
            return;
        }
        let enums: Vec<_> = types
            .iter()
            .filter_map(|&ty| match grammar.ty(ty) {
                Type::Enum(id) => Some(*id),
                _ => None,
            })
            .collect();
        let names: Vec<&str> = enums
            .iter()
            .flat_map(|&id| &grammar.enumeration(id).constants)
            .map(|constant| constant.word().as_str())
            .collect();
        let is_name = word.starts_with(char::is_alphabetic) && boolean(word).is_none();
        if is_name && constants.is_empty() && (!names.is_empty() || wanted_kinds.is_empty()) {
            let mut diagnostic = place
                .error("unknown-constant", format!("there is no constant `{word}`"))
                .label(format!("{} must be {}", role.subject(), self.wanted(types)));
            diagnostic = match near_miss(word, names.iter().copied()) {
                Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
                None => diagnostic.help(allowed(&names)),
            };
            return self.push(diagnostic);
        }
        let found = self.describe(id);
        let mut diagnostic = place.error(
            "wrong-type",
            format!("{} must be {}, found {found}", role.subject(), self.wanted(types)),
        );
        if names.is_empty() || constants.is_empty() {
            diagnostic = diagnostic.help(self.example(types));
        } else {
            diagnostic = diagnostic.help(allowed(&names));
        }
        self.push(diagnostic);
    }

    fn array(&mut self, id: NodeId, items: &[NodeId], types: &[TypeId], role: &Role<'_>) {
        let grammar = self.resolver.grammar;
        let place = self.place(id).clone();
        // The array, among several that are wanted, that most items fit.
        let best = types
            .iter()
            .filter_map(|&ty| match grammar.ty(ty) {
                Type::Array(item) => Some(item.clone()),
                _ => None,
            })
            .map(|types| {
                let cost: u32 = items.iter().map(|&item| self.distance_to_any(item, &types)).sum();
                (cost, types)
            })
            .min_by_key(|(cost, _)| *cost);
        let Some((_, item_types)) = best else {
            let diagnostic = match items {
                [item] if types.iter().any(|&ty| self.resolver.fits(*item, ty)) => place
                    .error("array-for-item", format!("{} is one item and no array", role.subject()))
                    .help("write it without braces"),
                _ => {
                    let wanted = self.wanted(types);
                    let diagnostic = place.error(
                        "array-for-item",
                        format!("{} must be {wanted}, found an array", role.subject()),
                    );
                    // An array literal is no list that functions take.
                    if self.kinds(types).contains(&Kind::Ints) {
                        diagnostic.help("a list of integers is written (array { 1 2 3 })")
                    } else {
                        diagnostic.help(self.example(types))
                    }
                }
            };
            return self.push(diagnostic);
        };
        for (index, &item) in items.iter().enumerate() {
            if let Some(name) = &self.resolver.tree.node(item).name {
                let diagnostic = name
                    .place
                    .error(
                        "name-in-array",
                        format!("an item of an array has no name, found `{}:`", name.text),
                    )
                    .help("close the brace before it, or delete the name");
                self.push(diagnostic);
            } else if !item_types.iter().any(|&ty| self.resolver.fits(item, ty)) {
                let which = format!("item {} of {}", index + 1, role.subject());
                self.value(item, &item_types, &Role { which, of: "", call: role.call });
            }
        }
    }

    fn wrap(&mut self, place: &Place, array: &str) {
        let diagnostic = place
            .error("item-for-array", format!("expected {array}, found one item without braces"))
            .help("wrap it in braces: { .. }");
        self.push(diagnostic);
    }
}

/// The allowed names, for help.
fn allowed(names: &[&str]) -> String {
    let mut shown = names.to_vec();
    shown.dedup();
    let more = shown.len().saturating_sub(MAX_SHOWN);
    shown.truncate(MAX_SHOWN);
    let end = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("allowed here: {}{end}", shown.join(" "))
}
