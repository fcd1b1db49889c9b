//! Moves of generators inside others: for each level, direction or group; in pairs, all as one, one
//! after another, over and over.

use super::Eval;
use super::adapters::Counting;
use super::visitors::MoveVisitor;
use crate::buffer::Buffer;
use crate::ir::{Bool, EachDirection, Int, Iter, JumpId, Moves, TrackChoice};
use crate::limits::{MAX_MOVES, MAX_WHILE_ROUNDS};
use crate::moves::{Act, Move};

impl Eval<'_> {
    /// The moves for each level of a stack.
    pub(super) fn for_each_level(
        &mut self,
        at: &Int,
        from_top: bool,
        moves: &Moves,
        out: &mut dyn MoveVisitor,
    ) -> bool {
        let Some(site) = self.site(at) else { return false };
        let height = self.state.height(site);
        (0..height).any(|level| {
            let level = if from_top { height - 1 - level } else { level };
            // The level stays bound, as specified.
            self.set(Iter::Level, level as i32);
            self.generate(moves, out)
        })
    }

    /// The moves for each site along straight paths.
    pub(super) fn for_each_direction(
        &mut self,
        each: &EachDirection,
        out: &mut dyn MoveVisitor,
    ) -> bool {
        let EachDirection { from, rays, facings, range, between, condition, moves } = each;
        let (min, max) = (self.int(&range.0), self.int(&range.1));
        let origin = usize::try_from(self.get(Iter::From)).ok();
        let what = origin.map_or(0, |o| self.state.what(o));
        let Some(start) = self.site(from) else { return false };
        let to = usize::try_from(self.get(Iter::To)).ok();
        let looks = |near: &JumpId| {
            origin.zip(to).is_some_and(|(from, to)| self.game.jump(*near).leads(from, to))
        };
        let facing = facings.iter().find(|(near, _)| looks(near)).map(|(_, rays)| rays);
        let rays = facing.unwrap_or(rays);
        let Some(table) = rays.of(what).filter(|_| what != 0) else { return false };
        let old = [Iter::To, Iter::Between].map(|i| self.get(i));
        let game = self.game;
        let mut stopped = false;
        'rays: for ray in game.ray(table).of(start) {
            for (i, &to) in ray.iter().enumerate() {
                let distance = i as i32 + 1;
                if distance > max {
                    break;
                }
                if distance < min {
                    self.set(Iter::Between, i32::from(to));
                    if !between.as_ref().is_none_or(|b| self.test(b)) {
                        break;
                    }
                }
                self.set(Iter::To, i32::from(to));
                if !condition.as_ref().is_none_or(|c| self.test(c)) {
                    break;
                }
                stopped = distance >= min && self.generate(moves, out);
                if stopped {
                    break 'rays;
                }
            }
        }
        self.set(Iter::To, old[0]);
        self.set(Iter::Between, old[1]);
        stopped
    }

    /// The moves for each group of sites.
    pub(super) fn for_each_group(
        &mut self,
        jumps: JumpId,
        condition: Option<&Bool>,
        moves: &Moves,
        out: &mut dyn MoveVisitor,
    ) -> bool {
        let old = [Iter::From, Iter::To].map(|i| self.get(i));
        let outer = self.iterated.clone();
        let groups = self.groups(jumps, condition);
        let stopped = groups.iter().any(|(seed, group)| {
            self.iterated = group.clone();
            self.set(Iter::From, seed as i32);
            self.generate(moves, out)
        });
        self.iterated = outer;
        self.set(Iter::From, old[0]);
        self.set(Iter::To, old[1]);
        stopped
    }

    /// Each move of one generator with each of another, as one.
    pub(super) fn combinations(&mut self, a: &Moves, b: &Moves, out: &mut dyn MoveVisitor) -> bool {
        let (first, second) = (self.all_made(a), self.all_made(b));
        let pairs = first.iter().flat_map(|a| second.iter().map(move |b| (a, b)));
        for (a, b) in pairs.take(MAX_MOVES) {
            let mut made = a.clone();
            made.acts.extend(made.then.drain(..).map(Act::Then));
            made.acts.extend_from_slice(&b.acts);
            made.acts.extend(b.then.iter().map(|&t| Act::Then(t)));
            if out.take_move(self, made) {
                return true;
            }
        }
        false
    }

    /// All moves as one.
    pub(super) fn all_as_one(&mut self, moves: &Moves, out: &mut dyn MoveVisitor) -> bool {
        let mut all = self.all_made(moves).into_iter();
        let Some(mut made) = all.next() else { return false };
        made.acts.extend(made.then.drain(..).map(Act::Then));
        for more in all {
            made.acts.extend_from_slice(&more.acts);
            made.acts.extend(more.then.iter().map(|&effect| Act::Then(effect)));
        }
        out.take_move(self, made)
    }

    /// The moves of each part after those of the one before.
    pub(super) fn one_after_another(&mut self, list: &[Moves], out: &mut dyn MoveVisitor) -> bool {
        let mut after = self.trial();
        for moves in list {
            let found = self.within(&after).all_made(moves);
            for made in found {
                let acts = self.acts_of_part(&mut after, &made);
                if out.take_move(self, Move { acts, then: Buffer::new(), ..made }) {
                    return true;
                }
            }
        }
        false
    }

    /// The moves of a generator again and again as long as a condition holds.
    pub(super) fn over_and_over(
        &mut self,
        condition: &Bool,
        moves: &Moves,
        out: &mut dyn MoveVisitor,
    ) -> bool {
        let mut after = self.trial();
        for _ in 0..MAX_WHILE_ROUNDS {
            let mut eval = self.within(&after);
            if !eval.test(condition) {
                break;
            }
            let found = eval.all_made(moves);
            if found.is_empty() {
                break;
            }
            for made in found {
                self.try_part(&mut after, &made);
                if out.take_move(self, made) {
                    return true;
                }
            }
        }
        false
    }

    /// The moves from the first site of a track that has any.
    pub(super) fn first_on_track_with_moves(
        &mut self,
        tracks: &TrackChoice,
        moves: &Moves,
        out: &mut dyn MoveVisitor,
    ) -> bool {
        let game = self.game;
        let Some(track) = self.track(tracks).and_then(|t| game.world.tracks.get(t)) else {
            return false;
        };
        let old = self.get(Iter::Site);
        let mut counting = Counting::of_legal(out);
        track.sites.iter().any(|&site| {
            self.set(Iter::Site, site);
            self.generate(moves, &mut counting) || counting.any
        });
        self.set(Iter::Site, old);
        counting.stopped
    }
}
