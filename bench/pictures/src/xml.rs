//! Text in XML.

/// A text that may stand between tags and in attributes. Signs that XML has not become blanks.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign {
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '&' => out += "&amp;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => out.push(' '),
            _ => out.push(sign),
        }
    }
    out
}

/// A number with at most two places, without noughts at its end.
pub(crate) fn number(value: f32) -> String {
    let value = if value.is_finite() { (value * 100.0).round() / 100.0 } else { 0.0 };
    if value == 0.0 { "0".to_owned() } else { value.to_string() }
}
