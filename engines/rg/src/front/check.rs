//! The checks: declarations to an automaton in which every name is resolved.

use rustc_hash::{FxHashMap, FxHashSet};
use text::{Diagnostic, MAX_DIAGNOSTICS, Span};

use super::builtin::BuiltIn;
use crate::automaton::{Automaton, Cell, Constant, Set, SetId, Shape, Slot, Variable};
use crate::limits::{MAX_EDGES, MAX_PLACES, MAX_SYMBOLS};
use crate::symbols::{Symbol, Symbols};
use crate::syntax::{Declarations, Name, TypeDeclaration, duplicate, numbered};

/// The most names that a misspelt one is compared with.
const MAX_CANDIDATES: usize = 2000;

/// A constant or variable.
pub(super) struct Declared {
    pub(super) name: Name,
    /// Its type, unless that is wrong.
    pub(super) shape: Option<Shape>,
    /// Its value; no cells if that is wrong.
    pub(super) cells: Vec<Cell>,
}

/// The constants or the variables that have been read.
#[derive(Default)]
pub(super) struct Slots {
    pub(super) numbers: FxHashMap<Symbol, Slot>,
    pub(super) all: Vec<Declared>,
}

/// The state of the checks. Symbols that are values have numbers of their own, which have no gaps;
/// all other symbols are those of the declarations.
pub(super) struct Checker<'a> {
    pub(super) declarations: &'a Declarations,
    /// The names of the declarations.
    pub(super) symbols: &'a Symbols,
    pub(super) built_in: &'a BuiltIn,
    diagnostics: &'a mut Vec<Diagnostic>,
    /// The names of `declarations.unread`, and of missing types.
    pub(super) unread: FxHashSet<Symbol>,
    /// The places and messages of the diagnostics.
    said: FxHashSet<(Span, String)>,
    /// The variables and constants that were reported to hide a symbol.
    pub(super) hiding: FxHashSet<Symbol>,
    /// The number of errors.
    pub(super) errors: usize,
    /// The names of values.
    pub(super) values: Symbols,
    pub(super) sets: Vec<Set>,
    pub(super) set_numbers: FxHashMap<Vec<Symbol>, SetId>,
    /// The number of entries of the tables of all sets.
    pub(super) places: usize,
    /// For pairs of sets: true if they have a common member.
    pub(super) overlaps: FxHashMap<(SetId, SetId), bool>,
    /// Declared types by name.
    pub(super) written: FxHashMap<Symbol, &'a TypeDeclaration>,
    /// Resolved types by name; a wrong one is absent.
    pub(super) types: FxHashMap<Symbol, Option<Shape>>,
    /// The types that are being resolved.
    pub(super) open: Vec<Symbol>,
    pub(super) depth: usize,
    /// The first name of each type, for messages.
    pub(super) type_names: FxHashMap<Shape, Symbol>,
    pub(super) constants: Slots,
    pub(super) variables: Slots,
}

/// Checks a description. There is an automaton exactly if nothing is wrong.
pub(crate) fn check(
    mut declarations: Declarations,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Automaton> {
    let built_in = BuiltIn::add(&mut declarations);
    Checker {
        symbols: &declarations.symbols,
        built_in: &built_in,
        diagnostics,
        unread: declarations.unread.iter().copied().flatten().collect(),
        declarations: &declarations,
        said: FxHashSet::default(),
        hiding: FxHashSet::default(),
        errors: 0,
        values: Symbols::default(),
        sets: Vec::new(),
        set_numbers: FxHashMap::default(),
        places: 0,
        overlaps: FxHashMap::default(),
        written: FxHashMap::default(),
        types: FxHashMap::default(),
        open: Vec::new(),
        depth: 0,
        type_names: FxHashMap::default(),
        constants: Slots::default(),
        variables: Slots::default(),
    }
    .automaton()
}

impl Checker<'_> {
    fn automaton(mut self) -> Option<Automaton> {
        let declarations = self.declarations;
        self.bound(Span::at(0), "edges", declarations.edges.len(), MAX_EDGES)?;
        self.read_types();
        self.read_values();
        let players = self.players();
        let [keeper, random] =
            [self.built_in.keeper, self.built_in.random].map(|it| self.value(it));
        let (mut nodes, begin, end) = self.read_edges()?;
        if !self.diagnostics.iter().any(Diagnostic::is_error) {
            self.warn_of_unread(&nodes);
            self.warn_of_tags(&nodes);
        }
        let values = self.values.len();
        self.bound(Span::at(0), "symbols", values, MAX_SYMBOLS)?;
        self.bound(Span::at(0), "entries of sets", values * self.sets.len(), MAX_PLACES)?;
        let Checker { errors, values: mut symbols, mut sets, .. } = self;
        if errors > 0 || !declarations.unread.is_empty() {
            return None;
        }
        for set in &mut sets {
            set.places.resize(values, set.members.len() as u16);
        }
        let mut artificial = vec![false; values];
        for &tag in &declarations.artificial {
            if let Some(tag) = symbols.get(self.symbols.name(tag)) {
                artificial[tag.index()] = true;
            }
        }
        let names = self.symbols;
        let mut rename = |symbol| symbols.intern(names.name(symbol));
        for node in &mut nodes {
            node.name = rename(node.name);
        }
        let internal: FxHashSet<Symbol> = declarations.internal.iter().copied().collect();
        let constants = self.constants.all.into_iter().map(|it| {
            Some(Constant { name: rename(it.name.symbol), shape: it.shape?, cells: it.cells })
        });
        let constants = constants.collect::<Option<_>>()?;
        let variables = self.variables.all.into_iter().map(|it| {
            let is_internal = internal.contains(&it.name.symbol);
            let name = rename(it.name.symbol);
            Some(Variable { name, shape: it.shape?, start: it.cells, is_internal })
        });
        let variables = variables.collect::<Option<_>>()?;
        Some(Automaton {
            symbols,
            values,
            sets,
            constants,
            variables,
            nodes,
            begin,
            end,
            players,
            keeper,
            random,
            artificial,
        })
    }

    /// Adds a diagnostic, unless the same has been said of the same place: an expanded description
    /// has many edges from one place of the text.
    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        self.errors += usize::from(diagnostic.is_error());
        if !self.full() && self.said.insert((diagnostic.span, diagnostic.message.clone())) {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Adds an error.
    pub(super) fn error(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
        label: impl Into<String>,
    ) {
        self.report(Diagnostic::error(code, span, message).label(label));
    }

    /// Adds to a diagnostic the name that a misspelt one may mean.
    pub(super) fn near<'n>(
        &self,
        diagnostic: Diagnostic,
        found: &str,
        names: impl Iterator<Item = &'n str>,
    ) -> Diagnostic {
        let shown = if self.said.len() < MAX_DIAGNOSTICS { MAX_CANDIDATES } else { 0 };
        diagnostic.suggest(found, names.filter(|&name| name != found).take(shown))
    }

    /// True if there are far more diagnostics than anybody is shown.
    pub(super) fn full(&self) -> bool {
        self.said.len() >= 10 * MAX_DIAGNOSTICS
    }

    /// Reports if there is too much of something.
    pub(super) fn bound(
        &mut self,
        span: Span,
        what: &str,
        count: usize,
        most: usize,
    ) -> Option<()> {
        if count > most {
            let message = format!("this makes {count} {what}");
            self.error("too-large", span, message, format!("expected at most {most}"));
        }
        (count <= most).then_some(())
    }

    /// The number of the first declaration of each name. Others are reported.
    pub(super) fn distinct(
        &mut self,
        kind: &str,
        names: impl Iterator<Item = Name>,
    ) -> FxHashMap<Symbol, usize> {
        let (numbers, again) = numbered(names);
        for (name, first) in again {
            let diagnostic = duplicate(kind, self.name(name), name, first);
            self.report(diagnostic);
        }
        numbers
    }

    /// The text of a name.
    pub(super) fn name(&self, name: Name) -> &str {
        self.symbols.name(name.symbol)
    }

    /// The symbol of a name as a value.
    pub(super) fn value(&mut self, name: Name) -> Symbol {
        self.values.intern(self.symbols.name(name.symbol))
    }

    /// The names of all variables, and of all constants too if they count.
    pub(super) fn names(&self, constants: bool) -> impl Iterator<Item = &str> {
        let constants = self.constants.all.iter().filter(move |_| constants);
        self.variables.all.iter().chain(constants).map(|declared| self.name(declared.name))
    }

    /// The players that choose. Reports if they are none or too many.
    fn players(&mut self) -> Vec<Symbol> {
        let player = self.built_in.player;
        let Some(shape) = self.named(player) else { return Vec::new() };
        let system = [self.built_in.keeper, self.built_in.random].map(|name| self.value(name));
        let members = self.sets[shape.values].members.iter().copied();
        let players: Vec<Symbol> = members.filter(|member| !system.contains(member)).collect();
        let most = play::MAX_PLAYERS;
        if !(1..=most).contains(&players.len())
            && let Some(declared) = self.written.get(&player.symbol)
        {
            let (span, message) =
                (declared.ty.span(), format!("a game of {} players", players.len()));
            let label = format!("expected 1 to {most}, `keeper` and `random` apart");
            self.error("players", span, message, label);
        }
        players
    }
}
