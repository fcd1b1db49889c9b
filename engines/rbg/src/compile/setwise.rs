//! Finding set-wise generators: what follows an edge, as set operations of sets (see
//! [`crate::setwise`]).
//!
//! What an edge leads to is followed as a search would, but with numbers of cells instead of cells:
//! everything is told by how far it is from where the edge is taken. What cannot be said so is left
//! to a search from there.

mod ways;

use super::Compiler;
use crate::bits::Bits;
use crate::description::{Piece, Var};
use crate::formula::Formula;
use crate::program::{EdgeKind, Layer, Op, Pattern, Step};
use crate::set_ops::{
    Chains, EdgeCell, End, ForbiddenPattern, Leaf, MOST_DEPTH, Node, Preimage, Reach, SetOp,
    SetwiseGenerator, Tree,
};

/// Set operations of one set-wise generator, and leaves.
const MOST_NODES: usize = 400;
/// Edges taken by one leaf: as many as a set-wise generator can have without too many set
/// operations.
const MOST_CHANGES: [usize; 3] = [12, 4, 3];
/// Set operations of a pattern, and patterns of a set-wise generator.
const MOST_REACH: usize = 80;
const MOST_TESTS: usize = 100;
/// Edges taken by all leaves, those counted that lead to none.
const MOST_TAKES: usize = 2000;
/// Ways to one register.
const MOST_WAYS: usize = 40;

/// A place, told by where the set-wise generator begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RelativeCell {
    /// So many cells further on.
    Near(i32),
    /// Where a slide has led.
    Far,
}

/// What is known at a node.
#[derive(Clone, Debug, Default)]
struct PathFacts {
    at: RelativeCell,
    /// Pieces put on the way, the last ones last.
    puts: Vec<(RelativeCell, Piece)>,
    changes: Vec<(u32, RelativeCell)>,
    assigned: Vec<Var>,
    /// Of a slide: by how many cells it goes on, and the depth of the set that it begins at.
    slide: Option<(i32, u8)>,
}

/// Set operations from the beginning of a layer.
#[derive(Clone, Debug)]
struct OpChain<const W: usize> {
    set_ops: Vec<SetOp>,
    at: RelativeCell,
    /// Where it may lead from each cell.
    rows: Vec<Bits<W>>,
    /// What stands where it ends, if it asks for that.
    class: Option<u32>,
}

/// What a pattern says where it is asked.
enum Asked {
    Never,
    Always,
    /// It holds where this test does.
    Test(u8),
}

/// What may stand where an edge is taken from a set of cells.
#[derive(Clone, Debug)]
enum Begin {
    /// It is taken from single cells only.
    Never,
    Known(Vec<Piece>),
    Unknown,
}

impl Default for RelativeCell {
    fn default() -> RelativeCell {
        RelativeCell::Near(0)
    }
}

impl Begin {
    /// Any of some pieces may stand there too, or anything at all.
    fn add(&mut self, pieces: Option<&[Piece]>) {
        match (&mut *self, pieces) {
            (Begin::Unknown, _) => {}
            (_, None) => *self = Begin::Unknown,
            (Begin::Never, Some(pieces)) => *self = Begin::Known(pieces.to_vec()),
            (Begin::Known(all), Some(pieces)) => {
                all.extend_from_slice(pieces);
                all.sort_unstable();
                all.dedup();
            }
        }
    }
}

/// A node of the tree that is being built.
struct TreeNode {
    set_op: SetOp,
    depth: usize,
    children: Vec<usize>,
    leaves: Vec<Leaf>,
    /// True if a pattern holds where it leads.
    goal: bool,
}

/// A set-wise generator that is being built.
struct GeneratorBuilder<'c, const W: usize> {
    compiler: &'c mut Compiler<W>,
    /// Classes by their places in the set-wise generator, the first unused.
    classes: Vec<u32>,
    tests: Vec<Chains>,
    children: Vec<TreeNode>,
    /// How many leaves they have.
    leaves: usize,
    /// How many edges have been taken.
    takes: usize,
    /// What may stand where the set-wise generator begins, if that is known.
    begin: Option<Vec<Piece>>,
    unless: Option<ForbiddenPattern>,
    /// Layers on the way to the one that is being followed.
    open: Vec<u32>,
    /// Edges that a leaf may take.
    longest: usize,
}

impl<const W: usize> Compiler<W> {
    /// Finds the set-wise generators of all edges that are taken from sets of cells.
    pub(super) fn find_setwise(&mut self) {
        if W > 1 {
            return;
        }
        for (edge, begin) in self.begins().into_iter().enumerate() {
            let this = &self.edges[edge];
            let listed = this.pairs.is_some() || this.tail.is_some() || this.split.is_some();
            if listed || !matches!(this.kind, EdgeKind::Off(_)) || self.check().is_err() {
                continue;
            }
            let begin = match begin {
                Begin::Never => continue,
                Begin::Known(pieces) => Some(pieces),
                Begin::Unknown => None,
            };
            self.edges[edge].setwise = self.setwise(edge as u32, begin).map(Box::new);
        }
    }

    /// What may stand where each edge is taken.
    fn begins(&mut self) -> Vec<Begin> {
        let mut begins = vec![Begin::Never; self.edges.len()];
        for layer in self.layers.iter().filter(|layer| layer.only.is_none()) {
            let mut registers = vec![Begin::Never; layer.registers as usize];
            for op in &layer.ops {
                self.work += 1;
                match op {
                    Op::Walk { walk, to, .. } => {
                        let class = self.walks[*walk as usize].last().and_then(last_class);
                        let pieces = class.map(|class| &*self.classes[class as usize].pieces);
                        registers[*to as usize].add(pieces);
                    }
                    Op::Unless { to, .. } => registers[*to as usize] = Begin::Unknown,
                    Op::Loop(_) => registers.fill(Begin::Unknown),
                    Op::Take { edge, from } => match &registers[*from as usize] {
                        Begin::Never => {}
                        Begin::Known(pieces) => begins[*edge as usize].add(Some(pieces)),
                        Begin::Unknown => begins[*edge as usize] = Begin::Unknown,
                    },
                }
            }
        }
        begins
    }

    fn setwise(&mut self, edge: u32, begin: Option<Vec<Piece>>) -> Option<SetwiseGenerator> {
        let layers = self.layers.len();
        for longest in MOST_CHANGES {
            let mut builder = GeneratorBuilder::new(self, begin.clone(), longest);
            let grown = builder.take(edge, 0, PathFacts::default());
            let unless = builder.unless;
            let ends =
                |child: &TreeNode| child.leaves.iter().any(|l| !matches!(l.end, End::Search(_)));
            if grown.is_some() && builder.children.iter().any(ends) {
                return Some(SetwiseGenerator { tree: builder.finish(), unless });
            }
            self.layers.truncate(layers);
            if grown.is_some() {
                break;
            }
        }
        None
    }

    /// A pattern that reads the same from all cells and is but a few set operations.
    pub(super) fn reach(&mut self, steps: &[Step<W>]) -> Option<Reach> {
        let [Step::Const(from), rest @ ..] = steps else { return None };
        if W > 1 {
            return None;
        }
        Some(Reach { from: from.words[0], tree: self.tree(rest)? })
    }

    /// A pattern that asks cells of a class, wherever they are.
    pub(super) fn whence(&mut self, forward: &[Step<W>], backward: &[Step<W>]) -> Option<Preimage> {
        let [Step::Const(all), Step::On(class), rest @ ..] = forward else { return None };
        let [steps @ .., Step::On(same), Step::Const(_)] = backward else { return None };
        if W > 1 || *all != self.all || class != same || rest.is_empty() {
            return None;
        }
        Some(Preimage { class: *class, tree: self.tree(steps)? })
    }

    /// Steps of a pattern as a tree, whose goals are their ends.
    fn tree(&mut self, steps: &[Step<W>]) -> Option<Tree> {
        let cells = self.cells as u16;
        let mut builder = GeneratorBuilder::new(self, None, 0);
        let lane = PathFacts::default();
        let ways = builder.walk(steps, vec![OpChain::new(RelativeCell::Near(0), cells)], &lane)?;
        for way in &ways {
            let child = builder.branch(way, 0, &mut lane.clone())?;
            builder.children[child].goal = true;
        }
        let few = !ways.is_empty() && builder.children.len() <= MOST_REACH;
        few.then(|| builder.finish())
    }

    /// Where steps may lead from the cells of each row; none if they may ask what stands at the
    /// cell that the row is of, or do something else than go on to pieces.
    fn leads_away(&self, steps: &[Step<W>], mut rows: Vec<Bits<W>>) -> Option<Vec<Bits<W>>> {
        let follow = |rows: &[Bits<W>], by: &[Bits<W>]| -> Vec<Bits<W>> {
            let all = |row: &Bits<W>| {
                row.iter().fold(Bits::EMPTY, |all, cell| all.or(by[usize::from(cell)]))
            };
            rows.iter().map(all).collect()
        };
        let away = |rows: &[Bits<W>]| {
            (0u16..).zip(rows).all(|(cell, row)| !row.contains(cell)).then_some(())
        };
        let relation = |id: u32| &self.relations[id as usize];
        let union = |a: Vec<Bits<W>>, b: Vec<Bits<W>>| -> Vec<Bits<W>> {
            a.into_iter().zip(b).map(|(a, b)| a.or(b)).collect()
        };
        for step in steps {
            match step {
                Step::Guard { .. } => {}
                Step::Within(set) => rows.iter_mut().for_each(|row| *row = row.and(*set)),
                Step::On(_) => away(&rows)?,
                Step::Func(id) | Step::Rel(id) => rows = follow(&rows, &relation(*id).rows),
                Step::Move { relation: id, .. } => {
                    rows = follow(&rows, &relation(*id).rows);
                    away(&rows)?;
                }
                Step::Terms(terms) => {
                    let mut out = vec![Bits::EMPTY; rows.len()];
                    for term in terms {
                        let to = follow(&rows, &term.rows);
                        if term.class.is_some() {
                            away(&to)?;
                        }
                        out = union(out, to);
                    }
                    rows = out;
                }
                Step::Slide { relation: id, test_first, .. } => {
                    let to = follow(&rows, &relation(*id).ray.as_ref()?.0);
                    if *test_first {
                        away(&rows)?;
                    }
                    away(&to)?;
                    rows = union(rows, to);
                }
                Step::Sum(walks) => {
                    let mut out = vec![Bits::EMPTY; rows.len()];
                    for walk in walks {
                        out = union(out, self.leads_away(walk, rows.clone())?);
                    }
                    rows = out;
                }
                _ => return None,
            }
        }
        Some(rows)
    }
}

impl<const W: usize> OpChain<W> {
    /// No set operations at all.
    fn new(at: RelativeCell, cells: u16) -> OpChain<W> {
        let rows = (0..cells).map(Bits::single).collect();
        OpChain { set_ops: Vec::new(), at, rows, class: None }
    }
}

impl<'c, const W: usize> GeneratorBuilder<'c, W> {
    fn new(
        compiler: &'c mut Compiler<W>,
        begin: Option<Vec<Piece>>,
        longest: usize,
    ) -> GeneratorBuilder<'c, W> {
        let root = TreeNode {
            set_op: SetOp::Within(u64::MAX),
            depth: 0,
            children: Vec::new(),
            leaves: Vec::new(),
            goal: false,
        };
        GeneratorBuilder {
            compiler,
            classes: vec![0],
            tests: Vec::new(),
            children: vec![root],
            leaves: 0,
            takes: 0,
            begin,
            unless: None,
            open: Vec::new(),
            longest,
        }
    }

    fn finish(self) -> Tree {
        let mut nodes = Vec::with_capacity(self.children.len());
        flatten(&self.children, 0, &mut nodes, &mut self.compiler.leaves);
        self.compiler.bytes += (nodes.len() * size_of::<Node>()) as u64;
        let (classes, tests) = (self.classes.into(), self.tests.into());
        Tree { classes, tests, nodes: nodes.into() }
    }

    /// Follows an edge that can be taken; none where there is too much to follow.
    fn take(&mut self, edge: u32, child: usize, mut lane: PathFacts) -> Option<()> {
        self.takes += 1;
        if self.takes > MOST_TAKES {
            return None;
        }
        let this = &self.compiler.edges[edge as usize];
        let next = this.next;
        match this.kind {
            EdgeKind::Switch(_) => {
                return self.leaf(child, &lane, End::Switch(edge));
            }
            EdgeKind::Off(piece) => lane.puts.push((lane.at, piece)),
            EdgeKind::Assign(var, _) => lane.assigned.push(var),
            EdgeKind::Accept => return None,
        }
        lane.changes.push((edge, lane.at));
        self.grow(next, child, lane)
    }

    /// True if what an edge does is known beforehand.
    fn can_take(&self, edge: u32) -> bool {
        match &self.compiler.edges[edge as usize].kind {
            EdgeKind::Off(_) | EdgeKind::Switch(_) => true,
            EdgeKind::Assign(var, Formula::Number(value)) => {
                (0..=self.compiler.bounds[usize::from(*var)]).contains(value)
            }
            EdgeKind::Assign(..) | EdgeKind::Accept => false,
        }
    }

    /// Follows a layer.
    fn grow(&mut self, id: u32, child: usize, lane: PathFacts) -> Option<()> {
        if lane.changes.len() >= self.longest || self.open.contains(&id) {
            return self.leaf(child, &lane, End::Search(id));
        }
        let layer = self.compiler.layers[id as usize].clone();
        self.open.push(id);
        let grown = match layer.only {
            Some(edge) if self.can_take(edge) => self.take(edge, child, lane),
            Some(_) => self.leaf(child, &lane, End::Search(id)),
            None => match self.compiler.last_test(&layer) {
                Some((pattern, switch)) if self.forbids(pattern, &lane) => {
                    self.leaf(child, &lane, End::Tested(switch))
                }
                Some(_) => self.leaf(child, &lane, End::Search(id)),
                None => self.grow_all(&layer, id, child, &lane),
            },
        };
        self.open.pop();
        grown
    }

    /// True if the set-wise generator can see to it that a pattern does not hold at the end of a
    /// lane.
    fn forbids(&mut self, pattern: u32, lane: &PathFacts) -> bool {
        let compiler = &self.compiler;
        let Pattern::Walk { forward, whence, .. } = &compiler.patterns[pattern as usize] else {
            return false;
        };
        let [(RelativeCell::Near(0), piece), puts @ ..] = &*lane.puts else { return false };
        let [Step::Const(_), rest @ ..] = &**forward else { return false };
        let touchable = compiler.is_unaided(forward, &[]) && is_touchable(forward);
        if !touchable || puts.iter().any(|put| put.0 == RelativeCell::Near(0)) {
            return false;
        }
        let pieces: Vec<Piece> = puts.iter().map(|put| put.1).collect();
        let asked = match (whence, rest, puts) {
            _ if compiler.is_unaided(forward, &pieces) => false,
            (Some(whence), [Step::On(_), rest @ ..], [(at, put)]) if *at == lane.at => {
                let pieces = &compiler.classes[whence.class as usize];
                let cells = (0..compiler.cells as u16).map(Bits::single).collect();
                let looks_away = compiler.leads_away(rest, cells).is_some();
                if !pieces.has(*put) || pieces.has(*piece) || !looks_away {
                    return false;
                }
                true
            }
            _ => return false,
        };
        let unless = ForbiddenPattern { pattern, piece: *piece, asked };
        *self.unless.get_or_insert(unless) == unless
    }

    fn grow_all(&mut self, layer: &Layer, id: u32, child: usize, lane: &PathFacts) -> Option<()> {
        let mut registers: Vec<Option<Vec<OpChain<W>>>> =
            vec![Some(Vec::new()); layer.registers as usize];
        let cells = self.compiler.cells as u16;
        registers[0] = Some(vec![OpChain::new(lane.at, cells)]);
        let mut unknown = Vec::new();
        for op in &layer.ops {
            match op {
                Op::Walk { walk, from, to, merge } => {
                    let before = registers[*to as usize].take().filter(|_| *merge);
                    let before = if *merge { before } else { Some(Vec::new()) };
                    let ways = registers[*from as usize].as_deref();
                    let after = ways.and_then(|ways| self.ways(*walk, ways, lane));
                    registers[*to as usize] = before.zip(after).and_then(|(mut all, more)| {
                        all.extend(more);
                        self.are_apart(&all).then_some(all)
                    });
                }
                Op::Unless { to, .. } => registers[*to as usize] = None,
                Op::Loop(ways) => {
                    for way in ways {
                        registers[way.2 as usize] = None;
                    }
                }
                Op::Take { edge, from } => match &registers[*from as usize] {
                    Some(ways) if self.can_take(*edge) => {
                        for way in ways.clone() {
                            self.follow(&way, *edge, child, lane)?;
                        }
                    }
                    _ => unknown.push(*edge),
                },
            }
        }
        if !unknown.is_empty() {
            let rest = self.rest_of(layer, id, &unknown);
            return self.leaf(child, lane, End::Search(rest));
        }
        Some(())
    }

    /// Follows a way and takes an edge at its end.
    fn follow(
        &mut self,
        way: &OpChain<W>,
        edge: u32,
        child: usize,
        lane: &PathFacts,
    ) -> Option<()> {
        let mut lane = PathFacts { at: way.at, ..lane.clone() };
        let at = self.branch(way, child, &mut lane)?;
        self.take(edge, at, lane)
    }

    /// The node at the end of a way from a node.
    fn branch(&mut self, way: &OpChain<W>, child: usize, lane: &mut PathFacts) -> Option<usize> {
        let mut at = child;
        for &set_op in &way.set_ops {
            if let SetOp::Fill { fill, .. } = set_op {
                lane.slide = Some((fill.by, self.children[at].depth as u8));
            }
            let same = |&&next: &&usize| self.children[next].set_op == set_op;
            at = match self.children[at].children.iter().find(same) {
                Some(&next) => next,
                None => {
                    let depth = self.children[at].depth + 1;
                    let next = self.children.len();
                    if depth >= MOST_DEPTH || next >= MOST_NODES {
                        return None;
                    }
                    let (children, leaves) = (Vec::new(), Vec::new());
                    self.children.push(TreeNode { set_op, depth, children, leaves, goal: false });
                    self.children[at].children.push(next);
                    next
                }
            };
        }
        Some(at)
    }

    fn leaf(&mut self, child: usize, lane: &PathFacts, end: End) -> Option<()> {
        self.leaves += 1;
        if self.leaves > MOST_NODES {
            return None;
        }
        let spot = |at: RelativeCell| match (at, lane.at) {
            (RelativeCell::Near(at), RelativeCell::Near(last)) => EdgeCell::Back(last - at),
            (RelativeCell::Far, _) => EdgeCell::Back(0),
            (RelativeCell::Near(_), RelativeCell::Far) => EdgeCell::Begin,
        };
        let changes: Box<[(u32, EdgeCell)]> =
            lane.changes.iter().map(|&(edge, at)| (edge, spot(at))).collect();
        self.compiler.work += 1;
        self.compiler.bytes += (size_of::<Leaf>() + size_of_val(&*changes)) as u64;
        self.children[child].leaves.push(Leaf { changes, slide: lane.slide, end });
        Some(())
    }

    /// A layer with only some of its edges.
    fn rest_of(&mut self, layer: &Layer, id: u32, edges: &[u32]) -> u32 {
        let mut needed = vec![false; layer.registers as usize];
        let mut ops = Vec::new();
        for op in layer.ops.iter().rev() {
            let keep = match op {
                Op::Take { edge, from } if edges.contains(edge) => {
                    needed[*from as usize] = true;
                    true
                }
                Op::Take { .. } => false,
                Op::Walk { from, to, .. } => {
                    let keep = needed[*to as usize];
                    needed[*from as usize] |= keep;
                    keep
                }
                Op::Unless { of, to } => {
                    let keep = needed[*to as usize];
                    needed[*of as usize] |= keep;
                    keep
                }
                Op::Loop(ways) => {
                    let keep = ways.iter().any(|way| needed[way.2 as usize]);
                    for way in ways {
                        needed[way.1 as usize] |= keep;
                        needed[way.2 as usize] |= keep;
                    }
                    keep
                }
            };
            if keep {
                ops.push(op.clone());
            }
        }
        self.compiler.work += layer.ops.len() as u64;
        if ops.len() == layer.ops.len() {
            return id;
        }
        ops.reverse();
        self.compiler.bytes += (size_of::<Layer>() + ops.len() * size_of::<Op>()) as u64;
        let rest = self.compiler.layer_of(ops, layer.registers);
        self.compiler.layers.push(rest);
        self.compiler.layers.len() as u32 - 1
    }

    /// True if no two ways can lead from one cell to the same.
    fn are_apart(&mut self, ways: &[OpChain<W>]) -> bool {
        self.compiler.work += (ways.len() * ways.len()) as u64;
        ways.len() <= MOST_WAYS
            && ways.iter().enumerate().all(|(i, way)| {
                ways[..i].iter().all(|other| {
                    let classes = &self.compiler.classes;
                    let differ = way.class.zip(other.class).is_some_and(|(a, b)| {
                        let (a, b) = (&classes[a as usize], &classes[b as usize]);
                        a.pieces.iter().all(|&piece| !b.has(piece))
                    });
                    differ || way.rows.iter().zip(&other.rows).all(|(a, b)| a.and(*b).is_empty())
                })
            })
    }
}

/// A node and all that go on from it, in order.
fn flatten(children: &[TreeNode], child: usize, nodes: &mut Vec<Node>, leaves: &mut Vec<Leaf>) {
    let this = &children[child];
    let (at, first) = (nodes.len(), leaves.len() as u32);
    leaves.extend(this.leaves.iter().cloned());
    nodes.push(Node {
        set_op: this.set_op,
        depth: this.depth as u8,
        goal: this.goal,
        skip: 0,
        leaves: (first, leaves.len() as u32),
    });
    for &next in &this.children {
        flatten(children, next, nodes, leaves);
    }
    nodes[at].skip = (nodes.len() - at) as u16;
}

/// The piece that was put last at a place.
fn stands(puts: &[(RelativeCell, Piece)], at: RelativeCell) -> Option<Piece> {
    puts.iter().rev().find(|put| put.0 == at).map(|put| put.1)
}

/// True if set-wise generators can tell which pieces such steps would have gone on at.
fn is_touchable<const W: usize>(steps: &[Step<W>]) -> bool {
    steps.iter().all(|step| match step {
        Step::Slide { .. } | Step::Guard { .. } => true,
        Step::Sum(walks) => walks.iter().all(|walk| is_touchable(walk)),
        other => other.is_simple(),
    })
}

/// What a step asks for where it leads.
fn last_class<const W: usize>(step: &Step<W>) -> Option<u32> {
    match step {
        Step::On(class) | Step::Move { class, .. } => Some(*class),
        _ => None,
    }
}
