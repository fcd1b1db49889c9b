//! Slots, which hold values while a program runs, and numbers of slots.

use crate::vector::Vector;

/// The number of a slot, as narrow as can be.
pub(crate) trait Index: Copy + Send + Sync + 'static {
    /// True if it numbers so few slots that their values stay near even on doubled lanes. Where it
    /// does not, no code is compiled for these.
    const FEW: bool;

    /// The slots that it numbers.
    type Slots<V: Vector>: Send;

    /// So many slots, all without a lane.
    fn slots<V: Vector>(count: usize) -> Self::Slots<V>;

    /// The number of a slot.
    fn of(slot: u32) -> Self;

    /// Reads the slot.
    fn get<V: Vector>(self, slots: &Self::Slots<V>) -> V;

    /// Writes the slot.
    fn set<V: Vector>(self, slots: &mut Self::Slots<V>, value: V);
}

/// Slots that numbers of 16 bits suffice for.
const NARROW: usize = 1 << 16;

/// All numbers have a slot, so that nothing needs to be checked.
impl Index for u16 {
    const FEW: bool = true;

    type Slots<V: Vector> = Box<[V; NARROW]>;

    fn slots<V: Vector>(_count: usize) -> Box<[V; NARROW]> {
        match vec![V::NONE; NARROW].into_boxed_slice().try_into() {
            Ok(slots) => slots,
            Err(_) => unreachable!("the length is right"),
        }
    }

    fn of(slot: u32) -> u16 {
        slot as u16
    }

    #[inline(always)]
    fn get<V: Vector>(self, slots: &Box<[V; NARROW]>) -> V {
        slots[self as usize]
    }

    #[inline(always)]
    fn set<V: Vector>(self, slots: &mut Box<[V; NARROW]>, value: V) {
        slots[self as usize] = value;
    }
}

impl Index for u32 {
    const FEW: bool = false;

    type Slots<V: Vector> = Vec<V>;

    fn slots<V: Vector>(count: usize) -> Vec<V> {
        vec![V::NONE; count]
    }

    fn of(slot: u32) -> u32 {
        slot
    }

    #[inline(always)]
    fn get<V: Vector>(self, slots: &Vec<V>) -> V {
        slots[self as usize]
    }

    #[inline(always)]
    fn set<V: Vector>(self, slots: &mut Vec<V>, value: V) {
        slots[self as usize] = value;
    }
}

/// True if 16 bits number so many slots.
pub(crate) fn is_narrow(count: u32) -> bool {
    count as usize <= NARROW
}
