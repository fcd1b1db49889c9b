//! Moves are made: what a move that was found does.

use super::Eval;
use crate::buffer::Buffer;
use crate::ir::{Leaf, LeafKind, Moves};
use crate::moves::{Act, Ends, Move, MoveId};

/// Moves by their numbers, with what was found out while they were listed.
#[derive(Default, Debug)]
pub(crate) struct Listed {
    pub(crate) list: Vec<MoveId>,
    /// Outcomes of chance drawn for the list.
    pub(crate) draws: Vec<u32>,
    /// Room to gather moves in.
    pub(crate) gathered: Buffer<i32>,
}

impl Eval<'_> {
    /// The moves of a generator, made.
    pub(crate) fn all_made(&mut self, moves: &Moves) -> Buffer<Move> {
        let mut all = Buffer::new();
        self.generate(moves, &mut all);
        all
    }

    /// A move of a generator with all that it does.
    pub(super) fn made(&mut self, leaf: &Leaf, ends: Ends) -> Move {
        let mut acts = Buffer::new();
        acts.ready();
        self.acts(leaf, ends, &mut acts);
        let mut made = Move::new(i32::from(ends.from), i32::from(ends.to), acts);
        made.leaf = leaf.id;
        made.piece = ends.piece;
        made.then.extend_from_slice(&leaf.then);
        made.sort = leaf.sort();
        match made.acts.last() {
            Some(&Act::RemoveLevel { level, .. }) => made.from_level = Some(level),
            Some(&Act::MoveLevel { from_level, to_level, .. }) => {
                made.from_level = from_level;
                made.to_level = to_level;
            }
            Some(&Act::Insert { level, .. }) => made.to_level = Some(level),
            _ => {}
        }
        if let LeafKind::Select { level: Some(level), .. } = &leaf.kind {
            made.from_level = u16::try_from(self.int(level)).ok();
        }
        if let LeafKind::Slide(slide) = &leaf.kind
            && let Some(table) = slide.rays.of(self.state.what(ends.from as usize))
            && let Some(path) = self.game.ray(table).of(ends.from as usize).nth(ends.piece as usize)
        {
            made.between = path.iter().copied().take_while(|&s| s as i16 != ends.to).collect();
        }
        made
    }
}
