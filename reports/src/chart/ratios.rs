//! The speed of each engine at each game, over that of a baseline.

use super::dot_plot::{Dot, DotPlot, DotRow};
use super::head::Head;
use super::lines::in_groups;
use super::printed::Printed;
use super::series::Series;
use super::{Chart, Data, Picture, axis};
use crate::Error;
use crate::table::{Bound, Column, Summary};

pub(super) const CHART: Chart = Chart {
    name: "ratios",
    title: "Speed-up over a baseline",
    shows: "the ratio of every engine to one of them, beside the ratio that the paper printed",
    draw,
};

fn draw(data: &Data<'_>) -> Result<Vec<Picture>, Error> {
    let (table, speedups) = (data.table, data.speedups);
    let baseline = table.columns().get(speedups.baseline).map(Column::label).unwrap_or_default();
    let with_ratio: Vec<usize> = speedups.columns().collect();
    let mut series = data.series();
    series.retain(|series| {
        speedups.bounds.get(series.column) == Some(&Bound::Exact)
            && with_ratio.contains(&series.column)
    });
    let mut printed = (0..table.games().len())
        .find_map(|row| table.cell(row, speedups.baseline))
        .and_then(|cell| Printed::ratios(cell.language()));
    let mut rows = Vec::new();
    for (number, game, group) in in_groups(table) {
        let ratio = |series: &Series| {
            let ratio = speedups.ratios.get(number)?.get(series.column)?.as_ref()?;
            Some(Dot::new(series.mark, ratio))
        };
        let measured: Vec<Dot> = series.iter().filter_map(ratio).collect();
        if !measured.is_empty() {
            let mut dots = printed.as_mut().map_or_else(Vec::new, |printed| printed.dots(game));
            dots.extend(measured);
            rows.push(DotRow { group, name: game.title.clone(), dots, notes: Vec::new() });
        }
    }
    if speedups.is_uniform() {
        rows.extend(summary("over all games", &series, &speedups.own));
    } else {
        rows.extend(summary("over own games", &series, &speedups.own));
        rows.extend(summary("over common games", &series, &speedups.common));
    }
    let choice = speedups.choice();
    let mut remark = format!(
        "Ratio of playouts per CPU second to those of {baseline}{choice}, formed between what was \
         measured together. Lines through marks are 95 % intervals, where wide enough to be seen. \
         Means say over how many games they go."
    );
    if speedups.has_bounds() {
        remark += " Ratios with a tabled side are bounds, and stand in the tables alone.";
    }
    let printed = printed.filter(Printed::any);
    if let Some(base) = printed.as_ref().and_then(Printed::base_name) {
        remark += &format!(
            " Open marks are the ratios that the Ludii paper printed over {base}, which reads the \
             language that {baseline} reads."
        );
    }
    let legend = series.iter().map(|series| (series.mark, series.name.clone()));
    let legend = legend.chain(printed.iter().flat_map(Printed::legend)).collect();
    DotPlot {
        name: CHART.name,
        head: Head { title: format!("Speed-up over {baseline}"), remark, legend },
        axis_name: format!("times as many playouts per CPU second as {baseline}, logarithmic"),
        tick: axis::factor,
        origin: Some(1.0),
        rows,
    }
    .pictures()
}

/// A row of means, with the number of games that they go over; `None` if there are none.
fn summary(name: &str, series: &[Series], of: &[Option<Summary>]) -> Option<DotRow> {
    let means = || series.iter().filter_map(|s| Some((s.mark, of.get(s.column)?.as_ref()?)));
    let games = means().next()?.1.games;
    let is_same = means().all(|(_, summary)| summary.games == games);
    let number = |(mark, summary): (_, &Summary)| (mark, summary.games.to_string());
    Some(DotRow {
        group: "Geometric mean",
        name: if is_same { format!("{name} ({games})") } else { name.to_owned() },
        dots: means().map(|(mark, summary)| Dot::new(mark, &summary.mean)).collect(),
        notes: if is_same { Vec::new() } else { means().map(number).collect() },
    })
}
