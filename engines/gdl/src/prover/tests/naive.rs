//! An evaluator that is slow and plain enough to be believed: all rules of a component, over and
//! over, literal by literal as they are written. The prover is checked against it.

use std::collections::BTreeSet;

use crate::program::{Atom, Literal, Program, RelId, Rule, Term, TermKind};
use crate::terms::{TermId, Terms};

pub(super) type Fact = (RelId, Vec<TermId>);

/// The atoms that hold in a state, given what is true and what the roles do.
pub(super) struct Naive<'a> {
    program: &'a Program,
    pub(super) terms: Terms,
    facts: BTreeSet<Fact>,
}

impl<'a> Naive<'a> {
    pub(super) fn new(program: &'a Program) -> Naive<'a> {
        Naive { program, terms: Terms::default(), facts: BTreeSet::new() }
    }

    /// Derives everything from these facts.
    pub(super) fn derive(&mut self, given: impl IntoIterator<Item = Fact>) {
        self.facts = given.into_iter().collect();
        for fact in &self.program.facts {
            let args = fact.args.iter().map(|arg| self.terms.intern(arg).unwrap()).collect();
            self.facts.insert((fact.relation, args));
        }
        let program = self.program;
        for component in &program.components {
            let own = |rule: &&Rule| component.relations.contains(&rule.head.relation);
            let rules: Vec<&Rule> = program.rules.iter().filter(own).collect();
            loop {
                let before = self.facts.len();
                for rule in &rules {
                    self.apply(rule);
                }
                if self.facts.len() == before {
                    break;
                }
            }
        }
    }

    /// The arguments of all facts of a relation.
    pub(super) fn all(&self, relation: RelId) -> Vec<Vec<TermId>> {
        let own = self.facts.iter().filter(|fact| fact.0 == relation);
        own.map(|fact| fact.1.clone()).collect()
    }

    fn apply(&mut self, rule: &Rule) {
        // Positive literals first, so that the others only test.
        let (mut body, tests): (Vec<&Literal>, Vec<&Literal>) =
            rule.body.iter().partition(|l| matches!(l, Literal::Positive(_)));
        body.extend(tests);
        let mut found = Vec::new();
        let mut bound = vec![None; rule.variables.len()];
        self.join(rule, &body, &mut bound, &mut found);
        self.facts.extend(found);
    }

    fn join(
        &mut self,
        rule: &Rule,
        body: &[&Literal],
        bound: &mut Vec<Option<TermId>>,
        found: &mut Vec<Fact>,
    ) {
        let Some((first, rest)) = body.split_first() else {
            found.push(self.ground(&rule.head, bound));
            return;
        };
        match first {
            Literal::Positive(atom) => {
                for args in self.all(atom.relation) {
                    let mut next = bound.clone();
                    let pairs = atom.args.iter().zip(&args);
                    if pairs.into_iter().all(|(term, &id)| self.matches(term, id, &mut next)) {
                        self.join(rule, rest, &mut next, found);
                    }
                }
            }
            Literal::Negative(atom) => {
                let fact = self.ground(atom, bound);
                if !self.facts.contains(&fact) {
                    self.join(rule, rest, bound, found);
                }
            }
            Literal::Distinct(a, b) => {
                if self.value(a, bound) != self.value(b, bound) {
                    self.join(rule, rest, bound, found);
                }
            }
        }
    }

    fn matches(&self, term: &Term, id: TermId, bound: &mut [Option<TermId>]) -> bool {
        match &term.kind {
            TermKind::Variable(var) => *bound[var.index()].get_or_insert(id) == id,
            TermKind::Constant(symbol) => {
                self.terms.functor(id) == *symbol && self.terms.args(id).is_empty()
            }
            TermKind::Compound(functor, args) => {
                self.terms.functor(id) == *functor
                    && self.terms.args(id).len() == args.len()
                    && args.iter().zip(self.terms.args(id)).all(|(t, &i)| self.matches(t, i, bound))
            }
        }
    }

    fn ground(&mut self, atom: &Atom, bound: &[Option<TermId>]) -> Fact {
        (atom.relation, atom.args.iter().map(|arg| self.value(arg, bound)).collect())
    }

    fn value(&mut self, term: &Term, bound: &[Option<TermId>]) -> TermId {
        match &term.kind {
            TermKind::Variable(var) => bound[var.index()].expect("rules are safe"),
            TermKind::Constant(symbol) => self.terms.constant(*symbol),
            TermKind::Compound(functor, args) => {
                let args: Vec<TermId> = args.iter().map(|arg| self.value(arg, bound)).collect();
                self.terms.compound(*functor, &args)
            }
        }
    }
}
