//! The rules of a program, ready for evaluation.

use std::collections::BTreeSet;

use crate::ground::clause::{Clause, Extent, Positive};
use crate::ground::decompose::take_apart;
use crate::ground::pattern::{AtomPattern, Pattern};
use crate::program::{Dependence, Literal, Program, RelId, Rule};
use crate::terms::Terms;

/// All rules.
#[derive(Clone, Debug)]
pub(super) struct Clauses {
    pub(super) all: Vec<Clause>,
    /// By clause, the rule of the program that it is, or is part of.
    pub(super) rules: Vec<usize>,
    /// By clause, whether it could be taken apart, and is not.
    pub(super) splittable: Vec<bool>,
    /// Those of the program first, by id.
    pub(super) relations: Vec<Extent>,
}

impl Clauses {
    /// The rules of a program; those whose numbers are in `apart` are taken apart.
    pub(super) fn new(program: &Program, terms: &mut Terms, apart: &BTreeSet<usize>) -> Clauses {
        let relevant = relevant(program);
        let extent = |(id, relevant): (usize, bool)| {
            let relation = &program.relations[id];
            let is_static = relation.dependence == Dependence::Static;
            Extent {
                arity: relation.arity,
                component: relation.component,
                is_static,
                recorded: !is_static || OUTPUTS.contains(&RelId(id as u32)),
                relevant,
            }
        };
        let mut clauses = Clauses {
            all: Vec::new(),
            rules: Vec::new(),
            splittable: Vec::new(),
            relations: relevant.into_iter().enumerate().map(extent).collect(),
        };
        for (number, rule) in program.rules.iter().enumerate() {
            let clause = clause(rule, &clauses.relations, terms);
            let known = clauses.relations.len();
            let parts = take_apart(clause.clone(), &mut clauses.relations);
            let split = apart.contains(&number);
            if !split {
                clauses.relations.truncate(known);
            }
            clauses.splittable.push(!split && parts.len() > 1);
            let whole = if split { parts } else { vec![clause] };
            clauses.splittable.resize(clauses.all.len() + whole.len(), false);
            clauses.rules.resize(clauses.all.len() + whole.len(), number);
            clauses.all.extend(whole);
        }
        clauses
    }
}

/// Relations through which rules touch the game, and those that states and choices give.
const OUTPUTS: [RelId; 7] = [
    RelId::TRUE,
    RelId::DOES,
    RelId::NEXT,
    RelId::LEGAL,
    RelId::GOAL,
    RelId::TERMINAL,
    RelId::SEES,
];

/// The relations that matter for playing, by id.
fn relevant(program: &Program) -> Vec<bool> {
    let mut relevant = vec![false; program.relations.len()];
    let mut heads = vec![Vec::new(); program.relations.len()];
    for rule in &program.rules {
        heads[rule.head.relation.index()].push(rule);
    }
    let mut stack = vec![RelId::INIT];
    stack.extend(OUTPUTS);
    while let Some(relation) = stack.pop() {
        if std::mem::replace(&mut relevant[relation.index()], true) {
            continue;
        }
        for rule in &heads[relation.index()] {
            stack.extend(rule.body.iter().filter_map(Literal::atom).map(|a| a.relation));
        }
    }
    relevant
}

fn clause(rule: &Rule, relations: &[Extent], terms: &mut Terms) -> Clause {
    let recorded = relations[rule.head.relation.index()].recorded;
    let mut clause = Clause {
        head: AtomPattern::new(&rule.head, terms),
        positive: Vec::new(),
        absent: Vec::new(),
        negated: Vec::new(),
        distinct: Vec::new(),
        variables: rule.variables.len(),
        recorded,
        wanted: Vec::new(),
        told: Vec::new(),
    };
    let is_static = |relation: RelId| relations[relation.index()].is_static;
    for literal in &rule.body {
        match literal {
            Literal::Positive(atom) => clause.positive.push(Positive {
                atom: AtomPattern::new(atom, terms),
                kept: recorded && !is_static(atom.relation),
            }),
            Literal::Negative(atom) if is_static(atom.relation) => {
                clause.absent.push(AtomPattern::new(atom, terms));
            }
            Literal::Negative(atom) => clause.negated.push(AtomPattern::new(atom, terms)),
            Literal::Distinct(a, b) => {
                clause.distinct.push((Pattern::new(a, terms), Pattern::new(b, terms)));
            }
        }
    }
    clause.settle();
    clause
}
