//! [`Lockstep`] over any mechanics: every position lists and codes its actions.

use std::sync::Arc;

use crate::coded_position::CodedPosition;
use crate::job::Job;
use crate::lockstep::{IllegalStep, Lockstep, LockstepJob, Progress, Views};
use crate::mechanics::Mechanics;
use crate::numbers::Numbers;
use crate::percepts::Percepts;
use crate::rng::Rng;
use crate::tally::End;

/// Bytes of a row of a mask that is cleared as a whole.
const SHORT: usize = 128;

/// Positions of any mechanics.
pub(crate) struct ListedLockstep<M: Mechanics> {
    mechanics: Arc<M>,
    numbers: Arc<Numbers>,
    job: LockstepJob,
    actions: usize,
    planes: usize,
    heads: Vec<Head<M>>,
    /// The numbers of the chosen actions among the listed ones.
    chosen: Vec<u32>,
    /// The percepts of a ply, until they are noted.
    told: Percepts,
}

/// One position.
struct Head<M: Mechanics> {
    position: CodedPosition<M>,
    rng: Rng,
    plies: u32,
    /// Id of the next playout.
    next: u64,
}

impl<M: Mechanics> ListedLockstep<M> {
    pub(crate) fn new(
        mechanics: Arc<M>,
        numbers: Arc<Numbers>,
        job: LockstepJob,
    ) -> ListedLockstep<M> {
        let encoding = &numbers.encoding;
        let heads = (0..job.count as u64).map(|i| {
            let id = job.first.wrapping_add(i);
            let mut rng = Rng::stream(job.seed, id);
            let position = CodedPosition::new(&*mechanics, &numbers, &mut rng);
            Head { position, rng, plies: 0, next: id }
        });
        let heads = heads.collect();
        let (actions, planes) = (encoding.actions.len(), encoding.plane_bytes());
        let told = Percepts::on_sites(Arc::clone(&numbers.sites));
        ListedLockstep {
            told,
            mechanics,
            numbers,
            job,
            actions,
            planes,
            heads,
            chosen: vec![0; job.count],
        }
    }
}

impl<M: Mechanics> Head<M> {
    /// Begins the next playout.
    fn begin(&mut self, mechanics: &M, numbers: &Numbers, job: &LockstepJob, told: &mut Percepts) {
        self.rng = Rng::stream(job.seed, self.next);
        self.next = self.next.wrapping_add(job.stride);
        self.plies = 0;
        self.position.begin(mechanics, numbers, &mut self.rng, job.cap == 0, told);
    }

    /// The number of the legal action with this code; any number if the position is not going.
    #[inline]
    fn place(&self, position: usize, action: i32) -> Result<u32, IllegalStep> {
        if self.position.progress != Progress::Going {
            return Ok(0);
        }
        let legal = self.position.codes.len();
        let place = self.position.place(action);
        place.map(|place| place as u32).ok_or(IllegalStep { position, action, legal })
    }

    /// Takes what is legal out of a row.
    #[inline]
    fn clear_mask(&self, mask: &mut [u8]) {
        // A short row is cleared as a whole in no time.
        if mask.len() <= SHORT {
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

/// The row of a position in a view whose rows have so many items.
fn row<T>(view: &mut [T], position: usize, items: usize) -> &mut [T] {
    &mut view[position * items..(position + 1) * items]
}

impl<M: Mechanics> Lockstep for ListedLockstep<M> {
    fn len(&self) -> usize {
        self.heads.len()
    }

    fn restart(&mut self, views: &mut Views<'_>) {
        let ListedLockstep { mechanics, numbers, job, heads, actions, planes, told, .. } = self;
        let players = usize::from(mechanics.facts().players);
        views.mask.fill(0);
        for (i, head) in heads.iter_mut().enumerate() {
            head.begin(mechanics, numbers, job, told);
            head.position.write_mask(row(views.mask, i, *actions));
            head.position.write_planes(mechanics, numbers, row(views.planes, i, *planes));
            views.turns[i] = head.position.turn();
            row(views.scores, i, players).fill(0);
            views.progress[i] = head.position.progress as u8;
        }
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
        let ListedLockstep { mechanics, numbers, job, heads, actions, planes, chosen, told } = self;
        let players = usize::from(mechanics.facts().players);
        for (i, head) in heads.iter_mut().enumerate() {
            if head.position.progress != Progress::Going {
                row(views.scores, i, players).fill(0);
                continue;
            }
            let mask = row(views.mask, i, *actions);
            head.clear_mask(mask);
            head.plies += 1;
            let (place, at_cap) = (chosen[i] as usize, head.plies >= job.cap);
            let Head { position, rng, .. } = head;
            position.play(mechanics, numbers, place, rng, at_cap, told);
            views.progress[i] = head.position.progress as u8;
            let scores = row(views.scores, i, players);
            if head.position.progress == Progress::Over {
                let all = mechanics.scores(&head.position.state);
                for (out, score) in scores.iter_mut().zip(all.iter()) {
                    *out = score;
                }
            } else {
                scores.fill(0);
            }
            if anew && head.position.progress != Progress::Going {
                head.begin(mechanics, numbers, job, told);
            }
            head.position.write_mask(mask);
            head.position.write_planes(mechanics, numbers, row(views.planes, i, *planes));
            views.turns[i] = head.position.turn();
        }
        Ok(())
    }

    fn draw(&mut self, actions: &mut [i32]) {
        for (out, head) in actions.iter_mut().zip(&mut self.heads) {
            *out = match head.position.codes.len() as u32 {
                0 => -1,
                legal => head.position.codes[head.rng.below(legal) as usize] as i32,
            };
        }
    }

    fn playouts(&self, position: usize, job: &Job, ends: &mut Vec<End>) {
        let CodedPosition { state, progress, .. } = &self.heads[position].position;
        let cap = if *progress == Progress::Going { job.cap } else { 0 };
        self.mechanics.playouts(state, &Job { cap, ..*job }, ends);
    }
}
