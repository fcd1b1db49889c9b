//! The choices of roles in all lanes at once.
//!
//! The legal moves of a role are a bit a lane each. A tree of adders counts them for all lanes; a
//! number drawn for each lane, bit-sliced as the counts are, then finds its way down the tree: at
//! each node it is either less than the left count and goes left, or the left count is taken away
//! and it goes right. The leaves are blocks of [`BLOCK`] moves.

use super::slots::Index;
use crate::vector::Vector;
use cpu::{Cpu, Task};

/// Moves of a leaf.
pub(crate) const BLOCK: usize = 8;

/// The choice of one role, or of whichever has the turn.
#[derive(Debug)]
pub(crate) struct MoveSet<I> {
    /// The roles. At most one has the turn.
    pub(crate) seats: Vec<Seat<I>>,
    /// Slots that say of passes whether they are legal, perhaps negated.
    pub(crate) passes: Vec<(I, bool)>,
    blocks: Vec<Block<I>>,
    /// Pairs of blocks, pairs of these pairs, and so on; the last has one.
    levels: Vec<Level>,
    root: Node,
    /// The number of legal moves.
    count: Planes,
}

/// A role.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seat<I> {
    /// True if the role is a player rather than nature.
    pub(crate) player: bool,
    /// The slot that says whether it has the turn, perhaps negated.
    pub(crate) turn: (I, bool),
}

/// Moves side by side: where it stands whether they are legal, and where whether they are made.
#[derive(Clone, Copy, Debug)]
struct Block<I> {
    legal: [I; BLOCK],
    does: [I; BLOCK],
    node: Node,
}

/// A part of the moves, by the first of its planes, which are one bit of all lanes each.
#[derive(Clone, Copy, Debug, Default)]
struct Node {
    /// The number of legal moves, lowest plane first.
    count: u32,
    /// The number of the chosen move, if it is among them. A plane less.
    rest: u32,
    /// The plane that is true if the chosen move is among them.
    valid: u32,
}

/// Nodes of one height, so with numbers of one width.
#[derive(Debug)]
struct Level {
    /// The planes of the counts of their parts.
    width: usize,
    pairs: Vec<Pair>,
}

/// A node with its parts. Its count lies behind theirs, the rest of the second part behind its own
/// and behind all counts, and the first part has the rest of the whole.
#[derive(Clone, Copy, Debug)]
struct Pair {
    whole: Node,
    parts: [Node; 2],
}

/// Consecutive planes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Planes {
    pub(crate) start: u32,
    pub(crate) len: u32,
}

impl Planes {
    /// New planes at the end of those so far.
    pub(crate) fn new(len: u32, end: &mut u32) -> Planes {
        *end += len;
        Planes { start: *end - len, len }
    }

    /// A plane; none above the highest.
    #[inline(always)]
    pub(crate) fn get<V: Vector>(self, planes: &[V], at: u32) -> V {
        if at < self.len { planes[(self.start + at) as usize] } else { V::NONE }
    }

    /// The planes.
    #[inline(always)]
    pub(crate) fn range(self) -> std::ops::Range<usize> {
        self.start as usize..(self.start + self.len) as usize
    }
}

/// Bits of numbers up to `most`.
fn bits(most: usize) -> u32 {
    usize::BITS - most.leading_zeros()
}

impl<I: Index> MoveSet<I> {
    /// For roles and moves with these slots (legal, made), of which some are passes. `nothing` is a
    /// slot that is always false, `nowhere` one that nobody reads. Takes planes from `planes` on.
    pub(crate) fn new(
        seats: Vec<Seat<I>>,
        moves: &[(I, I)],
        passes: Vec<(I, bool)>,
        [nothing, nowhere]: [I; 2],
        planes: &mut u32,
    ) -> MoveSet<I> {
        let mut heights = vec![vec![Node::default(); moves.len().div_ceil(BLOCK).max(1)]];
        while heights[heights.len() - 1].len() > 1 {
            let parts = heights.len() - 1;
            // A part that no move is in, where need be.
            let pairs = heights[parts].len().div_ceil(2);
            heights[parts].resize(2 * pairs, Node::default());
            heights.push(vec![Node::default(); pairs]);
        }
        let mut take = |len: u32| Planes::new(len, planes).start;
        let width = |height: usize| bits(BLOCK << height);
        heights.iter_mut().flatten().for_each(|node| node.valid = take(1));
        for (height, nodes) in heights.iter_mut().enumerate() {
            nodes.iter_mut().for_each(|node| node.count = take(width(height)));
        }
        let top = heights.len() - 1;
        heights[top][0].rest = take(width(top) - 1);
        for height in (1..=top).rev() {
            for at in 0..heights[height - 1].len() / 2 {
                heights[height - 1][2 * at].rest = heights[height][at].rest;
                heights[height - 1][2 * at + 1].rest = take(width(height - 1) - 1);
            }
        }
        let blocks = heights[0].iter().zip(moves.chunks(BLOCK)).map(|(&node, chunk)| {
            let mut block = Block { legal: [nothing; BLOCK], does: [nowhere; BLOCK], node };
            for (at, &(legal, does)) in chunk.iter().enumerate() {
                (block.legal[at], block.does[at]) = (legal, does);
            }
            block
        });
        let levels = heights.windows(2).enumerate().map(|(height, nodes)| Level {
            width: width(height) as usize,
            pairs: (nodes[1].iter().zip(nodes[0].as_chunks::<2>().0))
                .map(|(&whole, &parts)| Pair { whole, parts })
                .collect(),
        });
        let root = heights[top][0];
        MoveSet {
            seats,
            passes,
            blocks: blocks.collect(),
            levels: levels.collect(),
            root,
            count: Planes { start: root.count, len: bits(moves.len()).max(1) },
        }
    }

    /// True if players choose, rather than nature.
    #[inline(always)]
    pub(crate) fn is_players(&self) -> bool {
        self.seats.iter().any(|seat| seat.player)
    }

    /// The number of legal moves.
    pub(crate) fn count(&self) -> Planes {
        self.count
    }

    /// The number of the chosen one among them.
    pub(crate) fn rest(&self) -> Planes {
        let most = self.levels.last().map_or(bits(BLOCK), |level| level.width as u32 + 1);
        Planes { start: self.root.rest, len: most - 1 }
    }
}

/// Calls a function with a width that is known while compiling, where it is one of the usual ones.
macro_rules! by_width {
    ($width:expr, |$known:ident| $call:expr) => {
        by_width!(@ $width, $known, $call, 4 5 6 7 8 9 10 11)
    };
    (@ $width:expr, $known:ident, $call:expr, $($usual:literal)*) => {
        match $width {
            $($usual => { let $known: usize = $usual; $call })*
            $known => $call,
        }
    };
}

/// Counts the legal moves of a role.
pub(crate) struct Count<'a, I: Index, V: Vector> {
    pub(crate) move_set: &'a MoveSet<I>,
    pub(crate) slots: &'a I::Slots<V>,
    pub(crate) planes: &'a mut [V],
}

impl<I: Index, V: Vector> Task for Count<'_, I, V> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, _: C) {
        let Count { move_set, slots, planes } = self;
        for block in &move_set.blocks {
            let counted = count(block.legal.map(|slot| slot.get(slots)));
            planes[block.node.count as usize..][..4].copy_from_slice(&counted);
        }
        for level in &move_set.levels {
            by_width!(level.width, |width| level.pairs.iter().for_each(|p| p.count(width, planes)));
        }
    }
}

impl Pair {
    /// Adds the counts of the parts.
    #[inline(always)]
    fn count<V: Vector>(&self, width: usize, planes: &mut [V]) {
        let (before, own) = planes.split_at_mut(self.whole.count as usize);
        let [left, right] = self.parts.map(|part| &before[part.count as usize..][..width]);
        let own = &mut own[..=width];
        let mut carry = V::NONE;
        for at in 0..width {
            own[at] = left[at].sum3(right[at], carry);
            carry = left[at].carry3(right[at], carry);
        }
        own[width] = carry;
    }

    /// Sees which of the parts the chosen one is in, and which it is there.
    #[inline(always)]
    fn choose<V: Vector>(&self, width: usize, planes: &mut [V]) {
        let [left, right] = &self.parts;
        let (before, behind) = planes.split_at_mut(right.rest as usize);
        let rest = &before[self.whole.rest as usize..][..width];
        let count = &before[left.count as usize..][..width];
        let right_rest = &mut behind[..width - 1];
        let mut borrow = V::NONE;
        for at in 0..width {
            if at < width - 1 {
                right_rest[at] = rest[at].sum3(count[at], borrow);
            }
            borrow = rest[at].borrow3(count[at], borrow);
        }
        let valid = before[self.whole.valid as usize];
        before[left.valid as usize] = valid.and(borrow);
        before[right.valid as usize] = valid.without(borrow);
    }
}

/// The number of bits in eight.
#[inline(always)]
fn count<V: Vector>(bits: [V; BLOCK]) -> [V; 4] {
    let add3 = |a: V, b: V, c: V| (a.sum3(b, c), a.carry3(b, c));
    let add2 = |a: V, b: V| (a.xor(b), a.and(b));
    let [a, b, c, d, e, f, g, h] = bits;
    let (abc, two_abc) = add3(a, b, c);
    let (def, two_def) = add3(d, e, f);
    let (to_g, two_g) = add3(abc, def, g);
    let (one, two_h) = add2(to_g, h);
    let (twos, four_a) = add3(two_abc, two_def, two_g);
    let (two, four_b) = add2(twos, two_h);
    let (four, eight) = add2(four_a, four_b);
    [one, two, four, eight]
}

/// Marks the moves of a role that have been chosen.
pub(crate) struct Mark<'a, I: Index, V: Vector> {
    pub(crate) move_set: &'a MoveSet<I>,
    pub(crate) slots: &'a mut I::Slots<V>,
    pub(crate) planes: &'a mut [V],
}

impl<I: Index, V: Vector> Task for Mark<'_, I, V> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, _: C) {
        let Mark { move_set, slots, planes } = self;
        planes[move_set.root.valid as usize] = V::ALL;
        for level in move_set.levels.iter().rev() {
            by_width!(level.width, |width| level
                .pairs
                .iter()
                .for_each(|p| p.choose(width, planes)));
        }
        for block in &move_set.blocks {
            let node = block.node;
            let legal = block.legal.map(|slot| slot.get(slots));
            let rest = [0, 1, 2].map(|at| planes[node.rest as usize + at]);
            let chosen = select(planes[node.valid as usize], rest, legal);
            for (slot, chosen) in block.does.iter().zip(chosen) {
                slot.set(slots, chosen);
            }
        }
    }
}

/// The set bit of eight that has this number, where `valid` says that it is there.
#[inline(always)]
fn select<V: Vector>(valid: V, [r0, r1, r2]: [V; 3], bits: [V; BLOCK]) -> [V; BLOCK] {
    let [a, b, c, d, e, f, g, h] = bits;
    let (ab, both_ab) = (a.xor(b), a.and(b));
    let (cd, both_cd) = (c.xor(d), c.and(d));
    // The number of set bits among the first four, and what is left without them.
    let carry = ab.and(cd);
    let count = [ab.xor(cd), both_ab.sum3(both_cd, carry), both_ab.carry3(both_cd, carry)];
    let rest0 = r0.xor(count[0]);
    let borrow0 = count[0].without(r0);
    let rest1 = r1.sum3(count[1], borrow0);
    let borrow1 = r1.borrow3(count[1], borrow0);
    let left = r2.borrow3(count[2], borrow1);
    let [a, b, c, d] = among_four(valid.and(left), [r0, r1], [a, b, c, d], (ab, both_ab));
    let ef = (e.xor(f), e.and(f));
    let [e, f, g, h] = among_four(valid.without(left), [rest0, rest1], [e, f, g, h], ef);
    [a, b, c, d, e, f, g, h]
}

#[inline(always)]
fn among_four<V: Vector>(
    valid: V,
    [r0, r1]: [V; 2],
    [a, _, c, _]: [V; 4],
    (one, both): (V, V),
) -> [V; 4] {
    let rest = r0.xor(one);
    let left = r1.borrow3(both, one.without(r0));
    let [a, b] = among_two(valid.and(left), r0, a);
    let [c, d] = among_two(valid.without(left), rest, c);
    [a, b, c, d]
}

#[inline(always)]
fn among_two<V: Vector>(valid: V, rest: V, first: V) -> [V; 2] {
    let chosen = V::map3(valid, first, rest, |valid, first, rest| valid & first & !rest);
    [chosen, valid.without(chosen)]
}
