//! How the roles choose in all lanes at once.
//!
//! The legal moves of a role are a bit a lane each. A tree of adders counts them for all lanes; a
//! number drawn for each lane, bit-sliced as the counts are, then finds its way down the tree: at
//! each node it is either less than the left count and goes left, or the left count is taken away
//! and it goes right. The leaves are blocks of [`BLOCK`] moves.

use super::slots::Index;
use crate::cpu::{Cpu, Task};
use crate::vector::Vector;

/// Moves of a leaf.
pub(crate) const BLOCK: usize = 8;

/// The choice of one role, or of whichever has the turn.
#[derive(Debug)]
pub(crate) struct Ballot<I> {
    /// The roles. At most one has the turn.
    pub(crate) seats: Vec<Seat<I>>,
    /// Slots that say of passes whether they are legal, perhaps negated.
    pub(crate) passes: Vec<(I, bool)>,
    blocks: Vec<Block<I>>,
    /// First the blocks, then sums of two nodes before them, the sum of all last.
    nodes: Vec<Node>,
}

/// A role.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seat<I> {
    /// Whether the role is a player rather than nature.
    pub(crate) player: bool,
    /// The slot that says whether it has the turn, perhaps negated.
    pub(crate) turn: (I, bool),
}

/// Moves side by side: where it stands whether they are legal, and where whether they are made.
#[derive(Clone, Copy, Debug)]
struct Block<I> {
    legal: [I; BLOCK],
    does: [I; BLOCK],
}

/// A part of the moves. Places are those of planes, one bit of all lanes each.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// The number of legal moves, lowest plane first.
    count: Planes,
    /// Which of them is chosen, if it is among them.
    rest: Planes,
    /// Whether it is among them.
    valid: u32,
    /// The two parts of it; for a block itself.
    parts: [u32; 2],
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

impl<I: Index> Ballot<I> {
    /// For roles and moves with these slots (legal, made), of which some are passes. `nothing` is a slot that
    /// is always false, `nowhere` one that nobody reads. Takes planes from `planes` on.
    pub(crate) fn new(
        seats: Vec<Seat<I>>,
        moves: &[(I, I)],
        passes: Vec<(I, bool)>,
        [nothing, nowhere]: [I; 2],
        planes: &mut u32,
    ) -> Ballot<I> {
        let mut blocks: Vec<Block<I>> = moves
            .chunks(BLOCK)
            .map(|chunk| {
                let mut block = Block { legal: [nothing; BLOCK], does: [nowhere; BLOCK] };
                for (at, &(legal, does)) in chunk.iter().enumerate() {
                    (block.legal[at], block.does[at]) = (legal, does);
                }
                block
            })
            .collect();
        if blocks.is_empty() {
            blocks.push(Block { legal: [nothing; BLOCK], does: [nowhere; BLOCK] });
        }
        let mut node = |moves: usize, parts: [u32; 2]| Node {
            count: Planes::new(bits(moves), planes),
            rest: Planes::new(bits(moves - 1), planes),
            valid: Planes::new(1, planes).start,
            parts,
        };
        // Nodes of one height with the number of moves below them.
        let mut nodes: Vec<Node> = (0..blocks.len() as u32).map(|b| node(BLOCK, [b; 2])).collect();
        let mut row: Vec<(u32, usize)> =
            (0..blocks.len() as u32).map(|block| (block, BLOCK)).collect();
        while row.len() > 1 {
            row = row
                .chunks(2)
                .map(|pair| match *pair {
                    [(left, a), (right, b)] => {
                        nodes.push(node(a + b, [left, right]));
                        (nodes.len() as u32 - 1, a + b)
                    }
                    _ => pair[0],
                })
                .collect();
        }
        // What goes left keeps its number.
        for at in (blocks.len()..nodes.len()).rev() {
            let left = nodes[at].parts[0] as usize;
            nodes[left].rest.start = nodes[at].rest.start;
        }
        Ballot { seats, passes, blocks, nodes }
    }

    /// Whether players choose, rather than nature.
    #[inline(always)]
    pub(crate) fn is_players(&self) -> bool {
        self.seats.iter().any(|seat| seat.player)
    }

    fn root(&self) -> &Node {
        &self.nodes[self.nodes.len() - 1]
    }

    /// The number of legal moves.
    pub(crate) fn count(&self) -> Planes {
        self.root().count
    }

    /// The number of the chosen one among them.
    pub(crate) fn rest(&self) -> Planes {
        self.root().rest
    }
}

/// Counts the legal moves of a role.
pub(crate) struct Count<'a, I: Index, V: Vector> {
    pub(crate) ballot: &'a Ballot<I>,
    pub(crate) slots: &'a I::Slots<V>,
    pub(crate) planes: &'a mut [V],
}

impl<I: Index, V: Vector> Task for Count<'_, I, V> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, _: C) {
        let Count { ballot, slots, planes } = self;
        let (leaves, sums) = ballot.nodes.split_at(ballot.blocks.len());
        for (node, block) in leaves.iter().zip(&ballot.blocks) {
            let counted = count(block.legal.map(|slot| slot.get(slots)));
            planes[node.count.range()].copy_from_slice(&counted);
        }
        for node in sums {
            let [left, right] = node.parts.map(|part| ballot.nodes[part as usize].count);
            let mut carry = V::NONE;
            for at in 0..node.count.len {
                let (a, b) = (left.get(planes, at), right.get(planes, at));
                planes[(node.count.start + at) as usize] = a.sum3(b, carry);
                carry = a.carry3(b, carry);
            }
        }
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
    pub(crate) ballot: &'a Ballot<I>,
    pub(crate) slots: &'a mut I::Slots<V>,
    pub(crate) planes: &'a mut [V],
}

impl<I: Index, V: Vector> Task for Mark<'_, I, V> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, _: C) {
        let Mark { ballot, slots, planes } = self;
        let (leaves, sums) = ballot.nodes.split_at(ballot.blocks.len());
        planes[ballot.root().valid as usize] = V::ALL;
        for node in sums.iter().rev() {
            let [left, right] = node.parts.map(|part| &ballot.nodes[part as usize]);
            let mut borrow = V::NONE;
            for at in 0..node.rest.len {
                let rest = planes[(node.rest.start + at) as usize];
                let count = left.count.get(planes, at);
                if at < right.rest.len {
                    planes[(right.rest.start + at) as usize] = rest.sum3(count, borrow);
                }
                borrow = rest.borrow3(count, borrow);
            }
            let valid = planes[node.valid as usize];
            planes[left.valid as usize] = valid.and(borrow);
            planes[right.valid as usize] = valid.without(borrow);
        }
        for (node, block) in leaves.iter().zip(&ballot.blocks) {
            let legal = block.legal.map(|slot| slot.get(slots));
            let rest = [0, 1, 2].map(|at| planes[(node.rest.start + at) as usize]);
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
