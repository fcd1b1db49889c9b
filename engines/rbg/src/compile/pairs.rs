//! Moves that are made for many cells at once: moves from one cell to another, and moves that end
//! at the cell where a piece is put.
//!
//! If an edge puts a piece, the layer behind it is a single step to other cells of some class, and
//! that ends the move, the moves from a whole set of cells are a few shifted sets: one for each
//! distance of the step. The piece that was put does not matter, because the step looks at other
//! cells only.

use super::Compiler;
use crate::bits::Bits;
use crate::description::Piece;
use crate::formula::Formula;
use crate::program::{EdgeKind, Layer, LineTest, Op, PairStep, Pairs, Pattern, Split, Step, Tail};

/// Most edges between an edge and the switch behind it.
const LONGEST_TAIL: usize = 8;
/// Most distances of a step that is made for sets.
const MOST_STEPS: usize = 24;

impl<const W: usize> Compiler<W> {
    /// Finds moves that can be listed for whole sets: pairs, tails and splits of all edges, and
    /// straight layers.
    pub(super) fn find_groups(&mut self) {
        for edge in 0..self.edges.len() {
            self.edges[edge].tail = self.tail(edge).map(Box::new);
            let unless = self.edges[edge].tail.as_ref().and_then(|tail| tail.unless);
            self.forbidden.extend(unless);
            if matches!(self.edges[edge].kind, EdgeKind::Off(_)) {
                self.edges[edge].pairs = self.pairs(edge).map(Box::new);
                self.edges[edge].split = self.split(edge);
            }
        }
        for layer in 0..self.layers.len() {
            self.layers[layer].straight = self.straight(&self.layers[layer]);
        }
    }

    /// The walk and the edge of a layer that has nothing else, if moves behind the edge are listed
    /// for sets.
    fn straight(&self, layer: &Layer) -> Option<(u32, u32)> {
        let [Op::Walk { walk, from: 0, to, merge: false }, Op::Take { edge, from }] = *layer.ops
        else {
            return None;
        };
        let next = &self.edges[edge as usize];
        let ends = matches!(next.kind, EdgeKind::Switch(_));
        let listed = ends || next.tail.is_some() || next.split.is_some();
        (to == from && listed).then_some((walk, edge))
    }

    /// Replaces a walk that consists of the test that another walk from the same cell leads
    /// nowhere, if that walk has been made before: "or, if there is no move, pass".
    pub(super) fn find_otherwise(&mut self) {
        for layer in &mut self.layers {
            for i in 0..layer.ops.len() {
                let Op::Walk { walk, from: 0, to, merge: false } = layer.ops[i] else { continue };
                let [Step::Test { negated: true, pattern }] = *self.walks[walk as usize] else {
                    continue;
                };
                let Pattern::Walk { forward, .. } = &self.patterns[pattern as usize] else {
                    continue;
                };
                let (before, after) = layer.ops.split_at(i);
                let of = before.iter().find_map(|op| match *op {
                    Op::Walk { walk, from: 0, to, merge: false }
                        if self.walks[walk as usize] == *forward =>
                    {
                        Some(to)
                    }
                    _ => None,
                });
                let Some(of) = of else { continue };
                let writes = |op: &Op| match op {
                    Op::Walk { to, .. } | Op::Unless { to, .. } => *to == of,
                    Op::Loop(ways) => ways.iter().any(|way| way.2 == of),
                    Op::Take { .. } => false,
                };
                let merged = after
                    .iter()
                    .any(|op| matches!(op, Op::Walk { to: t, merge: true, .. } if *t == to));
                if before.iter().filter(|op| writes(op)).count() == 1 && !merged {
                    layer.ops[i] = Op::Unless { of, to, walk };
                }
            }
        }
    }

    /// Edges behind an edge that put pieces and assign numbers, and the switch behind them.
    fn tail(&self, edge: usize) -> Option<Tail> {
        let mut edges = Vec::new();
        let mut puts = Vec::new();
        let mut at = edge;
        while edges.len() <= LONGEST_TAIL {
            match &self.edges[at].kind {
                EdgeKind::Off(piece) => puts.push(*piece),
                EdgeKind::Assign(var, Formula::Number(value))
                    if (0..=self.bounds[usize::from(*var)]).contains(value) => {}
                _ => return None,
            }
            let layer = self.layers.get(self.edges[at].next as usize)?;
            if let Some((pattern, switch)) = self.last_test(layer) {
                let Pattern::Walk { forward, .. } = &self.patterns[pattern as usize] else {
                    return None;
                };
                let anywhere = matches!(**forward, [Step::Const(_), ..]);
                return (anywhere && self.is_unaided(forward, &puts)).then(|| Tail {
                    edges: edges.into(),
                    switch,
                    unless: Some(pattern),
                });
            }
            let next = layer.only?;
            at = next as usize;
            if matches!(self.edges[at].kind, EdgeKind::Switch(_)) {
                return Some(Tail { edges: edges.into(), switch: next, unless: None });
            }
            edges.push(next);
        }
        None
    }

    /// The pattern and the switch of a layer in which a pattern must not hold before the switch.
    pub(super) fn last_test(&self, layer: &Layer) -> Option<(u32, u32)> {
        let (walk, switch) = layer.lone?;
        match *self.walks[walk as usize] {
            [Step::Test { negated: true, pattern }] => Some((pattern, switch)),
            _ => None,
        }
    }

    /// True if pieces that are put anywhere cannot open a new path of a walk: the walk looks
    /// nowhere for such a piece, nor for the absence of a piece.
    pub(super) fn is_unaided(&self, steps: &[Step<W>], puts: &[Piece]) -> bool {
        let without = |class: u32| puts.iter().all(|&p| !self.classes[class as usize].has(p));
        steps.iter().all(|step| match step {
            Step::Func(_) | Step::Rel(_) | Step::Const(_) | Step::Within(_) => true,
            Step::On(class)
            | Step::Move { class, .. }
            | Step::Slide { class, .. }
            | Step::Guard { class, .. }
            | Step::Flood { class, .. } => without(*class),
            Step::Terms(terms) => terms.iter().all(|t| t.class.is_none_or(without)),
            Step::Rays(rays) => rays.iter().all(|ray| without(ray.class)),
            Step::Sum(walks) => walks.iter().all(|walk| self.is_unaided(walk, puts)),
            Step::Star(walk) => self.is_unaided(walk, puts),
            Step::Test { negated: false, pattern } => match &self.patterns[*pattern as usize] {
                Pattern::Walk { forward, .. } => self.is_unaided(forward, puts),
                Pattern::Search(_) => false,
            },
            Step::Test { negated: true, .. } | Step::Compare(_) => false,
        })
    }

    /// A test at the cell of an edge before a switch, if all other paths begin with the opposite
    /// test, and if the piece that the edge puts does not affect it.
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
        // Paths that are not behind the opposite test begin at the register of the cell itself.
        let opposite = |op: &Op| match op {
            Op::Walk { walk, from: 0, .. } => matches!(
                self.walks[*walk as usize].first(),
                Some(Step::Test { negated: n, pattern: p }) if *n != negated && *p == pattern
            ),
            Op::Walk { from, .. } | Op::Take { from, .. } => from != to && *from != 0,
            Op::Unless { .. } | Op::Loop(_) => false,
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
            for cell in self.all {
                for to in relation.row(cell) {
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
                // A step to the cell itself would see the piece, and a step made by two terms from
                // the same cell would count twice.
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
            .map(|(by, from, class)| PairStep { by, from: Box::new(from.words), class })
            .collect();
        Some(Pairs { switch, steps })
    }
}
