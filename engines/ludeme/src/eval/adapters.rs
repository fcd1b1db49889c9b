//! Visitors that pass moves on to another one: counted, changed, behind a first part, or tested.

use super::visitors::MoveVisitor;
use super::{Eval, ITERS};
use crate::buffer::Buffer;
use crate::ir::{Bool, Leaf};
use crate::moves::{Act, Ends, Move};
use crate::set::Set;
use crate::state::Turns;

/// Passes moves on and knows if there was any.
pub(crate) struct Counting<'a> {
    visitor: &'a mut dyn MoveVisitor,
    pub(crate) any: bool,
    /// True if illegal moves are none.
    legal: bool,
    /// True if who takes them wants no more.
    pub(super) stopped: bool,
}

impl<'a> Counting<'a> {
    pub(crate) fn new(visitor: &'a mut dyn MoveVisitor) -> Counting<'a> {
        Counting { visitor, any: false, legal: false, stopped: false }
    }

    /// As [`Counting::new`], if a move may have to be tested before it counts.
    pub(super) fn of_legal(visitor: &'a mut dyn MoveVisitor) -> Counting<'a> {
        Counting { legal: true, ..Counting::new(visitor) }
    }
}

impl MoveVisitor for Counting<'_> {
    fn inner(&self) -> Option<&dyn MoveVisitor> {
        Some(self.visitor)
    }

    fn inner_mut(&mut self) -> Option<&mut dyn MoveVisitor> {
        Some(self.visitor)
    }

    fn wants_tests(&self) -> bool {
        self.legal || self.visitor.wants_tests()
    }

    /// Moves to all sites count.
    fn wanted_site(&self) -> Option<i16> {
        None
    }

    fn take(&mut self, eval: &mut Eval<'_>, leaf: &Leaf, ends: Ends) -> bool {
        self.any = true;
        self.stopped = self.visitor.take(eval, leaf, ends);
        self.stopped
    }

    fn take_move(&mut self, eval: &mut Eval<'_>, made: Move) -> bool {
        self.any = true;
        self.stopped = self.visitor.take_move(eval, made);
        self.stopped
    }

    fn skip(&mut self) -> bool {
        self.stopped = self.visitor.skip();
        self.stopped
    }

    fn pass_over(&mut self, count: u16) {
        self.visitor.pass_over(count);
        self.any |= count > 0;
    }
}

/// Passes moves on with a change to what they do.
pub(crate) struct Mapped<'a, F> {
    visitor: &'a mut dyn MoveVisitor,
    change: F,
}

impl<'a, F: FnMut(&mut Move)> Mapped<'a, F> {
    pub(crate) fn new(visitor: &'a mut dyn MoveVisitor, change: F) -> Mapped<'a, F> {
        Mapped { visitor, change }
    }
}

impl<F: FnMut(&mut Move)> MoveVisitor for Mapped<'_, F> {
    fn inner(&self) -> Option<&dyn MoveVisitor> {
        Some(self.visitor)
    }

    fn inner_mut(&mut self) -> Option<&mut dyn MoveVisitor> {
        Some(self.visitor)
    }

    fn take(&mut self, eval: &mut Eval<'_>, leaf: &Leaf, ends: Ends) -> bool {
        if !self.wants_acts() {
            return self.visitor.take(eval, leaf, ends);
        }
        let made = eval.made(leaf, ends);
        self.take_move(eval, made)
    }

    fn take_move(&mut self, eval: &mut Eval<'_>, mut made: Move) -> bool {
        if self.wants_acts() {
            (self.change)(&mut made);
        }
        self.visitor.take_move(eval, made)
    }
}

/// Passes on the moves of a second part, found after a first one: in the state before both.
pub(crate) struct Prefixed<'a> {
    visitor: &'a mut dyn MoveVisitor,
    outer: Eval<'a>,
    /// The actions of the first part.
    before: &'a [Act],
}

impl<'a> Prefixed<'a> {
    pub(super) fn new(
        outer: &'a Eval<'_>,
        visitor: &'a mut dyn MoveVisitor,
        before: &'a [Act],
    ) -> Prefixed<'a> {
        Prefixed { visitor, outer: outer.within(outer.state), before }
    }
}

impl MoveVisitor for Prefixed<'_> {
    fn inner(&self) -> Option<&dyn MoveVisitor> {
        Some(self.visitor)
    }

    fn inner_mut(&mut self) -> Option<&mut dyn MoveVisitor> {
        Some(self.visitor)
    }

    fn take(&mut self, eval: &mut Eval<'_>, leaf: &Leaf, ends: Ends) -> bool {
        if !self.wants_acts() {
            return self.visitor.take(&mut self.outer, leaf, ends);
        }
        let made = eval.made(leaf, ends);
        self.take_move(eval, made)
    }

    fn take_move(&mut self, _: &mut Eval<'_>, mut made: Move) -> bool {
        if self.wants_acts() {
            made.acts.put_in(0, self.before);
        }
        self.visitor.take_move(&mut self.outer, made)
    }
}

/// A condition that must hold for a move to be legal, once it has been made.
#[derive(Clone, Copy)]
pub(crate) enum Test<'a> {
    /// A condition of the rules.
    After(&'a Bool),
    /// The position is not the one stored.
    Stored,
    /// The position has not been there before.
    Repetition,
}

/// Passes on the moves that pass a test, or all if nobody wants it.
pub(crate) struct Tested<'a> {
    visitor: &'a mut dyn MoveVisitor,
    test: Test<'a>,
    /// The variables and the turn with which the test is made.
    iters: [i32; ITERS],
    iterated: Set,
    turns: Turns,
}

impl<'a> Tested<'a> {
    pub(crate) fn new(
        eval: &Eval<'_>,
        visitor: &'a mut dyn MoveVisitor,
        test: Test<'a>,
    ) -> Tested<'a> {
        Tested::amid(eval, visitor, test, eval.iters)
    }

    /// As [`Tested::new`], with other variables bound.
    pub(crate) fn amid(
        eval: &Eval<'_>,
        visitor: &'a mut dyn MoveVisitor,
        test: Test<'a>,
        iters: [i32; ITERS],
    ) -> Tested<'a> {
        Tested { visitor, test, iters, iterated: eval.iterated.clone(), turns: eval.turns }
    }

    /// True if a move to a site makes no difference.
    fn is_unwanted(&self, to: i16) -> bool {
        self.visitor.wanted_site().is_some_and(|site| site != to)
    }

    fn passes(&self, eval: &mut Eval<'_>, made: &Move) -> bool {
        let mut eval = eval.within(eval.state);
        (eval.iters, eval.turns) = (self.iters, self.turns);
        eval.iterated.clone_from(&self.iterated);
        eval.chance = eval.chance_aside();
        match self.test {
            Test::After(condition) => eval.holds_after(made, condition),
            Test::Stored => {
                let mut after = eval.trial();
                eval.try_move(&mut after, made);
                after.position_hash() != eval.state.head.record.stored
            }
            Test::Repetition => !eval.game.is_repetition(eval.state, made),
        }
    }
}

impl MoveVisitor for Tested<'_> {
    fn inner(&self) -> Option<&dyn MoveVisitor> {
        Some(self.visitor)
    }

    fn inner_mut(&mut self) -> Option<&mut dyn MoveVisitor> {
        Some(self.visitor)
    }

    fn asks_existence(&self) -> bool {
        false
    }

    fn lend(&mut self) -> Option<Buffer<i32>> {
        if self.wants_tests() { None } else { self.visitor.lend() }
    }

    fn give_back(&mut self, moves: Buffer<i32>) {
        self.visitor.give_back(moves);
    }

    fn wants_acts(&self) -> bool {
        self.wants_tests() || self.visitor.wants_acts()
    }

    fn take(&mut self, eval: &mut Eval<'_>, leaf: &Leaf, ends: Ends) -> bool {
        if !self.wants_acts() {
            return self.visitor.take(eval, leaf, ends);
        }
        if self.is_unwanted(ends.to) {
            return false;
        }
        let made = eval.made(leaf, ends);
        if self.wants_tests() && !self.passes(eval, &made) {
            return self.visitor.skip();
        }
        if self.visitor.wants_acts() {
            self.visitor.take_move(eval, made)
        } else {
            self.visitor.take(eval, leaf, ends)
        }
    }

    fn take_move(&mut self, eval: &mut Eval<'_>, made: Move) -> bool {
        if self.is_unwanted(made.to) {
            return false;
        }
        if self.wants_tests() && !self.passes(eval, &made) {
            return self.visitor.skip();
        }
        self.visitor.take_move(eval, made)
    }
}
