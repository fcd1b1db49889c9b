//! Compilation of rules into programs of the kernel.
//!
//! Every generator and condition that looks at more than a few sites becomes a function. A node of
//! the rules without a form in code becomes a call of the evaluator, and the parts of that node are
//! compiled in turn. So code and evaluator agree, and every game can be compiled.
//!
//! [`compiler`] goes through the rules and decides which nodes become functions. An [`emitter`] has
//! the function that is being written, the rules around the node that has been reached, and the
//! facts that hold there; [`module`] has the program around it. Each sort of rules has modules of
//! functions over an emitter:
//!
//! - `emit` writes the code of a node, and returns an expression of the kernel for its value;
//! - `ask` writes a call of the evaluator for the same node;
//! - `has_code` is true if a node has a form in code;
//! - `define` adds a whole function to the program.

// The program of a game, and the choice of the rules that become functions.
mod compiler;
mod context;
mod duplicates;
mod module;
mod program;
mod purpose;
mod tables;

// One function while it is written, and the layout of the memory that code shares.
mod arrays;
mod emitter;
mod entries;
mod surroundings;
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
mod generators;
mod hops;
mod leaves;
mod output;
mod path_sets;
mod pieces;
mod prelude;
mod slides;
mod steps;
mod tracks;

// Effects of moves.
mod acts;
mod changes;
mod custodial;
mod effects;
mod local_effects;
mod making;
mod move_effects;
mod outcomes;
mod sow;

// A ply: moves are drawn, tested and made, end rules are tested, the turn is passed on.
mod choices;
mod drawing;
mod ends;
mod legality;
mod ply;
mod site_plies;
mod stops;
mod turns;

// Lines and groups of pieces that are only added, kept up to date from ply to ply.
mod added;
mod views;

// Running code: within the evaluator, in playouts, from positions.
mod compiled_playout;
mod evaluator_host;
mod gathered_moves;
mod memory;
mod playout_host;
mod positions;
mod run_buffers;
mod site_rows;

pub(crate) use arrays::ROOM;
pub(crate) use compiled_playout::{CompiledPlayout, Played, beside};
pub(crate) use gathered_moves::GatheredMoves;
pub(crate) use program::Program;
pub(crate) use purpose::Purpose;
pub(crate) use run_buffers::RunBuffers;
pub(crate) use site_rows::{LeftAt, PositionRows};

use std::sync::Arc;

use crate::eval::Eval;
use crate::game::{Definition, Game};
use crate::ir::{Compiled, Int, Iter, Moves, SourceKind};
use crate::meter;
use compiler::CompiledDefinition;
use context::Context;

/// The numbers of statements and variables after which the rest of the rules is left to the
/// evaluator. The smaller number is tried if the code of the larger one has too many nodes.
const MOST_WRITTEN: [usize; 2] = [60_000, 4_000];

impl Game {
    /// The game with its rules compiled; `None` if there is no machine code for them.
    pub(crate) fn compiled(&self, purpose: Purpose) -> Option<Game> {
        let CompiledDefinition {
            mut definition,
            compiled,
            parts,
            playout,
            site_ply,
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
            Some(Program { native, compiled, parts, playout, site_ply, added, keeps, reordered });
        definition.redraws &= definition.may_redraw();
        Some(Game { definition, ..self.clone() })
    }

    /// The program that the rules are compiled to, as text.
    pub(crate) fn ir(&self) -> Option<String> {
        Some(self.coded(Purpose::Playouts)?.checked.program().to_string())
    }

    /// The rules as a program; `None` if even the smallest one is too large, if the board has too
    /// many sites, or if pieces cover several: to code a site is empty or holds a piece.
    fn coded(&self, purpose: Purpose) -> Option<CompiledDefinition> {
        if !self.layout.fits_code() || self.layout.bodies.is_some() {
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
    /// True if code gathers the moves of all phases, so that playouts count them and list none.
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

    /// The code of a generator, if it gathers the moves with everything that makes them.
    fn gathered(&self, moves: &Moves) -> Option<&Compiled> {
        moves.gathered(&self.program.as_ref()?.compiled)
    }

    /// The numbers of the generators whose moves code gathers.
    pub(crate) fn gathered_leaves(&self) -> Vec<u16> {
        let phases = self.phases.iter().filter_map(|phase| self.gathered(&phase.play));
        let sources = phases.flat_map(|compiled| &compiled.gathered.sources);
        let leaves = sources.filter_map(|source| match &source.kind {
            SourceKind::Leaf(leaf) => Some(leaf.id),
            _ => None,
        });
        leaves.collect()
    }

    /// True if code gathers moves in another order than the evaluator's.
    pub(crate) fn is_reordered(&self) -> bool {
        self.program.as_ref().is_some_and(|program| program.reordered)
    }
}
