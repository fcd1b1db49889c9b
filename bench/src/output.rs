//! The output of commands: results on standard output, everything else on standard error.
//!
//! Standard output may fail: its reader has left (`ggpbench list | head -1`), or the disk is full.
//! `println!` panics then, so commands use [`outln!`] and hand the error on to `main`. The signal
//! of a broken pipe stays ignored, because a write to a worker that died must be an error, not our
//! end.
//!
//! All text is made [printable] on its way, because names, reasons and positions come from foreign
//! files and programs. [`raw`] is for text whose escape sequences are our own.

use std::fmt;
use std::io::{self, Write};

use comfy_table::{ColumnConstraint, ContentArrangement, Table, Width};
use console::Term;
use reports::text::{is_hidden, printable_lines, wrapped};
use text::{Diagnostic, Source};

/// Prints to standard output, with a line break at the end; an [`OutputError`] if that fails.
macro_rules! outln {
    () => {
        $crate::output::line("")
    };
    ($($argument:tt)*) => {
        $crate::output::line(&format!($($argument)*))
    };
}

/// Prints a line to standard error. If that fails, there is nobody left to tell.
macro_rules! errln {
    ($($argument:tt)*) => {
        $crate::output::error_line(&format!($($argument)*))
    };
}

/// Standard output could not be written to.
#[derive(Debug)]
pub(crate) struct OutputError(io::Error);

impl OutputError {
    /// True if the reader of a pipe has left, which is nobody's fault.
    pub(crate) fn is_broken_pipe(&self) -> bool {
        self.0.kind() == io::ErrorKind::BrokenPipe
    }
}

impl fmt::Display for OutputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot write to standard output: {}", self.0)
    }
}

impl std::error::Error for OutputError {}

impl From<io::Error> for OutputError {
    fn from(error: io::Error) -> OutputError {
        OutputError(error)
    }
}

/// Prints a line of text to standard output; see [`outln!`].
pub(crate) fn line(text: &str) -> Result<(), OutputError> {
    let mut out = io::stdout().lock();
    out.write_all(printable_lines(text).as_bytes())?;
    Ok(out.write_all(b"\n")?)
}

/// Prints text to standard output for people to read: lines that are too long for the terminal
/// break at words.
pub(crate) fn paragraph(text: &str) -> Result<(), OutputError> {
    let text = printable_lines(text);
    match width() {
        Some(width) => line(&wrapped(&text, width)),
        None => line(&text),
    }
}

/// Prints a table for people to read, no wider than the terminal as far as words are whole.
pub(crate) fn table(table: &mut Table) -> Result<(), OutputError> {
    if let Some(width) = width() {
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
        let longest: Vec<usize> =
            (0..table.column_count()).map(|column| longest_word(table, column)).collect();
        for (column, longest) in table.column_iter_mut().zip(longest) {
            let least = longest as u16 + column.padding_width();
            column.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(least)));
        }
    }
    line(&table.to_string())
}

/// The width of the longest word in a column of a table.
fn longest_word(table: &Table, column: usize) -> usize {
    let cells = table.column_cells_with_header_iter(column).flatten();
    let words = cells.flat_map(|cell| {
        let widths: Vec<usize> =
            cell.content().split_whitespace().map(console::measure_text_width).collect();
        widths
    });
    words.max().unwrap_or(0)
}

/// Columns of the terminal that standard output goes to, or what the variable `COLUMNS` says;
/// `None` where there is neither, so that lines may be as long as they are.
pub(crate) fn width() -> Option<u16> {
    columns(&Term::stdout())
}

/// True if what goes to standard output may have colours: not with `NO_COLOR`, always with
/// `CLICOLOR_FORCE`, else on terminals that have any.
pub(crate) fn has_colour() -> bool {
    !is_colour_refused() && console::colors_enabled()
}

/// The same for standard error.
pub(crate) fn error_has_colour() -> bool {
    !is_colour_refused() && console::colors_enabled_stderr()
}

/// See <https://no-color.org>.
fn is_colour_refused() -> bool {
    std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
}

/// A message about a rule file, in colours if so asked, to be printed [`raw`]. There are none where
/// the file has characters that are not to be seen: they could not be told from those of colours.
pub(crate) fn diagnostic(diagnostic: &Diagnostic, source: &Source, colour: bool) -> String {
    let hidden = |c| is_hidden(c) && !"\n\r\t".contains(c);
    if colour && !source.text().contains(hidden) && !source.name().contains(is_hidden) {
        diagnostic.render_coloured(source)
    } else {
        printable_lines(&diagnostic.render(source)).into_owned()
    }
}

/// The same for standard error.
pub(crate) fn error_width() -> Option<u16> {
    columns(&Term::stderr())
}

fn columns(terminal: &Term) -> Option<u16> {
    let said = std::env::var("COLUMNS").ok().and_then(|columns| columns.trim().parse().ok());
    said.filter(|&columns| columns > 0).or_else(|| {
        terminal.is_term().then(|| terminal.size_checked().map(|(_, columns)| columns)).flatten()
    })
}

/// Prints text to standard output at once, without a line break: a question.
pub(crate) fn prompt(text: &str) -> Result<(), OutputError> {
    io::stdout().write_all(printable_lines(text).as_bytes())?;
    flush()
}

/// Prints text to standard output as it is, control characters included.
pub(crate) fn raw(text: &str) -> Result<(), OutputError> {
    Ok(io::stdout().write_all(text.as_bytes())?)
}

/// Waits until all that was printed is written.
pub(crate) fn flush() -> Result<(), OutputError> {
    Ok(io::stdout().flush()?)
}

/// Prints a line of text to standard error, broken at words where it is too long for the terminal;
/// see [`errln!`].
pub(crate) fn error_line(text: &str) {
    let text = printable_lines(text);
    match error_width() {
        Some(width) => error_raw(&wrapped(&text, width)),
        None => error_raw(&text),
    }
}

/// Prints a line to standard error as it is, control characters included.
pub(crate) fn error_raw(text: &str) {
    let mut out = io::stderr().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.write_all(b"\n"));
}

/// An error and its causes in one line. Some errors name their cause in their own text; it is not
/// said again.
pub(crate) fn chain(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !text.ends_with(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use anyhow::Context;

    use super::chain;

    #[test]
    fn every_cause_is_said_once() {
        let cause = || std::io::Error::other("no such file");
        let error = Err::<(), _>(cause()).context("x: no such file").unwrap_err();
        assert_eq!(chain(&error), "x: no such file");
        let error = Err::<(), _>(cause()).context("cannot read x").context("in y").unwrap_err();
        assert_eq!(chain(&error), "in y: cannot read x: no such file");
    }
}
