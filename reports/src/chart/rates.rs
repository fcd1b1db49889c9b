//! How many playouts a CPU second each engine plays of each game.

use super::dots::{Dot, DotPlot, DotRow};
use super::head::Head;
use super::lines::{GROUPS, group};
use super::mark::Mark;
use super::{Chart, Data, Picture, axis};
use crate::Error;
use crate::published::{self, Published};
use crate::rows::Verdict;
use crate::table::{Cell, GameRow};

pub(super) const CHART: Chart = Chart {
    name: "rates",
    title: "Playouts per CPU second",
    shows: "the rate of every engine on every game, with intervals and the printed figures",
    draw,
};

/// The systems that the paper measured, and its figure for a game.
pub(super) const SYSTEMS: [(&str, fn(&Published) -> Option<f64>); 3] =
    [("Ludii", |row| Some(row.ludii)), ("GGP-base", |row| row.gdl), ("RBG", |row| row.rbg)];

fn draw(data: &Data<'_>) -> Result<Vec<Picture>, Error> {
    let series = data.series();
    let table = data.table;
    let mut printed = [false; SYSTEMS.len()];
    let mut row = |number: usize, game: &GameRow| {
        let cells = || series.iter().filter_map(|s| Some((s, table.cell(number, s.column)?)));
        // Printed figures first, so that what was measured here covers them and not the reverse.
        let mut dots = printed_dots(game, &mut printed);
        dots.extend(cells().filter_map(|(series, cell)| {
            Some(Dot::new(series.mark, &cell.figures()?.per_cpu_second))
        }));
        let mut told: Vec<(&Cell, Mark)> =
            cells().map(|(series, cell)| (cell, series.mark)).collect();
        // The worst first, in case there is no room for all.
        told.sort_by_key(|(cell, _)| std::cmp::Reverse(cell.verdict()));
        let notes = told.into_iter().filter_map(|(cell, mark)| Some((mark, note(cell)?))).collect();
        let of = group(game);
        (of, DotRow { group: GROUPS[of].to_owned(), name: game.title.clone(), dots, notes })
    };
    let mut rows: Vec<(usize, DotRow)> =
        table.games().iter().enumerate().map(|(number, game)| row(number, game)).collect();
    let is_measured = |(_, row): &(usize, DotRow)| row.dots.iter().any(|dot| !dot.mark.is_open());
    if !rows.iter().any(is_measured) {
        return Ok(Vec::new());
    }
    rows.sort_by_key(|(group, _)| *group);
    let mut legend: Vec<(Mark, String)> =
        series.iter().map(|series| (series.mark, series.name.clone())).collect();
    let systems = SYSTEMS.iter().enumerate().filter(|&(system, _)| printed[system]);
    legend.extend(
        systems.map(|(system, (name, _))| (Mark::printed(system), format!("{name}, printed"))),
    );
    let remark = "Uniformly random playouts on one core. Lines through marks are 95 % intervals, where wide enough to be seen. Beside a row stands which engine has no figure, and which has one that is unchecked or from a busy machine (†).";
    let of_papers = if printed.contains(&true) {
        " Open marks are figures that the Ludii paper printed for its own machine."
    } else {
        ""
    };
    DotPlot {
        name: CHART.name,
        head: Head {
            title: CHART.title.to_owned(),
            remark: format!("{remark}{of_papers}"),
            legend,
        },
        axis_name: "playouts per CPU second, logarithmic".to_owned(),
        tick: axis::plain,
        origin: None,
        rows: rows.into_iter().map(|(_, row)| row).collect(),
    }
    .pictures()
}

fn printed_dots(game: &GameRow, seen: &mut [bool; SYSTEMS.len()]) -> Vec<Dot> {
    let mut dots = Vec::new();
    for row in game.paper.iter().filter_map(|paper| published::find(paper)) {
        for (system, (_, figure)) in SYSTEMS.iter().enumerate() {
            if let Some(value) = figure(row) {
                seen[system] = true;
                dots.push(Dot { mark: Mark::printed(system), value, interval: None });
            }
        }
    }
    dots
}

/// What is to be said of a cell beside its figure, or in its place.
fn note(cell: &Cell) -> Option<String> {
    let sign = if cell.is_contended() { "†" } else { "" };
    match (cell.figures(), cell.verdict()) {
        (None, verdict) => Some(verdict.to_string()),
        (Some(_), Verdict::Unchecked) => Some(format!("unchecked{sign}")),
        (Some(_), _) => (!sign.is_empty()).then(|| sign.to_owned()),
    }
}
