//! Positions in lock-step as whoever chooses sees them: for the second player the board is turned,
//! and the kinds of men are exchanged.

use std::sync::Arc;

use play::{End, IllegalStep, Job, Lockstep, Method, Turned, Views};

/// Positions that are shown turned to whoever chooses.
pub(crate) struct TurnedLockstep {
    lockstep: Box<dyn Lockstep>,
    turned: Arc<Turned>,
    /// What the positions show if nothing is turned.
    mask: Vec<u8>,
    planes: Vec<u8>,
    turns: Vec<i8>,
}

impl TurnedLockstep {
    pub(crate) fn new(lockstep: Box<dyn Lockstep>, turned: Arc<Turned>) -> TurnedLockstep {
        let count = lockstep.len();
        let (actions, bytes) = (turned.actions.len(), turned.kinds.len() * turned.sites.len());
        let (mask, planes) = (vec![0; count * actions], vec![0; count * bytes]);
        TurnedLockstep { lockstep, turned, mask, planes, turns: vec![-1; count] }
    }

    /// The codes of these actions on the turned boards, or the other way round.
    fn turn(&self, actions: &[i32]) -> Vec<i32> {
        let codes = &self.turned.actions;
        let turn = |(&action, &turn): (&i32, &i8)| {
            let code = usize::try_from(action).ok().filter(|_| turn == SECOND);
            // What is no code stays.
            code.and_then(|code| codes.get(code)).map_or(action, |&code| code as i32)
        };
        actions.iter().zip(&self.turns).map(turn).collect()
    }

    /// Asks the positions for what they show, and shows it turned.
    fn show<T>(
        &mut self,
        views: &mut Views<'_>,
        ask: impl FnOnce(&mut dyn Lockstep, &mut Views<'_>) -> T,
    ) -> T {
        let Views { turns, scores, progress, .. } = views;
        let (mask, planes) = (&mut self.mask[..], &mut self.planes[..]);
        let answer = ask(&mut *self.lockstep, &mut Views { mask, planes, turns, scores, progress });
        self.turns.copy_from_slice(turns);
        let (actions, bytes) = (self.turned.actions.len(), self.planes.len() / self.turns.len());
        for (i, &turn) in self.turns.iter().enumerate() {
            let masks = i * actions..(i + 1) * actions;
            let boards = i * bytes..(i + 1) * bytes;
            let (mask, planes) = (&self.mask[masks.clone()], &self.planes[boards.clone()]);
            let (seen_mask, seen) = (&mut views.mask[masks], &mut views.planes[boards]);
            if turn == SECOND {
                turn_mask(&self.turned, mask, seen_mask);
                turn_planes(&self.turned, planes, seen);
            } else {
                seen_mask.copy_from_slice(mask);
                seen.copy_from_slice(planes);
            }
        }
        answer
    }
}

/// The player for whom boards are turned.
const SECOND: i8 = 1;

/// Writes which actions are legal after the board was turned.
fn turn_mask(turned: &Turned, mask: &[u8], seen: &mut [u8]) {
    for (&legal, &code) in mask.iter().zip(&turned.actions) {
        seen[code] = legal;
    }
}

/// Writes what lies on the board after it was turned.
pub(crate) fn turn_planes(turned: &Turned, planes: &[u8], seen: &mut [u8]) {
    let sites = turned.sites.len();
    for (plane, &kind) in planes.chunks_exact(sites.max(1)).zip(&turned.kinds) {
        let seen = &mut seen[kind * sites..(kind + 1) * sites];
        for (&lies, &site) in plane.iter().zip(&turned.sites) {
            seen[site] = lies;
        }
    }
}

impl Lockstep for TurnedLockstep {
    fn len(&self) -> usize {
        self.lockstep.len()
    }

    fn method(&self) -> Method {
        self.lockstep.method()
    }

    fn restart(&mut self, views: &mut Views<'_>) {
        self.show(views, |lockstep, views| lockstep.restart(views));
    }

    fn check(&self, actions: &[i32]) -> Result<(), IllegalStep> {
        let checked = self.lockstep.check(&self.turn(actions));
        checked.map_err(|illegal| IllegalStep { action: actions[illegal.position], ..illegal })
    }

    fn step(
        &mut self,
        actions: &[i32],
        anew: bool,
        views: &mut Views<'_>,
    ) -> Result<(), IllegalStep> {
        let codes = self.turn(actions);
        let stepped = self.show(views, |lockstep, views| lockstep.step(&codes, anew, views));
        stepped.map_err(|illegal| IllegalStep { action: actions[illegal.position], ..illegal })
    }

    fn draw(&mut self, actions: &mut [i32]) {
        self.lockstep.draw(actions);
        let turned = self.turn(actions);
        actions.copy_from_slice(&turned);
    }

    fn playouts(&self, position: usize, job: &Job, ends: &mut Vec<End>) {
        self.lockstep.playouts(position, job, ends);
    }

    fn copy(&self) -> Box<dyn Lockstep> {
        let TurnedLockstep { lockstep, turned, mask, planes, turns } = self;
        Box::new(TurnedLockstep {
            lockstep: lockstep.copy(),
            turned: Arc::clone(turned),
            mask: mask.clone(),
            planes: planes.clone(),
            turns: turns.clone(),
        })
    }

    fn save(&self) -> Vec<u64> {
        self.lockstep.save()
    }

    fn resume(&mut self, saved: &[u64], views: &mut Views<'_>) -> bool {
        self.show(views, |lockstep, views| lockstep.resume(saved, views))
    }
}
