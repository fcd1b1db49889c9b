//! Generators of moves and effects.

use super::{Bool, ByPiece, EffectId, Int, Ints, JumpId, Layer, Place, RayId, Region, SetId};

/// A component that a rule places.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Piece {
    /// This one.
    Fixed(u16),
    /// The one whose number is computed; none below 1.
    Computed(Int),
}

/// A generator of moves, or an effect.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)] // the names are those of the language, where there is nothing to add
pub(crate) enum Moves {
    None,
    /// Makes moves itself.
    Leaf(Box<Leaf>),
    /// All moves of all of them.
    All(Box<[Moves]>),
    If(Box<(Bool, Moves, Moves)>),
    /// The moves of the first that has any.
    Priority(Box<[Moves]>),
    /// For every piece of these components, in order, the moves of its generator. With a player:
    /// only for components of his, and seen from his side.
    ForEachPiece {
        who: Option<Int>,
        list: Box<[PieceMoves]>,
    },
    ForEachSite {
        region: Box<Region>,
        moves: Box<Moves>,
        otherwise: Box<Moves>,
    },
    ForEachValue {
        values: Box<Ints>,
        moves: Box<Moves>,
    },
    ForEachPlayer {
        players: Box<Ints>,
        moves: Box<Moves>,
    },
    /// The moves after which a condition holds.
    IfAfterwards(Box<(Moves, Bool)>),
    /// Effects on the pieces between a site and a friend.
    Custodial(Box<Custodial>),
}

/// The moves of one component in a `forEach Piece`.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct PieceMoves {
    /// The component.
    pub(crate) component: u16,
    /// Its owner.
    pub(crate) owner: u8,
    /// Only where it is on top of its stack.
    pub(crate) top: bool,
    /// Sites looked at.
    pub(crate) within: SetId,
    /// The generator, made for this component.
    pub(crate) moves: Moves,
}

/// A generator that makes moves itself, each with an origin and a destination.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Leaf {
    /// Number of the leaf: an index into the table of the game.
    pub(crate) id: u16,
    /// What it does.
    pub(crate) kind: LeafKind,
    /// Its consequences, innermost first.
    pub(crate) then: Vec<EffectId>,
}

/// Effects that a move has on its destination, evaluated before the move itself.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Apply {
    /// Whether there are any.
    pub(crate) condition: Option<Bool>,
    /// The effects.
    pub(crate) effect: Option<Moves>,
}

/// The generators.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)] // the names are those of the language, where there is nothing to add
pub(crate) enum LeafKind {
    /// Puts pieces on sites.
    Add {
        pieces: Box<[Piece]>,
        state: Option<Int>,
        to: Box<Place>,
        condition: Option<Bool>,
        count: Int,
        apply: Option<Apply>,
    },
    /// Moves a piece to one of the listed targets: `Step` and `Leap`.
    Jump {
        jumps: ByPiece<JumpId>,
        from: Int,
        from_condition: Option<Bool>,
        condition: Option<Bool>,
        apply: Option<Apply>,
        keep: bool,
        stack: bool,
    },
    /// Moves a piece along straight paths.
    Slide(Box<Slide>),
    /// Moves pieces between any sites.
    FromTo {
        from: Box<Place>,
        from_condition: Option<Bool>,
        to: Box<Place>,
        condition: Option<Bool>,
        count: Option<Int>,
        stack: bool,
        apply: Option<Apply>,
    },
    /// Adds a piece on straight paths from a site.
    Shoot {
        piece: Piece,
        from: Int,
        rays: RayId,
        condition: Option<Bool>,
    },
    /// Changes nothing by itself.
    Select {
        from: Box<Place>,
        from_condition: Option<Bool>,
        to: Option<Box<Place>>,
        condition: Option<Bool>,
    },
    Remove {
        place: Box<Place>,
        level: Option<Int>,
    },
    Promote {
        site: Int,
        pieces: Box<[Piece]>,
    },
    Pass,
    SwapPieces {
        a: Int,
        b: Int,
    },
    MoveAgain,
    SetNextPlayer(Box<Ints>),
    SetVar {
        var: usize,
        value: Int,
    },
    SetCounter(Int),
    SetScore {
        players: Box<Ints>,
        value: Int,
        added: bool,
    },
    SetPlayerValue {
        player: Int,
        value: Int,
    },
    SetPending(Option<Box<Place>>),
    SetLayer {
        layer: Layer,
        at: Int,
        value: Int,
    },
    SetCount {
        at: Int,
        value: Int,
    },
    Trigger(Int),
    Remember {
        list: usize,
        values: Box<Place>,
        unique: Bool,
    },
    Forget {
        list: usize,
        value: Option<Int>,
    },
    Note,
}

/// A slide along straight paths.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Slide {
    pub(crate) rays: ByPiece<RayId>,
    pub(crate) from: Int,
    pub(crate) from_condition: Option<Bool>,
    /// Fewest and most sites gone; by default any number.
    pub(crate) range: Option<(Int, Int)>,
    /// Sites that can be passed; by default empty ones.
    pub(crate) go: Option<Bool>,
    /// Sites that it may end on though they cannot be passed.
    pub(crate) stop: Option<Bool>,
    /// Effect at the end; its condition filters destinations.
    pub(crate) apply: Option<Apply>,
    /// Effect on every site passed.
    pub(crate) passed: Option<Apply>,
}

/// A capture of what stands between.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Custodial {
    pub(crate) rays: RayId,
    pub(crate) from: Int,
    /// Fewest and most pieces between.
    pub(crate) range: (Int, Int),
    /// What can be captured.
    pub(crate) target: Bool,
    /// What happens to each.
    pub(crate) effect: Moves,
    /// What must stand at the end.
    pub(crate) friend: Bool,
}
