//! Checks against reference results of other implementations, which live outside of the repository:
//! each test says so and passes if `../shared` is absent. And functions that unit tests share.

mod boards;
mod cases;
mod compiled;
mod endings;
pub(crate) mod files;
mod limits;
mod micro_games;
mod numbers;
mod positions;
mod programs_that_learn;
mod puzzles;
mod rows;

use play::{Language, Rules};

use crate::front;
use crate::lower::{Lowering, lower};

/// The data of valid rules.
pub(crate) fn lowered(name: &str, text: &str) -> Lowering {
    let rules = Rules::new(Language::Lud, name, text);
    let parsed =
        front::parse(&rules).unwrap_or_else(|e| panic!("{name}: {}", e.one_line(&rules.source)));
    lower(&parsed.root).unwrap_or_else(|e| panic!("{name}: {}", e.one_line(&rules.source)))
}
