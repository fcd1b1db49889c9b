//! Argument domains: for every argument of every relation the constants and the compound terms that
//! it may hold, nested ones in turn. An over-approximation that looks at each argument alone.
//!
//! The facts of a state get their arguments from `init` and `next`, so the three share theirs; and
//! so do `does` and `legal`.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;

use crate::limits::{
    MAX_NESTED_SHAPES, MAX_SHAPE_DEPTH, MAX_SHAPE_NODES, MAX_SHAPE_WORDS, MAX_SHAPES,
};
use crate::program::{Atom, Literal, Program, RelId, Rule, Term, TermKind};
use crate::symbols::Symbol;

/// A position: an argument of a relation, or of a compound term in a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct NodeId(u32);

impl NodeId {
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of constants by the number of their symbol.
#[derive(Clone, Default, Debug)]
pub(crate) struct Constants(Vec<u64>);

impl Constants {
    pub(crate) fn contains(&self, symbol: Symbol) -> bool {
        self.0.get(symbol.index() / 64).is_some_and(|word| word >> (symbol.0 % 64) & 1 == 1)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Symbol> + '_ {
        self.0.iter().enumerate().flat_map(|(i, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                (rest != 0).then(|| {
                    let bit = rest.trailing_zeros();
                    rest &= rest - 1;
                    Symbol(i as u32 * 64 + bit)
                })
            })
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }
}

#[derive(Clone, Debug)]
struct Node {
    constants: Constants,
    /// Functors with their number of arguments, and the first of the positions of these.
    functors: Vec<(Symbol, u32, NodeId)>,
    /// True if it may hold anything at all.
    anything: bool,
    /// The position that it is inside of, and the functor there.
    parent: Option<(NodeId, Symbol)>,
    depth: usize,
}

/// The positions of a program.
pub(crate) struct Shapes {
    nodes: Vec<Node>,
    /// The first argument's position by relation; the others follow.
    first: Vec<NodeId>,
    words: usize,
}

/// The relation whose arguments `relation` shares.
pub(crate) fn canonical(relation: RelId) -> RelId {
    match relation {
        RelId::INIT | RelId::NEXT => RelId::TRUE,
        RelId::DOES => RelId::LEGAL,
        other => other,
    }
}

impl Shapes {
    /// Infers what can stand where, by propagation to the fixed point.
    pub(crate) fn infer(program: &Program) -> Shapes {
        let mut shapes = Shapes { nodes: Vec::new(), first: Vec::new(), words: 0 };
        for relation in &program.relations {
            shapes.first.push(NodeId(shapes.nodes.len() as u32));
            for _ in 0..relation.arity {
                shapes.nodes.push(Node::new(None, 0));
            }
        }
        for fact in &program.facts {
            shapes.assert(fact, &[]);
        }
        shapes.propagate_rules(program);
        shapes
    }

    /// The positions of a relation's arguments.
    pub(crate) fn args(&self, relation: RelId, arity: usize) -> Vec<NodeId> {
        let first = self.first[canonical(relation).index()].0;
        (first..first + arity as u32).map(NodeId).collect()
    }

    pub(crate) fn constants(&self, node: NodeId) -> &Constants {
        &self.nodes[node.index()].constants
    }

    pub(crate) fn is_anything(&self, node: NodeId) -> bool {
        self.nodes[node.index()].anything
    }

    /// The functors that a position may hold, each with the positions of its arguments.
    pub(crate) fn functors(
        &self,
        node: NodeId,
    ) -> impl Iterator<Item = (Symbol, Vec<NodeId>)> + '_ {
        self.nodes[node.index()]
            .functors
            .iter()
            .map(|&(f, n, first)| (f, (first.0..first.0 + n).map(NodeId).collect()))
    }

    fn propagate_rules(&mut self, program: &Program) {
        let mut asking = vec![Vec::new(); program.relations.len()];
        for (index, rule) in program.rules.iter().enumerate() {
            for atom in positive(rule) {
                let list: &mut Vec<usize> = &mut asking[canonical(atom.relation).index()];
                if list.last() != Some(&index) {
                    list.push(index);
                }
            }
        }
        // From the bottom up, so that most rules are looked at once.
        let mut order: Vec<usize> = (0..program.rules.len()).collect();
        order.sort_by_key(|&r| program.relation(program.rules[r].head.relation).component);
        let mut waiting = vec![true; order.len()];
        let mut queue = VecDeque::from(order);
        while let Some(index) = queue.pop_front() {
            waiting[index] = false;
            let rule = &program.rules[index];
            if self.apply(rule) {
                for &other in &asking[canonical(rule.head.relation).index()] {
                    if !std::mem::replace(&mut waiting[other], true) {
                        queue.push_back(other);
                    }
                }
            }
        }
    }

    /// Adds what the rule can derive; whether that is news.
    fn apply(&mut self, rule: &Rule) -> bool {
        let mut sources = vec![Vec::new(); rule.variables.len()];
        for atom in positive(rule) {
            let first = self.first[canonical(atom.relation).index()].0;
            for (i, arg) in atom.args.iter().enumerate() {
                if !self.collect(arg, NodeId(first + i as u32), &mut sources) {
                    return false;
                }
            }
        }
        self.assert(&rule.head, &sources)
    }

    /// Finds the positions that bound each variable; false if the literal cannot hold (yet).
    fn collect(&self, term: &Term, node: NodeId, sources: &mut [Vec<NodeId>]) -> bool {
        let here = &self.nodes[node.index()];
        if here.anything {
            return true;
        }
        match &term.kind {
            TermKind::Variable(var) => {
                let list = &mut sources[var.index()];
                if !list.contains(&node) {
                    list.push(node);
                }
                true
            }
            TermKind::Constant(symbol) => here.constants.contains(*symbol),
            TermKind::Compound(functor, args) => {
                here.find(*functor, args.len()).is_some_and(|first| {
                    let nodes = (first.0..).map(NodeId);
                    args.iter().zip(nodes).all(|(arg, node)| self.collect(arg, node, sources))
                })
            }
        }
    }

    fn assert(&mut self, atom: &Atom, sources: &[Vec<NodeId>]) -> bool {
        let first = self.first[canonical(atom.relation).index()].0;
        let mut news = false;
        for (i, arg) in atom.args.iter().enumerate() {
            news |= self.insert(arg, NodeId(first + i as u32), sources);
        }
        news
    }

    fn insert(&mut self, term: &Term, node: NodeId, sources: &[Vec<NodeId>]) -> bool {
        if self.nodes[node.index()].anything {
            return false;
        }
        match &term.kind {
            TermKind::Variable(var) => self.flow(&sources[var.index()], node),
            TermKind::Constant(symbol) => self.insert_constant(*symbol, node),
            TermKind::Compound(functor, args) => {
                let (first, mut news) = self.functor(node, *functor, args.len());
                let Some(first) = first else { return news };
                for (i, arg) in args.iter().enumerate() {
                    news |= self.insert(arg, NodeId(first.0 + i as u32), sources);
                }
                news
            }
        }
    }

    fn insert_constant(&mut self, symbol: Symbol, node: NodeId) -> bool {
        if self.constants(node).contains(symbol) {
            return false;
        }
        if !self.reserve(node, symbol.index() / 64 + 1) {
            return true;
        }
        self.nodes[node.index()].constants.0[symbol.index() / 64] |= 1 << (symbol.0 % 64);
        true
    }

    /// Makes room for so many words of constants; false, and the position may hold anything, if
    /// there is none.
    fn reserve(&mut self, node: NodeId, words: usize) -> bool {
        let set = &mut self.nodes[node.index()].constants.0;
        if words > set.len() {
            self.words += words - set.len();
            set.resize(words, 0);
        }
        if self.words > MAX_SHAPE_WORDS {
            self.give_up(node);
            return false;
        }
        true
    }

    fn give_up(&mut self, node: NodeId) {
        let node = &mut self.nodes[node.index()];
        node.anything = true;
        self.words -= node.constants.0.len();
        node.constants = Constants::default();
        node.functors.clear();
    }

    /// Lets all that every source may hold flow into `node`; without a source, anything.
    fn flow(&mut self, sources: &[NodeId], node: NodeId) -> bool {
        if self.nodes[node.index()].anything || sources.contains(&node) {
            return false;
        }
        let Some((&least, others)) = sources.split_first() else {
            self.give_up(node);
            return true;
        };
        let mut news = false;
        for i in 0..self.constants(least).0.len() {
            let word = others.iter().fold(self.constants(least).0[i], |word, &other| {
                word & self.constants(other).0.get(i).copied().unwrap_or(0)
            });
            let old = self.constants(node).0.get(i).copied().unwrap_or(0);
            if word & !old != 0 {
                if !self.reserve(node, i + 1) {
                    return true;
                }
                self.nodes[node.index()].constants.0[i] |= word;
                news = true;
            }
        }
        for at in 0..self.nodes[least.index()].functors.len() {
            // What flows may turn a source into a position for anything.
            let Some(&(functor, arity, first)) = self.nodes[least.index()].functors.get(at) else {
                break;
            };
            let firsts: Option<Vec<NodeId>> = std::iter::once(Some(first))
                .chain(others.iter().map(|&o| self.nodes[o.index()].find(functor, arity as usize)))
                .collect();
            let Some(firsts) = firsts else { continue };
            let (target, added) = self.functor(node, functor, arity as usize);
            news |= added;
            let Some(target) = target else { return news };
            for i in 0..arity {
                let mut inner: Vec<NodeId> = firsts.iter().map(|f| NodeId(f.0 + i)).collect();
                inner.retain(|&n| !self.is_anything(n));
                news |= self.flow(&inner, NodeId(target.0 + i));
            }
        }
        news
    }

    /// The positions of the arguments of a functor in a position, new or known, and whether this is
    /// news. `None` where the position may hold anything, at the latest from now on: terms that
    /// nest in themselves have no end.
    fn functor(&mut self, node: NodeId, functor: Symbol, arity: usize) -> (Option<NodeId>, bool) {
        if self.is_anything(node) {
            return (None, false);
        }
        if let Some(first) = self.nodes[node.index()].find(functor, arity) {
            return (Some(first), false);
        }
        let mut nested = false;
        let mut at = self.nodes[node.index()].parent;
        while let Some((up, f)) = at {
            nested |= f == functor;
            at = self.nodes[up.index()].parent;
        }
        let depth = self.nodes[node.index()].depth + 1;
        if nested || depth > MAX_SHAPE_DEPTH || self.nodes.len() + arity > MAX_SHAPE_NODES {
            self.give_up(node);
            return (None, true);
        }
        let first = NodeId(self.nodes.len() as u32);
        self.nodes.extend((0..arity).map(|_| Node::new(Some((node, functor)), depth)));
        self.nodes[node.index()].functors.push((functor, arity as u32, first));
        (Some(first), true)
    }
}

impl Node {
    fn new(parent: Option<(NodeId, Symbol)>, depth: usize) -> Node {
        let (constants, functors) = (Constants::default(), Vec::new());
        Node { constants, functors, anything: false, parent, depth }
    }

    fn find(&self, functor: Symbol, arity: usize) -> Option<NodeId> {
        self.functors
            .iter()
            .find(|&&(f, n, _)| f == functor && n as usize == arity)
            .map(|&(_, _, first)| first)
    }
}

fn positive(rule: &Rule) -> impl Iterator<Item = &Atom> {
    rule.body.iter().filter_map(|literal| match literal {
        Literal::Positive(atom) => Some(atom),
        _ => None,
    })
}

/// One way in which a position can be filled.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Shape {
    /// Some constant of the position.
    Constant(NodeId),
    /// This constant.
    Exactly(Symbol),
    /// Anything; the whole term is one value.
    Anything,
    /// A compound term whose arguments have these shapes.
    Compound(Symbol, Box<[Shape]>),
}

impl Shape {
    /// The number of columns that it takes.
    pub(crate) fn columns(&self) -> usize {
        match self {
            Shape::Constant(_) | Shape::Anything => 1,
            Shape::Exactly(_) => 0,
            Shape::Compound(_, args) => args.iter().map(Shape::columns).sum(),
        }
    }
}

/// Positions that are to be filled by whole terms, for reasons found later.
pub(crate) type Forced = FxHashSet<NodeId>;

impl Shapes {
    /// The ways to fill the arguments of a relation. With `exactly`, constants are told apart.
    pub(crate) fn variants(
        &self,
        args: &[NodeId],
        forced: &Forced,
        exactly: bool,
    ) -> Vec<Box<[Shape]>> {
        let limits = [MAX_SHAPES, MAX_NESTED_SHAPES, 1];
        for limit in limits {
            let ways: Vec<Vec<Shape>> =
                args.iter().map(|&arg| self.ways(arg, forced, exactly, limit)).collect();
            let count = ways.iter().try_fold(1usize, |n, w| n.checked_mul(w.len()));
            if count.is_some_and(|count| count <= MAX_SHAPES) || limit == 1 {
                return product(&ways);
            }
        }
        Vec::new()
    }

    fn ways(&self, node: NodeId, forced: &Forced, exactly: bool, limit: usize) -> Vec<Shape> {
        if self.is_anything(node) || forced.contains(&node) {
            return vec![Shape::Anything];
        }
        let mut all = Vec::new();
        let constants = self.constants(node);
        if exactly && constants.len() <= limit {
            all.extend(constants.iter().map(Shape::Exactly));
        } else if !constants.is_empty() {
            all.push(Shape::Constant(node));
        }
        for (functor, args) in self.functors(node) {
            let mut inner: Vec<Vec<Shape>> = args
                .iter()
                .map(|&arg| self.ways(arg, forced, exactly, MAX_NESTED_SHAPES))
                .collect();
            let count = inner.iter().try_fold(1usize, |n, w| n.checked_mul(w.len()));
            if count.is_none_or(|count| count > MAX_NESTED_SHAPES.max(limit / 16)) {
                for ways in inner.iter_mut().filter(|ways| ways.len() > 1) {
                    *ways = vec![Shape::Anything];
                }
            }
            all.extend(product(&inner).into_iter().map(|args| Shape::Compound(functor, args)));
            if all.len() > limit {
                break;
            }
        }
        if all.len() > limit {
            let only_constants = self.nodes[node.index()].functors.is_empty();
            let shape = if only_constants { Shape::Constant(node) } else { Shape::Anything };
            return vec![shape];
        }
        all
    }
}

/// All combinations, one of each list; none if a list is empty.
fn product(ways: &[Vec<Shape>]) -> Vec<Box<[Shape]>> {
    let mut all: Vec<Vec<Shape>> = vec![Vec::new()];
    for list in ways {
        all = all
            .iter()
            .flat_map(|start| {
                list.iter().map(move |shape| [&start[..], std::slice::from_ref(shape)].concat())
            })
            .collect();
    }
    all.into_iter().map(Vec::into_boxed_slice).collect()
}
