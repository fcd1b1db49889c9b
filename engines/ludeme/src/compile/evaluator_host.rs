//! The host of code that runs within the evaluator, in the place of a generator or a condition: the
//! arrays that it lends, and the services for which code calls the evaluator.

use super::arrays::{
    ANYWHERE, CELLS, FRAME, GATHERED, GIVEN, LIST, SCRATCH, SERVICES, STATE, Service, Slot,
};
use super::memory::Memory;
use super::program::Program;
use crate::buffer::Buffer;
use crate::eval::{CompiledRules, Counting, Eval, Mapped, MoveVisitor, Test, Tested};
use crate::ir::{CodeId, EvaluatedParts, ITERS, Iter, SourceKind, Wrapper};
use crate::moves::Ends;
use kernel::ir::HostId;
use kernel::{Host, Loans};

/// The host of one run of code.
struct EvaluatorHost<'a, 'g> {
    eval: &'a mut Eval<'g>,
    /// The visitor of the moves; `None` for conditions.
    out: Option<&'a mut dyn MoveVisitor>,
    /// The nodes of the rules for which the code calls the evaluator.
    parts: &'a EvaluatedParts,
    memory: &'a mut Memory,
    /// The moves that code has gathered and the visitor has not got yet.
    moves: Buffer<i32>,
    /// The number of moves to be passed over, as the visitor said when it was last asked.
    skip: i32,
}

impl CompiledRules for Program {
    fn run_generator(&self, eval: &mut Eval<'_>, code: CodeId, out: &mut dyn MoveVisitor) -> bool {
        let compiled = self.code(code);
        let before = eval.variables();
        let tests = compiled.tests && out.wants_tests();
        let moves = if tests { None } else { out.lend() };
        let mut memory = Memory::default();
        let mut host = EvaluatorHost::new(eval, &compiled.parts, &mut memory);
        *host.memory.slot(Slot::Gathers) = i32::from(moves.is_some());
        host.moves = moves.unwrap_or_default();
        *host.memory.slot(Slot::Wanted) = out.wanted_site().map_or(ANYWHERE, i32::from);
        host.out = Some(out);
        host.ask_for_skip();
        let mut stopped = self.run(&mut host, compiled.function) != 0;
        host.pass_over();
        stopped |= host.flush();
        let moves = std::mem::take(&mut host.moves);
        if !moves.is_empty() {
            out.give_back(moves);
        }
        if stopped {
            eval.set_variables(before);
        } else {
            memory.lend_variables(eval);
        }
        stopped
    }

    fn run_condition(&self, eval: &mut Eval<'_>, code: CodeId) -> bool {
        let compiled = self.code(code);
        let mut memory = Memory::default();
        let mut host = EvaluatorHost::new(eval, &compiled.parts, &mut memory);
        let holds = self.run(&mut host, compiled.function) != 0;
        memory.lend_variables(eval);
        holds
    }
}

impl<'a, 'g> EvaluatorHost<'a, 'g> {
    /// A host with memory that has not been used.
    fn new(
        eval: &'a mut Eval<'g>,
        parts: &'a EvaluatedParts,
        memory: &'a mut Memory,
    ) -> EvaluatorHost<'a, 'g> {
        memory.begin_new(eval.state, eval.turns, eval.variables());
        *memory.slot(Slot::Stalemated) = eval.stalemated as i32;
        *memory.slot(Slot::Threatens) = i32::from(eval.is_threatening());
        EvaluatorHost { eval, out: None, parts, memory, moves: Buffer::new(), skip: 0 }
    }

    /// A number of the frame, which code and host share.
    fn slot(&mut self, slot: Slot) -> &mut i32 {
        self.memory.slot(slot)
    }

    /// Tells the visitor how many moves code has passed over.
    fn pass_over(&mut self) {
        let passed = self.skip - *self.slot(Slot::Skip);
        self.skip -= passed;
        if let Some(out) = self.out.as_mut().filter(|_| passed > 0) {
            out.pass_over(passed.clamp(0, i32::from(u16::MAX)) as u16);
        }
    }

    /// Asks the visitor how many of the next moves do not matter to it.
    fn ask_for_skip(&mut self) {
        self.skip = self.out.as_ref().map_or(0, |out| i32::from(out.unwanted()));
        *self.slot(Slot::Skip) = self.skip;
    }

    /// Gives the gathered moves to the visitor; true if it wants no more.
    fn flush(&mut self) -> bool {
        // Code of a condition gathers no moves.
        let Some(out) = &mut self.out else { return true };
        let gathered = std::mem::take(self.memory.slot(Slot::Gathered)) as usize;
        let moves = self.moves.chunks_exact(GATHERED).take(gathered);
        let mut stopped = false;
        for of in moves {
            let Some(source) = self.parts.sources.get(of[0] as usize) else { continue };
            stopped = stopped
                || take(&source.kind, self.eval, &mut **out, [of[1], of[2], of[3]], &of[4..]);
        }
        stopped
    }

    /// Gives the visitor a move of the source of a number; true if it wants no more.
    fn take(&mut self, number: i32, move_: [i32; 3]) -> bool {
        self.pass_over();
        self.memory.lend_variables(self.eval);
        let Some(source) = self.parts.sources.get(number as usize) else { return false };
        let Some(out) = &mut self.out else { return false };
        let extra = &self.memory.frame[Slot::Extra as usize..=Slot::LastExtra as usize];
        let given = GivenMove { kind: &source.kind, ends: move_, extra };
        let frame = &self.memory.frame;
        let saved = |number: usize, _| {
            let mut variables = [0; ITERS];
            let from = Slot::Saved as usize + number * ITERS;
            variables.copy_from_slice(&frame[from..from + ITERS]);
            variables
        };
        let stopped = wrapped(self.eval, self.parts, &saved, &source.wrappers, &given, &mut **out);
        self.ask_for_skip();
        stopped
    }

    /// Runs the evaluator for a generator; true if the visitor wants no more. If `counts` is true,
    /// the frame is told if the generator gave a move.
    fn generate(&mut self, number: i32, counts: bool) -> bool {
        let Some(moves) = self.parts.moves.get(number as usize) else { return false };
        self.pass_over();
        if self.flush() {
            return true;
        }
        self.memory.lend_variables(self.eval);
        let moves_lent = std::mem::take(&mut self.moves);
        let Some(out) = &mut self.out else { return false };
        let lent = !moves_lent.is_empty();
        if lent {
            out.give_back(moves_lent);
        }
        let (stopped, any) = if counts {
            let mut counting = Counting::new(&mut **out);
            let stopped = self.eval.generate(moves, &mut counting);
            (stopped, counting.any)
        } else {
            (self.eval.generate(moves, &mut **out), false)
        };
        if lent {
            self.moves = out.lend().unwrap_or_default();
        }
        *self.slot(Slot::Given) += i32::from(any);
        self.ask_for_skip();
        self.memory.take_back_variables(self.eval);
        stopped
    }
}

impl Host for EvaluatorHost<'_, '_> {
    #[inline(always)]
    fn lend<'l>(&'l mut self, loans: &mut Loans<'l>) {
        loans.ints_mut(FRAME, &mut self.memory.frame);
        loans.ints_mut(GIVEN, &mut self.moves);
        loans.ints_mut(LIST, &mut self.memory.list);
        loans.sets(SCRATCH, &self.memory.scratch);
        loans.ints(CELLS, self.eval.state.cells());
        loans.sets(STATE, self.eval.state.words());
    }

    fn call(&mut self, function: HostId, arguments: &[i32]) -> i32 {
        let Some(&(service, ..)) = SERVICES.get(function.0 as usize) else { return 0 };
        let first = arguments.first().copied().unwrap_or(-1);
        let at = first as usize;
        match service {
            Service::Take => match *arguments {
                [source, from, to, piece] => i32::from(self.take(source, [from, to, piece])),
                _ => 0,
            },
            Service::Flush => i32::from(self.flush()),
            Service::Generate => {
                let counts = arguments.get(1).is_some_and(|&counts| counts != 0);
                i32::from(self.generate(first, counts))
            }
            // The visitor asks only if there is a move.
            Service::First if self.out.as_ref().is_some_and(|out| out.asks_existence()) => -1,
            Service::Test | Service::Int | Service::Region | Service::List | Service::First => {
                self.memory.answer(self.eval, self.parts, service, at).unwrap_or(0)
            }
            // Code within the evaluator makes no moves.
            Service::Effects
            | Service::CarryOut
            | Service::Act
            | Service::Room
            | Service::DrawCounted
            | Service::TakeBack
            | Service::Copy
            | Service::PutBack
            | Service::Settle
            | Service::Remember
            | Service::FirstOfItsKind
            | Service::Reject => 0,
        }
    }
}

/// A move that code gives to a visitor.
pub(super) struct GivenMove<'e> {
    /// The generator of the move.
    pub(super) kind: &'e SourceKind,
    /// Origin, destination and piece.
    pub(super) ends: [i32; 3],
    /// Further numbers, such as the path of a hop.
    pub(super) extra: &'e [i32],
}

/// The variables of the rules at the place where a test or a first part begins: by the number under
/// which the frame keeps them for a test, and by the number of binders around the place.
pub(super) type Saved<'a> = dyn Fn(usize, usize) -> [i32; ITERS] + 'a;

/// Gives a move to a visitor through the wrappers around its generator, such as legality tests.
pub(super) fn wrapped(
    eval: &mut Eval<'_>,
    parts: &EvaluatedParts,
    saved: &Saved<'_>,
    wrappers: &[Wrapper],
    given: &GivenMove<'_>,
    out: &mut dyn MoveVisitor,
) -> bool {
    let Some((outermost, rest)) = wrappers.split_first() else {
        return take(given.kind, eval, out, given.ends, given.extra);
    };
    match outermost {
        Wrapper::After { condition, saved: number, binders } => {
            let Some(condition) = parts.bools.get(*condition) else { return false };
            let variables = saved(*number, *binders);
            let mut tested = Tested::amid(eval, out, Test::After(condition), variables);
            wrapped(eval, parts, saved, rest, given, &mut tested)
        }
        Wrapper::Dice(replay_double) => {
            let replay = eval.test(replay_double);
            let acts = eval.acts_of_dice(eval.get(Iter::Dice), replay);
            let mut with = Mapped::new(out, |made| made.acts.extend_from_slice(&acts));
            wrapped(eval, parts, saved, rest, given, &mut with)
        }
        Wrapper::First(first, binders) => {
            let inside = eval.variables();
            eval.set_variables(saved(0, *binders));
            eval.after_first(first, out, |eval, out| {
                eval.set_variables(inside);
                wrapped(eval, parts, saved, rest, given, out)
            })
        }
        Wrapper::Then(then) => {
            let mut with = Mapped::new(out, |made| made.then.extend_from_slice(then));
            wrapped(eval, parts, saved, rest, given, &mut with)
        }
    }
}

/// Gives a move of a generator to a visitor.
fn take(
    kind: &SourceKind,
    eval: &mut Eval<'_>,
    out: &mut dyn MoveVisitor,
    [from, to, piece]: [i32; 3],
    extra: &[i32],
) -> bool {
    match kind {
        SourceKind::Leaf(leaf) => {
            let (from, to, piece) = (from as i16, to as i16, piece as i16);
            out.take(eval, leaf, Ends { from, to, piece })
        }
        SourceKind::Single(moves) => eval.generate(moves, out),
        SourceKind::Hop(hop) => {
            let &[path, first, length, over, ..] = extra else { return false };
            let hopped = [path, first, length, over];
            eval.take_hop(hop, (from as usize, to as u16), hopped, out)
        }
    }
}
