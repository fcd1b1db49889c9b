use std::fmt;
use std::path::{Path, PathBuf};

use play::{CompileError, IllegalAction, IllegalStep};
use text::{Diagnostic, MAX_DIAGNOSTICS, Severity, Source};

/// An error for a person to read: [`fmt::Display`] says what is wrong, where and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    problems: Vec<Problem>,
    file: Option<(i32, PathBuf)>,
}

/// Messages about rules that are shown with their lines.
const MOST_SHOWN: usize = 20;

/// The kind of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A name, number or action that there is not: the caller's mistake.
    Usage,
    /// A file that cannot be read.
    Unreadable,
    /// Rules with faults.
    Invalid,
    /// Rules that the engine does not read in every part, or something that it does not offer.
    Unsupported,
    /// A limit of memory or work that compiling reached.
    TooLarge,
}

/// One message about rules, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Name of the file, as it was given.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// `error` or `warning`.
    pub severity: &'static str,
    /// Short stable code, such as `unknown-word`.
    pub code: &'static str,
    /// The fault, in a sentence.
    pub message: String,
    /// Advice, a sentence each.
    pub help: Vec<String>,
}

impl Problem {
    fn new(diagnostic: &Diagnostic, source: &Source) -> Problem {
        let place = source.position(diagnostic.span.start);
        Problem {
            file: source.name().to_owned(),
            line: place.line,
            column: place.column,
            severity: match diagnostic.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            },
            code: diagnostic.code,
            message: diagnostic.message.clone(),
            help: diagnostic.help.clone(),
        }
    }

    /// The first of many.
    pub(crate) fn all<'d>(
        diagnostics: impl IntoIterator<Item = &'d Diagnostic>,
        source: &Source,
    ) -> Vec<Problem> {
        diagnostics.into_iter().take(MAX_DIAGNOSTICS).map(|d| Problem::new(d, source)).collect()
    }
}

impl Error {
    /// The kind of the error.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The file that cannot be read, and the number that the operating system has for the reason.
    pub fn file(&self) -> Option<(i32, &Path)> {
        self.file.as_ref().map(|(code, path)| (*code, path.as_path()))
    }

    /// The faults of the rules, if it is rules that are wrong: errors, then warnings, 100 at most.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    pub(crate) fn usage(message: impl Into<String>) -> Error {
        Error::new(ErrorKind::Usage, message)
    }

    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Error {
        Error { kind, message: message.into(), problems: Vec::new(), file: None }
    }

    /// A file that cannot be read, for these reasons.
    pub(crate) fn unreadable<'e>(
        message: String,
        path: &Path,
        mut reasons: impl Iterator<Item = &'e (dyn std::error::Error + 'static)>,
    ) -> Error {
        let code = |reason: &(dyn std::error::Error + 'static)| {
            reason.downcast_ref::<std::io::Error>().and_then(std::io::Error::raw_os_error)
        };
        let file = reasons.find_map(code).map(|code| (code, path.to_owned()));
        Error { file, ..Error::new(ErrorKind::Unreadable, message) }
    }

    /// Rules that an engine did not compile.
    pub(crate) fn of_rules(error: &CompileError, engine: &str, source: &Source) -> Error {
        let kind = match error {
            CompileError::Invalid(_) => ErrorKind::Invalid,
            CompileError::Unsupported(_) | CompileError::Unavailable(_) => ErrorKind::Unsupported,
            CompileError::TooLarge(_) | CompileError::Beyond(_) => ErrorKind::TooLarge,
            CompileError::Start(_) => ErrorKind::Usage,
        };
        let mut diagnostics: Vec<&Diagnostic> = error.diagnostics().iter().collect();
        diagnostics.sort_by_key(|diagnostic| !diagnostic.is_error());
        let message = if diagnostics.is_empty() {
            format!("{engine}: {}", error.one_line(source))
        } else {
            let lines = diagnostics.iter().map(|diagnostic| diagnostic.one_line(source));
            let shown = diagnostics.iter().take(MOST_SHOWN);
            let texts = shown.map(|diagnostic| diagnostic.render(source));
            let others = diagnostics.len().saturating_sub(MOST_SHOWN);
            let more = (others > 0).then(|| format!("... and {others} more"));
            lines.take(1).chain(texts).chain(more).collect::<Vec<_>>().join("\n\n")
        };
        Error { problems: Problem::all(diagnostics, source), ..Error::new(kind, message) }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

impl From<IllegalAction> for Error {
    fn from(error: IllegalAction) -> Error {
        Error::usage(error.to_string())
    }
}

impl From<IllegalStep> for Error {
    fn from(error: IllegalStep) -> Error {
        Error::usage(format!("{error}; the mask has 1 for every action that is legal"))
    }
}
