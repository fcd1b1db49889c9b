//! Functions to constants.

use std::rc::Rc;

use text::{Diagnostic, Span};

use super::context::{Context, SetId, Shape};
use super::domains::advance;
use super::terms::Term;
use super::tree::Function;
use super::values::{most_frequent, rg_type};
use crate::limits::MAX_CELLS;
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
        for (set, key) in shape.keys.iter().zip(&function.ty.keys).take(count) {
            if *set >= self.program.domains.len() {
                let text = self.text(*key);
                let message = format!("`{text}` is built in, and functions are tables of domains");
                let help = format!("declare it, as in `domain {text} = ..`");
                self.fault("built-in", key.span, [&message, "expected a domain", &help]);
                sound = false;
            }
            sound &= !self.sets[*set].broken;
        }
        sound
    }

    /// The table of a function; nothing after a message.
    fn table(&mut self, index: usize, shape: &Shape) -> Option<Value> {
        let function = &self.program.functions[index];
        let keys = &shape.keys[..function.cases[0].patterns.len()];
        let sizes: Vec<usize> = keys.iter().map(|key| self.sets[*key].members.len()).collect();
        let cells = sizes.iter().fold(1_usize, |cells, size| cells.saturating_mul(*size));
        self.cells = self.cells.saturating_add(cells);
        if self.cells > MAX_CELLS {
            let help = "use smaller domains, or fewer arguments";
            self.exceeded(function.name.span, MAX_CELLS, "cells of all functions", help);
            return None;
        }
        let results = self.results(index, shape, &sizes)?;
        Some(self.rows(&results, keys, function.name.span)?.1)
    }

    /// The values of a function for all arguments, each with the place of its case.
    fn results(
        &mut self,
        index: usize,
        shape: &Shape,
        sizes: &[usize],
    ) -> Option<Vec<(Term, Span)>> {
        let function = &self.program.functions[index];
        let mut failed = vec![false; function.cases.len()];
        let mut missing: Option<(Vec<Term>, usize)> = None;
        let mut results = Vec::new();
        let mut places = vec![0; sizes.len()];
        self.calls.push(index);
        loop {
            self.spend(1, function.name.span)?;
            let keys = places.iter().zip(&shape.keys);
            let arguments: Vec<Term> =
                keys.map(|(place, key)| self.sets[*key].members[*place].0).collect();
            match self.matching(function, &arguments) {
                None => missing.get_or_insert((arguments, 0)).1 += 1,
                Some(case) if failed[case] => {}
                Some(case) => {
                    let body = &function.cases[case].body;
                    let call = Some((function.name.symbol, &arguments[..]));
                    let value = self.member(body, (shape, sizes.len()), call);
                    failed[case] = value.is_none();
                    results.extend(value.map(|value| (value, body.span)));
                }
            }
            self.bindings.clear();
            if !advance(&mut places, |place| sizes[place]) {
                break;
            }
        }
        self.calls.pop();
        if let Some((arguments, count)) = &missing {
            self.report_missing(function, arguments, function.name.span, count - 1);
        }
        (missing.is_none() && !failed.contains(&true)).then_some(results)
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
