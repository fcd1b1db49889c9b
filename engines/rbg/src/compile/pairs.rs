//! Moves that are made for many cells at once: from one cell to another, and those that end at the
//! cell where a piece is put.
//!
//! Where an edge puts a piece, the layer behind it is a single step to other cells of some class,
//! and that ends the move, the moves from a whole set of cells are a few shifted sets: one for each
//! number of cells that the step goes on by. That the piece was put does not matter, since the step
//! looks at other cells only.

use super::Compiler;
use crate::bits::Bits;
use crate::program::{
    EdgeKind, Formula, LineTest, Op, PairStep, Pairs, Pattern, Split, Step, Tail,
};

/// Edges between an edge and the switch behind it.
const LONGEST_TAIL: usize = 8;
/// More different steps than this are made one by one.
const MOST_STEPS: usize = 24;

impl<const W: usize> Compiler<W> {
    /// Finds the pairs, tails and splits of all edges.
    pub(super) fn find_groups(&mut self) {
        for edge in 0..self.edges.len() {
            if matches!(self.edges[edge].kind, EdgeKind::Off(_)) {
                self.edges[edge].pairs = self.pairs(edge).map(Box::new);
                self.edges[edge].tail = self.tail(edge).map(Box::new);
                self.edges[edge].split = self.split(edge);
            }
        }
    }

    /// Edges behind an edge that put pieces and assign numbers, and the switch behind them.
    fn tail(&self, edge: usize) -> Option<Tail> {
        let mut edges = Vec::new();
        let mut at = edge;
        while edges.len() <= LONGEST_TAIL {
            let next = self.layers.get(self.edges[at].next as usize)?.only?;
            at = next as usize;
            match &self.edges[at].kind {
                EdgeKind::Switch(_) => return Some(Tail { edges: edges.into(), switch: next }),
                EdgeKind::Off(_) => {}
                EdgeKind::Assign(var, Formula::Number(value))
                    if (0..=self.bounds[usize::from(*var)]).contains(value) => {}
                EdgeKind::Assign(..) | EdgeKind::Accept => return None,
            }
            edges.push(next);
        }
        None
    }

    /// A test at the cell of an edge that a switch follows, where all other ways on begin with the
    /// opposite test, and the piece that the edge puts has no part in it.
    fn split(&self, edge: usize) -> Option<Split> {
        let layer = self.layers.get(self.edges[edge].next as usize)?;
        let [
            Op::Walk { walk, from: 0, to, merge: false },
            Op::Take { edge: switch, from },
            rest @ ..,
        ] = &*layer.ops
        else {
            return None;
        };
        let [Step::Test { negated, pattern }] = *self.walks[*walk as usize] else { return None };
        if to != from || !matches!(self.edges[*switch as usize].kind, EdgeKind::Switch(_)) {
            return None;
        }
        // What is not behind the opposite test begins at the register of the cell itself.
        let opposite = |op: &Op| match op {
            Op::Walk { walk, from: 0, .. } => matches!(
                self.walks[*walk as usize].first(),
                Some(Step::Test { negated: n, pattern: p }) if *n != negated && *p == pattern
            ),
            Op::Walk { from, .. } | Op::Take { from, .. } => from != to && *from != 0,
            Op::Loop(_) => false,
        };
        let Pattern::Walk { lines: Some(lines), .. } = &self.patterns[pattern as usize] else {
            return None;
        };
        let apart = self.all.iter().all(|cell| {
            let (start, end) = lines.ranges[usize::from(cell)];
            let own = |test: &LineTest| {
                u16::from(test.word) == cell / 64 && test.mask >> (cell % 64) & 1 != 0
            };
            !lines.tests[start as usize..end as usize].iter().any(own)
        });
        (rest.iter().all(opposite) && apart).then_some(Split { pattern, negated, switch: *switch })
    }

    fn pairs(&self, edge: usize) -> Option<Pairs> {
        let layer = self.layers.get(self.edges[edge].next as usize)?;
        let [Op::Walk { walk, from: 0, to, merge: false }, Op::Take { edge: switch, from }] =
            *layer.ops
        else {
            return None;
        };
        if to != from || !matches!(self.edges[switch as usize].kind, EdgeKind::Switch(_)) {
            return None;
        }
        let parts: Vec<(u32, Option<u32>)> = match &*self.walks[walk as usize] {
            [Step::Func(relation) | Step::Rel(relation)] => vec![(*relation, None)],
            [Step::Move { relation, class }] => vec![(*relation, Some(*class))],
            [Step::Terms(terms)] => terms.iter().map(|t| (t.relation, t.class)).collect(),
            _ => return None,
        };
        let mut steps: Vec<(i32, Bits<W>, Option<u32>)> = Vec::new();
        for (relation, class) in parts {
            let relation = &self.relations[relation as usize];
            let mut own: Vec<(i32, Bits<W>)> = Vec::new();
            for cell in self.all.iter() {
                for to in relation.row(cell).iter() {
                    let by = i32::from(to) - i32::from(cell);
                    match own.iter_mut().find(|step| step.0 == by) {
                        Some(step) => step.1.insert(cell),
                        None => own.push((by, Bits::single(cell))),
                    }
                    if own.len() > MOST_STEPS {
                        return None;
                    }
                }
            }
            for (by, cells) in own {
                // A step to the cell itself would see the piece; one made by two terms from the
                // same cell would count twice.
                let twice = steps.iter().any(|s| s.0 == by && !s.1.and(cells).is_empty());
                if by == 0 || twice {
                    return None;
                }
                steps.push((by, cells, class));
            }
        }
        if steps.len() > MOST_STEPS {
            return None;
        }
        let steps = steps
            .into_iter()
            .map(|(by, from, class)| PairStep { by, from: Box::new(from.0), class })
            .collect();
        Some(Pairs { switch, steps })
    }
}
