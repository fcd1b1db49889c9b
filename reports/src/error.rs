//! The one error type of this crate.

use std::path::{Path, PathBuf};

/// The reason why a run could not be read, written or reported on. Messages name the file, and the
/// line where there is one.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file system refused.
    #[error("{path}: {error}")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The error of the system. The message has it already, so it is not this error's `source`:
        /// a printed chain would say it twice.
        error: std::io::Error,
    },
    /// A file does not hold what it should.
    #[error("{path}:{line}: {message}")]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Line number, from 1.
        line: u64,
        /// The fault, and the expectation that it breaks.
        message: String,
    },
    /// A request that the data cannot answer, such as a baseline that was not measured.
    #[error("{0}")]
    Request(String),
    /// A fault inside this crate's rendering, such as an embedded font that does not parse.
    #[error("cannot draw: {0}")]
    Draw(String),
}

impl Error {
    pub(crate) fn io(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |error| Self::Io { path, error }
    }

    pub(crate) fn malformed(path: &Path, line: u64, message: impl Into<String>) -> Self {
        Self::Malformed { path: path.to_owned(), line, message: message.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_printed_chain_says_what_the_system_said_once() {
        let cause = std::io::Error::from(std::io::ErrorKind::NotFound);
        let error = Error::io(Path::new("run/measurements.csv"))(cause);
        assert!(error.to_string().starts_with("run/measurements.csv: "), "{error}");
        assert!(std::error::Error::source(&error).is_none());
    }

    #[test]
    fn messages_name_the_place() {
        let error = Error::malformed(
            Path::new("run/measurements.csv"),
            7,
            "`threads` is not a whole number: \"two\"",
        );
        assert_eq!(
            error.to_string(),
            "run/measurements.csv:7: `threads` is not a whole number: \"two\""
        );
    }
}
