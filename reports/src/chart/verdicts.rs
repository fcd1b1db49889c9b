//! A map of the verdicts: what is known of every pair of game and engine.

use plotters::style::RGBColor;
use plotters_backend::text_anchor::HPos;

use super::head::Head;
use super::lines::{Page, ROW, Row, in_groups, names_width, pages};
use super::mark::Mark;
use super::page::{
    Area, Drawn, INK, LABEL, MARGIN, MUTED, PAPER, SMALL, Type, WIDTH, fill, picture, write,
};
use super::series::Series;
use super::{Chart, Data, Picture};
use crate::Error;
use crate::rows::Verdict;
use crate::table::GameRow;

pub(super) const CHART: Chart = Chart {
    name: "verdicts",
    title: "Verdicts",
    shows: "what is known of every pair of game and engine",
    draw,
};

/// From light to dark as verdicts turn worse, so that the map can be read in grey.
fn colour(verdict: Verdict) -> RGBColor {
    match verdict {
        Verdict::Ok => RGBColor(0xdc, 0xf1, 0xe8),
        Verdict::Unchecked => RGBColor(0xfb, 0xf3, 0xb8),
        Verdict::Capped => RGBColor(0xc6, 0xe2, 0xf5),
        Verdict::Unsupported => RGBColor(0xdd, 0xdd, 0xdd),
        Verdict::Invalid => RGBColor(0xc4, 0xc4, 0xc4),
        Verdict::TooLarge => RGBColor(0xf5, 0xcf, 0x8a),
        Verdict::Timeout => RGBColor(0xe6, 0xa6, 0x4a),
        Verdict::Crashed => RGBColor(0xd8, 0x82, 0x3c),
        Verdict::Disputed => RGBColor(0x9a, 0x4f, 0x86),
        Verdict::Wrong => RGBColor(0x8c, 0x12, 0x1c),
    }
}

/// The type of a verdict on its colour.
fn ink(verdict: Verdict) -> RGBColor {
    if matches!(verdict, Verdict::Disputed | Verdict::Wrong) { PAPER } else { INK }
}

/// A game and what is known of it on each of the engines shown; `None` if there is no such pair.
struct MapRow {
    group: &'static str,
    name: String,
    verdicts: Vec<Option<Verdict>>,
}

impl Row for MapRow {
    fn group(&self) -> &'static str {
        self.group
    }

    fn name(&self) -> &str {
        &self.name
    }
}

/// Height of the names of engines, in two lines, and their marks.
const NAMES: f64 = 46.0;
const NAME: Type = Type { size: 10.5, ..SMALL };
/// The widest that a column may be, and the most columns that a page has room for.
const COLUMN: f64 = 120.0;
const COLUMNS: usize = 24;

fn draw(data: &Data<'_>) -> Result<Vec<Picture>, Error> {
    let mut series = data.series();
    let left_out = series.len().saturating_sub(COLUMNS);
    series.truncate(COLUMNS);
    let table = data.table;
    let row = |(number, game, group): (usize, &GameRow, &'static str)| MapRow {
        group,
        name: game.title.clone(),
        verdicts: series.iter().map(|s| Some(table.cell(number, s.column)?.verdict())).collect(),
    };
    let rows: Vec<MapRow> = in_groups(table).into_iter().map(row).collect();
    if series.is_empty() || rows.is_empty() {
        return Ok(Vec::new());
    }
    // Joined by spaces that break no line.
    let count =
        |(verdict, cells): &(Verdict, usize)| format!("{cells} {verdict}").replace(' ', "\u{a0}");
    let counts: Vec<String> = table.verdicts().iter().map(count).collect();
    let more = match left_out {
        0 => String::new(),
        more => format!(" {more} more columns are in table.csv."),
    };
    let remark = format!(
        "What is known of every pair of game and engine; a dash is a pair that does not exist. Of \
         all pairs: {}.{more}",
        counts.join(", ")
    );
    let left = MARGIN + names_width(&rows) + 12.0;
    let width = ((WIDTH - MARGIN - left) / series.len() as f64).min(COLUMN);
    // The legend repeats the names of columns that are too narrow for them.
    let legend: Vec<(Mark, String)> = if series.iter().all(|series| fits(&series.name, width)) {
        Vec::new()
    } else {
        series.iter().map(|series| (series.mark, series.name.clone())).collect()
    };
    let page_picture = |page: &Page<'_, MapRow>| {
        let head = Head {
            title: format!("{}{}", CHART.title, page.title),
            remark: format!("{remark}{}", page.remark),
            legend: legend.clone(),
        };
        let top = head.height() + NAMES;
        let name = format!("{}{}", CHART.name, page.name);
        picture(&name, &head.title, top + page.height + MARGIN, |area| {
            head.draw(area)?;
            page.draw_names(area, top, left - 12.0)?;
            for (number, series) in series.iter().enumerate() {
                column_name(area, series, left + width * (number as f64 + 0.5), top, width)?;
            }
            for (y, row) in &page.rows {
                for (number, verdict) in row.verdicts.iter().enumerate() {
                    let x = left + width * number as f64;
                    cell(area, (x, top + y - ROW / 2.0), width, *verdict)?;
                }
            }
            Ok(())
        })
    };
    pages(&rows).iter().map(page_picture).collect()
}

/// The mark of an engine above its column, and above that its name in two lines.
fn column_name(area: &Area<'_>, series: &Series, middle: f64, top: f64, width: f64) -> Drawn {
    series.mark.draw(area, (middle, top - 6.0), 1.0)?;
    for (text, above) in name_lines(&series.name).into_iter().zip([37.0, 22.0]) {
        let text = NAME.fit(text, width - 4.0);
        write(area, (middle, top - above), HPos::Center, NAME, &text)?;
    }
    Ok(())
}

/// `propnet (tabled)` as two lines.
fn name_lines(name: &str) -> [&str; 2] {
    name.find(" (").map_or(["", name], |at| [&name[..at], &name[at + 1..]])
}

/// Whether a name can be read above its column.
fn fits(name: &str, width: f64) -> bool {
    name_lines(name).into_iter().all(|line| NAME.width(line) <= width - 4.0)
}

fn cell(area: &Area<'_>, (x, y): (f64, f64), width: f64, verdict: Option<Verdict>) -> Drawn {
    let middle = (x + width / 2.0, y + ROW / 2.0);
    let Some(verdict) = verdict else {
        return write(area, middle, HPos::Center, Type { colour: MUTED, ..LABEL }, "–");
    };
    fill(area, (x + 1.0, y + 1.0), (x + width - 1.0, y + ROW - 1.0), colour(verdict))?;
    let word = SMALL.fit(verdict.word(), width - 6.0);
    write(area, middle, HPos::Center, Type { colour: ink(verdict), ..SMALL }, &word)
}
