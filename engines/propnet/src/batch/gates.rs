//! Straight-line programs: gates in an order in which they can be evaluated, those of one shape one
//! after another, so that a short loop without decisions runs through them.

use super::segments::{Gate, Segment, Shape};
use super::slots::Index;
use crate::vector::Vector;
use cpu::{Cpu, Task};

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
    shape: Shape,
    gates: u32,
}

impl<I: Index> Program<I> {
    /// Lays out segments whose values have these slots.
    pub(crate) fn new(segments: &[Segment], slots: &[u32]) -> Program<I> {
        let steps = segments.iter().map(|segment| match segment {
            Segment::Straight(gates) => Step::Straight(Code::new(gates, slots)),
            Segment::Loop { gates, from } => Step::Loop {
                code: Code::new(gates, slots),
                from: [0, 1].map(|side: usize| {
                    from[side].iter().map(|&value| I::of(slots[value as usize])).collect()
                }),
            },
        });
        Program { steps: steps.collect() }
    }

    /// Gates.
    pub(crate) fn gates(&self) -> u64 {
        self.all_runs().map(|run| u64::from(run.gates)).sum()
    }

    /// Values that gates read and write.
    pub(crate) fn operands(&self) -> u64 {
        self.all_runs().map(|run| (1 + run.shape.width() as u64) * u64::from(run.gates)).sum()
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
            code.runs.push(Run { shape: run[0].shape(), gates: run.len() as u32 });
            for gate in run {
                code.operands.push(slot(gate.out));
                code.operands.extend(gate.values().map(slot));
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
                    while cpu.call(LoopPass { code, slots: &mut *self.slots }) {}
                }
            }
        }
    }
}

/// Calls a macro with what comes first and the shapes without pairs that there is code for: how
/// many inputs are not negated, and how many are; pairs with no member negated, with one, and with
/// both.
macro_rules! singles {
    ($macro:ident, [$($first:tt)*] $($more:tt)*) => {
        $macro! { $($first)*;
             (1 0 0 0 0) (0 1 0 0 0) (2 0 0 0 0) (1 1 0 0 0) (0 2 0 0 0) (3 0 0 0 0) (2 1 0 0 0)
             (1 2 0 0 0) (0 3 0 0 0) (4 0 0 0 0) (3 1 0 0 0) (2 2 0 0 0) (1 3 0 0 0) (0 4 0 0 0)
             (5 0 0 0 0) (4 1 0 0 0) (3 2 0 0 0) (2 3 0 0 0) (1 4 0 0 0) (0 5 0 0 0) (8 0 0 0 0)
             (0 8 0 0 0) $($more)*
        }
    };
}

/// The same with all shapes.
macro_rules! all_shapes {
    ($macro:ident, $first:tt) => {
        singles! { $macro, $first
             (0 0 1 0 0) (1 0 1 0 0) (0 1 1 0 0) (2 0 1 0 0) (1 1 1 0 0) (0 2 1 0 0) (0 0 0 1 0)
             (1 0 0 1 0) (0 1 0 1 0) (2 0 0 1 0) (1 1 0 1 0) (0 2 0 1 0) (0 0 0 0 1) (1 0 0 0 1)
             (0 1 0 0 1) (2 0 0 0 1) (1 1 0 0 1) (0 2 0 0 1) (0 0 2 0 0) (0 0 1 1 0) (0 0 1 0 1)
             (0 0 0 2 0) (0 0 0 1 1) (0 0 0 0 2) (0 0 4 0 0) (0 0 0 4 0) (0 0 0 0 4)
        }
    };
}

macro_rules! shape_table {
    (; $(($p:literal $n:literal $a:literal $b:literal $c:literal))*) => {
        /// The shapes that there is code for.
        const SHAPES: &[Shape] =
            &[$(Shape { singles: [$p, $n], pairs: [$a, $b, $c] },)*];
    };
}

all_shapes!(shape_table, []);

impl Shape {
    /// True if there is code for such gates.
    pub(crate) fn has_code(&self) -> bool {
        SHAPES.contains(self)
    }
}

/// Does something for the gates of a run, with its shape known while compiling.
macro_rules! shape_arms {
    ($run:expr, $call:ident, $arguments:tt;
     $(($p:literal $n:literal $a:literal $b:literal $c:literal))*) => {
        match ($run.shape.singles, $run.shape.pairs) {
            $(([$p, $n], [$a, $b, $c]) => {
                $call::<I, V, { 1 + $p + $n + 2 * ($a + $b + $c) }, $p, $n, $a, $b, $c> $arguments
            })*
            _ => unreachable!("gates of other shapes are split"),
        }
    };
}

impl<I: Index> Code<I> {
    #[inline(always)]
    fn evaluate<V: Vector>(&self, slots: &mut I::Slots<V>) {
        let mut operands = &self.operands[..];
        for run in &self.runs {
            let width = 1 + run.shape.width();
            let (own, rest) = operands.split_at(width * run.gates as usize);
            operands = rest;
            all_shapes!(
                shape_arms,
                [run, each, (own, slots, |slots, at, value| at.set(slots, value))]
            );
        }
    }
}

/// Evaluates gates that read `WIDTH - 1` values, and hands out where each value goes.
#[inline(always)]
fn each<
    I: Index,
    V: Vector,
    const WIDTH: usize,
    const PLAIN: usize,
    const NEGATED: usize,
    const BOTH: usize,
    const ONE: usize,
    const NEITHER: usize,
>(
    operands: &[I],
    slots: &mut I::Slots<V>,
    mut give: impl FnMut(&mut I::Slots<V>, I, V),
) {
    for gate in operands.as_chunks::<WIDTH>().0 {
        let value = all::<I, V, WIDTH, PLAIN, NEGATED, BOTH, ONE, NEITHER>(*gate, slots);
        give(slots, gate[0], value);
    }
}

#[inline(always)]
fn all<
    I: Index,
    V: Vector,
    const WIDTH: usize,
    const PLAIN: usize,
    const NEGATED: usize,
    const BOTH: usize,
    const ONE: usize,
    const NEITHER: usize,
>(
    gate: [I; WIDTH],
    slots: &I::Slots<V>,
) -> V {
    let mut inputs = gate.into_iter().skip(1).map(|input| input.get(slots));
    let mut next = || inputs.next().unwrap_or(V::ALL);
    let mut value = V::ALL;
    for _ in 0..PLAIN {
        value = value.and(next());
    }
    for _ in 0..NEGATED {
        value = value.without(next());
    }
    for _ in 0..BOTH {
        value = V::map3(value, next(), next(), |value, a, b| value & !(a & b));
    }
    for _ in 0..ONE {
        value = V::map3(value, next(), next(), |value, a, b| value & !(a & !b));
    }
    for _ in 0..NEITHER {
        value = V::map3(value, next(), next(), |value, a, b| value & (a | b));
    }
    value
}

/// Evaluates the gates of a loop once; says whether any has changed.
struct LoopPass<'a, I: Index, V: Vector> {
    code: &'a Code<I>,
    slots: &'a mut I::Slots<V>,
}

impl<I: Index, V: Vector> Task for LoopPass<'_, I, V> {
    type Output = bool;

    #[inline(always)]
    fn run<C: Cpu>(self, _: C) -> bool {
        let mut changed = V::NONE;
        let mut operands = &self.code.operands[..];
        for run in &self.code.runs {
            let width = 1 + run.shape.width();
            let (own, rest) = operands.split_at(width * run.gates as usize);
            operands = rest;
            // Gates of loops have no pairs.
            let update = |slots: &mut I::Slots<V>, at: I, value: V| {
                changed = V::map3(changed, value, at.get(slots), |changed, a, b| changed | (a ^ b));
                at.set(slots, value);
            };
            singles!(shape_arms, [run, each, (own, self.slots, update)]);
        }
        !changed.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::segments::Signed;
    use crate::vector::Lanes64;
    use cpu::Portable;

    #[test]
    fn there_is_code_for_all_shapes() {
        for &shape in SHAPES {
            let mut sources = 1..;
            let mut take = |negated| (sources.next().unwrap_or(0), negated);
            let mut gate = Gate::new(0, &[]);
            for (count, negated) in shape.singles.into_iter().zip([false, true]) {
                gate.inputs.extend((0..count).map(|_| take(negated)));
            }
            for (count, signs) in
                shape.pairs.into_iter().zip([[false; 2], [false, true], [true; 2]])
            {
                gate.pairs.extend((0..count).map(|_| signs.map(&mut take)));
            }
            assert_eq!(gate.shape(), shape);
            // All values of up to six sources in the lanes, and some of eight.
            let mut slots = vec![Lanes64::NONE; 9];
            for (at, slot) in slots.iter_mut().enumerate().skip(1) {
                let on = |lane: &usize| lane >> ((at - 1) % 6) & 1 == usize::from(at < 7);
                (0..64).filter(on).for_each(|lane| slot.insert(lane));
            }
            let before = slots.clone();
            let holds =
                |&(value, negated): &Signed, lane| before[value as usize].has(lane) != negated;
            let segments = [Segment::Straight(vec![gate.clone()])];
            let program = Program::<u32>::new(&segments, &[0, 1, 2, 3, 4, 5, 6, 7, 8]);
            Portable.call(Execute::<u32, Lanes64> { program: &program, slots: &mut slots });
            for lane in 0..64 {
                let not_both = |pair: &[Signed; 2]| !pair.iter().all(|one| holds(one, lane));
                let expected = gate.inputs.iter().all(|one| holds(one, lane))
                    && gate.pairs.iter().all(not_both);
                assert_eq!(slots[0].has(lane), expected, "{shape:?}, {lane}");
            }
        }
    }
}
