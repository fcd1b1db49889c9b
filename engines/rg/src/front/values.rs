//! The values of constants, and the first ones of variables.

use rustc_hash::FxHashMap;
use text::{Diagnostic, Span};

use super::check::{Checker, Declared, Slots};
use super::types::Ty;
use crate::automaton::{Cell, Set, SetId, Shape};
use crate::limits::MAX_CELLS;
use crate::symbols::Symbol;
use crate::syntax::{Name, Value, ValueDeclaration};

impl Checker<'_> {
    /// Reads all constants and variables, and adds the built-in variables.
    pub(super) fn read_values(&mut self) {
        let (constants, variables) = (&self.declarations.constants, &self.declarations.variables);
        self.constants.numbers = self.distinct("constant", constants.iter().map(|it| it.name));
        let mut total = 0;
        for declared in constants {
            let shape = self.shape(&declared.ty);
            let cells = self.start(declared, shape.as_ref(), &mut total);
            self.constants.all.push(Declared { name: declared.name, shape, cells });
        }
        total = 0;
        let mut all = Vec::new();
        for declared in variables {
            let (name, span) = (declared.name, declared.ty.span());
            let mut shape = self.shape(&declared.ty);
            let cells = self.start(declared, shape.as_ref(), &mut total);
            let mut built_in = self.built_in.variables.iter();
            if let Some(usual) = built_in.find(|usual| usual.name.symbol == name.symbol) {
                let usual = self.shape(&usual.ty);
                shape = self.check_compatible("variable", name, span, shape, usual);
            }
            all.push(Declared { name, shape, cells });
        }
        let numbers = self.distinct("variable", variables.iter().map(|it| it.name));
        // Not before: no message about a value is to suggest a variable.
        self.variables = Slots { numbers, all };
    }

    /// The number of cells of a value.
    fn size(&self, shape: &Shape) -> usize {
        shape.keys.iter().map(|&key| self.sets[key].width()).product()
    }

    /// The value of a constant, or the first one of a variable; no cells if it is wrong, which is
    /// reported. `total` counts all cells.
    fn start(
        &mut self,
        declared: &ValueDeclaration,
        shape: Option<&Shape>,
        total: &mut usize,
    ) -> Vec<Cell> {
        let Some(shape) = shape else { return Vec::new() };
        let size = self.size(shape);
        *total += size;
        if self.bound(declared.ty.span(), "cells so far", *total, MAX_CELLS).is_none() {
            return Vec::new();
        }
        let (mut cells, errors) = (vec![0; size], self.errors);
        self.fill(&declared.value, &shape.keys, shape.values, &mut cells);
        if self.errors > errors {
            cells.clear();
        }
        cells
    }

    /// Writes a value of a type into its cells.
    fn fill(&mut self, value: &Value, keys: &[SetId], values: SetId, cells: &mut [Cell]) {
        let (entries, span) = match value {
            Value::Name(name) => return self.fill_name(*name, keys, values, cells),
            Value::Map(entries, span) => (entries, *span),
        };
        let Some((&set, inner)) = keys.split_first() else {
            let message = format!("a map is no value of {}", self.show(&Ty::set(values)));
            let label = format!("expected one of {}", self.list(&self.sets[values].members));
            return self.error("type-mismatch", span, message, label);
        };
        let size = cells.len() / self.sets[set].width();
        if entries.iter().all(|(key, _)| key.is_some()) {
            let label = "expected an entry `:value` for the keys that are not listed";
            self.error("no-default", span, "a map without a default value", label);
        }
        let mut seen: FxHashMap<Option<Symbol>, Span> = FxHashMap::default();
        // The default comes first, for it is written for all keys.
        let (defaults, others) =
            (0..entries.len()).partition::<Vec<_>, _>(|&at| entries[at].0.is_none());
        for (key, value) in defaults.into_iter().chain(others).map(|at| &entries[at]) {
            let place = key.map_or(value.span(), |key| key.span);
            if let Some(first) = seen.insert(key.map(|key| key.symbol), place) {
                self.entry_twice(*key, place, first);
            } else if let Some(key) = key {
                let symbol = self.value(*key);
                if self.expect(key.span, &Ty::one(symbol), &Ty::set(set)) {
                    let at = self.sets[set].place(symbol.0 as Cell) * size;
                    self.fill(value, inner, values, &mut cells[at..at + size]);
                }
            } else {
                let last = cells.len() - size;
                self.fill(value, inner, values, &mut cells[last..]);
                for at in (0..last).step_by(size) {
                    cells.copy_within(last.., at);
                }
            }
        }
    }

    /// Writes the value of a name into its cells: that of a constant, or the symbol itself.
    fn fill_name(&mut self, name: Name, keys: &[SetId], values: SetId, cells: &mut [Cell]) {
        let wanted = Ty::of(&Shape { keys: keys.to_vec(), values });
        let Some(&slot) = self.constants.numbers.get(&name.symbol) else {
            let symbol = self.value(name);
            if !self.unread.contains(&name.symbol)
                && self.expect(name.span, &Ty::one(symbol), &wanted)
            {
                cells[0] = symbol.0 as Cell;
            }
            return;
        };
        let Some(constant) = self.constants.all.get(slot) else {
            let message = format!("`{}` is not declared yet", self.name(name));
            self.report(
                Diagnostic::error("order", name.span, message)
                    .label("expected a constant that is declared before")
                    .note(self.declarations.constants[slot].name.span, "move this one up"),
            );
            return;
        };
        let Some(shape) = constant.shape.clone() else { return };
        if self.expect(name.span, &Ty::of(&shape), &wanted) {
            let from = &self.constants.all[slot].cells;
            if !from.is_empty() {
                copy(&self.sets, (&shape.keys, from), (keys, cells));
            }
        }
    }

    /// Reports that a map has a key twice, or two defaults.
    fn entry_twice(&mut self, key: Option<Name>, span: Span, first: Span) {
        let (message, label) = match key {
            Some(key) => {
                (format!("key `{}` is listed twice", self.name(key)), "expected another key")
            }
            None => ("two default values".to_owned(), "expected a key before this value"),
        };
        self.report(
            Diagnostic::error("duplicate-key", span, message)
                .label(label)
                .note(first, "the first one"),
        );
    }
}

/// Copies the cells of a map into those of a map over other keys; keys that only the latter has get
/// the default.
fn copy(sets: &[Set], from: (&[SetId], &[Cell]), to: (&[SetId], &mut [Cell])) {
    let ((from_keys, from), (to_keys, to)) = (from, to);
    let (Some((&a, from_inner)), Some((&b, to_inner)), false) =
        (from_keys.split_first(), to_keys.split_first(), from_keys == to_keys)
    else {
        return to.copy_from_slice(from);
    };
    let (from_size, to_size) = (from.len() / sets[a].width(), to.len() / sets[b].width());
    let default = sets[a].members.len();
    let members = sets[b].members.iter().map(|&member| {
        if sets[a].contains(member) { sets[a].place(member.0 as Cell) } else { default }
    });
    for (place, to) in members.chain([default]).zip(to.chunks_mut(to_size)) {
        copy(sets, (from_inner, &from[place * from_size..][..from_size]), (to_inner, to));
    }
}
