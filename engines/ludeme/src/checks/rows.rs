//! Positions in rows, whose plies are code for sites, beside positions that are played one by one.

use play::kit::{Effort, check};
use play::{Adapted, Game, Language, LockstepJob, Method, Rules};

use super::files::catalogue;
use super::positions::compiled;

/// A board and rules, and whether code plays them in rows. `ADD` is a move to any empty site, `WIN`
/// the end by a line of three.
const GAMES: [(&str, &str, bool); 20] = [
    ("(square 4)", "(play ADD) WIN", true),
    ("(hex Diamond 9)", "(play ADD) WIN", true),
    // Nobody ends the game: on a full board both pass, which ends it, or never does.
    ("(square 4)", "(play ADD) (end (if (> (count Moves) 30) (result P1 Win)))", true),
    (
        "(square 4)",
        "(meta (passEnd NoEnd)) (play ADD) (end (if (> (count Moves) 200) (result P1 Win)))",
        true,
    ),
    ("(square 4)", "(play ADD) (end (if (no Moves Next) (result Mover Loss)))", true),
    // Who has no place passes, and plays on later.
    (
        "(square 4)",
        "(start {(place \"Disc1\" {\"A1\"}) (place \"Disc2\" {\"D4\"})})
        (play (move Add (to (intersection (sites Empty)
            (sites Around (sites Occupied by:Mover))))))
        (end (if (all Passed) (byScore {(score P1 (count Pieces P1)) (score P2 8)})))",
        true,
    ),
    // The same player again.
    (
        "(square 4)",
        "(play (move Add (to (sites Empty)) (then (if (is Even (count Moves)) (moveAgain))))) WIN",
        true,
    ),
    // Men between a new one and others are taken.
    (
        "(square 5)",
        "(play (move Add (to (sites Empty)) (then (custodial (from (last To))
            (between if:(is Enemy (who at:(between))) (apply (remove (between))))
            (to if:(is Friend (who at:(to)))))))) WIN",
        true,
    ),
    // Two phases, with moves of different generators.
    (
        "(square 4)",
        "phases:{
            (phase \"one\" (play (move Add (to (intersection (sites Empty) (sites Inner)))))
                (nextPhase Mover (> (count Moves) 3) \"two\"))
            (phase \"two\" (play ADD))
        } WIN",
        true,
    ),
    ("(square 4)", "(play ADD) (end (if (is Full) (payoffs {(payoff P1 7) (payoff P2 3)})))", true),
    // Men are removed, not placed, and each removal is a move by itself.
    (
        "(square 4)",
        "(start (place \"Disc1\" (sites Board))) (play (move Remove (sites Occupied by:All)))
        (end (if (is Empty 5) (result Mover Loss)))",
        false,
    ),
    // Men of both may be placed, with labels of their own.
    (
        "(square 4)",
        "(play (or (move Add (piece \"Disc1\") (to (sites Empty)))
            (move Add (piece \"Disc2\") (to (sites Empty))))) WIN",
        false,
    ),
    // Two generators.
    (
        "(square 4)",
        "(play (if (is Mover P1) (move Add (to (sites Top))) (move Add (to (sites Left)))))
        WIN",
        false,
    ),
    // Sides may be swapped, positions must not be repeated, passes may be chosen.
    ("(square 4)", "(meta (swap)) (play ADD) WIN", false),
    ("(square 4)", "(meta (no Repeat)) (play ADD) WIN", false),
    ("(square 4)", "(play (or ADD (move Pass))) WIN", false),
    // A move must not make a line.
    ("(square 4)", "(play (do ADD ifAfterwards:(not (is Line 3)))) WIN", false),
    // Chance decides on the start.
    ("(square 4)", "(start (place Random {\"Disc1\"})) (play ADD) WIN", false),
    // Several words of sets, and places that are tested one by one.
    ("(square 12)", "(play ADD) (end (if (is Line 4) (result Mover Win)))", true),
    ("(square 12)", "(play (move Add (to (sites Empty) if:(is Even (to))))) WIN", true),
];

/// Games of fewer and more players.
const OTHER_PLAYERS: [(usize, &str); 4] = [
    (1, "(play ADD) (end (if (is Line 3) (result P1 Win)))"),
    // Who has a line leaves the game, and the others play on.
    (3, "(play ADD) WIN"),
    (4, "(play ADD) (end (if (is Line 3) (result Mover Loss)))"),
    // Players have places of their own, and pass at different times.
    (
        3,
        "(play (move Add (to (intersection (sites Empty)
            (union (sites Inner) (intersection (sites Row 1) (sites Row (mover)))))))) WIN",
    ),
];

/// A description of a small game.
fn rules(players: usize, board: &str, rules: &str) -> Rules {
    let rules = rules
        .replace("ADD", "(move Add (to (sites Empty)))")
        .replace("WIN", "(end (if (is Line 3) (result Mover Win)))");
    let equipment = format!("(equipment {{(board {board}) (piece \"Disc\" Each)}})");
    let text = format!("(game \"g\" (players {players}) {equipment} (rules {rules}))");
    Rules::new(Language::Lud, rules, text)
}

/// Compares a game in rows with the same one in lists, if it has rows: true if it does.
fn compare(rules: &Rules, cap: u32) -> Option<bool> {
    let name = rules.source.name();
    let game = Adapted::new(compiled(rules)?);
    game.encoding()?;
    let job = LockstepJob { seed: 1, first: 0, count: 1, stride: 1, cap };
    if game.lockstep(&job)?.method() != Method::Counted {
        return Some(false);
    }
    let report = check(&game, &Effort { walks: 1, playouts: 50, cap, seed: 3 });
    assert_eq!(report.faults, [""; 0], "{name}");
    Some(true)
}

#[test]
fn small_games_in_rows_are_those_in_lists() {
    let mut others = Vec::new();
    for (board, text, in_rows) in GAMES {
        let found = compare(&rules(2, board, text), 200);
        others.extend((found != Some(in_rows)).then_some((text, found)));
    }
    for (players, text) in OTHER_PLAYERS {
        let found = compare(&rules(players, "(square 5)", text), 200);
        others.extend((found != Some(true)).then_some((text, found)));
    }
    assert_eq!(others, []);
}

#[test]
fn games_of_the_catalogue_in_rows_are_those_in_lists() {
    let families = ["connect-4-", "gomoku-", "hex-", "reversi-", "tic-tac-toe-", "yavalath"];
    let is_one =
        |rules: &Rules| families.iter().any(|family| rules.source.name().starts_with(family));
    let all = catalogue();
    let in_rows = all.iter().filter(|rules| is_one(rules) && compare(rules, 300) == Some(true));
    let names: Vec<&str> = in_rows.map(|rules| rules.source.name()).collect();
    for name in ["connect-4-6x7", "hex-9x9", "reversi-8x8", "tic-tac-toe-5x5"] {
        assert!(names.contains(&&*format!("{name}/rules.lud")), "{name} is listed: {names:?}");
    }
}
