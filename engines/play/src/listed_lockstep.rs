//! [`Lockstep`] over any mechanics: every position lists and codes its actions.

use std::sync::Arc;

use crate::lockstep::{IllegalStep, Lockstep, LockstepJob, Progress, Views};
use crate::mechanics::Mechanics;
use crate::numbers::{Numbers, Seen};
use crate::percepts::Percepts;
use crate::position::MAX_FORCED_PASSES;
use crate::rng::Rng;
use crate::scores::{Player, Turn};

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
    /// Which of the listed actions was chosen.
    chosen: Vec<u32>,
    /// What is told of a ply, until it is noted.
    told: Percepts,
}

/// One position.
struct Head<M: Mechanics> {
    state: M::State,
    legal: Vec<M::Action>,
    /// The codes of the legal actions.
    codes: Vec<u32>,
    turn: Turn,
    rng: Rng,
    plies: u32,
    /// Id of the next playout.
    next: u64,
    progress: Progress,
    /// Empty where nothing is hidden.
    seen: Seen,
}

impl<M: Mechanics> ListedLockstep<M> {
    pub(crate) fn new(
        mechanics: Arc<M>,
        numbers: Arc<Numbers>,
        job: LockstepJob,
    ) -> ListedLockstep<M> {
        let encoding = &numbers.encoding;
        let facts = mechanics.facts();
        let seen = Seen::new(&numbers, if facts.hidden { facts.players } else { 0 });
        let heads = (0..job.count as u64).map(|i| {
            let id = job.first.wrapping_add(i);
            let mut rng = Rng::stream(job.seed, id);
            Head {
                state: mechanics.initial(&mut rng),
                legal: Vec::new(),
                codes: Vec::new(),
                turn: Turn::Over,
                rng,
                plies: 0,
                next: id,
                progress: Progress::Over,
                seen: seen.clone(),
            }
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
        mechanics.restart(&mut self.state, &mut self.rng);
        if mechanics.facts().hidden {
            self.seen.clear();
            told.clear();
            mechanics.start_percepts(&self.state, told);
            self.seen.note(told);
        }
        self.look(mechanics, numbers, job.cap, told);
    }

    /// Plays a legal action, a ply or a forced pass.
    #[inline]
    fn apply(&mut self, mechanics: &M, action: M::Action, told: &mut Percepts) {
        let Head { state, rng, seen, .. } = self;
        if !mechanics.facts().hidden {
            mechanics.apply(state, action, rng);
            return;
        }
        told.clear();
        mechanics.apply_perceived(state, action, rng, told);
        seen.note(told);
    }

    /// Writes what whoever chooses sees.
    #[inline]
    fn write_planes(&self, mechanics: &M, numbers: &Numbers, planes: &mut [u8]) {
        if !mechanics.facts().hidden {
            mechanics.planes(&self.state, planes);
        } else if let Ok(player) = u8::try_from(who(self)) {
            self.seen.write(numbers, Player(player), planes);
        } else {
            planes.fill(0);
        }
    }

    /// Which of the legal actions has this code; any number where it does not go on.
    #[inline]
    fn place(&self, position: usize, action: i32) -> Result<u32, IllegalStep> {
        if self.progress != Progress::Going {
            return Ok(0);
        }
        let legal = self.codes.len();
        let place = self.codes.iter().position(|&code| i64::from(code) == i64::from(action));
        place.map(|place| place as u32).ok_or(IllegalStep { position, action, legal })
    }

    /// Writes what is legal into a row that shows what was legal before.
    #[inline]
    fn write_mask(&self, mask: &mut [u8]) {
        for &code in &self.codes {
            if let Some(entry) = mask.get_mut(code as usize) {
                *entry = 1;
            }
        }
    }

    /// Takes what is legal out of a row.
    #[inline]
    fn clear_mask(&self, mask: &mut [u8]) {
        // A short row is cleared as a whole in no time.
        if mask.len() <= SHORT {
            mask.fill(0);
            return;
        }
        for &code in &self.codes {
            if let Some(entry) = mask.get_mut(code as usize) {
                *entry = 0;
            }
        }
    }

    /// Lists what is legal, forced passes played.
    #[inline]
    fn look(&mut self, mechanics: &M, numbers: &Numbers, cap: u32, told: &mut Percepts) {
        self.list(mechanics, cap, told);
        self.codes.clear();
        if self.progress == Progress::Going {
            numbers.codes(mechanics, &self.state, &self.legal, &mut self.codes);
            if self.codes.contains(&u32::MAX) {
                self.codes.clear();
                self.progress = Progress::Uncoded;
            }
        }
    }

    #[inline]
    fn list(&mut self, mechanics: &M, cap: u32, told: &mut Percepts) {
        for _ in 0..=MAX_FORCED_PASSES {
            self.legal.clear();
            self.turn = mechanics.expand(&mut self.state, &mut self.legal);
            self.progress = match (self.turn, &self.legal[..]) {
                (Turn::Over, _) => Progress::Over,
                (_, []) => Progress::Stuck,
                (_, &[only]) if mechanics.is_pass(&self.state, only) => {
                    self.apply(mechanics, only, told);
                    continue;
                }
                _ if self.plies >= cap => Progress::Capped,
                _ => Progress::Going,
            };
            return;
        }
        self.progress = Progress::Capped;
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
            head.write_mask(row(views.mask, i, *actions));
            head.write_planes(mechanics, numbers, row(views.planes, i, *planes));
            views.turns[i] = who(head);
            row(views.scores, i, players).fill(0);
            views.progress[i] = head.progress as u8;
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
            if head.progress != Progress::Going {
                row(views.scores, i, players).fill(0);
                continue;
            }
            let mask = row(views.mask, i, *actions);
            head.clear_mask(mask);
            let action = head.legal[chosen[i] as usize];
            let code = head.codes[chosen[i] as usize] as usize;
            if let (Turn::Move(player), true) = (head.turn, mechanics.facts().hidden) {
                head.seen.chose(numbers, player, code);
            }
            head.apply(mechanics, action, told);
            head.plies += 1;
            head.look(mechanics, numbers, job.cap, told);
            views.progress[i] = head.progress as u8;
            let scores = row(views.scores, i, players);
            if head.progress == Progress::Over {
                let all = mechanics.scores(&head.state);
                for (out, score) in scores.iter_mut().zip(all.iter()) {
                    *out = score;
                }
            } else {
                scores.fill(0);
            }
            if anew && head.progress != Progress::Going {
                head.begin(mechanics, numbers, job, told);
            }
            head.write_mask(mask);
            head.write_planes(mechanics, numbers, row(views.planes, i, *planes));
            views.turns[i] = who(head);
        }
        Ok(())
    }

    fn draw(&mut self, actions: &mut [i32]) {
        for (out, head) in actions.iter_mut().zip(&mut self.heads) {
            *out = match head.codes.len() as u32 {
                0 => -1,
                legal => head.codes[head.rng.below(legal) as usize] as i32,
            };
        }
    }
}

/// Who chooses, or -1.
fn who<M: Mechanics>(head: &Head<M>) -> i8 {
    match head.turn {
        Turn::Move(player) if head.progress == Progress::Going => player.0 as i8,
        _ => -1,
    }
}
