//! The rows on disk: appended as they come, sorted at the end, picked up again after a stop.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::Row;

/// The rows of a folder, in memory and in a file.
pub struct Rows {
    path: PathBuf,
    file: File,
    /// By file and engine.
    by_file: BTreeMap<(String, String), Row>,
}

impl Rows {
    /// Opens the file, new or with the rows of an earlier run. A line that was cut off by a stop is
    /// dropped, and so are the rows that `keep` does not want.
    pub fn open(path: &Path, keep: impl Fn(&Row) -> bool) -> Result<Rows> {
        let mut rows = BTreeMap::new();
        if path.exists() {
            let shown = path.display();
            let text =
                std::fs::read_to_string(path).with_context(|| format!("cannot read {shown}"))?;
            // Rows have no line breaks, so a line without one is not whole.
            let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
            for (number, row) in
                csv::Reader::from_reader(whole.as_bytes()).deserialize().enumerate()
            {
                let row: Row = row.with_context(|| {
                    format!(
                        "row {} of {shown} is not one of ours; give another folder with --out, or \
                         delete the file",
                        number + 1
                    )
                })?;
                if keep(&row) {
                    rows.insert((row.file.clone(), row.engine.clone()), row);
                }
            }
        }
        let file = rewrite(path, &rows)?;
        Ok(Rows { path: path.to_owned(), file, by_file: rows })
    }

    /// True if there are rows of this very file for all of these engines.
    pub fn has(&self, file: &str, sha256: &str, engines: &[&str]) -> bool {
        engines.iter().all(|engine| {
            let row = self.by_file.get(&(file.to_owned(), (*engine).to_owned()));
            row.is_some_and(|row| row.sha256 == sha256)
        })
    }

    /// Adds the rows of a file.
    pub fn add(&mut self, rows: &[Row]) -> Result<()> {
        let mut lines = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
        for row in rows {
            lines.serialize(row)?;
            self.by_file.insert((row.file.clone(), row.engine.clone()), row.clone());
        }
        // In one piece, so that a stop leaves whole lines.
        self.file
            .write_all(&lines.into_inner()?)
            .and_then(|()| self.file.flush())
            .with_context(|| format!("cannot write to {}", self.path.display()))
    }

    /// Writes the file again in order, and gives the rows back.
    pub fn finish(self) -> Result<Vec<Row>> {
        rewrite(&self.path, &self.by_file)?;
        Ok(self.by_file.into_values().collect())
    }
}

/// Writes all rows to a new file that takes the place of the old one, open at its end.
fn rewrite(path: &Path, rows: &BTreeMap<(String, String), Row>) -> Result<File> {
    let cannot = || format!("cannot write {}", path.display());
    let mut writer = csv::Writer::from_writer(Vec::new());
    // The header comes from a row.
    let blank = rows.is_empty().then(|| Row::blank("", "", ""));
    for row in rows.values().chain(&blank) {
        writer.serialize(row)?;
    }
    let mut text = writer.into_inner()?;
    if blank.is_some() {
        text.truncate(text.iter().position(|&b| b == b'\n').map_or(0, |i| i + 1));
    }
    reports::replace(path, |out| out.write_all(&text)).with_context(cannot)?;
    File::options().append(true).open(path).with_context(cannot)
}
