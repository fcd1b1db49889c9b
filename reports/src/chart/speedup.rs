//! `speedup.png`: every engine against one of them.

use super::bars::{Bar, BarChart, Group};
use super::frame::is_hollow;
use super::scene::Scene;
use super::theme::Paint;
use crate::format;
use crate::stats::LEVEL;
use crate::table::{Speedups, Summary, Table};

/// Factors over the baseline, with geometric means below. Only pairs with a ratio take part, and of columns only those that compare with the baseline.
pub fn speedup_chart(table: &Table, speedups: &Speedups) -> Scene {
    let baseline =
        table.columns().get(speedups.baseline).map(crate::Column::label).unwrap_or_default();
    let shown: Vec<usize> =
        speedups.columns().filter(|&column| speedups.comparable[column]).collect();
    let bar = |column: usize, value, label| {
        let fill = Paint::Series(column);
        Bar { fill, hollow: is_hollow(fill), value: Some(value), label, alert: false }
    };
    let mut groups: Vec<Group> = Vec::new();
    for (row, game) in table.games().iter().enumerate() {
        let ratios =
            shown.iter().filter_map(|&column| Some((column, speedups.ratios[row][column]?)));
        let bars: Vec<Bar> =
            ratios.map(|(column, ratio)| bar(column, ratio, format::factor(ratio.value))).collect();
        if !bars.is_empty() {
            groups.push(Group { label: game.title.clone(), remark: None, summary: false, bars });
        }
    }
    let mut summary = |remark, items: &[Option<Summary>]| {
        let items = shown.iter().filter_map(|&column| Some((column, items[column]?)));
        let text = |summary: &Summary| {
            let games = if summary.games == 1 { "game" } else { "games" };
            format!("{} over {} {games}", format::factor(summary.mean.value), summary.games)
        };
        let bars: Vec<Bar> =
            items.map(|(column, summary)| bar(column, summary.mean, text(&summary))).collect();
        if !bars.is_empty() {
            groups.push(Group { label: "Geometric mean".to_owned(), remark, summary: true, bars });
        }
    };
    if speedups.is_uniform() {
        summary(None, &speedups.own);
    } else {
        summary(Some("of own games"), &speedups.own);
        summary(Some("of common games"), &speedups.common);
    }
    BarChart {
        title: format!("Speed-up over {baseline}"),
        subtitle: format!(
            "Ratio of playouts per CPU second, formed between what was measured together, logarithmic scale. Whiskers: {:.0} % intervals, where wide enough to be seen.",
            100.0 * LEVEL
        ),
        legend: shown.iter().map(|&column| (table.columns()[column].label(), Paint::Series(column))).collect(),
        groups,
        origin: Some(1.0),
        tick,
        empty: format!("No game has a figure for {baseline} and for another engine."),
    }
    .scene()
}

/// `0.01×`, `1×`, `1,000×`.
pub(super) fn tick(value: f64) -> String {
    format!("{}×", format::plain(value, 1))
}
