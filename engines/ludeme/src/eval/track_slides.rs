//! Slides along tracks, as round the loops of a Surakarta board.

use super::{Eval, MoveVisitor};
use crate::buffer::Buffer;
use crate::ir::{Iter, TrackSlide};
use crate::moves::{Act, Move};

impl Eval<'_> {
    /// The moves of a piece along every track that it stands on, from each of its places there. On
    /// any tracks it must have come round a bend, which is a site that the track has several times
    /// in a row.
    pub(super) fn track_slide(&mut self, slide: &TrackSlide, out: &mut dyn MoveVisitor) -> bool {
        let Some(from) = self.site(&slide.from) else { return false };
        let old = [Iter::From, Iter::To, Iter::Between].map(|i| self.get(i));
        self.set(Iter::From, from as i32);
        let mut stopped = false;
        if slide.from_condition.as_ref().is_none_or(|c| self.test(c)) {
            let (min, max) = match &slide.range {
                None => (-1, 1000),
                Some((min, max)) => (self.int(min), self.int(max)),
            };
            let game = self.game;
            'tracks: for track in slide.tracks.iter().map(|&track| &game.world.tracks[track]) {
                let starts = 0..track.sites.len();
                for start in starts.filter(|&at| track.sites[at] == from as i32) {
                    stopped = self.slide_round(slide, track, (from, start), (min, max), out);
                    if stopped {
                        break 'tracks;
                    }
                }
            }
        }
        for (iter, value) in [Iter::From, Iter::To, Iter::Between].into_iter().zip(old) {
            self.set(iter, value);
        }
        stopped
    }

    fn slide_round(
        &mut self,
        slide: &TrackSlide,
        track: &crate::world::Track,
        (from, start): (usize, usize),
        (min, max): (i32, i32),
        out: &mut dyn MoveVisitor,
    ) -> bool {
        let length = track.sites.len();
        let mut bends = 0;
        for n in 1..length {
            let at = start + n;
            if n as i32 > max || at >= length && !track.looped {
                return false;
            }
            bends += usize::from(track.bends[(at - 1) % length]);
            let Ok(to) = usize::try_from(track.sites[at % length]) else { return false };
            self.set(Iter::To, to as i32);
            if bends > 0 || !slide.any_track {
                let stops = slide.stop.as_ref().is_some_and(|stop| self.test(stop));
                let fits = slide.apply.as_ref().and_then(|a| a.condition.as_ref());
                if stops {
                    return n as i32 >= min && self.give_slide(slide, from, to, true, out);
                }
                if n as i32 >= min
                    && fits.is_none_or(|c| self.test(c))
                    && self.give_slide(slide, from, to, false, out)
                {
                    return true;
                }
            }
            self.set(Iter::Between, to as i32);
            let goes = match &slide.go {
                Some(go) => self.test(go),
                None => self.state.is_empty(to),
            };
            if !goes {
                return false;
            }
        }
        false
    }

    fn give_slide(
        &mut self,
        slide: &TrackSlide,
        from: usize,
        to: usize,
        effect: bool,
        out: &mut dyn MoveVisitor,
    ) -> bool {
        let mut made = Move { leaf: slide.id, ..Move::new(from as i32, to as i32, Buffer::new()) };
        if out.wants_acts() {
            made.acts.push(Act::MoveTop { from: from as u16, to: to as u16, keep: false });
            if effect {
                self.prepend(slide.apply.as_ref(), &mut made.acts);
            }
        }
        out.take_move(self, made)
    }
}
