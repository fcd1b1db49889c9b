//! The number of playouts side by side.

use crate::cpu::{Cpu, Level, Task};
use crate::machine::Machine;
use crate::vector::Vector;

/// Circuits of so many gates at most are evaluated on doubled lanes.
const DOUBLED: usize = 6000;

/// True if the values of a network stay in a near cache on doubled lanes.
pub(crate) fn is_doubled(machine: &Machine) -> bool {
    machine.circuit().gates() <= DOUBLED
}

/// The number of playouts that a long job plays side by side, perhaps on doubled lanes.
pub(crate) fn lanes(doubled: bool) -> usize {
    let level = Level::best();
    let wide = lanes_of(level);
    if doubled { level.call_doubled(DoubledWidth).unwrap_or(wide) } else { wide }
}

/// The number of playouts side by side with these instructions, on lanes that are not doubled.
pub(crate) fn lanes_of(level: Level) -> usize {
    level.call(Width)
}

/// Asks how many lanes there are.
struct Width;

impl Task for Width {
    type Output = usize;

    #[inline(always)]
    fn run<C: Cpu>(self, _: C) -> usize {
        64 * <C::Wide as Vector>::WORDS
    }
}

/// Asks how many doubled ones there are.
struct DoubledWidth;

impl Task for DoubledWidth {
    type Output = usize;

    #[inline(always)]
    fn run<C: Cpu>(self, _: C) -> usize {
        64 * <C::Double as Vector>::WORDS
    }
}
