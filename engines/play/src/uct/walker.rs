//! The interface of positions for a search tree: a walker that goes down from the root and back
//! again.

use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::chance::NoChance;
use crate::job::Job;
use crate::mechanics::{Continuation, Mechanics};
use crate::position::Position;
use crate::rng::Rng;
use crate::scores::{Scores, Turn};
use crate::tally::End;

/// A position that goes down a tree. Actions are those that it listed at the same place earlier.
///
/// A tree calls it a few times a simulation, not once a ply, so that the calls may go through a table
/// of functions: trees of all games whose actions are of one type are one piece of code.
pub(super) trait Walker<A>: Send {
    /// Number of players.
    fn players(&self) -> u8;

    /// Takes actions, from the root on or from where it stands.
    fn go(&mut self, from_root: bool, actions: &[A]);

    /// Makes the position where it stands the root.
    fn settle_here(&mut self);

    /// The turn, and the legal actions, which it writes over `legal`.
    fn list(&mut self, legal: &mut Vec<A>) -> Turn;

    /// True if an action that was listed here only hands on the turn.
    fn is_pass(&self, action: A) -> bool;

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
    /// Playouts that it remembers; behind the first so many are states that are no longer needed.
    aside: Vec<Continuation<M::State>>,
    remembered: usize,
}

impl<M: Mechanics> OfMechanics<M> {
    pub(super) fn new(mechanics: Arc<M>, root: &M::State) -> OfMechanics<M> {
        let (root, here) = (root.clone(), root.clone());
        OfMechanics { mechanics, root, here, legal: Vec::new(), aside: Vec::new(), remembered: 0 }
    }
}

impl<M: Mechanics> Walker<M::Action> for OfMechanics<M> {
    fn players(&self) -> u8 {
        self.mechanics.facts().players
    }

    fn go(&mut self, from_root: bool, actions: &[M::Action]) {
        if from_root {
            self.here.clone_from(&self.root);
        }
        if M::APPLIES_AFTER_EXPAND {
            for &action in actions {
                self.legal.clear();
                self.mechanics.expand(&mut self.here, &mut self.legal);
                self.mechanics.apply(&mut self.here, action, &mut NoChance);
            }
        } else if !actions.is_empty() {
            self.mechanics.apply_all(&mut self.here, actions);
        }
    }

    fn settle_here(&mut self) {
        self.root.clone_from(&self.here);
    }

    fn list(&mut self, legal: &mut Vec<M::Action>) -> Turn {
        legal.clear();
        self.mechanics.expand(&mut self.here, legal)
    }

    fn is_pass(&self, action: M::Action) -> bool {
        self.mechanics.is_pass(&self.here, action)
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
}

impl<'p> OfPosition<'p> {
    pub(super) fn new(root: Box<dyn Position + 'p>, players: u8) -> OfPosition<'p> {
        OfPosition { here: root.copy(), root, players }
    }
}

impl Walker<usize> for OfPosition<'_> {
    fn players(&self) -> u8 {
        self.players
    }

    fn go(&mut self, from_root: bool, actions: &[usize]) {
        if from_root {
            self.here = self.root.copy();
        }
        for &action in actions {
            // What was listed here before is legal here.
            let _ = self.here.play(action, &mut NoChance);
        }
    }

    fn settle_here(&mut self) {
        self.root = self.here.copy();
    }

    fn list(&mut self, legal: &mut Vec<usize>) -> Turn {
        legal.clear();
        legal.extend(0..self.here.actions());
        self.here.turn()
    }

    fn is_pass(&self, action: usize) -> bool {
        self.here.is_pass(action)
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
