//! The automaton of a game, checked, with every name resolved: what the reference plays and the
//! compiler reads.
//!
//! A map is a row of cells. A key is its place in the set of keys; one more cell, behind those of
//! the keys, holds the default, which is read for keys outside the set. Maps of maps are rows of
//! rows.

use text::Span;

use crate::symbols::{Symbol, Symbols};

/// A symbol as a value in a cell.
pub(crate) type Cell = u16;

/// The number of a set in [`Automaton::sets`].
pub(crate) type SetId = usize;

/// The number of a node in [`Automaton::nodes`].
pub(crate) type NodeId = usize;

/// The number of a constant or of a variable.
pub(crate) type Slot = usize;

/// The variables that every game has, by their numbers.
pub(crate) const GOALS: Slot = 0;
pub(crate) const PLAYER: Slot = 1;
pub(crate) const VISIBLE: Slot = 2;

/// A game as a graph whose edges read and write variables.
#[derive(Clone, Debug)]
pub(crate) struct Automaton {
    /// The names of symbols, and of everything else. Symbols that can be a value, a key or a tag
    /// come first.
    pub(crate) symbols: Symbols,
    /// The number of those that come first.
    pub(crate) values: usize,
    /// The distinct sets of all types.
    pub(crate) sets: Vec<Set>,
    pub(crate) constants: Vec<Constant>,
    /// The variables; `goals`, `player` and `visible` are the first three.
    pub(crate) variables: Vec<Variable>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) begin: NodeId,
    pub(crate) end: NodeId,
    /// The players that choose, in their order.
    pub(crate) players: Vec<Symbol>,
    pub(crate) keeper: Symbol,
    pub(crate) random: Symbol,
    /// For each symbol that can be a value: true if it is a tag that says nothing to a player.
    pub(crate) artificial: Vec<bool>,
}

/// The members of a set type, in the order of the rules, each once.
#[derive(Clone, Debug)]
pub(crate) struct Set {
    pub(crate) members: Vec<Symbol>,
    /// For each symbol that can be a value its place among the members; the number of members for
    /// others.
    pub(crate) places: Vec<u16>,
}

impl Set {
    /// The cell of a map over this set that a key reads.
    pub(crate) fn place(&self, key: Cell) -> usize {
        usize::from(self.places[usize::from(key)])
    }

    /// True if a map over this set has a cell of its own for a key.
    pub(crate) fn is_key(&self, key: Cell) -> bool {
        self.place(key) < self.members.len()
    }

    /// The cells of a map over this set, with that of the default.
    pub(crate) fn width(&self) -> usize {
        self.members.len() + 1
    }

    /// True if the symbol is a member.
    pub(crate) fn contains(&self, symbol: Symbol) -> bool {
        let place = self.places.get(symbol.index());
        place.is_some_and(|&place| usize::from(place) < self.members.len())
    }
}

/// A type with all names resolved: a symbol of `values`, or a map from each of `keys` in turn.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Shape {
    pub(crate) keys: Vec<SetId>,
    pub(crate) values: SetId,
}

/// A constant.
#[derive(Clone, Debug)]
pub(crate) struct Constant {
    pub(crate) name: Symbol,
    pub(crate) shape: Shape,
    pub(crate) cells: Vec<Cell>,
}

/// A variable, with the value that it starts with.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) name: Symbol,
    pub(crate) shape: Shape,
    pub(crate) start: Vec<Cell>,
    /// True if no author wrote it: a parameter of a graph, or where a reusable graph returns to.
    pub(crate) is_internal: bool,
}

/// A node, with the edges that leave it in the order of the rules.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) name: Symbol,
    pub(crate) edges: Vec<Edge>,
}

/// An edge.
#[derive(Clone, Debug)]
pub(crate) struct Edge {
    pub(crate) to: NodeId,
    pub(crate) label: Label,
    /// The place of the label in the description.
    pub(crate) span: Span,
}

/// The condition or effect of an edge.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Label {
    Skip,
    Assign {
        target: Place,
        value: Expr,
    },
    /// One alternative for each member of the set.
    AssignAny {
        target: Place,
        set: SetId,
    },
    Compare {
        left: Expr,
        right: Expr,
        equal: bool,
    },
    Test {
        from: NodeId,
        to: NodeId,
        negated: bool,
    },
    Tag(Symbol),
    TagVariable(Slot),
}

impl Label {
    /// True if the edge ends a move: it assigns to `player`.
    pub(crate) fn ends_move(&self) -> bool {
        matches!(self, Label::Assign { target, .. } if target.slot == PLAYER)
    }
}

/// A variable, or a part of one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Place {
    pub(crate) slot: Slot,
    /// The keys, outermost first; fewer than the variable has leave a map.
    pub(crate) keys: Vec<Expr>,
}

/// An expression.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Expr {
    Symbol(Symbol),
    Variable(Place),
    /// A constant, or a part of one.
    Constant(Place),
}

/// A party that moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mover {
    Player(u8),
    Keeper,
    Random,
}

impl Automaton {
    /// The number of cells of a map, or of a symbol, which has one.
    pub(crate) fn cells(&self, shape: &Shape) -> usize {
        shape.keys.iter().map(|&key| self.sets[key].width()).product()
    }

    /// The name of a symbol.
    pub(crate) fn name(&self, symbol: Symbol) -> &str {
        self.symbols.name(symbol)
    }

    /// The party that a value of `player` stands for.
    pub(crate) fn mover(&self, player: Cell) -> Option<Mover> {
        let symbol = Symbol(player.into());
        match self.players.iter().position(|&player| player == symbol) {
            Some(player) => Some(Mover::Player(player as u8)),
            None if symbol == self.keeper => Some(Mover::Keeper),
            None if symbol == self.random => Some(Mover::Random),
            None => None,
        }
    }

    /// True if the symbol is the `1` of `Bool`.
    pub(crate) fn is_true(&self, symbol: Cell) -> bool {
        self.name(Symbol(symbol.into())) == "1"
    }

    /// The score that a symbol stands for: the decimal number at its end (`S__7` is 7), negative
    /// behind the word `minus` in any case (`Minus__7` is -7), with 0 for a symbol without one.
    pub(crate) fn score(&self, symbol: Symbol) -> i32 {
        let name = self.name(symbol);
        let (before, digits) =
            name.split_at(name.trim_end_matches(|c: char| c.is_ascii_digit()).len());
        let number = digits.parse().unwrap_or(0);
        let word = before.trim_end_matches('_').rsplit('_').next().unwrap_or_default();
        if word.eq_ignore_ascii_case("minus") { -number } else { number }
    }
}
