#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod board;
mod glyphs;
mod marks;
mod pixels;
mod style;
#[cfg(test)]
mod tests;
mod tray;
mod xml;

use std::borrow::Cow;
use std::fmt::Write;

use play::picture::Picture;
use play::{Player, Turn};

use board::Board;
use xml::escaped;

pub use pixels::{Pixels, pixels, png};
pub use style::Theme;

/// The width of a picture in its own units; a page shows it at any size.
pub(crate) const WIDTH: f32 = 400.0;
/// The room at all edges.
pub(crate) const MARGIN: f32 = 6.0;
/// The height of a line of text.
const LINE: f32 = 17.0;
/// The most signs of a line of text.
const COLUMNS: usize = 52;
/// The most lines of text below a board.
const MAX_LINES: usize = 40;

/// What a picture shows beside the position itself.
#[derive(Clone, Debug)]
pub struct Options<'o> {
    /// The title, for people who cannot see the picture too: the name of the game.
    pub title: &'o str,
    /// The labels of the legal actions that are marked, or of some of them.
    pub legal: &'o [String],
    /// The label of the last action.
    pub last: Option<&'o str>,
    /// The player whose view is shown: what that player does not see is covered. Without one,
    /// everything is shown that some player sees.
    pub viewer: Option<Player>,
    /// The colours.
    pub theme: Theme,
    /// True for the names of files and ranks, or of cells.
    pub coordinates: bool,
    /// True for the lines of text below the board and for who is to move.
    pub notes: bool,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            title: "",
            legal: &[],
            last: None,
            viewer: None,
            theme: Theme::Auto,
            coordinates: true,
            notes: true,
        }
    }
}

/// Draws a position as SVG, 400 units wide: one element with its own style, to be a file or a part
/// of a page. Every cell, and what labels name beside the board, is a group of the class `cell` whose
/// `data-site` is its name.
pub fn svg(picture: &Picture, options: &Options<'_>) -> String {
    let picture = &*seen(picture, options.viewer);
    let (body, height) = body(picture, options);
    let label = if options.title.is_empty() { "position" } else { options.title };
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"ggp{}\" \
         viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{}\">\n",
        options.theme.class(),
        escaped(label),
    );
    let _ = writeln!(out, "<title>{}</title>", escaped(label));
    let _ = writeln!(out, "<desc>{}</desc>", escaped(&described(picture, options.viewer)));
    let _ = writeln!(out, "<style>{}</style>", options.theme.sheet());
    let _ = write!(out, "<rect class=\"paper\" width=\"{WIDTH}\" height=\"{height}\"/>\n{body}");
    out + "</svg>\n"
}

/// Draws several positions one below the other, each with its title, in one SVG.
pub fn strip(pictures: &[(Picture, Options<'_>)], columns: usize) -> String {
    let columns = columns.clamp(1, 16).min(pictures.len().max(1));
    let theme = pictures.first().map_or(Theme::Auto, |(_, options)| options.theme);
    let (mut rows, mut top) = (String::new(), 0.0);
    for row in pictures.chunks(columns) {
        let mut tallest: f32 = 0.0;
        for (column, (picture, options)) in row.iter().enumerate() {
            let (body, height) = body(&seen(picture, options.viewer), options);
            let title = escaped(options.title);
            let x = column as f32 * WIDTH;
            let _ = write!(
                rows,
                "<g transform=\"translate({x} {top})\"><text class=\"title\" x=\"{MARGIN}\" \
                 y=\"16\">{title}</text><g transform=\"translate(0 22)\">\n{body}</g></g>\n",
            );
            tallest = tallest.max(height + 22.0);
        }
        top += tallest;
    }
    let width = WIDTH * columns as f32;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"ggp{}\" viewBox=\"0 0 {width} {top}\" \
         role=\"img\" aria-label=\"positions\">\n<title>positions</title>\n<style>{}</style>\n\
         <rect class=\"paper\" width=\"{width}\" height=\"{top}\"/>\n{rows}</svg>\n",
        theme.class(),
        theme.sheet(),
    )
}

/// What a viewer may see of a picture: where something is hidden, no notes, and nothing at all of an
/// engine that covers nothing.
fn seen(picture: &Picture, viewer: Option<Player>) -> Cow<'_, Picture> {
    if viewer.is_none() || !picture.hidden {
        return Cow::Borrowed(picture);
    }
    let turn = picture.turn;
    if !picture.covers_something() {
        let note = "this engine does not say what a player sees";
        return Cow::Owned(Picture { turn, hidden: true, ..Picture::card(note) });
    }
    Cow::Owned(Picture { notes: Vec::new(), ..picture.clone() })
}

/// What is drawn, and how high it is.
fn body(picture: &Picture, options: &Options<'_>) -> (String, f32) {
    let mut out = String::new();
    let mut top = MARGIN;
    if let Some(board) = Board::new(picture, options) {
        out += &board.drawn(top);
        top += board.height();
    }
    // Where there is no board, the trays are all.
    let size = if picture.cells.is_empty() { 54.0 } else { 30.0 };
    for tray in &picture.trays {
        let (drawn, height) = tray::drawn(tray, top, size, options.viewer);
        out += &drawn;
        top += height;
    }
    if options.notes {
        let mut lines: Vec<String> = mover(picture).into_iter().collect();
        lines.extend(picture.notes.iter().flat_map(|note| wrapped(note)));
        let more = lines.len().saturating_sub(MAX_LINES);
        lines.truncate(MAX_LINES);
        if more > 0 {
            lines.push(format!("and {more} more lines"));
        }
        for line in lines {
            top += LINE;
            let _ = writeln!(
                out,
                "<text class=\"note\" xml:space=\"preserve\" x=\"{MARGIN}\" y=\"{}\">{}</text>",
                top - 4.0,
                escaped(&line)
            );
        }
    }
    (out, (top + MARGIN).ceil())
}

/// Who acts, in words.
fn mover(picture: &Picture) -> Option<String> {
    picture.turn.map(|turn| match turn {
        Turn::Over => "the game is over".to_owned(),
        Turn::Move(player) => format!("player {} to move", player.0 + 1),
    })
}

/// The position in words: who moves, and what lies where.
fn described(picture: &Picture, viewer: Option<Player>) -> String {
    const MOST: usize = 60;
    let mut parts: Vec<String> = mover(picture).into_iter().collect();
    let full = picture.cells.iter().filter(|cell| !cell.pieces.is_empty());
    let said = full.map(|cell| {
        let is_covered = cell.cover.hides(viewer);
        let here = if is_covered { "covered".to_owned() } else { board::named(&cell.pieces) };
        format!("{} {here}", cell.name)
    });
    parts.extend(said.take(MOST));
    parts.join(", ")
}

/// A line in parts that are short enough, broken at blanks where there are some.
fn wrapped(line: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut width = 0;
    for word in line.split_inclusive(' ') {
        let length = word.chars().count();
        if width > 0 && width + word.trim_end().chars().count() > COLUMNS {
            lines.push("  ".to_owned());
            width = 2;
        }
        for (at, sign) in word.chars().enumerate() {
            if at > 0 && at % COLUMNS == 0 {
                lines.push("  ".to_owned());
            }
            if let Some(last) = lines.last_mut() {
                last.push(sign);
            }
        }
        width += length;
    }
    lines
}
