//! The interface of positions for a search tree: a walker that goes down from the root and back
//! again.

use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

use crate::chance::NoChance;
use crate::job::Job;
use crate::mechanics::{Continuation, Mechanics};
use crate::position::Position;
use crate::rng::Rng;
use crate::scores::{Scores, Turn};
use crate::tally::End;

/// A position that goes down a tree, and the actions that the tree has it keep: by their numbers
/// the tree says where to go. Each was listed at the same place earlier.
///
/// A tree calls it a few times a simulation, not once a ply, so that the calls may go through a
/// table of functions: trees of all games are one piece of code.
pub(super) trait Walker: Send {
    /// Number of players.
    fn players(&self) -> u8;

    /// Takes actions that it has kept, from the root on or from where it stands.
    fn go(&mut self, from_root: bool, actions: &[u32]);

    /// Makes the position where it stands the root.
    fn settle_here(&mut self);

    /// Lists the legal actions; whose turn it is, and their number.
    fn list(&mut self) -> (Turn, u32);

    /// True if the only action that was listed only hands on the turn.
    fn is_pass(&self) -> bool;

    /// Keeps the actions that were listed; the number of the first, which the others follow.
    fn keep(&mut self) -> u32;

    /// Keeps only these of all actions, and numbers them anew in this order.
    fn keep_only(&mut self, actions: &[Range<u32>]);

    /// The scores of a position that is over.
    fn scores(&self) -> Scores;

    /// Plays at random to the end, and may leave the position anywhere.
    fn play_out(&mut self, rng: &mut Rng, cap: u32) -> End;

    /// Plays a job from where it stands, and stays there; appends the ends.
    fn play_all(&mut self, job: &Job, ends: &mut Vec<End>);

    /// The number of playouts from different positions that are quicker together, see
    /// [`Mechanics::side_by_side`].
    fn side_by_side(&self) -> Option<RangeInclusive<usize>> {
        None
    }

    /// Remembers a playout that goes on from where it stands.
    fn set_aside(&mut self, _rng: Rng, _cap: u32) {}

    /// Plays those that it remembers side by side, in their order, and forgets them; appends the
    /// ends. It may then stand anywhere.
    fn play_set_aside(&mut self, _ends: &mut Vec<End>) {}
}

/// States of an engine.
pub(super) struct OfMechanics<M: Mechanics> {
    mechanics: Arc<M>,
    root: M::State,
    here: M::State,
    legal: Vec<M::Action>,
    kept: Vec<M::Action>,
    /// Playouts that it remembers; behind the first so many are states that are no longer needed.
    aside: Vec<Continuation<M::State>>,
    remembered: usize,
    // Kept between simulations for its memory only.
    path: Vec<M::Action>,
}

impl<M: Mechanics> OfMechanics<M> {
    pub(super) fn new(mechanics: Arc<M>, root: &M::State) -> OfMechanics<M> {
        let (root, here) = (root.clone(), root.clone());
        let (legal, kept, path) = (Vec::new(), Vec::new(), Vec::new());
        let (aside, remembered) = (Vec::new(), 0);
        OfMechanics { mechanics, root, here, legal, kept, aside, remembered, path }
    }
}

impl<M: Mechanics> Walker for OfMechanics<M> {
    fn players(&self) -> u8 {
        self.mechanics.facts().players
    }

    fn go(&mut self, from_root: bool, actions: &[u32]) {
        let OfMechanics { mechanics, root, here, legal, kept, path, .. } = self;
        if from_root {
            here.clone_from(root);
        }
        path.clear();
        for &action in actions {
            path.push(kept[action as usize]);
        }
        if M::APPLIES_AFTER_EXPAND {
            for &action in &*path {
                legal.clear();
                mechanics.expand(here, legal);
                mechanics.apply(here, action, &mut NoChance);
            }
        } else if !path.is_empty() {
            mechanics.apply_all(here, path);
        }
    }

    fn settle_here(&mut self) {
        self.root.clone_from(&self.here);
    }

    fn list(&mut self) -> (Turn, u32) {
        self.legal.clear();
        let turn = self.mechanics.expand(&mut self.here, &mut self.legal);
        (turn, self.legal.len() as u32)
    }

    fn is_pass(&self) -> bool {
        self.mechanics.is_pass(&self.here, self.legal[0])
    }

    fn keep(&mut self) -> u32 {
        self.kept.extend_from_slice(&self.legal);
        (self.kept.len() - self.legal.len()) as u32
    }

    fn keep_only(&mut self, actions: &[Range<u32>]) {
        let mut kept = Vec::new();
        for part in actions {
            kept.extend_from_slice(&self.kept[part.start as usize..part.end as usize]);
        }
        self.kept = kept;
    }

    fn scores(&self) -> Scores {
        self.mechanics.scores(&self.here)
    }

    fn play_out(&mut self, rng: &mut Rng, cap: u32) -> End {
        self.mechanics.playout(&mut self.here, &mut self.legal, rng, cap)
    }

    fn play_all(&mut self, job: &Job, ends: &mut Vec<End>) {
        self.mechanics.playouts(&self.here, job, ends);
    }

    fn side_by_side(&self) -> Option<RangeInclusive<usize>> {
        self.mechanics.side_by_side()
    }

    fn set_aside(&mut self, rng: Rng, cap: u32) {
        match self.aside.get_mut(self.remembered) {
            Some(old) => {
                old.state.clone_from(&self.here);
                (old.rng, old.cap) = (rng, cap);
            }
            None => self.aside.push(Continuation { state: self.here.clone(), rng, cap }),
        }
        self.remembered += 1;
    }

    fn play_set_aside(&mut self, ends: &mut Vec<End>) {
        let remembered = std::mem::take(&mut self.remembered);
        self.mechanics.play_each(&mut self.aside[..remembered], ends);
    }
}

/// Positions behind the face that all engines share.
pub(super) struct OfPosition<'p> {
    root: Box<dyn Position + 'p>,
    here: Box<dyn Position + 'p>,
    players: u8,
    /// Actions by their numbers in the lists of their positions.
    kept: Vec<u32>,
}

impl<'p> OfPosition<'p> {
    pub(super) fn new(root: Box<dyn Position + 'p>, players: u8) -> OfPosition<'p> {
        OfPosition { here: root.copy(), root, players, kept: Vec::new() }
    }
}

impl Walker for OfPosition<'_> {
    fn players(&self) -> u8 {
        self.players
    }

    fn go(&mut self, from_root: bool, actions: &[u32]) {
        if from_root {
            self.here = self.root.copy();
        }
        for &action in actions {
            // What was listed here before is legal here.
            let _ = self.here.play(self.kept[action as usize] as usize, &mut NoChance);
        }
    }

    fn settle_here(&mut self) {
        self.root = self.here.copy();
    }

    fn list(&mut self) -> (Turn, u32) {
        (self.here.turn(), self.here.actions() as u32)
    }

    fn is_pass(&self) -> bool {
        self.here.is_pass(0)
    }

    fn keep(&mut self) -> u32 {
        let first = self.kept.len();
        self.kept.extend(0..self.here.actions() as u32);
        first as u32
    }

    fn keep_only(&mut self, actions: &[Range<u32>]) {
        let part = |part: &Range<u32>| &self.kept[part.start as usize..part.end as usize];
        self.kept = actions.iter().flat_map(part).copied().collect();
    }

    fn scores(&self) -> Scores {
        self.here.scores().unwrap_or(Scores::DRAW)
    }

    fn play_out(&mut self, rng: &mut Rng, cap: u32) -> End {
        self.here.playout(rng, cap)
    }

    fn play_all(&mut self, job: &Job, ends: &mut Vec<End>) {
        self.here.playouts(job, ends);
    }
}
