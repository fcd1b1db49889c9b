//! Grounding: from a checked rulesheet to rules over numbered atoms.
//!
//! [`ground`] finds, in one relational evaluation, everything that can ever hold (an
//! over-approximation: `not` is always taken to be satisfiable for what depends on the state) and
//! every instance of a rule over it. Static relations are evaluated exactly and joined away, `not`
//! and `distinct` decided where they can be. Rules with very many instances are taken apart. `base`
//! and `input` are not consulted: sheets get them wrong.

mod assemble;
mod budget;
mod clause;
mod clauses;
mod decompose;
mod facts;
mod fixpoint;
mod join;
mod pattern;
mod plan;
mod program;
mod tuples;

use std::collections::BTreeSet;

use play::{CompileError, Limits};

use budget::Budget;
use fixpoint::{Fixpoint, Halt};
use tuples::Tuples;

use crate::program::{Program, RelId};
use crate::terms::{TermId, Terms};

pub use program::{
    AtomId, GroundBase, GroundGoal, GroundLiteral, GroundMove, GroundPercept, GroundProgram,
    GroundRole, GroundRules,
};

/// A ground program, and the terms that its propositions are.
#[derive(Clone, Debug)]
pub struct Grounding {
    /// The rules.
    pub program: GroundProgram,
    /// All terms that were met.
    pub terms: Terms,
    /// The propositions, in the order of [`GroundProgram::bases`].
    pub propositions: Vec<TermId>,
    /// Where the work went.
    pub effort: Effort,
}

/// Where the work of a grounding went, and what came of it.
#[derive(Clone, Debug)]
pub struct Effort {
    /// Elementary steps, those of evaluations that were given up included.
    pub work: u64,
    /// Evaluations that were given up because rules had better be taken apart.
    pub restarts: u64,
    /// Rules that were taken apart, by their places in [`Program::rules`].
    pub apart: Vec<usize>,
    /// Bytes of facts and instances.
    pub bytes: u64,
    /// By rule of the program: steps of the last evaluation, and instances, those of its parts
    /// included.
    pub rules: Vec<(u64, u64)>,
    /// By relation of the program: facts that can hold.
    pub relations: Vec<u64>,
}

impl Effort {
    /// Sums, by name, for [`Facts::build`](play::Facts::build).
    pub fn statistics(&self) -> [(&'static str, u64); 5] {
        [
            ("ground facts", self.relations.iter().sum()),
            ("ground bytes", self.bytes),
            ("ground work", self.work),
            ("ground restarts", self.restarts),
            ("rules taken apart", self.apart.len() as u64),
        ]
    }
}

/// Grounds a program. The same program gives the same result, to the order of rules and atoms.
///
/// # Errors
/// [`CompileError::TooLarge`] when a limit is reached; it says where the work and the facts went.
pub fn ground(program: &Program, limits: &Limits) -> Result<Grounding, CompileError> {
    let mut apart = BTreeSet::new();
    let mut budget = Budget::new(limits);
    let mut restarts = 0;
    let fixpoint = loop {
        let mut fixpoint = Fixpoint::new(program, &apart, budget);
        match fixpoint.run() {
            Ok(()) => break fixpoint,
            Err(Halt::TooLarge(text)) => return Err(CompileError::TooLarge(text)),
            Err(Halt::TakeApart(rules)) => {
                apart.extend(rules);
                budget = fixpoint.budget;
                restarts += 1;
            }
        }
    };
    let effort = effort(&fixpoint, apart, restarts);
    let program = assemble::assemble(&fixpoint);
    let propositions = fixpoint.facts.relations[RelId::TRUE.index()].iter();
    let propositions = propositions.map(|tuple| TermId(tuple[0])).collect();
    Ok(Grounding { program, terms: fixpoint.facts.terms, propositions, effort })
}

fn effort(fixpoint: &Fixpoint<'_>, apart: BTreeSet<usize>, restarts: u64) -> Effort {
    let program = fixpoint.program;
    let mut rules = vec![(0, 0); program.rules.len()];
    for (clause, &rule) in fixpoint.clauses.rules.iter().enumerate() {
        rules[rule].0 += fixpoint.work_of(clause);
        rules[rule].1 += fixpoint.instances[clause].len() as u64;
    }
    let facts = &fixpoint.facts.relations[..program.relations.len()];
    let kept: usize = fixpoint.instances.iter().chain(&fixpoint.mentioned).map(Tuples::bytes).sum();
    Effort {
        work: fixpoint.budget.work(),
        restarts,
        apart: apart.into_iter().collect(),
        bytes: (fixpoint.facts.bytes() + kept) as u64,
        rules,
        relations: facts.iter().map(|facts| u64::from(facts.len())).collect(),
    }
}
