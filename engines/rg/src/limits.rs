//! The bounds that keep hostile descriptions from taking all time and memory.

use play::Limits;

/// The most bytes of a description.
pub(crate) const MAX_TEXT: usize = 4 << 20;

/// The deepest that brackets, expressions, types and blocks nest.
pub(crate) const MAX_DEPTH: usize = 128;

/// The most members of a domain, and the most symbols of a description.
pub(crate) const MAX_SYMBOLS: usize = 60_000;

/// The most cells of all constants together, and of all variables together.
pub(crate) const MAX_CELLS: usize = 4_000_000;

/// The most edges of an automaton.
pub(crate) const MAX_EDGES: usize = 1_000_000;

/// The most tags of a move.
pub(crate) const MAX_TAGS: usize = 10_000;

/// The most moves that the keeper makes in a row.
pub(crate) const MAX_KEEPER_MOVES: usize = 10_000;

/// The most rounds of loops in one move of the keeper that code makes. A walk that changes little
/// is known to go in a circle after as many rounds as it has states.
pub(crate) const MAX_KEEPER_ROUNDS: u64 = 1 << 22;

/// The most members of all domains together.
pub(crate) const MAX_MEMBERS: usize = 500_000;

/// The most bytes of a symbol that is made of a constructor and its arguments.
pub(crate) const MAX_TERM: usize = 1000;

/// The most expressions that are evaluated at compile time.
pub(crate) const MAX_STEPS: usize = 5_000_000;

/// The bounds of what an expansion makes, which a description of few words may have much of. They
/// are smaller than those above where a compilation is allowed little.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// As [`MAX_EDGES`].
    pub(crate) edges: usize,
    /// As [`MAX_MEMBERS`].
    pub(crate) members: usize,
    /// As [`MAX_STEPS`].
    pub(crate) steps: usize,
}

impl Bounds {
    /// The bounds within limits. An edge and the node behind it take 200 bytes, and up to 6 µs until
    /// there is an automaton, which is the time of 60 steps of work.
    pub(crate) fn within(limits: &Limits) -> Bounds {
        let bound = |most: usize, least: usize, work: u64, bytes: u64| {
            let allowed = (limits.work / work).min(limits.bytes / bytes);
            most.min(usize::try_from(allowed).unwrap_or(most)).max(least)
        };
        Bounds {
            edges: bound(MAX_EDGES, 10_000, 60, 512),
            members: bound(MAX_MEMBERS, 20_000, 4, 512),
            steps: bound(MAX_STEPS, 300_000, 1, 16),
        }
    }
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds::within(&Limits::default())
    }
}

/// The deepest that expressions nest at compile time, those of called functions included.
pub(crate) const MAX_EVALUATION_DEPTH: usize = 512;

/// The deepest that statements nest, those of called graphs included.
pub(crate) const MAX_EXPANSION_DEPTH: usize = 256;

/// The most entries of the tables of all sets together, which have one for each symbol.
pub(crate) const MAX_PLACES: usize = 16_000_000;
