//! The states of one game, as states of any game.

use std::any::Any;
use std::hash::BuildHasher;
use std::sync::Arc;

use rustc_hash::FxBuildHasher;

use crate::any_state::AnyState;
use crate::bounds::Bounds;
use crate::chance::Chance;
use crate::encoding::Encoding;
use crate::game::Facts;
use crate::job::Job;
use crate::lockstep::{Lockstep, LockstepJob};
use crate::mechanics::{Mechanics, reference};
use crate::percepts::Percepts;
use crate::picture::Picture;
use crate::rng::Rng;
use crate::scores::{Scores, Turn};
use crate::search::{Search, SearchSettings};
use crate::site_list::SiteTurn;
use crate::site_rows::SiteRows;
use crate::tally::End;
use crate::uct;

/// A state of these mechanics.
pub(crate) struct StateOf<M: Mechanics> {
    mechanics: Arc<M>,
    state: M::State,
    legal: Vec<M::Action>,
}

/// An initial state.
pub(crate) fn initial<M: Mechanics>(
    mechanics: &Arc<M>,
    chance: &mut dyn Chance,
) -> Box<dyn AnyState> {
    let state = mechanics.initial(chance);
    Box::new(StateOf { mechanics: Arc::clone(mechanics), state, legal: Vec::new() })
}

impl<M: Mechanics> AnyState for StateOf<M> {
    fn facts(&self) -> &Facts {
        self.mechanics.facts()
    }

    fn restart(&mut self, chance: &mut dyn Chance) {
        self.mechanics.restart(&mut self.state, chance);
    }

    fn start_percepts(&self, percepts: &mut Percepts) {
        self.mechanics.start_percepts(&self.state, percepts);
    }

    fn state(&self) -> &dyn Any {
        &self.state
    }

    fn copy_from(&mut self, state: &dyn Any) -> bool {
        let state = state.downcast_ref::<M::State>();
        state.map(|state| self.state.clone_from(state)).is_some()
    }

    fn copy(&self) -> Box<dyn AnyState> {
        let StateOf { mechanics, state, legal } = self;
        let (mechanics, state) = (Arc::clone(mechanics), state.clone());
        Box::new(StateOf { mechanics, state, legal: legal.clone() })
    }

    fn list(&mut self) -> Turn {
        self.legal.clear();
        self.mechanics.expand(&mut self.state, &mut self.legal)
    }

    fn list_sites(&mut self, sites: &mut Vec<u64>) -> Option<SiteTurn> {
        self.mechanics.expand_sites(&mut self.state, sites)
    }

    fn apply_site(&mut self, action: [u32; 3], sites: &mut Vec<u64>) -> Option<SiteTurn> {
        let action = self.mechanics.site_action(action)?;
        self.mechanics.apply_to_sites(&mut self.state, action, sites)
    }

    fn site_label(&self, family: u32, site: u32) -> String {
        let action = self.mechanics.site_action([family, site, 0]);
        action.map_or_else(String::new, |action| self.mechanics.plain_label(&self.state, action))
    }

    fn actions(&self) -> usize {
        self.legal.len()
    }

    fn is_pass(&self, action: usize) -> bool {
        self.mechanics.is_pass(&self.state, self.legal[action])
    }

    fn apply(&mut self, action: usize, chance: &mut dyn Chance, percepts: Option<&mut Percepts>) {
        let StateOf { mechanics, state, legal } = self;
        match percepts {
            Some(percepts) => mechanics.apply_perceived(state, legal[action], chance, percepts),
            None => mechanics.apply(state, legal[action], chance),
        }
    }

    fn scores(&self) -> Scores {
        self.mechanics.scores(&self.state)
    }

    fn label(&self, action: usize) -> String {
        self.mechanics.label(&self.state, self.legal[action])
    }

    fn labels(&self) -> Vec<String> {
        self.mechanics.labels(&self.state, &self.legal)
    }

    fn encoding(&self) -> Option<Encoding> {
        self.mechanics.encoding()
    }

    fn write_codes(&self, codes: &mut Vec<u32>) {
        let StateOf { mechanics, state, legal } = self;
        codes.resize(legal.len(), 0);
        for (code, &action) in codes.iter_mut().zip(legal) {
            *code = mechanics.code(state, action);
        }
    }

    fn write_label_keys(&self, keys: &mut Vec<u64>) -> bool {
        keys.clear();
        self.mechanics.label_keys(&self.state, &self.legal, keys)
    }

    fn plain_label(&self, action: usize) -> String {
        self.mechanics.plain_label(&self.state, self.legal[action])
    }

    fn planes(&self, planes: &mut [u8]) {
        self.mechanics.planes(&self.state, planes);
    }

    fn draw(&self) -> String {
        self.mechanics.draw(&self.state)
    }

    fn picture(&self) -> Picture {
        self.mechanics.picture(&self.state)
    }

    fn play_out(&mut self, rng: &mut Rng, cap: u32) -> End {
        self.mechanics.playout(&mut self.state, &mut self.legal, rng, cap)
    }

    fn play_listed(&mut self, rng: &mut Rng, cap: u32) -> End {
        let StateOf { mechanics, state, legal } = self;
        reference::playout_from(&**mechanics, state, rng, cap, legal)
    }

    fn playouts(&self, job: &Job, ends: &mut Vec<End>) {
        self.mechanics.playouts(&self.state, job, ends);
    }

    fn site_rows(&self) -> Option<Box<dyn SiteRows>> {
        self.mechanics.site_rows()
    }

    fn lockstep(&self, job: &LockstepJob) -> Option<Box<dyn Lockstep>> {
        self.mechanics.lockstep(job)
    }

    fn search(&self, settings: SearchSettings) -> Box<dyn Search> {
        uct::grow(Arc::clone(&self.mechanics), &self.state, settings)
    }

    fn table_bounds(&self) -> Option<Bounds> {
        self.mechanics.table_bounds()
    }

    fn key_hash(&self) -> u64 {
        FxBuildHasher.hash_one(self.mechanics.key(&self.state))
    }

    fn has_key_of(&self, other: &dyn Any) -> bool {
        let same = |other| self.mechanics.key(other) == self.mechanics.key(&self.state);
        other.downcast_ref::<M::State>().is_some_and(same)
    }
}
