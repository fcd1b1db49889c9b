//! The checks that relations, fluents and actions that are asked for are ever asserted, with the
//! right number of arguments, and that the sheet says all that a game needs.

use rustc_hash::{FxHashMap, FxHashSet};
use text::{Diagnostic, Source, Span};

use super::{UNSUPPORTED, heads};
use crate::datalog::once::derived_roles;
use crate::limits::MAX_SUGGESTIONS;
use crate::program::{Atom, Literal, Program, RelId, Term, TermKind};
use crate::symbols::Symbol;

/// The relation of GDL-III by which rules ask what players know.
const KNOWS: &str = "knows";

/// Gathers everything wrong with how relations, fluents and actions are used.
pub(super) fn check(program: &Program, diagnostics: &mut Vec<Diagnostic>) {
    let mut usage = Usage::new(program, diagnostics);
    usage.relations();
    usage.arities();
    usage.fluents(RelId::TRUE, &[RelId::INIT, RelId::NEXT], 0, "no `init` or `next` makes", "true");
    usage.fluents(RelId::DOES, &[RelId::LEGAL], 1, "no `legal` allows", "");
    usage.goals();
}

struct Usage<'a> {
    program: &'a Program,
    diagnostics: &'a mut Vec<Diagnostic>,
    suggestions: usize,
    /// By relation: the first head that asserts it, and the first literal that asks for it.
    asserted: Vec<Option<Span>>,
    asked: Vec<Option<Asked>>,
    by_name: FxHashMap<Symbol, Vec<RelId>>,
}

#[derive(Clone, Copy)]
struct Asked {
    span: Span,
    negated: bool,
}

impl<'a> Usage<'a> {
    fn new(program: &'a Program, diagnostics: &'a mut Vec<Diagnostic>) -> Usage<'a> {
        let relations = program.relations.len();
        let mut usage = Usage {
            program,
            diagnostics,
            suggestions: 0,
            asserted: vec![None; relations],
            asked: vec![None; relations],
            by_name: FxHashMap::default(),
        };
        for head in heads(program) {
            let first = &mut usage.asserted[head.relation.index()];
            *first = Some(first.map_or(head.span, |f| f.min(head.span)));
        }
        for literal in program.rules.iter().flat_map(|rule| &rule.body) {
            let Some(atom) = literal.atom() else { continue };
            let first = &mut usage.asked[atom.relation.index()];
            if first.is_none_or(|first| atom.span < first.span) {
                let negated = matches!(literal, Literal::Negative(_));
                *first = Some(Asked { span: atom.span, negated });
            }
        }
        for (index, relation) in program.relations.iter().enumerate() {
            usage.by_name.entry(relation.name).or_default().push(RelId(index as u32));
        }
        usage
    }

    /// All relations in the order of their ids.
    fn ids(&self) -> impl Iterator<Item = RelId> + use<> {
        (0..self.program.relations.len() as u32).map(RelId)
    }

    /// Relations asked for but never asserted, and the other way round.
    fn relations(&mut self) {
        let mut missing = FxHashSet::default();
        for id in self.ids() {
            if let Some(asked) = self.asked[id.index()]
                && self.asserted[id.index()].is_none()
                && !id.is_reserved()
                && missing.insert(id)
            {
                self.never_asserted(id, asked);
            }
        }
        for id in self.ids() {
            if let Some(asserted) = self.asserted[id.index()]
                && self.asked[id.index()].is_none()
                && !id.is_reserved()
            {
                self.never_asked(id, asserted);
            }
        }
    }

    /// Says that nothing defines a relation that rules ask for.
    fn never_asserted(&mut self, id: RelId, Asked { span: asked, negated }: Asked) {
        let program = self.program;
        let relation = program.relation(id);
        let name = program.symbols.name(relation.name);
        let other = self.by_name[&relation.name]
            .iter()
            .copied()
            .find_map(|other| Some((other, self.asserted[other.index()]?)));
        if let Some((other, span)) = other {
            let wants = program.relation(other).arity;
            let message = format!(
                "`{name}` is used with {} here, but defined with {wants}",
                arguments(relation.arity)
            );
            self.diagnostics.push(
                Diagnostic::error("wrong-arity", asked, message)
                    .label(format!("expected {}", arguments(wants)))
                    .note(span, format!("defined with {} here", arguments(wants))),
            );
            return;
        }
        if name == KNOWS && matches!(relation.arity, 1 | 2) {
            let message = "`knows` of GDL-III is not supported yet";
            self.diagnostics.push(
                Diagnostic::error(UNSUPPORTED, asked, message)
                    .label("this asks what a player knows")
                    .help("rules may ask for what is true, and `sees` says what players perceive"),
            );
            return;
        }
        let label = if negated { "so this always holds" } else { "so this never holds" };
        let message = format!("nothing defines `{name}`");
        let warning = Diagnostic::warning("undefined-relation", asked, message).label(label);
        let warning = self.suggest_relation(warning, id, |usage, other| {
            usage.asserted[other.index()].is_some() || matches!(other, RelId::TRUE | RelId::DOES)
        });
        self.diagnostics.push(warning);
    }

    fn never_asked(&mut self, id: RelId, asserted: Span) {
        let program = self.program;
        let name = program.relation_name(id);
        let others = &self.by_name[&program.relation(id).name];
        if others.iter().any(|other| self.asked[other.index()].is_some()) {
            return; // with another number of arguments, of which the user hears elsewhere
        }
        let message = format!("nothing uses `{name}`");
        let warning = Diagnostic::warning("unused-relation", asserted, message)
            .label("defined here, asked for nowhere");
        let warning = self.suggest_relation(warning, id, |usage, other| {
            let wanted = usage.asked[other.index()].is_some() || other.is_reserved();
            wanted
                && usage.asserted[other.index()].is_none()
                && !matches!(other, RelId::TRUE | RelId::DOES)
        });
        self.diagnostics.push(warning);
    }

    /// Adds the near miss among the relations that `fits` accepts; of two equally near, the one
    /// with the same number of arguments.
    fn suggest_relation(
        &mut self,
        diagnostic: Diagnostic,
        id: RelId,
        fits: impl Fn(&Usage<'_>, RelId) -> bool,
    ) -> Diagnostic {
        if self.suggestions >= MAX_SUGGESTIONS {
            return diagnostic;
        }
        self.suggestions += 1;
        let program = self.program;
        let name = program.relation_name(id);
        let (mut same, mut others) = (Vec::new(), Vec::new());
        for other in self.ids().filter(|&other| other != id && fits(self, other)) {
            let relation = program.relation(other);
            let list =
                if relation.arity == program.relation(id).arity { &mut same } else { &mut others };
            list.push(program.symbols.name(relation.name));
        }
        if text::near_miss(name, same.iter().copied()).is_some() {
            return diagnostic.suggest(name, same);
        }
        diagnostic.suggest(name, others)
    }

    /// Names defined with several numbers of arguments.
    fn arities(&mut self) {
        let program = self.program;
        for id in self.ids() {
            let ids = &self.by_name[&program.relation(id).name];
            if ids[0] != id || ids.len() < 2 {
                continue;
            }
            let defined: Vec<(RelId, Span)> =
                ids.iter().filter_map(|&i| Some((i, self.asserted[i.index()]?))).collect();
            if let [(a, first), (b, second), ..] = defined[..] {
                let (a, b) = (program.relation(a).arity, program.relation(b).arity);
                let name = program.relation_name(id);
                self.diagnostics.push(
                    Diagnostic::warning(
                        "two-arities",
                        second,
                        format!("`{name}` is defined with {} and with {b}", arguments(a)),
                    )
                    .label(format!("{} here", arguments(b)))
                    .note(first, format!("{} here", arguments(a)))
                    .help("they are taken for two relations; give one of them another name"),
                );
            }
        }
    }

    /// Fluents (or actions) asked for that no head can assert.
    fn fluents(&mut self, asks: RelId, asserts: &[RelId], arg: usize, none: &str, tail: &str) {
        let program = self.program;
        let mut known: FxHashMap<Symbol, Vec<(usize, Span)>> = FxHashMap::default();
        let mut names = Vec::new();
        for head in heads(program).filter(|head| asserts.contains(&head.relation)) {
            let Some((symbol, arity)) = shape(&head.args[arg]) else { return };
            let entry = known.entry(symbol).or_default();
            if entry.is_empty() {
                names.push(program.symbols.name(symbol));
            }
            if !entry.iter().any(|&(a, _)| a == arity) {
                entry.push((arity, head.span));
            }
        }
        let mut reported = FxHashSet::default();
        for atom in bodies(program).filter(|atom| atom.relation == asks) {
            let Some((symbol, arity)) = shape(&atom.args[arg]) else { continue };
            let arities = known.get(&symbol).map_or(&[][..], |a| a);
            if arities.iter().any(|&(a, _)| a == arity) || !reported.insert((symbol, arity)) {
                continue;
            }
            let name = program.symbols.name(symbol);
            let span = atom.args[arg].span;
            let shown = if arity == 0 { name.to_owned() } else { format!("({name} ...)") };
            let tail = if tail.is_empty() { String::new() } else { format!(" {tail}") };
            let mut warning =
                Diagnostic::warning("undefined-fluent", span, format!("{none} `{shown}`{tail}"));
            if let Some(&(other, place)) = arities.first() {
                warning = warning
                    .label(format!("expected {}, found {arity}", arguments(other)))
                    .note(place, format!("with {} here", arguments(other)));
            } else {
                warning = warning.label("so this never holds");
                if self.suggestions < MAX_SUGGESTIONS {
                    self.suggestions += 1;
                    warning = warning.suggest(name, names.iter().copied());
                }
            }
            self.diagnostics.push(warning);
        }
    }

    /// Goal values that are no integers.
    fn goals(&mut self) {
        let program = self.program;
        let mut reported = 0;
        for head in heads(program).filter(|head| head.relation == RelId::GOAL) {
            let value = &head.args[1];
            let fine = match &value.kind {
                TermKind::Variable(_) => true,
                TermKind::Constant(symbol) => goal_value(program.symbols.name(*symbol)).is_some(),
                TermKind::Compound(..) => false,
            };
            if !fine && reported < 20 {
                reported += 1;
                self.diagnostics.push(
                    Diagnostic::warning(
                        "goal-value",
                        value.span,
                        "this goal value cannot be scored",
                    )
                    .label("expected an integer of 32 bits"),
                );
            }
        }
    }
}

/// The value of a goal: an integer of 32 bits and any sign. (In games of GDL-I one from 0 to 100.)
pub(crate) fn goal_value(name: &str) -> Option<i32> {
    name.parse().ok()
}

/// Functor and number of arguments; `None` for a variable.
fn shape(term: &Term) -> Option<(Symbol, usize)> {
    match &term.kind {
        TermKind::Variable(_) => None,
        TermKind::Constant(symbol) => Some((*symbol, 0)),
        TermKind::Compound(symbol, args) => Some((*symbol, args.len())),
    }
}

fn bodies(program: &Program) -> impl Iterator<Item = &Atom> {
    program.rules.iter().flat_map(|rule| rule.body.iter().filter_map(|literal| literal.atom()))
}

fn arguments(n: usize) -> String {
    match n {
        0 => "no arguments".to_owned(),
        1 => "1 argument".to_owned(),
        n => format!("{n} arguments"),
    }
}

/// Reserved relations that a game needs, and whether it cannot be played without them.
const REQUIRED: [(RelId, bool, &str); 6] = [
    (RelId::ROLE, true, "add a fact such as `(role white)` for each player"),
    (RelId::INIT, false, "add facts such as `(init (control white))`"),
    (RelId::LEGAL, true, "say what players may do, such as `(<= (legal ?p noop) (role ?p))`"),
    (RelId::NEXT, false, "say what is true after a step, such as `(<= (next p) (true q))`"),
    (RelId::TERMINAL, false, "say when the game ends, such as `(<= terminal (true over))`"),
    (RelId::GOAL, false, "say what players get, such as `(<= (goal ?p 100) (won ?p))`"),
];

/// Checks that the sheet says all that a game needs.
pub(super) fn check_required(
    source: &Source,
    program: &Program,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let asserted: FxHashSet<RelId> = heads(program).map(|head| head.relation).collect();
    let missing = || {
        let missing = REQUIRED.iter().filter(|(id, ..)| !asserted.contains(id));
        missing.map(|(id, ..)| RelId::RESERVED[id.index()].0)
    };
    let mut others: Vec<&str> = heads(program)
        .filter(|head| !head.relation.is_reserved())
        .map(|head| program.relation_name(head.relation))
        .collect();
    others.sort_unstable();
    others.dedup();
    others.truncate(MAX_SUGGESTIONS * MAX_SUGGESTIONS);
    let end = Span::at(source.text().trim_end().len());
    for (id, needed, help) in REQUIRED {
        if asserted.contains(&id) {
            continue;
        }
        let name = RelId::RESERVED[id.index()].0;
        let message = format!("the sheet never says anything about `{name}`");
        let diagnostic = if needed {
            Diagnostic::error("missing-relation", end, message)
        } else {
            Diagnostic::warning("missing-relation", end, message)
        };
        let slip = others.iter().find(|found| text::near_miss(found, missing()) == Some(name));
        let mut diagnostic = diagnostic.label(format!("expected `{name}` somewhere above"));
        if let Some(found) = slip {
            diagnostic = diagnostic.help(format!("was `{found}` meant to be `{name}`?"));
        }
        diagnostics.push(diagnostic.help(help));
    }
}

/// The roles in the order of their facts, then those that rules derive.
pub(super) fn roles(program: &Program, diagnostics: &mut Vec<Diagnostic>) -> Vec<Symbol> {
    let mut roles = Vec::new();
    for fact in program.facts.iter().filter(|fact| fact.relation == RelId::ROLE) {
        if let TermKind::Constant(symbol) = fact.args[0].kind {
            roles.push(symbol);
        } else {
            diagnostics.push(
                Diagnostic::error("role-name", fact.args[0].span, "a role must be a constant")
                    .label("expected a name"),
            );
        }
    }
    let rule = program.rules.iter().find(|rule| rule.head.relation == RelId::ROLE);
    if let Some(rule) = rule
        && !diagnostics.iter().any(Diagnostic::is_error)
    {
        match derived_roles(program) {
            Some(derived) => {
                let new = derived.into_iter().filter(|role| !roles.contains(role));
                roles.extend(new.collect::<Vec<Symbol>>());
                diagnostics.push(
                    Diagnostic::warning(
                        "derived-role",
                        rule.head.span,
                        "rules say which roles there are",
                    )
                    .label("taken in the order of their first mention")
                    .help("say it in facts, whose order is the order of the players"),
                );
            }
            None => diagnostics.push(
                Diagnostic::error("derived-role", rule.head.span, "the roles cannot be found out")
                    .label("this takes too much work")
                    .help("say which roles there are in facts"),
            ),
        }
    }
    roles
}

/// Percepts that nobody has: of a name that is no role, or of nature, which perceives nothing. A
/// rule for whoever it applies to may name nature in passing, and is not remarked.
pub(super) fn check_percepts(program: &Program, diagnostics: &mut Vec<Diagnostic>) {
    let mut reported = FxHashSet::default();
    for head in heads(program).filter(|head| head.relation == RelId::SEES) {
        let who = &head.args[0];
        let symbol = match &who.kind {
            TermKind::Variable(_) => continue,
            TermKind::Constant(symbol) | TermKind::Compound(symbol, _) => *symbol,
        };
        let is_role = matches!(who.kind, TermKind::Constant(_)) && program.roles.contains(&symbol);
        let is_nature = is_role && program.is_nature(symbol);
        if is_role && !is_nature || !reported.insert((symbol, is_role)) {
            continue;
        }
        let name = program.symbols.name(symbol);
        let message = if is_nature {
            format!("`{name}` is nature, which perceives nothing")
        } else {
            format!("`{name}` is no role, so nobody perceives this")
        };
        let warning = Diagnostic::warning("sees-nobody", who.span, message).label("ignored");
        let players: Vec<&str> = program.players().map(|role| program.symbols.name(role)).collect();
        let warning =
            if is_nature { warning } else { warning.suggest(name, players.iter().copied()) };
        let players: Vec<String> = players.iter().take(16).map(|p| format!("`{p}`")).collect();
        let help = format!("name a player here ({}), or leave the rule out", players.join(", "));
        diagnostics.push(warning.help(help));
        if reported.len() == MAX_SUGGESTIONS {
            return;
        }
    }
}
