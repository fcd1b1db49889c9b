//! What the front end says about sheets with faults, as a person sees it.

use expect_test::{Expect, expect, expect_file};
use text::Source;

/// Renders all diagnostics of a sheet.
fn said(sheet: &str) -> String {
    let source = Source::new("x.kif", sheet);
    let shown: Vec<String> =
        gdl::check(&source).diagnostics.iter().map(|d| d.render(&source)).collect();
    shown.join("\n\n")
}

fn check(sheet: &str, expected: Expect) {
    expected.assert_eq(&said(sheet));
}

/// A sheet that lacks nothing, with more lines.
fn with(lines: &str) -> String {
    format!(
        "(role white) (role black)\n(init (cell 1 1 b))\n(<= (legal ?p noop) (role ?p))\n\
         (<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)))\n(<= terminal (true (cell 1 1 x)))\n\
         (goal white 50) (goal black 50)\n{lines}"
    )
}

#[test]
fn a_sound_sheet_has_nothing_to_remark() {
    check(&with("(<= (next (cell 1 1 x)) (does white noop))"), expect![[r#""#]]);
}

#[test]
fn unsafe_rules_name_the_variable_and_who_needs_it() {
    expect_file!["snapshots/diagnostics-unsafe-rules-name-the-variable.txt"].assert_eq(&said(
        &with(
            "(<= (next (cell ?row ?y x)) (true (cell ?rwo ?y b)))\n\
             (<= (next (cell 1 2 x)) (true (cell ?x ?y b)) (not (true (cell ?y ?z b))))\n\
             (<= (next (cell 1 3 x)) (true (cell ?x ?y b)) (distinct ?x ?w))\n\
             (init (cell ?x 1 b))",
        ),
    ));
}

#[test]
fn or_reports_a_fault_of_all_its_cases_once() {
    check(
        &with("(<= (next (cell ?x 1 x)) (or (true (cell 1 1 b)) (true (cell 1 1 x))))"),
        expect![[r#"
            error[unsafe-rule]: the variable `?x` is not bound by any positive literal of the body
             --> x.kif:7:17
              |
            7 | (<= (next (cell ?x 1 x)) (or (true (cell 1 1 b)) (true (cell 1 1 x))))
              |                 ^^ needed for the head
              |
              = help: add a literal to the body that says which values `?x` can have"#]],
    );
}

#[test]
fn negation_cycles_are_walked_through() {
    check(
        &with(
            "(<= (win ?x) (true (cell ?x ?y b)) (not (lose ?x)))\n\
             (<= (lose ?x) (true (cell ?x ?y b)) (draw ?x))\n\
             (<= (draw ?x) (true (cell ?x ?y b)) (win ?x))\n\
             (<= (goal white 100) (win 1))",
        ),
        expect![[r#"
            error[negation-cycle]: `win` depends on its own negation
             --> x.kif:7:41
              |
            7 | (<= (win ?x) (true (cell ?x ?y b)) (not (lose ?x)))
              |                                         ^^^^^^^^^ `win` needs this not to hold
            8 | (<= (lose ?x) (true (cell ?x ?y b)) (draw ?x))
              |                                     --------- `lose` needs `draw` here
            9 | (<= (draw ?x) (true (cell ?x ?y b)) (win ?x))
              |                                     -------- `draw` needs `win` here
              |
              = help: the cycle: `win` needs `(not lose)`, `lose` needs `draw`, `draw` needs `win`
              = help: rules must be stratified: no relation may depend on its own negation"#]],
    );
}

#[test]
fn negation_kept_apart_by_values_is_accepted() {
    check(
        &with(
            "(<= (goal white 100) (true (cell 1 1 x)))\n\
             (<= (goal white 0) (not (goal white 100)))",
        ),
        expect![[r#"
warning[stratified-by-value]: `goal` depends on its own negation, though with other arguments
 --> x.kif:8:25
  |
8 | (<= (goal white 0) (not (goal white 100)))
  |                         ^^^^^^^^^^^^^^^^ accepted, as no cycle goes through the same values"#]],
    );
}

#[test]
fn numbers_of_arguments_are_compared() {
    check(
        &with(
            "(<= (row ?x ?c) (true (cell ?x 1 ?c)) (true (cell ?x 2 ?c)))\n\
             (<= terminal (row 1))\n\
             (<= terminal (role white black))\n\
             (<= (goal white) (row 1 x))\n\
             (line 1) (line 1 2)\n\
             (<= terminal (line 1) (line 1 2) (true (cell 1 2)))\n\
             (<= terminal (not (row 1 x) (row 2 x)) (distinct 1))",
        ),
        expect![[r#"
            error[wrong-arity]: `row` is used with 1 argument here, but defined with 2
             --> x.kif:8:14
              |
            7 | (<= (row ?x ?c) (true (cell ?x 1 ?c)) (true (cell ?x 2 ?c)))
              |     ----------- defined with 2 arguments here
            8 | (<= terminal (row 1))
              |              ^^^^^^^ expected 2 arguments

            error[wrong-arity]: `role` takes one argument, not 2
             --> x.kif:9:14
              |
            9 | (<= terminal (role white black))
              |              ^^^^^^^^^^^^^^^^^^ expected `(role player)`

            error[wrong-arity]: `goal` takes two arguments, not 1
              --> x.kif:10:5
               |
            10 | (<= (goal white) (row 1 x))
               |     ^^^^^^^^^^^^ expected `(goal player value)`

            warning[two-arities]: `line` is defined with 1 argument and with 2
              --> x.kif:11:10
               |
            11 | (line 1) (line 1 2)
               | -------- ^^^^^^^^^^ 2 arguments here
               | |
               | 1 argument here
               |
               = help: they are taken for two relations; give one of them another name

            warning[undefined-fluent]: no `init` or `next` makes `(cell ...)` true
              --> x.kif:12:40
               |
             2 | (init (cell 1 1 b))
               | ------------------- with 3 arguments here
            ...
            12 | (<= terminal (line 1) (line 1 2) (true (cell 1 2)))
               |                                        ^^^^^^^^^^ expected 3 arguments, found 2

            error[wrong-arity]: `not` takes one literal, not 2
              --> x.kif:13:14
               |
            13 | (<= terminal (not (row 1 x) (row 2 x)) (distinct 1))
               |              ^^^^^^^^^^^^^^^^^^^^^^^^^ expected one literal

            error[wrong-arity]: `distinct` takes two terms, not 1
              --> x.kif:13:40
               |
            13 | (<= terminal (not (row 1 x) (row 2 x)) (distinct 1))
               |                                        ^^^^^^^^^^^^ expected two terms"#]],
    );
}

#[test]
fn misspelt_names_are_recognised() {
    check(
        &with(
            "(<= (opne ?x) (true (cell ?x 1 b)))\n\
             (<= terminal (open 1))\n\
             (<= terminal (tru (cell 1 1 x)))\n\
             (<= terminal (true (cel 1 1 x)))\n\
             (<= (next (cell 1 1 o)) (does white nop))\n\
             (<= terminal (not (unknown 1)))",
        ),
        expect![[r#"
            warning[unused-relation]: nothing uses `opne`
             --> x.kif:7:5
              |
            7 | (<= (opne ?x) (true (cell ?x 1 b)))
              |     ^^^^^^^^^ defined here, asked for nowhere
              |
              = help: did you mean `open`?

            warning[undefined-relation]: nothing defines `open`
             --> x.kif:8:14
              |
            8 | (<= terminal (open 1))
              |              ^^^^^^^^ so this never holds
              |
              = help: did you mean `opne`?

            warning[undefined-relation]: nothing defines `tru`
             --> x.kif:9:14
              |
            9 | (<= terminal (tru (cell 1 1 x)))
              |              ^^^^^^^^^^^^^^^^^^ so this never holds
              |
              = help: did you mean `true`?

            warning[undefined-fluent]: no `init` or `next` makes `(cel ...)` true
              --> x.kif:10:20
               |
            10 | (<= terminal (true (cel 1 1 x)))
               |                    ^^^^^^^^^^^ so this never holds
               |
               = help: did you mean `cell`?

            warning[undefined-fluent]: no `legal` allows `nop`
              --> x.kif:11:37
               |
            11 | (<= (next (cell 1 1 o)) (does white nop))
               |                                     ^^^ so this never holds
               |
               = help: did you mean `noop`?

            warning[undefined-relation]: nothing defines `unknown`
              --> x.kif:12:19
               |
            12 | (<= terminal (not (unknown 1)))
               |                   ^^^^^^^^^^^ so this always holds"#]],
    );
}

#[test]
fn a_sheet_must_say_who_plays_and_what_they_may_do() {
    check(
        "(rol white)\n(<= (legl ?p noop) (rol ?p))\n(init on)",
        expect![[r#"
            warning[unused-relation]: nothing uses `legl`
             --> x.kif:2:5
              |
            2 | (<= (legl ?p noop) (rol ?p))
              |     ^^^^^^^^^^^^^^ defined here, asked for nowhere
              |
              = help: did you mean `legal`?

            error[missing-relation]: the sheet never says anything about `role`
             --> x.kif:3:10
              |
            3 | (init on)
              |          ^ expected `role` somewhere above
              |
              = help: was `rol` meant to be `role`?
              = help: add a fact such as `(role white)` for each player

            error[missing-relation]: the sheet never says anything about `legal`
             --> x.kif:3:10
              |
            3 | (init on)
              |          ^ expected `legal` somewhere above
              |
              = help: was `legl` meant to be `legal`?
              = help: say what players may do, such as `(<= (legal ?p noop) (role ?p))`

            warning[missing-relation]: the sheet never says anything about `next`
             --> x.kif:3:10
              |
            3 | (init on)
              |          ^ expected `next` somewhere above
              |
              = help: say what is true after a step, such as `(<= (next p) (true q))`

            warning[missing-relation]: the sheet never says anything about `terminal`
             --> x.kif:3:10
              |
            3 | (init on)
              |          ^ expected `terminal` somewhere above
              |
              = help: say when the game ends, such as `(<= terminal (true over))`

            warning[missing-relation]: the sheet never says anything about `goal`
             --> x.kif:3:10
              |
            3 | (init on)
              |          ^ expected `goal` somewhere above
              |
              = help: say what players get, such as `(<= (goal ?p 100) (won ?p))`"#]],
    );
}

#[test]
fn reserved_relations_stay_in_their_places() {
    check(
        &with(
            "(<= (true (cell 2 2 b)) (role white))\n\
             (does white noop)\n\
             (not (cell 1 1))\n\
             (<= (init (cell 2 2 b)) (true (cell 1 1 b)))\n\
             (<= over (does white noop))\n\
             (<= ended over)\n\
             (<= terminal ended)\n\
             (<= (base (cell ?x ?y b)) (true (cell ?x ?y b)))\n\
             (goal black 4294967296)",
        ),
        expect![[r#"
error[reserved-head]: `true` cannot be the head of a rule or a fact
 --> x.kif:7:5
  |
7 | (<= (true (cell 2 2 b)) (role white))
  |     ^^^^^^^^^^^^^^^^^^^ asserted here
  |
  = help: what is true follows from `init` and `next`

error[reserved-head]: `does` cannot be the head of a rule or a fact
 --> x.kif:8:1
  |
8 | (does white noop)
  | ^^^^^^^^^^^^^^^^^ asserted here
  |
  = help: what players do is theirs to choose; say what they may with `legal`

error[reserved-head]: `not` cannot be the head of a rule or a fact
 --> x.kif:9:1
  |
9 | (not (cell 1 1))
  | ^^^^^^^^^^^^^^^^ asserted here
  |
  = help: only a relation can be asserted

error[dependency]: `init` may not depend on `true`
  --> x.kif:10:25
   |
10 | (<= (init (cell 2 2 b)) (true (cell 1 1 b)))
   |                         ^^^^^^^^^^^^^^^^^^^ `true` is not known when `init` is asked for

error[dependency]: `terminal` may not depend on `does`
  --> x.kif:11:10
   |
11 | (<= over (does white noop))
   |          ^^^^^^^^^^^^^^^^^ `does` is not known when `terminal` is asked for
12 | (<= ended over)
   |           ---- `ended` needs `over` here
13 | (<= terminal ended)
   |              ----- `terminal` needs `ended` here

warning[dependency]: `base` may not depend on `true`
  --> x.kif:14:27
   |
14 | (<= (base (cell ?x ?y b)) (true (cell ?x ?y b)))
   |                           ^^^^^^^^^^^^^^^^^^^^^ `true` is not known when `base` is asked for

warning[goal-value]: this goal value cannot be scored
  --> x.kif:15:13
   |
15 | (goal black 4294967296)
   |             ^^^^^^^^^^ expected an integer of 32 bits"#]],
    );
}

#[test]
fn recursion_that_builds_terms_without_bound_is_remarked() {
    check(
        &with(
            "(number zero)\n\
             (<= (number (s ?n)) (number ?n))\n\
             (<= terminal (number (s zero)))\n\
             (<= (path ?x ?z) (path ?x ?y) (path ?y ?z))\n\
             (<= (path ?x ?y) (true (cell ?x ?y b)))\n\
             (<= terminal (path 1 2))",
        ),
        expect![[r#"
            warning[recursion]: this recursion may go on without end
             --> x.kif:8:29
              |
            8 | (<= (number (s ?n)) (number ?n))
              |     ---------------         ^^ nothing bounds this argument
              |     |
              |     each round can build a larger term here
              |
              = help: bound it by a positive literal that does not depend on this rule"#]],
    );
}

#[test]
fn what_is_no_sentence() {
    expect_file!["snapshots/diagnostics-what-is-no-sentence.txt"].assert_eq(&said(&with(
        "() <= (<= ) (?x a) ((a) b) (<= (foo) (<= (a) (b)))\n\
             (<= terminal ?x) (<= terminal () (true ()) (true (?f x)) (or))",
    )));
}

#[test]
fn quirks_of_public_sheets_are_accepted() {
    check(
        &with(
            "(open)\n(<= terminal (open))\n(<= terminal (open))\n(<= (closed 1))\n\
             (<= terminal (closed 1) (distinct (f) g))\n\
             (<= (next (p)) (role ?x) (not (distinct ?x ?x)))\n\
             (<= (next q) (not (distinct a b)) open)\n(<= (input ?r go) (plays ?q))\n\
             (plays white)\n)) ; enough",
        ),
        expect![[r#"
            warning[needless-brackets]: brackets without arguments
             --> x.kif:7:1
              |
            7 | (open)
              | ^^^^^^ usually written `open`

            warning[needless-brackets]: brackets without arguments
             --> x.kif:8:14
              |
            8 | (<= terminal (open))
              |              ^^^^^^ usually written `open`

            warning[duplicate]: this is said twice
             --> x.kif:9:1
              |
            8 | (<= terminal (open))
              | -------------------- first said here
            9 | (<= terminal (open))
              | ^^^^^^^^^^^^^^^^^^^^ again here

            warning[needless-brackets]: brackets without arguments
             --> x.kif:9:14
              |
            9 | (<= terminal (open))
              |              ^^^^^^ usually written `open`

            warning[rule-without-body]: a rule without a body is a fact
              --> x.kif:10:2
               |
            10 | (<= (closed 1))
               |  ^^ ---------- this holds always
               |  |
               |  could be left out

            warning[needless-brackets]: brackets without arguments
              --> x.kif:11:35
               |
            11 | (<= terminal (closed 1) (distinct (f) g))
               |                                   ^^^ usually written `f`

            warning[needless-brackets]: brackets without arguments
              --> x.kif:12:11
               |
            12 | (<= (next (p)) (role ?x) (not (distinct ?x ?x)))
               |           ^^^ usually written `p`

            warning[dead-rule]: this rule can never apply
              --> x.kif:13:5
               |
            13 | (<= (next q) (not (distinct a b)) open)
               |     ^^^^^^^^ its body contradicts itself

            warning[unsafe-rule]: the variable `?r` is not bound by any positive literal of the body
              --> x.kif:14:12
               |
            14 | (<= (input ?r go) (plays ?q))
               |            ^^ needed for the head
               |
               = help: add a literal to the body that says which values `?r` can have
               = help: the rule is left out, as nothing needs it

            warning[surplus-bracket]: `)` without an opening bracket at the end of the sheet
              --> x.kif:16:1
               |
            16 | )) ; enough
               | ^ ignored
               |
               = help: delete it, or open a bracket before it

            warning[surplus-bracket]: `)` without an opening bracket at the end of the sheet
              --> x.kif:16:2
               |
            16 | )) ; enough
               |  ^ ignored
               |
               = help: delete it, or open a bracket before it"#]],
    );
    check(
        "(\n(role white)\n(init on)\n(legal white noop)\n(<= (next on) (true on))\n\
         (<= terminal (true off))\n(goal white 0)\n)",
        expect![[r#"
            warning[bracketed-sheet]: the whole sheet stands in brackets
             --> x.kif:1:1
              |
            1 | (
              | ^ ignored, with its closing bracket

            warning[undefined-fluent]: no `init` or `next` makes `off` true
             --> x.kif:6:20
              |
            6 | (<= terminal (true off))
              |                    ^^^ so this never holds"#]],
    );
}

#[test]
fn too_many_cases_are_refused() {
    let or = "(or (true (cell 1 1 b)) (true (cell 1 2 b)) (true (cell 1 3 b)))";
    let body = [or; 9].join(" ");
    let source = Source::new("x.kif", with(&format!("(<= terminal {body})")));
    let codes: Vec<&str> = gdl::check(&source).diagnostics.iter().map(|d| d.code).collect();
    assert!(codes.contains(&"too-many-cases"), "{codes:?}");
}

#[test]
fn messages_are_bounded() {
    let lines: String = (0..5000).map(|i| format!("(<= (a{i} ?x) (b{i} ?y))\n")).collect();
    let source = Source::new("x.kif", with(&lines));
    let checked = gdl::check(&source);
    assert!(checked.program.is_none());
    assert_eq!(checked.diagnostics.len(), 100);
}

#[test]
fn what_cannot_be_scored_is_remarked_and_negative_payoffs_are_not() {
    expect_file!["snapshots/diagnostics-what-cannot-be-scored-is.txt"].assert_eq(&said(&with(
        "(goal white -1000) (goal black +7) (goal white 2.5) (goal black (minus 1))",
    )));
}

#[test]
fn percepts_of_nobody_are_remarked() {
    check(
        &with(
            "(role random)\n(<= (sees whitte move) (does black noop))\n\
             (<= (sees random ?x) (does white ?x))\n(<= (sees ?p move) (role ?p))\n\
             (sees whitte again) (sees black always)",
        ),
        expect![[r#"
            warning[sees-nobody]: `random` is nature, which perceives nothing
             --> x.kif:9:11
              |
            9 | (<= (sees random ?x) (does white ?x))
              |           ^^^^^^ ignored
              |
              = help: name a player here (`white`, `black`), or leave the rule out

            warning[sees-nobody]: `whitte` is no role, so nobody perceives this
              --> x.kif:11:7
               |
            11 | (sees whitte again) (sees black always)
               |       ^^^^^^ ignored
               |
               = help: did you mean `white`?
               = help: name a player here (`white`, `black`), or leave the rule out"#]],
    );
}
