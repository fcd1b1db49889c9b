//! The failure of a pair of game and engine to give an answer.

use reports::Verdict;

/// The reason why a pair of game and engine gave no answer: a row of the table, never a gap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The kind of failure.
    pub verdict: Verdict,
    /// The reason, on one line if possible.
    pub reason: String,
}

impl Failure {
    /// A failure of this kind.
    pub fn new(verdict: Verdict, reason: impl Into<String>) -> Failure {
        Failure { verdict, reason: reason.into() }
    }
}

/// An answer, or none where the engine has no such thing: that is a gap, and no other failure is.
pub(crate) fn if_supported<T>(answer: Result<T, Failure>) -> Result<Option<T>, Failure> {
    match answer {
        Err(failure) if failure.verdict == Verdict::Unsupported => Ok(None),
        answer => answer.map(Some),
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.verdict, self.reason)
    }
}

impl std::error::Error for Failure {}
