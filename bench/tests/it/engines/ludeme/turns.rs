//! Turns that never end, looked ahead by `max Moves`: the look is bounded, and both ways of playing
//! stop at the same place.

use play::{Job, Via};

use super::common::compiled;

/// Whoever moves may pass and move again for ever, whatever else there is.
const ENDLESS: &str = r#"(game "Endless" (players 2)
    (equipment { (board (square 2)) (piece "Stone" Each) })
    (rules (start { (place "Stone1" 0) (place "Stone2" 3) })
        (play (max Moves (or
            (move Pass (then (moveAgain)))
            (move Add (to (sites Empty)) (then (moveAgain))))))
        (end (if (no Moves Next) (result Mover Win)))))"#;

#[test]
fn endless_turns_are_looked_at_in_bounds() {
    let game = compiled("endless.lud", ENDLESS);
    let job = Job { seed: 1, first: 0, count: 1, cap: 2 };
    let tally = game.run(&job, Via::Fast);
    assert_eq!((tally.plies, tally.capped), (2, 1));
    assert_eq!(tally, game.run(&job, Via::Reference));
}
