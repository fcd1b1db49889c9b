//! Who takes the moves that generators give: those who list them, those who ask whether there are
//! any, and those who pass them on, changed or tested.

use super::{Eval, ITERS, Mode};
use crate::buffer::Buffer;
use crate::ir::{Bool, Leaf};
use crate::limits::MAX_MOVES;
use crate::moves::{Act, Ends, Move, MoveId, Sort};
use crate::set::Set;
use crate::state::Turns;

/// Takes the moves that a generator gives. Generators know it behind a pointer only: they are
/// large, and there would be a copy of them for every visitor.
pub(crate) trait MoveVisitor<const W: usize> {
    /// The visitor that moves are passed on to, which answers whatever this one has no answer for.
    fn inner(&self) -> Option<&dyn MoveVisitor<W>> {
        None
    }

    /// As [`MoveVisitor::inner`].
    fn inner_mut(&mut self) -> Option<&mut dyn MoveVisitor<W>> {
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

    /// True if it makes a difference that a move to a site is there: others need no trial.
    fn wants(&self, to: i16) -> bool {
        self.inner().is_none_or(|inner| inner.wants(to))
    }

    /// True if the next move has to say what it does. Of other moves the ends are enough.
    fn wants_acts(&self) -> bool {
        match self.inner() {
            Some(inner) => inner.wants_acts(),
            None => false,
        }
    }

    /// Takes one move; true stops the generation.
    fn take(&mut self, eval: &mut Eval<'_, W>, leaf: &Leaf, ends: Ends) -> bool;

    /// Takes a move that is made already, or only its ends; true stops the generation.
    fn take_move(&mut self, eval: &mut Eval<'_, W>, made: Move) -> bool;

    /// Takes moves that put a piece on each of these sites, if it can take them all at once;
    /// `Some(true)` stops the generation.
    fn take_placements(
        &mut self,
        _eval: &mut Eval<'_, W>,
        _leaf: &Leaf,
        _sites: &Set<W>,
        _piece: i32,
    ) -> Option<bool> {
        None
    }

    /// Hears of a move that is not legal after all; true stops the generation.
    fn skip(&mut self) -> bool {
        match self.inner_mut() {
            Some(inner) => inner.skip(),
            None => false,
        }
    }

    /// How many moves it has been offered, where it numbers them.
    fn offered(&self) -> Option<u16> {
        self.inner()?.offered()
    }

    /// Passes over so many moves, if none of them matters.
    fn pass_over(&mut self, count: u16) -> bool {
        self.inner_mut().is_some_and(|inner| inner.pass_over(count))
    }

    /// How many moves come before one that matters.
    fn remaining(&self) -> u16 {
        match self.inner() {
            Some(inner) => inner.remaining(),
            None => 0,
        }
    }

    /// The only destination that matters, where that is so.
    fn wanted(&self) -> Option<i16> {
        self.inner()?.wanted()
    }

    /// Lends memory to gather moves in, if it takes them by their ends alone.
    fn lend(&mut self) -> Option<Buffer<i32>> {
        None
    }

    /// Takes the memory back.
    fn give_back(&mut self, _moves: Buffer<i32>) {}

    /// Hears whether the last of the moves that were passed over is a pass.
    fn hear_of_last(&mut self, _pass: bool) {}
}

/// Whether there is any move.
#[derive(Default)]
pub(crate) struct Exists {
    pub(crate) found: bool,
}

impl<const W: usize> MoveVisitor<W> for Exists {
    fn asks_existence(&self) -> bool {
        true
    }

    fn take(&mut self, _: &mut Eval<'_, W>, _: &Leaf, _: Ends) -> bool {
        self.found = true;
        true
    }

    fn take_move(&mut self, _: &mut Eval<'_, W>, _: Move) -> bool {
        self.found = true;
        true
    }
}

/// Whether any move goes to a site.
pub(super) struct Reaches {
    pub(super) site: i16,
    pub(super) found: bool,
}

impl<const W: usize> MoveVisitor<W> for Reaches {
    fn take(&mut self, _: &mut Eval<'_, W>, _: &Leaf, ends: Ends) -> bool {
        self.found |= ends.to == self.site;
        self.found
    }

    fn take_move(&mut self, _: &mut Eval<'_, W>, made: Move) -> bool {
        self.found |= made.to == self.site;
        self.found
    }

    fn wants(&self, to: i16) -> bool {
        to == self.site
    }

    fn wanted(&self) -> Option<i16> {
        Some(self.site)
    }
}

/// Origins and destinations of all moves.
pub(super) struct Targets<const W: usize> {
    pub(super) from: Set<W>,
    pub(super) to: Set<W>,
}

impl<const W: usize> MoveVisitor<W> for Targets<W> {
    fn take(&mut self, _: &mut Eval<'_, W>, _: &Leaf, ends: Ends) -> bool {
        self.add(ends.from, ends.to);
        false
    }

    fn take_move(&mut self, _: &mut Eval<'_, W>, made: Move) -> bool {
        self.add(made.from, made.to);
        false
    }
}

impl<const W: usize> Targets<W> {
    fn add(&mut self, from: i16, to: i16) {
        for (set, site) in [(&mut self.from, from), (&mut self.to, to)] {
            if let Ok(site) = usize::try_from(site) {
                set.insert(site);
            }
        }
    }
}

/// Moves with all that they do.
impl<const W: usize> MoveVisitor<W> for Buffer<Move> {
    fn wants_acts(&self) -> bool {
        true
    }

    fn take(&mut self, eval: &mut Eval<'_, W>, leaf: &Leaf, ends: Ends) -> bool {
        let made = eval.made(leaf, ends);
        self.push(made);
        self.len() >= MAX_MOVES
    }

    fn take_move(&mut self, _: &mut Eval<'_, W>, made: Move) -> bool {
        self.push(made);
        self.len() >= MAX_MOVES
    }
}

/// Lists moves by their ends and numbers.
pub(crate) struct Listing<'a> {
    pub(crate) list: &'a mut Vec<MoveId>,
    /// Moves offered so far.
    pub(crate) number: u16,
    /// Memory to gather moves in.
    pub(crate) gathered: Buffer<i32>,
}

impl Listing<'_> {
    fn add(&mut self, id: MoveId) -> bool {
        self.list.push(id);
        self.number += 1;
        usize::from(self.number) >= MAX_MOVES
    }
}

impl<const W: usize> MoveVisitor<W> for Listing<'_> {
    fn take(&mut self, eval: &mut Eval<'_, W>, leaf: &Leaf, ends: Ends) -> bool {
        let Ends { from, to, piece } = ends;
        let (number, draws) = (self.number, eval.drawn());
        self.add(MoveId { leaf: leaf.id, from, to, piece, sort: leaf.sort(), number, draws })
    }

    fn take_move(&mut self, eval: &mut Eval<'_, W>, made: Move) -> bool {
        self.add(made.id(self.number, eval.drawn()))
    }

    fn skip(&mut self) -> bool {
        self.number += 1;
        usize::from(self.number) >= MAX_MOVES
    }

    fn offered(&self) -> Option<u16> {
        Some(self.number)
    }

    fn lend(&mut self) -> Option<Buffer<i32>> {
        Some(std::mem::take(&mut self.gathered))
    }

    fn give_back(&mut self, moves: Buffer<i32>) {
        self.gathered = moves;
    }
}

/// Counts moves that are all legal and differ.
#[derive(Default)]
pub(crate) struct Count {
    /// Moves offered so far.
    pub(crate) number: u16,
    /// True if the last one was a pass.
    pub(crate) pass: bool,
}

impl<const W: usize> MoveVisitor<W> for Count {
    fn take(&mut self, _: &mut Eval<'_, W>, leaf: &Leaf, _: Ends) -> bool {
        self.number += 1;
        self.pass = leaf.sort() == Sort::Pass;
        usize::from(self.number) >= MAX_MOVES
    }

    fn take_move(&mut self, _: &mut Eval<'_, W>, made: Move) -> bool {
        self.number += 1;
        self.pass = made.is_pass();
        usize::from(self.number) >= MAX_MOVES
    }

    fn take_placements(
        &mut self,
        _: &mut Eval<'_, W>,
        _: &Leaf,
        sites: &Set<W>,
        _: i32,
    ) -> Option<bool> {
        let most = MAX_MOVES as u32 - u32::from(self.number);
        self.number += sites.len().min(most) as u16;
        self.pass &= sites.is_empty();
        Some(usize::from(self.number) >= MAX_MOVES)
    }

    fn offered(&self) -> Option<u16> {
        Some(self.number)
    }

    fn pass_over(&mut self, count: u16) -> bool {
        self.number = self.number.saturating_add(count);
        true
    }

    fn remaining(&self) -> u16 {
        (MAX_MOVES as u16).saturating_sub(self.number)
    }

    fn hear_of_last(&mut self, pass: bool) {
        self.pass = pass;
    }
}

/// Makes the move of a number; `None` if it is not legal.
pub(crate) struct NthMove {
    wanted: u16,
    /// Moves offered so far.
    number: u16,
    pub(crate) found: Option<Move>,
}

impl NthMove {
    pub(crate) fn new(wanted: u16) -> NthMove {
        NthMove { wanted, number: 0, found: None }
    }

    fn go_on(&mut self, made: impl FnOnce() -> Option<Move>) -> bool {
        if self.number == self.wanted {
            self.found = made();
            return true;
        }
        self.number = self.number.saturating_add(1);
        false
    }
}

impl<const W: usize> MoveVisitor<W> for NthMove {
    fn wants_acts(&self) -> bool {
        self.number == self.wanted
    }

    fn take(&mut self, eval: &mut Eval<'_, W>, leaf: &Leaf, ends: Ends) -> bool {
        self.go_on(|| Some(eval.made(leaf, ends)))
    }

    fn take_move(&mut self, _: &mut Eval<'_, W>, made: Move) -> bool {
        self.go_on(|| Some(made))
    }

    fn take_placements(
        &mut self,
        eval: &mut Eval<'_, W>,
        leaf: &Leaf,
        sites: &Set<W>,
        piece: i32,
    ) -> Option<bool> {
        let place = self.wanted.checked_sub(self.number).map(u32::from)?;
        let Some(site) = sites.nth(place) else {
            self.number += sites.len() as u16;
            return Some(false);
        };
        self.number = self.wanted;
        Some(eval.give(leaf, site, site, piece, self))
    }

    fn skip(&mut self) -> bool {
        self.go_on(|| None)
    }

    fn offered(&self) -> Option<u16> {
        Some(self.number)
    }

    fn remaining(&self) -> u16 {
        self.wanted.saturating_sub(self.number)
    }

    fn pass_over(&mut self, count: u16) -> bool {
        let over = self.wanted.checked_sub(self.number).is_some_and(|left| left >= count);
        if over {
            self.number += count;
        }
        over
    }
}

/// Makes the moves of some numbers, ascending, as far as they are legal.
pub(crate) struct NthMoves<'a> {
    next: NthMove,
    /// The numbers behind the next one.
    rest: &'a [u16],
    pub(crate) found: Buffer<(u16, Move)>,
}

impl<'a> NthMoves<'a> {
    pub(crate) fn new(first: u16, rest: &'a [u16]) -> NthMoves<'a> {
        NthMoves { next: NthMove::new(first), rest, found: Buffer::new() }
    }

    /// Goes on to the next number once that of the one before has come.
    fn go_on(&mut self, came: bool) -> bool {
        if !came {
            return false;
        }
        let number = self.next.wanted;
        self.found.extend(self.next.found.take().map(|made| (number, made)));
        let Some((&wanted, rest)) = self.rest.split_first() else { return true };
        self.next = NthMove { wanted, number: number.saturating_add(1), found: None };
        self.rest = rest;
        false
    }
}

impl<const W: usize> MoveVisitor<W> for NthMoves<'_> {
    fn inner(&self) -> Option<&dyn MoveVisitor<W>> {
        Some(&self.next)
    }

    fn inner_mut(&mut self) -> Option<&mut dyn MoveVisitor<W>> {
        Some(&mut self.next)
    }

    fn take(&mut self, eval: &mut Eval<'_, W>, leaf: &Leaf, ends: Ends) -> bool {
        let came = self.next.take(eval, leaf, ends);
        self.go_on(came)
    }

    fn take_move(&mut self, eval: &mut Eval<'_, W>, made: Move) -> bool {
        let came = self.next.take_move(eval, made);
        self.go_on(came)
    }

    fn skip(&mut self) -> bool {
        let came = MoveVisitor::<W>::skip(&mut self.next);
        self.go_on(came)
    }
}

/// Passes moves on and knows whether there was any.
pub(crate) struct Counting<'a, const W: usize> {
    visitor: &'a mut dyn MoveVisitor<W>,
    pub(crate) any: bool,
    /// True if who takes them wants no more.
    pub(super) stopped: bool,
}

impl<'a, const W: usize> Counting<'a, W> {
    pub(crate) fn new(visitor: &'a mut dyn MoveVisitor<W>) -> Counting<'a, W> {
        Counting { visitor, any: false, stopped: false }
    }
}

impl<const W: usize> MoveVisitor<W> for Counting<'_, W> {
    fn inner(&self) -> Option<&dyn MoveVisitor<W>> {
        Some(self.visitor)
    }

    fn inner_mut(&mut self) -> Option<&mut dyn MoveVisitor<W>> {
        Some(self.visitor)
    }

    /// True if there are moves to elsewhere matters here.
    fn wants(&self, _to: i16) -> bool {
        true
    }

    fn wanted(&self) -> Option<i16> {
        None
    }

    fn take(&mut self, eval: &mut Eval<'_, W>, leaf: &Leaf, ends: Ends) -> bool {
        self.any = true;
        self.stopped = self.visitor.take(eval, leaf, ends);
        self.stopped
    }

    fn take_move(&mut self, eval: &mut Eval<'_, W>, made: Move) -> bool {
        self.any = true;
        self.stopped = self.visitor.take_move(eval, made);
        self.stopped
    }

    fn skip(&mut self) -> bool {
        self.stopped = self.visitor.skip();
        self.stopped
    }

    fn pass_over(&mut self, count: u16) -> bool {
        let over = self.visitor.pass_over(count);
        self.any |= over && count > 0;
        over
    }
}

/// Passes moves on with a change to what they do.
pub(crate) struct Mapped<'a, F, const W: usize> {
    visitor: &'a mut dyn MoveVisitor<W>,
    change: F,
}

impl<'a, F: FnMut(&mut Move), const W: usize> Mapped<'a, F, W> {
    pub(crate) fn new(visitor: &'a mut dyn MoveVisitor<W>, change: F) -> Mapped<'a, F, W> {
        Mapped { visitor, change }
    }
}

impl<F: FnMut(&mut Move), const W: usize> MoveVisitor<W> for Mapped<'_, F, W> {
    fn inner(&self) -> Option<&dyn MoveVisitor<W>> {
        Some(self.visitor)
    }

    fn inner_mut(&mut self) -> Option<&mut dyn MoveVisitor<W>> {
        Some(self.visitor)
    }

    fn take(&mut self, eval: &mut Eval<'_, W>, leaf: &Leaf, ends: Ends) -> bool {
        if !self.wants_acts() {
            return self.visitor.take(eval, leaf, ends);
        }
        let made = eval.made(leaf, ends);
        self.take_move(eval, made)
    }

    fn take_move(&mut self, eval: &mut Eval<'_, W>, mut made: Move) -> bool {
        if self.wants_acts() {
            (self.change)(&mut made);
        }
        self.visitor.take_move(eval, made)
    }
}

/// Passes on the moves of a second part, found after a first one: in the state before both.
pub(crate) struct Prefixed<'a, const W: usize> {
    visitor: &'a mut dyn MoveVisitor<W>,
    outer: Eval<'a, W>,
    /// What the first part does.
    before: &'a [Act],
    pub(super) any: bool,
}

impl<'a, const W: usize> Prefixed<'a, W> {
    pub(super) fn new(
        outer: &'a Eval<'_, W>,
        visitor: &'a mut dyn MoveVisitor<W>,
        before: &'a [Act],
    ) -> Prefixed<'a, W> {
        Prefixed { visitor, outer: outer.within(outer.state), before, any: false }
    }
}

impl<const W: usize> MoveVisitor<W> for Prefixed<'_, W> {
    fn inner(&self) -> Option<&dyn MoveVisitor<W>> {
        Some(self.visitor)
    }

    fn inner_mut(&mut self) -> Option<&mut dyn MoveVisitor<W>> {
        Some(self.visitor)
    }

    fn pass_over(&mut self, count: u16) -> bool {
        let over = self.visitor.pass_over(count);
        self.any |= over && count > 0;
        over
    }

    fn take(&mut self, eval: &mut Eval<'_, W>, leaf: &Leaf, ends: Ends) -> bool {
        self.any = true;
        if !self.wants_acts() {
            return self.visitor.take(&mut self.outer, leaf, ends);
        }
        let made = eval.made(leaf, ends);
        self.take_move(eval, made)
    }

    fn take_move(&mut self, _: &mut Eval<'_, W>, mut made: Move) -> bool {
        self.any = true;
        if self.wants_acts() {
            made.acts.put_in(0, self.before);
        }
        self.visitor.take_move(&mut self.outer, made)
    }
}

/// What must hold for a move to be legal, once it has been made.
#[derive(Clone, Copy)]
pub(crate) enum Test<'a> {
    /// A condition of the rules.
    After(&'a Bool),
    /// The position is not the one stored.
    Stored,
    /// The position has not been there before.
    Repetition,
}

/// Passes on the moves that pass a test; while moves are listed to draw one of them, all that may.
pub(crate) struct Tested<'a, const W: usize> {
    visitor: &'a mut dyn MoveVisitor<W>,
    test: Test<'a>,
    mode: Mode,
    /// What is bound and who moves where the test is made.
    iters: [i32; ITERS],
    iterated: Set<W>,
    turns: Turns,
    /// Whether all constraints of a puzzle hold before the moves, once it has been asked.
    consistent: Option<bool>,
}

impl<'a, const W: usize> Tested<'a, W> {
    pub(crate) fn new(
        eval: &Eval<'_, W>,
        visitor: &'a mut dyn MoveVisitor<W>,
        test: Test<'a>,
    ) -> Tested<'a, W> {
        Tested::amid(eval, visitor, test, eval.iters)
    }

    /// As [`Tested::new`], with other variables bound.
    pub(crate) fn amid(
        eval: &Eval<'_, W>,
        visitor: &'a mut dyn MoveVisitor<W>,
        test: Test<'a>,
        iters: [i32; ITERS],
    ) -> Tested<'a, W> {
        let Eval { mode, iterated, turns, .. } = *eval;
        Tested { visitor, test, mode, iters, iterated, turns, consistent: None }
    }

    /// True if the next move is tested now.
    fn tests(&self) -> bool {
        match self.mode {
            Mode::Exact => true,
            Mode::Drawing | Mode::Known => false,
            Mode::Drawn => self.visitor.wants_acts(),
        }
    }

    fn passes(&mut self, eval: &mut Eval<'_, W>, made: &Move) -> bool {
        let mut eval = eval.within(eval.state);
        (eval.iters, eval.iterated, eval.turns) = (self.iters, self.iterated, self.turns);
        (eval.mode, eval.notes) = (Mode::Exact, None);
        eval.chance = eval.chance_aside();
        match self.test {
            Test::After(condition) => match &eval.game.puzzle {
                // What held before still holds where nobody asks for the new value.
                Some(puzzle)
                    if *self.consistent.get_or_insert_with(|| eval.is_consistent(puzzle)) =>
                {
                    eval.stays_consistent(puzzle, made)
                }
                _ => eval.holds_after(made, condition),
            },
            Test::Stored => {
                let mut after = eval.afterwards();
                eval.do_in(&mut after, made);
                after.position_hash() != eval.state.head.record.stored
            }
            Test::Repetition => !eval.game.is_repetition(eval.state, made),
        }
    }
}

impl<const W: usize> MoveVisitor<W> for Tested<'_, W> {
    fn inner(&self) -> Option<&dyn MoveVisitor<W>> {
        Some(self.visitor)
    }

    fn inner_mut(&mut self) -> Option<&mut dyn MoveVisitor<W>> {
        Some(self.visitor)
    }

    fn asks_existence(&self) -> bool {
        false
    }

    fn lend(&mut self) -> Option<Buffer<i32>> {
        match self.mode {
            Mode::Drawing | Mode::Known => self.visitor.lend(),
            _ => None,
        }
    }

    fn give_back(&mut self, moves: Buffer<i32>) {
        self.visitor.give_back(moves);
    }

    fn wants_acts(&self) -> bool {
        self.tests() || self.visitor.wants_acts()
    }

    fn take(&mut self, eval: &mut Eval<'_, W>, leaf: &Leaf, ends: Ends) -> bool {
        if !self.wants_acts() {
            return self.visitor.take(eval, leaf, ends);
        }
        if !self.visitor.wants(ends.to) {
            return false;
        }
        let made = eval.made(leaf, ends);
        if self.tests() && !self.passes(eval, &made) {
            return self.visitor.skip();
        }
        if self.visitor.wants_acts() {
            self.visitor.take_move(eval, made)
        } else {
            self.visitor.take(eval, leaf, ends)
        }
    }

    fn take_move(&mut self, eval: &mut Eval<'_, W>, made: Move) -> bool {
        if !self.visitor.wants(made.to) {
            return false;
        }
        if self.tests() && !self.passes(eval, &made) {
            return self.visitor.skip();
        }
        self.visitor.take_move(eval, made)
    }
}
