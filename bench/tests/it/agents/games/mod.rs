//! Small games written for these tests.

pub(crate) mod connect;
pub(crate) mod creep;
pub(crate) mod kuhn;
pub(crate) mod plain;
pub(crate) mod wumpus;

use agents::{Agent, Budget, Choice, Observation, by_name, play_out};
use play::{Game, Player, Rng, Scores, Turn, mix};

/// The agent of that name.
pub(crate) fn agent(name: &str) -> Box<dyn Agent> {
    by_name(name).unwrap_or_else(|error| panic!("{error}"))
}

/// The choice of an agent at the start of a game of full information.
pub(crate) fn first_choice(game: &dyn Game, name: &str, budget: Budget, seed: u64) -> Choice {
    let position = game.open(&mut Rng::stream(seed, 0));
    let Turn::Move(player) = position.turn() else { panic!("over: {}", position.draw()) };
    let legal = position.labels();
    let obs = Observation {
        game,
        player,
        legal: &legal,
        past: &[],
        position: Some(&*position),
        moves: &[],
        seed,
    };
    agent(name).choose(&obs, budget).unwrap()
}

fn one(game: &dyn Game, names: &[&str], budget: Budget, seed: u64) -> Scores {
    let mut agents: Vec<_> = names.iter().map(|name| agent(name)).collect();
    let played = play_out(game, &mut agents, budget, mix(seed), 1000);
    assert_eq!(played.fault, None);
    played.scores.unwrap_or_else(|| panic!("no scores after {} plies", played.plies.len()))
}

/// The mean payoff of the first of two agents over games in which they change seats, with its
/// standard error.
pub(crate) fn duel(game: &dyn Game, names: [&str; 2], budget: Budget, seeds: u64) -> (f64, f64) {
    let swapped = [names[1], names[0]];
    let payoffs = (0..seeds).flat_map(|seed| {
        [(names, Player(0)), (swapped, Player(1))]
            .map(|(names, me)| f64::from(one(game, &names, budget, seed).get(me)))
    });
    mean(&payoffs.collect::<Vec<f64>>())
}

/// Mean and its standard error.
pub(crate) fn mean(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (mean, (variance / n).sqrt())
}
