//! The graph that networks are built in: AND gates of any width over literals, equal gates shared.
//!
//! NOT is a mark on the edge and OR the negation of an AND of negations, so that De Morgan's laws,
//! double negation and single-input gates need no rules of their own (the form of and-inverter
//! graphs: Kuehlmann, Paruthi, Krohm and Ganai 2002).

use std::hash::Hasher;
use std::ops::Not;

use rustc_hash::FxHasher;

/// A node of a graph or circuit, or its negation, in 32 bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Lit(u32);

impl Lit {
    /// Never true. Node 0 of every graph is the constant.
    pub const FALSE: Lit = Lit(0);
    /// Always true.
    pub const TRUE: Lit = Lit(1);

    /// The literal of a node, negated or not.
    #[inline]
    pub fn new(node: u32, negative: bool) -> Lit {
        Lit(node << 1 | u32::from(negative))
    }

    /// The node.
    #[inline]
    pub fn node(self) -> u32 {
        self.0 >> 1
    }

    /// True if it is negated.
    #[inline]
    pub fn is_negative(self) -> bool {
        self.0 & 1 == 1
    }

    /// Itself, or its negation if `flip`.
    #[inline]
    #[must_use]
    pub fn flip(self, flip: bool) -> Lit {
        Lit(self.0 ^ u32::from(flip))
    }

    /// True if it is [`Lit::FALSE`] or [`Lit::TRUE`].
    pub fn is_constant(self) -> bool {
        self.0 < 2
    }
}

impl Not for Lit {
    type Output = Lit;

    #[inline]
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// The operation of a node of a [`Graph`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Node<'a> {
    /// The constant false; node 0 and no other.
    False,
    /// The proposition with this number holds in the state.
    Base(u32),
    /// The move with this number is taken.
    Does(u32),
    /// A place through which a recursion closes: equal to its definition, with the least solution
    /// where that leads back to it.
    Feedback(u32),
    /// All of these are true. Sorted, at least two.
    And(&'a [Lit]),
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    False,
    Base(u32),
    Does(u32),
    Feedback(u32),
    And { start: u32, len: u32 },
}

/// Gates with shared structure. The inputs of a gate have smaller numbers than the gate; only
/// definitions of feedback nodes lead upwards.
#[derive(Clone, Debug)]
pub struct Graph {
    kinds: Vec<Kind>,
    inputs: Vec<Lit>,
    feedbacks: Vec<Lit>,
    /// Open addressing, 0 for an empty slot.
    slots: Vec<u32>,
    gates: u32,
    spare: Vec<Vec<Lit>>,
}

/// No gate is wider, so that counters of 16 bits suffice for evaluation; a wider one is made of
/// several.
pub const WIDEST: usize = 1 << 14;
/// Gates wider than this are not looked into by local simplification.
const LOCAL: usize = 16;
/// Nor are they simplified with it, above this width.
const WIDE: usize = 256;

impl Default for Graph {
    fn default() -> Graph {
        Graph::new()
    }
}

impl Graph {
    /// The constant alone.
    pub fn new() -> Graph {
        Graph {
            kinds: vec![Kind::False],
            inputs: Vec::new(),
            feedbacks: Vec::new(),
            slots: vec![0; 64],
            gates: 0,
            spare: Vec::new(),
        }
    }

    /// Number of nodes, sources and dead gates included.
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// True if there is nothing but the constant.
    pub fn is_empty(&self) -> bool {
        self.kinds.len() == 1
    }

    /// Bytes that it takes, roughly.
    pub fn bytes(&self) -> usize {
        self.kinds.len() * size_of::<Kind>() + self.inputs.len() * 4 + self.slots.len() * 4
    }

    /// The operation of a node.
    pub fn node(&self, node: u32) -> Node<'_> {
        match self.kinds[node as usize] {
            Kind::False => Node::False,
            Kind::Base(base) => Node::Base(base),
            Kind::Does(action) => Node::Does(action),
            Kind::Feedback(feedback) => Node::Feedback(feedback),
            Kind::And { start, len } => {
                Node::And(&self.inputs[start as usize..(start + len) as usize])
            }
        }
    }

    /// The inputs of an AND gate; empty for other nodes.
    pub fn inputs(&self, node: u32) -> &[Lit] {
        match self.node(node) {
            Node::And(inputs) => inputs,
            _ => &[],
        }
    }

    /// A source: the proposition with this number. Not shared: ask once for each.
    pub fn base(&mut self, base: u32) -> Lit {
        self.push(Kind::Base(base))
    }

    /// A source: the move with this number. Not shared: ask once for each.
    pub fn does(&mut self, action: u32) -> Lit {
        self.push(Kind::Does(action))
    }

    /// A new feedback node, false until it is defined.
    pub fn feedback(&mut self) -> Lit {
        self.feedbacks.push(Lit::FALSE);
        self.push(Kind::Feedback(self.feedbacks.len() as u32 - 1))
    }

    /// Defines the feedback node behind a literal that [`Graph::feedback`] gave.
    pub fn define(&mut self, feedback: Lit, definition: Lit) {
        if let Kind::Feedback(index) = self.kinds[feedback.node() as usize] {
            // A thing that holds if it holds does not hold, in the least solution.
            self.feedbacks[index as usize] =
                if definition == feedback { Lit::FALSE } else { definition };
        }
    }

    /// The literal that a feedback node, by its number, is equal to.
    pub fn definition(&self, feedback: u32) -> Lit {
        self.feedbacks[feedback as usize]
    }

    /// Gives moves new numbers; those without one must not be met.
    pub(crate) fn renumber_moves(&mut self, renamed: &[Option<u32>]) {
        for kind in &mut self.kinds {
            if let Kind::Does(action) = kind {
                *action = renamed[*action as usize].unwrap_or(u32::MAX);
            }
        }
    }

    fn push(&mut self, kind: Kind) -> Lit {
        self.kinds.push(kind);
        Lit::new(self.kinds.len() as u32 - 1, false)
    }

    /// True if one of these is.
    pub fn or(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        !self.and(lits.into_iter().map(|l| !l))
    }

    /// True if all of these are.
    pub fn and(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        let mut set = self.spare.pop().unwrap_or_default();
        set.clear();
        set.extend(lits);
        let result = self.and_of(&mut set);
        self.spare.push(set);
        result
    }

    fn and_of(&mut self, set: &mut Vec<Lit>) -> Lit {
        // Each round of local rules makes the set smaller or a member narrower; a few are enough.
        for _ in 0..8 {
            if let Some(constant) = tidy(set) {
                return constant;
            }
            if set.len() > WIDE || !self.look_inside(set) {
                break;
            }
        }
        if let Some(constant) = tidy(set) {
            return constant;
        }
        if let Some(equality) = self.equality(set) {
            return equality;
        }
        if let Some(factored) = self.factor(set) {
            return factored;
        }
        while set.len() > WIDEST {
            let parts: Vec<Lit> = set.chunks_mut(WIDEST).map(|part| self.part(part)).collect();
            *set = parts;
            set.sort_unstable();
        }
        self.intern(set)
    }

    /// Rules over two levels, `x` standing for any member of the set (sorted):
    /// `x (x a)` and `x !(!x a)` lose a member, `x !(x a)` is `x !a`, `x (!x a)` is false.
    /// Returns whether anything changed.
    fn look_inside(&mut self, set: &mut Vec<Lit>) -> bool {
        for at in 0..set.len() {
            let lit = set[at];
            let Kind::And { start, len } = self.kinds[lit.node() as usize] else { continue };
            if len as usize > LOCAL {
                continue;
            }
            let inputs = &self.inputs[start as usize..(start + len) as usize];
            let has = |l: Lit| set.binary_search(&l).is_ok();
            if inputs.iter().any(|&x| has(!x)) {
                // The gate is false.
                if lit.is_negative() {
                    set.remove(at);
                } else {
                    set.clear();
                    set.push(Lit::FALSE);
                }
                return true;
            }
            if let Some(&x) = inputs.iter().find(|&&x| has(x)) {
                if lit.is_negative() {
                    let mut rest: Vec<Lit> = inputs.iter().copied().filter(|&y| y != x).collect();
                    set[at] = !match rest[..] {
                        [only] => only,
                        _ => self.intern(&mut rest),
                    };
                    set.sort_unstable();
                } else {
                    set.retain(|&y| y != x);
                }
                return true;
            }
        }
        false
    }

    /// `!(a !b) !(!a b)`, which is that both are equal, as the negation of `!(a b) !(!a !b)`, which
    /// is that they differ: so these are known as opposites.
    fn equality(&mut self, set: &[Lit]) -> Option<Lit> {
        let &[one, other] = set else { return None };
        let (&[a, b], &[c, d]) = (self.inputs(one.node()), self.inputs(other.node())) else {
            return None;
        };
        let opposite = one.is_negative() && other.is_negative() && (a, b) == (!c, !d);
        if !opposite || a.is_negative() == b.is_negative() {
            return None;
        }
        let [a, b] = [a, b].map(|lit| Lit::new(lit.node(), false));
        let parts = [self.and([a, b]), self.and([!a, !b])].map(|both| !both);
        Some(!self.and(parts))
    }

    /// `(c a) or (c b)` is `c (a or b)`, for what all alternatives share.
    fn factor(&mut self, set: &[Lit]) -> Option<Lit> {
        let is_alternative =
            |l: Lit| l.is_negative() && matches!(self.kinds[l.node() as usize], Kind::And { .. });
        if !set.iter().all(|&l| is_alternative(l)) {
            return None;
        }
        let mut common = self.inputs(set[0].node()).to_vec();
        for lit in &set[1..] {
            let inputs = self.inputs(lit.node());
            common.retain(|c| inputs.binary_search(c).is_ok());
            if common.is_empty() {
                return None;
            }
        }
        let alternatives: Vec<Lit> = set
            .iter()
            .map(|l| {
                let mut rest: Vec<Lit> = self.inputs(l.node()).to_vec();
                rest.retain(|x| common.binary_search(x).is_err());
                !match rest[..] {
                    [] => Lit::TRUE,
                    [only] => only,
                    _ => self.intern(&mut rest),
                }
            })
            .collect();
        let any = !self.and(alternatives);
        common.push(any);
        Some(!self.and(common))
    }

    fn part(&mut self, inputs: &mut [Lit]) -> Lit {
        if let [only] = inputs { *only } else { self.intern(inputs) }
    }

    /// The gate with exactly these inputs, which are sorted, distinct and at least two.
    fn intern(&mut self, inputs: &mut [Lit]) -> Lit {
        debug_assert!(inputs.len() > 1 && inputs.is_sorted());
        if self.gates as usize * 2 >= self.slots.len() {
            self.grow();
        }
        let mask = self.slots.len() - 1;
        let mut slot = hash(inputs) & mask;
        while self.slots[slot] != 0 {
            if self.inputs(self.slots[slot]) == inputs {
                return Lit::new(self.slots[slot], false);
            }
            slot = (slot + 1) & mask;
        }
        let start = self.inputs.len() as u32;
        self.inputs.extend_from_slice(inputs);
        let lit = self.push(Kind::And { start, len: inputs.len() as u32 });
        self.slots[slot] = lit.node();
        self.gates += 1;
        lit
    }

    fn grow(&mut self) {
        let mut slots = vec![0; self.slots.len() * 2];
        let mask = slots.len() - 1;
        for node in 1..self.kinds.len() as u32 {
            let inputs = self.inputs(node);
            if !inputs.is_empty() {
                let mut slot = hash(inputs) & mask;
                while slots[slot] != 0 {
                    slot = (slot + 1) & mask;
                }
                slots[slot] = node;
            }
        }
        self.slots = slots;
    }
}

fn hash(inputs: &[Lit]) -> usize {
    let mut hasher = FxHasher::default();
    for lit in inputs {
        hasher.write_u32(lit.0);
    }
    hasher.finish() as usize
}

/// Sorts the inputs of an AND and takes out what says nothing; the result if it needs no gate.
fn tidy(set: &mut Vec<Lit>) -> Option<Lit> {
    set.sort_unstable();
    set.dedup();
    if set.first() == Some(&Lit::FALSE) {
        return Some(Lit::FALSE);
    }
    if set.first() == Some(&Lit::TRUE) {
        set.remove(0);
    }
    if set.windows(2).any(|pair| pair[0] == !pair[1]) {
        return Some(Lit::FALSE);
    }
    match set[..] {
        [] => Some(Lit::TRUE),
        [only] => Some(only),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_gates_are_one_and_trivial_ones_none() {
        let mut g = Graph::new();
        let [a, b, c] = [g.base(0), g.base(1), g.base(2)];
        let ab = g.and([a, b]);
        assert_eq!(g.and([b, a, Lit::TRUE, b]), ab);
        assert_eq!(g.and([a]), a);
        assert_eq!(g.and([]), Lit::TRUE);
        assert_eq!(g.and([a, !a, b]), Lit::FALSE);
        assert_eq!(g.or([a, !a]), Lit::TRUE);
        assert_eq!(g.or([!a, !b]), !ab, "De Morgan");
        let abc = g.and([a, b, c]);
        assert_ne!(abc, ab);
        assert_eq!(g.len(), 1 + 3 + 2);
    }

    #[test]
    fn local_rules_absorb_and_factor() {
        let mut g = Graph::new();
        let [a, b, c] = [g.base(0), g.base(1), g.base(2)];
        let ab = g.and([a, b]);
        assert_eq!(g.or([a, ab]), a, "a or (a b)");
        assert_eq!(g.and([a, ab]), ab, "a (a b)");
        assert_eq!(g.and([!a, ab]), Lit::FALSE, "!a (a b)");
        let (a_or_b, not_a_b) = (g.or([a, b]), g.and([!a, b]));
        assert_eq!(g.or([a, not_a_b]), a_or_b, "a or (!a b)");
        let a_not_b = g.and([a, !b]);
        assert_eq!(g.and([a, !ab]), a_not_b, "a !(a b)");
        assert_eq!(g.or([ab, a_not_b]), a, "(a b) or (a !b)");
        let ac = g.and([a, c]);
        let b_or_c = g.or([b, c]);
        let factored = g.and([a, b_or_c]);
        assert_eq!(g.or([ab, ac]), factored, "(a b) or (a c)");
        let neither = g.and([!a, !b]);
        let (equal, differ) = (g.or([ab, neither]), g.or([a_not_b, not_a_b]));
        assert_eq!(equal, !differ, "(a b) or (!a !b)");
    }
}
