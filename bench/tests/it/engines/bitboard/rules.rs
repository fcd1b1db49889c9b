//! Games played out by hand: what is legal, how they end, how they look.

use bitboard::modules;
use expect_test::expect;
use play::{NoChance, Player, Position, Rng, Scores, Turn};

use crate::engines::bitboard::common::game;

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
        position.play(action, &mut NoChance).unwrap();
    }
}

/// Plays actions from the start and checks how the game stands.
fn check(module: &str, actions: &str, scores: Option<Scores>) {
    let game = game(module);
    let mut position = game.open(&mut NoChance);
    play(&mut *position, actions);
    assert_eq!(position.scores(), scores, "{module} after {actions}\n{}", position.draw());
}

/// The board after these actions.
fn drawn(module: &str, actions: &str) -> String {
    let game = game(module);
    let mut position = game.open(&mut NoChance);
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
    let mut position = game.open(&mut NoChance);
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
    let mut position = game.open(&mut NoChance);
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
    let mut position = game.open(&mut NoChance);
    assert_eq!(labels(&*position).iter().filter(|l| l.starts_with("d2")).count(), 4);
    play(&mut *position, "d2e4 e7d5 e4d6 d5c3");
    assert!(labels(&*position).contains(&"d6b7".to_owned()));
    play(&mut *position, "d6e8");
    assert_eq!(position.scores(), Some(Scores::FIRST));
}

#[test]
fn five_stones_or_more_win() {
    check("gomoku-15x15", "a1 a2 b1 b2 c1 c2 d1 d2", None);
    check("gomoku-15x15", "a1 a2 b1 b2 c1 c2 d1 d2 e1", Some(Scores::FIRST));
    check("gomoku-15x15", "a1 o15 b1 n14 c1 m13 d1 l12 h8 k11", Some(Scores::SECOND));
    check("gomoku-15x15", "a5 a1 b4 a2 c3 a3 d2 a4 e1", Some(Scores::FIRST));
    // Six in a row, and no row round the edge.
    check("gomoku-15x15", "a1 a3 a2 b3 b1 c3 c1 o3 e1 n3 f1 m3 d1", Some(Scores::FIRST));
    check("gomoku-15x15", "l1 a3 m1 b3 n1 c3 o1 e3 a2 f3 b2", None);
}

#[test]
fn the_wolf_goes_home_or_is_caught() {
    let game = game("wolf-and-sheep-8x8");
    let mut position = game.open(&mut NoChance);
    assert_eq!(labels(&*position), ["d8c7", "d8e7"]);
    play(&mut *position, "d8c7");
    assert_eq!(labels(&*position), ["a1b2", "c1b2", "c1d2", "e1d2", "e1f2", "g1f2", "g1h2"]);
    check(
        "wolf-and-sheep-8x8",
        "d8c7 a1b2 c7b6 b2a3 b6c5 c1b2 c5d4 e1f2 d4c3 g1h2 c3d2 b2c3 d2c1",
        Some(Scores::FIRST),
    );
}

#[test]
fn riders_choose_one_after_the_other_and_crash_together() {
    let game = game("tron-10x10");
    assert!(game.facts().simultaneous);
    let mut position = game.open(&mut NoChance);
    assert_eq!(labels(&*position), ["east", "north", "south", "west"]);
    play(&mut *position, "north");
    assert_eq!((position.turn(), position.scores()), (Turn::Move(play::Player(1)), None));
    // Into one's own trail, over each edge, both at once, and head-on.
    check("tron-10x10", "north south south north", Some(Scores::DRAW));
    check("tron-10x10", "north south south west", Some(Scores::SECOND));
    check("tron-10x10", "north east west east north east", Some(Scores::FIRST));
    check("tron-10x10", "south west south west", None);
    check("tron-10x10", "south west south west south west", Some(Scores::SECOND));
    check("tron-10x10", "west north west north north north", Some(Scores::FIRST));
    check("tron-10x10", "west north west west west south", Some(Scores::SECOND));
    let nearer = "north south ".repeat(2) + &"east west ".repeat(2);
    check("tron-10x10", &nearer, None);
    check("tron-10x10", &(nearer.clone() + "north south"), None);
    expect![[r"
        10 . . . . . . . . . .
         9 . . . . . . . . . .
         8 . . . . . . . # . .
         7 . . . . . . . # . .
         6 . . . . . o # # . .
         5 . . # # x . . . . .
         4 . . # . . . . . . .
         3 . . # . . . . . . .
         2 . . . . . . . . . .
         1 . . . . . . . . . .
           a b c d e f g h i j
    "]]
    .assert_eq(&drawn("tron-10x10", &nearer));
    // Both enter f5.
    check("tron-10x10", &(nearer + "east south"), Some(Scores::DRAW));
}

#[test]
fn draughtsmen_jump_on_and_must_jump() {
    let game = game("english-draughts");
    let mut position = game.open(&mut NoChance);
    assert_eq!(labels(&*position), ["a3b4", "c3b4", "c3d4", "e3d4", "e3f4", "g3f4", "g3h4"]);
    play(&mut *position, "c3d4 f6g5 d4e5");
    // Jumps are mandatory, and after the first one the same man goes on.
    assert_eq!(labels(&*position), ["d6f4"]);
    play(&mut *position, "d6f4");
    assert_eq!(labels(&*position), ["g3e5"]);
    let (mut went_on, mut drawn) = (0, 0);
    for id in 0..300 {
        let mut rng = Rng::stream(8, id);
        let mut position = game.open(&mut NoChance);
        while position.actions() > 0 {
            let (turn, action) = (position.turn(), rng.below(position.actions() as u32) as usize);
            let label = position.label(action);
            position.play(action, &mut NoChance).unwrap();
            if position.turn() == turn {
                went_on += 1;
                let all = labels(&*position);
                assert!(all.iter().all(|next| next[..2] == label[2..]), "{label}, then {all:?}");
            }
        }
        drawn += u32::from(position.scores() == Some(Scores::DRAW));
    }
    // Of 300 playouts about 40 are drawn.
    assert!(went_on > 300 && (10..80).contains(&drawn), "{went_on} {drawn}");
}

#[test]
fn chess_ends_by_mate_and_has_every_special_move() {
    check("chess", "f2f3 e7e5 g2g4", None);
    check("chess", "f2f3 e7e5 g2g4 d8h4", Some(Scores::SECOND));
    // The shortest stalemate known.
    let stalemate = "e2e3 a7a5 d1h5 a8a6 h5a5 h7h5 h2h4 a6h6 a5c7 f7f6 c7d7 e8f7 d7b7 d8d3 b7b8 \
                     d3h7 b8c8 f7g6";
    check("chess", stalemate, None);
    check("chess", &format!("{stalemate} c8e6"), Some(Scores::DRAW));
    let promoted = "g1f3 a7a6 e2e3 a6a5 f1e2 b7b5 e1g1 b5b4 a2a3 c8a6 a3b4 a6b7 b4a5 h7h6 a5a6 \
                    h6h5 a6b7 h5h4 b7a8q";
    expect![[r"
         8 Q n . q k b n r
         7 . . p p p p p .
         6 . . . . . . . .
         5 . . . . . . . .
         4 . . . . . . . p
         3 . . . . P N . .
         2 . P P P B P P P
         1 R N B Q . R K .
           a b c d e f g h
    "]]
    .assert_eq(&drawn("chess", promoted));
    let passant = "e2e4 a7a6 e4e5 d7d5 e5d6";
    expect![[r"
         8 r n b q k b n r
         7 . p p . p p p p
         6 p . . P . . . .
         5 . . . . . . . .
         4 . . . . . . . .
         3 . . . . . . . .
         2 P P P P . P P P
         1 R N B Q K B N R
           a b c d e f g h
    "]]
    .assert_eq(&drawn("chess", passant));
    // Only at once, and not out of a pin.
    let game = game("chess");
    let mut position = game.open(&mut NoChance);
    play(&mut *position, "e2e4 a7a6 e4e5 d7d5 a2a3 a6a5");
    assert!(!labels(&*position).contains(&"e5d6".to_owned()));
}

#[test]
fn go_has_kos_no_suicide_and_a_draw_where_a_position_comes_back() {
    check("go-9x9", "pass pass", Some(Scores::SECOND));
    check("go-9x9", "e5 pass pass", Some(Scores::FIRST));
    // White sends two stones, black takes them, and white takes the one that did.
    let round = "b2 b1 c2 a2 d1 c1 a1";
    check("go-9x9", round, None);
    check("go-9x9", &format!("{round} b1"), Some(Scores::DRAW));
    let game = game("go-9x9");
    let may = |actions: &str, label: &str| {
        let mut position = game.open(&mut NoChance);
        play(&mut *position, actions);
        labels(&*position).contains(&label.to_owned())
    };
    assert!(!may("a2 e5 b1", "a1"), "a stone without a liberty");
    let caught = "a2 e5 b1 b2 a9 c1 b9 a3";
    assert!(!may(caught, "a1"), "the last liberty of three stones");
    assert!(may(&format!("{caught} c9"), "a1"), "the same point takes two of them");
    let ko = "d5 f6 e6 f4 e4 g5 a1 e5 f5";
    assert!(!may(ko, "e5"), "a ko is not taken back at once");
    assert!(may(&format!("{ko} a9 a8"), "e5"));
}

#[test]
fn backgammon_begins_with_two_different_dice_and_plays_doubles_four_times() {
    let game = game("backgammon");
    // Where chance always gives its first outcome, the dice are 1 and 2, and double ones later.
    let mut position = game.open(&mut NoChance);
    let all = "b1c1 b1d1 m1o1 r1s1 r1t1 t1u1 t1v1";
    assert_eq!(labels(&*position).join(" "), all);
    play(&mut *position, "t1u1 t1v1");
    assert_eq!(position.turn(), Turn::Move(Player(1)));
    // Nobody hits, and a point with two checkers is closed.
    assert_eq!(labels(&*position).join(" "), "g1f1 i1h1 y1x1");
    play(&mut *position, "g1f1 f1e1 y1x1");
    assert_eq!(position.turn(), Turn::Move(Player(1)), "a double is played four times");
    play(&mut *position, "x1w1");
    assert_eq!(position.turn(), Turn::Move(Player(0)));
}

#[test]
fn chess_is_drawn_after_a_hundred_quiet_plies() {
    let round = "g1f3 g8f6 f3g1 f6g8 ".repeat(24);
    check("chess", &format!("{round} g1f3 g8f6 f3g1"), None);
    check("chess", &format!("{round} g1f3 g8f6 f3g1 f6g8"), Some(Scores::DRAW));
    let round = "g8f6 g1f3 f6g8 f3g1 ".repeat(24);
    check("chess", &format!("e2e4 {round} b8c6 b1c3 c6b8"), None);
    check("chess", &format!("e2e4 {round} b8c6 b1c3 c6b8 c3b1"), Some(Scores::DRAW));
}

#[test]
fn kings_are_taken_in_skirmish() {
    check("skirmish-8x8", "e2e4 f7f6 d1h5 a7a6 h5e8 d8e8", None);
    let game = game("skirmish-8x8");
    let mut position = game.open(&mut NoChance);
    play(&mut *position, "e2e4 f7f6 d1h5 a7a6 h5e8");
    assert!(labels(&*position).contains(&"a6a5".to_owned()));
    let quiet = "b1a3 b8a6 a3b1 a6b8 ".repeat(24) + "b1a3 b8a6 a3b1";
    check("skirmish-8x8", &quiet, None);
    check("skirmish-8x8", &(quiet + " a6b8"), Some(Scores::DRAW));
    let taken = "b1c3 d7d5 c3d5 b8c6 ".to_owned() + &"a1b1 a8b8 b1a1 b8a8 ".repeat(24);
    check("skirmish-8x8", &taken, Some(Scores::FIRST));
}

#[test]
fn discs_between_are_flipped() {
    let game = game("reversi-8x8");
    let mut position = game.open(&mut NoChance);
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
    let mut position = game.open(&mut NoChance);
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
fn a_knight_visits_every_square_or_is_stuck() {
    let tour = "a1c2 c2a3 a3b1 b1d2 d2f1 f1h2 h2g4 g4h6 h6g8 g8e7 e7c8 c8a7 a7b5 b5c7 c7a8 a8b6 \
        b6a4 \
                a4b2 b2d1 d1c3 c3a2 a2c1 c1b3 b3a5 a5c4 c4e3 e3d5 d5b4 b4a6 a6b8 b8c6 c6d8 d8b7 \
                b7d6 \
                d6e8 e8g7 g7h5 h5f6 f6h7 h7f8 f8d7 d7c5 c5e4 e4g3 g3h1 h1f2 f2h3 h3g1 g1e2 e2d4 \
                d4f5 \
                f5h4 h4g2 g2e1 e1d3 d3f4 f4e6 e6g5 g5f3 f3e5 e5f7 f7h8";
    check("knights-tour-8x8", tour, None);
    check("knights-tour-8x8", &format!("{tour} h8g6"), Some(Scores::single(100)));
    check("knights-tour-8x8", "a1b3 b3c5 c5d7 d7b6 b6d5 d5c7 c7a8", Some(Scores::single(12)));
}

#[test]
fn pegs_are_taken_until_none_can_jump() {
    let solution = "d2d4 b3d3 c1c3 e1c1 d3b3 a3c3 e3e1 g3e3 c4c2 c1c3 a4c4 c4c2 e4c4 g4e4 e4e2 \
        e1e3 \
                    c5c3 c2c4 a5c5 d5b5 e6e4 g5e5 c7c5 c4c6 e7c7 c7c5 b5d5 d5f5 e3e5 f5d5";
    check("peg-solitaire", solution, None);
    check("peg-solitaire", &format!("{solution} d6d4"), Some(Scores::single(100)));
    check("peg-solitaire", "d2d4 d5d3 b4d4 e4c4 g4e4 d7d5", Some(Scores::single(19)));
    let game = game("peg-solitaire");
    assert_eq!(labels(&*game.open(&mut NoChance)), ["b4d4", "d2d4", "d6d4", "f4d4"]);
}

#[test]
fn numbers_are_not_repeated_and_signs_are_obeyed() {
    for (module, solution) in [
        ("futoshiki-4x4", "a13 b11 c12 a21 b24 c23 d22 a32 b33 c34 d31 a44 c41 d43"),
        (
            "futoshiki-5x5",
            "a11 b12 c15 d13 e14 b24 c21 d25 e23 a33 b31 c32 d34 a44 b45 c43 d42 e41 b53 c54 d51 \
             e52",
        ),
        (
            "futoshiki-6x6",
            "a14 b11 c15 d16 e12 f13 b26 c23 e25 f22 a36 b35 c32 d33 e31 f34 a43 b44 c41 d42 e46 \
             f45 \
             a55 b52 d51 e53 b63 c66 e64 f61",
        ),
        (
            "sudoku-9x9",
            "b99 f93 g95 h94 i96 a84 b83 c87 d89 e86 g82 a78 c76 e71 f72 h79 i77 c63 d61 e69 f64 \
             g67 \
             h65 a55 b51 d52 f57 h56 i58 b47 c49 d46 e45 f48 g41 a37 b32 d35 e34 g36 i33 c21 e22 \
             f26 \
             g28 h27 i25 a13 b16 c15 d17 h12",
        ),
    ] {
        check(module, solution, Some(Scores::single(100)));
        let (most, _) = solution.rsplit_once(' ').unwrap();
        check(module, most, None);
    }
    // In the first puzzle a2 is smaller than a3, and a3 than b3.
    let game = game("futoshiki-4x4");
    let mut position = game.open(&mut NoChance);
    play(&mut *position, "a32");
    let open = labels(&*position);
    for (square, numbers) in [("a2", "1"), ("b3", "34"), ("c3", "134"), ("a1", "13")] {
        let here = open.iter().filter_map(|label| label.strip_prefix(square));
        assert_eq!(here.collect::<String>(), numbers, "{square}\n{}", position.draw());
    }
    check("futoshiki-4x4", "a41 c34 b21 a22 d33 c13", Some(Scores::single(42)));
}

#[test]
fn squares_are_filled_where_their_lines_can_be_completed() {
    let man = "c5 b4 c4 d4 a3 b3 c3 d3 e3 b2 d2 b1";
    check("nonogram-5x5", man, None);
    check("nonogram-5x5", &format!("{man} d1"), Some(Scores::single(100)));
    check("nonogram-5x5", "e5 a4 b4 c2 c1 b3 c3 d3", Some(Scores::single(61)));
    let game = game("nonogram-5x5");
    let mut position = game.open(&mut NoChance);
    // The two single squares of rank 1 do not touch, and the four of file b hang together.
    play(&mut *position, "b1");
    let open = labels(&*position);
    assert!(["d1", "e1"].iter().all(|&square| open.contains(&square.to_owned())), "{open:?}");
    assert!(
        !["a1", "c1", "b5"].iter().any(|&square| open.contains(&square.to_owned())),
        "{open:?}"
    );
}

#[test]
fn yavalath_is_won_by_four_and_lost_by_three() {
    let left = "a1 i9 b1 i8 d1 g9";
    check("yavalath", left, None);
    check("yavalath", &format!("{left} c1"), Some(Scores::FIRST));
    check("yavalath", "a1 i9 b1 i8 c1", Some(Scores::SECOND));
    check("yavalath", "a1 c3 i9 d4 g9 f6 e1 e5", Some(Scores::SECOND));
    check("yavalath", "a1 e4 i9 e5 g9 e6", Some(Scores::FIRST));
    // The other diagonal is no line.
    check("yavalath", "d5 a1 e4 i9 f3 g9", None);
    let game = game("yavalath");
    let all = labels(&*game.open(&mut NoChance));
    assert!(all.contains(&"e9".to_owned()) && !all.contains(&"a6".to_owned()), "{all:?}");
}

#[test]
fn turns_of_connect_six_are_two_stones() {
    let start = "a1 a3 c3 b1 c1 e3 g3 d1 e1 i3 k3";
    check("connect-6-19x19", start, None);
    check("connect-6-19x19", &format!("{start} f1"), Some(Scores::FIRST));
    check("connect-6-19x19", "s19 a1 b2 a3 a5 c3 d4 a7 a9 e5 f6", Some(Scores::SECOND));
}

#[test]
fn the_middle_is_entered_from_beside_an_enemy_only() {
    let game = game("mu-torere");
    let mut position = game.open(&mut NoChance);
    assert_eq!(labels(&*position), ["a3b2", "b1b2"]);
    play(&mut *position, "b1b2");
    assert_eq!(labels(&*position), ["c1b1"]);
    play(&mut *position, "c1b1");
    assert_eq!(labels(&*position), ["b2c1"]);
    // Stones that are all shut in lose.
    check("mu-torere", "a3b2 b3a3 b2b3 a3b2 b3a3", None);
    check("mu-torere", "a3b2 b3a3 b2b3 a3b2 b3a3 c3b3", Some(Scores::SECOND));
}

#[test]
fn three_stones_win_in_a_row_but_not_at_home() {
    let game = game("tant-fant");
    let mut position = game.open(&mut NoChance);
    assert_eq!(labels(&*position), ["a1a2", "a1b2", "b1b2", "c1b2", "c1c2"]);
    play(&mut *position, "b1b2 a3a2 b2b1");
    assert_eq!(position.scores(), None, "{}", position.draw());
    let file = "b1b2 a3a2 a1b1 b3a3 b2b3 c3c2";
    check("tant-fant", file, None);
    check("tant-fant", &format!("{file} c1b2"), Some(Scores::FIRST));
    check("three-mens-morris", "a1 a2 b1 b2 c1", Some(Scores::FIRST));
    check("three-mens-morris", "a1 a2 b1 b2 c3 c1 c3c2", None);
    check("three-mens-morris", "a1 a2 b1 b2 c3 c1 c3c2 a2a3", Some(Scores::SECOND));
}

#[test]
fn rows_of_three_take_men_who_stand_in_none() {
    let game = game("nine-mens-morris");
    let mut position = game.open(&mut NoChance);
    play(&mut *position, "a1 a7 d1 d7 b2 g7");
    assert_eq!(position.turn(), Turn::Move(Player(1)));
    assert_eq!(labels(&*position), ["a1", "b2", "d1"]);
    play(&mut *position, "b2 g1");
    // All of the other side's men stand in a row.
    assert_eq!(labels(&*position), ["a7", "d7", "g7"]);
    play(&mut *position, "d7");
    assert_eq!(position.turn(), Turn::Move(Player(1)));
    expect![[r"
        7 o     .     o
        6   .   .   .
        5     . . .
        4 . . .   . . .
        3     . . .
        2   .   .   .
        1 x     x     x
          a b c d e f g
        7 of 18 men put
    "]]
    .assert_eq(&trimmed(&position.draw()));
}

/// Text without blanks at the ends of its lines.
fn trimmed(text: &str) -> String {
    text.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
}

#[test]
fn alquerque_jumps_must_be_made_and_gone_on_with() {
    let game = game("alquerque");
    let mut position = game.open(&mut NoChance);
    assert_eq!(labels(&*position), ["b2c3", "c2c3", "d2c3", "d3c3"]);
    play(&mut *position, "d3c3");
    assert_eq!(labels(&*position), ["b3d3"]);
    play(&mut *position, "b3d3");
    assert_eq!(labels(&*position), ["e3c3"]);
}

#[test]
fn fanorona_takes_rows_by_approach_and_by_withdrawal() {
    let game = game("fanorona");
    let mut position = game.open(&mut NoChance);
    assert_eq!(labels(&*position), ["d2e3", "d3e3", "d3e3-", "e2e3", "f2e3"]);
    play(&mut *position, "e2e3");
    expect![[r"
        5 o o o o . o o o o
        4 o o o o . o o o o
        3 o x o x x o x o x
        2 x x x x . x x x x
        1 x x x x x x x x x
          a b c d e f g h i
    "]]
    .assert_eq(&position.draw());
    // Where nothing lies ahead, a withdrawal needs no sign.
    assert!(labels(&*position).contains(&"f4e5".to_owned()));
    let mut position = game.open(&mut NoChance);
    play(&mut *position, "d3e3-");
    expect![[r"
        5 o o o o o o o o o
        4 o o o o o o o o o
        3 o x . . x o x o x
        2 x x x x x x x x x
        1 x x x x x x x x x
          a b c d e f g h i
    "]]
    .assert_eq(&position.draw());
}

#[test]
fn four_in_a_row_are_never_put_in_dara() {
    let game = game("dara");
    let mut position = game.open(&mut NoChance);
    play(&mut *position, "a1 a5 b1 b5 c1 c5");
    assert!(!labels(&*position).contains(&"d1".to_owned()));
    assert!(labels(&*position).contains(&"d5".to_owned()));
    play(&mut *position, "d5");
    assert!(labels(&*position).contains(&"d1".to_owned()));
}

#[test]
fn every_module_draws_its_start() {
    for module in modules() {
        let game = game(module);
        let drawing = game.open(&mut NoChance).draw();
        // Cards and dice lie on no board.
        let least = if game.facts().hidden { 1 } else { 4 };
        assert!(drawing.lines().count() >= least && drawing.is_ascii(), "{module}\n{drawing}");
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
        7 + + o o o + +
        6 + + o o o + +
        5 o o o o o o o
        4 o o o o o o o
        3 o o o . o o o
        2 + + o . o + +
        1 + + o o o + +
          a b c d e f g
    "#]]
    .assert_eq(&drawn("peg-solitaire", "d2d4"));
    expect![[r#"
        4 . 2 . .
        3 3 . . .
        2 . . . .
        1 . . . 4
          a b c d
        a2<a3 a3<b3 c2<c3
    "#]]
    .assert_eq(&drawn("futoshiki-4x4", "a33"));
    expect![[r#"
        5 . + . . .
        4 . . . . .
        3 . . . . .
        2 . . . . .
        1 + # + . .
          a b c d e
    "#]]
    .assert_eq(&drawn("nonogram-5x5", "b1"));
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
