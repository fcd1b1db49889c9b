//! Moves and their effects as data: primitive actions, moves made of them, and identities of moves.

use crate::buffer::{Buffer, pooled};
use crate::ir::{EffectId, Layer};

/// One primitive action, all its numbers computed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Act {
    Add {
        site: u16,
        what: u16,
        state: Option<i32>,
    },
    Remove(u16),
    /// Marks a piece for removal when the turn ends.
    Defer(u16),
    /// Removes a piece that was deferred: the one with this number among those of its stack.
    Clear {
        site: u16,
        number: u16,
    },
    Insert {
        site: u16,
        level: u16,
        what: u16,
        state: Option<i32>,
    },
    /// Moves a piece of a stack, the top one or one at a level, onto another stack or into it.
    MoveLevel {
        from: u16,
        from_level: Option<u16>,
        to: u16,
        to_level: Option<u16>,
    },
    Seed {
        from: u16,
        to: u16,
    },
    Copy {
        from: u16,
        to: u16,
    },
    RemoveLevel {
        site: u16,
        level: u16,
    },
    MoveTop {
        from: u16,
        to: u16,
        keep: bool,
    },
    MoveStack {
        from: u16,
        to: u16,
    },
    MoveCount {
        from: u16,
        to: u16,
        count: u16,
    },
    Promote {
        site: u16,
        what: u16,
    },
    /// Puts another component in the place of the top one, which keeps everything else.
    Replace {
        site: u16,
        what: u16,
    },
    SetNext(u8),
    SetVar {
        var: usize,
        value: i32,
    },
    SetCounter(i32),
    SetScore {
        player: u8,
        value: i32,
        added: bool,
    },
    SetPlayerValue {
        player: u8,
        value: i32,
    },
    PendSite(u16),
    PendNumber(i32),
    SetLayer {
        layer: Layer,
        site: u16,
        level: Option<u16>,
        value: i32,
    },
    SetCount {
        site: u16,
        value: i32,
    },
    Trigger(u8),
    Remember {
        list: usize,
        value: i32,
    },
    Forget {
        list: usize,
        value: i32,
    },
    ForgetAll(usize),
    /// Lets a die show a face, by its index.
    RollDie {
        die: u16,
        face: u16,
    },
    /// Marks a die as used.
    UseDie(u16),
    /// Sets the flag that all dice show the same face.
    SetEqual(bool),
    Flip(u16),
    SwapPlayers(u8, u8),
    StorePosition,
    Propose(u16),
    Vote(u16),
    /// Tells some players, as bits, a message; the state does not change.
    Tell {
        players: u32,
        speaker: Option<u8>,
        words: NoteContent,
    },
    /// Hides properties of a site from some players, as bits, or shows them.
    Hide {
        site: u16,
        kinds: u8,
        players: u32,
        on: bool,
    },
    /// Evaluates these consequences now.
    Then(EffectId),
}

/// The content of a message, before it becomes text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NoteContent {
    /// A text of the game, by its number.
    Text(u16),
    Number(i32),
    Truth(bool),
}

impl Act {
    /// The site from which an action removes a piece, now or when the turn ends.
    pub(crate) fn removes(self) -> Option<u16> {
        match self {
            Act::Remove(site)
            | Act::RemoveLevel { site, .. }
            | Act::Defer(site)
            | Act::Clear { site, .. } => Some(site),
            _ => None,
        }
    }

    /// The first and the last site of an action, if it has any.
    pub(crate) fn sites(self) -> Option<(u16, u16)> {
        match self {
            Act::Add { site, .. }
            | Act::Insert { site, .. }
            | Act::Remove(site)
            | Act::Defer(site)
            | Act::Clear { site, .. }
            | Act::RemoveLevel { site, .. }
            | Act::Promote { site, .. }
            | Act::Replace { site, .. }
            | Act::SetLayer { site, .. }
            | Act::SetCount { site, .. } => Some((site, site)),
            Act::MoveTop { from, to, .. }
            | Act::MoveLevel { from, to, .. }
            | Act::MoveStack { from, to }
            | Act::MoveCount { from, to, .. }
            | Act::Seed { from, to }
            | Act::Copy { from, to } => Some((from, to)),
            _ => None,
        }
    }
}

/// A move with all its effects.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Move {
    /// The generator that made it, which gives the move its name.
    pub(crate) leaf: u16,
    /// Origin and destination, -1 for none.
    pub(crate) from: i16,
    pub(crate) to: i16,
    /// Levels of origin and destination, unless they are the tops.
    pub(crate) from_level: Option<u16>,
    pub(crate) to_level: Option<u16>,
    /// The component placed, or the player or text chosen.
    pub(crate) piece: i16,
    /// The sort of the move.
    pub(crate) sort: Sort,
    /// Its actions in order.
    pub(crate) acts: Buffer<Act>,
    /// Its consequences, innermost first.
    pub(crate) then: Buffer<EffectId>,
    /// Sites passed over.
    pub(crate) between: Buffer<u16>,
}

/// Sorts of moves that differ at the end of a turn, or in their names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Sort {
    /// Has effects on sites.
    Plain,
    /// Has no effects.
    Pass,
    /// Lets players change sides.
    Swap,
    /// Names the next player.
    Next,
    /// Proposes a text.
    Propose,
    /// Votes for a text.
    Vote,
    /// Bets money.
    Bet,
    /// Makes a suit trump.
    Trump,
}

/// The generator number of moves that no generator of the rules made.
pub(crate) const NO_LEAF: u16 = u16::MAX - 1;

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

    /// The identity of the move, with its number and the number of outcomes of chance drawn before.
    pub(crate) fn id(&self, number: u16, draws: u32) -> MoveId {
        let Move { leaf, from, to, piece, sort, .. } = *self;
        MoveId { leaf, from, to, piece, sort, number, draws }
    }

    /// The pass of a player without moves.
    pub(crate) fn pass() -> Move {
        Move { sort: Sort::Pass, ..Move::new(-1, -1, Buffer::new()) }
    }

    /// True if the move only hands on the turn.
    pub(crate) fn is_pass(&self) -> bool {
        self.sort == Sort::Pass
    }
}

/// The identity of a move: enough to distinguish it, and to make it by its number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct MoveId {
    pub(crate) leaf: u16,
    pub(crate) from: i16,
    pub(crate) to: i16,
    pub(crate) piece: i16,
    pub(crate) sort: Sort,
    /// The number of the move among all that its generators give, legal or not.
    pub(crate) number: u16,
    /// Number of outcomes of chance that had been drawn for the list before this move.
    pub(crate) draws: u32,
}

impl MoveId {
    /// The pass of a player without moves.
    pub(crate) const PASS: MoveId = MoveId {
        leaf: NO_LEAF,
        from: -1,
        to: -1,
        piece: 0,
        sort: Sort::Pass,
        number: u16::MAX,
        draws: 0,
    };

    /// True if the move only hands on the turn.
    pub(crate) fn is_pass(&self) -> bool {
        self.sort == Sort::Pass
    }

    /// Origin, destination and sort as a number: equal moves have equal ends.
    pub(crate) fn ends(&self) -> u64 {
        u64::from(self.from as u16) << 32 | u64::from(self.to as u16) << 16 | self.sort as u64
    }
}

/// A move of a generator, before its effects are computed.
#[derive(Clone, Copy)]
pub(crate) struct Ends {
    /// Origin and destination, -1 for none.
    pub(crate) from: i16,
    pub(crate) to: i16,
    /// The component placed, the player chosen, the number of a path, or the steps turned.
    pub(crate) piece: i16,
}

pooled!(Act, Move, (u16, Move));
