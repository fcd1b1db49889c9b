//! The parts of a state that have no fixed length.

use play::MAX_PLAYERS;

use super::layout::{Extra, Layout};
use crate::buffer::Buffer;
use crate::moves::Move;

/// A piece of a stack that is gone and still listed, and so may still be moved. The reference lists
/// the pieces of each owner by site and level, and some of its actions cross out another level than
/// the one that is removed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct StalePiece {
    pub(crate) what: u16,
    pub(crate) site: u16,
    pub(crate) level: u16,
}

/// Values left at a level of a stack whose piece is gone. If a level below is removed and those
/// above sink, the reference does not clear the values of the highest one, and a piece that is
/// pushed there without values of its own gets them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Residue {
    pub(crate) site: u16,
    pub(crate) level: u16,
    pub(crate) extra: Extra,
}

/// The short lists of small numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum List {
    /// Sites to be cleared when the turn ends.
    ToClear,
    /// Texts that have been proposed.
    Proposals,
    /// Texts voted for.
    Votes,
    /// Sites that the last move passed over.
    Between,
    /// Sites that the actions of the last move went to.
    Touched,
}

/// All lists of a state.
#[derive(Debug, Default)]
pub(super) struct Lists {
    /// The short lists, by [`List`].
    pub(super) short: [Vec<u16>; 5],
    /// Pieces of stacks that are gone and still listed.
    pub(super) stale_pieces: Vec<StalePiece>,
    /// Values above the tops of stacks.
    pub(super) residues: Vec<Residue>,
    /// The moves that players have chosen so far, if all choose at once.
    pub(super) chosen: Buffer<Move>,
    /// Scores that replace the ranks.
    pub(super) payoffs: Option<[i32; MAX_PLAYERS]>,
    /// Sites of each component in the order of placing, if it is kept in lists.
    pub(super) order: Vec<Vec<u16>>,
    /// Remembered values.
    pub(super) remembered: Vec<Vec<i32>>,
    /// Index of the set of pending sites.
    pub(super) pending: usize,
    /// Index of the first set of sites with hidden properties, if the state has these sets.
    pub(super) hidden: Option<usize>,
}

impl Lists {
    pub(super) fn new(layout: &Layout) -> Lists {
        let components = if layout.has_order_lists() { layout.owner.len() } else { 0 };
        Lists {
            order: vec![Vec::new(); components],
            remembered: vec![Vec::new(); layout.sizes.lists],
            pending: layout.pending(),
            hidden: layout.sizes.hidden.then(|| layout.hidden(0, 1)),
            ..Lists::default()
        }
    }

    /// Copies all lists.
    pub(super) fn copy_all(&mut self, from: &Lists) {
        /// Most lists are empty, and the comparison with empty ones takes less time than a copy.
        fn refill<T: Copy>(to: &mut Vec<T>, from: &[T]) {
            if !to.is_empty() || !from.is_empty() {
                to.clear();
                to.extend_from_slice(from);
            }
        }
        self.order.resize_with(from.order.len(), Vec::new);
        self.remembered.resize_with(from.remembered.len(), Vec::new);
        self.pending = from.pending;
        self.hidden = from.hidden;
        self.payoffs = from.payoffs;
        self.short.iter_mut().zip(&from.short).for_each(|(to, from)| refill(to, from));
        self.order.iter_mut().zip(&from.order).for_each(|(to, from)| refill(to, from));
        self.remembered.iter_mut().zip(&from.remembered).for_each(|(to, from)| refill(to, from));
        refill(&mut self.stale_pieces, &from.stale_pieces);
        refill(&mut self.residues, &from.residues);
        if !self.chosen.is_empty() || !from.chosen.is_empty() {
            self.chosen.clone_from(&from.chosen);
        }
    }

    /// True if two states have the same lists, without those that only tell of the last move.
    pub(super) fn same(&self, other: &Lists) -> bool {
        // The sites that the last move passed over or went to are left out.
        let kept = 0..List::Between as usize;
        self.stale_pieces == other.stale_pieces
            && self.residues == other.residues
            && self.remembered == other.remembered
            && self.short[kept.clone()] == other.short[kept]
            && self.chosen == other.chosen
    }

    pub(super) fn bytes(&self) -> usize {
        std::mem::size_of_val(&self.stale_pieces[..]) + std::mem::size_of_val(&self.residues[..])
    }
}
