//! The counters of a net, in two kinds of storage.
//!
//! A counter is at least 0 exactly when its node is true. Playouts of nets of up to 2^16 nodes keep
//! their counters in arrays of that size, which numbers of 16 bits index without a check. States
//! that are kept, and playouts of larger nets, have room for the nodes that there are.

use cpu::{Cpu, ROW};

/// The number of a node, in the width that edges are stored in.
pub(crate) trait Number: Copy + Send + Sync + 'static {
    /// Storage for playouts of nets whose nodes have such numbers.
    type Cells: Cells + Send;

    /// The number in this width, which must be enough for it.
    fn narrow(node: u32) -> Self;

    /// The number.
    fn wide(self) -> u32;
}

impl Number for u16 {
    type Cells = Narrow;

    fn narrow(node: u32) -> u16 {
        node as u16
    }

    #[inline(always)]
    fn wide(self) -> u32 {
        u32::from(self)
    }
}

impl Number for u32 {
    type Cells = Wide;

    fn narrow(node: u32) -> u32 {
        node
    }

    #[inline(always)]
    fn wide(self) -> u32 {
        self
    }
}

/// Storage for the state of a net.
pub(crate) trait Cells {
    /// Nodes that have changed and are to be visited: a word of the bit set at a time. Kept apart
    /// from the rest so that it can stay in a register.
    type Pending;

    /// Zeros for so many nodes, the first `inner` of which may be visited.
    fn new(nodes: usize, inner: usize) -> Self;

    /// The counters of all nodes.
    fn counters(&self) -> &[i16];

    fn counters_mut(&mut self) -> &mut [i16];

    /// The bit set, a bit for each node.
    fn bits(&self) -> &[u64];

    fn bits_mut(&mut self) -> &mut [u64];

    fn is_on(&self, node: u32) -> bool;

    /// Makes a source true if it is false, and false if it is true. Returns its counter.
    fn toggle(&mut self, node: u32) -> i16;

    /// Adds to a counter; where that makes the node true or false, flips its bit and notes its
    /// word.
    fn add(&mut self, pending: &mut Self::Pending, node: u32, step: i16);

    /// Adds to [`ROW`] counters at once, or takes away from them if `negated`; else like
    /// [`Cells::add`].
    fn add_row<K: Cpu>(
        &mut self,
        cpu: K,
        pending: &mut Self::Pending,
        row: u32,
        steps: &[i16; ROW],
        negated: bool,
    );

    /// Nothing to visit.
    fn pending(&mut self) -> Self::Pending;

    /// Words that may have bits set, from the first to the one to look at no more; lowest first.
    fn next(&mut self, pending: &mut Self::Pending) -> Option<(usize, usize)>;

    /// Hands back what is empty again.
    fn done(&mut self, pending: Self::Pending);
}

/// Storage for up to 2^16 nodes. Numbers of nodes are taken modulo that, which costs nothing where
/// they are stored in 16 bits.
pub(crate) struct Narrow {
    counters: Box<Aligned>,
    bits: Box<[u64; 1 << 10]>,
    /// Each bit of [`NarrowPending`] stands for so many words, as a power of two.
    shift: u32,
    /// Words of nodes to visit, and the bits that stand for them.
    inner: usize,
    mask: u64,
    nodes: usize,
}

/// Counters of which no row lies across lines of the cache.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Aligned([i16; 1 << 16]);

static ZEROS: Aligned = Aligned([0; 1 << 16]);

/// Bits for runs of words.
pub(crate) struct NarrowPending(u64);

impl Cells for Narrow {
    type Pending = NarrowPending;

    fn new(nodes: usize, inner: usize) -> Narrow {
        let inner = inner.div_ceil(64);
        let mut shift = 0;
        while inner.div_ceil(1 << shift) > 63 {
            shift += 1;
        }
        let mask = (1 << inner.div_ceil(1 << shift)) - 1;
        Narrow {
            counters: Box::new(ZEROS),
            bits: Box::new([0; 1 << 10]),
            shift,
            inner,
            mask,
            nodes,
        }
    }

    #[inline(always)]
    fn counters(&self) -> &[i16] {
        &self.counters.0[..self.nodes]
    }

    #[inline(always)]
    fn counters_mut(&mut self) -> &mut [i16] {
        &mut self.counters.0[..self.nodes]
    }

    #[inline(always)]
    fn bits(&self) -> &[u64] {
        &*self.bits
    }

    #[inline(always)]
    fn bits_mut(&mut self) -> &mut [u64] {
        &mut *self.bits
    }

    #[inline(always)]
    fn is_on(&self, node: u32) -> bool {
        self.counters.0[usize::from(node as u16)] >= 0
    }

    #[inline(always)]
    fn toggle(&mut self, node: u32) -> i16 {
        // Between 0 and -1.
        let counter = &mut self.counters.0[usize::from(node as u16)];
        *counter = !*counter;
        *counter
    }

    #[inline(always)]
    fn add(&mut self, pending: &mut NarrowPending, node: u32, step: i16) {
        let node = node as u16;
        let counter = &mut self.counters.0[usize::from(node)];
        let old = *counter;
        let new = old.wrapping_add(step);
        *counter = new;
        // The sign says whether the node is true.
        let crossed = u64::from((old ^ new) as u16 >> 15);
        self.bits[usize::from(node >> 6)] ^= crossed << (node & 63);
        pending.0 |= crossed << (u32::from(node) >> 6 >> self.shift).min(63);
    }

    #[inline(always)]
    fn add_row<K: Cpu>(
        &mut self,
        cpu: K,
        pending: &mut NarrowPending,
        row: u32,
        steps: &[i16; ROW],
        negated: bool,
    ) {
        let row = row as usize % ((1 << 16) / ROW);
        let crossed = cpu.shift(&mut self.counters.0.as_chunks_mut().0[row], steps, negated);
        self.bits[row / 2] ^= u64::from(crossed) << (row % 2 * ROW);
        pending.0 |= u64::from(crossed != 0) << (row as u32 >> 1 >> self.shift).min(63);
    }

    #[inline(always)]
    fn pending(&mut self) -> NarrowPending {
        NarrowPending(0)
    }

    #[inline(always)]
    fn next(&mut self, pending: &mut NarrowPending) -> Option<(usize, usize)> {
        let runs = pending.0 & self.mask;
        if runs == 0 {
            return None;
        }
        pending.0 = runs & (runs - 1);
        let start = (runs.trailing_zeros() as usize) << self.shift;
        Some((start, (start + (1 << self.shift)).min(self.inner)))
    }

    #[inline(always)]
    fn done(&mut self, _pending: NarrowPending) {}
}

/// Storage for any number of nodes.
#[derive(Debug)]
pub(crate) struct Wide {
    counters: Vec<i16>,
    bits: Vec<u64>,
    /// A bit for each word of `bits` that may have bits set.
    summary: Vec<u64>,
    /// Words of nodes to visit.
    inner: usize,
}

impl Clone for Wide {
    fn clone(&self) -> Wide {
        let Wide { counters, bits, summary, inner } = self;
        let (counters, bits, summary) = (counters.clone(), bits.clone(), summary.clone());
        Wide { counters, bits, summary, inner: *inner }
    }

    fn clone_from(&mut self, other: &Wide) {
        self.counters.clone_from(&other.counters);
        self.bits.clone_from(&other.bits);
        self.summary.clone_from(&other.summary);
        self.inner = other.inner;
    }
}

/// The lowest word of the summary that may not be empty, in a store of its own.
pub(crate) struct WidePending {
    summary: Vec<u64>,
    from: usize,
}

impl Cells for Wide {
    type Pending = WidePending;

    fn new(nodes: usize, inner: usize) -> Wide {
        let words = nodes.div_ceil(64);
        Wide {
            counters: vec![0; nodes],
            bits: vec![0; words],
            summary: vec![0; words.div_ceil(64)],
            inner: inner.div_ceil(64),
        }
    }

    #[inline(always)]
    fn counters(&self) -> &[i16] {
        &self.counters
    }

    #[inline(always)]
    fn counters_mut(&mut self) -> &mut [i16] {
        &mut self.counters
    }

    fn bits(&self) -> &[u64] {
        &self.bits
    }

    fn bits_mut(&mut self) -> &mut [u64] {
        &mut self.bits
    }

    #[inline(always)]
    fn is_on(&self, node: u32) -> bool {
        self.counters[node as usize] >= 0
    }

    #[inline(always)]
    fn toggle(&mut self, node: u32) -> i16 {
        let counter = &mut self.counters[node as usize];
        *counter = !*counter;
        *counter
    }

    #[inline(always)]
    fn add(&mut self, pending: &mut WidePending, node: u32, step: i16) {
        let counter = &mut self.counters[node as usize];
        let old = *counter;
        let new = old.wrapping_add(step);
        *counter = new;
        let crossed = u64::from((old ^ new) as u16 >> 15);
        self.bits[node as usize / 64] ^= crossed << (node % 64);
        pending.summary[node as usize / 4096] |= crossed << (node / 64 % 64);
    }

    #[inline(always)]
    fn add_row<K: Cpu>(
        &mut self,
        cpu: K,
        pending: &mut WidePending,
        row: u32,
        steps: &[i16; ROW],
        negated: bool,
    ) {
        let row = row as usize;
        let crossed = cpu.shift(&mut self.counters.as_chunks_mut().0[row], steps, negated);
        self.bits[row / 2] ^= u64::from(crossed) << (row % 2 * ROW);
        pending.summary[row / 128] |= u64::from(crossed != 0) << (row / 2 % 64);
    }

    fn pending(&mut self) -> WidePending {
        WidePending { summary: std::mem::take(&mut self.summary), from: 0 }
    }

    #[inline(always)]
    fn next(&mut self, pending: &mut WidePending) -> Option<(usize, usize)> {
        while pending.from * 64 < self.inner {
            let words = &mut pending.summary[pending.from];
            if *words != 0 {
                let word = pending.from * 64 + words.trailing_zeros() as usize;
                *words &= *words - 1;
                return (word < self.inner).then_some((word, word + 1));
            }
            pending.from += 1;
        }
        None
    }

    fn done(&mut self, mut pending: WidePending) {
        // Bits of nodes that need no visit have been gathering here.
        pending.summary[self.inner / 64..].fill(0);
        self.summary = pending.summary;
    }
}
