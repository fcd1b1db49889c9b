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

/// A function as a constant, with the functions that it names.
struct Table {
    declaration: ValueDeclaration,
    mentions: Vec<usize>,
}

/// Enters the names of functions, with their types.
pub(super) fn declare(context: &mut Context<'_>) {
    let program = context.program;
    for (index, function) in program.functions.iter().enumerate() {
        let before = context.functions.get(&function.name.symbol);
        let before = before.map(|before| program.functions[*before].name);
        context.declare(function.name, "function", before);
        context.functions.entry(function.name.symbol).or_insert(index);
        let shape = context.shape(&function.ty);
        let sound = shape.filter(|shape| context.sound(function, shape));
        context.shapes.push(sound);
    }
}

/// The constants of all functions, each behind those that it names.
pub(super) fn tables(context: &mut Context<'_>) -> Vec<ValueDeclaration> {
    let count = context.program.functions.len();
    let mut tables: Vec<Option<Table>> = (0..count).map(|index| context.table(index)).collect();
    let mut constants = Vec::new();
    let mut begun = vec![false; count];
    for root in 0..count {
        // Functions that wait for one that they name.
        let mut waiting: Vec<usize> = Vec::new();
        let mut next = (!begun[root]).then_some(root);
        while let Some(index) = next.take().or_else(|| waiting.last().copied()) {
            if !begun[index] {
                begun[index] = true;
                waiting.push(index);
            }
            match tables[index].as_mut().and_then(|table| table.mentions.pop()) {
                Some(other) if !begun[other] => next = Some(other),
                Some(other) if tables[other].is_some() => context.report_cycle(&waiting, other),
                Some(_) => {}
                None => {
                    waiting.pop();
                    constants.extend(tables[index].take().map(|table| table.declaration));
                }
            }
        }
    }
    constants
}

impl Context<'_> {
    /// True if the cases of a function go with its type; else there is a message.
    fn sound(&mut self, function: &Function, shape: &Shape) -> bool {
        let count = function.cases[0].patterns.len();
        let mut sound = true;
        if count > shape.keys.len() {
            let keys = shape.keys.len();
            let name = self.text(function.name);
            let message = format!("a case of {count} patterns, where `{name}` takes {keys}");
            let label = format!("expected at most {keys} patterns");
            let diagnostic = Diagnostic::error("arity", function.cases[0].span, message);
            self.report(diagnostic.label(label).note(function.ty.span, "this type has so many"));
            sound = false;
        }
        for case in &function.cases[1..] {
            if case.patterns.len() != count {
                let message =
                    format!("a case of {} patterns after one of {count}", case.patterns.len());
                let label = format!("expected {count} patterns");
                let diagnostic = Diagnostic::error("arity", case.span, message).label(label);
                self.report(diagnostic.note(function.cases[0].span, "the first case"));
                sound = false;
            }
        }
        for (set, key) in shape.keys.iter().zip(&function.ty.keys).take(count) {
            if !self.sets[*set].declared {
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

    /// The constant of a function; nothing after a message.
    fn table(&mut self, index: usize) -> Option<Table> {
        let function = &self.program.functions[index];
        let shape = self.shapes[index].clone()?;
        let keys = &shape.keys[..function.cases[0].patterns.len()];
        let sizes: Vec<usize> = keys.iter().map(|key| self.sets[*key].members.len()).collect();
        let cells = sizes.iter().fold(1_usize, |cells, size| cells.saturating_mul(*size));
        self.cells = self.cells.saturating_add(cells);
        if self.cells > MAX_CELLS {
            let message = format!("functions of more than {MAX_CELLS} cells together");
            let help = "use smaller domains, or fewer arguments";
            let label = "expected fewer arguments";
            self.fault("too-large", function.name.span, [&message, label, help]);
            return None;
        }
        let results = self.results(index, &shape, &sizes)?;
        let mut mentions = Vec::new();
        let (_, value) = self.rows(&results, keys, function.name.span, &mut mentions)?;
        mentions.sort_unstable();
        mentions.dedup();
        let ty = rg_type(&function.ty);
        let declaration = ValueDeclaration { name: function.name, ty, value };
        Some(Table { declaration, mentions })
    }

    /// The values of a function for all arguments, each with the place of its case.
    fn results(
        &mut self,
        index: usize,
        shape: &Rc<Shape>,
        sizes: &[usize],
    ) -> Option<Vec<(Term, Span)>> {
        let function = &self.program.functions[index];
        let given = sizes.len();
        let mut failed = vec![false; function.cases.len()];
        let mut missing: Option<(Vec<Term>, usize)> = None;
        let mut results = Vec::new();
        let mut places = vec![0; given];
        loop {
            let places_of_keys = places.iter().zip(&shape.keys);
            let arguments: Vec<Term> =
                places_of_keys.map(|(place, key)| self.sets[*key].members[*place].0).collect();
            self.spend(1, function.name.span)?;
            match self.matching(function, &arguments) {
                None => missing.get_or_insert((arguments, 0)).1 += 1,
                Some(case) if failed[case] => {}
                Some(case) => {
                    let body = &function.cases[case].body;
                    self.calls.push(index);
                    let value = self.evaluate(body, Some((shape, given)));
                    self.calls.pop();
                    let sound = value.filter(|value| self.belongs(*value, shape, given));
                    failed[case] = sound.is_none();
                    results.extend(sound.map(|value| (value, body.span)));
                    if let Some(value) = value.filter(|_| sound.is_none()) {
                        let name = self.text(function.name);
                        let call = format!("{name}({})", self.terms.show_all(&arguments));
                        self.report_outside(value, (shape, given), body.span, Some(&call));
                    }
                }
            }
            self.bindings.clear();
            if !advance(&mut places, |place| sizes[place]) {
                break;
            }
        }
        if let Some((arguments, count)) = &missing {
            self.report_missing(function, arguments, function.name.span, count - 1);
        }
        (missing.is_none() && !failed.contains(&true)).then_some(results)
    }

    /// A value of a table, and its form in RG: a map from the members of the first key to such
    /// values, and so on.
    fn rows(
        &mut self,
        cells: &[(Term, Span)],
        keys: &[SetId],
        span: Span,
        mentions: &mut Vec<usize>,
    ) -> Option<(Term, Value)> {
        let Some((key, inner)) = keys.split_first() else {
            let (term, span) = *cells.first()?;
            return Some((term, self.value(term, span, mentions)));
        };
        let count = self.sets[*key].members.len();
        let chunks = cells.chunks(cells.len() / count);
        let rows: Option<Vec<(Term, Value)>> =
            chunks.map(|cells| self.rows(cells, inner, span, mentions)).collect();
        let rows = rows?;
        let default = most_frequent(rows.iter().map(|row| row.0))?;
        let mut entries = Vec::new();
        let mut parts = Vec::new();
        let mut rest = None;
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
        Some((self.terms.map(default, &parts)?, Value::Map(entries, span)))
    }

    fn report_cycle(&mut self, waiting: &[usize], other: usize) {
        let from = waiting.iter().position(|index| *index == other).unwrap_or(0);
        let cycle = waiting[from..].iter().chain([&other]);
        let names: Vec<&str> =
            cycle.map(|index| self.text(self.program.functions[*index].name)).collect();
        let message = format!("values of functions name each other: {}", names.join(" > "));
        let label = "expected results that are no functions of the cycle";
        let span = self.program.functions[other].name.span;
        self.fault("cycle", span, [&message, label, "rename the symbol, or the function"]);
    }
}
