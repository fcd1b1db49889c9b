//! Functions to constants.

use std::rc::Rc;

use text::{Diagnostic, Severity, Span};

use super::context::{Context, MAX_CANDIDATES, SetId, Shape};
use super::terms::Term;
use super::tree::{Case, Function, Pattern};
use super::values::{most_frequent, rg_type};
use crate::syntax::{Name, Value, ValueDeclaration};

/// The most cases without a use that are looked at.
const MAX_IDLE: usize = 200;

/// The constants of all functions, each behind those that it can name.
pub(super) fn tables(context: &mut Context<'_>) -> Vec<ValueDeclaration> {
    let functions = &context.program.functions;
    // Shapes come before values, because calls need no table.
    let shapes: Vec<Option<Rc<Shape>>> = functions
        .iter()
        .map(|function| {
            let shape = context.shape(&function.ty);
            shape.filter(|shape| context.sound(function, shape))
        })
        .collect();
    let mut tables = Vec::new();
    for (index, (function, shape)) in functions.iter().zip(shapes).enumerate() {
        let Some(shape) = shape else { continue };
        let Some(value) = context.table(index, &shape) else { continue };
        let constants = function.cases[0].patterns.is_empty();
        let table = ValueDeclaration { name: function.name, ty: rg_type(&function.ty), value };
        tables.push((shape.keys.len(), constants, table));
    }
    // What a function of fewer patterns than keys names has fewer keys than itself.
    tables.sort_by_key(|table| (table.0, table.1));
    tables.into_iter().map(|table| table.2).collect()
}

/// Warns of the cases of functions that nothing comes to: an earlier one takes all that they fit,
/// or no element fits them.
pub(super) fn warn_of_idle_cases(context: &mut Context<'_>) {
    let functions = &context.program.functions;
    for (index, function) in functions.iter().enumerate() {
        for (place, case) in function.cases.iter().enumerate().take(MAX_IDLE) {
            let mut earlier = function.cases[..place].iter();
            let Some(first) = earlier.find(|earlier| earlier.covers(case)) else { continue };
            if context.worked[index][place] {
                continue;
            }
            let message = "no arguments ever come to this case";
            let diagnostic = Diagnostic::warning("covered-case", case.span, message)
                .label("an earlier case takes all that fits here")
                .note(first.span, "this one, since the first case that fits counts")
                .help("put the special case before the general one, or delete it");
            context.report(diagnostic);
        }
        if let Some(shape) = context.shape(&function.ty) {
            context.report_foreign(index, &shape, false);
        }
    }
}

impl Case {
    /// True if this case fits whatever another one fits.
    fn covers(&self, other: &Case) -> bool {
        all_cover(&self.patterns, &other.patterns)
    }
}

/// True if each pattern fits whatever its counterpart fits.
fn all_cover(patterns: &[Pattern], others: &[Pattern]) -> bool {
    let covers = |(pattern, other): (&Pattern, &Pattern)| match (pattern, other) {
        (Pattern::Any(_) | Pattern::Bind(_), _) => true,
        (Pattern::Literal(name), Pattern::Literal(other)) => name.symbol == other.symbol,
        (Pattern::Compound(name, parts, _), Pattern::Compound(other, others, _)) => {
            name.symbol == other.symbol && all_cover(parts, others)
        }
        _ => false,
    };
    patterns.len() == others.len() && patterns.iter().zip(others).all(covers)
}

impl Context<'_> {
    /// Reports the patterns of cases without a use that no element of their domain fits, as errors
    /// or as warnings; true if there are any.
    fn report_foreign(&mut self, index: usize, shape: &Shape, is_error: bool) -> bool {
        let function = &self.program.functions[index];
        let mut found = false;
        for (place, case) in function.cases.iter().enumerate().take(MAX_IDLE) {
            if self.worked[index][place] {
                continue;
            }
            for (pattern, key) in case.patterns.iter().zip(&shape.keys) {
                if !self.sets[*key].broken && !self.fits_any(pattern, *key) {
                    self.report_pattern(pattern, *key, is_error);
                    found = true;
                }
            }
        }
        found
    }

    /// True if some element of a set fits a pattern.
    fn fits_any(&mut self, pattern: &Pattern, set: SetId) -> bool {
        match pattern {
            Pattern::Any(_) | Pattern::Bind(_) => true,
            Pattern::Literal(name) => self.sets[set].symbols.contains(&name.symbol),
            Pattern::Compound(..) => {
                let top = self.bindings.len();
                (0..self.sets[set].members.len()).any(|place| {
                    let member = self.sets[set].members[place].0;
                    let fits = self.all_fit(std::slice::from_ref(pattern), &[member]);
                    self.bindings.truncate(top);
                    fits
                })
            }
        }
    }

    /// Reports a pattern that no element of a set fits.
    fn report_pattern(&mut self, pattern: &Pattern, set: SetId, is_error: bool) {
        let (shown, domain) = (self.pattern_text(pattern), self.sets[set].text.clone());
        let message = format!("no element of `{domain}` fits `{shown}`");
        let example = self.sets[set].members.first().map(|member| self.terms.show(member.0));
        let mut diagnostic = Diagnostic::error("foreign-pattern", pattern.span(), message);
        if !is_error {
            diagnostic.severity = Severity::Warning;
        }
        let label = example.map(|element| format!("expected an element, such as `{element}`"));
        diagnostic = diagnostic.label(label.unwrap_or_else(|| "expected an element".to_owned()));
        let members = self.sets[set].members.iter().take(MAX_CANDIDATES);
        let names = members.map(|member| self.terms.symbols.name(member.1.symbol));
        let lower = matches!(pattern, Pattern::Literal(_))
            && shown.starts_with(|c: char| c.is_alphabetic());
        let near = if lower { text::near_miss(&shown, names) } else { None };
        let help = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None if lower => {
                let mut letters = shown.chars();
                let first = letters.next().into_iter().flat_map(char::to_uppercase);
                let variable: String = first.chain(letters).collect();
                format!("a variable of a pattern begins with an upper-case letter: `{variable}`")
            }
            None => "write a form of the domain, a variable such as `X`, or `_` for any".to_owned(),
        };
        self.report(diagnostic.help(help));
    }

    /// A pattern as it is written.
    fn pattern_text(&self, pattern: &Pattern) -> String {
        match pattern {
            Pattern::Any(_) => "_".to_owned(),
            Pattern::Bind(name) | Pattern::Literal(name) => self.text(*name).to_owned(),
            Pattern::Compound(name, parts, _) => {
                let parts: Vec<String> = parts.iter().map(|part| self.pattern_text(part)).collect();
                format!("{}({})", self.text(*name), parts.join(", "))
            }
        }
    }

    /// True if the cases of a function go with its type; else there is a message.
    fn sound(&mut self, function: &Function, shape: &Shape) -> bool {
        let count = function.cases[0].patterns.len();
        let mut sound = true;
        for case in &function.cases {
            let found = case.patterns.len();
            let (label, note, place) = if found != count {
                (format!("expected {count}"), "the first case", function.cases[0].span)
            } else if found > shape.keys.len() {
                let label = format!("expected at most {}", shape.keys.len());
                (label, "the type has so many arrows", function.ty.span)
            } else {
                continue;
            };
            let message = format!("a case of {found} patterns");
            let diagnostic = Diagnostic::error("arity", case.span, message).label(label);
            self.report(diagnostic.note(place, note));
            sound = false;
        }
        sound && !shape.keys.iter().any(|key| self.sets[*key].broken)
    }

    /// The table of a function; nothing after a message.
    fn table(&mut self, index: usize, shape: &Shape) -> Option<Value> {
        let function = &self.program.functions[index];
        let keys = &shape.keys[..function.cases[0].patterns.len()];
        let sizes = keys.iter().map(|key| self.sets[*key].members.len());
        let mut failed = vec![false; function.cases.len()];
        let mut missing: Option<(Vec<Term>, usize)> = None;
        let mut results: Vec<(Term, Span)> = Vec::new();
        self.calls.push(index);
        for mut cell in 0..sizes.fold(1, usize::saturating_mul) {
            self.spend(1, function.name.span)?;
            let argument = |key: &SetId| {
                let members = &self.sets[*key].members;
                let member = members[cell % members.len()].0;
                cell /= members.len();
                member
            };
            let mut arguments: Vec<Term> = keys.iter().rev().map(argument).collect();
            arguments.reverse();
            match self.matching(index, &arguments) {
                None => missing.get_or_insert((arguments, 0)).1 += 1,
                Some(case) if failed[case] => {}
                Some(case) => {
                    let body = &function.cases[case].body;
                    let call = Some((function.name.symbol, &arguments[..]));
                    let value = self.member(body, (shape, keys.len()), call);
                    failed[case] = value.is_none();
                    results.extend(value.map(|value| (value, body.span)));
                }
            }
            self.bindings.clear();
        }
        self.calls.pop();
        if let Some((arguments, count)) = &missing
            && !self.report_foreign(index, shape, true)
        {
            self.report_missing(function, arguments, function.name.span, count - 1);
        }
        let whole = missing.is_none() && !failed.contains(&true);
        whole.then(|| self.rows(&results, keys, function.name.span))?.map(|rows| rows.1)
    }

    /// A part of a table, as a value and in RG: a map from the members of the first key to such
    /// parts, and so on.
    fn rows(
        &mut self,
        cells: &[(Term, Span)],
        keys: &[SetId],
        span: Span,
    ) -> Option<(Term, Value)> {
        let Some((key, inner)) = keys.split_first() else {
            let (term, span) = *cells.first()?;
            return Some((term, self.value(term, span)?));
        };
        let width = cells.len() / self.sets[*key].members.len();
        let rows: Option<Vec<(Term, Value)>> =
            cells.chunks(width.max(1)).map(|cells| self.rows(cells, inner, span)).collect();
        let rows = rows?;
        let default = most_frequent(rows.iter().map(|row| row.0))?;
        let (mut parts, mut entries, mut rest) = (Vec::new(), Vec::new(), None);
        for (place, (term, value)) in rows.into_iter().enumerate() {
            if term == default {
                rest.get_or_insert(value);
                continue;
            }
            let (key, name) = self.sets[*key].members[place];
            parts.push((key, term));
            entries.push((Some(Name { symbol: name.symbol, span: value.span() }), value));
        }
        entries.push((None, rest?));
        Some((self.terms.map(default, parts), Value::Map(entries, span)))
    }
}
