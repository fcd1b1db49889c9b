//! Tests that walks lead anywhere, which is found sooner than the cells that they lead to.

use crate::bits::Bits;
use crate::layout::NONE;
use crate::place::Place;
use crate::program::{Program, Step, Term};
use crate::scratch::Scratch;
use crate::state::State;
use crate::walk::{FEW, cells_of};

impl<const W: usize> Program<W> {
    /// True if a walk leads anywhere from a cell, which is faster to find than the cells.
    pub(super) fn cell_leads(
        &self,
        steps: &[Step<W>],
        from: u16,
        state: &mut State<W>,
        scratch: &mut Scratch<W>,
    ) -> bool {
        let mut cell = from;
        for (i, step) in steps.iter().enumerate() {
            let rest = &steps[i + 1..];
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
                        return false;
                    }
                    continue;
                }
                Step::Sum(walks) if rest.is_empty() => {
                    return walks.iter().any(|w| self.cell_leads(w, cell, state, scratch));
                }
                Step::Slide { relation, class, test_first } => {
                    return self.slide_leads(
                        (*relation, *class, *test_first),
                        rest,
                        cell,
                        state,
                        scratch,
                    );
                }
                Step::Flood { rows, class, .. } => {
                    let from = Bits::single(cell);
                    return self.flood_leads(rows, *class, rest, from, state, scratch);
                }
                Step::Star(_) if rest.is_empty() => return true,
                Step::Star(body) => {
                    return self.star_leads(body, rest, Bits::single(cell), state, scratch);
                }
                Step::Terms(terms) if rest.is_empty() => {
                    return terms.iter().any(|term| self.term_leads(term, cell, state));
                }
                Step::Sum(_) => match self.walk_cell(&steps[i..=i], cell, state, scratch) {
                    Place::Nowhere => return false,
                    Place::Cell(to) => {
                        cell = to;
                        continue;
                    }
                    Place::Set(set) => set,
                },
                _ => self.large_step(step, cell, state, scratch),
            };
            if set.is_empty() || rest.is_empty() {
                return !set.is_empty();
            }
            if set.at_most(FEW) {
                return set.iter().any(|cell| self.cell_leads(rest, cell, state, scratch));
            }
            return self.set_leads(rest, set, state, scratch);
        }
        true
    }

    /// True if a term leads anywhere from a cell.
    #[inline(always)]
    fn term_leads(&self, term: &Term<W>, cell: u16, state: &State<W>) -> bool {
        if let Some(class) = term.class
            && let Some((cells, starts)) = &self.relations[term.relation as usize].near
        {
            let class = &self.classes[class as usize];
            let (start, end) = (starts[usize::from(cell)], starts[usize::from(cell) + 1]);
            let near = &cells[start as usize..end as usize];
            return near.iter().any(|&to| class.has(state.board[usize::from(to)]));
        }
        !self.term(term, term.rows[usize::from(cell)], state).is_empty()
    }

    /// True if a walk leads anywhere from a slide.
    #[inline(always)]
    fn slide_leads(
        &self,
        (relation, class, test_first): (u32, u32, bool),
        rest: &[Step<W>],
        from: u16,
        state: &mut State<W>,
        scratch: &mut Scratch<W>,
    ) -> bool {
        if let [Step::On(goal)] = rest
            && self.relations[relation as usize].ray.is_some()
        {
            let goal = cells_of(&self.classes[*goal as usize], state);
            return !self.slide(relation, class, test_first, from, state).and(goal).is_empty();
        }
        let mut cell = from;
        // A slide goes at most once round the board.
        for _ in 0..state.board.len() {
            let leads = match rest {
                [] => true,
                [Step::On(class)] => {
                    self.classes[*class as usize].has(state.board[usize::from(cell)])
                }
                _ => self.cell_leads(rest, cell, state, scratch),
            };
            if leads {
                return true;
            }
            let blocked =
                test_first && !self.classes[class as usize].has(state.board[usize::from(cell)]);
            if blocked {
                return false;
            }
            cell = self.relations[relation as usize].next[usize::from(cell)];
            if cell == NONE {
                return false;
            }
            if !test_first && !self.classes[class as usize].has(state.board[usize::from(cell)]) {
                return false;
            }
        }
        false
    }

    /// True if a walk leads anywhere from a set, which is not empty.
    pub(super) fn set_leads(
        &self,
        steps: &[Step<W>],
        from: Bits<W>,
        state: &mut State<W>,
        scratch: &mut Scratch<W>,
    ) -> bool {
        let mut set = from;
        let mut at = 0;
        while let Some(step) = steps.get(at) {
            let rest = &steps[at + 1..];
            match step {
                Step::Sum(walks) if rest.is_empty() => {
                    return walks.iter().any(|w| self.set_leads(w, set, state, scratch));
                }
                Step::Star(body) => return self.star_leads(body, rest, set, state, scratch),
                Step::Flood { rows, class, .. } => {
                    return self.flood_leads(rows, *class, rest, set, state, scratch);
                }
                _ => {}
            }
            set = self.walk_set(&steps[at..=at], set, state, scratch);
            if set.is_empty() {
                return false;
            }
            if !rest.is_empty() && set.at_most(FEW) {
                return set.iter().any(|cell| self.cell_leads(rest, cell, state, scratch));
            }
            at += 1;
        }
        true
    }

    /// True if a walk leads anywhere from a flood.
    fn flood_leads(
        &self,
        rows: &[Bits<W>],
        class: u32,
        rest: &[Step<W>],
        from: Bits<W>,
        state: &mut State<W>,
        scratch: &mut Scratch<W>,
    ) -> bool {
        let mut open = cells_of(&self.classes[class as usize], state).without(from);
        let mut frontier = from;
        if let [Step::Within(goal)] = rest {
            if !from.and(*goal).is_empty() {
                return true;
            }
            while let Some(cell) = frontier.pop() {
                let new = rows[usize::from(cell)].and(open);
                if !new.and(*goal).is_empty() {
                    return true;
                }
                open = open.without(new);
                frontier = frontier.or(new);
            }
            return false;
        }
        while let Some(cell) = frontier.pop() {
            if self.cell_leads(rest, cell, state, scratch) {
                return true;
            }
            let new = rows[usize::from(cell)].and(open);
            open = open.without(new);
            frontier = frontier.or(new);
        }
        false
    }

    fn star_leads(
        &self,
        body: &[Step<W>],
        rest: &[Step<W>],
        from: Bits<W>,
        state: &mut State<W>,
        scratch: &mut Scratch<W>,
    ) -> bool {
        let mut seen = from;
        let mut frontier = from;
        while scratch.afford() {
            if rest.is_empty() || self.set_leads(rest, frontier, state, scratch) {
                return true;
            }
            frontier = self.walk_set(body, frontier, state, scratch).without(seen);
            if frontier.is_empty() {
                return false;
            }
            seen = seen.or(frontier);
        }
        false
    }
}
