//! Games in the formats of other programs, followed on all engines. The samples in `tests/records`
//! were played by agents of ours, or written for these tests.

use std::path::Path;

use serde_json::Value;

use crate::common::ggpbench;

/// The folder of samples.
fn samples() -> String {
    format!("{}/tests/records", env!("CARGO_MANIFEST_DIR"))
}

/// Runs `replay`, which must end with this code; its output.
fn replay(folder: &Path, arguments: &[&str], code: i32) -> String {
    let output = ggpbench(folder, &[&["replay"], arguments].concat());
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}\n{said}\n{complaints}");
    said
}

/// Writes a file and replays it.
fn replay_text(name: &str, text: &str, more: &[&str], code: i32) -> String {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(name), text).unwrap();
    replay(folder.path(), &[&[name], more].concat(), code)
}

#[test]
fn samples_of_all_formats_are_followed_on_every_engine() {
    let folder = tempfile::tempdir().unwrap();
    let said = replay(folder.path(), &[&samples(), "--json"], 0);
    let records: Vec<Value> = said.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    let mut found = std::collections::BTreeMap::<(String, u64), (Vec<String>, Vec<String>)>::new();
    for record in records.iter().filter(|record| record["record"] == "replayed") {
        let text = |name: &str| record[name].as_str().unwrap().to_owned();
        let file = text("file").rsplit('/').next().unwrap().to_owned();
        let (engines, findings) =
            found.entry((file, record["line"].as_u64().unwrap())).or_default();
        engines.push(text("engine"));
        findings.push(format!("{} {}", text("finding"), record["plies"]));
        findings.dedup();
    }
    let found: Vec<String> = found
        .iter()
        .map(|((file, line), (engines, found))| {
            format!("{file}:{line} {} {found:?}", engines.len())
        })
        .collect();
    let expected = [
        "chess.pgn:1 7 [\"ended 55\"]",
        "chess.pgn:12 7 [\"ended 4\"]",
        "chess.pgn:19 7 [\"stopped 28\"]",
        "chess.pgn:26 7 [\"stopped 7\"]",
        "draughts.pdn:1 7 [\"ended 146\"]",
        "draughts.pdn:23 7 [\"ended 137\"]",
        "go.sgf:1 2 [\"ended 20\"]",
        "hex.sgf:1 7 [\"ended 26\"]",
        "othello.sgf:1 7 [\"ended 60\"]",
        "tic-tac-toe.json:10 3 [\"ended 5\"]",
        "tic-tac-toe.trl:1 1 [\"ended 5\"]",
        "tic-tac-toe.xml:9 3 [\"ended 5\"]",
    ];
    assert_eq!(found, expected);
    // All results are compared.
    let unsaid = |record: &&Value| record["finding"] == "ended" && !record["reason"].is_null();
    assert!(!records.iter().any(|record| unsaid(&record)), "{said}");
    let sums = records.iter().find(|record| record["record"] == "replays").unwrap();
    assert_eq!((&sums["games"], &sums["wrong"]), (&12.into(), &0.into()));
    // One engine, one game.
    let pgn = format!("{}/chess.pgn", samples());
    let said = replay(folder.path(), &[&pgn, "--engine", "rbg", "--trial", "2"], 0);
    assert!(said.contains("1 game in 1 file: 1 followed to the end"), "{said}");
    assert!(said.contains("rbg") && !said.contains("ludeme"), "{said}");
}

#[test]
fn what_differs_is_shown_with_its_place_and_what_would_be_legal() {
    let quick = ["--engine", "bitboard"];
    let chess = |text: &str, code| replay_text("a.pgn", text, &quick, code);
    let said = chess("1. e4 e5\n2. Nf3 Nc6 3. Bb6 *", 1);
    for words in [
        "error[illegal-move]: `Bb6` is none of the 27 legal moves",
        "a.pgn:2:15",
        "^^^",
        "legal here: ",
        "on bitboard",
        "1 wrong",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    let said = chess("1. Nc3 e6 2. e4 Bb4 3. Ne2 *", 1);
    assert!(said.contains("it may mean g1e2 or c3e2"), "{said}");
    // In check by a pin only one of them may move.
    chess("1. e4 e6 2. Nc3 Bb4 3. d4 d6 4. Ne2 *", 0);
    let mate = "1. f3 e5 2. g4 Qh4#";
    let said = chess(&format!("{mate} 1-0"), 1);
    assert!(
        said.contains("the record says that player 1 has won; the game ended 0 to 100"),
        "{said}"
    );
    let said = chess(&format!("{mate} 3. a3 0-1"), 1);
    assert!(said.contains("the record goes on after ply 4, where the game is over"), "{said}");
    let said = chess("1. e4 e5 2. Bc4# 1-0", 1);
    assert!(said.contains("the record ends the game, which goes on"), "{said}");
    // A resignation is no end.
    assert!(chess("1. e4 e5 0-1", 0).contains("1 stopped early"));
    // A draw by other rules than the record's is told, and no fault.
    let shuffle = "1. Nf3 Nf6 2. Ng1 Ng8 ".repeat(25);
    let said = chess(&format!("{shuffle} 3. e4 1/2-1/2"), 0);
    assert!(
        said.contains("ended earlier: a draw by the rules of this game after 100 plies"),
        "{said}"
    );
    let go = |text: &str, code| replay_text("a.sgf", text, &quick, code);
    let said = go("(;SZ[9];B[ee];B[dd])", 1);
    assert!(said.contains("player 2 moves here, not player 1"), "{said}");
    // Black has taken a stone, and White may not take back at once.
    let ko = "(;SZ[9];B[ba];W[ca];B[ab];W[db];B[bc];W[cc];B[cb];W[bb];B[cb])";
    assert!(go(ko, 1).contains("error[illegal-move]: `[cb]`, here `c8`,"));
    // A pass that nobody is forced to make.
    let said = replay_text("a.sgf", "(;GM[2];B[dc];W[])", &quick, 1);
    assert!(said.contains("illegal-move"), "{said}");
    let said = replay_text("a.pdn", "1. 11-15 22-18 2. 15x23 *", &quick, 1);
    assert!(said.contains("`15x23`, here d4 to d6,"), "{said}");
    // Several jumps by their ends, by all their squares, and move by move.
    for jumps in ["24x8", "24x15x8", "24x15 15x8"] {
        let text =
            format!("1. 11-15 23-19 2. 8-11 22-17 3. 15-18 19-15 4. 10x19 {jumps} 5. 4x11 *");
        replay_text("a.pdn", &text, &quick, 0);
    }
    let short = "1. 11-15 23-19 2. 8-11 22-17 3. 15-18 19-15 4. 10x19 24x15 5. 4x11 *";
    let said = replay_text("a.pdn", short, &quick, 1);
    assert!(said.contains("the piece has to go on from there"), "{said}");
}

#[test]
fn matches_and_trials_that_differ_are_told_with_their_steps() {
    let sample = |name: &str| std::fs::read_to_string(format!("{}/{name}", samples())).unwrap();
    let json = sample("tic-tac-toe.json");
    let changed = |from: &str, to: &str, words: &str| {
        let text = json.replacen(from, to, 1);
        assert_ne!(text, json);
        let said = replay_text("a.json", &text, &["--engine", "prover"], 1);
        assert!(said.contains(words), "{said}");
    };
    changed("( mark c 1 )", "( mark a 1 )", "the record differs at step 3: an action that is not");
    changed("( cell b 2 x ) ( cell a 1 o )", "( cell b 2 o ) ( cell a 1 o )", "at step 3: state");
    changed("[100, 0]", "[0, 100]", "goals");
    changed("[\"( mark a 3 )\", \"NOOP\"]", "[\"( mark a 2 )\", \"NOOP\"]", ": end");
    let trial = sample("tic-tac-toe.trl");
    for (from, to, words) in [
        ("from=2,to=2", "from=0,to=0", "the record differs at step 3: play"),
        ("rankings=0.0,1.0,2.0", "rankings=0.0,2.0,1.0", "end"),
    ] {
        let text = trial.replacen(from, to, 1);
        assert_ne!(text, trial);
        let said = replay_text("a.trl", &text, &[], 1);
        assert!(said.contains(words), "{said}");
    }
    // The rules lie beside the record, or are named.
    let folder = tempfile::tempdir().unwrap();
    let rules = crate::common::COIN;
    std::fs::write(folder.path().join("coin.kif"), rules).unwrap();
    let text =
        r#"{"gameMetaURL":"http://x/coin/","moves":[["heads","heads"]],"goalValues":[100,0]}"#;
    std::fs::write(folder.path().join("m.json"), text).unwrap();
    let said = replay(folder.path(), &["m.json"], 0);
    assert!(said.contains("1 followed to the end"), "{said}");
    std::fs::write(folder.path().join("m.json"), text.replace("coin", "toss")).unwrap();
    let said = replay(folder.path(), &["m.json"], 1);
    assert!(said.contains("its rules `toss.kif` do not lie beside it"), "{said}");
    replay(folder.path(), &["m.json", "--game", "coin.kif"], 0);
}

#[test]
fn records_begin_at_their_own_positions() {
    let mates = "[FEN \"7k/8/6K1/8/8/8/8/R7 w - - 0 1\"] 1. Ra8# 1-0\n\n\
                 [FEN \"r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1\"] 1... O-O-O 2. Ke2 Rhe8+ 1/2-1/2\n";
    let said = replay_text("a.pgn", mates, &[], 0);
    assert!(said.contains("1 followed to the end, 1 stopped early, 0 ended"), "{said}");
    let slip = mates.replace("Ra8#", "Rb2");
    let said = replay_text("a.pgn", &slip, &["--engine", "rbg"], 1);
    assert!(said.contains("`Rb2` is none of the 20 legal moves"), "{said}");
    let king = "[FEN \"W:WK10:B14\"] 1. 10x17 0-2";
    let said = replay_text("a.pdn", king, &[], 0);
    assert!(said.contains("1 followed to the end"), "{said}");
}

#[test]
fn stones_that_are_set_up_are_followed_on_every_engine_of_the_game() {
    let top_down = "[e2][e3][e4][e5][e6][e7][e8][e9]";
    for (text, least, finding) in [
        // Black has a handicap: White moves first, and one pass of each ends the game.
        ("(;SZ[9]HA[2]AB[cc][gg];W[ee];B[];W[])", 2, "ended 3"),
        ("(;SZ[9]HA[2]AB[cc][gg];W[];B[])", 2, "ended 2"),
        // White takes the stone that Black was given, who cannot put it back.
        ("(;SZ[9]HA[2]AB[aa][hh];W[ba];B[ii];W[ab];B[hi])", 2, "stopped 4"),
        ("(;SZ[9]HA[2]AB[aa][hh];W[ba];B[ii];W[ab];B[aa])", 2, "WRONG 3"),
        ("(;SZ[9]AB[aa]AW[bb]PL[W];B[dd])", 2, "WRONG 0"),
        // Hex: Black lacks a cell between the top and the bottom.
        (&*format!("(;GM[11]SZ[9]AB{top_down}PL[B]RE[B+];B[ea])"), 5, "ended 1"),
        (&*format!("(;GM[11]SZ[9]AB{top_down}RE[B+];W[aa];B[ea])"), 5, "ended 2"),
        ("(;GM[11]SZ[5]AB[aa]AW[bb];B[cc];W[dd])", 4, "stopped 2"),
        // Othello: nobody can move once White has no disc.
        ("(;GM[2]AB[aa]AW[ba]PL[B]RE[B+];B[ca])", 5, "ended 1"),
        ("(;GM[2]PL[W];W[ec])", 5, "stopped 1"),
        ("(;GM[2]PL[W];W[dc])", 5, "WRONG 0"),
        ("(;GM[4]SZ[7]AB[bc][cc][dc][ec]AW[aa]PL[B]RE[B+];B[fc])", 4, "ended 1"),
    ] {
        let said = replay_text("a.sgf", text, &["--json"], i32::from(finding.starts_with('W')));
        let records = said.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let records: Vec<Value> = records.filter(|r| r["record"] == "replayed").collect();
        assert!(records.len() >= least, "{text}: {said}");
        for record in records {
            let found = format!("{} {}", record["finding"].as_str().unwrap(), record["plies"]);
            assert_eq!(found, finding, "{text}: {record}");
        }
    }
    replay_text("a.sgf", "(;GM[11]AB[aa]AW[bb];B[cc];W[dd])", &["--engine", "bitboard"], 0);
}

#[test]
fn what_cannot_be_followed_is_told_apart_from_what_is_wrong() {
    let quick = ["--engine", "bitboard"];
    for (name, text, words) in [
        ("a.pgn", "[FEN \"8/8/8/8/8/8/8/K1k4R/8 w - - 0 1\"] 1. Rh2 *", "a position of its own"),
        ("a.sgf", "(;SZ[19];B[dd])", "no game `go-19x19`"),
        ("a.sgf", "(;SZ[9]AB[ee];W[dd];AW[aa])", "stones are set up between moves"),
        ("a.sgf", "(;SZ[9]AB[ja];W[dd])", "`ja` is no point of a board of 9x9"),
        ("a.pdn", "[GameType \"20\"] 1. 32-28 *", "English draughts are 21"),
        ("a.json", "{\"moves\":[]}", "its rules"),
        ("a.pgn", "1. e4 {", "a comment is not closed"),
    ] {
        let said = replay_text(name, text, &quick, 1);
        assert!(said.contains(words) && said.contains("0 wrong"), "{said}");
    }
    // Beside games that are followed, those are no failure; what is unreadable is.
    replay_text("a.pgn", "[FEN \"8/8/8 w - - 0 1\"] * 1. e4 *", &quick, 0);
    replay_text("a.pgn", "1. e4 * 1. e4)", &quick, 1);
    // Families have other sizes.
    let said = replay_text("a.sgf", "(;GM[11]SZ[3];B[a1];W[b1];B[a2];W[c1];B[a3]RE[B+])", &[], 0);
    assert!(said.contains("1 followed to the end"), "{said}");
    let folder = tempfile::tempdir().unwrap();
    for (arguments, code) in [(&["."][..], 2), (&["nowhere.pgn"], 2), (&[&samples(), "--show"], 2)]
    {
        replay(folder.path(), arguments, code);
    }
}
