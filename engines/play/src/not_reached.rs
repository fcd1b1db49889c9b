//! The reason why plies lead to no position.

use std::fmt;

use text::did_you_mean;

/// The reason why plies lead to no position: one of them is not legal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotReached {
    /// The number of plies before it.
    pub plies: usize,
    /// Its label.
    pub label: String,
    /// The labels of all legal actions, sorted; none if the game is over.
    pub legal: Vec<String>,
}

/// Legal actions that a message lists.
const LISTED: usize = 12;

impl NotReached {
    /// The ply with this label after so many others, where these actions are legal.
    pub fn new(plies: usize, label: &str, mut legal: Vec<String>) -> NotReached {
        legal.sort_unstable();
        NotReached { plies, label: label.to_owned(), legal }
    }
}

impl fmt::Display for NotReached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NotReached { plies, label, legal } = self;
        let number = plies + 1;
        if legal.is_empty() {
            return write!(
                f,
                "ply {number} of the position, `{label}`: the game is over before it"
            );
        }
        let meant = did_you_mean(label, legal.iter().map(String::as_str));
        let more = if legal.len() > LISTED { ", ..." } else { "" };
        let listed = legal[..legal.len().min(LISTED)].join(", ");
        let count = legal.len();
        write!(
            f,
            "ply {number} of the position, `{label}`, is not legal{meant} ({count} legal: \
             {listed}{more})"
        )
    }
}

impl std::error::Error for NotReached {}
