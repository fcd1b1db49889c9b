//! What a description uses anywhere: it decides how its states are laid out.

use crate::board::Direction;
use crate::front::{Arg, Call};
use crate::state::{Layers, Occupancy};
use crate::world::{ContainerKind, World};

use super::past::counts_moves;
use super::{Lowered, unsupported};

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
        let players = root.call("players").and_then(|p| p.int("count"));
        let mut distances = Vec::new();
        // Calls, whether they belong to the set-up, an effect or a consequence, whether to end
        // rules, and whether to what is asked of one piece or group after the other.
        let mut pending: Vec<(&Call, bool, bool, bool)> =
            [root].into_iter().chain(whole).map(|call| (call, false, false, false)).collect();
        while let Some((call, after, end, each)) = pending.pop() {
            features.look(call, players, &mut distances);
            features.needs_between |= after && call.name() == "between" && call.args.is_empty();
            features.counts_moves |= !end && counts_moves(call.name());
            features.random |= !after && is_random(call.name());
            if each && is_random(call.name()) {
                // Pieces draw in the order of placing.
                features.ordered = true;
                features.grouped = true;
            }
            let after = after || matches!(call.name(), "apply" | "then" | "start");
            let end = end || call.name() == "end";
            let each = each || matches!(call.name(), "piece" | "forEach Piece" | "forEach Group");
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
        // Not every signature of a name has every label asked for here.
        let arg = |label: &str| call.args.iter().find(|a| a.label == label);
        let has = |label: &str| arg(label).is_some();
        let name = call.name();
        match name {
            "place Stack" | "level" | "topLevel" | "size Stack" | "count Stack" | "where Level"
            | "deck" => {
                self.stacking = true;
                self.reads_level |= name == "level";
            }
            "board" | "mancalaBoard" | "boardless" => {
                self.stacking |= arg("largeStack").and_then(Arg::as_bool) == Some(true);
            }
            "forEach Piece" => self.stacking |= has("top"),
            "place Random" => self.stacking |= has("site"),
            "sow" => self.counting = true,
            "count" | "handSite" | "set Count" => self.counting = true,
            "tile" if has("walks") => self.layers.state = true,
            "where" => {
                self.ordered |= has("who");
                self.layers.state |= has("state");
            }
            // Groups are gone through in the order of placing.
            "all Groups" | "forEach Group" => {
                self.ordered = true;
                self.grouped = true;
            }
            "sites Start" => self.starts = true,
            "no Moves" => {
                self.reads_flags |= arg("who").and_then(Arg::as_constant) != Some("Next");
            }
            "set Pending" => self.pends = true,
            "set State" | "flip" | "roll" | "state" => self.layers.state = true,
            "move Set Rotation" | "set Rotation" | "rotation" | "rotations" => {
                self.layers.rotation = true;
            }
            "value Piece" => self.layers.value = true,
            "set Value" => self.layers.value |= has("at"),
            "is Visited" => self.visits = true,
            "forEach Level" => self.leaves_level = true,
            "last Between" => self.asks_between = true,
            "is Hidden" | "sites Hidden" => self.asks_hidden = true,
            "set Hidden" => self.shown = true,
            "note" => self.told_alone |= players == Some(1),
            "is Cycle" | "is Repeat" => self.cycles = true,
            name if is_random(name) => self.chance = true,
            "last LevelTo" | "last LevelFrom" | "sites LastTo" | "sites LastFrom" => {
                self.asks_actions = true;
            }
            "last To" | "last From" => self.asks_actions |= has("afterConsequence"),
            _ => {}
        }
        match name {
            "set Score" | "addScore" => self.scored = true,
            "dice" | "dominoes" => {
                self.chance |= name == "dice";
                self.layers.state = true;
            }
            "pathExtent" | "is Loop" => self.asks_touched |= name == "pathExtent" || has("path"),
            _ => {}
        }
        match name {
            "count Steps" | "sites Distance" if !has("step") => {
                let relation =
                    arg("relation").and_then(Arg::as_constant).and_then(Direction::named);
                distances.push(relation.unwrap_or(Direction::Adjacent));
            }
            _ => {}
        }
        match name {
            "place" | "place Stack" | "place Random" | "piece" => {
                self.layers.state |= has("state");
                self.layers.rotation |= has("rotation");
                self.layers.value |= has("value");
                self.counting |= name == "place"
                    && arg("count").is_some_and(|c| c.as_int().is_none_or(|n| n > 1));
            }
            "move Add" | "add" => {
                self.counting |= arg("count").is_some_and(|c| c.as_int() != Some(1));
                let to = arg("to").and_then(Arg::as_call);
                self.stacking |= to.is_some_and(|to| to.has("level"));
            }
            "move" | "fromTo" => {
                let from = call.call("from");
                self.stacking |= from.is_some_and(|from| from.has("level"));
            }
            _ => {}
        }
        self.stacking |= arg("stack").is_some_and(|s| s.as_bool() != Some(false));
        self.pass_draw &= match name {
            "all Passed" | "dice" => false,
            "set TrumpSuit" | "move Set TrumpSuit" | "playCard" | "move PlayCard" => false,
            _ => name != "move Pass" || players != Some(1),
        };
    }

    /// Whether players do not see everything. What is hidden is said by `set Hidden`. Notes alone
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

/// Whether something is chosen at random.
fn is_random(name: &str) -> bool {
    matches!(
        name,
        "sites Random"
            | "value Random"
            | "random"
            | "directions Random"
            | "take Domino"
            | "deal Dominoes"
    )
}
