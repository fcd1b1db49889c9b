//! `--json`: one JSON object a line on standard output, for scripts. `bench/json.md` has the
//! records and what their members mean; a test reads it, and holds commands to it.

use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;
use reports::stats::Estimate;
use reports::text::is_hidden;
use serde::Serialize;

use super::Outcome;
use crate::output::{self, OutputError};

/// Version of the records. It grows when a member is taken away or changes its meaning; members and
/// kinds of records may be added without.
const SCHEMA: u32 = 1;

/// True if the first line was printed, so that there has to be a last one.
static BEGUN: AtomicBool = AtomicBool::new(false);

/// Records instead of text.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(super) struct Json {
    /// Print records for scripts, one JSON object a line, instead of text; see bench/json.md
    #[arg(long)]
    pub(super) json: bool,
}

/// A record with its kind first.
#[derive(Serialize)]
struct Tagged<'a, T> {
    record: &'a str,
    #[serde(flatten)]
    members: T,
}

/// Prints a record. It is one line whatever its texts hold, and holds no character that a terminal
/// takes for a command: those are written as JSON's escapes.
pub(super) fn record(kind: &str, members: impl Serialize) -> Result<(), OutputError> {
    let line = serde_json::to_string(&Tagged { record: kind, members })
        .map_err(|error| std::io::Error::other(error.to_string()))?;
    output::raw(&(escaped(&line) + "\n"))
}

/// The same JSON with every character that is not to be seen written as `\u` and four digits. Such
/// characters stand in strings alone, and the serializer has escaped those that JSON forbids.
fn escaped(json: &str) -> String {
    if !json.contains(is_hidden) {
        return json.to_owned();
    }
    let mut out = String::with_capacity(json.len() + 16);
    for c in json.chars() {
        if is_hidden(c) {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                out += &format!("\\u{unit:04x}");
            }
        } else {
            out.push(c);
        }
    }
    out
}

/// Prints the first line of a command's records.
pub(super) fn begin(command: &str) -> Result<(), OutputError> {
    #[derive(Serialize)]
    struct Begin<'a> {
        schema: u32,
        version: &'a str,
        command: &'a str,
    }
    BEGUN.store(true, Ordering::SeqCst);
    record("begin", Begin { schema: SCHEMA, version: env!("CARGO_PKG_VERSION"), command })
}

/// Prints the last line, where there was a first: how the command ended.
pub(super) fn end(exit: u8, error: Option<&str>) -> Result<(), OutputError> {
    #[derive(Serialize)]
    struct End<'a> {
        exit: u8,
        error: Option<&'a str>,
    }
    if BEGUN.swap(false, Ordering::SeqCst) { record("end", End { exit, error }) } else { Ok(()) }
}

/// An estimate with its interval of 95 %; the ends are missing where there is none.
#[derive(Serialize)]
pub(super) struct Range {
    value: f64,
    low: Option<f64>,
    high: Option<f64>,
}

impl From<Estimate> for Range {
    fn from(estimate: Estimate) -> Range {
        let Estimate { value, interval } = estimate;
        Range { value, low: interval.map(|i| i.low), high: interval.map(|i| i.high) }
    }
}

/// The fields that tell the columns of a run apart.
#[derive(Serialize)]
pub(super) struct ColumnId<'a> {
    /// Its name in tables.
    column: String,
    engine: &'a str,
    via: reports::Via,
    threads: u32,
    job: Option<u64>,
    tabled: bool,
    control: bool,
}

impl<'a> From<&'a reports::Column> for ColumnId<'a> {
    fn from(column: &'a reports::Column) -> ColumnId<'a> {
        ColumnId {
            column: column.label(),
            engine: &column.engine,
            via: column.via,
            threads: column.threads,
            job: column.job,
            tabled: column.tabled,
            control: column.control,
        }
    }
}

/// The exit code of an outcome.
pub(super) fn code(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Fine => 0,
        Outcome::Failed => super::FAILED,
    }
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn what_is_hidden_stays_json_and_says_the_same() {
        for text in ["plain – “日本”", "a\u{1b}[2J\u{9b}31m\n\u{202e}b\u{7f}", "tag \u{e0041} end"]
        {
            let json = serde_json::to_string(text).unwrap();
            let line = escaped(&json);
            assert!(!line.contains(reports::text::is_hidden), "{line}");
            assert_eq!(serde_json::from_str::<String>(&line).unwrap(), text);
        }
        assert_eq!(escaped("\"\u{e0041}\""), r#""\udb40\udc41""#);
    }
}
