//! Tests of what scripts rely on: records, exit codes, manual pages, completions, games of one's
//! own beside the built-in ones.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::common::ggpbench;
use serde_json::Value;

const DOCUMENT: &str = include_str!("../../json.md");

/// The members of each kind of record with their types, as the document has them.
fn documented() -> BTreeMap<String, BTreeMap<String, String>> {
    let mut kinds: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    let mut kind = None;
    for line in DOCUMENT.lines() {
        if line.starts_with('#') {
            kind = line.strip_prefix("### ").map(|name| name.trim_matches('`').to_owned());
            if let Some(kind) = &kind {
                let before = kinds.insert(kind.clone(), BTreeMap::new());
                assert!(before.is_none(), "{kind} is documented twice");
            }
        }
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        if let (Some(kind), [member, of, _]) = (&kind, &cells[..])
            && member.starts_with('`')
        {
            let members = kinds.get_mut(kind).expect("it was entered above");
            members.insert(member.trim_matches('`').to_owned(), (*of).to_owned());
        }
    }
    kinds
}

/// True if a value is of a type, in the words of the document.
fn is_of(value: &Value, kind: &str) -> bool {
    if let Some(kind) = kind.strip_suffix(" or null") {
        return value.is_null() || is_of(value, kind);
    }
    if let Some(kind) = kind.strip_prefix("list of ") {
        return value.as_array().is_some_and(|items| items.iter().all(|item| is_of(item, kind)));
    }
    match kind {
        "text" => value.is_string(),
        "whole" => value.is_u64(),
        "number" => value.is_number(),
        "truth" => value.is_boolean(),
        "object" => value.is_object(),
        "pairs" => value.as_array().is_some_and(|pairs| {
            pairs.iter().all(|pair| pair[0].is_string() && pair[1].is_u64() && pair[2].is_null())
        }),
        "range" => {
            let names = value.as_object().map(|range| range.keys().cloned().collect::<Vec<_>>());
            let end = |name: &str| is_of(&value[name], "number or null");
            names.is_some_and(|names| names.iter().eq(["high", "low", "value"].iter()))
                && value["value"].is_number()
                && end("low")
                && end("high")
        }
        _ => panic!("the document has a type `{kind}`, which it does not explain"),
    }
}

/// Runs a command with `--json`, and checks each line against the document and the end against the
/// exit code.
fn records(folder: &Path, arguments: &[&str], code: i32) -> Vec<Value> {
    let documented = documented();
    let arguments: Vec<&str> = arguments.iter().copied().chain(["--json"]).collect();
    let output = ggpbench(folder, &arguments);
    let (out, err) =
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{arguments:?}\n{out}\n{err}");
    let mut all = Vec::new();
    for line in out.lines() {
        let record: Value = serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
        let kind = record["record"].as_str().unwrap_or_else(|| panic!("no kind: {line}"));
        let members = documented.get(kind).unwrap_or_else(|| panic!("undocumented: {line}"));
        for (name, value) in record.as_object().unwrap() {
            let of = match name.as_str() {
                "record" => "text",
                _ => members.get(name).unwrap_or_else(|| panic!("`{name}` of {line}")),
            };
            assert!(is_of(value, of.trim_end_matches(", optional")), "`{name}` is no {of}: {line}");
        }
        for (name, of) in members {
            let there = record.get(name).is_some() || of.ends_with(", optional");
            assert!(there, "`{name}` is missing: {line}");
        }
        all.push(record);
    }
    assert_eq!(all[0]["record"], "begin");
    assert_eq!(all[0]["command"], arguments[0]);
    let last = all.last().unwrap();
    assert_eq!((&last["record"], &last["exit"]), (&"end".into(), &code.into()), "{out}");
    all
}

/// A catalogue with one game, whose `.rbg` is of another game than its `.kif`.
fn faulty_game(folder: &Path) {
    let catalogue = games::Catalogue::embedded().unwrap();
    let text = |id: &str, language| {
        catalogue.get(id).unwrap().rules_in(language).unwrap().source.text().to_owned()
    };
    let game = folder.join("mine/torn");
    std::fs::create_dir_all(&game).unwrap();
    let manifest = "title = \"Torn\"\nplayers = 2\ncap = 100\nrules = \"None.\"\n\
        sources = \"A test.\"\n\n\
                    [descriptions]\nkif = \"rules.kif\"\nrbg = \"rules.rbg\"\n";
    std::fs::write(game.join("game.toml"), manifest).unwrap();
    let kif = text("tic-tac-toe-3x3", play::Language::Kif);
    std::fs::write(game.join("rules.kif"), kif).unwrap();
    let rbg = text("tic-tac-toe-5x5", play::Language::Rbg);
    std::fs::write(game.join("rules.rbg"), rbg).unwrap();
}

const OPTIONS: &str = r#"(game "Row" (players 2)
    (equipment { (board (square <Size:side>)) (piece "Stone" Each) })
    (rules (play (move Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Win)))))
(option "Size" <Size> args:{ <side> } { (item "3x3" <3> "Nine.")* (item "5x5" <5> "More.") })"#;

#[test]
fn records_are_those_of_the_document() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    faulty_game(path);
    std::fs::write(path.join("row.lud"), OPTIONS).unwrap();
    std::fs::write(path.join("large.lud"), OPTIONS.replace("<Size:side>", "1000001")).unwrap();
    // A mistake on the second line, and an escape sequence in a name.
    std::fs::write(path.join("bad.kif"), "(role x)\n(<= (legal x ?\u{1b}[2Jy\u{9b}) (role x))\n")
        .unwrap();
    std::fs::write(path.join("none.txt"), "no rules").unwrap();
    std::fs::create_dir(path.join("rules")).unwrap();
    std::fs::copy(path.join("mine/torn/rules.kif"), path.join("rules/t.kif")).unwrap();

    let own = ["--games", "mine"];
    let pair = ["tic-tac-toe-3x3", "--engines", "bitboard,rbg", "-q"];
    // Long enough that a pause of the machine is not most of a sample: a cell would be unchecked.
    let quick = ["--protocol", "0.2s", "--processes", "2", "--rounds", "1", "--via", "fast"];
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let mut commands: BTreeSet<String> = BTreeSet::new();
    let mut run = |arguments: &[&[&str]], code| {
        let all = records(path, &arguments.concat(), code);
        commands.insert(all[0]["command"].as_str().unwrap().to_owned());
        seen.extend(all.iter().map(|record| record["record"].as_str().unwrap().to_owned()));
        all
    };
    run(&[&["list"], &own], 0);
    run(&[&["list", "--agents"]], 0);
    run(&[&["list", "row.lud", "--options"]], 0);
    let first = run(&[&["run"], &pair, &quick, &["--out", "a"]], 0);
    // Without a proof, on one engine, in one process: worse, lacking a cell, and weaker.
    let weaker = ["tic-tac-toe-3x3", "--engines", "bitboard", "-q", "--no-verify"];
    let once = ["--protocol", "0.02s", "--processes", "1", "--rounds", "1", "--via", "fast"];
    run(&[&["run"], &weaker, &once, &["--out", "b"]], 0);
    run(&[&["run", "--resume", "a", "-q"]], 0);
    run(&[&["bench", "row.lud", "-q", "--no-verify", "--out", "c"], &once], 0);
    let sizes = ["study", "hex", "--sizes", "3", "--engines", "propnet", "-q", "--no-verify"];
    run(&[&sizes, &once, &["--out", "d"]], 0);
    run(&[&["compare", "a", "b"]], 1);
    run(&[&["rank", "a"]], 0);
    let proofs =
        run(&[&["verify", "torn", "-q", "--seconds", "0.05", "--engines", "rbg,propnet"], &own], 1);
    run(&[&["perft", "torn", "--depth", "1", "--engines", "rbg,propnet"], &own], 1);
    let analysed = ["analyse", "kuhn-poker", "rules", "bad.kif", "-q", "--engines"];
    run(&[&analysed, &["bitboard,prover"]], 1);
    let checked = run(&[&["check", "bad.kif", "row.lud", "large.lud", "none.txt"]], 1);
    run(&[&["conform", "rules", "-q", "--play", "0.02", "--engines", "prover,propnet"]], 0);
    run(&[&["inspect", "tic-tac-toe-3x3", "--engines", "propnet", "--dot", "net.dot"]], 0);
    run(&[&["inspect", "connect-4-6x7", "--engines", "rbg", "--ir", "code.txt"]], 0);
    run(&[&["inspect", "bad.kif", "--engines", "propnet"]], 1);
    let children = run(&[&["mutate", "row.lud", "--children", "3", "--edits", "2"]], 0);
    std::fs::write(path.join("a.pgn"), "1. e4 e5 2. Ke3 * 1. e4 * 1. e4) *").unwrap();
    let replayed = run(&[&["replay", "a.pgn", "--engine", "bitboard"]], 1);

    let of = |all: &[Value], kind: &str| -> Vec<Value> {
        all.iter().filter(|record| record["record"] == kind).cloned().collect()
    };
    // What the records say is what the commands without `--json` say.
    assert_eq!(of(&first, "verified").len(), 2);
    assert!(of(&first, "sample").iter().filter(|row| row["phase"] == "sample").count() >= 4);
    let cells = of(&first, "cell");
    assert_eq!(cells.len(), 2);
    assert!(cells.iter().all(|cell| cell["verdict"] == "ok" && cell["rate"]["value"].is_number()));
    let differing = of(&proofs, "pair");
    assert_eq!(differing[0]["agree"], false);
    assert!(differing[0]["difference"].as_str().unwrap().contains("legal actions"));
    let diagnostics = of(&checked, "diagnostic");
    assert!(
        diagnostics.iter().any(|d| d["file"] == "bad.kif" && d["line"] == 2),
        "{diagnostics:?}"
    );
    assert_eq!(of(&checked, "file").len(), 4);
    assert_eq!(of(&checked, "refusal")[0]["status"], "too large");
    assert_eq!(of(&children, "child").len(), 3);
    let found = of(&replayed, "replayed");
    let found: Vec<&str> = found.iter().filter_map(|game| game["finding"].as_str()).collect();
    assert_eq!(found, ["WRONG", "stopped", "unreadable"]);

    let listed = DOCUMENT.split(" print ").next().unwrap().split('`').skip(1).step_by(2);
    let untried: Vec<&str> =
        listed.filter(|name| !name.starts_with('-') && !commands.contains(*name)).collect();
    assert!(untried.is_empty(), "{untried:?}: records of these commands are not looked at here");
    let missing: Vec<String> =
        documented().into_keys().filter(|kind| !seen.contains(kind)).collect();
    assert!(missing.is_empty(), "{missing:?}: documented, and printed by none of these commands");
}

#[test]
fn records_of_a_command_that_fails_end_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("faulty/game")).unwrap();
    std::fs::write(folder.path().join("faulty/game/game.toml"), "title = 1").unwrap();
    for (arguments, code, words) in [
        (&["list", "--games", "faulty"][..], 1, "the catalogue has faults"),
        (&["list", "--games", "nowhere"], 2, "nowhere: No such file"),
        (&["run", "conect-4-6x7"], 2, "connect-4-6x7"),
        (&["compare", "a", "b"], 2, "a: No such file"),
    ] {
        let all = records(folder.path(), arguments, code);
        assert_eq!(all.len(), 2, "{all:?}");
        let said = all[1]["error"].as_str().expect("there is a reason");
        assert!(said.contains(words), "{said}");
    }
    // What is no command line prints no record.
    let output = ggpbench(folder.path(), &["list", "--json", "--frobnicate"]);
    assert_eq!((output.status.code(), &*output.stdout), (Some(2), &b""[..]));
}

/// The table of `bench/README.md`, row by row; that of 141 and 130 is where pipes and signals are
/// tested.
#[test]
fn exit_codes_are_those_of_the_table() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    faulty_game(path);
    std::fs::write(path.join("bad.kif"), "(role x) (legal").unwrap();
    std::fs::write(path.join("row.lud"), OPTIONS).unwrap();
    let torn = ["--games", "mine", "--engines", "rbg,propnet"];
    let cases: [(&[&[&str]], i32); 13] = [
        (&[&["list"]], 0),
        (&[&["check", "row.lud"]], 0),
        // A file that an engine has no part of is an answer.
        (&[&["perft", "tic-tac-toe-3x3", "--depth", "2", "--budget", "5", "--engines", "rbg"]], 0),
        (&[&["check", "bad.kif"]], 1),
        (&[&["check", "nowhere.lud"]], 2),
        (&[&["bench", "nowhere.lud"]], 2),
        (&[&["report", "nowhere"]], 2),
        (&[&["verify", "torn", "-q", "--seconds", "0.05"], &torn], 1),
        (&[&["perft", "torn", "--depth", "1"], &torn], 1),
        (&[&["perft", "bad.kif", "--depth", "1", "--engines", "rbg,propnet"]], 1),
        (&[&["perft", "nowhere", "--depth", "1"]], 2),
        (&[&["list", "--no-builtin"]], 2),
        (&[&["conform", "mine", "--frobnicate"]], 2),
    ];
    for (arguments, code) in cases {
        let output = ggpbench(path, &arguments.concat());
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
    }
    let readme = include_str!("../../README.md");
    let table = readme.split("### Exit codes").nth(1).unwrap().split("\n#").next().unwrap();
    let codes: Vec<&str> = table
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.split(" | ").next())
        .filter(|cell| cell.parse::<u8>().is_ok())
        .collect();
    assert_eq!(codes, ["0", "1", "2", "130", "141"]);
}

#[test]
fn games_of_ones_own_stand_beside_the_built_in_ones() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    faulty_game(path);
    let games = |arguments: &[&str]| -> Vec<String> {
        let all = records(path, arguments, 0);
        let games = all.iter().filter(|record| record["record"] == "game");
        games.map(|game| game["game"].as_str().unwrap().to_owned()).collect()
    };
    let (built_in, with_own) = (games(&["list"]), games(&["list", "--games", "mine"]));
    assert_eq!(with_own.len(), built_in.len() + 1);
    assert_eq!(games(&["list", "--games", "mine", "--no-builtin"]), ["torn"]);
    // Both kinds in one run; and where no game is named, those of the folder.
    let quick = ["--protocol", "0.01s", "--processes", "1", "--via", "fast", "-q", "--no-verify"];
    let own = ["--engines", "propnet", "--games", "mine"];
    let measured = |named: &[&str], out: &str| {
        let out = ["--out", out];
        let all = records(path, &[&["run"], named, &own[..], &quick, &out].concat(), 0);
        let cells = all.iter().filter(|record| record["record"] == "cell");
        cells.map(|cell| cell["game"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(measured(&["torn", "hanoi-3"], "a"), ["torn", "hanoi-3"]);
    assert_eq!(measured(&[], "b"), ["torn"]);
    // A game of one's own takes the place of a built-in one with its id.
    std::fs::rename(path.join("mine/torn"), path.join("mine/hanoi-3")).unwrap();
    let all = records(path, &["list", "--games", "mine"], 0);
    let hanoi: Vec<&Value> = all.iter().filter(|record| record["game"] == "hanoi-3").collect();
    assert_eq!((hanoi.len(), hanoi[0]["title"].as_str()), (1, Some("Torn")));
    // A title stands for one game.
    std::fs::rename(path.join("mine/hanoi-3"), path.join("mine/torn")).unwrap();
    let manifest = path.join("mine/torn/game.toml");
    let text = std::fs::read_to_string(&manifest).unwrap().replace("Torn", "Chess");
    std::fs::write(&manifest, text).unwrap();
    let output = ggpbench(path, &["list", "--games", "mine"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(said.contains("the title `Chess` is taken"), "{said}");
}

#[test]
fn manual_pages_know_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let commands = ["run", "verify", "perft", "conform", "man", "universal"];
    let page = String::from_utf8(ggpbench(path, &["man"]).stdout).unwrap();
    assert!(page.contains(".TH ggpbench 1") && page.contains("Exit codes"), "{page}");
    assert!(ggpbench(path, &["man", "--out", "man1"]).status.success());
    for command in commands {
        assert!(page.contains(&format!("ggpbench\\-{command}(1)")), "{command}: {page}");
        let own = std::fs::read_to_string(path.join(format!("man1/ggpbench-{command}.1"))).unwrap();
        assert!(own.contains("DESCRIPTION") && own.contains("OPTIONS"), "{own}");
    }
    // What is for the harness alone has no page.
    assert!(!path.join("man1/ggpbench-worker.1").exists());
}
