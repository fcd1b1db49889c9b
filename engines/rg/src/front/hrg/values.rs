//! Maps, the values of variables, and the form of values in RG.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use text::{Diagnostic, Span};

use super::context::{Context, Shape};
use super::domains::advance;
use super::evaluate::Want;
use super::terms::{Term, View};
use super::tree::{Expr, Map, Part, Pattern, Type, TypeEnd};
use crate::syntax::{self, Name, Value, ValueDeclaration};

/// The entries of a map while it is read.
#[derive(Default)]
struct Entries {
    /// Keys with their values, and where the keys stand.
    rows: Vec<(Term, Term, Span)>,
    keys: FxHashMap<Term, Span>,
}

/// The variables of the description with their first values.
pub(super) fn variables(context: &mut Context<'_>) -> Vec<ValueDeclaration> {
    let program = context.program;
    let mut declarations = Vec::new();
    for variable in &program.variables {
        let shape = context.shape(&variable.ty);
        let Some(shape) = shape.filter(|shape| !context.sets[shape.end].broken) else { continue };
        let value = match &variable.value {
            Some(expr) => context
                .member(expr, &shape, 0)
                .map(|term| context.value(term, expr.span, &mut Vec::new())),
            None => Some(context.first_value(&shape, variable.name.span)),
        };
        let ty = rg_type(&variable.ty);
        declarations.extend(value.map(|value| ValueDeclaration { name: variable.name, ty, value }));
    }
    declarations
}

/// The type as it is written in RG.
pub(super) fn rg_type(ty: &Type) -> syntax::Type {
    let end = match &ty.end {
        TypeEnd::Named(name) => syntax::Type::Named(*name),
        TypeEnd::Set(members) => syntax::Type::Set(members.clone(), ty.span),
    };
    ty.keys.iter().rev().fold(end, |end, key| {
        syntax::Type::Arrow(Box::new(syntax::Type::Named(*key)), Box::new(end))
    })
}

/// The most frequent value, and of several the first.
pub(super) fn most_frequent(values: impl Iterator<Item = Term> + Clone) -> Option<Term> {
    let mut counts: FxHashMap<Term, usize> = FxHashMap::default();
    for value in values.clone() {
        *counts.entry(value).or_default() += 1;
    }
    let most = counts.values().copied().max()?;
    values.into_iter().find(|value| counts[value] == most)
}

impl<'a> Context<'a> {
    /// The value of an expression, which must belong to the part of a type behind so many keys.
    pub(super) fn member(&mut self, expr: &'a Expr, shape: &Shape, given: usize) -> Option<Term> {
        let term = self.evaluate(expr, Some((shape, given)))?;
        if self.belongs(term, shape, given) {
            return Some(term);
        }
        self.report_outside(term, (shape, given), expr.span, None);
        None
    }

    /// True if a value belongs to the part of a type behind so many keys.
    pub(super) fn belongs(&mut self, term: Term, shape: &Shape, given: usize) -> bool {
        match self.terms.view(term) {
            View::Map(..) => given < shape.keys.len(),
            _ => {
                let symbol = self.terms.symbol(term);
                let set = &self.sets[shape.end];
                // Where a function stands, its type is checked when all constants are known.
                match self.functions.get(&symbol).map(|function| &self.program.functions[*function])
                {
                    Some(function) => {
                        given < shape.keys.len() || function.cases[0].patterns.is_empty()
                    }
                    None => {
                        given == shape.keys.len() && (set.broken || set.symbols.contains(&symbol))
                    }
                }
            }
        }
    }

    /// Reports a value that does not belong where it stands; `call` is what it is the result of.
    pub(super) fn report_outside(
        &mut self,
        term: Term,
        (shape, given): (&Shape, usize),
        span: Span,
        call: Option<&str>,
    ) {
        let shown = match (self.terms.is_map(term), call) {
            (true, _) => "a map".to_owned(),
            (false, None) => format!("`{}`", self.terms.show(term)),
            (false, Some(call)) => format!("`{call}` is `{}`, which", self.terms.show(term)),
        };
        let set = &self.sets[shape.end];
        let text = set.text.clone();
        if given < shape.keys.len() {
            let message = format!("{shown} is no map");
            let help = "write a map as `{ :default; key = value }`, or the name of a function";
            self.fault("type", span, [&message, "expected a map", help]);
            return;
        }
        if let View::Atom(symbol) = self.terms.view(term)
            && self.functions.contains_key(&symbol)
        {
            let name = self.terms.show(term);
            let message = format!("{shown} is a function and no element of `{text}`");
            let help = format!("call it as in `{name}(..)`; or give the element another name");
            let label = format!("expected an element of `{text}`");
            self.fault("type", span, [&message, &label, &help]);
            return;
        }
        let message = format!("{shown} is no element of `{text}`");
        let names = set.members.iter().take(1000).map(|(_, n)| self.terms.symbols.name(n.symbol));
        let compound = matches!(self.terms.view(term), View::Compound(..));
        let help = match text::near_miss(&self.terms.show(term), names).filter(|_| !compound) {
            Some(near) => format!("did you mean `{near}`?"),
            None if compound && set.declared => {
                format!("guard it: `if .. in {text} then .. else ..`, or make `{text}` larger")
            }
            None => format!("write an element of `{text}`, or add this one to it"),
        };
        let label = format!("expected an element of `{text}`");
        self.fault("outside", span, [&message, &label, &help]);
    }

    /// The value of a map, which must be wanted.
    pub(super) fn map(&mut self, map: &'a Map, want: Want<'_>, span: Span) -> Option<Term> {
        let Some((shape, given)) = want.filter(|(shape, given)| *given < shape.keys.len()) else {
            let help = "maps are values of variables and functions of type `Domain -> Domain`";
            self.fault("type", span, ["a map in the place of a symbol", "expected a symbol", help]);
            return None;
        };
        let mut default = match &map.default {
            Some(expr) => Some(self.member(expr, shape, given + 1)?),
            None => None,
        };
        let mut entries = Entries::default();
        let mut whole = true;
        for part in &map.parts {
            if !matches!(part.key, Pattern::Any(_)) {
                let top = self.bindings.len();
                whole &= self.part(part, shape, given + 1, &mut entries).is_some();
                self.bindings.truncate(top);
            } else if map.parts.len() > 1 || map.default.is_some() {
                let message = "`_` beside other keys";
                let help = "begin the map with `:value;` to fill all other cells";
                self.fault("wildcard", part.key.span(), [message, "expected a key", help]);
                whole = false;
            } else {
                default = Some(self.member(&part.value, shape, given + 1)?);
            }
        }
        if !whole {
            return None;
        }
        let default = default.or_else(|| most_frequent(entries.rows.iter().map(|row| row.1)))?;
        self.finish_map(default, entries, shape, given, span)
    }

    /// Makes a map of its entries that are not the default.
    fn finish_map(
        &mut self,
        default: Term,
        mut entries: Entries,
        shape: &Shape,
        given: usize,
        span: Span,
    ) -> Option<Term> {
        entries.rows.retain(|row| row.1 != default);
        entries.rows.sort_by_key(|row| row.0);
        let mut rows = Vec::new();
        for (key, value, place) in entries.rows {
            let symbol = self.terms.symbol(key);
            let set = &self.sets[shape.keys[given]];
            if !set.broken && !set.symbols.contains(&symbol) {
                let message =
                    format!("the key `{}` is no element of `{}`", self.terms.show(key), set.text);
                let label = format!("expected an element of `{}`", set.text);
                let help = format!("delete it, or add it to `{}`", set.text);
                self.fault("outside", place, [&message, &label, &help]);
                return None;
            }
            rows.push((key, value));
        }
        let term = self.terms.map(default, &rows);
        if term.is_none() {
            let help = "use smaller domains as keys";
            self.fault("too-large", span, ["a map with too many cells", "expected fewer", help]);
        }
        term
    }

    /// Adds the entries of a part of a map, one for each combination of its ranges.
    fn part(
        &mut self,
        part: &'a Part,
        shape: &Shape,
        given: usize,
        entries: &mut Entries,
    ) -> Option<()> {
        let values = self.range_values(&part.ranges)?;
        let top = self.bindings.len();
        let mut places = vec![0; values.len()];
        loop {
            self.bindings.truncate(top);
            let bound = part.ranges.iter().zip(&places).zip(&values);
            self.bindings
                .extend(bound.map(|((range, at), values)| (range.name.symbol, values[*at])));
            let key = self.key(&part.key)?;
            let value = self.member(&part.value, shape, given)?;
            let place = part.key.span();
            if let Some(before) = entries.keys.insert(key, place) {
                let message = format!("the key `{}` is given twice", self.terms.show(key));
                self.report(
                    Diagnostic::error("duplicate", place, message)
                        .label("expected each key once")
                        .note(before, "given here before")
                        .help("delete one of the two, or make `:value;` of what most cells hold"),
                );
                return None;
            }
            entries.rows.push((key, value, place));
            if !advance(&mut places, |place| values[place].len()) {
                return Some(());
            }
        }
    }

    /// The key that a pattern stands for.
    fn key(&mut self, pattern: &Pattern) -> Option<Term> {
        match pattern {
            Pattern::Any(span) => {
                let help = "write `_` alone as the key, or `X` and `where X in 0..3`";
                let message = "`_` inside of a key";
                self.fault("wildcard", *span, [message, "expected a name", help]);
                None
            }
            Pattern::Literal(name) => Some(self.terms.atom(name.symbol)),
            Pattern::Bind(name) => {
                let found = self.bindings[self.base..].iter().rev().find(|b| b.0 == name.symbol);
                if let Some((_, value)) = found {
                    return Some(*value);
                }
                let known: Vec<_> = self.bindings[self.base..].iter().map(|b| b.0).collect();
                let help = format!("add `where {} in 0..3` behind the value", self.text(*name));
                self.unknown(*name, ["missing-range", "range of"], known, &help);
                None
            }
            Pattern::Compound(name, parts, span) => {
                let parts: Option<Vec<Term>> = parts.iter().map(|part| self.key(part)).collect();
                self.compound(*name, &parts?, *span)
            }
        }
    }

    /// The value in RG; `mentions` gets the functions that it names.
    pub(super) fn value(&mut self, term: Term, span: Span, mentions: &mut Vec<usize>) -> Value {
        let View::Map(default, rows) = self.terms.view(term) else {
            let symbol = self.terms.symbol(term);
            mentions.extend(self.functions.get(&symbol));
            return Value::Name(Name { symbol, span });
        };
        let rows = rows.to_vec();
        let mut entries = Vec::with_capacity(rows.len() / 2 + 1);
        for pair in rows.chunks_exact(2) {
            let key = Name { symbol: self.terms.symbol(pair[0]), span };
            entries.push((Some(key), self.value(pair[1], span, mentions)));
        }
        entries.push((None, self.value(default, span, mentions)));
        Value::Map(entries, span)
    }

    /// The value of a variable that is given none: the first member in all cells.
    pub(super) fn first_value(&self, shape: &Rc<Shape>, span: Span) -> Value {
        let symbol = self.sets[shape.end].members[0].1.symbol;
        let first = Value::Name(Name { symbol, span });
        shape.keys.iter().fold(first, |value, _| Value::Map(vec![(None, value)], span))
    }
}
