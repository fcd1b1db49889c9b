//! Graphs to edges.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use text::{Diagnostic, Span};

use super::calls::Calls;
use super::context::{Context, Shape, count};
use super::parse::word;
use super::terms::Term;
use super::tree::{Block, Expr, Jump, Statement, StatementKind, Type};
use super::values::rg_type;
use crate::limits::{MAX_EDGES, MAX_EXPANSION_DEPTH};
use crate::symbols::Symbol;
use crate::syntax::{self, Edge, Label, Name, Value, ValueDeclaration};

/// The nodes that statements inside of a block may lead to.
#[derive(Clone, Copy)]
pub(super) struct Exits {
    /// The end of the body of the graph.
    returns: Symbol,
    /// The end of the game, or of the graph that is tested.
    ends: Symbol,
    breaks: Option<Symbol>,
    continues: Option<Symbol>,
}

impl Exits {
    /// The exits of the body of a graph.
    fn of_body(returns: Symbol, ends: Symbol) -> Exits {
        Exits { returns, ends, breaks: None, continues: None }
    }
}

/// A copy of a reusable graph.
struct Copied {
    graph: usize,
    entry: Symbol,
    exit: Symbol,
    ends: Symbol,
}

/// The work on graphs.
pub(super) struct Graphs<'c, 'a> {
    pub(super) context: &'c mut Context<'a>,
    pub(super) edges: Vec<Edge>,
    /// Tags that only tell walks apart.
    pub(super) artificial: Vec<Symbol>,
    /// The graph whose body is expanded.
    pub(super) graph: usize,
    /// For each graph its parameters, and the variables that hold them.
    pub(super) parameters: Vec<Vec<(Symbol, Symbol)>>,
    /// The names that mean something in an expression.
    pub(super) known: FxHashSet<Symbol>,
    calls: Calls,
    /// The number of nodes of each graph.
    nodes: Vec<usize>,
    used: Vec<bool>,
    /// The entries and exits of reusable graphs, by the node that `end()` leads to if there is one;
    /// the innermost nothing stands for the exit itself.
    copies: FxHashMap<(usize, Option<Option<Symbol>>), (Symbol, Symbol)>,
    waiting: Vec<Copied>,
    /// For each graph that is called as a reusable one, the variable and its values.
    returns: Vec<Option<(Symbol, Vec<Name>)>>,
    /// The types in statements, by place.
    types: FxHashMap<Span, Option<Rc<Shape>>>,
    depth: usize,
    /// The number of edges that were made, those of unused graphs included.
    made: usize,
}

/// Expands all graphs: edges, the variables that they need, and artificial tags.
pub(super) fn expand(context: &mut Context<'_>) -> (Vec<Edge>, Vec<ValueDeclaration>, Vec<Symbol>) {
    let mut graphs = Graphs::new(context);
    let shapes = graphs.declare_parameters();
    if let Some(rules) = graphs.rules() {
        let [begin, end] = ["begin", "end"].map(|node| graphs.symbol(node));
        graphs.graph = rules;
        let first = graphs.node();
        let span = graphs.context.program.graphs[rules].name.span;
        graphs.edge(begin, first, Label::Skip, span);
        graphs.body(rules, first, end, Exits::of_body(end, end));
        graphs.copy_all();
    }
    let variables = graphs.variables(&shapes);
    graphs.check_unused();
    (graphs.edges, variables, graphs.artificial)
}

impl<'c, 'a> Graphs<'c, 'a> {
    fn new(context: &'c mut Context<'a>) -> Graphs<'c, 'a> {
        let count = context.program.graphs.len();
        let program = context.program;
        let built_in = ["goals", "player", "visible", "keeper", "random"];
        let mut known: FxHashSet<Symbol> =
            built_in.iter().map(|name| context.terms.symbols.intern(name)).collect();
        known.extend(context.sets.iter().flat_map(|set| set.members.iter().map(|m| m.1.symbol)));
        known.extend(program.functions.iter().map(|function| function.name.symbol));
        known.extend(program.variables.iter().map(|variable| variable.name.symbol));
        let calls = Calls::find(context);
        Graphs {
            context,
            edges: Vec::new(),
            artificial: Vec::new(),
            graph: 0,
            parameters: Vec::new(),
            known,
            calls,
            nodes: vec![0; count],
            used: vec![false; count],
            copies: FxHashMap::default(),
            waiting: Vec::new(),
            returns: vec![None; count],
            types: FxHashMap::default(),
            depth: 0,
            made: 0,
        }
    }

    /// The graph that a game begins with, or a message that there is none.
    fn rules(&mut self) -> Option<usize> {
        let program = self.context.program;
        let rules = self.context.graph("rules");
        let span = program.graphs.first().map_or(Span::at(0), |graph| graph.name.span);
        let Some(rules) = rules else {
            let near = program.graphs.iter().map(|graph| self.context.text(graph.name));
            let help = text::near_miss("rules", near).map_or_else(
                || "add `graph rules() { .. }`, where the game begins".to_owned(),
                |near| format!("is `{near}` meant to be it?"),
            );
            let label = "expected one that is called `rules`";
            self.context.fault("missing-rules", span, ["there is no graph `rules`", label, &help]);
            return None;
        };
        if let Some((parameter, ty)) = program.graphs[rules].parameters.first() {
            let span = parameter.span.to(ty.span);
            let help = "declare a variable, and give it a value: `name : Type = value`";
            let message = "`rules` is called by nobody, and has no parameters";
            self.context.fault("arity", span, [message, "expected `)`", help]);
        }
        Some(rules)
    }

    /// Finds the types of all parameters, and names for the variables that hold them.
    fn declare_parameters(&mut self) -> Vec<Vec<Option<Rc<Shape>>>> {
        let program = self.context.program;
        let mut shapes = Vec::new();
        for graph in &program.graphs {
            let mut parameters: Vec<(Symbol, Symbol)> = Vec::new();
            let mut of_graph = Vec::new();
            for (place, (name, ty)) in graph.parameters.iter().enumerate() {
                let before = graph.parameters[..place].iter().find(|p| p.0.symbol == name.symbol);
                self.context.declare(*name, "parameter", before.map(|before| before.0));
                let [graph, text] = [graph.name, *name].map(|name| self.context.text(name));
                let variable = format!("{graph}_arg{place}_{text}");
                parameters.push((name.symbol, self.fresh(&variable)));
                of_graph.push(self.context.shape(ty));
            }
            self.parameters.push(parameters);
            shapes.push(of_graph);
        }
        shapes
    }

    /// The variables of graphs that are walked: parameters, and where reusable graphs return to.
    fn variables(&mut self, shapes: &[Vec<Option<Rc<Shape>>>]) -> Vec<ValueDeclaration> {
        let mut variables = Vec::new();
        for (index, graph) in self.context.program.graphs.iter().enumerate() {
            if !self.used[index] {
                continue;
            }
            for (place, (name, ty)) in graph.parameters.iter().enumerate() {
                let shape = shapes[index][place].as_ref();
                let Some(shape) = shape.filter(|shape| !self.context.sets[shape.end].broken) else {
                    continue;
                };
                let value = self.context.first_value(shape, name.span);
                let name = Name { symbol: self.parameters[index][place].1, span: name.span };
                variables.push(ValueDeclaration { name, ty: rg_type(ty), value });
            }
            if let Some((symbol, values)) = self.returns[index].take() {
                let span = graph.name.span;
                let value = Value::Name(values[0]);
                let ty = syntax::Type::Set(values, span);
                variables.push(ValueDeclaration { name: Name { symbol, span }, ty, value });
            }
        }
        variables
    }

    /// Looks for faults in graphs that are never walked; they are reported as warnings.
    fn check_unused(&mut self) {
        let kept = (self.edges.len(), self.artificial.len());
        self.context.unused = true;
        let nowhere = self.symbol("end");
        for index in 0..self.used.len() {
            if !self.used[index] {
                self.graph = index;
                self.body(index, nowhere, nowhere, Exits::of_body(nowhere, nowhere));
                self.copy_all();
                self.edges.truncate(kept.0);
                self.artificial.truncate(kept.1);
            }
        }
    }

    /// A name that the description does not have.
    fn fresh(&mut self, base: &str) -> Symbol {
        let symbols = &mut self.context.terms.symbols;
        let mut name = base.to_owned();
        let mut count = 1;
        while symbols.get(&name).is_some() {
            count += 1;
            name = format!("{base}_{count}");
        }
        symbols.intern(&name)
    }

    pub(super) fn symbol(&mut self, name: &str) -> Symbol {
        self.context.terms.symbols.intern(name)
    }

    /// A new node, named after the graph.
    pub(super) fn node(&mut self) -> Symbol {
        self.nodes[self.graph] += 1;
        let graph = self.context.program.graphs[self.graph].name;
        let name = format!("{}_{}", self.context.text(graph), self.nodes[self.graph]);
        self.symbol(&name)
    }

    /// Adds an edge.
    pub(super) fn edge(&mut self, from: Symbol, to: Symbol, label: Label, span: Span) {
        self.made += 1;
        if self.full() {
            let message = format!("graphs of more than {MAX_EDGES} edges");
            let help = "declare graphs that are called often as `reusable graph`, \
                        and use a `loop` for many rounds";
            if self.made == MAX_EDGES + 1 {
                self.context.fault("too-large", span, [&message, "expansion stops here", help]);
            }
            return;
        }
        let [from, to] = [from, to].map(|symbol| Name { symbol, span });
        self.edges.push(Edge { from, to, label, span });
    }

    /// True if there are too many edges.
    fn full(&self) -> bool {
        self.made > MAX_EDGES
    }

    /// The body of a graph, from one node to another.
    fn body(&mut self, graph: usize, from: Symbol, to: Symbol, exits: Exits) {
        let outer = (self.graph, self.context.base);
        self.graph = graph;
        self.context.base = self.context.bindings.len();
        self.used[graph] = true;
        self.block(&self.context.program.graphs[graph].body, from, to, exits);
        (self.graph, self.context.base) = outer;
    }

    fn block(&mut self, block: &'a Block, from: Symbol, to: Symbol, exits: Exits) {
        let Some((last, others)) = block.statements.split_last() else {
            return self.edge(from, to, Label::Skip, block.span);
        };
        if self.depth == MAX_EXPANSION_DEPTH {
            let message = format!("calls and blocks nest more than {MAX_EXPANSION_DEPTH} deep");
            let help = "call graphs one behind the other";
            return self.context.fault("too-deep", block.span, [&message, "expected less", help]);
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
        if self.full() {
            return;
        }
        let span = statement.span;
        match &statement.kind {
            StatementKind::Assign(target, keys, value) => {
                let replaced = self.bound(*target).is_some();
                let target = self.target(*target, keys);
                // The value of a wrong target has no meaning.
                let value = if replaced { None } else { self.read(value) };
                if let (Some(value), Some(target)) = (value, target) {
                    self.edge(from, to, Label::Assign(target, value), span);
                }
            }
            StatementKind::AssignAny(target, keys, ty) => {
                let sound = self.set_type(ty).is_some();
                if let Some(target) = self.target(*target, keys).filter(|_| sound) {
                    self.edge(from, to, Label::AssignAny(target, rg_type(ty)), span);
                }
            }
            StatementKind::Call(name, arguments) => {
                self.call(*name, arguments, (from, to), exits, span);
            }
            StatementKind::Check(condition) => self.test(condition, from, Some(to), None),
            StatementKind::Jump(jump) => self.jump(*jump, from, exits, span),
            StatementKind::Branch(arms) => {
                arms.iter().for_each(|arm| self.block(arm, from, to, exits));
            }
            StatementKind::BranchIn(name, ty, block) => {
                for term in self.set_type(ty).unwrap_or_default() {
                    self.context.bindings.push((name.symbol, term));
                    self.block(block, from, to, exits);
                    self.context.bindings.pop();
                }
            }
            StatementKind::Repeat(times, block) => {
                self.rounds((0..*times).map(|_| None), block, (from, to), exits, span);
            }
            StatementKind::RepeatIn(name, ty, block) => {
                let terms = self.set_type(ty).unwrap_or_default();
                let rounds = terms.into_iter().map(|term| Some((name.symbol, term)));
                self.rounds(rounds, block, (from, to), exits, span);
            }
            StatementKind::Loop(block) => {
                let head = self.node();
                self.edge(from, head, Label::Skip, span);
                let inner = Exits { breaks: Some(to), continues: Some(head), ..exits };
                self.block(block, head, head, inner);
            }
            StatementKind::While(condition, block) => {
                let inside = self.node();
                self.test(condition, from, Some(inside), Some(to));
                let inner = Exits { breaks: Some(to), continues: Some(from), ..exits };
                self.block(block, inside, from, inner);
            }
            StatementKind::If(arms, otherwise) => {
                self.conditional(arms, otherwise.as_ref(), (from, to), exits);
            }
            StatementKind::Tag { names, artificial } => {
                let symbol = self.tag(names);
                if *artificial {
                    self.artificial.push(symbol);
                }
                let tag = Name { symbol, span: names[0].span.to(names[names.len() - 1].span) };
                self.edge(from, to, Label::Tag(tag), span);
            }
            StatementKind::TagVariable(name) => {
                if let Some(variable) = self.variable(*name, "a tag") {
                    self.edge(from, to, Label::TagVariable(variable), span);
                }
            }
        }
    }

    /// Rounds one behind the other, each with the name that is replaced in it.
    fn rounds(
        &mut self,
        rounds: impl Iterator<Item = Option<(Symbol, Term)>>,
        block: &'a Block,
        (from, to): (Symbol, Symbol),
        exits: Exits,
        span: Span,
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
        self.edge(at, to, Label::Skip, span);
    }

    fn conditional(
        &mut self,
        arms: &'a [(Expr, Block)],
        otherwise: Option<&'a Block>,
        (from, to): (Symbol, Symbol),
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
        if let Some(block) = otherwise {
            self.block(block, at, to, exits);
        }
    }

    fn jump(&mut self, jump: Jump, from: Symbol, exits: Exits, span: Span) {
        let target = match jump {
            Jump::End => {
                let [player, keeper] = ["player", "keeper"]
                    .map(|name| syntax::Expr::Name(Name { symbol: self.symbol(name), span }));
                return self.edge(from, exits.ends, Label::Assign(player, keeper), span);
            }
            Jump::Return => Some(exits.returns),
            Jump::Break => exits.breaks,
            Jump::Continue => exits.continues,
        };
        match target {
            Some(target) => self.edge(from, target, Label::Skip, span),
            None => {
                let message = format!("`{}` outside of a loop", word(jump));
                let label = "expected to stand in `loop`, `while` or `repeat`";
                let help = "to leave a graph, write `return()`; \
                            a graph cannot leave the loop that it is called in";
                self.context.fault("outside-loop", span, [&message, label, help]);
            }
        }
    }

    /// The members of a type that stands in a statement, which must be a set; else a message.
    fn set_type(&mut self, ty: &Type) -> Option<Vec<Term>> {
        if !self.types.contains_key(&ty.span) {
            let shape = self.context.shape(ty);
            if shape.as_ref().is_some_and(|shape| !shape.keys.is_empty()) {
                let help = "take any element of a domain, one cell at a time";
                let message = "the members of a type of maps cannot be listed";
                self.context.fault("type", ty.span, [message, "expected a domain", help]);
            }
            self.types.insert(ty.span, shape.filter(|shape| shape.keys.is_empty()));
        }
        let shape = self.types.get(&ty.span)?.as_ref()?;
        Some(self.context.sets[shape.end].members.iter().map(|member| member.0).collect())
    }

    /// The symbol of a tag, with names replaced.
    fn tag(&mut self, names: &[Name]) -> Symbol {
        let symbols: Vec<Symbol> = names.iter().map(|name| self.replaced(*name)).collect();
        if let [symbol] = symbols[..] {
            return symbol;
        }
        let parts: Vec<&str> =
            symbols.iter().map(|symbol| self.context.terms.symbols.name(*symbol)).collect();
        let name = parts.join("__");
        self.symbol(&name)
    }

    /// The arguments of a call, with the variables that get them; nothing after a message.
    fn arguments(
        &mut self,
        graph: usize,
        arguments: &'a [Expr],
        span: Span,
    ) -> Option<Vec<(Symbol, syntax::Expr, Span)>> {
        let found = arguments.len();
        let expected = self.parameters[graph].len();
        if found != expected {
            let name = self.context.program.graphs[graph].name;
            let label = count(expected, "argument");
            let message = format!("`{}` takes {label}, not {found}", self.context.text(name));
            let diagnostic =
                Diagnostic::error("arity", span, message).label(format!("expected {label}"));
            self.context.report(diagnostic.note(name.span, "declared here"));
            return None;
        }
        let values: Vec<Option<syntax::Expr>> =
            arguments.iter().map(|argument| self.read(argument)).collect();
        let values: Option<Vec<syntax::Expr>> = values.into_iter().collect();
        let rows = values?.into_iter().zip(arguments).zip(&self.parameters[graph]);
        Some(
            rows.map(|((value, argument), parameter)| (parameter.1, value, argument.span))
                .collect(),
        )
    }

    /// Edges that give variables their values, and the node behind them.
    fn pass(&mut self, values: Vec<(Symbol, syntax::Expr, Span)>, from: Symbol) -> Symbol {
        let mut at = from;
        for (symbol, value, span) in values {
            let next = self.node();
            let target = syntax::Expr::Name(Name { symbol, span });
            self.edge(at, next, Label::Assign(target, value), span);
            at = next;
        }
        at
    }

    /// The graph of a name, or a message that there is none; nothing as well for a call that would
    /// not end.
    fn callee(&mut self, name: Name) -> Option<usize> {
        let graphs = &self.context.graphs;
        let Some(&graph) = graphs.get(&name.symbol) else {
            if self.context.is_said("unknown-graph", name.span) {
                return None;
            }
            let known: Vec<Symbol> =
                self.context.program.graphs.iter().map(|graph| graph.name.symbol).collect();
            let help = format!("declare it: `graph {}() {{ .. }}`", self.context.text(name));
            self.context.unknown(name, ["unknown-graph", "graph"], known, &help);
            return None;
        };
        if self.bound(name).is_some() {
            self.forbidden(name, "called as a graph");
            return None;
        }
        (!self.calls.endless.contains(&(self.graph, graph))).then_some(graph)
    }

    fn call(
        &mut self,
        name: Name,
        arguments: &'a [Expr],
        (from, to): (Symbol, Symbol),
        exits: Exits,
        span: Span,
    ) {
        let Some(graph) = self.callee(name) else { return };
        let Some(values) = self.arguments(graph, arguments, span) else { return };
        if !self.context.program.graphs[graph].reusable {
            let start = self.pass(values, from);
            return self.body(graph, start, to, Exits::of_body(to, exits.ends));
        }
        let (entry, exit) = self.copy(graph, Some(exits.ends));
        let text = self.context.text(name).to_owned();
        let (variable, mut points) = match self.returns[graph].take() {
            Some(known) => known,
            None => (self.fresh(&format!("{text}_return")), Vec::new()),
        };
        let point = Name { symbol: self.fresh(&format!("{text}_return_{}", points.len())), span };
        points.push(point);
        self.returns[graph] = Some((variable, points));
        let [variable, value] =
            [variable, point.symbol].map(|symbol| syntax::Expr::Name(Name { symbol, span }));
        let next = self.node();
        self.edge(from, next, Label::Assign(variable.clone(), value.clone()), span);
        let start = self.pass(values, next);
        self.edge(start, entry, Label::Skip, span);
        let back = Label::Compare { left: variable, right: value, equal: true };
        self.edge(exit, to, back, span);
    }

    /// The nodes of a test: where it begins, and what it must reach.
    pub(super) fn tested(
        &mut self,
        name: Name,
        arguments: &'a [Expr],
        span: Span,
    ) -> Option<(Symbol, Symbol)> {
        let graph = self.callee(name)?;
        let values = self.arguments(graph, arguments, span)?;
        if self.context.program.graphs[graph].reusable {
            let (entry, exit) = self.copy(graph, None);
            if values.is_empty() {
                return Some((entry, exit));
            }
            let from = self.node();
            let start = self.pass(values, from);
            self.edge(start, entry, Label::Skip, span);
            return Some((from, exit));
        }
        let from = self.node();
        let start = self.pass(values, from);
        let to = self.node();
        self.body(graph, start, to, Exits::of_body(to, to));
        Some((from, to))
    }

    /// The entry and the exit of the copy of a reusable graph whose `end()` leads to a node, or to
    /// its exit.
    fn copy(&mut self, graph: usize, ends: Option<Symbol>) -> (Symbol, Symbol) {
        let key = (graph, self.calls.ends[graph].then_some(ends));
        if let Some(nodes) = self.copies.get(&key) {
            return *nodes;
        }
        let outer = std::mem::replace(&mut self.graph, graph);
        let (entry, exit) = (self.node(), self.node());
        self.graph = outer;
        self.copies.insert(key, (entry, exit));
        self.waiting.push(Copied { graph, entry, exit, ends: ends.unwrap_or(exit) });
        (entry, exit)
    }

    /// Expands the bodies of all copies.
    fn copy_all(&mut self) {
        while let Some(Copied { graph, entry, exit, ends }) = self.waiting.pop() {
            self.body(graph, entry, exit, Exits::of_body(exit, ends));
        }
    }
}
