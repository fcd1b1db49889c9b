//! Patterns of pieces along walks.

use super::Eval;
use crate::buffer::Buffer;
use crate::ir::Pattern;
use crate::set::Set;

impl Eval<'_> {
    /// True if a pattern of pieces starts at a site: that holds the first component, and some walk
    /// from there comes by the others in turn.
    pub(super) fn is_pattern(&mut self, pattern: &Pattern) -> bool {
        !self.pattern_sites(pattern).is_empty()
    }

    /// The sites of all walks along which a pattern is found that starts at a site.
    pub(super) fn pattern_sites(&mut self, pattern: &Pattern) -> Set {
        let Some(from) = self.site(&pattern.from) else { return Set::EMPTY };
        let here = self.state.what(from) as i32;
        let mut whats: Buffer<i32> = pattern.whats.iter().map(|what| self.int(what)).collect();
        if whats.is_empty() && here != 0 {
            whats.push(here);
        }
        if whats.first() != Some(&here) {
            return Set::EMPTY;
        }
        let holds = |(i, &site): (usize, &u16)| {
            self.state.what(usize::from(site)) as i32 == whats[(i + 1) % whats.len()]
        };
        let walks = self.game.ray(pattern.paths).of(from);
        let found = walks.filter(|walk| walk.iter().enumerate().all(holds));
        let mut sites = Set::EMPTY;
        for walk in found {
            sites.insert(from);
            walk.iter().for_each(|&site| sites.insert(usize::from(site)));
        }
        sites
    }
}
