//! Codes and planes of a game in whose words several actions, or several percepts, are one.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::adapted::Coding;
use crate::encoding::Encoding;
use crate::job::Job;
use crate::lockstep::{IllegalStep, Lockstep, Views};
use crate::method::Method;
use crate::tally::End;

/// A list of words in which each is there once, made from a list where several texts may have one
/// word, and some none.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Merge {
    /// The place of each text's word; `u32::MAX` where it has none.
    places: Vec<u32>,
    /// The texts of each word, by their places.
    texts: Vec<Vec<u32>>,
}

impl Merge {
    /// Leaves each word once, where it is first; an empty word is none.
    pub(crate) fn new(words: &mut Vec<String>) -> Merge {
        let mut merge = Merge::default();
        let mut known = FxHashMap::default();
        let mut unique: Vec<String> = Vec::new();
        for (word, text) in words.drain(..).zip(0..) {
            if word.is_empty() {
                merge.places.push(u32::MAX);
                continue;
            }
            let place = *known.entry(word.clone()).or_insert_with(|| {
                unique.push(word);
                merge.texts.push(Vec::new());
                unique.len() - 1
            });
            merge.places.push(place as u32);
            merge.texts[place].push(text);
        }
        *words = unique;
        merge
    }

    /// True if every text has a word of its own.
    fn changes_nothing(&self) -> bool {
        self.places.len() == self.texts.len()
    }

    /// The place of a text's word; `u32::MAX` for what is no text.
    pub(crate) fn place(&self, text: u32) -> u32 {
        self.places.get(text as usize).copied().unwrap_or(u32::MAX)
    }

    /// Writes rows of bytes for words from rows for texts: 1 where one of a word's texts has it.
    pub(crate) fn write_rows(&self, texts: &[u8], words: &mut [u8]) {
        words.fill(0);
        if self.texts.is_empty() {
            return;
        }
        let rows = texts.chunks_exact(self.places.len());
        for (texts, words) in rows.zip(words.chunks_exact_mut(self.texts.len())) {
            for (&set, &place) in texts.iter().zip(&self.places) {
                if let (1.., Some(word)) = (set, words.get_mut(place as usize)) {
                    *word = 1;
                }
            }
        }
    }
}

/// How the encoding of a game in its words is made from the encoding of its description.
#[derive(Debug)]
pub struct Merges {
    pub(crate) actions: Merge,
    pub(crate) sites: Merge,
    /// The encoding in the words.
    pub(crate) encoding: Encoding,
    /// What positions that go on together have of it.
    pub(crate) coding: Coding,
}

impl Merges {
    /// Puts an encoding in words, given those of its actions and sites in their places.
    pub(crate) fn new(mut encoding: Encoding) -> Merges {
        let actions = Merge::new(&mut encoding.actions);
        let sites = Merge::new(&mut encoding.sites);
        Merges { actions, sites, encoding, coding: Coding::default() }
    }

    /// True if both encodings have the same codes and planes.
    pub(crate) fn change_nothing(&self) -> bool {
        self.actions.changes_nothing() && self.sites.changes_nothing()
    }

    /// True if planes are those of the description, if it is no game of hidden information.
    pub(crate) fn keep_sites(&self) -> bool {
        self.sites.changes_nothing()
    }

    /// The bytes of the planes of a position of the description.
    pub(crate) fn plane_bytes(&self) -> usize {
        self.encoding.kinds.len() * self.sites.places.len()
    }
}

/// Positions that go on together and say the codes and planes of the words.
pub(crate) struct MergedLockstep {
    lockstep: Box<dyn Lockstep>,
    merges: Arc<Merges>,
    /// What the description shows: which of its codes are legal, and what lies on its sites.
    mask: Vec<u8>,
    planes: Vec<u8>,
}

impl MergedLockstep {
    pub(crate) fn new(lockstep: Box<dyn Lockstep>, merges: Arc<Merges>) -> MergedLockstep {
        let mask = vec![0; lockstep.len() * merges.actions.places.len()];
        let planes = vec![0; lockstep.len() * merges.plane_bytes()];
        MergedLockstep { lockstep, merges, mask, planes }
    }

    /// The description's codes for these actions: of the codes that have a word one is legal.
    fn codes(&self, actions: &[i32]) -> Vec<i32> {
        let Merge { places, texts } = &self.merges.actions;
        let code = |(position, &action): (usize, &i32)| {
            let texts = usize::try_from(action).ok().and_then(|action| texts.get(action));
            let row = position * places.len();
            let is_legal = |text: &&u32| self.mask[row + **text as usize] != 0;
            let legal = texts.and_then(|texts| texts.iter().find(is_legal));
            legal.map_or(-1, |&text| text as i32)
        };
        actions.iter().enumerate().map(code).collect()
    }

    /// Asks the positions for what they show, and shows it in the words.
    fn show<T>(
        &mut self,
        views: &mut Views<'_>,
        ask: impl FnOnce(&mut dyn Lockstep, &mut Views<'_>) -> T,
    ) -> T {
        let Views { turns, scores, progress, .. } = views;
        let (mask, planes) = (&mut self.mask[..], &mut self.planes[..]);
        let answer = ask(&mut *self.lockstep, &mut Views { mask, planes, turns, scores, progress });
        self.merges.actions.write_rows(&self.mask, views.mask);
        self.merges.sites.write_rows(&self.planes, views.planes);
        answer
    }
}

/// A refusal of the description's codes as one of these actions.
fn refused(illegal: IllegalStep, actions: &[i32]) -> IllegalStep {
    IllegalStep { action: actions[illegal.position], ..illegal }
}

impl Lockstep for MergedLockstep {
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
        let checked = self.lockstep.check(&self.codes(actions));
        checked.map_err(|illegal| refused(illegal, actions))
    }

    fn step(
        &mut self,
        actions: &[i32],
        anew: bool,
        views: &mut Views<'_>,
    ) -> Result<(), IllegalStep> {
        let codes = self.codes(actions);
        let stepped = self.show(views, |lockstep, views| lockstep.step(&codes, anew, views));
        stepped.map_err(|illegal| refused(illegal, actions))
    }

    fn draw(&mut self, actions: &mut [i32]) {
        self.lockstep.draw(actions);
        for action in actions {
            // A position that does not go on has -1, and no word.
            *action = self.merges.actions.place(*action as u32) as i32;
        }
    }

    fn playouts(&self, position: usize, job: &Job, ends: &mut Vec<End>) {
        self.lockstep.playouts(position, job, ends);
    }

    fn copy(&self) -> Box<dyn Lockstep> {
        let MergedLockstep { lockstep, merges, mask, planes } = self;
        let (lockstep, merges) = (lockstep.copy(), Arc::clone(merges));
        Box::new(MergedLockstep { lockstep, merges, mask: mask.clone(), planes: planes.clone() })
    }

    fn save(&self) -> Vec<u64> {
        self.lockstep.save()
    }

    fn resume(&mut self, saved: &[u64], views: &mut Views<'_>) -> bool {
        self.show(views, |lockstep, views| lockstep.resume(saved, views))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_words_are_one_and_empty_ones_none() {
        let mut words = ["a", "", "b", "a"].map(str::to_owned).into();
        let merge = Merge::new(&mut words);
        assert_eq!(words, ["a", "b"]);
        assert_eq!(
            (0..5).map(|text| merge.place(text) as i32).collect::<Vec<_>>(),
            [0, -1, 1, 0, -1]
        );
        let mut rows = [9; 4];
        merge.write_rows(&[0, 1, 1, 0, 0, 1, 0, 1], &mut rows);
        assert_eq!(rows, [0, 1, 1, 0]);
        assert!(!merge.changes_nothing());
        assert!(Merge::new(&mut vec!["a".to_owned(), "b".to_owned()]).changes_nothing());
    }
}
