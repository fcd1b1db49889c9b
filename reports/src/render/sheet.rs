//! A table for a terminal, in blocks where it is too wide for one.

use comfy_table::{Attribute, Cell, CellAlignment, Color, LineStyle, TableStyle};

use crate::text::{clipped, columns};

/// A rule above, below the header and below the rows.
pub(super) const STYLE: TableStyle = {
    let rule = LineStyle::none().fill('─').junction('─');
    TableStyle::new().top_border(rule).header_separator(rule).bottom_border(rule)
};

/// Columns that a name has at least, however narrow the terminal is.
const LEAST_NAME: usize = 4;

/// The options of drawing for a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TerminalOptions {
    /// Columns of the terminal; `None` lets lines be as long as they need.
    pub width: Option<u16>,
    /// True if escape sequences for colour may be used.
    pub colour: bool,
}

/// The tone of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tone {
    /// Nothing.
    #[default]
    Plain,
    /// It is to be read with care.
    Doubtful,
    /// Something failed.
    Bad,
    /// There is nothing, and that is no fault.
    Faint,
}

/// A field of a [`Sheet`].
pub type Field = (String, Tone);

/// Named lines of figures. The names are shown in every block; figures are aligned at their right.
#[derive(Debug, Clone)]
pub struct Sheet {
    /// Above the names.
    corner: String,
    heads: Vec<String>,
    lines: Vec<(String, Vec<Field>)>,
}

impl Sheet {
    /// A table with these heads, in which line breaks are allowed; `corner` stands above the names.
    pub fn new(corner: &str, heads: impl IntoIterator<Item = String>) -> Self {
        let heads = heads.into_iter().collect();
        Self { corner: corner.to_owned(), heads, lines: Vec::new() }
    }

    /// Adds a line; figures without a head are not shown.
    pub fn push(&mut self, name: &str, figures: impl IntoIterator<Item = Field>) {
        self.lines.push((name.to_owned(), figures.into_iter().collect()));
    }

    /// True if it can be drawn in one block.
    pub fn fits(&self, width: Option<u16>) -> bool {
        width.is_none_or(|width| is_within(&self.block(&self.all(), None, false), width))
    }

    /// Draws it, in as few blocks of columns as the width allows. In a place that is too narrow for
    /// a single column of figures, the names are cut.
    pub fn draw(&self, options: TerminalOptions) -> String {
        let Some(width) = options.width.filter(|_| !self.fits(options.width)) else {
            return self.block(&self.all(), None, options.colour);
        };
        let fits = |columns: &[usize]| is_within(&self.block(columns, None, false), width);
        let mut blocks: Vec<Vec<usize>> = vec![Vec::new()];
        for column in self.all() {
            match blocks.last_mut() {
                Some(block) if block.is_empty() || fits(&[&block[..], &[column]].concat()) => {
                    block.push(column);
                }
                _ => blocks.push(vec![column]),
            }
        }
        let drawn = blocks.iter().map(|block| {
            let excess = widest(&self.block(block, None, false)).saturating_sub(usize::from(width));
            let names = self.lines.iter().map(|(name, _)| name).chain([&self.corner]);
            let longest = names.map(|name| columns(name)).max().unwrap_or(0);
            let most = (excess > 0).then(|| longest.saturating_sub(excess).max(LEAST_NAME) as u16);
            self.block(block, most, options.colour)
        });
        drawn.collect()
    }

    fn all(&self) -> Vec<usize> {
        (0..self.heads.len()).collect()
    }

    /// The names, cut to a width if one is given, and some of the columns.
    fn block(&self, shown: &[usize], names: Option<u16>, colour: bool) -> String {
        let mut table = comfy_table::Table::new();
        table.load_style(STYLE);
        table.force_no_tty();
        if colour {
            table.enforce_styling();
        }
        let cut = |name: &str| names.map_or_else(|| name.to_owned(), |width| clipped(name, width));
        let bold = |text: String| Cell::new(text).add_attribute(Attribute::Bold);
        let heads = shown.iter().map(|&column| self.heads[column].clone());
        table.set_header(std::iter::once(cut(&self.corner)).chain(heads).map(bold));
        for (name, figures) in &self.lines {
            let figures = shown.iter().map(|&column| {
                let Some((text, tone)) = figures.get(column) else { return Cell::new("") };
                match tone {
                    Tone::Plain => Cell::new(text),
                    Tone::Doubtful => Cell::new(text).fg(Color::Yellow),
                    Tone::Bad => Cell::new(text).fg(Color::Red),
                    Tone::Faint => Cell::new(text).fg(Color::DarkGrey),
                }
            });
            table.add_row(std::iter::once(Cell::new(cut(name))).chain(figures));
        }
        for column in table.column_iter_mut().skip(1) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        lines(&table)
    }
}

/// The lines of a table, without spaces at their ends.
pub(super) fn lines(table: &comfy_table::Table) -> String {
    table.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
}

fn widest(text: &str) -> usize {
    text.lines().map(columns).max().unwrap_or(0)
}

fn is_within(text: &str, width: u16) -> bool {
    widest(text) <= usize::from(width)
}
