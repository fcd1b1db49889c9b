use std::path::{Path, PathBuf};

use expect_test::{Expect, expect};

use super::*;

/// The files of a folder of the corpus beside the project, or none.
fn corpus(folder: &str) -> Vec<PathBuf> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/corpus"));
    let mut files: Vec<PathBuf> = std::fs::read_dir(root.join(folder))
        .map(|dir| dir.flatten().map(|entry| entry.path()).collect())
        .unwrap_or_default();
    files.sort();
    if files.is_empty() {
        eprintln!("skipped: no ../shared/corpus/{folder}");
    }
    files
}

#[test]
fn the_corpus_loads() {
    for folder in ["rbg", "rbg-expanded"] {
        for file in corpus(folder) {
            let text = std::fs::read_to_string(&file).unwrap();
            let source = Source::new(file.file_name().unwrap().to_string_lossy(), text);
            let (description, diagnostics) = read(&source);
            let shown: Vec<String> = diagnostics.iter().map(|d| d.render(&source)).collect();
            assert!(description.is_some(), "{}", shown.join("\n"));
        }
    }
}

const HEAD: &str = "#players = white(100), black(100)
#pieces = e, pawn
#variables = turn(9)
#board = rectangle(up,down,left,right, [e,pawn] [e,e])
";

/// What is said about a description, all of it.
fn say(text: &str, expected: Expect) {
    let source = Source::new("t.rbg", text);
    let (_, diagnostics) = read(&source);
    let shown: Vec<String> = diagnostics.iter().map(|d| d.render(&source)).collect();
    expected.assert_eq(&shown.join("\n"));
}

/// What is said about rules.
fn say_rules(rules: &str, expected: Expect) {
    say(&format!("{HEAD}{rules}"), expected);
}

#[test]
fn unknown_names_are_answered_with_near_ones() {
    say_rules(
        "#rules = ->whit upp",
        expect![[r#"
            error[unknown-player]: no player `whit`
             --> t.rbg:5:12
              |
            5 | #rules = ->whit upp
              |            ^^^^ expected a player
              |
              = help: did you mean `white`?
            error[unknown-name]: no direction `upp`
             --> t.rbg:5:17
              |
            5 | #rules = ->whit upp
              |                 ^^^ expected an action
              |
              = help: did you mean `up`?"#]],
    );
    say_rules(
        "#rules = upp {pown}",
        expect![[r#"
            error[unknown-name]: no direction `upp`
             --> t.rbg:5:10
              |
            5 | #rules = upp {pown}
              |          ^^^ expected an action
              |
              = help: did you mean `up`?
            error[unknown-piece]: no piece `pown`
             --> t.rbg:5:15
              |
            5 | #rules = upp {pown}
              |               ^^^^ expected a piece
              |
              = help: did you mean `pawn`?"#]],
    );
    say_rules(
        "#anySquare = up*\n#rules = anySqare [$ trun = 1]",
        expect![[r#"
            error[unknown-name]: no direction `anySqare`
             --> t.rbg:6:10
              |
            6 | #rules = anySqare [$ trun = 1]
              |          ^^^^^^^^ expected an action
              |
              = help: did you mean `anySquare`?
            error[unknown-variable]: no variable `trun`
             --> t.rbg:6:22
              |
            6 | #rules = anySqare [$ trun = 1]
              |                      ^^^^ expected a variable or a player
              |
              = help: did you mean `turn`?"#]],
    );
    say_rules(
        "#rules = up [$ trun = 1]",
        expect![[r#"
        error[unknown-variable]: no variable `trun`
         --> t.rbg:5:16
          |
        5 | #rules = up [$ trun = 1]
          |                ^^^^ expected a variable or a player
          |
          = help: did you mean `turn`?"#]],
    );
    say_rules(
        "#rules = pawn",
        expect![[r#"
        error[not-an-action]: `pawn` is a piece, not an action
         --> t.rbg:5:10
          |
        5 | #rules = pawn
          |          ^^^^ expected an action
          |
          = help: write `{pawn}` to test for it, `[pawn]` to put it"#]],
    );
}

#[test]
fn messages_tell_which_macro_brought_the_text() {
    say_rules(
        "#put(p; d) = d [p~s]\n#both(p) = put(p; up) + up\n#rules = both(pawn)",
        expect![[r#"
        error[unknown-piece]: no piece `pawns`
         --> t.rbg:7:15
          |
        6 | #both(p) = put(p; up) + up
          |            --- in this use of `put`
        7 | #rules = both(pawn)
          |          ---- ^^^^ expected a piece
          |          |
          |          in this use of `both`
          |
          = help: did you mean `pawn`?"#]],
    );
    say_rules(
        "#put(p; d) = d [p]\n#rules = put(pawn)",
        expect![[r#"
        error[arguments]: no macro `put` takes 1 argument
         --> t.rbg:6:10
          |
        5 | #put(p; d) = d [p]
          |  --- defined here
        6 | #rules = put(pawn)
          |          ^^^ expected 2
          |
          = help: arguments are separated by `;`
        error[syntax]: this ends too early
         --> t.rbg:6:19
          |
        6 | #rules = put(pawn)
          |                   ^ expected an action"#]],
    );
    say_rules(
        "#put(p, d) = d [p]\n#rules = up",
        expect![[r#"
        error[parameter]: a parameter is one name
         --> t.rbg:5:6
          |
        5 | #put(p, d) = d [p]
          |      ^ expected a name
          |
          = help: parameters are separated by `;`"#]],
    );
}

#[test]
fn slips_of_syntax() {
    say_rules(
        "#rules = (up + ) down",
        expect![[r#"
        error[syntax]: unexpected `)`
         --> t.rbg:5:16
          |
        5 | #rules = (up + ) down
          |                ^ expected an action"#]],
    );
    say_rules(
        "#rules = (up down",
        expect![[r#"
        error[syntax]: this ends too early
         --> t.rbg:5:18
          |
        5 | #rules = (up down
          |          -       ^ expected `)` or an action
          |          |
          |          opened here"#]],
    );
    say_rules(
        "#rules = up) down",
        expect![[r#"
        error[syntax]: unexpected `)`
         --> t.rbg:5:12
          |
        5 | #rules = up) down
          |            ^ expected an action or the end of the rules
          |
          = help: this closes nothing: delete it, or open a bracket before it"#]],
    );
    say_rules(
        "#rules = {$ turn = 1}",
        expect![[r#"
        error[syntax]: unexpected `=`
         --> t.rbg:5:18
          |
        5 | #rules = {$ turn = 1}
          |                  ^ expected `==`, `!=`, `<`, `<=`, `>` or `>=`
          |
          = help: `=` assigns, `==` compares"#]],
    );
    say_rules(
        "#rules = { ! up}",
        expect![[r#"
            error[syntax]: unexpected `!`
             --> t.rbg:5:12
              |
            5 | #rules = { ! up}
              |            ^ expected a piece
              |
              = help: `{$`, `[$`, `{!` and `{?` are written without a blank inside"#]],
    );
    say_rules(
        "#rules = {? ->white up}",
        expect![[r#"
        error[switch-in-pattern]: a switch in a pattern
         --> t.rbg:5:13
          |
        5 | #rules = {? ->white up}
          |             ^^ patterns only look, they do not end a move"#]],
    );
    say_rules(
        "#rules = some_name",
        expect![[r#"
            error[stray-character]: `_` means nothing here
             --> t.rbg:5:14
              |
            5 | #rules = some_name
              |              ^
              |
              = help: names are letters and digits; write `someName` for `some_name`
            error[unknown-name]: no direction `some`
             --> t.rbg:5:10
              |
            5 | #rules = some_name
              |          ^^^^ expected an action
            error[unknown-name]: no direction `name`
             --> t.rbg:5:15
              |
            5 | #rules = some_name
              |               ^^^^ expected an action"#]],
    );
}

#[test]
fn boards() {
    say(
        "#players = a(1)\n#pieces = e\n#variables =\n#board = rectangle(u,d,l,r,[e,e][e])\n\
         #rules = u",
        expect![[r#"
            error[board-shape]: a row of 1 slot
             --> t.rbg:4:33
              |
            4 | #board = rectangle(u,d,l,r,[e,e][e])
              |                            -    ^ expected 2 as in the first row
              |                            |
              |                            the first row"#]],
    );
    say(
        "#players = a(1)\n#pieces = e\n#board = hexagon(a1,b1,c1,d1,e1,f1,[e][e,e][e,e])\n\
         #rule = a1",
        expect![[r#"
            error[missing-section]: there is no `#variables`
             --> t.rbg:4:11
              |
            4 | #rule = a1
              |           ^
              |
              = help: write `#variables =` where there are none
            error[missing-section]: there is no `#rules`
             --> t.rbg:4:11
              |
            4 | #rule = a1
              |           ^
              |
              = help: is `#rule` meant to be it?
            error[board-shape]: a row of 2 slots after one of 2
             --> t.rbg:3:44
              |
            3 | #board = hexagon(a1,b1,c1,d1,e1,f1,[e][e,e][e,e])
              |                                            ^ expected 3 or 1
              |
              = help: rows of a hexagon first grow by one slot each, then shrink by one each"#]],
    );
    say(
        "#players = a(1)\n#pieces = e\n#variables =\n#board = v[e]{go: w}\n#rules = go",
        expect![[r#"
        error[unknown-vertex]: no vertex `w`
         --> t.rbg:4:19
          |
        4 | #board = v[e]{go: w}
          |                   ^
          |
          = help: did you mean `v`?"#]],
    );
}

#[test]
fn sections() {
    say(
        "#players = a(0), a(1)\n#pieces = e, a\n#variables =\n#board = v[e]{go: v}\n#rules = go",
        expect![[r#"
            error[bound]: a player's greatest score is 0
             --> t.rbg:1:14
              |
            1 | #players = a(0), a(1)
              |              ^ expected at least 1
              |
              = help: scores are given as a share of the greatest one: write `(100)`
            error[duplicate-name]: `a` is declared twice
             --> t.rbg:1:18
              |
            1 | #players = a(0), a(1)
              |            -     ^ here as a player
              |            |
              |            and here as a player
            error[duplicate-name]: `a` is declared twice
             --> t.rbg:2:14
              |
            1 | #players = a(0), a(1)
              |            - and here as a player
            2 | #pieces = e, a
              |              ^ here as a piece"#]],
    );
    say(
        "rules",
        expect![[r#"
        error[no-directive]: a description begins with `#`
         --> t.rbg:1:1
          |
        1 | rules
          | ^^^^^ expected `#players`, `#pieces`, `#variables`, `#board`, `#rules` or a macro
        error[missing-section]: there is no `#players`
         --> t.rbg:1:6
          |
        1 | rules
          |      ^
          |
          = help: add `#players = ...`
        error[missing-section]: there is no `#pieces`
         --> t.rbg:1:6
          |
        1 | rules
          |      ^
          |
          = help: add `#pieces = ...`
        error[missing-section]: there is no `#variables`
         --> t.rbg:1:6
          |
        1 | rules
          |      ^
          |
          = help: write `#variables =` where there are none
        error[missing-section]: there is no `#board`
         --> t.rbg:1:6
          |
        1 | rules
          |      ^
          |
          = help: add `#board = ...`
        error[missing-section]: there is no `#rules`
         --> t.rbg:1:6
          |
        1 | rules
          |      ^
          |
          = help: add `#rules = ...`"#]],
    );
}

#[test]
fn macros_paste_overload_and_see_what_comes_before_them() {
    say_rules(
        "#late = up\n#step(x) = x~own\n#step(x; n) = (step(x))^n~0 late\n#name(x) = x~wn
#rules = step(d; 1) {name(pa)}",
        expect![],
    );
    say_rules(
        "#early = late\n#late = up\n#rules = early",
        expect![[r#"
    error[unknown-name]: no direction `late`
     --> t.rbg:5:10
      |
    5 | #early = late
      |          ^^^^ expected an action
    6 | #late = up
    7 | #rules = early
      |          ----- in this use of `early`
      |
      = help: `late` is a macro: use it in a later directive than its own, with all arguments"#]],
    );
}

#[test]
fn a_mistake_in_what_macros_paste_is_said_once() {
    say_rules(
        "#twice(x) = x x\n#rules = twice(upp) twice(up)",
        expect![[r#"
            error[unknown-name]: no direction `upp`
             --> t.rbg:6:16
              |
            6 | #rules = twice(upp) twice(up)
              |                ^^^ expected an action
              |
              = help: did you mean `up`?"#]],
    );
}

#[test]
fn all_unknown_names_are_told_at_once() {
    say_rules(
        "#rules = ->red upp(a; b) {pown, e} [$ trun = turm + 1] down",
        expect![[r#"
        error[unknown-player]: no player `red`
         --> t.rbg:5:12
          |
        5 | #rules = ->red upp(a; b) {pown, e} [$ trun = turm + 1] down
          |            ^^^ expected a player
        error[unknown-name]: no direction `upp`
         --> t.rbg:5:16
          |
        5 | #rules = ->red upp(a; b) {pown, e} [$ trun = turm + 1] down
          |                ^^^ expected an action
          |
          = help: did you mean `up`?
        error[unknown-piece]: no piece `pown`
         --> t.rbg:5:27
          |
        5 | #rules = ->red upp(a; b) {pown, e} [$ trun = turm + 1] down
          |                           ^^^^ expected a piece
          |
          = help: did you mean `pawn`?
        error[unknown-variable]: no variable `trun`
         --> t.rbg:5:39
          |
        5 | #rules = ->red upp(a; b) {pown, e} [$ trun = turm + 1] down
          |                                       ^^^^ expected a variable or a player
          |
          = help: did you mean `turn`?
        error[unknown-variable]: no variable `turm`
         --> t.rbg:5:46
          |
        5 | #rules = ->red upp(a; b) {pown, e} [$ trun = turm + 1] down
          |                                              ^^^^ expected a number, a variable, a player or a piece
          |
          = help: did you mean `turn`?"#]],
    );
}
