use std::time::{Duration, Instant};

use play::{Ending, Job, Progress};

use crate::batch::{Batch, MOST_BYTES, on_threads};
use crate::error::Error;

/// Random playouts from each position of a batch, in slices of about a tenth of a second, so that a
/// program can look whether it is to stop. The positions stay; slices and threads change nothing of
/// the result.
///
/// ```
/// use ggpbench::{Batch, BatchRollouts};
/// let game = ggpbench::load("connect-4-6x7")?;
/// let mut batch = Batch::new(&game, 8, 1, 1)?;
/// batch.restart(&mut batch.buffers().views());
/// let mut rollouts = BatchRollouts::new(&batch, 100, 1, 1000)?;
/// while rollouts.advance(&mut batch) { /* look whether the user wants to stop */ }
/// assert_eq!(rollouts.into_ends().plies.len(), 8 * 100);
/// # Ok::<(), ggpbench::Error>(())
/// ```
#[derive(Debug)]
pub struct BatchRollouts {
    positions: usize,
    count: usize,
    seed: u64,
    cap: u32,
    /// Positions of each thread whose playouts have been played, and how many are next.
    done: usize,
    next: usize,
    ends: BatchEnds,
}

/// The ends of playouts from positions: a row for each position, and in it an entry for each
/// playout.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BatchEnds {
    /// Positions x playouts x players: the scores of those that ended by the rules, else 0.
    pub scores: Vec<i32>,
    /// Positions x playouts: the plies, counted from the position.
    pub plies: Vec<u32>,
    /// Positions x playouts: [`Progress::Over`], `Capped` or `Stuck`.
    pub progress: Vec<u8>,
}

/// The part of them that belongs to some positions.
struct Rows<'e> {
    scores: &'e mut [i32],
    plies: &'e mut [u32],
    progress: &'e mut [u8],
}

/// The time that a slice is to take, about.
const SLICE: Duration = Duration::from_millis(50);

impl BatchRollouts {
    /// So many playouts from each position, none of them played yet, which are given up after so
    /// many plies from there. Those of position `i` have the ids from `i * count` on.
    pub fn new(batch: &Batch, count: usize, seed: u64, cap: u32) -> Result<BatchRollouts, Error> {
        let (positions, players) = (batch.len(), batch.game().players());
        let bytes = positions.saturating_mul(4 * players + 5);
        let most = MOST_BYTES / bytes;
        if count == 0 || count > most {
            let text = format!("{count} playouts from {positions} positions: expected 1 to {most}");
            return Err(Error::usage(text));
        }
        let all = positions * count;
        let ends = BatchEnds {
            scores: vec![0; all * players],
            plies: vec![0; all],
            progress: vec![0; all],
        };
        Ok(BatchRollouts { positions, count, seed, cap, done: 0, next: 1, ends })
    }

    /// Plays the next slice; false once there is nothing left to play.
    ///
    /// # Panics
    /// Where it is a batch of another size.
    pub fn advance(&mut self, batch: &mut Batch) -> bool {
        assert_eq!(batch.len(), self.positions, "a batch of another size");
        let BatchRollouts { count, seed, cap, .. } = *self;
        let players = batch.game().players();
        let sizes = batch.counts();
        let (start, slice) = (Instant::now(), self.done..self.done + self.next);
        let BatchEnds { scores, plies, progress } = &mut self.ends;
        let (mut scores, mut plies) = (&mut scores[..], &mut plies[..]);
        let mut progress = &mut progress[..];
        let mut first = 0;
        let parts = batch.parts_mut().zip(&sizes).map(|(part, &size)| {
            let all = size * count;
            let rows = Rows {
                scores: scores.split_off_mut(..all * players).unwrap_or_default(),
                plies: plies.split_off_mut(..all).unwrap_or_default(),
                progress: progress.split_off_mut(..all).unwrap_or_default(),
            };
            first += size;
            (part, rows, first - size, slice.start..slice.end.min(size))
        });
        let parts: Vec<_> = parts.collect();
        on_threads(parts.into_iter(), |(part, mut rows, first, slice)| {
            let mut ends = Vec::with_capacity(count);
            for position in slice {
                let id = ((first + position) * count) as u64;
                let job = Job { seed, first: id, count: count as u64, cap };
                ends.clear();
                part.playouts(position, &job, &mut ends);
                for (at, end) in (position * count..).zip(&ends) {
                    rows.write(at, end.plies, end.ending, players);
                }
            }
        });
        self.done = slice.end;
        self.next = if start.elapsed() < SLICE { self.next * 2 } else { (self.next / 2).max(1) };
        sizes.iter().any(|&size| self.done < size)
    }

    /// The ends of the playouts; zeros for those that have not been played.
    pub fn into_ends(self) -> BatchEnds {
        self.ends
    }
}

impl Rows<'_> {
    fn write(&mut self, at: usize, plies: u32, ending: Ending, players: usize) {
        self.plies[at] = plies;
        let progress = match ending {
            Ending::Over(scores) => {
                let own = &mut self.scores[at * players..][..players];
                own.iter_mut().zip(scores.iter()).for_each(|(own, score)| *own = score);
                Progress::Over
            }
            Ending::Capped => Progress::Capped,
            Ending::Stuck => Progress::Stuck,
        };
        self.progress[at] = progress as u8;
    }
}
