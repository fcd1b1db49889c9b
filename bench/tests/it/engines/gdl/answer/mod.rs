//! The treatment of a text that claims to be a rulesheet, all the way from the checks to a playout
//! and a grounding. Shared by the mutation test and by the fuzz target.

use gdl::ProverGame;
use play::{CompileError, Job, Limits, Mechanics};
use text::Source;

/// Budgets small enough that no text takes long.
pub(crate) const SMALL: Limits = Limits { bytes: 64 << 20, work: 300_000 };

/// The stages that a text passed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Answer {
    /// The checks found no error.
    pub(crate) sound: bool,
    /// The prover played it.
    pub(crate) played: bool,
    /// The grounder came to its end.
    pub(crate) grounded: bool,
}

/// Checks a text; with `play`, plays and grounds it if it is sound. Panics where an answer is not
/// what it must be.
pub(crate) fn answer(text: String, seed: u64, play: bool) -> Answer {
    let source = Source::new("mutant.kif", text);
    let checked = gdl::check(&source);
    for diagnostic in &checked.diagnostics {
        assert!(diagnostic.span.end as usize <= source.text().len());
        assert!(!diagnostic.render(&source).is_empty());
    }
    let refused = checked.diagnostics.iter().any(text::Diagnostic::is_error);
    assert_eq!(checked.program.is_none(), refused);
    let mut answer = Answer { sound: !refused, ..Answer::default() };
    let Some(program) = checked.program.filter(|_| play) else { return answer };
    match gdl::ground::ground(&program, &SMALL) {
        Ok(_) => answer.grounded = true,
        Err(error) => explained(&error, &source),
    }
    match ProverGame::compile(program, &SMALL) {
        Ok(game) => {
            let job = Job { seed, first: 0, count: 2, cap: 20 };
            let tally = game.run(&job);
            assert_eq!(tally, play::reference::run(&game, &job));
            assert_eq!(tally.playouts, 2);
            answer.played = true;
        }
        Err(error) => explained(&error, &source),
    }
    answer
}

/// A refusal says why.
fn explained(error: &CompileError, source: &Source) {
    match error {
        CompileError::Invalid(_) | CompileError::Start(_) => {
            panic!("the checks let it pass: {error:?}")
        }
        CompileError::TooLarge(reason) | CompileError::Unavailable(reason) => {
            assert!(!reason.is_empty());
        }
        CompileError::Beyond(diagnostic) => assert!(!diagnostic.render(source).is_empty()),
        CompileError::Unsupported(diagnostics) => {
            assert!(!diagnostics.is_empty());
            for diagnostic in diagnostics {
                assert!(!diagnostic.render(source).is_empty());
            }
        }
    }
}
