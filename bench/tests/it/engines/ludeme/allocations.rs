//! Playouts ask the allocator for nothing once they are under way.

use allocation_counter::measure;
use play::{Game, Job, Via};

use super::common::compiled;
use super::files::catalogue;

/// Plies for each of which a game may ask once: lists grow to their sizes a little later than in
/// the first playouts of a job, and a state in which moves are tried inside of another trial is
/// made when it is first needed.
const PLIES: i128 = 200;

/// The allocations of further playouts, after as many have been played in the same job and all of
/// them once before, and their plies.
fn asked_for(game: &dyn Game, playouts: u64) -> (i128, i128) {
    let run = |count| {
        let job = Job { seed: 1, first: 0, count, cap: 300 };
        let mut plies = 0;
        let found = measure(|| plies = game.run(&job, Via::Fast).plies);
        (i128::from(found.count_total), i128::from(plies))
    };
    run(2 * playouts);
    let (before, after) = (run(playouts), run(2 * playouts));
    (after.0 - before.0, after.1 - before.1)
}

#[test]
fn playouts_of_the_catalogue_allocate_nothing() {
    let mut games = 0;
    for rules in catalogue() {
        let name = rules.source.name();
        let game = compiled(name, rules.source.text());
        let (asked, plies) = asked_for(&*game, 30);
        assert!(asked * PLIES <= plies, "{name}: {asked} in {plies} plies");
        games += 1;
    }
    assert!(games > 30, "only {games} games");
}
