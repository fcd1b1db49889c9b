//! Games in which players do not see everything.
//!
//! A module here is like all others, and says what players perceive besides. Playouts ask for none
//! of that: what they choose from is what is legal, which every player knows of his own plies.

pub(crate) mod goofspiel;
pub(crate) mod hunt_the_wumpus;
pub(crate) mod kuhn_poker;
pub(crate) mod leduc_poker;
pub(crate) mod liars_dice;
pub(crate) mod mastermind;
pub(crate) mod phantom_tic_tac_toe;
pub(crate) mod wumpus;
pub(crate) mod wumpus_hunt;
pub(crate) mod wumpus_ludii;

use play::{Job, Rng};

use crate::rules::Results;

/// The ranks of cards in small games of poker, the lowest first.
const RANKS: [&str; 3] = ["jack", "queen", "king"];

/// Plays a job of hands at poker: each a number of plies, and what the first player won.
#[inline(always)]
fn play_hands(job: &Job, results: &mut Results, hand: impl Fn(&mut Rng) -> (u32, i32)) {
    for id in job.ids() {
        let (plies, won) = hand(&mut Rng::stream(job.seed, id));
        results.note_won(id, plies, won, job.cap);
    }
}
