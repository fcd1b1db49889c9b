//! The strict reader: every fault is reported with file, line and column, except a torn last line,
//! which is what a killed run leaves and is only warned of.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use super::checksums;
use super::sample::{COLUMNS, Sample};
use super::words::Phase;
use crate::Error;

/// Columns that files written before the column existed may lack.
pub const OPTIONAL: &[&str] = &[
    "family",
    "size",
    "job",
    "tokens",
    "host",
    "method",
    "control",
    "process",
    "rules",
    "options",
    "payoffs",
    "build",
    "detects",
    "simulations",
];

/// Rows as read, with what the reader had to say about them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loaded {
    /// The rows, in file order.
    pub samples: Vec<Sample>,
    /// The line of each row.
    pub lines: Vec<u64>,
    /// True if there are checksums of the rows.
    pub has_checksums: bool,
    /// Lines that are not as they were written, by these checksums, with the file's name and the
    /// line.
    pub faults: Vec<String>,
    /// Messages with the file's name and the line; the rows are usable in spite of them.
    pub warnings: Vec<String>,
}

/// Reads a file of rows.
pub fn read_file(path: &Path) -> Result<Loaded, Error> {
    let bytes = std::fs::read(path).map_err(Error::io(path))?;
    // A file cut inside a character is torn like any other, so the last line goes before the text
    // is checked.
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
    let torn = bytes.len() > whole;
    let text = match std::str::from_utf8(&bytes[..whole]) {
        Ok(text) => text,
        Err(error) => {
            let line = bytes[..error.valid_up_to()].split(|&byte| byte == b'\n').count() as u64;
            return Err(Error::malformed(path, line, "this line is not UTF-8 text"));
        }
    };
    let mut loaded = read_lines(text, torn, path)?;
    if let Some(checksums) = checksums::read(path)? {
        loaded.has_checksums = true;
        let faults = checksums::faults(text, &checksums).into_iter();
        loaded.faults = faults.map(|(line, what)| at(path, line, &what)).collect();
        let lines = text.lines().count();
        if loaded.faults.is_empty() && !torn && checksums.len() > lines {
            let what = "a row after this one has a checksum and is not there, as after a run was \
                        killed while writing";
            loaded.warnings.push(at(path, lines as u64, what));
        }
    }
    Ok(loaded)
}

/// A message about a line. It has the file's name alone: such messages stand in reports, which must
/// not depend on where the folder lies.
fn at(path: &Path, line: u64, what: &str) -> String {
    format!("{}:{line}: {what}", path.file_name().unwrap_or_default().display())
}

/// Reads rows from text; `name` stands for the file in messages.
pub fn read_text(text: &str, name: &Path) -> Result<Loaded, Error> {
    let whole = text.rfind('\n').map_or(0, |last| last + 1);
    read_lines(&text[..whole], text.len() > whole, name)
}

fn read_lines(text: &str, torn: bool, path: &Path) -> Result<Loaded, Error> {
    let mut warnings = Vec::new();
    let lines = text.lines().count() as u64;
    if lines == 0 {
        let what = if torn { "only a torn header" } else { "an empty file" };
        return Err(Error::malformed(
            path,
            1,
            format!("{what}; expected the columns {}", COLUMNS.join(",")),
        ));
    }
    if torn {
        let what = "the last line is torn (it does not end in a line break, as after a run was \
                    killed while writing) and was ignored";
        warnings.push(at(path, lines + 1, what));
    }
    let mut reader = csv::ReaderBuilder::new().from_reader(text.as_bytes());
    let header = reader
        .headers()
        .map_err(|error| csv_error(&error, path, &[], &csv::StringRecord::new()))?
        .clone();
    let columns: Vec<&str> = header.iter().collect();
    check_columns(&columns, path)?;
    let (mut samples, mut line_of_each) = (Vec::new(), Vec::new());
    let mut lines_of: BTreeMap<String, u64> = BTreeMap::new();
    let mut record = csv::StringRecord::new();
    while reader
        .read_record(&mut record)
        .map_err(|error| csv_error(&error, path, &columns, &csv::StringRecord::new()))?
    {
        let line = record.position().map_or(0, csv::Position::line);
        let sample: Sample = record
            .deserialize(Some(&header))
            .map_err(|error| csv_error(&error, path, &columns, &record))?;
        if let Some(fault) = sample.inconsistency() {
            return Err(Error::malformed(path, line, fault));
        }
        // A failure counts nothing, and may happen again when a run goes on.
        if sample.phase != Phase::None
            && let Some(earlier) = lines_of.insert(identity(&sample), line)
        {
            return Err(Error::malformed(
                path,
                line,
                format!("this row stands in line {earlier} already; it would count twice"),
            ));
        }
        samples.push(sample);
        line_of_each.push(line);
    }
    let (has_checksums, faults) = (false, Vec::new());
    Ok(Loaded { samples, lines: line_of_each, has_checksums, faults, warnings })
}

/// The identity of a measurement, which no two rows share.
fn identity(sample: &Sample) -> String {
    let Sample { game, engine, via, control, threads, job, host, process, .. } = sample;
    let Sample { phase, round, first, .. } = sample;
    format!("{:?}", (game, engine, via, control, threads, job, host, process, phase, round, first))
}

fn check_columns(columns: &[&str], path: &Path) -> Result<(), Error> {
    let mut seen = HashSet::new();
    for &column in columns {
        if !COLUMNS.contains(&column) {
            return Err(Error::malformed(
                path,
                1,
                format!("unknown column {column:?}; the columns are {}", COLUMNS.join(", ")),
            ));
        }
        if !seen.insert(column) {
            return Err(Error::malformed(path, 1, format!("column `{column}` stands twice")));
        }
    }
    match COLUMNS.iter().find(|column| !seen.contains(*column) && !OPTIONAL.contains(column)) {
        Some(missing) => Err(Error::malformed(path, 1, format!("column `{missing}` is missing"))),
        None => Ok(()),
    }
}

/// Turns an error of the csv crate into file, line and a sentence that names the column and its
/// value.
fn csv_error(
    error: &csv::Error,
    path: &Path,
    columns: &[&str],
    record: &csv::StringRecord,
) -> Error {
    let line = error.position().map_or(1, csv::Position::line);
    let message = match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            format!("{len} fields where the header has {expected_len}")
        }
        csv::ErrorKind::Deserialize { err, .. } => {
            let index = err.field().and_then(|index| usize::try_from(index).ok());
            match index.and_then(|index| Some((columns.get(index)?, record.get(index)?))) {
                Some((column, value)) => {
                    format!("column `{column}`: {value:?} is no whole number in range")
                }
                // Our own types name what they expected; the csv crate does not say in which field.
                None => err.kind().to_string(),
            }
        }
        _ => error.to_string(),
    };
    Error::malformed(path, line, message)
}
