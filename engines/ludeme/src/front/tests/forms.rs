//! Forms of the language: those that the grammar has are accepted, and those that it lacks are not
//! reported as mistakes.

use play::{CompileError, Language, Rules};

use super::*;

fn parsed(play: &str, end: &str) -> Result<Parsed, CompileError> {
    let text = format!(
        "(game \"T\" (players 2)
            (equipment {{ (board (square 3)) (piece \"Disc\" Each) }})
            (rules (play {play}) (end (if {end} (result Mover Win)))))"
    );
    parse(&Rules::new(Language::Lud, "t.lud", text))
}

#[test]
fn rare_forms_are_read() {
    for (play, end) in [
        ("(move Pass)", "(= 6 (* (array {1 2 3})))"),
        ("(move Pass)", "(= 6 (* {1 2 3}))"),
        ("(move Pass)", "(no Pieces of:(player))"),
        ("(move Pass)", "(= 1 (edge 0 1))"),
        ("(move Pass)", "(= 1 (cost at:3))"),
        ("(move Pass)", "(= 1 (cost Vertex of:3))"),
        ("(move Pass (then (forEach Site (sites Board) (apply (remove (site))))))", "(is Full)"),
        ("(\"HopStackEnemyCaptureTop\" (from if:(is Even (from))) Diagonal ~)", "(is Full)"),
        ("(\"HopStackEnemyCaptureTopDistance\" (from) Diagonal (then (moveAgain)))", "(is Full)"),
    ] {
        if let Err(error) = parsed(play, end) {
            panic!("{play} {end}: {error:?}");
        }
    }
}

/// Ludemes of the language, combined in ways that the language does not allow.
#[test]
fn ludemes_in_wrong_places_are_mistakes() {
    for end in [
        // Too many arguments, all of them right by themselves.
        "(is Full (sites Top))",
        // An argument of another ludeme.
        "(is Full exact:True)",
        // A part of the language in a place where another part is wanted.
        "(is Empty (sites Top))",
    ] {
        match parsed("(move Pass)", end) {
            Err(CompileError::Invalid(found)) => {
                assert_eq!(found.len(), 1, "{end}");
                assert!(found[0].span.start > 0, "{end} has a place");
            }
            other => panic!("{end}: {other:?}"),
        }
    }
}

#[test]
fn what_the_language_lacks_is_a_mistake() {
    for end in [
        "(is Fool)",
        "(is Full (sitez Top))",
        "(is Full exacct:True)",
        "(is Line)",
        "(is Empty \"Top\")",
        "(or (is Full (sites Top)) (is Fool))",
    ] {
        let result = parsed("(move Pass)", end);
        assert!(matches!(result, Err(CompileError::Invalid(_))), "{end}: {result:?}");
    }
}

#[test]
fn text_outside_of_the_game_is_left_out() {
    let game = "(game \"T\" (players 2) (equipment { (board (square 3)) (piece \"Disc\" Each) })
        (rules (play (move Pass)) (end (if (is Full) (result Mover Win)))))";
    let text = format!("{game}\n(sites Top)");
    let parsed = parse(&Rules::new(Language::Lud, "t.lud", text)).expect("a game");
    assert_eq!(parsed.warnings.len(), 1);
    assert_eq!(parsed.warnings[0].code, "stray-text");
    // Text that a surplus bracket cuts off from the game is missing there.
    let cut = "(game \"T\" (players 2)) (equipment { (board (square 3)) })";
    let result = parse(&Rules::new(Language::Lud, "t.lud", cut));
    assert!(matches!(result, Err(CompileError::Invalid(_))), "{result:?}");
}

#[test]
fn a_game_that_ends_after_its_equipment_has_rules() {
    let board = "(game \"T\" (players 2) (equipment { (board (square 3)) }))";
    let parsed = parse(&Rules::new(Language::Lud, "t.lud", board)).expect("a game");
    assert_eq!(parsed.warnings.len(), 1);
    assert_eq!(parsed.warnings[0].code, "no-rules");
    assert_eq!(parsed.root.call(Label::Equipment).expect("mandatory").items(Label::Items).len(), 2);
    // Rules in another place are missing in the game.
    let cut = format!("{board} (rules (play (move Pass)) (end (if (is Full) (result Mover Win))))");
    let result = parse(&Rules::new(Language::Lud, "t.lud", cut));
    assert!(matches!(result, Err(CompileError::Invalid(_))), "{result:?}");
}
