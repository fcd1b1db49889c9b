//! Descriptions in the syntax of 2019, as the command rewrites them.

use crate::common::{ggpbench as run_in, stderr, stdout};

#[test]
fn the_syntax_of_2019_is_rewritten_and_plays() {
    let folder = tempfile::tempdir().unwrap();
    let old = r#"(game "Tic-Tac-Toe"
  (mode {(player "P1")(player "P2")})
  (equipment {(board "Board" (square 3))} {(disc "O" 1) (cross "X" 2)})
  (rules (play (to Mover (empty))) (end (line 3)(result Mover win)))
)"#;
    std::fs::write(folder.path().join("old.lud"), old).unwrap();
    let checked = stdout(&run_in(folder.path(), &["check", "old.lud"]));
    for hint in [
        "today it is written (board (square 3))",
        "today it is written (end (if (is Line 3) (result Mover win)))",
        "`ggpbench expand --modern` rewrites such descriptions",
    ] {
        assert!(checked.contains(hint), "no {hint} in {checked}");
    }
    let modern = run_in(folder.path(), &["expand", "--modern", "old.lud"]);
    assert!(modern.status.success());
    let told = stderr(&modern);
    assert!(told.contains("old.lud:3:44: (disc \"O\" 1) is (piece \"O\" P1) today"), "{told}");
    std::fs::write(folder.path().join("new.lud"), stdout(&modern)).unwrap();
    let perft = stdout(&run_in(folder.path(), &["perft", "new.lud", "--depth", "4"]));
    assert!(perft.contains("3024"), "{perft}");
    let again = run_in(folder.path(), &["expand", "--modern", "new.lud"]);
    assert_eq!(stdout(&again), stdout(&modern));
    assert!(stderr(&again).contains("nothing to change"), "{}", stderr(&again));
    // The other figure: a game of today on a board of then.
    let rules = include_str!("../../../games/catalogue/breakthrough-8x8/rules.lud");
    let rhombus = rules.replace("(square 8)", "\"Board\" (rhombus 8)");
    assert_ne!(rules, rhombus);
    std::fs::write(folder.path().join("rhombus.lud"), rhombus).unwrap();
    let modern = run_in(folder.path(), &["expand", "--modern", "rhombus.lud"]);
    assert!(stdout(&modern).contains("(board (hex Diamond 8))"), "{}", stdout(&modern));
    std::fs::write(folder.path().join("hex.lud"), stdout(&modern)).unwrap();
    let checked = run_in(folder.path(), &["check", "hex.lud"]);
    assert!(checked.status.success(), "{}", stdout(&checked));
}
