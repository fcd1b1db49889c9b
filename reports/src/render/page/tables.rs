//! The tables about pairs of game and engine: rates, speed-ups and costs, whose figures open what
//! is known of them.

use std::collections::BTreeSet;

use super::view::{Field, Head, RowView, TableView};
use crate::format;
use crate::render::remarks::{MARKED_CONTENDED, MARKED_TABLED, baseline, tabled_note};
use crate::render::{counted, length, plus_minus};
use crate::rows::Verdict;
use crate::standing::winner;
use crate::stats::Estimate;
use crate::table::{Bound, Cell, Figures, Speedups, Summary, Table};

/// Name of the panel that holds what is known of a cell.
pub(super) fn panel(row: usize, column: usize) -> String {
    format!("cell-{row}-{column}")
}

/// Playouts a CPU second, and the mean length of a playout last.
pub(super) fn rates(table: &Table) -> TableView {
    let mut view = rate_table(table, "Playouts per CPU second", |figures| figures.per_cpu_second);
    view.columns.push(Head { label: "mean plies".to_owned(), is_engine: false });
    for (row, fields) in view.rows.iter_mut().enumerate() {
        fields.fields.push(table.best_known(row).map_or_else(Field::nothing, |figures| {
            let text = length(figures);
            let (text, small) = text.split_once(" ± ").unwrap_or((&text, ""));
            Field {
                text: text.to_owned(),
                small: if small.is_empty() { String::new() } else { format!("±{small}") },
                value: format::machine(figures.length.value),
                ..Field::default()
            }
        }));
    }
    view
}

/// Plies a CPU second: the same measurements, over another count.
pub(super) fn plies(table: &Table) -> TableView {
    rate_table(table, "Plies per CPU second", |figures| figures.plies_per_cpu_second)
}

fn rate_table(table: &Table, heading: &str, rate: fn(&Figures) -> Estimate) -> TableView {
    let winners: Vec<Option<usize>> =
        (0..table.games().len()).map(|row| winner(table, row)).collect();
    by_pair(table, heading, |row, column, cell| {
        let mut field = verdict_field(cell);
        if let Some(figures) = cell.figures() {
            let rate = rate(figures);
            if winners[row] == Some(column) {
                field.class.push_str(" best");
            }
            field.text = format::readable(rate.value);
            field.small = plus_minus(&rate);
            if cell.verdict() != Verdict::Ok {
                field.small = format!("{} {}", field.small, cell.verdict());
            }
            if figures.is_contended() {
                field.small = format!("{} {MARKED_CONTENDED}", field.small);
            }
            field.value = format::machine(rate.value);
        }
        field
    })
}

/// Ratios to the baseline with the geometric means at the foot; `None` where there is no ratio.
pub(super) fn speedups(table: &Table, speedups: &Speedups) -> Option<TableView> {
    if speedups.is_empty() {
        return None;
    }
    let base_name = table.columns()[speedups.baseline].label();
    let shown: Vec<usize> = speedups.columns().collect();
    let mut view = by_pair(table, &format!("Speed-up over {base_name}"), |row, column, cell| {
        let Some(ratio) = &speedups.ratios[row][column] else {
            return if cell.figures().is_some() { Field::nothing() } else { verdict_field(cell) };
        };
        let base = table.cell(row, speedups.baseline);
        let contended = cell.is_contended() || base.is_some_and(Cell::is_contended);
        let bound = speedups.bounds[column];
        let mut small = range(ratio);
        for (holds, mark) in [(contended, MARKED_CONTENDED), (bound != Bound::Exact, MARKED_TABLED)]
        {
            if holds {
                small = format!("{small} {mark}");
            }
        }
        let text = format!("{}{}", bound.sign(), format::factor(ratio.value));
        Field { text, small, value: format::machine(ratio.value), ..verdict_field(cell) }
    });
    keep_columns(&mut view, &shown);
    view.rows.retain(|row| row.fields.iter().any(|field| !field.value.is_empty()));
    let mut mean = |title: &str, items: &[Option<Summary>]| {
        let field = |summary: Summary| Field {
            text: format!("{}{}", summary.bound.sign(), format::factor(summary.mean.value)),
            small: format!("{}\n{}", range(&summary.mean), counted(summary.games, "game")),
            ..Field::default()
        };
        let fields = shown.iter().map(|&column| items[column].map_or_else(Field::nothing, field));
        let fields = fields.collect();
        view.foot.push(RowView { title: title.to_owned(), fields, ..RowView::default() });
    };
    if speedups.is_uniform() {
        mean("geometric mean", &speedups.own);
    } else {
        mean("geometric mean, each engine's own games", &speedups.own);
        if speedups.common.iter().any(Option::is_some) {
            mean("geometric mean, games common to all", &speedups.common);
        }
    }
    view.notes.extend(baseline(table, speedups));
    if speedups.has_bounds() {
        view.notes.push(tabled_note());
    }
    Some(view)
}

/// The costs of a pair besides time of playing: one table a measure, those that some row tells.
pub(super) fn costs(table: &Table) -> Vec<TableView> {
    type Measure = (&'static str, fn(&Cell) -> Option<u64>, fn(u64) -> String);
    let measures: [Measure; 4] = [
        ("Time to compile", Cell::compile_ns, format::duration),
        ("Time to the end of the first playout", Cell::first_playout_ns, format::duration),
        ("Peak memory of the worker", Cell::peak_bytes, format::bytes),
        ("Size of a position", Cell::state_bytes, format::bytes),
    ];
    let view = |(heading, value, text): Measure| {
        let is_known = table.cells().any(|(.., cell)| value(cell).is_some());
        is_known.then(|| {
            by_pair(table, heading, |_, _, cell| match value(cell) {
                Some(known) => {
                    Field { text: text(known), value: known.to_string(), ..verdict_field(cell) }
                }
                None => Field::nothing(),
            })
        })
    };
    measures.into_iter().filter_map(view).chain(tokens(table)).collect()
}

/// Sizes of the descriptions, a column a language.
fn tokens(table: &Table) -> Option<TableView> {
    let cells = || table.cells().filter_map(|(row, _, cell)| Some((row, cell, cell.tokens()?)));
    let languages: BTreeSet<&str> = cells().map(|(_, cell, _)| cell.language()).collect();
    let field = |row: usize, language: &str| {
        let mut own = cells().filter(|(r, cell, _)| *r == row && cell.language() == language);
        own.next().map_or_else(Field::nothing, |(.., tokens)| Field {
            text: format::count(tokens),
            value: tokens.to_string(),
            ..Field::default()
        })
    };
    let rows = table.games().iter().enumerate().map(|(row, game)| RowView {
        game: game.id.clone(),
        title: game.title.clone(),
        fields: languages.iter().map(|language| field(row, language)).collect(),
    });
    let head = |language: &&str| Head { label: format!(".{language}"), is_engine: false };
    (!languages.is_empty()).then(|| TableView {
        heading: "Description size in tokens".to_owned(),
        first: "game".to_owned(),
        columns: languages.iter().map(head).collect(),
        rows: rows.collect(),
        ..TableView::default()
    })
}

/// A row a game, a column an engine.
fn by_pair(
    table: &Table,
    heading: &str,
    field: impl Fn(usize, usize, &Cell) -> Field,
) -> TableView {
    let head = |column: &crate::Column| Head { label: column.label(), is_engine: true };
    let rows = table.games().iter().enumerate().map(|(row, game)| {
        let fields = (0..table.columns().len()).map(|column| match table.cell(row, column) {
            Some(cell) => Field { panel: panel(row, column), ..field(row, column, cell) },
            None => Field::nothing(),
        });
        RowView { game: game.id.clone(), title: game.title.clone(), fields: fields.collect() }
    });
    TableView {
        heading: heading.to_owned(),
        first: "game".to_owned(),
        columns: table.columns().iter().map(head).collect(),
        rows: rows.collect(),
        ..TableView::default()
    }
}

/// The verdict of a cell, as what it shows where it has no figure.
fn verdict_field(cell: &Cell) -> Field {
    let verdict = cell.verdict();
    let class = match verdict {
        Verdict::Ok => "ok",
        Verdict::Unchecked => "unchecked",
        _ => "failure",
    };
    // Only shown where there is no figure.
    let sample = if verdict.is_ranked() { ", no sample" } else { "" };
    Field {
        text: format!("{verdict}{sample}"),
        verdict: verdict.to_string(),
        class: class.to_owned(),
        ..Field::default()
    }
}

fn keep_columns(view: &mut TableView, shown: &[usize]) {
    let pick = |number: usize| shown.contains(&number);
    let mut number = 0..;
    view.columns.retain(|_| number.next().is_some_and(pick));
    for row in &mut view.rows {
        let mut number = 0..;
        row.fields.retain(|_| number.next().is_some_and(pick));
    }
}

/// `12.1–12.5`, or nothing where there is no interval.
fn range(ratio: &Estimate) -> String {
    ratio.interval.map_or_else(String::new, |interval| {
        format!("{}–{}", format::plain(interval.low, 3), format::plain(interval.high, 3))
    })
}
