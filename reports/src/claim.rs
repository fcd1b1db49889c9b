//! The claim of the paper whose figures [`published`] holds, tested on a run: games written in
//! ludemes are played faster than the same games written in GDL.
//!
//! A ratio of two languages is always a ratio of two engines, too. So beside the ratios between
//! languages stand those between engines of one language, and those of our engines to the printed
//! figures of their language.

use std::cmp::Ordering;

use crate::published::{self, Published, System};
use crate::rows::Via;
use crate::stats::{Estimate, Statistic};
use crate::table::{Bound, Cell, Figures, Summary, Table, Way};

/// The evidence of a run on the claim, on the published rows that it covers.
#[derive(Debug, Clone, PartialEq)]
pub struct Claim {
    /// Each published row of the run with the game's row in the table, in the table's order.
    pub rows: Vec<(usize, &'static Published)>,
    /// Ludii over GDL as printed, on all rows of the paper that have both.
    pub paper: Contest,
    /// The same on the rows of this run; its ratios are those of [`Claim::rows`].
    pub printed: Contest,
    /// Each engine of ludemes over each engine of another language.
    pub languages: Vec<Contest>,
    /// Engines of one language over each other, the quicker one first.
    pub engines: Vec<Contest>,
    /// Each engine over what the paper printed for the system of its language.
    pub over_printed: Vec<Contest>,
}

/// The ratios of two sides, row by row and in the mean.
#[derive(Debug, Clone, PartialEq)]
pub struct Contest {
    /// The upper side of the ratio.
    pub above: String,
    /// The lower side of the ratio.
    pub below: String,
    /// The systems of the paper that stand for the languages of the upper and the lower side.
    pub systems: [System; 2],
    /// One for each row; `None` where a side has no figure.
    pub ratios: Vec<Option<Measured>>,
    /// The geometric mean of the ratios, as [`Summary::of`] has it.
    pub mean: Option<Summary>,
    /// True if the rows of some cell do not tell if its playouts were tabled, as in old files.
    pub unknown_method: bool,
    /// The geometric mean of ratio over printed ratio, on the rows that have both, with their
    /// number; `None` where the ratios only bound.
    pub shift: Option<(Estimate, usize)>,
}

/// A ratio of two figures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measured {
    /// The ratio; printed figures come without an interval.
    pub ratio: Estimate,
    /// True if a side was measured on a busy machine.
    pub contended: bool,
    /// The side that the ratio bounds, if one side alone carries results over from one playout to
    /// the next.
    pub bound: Bound,
}

/// On how many rows a contest went which way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Score {
    /// Rows on which the upper side is faster: the whole interval is above 1.
    pub faster: usize,
    /// Rows on which it is slower.
    pub slower: usize,
    /// Rows whose interval holds 1.
    pub undecided: usize,
    /// Rows on which a tabled lower side is slower: the upper side is faster, and how much is a
    /// lower bound.
    pub at_least: usize,
    /// Rows on which a tabled upper side is slower: how much is an upper bound.
    pub at_most: usize,
    /// Rows on which a tabled side is not slower, which says nothing of who plays faster.
    pub open: usize,
}

impl Score {
    /// Rows on which the ratio is exact.
    pub fn rows(&self) -> usize {
        self.faster + self.slower + self.undecided
    }
}

impl Contest {
    /// The score over all rows.
    pub fn score(&self) -> Score {
        let mut score = Score::default();
        for Measured { ratio, bound, .. } in self.ratios.iter().flatten() {
            let slot = match (bound, bound.order(ratio)) {
                (_, None) => &mut score.open,
                (Bound::AtLeast, _) => &mut score.at_least,
                (Bound::AtMost, _) => &mut score.at_most,
                (Bound::Exact, Some(Ordering::Greater)) => &mut score.faster,
                (Bound::Exact, Some(Ordering::Less)) => &mut score.slower,
                (Bound::Exact, Some(Ordering::Equal)) => &mut score.undecided,
            };
            *slot += 1;
        }
        score
    }

    /// The indices of the rows with the least and the greatest ratio of those in the mean.
    pub fn extremes(&self) -> Option<(usize, usize)> {
        let mean = self.mean?;
        let compared = || {
            let ratios = self.ratios.iter().enumerate();
            ratios.filter_map(|(index, measured)| {
                let measured = measured.filter(|measured| mean.counts(measured.bound))?;
                Some((index, measured.ratio.value))
            })
        };
        let least = compared().min_by(|a, b| a.1.total_cmp(&b.1))?;
        let greatest = compared().max_by(|a, b| a.1.total_cmp(&b.1))?;
        Some((least.0, greatest.0))
    }

    /// The verdict whether the upper side is faster in the mean, slower, or neither by more than
    /// noise. A mean that is a bound and says nothing decides nothing. `None` without a mean.
    pub fn verdict(&self) -> Option<Ordering> {
        Some(self.mean?.order().unwrap_or(Ordering::Equal))
    }

    /// A contest between printed figures.
    fn printed<'r>(rows: impl Iterator<Item = &'r Published>) -> Self {
        let plain = |value: f64| Estimate { value, interval: None };
        let ratios: Vec<Option<f64>> = rows.map(Published::ratio).collect();
        let both: Vec<f64> = ratios.iter().flatten().copied().collect();
        let measured =
            |ratio| Measured { ratio: plain(ratio), contended: false, bound: Bound::Exact };
        let mean = |ratios: &[f64]| Summary {
            mean: plain(geometric_mean(ratios)),
            games: ratios.len(),
            bound: Bound::Exact,
        };
        Self {
            above: System::Ludii.name().to_owned(),
            below: System::Gdl.name().to_owned(),
            systems: [System::Ludii, System::Gdl],
            ratios: ratios.into_iter().map(|ratio| ratio.map(measured)).collect(),
            mean: (!both.is_empty()).then(|| mean(&both)),
            unknown_method: false,
            shift: None,
        }
    }
}

/// The evidence of a table on the claim; `None` if none of its games stands for a published row.
pub fn claim(table: &Table) -> Option<Claim> {
    let games = table.games().iter().enumerate();
    let rows: Vec<(usize, &'static Published)> = games
        .flat_map(|(row, game)| {
            game.paper.iter().filter_map(move |paper| Some((row, published::find(paper)?)))
        })
        .collect();
    if rows.is_empty() {
        return None;
    }
    let players = players(table);
    let contest = |above: &Player, below: &Player| between(table, &rows, above, below);

    let languages = players.iter().filter(|player| player.system == System::Ludii);
    let languages = languages.flat_map(|ludemes| {
        let others = players.iter().filter(|other| {
            other.system != System::Ludii && other.way.column.via == ludemes.way.column.via
        });
        others.filter_map(|other| contest(ludemes, other))
    });
    let engines = players.iter().enumerate().flat_map(|(number, one)| {
        let others = players[number + 1..].iter().filter(|other| {
            other.system == one.system && other.way.column.via == one.way.column.via
        });
        others.filter_map(|other| {
            let contest_of = contest(one, other)?;
            let quicker = contest_of.mean.is_none_or(|of| of.mean.value >= 1.0);
            if quicker { Some(contest_of) } else { contest(other, one) }
        })
    });
    Some(Claim {
        paper: Contest::printed(published::all().iter()),
        printed: Contest::printed(rows.iter().map(|(_, published)| *published)),
        languages: languages.collect(),
        engines: engines.collect(),
        over_printed: players.iter().filter_map(|player| over(table, &rows, player)).collect(),
        rows,
    })
}

/// An engine that takes part.
struct Player {
    way: Way,
    system: System,
}

/// The engines that read a language of the paper, on one core and without a set size of jobs, as
/// the paper measured. Playouts side by side and searches have no counterpart there.
fn players(table: &Table) -> Vec<Player> {
    let ways = table.ways().into_iter().filter(|way| {
        let column = &way.column;
        let is_alone = column.threads == 1 && column.job.is_none() && !column.control;
        is_alone && !matches!(column.via, Via::Batch | Via::Uct)
    });
    let players = ways.filter_map(|way| {
        let mut cells = (0..table.games().len()).filter_map(|row| way.cell(table, row));
        let system = cells.find_map(|(cell, _)| System::of_language(cell.language()))?;
        Some(Player { way, system })
    });
    players.collect()
}

/// A figure with what must be known of it before it is compared.
struct Side<'t> {
    figures: &'t Figures,
    tabled: bool,
    contended: bool,
    unknown_method: bool,
}

impl Player {
    fn side<'t>(&self, table: &'t Table, row: usize) -> Option<Side<'t>> {
        let number = self.way.number(table, row)?;
        let cell = table.cell(row, number)?;
        Some(Side {
            figures: cell.figures()?,
            tabled: table.columns()[number].tabled,
            contended: Cell::is_contended(cell),
            unknown_method: cell.methods().is_empty(),
        })
    }
}

/// The contest of two engines of a run; `None` where they share no row.
fn between(
    table: &Table,
    rows: &[(usize, &Published)],
    above: &Player,
    below: &Player,
) -> Option<Contest> {
    let mut unknown_method = false;
    let ratios: Vec<Option<(Statistic, Measured)>> = rows
        .iter()
        .map(|&(row, _)| {
            let (one, other) = (above.side(table, row)?, below.side(table, row)?);
            let statistic = one.figures.speedup_over(other.figures, row as u64)?;
            unknown_method |= one.unknown_method || other.unknown_method;
            let measured = Measured {
                ratio: statistic.estimate(),
                contended: one.contended || other.contended,
                bound: Bound::of(one.tabled, other.tabled),
            };
            Some((statistic, measured))
        })
        .collect();
    if ratios.iter().all(Option::is_none) {
        return None;
    }
    let bounds = ratios.iter().flatten().map(|(statistic, measured)| (measured.bound, statistic));
    let mean = Summary::of(&bounds.collect::<Vec<_>>());
    let exact = ratios.iter().zip(rows).filter_map(|(ratio, (_, published))| {
        let (statistic, measured) = ratio.as_ref()?;
        (measured.bound == Bound::Exact).then_some((statistic, published.ratio()))
    });
    let (exact, printed): (Vec<&Statistic>, Vec<Option<f64>>) = exact.unzip();
    Some(Contest {
        above: above.way.column.label(),
        below: below.way.column.label(),
        systems: [above.system, below.system],
        shift: mean.filter(|of| of.bound == Bound::Exact).and_then(|_| shift(&exact, &printed)),
        mean,
        ratios: ratios.into_iter().map(|ratio| ratio.map(|(_, measured)| measured)).collect(),
        unknown_method,
    })
}

/// See [`Contest::shift`]; of each ratio with the printed one beside it.
fn shift(ratios: &[&Statistic], printed: &[Option<f64>]) -> Option<(Estimate, usize)> {
    let both =
        ratios.iter().zip(printed).filter_map(|(ratio, printed)| Some((*ratio, (*printed)?)));
    let (ratios, printed): (Vec<&Statistic>, Vec<f64>) = both.unzip();
    let mean = Statistic::geometric_mean(&ratios)?.over_constant(geometric_mean(&printed));
    Some((mean.estimate(), ratios.len()))
}

fn geometric_mean(numbers: &[f64]) -> f64 {
    (numbers.iter().map(|number| number.ln()).sum::<f64>() / numbers.len() as f64).exp()
}

/// An engine over what the paper printed for its language; `None` where the paper has no such
/// figure on any row.
fn over(table: &Table, rows: &[(usize, &Published)], player: &Player) -> Option<Contest> {
    let ratios: Vec<Option<(Statistic, Measured)>> = rows
        .iter()
        .map(|&(row, published)| {
            let printed = published.figure(player.system)?;
            let side = player.side(table, row)?;
            let statistic = side.figures.rate(row as u64)?.over_constant(printed);
            let measured = Measured {
                ratio: statistic.estimate(),
                contended: side.contended,
                // The paper's systems play every playout.
                bound: Bound::of(side.tabled, false),
            };
            Some((statistic, measured))
        })
        .collect();
    if ratios.iter().all(Option::is_none) {
        return None;
    }
    let bounds = ratios.iter().flatten().map(|(statistic, measured)| (measured.bound, statistic));
    let mean = Summary::of(&bounds.collect::<Vec<_>>());
    Some(Contest {
        above: player.way.column.label(),
        below: format!("{}, printed", player.system.name()),
        systems: [player.system; 2],
        mean,
        ratios: ratios.into_iter().map(|ratio| ratio.map(|(_, measured)| measured)).collect(),
        unknown_method: false,
        shift: None,
    })
}
