//! A stage ready to run: relations that depend on each other, and the code of their rules.

use super::{Exhausted, Job, Machine};
use crate::datalog::store::Store;

/// A stage ready to run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Compiled {
    /// Facts of relations that change for other reasons.
    pub(crate) facts: Vec<(usize, Vec<u32>)>,
    /// The entries of the rules that read no relation of the stage.
    pub(crate) rules: Vec<u32>,
    /// The entries of the rules that do, once for each recursive literal, with the relation whose
    /// rows that literal goes through, and its cursor.
    pub(crate) deltas: Vec<(u32, usize, usize)>,
}

impl Compiled {
    /// Evaluates the stage to its least fixed point.
    pub(crate) fn run(
        &self,
        job: Job<'_>,
        store: &mut Store,
        machine: &mut Machine,
    ) -> Result<(), Exhausted> {
        for (slot, row) in &self.facts {
            store.insert(job.layouts, *slot, row);
        }
        machine.run(job, store, &self.rules)?;
        self.forget(machine);
        self.go_on(job, store, machine)
    }

    /// The rules, if running them once is all there is to do.
    pub(crate) fn plain(&self) -> Option<&[u32]> {
        (self.facts.is_empty() && self.deltas.is_empty()).then_some(&self.rules)
    }

    /// Takes no row of the stage for seen.
    pub(crate) fn forget(&self, machine: &mut Machine) {
        for &(_, _, cursor) in &self.deltas {
            machine.cursors[cursor] = 0;
        }
    }

    /// Goes on evaluating with the rows that are new since: semi-naive, row by row.
    pub(crate) fn go_on(
        &self,
        job: Job<'_>,
        store: &mut Store,
        machine: &mut Machine,
    ) -> Result<(), Exhausted> {
        let mut changing = !self.deltas.is_empty();
        while changing {
            changing = false;
            for &(start, slot, cursor) in &self.deltas {
                if (machine.cursors[cursor] as usize) < store.relations[slot].values.len() {
                    machine.run(job, store, &[start])?;
                    changing = true;
                }
            }
        }
        Ok(())
    }
}
