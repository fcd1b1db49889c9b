//! What a description uses anywhere: it decides how its states are laid out.

use crate::board::Direction;
use crate::front::{Arg, Call, Label, Name, Word};
use crate::state::{Layers, Occupancy};
use crate::world::{ContainerKind, World};

use super::past::counts_moves;
use super::{Lowered, unsupported};

/// Local states of which the sites are kept as sets, from 0 on.
const MOST_LOCAL_STATES: usize = 8;

/// Facts about the whole description.
#[derive(Clone, Debug, Default)]
pub(crate) struct Features {
    stacking: bool,
    counting: bool,
    pub(crate) layers: Layers,
    /// `where` by name asks for the order of placing.
    pub(crate) ordered: bool,
    /// Groups are gone through in that order.
    pub(crate) grouped: bool,
    /// Sites are asked for by these local states: from 0 up to below this.
    pub(crate) local_states: usize,
    /// Places at the start are asked for.
    pub(crate) starts: bool,
    /// Values are made pending, or asked for.
    pub(crate) pends: bool,
    /// Other rules than those of the end ask for numbers of moves or turns, or for the counter.
    pub(crate) counts_moves: bool,
    /// Rules ask who had no moves when it was his turn: `no Moves` of somebody else than the next
    /// player.
    pub(crate) reads_flags: bool,
    /// A turn of passes by everybody ends the game in a draw.
    pub(crate) pass_draw: bool,
    /// The rules ask where the last action of a move went, or at which levels.
    pub(crate) asks_actions: bool,
    /// Anything is left to chance while playing.
    pub(crate) chance: bool,
    /// Regions or numbers are left to chance while moves are looked for, and not the dice alone.
    pub(crate) random: bool,
    /// The rules ask what is hidden from whom; otherwise hiding changes nothing.
    pub(crate) asks_hidden: bool,
    /// The rules hide something from somebody: players see the sites, as far as nothing is hidden
    /// from them.
    pub(crate) shown: bool,
    /// A player without opponents is told something.
    told_alone: bool,
    /// Sites visited in a turn are asked for.
    pub(crate) visits: bool,
    /// A loop over the levels of a stack leaves the last one bound.
    pub(crate) leaves_level: bool,
    /// The level of a piece is asked for.
    pub(crate) reads_level: bool,
    /// What the last move passed over is asked for.
    pub(crate) asks_between: bool,
    /// The rules ask where all actions of the last move went.
    pub(crate) asks_touched: bool,
    /// Effects or consequences of moves ask for the site between.
    pub(crate) needs_between: bool,
    /// Cycles of positions are asked for.
    pub(crate) cycles: bool,
    /// Scores count for the comparison of situations.
    pub(crate) scored: bool,
    /// The relation of the one table of distances.
    pub(super) distances: Option<Direction>,
}

impl Features {
    /// Looks through the whole tree, and through that of the match that it is a part of.
    pub(super) fn of(root: &Call, whole: Option<&Call>) -> Lowered<Features> {
        let mut features = Features { pass_draw: true, ..Features::default() };
        let players = root.call(Label::Players).and_then(|p| p.int(Label::Count));
        let mut distances = Vec::new();
        // Calls, whether they belong to the set-up, an effect or a consequence, whether to end
        // rules, and whether to what is asked of one piece or group after the other.
        let mut pending: Vec<(&Call, bool, bool, bool)> =
            [root].into_iter().chain(whole).map(|call| (call, false, false, false)).collect();
        while let Some((call, after, end, each)) = pending.pop() {
            features.look(call, players, &mut distances);
            features.needs_between |= after && call.name() == Name::Between && call.args.is_empty();
            features.counts_moves |= !end && counts_moves(call.name());
            features.random |= !after && is_random(call.name());
            if each && is_random(call.name()) {
                // Pieces draw in the order of placing.
                features.ordered = true;
                features.grouped = true;
            }
            let after = after || matches!(call.name(), Name::Apply | Name::Then | Name::Start);
            let end = end || call.name() == Name::End;
            let each = each
                || matches!(call.name(), Name::Piece | Name::ForEachPiece | Name::ForEachGroup);
            let calls = call.args.iter().flat_map(Arg::calls);
            pending.extend(calls.map(|call| (call, after, end, each)));
        }
        // Of several relations asked for, the first of these is used for all.
        let order = [
            Direction::Adjacent,
            Direction::All,
            Direction::OffDiagonal,
            Direction::Diagonal,
            Direction::Orthogonal,
        ];
        features.distances = order.into_iter().find(|d| distances.contains(d));
        if features.stacking && features.layers.rotation {
            return Err(unsupported(root));
        }
        Ok(features)
    }

    fn look(&mut self, call: &Call, players: Option<i32>, distances: &mut Vec<Direction>) {
        use Name::*;
        // Not every signature of a name has every label asked for here.
        let arg = |label: Label| call.find(label);
        let has = |label: Label| arg(label).is_some();
        let name = call.name();
        match name {
            PlaceStack | Level | TopLevel | SizeStack | CountStack | WhereLevel | Deck => {
                self.stacking = true;
                self.reads_level |= name == Level;
            }
            Board | MancalaBoard | Boardless => {
                self.stacking |= arg(Label::LargeStack).and_then(Arg::as_bool) == Some(true);
            }
            ForEachPiece => self.stacking |= has(Label::Top),
            PlaceRandom => self.stacking |= has(Label::Site),
            Sow => self.counting = true,
            Count | HandSite | SetCount => self.counting = true,
            Tile if has(Label::Walks) => self.layers.state = true,
            Where => {
                self.ordered |= has(Label::Who);
                self.layers.state |= has(Label::State);
            }
            // Groups are gone through in the order of placing.
            AllGroups | ForEachGroup => {
                self.ordered = true;
                self.grouped = true;
            }
            SitesStart => self.starts = true,
            SitesState => {
                let state = call.int(Label::Index).and_then(|state| usize::try_from(state).ok());
                let known = state.filter(|&state| state < MOST_LOCAL_STATES);
                self.local_states = self.local_states.max(known.map_or(0, |state| state + 1));
            }
            NoMoves => {
                self.reads_flags |= arg(Label::Who).and_then(Arg::as_constant) != Some(Word::Next);
            }
            SetPending => self.pends = true,
            SetState | Flip | Roll | State => self.layers.state = true,
            MoveSetRotation | SetRotation | Rotation | Rotations => {
                self.layers.rotation = true;
            }
            ValuePiece => self.layers.value = true,
            SetValue => self.layers.value |= has(Label::At),
            IsVisited => self.visits = true,
            ForEachLevel => self.leaves_level = true,
            LastBetween => self.asks_between = true,
            IsHidden | SitesHidden => self.asks_hidden = true,
            SetHidden => self.shown = true,
            Note => self.told_alone |= players == Some(1),
            IsCycle | IsRepeat => self.cycles = true,
            name if is_random(name) => self.chance = true,
            LastLevelTo | LastLevelFrom | SitesLastTo | SitesLastFrom => {
                self.asks_actions = true;
            }
            LastTo | LastFrom => self.asks_actions |= has(Label::AfterConsequence),
            _ => {}
        }
        match name {
            SetScore | AddScore => self.scored = true,
            Dice | Dominoes => {
                self.chance |= name == Dice;
                self.layers.state = true;
            }
            PathExtent | IsLoop => self.asks_touched |= name == PathExtent || has(Label::Path),
            _ => {}
        }
        match name {
            CountSteps | SitesDistance if !has(Label::Step) => {
                let relation =
                    arg(Label::Relation).and_then(Arg::as_constant).and_then(Direction::named);
                distances.push(relation.unwrap_or(Direction::Adjacent));
            }
            _ => {}
        }
        match name {
            Place | PlaceStack | PlaceRandom | Piece => {
                self.layers.state |= has(Label::State);
                self.layers.rotation |= has(Label::Rotation);
                self.layers.value |= has(Label::Value);
                self.counting |= name == Place
                    && arg(Label::Count).is_some_and(|c| c.as_int().is_none_or(|n| n > 1));
            }
            MoveAdd | Add => {
                self.counting |= arg(Label::Count).is_some_and(|c| c.as_int() != Some(1));
                let to = arg(Label::To).and_then(Arg::as_call);
                self.stacking |= to.is_some_and(|to| to.has(Label::Level));
            }
            Move | FromTo => {
                let from = call.call(Label::From);
                self.stacking |= from.is_some_and(|from| from.has(Label::Level));
            }
            _ => {}
        }
        self.stacking |= arg(Label::Stack).is_some_and(|s| s.as_bool() != Some(false));
        self.pass_draw &= match name {
            AllPassed | Dice => false,
            SetTrumpSuit | MoveSetTrumpSuit | PlayCard | MovePlayCard => false,
            _ => name != MovePass || players != Some(1),
        };
    }

    /// True if players do not see everything. What is hidden is said by `set Hidden`. Notes alone
    /// do not make a game one of hidden information where there are several players: to them rules
    /// often say what everybody can see, such as who has which colour now. To a player alone there
    /// is nothing to say that the board does not show, unless the board is not shown: then notes
    /// are all there is to know.
    pub(super) fn is_hidden(&self) -> bool {
        self.shown || self.told_alone
    }

    /// How sites hold pieces.
    pub(super) fn occupancy(&self, world: &World) -> Occupancy {
        // Every container but the board makes a game count its pieces.
        let hands = world.containers.iter().any(|c| c.kind != ContainerKind::Board);
        if self.stacking {
            Occupancy::Stacking
        } else if self.counting || hands {
            Occupancy::Counting
        } else {
            Occupancy::Flat
        }
    }
}

/// True if something is chosen at random.
fn is_random(name: Name) -> bool {
    matches!(
        name,
        Name::SitesRandom
            | Name::ValueRandom
            | Name::Random
            | Name::DirectionsRandom
            | Name::TakeDomino
            | Name::DealDominoes
    )
}
