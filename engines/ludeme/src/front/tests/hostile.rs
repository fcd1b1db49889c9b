//! Texts made to upset a reader.

use play::{Language, Rules};

use crate::front::parse;
use crate::limits::MAX_DIAGNOSTICS;

/// The texts of several numbers, one after the other.
fn all(numbers: std::ops::Range<usize>, text: impl Fn(usize) -> String) -> String {
    numbers.map(text).collect::<Vec<_>>().concat()
}

/// The result of reading a text, which must come soon: the number of calls of an accepted text, or
/// the codes of errors.
fn answer(text: &str) -> Result<usize, Vec<&'static str>> {
    match parse(&Rules::new(Language::Lud, "t.lud", text)) {
        Ok(parsed) => Ok(parsed.root.args.len()),
        Err(error) => Err(error.diagnostics().iter().map(|d| d.code).collect()),
    }
}

/// The game of this file with another condition for its end, and with a text behind it.
fn ending(condition: &str, behind: &str) -> String {
    format!(
        "(game \"T\" (players 2) (equipment {{ (board (square 3)) (piece \"Disc\" Each) }})
        (rules (play (move Add (to (sites Empty)))) (end (if {condition} (result Mover Win)))))
        {behind}"
    )
}

#[test]
fn hostile_texts_come_to_an_end() {
    let doubling =
        all(1..60, |n| format!("(define \"A{n}\" (or (\"A{}\") (\"A{}\")))", n - 1, n - 1));
    assert_eq!(answer(&ending("(\"A59\")", &doubling)), Err(vec!["expansion-too-large"]));

    let nested = format!("{}x{}", "(\"D\" ".repeat(60), ")".repeat(60));
    assert_eq!(
        answer(&ending(&nested, "(define \"D\" (or #1 #1))")),
        Err(vec!["expansion-too-large"])
    );

    let strings = all(1..60, |n| format!("(define \"S{n}\" (\"S{}\" \"#1#1\"))", n - 1));
    let strings = format!("{strings}(define \"S0\" (is Proposed #1))");
    assert_eq!(answer(&ending("(\"S59\" ab)", &strings)), Err(vec!["expansion-too-large"]));

    let options = all(0..40, |n| {
        format!(
            "(option \"O{n}\" <T{n}> args:{{<x>}} {{(item \"a\" <(or <T{0}> <T{0}>)> \"\")}})",
            n + 1
        )
    });
    assert!(answer(&ending("<T0>", &options)).is_err());

    let words = "<".repeat(300_000);
    assert!(answer(&ending(&words, &options)).is_err());
    assert!(answer(&ending(&"<T1>".repeat(50_000), &options)).is_err());
}

#[test]
fn depth_is_no_danger() {
    let deep = format!("{}(is Full){}", "(not ".repeat(240), ")".repeat(240));
    assert!(answer(&ending(&deep, "")).is_ok());
    let deeper = format!("{}(is Full){}", "(not ".repeat(300), ")".repeat(300));
    assert_eq!(answer(&ending(&deeper, "")), Err(vec!["too-deep"]));
    // Macros can nest deeper than the text does.
    let chain =
        all(1..90, |n| format!("(define \"N{n}\" (not (not (not (not (\"N{}\"))))))", n - 1));
    let chain = format!("{chain}(define \"N0\" (is Full))");
    assert_eq!(answer(&ending("(\"N89\")", &chain)), Err(vec!["too-deep"]));
    assert!(answer(&ending("(\"N40\")", &chain)).is_ok());
}

#[test]
fn width_is_no_danger() {
    let wide = format!("(sites {})", "Top ".repeat(50_000));
    assert_eq!(answer(&ending(&format!("(is In {wide})"), "")), Err(vec!["surplus-argument"]));
    let wrong = format!("(or {{ {} }})", "(is Fulll) ".repeat(50_000));
    assert_eq!(answer(&ending(&wrong, "")).map_err(|codes| codes.len()), Err(MAX_DIAGNOSTICS));
    let names = all(0..5000, |n| format!("(is Proposed \"x{n}\")"));
    assert!(answer(&ending(&format!("(or {{ {names} }})"), "")).is_ok());
}
