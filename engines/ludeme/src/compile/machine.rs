//! What code runs in: the arrays that it is lent, and the evaluator that it calls.

use kernel::Host;
use kernel::ir::{HostId, Ints, Sets};
use smallvec::SmallVec;

use super::Program;
use super::code::{
    ANYWHERE, FRAME, FRAME_LENGTH, GATHERED, LIST, MOVES, SCRATCH, SERVICES, STATE, Service, Slot,
};
use super::parts::{Compiled, Parts, SourceKind, Wrapper};
use crate::eval::{Action, Counting, Eval, Mode, Sink, Test, Tested, With};
use crate::ir::{Bool, ITERS, Iter, LeafKind, Moves};
use crate::set::Set;
use crate::state::List;

/// Rounds of all loops without a bound that code may make.
const BUDGET: u32 = 1 << 30;

/// What code runs in.
struct Machine<'a, 'g, 'm, const W: usize> {
    eval: &'a mut Eval<'g, W>,
    sink: Option<&'a mut dyn Sink<'m, W>>,
    parts: &'m Parts,
    frame: [i32; FRAME_LENGTH],
    /// Moves that are gathered.
    moves: Vec<i32>,
    list: SmallVec<[i32; 16]>,
    /// What the evaluator has worked out, and the sites to be cleared when the turn ends.
    scratch: [[u64; W]; 2],
    /// How many moves were to be passed over when the sink was last asked.
    skip: i32,
}

impl<const W: usize> Eval<'_, W> {
    /// Runs the code of a generator; true if the sink stopped it.
    pub(crate) fn run_generator<'m>(
        &mut self,
        compiled: &'m Compiled<Moves>,
        sink: &mut dyn Sink<'m, W>,
    ) -> bool {
        let Some(program) = &self.game.program else {
            return self.generate(&compiled.rules, sink);
        };
        let before = self.variables();
        let tests = self.mode == Mode::Exact && compiled.parts.tests();
        let moves = if tests { None } else { sink.lend() };
        let mut machine = Machine::new(self, &compiled.parts);
        machine.frame[Slot::Gathers as usize] = i32::from(moves.is_some());
        machine.moves = moves.unwrap_or_default();
        machine.frame[Slot::Wanted as usize] = sink.wanted().map_or(ANYWHERE, i32::from);
        machine.sink = Some(sink);
        machine.ask_for_skip();
        let mut stopped = program.run(&mut machine, compiled.function) != 0;
        machine.pass_over();
        stopped |= machine.flush();
        let last = machine.frame[Slot::LastSource as usize];
        if let Some(sink) = &mut machine.sink {
            sink.hear_of_last(machine.parts.is_pass(last));
        }
        let (moves, frame) = (std::mem::take(&mut machine.moves), machine.frame);
        drop(machine);
        if !moves.is_empty() {
            sink.give_back(moves);
        }
        if stopped {
            self.set_variables(before);
        } else {
            self.take_variables(&frame);
        }
        stopped
    }

    /// Runs the code of a condition.
    pub(crate) fn run_condition(&mut self, compiled: &Compiled<Bool>) -> bool {
        let Some(program) = &self.game.program else { return self.test(&compiled.rules) };
        let mut machine = Machine::new(self, &compiled.parts);
        let holds = program.run(&mut machine, compiled.function) != 0;
        let frame = machine.frame;
        self.take_variables(&frame);
        holds
    }

    fn take_variables(&mut self, frame: &[i32; FRAME_LENGTH]) {
        let mut variables = [0; ITERS];
        variables.copy_from_slice(&frame[..ITERS]);
        self.set_variables(variables);
    }
}

impl<'a, 'g, 'm, const W: usize> Machine<'a, 'g, 'm, W> {
    fn new(eval: &'a mut Eval<'g, W>, parts: &'m Parts) -> Machine<'a, 'g, 'm, W> {
        let mut frame = [0; FRAME_LENGTH];
        frame[..ITERS].copy_from_slice(&eval.variables());
        let head = &eval.state.head;
        let record = &head.record;
        let numbers = [
            (Slot::Mover, i32::from(eval.turns.mover)),
            (Slot::Next, i32::from(eval.turns.next)),
            (Slot::Prev, i32::from(eval.turns.prev)),
            (Slot::LastTo, i32::from(head.last_to)),
            (Slot::LastFrom, i32::from(head.last_from)),
            (Slot::LastToAfter, i32::from(record.to_after)),
            (Slot::LastFromAfter, i32::from(record.from_after)),
            (Slot::LevelTo, i32::from(record.level_to)),
            (Slot::LevelFrom, i32::from(record.level_from)),
            (Slot::Counter, head.counter),
            (Slot::Moves, head.moves as i32),
            (Slot::Turns, head.turn_number as i32),
            (Slot::MovesThisTurn, head.moves_this_turn as i32),
            (Slot::Active, head.active as i32),
            (Slot::Pips, record.pips),
            (Slot::HasPending, i32::from(head.pending_number.is_some())),
            (Slot::Pending, head.pending_number.unwrap_or(0)),
            (Slot::Wanted, ANYWHERE),
            (Slot::LastSource, -1),
        ];
        let to_clear: Set<W> =
            eval.state.list(List::ToClear).iter().map(|&s| usize::from(s)).collect();
        for (slot, number) in numbers {
            frame[slot as usize] = number;
        }
        Machine {
            eval,
            sink: None,
            parts,
            frame,
            moves: Vec::new(),
            list: SmallVec::new(),
            scratch: [[0; W], to_clear.0],
            skip: 0,
        }
    }

    fn slot(&mut self, slot: Slot) -> &mut i32 {
        &mut self.frame[slot as usize]
    }

    /// Tells the sink what has been passed over.
    fn pass_over(&mut self) {
        let passed = self.skip - *self.slot(Slot::Skip);
        self.skip -= passed;
        if let Some(sink) = self.sink.as_mut().filter(|_| passed > 0) {
            sink.pass_over(passed.clamp(0, i32::from(u16::MAX)) as u16);
        }
    }

    fn ask_for_skip(&mut self) {
        self.skip = self.sink.as_ref().map_or(0, |sink| i32::from(sink.remaining()));
        *self.slot(Slot::Skip) = self.skip;
    }

    /// Lets the evaluator know what is bound.
    fn lend_variables(&mut self) {
        self.eval.take_variables(&self.frame);
    }

    fn take_back_variables(&mut self) {
        self.frame[..ITERS].copy_from_slice(&self.eval.variables());
    }

    /// Hands on the moves gathered; true if no more are wanted.
    fn flush(&mut self) -> bool {
        let gathered = std::mem::take(self.slot(Slot::Gathered)) as usize;
        let Some(sink) = &mut self.sink else { return false };
        let moves = self.moves.chunks_exact(GATHERED).take(gathered);
        let mut stopped = false;
        for of in moves {
            let Some(source) = self.parts.sources.get(of[0] as usize) else { continue };
            stopped = stopped || source.kind.list(self.eval, &mut **sink, [of[1], of[2], of[3]]);
        }
        stopped
    }

    fn take(&mut self, number: i32, move_: [i32; 3]) -> bool {
        self.pass_over();
        self.lend_variables();
        let Some(source) = self.parts.sources.get(number as usize) else { return false };
        let hop = [Slot::HopPath, Slot::HopFirst, Slot::HopLength, Slot::HopOver]
            .map(|slot| self.frame[slot as usize]);
        let Some(sink) = &mut self.sink else { return false };
        let given = Given { kind: &source.kind, ends: move_, hop };
        let stopped =
            wrapped(self.eval, self.parts, &self.frame, &source.wrappers, &given, &mut **sink);
        self.ask_for_skip();
        stopped
    }

    fn generate(&mut self, number: i32) -> bool {
        let Some(moves) = self.parts.moves.get(number as usize) else { return false };
        self.pass_over();
        if self.flush() {
            return true;
        }
        self.lend_variables();
        let moves_lent = std::mem::take(&mut self.moves);
        let Some(sink) = &mut self.sink else { return false };
        let lent = !moves_lent.is_empty();
        if lent {
            sink.give_back(moves_lent);
        }
        let before = sink.offered();
        let (stopped, any) = match before {
            Some(before) => {
                let stopped = self.eval.generate(moves, &mut **sink);
                (stopped, sink.offered() != Some(before))
            }
            None => {
                let mut counting = Counting::new(&mut **sink);
                let stopped = self.eval.generate(moves, &mut counting);
                (stopped, counting.any)
            }
        };
        if lent {
            self.moves = sink.lend().unwrap_or_default();
        }
        *self.slot(Slot::Given) += i32::from(any);
        self.ask_for_skip();
        self.take_back_variables();
        stopped
    }

    /// The first of some generators that gives a move, or the last one; -1 if nobody asks for more than
    /// whether there is any.
    fn first(&mut self, number: i32) -> i32 {
        let Some(Moves::Priority(list)) = self.parts.moves.get(number as usize) else { return -1 };
        if self.sink.as_ref().is_some_and(|sink| sink.asks_existence()) {
            return -1;
        }
        self.lend_variables();
        self.eval.first_with_moves(list) as i32
    }
}

impl<const W: usize> Host for Machine<'_, '_, '_, W> {
    fn ints(&self, array: Ints) -> &[i32] {
        let state = self.eval.state;
        match array {
            FRAME => &self.frame,
            MOVES => &self.moves,
            LIST => &self.list,
            Ints(number) => state.numbers(number - LIST.0 - 1),
        }
    }

    fn ints_mut(&mut self, array: Ints) -> &mut [i32] {
        match array {
            FRAME => &mut self.frame,
            MOVES => &mut self.moves,
            LIST => &mut self.list,
            _ => &mut [],
        }
    }

    fn sets(&self, array: Sets) -> &[u64] {
        match array {
            STATE => self.eval.state.words(),
            SCRATCH => self.scratch.as_flattened(),
            _ => &[],
        }
    }

    fn sets_mut(&mut self, _: Sets) -> &mut [u64] {
        &mut []
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
            Service::Generate => i32::from(self.generate(first)),
            Service::First => self.first(first),
            Service::Test => {
                let Some(condition) = self.parts.bools.get(at) else { return 0 };
                self.lend_variables();
                let holds = self.eval.test(condition);
                self.take_back_variables();
                i32::from(holds)
            }
            Service::Int => {
                let Some(int) = self.parts.ints.get(at) else { return 0 };
                self.lend_variables();
                let value = self.eval.int(int);
                self.take_back_variables();
                value
            }
            Service::Region => {
                let Some(region) = self.parts.regions.get(at) else { return 0 };
                self.lend_variables();
                self.scratch[0] = self.eval.region(region).0;
                self.take_back_variables();
                0
            }
            Service::List => {
                let Some(list) = self.parts.lists.get(at) else { return 0 };
                self.lend_variables();
                let numbers = self.eval.ints(list);
                self.take_back_variables();
                let start = *self.slot(Slot::Listed) as usize;
                self.list.truncate(start);
                self.list.extend_from_slice(&numbers);
                *self.slot(Slot::Listed) = self.list.len() as i32;
                self.list.len() as i32
            }
        }
    }
}

/// A move that code gives: its generator, its origin, destination and piece, and which hop it is.
struct Given<'m> {
    kind: &'m SourceKind,
    ends: [i32; 3],
    hop: [i32; 4],
}

/// Gives a move to a sink through what it has to go through.
fn wrapped<'m, const W: usize>(
    eval: &mut Eval<'_, W>,
    parts: &'m Parts,
    frame: &[i32; FRAME_LENGTH],
    wrappers: &'m [Wrapper],
    given: &Given<'m>,
    sink: &mut dyn Sink<'m, W>,
) -> bool {
    let Some((outermost, rest)) = wrappers.split_first() else {
        return given.kind.take(eval, sink, given.ends, given.hop);
    };
    match outermost {
        Wrapper::After { condition, saved } => {
            let Some(condition) = parts.bools.get(*condition) else { return false };
            let mut variables = [0; ITERS];
            let from = Slot::Saved as usize + saved * ITERS;
            variables.copy_from_slice(&frame[from..from + ITERS]);
            let mut tested = Tested::amid(eval, sink, Test::After(condition), variables);
            wrapped(eval, parts, frame, rest, given, &mut tested)
        }
        Wrapper::Then(then) => {
            let mut with = With::new(sink, |made| made.then.extend_from_slice(then));
            wrapped(eval, parts, frame, rest, given, &mut with)
        }
    }
}

impl SourceKind {
    /// Gives a move to a sink that only lists.
    fn list<'m, const W: usize>(
        &'m self,
        eval: &mut Eval<'_, W>,
        sink: &mut dyn Sink<'m, W>,
        [from, to, piece]: [i32; 3],
    ) -> bool {
        self.take(eval, sink, [from, to, piece], [-1, 0, 0, 0])
    }

    fn take<'m, const W: usize>(
        &'m self,
        eval: &mut Eval<'_, W>,
        sink: &mut dyn Sink<'m, W>,
        [from, to, piece]: [i32; 3],
        hop_taken: [i32; 4],
    ) -> bool {
        match self {
            SourceKind::Leaf(leaf) => {
                let bound = [Iter::Site, Iter::Player, Iter::Value].map(|i| eval.get(i) as i16);
                let (from, to, piece) = (from as i16, to as i16, piece as i16);
                sink.take(eval, leaf, Action { leaf: leaf.id, from, to, piece, bound })
            }
            SourceKind::Hop(hop) => eval.take_hop(hop, (from as usize, to as u16), hop_taken, sink),
        }
    }
}

impl Parts {
    /// Whether moves are tested before they are taken.
    fn tests(&self) -> bool {
        self.sources.iter().flat_map(|s| &s.wrappers).any(|w| matches!(w, Wrapper::After { .. }))
    }

    fn is_pass(&self, source: i32) -> bool {
        let source = usize::try_from(source).ok().and_then(|s| self.sources.get(s));
        let kind = source.map(|source| &source.kind);
        matches!(kind, Some(SourceKind::Leaf(leaf)) if matches!(leaf.kind, LeafKind::Pass))
    }
}

impl Program {
    fn run(&self, host: &mut impl Host, function: kernel::ir::FunctionId) -> i32 {
        match &self.native {
            Some(native) => native.run(host, function, &[], &mut { BUDGET }),
            None => self.checked.interpret(host, function, &[], &mut { BUDGET }),
        }
    }
}
