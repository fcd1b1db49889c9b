//! Sentences about a table as a whole that must not be overlooked.

use super::{counted, factor_with_interval};
use crate::format;
use crate::rows::Detects;
use crate::stats::{Estimate, LEVEL};
use crate::table::{CONTENTION, Speedups, Table};

/// Marks a figure that was measured on a busy machine, and what was made from it.
pub(super) const MARKED_CONTENDED: &str = "†";
/// Marks a ratio of which exactly one side is tabled, and which is a bound for that.
pub(super) const MARKED_TABLED: &str = "‡";

/// The meaning of †.
pub(super) fn contention_note() -> String {
    format!(
        "{MARKED_CONTENDED} The worker had less than {:.0} % of its cores' time: something else \
         was running. Measure again on an idle machine.",
        100.0 * CONTENTION
    )
}

/// The meaning of ‡.
pub(super) fn tabled_note() -> String {
    format!(
        "{MARKED_TABLED} One side of the ratio is tabled: it carries results over from one \
         playout to the next, where the other plays all of them. Its figure is taken as the most \
         that its speed of playing can be, so the ratio is a bound: ≥ where the lower side is \
         tabled, ≤ where the upper one is. Where a tabled side is slower on some row, the mean \
         has all its rows and is a bound too; where it is slower on none, they would favour it \
         and are left out."
    )
}

/// The meaning of ‡ beside a rate.
pub(super) fn tabled_figure_note() -> String {
    format!(
        "{MARKED_TABLED} Tabled: results are carried over from one playout to the next. The \
         figure is the most that the speed of playing can be, and is the fastest of no game."
    )
}

/// The column that ratios are over and the reason for its choice; `None` if there are no ratios.
pub(super) fn baseline(table: &Table, speedups: &Speedups) -> Option<String> {
    let name = table.columns().get(speedups.baseline)?.label();
    let chosen = if speedups.is_chosen {
        ", as --baseline asks"
    } else {
        ": of the engines with the most games the slowest (--baseline names another)"
    };
    (!speedups.is_empty()).then(|| format!("The baseline of speed-ups is {name}{chosen}."))
}

/// The number of cells that were measured while something else kept the machine busy, in a
/// sentence; `None` if there are none.
pub fn contention(table: &Table) -> Option<String> {
    let measured = table.cells().filter(|(.., cell)| cell.figures().is_some()).count();
    let contended = table.cells().filter(|(.., cell)| cell.is_contended()).count();
    (contended > 0).then(|| {
        format!(
            "{contended} of {} were contended ({MARKED_CONTENDED}): the worker had less than \
             {:.0} % of its cores' time, which makes the figure doubtful; measure again on an \
             idle machine.",
            counted(measured, "cell"),
            100.0 * CONTENTION
        )
    })
}

/// The deviations that a proof would have seen, in words.
pub(super) fn detected(detects: &Detects) -> String {
    let share = |parts: u64| format!("{} %", format::plain(parts as f64 / 1e4, 2));
    let seen = match (detects.plies, detects.payoffs) {
        (None, None) => return format!("no deviation: {}", detects.by),
        (Some(plies), None) => format!("{} of the mean length", share(plies)),
        (None, Some(payoffs)) => format!("{} of the range of payoffs", share(payoffs)),
        (Some(plies), Some(payoffs)) => format!(
            "{} of the mean length, or {} of the range of payoffs",
            share(plies),
            share(payoffs)
        ),
    };
    format!("a deviation of {seen}, with a probability of 95 % (beside {})", detects.by)
}

/// The greatest deviation of mean plies or payoffs that the proofs of the figures would not have
/// seen, in a sentence; `None` where the rows do not tell.
pub(super) fn power(table: &Table) -> Option<String> {
    let proven = table.cells().filter(|(.., cell)| cell.figures().is_some());
    let proven: Vec<(usize, usize, f64)> = proven
        .filter_map(|(row, column, cell)| Some((row, column, cell.detects()?.worst())))
        .collect();
    let blind = proven.iter().filter(|(.., share)| share.is_infinite()).count();
    let seeing = proven.iter().filter(|(.., share)| share.is_finite());
    let worst = seeing.max_by(|a, b| a.2.total_cmp(&b.2)).map(|&(row, column, share)| {
        format!(
            "The proofs would have seen deviations of mean plies and payoffs of {} % or more \
             (worst: {} on {}), with a probability of 95 %.",
            format::plain(100.0 * share, 2),
            table.games()[row].title,
            table.columns()[column].label()
        )
    });
    let none = (blind > 0).then(|| {
        format!("Of {} no comparison could have shown a deviation.", counted(blind, "figure"))
    });
    let sentences: Vec<String> = [worst, none].into_iter().flatten().collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

/// The result of the A/A test, in a line: how often the interval of the ratio of a column to its
/// control holds 1, as it should in 95 of 100 cells. `None` without controls that have such a
/// ratio.
pub fn control_summary(table: &Table) -> Option<String> {
    let mut ratios: Vec<(String, Estimate)> = Vec::new();
    for (control, column) in table.columns().iter().enumerate().filter(|(_, c)| c.control) {
        let base = crate::Column { control: false, ..column.clone() };
        let Some(base) = table.columns().iter().position(|column| *column == base) else {
            continue;
        };
        for (row, game) in table.games().iter().enumerate() {
            let ratio = table.figures(row, base).zip(table.figures(row, control));
            let ratio = ratio.and_then(|(one, other)| one.speedup_over(other, row as u64));
            let ratio = ratio.map(|ratio| ratio.estimate());
            if let Some(ratio) = ratio.filter(|ratio| ratio.interval.is_some()) {
                ratios
                    .push((format!("{} on {}", game.title, table.columns()[base].label()), ratio));
            }
        }
    }
    let controls = table.columns().iter().filter(|column| column.control).count();
    let unit = if controls == 1 { "game" } else { "cell" };
    let width = |ratio: &Estimate| ratio.high() / ratio.low();
    let (cell, widest) = ratios.iter().max_by(|(_, a), (_, b)| width(a).total_cmp(&width(b)))?;
    let off: Vec<String> = ratios
        .iter()
        .filter(|(_, ratio)| !ratio.interval.is_some_and(|interval| interval.contains(1.0)))
        .map(|(cell, ratio)| format!("{cell} {}", factor_with_interval(ratio)))
        .collect();
    let but = if off.is_empty() { String::new() } else { format!("; not in {}", off.join(", ")) };
    Some(format!(
        "A/A: in {} of {} the {:.0} % interval of the ratio of a column to its control holds 1 \
         (widest {}–{}: {cell}){but}.",
        ratios.len() - off.len(),
        counted(ratios.len(), unit),
        100.0 * LEVEL,
        format::plain(widest.low(), 3),
        format::plain(widest.high(), 3),
    ))
}
