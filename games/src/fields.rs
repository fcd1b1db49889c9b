use std::cell::RefCell;
use std::ops::{Range, RangeInclusive};

use text::{Diagnostic, Span};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Diagnostics of one manifest, gathered from everywhere in it.
pub(crate) type Problems = RefCell<Vec<Diagnostic>>;

/// A table of a manifest, read field by field. Whatever is wrong is noted and reads as absent, so
/// that one pass finds all errors.
pub(crate) struct Fields<'a> {
    /// The name of the table in messages.
    what: &'static str,
    table: &'a DeTable<'a>,
    span: Span,
    asked: RefCell<Vec<&'static str>>,
    problems: &'a Problems,
}

pub(crate) type Value<'a> = &'a Spanned<DeValue<'a>>;

impl<'a> Fields<'a> {
    /// The fields of `table`, which messages call `what`.
    pub(crate) fn new(
        what: &'static str,
        table: &'a DeTable<'a>,
        span: Span,
        problems: &'a Problems,
    ) -> Fields<'a> {
        Fields { what, table, span, asked: RefCell::default(), problems }
    }

    /// The place where the table begins.
    pub(crate) fn span(&self) -> Span {
        self.span
    }

    /// The whole table, for those whose keys are not known beforehand.
    pub(crate) fn table(&self) -> &'a DeTable<'a> {
        self.table
    }

    /// Notes something that is wrong.
    pub(crate) fn note(&self, problem: Diagnostic) {
        self.problems.borrow_mut().push(problem);
    }

    /// The value of a key that may be absent.
    pub(crate) fn find(&self, key: &'static str) -> Option<Value<'a>> {
        self.asked.borrow_mut().push(key);
        self.table.get(key)
    }

    /// The value of a key that must be there.
    pub(crate) fn require(&self, key: &'static str) -> Option<Value<'a>> {
        let value = self.find(key);
        if value.is_none() {
            let message = format!("{} lacks `{key}`", self.what);
            self.note(Diagnostic::error("missing-key", self.span, message));
        }
        value
    }

    /// Notes every key that nobody asked for.
    pub(crate) fn finish(self) {
        let asked = self.asked.borrow();
        for key in self.table.keys() {
            let name = key.get_ref().as_ref();
            if !asked.contains(&name) {
                let message = format!("{} has no key `{name}`", self.what);
                let expected = format!("expected {}", list(&asked));
                self.note(
                    Diagnostic::error("unknown-key", span(key.span()), message)
                        .label(expected)
                        .suggest(name, asked.iter().copied()),
                );
            }
        }
    }

    /// A text that is not blank, trimmed.
    pub(crate) fn text(&self, value: Value<'a>) -> Option<String> {
        let Some(text) = value.get_ref().as_str() else {
            self.wrong_type(value, "a string");
            return None;
        };
        if text.trim().is_empty() {
            let span = span(value.span());
            self.note(
                Diagnostic::error("blank", span, "this text is blank").label("write something"),
            );
            return None;
        }
        Some(text.trim().to_owned())
    }

    /// An integer within a range.
    pub(crate) fn integer(&self, value: Value<'a>, range: RangeInclusive<i64>) -> Option<i64> {
        let Some(integer) = value.get_ref().as_integer() else {
            self.wrong_type(value, "an integer");
            return None;
        };
        // Only numbers beyond 64 bits fail to parse, and those are out of any range.
        let parsed = i64::from_str_radix(integer.as_str(), integer.radix()).ok();
        let inside = parsed.filter(|i| range.contains(i));
        if inside.is_none() {
            let message = format!("{} is out of range", integer.as_str());
            let expected = if *range.end() == i64::MAX {
                format!("expected {} or more", range.start())
            } else {
                format!("expected {} to {}", range.start(), range.end())
            };
            self.note(
                Diagnostic::error("out-of-range", span(value.span()), message).label(expected),
            );
        }
        inside
    }

    /// A finite number within a range; integers count as numbers.
    pub(crate) fn number(&self, value: Value<'a>, range: RangeInclusive<f64>) -> Option<f64> {
        let digits = match value.get_ref() {
            DeValue::Float(float) => float.as_str(),
            DeValue::Integer(integer) if integer.radix() == 10 => integer.as_str(),
            _ => {
                self.wrong_type(value, "a number");
                return None;
            }
        };
        // NaN is in no range.
        let inside = digits.parse::<f64>().ok().filter(|x| x.is_finite() && range.contains(x));
        if inside.is_none() {
            let message = format!("{digits} is out of range");
            let expected = format!("expected {} to {}", range.start(), range.end());
            self.note(
                Diagnostic::error("out-of-range", span(value.span()), message).label(expected),
            );
        }
        inside
    }

    /// `true` or `false`.
    pub(crate) fn flag(&self, value: Value<'a>) -> Option<bool> {
        let flag = value.get_ref().as_bool();
        if flag.is_none() {
            self.wrong_type(value, "true or false");
        }
        flag
    }

    /// The elements of an array that is not empty.
    pub(crate) fn array(&self, value: Value<'a>) -> Option<Vec<Value<'a>>> {
        let Some(array) = value.get_ref().as_array() else {
            self.wrong_type(value, "an array");
            return None;
        };
        if array.is_empty() {
            let problem = Diagnostic::error("blank", span(value.span()), "this array is empty");
            self.note(problem.label("list something, or leave the key out"));
            return None;
        }
        Some(array.iter().collect())
    }

    /// A table within this one.
    pub(crate) fn fields(&self, what: &'static str, value: Value<'a>) -> Option<Fields<'a>> {
        let Some(table) = value.get_ref().as_table() else {
            self.wrong_type(value, "a table");
            return None;
        };
        Some(Fields::new(what, table, span(value.span()), self.problems))
    }

    fn wrong_type(&self, value: Value<'a>, expected: &str) {
        let found = value.get_ref().type_str();
        let article = if found.starts_with(['a', 'i']) { "an" } else { "a" };
        let message = format!("expected {expected}, found {article} {found}");
        self.note(
            Diagnostic::error("wrong-type", span(value.span()), message)
                .label(format!("not {expected}")),
        );
    }
}

/// A range of bytes as a span.
pub(crate) fn span(range: Range<usize>) -> Span {
    Span::new(range.start, range.end)
}

/// `a`, `b` or `c`.
pub(crate) fn list(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        None => "nothing".to_owned(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
    }
}
