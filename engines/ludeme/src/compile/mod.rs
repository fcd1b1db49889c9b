//! Compilation of rules into programs of the kernel.
//!
//! Every generator and condition that is worth it becomes a function. What has a form in code
//! becomes code; what has none the code has the evaluator do, part by part, and the parts of these
//! are compiled in turn. So code and evaluator always say the same, and every game can be compiled.
//!
//! [`compiler`] goes through the rules and decides which nodes become functions. An [`emitter`] has
//! the function that is being written, the rules around the place that has been reached, and what is
//! known there; [`module`] has the program around it. Each sort of rules has modules of functions
//! over an emitter: `emit` writes the code of a node, `ask` has the evaluator do it.

// The functions of a game: which rules become code, and what a program is made of.
mod clashes;
mod compiler;
mod context;
mod module;
mod program;
mod purpose;
mod tables;

// One function while it is written, and what all of them name.
mod arrays;
mod emitter;
mod entries;
mod facts;
mod waiting;

// Conditions.
mod bools;
mod exists;
mod groups;
mod lines;
mod teams;

// Numbers.
mod by_site;
mod ints;
mod results;
mod stacks;

// Sets of sites.
mod fills;
mod origins;
mod piece_sets;
mod regions;

// Generators of moves.
mod composite;
mod dice;
mod distances;
mod first;
mod generators;
mod hops;
mod leaves;
mod output;
mod pieces;
mod slides;
mod steps;
mod tracks;
mod ways;

// Effects of moves.
mod acts;
mod changes;
mod custodial;
mod each_site;
mod effects;
mod making;
mod move_effects;
mod outcomes;
mod sow;

// A ply: moves drawn, tested and made, the end of the game, the next turn.
mod choices;
mod drawing;
mod ends;
mod ply;
mod stops;
mod tests;
mod turns;

// Lines and groups of pieces that are only added, kept up to date from ply to ply.
mod added;
mod kept;

// Running code: within the evaluator, in playouts, from positions.
mod found;
mod machine;
mod memory;
mod positions;
mod runner;

pub(crate) use arrays::ROOM;
pub(crate) use found::Found;
pub(crate) use program::Program;
pub(crate) use purpose::Purpose;
pub(crate) use runner::{Played, RunBuffers, Runner, beside};

use std::sync::Arc;

use crate::eval::Eval;
use crate::game::{Definition, Game};
use crate::ir::{Compiled, Int, Iter, Moves};
use crate::meter;
use compiler::CompiledDefinition;
use context::Context;

/// Statements and variables after which no more code is written: the evaluator does the rest. Fewer
/// are tried where the code has too many nodes.
const MOST_WRITTEN: [usize; 2] = [60_000, 4_000];

impl<const W: usize> Game<W> {
    /// The game with its rules compiled, where there is machine code for them.
    pub(crate) fn compiled(&self, purpose: Purpose) -> Option<Game<W>> {
        let CompiledDefinition {
            mut definition,
            compiled,
            parts,
            playout,
            added,
            keeps,
            reordered,
            checked,
        } = self.coded(purpose)?;
        let (work, bytes) = kernel::Native::effort(&checked);
        if !meter::has(work, bytes) {
            return None;
        }
        // The interpreter is slower than the evaluator.
        let native = Arc::new(kernel::Native::new(&checked).ok()?);
        definition.program =
            Some(Program { native, compiled, parts, playout, added, keeps, reordered });
        definition.redraws &= definition.may_redraw();
        Some(Game { definition, ..self.clone() })
    }

    /// The program that the rules are compiled to, as text.
    pub(crate) fn ir(&self) -> Option<String> {
        Some(self.coded(Purpose::Playouts)?.checked.program().to_string())
    }

    /// The rules as a program; `None` if even one with little in it is too large, or sets are too
    /// large for code.
    fn coded(&self, purpose: Purpose) -> Option<CompiledDefinition> {
        if W > kernel::MAX_NATIVE_WORDS {
            return None;
        }
        let fixed = |number: &Int, from: usize, to: u16| {
            let mut eval = Eval::new(self, &self.initial);
            eval.set(Iter::From, from as i32);
            eval.set(Iter::To, i32::from(to));
            eval.int(number)
        };
        let context = Context { definition: &self.definition, fixed: &fixed };
        MOST_WRITTEN.into_iter().find_map(|most| context.coded(purpose, most))
    }
}

impl Definition {
    /// True if code gathers the moves of all phases: they are counted, not listed.
    pub(crate) fn is_counted(&self) -> bool {
        self.phases.iter().all(|phase| self.gathered(&phase.play).is_some())
    }

    /// True if code gathers moves that may lead to the same state.
    fn may_redraw(&self) -> bool {
        let gathered: Vec<_> = self.phases.iter().map(|phase| self.gathered(&phase.play)).collect();
        let differ = |compiled: &&Compiled| compiled.clashes.is_empty();
        gathered.iter().any(Option::is_some)
            && !gathered.iter().all(|compiled| compiled.as_ref().is_some_and(differ))
    }

    /// The code of a generator, if it gathers all that there is to know of its moves.
    fn gathered(&self, moves: &Moves) -> Option<&Compiled> {
        moves.gathered(&self.program.as_ref()?.compiled)
    }

    /// True if code gathers moves in another order than the evaluator's.
    pub(crate) fn is_reordered(&self) -> bool {
        self.program.as_ref().is_some_and(|program| program.reordered)
    }
}
