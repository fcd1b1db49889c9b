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

/// [`check`] of [`GAME`] with another text as the line of this number.
fn check_line(number: usize, text: &str, expected: Expect) {
    let mut lines: Vec<&str> = GAME.lines().collect();
    lines[number - 1] = text;
    check(&lines.join("\n"), expected);
}

/// The text of all diagnostics, warnings of accepted texts among them, is compared.
fn check(text: &str, expected: Expect) {
    let rules = Rules::new(Language::Lud, "t.lud", text);
    let diagnostics = match parse(&rules) {
        Ok(parsed) => parsed.warnings,
        Err(CompileError::Invalid(all) | CompileError::Unsupported(all)) => all,
        Err(other) => panic!("{other:?}"),
    };
    let all: Vec<String> = diagnostics.iter().map(|d| d.render(&rules.source)).collect();
    expected.assert_eq(&all.join("\n"));
}
