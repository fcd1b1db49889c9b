//! Patterns that are tested at many places: they are written once, behind the rest.

use super::steps::Writer;
use crate::bytecode::Inst;
use crate::program::{Pattern, Step};

/// Most registers in use where a routine is called, which uses the others.
const ASKING: usize = 6;
/// Most patterns within the pattern of a routine.
const DEEPEST_ASKED: usize = 3;
/// Number of steps from which on a pattern is written as a routine.
const LARGE: usize = 8;

impl<const W: usize> Writer<'_, W> {
    /// The routine of a pattern, if this test calls one.
    pub(super) fn routine(&mut self, pattern: u32) -> Option<u32> {
        if self.kept > ASKING || !self.is_routine(pattern) {
            return None;
        }
        let next = self.routines.len() as u32;
        Some(*self.routines.entry(pattern).or_insert(next))
    }

    /// True if a pattern is written once, for all places at which it is tested.
    fn is_routine(&self, pattern: u32) -> bool {
        let Pattern::Walk { forward, .. } = &self.compiler.patterns[pattern as usize] else {
            return false;
        };
        let nested = if self.shares { DEEPEST_ASKED } else { 0 };
        let is_asked_often = self.shares || self.compiler.forbidden.contains(&pattern);
        is_asked_often
            && !self.is_in_routine
            && self.size_of(forward, nested).is_some_and(|size| size >= LARGE)
    }

    /// Number of steps in all, if they read no number and no kept test, and nest patterns no deeper
    /// than `nested`.
    fn size_of(&self, steps: &[Step<W>], nested: usize) -> Option<usize> {
        let mut size = 0;
        for step in steps {
            size += match step {
                Step::Terms(terms) => terms.len(),
                Step::Rays(rays) => 2 * rays.len(),
                Step::Sum(walks) => {
                    walks.iter().map(|walk| self.size_of(walk, nested)).sum::<Option<_>>()?
                }
                Step::Star(walk) => self.size_of(walk, nested)?,
                Step::Test { pattern, .. } => {
                    let is_kept = self.compiler.asked.contains_key(pattern);
                    match &self.compiler.patterns[*pattern as usize] {
                        Pattern::Walk { forward, .. } if nested > 0 && !is_kept => {
                            self.size_of(forward, nested - 1)?
                        }
                        _ => return None,
                    }
                }
                Step::Compare(_) => return None,
                _ => 1,
            };
        }
        Some(size)
    }

    /// Writes the routines.
    pub(super) fn write_routines(&mut self) -> Option<()> {
        let compiler = self.compiler;
        let mut routines: Vec<(u32, u32)> = self.routines.drain().collect();
        routines.sort_unstable_by_key(|routine| routine.1);
        (self.kept, self.is_in_routine) = (ASKING, true);
        for (pattern, _) in routines {
            let Pattern::Walk { forward, .. } = &compiler.patterns[pattern as usize] else {
                return None;
            };
            let begin = self.begin() as u32;
            self.bytecode.routines.push(begin);
            let yes = self.label();
            self.leads_from_cell(forward, yes)?;
            self.push(Inst::Answer(false));
            self.place(yes);
            self.push(Inst::Answer(true));
            // Routines cannot leave anything to the search.
            let asks = |ins: &Inst| matches!(ins, Inst::IfPattern { .. });
            if self.bytecode.code[begin as usize..].iter().any(asks) {
                return None;
            }
        }
        (self.kept, self.is_in_routine) = (0, false);
        Some(())
    }
}
