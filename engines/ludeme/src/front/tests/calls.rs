//! Mistakes in ludemes and their arguments.

use expect_test::{expect, expect_file};

use super::{check, check_line, said, said_of_line};

#[test]
fn ludeme_outside_brackets() {
    check_line(
        2,
        "  players 2)",
        expect![[r#"
            error[missing-brackets]: the ludeme `players` stands outside brackets
             --> t.lud:2:3
              |
            2 |   players 2)
              |   ^^^^^^^
              |
              = help: write `(players ..)`
            error[surplus-bracket]: `)` without an opening bracket
             --> t.lud:8:1
              |
            2 |   players 2)
              |            - the game ends here already
            ...
            8 | )
              | ^ nothing is open here
              |
              = help: delete it, or open a bracket before it
              = help: look for a bracket too many before t.lud:2:13"#]],
    );
}

#[test]
fn ludeme_outside_brackets_inside() {
    expect_file!["snapshots/calls-ludeme-outside-brackets-inside.txt"]
        .assert_eq(&said_of_line(5, "    (play (move Add (to sites Empty)))"));
}

#[test]
fn unknown_ludeme() {
    check_line(
        5,
        "    (play (move Add (to (sitez Empty))))",
        expect![[r#"
        error[unknown-ludeme]: there is no ludeme `sitez`
         --> t.lud:5:25
          |
        5 |     (play (move Add (to (sitez Empty))))
          |                         ^^^^^^^^^^^^^ argument 1 of `to` must be an integer or a region
          |
          = help: did you mean `sites`?"#]],
    );
}

#[test]
fn unknown_ludeme_elsewhere() {
    check_line(
        6,
        "    (end (if (lastt To) (result Mover Win)))",
        expect![[r#"
            error[unknown-ludeme]: there is no ludeme `lastt`
             --> t.lud:6:14
              |
            6 |     (end (if (lastt To) (result Mover Win)))
              |              ^^^^^^^^^^ argument 1 of `if` must be a condition
              |
              = help: did you mean `last`? It gives an integer"#]],
    );
}

#[test]
fn former_ludeme() {
    check_line(
        6,
        "    (end (if (line 3) (result Mover Win)))",
        expect![[r#"
            error[former-ludeme]: `line` is a ludeme of older descriptions
             --> t.lud:6:14
              |
            6 |     (end (if (line 3) (result Mover Win)))
              |              ^^^^^^^^
              |
              = help: today it is written (is Line 3)"#]],
    );
}

#[test]
fn unknown_constant() {
    check_line(
        6,
        "    (end (if (is Line 3) (result Mover Wins)))",
        expect![[r#"
            error[unknown-constant]: there is no constant `Wins`
             --> t.lud:6:40
              |
            6 |     (end (if (is Line 3) (result Mover Wins)))
              |                                        ^^^^ argument 2 of `result` must be a result
              |
              = help: did you mean `Win`?"#]],
    );
}

#[test]
fn unknown_constant_without_a_near_one() {
    check_line(
        6,
        "    (end (if (is Line 3) (result Mover Triumph)))",
        expect![[r#"
        error[unknown-constant]: there is no constant `Triumph`
         --> t.lud:6:40
          |
        6 |     (end (if (is Line 3) (result Mover Triumph)))
          |                                        ^^^^^^^ argument 2 of `result` must be a result
          |
          = help: allowed here: Win Loss Draw Tie Abandon Crash"#]],
    );
}

#[test]
fn unknown_selector() {
    check_line(
        6,
        "    (end (if (is Linee 3) (result Mover Win)))",
        expect![[r#"
            error[unknown-constant]: there is no `is Linee`
             --> t.lud:6:18
              |
            6 |     (end (if (is Linee 3) (result Mover Win)))
              |                  ^^^^^
              |
              = help: did you mean `is Line`?"#]],
    );
}

#[test]
fn no_selector() {
    expect_file!["snapshots/calls-no-selector.txt"]
        .assert_eq(&said_of_line(6, "    (end (if (is) (result Mover Win)))"));
}

#[test]
fn wrong_selector_argument() {
    expect_file!["snapshots/calls-wrong-selector-argument.txt"]
        .assert_eq(&said_of_line(6, "    (end (if (is (to)) (result Mover Win)))"));
}

#[test]
fn lower_case_constant() {
    check_line(
        6,
        "    (end (if (is Line 3) (result mover Win)))",
        expect![[r#"
            warning[lower-case-constant]: the constant `Mover` is written `mover`
             --> t.lud:6:34
              |
            6 |     (end (if (is Line 3) (result mover Win)))
              |                                  ^^^^^
              |
              = help: constants begin with an upper-case letter, ludemes with a lower-case one"#]],
    );
}

#[test]
fn upper_case_ludeme() {
    check_line(
        2,
        "  (Players 2)",
        expect![[r#"
            error[upper-case-ludeme]: there is no ludeme `Players`
             --> t.lud:2:3
              |
            2 |   (Players 2)
              |   ^^^^^^^^^^^
              |
              = help: ludeme names start lower-case: `players`"#]],
    );
}

#[test]
fn unknown_argument_name() {
    check_line(
        6,
        "    (end (if (is Line 3 exactly:True) (result Mover Win)))",
        expect![[r#"
            error[unknown-argument]: `is Line` has no argument `exactly:`
             --> t.lud:6:25
              |
            6 |     (end (if (is Line 3 exactly:True) (result Mover Win)))
              |                         ^^^^^^^
              |
              = help: did you mean `exact:`?"#]],
    );
}

#[test]
fn unknown_argument_name_without_a_near_one() {
    expect_file!["snapshots/calls-unknown-argument-name-without-a-near.txt"]
        .assert_eq(&said_of_line(6, "    (end (if (is Line 3 wobble:True) (result Mover Win)))"));
}

#[test]
fn name_on_an_unnamed_argument() {
    check_line(
        6,
        "    (end (if (is Line length:3) (result Mover Win)))",
        expect![[r#"
            error[unknown-argument]: `is Line` has no argument `length:`
             --> t.lud:6:23
              |
            6 |     (end (if (is Line length:3) (result Mover Win)))
              |                       ^^^^^^
              |
              = help: write it without `length:`"#]],
    );
}

#[test]
fn wrong_order() {
    expect_file!["snapshots/calls-wrong-order.txt"].assert_eq(&said_of_line(
        6,
        "    (end (if (is Line 3 exact:True through:(last To)) (result Mover Win)))",
    ));
}

#[test]
fn given_twice() {
    check_line(
        6,
        "    (end (if (is Line 3 exact:True exact:True) (result Mover Win)))",
        expect![[r#"
            error[excluded-argument]: `exact:` is given twice
             --> t.lud:6:36
              |
            6 |     (end (if (is Line 3 exact:True exact:True) (result Mover Win)))
              |                                    ^^^^^"#]],
    );
}

#[test]
fn alternatives_both_given() {
    check_line(
        6,
        "    (end (if (= 1 (count at:1 in:(sites Board))) (result Mover Win)))",
        expect![[r#"
            error[excluded-argument]: `in:` is one too many
             --> t.lud:6:31
              |
            6 |     (end (if (= 1 (count at:1 in:(sites Board))) (result Mover Win)))
              |                               ^^ only one of `at:` or `in:` may be given"#]],
    );
}

#[test]
fn wrong_type() {
    check_line(
        6,
        "    (end (if (is Line (sites Empty)) (result Mover Win)))",
        expect![[r#"
            error[wrong-type]: argument 1 of `is Line` must be an integer, found a region of `sites`
             --> t.lud:6:23
              |
            6 |     (end (if (is Line (sites Empty)) (result Mover Win)))
              |                       ^^^^^^^^^^^^^
              |
              = help: write for example (count Moves)
              = help: if the language has this form, it is one that is not supported yet"#]],
    );
}

#[test]
fn wrong_type_of_a_named_argument() {
    check_line(
        6,
        "    (end (if (is Line 3 through:(sites Empty)) (result Mover Win)))",
        expect![[r#"
            error[wrong-type]: `through:` of `is Line` must be an integer, found a region of `sites`
             --> t.lud:6:33
              |
            6 |     (end (if (is Line 3 through:(sites Empty)) (result Mover Win)))
              |                                 ^^^^^^^^^^^^^
              |
              = help: write for example (count Moves)
              = help: if the language has this form, it is one that is not supported yet"#]],
    );
}

#[test]
fn wrong_type_constant() {
    expect_file!["snapshots/calls-wrong-type-constant.txt"]
        .assert_eq(&said_of_line(2, "  (players Mover)"));
}

#[test]
fn wrong_type_integer() {
    check_line(
        6,
        "    (end (if (is Line 3) (result 2 Win)))",
        expect![[r#"
            error[wrong-type]: argument 1 of `result` must be a role, found an integer
             --> t.lud:6:34
              |
            6 |     (end (if (is Line 3) (result 2 Win)))
              |                                  ^
              |
              = help: write for example Neutral"#]],
    );
}

#[test]
fn too_many_arguments() {
    expect_file!["snapshots/calls-too-many-arguments.txt"]
        .assert_eq(&said_of_line(6, "    (end (if (is Line 3 4) (result Mover Win)))"));
}

#[test]
fn too_many_arguments_of_none() {
    check_line(
        6,
        "    (end (if (is Full 4) (result Mover Win)))",
        expect![[r#"
            error[surplus-argument]: too many arguments for `is Full`
             --> t.lud:6:23
              |
            6 |     (end (if (is Full 4) (result Mover Win)))
              |              ---------^-
              |              |        |
              |              |        it takes no arguments
              |              in this call
              |
              = help: it is written (is Full)
              = help: if the language has this form, it is one that is not supported yet"#]],
    );
}

#[test]
fn missing_part() {
    check(
        r##"(game "T"
  (players 2)
  (equipment { (board (square 3)) (piece "Disc" Each) })
  (rules
    (play (move Add (to (sites Empty))))
  )
)"##,
        expect![[r#"
            error[missing-argument]: `rules` lacks `end`
             --> t.lud:4:3
              |
            4 |   (rules
              |   ^^^^^^
              |
              = help: write for example (end (if (is Line 3) (result Mover Win)))"#]],
    );
}

#[test]
fn missing_argument() {
    expect_file!["snapshots/calls-missing-argument.txt"]
        .assert_eq(&said_of_line(6, "    (end (if (is Line) (result Mover Win)))"));
}

#[test]
fn missing_named_argument() {
    check_line(
        6,
        "    (end (if (= 1 (value Piece)) (result Mover Win)))",
        expect![[r#"
            error[missing-argument]: `value Piece` lacks `at:`
             --> t.lud:6:19
              |
            6 |     (end (if (= 1 (value Piece)) (result Mover Win)))
              |                   ^^^^^^^^^^^^^
              |
              = help: it is written (value Piece [<type>] at:<integer> [level:<integer>])"#]],
    );
}

#[test]
fn array_for_item() {
    check_line(
        5,
        "    (play { (move Add (to (sites Empty))) })",
        expect![[r#"
            error[array-for-item]: argument 1 of `play` is one item and no array
             --> t.lud:5:11
              |
            5 |     (play { (move Add (to (sites Empty))) })
              |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
              |
              = help: write it without braces"#]],
    );
}

#[test]
fn item_for_array() {
    expect_file!["snapshots/calls-item-for-array.txt"]
        .assert_eq(&said_of_line(3, "  (equipment (board (square 3)))"));
}

#[test]
fn array_literal_for_list() {
    check_line(
        6,
        "    (end (if (= 3 (max {1 2 3})) (result Mover Win)))",
        expect![[r#"
            error[array-for-item]: argument 1 of `max` must be a list of integers, found an array
             --> t.lud:6:24
              |
            6 |     (end (if (= 3 (max {1 2 3})) (result Mover Win)))
              |                        ^^^^^^^
              |
              = help: a list of integers is written (array { 1 2 3 })"#]],
    );
}

#[test]
fn wrong_item() {
    expect_file!["snapshots/calls-wrong-item.txt"].assert_eq(&said_of_line(
        3,
        r#"  (equipment { (board (square 3)) (piece "Disc" Each) (to) })"#,
    ));
}

#[test]
fn string_for_something_else() {
    check_line(
        6,
        r#"    (end (if "Flurb" (result Mover Win)))"#,
        expect![[r#"
        error[wrong-type]: argument 1 of `if` must be a condition, found the string "Flurb"
         --> t.lud:6:14
          |
        6 |     (end (if "Flurb" (result Mover Win)))
          |              ^^^^^^^ this is neither the name of a macro nor a name that is wanted here
          |
          = help: write for example (is Empty (to))"#]],
    );
}

#[test]
fn unknown_piece() {
    check(
        r##"(game "T"
  (players 2)
  (equipment { (board (square 3)) (piece "Disc" Each) })
  (rules
    (start (place "Disk1" (sites Top)))
    (play (move Add (to (sites Empty))))
    (end (if (is Line 3) (result Mover Win)))
  )
)"##,
        expect![[r#"
            error[unknown-name]: no piece is called "Disk1"
             --> t.lud:5:19
              |
            5 |     (start (place "Disk1" (sites Top)))
              |                   ^^^^^^^
              |
              = help: did you mean "Disc"?"#]],
    );
}

#[test]
fn unknown_region() {
    check_line(
        5,
        r#"    (play (move Add (to (sites "Goal"))))"#,
        expect![[r#"
            warning[unknown-name]: no region is called "Goal"
             --> t.lud:5:32
              |
            5 |     (play (move Add (to (sites "Goal"))))
              |                                ^^^^^^
              |
              = help: the description declares no region"#]],
    );
}

#[test]
fn for_each_piece_in_a_piece() {
    check_line(
        3,
        r#"  (equipment { (board (square 3)) (piece "Disc" Each (or (forEach Piece) (move Pass))) })"#,
        expect![[r#"
    error[endless-moves]: the moves of "Disc" ask for the moves of "Disc"
     --> t.lud:3:58
      |
    3 |   (equipment { (board (square 3)) (piece "Disc" Each (or (forEach Piece) (move Pass))) })
      |                                   -----------------------^^^^^^^^^^^^^^^--------------
      |                                   |                      |
      |                                   |                      this would never come to an end
      |                                   in this piece
      |
      = help: give `forEach Piece` the moves to make, or the names of other pieces"#]],
    );
}

#[test]
fn coordinate_as_a_name() {
    check_line(
        5,
        r#"    (play (move Add (to (sites P1 "R2"))))"#,
        expect![[r#"
error[wrong-type]: argument 2 of `sites` must be the name of a region in quotes, found a coordinate
 --> t.lud:5:35
  |
5 |     (play (move Add (to (sites P1 "R2"))))
  |                                   ^^^^
  |
  = help: digits behind at most two letters make a string a coordinate; choose another name"#]],
    );
}

#[test]
fn name_in_array() {
    check_line(
        3,
        r#"  (equipment { (board (square 3)) role:(piece "Disc" Each) })"#,
        expect![[r#"
            error[name-in-array]: an item of an array has no name, found `role:`
             --> t.lud:3:35
              |
            3 |   (equipment { (board (square 3)) role:(piece "Disc" Each) })
              |                                   ^^^^
              |
              = help: close the brace before it, or delete the name"#]],
    );
}

#[test]
fn misspelt_name_of_a_mandatory_argument() {
    check_line(
        6,
        "    (end (if (= 1 (value Piece att:(to))) (result Mover Win)))",
        expect![[r#"
            error[unknown-argument]: `value Piece` has no argument `att:`
             --> t.lud:6:32
              |
            6 |     (end (if (= 1 (value Piece att:(to))) (result Mover Win)))
              |                                ^^^
              |
              = help: did you mean `at:`?"#]],
    );
}

#[test]
fn two_slips_in_one_call() {
    expect_file!["snapshots/calls-two-slips-in-one-call.txt"]
        .assert_eq(&said_of_line(6, "    (end (if (is Line exact:3 4) (result Mover Win)))"));
}

#[test]
fn several_errors() {
    expect_file!["snapshots/calls-several-errors.txt"].assert_eq(&said(
        r##"(game "T"
  (players two)
  (equipment { (board (square 3)) (piece "Disc" Each) })
  (rules
    (play (move Add (to (sites Empty))))
    (end (if (is Line (sites Emty)) (result Mover Wim)))
  )
)"##,
    ));
}
