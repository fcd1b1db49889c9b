//! The meanings of the words of rows, in a sentence each.

use crate::rows::{Method, Verdict, Via};

/// The meaning of a verdict on a pair.
pub(super) fn about_verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Ok => {
            "the engine plays the same game as its peers and as recorded, as far as it was checked"
        }
        Verdict::Unchecked => "measured, but nothing was there to check it by",
        Verdict::Capped => "every playout reached the ply cap",
        Verdict::Unsupported => "the engine does not read some part of the rules",
        Verdict::Invalid => "the rules are faulty",
        Verdict::TooLarge => "a limit of size or memory was hit",
        Verdict::Timeout => "a limit of time was hit",
        Verdict::Crashed => "the worker died",
        Verdict::Disputed => {
            "it and others play different games, and nothing decides which is right"
        }
        Verdict::Wrong => "it differs from recorded numbers or from most engines",
    }
}

/// The meaning of a loop.
pub(super) fn about_loop(via: Via) -> &'static str {
    match via {
        Via::Fast => "the engine's own playout loop",
        Via::Reference => "the generic loop, which lists all legal moves and draws one",
        Via::Batch => "many playouts side by side",
        Via::Interpreted => "the engine's own playout loop, without machine code",
        Via::Listed => "the loop that lists all legal moves of every position",
        Via::Uct => "playouts in searches by UCT, one a simulation",
    }
}

/// The meaning of a method, by which a loop gets from one position to the next.
pub(super) fn about_method(method: Method) -> &'static str {
    match method {
        Method::Listed => "all legal actions are listed, and one is drawn",
        Method::Counted => "all legal actions are counted, and only the drawn one is made",
        Method::Sampled => "an action is drawn by rejection, without counting all",
        Method::Tabled => "results are carried over from one playout to the next",
    }
}
