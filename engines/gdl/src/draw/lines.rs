//! Texts in lines.

/// Columns of lines that hold several facts or several entries of a legend.
const COLUMNS: usize = 78;

/// Texts side by side in lines, as many as fit.
pub(super) fn filled(texts: &[String], between: &str) -> String {
    let mut out = String::new();
    let mut width = 0;
    for text in texts {
        let more = between.chars().count() + text.chars().count();
        if width > 0 && width + more <= COLUMNS {
            out += between;
            width += more;
        } else {
            if width > 0 {
                out.truncate(out.trim_end().len());
                out.push('\n');
            }
            width = text.chars().count();
        }
        out += text;
    }
    out
}
