//! [`Lockstep`] over positions in rows, whose legal actions are sites: nothing is listed, and of
//! what a program sees only what a ply has changed is written.

use std::sync::Arc;

use sites::SetView;

use crate::any_state::AnyState;
use crate::job::Job;
use crate::lockstep::{IllegalStep, Lockstep, LockstepJob, Progress, Views, row};
use crate::method::Method;
use crate::numbers::Numbers;
use crate::running_playout::{RunningPlayout, SavedPlayout, action_and_draws};
use crate::site_rows::{NO_SITE, SitePly, SiteRows};
use crate::tally::{End, Ending};

/// Positions of a game whose legal actions are sites.
pub(crate) struct SiteLockstep {
    rows: Box<dyn SiteRows>,
    job: LockstepJob,
    players: usize,
    places: Arc<Places>,
    heads: Vec<Head>,
    /// The sets that the views show: of each position the legal sites, and those of each kind.
    shown: Vec<u64>,
    /// The legal sites of each position, where they have changed since they were shown.
    legal: Vec<u64>,
    /// The sites of the actions of a step, and what became of the plies.
    chosen: Vec<u32>,
    outcomes: Vec<SitePly>,
}

/// Where actions and kinds stand in rows and views.
struct Places {
    /// Codes by site.
    codes: Vec<u32>,
    /// Sites by code; [`NO_SITE`] for actions that are none.
    sites: Vec<u32>,
    /// Where the set of each kind begins in a row, in words.
    kinds: Vec<usize>,
    /// Words of a set.
    words: usize,
}

/// One position, beside its row.
#[derive(Clone)]
struct Head {
    playout: RunningPlayout,
    progress: Progress,
    /// The player who chooses, or -1.
    turn: i8,
}

impl Places {
    /// `None` where some site has no code of its own.
    fn new(rows: &dyn SiteRows, state: &dyn AnyState, numbers: &Numbers) -> Option<Places> {
        let count = numbers.encoding.sites.len();
        let mut families = rows.families().into_iter();
        let codes_of = |family: u32| -> Vec<u32> {
            let label = |site: usize| state.site_label(family, site as u32);
            (0..count).map(|site| numbers.code(&label(site))).collect()
        };
        let codes = codes_of(families.next()?);
        if families.any(|family| codes_of(family) != codes) {
            return None;
        }
        let mut sites = vec![NO_SITE; numbers.encoding.actions.len()];
        for (site, &code) in (0..).zip(&codes) {
            let place = sites.get_mut(code as usize).filter(|place| **place == NO_SITE)?;
            *place = site;
        }
        let (kinds, words) = (rows.kinds(), rows.set_words());
        let fits = kinds.len() == numbers.encoding.kinds.len() && count <= 64 * words;
        fits.then_some(Places { codes, sites, kinds, words })
    }

    /// Bytes of the mask and of a plane.
    fn bytes(&self) -> [usize; 2] {
        [self.sites.len(), self.codes.len()]
    }

    /// Words of what is shown of a position.
    fn shown(&self) -> usize {
        self.words * (1 + self.kinds.len())
    }

    /// The site of an action by its code; [`NO_SITE`] for what is none.
    #[inline(always)]
    fn site(&self, action: i32) -> u32 {
        self.sites.get(action as usize).copied().unwrap_or(NO_SITE)
    }
}

impl SiteLockstep {
    /// Positions that have yet to be begun, given any state of the game; `None` where there are no
    /// rows, or some action in them has no code.
    pub(crate) fn new(
        state: &dyn AnyState,
        numbers: &Numbers,
        job: LockstepJob,
    ) -> Option<SiteLockstep> {
        if state.facts().hidden || state.facts().chance {
            return None;
        }
        let rows = state.site_rows()?;
        let places = Places::new(&*rows, state, numbers)?;
        let head =
            |i| Head { playout: RunningPlayout::new(&job, i), progress: Progress::Over, turn: -1 };
        Some(SiteLockstep {
            rows: rows.with_rows(job.count),
            job,
            players: state.facts().players.into(),
            heads: (0..job.count as u64).map(head).collect(),
            shown: vec![0; job.count * places.shown()],
            legal: vec![0; job.count * places.words],
            chosen: vec![NO_SITE; job.count],
            outcomes: vec![SitePly::Over; job.count],
            places: Arc::new(places),
        })
    }

    /// The legal sites of a position.
    #[inline(always)]
    fn legal(&self, position: usize) -> SetView<'_> {
        let words = self.places.words;
        SetView(&self.legal[position * words..(position + 1) * words])
    }

    #[inline(always)]
    fn legal_mut(&mut self, position: usize) -> &mut [u64] {
        row(&mut self.legal, position, self.places.words)
    }

    /// The site of an action; [`NO_SITE`] if the position is not going.
    #[inline(always)]
    fn site(&self, position: usize, action: i32) -> Result<u32, IllegalStep> {
        let site = self.places.site(action);
        let is_site = (site as usize) < self.places.codes.len();
        if is_site && self.legal(position).contains(site as usize) {
            return Ok(site);
        }
        match self.heads[position].progress {
            Progress::Going => {
                let legal = self.legal(position).len() as usize;
                Err(IllegalStep { position, action, legal })
            }
            _ => Ok(NO_SITE),
        }
    }

    /// Begins the next playout of a position.
    fn begin(&mut self, position: usize) {
        let legal = row(&mut self.legal, position, self.places.words);
        let player = self.rows.begin(position, legal);
        let Head { playout, progress, turn } = &mut self.heads[position];
        playout.begin(&self.job);
        (*progress, *turn) = (Progress::Going, player.0 as i8);
        if self.job.cap == 0 {
            (*progress, *turn) = (Progress::Capped, -1);
            legal.fill(0);
        }
    }

    /// Plays the chosen actions.
    fn play(&mut self) {
        let SiteLockstep { rows, legal, chosen, outcomes, heads, places, job, .. } = self;
        rows.play(chosen, legal, outcomes);
        let all = heads.iter_mut().zip(chosen).zip(outcomes).zip(legal.chunks_mut(places.words));
        for (((head, &mut site), &mut outcome), legal) in all {
            let Some(&code) = places.codes.get(site as usize) else { continue };
            head.playout.note(code);
            match outcome {
                SitePly::Going(player) if head.playout.plies < job.cap => {
                    head.turn = player.0 as i8;
                    continue;
                }
                SitePly::Going(_) | SitePly::Endless => head.progress = Progress::Capped,
                SitePly::Over => head.progress = Progress::Over,
            }
            head.turn = -1;
            legal.fill(0);
        }
    }

    /// Writes what has changed of a position, and notes what is shown now.
    #[inline]
    fn show(&mut self, position: usize, views: &mut Views<'_>) {
        let Places { codes, kinds, words, .. } = &*self.places;
        let (words, [mask, plane]) = (*words, self.places.bytes());
        let shown = &mut self.shown[position * words * (1 + kinds.len())..];
        let (legal, shown) = shown.split_at_mut(words);
        let mask = row(views.mask, position, mask);
        let now = &self.legal[position * words..(position + 1) * words];
        write_changes(legal, now, |site, byte| {
            if let Some(out) = codes.get(site).and_then(|&code| mask.get_mut(code as usize)) {
                *out = byte;
            }
        });
        let sets = self.rows.sets(position);
        let planes = row(views.planes, position, kinds.len() * plane);
        let all = planes.chunks_exact_mut(plane.max(1)).zip(shown.chunks_exact_mut(words));
        for ((plane, shown), &first) in all.zip(kinds) {
            write_changes(shown, &sets[first..first + words], |site, byte| {
                if let Some(out) = plane.get_mut(site) {
                    *out = byte;
                }
            });
        }
        views.turns[position] = self.heads[position].turn;
    }

    /// Plays all positions as some words say; `None` where they say nothing of them.
    fn play_again(&mut self, mut saved: &[u64]) -> Option<()> {
        let mut begun = Vec::new();
        for position in 0..self.heads.len() {
            let (playout, rest) = self.heads[position].playout.resume(saved, &self.job)?;
            self.legal_mut(position).fill(0);
            if let Some(playout) = playout {
                self.begin(position);
                begun.push((position, playout));
            }
            saved = rest;
        }
        let last = begun.iter().map(|(_, playout)| playout.course.len()).max();
        for ply in 0..last.unwrap_or(0) {
            self.chosen.fill(NO_SITE);
            for (position, SavedPlayout { course, .. }) in &begun {
                let Some(&entry) = course.get(ply) else { continue };
                let (action, draws) = action_and_draws(entry);
                self.draw_again(*position, draws)?;
                self.chosen[*position] = self.site(*position, action?).ok()?;
                // One that has ended has no more actions.
                (self.chosen[*position] != NO_SITE).then_some(())?;
            }
            self.play();
        }
        for (position, SavedPlayout { draws, .. }) in begun {
            self.draw_again(position, draws)?;
        }
        saved.is_empty().then_some(())
    }

    fn draw_again(&mut self, position: usize, draws: u64) -> Option<()> {
        let legal = self.legal(position).len();
        self.heads[position].playout.draw_again(legal, draws)
    }

    /// Writes what there is to see of all positions, and no scores.
    fn show_all(&mut self, views: &mut Views<'_>) {
        views.mask.fill(0);
        views.planes.fill(0);
        views.scores.fill(0);
        self.shown.fill(0);
        for position in 0..self.heads.len() {
            views.progress[position] = self.heads[position].progress as u8;
            self.show(position, views);
        }
    }
}

/// Makes one set another, and says of each site that is not in both whether it is there now.
#[inline(always)]
fn write_changes(shown: &mut [u64], now: &[u64], mut write: impl FnMut(usize, u8)) {
    for (first, (shown, &now)) in (0..).step_by(64).zip(shown.iter_mut().zip(now)) {
        let mut changes = std::mem::replace(shown, now) ^ now;
        while changes != 0 {
            let bit = changes.trailing_zeros();
            changes &= changes - 1;
            write(first + bit as usize, (now >> bit & 1) as u8);
        }
    }
}

impl Lockstep for SiteLockstep {
    fn len(&self) -> usize {
        self.heads.len()
    }

    fn method(&self) -> Method {
        Method::Counted
    }

    fn restart(&mut self, views: &mut Views<'_>) {
        (0..self.heads.len()).for_each(|position| self.begin(position));
        self.show_all(views);
    }

    fn check(&self, actions: &[i32]) -> Result<(), IllegalStep> {
        assert_eq!(actions.len(), self.heads.len());
        let mut actions = actions.iter().enumerate();
        actions.try_for_each(|(i, &action)| self.site(i, action).map(|_| ()))
    }

    fn step(
        &mut self,
        actions: &[i32],
        anew: bool,
        views: &mut Views<'_>,
    ) -> Result<(), IllegalStep> {
        assert_eq!(actions.len(), self.heads.len());
        for (position, &action) in actions.iter().enumerate() {
            self.chosen[position] = self.site(position, action)?;
        }
        self.play();
        views.scores.fill(0);
        for position in 0..self.heads.len() {
            if self.chosen[position] == NO_SITE {
                continue;
            }
            let progress = self.heads[position].progress;
            views.progress[position] = progress as u8;
            if progress != Progress::Going {
                if progress == Progress::Over {
                    let shown = row(views.scores, position, self.players);
                    self.rows.scores(position).write_to(shown);
                }
                if anew {
                    self.begin(position);
                }
            }
            self.show(position, views);
        }
        Ok(())
    }

    fn draw(&mut self, actions: &mut [i32]) {
        let legal = self.legal.chunks_exact(self.places.words).map(SetView);
        for ((out, head), legal) in actions.iter_mut().zip(&mut self.heads).zip(legal) {
            let site = head.playout.draw(legal.len()).and_then(|place| legal.nth(place));
            let code = site.and_then(|site| self.places.codes.get(site));
            *out = code.map_or(-1, |&code| code as i32);
        }
    }

    fn playouts(&self, position: usize, job: &Job, ends: &mut Vec<End>) {
        let ending = match self.heads[position].progress {
            Progress::Going => return self.rows.playouts(position, job, ends),
            // One that was never begun has no scores.
            Progress::Over if !self.heads[position].playout.is_new() => {
                Ending::Over(self.rows.scores(position))
            }
            _ => Ending::Capped,
        };
        ends.extend(job.ids().map(|_| End { plies: 0, ending }));
    }

    fn copy(&self) -> Box<dyn Lockstep> {
        let SiteLockstep { rows, places, heads, shown, legal, chosen, outcomes, .. } = self;
        Box::new(SiteLockstep {
            rows: rows.copy(),
            places: Arc::clone(places),
            heads: heads.clone(),
            shown: shown.clone(),
            legal: legal.clone(),
            chosen: chosen.clone(),
            outcomes: outcomes.clone(),
            ..*self
        })
    }

    fn save(&self) -> Vec<u64> {
        let mut saved = Vec::new();
        self.heads.iter().for_each(|head| head.playout.save(&mut saved));
        saved
    }

    fn resume(&mut self, saved: &[u64], views: &mut Views<'_>) -> bool {
        let is_known = self.play_again(saved).is_some();
        self.show_all(views);
        is_known
    }
}
