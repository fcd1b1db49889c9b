//! Reading trials, which may come from anybody: bounded memory, errors with file and line.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use play::MAX_PLAYERS;
use serde_json::Value;

use super::{End, FORMAT, Header, Trial, VERSION};

/// Longest line that is read, in bytes: a game of a million plies fits.
const LONGEST_LINE: usize = 64 << 20;

/// Reads a file of trials one by one.
#[derive(Debug)]
pub struct Reader {
    path: PathBuf,
    input: BufReader<File>,
    /// Number of the line that was read last.
    line: u64,
    header: Header,
}

impl Reader {
    /// Opens a file and reads its header.
    pub fn open(path: &Path) -> Result<Reader> {
        let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
        let mut lines = Lines { path, input: BufReader::new(file), number: 0 };
        let Some(text) = lines.next()? else {
            bail!("{}: the file is empty; `ggpbench record` writes trials", path.display());
        };
        let at = format!("{}:1", path.display());
        let value: Value = serde_json::from_str(&text).with_context(|| {
            format!("{at}: not JSON; a file of trials begins with a header, see bench/trials.md")
        })?;
        if value.get("format").and_then(Value::as_str) != Some(FORMAT) {
            bail!("{at}: no header of a file of trials: `format` must be {FORMAT:?}");
        }
        match value.get("version").and_then(Value::as_u64) {
            Some(version) if (1..=u64::from(VERSION)).contains(&version) => {}
            Some(version) => bail!(
                "{at}: version {version} of the format; this program reads versions up to \
                 {VERSION}, so record the games again"
            ),
            None => bail!("{at}: the header has no `version`"),
        }
        let header: Header =
            serde_json::from_value(value).with_context(|| format!("{at}: a wrong header"))?;
        let players = usize::from(header.players);
        if players == 0 || players > MAX_PLAYERS {
            bail!("{at}: {players} players; games have 1 to {MAX_PLAYERS}");
        }
        let Lines { input, number, .. } = lines;
        Ok(Reader { path: path.to_owned(), input, line: number, header })
    }

    /// The header, which all trials share.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The place of the trial read last: `file:line`.
    pub fn place(&self) -> String {
        format!("{}:{}", self.path.display(), self.line)
    }

    /// The same: the file, and the number of the line.
    pub fn at(&self) -> (&Path, u64) {
        (&self.path, self.line)
    }

    /// The next trial, checked for what it says of itself.
    pub fn next_trial(&mut self) -> Result<Option<Trial>> {
        let text = next_line(&mut self.input, &mut self.line, &self.path)?;
        let Some(text) = text else { return Ok(None) };
        let trial: Trial = serde_json::from_str(&text)
            .with_context(|| format!("{}: not a trial; see bench/trials.md", self.place()))?;
        if let Some(fault) = contradiction(&self.header, &trial) {
            bail!("{}: {fault}", self.place());
        }
        Ok(Some(trial))
    }
}

/// The contradiction in a trial that no game allows, if there is one.
fn contradiction(header: &Header, trial: &Trial) -> Option<String> {
    let players = usize::from(header.players);
    let wrong = |what: &str, has: usize| {
        format!("`{what}` has {has} members, the game has {players} players")
    };
    if trial.agents.len() != players {
        return Some(wrong("agents", trial.agents.len()));
    }
    let lists = usize::from(header.hidden) * players;
    if trial.start.len() != lists {
        return Some(format!("`start` has {} lists of percepts, not {lists}", trial.start.len()));
    }
    if trial.plies.len() > header.cap as usize {
        let has = trial.plies.len();
        return Some(format!("{has} plies, games were given up after `cap`: {}", header.cap));
    }
    for (number, ply) in (1..).zip(&trial.plies) {
        if usize::from(ply.player) >= players {
            return Some(format!(
                "ply {number}: `player` is {}, players count from 0 to {}",
                ply.player,
                players - 1
            ));
        }
        if ply.percepts.len() != lists {
            let has = ply.percepts.len();
            return Some(format!("ply {number}: {has} lists of percepts, not {lists}"));
        }
    }
    match &trial.scores {
        Some(scores) if scores.len() != players => return Some(wrong("scores", scores.len())),
        Some(_) if trial.end != End::Over => {
            return Some("`scores` of a game that was not over".to_owned());
        }
        None if trial.end == End::Over => {
            return Some("a game that was over has no `scores`".into());
        }
        _ => {}
    }
    match &trial.fault {
        None if trial.end == End::Fault => Some("it ended by a fault, and names none".to_owned()),
        Some(fault) if usize::from(fault.player) >= players => {
            Some(format!("`fault` names player {} of {players}, from 0", fault.player))
        }
        _ => None,
    }
}

struct Lines<'p> {
    path: &'p Path,
    input: BufReader<File>,
    number: u64,
}

impl Lines<'_> {
    fn next(&mut self) -> Result<Option<String>> {
        next_line(&mut self.input, &mut self.number, self.path)
    }
}

/// The bytes of the next line, which ends in LF, CRLF or CR; of one that is too long, at least one
/// byte too many.
fn read_line(input: &mut impl BufRead) -> std::io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    let mut begun = false;
    loop {
        let buffer = input.fill_buf()?;
        if buffer.is_empty() || bytes.len() > LONGEST_LINE {
            return Ok(begun.then_some(bytes));
        }
        begun = true;
        let end = buffer.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        let whole = end.unwrap_or(buffer.len());
        bytes.extend_from_slice(&buffer[..whole]);
        let Some(end) = end else {
            input.consume(whole);
            continue;
        };
        let is_return = buffer[end] == b'\r';
        input.consume(end + 1);
        if is_return && input.fill_buf()?.starts_with(b"\n") {
            input.consume(1);
        }
        return Ok(Some(bytes));
    }
}

/// The next line that is not blank.
fn next_line(input: &mut BufReader<File>, number: &mut u64, path: &Path) -> Result<Option<String>> {
    loop {
        let bytes = read_line(input);
        let bytes = bytes.with_context(|| format!("cannot read {}", path.display()))?;
        let Some(bytes) = bytes else { return Ok(None) };
        *number += 1;
        if bytes.len() > LONGEST_LINE {
            bail!("{}:{number}: the line is longer than {LONGEST_LINE} bytes", path.display());
        }
        let text = String::from_utf8(bytes)
            .with_context(|| format!("{}:{number}: not text in UTF-8", path.display()))?;
        if !text.trim().is_empty() {
            return Ok(Some(text));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_in_any_of_the_three_ways() {
        // A buffer of one byte splits every pair.
        for capacity in [1, 64] {
            let mut input = BufReader::with_capacity(capacity, &b"a\r\nb\rc\n\nd"[..]);
            let lines = std::iter::from_fn(|| read_line(&mut input).expect("it is memory"));
            let lines: Vec<String> =
                lines.map(|line| String::from_utf8(line).expect("it is ASCII")).collect();
            assert_eq!(lines, ["a", "b", "c", "", "d"]);
        }
    }
}
