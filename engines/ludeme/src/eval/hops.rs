//! Hops over other pieces.

use super::Eval;
use super::visitors::MoveVisitor;
use crate::buffer::Buffer;
use crate::ir::{Hop, Iter};
use crate::moves::{Act, Move};

/// The site that a step over nothing passes over.
const NO_SITE: u16 = u16::MAX;

impl Eval<'_> {
    pub(super) fn hop(&mut self, hop: &Hop, out: &mut dyn MoveVisitor) -> bool {
        let Some(from) = self.site(&hop.from) else { return false };
        let what = self.state.what(from);
        let old = [Iter::From, Iter::To, Iter::Between].map(|i| self.get(i));
        self.set(Iter::From, from as i32);
        let (before, after) = (self.int(&hop.before), self.int(&hop.after));
        let (min, max) = (self.int(&hop.range.0), self.int(&hop.range.1));
        let mut stopped = false;
        if hop.from_condition.as_ref().is_none_or(|c| self.test(c)) {
            if min == 0
                && let Some(table) = hop.jumps.of(what)
            {
                let game = self.game;
                stopped = game.jump(table).of(from).iter().any(|&to| {
                    self.set(Iter::Between, -1);
                    self.holds_on(Some(&hop.go), Iter::To, to)
                        && self.give_hop(hop, from, to, &[], &[NO_SITE], out)
                });
            }
            if max > 0
                && let Some(table) = hop.rays.of(what)
            {
                let rays = self.game.ray(table);
                let along = |ray| self.hop_along(hop, from, rays.path(ray), (before, after), out);
                stopped = stopped || rays.numbers(from).any(along);
            }
        }
        for (iter, value) in [Iter::From, Iter::To, Iter::Between].into_iter().zip(old) {
            self.set(iter, value);
        }
        stopped
    }

    fn hop_along(
        &mut self,
        hop: &Hop,
        from: usize,
        ray: &[u16],
        (before, after): (i32, i32),
        out: &mut dyn MoveVisitor,
    ) -> bool {
        let min = self.int(&hop.range.0).max(1) as usize;
        let max = self.int(&hop.range.1).max(0) as usize;
        let hurdle = |eval: &mut Self, site| eval.holds_on(Some(&hop.hurdle), Iter::Between, site);
        let goes = |eval: &mut Self, site| eval.holds_on(Some(&hop.go), Iter::To, site);
        for i in 0..ray.len() {
            if !hurdle(self, ray[i]) {
                if i as i32 + 1 > before || !goes(self, ray[i]) {
                    return false;
                }
                continue;
            }
            let mut length = 1;
            while length < max && i + length < ray.len() && hurdle(self, ray[i + length]) {
                length += 1;
            }
            if length < min {
                return false;
            }
            let hurdles = &ray[i..i + length];
            for over in min..=length {
                let landings = ray.iter().enumerate().skip(i + over);
                for (_, &to) in landings.take(after.max(0) as usize + 1) {
                    let capture = hop.apply.as_ref().and_then(|a| a.condition.as_ref());
                    if !goes(self, to) {
                        if capture.is_some_and(|c| self.test(c))
                            && self.give_hop(hop, from, to, hurdles, &[], out)
                        {
                            return true;
                        }
                        break;
                    }
                    if capture.is_none()
                        && self.give_hop(hop, from, to, hurdles, &hurdles[..over], out)
                    {
                        return true;
                    }
                }
            }
            return false;
        }
        false
    }

    /// Hands a hop to the visitor that code found: number of its path, place of the first piece
    /// jumped over, how many there are, and on how many there is an effect.
    pub(crate) fn take_hop(
        &mut self,
        hop: &Hop,
        (from, to): (usize, u16),
        [path, first, length, over]: [i32; 4],
        out: &mut dyn MoveVisitor,
    ) -> bool {
        if !out.wants_acts() {
            return self.give_hop(hop, from, to, &[], &[], out);
        }
        let Ok(path) = usize::try_from(path) else {
            return self.give_hop(hop, from, to, &[], &[NO_SITE], out);
        };
        let Some(table) = hop.rays.of(self.state.what(from)) else { return false };
        let game = self.game;
        let hurdles = game.ray(table).path(path).get(first as usize..(first + length) as usize);
        let hurdles = hurdles.unwrap_or_default();
        self.give_hop(hop, from, to, hurdles, &hurdles[..(over as usize).min(hurdles.len())], out)
    }

    /// Hands a hop to the visitor: `hurdles` are what it passes over, with an effect on those of
    /// `over`.
    fn give_hop(
        &mut self,
        hop: &Hop,
        from: usize,
        to: u16,
        hurdles: &[u16],
        over: &[u16],
        out: &mut dyn MoveVisitor,
    ) -> bool {
        let mut made =
            Move { leaf: hop.id, ..Move::new(from as i32, i32::from(to), Buffer::new()) };
        if out.wants_acts() {
            let from = from as u16;
            made.acts.push(if hop.stack {
                Act::MoveStack { from, to }
            } else {
                Act::MoveTop { from, to, keep: false }
            });
            self.prepend(hop.apply.as_ref(), &mut made.acts);
            for &hurdle in over {
                self.set(Iter::Between, i32::from(hurdle as i16));
                self.prepend(hop.hurdle_apply.as_ref(), &mut made.acts);
            }
            made.between.extend_from_slice(hurdles);
        }
        out.take_move(self, made)
    }
}
