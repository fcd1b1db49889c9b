//! The values of constants, and the first ones of variables.

use rustc_hash::FxHashMap;
use text::{Diagnostic, Span};

use super::check::{Checker, Slots};
use super::types::Ty;
use crate::automaton::{Cell, GOALS, PLAYER, Set, SetId, Shape, VISIBLE};
use crate::limits::MAX_CELLS;
use crate::symbols::Symbol;
use crate::syntax::{Name, Value, ValueDeclaration};

impl<'a> Checker<'a> {
    /// Reads all constants and variables, and adds the built-in variables.
    pub(super) fn read_values(&mut self) {
        let constants = self.distinct("constant", &self.declarations.constants);
        let variables = self.distinct("variable", &self.declarations.variables);
        self.constants.numbers = numbers(constants.iter().map(|declared| declared.name));
        self.constants.names = constants.iter().map(|declared| declared.name).collect();
        let mut cells = 0;
        for declared in constants {
            let shape = self.shape(&declared.ty);
            let row = self.start(declared, shape.as_ref(), &mut cells);
            self.constants.shapes.push(shape);
            self.constants.cells.push(row);
        }
        let mut cells = 0;
        let mut slots = Slots::default();
        for (slot, &(symbol, ty)) in self.known.variables.iter().enumerate() {
            let usual = self.types.get(&ty).cloned().flatten();
            let declared = variables.iter().find(|declared| declared.name.symbol == symbol);
            let (name, shape, row) = if let Some(declared) = declared {
                let shape = self.shape(&declared.ty);
                let span = declared.ty.span();
                self.check_compatible("variable", declared.name, span, shape.clone(), usual);
                let row = self.start(declared, shape.as_ref(), &mut cells);
                (declared.name, shape, row)
            } else {
                let row = self.usual_start(slot, usual.as_ref());
                (Name { symbol, span: Span::at(0) }, usual, row)
            };
            slots.names.push(name);
            slots.shapes.push(shape);
            slots.cells.push(row);
        }
        for declared in variables {
            if self.known.variables.iter().all(|known| known.0 != declared.name.symbol) {
                let shape = self.shape(&declared.ty);
                slots.cells.push(self.start(declared, shape.as_ref(), &mut cells));
                slots.shapes.push(shape);
                slots.names.push(declared.name);
            }
        }
        slots.numbers = numbers(slots.names.iter().copied());
        self.variables = slots;
    }

    /// The first declaration of each name. Others are reported.
    fn distinct(
        &mut self,
        kind: &str,
        declared: &'a [ValueDeclaration],
    ) -> Vec<&'a ValueDeclaration> {
        let mut first: FxHashMap<Symbol, Span> = FxHashMap::default();
        let mut distinct = Vec::new();
        for declaration in declared {
            let name = declaration.name;
            if let Some(&span) = first.get(&name.symbol) {
                self.declared_twice(kind, name, span);
            } else {
                first.insert(name.symbol, name.span);
                distinct.push(declaration);
            }
        }
        distinct
    }

    /// The value of a built-in variable that nobody declares.
    fn usual_start(&self, slot: usize, shape: Option<&Shape>) -> Vec<Cell> {
        let Some(shape) = shape else { return Vec::new() };
        let symbol = match slot {
            GOALS => self.sets[shape.values].members[0],
            PLAYER => self.known.keeper,
            VISIBLE => self.known.one,
            _ => return Vec::new(),
        };
        vec![symbol.0 as Cell; self.size(shape)]
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
        if *total > MAX_CELLS {
            let what = "more cells of all values together";
            self.too_large(declared.ty.span(), what, MAX_CELLS);
            return Vec::new();
        }
        let mut row = vec![0; size];
        let errors = self.report.errors;
        self.fill(&declared.value, &shape.keys, shape.values, &mut row);
        if self.report.errors > errors {
            row.clear();
        }
        row
    }

    /// Writes a value of a type into its cells.
    fn fill(&mut self, value: &Value, keys: &[SetId], values: SetId, row: &mut [Cell]) {
        match value {
            Value::Name(name) => self.fill_name(*name, keys, values, row),
            Value::Map(entries, span) => {
                let Some((&set, inner)) = keys.split_first() else {
                    let members = self.members(values);
                    let message = format!("a map as a value of {}", self.show(&Ty::set(values)));
                    self.report.push(
                        Diagnostic::error("type-mismatch", *span, message)
                            .label(format!("expected one of {members}")),
                    );
                    return;
                };
                let size = row.len() / self.sets[set].width();
                if let Some(default) = self.default_entry(entries, *span) {
                    let last = row.len() - size;
                    self.fill(default, inner, values, &mut row[last..]);
                    for at in (0..last).step_by(size) {
                        row.copy_within(last.., at);
                    }
                }
                let mut seen: FxHashMap<Symbol, Span> = FxHashMap::default();
                for (key, value) in entries {
                    let Some(key) = key else { continue };
                    if let Some(&first) = seen.get(&key.symbol) {
                        self.key_twice(*key, first);
                    } else if self.sets[set].contains(key.symbol) {
                        let at = self.sets[set].place(key.symbol.0 as Cell) * size;
                        self.fill(value, inner, values, &mut row[at..at + size]);
                    } else {
                        let (found, wanted) = (Ty::one(key.symbol), Ty::set(set));
                        self.mismatch(key.span, "cannot use the key", &found, &wanted);
                    }
                    seen.entry(key.symbol).or_insert(key.span);
                }
            }
        }
    }

    /// Writes the value of a name into its cells: that of a constant, or the symbol itself.
    fn fill_name(&mut self, name: Name, keys: &[SetId], values: SetId, row: &mut [Cell]) {
        let wanted = Ty::of(&Shape { keys: keys.to_vec(), values });
        if let Some(&slot) = self.constants.numbers.get(&name.symbol) {
            if slot >= self.constants.cells.len() {
                let text = self.symbols.name(name.symbol);
                let message = format!("constant `{text}` is not declared yet");
                self.report.push(
                    Diagnostic::error("order", name.span, message)
                        .label("expected a constant that is declared before")
                        .note(self.constants.names[slot].span, "move this declaration up"),
                );
                return;
            }
            let Some(found) = Self::type_of(&self.constants, slot) else { return };
            if !self.fits(&found, &wanted) {
                self.mismatch(name.span, "cannot use a value of", &found, &wanted);
            } else if !self.constants.cells[slot].is_empty() {
                copy(&self.sets, (&found.keys, &self.constants.cells[slot]), (keys, row));
            }
        } else if self.unread.contains(&name.symbol) {
            // Its fault has been reported.
        } else if keys.is_empty() && self.sets[values].contains(name.symbol) {
            row[0] = name.symbol.0 as Cell;
        } else {
            self.mismatch(name.span, "cannot use", &Ty::one(name.symbol), &wanted);
        }
    }

    /// The value of the default entry. Reports if there is none, or more than one.
    fn default_entry<'v>(
        &mut self,
        entries: &'v [(Option<Name>, Value)],
        span: Span,
    ) -> Option<&'v Value> {
        let mut defaults = entries.iter().filter(|(key, _)| key.is_none()).map(|(_, value)| value);
        let Some(first) = defaults.next() else {
            self.report.push(
                Diagnostic::error("no-default", span, "a map without a default value")
                    .label("expected an entry `:value` for the keys that are not listed"),
            );
            return None;
        };
        if let Some(second) = defaults.next() {
            self.report.push(
                Diagnostic::error("duplicate-key", second.span(), "a second default value")
                    .label("expected a key before this `:`")
                    .note(first.span(), "the first one"),
            );
        }
        Some(first)
    }

    /// Reports that a map has a key twice.
    fn key_twice(&mut self, key: Name, first: Span) {
        let message = format!("key `{}` is listed twice", self.symbols.name(key.symbol));
        self.report.push(
            Diagnostic::error("duplicate-key", key.span, message)
                .label("expected another key")
                .note(first, "listed here first"),
        );
    }
}

/// Numbers in the order of names.
fn numbers(names: impl Iterator<Item = Name>) -> FxHashMap<Symbol, usize> {
    names.enumerate().map(|(slot, name)| (name.symbol, slot)).collect()
}

/// Copies the cells of a map into those of a map over other keys; keys that only the latter has get
/// the default.
fn copy(sets: &[Set], from: (&[SetId], &[Cell]), to: (&[SetId], &mut [Cell])) {
    let ((from_keys, from), (to_keys, to)) = (from, to);
    let (Some((&a, from_keys)), Some((&b, to_keys)), false) =
        (from_keys.split_first(), to_keys.split_first(), from_keys == to_keys)
    else {
        to.copy_from_slice(from);
        return;
    };
    let (from_size, to_size) = (from.len() / sets[a].width(), to.len() / sets[b].width());
    let members = sets[b].members.iter().map(|member| sets[a].place(member.0 as Cell));
    for (place, to) in members.chain([sets[a].members.len()]).zip(to.chunks_mut(to_size)) {
        let from = &from[place * from_size..][..from_size];
        copy(sets, (from_keys, from), (to_keys, to));
    }
}
