//! The facts that are known of a playout mode.

/// The method by which a playout gets from one position to the next, which gives a rate of playouts
/// its meaning.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Method {
    /// All legal actions of every position are listed, and one of them is drawn.
    #[default]
    Listed,
    /// An action is drawn by its number; all of them are counted, and only the drawn one is made.
    Counted,
    /// An action is drawn without counting all: by rejection of those that turn out not to be
    /// legal.
    Sampled,
    /// Results are carried over from one playout to the next: a table of positions, or positions
    /// met before.
    Tabled,
}

impl Method {
    /// `listed`, `counted`, `sampled` or `tabled`.
    pub fn name(self) -> &'static str {
        match self {
            Method::Listed => "listed",
            Method::Counted => "counted",
            Method::Sampled => "sampled",
            Method::Tabled => "tabled",
        }
    }
}

/// The relation of the playouts of a fast or batch loop to those that the reference loop plays
/// under the same ids. Known when the game is compiled; the kit checks it, and a broken promise is
/// a fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Promise {
    /// They are the same, one by one: plies, ending and scores of every id.
    #[default]
    SamePlayouts,
    /// They are drawn from the same distribution, but are not the same, for this reason.
    SameDistribution(&'static str),
}

/// The facts about a playout mode that are known when the game is compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PlayoutMode {
    /// The method by which it gets from one position to the next.
    pub method: Method,
    /// The relation of its playouts to the reference's.
    pub promise: Promise,
}
