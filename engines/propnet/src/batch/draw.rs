//! Draws: a number for each of some lanes, below a bound of its own.

use play::Streams;

use super::choice::Planes;
use crate::vector::Vector;
use cpu::{Bytes, Cpu, Task};

/// Draws a number in each of some lanes.
pub(super) struct Draw<'a, V> {
    pub(super) streams: &'a mut [Streams],
    pub(super) planes: &'a mut [V],
    pub(super) bounds: Planes,
    pub(super) drawn: Planes,
    pub(super) draws: V,
}

impl<V: Vector> Task for Draw<'_, V> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let Draw { streams, planes, bounds, drawn, draws } = self;
        let bytes = bounds.len.div_ceil(8);
        for (at, streams) in streams.iter_mut().enumerate() {
            let draws = draws.words()[at];
            if draws == 0 {
                continue;
            }
            let mut below = [0u32; 64];
            for byte in 0..bytes {
                let mut part = Bytes([0; 64]);
                for bit in 0..8.min(bounds.len - 8 * byte) {
                    let plane = planes[(bounds.start + 8 * byte + bit) as usize].words()[at];
                    let all = cpu.spread(plane);
                    for (part, all) in part.0.iter_mut().zip(all.0) {
                        *part |= all & 1 << bit;
                    }
                }
                for (below, part) in below.iter_mut().zip(part.0) {
                    *below |= u32::from(part) << (8 * byte);
                }
            }
            let numbers = streams.below(&below, draws);
            for byte in 0..bytes {
                let mut part = Bytes([0; 64]);
                for (part, number) in part.0.iter_mut().zip(numbers) {
                    *part = (number >> (8 * byte)) as u8;
                }
                for bit in 0..8.min(drawn.len - 8 * byte) {
                    let plane = &mut planes[(drawn.start + 8 * byte + bit) as usize];
                    plane.words_mut()[at] = cpu.gather(&part, bit);
                }
            }
        }
    }
}
