//! Text from foreign files and workers, made harmless before it is shown.
//!
//! Titles, names, reasons and warnings come from rule files, workers and files of rows. In a
//! terminal a control character moves the cursor or rewrites what stands above; a bidirectional
//! override shows a text in another order than it has; a spreadsheet runs a field that begins with
//! `=`. Tables hold printable text only ([`crate::Table`] sees to it), and each notation escapes
//! its own signs besides.

use std::borrow::Cow;
use std::fmt::Write as _;

/// The end of a message about a name that is none of these: `; did you mean ..?` if one is near.
pub fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let near = known
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(candidate, name), candidate))
        .min_by_key(|&(distance, _)| distance)
        .filter(|&(distance, _)| distance <= 1 + name.chars().count() / 4);
    near.map_or_else(String::new, |(_, near)| format!("; did you mean `{}`?", printable(near)))
}

/// The text on one line, with every character that is not to be seen or that moves others written
/// out: `\n`, `\r`, `\t`, and `\u{1b}` for the rest.
///
/// These are control characters, line and paragraph separators, bidirectional marks and overrides,
/// characters without width, and tags. Text that is harmless is not copied.
pub fn printable(text: &str) -> Cow<'_, str> {
    write_out(text, is_hidden)
}

/// Like [`printable`], but line breaks stay, and tabs too: for texts that are shown as a block. A
/// carriage return before a line break is dropped.
pub fn printable_lines(text: &str) -> Cow<'_, str> {
    let hidden = |c| is_hidden(c) && c != '\n' && c != '\t';
    if text.contains("\r\n") {
        return Cow::Owned(write_out(&text.replace("\r\n", "\n"), hidden).into_owned());
    }
    write_out(text, hidden)
}

/// The text with every line longer than `width` columns broken at spaces, and what follows a break
/// indented by two more than the line. Words stay whole: one that is longer than the width stands
/// in a line of its own. A no-break space is none to break at, and is written as a space.
pub fn wrapped(text: &str, width: u16) -> String {
    // A number stays with its sign.
    let text = text.replace(" %", "\u{a0}%");
    let broken = text.split('\n').map(|line| {
        let indent = line.len() - line.trim_start_matches(' ').len();
        // In a very narrow place the indentation would be all there is.
        let hanging = " ".repeat((indent + 2).min(usize::from(width) / 4));
        let options = textwrap::Options::new(usize::from(width))
            .break_words(false)
            .word_separator(textwrap::WordSeparator::AsciiSpace)
            .word_splitter(textwrap::WordSplitter::NoHyphenation)
            .subsequent_indent(&hanging);
        textwrap::fill(line, options)
    });
    broken.collect::<Vec<_>>().join("\n").replace('\u{a0}', " ")
}

/// Cut to `width` columns before a word, with an ellipsis; a first word that is longer is cut
/// itself.
pub fn clipped(line: &str, width: u16) -> String {
    let width = usize::from(width);
    if columns(line) <= width {
        return line.to_owned();
    }
    let mut end = 0;
    for (at, c) in line.char_indices() {
        if columns(&line[..at + c.len_utf8()]) >= width {
            break;
        }
        end = at + c.len_utf8();
    }
    let (kept, rest) = line.split_at(end);
    let word = if rest.starts_with(' ') {
        kept
    } else {
        kept.rsplit_once(' ').map_or(kept, |(whole, _)| whole)
    };
    let kept = if word.trim().is_empty() { kept } else { word };
    format!("{}…", kept.trim_end())
}

/// The columns of a terminal that a line takes; escape sequences take none.
pub(crate) fn columns(line: &str) -> usize {
    textwrap::core::display_width(line)
}

/// A field of a CSV file that no spreadsheet takes for a formula: printable text on one line, with
/// an apostrophe before it where it begins with `=`, `+`, `-` or `@` and is no number nor a list of
/// numbers. Quoting is left to the writer of the file.
pub fn csv_field(text: &str) -> Cow<'_, str> {
    match printable(text) {
        Cow::Borrowed(text) => guard(text),
        Cow::Owned(text) => Cow::Owned(guard(&text).into_owned()),
    }
}

/// Puts an apostrophe before a field that a spreadsheet would take for a formula, and before one
/// that has such apostrophes already, so that [`unguard`] finds the text again.
pub(crate) fn guard(field: &str) -> Cow<'_, str> {
    if is_formula(field) { Cow::Owned(format!("'{field}")) } else { Cow::Borrowed(field) }
}

/// The text of a field that [`csv_field`] wrote, but for what was made printable.
pub fn unguard(field: &str) -> &str {
    field.strip_prefix('\'').filter(|_| is_formula(field)).unwrap_or(field)
}

/// True if a spreadsheet would take a field for a formula, or would if apostrophes were taken off
/// its front.
fn is_formula(field: &str) -> bool {
    let bare = field.trim_start_matches('\'');
    let is_number = |text: &str| {
        text.parse::<f64>().is_ok()
            && text.bytes().all(|b| b.is_ascii_digit() || b".+-eE".contains(&b))
    };
    bare.starts_with(['=', '+', '-', '@', '\t', '\r']) && !bare.split(';').all(is_number)
}

/// True if a character is not seen, or changes how others are seen.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{feff}'
            // Characters without width and bidirectional marks; line and paragraph separators;
            // overrides, isolates, invisible operators.
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

fn write_out(text: &str, hidden: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&hidden) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if hidden(c) { push_escape(&mut out, c) } else { out.push(c) }
    }
    Cow::Owned(out)
}

/// `\n`, `\r`, `\t` or `\u{1b}`.
pub(crate) fn push_escape(out: &mut String, c: char) {
    match c {
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        c => {
            let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_hidden_is_written_out() {
        assert_eq!(printable("\u{1b}[2Jgone\u{7}"), "\\u{1b}[2Jgone\\u{7}");
        assert_eq!(printable("a\r\nb\tc\u{9b}31m"), "a\\r\\nb\\tc\\u{9b}31m");
        assert_eq!(printable("abc\u{202e}fed"), "abc\\u{202e}fed");
        assert!(matches!(printable("Mū Tōrere – 日本, “8 Queens”"), Cow::Borrowed(_)));
        assert_eq!(printable_lines("a\r\n\tb\rc\u{1b}"), "a\n\tb\\rc\\u{1b}");
    }

    #[test]
    fn lines_break_at_words_alone() {
        let text = "bitboard: WRONG: after a1 b2\n  fine\n\nincomprehensibilities and more";
        assert_eq!(
            wrapped(text, 12),
            "bitboard:\n  WRONG:\n  after a1\n  b2\n  fine\n\nincomprehensibilities\n  and more"
        );
        assert_eq!(wrapped("ludeme\u{a0}3.1 M  rbg\u{a0}2 M", 12), "ludeme 3.1 M\n  rbg 2 M");
        assert_eq!(wrapped("of which 90 % are", 10), "of which\n  90 % are");
        assert_eq!(wrapped("日本 日本", 5), "日本\n 日本");
        assert_eq!(wrapped("a b", 0), "a\nb");
    }

    #[test]
    fn lines_are_cut_before_words() {
        assert_eq!(clipped("after d3 c5: 7 legal moves", 16), "after d3 c5: 7…");
        assert_eq!(clipped("after d3 c5: 7 legal moves", 15), "after d3 c5: 7…");
        assert_eq!(clipped("after d3", 8), "after d3");
        assert_eq!(clipped("incomprehensible", 8), "incompr…");
        assert_eq!(clipped("日本日本", 5), "日本…");
        assert_eq!(clipped("ab", 0), "…");
    }

    #[test]
    fn fields_are_no_formulas_and_numbers_stay_numbers() {
        assert_eq!(csv_field("=HYPERLINK(\"x\")"), "'=HYPERLINK(\"x\")");
        assert_eq!(csv_field("@SUM(1)"), "'@SUM(1)");
        assert_eq!(csv_field("+1-2"), "'+1-2");
        assert_eq!(csv_field("-inf"), "'-inf");
        assert_eq!(csv_field("\t=1"), "\\t=1");
        assert_eq!(csv_field("-1;=1"), "'-1;=1");
        assert_eq!(csv_field("-1;2;"), "'-1;2;");
        for number in ["-3", "-2.5e-7", "+4", "0.1", "8 Queens", "", "-0.5;0.5", "-1;-2e3;0"] {
            assert_eq!(csv_field(number), number);
        }
    }

    #[test]
    fn apostrophes_come_off_again() {
        for text in ["=1", "'=1", "''=1", "'t Spel", "-3", "'-3", "-1;2", "'-1;2", "'", "''", "-x"]
        {
            assert_eq!(unguard(&guard(text)), text);
        }
        // A title of an older file keeps its apostrophe.
        assert_eq!(unguard("'t Spel"), "'t Spel");
    }
}
