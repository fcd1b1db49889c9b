//! Many positions of one game that go on together, for programs that learn.

use std::fmt;

use crate::encoding::Encoding;
use crate::job::Job;
use crate::method::Method;
use crate::tally::End;

/// The progress of a position in a [`Lockstep`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Progress {
    /// Somebody is to choose.
    Going = 0,
    /// Over by the rules.
    Over = 1,
    /// Given up at the ply cap.
    Capped = 2,
    /// The rules leave it undefined: not over, yet nothing is legal.
    Stuck = 3,
    /// Given up where an action is legal that has no code, or a player has perceived what is no
    /// site, which only happens where the [`Encoding`] is open.
    Uncoded = 4,
}

/// The buffers that a [`Lockstep`] fills with its observations, row after row, one row a position.
/// Only what changes may be written, so views have to hold what the call before left there;
/// [`Lockstep::restart`] writes all.
#[derive(Debug)]
pub struct Views<'v> {
    /// 1 for each action that is legal, by code; nothing where the position is not going on.
    pub mask: &'v mut [u8],
    /// 1 for each kind and site where one lies there, kind after kind. In games of hidden
    /// information what whoever chooses has perceived, and nothing where nobody does.
    pub planes: &'v mut [u8],
    /// The player who chooses, or -1.
    pub turns: &'v mut [i8],
    /// The scores of all players if the last ply ended it, else 0.
    pub scores: &'v mut [i32],
    /// [`Progress`] after the last ply.
    pub progress: &'v mut [u8],
}

/// Memory for [`Views`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Buffers {
    /// Positions x actions: 1 for each action that is legal, by code.
    pub mask: Vec<u8>,
    /// Positions x kinds x sites: 1 where one of the kind lies.
    pub planes: Vec<u8>,
    /// A position each: who chooses, or -1.
    pub turns: Vec<i8>,
    /// Positions x players: the scores if the last ply ended it, else 0.
    pub scores: Vec<i32>,
    /// A position each: a [`Progress`].
    pub progress: Vec<u8>,
}

impl Buffers {
    /// Memory for so many positions of a game, all of it `filler` at first: 0, or in tests
    /// something that is never written.
    pub fn new(encoding: &Encoding, players: usize, positions: usize, filler: u8) -> Buffers {
        Buffers {
            mask: vec![filler; positions * encoding.actions.len()],
            planes: vec![filler; positions * encoding.plane_bytes()],
            turns: vec![filler as i8; positions],
            scores: vec![filler.into(); positions * players],
            progress: vec![filler; positions],
        }
    }

    /// All of it, to be written.
    pub fn views(&mut self) -> Views<'_> {
        Views {
            mask: &mut self.mask,
            planes: &mut self.planes,
            turns: &mut self.turns,
            scores: &mut self.scores,
            progress: &mut self.progress,
        }
    }
}

/// Positions that go on together: each has its own legal actions, stream of chance, and end.
///
/// Position `i` plays the playout whose id is `first + i`, and once that has ended and a new one is
/// begun, the one whose id is greater by `stride`. Its chance comes from the stream of that id, and
/// so do the choices of [`Lockstep::draw`]: positions that only play drawn actions play the
/// playouts of [`reference`](crate::reference).
pub trait Lockstep: Send {
    /// The number of positions.
    fn len(&self) -> usize;

    /// True if there is none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The method by which it gets from one ply to the next. For [`Method::Tabled`] all positions
    /// of the game were found before the first ply.
    fn method(&self) -> Method {
        Method::Listed
    }

    /// Begins all positions anew, with the next ids.
    fn restart(&mut self, views: &mut Views<'_>);

    /// Checks that each action, by code, is legal in its position, if that position is going.
    ///
    /// # Panics
    /// As [`Lockstep::step`] does.
    fn check(&self, actions: &[i32]) -> Result<(), IllegalStep>;

    /// Plays one action, by code, in every position that goes on; in others nothing happens. With
    /// `anew`, a position that ends is begun anew at once: its scores and progress are those of the
    /// end, all else is of the start.
    ///
    /// If an action is not legal, nothing is played at all.
    ///
    /// # Panics
    /// Where views or actions have not the size that the game's [`Encoding`] and
    /// [`Lockstep::len`] say.
    fn step(
        &mut self,
        actions: &[i32],
        anew: bool,
        views: &mut Views<'_>,
    ) -> Result<(), IllegalStep>;

    /// Draws a legal action for every position, uniformly; -1 for those that do not go on.
    fn draw(&mut self, actions: &mut [i32]);

    /// Plays a job from a position, which stays, as [`Position::playouts`] does, and appends how
    /// each playout ended. Where the position does not go on, all have no plies, and its end; one
    /// that has no codes is given up.
    ///
    /// [`Position::playouts`]: crate::Position::playouts
    fn playouts(&self, position: usize, job: &Job, ends: &mut Vec<End>);

    /// Positions that go on as these would, with the same chance and the same draws.
    fn copy(&self) -> Box<dyn Lockstep>;

    /// All that [`Lockstep::resume`] has to know of the positions, as numbers: for listed ones the
    /// actions since they were begun. The numbers mean something for the same game on the same
    /// engine, by the same version of it.
    fn save(&self) -> Vec<u64>;

    /// Becomes what was [saved](Lockstep::save) of positions of the same game with the same job.
    /// Writes all views; of scores nothing is known, so they are 0.
    ///
    /// False where the numbers say no such thing; then the positions have to be
    /// [restarted](Lockstep::restart).
    fn resume(&mut self, saved: &[u64], views: &mut Views<'_>) -> bool;
}

/// The row of a position in a view whose rows have so many items.
#[inline(always)]
pub(crate) fn row<T>(view: &mut [T], position: usize, items: usize) -> &mut [T] {
    &mut view[position * items..(position + 1) * items]
}

/// An action that is not legal in one of many positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IllegalStep {
    /// The position, by its number.
    pub position: usize,
    /// The code of the action.
    pub action: i32,
    /// The number of legal actions.
    pub legal: usize,
}

impl fmt::Display for IllegalStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let IllegalStep { position, action, legal } = self;
        write!(f, "action {action} is not legal in position {position}, where {legal} others are")
    }
}

impl std::error::Error for IllegalStep {}

/// The playouts that a [`Lockstep`] plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LockstepJob {
    /// Seed of the streams.
    pub seed: u64,
    /// Id of the first position's first playout.
    pub first: u64,
    /// The number of positions.
    pub count: usize,
    /// From the id of a position's playout to that of its next.
    pub stride: u64,
    /// Plies after which a playout is given up.
    pub cap: u32,
}
