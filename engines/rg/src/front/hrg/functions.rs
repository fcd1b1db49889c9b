//! Functions to constants.

use std::rc::Rc;

use text::{Diagnostic, Span};

use super::context::{Context, SetId, Shape};
use super::terms::Term;
use super::tree::Function;
use super::values::{most_frequent, rg_type};
use crate::syntax::{Name, Value, ValueDeclaration};

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

impl Context<'_> {
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
            match self.matching(function, &arguments) {
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
        if let Some((arguments, count)) = &missing {
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
