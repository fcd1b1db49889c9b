//! Rules evaluated together to their least fixed point, bottom-up and semi-naive: each once as a
//! whole, and those that ask for what is derived meanwhile once a literal and the rows that are new
//! there. Rules of lower strata go first.

use std::collections::BTreeSet;

use play::Limits;

use super::compile::Compiler;
use super::flat::{FlatId, FlatRule};
use super::machine::{Exhausted, Job, Machine};
use super::store::Store;
use crate::program::Program;

/// With fewer bytes left there was no room for a row.
pub(crate) const LEAST: u64 = 4096;

/// The budget that evaluations have left, and what they have spent.
#[derive(Clone, Debug)]
pub(crate) struct Meter {
    /// Machine steps left.
    pub(crate) fuel: u64,
    /// Bytes left for rows.
    pub(crate) bytes: u64,
    /// Steps by rule of the program.
    pub(crate) work: Vec<u64>,
}

impl Meter {
    /// All that the limits allow, for the rules of a program and one more.
    pub(crate) fn new(limits: &Limits, program: &Program) -> Meter {
        let work = vec![0; program.rules.len() + 1];
        Meter { fuel: limits.work, bytes: limits.bytes, work }
    }

    /// Runs the code of a rule that begins at `start`, which adds to the relation `head`; in at
    /// most so many steps, and with at most so many rows.
    pub(crate) fn run(
        &mut self,
        machine: &mut Machine,
        (job, store): (Job<'_>, &mut Store),
        (rule, start, head): (usize, u32, usize),
        (steps, rows): (u64, u64),
    ) -> Result<(), Exhausted> {
        let row = job.layouts.relations[head].row_bytes();
        // Rows have their places in 32 bits.
        let room = (u64::from(u32::MAX) * 4 / row).saturating_sub(store.relations[head].len.into());
        let (fuel, most) = (self.fuel.min(steps), rows.min(self.bytes / row).min(room));
        (machine.fuel, machine.rows) = (fuel, most);
        let result = machine.run(job, store, &[start]);
        self.fuel -= fuel - machine.fuel;
        self.work[rule] += fuel - machine.fuel;
        self.bytes -= row * (most - machine.rows);
        result
    }
}

/// Compiled rules and who waits for whom.
#[derive(Default)]
pub(crate) struct Fixpoint {
    tasks: Vec<Task>,
    /// By relation of the store: the tasks that go on with its new rows.
    readers: Vec<Vec<usize>>,
}

/// A rule to be run.
struct Task {
    rule: usize,
    stratum: usize,
    start: u32,
    /// The relation that it adds to.
    head: usize,
    /// The relation whose new rows it goes through, and the cursor there.
    delta: Option<(usize, usize)>,
}

impl Fixpoint {
    /// Compiles a rule; `number` and `stratum` are its own, and `grows` names the relations to
    /// which rows are added meanwhile.
    pub(crate) fn add(
        &mut self,
        compiler: &mut Compiler<'_>,
        (number, stratum): (usize, usize),
        rule: &FlatRule,
        grows: impl Fn(FlatId) -> bool,
    ) {
        let Some(head) = compiler.world.slots[rule.head.relation.index()] else { return };
        let asks = |&at: &usize| rule.body[at].positive().is_some_and(|atom| grows(atom.relation));
        let deltas: Vec<Option<usize>> = (0..rule.body.len()).filter(asks).map(Some).collect();
        for delta in if deltas.is_empty() { vec![None] } else { deltas } {
            let Some((start, delta)) = compiler.variant(rule, delta) else { continue };
            if let Some((slot, _)) = delta {
                self.readers.resize(self.readers.len().max(slot + 1), Vec::new());
                self.readers[slot].push(self.tasks.len());
            }
            self.tasks.push(Task { rule: number, stratum, start, head, delta });
        }
    }

    /// Evaluates the rules; `most` says how many steps a rule may take in all.
    pub(crate) fn run(
        &self,
        job: Job<'_>,
        store: &mut Store,
        meter: &mut Meter,
        most: impl Fn(usize) -> u64,
    ) -> Result<(), Exhausted> {
        let mut machine = Machine::new(job.code);
        let all = self.tasks.iter().enumerate();
        let mut pending: BTreeSet<(usize, usize)> = all.map(|(at, t)| (t.stratum, at)).collect();
        while let Some((_, at)) = pending.pop_first() {
            let task = &self.tasks[at];
            if let Some((slot, cursor)) = task.delta
                && machine.cursors[cursor] as usize >= store.relations[slot].values.len()
            {
                continue;
            }
            let before = store.relations[task.head].len;
            let rule = (task.rule, task.start, task.head);
            let steps = most(task.rule).saturating_sub(meter.work[task.rule]);
            meter.run(&mut machine, (job, &mut *store), rule, (steps, u64::MAX))?;
            if store.relations[task.head].len > before
                && let Some(readers) = self.readers.get(task.head)
            {
                pending.extend(readers.iter().map(|&at| (self.tasks[at].stratum, at)));
            }
        }
        Ok(())
    }
}
