//! `playouts.png`: the rate of every engine on every game.

use super::bars::{Bar, BarChart, Group};
use super::frame::is_hollow;
use super::scene::Scene;
use super::theme::Paint;
use crate::format;
use crate::rows::Verdict;
use crate::stats::LEVEL;
use crate::table::{Cell, Table};

/// Playouts a CPU second, a group a game and a bar an engine. A pair without a figure has its verdict in the bar's place.
pub fn playouts_chart(table: &Table) -> Scene {
    let series = |column: usize| Paint::Series(column);
    let groups = table.games().iter().enumerate().map(|(row, game)| Group {
        label: game.title.clone(),
        remark: None,
        summary: false,
        bars: (0..table.columns().len())
            .filter_map(|column| Some(bar(table.cell(row, column)?, series(column))))
            .collect(),
    });
    BarChart {
        title: "Playouts per CPU second".to_owned(),
        subtitle: format!(
            "Uniformly random playouts, one core, logarithmic scale. Whiskers: {:.0} % intervals, where wide enough to be seen.",
            100.0 * LEVEL
        ),
        legend: table.columns().iter().enumerate().map(|(index, column)| (column.label(), series(index))).collect(),
        groups: groups.collect(),
        origin: None,
        tick,
        empty: "No pair of game and engine has a figure.".to_owned(),
    }
    .scene()
}

fn bar(cell: &Cell, fill: Paint) -> Bar {
    let value = cell.figures().map(|figures| figures.per_cpu_second);
    let label = match (&value, cell.verdict()) {
        (Some(value), Verdict::Unchecked) => format!("{} unchecked", format::readable(value.value)),
        (Some(value), _) => format::readable(value.value),
        (None, verdict) => verdict.to_string(),
    };
    let label = if cell.is_contended() { format!("{label} †") } else { label };
    Bar { fill, hollow: is_hollow(fill), value, label, alert: cell.verdict().is_failure() }
}

/// Powers of ten without needless digits: `100 k`, `0.1`.
pub(super) fn tick(value: f64) -> String {
    short(&format::readable(value))
}

/// A number, with a unit or without, less the zeros at the end of its decimals.
pub(super) fn short(text: &str) -> String {
    let (digits, unit) =
        text.split_once(' ').map_or((text, None), |(digits, unit)| (digits, Some(unit)));
    let short = if digits.contains('.') {
        digits.trim_end_matches('0').trim_end_matches('.')
    } else {
        digits
    };
    unit.map_or_else(|| short.to_owned(), |unit| format!("{short} {unit}"))
}

#[cfg(test)]
mod tests {
    use super::tick;

    #[test]
    fn ticks_are_short() {
        let ticks = [0.1, 0.5, 1.0, 10.0, 100.0, 1e3, 2e5, 1e7].map(tick);
        assert_eq!(ticks, ["0.1", "0.5", "1", "10", "100", "1 k", "200 k", "10 M"]);
    }
}
