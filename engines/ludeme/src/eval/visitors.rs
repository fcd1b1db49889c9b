//! Visitors of the moves that generators give: they list the moves, make one of them, or ask
//! whether there are any.

use super::Eval;
use crate::buffer::Buffer;
use crate::ir::Leaf;
use crate::limits::MAX_MOVES;
use crate::moves::{Ends, Move, MoveId};
use crate::set::Set;

/// Takes the moves that a generator gives. Generators know it behind a pointer only: they are
/// large, and there would be a copy of them for every visitor.
pub(crate) trait MoveVisitor {
    /// The visitor that moves are passed on to, which answers whatever this one has no answer for.
    fn inner(&self) -> Option<&dyn MoveVisitor> {
        None
    }

    /// As [`MoveVisitor::inner`].
    fn inner_mut(&mut self) -> Option<&mut dyn MoveVisitor> {
        None
    }

    /// True if it asks no more than whether there is a move. There is a longest one where there is
    /// any.
    fn asks_existence(&self) -> bool {
        match self.inner() {
            Some(inner) => inner.asks_existence(),
            None => false,
        }
    }

    /// True if the next move counts only if it is legal. If not, moves that would have to be tested
    /// are taken without a test.
    fn wants_tests(&self) -> bool {
        match self.inner() {
            Some(inner) => inner.wants_tests(),
            None => true,
        }
    }

    /// True if the next move has to say what it does. Of other moves the ends are enough.
    fn wants_acts(&self) -> bool {
        match self.inner() {
            Some(inner) => inner.wants_acts(),
            None => false,
        }
    }

    /// The only destination that matters, if there is one: moves to other sites need no test.
    fn wanted_site(&self) -> Option<i16> {
        self.inner()?.wanted_site()
    }

    /// Takes one move; true stops the generation.
    fn take(&mut self, eval: &mut Eval<'_>, leaf: &Leaf, ends: Ends) -> bool;

    /// Takes a move that is made already, or only its ends; true stops the generation.
    fn take_move(&mut self, eval: &mut Eval<'_>, made: Move) -> bool;

    /// True if the moves have been listed before: those that do not count beside others were left
    /// out of the list.
    fn follows_list(&self) -> bool {
        match self.inner() {
            Some(inner) => inner.follows_list(),
            None => false,
        }
    }

    /// Hears of a move that has failed a test, or does not count beside others; true stops the
    /// generation.
    fn skip(&mut self) -> bool {
        match self.inner_mut() {
            Some(inner) => inner.skip(),
            None => false,
        }
    }

    /// The number of next moves that do not matter: code counts them without giving them.
    fn unwanted(&self) -> u16 {
        match self.inner() {
            Some(inner) => inner.unwanted(),
            None => 0,
        }
    }

    /// Hears of so many moves that did not matter.
    fn pass_over(&mut self, count: u16) {
        if let Some(inner) = self.inner_mut() {
            inner.pass_over(count);
        }
    }

    /// Lends memory to gather moves in, if it takes them by their ends alone.
    fn lend(&mut self) -> Option<Buffer<i32>> {
        None
    }

    /// Takes the memory back.
    fn give_back(&mut self, _moves: Buffer<i32>) {}
}

/// Finds out if there is any move.
#[derive(Default)]
pub(crate) struct Exists {
    pub(crate) found: bool,
}

impl MoveVisitor for Exists {
    fn asks_existence(&self) -> bool {
        true
    }

    fn take(&mut self, _: &mut Eval<'_>, _: &Leaf, _: Ends) -> bool {
        self.found = true;
        true
    }

    fn take_move(&mut self, _: &mut Eval<'_>, _: Move) -> bool {
        self.found = true;
        true
    }
}

/// Finds out if any move goes to a site.
pub(super) struct Reaches {
    pub(super) site: i16,
    pub(super) found: bool,
}

impl MoveVisitor for Reaches {
    fn take(&mut self, _: &mut Eval<'_>, _: &Leaf, ends: Ends) -> bool {
        self.found |= ends.to == self.site;
        self.found
    }

    fn take_move(&mut self, _: &mut Eval<'_>, made: Move) -> bool {
        self.found |= made.to == self.site;
        self.found
    }

    fn wanted_site(&self) -> Option<i16> {
        Some(self.site)
    }
}

/// Origins and destinations of all moves.
pub(super) struct Targets {
    pub(super) from: Set,
    pub(super) to: Set,
}

impl MoveVisitor for Targets {
    fn take(&mut self, _: &mut Eval<'_>, _: &Leaf, ends: Ends) -> bool {
        self.add(ends.from, ends.to);
        false
    }

    fn take_move(&mut self, _: &mut Eval<'_>, made: Move) -> bool {
        self.add(made.from, made.to);
        false
    }
}

impl Targets {
    fn add(&mut self, from: i16, to: i16) {
        for (set, site) in [(&mut self.from, from), (&mut self.to, to)] {
            if let Ok(site) = usize::try_from(site) {
                set.insert(site);
            }
        }
    }
}

/// Moves with all that they do.
impl MoveVisitor for Buffer<Move> {
    fn wants_acts(&self) -> bool {
        true
    }

    fn take(&mut self, eval: &mut Eval<'_>, leaf: &Leaf, ends: Ends) -> bool {
        let made = eval.made(leaf, ends);
        self.push(made);
        self.len() >= MAX_MOVES
    }

    fn take_move(&mut self, _: &mut Eval<'_>, made: Move) -> bool {
        self.push(made);
        self.len() >= MAX_MOVES
    }
}

/// Lists moves by their ends and numbers.
pub(crate) struct Listing<'a> {
    pub(crate) list: &'a mut Vec<MoveId>,
    /// Moves offered so far.
    pub(crate) number: u16,
    /// True if moves are tested.
    pub(crate) tests: bool,
    /// Memory to gather moves in.
    pub(crate) gathered: Buffer<i32>,
}

impl Listing<'_> {
    fn add(&mut self, id: MoveId) -> bool {
        self.list.push(id);
        self.count_one()
    }

    fn count_one(&mut self) -> bool {
        self.number += 1;
        usize::from(self.number) >= MAX_MOVES
    }
}

impl MoveVisitor for Listing<'_> {
    fn wants_tests(&self) -> bool {
        self.tests
    }

    fn take(&mut self, eval: &mut Eval<'_>, leaf: &Leaf, ends: Ends) -> bool {
        let Ends { from, to, piece } = ends;
        let (number, draws) = (self.number, eval.drawn());
        self.add(MoveId { leaf: leaf.id, from, to, piece, sort: leaf.sort(), number, draws })
    }

    fn take_move(&mut self, eval: &mut Eval<'_>, made: Move) -> bool {
        self.add(made.id(self.number, eval.drawn()))
    }

    fn skip(&mut self) -> bool {
        self.count_one()
    }

    fn lend(&mut self) -> Option<Buffer<i32>> {
        Some(std::mem::take(&mut self.gathered))
    }

    fn give_back(&mut self, moves: Buffer<i32>) {
        self.gathered = moves;
    }
}

/// Makes the move of a number.
pub(crate) struct NthMove {
    wanted: u16,
    /// Moves offered so far.
    number: u16,
    legality: Legality,
    /// The move; `None` if it is not legal.
    pub(crate) found: Option<Move>,
}

/// The legality of a move before it is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Legality {
    /// It is legal: it was listed.
    Known,
    /// It has to pass its tests.
    Open,
}

impl NthMove {
    pub(crate) fn new(wanted: u16, legality: Legality) -> NthMove {
        NthMove { wanted, number: 0, legality, found: None }
    }

    fn is_next(&self) -> bool {
        self.number == self.wanted
    }

    fn go_on(&mut self, made: impl FnOnce() -> Option<Move>) -> bool {
        if self.is_next() {
            self.found = made();
            return true;
        }
        self.number = self.number.saturating_add(1);
        false
    }
}

impl MoveVisitor for NthMove {
    fn follows_list(&self) -> bool {
        true
    }

    fn wants_tests(&self) -> bool {
        self.legality == Legality::Open && self.is_next()
    }

    fn wants_acts(&self) -> bool {
        self.is_next()
    }

    fn take(&mut self, eval: &mut Eval<'_>, leaf: &Leaf, ends: Ends) -> bool {
        self.go_on(|| Some(eval.made(leaf, ends)))
    }

    fn take_move(&mut self, _: &mut Eval<'_>, made: Move) -> bool {
        self.go_on(|| Some(made))
    }

    fn skip(&mut self) -> bool {
        self.go_on(|| None)
    }

    fn unwanted(&self) -> u16 {
        self.wanted.saturating_sub(self.number)
    }

    fn pass_over(&mut self, count: u16) {
        self.number = self.number.saturating_add(count);
    }
}
