//! The simulations of searches over playouts, for each engine and game.

use super::dot_plot::{Dot, DotPlot, DotRow};
use super::head::Head;
use super::lines::in_groups;
use super::series::Series;
use super::{Chart, Data, Picture, axis};
use crate::Error;

pub(super) const CHART: Chart = Chart {
    name: "searches",
    title: "Simulations over playouts",
    shows: "simulations of UCT over random playouts from the start, for each engine",
    draw,
};

fn draw(data: &Data<'_>) -> Result<Vec<Picture>, Error> {
    let Some(searches) = data.table.searches() else { return Ok(Vec::new()) };
    let with_ratio: Vec<usize> = searches.columns().collect();
    let mut series = data.series();
    series.retain(|series| with_ratio.contains(&series.column));
    let mut rows = Vec::new();
    for (number, game, group) in in_groups(data.table) {
        let ratio = |series: &Series| {
            Some(Dot::new(series.mark, searches.ratios[number][series.column].as_ref()?))
        };
        let dots: Vec<Dot> = series.iter().filter_map(ratio).collect();
        if !dots.is_empty() {
            rows.push(DotRow { group, name: game.title.clone(), dots, notes: Vec::new() });
        }
    }
    let legend = series.iter().map(|series| (series.mark, series.name.clone())).collect();
    DotPlot {
        name: CHART.name,
        head: Head {
            title: CHART.title.to_owned(),
            remark: "Simulations of UCT per CPU second over random playouts per CPU second of the \
                     same engine in the same run: what is left of the speed from the start where a \
                     search chooses the first plies. Positions in the middle of a game have \
                     shorter playouts, so that a ratio may pass 1. Lines through marks are 95 % \
                     intervals, where wide enough to be seen."
                .to_owned(),
            legend,
        },
        axis_name: "simulations over playouts, logarithmic".to_owned(),
        tick: axis::factor,
        origin: Some(1.0),
        rows,
    }
    .pictures()
}
