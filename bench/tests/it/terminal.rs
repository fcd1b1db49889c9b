//! Tests of the output of commands: to terminals, to readers that leave, and to disks that are
//! full.

use std::collections::BTreeSet;
use std::path::Path;

use crate::cli::{engines_of, ggpbench};
use crate::common::{command, stderr, stdout};

#[test]
fn a_reader_that_leaves_ends_a_command_quietly() {
    for arguments in [
        &["list"][..],
        &["--help"],
        &["completions", "bash"],
        &["perft", "tic-tac-toe-3x3", "--depth", "1"],
        &["play", "tic-tac-toe-3x3", "--you", "none"],
    ] {
        let (reader, writer) = std::io::pipe().expect("there are pipes");
        drop(reader);
        let output = command(Path::new("."), arguments).stdout(writer).output().expect("it starts");
        assert_eq!(stderr(&output), "", "{arguments:?}");
        assert_eq!(output.status.code(), Some(141), "{arguments:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_and_no_panic() {
    let rules = concat!(env!("CARGO_MANIFEST_DIR"), "/../games/catalogue/queens-8/rules.lud");
    for arguments in [&["list"][..], &["--version"], &["completions", "bash"], &["check", rules]] {
        let full = std::fs::File::options().write(true).open("/dev/full").expect("Linux has it");
        let output = command(Path::new("."), arguments).stdout(full).output().expect("it starts");
        let said = stderr(&output);
        assert_eq!(said.matches("cannot write to standard output").count(), 1, "{said}");
        assert_eq!((output.status.code(), said.lines().count()), (Some(1), 1), "{said}");
    }
}

/// The output of a command to a terminal that is said to have colours.
fn coloured(folder: &Path, arguments: &[&str], refused: bool) -> String {
    let mut command = command(folder, arguments);
    command.env("CLICOLOR_FORCE", "1");
    if refused {
        command.env("NO_COLOR", "1");
    }
    stdout(&command.output().expect("it starts"))
}

#[test]
fn colours_are_ours_alone_and_nobody_gets_them_who_refuses_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    std::fs::write(path.join("plain.kif"), "(role x)\n(init a)\n(terminal oops").unwrap();
    // An escape sequence of one character, and what is not to be seen for other reasons.
    for (name, odd) in [("c1.kif", "\u{9b}31m"), ("c0.kif", "\x1b[31m"), ("bidi.kif", "\u{202e}")] {
        let text = format!("(role r{odd})(init a)(legal r go)(terminal {odd})(goal r 0)");
        std::fs::write(path.join(name), text).unwrap();
        let shown = coloured(path, &["check", name], false);
        assert!(shown.contains("error"), "{shown}");
        let hidden = |c: char| reports::text::is_hidden(c) && c != '\n';
        assert!(!shown.contains(hidden), "{name}: {shown:?}");
    }
    let quick = ["--protocol", "0.01s", "--processes", "1", "--via", "fast", "-q", "--no-verify"];
    let table = [&["bench", "plain.kif", "--engines", "prover"], &quick[..]].concat();
    let matrix = ["verify", "plain.kif", "-q", "--seconds", "0.01", "--engines", "prover"];
    for arguments in [&["check", "plain.kif"][..], &table, &matrix] {
        let shown = coloured(path, arguments, false);
        assert!(shown.contains("\x1b["), "{arguments:?}: {shown}");
        let _ = std::fs::remove_dir_all(path.join("runs"));
        let shown = coloured(path, arguments, true);
        assert!(!shown.contains('\x1b'), "{arguments:?}: {shown}");
        let _ = std::fs::remove_dir_all(path.join("runs"));
    }
}

#[test]
fn lists_break_at_words_in_80_columns() {
    for arguments in [&["list"][..], &["list", "--agents"]] {
        let wide = stdout(&ggpbench(arguments));
        let is_wide = wide.lines().any(|line| line.chars().count() > 80);
        assert!(is_wide || arguments.len() > 1, "{wide}");
        let mut command = command(Path::new("."), arguments);
        let narrow = stdout(&command.env("COLUMNS", "80").output().expect("it starts"));
        for line in narrow.lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
        let words = |text: &str| -> BTreeSet<String> {
            text.split_whitespace().map(str::to_owned).collect()
        };
        assert_eq!(words(&narrow), words(&wide), "{narrow}");
    }
}

/// Tic-Tac-Toe has six engines, more than 80 columns hold with all that is known of each.
#[test]
fn what_is_printed_fits_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let mut run = vec!["run", "tic-tac-toe-3x3", "--protocol", "0.01s", "--processes", "2"];
    run.extend(["--rounds", "1", "--no-verify", "--out", "out"]);
    let verify = ["verify", "tic-tac-toe-3x3", "--seconds", "0.05"];
    for (arguments, word) in [(&run[..], "prover"), (&verify, "ok d/w")] {
        let output = command(folder.path(), arguments).env("COLUMNS", "80").output();
        let output = output.expect("ggpbench starts");
        let text = stdout(&output) + &stderr(&output);
        assert!(text.contains(word), "no {word} in\n{text}");
        for line in text.lines() {
            assert!(line.chars().count() <= 80, "too long: {line}\n{text}");
        }
        for engine in engines_of("tic-tac-toe-3x3") {
            assert!(text.contains(engine), "no {engine} in\n{text}");
        }
    }
}
