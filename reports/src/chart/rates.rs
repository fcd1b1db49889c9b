//! The playouts a CPU second that each engine plays of each game.

use std::cmp::Reverse;

use super::dot_plot::{Dot, DotPlot, DotRow};
use super::head::Head;
use super::lines::in_groups;
use super::mark::Mark;
use super::printed::Printed;
use super::{Chart, Data, Picture, axis};
use crate::Error;
use crate::rows::Verdict;
use crate::table::Cell;

pub(super) const CHART: Chart = Chart {
    name: "rates",
    title: "Playouts per CPU second",
    shows: "the rate of every engine on every game, with intervals and the printed figures",
    draw,
};

fn draw(data: &Data<'_>) -> Result<Vec<Picture>, Error> {
    let series = data.series();
    let table = data.table;
    let mut printed = Printed::rates();
    let mut is_measured = false;
    let mut rows = Vec::new();
    for (number, game, group) in in_groups(table) {
        let cells = || series.iter().filter_map(|s| Some((s.mark, table.cell(number, s.column)?)));
        let dot =
            |(mark, cell): (Mark, &Cell)| Some(Dot::new(mark, &cell.figures()?.per_cpu_second));
        // Printed figures first, so that what was measured here covers them and not the reverse.
        let mut dots = printed.dots(game);
        let before = dots.len();
        dots.extend(cells().filter_map(dot));
        is_measured |= dots.len() > before;
        // The worst first, in case there is no room for all.
        let mut told: Vec<(Mark, &Cell)> = cells().collect();
        told.sort_by_key(|(_, cell)| Reverse(cell.verdict()));
        let notes = told.into_iter().filter_map(|(mark, cell)| Some((mark, note(cell)?))).collect();
        rows.push(DotRow { group, name: game.title.clone(), dots, notes });
    }
    if !is_measured {
        return Ok(Vec::new());
    }
    let mut remark = "Uniformly random playouts on one core. Lines through marks are 95 % \
        intervals, where wide enough to be seen. Beside a row stands which engine has no figure, \
        and which has one that is unchecked or from a busy machine (†)."
        .to_owned();
    if printed.any() {
        remark += " Open marks are figures that the Ludii paper printed for its own machine.";
    }
    let legend = series.iter().map(|series| (series.mark, series.name.clone()));
    let legend = legend.chain(printed.legend()).collect();
    DotPlot {
        name: CHART.name,
        head: Head { title: CHART.title.to_owned(), remark, legend },
        axis_name: "playouts per CPU second, logarithmic".to_owned(),
        tick: axis::plain,
        origin: None,
        rows,
    }
    .pictures()
}

/// The note on a cell beside its figure, or in its place.
fn note(cell: &Cell) -> Option<String> {
    let sign = if cell.is_contended() { "†" } else { "" };
    match (cell.figures(), cell.verdict()) {
        (None, verdict) => Some(verdict.to_string()),
        (Some(_), Verdict::Unchecked) => Some(format!("unchecked{sign}")),
        (Some(_), _) => (!sign.is_empty()).then(|| sign.to_owned()),
    }
}
