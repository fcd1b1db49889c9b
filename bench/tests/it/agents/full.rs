//! Games of full information.

use std::time::{Duration, Instant};

use agents::{Budget, Observation, ObservedPly};
use play::{NoChance, Player, toy::Toy};

use crate::agents::games::{agent, connect::Connect, duel, first_choice};

const THOUGHT: Budget = Budget::Iterations(400);

fn action(tree: &str, name: &str) -> usize {
    let game = Toy::parse(tree).unwrap().boxed();
    first_choice(&*game, name, THOUGHT, 1).action
}

#[test]
fn the_best_of_several_ends_is_chosen() {
    for name in ["flat", "flat:share=ucb1", "uct"] {
        assert_eq!(action("1(=10 =30 =90 =20)", name), 2, "{name}");
    }
}

#[test]
fn playouts_trust_a_blunder_and_a_search_does_not() {
    // After the first action a random opponent blunders two times of three, a good one never.
    let tree = "1(2(=100,0 =100,0 =0,100) 2(=60,40 =50,50))";
    assert_eq!(action(tree, "flat"), 0);
    assert_eq!(action(tree, "flat:share=ucb1"), 0);
    assert_eq!(action(tree, "uct"), 1);
}

#[test]
fn each_player_is_out_for_the_own_payoff() {
    // Player 2 takes 50 for itself, not what hurts player 1 most; then player 3 is indifferent.
    let tree = "1(2(=0,40,0 =70,50,0) 3(=60,0,1 =20,90,2))";
    assert_eq!(action(tree, "uct"), 0);
}

#[test]
fn chance_is_drawn_anew_in_each_simulation() {
    // 25 against 30 for sure, and 50 with a choice after the throw (25 at random).
    let tree = "1(*(=100 =0 =0 =0) =30 *(1(=100 =0) 1(=0 =0)))";
    // With less exploration than UCB1's, few bad throws at first can hide the third action for
    // long.
    for seed in 0..5 {
        let game = Toy::parse(tree).unwrap().boxed();
        let choice = first_choice(&*game, "uct:c=1.4", Budget::Iterations(2000), seed);
        assert_eq!(choice.action, 2, "{:?}", choice.values);
        let value = choice.values.iter().find(|of| of.action == 2).unwrap().value;
        assert!((38.0..55.0).contains(&value), "{value}");
    }
}

#[test]
fn payoffs_may_have_any_scale() {
    // Without scaling, the exploration term would be nothing beside payoffs of hundreds.
    let tree = "1(2(=0,255 =255,0) 2(=130,100 =131,100))";
    assert_eq!(action(tree, "uct"), 1);
}

#[test]
fn the_same_seed_gives_the_same_choice() {
    let game = Connect::boxed();
    for name in ["flat", "uct"] {
        let of = |seed| first_choice(&*game, name, Budget::Iterations(200), seed);
        assert_eq!(of(5), of(5));
        assert_ne!(of(5).values, of(6).values, "{name} draws nothing");
        assert_eq!(of(5).simulations, 200);
    }
}

#[test]
fn a_budget_of_time_is_kept() {
    let game = Connect::boxed();
    for name in ["flat", "uct"] {
        let begun = Instant::now();
        let choice = first_choice(&*game, name, Budget::Time(Duration::from_millis(100)), 1);
        assert!(choice.simulations > 10, "{name}: {}", choice.simulations);
        assert!(begun.elapsed() < Duration::from_secs(5), "{name}");
    }
}

#[test]
fn without_budget_an_action_is_chosen_all_the_same() {
    let game = Connect::boxed();
    for name in ["flat", "uct"] {
        let choice = first_choice(&*game, name, Budget::Iterations(0), 3);
        assert!(choice.action < 5 && choice.values.is_empty());
    }
}

#[test]
fn uct_beats_flat_beats_random() {
    let game = Connect::boxed();
    for (names, seeds) in [(["uct", "flat"], 50), (["flat", "random"], 10)] {
        let (mean, error) = duel(&*game, names, Budget::Iterations(300), seeds);
        println!("{names:?}: {mean} with standard error {error}");
        assert!(mean - 50.0 > 2.6 * error, "{names:?}: {mean} with standard error {error}");
    }
}

/// A tree that is kept knows, after one simulation more, what was found at the ply before.
#[test]
fn a_tree_is_kept_from_ply_to_ply() {
    let game = Connect::boxed();
    for (name, is_kept) in [("uct:reuse=on", true), ("uct:reuse=off", false)] {
        let mut agent = agent(name);
        let mut position = game.open(&mut NoChance);
        let mut moves: Vec<String> = Vec::new();
        let mut known = Vec::new();
        for simulations in [2000, 1] {
            let legal = position.labels();
            let obs = Observation {
                game: &*game,
                player: Player(0),
                legal: &legal,
                past: &[],
                position: Some(&*position),
                moves: &moves,
                seed: 1,
            };
            let choice = agent.choose(&obs, Budget::Iterations(simulations)).unwrap();
            known.push(choice.values.len());
            // The own action, and the first of the other player.
            for action in [choice.action, 0] {
                moves.push(position.label(action));
                position.play(action, &mut NoChance).unwrap();
            }
        }
        assert!(known[0] > 2, "{name}: {known:?}");
        assert_eq!(known[1] > 1, is_kept, "{name}: {known:?}");
    }
}

#[test]
fn what_needs_the_position_says_so() {
    let game = Toy::parse("1(=1 =2)").unwrap().boxed();
    let legal = game.open(&mut NoChance).labels();
    let past: [ObservedPly; 0] = [];
    let obs = Observation {
        game: &*game,
        player: Player(0),
        legal: &legal,
        past: &past,
        position: None,
        moves: &[],
        seed: 1,
    };
    for name in ["flat", "uct"] {
        let fault = agent(name).choose(&obs, THOUGHT).unwrap_err();
        assert!(fault.0.contains("full information") && fault.0.contains("ismcts"), "{fault}");
    }
}
