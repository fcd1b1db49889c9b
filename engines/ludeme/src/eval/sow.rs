//! Sowing along tracks.

use super::Eval;
use super::visitors::MoveVisitor;
use crate::buffer::Buffer;
use crate::ir::{Iter, Sow};
use crate::limits::{MAX_SKIPPED, MAX_SOWN};
use crate::moves::Act;
use crate::moves::Move;
use crate::world::Track;

impl Track {
    /// The index after another, round a loop; none at the end of an open track.
    fn after(&self, index: usize) -> Option<usize> {
        match index + 1 {
            next if next < self.sites.len() => Some(next),
            _ if self.looped => Some(0),
            _ => None,
        }
    }

    fn before(&self, index: usize) -> Option<usize> {
        match index {
            0 if self.looped => Some(self.sites.len() - 1),
            0 => None,
            _ => Some(index - 1),
        }
    }
}

impl Eval<'_> {
    /// The one move that a `sow` makes.
    pub(super) fn sow(&mut self, sow: &Sow, out: &mut dyn MoveVisitor) -> bool {
        let owner = match &sow.owner {
            Some(owner) => self.int(owner),
            None => 0,
        };
        let track = usize::try_from(owner).ok().and_then(|o| sow.tracks.get(o)).copied().flatten();
        let game = self.game;
        let Some(track) = track.and_then(|t| game.world.tracks.get(t)) else { return false };
        let start = self.int(&sow.start);
        let Some(first) = track.place(start) else { return false };
        let Ok(home) = u16::try_from(start) else { return false };
        if !out.wants_acts() {
            return out.take_move(self, Move::new(0, 0, Buffer::new()));
        }
        let count = match &sow.count {
            Some(count) => self.int(count),
            None => self.state.count(usize::from(home)),
        };
        let count = count.min(MAX_SOWN);
        let bound = [Iter::From, Iter::To, Iter::Value].map(|i| self.get(i));
        let mut acts = Buffer::new();
        let mut sown = 0;
        self.set(Iter::From, start);
        if self.test(&sow.origin) {
            self.set(Iter::To, start);
            self.sow_effect(sow, &mut acts);
            let here = self.int(&sow.per_hole).max(1).min(count);
            (0..here).for_each(|_| acts.push(Act::Seed { from: home, to: home }));
            sown += here;
        }
        let mut index = first;
        let mut number = 0;
        let mut skipped = 0;
        let with_self = self.test(&sow.include_self);
        while sown < count {
            self.set(Iter::Value, count - number);
            let Some(mut next) = track.after(index) else { break };
            self.set(Iter::To, track.sites[next]);
            if sow.skip.as_ref().is_some_and(|s| self.test(s)) {
                skipped += 1;
                if skipped > MAX_SKIPPED {
                    break;
                }
                index = next;
                continue;
            }
            skipped = 0;
            if !with_self && track.sites[next] == start {
                let Some(over) = track.after(next) else { break };
                next = over;
            }
            self.sow_effect(sow, &mut acts);
            let Ok(to) = u16::try_from(track.sites[next]) else { break };
            let here = self.int(&sow.per_hole).max(1).min(count - sown);
            (0..here).for_each(|_| acts.push(Act::Seed { from: home, to }));
            sown += here;
            index = next;
            number += 1;
        }
        let mut made = Move::new(0, 0, acts);
        if sow.apply.is_some() {
            self.gather(sow, track, index, start, &mut made);
        }
        for (iter, value) in [Iter::From, Iter::To, Iter::Value].into_iter().zip(bound) {
            self.set(iter, value);
        }
        out.take_move(self, made)
    }

    fn sow_effect(&mut self, sow: &Sow, acts: &mut Buffer<Act>) {
        if let Some(effect) = &sow.each {
            self.effects(effect, acts);
        }
    }

    /// The captures after sowing. All of it is looked for on the board right after sowing.
    fn gather(&mut self, sow: &Sow, track: &Track, last: usize, start: i32, made: &mut Move) {
        let Some(apply) = &sow.apply else { return };
        let mut after = self.trial();
        self.try_part(&mut after, made);
        let mut eval = self.within(&after);
        eval.turns = self.turns;
        eval.set(Iter::From, start);
        let mut index = last;
        for _ in 0..track.sites.len() {
            if !eval.test(&sow.condition) {
                break;
            }
            for effect in eval.all_made(apply) {
                made.acts.extend_from_slice(&eval.flattened(&effect));
            }
            let (onward, next) = match (&sow.backtracking, &sow.forward) {
                (Some(condition), _) => (condition, track.before(index)),
                (None, Some(condition)) => (condition, track.after(index)),
                _ => break,
            };
            if !eval.test(onward) {
                break;
            }
            let Some(next) = next else { break };
            index = next;
            eval.set(Iter::To, track.sites[index]);
            if !eval.test(onward) || (sow.backtracking.is_some() && track.sites[index] == start) {
                break;
            }
        }
    }
}
