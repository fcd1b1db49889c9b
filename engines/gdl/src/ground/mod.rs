//! Grounding: from a checked rulesheet to rules over numbered atoms.
//!
//! [`ground`] finds, in one relational evaluation, everything that can ever hold (an
//! over-approximation: `not` is always taken to be satisfiable for what depends on the state) and
//! every instance of a rule over it. Static relations are evaluated exactly and joined away, `not`
//! and `distinct` decided where they can be. Rules with very many instances are taken apart. `base` and `input` are not consulted: sheets get them
//! wrong.

mod assemble;
mod budget;
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
}

/// Grounds a program. The same program gives the same result, to the order of rules and atoms.
///
/// # Errors
/// [`CompileError::TooLarge`] when a limit is reached; it says where the work and the facts went.
pub fn ground(program: &Program, limits: &Limits) -> Result<Grounding, CompileError> {
    let mut apart = BTreeSet::new();
    let mut budget = Budget::new(limits);
    let fixpoint = loop {
        let mut fixpoint = Fixpoint::new(program, &apart, budget);
        match fixpoint.run() {
            Ok(()) => break fixpoint,
            Err(Halt::TooLarge(text)) => return Err(CompileError::TooLarge(text)),
            Err(Halt::TakeApart(rules)) => {
                apart.extend(rules);
                budget = fixpoint.budget;
            }
        }
    };
    let program = assemble::assemble(&fixpoint);
    let propositions = fixpoint.facts.relations[RelId::TRUE.index()].iter();
    let propositions = propositions.map(|tuple| TermId(tuple[0])).collect();
    Ok(Grounding { program, terms: fixpoint.facts.terms, propositions })
}
