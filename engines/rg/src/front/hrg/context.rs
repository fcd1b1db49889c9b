//! What all parts of the expansion share: names, values, sets, messages and budgets.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use text::{Diagnostic, MAX_DIAGNOSTICS, Severity, Span};

use super::terms::{Term, Terms};
use super::tree::{Program, Type, TypeEnd};
use crate::limits::MAX_STEPS;
use crate::symbols::{Symbol, Symbols};
use crate::syntax::Name;

/// The number of a set in [`Context::sets`].
pub(super) type SetId = usize;

/// The members of a domain, of a built-in type or of a set without a name.
#[derive(Default)]
pub(super) struct Set {
    /// Its name, or its members.
    pub(super) text: String,
    /// The members in order, each once, with names that stand where they come from.
    pub(super) members: Vec<(Term, Name)>,
    pub(super) symbols: FxHashSet<Symbol>,
    /// True if it is a domain of the description, and no built-in type.
    pub(super) declared: bool,
    /// True if the members are not known because of a fault.
    pub(super) broken: bool,
}

/// A type with all names resolved: maps from each of `keys` in turn to a member of `end`.
pub(super) struct Shape {
    pub(super) keys: Vec<SetId>,
    pub(super) end: SetId,
}

/// The state of an expansion.
pub(super) struct Context<'a> {
    pub(super) program: &'a Program,
    pub(super) terms: Terms,
    pub(super) sets: Vec<Set>,
    /// The sets of domains and built-in types.
    pub(super) set_names: FxHashMap<Symbol, SetId>,
    /// The lower-case constructors of domains.
    pub(super) lower: FxHashSet<Symbol>,
    pub(super) functions: FxHashMap<Symbol, usize>,
    pub(super) shapes: Vec<Option<Rc<Shape>>>,
    /// The variables of the game.
    pub(super) variables: FxHashMap<Symbol, Name>,
    pub(super) graphs: FxHashMap<Symbol, usize>,
    /// Names with the values that stand for them; those from `base` on count.
    pub(super) bindings: Vec<(Symbol, Term)>,
    pub(super) base: usize,
    /// The functions whose calls are being evaluated.
    pub(super) calls: Vec<usize>,
    pub(super) depth: usize,
    /// The cells of all tables so far.
    pub(super) cells: usize,
    pub(super) steps: usize,
    /// True where upper-case names without a value are symbols.
    pub(super) literal: bool,
    /// True where faults stop nothing, because the place is not part of the game.
    pub(super) unused: bool,
    said: FxHashSet<(Span, &'static str)>,
    errors: usize,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl<'a> Context<'a> {
    pub(super) fn new(
        program: &'a Program,
        symbols: Symbols,
        diagnostics: &'a mut Vec<Diagnostic>,
    ) -> Context<'a> {
        Context {
            program,
            terms: Terms::new(symbols),
            sets: Vec::new(),
            set_names: FxHashMap::default(),
            lower: FxHashSet::default(),
            functions: FxHashMap::default(),
            shapes: Vec::new(),
            variables: FxHashMap::default(),
            graphs: FxHashMap::default(),
            bindings: Vec::new(),
            base: 0,
            calls: Vec::new(),
            depth: 0,
            cells: 0,
            steps: 0,
            literal: false,
            unused: false,
            said: FxHashSet::default(),
            errors: 0,
            diagnostics,
        }
    }

    /// True if an error has been reported.
    pub(super) fn failed(&self) -> bool {
        self.errors > 0
    }

    /// The text of a name.
    pub(super) fn text(&self, name: Name) -> &str {
        self.terms.symbols.name(name.symbol)
    }

    /// Reports a fault, once for each place.
    pub(super) fn report(&mut self, mut diagnostic: Diagnostic) {
        if self.unused {
            diagnostic.severity = Severity::Warning;
        }
        if self.said.insert((diagnostic.span, diagnostic.code)) {
            self.errors += usize::from(diagnostic.is_error());
            self.diagnostics.push(diagnostic);
        }
    }

    /// True if a fault has been reported.
    pub(super) fn is_said(&self, code: &'static str, span: Span) -> bool {
        self.said.contains(&(span, code))
    }

    /// Reports an error at a place, with what belongs there and what to do.
    pub(super) fn fault(
        &mut self,
        code: &'static str,
        span: Span,
        [message, label, help]: [&str; 3],
    ) {
        let diagnostic = Diagnostic::error(code, span, message).label(label);
        self.report(if help.is_empty() { diagnostic } else { diagnostic.help(help) });
    }

    /// Reports a name that stands for nothing, with the nearest of the names that do, or else with
    /// the help.
    pub(super) fn unknown(
        &mut self,
        name: Name,
        [code, what]: [&'static str; 2],
        known: impl IntoIterator<Item = Symbol>,
        help: &str,
    ) {
        let symbols = &self.terms.symbols;
        let text = symbols.name(name.symbol);
        // A search for near names takes longer than all else.
        let candidates = if self.said.len() > MAX_DIAGNOSTICS { 0 } else { 2000 };
        let known = known.into_iter().filter(|symbol| *symbol != name.symbol).take(candidates);
        let known = known.map(|symbol| symbols.name(symbol));
        let help = text::near_miss(text, known)
            .map_or_else(|| help.to_owned(), |near| format!("did you mean `{near}`?"));
        let message = format!("no {what} `{text}`");
        self.fault(code, name.span, [&message, &format!("expected a {what}"), &help]);
    }

    /// Enters a name into a table, or reports that it is there already.
    pub(super) fn declare(&mut self, name: Name, what: &str, before: Option<Name>) {
        if let Some(before) = before {
            let message = format!("{what} `{}` is declared twice", self.text(name));
            self.report(
                Diagnostic::error("duplicate", name.span, message)
                    .label("expected another name")
                    .note(before.span, "declared here before")
                    .help("delete one of the two, or give it another name"),
            );
        }
    }

    /// Counts work at compile time; nothing if there has been too much of it.
    pub(super) fn spend(&mut self, steps: usize, span: Span) -> Option<()> {
        self.steps += steps;
        if self.steps <= MAX_STEPS {
            return Some(());
        }
        // Only the first place is named: all work from here on is refused.
        if self.steps < usize::MAX / 2 {
            self.steps = usize::MAX / 2;
            let message = format!("more than {MAX_STEPS} expressions have values at compile time");
            self.fault(
                "too-large",
                span,
                [&message, "evaluation stops here", "make the domains smaller"],
            );
        }
        None
    }

    /// The type with all names resolved.
    pub(super) fn shape(&mut self, ty: &Type) -> Option<Rc<Shape>> {
        let mut keys = Vec::new();
        let mut known = true;
        for key in &ty.keys {
            match self.set(*key) {
                Some(set) => keys.push(set),
                None => known = false,
            }
        }
        let end = match &ty.end {
            TypeEnd::Named(name) => match self.terms.symbols.name(name.symbol) {
                alias @ ("Goals" | "Visibility") if !self.set_names.contains_key(&name.symbol) => {
                    let value = if alias == "Goals" { "Score" } else { "Bool" };
                    keys.extend(self.built_in("Player"));
                    self.built_in(value)
                }
                _ => self.set(*name),
            },
            TypeEnd::Set(members) => Some(self.inline_set(members)),
        };
        known.then_some(Rc::new(Shape { keys, end: end? }))
    }

    /// The set of a built-in name.
    pub(super) fn built_in(&self, name: &str) -> Option<SetId> {
        self.set_names.get(&self.terms.symbols.get(name)?).copied()
    }

    /// The set of a name of a type, or a message that there is none.
    fn set(&mut self, name: Name) -> Option<SetId> {
        let set = self.set_names.get(&name.symbol).copied();
        if set.is_none() {
            let known: Vec<Symbol> = self.program.domains.iter().map(|d| d.name.symbol).collect();
            let help = format!("declare it: `domain {} = a | b`", self.text(name));
            self.unknown(name, ["unknown-domain", "domain"], known, &help);
        }
        set
    }

    /// A set without a name.
    fn inline_set(&mut self, names: &[Name]) -> SetId {
        let mut set = Set::default();
        for name in names {
            if set.symbols.insert(name.symbol) {
                set.members.push((self.terms.atom(name.symbol), *name));
            }
        }
        let members: Vec<&str> = names.iter().map(|name| self.text(*name)).collect();
        set.text = format!("{{{}}}", members.join(", "));
        self.sets.push(set);
        self.sets.len() - 1
    }

    /// The graph of this name.
    pub(super) fn graph(&self, name: &str) -> Option<usize> {
        self.graphs.get(&self.terms.symbols.get(name)?).copied()
    }
}

/// A number with what is counted.
pub(super) fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}
