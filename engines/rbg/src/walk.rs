//! Walks: the cells that a walk leads to from a cell or a set of cells.

use crate::bits::Bits;
use crate::formula::holds;
use crate::layout::NONE;
use crate::place::Place;
use crate::program::{Class, LineTest, Lines, Pattern, Program, Step, Term};
use crate::rays::{Ray, RaySet};
use crate::scratch::Scratch;
use crate::state::State;

/// Most cells at which a pattern is tested one by one, rather than at all of them at once
/// backwards.
pub(crate) const FEW: u32 = 3;

impl<const W: usize> Program<W> {
    /// The cells that a walk leads to.
    #[inline]
    pub(crate) fn walk(
        &self,
        steps: &[Step<W>],
        from: &Place<W>,
        state: &mut State<W>,
        scratch: &mut Scratch<W>,
    ) -> Place<W> {
        match (from, steps) {
            (Place::Nowhere, _) => Place::Nowhere,
            (_, [Step::Const(set), Step::On(class)]) => {
                Place::of(set.and(cells_of(&self.classes[*class as usize], state)))
            }
            (Place::Set(set), [Step::On(class)]) => {
                Place::of(set.and(cells_of(&self.classes[*class as usize], state)))
            }
            (Place::Cell(cell), _) => self.walk_cell(steps, *cell, state, scratch),
            (Place::Set(set), _) => Place::of(self.walk_set(steps, *set, state, scratch)),
        }
    }

    /// The cells that a walk leads to from a cell.
    pub(crate) fn walk_cell(
        &self,
        steps: &[Step<W>],
        from: u16,
        state: &mut State<W>,
        scratch: &mut Scratch<W>,
    ) -> Place<W> {
        let mut cell = from;
        for (i, step) in steps.iter().enumerate() {
            let set = match step {
                Step::Func(_)
                | Step::Move { .. }
                | Step::On(_)
                | Step::Within(_)
                | Step::Guard { .. }
                | Step::Test { .. }
                | Step::Compare(_) => {
                    cell = self.small_step(step, cell, state, scratch);
                    if cell == NONE {
                        return Place::Nowhere;
                    }
                    continue;
                }
                Step::Sum(walks) => {
                    let mut out = Place::Nowhere;
                    for walk in walks {
                        let place = self.walk_cell(walk, cell, state, scratch);
                        if !place.is_nowhere() {
                            out = out.or(&place);
                        }
                    }
                    match out {
                        Place::Nowhere => return out,
                        Place::Cell(to) => {
                            cell = to;
                            continue;
                        }
                        Place::Set(set) => set,
                    }
                }
                _ => self.large_step(step, cell, state, scratch),
            };
            if set.is_empty() {
                return Place::Nowhere;
            }
            let rest = &steps[i + 1..];
            if rest.is_empty() {
                return Place::Set(set);
            }
            return Place::of(self.walk_set(rest, set, state, scratch));
        }
        Place::Cell(cell)
    }

    /// A step from a cell to at most one; [`NONE`] for none.
    #[inline(always)]
    pub(super) fn small_step(
        &self,
        step: &Step<W>,
        cell: u16,
        state: &mut State<W>,
        scratch: &mut Scratch<W>,
    ) -> u16 {
        let passes = match step {
            Step::Func(relation) => {
                return self.relations[*relation as usize].next[usize::from(cell)];
            }
            Step::Move { relation, class } => {
                return self.go(*relation, *class, cell, state);
            }
            Step::On(class) => self.classes[*class as usize].has(state.board[usize::from(cell)]),
            Step::Within(set) => set.contains(cell),
            Step::Guard { rows, class } => {
                let class = cells_of(&self.classes[*class as usize], state);
                !rows[usize::from(cell)].and(class).is_empty()
            }
            Step::Test { negated, pattern } => {
                self.matches(*pattern, cell, state, scratch) != *negated
            }
            Step::Compare(compare) => holds(&self.compares[*compare as usize], state),
            _ => false,
        };
        if passes { cell } else { NONE }
    }

    /// A step of a function to a cell of a class; [`NONE`] if there is none.
    #[inline(always)]
    fn go(&self, relation: u32, class: u32, cell: u16, state: &State<W>) -> u16 {
        let to = self.relations[relation as usize].next[usize::from(cell)];
        if to != NONE && self.classes[class as usize].has(state.board[usize::from(to)]) {
            to
        } else {
            NONE
        }
    }

    /// A step from a cell to any number of them.
    #[inline(always)]
    pub(super) fn large_step(
        &self,
        step: &Step<W>,
        cell: u16,
        state: &mut State<W>,
        scratch: &mut Scratch<W>,
    ) -> Bits<W> {
        match step {
            Step::Rel(relation) => self.relations[*relation as usize].row(cell),
            Step::Terms(terms) => {
                let mut out = Bits::EMPTY;
                for term in terms {
                    out = out.or(self.term(term, term.rows[usize::from(cell)], state));
                }
                out
            }
            Step::Const(set) => *set,
            Step::Slide { relation, class, test_first } => {
                self.slide(*relation, *class, *test_first, cell, state)
            }
            Step::Rays(rays) => self.rays(rays, cell, state),
            Step::Flood { rows, class, .. } => {
                let class = cells_of(&self.classes[*class as usize], state);
                flood(rows, class, Bits::single(cell))
            }
            Step::Star(body) => {
                if let Some(out) = self.trail(body, cell, state, scratch) {
                    return out;
                }
                self.star(body, Bits::single(cell), state, scratch)
            }
            _ => Bits::EMPTY,
        }
    }

    #[inline(always)]
    pub(super) fn term(&self, term: &Term<W>, row: Bits<W>, state: &State<W>) -> Bits<W> {
        match term.class {
            Some(class) => row.and(cells_of(&self.classes[class as usize], state)),
            None => row,
        }
    }

    /// Several functions repeated over cells of classes.
    #[inline(always)]
    fn rays(&self, set: &RaySet<W>, from: u16, state: &State<W>) -> Bits<W> {
        if let Some(table) = &set.table {
            let class = &self.classes[table.class as usize];
            return table.rays(from, self.all.without(cells_of(class, state)));
        }
        set.iter().fold(Bits::EMPTY, |out, ray| out.or(self.ray(ray, from, state)))
    }

    /// A function repeated over cells of a class.
    #[inline(always)]
    fn ray(&self, ray: &Ray, from: u16, state: &State<W>) -> Bits<W> {
        let relation = &self.relations[ray.relation as usize];
        let class = &self.classes[ray.class as usize];
        if let Some((rows, ascending)) = &relation.ray {
            let blockers = self.all.without(cells_of(class, state));
            return rows[usize::from(from)].until(blockers, *ascending, ray.hit);
        }
        let mut out = Bits::EMPTY;
        let mut cell = from;
        loop {
            cell = relation.next[usize::from(cell)];
            if cell == NONE || out.contains(cell) {
                return out;
            }
            let blocked = !class.has(state.board[usize::from(cell)]);
            if !blocked || ray.hit {
                out.insert(cell);
            }
            if blocked {
                return out;
            }
        }
    }

    /// A function and a class any number of times.
    #[inline(always)]
    pub(super) fn slide(
        &self,
        relation: u32,
        class: u32,
        test_first: bool,
        from: u16,
        state: &State<W>,
    ) -> Bits<W> {
        let next = &self.relations[relation as usize].next;
        if self.relations[relation as usize].ray.is_some() {
            let start = Bits::single(from);
            if test_first && !self.classes[class as usize].has(state.board[usize::from(from)]) {
                return start;
            }
            return start.or(self.ray(&Ray { relation, class, hit: test_first }, from, state));
        }
        let class = &self.classes[class as usize];
        let mut out = Bits::single(from);
        let mut cell = from;
        loop {
            if test_first && !class.has(state.board[usize::from(cell)]) {
                return out;
            }
            cell = next[usize::from(cell)];
            if cell == NONE
                || (!test_first && !class.has(state.board[usize::from(cell)]))
                || out.contains(cell)
            {
                return out;
            }
            out.insert(cell);
        }
    }

    /// A star whose body leads from each cell to at most one, cell after cell; `None` if the body
    /// leads to more from the first cell.
    #[inline]
    fn trail(
        &self,
        body: &[Step<W>],
        from: u16,
        state: &mut State<W>,
        scratch: &mut Scratch<W>,
    ) -> Option<Bits<W>> {
        let mut out = Bits::single(from);
        let mut cell = from;
        while scratch.afford() {
            match self.walk_cell(body, cell, state, scratch) {
                Place::Nowhere => break,
                Place::Cell(to) if out.contains(to) => break,
                Place::Cell(to) => cell = to,
                Place::Set(_) if cell == from => return None,
                Place::Set(set) => {
                    let more = self.star(body, set, state, scratch);
                    return Some(out.or(more));
                }
            }
            out.insert(cell);
        }
        Some(out)
    }

    /// The cells that a walk leads to from a set of cells, which is not empty.
    pub(super) fn walk_set(
        &self,
        steps: &[Step<W>],
        from: Bits<W>,
        state: &mut State<W>,
        scratch: &mut Scratch<W>,
    ) -> Bits<W> {
        let mut set = from;
        for step in steps {
            set = match step {
                Step::Func(relation) | Step::Rel(relation) => {
                    self.relations[*relation as usize].image(set)
                }
                Step::Move { relation, class } => self.relations[*relation as usize]
                    .image(set)
                    .and(cells_of(&self.classes[*class as usize], state)),
                Step::Terms(terms) => {
                    let mut out = Bits::EMPTY;
                    for term in terms {
                        let image = self.relations[term.relation as usize].image(set);
                        out = out.or(self.term(term, image, state));
                    }
                    out
                }
                Step::Const(cells) => *cells,
                Step::Within(cells) => set.and(*cells),
                Step::On(class) => set.and(cells_of(&self.classes[*class as usize], state)),
                Step::Guard { .. } => continue,
                Step::Rays(rays) => {
                    let mut out = Bits::EMPTY;
                    for ray in rays.iter() {
                        let relation = &self.relations[ray.relation as usize];
                        let class = cells_of(&self.classes[ray.class as usize], state);
                        let ways = if ray.hit {
                            relation.image(relation.fill(set, class, false))
                        } else {
                            relation.fill(relation.image(set).and(class), class, false)
                        };
                        out = out.or(ways);
                    }
                    out
                }
                Step::Slide { relation, class, test_first } => {
                    let relation = &self.relations[*relation as usize];
                    let class = cells_of(&self.classes[*class as usize], state);
                    relation.fill(set, class, *test_first)
                }
                Step::Flood { rows, class, .. } => {
                    flood(rows, cells_of(&self.classes[*class as usize], state), set)
                }
                Step::Sum(walks) => {
                    let mut out = Bits::EMPTY;
                    for walk in walks {
                        out = out.or(self.walk_set(walk, set, state, scratch));
                    }
                    out
                }
                Step::Star(body) => self.star(body, set, state, scratch),
                Step::Test { negated, pattern } => {
                    self.test(*negated, *pattern, set, state, scratch)
                }
                Step::Compare(compare) => {
                    if !holds(&self.compares[*compare as usize], state) {
                        return Bits::EMPTY;
                    }
                    continue;
                }
            };
            if set.is_empty() {
                break;
            }
        }
        set
    }

    /// A walk any number of times, repeated from new cells until there are none.
    fn star(
        &self,
        body: &[Step<W>],
        from: Bits<W>,
        state: &mut State<W>,
        scratch: &mut Scratch<W>,
    ) -> Bits<W> {
        let mut seen = from;
        let mut frontier = from;
        while !frontier.is_empty() && scratch.afford() {
            frontier = self.walk_set(body, frontier, state, scratch).without(seen);
            seen = seen.or(frontier);
        }
        seen
    }

    /// The cells of a set at which a pattern holds (or does not).
    fn test(
        &self,
        negated: bool,
        pattern: u32,
        set: Bits<W>,
        state: &mut State<W>,
        scratch: &mut Scratch<W>,
    ) -> Bits<W> {
        if let Pattern::Walk { backward, .. } = &self.patterns[pattern as usize]
            && !set.at_most(FEW)
        {
            let from = self.walk_set(backward, self.all, state, scratch);
            return if negated { set.without(from) } else { set.and(from) };
        }
        let mut out = set;
        for cell in set {
            if self.matches(pattern, cell, state, scratch) == negated {
                out.remove(cell);
            }
        }
        out
    }

    /// True if a pattern holds at a cell.
    #[inline]
    pub(crate) fn matches(
        &self,
        pattern: u32,
        cell: u16,
        state: &mut State<W>,
        scratch: &mut Scratch<W>,
    ) -> bool {
        match &self.patterns[pattern as usize] {
            Pattern::Walk { lines: Some(lines), .. } => self.lines_hold(lines, cell, state),
            Pattern::Walk { forward, .. } => self.cell_leads(forward, cell, state, scratch),
            Pattern::Search(layer) => self.accepts(*layer, cell, state, scratch),
        }
    }

    /// True if any clause of a pattern holds at a cell.
    #[inline]
    pub(crate) fn lines_hold(&self, lines: &Lines<W>, cell: u16, state: &State<W>) -> bool {
        let (start, end) = lines.ranges[usize::from(cell)];
        let tests = &lines.tests[start as usize..end as usize];
        if let [class] = *lines.classes
            && let [piece] = *self.classes[class as usize].pieces
        {
            return any_clause(tests, std::slice::from_ref(&state.bits[usize::from(piece)]));
        }
        let mut classes = [Bits::EMPTY; 4];
        for (cells, &class) in classes.iter_mut().zip(&lines.classes) {
            *cells = cells_of(&self.classes[class as usize], state);
        }
        any_clause(tests, &classes[..lines.classes.len().min(4)])
    }

    /// The cells of a set at which any clause of a pattern holds.
    #[inline]
    pub(crate) fn lines_among(&self, lines: &Lines<W>, set: Bits<W>, state: &State<W>) -> Bits<W> {
        let mut out = Bits::EMPTY;
        for cell in set {
            if self.lines_hold(lines, cell, state) {
                out.insert(cell);
            }
        }
        out
    }
}

/// True if all tests of any clause hold, given the cells of each class.
#[inline(always)]
fn any_clause<const W: usize>(tests: &[LineTest], classes: &[Bits<W>]) -> bool {
    let mut tests = tests;
    while let Some(test) = tests.first() {
        let cells =
            classes.get(usize::from(test.class)).map_or(0, |c| c.words[usize::from(test.word) % W]);
        let next = if cells & test.mask != test.mask {
            usize::from(test.skip)
        } else if test.last {
            return true;
        } else {
            1
        };
        tests = &tests[next.min(tests.len())..];
    }
    false
}

/// All cells that are reached by steps of a relation to cells of a class.
fn flood<const W: usize>(rows: &[Bits<W>], class: Bits<W>, from: Bits<W>) -> Bits<W> {
    let mut open = class.without(from);
    let mut out = from;
    let mut frontier = from;
    while let Some(cell) = frontier.pop() {
        let new = rows[usize::from(cell)].and(open);
        open = open.without(new);
        out = out.or(new);
        frontier = frontier.or(new);
    }
    out
}

/// The cells with a piece of a class.
#[inline(always)]
pub(crate) fn cells_of<const W: usize>(class: &Class, state: &State<W>) -> Bits<W> {
    let mut out = Bits::EMPTY;
    for &piece in &class.pieces {
        out = out.or(state.bits[usize::from(piece)]);
    }
    out
}
