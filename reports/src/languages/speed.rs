//! The part `speed`: playouts a CPU second of every language, in four ways.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::names::{BY_HAND, engine, shown};
use super::ratios::{Ratio, with_interval};
use super::section::{Grid, Section};
use crate::chart::{LanguageCurve, Picture, ways_picture};
use crate::format::plain;
use crate::rows::Via;
use crate::stats::{Bootstrap, Estimate, Interval};
use crate::{Error, Run};

/// A rate of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// Id of the game.
    pub game: String,
    /// The language that the engine read, as in `measurements.csv`.
    pub language: String,
    /// Its engine.
    pub engine: String,
    /// The loop that ran.
    pub via: Via,
    /// True if results were carried over from one playout to the next.
    pub tabled: bool,
    /// The verdict, and its reason where it is not `ok`.
    pub verdict: String,
    /// The reason of the verdict.
    pub reason: String,
    /// Playouts (simulations of `uct`) a CPU second, with the 95 % interval.
    pub rate: Option<f64>,
    /// Lower end of the interval.
    pub low: Option<f64>,
    /// Upper end of the interval.
    pub high: Option<f64>,
}

/// The rates of runs: the columns of one thread, without controls. Of a column that several runs
/// have, the last one counts.
pub fn rows_of(runs: &[Run]) -> Vec<Row> {
    let mut rows: BTreeMap<(String, String, Via, bool), Row> = BTreeMap::new();
    for run in runs {
        let table = run.table();
        for (row, number, cell) in table.cells() {
            let column = &table.columns()[number];
            if column.control || column.threads != 1 || column.job.is_some() {
                continue;
            }
            let rate = cell.figures().map(|figures| figures.per_cpu_second);
            let game = table.games()[row].id.clone();
            let key = (game.clone(), column.engine.clone(), column.via, column.tabled);
            let made = Row {
                game,
                language: cell.language().to_owned(),
                engine: column.engine.clone(),
                via: column.via,
                tabled: column.tabled,
                verdict: cell.verdict().word().to_owned(),
                reason: cell.reason().to_owned(),
                rate: rate.map(|rate| rate.value),
                low: rate.map(|rate| rate.low()),
                high: rate.map(|rate| rate.high()),
            };
            rows.insert(key, made);
        }
    }
    rows.into_values().collect()
}

/// The ways of playing, with their names for people.
const WAYS: [(Via, &str); 4] = [
    (Via::Listed, "listed"),
    (Via::Fast, "playouts"),
    (Via::Uct, "search"),
    (Via::Batch, "batches"),
];

/// Rates that can be looked up. Tabled ones are left out: they are of something else than playing
/// every playout.
pub(super) struct Rates<'r> {
    of: BTreeMap<(&'r str, Via, &'r str), Estimate>,
    languages: BTreeMap<&'r str, &'r str>,
}

impl<'r> Rates<'r> {
    pub(super) fn new(rows: &'r [Row]) -> Rates<'r> {
        let (mut of, mut languages) = (BTreeMap::new(), BTreeMap::new());
        for row in rows.iter().filter(|row| !row.tabled) {
            // Other people's systems, which have their own rules, say that they read it, too.
            if row.language != BY_HAND || row.engine == BY_HAND {
                languages.insert(row.engine.as_str(), row.language.as_str());
            }
            if let Some(value) = row.rate.filter(|rate| *rate > 0.0) {
                let interval = row.low.zip(row.high).map(|(low, high)| Interval { low, high });
                let rate = Estimate { value, interval };
                of.insert((row.engine.as_str(), row.via, row.game.as_str()), rate);
            }
        }
        Rates { of, languages }
    }

    fn engines(&self, language: &str) -> Vec<&'r str> {
        let pairs = self.languages.iter().filter(|(_, of)| **of == language);
        pairs.map(|(engine, _)| *engine).collect()
    }

    /// The games that an engine has a rate of.
    fn games(&self, engine: &str, via: Via) -> BTreeSet<&'r str> {
        let own = self.of.keys().filter(|(of, way, _)| *of == engine && *way == via);
        own.map(|(.., game)| *game).collect()
    }

    fn rate(&self, engine: &'r str, via: Via, game: &'r str) -> Option<f64> {
        self.of.get(&(engine, via, game)).map(|rate| rate.value)
    }

    /// The ratio of two columns on a game, with the interval of two independent rates whose
    /// logarithms are nearly normal.
    pub(super) fn ratio(
        &self,
        above: (&'r str, Via),
        below: (&'r str, Via),
        game: &'r str,
    ) -> Option<Estimate> {
        let of = |column: (&'r str, Via)| self.of.get(&(column.0, column.1, game));
        let (above, below) = (of(above)?, of(below)?);
        let value = above.value / below.value;
        let half = |rate: &Estimate| (rate.high() / rate.low()).ln() / 2.0;
        let half = half(above).hypot(half(below)).exp();
        Some(Estimate { value, interval: Some(Interval { low: value / half, high: value * half }) })
    }

    /// The engine of a language that is the quickest on the most games.
    fn best(&self, language: &str, via: Via) -> Option<&'r str> {
        let engines = self.engines(language);
        let mut wins: BTreeMap<&str, usize> = BTreeMap::new();
        for game in engines.iter().flat_map(|engine| self.games(engine, via)) {
            let rated = engines.iter().filter_map(|&e| Some((e, self.rate(e, via, game)?)));
            if let Some((engine, _)) = rated.max_by(|a, b| a.1.total_cmp(&b.1)) {
                *wins.entry(engine).or_default() += 1;
            }
        }
        wins.into_iter().max_by_key(|(_, wins)| *wins).map(|(engine, _)| engine)
    }

    /// The ratios of one column to another on the games that both have.
    pub(super) fn ratios(
        &self,
        above: (&'r str, Via),
        below: (&'r str, Via),
    ) -> Vec<(&'r str, f64)> {
        let games = self.games(above.0, above.1);
        let ratio = |game: &'r str| {
            Some((game, self.rate(above.0, above.1, game)? / self.rate(below.0, below.1, game)?))
        };
        games.into_iter().filter_map(ratio).collect()
    }
}

/// A language in a way of playing: its best engine, and its rate over that of games by hand.
struct Standing<'r> {
    language: &'r str,
    engine: &'r str,
    over_hand: Estimate,
    games: usize,
}

/// The languages in a way, the quickest first, over the same games by hand in the same way (or, if
/// there are none, over their listed moves).
fn standings<'r>(rates: &Rates<'r>, via: Via, stream: u64) -> Vec<Standing<'r>> {
    let languages: BTreeSet<&str> = rates.languages.values().copied().collect();
    let mut engines: Vec<(&str, &str)> = languages
        .into_iter()
        .filter(|language| *language != BY_HAND)
        .filter_map(|language| Some((language, rates.best(language, via)?)))
        .collect();
    let Some(hand) = rates.best(BY_HAND, via) else { return Vec::new() };
    engines.push((BY_HAND, hand));
    let games: BTreeSet<&str> =
        engines.iter().flat_map(|(_, engine)| rates.games(engine, via)).collect();
    let row = |game: &&'r str| -> Vec<Option<f64>> {
        engines.iter().map(|(_, engine)| rates.rate(engine, via, game)).collect()
    };
    let rows: Vec<Vec<Option<f64>>> = games.iter().map(row).collect();
    let Some(ratios) = Bootstrap::ratios_to_last(engines.len(), &rows, stream) else {
        return Vec::new();
    };
    let standing = |((language, engine), ratio): (&(&'r str, &'r str), &Bootstrap)| Standing {
        language,
        engine,
        over_hand: ratio.estimate(),
        games: rates.ratios((engine, via), (hand, via)).len(),
    };
    let mut all: Vec<Standing<'r>> = engines.iter().zip(&ratios).map(standing).collect();
    all.pop();
    all.sort_by(|a, b| b.over_hand.value.total_cmp(&a.over_hand.value));
    all
}

/// What the rates show.
///
/// # Errors
/// A chart that cannot be drawn.
pub fn section(rows: &[Row]) -> Result<Section, Error> {
    let rates = Rates::new(rows);
    let ways: Vec<(&str, Vec<Standing<'_>>)> = WAYS
        .iter()
        .zip(0..)
        .map(|((via, name), stream)| (*name, standings(&rates, *via, stream)))
        .filter(|(_, standings)| !standings.is_empty())
        .collect();
    let mut section = Section {
        title: "Speed, four ways",
        definitions: vec![
            "Playouts a CPU second from runs of `ggpbench run`, in the way in which each of these \
             lists all moves of every position and draws one (`listed`), plays whole games by the \
             quickest code (`playouts`), searches by UCT (`search`, simulations), or plays many \
             positions side by side, with masks and planes for programs that learn \
             (`batches`, games that ended). A language stands for its engine that is the quickest \
             on the most games. The mean over games is that of least squares on logarithms, since \
             not every language says every game; intervals tell the luck of having chosen these \
             games. Tabled figures are left out.",
        ],
        ..Section::default()
    };
    section.grids.push(ways_grid(&ways));
    for (name, standings) in &ways {
        let order: Vec<String> = standings
            .iter()
            .map(|s| format!("{} {}", shown(s.language), with_interval(&s.over_hand)))
            .collect();
        section.findings.push(format!("{name}, over games by hand: {}.", order.join(", ")));
    }
    section.findings.extend(turns(&ways));
    let (grid, finding) = compilers(&rates);
    section.grids.push(grid);
    section.findings.extend(finding);
    let (grid, finding) = costs(&rates);
    section.grids.push(grid);
    section.findings.extend(finding);
    section.pictures.extend(picture(&ways)?);
    Ok(section)
}

fn ways_grid(ways: &[(&str, Vec<Standing<'_>>)]) -> Grid {
    let mut grid = Grid::new(
        "ways",
        "Rate over that of games by hand, by way of playing: the engine, its geometric mean, and \
         the games that both have.",
        "language",
        ways.iter().map(|(name, _)| *name),
    );
    let languages: BTreeSet<&str> =
        ways.iter().flat_map(|(_, all)| all.iter().map(|standing| standing.language)).collect();
    for language in languages {
        let field = |(_, all): &(&str, Vec<Standing<'_>>)| {
            let found = all.iter().find(|standing| standing.language == language);
            found.map_or_else(
                || "\u{2013}".to_owned(),
                |s| format!("{} {} of {}", s.engine, with_interval(&s.over_hand), s.games),
            )
        };
        grid.push(shown(language), ways.iter().map(field));
    }
    grid
}

/// A sentence about pairs of languages whose order the way of playing turns round.
fn turns(ways: &[(&str, Vec<Standing<'_>>)]) -> Option<String> {
    // Each pair in some way, with the quicker language first.
    let ordered: BTreeSet<(&str, &str)> = ways
        .iter()
        .flat_map(|(_, all)| {
            all.iter().enumerate().map(move |(place, quicker)| (all, place, quicker))
        })
        .flat_map(|(all, place, quicker)| {
            all[place + 1..].iter().map(|slower| (quicker.language, slower.language))
        })
        .collect();
    let pairs: BTreeSet<(&str, &str)> =
        ordered.iter().map(|&(a, b)| (a.min(b), a.max(b))).collect();
    let both_ways =
        |&&(a, b): &&(&str, &str)| ordered.contains(&(a, b)) && ordered.contains(&(b, a));
    let turned: Vec<&(&str, &str)> = pairs.iter().filter(both_ways).collect();
    let names: Vec<String> =
        turned.iter().map(|(a, b)| format!("{} and {}", shown(a), shown(b))).collect();
    (!pairs.is_empty()).then(|| {
        format!(
            "The way of playing turns the order of {} of {} pairs of languages round{}{}.",
            turned.len(),
            pairs.len(),
            if names.is_empty() { "" } else { ": " },
            names.join("; ")
        )
    })
}

/// What the best engine of each language gains over its plainest.
fn compilers<'r>(rates: &Rates<'r>) -> (Grid, Vec<String>) {
    let mut grid = Grid::new(
        "plain",
        "Playouts of each language's best engine over those of its plainest: the same engine \
         without machine code, or for GDL the prover.",
        "language",
        ["best", "plainest", "games", "geometric mean", "least", "greatest"],
    );
    let languages: BTreeSet<&str> = rates.languages.values().copied().collect();
    let mut findings = Vec::new();
    for language in languages {
        let Some(best) = rates.best(language, Via::Fast) else { continue };
        let plain_engine = rates.engines(language).into_iter().find_map(|engine| {
            let interpreted = !rates.games(engine, Via::Interpreted).is_empty();
            interpreted.then_some((engine, Via::Interpreted))
        });
        let prover = || {
            let others = rates.engines(language).into_iter().filter(|engine| *engine != best);
            let others = others.flat_map(|e| [(e, Via::Listed), (e, Via::Fast)]);
            others.min_by(|a, b| {
                let of = |c: &(&'r str, Via)| {
                    let ratio = Ratio::of(rates.ratios(*c, (best, Via::Fast)), 0);
                    ratio.map_or(f64::MAX, |ratio| ratio.mean.value)
                };
                of(a).total_cmp(&of(b))
            })
        };
        let Some(plainest) = plain_engine.or_else(prover) else { continue };
        let ratio = Ratio::of(rates.ratios((best, Via::Fast), plainest), 7);
        let Some(ratio) = ratio else { continue };
        let plainest = format!("{} ({})", plainest.0, plainest.1.word());
        findings.push(format!(
            "{}: {best} over {plainest} {} times in the geometric mean of {} games.",
            shown(language),
            with_interval(&ratio.mean),
            ratio.games
        ));
        grid.push(shown(language), [best.to_owned(), plainest].into_iter().chain(fields(&ratio)));
    }
    (grid, findings)
}

/// The games of a ratio, its mean, and its ends.
fn fields(ratio: &Ratio<'_>) -> [String; 4] {
    let end = |(game, ratio): (&str, f64)| format!("{} {game}", plain(ratio, 3));
    let mean = with_interval(&ratio.mean);
    [ratio.games.to_string(), mean, end(ratio.least), end(ratio.most)]
}

/// A bound on what the language costs: games by hand over the same games in a language whose
/// engine makes machine code, and over the quickest of such languages.
fn costs(rates: &Rates<'_>) -> (Grid, Vec<String>) {
    let mut grid = Grid::new(
        "costs",
        "Playouts of games by hand over the same games in a language that is compiled to machine \
         code by the same small compiler: a bound on what the language costs. The last line takes \
         of each game the quickest of these languages.",
        "language",
        ["games", "geometric mean", "least", "greatest"],
    );
    let Some(hand) = rates.best(BY_HAND, Via::Fast) else { return (grid, Vec::new()) };
    let compiled: Vec<&str> = rates
        .languages
        .keys()
        .copied()
        .filter(|engine| *engine != hand && !rates.games(engine, Via::Interpreted).is_empty())
        .collect();
    let mut quickest: BTreeMap<&str, f64> = BTreeMap::new();
    let mut lines: Vec<(String, Vec<(&str, f64)>)> = Vec::new();
    for engine in compiled {
        let ratios = rates.ratios((hand, Via::Fast), (engine, Via::Fast));
        for (game, ratio) in &ratios {
            let least = quickest.entry(game).or_insert(*ratio);
            *least = least.min(*ratio);
        }
        lines.push((shown(rates.languages[engine]).to_owned(), ratios));
    }
    let last = "the quickest of them".to_owned();
    lines.push((last.clone(), quickest.into_iter().collect()));
    let mut findings = Vec::new();
    for (name, ratios) in lines {
        let Some(ratio) = Ratio::of(ratios, 8) else { continue };
        if name == last {
            findings.push(format!(
                "A game by hand plays {} times as fast as the quickest compiled description of the \
                 same game ({} games): what any of these languages costs is less.",
                with_interval(&ratio.mean),
                ratio.games
            ));
        }
        grid.push(&name, fields(&ratio));
    }
    (grid, findings)
}

/// A curve a language over the ways of playing.
fn picture(ways: &[(&str, Vec<Standing<'_>>)]) -> Result<Option<Picture>, Error> {
    let standings = |language| {
        let of = move |(_, all): &'_ (&str, Vec<Standing<'_>>)| {
            all.iter().find(|standing| standing.language == language).map(|s| s.over_hand)
        };
        (1..).zip(ways).filter_map(move |(number, way)| Some((f64::from(number), of(way)?)))
    };
    let languages: BTreeSet<&str> =
        ways.iter().flat_map(|(_, all)| all.iter().map(|standing| standing.language)).collect();
    let curve = |language| LanguageCurve {
        engine: engine(language),
        name: shown(language).to_owned(),
        points: standings(language).collect(),
    };
    let curves: Vec<LanguageCurve> = languages.into_iter().map(curve).collect();
    ways_picture(ways.iter().map(|(name, _)| (*name).to_owned()).collect(), &curves)
}
