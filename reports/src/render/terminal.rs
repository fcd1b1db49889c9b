//! The table as it stands in a terminal, while a run goes on and at its end.

use std::fmt::Write as _;

use comfy_table::{
    Attribute, Cell as Field, CellAlignment, Color, ContentArrangement, LineStyle, TableStyle,
};

use super::remarks::{MARKED_CONTENDED, contention_note, control_summary};
use super::{counted, length, plus_minus, verdicts};
use crate::format;
use crate::rows::Verdict;
use crate::table::{Cell, Table};
use crate::text::printable;

/// How to draw for a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TerminalOptions {
    /// Columns of the terminal; `None` lets lines be as long as they need.
    pub width: Option<u16>,
    /// Whether escape sequences for colour may be used.
    pub colour: bool,
}

/// A rule above, below the header and below the rows.
pub(super) const STYLE: TableStyle = {
    let rule = LineStyle::none().fill('─').junction('─');
    TableStyle::new().top_border(rule).header_separator(rule).bottom_border(rule)
};

/// Playouts a CPU second with the half width of the interval, the verdict where there is no figure, and below the table a line for each pair that is not `ok`, what † means where it is shown, and what the A/A test says.
///
/// Where the table is too wide for the terminal, intervals and errors are left out first; then fields wrap.
pub fn table_terminal(table: &Table, options: TerminalOptions) -> String {
    let mut text = lines(&grid(table, options, false));
    if let Some(width) = options.width
        && text.lines().any(|line| visible(line) > usize::from(width))
    {
        let mut compact = grid(table, options, true);
        compact.set_width(width).set_content_arrangement(ContentArrangement::Dynamic);
        text = lines(&compact);
    }
    let _ = writeln!(text, "{}: {}", counted(table.cells().count(), "pair"), verdicts(table));
    for (row, column, cell) in table.cells().filter(|(.., cell)| cell.verdict() != Verdict::Ok) {
        let reason = printable(cell.reason().lines().next().unwrap_or_default());
        let (game, engine) = (&table.games()[row].title, table.columns()[column].label());
        let colon = if reason.is_empty() { "" } else { ": " };
        let line = format!("{game} on {engine}: {}{colon}{reason}", cell.verdict());
        text.push_str(&clip(&line, options.width));
        text.push('\n');
    }
    if table.cells().any(|(.., cell)| cell.is_contended()) {
        let _ = writeln!(text, "{}", contention_note());
    }
    if let Some(summary) = control_summary(table) {
        let _ = writeln!(text, "{summary}");
    }
    text
}

fn grid(table: &Table, options: TerminalOptions, compact: bool) -> comfy_table::Table {
    let mut out = comfy_table::Table::new();
    out.load_style(STYLE);
    out.force_no_tty();
    if options.colour {
        out.enforce_styling();
    }
    let bold = |text: String| Field::new(text).add_attribute(Attribute::Bold);
    let mut header = vec![bold("playouts / CPU s".to_owned()), bold("plies".to_owned())];
    header.extend(table.columns().iter().map(|column| bold(column.label())));
    out.set_header(header);
    for (row, game) in table.games().iter().enumerate() {
        let plies = table.best_known(row).map(|figures| {
            if compact { format!("{:.2}", figures.length.value) } else { length(figures) }
        });
        let mut fields = vec![Field::new(&game.title), Field::new(plies.unwrap_or_default())];
        fields.extend(
            (0..table.columns().len()).map(|column| field(table.cell(row, column), compact)),
        );
        out.add_row(fields);
    }
    for column in out.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    out
}

pub(super) fn lines(table: &comfy_table::Table) -> String {
    table.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
}

fn field(cell: Option<&Cell>, compact: bool) -> Field {
    let Some(cell) = cell else { return Field::new("–") };
    let (text, colour) = match (cell.verdict(), cell.figures()) {
        (verdict, Some(figures)) => {
            let rate = &figures.per_cpu_second;
            let doubtful = verdict == Verdict::Unchecked || figures.is_contended();
            let parts = [
                format::readable(rate.value),
                if compact { String::new() } else { plus_minus(rate) },
                if verdict == Verdict::Unchecked { "?".to_owned() } else { String::new() },
                if figures.is_contended() { MARKED_CONTENDED.to_owned() } else { String::new() },
            ];
            let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
            (parts.join(" "), doubtful.then_some(Color::Yellow))
        }
        (verdict, None) if verdict.is_ranked() => ("…".to_owned(), None),
        (verdict, None) => {
            let colour = if verdict.is_failure() { Color::Red } else { Color::DarkGrey };
            (verdict.to_string(), Some(colour))
        }
    };
    match colour {
        Some(colour) => Field::new(text).fg(colour),
        None => Field::new(text),
    }
}

/// Characters of a line that take room: all but escape sequences.
fn visible(line: &str) -> usize {
    let mut count = 0;
    let mut escaped = false;
    for c in line.chars() {
        match (escaped, c) {
            (false, '\u{1b}') => escaped = true,
            (false, _) => count += 1,
            (true, 'm') => escaped = false,
            (true, _) => {}
        }
    }
    count
}

/// Cuts a line to the terminal's width, so that a long reason takes one line there; the files have it whole.
fn clip(line: &str, width: Option<u16>) -> String {
    match width {
        Some(width) if line.chars().count() > usize::from(width) => {
            line.chars().take(usize::from(width).saturating_sub(1)).chain(['…']).collect()
        }
        _ => line.to_owned(),
    }
}
