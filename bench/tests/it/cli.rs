//! The command line as a user meets it.

use std::path::Path;
use std::process::Output;

use play::CompileError;

use crate::common::{COIN, ENDLESS, command, ggpbench as run_in, stderr, stdout};

pub(crate) fn ggpbench(arguments: &[&str]) -> Output {
    let folder = tempfile::tempdir().expect("a temporary folder");
    run_in(folder.path(), arguments)
}

/// The engines that play a game of the catalogue.
pub(crate) fn engines_of(game: &str) -> Vec<&'static str> {
    let catalogue = games::Catalogue::embedded().unwrap();
    let game = catalogue.get(game).unwrap();
    // Who plays one game by hand reads the name of every other, and plays none of them.
    let plays = |engine: &dyn play::Engine| {
        let mut all = engine.languages().iter().filter_map(|&language| game.rules_in(language));
        all.any(|rules| {
            let compiled = engine.compile(&rules, &play::Limits::default());
            !matches!(compiled, Err(CompileError::Unsupported(_) | CompileError::Unavailable(_)))
        })
    };
    roster::engines().iter().filter(|e| plays(&***e)).map(|e| e.id()).collect()
}

#[test]
fn list_shows_games_engines_and_suites() {
    let output = ggpbench(&["list"]);
    assert_eq!(output.status.code(), Some(0));
    let text = stdout(&output);
    for word in ["connect-4-6x7", "Hex (9x9)", "ludeme", "prover", "smoke"] {
        assert!(text.contains(word), "no {word} in\n{text}");
    }
}

#[test]
fn most_games_of_a_list_fit_a_line_of_eighty_columns() {
    let output = command(Path::new("."), &["list"]).env("COLUMNS", "80").output().unwrap();
    let text = stdout(&output);
    assert!(text.lines().all(|line| line.trim_end().chars().count() <= 80), "{text}");
    let games = text.lines().take_while(|line| !line.trim().is_empty());
    let (begun, broken): (Vec<_>, Vec<_>) = games.partition(|line| !line.starts_with("  "));
    assert!(begun.len() > 50 && broken.len() < begun.len() / 3, "{text}");
}

#[test]
fn the_log_says_how_each_game_is_played() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let perft = |level: Option<&str>| {
        let arguments = ["perft", "tic-tac-toe-3x3", "--engines", "ludeme", "--depth", "1"];
        let mut command = command(folder.path(), &arguments);
        command.envs(level.map(|level| ("GGPBENCH_LOG", level)));
        command.output().expect("the command runs")
    };
    let entry = "on ludeme: playouts by a table of all positions";
    for (level, is_written) in [(Some("debug"), true), (Some("warn"), false), (None, false)] {
        let output = perft(level);
        assert_eq!(output.status.code(), Some(0), "{level:?}: {}", stderr(&output));
        assert_eq!(stderr(&output).contains(entry), is_written, "{level:?}: {}", stderr(&output));
    }
    let output = perft(Some("loud"));
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("GGPBENCH_LOG is `loud`"), "{}", stderr(&output));
}

#[test]
fn mistakes_of_usage_exit_with_2_and_say_what_to_do() {
    for (arguments, words) in [
        (&["run", "conect-4-6x7"][..], "connect-4-6x7"),
        (&["run", "--suite", "smok"], "did you mean `smoke`?"),
        (&["run", "hanoi-3", "--engines", "ludem"], "did you mean `ludeme`?"),
        (&["run", "--protocol", "papr"], "did you mean `paper`?"),
        (&["match", "uct", "randm", "--game", "hanoi-3"], "did you mean `random`?"),
        (&["match", "uct:pleis=9", "random", "--game", "hanoi-3"], "did you mean `plies`?"),
        (&["run", "--protocol", "fast"], "expected `quick`, `paper` or a number of seconds"),
        (&["run", "hanoi-3", "--baseline", "ludem"], "did you mean `ludeme`?"),
        (&["study", "hexx"], "did you mean `hex`?"),
        (&["match", "uct", "random", "--games", "mine"], "`--catalogue DIR`"),
        (&["match", "uct", "random", "--teams", "1+3"], "(3x3) has 2"),
        (&["match", "uct", "random", "--teams", "1,1+2"], "player 1 twice"),
        (&["match", "uct", "random", "--teams", "a"], "written `1+3`"),
        (&["perft", "parcheesi"], "`--games DIR` adds a folder of games"),
        (&["play", "hanoi-3", "--engine", "ludem"], "did you mean `ludeme`?"),
        (&["play", "hanoi-3", "--you", "3"], "has 1 players"),
        (&["run", "--resume", "before", "--threads", "2"], "cannot be used with"),
        (&["worker", "ludem"], "did you mean `ludeme`?"),
        (&["frobnicate"], "unrecognized subcommand"),
    ] {
        let output = ggpbench(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(words), "{arguments:?}: {}", stderr(&output));
    }
}

#[test]
fn what_was_mistyped_is_guessed_where_a_command_looks_a_name_up() {
    let output = ggpbench(&["ludemes", "is", "lien"]);
    assert!(stderr(&output).contains("did you mean `is Line`?"), "{}", stderr(&output));
    let output = ggpbench(&["odds", "forward: breze"]);
    assert!(stderr(&output).contains("did you mean `breeze`?"), "{}", stderr(&output));
}

#[test]
fn choices_are_listed_and_macros_expanded() {
    let folder = tempfile::tempdir().unwrap();
    let text = r#"(define "Free" (sites Empty))
(game "Row" (players 2)
    (equipment { (board (square <Size:side>)) (piece "Stone" Each) })
    (rules (play (move Add (to ("Free")))) (end (if (is Line 3) (result Mover Win)))))
(option "Size" <Size> args:{ <side> } {
    (item "3x3" <3> "Nine squares.")*
    (item "5x5" <5> "More room.")
})"#;
    std::fs::write(folder.path().join("row.lud"), text).unwrap();
    let listed = run_in(folder.path(), &["list", "row.lud", "--options"]);
    assert!(listed.status.success());
    let listed = stdout(&listed);
    let line = |name: &str| listed.lines().find(|l| l.contains(name)).unwrap_or_default();
    assert!(line("Size/3x3").trim_start().starts_with('*'), "{listed}");
    assert!(line("Size/5x5").contains("More room.") && !line("Size/5x5").contains('*'));
    let chosen = run_in(folder.path(), &["list", "row.lud", "--options", "--option", "Size/5x5"]);
    assert!(stdout(&chosen).lines().any(|l| l.trim_start().starts_with("* ") && l.contains("5x5")));
    let expanded = run_in(folder.path(), &["expand", "row.lud", "--option", "Size/5x5"]);
    assert!(expanded.status.success());
    let expanded = stdout(&expanded);
    assert!(expanded.contains("(square 5)") && expanded.contains("(to (sites Empty))"));
    assert!(!expanded.contains("define") && !expanded.contains("option"));
    // What comes out means the same, and has nothing left to expand.
    std::fs::write(folder.path().join("plain.lud"), &expanded).unwrap();
    assert!(run_in(folder.path(), &["check", "plain.lud"]).status.success());
    assert_eq!(stdout(&run_in(folder.path(), &["expand", "plain.lud"])), expanded);
    let none = run_in(folder.path(), &["list", "plain.lud", "--options"]);
    assert!(stdout(&none).contains("no options"));
}

#[test]
fn ludemes_are_looked_up() {
    let folder = tempfile::tempdir().unwrap();
    let look_up = |words: &[&str]| run_in(folder.path(), &[&["ludemes"], words].concat());
    let line = stdout(&look_up(&["is", "line"]));
    assert!(line.contains("is Line, a condition: plays") && line.contains("(is Line 3)"), "{line}");
    assert!(line.contains("[through:<integer>"), "{line}");
    assert!(line.contains("public descriptions"), "{line}");
    let all = stdout(&look_up(&[]));
    assert!(all.lines().count() > 500 && all.contains("ludemes: "), "{all}");
    let none = look_up(&["isLine3"]);
    assert_eq!(none.status.code(), Some(2));
    assert!(stderr(&none).contains("`isLine3`"));
}

#[test]
fn constructs_of_regular_games_are_looked_up() {
    let folder = tempfile::tempdir().unwrap();
    let look_up = |words: &[&str]| run_in(folder.path(), &[&["constructs"], words].concat());
    let branch = stdout(&look_up(&["branch", "in"]));
    assert!(branch.starts_with("branch in: a statement of HRG\n"), "{branch}");
    assert!(branch.contains("  branch name in Domain { .. }\n"), "{branch}");
    assert!(branch.contains("for example: branch way in Way"), "{branch}");
    let all = stdout(&look_up(&[]));
    assert!(all.lines().count() > 50, "{all}");
    let none = look_up(&["whiel"]);
    assert_eq!(none.status.code(), Some(2));
    assert!(stderr(&none).contains("did you mean `while`?"), "{}", stderr(&none));
}

#[test]
fn puzzles_are_solved() {
    let folder = tempfile::tempdir().unwrap();
    let latin = |start: &str| {
        format!(
            "(game \"Latin\" (players 1) (equipment {{(board (square 2) (values Cell (range 1 2)))
                (regions {{Columns Rows}})}}) (rules {start} (play (satisfy (all Different)))
                (end (if (is Solved) (result P1 Win)))))"
        )
    };
    for (name, text, arguments, words, code) in [
        ("one.lud", latin("(start (set {{0 1}}))"), &[][..], "one solution: it is unique", 0),
        ("two.lud", latin(""), &[], "2 solutions: it is not unique", 0),
        ("two.lud", latin(""), &["--limit", "1"], "one solution or more; a larger --limit", 0),
        ("none.lud", latin("(start (set {{0 1} {3 2}}))"), &[], "no solution", 1),
        ("odd.lud", latin("(start (set {{0 9}}))"), &[], "odd.lud:2:", 1),
        ("coin.kif", COIN.to_owned(), &[], "a .kif file has no constraints", 1),
    ] {
        std::fs::write(folder.path().join(name), text).unwrap();
        let arguments = [&["solve", name], arguments].concat();
        let output = run_in(folder.path(), &arguments);
        let said = stdout(&output) + &stderr(&output);
        assert!(said.contains(words), "{arguments:?}: {said}");
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
    }
}

#[test]
fn the_games_of_a_match_are_found_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    file(
        "match.lud",
        r#"(match "M" (players 2) (games { (subgame "One") (subgame "../Two") })
            (end (if (= (matchScore P1) 2) (result P1 Win))))"#,
    );
    let game = r#"(game "One" (players 2) (equipment { (board (square 1)) (piece "Disc" Each) })
        (rules (play (move Add (to (sites Empty)))) (end (if (is Full) (result Mover Win)))))"#;
    file("One.lud", game);
    let checked = run_in(folder.path(), &["check", "match.lud"]);
    let missing = "the game \"../Two\" of this match is not there";
    assert!(stdout(&checked).contains(missing), "{checked:?}");
    let text = std::fs::read_to_string(folder.path().join("match.lud")).unwrap();
    file("match.lud", &text.replace("../Two", "One"));
    assert!(run_in(folder.path(), &["check", "match.lud"]).status.success());
    // Through the protocol, in a process of its own.
    let measured = run_in(folder.path(), &["bench", "match.lud", "--protocol", "0.05s"]);
    assert!(measured.status.success(), "{measured:?}");
    assert!(stdout(&measured).contains("ludeme"), "{measured:?}");
}

#[test]
fn what_cannot_be_expanded_is_said_and_where() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("coin.kif"), COIN).unwrap();
    std::fs::write(folder.path().join("odd.lud"), "(game \"Odd\" (players 2)\n    (equipment {)")
        .unwrap();
    for (arguments, words) in [
        (&["expand", "coin.kif"][..], "a .kif file has nothing to expand"),
        (&["list", "coin.kif", "--options"], "a .kif file has no options"),
        (&["list", "coin.kif"], "--options"),
        (&["expand", "odd.lud"], "odd.lud:2:"),
        (&["expand", "odd.lud", "--option", "Size/Nine"], "Size/Nine"),
    ] {
        let output = run_in(folder.path(), arguments);
        assert!(!output.status.success(), "{arguments:?}");
        assert!(stderr(&output).contains(words), "{arguments:?}: {}", stderr(&output));
    }
}

#[test]
fn check_points_at_the_fault_and_says_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let check = |name: &str, text: &str, words: &[&str]| {
        std::fs::write(folder.path().join(name), text).unwrap();
        let output = run_in(folder.path(), &["check", name]);
        assert_eq!(output.status.code(), Some(1), "{name}: {}", stdout(&output));
        let text = stdout(&output);
        for word in words {
            assert!(text.contains(word), "{name}: no {word:?} in\n{text}");
        }
    };
    let sound = ENDLESS.trim_start();
    check(
        "paren.lud",
        &sound.replacen("(players 2)", "(players 2", 1),
        &["paren.lud:2:5", "^", "`)`"],
    );
    check(
        "ludeme.lud",
        &sound.replace("(board (square 4))", "(bord (square 4))"),
        &["ludeme.lud:4:", "^", "did you mean `board`?"],
    );
    check(
        "argument.lud",
        &sound.replace("(square 4)", "(square \"four\")"),
        &["argument.lud:4:", "^"],
    );
    check(
        "edge.lud",
        &sound.replace("(square 4)", "(graph vertices:{{0 0} {1 0}} edges:{{0 1} {1 2}})"),
        &["edge.lud:4:", "^", "the vertices of this graph are 0 to 1"],
    );
    check(
        "added.lud",
        &sound.replace("(square 4)", "(add (square 4) edges:{{0 1} {0 99}})"),
        &["added.lud:4:", "^", "an edge leads to a vertex that does not exist"],
    );
    check(
        "large.lud",
        &sound.replace("(square 4)", "(square 200)"),
        &["[too-many-sites]", "large.lud:4:", "^", "make the board smaller", "1 error"],
    );
    check(
        "unsafe.kif",
        &COIN.replace("(<= (next same) (does even ?c)", "(<= (next (same ?d)) (does even ?c)"),
        &["unsafe.kif:", "?d", "^"],
    );
    check(
        "cycle.kif",
        &format!("{COIN}\n(<= up (not down))\n(<= down (not up))\n"),
        &["cycle.kif:", "up", "down", "^"],
    );
    check(
        "arity.kif",
        &format!("{COIN}\n(<= up (true (round 1)))\n(<= over (up 3))\n"),
        &["arity.kif:", "up", "^"],
    );
}

#[test]
fn play_runs_a_game_to_its_end() {
    let output = ggpbench(&["play", "tic-tac-toe-3x3", "--you", "none", "--seed", "3"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.contains("1. player 1: "), "{text}");
    assert!(text.contains("The game is over: player 1 gets"), "{text}");
}

#[test]
fn perft_agrees_with_the_published_counts() {
    let output = ggpbench(&["perft", "connect-4-6x7", "--depth", "4"]);
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    let agreeing = stdout(&output).matches("agrees").count();
    assert_eq!(agreeing, 4 * engines_of("connect-4-6x7").len(), "{}", stdout(&output));
}

#[test]
fn completions_are_printed() {
    let output = ggpbench(&["completions", "bash"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(stdout(&output).contains("_ggpbench"));
}

/// Games by code, by a table, and with a list of sites that has no form in code.
#[test]
fn inspect_says_how_parts_are_played_and_why() {
    let folder = tempfile::tempdir().unwrap();
    let pending = "(game \"Pending\" (players 2) (equipment {(board (square 3))
        (piece \"Disc\" Each)}) (rules (play (move Add (to (sites Empty)) (then
        (set Pending (sites From (forEach Piece)))))) (end (if (is Line 3) (result Mover Win)))))";
    std::fs::write(folder.path().join("pending.lud"), pending).unwrap();
    for (arguments, words) in [
        (
            &["inspect", "connect-4-6x7"][..],
            &["playouts by machine code\n", "side by side; of"][..],
        ),
        (&["inspect", "tic-tac-toe-3x3"], &["playouts by a table of all positions"]),
        (&["inspect", "pending.lud"], &["the evaluator for ", "since these have no form in code"]),
    ] {
        let output = run_in(folder.path(), arguments);
        let text = stdout(&output);
        assert_eq!(output.status.code(), Some(0), "{text}{}", stderr(&output));
        for word in words {
            assert!(text.contains(word), "no {word} in\n{text}");
        }
    }
}

#[test]
fn inspect_shows_each_step_and_draws_what_is_small_enough() {
    let folder = tempfile::tempdir().unwrap();
    let sheets = "propnet,propnet-batch,prover";
    let arguments = ["inspect", "tic-tac-toe-3x3", "--engines", sheets, "--dot", "net.dot"];
    let output = run_in(folder.path(), &arguments);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{text}{}", stderr(&output));
    for word in ["ground rules", "equal bases", "depth", "in loops", "as for propnet", "lanes"] {
        assert!(text.contains(word), "no {word} in\n{text}");
    }
    let graph = std::fs::read_to_string(folder.path().join("net.dot")).unwrap();
    assert!(graph.starts_with("digraph") && graph.trim_end().ends_with('}'));
    for word in ["does ", "legal ", "terminal", "goal ", "(cell a 1 x)"] {
        assert!(graph.contains(word), "no {word} in\n{graph}");
    }
    let arguments =
        ["inspect", "hex-9x9", "--engines", "propnet", "--dot", "big.dot", "--most", "90"];
    let output = run_in(folder.path(), &arguments);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("nodes and is not drawn"), "{}", stdout(&output));
    assert!(!folder.path().join("big.dot").exists());
    for engine in ["ludeme", "rbg", "rg"] {
        let arguments = ["inspect", "connect-4-6x7", "--engines", engine, "--ir", "code.txt"];
        let output = run_in(folder.path(), &arguments);
        assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
        let program = std::fs::read_to_string(folder.path().join("code.txt")).unwrap();
        assert!(program.starts_with("sets of ") && program.contains("fn "), "{program}");
    }
    let arguments = ["inspect", "tic-tac-toe-3x3", "--engines", "propnet", "--ir", "none.txt"];
    assert_eq!(run_in(folder.path(), &arguments).status.code(), Some(1));
}

#[test]
fn control_characters_of_rule_files_are_shown_and_not_obeyed() {
    let folder = tempfile::tempdir().unwrap();
    let text =
        ENDLESS.replace("Endless", "End\x1b[2Jless").replace("(square 4)", "(squ\x1b[31mare 4)");
    std::fs::write(folder.path().join("odd\x1b[31m.lud"), &text).unwrap();
    std::fs::write(folder.path().join("title.lud"), ENDLESS.replace("Endless", "End\x1b[2Jless"))
        .unwrap();
    for arguments in [
        &["check", "odd\x1b[31m.lud"][..],
        &["check", "no\x1b[31m.lud"],
        &["check", "title.lud"],
        &["expand", "odd\x1b[31m.lud"],
        &["perft", "odd\x1b[31m.lud", "--depth", "1"],
        &["play", "title.lud", "--you", "none", "--cap", "1"],
        &["run", "\x1b[31m"],
    ] {
        let output = run_in(folder.path(), arguments);
        assert!(!output.stderr.contains(&0x1b), "{arguments:?}: {}", stderr(&output));
        let is_text = arguments[0] != "expand";
        assert!(!(is_text && output.stdout.contains(&0x1b)), "{arguments:?}: {}", stdout(&output));
    }
    // What goes into a file stays the text that it was.
    let output = run_in(folder.path(), &["expand", "title.lud"]);
    assert!(stdout(&output).contains("End\x1b[2Jless"), "{}", stdout(&output));
}

#[test]
fn a_file_that_is_not_there_is_said_once() {
    for arguments in [
        &["report", "nowhere"][..],
        &["compare", "nowhere", "nowhere"],
        &["rank", "nowhere"],
        &["bench", "nowhere.lud"],
        &["check", "nowhere.lud"],
        &["run", "--resume", "nowhere"],
        &["run", "--resume", "nowhere", "-q"],
        &["merge", "nowhere", "--out", "whole"],
        &["conform", "nowhere"],
        &["conform", env!("CARGO_MANIFEST_DIR"), "--oracle", "nowhere"],
        &["conform", env!("CARGO_MANIFEST_DIR"), "--traces", "nowhere"],
        &["languages", "--parts", "speed", "--run", "nowhere", "--out", "whole"],
        &["odds", "--trials", "nowhere"],
        &["replay", "nowhere.jsonl"],
        &["run", "--games", "nowhere"],
        &["study", "--families", "nowhere"],
        &["perft", "hanoi-3", "--engines-file", "nowhere.toml"],
    ] {
        let output = ggpbench(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let said = stdout(&output) + &stderr(&output);
        assert_eq!(said.matches("No such file").count(), 1, "{arguments:?}: {said}");
        assert!(said.contains("nowhere"), "{arguments:?}: {said}");
    }
}

#[test]
fn perft_and_verify_take_options_and_perft_fails_on_faulty_rules() {
    let folder = tempfile::tempdir().unwrap();
    let row = r#"(game "Row" (players 2)
    (equipment { (board (square <Size:side>)) (piece "Stone" Each) })
    (rules (play (move Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Win)))))
(option "Size" <Size> args:{ <side> } { (item "3x3" <3> "")* (item "5x5" <5> "") })"#;
    std::fs::write(folder.path().join("row.lud"), row).unwrap();
    for (option, leaves) in [("Size/3x3", "9"), ("Size/5x5", "25")] {
        let arguments = ["perft", "row.lud", "--depth", "1", "--option", option];
        let output = run_in(folder.path(), &arguments);
        assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
        let text = stdout(&output);
        assert!(text.split_whitespace().any(|word| word == leaves), "{option}: {text}");
    }
    let wrong = ["verify", "row.lud", "--option", "Size/7x7", "--seconds", "0.05"];
    let output = run_in(folder.path(), &wrong);
    assert!(stdout(&output).contains("Size/7x7"), "{}{}", stdout(&output), stderr(&output));
    std::fs::write(folder.path().join("broken.kif"), "(role a) (init (p 1)) (").unwrap();
    let output = run_in(folder.path(), &["perft", "broken.kif"]);
    assert!(stdout(&output).contains("invalid"), "{}", stdout(&output));
    assert_eq!(output.status.code(), Some(1));
}
