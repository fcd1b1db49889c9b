//! The answers of the engine to names, and to words that are no name.

use bitboard::{BitboardEngine, modules};
use play::{CompileError, Compiled, Engine, Language, Limits, Rules};

fn compile(rules: &Rules) -> Result<Compiled, CompileError> {
    BitboardEngine::new().compile(rules, &Limits::default())
}

fn refusal(rules: &Rules) -> String {
    match compile(rules) {
        Err(CompileError::Unavailable(text)) => text,
        other => panic!("{other:?}"),
    }
}

#[test]
fn modules_are_found_by_name_and_sorted() {
    let names: Vec<&str> = modules().collect();
    assert!(names.is_sorted_by(|a, b| a < b), "{names:?}");
    for name in names {
        let rules = Rules::new(Language::Bitboard, name, format!(" {name}\n"));
        assert!(compile(&rules).is_ok(), "{name}");
    }
}

#[test]
fn names_that_there_are_not_are_answered_with_near_ones() {
    let unknown = |name: &str| refusal(&Rules::new(Language::Bitboard, "x", name));
    assert_eq!(
        unknown("conect-4-6x7"),
        "no hand-coded game is called `conect-4-6x7`: did you mean `connect-4-6x7` or \
         `connect-4-12x9`?"
    );
    assert_eq!(unknown("go"), "no hand-coded game is called `go`");
    assert!(unknown(&"hex".repeat(10_000)).len() < 200);
}

#[test]
fn descriptions_and_options_are_refused() {
    assert_eq!(
        refusal(&Rules::new(Language::Lud, "x.lud", "(game)")),
        "hand-coded games cannot be made from a .lud file"
    );
    let mut rules = Rules::new(Language::Bitboard, "x", "queens-8");
    rules.options.push("Board/9x9".to_owned());
    assert_eq!(refusal(&rules), "hand-coded games have no options such as `Board/9x9`");
}
