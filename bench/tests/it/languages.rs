//! The comparison of description languages, as the command writes it, and children of rule files.

use crate::common::{ggpbench, stderr, stdout};

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
    let counted = ["size", "change", "reach", "mistakes"];
    let all = || counted.map(|part| text(&format!("{part}.csv"))).concat();
    let parts = ["--parts", &counted.join(","), "--samples", "32", "--out", "out"];
    let games = ["tic-tac-toe-3x3", "breakthrough-6x6"];
    run(&[&games[..], &parts[..]].concat());
    let once = all();
    run(&[&games[..], &parts[..], &["--jobs", "1"]].concat());
    assert_eq!(all(), once);
    let before = text("languages.md");
    run(&["--again", "--out", "out"]);
    assert_eq!(text("languages.md"), before);
}

#[test]
fn children_of_a_file_come_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let catalogue = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../games/catalogue");
    for game in ["tic-tac-toe-3x3", "breakthrough-6x6"] {
        for language in ["lud", "kif"] {
            let file = catalogue.join(game).join(format!("rules.{language}"));
            std::fs::copy(file, path.join(format!("{game}.{language}"))).unwrap();
        }
    }
    let of = |arguments: &[&str]| ggpbench(path, &[&["mutate"], arguments].concat());
    let two = ["tic-tac-toe-3x3.kif", "--children", "2", "--with", "breakthrough-6x6.kif"];
    let both = stdout(&of(&two));
    assert!(both.starts_with("; Child 0 of seed 1: ") && both.contains("\n; Child 1 of seed 1: "));
    assert_eq!(stdout(&of(&two)), both);
    let second = ["--first", "1", "--with", "breakthrough-6x6.kif", "--children", "1"];
    let second = stdout(&of(&[&["tic-tac-toe-3x3.kif"][..], &second].concat()));
    assert!(both.ends_with(&second), "{second}");
    // Those that are games are played by `perft`, and say how they were made.
    let viable = of(&["tic-tac-toe-3x3.kif", "--viable", "--children", "1", "--out", "new"]);
    let said = stdout(&viable);
    let written = said.split(':').next().unwrap_or_default();
    assert!(written.starts_with("new/tic-tac-toe-3x3-1-"), "{said}");
    let counts = ggpbench(path, &["perft", written, "--depth", "1", "--engines", "propnet"]);
    assert!(counts.status.success());
    for (arguments, code, words) in [
        (&["tic-tac-toe-3x3.kif", "--with", "tic-tac-toe-3x3.lud"][..], 2, "files in the language"),
        (&["nowhere.kif"], 2, "nowhere.kif"),
    ] {
        let refused = of(arguments);
        let said = stderr(&refused);
        assert!(refused.status.code() == Some(code) && said.contains(words), "{said}");
    }
    std::fs::write(path.join("empty.lud"), "// nothing").unwrap();
    assert_eq!(of(&["empty.lud"]).status.code(), Some(1));
}
