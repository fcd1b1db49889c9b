//! What a part of the comparison shows, in no notation.

use crate::chart::Picture;

/// A part of the report. Its texts are plain, with `code` between backquotes.
#[derive(Clone, Debug, Default)]
pub struct Section {
    /// Its heading.
    pub title: &'static str,
    /// Definitions of its figures, a paragraph each.
    pub definitions: Vec<&'static str>,
    /// Its tables.
    pub grids: Vec<Grid>,
    /// What the tables show, a sentence each, with its figures and their intervals.
    pub findings: Vec<String>,
    /// Its charts.
    pub pictures: Vec<Picture>,
}

/// A table of a section.
#[derive(Clone, Debug)]
pub struct Grid {
    /// Its label in LaTeX, a word.
    pub label: &'static str,
    /// What it shows.
    pub caption: String,
    /// The head above the names of the lines.
    pub corner: &'static str,
    /// The heads of the other columns.
    pub heads: Vec<String>,
    /// Its lines: a name, and a field for each head.
    pub lines: Vec<(String, Vec<String>)>,
}

impl Grid {
    /// A table without lines.
    pub fn new<'h>(
        label: &'static str,
        caption: &str,
        corner: &'static str,
        heads: impl IntoIterator<Item = &'h str>,
    ) -> Grid {
        let heads = heads.into_iter().map(str::to_owned).collect();
        Grid { label, caption: caption.to_owned(), corner, heads, lines: Vec::new() }
    }

    /// Adds a line.
    pub fn push(&mut self, name: &str, fields: impl IntoIterator<Item = String>) {
        self.lines.push((name.to_owned(), fields.into_iter().collect()));
    }
}
