//! Generators of moves and effects.

use super::{
    AxesId, Bool, ByPiece, CodeId, EffectId, GeneratorId, Int, Ints, JumpId, Layer, Place, RayId,
    Region, Role, SetId, TrackChoice,
};
use crate::moves::Sort;

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
    /// Moves put together from others, which go by their numbers.
    Composite(Box<Composite>),
    /// Moves for which there is code, made from these.
    Compiled(CodeId, Box<Moves>),
}

impl Moves {
    /// True if these are moves of which only those count that begin the longest turns, or capture
    /// most.
    pub(crate) fn is_max(&self) -> bool {
        match self {
            Moves::Composite(composite) => matches!(composite.kind, CompositeKind::Max { .. }),
            _ => false,
        }
    }

    /// The number of the generator in a table, which it is added to if it is not there.
    pub(crate) fn number_in(self, table: &mut Vec<Moves>) -> GeneratorId {
        let known = table.iter().position(|known| *known == self);
        let number = known.unwrap_or_else(|| {
            table.push(self);
            table.len() - 1
        });
        GeneratorId(number as u32)
    }
}

/// A generator whose moves are not known by their ends alone: they hold what earlier parts did,
/// what chance decided, or what was bound when they were found.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Composite {
    /// What it does.
    pub(crate) kind: CompositeKind,
    /// Consequences of every move that it gives, after those that the move has.
    pub(crate) then: Vec<EffectId>,
}

impl From<CompositeKind> for Moves {
    fn from(kind: CompositeKind) -> Moves {
        Moves::Composite(Box::new(Composite { kind, then: Vec::new() }))
    }
}

/// Generators that put moves together, and those whose moves need more than their ends to be made.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum CompositeKind {
    /// The moves of `next` after all of `first` has been done, which becomes part of them.
    DoNext {
        first: Moves,
        next: Moves,
        after: Option<Bool>,
    },
    ForEachDie {
        combined: Bool,
        replay_double: Bool,
        condition: Bool,
        moves: Moves,
    },
    ForEachLevel {
        at: Int,
        from_top: bool,
        moves: Moves,
    },
    /// Moves that get further consequences all together.
    Then(Moves),
    ForEachDirection(EachDirection),
    ForEachGroup {
        jumps: JumpId,
        condition: Option<Bool>,
        moves: Moves,
    },
    Hop(Hop),
    Sow(Sow),
    TrackSlide(TrackSlide),
    /// Throws all dice.
    Roll,
    /// The moves that begin the longest turns, or capture most.
    Max {
        captures: bool,
        with_value: Bool,
        moves: Moves,
    },
    Combinations(Moves, Moves),
    /// All moves as one.
    Append(Moves),
    /// Each part after the one before.
    Sequence(Box<[Moves]>),
    While(Bool, Moves),
    FirstOnTrack {
        tracks: TrackChoice,
        moves: Moves,
    },
    /// Leaves out moves that lead to the position stored.
    AvoidStored(Moves),
    Surround {
        jumps: JumpId,
        from: Int,
        target: Bool,
        friend: Bool,
        except: Int,
        with: Option<Piece>,
        effect: Moves,
    },
    Enclose {
        jumps: JumpId,
        from: Int,
        target: Bool,
        exceptions: Int,
        effect: Moves,
    },
    Intervene {
        axes: AxesId,
        from: Int,
        range: (Int, Int),
        target: Bool,
        effect: Moves,
    },
    Directional {
        rays: ByPiece<RayId>,
        from: Int,
        target: Bool,
        effect: Moves,
    },
    Push {
        rays: ByPiece<RayId>,
        from: Int,
    },
    Attract {
        rays: RayId,
        from: Int,
    },
    AddScores(Ints, Ints),
    /// Turns pieces over; by component, what their local states become.
    Flip {
        at: Int,
        flips: Box<[Option<(i32, i32)>]>,
    },
    SwapPlayers(Int, Int),
    /// Players of these roles become members of a team: the variable of the first player's team.
    SetTeam {
        first: usize,
        number: Int,
        members: Box<[Role]>,
    },
    /// Chooses the suit that is trump, by its variable.
    SetTrump {
        var: usize,
        suits: Place,
    },
    /// Hands out cards or dominoes.
    Deal(Box<Deal>),
    /// Moves that each turn the piece at their destination to one of these rotations.
    Turned(Moves, Box<[i32]>),
    /// The moves of one generator that is drawn by lot, with weights.
    OneOf(Box<[(u32, Moves)]>),
    /// Some of the moves, drawn by lot.
    Some(Moves, Int),
    /// The moves to sites where there is no other one, over and over until there are none.
    Forced(Moves),
    /// Pieces fall to the first empty site below them, until none can.
    Fall(JumpId),
    RememberState,
    /// Puts pieces that cover several cells on sites.
    Lay {
        pieces: Box<[Piece]>,
        state: Option<Int>,
        to: Place,
        covers: Covers,
    },
    /// Moves pieces that cover several cells.
    Shift {
        from: Place,
        condition: Option<Bool>,
        to: Place,
        effect: Option<Moves>,
        covers: Covers,
    },
    /// What a player bets: the variables of all players, and the bounds.
    Bet {
        amounts: Box<[usize]>,
        who: Int,
        range: (Int, Int),
    },
    /// Pieces on some sites, of an owner or of anybody, become those of another owner that are
    /// called alike: by component and owner, 0 where there is none.
    TakeControl {
        of: Option<Int>,
        by: Int,
        within: Option<Place>,
        heirs: Box<[Box<[u16]>]>,
    },
    /// Puts a text on the table, or votes for it.
    Propose(Box<[usize]>),
    Vote(Box<[usize]>),
}

/// Straight paths relative to the way from a site to a neighbour, by the neighbours that lie that
/// way.
pub(crate) type Facings = Box<[(JumpId, ByPiece<RayId>)]>;

/// Moves for each site along some directions from another one.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct EachDirection {
    pub(crate) from: Int,
    pub(crate) rays: ByPiece<RayId>,
    /// For directions relative to the way from one site to a neighbour.
    pub(crate) facings: Facings,
    pub(crate) range: (Int, Int),
    pub(crate) between: Option<Bool>,
    pub(crate) condition: Option<Bool>,
    pub(crate) moves: Moves,
}

/// The cells beside its first that a piece covers: by component and local state a table with one
/// path from every site where it can lie.
pub(crate) type Covers = Box<[Box<[RayId]>]>;

/// The generators inside one whose moves it gives on.
macro_rules! parts {
    ($kind:expr, $iter:ident) => {
        match $kind {
            CompositeKind::DoNext { next: moves, .. }
            | CompositeKind::ForEachDie { moves, .. }
            | CompositeKind::ForEachLevel { moves, .. }
            | CompositeKind::ForEachDirection(EachDirection { moves, .. })
            | CompositeKind::ForEachGroup { moves, .. }
            | CompositeKind::Max { moves, .. }
            | CompositeKind::Then(moves)
            | CompositeKind::Turned(moves, _)
            | CompositeKind::Some(moves, _)
            | CompositeKind::Append(moves)
            | CompositeKind::Forced(moves)
            | CompositeKind::While(_, moves)
            | CompositeKind::FirstOnTrack { moves, .. }
            | CompositeKind::AvoidStored(moves)
            | CompositeKind::Surround { effect: moves, .. }
            | CompositeKind::Enclose { effect: moves, .. }
            | CompositeKind::Intervene { effect: moves, .. }
            | CompositeKind::Directional { effect: moves, .. } => vec![moves],
            CompositeKind::Combinations(a, b) => vec![a, b],
            CompositeKind::Sequence(list) => list.$iter().collect(),
            CompositeKind::OneOf(list) => list.$iter().map(|(_, moves)| moves).collect(),
            _ => Vec::new(),
        }
    };
}

impl CompositeKind {
    /// The generators inside whose moves it gives on.
    pub(crate) fn parts(&self) -> Vec<&Moves> {
        parts!(self, iter)
    }

    /// As [`CompositeKind::parts`], to change them.
    pub(crate) fn parts_mut(&mut self) -> Vec<&mut Moves> {
        parts!(self, iter_mut)
    }
}

/// A jump over pieces.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Hop {
    /// Number of the generator, for those who look at the moves.
    pub(crate) id: u16,
    pub(crate) rays: ByPiece<RayId>,
    pub(crate) jumps: ByPiece<JumpId>,
    pub(crate) from: Int,
    pub(crate) from_condition: Option<Bool>,
    /// Sites gone to reach the pieces, and after them.
    pub(crate) before: Int,
    pub(crate) after: Int,
    /// Fewest and most pieces jumped over.
    pub(crate) range: (Int, Int),
    /// What can be jumped over.
    pub(crate) hurdle: Bool,
    pub(crate) hurdle_apply: Option<Apply>,
    /// Where it can land.
    pub(crate) go: Bool,
    pub(crate) apply: Option<Apply>,
    pub(crate) stack: bool,
}

/// A slide along tracks.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct TrackSlide {
    /// Number of the generator, for those who look at the moves.
    pub(crate) id: u16,
    pub(crate) from: Int,
    pub(crate) from_condition: Option<Bool>,
    /// The tracks, by number.
    pub(crate) tracks: Box<[usize]>,
    /// True if any track will do: then only what lies behind a bend is reached.
    pub(crate) any_track: bool,
    /// Fewest and most steps; by default any number.
    pub(crate) range: Option<(Int, Int)>,
    /// Sites that can be passed; by default empty ones.
    pub(crate) go: Option<Bool>,
    /// Sites that it ends on, with the effect.
    pub(crate) stop: Option<Bool>,
    /// Effect at such an end; its condition filters the others.
    pub(crate) apply: Option<Apply>,
}

/// Sowing along a track.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Sow {
    pub(crate) start: Int,
    pub(crate) count: Option<Int>,
    pub(crate) per_hole: Int,
    /// Tracks to choose from, by the number of their owner where one is asked for.
    pub(crate) tracks: Box<[Option<usize>]>,
    pub(crate) owner: Option<Int>,
    pub(crate) condition: Bool,
    /// Effects on every hole that a seed falls into.
    pub(crate) each: Option<Moves>,
    pub(crate) apply: Option<Moves>,
    pub(crate) include_self: Bool,
    pub(crate) origin: Bool,
    pub(crate) skip: Option<Bool>,
    pub(crate) backtracking: Option<Bool>,
    pub(crate) forward: Option<Bool>,
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

impl Leaf {
    /// The sort of its moves.
    pub(crate) fn sort(&self) -> Sort {
        match &self.kind {
            LeafKind::Pass => Sort::Pass,
            LeafKind::SetNextPlayer(_) => Sort::Next,
            _ => Sort::Plain,
        }
    }

    /// True if it names the level of a piece that it moves, removes or chooses.
    pub(crate) fn has_level(&self) -> bool {
        match &self.kind {
            LeafKind::Jump { level, .. }
            | LeafKind::Remove { level, .. }
            | LeafKind::Select { level, .. } => level.is_some(),
            LeafKind::Slide(slide) => slide.level.is_some(),
            LeafKind::FromTo { from_level, .. } => from_level.is_some(),
            _ => false,
        }
    }
}

/// The generators.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum LeafKind {
    /// Puts pieces on sites.
    Add {
        pieces: Box<[Piece]>,
        state: Option<Int>,
        to: Box<Place>,
        condition: Option<Bool>,
        count: Int,
        apply: Option<Apply>,
        level: Option<Int>,
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
        level: Option<Int>,
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
        from_level: Option<Int>,
        to_level: Option<Int>,
        copy: bool,
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
        level: Option<Int>,
    },
    Remove {
        place: Box<Place>,
        level: Option<Int>,
        count: Option<Int>,
        /// Only when the turn ends.
        deferred: bool,
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
        level: Option<Int>,
        value: Int,
    },
    /// Turns a piece by each of these numbers of steps, of which `full` make a full turn.
    Turn {
        at: Int,
        steps: Box<[i32]>,
        full: i32,
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
    /// Tells players something; nothing in games where everybody sees everything.
    Note(Option<Box<Note>>),
    /// Hides something from players, or shows it.
    Hide(Box<Hide>),
}

/// A message to players.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Note {
    /// The player that it begins with.
    pub(crate) speaker: Option<Int>,
    pub(crate) message: Message,
    /// Who is told.
    pub(crate) to: Ints,
}

/// What a note says.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Message {
    /// A text of the game, by its number.
    Text(u16),
    Number(Int),
    Truth(Bool),
}

/// What is hidden, or shown, and to whom.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Hide {
    /// Kinds of what is known of a site, as bits; see [`crate::percepts`].
    pub(crate) kinds: u8,
    pub(crate) at: Place,
    /// Whether it is hidden, not shown.
    pub(crate) on: Bool,
    pub(crate) to: Ints,
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
    /// The level that moves, instead of the top.
    pub(crate) level: Option<Int>,
    /// True if the whole stack moves.
    pub(crate) stack: bool,
    /// A piece left on every site passed.
    pub(crate) trail: Option<Int>,
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

/// How cards or dominoes are handed out: one by one, round by round.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Deal {
    pub(crate) stock: Stock,
    /// The sites of the hand of each player.
    pub(crate) hands: Box<[Box<[u16]>]>,
    /// How many each player gets; all that there are without it.
    pub(crate) count: Option<Int>,
    /// Who gets the first one.
    pub(crate) first: Int,
    /// True if nobody else gets any.
    pub(crate) alone: bool,
}

/// What is handed out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stock {
    /// The cards on a site, from the top.
    Deck(u16),
    /// The dominoes of a list, drawn by lot.
    Bag(usize),
}
