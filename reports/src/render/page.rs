//! `report.html`: everything about a run on one page that needs nothing but itself, so that it can
//! be mailed, archived and opened from a disk.
//!
//! The data is gathered as views (`view`), and `page/page.html` lays them out; minijinja escapes
//! all text on the way. Without its script the page shows every table, one below the other, and
//! figures still open their panels.

mod code;
mod notes;
mod panels;
mod raw;
mod tables;
mod view;
mod words;

use minijinja::{Environment, UndefinedBehavior, Value};
use serde::Serialize;

use super::answers::{Answer, answers};
use super::claim::{self, Paragraph};
use super::markdown::{Document, how_to_read};
use super::{counted, curves, grid, provenance};
use crate::chart::Picture;
use crate::table::Table;
use crate::text::{printable, printable_lines};
use crate::{Error, Run};
pub(super) use code::with_code;
use notes::Group;
use panels::Panel;
use view::TableView;

const TEMPLATE: &str = include_str!("page/page.html");
pub(super) const STYLE: &str = include_str!("page/page.css");
const SCRIPT: &str = include_str!("page/page.js");

/// A chart, and its heading. An SVG document of ours is safe to stand in the page.
#[derive(Serialize)]
struct Figure<'p> {
    title: &'p str,
    svg: &'p str,
}

impl<'p> Figure<'p> {
    fn of(picture: &'p Picture) -> Self {
        Self { title: &picture.title, svg: &picture.svg }
    }
}

/// True if it is the map of the verdicts, which stands beside what is said of these.
fn is_map(picture: &Picture) -> bool {
    picture.name.starts_with("verdicts")
}

/// All that the template shows.
#[derive(Serialize)]
struct Page<'p> {
    style: &'static str,
    script: &'static str,
    /// The command that was run, or `ggpbench` if no record tells; and the time at which the run
    /// was begun.
    name: String,
    begun: Option<String>,
    games: String,
    pairs: String,
    answers: Vec<Answer>,
    verdicts: Vec<String>,
    columns: Vec<String>,
    sections: Vec<Section<'p>>,
    boards: Vec<BoardView>,
    not_ok: Vec<Group>,
    maps: Vec<Figure<'p>>,
    warnings: Vec<Group>,
    /// The number of warnings, all groups together.
    warned: usize,
    how_to_read: Vec<String>,
    command: Option<String>,
    machine: Option<String>,
    rows: String,
    rows_link: String,
    panels: Vec<Panel>,
}

/// The start of a game: as an image, in which no script runs, whoever made the file.
#[derive(Serialize)]
struct BoardView {
    title: String,
    address: String,
}

impl BoardView {
    fn of(title: &str, svg: &str) -> Self {
        let address = format!("data:image/svg+xml,{}", raw::percent_encoded(svg.bytes()));
        Self { title: title.to_owned(), address }
    }
}

/// The starts of the games of a table that the run has pictures of.
fn boards(table: &Table, run: &Run) -> Vec<BoardView> {
    let games = table.games().iter();
    games.filter_map(|game| Some(BoardView::of(&game.title, run.boards.get(&game.id)?))).collect()
}

/// A part of the page with tables and charts of one subject.
#[derive(Serialize)]
struct Section<'p> {
    id: &'static str,
    title: &'static str,
    paragraphs: Vec<Paragraph>,
    tables: Vec<TableView>,
    /// Tables that are folded at first.
    folded: Vec<TableView>,
    figures: Vec<Figure<'p>>,
}

/// The sections, each with the beginnings of the names of its charts. Charts of other names stand
/// in the first.
const SECTIONS: [(&str, &str, &[&str]); 6] = [
    ("rates", "Rates", &["rates"]),
    ("speedups", "Speed-ups", &["ratios", "profile"]),
    ("searches", "Searches", &["searches"]),
    ("curves", "Curves", &["growth", "threads", "jobs"]),
    ("paper", "Published", &["paper", "published"]),
    ("costs", "Costs", &["compile", "tokens"]),
];

/// The whole page. The document was made from `run`, whose rows can be downloaded from the page.
///
/// # Errors
/// A fault of the template, whatever the data.
pub fn page_html(
    document: &Document<'_>,
    pictures: &[Picture],
    run: &Run,
) -> Result<String, Error> {
    let table = document.table;
    let warnings: Vec<String> =
        document.warnings.iter().map(|warning| printable(warning).into_owned()).collect();
    let warnings = notes::warnings(table, &warnings);
    let mut answers = answers(table, document.speedups);
    if let Some((last, warned)) = answers.last_mut().zip(notes::summary(&warnings)) {
        last.sentences.push(warned);
    }
    let page = Page {
        style: STYLE,
        script: SCRIPT,
        name: run.record.as_ref().and_then(crate::Record::name).unwrap_or("ggpbench".to_owned()),
        begun: document.machine.and_then(provenance::begun),
        games: counted(table.games().len(), "game"),
        pairs: counted(table.cells().count(), "pair"),
        answers,
        verdicts: table.verdicts().into_iter().map(|(verdict, _)| verdict.to_string()).collect(),
        columns: table.columns().iter().map(crate::Column::label).collect(),
        sections: sections(document, pictures),
        boards: boards(table, run),
        not_ok: notes::not_ok(table),
        maps: pictures.iter().filter(|picture| is_map(picture)).map(Figure::of).collect(),
        warned: warnings.len(),
        warnings,
        how_to_read: how_to_read(document),
        command: run.record.as_ref().and_then(crate::Record::command),
        machine: document.machine.map(|machine| printable_lines(machine).into_owned()),
        rows: counted(run.samples.len(), "row"),
        rows_link: raw::data_link(&run.samples),
        panels: panels::panels(table, &run.samples, run.record.as_ref()),
    };
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_trim_blocks(true);
    environment.set_lstrip_blocks(true);
    environment.add_filter("percent", |text: &str| raw::percent_encoded(text.bytes()));
    environment.add_filter("code", |text: &str| Value::from_safe_string(code::with_code(text)));
    // Names that end in `.html` have their text escaped.
    let fault = |error: minijinja::Error| Error::Draw(format!("report.html: {error}"));
    environment.add_template("page.html", TEMPLATE).map_err(fault)?;
    environment.get_template("page.html").and_then(|template| template.render(&page)).map_err(fault)
}

fn sections<'p>(document: &Document<'_>, pictures: &'p [Picture]) -> Vec<Section<'p>> {
    let Document { table, speedups, .. } = *document;
    let of_claim = claim::section(table);
    let grid = |heading, grid| TableView::of_grid(heading, grid, |label| is_column(table, label));
    let mut claim = of_claim.as_ref().map(|of| {
        (grid(claim::HEADING, &of.summary), grid("The paper's claim, row by row", &of.rows))
    });
    let mut paragraphs = of_claim.map(|of| of.paragraphs).unwrap_or_default();
    let section = |(id, title, names): (&'static str, &'static str, &[&str])| {
        let paragraphs = if id == "paper" { std::mem::take(&mut paragraphs) } else { Vec::new() };
        let (tables, folded) = match id {
            "rates" => (vec![tables::rates(table)], vec![tables::plies(table)]),
            "speedups" => (tables::speedups(table, speedups).into_iter().collect(), Vec::new()),
            "searches" => (searches(table).into_iter().collect(), Vec::new()),
            "curves" => (curve_tables(document), Vec::new()),
            "paper" => {
                let (summary, rows) = claim.take().unzip();
                (summary.into_iter().chain(published(table)).collect(), rows.into_iter().collect())
            }
            _ => (tables::costs(table), Vec::new()),
        };
        let begins = |names: &[&str], picture: &Picture| {
            names.iter().any(|name| picture.name.starts_with(name))
        };
        let belongs = |picture: &&Picture| {
            let homeless = !SECTIONS.iter().any(|(.., names)| begins(names, picture));
            begins(names, picture) || homeless && !is_map(picture) && id == SECTIONS[0].0
        };
        let figures = pictures.iter().filter(belongs).map(Figure::of).collect();
        Section { id, title, paragraphs, tables, folded, figures }
    };
    let sections = SECTIONS.into_iter().map(section);
    sections.filter(|section| !section.tables.is_empty() || !section.figures.is_empty()).collect()
}

fn is_column(table: &Table, label: &str) -> bool {
    table.columns().iter().any(|column| column.label() == label)
}

/// Simulations over playouts, with what that is.
fn searches(table: &Table) -> Option<TableView> {
    let grid = grid::searches(table)?;
    let mut view = TableView::of_grid(grid::SEARCHES, &grid, |label| is_column(table, label));
    view.notes.push(grid::ABOUT_SEARCHES.to_owned());
    Some(view)
}

fn curve_tables(document: &Document<'_>) -> Vec<TableView> {
    let grids = curves::grids(document.table, document.curves);
    let view = |(heading, grid): &(String, grid::Grid)| {
        TableView::of_grid(heading, grid, |label| is_column(document.table, label))
    };
    grids.iter().map(view).collect()
}

/// The published figures beside ours, with what the sources leave open.
fn published(table: &Table) -> Option<TableView> {
    let (grid, used) = grid::published(table)?;
    let heading = "Beside the published figures";
    let mut view = TableView::of_grid(heading, &grid, |label| is_column(table, label));
    view.notes.push(grid::PUBLISHED.to_owned());
    let noted = used.iter().filter(|published| !published.note.is_empty());
    view.notes.extend(noted.map(|of| format!("{}: {}.", of.reference(), of.note)));
    Some(view)
}

#[cfg(test)]
mod tests {
    use super::{Error, page_html};
    use crate::chart::Picture;
    use crate::render::Document;
    use crate::{Run, Sample, Verdict};

    #[test]
    fn hostile_text_stays_text() -> Result<(), Error> {
        let hostile = "</td></script><script>'\"&";
        let mut row = Sample::failure(hostile, "e", Verdict::Crashed, hostile);
        row.title = hostile.to_owned();
        let mut run = Run::from_samples(vec![row]);
        run.boards.insert(hostile.to_owned(), "<svg><script/></svg>".to_owned());
        let table = run.table();
        let speedups = table.speedups(None)?;
        let warnings = [hostile.to_owned()];
        let document = Document {
            table: &table,
            speedups: &speedups,
            curves: &[],
            machine: Some(hostile),
            warnings: &warnings,
        };
        let picture = Picture {
            name: "x".into(),
            title: hostile.into(),
            svg: "<svg/>".into(),
            png: Vec::new(),
        };
        let page = page_html(&document, &[picture], &run)?;
        assert_eq!(page.matches("<script").count(), 1);
        assert_eq!(page.matches("</script").count(), 1);
        assert_eq!(page.matches("<img src=\"data:image/svg+xml,%3Csvg%3E").count(), 1);
        assert!(
            page.contains("&lt;&#x2f;td&gt;&lt;&#x2f;script&gt;&lt;script&gt;&#x27;&quot;&amp;")
        );
        Ok(())
    }
}
