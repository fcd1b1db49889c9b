//! Games that other systems recorded.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use flate2::read::MultiGzDecoder;
use serde::Deserialize;

use super::RuleFile;

/// The endings of the names of records, in place of the extension of the rule file.
const ENDINGS: [&str; 4] = ["trace.jsonl.gz", "jsonl.gz", "trace.jsonl", "jsonl"];

/// Longest record that is read, in bytes of text.
const LONGEST: u64 = 256 << 20;

/// The known mistakes of other systems: why, by file.
#[derive(Debug, Default)]
pub struct Mistakes(BTreeMap<String, String>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Mistake {
    file: String,
    reason: String,
}

impl Mistakes {
    /// Reads a CSV file with the columns `file` and `reason`.
    pub fn read(path: &Path) -> Result<Mistakes> {
        let shown = || format!("cannot read {}", path.display());
        let mut reasons = BTreeMap::new();
        for row in csv::Reader::from_path(path).with_context(shown)?.deserialize() {
            let Mistake { file, reason } = row.with_context(shown)?;
            reasons.insert(file, reason);
        }
        Ok(Mistakes(reasons))
    }

    /// The reason why the records about this file are wrong, if they are known to be.
    pub(super) fn reason(&self, file: &str) -> Option<&str> {
        self.0.get(file).map(String::as_str)
    }
}

/// A folder of records, laid out as the folder of rule files.
#[derive(Debug, Default)]
pub struct Records {
    /// The folder; no records at all without one.
    pub folder: Option<PathBuf>,
}

impl Records {
    /// The record of a file, if there is one; an error says why it cannot be used.
    ///
    /// `hashes` are those of the file's bytes and of its text as it was read.
    pub(super) fn of(&self, file: &RuleFile, hashes: [&str; 2]) -> Result<Option<String>, String> {
        let Some(folder) = &self.folder else { return Ok(None) };
        let stem = folder.join(file.record_path());
        let found = ENDINGS.iter().map(|ending| stem.with_extension(ending));
        let Some(path) = found.into_iter().find(|path| path.is_file()) else { return Ok(None) };
        let record = read(&path).map_err(|error| format!("the record cannot be read: {error}"))?;
        // What was recorded on another version of the file says nothing of this one.
        let header = record.lines().next().unwrap_or_default();
        let header: serde_json::Value = serde_json::from_str(header)
            .map_err(|error| format!("the header of the record: {error}"))?;
        // A record that names no options is one of the file that it lies beside.
        if let Some(options) = header.get("options")
            && *options != serde_json::Value::from(file.options.clone())
        {
            return Err("the record was made with other options".to_owned());
        }
        match header.get("sha256").and_then(serde_json::Value::as_str) {
            Some(recorded) if !hashes.contains(&recorded) => {
                Err("the record was made on another version of the file".to_owned())
            }
            _ => Ok(Some(record)),
        }
    }
}

fn read(path: &Path) -> std::io::Result<String> {
    let file = File::open(path)?;
    let mut text = String::new();
    let is_packed = path.extension().is_some_and(|e| e == "gz");
    let mut bounded: Box<dyn Read> = if is_packed {
        Box::new(MultiGzDecoder::new(file).take(LONGEST + 1))
    } else {
        Box::new(file.take(LONGEST + 1))
    };
    bounded.read_to_string(&mut text)?;
    if text.len() as u64 > LONGEST {
        return Err(std::io::Error::other(format!("it has more than {LONGEST} bytes")));
    }
    Ok(text::with_line_feeds(text))
}
