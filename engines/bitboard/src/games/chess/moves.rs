//! The moves of one side, as sets of squares that they lead to.

use crate::bits::Bits;
use crate::choice::{ByRank, Choice};
use crate::rays::{self, NORTH, is_straight, nearest, opposite, slides};
use cpu::{Cpu, Eight, Plain};

use super::men::{Action, BISHOP, Board, KING, KNIGHT, Men, PAWN, PROMOTIONS, QUEEN, ROOK};

/// The bounds that a game of chess puts on the moves that pieces could make. Skirmish allows it
/// all.
pub(super) struct Bounds {
    /// The squares that pieces other than the king may go to.
    pub(super) targets: u64,
    /// The squares that the king may go to.
    pub(super) king_targets: u64,
    /// For each direction the pieces that must not leave their line by a move in it.
    pub(super) pinned: [u64; 8],
    /// Own pawns that may capture en passant.
    pub(super) passants: u64,
    /// The rooks with which the king may castle, so far as squares between are not concerned.
    pub(super) castling: u64,
}

impl Bounds {
    /// None.
    pub(super) const NONE: Bounds =
        Bounds { targets: !0, king_targets: !0, pinned: [0; 8], passants: !0, castling: !0 };
}

/// Files to the right and ranks up of a knight's moves; the last four are opposite to the first.
const HOPS: [(i32, i32); 8] =
    [(2, 1), (1, 2), (-1, 2), (-2, 1), (-2, -1), (-1, -2), (1, -2), (2, -1)];

const HOP_STRIDES: [u32; 4] = [10, 17, 15, 6];

/// The number of bits by which each hop turns the words of a set.
const HOP_TURNS: [u32; 8] = [10, 17, 15, 6, 54, 47, 49, 58];

/// The squares that each hop can lead to.
const HOPPED: [u64; 8] = {
    let (mut hopped, mut i) = ([0; 8], 0);
    while i < 8 {
        hopped[i] = Board::staying(-HOPS[i].0, -HOPS[i].1).words[0];
        i += 1;
    }
    hopped
};

/// The squares that a knight's move leads to.
#[inline(always)]
pub(super) const fn hop(set: u64, hop: usize) -> u64 {
    let stride = HOP_STRIDES[hop % 4];
    (if hop < 4 { set << stride } else { set >> stride }) & HOPPED[hop % 8]
}

/// The squares that all knights' moves lead to.
#[inline(always)]
pub(super) fn hops<C: Cpu>(cpu: C, knights: u64) -> C::Eight {
    cpu.all(knights).turned(HOP_TURNS) & cpu.eight(HOPPED)
}

/// The squares around a square, or around all of a set.
#[inline(always)]
pub(super) const fn around(set: u64) -> u64 {
    let row = set | rays::step(set, 0) | rays::step(set, 4);
    (row | row << 8 | row >> 8) & !set
}

/// The pieces that slide in a direction, of both sides.
#[inline(always)]
pub(super) const fn sliders(men: &Men, direction: usize) -> u64 {
    men.kinds[if is_straight(direction) { ROOK } else { BISHOP }] | men.kinds[QUEEN]
}

/// The same for all directions.
#[inline(always)]
pub(super) fn all_sliders<C: Cpu>(cpu: C, men: &Men, side: usize) -> C::Eight {
    let own = men.sides[side % 2];
    let straight = (men.kinds[ROOK] | men.kinds[QUEEN]) & own;
    let diagonal = (men.kinds[BISHOP] | men.kinds[QUEEN]) & own;
    cpu.eight([straight, diagonal, straight, diagonal, straight, diagonal, straight, diagonal])
}

/// The directions of a side's pawns: straight, and to the left and right for captures.
pub(super) const AHEAD: [[usize; 3]; 2] = [[NORTH, NORTH + 1, NORTH - 1], [6, 5, 7]];

/// The rank that a side's pawns have left after a double step's first half, and the last one.
const THIRD: [u64; 2] = [Board::rank(2).words[0], Board::rank(5).words[0]];
const LAST: u64 = Board::rank(0).or(Board::rank(7)).words[0];

/// Rooks towards the h-file and the a-file, with the squares that castling wants empty, by side.
const SHORT: [(u64, u64); 2] = [
    (Board::named("h1").words[0], Board::named("f1 g1").words[0]),
    (Board::named("h8").words[0], Board::named("f8 g8").words[0]),
];
const LONG: [(u64, u64); 2] = [
    (Board::named("a1").words[0], Board::named("b1 c1 d1").words[0]),
    (Board::named("a8").words[0], Board::named("b8 c8 d8").words[0]),
];

/// Kinds of moves that are neither of sliding pieces nor of knights nor promotions.
const STEP: usize = 0;
const CASTLE: usize = 1;
const PUSH: usize = 2;
const DASH: usize = 3;
const TAKE: [usize; 2] = [4, 5];
const PASSANT: [usize; 2] = [6, 7];

/// The moves of a side, numbered group by group.
pub(super) struct Moves<const SIDE: usize> {
    slides: ByRank,
    hops: ByRank,
    others: ByRank,
    /// Pawns' steps straight, to the left and to the right onto the last rank; each counts four
    /// times.
    promotions: Choice<3, 1>,
    occupied: u64,
    king: u64,
}

impl<const SIDE: usize> Moves<SIDE> {
    /// The moves within bounds.
    #[inline(always)]
    pub(super) fn new<C: Cpu>(cpu: C, men: &Men, bounds: &Bounds) -> Moves<SIDE> {
        let (own, enemies) = (men.sides[SIDE], men.sides[1 - SIDE]);
        let occupied = own | enemies;
        let empty = !occupied;
        let targets = bounds.targets & !own;
        let sliders = all_sliders(cpu, men, SIDE).minus(cpu.eight(bounds.pinned));
        let slides = slides(cpu, sliders, empty) & cpu.all(targets);
        // A pinned knight leaves its line by any hop.
        let knights = men.kinds[KNIGHT] & own & !(bounds.pinned[0] | bounds.pinned[2]);
        let hops = hops(cpu, knights) & cpu.all(targets);

        let pawns = men.kinds[PAWN] & own;
        let [ahead, left, right] = AHEAD[SIDE];
        let pushes = rays::step(pawns & !bounds.pinned[ahead], ahead) & empty;
        let dashes = rays::step(pushes & THIRD[SIDE], ahead) & empty & targets;
        let pushes = pushes & targets;
        let takes = [left, right].map(|d| rays::step(pawns & !bounds.pinned[d], d));
        let passants = [left, right].map(|d| rays::step(pawns & bounds.passants, d) & men.passed);
        let takes = takes.map(|to| to & enemies & targets);
        let king = men.kinds[KING] & own;
        let others = Plain([
            around(king) & !own & bounds.king_targets,
            Self::castle(men, bounds, occupied),
            pushes & !LAST,
            dashes,
            takes[0] & !LAST,
            takes[1] & !LAST,
            passants[0],
            passants[1],
        ]);
        let promotions = [pushes, takes[0], takes[1]].map(|to| Bits::from_words([to & LAST]));
        Moves {
            slides: ByRank::new(slides),
            hops: ByRank::new(hops),
            others: ByRank::new(others),
            promotions: Choice::new(promotions),
            occupied,
            king,
        }
    }

    /// The squares that the king castles to.
    #[inline(always)]
    fn castle(men: &Men, bounds: &Bounds, occupied: u64) -> u64 {
        let rooks = men.castling & bounds.castling;
        let may = |(rook, between): (u64, u64)| rooks & rook != 0 && occupied & between == 0;
        let short = u64::from(may(SHORT[SIDE])) * (SHORT[SIDE].0 >> 1);
        let long = u64::from(may(LONG[SIDE])) * (LONG[SIDE].0 << 2);
        short | long
    }

    /// The number of moves.
    #[inline(always)]
    pub(super) fn count(&self) -> u32 {
        self.slides.count()
            + self.hops.count()
            + self.others.count()
            + PROMOTIONS.len() as u32 * self.promotions.count()
    }

    /// The k-th move, which must be there.
    #[inline(always)]
    pub(super) fn nth<C: Cpu>(&self, cpu: C, mut k: u32) -> Action {
        if k < self.slides.count() {
            let (kind, to) = self.slides.nth(cpu, k);
            return self.slide(kind, to.trailing_zeros());
        }
        k -= self.slides.count();
        if k < self.others.count() {
            let (kind, to) = self.others.nth(cpu, k);
            return self.other(kind, to.trailing_zeros());
        }
        k -= self.others.count();
        if k < self.hops.count() {
            let (kind, to) = self.hops.nth(cpu, k);
            return Self::hop(kind, to.trailing_zeros());
        }
        k -= self.hops.count();
        let becomes = PROMOTIONS[k as usize % PROMOTIONS.len()];
        let (kind, to) = self.promotions.nth(cpu, k / PROMOTIONS.len() as u32);
        Self::promotion(kind, to.first_index() as u32, becomes)
    }

    /// All moves in their order.
    pub(super) fn iter(&self) -> impl Iterator<Item = Action> {
        let slides = self.slides.iter().map(|(kind, to)| self.slide(kind, to));
        let others = self.others.iter().map(|(kind, to)| self.other(kind, to));
        let hops = self.hops.iter().map(|(kind, to)| Self::hop(kind, to));
        let promotions = self
            .promotions
            .iter()
            .flat_map(|(kind, to)| PROMOTIONS.map(|becomes| Self::promotion(kind, to, becomes)));
        slides.chain(others).chain(hops).chain(promotions)
    }

    #[inline(always)]
    fn slide(&self, direction: usize, to: u32) -> Action {
        action(nearest(to, opposite(direction), self.occupied), to)
    }

    #[inline(always)]
    fn hop(kind: usize, to: u32) -> Action {
        let stride = HOP_STRIDES[kind % 4];
        action(if kind < 4 { to - stride } else { to + stride }, to)
    }

    #[inline(always)]
    fn other(&self, kind: usize, to: u32) -> Action {
        let back = if SIDE == 0 { to.wrapping_sub(8) } else { to.wrapping_add(8) };
        // Left and right are the same for both sides.
        let from = match kind {
            STEP | CASTLE => self.king.trailing_zeros(),
            PUSH => back,
            DASH if SIDE == 0 => to.wrapping_sub(16),
            DASH => to.wrapping_add(16),
            _ if kind == TAKE[0] || kind == PASSANT[0] => back.wrapping_add(1),
            _ => back.wrapping_sub(1),
        };
        action(from, to)
    }

    #[inline(always)]
    fn promotion(kind: usize, to: u32, becomes: u8) -> Action {
        let back = if SIDE == 0 { to.wrapping_sub(8) } else { to.wrapping_add(8) };
        let from = [back, back.wrapping_add(1), back.wrapping_sub(1)][kind % 3];
        Action { becomes, ..action(from, to) }
    }
}

#[inline(always)]
fn action(from: u32, to: u32) -> Action {
    Action { from: from as u8 % 64, to: to as u8 % 64, becomes: PAWN as u8 }
}
