//! Two conditions of an ending that hold at once: the first rule in the text decides, on the
//! evaluator and in code, for all sorts of conditions and winners.
//!
//! The expected end follows from the same game with one of the two rules alone, because its playout
//! on the evaluator is the same until it ends. So the rule that ends the game sooner has to decide,
//! and if both end it after the same ply, the one that is written first.

use std::collections::BTreeSet;

use super::compiled::first_difference;
use super::lowered;
use crate::compile::Purpose;
use crate::game::Game;
use crate::state::State;

/// Number of playouts of each game, and of plies after which they are cut off.
const PLAYOUTS: u64 = 20;
const CAP: u32 = 24;

/// Number of conditions, the last ones, that hold at once with few others.
const RARE: usize = 3;

/// Conditions of every sort, except those that an earlier `(no Moves Next)` would change.
const CONDITIONS: [(&str, &str); 18] = [
    ("line", "(is Line 3)"),
    ("connection", "(is Connected Mover)"),
    ("no moves", "(no Moves Next)"),
    ("no moves and a full board", "(and (no Moves Next) (is Full))"),
    ("no moves or a line", "(or (is Line 3) (no Moves Next))"),
    ("no pieces", "(no Pieces Next)"),
    ("no pieces of the second", "(no Pieces P2)"),
    ("full board", "(is Full)"),
    ("count of pieces", "(>= (count Pieces Mover) 3)"),
    ("count of sites", "(<= (count Sites in:(sites Empty)) 1)"),
    ("score", "(>= (score Mover) 3)"),
    ("reached region", "(is In (last To) (sites Mover))"),
    ("occupied region", "(all Sites (sites Top) if:(is Occupied (site)))"),
    ("limit of turns", "(>= (count Turns) 1)"),
    ("no moves and pieces", "(and (no Moves Next) (not (no Pieces Mover)))"),
    ("check", r#"(is Threatened (id "King" Next) at:(where "King" Next))"#),
    ("repetition", "(is Repeat Positional)"),
    ("all passed", "(all Passed)"),
];

/// Ways of playing in which the conditions come to hold: the pieces at the start, and the moves. In
/// the first one many conditions hold at once after one move.
const PLAYS: [(&str, &str, &str); 5] = [
    (
        "all sites at once",
        "",
        r#"(or
            (move Add (piece (id "King" Mover)) (to (sites Empty)) (then (and (addScore Mover 3)
                (forEach Site (sites Empty) (add (piece (id "King" Mover)) (to (site)))))))
            (move Add (piece (id "King" Next)) (to (sites Empty)) (then (and (addScore Mover 3)
                (forEach Site (sites Empty) (add (piece (id "King" Next)) (to (site))))))))"#,
    ),
    ("filling", "", r#"(move Add (to (sites Empty)) (then (addScore Mover 1)))"#),
    (
        "filling, and again from corners",
        "",
        r#"(move Add (to (sites Empty)) (then (and
            (addScore Mover 1)
            (if (is In (last To) (sites Corners)) (moveAgain)))))"#,
    ),
    ("capturing", r#"(start {(place "King1" {0 1}) (place "King2" {7 8})})"#, "(forEach Piece)"),
    (
        "filling, capturing and passing",
        r#"(start {(place "King1" {0}) (place "King2" {8})})"#,
        r#"(or {(forEach Piece) (move Add (to (sites Empty)) (then (addScore Mover 1)))
            (move Pass)})"#,
    ),
];

/// Results of two rules that show which rule has decided.
const RESULTS: [[&str; 2]; 6] = [
    ["(result P1 Win)", "(result P2 Win)"],
    ["(result Mover Win)", "(result Next Win)"],
    ["(result Next Loss)", "(result Mover Loss)"],
    ["(result Mover Draw)", "(result P1 Loss)"],
    ["(result Next Loss)", "(result P2 Win)"],
    ["(result P1 Loss)", "(result All Draw)"],
];

/// A game for some players with these phases, or moves, and end rules. In the games of the pairs
/// only these rules end it.
fn text(players: usize, start: &str, rules: &str) -> String {
    format!(
        r#"(game "Small" (players {players})
            (equipment {{
                (board (square 3))
                (piece "King" Each (move Step
                    (to if:(not (is Friend (who at:(to)))) (apply (remove (to))))
                    (then (addScore Mover 1))))
                (regions P1 {{(sites Left) (sites Right)}})
                (regions P2 {{(sites Bottom) (sites Top)}})
                (regions P3 {{(sites Bottom) (sites Right)}})
            }})
            (rules {start} {rules}))"#
    )
}

/// The game of a text, on the evaluator and compiled.
fn games(text: &str) -> (Game, Game) {
    let mut plain = Game::new(lowered(text, text));
    let code = plain.compiled(Purpose::SamePlayouts).expect("small games have code");
    plain.redraws = code.redraws;
    (plain, code)
}

/// The number of moves of a playout, its winner, and the ranks of all players.
type End = (u32, i8, Vec<u8>);

/// The end of a playout; `None` if it is not over.
fn end(game: &Game, id: u64) -> Option<End> {
    let State { head, .. } = game.position_after(1, id, CAP);
    head.over.then(|| (head.moves, head.winner, head.ranks[1..=game.world.players].to_vec()))
}

/// Checks playouts of a game with rules in the phase or all general. Returns the number of playouts
/// that both rules end at once, or in which the rules end different ones.
fn check_pair(text: &str) -> Result<usize, String> {
    let (both, code) = games(text);
    let rules: Vec<_> = both.phases[0].end.iter().chain(&both.end).cloned().collect();
    let alone = [0, 1].map(|number| {
        let mut game = both.clone();
        for phase in &mut game.phases {
            phase.end = [].into();
        }
        game.end = [rules[number].clone()].into();
        game
    });
    let mut at_once = 0;
    for id in 0..PLAYOUTS {
        let [first, second] = [0, 1].map(|number| end(&alone[number], id));
        let sooner = |end: &Option<End>| end.as_ref().map_or(u32::MAX, |&(moves, ..)| moves);
        at_once += usize::from(sooner(&first) == sooner(&second) && first != second);
        let expected = if sooner(&second) < sooner(&first) { second } else { first };
        let found = [&both, &code].map(|game| end(game, id));
        if found != [expected.clone(), expected.clone()] {
            return Err(format!("playout {id}: {expected:?} expected, {found:?} found\n{text}"));
        }
    }
    Ok(at_once)
}

/// All pairs of conditions, in both orders.
fn pairs() -> impl Iterator<Item = (usize, usize)> {
    let numbers = 0..CONDITIONS.len();
    numbers.clone().flat_map(move |a| numbers.clone().map(move |b| (a, b))).filter(|(a, b)| a != b)
}

/// Checks pairs of conditions in one way of playing: all of them in the first, some in each other
/// one. Returns the pairs that end a playout at once.
fn check_pairs(play: usize) -> BTreeSet<(usize, usize)> {
    let (_, start, moves) = PLAYS[play];
    let mut met = BTreeSet::new();
    let mut wrong = Vec::new();
    for (number, (a, b)) in pairs().enumerate() {
        if play > 0 && !(a + b + play).is_multiple_of(9) {
            continue;
        }
        // Each pair meets other results in other ways of playing.
        let mut results = RESULTS[(number + 2 * play) % RESULTS.len()];
        if (number + play) % 4 < 2 {
            results.reverse();
        }
        let [one, other] = [(a, results[0]), (b, results[1])]
            .map(|(condition, result)| format!("(if {} {result})", CONDITIONS[condition].1));
        let rules = match number % 3 {
            // One rule is in the only phase, and one is general.
            0 => format!(r#"phases:{{(phase "Only" (play {moves}) (end {one}))}} (end {other})"#),
            _ => format!("(play {moves}) (end {{{one} {other}}})"),
        };
        let start = format!("(meta (passEnd NoEnd)) {start}");
        match check_pair(&text(2, &start, &rules)) {
            Ok(0) => {}
            Ok(_) => drop(met.insert((a, b))),
            Err(what) => wrong.push(what),
        }
    }
    assert!(wrong.is_empty(), "{} differ, such as {}", wrong.len(), wrong[0]);
    met
}

#[test]
fn of_two_end_rules_that_hold_at_once_the_first_decides() {
    let met: BTreeSet<_> = std::thread::scope(|scope| {
        let threads: Vec<_> =
            (0..PLAYS.len()).map(|play| scope.spawn(move || check_pairs(play))).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("a way to play")).collect()
    });
    let often = CONDITIONS.len() - RARE;
    let apart = pairs().filter(|&(a, b)| a.max(b) < often && !met.contains(&(a, b)));
    let apart: Vec<_> = apart.map(|(a, b)| (CONDITIONS[a].0, CONDITIONS[b].0)).collect();
    assert!(apart.is_empty(), "these have never held at once: {apart:?}");
}

/// End rules of other forms than a condition and a result.
const FORMS: [&str; 15] = [
    "(if (no Moves Mover) (result Mover Win))",
    "(if (no Moves Next) (result Next Loss))",
    "(if (no Moves Next) (byScore))",
    "(if (is Full) (byScore {(score P1 2) (score P2 (count Moves))}))",
    "(if (no Pieces Next) (byScore misere:True))",
    "(if (no Moves Next) (payoffs {(payoff P1 3.0) (payoff P2 1.0)}))",
    "(if (is Line 3) (payoffs {(payoff P1 1.0) (payoff P2 (toFloat (count Moves)))}))",
    "(forEach Player if:(no Pieces Player) (result Player Loss))",
    "(forEach NonMover if:(<= (count Pieces Player) 1) (result Player Loss))",
    "(forEach Player if:(no Moves Player) (result Player Win))",
    "(if (is Line 3) {(if (no Moves Next) (result Next Win)) (if (is Full) (result P2 Win))})",
    "(if (no Moves Next) {(if (is Line 3) (result Mover Win))} (result All Draw))",
    "(if (or (is Line 3) (no Moves Next)) (result Mover Win))",
    "(if (is Connected Mover) (result Next Win))",
    "(if (is Full) (result P2 Loss))",
];

/// Code plays as the evaluator does if end rules have several results, leave players in the game,
/// or stand in several phases.
#[test]
fn code_asks_end_rules_of_all_forms_in_their_order() {
    let mut wrong = Vec::new();
    for (number, one) in FORMS.iter().enumerate() {
        for (place, other) in FORMS.iter().enumerate().filter(|(_, other)| *other != one) {
            let (_, start, moves) = PLAYS[(number + 2 * place) % PLAYS.len()];
            let players = if (place + number) % 2 == 0 { 3 } else { 2 };
            let rules = match (place + number) % 3 {
                0 => format!("(play {moves}) (end {{{one} {other}}})"),
                1 => format!(
                    r#"phases:{{(phase "One" P1 (play {moves}) (end {one}))
                        (phase "Others" (play {moves}) (end {other}))}} (end {one})"#
                ),
                _ => format!(
                    r#"phases:{{
                        (phase "One" (play {moves}) (end {one})
                            (nextPhase (>= (count Moves) 4) "Other"))
                        (phase "Other" (play {moves}) (end {{{other} {one}}}))
                    }} (end {other})"#
                ),
            };
            let text = text(players, start, &rules);
            let (plain, code) = games(&text);
            let difference = first_difference([&plain, &code], 1, CAP, PLAYOUTS);
            wrong.extend(difference.map(|what| format!("{what}:\n{text}")));
        }
    }
    assert!(wrong.is_empty(), "{} differ, such as {}", wrong.len(), wrong[0]);
}
