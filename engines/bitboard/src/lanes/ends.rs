//! Ends of playouts in lanes: summed, or listed in the order of the ids.

use play::{End, Ending, Scores, Tally};

use super::{FIRST, GOES_ON, LANES, SECOND};

/// Hears how playouts end.
pub(super) trait Ends {
    /// One that ended in a lane.
    fn push(&mut self, id: u64, plies: u64, outcome: u64);

    /// Playouts that ended in all lanes at once.
    fn note(&mut self, batch: &Batch);

    /// One that was played alone.
    fn record(&mut self, id: u64, end: End);
}

/// A batch of playouts, one for each lane.
pub(super) struct Batch {
    pub(super) ids: [u64; LANES],
    pub(super) plies: [u64; LANES],
    pub(super) outcomes: [u64; LANES],
}

impl Default for Batch {
    fn default() -> Batch {
        Batch { ids: [0; LANES], plies: [0; LANES], outcomes: [GOES_ON; LANES] }
    }
}

/// Playouts that have ended, which are counted as many at once as there are lanes.
#[derive(Default)]
pub(super) struct Ended {
    tally: Tally,
    /// The numbers of playouts that the first player won, the second, and neither.
    outcomes: [u64; 3],
    batch: Batch,
    waiting: usize,
}

impl Ends for Ended {
    #[inline(always)]
    fn push(&mut self, id: u64, plies: u64, outcome: u64) {
        self.batch.ids[self.waiting % LANES] = id;
        self.batch.plies[self.waiting % LANES] = plies;
        self.batch.outcomes[self.waiting % LANES] = outcome;
        self.waiting += 1;
        if self.waiting == LANES {
            self.waiting = 0;
            for lane in 0..LANES {
                count(&mut self.tally, &mut self.outcomes, &self.batch, lane);
            }
        }
    }

    #[inline(always)]
    fn note(&mut self, batch: &Batch) {
        for lane in 0..LANES {
            count(&mut self.tally, &mut self.outcomes, batch, lane);
        }
    }

    fn record(&mut self, id: u64, end: End) {
        self.tally.record(id, end);
    }
}

impl Ended {
    #[inline(always)]
    pub(super) fn into_tally(mut self) -> Tally {
        for lane in 0..self.waiting {
            count(&mut self.tally, &mut self.outcomes, &self.batch, lane);
        }
        for (scores, n) in
            [Scores::FIRST, Scores::SECOND, Scores::DRAW].into_iter().zip(self.outcomes)
        {
            if n > 0 {
                self.tally.count(scores, n);
            }
        }
        self.tally
    }
}

/// The ends of the playouts of a job, in the order of the ids.
pub(super) struct Listed<'a> {
    pub(super) first: u64,
    pub(super) ends: &'a mut [End],
}

impl Ends for Listed<'_> {
    #[inline(always)]
    fn push(&mut self, id: u64, plies: u64, outcome: u64) {
        self.record(id, End { plies: plies as u32, ending: Ending::Over(scores(outcome)) });
    }

    fn note(&mut self, batch: &Batch) {
        for (lane, &id) in batch.ids.iter().enumerate() {
            self.push(id, batch.plies[lane], batch.outcomes[lane]);
        }
    }

    fn record(&mut self, id: u64, end: End) {
        self.ends[(id - self.first) as usize] = end;
    }
}

/// Counts one of a batch.
#[inline(always)]
fn count(tally: &mut Tally, outcomes: &mut [u64; 3], batch: &Batch, lane: usize) {
    let outcome = batch.outcomes[lane];
    let plies = batch.plies[lane] as u32;
    tally.note(batch.ids[lane], End { plies, ending: Ending::Over(scores(outcome)) });
    for (code, n) in (FIRST..).zip(outcomes) {
        *n += u64::from(outcome == code);
    }
}

/// The scores of a playout that is over.
#[inline(always)]
fn scores(outcome: u64) -> Scores {
    match outcome {
        FIRST => Scores::FIRST,
        SECOND => Scores::SECOND,
        _ => Scores::DRAW,
    }
}
