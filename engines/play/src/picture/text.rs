//! Pictures in text.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::{Cell, Picture, Tray, file_and_rank, file_name};

/// The columns that a text may have.
const COLUMNS: usize = 80;

impl Picture {
    /// The picture in text: the board with its coordinates, what lies beside it, and the notes.
    pub fn text(&self) -> String {
        let mut text = self.board_text();
        for tray in self.trays.iter().filter(|tray| !tray.title.is_empty()) {
            text += &tray.text();
        }
        for note in &self.notes {
            text += note;
            text.push('\n');
        }
        text
    }

    /// The board alone, with its coordinates.
    pub fn board_text(&self) -> String {
        if self.cells.is_empty() {
            return String::new();
        }
        self.in_rows().unwrap_or_else(|| self.scattered())
    }

    /// Rows from the top with the number of the rank before each, and the letters of files below:
    /// where cells have names of squares, and each rank is a row.
    fn in_rows(&self) -> Option<String> {
        let mut rows: BTreeMap<u32, Vec<(u32, &Cell)>> = BTreeMap::new();
        for cell in &self.cells {
            let (file, rank) = file_and_rank(&cell.name)?;
            rows.entry(rank).or_default().push((file, cell));
        }
        // Where file `a` of each rank is, or would be.
        let mut starts = Vec::new();
        for row in rows.values_mut() {
            row.sort_by_key(|&(file, _)| file);
            let (file, cell) = *row.first()?;
            let start = cell.x - file as f32;
            let fits = |&(file, other): &(u32, &Cell)| {
                (other.x - start - file as f32).abs() < 0.1 && (other.y - cell.y).abs() < 0.1
            };
            let apart = row.windows(2).all(|two| two[0].0 != two[1].0);
            if !apart || !row.iter().all(fits) {
                return None;
            }
            starts.push((start, cell.y));
        }
        if !starts.windows(2).all(|two| two[0].1 < two[1].1) {
            return None;
        }
        let leftmost = starts.iter().map(|start| start.0).fold(f32::INFINITY, f32::min);
        let width = self.cells.iter().map(|cell| cell.sign.chars().count()).max().unwrap_or(1);
        let indent =
            |start: f32| ((start - leftmost).max(0.0) * (width + 1) as f32).round() as usize;
        let margin = (rows.keys().next_back()? + 1).to_string().len();
        let files = rows.values().flatten().map(|&(file, _)| file + 1).max()?;
        let mut text = String::new();
        for ((rank, row), &(start, _)) in rows.iter().zip(&starts).rev() {
            let _ = write!(text, "{:indent$}{:>margin$}", "", rank + 1, indent = indent(start));
            let mut cells = row.iter().peekable();
            for file in 0..files {
                let sign = cells.next_if(|&&(other, _)| other == file);
                let sign = sign.map_or("", |(_, cell)| cell.sign.as_str());
                let _ = write!(text, " {sign:>width$}");
            }
            end_line(&mut text);
        }
        // The letters stand one row lower.
        let slant = starts.windows(2).next().map_or(0.0, |two| two[0].0 - two[1].0);
        let below = indent(starts.first()?.0 + slant) + margin;
        let letters: String =
            (0..files).map(|file| format!(" {:>width$}", file_name(file))).collect();
        let _ = write!(text, "{:below$}{letters}", "");
        end_line(&mut text);
        Some(text)
    }

    /// Every cell where it is, empty ones by their names, as close as 80 columns ask for.
    fn scattered(&self) -> String {
        let Some([across, up]) = self.extent() else { return String::new() };
        let words: Vec<&str> = self
            .cells
            .iter()
            .map(|cell| if is_empty(cell) { cell.name.as_str() } else { cell.sign.as_str() })
            .collect();
        let longest = words.iter().map(|word| word.chars().count()).max().unwrap_or(1);
        let room = COLUMNS.saturating_sub(longest) as f32;
        let unit = (room / (across.end - across.start).max(0.1)).clamp(1.0, 5.0);
        let mut rows: BTreeMap<i64, Vec<(usize, &str)>> = BTreeMap::new();
        for (cell, word) in self.cells.iter().zip(&words) {
            let row = (2.0 * (up.end - cell.y)).round() as i64;
            let column = ((cell.x - across.start) * unit).round().max(0.0) as usize;
            rows.entry(row).or_default().push((column, word));
        }
        let mut text = String::new();
        for mut row in rows.into_values() {
            row.sort_by_key(|&(column, _)| column);
            let mut line = String::new();
            for (column, word) in row {
                let gap = column.saturating_sub(line.chars().count());
                line += &" ".repeat(gap.max(usize::from(!line.is_empty())));
                line += word;
            }
            text += &line;
            end_line(&mut text);
        }
        text
    }
}

impl Tray {
    fn text(&self) -> String {
        let pieces = self.pieces.iter().map(|piece| match piece.count {
            1 => piece.kind.clone(),
            count => format!("{} {}", count, piece.kind),
        });
        let owner = self.owner.map_or(String::new(), |player| format!(" of {}", player.0 + 1));
        format!("{}{owner}: {}\n", self.title, pieces.collect::<Vec<_>>().join(" "))
    }
}

fn is_empty(cell: &Cell) -> bool {
    cell.pieces.is_empty() && cell.sign == "."
}

/// Ends the last line, without blanks at its end.
fn end_line(text: &mut String) {
    text.truncate(text.trim_end_matches(' ').len());
    text.push('\n');
}
