//! What all parts of the expansion share: names, values, sets, messages and budgets.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use text::{Diagnostic, MAX_DIAGNOSTICS, Severity, Span};

use super::terms::{Term, Terms};
use super::tree::{Function, Program, Type, TypeEnd};
use crate::limits::Bounds;
use crate::symbols::{Symbol, Symbols};
use crate::syntax::{Name, duplicate, numbered};

/// The most names that a misspelt one is compared with.
pub(super) const MAX_CANDIDATES: usize = 2000;
/// Variables that need no declaration.
const BUILT_IN: [&str; 3] = ["goals", "player", "visible"];

/// The number of a set in [`Context::sets`].
pub(super) type SetId = usize;

/// The members of a domain, of a built-in type or of a set without a name.
#[derive(Default)]
pub(super) struct Set {
    /// Its name, or its members.
    pub(super) text: String,
    /// The members in order, each once, with the names that they come from.
    pub(super) members: Vec<(Term, Name)>,
    pub(super) symbols: FxHashSet<Symbol>,
    pub(super) begun: bool,
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
    pub(super) bounds: Bounds,
    /// The sets of all domains in their order, and others.
    pub(super) sets: Vec<Set>,
    /// The sets of domains and built-in types.
    pub(super) set_names: FxHashMap<Symbol, SetId>,
    /// The domains that wait for one that they name.
    pub(super) waiting: Vec<SetId>,
    /// The number of members of all domains so far.
    pub(super) members: usize,
    /// The numbers of functions, and behind them those of variables.
    pub(super) values: FxHashMap<Symbol, usize>,
    pub(super) graphs: FxHashMap<Symbol, usize>,
    /// Names with the values that stand for them; those from `base` on count.
    pub(super) bindings: Vec<(Symbol, Term)>,
    pub(super) base: usize,
    /// The functions whose values are being found.
    pub(super) calls: Vec<usize>,
    pub(super) depth: usize,
    steps: usize,
    /// True in graphs, where upper-case names without a value are symbols.
    pub(super) literal: bool,
    /// For each function and each of its cases: true if it has given a value.
    pub(super) worked: Vec<Vec<bool>>,
    /// The graph that is being expanded.
    pub(super) scope: Option<usize>,
    /// The graph that is never walked and is being expanded, where faults are warnings.
    pub(super) unused: Option<usize>,
    said: FxHashSet<(Span, &'static str)>,
    /// The names that were reported as unknown, with the graphs that have them.
    unknown: FxHashSet<(Symbol, &'static str, Option<usize>)>,
    /// True if an error was reported.
    pub(super) failed: bool,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl<'a> Context<'a> {
    pub(super) fn new(
        program: &'a Program,
        symbols: Symbols,
        bounds: Bounds,
        diagnostics: &'a mut Vec<Diagnostic>,
    ) -> Context<'a> {
        let mut context = Context {
            program,
            terms: Terms::new(symbols),
            bounds,
            sets: Vec::new(),
            set_names: FxHashMap::default(),
            waiting: Vec::new(),
            members: 0,
            values: FxHashMap::default(),
            graphs: FxHashMap::default(),
            bindings: Vec::new(),
            base: 0,
            calls: Vec::new(),
            depth: 0,
            steps: 0,
            literal: false,
            worked: program.functions.iter().map(|it| vec![false; it.cases.len()]).collect(),
            scope: None,
            unused: None,
            said: FxHashSet::default(),
            unknown: FxHashSet::default(),
            failed: false,
            diagnostics,
        };
        let values = program.functions.iter().map(|function| function.name);
        let values = values.chain(program.variables.iter().map(|variable| variable.0));
        context.set_names = context.distinct("domain", program.domains.iter().map(|d| d.0));
        context.values = context.distinct("function or variable", values);
        context.graphs = context.distinct("graph", program.graphs.iter().map(|graph| graph.name));
        context
    }

    /// The number of each name; names that come again are reported.
    pub(super) fn distinct(
        &mut self,
        kind: &str,
        names: impl Iterator<Item = Name>,
    ) -> FxHashMap<Symbol, usize> {
        let (numbers, again) = numbered(names);
        for (name, first) in again {
            let diagnostic = duplicate(kind, self.text(name), name, first);
            self.report(diagnostic.help("rename or delete one of the two"));
        }
        numbers
    }

    /// The text of a name.
    pub(super) fn text(&self, name: Name) -> &str {
        self.terms.symbols.name(name.symbol)
    }

    /// A name that the description does not have.
    pub(super) fn fresh(&mut self, base: &str) -> Symbol {
        let symbols = &mut self.terms.symbols;
        let mut name = base.to_owned();
        let mut count = 1;
        while symbols.get(&name).is_some() {
            count += 1;
            name = format!("{base}_{count}");
        }
        symbols.intern(&name)
    }

    /// The function of a name.
    pub(super) fn function(&self, symbol: Symbol) -> Option<&'a Function> {
        self.program.functions.get(*self.values.get(&symbol)?)
    }

    /// True for a variable of the game.
    pub(super) fn is_variable(&self, symbol: Symbol) -> bool {
        let declared = self.values.get(&symbol);
        declared.is_some_and(|number| *number >= self.program.functions.len())
            || BUILT_IN.contains(&self.terms.symbols.name(symbol))
    }

    /// Reports a fault, once for each place.
    pub(super) fn report(&mut self, mut diagnostic: Diagnostic) {
        if let Some(graph) = self.unused {
            diagnostic.severity = Severity::Warning;
            let name = self.program.graphs[graph].name;
            diagnostic =
                diagnostic.note(name.span, "this graph is never called, so that this is no error");
        }
        self.failed |= diagnostic.is_error();
        let full = self.said.len() > 10 * MAX_DIAGNOSTICS;
        if !full && self.said.insert((diagnostic.span, diagnostic.code)) {
            self.diagnostics.push(diagnostic);
        }
    }

    /// True if such a fault was reported here.
    pub(super) fn is_said(&self, code: &'static str, span: Span) -> bool {
        self.said.contains(&(span, code))
    }

    /// Reports an error: the message, what was expected, and what to do.
    pub(super) fn fault(&mut self, code: &'static str, span: Span, texts: [&str; 3]) {
        let diagnostic = Diagnostic::error(code, span, texts[0]).label(texts[1]);
        self.report(if texts[2].is_empty() { diagnostic } else { diagnostic.help(texts[2]) });
    }

    /// Reports that there is more of something than is allowed.
    pub(super) fn exceeded(&mut self, span: Span, most: usize, what: &str, help: &str) {
        let message = format!("more than {most} {what}");
        self.fault("too-large", span, [&message, "expected fewer", help]);
    }

    /// Reports a name that stands for nothing, with the nearest of those that do, or else with the
    /// help.
    pub(super) fn unknown(
        &mut self,
        name: Name,
        [code, what]: [&'static str; 2],
        known: impl IntoIterator<Item = Symbol>,
        help: &str,
    ) {
        if self.is_said(code, name.span) {
            return;
        }
        // A name that is missing is missing everywhere.
        if !self.unknown.insert((name.symbol, code, self.scope)) {
            self.failed |= self.unused.is_none();
            return;
        }
        // A search for near names takes longer than all else.
        let candidates = if self.said.len() > MAX_DIAGNOSTICS { 0 } else { MAX_CANDIDATES };
        let symbols = &self.terms.symbols;
        let known = known.into_iter().filter(|symbol| *symbol != name.symbol).take(candidates);
        let near = text::near_miss(self.text(name), known.map(|symbol| symbols.name(symbol)));
        let near = near.map(|near| format!("did you mean `{near}`?"));
        let message = format!("there is no {what} `{}`", self.text(name));
        let label = format!("expected a {what}");
        self.fault(code, name.span, [&message, &label, near.as_deref().unwrap_or(help)]);
    }

    /// Counts work at compile time; nothing if there has been too much of it.
    pub(super) fn spend(&mut self, steps: usize, span: Span) -> Option<()> {
        let before = self.steps;
        self.steps = before.saturating_add(steps);
        let most = self.bounds.steps;
        if self.steps > most && before <= most {
            self.exceeded(span, most, "steps of evaluation", "make the domains smaller");
        }
        (self.steps <= most).then_some(())
    }

    /// The type with all names resolved, or a message.
    pub(super) fn shape(&mut self, ty: &Type) -> Option<Rc<Shape>> {
        let keys: Vec<Option<SetId>> = ty.keys.iter().map(|key| self.set(*key)).collect();
        let mut keys: Vec<SetId> = keys.into_iter().collect::<Option<_>>()?;
        let end = match &ty.end {
            TypeEnd::Set(members) => {
                let texts: Vec<&str> = members.iter().map(|name| self.text(*name)).collect();
                self.add_set(format!("{{{}}}", texts.join(", ")), members.clone())
            }
            TypeEnd::Named(name) => match (self.set_names.get(&name.symbol), self.text(*name)) {
                (None, alias @ ("Goals" | "Visibility")) => {
                    let end = if alias == "Goals" { "Score" } else { "Bool" };
                    keys.push(self.set_of("Player")?);
                    self.set_of(end)?
                }
                _ => self.set(*name)?,
            },
        };
        Some(Rc::new(Shape { keys, end }))
    }

    /// The set of a name, if there is one.
    pub(super) fn set_of(&self, name: &str) -> Option<SetId> {
        self.set_names.get(&self.terms.symbols.get(name)?).copied()
    }

    /// The set of a name, or a message that there is none.
    fn set(&mut self, name: Name) -> Option<SetId> {
        let set = self.set_names.get(&name.symbol).copied();
        if set.is_none() {
            let program = self.program;
            let help = format!("declare it: `domain {} = a | b`", self.text(name));
            let known = program.domains.iter().map(|domain| domain.0.symbol);
            self.unknown(name, ["unknown-domain", "domain"], known, &help);
        }
        set
    }

    /// Adds a set.
    pub(super) fn add_set(&mut self, text: String, names: Vec<Name>) -> SetId {
        let mut set = Set { text, ..Set::default() };
        for name in names {
            if set.symbols.insert(name.symbol) {
                set.members.push((self.terms.atom(name.symbol), name));
            }
        }
        self.sets.push(set);
        self.sets.len() - 1
    }
}
