//! Conditions and expressions of graphs.

use text::Span;

use super::expressions::as_name;
use super::graphs::Graphs;
use super::terms::Term;
use super::tree::{Comparison, Expr, ExprKind};
use crate::symbols::Symbol;
use crate::syntax::{self, Label, Name};

impl<'a> Graphs<'_, 'a> {
    /// Edges to one node if a condition holds, and to another if it does not; those to a node that
    /// is not given are left out.
    pub(super) fn test(
        &mut self,
        condition: &'a Expr,
        from: Symbol,
        yes: Option<Symbol>,
        no: Option<Symbol>,
    ) {
        let span = condition.span;
        match &condition.kind {
            ExprKind::Compare(left, Comparison::Equal, right) => {
                self.compare(left, right, from, [yes, no], span);
            }
            ExprKind::Compare(left, Comparison::Unequal, right) => {
                self.compare(left, right, from, [no, yes], span);
            }
            ExprKind::And(parts) => self.chain(parts, from, yes, no, true),
            ExprKind::Or(parts) => self.chain(parts, from, no, yes, false),
            ExprKind::Apply(head, groups) if groups.len() == 1 && !groups[0].square => {
                let word = as_name(head).map(|name| self.context.text(name));
                match (word, &groups[0].values[..]) {
                    (Some("true"), []) => self.skip(from, yes, span),
                    (Some("false"), []) => self.skip(from, no, span),
                    (Some("not"), [inner]) => self.test(inner, from, no, yes),
                    (Some("reachable"), [inner]) => self.reach(inner, from, yes, no),
                    _ => self.no_condition(condition),
                }
            }
            _ => self.no_condition(condition),
        }
    }

    fn skip(&mut self, from: Symbol, to: Option<Symbol>, span: Span) {
        if let Some(to) = to {
            self.edge(from, to, Label::Skip, span);
        }
    }

    /// Conditions that must all hold if `all`, and of which one must hold otherwise. `go` is where
    /// the last one leads if it decides like the others do not, `leave` where any one leads that
    /// decides alone.
    fn chain(
        &mut self,
        parts: &'a [Expr],
        from: Symbol,
        go: Option<Symbol>,
        leave: Option<Symbol>,
        all: bool,
    ) {
        let mut at = from;
        for (place, part) in parts.iter().enumerate() {
            // Where nothing follows, each part can be asked at once.
            let next = match go {
                Some(go) if place + 1 == parts.len() => Some(go),
                Some(_) => Some(self.node()),
                None => None,
            };
            let (yes, no) = if all { (next, leave) } else { (leave, next) };
            self.test(part, at, yes, no);
            at = next.unwrap_or(from);
        }
    }

    /// A comparison with the nodes where it leads if the sides are equal, and if not.
    fn compare(
        &mut self,
        left: &'a Expr,
        right: &'a Expr,
        from: Symbol,
        to: [Option<Symbol>; 2],
        span: Span,
    ) {
        let (Some(left), Some(right)) = (self.read(left), self.read(right)) else { return };
        for (to, equal) in to.into_iter().zip([true, false]) {
            if let Some(to) = to {
                let label = Label::Compare { left: left.clone(), right: right.clone(), equal };
                self.edge(from, to, label, span);
            }
        }
    }

    fn reach(&mut self, inner: &'a Expr, from: Symbol, yes: Option<Symbol>, no: Option<Symbol>) {
        let (name, arguments) = match &inner.kind {
            ExprKind::Compound(name, arguments) => (Some(*name), &arguments[..]),
            ExprKind::Apply(head, groups) if groups.len() == 1 => {
                (as_name(head), &groups[0].values[..])
            }
            _ => (None, &[][..]),
        };
        let Some(name) = name else {
            let message = "this is no graph that can be reached";
            let label = "expected a call of a graph, as in `reachable(g())`";
            self.context.fault("not-a-condition", inner.span, [message, label, ""]);
            return;
        };
        let Some((start, goal)) = self.tested(name, arguments, inner.span) else { return };
        for (to, negated) in [(yes, false), (no, true)] {
            if let Some(to) = to {
                let [start, goal] = [start, goal].map(|symbol| Name { symbol, span: inner.span });
                self.edge(from, to, Label::Test { from: start, to: goal, negated }, inner.span);
            }
        }
    }

    /// Reports an expression that is no condition, and what to write in its place.
    fn no_condition(&mut self, condition: &Expr) {
        let name = match &condition.kind {
            ExprKind::Name(name) | ExprKind::Compound(name, _) => Some(*name),
            ExprKind::Apply(head, _) => as_name(head),
            _ => None,
        };
        let graph = name.filter(|name| self.context.graphs.contains_key(&name.symbol));
        let help = match (&condition.kind, graph, name) {
            (ExprKind::Compare(..) | ExprKind::In(..), ..) => {
                "declare a function that compares, as in `less(K(A), K(B)) = if A < B then 1 else 0`, \
                 and write `less(a, b) == 1`"
                    .to_owned()
            }
            (_, Some(graph), _) => {
                let graph = self.context.text(graph);
                format!("write `reachable({graph}(..))` to ask if it can be walked to its end")
            }
            (_, None, Some(name)) => {
                let name = self.context.text(name);
                format!("compare it with a value, as in `{name} == 1`")
            }
            _ => "compare it with a value".to_owned(),
        };
        let message = match condition.kind {
            ExprKind::Compare(..) => "graphs cannot compare by order",
            ExprKind::In(..) => "graphs cannot ask for a domain",
            _ => "this is no condition",
        };
        let label = "expected `==`, `!=`, `reachable(..)` or `not(..)`";
        self.context.fault("not-a-condition", condition.span, [message, label, &help]);
    }

    /// An expression in RG; nothing after a message.
    pub(super) fn read(&mut self, expr: &'a Expr) -> Option<syntax::Expr> {
        match &expr.kind {
            ExprKind::Name(name) => self.read_name(*name),
            ExprKind::Compound(name, arguments) => self.read_compound(*name, arguments, expr),
            ExprKind::Apply(head, groups) => {
                let mut read = self.read(head)?;
                for argument in groups.iter().flat_map(|group| &group.values) {
                    let key = self.read(argument)?;
                    read = syntax::Expr::Access(Box::new(read), Box::new(key));
                }
                Some(read)
            }
            _ => {
                let (message, help) = match expr.kind {
                    ExprKind::Sum(..) => (
                        "graphs cannot compute",
                        "declare a function for it, as in `next(K(V)) = K(V + 1)`, \
                         and write `next(x)`",
                    ),
                    ExprKind::If(..) => (
                        "graphs have no conditional expressions",
                        "write `if .. { x = .. } else { x = .. }`",
                    ),
                    ExprKind::Map(_) => (
                        "graphs have no maps in braces",
                        "declare a function or a variable with that value, and write its name",
                    ),
                    _ => ("a condition has no value", "write `if .. { x = 1 } else { x = 0 }`"),
                };
                let label = "expected a name, an access or a constructor";
                self.context.fault("unsupported", expr.span, [message, label, help]);
                None
            }
        }
    }

    /// The value that stands for a name here because of `branch x in` or `repeat x in`.
    pub(super) fn bound(&self, name: Name) -> Option<Term> {
        let bindings = &self.context.bindings[self.context.base..];
        bindings.iter().rev().find(|binding| binding.0 == name.symbol).map(|binding| binding.1)
    }

    /// The symbol that a name stands for where names are replaced.
    pub(super) fn replaced(&mut self, name: Name) -> Symbol {
        match self.bound(name) {
            Some(term) => self.context.terms.symbol(term),
            None => name.symbol,
        }
    }

    /// Reports a replaced name where none can be.
    pub(super) fn forbidden(&mut self, name: Name, how: &str) {
        let message = format!("`{}` is replaced here and cannot be {how}", self.context.text(name));
        let help = "give the name behind `branch` or `repeat` another spelling";
        let label = "expected another name";
        self.context.fault("replaced", name.span, [&message, label, help]);
    }

    fn parameter(&self, symbol: Symbol) -> Option<Symbol> {
        let parameters = &self.parameters[self.graph];
        parameters.iter().find(|parameter| parameter.0 == symbol).map(|parameter| parameter.1)
    }

    fn read_name(&mut self, name: Name) -> Option<syntax::Expr> {
        let symbol = self.replaced(name);
        if let Some(symbol) = self.parameter(symbol) {
            return Some(syntax::Expr::Name(Name { symbol, span: name.span }));
        }
        if !self.known.contains(&symbol) {
            if self.context.is_said("unknown-name", name.span) {
                return None;
            }
            let program = self.context.program;
            let help = if self.context.graphs.contains_key(&symbol) {
                "graphs have no value: call it as a statement, or test it by `reachable(..)`"
            } else if self.context.set_names.contains_key(&symbol) {
                "write `x = Domain(*)` for any of its elements"
            } else {
                "declare it as a variable or a function, or add it to a domain"
            };
            let parameters = self.parameters[self.graph].iter().map(|parameter| parameter.0);
            let variables = program.variables.iter().map(|variable| variable.name.symbol);
            let functions = program.functions.iter().map(|function| function.name.symbol);
            let mut near: Vec<Symbol> = parameters.chain(variables).chain(functions).collect();
            for set in &self.context.sets {
                near.extend(set.members.iter().take(100).map(|member| member.1.symbol));
            }
            let near = if help.starts_with("declare") { near } else { Vec::new() };
            let name = Name { symbol, span: name.span };
            self.context.unknown(
                name,
                ["unknown-name", "variable, function or symbol"],
                near,
                help,
            );
            return None;
        }
        Some(syntax::Expr::Name(Name { symbol, span: name.span }))
    }

    /// A constructor, whose arguments are known at compile time.
    fn read_compound(
        &mut self,
        name: Name,
        arguments: &'a [Expr],
        expr: &'a Expr,
    ) -> Option<syntax::Expr> {
        self.context.literal = true;
        let term = self.context.evaluate(expr, None);
        self.context.literal = false;
        let term = term?;
        let symbol = self.context.terms.symbol(term);
        if self.known.contains(&symbol) {
            return Some(syntax::Expr::Name(Name { symbol, span: expr.span }));
        }
        let shown = self.context.terms.show(term);
        let message = format!("`{shown}` is no element of any domain");
        let variable = arguments.iter().filter_map(as_name).find(|name| {
            let symbol = name.symbol;
            self.parameter(symbol).is_some() || self.context.variables.contains_key(&symbol)
        });
        let text = self.context.text(name);
        let help = if let Some(variable) = variable {
            let variable = self.context.text(variable);
            format!(
                "`{variable}` is not read inside of a constructor; declare a function, \
                 as in `f(V) = {text}(V)`, and write `f({variable})`"
            )
        } else if self.context.functions.contains_key(&name.symbol) {
            "names of functions must begin with a lower-case letter".to_owned()
        } else {
            "add it to a domain, or write an element of one".to_owned()
        };
        self.context.fault("outside", expr.span, [&message, "expected an element", &help]);
        None
    }

    /// The place that an assignment writes; nothing after a message.
    pub(super) fn target(&mut self, name: Name, keys: &'a [Expr]) -> Option<syntax::Expr> {
        let variable = self.variable(name, "assigned to");
        let mut target = variable.map(syntax::Expr::Name);
        for key in keys {
            let key = self.read(key);
            target = target
                .zip(key)
                .map(|(target, key)| syntax::Expr::Access(Box::new(target), Box::new(key)));
        }
        target
    }

    /// The variable of the game that a name means where parameters do not count.
    pub(super) fn variable(&mut self, name: Name, how: &str) -> Option<Name> {
        if self.bound(name).is_some() {
            self.forbidden(name, how);
            return None;
        }
        if self.context.variables.contains_key(&name.symbol) {
            return Some(name);
        }
        if self.context.is_said("unknown-variable", name.span) {
            return None;
        }
        let text = self.context.text(name);
        let help = if self.parameter(name.symbol).is_some() {
            format!("parameters can only be read; declare a variable `{text} : Type` for it")
        } else if self.context.functions.contains_key(&name.symbol) {
            "functions never change; declare a variable with another name".to_owned()
        } else {
            format!("declare it: `{text} : Type`")
        };
        let known = self.context.variables.keys().copied().collect();
        let mut known: Vec<Symbol> =
            if help.starts_with("declare it") { known } else { Vec::new() };
        known.sort_unstable();
        self.context.unknown(name, ["unknown-variable", "variable"], known, &help);
        None
    }
}
