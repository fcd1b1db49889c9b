//! The rules for agents in the README of their crate, held against every agent that there is.

use agents::{AGENTS, Agent, Budget, play_out};
use play::Game;

use crate::agents::games::{agent, connect::Connect, creep::Creep, kuhn::Kuhn, wumpus::Wumpus};

const README: &str = include_str!("../../../agents/README.md");

/// The rows of the README's table of agents: a name, and the games that it plays.
fn documented() -> Vec<(&'static str, &'static str)> {
    let (_, table) = README.split_once("|---|---|---|\n").expect("there is a table");
    let rows = table.lines().map_while(|line| line.strip_prefix("| `"));
    rows.map(|row| {
        let cells: Vec<&str> = row.trim_end_matches('|').split('|').map(str::trim).collect();
        (cells[0].trim_end_matches('`'), cells[2])
    })
    .collect()
}

/// A game of full information, two of hidden information, and a Wumpus world.
fn games() -> [(&'static str, Box<dyn Game>); 4] {
    [
        ("full", Connect::boxed()),
        ("hidden", Creep::boxed()),
        ("hidden", Kuhn::boxed()),
        ("Wumpus worlds", Wumpus::boxed(4)),
    ]
}

/// The first plies of a game between agents of this name, with the simulations before each; or the
/// fault.
fn plies(game: &dyn Game, name: &str, seed: u64) -> Result<Vec<(String, u64)>, String> {
    let mut agents: Vec<Box<dyn Agent>> = (0..game.facts().players).map(|_| agent(name)).collect();
    let played = play_out(game, &mut agents, Budget::Iterations(30), seed, 6);
    match played.fault {
        Some((_, fault)) => Err(fault.0),
        None => Ok(played.plies.into_iter().map(|ply| (ply.label, ply.simulations)).collect()),
    }
}

#[test]
fn the_readme_has_every_agent_in_its_table_and_on_its_map() {
    let names: Vec<&str> = AGENTS.iter().map(|kind| kind.name).collect();
    assert_eq!(documented().iter().map(|&(name, _)| name).collect::<Vec<_>>(), names);
    let diagram = format!("game -> agent -> {}\n", names.join(", "));
    assert!(README.contains(&diagram), "the map of the README lacks: {diagram}");
    for name in names {
        assert!(README.matches(&format!("`{name}`")).count() > 1, "the map lacks `{name}`");
    }
}

#[test]
fn the_same_seed_gives_the_same_choices() {
    for kind in AGENTS {
        for (_, game) in games() {
            for seed in 0..3 {
                let [one, other] = [(); 2].map(|()| plies(&*game, kind.name, seed));
                assert_eq!(one, other, "{} with seed {seed}", kind.name);
            }
        }
    }
}

#[test]
fn an_agent_plays_what_the_readme_says_and_names_another_for_the_rest() {
    for (name, information) in documented() {
        for (of, game) in games() {
            let plays = information == "any" || information == of;
            match plies(&*game, name, 1) {
                Ok(_) => assert!(plays, "`{name}` plays a game that the README denies it: {of}"),
                Err(fault) => {
                    assert!(!plays, "`{name}` does not play: {fault}");
                    let mut others = AGENTS.iter().filter(|kind| kind.name != name);
                    let named = others.any(|kind| fault.contains(&format!("`{}`", kind.name)));
                    assert!(named, "no agent to take in place of `{name}`: {fault}");
                }
            }
        }
    }
}
