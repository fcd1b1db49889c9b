//! Features that a description uses anywhere. They decide how its states are laid out.

use crate::board::Direction;
use crate::front::{Arg, Call, Label, Name, Word};
use crate::state::{Layers, Occupancy};
use crate::world::{ContainerKind, World};

use super::past::counts_moves;
use super::{Lowered, unsupported};

/// Number of local states, from 0 on, of which the state has sets of sites.
const MOST_LOCAL_STATES: usize = 8;

/// Facts about the whole description.
#[derive(Clone, Debug, Default)]
pub(crate) struct Features {
    stacking: bool,
    counting: bool,
    pub(crate) layers: Layers,
    /// True if the state keeps the order in which pieces were placed, because `where` by name reads
    /// it.
    pub(crate) ordered: bool,
    /// True if groups are visited in that order.
    pub(crate) grouped: bool,
    /// Number of local states, from 0 on, by which rules ask for sites.
    pub(crate) local_states: usize,
    /// True if rules read the places of pieces at the start.
    pub(crate) starts: bool,
    /// True if rules make values pending, or read them.
    pub(crate) pends: bool,
    /// True if rules other than those of the end read numbers of moves or turns, or the counter.
    pub(crate) counts_moves: bool,
    /// True if rules read who had no moves on their turn: `no Moves` of somebody else than the next
    /// player.
    pub(crate) reads_flags: bool,
    /// True if a turn of passes by everybody ends the game in a draw.
    pub(crate) pass_draw: bool,
    /// True if the rules read the sites or levels of the last action of a move.
    pub(crate) asks_actions: bool,
    /// True if anything in the play is left to chance.
    pub(crate) chance: bool,
    /// True if regions or numbers are left to chance while moves are looked for, and not the dice
    /// alone.
    pub(crate) random: bool,
    /// True if the rules read what is hidden from players, or draw what they tell or hide; otherwise
    /// telling and hiding have no effect where nobody perceives.
    pub(crate) asks_hidden: bool,
    /// True if the rules hide sites from players. Then players see all sites that are not hidden
    /// from them.
    pub(crate) shown: bool,
    /// True if a player without opponents is told something.
    told_alone: bool,
    /// True if rules read the sites visited in a turn.
    pub(crate) visits: bool,
    /// True if a loop over the levels of a stack leaves the last level bound.
    pub(crate) leaves_level: bool,
    /// True if rules read the level of a piece.
    pub(crate) reads_level: bool,
    /// True if rules read the sites that the last move passed over.
    pub(crate) asks_between: bool,
    /// True if rules read the destinations of all actions of the last move.
    pub(crate) asks_touched: bool,
    /// True if effects or consequences of moves read the site between.
    pub(crate) needs_between: bool,
    /// True if rules read cycles of positions.
    pub(crate) cycles: bool,
    /// True if scores are part of the situations that are compared.
    pub(crate) scored: bool,
    /// The relation of the only table of distances.
    pub(super) distances: Option<Direction>,
}

impl Features {
    /// The features of a description, those of the match that it is a part of included.
    pub(super) fn of(root: &Call, whole: Option<&Call>) -> Lowered<Features> {
        let mut features = Features { pass_draw: true, ..Features::default() };
        let players = root.call(Label::Players).and_then(|p| p.int(Label::Count));
        let mut distances = Vec::new();
        // Each call with three flags: it belongs to the set-up, an effect or a consequence; it
        // belongs to end rules; it is evaluated for one piece or group after the other.
        let mut pending: Vec<(&Call, bool, bool, bool)> =
            [root].into_iter().chain(whole).map(|call| (call, false, false, false)).collect();
        while let Some((call, after, end, each)) = pending.pop() {
            features.look(call, players, &mut distances);
            features.needs_between |= after && call.name() == Name::Between && call.args.is_empty();
            features.counts_moves |= !end && counts_moves(call.name());
            features.random |= !after && is_random(call.name());
            if each && is_random(call.name()) {
                // Pieces are drawn in the order of placing.
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
        // All distances are by one relation, the first of these that is asked for.
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
        // The signatures of some names lack some of the labels below.
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
            // Groups are visited in the order of placing.
            AllGroups | ForEachGroup => {
                self.ordered = true;
                self.grouped = true;
            }
            SitesStart => self.starts = true,
            SitesState => {
                let state = call.int(Label::Index).and_then(|state| usize::try_from(state).ok());
                let counted = state.filter(|&state| state < MOST_LOCAL_STATES);
                self.local_states = self.local_states.max(counted.map_or(0, |state| state + 1));
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
            SetHidden | Note => {
                self.shown |= name == SetHidden;
                self.told_alone |= name == Note && players == Some(1);
                // A playout to which nobody listens draws what others draw.
                self.asks_hidden |= draws(call);
            }
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

    /// True if players do not see everything. `set Hidden` hides sites. Notes alone do not make a
    /// game one of hidden information if there are several players: the rules often tell them what
    /// everybody can see, such as the colours of the players. A player alone sees on the board all
    /// that notes could tell, unless the board is not shown: then notes are the only information.
    pub(crate) fn is_hidden(&self) -> bool {
        self.shown || self.told_alone
    }

    /// The kind of occupancy of the sites.
    pub(crate) fn occupancy(&self, world: &World) -> Occupancy {
        // Games with any container but the board count their pieces.
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
