//! From KIF text to a checked [`Program`]: [`build`] reads sentences, [`normal`] takes `or` apart,
//! and the other modules check what came out. Nothing here gives up at the first error.

mod build;
mod dependencies;
mod normal;
mod safety;
#[cfg(test)]
mod tests;
mod usage;

pub(crate) use usage::goal_value;

use play::CompileError;
use text::{Diagnostic, Source};

use crate::program::{Atom, Program};

/// The result of [`check`].
#[derive(Clone, Debug)]
pub struct Checked {
    /// The checked rules; absent where there is an error.
    pub program: Option<Program>,
    /// All errors and warnings, by position.
    pub diagnostics: Vec<Diagnostic>,
}

/// The code of errors about what belongs to a language of this family, but not to this engine.
const UNSUPPORTED: &str = "unsupported-relation";

impl Checked {
    /// The program with all warnings.
    ///
    /// # Errors
    /// [`CompileError::Unsupported`] if nothing else is wrong but that rules use a relation of a
    /// larger language, else [`CompileError::Invalid`]; with all diagnostics.
    pub fn accepted(self) -> Result<(Program, Vec<Diagnostic>), CompileError> {
        match self.program {
            Some(program) => Ok((program, self.diagnostics)),
            None => {
                let mut errors = self.diagnostics.iter().filter(|d| d.is_error());
                let is_unsupported = errors.all(|error| error.code == UNSUPPORTED);
                Err(if is_unsupported {
                    CompileError::Unsupported(self.diagnostics)
                } else {
                    CompileError::Invalid(self.diagnostics)
                })
            }
        }
    }
}

/// Reads and checks a rulesheet.
///
/// ```
/// let source = text::Source::new("x.kif", "(role you) (<= (legal you ?x) (tru (fuel ?x)))");
/// let checked = gdl::check(&source);
/// assert!(checked.diagnostics[0].render(&source).contains("did you mean `true`?"));
/// ```
pub fn check(source: &Source) -> Checked {
    let mut diagnostics = Vec::new();
    if let Some(diagnostic) = source.encoding() {
        diagnostics.push(diagnostic);
        if diagnostics[0].is_error() {
            return Checked { program: None, diagnostics };
        }
    }
    let mut program = build::build(source, &mut diagnostics);
    // Later checks would repeat what a broken sentence already caused.
    let readable = !diagnostics.iter().any(Diagnostic::is_error);
    usage::check(&program, &mut diagnostics);
    safety::check(&mut program, &mut diagnostics);
    program.components = dependencies::check(&mut program, &mut diagnostics);
    if readable {
        usage::check_required(source, &program, &mut diagnostics);
    }
    program.roles = usage::roles(&program, &mut diagnostics);
    if readable {
        usage::check_percepts(&program, &mut diagnostics);
    }
    text::keep_first(&mut diagnostics);
    let sound = !diagnostics.iter().any(Diagnostic::is_error);
    Checked { program: sound.then_some(program), diagnostics }
}

/// All atoms that are asserted: facts and heads of rules.
fn heads(program: &Program) -> impl Iterator<Item = &Atom> {
    program.facts.iter().chain(program.rules.iter().map(|rule| &rule.head))
}
