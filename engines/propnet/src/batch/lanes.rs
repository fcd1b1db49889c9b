//! The number of playouts side by side.

use crate::plain_evaluator::PlainEvaluator;
use crate::vector::{Lanes64, Lanes256, Lanes512, Lanes1024, Vector};
use cpu::{Instructions, Level};

/// Circuits of so many gates at most are evaluated on doubled lanes.
const DOUBLED: usize = 6000;

/// True if the values of a network stay in a near cache on doubled lanes.
pub(crate) fn is_doubled(plain: &PlainEvaluator) -> bool {
    plain.circuit().gates() <= DOUBLED
}

/// The number of playouts that a long job plays side by side, perhaps on doubled lanes.
pub(crate) fn lanes(doubled: bool) -> usize {
    let level = Level::best();
    let doubles = doubled && level.has(Instructions::Avx512);
    if doubles { 64 * Lanes1024::WORDS } else { lanes_of(level) }
}

/// The number of playouts side by side with these instructions, on lanes that are not doubled.
pub(crate) fn lanes_of(level: Level) -> usize {
    let words = if level.has(Instructions::Avx512) {
        Lanes512::WORDS
    } else if level.has(Instructions::Avx2) {
        Lanes256::WORDS
    } else {
        Lanes64::WORDS
    };
    64 * words
}
