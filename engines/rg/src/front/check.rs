//! The checks: declarations to an automaton in which every name is resolved.

use rustc_hash::{FxHashMap, FxHashSet};
use text::{Diagnostic, Span};

use super::number::values_first;
use super::report::Report;
use super::types::Ty;
use crate::automaton::{Automaton, Cell, Constant, Set, SetId, Shape, Slot, Variable};
use crate::limits::{MAX_EDGES, MAX_SYMBOLS};
use crate::symbols::{Symbol, Symbols};
use crate::syntax::{Declarations, Name, Type, TypeDeclaration};

/// The names that mean something in every game.
pub(super) struct Known {
    pub(super) player: Symbol,
    pub(super) score: Symbol,
    pub(super) system: Symbol,
    /// `Bool`, `Goals` and `Visibility` as they are if nobody declares them.
    pub(super) types: [TypeDeclaration; 3],
    /// `goals`, `player` and `visible`, with the names of their types.
    pub(super) variables: [(Symbol, Symbol); 3],
    pub(super) one: Symbol,
    pub(super) keeper: Symbol,
    pub(super) random: Symbol,
    pub(super) begin: Symbol,
    pub(super) end: Symbol,
}

impl Known {
    fn new(symbols: &mut Symbols) -> Known {
        let mut name = |name| Name { symbol: symbols.intern(name), span: Span::at(0) };
        let (player, score, system) = (name("Player"), name("Score"), name("PlayerOrSystem"));
        let (truth, goals, visibility) = (name("Bool"), name("Goals"), name("Visibility"));
        let (zero, one) = (name("0"), name("1"));
        let arrow = |to| Type::Arrow(Box::new(Type::Named(player)), Box::new(Type::Named(to)));
        let types = [
            (truth, Type::Set(vec![zero, one], Span::at(0))),
            (goals, arrow(score)),
            (visibility, arrow(truth)),
        ];
        let variables = [("goals", goals), ("player", system), ("visible", visibility)];
        Known {
            player: player.symbol,
            score: score.symbol,
            system: system.symbol,
            types: types.map(|(name, ty)| TypeDeclaration { name, ty }),
            variables: variables.map(|(variable, ty)| (name(variable).symbol, ty.symbol)),
            one: one.symbol,
            keeper: name("keeper").symbol,
            random: name("random").symbol,
            begin: name("begin").symbol,
            end: name("end").symbol,
        }
    }
}

/// The constants or the variables.
#[derive(Default)]
pub(super) struct Slots {
    pub(super) numbers: FxHashMap<Symbol, Slot>,
    pub(super) names: Vec<Name>,
    /// Their types; a wrong one is absent.
    pub(super) shapes: Vec<Option<Shape>>,
    /// The values of those that have been evaluated; a wrong one has no cells.
    pub(super) cells: Vec<Vec<Cell>>,
}

impl Slots {
    /// The parts of each.
    fn each(self) -> impl Iterator<Item = Option<(Symbol, Shape, Vec<Cell>)>> {
        let parts = self.names.into_iter().zip(self.shapes).zip(self.cells);
        parts.map(|((name, shape), cells)| Some((name.symbol, shape?, cells)))
    }
}

/// The state of the checks.
pub(super) struct Checker<'a> {
    pub(super) declarations: &'a Declarations,
    pub(super) symbols: &'a Symbols,
    pub(super) known: &'a Known,
    pub(super) report: Report<'a>,
    /// Names of declarations that were left out.
    pub(super) unread: FxHashSet<Symbol>,
    /// The number of symbols that can be values.
    pub(super) values: usize,
    pub(super) sets: Vec<Set>,
    pub(super) set_numbers: FxHashMap<Vec<Symbol>, SetId>,
    /// For pairs of sets: true if they have a common member.
    pub(super) overlaps: FxHashMap<(SetId, SetId), bool>,
    /// Types by name; a wrong one is absent.
    pub(super) types: FxHashMap<Symbol, Option<Shape>>,
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
        report: Report::new(diagnostics),
        unread: declarations.unread.iter().copied().flatten().collect(),
        values,
        sets: Vec::new(),
        set_numbers: FxHashMap::default(),
        overlaps: FxHashMap::default(),
        types: FxHashMap::default(),
        type_names: FxHashMap::default(),
        constants: Slots::default(),
        variables: Slots::default(),
    };
    for (count, most, what) in
        [(values, MAX_SYMBOLS, "symbols"), (declarations.edges.len(), MAX_EDGES, "edges")]
    {
        if count > most {
            checker.too_large(Span::at(0), &format!("{count} {what}"), most);
        }
    }
    if checker.report.errors > 0 {
        return None;
    }
    let types = checker.read_types();
    checker.read_values();
    let players = checker.players();
    let (nodes, begin, end) = checker.read_edges()?;
    if checker.report.errors > 0 || !declarations.unread.is_empty() {
        return None;
    }
    let Checker { sets, types: shapes, constants, variables, .. } = checker;
    let mut artificial = vec![false; values];
    for tag in &declarations.artificial {
        if let Some(mark) = artificial.get_mut(tag.index()) {
            *mark = true;
        }
    }
    Some(Automaton {
        values,
        sets,
        constants: (constants.each())
            .map(|parts| parts.map(|(name, shape, cells)| Constant { name, shape, cells }))
            .collect::<Option<_>>()?,
        variables: (variables.each())
            .map(|parts| parts.map(|(name, shape, start)| Variable { name, shape, start }))
            .collect::<Option<_>>()?,
        nodes,
        begin,
        end,
        players,
        keeper: known.keeper,
        random: known.random,
        artificial,
        types: (types.into_iter())
            .map(|name| Some((name, shapes.get(&name)?.clone()?)))
            .collect::<Option<_>>()?,
        symbols: declarations.symbols,
    })
}

impl Checker<'_> {
    /// Reports that there is too much of something.
    pub(super) fn too_large(&mut self, span: Span, what: &str, most: usize) {
        self.report.push(
            Diagnostic::error("too-large", span, format!("this makes {what}"))
                .label(format!("expected at most {most}")),
        );
    }

    /// Reports that something is declared twice.
    pub(super) fn declared_twice(&mut self, kind: &str, name: Name, first: Span) {
        let message = format!("{kind} `{}` is declared twice", self.symbols.name(name.symbol));
        self.report.push(
            Diagnostic::error("duplicate", name.span, message)
                .label("expected another name")
                .note(first, "declared here first"),
        );
    }

    /// The players that choose. Reports if they are none or too many.
    fn players(&mut self) -> Vec<Symbol> {
        let player = self.known.player;
        let Some(Some(shape)) = self.types.get(&player) else { return Vec::new() };
        let system = [self.known.keeper, self.known.random];
        let members = self.sets[shape.values].members.iter().copied();
        let players: Vec<Symbol> = members.filter(|member| !system.contains(member)).collect();
        let most = play::MAX_PLAYERS;
        if !(1..=most).contains(&players.len()) {
            let declared = self.declarations.types.iter().find(|ty| ty.name.symbol == player);
            let span = declared.map_or(Span::at(0), |declared| declared.ty.span());
            let message = format!("a game of {} players", players.len());
            self.report.push(
                Diagnostic::error("players", span, message)
                    .label(format!("expected 1 to {most}, `keeper` and `random` apart")),
            );
        }
        players
    }

    /// The type of a constant or variable, or none if that is wrong.
    pub(super) fn type_of(slots: &Slots, slot: Slot) -> Option<Ty> {
        slots.shapes[slot].as_ref().map(Ty::of)
    }
}
