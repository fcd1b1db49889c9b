//! Plain expressions as walks: parts that only shift are computed for the whole board at once, and
//! the rest becomes a few large steps.

use std::sync::Arc;

use super::{Compiler, TooLarge, formula};
use crate::description::{Expr, Piece};
use crate::formula::Compare;
use crate::program::{Step, Term, Walk};
use crate::rays::{Ray, RaySet};
use crate::relation::Static;

/// A part of a walk that is not finished.
#[derive(Clone)]
enum Node<const W: usize> {
    /// A part that depends on the board alone.
    Static(Static<W>),
    On(Arc<[Piece]>),
    Sum(Vec<Vec<Node<W>>>),
    Star(Vec<Node<W>>),
    /// Any other part.
    Step(Step<W>),
}

/// One after another.
type Nodes<const W: usize> = Vec<Node<W>>;

impl<const W: usize> Compiler<W> {
    /// The walk of a plain expression, or of the same expression backwards.
    pub(super) fn walk(&mut self, expr: &Expr, backward: bool) -> Result<Walk<W>, TooLarge> {
        let nodes = self.nodes(expr, backward)?;
        Ok(self.finish(nodes))
    }

    /// The walk of several plain expressions one after another.
    pub(super) fn walk_all(&mut self, all: &[&Expr]) -> Result<Walk<W>, TooLarge> {
        let nodes = self.concat(all.iter().copied(), false)?;
        Ok(self.finish(nodes))
    }

    /// The walk of any of several plain expressions.
    pub(super) fn walk_any(&mut self, all: &[&Expr]) -> Result<Walk<W>, TooLarge> {
        let nodes = self.sum(all.iter().copied(), false)?;
        Ok(self.finish(nodes))
    }

    fn nodes(&mut self, expr: &Expr, backward: bool) -> Result<Nodes<W>, TooLarge> {
        self.work += 1 + self.cells as u64 / 8;
        self.bytes += size_of::<Node<W>>() as u64;
        self.check()?;
        let node = match expr {
            Expr::Shift(label) => {
                let (forth, back) = &self.shifts[usize::from(*label)];
                Node::Static(if backward { back.clone() } else { forth.clone() })
            }
            Expr::Dot => return Ok(Vec::new()),
            Expr::On(pieces) if pieces.is_empty() => Node::Static(Static::empty(self.cells)),
            Expr::On(pieces) if pieces.len() == self.pieces => return Ok(Vec::new()),
            Expr::On(pieces) => Node::On(pieces.as_slice().into()),
            Expr::Compare(left, operator, right) => {
                let (left, right) = (formula(left), formula(right));
                let id = self.compare(Compare { left, operator: *operator, right });
                Node::Step(Step::Compare(id))
            }
            Expr::Concat(all) if backward => return self.concat(all.iter().rev(), backward),
            Expr::Concat(all) => return self.concat(all.iter(), backward),
            Expr::Sum(all) => return self.sum(all.iter(), backward),
            Expr::Star(inner) => {
                let body = self.nodes(inner, backward)?;
                match as_static(&body, self.cells) {
                    Some(relation) => Node::Static(relation.star(&mut self.work)),
                    None => Node::Star(body),
                }
            }
            Expr::Power(inner, copies) => {
                return self.concat((0..*copies).map(|_| &**inner), backward);
            }
            Expr::Pattern { negated, inner } => self.test(*negated, inner)?,
            // These are not plain, and callers do not pass them.
            Expr::Off(_) | Expr::Assign(..) | Expr::Switch(_) => {
                Node::Static(Static::empty(self.cells))
            }
        };
        Ok(vec![node])
    }

    fn test(&mut self, negated: bool, inner: &Expr) -> Result<Node<W>, TooLarge> {
        if inner.is_plain() {
            let nodes = self.nodes(inner, false)?;
            if let Some(relation) = as_static(&nodes, self.cells) {
                let domain = relation.domain();
                let set = if negated { self.all.without(domain) } else { domain };
                return Ok(Node::Static(Static::within(set, self.cells)));
            }
            // A pattern that consists of a test of the cell itself is that test.
            if let [Node::On(pieces)] = nodes.as_slice() {
                let others = (0..self.pieces as Piece).filter(|p| !pieces.contains(p));
                let pieces = if negated { others.collect() } else { Arc::clone(pieces) };
                return Ok(Node::On(pieces));
            }
        }
        let pattern = self.pattern(inner)?;
        Ok(Node::Step(Step::Test { negated, pattern }))
    }

    fn concat<'e>(
        &mut self,
        all: impl Iterator<Item = &'e Expr>,
        backward: bool,
    ) -> Result<Nodes<W>, TooLarge> {
        let mut out = Vec::new();
        for expr in all {
            for node in self.nodes(expr, backward)? {
                self.append(node, &mut out);
            }
        }
        Ok(out)
    }

    /// Adds a node, and joins it with the last one if that is possible.
    fn append(&mut self, node: Node<W>, out: &mut Nodes<W>) {
        self.bytes += size_of::<Node<W>>() as u64;
        match (out.last_mut(), node) {
            (Some(Node::Static(before)), Node::Static(next)) => {
                *before = before.compose(&next, &mut self.work);
            }
            (Some(Node::On(before)), Node::On(next)) => {
                *before = before.iter().copied().filter(|p| next.contains(p)).collect();
            }
            (Some(Node::Static(before)), Node::Sum(alternatives))
                if before.constant().is_none() && alternatives.iter().all(|a| is_term(a)) =>
            {
                // The shift before a sum of tests goes into each of them.
                let before = before.clone();
                out.pop();
                let mut all = Vec::with_capacity(alternatives.len());
                for alternative in alternatives {
                    let mut nodes = vec![Node::Static(before.clone())];
                    for node in alternative {
                        self.append(node, &mut nodes);
                    }
                    all.push(nodes);
                }
                out.push(Node::Sum(all));
            }
            (_, node) => out.push(node),
        }
    }

    fn sum<'e>(
        &mut self,
        all: impl Iterator<Item = &'e Expr>,
        backward: bool,
    ) -> Result<Nodes<W>, TooLarge> {
        let mut fixed: Option<Static<W>> = None;
        let mut walks: Vec<Nodes<W>> = Vec::new();
        for expr in all {
            let nodes = self.nodes(expr, backward)?;
            if let Some(next) = as_static(&nodes, self.cells) {
                fixed = Some(match fixed {
                    Some(before) => before.union(&next, &mut self.work),
                    None => next,
                });
                continue;
            }
            // A sum in a sum is one sum.
            match <[Node<W>; 1]>::try_from(nodes) {
                Ok([Node::Sum(inner)]) => walks.extend(inner),
                Ok(one) => walks.push(one.into()),
                Err(nodes) => walks.push(nodes),
            }
        }
        if walks.is_empty() {
            let fixed = fixed.unwrap_or_else(|| Static::empty(self.cells));
            return Ok(vec![Node::Static(fixed)]);
        }
        if let Some(fixed) = fixed.filter(|f| !f.domain().is_empty()) {
            walks.insert(0, vec![Node::Static(fixed)]);
        }
        let only = if walks.len() == 1 { walks.pop() } else { None };
        Ok(only.unwrap_or_else(|| vec![Node::Sum(walks)]))
    }

    /// Converts nodes to steps.
    fn finish(&mut self, nodes: Nodes<W>) -> Walk<W> {
        let mut steps = Vec::new();
        let mut nodes = nodes.into_iter().peekable();
        while let Some(node) = nodes.next() {
            match node {
                Node::Static(relation) => {
                    let on = match nodes.peek() {
                        Some(Node::On(pieces)) => Some(Arc::clone(pieces)),
                        _ => None,
                    };
                    if let Some(pieces) = on
                        && !relation.stays()
                        && relation.constant().is_none()
                    {
                        nodes.next();
                        let class = self.class(&pieces);
                        steps.push(if matches!(relation, Static::Func(_)) {
                            Step::Move { relation: self.relation(relation), class }
                        } else {
                            Step::Terms(Box::new([self.term(relation, Some(class))]))
                        });
                    } else {
                        self.finish_static(relation, &mut steps);
                    }
                }
                Node::On(pieces) => steps.push(Step::On(self.class(&pieces))),
                Node::Star(body) => {
                    let body = self.finish(body);
                    let sliding = match *body {
                        [Step::Move { relation, .. }] | [Step::On(_), Step::Func(relation)] => {
                            Some(relation)
                        }
                        _ => None,
                    };
                    if let Some(relation) = sliding {
                        self.relations[relation as usize].trace();
                        self.bytes += (self.cells * W * 8) as u64;
                    }
                    steps.push(match *body {
                        [Step::Move { relation, class }] => {
                            Step::Slide { relation, class, test_first: false }
                        }
                        [Step::On(class), Step::Func(relation)] => {
                            Step::Slide { relation, class, test_first: true }
                        }
                        [Step::Terms(ref terms)]
                            if terms.len() == 1 && terms[0].class.is_some() =>
                        {
                            Step::Flood {
                                rows: Arc::clone(&terms[0].rows),
                                class: terms[0].class.unwrap_or(0),
                            }
                        }
                        _ => Step::Star(body),
                    });
                }
                Node::Sum(alternatives) => self.finish_sum(alternatives, &mut steps),
                Node::Step(step) => steps.push(step),
            }
        }
        self.bytes += (steps.len() * size_of::<Step<W>>()) as u64;
        if let Some(ray) = as_ray(&steps) {
            return Box::new([self.rays(&[ray])]);
        }
        steps.into()
    }

    fn rays(&mut self, rays: &[Ray]) -> Step<W> {
        let set = RaySet::new(rays, &self.relations);
        self.bytes += set.bytes();
        Step::Rays(Box::new(set))
    }

    fn finish_static(&mut self, relation: Static<W>, steps: &mut Vec<Step<W>>) {
        if relation.is_identity(self.all) {
            return;
        }
        let domain = relation.domain().and(self.all);
        if relation.stays() {
            steps.push(Step::Within(domain));
        } else if let Some(set) = relation.constant() {
            if domain != self.all {
                steps.push(Step::Within(domain));
            }
            steps.push(Step::Const(set));
        } else if matches!(relation, Static::Func(_)) {
            steps.push(Step::Func(self.relation(relation)));
        } else {
            steps.push(Step::Rel(self.relation(relation)));
        }
    }

    /// Makes terms of one step of alternatives that are a relation and a test.
    fn finish_sum(&mut self, alternatives: Vec<Nodes<W>>, steps: &mut Vec<Step<W>>) {
        let mut terms: Vec<(Static<W>, Option<Arc<[Piece]>>)> = Vec::new();
        let mut others: Vec<Walk<W>> = Vec::new();
        let mut rays = Vec::new();
        let mut guarded: Vec<(u32, Static<W>, Vec<Walk<W>>)> = Vec::new();
        for alternative in alternatives {
            let (relation, pieces) = match alternative.as_slice() {
                [Node::Static(relation)] => (relation.clone(), None),
                [Node::Static(relation), Node::On(pieces)] => {
                    (relation.clone(), Some(Arc::clone(pieces)))
                }
                [Node::On(pieces)] => (Static::identity(self.cells), Some(Arc::clone(pieces))),
                _ => {
                    let guard = if self.guarding { self.guard(&alternative) } else { None };
                    let walk = self.finish(alternative);
                    match (&*walk, guard) {
                        ([Step::Rays(more)], _) => rays.extend_from_slice(more),
                        (_, Some((hull, class))) => {
                            self.add_guarded(walk, hull, class, &mut guarded);
                        }
                        _ => others.push(walk),
                    }
                    continue;
                }
            };
            match terms.iter_mut().find(|term| term.1 == pieces) {
                Some(term) => term.0 = term.0.union(&relation, &mut self.work),
                None => terms.push((relation, pieces)),
            }
        }
        for (class, hull, walks) in guarded {
            let guard = self.guard_step(hull, class);
            if walks.len() == 1 {
                others.extend(walks); // it has its own
            } else {
                others.push(Box::new([guard, Step::Sum(walks.into())]));
            }
        }
        if !rays.is_empty() {
            let step = self.rays(&rays);
            if terms.is_empty() && others.is_empty() {
                steps.push(step);
                return;
            }
            others.insert(0, Box::new([step]));
        }
        if terms.len() == 1 && others.is_empty() {
            if let Some((relation, pieces)) = terms.pop() {
                let mut nodes = vec![Node::Static(relation)];
                nodes.extend(pieces.map(Node::On));
                steps.extend(self.finish(nodes));
            }
            return;
        }
        if !terms.is_empty() {
            let mut all = Vec::with_capacity(terms.len());
            for (relation, pieces) in terms {
                let class = pieces.map(|pieces| self.class(&pieces));
                all.push(self.term(relation, class));
            }
            let step = Step::Terms(all.into());
            if others.is_empty() {
                steps.push(step);
                return;
            }
            others.insert(0, Box::new([step]));
        }
        steps.push(Step::Sum(others.into()));
    }

    /// Adds a walk behind a guard, together with those whose guards look for the same pieces.
    fn add_guarded(
        &mut self,
        walk: Walk<W>,
        hull: Static<W>,
        class: u32,
        guarded: &mut Vec<(u32, Static<W>, Vec<Walk<W>>)>,
    ) {
        let mut steps = vec![self.guard_step(hull.clone(), class)];
        steps.extend(walk);
        let walk = steps.into();
        match guarded.iter_mut().find(|group| group.0 == class) {
            Some(group) => {
                group.1 = group.1.union(&hull, &mut self.work);
                group.2.push(walk);
            }
            None => guarded.push((class, hull, vec![walk])),
        }
    }

    fn guard_step(&mut self, hull: Static<W>, class: u32) -> Step<W> {
        let relation = self.relation(hull);
        Step::Guard { rows: Arc::clone(&self.relations[relation as usize].rows), class }
    }

    /// The guard of a walk that takes some steps and must end on certain pieces: the cells where it
    /// could end on an empty board, and those pieces.
    fn guard(&mut self, nodes: &[Node<W>]) -> Option<(Static<W>, u32)> {
        let long =
            nodes.len() > 2 || nodes.iter().any(|n| matches!(n, Node::Star(_) | Node::Sum(_)));
        let pieces = last_pieces(nodes)?;
        if !long || pieces.len() * 2 > self.pieces {
            return None;
        }
        let hull = self.hull(nodes)?;
        let class = self.class(&pieces);
        Some((hull, class))
    }

    /// The relation of nodes if all tests succeed.
    fn hull(&mut self, nodes: &[Node<W>]) -> Option<Static<W>> {
        let mut out: Option<Static<W>> = None;
        for node in nodes {
            let next = match node {
                Node::Static(relation) => relation.clone(),
                Node::On(_) | Node::Step(Step::Test { .. } | Step::Compare(_)) => continue,
                Node::Star(body) => self.hull(body)?.star(&mut self.work),
                Node::Sum(all) => {
                    let mut sum: Option<Static<W>> = None;
                    for alternative in all {
                        let next = self.hull(alternative)?;
                        sum = Some(match sum {
                            Some(before) => before.union(&next, &mut self.work),
                            None => next,
                        });
                    }
                    sum?
                }
                Node::Step(_) => return None,
            };
            out = Some(match out {
                Some(before) => before.compose(&next, &mut self.work),
                None => next,
            });
        }
        self.check().ok()?;
        Some(out.unwrap_or_else(|| Static::identity(self.cells)))
    }

    fn term(&mut self, relation: Static<W>, class: Option<u32>) -> Term<W> {
        let relation = self.relation(relation);
        self.bytes += size_of::<Term<W>>() as u64;
        Term { relation, rows: Arc::clone(&self.relations[relation as usize].rows), class }
    }
}

/// The pieces on one of which nodes end, if they end on pieces.
fn last_pieces<const W: usize>(nodes: &[Node<W>]) -> Option<Vec<Piece>> {
    match nodes.last()? {
        Node::On(pieces) => Some(pieces.to_vec()),
        Node::Sum(all) => {
            let mut out = Vec::new();
            for alternative in all {
                out.extend(last_pieces(alternative)?);
            }
            out.sort_unstable();
            out.dedup();
            Some(out)
        }
        _ => None,
    }
}

/// Steps that are one ray.
fn as_ray<const W: usize>(steps: &[Step<W>]) -> Option<Ray> {
    match *steps {
        [
            Step::Move { relation, class },
            Step::Slide { relation: again, class: same, test_first: false },
        ] if relation == again && class == same => Some(Ray { relation, class, hit: false }),
        [Step::Slide { relation, class, test_first: false }, Step::Func(again)]
            if relation == again =>
        {
            Some(Ray { relation, class, hit: true })
        }
        _ => None,
    }
}

/// The relation of nodes that depend on the board alone.
fn as_static<const W: usize>(nodes: &[Node<W>], cells: usize) -> Option<Static<W>> {
    match nodes {
        [] => Some(Static::identity(cells)),
        [Node::Static(relation)] => Some(relation.clone()),
        _ => None,
    }
}

fn is_term<const W: usize>(nodes: &[Node<W>]) -> bool {
    matches!(nodes, [Node::Static(_) | Node::On(_)] | [Node::Static(_), Node::On(_)])
}
