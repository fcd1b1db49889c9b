//! The specialisation of the rules of a program to flat relations: each rule for every combination
//! of shapes that its literals can have.

use rustc_hash::FxHashSet;

use super::flat::{FlatAtom, FlatId, FlatLiteral, FlatProgram, FlatRelation, FlatRule, FlatTerm};
use super::shapes::{Forced, NodeId, Shape, Shapes, canonical};
use crate::limits::{MAX_BRANCHES, MAX_FLATTENING_WORK, MAX_SPECIALISED_LITERALS};
use crate::program::{Atom, Literal, Program, RelId, Rule, Term, TermKind};
use crate::symbols::Symbol;

/// The error of a program that could not be flattened: too many cases.
#[derive(Debug)]
pub(crate) struct TooLarge;

enum Failure {
    TooLarge,
    /// This position must hold whole terms.
    Force(NodeId),
}

impl FlatProgram {
    /// Flattens the rules that some of the roots need, to at most so many, and by so many steps;
    /// facts of all relations.
    pub(crate) fn new(
        program: &Program,
        roots: &[RelId],
        (most, work): (usize, u64),
    ) -> Result<FlatProgram, TooLarge> {
        let mut work = work.min(MAX_FLATTENING_WORK);
        let wanted = wanted(program, roots);
        let shapes = Shapes::infer(program);
        let split = negative_components(program);
        let mut forced = Forced::default();
        // Each attempt forces a position more; a few are usual, many are hopeless.
        for _ in 0..50 {
            let mut flattener = Flattener::new(program, &shapes, &forced, &split, (most, work));
            let result = flattener.run(&wanted);
            work = flattener.work;
            match result {
                Ok(()) => {
                    let Flattener { relations, first, rules, origins, facts, .. } = flattener;
                    return Ok(FlatProgram { relations, rules, origins, facts, first, shapes });
                }
                Err(Failure::Force(node)) => _ = forced.insert(node),
                Err(Failure::TooLarge) => return Err(TooLarge),
            }
        }
        Err(TooLarge)
    }
}

/// By relation, whether one of the roots needs it.
fn wanted(program: &Program, roots: &[RelId]) -> Vec<bool> {
    let mut wanted = vec![false; program.relations.len()];
    let mut rules = vec![Vec::new(); program.relations.len()];
    for rule in &program.rules {
        rules[rule.head.relation.index()].push(rule);
    }
    let mut stack = roots.to_vec();
    while let Some(id) = stack.pop() {
        if std::mem::replace(&mut wanted[id.index()], true) {
            continue;
        }
        let bodies = rules[id.index()].iter().flat_map(|rule| &rule.body);
        stack.extend(bodies.filter_map(|literal| Some(literal.atom()?.relation)));
    }
    wanted
}

/// By relation: whether its component has a negation inside, which only values keep apart.
fn negative_components(program: &Program) -> Vec<bool> {
    let mut negative = vec![false; program.components.len()];
    for rule in &program.rules {
        let component = program.relation(rule.head.relation).component;
        for literal in &rule.body {
            if let Literal::Negative(atom) = literal
                && program.relation(atom.relation).component == component
            {
                negative[component] = true;
            }
        }
    }
    program.relations.iter().map(|r| negative.get(r.component).is_some_and(|&n| n)).collect()
}

struct Flattener<'a> {
    program: &'a Program,
    shapes: &'a Shapes,
    relations: Vec<FlatRelation>,
    first: Vec<u32>,
    rules: Vec<FlatRule>,
    origins: Vec<usize>,
    seen: FxHashSet<FlatRule>,
    facts: Vec<FlatAtom>,
    /// The terms that the variables of the rule at hand are bound to.
    bound: Vec<Option<FlatTerm>>,
    /// By variable, true if it may stand for compound terms.
    open: Vec<bool>,
    trail: Vec<Undo>,
    /// Constants that a variable is not, where a negative literal made a case of it.
    excluded: Vec<(u32, Symbol)>,
    literals: usize,
    /// Rules at most.
    most: usize,
    /// Steps left.
    work: u64,
}

enum Undo {
    Bound(u32),
    New,
}

impl<'a> Flattener<'a> {
    fn new(
        program: &'a Program,
        shapes: &'a Shapes,
        forced: &Forced,
        split: &[bool],
        (most, work): (usize, u64),
    ) -> Flattener<'a> {
        let mut relations = Vec::new();
        let mut first = vec![0];
        for (index, relation) in program.relations.iter().enumerate() {
            let id = RelId(index as u32);
            let args = shapes.args(id, relation.arity);
            let exactly = split[canonical(id).index()];
            for shape in shapes.variants(&args, forced, exactly) {
                let mut columns = Vec::new();
                shape.iter().for_each(|s| leaves(s, &mut columns));
                relations.push(FlatRelation { relation: id, shapes: shape, columns });
            }
            first.push(relations.len() as u32);
        }
        Flattener {
            program,
            shapes,
            relations,
            first,
            rules: Vec::new(),
            origins: Vec::new(),
            seen: FxHashSet::default(),
            facts: Vec::new(),
            bound: Vec::new(),
            open: Vec::new(),
            trail: Vec::new(),
            excluded: Vec::new(),
            literals: 0,
            most,
            work,
        }
    }

    fn run(&mut self, wanted: &[bool]) -> Result<(), Failure> {
        let program = self.program;
        for fact in &program.facts {
            for variant in self.variants(fact.relation) {
                if let Some(columns) = self.fit_atom(fact, variant)? {
                    self.facts.push(FlatAtom { relation: variant, columns });
                    break;
                }
            }
        }
        let rules = program.rules.iter().enumerate();
        for (origin, rule) in rules.filter(|(_, rule)| wanted[rule.head.relation.index()]) {
            self.bound.clear();
            self.bound.resize(rule.variables.len(), None);
            self.open.clear();
            self.open.resize(rule.variables.len(), true);
            self.trail.clear();
            self.excluded.clear();
            self.specialise(rule)?;
            self.origins.resize(self.rules.len(), origin);
        }
        Ok(())
    }

    fn spend(&mut self, steps: usize) -> Result<(), Failure> {
        self.work = self.work.checked_sub(steps as u64).ok_or(Failure::TooLarge)?;
        Ok(())
    }

    fn variants(&self, relation: RelId) -> impl Iterator<Item = FlatId> + use<> {
        (self.first[relation.index()]..self.first[relation.index() + 1]).map(FlatId)
    }

    /// Tries all combinations of variants for the positive literals.
    fn specialise(&mut self, rule: &'a Rule) -> Result<(), Failure> {
        let positive: Vec<&Atom> = rule
            .body
            .iter()
            .filter_map(|literal| match literal {
                Literal::Positive(atom) => Some(atom),
                _ => None,
            })
            .collect();
        // Per literal that is fitted: the variants left to try, and how long the trail was.
        let mut chosen: Vec<(std::ops::Range<u32>, usize)> = Vec::new();
        let mut atoms: Vec<FlatAtom> = Vec::new();
        let mut left = self.left(positive.first());
        loop {
            if atoms.len() == positive.len() {
                self.negatives(rule, &atoms, 0)?;
            } else {
                let mark = self.trail.len();
                let atom = positive[atoms.len()];
                let mut found = false;
                while let Some(next) = left.next() {
                    if let Some(columns) = self.fit_atom(atom, FlatId(next))? {
                        atoms.push(FlatAtom { relation: FlatId(next), columns });
                        chosen.push((left.clone(), mark));
                        left = self.left(positive.get(atoms.len()));
                        found = true;
                        break;
                    }
                    self.undo(mark);
                }
                if found {
                    continue;
                }
            }
            let Some((rest, mark)) = chosen.pop() else { return Ok(()) };
            atoms.pop();
            self.undo(mark);
            left = rest;
        }
    }

    fn left(&self, atom: Option<&&Atom>) -> std::ops::Range<u32> {
        atom.map_or(0..0, |atom| {
            let index = atom.relation.index();
            self.first[index]..self.first[index + 1]
        })
    }

    fn undo(&mut self, mark: usize) {
        while self.trail.len() > mark {
            if let Some(Undo::Bound(var)) = self.trail.pop() {
                self.bound[var as usize] = None;
            } else {
                self.bound.pop();
                self.open.pop();
            }
        }
    }

    fn fresh(&mut self, open: bool) -> u32 {
        self.bound.push(None);
        self.open.push(open);
        self.trail.push(Undo::New);
        self.bound.len() as u32 - 1
    }

    fn bind(&mut self, var: u32, term: FlatTerm) {
        self.bound[var as usize] = Some(term);
        self.trail.push(Undo::Bound(var));
    }

    /// The columns of an atom as one of its variants, if it can be one. The caller undoes what was
    /// bound on the way.
    fn fit_atom(&mut self, atom: &Atom, variant: FlatId) -> Result<Option<Vec<FlatTerm>>, Failure> {
        self.spend(1)?;
        let mut columns = Vec::new();
        for (i, arg) in atom.args.iter().enumerate() {
            // Cheap to clone: a handful of nodes.
            let shape = self.relations[variant.index()].shapes[i].clone();
            if !self.fit(&flat(arg), &shape, &mut columns) {
                return Ok(None);
            }
        }
        Ok(Some(columns))
    }

    fn shallow(&self, term: &FlatTerm) -> FlatTerm {
        let mut term = term;
        while let FlatTerm::Var(var) = term
            && let Some(bound) = &self.bound[*var as usize]
        {
            term = bound;
        }
        term.clone()
    }

    fn fit(&mut self, term: &FlatTerm, shape: &Shape, columns: &mut Vec<FlatTerm>) -> bool {
        let term = self.shallow(term);
        match (&term, shape) {
            (FlatTerm::Const(c), Shape::Constant(node)) => {
                let fits = self.shapes.constants(*node).contains(*c);
                columns.push(term);
                fits
            }
            (FlatTerm::Const(c), Shape::Exactly(d)) => c == d,
            (_, Shape::Anything) => {
                columns.push(term);
                true
            }
            (FlatTerm::Var(var), Shape::Constant(_)) => {
                if self.open[*var as usize] {
                    let closed = self.fresh(false);
                    self.bind(*var, FlatTerm::Var(closed));
                    columns.push(FlatTerm::Var(closed));
                } else {
                    columns.push(term);
                }
                true
            }
            (FlatTerm::Var(var), Shape::Exactly(d)) => {
                self.bind(*var, FlatTerm::Const(*d));
                true
            }
            (FlatTerm::Var(var), Shape::Compound(functor, shapes)) => {
                if !self.open[*var as usize] {
                    return false;
                }
                let args: Box<[FlatTerm]> =
                    shapes.iter().map(|_| FlatTerm::Var(self.fresh(true))).collect();
                self.bind(*var, FlatTerm::Pattern(*functor, args.clone()));
                args.iter().zip(shapes).all(|(arg, shape)| self.fit(arg, shape, columns))
            }
            (FlatTerm::Pattern(f, args), Shape::Compound(g, shapes)) => {
                f == g
                    && args.len() == shapes.len()
                    && args.iter().zip(shapes).all(|(arg, shape)| self.fit(arg, shape, columns))
            }
            (FlatTerm::Const(_), Shape::Compound(..))
            | (FlatTerm::Pattern(..), Shape::Constant(_) | Shape::Exactly(_)) => false,
        }
    }

    /// Fits the negative literals, whose variables are all known by now, and then the head.
    fn negatives(
        &mut self,
        rule: &'a Rule,
        positive: &[FlatAtom],
        depth: usize,
    ) -> Result<(), Failure> {
        let mut negative = Vec::new();
        for literal in &rule.body {
            let Literal::Negative(atom) = literal else { continue };
            let mut cases = Vec::new();
            for variant in self.variants(atom.relation) {
                let mut columns = Vec::new();
                match self.test_atom(atom, variant, &mut columns)? {
                    Test::Never => {}
                    Test::Fits => negative.push(FlatAtom { relation: variant, columns }),
                    Test::If(var, constant) => cases.push((var, constant)),
                }
            }
            if let Some(&(var, _)) = cases.first() {
                if depth >= MAX_BRANCHES {
                    return Err(Failure::TooLarge);
                }
                return self.branch(rule, positive, depth, var, &cases);
            }
        }
        self.heads(rule, positive, &negative)
    }

    /// Makes a case for each constant that the variable may be, and one for all others.
    fn branch(
        &mut self,
        rule: &'a Rule,
        positive: &[FlatAtom],
        depth: usize,
        var: u32,
        cases: &[(u32, Symbol)],
    ) -> Result<(), Failure> {
        let mut constants: Vec<Symbol> =
            cases.iter().filter(|case| case.0 == var).map(|case| case.1).collect();
        constants.sort_unstable();
        constants.dedup();
        for &constant in &constants {
            let mark = self.trail.len();
            self.bind(var, FlatTerm::Const(constant));
            self.negatives(rule, positive, depth + 1)?;
            self.undo(mark);
        }
        let before = self.excluded.len();
        self.excluded.extend(constants.iter().map(|&c| (var, c)));
        self.negatives(rule, positive, depth + 1)?;
        self.excluded.truncate(before);
        Ok(())
    }

    fn test_atom(
        &mut self,
        atom: &Atom,
        variant: FlatId,
        columns: &mut Vec<FlatTerm>,
    ) -> Result<Test, Failure> {
        self.spend(1)?;
        let nodes = self.shapes.args(atom.relation, atom.args.len());
        let mut result = Test::Fits;
        for (i, arg) in atom.args.iter().enumerate() {
            let shape = &self.relations[variant.index()].shapes[i];
            match self.test(&flat(arg), shape, nodes[i], columns)? {
                Test::Never => return Ok(Test::Never),
                Test::Fits => {}
                case @ Test::If(..) => result = case,
            }
        }
        Ok(result)
    }

    /// True if a term can have a shape; binds nothing.
    fn test(
        &self,
        term: &FlatTerm,
        shape: &Shape,
        node: NodeId,
        columns: &mut Vec<FlatTerm>,
    ) -> Result<Test, Failure> {
        let term = self.shallow(term);
        Ok(match (&term, shape) {
            (_, Shape::Anything) | (FlatTerm::Var(_), Shape::Constant(_)) => {
                columns.push(term);
                Test::Fits
            }
            (FlatTerm::Const(c), Shape::Constant(node)) => {
                let fits = self.shapes.constants(*node).contains(*c);
                columns.push(term);
                if fits { Test::Fits } else { Test::Never }
            }
            (FlatTerm::Const(c), Shape::Exactly(d)) => {
                if c == d {
                    Test::Fits
                } else {
                    Test::Never
                }
            }
            (FlatTerm::Var(var), Shape::Exactly(d)) => {
                if self.excluded.contains(&(*var, *d)) {
                    Test::Never
                } else {
                    Test::If(*var, *d)
                }
            }
            (FlatTerm::Var(var), Shape::Compound(..)) => {
                if self.open[*var as usize] {
                    return Err(Failure::Force(node));
                }
                Test::Never
            }
            (FlatTerm::Pattern(f, args), Shape::Compound(g, shapes)) => {
                if f != g || args.len() != shapes.len() {
                    return Ok(Test::Never);
                }
                let nodes = self
                    .shapes
                    .functors(node)
                    .find(|(h, nodes)| h == g && nodes.len() == args.len())
                    .map_or(Vec::new(), |(_, nodes)| nodes);
                let mut result = Test::Fits;
                for ((arg, shape), &node) in args.iter().zip(shapes).zip(&nodes) {
                    match self.test(arg, shape, node, columns)? {
                        Test::Never => return Ok(Test::Never),
                        Test::Fits => {}
                        case @ Test::If(..) => result = case,
                    }
                }
                result
            }
            (FlatTerm::Const(_), Shape::Compound(..))
            | (FlatTerm::Pattern(..), Shape::Constant(_) | Shape::Exactly(_)) => Test::Never,
        })
    }

    /// Makes a rule for each variant that the head can be.
    fn heads(
        &mut self,
        rule: &'a Rule,
        positive: &[FlatAtom],
        negative: &[FlatAtom],
    ) -> Result<(), Failure> {
        for variant in self.variants(rule.head.relation) {
            let mark = self.trail.len();
            if let Some(columns) = self.fit_atom(&rule.head, variant)? {
                let head = FlatAtom { relation: variant, columns };
                if let Some(flat) = self.build(rule, &head, positive, negative) {
                    self.literals += flat.body.len();
                    self.spend(flat.body.len())?;
                    if self.rules.len() >= self.most
                        || self.literals > MAX_SPECIALISED_LITERALS * self.most
                    {
                        return Err(Failure::TooLarge);
                    }
                    if self.seen.insert(flat.clone()) {
                        self.rules.push(flat);
                    }
                }
            }
            self.undo(mark);
        }
        Ok(())
    }

    /// Puts in what variables stand for; `None` if a `distinct` can never hold.
    fn build(
        &self,
        rule: &Rule,
        head: &FlatAtom,
        positive: &[FlatAtom],
        negative: &[FlatAtom],
    ) -> Option<FlatRule> {
        let mut body = Vec::with_capacity(rule.body.len());
        body.extend(positive.iter().map(|atom| FlatLiteral::Positive(self.resolve_atom(atom))));
        body.extend(negative.iter().map(|atom| FlatLiteral::Negative(self.resolve_atom(atom))));
        for literal in &rule.body {
            if let Literal::Distinct(a, b) = literal {
                let (a, b) = (self.resolve(&flat(a)), self.resolve(&flat(b)));
                self.differ(vec![(a, b)], &mut body)?;
            }
        }
        for &(var, constant) in &self.excluded {
            let pair = (self.resolve(&FlatTerm::Var(var)), FlatTerm::Const(constant));
            self.differ(vec![pair], &mut body)?;
        }
        let mut rule = FlatRule { head: self.resolve_atom(head), body, variables: 0 };
        rule.number();
        Some(rule)
    }

    /// Adds the condition that one of the pairs differs, taken apart as far as can be; `None` if
    /// none can.
    fn differ(
        &self,
        mut pairs: Vec<(FlatTerm, FlatTerm)>,
        body: &mut Vec<FlatLiteral>,
    ) -> Option<()> {
        let mut undecided = Vec::new();
        while let Some((a, b)) = pairs.pop() {
            match (a, b) {
                (a, b) if a == b => {}
                (FlatTerm::Const(_), FlatTerm::Const(_) | FlatTerm::Pattern(..))
                | (FlatTerm::Pattern(..), FlatTerm::Const(_)) => return Some(()),
                (FlatTerm::Pattern(f, xs), FlatTerm::Pattern(g, ys)) => {
                    if f != g || xs.len() != ys.len() {
                        return Some(());
                    }
                    pairs.extend(xs.into_iter().zip(ys));
                }
                (FlatTerm::Pattern(..), FlatTerm::Var(var))
                | (FlatTerm::Var(var), FlatTerm::Pattern(..))
                    if !self.open[var as usize] =>
                {
                    return Some(());
                }
                pair => undecided.push(pair),
            }
        }
        if undecided.is_empty() {
            return None;
        }
        body.push(FlatLiteral::Differ(undecided));
        Some(())
    }

    fn resolve_atom(&self, atom: &FlatAtom) -> FlatAtom {
        let columns = atom.columns.iter().map(|c| self.resolve(c)).collect();
        FlatAtom { relation: atom.relation, columns }
    }

    fn resolve(&self, term: &FlatTerm) -> FlatTerm {
        match self.shallow(term) {
            FlatTerm::Pattern(functor, args) => {
                FlatTerm::Pattern(functor, args.iter().map(|a| self.resolve(a)).collect())
            }
            other => other,
        }
    }
}

enum Test {
    Never,
    Fits,
    /// Only if the variable is this constant.
    If(u32, Symbol),
}

fn flat(term: &Term) -> FlatTerm {
    match &term.kind {
        TermKind::Variable(var) => FlatTerm::Var(var.0),
        TermKind::Constant(symbol) => FlatTerm::Const(*symbol),
        TermKind::Compound(functor, args) => {
            FlatTerm::Pattern(*functor, args.iter().map(flat).collect())
        }
    }
}

fn leaves(shape: &Shape, columns: &mut Vec<Option<NodeId>>) {
    match shape {
        Shape::Constant(node) => columns.push(Some(*node)),
        Shape::Exactly(_) => {}
        Shape::Anything => columns.push(None),
        Shape::Compound(_, args) => args.iter().for_each(|arg| leaves(arg, columns)),
    }
}
