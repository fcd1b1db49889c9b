//! Trials, matches, play: what people do with agents.

use std::io::Write;
use std::path::Path;
use std::process::{Output, Stdio};

use crate::common;

fn ggpbench(folder: &Path, arguments: &[&str], input: &str) -> Output {
    let mut child = common::command(folder, arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("ggpbench starts");
    // It may not read what it is sent.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    child.wait_with_output().expect("it ends")
}

fn text(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

/// Runs a command that must end with this code; its output and its complaints.
fn run(folder: &Path, arguments: &[&str], code: i32) -> (String, String) {
    let output = ggpbench(folder, arguments, "");
    let (out, err) = text(&output);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}\n{out}\n{err}");
    (out, err)
}

#[test]
fn recorded_games_replay_on_every_engine() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    run(path, &["record", "tic-tac-toe-3x3", "-n", "5", "--out", "t.jsonl"], 0);
    for engine in ["bitboard", "ludeme", "rbg", "propnet", "prover"] {
        let (out, _) = run(path, &["replay", "t.jsonl", "--engine", engine], 0);
        assert!(out.contains("5 of 5 trials"), "{engine}: {out}");
    }
    // Older files are read, too.
    let text = std::fs::read_to_string(path.join("t.jsonl")).unwrap();
    std::fs::write(path.join("1.jsonl"), text.replace("\"version\":2", "\"version\":1")).unwrap();
    let (out, _) = run(path, &["replay", "1.jsonl", "--engine", "rbg"], 0);
    assert!(out.contains("5 of 5 trials"), "{out}");
    let (out, _) = run(path, &["replay", "t.jsonl", "--show", "--trial", "2"], 0);
    assert!(out.contains("1. player 1: ") && out.contains("  a b c"), "{out}");
}

#[test]
fn chance_is_followed_by_the_record_or_by_search() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    std::fs::write(path.join("guess.kif"), common::GUESS).unwrap();
    run(path, &["record", "guess.kif", "-n", "6", "--engine", "prover", "--out", "g.jsonl"], 0);
    for engine in ["prover", "propnet"] {
        let (out, _) = run(path, &["replay", "g.jsonl", "--engine", engine], 0);
        assert!(out.contains("6 of 6 trials"), "{engine}: {out}");
    }
    // A draw that cannot be is no agreement on the engine that recorded it.
    let text = std::fs::read_to_string(path.join("g.jsonl")).unwrap();
    let changed = text.replace("\"chance\":[", "\"chance\":[7,");
    assert_ne!(text, changed);
    std::fs::write(path.join("h.jsonl"), changed).unwrap();
    let (out, _) = run(path, &["replay", "h.jsonl"], 1);
    assert!(out.contains("cannot draw 7"), "{out}");
}

#[test]
fn percepts_are_compared() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    run(path, &["record", "kuhn-poker", "-n", "4", "--out", "k.jsonl"], 0);
    let (out, _) = run(path, &["replay", "k.jsonl"], 0);
    assert!(out.contains("4 of 4"), "{out}");
    let text = std::fs::read_to_string(path.join("k.jsonl")).unwrap();
    let changed = text.replace("\"start\":[[\"king\"]", "\"start\":[[\"ace\"]");
    assert_ne!(text, changed);
    std::fs::write(path.join("l.jsonl"), changed).unwrap();
    let (out, _) = run(path, &["replay", "l.jsonl"], 1);
    assert!(out.contains("player 1 perceives `ace`, the engine `king`"), "{out}");
}

#[test]
fn a_changed_trial_is_refused_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    run(path, &["record", "tic-tac-toe-3x3", "-n", "3", "--out", "t.jsonl"], 0);
    let text = std::fs::read_to_string(path.join("t.jsonl")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let check = |name: &str, third: &str, words: &str| {
        let changed = [lines[0], lines[1], third, lines[3]].join("\n");
        std::fs::write(path.join(name), changed).unwrap();
        let (out, err) = run(path, &["replay", name], 1);
        let place = format!("{name}:3");
        let all = out + &err;
        assert!(all.contains(&place) && all.contains(words), "{name}: {all}");
    };
    let first_move = lines[2].find("\"move\":\"").unwrap() + 8;
    let mut moved = lines[2].to_owned();
    moved.replace_range(first_move..first_move + 2, "z9");
    check("move.jsonl", &moved, "none of its 9 legal actions");
    let scores = lines[2].find("\"scores\":[").unwrap();
    let scored = format!("{}\"scores\":[7,7]}}", &lines[2][..scores]);
    check("scores.jsonl", &scored, "scores [7, 7]");
    check("cut.jsonl", &lines[2][..lines[2].len() / 2], "not a trial");
    check(
        "player.jsonl",
        &lines[2].replacen("\"player\":0", "\"player\":9", 1),
        "count from 0 to 1",
    );
}

#[test]
fn hostile_files_are_errors_that_say_where() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    run(path, &["record", "tic-tac-toe-3x3", "-n", "1", "--out", "t.jsonl"], 0);
    let text = std::fs::read_to_string(path.join("t.jsonl")).unwrap();
    let header = text.lines().next().unwrap();
    let trial = text.lines().nth(1).unwrap();
    let deep = "[".repeat(200_000);
    for (name, content, words) in [
        ("empty", String::new(), "the file is empty"),
        ("noise", "\u{1b}[31mred".to_owned(), "noise:1: not JSON"),
        ("deep", deep.clone(), "deep:1: not JSON"),
        ("list", "[1]".to_owned(), "no header"),
        ("new", header.replace("\"version\":2", "\"version\":3"), "version 3"),
        ("more", header.replace("\"version\":2", "\"version\":2,\"x\":1"), "unknown field"),
        ("none", header.replace("\"players\":2", "\"players\":0"), "0 players"),
        ("game", header.replace("tic-tac-toe-3x3", "nowhere"), "--game names another"),
        ("engine", header.replace("\"engine\":\"bitboard\"", "\"engine\":\"x\""), "no engine `x`"),
        ("trials", format!("{header}\n{deep}"), "trials:2: not a trial"),
        ("cap", format!("{}\n{trial}", header.replace("\"cap\":9", "\"cap\":2")), "cap:2: "),
        ("only", header.to_owned(), "holds no trial"),
    ] {
        std::fs::write(path.join(name), content).unwrap();
        let output = ggpbench(path, &["replay", name], "");
        let (out, err) = self::text(&output);
        assert!(matches!(output.status.code(), Some(1 | 2)), "{name}: {out}{err}");
        assert!(err.contains(words), "{name}: {err}");
        assert!(!err.contains('\u{1b}'), "{name}: {err}");
    }
}

#[test]
fn a_match_depends_on_the_seed_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let games = ["--game", "tic-tac-toe-3x3", "8-puzzle", "--games", "8", "--cap", "60", "-q"];
    let agent = format!("program:python3 {}", root().join("engines/example/agent.py").display());
    let table = |more: &[&str]| {
        let arguments = ["match", "random", &agent];
        run(path, &[&arguments[..], &games, more].concat(), 0).0
    };
    let first = table(&["--jobs", "1"]);
    assert!(first.contains("Elo (95 %)") && first.contains("won–drawn–lost"), "{first}");
    assert_eq!(first, table(&["--jobs", "3"]));
    assert_ne!(first, table(&["--seed", "2"]));
}

#[test]
fn a_match_that_was_stopped_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let play = |games: &str, out: &str, jobs: &str| {
        let arguments = [
            "match",
            "random",
            "flat",
            "--iterations",
            "20",
            "--games",
            games,
            "--csv",
            "-q",
            "--jobs",
            jobs,
            "--out",
            out,
        ];
        let csv = run(path, &arguments, 0).0;
        // Simulations per second are of the machine.
        let head = csv.lines().next().unwrap_or_default();
        let speed = head.split(',').position(|name| name == "simulations_per_s");
        let rows = csv.lines().map(|line| {
            let fields = line.split(',').enumerate().filter(|&(i, _)| Some(i) != speed);
            fields.map(|(_, field)| field).collect::<Vec<_>>().join(",")
        });
        rows.collect::<Vec<_>>().join("\n")
    };
    let whole = play("12", "whole", "2");
    play("5", "parts", "1");
    // Killed in the middle of a line.
    let file = path.join("parts/tic-tac-toe-3x3.jsonl");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, &text[..text.len() - 20]).unwrap();
    assert_eq!(play("12", "parts", "2"), whole);
    let timeless = |text: String| -> Vec<String> {
        let lines = text.lines();
        lines.map(|l| l.split(",\"search_ns\"").next().unwrap_or_default().to_owned()).collect()
    };
    let whole = std::fs::read_to_string(path.join("whole/tic-tac-toe-3x3.jsonl")).unwrap();
    let parts = std::fs::read_to_string(&file).unwrap();
    assert_eq!(timeless(parts), timeless(whole));
    run(path, &["replay", "parts/tic-tac-toe-3x3.jsonl"], 0);
    let (_, err) = run(path, &["match", "random", "flat", "--out", "parts", "--cap", "5"], 1);
    assert!(err.contains("another folder"), "{err}");
}

#[test]
fn faulty_programs_lose_and_the_match_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    for (script, words) in [
        (
            "import sys\nfor l in sys.stdin: print('{\"ok\":{\"move\":\"z9\"}}', flush=True)",
            "\"z9\" is none of the 9",
        ),
        ("raise SystemExit('no more')", "no more"),
        ("import time; time.sleep(600)", "where it has 300.0ms"),
        ("import sys\nfor l in sys.stdin: print('hm', flush=True)", "it answered \"hm\""),
        (
            "import sys\nfor l in sys.stdin: \
             print('{\"error\":{\"kind\":\"unsupported\",\"message\":\"not me\"}}', flush=True)",
            "unsupported: not me",
        ),
    ] {
        std::fs::write(path.join("a.py"), script).unwrap();
        let patience = if script.contains("sleep") { "0.3" } else { "30" };
        let arguments = [
            "match",
            "random",
            "--agent-program",
            "python3 a.py",
            "--games",
            "2",
            "--patience",
            patience,
            "-q",
        ];
        let (out, err) = run(path, &arguments, 1);
        assert!(err.contains("fault of program:python3 a.py") && err.contains(words), "{err}");
        let row = out.lines().find(|l| l.contains("program:python3")).expect("a row");
        assert!(row.contains("0–0–2"), "{out}");
    }
    let (_, err) = run(path, &["match", "random", "program: "], 2);
    assert!(err.contains("has no command"), "{err}");
    let (_, err) = run(path, &["match", "random", "randm"], 2);
    assert!(err.contains("no agent `randm`"), "{err}");
}

#[test]
fn agents_think_on_engines_of_their_own_and_have_names() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let agents = ["uct@rbg:c=0.5", "uct@ludeme", "slow=flat@prover", "other=flat", "random"];
    let rest = ["--game", "tic-tac-toe-3x3", "--games", "2", "--iterations", "30", "-q"];
    let (out, err) = run(path, &[&["match"], &agents[..], &rest, &["--out", "trials"]].concat(), 0);
    for shown in ["uct@rbg:c=0.5", "uct@ludeme", "slow", "other", "random"] {
        let rows = out.lines().filter(|line| line.split_whitespace().any(|word| word == shown));
        // At the game, and among the ratings.
        assert_eq!(rows.count(), 2, "{shown}: {out}{err}");
    }
    assert!(!out.contains("slow=") && out.contains("simulations/s"), "{out}");
    let trials = std::fs::read_to_string(path.join("trials/tic-tac-toe-3x3.jsonl")).unwrap();
    let chart = std::fs::read_to_string(path.join("trials/ratings.svg")).unwrap();
    assert!(["uct@ludeme", "on prover"].iter().all(|text| chart.contains(text)), "{chart}");
    assert!(trials.contains("\"slow=flat@prover\""), "trials have all that was said: {trials}");

    // An engine of its own changes nothing but the time: `random` draws by number, and engines
    // that list actions in the same order play the same games.
    let game = |agent: &str| {
        let arguments = ["record", "hex-9x9", "--engine", "bitboard", "-n", "3", "--agents", agent];
        let (out, _) = run(path, &arguments, 0);
        out.lines().skip(1).map(|trial| trial.replace(agent, "agent")).collect::<Vec<_>>()
    };
    assert_eq!(game("random@rbg"), game("random@rbg"));
    assert_eq!(game("random@bitboard"), game("random"));

    // What is hidden is worked out from percepts, by the own engine's rules.
    let hidden = ["match", "hyperplay@prover", "ismcts@ludeme", "--game", "kuhn-poker"];
    let (out, err) = run(path, &[&hidden[..], &["--games", "2", "--iterations", "20"]].concat(), 0);
    assert!(out.contains("hyperplay@prover"), "{out}{err}");

    let refused = |arguments: &[&str], words: &str| {
        let (_, err) = run(path, &[&["match"], arguments].concat(), 2);
        assert!(err.contains(words), "{err}");
    };
    refused(&["uct@rgb", "random"], "did you mean `rbg`?");
    refused(&["uct", "uct"], "`second=uct`");
    refused(&["a=uct", "a=flat"], "the agent a is named twice");
    refused(&["uct@ludeme", "random", "--game", "backgammon", "--engine", "bitboard"], "chance");
    refused(&["uct@rbg", "random", "--game", "nonogram-5x5"], "`rbg` does not read nonogram-5x5");
}

#[test]
fn people_play_by_label_number_and_beginning() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let input = "?\nhelp\nx9\n1\na\nundo\nA2\nc3\nb1\nb2\nc\nb\nquit\n";
    let arguments =
        ["play", "tic-tac-toe-3x3", "--you", "all", "--engine", "bitboard", "--record", "p.jsonl"];
    let output = ggpbench(path, &arguments, input);
    let (out, err) = text(&output);
    assert_eq!(output.status.code(), Some(0), "{out}{err}");
    for words in [
        "1 a1   2 b1   3 c1",
        "takes back your last move",
        "x9 is not legal",
        "1. player 1: a1",
        "a may be a2, a3: type more of it",
        "taken back to ply 1",
        "1. player 1: a2",
        "The game is in p.jsonl",
    ] {
        assert!(out.contains(words), "no {words:?} in\n{out}");
    }
    let (out, _) = run(path, &["replay", "p.jsonl"], 0);
    assert!(out.contains("1 of 1 trial "), "{out}");
}

#[test]
fn who_watches_plays_ply_by_ply() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let game = ["play", "tic-tac-toe-3x3", "--you", "none", "--seed", "3", "--pace"];
    let watched = |pace: &str, input: &str| {
        let output = ggpbench(path, &[&game[..], &[pace]].concat(), input);
        let (out, err) = text(&output);
        (output.status.code(), out, err)
    };
    // The return key steps; who leaves sees no end.
    let (code, out, err) = watched("step", "\nwhy\nx9\nstep\nquit\n");
    assert_eq!(code, Some(0), "{out}{err}");
    for words in ["paused (return plays a ply", "1. player 1: ", "random played ", "2. player 2: "]
    {
        assert!(out.contains(words), "no {words:?} in\n{out}");
    }
    assert!(!out.contains("3. player 1: ") && !out.contains("over"), "{out}");
    assert_eq!(watched("step", "\n").1.matches(". player ").count(), 1, "no more lines: it ends");
    // Others go on by themselves, with words and without.
    for (pace, input) in [("step", "\ngo\n"), ("step", "pace 0\ngo\n"), ("0.001", "")] {
        let (code, out, err) = watched(pace, input);
        assert_eq!(code, Some(0), "{out}{err}");
        assert!(out.contains("The game is over: player 1 gets"), "{pace} {input}: {out}");
    }
    let (code, _, err) = watched("fast", "");
    assert!(code == Some(2) && err.contains("seconds from 0 to 3600"), "{err}");
}

#[test]
fn who_plays_with_hidden_information_sees_percepts_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let shown = |more: &[&str]| {
        let game = ["play", "kuhn-poker", "--engine", "bitboard", "--seed", "3"];
        let arguments = [&game, more].concat();
        text(&ggpbench(path, &arguments, "bet\n")).0
    };
    let closed = shown(&[]);
    let card =
        |out: &str| out.lines().find(|l| l.contains("player 1 perceives: ")).map(str::to_owned);
    assert!(card(&closed).is_some(), "{closed}");
    // The other's choice is known by the percept alone.
    assert!(!closed.contains("player 2: ") && !closed.contains("player 2 perceives"), "{closed}");
    assert!(shown(&["--show"]).contains("player 2 perceives: "));
    let again = ggpbench(path, &["play", "kuhn-poker", "--you", "2", "--seed", "3"], "");
    let (out, err) = text(&again);
    assert_eq!(again.status.code(), Some(0), "{out}{err}");
    assert!(!out.contains("player 1 perceives") && !out.contains("player 1: "), "{out}");
}

#[test]
fn odds_of_a_cave_are_shown_and_faulty_pasts_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (out, _) = run(folder.path(), &["odds", "forward: breeze"], 0);
    assert!(out.contains("pit") && out.contains('['), "{out}");
    run(folder.path(), &["odds", "fly: breeze"], 2);
    let (_, err) = run(folder.path(), &["odds", "forward: breeze", "left:"], 2);
    assert!(err.contains("at one ply and none at another"), "{err}");
    // Both neighbours of the corner are calm beside.
    let walk = ["forward:", "left:", "forward:", "left:", "forward:", "left:", "forward: breeze"];
    let (_, err) = run(folder.path(), &[&["odds"][..], &walk].concat(), 2);
    assert!(err.contains("no cave fits") || err.contains("at one ply"), "{err}");
}

#[test]
fn odds_are_those_of_the_textbook() {
    // Russell and Norvig, Artificial Intelligence: A Modern Approach, section 13.6 (2nd edition):
    // breezes on both squares beside the start.
    let past = ["forward: breeze", "left: breeze", "left: breeze", "forward:", "right:"];
    let folder = tempfile::tempdir().unwrap();
    let arguments = [&["odds"][..], &past, &["forward: breeze"]].concat();
    let (out, _) = run(folder.path(), &arguments, 0);
    let pits = out.split("\n\n").next().unwrap();
    assert!(pits.contains("86.2") && pits.matches("31.0").count() == 2, "{out}");
}

fn root() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

#[test]
fn odds_understand_the_labels_of_any_engine() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let plain = run(path, &["odds", "left: breeze"], 0).0;
    for engine in ["bitboard", "prover"] {
        let name = format!("{engine}.jsonl");
        let record = ["record", "wumpus-4x4", "-n", "1", "--cap", "4", "--engine", engine];
        run(path, &[&record[..], &["--out", &name]].concat(), 0);
        let of_trial = run(path, &["odds", "--trials", &name], 0).0;
        assert!(of_trial.starts_with("pit"), "{of_trial}");
        let of_game = ["odds", "--game", "wumpus-4x4", "--engine", engine, "left: breeze"];
        assert_eq!(run(path, &of_game, 0).0, plain, "{engine}");
    }
    let (_, err) = run(path, &["odds", "--game", "tic-tac-toe-3x3", "a1:"], 2);
    assert!(!err.is_empty());
    run(path, &["odds", "--game", "wumpus-4x4", "--size", "5"], 2);
}

#[test]
fn agents_are_listed_with_what_can_be_set() {
    let folder = tempfile::tempdir().unwrap();
    let (out, _) = run(folder.path(), &["list", "--agents"], 0);
    for &agents::AgentKind { name, about, .. } in agents::AGENTS {
        assert!(out.contains(name) && out.contains(about), "{name}: {out}");
    }
    let line = out.lines().find(|line| line.contains("hyperplay") && line.contains("search"));
    let line = line.expect("a parameter of an agent");
    assert!(line.contains("playouts or uct"), "{line}");
    assert!(out.lines().any(|line| line.contains("uct") && line.contains("0.7")), "{out}");
}

#[test]
fn matches_show_what_agents_counted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let arguments = ["match", "hyperplay", "random", "--game", "kuhn-poker", "--games", "4"];
    let more = ["--iterations", "20", "--out", "m", "--quiet"];
    let all = [&arguments[..], &more].concat();
    let (out, _) = run(path, &all, 0);
    let line = out.lines().find(|line| line.starts_with("hyperplay: ")).expect(&out).to_owned();
    assert!(line.contains(" plies with "), "{line}");
    assert!(!out.contains("random: "), "{out}");
    // They are kept with the trials.
    let (again, _) = run(path, &all, 0);
    assert!(again.contains(&line), "{again}");
    let (csv, _) = run(path, &[&all[..], &["--csv"]].concat(), 0);
    assert!(csv.contains(" plies with "), "{csv}");
}

#[test]
fn positions_of_all_languages_are_boards() {
    let folder = tempfile::tempdir().unwrap();
    for (engine, words) in [
        ("prover", "1 . . .\n  a b c\n"),
        ("propnet", "1 . . .\n  a b c\n"),
        ("rbg", "1 . . .\n  a b c\n"),
        ("ludeme", "1 . . .\n  a b c\n"),
        ("bitboard", "1 . . .\n  a b c\n"),
    ] {
        let arguments = ["play", "tic-tac-toe-3x3", "--engine", engine, "--you", "all"];
        let (out, _) = run(folder.path(), &arguments, 0);
        assert!(out.contains(words), "{engine}: {out}");
    }
    for (engine, words) in [("ludeme", "N Knight"), ("prover", "N white knight")] {
        let arguments = ["play", "chess", "--engine", engine, "--you", "all"];
        let (out, _) = run(folder.path(), &arguments, 0);
        assert!(out.contains(words), "{engine}: {out}");
    }
}
