//! Description languages compared: the facts that `ggpbench languages` collects, a file a part, and
//! what follows from them.
//!
//! A part has a row type, which is the format of its file `PART.csv`, and a function from rows to a
//! [`Section`]: tables, findings in sentences, and pictures, all computed from the rows. The
//! renderers know sections only.

pub mod change;
pub mod evolution;
pub mod growth;
pub mod mistakes;
mod names;
mod printed;
mod ratios;
pub mod reach;
mod section;
mod shares;
pub mod size;
pub mod speed;

use std::fs;
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::Error;
use crate::rows::Via;

pub use section::{Grid, Section};

/// A part of the comparison.
pub struct Part {
    /// Its name, which is that of its file, and of the option that chooses it.
    pub name: &'static str,
    /// What the rows of its file show; `None` if there is no such file.
    section: fn(&Path) -> Result<Option<Section>, Error>,
}

/// All parts, in the order of the report.
pub const PARTS: [Part; 8] = [
    Part { name: "size", section: |dir| of(dir, "size", size::section) },
    Part { name: "change", section: |dir| of(dir, "change", change::section) },
    Part { name: "reach", section: |dir| of(dir, "reach", reach::section) },
    Part { name: "mistakes", section: |dir| of(dir, "mistakes", mistakes::section) },
    Part {
        name: "evolution",
        section: |dir| {
            rows(dir, "evolution")?.map(|rows: Vec<_>| evolution::section(&rows)).transpose()
        },
    },
    Part { name: "growth", section: |dir| of(dir, "growth", growth::section) },
    Part {
        name: "speed",
        section: |dir| speeds(dir)?.map(|rows| speed::section(&rows)).transpose(),
    },
    Part { name: "printed", section: |dir| Ok(speeds(dir)?.map(|rows| printed::section(&rows))) },
];

/// What the rows of a part show, if there is its file.
fn of<Row: DeserializeOwned>(
    dir: &Path,
    part: &str,
    section: fn(&[Row]) -> Section,
) -> Result<Option<Section>, Error> {
    Ok(rows(dir, part)?.map(|rows: Vec<Row>| section(&rows)))
}

/// The file of a part.
pub fn file_name(part: &str) -> String {
    format!("{part}.csv")
}

/// What a folder of facts shows, part by part.
///
/// # Errors
/// A file that cannot be read, or that does not hold rows of its part.
pub fn sections(dir: &Path) -> Result<Vec<Section>, Error> {
    PARTS.iter().filter_map(|part| (part.section)(dir).transpose()).collect()
}

/// The rates of runs, and those of batches, which go before what runs have of their engines.
fn speeds(dir: &Path) -> Result<Option<Vec<speed::Row>>, Error> {
    let of_runs: Option<Vec<speed::Row>> = rows(dir, "speed")?;
    let of_batches: Option<Vec<speed::Row>> = rows(dir, "batches")?;
    let (Some(mut all), Some(of_batches)) = (of_runs.clone(), of_batches.clone()) else {
        return Ok(of_runs.or(of_batches));
    };
    let has = |engine: &str| of_batches.iter().any(|row| row.engine == engine);
    all.retain(|row| row.via != Via::Batch || !has(&row.engine));
    all.extend(of_batches);
    Ok(Some(all))
}

/// Rows as the text of a file, with a line of heads.
///
/// # Errors
/// A row that no line of CSV can hold.
pub fn text<Row: Serialize>(rows: &[Row]) -> Result<String, Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let wrong = |error: &dyn std::fmt::Display| Error::Request(error.to_string());
    for row in rows {
        writer.serialize(row).map_err(|error| wrong(&error))?;
    }
    let bytes = writer.into_inner().map_err(|error| wrong(&error))?;
    String::from_utf8(bytes).map_err(|error| wrong(&error))
}

/// The rows of a part in a folder; `None` if there is no such file.
///
/// # Errors
/// A file that cannot be read, or a line that is no such row, with its place.
pub fn rows<Row: DeserializeOwned>(dir: &Path, part: &str) -> Result<Option<Vec<Row>>, Error> {
    let path = dir.join(file_name(part));
    if !path.exists() {
        return Ok(None);
    }
    let text = fs::read_to_string(&path).map_err(Error::io(&path))?;
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let line = |error: csv::Error| {
        let line = error.position().map_or(1, csv::Position::line);
        Error::malformed(&path, line, error.to_string())
    };
    let rows = reader.deserialize().collect::<Result<Vec<Row>, _>>();
    rows.map(Some).map_err(line)
}
