//! The numbers of symbols: those that can be a value, a key or a tag get the first ones, so that
//! tables of values have no gaps.

use rustc_hash::FxHashSet;

use crate::symbols::{Symbol, Symbols};
use crate::syntax::{Declarations, Expr, Label, Type, Value};

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// A value, a key or a tag.
    Value,
    /// A constant, or else a value.
    Start,
    /// A constant or variable, or else a value.
    Operand,
    /// Something that is no value.
    Other,
}

/// Values that every game has.
const BUILT_IN: [&str; 4] = ["0", "1", "keeper", "random"];

/// Numbers the symbols of a description anew. Returns how many can be values; these come first.
pub(super) fn values_first(declarations: &mut Declarations) -> usize {
    let constants: FxHashSet<Symbol> =
        declarations.constants.iter().map(|constant| constant.name.symbol).collect();
    let mut variables: FxHashSet<Symbol> =
        declarations.variables.iter().map(|variable| variable.name.symbol).collect();
    for name in ["goals", "player", "visible"] {
        variables.insert(declarations.symbols.intern(name));
    }
    for name in BUILT_IN {
        declarations.symbols.intern(name);
    }
    let old = std::mem::take(&mut declarations.symbols);
    let mut value = vec![false; old.len()];
    for symbol in BUILT_IN.iter().filter_map(|name| old.get(name)) {
        value[symbol.index()] = true;
    }
    each(declarations, &mut |symbol, role| {
        value[symbol.index()] |= match role {
            Role::Value => true,
            Role::Start => !constants.contains(symbol),
            Role::Operand => !constants.contains(symbol) && !variables.contains(symbol),
            Role::Other => false,
        };
    });
    let mut symbols = Symbols::default();
    let mut numbers = vec![Symbol(0); old.len()];
    let mut count = 0;
    for first in [true, false] {
        for at in (0..old.len()).filter(|&at| value[at] == first) {
            numbers[at] = symbols.intern(old.name(Symbol(at as u32)));
        }
        count = if first { symbols.len() } else { count };
    }
    each(declarations, &mut |symbol, _| *symbol = numbers[symbol.index()]);
    declarations.symbols = symbols;
    count
}

/// Visits all symbols of a description.
fn each(declarations: &mut Declarations, visit: &mut impl FnMut(&mut Symbol, Role)) {
    for declared in &mut declarations.types {
        visit(&mut declared.name.symbol, Role::Other);
        each_of_type(&mut declared.ty, visit);
    }
    for declared in declarations.constants.iter_mut().chain(&mut declarations.variables) {
        visit(&mut declared.name.symbol, Role::Other);
        each_of_type(&mut declared.ty, visit);
        each_of_value(&mut declared.value, visit);
    }
    for edge in &mut declarations.edges {
        visit(&mut edge.from.symbol, Role::Other);
        visit(&mut edge.to.symbol, Role::Other);
        match &mut edge.label {
            Label::Skip => {}
            Label::Assign(left, right) | Label::Compare { left, right, .. } => {
                each_of_expr(left, visit);
                each_of_expr(right, visit);
            }
            Label::AssignAny(target, ty) => {
                each_of_expr(target, visit);
                each_of_type(ty, visit);
            }
            Label::Test { from, to, .. } => {
                visit(&mut from.symbol, Role::Other);
                visit(&mut to.symbol, Role::Other);
            }
            Label::Tag(tag) => visit(&mut tag.symbol, Role::Value),
            Label::TagVariable(variable) => visit(&mut variable.symbol, Role::Other),
        }
    }
    let unread = declarations.unread.iter_mut().flatten();
    for symbol in declarations.artificial.iter_mut().chain(unread) {
        visit(symbol, Role::Other);
    }
}

fn each_of_type(ty: &mut Type, visit: &mut impl FnMut(&mut Symbol, Role)) {
    match ty {
        Type::Named(name) => visit(&mut name.symbol, Role::Other),
        Type::Set(members, _) => {
            for member in members {
                visit(&mut member.symbol, Role::Value);
            }
        }
        Type::Arrow(key, value) => {
            each_of_type(key, visit);
            each_of_type(value, visit);
        }
    }
}

fn each_of_value(value: &mut Value, visit: &mut impl FnMut(&mut Symbol, Role)) {
    match value {
        Value::Name(name) => visit(&mut name.symbol, Role::Start),
        Value::Map(entries, _) => {
            for (key, value) in entries {
                if let Some(key) = key {
                    visit(&mut key.symbol, Role::Value);
                }
                each_of_value(value, visit);
            }
        }
    }
}

fn each_of_expr(expr: &mut Expr, visit: &mut impl FnMut(&mut Symbol, Role)) {
    match expr {
        Expr::Name(name) => visit(&mut name.symbol, Role::Operand),
        Expr::Cast(ty, inner) => {
            visit(&mut ty.symbol, Role::Other);
            each_of_expr(inner, visit);
        }
        Expr::Access(map, key) => {
            each_of_expr(map, visit);
            each_of_expr(key, visit);
        }
    }
}
