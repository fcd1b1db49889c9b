//! The types: names resolved, sets numbered, and which values fit where.

use rustc_hash::FxHashSet;
use text::{Diagnostic, Span};

use super::check::Checker;
use crate::automaton::{Set, SetId, Shape};
use crate::limits::{MAX_CELLS, MAX_DEPTH, MAX_PLACES};
use crate::symbols::Symbol;
use crate::syntax::{Name, Type};

/// The most members of a set in a message.
const SHOWN: usize = 8;

/// The type of an expression: a map from each of `keys` in turn, or a symbol.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Ty {
    pub(super) keys: Vec<SetId>,
    pub(super) values: Members,
}

/// The symbols that an expression can be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Members {
    Set(SetId),
    One(Symbol),
}

impl Ty {
    /// The type of all values of a shape.
    pub(super) fn of(shape: &Shape) -> Ty {
        Ty { keys: shape.keys.clone(), values: Members::Set(shape.values) }
    }

    /// The type of all members of a set.
    pub(super) fn set(set: SetId) -> Ty {
        Ty { keys: Vec::new(), values: Members::Set(set) }
    }

    /// The type of a symbol itself.
    pub(super) fn one(symbol: Symbol) -> Ty {
        Ty { keys: Vec::new(), values: Members::One(symbol) }
    }
}

impl Checker<'_> {
    /// Reads all types.
    pub(super) fn read_types(&mut self) {
        let (built_in, declared) = (self.built_in, &self.declarations.types);
        let numbers = self.distinct("type", declared.iter().map(|ty| ty.name));
        self.written = numbers.into_iter().map(|(name, at)| (name, &declared[at])).collect();
        for (name, example) in
            [(built_in.player, "{ white, black }"), (built_in.score, "{ 0, 50, 100 }")]
        {
            if !self.written.contains_key(&name.symbol) && self.unread.insert(name.symbol) {
                let text = self.name(name);
                let message = format!("there is no type `{text}`");
                let diagnostic = Diagnostic::error("missing-type", Span::at(0), message)
                    .help(format!("declare it, as in `type {text} = {example};`"));
                self.report(self.near(diagnostic, text, self.type_texts()));
            } else if self.named(name).is_some_and(|shape| !shape.keys.is_empty()) {
                let message = format!("type `{}` is no set", self.name(name));
                let span = self.written[&name.symbol].ty.span();
                self.error("built-in-type", span, message, "expected its members: `{a, b}`");
                self.types.insert(name.symbol, None);
            }
        }
        for ty in &built_in.types {
            let (found, usual) = (self.named(ty.name), self.shape(&ty.ty));
            if let Some(declared) = self.written.get(&ty.name.symbol) {
                let span = declared.ty.span();
                let shape = self.check_compatible("type", ty.name, span, found, usual);
                self.types.insert(ty.name.symbol, shape);
            }
        }
        for ty in declared {
            self.named(ty.name);
        }
    }

    /// The names of all types.
    fn type_texts(&self) -> impl Iterator<Item = &str> {
        self.declarations.types.iter().map(|ty| self.name(ty.name))
    }

    /// The type of something that every game has, or the usual one if its type does not fit, which
    /// is reported.
    pub(super) fn check_compatible(
        &mut self,
        kind: &str,
        name: Name,
        span: Span,
        found: Option<Shape>,
        usual: Option<Shape>,
    ) -> Option<Shape> {
        let (Some(found), Some(usual)) = (&found, usual) else { return found };
        if self.fits(&Ty::of(found), &Ty::of(&usual)) {
            return Some(found.clone());
        }
        let text = self.symbols.name(name.symbol);
        let message = format!("{kind} `{text}` is declared as {}", self.show(&Ty::of(found)));
        let label = format!("expected {}", self.show(&Ty::of(&usual)));
        self.report(
            Diagnostic::error("built-in-type", span, message)
                .label(label)
                .help(format!("`{text}` is built in: leave the declaration out")),
        );
        Some(usual)
    }

    /// The shape of a type by its name; none if it is wrong. An unknown one is reported.
    pub(super) fn named(&mut self, name: Name) -> Option<Shape> {
        let (symbol, text) = (name.symbol, self.symbols.name(name.symbol));
        if self.open.contains(&symbol) {
            let message = format!("type `{text}` is made of itself");
            let label = "expected a type that does not need this one, such as a set `{a, b}`";
            self.error("cyclic-type", name.span, message, label);
            return None;
        }
        if let Some(shape) = self.types.get(&symbol) {
            return shape.clone();
        }
        let Some(&declared) = self.written.get(&symbol) else {
            if !self.unread.contains(&symbol) {
                let message = format!("there is no type `{text}`");
                let diagnostic = Diagnostic::error("unknown-type", name.span, message)
                    .label("expected the name of a type, or its members in braces");
                self.report(self.near(diagnostic, text, self.type_texts()));
            }
            return None;
        };
        self.open.push(symbol);
        let shape = self.shape(&declared.ty);
        self.open.pop();
        if let Some(shape) = &shape {
            self.type_names.entry(shape.clone()).or_insert(symbol);
        }
        self.types.insert(symbol, shape.clone());
        shape
    }

    /// The shape of a type; none if it is wrong, which is reported.
    pub(super) fn shape(&mut self, ty: &Type) -> Option<Shape> {
        if self.depth == MAX_DEPTH {
            let message = format!("types that need each other more than {MAX_DEPTH} deep");
            self.error("too-deep", ty.span(), message, "expected a simpler type");
            return None;
        }
        self.depth += 1;
        let shape = match ty {
            Type::Named(name) => self.named(*name),
            Type::Set(names, span) => {
                let mut seen = FxHashSet::default();
                let distinct = names.iter().filter(|name| seen.insert(name.symbol));
                let members = distinct.map(|&name| self.value(name)).collect();
                self.set(members, *span)
            }
            Type::Arrow(key, value) => self.arrow(key, value, ty.span()),
        };
        self.depth -= 1;
        shape
    }

    /// The shape of a type of maps; none if it is wrong, which is reported.
    fn arrow(&mut self, key: &Type, value: &Type, span: Span) -> Option<Shape> {
        let (key_shape, value) = (self.shape(key), self.shape(value));
        let key_shape = key_shape?;
        if !matches!(key, Type::Named(_)) || !key_shape.keys.is_empty() {
            let label = "expected the name of a type that is declared as a set";
            self.error("key-type", key.span(), "a map has keys of a set with a name", label);
            return None;
        }
        let Shape { mut keys, values } = value?;
        keys.insert(0, key_shape.values);
        let cells = keys.iter().map(|&key| self.sets[key].width());
        let cells = cells.fold(1_usize, usize::saturating_mul);
        self.bound(span, "cells of one map", cells, MAX_CELLS)?;
        Some(Shape { keys, values })
    }

    /// The type of the members of a set, which gets a number if it has none.
    fn set(&mut self, members: Vec<Symbol>, span: Span) -> Option<Shape> {
        let of = |values| Some(Shape { keys: Vec::new(), values });
        if let Some(&number) = self.set_numbers.get(&members) {
            return of(number);
        }
        if self.places > MAX_PLACES {
            // This has been reported.
            return None;
        }
        let highest = members.iter().map(|member| member.index()).max().unwrap_or(0);
        self.places += highest + 1;
        self.bound(span, "entries of sets", self.places, MAX_PLACES)?;
        // The rest of the table is added when all values are known.
        let mut places = vec![members.len() as u16; highest + 1];
        for (place, member) in members.iter().enumerate() {
            places[member.index()] = place as u16;
        }
        let number = self.sets.len();
        self.sets.push(Set { members: members.clone(), places });
        self.set_numbers.insert(members, number);
        of(number)
    }

    /// True if a value of the one type can be one of the other.
    fn fits(&mut self, found: &Ty, wanted: &Ty) -> bool {
        found == wanted
            || found.keys.len() == wanted.keys.len()
                && (found.keys.iter().zip(&wanted.keys))
                    .all(|(&a, &b)| self.overlap(Members::Set(a), Members::Set(b)))
                && self.overlap(found.values, wanted.values)
    }

    /// True if both have a symbol in common.
    fn overlap(&mut self, a: Members, b: Members) -> bool {
        let sets = &self.sets;
        match (a, b) {
            (Members::One(a), Members::One(b)) => a == b,
            (Members::Set(set), Members::One(one)) | (Members::One(one), Members::Set(set)) => {
                sets[set].contains(one)
            }
            (Members::Set(a), Members::Set(b)) => {
                let common = || sets[a].members.iter().any(|&member| sets[b].contains(member));
                a == b || *self.overlaps.entry((a.min(b), a.max(b))).or_insert_with(common)
            }
        }
    }

    /// Reports if a value does not fit. A value that may fit is not checked when it is met.
    pub(super) fn expect(&mut self, span: Span, found: &Ty, wanted: &Ty) -> bool {
        if self.fits(found, wanted) {
            return true;
        }
        let (shown, expected) = (self.show(found), self.show(wanted));
        let message = match (found.values, found.keys.is_empty(), wanted.keys.is_empty()) {
            (_, false, true) => format!("{shown} is a type of maps"),
            (_, true, false) => format!("{shown} is no map"),
            (Members::One(_), true, true) => format!("{shown} is no value of {expected}"),
            _ => format!("{shown} and {expected} have no value in common"),
        };
        let (label, members) = match wanted.values {
            Members::Set(set) if wanted.keys.is_empty() => {
                let members = &self.sets[set].members[..];
                (format!("expected one of {}", self.list(members)), members)
            }
            _ => (format!("expected a value of {expected}"), &[][..]),
        };
        let mut diagnostic = Diagnostic::error("type-mismatch", span, message).label(label);
        if let Members::One(symbol) = found.values {
            let members = members.iter().map(|&member| self.values.name(member));
            let text = self.values.name(symbol);
            diagnostic = self.near(diagnostic, text, members.chain(self.names(true)));
        }
        self.report(diagnostic);
        false
    }

    /// A type for messages: its name if it has one.
    pub(super) fn show(&self, ty: &Ty) -> String {
        let named = |keys: &[SetId], values| {
            let name = self.type_names.get(&Shape { keys: keys.to_vec(), values })?;
            Some(self.symbols.name(*name).to_owned())
        };
        let set = |set: SetId| {
            let members = || format!("{{{}}}", self.list(&self.sets[set].members));
            named(&[], set).unwrap_or_else(members)
        };
        let values = match ty.values {
            Members::One(symbol) => self.values.name(symbol).to_owned(),
            Members::Set(values) => match named(&ty.keys, values) {
                Some(name) => return format!("`{name}`"),
                None => set(values),
            },
        };
        let parts: Vec<String> = ty.keys.iter().map(|&key| set(key)).chain([values]).collect();
        format!("`{}`", parts.join(" -> "))
    }

    /// The first of some symbols.
    pub(super) fn list(&self, members: &[Symbol]) -> String {
        let shown = members.iter().take(SHOWN).map(|&member| self.values.name(member));
        let more = (members.len() > SHOWN).then_some("...");
        shown.chain(more).collect::<Vec<_>>().join(", ")
    }
}
