//! What every game has without declaring it.

use text::Span;

use crate::limits::MAX_DEPTH;
use crate::symbols::Symbol;
use crate::syntax::{Declarations, Name, Type, TypeDeclaration, Value, ValueDeclaration};

/// The names that mean something in every game.
pub(super) struct BuiltIn {
    pub(super) player: Name,
    pub(super) score: Name,
    pub(super) keeper: Name,
    pub(super) random: Name,
    pub(super) begin: Symbol,
    pub(super) end: Symbol,
    /// `Bool`, `PlayerOrSystem`, `Goals` and `Visibility` as they are if nobody declares them.
    pub(super) types: [TypeDeclaration; 4],
    /// `goals`, `player` and `visible` as they are if nobody declares them.
    pub(super) variables: [ValueDeclaration; 3],
}

impl BuiltIn {
    /// Adds what is not declared. The built-in variables come first.
    pub(super) fn add(declarations: &mut Declarations) -> BuiltIn {
        let place = Span::at(0);
        let symbols = &mut declarations.symbols;
        let mut name = |name| Name { symbol: symbols.intern(name), span: place };
        let [player, score, truth] = ["Player", "Score", "Bool"].map(&mut name);
        let [system, payoffs, sight] = ["PlayerOrSystem", "Goals", "Visibility"].map(&mut name);
        let [goals, turn, visible] = ["goals", "player", "visible"].map(&mut name);
        let [zero, one, keeper, random] = ["0", "1", "keeper", "random"].map(&mut name);
        let [begin, end] = ["begin", "end"].map(|text| name(text).symbol);
        let lowest = members(declarations, score).and_then(|members| members.first().copied());
        let players = members(declarations, player).map(<[Name]>::to_vec);
        // Without players it would be a set of two.
        declarations.unread.extend(players.is_none().then_some(Some(system.symbol)));
        let mut movers = players.unwrap_or_default();
        for name in [keeper, random] {
            if movers.iter().all(|mover| mover.symbol != name.symbol) {
                movers.push(name);
            }
        }
        let arrow = |to| Type::Arrow(Box::new(Type::Named(player)), Box::new(Type::Named(to)));
        let types = [
            (truth, Type::Set(vec![zero, one], place)),
            (system, Type::Set(movers, place)),
            (payoffs, arrow(score)),
            (sight, arrow(truth)),
        ];
        let everywhere = |name| Value::Map(vec![(None, Value::Name(name))], place);
        let variables = [
            (goals, payoffs, everywhere(lowest.unwrap_or(zero))),
            (turn, system, Value::Name(keeper)),
            (visible, sight, everywhere(one)),
        ];
        let types = types.map(|(name, ty)| TypeDeclaration { name, ty });
        let variables = variables.map(|(name, ty, value)| ValueDeclaration {
            name,
            ty: Type::Named(ty),
            value,
        });
        let Declarations { types: all, variables: declared, unread, .. } = declarations;
        let read = |name: Name| !unread.contains(&Some(name.symbol));
        for ty in types.iter().filter(|ty| read(ty.name)) {
            if all.iter().all(|other| other.name.symbol != ty.name.symbol) {
                all.push(ty.clone());
            }
        }
        for variable in variables.iter().filter(|variable| read(variable.name)) {
            if declared.iter().all(|other| other.name.symbol != variable.name.symbol) {
                declared.push(variable.clone());
            }
        }
        let first = |symbol| variables.iter().position(|variable| variable.name.symbol == symbol);
        declared.sort_by_key(|variable| first(variable.name.symbol).unwrap_or(variables.len()));
        BuiltIn { player, score, keeper, random, begin, end, types, variables }
    }
}

/// The members of a set by its name, as they are written.
fn members(declarations: &Declarations, mut name: Name) -> Option<&[Name]> {
    for _ in 0..MAX_DEPTH {
        let declared = declarations.types.iter().find(|ty| ty.name.symbol == name.symbol);
        match declared.map(|declared| &declared.ty) {
            Some(Type::Named(other)) => name = *other,
            Some(Type::Set(members, _)) => return Some(members),
            _ => break,
        }
    }
    None
}
