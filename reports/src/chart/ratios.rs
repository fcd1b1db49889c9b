//! How many times as fast as a baseline each engine plays each game.

use super::dots::{Dot, DotPlot, DotRow};
use super::head::Head;
use super::lines::{GROUPS, group};
use super::mark::Mark;
use super::rates::SYSTEMS;
use super::series::Series;
use super::{Chart, Data, Picture, axis};
use crate::Error;
use crate::published::{self, Published};
use crate::table::{Column, GameRow, Summary};

pub(super) const CHART: Chart = Chart {
    name: "ratios",
    title: "Speed-up over a baseline",
    shows: "the ratio of every engine to one of them, beside the ratio that the paper printed",
    draw,
};

fn draw(data: &Data<'_>) -> Result<Vec<Picture>, Error> {
    let (table, speedups) = (data.table, data.speedups);
    let baseline = table.columns().get(speedups.baseline).map(Column::label).unwrap_or_default();
    let compares = |series: &Series| speedups.comparable.get(series.column) == Some(&true);
    let shown = |series: &Series| {
        compares(series) && speedups.columns().any(|column| column == series.column)
    };
    let series: Vec<Series> = data.series().into_iter().filter(shown).collect();
    let base_system = (0..table.games().len())
        .find_map(|row| table.cell(row, speedups.baseline))
        .and_then(|cell| system_of(cell.language()));
    let mut printed = [false; SYSTEMS.len()];
    let mut rows: Vec<(usize, DotRow)> = Vec::new();
    for (number, game) in table.games().iter().enumerate() {
        let ratios = series.iter().filter_map(|series| {
            Some(Dot::new(series.mark, speedups.ratios.get(number)?.get(series.column)?.as_ref()?))
        });
        let measured: Vec<Dot> = ratios.collect();
        if measured.is_empty() {
            continue;
        }
        let mut dots = printed_dots(game, base_system, &mut printed);
        dots.extend(measured);
        let of = group(game);
        let (group, name) = (GROUPS[of].to_owned(), game.title.clone());
        rows.push((of, DotRow { group, name, dots, notes: Vec::new() }));
    }
    rows.sort_by_key(|(group, _)| *group);
    let mut rows: Vec<DotRow> = rows.into_iter().map(|(_, row)| row).collect();
    let mut summary = |name: &str, of: &[Option<Summary>]| {
        let means = || series.iter().filter_map(|s| Some((s.mark, of.get(s.column)?.as_ref()?)));
        let dots: Vec<Dot> = means().map(|(mark, summary)| Dot::new(mark, &summary.mean)).collect();
        let first = means().next().map_or(0, |(_, summary)| summary.games);
        let same = means().all(|(_, summary)| summary.games == first);
        let notes =
            means().filter(|_| !same).map(|(mark, s)| (mark, s.games.to_string())).collect();
        let name = if same { format!("{name} ({first})") } else { name.to_owned() };
        if !dots.is_empty() {
            rows.push(DotRow { group: "Geometric mean".to_owned(), name, dots, notes });
        }
    };
    if speedups.is_uniform() {
        summary("over all games", &speedups.own);
    } else {
        summary("over own games", &speedups.own);
        summary("over common games", &speedups.common);
    }
    let mut legend: Vec<(Mark, String)> =
        series.iter().map(|series| (series.mark, series.name.clone())).collect();
    let mut remark = format!(
        "Ratio of playouts per CPU second to those of {baseline}, formed between what was measured together. Lines through marks are 95 % intervals, where wide enough to be seen. Means say over how many games they go."
    );
    if let Some(base) = base_system.filter(|_| printed.contains(&true)) {
        let systems = (0..SYSTEMS.len()).filter(|&system| printed[system]);
        legend.extend(systems.map(|system| {
            let name = format!("{} over {}, printed", SYSTEMS[system].0, SYSTEMS[base].0);
            (Mark::printed(system), name)
        }));
        remark += &format!(
            " Open marks are the ratios that the Ludii paper printed over {}, which reads the language that {baseline} reads.",
            SYSTEMS[base].0
        );
    }
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

/// The published system that reads a language, by its number in [`SYSTEMS`].
fn system_of(language: &str) -> Option<usize> {
    match language {
        "lud" => Some(0),
        "kif" | "gdl" => Some(1),
        "rbg" => Some(2),
        _ => None,
    }
}

/// The printed ratios of the other systems to this one.
fn printed_dots(game: &GameRow, base: Option<usize>, seen: &mut [bool; SYSTEMS.len()]) -> Vec<Dot> {
    let Some(base) = base else { return Vec::new() };
    let mut dots = Vec::new();
    for row in game.paper.iter().filter_map(|paper| published::find(paper)) {
        for system in (0..SYSTEMS.len()).filter(|&system| system != base) {
            if let Some(value) = printed_ratio(row, system, base) {
                seen[system] = true;
                dots.push(Dot { mark: Mark::printed(system), value, interval: None });
            }
        }
    }
    dots
}

/// A ratio as the paper prints it, or, of pairs for which it prints none, as its figures give it.
fn printed_ratio(row: &Published, system: usize, base: usize) -> Option<f64> {
    match (system, base, row.printed_ratio) {
        (0, 1, Some(ratio)) => Some(ratio),
        (1, 0, Some(ratio)) => Some(1.0 / ratio),
        _ => Some(SYSTEMS[system].1(row)? / SYSTEMS[base].1(row)?),
    }
}
