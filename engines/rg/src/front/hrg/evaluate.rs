//! Expressions to values at compile time.

use std::cmp::Ordering;

use text::{Diagnostic, Span};

use super::context::{Context, Shape, count};
use super::expressions::is_upper;
use super::terms::{Term, View};
use super::tree::{Arguments, Comparison, Expr, ExprKind, Function, Operator, Pattern};
use crate::limits::MAX_EVALUATION_DEPTH;
use crate::symbols::Symbol;
use crate::syntax::Name;

/// The type that a value must have, with the number of keys that are given already; nothing if the
/// value is only a part of another.
pub(super) type Want<'w> = Option<(&'w Shape, usize)>;

impl<'a> Context<'a> {
    /// The value of an expression; nothing after a message.
    pub(super) fn evaluate(&mut self, expr: &'a Expr, want: Want<'_>) -> Option<Term> {
        self.spend(1, expr.span)?;
        if self.depth == MAX_EVALUATION_DEPTH {
            self.report_depth(expr.span);
            return None;
        }
        self.depth += 1;
        let value = match &expr.kind {
            ExprKind::Name(name) => self.named(*name),
            ExprKind::Compound(name, arguments) => self.construct(*name, arguments, expr.span),
            ExprKind::Apply(head, groups) => self.apply(head, groups, expr.span),
            ExprKind::Sum(first, rest) => self.sum(first, rest),
            ExprKind::If(arms, otherwise) => self.choose(arms, otherwise, want),
            ExprKind::Map(map) => self.map(map, want, expr.span),
            _ => {
                let label = "expected a value";
                let help = "write `if .. then .. else ..` around the condition";
                self.fault("not-a-value", expr.span, ["a condition has no value", label, help]);
                None
            }
        };
        self.depth -= 1;
        value
    }

    /// Reports that evaluation does not seem to end.
    fn report_depth(&mut self, span: Span) {
        let names = |index: &usize| self.text(self.program.functions[*index].name).to_owned();
        let last = self.calls.last().copied();
        let message = match self.calls.iter().rev().skip(1).position(|call| Some(*call) == last) {
            Some(length) => {
                let cycle: Vec<String> =
                    self.calls[self.calls.len() - length - 2..].iter().map(names).collect();
                format!("functions call each other too deep: {}", cycle.join(" > "))
            }
            None => "expressions nest too deep".to_owned(),
        };
        let label = "expected a value that needs no further calls";
        let help = "add a case without a call, so that the calls come to an end";
        self.fault("recursion", span, [&message, label, help]);
    }

    fn named(&mut self, name: Name) -> Option<Term> {
        let bound = self.bindings[self.base..].iter().rev().find(|(n, _)| *n == name.symbol);
        if let Some((_, value)) = bound {
            return Some(*value);
        }
        let text = self.text(name);
        if is_upper(text) && !(self.literal && self.calls.is_empty()) {
            let known: Vec<Symbol> = self.bindings[self.base..].iter().map(|b| b.0).collect();
            let help =
                "bind it in a pattern or by `where`; elements begin with a lower-case letter";
            self.unknown(name, ["unbound", "variable"], known, help);
            return None;
        }
        Some(self.terms.atom(name.symbol))
    }

    fn construct(&mut self, name: Name, arguments: &'a [Expr], span: Span) -> Option<Term> {
        let arguments: Option<Vec<Term>> =
            arguments.iter().map(|argument| self.evaluate(argument, None)).collect();
        self.compound(name, &arguments?, span)
    }

    fn apply(&mut self, head: &'a Expr, groups: &'a [Arguments], span: Span) -> Option<Term> {
        if let Some(group) = groups.iter().find(|group| group.square) {
            let label = "expected round brackets";
            let help = "functions take their arguments as in `f(x)` here; \
                        maps can only be read while the game is played";
            self.fault("not-a-value", group.span, ["no map can be read here", label, help]);
            return None;
        }
        let mut value = self.evaluate(head, None)?;
        let mut arguments = Vec::new();
        for argument in groups.iter().flat_map(|group| &group.values) {
            let argument_value = self.evaluate(argument, None)?;
            if self.terms.is_map(argument_value) {
                let message = "a map in the place of an argument";
                let help = "make it a function, and write its name";
                self.fault("not-a-symbol", argument.span, [message, "expected a symbol", help]);
                return None;
            }
            arguments.push(argument_value);
        }
        let mut rest = &arguments[..];
        loop {
            let function = self.callee(value, head)?;
            let count = self.program.functions[function].cases[0].patterns.len();
            if rest.len() < count {
                self.report_count(function, rest.len(), span);
                return None;
            }
            value = self.call(function, &rest[..count], span)?;
            rest = &rest[count..];
            if rest.is_empty() {
                return Some(value);
            }
        }
    }

    fn report_count(&mut self, function: usize, found: usize, span: Span) {
        let function = &self.program.functions[function];
        let expected = count(function.cases[0].patterns.len(), "argument");
        let message = format!("`{}` takes {expected}, not {found}", self.text(function.name));
        let label = format!("expected {expected}");
        let diagnostic = Diagnostic::error("arity", span, message).label(label);
        self.report(diagnostic.note(function.name.span, "declared here"));
    }

    /// The function that a value names, or a message.
    fn callee(&mut self, value: Term, head: &Expr) -> Option<usize> {
        let View::Atom(symbol) = self.terms.view(value) else {
            let message = format!("{} is no function", self.terms.show(value));
            self.fault("unknown-function", head.span, [&message, "expected a function", ""]);
            return None;
        };
        let function = self.functions.get(&symbol).copied();
        if function.is_none() && !self.is_said("unknown-function", head.span) {
            let help = if self.lower.contains(&symbol) {
                "constructors must begin with an upper-case letter to be written in expressions"
            } else if self.variables.contains_key(&symbol) {
                "variables can only be read while the game is played, not in tables"
            } else {
                "declare it with its type and its cases"
            };
            let known: Vec<Symbol> =
                self.program.functions.iter().map(|function| function.name.symbol).collect();
            let name = Name { symbol, span: head.span };
            let known = if help.starts_with("declare") { known } else { Vec::new() };
            self.unknown(name, ["unknown-function", "function"], known, help);
        }
        function
    }

    /// The value of a function.
    fn call(&mut self, index: usize, arguments: &[Term], span: Span) -> Option<Term> {
        let function = &self.program.functions[index];
        let (base, top) = (self.base, self.bindings.len());
        self.base = top;
        self.calls.push(index);
        let value = match self.matching(function, arguments) {
            Some(case) => self.evaluate(&function.cases[case].body, None),
            None => {
                self.report_missing(function, arguments, span, 0);
                None
            }
        };
        self.calls.pop();
        self.bindings.truncate(top);
        self.base = base;
        value
    }

    /// The number of the first case that fits the arguments; its names are then bound.
    pub(super) fn matching(&mut self, function: &Function, arguments: &[Term]) -> Option<usize> {
        let top = self.bindings.len();
        function.cases.iter().position(|case| {
            self.bindings.truncate(top);
            let mut pairs = case.patterns.iter().zip(arguments);
            case.patterns.len() == arguments.len()
                && pairs.all(|(pattern, argument)| self.fits(pattern, *argument))
        })
    }

    /// True if a pattern fits a value; its names are then bound.
    fn fits(&mut self, pattern: &Pattern, value: Term) -> bool {
        match pattern {
            Pattern::Any(_) => true,
            Pattern::Bind(name) => {
                self.bindings.push((name.symbol, value));
                true
            }
            Pattern::Literal(name) => {
                matches!(self.terms.view(value), View::Atom(symbol) if symbol == name.symbol)
            }
            Pattern::Compound(name, patterns, _) => {
                let View::Compound(constructor, arguments) = self.terms.view(value) else {
                    return false;
                };
                if constructor != name.symbol || arguments.len() != patterns.len() {
                    return false;
                }
                let arguments: Vec<Term> = arguments.to_vec();
                patterns.iter().zip(arguments).all(|(pattern, value)| self.fits(pattern, value))
            }
        }
    }

    /// Reports that no case fits.
    pub(super) fn report_missing(
        &mut self,
        function: &Function,
        arguments: &[Term],
        span: Span,
        others: usize,
    ) {
        let name = self.text(function.name);
        let call = format!("{name}({})", self.terms.show_all(arguments));
        let more = if others > 0 { format!(", nor {others} others") } else { String::new() };
        let holes = vec!["_"; function.cases[0].patterns.len()].join(", ");
        let help = format!("add a case for it, or `{name}({holes}) = ..` as the last one");
        let message = format!("no case of `{name}` fits `{call}`{more}");
        self.fault("missing-case", span, [&message, "expected a case for each argument", &help]);
    }

    fn sum(&mut self, first: &'a Expr, rest: &'a [(Operator, Expr)]) -> Option<Term> {
        let mut value = self.integer(first)?;
        for (operator, expr) in rest {
            let other = self.integer(expr)?;
            let result = match operator {
                Operator::Plus => value.checked_add(other),
                Operator::Minus => value.checked_sub(other),
                // The dividend is raised by the divisor, so that `(X - 1) % 3` is right for 0.
                Operator::Remainder => {
                    value.checked_add(other).and_then(|raised| raised.checked_rem(other))
                }
            };
            let Some(result) = result else {
                let message = format!("no result of {value} and {other}");
                let label = "expected a divisor other than 0, and numbers that are not so large";
                self.fault("arithmetic", expr.span, [&message, label, ""]);
                return None;
            };
            value = result;
        }
        Some(self.terms.integer(value))
    }

    fn integer(&mut self, expr: &'a Expr) -> Option<i64> {
        let value = self.evaluate(expr, None)?;
        let integer = self.terms.as_integer(value);
        if integer.is_none() {
            let message = format!("`{}` is no integer", self.terms.show(value));
            let help = "compute with the arguments of constructors, as in `K(V) = K(V + 1)`";
            self.fault("arithmetic", expr.span, [&message, "expected an integer", help]);
        }
        integer
    }

    fn choose(
        &mut self,
        arms: &'a [(Expr, Expr)],
        otherwise: &'a Expr,
        want: Want<'_>,
    ) -> Option<Term> {
        for (condition, value) in arms {
            if self.holds(condition)? {
                return self.evaluate(value, want);
            }
        }
        self.evaluate(otherwise, want)
    }

    /// True if a condition holds; nothing after a message.
    fn holds(&mut self, condition: &'a Expr) -> Option<bool> {
        self.spend(1, condition.span)?;
        match &condition.kind {
            ExprKind::And(parts) => {
                for part in parts {
                    if !self.holds(part)? {
                        return Some(false);
                    }
                }
                Some(true)
            }
            ExprKind::Or(parts) => {
                for part in parts {
                    if self.holds(part)? {
                        return Some(true);
                    }
                }
                Some(false)
            }
            ExprKind::In(expr, domain) => {
                let value = self.evaluate(expr, None)?;
                Some(self.contains(*domain, value))
            }
            ExprKind::Compare(left, comparison, right) => {
                self.compare(left, *comparison, right, condition.span)
            }
            _ => {
                let label = "expected a comparison, or `.. in Domain`";
                let help = "compare a result, as in `f(x) == 1`; \
                            `not(a == b)` is written `a != b` here";
                self.fault(
                    "not-a-condition",
                    condition.span,
                    ["this is no condition", label, help],
                );
                None
            }
        }
    }

    fn compare(
        &mut self,
        left: &'a Expr,
        comparison: Comparison,
        right: &'a Expr,
        span: Span,
    ) -> Option<bool> {
        let (a, b) = (self.evaluate(left, None)?, self.evaluate(right, None)?);
        let Some(order) = self.terms.compare(a, b) else {
            let [a, b] = [a, b].map(|term| self.terms.show(term));
            let message = format!("`{a}` and `{b}` cannot be compared");
            let label = "expected two names, or two constructors";
            let help = "give the function a case of its own for one of them, as in `f(null) = ..`";
            self.fault("incomparable", span, [&message, label, help]);
            return None;
        };
        Some(match comparison {
            Comparison::Equal => order == Ordering::Equal,
            Comparison::Unequal => order != Ordering::Equal,
            Comparison::Less => order == Ordering::Less,
            Comparison::LessOrEqual => order != Ordering::Greater,
            Comparison::Greater => order == Ordering::Greater,
            Comparison::GreaterOrEqual => order != Ordering::Less,
        })
    }

    /// True if a value is an element of a domain; of a name that is none, nothing is.
    fn contains(&mut self, domain: Name, value: Term) -> bool {
        let Some(&set) = self.set_names.get(&domain.symbol) else {
            if self.is_said("unknown-domain", domain.span) {
                return false;
            }
            let text = self.text(domain);
            let known = self.program.domains.iter().map(|domain| self.text(domain.name));
            let help = text::near_miss(text, known)
                .map_or_else(|| "declare it".to_owned(), |near| format!("did you mean `{near}`?"));
            let message = format!("no domain `{text}`, so that this never holds");
            let diagnostic = Diagnostic::warning("unknown-domain", domain.span, message);
            self.report(diagnostic.label("expected a domain").help(help));
            return false;
        };
        if self.terms.is_map(value) {
            return false;
        }
        let symbol = self.terms.symbol(value);
        self.sets[set].symbols.contains(&symbol)
    }
}
