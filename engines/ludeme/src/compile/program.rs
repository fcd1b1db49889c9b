//! A compiled program, and what of it is run.

use std::collections::BTreeSet;
use std::sync::Arc;

use kernel::Host;
use kernel::ir::FunctionId;

use crate::ir::{CodeId, Compiled, EvaluatedParts};

/// Rounds of all loops without a bound that code may make.
const BUDGET: u32 = 1 << 30;

/// A compiled program.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(super) native: Arc<kernel::Native>,
    /// The code of generators and conditions.
    pub(super) compiled: Arc<[Compiled]>,
    /// What effects and ends call the evaluator for.
    pub(super) parts: Arc<EvaluatedParts>,
    /// The function that plays ply after ply.
    pub(super) playout: FunctionId,
    /// The function that plays a ply to a site, see [`site_plies`](super::site_plies).
    pub(super) site_ply: Option<FunctionId>,
    /// The function that takes note of all pieces, where something is kept of them; and how many
    /// numbers.
    pub(super) added: Option<(FunctionId, usize)>,
    /// True if moves are taken back to a state that is kept.
    pub(super) keeps: bool,
    /// True if moves come in another order than from the evaluator.
    pub(super) reordered: bool,
}

impl Program {
    /// Bytes of machine code.
    pub(crate) fn bytes(&self) -> u64 {
        self.native.bytes() as u64
    }

    /// Names of the nodes that code leaves to the evaluator, each once and in order.
    pub(crate) fn left(&self) -> Vec<String> {
        let compiled = self.compiled.iter().flat_map(|code| [&code.parts, &code.gathered]);
        let left: BTreeSet<String> =
            compiled.chain([&*self.parts]).flat_map(EvaluatedParts::left).collect();
        left.into_iter().collect()
    }

    /// The code of a generator or a condition.
    #[inline]
    pub(super) fn code(&self, id: CodeId) -> &Compiled {
        &self.compiled[id.0 as usize]
    }

    /// Runs a function.
    #[inline(always)]
    pub(super) fn run(&self, host: &mut impl Host, function: FunctionId) -> i32 {
        self.native.run(host, function, &[], &mut { BUDGET })
    }

    /// Runs a function for one row of a host after another, see [`kernel::Native::run_rows`].
    pub(super) fn run_rows<H: Host>(
        &self,
        host: &mut H,
        function: FunctionId,
        next: impl FnMut(&mut H, Option<i32>) -> bool,
    ) {
        self.native.run_rows(host, function, BUDGET, next);
    }
}
