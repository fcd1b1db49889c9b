//! The percepts of roles in a transition: evaluated only if somebody asks, and never in playouts.

use std::collections::BTreeSet;

use super::actions::Action;
use super::game::{PerceptListener, Prover};
use super::state::{Progress, State};
use crate::datalog::base::Base;
use crate::program::RelId;
use crate::terms::Terms;

impl Prover {
    /// The relations that only percepts need and that are not asked on demand, by their numbers in
    /// the store.
    pub(super) fn of_percepts(&self) -> BTreeSet<usize> {
        let Base { flat, schedule, slots, .. } = &self.base;
        let mut played = vec![false; schedule.stages.len()];
        for relation in [RelId::TERMINAL, RelId::LEGAL, RelId::NEXT, RelId::GOAL] {
            for stage in schedule.needed(flat, flat.of(relation), &played.clone()) {
                played[stage] = true;
            }
        }
        for &stage in &self.lazy {
            played[stage] = true;
        }
        let stages = schedule.needed(flat, flat.of(RelId::SEES), &played).into_iter();
        let relations = stages.flat_map(|stage| &schedule.stages[stage].relations);
        // What is given is no percept's alone.
        let derived = relations
            .filter(|id| !matches!(flat.relations[id.index()].relation, RelId::TRUE | RelId::DOES));
        derived.filter_map(|id| slots[id.index()]).collect()
    }

    /// Like [`Prover::choose`]; if the choice fires a transition, returns what each role perceives
    /// of it, in words, to whom they are to be told.
    pub(super) fn choose_perceived(
        &self,
        state: &mut State,
        action: Action,
        tell: Option<PerceptListener<'_>>,
    ) {
        state.chosen.push(action);
        if state.chosen.len() < self.roles.len() {
            return;
        }
        if self.derive_next(state).is_err() {
            state.progress = Progress::Undefined;
            return;
        }
        if let Some(tell) = tell {
            self.perceive(state, tell);
        }
        self.advance(state);
    }

    /// Evaluates percepts where `next` is known, tells them, and forgets them.
    fn perceive(&self, state: &mut State, tell: PerceptListener<'_>) {
        // Without fuel there are fewer percepts; the game goes on as in playouts.
        let _ = self.run(state, &self.phases.sees);
        let mut terms = Terms::default();
        for access in &self.sees {
            for (_, row) in state.store.rows(&self.build.layouts, access.slot) {
                let who = access.role.of(row);
                let Some(role) = self.roles.iter().position(|&role| Some(role) == who) else {
                    continue;
                };
                let what = self.base.arguments(&state.store.pool, access.id, row, &mut terms)[1];
                tell(role, terms.words(&self.program.symbols, what));
            }
        }
        for &slot in &self.perceived {
            state.store.clear(&self.build.layouts, slot);
        }
    }
}
