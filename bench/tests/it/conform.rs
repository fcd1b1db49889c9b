//! `ggpbench conform` on small folders.

use std::path::Path;
use std::process::Output;

use crate::common::{COIN, GUESS, ggpbench};
use bench::conform::{Record, Row};
use reports::Verdict;

const RECORD: &str = r#"{"sheet":"coin.kif","roles":["even","odd"]}
{"trial":1}
{"n":[2,2],"legal":[["heads","tails"],["heads","tails"]],"does":["heads","tails"]}
{"end":"over","depth":1,"goals":[0,100]}
"#;

fn conform(folder: &Path, more: &[&str]) -> Output {
    conform_on("prover,propnet", folder, more)
}

fn conform_on(engines: &str, folder: &Path, more: &[&str]) -> Output {
    let conform = ["conform", "rules", "--out", "out", "--engines", engines, "--quiet"];
    ggpbench(folder, &[&conform[..], &["--play", "0.02", "--jobs", "2"], more].concat())
}

fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().expect("it is in a folder")).expect("it can be made");
    std::fs::write(path, text).expect("it can be written");
}

fn text(folder: &Path) -> String {
    std::fs::read_to_string(folder.join("out/rows.csv")).expect("there are rows")
}

fn rows(folder: &Path) -> Vec<Row> {
    csv::Reader::from_reader(text(folder).as_bytes())
        .deserialize()
        .collect::<Result<_, _>>()
        .expect("they are rows")
}

#[test]
fn a_folder_becomes_rows_and_a_summary() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(folder, "rules/coin.kif", COIN);
    write(folder, "rules/deeper/lonely.kif", COIN);
    write(folder, "rules/deeper/broken.kif", "(role a) (init (p 1)) (<= terminal (true (q ?x)) (");
    write(folder, "rules/notes.txt", "not a rule file");
    write(folder, "traces/coin.jsonl", RECORD);
    let output = conform(folder, &["--traces", "traces"]);
    let shown = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{shown}{}", String::from_utf8_lossy(&output.stderr));
    let rows = rows(folder);
    let pairs: Vec<_> = rows.iter().map(|r| (r.file.as_str(), r.engine.as_str())).collect();
    let files = ["coin.kif", "deeper/broken.kif", "deeper/lonely.kif"];
    let expected: Vec<_> = files.iter().flat_map(|f| [(*f, "prover"), (*f, "propnet")]).collect();
    let mut expected = expected;
    expected.sort_unstable();
    assert_eq!(pairs, expected);
    for row in &rows {
        let broken = row.file.contains("broken");
        assert_eq!(row.status, if broken { Verdict::Invalid } else { Verdict::Ok }, "{row:?}");
        assert_eq!(row.plays(), !broken);
        if broken {
            assert!(row.reason.starts_with("deeper/broken.kif:1:"), "{}", row.reason);
        } else {
            assert_eq!((row.players, row.mean_plies), (2, Some(2.0)));
            assert!(row.peer_walks >= 2 && row.peer_depth.is_some(), "{row:?}");
        }
    }
    let prover = rows.iter().find(|r| r.file == "coin.kif" && r.engine == "prover").unwrap();
    assert_eq!((prover.record, prover.trials, prover.record_plies), (Record::Agrees, 1, 1));
    assert!(shown.contains("| ok") && shown.contains("| invalid"), "{shown}");
    let summary = std::fs::read_to_string(folder.join("out/summary.md")).unwrap();
    assert!(shown.starts_with(&summary), "{shown}");
    assert!(!text(folder).contains(folder.to_str().unwrap()), "no paths of this machine");
}

#[test]
fn it_goes_on_where_it_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for name in ["a", "b", "c"] {
        write(folder, &format!("rules/{name}.kif"), COIN);
    }
    assert!(conform(folder, &[]).status.success());
    let whole = text(folder);
    // As after a stop: the rows of `a` (marked, to be known again), one of `b` and a piece of the
    // other.
    let mut lines: Vec<String> = whole.lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), 7, "{whole}");
    for line in &mut lines[1..3] {
        *line = line.replace(",ok,,", ",ok,marked,");
        assert!(line.contains("marked"), "{line}");
    }
    let stopped = format!("{}\n{}", lines[..4].join("\n"), &lines[4][..20]);
    write(folder, "out/rows.csv", &stopped);
    assert!(conform(folder, &[]).status.success());
    let marked = |folder: &Path| -> Vec<(String, bool)> {
        rows(folder).into_iter().map(|r| (r.file, r.reason == "marked")).collect()
    };
    let expect = |marks: [bool; 3]| -> Vec<(String, bool)> {
        let names = ["a.kif", "b.kif", "c.kif"];
        let both = |(n, m): (&&str, bool)| vec![((*n).to_owned(), m); 2];
        names.iter().zip(marks).flat_map(both).collect()
    };
    assert_eq!(marked(folder), expect([true, false, false]));
    // A file that has changed is done again; one that is gone is dropped; so is what is asked for.
    write(folder, "rules/a.kif", &format!("{COIN}; another text"));
    std::fs::remove_file(folder.join("rules/c.kif")).unwrap();
    assert!(conform(folder, &[]).status.success());
    assert_eq!(marked(folder), expect([false, false, false])[..4]);
    let text = text(folder).replace(",ok,,", ",timeout,marked,");
    write(folder, "out/rows.csv", &text);
    assert_eq!(conform(folder, &[]).status.code(), Some(1));
    assert!(conform(folder, &["--again", "timeout"]).status.success());
    assert_eq!(marked(folder), expect([false, false, false])[..4]);
}

#[test]
fn a_wrong_record_is_wrong_unless_it_is_known_to_be_mistaken() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(folder, "rules/coin.kif", COIN);
    write(folder, "rules/other.kif", COIN);
    write(folder, "traces/coin.jsonl", &RECORD.replace("[0,100]", "[100,0]"));
    // Of another version of the file: it says nothing.
    write(folder, "traces/other.jsonl", &RECORD.replace("{\"sheet", "{\"sha256\":\"00\",\"sheet"));
    write(folder, "mistakes.csv", "file,reason\ncoin.kif,the recorder lost\n");
    let output = conform(folder, &["--traces", "traces"]);
    assert_eq!(output.status.code(), Some(1));
    let prover = |file: &str| {
        rows(folder).into_iter().find(|r| r.engine == "prover" && r.file == file).unwrap()
    };
    let row = prover("coin.kif");
    assert_eq!((row.status, row.record), (Verdict::Wrong, Record::Differs));
    assert!(row.reason.contains("goals: expected 100"), "{}", row.reason);
    let row = prover("other.kif");
    assert_eq!((row.status, row.record), (Verdict::Ok, Record::NotReplayed));
    let more = ["--traces", "traces", "--mistakes", "mistakes.csv", "--again", "WRONG"];
    assert!(conform(folder, &more).status.success());
    let row = prover("coin.kif");
    assert_eq!((row.status, row.record), (Verdict::Ok, Record::Mistaken));
    assert!(row.record_note.starts_with("the recorder lost (trial 1"), "{}", row.record_note);
}

#[test]
fn figures_of_another_system_are_compared() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(folder, "rules/coin.kif", COIN);
    write(folder, "rules/deeper/coin.kif", COIN);
    write(folder, "rules/deeper/lonely.kif", COIN);
    let right = r#"{"perft": [2, 4, 0], "mean_turns": 2.0, "playouts": 100000, "speed": 1e6}"#;
    let write_oracle = |other: &str| {
        write(
            folder,
            "oracle.json",
            &format!(r#"{{"coin": {right}, "deeper/coin.kif": {other}}}"#),
        );
    };
    let row = |file: &str| rows(folder).into_iter().find(|r| r.file == file).unwrap();
    write_oracle(r#"{"perft": [2, 5]}"#);
    assert_eq!(conform(folder, &["--oracle", "oracle.json"]).status.code(), Some(1));
    let sound = row("coin.kif");
    assert_eq!((sound.status, sound.figures), (Verdict::Ok, Record::Agrees));
    assert_eq!((sound.perft_depth, sound.perft_leaves), (Some(3), Some(0)));
    assert_eq!((sound.moves, sound.moves_known), (Some(2.0), Some(2.0)));
    let wrong = row("deeper/coin.kif");
    assert_eq!((wrong.status, wrong.figures), (Verdict::Wrong, Record::Differs));
    assert_eq!((wrong.perft_depth, wrong.perft_known), (Some(1), Some(2)));
    assert!(wrong.figures_note.contains("leaves [2, 4], expected [2, 5]"), "{wrong:?}");
    assert_eq!(row("deeper/lonely.kif").figures, Record::None);
    // A mean that is off, and one that is known to be.
    write_oracle(r#"{"mean_turns": 3.0}"#);
    let again = ["--oracle", "oracle.json", "--again", "WRONG"];
    assert_eq!(conform(folder, &again).status.code(), Some(1));
    let wrong = row("deeper/coin.kif");
    assert!(wrong.figures_note.starts_with("mean moves 2.000"), "{wrong:?}");
    write(folder, "mistakes.csv", "file,reason\ndeeper/coin.kif,a misprint\n");
    let excused = [&again[..], &["--mistakes", "mistakes.csv"]].concat();
    let output = conform(folder, &excused);
    assert!(output.status.success());
    let row = row("deeper/coin.kif");
    assert_eq!((row.status, row.figures), (Verdict::Ok, Record::Mistaken));
    assert!(row.figures_note.starts_with("a misprint (mean moves"), "{row:?}");
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(shown.contains("## Published figures by file"), "{shown}");
}

/// An engine that answers what other systems can be compared by, and dies of the first playout.
const BRITTLE: &str = r#"
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    command = request["cmd"]
    if command == "run":
        sys.exit("out of breath")
    answer = {
        "hello": {
            "protocol": 1, "engine": "brittle", "version": "1", "languages": ["kif"], "rng": "",
        },
        "load": {"players": 2, "compile_ns": 1},
        "perft": [2, 4][: request.get("depth")],
        "replay": {"trials": 1, "agreed": AGREED, "plies": 1, "difference": "trial 1"},
    }[command]
    print(json.dumps({"ok": answer}), flush=True)
"#;

#[test]
fn what_others_say_is_compared_before_anything_is_played() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(folder, "rules/coin.kif", COIN);
    write(folder, "traces/coin.jsonl", RECORD);
    write(folder, "oracle.json", r#"{"coin": {"perft": [2, 4], "mean_turns": 2.0}}"#);
    let engines = r#"[[engine]]
name = "brittle"
command = ["python3", "brittle.py"]
languages = ["kif"]"#;
    write(folder, "mine.toml", engines);
    let row = |agreed: &str, more: &[&str]| {
        write(folder, "brittle.py", &BRITTLE.replace("AGREED", agreed));
        let given = ["--engines-file", "mine.toml", "--engines", "brittle", "--again", "crashed"];
        let conform = ["conform", "rules", "--out", "out", "--quiet"];
        let output = ggpbench(folder, &[&conform[..], &given, more].concat());
        assert_eq!(output.status.code(), Some(1));
        rows(folder).pop().expect("a row")
    };
    let figures = row("1", &["--oracle", "oracle.json"]);
    assert_eq!((figures.status, figures.figures), (Verdict::Crashed, Record::Agrees));
    assert_eq!((figures.perft_depth, figures.perft_leaves), (Some(2), Some(4)));
    assert_eq!(figures.lengths, Record::Unchecked);
    let right = row("1", &["--traces", "traces"]);
    assert_eq!((right.status, right.record), (Verdict::Crashed, Record::Agrees));
    let wrong = row("0", &["--traces", "traces"]);
    assert_eq!((wrong.status, wrong.record), (Verdict::Wrong, Record::Differs));
    assert!(wrong.reason.starts_with("recorded games differ: trial 1"), "{}", wrong.reason);
}

#[test]
fn a_sample_that_is_cut_tells_nothing_about_the_mean() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(folder, "rules/cut.kif", COIN);
    write(folder, "rules/whole.kif", COIN);
    // Two moves a playout. The cap is raised to what the mean needs, which is nothing for the
    // first.
    write(folder, "oracle.json", r#"{"cut": {"mean_turns": 0.1}, "whole": {"mean_turns": 2.0}}"#);
    let output = conform(folder, &["--oracle", "oracle.json", "--cap", "1"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
    for row in rows(folder) {
        let expected = if row.file == "cut.kif" { Record::Unchecked } else { Record::Agrees };
        assert_eq!((row.figures, row.lengths), (expected, expected), "{row:?}");
        assert_ne!(row.status, Verdict::Wrong, "{row:?}");
        assert_eq!(row.figures_note.contains("take more than 1 moves"), row.file == "cut.kif");
    }
}

#[test]
fn tables_hold_no_escape_sequences_formulas_or_html() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let names = ["=1+1", "<img src=x>", "red\u{1b}[31m", "a|b"];
    for name in names {
        write(
            folder,
            &format!("rules/{name}.kif"),
            &format!("{COIN} (<= up (up <img>)) \u{1b}[2J"),
        );
    }
    conform(folder, &[]);
    let csv = text(folder);
    let summary = std::fs::read_to_string(folder.join("out/summary.md")).unwrap();
    assert!(!csv.contains('\u{1b}') && !summary.contains('\u{1b}'), "{csv}{summary}");
    assert!(csv.contains("\n'=1+1.kif,"), "{csv}");
    assert!(!summary.contains("<img"), "{summary}");
    assert!(rows(folder).iter().any(|row| row.file == "=1+1.kif"), "names are read back");
    assert_eq!(rows(folder).len(), 2 * names.len());
    // The same files are known again.
    conform(folder, &[]);
    assert_eq!(text(folder), csv);
}

fn record(folder: &Path, arguments: &[&str]) -> Output {
    ggpbench(folder, &[&["record"], arguments, &["--format", "traces"]].concat())
}

#[test]
fn traces_that_are_written_agree_and_changed_ones_do_not() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(folder, "rules/coin.kif", COIN);
    // Who guesses is told whether the card is odd.
    let odd = "(odd 1) (odd 3) (<= (sees guesser odd) (does random (deal ?c)) (odd ?c))";
    write(folder, "rules/deal.kif", &format!("{GUESS}{odd}"));
    std::fs::create_dir(folder.join("traces")).unwrap();
    for name in ["coin", "deal"] {
        let (rules, out) = (format!("rules/{name}.kif"), format!("traces/{name}.jsonl"));
        let output = record(folder, &[&rules, "-n", "6", "--out", &out]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let output = conform(folder, &["--traces", "traces"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    for row in rows(folder) {
        assert_eq!(row.record, Record::Agrees, "{row:?}");
    }
    let trace = std::fs::read_to_string(folder.join("traces/deal.jsonl")).unwrap();
    assert!(trace.contains(r#""legal":[["noop"],["(deal 1)","(deal 2)","(deal 3)"]]"#), "{trace}");
    assert!(trace.contains(r#""sees":[["odd"],[]]"#) && trace.contains(r#""true":["(step 1)"]"#));
    for (from, to) in [
        (r#""sees":[["odd"],[]]"#, r#""sees":[["even"],[]]"#),
        (r#""true":["(step 1)"]"#, r#""true":["(step 7)"]"#),
        (r#""does":["noop","(deal 3)"]"#, r#""does":["noop","(deal 2)"]"#),
    ] {
        assert!(trace.contains(from), "{from} in\n{trace}");
        write(folder, "traces/deal.jsonl", &trace.replacen(from, to, 1));
        std::fs::remove_dir_all(folder.join("out")).unwrap();
        assert_eq!(conform(folder, &["--traces", "traces"]).status.code(), Some(1), "{to}");
        let all = rows(folder);
        let prover = all.iter().find(|r| r.file == "deal.kif" && r.engine == "prover").unwrap();
        assert_eq!(prover.record, Record::Differs, "{to}: {prover:?}");
    }
}

#[test]
fn traces_of_ludemes_agree() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let lud = concat!(env!("CARGO_MANIFEST_DIR"), "/../games/catalogue/ashtapada/rules.lud");
    write(folder, "rules/race.lud", &std::fs::read_to_string(lud).unwrap());
    std::fs::create_dir(folder.join("traces")).unwrap();
    let arguments = ["rules/race.lud", "-n", "2", "--cap", "40", "--out", "traces/race.jsonl"];
    let output = record(folder, &arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let output = conform_on("ludeme", folder, &["--traces", "traces"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    let all = rows(folder);
    assert!(all.iter().any(|row| row.record == Record::Agrees && row.trials == 2), "{all:?}");
}

/// A board of three by three, or of another size.
const SIZED: &str = "(game \"Sized\" (players 2)\r  (equipment { (board (square <Size:it>)) \
    (piece \"Disc\" Each) }) // an option\r  (rules (play (move Add (to (sites Empty)))) \
    (end (if (is Line 3) (result Mover Win)))))\r(option \"Board Size \" <Size> args:{<it>} { \
    (item \"3x3\" <3> \"\")* (item \"4x4\" <4> \"\") (item \"5x5\" <5> \"\") })\r";

#[test]
fn files_are_played_with_other_options() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(folder, "rules/sized.lud", SIZED);
    write(folder, "rules/other.lud", &SIZED.replace("Board Size", "Length"));
    std::fs::create_dir_all(folder.join("traces/sized/Board Size")).unwrap();
    let option = ["--option", "Board Size/4x4"];
    let out = "traces/sized/Board Size/4x4.jsonl";
    let output =
        record(folder, &[&option[..], &["rules/sized.lud", "-n", "2", "--out", out]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(
        std::fs::read_to_string(folder.join(out)).unwrap().contains("\"options\":[\"Board Size")
    );
    let files = |rows: &[Row]| rows.iter().map(|row| row.file.clone()).collect::<Vec<_>>();
    let with = |more: &[&str]| {
        let _ = std::fs::remove_dir_all(folder.join("out"));
        let output = conform_on("ludeme", folder, &[&["--traces", "traces"], more].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        rows(folder)
    };
    let mut all = with(&["--all-options"]);
    all.retain(|row| row.file.starts_with("sized"));
    let sized = ["sized.lud", "sized.lud [Board Size/4x4]", "sized.lud [Board Size/5x5]"];
    assert_eq!(files(&all), sized);
    let agree = all.iter().map(|row| row.record == Record::Agrees).collect::<Vec<_>>();
    assert_eq!(agree, [false, true, false], "{all:?}");
    assert_eq!(files(&with(&["--option", "Board Size /5x5"])), ["sized.lud [Board Size/5x5]"]);
    let output = conform_on("ludeme", folder, &["--option", "Board Size/6x6"]);
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn traces_are_of_languages_that_engines_write() {
    let folder = tempfile::tempdir().unwrap();
    let said = |arguments: &[&str]| {
        let output = record(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    write(folder.path(), "game.rbg", "#players = white(100), black(100)\n");
    assert!(said(&["game.rbg"]).contains("rule files in KIF or ludemes"));
    assert!(said(&["dara", "--engine", "prover"]).contains("rule files in KIF or ludemes"));
    assert!(said(&["hanoi-3", "--engine", "propnet"]).contains("`prover` and `ludeme`"));
}
