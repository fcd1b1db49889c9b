//! What is said of mistakes, and that hostile texts come to an end.

mod calls;
mod forms;
mod hostile;
mod old;
mod options;
mod texts;

use expect_test::Expect;
use play::{CompileError, Language, Rules};

use super::*;

/// The game in which most mistakes are made, one at a time.
const GAME: &str = r#"(game "T"
  (players 2)
  (equipment { (board (square 3)) (piece "Disc" Each) })
  (rules
    (play (move Add (to (sites Empty))))
    (end (if (is Line 3) (result Mover Win)))
  )
)"#;

/// [`GAME`] with another text as the line of this number.
fn with_line(number: usize, text: &str) -> String {
    let mut lines: Vec<&str> = GAME.lines().collect();
    lines[number - 1] = text;
    lines.join("\n")
}

/// [`check`] of [`with_line`].
fn check_line(number: usize, text: &str, expected: Expect) {
    check(&with_line(number, text), expected);
}

/// As [`said`] of [`with_line`].
fn said_of_line(number: usize, text: &str) -> String {
    said(&with_line(number, text))
}

/// The text of all diagnostics, warnings of accepted texts among them.
fn said(text: &str) -> String {
    let rules = Rules::new(Language::Lud, "t.lud", text);
    let diagnostics = match parse(&rules) {
        Ok(parsed) => parsed.warnings,
        Err(CompileError::Invalid(all) | CompileError::Unsupported(all)) => all,
        Err(other) => panic!("{other:?}"),
    };
    let all: Vec<String> = diagnostics.iter().map(|d| d.render(&rules.source)).collect();
    all.join("\n")
}

/// What is said is compared.
fn check(text: &str, expected: Expect) {
    expected.assert_eq(&said(text));
}
