//! Conditions and expressions of graphs.

use text::Span;

use super::graphs::Graphs;
use super::tree::{Expr, ExprKind};
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
            ExprKind::And(parts) => self.test_all(parts, from, [yes, no], true),
            ExprKind::Or(parts) => self.test_all(parts, from, [no, yes], false),
            ExprKind::Compare(left, mark @ ("==" | "!="), right) => {
                let (left, right) = (self.read(left), self.read(right));
                let Some((left, right)) = left.zip(right) else { return };
                self.both(from, [yes, no], span, |holds| {
                    let equal = holds == (*mark == "==");
                    Label::Compare { left: left.clone(), right: right.clone(), equal }
                });
            }
            ExprKind::Apply(head, arguments) => {
                let word = head.as_name().map(|name| self.context.text(name));
                match (word, &arguments[..]) {
                    (Some(word @ ("true" | "false")), []) => {
                        let to = if word == "true" { [yes, None] } else { [no, None] };
                        self.both(from, to, span, |_| Label::Skip);
                    }
                    (Some("not"), [inner]) => self.test(inner, from, no, yes),
                    (Some("reachable"), [inner]) => self.reach(inner, from, [yes, no]),
                    _ => self.report_condition(condition),
                }
            }
            _ => self.report_condition(condition),
        }
    }

    /// Edges to one node with the label if something holds, and to another with that if not.
    fn both(
        &mut self,
        from: Symbol,
        to: [Option<Symbol>; 2],
        span: Span,
        label: impl Fn(bool) -> Label,
    ) {
        for (to, holds) in to.into_iter().zip([true, false]) {
            to.into_iter().for_each(|to| self.edge(from, to, label(holds), span));
        }
    }

    /// Conditions that must all be as `wanted` to go on to the first node; one that is not so leads
    /// to the other.
    fn test_all(
        &mut self,
        parts: &'a [Expr],
        from: Symbol,
        [go, leave]: [Option<Symbol>; 2],
        wanted: bool,
    ) {
        let mut at = from;
        for (place, part) in parts.iter().enumerate() {
            let last = place + 1 == parts.len();
            // Where nothing follows, each part can be asked at once.
            let next = go.map(|go| if last { go } else { self.node() });
            let (yes, no) = if wanted { (next, leave) } else { (leave, next) };
            self.test(part, at, yes, no);
            at = next.unwrap_or(from);
        }
    }

    fn reach(&mut self, inner: &'a Expr, from: Symbol, to: [Option<Symbol>; 2]) {
        let (name, arguments) = match &inner.kind {
            ExprKind::Compound(name, arguments) => (Some(*name), arguments),
            ExprKind::Apply(head, arguments) => (head.as_name(), arguments),
            _ => return self.report_condition(inner),
        };
        let Some(name) = name else { return self.report_condition(inner) };
        if let Some((start, goal)) = self.tested(name, arguments, inner.span) {
            let [start, goal] = [start, goal].map(|symbol| Name { symbol, span: inner.span });
            let label = |holds: bool| Label::Test { from: start, to: goal, negated: !holds };
            self.both(from, to, inner.span, label);
        }
    }

    /// Reports an expression that is no condition, with what to write in its place.
    fn report_condition(&mut self, condition: &Expr) {
        let name = match &condition.kind {
            ExprKind::Apply(head, _) => head.as_name(),
            ExprKind::Compound(name, _) => Some(*name),
            _ => condition.as_name(),
        };
        let graph = name.filter(|name| self.context.graphs.contains_key(&name.symbol));
        let graph = graph.map(|name| format!("write `reachable({}(..))`", self.context.text(name)));
        let (message, help) = match (&condition.kind, &graph) {
            (ExprKind::In(_, domain), _) => (
                "only functions can ask for a domain",
                format!(
                    "declare a function to `Bool`: \
                     `is{0}(S) = if S in {0} then 1 else 0`, and check `is{0}(x) == 1`",
                    self.context.text(*domain)
                ),
            ),
            (ExprKind::Compare(..), _) => (
                "only functions can compare by order",
                "declare a function to `Bool` with the case `less(A, B) = if A < B then 1 else 0`, \
                 and check `less(a, b) == 1`"
                    .to_owned(),
            ),
            (_, Some(help)) => ("a graph is no condition", help.clone()),
            _ => ("a value is no condition", "compare it, as in `f(x) == 1`".to_owned()),
        };
        let label = "expected `==`, `!=`, `reachable(..)` or `not(..)`";
        self.context.fault("not-a-condition", condition.span, [message, label, &help]);
    }

    /// An expression in RG; nothing after a message.
    pub(super) fn read(&mut self, expr: &'a Expr) -> Option<syntax::Expr> {
        let (message, help) = match &expr.kind {
            ExprKind::Name(name) => return self.read_name(*name),
            ExprKind::Compound(name, arguments) => {
                return self.read_compound(*name, arguments, expr);
            }
            ExprKind::Apply(head, arguments) => {
                let head = self.read(head);
                return self.access(head, arguments);
            }
            ExprKind::Sum(..) => (
                "graphs cannot compute",
                "declare a table such as `next(K(V)) = K(V + 1)`, and write `next(x)`",
            ),
            ExprKind::If(..) => (
                "graphs have no conditional expressions",
                "write `if .. { x = a } else { x = b }`, or declare a function",
            ),
            ExprKind::Map(..) => (
                "graphs have no maps in braces",
                "declare a variable or function with this value, and write its name",
            ),
            _ => ("a condition has no value", "write `if .. { x = 1 } else { x = 0 }`"),
        };
        let label = "expected a name, an access or a constructor";
        self.context.fault("unsupported", expr.span, [message, label, help]);
        None
    }

    /// A part of a map.
    fn access(&mut self, map: Option<syntax::Expr>, keys: &'a [Expr]) -> Option<syntax::Expr> {
        keys.iter().fold(map, |map, key| {
            let (map, key) = map.zip(self.read(key))?;
            Some(syntax::Expr::Access(Box::new(map), Box::new(key)))
        })
    }

    /// The symbol that a name stands for because of `branch x in` or `repeat x in`, or its own.
    pub(super) fn replaced(&mut self, name: Name) -> Symbol {
        let term = self.context.bound(name.symbol);
        term.and_then(|term| self.context.terms.symbol(term)).unwrap_or(name.symbol)
    }

    /// Reports a replaced name where none can be.
    pub(super) fn forbidden(&mut self, name: Name, how: &str) {
        let message = format!("`{}` is replaced here and cannot be {how}", self.context.text(name));
        let help = "give the name behind `branch` or `repeat` another spelling";
        self.context.fault("replaced", name.span, [&message, "expected another name", help]);
    }

    fn read_name(&mut self, name: Name) -> Option<syntax::Expr> {
        let symbol = self.replaced(name);
        let parameter = self.parameter(symbol);
        if parameter.is_some() || self.known.0.contains(&symbol) {
            let symbol = parameter.unwrap_or(symbol);
            return Some(syntax::Expr::Name(Name { symbol, span: name.span }));
        }
        let near = self.near();
        let help = "declare it as a variable or a function, or add it to a domain; \
                    write `x = Domain(*)` for any element, and `reachable(g())` for a graph";
        let what = ["unknown-name", "variable, function or symbol"];
        self.context.unknown(Name { symbol, span: name.span }, what, near, help);
        None
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
        let symbol = self.context.terms.symbol(term?)?;
        if self.known.0.contains(&symbol) {
            return Some(syntax::Expr::Name(Name { symbol, span: expr.span }));
        }
        let message = format!("`{}` is no element of any domain", self.context.terms.show(term?));
        let mut names = arguments.iter().filter_map(Expr::as_name);
        let variable = names.find(|name| {
            self.parameter(name.symbol).is_some() || self.context.is_variable(name.symbol)
        });
        let help = variable.map_or_else(
            || "write an element of a domain, or add this one to it".to_owned(),
            |variable| {
                let [head, variable] = [name, variable].map(|name| self.context.text(name));
                format!(
                    "`{variable}` is not read in a constructor; declare a function such as \
                     `f(V) = {head}(V)`, and write `f({variable})`"
                )
            },
        );
        self.context.fault("outside", expr.span, [&message, "expected an element", &help]);
        None
    }

    /// The place that an assignment writes; nothing after a message.
    pub(super) fn target(&mut self, name: Name, keys: &'a [Expr]) -> Option<syntax::Expr> {
        let variable = self.variable(name, "assigned to").map(syntax::Expr::Name);
        self.access(variable, keys)
    }

    /// The variable of the game that a name means where parameters do not count.
    pub(super) fn variable(&mut self, name: Name, how: &str) -> Option<Name> {
        if self.context.bound(name.symbol).is_some() {
            self.forbidden(name, how);
            return None;
        }
        if self.context.is_variable(name.symbol) {
            return Some(name);
        }
        let known = self.context.program.variables.iter().map(|variable| variable.0.symbol);
        let text = self.context.text(name);
        let help = format!("declare it: `{text} : Type`; functions and parameters never change");
        self.context.unknown(name, ["unknown-variable", "variable"], known, &help);
        None
    }
}
