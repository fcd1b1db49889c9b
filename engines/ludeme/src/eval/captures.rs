//! Captures by surrounding, enclosing and intervening.

use super::Eval;
use super::visitors::MoveVisitor;
use crate::buffer::Buffer;
use crate::ir::{AxesId, Bool, ByPiece, Custodial, Iter, JumpId, Moves, RayId};
use crate::set::Set;

impl Eval<'_> {
    #[allow(clippy::too_many_arguments)] // each is a part of the ludeme
    pub(super) fn surround(
        &mut self,
        jumps: JumpId,
        from: i32,
        (target, friend): (&Bool, &Bool),
        except: i32,
        with: Option<i32>,
        effect: &Moves,
        out: &mut dyn MoveVisitor,
    ) -> bool {
        let Ok(from) = usize::try_from(from) else { return false };
        let old = [Iter::Between, Iter::To].map(|i| self.get(i));
        let game = self.game;
        let stopped = game.jump(jumps).of(from).iter().any(|&victim| {
            self.set(Iter::Between, i32::from(victim));
            if !self.test(target) {
                return false;
            }
            let mut free = 0;
            let mut has_with = false;
            for &near in game.jump(jumps).of(usize::from(victim)) {
                let what = self.state.what(usize::from(near)) as i32;
                has_with |= with.is_none_or(|w| w == what);
                self.set(Iter::To, i32::from(near));
                if usize::from(near) != from && !self.test(friend) {
                    free += 1;
                }
            }
            free <= except && has_with && self.generate(effect, out)
        });
        self.set(Iter::Between, old[0]);
        self.set(Iter::To, old[1]);
        stopped
    }

    pub(super) fn enclose(
        &mut self,
        (jumps, ring): (JumpId, Option<(RayId, RayId)>),
        from: i32,
        target: &Bool,
        exceptions: i32,
        effect: &Moves,
        out: &mut dyn MoveVisitor,
    ) -> bool {
        let Some(from) = usize::try_from(from).ok().filter(|&f| self.game.board.contains(f)) else {
            return false;
        };
        if self.state.what(from) == 0 {
            return false;
        }
        let old = self.get(Iter::Between);
        let game = self.game;
        let mut seen = Set::EMPTY;
        let mut stopped = false;
        for &start in game.jump(jumps).of(from) {
            let is_target = |eval: &mut Self, site: u16| {
                eval.set(Iter::Between, i32::from(site));
                eval.test(target)
            };
            let empty = |eval: &Self, site: u16| eval.state.is_empty(usize::from(site));
            if stopped || seen.contains(usize::from(start)) {
                continue;
            }
            let mut spare = exceptions;
            if !is_target(self, start) {
                if spare < 1 || !empty(self, start) {
                    continue;
                }
                spare -= 1;
            }
            let mut group = Buffer::one(start);
            let mut joined = Set::single(usize::from(start));
            let mut free = false;
            let mut at = 0;
            while at < group.len() {
                for &near in game.jump(jumps).of(usize::from(group[at])) {
                    if joined.contains(usize::from(near)) {
                        continue;
                    }
                    let joins = if is_target(self, near) {
                        true
                    } else if empty(self, near) {
                        spare -= 1;
                        free |= spare < 0;
                        spare >= 0
                    } else {
                        false
                    };
                    if joins {
                        joined.insert(usize::from(near));
                        group.push(near);
                    }
                }
                at += 1;
            }
            seen |= &joined;
            let is_captured =
                |eval: &Self| ring.is_none_or(|ring| eval.are_together(ring, &group, &joined));
            stopped = !free
                && is_captured(self)
                && group.into_iter().any(|site| {
                    self.set(Iter::Between, i32::from(site));
                    self.generate(effect, out)
                });
        }
        self.set(Iter::Between, old);
        stopped
    }

    /// True if the neighbours of a group can be gone through from the first one on, each time to
    /// the first neighbour that has not been there.
    fn are_together(&self, (around, steps): (RayId, RayId), group: &[u16], joined: &Set) -> bool {
        // The neighbours of a site clockwise: the first sites of its paths.
        let near = |rays: RayId, site: usize| {
            self.game.ray(rays).of(site).filter_map(|ray| ray.first()).map(|&s| usize::from(s))
        };
        let mut left = Set::EMPTY;
        let mut first = None;
        for site in group.iter().flat_map(|&site| near(around, usize::from(site))) {
            if !joined.contains(site) {
                left.insert(site);
                first.get_or_insert(site);
            }
        }
        let Some(mut at) = first else { return false };
        while left.len() > 1 {
            left.remove(at);
            match near(steps, at).find(|&next| left.contains(next)) {
                Some(next) => at = next,
                None => return false,
            }
        }
        true
    }

    pub(super) fn intervene(
        &mut self,
        axes: AxesId,
        from: usize,
        range: (i32, i32),
        target: &Bool,
        effect: &Moves,
        out: &mut dyn MoveVisitor,
    ) -> bool {
        let old = self.get(Iter::To);
        let game = self.game;
        let (min, max) = (range.0.max(1) as usize, range.1.max(0) as usize);
        let mut stopped = false;
        for (ray, opposite) in game.axis(axes).0.get(from).map_or(&[][..], Vec::as_slice) {
            let Some(opposite) = opposite else { continue };
            let run = |eval: &mut Self, ray: &[u16]| {
                ray.iter()
                    .take(max)
                    .take_while(|&&site| {
                        eval.set(Iter::To, i32::from(site));
                        eval.test(target)
                    })
                    .count()
            };
            let (own, other) = (run(self, ray), run(self, opposite));
            if stopped || own < min || other < min {
                continue;
            }
            stopped = opposite[..other].iter().chain(&ray[..own]).any(|&site| {
                self.set(Iter::To, i32::from(site));
                self.generate(effect, out)
            });
        }
        self.set(Iter::To, old);
        stopped
    }

    pub(super) fn directional(
        &mut self,
        rays: &ByPiece<RayId>,
        from: usize,
        target: &Bool,
        effect: &Moves,
        out: &mut dyn MoveVisitor,
    ) -> bool {
        let Some(table) = rays.of(self.state.what(from)) else { return false };
        let old = [Iter::From, Iter::To].map(|i| self.get(i));
        let game = self.game;
        self.set(Iter::From, -1);
        let mut stopped = false;
        for ray in game.ray(table).of(from) {
            for &site in ray {
                self.set(Iter::To, i32::from(site));
                if stopped || !self.test(target) {
                    break;
                }
                stopped = self.generate(effect, out);
            }
        }
        self.set(Iter::From, old[0]);
        self.set(Iter::To, old[1]);
        stopped
    }

    pub(super) fn custodial(&mut self, custodial: &Custodial, out: &mut dyn MoveVisitor) -> bool {
        let Some(from) = self.site(&custodial.from) else { return false };
        let (min, max) = (self.int(&custodial.range.0), self.int(&custodial.range.1));
        let (min, max) = (min.max(0) as usize, max.max(0) as usize);
        let old = (self.get(Iter::Between), self.get(Iter::To));
        let game = self.game;
        let target = Some(&custodial.target);
        let mut stopped = false;
        for ray in game.ray(custodial.rays).of(from) {
            let near = ray.iter().take(max);
            let run = near.take_while(|&&s| self.holds_on(target, Iter::Between, s)).count();
            if run == 0 || run < min {
                continue;
            }
            let end = ray.get(run).map_or(-1, |&s| i32::from(s));
            if max == 1 && end < 0 {
                continue;
            }
            self.set(Iter::To, end);
            if !self.test(&custodial.friend) {
                continue;
            }
            for &site in &ray[..run] {
                self.set(Iter::Between, i32::from(site));
                stopped = self.generate(&custodial.effect, out);
                if stopped {
                    break;
                }
            }
            if stopped {
                break;
            }
        }
        self.set(Iter::Between, old.0);
        self.set(Iter::To, old.1);
        stopped
    }
}
