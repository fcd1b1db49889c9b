//! The conformance kit on every description of the catalogue, and on a game of chance: the fast
//! paths play what the reference plays. `ggpbench verify` does the same with more effort.

use play::kit::{Effort, check};
use play::{Job, NoChance, Position, Via};

use super::common::compiled;
use super::files::catalogue;

/// Two dice are thrown before every turn, and each can be used for a step of one piece.
const DICE: &str = r#"(game "Dice" (players 2)
    (equipment {(board (rectangle 1 9)) (dice d:3 num:2)
        (piece "Runner" Each (forEach Die if:(!= (pips) 0)
            (move (from) (to (+ (from) (pips)) if:(is Empty (to))))
            (then (if (not (all DiceUsed)) (moveAgain)))))})
    (rules
        (start {(place "Runner1" 0) (place "Runner2" 1)})
        (play (if (is Prev Mover) (forEach Piece) (do (roll) next:(forEach Piece))))
        (end (if (is In (last To) (sites Right)) (result Mover Win)))))"#;

fn kit(name: &str, text: &str, effort: &Effort) {
    let report = check(&*compiled(name, text), effort);
    assert!(report.faults.is_empty(), "{name}: {:?}", report.faults);
    assert!(report.plies > 0, "{name}");
}

#[test]
fn the_catalogue_keeps_the_contract() {
    for rules in catalogue() {
        let effort = Effort { seed: 1, walks: 1, playouts: 20, cap: 60 };
        kit(rules.source.name(), rules.source.text(), &effort);
    }
}

/// Rules that look ahead for the longest turn look no further from there to see whether anybody can
/// move: there is a longest turn where there is any.
#[test]
fn looking_ahead_from_ahead_comes_to_an_end() {
    let rules = r#"(game "Ahead" (players 2)
        (equipment {(board (square 3)) (piece "Stone" Each)})
        (rules
            (play (max Moves (or (move Pass) (move Add (to (sites Empty))))))
            (end (if (no Moves Next) (result Mover Win)))))"#;
    // On the stack of a thread of a test, which has two megabytes.
    let job = Job { seed: 1, first: 0, count: 3, cap: 20 };
    assert_eq!(compiled("ahead.lud", rules).run(&job, Via::Fast).playouts, 3);
}

/// The condition that must hold for the loop to stop never holds here.
#[test]
fn loops_come_to_an_end() {
    let rules = r#"(game "Loop" (players 2)
        (equipment {(board (square 3)) (piece "Stone" Each)})
        (rules
            (play (while (< (count Pieces Mover) 3) (move Add (to 4))))
            (end (if (no Moves Next) (result Mover Win)))))"#;
    let game = compiled("loop.lud", rules);
    let job = Job { seed: 1, first: 0, count: 1, cap: 2 };
    let [fast, reference] = [Via::Fast, Via::Reference].map(|via| game.run(&job, via));
    assert_eq!(fast, reference);
    assert_eq!((fast.plies, fast.capped), (2, 1));
}

/// Plays the action with a label.
fn choose(position: &mut dyn Position, label: &str) {
    let action = position.labels().iter().position(|l| l == label);
    position.play(action.unwrap_or_else(|| panic!("no {label}")), &mut NoChance).unwrap();
}

#[test]
fn pieces_go_where_they_have_been_turned_to() {
    // An arrow that looks up goes up, and after a turn by an eighth slantwise.
    let rules = r#"(game "Arrow" (players 1)
        (equipment {(board (square 3))
            (piece "Arrow" P1 (or
                (move Step (directions {Forward} of:All) (to if:(is Empty (to))))
                (move Set Rotation)))})
        (rules (start (place "Arrow" coord:"B2" rotation:7)) (play (forEach Piece))
            (end (if (is In (last To) (sites Top)) (result P1 Win)))))"#;
    let arrow = compiled("arrow.lud", rules);
    let mut arrow = arrow.open(&mut NoChance);
    assert_eq!(arrow.labels(), ["b2a3", "b2-", "b2+"]);
    for _ in 0..4 {
        choose(&mut *arrow, "b2+");
    }
    assert_eq!(arrow.labels(), ["b2c1", "b2-", "b2+"]);
    choose(&mut *arrow, "b2c1");
    assert_eq!(arrow.labels(), ["c1-", "c1+"], "it looks off the board, as before it moved");
}

#[test]
fn a_game_of_chance_keeps_the_contract() {
    kit("dice.lud", DICE, &Effort { seed: 1, walks: 3, playouts: 200, cap: 100 });
}

/// Plays rules both ways and compares the playouts.
fn play_both_ways(text: &str) {
    let game = compiled("hostile.lud", text);
    let job = Job { seed: 3, first: 0, count: 40, cap: 30 };
    let tally = game.run(&job, Via::Fast);
    assert_eq!(tally, game.run(&job, Via::Reference), "{text}");
}

#[test]
fn sites_beyond_the_board_lead_nowhere() {
    for region in [
        "(sites Around 65)",
        "(sites Around (sites {3 65}))",
        "(sites Around (+ 60 (count Moves)))",
        "(sites Around 4 distance:-2147483648)",
        "(sites Direction from:99 N)",
        "(sites Direction from:(sites {3 99}) N included:True)",
        "(sites Direction from:(+ 90 (count Moves)) N)",
        "(expand origin:65)",
        "(expand (sites {3 65}) steps:3)",
        "(expand origin:(+ 60 (count Moves)))",
        "(sites LineOfSight at:65)",
        "(sites Distance from:65 (range 1 2))",
        "(union (sites {-1 9 70000}) (sites Around 4))",
    ] {
        play_both_ways(&format!(
            r#"(game "X" (players 2) (equipment {{(board (square 3)) (piece "D" Each)}})
            (rules (play (move Add (to (intersection (sites Empty) {region}))))
                (end (if (is Line 3) (result Mover Win)))))"#
        ));
    }
}

/// To be run with overflow checks as well.
#[test]
fn arithmetic_of_rules_wraps() {
    for number in [
        "(face (- -2147483647 9))",
        "(count Pips)",
        "(handSite Mover 2147483647)",
        "(abs (- -2147483647 1))",
        "(+ 2147483647 (count Moves))",
        "(value Random (range -2147483647 2147483647))",
        "(state at:(count Moves))",
        "(what at:1 level:2147483647)",
        "(size Stack at:2147483647)",
    ] {
        play_both_ways(&format!(
            r#"(game "X" (players 2) (equipment {{(board (square 3)) (hand Each)
                (dice d:2 faces:{{2147483647 2147483647}} num:2) (piece "D" Each)}})
            (rules (start (place Stack "D1" 8 count:2))
                (play (do (roll) next:(if (!= {number} 77) (move Add (to (sites Empty))))))
                (end (if (is Full) (result Mover Win)))))"#
        ));
    }
}
