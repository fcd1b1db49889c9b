//! Mistakes in brackets, characters, options and macros.

use expect_test::{expect, expect_file};

use super::{check, check_line, said};

#[test]
fn missing_parenthesis() {
    check_line(
        2,
        "  (players 2",
        expect![[r#"
            error[unclosed-bracket]: `(players` is never closed: a `)` is missing
             --> t.lud:2:3
              |
            2 |   (players 2
              |   ^^^^^^^^ expected a `)` for this
            3 |   (equipment { (board (square 3)) (piece "Disc" Each) })
              |   - by the indentation it should have ended before this line
              |
              = help: add `)` at the end of the line before t.lud:3:3"#]],
    );
}

#[test]
fn missing_parenthesis_and_an_unknown_ludeme() {
    check(
        r##"(game "T"
  (players 2
  (equipment { (board (square 3)) (piece "Disc" Each) })
  (rules
    (play (mov Add (to (sites Empty))))
    (end (if (is Line 3) (result Mover Win)))
  )
)"##,
        expect![[r#"
            error[unclosed-bracket]: `(players` is never closed: a `)` is missing
             --> t.lud:2:3
              |
            2 |   (players 2
              |   ^^^^^^^^ expected a `)` for this
            3 |   (equipment { (board (square 3)) (piece "Disc" Each) })
              |   - by the indentation it should have ended before this line
              |
              = help: add `)` at the end of the line before t.lud:3:3
            error[unknown-ludeme]: there is no ludeme `mov`
             --> t.lud:5:11
              |
            5 |     (play (mov Add (to (sites Empty))))
              |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
              |
              = help: did you mean `move`?"#]],
    );
}

#[test]
fn surplus_parenthesis() {
    check_line(
        2,
        "  (players 2))",
        expect![[r#"
            error[surplus-bracket]: `)` without an opening bracket
             --> t.lud:8:1
              |
            2 |   (players 2))
              |              - the game ends here already
            ...
            8 | )
              | ^ nothing is open here
              |
              = help: delete it, or open a bracket before it
              = help: look for a bracket too many before t.lud:2:15"#]],
    );
}

#[test]
fn missing_brace() {
    check_line(
        3,
        r#"  (equipment { (board (square 3)) (piece "Disc" Each) )"#,
        expect![[r#"
            error[mismatched-bracket]: `)` closes nothing here: the innermost open bracket is `{`
             --> t.lud:3:55
              |
            3 |   (equipment { (board (square 3)) (piece "Disc" Each) )
              |              - opened here                            ^ expected `}`"#]],
    );
}

#[test]
fn odd_quote() {
    check_line(
        3,
        r#"  (equipment { (board (square 3)) (piece "Disc Each) })"#,
        expect![[r#"
            error[unclosed-string]: this string is never closed
             --> t.lud:3:42
              |
            3 |   (equipment { (board (square 3)) (piece "Disc Each) })
              |                                          ^^^^^^^^^^^^^^ no closing `"` after this
              |
              = help: write a `"` where the string ends"#]],
    );
}

#[test]
fn unknown_macro() {
    check_line(
        6,
        r#"    (end ("Linee3Win"))"#,
        expect![[r#"
error[unknown-macro]: there is no macro "Linee3Win"
 --> t.lud:6:11
  |
6 |     (end ("Linee3Win"))
  |           ^^^^^^^^^^^ a string behind an opening bracket calls a macro
  |
  = help: did you mean `Line3Win`?
  = help: define it with (define "Linee3Win" ..), or write the name of a ludeme without quotes"#]],
    );
}

#[test]
fn unknown_macro_as_bare_string() {
    check_line(
        6,
        r#"    (end (if "IsOffBord" (result Mover Win)))"#,
        expect![[r#"
        error[unknown-macro]: argument 1 of `if` must be a condition, found the string "IsOffBord"
         --> t.lud:6:14
          |
        6 |     (end (if "IsOffBord" (result Mover Win)))
          |              ^^^^^^^^^^^ no macro has this name
          |
          = help: did you mean the macro "IsOffBoard"?"#]],
    );
}

#[test]
fn unexpanded_tag() {
    check(
        r##"(game "T"
  (players 2)
  (equipment { (board (square <Bord:size>)) (piece "Disc" Each) })
  (rules
    (play (move Add (to (sites Empty))))
    (end (if (is Line 3) (result Mover Win)))
  )
)
(option "Board" <Board> args:{ <size> } { (item "3x3" <3> "Small.")* })"##,
        expect![[r#"
            error[unexpanded-tag]: the option tag <Bord:size> was not filled in
             --> t.lud:3:31
              |
            3 |   (equipment { (board (square <Bord:size>)) (piece "Disc" Each) })
              |                               ^^^^^^^^^^^ no option declares the tag <Bord>
              |
              = help: did you mean `Board`?"#]],
    );
}

#[test]
fn unexpanded_tag_without_argument() {
    check(
        r##"(game "T"
  (players 2)
  (equipment { (board (square <Board:sise>)) (piece "Disc" Each) })
  (rules
    (play (move Add (to (sites Empty))))
    (end (if (is Line 3) (result Mover Win)))
  )
)
(option "Board" <Board> args:{ <size> } { (item "3x3" <3> "Small.")* })"##,
        expect![[r#"
error[unexpanded-tag]: the option tag <Board:sise> was not filled in
 --> t.lud:3:31
  |
3 |   (equipment { (board (square <Board:sise>)) (piece "Disc" Each) })
  |                               ^^^^^^^^^^^^ option "Board" has no argument `sise`
...
9 | (option "Board" <Board> args:{ <size> } { (item "3x3" <3> "Small.")* })
  | ----------------------------------------------------------------------- its arguments are size
  |
  = help: did you mean `size`?"#]],
    );
}

#[test]
fn no_option_at_all() {
    check_line(
        3,
        r#"  (equipment { (board (square <Board>)) (piece "Disc" Each) })"#,
        expect![[r#"
            error[unexpanded-tag]: the option tag <Board> was not filled in
             --> t.lud:3:31
              |
            3 |   (equipment { (board (square <Board>)) (piece "Disc" Each) })
              |                               ^^^^^^^ no option declares the tag <Board>"#]],
    );
}

#[test]
fn comma() {
    check_line(
        6,
        "    (end (if (is Line 3, exact:True) (result Mover Win)))",
        expect![[r#"
            error[unexpected-character]: unexpected character `,`
             --> t.lud:6:24
              |
            6 |     (end (if (is Line 3, exact:True) (result Mover Win)))
              |                        ^
              |
              = help: arguments are separated by white space only"#]],
    );
}

#[test]
fn odd_character() {
    check_line(
        6,
        "    (end (if (is Line 3 'x') (result Mover Win)))",
        expect![[r#"
            error[unexpected-character]: unexpected character `'`
             --> t.lud:6:25
              |
            6 |     (end (if (is Line 3 'x') (result Mover Win)))
              |                         ^
              |
              = help: names are quoted with double quotes"#]],
    );
}

#[test]
fn empty_call() {
    check_line(
        6,
        "    (end (if () (result Mover Win)))",
        expect![[r#"
            error[empty-call]: `()` calls nothing
             --> t.lud:6:14
              |
            6 |     (end (if () (result Mover Win)))
              |              ^^ expected a ludeme name after the bracket
              |
              = help: delete the brackets, or write the call that belongs here"#]],
    );
}

#[test]
fn double_bracket() {
    check_line(
        6,
        "    (end (if ((is Line 3) 4) (result Mover Win)))",
        expect![[r#"
    error[double-bracket]: `((` opens a call without a ludeme name
     --> t.lud:6:14
      |
    6 |     (end (if ((is Line 3) 4) (result Mover Win)))
      |              ^^^^^^^^^^^^^^^ expected a ludeme name after the first bracket
      |
      = help: a ludeme name stands directly behind its bracket, as in (or (pass) (moveAgain))"#]],
    );
}

#[test]
fn recursive_macro() {
    check(
        r##"(game "T"
  (players 2)
  (equipment { (board (square 3)) (piece "Disc" Each) })
  (rules
    (play (move Add (to (sites Empty))))
    (end (if ("A") (result Mover Win)))
  )
)
(define "A" (not ("B")))
(define "B" (or "A" (is Full)))"##,
        expect![[r#"
            error[recursive-macro]: the macro "A" calls itself without end
              --> t.lud:10:17
               |
            10 | (define "B" (or "A" (is Full)))
               |                 ^^^ "A" calls "B" calls "A"
               |
               = help: a macro is replaced by its text, so it cannot contain itself"#]],
    );
}

#[test]
fn error_in_a_macro() {
    check(
        r##"(game "T"
  (players 2)
  (equipment { (board (square 3)) (piece "Disc" Each) })
  (rules
    (play (move Add (to (sites Empty))))
    (end (if ("Three" 3) (result Mover Win)))
  )
)
(define "Three" (is Line (sites Empty) exact:#1))"##,
        expect![[r#"
            error[wrong-type]: `exact:` of `is Line` must be a condition, found an integer
             --> t.lud:6:23
              |
            6 |     (end (if ("Three" 3) (result Mover Win)))
              |                       ^
            ...
            9 | (define "Three" (is Line (sites Empty) exact:#1))
              |                 -------------------------------- it is an argument of this
              |
              = help: write for example (is Empty (to))
            error[wrong-type]: argument 1 of `is Line` must be an integer, found a region of `sites`
             --> t.lud:9:26
              |
            6 |     (end (if ("Three" 3) (result Mover Win)))
              |               ------- in this call of "Three"
            ...
            9 | (define "Three" (is Line (sites Empty) exact:#1))
              |                          ^^^^^^^^^^^^^
              |
              = help: write for example (count Moves)"#]],
    );
}

#[test]
fn too_few_arguments_of_a_macro() {
    expect_file!["snapshots/texts-too-few-arguments-of-a-macro.txt"].assert_eq(&said(
        r##"(game "T"
  (players 2)
  (equipment { (board (square 3)) (piece "Disc" Each) })
  (rules
    (play (move Add (to (sites Empty))))
    (end (if ("Three") (result Mover Win)))
  )
)
(define "Three" (is Line #1))"##,
    ));
}

#[test]
fn too_many_arguments_of_a_macro() {
    check(
        r##"(game "T"
  (players 2)
  (equipment { (board (square 3)) (piece "Disc" Each) })
  (rules
    (play (move Add (to (sites Empty))))
    (end (if ("Three" 3 4) (result Mover Win)))
  )
)
(define "Three" (is Line #1))"##,
        expect![[r#"
            warning[surplus-argument]: "Three" takes one argument, and is given 2
             --> t.lud:6:15
              |
            6 |     (end (if ("Three" 3 4) (result Mover Win)))
              |               ^^^^^^^ what is too much is ignored"#]],
    );
}

#[test]
fn name_without_argument_of_a_macro() {
    expect_file!["snapshots/texts-name-without-argument-of-a-macro.txt"].assert_eq(&said(
        r##"(game "T"
  (players 2)
  (equipment { (board (square 3)) (piece "Disc" Each) })
  (rules
    (play (move Add (to (sites Empty))))
    (end (if ("Three" 3) (result Mover Win)))
  )
)
(define "Three" (is Line #1 exact:#2))"##,
    ));
}

#[test]
fn name_that_takes_the_next_argument() {
    expect_file!["snapshots/texts-name-that-takes-the-next-argument.txt"].assert_eq(&said(
        r##"(game "T"
  (players 2)
  (equipment { (board (square 3)) (piece "Disc" Each) })
  (rules
    (play (move Add (to (sites Empty))))
    (end (if ("Three" 3) (result Mover Win)))
  )
)
(define "Three" (is Line #1 through:#2 exact:True))"##,
    ));
}

#[test]
fn error_in_a_library_macro() {
    check_line(
        6,
        r#"    (end (if ("IsEnemyAt" Full) (result Mover Win)))"#,
        expect![[r#"
            error[wrong-type]: `at:` of `who` must be an integer, found the word `Full`
             --> t.lud:6:27
              |
            6 |     (end (if ("IsEnemyAt" Full) (result Mover Win)))
              |               ----------- ^^^^
              |               |
              |               the library macro "IsEnemyAt" hands it on
              |
              = help: write for example (count Moves)"#]],
    );
}

#[test]
fn range_too_long() {
    check_line(
        6,
        "    (end (if (is In {0..5000} (sites Board)) (result Mover Win)))",
        expect![[r#"
            error[range-too-long]: the range 0..5000 has 5001 numbers
             --> t.lud:6:22
              |
            6 |     (end (if (is In {0..5000} (sites Board)) (result Mover Win)))
              |                      ^^^^^^^ at most 1001 are allowed"#]],
    );
}

#[test]
fn macro_named_as_a_piece() {
    check(
        r##"(game "T"
  (players 2)
  (equipment { (board (square 3)) (piece "Disc" Each) })
  (rules
    (play (move Add (to (sites Empty))))
    (end (if (is Line 3) (result Mover Win)))
  )
)
(define "Disc" (sites Board))"##,
        expect![[r#"
error[macro-for-name]: "Disc" is the name of a macro, and cannot name anything else
 --> t.lud:3:42
  |
3 |   (equipment { (board (square 3)) (piece "Disc" Each) })
  |                                          ^^^^^^ argument 1 of `piece` must be a name in quotes
...
9 | (define "Disc" (sites Board))
  |                ------------- this is put in its place
  |
  = help: give one of the two another name"#]],
    );
}

#[test]
fn no_game() {
    check(
        r##"(define "A" (is Full))"##,
        expect![[r#"
            error[no-game]: the description has no game
             --> t.lud:1:23
              |
            1 | (define "A" (is Full))
              |                       ^
              |
              = help: a game is written (game "Name" (players 2) (equipment { .. }) (rules ..))"#]],
    );
}

#[test]
fn nothing() {
    check(
        r##""##,
        expect![[r#"
            error[no-game]: the description has no game
             --> t.lud:1:1
              |
            1 |
              | ^
              |
              = help: a game is written (game "Name" (players 2) (equipment { .. }) (rules ..))"#]],
    );
}

#[test]
fn stray_text() {
    expect_file!["snapshots/texts-stray-text.txt"].assert_eq(&said(
        r##"(game "T"
  (players 2)
  (equipment { (board (square 3)) (piece "Disc" Each) })
  (rules
    (play (move Add (to (sites Empty))))
    (end (if (is Line 3) (result Mover Win)))
  )
)
(players 2)"##,
    ));
}

#[test]
fn two_games() {
    check(
        r##"(game "T"
  (players 2)
  (equipment { (board (square 3)) (piece "Disc" Each) })
  (rules
    (play (move Add (to (sites Empty))))
    (end (if (is Line 3) (result Mover Win)))
  )
)
(game "T"
  (players 2)
  (equipment { (board (square 3)) (piece "Disc" Each) })
  (rules
    (play (move Add (to (sites Empty))))
    (end (if (is Line 3) (result Mover Win)))
  )
)"##,
        expect![[r#"
            error[second-game]: a file describes one game
             --> t.lud:9:1
              |
            9 | (game "T"
              | ^^^^^^^^^
              |
              = help: put each game into a file of its own"#]],
    );
}

#[test]
fn defined_twice() {
    check(
        r##"(game "T"
  (players 2)
  (equipment { (board (square 3)) (piece "Disc" Each) })
  (rules
    (play (move Add (to (sites Empty))))
    (end (if (is Line 3) (result Mover Win)))
  )
)
(define "A" (is Full))
(define "A" (is Full))"##,
        expect![[r#"
            warning[defined-twice]: the macro "A" is defined already
              --> t.lud:10:9
               |
             9 | (define "A" (is Full))
               |         --- the first definition counts
            10 | (define "A" (is Full))
               |         ^^^ this definition is ignored"#]],
    );
}

#[test]
fn parameter_gap() {
    check(
        r##"(game "T"
  (players 2)
  (equipment { (board (square 3)) (piece "Disc" Each) })
  (rules
    (play (move Add (to (sites Empty))))
    (end (if ("A" 1 2) (result Mover Win)))
  )
)
(define "A" (is Line 3 exact:#2))"##,
        expect![[r#"
            warning[surplus-argument]: "A" takes no arguments, and is given 2
             --> t.lud:6:15
              |
            6 |     (end (if ("A" 1 2) (result Mover Win)))
              |               ^^^ what is too much is ignored
            warning[parameter-gap]: #2 is used, but #1 is not
             --> t.lud:9:24
              |
            9 | (define "A" (is Line 3 exact:#2))
              |                        ^^^^^^^^ this is never replaced
              |
              = help: number the parameters from #1 without gaps
            error[wrong-type]: `exact:` of `is Line` must be a condition, found the word `#2`
             --> t.lud:9:30
              |
            6 |     (end (if ("A" 1 2) (result Mover Win)))
              |               --- in this call of "A"
            ...
            9 | (define "A" (is Line 3 exact:#2))
              |                              ^^
              |
              = help: write for example (is Empty (to))"#]],
    );
}

#[test]
fn unnamed_define() {
    check(
        r##"(game "T"
  (players 2)
  (equipment { (board (square 3)) (piece "Disc" Each) })
  (rules
    (play (move Add (to (sites Empty))))
    (end (if (is Line 3) (result Mover Win)))
  )
)
(define A (is Full))"##,
        expect![[r#"
            error[unnamed-define]: a definition begins with the name of the macro in quotes
             --> t.lud:9:9
              |
            9 | (define A (is Full))
              |         ^
              |
              = help: write (define "Name" ..)"#]],
    );
}

#[test]
fn malformed_option() {
    expect_file!["snapshots/texts-malformed-option.txt"].assert_eq(&said(
        r##"(game "T"
  (players 2)
  (equipment { (board (square 3)) (piece "Disc" Each) })
  (rules
    (play (move Add (to (sites Empty))))
    (end (if (is Line 3) (result Mover Win)))
  )
)
(option Board <B> { (item "x" <3> "y") })"##,
    ));
}

#[test]
fn unbalanced_option() {
    check(
        r##"(game "T"
  (players 2)
  (equipment { (board (square 3)) (piece "Disc" Each) })
  (rules
    (play (move Add (to <A:x>)))
    (end (if (is Line 3) (result Mover Win)))
  )
)
(option "O" <A> args:{ <x> } { (item "a" <(sites Empty> "b") })"##,
        expect![[r#"
            error[mismatched-bracket]: `}` closes nothing here: the innermost open bracket is `(`
             --> t.lud:9:62
              |
            9 | (option "O" <A> args:{ <x> } { (item "a" <(sites Empty> "b") })
              |                                - opened here                 ^ expected `)`"#]],
    );
}
