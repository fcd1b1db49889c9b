//! Pieces in line as code.

use std::collections::HashSet;
use std::ops::Range;

use kernel::ir::{Expr, Local, SetTable, Stmt, Table, Type};

use super::arrays::{Slot, add, both, either, int, is_below, slot};
use super::bools::PerSite;
use super::context::Sites;
use super::emitter::Emitter;
use super::{added, bools, ints, piece_sets, regions, steps};
use crate::ir::{Iter, Line, LinePieces, Place, Region};

/// More numbers than this, of all sets of sites where a line can lie that goes through a site, take
/// longer to compare than it takes to look from site to site.
const MOST_WORDS: usize = 24;

/// So many of these numbers are all compared: a loop, and what is kept of pieces that are added
/// (see [`super::added`]), take longer.
const FEW_WORDS: usize = 6;

/// Where lines of a length can lie, by a site that they go through.
enum Places {
    /// The sites of so many places for each site, with all sites there can be where it has fewer.
    Few(SetTable, usize),
    Many {
        /// Number of the first place of each site, and the number of all places.
        of_site: Table,
        /// The sites of each place.
        sites: SetTable,
        /// The sites next to both ends of each, if nothing may stand there that counts.
        beside: Option<SetTable>,
    },
}

/// What counts for a line.
enum Counted {
    /// Pieces on these sites.
    On(Expr),
    /// These components.
    Components(Vec<Expr>),
}

/// Where lines of a length begin on a path of so many sites that go through one of them.
fn starts(through: usize, path: usize, length: usize) -> Range<usize> {
    let end = (path + 1).saturating_sub(length).min(through + 1);
    (through + 1).saturating_sub(length)..end
}

/// Whether there are pieces in line; `None` where a condition is asked of several sites to pass
/// through.
pub(super) fn is_line(code: &mut Emitter<'_>, line: &Line) -> Option<Expr> {
    let pivot = match &line.through {
        None => slot(Slot::LastTo),
        Some(Place::Site(site)) => ints::emit(code, site),
        Some(Place::Region(_)) if line.condition.is_some() => return None,
        Some(Place::Region(region)) => return Some(is_line_through_any(code, line, region)),
    };
    let pivot = code.keep_int(pivot);
    let length = ints::emit(code, &line.length);
    let length = code.keep_int(length);
    let found = code.keep(Type::Int, int(0));
    let saved = code.save([Iter::To]);
    let condition = bools::per_site(code, line.condition.as_ref(), Iter::To);
    let real = is_below(pivot.clone(), code.game.world.topology.sites() as i32);
    code.when(real, |code| {
        code.is_site(&pivot);
        let few = matches!(length, Expr::Int(length) if few_places(code, line, length).is_some());
        let kept = if few { None } else { added::line_kept(code, line, &pivot) };
        let Some((kept, holds)) = kept else {
            return look_for_line(code, line, &condition, &pivot, &length, found);
        };
        let kept = code.keep_int(kept);
        code.push(Stmt::Set(found, both(kept.clone(), holds)));
        code.when(!kept, |code| look_for_line(code, line, &condition, &pivot, &length, found));
    });
    code.restore(&saved);
    Some(found.get())
}

/// Whether there are pieces in line through any of some sites.
fn is_line_through_any(code: &mut Emitter<'_>, line: &Line, pivots: &Region) -> Expr {
    let pivots = regions::emit(code, pivots);
    let board = regions::fixed(code, (0..code.game.world.topology.sites()).collect());
    let length = ints::emit(code, &line.length);
    let length = code.keep_int(length);
    let found = code.keep(Type::Int, int(0));
    let saved = code.save([Iter::To]);
    let condition = bools::per_site(code, None, Iter::To);
    code.for_each(pivots & board, |code, pivot| {
        code.is_site(&pivot.get());
        look_for_line(code, line, &condition, &pivot.get(), &length, found);
        steps::break_unless(code, !found.get());
    });
    code.restore(&saved);
    found.get()
}

/// Looks for a line through a site of the board.
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
    if let Some((places, among)) = places.zip(counted_sites(code, &counted, condition)) {
        return line_on(code, places, pivot, among, found);
    }
    let fits = fits(code, &counted, condition, pivot.clone());
    code.when(fits, |code| {
        line_through(code, line, pivot, (&counted, condition), length, found);
    });
}

/// The sites on which something counts, where they are known at once.
fn counted_sites(
    code: &mut Emitter<'_>,
    counted: &Counted,
    condition: &PerSite<'_>,
) -> Option<Expr> {
    let sites = match counted {
        Counted::On(sites) => sites.clone(),
        Counted::Components(_) if code.game.stacking() => return None,
        Counted::Components(list) => {
            list.iter().map(|c| piece_sets::with_component(code, c.clone())).reduce(|a, b| a | b)?
        }
    };
    match (condition.is_always(), &condition.sites) {
        (true, _) => Some(sites),
        (false, Some(fit)) => Some(sites & fit.clone()),
        (false, None) => None,
    }
}

/// Where lines of a length can lie; `None` if there are too many places, or a line may have
/// gaps.
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
            let here = u16::try_from(site).ok()?;
            let other = other.as_deref().unwrap_or_default();
            let path: Vec<u16> = one.iter().rev().chain([&here]).chain(other).copied().collect();
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
            let every = (0..64 * code.game.words()).collect::<Sites>();
            all.resize(before + few, every);
        }
        of_site.push(all.len() as i32);
    }
    if let Some(few) = few {
        return Some(Places::Few(code.module.tables.sets(all), few));
    }
    let beside: Option<Vec<Sites>> = line.exact.then_some(beside);
    Some(Places::Many {
        of_site: code.module.tables.ints(of_site),
        sites: code.module.tables.sets(all),
        beside: beside.map(|beside| code.module.tables.sets(beside)),
    })
}

/// At how many places, at most, a line of a length through a site can lie, if these are few and
/// it makes no difference what stands beside it.
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
    // Nobody has all sites that there can be.
    let words = code.game.words();
    let fits = line.contiguous
        && !line.exact
        && most * words <= FEW_WORDS
        && code.game.world.topology.sites() < 64 * words;
    fits.then_some(most)
}

/// Looks for a line at every place that one through a site can have.
fn line_on(code: &mut Emitter<'_>, places: Places, pivot: &Expr, among: Expr, found: Local) {
    let among = code.keep(Type::Set, among).get();
    let is_within = |line: Expr| Expr::IsSubset(Box::new(line), Box::new(among.clone()));
    let (of_site, sites, beside) = match places {
        Places::Few(sites, width) => {
            let first = code.keep_int(pivot.clone() * int(width as i32));
            let lines = (0..width as i32).map(|place| {
                let line = sites.at(add(first.clone(), int(place)));
                code.keep(Type::Int, is_within(line)).get()
            });
            let any = lines.reduce(Expr::or_bits).unwrap_or(int(0));
            return code.push(Stmt::Set(found, any));
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
        let is = both(is_within(sites.at(at.get())), alone);
        code.push(Stmt::If(is, is_line, Vec::new()));
    });
}

/// Whether what is on a site belongs to a line.
fn fits(code: &mut Emitter<'_>, counted: &Counted, condition: &PerSite<'_>, site: Expr) -> Expr {
    let counts = match counted {
        Counted::On(sites) => sites.clone().contains(site.clone()),
        Counted::Components(list) => {
            let what = code.what(site.clone());
            let what = if list.len() > 1 { code.keep_int(what) } else { what };
            let is = list.iter().map(|component| what.clone().equals(component.clone()));
            // No piece has a negative number.
            is.reduce(either).unwrap_or(int(0))
        }
    };
    let holds = code.part(|code| bools::holds(code, condition, site));
    both(counts, holds)
}

/// Looks for a line along every axis through a site.
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
        code.push(Stmt::If(is_long, vec![Stmt::Set(found, int(1)), Stmt::Break(1)], Vec::new()));
    });
}
