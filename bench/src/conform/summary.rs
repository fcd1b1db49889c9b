//! The rows of a folder in a few tables.

use std::collections::BTreeMap;
use std::fmt::Write;

use comfy_table::Table;
use comfy_table::presets::ASCII_MARKDOWN;
use reports::Verdict;

use super::cell::markdown as cell;
use super::{Record, Row};

/// Reasons shown for an engine.
const MOST_REASONS: usize = 25;

/// Tables in Markdown, made of the rows alone: statuses, records, peers, times, reasons.
pub fn summary(rows: &[Row]) -> String {
    let mut by_engine: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    for row in rows {
        by_engine.entry(&row.engine).or_default().push(row);
    }
    let mut text = String::new();
    let mut section = |heading: &str, table: Table| {
        if table.row_count() > 0 {
            let _ = write!(text, "## {heading}\n{table}\n\n");
        }
    };
    section("Status", statuses(&by_engine));
    section("Recorded games", records(&by_engine));
    section("Published figures", figures(&by_engine));
    section("Compared with other engines", peers(&by_engine));
    section("Compiling", compiling(&by_engine));
    section("Reasons", reasons(&by_engine));
    section("Records that differ", differing(rows));
    section("Published figures by file", figures_by_file(rows));
    text
}

fn table<S: ToString>(header: impl IntoIterator<Item = S>) -> Table {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN).set_header(header.into_iter().map(|s| s.to_string()));
    table
}

type ByEngine<'a> = BTreeMap<&'a str, Vec<&'a Row>>;

fn statuses(by_engine: &ByEngine<'_>) -> Table {
    let mut table = table(["status".to_owned()].into_iter().chain(
        by_engine.iter().map(|(engine, rows)| format!("{} ({} files)", cell(engine), rows.len())),
    ));
    for status in Verdict::ALL {
        let counts: Vec<usize> = by_engine
            .values()
            .map(|rows| rows.iter().filter(|r| r.status == *status).count())
            .collect();
        if counts.iter().any(|&n| n > 0) {
            let cells =
                counts.iter().zip(by_engine.values()).map(|(&n, rows)| share(n, rows.len()));
            table.add_row(std::iter::once(status.to_string()).chain(cells));
        }
    }
    if !by_engine.is_empty() {
        let plays = by_engine
            .values()
            .map(|rows| share(rows.iter().filter(|r| r.plays()).count(), rows.len()));
        table.add_row(std::iter::once("(loads and plays)".to_owned()).chain(plays));
    }
    table
}

fn share(n: usize, of: usize) -> String {
    format!("{n} ({:.1} %)", 100.0 * n as f64 / of.max(1) as f64)
}

fn records(by_engine: &ByEngine<'_>) -> Table {
    let words = Record::ALL.iter().map(ToString::to_string);
    let rest = ["games compared", "games that agree", "plies compared"].map(str::to_owned);
    let mut table = table(["engine".to_owned()].into_iter().chain(words).chain(rest));
    for (engine, rows) in by_engine {
        if rows.iter().all(|r| r.record == Record::None) {
            continue;
        }
        let counts = Record::ALL
            .iter()
            .map(|record| rows.iter().filter(|r| r.record == *record).count().to_string());
        let sum = |of: fn(&Row) -> u64| rows.iter().map(|r| of(r)).sum::<u64>().to_string();
        let sums = [sum(|r| r.trials), sum(|r| r.trials_agreed), sum(|r| r.record_plies)];
        table.add_row(std::iter::once(cell(engine)).chain(counts).chain(sums));
    }
    table
}

fn figures(by_engine: &ByEngine<'_>) -> Table {
    let words = Record::ALL.iter().map(ToString::to_string);
    let rest = ["files to the last depth", "leaves at the last depths"].map(str::to_owned);
    let mut table = table(["engine".to_owned()].into_iter().chain(words).chain(rest));
    for (engine, rows) in by_engine {
        if rows.iter().all(|r| r.figures == Record::None) {
            continue;
        }
        let counts = Record::ALL
            .iter()
            .map(|record| rows.iter().filter(|r| r.figures == *record).count().to_string());
        let whole =
            rows.iter().filter(|r| r.perft_depth.is_some() && r.perft_depth == r.perft_known);
        let leaves: u64 = rows.iter().filter_map(|r| r.perft_leaves).sum();
        let rest = [whole.count().to_string(), leaves.to_string()];
        table.add_row(std::iter::once(cell(engine)).chain(counts).chain(rest));
    }
    table
}

fn figures_by_file(rows: &[Row]) -> Table {
    let mut table = table([
        "file",
        "engine",
        "figures",
        "depth",
        "of",
        "leaves",
        "moves",
        "published",
        "mean moves",
        "compile CPU ms",
        "note",
    ]);
    let number = |n: Option<u64>| n.map_or_else(String::new, |n| n.to_string());
    let mean = |x: Option<f64>| x.map_or_else(String::new, |x| format!("{x:.3}"));
    for row in rows.iter().filter(|r| r.figures != Record::None) {
        table.add_row([
            cell(&row.file),
            cell(&row.engine),
            row.figures.to_string(),
            number(row.perft_depth.map(u64::from)),
            number(row.perft_known.map(u64::from)),
            number(row.perft_leaves),
            mean(row.moves),
            mean(row.moves_known),
            row.lengths.to_string(),
            format!("{:.1}", row.compile_cpu_ms),
            cell(&row.figures_note),
        ]);
    }
    table
}

fn peers(by_engine: &ByEngine<'_>) -> Table {
    let mut table = table(["engine", "files with a peer that agrees", "walks in lock-step"]);
    for (engine, rows) in by_engine {
        let agreeing = rows.iter().filter(|r| !r.peers.is_empty()).count();
        let walks: u64 = rows.iter().map(|r| u64::from(r.peer_walks)).sum();
        if agreeing > 0 {
            table.add_row([cell(engine), agreeing.to_string(), walks.to_string()]);
        }
    }
    table
}

fn compiling(by_engine: &ByEngine<'_>) -> Table {
    let mut table = table([
        "engine",
        "compiled",
        "median CPU ms",
        "95 % under ms",
        "99 % under ms",
        "most ms",
        "most MiB",
    ]);
    for (engine, rows) in by_engine {
        // CPU time tells more on a busy machine; not every engine tells it.
        let time = |r: &&Row| if r.compile_cpu_ms > 0.0 { r.compile_cpu_ms } else { r.compile_ms };
        let mut times: Vec<f64> = rows.iter().map(time).filter(|&ms| ms > 0.0).collect();
        times.sort_by(f64::total_cmp);
        let Some(&most) = times.last() else { continue };
        let at = |share: f64| times[((times.len() - 1) as f64 * share).round() as usize];
        let memory = rows.iter().map(|r| r.peak_mib).max().unwrap_or(0);
        let ms = [at(0.5), at(0.95), at(0.99), most].map(|ms| format!("{ms:.1}"));
        table.add_row(
            [cell(engine), times.len().to_string()]
                .into_iter()
                .chain(ms)
                .chain([memory.to_string()]),
        );
    }
    table
}

fn reasons(by_engine: &ByEngine<'_>) -> Table {
    let mut table = table(["engine", "status", "files", "reason", "for example"]);
    for (engine, rows) in by_engine {
        let mut groups: BTreeMap<(Verdict, String), Vec<&Row>> = BTreeMap::new();
        for row in rows.iter().filter(|r| !matches!(r.status, Verdict::Ok | Verdict::Unchecked)) {
            groups.entry((row.status, kind(row))).or_default().push(row);
        }
        let mut groups: Vec<_> = groups.into_iter().collect();
        groups.sort_by_key(|(_, rows)| std::cmp::Reverse(rows.len()));
        for ((status, kind), rows) in groups.into_iter().take(MOST_REASONS) {
            table.add_row([
                cell(engine),
                status.to_string(),
                rows.len().to_string(),
                cell(&kind),
                cell(&rows[0].file),
            ]);
        }
    }
    table
}

/// A reason without what differs from file to file: the code of a diagnostic if there is one, else
/// the text with its numbers and quoted parts left out.
fn kind(row: &Row) -> String {
    let reason = row.reason.strip_prefix(&row.file).unwrap_or(&row.reason);
    let diagnostic = reason.split_once("error[").and_then(|(_, rest)| rest.split_once("]: "));
    let (code, message) = diagnostic.map_or(("", reason), |(code, message)| (code, message));
    let mut kind = if code.is_empty() { String::new() } else { format!("{code}: ") };
    let mut quoted = false;
    for c in message.chars().take(160) {
        match c {
            '`' => {
                quoted = !quoted;
                kind.push_str(if quoted { "`..." } else { "`" });
            }
            _ if quoted => {}
            c if c.is_ascii_digit() => {
                if !kind.ends_with('N') {
                    kind.push('N');
                }
            }
            c => kind.push(c),
        }
    }
    kind
}

fn differing(rows: &[Row]) -> Table {
    let mut table = table(["file", "engine", "record", "note"]);
    for row in rows.iter().filter(|r| matches!(r.record, Record::Differs | Record::Mistaken)) {
        table.add_row([
            cell(&row.file),
            cell(&row.engine),
            row.record.to_string(),
            cell(&row.record_note),
        ]);
    }
    table
}
