//! Moves with all that they do, and moves known by their ends and a number.

use super::effects::Act;
use super::moves::Action;
use super::{Eval, Notes};
use crate::buffer::Buffer;
use crate::ir::{EffectId, Leaf, LeafKind, Moves};

/// A move with everything that it does.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Move {
    /// The generator that made it, for its name.
    pub(crate) leaf: u16,
    /// Origin and destination, -1 for none.
    pub(crate) from: i16,
    pub(crate) to: i16,
    /// Levels of origin and destination, where they are not the tops.
    pub(crate) from_level: Option<u16>,
    pub(crate) to_level: Option<u16>,
    /// The component placed, the player or text chosen.
    pub(crate) piece: i16,
    /// What sort of move it is.
    pub(crate) sort: Sort,
    /// Its actions in order.
    pub(crate) acts: Buffer<Act>,
    /// Its consequences, innermost first.
    pub(crate) then: Buffer<EffectId>,
    /// Sites passed over.
    pub(crate) between: Buffer<u16>,
}

/// Sorts of moves that are told apart when a turn ends, or by their names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sort {
    /// Something is done on the sites.
    Plain,
    /// Nothing is done.
    Pass,
    /// Players change sides.
    Swap,
    /// The next player is named.
    Next,
    /// A text is put on the table.
    Propose,
    /// A text is voted for.
    Vote,
    /// Money is bet.
    Bet,
}

/// The generator number of moves that no generator of the rules made.
pub(crate) const NO_LEAF: u16 = u16::MAX - 1;

/// Moves that one position has at most; [`Brief`] numbers them in 16 bits. More come from
/// nothing but rules made to be many.
pub(crate) const MOST_MOVES: usize = 65_535;

impl Move {
    /// A move of these actions between sites.
    pub(crate) fn new(from: i32, to: i32, acts: Buffer<Act>) -> Move {
        Move {
            leaf: NO_LEAF,
            from: from as i16,
            to: to as i16,
            from_level: None,
            to_level: None,
            piece: 0,
            sort: Sort::Plain,
            acts,
            then: Buffer::new(),
            between: Buffer::new(),
        }
    }

    /// What it is called by, under a number and after so many outcomes of chance.
    pub(crate) fn brief(&self, number: u16, draws: u32) -> Brief {
        let Move { leaf, from, to, piece, sort, .. } = *self;
        Brief { leaf, from, to, piece, sort, number, draws }
    }

    /// The pass of a player without moves.
    pub(crate) fn pass() -> Move {
        Move { sort: Sort::Pass, ..Move::new(-1, -1, Buffer::new()) }
    }

    /// Whether it does nothing but hand on the turn.
    pub(crate) fn is_pass(&self) -> bool {
        self.sort == Sort::Pass
    }
}

/// A move without what it does: enough to tell it apart and to make it by its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Brief {
    pub(crate) leaf: u16,
    pub(crate) from: i16,
    pub(crate) to: i16,
    pub(crate) piece: i16,
    pub(crate) sort: Sort,
    /// The number that it has among all that its generators give, legal or not.
    pub(crate) number: u16,
    /// How many outcomes of chance had been drawn for the list before it.
    pub(crate) draws: u32,
}

/// Moves by their numbers, with what was found out while they were listed.
#[derive(Default, Debug)]
pub(crate) struct Listed {
    pub(crate) list: Vec<Brief>,
    pub(crate) notes: Notes,
    /// Outcomes of chance drawn for the list.
    pub(crate) draws: Vec<u32>,
    /// Room to gather moves in.
    pub(crate) gathered: Vec<i32>,
}

impl Brief {
    /// The pass of a player without moves.
    pub(crate) const PASS: Brief = Brief {
        leaf: NO_LEAF,
        from: -1,
        to: -1,
        piece: 0,
        sort: Sort::Pass,
        number: u16::MAX,
        draws: 0,
    };

    /// Whether it does nothing but hand on the turn.
    pub(crate) fn is_pass(&self) -> bool {
        self.sort == Sort::Pass
    }

    /// Where it starts and ends, and its sort, as a number: equal moves have equal ends.
    pub(crate) fn ends(&self) -> u64 {
        u64::from(self.from as u16) << 32 | u64::from(self.to as u16) << 16 | self.sort as u64
    }
}

impl Leaf {
    /// The sort of its moves.
    pub(super) fn sort(&self) -> Sort {
        match &self.kind {
            LeafKind::Pass => Sort::Pass,
            LeafKind::SetNextPlayer(_) => Sort::Next,
            _ => Sort::Plain,
        }
    }
}

impl<const W: usize> Eval<'_, W> {
    /// The moves of a generator, made.
    pub(crate) fn all_made(&mut self, moves: &Moves) -> Buffer<Move> {
        let mut all = Buffer::new();
        self.exactly(|eval| eval.generate(moves, &mut all));
        all
    }

    /// A move of a generator with all that it does.
    pub(super) fn made(&mut self, leaf: &Leaf, action: Action) -> Move {
        let mut acts = Buffer::new();
        acts.ready();
        self.acts(leaf, action, &mut acts);
        let mut made = Move::new(i32::from(action.from), i32::from(action.to), acts);
        made.leaf = leaf.id;
        made.piece = action.piece;
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
            && let Some(table) = slide.rays.of(self.state.what(action.from as usize))
            && let Some(path) =
                self.game.ray(table).of(action.from as usize).nth(action.piece as usize)
        {
            made.between = path.iter().copied().take_while(|&s| s as i16 != action.to).collect();
        }
        made
    }
}
