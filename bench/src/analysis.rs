//! Games as data: figures of a game from random games of it. How long they are, how much there is
//! to choose, how they end, whom the rules favour, what luck decides, and how large the game is.
//!
//! [`sample`] plays in the worker and gives what it saw, game by game; [`Figures`] are made of that
//! by the harness. The same effort gives the same figures on any machine.

mod figures;
mod sample;

pub use figures::{Bin, Ends, Figures, Spread};
pub use sample::{Effort, Ended, Played, Sampled, sample};
