//! Maps, the values of variables, and the form of values in RG.

use rustc_hash::FxHashMap;
use text::{Diagnostic, Span};

use super::context::{Context, Shape};
use super::evaluate::Want;
use super::terms::{Term, View};
use super::tree::{Expr, Part, Pattern, Type, TypeEnd};
use crate::symbols::Symbol;
use crate::syntax::{self, Name, Value, ValueDeclaration};

/// A function with arguments, for messages.
type Call<'c> = Option<(Symbol, &'c [Term])>;

/// The keys of a map with their values, and where the keys stand.
type Rows = FxHashMap<Term, (usize, Term, Span)>;

/// The variables of the description with their first values.
pub(super) fn variables(context: &mut Context<'_>) -> Vec<ValueDeclaration> {
    let mut declarations = Vec::new();
    for (name, ty, value) in &context.program.variables {
        let Some(shape) = context.shape(ty) else { continue };
        let value = match value {
            Some(expr) => context
                .member(expr, (&shape, 0), None)
                .and_then(|term| context.value(term, expr.span)),
            None => context.first_value(&shape, name.span),
        };
        let ty = rg_type(ty);
        declarations.extend(value.map(|value| ValueDeclaration { name: *name, ty, value }));
    }
    declarations
}

/// The type as it is written in RG.
pub(super) fn rg_type(ty: &Type) -> syntax::Type {
    let end = match &ty.end {
        TypeEnd::Named(name) => syntax::Type::Named(*name),
        TypeEnd::Set(members) => syntax::Type::Set(members.clone(), ty.span),
    };
    let named = |key: &Name| Box::new(syntax::Type::Named(*key));
    ty.keys.iter().rev().fold(end, |end, key| syntax::Type::Arrow(named(key), Box::new(end)))
}

/// The most frequent value, and of several the first.
pub(super) fn most_frequent(mut values: impl Iterator<Item = Term> + Clone) -> Option<Term> {
    let mut counts: FxHashMap<Term, usize> = FxHashMap::default();
    values.clone().for_each(|value| *counts.entry(value).or_default() += 1);
    let most = values.clone().map(|value| counts[&value]).max()?;
    values.find(|value| counts[value] == most)
}

impl<'a> Context<'a> {
    /// The value of an expression, which must belong to a type behind so many keys; it is the
    /// result of a call, if one is given.
    pub(super) fn member(
        &mut self,
        expr: &'a Expr,
        (shape, given): (&Shape, usize),
        call: Call<'_>,
    ) -> Option<Term> {
        let term = self.evaluate(expr, Some((shape, given)))?;
        let map = given < shape.keys.len();
        let (symbol, end) = (self.terms.symbol(term), &self.sets[shape.end]);
        let function = symbol.and_then(|symbol| self.function(symbol));
        let fits = match (symbol, function) {
            (None, _) => map,
            // The type of a function is checked where all constants are known.
            (_, Some(function)) => map || function.cases[0].patterns.is_empty(),
            (Some(symbol), None) => !map && (end.broken || end.symbols.contains(&symbol)),
        };
        if fits {
            return Some(term);
        }
        let shown = self.terms.show(term);
        let names = end.members.iter().take(1000).map(|it| self.terms.symbols.name(it.1.symbol));
        let near = text::near_miss(&shown, names).map(|near| format!("did you mean `{near}`?"));
        let (wanted, help) = if map {
            ("map".to_owned(), "write `{:default; key = value}`, or the name of a function")
        } else if function.is_some() {
            (format!("element of `{}`", end.text), "call the function, or rename one of the two")
        } else {
            let help = "test it by `if .. in Domain then .. else ..`, or add it to the domain";
            (format!("element of `{}`", end.text), near.as_deref().unwrap_or(help))
        };
        let message = match call.map(|call| self.terms.show_call(call.0, call.1)) {
            Some(call) => format!("`{call}` is `{shown}`, which is no {wanted}"),
            None => format!("`{shown}` is no {wanted}"),
        };
        let label = format!("expected {} {wanted}", if map { "a" } else { "an" });
        self.fault("outside", expr.span, [&message, &label, help]);
        None
    }

    /// The value of a map, which must be wanted.
    pub(super) fn map(
        &mut self,
        default: Option<&'a Expr>,
        parts: &'a [Part],
        want: Want<'_>,
        span: Span,
    ) -> Option<Term> {
        let Some((shape, given)) = want.filter(|(shape, given)| *given < shape.keys.len()) else {
            let help = "maps are values of the type `Domain -> Domain`";
            self.fault("type", span, ["a map in the place of a symbol", "expected a symbol", help]);
            return None;
        };
        let inner = (shape, given + 1);
        let mut default = match default {
            Some(expr) => Some(self.member(expr, inner, None)?),
            None => None,
        };
        let mut rows = Rows::default();
        let mut whole = true;
        for part in parts {
            let read = match part.key {
                Pattern::Any(_) if parts.len() == 1 && default.is_none() => {
                    default = self.member(&part.value, inner, None);
                    default.map(|_| ())
                }
                _ => self.part(part, inner, &mut rows),
            };
            whole &= read.is_some();
        }
        let mut rows: Vec<(Term, (usize, Term, Span))> = rows.into_iter().collect();
        rows.sort_unstable_by_key(|row| row.1.0);
        let default = default.or_else(|| most_frequent(rows.iter().map(|row| row.1.1)));
        rows.retain(|row| Some(row.1.1) != default);
        let set = &self.sets[shape.keys[given]];
        let mut symbols = rows.iter().map(|row| (row, self.terms.symbol(row.0)));
        let stray = symbols.find(|(_, key)| key.is_none_or(|key| !set.symbols.contains(&key)));
        if let Some((row, _)) = stray.filter(|_| !set.broken && whole) {
            let (key, text) = (self.terms.show(row.0), set.text.clone());
            let message = format!("the key `{key}` is no element of `{text}`");
            let label = format!("expected an element of `{text}`");
            let help = "delete it, or add it to the domain";
            self.fault("outside", row.1.2, [&message, &label, help]);
            return None;
        }
        let entries: Vec<(Term, Term)> = rows.iter().map(|row| (row.0, row.1.1)).collect();
        default.filter(|_| whole).map(|default| self.terms.map(default, entries))
    }

    /// Adds the entries of a part of a map, one for each combination of its ranges.
    fn part(&mut self, part: &'a Part, inner: (&Shape, usize), rows: &mut Rows) -> Option<()> {
        let choices = self.choices(&part.ranges)?;
        let span = part.key.span();
        self.combinations(&choices, span, |context| {
            let key = context.key(&part.key)?;
            let value = context.member(&part.value, inner, None)?;
            let Some((.., before)) = rows.insert(key, (rows.len(), value, span)) else {
                return Some(());
            };
            let message = format!("the key `{}` is given twice", context.terms.show(key));
            let diagnostic = Diagnostic::error("duplicate", span, message)
                .label("expected each key once")
                .note(before, "given here before")
                .help("delete one of the two; `{:value; ..}` fills what is not given");
            context.report(diagnostic);
            None
        })
    }

    /// The value in RG.
    pub(super) fn value(&mut self, term: Term, span: Span) -> Option<Value> {
        let View::Map(default, rows) = self.terms.view(term).clone() else {
            return Some(Value::Name(Name { symbol: self.terms.symbol(term)?, span }));
        };
        let mut entries = Vec::with_capacity(rows.len() + 1);
        for (key, value) in rows.iter() {
            let key = Name { symbol: self.terms.symbol(*key)?, span };
            entries.push((Some(key), self.value(*value, span)?));
        }
        entries.push((None, self.value(default, span)?));
        Some(Value::Map(entries, span))
    }

    /// The value of a variable that is given none: the first member in all cells.
    pub(super) fn first_value(&self, shape: &Shape, span: Span) -> Option<Value> {
        let symbol = self.sets[shape.end].members.first()?.1.symbol;
        let first = Value::Name(Name { symbol, span });
        Some(shape.keys.iter().fold(first, |value, _| Value::Map(vec![(None, value)], span)))
    }
}
