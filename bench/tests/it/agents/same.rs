//! Agents choose the same, move for move, whether they search an engine's own states or positions
//! by their labels and percepts alone.

use std::sync::{Arc, Mutex};

use agents::{Agent, Budget, Choice, Fault, Observation, play_out};
use play::{Game, Language, Limits, Rules, kit};

use crate::agents::games::{agent, connect::Connect, creep::Creep, kuhn::Kuhn, plain::Plain};

/// A game of the catalogue, coded by hand.
fn catalogue(id: &str) -> Box<dyn Game> {
    let rules = Rules::new(Language::Bitboard, "game.toml", id);
    let engine = roster::engine("bitboard").unwrap();
    engine.compile(&rules, &Limits::default()).unwrap().game
}

/// An agent whose choices are noted, with what it thinks of its actions.
struct Noted(Box<dyn Agent>, Arc<Mutex<Vec<Choice>>>);

impl Agent for Noted {
    fn name(&self) -> String {
        self.0.name()
    }

    fn choose(&mut self, obs: &Observation<'_>, budget: Budget) -> Result<Choice, Fault> {
        let choice = self.0.choose(obs, budget)?;
        self.1.lock().unwrap().push(choice.clone());
        Ok(choice)
    }
}

/// All choices of a game between agents of this name.
fn played(game: &dyn Game, name: &str, seed: u64) -> Vec<Choice> {
    let choices = Arc::default();
    let noted = |_| Box::new(Noted(agent(name), Arc::clone(&choices))) as Box<dyn Agent>;
    let mut agents: Vec<Box<dyn Agent>> = (0..game.facts().players).map(noted).collect();
    let played = play_out(game, &mut agents, Budget::Iterations(150), seed, 60);
    assert_eq!(played.fault, None);
    let choices = choices.lock().unwrap().clone();
    assert!(choices.iter().any(|choice| choice.values.len() > 1));
    choices
}

fn same(names: &[&str], games: &[fn() -> Box<dyn Game>]) {
    for (name, game) in names.iter().flat_map(|name| games.iter().map(move |game| (name, game))) {
        let (own, plain) = (game(), Plain(game()));
        for seed in 0..3 {
            assert_eq!(played(&*own, name, seed), played(&plain, name, seed), "{name} {seed}");
        }
    }
}

#[test]
fn in_games_of_hidden_information() {
    same(
        &["hyperplay", "hyperplay:search=uct", "ismcts", "ismcts:exact=0,effort=500"],
        &[
            Creep::boxed,
            Kuhn::boxed,
            || catalogue("phantom-tic-tac-toe"),
            || catalogue("leduc-poker"),
            || catalogue("liars-dice"),
            || catalogue("goofspiel-5"),
        ],
    );
}

#[test]
fn in_games_of_full_information() {
    // The trees that are kept from ply to ply are over states alone.
    same(
        &["flat", "flat:share=ucb1", "uct:reuse=off", "ismcts"],
        &[Connect::boxed, || catalogue("backgammon"), || catalogue("three-mens-morris")],
    );
}

/// The kit holds trees over states to those over positions, node by node. These games have no
/// numbers for what is done and perceived.
#[test]
fn in_games_that_go_by_texts() {
    for game in [Creep::boxed(), Kuhn::boxed()] {
        let report = kit::check(&*game, &kit::Effort::default());
        assert!(report.faults.is_empty(), "{:?}", report.faults);
    }
}
