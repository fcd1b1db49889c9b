//! Expressions to values at compile time.

use std::cmp::Ordering;

use text::{Diagnostic, Span};

use super::context::{Context, Shape};
use super::terms::{Term, View};
use super::tree::{Expr, ExprKind, Function, Pattern, is_upper};
use crate::limits::MAX_EVALUATION_DEPTH;
use crate::symbols::Symbol;
use crate::syntax::Name;

/// The type that a value must have, behind so many of its keys; nothing for a part of a value.
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
            ExprKind::Name(name) => self.evaluate_name(*name),
            ExprKind::Compound(name, arguments) => self
                .evaluate_all(arguments)
                .and_then(|arguments| self.compound(*name, &arguments, expr.span)),
            ExprKind::Apply(head, arguments) => self.apply(head, arguments, expr.span),
            ExprKind::Sum(first, rest) => self.sum(first, rest),
            ExprKind::If(arms, otherwise) => {
                self.choose(arms, otherwise).and_then(|chosen| self.evaluate(chosen, want))
            }
            ExprKind::Map(default, parts) => self.map(default.as_deref(), parts, want, expr.span),
            _ => {
                let help = "write `if .. then .. else ..` around it";
                let texts = ["a condition has no value", "expected a value", help];
                self.fault("no-value", expr.span, texts);
                None
            }
        };
        self.depth -= 1;
        value
    }

    fn evaluate_all(&mut self, exprs: &'a [Expr]) -> Option<Vec<Term>> {
        exprs.iter().map(|expr| self.evaluate(expr, None)).collect()
    }

    /// Reports that evaluation does not seem to end, with the calls that come again.
    fn report_depth(&mut self, span: Span) {
        let mut calls = self.calls.iter().rev();
        let length = calls.next().and_then(|last| calls.position(|call| call == last));
        let cycle = &self.calls[self.calls.len() - length.map_or(0, |length| length + 2)..];
        let cycle: Vec<&str> =
            cycle.iter().map(|call| self.text(self.program.functions[*call].name)).collect();
        let message = format!("expressions nest too deep: {}", cycle.join(" > "));
        let message = message.trim_end_matches(": ");
        let help = "add a case without a call, so that the calls come to an end";
        self.fault("recursion", span, [message, "expected a value without further calls", help]);
    }

    fn evaluate_name(&mut self, name: Name) -> Option<Term> {
        let value = self.bound(name.symbol);
        let literal = self.literal && self.calls.is_empty();
        if value.is_none() && !literal && is_upper(self.text(name)) {
            let known: Vec<Symbol> = self.bindings.iter().map(|binding| binding.0).collect();
            let help =
                "bind it in a pattern; names of elements begin with a lower-case letter here";
            self.unknown(name, ["unbound", "variable"], known, help);
            return None;
        }
        Some(value.unwrap_or_else(|| self.terms.atom(name.symbol)))
    }

    fn apply(&mut self, head: &'a Expr, arguments: &'a [Expr], span: Span) -> Option<Term> {
        let mut value = self.evaluate(head, None)?;
        let arguments = self.evaluate_all(arguments)?;
        let (program, mut rest) = (self.program, &arguments[..]);
        let mut called: Option<&Function> = None;
        loop {
            let symbol = self.terms.symbol(value);
            let index = symbol.and_then(|symbol| self.values.get(&symbol).copied());
            let callee = index.and_then(|index| Some((index, program.functions.get(index)?)));
            let count = callee.map_or(0, |callee| callee.1.cases[0].patterns.len());
            if let (Some((index, function)), Some((given, others))) =
                (callee, rest.split_at_checked(count))
            {
                value = self.call(index, given, span)?;
                (called, rest) = (Some(function), others);
                if rest.is_empty() {
                    return Some(value);
                }
            } else if let Some(function) = callee.map(|callee| callee.1).or(called) {
                let count = function.cases[0].patterns.len();
                let message =
                    format!("`{}` does not take so many arguments", self.text(function.name));
                let diagnostic = Diagnostic::error("arity", span, message)
                    .label(format!("expected {count}"))
                    .note(function.name.span, format!("its cases have {count}"));
                self.report(diagnostic);
                return None;
            } else {
                let symbol = symbol.unwrap_or_else(|| self.terms.symbols.intern("{..}"));
                let known = program.functions.iter().map(|function| function.name.symbol);
                let help = "declare it with its type and its cases; constructors begin with an \
                            upper-case letter, and variables cannot be read in tables";
                let name = Name { symbol, span: head.span };
                self.unknown(name, ["unknown-function", "function"], known, help);
                return None;
            }
        }
    }

    /// The value of a function.
    fn call(&mut self, index: usize, arguments: &[Term], span: Span) -> Option<Term> {
        let function = &self.program.functions[index];
        let (base, top) = (self.base, self.bindings.len());
        self.base = top;
        self.calls.push(index);
        let value = match self.matching(index, arguments) {
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
    pub(super) fn matching(&mut self, function: usize, arguments: &[Term]) -> Option<usize> {
        let top = self.bindings.len();
        let case = self.program.functions[function].cases.iter().position(|case| {
            self.bindings.truncate(top);
            self.all_fit(&case.patterns, arguments)
        })?;
        self.worked[function][case] = true;
        Some(case)
    }

    /// True if patterns fit values; their names are then bound.
    pub(super) fn all_fit(&mut self, patterns: &[Pattern], values: &[Term]) -> bool {
        patterns.len() == values.len()
            && patterns.iter().zip(values).all(|(pattern, value)| {
                match (pattern, self.terms.view(*value)) {
                    (Pattern::Any(_), _) => true,
                    (Pattern::Bind(name), _) => {
                        self.bindings.push((name.symbol, *value));
                        true
                    }
                    (Pattern::Literal(name), View::Atom(symbol)) => *symbol == name.symbol,
                    (Pattern::Compound(name, patterns, _), View::Compound(head, values)) => {
                        let (same, values) = (*head == name.symbol, values.clone());
                        same && self.all_fit(patterns, &values)
                    }
                    _ => false,
                }
            })
    }

    /// Reports that no case fits, for these arguments and so many others.
    pub(super) fn report_missing(
        &mut self,
        function: &Function,
        arguments: &[Term],
        span: Span,
        others: usize,
    ) {
        let (name, symbol) = (self.text(function.name), function.name.symbol);
        let more = if others > 0 { format!(", nor {others} others") } else { String::new() };
        let call = self.terms.show_call(symbol, arguments);
        let message = format!("no case of `{name}` fits `{call}`{more}");
        let holes = vec!["_"; arguments.len()].join(", ");
        let help = format!("add a case for it, or `{name}({holes}) = ..` as the last one");
        self.fault("missing-case", span, [&message, "expected a case for all arguments", &help]);
    }

    fn sum(&mut self, first: &'a Expr, rest: &'a [(&'static str, Expr)]) -> Option<Term> {
        let mut value = self.integer(first)?;
        for (operator, expr) in rest {
            let other = self.integer(expr)?;
            let result = match *operator {
                "+" => value.checked_add(other),
                "-" => value.checked_sub(other),
                // The dividend is raised, so that `(X - 1) % 3` is right for 0.
                _ => value.checked_add(other).and_then(|raised| raised.checked_rem(other)),
            };
            let Some(result) = result else {
                let message = format!("`{value} {operator} {other}` has no result");
                let label = "expected a smaller number, and none to divide by but 0";
                let label = if other == 0 { "expected a number other than 0" } else { label };
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
            let help = "compute with arguments of constructors, as in `f(K(V)) = K(V + 1)`";
            self.fault("arithmetic", expr.span, [&message, "expected an integer", help]);
        }
        integer
    }

    /// The value of the first condition that holds, or the last value; nothing after a message.
    fn choose(&mut self, arms: &'a [(Expr, Expr)], otherwise: &'a Expr) -> Option<&'a Expr> {
        for (condition, value) in arms {
            if self.holds(condition)? {
                return Some(value);
            }
        }
        Some(otherwise)
    }

    /// True if a condition holds; nothing after a message.
    fn holds(&mut self, condition: &'a Expr) -> Option<bool> {
        self.spend(1, condition.span)?;
        match &condition.kind {
            ExprKind::And(parts) | ExprKind::Or(parts) => {
                let all = matches!(condition.kind, ExprKind::And(_));
                for part in parts {
                    if self.holds(part)? != all {
                        return Some(!all);
                    }
                }
                Some(all)
            }
            ExprKind::In(expr, domain) => {
                let value = self.evaluate(expr, None)?;
                Some(self.contains(*domain, value))
            }
            ExprKind::Compare(left, operator, right) => {
                let (a, b) = (self.evaluate(left, None)?, self.evaluate(right, None)?);
                let Some(order) = self.terms.compare(a, b) else {
                    let [a, b] = [a, b].map(|term| self.terms.show(term));
                    let message = format!("`{a}` and `{b}` cannot be compared");
                    let label = "expected two names, or two constructors";
                    let help = "give one of them a case of its own, as in `f(null) = ..`";
                    self.fault("incomparable", condition.span, [&message, label, help]);
                    return None;
                };
                Some(match *operator {
                    "==" => order == Ordering::Equal,
                    "!=" => order != Ordering::Equal,
                    "<" => order == Ordering::Less,
                    "<=" => order != Ordering::Greater,
                    ">" => order == Ordering::Greater,
                    _ => order != Ordering::Less,
                })
            }
            _ => {
                let label = "expected a comparison, or `.. in Domain`";
                let help = "compare a result, as in `f(x) == 1`; for `not(a == b)` write `a != b`";
                let texts = ["this is no condition of a table", label, help];
                self.fault("not-a-condition", condition.span, texts);
                None
            }
        }
    }

    /// True if a value is an element of a domain; of a name that is none, nothing is.
    fn contains(&mut self, domain: Name, value: Term) -> bool {
        if let Some(set) = self.set_names.get(&domain.symbol) {
            let symbol = self.terms.symbol(value);
            return symbol.is_some_and(|symbol| self.sets[*set].symbols.contains(&symbol));
        }
        if !self.is_said("unknown-domain", domain.span) {
            let (text, program) = (self.text(domain), self.program);
            let message = format!("there is no domain `{text}`, so that this never holds");
            let known = program.domains.iter().map(|domain| self.text(domain.0));
            let diagnostic = Diagnostic::warning("unknown-domain", domain.span, message);
            self.report(diagnostic.label("expected a domain").suggest(text, known));
        }
        false
    }
}
