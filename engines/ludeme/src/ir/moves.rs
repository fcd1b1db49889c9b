//! Generators of moves and effects.

use super::walk::{fact, nodes, pattern, visit};
use super::{
    AxesId, Bool, ByPiece, CodeId, EffectId, GeneratorId, Int, Ints, JumpId, Layer, Part, Place,
    RayId, Region, Role, SetId, TrackChoice, Walk,
};
use crate::moves::Sort;

nodes! {
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
    pub(crate) enum Moves as mut Moves {
        None => binds [],
        /// Makes moves itself.
        Leaf(Box<Leaf>) => binds [],
        /// All moves of all of them.
        All(Box<[Moves]>) => binds [],
        If(Box<(Bool, Moves, Moves)>) => binds [],
        /// The moves of the first that has any.
        Priority(Box<[Moves]>) => binds [],
        /// For every piece of these components, in order, the moves of its generator. With a
        /// player: only for components of his, and seen from his side.
        ForEachPiece { who: Option<Int>, list: Box<[PieceMoves]> } => binds [From Level],
        ForEachSite { region: Box<Region>, moves: Box<Moves>, otherwise: Box<Moves> }
            => binds [Site To],
        ForEachValue { values: Box<Ints>, moves: Box<Moves> } => binds [Value],
        ForEachPlayer { players: Box<Ints>, moves: Box<Moves> } => binds [Player],
        /// The moves after which a condition holds.
        IfAfterwards(Box<(Moves, Bool)>) => binds [],
        /// Effects on the pieces between a site and a friend.
        Custodial(Box<Custodial>) => binds [Between To],
        /// Moves put together from others, which go by their numbers.
        Composite(Box<Composite>) => binds [],
        /// Moves for which there is code, made from these.
        Compiled(CodeId, Box<Moves>) => binds [],
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

    /// Generators that put moves together, and those whose moves need more than their ends to be
    /// made.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) enum CompositeKind with facts {
        /// The moves of `next` after all of `first` has been done, which becomes part of them.
        DoNext { first: Moves as effect, next: Moves, after: Option<Bool> } => writes [],
        ForEachDie { combined: Bool, replay_double: Bool, condition: Bool, moves: Moves }
            => writes [DICE] binds [Pips Dice],
        ForEachLevel { at: Int, from_top: bool, moves: Moves } => writes [] binds [Level],
        /// Moves that get further consequences all together.
        Then(Moves) => writes [],
        ForEachDirection(EachDirection) => writes [] binds [To Between],
        ForEachGroup { jumps: JumpId, condition: Option<Bool>, moves: Moves }
            => writes [] binds [From To],
        Hop(Hop) => writes [BOARD] binds [From To Between],
        Sow(Sow) => writes [BOARD] binds [From To Value],
        TrackSlide(TrackSlide) => writes [BOARD] binds [From To Between],
        /// Throws all dice.
        Roll => writes [DICE],
        /// The moves that begin the longest turns, or capture most.
        Max { captures: bool, with_value: Bool, moves: Moves } => writes [],
        Combinations(Moves, Moves) => writes [],
        /// All moves as one.
        Append(Moves) => writes [],
        /// Each part after the one before.
        Sequence(Box<[Moves]>) => writes [],
        While(Bool, Moves) => writes [],
        FirstOnTrack { tracks: TrackChoice, moves: Moves } => writes [] binds [Site],
        /// Leaves out moves that lead to the position stored.
        AvoidStored(Moves) => writes [],
        Surround {
            jumps: JumpId,
            from: Int,
            target: Bool,
            friend: Bool,
            except: Int,
            with: Option<Piece>,
            effect: Moves,
        } => writes [BOARD] binds [Between To],
        Enclose { jumps: JumpId, from: Int, target: Bool, exceptions: Int, effect: Moves }
            => writes [] binds [Between],
        Intervene { axes: AxesId, from: Int, range: (Int, Int), target: Bool, effect: Moves }
            => writes [] binds [To],
        Directional { rays: ByPiece<RayId>, from: Int, target: Bool, effect: Moves }
            => writes [] binds [From To],
        Push { rays: ByPiece<RayId>, from: Int } => writes [BOARD],
        Attract { rays: RayId, from: Int } => writes [BOARD],
        AddScores(Ints, Ints) => writes [SCORES],
        /// Turns pieces over; by component, what their local states become.
        Flip { at: Int, flips: Box<[Option<(i32, i32)>]> } => writes [LAYERS],
        SwapPlayers(Int, Int) => writes [PLAYERS],
        /// Players of these roles become members of a team: the variable of the first player's
        /// team.
        SetTeam { first: usize, number: Int, members: Box<[Role]> } => writes [VARS],
        /// Chooses the suit that is trump, by its variable.
        SetTrump { var: usize, suits: Place } => writes [VARS],
        /// Hands out cards or dominoes.
        Deal(Box<Deal>) => writes [BOARD],
        /// Moves that each turn the piece at their destination to one of these rotations.
        Turned(Moves, Box<[i32]>) => writes [LAYERS],
        /// The moves of one generator that is drawn by lot, with weights.
        OneOf(Box<[(u32, Moves)]>) => writes [],
        /// Some of the moves, drawn by lot.
        Some(Moves, Int) => writes [],
        /// The moves to sites where there is no other one, over and over until there are none.
        Forced(Moves) => writes [] binds [To],
        /// Pieces fall to the first empty site below them, until none can.
        Fall(JumpId) => writes [BOARD],
        RememberState => writes [HISTORY],
        /// Puts pieces that cover several cells on sites.
        Lay { pieces: Box<[Piece]>, state: Option<Int>, to: Place, covers: Covers }
            => writes [BOARD] binds [To],
        /// Moves pieces that cover several cells.
        Shift {
            from: Place,
            condition: Option<Bool>,
            to: Place,
            effect: Option<Moves> as effect,
            covers: Covers,
        } => writes [BOARD] binds [From To],
        /// What a player bets: the variables of all players, and the bounds.
        Bet { amounts: Box<[usize]>, who: Int, range: (Int, Int) } => writes [VARS],
        /// Pieces on some sites, of an owner or of anybody, become those of another owner that are
        /// called alike: by component and owner, 0 where there is none.
        TakeControl { of: Option<Int>, by: Int, within: Option<Place>, heirs: Box<[Box<[u16]>]> }
            => writes [BOARD],
        /// Puts a text on the table, or votes for it.
        Propose(Box<[usize]>) => writes [PLAYERS],
        Vote(Box<[usize]>) => writes [PLAYERS],
    }

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
        pub(crate) each: Option<Moves> as effect,
        pub(crate) apply: Option<Moves> as effect,
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
        pub(crate) effect: Option<Moves> as effect,
    }

    /// The generators.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) enum LeafKind with facts {
        /// Puts pieces on sites.
        Add {
            pieces: Box<[Piece]>,
            state: Option<Int>,
            to: Box<Place>,
            condition: Option<Bool>,
            count: Int,
            apply: Option<Apply>,
            level: Option<Int>,
        } => writes [BOARD] binds [To],
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
        } => writes [BOARD] binds [From To],
        /// Moves a piece along straight paths.
        Slide(Box<Slide>) => writes [BOARD] binds [From To Between],
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
        } => writes [BOARD] binds [From To],
        /// Adds a piece on straight paths from a site.
        Shoot { piece: Piece, from: Int, rays: RayId, condition: Option<Bool> }
            => writes [BOARD] binds [To Between],
        /// Changes nothing by itself.
        Select {
            from: Box<Place>,
            from_condition: Option<Bool>,
            to: Option<Box<Place>>,
            condition: Option<Bool>,
            level: Option<Int>,
        } => writes [] binds [From To],
        Remove {
            place: Box<Place>,
            level: Option<Int>,
            count: Option<Int>,
            /// Only when the turn ends.
            deferred: bool,
        } => writes [BOARD],
        Promote { site: Int, pieces: Box<[Piece]> } => writes [BOARD],
        Pass => writes [],
        SwapPieces { a: Int, b: Int } => writes [BOARD],
        MoveAgain => writes [TURN],
        SetNextPlayer(Box<Ints>) => writes [TURN],
        SetVar { var: usize, value: Int } => writes [VARS],
        SetCounter(Int) => writes [VARS],
        SetScore { players: Box<Ints>, value: Int, added: bool } => writes [SCORES],
        SetPlayerValue { player: Int, value: Int } => writes [SCORES],
        SetPending(Option<Box<Place>>) => writes [PENDING],
        SetLayer { layer: Layer, at: Int, level: Option<Int>, value: Int } => writes [LAYERS],
        /// Turns a piece by each of these numbers of steps, of which `full` make a full turn.
        Turn { at: Int, steps: Box<[i32]>, full: i32 } => writes [LAYERS],
        SetCount { at: Int, value: Int } => writes [BOARD],
        Trigger(Int) => writes [PLAYERS],
        Remember { list: usize, values: Box<Place>, unique: Bool } => writes [LISTS],
        Forget { list: usize, value: Option<Int> } => writes [LISTS],
        /// Tells players something; nothing in games where everybody sees everything.
        Note(Option<Box<Note>>) => writes [],
        /// Hides something from players, or shows it.
        Hide(Box<Hide>) => writes [HIDDEN],
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

    /// Looks at it, and at all generators inside whose moves it gives on.
    pub(crate) fn each<'a>(&'a self, look: &mut dyn FnMut(&'a Moves)) {
        look(self);
        self.each_part(&mut |part| {
            if let Part::Moves(moves) = part {
                moves.each(look);
            }
        });
    }

    /// True if something holds for it, or for a generator inside whose moves it gives on.
    pub(crate) fn any(&self, holds: &dyn Fn(&Moves) -> bool) -> bool {
        let mut any = false;
        self.each(&mut |moves| any |= holds(moves));
        any
    }

    /// The generators whose moves it gives on as they are, all with the same variables bound;
    /// `None` where it makes moves itself, changes them or binds variables.
    pub(crate) fn passes_on(&self) -> Option<Vec<&Moves>> {
        let passes_on = match self {
            Moves::All(_) | Moves::If(_) | Moves::Priority(_) | Moves::IfAfterwards(_) => true,
            Moves::Composite(composite) => {
                matches!(composite.kind, CompositeKind::Then(_) | CompositeKind::Max { .. })
            }
            Moves::None
            | Moves::Leaf(_)
            | Moves::ForEachPiece { .. }
            | Moves::ForEachSite { .. }
            | Moves::ForEachValue { .. }
            | Moves::ForEachPlayer { .. }
            | Moves::Custodial(_)
            | Moves::Compiled(..) => false,
        };
        let mut parts = Vec::new();
        self.each_part(&mut |part| {
            if let Part::Moves(moves) = part {
                parts.push(moves);
            }
        });
        passes_on.then_some(parts)
    }

    /// The generators that it consists of, which pass on the moves of no others.
    pub(crate) fn plain(&self) -> Vec<&Moves> {
        match (self, self.passes_on()) {
            (Moves::None, _) => Vec::new(),
            (_, Some(parts)) => parts.into_iter().flat_map(Moves::plain).collect(),
            (_, None) => vec![self],
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

impl From<CompositeKind> for Moves {
    fn from(kind: CompositeKind) -> Moves {
        Moves::Composite(Box::new(Composite { kind, then: Vec::new() }))
    }
}

/// Straight paths relative to the way from a site to a neighbour, by the neighbours that lie that
/// way.
pub(crate) type Facings = Box<[(JumpId, ByPiece<RayId>)]>;

/// The cells beside its first that a piece covers: by component and local state a table with one
/// path from every site where it can lie.
pub(crate) type Covers = Box<[Box<[RayId]>]>;

impl Slide {
    /// The sites of a path where it may end, as far as its fewest and most steps are known.
    pub(crate) fn ends<'p>(&self, path: &'p [u16]) -> &'p [u16] {
        let range = match self.range {
            Some((Int::Const(least), Int::Const(most))) => [least, most],
            _ => [1, i32::MAX],
        };
        let [least, most] = range.map(|sites| usize::try_from(sites).unwrap_or(0));
        path.get(least.max(1) - 1..most.min(path.len())).unwrap_or_default()
    }
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

    /// The site where all its moves begin, where that is one number.
    pub(crate) fn origin(&self) -> Option<&Int> {
        let place = match &self.kind {
            LeafKind::Jump { from: site, .. } | LeafKind::Turn { at: site, .. } => {
                return Some(site);
            }
            LeafKind::Slide(slide) => return Some(&slide.from),
            LeafKind::FromTo { from: place, .. }
            | LeafKind::Select { from: place, .. }
            | LeafKind::Remove { place, .. } => place,
            _ => return None,
        };
        match &**place {
            Place::Site(site) => Some(site),
            Place::Region(_) => None,
        }
    }

    /// The components that it promotes to, if these are known.
    pub(crate) fn promoted(&self) -> Option<Vec<u16>> {
        let LeafKind::Promote { pieces, .. } = &self.kind else { return None };
        let of = |piece: &Piece| match piece {
            Piece::Fixed(component) => Some(vec![*component]),
            Piece::Computed(number) => number.components(),
        };
        Some(pieces.iter().map(of).collect::<Option<Vec<_>>>()?.concat())
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
