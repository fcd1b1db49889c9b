//! Graphs to edges.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use text::{Diagnostic, Span};

use super::context::{Context, MAX_CANDIDATES, Shape};
use super::terms::Term;
use super::tree::{Block, Expr, Statement, StatementKind, Type};
use super::values::rg_type;
use crate::limits::MAX_EXPANSION_DEPTH;
use crate::symbols::Symbol;
use crate::syntax::{self, Edge, Label, Name, Value, ValueDeclaration};

/// The nodes that statements inside of a block may lead to.
#[derive(Clone, Copy)]
struct Exits {
    /// The end of the body of the graph.
    returns: Symbol,
    /// The end of the game, or of the graph that is tested.
    ends: Symbol,
    breaks: Option<Symbol>,
    continues: Option<Symbol>,
}

impl Exits {
    fn of_body(returns: Symbol, ends: Symbol) -> Exits {
        Exits { returns, ends, breaks: None, continues: None }
    }
}

/// The parts of a graph besides its edges.
#[derive(Default)]
struct State {
    /// The parameters, and the variables that hold them.
    parameters: Vec<(Symbol, Symbol)>,
    /// The number of nodes so far.
    nodes: usize,
    used: bool,
    /// True if a graph that is walked calls it, even if the call has a fault.
    called: bool,
    /// The first and last node of each copy of a reusable graph, by the node that `end()` leads
    /// to; by `None` if the graph has no `end()`.
    copies: FxHashMap<Option<Symbol>, (Symbol, Symbol)>,
    /// The variable of a reusable graph that tells where it returns to, and its values.
    returns: Option<(Symbol, Vec<Name>)>,
}

/// The work on graphs.
pub(super) struct Graphs<'c, 'a> {
    pub(super) context: &'c mut Context<'a>,
    edges: Vec<Edge>,
    artificial: Vec<Symbol>,
    states: Vec<State>,
    /// The graphs whose bodies are being expanded; the last one is where names belong to.
    open: Vec<usize>,
    /// The names that mean something in an expression, as a set and in the order of importance.
    pub(super) known: (FxHashSet<Symbol>, Vec<Symbol>),
    /// The nodes where several arms of a branch begin, each with the place of the branch.
    forks: FxHashMap<Symbol, Span>,
    /// The types in statements, by place.
    types: FxHashMap<Span, Option<Rc<Shape>>>,
    /// True if an `end()` was met.
    ended: bool,
    depth: usize,
    /// The number of edges that were made, those of unused graphs included.
    made: usize,
}

/// Expands all graphs: edges, the variables that they need, and artificial tags.
pub(super) fn expand(context: &mut Context<'_>) -> (Vec<Edge>, Vec<ValueDeclaration>, Vec<Symbol>) {
    let mut graphs = Graphs::new(context);
    let [begin, end] = ["begin", "end"].map(|node| graphs.context.terms.symbols.intern(node));
    if let Some(rules) = graphs.rules() {
        graphs.open.push(rules);
        let (first, span) = (graphs.node(), graphs.context.program.graphs[rules].name.span);
        graphs.edge(begin, first, Label::Skip, span);
        graphs.open.pop();
        graphs.body(rules, first, end, Exits::of_body(end, end));
        let ends = graphs.edges.iter().any(|edge| edge.to.symbol == end);
        if !ends && !graphs.context.failed {
            let texts = ["the game never ends", "expected `end()` in it", ""];
            graphs.context.fault("end-cut-off", span, texts);
        }
    }
    let variables = graphs.variables();
    let sizes = (graphs.edges.len(), graphs.artificial.len());
    for graph in 0..graphs.states.len() {
        if !graphs.states[graph].used {
            graphs.context.unused = (!graphs.states[graph].called).then_some(graph);
            graphs.body(graph, begin, end, Exits::of_body(end, end));
            graphs.edges.truncate(sizes.0);
        }
    }
    graphs.artificial.truncate(sizes.1);
    graphs.context.unused = None;
    (graphs.edges, variables, graphs.artificial)
}

impl<'c, 'a> Graphs<'c, 'a> {
    fn new(context: &'c mut Context<'a>) -> Graphs<'c, 'a> {
        let program = context.program;
        let built_in = ["goals", "player", "visible", "keeper", "random"];
        let mut names: Vec<Symbol> = program.variables.iter().map(|it| it.0.symbol).collect();
        names.extend(program.functions.iter().map(|function| function.name.symbol));
        names.extend(built_in.map(|name| context.terms.symbols.intern(name)));
        let mut states = Vec::new();
        for graph in &program.graphs {
            context.distinct("parameter", graph.parameters.iter().map(|parameter| parameter.0));
            let mut state = State::default();
            for (place, (name, ty)) in graph.parameters.iter().enumerate() {
                // Members of sets without a name become known.
                context.shape(ty);
                let [text, graph] = [*name, graph.name].map(|name| context.text(name));
                let variable = format!("{graph}_arg{place}_{text}");
                state.parameters.push((name.symbol, context.fresh(&variable)));
            }
            states.push(state);
        }
        let members = context.sets.iter().flat_map(|set| set.members.iter().map(|m| m.1.symbol));
        names.extend(members);
        Graphs {
            context,
            edges: Vec::new(),
            artificial: Vec::new(),
            states,
            open: Vec::new(),
            known: (names.iter().copied().collect(), names),
            forks: FxHashMap::default(),
            types: FxHashMap::default(),
            ended: false,
            depth: 0,
            made: 0,
        }
    }

    /// The graph that a game begins with, or a message that there is none.
    fn rules(&mut self) -> Option<usize> {
        let graphs = &self.context.program.graphs;
        let rules = graphs.iter().position(|graph| self.context.text(graph.name) == "rules");
        if rules.is_none() {
            let symbol = self.context.terms.symbols.intern("rules");
            let span = graphs.first().map_or(Span::at(0), |graph| graph.name.span);
            let known = graphs.iter().map(|graph| graph.name.symbol);
            let help = "add `graph rules() { .. }`, where the game begins";
            let name = Name { symbol, span };
            self.context.unknown(name, ["missing-rules", "graph"], known, help);
        }
        rules
    }

    /// The variables of graphs that are walked: parameters, and where reusable graphs return to.
    fn variables(&mut self) -> Vec<ValueDeclaration> {
        let mut variables = Vec::new();
        for (graph, state) in self.context.program.graphs.iter().zip(&mut self.states) {
            for ((name, ty), variable) in graph.parameters.iter().zip(&state.parameters) {
                let shape = self.context.shape(ty).filter(|_| state.used);
                let value = shape.and_then(|shape| self.context.first_value(&shape, name.span));
                let name = Name { symbol: variable.1, span: name.span };
                let declaration = |value| ValueDeclaration { name, ty: rg_type(ty), value };
                variables.extend(value.map(declaration));
            }
            if let Some((symbol, values)) = state.returns.take() {
                let span = graph.name.span;
                let value = Value::Name(values[0]);
                let ty = syntax::Type::Set(values, span);
                variables.push(ValueDeclaration { name: Name { symbol, span }, ty, value });
            }
        }
        variables
    }

    /// A new node, named after the graph.
    pub(super) fn node(&mut self) -> Symbol {
        let Some(&graph) = self.open.last() else { return Symbol(0) };
        self.states[graph].nodes += 1;
        let name = self.context.text(self.context.program.graphs[graph].name);
        let node = format!("{name}_{}", self.states[graph].nodes);
        self.context.terms.symbols.intern(&node)
    }

    /// Adds an edge.
    pub(super) fn edge(&mut self, from: Symbol, to: Symbol, label: Label, span: Span) {
        if self.count(span) {
            let [from, to] = [from, to].map(|symbol| Name { symbol, span });
            self.edges.push(Edge { from, to, label, span });
        }
    }

    /// Counts an edge, or a statement without one; false if there are too many.
    fn count(&mut self, span: Span) -> bool {
        self.made += 1;
        let most = self.context.bounds.edges;
        if self.made == most + 1 {
            let help = "declare graphs that are called often as `reusable graph`, \
                        and use `loop` for many rounds";
            self.context.exceeded(span, most, "edges of graphs", help);
        }
        !self.full()
    }

    /// True if there are too many edges.
    fn full(&self) -> bool {
        self.made > self.context.bounds.edges
    }

    /// The body of a graph, from one node to another.
    fn body(&mut self, graph: usize, from: Symbol, to: Symbol, exits: Exits) {
        let base = std::mem::replace(&mut self.context.base, self.context.bindings.len());
        self.open.push(graph);
        self.states[graph].used = true;
        let outer = self.context.scope.replace(graph);
        self.block(&self.context.program.graphs[graph].body, from, to, exits);
        self.context.scope = outer;
        self.open.pop();
        self.context.base = base;
    }

    fn block(&mut self, block: &'a Block, from: Symbol, to: Symbol, exits: Exits) {
        let Some((last, others)) = block.statements.split_last() else {
            return self.edge(from, to, Label::Skip, block.span);
        };
        if self.depth == MAX_EXPANSION_DEPTH {
            let help = "call graphs one behind the other";
            let what = "calls and blocks in each other";
            // Nothing else is expanded: calls double at each level, where they can.
            self.made = self.context.bounds.edges + 1;
            return self.context.exceeded(block.span, MAX_EXPANSION_DEPTH, what, help);
        }
        self.depth += 1;
        let mut at = from;
        for statement in others {
            let next = self.node();
            self.statement(statement, at, next, exits);
            at = next;
        }
        self.statement(last, at, to, exits);
        self.depth -= 1;
    }

    fn statement(&mut self, statement: &'a Statement, from: Symbol, to: Symbol, exits: Exits) {
        let (span, made) = (statement.span, self.made);
        match &statement.kind {
            _ if self.full() => {}
            StatementKind::Call(name, arguments) => {
                self.call(*name, arguments, [from, to], exits.ends, span);
            }
            StatementKind::Check(condition) => self.test(condition, from, Some(to), None),
            StatementKind::Jump(jump) => self.jump(jump, from, exits, span),
            StatementKind::Branch(arms) => self.fork(from, arms.len(), span, |graphs, place| {
                graphs.block(&arms[place], from, to, exits);
            }),
            StatementKind::BranchIn(name, ty, block) => {
                let terms = self.members(ty).unwrap_or_default();
                self.fork(from, terms.len(), span, |graphs, place| {
                    graphs.context.bindings.push((name.symbol, terms[place]));
                    graphs.block(block, from, to, exits);
                    graphs.context.bindings.pop();
                });
            }
            StatementKind::Repeat(times, block) => {
                self.rounds((0..*times).map(|_| None), block, [from, to], exits);
            }
            StatementKind::RepeatIn(name, ty, block) => {
                let terms = self.members(ty).unwrap_or_default();
                let rounds = terms.into_iter().map(|term| Some((name.symbol, term)));
                self.rounds(rounds, block, [from, to], exits);
            }
            StatementKind::Loop(block) => {
                let head = self.node();
                self.edge(from, head, Label::Skip, span);
                let inner = Exits { breaks: Some(to), continues: Some(head), ..exits };
                self.block(block, head, head, inner);
            }
            StatementKind::While(condition, block) => {
                self.begins_again(from, condition.span);
                let inside = self.node();
                self.test(condition, from, Some(inside), Some(to));
                let inner = Exits { breaks: Some(to), continues: Some(from), ..exits };
                self.block(block, inside, from, inner);
            }
            StatementKind::If(arms, otherwise) => {
                self.conditional(arms, otherwise.as_ref(), [from, to], exits);
            }
            kind => {
                if let Some(label) = self.label(kind) {
                    self.edge(from, to, label, span);
                }
            }
        }
        if self.made == made {
            self.count(span);
        }
    }

    /// The arms of a branch, by their places.
    fn fork(&mut self, from: Symbol, arms: usize, span: Span, arm: impl Fn(&mut Self, usize)) {
        let outer = self.forks.get(&from).copied();
        if arms > 1 {
            self.forks.insert(from, span);
        }
        (0..arms).for_each(|place| arm(self, place));
        match outer {
            Some(outer) => self.forks.insert(from, outer),
            None => self.forks.remove(&from),
        };
    }

    /// Warns of a `while` at a node where a branch begins: its rounds come back to that node, where
    /// the walk may go on into other arms.
    fn begins_again(&mut self, from: Symbol, span: Span) {
        let Some(branch) = self.forks.get(&from).copied() else { return };
        let message = "each round of this `while` begins the whole `branch` again";
        let diagnostic = Diagnostic::warning("branch-again", span, message)
            .label("expected not to be the first statement of an arm")
            .note(branch, "the branch, whose other arms a round may go on with")
            .help("write `loop { if not(..) { break() } .. }`, which begins at itself");
        self.context.report(diagnostic);
    }

    /// The label of a statement that is one edge; nothing after a message.
    fn label(&mut self, kind: &'a StatementKind) -> Option<Label> {
        match kind {
            StatementKind::Assign(target, keys, value) => {
                // The value of a wrong target has no meaning.
                let wrong = self.context.bound(target.symbol).is_some();
                let target = self.target(*target, keys);
                let value = if wrong { None } else { self.read(value) };
                Some(Label::Assign(target?, value?))
            }
            StatementKind::AssignAny(target, keys, ty) => {
                let members = self.members(ty);
                let target = self.target(*target, keys);
                members.and(Some(Label::AssignAny(target?, rg_type(ty))))
            }
            StatementKind::Tag(names, artificial) => {
                let tag = self.tag(names);
                self.artificial.extend(artificial.then_some(tag.symbol));
                Some(Label::Tag(tag))
            }
            StatementKind::TagVariable(name) => {
                self.variable(*name, "a tag").map(Label::TagVariable)
            }
            _ => None,
        }
    }

    /// Rounds one behind the other, each with the name that is replaced in it.
    fn rounds(
        &mut self,
        rounds: impl Iterator<Item = Option<(Symbol, Term)>>,
        block: &'a Block,
        [from, to]: [Symbol; 2],
        exits: Exits,
    ) {
        let mut at = from;
        let top = self.context.bindings.len();
        for binding in rounds {
            let next = self.node();
            self.context.bindings.extend(binding);
            let inner = Exits { breaks: Some(to), continues: Some(next), ..exits };
            self.block(block, at, next, inner);
            self.context.bindings.truncate(top);
            at = next;
            if self.full() {
                return;
            }
        }
        self.edge(at, to, Label::Skip, block.span);
    }

    fn conditional(
        &mut self,
        arms: &'a [(Expr, Block)],
        otherwise: Option<&'a Block>,
        [from, to]: [Symbol; 2],
        exits: Exits,
    ) {
        let mut at = from;
        for (place, (condition, block)) in arms.iter().enumerate() {
            let inside = self.node();
            let last = place + 1 == arms.len() && otherwise.is_none();
            let next = if last { to } else { self.node() };
            self.test(condition, at, Some(inside), Some(next));
            self.block(block, inside, to, exits);
            at = next;
        }
        otherwise.into_iter().for_each(|block| self.block(block, at, to, exits));
    }

    fn jump(&mut self, jump: &str, from: Symbol, exits: Exits, span: Span) {
        let (to, label) = match jump {
            "end" => {
                self.ended = true;
                let names = ["player", "keeper"];
                let [player, keeper] = names.map(|name| self.context.terms.symbols.intern(name));
                (Some(exits.ends), assign(player, keeper, span))
            }
            "return" => (Some(exits.returns), Label::Skip),
            "break" => (exits.breaks, Label::Skip),
            _ => (exits.continues, Label::Skip),
        };
        if let Some(to) = to {
            return self.edge(from, to, label, span);
        }
        let message = format!("`{jump}()` outside of a loop");
        let help = "to leave a graph, write `return()`; it cannot leave a loop of its caller";
        let texts = [&message, "expected to stand in `loop`, `while` or `repeat`", help];
        self.context.fault("outside-loop", span, texts);
    }

    /// The members of a type in a statement, which must be a set; else a message.
    fn members(&mut self, ty: &Type) -> Option<Vec<Term>> {
        if !self.types.contains_key(&ty.span) {
            let shape = self.context.shape(ty);
            if shape.as_ref().is_some_and(|shape| !shape.keys.is_empty()) {
                let texts = ["maps cannot be listed", "expected a domain or a set", ""];
                self.context.fault("type", ty.span, texts);
            }
            self.types.insert(ty.span, shape.filter(|shape| shape.keys.is_empty()));
        }
        let shape = self.types.get(&ty.span)?.as_ref()?;
        Some(self.context.sets[shape.end].members.iter().map(|member| member.0).collect())
    }

    /// A tag of one name or of several, with names replaced.
    fn tag(&mut self, names: &[Name]) -> Name {
        let span = names[0].span.to(names[names.len() - 1].span);
        let symbols: Vec<Symbol> = names.iter().map(|name| self.replaced(*name)).collect();
        let parts: Vec<&str> =
            symbols.iter().map(|symbol| self.context.terms.symbols.name(*symbol)).collect();
        let tag = parts.join("__");
        Name { symbol: self.context.terms.symbols.intern(&tag), span }
    }

    /// The names that a misspelt one may mean: parameters of the graph, and others.
    pub(super) fn near(&self) -> Vec<Symbol> {
        let own = self.open.last().map_or(&[][..], |graph| &self.states[*graph].parameters);
        let own = own.iter().map(|parameter| parameter.0);
        own.chain(self.known.1.iter().copied()).take(MAX_CANDIDATES).collect()
    }

    /// The variable that holds a parameter of the graph.
    pub(super) fn parameter(&self, symbol: Symbol) -> Option<Symbol> {
        let parameters = &self.states[*self.open.last()?].parameters;
        parameters.iter().find(|parameter| parameter.0 == symbol).map(|parameter| parameter.1)
    }

    /// The graph that is called, and labels that give its parameters their values; nothing after a
    /// message.
    fn callee(
        &mut self,
        name: Name,
        arguments: &'a [Expr],
        span: Span,
    ) -> Option<(usize, Vec<Label>)> {
        let graphs = &self.context.program.graphs;
        let Some(&graph) = self.context.graphs.get(&name.symbol) else {
            let known = graphs.iter().map(|graph| graph.name.symbol);
            let help = format!("declare it: `graph {}() {{ .. }}`", self.context.text(name));
            self.context.unknown(name, ["unknown-graph", "graph"], known, &help);
            return None;
        };
        self.states[graph].called |= self.context.unused.is_none();
        if self.context.bound(name.symbol).is_some() {
            self.forbidden(name, "called as a graph");
            return None;
        }
        if let Some(from) = self.open.iter().position(|open| *open == graph) {
            let cycle = self.open[from..].iter().chain([&graph]);
            let cycle: Vec<&str> =
                cycle.map(|graph| self.context.text(graphs[*graph].name)).collect();
            let message = format!("graphs call each other without end: {}", cycle.join(" > "));
            let help = "calls are expanded in place; use `loop` or `while` to repeat something";
            let texts = [&message, "expected a graph that does not lead back here", help];
            self.context.fault("recursion", name.span, texts);
            return None;
        }
        let (found, expected) = (arguments.len(), graphs[graph].parameters.len());
        if found != expected {
            let message = format!("`{}` has {found} arguments here", self.context.text(name));
            let diagnostic = Diagnostic::error("arity", span, message)
                .label(format!("expected {expected}, in round brackets"));
            let note = format!("it has {expected} parameters");
            self.context.report(diagnostic.note(graphs[graph].name.span, note));
            return None;
        }
        let values: Vec<Option<syntax::Expr>> =
            arguments.iter().map(|argument| self.read(argument)).collect();
        let values: Vec<syntax::Expr> = values.into_iter().collect::<Option<_>>()?;
        let rows = values.into_iter().zip(arguments).zip(&self.states[graph].parameters);
        let labels = rows.map(|((value, argument), parameter)| {
            Label::Assign(named(parameter.1, argument.span), value)
        });
        Some((graph, labels.collect()))
    }

    /// Edges one behind the other, and the node behind them.
    fn edges(&mut self, labels: Vec<Label>, from: Symbol, span: Span) -> Symbol {
        let mut at = from;
        for label in labels {
            let next = self.node();
            self.edge(at, next, label, span);
            at = next;
        }
        at
    }

    fn call(
        &mut self,
        name: Name,
        arguments: &'a [Expr],
        [from, to]: [Symbol; 2],
        ends: Symbol,
        span: Span,
    ) {
        let Some((graph, mut labels)) = self.callee(name, arguments, span) else { return };
        if !self.context.program.graphs[graph].reusable {
            let start = self.edges(labels, from, span);
            return self.body(graph, start, to, Exits::of_body(to, ends));
        }
        let (entry, exit) = self.copy(graph, Some(ends));
        let text = self.context.text(name).to_owned();
        let (variable, mut points) = self.states[graph]
            .returns
            .take()
            .unwrap_or_else(|| (self.context.fresh(&format!("{text}_return")), Vec::new()));
        let point = self.context.fresh(&format!("{text}_return_{}", points.len()));
        points.push(Name { symbol: point, span });
        self.states[graph].returns = Some((variable, points));
        labels.insert(0, assign(variable, point, span));
        let start = self.edges(labels, from, span);
        self.edge(start, entry, Label::Skip, span);
        let [left, right] = [variable, point].map(|symbol| named(symbol, span));
        self.edge(exit, to, Label::Compare { left, right, equal: true }, span);
    }

    /// The nodes of a test: where it begins, and what it must reach.
    pub(super) fn tested(
        &mut self,
        name: Name,
        arguments: &'a [Expr],
        span: Span,
    ) -> Option<(Symbol, Symbol)> {
        let (graph, labels) = self.callee(name, arguments, span)?;
        let reusable = self.context.program.graphs[graph].reusable;
        if reusable && labels.is_empty() {
            return Some(self.copy(graph, None));
        }
        let from = self.node();
        let start = self.edges(labels, from, span);
        if reusable {
            let (entry, exit) = self.copy(graph, None);
            self.edge(start, entry, Label::Skip, span);
            return Some((from, exit));
        }
        let to = self.node();
        let ended = self.ended;
        self.body(graph, start, to, Exits::of_body(to, to));
        self.ended = ended;
        Some((from, to))
    }

    /// The entry and the exit of a copy of a reusable graph; `end()` in it leads to a node, or to
    /// its exit.
    fn copy(&mut self, graph: usize, ends: Option<Symbol>) -> (Symbol, Symbol) {
        // The name of the graph stands for the exit, which is no node of its own before.
        let key = ends.unwrap_or(self.context.program.graphs[graph].name.symbol);
        let copies = &self.states[graph].copies;
        if let Some(nodes) = copies.get(&None) {
            return *nodes;
        }
        if let Some(nodes) = copies.get(&Some(key)) {
            self.ended |= ends.is_some();
            return *nodes;
        }
        self.open.push(graph);
        let nodes @ (entry, exit) = (self.node(), self.node());
        self.open.pop();
        let ended = std::mem::replace(&mut self.ended, false);
        self.body(graph, entry, exit, Exits::of_body(exit, ends.unwrap_or(exit)));
        self.states[graph].copies.insert(self.ended.then_some(key), nodes);
        self.ended = ended || self.ended && ends.is_some();
        nodes
    }
}

/// A name as an expression.
fn named(symbol: Symbol, span: Span) -> syntax::Expr {
    syntax::Expr::Name(Name { symbol, span })
}

/// `target = value`
fn assign(target: Symbol, value: Symbol, span: Span) -> Label {
    Label::Assign(named(target, span), named(value, span))
}
