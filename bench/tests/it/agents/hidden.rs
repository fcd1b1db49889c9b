//! Games of hidden information.

use std::time::{Duration, Instant};

use agents::{Agent, Budget, Choice, Observation, ObservedPly};
use play::{Game, Player};

use crate::agents::games::{agent, connect::Connect, creep::Creep, duel, kuhn::Kuhn};

/// The choice of player 1 of [`Creep`] after these percepts.
fn guess(agent: &mut dyn Agent, percepts: &[&str], budget: Budget, seed: u64) -> Choice {
    let game = Creep::boxed();
    choose(agent, &*game, &["0", "1", "2"], &[(None, percepts)], budget, seed)
}

fn choose(
    agent: &mut dyn Agent,
    game: &dyn Game,
    legal: &[&str],
    past: &[(Option<&str>, &[&str])],
    budget: Budget,
    seed: u64,
) -> Choice {
    let legal: Vec<String> = legal.iter().map(|&label| label.to_owned()).collect();
    let past = past.iter().map(|&(own, percepts)| ObservedPly {
        own: own.map(str::to_owned),
        percepts: percepts.iter().map(|&percept| percept.to_owned()).collect(),
    });
    let past: Vec<ObservedPly> = past.collect();
    let player = Player(0);
    let obs =
        Observation { game, player, legal: &legal, past: &past, position: None, moves: &[], seed };
    agent.choose(&obs, budget).unwrap()
}

fn count(agent: &dyn Agent, name: &str) -> u64 {
    agent.counts().iter().find(|(what, _)| *what == name).map_or(0, |&(_, n)| n)
}

const CLUES: [(&[&str], [f64; 3]); 2] = [
    (&["stopped"], [1500.0 / 21.0, 400.0 / 21.0, 200.0 / 21.0]),
    (&["clue", "stopped"], [0.0, 200.0 / 3.0, 100.0 / 3.0]),
];

#[test]
fn enumeration_gives_the_exact_probabilities() {
    for (percepts, expected) in CLUES {
        let mut agent = agent("hyperplay:search=uct");
        let choice = guess(&mut *agent, percepts, Budget::Iterations(100), 1);
        assert_eq!(count(&*agent, "plies with all states"), 1);
        for (of, expected) in choice.values.iter().zip(expected) {
            assert!((of.value - expected).abs() < 1e-9, "{percepts:?}: {:?}", choice.values);
        }
        assert_eq!(choice.values.len(), 3);
    }
}

#[test]
fn the_bag_comes_near_them() {
    for (percepts, expected) in CLUES {
        let mut agent = agent("hyperplay:search=uct,exact=0,samples=2000,effort=1000000");
        let choice = guess(&mut *agent, percepts, Budget::Iterations(10_000), 1);
        assert_eq!(count(&*agent, "plies with sampled states"), 1);
        for (of, expected) in choice.values.iter().zip(expected) {
            // 2,000 states, though not independent: standard error about 1.
            assert!((of.value - expected).abs() < 6.0, "{percepts:?}: {:?}", choice.values);
        }
    }
}

#[test]
fn every_agent_guesses_the_likeliest_square() {
    for name in ["hyperplay", "hyperplay:exact=0", "ismcts", "ismcts:exact=0"] {
        for (percepts, best) in [(CLUES[0].0, 0), (CLUES[1].0, 1)] {
            let mut agent = agent(name);
            let of = guess(&mut *agent, percepts, Budget::Iterations(600), 1);
            assert_eq!(of.action, best, "{name}: {:?}", of.values);
            let again = guess(
                &mut *crate::agents::games::agent(name),
                percepts,
                Budget::Iterations(600),
                1,
            );
            assert_eq!(of, again, "{name}: the same seed");
        }
    }
}

#[test]
fn an_impossible_past_is_reported_and_played_all_the_same() {
    for name in ["hyperplay", "hyperplay:exact=0", "ismcts"] {
        let mut agent = agent(name);
        let choice = guess(&mut *agent, &["a rumour"], Budget::Iterations(100), 1);
        assert!(choice.action < 3);
        let near = count(&*agent, "plies with no state that fits, but one near");
        assert_eq!(near, 1, "{name}: {:?}", agent.counts());
        let legal = ["of", "no", "such", "game"];
        let choice = choose(
            &mut *agent,
            &*Creep::boxed(),
            &legal,
            &[(None, &["a rumour"])],
            Budget::Iterations(100),
            1,
        );
        assert!(choice.action < 4);
        assert_eq!(count(&*agent, "plies with no state"), 1, "{name}: {:?}", agent.counts());
    }
}

#[test]
fn a_sure_hand_is_played() {
    let game = Kuhn::boxed();
    let hand = |name: &str, card: &str| {
        let past: [(Option<&str>, &[&str]); 3] =
            [(None, &[card]), (Some("check"), &["check"]), (None, &["bet"])];
        let legal = ["fold", "call"];
        choose(&mut *agent(name), &*game, &legal, &past, Budget::Iterations(300), 1)
    };
    for name in ["hyperplay", "hyperplay:search=uct", "hyperplay:exact=0", "ismcts"] {
        assert_eq!(hand(name, "king").action, 1, "{name}");
        assert_eq!(hand(name, "jack").action, 0, "{name}");
        // After a bet nothing is left to chance but the other's card: what a call pays is known.
        let value = hand(name, "king").values[1].value;
        assert!((value - 2.0).abs() < 1e-9, "{name}: {value}");
    }
}

#[test]
fn what_is_kept_of_one_game_does_not_harm_the_next() {
    let game = Kuhn::boxed();
    for name in ["hyperplay:exact=0", "ismcts:exact=0"] {
        let mut agent = agent(name);
        for (seed, card, best) in [(1, "king", 1), (2, "jack", 0), (2, "king", 1), (2, "jack", 0)] {
            let past: [(Option<&str>, &[&str]); 3] =
                [(None, &[card]), (Some("check"), &["check"]), (None, &["bet"])];
            let legal = ["fold", "call"];
            let choice = choose(&mut *agent, &*game, &legal, &past, Budget::Iterations(100), seed);
            assert_eq!(choice.action, best, "{name} {card}");
        }
        assert_eq!(count(&*agent, "plies with sampled states"), 4, "{name}");
    }
}

#[test]
fn sampling_agents_beat_random_at_kuhn_poker() {
    let game = Kuhn::boxed();
    for name in ["hyperplay", "hyperplay:exact=0", "ismcts"] {
        let (mean, error) = duel(&*game, [name, "random"], Budget::Iterations(100), 300);
        println!("{name}: {mean} with standard error {error}");
        assert!(mean > 3.0 * error, "{name}: {mean} with standard error {error}");
    }
}

#[test]
fn with_the_position_given_they_search_it() {
    let game = Connect::boxed();
    for name in ["hyperplay:search=uct", "ismcts"] {
        let (mean, error) = duel(&*game, [name, "random"], Budget::Iterations(100), 10);
        assert!(mean - 50.0 > 3.0 * error, "{name}: {mean} with standard error {error}");
    }
}

#[test]
fn a_budget_of_time_holds_for_the_sampling_too() {
    let begun = Instant::now();
    for name in ["hyperplay:exact=0,samples=100000,effort=1000000000", "ismcts"] {
        let budget = Budget::Time(Duration::from_millis(100));
        let choice = guess(&mut *agent(name), &["stopped"], budget, 1);
        assert!(choice.simulations > 10, "{name}: {}", choice.simulations);
    }
    assert!(begun.elapsed() < Duration::from_secs(5));
}
