//! States of any game: there are many games, and all that need not know the types of theirs is
//! compiled once, over this.

use std::any::Any;

use crate::bounds::Bounds;
use crate::chance::Chance;
use crate::encoding::Encoding;
use crate::game::Facts;
use crate::job::Job;
use crate::lockstep::{Lockstep, LockstepJob};
use crate::percepts::Percepts;
use crate::picture::Picture;
use crate::rng::Rng;
use crate::scores::{Scores, Turn};
use crate::search::{Search, SearchSettings};
use crate::site_list::SiteTurn;
use crate::site_rows::SiteRows;
use crate::tally::End;

/// A state of a game and the actions that were listed of it last, which go by their places in the
/// list: `Mechanics` behind a table of functions.
pub(crate) trait AnyState: Send {
    /// See `Mechanics::facts`.
    fn facts(&self) -> &Facts;

    /// Begins a playout.
    fn restart(&mut self, chance: &mut dyn Chance);

    /// Writes what players perceive before the first ply.
    fn start_percepts(&self, percepts: &mut Percepts);

    /// The state, of the engine's own type.
    fn state(&self) -> &dyn Any;

    /// Becomes a copy of a state; false if that is one of another game.
    fn copy_from(&mut self, state: &dyn Any) -> bool;

    /// An independent copy.
    fn copy(&self) -> Box<dyn AnyState>;

    /// Lists the legal actions.
    fn list(&mut self) -> Turn;

    /// Lists the legal actions as sites, see `Mechanics::expand_sites`.
    fn list_sites(&mut self, sites: &mut Vec<u64>) -> Option<SiteTurn>;

    /// Applies the action of a family, a site and a place in that list, and lists again.
    fn apply_site(&mut self, action: [u32; 3], sites: &mut Vec<u64>) -> Option<SiteTurn>;

    /// The label of the action of a family on a site.
    fn site_label(&self, family: u32, site: u32) -> String;

    /// The number of actions that were listed.
    fn actions(&self) -> usize;

    /// True if a listed action only hands on the turn.
    fn is_pass(&self, action: usize) -> bool;

    /// Applies a listed action, with what players perceive of it if somebody asks.
    fn apply(&mut self, action: usize, chance: &mut dyn Chance, percepts: Option<&mut Percepts>);

    /// The scores of a state that is over.
    fn scores(&self) -> Scores;

    /// The label of a listed action.
    fn label(&self, action: usize) -> String;

    /// The labels of the listed actions.
    fn labels(&self) -> Vec<String>;

    /// See `Mechanics::encoding`.
    fn encoding(&self) -> Option<Encoding>;

    /// Writes the codes of the listed actions over others, as `Mechanics::code` says them.
    fn write_codes(&self, codes: &mut Vec<u32>);

    /// Writes the keys of the listed actions over others; false if it has none. See
    /// `Mechanics::label_keys`.
    fn write_label_keys(&self, keys: &mut Vec<u64>) -> bool;

    /// The label of a listed action by itself, see `Mechanics::plain_label`.
    fn plain_label(&self, action: usize) -> String;

    /// See `Mechanics::planes`.
    fn planes(&self, planes: &mut [u8]);

    /// The state drawn in text.
    fn draw(&self) -> String;

    /// See `Mechanics::picture`.
    fn picture(&self) -> Picture;

    /// Plays to the end, and may leave the state anywhere.
    fn play_out(&mut self, rng: &mut Rng, cap: u32) -> End;

    /// The same by the reference loop.
    fn play_listed(&mut self, rng: &mut Rng, cap: u32) -> End;

    /// See `Mechanics::playouts`.
    fn playouts(&self, job: &Job, ends: &mut Vec<End>);

    /// See `Mechanics::site_rows`.
    fn site_rows(&self) -> Option<Box<dyn SiteRows>>;

    /// See `Mechanics::lockstep`.
    fn lockstep(&self, job: &LockstepJob) -> Option<Box<dyn Lockstep>>;

    /// A search tree with this state as its root.
    fn search(&self, settings: SearchSettings) -> Box<dyn Search>;

    /// See `Mechanics::table_bounds`.
    fn table_bounds(&self) -> Option<Bounds>;

    /// A hash of `Mechanics::key`.
    fn key_hash(&self) -> u64;

    /// True if the key of another state of the game is the same.
    fn has_key_of(&self, other: &dyn Any) -> bool;
}
