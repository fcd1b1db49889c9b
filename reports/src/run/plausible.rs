//! The check that the rows of a column can have been measured as they say. It uses these rows
//! alone: it needs no checksums, and finds what was changed before there were any.

use std::collections::{BTreeMap, BTreeSet};

use crate::rows::{Phase, Sample};
use crate::stats::Moments;
use crate::text::printable;

/// A batch whose mean is further than so many standard errors away from that of the other rows of
/// its column is odd. In honest runs of ten thousand rows the greatest distance is 4.
const ODD: f64 = 8.0;

/// The number of odd rows of a column that are told one by one.
const MOST: usize = 20;

/// Means of fewer playouts than these are not looked at.
const FEWEST: u64 = 30;

/// The findings about the rows of a file.
#[derive(Debug, Default)]
pub(super) struct Findings {
    /// Rows that count playouts which another row counts, with their line.
    pub(super) doubles: Vec<(u64, String)>,
    /// Rows that are unlike the others of their column, and processes that are missing.
    pub(super) oddities: Vec<(u64, String)>,
}

/// A row with its line.
type Row<'s> = (u64, &'s Sample);

/// Looks at rows, each with its line, column by column.
pub(super) fn findings<'s>(rows: impl Iterator<Item = Row<'s>>) -> Findings {
    let mut columns: BTreeMap<_, Vec<Row<'_>>> = BTreeMap::new();
    for (line, row) in rows.filter(|(_, row)| row.phase != Phase::None) {
        let Sample { game, engine, via, control, threads, job, rules, host, .. } = row;
        let column = (game, engine, via, control, threads, job, rules, host);
        columns.entry(column).or_default().push((line, row));
    }
    let mut findings = Findings::default();
    for rows in columns.values() {
        findings.doubles.extend(doubles(rows));
        findings.oddities.extend(quantities(rows).iter().flat_map(|of| odd(rows, of)));
        findings.oddities.extend(missing_processes(rows));
    }
    findings.doubles.sort();
    findings.oddities.sort();
    findings
}

/// Rows that count what an earlier one counts: the same sample under other ids or in another
/// process, or some of its playouts.
fn doubles(rows: &[Row<'_>]) -> Vec<(u64, String)> {
    let mut doubles = Vec::new();
    let mut samples: BTreeMap<_, u64> = BTreeMap::new();
    let mut batches: BTreeMap<(u64, u64), Row<'_>> = BTreeMap::new();
    for &(line, row) in rows {
        // A digest is of the ids, too, so that no two batches have the same.
        let Sample { digest, playouts, plies, wall_ns, seed, first, .. } = *row;
        if let Some(earlier) = samples.insert((digest.0, playouts, plies, wall_ns), line) {
            let what = format!("this is the sample of line {earlier} again: digest and time agree");
            doubles.push((line, what));
            continue;
        }
        let end = first.saturating_add(playouts);
        let before = batches.range(..(seed, end)).next_back();
        let before = before.map(|(_, before)| before).filter(|(_, before)| {
            before.seed == seed && before.first.saturating_add(before.playouts) > first
        });
        if let Some((earlier, _)) = before {
            doubles.push((line, format!("this row has playouts that line {earlier} has, too")));
        } else {
            batches.insert((seed, first), (line, row));
        }
    }
    doubles
}

/// The sums of something in a row, where the row tells.
type SumsOf = dyn Fn(&Sample) -> Option<Moments>;

/// A quantity that is averaged over playouts.
struct Quantity {
    name: String,
    of: Box<SumsOf>,
}

/// Plies, how many were cut off, and the payoff of each player.
fn quantities(rows: &[Row<'_>]) -> Vec<Quantity> {
    let plies = |row: &Sample| {
        let squares = row.plies_squared?.into();
        Some(Moments { count: row.playouts, sum: row.plies.into(), squares })
    };
    let capped = |row: &Sample| {
        let capped = row.capped;
        Some(Moments { count: row.playouts, sum: capped.into(), squares: capped.into() })
    };
    let players = rows.iter().map(|(_, row)| row.payoffs.len()).max().unwrap_or(0);
    let payoff = move |player: usize| {
        move |row: &Sample| {
            let payoff = row.payoffs.get(player)?;
            let (count, sum, squares) = (payoff.playouts, payoff.sum, payoff.squares);
            Some(Moments { count, sum, squares })
        }
    };
    let mut all = vec![
        Quantity { name: "plies".to_owned(), of: Box::new(plies) },
        Quantity { name: "playouts that the ply cap ended".to_owned(), of: Box::new(capped) },
    ];
    all.extend((0..players).map(|player| Quantity {
        name: format!("payoff of player {}", player + 1),
        of: Box::new(payoff(player)),
    }));
    all
}

/// Rows whose mean is not one that chance gives, where the others are right: the oddest is set
/// apart, then the oddest of the others.
fn odd(rows: &[Row<'_>], quantity: &Quantity) -> Vec<(u64, String)> {
    let mut rows: Vec<(u64, Moments)> =
        rows.iter().filter_map(|(line, row)| Some((*line, (quantity.of)(row)?))).collect();
    let mut all = Moments::default();
    rows.iter().for_each(|(_, row)| all += *row);
    let mut odd = Vec::new();
    while odd.len() < MOST {
        let distances = rows.iter().enumerate().filter_map(|(at, (_, row))| {
            let others = all - *row;
            let is_large = row.count.min(others.count) >= FEWEST;
            Some((row.distance(&others).filter(|_| is_large)?, at))
        });
        let oddest = distances.max_by(|a, b| a.0.total_cmp(&b.0));
        let Some((_, at)) = oddest.filter(|(distance, _)| *distance > ODD) else { break };
        let (line, row) = rows.remove(at);
        all = all - row;
        let (name, mean, usual) = (&quantity.name, row.mean(), all.mean());
        let what = format!(
            "{name}: {mean:.4} a playout, where the other rows of the column have {usual:.4}; \
             chance does not explain that"
        );
        odd.push((line, what));
    }
    odd
}

/// Processes without a sample before the last that has one: they were measured in turn.
fn missing_processes(rows: &[Row<'_>]) -> Option<(u64, String)> {
    let samples = || rows.iter().filter(|(_, row)| row.phase == Phase::Sample);
    let there: BTreeSet<u32> = samples().map(|(_, row)| row.process).collect();
    let gap = (0..=u32::MAX).find(|process| !there.contains(process))?;
    let next = there.range(gap..).next()?;
    let (line, row) = samples().find(|(_, row)| row.process == *next)?;
    let missing = if next - gap == 1 {
        format!("process {gap} has none")
    } else {
        format!("processes {gap} to {} have none", next - 1)
    };
    let what = format!(
        "{} on {} has a sample of process {next}, and {missing}",
        printable(&row.engine),
        printable(&row.game)
    );
    Some((*line, what))
}
