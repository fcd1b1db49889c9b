//! Descriptions in the syntax of 2019, rewritten.

use super::*;
use crate::checks::files::catalogue;
use crate::front::grammar::grammar;
use expect_test::expect;

/// The first figure of the first paper.
const OLD: &str = r#"(game "Tic-Tac-Toe"
  (mode {(player "P1")(player "P2")})
  (equipment
    {(board "Board" (square 3))}
    {(disc "O" 1) (cross "X" 2)}
  )
  (rules
    (play (to Mover (empty)))
    (end (line 3)(result Mover win))
  )
)"#;

fn rewritten(text: &str) -> String {
    let rules = Rules::new(Language::Lud, "t.lud", text);
    let (text, changes, diagnostics) = modernised(&rules);
    let mut said = format!("{text}\n");
    for Change { span, then, now } in changes {
        said += &format!("{}: {then}\n  {now}\n", rules.source.position(span.start));
    }
    diagnostics.iter().for_each(|one| said += &format!("{}\n", one.one_line(&rules.source)));
    said
}

#[test]
fn the_syntax_of_2019_is_rewritten() {
    expect![[r#"
        (game
            "Tic-Tac-Toe"
            (players 2)
            (equipment {(board (square 3)) (piece "O" P1) (piece "X" P2)})
            (rules (play (move Add (to (sites Empty)))) (end (if (is Line 3) (result Mover win))))
        )
        2:3: (mode {(player "P1") (player "P2")})
          (players 2)
        3:3: (equipment {(board "Board" (square 3))} {(disc "O" 1) (cross "X" 2)})
          (equipment {(board "Board" (square 3)) (disc "O" 1) (cross "X" 2)})
        4:6: (board "Board" (square 3))
          (board (square 3))
        5:6: (disc "O" 1)
          (piece "O" P1)
        5:19: (cross "X" 2)
          (piece "X" P2)
        8:11: (to Mover (empty))
          (move Add (to (empty)))
        8:21: (empty)
          (sites Empty)
        9:5: (end (line 3) (result Mover win))
          (end (if (line 3) (result Mover win)))
        9:10: (line 3)
          (is Line 3)
    "#]]
    .assert_eq(&rewritten(OLD));
    let board = GAME.replace("(board (square 3))", "(board \"Board\" (rhombus 8))");
    let said = rewritten(&board);
    assert!(said.contains("(board (hex Diamond 8))"), "{said}");
    // What is written today has the meaning of a text that was written today from the first.
    let text = rewritten(OLD).replace(" win", " Win");
    let text = text.split("\n2:3").next().expect("the description");
    let tokens_of = |text: &str| tokens(&Rules::new(Language::Lud, "t.lud", text)).expect("read");
    assert_eq!(
        tokens_of(text),
        tokens_of(&GAME.replace("(piece \"Disc\" Each)", "(piece \"O\" P1) (piece \"X\" P2)"))
    );
    assert!(parse(&Rules::new(Language::Lud, "t.lud", text)).is_ok());
}

#[test]
fn what_has_no_form_of_today_is_told() {
    let said = rewritten(&with_line(5, "(play (to Mover (empty 1 2)))"));
    assert!(said.contains("(move Add (to (empty 1 2)))"), "{said}");
    assert!(said.contains("t.lud:5:17: error[former-ludeme]"), "{said}");
    let said = rewritten("players");
    assert!(said.contains("error[no-game]"), "{said}");
}

#[test]
fn descriptions_of_today_stay_as_they_are() {
    for rules in catalogue() {
        let (text, changes, diagnostics) = modernised(&rules);
        assert_eq!(changes, [], "{}", rules.source.name());
        let errors: Vec<_> = diagnostics.iter().filter(|one| one.is_error()).collect();
        assert!(errors.is_empty(), "{}: {errors:?}", rules.source.name());
        assert_eq!(text, expand_to_text(&rules).0, "{}", rules.source.name());
    }
}

/// Each form leads to today's in one step, and every argument is kept once.
#[test]
fn forms_of_today_have_nothing_to_rewrite() {
    for former in grammar().all_former() {
        let variables = |text: &str| -> Vec<String> {
            let parts = text.split('<').skip(1).filter_map(|part| part.split('>').next());
            let mut names: Vec<String> = parts.map(|name| name.replace(['#', '.'], "")).collect();
            names.sort();
            names
        };
        let (then, now) = (variables(former.then), variables(former.now));
        assert!(now.iter().all(|name| then.contains(name)), "{} {}", former.then, former.now);
        assert!(now.windows(2).all(|pair| pair[0] != pair[1]), "{}", former.now);
        let example = |text: &str| {
            text.replace("<#", "<").replace("<n>", "2").replace(['<', '>'], "").replace("..", "")
        };
        let rules = Rules::new(Language::Lud, "t.lud", format!("(game {})", example(former.now)));
        assert_eq!(modernised(&rules).1, [], "{}", former.now);
        let rules = Rules::new(Language::Lud, "t.lud", format!("(game {})", example(former.then)));
        assert_eq!(modernised(&rules).1.len(), 1, "{}", former.then);
    }
}
