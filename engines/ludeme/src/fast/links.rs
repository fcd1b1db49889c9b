//! Connections kept up to date: a union-find forest over the pieces of each player (Tarjan 1975, with
//! path halving), where pieces are only ever added.

use std::cell::Cell;

use super::Cx;
use super::conditions::is_symmetric;
use crate::game::Game;
use crate::ir::{Bool, ConnectRegions, Connection, EndRule, Int, JumpId, LeafKind, Moves};
use crate::set::Set;
use crate::state::Flavour;

/// What the rules ask to be connected.
pub(super) struct LinkPlan<const W: usize> {
    connection: Connection,
    near: Box<[Set<W>]>,
    /// By player: the regions that each site touches, as bits.
    touch: Box<[Box<[u8]>]>,
    /// By player: how many regions must be touched.
    wanted: Box<[u32]>,
}

/// The forest of one playout. A site is a tree of its own when a piece comes to it, so nothing has to
/// be cleared between playouts.
#[derive(Default)]
pub(super) struct Forest {
    parent: Vec<Cell<u16>>,
    touch: Vec<Cell<u8>>,
}

impl Forest {
    pub(super) fn new(sites: usize) -> Forest {
        Forest { parent: vec![Cell::new(0); sites], touch: vec![Cell::new(0); sites] }
    }

    fn root(&self, site: usize) -> usize {
        let mut at = site;
        loop {
            let up = usize::from(self.parent[at].get());
            if up == at {
                return at;
            }
            let above = self.parent[up].get();
            self.parent[at].set(above);
            at = usize::from(above);
        }
    }
}

impl<const W: usize> LinkPlan<W> {
    /// A plan for the one connection that the end rules ask for, where pieces are placed one at a
    /// time and never move, change or disappear.
    pub(super) fn of(game: &Game<W>) -> Option<LinkPlan<W>> {
        let places_only = game.leaves.iter().flatten().all(|leaf| {
            let plain = match &leaf.kind {
                LeafKind::Add { count, apply: None, .. } => *count == Int::Const(1),
                LeafKind::Select { .. } | LeafKind::Pass => true,
                _ => false,
            };
            plain && leaf.then.iter().all(|&e| is_harmless(game.effect(e)))
        });
        if !places_only || game.layout.flavour != Flavour::Flat || game.random_start {
            return None;
        }
        // Pieces that stand there at the start would have to be linked first.
        if game.initial.components().iter().any(|&what| what != 0) {
            return None;
        }
        let rules = game.end.iter().chain(game.phases.iter().flat_map(|p| p.end.iter()));
        let connection = rules.into_iter().find_map(|rule| match rule {
            EndRule::If { condition: Bool::IsConnected(connection), .. } => Some(connection),
            _ => None,
        })?;
        let Connection { jumps, count, at: None, regions } = &**connection else { return None };
        if !is_symmetric(game, *jumps) {
            return None;
        }
        let ConnectRegions::Of(Int::Mover, sets) = regions else { return None };
        let mut touch = Vec::new();
        let mut wanted = Vec::new();
        for sets in sets {
            if sets.len() > 8 {
                return None;
            }
            let regions: Vec<Set<W>> = sets.iter().map(|&s| game.set(s)).collect();
            let bits = |site: usize| {
                let touching = regions.iter().enumerate().filter(|(_, r)| r.contains(site));
                touching.fold(0u8, |bits, (i, _)| bits | 1 << i)
            };
            touch.push((0..game.world.sites()).map(bits).collect());
            wanted.push(match count {
                None => regions.len() as u32,
                Some(Int::Const(n)) => u32::try_from(*n).ok()?,
                Some(_) => return None,
            });
        }
        Some(LinkPlan {
            connection: (**connection).clone(),
            near: near(game, *jumps),
            touch: touch.into(),
            wanted: wanted.into(),
        })
    }

    /// Whether this is the connection that is kept, asked by the player who has just moved.
    pub(super) fn answers(&self, connection: &Connection, mover: u8) -> bool {
        self.connection == *connection && mover > 0
    }

    /// How many regions a player's group must touch.
    pub(super) fn wanted(&self, player: usize) -> u32 {
        self.wanted.get(player).copied().unwrap_or(u32::MAX)
    }

    /// Takes note of a piece that was placed; the regions that its group touches now, as bits.
    #[inline]
    pub(super) fn add(&self, forest: &Forest, site: usize, player: usize, own: &Set<W>) -> u8 {
        forest.parent[site].set(site as u16);
        let mut touch = self.touch[player][site];
        let mut root = site;
        for neighbour in (self.near[site] & *own).iter() {
            let other = forest.root(neighbour);
            if other != root {
                touch |= forest.touch[other].get();
                // The older tree is likely the larger one.
                forest.parent[root].set(other as u16);
                root = other;
            }
        }
        forest.touch[root].set(touch);
        touch
    }

    /// Whether the group of the last piece touches enough regions.
    #[inline]
    pub(super) fn joined(&self, cx: &Cx<'_, W>) -> bool {
        let Ok(site) = usize::try_from(cx.state.head.last_to) else { return false };
        let what = cx.state.what(site);
        let owner = usize::from(cx.game.layout.owner[what]);
        if owner != usize::from(cx.view.mover) {
            // A piece of somebody else: the plain test knows what that means.
            let condition = Bool::IsConnected(Box::new(self.connection.clone()));
            return cx.view.plain(cx).test(&condition);
        }
        let forest = &cx.forest;
        let touched = u32::from(forest.touch[forest.root(site)].get()).count_ones();
        touched > 0 && touched >= self.wanted[owner]
    }
}

fn near<const W: usize>(game: &Game<W>, jumps: JumpId) -> Box<[Set<W>]> {
    (0..game.world.sites()).map(|s| game.jump(jumps).near(s)).collect()
}

/// Whether an effect leaves all pieces where they are.
fn is_harmless(effect: &Moves) -> bool {
    match effect {
        Moves::None => true,
        Moves::Leaf(leaf) => {
            leaf.then.is_empty()
                && matches!(
                    leaf.kind,
                    LeafKind::MoveAgain
                        | LeafKind::SetVar { .. }
                        | LeafKind::SetCounter(_)
                        | LeafKind::SetScore { .. }
                        | LeafKind::Note(_)
                        | LeafKind::Hide(_)
                )
        }
        Moves::All(list) => list.iter().all(is_harmless),
        Moves::If(parts) => is_harmless(&parts.1) && is_harmless(&parts.2),
        _ => false,
    }
}
