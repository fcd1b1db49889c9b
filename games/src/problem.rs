use std::error::Error;
use std::fmt;

use text::{Diagnostic, Source};

/// One thing wrong with a catalogue, and the text that it is wrong in.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The file that is shown; empty for a file that is not there.
    pub source: Source,
    /// The fault of the text.
    pub diagnostic: Diagnostic,
}

/// Everything that is wrong with a catalogue; never empty.
#[derive(Clone, Debug)]
pub struct CatalogueError {
    /// In the order of folders, and of places within a file.
    pub problems: Vec<Problem>,
}

impl fmt::Display for CatalogueError {
    /// Each problem in full: message, file:line:column, the line with a caret, help.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, problem) in self.problems.iter().enumerate() {
            if i > 0 {
                f.write_str("\n\n")?;
            }
            f.write_str(&problem.diagnostic.render(&problem.source))?;
        }
        Ok(())
    }
}

impl Error for CatalogueError {}
