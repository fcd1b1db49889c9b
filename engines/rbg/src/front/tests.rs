use std::path::{Path, PathBuf};

use expect_test::expect_file;

use super::*;

/// The files of a folder of the corpus beside the project; empty if it is absent.
fn corpus(folder: &str) -> Vec<PathBuf> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/corpus"));
    let mut files: Vec<PathBuf> = std::fs::read_dir(root.join(folder))
        .map(|dir| dir.flatten().map(|entry| entry.path()).collect())
        .unwrap_or_default();
    files.sort();
    if files.is_empty() {
        eprintln!("skipped: no ../shared/corpus/{folder}");
    }
    files
}

#[test]
fn the_corpus_loads() {
    for folder in ["rbg", "rbg-expanded"] {
        for file in corpus(folder) {
            let text = std::fs::read_to_string(&file).unwrap();
            let source = Source::new(file.file_name().unwrap().to_string_lossy(), text);
            let (description, diagnostics) = read(&source);
            let shown: Vec<String> = diagnostics.iter().map(|d| d.render(&source)).collect();
            assert!(description.is_some(), "{}", shown.join("\n"));
        }
    }
}

const HEAD: &str = "#players = white(100), black(100)
#pieces = e, pawn
#variables = turn(9)
#board = rectangle(up,down,left,right, [e,pawn] [e,e])
";

/// The text of all diagnostics of a description.
fn said(text: &str) -> String {
    let source = Source::new("t.rbg", text);
    let (_, diagnostics) = read(&source);
    let shown: Vec<String> = diagnostics.iter().map(|d| d.render(&source)).collect();
    shown.join("\n")
}

#[test]
fn faults_are_explained() {
    let answered = text::cases::answered(include_str!("diagnostics.txt"), |text| {
        text.strip_prefix('@').map_or_else(|| said(text), |rules| said(&[HEAD, rules].concat()))
    });
    expect_file!["diagnostics.txt"].assert_eq(&answered);
}

/// Messages stay short, and so does the work: all text in them is cut.
#[test]
fn faults_in_every_byte_are_said_in_few_words() {
    for text in [
        ")".repeat(200_000),
        "#a=99999999999 ".repeat(20_000),
        format!("{HEAD}#rules = {}", "(unknown + [x]{y} ~) ".repeat(10_000)),
        format!("{HEAD}#rules = {}", "#(".repeat(50_000)),
    ] {
        let said = said(&text);
        assert!(said.len() < 200_000, "{} bytes: {}", said.len(), &said[..2000]);
    }
}

#[test]
fn lines_end_in_any_of_the_three_ways() {
    let text =
        format!("// a comment\n{HEAD}// another, and a fault below\n#rules = [e] {{e}} nothing\n");
    assert!(said(&text).contains("t.rbg:7:"), "{}", said(&text));
    for other in text::cases::other_line_ends(&text) {
        assert_eq!(said(&other), said(&text), "{other:?}");
    }
}

#[test]
fn other_encodings_are_all_that_is_said() {
    let wide: Vec<u8> = HEAD.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let (_, diagnostics) = read(&Source::new("t.rbg", String::from_utf8_lossy(&wide)));
    assert_eq!(diagnostics.len(), 1);
    assert!(diagnostics[0].message.contains("UTF-16"));
    // A byte order mark is none of the text.
    assert_eq!(said(&format!("\u{feff}{HEAD}")), said(HEAD));
}
