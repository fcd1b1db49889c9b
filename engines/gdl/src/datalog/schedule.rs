//! The order in which flat relations are evaluated: in components, each after all that it depends
//! on, and no sooner than somebody asks.

use play::CompileError;
use text::Diagnostic;

use super::flat::{FlatId, FlatLiteral, FlatProgram};
use crate::graph::strong_components;
use crate::program::{Dependence, Program, RelId};

/// Flat relations that depend on each other, or a single one.
#[derive(Clone, Debug)]
pub(crate) struct Stage {
    pub(crate) relations: Vec<FlatId>,
    /// Rules that derive them, as places in [`FlatProgram::rules`].
    pub(crate) rules: Vec<usize>,
    pub(crate) dependence: Dependence,
}

/// All stages, each after all that it depends on.
pub(crate) struct Schedule {
    pub(crate) stages: Vec<Stage>,
    /// By flat relation: its stage.
    pub(crate) stage_of: Vec<usize>,
}

/// A flat relation depends on its own negation.
#[derive(Debug)]
pub(crate) struct Unstratified(pub(crate) FlatId);

impl Unstratified {
    /// The error that reports it.
    pub(crate) fn explain(&self, program: &Program, flat: &FlatProgram) -> CompileError {
        let relation = flat.relations[self.0.index()].relation;
        let name = program.relation_name(relation);
        let message = format!("no order to evaluate `{name}` in was found");
        let place = program.relation(relation).first;
        CompileError::Unsupported(vec![
            Diagnostic::error("negation-cycle", place, message)
                .label("it depends on its own negation by too many values"),
        ])
    }
}

impl Schedule {
    /// Sorts the relations into stages.
    pub(crate) fn new(flat: &FlatProgram) -> Result<Schedule, Unstratified> {
        let mut successors = vec![Vec::new(); flat.relations.len()];
        let mut rules_of = vec![Vec::new(); flat.relations.len()];
        for (index, rule) in flat.rules.iter().enumerate() {
            rules_of[rule.head.relation.index()].push(index);
            let asked = rule.body.iter().filter_map(asked);
            successors[rule.head.relation.index()].extend(asked.map(|(id, _)| id.index()));
        }
        let components = strong_components(&successors);
        let mut stage_of = vec![0; flat.relations.len()];
        let mut stages: Vec<Stage> = Vec::with_capacity(components.len());
        for (index, members) in components.iter().enumerate() {
            for &member in members {
                stage_of[member] = index;
            }
        }
        for (index, members) in components.into_iter().enumerate() {
            let own = members.iter().map(|&m| least(flat.relations[m].relation));
            let below = members.iter().flat_map(|&m| &successors[m]);
            let below =
                below.filter(|&&b| stage_of[b] < index).map(|&b| stages[stage_of[b]].dependence);
            let dependence = own.chain(below).max().unwrap_or(Dependence::Static);
            let rules = members.iter().flat_map(|&m| rules_of[m].iter().copied()).collect();
            let relations = members.iter().map(|&m| FlatId(m as u32)).collect();
            stages.push(Stage { relations, rules, dependence });
        }
        for rule in &flat.rules {
            let stage = stage_of[rule.head.relation.index()];
            let negative = rule.body.iter().filter_map(asked).filter(|&(_, positive)| !positive);
            for (id, _) in negative {
                if stage_of[id.index()] == stage {
                    return Err(Unstratified(id));
                }
            }
        }
        Ok(Schedule { stages, stage_of })
    }

    /// Adds a stage for the next flat relation, without rules.
    pub(crate) fn add_stage(&mut self, dependence: Dependence) {
        let relations = vec![FlatId(self.stage_of.len() as u32)];
        self.stage_of.push(self.stages.len());
        self.stages.push(Stage { relations, rules: Vec::new(), dependence });
    }

    /// The inputs that the truth of a flat relation depends on.
    pub(crate) fn dependence(&self, id: FlatId) -> Dependence {
        self.stages[self.stage_of[id.index()]].dependence
    }

    /// The stages that relations need and that change, `without` those marked, in order.
    pub(crate) fn needed(
        &self,
        flat: &FlatProgram,
        relations: impl Iterator<Item = FlatId>,
        without: &[bool],
    ) -> Vec<usize> {
        let mut needed = vec![false; self.stages.len()];
        let mut stack: Vec<usize> = relations.map(|id| self.stage_of[id.index()]).collect();
        while let Some(stage) = stack.pop() {
            if std::mem::replace(&mut needed[stage], true) {
                continue;
            }
            for &rule in &self.stages[stage].rules {
                let asked = flat.rules[rule].body.iter().filter_map(asked);
                stack.extend(asked.map(|(id, _)| self.stage_of[id.index()]));
            }
        }
        (0..self.stages.len())
            .filter(|&s| needed[s] && self.stages[s].dependence != Dependence::Static)
            .filter(|&s| !without[s])
            .collect()
    }
}

/// The least dependence of a relation. A relation that is read in every state counts as changing
/// even if it never does, so that it can be read in one way.
fn least(relation: RelId) -> Dependence {
    match relation {
        RelId::DOES => Dependence::Step,
        RelId::TRUE | RelId::LEGAL | RelId::GOAL | RelId::TERMINAL | RelId::NEXT | RelId::SEES => {
            Dependence::State
        }
        _ => Dependence::Static,
    }
}

/// The relation that a literal asks for, and whether it is to hold.
pub(crate) fn asked(literal: &FlatLiteral) -> Option<(FlatId, bool)> {
    match literal {
        FlatLiteral::Positive(atom) => Some((atom.relation, true)),
        FlatLiteral::Negative(atom) => Some((atom.relation, false)),
        FlatLiteral::Differ(_) => None,
    }
}
