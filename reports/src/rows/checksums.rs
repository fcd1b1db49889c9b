//! A checksum for each line of `measurements.csv`, in a file beside it: it tells which rows were
//! changed, added, moved or lost since they were measured.
//!
//! Line n of the one file is the checksum of line n of the other. It is written before its row, so
//! that a run which is killed leaves at most one checksum without a row, and never a row without
//! one. It is no signature: who writes both files anew is not found out.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::Error;

/// The number of faults of a file that are told one by one.
const MOST: usize = 20;

/// The file of checksums that belongs to a file of rows.
pub fn checksums_of(rows: &Path) -> PathBuf {
    rows.with_extension("checksums")
}

/// A line of a file of rows that is not as it was written, and how.
pub(super) type Fault = (u64, String);

/// The checksums of a file of rows, where it has any; what is torn at the end is left out.
pub(super) fn read(rows: &Path) -> Result<Option<Vec<String>>, Error> {
    let path = checksums_of(rows);
    let bytes = match std::fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Error::io(&path)(error)),
    };
    let mut lines: Vec<String> =
        bytes.split(|&byte| byte == b'\n').map(|l| String::from_utf8_lossy(l).into()).collect();
    lines.pop();
    Ok(Some(lines))
}

/// The checksum of a line without its line break: 16 hexadecimal digits of its SHA-256.
fn checksum(line: &[u8]) -> String {
    Sha256::digest(line).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// The faults in the lines of a file of rows, by the checksums that were written with them. If the
/// last checksum has no line, the run was killed, which is no fault.
pub(super) fn faults(text: &str, checksums: &[String]) -> Vec<Fault> {
    let lines: Vec<String> = text.lines().map(|line| checksum(line.as_bytes())).collect();
    let mut unused: HashMap<&str, VecDeque<usize>> = HashMap::new();
    for (at, checksum) in checksums.iter().enumerate() {
        unused.entry(checksum).or_default().push_back(at);
    }
    // Where each line was written, and which of those that were written are not there any more.
    let written: Vec<Option<usize>> =
        lines.iter().map(|line| unused.get_mut(line.as_str())?.pop_front()).collect();
    let mut gone = vec![true; checksums.len()];
    written.iter().flatten().for_each(|&at| gone[at] = false);
    let in_place = longest_increasing(&written.iter().copied().flatten().collect::<Vec<_>>());

    let mut faults = Vec::new();
    let mut next = 0;
    for (line, at) in (1..).zip(written) {
        match at {
            Some(at) if in_place.contains(&at) => {
                faults.extend(lost(&gone, next, at).map(|what| (line, what + " before this row")));
                next = at + 1;
            }
            Some(at) => faults.push((line, format!("this row was written as line {}", at + 1))),
            None if gone.get(next) == Some(&true) => {
                faults.push((line, "this row is not as it was written".to_owned()));
                next += 1;
            }
            None => faults.push((line, "this row was added to what was written".to_owned())),
        }
    }
    let killed =
        gone.iter().skip(next).filter(|gone| **gone).count() == 1 && gone.ends_with(&[true]);
    if !killed {
        let last = lines.len() as u64;
        faults.extend(lost(&gone, next, gone.len()).map(|what| (last, what + " after this row")));
    }
    if faults.len() > MOST {
        let more = faults.len() - MOST;
        faults.truncate(MOST);
        faults.push((faults[MOST - 1].0, format!("and {more} more changes after this one")));
    }
    faults
}

/// The most of these numbers that stand in ascending order (Schensted 1961).
fn longest_increasing(numbers: &[usize]) -> BTreeSet<usize> {
    // The least end of a chain of each length, and what stands before a number in its chain.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: HashMap<usize, usize> = HashMap::new();
    for &number in numbers {
        let length = ends.partition_point(|&end| end < number);
        if length > 0 {
            before.insert(number, ends[length - 1]);
        }
        if length == ends.len() {
            ends.push(number);
        } else {
            ends[length] = number;
        }
    }
    std::iter::successors(ends.last().copied(), |number| before.get(number).copied()).collect()
}

/// The rows that are gone of those that were written in these places, if any.
fn lost(gone: &[bool], from: usize, to: usize) -> Option<String> {
    let lines: Vec<usize> = (from..to).filter(|&at| gone[at]).map(|at| at + 1).collect();
    match lines[..] {
        [] => None,
        [line] => Some(format!("the row that was written as line {line} is gone")),
        [first, .., last] => Some(format!(
            "{} rows that were written as lines {first} to {last} are gone",
            lines.len()
        )),
    }
}

/// Writes the checksum of each line before the line is written.
#[derive(Debug)]
pub(super) struct Checksums {
    file: File,
    path: PathBuf,
}

impl Checksums {
    /// Begins the checksums of a new file of rows.
    pub(super) fn create(rows: &Path) -> Result<Self, Error> {
        let path = checksums_of(rows);
        let file = File::create(&path).map_err(Error::io(&path))?;
        Ok(Self { file, path })
    }

    /// Goes on with those of a file of rows that has this text; `None` where it has none. One that
    /// has no line, as after a kill, is cut off.
    ///
    /// # Errors
    /// Rows that are not as they were written: to go on would vouch for them.
    pub(super) fn append(rows: &Path, text: &str) -> Result<Option<Self>, Error> {
        let Some(checksums) = read(rows)? else { return Ok(None) };
        if let [(line, what), more @ ..] = &faults(text, &checksums)[..] {
            let more = match more.len() {
                0 => String::new(),
                n => format!("; {n} more faults are told by `ggpbench report`"),
            };
            return Err(Error::malformed(rows, *line, format!("{what}{more}")));
        }
        let path = checksums_of(rows);
        let mut file = OpenOptions::new().write(true).open(&path).map_err(Error::io(&path))?;
        let kept: usize =
            checksums.iter().take(text.lines().count()).map(|checksum| checksum.len() + 1).sum();
        file.set_len(kept as u64).map_err(Error::io(&path))?;
        file.seek(SeekFrom::End(0)).map_err(Error::io(&path))?;
        Ok(Some(Self { file, path }))
    }

    /// Writes that of the next line, which ends in its line break.
    pub(super) fn write(&mut self, line: &[u8]) -> Result<(), Error> {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let text = format!("{}\n", checksum(line));
        self.file.write_all(text.as_bytes()).map_err(Error::io(&self.path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The faults of lines, each a letter, by the checksums of others.
    fn told(written: &str, now: &str) -> Vec<String> {
        let lines =
            |letters: &str| -> String { letters.chars().map(|c| format!("{c}\n")).collect() };
        let checksums: Vec<String> =
            lines(written).lines().map(|line| checksum(line.as_bytes())).collect();
        let faults = faults(&lines(now), &checksums);
        faults.into_iter().map(|(line, what)| format!("{line}: {what}")).collect()
    }

    #[test]
    fn each_change_is_told_once_with_its_line() {
        assert_eq!(told("abcdef", "abcdef"), [""; 0]);
        // As after a kill between the checksum and the row.
        assert_eq!(told("abcdef", "abcde"), [""; 0]);
        assert_eq!(told("abcdef", "abXdef"), ["3: this row is not as it was written"]);
        assert_eq!(told("abcdef", "abXYef").len(), 2);
        assert_eq!(told("abcdef", "abcdefX"), ["7: this row was added to what was written"]);
        assert_eq!(told("abcdef", "abcXdef"), ["4: this row was added to what was written"]);
        assert_eq!(told("abcdef", "abcdaef"), ["5: this row was added to what was written"]);
        assert_eq!(
            told("abcdef", "abdef"),
            ["3: the row that was written as line 3 is gone before this row"]
        );
        assert_eq!(
            told("abcdef", "aef"),
            ["2: 3 rows that were written as lines 2 to 4 are gone before this row"]
        );
        assert_eq!(
            told("abcdef", "abcd"),
            ["4: 2 rows that were written as lines 5 to 6 are gone after this row"]
        );
        assert_eq!(told("abcdef", "abdcef"), ["3: this row was written as line 4"]);
        assert_eq!(told("abcdef", "bcdeaf"), ["5: this row was written as line 1"]);
        assert_eq!(
            told("abcdef", "aecdbf"),
            ["2: this row was written as line 5", "5: this row was written as line 2"]
        );
        // Lines that are alike are told apart by their number.
        assert_eq!(told("aabb", "aabb"), [""; 0]);
        assert_eq!(told("aab", "aaab"), ["3: this row was added to what was written"]);
        let many = told(&"a".repeat(60), &"X".repeat(60));
        assert_eq!((many.len(), &*many[20]), (21, "20: and 40 more changes after this one"));
    }
}
