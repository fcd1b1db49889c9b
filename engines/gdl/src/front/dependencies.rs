//! The dependencies between relations: stratification, the conditions on reserved relations, and
//! the recursion restriction.

use std::collections::VecDeque;
use std::fmt::Write;

use rustc_hash::FxHashMap;
use text::{Diagnostic, Span};

use crate::graph::strong_components;
use crate::limits::MAX_COMPONENT_RULES;
use crate::program::{Atom, Component, Dependence, Literal, Program, RelId, Rule, Term, TermKind};

/// `head` depends on `body`, because of a literal of a rule.
#[derive(Clone, Copy)]
struct Edge {
    body: RelId,
    negative: bool,
    rule: usize,
    span: Span,
}

/// Checks what depends on what, fills in [`crate::Relation`]'s `dependence` and `component`, and
/// returns the components.
pub(super) fn check(program: &mut Program, diagnostics: &mut Vec<Diagnostic>) -> Vec<Component> {
    let graph = edges(program);
    let components = components(&graph);
    for (index, component) in components.iter().enumerate() {
        for &id in &component.relations {
            program.relations[id.index()].component = index;
        }
    }
    for component in &components {
        let dependence = dependence(program, &graph, component);
        for &id in &component.relations {
            program.relations[id.index()].dependence = dependence;
        }
    }
    negation_cycles(program, &graph, &components, diagnostics);
    conditions(program, &graph, diagnostics);
    recursion(program, &components, diagnostics);
    components
}

fn edges(program: &Program) -> Vec<Vec<Edge>> {
    let mut graph = vec![Vec::new(); program.relations.len()];
    for (rule_index, rule) in program.rules.iter().enumerate() {
        for literal in &rule.body {
            if let Some(atom) = literal.atom() {
                graph[rule.head.relation.index()].push(Edge {
                    body: atom.relation,
                    negative: matches!(literal, Literal::Negative(_)),
                    rule: rule_index,
                    span: atom.span,
                });
            }
        }
    }
    graph
}

fn components(graph: &[Vec<Edge>]) -> Vec<Component> {
    let successors: Vec<Vec<usize>> =
        graph.iter().map(|edges| edges.iter().map(|e| e.body.index()).collect()).collect();
    strong_components(&successors)
        .into_iter()
        .map(|members| Component {
            recursive: members.len() > 1 || successors[members[0]].contains(&members[0]),
            relations: members.into_iter().map(|m| RelId(m as u32)).collect(),
        })
        .collect()
}

fn dependence(program: &Program, graph: &[Vec<Edge>], component: &Component) -> Dependence {
    let of = |id: RelId| match id {
        RelId::TRUE => Dependence::State,
        RelId::DOES => Dependence::Step,
        // Those of the component itself still say `Static`, the least.
        _ => program.relation(id).dependence,
    };
    let own = component.relations.iter().map(|&id| of(id));
    let below =
        component.relations.iter().flat_map(|id| &graph[id.index()]).map(|edge| of(edge.body));
    own.chain(below).max().unwrap_or(Dependence::Static)
}

/// The shortest chain of edges from `from` to `to`, inside one component.
fn path(
    program: &Program,
    graph: &[Vec<Edge>],
    from: RelId,
    to: impl Fn(RelId) -> bool,
) -> Vec<Edge> {
    let mut came: Vec<Option<(RelId, Edge)>> = vec![None; program.relations.len()];
    let mut seen = vec![false; program.relations.len()];
    let mut queue = VecDeque::from([from]);
    seen[from.index()] = true;
    while let Some(id) = queue.pop_front() {
        if to(id) {
            let mut chain = Vec::new();
            let mut at = id;
            while let Some((before, edge)) = came[at.index()] {
                chain.push(edge);
                at = before;
            }
            chain.reverse();
            return chain;
        }
        for &edge in &graph[id.index()] {
            if !std::mem::replace(&mut seen[edge.body.index()], true) {
                came[edge.body.index()] = Some((id, edge));
                queue.push_back(edge.body);
            }
        }
    }
    Vec::new()
}

/// One message for each component in which a relation depends on its own negation.
fn negation_cycles(
    program: &Program,
    graph: &[Vec<Edge>],
    components: &[Component],
    diagnostics: &mut Vec<Diagnostic>,
) {
    for (index, component) in components.iter().enumerate() {
        let inside = |id: RelId| program.relation(id).component == index;
        let edge = component
            .relations
            .iter()
            .find_map(|&head| graph[head.index()].iter().find(|e| e.negative && inside(e.body)));
        let Some(edge) = edge else { continue };
        let rules: Vec<usize> =
            (0..program.rules.len()).filter(|&r| inside(program.rules[r].head.relation)).collect();
        match RuleGraph::new(program, &rules).negative_cycle() {
            Some(cycle) => diagnostics.push(cycle_error(program, &cycle)),
            None => diagnostics.push(
                Diagnostic::warning(
                    "stratified-by-value",
                    edge.span,
                    format!(
                        "`{}` depends on its own negation, though with other arguments",
                        program.relation_name(program.rules[edge.rule].head.relation)
                    ),
                )
                .label("accepted, as no cycle goes through the same values"),
            ),
        }
    }
}

/// The graph from literals to the rules of one component that can supply them: finer than
/// relations, since `(goal ?p 100)` cannot be supplied by a rule for `(goal ?p 0)`.
struct RuleGraph<'a> {
    program: &'a Program,
    rules: &'a [usize],
    /// By place in `rules`: suppliers, by place too, each with the place of the literal.
    edges: Vec<Vec<(usize, usize)>>,
}

/// A step of a cycle: the rule, and the literal of its body that the next rule supplies.
type Step = (usize, usize);

impl<'a> RuleGraph<'a> {
    fn new(program: &'a Program, rules: &'a [usize]) -> RuleGraph<'a> {
        // Where there are too many to compare, every pair of the same relation counts.
        let coarse = rules.len() > MAX_COMPONENT_RULES;
        let mut heads: FxHashMap<RelId, Vec<usize>> = FxHashMap::default();
        for (place, &rule) in rules.iter().enumerate() {
            let list = heads.entry(program.rules[rule].head.relation).or_default();
            if !coarse || list.is_empty() {
                list.push(place);
            }
        }
        let edges = rules
            .iter()
            .map(|&rule| {
                let body = program.rules[rule].body.iter().enumerate();
                let atoms = body.filter_map(|(i, literal)| Some((i, literal.atom()?)));
                atoms
                    .flat_map(|(i, atom)| {
                        let suppliers = heads.get(&atom.relation).map_or(&[][..], |list| list);
                        suppliers.iter().filter_map(move |&place| {
                            let head = &program.rules[rules[place]].head;
                            (coarse || may_match(&atom.args, &head.args)).then_some((place, i))
                        })
                    })
                    .collect()
            })
            .collect();
        RuleGraph { program, rules, edges }
    }

    fn is_negative(&self, (place, literal): Step) -> bool {
        let rule = &self.program.rules[self.rules[place]];
        matches!(rule.body[literal], Literal::Negative(_))
    }

    /// A cycle with a negative literal first, if there is one.
    fn negative_cycle(&self) -> Option<Vec<Step>> {
        let successors: Vec<Vec<usize>> =
            self.edges.iter().map(|list| list.iter().map(|&(to, _)| to).collect()).collect();
        let mut component = vec![0; self.rules.len()];
        for (index, members) in strong_components(&successors).iter().enumerate() {
            for &member in members {
                component[member] = index;
            }
        }
        for from in 0..self.rules.len() {
            for &(to, literal) in &self.edges[from] {
                if self.is_negative((from, literal)) && component[from] == component[to] {
                    let mut cycle = vec![(from, literal)];
                    cycle.extend(self.path(to, from));
                    return Some(
                        cycle.into_iter().map(|(place, l)| (self.rules[place], l)).collect(),
                    );
                }
            }
        }
        None
    }

    /// The shortest way from one rule to another.
    fn path(&self, from: usize, to: usize) -> Vec<Step> {
        let mut came: Vec<Option<Step>> = vec![None; self.rules.len()];
        let mut queue = VecDeque::from([from]);
        while let Some(at) = queue.pop_front() {
            if at == to {
                break;
            }
            for &(next, literal) in &self.edges[at] {
                if next != from && came[next].is_none() {
                    came[next] = Some((at, literal));
                    queue.push_back(next);
                }
            }
        }
        let mut steps = Vec::new();
        let mut at = to;
        while at != from
            && let Some(step) = came[at]
        {
            steps.push(step);
            at = step.0;
        }
        steps.reverse();
        steps
    }
}

/// True if two lists of terms can stand for the same ground terms, variables taken for anything.
fn may_match(a: &[Term], b: &[Term]) -> bool {
    a.iter().zip(b).all(|(a, b)| match (&a.kind, &b.kind) {
        (TermKind::Variable(_), _) | (_, TermKind::Variable(_)) => true,
        (TermKind::Constant(a), TermKind::Constant(b)) => a == b,
        (TermKind::Compound(f, a), TermKind::Compound(g, b)) => {
            f == g && a.len() == b.len() && may_match(a, b)
        }
        _ => false,
    })
}

fn cycle_error(program: &Program, cycle: &[Step]) -> Diagnostic {
    let head = |step: &Step| program.relation_name(program.rules[step.0].head.relation);
    let literal = |step: &Step| &program.rules[step.0].body[step.1];
    let needed =
        |step: &Step| literal(step).atom().map_or("", |atom| program.relation_name(atom.relation));
    let first = &cycle[0];
    let mut diagnostic = Diagnostic::error(
        "negation-cycle",
        literal(first).span(),
        format!("`{}` depends on its own negation", head(first)),
    )
    .label(format!("`{}` needs this not to hold", head(first)));
    let mut words = String::new();
    for (i, step) in cycle.iter().enumerate() {
        let negative = matches!(literal(step), Literal::Negative(_));
        let what = if negative {
            format!("`(not {})`", needed(step))
        } else {
            format!("`{}`", needed(step))
        };
        if i > 0 && i <= 8 {
            let text = format!("`{}` needs {what} here", head(step));
            diagnostic = diagnostic.note(literal(step).span(), text);
        }
        if i <= 12 {
            let comma = if i > 0 { ", " } else { "" };
            let _ = write!(words, "{comma}`{}` needs {what}", head(step));
        }
    }
    diagnostic
        .help(format!("the cycle: {words}"))
        .help("rules must be stratified: no relation may depend on its own negation")
}

/// The relations that reserved relations may not depend on.
const CONDITIONS: [(RelId, &[RelId], bool); 7] = [
    (RelId::ROLE, &[RelId::TRUE, RelId::DOES], true),
    (RelId::INIT, &[RelId::TRUE, RelId::DOES], true),
    (RelId::LEGAL, &[RelId::DOES], true),
    (RelId::TERMINAL, &[RelId::DOES], true),
    (RelId::GOAL, &[RelId::DOES], true),
    (RelId::BASE, &[RelId::TRUE, RelId::DOES], false),
    (RelId::INPUT, &[RelId::TRUE, RelId::DOES], false),
];

fn conditions(program: &Program, graph: &[Vec<Edge>], diagnostics: &mut Vec<Diagnostic>) {
    for (id, forbidden, error) in CONDITIONS {
        for &bad in forbidden {
            let chain = path(program, graph, id, |at| at == bad);
            let Some(last) = chain.last() else { continue };
            let (name, bad) = (program.relation_name(id), program.relation_name(bad));
            let message = format!("`{name}` may not depend on `{bad}`");
            let diagnostic = if error {
                Diagnostic::error("dependency", last.span, message)
            } else {
                Diagnostic::warning("dependency", last.span, message)
            };
            let mut diagnostic =
                diagnostic.label(format!("`{bad}` is not known when `{name}` is asked for"));
            for edge in chain.iter().take(chain.len() - 1).take(8) {
                let head = program.rules[edge.rule].head.relation;
                let text = format!(
                    "`{}` needs `{}` here",
                    program.relation_name(head),
                    program.relation_name(edge.body)
                );
                diagnostic = diagnostic.note(edge.span, text);
            }
            diagnostics.push(diagnostic);
        }
    }
}

/// The recursion restriction (Love et al. 2008): in a recursive literal every argument is ground,
/// an argument of the head, or an argument of a positive literal outside of the recursion. Where it
/// is broken without compound terms, evaluation is finite all the same, so it is worth a warning at
/// most, and none at all without them.
fn recursion(program: &Program, components: &[Component], diagnostics: &mut Vec<Diagnostic>) {
    for rule in &program.rules {
        let component = program.relation(rule.head.relation).component;
        if !components.get(component).is_some_and(|c| c.recursive) || !grows(&rule.head) {
            continue;
        }
        let recursive = |atom: &Atom| program.relation(atom.relation).component == component;
        for literal in &rule.body {
            let Literal::Positive(atom) = literal else { continue };
            if !recursive(atom) {
                continue;
            }
            if let Some(arg) = atom.args.iter().find(|arg| !restricted(rule, arg, &recursive)) {
                diagnostics.push(
                    Diagnostic::warning(
                        "recursion",
                        arg.span,
                        "this recursion may go on without end",
                    )
                    .label("nothing bounds this argument")
                    .note(rule.head.span, "each round can build a larger term here")
                    .help("bound it by a positive literal that does not depend on this rule"),
                );
            }
        }
    }
}

fn restricted(rule: &Rule, arg: &Term, recursive: &impl Fn(&Atom) -> bool) -> bool {
    arg.is_ground()
        || rule.head.args.contains(arg)
        || rule.body.iter().any(|literal| match literal {
            Literal::Positive(atom) => !recursive(atom) && atom.args.contains(arg),
            _ => false,
        })
}

/// True if an argument of the head is larger than what its variables stand for.
fn grows(head: &Atom) -> bool {
    head.args.iter().any(|arg| matches!(arg.kind, TermKind::Compound(..)) && !arg.is_ground())
}
