//! Tables as text: pure functions of aggregated data, the same bytes for the same rows.

mod answers;
mod claim;
mod comparison;
mod csv;
mod curves;
mod grid;
mod latex;
mod markdown;
mod page;
mod provenance;
mod ranking;
mod remarks;
mod sections;
mod sheet;
mod terminal;

pub use answers::answer;
pub use comparison::{comparison_csv, comparison_text};
pub use csv::table_csv;
pub use curves::curves_csv;
pub use latex::table_latex;
pub use markdown::{
    Document, claim_markdown, claim_outcome_markdown, claim_summary_markdown, published_markdown,
    searches_markdown, table_markdown,
};
pub use page::page_html;
pub use ranking::ranking_text;
pub use remarks::{contention, control_summary};
pub use sections::{
    findings_markdown, sections_html, sections_latex, sections_markdown, sections_terminal,
};
pub use sheet::{Field, Sheet, TerminalOptions, Tone};
pub use terminal::table_terminal;

use crate::format;
use crate::stats::Estimate;
use crate::table::{Bound, Figures, Summary};

/// `8.83 M (8.79–8.88)`, or without the interval where there is none.
fn rate_with_interval(rate: &Estimate) -> String {
    match rate.interval {
        Some(interval) => format::readable_with_interval(rate.value, interval.low, interval.high),
        None => format::readable(rate.value),
    }
}

/// `12.3× (12.1–12.5)`.
fn factor_with_interval(ratio: &Estimate) -> String {
    match ratio.interval {
        Some(interval) => {
            format!(
                "{} ({}–{})",
                format::factor(ratio.value),
                format::plain(interval.low, 3),
                format::plain(interval.high, 3)
            )
        }
        None => format::factor(ratio.value),
    }
}

/// `≥ 12.3× (12.1–12.5)`, without the sign where the ratio is exact.
fn bounded_factor(ratio: &Estimate, bound: Bound) -> String {
    format!("{}{}", bound.sign(), factor_with_interval(ratio))
}

/// `at least 12.3× (12.1–12.5)`, for a sentence.
fn mean_in_words(summary: &Summary) -> String {
    format!("{}{}", summary.bound.words(), factor_with_interval(&summary.mean))
}

/// The larger half of an interval as a share of the value: `±0.5%`; empty where there is no
/// interval.
fn plus_minus(rate: &Estimate) -> String {
    let Some(interval) = rate.interval else { return String::new() };
    let percent = 100.0 * (interval.high - rate.value).max(rate.value - interval.low) / rate.value;
    if percent < 9.95 { format!("±{percent:.1}%") } else { format!("±{percent:.0}%") }
}

/// Mean plies with two standard digits of its error: `21.320 ± 0.012`; `9` where every playout is
/// that long.
fn length(figures: &Figures) -> String {
    let mean = figures.length;
    match mean.error {
        // A smaller error is one of floating point: every playout is that long.
        Some(error) if error >= 1e-6 => {
            let decimals = (1 - error.log10().floor() as i32).clamp(0, 7) as usize;
            format!("{:.decimals$} ± {error:.decimals$}", mean.value)
        }
        _ => format::machine(mean.value),
    }
}

/// `1 game`, `2 games`.
fn counted(count: usize, one: &str) -> String {
    format!("{count} {one}{}", if count == 1 { "" } else { "s" })
}

/// Names of games or engines that a sentence lists before it only counts the rest.
const MOST_NAMES: usize = 4;

/// `a`, `a and b`, `a, b and c`, `a, b, c, d and 3 more`.
fn listed(names: &[String]) -> String {
    let (shown, rest) = names.split_at(names.len().min(MOST_NAMES));
    match (shown, rest) {
        (_, rest) if !rest.is_empty() => format!("{} and {} more", shown.join(", "), rest.len()),
        ([], _) => String::new(),
        ([one], _) => one.clone(),
        ([first @ .., last], _) => format!("{} and {last}", first.join(", ")),
    }
}

/// `52 ok, 3 unsupported, 1 WRONG`.
fn verdicts(table: &crate::Table) -> String {
    let parts: Vec<String> =
        table.verdicts().into_iter().map(|(verdict, cells)| format!("{cells} {verdict}")).collect();
    parts.join(", ")
}
