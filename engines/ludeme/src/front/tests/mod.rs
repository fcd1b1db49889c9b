//! Tests of the messages about mistakes, and of the end of hostile texts.

mod forms;
mod hostile;
mod modern;
mod options;

use expect_test::{Expect, expect_file};
use play::{CompileError, Language, Rules};

use super::*;

/// The game that the mistakes are made in, one at a time.
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

/// The text of all diagnostics, those of accepted texts included.
fn said(text: &str) -> String {
    let rules = Rules::new(Language::Lud, "t.lud", text);
    let diagnostics = match parse(&rules) {
        Ok(parsed) => parsed.warnings,
        Err(CompileError::Invalid(diagnostics) | CompileError::Unsupported(diagnostics)) => {
            diagnostics
        }
        Err(error) => panic!("{error:?}"),
    };
    let messages: Vec<String> = diagnostics.iter().map(|d| d.render(&rules.source)).collect();
    messages.join("\n")
}

/// Compares the messages.
fn check(text: &str, expected: Expect) {
    expected.assert_eq(&said(text));
}

#[test]
fn mistakes_are_explained() {
    for (name, cases) in [
        ("calls", include_str!("mistakes/calls.txt")),
        ("old", include_str!("mistakes/old.txt")),
        ("texts", include_str!("mistakes/texts.txt")),
    ] {
        let answered = text::cases::answered(cases, |text| {
            match text.strip_prefix('@').and_then(|line| line.split_once(' ')) {
                Some((number, line)) => said(&with_line(number.parse().expect("a line"), line)),
                None => said(text),
            }
        });
        expect_file![format!("mistakes/{name}.txt")].assert_eq(&answered);
    }
}

#[test]
fn lines_end_in_any_of_the_three_ways() {
    let faulty = GAME.replace("(play", "// a comment, and a fault behind it\n    (plya");
    assert!(said(&faulty).contains("t.lud:"), "{}", said(&faulty));
    for text in [GAME, &faulty] {
        for other in text::cases::other_line_ends(text) {
            assert_eq!(said(&other), said(text), "{other:?}");
        }
    }
    let wide: Vec<u8> = GAME.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let said = said(&String::from_utf8_lossy(&wide));
    assert!(said.contains("UTF-16") && said.matches("error").count() == 1, "{said}");
}
