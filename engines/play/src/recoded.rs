//! Positions in lock-step that show other codes and planes than those of the positions behind them.

use std::sync::Arc;

use crate::encoding::Turned;
use crate::job::Job;
use crate::lockstep::{IllegalStep, Lockstep, Views};
use crate::merged::Merges;
use crate::method::Method;
use crate::tally::End;

/// A translation of codes and planes. What it is given of a position is who chooses there, or -1.
pub trait Recoding: Send + Sync {
    /// Bytes of the mask and of the planes of a position before they are translated.
    fn own_bytes(&self) -> [usize; 2];

    /// The code behind one that is shown, given the mask behind; anything illegal for what is none.
    fn own_code(&self, shown: i32, turn: i8, mask: &[u8]) -> i32;

    /// The code that is shown for one of the positions; -1 for what is none.
    fn shown_code(&self, own: i32, turn: i8) -> i32;

    /// Writes the mask that is shown.
    fn write_mask(&self, turn: i8, own: &[u8], shown: &mut [u8]);

    /// Writes the planes that are shown.
    fn write_planes(&self, turn: i8, own: &[u8], shown: &mut [u8]);
}

/// Positions that show what a translation makes of other ones.
pub struct RecodedLockstep<R> {
    lockstep: Box<dyn Lockstep>,
    recoding: Arc<R>,
    /// What the positions show before it is translated.
    mask: Vec<u8>,
    planes: Vec<u8>,
    turns: Vec<i8>,
}

/// A row of rows of so many bytes.
fn row(rows: &[u8], number: usize, bytes: usize) -> &[u8] {
    &rows[number * bytes..(number + 1) * bytes]
}

impl<R: Recoding + 'static> RecodedLockstep<R> {
    /// The positions as a translation shows them.
    pub fn boxed(lockstep: Box<dyn Lockstep>, recoding: Arc<R>) -> Box<dyn Lockstep> {
        let count = lockstep.len();
        let [mask, planes] = recoding.own_bytes().map(|bytes| vec![0; count * bytes]);
        Box::new(RecodedLockstep { lockstep, recoding, mask, planes, turns: vec![-1; count] })
    }

    /// The codes behind those that are shown.
    fn own_codes(&self, actions: &[i32]) -> Vec<i32> {
        let [bytes, _] = self.recoding.own_bytes();
        let all = actions.iter().zip(&self.turns).enumerate();
        let code =
            |(i, (&action, &turn))| self.recoding.own_code(action, turn, row(&self.mask, i, bytes));
        all.map(code).collect()
    }

    /// Asks the positions for what they show, and shows what the translation makes of it.
    fn show<T>(
        &mut self,
        views: &mut Views<'_>,
        ask: impl FnOnce(&mut dyn Lockstep, &mut Views<'_>) -> T,
    ) -> T {
        let RecodedLockstep { lockstep, recoding, mask, planes, turns: kept } = self;
        let Views { turns, scores, progress, .. } = views;
        let answer = ask(&mut **lockstep, &mut Views { mask, planes, turns, scores, progress });
        kept.copy_from_slice(turns);
        let [own_mask, own_planes] = recoding.own_bytes();
        let count = kept.len().max(1);
        let [shown_mask, shown_planes] = [views.mask.len(), views.planes.len()].map(|n| n / count);
        for (i, &turn) in kept.iter().enumerate() {
            let shown = &mut views.mask[i * shown_mask..][..shown_mask];
            recoding.write_mask(turn, row(mask, i, own_mask), shown);
            let shown = &mut views.planes[i * shown_planes..][..shown_planes];
            recoding.write_planes(turn, row(planes, i, own_planes), shown);
        }
        answer
    }
}

/// A refusal of the codes behind some actions as one of these actions.
fn refused(illegal: IllegalStep, actions: &[i32]) -> IllegalStep {
    IllegalStep { action: actions[illegal.position], ..illegal }
}

impl<R: Recoding + 'static> Lockstep for RecodedLockstep<R> {
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
        let checked = self.lockstep.check(&self.own_codes(actions));
        checked.map_err(|illegal| refused(illegal, actions))
    }

    fn step(
        &mut self,
        actions: &[i32],
        anew: bool,
        views: &mut Views<'_>,
    ) -> Result<(), IllegalStep> {
        let codes = self.own_codes(actions);
        let stepped = self.show(views, |lockstep, views| lockstep.step(&codes, anew, views));
        stepped.map_err(|illegal| refused(illegal, actions))
    }

    fn draw(&mut self, actions: &mut [i32]) {
        self.lockstep.draw(actions);
        for (action, &turn) in actions.iter_mut().zip(&self.turns) {
            *action = self.recoding.shown_code(*action, turn);
        }
    }

    fn playouts(&self, position: usize, job: &Job, ends: &mut Vec<End>) {
        self.lockstep.playouts(position, job, ends);
    }

    fn copy(&self) -> Box<dyn Lockstep> {
        let RecodedLockstep { lockstep, recoding, mask, planes, turns } = self;
        Box::new(RecodedLockstep {
            lockstep: lockstep.copy(),
            recoding: Arc::clone(recoding),
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

/// The player for whom boards are turned.
const SECOND: i8 = 1;

impl Turned {
    /// Writes what lies on the board after it was turned.
    pub fn turn_planes(&self, planes: &[u8], seen: &mut [u8]) {
        let sites = self.sites.len();
        for (plane, &kind) in planes.chunks_exact(sites.max(1)).zip(&self.kinds) {
            let seen = &mut seen[kind * sites..(kind + 1) * sites];
            for (&lies, &site) in plane.iter().zip(&self.sites) {
                seen[site] = lies;
            }
        }
    }

    /// The code of an action on the turned board, or the other way round; what is no code stays.
    fn turn_code(&self, code: i32, turn: i8) -> i32 {
        let place = usize::try_from(code).ok().filter(|_| turn == SECOND);
        place.and_then(|place| self.actions.get(place)).map_or(code, |&code| code as i32)
    }
}

/// For the second player the board is turned, and the kinds of men are exchanged.
impl Recoding for Turned {
    fn own_bytes(&self) -> [usize; 2] {
        [self.actions.len(), self.kinds.len() * self.sites.len()]
    }

    fn own_code(&self, shown: i32, turn: i8, _: &[u8]) -> i32 {
        self.turn_code(shown, turn)
    }

    fn shown_code(&self, own: i32, turn: i8) -> i32 {
        self.turn_code(own, turn)
    }

    fn write_mask(&self, turn: i8, own: &[u8], shown: &mut [u8]) {
        if turn != SECOND {
            return shown.copy_from_slice(own);
        }
        for (&legal, &code) in own.iter().zip(&self.actions) {
            shown[code] = legal;
        }
    }

    fn write_planes(&self, turn: i8, own: &[u8], shown: &mut [u8]) {
        if turn == SECOND { self.turn_planes(own, shown) } else { shown.copy_from_slice(own) }
    }
}

/// Several actions, or several percepts, of the description have one word: of the codes of a word
/// one is legal.
impl Recoding for Merges {
    fn own_bytes(&self) -> [usize; 2] {
        [self.actions.texts(), self.encoding.kinds.len() * self.sites.texts()]
    }

    fn own_code(&self, shown: i32, _: i8, mask: &[u8]) -> i32 {
        let texts = usize::try_from(shown).map_or(&[][..], |word| self.actions.of_word(word));
        let legal = texts.iter().find(|&&text| mask[text as usize] != 0);
        legal.map_or(-1, |&text| text as i32)
    }

    fn shown_code(&self, own: i32, _: i8) -> i32 {
        // A position that does not go on has -1, and no word.
        self.actions.place(own as u32) as i32
    }

    fn write_mask(&self, _: i8, own: &[u8], shown: &mut [u8]) {
        self.actions.write_rows(own, shown);
    }

    fn write_planes(&self, _: i8, own: &[u8], shown: &mut [u8]) {
        self.sites.write_rows(own, shown);
    }
}
