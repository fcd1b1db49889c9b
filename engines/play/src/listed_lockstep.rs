//! [`Lockstep`] over the states of any game: every position lists and codes its actions.

use std::sync::Arc;

use crate::any_state::AnyState;
use crate::coded_position::{CodedPosition, CodingBuffers};
use crate::job::Job;
use crate::lockstep::{IllegalStep, Lockstep, LockstepJob, Progress, Views, row};
use crate::numbers::Numbers;
use crate::running_playout::{RunningPlayout, SavedPlayout, action_and_draws};
use crate::tally::End;

/// Bytes of a row of a mask that is cleared as a whole.
const SHORT: usize = 128;

/// Positions of any game.
#[derive(Clone)]
pub(crate) struct ListedLockstep {
    numbers: Arc<Numbers>,
    job: LockstepJob,
    players: usize,
    actions: usize,
    planes: usize,
    heads: Vec<Head>,
    /// The numbers of the chosen actions among the listed ones.
    chosen: Vec<u32>,
    buffers: CodingBuffers,
}

/// One position.
#[derive(Clone)]
struct Head {
    position: CodedPosition,
    playout: RunningPlayout,
}

impl ListedLockstep {
    /// Positions that have yet to be begun, given any state of the game.
    pub(crate) fn new(
        state: &dyn AnyState,
        numbers: Arc<Numbers>,
        job: LockstepJob,
    ) -> ListedLockstep {
        let head = |i| Head {
            position: CodedPosition::new(state.copy(), &numbers),
            playout: RunningPlayout::new(&job, i),
        };
        ListedLockstep {
            buffers: CodingBuffers::new(&numbers).with_sites(state),
            players: state.facts().players.into(),
            actions: numbers.encoding.actions.len(),
            planes: numbers.encoding.plane_bytes(),
            heads: (0..job.count as u64).map(head).collect(),
            chosen: vec![0; job.count],
            numbers,
            job,
        }
    }

    /// Shows all positions; no score is known.
    fn show(&self, views: &mut Views<'_>) {
        let ListedLockstep { numbers, heads, players, actions, planes, .. } = self;
        views.mask.fill(0);
        for (i, head) in heads.iter().enumerate() {
            head.position.write_mask(row(views.mask, i, *actions));
            head.position.write_planes(numbers, row(views.planes, i, *planes));
            views.turns[i] = head.position.turn();
            row(views.scores, i, *players).fill(0);
            views.progress[i] = head.position.progress as u8;
        }
    }
}

impl Head {
    /// Begins the next playout.
    fn begin(&mut self, numbers: &Numbers, job: &LockstepJob, buffers: &mut CodingBuffers) {
        self.playout.begin(job);
        self.position.begin(numbers, &mut self.playout.rng, job.cap == 0, buffers);
    }

    /// Plays the legal action of a place.
    #[inline]
    fn play(&mut self, numbers: &Numbers, place: usize, cap: u32, buffers: &mut CodingBuffers) {
        let Head { position, playout } = self;
        playout.note(position.code(place));
        let at_cap = playout.plies >= cap;
        position.play(numbers, place, &mut playout.rng, at_cap, buffers);
    }

    /// Plays what the first of some words say, and gives the others; `None` where they say nothing
    /// of this position.
    fn resume<'s>(
        &mut self,
        saved: &'s [u64],
        numbers: &Numbers,
        job: &LockstepJob,
        buffers: &mut CodingBuffers,
    ) -> Option<&'s [u64]> {
        let (begun, saved) = self.playout.resume(saved, job)?;
        let Some(SavedPlayout { course, draws }) = begun else { return Some(saved) };
        self.begin(numbers, job, buffers);
        for &entry in course {
            let (action, draws) = action_and_draws(entry);
            self.playout.draw_again(self.position.legal() as u32, draws)?;
            let place = self.position.place(action?)?;
            self.play(numbers, place, job.cap, buffers);
        }
        self.playout.draw_again(self.position.legal() as u32, draws)?;
        Some(saved)
    }

    /// The number of the legal action with this code; any number if the position is not going.
    #[inline]
    fn place(&self, position: usize, action: i32) -> Result<u32, IllegalStep> {
        if self.position.progress != Progress::Going {
            return Ok(0);
        }
        let legal = self.position.legal();
        let place = self.position.place(action);
        place.map(|place| place as u32).ok_or(IllegalStep { position, action, legal })
    }

    /// Takes what is legal out of a row, but for sites.
    #[inline]
    fn clear_mask(&self, mask: &mut [u8]) {
        // A short row is cleared as a whole in no time.
        if mask.len() <= SHORT && self.position.shown_part().is_none() {
            mask.fill(0);
            return;
        }
        for &code in &self.position.codes {
            if let Some(entry) = mask.get_mut(code as usize) {
                *entry = 0;
            }
        }
    }
}

impl Lockstep for ListedLockstep {
    fn len(&self) -> usize {
        self.heads.len()
    }

    fn restart(&mut self, views: &mut Views<'_>) {
        let ListedLockstep { numbers, job, heads, buffers, .. } = self;
        for head in heads {
            head.begin(numbers, job, buffers);
        }
        self.show(views);
    }

    fn check(&self, actions: &[i32]) -> Result<(), IllegalStep> {
        assert_eq!(actions.len(), self.heads.len());
        self.heads
            .iter()
            .zip(actions)
            .enumerate()
            .try_for_each(|(i, (head, &action))| head.place(i, action).map(|_| ()))
    }

    fn step(
        &mut self,
        actions: &[i32],
        anew: bool,
        views: &mut Views<'_>,
    ) -> Result<(), IllegalStep> {
        assert_eq!(actions.len(), self.heads.len());
        for (i, (head, &action)) in self.heads.iter().zip(actions).enumerate() {
            self.chosen[i] = head.place(i, action)?;
        }
        let ListedLockstep { numbers, job, players, heads, actions, planes, chosen, buffers } =
            self;
        for (i, head) in heads.iter_mut().enumerate() {
            if head.position.progress != Progress::Going {
                row(views.scores, i, *players).fill(0);
                continue;
            }
            let mask = row(views.mask, i, *actions);
            let part = head.position.shown_part();
            head.clear_mask(mask);
            head.play(numbers, chosen[i] as usize, job.cap, buffers);
            views.progress[i] = head.position.progress as u8;
            let scores = row(views.scores, i, *players);
            if head.position.progress == Progress::Over {
                head.position.state.scores().write_to(scores);
            } else {
                scores.fill(0);
            }
            if anew && head.position.progress != Progress::Going {
                head.begin(numbers, job, buffers);
            }
            // What is overwritten as a whole need not be cleared.
            if let Some(part) =
                part.filter(|part| head.position.shown_part().as_ref() != Some(part))
            {
                mask[part].fill(0);
            }
            head.position.write_mask(mask);
            head.position.write_planes(numbers, row(views.planes, i, *planes));
            views.turns[i] = head.position.turn();
        }
        Ok(())
    }

    fn draw(&mut self, actions: &mut [i32]) {
        for (out, head) in actions.iter_mut().zip(&mut self.heads) {
            let place = head.playout.draw(head.position.legal() as u32);
            *out = place.map_or(-1, |place| head.position.code(place as usize) as i32);
        }
    }

    fn playouts(&self, position: usize, job: &Job, ends: &mut Vec<End>) {
        let CodedPosition { state, progress, .. } = &self.heads[position].position;
        let cap = if *progress == Progress::Going { job.cap } else { 0 };
        state.playouts(&Job { cap, ..*job }, ends);
    }

    fn copy(&self) -> Box<dyn Lockstep> {
        Box::new(self.clone())
    }

    fn save(&self) -> Vec<u64> {
        let mut saved = Vec::new();
        self.heads.iter().for_each(|head| head.playout.save(&mut saved));
        saved
    }

    fn resume(&mut self, saved: &[u64], views: &mut Views<'_>) -> bool {
        let ListedLockstep { numbers, job, heads, buffers, .. } = self;
        let mut heads = heads.iter_mut();
        let rest = heads.try_fold(saved, |saved, head| head.resume(saved, numbers, job, buffers));
        self.show(views);
        rest.is_some_and(<[u64]>::is_empty)
    }
}
