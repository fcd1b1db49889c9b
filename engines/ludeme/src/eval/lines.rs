//! Pieces in line.

use super::Eval;
use crate::buffer::Buffer;
use crate::ir::{Bool, Int, Iter, Line, LinePieces};

/// The pieces that count for a line.
pub(super) enum Counted {
    /// Pieces of one owner.
    Owner(usize),
    /// These components.
    Components(Buffer<usize>),
}

impl Eval<'_> {
    /// Tests for a line. It counts from a pivot outwards along each axis, one way and then the
    /// other; a line that is long enough before the second way began counts unless it must be
    /// exact.
    pub(super) fn is_line(&mut self, line: &Line) -> bool {
        let length = self.int(&line.length);
        let pivots = self.pivots(line.through.as_ref());
        let old = self.get(Iter::To);
        let given = line.what.as_ref().map(|what| self.counted(what));
        let mut found = false;
        for pivot in pivots {
            // One pivot that fails makes the whole test fail.
            let Ok(site) = usize::try_from(pivot) else { return false };
            self.set(Iter::To, pivot);
            if !self.holds(line.condition.as_ref()) {
                self.set(Iter::To, old);
                return false;
            }
            if site >= self.game.world.topology.sites() {
                return false;
            }
            let like = Counted::Components(Buffer::one(self.state.what(site)));
            let counted = given.as_ref().unwrap_or(&like);
            if self.counts(site, counted) && self.line_through(line, site, counted, length) {
                found = true;
                break;
            }
        }
        self.set(Iter::To, old);
        found
    }

    pub(super) fn counted(&mut self, what: &LinePieces) -> Counted {
        match what {
            LinePieces::Owner(who) => Counted::Owner(self.site(who).unwrap_or(usize::MAX)),
            LinePieces::Components(list) => {
                Counted::Components(list.iter().filter_map(|c: &Int| self.site(c)).collect())
            }
        }
    }

    fn counts(&self, site: usize, counted: &Counted) -> bool {
        self.is_counted(self.state.what(site), counted)
    }

    /// True if a component counts.
    pub(super) fn is_counted(&self, what: usize, counted: &Counted) -> bool {
        match counted {
            Counted::Owner(owner) => {
                what != 0 && usize::from(self.game.layout.owner[what]) == *owner
            }
            Counted::Components(list) => list.contains(&what),
        }
    }

    fn holds(&mut self, condition: Option<&Bool>) -> bool {
        condition.is_none_or(|c| self.test(c))
    }

    fn line_through(&mut self, line: &Line, pivot: usize, counted: &Counted, length: i32) -> bool {
        let game = self.game;
        for (ray, opposite) in &game.axis(line.axes).0[pivot] {
            let mut count = 1;
            let run = |eval: &mut Self, path: &[u16], count: &mut i32| -> bool {
                for &site in path {
                    eval.set(Iter::To, i32::from(site));
                    let fits = eval.counts(usize::from(site), counted)
                        && eval.holds(line.condition.as_ref());
                    if fits {
                        *count += 1;
                        if *count == length && !line.exact {
                            return true;
                        }
                    } else if line.contiguous {
                        return false;
                    }
                }
                false
            };
            if run(self, ray, &mut count) {
                return true;
            }
            if let Some(opposite) = opposite
                && run(self, opposite, &mut count)
            {
                return true;
            }
            if count == length {
                return true;
            }
        }
        false
    }
}
