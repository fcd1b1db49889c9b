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
        /// The component whose number is computed; no component if it is below 1.
        Computed(Int),
    }

    /// A generator of moves, or an effect.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) enum Moves as mut Moves {
        None => binds [],
        /// Makes moves itself.
        Leaf(Box<Leaf>) => binds [],
        /// The moves of all generators.
        All(Box<[Moves]>) => binds [],
        If(Box<(Bool, Moves, Moves)>) => binds [],
        /// The moves of the first generator that has any.
        Priority(Box<[Moves]>) => binds [],
        /// For every piece of these components, in order, the moves of its generator. With a
        /// player, only components of that player are used, and the generators see the board from
        /// that player's side.
        ForEachPiece { who: Option<Int>, list: Box<[PieceMoves]> } => binds [From Level],
        ForEachSite { region: Box<Region>, moves: Box<Moves>, otherwise: Box<Moves> }
            => binds [Site To],
        ForEachValue { values: Box<Ints>, moves: Box<Moves> } => binds [Value],
        ForEachPlayer { players: Box<Ints>, moves: Box<Moves> } => binds [Player],
        /// The moves after which a condition holds.
        IfAfterwards(Box<(Moves, Bool)>) => binds [],
        /// Carries out effects on the pieces between a site and a friend.
        Custodial(Box<Custodial>) => binds [Between To],
        /// Moves put together from others, identified by their numbers in the list.
        Composite(Box<Composite>) => binds [],
        /// Moves for which there is code, made from this generator.
        Compiled(CodeId, Box<Moves>) => binds [],
    }

    /// A generator whose moves are not known by their ends alone: they depend on what earlier parts
    /// did, on chance, or on the values of variables when the moves were found.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) struct Composite {
        /// The sort of generator, with its parts.
        pub(crate) kind: CompositeKind,
        /// Consequences of every move of the generator, after those that the move has.
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
        /// Moves with further consequences, which belong to all of them.
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
        /// All moves together as one move.
        Append(Moves) => writes [],
        /// The parts one after the other.
        Sequence(Box<[Moves]>) => writes [],
        While(Bool, Moves) => writes [],
        FirstOnTrack { tracks: TrackChoice, moves: Moves } => writes [] binds [Site],
        /// The moves that do not lead to the stored position.
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
        Enclose {
            jumps: JumpId,
            from: Int,
            target: Bool,
            exceptions: Int,
            effect: Moves,
            /// If the targets may be empty, the paths to the neighbours of a group, and those along
            /// which what encloses it must be together, both clockwise.
            around: Option<RayId>,
            together: Option<RayId>,
        } => writes [] binds [Between],
        Intervene { axes: AxesId, from: Int, range: (Int, Int), target: Bool, effect: Moves }
            => writes [] binds [To],
        Directional { rays: ByPiece<RayId>, from: Int, target: Bool, effect: Moves }
            => writes [] binds [From To],
        Push { rays: ByPiece<RayId>, from: Int } => writes [BOARD],
        Attract { rays: RayId, from: Int } => writes [BOARD],
        AddScores(Ints, Ints) => writes [SCORES],
        /// Turns pieces over: by component the two local states that replace each other.
        Flip { at: Int, flips: Box<[Option<(i32, i32)>]> } => writes [LAYERS],
        SwapPlayers(Int, Int) => writes [PLAYERS],
        /// Makes the players of these roles members of a team. `first` is the variable with the
        /// team of the first player.
        SetTeam { first: usize, number: Int, members: Box<[Role]> } => writes [VARS],
        /// Chooses the suit that is trump; `var` is the variable with the suit.
        SetTrump { var: usize, suits: Place } => writes [VARS],
        /// Hands out cards or dominoes.
        Deal(Box<Deal>) => writes [BOARD],
        /// Moves that each turn the piece at their destination to one of these rotations.
        Turned(Moves, Box<[i32]>) => writes [LAYERS],
        /// The moves of one generator, drawn by lot with these weights.
        OneOf(Box<[(u32, Moves)]>) => writes [],
        /// As many of the moves as the number, drawn by lot.
        Some(Moves, Int) => writes [],
        /// The moves that are the only ones to their sites, again and again until there are none.
        Forced(Moves) => writes [] binds [To],
        /// Lets pieces fall to the first empty site below them, until none can fall.
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
        /// The bet of a player, with the variables of the bets of all players and the bounds.
        Bet { amounts: Box<[usize]>, who: Int, range: (Int, Int) } => writes [VARS],
        /// Makes pieces on some sites, of an owner or of anybody, those of another owner with the
        /// same name. `heirs` has their components, by component and owner, 0 if there is none.
        TakeControl { of: Option<Int>, by: Int, within: Option<Place>, heirs: Box<[Box<[u16]>]> }
            => writes [BOARD],
        /// Proposes a text, or votes for it.
        Propose(Box<[usize]>) => writes [PLAYERS],
        Vote(Box<[usize]>) => writes [PLAYERS],
    }

    /// Moves for each site along some directions from another one.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) struct EachDirection {
        pub(crate) from: Int,
        pub(crate) rays: ByPiece<RayId>,
        /// Paths for directions relative to the way from a site to a neighbour.
        pub(crate) facings: Facings,
        pub(crate) range: (Int, Int),
        pub(crate) between: Option<Bool>,
        pub(crate) condition: Option<Bool>,
        pub(crate) moves: Moves,
    }

    /// A jump over pieces.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) struct Hop {
        /// Number of the generator, by which its moves are identified.
        pub(crate) id: u16,
        pub(crate) rays: ByPiece<RayId>,
        pub(crate) jumps: ByPiece<JumpId>,
        pub(crate) from: Int,
        pub(crate) from_condition: Option<Bool>,
        /// Number of sites gone to reach the pieces jumped over; `after` counts those behind them.
        pub(crate) before: Int,
        pub(crate) after: Int,
        /// Fewest and most pieces jumped over.
        pub(crate) range: (Int, Int),
        /// Condition on the pieces that can be jumped over.
        pub(crate) hurdle: Bool,
        pub(crate) hurdle_apply: Option<Apply>,
        /// Condition on the site where the hop may land.
        pub(crate) go: Bool,
        pub(crate) apply: Option<Apply>,
        pub(crate) stack: bool,
    }

    /// A slide along tracks.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) struct TrackSlide {
        /// Number of the generator, by which its moves are identified.
        pub(crate) id: u16,
        pub(crate) from: Int,
        pub(crate) from_condition: Option<Bool>,
        /// The tracks, by number.
        pub(crate) tracks: Box<[usize]>,
        /// True if any track will do. Then only sites behind a bend of the track are reached.
        pub(crate) any_track: bool,
        /// Fewest and most steps; by default any number.
        pub(crate) range: Option<(Int, Int)>,
        /// Condition on the sites that can be passed; by default empty ones.
        pub(crate) go: Option<Bool>,
        /// Condition on the sites where the slide may end with the effect.
        pub(crate) stop: Option<Bool>,
        /// Effect at the end of a slide that stops; its condition filters the other ends.
        pub(crate) apply: Option<Apply>,
    }

    /// Sowing along a track.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) struct Sow {
        pub(crate) start: Int,
        pub(crate) count: Option<Int>,
        pub(crate) per_hole: Int,
        /// Tracks to choose from, by the number of their owner if an owner is asked for.
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
        /// True if only pieces on top of their stacks move.
        pub(crate) top: bool,
        /// The sites where pieces are looked for.
        pub(crate) within: SetId,
        /// The generator, made for this component.
        pub(crate) moves: Moves,
    }

    /// A generator that makes moves itself, each with an origin and a destination.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) struct Leaf {
        /// Number of the leaf: an index into the table of the game.
        pub(crate) id: u16,
        /// The sort of generator, with its parts.
        pub(crate) kind: LeafKind,
        /// Its consequences, innermost first.
        pub(crate) then: Vec<EffectId>,
    }

    /// Effects that a move has on its destination, evaluated before the move itself.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) struct Apply {
        /// Condition under which the effects happen; always if `None`.
        pub(crate) condition: Option<Bool>,
        /// The effects.
        pub(crate) effect: Option<Moves> as effect,
    }

    /// The sorts of generators that make moves themselves.
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
        /// Places a piece on straight paths from a site.
        Shoot { piece: Piece, from: Int, rays: RayId, condition: Option<Bool> }
            => writes [BOARD] binds [To Between],
        /// Moves without an effect of their own, between chosen sites.
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
            /// True if the pieces are removed when the turn ends.
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
        /// Tells players a message; `None` in games where everybody sees everything.
        Note(Option<Box<Note>>) => writes [],
        /// Hides properties of sites from players, or shows them.
        Hide(Box<Hide>) => writes [HIDDEN],
    }

    /// A message to players.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) struct Note {
        /// The player whom the message names at its beginning.
        pub(crate) speaker: Option<Int>,
        pub(crate) message: Message,
        /// The players who are told.
        pub(crate) to: Ints,
    }

    /// The message of a note.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) enum Message {
        /// A text of the game, by its number.
        Text(u16),
        Number(Int),
        Truth(Bool),
    }

    /// Properties of sites that are hidden from players, or shown to them.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) struct Hide {
        /// Properties of a site, as bits; see [`crate::percepts`].
        pub(crate) kinds: u8,
        pub(crate) at: Place,
        /// True if the properties become hidden, false if they become visible.
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
        /// Condition on the sites that can be passed; by default empty ones.
        pub(crate) go: Option<Bool>,
        /// Condition on the sites where the slide may end though they cannot be passed.
        pub(crate) stop: Option<Bool>,
        /// Effect at the end; its condition filters destinations.
        pub(crate) apply: Option<Apply>,
        /// Effect on every site passed.
        pub(crate) passed: Option<Apply>,
        /// The level that moves, instead of the top.
        pub(crate) level: Option<Int>,
        /// True if the whole stack moves.
        pub(crate) stack: bool,
        /// The piece left on every site passed.
        pub(crate) trail: Option<Int>,
    }

    /// A capture of the pieces between a site and a friend.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) struct Custodial {
        pub(crate) rays: RayId,
        pub(crate) from: Int,
        /// Fewest and most pieces between.
        pub(crate) range: (Int, Int),
        /// Condition on the pieces that can be captured.
        pub(crate) target: Bool,
        /// Effect on each captured piece.
        pub(crate) effect: Moves,
        /// Condition on the site at the end.
        pub(crate) friend: Bool,
    }

    /// A deal of cards or dominoes, one by one and round by round.
    #[derive(Clone, PartialEq, Debug)]
    pub(crate) struct Deal {
        pub(crate) stock: Stock,
        /// The sites of the hand of each player.
        pub(crate) hands: Box<[Box<[u16]>]>,
        /// Number of cards or dominoes for each player; all that there are if `None`.
        pub(crate) count: Option<Int>,
        /// The player who gets the first one.
        pub(crate) first: Int,
        /// True if only the first player gets any.
        pub(crate) alone: bool,
    }

    /// The supply that cards or dominoes are dealt from.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub(crate) enum Stock {
        /// The cards on a site, from the top.
        Deck(u16),
        /// The dominoes of a list, drawn by lot.
        Bag(usize),
    }
}

impl Moves {
    /// True if only those moves count that begin the longest turns, or capture most.
    pub(crate) fn is_max(&self) -> bool {
        match self {
            Moves::Composite(composite) => matches!(composite.kind, CompositeKind::Max { .. }),
            _ => false,
        }
    }

    /// Visits the generator, and all generators inside whose moves are moves of it.
    pub(crate) fn each<'a>(&'a self, look: &mut dyn FnMut(&'a Moves)) {
        look(self);
        self.each_part(&mut |part| {
            if let Part::Moves(moves) = part {
                moves.each(look);
            }
        });
    }

    /// True if a predicate holds for the generator, or for one inside whose moves are moves of it.
    pub(crate) fn any(&self, holds: &dyn Fn(&Moves) -> bool) -> bool {
        let mut any = false;
        self.each(&mut |moves| any |= holds(moves));
        any
    }

    /// The generators whose moves it passes on unchanged, all with the same variables bound; `None`
    /// if it makes moves itself, changes them or binds variables.
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

    /// The innermost generators whose moves it passes on unchanged.
    pub(crate) fn plain(&self) -> Vec<&Moves> {
        match (self, self.passes_on()) {
            (Moves::None, _) => Vec::new(),
            (_, Some(parts)) => parts.into_iter().flat_map(Moves::plain).collect(),
            (_, None) => vec![self],
        }
    }

    /// Index of the generator in a table, to which it is added if it is missing.
    pub(crate) fn number_in(self, table: &mut Vec<Moves>) -> GeneratorId {
        let found = table.iter().position(|found| *found == self);
        let number = found.unwrap_or_else(|| {
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

/// Straight paths relative to the way from a site to a neighbour, by the table of the neighbours in
/// a direction.
pub(crate) type Facings = Box<[(JumpId, ByPiece<RayId>)]>;

/// The cells beside its first that a piece covers: by component and local state a table with one
/// path from every site where it can lie.
pub(crate) type Covers = Box<[Box<[RayId]>]>;

impl Slide {
    /// The sites of a path where the slide may end, if its fewest and most steps are constants; all
    /// sites else.
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
        self.sort_and_level().0
    }

    /// True if it names the level of a piece that it moves, removes or chooses.
    pub(crate) fn has_level(&self) -> bool {
        self.sort_and_level().1.is_some()
    }

    /// The sort of its moves, and the level of the piece that they move, remove or choose, if it is
    /// named. All generators are listed here, so that a new one does not compile without either.
    fn sort_and_level(&self) -> (Sort, Option<&Int>) {
        match &self.kind {
            LeafKind::Jump { level, .. }
            | LeafKind::FromTo { from_level: level, .. }
            | LeafKind::Select { level, .. }
            | LeafKind::Remove { level, .. } => (Sort::Plain, level.as_ref()),
            LeafKind::Slide(slide) => (Sort::Plain, slide.level.as_ref()),
            LeafKind::Pass => (Sort::Pass, None),
            LeafKind::SetNextPlayer(_) => (Sort::Next, None),
            LeafKind::Add { .. }
            | LeafKind::Shoot { .. }
            | LeafKind::Promote { .. }
            | LeafKind::SwapPieces { .. }
            | LeafKind::MoveAgain
            | LeafKind::SetVar { .. }
            | LeafKind::SetCounter(_)
            | LeafKind::SetScore { .. }
            | LeafKind::SetPlayerValue { .. }
            | LeafKind::SetPending(_)
            | LeafKind::SetLayer { .. }
            | LeafKind::Turn { .. }
            | LeafKind::SetCount { .. }
            | LeafKind::Trigger(_)
            | LeafKind::Remember { .. }
            | LeafKind::Forget { .. }
            | LeafKind::Note(_)
            | LeafKind::Hide(_) => (Sort::Plain, None),
        }
    }

    /// The site where all its moves begin, if that is one number.
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
        let components = |piece: &Piece| match piece {
            Piece::Fixed(component) => Some(vec![*component]),
            Piece::Computed(number) => number.components(),
        };
        Some(pieces.iter().map(components).collect::<Option<Vec<_>>>()?.concat())
    }
}
