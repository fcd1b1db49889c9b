//! The strategy by which an engine plays a part of a game.

use std::fmt;

/// The strategy by which an engine plays a part of a game, to explain why a game is slow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Strategy {
    /// The part, such as `playouts` or `positions`.
    pub part: &'static str,
    /// The way in which it is played.
    pub way: String,
    /// The reason why it is not played in a quicker way, if the engine has one.
    pub reason: Option<String>,
}

impl Strategy {
    /// A part that is played in the quickest way that the engine has.
    pub fn quickest(part: &'static str, way: impl Into<String>) -> Strategy {
        Strategy { part, way: way.into(), reason: None }
    }

    /// A part that is not, and why.
    pub fn slower(
        part: &'static str,
        way: impl Into<String>,
        reason: impl Into<String>,
    ) -> Strategy {
        Strategy { part, way: way.into(), reason: Some(reason.into()) }
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Strategy { part, way, reason } = self;
        write!(f, "{part} by {way}")?;
        reason.iter().try_for_each(|reason| write!(f, ", since {reason}"))
    }
}
