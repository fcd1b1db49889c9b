//! Hashes of positions and situations.

use super::State;

impl State {
    /// Hash of the position: of everything on the sites, the variable without a name, and the
    /// colours of the players. Equal positions have equal hashes; different positions have them by
    /// rare chance only.
    pub(crate) fn position_hash(&self) -> u64 {
        use std::hash::{Hash, Hasher};
        let mut hasher = rustc_hash::FxHasher::default();
        if self.stacking() {
            for site in 0..self.at.sites {
                self.cells[self.at.height + site].hash(&mut hasher);
                self.stack(site).for_each(|level| level.hash(&mut hasher));
            }
        } else {
            hash_of(&self.cells[..self.at.scores]).hash(&mut hasher);
        }
        self.vars().first().hash(&mut hasher);
        self.head.record.seats.hash(&mut hasher);
        hasher.finish()
    }

    /// Hash of the position and of everything about turns.
    pub(crate) fn situation_hash(&self, scored: bool) -> u64 {
        use std::hash::{Hash, Hasher};
        let mut hasher = rustc_hash::FxHasher::default();
        let head = &self.head;
        let turns = head.turns;
        self.position_hash().hash(&mut hasher);
        (turns.mover, turns.next, turns.prev, head.active).hash(&mut hasher);
        (head.triggered, head.stalemated, head.moves_this_turn).hash(&mut hasher);
        head.pending_number.hash(&mut hasher);
        self.bits[self.lists.pending * self.at.words..][..self.at.words].hash(&mut hasher);
        if scored {
            self.scores().hash(&mut hasher);
        }
        let passes = self.history.iter().rev().take_while(|&&h| h & 1 != 0).count();
        passes.hash(&mut hasher);
        hasher.finish()
    }
}

/// Hash of several numbers, four at a time, by folded products of 128 bits (Wang Yi, wyhash).
fn hash_of(numbers: &[i32]) -> u64 {
    let fold = |hash: u64, [a, b, c, d]: [i32; 4]| {
        let word = |low: i32, high: i32| u64::from(low as u32) | u64::from(high as u32) << 32;
        let product = u128::from(word(a, b) ^ 0xa076_1d64_78bd_642f)
            * u128::from(word(c, d) ^ 0xe703_7ed1_a0b4_28db ^ hash);
        product as u64 ^ (product >> 64) as u64
    };
    let (fours, rest) = numbers.as_chunks::<4>();
    let hash = fours.iter().fold(0, |hash, &four| fold(hash, four));
    rest.iter().fold(hash, |hash, &number| fold(hash, [number, 0, 0, 1]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_other_places_have_other_hashes() {
        // Lengths as in games.
        for length in 1..12 {
            let mut seen = std::collections::BTreeSet::from([hash_of(&vec![0; length])]);
            for place in 0..length {
                for value in [1, 2, -1] {
                    let mut numbers = vec![0; length];
                    numbers[place] = value;
                    assert!(seen.insert(hash_of(&numbers)), "{value} at {place} of {length}");
                }
            }
        }
    }
}
