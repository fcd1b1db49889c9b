//! Code for pieces in line.

use std::collections::HashSet;
use std::ops::Range;

use kernel::ir::{Expr, Local, SetTable, Stmt, Table, Type};

use super::arrays::{Slot, add, both, either, int, is_below, slot};
use super::bools::PerSite;
use super::context::Sites;
use super::emitter::Emitter;
use super::{added, bools, ints, piece_sets, regions, steps};
use crate::ir::{Iter, Line, LinePieces, Place, Region};

/// The most words of the sets of all lines through a site for which comparing sets takes less time
/// than going from site to site.
const MOST_WORDS: usize = 24;

/// The most of these words for which comparing all sets takes less time than a loop, or than the
/// views of added pieces (see [`super::added`]).
const FEW_WORDS: usize = 6;

/// The places of lines of a length, by a site that they go through.
enum Places {
    /// The sites of a fixed number of places for each site. If a site has fewer, the rest are sets
    /// that no player can fill.
    Few(SetTable, usize),
    Many {
        /// The number of the first place of each site, and the number of all places.
        of_site: Table,
        /// The sites of each place.
        sites: SetTable,
        /// The sites next to both ends of each place, if no piece that counts may stand there.
        beside: Option<SetTable>,
    },
}

/// The pieces that count for a line.
enum Counted {
    /// Pieces on the sites of a set.
    On(Expr),
    /// Pieces of these components.
    Components(Vec<Expr>),
}

/// The places on a path of `path` sites where lines of a length begin that go through one of them.
fn starts(through: usize, path: usize, length: usize) -> Range<usize> {
    let end = (path + 1).saturating_sub(length).min(through + 1);
    (through + 1).saturating_sub(length)..end
}

/// Code that is 1 if there are pieces in line; `None` if the rule has a condition and several sites
/// that the line may go through.
pub(super) fn is_line(code: &mut Emitter<'_>, line: &Line) -> Option<Expr> {
    let pivot = match &line.through {
        None => slot(Slot::LastTo),
        Some(Place::Site(site)) => ints::emit(code, site),
        Some(Place::Region(_)) if line.condition.is_some() => return None,
        Some(Place::Region(region)) => return Some(is_line_through_any(code, line, region)),
    };
    let pivot = code.keep_int(pivot);
    let length = ints::kept(code, &line.length);
    let found = code.keep(Type::Int, int(0));
    let saved = code.save([Iter::To]);
    let condition = bools::per_site(code, line.condition.as_ref(), Iter::To);
    code.when(is_below(pivot.clone(), code.game.world.topology.sites() as i32), |code| {
        code.assume_site(&pivot);
        let few = matches!(length, Expr::Int(length) if few_places(code, line, length).is_some());
        let kept = if few { None } else { added::line_kept(code, line, &pivot) };
        let Some((kept, holds)) = kept else {
            return look_for_line(code, line, &condition, &pivot, &length, found);
        };
        let kept = code.keep_int(kept);
        code.set(found, both(kept.clone(), holds));
        code.when(!kept, |code| look_for_line(code, line, &condition, &pivot, &length, found));
    });
    code.restore(&saved);
    Some(found.get())
}

/// Code that is 1 if there are pieces in line through any site of a region.
fn is_line_through_any(code: &mut Emitter<'_>, line: &Line, pivots: &Region) -> Expr {
    let pivots = regions::emit(code, pivots);
    let board = regions::fixed(code, (0..code.game.world.topology.sites()).collect());
    let length = ints::kept(code, &line.length);
    let found = code.keep(Type::Int, int(0));
    let saved = code.save([Iter::To]);
    let condition = bools::per_site(code, None, Iter::To);
    code.for_each(pivots & board, |code, pivot| {
        code.assume_site(&pivot.get());
        look_for_line(code, line, &condition, &pivot.get(), &length, found);
        steps::break_unless(code, !found.get());
    });
    code.restore(&saved);
    found.get()
}

/// Writes code that sets `found` to 1 if there is a line through a site of the board.
fn look_for_line(
    code: &mut Emitter<'_>,
    line: &Line,
    condition: &PerSite<'_>,
    pivot: &Expr,
    length: &Expr,
    found: Local,
) {
    let counted = match &line.what {
        None => Counted::Components(vec![code.what(pivot.clone())]),
        Some(LinePieces::Owner(who)) => {
            let who = ints::emit(code, who);
            Counted::On(piece_sets::owned(code, who))
        }
        Some(LinePieces::Components(list)) => {
            Counted::Components(list.iter().map(|component| ints::emit(code, component)).collect())
        }
    };
    let counted = match counted {
        Counted::On(sites) => Counted::On(sites),
        Counted::Components(list) => {
            Counted::Components(list.into_iter().map(|c| code.keep_int(c)).collect())
        }
    };
    let places = match length {
        Expr::Int(length) => places(code, line, *length),
        _ => None,
    };
    if let Some((places, among)) = places.zip(counted_set(code, &counted, condition)) {
        return line_on(code, places, pivot, among, found);
    }
    let fits = fits(code, &counted, condition, pivot.clone());
    code.when(fits, |code| {
        line_through(code, line, pivot, (&counted, condition), length, found);
    });
}

/// The sites of pieces that count; `None` if they have no form as a set.
fn counted_set(code: &mut Emitter<'_>, counted: &Counted, condition: &PerSite<'_>) -> Option<Expr> {
    let sites = match counted {
        Counted::On(sites) => sites.clone(),
        Counted::Components(_) if code.game.stacking() => return None,
        Counted::Components(list) => {
            list.iter().map(|c| piece_sets::with_component(code, c.clone())).reduce(|a, b| a | b)?
        }
    };
    match (condition.is_trivial(), &condition.sites) {
        (true, _) => Some(sites),
        (false, Some(fit)) => Some(sites & fit.clone()),
        (false, None) => None,
    }
}

/// The places of lines of a length; `None` if there are too many, or if a line may have gaps.
fn places(code: &mut Emitter<'_>, line: &Line, length: i32) -> Option<Places> {
    let length = usize::try_from(length).ok().filter(|&length| length > 0)?;
    if !line.contiguous {
        return None;
    }
    let few = few_places(code, line, length as i32);
    let (mut of_site, mut all, mut beside) = (vec![0], Vec::new(), Vec::new());
    for (site, axes) in code.game.axis(line.axes).0.iter().enumerate() {
        let before = all.len();
        for (one, other) in axes {
            let pivot = u16::try_from(site).ok()?;
            let other = other.as_deref().unwrap_or_default();
            let path: Vec<u16> = one.iter().rev().chain([&pivot]).chain(other).copied().collect();
            if path.iter().collect::<HashSet<_>>().len() < path.len() {
                return None;
            }
            for start in starts(one.len(), path.len(), length) {
                let set = |sites: &[u16]| sites.iter().map(|&s| usize::from(s)).collect();
                all.push(set(&path[start..start + length]));
                let before = start.checked_sub(1).and_then(|at| path.get(at));
                let ends = [before, path.get(start + length)];
                beside.push(set(&ends.into_iter().flatten().copied().collect::<Vec<_>>()));
            }
        }
        if (all.len() - before) * code.game.words() > MOST_WORDS {
            return None;
        }
        if let Some(few) = few {
            all.resize(before + few, (0..64 * code.game.words()).collect::<Sites>());
        }
        of_site.push(all.len() as i32);
    }
    if let Some(few) = few {
        return Some(Places::Few(code.set_table(all), few));
    }
    let beside: Option<Vec<Sites>> = line.exact.then_some(beside);
    Some(Places::Many {
        of_site: code.table(of_site),
        sites: code.set_table(all),
        beside: beside.map(|beside| code.set_table(beside)),
    })
}

/// The most places of lines of a length through one site; `None` if these are too many to compare
/// all, or if pieces beside the line matter.
fn few_places(code: &Emitter<'_>, line: &Line, length: i32) -> Option<usize> {
    let length = usize::try_from(length).ok().filter(|&length| length > 0)?;
    let of_site = code.game.axis(line.axes).0.iter().map(|axes| {
        let on_axis = axes.iter().map(|(one, other)| {
            let path = one.len() + 1 + other.as_deref().unwrap_or_default().len();
            starts(one.len(), path, length).len()
        });
        on_axis.sum::<usize>()
    });
    let most = of_site.max().unwrap_or(0);
    // The sets that no player can fill need a site beyond the board.
    let words = code.game.words();
    let fits = line.contiguous
        && !line.exact
        && most * words <= FEW_WORDS
        && code.game.world.topology.sites() < 64 * words;
    fits.then_some(most)
}

/// As [`look_for_line`], by comparing the set of counting pieces with each place.
fn line_on(code: &mut Emitter<'_>, places: Places, pivot: &Expr, among: Expr, found: Local) {
    let among = code.keep_set(among);
    let is_within = |line: Expr| Expr::IsSubset(Box::new(line), Box::new(among.clone()));
    let (of_site, sites, beside) = match places {
        Places::Few(sites, width) => {
            let first = code.keep_int(pivot.clone() * int(width as i32));
            let lines = (0..width as i32).map(|place| {
                code.keep(Type::Int, is_within(sites.at(add(first.clone(), int(place))))).get()
            });
            let any = lines.reduce(Expr::or_bits).unwrap_or(int(0));
            return code.set(found, any);
        }
        Places::Many { of_site, sites, beside } => (of_site, sites, beside),
    };
    let [first, end] = [0, 1].map(|more| of_site.at(add(pivot.clone(), int(more))));
    code.for_range(first, end, |code, at| {
        let alone = match beside {
            Some(beside) => (beside.at(at.get()) & among.clone()).is_empty(),
            None => int(1),
        };
        let is_line = vec![Stmt::Set(found, int(1)), Stmt::Break(1)];
        code.push_if(both(is_within(sites.at(at.get())), alone), is_line);
    });
}

/// Code that is 1 if the piece on a site counts.
fn fits(code: &mut Emitter<'_>, counted: &Counted, condition: &PerSite<'_>, site: Expr) -> Expr {
    let counts = match counted {
        Counted::On(sites) => sites.clone().contains(site.clone()),
        Counted::Components(list) => {
            let what = code.what(site.clone());
            let what = if list.len() > 1 { code.keep_int(what) } else { what };
            let tests = list.iter().map(|component| what.clone().equals(component.clone()));
            tests.reduce(either).unwrap_or(int(0))
        }
    };
    both(counts, code.lazily(|code| bools::holds(code, condition, site)))
}

/// As [`look_for_line`], by going along every axis from site to site.
fn line_through(
    code: &mut Emitter<'_>,
    line: &Line,
    pivot: &Expr,
    (counted, condition): (&Counted, &PerSite<'_>),
    length: &Expr,
    found: Local,
) {
    let axes = code.module.tables.axes(code.game, line.axes);
    let first = axes.of_site.at(pivot.clone());
    let end = axes.of_site.at(add(pivot.clone(), int(1)));
    code.for_range(first, end, |code, axis| {
        let count = code.keep(Type::Int, int(1));
        // An axis has two paths, of which the second one may have no sites.
        let path = code.keep_int(axis.get() * int(2));
        for way in 0..2 {
            let [start, end] = [0, 1].map(|i| axes.of_path.at(add(path.clone(), int(way + i))));
            code.for_range(start, end, |code, at| {
                let site = steps::site_on(code, axes, at);
                let fits = fits(code, counted, condition, site);
                let more = vec![Stmt::Set(count, add(count.get(), int(1)))];
                let gap = if line.contiguous { vec![Stmt::Break(1)] } else { Vec::new() };
                code.push(Stmt::If(fits, more, gap));
            });
        }
        let is_long = if line.exact {
            count.get().equals(length.clone())
        } else {
            both(length.clone().at_least(int(1)), count.get().at_least(length.clone()))
        };
        code.push_if(is_long, vec![Stmt::Set(found, int(1)), Stmt::Break(1)]);
    });
}
