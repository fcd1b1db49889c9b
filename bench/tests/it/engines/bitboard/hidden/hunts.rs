//! Hunts with all settings that a name can say.

use bitboard::{BitboardEngine, shapes};
use play::kit::{self, Agreement, Effort};
use play::{Engine, Game, Job, Language, Limits, Player, Position, Rules, Script, Via, settle};

use crate::engines::bitboard::common::game;

/// All names of hunts.
fn names() -> Vec<String> {
    let mut all = Vec::new();
    for hunters in ["-1", "", "-3"] {
        for arrows in ["", "-arrows2", "-arrows3"] {
            for gold in ["", "-gold"] {
                for alive in ["", "-alive2", "-alive3"] {
                    for silent in ["", "-silent"] {
                        all.push(format!("wumpus-hunt{hunters}{arrows}{gold}{alive}{silent}"));
                    }
                }
            }
        }
    }
    all.retain(|name| {
        let alone = name.starts_with("wumpus-hunt-1");
        let few = !name.starts_with("wumpus-hunt-3");
        !(alone && (name.contains("alive") || name.contains("silent"))
            || few && name.contains("alive3"))
    });
    all
}

#[test]
fn every_hunt_keeps_the_contract() {
    let names = names();
    assert_eq!(names.len(), 6 + 24 + 36);
    for name in &names {
        let game = game(name);
        let hunters = if name.contains("-1") { 1 } else { 2 + u8::from(name.contains("-3")) };
        assert_eq!(game.facts().players, hunters, "{name}");
        assert_eq!(game.facts().simultaneous, hunters > 1, "{name}");
        let effort = Effort { walks: 3, playouts: 200, ..Effort::default() };
        let report = kit::check(&*game, &effort);
        assert!(report.faults.is_empty(), "{name}: {:#?}", report.faults);
        assert_eq!(report.fast, Some(Agreement::Identical), "{name}");
        for cap in [0, 1, 7] {
            let job = Job { seed: 9, first: 0, count: 200, cap };
            assert_eq!(game.run(&job, Via::Fast), game.run(&job, Via::Reference), "{name}");
        }
    }
}

#[test]
fn names_that_say_too_much_are_answered_with_the_shape() {
    let shape = shapes().next().unwrap();
    for name in
        ["wumpus-hunt-2", "wumpus-hunt-arrows1", "wumpus-hunt-alive3", "wumpus-hunt-1-silent"]
    {
        let rules = Rules::new(Language::Bitboard, name, name);
        let error = BitboardEngine::new().compile(&rules, &Limits::default()).unwrap_err();
        let error = format!("{error:?}");
        assert!(error.contains(&format!("`{name}`: expected {shape}")), "{error}");
    }
}

#[test]
fn means_are_those_of_a_brute_force_simulator() {
    // Mean plies and score over four million playouts of a program on plain arrays, written apart.
    for (name, plies, score) in MEANS {
        let count = 60_000;
        let tally = game(name).run(&Job { seed: 6, first: 0, count, cap: 200 }, Via::Fast);
        assert_eq!((tally.capped, tally.stuck), (0, 0), "{name}");
        for ((ours, error), theirs) in
            [tally.mean_plies(), tally.mean_scores()[0]].into_iter().zip([plies, score])
        {
            assert!((ours - theirs).abs() < 5.0 * error, "{name}: {ours} +- {error}, not {theirs}");
        }
    }
}

/// Names, mean plies and mean scores.
const MEANS: [(&str, f64, f64); 6] = [
    ("wumpus-hunt-1-gold", 9.966_04, 10.1947),
    ("wumpus-hunt-arrows2-alive2", 7.144_13, 11.1835),
    ("wumpus-hunt-gold", 18.882_12, 14.8249),
    ("wumpus-hunt-3", 7.529_27, 11.0144),
    ("wumpus-hunt-3-arrows3-alive3-silent", 13.137_33, 16.5086),
    ("wumpus-hunt-3-arrows2-gold-alive2", 25.828_39, 12.9981),
];

/// A game that begins with these outcomes of chance.
fn open<'a>(game: &'a dyn Game, outcomes: &[u32]) -> Box<dyn Position + 'a> {
    game.open(&mut Script::new(outcomes.iter().copied()))
}

/// Plays these labels, passes of the dead being skipped; what each player perceives then.
fn turn(position: &mut dyn Position, players: u8, labels: &[&str]) -> Vec<String> {
    for label in labels {
        let action = position.labels().iter().position(|other| other == label);
        let action = action.unwrap_or_else(|| panic!("{label} in\n{}", position.draw()));
        position.play(action, &mut Script::default()).unwrap();
        settle(position, &mut Script::default());
    }
    (0..players).map(|player| position.percepts().of(Player(player)).join(", ")).collect()
}

// A cave of 4x4 with one pit, then the numbers of the squares of the wumpus (a2) and the pit (b1)
// among those that are free.
const CAVE: [u32; 5] = [1, 1, 0, 3, 0];

#[test]
fn three_hunters_say_who_they_are() {
    let game = game("wumpus-hunt-3");
    let mut position = open(&*game, &CAVE);
    let told = turn(&mut *position, 3, &["south", "east", "shoot east"]);
    assert_eq!(
        told,
        [
            "breeze, bump, hunter 2 silence, hunter 3 breeze, hunter 3 stench, stench",
            "dead, hunter 1 breeze, hunter 1 bump, hunter 1 stench, hunter 3 breeze, hunter 3 \
             stench",
            "breeze, hunter 1 breeze, hunter 1 bump, hunter 1 stench, hunter 2 silence, stench",
        ]
    );
    let told = turn(&mut *position, 3, &["shoot north", "west"]);
    assert_eq!(
        told,
        [
            "breeze, hunter 3 breeze, hunter 3 bump, scream",
            "hunter 1 breeze, hunter 3 breeze, hunter 3 bump, scream",
            "breeze, bump, hunter 1 breeze, scream",
        ]
    );
    assert_eq!(position.scores().unwrap().iter().collect::<Vec<_>>(), [100, 100, 100]);
}

#[test]
fn the_silent_hear_nothing_of_each_other() {
    let game = game("wumpus-hunt-gold-silent");
    // The gold on c1.
    let cave = [1, 1, 0, 3, 0, 0];
    let mut position = open(&*game, &cave);
    assert_eq!(turn(&mut *position, 2, &["north", "shoot north"]), ["scream", "breeze, scream"]);
    let told = turn(&mut *position, 2, &["east", "east"]);
    assert_eq!(told, ["breeze", "dead"], "the one goes on in silence");
    assert_eq!(turn(&mut *position, 2, &["east"]), ["", ""]);
    assert_eq!(turn(&mut *position, 2, &["south"]), ["breeze, gold", ""]);
    for label in ["north", "west", "west"] {
        turn(&mut *position, 2, &[label]);
        assert!(position.scores().is_none(), "before a1");
    }
    turn(&mut *position, 2, &["south"]);
    assert_eq!(position.scores().unwrap().iter().collect::<Vec<_>>(), [100, 100]);
}

#[test]
fn gold_is_lost_with_its_bearer_and_hunts_with_too_many_dead() {
    // The gold on b1, the pit on c1.
    let cave = [1, 1, 0, 3, 1, 0];
    let payoffs = |name: &str, turns: &[&[&str]]| {
        let game = game(name);
        let mut position = open(&*game, &cave);
        for (number, labels) in turns.iter().enumerate() {
            assert!(position.scores().is_none(), "{name} before turn {number}");
            turn(&mut *position, 2, labels);
        }
        position.scores().map(|scores| scores.get(Player(0)))
    };
    let bearer_falls: [&[&str]; 2] = [&["east", "south"], &["east", "south"]];
    assert_eq!(payoffs("wumpus-hunt-gold", &bearer_falls), Some(0), "with the gold");
    let other_falls: [&[&str]; 3] = [&["east", "east"], &["south", "east"], &["west"]];
    assert_eq!(payoffs("wumpus-hunt-gold", &other_falls), Some(100), "the first one has it");
    assert_eq!(payoffs("wumpus-hunt-gold-alive2", &other_falls[..2]), Some(0));
    // Shot and fallen in the same turn.
    let both: [&[&str]; 2] = [&["east", "south"], &["east", "shoot north"]];
    assert_eq!(payoffs("wumpus-hunt", &both), Some(100));
    assert_eq!(payoffs("wumpus-hunt-alive2", &both), Some(0));
}
