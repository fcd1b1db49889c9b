//! The outcomes of many files.

use std::collections::BTreeMap;

use play::Language;

use crate::trial::Finding;

/// Counts by engine, and all findings.
#[derive(Default)]
pub(crate) struct Summary {
    engines: BTreeMap<String, Column>,
    /// Findings with the numbers of their files.
    pub(crate) findings: Vec<(u64, Finding)>,
}

#[derive(Default)]
struct Column {
    outcomes: BTreeMap<String, u64>,
    /// CPU time of compiling in all; the most, and of which file; the most bytes, and of which.
    seconds: f64,
    slowest: (f64, u64),
    largest: (u64, u64),
}

/// Kinds of findings.
const KINDS: [&str; 7] = ["panic", "differs", "cpu", "bytes", "kept", "diagnostics", "died"];

impl Summary {
    /// Takes a line of a process about the file with a number.
    pub(crate) fn take(&mut self, number: u64, line: &str) {
        let parts: Vec<&str> = line.split('\t').collect();
        match parts[..] {
            ["trial", engine, outcome, seconds, bytes] => {
                let column = self.engines.entry(engine.to_owned()).or_default();
                *column.outcomes.entry(outcome.to_owned()).or_default() += 1;
                let seconds = seconds.parse().unwrap_or(0.0);
                column.seconds += seconds;
                if seconds > column.slowest.0 {
                    column.slowest = (seconds, number);
                }
                column.largest = column.largest.max((bytes.parse().unwrap_or(0), number));
            }
            ["finding", engine, kind, what] => {
                let kind = KINDS.into_iter().find(|known| *known == kind).unwrap_or("died");
                let finding = Finding { engine: engine.to_owned(), kind, what: what.to_owned() };
                self.find(number, finding);
            }
            _ => {}
        }
    }

    /// Notes a finding, and says so at once.
    pub(crate) fn find(&mut self, number: u64, finding: Finding) {
        eprintln!("{number}\t{finding}");
        self.findings.push((number, finding));
    }

    /// Prints what there is to know of all files.
    pub(crate) fn print(&self, language: Language, seed: u64) {
        println!("language {language}, seed {seed}");
        for (engine, column) in &self.engines {
            let files: u64 = column.outcomes.values().sum();
            let outcomes: Vec<String> =
                column.outcomes.iter().map(|(name, count)| format!("{count} {name}")).collect();
            println!("  {engine}: {files} files: {}", outcomes.join(", "));
            println!(
                "    CPU to compile: {:.0} s in all, {:.2} s at most (file {}); memory: {} MiB at \
                 most (file {})",
                column.seconds,
                column.slowest.0,
                column.slowest.1,
                column.largest.0 >> 20,
                column.largest.1
            );
        }
        let counts = KINDS.map(|kind| {
            let count = self.findings.iter().filter(|(_, finding)| finding.kind == kind).count();
            format!("{count} {kind}")
        });
        println!("  findings: {}", counts.join(", "));
        for (number, finding) in &self.findings {
            println!("    file {number}: {finding}");
        }
    }
}
