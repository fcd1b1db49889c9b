//! The parts of the rules that each phase of a ply evaluates.

use super::build::Build;
use crate::datalog::base::Base;
use crate::program::RelId;

/// The parts of the rules that each phase of a ply evaluates.
#[derive(Clone, Debug, Default)]
pub(super) struct Phases {
    pub(super) terminal: Vec<Part>,
    pub(super) legal: Vec<Part>,
    pub(super) next: Vec<Part>,
    pub(super) goal: Vec<Part>,
    /// Percepts, after all but the goals; never in playouts.
    pub(super) sees: Vec<Part>,
}

/// Something to evaluate.
#[derive(Clone, Debug)]
pub(super) enum Part {
    /// These rules once, one after the other.
    Rules(Vec<u32>),
    /// A stage to its fixed point.
    Stage(usize),
}

impl Part {
    /// These stages, with as little ado between them as can be.
    fn of(stages: &[usize], build: &Build) -> Vec<Part> {
        let mut parts = Vec::new();
        for &stage in stages {
            match (build.stages[stage].plain(), parts.last_mut()) {
                (Some(rules), Some(Part::Rules(all))) => all.extend_from_slice(rules),
                (Some(rules), _) => parts.push(Part::Rules(rules.to_vec())),
                (None, _) => parts.push(Part::Stage(stage)),
            }
        }
        parts
    }
}

/// `lazy` stages are evaluated when they are asked.
pub(super) fn phases(base: &Base, build: &Build, lazy: &[usize]) -> Phases {
    let mut done = vec![false; base.schedule.stages.len()];
    for &stage in lazy {
        done[stage] = true;
    }
    for (done, _) in done.iter_mut().zip(&build.kept).filter(|(_, kept)| **kept) {
        *done = true;
    }
    let needed = |relation: RelId, done: &mut Vec<bool>| {
        let stages = base.schedule.needed(&base.flat, base.flat.of(relation), done);
        for &stage in &stages {
            done[stage] = true;
        }
        Part::of(&stages, build)
    };
    let terminal = needed(RelId::TERMINAL, &mut done);
    // Goals are asked for where the game is over, so that nothing else has been evaluated.
    let goal = needed(RelId::GOAL, &mut done.clone());
    let legal = needed(RelId::LEGAL, &mut done);
    let next = needed(RelId::NEXT, &mut done);
    let sees = needed(RelId::SEES, &mut done);
    Phases { terminal, legal, next, goal, sees }
}
