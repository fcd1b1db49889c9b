//! Features that a description uses anywhere. They decide how its states are laid out.

use crate::board::Direction;
use crate::facts::FactSet;
use crate::front::{Arg, Call, Label, Name, Word};
use crate::state::{Layers, Occupancy};
use crate::world::{ContainerKind, World};

use super::past::counts_moves;
use super::{Lowered, unsupported};

/// Number of local states, from 0 on, of which the state has sets of sites.
const MOST_LOCAL_STATES: usize = 8;

/// A fact about a description as a whole.
#[derive(Clone, Copy)]
pub(crate) enum Feature {
    /// Pieces stand in stacks.
    Stacking,
    /// Pieces on one site are counted.
    Counting,
    /// The state keeps the order in which pieces were placed, because `where` by name reads it.
    Ordered,
    /// Groups are visited in that order.
    Grouped,
    /// Rules read the places of pieces at the start.
    Starts,
    /// Rules make values pending, or read them.
    Pends,
    /// Rules other than those of the end read numbers of moves or turns, or the counter.
    CountsMoves,
    /// Rules read who had no moves on their turn: `no Moves` of somebody else than the next player.
    ReadsFlags,
    /// A turn of passes by everybody does not end the game in a draw.
    NoPassDraw,
    /// Rules read the sites or levels of the last action of a move.
    AsksActions,
    /// Anything in the play is left to chance.
    Chance,
    /// Regions or numbers are left to chance while moves are looked for, and not the dice alone.
    Random,
    /// Rules read what is hidden from players, or draw what they tell or hide; otherwise telling
    /// and hiding have no effect where nobody perceives.
    AsksHidden,
    /// Rules hide sites from players. Then players see all sites that are not hidden from them.
    Shown,
    /// A player without opponents is told something.
    ToldAlone,
    /// Rules read the sites visited in a turn.
    Visits,
    /// A loop over the levels of a stack leaves the last level bound.
    LeavesLevel,
    /// Rules read the level of a piece.
    ReadsLevel,
    /// Rules read the sites that the last move passed over.
    AsksBetween,
    /// Rules read the destinations of all actions of the last move.
    AsksTouched,
    /// Effects or consequences of moves read the site between.
    NeedsBetween,
    /// Rules read cycles of positions.
    Cycles,
    /// Scores are part of the situations that are compared.
    Scored,
}

impl From<Feature> for u8 {
    fn from(feature: Feature) -> u8 {
        feature as u8
    }
}

/// The features that a description uses anywhere.
#[derive(Clone, Default)]
pub(crate) struct Features {
    set: FactSet<Feature>,
    pub(crate) layers: Layers,
    /// Number of local states, from 0 on, by which rules ask for sites.
    pub(crate) local_states: usize,
    /// The relation of the only table of distances.
    pub(super) distances: Option<Direction>,
}

impl Features {
    /// The features of a description, those of the match that it is a part of included.
    pub(super) fn of(root: &Call, whole: Option<&Call>) -> Lowered<Features> {
        let mut features = Features::default();
        let players = root.call(Label::Players).and_then(|p| p.int(Label::Count));
        let mut distances = Vec::new();
        // Each call with three flags: it belongs to the set-up, an effect or a consequence; it
        // belongs to end rules; it is evaluated for one piece or group after the other.
        let mut pending: Vec<(&Call, bool, bool, bool)> =
            [root].into_iter().chain(whole).map(|call| (call, false, false, false)).collect();
        while let Some((call, after, end, each)) = pending.pop() {
            features.look(call, players);
            features.look_at_layers(call, &mut distances);
            let (name, draws) = (call.name(), is_random(call.name()));
            let between = after && name == Name::Between && call.args.is_empty();
            features.add(Feature::NeedsBetween, between);
            features.add(Feature::CountsMoves, !end && counts_moves(name));
            features.add(Feature::Random, !after && draws);
            // Pieces are drawn in the order of placing.
            features.add(Feature::Ordered, each && draws);
            features.add(Feature::Grouped, each && draws);
            let after = after || matches!(call.name(), Name::Apply | Name::Then | Name::Start);
            let end = end || call.name() == Name::End;
            let each = each
                || matches!(call.name(), Name::Piece | Name::ForEachPiece | Name::ForEachGroup);
            let calls = call.args.iter().flat_map(Arg::calls);
            pending.extend(calls.map(|call| (call, after, end, each)));
        }
        // All distances are by one relation, the first of these that is asked for.
        let order = [
            Direction::Adjacent,
            Direction::All,
            Direction::OffDiagonal,
            Direction::Diagonal,
            Direction::Orthogonal,
        ];
        features.distances = order.into_iter().find(|d| distances.contains(d));
        if features.has(Feature::Stacking) && features.layers.rotation {
            return Err(unsupported(root));
        }
        Ok(features)
    }

    /// Adds a feature if a condition holds.
    pub(super) fn add(&mut self, feature: Feature, holds: bool) {
        self.set.add_if(holds, feature);
    }

    /// True if the description has a feature.
    #[inline(always)]
    pub(crate) fn has(&self, feature: Feature) -> bool {
        self.set.has(feature)
    }

    /// Adds the features of one ludeme, without those of the ludemes in it.
    fn look(&mut self, call: &Call, players: Option<i32>) {
        use Feature as F;
        use Name::*;
        // The signatures of some names lack some of the labels below.
        let arg = |label: Label| call.find(label);
        let has = |label: Label| arg(label).is_some();
        let name = call.name();
        let own: &[(F, bool)] = match name {
            PlaceStack | TopLevel | SizeStack | CountStack | WhereLevel | Deck => {
                &[(F::Stacking, true)]
            }
            Level => &[(F::Stacking, true), (F::ReadsLevel, true)],
            Board | MancalaBoard | Boardless => {
                let large = arg(Label::LargeStack).and_then(Arg::as_bool) == Some(true);
                &[(F::Stacking, large)]
            }
            ForEachPiece => &[(F::Stacking, has(Label::Top))],
            PlaceRandom => &[(F::Stacking, has(Label::Site))],
            Sow | Count | HandSite | SetCount => &[(F::Counting, true)],
            Where => &[(F::Ordered, has(Label::Who))],
            // Groups are visited in the order of placing.
            AllGroups | ForEachGroup => &[(F::Ordered, true), (F::Grouped, true)],
            SitesStart => &[(F::Starts, true)],
            NoMoves => {
                let next = arg(Label::Who).and_then(Arg::as_constant) == Some(Word::Next);
                &[(F::ReadsFlags, !next)]
            }
            SetPending => &[(F::Pends, true)],
            IsVisited => &[(F::Visits, true)],
            ForEachLevel => &[(F::LeavesLevel, true)],
            LastBetween => &[(F::AsksBetween, true)],
            IsHidden | SitesHidden => &[(F::AsksHidden, true)],
            // A playout to which nobody listens draws what others draw.
            SetHidden => &[(F::Shown, true), (F::AsksHidden, draws(call))],
            Note => &[(F::ToldAlone, players == Some(1)), (F::AsksHidden, draws(call))],
            IsCycle | IsRepeat => &[(F::Cycles, true)],
            LastLevelTo | LastLevelFrom | SitesLastTo | SitesLastFrom => &[(F::AsksActions, true)],
            LastTo | LastFrom => &[(F::AsksActions, has(Label::AfterConsequence))],
            SetScore | AddScore => &[(F::Scored, true)],
            Dice => &[(F::Chance, true), (F::NoPassDraw, true)],
            PathExtent => &[(F::AsksTouched, true)],
            IsLoop => &[(F::AsksTouched, has(Label::Path))],
            AllPassed | SetTrumpSuit | MoveSetTrumpSuit | PlayCard | MovePlayCard => {
                &[(F::NoPassDraw, true)]
            }
            MovePass => &[(F::NoPassDraw, players == Some(1))],
            Place => {
                let several = |count: &Arg| count.as_int().is_none_or(|n| n > 1);
                &[(F::Counting, arg(Label::Count).is_some_and(several))]
            }
            MoveAdd | Add => {
                let to = arg(Label::To).and_then(Arg::as_call);
                let several = |count: &Arg| count.as_int() != Some(1);
                &[
                    (F::Counting, arg(Label::Count).is_some_and(several)),
                    (F::Stacking, to.is_some_and(|to| to.has(Label::Level))),
                ]
            }
            Move | FromTo => {
                let from = call.call(Label::From);
                &[(F::Stacking, from.is_some_and(|from| from.has(Label::Level)))]
            }
            _ => &[],
        };
        own.iter().for_each(|&(feature, holds)| self.add(feature, holds));
        self.add(F::Chance, is_random(name));
        self.add(F::Stacking, arg(Label::Stack).is_some_and(|s| s.as_bool() != Some(false)));
    }

    /// Adds the layers of the state, its sets by local state, and the tables of distances that one
    /// ludeme asks for.
    fn look_at_layers(&mut self, call: &Call, distances: &mut Vec<Direction>) {
        use Name::*;
        let arg = |label: Label| call.find(label);
        let has = |label: Label| arg(label).is_some();
        match call.name() {
            Tile if has(Label::Walks) => self.layers.state = true,
            Where => self.layers.state |= has(Label::State),
            SetState | Flip | Roll | State | Dice | Dominoes => self.layers.state = true,
            MoveSetRotation | SetRotation | Rotation | Rotations => self.layers.rotation = true,
            ValuePiece => self.layers.value = true,
            SetValue => self.layers.value |= has(Label::At),
            Place | PlaceStack | PlaceRandom | Piece => {
                self.layers.state |= has(Label::State);
                self.layers.rotation |= has(Label::Rotation);
                self.layers.value |= has(Label::Value);
            }
            SitesState => {
                let state = call.int(Label::Index).and_then(|state| usize::try_from(state).ok());
                let counted = state.filter(|&state| state < MOST_LOCAL_STATES);
                self.local_states = self.local_states.max(counted.map_or(0, |state| state + 1));
            }
            CountSteps | SitesDistance if !has(Label::Step) => {
                let relation =
                    arg(Label::Relation).and_then(Arg::as_constant).and_then(Direction::named);
                distances.push(relation.unwrap_or(Direction::Adjacent));
            }
            _ => {}
        }
    }

    /// True if players do not see everything. `set Hidden` hides sites. Notes alone do not make a
    /// game one of hidden information if there are several players: the rules often tell them what
    /// everybody can see, such as the colours of the players. A player alone sees on the board all
    /// that notes could tell, unless the board is not shown: then notes are the only information.
    pub(crate) fn is_hidden(&self) -> bool {
        self.has(Feature::Shown) || self.has(Feature::ToldAlone)
    }

    /// The kind of occupancy of the sites.
    pub(crate) fn occupancy(&self, world: &World) -> Occupancy {
        // Games with any container but the board count their pieces.
        let hands = world.containers.iter().any(|c| c.kind != ContainerKind::Board);
        if self.has(Feature::Stacking) {
            Occupancy::Stacking
        } else if self.has(Feature::Counting) || hands {
            Occupancy::Counting
        } else {
            Occupancy::Flat
        }
    }
}

/// True if an effect makes a random choice, not counting what follows from it.
fn draws(call: &Call) -> bool {
    let mut pending = vec![call];
    while let Some(call) = pending.pop() {
        if is_random(call.name()) {
            return true;
        }
        pending.extend(call.args.iter().flat_map(Arg::calls).filter(|c| c.name() != Name::Then));
    }
    false
}

/// True if a ludeme makes a random choice.
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
