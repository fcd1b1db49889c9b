//! Descriptions in older forms of the language.

use expect_test::expect_file;

use super::said;

#[test]
fn old_tic_tac_toe() {
    expect_file!["snapshots/old-old-tic-tac-toe.txt"].assert_eq(&said(
        r##"(game "Tic-Tac-Toe"
  (mode {(player "P1") (player "P2")})
  (equipment { (board "Board" (square 3)) (disc "O" 1) (cross "X" 2) })
  (rules (play (to Mover (empty))) (end (line 3) (result Mover win)))
)"##,
    ));
}

#[test]
fn a_bracket_too_many_inside_is_left_out() {
    expect_file!["snapshots/old-a-bracket-too-many-inside-is-left-out.txt"].assert_eq(&said(
        r##"(game "Row"
  (mode { (player "P1") (player "P2") })
  (equipment { (board (square 3)) (disc "Stone" 1)) })
  (rules (play (to Mover (empty))) (end (if (line 3) (result Mover Win))))
)"##,
    ));
}
