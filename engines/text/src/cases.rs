//! Cases for tests, in files: texts, and what is said of each.

/// The line between a text and what is said of it.
const BAR: &str = "\n--\n";
/// The prefix of every title.
const TITLE: &str = "\n== ";

/// A file of cases with all that is said of their texts written anew: compare it with the file, as
/// `expect_file!` does, which also writes it where `UPDATE_EXPECT` is set.
///
/// A case is a line `== title`, a text, a line `--`, and what is said. Remarks stand before the
/// first one.
///
/// # Panics
/// If a case has no text or no line `--`.
pub fn answered(file: &str, said: impl Fn(&str) -> String) -> String {
    let mut cases = file.split(TITLE);
    let mut out = cases.next().unwrap_or_default().to_owned();
    for case in cases {
        let asked = case.split_once(BAR).map_or_else(|| case.trim_end_matches("\n--"), |(a, _)| a);
        let (title, text) = asked.split_once('\n').unwrap_or_else(|| panic!("no text: {case}"));
        out += &[TITLE, title, "\n", text, BAR, &said(text), "\n"].concat();
    }
    out
}

/// A text whose lines end in LF with its other ends: CR, CRLF, and all three in turn.
pub fn other_line_ends(text: &str) -> [String; 3] {
    let lines = text.split_inclusive('\n').zip(["\r", "\n", "\r\n"].into_iter().cycle());
    let mixed = lines.map(|(line, end)| line.replace('\n', end)).collect();
    [text.replace('\n', "\r"), text.replace('\n', "\r\n"), mixed]
}
