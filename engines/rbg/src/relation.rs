//! Relations between cells, to which shifts are compiled.

use std::rc::Rc;
use std::sync::Arc;

use crate::bits::Bits;
use crate::layout::NONE;

/// A relation while it is being computed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Static<const W: usize> {
    /// At most one cell from each, [`NONE`] for none.
    Func(Rc<[u16]>),
    /// A set of cells from each.
    Rows(Rc<[Bits<W>]>),
}

impl<const W: usize> Static<W> {
    pub(crate) fn identity(cells: usize) -> Static<W> {
        Static::Func((0..cells as u16).collect())
    }

    pub(crate) fn empty(cells: usize) -> Static<W> {
        Static::Func((0..cells).map(|_| NONE).collect())
    }

    pub(crate) fn cells(&self) -> usize {
        match self {
            Static::Func(next) => next.len(),
            Static::Rows(rows) => rows.len(),
        }
    }

    /// The cells that it leads to from one cell.
    pub(crate) fn row(&self, cell: u16) -> Bits<W> {
        match self {
            Static::Func(next) => match next[usize::from(cell)] {
                NONE => Bits::EMPTY,
                to => Bits::single(to),
            },
            Static::Rows(rows) => rows[usize::from(cell)],
        }
    }

    pub(crate) fn rows(&self) -> Vec<Bits<W>> {
        (0..self.cells() as u16).map(|c| self.row(c)).collect()
    }

    fn of_rows(rows: Vec<Bits<W>>) -> Static<W> {
        if rows.iter().all(|row| row.len() <= 1) {
            let next = rows.iter().map(|row| row.first().unwrap_or(NONE));
            return Static::Func(next.collect());
        }
        Static::Rows(rows.into())
    }

    /// The composition of this relation and `then`.
    pub(crate) fn compose(&self, then: &Static<W>, work: &mut u64) -> Static<W> {
        *work += self.cells() as u64;
        if let (Static::Func(first), Static::Func(second)) = (self, then) {
            let both = first.iter().map(|&c| if c == NONE { NONE } else { second[usize::from(c)] });
            return Static::Func(both.collect());
        }
        // Neighbours mostly lead to the same cells: to all cells, or to all of a line.
        let mut last = (Bits::EMPTY, Bits::EMPTY);
        let mut rows = Vec::with_capacity(self.cells());
        for cell in 0..self.cells() as u16 {
            let middle = self.row(cell);
            if middle != last.0 {
                last = (middle, then.image(middle, work));
            }
            rows.push(last.1);
        }
        Static::of_rows(rows)
    }

    /// The cells that it leads to from a set.
    fn image(&self, set: Bits<W>, work: &mut u64) -> Bits<W> {
        let mut out = Bits::EMPTY;
        *work += u64::from(set.len());
        match self {
            Static::Func(next) => {
                let to = set.iter().map(|cell| next[usize::from(cell)]);
                to.filter(|&to| to != NONE).for_each(|to| out.insert(to));
            }
            Static::Rows(rows) => {
                *work += u64::from(set.len()) * (W as u64 / 4);
                for cell in set {
                    out = out.or(rows[usize::from(cell)]);
                }
            }
        }
        out
    }

    /// The union of both.
    pub(crate) fn union(&self, other: &Static<W>, work: &mut u64) -> Static<W> {
        *work += (self.cells() * (1 + W / 4)) as u64;
        Static::of_rows((0..self.cells() as u16).map(|c| self.row(c).or(other.row(c))).collect())
    }

    /// The relation repeated any number of times.
    pub(crate) fn star(&self, work: &mut u64) -> Static<W> {
        let mut rows = Vec::with_capacity(self.cells());
        for cell in 0..self.cells() as u16 {
            let mut seen = Bits::single(cell);
            if let Static::Func(next) = self {
                let mut to = next[usize::from(cell)];
                while to != NONE && !seen.contains(to) {
                    seen.insert(to);
                    to = next[usize::from(to)];
                    *work += 1;
                }
                rows.push(seen);
                continue;
            }
            let mut frontier = seen;
            while let Some(from) = frontier.pop() {
                let new = self.row(from).without(seen);
                seen = seen.or(new);
                frontier = frontier.or(new);
                *work += 1 + W as u64 / 4;
            }
            rows.push(seen);
        }
        Static::of_rows(rows)
    }

    /// The inverse relation.
    pub(crate) fn inverse(&self, work: &mut u64) -> Static<W> {
        let mut rows = vec![Bits::EMPTY; self.cells()];
        *work += (self.cells() * (1 + W / 4)) as u64;
        for cell in 0..self.cells() as u16 {
            for to in self.row(cell) {
                rows[usize::from(to)].insert(cell);
                *work += 1;
            }
        }
        Static::of_rows(rows)
    }

    /// The cells from which it leads anywhere.
    pub(crate) fn domain(&self) -> Bits<W> {
        let mut domain = Bits::EMPTY;
        for cell in 0..self.cells() as u16 {
            if !self.row(cell).is_empty() {
                domain.insert(cell);
            }
        }
        domain
    }

    /// The identity on these cells.
    pub(crate) fn within(set: Bits<W>, cells: usize) -> Static<W> {
        let stay = |c: u16| if set.contains(c) { c } else { NONE };
        Static::Func((0..cells as u16).map(stay).collect())
    }

    pub(crate) fn is_identity(&self, all: Bits<W>) -> bool {
        matches!(self, Static::Func(next) if all.iter().all(|c| next[usize::from(c)] == c))
    }

    /// True if it leads from no cell to another one.
    pub(crate) fn stays(&self) -> bool {
        matches!(self, Static::Func(next)
            if next.iter().enumerate().all(|(c, &to)| to == NONE || usize::from(to) == c))
    }

    /// The set that it leads to from all cells of its domain, if that is one set.
    pub(crate) fn constant(&self) -> Option<Bits<W>> {
        let Static::Rows(rows) = self else { return None };
        let mut some = rows.iter().filter(|row| !row.is_empty());
        let first = some.next()?;
        some.all(|row| row == first).then_some(*first)
    }
}

/// A relation as the engine uses it.
#[derive(Clone, Debug)]
pub(crate) struct Relation<const W: usize> {
    /// The only cell from each, [`NONE`] for none; empty if a cell may lead to several.
    pub(crate) next: Box<[u16]>,
    pub(crate) rows: Arc<[Bits<W>]>,
    /// Distances in numbers of cells, each with the cells that lead so far; none if there are too
    /// many distances.
    pub(crate) steps: Box<[(i32, Bits<W>)]>,
    /// The cells that each cell leads to, with the beginning of each list, for relations with few
    /// cells from each on a large board.
    pub(crate) near: Option<Near>,
    /// All cells that it leads to from each cell by repetition, for functions without end that lead
    /// to ascending cells, or (false) to descending ones.
    pub(crate) ray: Option<(Box<[Bits<W>]>, bool)>,
}

/// Number of doublings of a step that make the longest path of a function that leads in one
/// direction.
fn doublings(next: &[u16]) -> u32 {
    let longest = (0..next.len()).map(|cell| {
        let ends = |&cell: &usize| match next[cell] {
            NONE => None,
            to => Some(usize::from(to)),
        };
        std::iter::successors(Some(cell), ends).count() - 1
    });
    (longest.max().unwrap_or(0) + 1).next_power_of_two().ilog2()
}

/// Lists of cells one after the other, with the beginning of the list of each cell.
pub(crate) type Near = (Box<[u16]>, Box<[u32]>);

/// The most cells from each with which [`Relation::near`] is faster than sets.
const NEAR: u32 = 8;

/// Computes [`Relation::near`].
fn near<const W: usize>(of: &Static<W>) -> Option<Near> {
    let few = W > 4 && (0..of.cells() as u16).all(|c| of.row(c).len() <= NEAR);
    if !few {
        return None;
    }
    let (mut all, mut starts) = (Vec::new(), vec![0]);
    for cell in 0..of.cells() as u16 {
        all.extend(of.row(cell).iter());
        starts.push(all.len() as u32);
    }
    Some((all.into(), starts.into()))
}

/// Most cells of a large set that are followed one by one.
const FEW: u32 = 3;

/// Most distances of a relation; one with more is followed cell by cell.
const MOST_STEPS: usize = 12;

impl<const W: usize> Relation<W> {
    pub(crate) fn new(of: &Static<W>) -> Relation<W> {
        let mut steps: Vec<(i32, Bits<W>)> = Vec::new();
        'all: for cell in 0..of.cells() as u16 {
            for to in of.row(cell) {
                let by = i32::from(to) - i32::from(cell);
                if let Some(step) = steps.iter_mut().find(|step| step.0 == by) {
                    step.1.insert(cell);
                } else if steps.len() < MOST_STEPS {
                    steps.push((by, Bits::single(cell)));
                } else {
                    steps.clear();
                    break 'all;
                }
            }
        }
        let next: Box<[u16]> = match of {
            Static::Func(next) => next.iter().copied().collect(),
            Static::Rows(_) => Box::default(),
        };
        let rows = of.rows().into();
        Relation { next, rows, steps: steps.into(), near: near(of), ray: None }
    }

    /// Computes `ray`, if the relation has one.
    pub(crate) fn trace(&mut self) {
        let cells = self.next.len();
        let leads = |c: &usize| self.next[*c] != NONE;
        let up = (0..cells).filter(leads).all(|c| usize::from(self.next[c]) > c);
        let down = (0..cells).filter(leads).all(|c| usize::from(self.next[c]) < c);
        if self.ray.is_some() || W > 8 || up == down {
            return;
        }
        let mut rows = vec![Bits::EMPTY; cells];
        let mut order: Vec<usize> = (0..cells).collect();
        if up {
            order.reverse();
        }
        for cell in order {
            let next = self.next[cell];
            if next != NONE {
                rows[cell] = rows[usize::from(next)];
                rows[cell].insert(next);
            }
        }
        self.ray = Some((rows.into(), up));
    }

    pub(crate) fn bytes(&self) -> u64 {
        (self.rows.len() * W * 8 + self.next.len() * 2 + self.steps.len() * (W * 8 + 8)) as u64
    }

    /// The distance of a function that always leads by the same one, which is not 0, with the cells
    /// that it leads from, and the number of doublings of its longest path.
    pub(crate) fn straight(&self) -> Option<(i32, Bits<W>, u32)> {
        let [(by, from)] = *self.steps else { return None };
        (by != 0 && !self.next.is_empty()).then(|| (by, from, doublings(&self.next)))
    }

    /// The cells that it leads to from one cell.
    #[inline(always)]
    pub(crate) fn row(&self, cell: u16) -> Bits<W> {
        self.rows[usize::from(cell)]
    }

    /// The cells that it leads to from a set.
    #[inline]
    pub(crate) fn image(&self, mut set: Bits<W>) -> Bits<W> {
        let mut out = Bits::EMPTY;
        if !self.steps.is_empty() && !set.at_most(FEW) {
            for (by, from) in &self.steps {
                out = out.or(set.and(*from).shifted(*by));
            }
        } else if self.next.is_empty() {
            while let Some(cell) = set.pop() {
                out = out.or(self.rows[usize::from(cell)]);
            }
        } else {
            while let Some(cell) = set.pop() {
                let to = self.next[usize::from(cell)];
                if to != NONE {
                    out.insert(to);
                }
            }
        }
        out
    }

    /// The cells that a function leads to from a set by any number of steps, each to a cell of a
    /// class or, with `test_first`, from one.
    #[inline(always)]
    pub(crate) fn fill(&self, set: Bits<W>, class: Bits<W>, test_first: bool) -> Bits<W> {
        let mut out = set;
        let mut frontier = set;
        while !frontier.is_empty() {
            frontier = if test_first {
                self.image(frontier.and(class))
            } else {
                self.image(frontier).and(class)
            };
            frontier = frontier.without(out);
            out = out.or(frontier);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A function that leads `by` cells further on a board of rows of eight, without leaving its
    /// row.
    fn along(by: i32) -> Relation<1> {
        let next = (0..64i32).map(|cell| {
            let to = cell + by;
            let wraps = (to % 8 - cell % 8).abs() > 1;
            if (0..64).contains(&to) && !wraps { to as u16 } else { NONE }
        });
        Relation::new(&Static::Func(next.collect()))
    }

    #[test]
    fn relations_lead_where_their_parts_do() {
        let (right, up) = (along(1).next, along(8).next);
        let parts = [right, up].map(|next| Static::<1>::Func(next.iter().copied().collect()));
        let mut work = 0;
        let stars = parts.each_ref().map(|part| part.star(&mut work));
        let row = stars[0].union(&parts[1], &mut work);
        for first in parts.iter().chain(&stars).chain([&row]) {
            for second in parts.iter().chain(&stars).chain([&row]) {
                let both = first.compose(second, &mut work);
                let star = both.star(&mut work);
                for cell in 0..64 {
                    let mut to = Bits::EMPTY;
                    first.row(cell).iter().for_each(|middle| to = to.or(second.row(middle)));
                    assert_eq!(both.row(cell), to);
                    // A star leads to the cell itself, and to all cells that the relation leads to
                    // from its result.
                    let mut again = Bits::single(cell);
                    star.row(cell).iter().for_each(|c| again = again.or(both.row(c)));
                    assert_eq!(star.row(cell), again);
                }
            }
        }
        // A function that goes round in circles.
        let round: Static<1> = Static::Func((0..64).map(|cell| (cell + 8) % 64).collect());
        assert_eq!(round.star(&mut work).row(3).len(), 8);
    }

    #[test]
    fn fills_are_what_single_steps_make() {
        for by in [1, -1, 7, -7, 8, -8, 9, -9] {
            let relation = along(by);
            let mut word = 0x9e37_79b9_7f4a_7c15_u64;
            for _ in 0..50 {
                word = word.wrapping_mul(0x5851_f42d_4c95_7f2d).rotate_left(23).wrapping_add(1);
                let set = Bits::<1>::from_words([word & word >> 7 & word >> 19]);
                let class = Bits::from_words([word | word >> 11]);
                for test_first in [false, true] {
                    let mut slow = set;
                    for _ in 0..8 {
                        for cell in slow {
                            let to = relation.next[usize::from(cell)];
                            let tested = if test_first { cell } else { to };
                            if to != NONE && class.contains(tested) {
                                slow.insert(to);
                            }
                        }
                    }
                    assert_eq!(relation.fill(set, class, test_first), slow, "{by} {word:x}");
                }
            }
        }
    }
}
