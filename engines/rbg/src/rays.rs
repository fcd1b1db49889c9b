//! Rays in several directions at once.

use std::ops::Deref;
use std::sync::Arc;

use crate::bits::Bits;
use crate::relation::Relation;

/// A function that is repeated as long as it leads to cells of a class; with `hit`, also to the
/// first other cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ray {
    pub(crate) relation: u32,
    pub(crate) class: u32,
    pub(crate) hit: bool,
}

/// Rays that begin at the same cell.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RaySet<const W: usize> {
    rays: Box<[Ray]>,
    /// The rays as a table, if all of them go on over the same pieces, on boards of one or two
    /// words.
    pub(crate) table: Option<Table<W>>,
}

/// The cells of each ray from each cell of an empty board.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Table<const W: usize> {
    /// The cells of all rays from a cell one after another, first the rays with ascending cells.
    pub(crate) rows: Arc<[Bits<W>]>,
    /// Number of rays from each cell, and of those with ascending cells.
    pub(crate) rays: usize,
    pub(crate) ascending: usize,
    pub(crate) class: u32,
    pub(crate) hit: bool,
}

impl<const W: usize> RaySet<W> {
    pub(crate) fn new(rays: &[Ray], relations: &[Relation<W>]) -> RaySet<W> {
        let asks = W <= 2 && rays.len() > 1;
        let table = asks.then(|| Table::new(rays, relations)).flatten();
        RaySet { rays: rays.into(), table }
    }

    /// Bytes of the rays.
    pub(crate) fn bytes(&self) -> u64 {
        let rows = self.table.as_ref().map_or(0, |table| table.rows.len());
        (size_of_val(&*self.rays) + rows * W * 8) as u64
    }
}

impl<const W: usize> Deref for RaySet<W> {
    type Target = [Ray];

    fn deref(&self) -> &[Ray] {
        &self.rays
    }
}

impl<const W: usize> Table<W> {
    /// The table of rays; `None` if they go on over different pieces, or if the cells of one are in
    /// no order.
    pub(crate) fn new(rays: &[Ray], relations: &[Relation<W>]) -> Option<Table<W>> {
        let (first, rest) = rays.split_first()?;
        if rest.iter().any(|ray| ray.class != first.class || ray.hit != first.hit) {
            return None;
        }
        let (mut up, mut down) = (Vec::new(), Vec::new());
        for ray in rays {
            let (rows, ascending) = relations[ray.relation as usize].ray.as_ref()?;
            if *ascending { up.push(rows) } else { down.push(rows) }
        }
        let cells = relations[first.relation as usize].next.len();
        let rows_of = |cell: usize| up.iter().chain(&down).map(move |rows| rows[cell]);
        let rows = (0..cells).flat_map(rows_of).collect();
        let (class, hit) = (first.class, first.hit);
        Some(Table { rows, rays: rays.len(), ascending: up.len(), class, hit })
    }

    /// The cells that the rays from a cell lead to, given the pieces in their way.
    #[inline(always)]
    pub(crate) fn rays(&self, from: u16, blockers: Bits<W>) -> Bits<W> {
        let start = usize::from(from) * self.rays;
        let (up, down) = self.rows[start..start + self.rays].split_at(self.ascending);
        let mut out = Bits::EMPTY;
        for &row in up {
            out = out.or(row.and(row.and(blockers).up_to_first()));
        }
        for (i, &row) in down.iter().enumerate() {
            // The row without the cells behind the last blocker; behind cell 0 there are none.
            let last = usize::from(row.and(blockers).last().unwrap_or(0));
            out = out.or(row.without(self.rows[last * self.rays + self.ascending + i]));
        }
        if self.hit { out } else { out.without(blockers) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::NONE;
    use crate::relation::Static;

    #[test]
    fn rays_end_at_the_first_that_stands_in_their_way() {
        const SIDE: i32 = 10;
        let step = |cell: i32, (right, down): (i32, i32)| {
            let (x, y) = (cell % SIDE + right, cell / SIDE + down);
            let inside = (0..SIDE).contains(&x) && (0..SIDE).contains(&y);
            if inside { (y * SIDE + x) as u16 } else { NONE }
        };
        let ways = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)];
        let relations: Vec<Relation<2>> = ways
            .iter()
            .map(|&way| {
                let next = (0..SIDE * SIDE).map(|cell| step(cell, way)).collect();
                let mut relation = Relation::new(&Static::Func(next));
                relation.trace();
                relation
            })
            .collect();
        let mut word = 0x9e37_79b9_7f4a_7c15_u64;
        for hit in [false, true] {
            let rays: Vec<Ray> = (0..8).map(|relation| Ray { relation, class: 0, hit }).collect();
            let table = RaySet::new(&rays, &relations).table.unwrap();
            for from in 0..SIDE * SIDE {
                word = word.wrapping_mul(0x5851_f42d_4c95_7f2d).rotate_left(23).wrapping_add(1);
                let blockers =
                    Bits::from_words([word & word >> 9, word >> 5 & word << 17 & 0xf_ffff_ffff]);
                let mut slow = Bits::EMPTY;
                for way in ways {
                    let mut cell = step(from, way);
                    while cell != NONE {
                        if hit || !blockers.contains(cell) {
                            slow.insert(cell);
                        }
                        if blockers.contains(cell) {
                            break;
                        }
                        cell = step(i32::from(cell), way);
                    }
                }
                assert_eq!(table.rays(from as u16, blockers), slow, "{from} {blockers:?}");
            }
        }
    }
}
