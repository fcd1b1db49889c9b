//! Declarations as text: RG that reads back to an equal game.

use crate::symbols::Symbols;
use crate::syntax::{Declarations, Expr, Label, Name, Type, Value, ValueDeclaration};

/// The most columns of a line, unless a single item is longer.
const WIDTH: usize = 100;

/// The most tags of a pragma.
const TAGS: usize = 8;

/// The text of a description: types, constants, variables, edges, and the tags that say nothing to
/// a player.
pub(crate) fn print(declarations: &Declarations) -> String {
    let printer = Printer(&declarations.symbols);
    let types = declarations.types.iter();
    let types = types.map(|it| format!("type {} = {};", printer.name(it.name), printer.ty(&it.ty)));
    let values = |kind: &'static str, values: &[ValueDeclaration]| -> Vec<String> {
        values.iter().map(|value| printer.declaration(kind, value)).collect()
    };
    let edges = declarations.edges.iter().map(|edge| {
        let (from, to) = (printer.name(edge.from), printer.name(edge.to));
        format!("{from}, {to}:{};", printer.label(&edge.label))
    });
    let tags = declarations.artificial.chunks(TAGS).map(|tags| {
        let tags: Vec<&str> = tags.iter().map(|&tag| declarations.symbols.name(tag)).collect();
        format!("@artificialTag {};", tags.join(" "))
    });
    let mut text = String::new();
    for section in [
        types.collect(),
        values("const", &declarations.constants),
        values("var", &declarations.variables),
        edges.collect(),
        tags.collect::<Vec<String>>(),
    ] {
        if !text.is_empty() && !section.is_empty() {
            text.push('\n');
        }
        section.iter().for_each(|line| fold(line, &mut text));
    }
    text
}

/// Adds a line, broken behind commas where it is too long.
fn fold(line: &str, text: &mut String) {
    let mut column = 0;
    for part in line.split_inclusive(", ") {
        let length = part.chars().count();
        if column > 0 && column + length > WIDTH {
            text.truncate(text.trim_end().len());
            text.push_str("\n    ");
            column = 4;
        }
        text.push_str(part);
        column += length;
    }
    text.push('\n');
}

/// Items in braces.
fn braces(items: impl Iterator<Item = String>) -> String {
    format!("{{ {} }}", items.collect::<Vec<_>>().join(", "))
}

/// The names of symbols.
struct Printer<'a>(&'a Symbols);

impl Printer<'_> {
    fn name(&self, name: Name) -> &str {
        self.0.name(name.symbol)
    }

    fn ty(&self, ty: &Type) -> String {
        match ty {
            Type::Named(name) => self.name(*name).to_owned(),
            Type::Set(members, _) => {
                braces(members.iter().map(|&member| self.name(member).to_owned()))
            }
            Type::Arrow(key, value) => format!("{} -> {}", self.ty(key), self.ty(value)),
        }
    }

    fn declaration(&self, kind: &str, declared: &ValueDeclaration) -> String {
        let (name, ty) = (self.name(declared.name), self.ty(&declared.ty));
        format!("{kind} {name}: {ty} = {};", self.value(&declared.value))
    }

    fn value(&self, value: &Value) -> String {
        match value {
            Value::Name(name) => self.name(*name).to_owned(),
            Value::Map(entries, _) => braces(entries.iter().map(|(key, value)| match key {
                Some(key) => format!("{}: {}", self.name(*key), self.value(value)),
                None => format!(":{}", self.value(value)),
            })),
        }
    }

    fn expr(&self, expr: &Expr) -> String {
        match expr {
            Expr::Name(name) => self.name(*name).to_owned(),
            Expr::Cast(ty, inner) => format!("{}({})", self.name(*ty), self.expr(inner)),
            Expr::Access(map, key) => format!("{}[{}]", self.expr(map), self.expr(key)),
        }
    }

    /// A label behind its colon.
    fn label(&self, label: &Label) -> String {
        let expr = |expr| self.expr(expr);
        match label {
            Label::Skip => String::new(),
            Label::Assign(target, value) => format!(" {} = {}", expr(target), expr(value)),
            Label::AssignAny(target, ty) => format!(" {} = {}(*)", expr(target), self.ty(ty)),
            Label::Compare { left, right, equal: true } => {
                format!(" {} == {}", expr(left), expr(right))
            }
            Label::Compare { left, right, equal: false } => {
                format!(" {} != {}", expr(left), expr(right))
            }
            Label::Test { from, to, negated } => {
                let mark = if *negated { '!' } else { '?' };
                format!(" {mark} {} -> {}", self.name(*from), self.name(*to))
            }
            Label::Tag(tag) => format!(" $ {}", self.name(*tag)),
            Label::TagVariable(variable) => format!(" $$ {}", self.name(*variable)),
        }
    }
}
