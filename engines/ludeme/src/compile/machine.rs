//! What code runs in: the arrays that it is lent, and the evaluator that it calls.

use kernel::{Host, Loans};
use kernel::ir::{HostId, Ints, Sets};
use super::memory::Memory;
use super::{BUDGET, Program};
use super::code::{
    ANYWHERE, CELLS, FRAME, GATHERED, LIST, MOVES, SCRATCH, SERVICES, STATE, Service,
    Slot,
};
use crate::buffer::Buffer;
use crate::eval::{Action, Chosen, Counting, Eval, Mode, Move, Sink, Test, Tested, With};
use crate::game::Game;
use crate::ir::{
    Binder, Bool, Compiled, ITERS, Iter, LeafKind, Moves, OF_HOP, Parts, Source, SourceKind,
    Wrapper,
};
use crate::state::State;

/// What code runs in.
struct Machine<'a, 'g, 'm, const W: usize> {
    eval: &'a mut Eval<'g, W>,
    sink: Option<&'a mut dyn Sink<'m, W>>,
    parts: &'m Parts,
    memory: Memory<W>,
    /// Moves that are gathered.
    moves: Vec<i32>,
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
        let tests = self.mode == Mode::Exact && compiled.tests;
        let moves = if tests { None } else { sink.lend() };
        let mut machine = Machine::new(self, &compiled.parts);
        *machine.memory.slot(Slot::Gathers) = i32::from(moves.is_some());
        machine.moves = moves.unwrap_or_default();
        *machine.memory.slot(Slot::Wanted) = sink.wanted().map_or(ANYWHERE, i32::from);
        machine.sink = Some(sink);
        machine.ask_for_skip();
        let mut stopped = program.run(&mut machine, compiled.function) != 0;
        machine.pass_over();
        stopped |= machine.flush();
        let last = machine.memory.get(Slot::LastSource);
        if let Some(sink) = &mut machine.sink {
            sink.hear_of_last(machine.parts.is_pass(last));
        }
        let moves = std::mem::take(&mut machine.moves);
        let Machine { memory, .. } = machine;
        if !moves.is_empty() {
            sink.give_back(moves);
        }
        if stopped {
            self.set_variables(before);
        } else {
            memory.lend_variables(self);
        }
        stopped
    }

    /// Runs the code of a condition.
    pub(crate) fn run_condition(&mut self, compiled: &Compiled<Bool>) -> bool {
        let Some(program) = &self.game.program else { return self.test(&compiled.rules) };
        let mut machine = Machine::new(self, &compiled.parts);
        let holds = program.run(&mut machine, compiled.function) != 0;
        let Machine { memory, .. } = machine;
        memory.lend_variables(self);
        holds
    }
}

impl<'a, 'g, 'm, const W: usize> Machine<'a, 'g, 'm, W> {
    fn new(eval: &'a mut Eval<'g, W>, parts: &'m Parts) -> Machine<'a, 'g, 'm, W> {
        let memory = Memory::new(eval.state, eval.turns, eval.variables());
        Machine { eval, sink: None, parts, memory, moves: Vec::new(), skip: 0 }
    }

    fn slot(&mut self, slot: Slot) -> &mut i32 {
        self.memory.slot(slot)
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

    /// Hands on the moves gathered; true if no more are wanted.
    fn flush(&mut self) -> bool {
        // Without a sink there is no room for more.
        let Some(sink) = &mut self.sink else { return true };
        let gathered = std::mem::take(self.memory.slot(Slot::Gathered)) as usize;
        let moves = self.moves.chunks_exact(GATHERED).take(gathered);
        let mut stopped = false;
        for of in moves {
            let Some(source) = self.parts.sources.get(of[0] as usize) else { continue };
            stopped = stopped
                || source.kind.take(self.eval, &mut **sink, [of[1], of[2], of[3]], &of[4..]);
        }
        stopped
    }

    fn take(&mut self, number: i32, move_: [i32; 3]) -> bool {
        self.pass_over();
        self.memory.lend_variables(self.eval);
        let Some(source) = self.parts.sources.get(number as usize) else { return false };
        let Some(sink) = &mut self.sink else { return false };
        let extra = &self.memory.frame[Slot::Extra as usize..=Slot::LastExtra as usize];
        let given = Given { kind: &source.kind, ends: move_, extra };
        let frame = &self.memory.frame;
        let saved = |number: usize, _| {
            let mut variables = [0; ITERS];
            let from = Slot::Saved as usize + number * ITERS;
            variables.copy_from_slice(&frame[from..from + ITERS]);
            variables
        };
        let stopped = wrapped(self.eval, self.parts, &saved, &source.wrappers, &given, &mut **sink);
        self.ask_for_skip();
        stopped
    }

    fn generate(&mut self, number: i32, counts: bool) -> bool {
        let Some(moves) = self.parts.moves.get(number as usize) else { return false };
        self.pass_over();
        if self.flush() {
            return true;
        }
        self.memory.lend_variables(self.eval);
        let moves_lent = std::mem::take(&mut self.moves);
        let Some(sink) = &mut self.sink else { return false };
        let lent = !moves_lent.is_empty();
        if lent {
            sink.give_back(moves_lent);
        }
        let before = sink.offered();
        let (stopped, any) = match before {
            Some(before) => {
                let stopped = self.eval.part(&mut **sink, |eval, sink| eval.generate(moves, sink));
                (stopped, sink.offered() != Some(before))
            }
            None if !counts => (self.eval.generate(moves, &mut **sink), false),
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
        self.memory.take_back_variables(self.eval);
        stopped
    }

    /// The first of some generators that gives a move, or the last one; -1 if nobody asks for more than
    /// whether there is any.
    fn first(&mut self, number: i32) -> i32 {
        let Some(Moves::Priority(list)) = self.parts.moves.get(number as usize) else { return -1 };
        if self.sink.as_ref().is_some_and(|sink| sink.asks_existence()) {
            return -1;
        }
        self.memory.lend_variables(self.eval);
        self.eval.first_with_moves(list) as i32
    }
}

impl<const W: usize> Host for Machine<'_, '_, '_, W> {
    #[inline(always)]
    fn lend<'l>(&'l mut self, loans: &mut Loans<'l>) {
        loans.ints_mut(FRAME, &mut self.memory.frame);
        loans.ints_mut(MOVES, &mut self.moves);
        loans.ints_mut(LIST, &mut self.memory.list);
        loans.sets(SCRATCH, self.memory.scratch.as_flattened());
        loans.ints(CELLS, self.eval.state.cells());
        loans.sets(STATE, self.eval.state.words());
    }

    #[inline(always)]
    fn ints(&self, array: Ints) -> &[i32] {
        let state = self.eval.state;
        match array {
            FRAME => &self.memory.frame,
            MOVES => &self.moves,
            LIST => &self.memory.list,
            CELLS => state.cells(),
            _ => &[],
        }
    }

    #[inline(always)]
    fn ints_mut(&mut self, array: Ints) -> &mut [i32] {
        match array {
            FRAME => &mut self.memory.frame,
            MOVES => &mut self.moves,
            LIST => &mut self.memory.list,
            _ => &mut [],
        }
    }

    #[inline(always)]
    fn sets(&self, array: Sets) -> &[u64] {
        match array {
            STATE => self.eval.state.words(),
            SCRATCH => self.memory.scratch.as_flattened(),
            _ => &[],
        }
    }

    #[inline(always)]
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
            Service::Generate => {
                let counts = arguments.get(1).is_some_and(|&counts| counts != 0);
                i32::from(self.generate(first, counts))
            }
            Service::First => self.first(first),
            Service::Test | Service::Int | Service::Region | Service::List => {
                self.memory.answer(self.eval, self.parts, service, at).unwrap_or(0)
            }
            // Nothing is done in a state that is only looked at.
            Service::Effects | Service::CarryOut | Service::Act | Service::Room => 0,
        }
    }
}

/// A move that code gives: its generator, its origin, destination and piece, and what else is known.
struct Given<'m, 'e> {
    kind: &'m SourceKind,
    ends: [i32; 3],
    extra: &'e [i32],
}

/// What was bound where a test begins, by the number under which it is kept, and by the number of
/// binders that were around it.
type Saved<'a> = dyn Fn(usize, usize) -> [i32; ITERS] + 'a;

/// Gives a move to a sink through what it has to go through.
fn wrapped<'m, const W: usize>(
    eval: &mut Eval<'_, W>,
    parts: &'m Parts,
    saved: &Saved<'_>,
    wrappers: &'m [Wrapper],
    given: &Given<'m, '_>,
    sink: &mut dyn Sink<'m, W>,
) -> bool {
    let Some((outermost, rest)) = wrappers.split_first() else {
        return given.kind.take(eval, sink, given.ends, given.extra);
    };
    match outermost {
        Wrapper::After { condition, saved: number, binders } => {
            let Some(condition) = parts.bools.get(*condition) else { return false };
            let variables = saved(*number, *binders);
            let mut tested = Tested::amid(eval, sink, Test::After(condition), variables);
            wrapped(eval, parts, saved, rest, given, &mut tested)
        }
        Wrapper::Then(then) => {
            let mut with = With::new(sink, |made| made.then.extend_from_slice(then));
            wrapped(eval, parts, saved, rest, given, &mut with)
        }
    }
}

/// The moves of a ply as code has gathered them.
pub(crate) struct Found<'a> {
    parts: &'a Parts,
    numbers: &'a [i32],
}

/// A move that has been gathered.
struct FoundMove<'a> {
    source: &'a Source,
    from: i32,
    to: i32,
    piece: i32,
    extra: &'a [i32],
}

impl<'a> Found<'a> {
    pub(super) fn new(parts: &'a Parts, numbers: &'a [i32]) -> Found<'a> {
        Found { parts, numbers }
    }

    /// How many there are.
    pub(crate) fn count(&self) -> u32 {
        (self.numbers.len() / GATHERED) as u32
    }

    fn of(&self, at: u32) -> &'a [i32] {
        &self.numbers[GATHERED * at as usize..][..GATHERED]
    }

    fn get(&self, at: u32) -> Option<FoundMove<'a>> {
        let &[source, from, to, piece, ref extra @ ..] = self.of(at) else { return None };
        let source = self.parts.sources.get(source as usize)?;
        Some(FoundMove { source, from, to, piece, extra })
    }

    /// Origin and destination of a move, and whether it is a pass.
    fn ends(&self, at: u32) -> (i32, i32, bool) {
        let of = self.of(at);
        (of[1], of[2], self.is_pass(at))
    }

    /// Whether a move is a pass.
    pub(crate) fn is_pass(&self, at: u32) -> bool {
        self.parts.is_pass(self.of(at)[0])
    }

    /// The moves before one with the same ends.
    pub(crate) fn rivals(&self, at: u32) -> impl Iterator<Item = u32> {
        (0..at).filter(move |&other| self.ends(other) == self.ends(at))
    }

    /// A move as an action, in games whose moves are actions.
    pub(crate) fn action(&self, at: u32) -> Action {
        let Some(found) = self.get(at) else { return Action::PASS };
        let SourceKind::Leaf(leaf) = &found.source.kind else { return Action::PASS };
        let bound = [Iter::Site, Iter::Player, Iter::Value]
            .map(|iter| found.variable(iter).unwrap_or(-1) as i16);
        let (from, to, piece) = (found.from as i16, found.to as i16, found.piece as i16);
        Action { leaf: leaf.id, from, to, piece, bound }
    }
}

impl FoundMove<'_> {
    /// What a variable was bound to, if that was gathered.
    fn variable(&self, iter: Iter) -> Option<i32> {
        let at = self.source.gathered.iter().position(|&known| known == iter)?;
        self.extra.get(self.source.kind.numbers() + at).copied()
    }

    /// What the first so many binders around its generator bind.
    fn bound(&self, binders: usize) -> [i32; ITERS] {
        let mut variables = [-1; ITERS];
        let mut bind = |iter: Iter, value: i32| variables[iter as usize] = value;
        let known = |iter: Iter| self.variable(iter).unwrap_or(-1);
        for binder in &self.source.binders[..binders] {
            match binder {
                Binder::Piece | Binder::Level => {
                    bind(Iter::From, self.variable(Iter::From).unwrap_or(self.from));
                    let level = if *binder == Binder::Piece { 0 } else { known(Iter::Level) };
                    bind(Iter::Level, level);
                }
                Binder::Direction => {
                    bind(Iter::To, self.to);
                    bind(Iter::Between, known(Iter::Between));
                }
                Binder::Site => {
                    bind(Iter::Site, known(Iter::Site));
                    bind(Iter::To, known(Iter::Site));
                }
                Binder::Value => bind(Iter::Value, known(Iter::Value)),
                Binder::Player => bind(Iter::Player, known(Iter::Player)),
                Binder::Other => {}
            }
        }
        variables
    }
}

impl<const W: usize> Game<W> {
    /// The code of the moves of who moves now, if it gathers all that there is to know of them.
    pub(super) fn gatherer(&self, state: &State) -> Option<&Compiled<Moves>> {
        let mover = usize::from(state.head.turns.mover);
        let Moves::Compiled(compiled) = &self.phases[usize::from(state.head.phase[mover])].play
        else {
            return None;
        };
        let gathers = compiled.gather.is_some()
            && !self.chance
            && !self.simultaneous
            && state.ghosts().is_empty();
        (gathers && self.swap_partner(state).is_none()).then_some(compiled)
    }

    /// Of the moves gathered that have the same ends, the numbers of those that lead to the same state as
    /// one before them, in order.
    pub(crate) fn repeated(&self, state: &State, found: &Found<'_>) -> Buffer<u32> {
        let mut repeated = Buffer::new();
        // A bit for each pair of ends that has been seen, or for another one.
        let mut seen = [0u64; 64];
        for at in 0..found.count() {
            let (from, to, pass) = found.ends(at);
            let bit = (from.wrapping_mul(67).wrapping_add(to) as u32 ^ u32::from(pass)) & 4095;
            let (word, bit) = (&mut seen[bit as usize / 64], 1 << (bit % 64));
            let mut before = found.rivals(if *word & bit == 0 { 0 } else { at });
            // All that have the same ends are compared when the second of them is found.
            if let (Some(first), None) = (before.next(), before.next()) {
                let group = (first..found.count()).filter(|&o| found.ends(o) == found.ends(at));
                self.compare_found(state, found, group, &mut repeated);
            }
            *word |= bit;
        }
        repeated.sort_unstable();
        repeated
    }

    /// Of some moves adds those that lead to the same state as one before them.
    fn compare_found(
        &self,
        state: &State,
        found: &Found<'_>,
        group: impl Iterator<Item = u32>,
        repeated: &mut Buffer<u32>,
    ) {
        let made =
            group.filter_map(|at| Some((at, self.make_found(state, found, at, Mode::Known)?)));
        let (numbers, moves): (Buffer<u32>, Buffer<Move>) = made.unzip();
        let kept = self.distinct(state, &moves);
        let dropped = (0..numbers.len()).filter(|place| !kept.contains(place));
        repeated.extend(dropped.map(|place| numbers[place]));
    }

    /// One of the moves gathered with all that it does, if it is legal.
    pub(crate) fn make_found(
        &self,
        state: &State,
        found: &Found<'_>,
        at: u32,
        mode: Mode,
    ) -> Option<Move> {
        let parts = found.parts;
        let found = found.get(at)?;
        let FoundMove { source, from, to, piece, extra } = found;
        let mut eval = Eval::new(self, state);
        (eval.lists, eval.mode) = (true, mode);
        let mut variables = found.bound(source.binders.len());
        let (binds_from, binds_to) = source.kind.binds();
        if binds_from {
            variables[Iter::From as usize] = from;
        }
        if binds_to {
            variables[Iter::To as usize] = to;
        }
        if let Some(between) = found.variable(Iter::Between) {
            variables[Iter::Between as usize] = between;
        }
        eval.set_variables(variables);
        let given = Given { kind: &source.kind, ends: [from, to, piece], extra };
        let saved = |_: usize, binders: usize| found.bound(binders);
        let mut chosen = Chosen::new(0);
        let nothing = [-1; ITERS];
        let mut tested;
        let sink: &mut dyn Sink<'_, W> = if self.repeats.is_some() {
            tested = Tested::amid(&eval, &mut chosen, Test::Repetition, nothing);
            &mut tested
        } else {
            &mut chosen
        };
        wrapped(&mut eval, parts, &saved, &source.wrappers, &given, sink);
        chosen.found
    }
}

impl SourceKind {
    /// Numbers gathered with its moves beside variables.
    pub(super) fn numbers(&self) -> usize {
        match self {
            SourceKind::Leaf(_) => 0,
            SourceKind::Hop(_) => OF_HOP,
        }
    }

    /// Whether the generator binds `From` and `To` to the ends of its moves.
    pub(super) fn binds(&self) -> (bool, bool) {
        let SourceKind::Leaf(leaf) = self else { return (true, true) };
        match leaf.kind {
            LeafKind::Jump { .. }
            | LeafKind::Slide(_)
            | LeafKind::FromTo { .. }
            | LeafKind::Select { .. } => (true, true),
            LeafKind::Add { .. } | LeafKind::Shoot { .. } => (false, true),
            _ => (false, false),
        }
    }

    /// Gives a move to a sink.
    fn take<'m, const W: usize>(
        &'m self,
        eval: &mut Eval<'_, W>,
        sink: &mut dyn Sink<'m, W>,
        [from, to, piece]: [i32; 3],
        extra: &[i32],
    ) -> bool {
        match self {
            SourceKind::Leaf(leaf) => {
                let bound = [Iter::Site, Iter::Player, Iter::Value].map(|i| eval.get(i) as i16);
                let (from, to, piece) = (from as i16, to as i16, piece as i16);
                sink.take(eval, leaf, Action { leaf: leaf.id, from, to, piece, bound })
            }
            SourceKind::Hop(hop) => {
                let &[path, first, length, over, ..] = extra else { return false };
                let hopped = [path, first, length, over];
                eval.take_hop(hop, (from as usize, to as u16), hopped, sink)
            }
        }
    }
}

impl Parts {
    fn is_pass(&self, source: i32) -> bool {
        let source = usize::try_from(source).ok().and_then(|s| self.sources.get(s));
        let kind = source.map(|source| &source.kind);
        matches!(kind, Some(SourceKind::Leaf(leaf)) if matches!(leaf.kind, LeafKind::Pass))
    }
}

impl Program {
    /// Bytes of machine code.
    pub(crate) fn bytes(&self) -> u64 {
        self.native.bytes() as u64
    }

    fn run(&self, host: &mut impl Host, function: kernel::ir::FunctionId) -> i32 {
        self.native.run(host, function, &[], &mut { BUDGET })
    }
}
