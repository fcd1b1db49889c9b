//! The checks: declarations to an automaton in which every name is resolved.

use rustc_hash::{FxHashMap, FxHashSet};
use text::{Diagnostic, MAX_DIAGNOSTICS, Span};

use super::number::values_first;
use crate::automaton::{Automaton, Cell, Constant, Set, SetId, Shape, Slot, Variable};
use crate::limits::{MAX_EDGES, MAX_SYMBOLS};
use crate::symbols::{Symbol, Symbols};
use crate::syntax::{Declarations, Name, Type, TypeDeclaration};

/// The most names that a misspelt one is compared with.
const MAX_CANDIDATES: usize = 2000;

/// The names that mean something in every game.
pub(super) struct Known {
    pub(super) player: Name,
    pub(super) score: Name,
    pub(super) system: Name,
    pub(super) one: Name,
    pub(super) keeper: Name,
    pub(super) random: Name,
    pub(super) begin: Name,
    pub(super) end: Name,
    /// `Bool`, `Goals` and `Visibility` as they are if nobody declares them.
    pub(super) types: [TypeDeclaration; 3],
    /// `goals`, `player` and `visible`, each with the name of its type.
    pub(super) variables: [(Name, Name); 3],
}

impl Known {
    fn new(symbols: &mut Symbols) -> Known {
        let mut name = |name| Name { symbol: symbols.intern(name), span: Span::at(0) };
        let [player, score, system] = ["Player", "Score", "PlayerOrSystem"].map(&mut name);
        let [truth, goals, visibility] = ["Bool", "Goals", "Visibility"].map(&mut name);
        let [zero, one, keeper, random] = ["0", "1", "keeper", "random"].map(&mut name);
        let [begin, end] = ["begin", "end"].map(&mut name);
        let arrow = |to| Type::Arrow(Box::new(Type::Named(player)), Box::new(Type::Named(to)));
        let types = [
            (truth, Type::Set(vec![zero, one], Span::at(0))),
            (goals, arrow(score)),
            (visibility, arrow(truth)),
        ];
        let types = types.map(|(name, ty)| TypeDeclaration { name, ty });
        let variables = [("goals", goals), ("player", system), ("visible", visibility)];
        let variables = variables.map(|(variable, ty)| (name(variable), ty));
        Known { player, score, system, one, keeper, random, begin, end, types, variables }
    }
}

/// A constant or variable.
pub(super) struct Declared {
    pub(super) name: Name,
    /// Its type, unless that is wrong.
    pub(super) shape: Option<Shape>,
    /// Its value; no cells if that is wrong.
    pub(super) cells: Vec<Cell>,
}

/// All constants so far, or all variables.
#[derive(Default)]
pub(super) struct Slots {
    pub(super) numbers: FxHashMap<Symbol, Slot>,
    pub(super) all: Vec<Declared>,
}

/// The state of the checks.
pub(super) struct Checker<'a> {
    pub(super) declarations: &'a Declarations,
    pub(super) symbols: &'a Symbols,
    pub(super) known: &'a Known,
    diagnostics: &'a mut Vec<Diagnostic>,
    said: FxHashSet<(Span, String)>,
    /// The number of errors.
    pub(super) errors: usize,
    /// Names of declarations that were left out.
    pub(super) unread: FxHashSet<Symbol>,
    /// The number of symbols that can be values.
    pub(super) values: usize,
    pub(super) sets: Vec<Set>,
    pub(super) set_numbers: FxHashMap<Vec<Symbol>, SetId>,
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
    let values = values_first(&mut declarations);
    let known = Known::new(&mut declarations.symbols);
    let mut checker = Checker {
        declarations: &declarations,
        symbols: &declarations.symbols,
        known: &known,
        diagnostics,
        said: FxHashSet::default(),
        errors: 0,
        unread: declarations.unread.iter().copied().flatten().collect(),
        values,
        sets: Vec::new(),
        set_numbers: FxHashMap::default(),
        overlaps: FxHashMap::default(),
        written: FxHashMap::default(),
        types: FxHashMap::default(),
        open: Vec::new(),
        depth: 0,
        type_names: FxHashMap::default(),
        constants: Slots::default(),
        variables: Slots::default(),
    };
    let edges = declarations.edges.len();
    for (count, most, what) in [(values, MAX_SYMBOLS, "symbols"), (edges, MAX_EDGES, "edges")] {
        if count > most {
            checker.too_large(Span::at(0), &format!("{count} {what}"), most);
            return None;
        }
    }
    let types = checker.read_types();
    checker.read_values();
    let players = checker.players();
    let (nodes, begin, end) = checker.read_edges()?;
    let Checker { errors, sets, types: shapes, constants, variables, .. } = checker;
    if errors > 0 || !declarations.unread.is_empty() {
        return None;
    }
    let artificial: FxHashSet<Symbol> = declarations.artificial.into_iter().collect();
    let constant =
        |d: Declared| Some(Constant { name: d.name.symbol, shape: d.shape?, cells: d.cells });
    let variable =
        |d: Declared| Some(Variable { name: d.name.symbol, shape: d.shape?, start: d.cells });
    let ty = |name: Symbol| Some((name, shapes.get(&name)?.clone()?));
    Some(Automaton {
        symbols: declarations.symbols,
        values,
        sets,
        constants: constants.all.into_iter().map(constant).collect::<Option<_>>()?,
        variables: variables.all.into_iter().map(variable).collect::<Option<_>>()?,
        nodes,
        begin,
        end,
        players,
        keeper: known.keeper.symbol,
        random: known.random.symbol,
        artificial: (0..values as u32).map(|at| artificial.contains(&Symbol(at))).collect(),
        types: types.into_iter().map(ty).collect::<Option<_>>()?,
    })
}

impl Checker<'_> {
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

    /// Adds a diagnostic of a name that may be a misspelt one of others.
    pub(super) fn report_near(&mut self, diagnostic: Diagnostic, found: Symbol, names: &[Symbol]) {
        let shown = if self.said.len() < MAX_DIAGNOSTICS { MAX_CANDIDATES } else { 0 };
        let others = names.iter().filter(|&&name| name != found).take(shown);
        let others = others.map(|&name| self.symbols.name(name));
        self.report(diagnostic.suggest(self.symbols.name(found), others));
    }

    /// True if there are far more diagnostics than anybody is shown.
    pub(super) fn full(&self) -> bool {
        self.said.len() >= 10 * MAX_DIAGNOSTICS
    }

    /// Reports that there is too much of something.
    pub(super) fn too_large(&mut self, span: Span, what: &str, most: usize) {
        self.error(
            "too-large",
            span,
            format!("this makes {what}"),
            format!("expected at most {most}"),
        );
    }

    /// The number of the first declaration of each name. Others are reported.
    pub(super) fn distinct(
        &mut self,
        kind: &str,
        names: impl Iterator<Item = Name>,
    ) -> FxHashMap<Symbol, usize> {
        let mut numbers = FxHashMap::default();
        let mut spans = Vec::new();
        for name in names {
            let first = *numbers.entry(name.symbol).or_insert(spans.len());
            if let Some(&first) = spans.get(first) {
                let text = self.symbols.name(name.symbol);
                self.report(
                    Diagnostic::error(
                        "duplicate",
                        name.span,
                        format!("{kind} `{text}` is declared twice"),
                    )
                    .label("expected another name")
                    .note(first, "the first one"),
                );
            }
            spans.push(name.span);
        }
        numbers
    }

    /// The names of all variables, and of all constants too if they count.
    pub(super) fn names(&self, constants: bool) -> Vec<Symbol> {
        let constants = self.constants.all.iter().filter(|_| constants);
        self.variables.all.iter().chain(constants).map(|declared| declared.name.symbol).collect()
    }

    /// The players that choose. Reports if they are none or too many.
    fn players(&mut self) -> Vec<Symbol> {
        let Some(shape) = self.named(self.known.player) else { return Vec::new() };
        let system = [self.known.keeper.symbol, self.known.random.symbol];
        let members = self.sets[shape.values].members.iter().copied();
        let players: Vec<Symbol> = members.filter(|member| !system.contains(member)).collect();
        let most = play::MAX_PLAYERS;
        if !(1..=most).contains(&players.len()) {
            let declared = self.written.get(&self.known.player.symbol);
            let span = declared.map_or(Span::at(0), |declared| declared.ty.span());
            let message = format!("a game of {} players", players.len());
            let label = format!("expected 1 to {most}, `keeper` and `random` apart");
            self.error("players", span, message, label);
        }
        players
    }
}
