//! Playing without lists of moves.
//!
//! A plan is made for every phase and every mover. It knows, by the *form* of the rules, how to count
//! the legal moves, to draw one of them by number, to make it, and to test for the end, each as
//! operations on sets of sites. What it has no form for it leaves to the plain evaluation, part by
//! part: a region, a condition, an effect, or a whole generator.
//!
//! The moves are numbered in the order in which the reference lists them, so both play the same
//! playouts; the kit compares their digests.

#[cfg(test)]
mod checks;
mod choices;
mod conditions;
mod deeds;
mod fill;
mod generators;
mod lift;
mod links;
mod pairs;
mod playout;
mod rays;
mod sets;
mod settled;
mod threats;
mod trials;

use play::{Method, Promise, Way};

use crate::compile::is_code;
use crate::eval::Action;
use crate::game::Game;
use crate::ir::{ByPiece, LeafKind, Moves};
use crate::state::State;

use choices::Choice;
use deeds::Deed;
use fill::Fill;
use links::{Forest, LinkPlan};
use playout::EndTest;

/// What happens in a turn of one player in one phase.
struct TurnPlan<const W: usize> {
    choice: Choice<W>,
    /// Whether the moves can be counted when the turn before ends.
    ahead: bool,
    ends: Box<[EndTest<W>]>,
}

/// How to play a game fast.
pub(crate) struct Plan<const W: usize> {
    /// By phase, then by player from 0 (which never moves).
    turns: Box<[Box<[TurnPlan<W>]>]>,
    /// What each generator does, by player from 0 and by number.
    deeds: Box<[Box<[Deed<W>]>]>,
    /// Generators that may give moves between the same sites.
    clashes: Box<[(u16, u16)]>,
    /// Connections kept up to date, where the rules ask for one.
    links: Option<LinkPlan<W>>,
    /// Whether rules read the flags of players without moves, which only the plain loop keeps.
    plain_ends: bool,
    /// Whether it plays faster than machine code may: all that takes time in a ply has a form, and the game is
    /// one of placements, or one with threats, or some of its moves have no form in code.
    pub(crate) whole: bool,
    /// The form of games of placements, where the game has it.
    fill: Option<Fill<W>>,
}

/// Where a set or a condition is evaluated.
#[derive(Clone, Copy)]
struct View {
    mover: u8,
    next: u8,
    prev: u8,
    /// Inside a test whether the next player has moves.
    ahead: bool,
    /// The origin, while destinations are looked for.
    from: u16,
}

/// A state with all that is needed to look at it.
#[derive(Clone, Copy)]
struct Cx<'p, const W: usize> {
    game: &'p Game<W>,
    plan: &'p Plan<W>,
    state: &'p State,
    forest: &'p Forest,
    view: View,
}

impl<const W: usize> Plan<W> {
    /// Finds forms for everything that has one. Two generators of such a pair may give the same move,
    /// no others.
    pub(crate) fn new(game: &Game<W>, clashes: &[(u16, u16)]) -> Plan<W> {
        let players = game.world.players;
        let (room, left) = (std::cell::Cell::new(lift::ROOM), std::cell::Cell::new(false));
        let plain_ends = game.reads_flags;
        let links = if plain_ends { None } else { LinkPlan::of(game) };
        let mut whole = true;
        let links_known = links.as_ref();
        let maker =
            |mover| lift::Maker { game, mover, links: links_known, room: &room, left: &left };
        let turns: Box<[_]> = game
            .phases
            .iter()
            .map(|phase| {
                (0..=players as u8)
                    .map(|mover| {
                        let maker = maker(mover);
                        let choice = maker.choice(&phase.play);
                        let ahead = choice.can_be_counted_ahead();
                        let ends = playout::end_tests(&maker, phase);
                        // Player 0 never moves.
                        whole &= !left.take() || mover == 0;
                        TurnPlan { choice, ahead, ends }
                    })
                    .collect()
            })
            .collect();
        let deeds = (0..=players as u8).map(|mover| {
            let maker = maker(mover);
            let deeds = game.leaves.iter().map(|leaf| Deed::of(&maker, leaf.as_ref())).collect();
            whole &= !left.take() || mover == 0;
            deeds
        });
        let deeds = deeds.collect();
        let clashes = clashes.into();
        let mut plan = Plan { turns, deeds, clashes, links, plain_ends, whole, fill: None };
        plan.fill = Fill::of(game, &plan);
        plan.whole &= game.asks_threats || plan.fill.is_some() || !is_for_code(game);
        plan
    }

    /// How it plays. Where moves have to be tried playouts differ from the reference's, since the
    /// draws that fail are draws all the same; and where moves go by the local state of a piece, since
    /// the reference numbers them generator by generator.
    pub(crate) fn way(&self) -> Way {
        if are_tested(&self.turns) {
            let promise = Promise::SameDistribution("legal moves are drawn by rejection");
            return Way { method: Method::Sampled, promise };
        }
        let turns = || moving(&self.turns);
        let listed = turns().all(|turn| turn.choice.is_listed());
        let method = if listed { Method::Listed } else { Method::Counted };
        let promise = if turns().any(|turn| turn.choice.is_by_piece()) {
            Promise::SameDistribution("moves are numbered piece by piece")
        } else {
            Promise::SamePlayouts
        };
        Way { method, promise }
    }

    fn turn(&self, phase: u8, mover: u8) -> &TurnPlan<W> {
        &self.turns[usize::from(phase)][usize::from(mover)]
    }

    /// What a move of a player does.
    fn deed(&self, mover: u8, action: Action) -> &Deed<W> {
        &self.deeds[usize::from(mover)][usize::from(action.leaf)]
    }
}

/// The turns of those who move, which player 0 never does.
fn moving<const W: usize>(turns: &[Box<[TurnPlan<W>]>]) -> impl Iterator<Item = &TurnPlan<W>> {
    turns.iter().flat_map(|movers| movers.iter().skip(1))
}

/// Whether moves are drawn before it is known whether they are legal.
fn are_tested<const W: usize>(turns: &[Box<[TurnPlan<W>]>]) -> bool {
    moving(turns).any(|turn| turn.choice.is_tested())
}

/// Whether all moves are such that code makes.
fn is_for_code<const W: usize>(game: &Game<W>) -> bool {
    game.leaves.iter().flatten().all(is_code)
}

/// The order of moves that both ways of playing share: by generator, and of generators that move
/// pieces to fixed targets by the distance in site numbers and then by target. Stable otherwise.
pub(crate) fn order_key<const W: usize>(game: &Game<W>, action: &Action) -> (u16, i32, i16) {
    match game.leaf(*action).map(|leaf| &leaf.kind) {
        Some(LeafKind::Jump { jumps: ByPiece::Same(_), .. }) => {
            let delta = i32::from(action.to) - i32::from(action.from);
            (action.leaf, delta, action.to)
        }
        _ => (action.leaf, 0, 0),
    }
}

/// Whether the order of moves has to be arranged at all. Only moves to fixed targets, and those of
/// pieces with several generators, are found in another order.
pub(crate) fn is_ordered<const W: usize>(game: &Game<W>) -> bool {
    let mut jumps = game.leaves.iter().flatten();
    jumps.any(|leaf| matches!(&leaf.kind, LeafKind::Jump { jumps: ByPiece::Same(_), .. }))
        || game.phases.iter().any(|phase| has_wide_pieces(&phase.play))
}

/// Whether the pieces of some component have several generators.
fn has_wide_pieces(moves: &Moves) -> bool {
    match moves {
        Moves::ForEachPiece { list, .. } => {
            list.iter().any(|p| !matches!(p.moves, Moves::Leaf(_) | Moves::None))
        }
        Moves::All(list) | Moves::Priority(list) => list.iter().any(has_wide_pieces),
        Moves::If(parts) => has_wide_pieces(&parts.1) || has_wide_pieces(&parts.2),
        Moves::ForEachSite { moves, otherwise, .. } => {
            has_wide_pieces(moves) || has_wide_pieces(otherwise)
        }
        Moves::ForEachValue { moves, .. } | Moves::ForEachPlayer { moves, .. } => {
            has_wide_pieces(moves)
        }
        Moves::IfAfterwards(parts) => has_wide_pieces(&parts.0),
        Moves::None
        | Moves::Leaf(_)
        | Moves::Custodial(_)
        | Moves::Composite(_)
        | Moves::Compiled(_) => false,
    }
}
