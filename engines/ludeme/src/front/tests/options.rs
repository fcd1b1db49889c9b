//! Options, rulesets, and text that is not part of the game.

use expect_test::{expect, expect_file};
use play::{CompileError, Language, Rules};

use super::check;
use crate::front::{Arg, Call, Kind, Label, Name, Word, expand_to_text, options, parse, tokens};

const GAME: &str = r#"
(define "Size" 4)
(game "T"
  (players 2)
  (equipment { (board <Board:shape>) (piece "Disc" Each <Disc>) })
  (rules
    <Start:rules>
    (play (move Add (to (sites Empty) <Filter:if>)))
    (end (if (is Line <Board:row>) (result Mover <Result>)))
  )
)
(option "Board Size" <Board> args:{ <shape> <row> }
  {
    (item "3x3" <(square 3)> <3> "Small.")
    (item "4x4" <(square "Size")> <4> "Larger; see (the end) > there.")*
    (item "Hex" <(hex 5)> <3 exact:True> "With \"six\" neighbours.")
  })
(option "Result" <Result> args:{ <kind> } { (item "Win" <Win> "")** (item "Loss" <Loss> "")* })
(option "Start" <Start> args:{ <rules> } { (item "Empty" <> "")
  (item "One" <(start (place "Disc1" 0))> "") })
(option "Filter" <Filter> args:{ <if> }
  { (item "Low" <if:(<= (to) 5)> "") (item "High" <if:(> (to) 5)> "")* })
(option "Disc" <Disc> args:{ <facing> } { (item "None" <> "") (item "North" <N> "") })
(rulesets {
  (ruleset "Ruleset/Classic" { "Board Size/3x3" "Result/Loss" } variations:{ "Start/One" })
  (ruleset "Ruleset/Modern" { "Board Size/Hex" })*
})
(metadata (info { (description "(option \"None\" <None>") }))
"#;

fn rules(chosen: &[&str]) -> Rules {
    let mut rules = Rules::new(Language::Lud, "t.lud", GAME);
    rules.options = chosen.iter().map(ToString::to_string).collect();
    rules
}

/// The text of the game with these options, on one line.
fn shape(chosen: &[&str]) -> String {
    let (text, diagnostics) = expand_to_text(&rules(chosen));
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn defaults_have_the_most_stars_or_come_first() {
    expect_file!["snapshots/options-chosen-1.lud"].assert_eq(&shape(&[]));
}

#[test]
fn options_are_chosen_by_heading_and_name_or_by_ruleset() {
    expect_file!["snapshots/options-chosen-2.lud"].assert_eq(&shape(&[
        "Board Size/Hex",
        "Start/One",
        "Disc/North",
    ]));
    assert_eq!(shape(&["Ruleset/Classic"]), shape(&["Board Size/3x3", "Result/Loss"]));
    assert_eq!(shape(&["Ruleset/Modern"]), shape(&["Board Size/Hex"]));
}

#[test]
fn options_can_be_listed() {
    let options = options(&rules(&["Result/Loss"]));
    let listed: Vec<String> = options
        .blocks
        .iter()
        .map(|block| {
            let items: Vec<&str> = block.items.iter().map(|item| item.name.as_str()).collect();
            format!("{} of {}", block.choice(), items.join(" "))
        })
        .collect();
    expect![[r#"
        Board Size/4x4 of 3x3 4x4 Hex
        Result/Loss of Win Loss
        Start/Empty of Empty One
        Filter/High of Low High
        Disc/None of None North"#]]
    .assert_eq(&listed.join("\n"));
    assert_eq!(options.rulesets.len(), 2);
    assert_eq!(options.blocks[0].items[1].description, "Larger; see (the end) > there.");
}

#[test]
fn unknown_options_are_refused() {
    let Err(CompileError::Invalid(diagnostics)) = parse(&rules(&["Board Size/5x5"])) else {
        panic!("it has no such option");
    };
    let source = rules(&[]).source;
    expect![[r#"
        error[unknown-option]: there is no option `Board Size/5x5`
          --> t.lud:12:1
           |
        12 | (option "Board Size" <Board> args:{ <shape> <row> }
           | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
           |
           = help: did you mean `Board Size/3x3`?
           = help: the options are:
                   Board Size/3x3
                   Board Size/4x4
                   Board Size/Hex
                   Result/Win
                   Result/Loss
                   Start/Empty
                   Start/One
                   Filter/Low
                   Filter/High
                   Disc/None
                   Disc/North
                   Ruleset/Classic
                   Ruleset/Modern"#]]
    .assert_eq(&diagnostics.iter().map(|d| d.render(&source)).collect::<String>());
}

/// The published size of Tic-Tac-Toe.
#[test]
fn sizes_count_calls_and_atoms() {
    let text = "(game \"T\" (players 2) (equipment { (board (square 3)) (piece \"O\" P1) \
        (piece \"X\" P2) })
        (rules (play (move Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Win)))))";
    let count = tokens(&Rules::new(Language::Lud, "t.lud", text)).expect("it expands");
    assert_eq!((count.tokens, count.with_arrays), (29, 30));
}

#[test]
fn what_the_language_has_and_we_lack_is_no_mistake() {
    let text = "(game \"T\" (players 2) (equipment { (board (mesh 3)) (piece \"Disc\" Each) })
        (rules (play (move Add (to (sites Empty)))) (end (if (is Full) (result Mover Win)))))";
    assert!(matches!(
        parse(&Rules::new(Language::Lud, "t.lud", text)),
        Err(CompileError::Unsupported(_))
    ));
    check(
        text,
        expect![[r#"
            error[unsupported-ludeme]: the ludeme `mesh` is not supported
             --> t.lud:1:43
              |
            1 | (game "T" (players 2) (equipment { (board (mesh 3)) (piece "Disc" Each) })
              |                                           ^^^^^^^^"#]],
    );
}

#[test]
fn arguments_are_found_by_label() {
    let parsed = parse(&rules(&["Start/One", "Disc/North"])).expect("it is accepted");
    let root = &parsed.root;
    assert_eq!(
        (root.name(), root.ludeme.kind(), root.text(Label::Title)),
        (Name::Game, Kind::Game, Some("T"))
    );
    assert_eq!(root.call(Label::Players).and_then(|players| players.int(Label::Count)), Some(2));
    assert!(!root.has(Label::Mode));

    let items = root.call(Label::Equipment).expect("mandatory").items(Label::Items);
    let names: Vec<Name> = items.iter().filter_map(Arg::as_call).map(Call::name).collect();
    assert_eq!(names, [Name::Board, Name::Piece]);
    let piece = items[1].as_call().expect("a call");
    assert_eq!(piece.text(Label::Name), Some("Disc"));
    assert_eq!(
        (piece.constant(Label::Role), piece.constant(Label::Facing)),
        (Some(Word::Each), Some(Word::N))
    );

    // One rule without braces is a list of one.
    let rules = root.call(Label::Rules).expect("mandatory");
    let start = rules.call(Label::Start).expect("chosen");
    assert_eq!(start.items(Label::Rules).len(), 1);
    assert!(start.arg(Label::Rules).is_some_and(|rules| !rules.is_array()));
    let end = &rules.call(Label::End).expect("mandatory").items(Label::Rules)[0];
    let condition = end.as_call().and_then(|end| end.call(Label::Condition)).expect("mandatory");
    assert_eq!((condition.name(), condition.int(Label::Length)), (Name::IsLine, Some(4)));
    assert!(condition.items(Label::Through).is_empty());
}

#[test]
fn blanks_at_the_ends_of_names_do_not_count() {
    let blank = GAME.replace("\"Board Size\"", "\"Board Size \"").replace("\"3x3\"", "\" 3x3\"");
    let chosen = |text: &str, name: &str| {
        let mut rules = Rules::new(Language::Lud, "t.lud", text);
        rules.options = vec![name.to_owned()];
        let options = options(&rules);
        assert!(parse(&rules).is_ok(), "{name}");
        options.blocks[0].choice()
    };
    for text in [GAME, &blank] {
        for name in ["Board Size/3x3", "Board Size /3x3", " Board  Size / 3x3 ", "Ruleset/Classic "]
        {
            assert_eq!(chosen(text, name), "Board Size/3x3", "{name}");
        }
    }
}

#[test]
fn what_names_nothing_is_left_out_with_a_warning() {
    let game = "(game \"T\" (players 2) (equipment { (board (square 3)) (piece \"Disc\" Each) \
        (map \"Entry\" {(pair P1 \"A2\") (pair P2 \"Z9\")}) }) \
        (rules (play (move Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Win)))))\n\
        (game \"Second\" (players 3))";
    let rules = Rules::new(Language::Lud, "t.lud", game);
    let found = crate::check(&rules);
    let said: Vec<(&str, bool)> = found.iter().map(|d| (d.code, d.is_error())).collect();
    assert_eq!(said, [("unknown-name", false), ("second-game", false)]);
}
