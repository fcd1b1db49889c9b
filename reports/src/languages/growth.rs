//! From a text to the first playout, and how that grows with the size of the board.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::names::{LANGUAGES, shown};
use super::ratios::{Ratio, Values, median, with_interval};
use super::section::{Grid, Section};
use super::shares::{counted, distinct};
use crate::format::{bytes, count, duration, factor, plain};
use crate::stats::{Bootstrap, Estimate, PowerLaw, wilson};

/// A game on an engine, from its text to the first playout.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// The family; empty for games of the catalogue.
    pub family: String,
    /// Its size; 0 for games of the catalogue.
    pub size: u32,
    /// The unit of the size, such as `squares along a side`.
    pub unit: String,
    /// The game.
    pub game: String,
    /// The short name of the language.
    pub language: String,
    /// The engine.
    pub engine: String,
    /// Characters of the text without comments and runs of blanks; of hand-coded games none.
    pub characters: Option<u64>,
    /// Tokens as publications about the language count them.
    pub tokens: Option<u64>,
    /// CPU time of the front end of the language alone, which reads and checks; nanoseconds.
    pub read_ns: Option<u64>,
    /// CPU time from the text to a game that can be played, reading included; nanoseconds.
    pub load_ns: Option<u64>,
    /// CPU time of the first playout; nanoseconds.
    pub first_ns: Option<u64>,
    /// Bytes by which the peak of resident memory of the engine's process grew while it compiled.
    pub memory: Option<u64>,
    /// Bytes of a position, where the engine tells.
    pub position: Option<u64>,
    /// Bytes of machine code, where the engine makes some.
    pub code: Option<u64>,
    /// Positions that were explored while compiling and stand in a table; 0 if there is none.
    pub tabled: u64,
    /// The reason why there are no times; empty where there are.
    pub failure: String,
}

impl Row {
    /// From the text to the end of the first playout, in nanoseconds.
    fn ready(&self) -> Option<u64> {
        Some(self.load_ns? + self.first_ns?)
    }

    /// True if the size is the length of a side of a board.
    fn is_of_board(&self) -> bool {
        self.unit.ends_with("along a side")
    }

    fn is_of_catalogue(&self) -> bool {
        self.family.is_empty()
    }
}

/// A measure: its head, its value in a row, and its form for people.
type Measure = (&'static str, fn(&Row) -> Option<u64>, fn(u64) -> String);

const CHARACTERS: Measure = ("characters", |row| row.characters, count);
const LOAD: Measure = ("load", |row| row.load_ns, duration);

const MEASURES: [Measure; 6] = [
    ("read", |row| row.read_ns, duration),
    LOAD,
    ("first playout", |row| row.first_ns, duration),
    ("text to playout", Row::ready, duration),
    ("memory", |row| row.memory, bytes),
    ("position", |row| row.position, bytes),
];

/// The measures whose growth is fitted.
const GROWING: [Measure; 5] = [CHARACTERS, LOAD, MEASURES[2], MEASURES[4], MEASURES[5]];

/// The tables of exponents: the measure, their label, and their caption.
const GROWTHS: [(&str, &str, &str); 4] = [
    ("characters", "growth-characters", "Growth of the text: exponents of its characters"),
    ("load", "growth-load", "Growth of loading: exponents of its CPU time"),
    ("memory", "growth-memory", "Growth of memory: exponents of what compiling takes"),
    ("position", "growth-position", "Growth of a position: exponents of its bytes"),
];

const DEFINITIONS: [&str; 4] = [
    "Read is the CPU time of the language's front end alone, which reads the text and checks it; \
     load that from the text to a game that can be played, reading included, in a fresh process of \
     the engine; the first playout comes right after it. Times are the least of three processes, or \
     of fewer where one takes longer than two seconds.",
    "Memory is the growth of the peak of resident memory of the engine's process from before \
     loading to after it: an upper bound for what compiling takes, in steps of pages. A position is \
     what the engine itself says of it.",
    "Growth is the exponent of the power law through the sizes of a family, by least squares on \
     logarithms, where the size is the length of a side of the board, the cards of a hand or the \
     arrows; doubling is how many times as much it is at twice the size, and its mean is over families \
     of boards alone. Where an engine explores all positions of a small game while it compiles, \
     which is no matter of the text, the size is left out of the growth of all but the text. Intervals of 95 % of an \
     exponent tell how well a power law fits; those of means over families come from resampling \
     families, those of means over games from resampling games.",
    "Times compare engines as well as languages: a language is as quick to load as the engines \
     that there are for it. GDL has three, of which the propositional networks pay when they compile \
     for what they gain when they play, and the prover does not; a row says which.",
];

/// What the rows show.
pub(super) fn section(rows: &[Row]) -> Section {
    let mut section = Section {
        title: "From text to play, and how it grows",
        definitions: DEFINITIONS.to_vec(),
        ..Section::default()
    };
    let engines = engines(rows);
    let growths: Vec<Growth<'_>> =
        engines.iter().flat_map(|engine| Growth::of_engine(rows, engine)).collect();
    loading(rows, &engines, &mut section.findings);
    growing(&growths, &engines, &mut section.findings);
    claims(rows, &growths, &engines, &mut section.findings);
    failures(rows, &mut section.findings);
    section.grids.push(medians(rows, &engines));
    for (measure, label, caption) in GROWTHS {
        section.grids.push(exponents(&growths, &engines, measure, label, caption));
    }
    section.grids.push(per_game(rows, &engines));
    section.grids.retain(|grid| !grid.lines.is_empty());
    section
}

/// An engine and the language that it reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Engine<'r> {
    name: &'r str,
    language: &'r str,
}

impl Engine<'_> {
    /// `prover (GDL)`.
    fn shown(&self) -> String {
        format!("{} ({})", self.name, shown(self.language))
    }
}

/// The engines, those of ludemes first, then in the order of languages.
fn engines(rows: &[Row]) -> Vec<Engine<'_>> {
    let place = |language: &str| LANGUAGES.iter().position(|(name, _)| *name == language);
    let mut engines: Vec<Engine<'_>> = Vec::new();
    for row in rows {
        let engine = Engine { name: &row.engine, language: &row.language };
        if !engines.contains(&engine) {
            engines.push(engine);
        }
    }
    engines.sort_by_key(|engine| place(engine.language).unwrap_or(LANGUAGES.len()));
    engines
}

/// How a measure grows in a family on an engine.
struct Growth<'r> {
    family: &'r str,
    is_of_board: bool,
    engine: Engine<'r>,
    measure: &'static str,
    law: PowerLaw,
}

impl<'r> Growth<'r> {
    fn of_engine(rows: &'r [Row], engine: &Engine<'r>) -> Vec<Growth<'r>> {
        let of = || rows.iter().filter(|row| row.engine == engine.name && !row.is_of_catalogue());
        let mut growths = Vec::new();
        for family in distinct(of().map(|row| &*row.family)) {
            for (measure, value, _) in GROWING {
                let points: Vec<(f64, f64)> = of()
                    .filter(|row| row.family == family)
                    .filter(|row| measure == CHARACTERS.0 || row.tabled == 0)
                    .filter_map(|row| Some((f64::from(row.size), value(row)? as f64)))
                    .filter(|(_, value)| *value > 0.0)
                    .collect();
                if points.len() > 2
                    && let Some(law) = PowerLaw::through(&points)
                {
                    let is_of_board = of().any(|row| row.family == family && row.is_of_board());
                    growths.push(Growth { family, is_of_board, engine: *engine, measure, law });
                }
            }
        }
        growths
    }

    /// How many times as much it is at twice the size.
    fn doubling(&self) -> f64 {
        self.law.exponent.value.exp2()
    }
}

/// The ratio of a measure to that of another engine, over games of the catalogue that both have.
fn over<'r>(
    rows: &'r [Row],
    measure: fn(&Row) -> Option<u64>,
    engine: &str,
    base: &str,
) -> Option<Ratio<'r>> {
    let of = |row: &'r Row| {
        let is_wanted = row.is_of_catalogue() && [engine, base].contains(&&*row.engine);
        Some((&*row.game, &*row.engine, measure(row).filter(|_| is_wanted)? as f64))
    };
    let values = Values::new(rows.iter().filter_map(of));
    let name = |wanted: &str| rows.iter().find(|row| row.engine == wanted).map(|row| &*row.engine);
    values.ratio(name(engine)?, name(base)?)
}

/// The engine of ludemes, if it takes part.
fn of_ludemes<'r>(engines: &[Engine<'r>]) -> Option<Engine<'r>> {
    engines.iter().copied().find(|engine| engine.language == "lud")
}

/// How long it takes to load games of the catalogue, beside ludemes.
fn loading(rows: &[Row], engines: &[Engine<'_>], out: &mut Vec<String>) {
    let Some(base) = of_ludemes(engines) else { return };
    for engine in engines.iter().filter(|engine| engine.language != "lud") {
        let ratio = |measure| over(rows, measure, engine.name, base.name);
        let Some((load, ready)) = ratio(LOAD.1).zip(ratio(Row::ready)) else { continue };
        let most = if load.most.1 > 1.0 {
            format!(" (most: {} of {})", factor(load.most.1), load.most.0)
        } else {
            String::new()
        };
        out.push(format!(
            "From text to a game, {} takes {} times the CPU time of {} over {} of the catalogue{most}; \
             to the end of the first playout {} times.",
            engine.shown(),
            with_interval(&load.mean),
            base.shown(),
            counted(load.games, "game"),
            with_interval(&ready.mean)
        ));
    }
}

/// The mean over families of what doubling the size does, by engine.
fn doubling(growths: &[Growth<'_>], engine: &str, measure: &str) -> Option<(Estimate, usize)> {
    let rows: Vec<Vec<Option<f64>>> = growths
        .iter()
        .filter(|growth| growth.engine.name == engine && growth.measure == measure)
        .filter(|growth| growth.is_of_board)
        .map(|growth| vec![Some(growth.doubling()), Some(1.0)])
        .collect();
    let mean = Bootstrap::ratios_to_last(2, &rows, 0)?.first()?.estimate();
    Some((mean, rows.len()))
}

/// What doubling the size does, in each language.
fn growing(growths: &[Growth<'_>], engines: &[Engine<'_>], out: &mut Vec<String>) {
    for (measure, what) in [
        ("characters", "the text"),
        ("load", "the CPU time of loading"),
        ("first playout", "that of the first playout"),
        ("memory", "the memory of compiling"),
        ("position", "a position"),
    ] {
        let mut seen = Vec::new();
        let mut each = Vec::new();
        for engine in engines {
            // A text is the same for all engines that read it.
            let is_again = measure == "characters" && seen.contains(&engine.language);
            seen.push(engine.language);
            let Some((mean, families)) = doubling(growths, engine.name, measure) else { continue };
            if !is_again {
                let name = match measure {
                    "characters" => shown(engine.language).to_owned(),
                    _ => engine.shown(),
                };
                let of = if families == 1 { "family" } else { "families" };
                each.push(format!("{name} {} ({families} {of})", with_interval(&mean)));
            }
        }
        if !each.is_empty() {
            out.push(format!(
                "Twice the side of the board makes {what} so many times as much: {}.",
                each.join("; ")
            ));
        }
    }
}

/// What is commonly claimed for ludemes, tested on these rows.
fn claims(rows: &[Row], growths: &[Growth<'_>], engines: &[Engine<'_>], out: &mut Vec<String>) {
    let Some(base) = of_ludemes(engines) else { return };
    for (language, name) in &LANGUAGES[1..] {
        let Some(engine) = engines.iter().find(|engine| engine.language == *language) else {
            continue;
        };
        out.extend(claim_of_growth(growths, (base, *engine), name));
    }
    let others: Vec<&Engine<'_>> = engines
        .iter()
        .filter(|engine| LANGUAGES[1..].iter().any(|(name, _)| *name == engine.language))
        .collect();
    let mut verdicts = BTreeMap::<&str, Vec<String>>::new();
    for engine in others {
        if let Some(load) = over(rows, LOAD.1, engine.name, base.name) {
            verdicts.entry(verdict(&load.mean)).or_default().push(engine.shown());
        }
    }
    for (verdict, engines) in verdicts {
        let against = super::ratios::listed(&engines);
        out.push(format!(
            "The claim that ludemes load faster, as the engines here load them, {verdict} against \
             {against}."
        ));
    }
}

/// The verdict on a claim that the ratio of others to ludemes is above one.
fn verdict(ratio: &Estimate) -> &'static str {
    if ratio.interval.is_none() {
        "cannot be tested on one game"
    } else if ratio.low() > 1.0 {
        "holds"
    } else if ratio.high() < 1.0 {
        "is refuted"
    } else {
        "cannot be told"
    }
}

/// The claim that texts of ludemes grow less with the size than those of another language.
fn claim_of_growth(
    growths: &[Growth<'_>],
    (base, engine): (Engine<'_>, Engine<'_>),
    name: &str,
) -> Option<String> {
    let of = |engine: Engine<'_>, family: &str| {
        growths
            .iter()
            .find(|growth| {
                let is_wanted = growth.engine.name == engine.name && growth.family == family;
                is_wanted && growth.measure == CHARACTERS.0
            })
            .map(Growth::doubling)
    };
    let boards = growths.iter().filter(|growth| growth.is_of_board);
    let families = distinct(boards.map(|growth| growth.family));
    let both: Vec<(f64, f64)> = families
        .iter()
        .filter_map(|family| Some((of(base, family)?, of(engine, family)?)))
        .collect();
    let rows: Vec<Vec<Option<f64>>> =
        both.iter().map(|(base, other)| vec![Some(*other), Some(*base)]).collect();
    let mean = Bootstrap::ratios_to_last(2, &rows, 0)?.first()?.estimate();
    let less = both.iter().filter(|(base, other)| base < other).count();
    let share = wilson(less as f64 / both.len() as f64, both.len() as f64);
    Some(format!(
        "The claim that texts of ludemes grow less with the size than those of {name} {}: at twice \
         the size, those of {name} have grown {} times as much, and more in {less} of {} families \
         ({}–{} %).",
        verdict(&mean),
        with_interval(&mean),
        both.len(),
        plain(100.0 * share.low, 2),
        plain(100.0 * share.high, 2)
    ))
}

fn failures(rows: &[Row], out: &mut Vec<String>) {
    let failed: Vec<String> = rows
        .iter()
        .filter(|row| !row.failure.is_empty())
        .map(|row| format!("{} on {} ({})", row.game, row.engine, row.failure))
        .collect();
    if !failed.is_empty() {
        out.push(format!("Not loaded within the limits: {}.", failed.join("; ")));
    }
}

fn medians(rows: &[Row], engines: &[Engine<'_>]) -> Grid {
    let caption = "From text to the first playout: the median over the games of the catalogue that \
        each engine plays";
    let heads = ["games"].into_iter().chain(MEASURES.map(|(head, ..)| head));
    let mut grid = Grid::new("ready", caption, "engine", heads);
    for engine in engines {
        let of = || rows.iter().filter(|row| row.engine == engine.name && row.is_of_catalogue());
        let number = of().filter(|row| row.load_ns.is_some()).count();
        let middle = |(_, value, form): Measure| {
            let values = of().filter_map(value).map(|value| value as f64).collect();
            median(values).map_or_else(|| "–".to_owned(), |value| form(value as u64))
        };
        if number > 0 {
            let fields = std::iter::once(count(number as u64)).chain(MEASURES.map(middle));
            grid.push(&engine.shown(), fields);
        }
    }
    grid
}

fn exponents(
    growths: &[Growth<'_>],
    engines: &[Engine<'_>],
    measure: &str,
    label: &'static str,
    caption: &str,
) -> Grid {
    let of_measure = || growths.iter().filter(|growth| growth.measure == measure);
    let mut shown_engines: Vec<Engine<'_>> = Vec::new();
    for engine in engines.iter().filter(|engine| of_measure().any(|g| g.engine == **engine)) {
        // A text is the same for all engines that read it.
        let is_same = |other: &Engine<'_>| other.language == engine.language;
        if measure != CHARACTERS.0 || !shown_engines.iter().any(is_same) {
            shown_engines.push(*engine);
        }
    }
    let heads: Vec<String> = shown_engines
        .iter()
        .map(|engine| match measure {
            "characters" => shown(engine.language).to_owned(),
            _ => engine.shown(),
        })
        .collect();
    let mut grid = Grid::new(label, caption, "family", heads.iter().map(String::as_str));
    for family in distinct(of_measure().map(|growth| growth.family)) {
        let field = |engine: &Engine<'_>| {
            let growth =
                of_measure().find(|growth| growth.family == family && growth.engine == *engine);
            growth.map_or_else(|| "–".to_owned(), |growth| exponent(&growth.law.exponent))
        };
        grid.push(family, shown_engines.iter().map(field));
    }
    grid
}

/// `2.01 (1.95 to 2.07)`: ends may be negative.
fn exponent(exponent: &Estimate) -> String {
    // No zero is negative.
    let digits = |value: f64| format!("{:.2}", (100.0 * value).round() / 100.0 + 0.0);
    let value = digits(exponent.value);
    exponent.interval.map_or(value.clone(), |interval| {
        format!("{value} ({} to {})", digits(interval.low), digits(interval.high))
    })
}

fn per_game(rows: &[Row], engines: &[Engine<'_>]) -> Grid {
    let caption = "CPU time from text to a game that can be played, of each game of the catalogue";
    let heads: Vec<String> = engines.iter().map(Engine::shown).collect();
    let mut grid = Grid::new("load", caption, "game", heads.iter().map(String::as_str));
    let of = || rows.iter().filter(|row| row.is_of_catalogue());
    for game in distinct(of().map(|row| &*row.game)) {
        let field = |engine: &Engine<'_>| {
            let row = of().find(|row| row.game == game && row.engine == engine.name);
            row.map_or_else(
                || "–".to_owned(),
                |row| row.load_ns.map_or_else(|| "failed".to_owned(), duration),
            )
        };
        grid.push(game, engines.iter().map(field));
    }
    grid
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(family: &str, size: u32, engine: &str, language: &str, scale: u64) -> Row {
        let square = u64::from(size) * u64::from(size);
        Row {
            family: family.to_owned(),
            size,
            unit: "cells along a side".to_owned(),
            game: format!("{family}-{size}"),
            language: language.to_owned(),
            engine: engine.to_owned(),
            characters: Some(if language == "kif" { 10 * square } else { 100 }),
            tokens: None,
            read_ns: Some(1_000),
            load_ns: Some(scale * 1_000_000),
            first_ns: Some(1_000_000),
            memory: Some(4_096 * square.max(1)),
            position: Some(8),
            tabled: 0,
            code: None,
            failure: String::new(),
        }
    }

    fn both(family: &str, size: u32) -> [Row; 2] {
        [row(family, size, "ludeme", "lud", 1), row(family, size, "prover", "kif", 4)]
    }

    #[test]
    fn growth_and_claims_follow_from_the_rows() {
        let mut rows: Vec<Row> = ["hex", "other", "third"]
            .into_iter()
            .flat_map(|family| [3, 5, 9].into_iter().flat_map(move |size| both(family, size)))
            .collect();
        for game in ["a", "b", "c"] {
            rows.extend(both("", 0).map(|row| Row { game: game.to_owned(), ..row }));
        }
        let section = section(&rows);
        let text = section.findings.join("\n");
        assert!(
            text.contains(
                "prover (GDL) takes 4.00 (4.00–4.00) times the CPU time of ludeme \
            (ludemes) over 3 games"
            ),
            "{text}"
        );
        assert!(text.contains("to the end of the first playout 2.50 ("), "{text}");
        assert!(
            text.contains(
                "makes the text so many times as much: ludemes 1.00 (1.00–1.00) (3 \
            families); GDL 4.00 (4.00–4.00)"
            ),
            "{text}"
        );
        assert!(
            text.contains(
                "grow less with the size than those of GDL holds: at twice the size, \
            those of GDL have grown 4.00 (4.00–4.00) times as much, and more in 3 of 3"
            ),
            "{text}"
        );
        assert!(text.contains("load them, holds against prover (GDL)"), "{text}");
        let characters = &section.grids[1];
        assert_eq!(characters.lines[0].1, ["0.00 (0.00 to 0.00)", "2.00 (2.00 to 2.00)"]);
    }

    #[test]
    fn what_fails_is_said() {
        let failed =
            Row { load_ns: None, failure: "timeout".to_owned(), ..row("", 0, "p", "kif", 1) };
        let section = section(&[failed]);
        assert_eq!(section.findings, ["Not loaded within the limits: -0 on p (timeout)."]);
    }
}
