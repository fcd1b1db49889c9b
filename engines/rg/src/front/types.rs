//! The types: names resolved, sets numbered, and which values fit where.

use rustc_hash::FxHashMap;
use text::{Diagnostic, Span};

use super::check::Checker;
use crate::automaton::{Set, SetId, Shape};
use crate::limits::{MAX_CELLS, MAX_PLACES};
use crate::symbols::Symbol;
use crate::syntax::{Name, Type, TypeDeclaration};

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

impl<'a> Checker<'a> {
    /// Reads all types, and adds the built-in ones. Returns their names in order.
    pub(super) fn read_types(&mut self) -> Vec<Symbol> {
        let mut written: FxHashMap<Symbol, &'a TypeDeclaration> = FxHashMap::default();
        let mut order = Vec::new();
        for declared in &self.declarations.types {
            if let Some(first) = written.get(&declared.name.symbol) {
                self.declared_twice("type", declared.name, first.name.span);
            } else {
                written.insert(declared.name.symbol, declared);
                order.push(declared.name.symbol);
            }
        }
        let (known, mut absent) = (self.known, self.unread.clone());
        for (name, example) in [(known.player, "{ white, black }"), (known.score, "{ 0, 50, 100 }")]
        {
            if !written.contains_key(&name) && absent.insert(name) {
                self.report_missing(name, example, &order);
            }
        }
        for built_in in &known.types {
            if !absent.contains(&built_in.name.symbol) {
                written.entry(built_in.name.symbol).or_insert_with(|| {
                    order.push(built_in.name.symbol);
                    built_in
                });
            }
        }
        for name in absent {
            if !written.contains_key(&name) {
                self.types.insert(name, None);
            }
        }
        self.settle(known.player, &written);
        let system = self.system();
        if !written.contains_key(&known.system) && !self.types.contains_key(&known.system) {
            self.types.insert(known.system, system.clone());
            order.push(known.system);
        }
        for &name in &order {
            self.settle(name, &written);
        }
        self.check_built_in(system, &written);
        for &name in &order {
            if let Some(Some(shape)) = self.types.get(&name) {
                self.type_names.entry(shape.clone()).or_insert(name);
            }
        }
        order
    }

    /// Reports that a type is missing that every game must declare.
    fn report_missing(&mut self, name: Symbol, example: &str, declared: &[Symbol]) {
        let text = self.symbols.name(name);
        let diagnostic =
            Diagnostic::error("missing-type", Span::at(0), format!("there is no type `{text}`"))
                .help(format!("declare it, as in `type {text} = {example};`"));
        self.report.push_near(diagnostic, self.symbols, name, declared.iter().copied());
    }

    /// The players, `keeper` and `random`.
    fn system(&mut self) -> Option<Shape> {
        let shape = self.types.get(&self.known.player)?.as_ref().filter(|s| s.keys.is_empty())?;
        let mut members = self.sets[shape.values].members.clone();
        for name in [self.known.keeper, self.known.random] {
            if !members.contains(&name) {
                members.push(name);
            }
        }
        self.set(members, Span::at(0)).map(|values| Shape { keys: Vec::new(), values })
    }

    /// Checks the types that have a meaning in every game.
    fn check_built_in(
        &mut self,
        system: Option<Shape>,
        written: &FxHashMap<Symbol, &'a TypeDeclaration>,
    ) {
        let known = self.known;
        for name in [known.player, known.score] {
            let (Some(Some(shape)), Some(declared)) = (self.types.get(&name), written.get(&name))
            else {
                continue;
            };
            if !shape.keys.is_empty() {
                let span = declared.ty.span();
                let message = format!("type `{}` is no set", self.symbols.name(name));
                self.report.push(
                    Diagnostic::error("built-in-type", span, message)
                        .label("expected its members, as in `{a, b}`"),
                );
                self.types.insert(name, None);
            }
        }
        let mut wanted = vec![(known.system, system)];
        for built_in in &known.types {
            let sound = [known.player, known.score]
                .iter()
                .all(|name| self.types.get(name).is_some_and(Option::is_some));
            let shape = if sound { self.shape(&built_in.ty) } else { None };
            wanted.push((built_in.name.symbol, shape));
        }
        for (name, wanted) in wanted {
            let Some(declared) = written.get(&name) else { continue };
            let found = self.types.get(&name).cloned().flatten();
            self.check_compatible("type", declared.name, declared.ty.span(), found, wanted);
        }
    }

    /// Reports if the type of something that every game has is none that fits.
    pub(super) fn check_compatible(
        &mut self,
        kind: &str,
        name: Name,
        span: Span,
        found: Option<Shape>,
        wanted: Option<Shape>,
    ) {
        let (Some(found), Some(wanted)) = (found, wanted) else { return };
        let (found, wanted) = (Ty::of(&found), Ty::of(&wanted));
        if !self.fits(&found, &wanted) {
            let message = format!(
                "built-in {kind} `{}` is declared as {}",
                self.symbols.name(name.symbol),
                self.show(&found),
            );
            let wanted = self.show(&wanted);
            self.report.push(
                Diagnostic::error("built-in-type", span, message)
                    .label(format!("expected {wanted}"))
                    .help("leave the declaration out to get the usual one"),
            );
        }
    }

    /// Resolves a type by name, after those that it refers to. There is no recursion, for chains of
    /// names have any length.
    fn settle(&mut self, name: Symbol, written: &FxHashMap<Symbol, &'a TypeDeclaration>) {
        let mut stack = vec![name];
        // Types on the stack that wait for others.
        let mut open: FxHashMap<Symbol, usize> = FxHashMap::default();
        while let Some(&top) = stack.last() {
            let Some(declared) = written.get(&top).filter(|_| !self.types.contains_key(&top))
            else {
                stack.pop();
                continue;
            };
            open.insert(top, stack.len());
            let pending = first_name(&declared.ty, &mut |name| {
                written.contains_key(&name.symbol) && !self.types.contains_key(&name.symbol)
            });
            match pending {
                Some(name) if open.contains_key(&name.symbol) => {
                    let text = self.symbols.name(name.symbol);
                    let message = format!("type `{text}` is made of itself");
                    self.report.push(
                        Diagnostic::error("cyclic-type", name.span, message)
                            .label("expected a type that does not need this one")
                            .help("a set lists its members, as in `{a, b}`"),
                    );
                    self.types.insert(name.symbol, None);
                }
                Some(name) => stack.push(name.symbol),
                None => {
                    let shape = self.shape(&declared.ty);
                    self.types.insert(top, shape);
                }
            }
        }
    }

    /// The shape of a type, whose names have been resolved; none if it is wrong, which is reported.
    pub(super) fn shape(&mut self, ty: &Type) -> Option<Shape> {
        match ty {
            Type::Named(name) => self.named(*name),
            Type::Set(names, span) => {
                let mut members = Vec::with_capacity(names.len());
                let mut seen = rustc_hash::FxHashSet::default();
                for name in names {
                    if seen.insert(name.symbol) {
                        members.push(name.symbol);
                    } else {
                        let text = self.symbols.name(name.symbol);
                        let message = format!("`{text}` is listed twice");
                        self.report.push(
                            Diagnostic::warning("duplicate", name.span, message)
                                .label("it counts once")
                                .help("leave the second one out"),
                        );
                    }
                }
                self.set(members, *span).map(|values| Shape { keys: Vec::new(), values })
            }
            Type::Arrow(key, value) => {
                let (key_shape, value_shape) = (self.shape(key), self.shape(value));
                if !matches!(**key, Type::Named(_)) || !key_shape.as_ref()?.keys.is_empty() {
                    self.report.push(
                        Diagnostic::error("key-type", key.span(), "the keys of a map have no name")
                            .label("expected the name of a set type")
                            .help("declare it, as in `type Key = {a, b};`, and write `Key -> ..`"),
                    );
                    return None;
                }
                let (key, Shape { keys, values }) = (key_shape?.values, value_shape?);
                let keys: Vec<SetId> = std::iter::once(key).chain(keys).collect();
                let cells = keys
                    .iter()
                    .fold(1_usize, |cells, &key| cells.saturating_mul(self.sets[key].width()));
                if cells > MAX_CELLS {
                    self.too_large(ty.span(), &format!("maps of {cells} cells"), MAX_CELLS);
                    return None;
                }
                Some(Shape { keys, values })
            }
        }
    }

    /// The shape of a type by its name; none if it is wrong. An unknown one is reported.
    pub(super) fn named(&mut self, name: Name) -> Option<Shape> {
        if let Some(shape) = self.types.get(&name.symbol) {
            return shape.clone();
        }
        let message = format!("there is no type `{}`", self.symbols.name(name.symbol));
        let diagnostic = Diagnostic::error("unknown-type", name.span, message)
            .label("expected the name of a type, or its members in braces");
        let declared = self.declarations.types.iter().map(|declared| declared.name.symbol);
        let built_in = self.known.types.iter().map(|built_in| built_in.name.symbol);
        let candidates = declared.chain(built_in).chain([self.known.system]);
        self.report.push_near(diagnostic, self.symbols, name.symbol, candidates);
        None
    }

    /// The number of a set, which is new if it has not been met.
    fn set(&mut self, members: Vec<Symbol>, span: Span) -> Option<SetId> {
        if let Some(&number) = self.set_numbers.get(&members) {
            return Some(number);
        }
        let number = self.sets.len();
        let tables = (number + 1) * self.values;
        if tables > MAX_PLACES {
            let most = MAX_PLACES / self.values.max(1);
            self.too_large(span, &format!("{} distinct sets", number + 1), most);
            return None;
        }
        let mut places = vec![members.len() as u16; self.values];
        for (place, member) in members.iter().enumerate() {
            places[member.index()] = place as u16;
        }
        self.sets.push(Set { members: members.clone(), places });
        self.set_numbers.insert(members, number);
        Some(number)
    }

    /// True if a value of the one type can be one of the other. It is not checked that it is.
    pub(super) fn fits(&mut self, found: &Ty, wanted: &Ty) -> bool {
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
                a == b
                    || *self.overlaps.entry((a.min(b), a.max(b))).or_insert_with(|| {
                        sets[a].members.iter().any(|&member| sets[b].contains(member))
                    })
            }
        }
    }

    /// A type for messages: its name if it has one.
    pub(super) fn show(&self, ty: &Ty) -> String {
        if let Members::Set(values) = ty.values
            && let shape = (Shape { keys: ty.keys.clone(), values })
            && let Some(&name) = self.type_names.get(&shape)
        {
            return format!("`{}`", self.symbols.name(name));
        }
        let mut parts: Vec<String> = (ty.keys.iter()).map(|&key| self.show_set(key)).collect();
        parts.push(match ty.values {
            Members::Set(set) => self.show_set(set),
            Members::One(symbol) => self.symbols.name(symbol).to_owned(),
        });
        format!("`{}`", parts.join(" -> "))
    }

    /// The name of a set, or its first members.
    fn show_set(&self, set: SetId) -> String {
        let shape = Shape { keys: Vec::new(), values: set };
        match self.type_names.get(&shape) {
            Some(&name) => self.symbols.name(name).to_owned(),
            None => format!("{{{}}}", self.members(set)),
        }
    }

    /// The first members of a set.
    pub(super) fn members(&self, set: SetId) -> String {
        let members = &self.sets[set].members;
        let shown = members.iter().take(SHOWN).map(|&member| self.symbols.name(member));
        let more = (members.len() > SHOWN).then_some("...");
        shown.chain(more).collect::<Vec<_>>().join(", ")
    }

    /// Reports that a value does not fit; `what` says what cannot be done with it.
    pub(super) fn mismatch(&mut self, span: Span, what: &str, found: &Ty, wanted: &Ty) {
        let (shown, expected) = (self.show(found), self.show(wanted));
        let message = format!("{what} {shown} as {expected}");
        let members = match wanted.values {
            Members::Set(set) if wanted.keys.is_empty() => self.members(set),
            _ => String::new(),
        };
        let label = match (found.keys.len(), wanted.keys.len()) {
            (a, b) if a != b && b == 0 => "expected a symbol, not a map".to_owned(),
            (0, _) => "expected a map, not a symbol".to_owned(),
            (a, b) if a != b => format!("expected a map with {b} keys"),
            _ if members.is_empty() => "they have no value in common".to_owned(),
            _ => format!("expected one of {members}"),
        };
        let diagnostic = Diagnostic::error("type-mismatch", span, message).label(label);
        let (symbols, sets) = (self.symbols, &self.sets);
        match (found.values, wanted.values) {
            (Members::One(symbol), Members::Set(set)) if found.keys.is_empty() => {
                let names = self.variables.names.iter().chain(&self.constants.names);
                let names = names.map(|name| name.symbol);
                let members = sets[set].members.iter().copied();
                self.report.push_near(diagnostic, symbols, symbol, names.chain(members));
            }
            _ => self.report.push(diagnostic),
        }
    }
}

/// The first name in a type that is looked for.
fn first_name(ty: &Type, sought: &mut impl FnMut(Name) -> bool) -> Option<Name> {
    match ty {
        Type::Named(name) => sought(*name).then_some(*name),
        Type::Set(..) => None,
        Type::Arrow(key, value) => first_name(key, sought).or_else(|| first_name(value, sought)),
    }
}
