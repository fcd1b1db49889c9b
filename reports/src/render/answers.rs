//! The answer of a run in sentences made from the figures: the fastest engines, by how much, and
//! how certain that is. These sentences are the first screen of the page, and the last lines in a
//! terminal.

use serde::Serialize;

use super::remarks::{baseline, contention, control_summary, power};
use super::{counted, factor_with_interval, listed, mean_in_words, verdicts};
use crate::format;
use crate::rows::Verdict;
use crate::standing::{LeftOut, Place, Standing, is_shown};
use crate::stats::LEVEL;
use crate::table::{Speedups, Table};

/// The language of engines that read no description, as rows call it.
const HAND_CODED: &str = "bitboard";

/// A question and what the run answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Answer {
    pub(super) question: &'static str,
    pub(super) sentences: Vec<String>,
}

/// The answer of a run in three lines for a terminal: the fastest engines, by how much, and how
/// certain that is.
pub fn answer(table: &Table, speedups: &Speedups) -> Vec<String> {
    let standing = Standing::of(table);
    let line = |name: &str, sentences: Vec<Option<String>>| {
        let sentences: Vec<String> = sentences.into_iter().flatten().collect();
        (!sentences.is_empty()).then(|| format!("{name}: {}", sentences.join(" ")))
    };
    let lines = [
        line(
            "Who is faster",
            vec![Some(fastest(table, &standing)), of_descriptions(table, &standing)],
        ),
        line("By how much", how_much(table, speedups, &standing)),
        line("Is it certain", vec![Some(proof(table)), width(table), contention(table)]),
    ];
    lines.into_iter().flatten().collect()
}

/// The answers of a run at more length, the most important first.
pub(super) fn answers(table: &Table, speedups: &Speedups) -> Vec<Answer> {
    let standing = Standing::of(table);
    let answer = |question, sentences: Vec<Option<String>>| Answer {
        question,
        sentences: sentences.into_iter().flatten().collect(),
    };
    let answers = [
        answer(
            "Who is faster?",
            vec![
                Some(fastest(table, &standing)),
                of_descriptions(table, &standing),
                wins(table, &standing),
            ],
        ),
        answer("By how much?", how_much(table, speedups, &standing)),
        answer("Is it proven?", vec![Some(proof(table)), power(table)]),
        answer(
            "How certain are the figures?",
            vec![width(table), contention(table), control_summary(table)],
        ),
    ];
    answers.into_iter().filter(|answer| !answer.sentences.is_empty()).collect()
}

fn how_much(table: &Table, speedups: &Speedups, standing: &Standing) -> Vec<Option<String>> {
    vec![distances(table, standing), left_out(table, standing), baseline(table, speedups)]
}

fn label(table: &Table, column: usize) -> String {
    table.columns()[column].label()
}

/// True if the run shows that the first place is faster than this one.
fn is_behind(place: &Place) -> bool {
    place.behind.as_ref().is_some_and(is_shown)
}

/// True if the interval of the ratio to the first place holds 1.
fn is_level(place: &Place) -> bool {
    place.behind.is_some_and(|ratio| ratio.interval.is_some() && !is_shown(&ratio))
}

fn fastest(table: &Table, standing: &Standing) -> String {
    let places = &standing.places;
    let [_, _, ..] = places.as_slice() else {
        let measured = table.cells().filter(|(.., cell)| cell.figures().is_some()).count();
        return if measured == 0 {
            "Nothing can be said: no engine has a figure.".to_owned()
        } else {
            "Nothing can be said: no two engines were measured on the same games in a way that \
             compares."
                .to_owned()
        };
    };
    let games = counted(standing.games.len(), "game");
    let over = match (standing.games.len(), table.games().len()) {
        (1, 1) => "in the one game".to_owned(),
        (1, all) => format!("in the one game (of {all}) that they all play"),
        (some, all) if some == all => format!("over all {games}"),
        (_, all) => format!("over the {games} (of {all}) that they all play"),
    };
    let mut engines = counted(places.len(), "engine");
    if !standing.left_out.is_empty() {
        engines += " that compare";
    }
    let doubtful: Vec<String> = places[1..]
        .iter()
        .filter(|place| !is_behind(place))
        .map(|place| label(table, place.column))
        .collect();
    let proof = if doubtful.is_empty() {
        ", by more than the noise of the run".to_owned()
    } else {
        format!("; of {} the run does not show it beyond noise", listed(&doubtful))
    };
    match level(table, standing).as_slice() {
        [one] => format!(
            "{one} is the fastest of {engines}: it plays the most random playouts per CPU second \
             {over}{proof}."
        ),
        several => format!(
            "{} are the fastest of {engines} {over}; between them this run shows no difference.",
            listed(several)
        ),
    }
}

/// Labels of the first place and of those after it that may be as fast, as far as the run shows.
fn level(table: &Table, standing: &Standing) -> Vec<String> {
    let (first, others) = standing.places.split_at(standing.places.len().min(1));
    let level = first.iter().chain(others.iter().take_while(|place| is_level(place)));
    level.map(|place| label(table, place.column)).collect()
}

/// The fastest of the engines that read a description, if another engine is faster.
fn of_descriptions(table: &Table, standing: &Standing) -> Option<String> {
    let reads = |column: usize| {
        table.cells().any(|(_, of, cell)| of == column && cell.language() != HAND_CODED)
    };
    if reads(standing.places.first()?.column) {
        return None;
    }
    let readers = Standing::among(table, reads);
    let [_, second, ..] = readers.places.as_slice() else { return None };
    let games = counted(readers.games.len(), "game");
    let of = "of the engines that read a description of the rules";
    Some(match level(table, &readers).as_slice() {
        [one] => format!(
            "{} is coded by hand; {of}, {one} is the fastest, {} as fast as {} over {games}.",
            label(table, standing.places[0].column),
            factor_with_interval(second.behind.as_ref()?),
            label(table, second.column)
        ),
        several => format!(
            "{} is coded by hand; {of}, {} are the fastest over {games}, with no difference shown \
             between them.",
            label(table, standing.places[0].column),
            listed(several)
        ),
    })
}

/// The engines that are the fastest of some games, with the number of games, and the number by more
/// than noise.
fn wins(table: &Table, standing: &Standing) -> Option<String> {
    let mut counts: Vec<(usize, usize)> = Vec::new();
    for win in &standing.wins {
        match counts.iter_mut().find(|(column, _)| *column == win.column) {
            Some((_, count)) => *count += 1,
            None => counts.push((win.column, 1)),
        }
    }
    counts.sort_by_key(|&(column, count)| (std::cmp::Reverse(count), column));
    let total = standing.wins.len();
    let shown = standing.wins.iter().filter(|win| is_shown(&win.lead)).count();
    let names: Vec<String> = counts
        .iter()
        .map(|&(column, count)| format!("{} in {count}", label(table, column)))
        .collect();
    let proven = match shown {
        0 => "in none of them".to_owned(),
        shown if shown == total => "in all of them".to_owned(),
        shown => format!("in {shown} of them"),
    };
    (total > 1).then(|| {
        format!(
            "Game by game, the fastest is {} of {total} games; {proven} the lead over the next \
             engine is more than noise.",
            listed(&names)
        )
    })
}

/// The distance from the first place to each other.
fn distances(table: &Table, standing: &Standing) -> Option<String> {
    let (first, others) = standing.places.split_first()?;
    let behind = |place: &Place| {
        let ratio = place.behind.as_ref()?;
        let doubt = match ratio.interval {
            None => ", with nothing to tell the noise",
            Some(_) if is_shown(ratio) => "",
            Some(_) => ", which is no difference shown",
        };
        Some(format!(
            "{} as fast as {}{doubt}",
            factor_with_interval(ratio),
            label(table, place.column)
        ))
    };
    let parts: Vec<String> = others.iter().filter_map(behind).collect();
    (!parts.is_empty()).then(|| {
        format!(
            "{} is {} (geometric mean over {}; in brackets the {:.0} % interval).",
            label(table, first.column),
            listed(&parts),
            counted(standing.games.len(), "game"),
            100.0 * LEVEL
        )
    })
}

/// Remarks on the engines that have no place.
fn left_out(table: &Table, standing: &Standing) -> Option<String> {
    let first = standing.places.first().map(|place| label(table, place.column));
    let mut ahead = Vec::new();
    let (mut tabled, mut few) = (Vec::new(), Vec::new());
    for &(column, reason) in &standing.left_out {
        let name = label(table, column);
        match reason {
            LeftOut::Tabled(Some(lead)) => ahead.push(format!(
                "{} as fast as {name} (over {})",
                mean_in_words(&lead),
                counted(lead.games, "game")
            )),
            LeftOut::Tabled(None) => tabled.push(name),
            LeftOut::FewGames => few.push(name),
        }
    }
    let mut sentences = Vec::new();
    if let (Some(first), false) = (first, ahead.is_empty()) {
        sentences.push(format!(
            "{first} is {}; what is tabled carries results over from one playout to the next, so \
             its figures are only a limit of how fast it plays.",
            listed(&ahead)
        ));
    }
    let parts = [
        (tabled, "(whether it plays as fast is open)"),
        (few, "(measured on fewer than half of the games)"),
    ];
    let parts = parts.into_iter().filter(|(names, _)| !names.is_empty());
    let parts: Vec<String> =
        parts.map(|(names, why)| format!("{} {why}", listed(&names))).collect();
    if !parts.is_empty() {
        sentences.push(format!("Left out: {}.", parts.join("; ")));
    }
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

/// The number of pairs that went through the proof, and those which did not.
fn proof(table: &Table) -> String {
    let pairs = table.cells().count();
    let of = |verdict: Verdict| {
        table.verdicts().into_iter().find(|(other, _)| *other == verdict).map_or(0, |(_, n)| n)
    };
    let ok = of(Verdict::Ok);
    if ok == pairs {
        return format!(
            "Yes, as far as it was checked: in all {} of game and engine the engine plays the \
             same game as its peers and as recorded.",
            counted(pairs, "pair")
        );
    }
    if ok == 0 && of(Verdict::Unchecked) == pairs {
        return format!(
            "No: nothing was there to check the {} of game and engine against.",
            counted(pairs, "pair")
        );
    }
    let mut differing: Vec<String> = Vec::new();
    for (row, column, cell) in table.cells() {
        if matches!(cell.verdict(), Verdict::Wrong | Verdict::Disputed) {
            let (game, engine) = (&table.games()[row].title, &table.columns()[column].engine);
            let name = format!("{engine} on {game} ({})", cell.verdict());
            // A pair that differs does so in every column of the engine.
            if !differing.contains(&name) {
                differing.push(name);
            }
        }
    }
    let differing = if differing.is_empty() {
        String::new()
    } else {
        format!(" Another game is played by {}.", listed(&differing))
    };
    format!(
        "For {ok} of {} of game and engine ({}). Only ok and unchecked pairs have \
         figures.{differing}",
        counted(pairs, "pair"),
        verdicts(table)
    )
}

/// The widths of the intervals.
fn width(table: &Table) -> Option<String> {
    let mut widths: Vec<f64> = table
        .cells()
        .filter_map(|(.., cell)| cell.figures())
        .filter(|figures| figures.per_cpu_second.interval.is_some())
        .map(|figures| {
            let rate = &figures.per_cpu_second;
            100.0 * (rate.high() - rate.value).max(rate.value - rate.low()) / rate.value
        })
        .collect();
    widths.sort_by(f64::total_cmp);
    let (middle, widest) = (widths.get(widths.len() / 2)?, widths.last()?);
    Some(format!(
        "Half of the figures are known to ±{} % or better, the worst to ±{} % ({:.0} % intervals).",
        format::plain(*middle, 2),
        format::plain(*widest, 2),
        100.0 * LEVEL
    ))
}
