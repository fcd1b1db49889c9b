//! The state of games between two armies of equal men.

use play::Player;

use crate::bits::Bits;

/// The squares of both players' men, and who moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Sides<const W: usize> {
    /// First and second player's.
    pub(crate) men: [Bits<W>; 2],
    /// 0 or 1.
    mover: u8,
}

impl<const W: usize> Sides<W> {
    /// These men, the first player to move.
    pub(crate) const fn new(first: Bits<W>, second: Bits<W>) -> Sides<W> {
        Sides { men: [first, second], mover: 0 }
    }

    /// Men of both players, on squares of their own, and the player to move.
    pub(crate) fn placed(men: [Bits<W>; 2], mover: u8) -> Option<Sides<W>> {
        (mover < 2 && !men[0].intersects(men[1])).then_some(Sides { men, mover })
    }

    /// The player to move.
    #[inline(always)]
    pub(crate) fn mover(self) -> Player {
        Player(self.mover)
    }

    /// The men of whoever moves, and the men of the other player.
    #[inline(always)]
    pub(crate) fn own_and_other(self) -> [Bits<W>; 2] {
        let [first, second] = self.men;
        if self.mover == 0 { [first, second] } else { [second, first] }
    }

    /// All men.
    #[inline(always)]
    pub(crate) fn occupied(self) -> Bits<W> {
        self.men[0] | self.men[1]
    }

    /// Replaces the men of whoever moves and of the other player, and hands on the turn.
    #[inline(always)]
    pub(crate) fn become_and_pass(&mut self, own: Bits<W>, other: Bits<W>) {
        self.men = if self.mover == 0 { [own, other] } else { [other, own] };
        self.mover = 1 - self.mover;
    }

    /// Places a man of whoever moves, and hands on the turn.
    #[inline(always)]
    pub(crate) fn place(&mut self, square: u32) {
        let [own, other] = self.own_and_other();
        self.become_and_pass(own | Bits::single(square), other);
    }
}
