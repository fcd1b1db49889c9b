//! Boards of nine points, on which stones step along lines.

use crate::bits::Bits;
use crate::rules::draw;
use crate::select::Select;
use cpu::Cpu;

/// Sets of points.
pub(crate) const SETS: usize = 512;

/// The steps along up to 16 lines between nine points, each way one, numbered below 32. What can be
/// done is then one word: the steps that begin on a stone and those that end on an empty point,
/// looked up by the sets of either.
pub(crate) struct Steps {
    from: [u32; SETS],
    to: [u32; SETS],
    /// The points of each step.
    ends: [(u8, u8); 32],
}

impl Steps {
    /// The steps along these lines: line `i` forth is step `i`, back it is `lines.len() + i`.
    pub(crate) const fn new(lines: &[(u8, u8)]) -> Steps {
        assert!(lines.len() <= 16);
        let mut steps = Steps { from: [0; SETS], to: [0; SETS], ends: [(0, 0); 32] };
        let mut i = 0;
        while i < 2 * lines.len() {
            let (a, b) = lines[i % lines.len()];
            let (from, to) = if i < lines.len() { (a, b) } else { (b, a) };
            steps.ends[i] = (from, to);
            let mut set = 0;
            while set < SETS {
                steps.from[set] |= ((set >> from & 1) as u32) << i;
                steps.to[set] |= ((set >> to & 1) as u32) << i;
                set += 1;
            }
            i += 1;
        }
        steps
    }

    /// The steps from points of one set to points of another.
    #[inline(always)]
    pub(crate) fn between(&self, from: Bits<1>, to: Bits<1>) -> Bits<1> {
        Bits::from_words([u64::from(self.from[number(from)] & self.to[number(to)])])
    }

    /// The points at which a step begins and ends.
    pub(crate) fn ends(&self, step: u32) -> (u32, u32) {
        let (from, to) = self.ends[step as usize % 32];
        (from.into(), to.into())
    }

    /// The two points of a step.
    #[inline(always)]
    pub(crate) fn points(&self, step: u32) -> Bits<1> {
        let (from, to) = self.ends(step);
        Bits::from_words([1 << (from % 64) | 1 << (to % 64)])
    }

    /// Makes a random step of some.
    #[inline(always)]
    pub(crate) fn random<C: Cpu>(
        &self,
        cpu: C,
        rng: &mut play::Rng,
        legal: Bits<1>,
        stones: &mut Bits<1>,
    ) {
        *stones ^= self.points(legal.select(cpu, draw(rng, legal.len())));
    }
}

/// A set of points as an index.
#[inline(always)]
pub(crate) const fn number(set: Bits<1>) -> usize {
    set.words[0] as usize % SETS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_lead_both_ways_along_their_lines() {
        const STEPS: Steps = Steps::new(&[(0, 1), (1, 8)]);
        let set = |points: &[u32]| points.iter().fold(Bits::EMPTY, |set, &p| set | Bits::single(p));
        let ends = |from: &[u32], to: &[u32]| -> Vec<(u32, u32)> {
            STEPS.between(set(from), set(to)).iter().map(|step| STEPS.ends(step)).collect()
        };
        assert_eq!(ends(&[0, 8], &[1, 2]), [(0, 1), (8, 1)]);
        assert_eq!(ends(&[1], &[0, 2, 8]), [(1, 8), (1, 0)]);
        assert_eq!(ends(&[0, 8], &[0, 8]), []);
        assert_eq!(STEPS.points(1), set(&[1, 8]));
    }
}
