//! Writing rows so that a run killed at any moment loses at most the row being written.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::checksums::Checksums;
use super::sample::{COLUMNS, Sample};
use crate::Error;

/// Writes rows to `measurements.csv`, each with a single write call, so that a row is in the file
/// when [`SampleWriter::write`] returns, and its checksum beside it.
#[derive(Debug)]
pub struct SampleWriter {
    file: File,
    path: PathBuf,
    /// None where a file that is gone on with has none.
    checksums: Option<Checksums>,
}

impl SampleWriter {
    /// Creates the file with its header; a file that is already there is an error, because rows are
    /// not to be lost.
    pub fn create(path: &Path) -> Result<Self, Error> {
        let file =
            OpenOptions::new().write(true).create_new(true).open(path).map_err(Error::io(path))?;
        Self::begin(file, path)
    }

    /// Writes the header into an empty file.
    fn begin(file: File, path: &Path) -> Result<Self, Error> {
        let checksums = Some(Checksums::create(path)?);
        let mut writer = Self { file, path: path.to_owned(), checksums };
        writer.write_line(header().as_bytes())?;
        Ok(writer)
    }

    /// Opens a file to go on writing, or creates it. A torn last line, left by a run that was
    /// killed while it wrote, is cut off.
    ///
    /// # Errors
    /// Columns of another version, and rows that are not as they were written.
    pub fn append(path: &Path) -> Result<Self, Error> {
        if !path.exists() {
            return Self::create(path);
        }
        let mut file =
            OpenOptions::new().read(true).write(true).open(path).map_err(Error::io(path))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(Error::io(path))?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
        let expected = header();
        if whole > 0 && !bytes.starts_with(expected.as_bytes()) {
            return Err(Error::malformed(
                path,
                1,
                "these columns are of another version; rows cannot be appended",
            ));
        }
        let checksums = match std::str::from_utf8(&bytes[..whole]) {
            Ok("") => None,
            Ok(text) => Checksums::append(path, text)?,
            Err(_) => return Err(Error::malformed(path, 1, "the rows are not UTF-8 text")),
        };
        file.set_len(whole as u64).map_err(Error::io(path))?;
        file.seek(SeekFrom::End(0)).map_err(Error::io(path))?;
        if whole == 0 {
            return Self::begin(file, path);
        }
        Ok(Self { file, path: path.to_owned(), checksums })
    }

    /// Writes one row. A row that contradicts itself (see [`Sample::inconsistency`]) is refused, so
    /// that every file written can be read.
    pub fn write(&mut self, sample: &Sample) -> Result<(), Error> {
        if let Some(fault) = sample.inconsistency() {
            return Err(Error::Request(format!(
                "row of {} on {} not written to {}: {fault}",
                sample.game,
                sample.engine,
                self.path.display()
            )));
        }
        self.write_line(&to_line(sample))
    }

    fn write_line(&mut self, line: &[u8]) -> Result<(), Error> {
        if let Some(checksums) = &mut self.checksums {
            checksums.write(line)?;
        }
        self.file.write_all(line).map_err(Error::io(&self.path))
    }
}

/// The header line with its line break.
pub(crate) fn header() -> String {
    format!("{}\n", COLUMNS.join(","))
}

/// One row as a line of CSV with its line break.
pub(crate) fn to_line(sample: &Sample) -> Vec<u8> {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    writer.serialize(sample).expect("a row is a flat record of strings and numbers");
    writer.into_inner().expect("a vector takes every byte")
}
