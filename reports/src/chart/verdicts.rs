//! A map of the verdicts: what is known of every pair of game and engine.

use plotters::style::RGBColor;
use plotters_backend::text_anchor::HPos;

use super::head::Head;
use super::lines::{Page, ROW, Row, in_groups, names_width, pages};
use super::mark::Mark;
use super::page::{
    Area, Drawn, INK, LABEL, MARGIN, MUTED, PAPER, SMALL, Type, WIDTH, fill, picture, write,
};
use super::theme::of_verdict;
use super::{Chart, Data, Picture};
use crate::Error;
use crate::rows::Verdict;
use crate::table::{GameRow, Way};

pub(super) const CHART: Chart = Chart {
    name: "verdicts",
    title: "Verdicts",
    shows: "what is known of every pair of game and engine",
    draw,
};

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

/// An engine and the way in which it plays.
struct MapColumn {
    way: Way,
    mark: Mark,
    name: String,
}

/// Height of the names of engines, in two lines, and their marks; and of marks alone.
const NAMES: f64 = 46.0;
const MARKS: f64 = 16.0;
const NAME: Type = Type { size: 10.5, ..SMALL };
/// The widest that a column may be, and the most columns that a page has room for.
const COLUMN: f64 = 120.0;
const COLUMNS: usize = 24;

fn draw(data: &Data<'_>) -> Result<Vec<Picture>, Error> {
    let table = data.table;
    let mut columns = columns(data);
    let left_out = columns.len().saturating_sub(COLUMNS);
    columns.truncate(COLUMNS);
    let row = |(number, game, group): (usize, &GameRow, &'static str)| MapRow {
        group,
        name: game.title.clone(),
        verdicts: columns.iter().map(|of| Some(of.way.cell(table, number)?.0.verdict())).collect(),
    };
    let rows: Vec<MapRow> = in_groups(table).into_iter().map(row).collect();
    if columns.is_empty() || rows.is_empty() {
        return Ok(Vec::new());
    }
    // Joined by spaces that break no line.
    let count =
        |(verdict, cells): &(Verdict, usize)| format!("{cells} {verdict}").replace(' ', "\u{a0}");
    let counts: Vec<String> = table.verdicts().iter().map(count).collect();
    let left = MARGIN + names_width(&rows) + 12.0;
    let width = ((WIDTH - MARGIN - left) / columns.len() as f64).min(COLUMN);
    let words = Words::of(table.verdicts().iter().map(|&(verdict, _)| verdict), width);
    let mut more = words.remark().to_owned();
    if left_out > 0 {
        more += &format!(" {left_out} more columns are in table.csv.");
    }
    let remark = format!(
        "What is known of every pair of game and engine; a dash is a game that the engine does \
         not play in this way. Of all pairs: {}.{more}",
        counts.join(", ")
    );
    // Where a column is too narrow for its name, all names stand in the legend, whole.
    let is_wide = columns.iter().all(|of| fits(&of.name, width));
    let legend: Vec<(Mark, String)> = if is_wide {
        Vec::new()
    } else {
        columns.iter().map(|of| (of.mark, of.name.clone())).collect()
    };
    let names = if is_wide { NAMES } else { MARKS };
    let page_picture = |page: &Page<'_, MapRow>| {
        let head = Head {
            title: format!("{}{}", CHART.title, page.title),
            remark: format!("{remark}{}", page.remark),
            legend: legend.clone(),
        };
        let top = head.height() + names;
        let name = format!("{}{}", CHART.name, page.name);
        picture(&name, &head.title, top + page.height + MARGIN, |area| {
            head.draw(area)?;
            page.draw_names(area, top, left - 12.0)?;
            for (number, of) in columns.iter().enumerate() {
                let middle = left + width * (number as f64 + 0.5);
                of.mark.draw(area, (middle, top - 6.0), 1.0)?;
                if is_wide {
                    column_name(area, &of.name, middle, top)?;
                }
            }
            for (y, row) in &page.rows {
                for (number, verdict) in row.verdicts.iter().enumerate() {
                    let x = left + width * number as f64;
                    cell(area, (x, top + y - ROW / 2.0), width, &words, *verdict)?;
                }
            }
            Ok(())
        })
    };
    pages(&rows).iter().map(page_picture).collect()
}

/// The columns of the charts, each tabled one together with its counterpart: a game is played in
/// one of both ways.
fn columns(data: &Data<'_>) -> Vec<MapColumn> {
    let shown: Vec<usize> = data.series().into_iter().map(|series| series.column).collect();
    let marks = data.marks();
    let column = |mut way: Way| {
        way.numbers.retain(|number| shown.contains(number));
        let (mark, name) = (marks.mark(&way.column), way.column.label());
        (!way.numbers.is_empty()).then_some(MapColumn { way, mark, name })
    };
    data.table.ways().into_iter().filter_map(column).collect()
}

/// The name of an engine above its mark, in two lines.
fn column_name(area: &Area<'_>, name: &str, middle: f64, top: f64) -> Drawn {
    for (text, above) in name_lines(name).into_iter().zip([37.0, 22.0]) {
        write(area, (middle, top - above), HPos::Center, NAME, text)?;
    }
    Ok(())
}

/// `propnet (tabled)` as two lines.
fn name_lines(name: &str) -> [&str; 2] {
    name.find(" (").map_or(["", name], |at| [&name[..at], &name[at + 1..]])
}

/// True if a name can be read above its column.
fn fits(name: &str, width: f64) -> bool {
    name_lines(name).into_iter().all(|line| NAME.width(line) <= width - 4.0)
}

/// The words of verdicts as they fit their columns.
struct Words {
    how: Type,
    /// Letters of each word.
    letters: usize,
}

/// The smallest type in which whole words are read with ease.
const LEAST: f64 = 8.5;
/// Letters by which every verdict is told from the others.
const SHORT: usize = 3;

impl Words {
    /// Whole words, in smaller type where columns are narrow; else their first letters.
    fn of(verdicts: impl Iterator<Item = Verdict> + Clone, width: f64) -> Words {
        let of = |letters: usize| {
            let widths = verdicts.clone().map(|v| SMALL.width(first(v, letters)));
            let part = (width - 6.0) / widths.fold(1.0, f64::max);
            Words { how: Type { size: SMALL.size * part.min(1.0), ..SMALL }, letters }
        };
        let whole = of(usize::MAX);
        if whole.how.size < LEAST { of(SHORT) } else { whole }
    }

    /// A sentence about them, if they need one.
    fn remark(&self) -> &'static str {
        if self.letters == SHORT { " Their first letters stand in the fields." } else { "" }
    }
}

/// The first letters of a verdict.
fn first(verdict: Verdict, letters: usize) -> &'static str {
    let word = verdict.word();
    word.char_indices().nth(letters).map_or(word, |(end, _)| &word[..end])
}

fn cell(
    area: &Area<'_>,
    (x, y): (f64, f64),
    width: f64,
    words: &Words,
    verdict: Option<Verdict>,
) -> Drawn {
    let middle = (x + width / 2.0, y + ROW / 2.0);
    let Some(verdict) = verdict else {
        return write(area, middle, HPos::Center, Type { colour: MUTED, ..LABEL }, "–");
    };
    fill(area, (x + 1.0, y + 1.0), (x + width - 1.0, y + ROW - 1.0), of_verdict(verdict))?;
    let how = Type { colour: ink(verdict), ..words.how };
    write(area, middle, HPos::Center, how, first(verdict, words.letters))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_whole_or_their_first_letters_and_fit() {
        let all = || Verdict::ALL.iter().copied();
        for width in [120.0, 90.0, 74.0, 40.0, 31.0] {
            let words = Words::of(all(), width);
            let is_whole = width > 70.0;
            assert_eq!(words.remark().is_empty(), is_whole, "{width}");
            for verdict in all() {
                let word = first(verdict, words.letters);
                assert!(words.how.width(word) <= width - 5.9, "{word} in {width}");
                assert!(!is_whole || word == verdict.word());
            }
        }
        let short: std::collections::BTreeSet<&str> = all().map(|v| first(v, SHORT)).collect();
        assert_eq!(short.len(), Verdict::ALL.len(), "{short:?}");
    }
}
