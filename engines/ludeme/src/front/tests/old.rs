//! Descriptions in older forms of the language.

use expect_test::expect;

use super::check;

#[test]
fn old_tic_tac_toe() {
    check(
        r##"(game "Tic-Tac-Toe"
  (mode {(player "P1") (player "P2")})
  (equipment { (board "Board" (square 3)) (disc "O" 1) (cross "X" 2) })
  (rules (play (to Mover (empty))) (end (line 3) (result Mover win)))
)"##,
        expect![[r#"
            error[wrong-type]: argument 2 of `game` must be the players, found a mode of `mode`
             --> t.lud:2:3
              |
            2 |   (mode {(player "P1") (player "P2")})
              |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
              |
              = help: write for example (players 2)
              = help: in older descriptions `mode` was what is (players 2) today
            error[surplus-argument]: `board` has no place for this argument
             --> t.lud:3:23
              |
            3 |   (equipment { (board "Board" (square 3)) (disc "O" 1) (cross "X" 2) })
              |                -------^^^^^^^------------
              |                |      |
              |                |      argument 1 is the string "Board"
              |                in this call
              |
              = help: it is written (board <graph> [<tracks> | {<tracks> ..}] [<values> | {<values> ..}] [use:<site type>] [largeStack:<True or False>])
            error[former-ludeme]: `disc` is a ludeme of older descriptions
             --> t.lud:3:43
              |
            3 |   (equipment { (board "Board" (square 3)) (disc "O" 1) (cross "X" 2) })
              |                                           ^^^^^^^^^^^^
              |
              = help: today it is written (piece "Disc" P1)
            error[former-ludeme]: `cross` is a ludeme of older descriptions
             --> t.lud:3:56
              |
            3 |   (equipment { (board "Board" (square 3)) (disc "O" 1) (cross "X" 2) })
              |                                                        ^^^^^^^^^^^^^
              |
              = help: today it is written (piece "Cross" P2)
            error[wrong-type]: argument 1 of `play` must be a generator of moves, found a destination or an integer of `to`
             --> t.lud:4:16
              |
            4 |   (rules (play (to Mover (empty))) (end (line 3) (result Mover win)))
              |                ^^^^^^^^^^^^^^^^^^
              |
              = help: write for example (move Add (to (sites Empty)))
              = help: in older descriptions `to` was what is (move Add (to (sites Empty))) today
            error[former-ludeme]: `empty` is a ludeme of older descriptions
             --> t.lud:4:26
              |
            4 |   (rules (play (to Mover (empty))) (end (line 3) (result Mover win)))
              |                          ^^^^^^^
              |
              = help: today it is written (sites Empty) or (is Empty (to))
            error[former-ludeme]: `line` is a ludeme of older descriptions
             --> t.lud:4:41
              |
            4 |   (rules (play (to Mover (empty))) (end (line 3) (result Mover win)))
              |                                         ^^^^^^^^
              |
              = help: today it is written (is Line 3)
            error[surplus-argument]: too many arguments for `end`
             --> t.lud:4:50
              |
            4 |   (rules (play (to Mover (empty))) (end (line 3) (result Mover win)))
              |                                    --------------^^^^^^^^^^^^^^^^^^-
              |                                    |             |
              |                                    |             argument 2 is a result of `result`
              |                                    in this call
              |
              = help: it is written (end {<rules> ..} | <rules>)"#]],
    );
}

#[test]
fn a_bracket_too_many_inside_is_left_out() {
    check(
        r##"(game "Row"
  (mode { (player "P1") (player "P2") })
  (equipment { (board (square 3)) (disc "Stone" 1)) })
  (rules (play (to Mover (empty))) (end (if (line 3) (result Mover Win))))
)"##,
        expect![[r#"
            error[wrong-type]: argument 2 of `game` must be the players, found a mode of `mode`
             --> t.lud:2:3
              |
            2 |   (mode { (player "P1") (player "P2") })
              |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
              |
              = help: write for example (players 2)
              = help: in older descriptions `mode` was what is (players 2) today
            error[former-ludeme]: `disc` is a ludeme of older descriptions
             --> t.lud:3:35
              |
            3 |   (equipment { (board (square 3)) (disc "Stone" 1)) })
              |                                   ^^^^^^^^^^^^^^^^
              |
              = help: today it is written (piece "Disc" P1)
            error[surplus-bracket-inside]: `)` closes nothing here: the innermost open bracket is `{`
             --> t.lud:3:51
              |
            3 |   (equipment { (board (square 3)) (disc "Stone" 1)) })
              |              - opened here                        ^ expected `}`
              |
              = help: delete it: all other brackets match without it
            error[wrong-type]: argument 1 of `play` must be a generator of moves, found a destination or an integer of `to`
             --> t.lud:4:16
              |
            4 |   (rules (play (to Mover (empty))) (end (if (line 3) (result Mover Win))))
              |                ^^^^^^^^^^^^^^^^^^
              |
              = help: write for example (move Add (to (sites Empty)))
              = help: in older descriptions `to` was what is (move Add (to (sites Empty))) today
            error[former-ludeme]: `empty` is a ludeme of older descriptions
             --> t.lud:4:26
              |
            4 |   (rules (play (to Mover (empty))) (end (if (line 3) (result Mover Win))))
              |                          ^^^^^^^
              |
              = help: today it is written (sites Empty) or (is Empty (to))
            error[former-ludeme]: `line` is a ludeme of older descriptions
             --> t.lud:4:45
              |
            4 |   (rules (play (to Mover (empty))) (end (if (line 3) (result Mover Win))))
              |                                             ^^^^^^^^
              |
              = help: today it is written (is Line 3)"#]],
    );
}
