//! Positions whose legal actions are sites, in rows, as an engine keeps and plays them.

use crate::job::Job;
use crate::scores::{Player, Scores};
use crate::tally::End;

/// The outcome of a ply, forced passes after it played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SitePly {
    /// This player chooses one of the sites.
    Going(Player),
    /// The game is over.
    Over,
    /// Forced passes follow each other, and there are too many of them.
    Endless,
}

/// The number of no site.
pub const NO_SITE: u32 = u32::MAX;

/// Positions of a game in which every action is one on a site, nothing is hidden, and nothing is
/// left to chance. Each has a row: the words of its sets of sites, and whatever else the engine
/// keeps of it. What is done with one row does not depend on another.
pub trait SiteRows: Send {
    /// The numbers by which [`Mechanics::site_action`] tells actions on the same site apart. All of
    /// them have the same labels here.
    ///
    /// [`Mechanics::site_action`]: crate::Mechanics::site_action
    fn families(&self) -> Vec<u32>;

    /// Words of a set of sites.
    fn set_words(&self) -> usize;

    /// Where in [`SiteRows::sets`] the set of the sites of each kind begins, in words.
    fn kinds(&self) -> Vec<usize>;

    /// The same game with so many rows, which have yet to be begun.
    fn with_rows(&self, rows: usize) -> Box<dyn SiteRows>;

    /// Rows that go on as these would.
    fn copy(&self) -> Box<dyn SiteRows>;

    /// Begins the playout of a row: writes the legal sites, and says who chooses.
    fn begin(&mut self, row: usize, legal: &mut [u64]) -> Player;

    /// Plays a legal action in each row: the one on its site, none where that is [`NO_SITE`]. Writes
    /// what has become of the rows in which one was played, and in those that go on the sites that
    /// are legal then, row by row.
    fn play(&mut self, sites: &[u32], legal: &mut [u64], outcomes: &mut [SitePly]);

    /// The scores of a row whose last ply ended the game.
    fn scores(&self, row: usize) -> Scores;

    /// The sets of a row.
    fn sets(&self, row: usize) -> &[u64];

    /// Plays a job from the position of a row that goes on, which stays, see
    /// [`Mechanics::playouts`](crate::Mechanics::playouts).
    fn playouts(&self, row: usize, job: &Job, ends: &mut Vec<End>);
}
