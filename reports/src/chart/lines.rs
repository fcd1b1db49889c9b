//! Charts with a row for each game: rows under headings, split into pages.

use plotters_backend::text_anchor::HPos;

use super::page::{Area, Drawn, FAINT, HEADING, LABEL, MARGIN, WIDTH, line, write};
use crate::format;
use crate::table::{GameRow, Table};

/// Height of a row, pixels.
pub(super) const ROW: f64 = 22.0;
/// Height of a heading.
const GROUP: f64 = 30.0;
/// The most rows of a page, so that it fits on a sheet of paper.
const ROWS: usize = 50;
/// The most pages of a chart: more rows than these hold are for tables.
const PAGES: usize = 8;
/// The widest that names of rows may be.
const NAMES: f64 = 250.0;

/// The interface of a row that is to be placed on pages.
pub(super) trait Row {
    /// The group that it belongs to.
    fn group(&self) -> &'static str;
    /// Its name.
    fn name(&self) -> &str;
}

/// A page of a chart.
#[derive(Debug)]
pub(super) struct Page<'r, R> {
    /// Rows with their heights from the top of the page, and headings before them.
    pub(super) rows: Vec<(f64, &'r R)>,
    headings: Vec<(f64, String)>,
    /// Height of all lines, pixels.
    pub(super) height: f64,
    /// The addition to the title: which page it is, if there are several.
    pub(super) title: String,
    /// The addition to the file's name.
    pub(super) name: String,
    /// The remark about rows that no page has.
    pub(super) remark: String,
}

/// The games of a table with their numbers, in the order in which they are shown, and their
/// headings: those for one player first, and those of whose players nothing is known last.
pub(super) fn in_groups(table: &Table) -> Vec<(usize, &GameRow, &'static str)> {
    let place = |game: &GameRow| if game.players == 0 { 2 } else { game.players.min(2) - 1 };
    let mut games: Vec<(usize, &GameRow)> = table.games().iter().enumerate().collect();
    games.sort_by_key(|(_, game)| place(game));
    games.into_iter().map(|(number, game)| (number, game, game.heading())).collect()
}

/// Splits rows, which are sorted by group, into pages of about the same length.
pub(super) fn pages<R: Row>(rows: &[R]) -> Vec<Page<'_, R>> {
    let shown = &rows[..rows.len().min(ROWS * PAGES)];
    let count = shown.len().div_ceil(ROWS).max(1);
    let mut pages: Vec<Page<'_, R>> = Vec::new();
    for (number, part) in shown.chunks(shown.len().div_ceil(count).max(1)).enumerate() {
        let several = count > 1;
        let mut page = Page {
            rows: Vec::new(),
            headings: Vec::new(),
            height: 0.0,
            title: if several { format!(" ({} of {count})", number + 1) } else { String::new() },
            name: if number > 0 { format!("-{}", number + 1) } else { String::new() },
            remark: match rows.len() - shown.len() {
                0 => String::new(),
                more => format!(" {} more games are in table.csv.", format::count(more as u64)),
            },
        };
        let before = pages.last().and_then(|page| page.rows.last()).map(|(_, row)| row.group());
        let mut last = None;
        for row in part {
            if last != Some(row.group()) {
                let again = last.is_none() && before == Some(row.group());
                let more = if again { ", continued" } else { "" };
                page.headings.push((page.height + GROUP - 11.0, format!("{}{more}", row.group())));
                page.height += GROUP;
                last = Some(row.group());
            }
            page.rows.push((page.height + ROW / 2.0, row));
            page.height += ROW;
        }
        pages.push(page);
    }
    pages
}

/// The room that the names of all rows need, at most [`NAMES`].
pub(super) fn names_width<R: Row>(rows: &[R]) -> f64 {
    let widths = rows.iter().take(ROWS * PAGES).map(|row| LABEL.width(row.name()));
    // A little more, so that rounding cuts none.
    widths.fold(0.0, f64::max).min(NAMES) + 0.1
}

impl<R: Row> Page<'_, R> {
    /// Writes names and headings of rows that begin at `top`; names end at `right`.
    pub(super) fn draw_names(&self, area: &Area<'_>, top: f64, right: f64) -> Drawn {
        for (y, name) in &self.headings {
            let y = top + y;
            write(area, (MARGIN, y), HPos::Left, HEADING, name)?;
            let start = MARGIN + HEADING.width(name) + 10.0;
            line(area, (start, y), (WIDTH - MARGIN, y), 1.0, FAINT)?;
        }
        for (y, row) in &self.rows {
            let name = LABEL.fit(row.name(), right - MARGIN);
            write(area, (right, top + y), HPos::Right, LABEL, &name)?;
        }
        Ok(())
    }
}
