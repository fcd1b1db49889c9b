//! Straight-line programs: gates of up to four inputs in an order in which they can be evaluated,
//! those of one shape one after another, so that a short loop without decisions runs through them.

use super::draft::{Draft, Gate};
use super::slots::Index;
use crate::cpu::{Cpu, Task};
use crate::vector::Vector;

/// A part of the step of a playout, compiled.
#[derive(Debug)]
pub(crate) struct Program<I> {
    steps: Vec<Step<I>>,
}

#[derive(Debug)]
enum Step<I> {
    Straight(Code<I>),
    /// Gates that depend on each other in a circle, with where they start from: false, and true.
    Loop {
        code: Code<I>,
        from: [Vec<I>; 2],
    },
}

/// Gates that stand after their inputs.
#[derive(Debug)]
struct Code<I> {
    runs: Vec<Run>,
    /// For each gate its slot, then those of its inputs.
    operands: Vec<I>,
}

/// Gates of one shape.
#[derive(Clone, Copy, Debug)]
struct Run {
    plain: u8,
    negated: u8,
    gates: u32,
}

impl<I: Index> Program<I> {
    /// Lays out drafts whose values have these slots.
    pub(crate) fn new(drafts: &[Draft], slots: &[u32]) -> Program<I> {
        let steps = drafts.iter().map(|draft| match draft {
            Draft::Straight(gates) => Step::Straight(Code::new(gates, slots)),
            Draft::Loop { gates, from } => Step::Loop {
                code: Code::new(gates, slots),
                from: [0, 1].map(|side: usize| {
                    from[side].iter().map(|&value| I::of(slots[value as usize])).collect()
                }),
            },
        });
        Program { steps: steps.collect() }
    }

    /// Gates of up to four inputs.
    pub(crate) fn gates(&self) -> u64 {
        self.all_runs().map(|run| u64::from(run.gates)).sum()
    }

    /// Runs of gates of one shape.
    pub(crate) fn runs(&self) -> u64 {
        self.all_runs().count() as u64
    }

    fn all_runs(&self) -> impl Iterator<Item = &Run> {
        let codes = self.steps.iter().map(|step| match step {
            Step::Straight(code) | Step::Loop { code, .. } => code,
        });
        codes.flat_map(|code| &code.runs)
    }
}

impl<I: Index> Code<I> {
    fn new(gates: &[Gate], slots: &[u32]) -> Code<I> {
        let slot = |value: u32| I::of(slots[value as usize]);
        let mut code = Code { runs: Vec::new(), operands: Vec::new() };
        for run in gates.chunk_by(|a, b| a.shape() == b.shape()) {
            let (plain, negated) = run[0].shape();
            code.runs.push(Run { plain, negated, gates: run.len() as u32 });
            for gate in run {
                code.operands.push(slot(gate.out));
                code.operands.extend(gate.inputs.iter().map(|&(value, _)| slot(value)));
            }
        }
        code
    }
}

/// Evaluates a program.
pub(crate) struct Execute<'a, I: Index, V: Vector> {
    pub(crate) program: &'a Program<I>,
    pub(crate) slots: &'a mut I::Slots<V>,
}

impl<I: Index, V: Vector> Task for Execute<'_, I, V> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        for step in &self.program.steps {
            match step {
                Step::Straight(code) => code.evaluate(self.slots),
                Step::Loop { code, from } => {
                    for (slots, value) in from.iter().zip([V::NONE, V::ALL]) {
                        for slot in slots {
                            slot.set(self.slots, value);
                        }
                    }
                    // Nothing but what must hold does: gates only ever change one way, so there are
                    // no more rounds than gates.
                    while cpu.call(Sweep { code, slots: &mut *self.slots }) {}
                }
            }
        }
    }
}

/// Does something for the gates of a run, with its shape known while compiling.
macro_rules! by_shape {
    ($run:expr, $call:ident, $arguments:tt) => {
        match ($run.plain, $run.negated) {
            (1, 0) => $call::<I, V, 2, 1> $arguments,
            (0, 1) => $call::<I, V, 2, 0> $arguments,
            (2, 0) => $call::<I, V, 3, 2> $arguments,
            (1, 1) => $call::<I, V, 3, 1> $arguments,
            (0, 2) => $call::<I, V, 3, 0> $arguments,
            (3, 0) => $call::<I, V, 4, 3> $arguments,
            (2, 1) => $call::<I, V, 4, 2> $arguments,
            (1, 2) => $call::<I, V, 4, 1> $arguments,
            (0, 3) => $call::<I, V, 4, 0> $arguments,
            (4, 0) => $call::<I, V, 5, 4> $arguments,
            (3, 1) => $call::<I, V, 5, 3> $arguments,
            (2, 2) => $call::<I, V, 5, 2> $arguments,
            (1, 3) => $call::<I, V, 5, 1> $arguments,
            _ => $call::<I, V, 5, 0> $arguments,
        }
    };
}

impl<I: Index> Code<I> {
    #[inline(always)]
    fn evaluate<V: Vector>(&self, slots: &mut I::Slots<V>) {
        let mut operands = &self.operands[..];
        for run in &self.runs {
            let width = 1 + usize::from(run.plain) + usize::from(run.negated);
            let (own, rest) = operands.split_at(width * run.gates as usize);
            operands = rest;
            by_shape!(run, evaluate, (own, slots));
        }
    }
}

/// Evaluates gates with `WIDTH - 1` inputs, of which the first `PLAIN` are not negated.
#[inline(always)]
fn evaluate<I: Index, V: Vector, const WIDTH: usize, const PLAIN: usize>(
    operands: &[I],
    slots: &mut I::Slots<V>,
) {
    for gate in operands.as_chunks::<WIDTH>().0 {
        let value = all::<I, V, WIDTH, PLAIN>(*gate, slots);
        gate[0].set(slots, value);
    }
}

/// The same, and the lanes in which something has changed.
#[inline(always)]
fn update<I: Index, V: Vector, const WIDTH: usize, const PLAIN: usize>(
    operands: &[I],
    slots: &mut I::Slots<V>,
) -> V {
    let mut changed = V::NONE;
    for gate in operands.as_chunks::<WIDTH>().0 {
        let value = all::<I, V, WIDTH, PLAIN>(*gate, slots);
        changed = V::map3(changed, value, gate[0].get(slots), |changed, a, b| changed | (a ^ b));
        gate[0].set(slots, value);
    }
    changed
}

#[inline(always)]
fn all<I: Index, V: Vector, const WIDTH: usize, const PLAIN: usize>(
    gate: [I; WIDTH],
    slots: &I::Slots<V>,
) -> V {
    let mut value = gate[1].get(slots);
    if PLAIN == 0 {
        value = value.not();
    }
    for (at, input) in gate.iter().enumerate().skip(2) {
        let input = input.get(slots);
        value = if at <= PLAIN { value.and(input) } else { value.without(input) };
    }
    value
}

/// Evaluates the gates of a loop once; says whether any has changed.
struct Sweep<'a, I: Index, V: Vector> {
    code: &'a Code<I>,
    slots: &'a mut I::Slots<V>,
}

impl<I: Index, V: Vector> Task for Sweep<'_, I, V> {
    type Output = bool;

    #[inline(always)]
    fn run<C: Cpu>(self, _: C) -> bool {
        let mut changed = V::NONE;
        let mut operands = &self.code.operands[..];
        for run in &self.code.runs {
            let width = 1 + usize::from(run.plain) + usize::from(run.negated);
            let (own, rest) = operands.split_at(width * run.gates as usize);
            operands = rest;
            changed = changed.or(by_shape!(run, update, (own, self.slots)));
        }
        !changed.is_none()
    }
}
