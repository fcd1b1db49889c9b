//! The engine for `.lud` descriptions: ludemes, the language of the Ludii system.
//!
//! [`front`] reads and checks a description, `lower` turns it into rules as data (`ir`), and
//! `eval` and `run` play them as specified, which is the reference; `compile` makes programs of
//! them, which become machine code. The README of this folder has the map.

mod buffer;
#[cfg(test)]
mod checks;
mod compile;
mod distinct;
mod draw;
mod eval;
mod facts;
mod game;
pub mod guide;
mod ir;
mod label;
mod limits;
mod lower;
mod matches;
mod mechanics;
mod meter;
mod moves;
mod percepts;
mod picture;
mod puzzle;
mod run;
mod set;
mod signs;
mod state;
mod world;

pub mod board;
pub mod front;
pub mod trace;

use play::{
    Adapted, CompileError, Compiled, Course, Engine, EngineId, Language, Limits, Replay,
    ReplayError, Rules,
};
use text::Diagnostic;

use front::Name;
use mechanics::Ludemes;
use meter::Budget;
pub use puzzle::{Solutions, solve};

/// The engine.
#[derive(Clone, Copy, Debug, Default)]
pub struct LudemeEngine;

impl Engine for LudemeEngine {
    fn id(&self) -> EngineId {
        "ludeme"
    }

    fn languages(&self) -> &[Language] {
        &[Language::Lud]
    }

    fn compile(&self, rules: &Rules, limits: &Limits) -> Result<Compiled, CompileError> {
        let budget = Budget::new(limits);
        let mut parsed = budget.within("the text was read", || front::parse(rules))?;
        let game = match parsed.root.name() {
            Name::Match => budget.within("the games of the match were compiled", || {
                matches::compile(&parsed.root, &rules.parts)
            })?,
            _ => {
                let lowered = || lower::lower(&parsed.root);
                let mut lowering =
                    budget.within("the board and the rules were worked out", lowered)?;
                parsed.warnings.append(&mut lowering.warnings);
                budget.within("the game was set up and its code written", || {
                    Ok(Adapted::boxed(Ludemes::new(lowering)))
                })?
            }
        };
        Ok(Compiled { game, warnings: parsed.warnings })
    }

    fn replay(&self, rules: &Rules, record: &str, _: &Limits) -> Result<Replay, ReplayError> {
        trace::replay(rules, record, &mut || true)
    }

    fn record(&self, rules: &Rules, courses: &[Course], _: &Limits) -> Result<String, ReplayError> {
        trace::write(rules, courses)
    }
}

/// All diagnostics of a description: errors, unsupported ludemes, warnings.
pub fn check(rules: &Rules) -> Vec<Diagnostic> {
    let _budget = Budget::new(&Limits::default());
    match front::parse(rules) {
        Err(error) => error.diagnostics().to_vec(),
        Ok(parsed) => {
            let lowered = match parsed.root.name() {
                Name::Match => matches::compile(&parsed.root, &rules.parts).map(|_| Vec::new()),
                _ => lower::lower(&parsed.root).map(|lowering| lowering.warnings),
            };
            let mut found = lowered.unwrap_or_else(|error| error.diagnostics().to_vec());
            found.extend(parsed.warnings);
            found
        }
    }
}
