//! Text that stands for itself in LaTeX, and how wide it is.

use crate::text::is_hidden;

/// Between a number and its unit.
pub(super) const THIN_SPACE: &str = "\u{2009}";

/// Makes text stand for itself under pdfLaTeX with its default fonts. Signs of ours that LaTeX sets
/// differently get their commands; what those fonts lack is written by its number, as `[U+65E5]`.
pub(in crate::render) fn escape(text: &str) -> String {
    // A number stays with its sign.
    let text = text.replace(" %", "\u{2009}%");
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\textbackslash{}"),
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                out.push('\\');
                out.push(c);
            }
            // At the head of a row these would be taken for arguments of the line break before it.
            '[' | '*' => {
                out.push('{');
                out.push(c);
                out.push('}');
            }
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '<' => out.push_str("\\textless{}"),
            '>' => out.push_str("\\textgreater{}"),
            '|' => out.push_str("\\textbar{}"),
            '"' => out.push_str("''"),
            '×' => out.push_str("$\\times$"),
            '±' => out.push_str("$\\pm$"),
            '≥' => out.push_str("$\\geq$"),
            '≤' => out.push_str("$\\leq$"),
            '†' => out.push_str("\\textdagger{}"),
            '‡' => out.push_str("\\textdaggerdbl{}"),
            '–' => out.push_str("--"),
            '…' => out.push_str("\\ldots{}"),
            '\u{2009}' => out.push_str("\\,"),
            'µ' => out.push_str("$\\mu$"),
            c if is_hidden(c) => out.push(' '),
            c if c.is_ascii() || COMPOSED.contains(c) => out.push(c),
            c => out.push_str(&format!("{{[}}U+{:04X}]", u32::from(c))),
        }
    }
    out
}

/// Letters that LaTeX composes in any font encoding.
const COMPOSED: &str = "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝßàáâãäåæçèéêëìíîïñòóôõöøùúûüýÿĀāĂăĆ\
    ćĈĉĊċČčĎĒēĚěĜĝĞğĠġĪīŁłŃńŇňŌōŎŏŐőŒœŔŕŘřŚśŜŝŞşŠšŤŨũŪūŬŭŮůŰűŸŹźŻżŽž";

/// The width of a text in units of the type size: that of Computer Modern at 10 pt, the widest of
/// the usual typefaces.
pub(super) fn width(text: &str) -> f64 {
    text.chars().map(char_width).sum()
}

/// The text, cut to a width.
pub(super) fn clipped(text: &str, most: f64) -> String {
    if width(text) <= most {
        return text.to_owned();
    }
    let mut left = most - width("…");
    let fitting = text.chars().take_while(|&c| {
        left -= char_width(c);
        left >= 0.0
    });
    fitting.chain(['…']).collect()
}

fn char_width(c: char) -> f64 {
    match c {
        '\u{2009}' => 0.17,
        'i' | 'l' | '.' | ',' | ':' | ';' | '\'' | '!' | '|' | '[' | ']' | '`' => 0.28,
        ' ' | '-' | 'f' | 'j' => 0.34,
        '(' | ')' | 'I' | 'r' | 's' | 't' => 0.4,
        'c' | 'e' | 'z' | '†' | '‡' => 0.45,
        '0'..='9' | 'a' | 'g' | 'o' | '/' | '*' | '–' => 0.5,
        'J' | 'k' | 'q' | 'v' | 'x' | 'y' => 0.53,
        'S' | 'b' | 'd' | 'h' | 'n' | 'p' | 'u' => 0.56,
        'M' | 'W' | 'm' | '%' | '\\' | '_' | '#' | '@' | '&' => 1.03,
        c if c.is_ascii() || COMPOSED.contains(c) || "×±≥≤".contains(c) => 0.79,
        '…' => 1.2,
        // Written by its number, in at most ten characters.
        _ => 6.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_text_stays_text() {
        assert_eq!(
            escape("a_b & 50% \\input{x} 3×"),
            "a\\_b \\& 50\\% \\textbackslash{}input\\{x\\} 3$\\times$"
        );
        assert_eq!(escape("95 %"), "95\\,\\%");
        assert_eq!(escape("[1] *x* \"|\""), "{[}1] {*}x{*} ''\\textbar{}''");
        assert_eq!(escape("Mū Tōrere, 日本"), "Mū Tōrere, {[}U+65E5]{[}U+672C]");
    }

    #[test]
    fn widths_are_those_that_tex_finds() {
        let texts = [
            ("Breakthrough (8x8)", 8.658),
            ("propnet-batch", 6.142),
            ("Tic-Tac-Toe (5x5)", 7.944),
            ("12.3 M", 3.028),
            ("±1.25%", 3.389),
            ("faster / slower / undecided", 11.822),
        ];
        for (text, found) in texts {
            assert!((found..1.07 * found).contains(&width(text)), "{text}: {}", width(text));
        }
    }
}
