//! `table.tex`: rates, speed-ups and the paper's claim, for a paper of two columns.

mod float;
mod text;

pub(super) use float::{Field, Float};
use float::{Groups, Line};
pub(super) use text::escape;
use text::{THIN_SPACE, clipped};

use super::grid::{self, NOTHING};
use super::markdown::Document;
use super::remarks::{
    MARKED_CONTENDED, MARKED_TABLED, contention_note, power, tabled_figure_note, tabled_note,
};
use super::{plus_minus, provenance};
use crate::claim::{Claim, Contest, Measured, claim};
use crate::format;
use crate::published::Published;
use crate::rows::Verdict;
use crate::stats::Estimate;
use crate::table::{Bound, Cell, Column, Speedups, Summary, Table, Way};
use crate::text::printable;

/// The meaning of ±, in LaTeX.
const HALF: &str = "$\\pm$ is the larger half of the 95\\,\\% interval, in per cent.";
/// The protocol of a table that is not the first.
const AS_FIRST: &str = "Measured as in Table~\\ref{tab:playouts}.";

/// Floats across both columns of a page. They need the package `booktabs`, and `references.bib` for
/// what they cite.
pub fn table_latex(document: &Document<'_>) -> String {
    let Document { table, speedups, machine, .. } = *document;
    let mut out = String::from(
        "% Made by ggpbench from measurements.csv. Needs \\usepackage{booktabs} and, for what is \
         cited,\n% reports/published/references.bib of the repository of ggpbench.\n",
    );
    rates(table, machine).write(&mut out);
    comment_reasons(&mut out, table);
    let mut floats: Vec<Float> = ratios(table, speedups).into_iter().collect();
    floats.extend(searches(table));
    if let Some(claim) = claim(table) {
        floats.extend(languages(table, &claim));
        floats.extend(over_printed(table, &claim));
    }
    for float in floats {
        float.write(&mut out);
    }
    out
}

/// The main table.
fn rates(table: &Table, machine: Option<&str>) -> Float {
    let ways = table.ways();
    let mut tabled = false;
    let mut heads = vec!["plies".to_owned()];
    heads.extend(ways.iter().map(|way| head(&way.column)));
    let lines = (0..table.games().len()).map(|row| {
        let plies = table.best_known(row);
        let plies = plies
            .map_or_else(nothing, |figures| Field::text(format!("{:.1}", figures.length.value)));
        let cells = ways.iter().map(|way| match way.cell(table, row) {
            Some((cell, marked)) => {
                tabled |= marked;
                rate(cell, marked)
            }
            None => nothing(),
        });
        let fields = std::iter::once(plies).chain(cells).collect();
        (row, (table.games()[row].title.clone(), fields))
    });
    let groups = grouped(table, lines);
    let mut caption = vec![format!(
        "Playouts per CPU second on one core; k is a thousand, M a million. {HALF} A dash is a \
         game that the engine does not play in this way."
    )];
    if tabled {
        caption.push(escape(&tabled_figure_note()));
    }
    if table.cells().any(|(.., cell)| cell.is_contended()) {
        caption.push(escape(&contention_note()));
    }
    if table.cells().any(|(.., cell)| cell.verdict() == Verdict::Unchecked) {
        caption.push("Unchecked: there was nothing to check the engine by.".to_owned());
    }
    caption.extend(power(table).map(|sentence| escape(&sentence)));
    let measured = [provenance::protocol(table), machine.and_then(provenance::machine)];
    caption.extend(measured.into_iter().flatten().map(|sentence| escape(&sentence)));
    Float { label: "playouts", caption: caption.join(" "), corner: "game", heads, groups }
}

/// Ratios to the baseline; `None` where there are none.
fn ratios(table: &Table, speedups: &Speedups) -> Option<Float> {
    let shown = |way: &Way| {
        way.numbers.iter().any(|&number| speedups.ratios.iter().any(|row| row[number].is_some()))
    };
    let ways: Vec<Way> = table.ways().into_iter().filter(shown).collect();
    if ways.is_empty() {
        return None;
    }
    let mut marks = Marks::default();
    let ratio = |row: usize, number: usize| {
        let contended = |column: usize| table.cell(row, column).is_some_and(Cell::is_contended);
        Some(Measured {
            ratio: speedups.ratios[row][number]?,
            contended: contended(number) || contended(speedups.baseline),
            bound: speedups.bounds[number],
        })
    };
    let lines = (0..table.games().len()).filter_map(|row| {
        let ratios: Vec<Option<Measured>> = ways
            .iter()
            .map(|way| way.numbers.iter().find_map(|&number| ratio(row, number)))
            .collect();
        if ratios.iter().all(Option::is_none) {
            return None;
        }
        let fields = ratios.iter().map(|ratio| marks.field(ratio.as_ref())).collect();
        Some((row, (table.games()[row].title.clone(), fields)))
    });
    let mut groups = grouped(table, lines);
    let mut means = Vec::new();
    let mut summary = |what: &str, items: &[Option<Summary>]| {
        let of = |way: &Way| way.numbers.iter().find_map(|&number| items[number]);
        let mean_of = |way: &Way| of(way).map_or_else(nothing, |of| mean(&of));
        let games = |way: &Way| Field::text(of(way).map_or(0, |summary| summary.games).to_string());
        means.push((format!("geometric mean{what}"), ways.iter().map(mean_of).collect()));
        means.push(("number of games".to_owned(), ways.iter().map(games).collect()));
    };
    if speedups.is_uniform() {
        summary("", &speedups.own);
    } else {
        summary(", own games", &speedups.own);
        if speedups.common.iter().any(Option::is_some) {
            summary(", common games", &speedups.common);
        }
    }
    groups.push((None, means));
    let baseline = escape(&clipped(&table.columns()[speedups.baseline].label(), 30.0));
    let choice = speedups.choice();
    let caption = format!(
        "Playouts per CPU second over those of {baseline}{choice}, from what was measured \
         together. {HALF} The mean's interval is the noise of measuring, not the choice of games. \
         {AS_FIRST}{}",
        marks.explained()
    );
    let heads = ways.iter().map(|way| head(&way.column)).collect();
    Some(Float { label: "speedup", caption, corner: "game", heads, groups })
}

/// Simulations over playouts; `None` where no engine has both.
fn searches(table: &Table) -> Option<Float> {
    let searches = table.searches()?;
    let shown: Vec<usize> = searches.columns().collect();
    let mut marks = Marks::default();
    let lines = (0..table.games().len()).filter_map(|row| {
        let ratios = &searches.ratios[row];
        if shown.iter().all(|&column| ratios[column].is_none()) {
            return None;
        }
        let mut field = |&column: &usize| {
            let contended = table.cell(row, column).is_some_and(Cell::is_contended);
            let bound = Bound::Exact;
            marks.field(ratios[column].map(|ratio| Measured { ratio, contended, bound }).as_ref())
        };
        Some((row, (table.games()[row].title.clone(), shown.iter().map(&mut field).collect())))
    });
    let mut groups = grouped(table, lines);
    let means =
        shown.iter().map(|&column| searches.means[column].as_ref().map_or_else(nothing, mean));
    groups.push((None, vec![("geometric mean".to_owned(), means.collect())]));
    let caption = format!(
        "Simulations of UCT per CPU second over random playouts from the start of the same \
         engine. {HALF} {AS_FIRST}{}",
        marks.explained()
    );
    let heads = shown.iter().map(|&column| head(&table.columns()[column])).collect();
    Some(Float { label: "searches", caption, corner: "game", heads, groups })
}

/// Ludii over GGP-base as printed, beside ratios between languages here; `None` where there are no
/// such ratios.
fn languages(table: &Table, claim: &Claim) -> Option<Float> {
    let contests: Vec<&Contest> = std::iter::once(&claim.printed).chain(&claim.languages).collect();
    let printed = |published: &Published| {
        [Some(published.ludii), published.gdl]
            .map(|rate| rate.map_or_else(nothing, |rate| Field::text(format::as_printed(rate))))
            .to_vec()
    };
    let mut heads = vec!["Ludii,\nprinted".to_owned(), "GGP-base,\nprinted".to_owned()];
    heads.extend(contests.iter().enumerate().map(|(number, contest)| {
        let note = if number == 0 { ",\nprinted" } else { "" };
        format!("{} /\n{}{note}", contest.above, contest.below)
    }));
    if claim.languages.is_empty() {
        return None;
    }
    let caption = format!(
        "The claim of Piette et al.~\\cite{{piette2020ludii}}, tested: playouts per second of \
         Ludii and GGP-base as printed there, their ratio, and the ratios of engines measured \
         here. {HALF} {AS_FIRST}"
    );
    Some(contested(table, claim, "claim", caption, heads, printed, &contests))
}

/// Our engines over the printed figures; `None` where there are none.
fn over_printed(table: &Table, claim: &Claim) -> Option<Float> {
    let contests: Vec<&Contest> = claim.over_printed.iter().collect();
    if contests.is_empty() {
        return None;
    }
    let heads = contests
        .iter()
        .map(|contest| format!("{} /\n{}", contest.above, contest.systems[1].name()));
    let caption = format!(
        "Playouts per CPU second here over those that Piette et al.~\\cite{{piette2020ludii}} \
         print for the system of the same language, on another machine and with versions of 2019: \
         only large factors mean anything. {HALF} {AS_FIRST}"
    );
    Some(contested(table, claim, "printed", caption, heads.collect(), |_| Vec::new(), &contests))
}

/// Contests row by row, after other fields of each published row, with their scores and means.
fn contested(
    table: &Table,
    claim: &Claim,
    label: &'static str,
    mut caption: String,
    heads: Vec<String>,
    before: impl Fn(&Published) -> Vec<Field>,
    contests: &[&Contest],
) -> Float {
    let mut marks = Marks::default();
    let lines = claim.rows.iter().enumerate().map(|(index, &(row, published))| {
        let ratios = contests.iter().map(|contest| marks.field(contest.ratios[index].as_ref()));
        let fields = before(published).into_iter().chain(ratios).collect();
        (row, (published.row.clone(), fields))
    });
    let mut groups = grouped(table, lines);
    let blank = || heads.iter().skip(contests.len()).map(|_| Field::default());
    let line = |name: &str, field: &dyn Fn(&Contest) -> Field| -> Line {
        (name.to_owned(), blank().chain(contests.iter().map(|contest| field(contest))).collect())
    };
    groups.push((
        None,
        vec![
            line("geometric mean", &|contest| contest.mean.map_or_else(nothing, |of| mean(&of))),
            line("faster / slower / undecided", &|contest| {
                let score = contest.score();
                Field::text(format!("{} / {} / {}", score.faster, score.slower, score.undecided))
            }),
        ],
    ));
    if marks.tabled {
        let bounds = line("by a bound, faster / slower / open", &|contest| {
            let score = contest.score();
            Field::text(format!("{} / {} / {}", score.at_least, score.at_most, score.open))
        });
        groups.last_mut().expect("pushed above").1.push(bounds);
    }
    caption += &marks.explained();
    Float { label, caption, corner: "row of the paper", heads, groups }
}

/// The marks in a table, so that its caption can explain them.
#[derive(Default)]
struct Marks {
    contended: bool,
    tabled: bool,
}

impl Marks {
    fn field(&mut self, measured: Option<&Measured>) -> Field {
        let Some(measured) = measured else { return nothing() };
        self.contended |= measured.contended;
        let is_bound = measured.bound != Bound::Exact;
        self.tabled |= is_bound;
        let marks = [(measured.contended, MARKED_CONTENDED), (is_bound, MARKED_TABLED)];
        let marks: Vec<&str> =
            marks.into_iter().filter(|(has, _)| *has).map(|(_, mark)| mark).collect();
        factor(&measured.ratio, measured.bound, &marks)
    }

    /// Sentences in LaTeX, each after a space.
    fn explained(&self) -> String {
        let notes = [(self.contended, contention_note()), (self.tabled, tabled_note())];
        notes
            .into_iter()
            .filter(|(has, _)| *has)
            .map(|(_, note)| format!(" {}", escape(&note)))
            .collect()
    }
}

/// Lines of games, each with its row in the table, in groups: those for one player apart from those
/// for several, where there are both.
fn grouped(table: &Table, lines: impl Iterator<Item = (usize, Line)>) -> Groups {
    let is_for_one = |row: usize| table.games()[row].players == 1;
    let (one, more): (Vec<_>, Vec<_>) = lines.partition(|&(row, _)| is_for_one(row));
    let both = !one.is_empty() && !more.is_empty();
    let group = |lines: Vec<(usize, Line)>| {
        let heading = table.games()[lines.first()?.0].heading();
        Some((both.then_some(heading), lines.into_iter().map(|(_, line)| line).collect()))
    };
    [one, more].into_iter().filter_map(group).collect()
}

fn rate(cell: &Cell, tabled: bool) -> Field {
    let Some(figures) = cell.figures() else { return Field::text(cell.verdict().to_string()) };
    let unchecked = cell.verdict() == Verdict::Unchecked;
    let marks = [
        (figures.is_contended(), MARKED_CONTENDED),
        (tabled, MARKED_TABLED),
        (unchecked, "unchecked"),
    ];
    let marks: Vec<&str> =
        marks.into_iter().filter(|(has, _)| *has).map(|(_, mark)| mark).collect();
    let rate = &figures.per_cpu_second;
    with_marks(format::readable(rate.value).replace(' ', THIN_SPACE), rate, &marks)
}

fn factor(ratio: &Estimate, bound: Bound, marks: &[&str]) -> Field {
    let sign = bound.sign().replace(' ', THIN_SPACE);
    with_marks(format!("{sign}{}", format::plain(ratio.value, 3)), ratio, marks)
}

fn mean(of: &Summary) -> Field {
    factor(&of.mean, of.bound, &[])
}

fn with_marks(figure: String, estimate: &Estimate, marks: &[&str]) -> Field {
    let half = plus_minus(estimate);
    let half = half.trim_end_matches('%');
    let beside: Vec<&str> = std::iter::once(half)
        .chain(marks.iter().copied())
        .filter(|part| !part.is_empty())
        .collect();
    Field { figure, beside: beside.join(" ") }
}

/// A column's label in two lines where it has brackets.
fn head(column: &Column) -> String {
    column.label().replacen(" (", "\n(", 1)
}

fn nothing() -> Field {
    Field::text(NOTHING)
}

/// Writes the reasons of pairs without a figure as comments: a paper has no room for them.
fn comment_reasons(out: &mut String, table: &Table) {
    let mut notes = Vec::new();
    grid::rates(table, &mut notes);
    for note in notes {
        let reason = note.reason.lines().next().unwrap_or_default();
        out.push_str(&printable(&format!("% {}: {reason}", note.about)));
        out.push('\n');
    }
}
