//! The paper's claim and what a run says of it, in sentences and tables. Every number comes from
//! the rows or from the printed figures.

use std::cmp::Ordering;

use super::grid::{Grid, NOTHING};
use super::remarks::{MARKED_CONTENDED, MARKED_TABLED, contention_note, tabled_note};
use super::{bounded_factor, counted, factor_with_interval, listed, mean_in_words};
use crate::claim::{Claim, Contest, Measured, claim};
use crate::format;
use crate::published::{Published, System};
use crate::table::{Bound, Table};

/// Above a [`Section`].
pub(super) const HEADING: &str = "The paper's claim, tested";

/// The section of a report on the claim.
pub(super) struct Section {
    /// The claim of the paper, the results of this run, and the reasons why they differ.
    pub(super) paragraphs: Vec<Paragraph>,
    /// A line for each ratio: on how many rows it went which way, and its mean.
    pub(super) summary: Grid,
    /// A line for each published row, with the ratios.
    pub(super) rows: Grid,
}

/// Sentences of plain text, and the items of a list after them.
#[derive(serde::Serialize)]
pub(super) struct Paragraph {
    pub(super) text: String,
    pub(super) items: Vec<String>,
}

impl From<String> for Paragraph {
    fn from(text: String) -> Self {
        Self { text, items: Vec::new() }
    }
}

/// The section on a table; `None` where none of its games stands for a published row.
pub(super) fn section(table: &Table) -> Option<Section> {
    let claim = claim(table)?;
    let mut paragraphs = vec![Paragraph::from(stated(&claim))];
    paragraphs.extend(outcome(&claim));
    paragraphs.extend(language_or_engine(&claim));
    paragraphs.extend(against_printed(&claim));
    paragraphs.extend(caveats(&claim).into_iter().map(Paragraph::from));
    Some(Section { paragraphs, summary: summary(&claim), rows: rows(&claim) })
}

/// The claim of the paper, and the part of it that has rows here.
fn stated(claim: &Claim) -> String {
    let paper = score_with_mean(&claim.paper);
    let printed: Vec<&Published> = crate::published::all().iter().collect();
    let mut text = format!(
        "Piette, Soemers, Stephenson, Sironi, Winands and Browne (Ludii – The Ludemic General \
         Game System, ECAI 2020) report that Ludii, which plays games written in ludemes, \
         outperforms GGP-base's propositional network, which plays the same games written in GDL. \
         By their figures Ludii is {paper}"
    );
    if let Some((least, greatest)) = claim.paper.extremes() {
        let extreme = |index: usize| {
            let Published { row, note, .. } = printed[index];
            let note = if note.is_empty() { String::new() } else { format!(": {note}") };
            format!("{} ({row}{note})", ratio_of(&claim.paper, index))
        };
        text += &format!(", from {} to {}", extreme(least), extreme(greatest));
    }
    text += ".";
    let here = claim.printed.score().rows();
    match here {
        0 => text += " This run has none of these rows.",
        here if here < claim.paper.score().rows() => {
            text += &format!(
                " On the {here} of these rows that this run has, Ludii is {}.",
                score_with_mean(&claim.printed)
            );
        }
        _ => text += " This run has all of these rows.",
    }
    text
}

/// The verdict on the claim between our engines.
pub(super) fn outcome(claim: &Claim) -> Option<Paragraph> {
    let items: Vec<String> = against_gdl(claim)
        .map(|contest| {
            let words = match contest.verdict() {
                Some(Ordering::Greater) => "holds in the mean",
                Some(Ordering::Less) => "is turned round",
                Some(Ordering::Equal) => "is undecided",
                None => "cannot be tested by a mean",
            };
            let Contest { above, below, .. } = contest;
            format!("It {words} for {above} over {below}: {}.", score_with_mean(contest))
        })
        .collect();
    (!items.is_empty()).then(|| {
        let text = "The claim between the engines of this run, which were measured side by side:";
        Paragraph { text: text.to_owned(), items }
    })
}

/// The contributions of the language and of the engine, as far as ratios can tell them apart.
fn language_or_engine(claim: &Claim) -> Option<Paragraph> {
    let mut items = Vec::new();
    let widest = claim
        .engines
        .iter()
        .filter_map(|contest| Some((contest, contest.mean?)))
        .max_by(|(_, a), (_, b)| a.mean.value.total_cmp(&b.mean.value));
    if let Some((contest, mean)) = widest {
        items.push(format!(
            "From the same {} descriptions {} plays {} as many playouts as {}, on {}.",
            contest.systems[0].language(),
            contest.above,
            mean_in_words(&mean),
            contest.below,
            counted(mean.games, "row"),
        ));
    }
    let moved = against_gdl(claim).filter_map(|contest| Some((contest, contest.shift?)));
    if let Some((contest, (shift, rows))) = moved.min_by(|a, b| a.1.0.value.total_cmp(&b.1.0.value))
    {
        items.push(format!(
            "The games and languages are the paper's, yet {} over {} is {} the printed ratio, on \
             {}; the speed of the machine all but cancels in that factor, so it is mainly the \
             engines that differ.",
            contest.above,
            contest.below,
            factor_with_interval(&shift),
            counted(rows, "row"),
        ));
    }
    // By name, since an engine may be left out of its means.
    let ahead = |verdict: Ordering| -> Vec<String> {
        let contests = against_gdl(claim).filter(|of| of.verdict() == Some(verdict));
        let sides = |of: &Contest| match verdict {
            Ordering::Less => format!("{} beside {}", of.below, of.above),
            _ => format!("{} beside {}", of.above, of.below),
        };
        contests.map(sides).collect()
    };
    let (ludemes, gdl) = (ahead(Ordering::Greater), ahead(Ordering::Less));
    let compares = "figures like these compare engines, and do not show one language to be faster \
                    than the other";
    items.push(match (ludemes.is_empty(), gdl.is_empty()) {
        (false, false) => format!(
            "Which language comes out ahead depends on the engines that are taken: ludemes with \
             {}, GDL with {}; {compares}.",
            listed(&ludemes),
            listed(&gdl)
        ),
        (false, true) => format!("Ludemes come out ahead with {}.", listed(&ludemes)),
        (true, false) => format!(
            "GDL comes out ahead with {}, though the paper has it the other way: {compares}.",
            listed(&gdl)
        ),
        (true, true) => return None,
    });
    Some(Paragraph { text: "Is it the language, or the engine?".to_owned(), items })
}

/// Our engines over the figures that the paper printed, and where they are slower.
fn against_printed(claim: &Claim) -> Option<Paragraph> {
    let items: Vec<String> = claim
        .over_printed
        .iter()
        .filter_map(|contest| {
            let slower: Vec<String> = contest
                .ratios
                .iter()
                .zip(&claim.rows)
                .filter_map(|(ratio, (_, published))| Some(((*ratio)?, published)))
                .filter(|(measured, _)| {
                    measured.bound.order(&measured.ratio) == Some(Ordering::Less)
                })
                .map(|(measured, published)| {
                    let factor = format::factor(measured.ratio.value);
                    format!("{} {}{factor}", published.row, measured.bound.sign())
                })
                .collect();
            let slower = if slower.is_empty() {
                "slower on no row".to_owned()
            } else {
                format!("slower on {}: {}", counted(slower.len(), "row"), slower.join(", "))
            };
            let of = contest.mean?;
            let (mean, rows) = (mean_in_words(&of), counted(of.games, "row"));
            let (above, below) = (&contest.above, &contest.below);
            Some(format!("{above} over {below}: {mean} in the geometric mean of {rows}, {slower}."))
        })
        .collect();
    (!items.is_empty()).then(|| {
        let text = "Against the printed figures, which come from another machine (a Xeon E5-2680 \
            v2 at 2.80 GHz) and from versions of 2019, so that only large factors mean anything:";
        Paragraph { text: text.to_owned(), items }
    })
}

/// The limits of the ratios shown.
fn caveats(claim: &Claim) -> Vec<String> {
    let shown = || claim.languages.iter().chain(&claim.engines).chain(&claim.over_printed);
    let any = |test: fn(&Measured) -> bool| {
        shown().flat_map(|contest| contest.ratios.iter().flatten()).any(test)
    };
    let mut out = Vec::new();
    if any(|measured| measured.bound != Bound::Exact) {
        out.push(format!(
            "{} Runs with --via listed carry nothing over: all legal moves of all positions are \
             listed, as published figures were measured.",
            tabled_note()
        ));
    }
    if shown().any(|contest| contest.unknown_method) {
        out.push(
            "The rows of this run do not tell which engines carry results over from one \
            playout to the next, so ratios may compare unlike things."
                .to_owned(),
        );
    }
    if any(|measured| measured.contended) {
        out.push(contention_note());
    }
    out
}

fn against_gdl(claim: &Claim) -> impl Iterator<Item = &Contest> {
    claim.languages.iter().filter(|contest| contest.systems[1] == System::Gdl)
}

/// `faster on 3 of 5 rows, slower on 1; 2.10× (2.00–2.20) as fast in the geometric mean`, with what
/// bounds tell: `faster on 0 of 2 rows, faster on 26 more by a bound ‡; at least 63× (62–64) as
/// fast in the geometric mean of 28 rows`.
fn score_with_mean(contest: &Contest) -> String {
    let score = contest.score();
    let mut text = format!("faster on {} of {}", score.faster, counted(score.rows(), "row"));
    if score.slower > 0 {
        text += &format!(", slower on {}", score.slower);
    }
    for (count, what) in [(score.at_least, "faster"), (score.at_most, "slower")] {
        if count > 0 {
            text += &format!(", {what} on {count} more by a bound {MARKED_TABLED}");
        }
    }
    if score.open > 0 {
        text += &format!(", open on {} {MARKED_TABLED}", score.open);
    }
    if let Some(of) = contest.mean {
        text += &format!("; {} as fast in the geometric mean", mean_in_words(&of));
        if of.games != score.rows() {
            text += &format!(" of {}", counted(of.games, "row"));
        }
    }
    text
}

/// A line for each ratio.
fn summary(claim: &Claim) -> Grid {
    let mut contests = vec![(&claim.paper, "printed, whole paper")];
    if claim.printed.score() != claim.paper.score() {
        contests.push((&claim.printed, "printed, rows of this run"));
    }
    let ours = claim.languages.iter().chain(&claim.engines).chain(&claim.over_printed);
    contests.extend(ours.map(|contest| (contest, "")));
    contests.retain(|(contest, _)| contest.ratios.iter().any(Option::is_some));
    let bounded = contests.iter().any(|(contest, _)| {
        let score = contest.score();
        score.at_least + score.at_most + score.open > 0
    });

    let mut header = vec!["ratio", "rows", "faster", "slower", "undecided"];
    if bounded {
        header.extend(["faster by a bound ‡", "slower by a bound ‡", "open ‡"]);
    }
    header.extend(["geometric mean", "least", "greatest"]);
    let rows = contests.into_iter().map(|(contest, note)| {
        let score = contest.score();
        let mut fields = vec![name(contest, note)];
        fields.extend(
            [score.rows(), score.faster, score.slower, score.undecided].map(|n| n.to_string()),
        );
        if bounded {
            fields.extend([score.at_least, score.at_most, score.open].map(|n| n.to_string()));
        }
        fields.push(mean(contest));
        let (least, greatest) = contest.extremes().unzip();
        fields.extend(
            [least, greatest]
                .map(|index| index.map_or_else(nothing, |index| ratio_of(contest, index))),
        );
        fields
    });
    Grid { header: header.into_iter().map(str::to_owned).collect(), rows: rows.collect() }
}

/// A line for each published row of the run, with the geometric means as the last.
fn rows(claim: &Claim) -> Grid {
    let mut contests = vec![(&claim.printed, "printed")];
    contests.extend(claim.languages.iter().chain(&claim.over_printed).map(|contest| (contest, "")));
    contests.retain(|(contest, _)| contest.ratios.iter().any(Option::is_some));
    let mut grid = Grid {
        header: std::iter::once("row of the paper".to_owned())
            .chain(contests.iter().map(|(contest, note)| name(contest, note)))
            .collect(),
        rows: Vec::new(),
    };
    for (index, (_, published)) in claim.rows.iter().enumerate() {
        let fields = contests.iter().map(|(contest, _)| match &contest.ratios[index] {
            Some(measured) => marked(measured),
            None => nothing(),
        });
        grid.rows.push(std::iter::once(published.row.clone()).chain(fields).collect());
    }
    let means = contests.iter().map(|(contest, _)| mean(contest));
    grid.rows.push(std::iter::once("geometric mean".to_owned()).chain(means).collect());
    grid
}

/// `ludeme / propnet`, with a note in brackets.
fn name(contest: &Contest, note: &str) -> String {
    let note = if note.is_empty() { String::new() } else { format!(" ({note})") };
    format!("{} / {}{note}", contest.above, contest.below)
}

fn mean(contest: &Contest) -> String {
    contest.mean.map_or_else(nothing, |of| bounded_factor(&of.mean, of.bound))
}

fn ratio_of(contest: &Contest, index: usize) -> String {
    let ratio = contest.ratios.get(index).copied().flatten();
    ratio.map_or_else(nothing, |measured| bounded_factor(&measured.ratio, measured.bound))
}

fn marked(measured: &Measured) -> String {
    let is_bound = measured.bound != Bound::Exact;
    let marks = [(measured.contended, MARKED_CONTENDED), (is_bound, MARKED_TABLED)];
    let marks = marks.into_iter().filter(|(holds, _)| *holds).map(|(_, mark)| mark);
    std::iter::once(&*bounded_factor(&measured.ratio, measured.bound))
        .chain(marks)
        .collect::<Vec<_>>()
        .join(" ")
}

fn nothing() -> String {
    NOTHING.to_owned()
}
