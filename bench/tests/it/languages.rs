//! The comparison of description languages, as the command writes it.

use crate::common::ggpbench;

#[test]
fn facts_are_collected_and_the_report_follows_from_them() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        let output = ggpbench(folder.path(), &[&["languages"], arguments].concat());
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {errors}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let parts = ["--parts", "size,change,reach,growth"];
    let engines = ["--engines", "ludeme,prover", "--out", "out"];
    let printed = run(&[&["tic-tac-toe-3x3"], &parts[..], &engines].concat());
    let text = |name: &str| std::fs::read_to_string(folder.path().join("out").join(name)).unwrap();
    // Four languages; two engines on the game, and on the five sizes of its family.
    assert_eq!(text("size.csv").lines().count(), 5);
    assert_eq!(text("reach.csv").lines().count(), 5);
    assert_eq!(text("growth.csv").lines().count(), 1 + 2 * 6);
    let change = text("change.csv");
    assert!(change.contains("tic-tac-toe-3,tic-tac-toe-misere1-3,misere,lud,"), "{change}");
    // What the rows say is in all notations.
    let finding = "Twice the side of the board makes the text so many times as much";
    for report in [&printed, &text("languages.md"), &text("languages.html")] {
        assert!(report.contains(finding), "{report}");
    }
    assert!(text("languages.tex").contains("\\label{tab:language-sizes}"));
    // Facts that are counted are the same again, whatever the number of jobs.
    let counted = text("size.csv") + &change + &text("reach.csv");
    run(&["tic-tac-toe-3x3", "--parts", "size,change,reach", "--jobs", "1", "--out", "out"]);
    assert_eq!(text("size.csv") + &text("change.csv") + &text("reach.csv"), counted);
    let before = text("languages.md");
    run(&["--again", "--out", "out"]);
    assert_eq!(text("languages.md"), before);
}
