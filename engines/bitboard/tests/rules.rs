//! Games played out by hand: what is legal, how they end, how they look.

use bitboard::{BitboardEngine, modules};
use expect_test::expect;
use play::{Certain, Engine, Game, Language, Limits, Position, Rules, Scores, Turn};

fn game(module: &str) -> Box<dyn Game> {
    let rules = Rules::new(Language::Bitboard, module, module);
    BitboardEngine::new().compile(&rules, &Limits::default()).unwrap().game
}

fn labels(position: &dyn Position) -> Vec<String> {
    let mut labels: Vec<String> = (0..position.actions()).map(|a| position.label(a)).collect();
    labels.sort();
    labels
}

/// Plays actions by their labels.
fn play(position: &mut dyn Position, actions: &str) {
    for label in actions.split_whitespace() {
        let all = (0..position.actions()).find(|&a| position.label(a) == label);
        let action = all.unwrap_or_else(|| panic!("{label} is not legal in\n{}", position.draw()));
        position.play(action, &mut Certain).unwrap();
    }
}

/// Plays actions from the start and checks how the game stands.
fn check(module: &str, actions: &str, scores: Option<Scores>) {
    let game = game(module);
    let mut position = game.open(&mut Certain);
    play(&mut *position, actions);
    assert_eq!(position.scores(), scores, "{module} after {actions}\n{}", position.draw());
}

/// What the board looks like after these actions.
fn drawn(module: &str, actions: &str) -> String {
    let game = game(module);
    let mut position = game.open(&mut Certain);
    play(&mut *position, actions);
    position.draw()
}

#[test]
fn lines_win_in_all_directions() {
    for (line, elsewhere) in
        [("a1 b1 c1", "a3 b3"), ("b1 b2 b3", "a1 a3"), ("a1 b2 c3", "a2 a3"), ("a3 b2 c1", "a1 a2")]
    {
        let [a, b, c] = line.split(' ').collect::<Vec<_>>()[..] else { unreachable!() };
        let (d, e) = elsewhere.split_once(' ').unwrap();
        check("tic-tac-toe-3x3", &format!("{a} {d} {b} {e}"), None);
        check("tic-tac-toe-3x3", &format!("{a} {d} {b} {e} {c}"), Some(Scores::FIRST));
    }
    check("tic-tac-toe-3x3", "a1 b2 c3 b1 b3 a3 c1 c2 a2", Some(Scores::DRAW));
    check("tic-tac-toe-5x5", "a1 a2 b1 b2 c1 c2 d1 d2", None);
    check("tic-tac-toe-5x5", "a1 a2 b1 b2 c1 c2 d1 d2 e5 e2", Some(Scores::SECOND));
    check("tic-tac-toe-5x5", "e1 a1 d2 a2 c3 a3 b4 a4 a5", Some(Scores::FIRST));
}

#[test]
fn four_stones_connect_in_all_directions() {
    for module in ["connect-4-6x7", "connect-4-12x9"] {
        check(module, "a1 a2 b1 b2 c1 c2", None);
        check(module, "a1 a2 b1 b2 c1 c2 d1", Some(Scores::FIRST));
        check(module, "a1 b1 a2 b2 a3 b3 g1 b4", Some(Scores::SECOND));
        check(module, "a1 b1 b2 c1 d1 c2 c3 d2 d3 e1 d4", Some(Scores::FIRST));
        check(module, "g1 f1 f2 e1 d1 e2 e3 d2 d3 a1 d4", Some(Scores::FIRST));
    }
    // No line goes round the edge, nor over the top of a file into the next one.
    check("connect-4-6x7", "e1 a1 f1 a2 g1 b1", None);
    check("connect-4-6x7", "a1 a2 a3 b1 a4 a5 b2 a6 b3 g1 b4", None);
}

#[test]
fn stones_fall_to_the_lowest_free_square() {
    let game = game("connect-4-6x7");
    let mut position = game.open(&mut Certain);
    play(&mut *position, "d1 d2 d3 d4 d5 d6 a1");
    assert_eq!(labels(&*position), ["a2", "b1", "c1", "e1", "f1", "g1"]);
}

#[test]
fn hex_cells_touch_along_one_diagonal() {
    let slope = "a1 b1 b2 c1 c3 d1 d4 e1 e5 f1 f6 g1 g7 h1 h8 i1";
    check("hex-9x9", slope, None);
    check("hex-9x9", &format!("{slope} i9"), Some(Scores::FIRST));
    let other = "a9 b9 b8 c9 c7 d9 d6 e9 e5 f9 f4 g9 g3 h9 h2 i9 i1";
    check("hex-9x9", other, None);
    let file = "a1 e1 a2 e2 a3 e3 a4 e4 a5 e5 b1 e6 b2 e7 b3 e8 b4";
    check("hex-9x9", file, None);
    check("hex-9x9", &format!("{file} e9"), Some(Scores::SECOND));
}

#[test]
fn pawns_take_diagonally_only_and_win_on_the_last_rank() {
    let game = game("breakthrough-6x6");
    let mut position = game.open(&mut Certain);
    play(&mut *position, "a2a3 b5b4");
    let moves = labels(&*position);
    assert!(moves.contains(&"a3b4".to_owned()) && moves.contains(&"a3a4".to_owned()));
    play(&mut *position, "b2b3 f5f4");
    assert!(!labels(&*position).contains(&"b3b4".to_owned()), "{}", position.draw());
    play(&mut *position, "a3b4 f4f3 b4a5 f3e2");
    assert_eq!(position.scores(), None);
    play(&mut *position, "a5b6");
    assert_eq!(position.scores(), Some(Scores::FIRST));
}

#[test]
fn knights_leap_forward_and_take() {
    let game = game("knightthrough-8x8");
    let mut position = game.open(&mut Certain);
    assert_eq!(labels(&*position).iter().filter(|l| l.starts_with("d2")).count(), 4);
    play(&mut *position, "d2e4 e7d5 e4d6 d5c3");
    assert!(labels(&*position).contains(&"d6b7".to_owned()));
    play(&mut *position, "d6e8");
    assert_eq!(position.scores(), Some(Scores::FIRST));
}

#[test]
fn discs_between_are_flipped() {
    let game = game("reversi-8x8");
    let mut position = game.open(&mut Certain);
    assert_eq!(labels(&*position), ["c4", "d3", "e6", "f5"]);
    play(&mut *position, "d3 c3 c4 c5 b6");
    expect![[r#"
         8 . . . . . . . .
         7 . . . . . . . .
         6 . x . . . . . .
         5 . . x o o . . .
         4 . . o x x . . .
         3 . . o x . . . .
         2 . . . . . . . .
         1 . . . . . . . .
           a b c d e f g h
    "#]]
    .assert_eq(&position.draw());
}

#[test]
fn a_player_without_discs_loses_early() {
    // The shortest game there is: nine plies, and white has nothing left.
    check("reversi-8x8", "e6 f4 e3 f6 g5 d6 e7 f5 c5", Some(Scores::FIRST));
}

#[test]
fn amazons_move_then_shoot_with_the_same_queen() {
    let game = game("amazons-10x10");
    let mut position = game.open(&mut Certain);
    play(&mut *position, "d1d7");
    assert_eq!(position.turn(), Turn::Move(play::Player(0)));
    let shots = labels(&*position);
    assert!(shots.contains(&"d1".to_owned()) && !shots.contains(&"g10".to_owned()));
    play(&mut *position, "d8");
    assert_eq!(position.turn(), Turn::Move(play::Player(1)));
    expect![[r"
        10 . . . o . . o . . .
         9 . . . . . . . . . .
         8 . . . # . . . . . .
         7 o . . x . . . . . o
         6 . . . . . . . . . .
         5 . . . . . . . . . .
         4 x . . . . . . . . x
         3 . . . . . . . . . .
         2 . . . . . . . . . .
         1 . . . . . . x . . .
           a b c d e f g h i j
    "]]
    .assert_eq(&position.draw());
}

#[test]
fn puzzles_can_be_solved() {
    let won = Some(Scores::single(100));
    check("hanoi-3", "a1c1 a1b1 c1b1 a1c1 b1a1 b1c1", None);
    check("hanoi-3", "a1c1 a1b1 c1b1 a1c1 b1a1 b1c1 a1c1", won);
    check("queens-8", "a1 b5 c8 d6 e3 f7 g2 h4", won);
    check("queens-8", "a1 c2 e3 b4", None);
    check("queens-8", "a1 c2 e3 b4 d5", Some(Scores::single(62)));
    let presses = "a1 b1 a2 b2 d2 e2 c3 d3 e3 b4 c4 d4 b5 c5";
    check("lights-out-5x5", presses, None);
    check("lights-out-5x5", &format!("{presses} e5"), won);
    check("lights-out-5x5", &"a1 ".repeat(20), Some(Scores::single(0)));
    let slides = "b1c1 a1b1 a2a1 a3a2 b3a3 b2b3 a2b2 a1a2 b1a1 b2b1 c2b2 c1c2 b1c1 a1b1 a2a1 a3a2 \
                  b3a3 b2b3 c2b2 c3c2 b3c3 b2b3 b1b2 a1b1 a2a1 a3a2 b3a3 b2b3 b1b2";
    check("8-puzzle", slides, None);
    check("8-puzzle", &format!("{slides} c1b1"), won);
    check("8-puzzle", &"b1c1 c1b1 ".repeat(30), Some(Scores::single(0)));
}

#[test]
fn every_module_draws_its_start() {
    for module in modules() {
        let game = game(module);
        let drawing = game.open(&mut Certain).draw();
        assert!(drawing.lines().count() >= 4 && drawing.is_ascii(), "{module}\n{drawing}");
    }
    expect![[r#"
        a1: 3 2
        b1:
        c1: 1
        1 of 31 moves
    "#]]
    .assert_eq(&drawn("hanoi-3", "a1c1"));
    expect![[r#"
        3 8 7 6
        2 5 4 3
        1 2 . 1
          a b c
        1 of 60 moves
    "#]]
    .assert_eq(&drawn("8-puzzle", "b1c1"));
    expect![[r#"
        5 * * * * *
        4 * * . * *
        3 * . . . *
        2 . * . * *
        1 . . * * *
          a b c d e
        2 of 20 presses
    "#]]
    .assert_eq(&drawn("lights-out-5x5", "a1 c3"));
    expect![[r#"
         8 + . . + . . + +
         7 + . . + . + + .
         6 + + . + + + . .
         5 + . + + + . . .
         4 + + + Q + + + +
         3 + + + + + . . .
         2 Q + + + + + + +
         1 + + . + . . + .
           a b c d e f g h
    "#]]
    .assert_eq(&drawn("queens-8", "d4 a2"));
    expect![[r#"
         9 . . . . . . . . .
          8 . . . . . . . . .
           7 . . . . . . . . .
            6 . . . . . . . . .
             5 . . . . . . . . .
              4 . . . . . . . . .
               3 . . . . . . . . .
                2 . o . . . . . . .
                 1 x . . . . . . . .
                    a b c d e f g h i
    "#]]
    .assert_eq(&drawn("hex-9x9", "a1 b2"));
    expect![[r#"
         9 . . . . . . . . . . . .
         8 . . . . . . . . . . . .
         7 . . . . . . . . . . . .
         6 . . . . . . . . . . . .
         5 . . . . . . . . . . . .
         4 . . . . . . . . . . . .
         3 . . . . . . . . . . . .
         2 . . . . . . . . . . . .
         1 . . . . . . . . . . o x
           a b c d e f g h i j k l
    "#]]
    .assert_eq(&drawn("connect-4-12x9", "l1 k1"));
}
