//! The table as it stands in a terminal, while a run goes on and at its end.

use super::remarks::{
    MARKED_CONTENDED, MARKED_TABLED, contention, control_summary, tabled_figure_note,
};
use super::sheet::{Field, Sheet, TerminalOptions, Tone};
use super::{counted, length, plus_minus, verdicts};
use crate::format;
use crate::rows::Verdict;
use crate::table::{Cell, Table, Way};
use crate::text::{clipped, printable, wrapped};

/// Playouts a CPU second with the half width of the interval, the verdict where there is no figure,
/// and below the table a line for each pair that is not `ok`, what the marks mean that are shown,
/// and what the A/A test says.
///
/// Where the table is too wide for the terminal, intervals and errors are left out first; then it
/// is drawn in blocks of columns. Lines break at words.
pub fn table_terminal(table: &Table, options: TerminalOptions) -> String {
    let ways = table.ways();
    let full = sheet(table, &ways, false);
    let compact = !full.fits(options.width);
    let shown = if compact { sheet(table, &ways, true) } else { full };
    let mut text = shown.draw(options);
    let mut remark = |line: &str| {
        match options.width {
            Some(width) => text.push_str(&wrapped(line, width)),
            None => text.push_str(line),
        }
        text.push('\n');
    };
    remark(&format!("{}: {}", counted(table.cells().count(), "pair"), verdicts(table)));
    for (row, column, cell) in table.cells().filter(|(.., cell)| cell.verdict() != Verdict::Ok) {
        let reason = printable(cell.reason().lines().next().unwrap_or_default());
        let (game, engine) = (&table.games()[row].title, table.columns()[column].label());
        let colon = if reason.is_empty() { "" } else { ": " };
        let line = format!("{game} on {engine}: {}{colon}{reason}", cell.verdict());
        // A long reason takes one line here; the files have it whole.
        remark(&options.width.map_or(line.clone(), |width| clipped(&line, width)));
    }
    if let Some(contention) = contention(table) {
        remark(&contention);
    }
    let cells = |way: &Way| {
        (0..table.games().len()).any(|row| way.cell(table, row).is_some_and(|(_, tabled)| tabled))
    };
    if ways.iter().any(cells) {
        remark(&tabled_figure_note());
    }
    if let Some(summary) = control_summary(table) {
        remark(&summary);
    }
    if compact {
        remark("Intervals have no room here; table.md has them.");
    }
    text
}

fn sheet(table: &Table, ways: &[Way], compact: bool) -> Sheet {
    let heads = ways.iter().map(|way| {
        let label = way.column.label();
        if compact { label.replacen(" (", "\n(", 1) } else { label }
    });
    let heads = std::iter::once("plies".to_owned()).chain(heads);
    let mut sheet = Sheet::new("playouts / CPU s", heads);
    for (row, game) in table.games().iter().enumerate() {
        let plies = table.best_known(row).map(|figures| {
            if compact { format!("{:.2}", figures.length.value) } else { length(figures) }
        });
        let plies = (plies.unwrap_or_default(), Tone::Plain);
        let cells = ways.iter().map(|way| field(way.cell(table, row), compact));
        sheet.push(&game.title, std::iter::once(plies).chain(cells));
    }
    sheet
}

/// A cell, and whether it is marked as tabled.
fn field(cell: Option<(&Cell, bool)>, compact: bool) -> Field {
    let Some((cell, tabled)) = cell else { return ("–".to_owned(), Tone::Plain) };
    match (cell.verdict(), cell.figures()) {
        (verdict, Some(figures)) => {
            let rate = &figures.per_cpu_second;
            let (unchecked, contended) = (verdict == Verdict::Unchecked, figures.is_contended());
            let mark = |has: bool, mark: &str| if has { mark.to_owned() } else { String::new() };
            let parts = [
                format::readable(rate.value),
                if compact { String::new() } else { plus_minus(rate) },
                mark(unchecked, "?"),
                mark(contended, MARKED_CONTENDED),
                mark(tabled, MARKED_TABLED),
            ];
            let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
            let tone = if unchecked || contended { Tone::Doubtful } else { Tone::Plain };
            (parts.join(" "), tone)
        }
        (verdict, None) if verdict.is_ranked() => ("…".to_owned(), Tone::Plain),
        (verdict, None) => {
            let tone = if verdict.is_failure() { Tone::Bad } else { Tone::Faint };
            (verdict.to_string(), tone)
        }
    }
}
