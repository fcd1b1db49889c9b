//! Pieces in line where they stand in stacks: over whole stacks, or level by level, upright and
//! aslant.

use super::Eval;
use super::lines::Counted;
use crate::buffer::Buffer;
use crate::ir::{Iter, StackLine};

/// A step along a line: the sites on it, and the level that counts on each.
type Step = (usize, i32);

impl Eval<'_> {
    /// Tests for a line in a game of stacks.
    pub(super) fn is_stack_line(&mut self, line: &StackLine) -> bool {
        let length = self.int(&line.length);
        let Some(pivot) = self.site(&line.through) else { return false };
        if pivot >= self.game.world.topology.sites() {
            return false;
        }
        if length == 1 {
            return true;
        }
        let counted = match &line.what {
            Some(what) => self.counted(what),
            None => Counted::Components(Buffer::one(self.state.what(pivot))),
        };
        if self.test(&line.by_level) {
            return self.line_by_level(line, pivot, &counted, length);
        }
        let top = self.test(&line.top);
        self.shows(pivot, top, &counted) && self.line_of_stacks(line, pivot, top, &counted, length)
    }

    /// True if a stack has a piece that counts, at its top or anywhere.
    fn shows(&self, site: usize, top: bool, counted: &Counted) -> bool {
        let height = self.state.height(site);
        let lowest = if top { height.saturating_sub(1) } else { 0 };
        height == 0 && self.is_counted(0, counted)
            || (lowest..height).any(|l| self.is_counted(self.state.what_at(site, l), counted))
    }

    fn line_of_stacks(
        &mut self,
        line: &StackLine,
        pivot: usize,
        top: bool,
        counted: &Counted,
        length: i32,
    ) -> bool {
        let game = self.game;
        for (ray, opposite) in &game.axis(line.axes).0[pivot] {
            let mut count = 1;
            for path in [Some(ray), opposite.as_ref()].into_iter().flatten() {
                for &site in path {
                    self.set(Iter::To, i32::from(site));
                    if !self.shows(usize::from(site), top, counted)
                        || !line.condition.as_ref().is_none_or(|c| self.test(c))
                    {
                        break;
                    }
                    count += 1;
                    if count == length && !line.exact {
                        return true;
                    }
                }
            }
            if count == length {
                return true;
            }
        }
        false
    }

    fn line_by_level(
        &mut self,
        line: &StackLine,
        pivot: usize,
        counted: &Counted,
        length: i32,
    ) -> bool {
        let height = self.state.height(pivot) as i32;
        let level = height - 1;
        if height >= length {
            let below = (0..level)
                .rev()
                .take_while(|&l| self.is_counted(self.state.what_at(pivot, l as usize), counted));
            let count = 1 + below.count() as i32;
            if count == length || count > length && !line.exact {
                return true;
            }
        }
        let game = self.game;
        for slope in [0, -1, 1] {
            for (ray, opposite) in &game.axis(line.axes).0[pivot] {
                let first = std::iter::once((pivot, level)).chain(along(ray, level, slope));
                let mut count = 0;
                if self.run(line, first, counted, length, &mut count) {
                    return true;
                }
                if let Some(opposite) = opposite
                    && let rest = along(opposite, level, -slope)
                    && self.run(line, rest, counted, length, &mut count)
                {
                    return true;
                }
                if count == length {
                    return true;
                }
            }
        }
        false
    }

    /// Counts along a row of levels; whether that makes a line that need not be exact.
    fn run(
        &mut self,
        line: &StackLine,
        steps: impl Iterator<Item = Step>,
        counted: &Counted,
        length: i32,
        count: &mut i32,
    ) -> bool {
        for (site, level) in steps {
            self.set(Iter::To, site as i32);
            let there = usize::try_from(level).ok().filter(|&l| l < self.state.height(site));
            let fits = there.is_some_and(|l| self.is_counted(self.state.what_at(site, l), counted))
                && line.condition.as_ref().is_none_or(|c| self.test(c));
            if !fits {
                return false;
            }
            *count += 1;
            if *count == length && !line.exact {
                return true;
            }
        }
        false
    }
}

/// The sites of a path, each with a level that goes up by so much from site to site.
fn along(path: &[u16], level: i32, slope: i32) -> impl Iterator<Item = Step> + '_ {
    let sites = path.iter().map(|&site| usize::from(site));
    sites.zip(1..).map(move |(site, i)| (site, level + slope * i))
}
