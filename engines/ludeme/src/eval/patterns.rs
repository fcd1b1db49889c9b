//! Patterns of pieces along walks.

use super::Eval;
use crate::ir::Pattern;

impl<const W: usize> Eval<'_, W> {
    /// Whether a pattern of pieces starts at a site: that holds the first component, and some walk from
    /// there comes by the others in turn.
    pub(super) fn is_pattern(&mut self, pattern: &Pattern) -> bool {
        let Some(from) = self.site(&pattern.from) else { return false };
        let here = self.state.what(from) as i32;
        let mut whats: Vec<i32> = pattern.whats.iter().map(|what| self.int(what)).collect();
        if whats.is_empty() && here != 0 {
            whats.push(here);
        }
        if whats.first() != Some(&here) {
            return false;
        }
        let holds = |(i, &site): (usize, &u16)| {
            self.state.what(usize::from(site)) as i32 == whats[(i + 1) % whats.len()]
        };
        let mut walks = self.game.ray(pattern.paths).of(from);
        walks.any(|walk| walk.iter().enumerate().all(holds))
    }
}
