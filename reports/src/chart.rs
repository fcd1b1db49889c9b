//! Charts, drawn with `plotters`: each is an SVG and an image of the same layout.
//!
//! The typeface is embedded, colours and shapes go with the names of engines, and nothing asks a
//! clock or a system, so that the same rows give the same bytes. A new chart is a file with a
//! [`Chart`] and a line in [`ALL`].

mod axis;
mod backend;
mod dot_plot;
mod font;
mod frame;
mod growth;
mod head;
mod labels;
mod languages;
mod lines;
mod mark;
mod page;
mod plane;
mod printed;
mod profile;
mod rates;
mod ratings;
mod ratios;
mod scatter;
mod searches;
mod series;
mod shares;
mod theme;
mod verdicts;

pub use ratings::{RatedAgent, ratings_picture};

pub(crate) use languages::{LanguageCurve, distances_picture, ways_picture};

use crate::Error;
use crate::curves::Curves;
use crate::table::{Speedups, Table};

/// Every chart, in the order in which they are shown.
pub const ALL: [Chart; 10] = [
    rates::CHART,
    ratios::CHART,
    searches::CHART,
    profile::CHART,
    scatter::COMPILE,
    scatter::TOKENS,
    growth::CHART,
    shares::THREADS,
    shares::JOBS,
    verdicts::CHART,
];

/// A kind of chart.
#[derive(Debug, Clone, Copy)]
pub struct Chart {
    /// The name of its files, or what this name begins with where there are several.
    pub name: &'static str,
    /// Its heading.
    pub title: &'static str,
    /// The subject of the chart, in half a sentence.
    pub shows: &'static str,
    /// Draws it: a picture a page, or a picture a family; none if the run has nothing to show.
    draw: fn(&Data<'_>) -> Result<Vec<Picture>, Error>,
}

/// The data that charts are drawn from.
#[derive(Debug, Clone, Copy)]
pub struct Data<'t> {
    /// The cells.
    pub table: &'t Table,
    /// Their ratios to a baseline.
    pub speedups: &'t Speedups,
    /// Curves over what was varied.
    pub curves: &'t [Curves],
}

/// A chart that is drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// Its file's name without an extension.
    pub name: String,
    /// Its heading, in printable text.
    pub title: String,
    /// A standalone SVG document, without an XML declaration, that can stand inside a page.
    pub svg: String,
    /// A PNG image with two pixels for each of the SVG's.
    pub png: Vec<u8>,
}

impl Chart {
    /// Draws the chart; no picture if there is nothing to show.
    ///
    /// # Errors
    /// A picture that cannot be encoded.
    pub fn draw(&self, data: &Data<'_>) -> Result<Vec<Picture>, Error> {
        (self.draw)(data)
    }
}

/// All pictures of a run.
///
/// # Errors
/// A picture that cannot be encoded.
pub fn pictures(data: &Data<'_>) -> Result<Vec<Picture>, Error> {
    let mut all = Vec::new();
    for chart in ALL {
        all.extend(chart.draw(data)?);
    }
    Ok(all)
}

impl Data<'_> {
    fn marks(&self) -> mark::Marks {
        mark::Marks::of(self.table)
    }

    /// The columns that a chart shows side by side.
    fn series(&self) -> Vec<series::Series> {
        series::series(self.table, &self.marks())
    }

    /// The mark of a column.
    fn mark(&self, column: usize) -> mark::Mark {
        match self.table.columns().get(column) {
            Some(column) => self.marks().mark(column),
            None => mark::Mark::printed(0),
        }
    }
}
