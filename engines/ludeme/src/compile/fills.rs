//! Straight paths filled with sets, for all sites at once.
//!
//! Where the sites of paths are equally far apart, all that is reached along them through free
//! sites is found in doubling strides (Kogge-Stone, after the Chess Programming Wiki, "Fill
//! Algorithms").

use std::collections::BTreeMap;

use kernel::ir::{Expr, Type};

use super::context::Sites;
use super::emitter::Emitter;
use crate::game::Rays;

/// Straight paths of one distance: where they lead to, and how many sites the longest one has.
pub(super) struct Line {
    pub(super) distance: i32,
    pub(super) ends: Sites,
    pub(super) longest: usize,
}

/// Some sites, and all that are reached from them through free ones in steps of one distance.
/// What is found on the way is kept as `keep` does.
pub(super) fn filled(
    code: &mut Emitter<'_>,
    line: &Line,
    origins: &Expr,
    free: Expr,
    keep: impl Fn(&mut Emitter<'_>, Expr) -> Expr,
) -> Expr {
    let mut free = keep(code, free);
    let mut reached = origins.clone();
    let mut stride = 1;
    while stride <= line.longest {
        let by = line.distance * stride as i32;
        let next = reached.clone() | (free.clone() & reached.shift(by));
        reached = keep(code, next);
        if 2 * stride <= line.longest {
            free = keep(code, free.clone() & free.shift(by));
        }
        stride *= 2;
    }
    reached
}

/// A set where it is worked out now.
pub(super) fn keep_set(code: &mut Emitter<'_>, set: Expr) -> Expr {
    code.keep(Type::Set, set).get()
}

/// A set that depends on nothing but the state and who moves.
pub(super) fn set_once(code: &mut Emitter<'_>, set: Expr) -> Expr {
    code.once(Type::Set, set)
}

/// Straight paths as lines of one distance each: along each a path from a site goes on as the one
/// from the next site does. `None` where they are others.
pub(super) fn lines(rays: &Rays) -> Option<Vec<Line>> {
    let mut lines: BTreeMap<i32, Line> = BTreeMap::new();
    for site in 0..rays.sites() {
        for path in rays.of(site) {
            let Some(&first) = path.first() else { continue };
            let (distance, first) = (i32::from(first) - site as i32, usize::from(first));
            let new = Line { distance, ends: Sites::EMPTY, longest: 0 };
            let line = lines.entry(distance).or_insert(new);
            if line.ends.contains(first) {
                return None;
            }
            line.ends.insert(first);
            line.longest = path.len().max(line.longest);
        }
    }
    for site in 0..rays.sites() {
        for path in rays.of(site) {
            let Some(&first) = path.first() else { continue };
            let distance = i32::from(first) - site as i32;
            let ends = &lines[&distance].ends;
            let goes_on = |&place: &u16| {
                let next = usize::try_from(i32::from(place) + distance);
                next.is_ok_and(|next| ends.contains(next))
            };
            let (last, before) = path.split_last()?;
            let alike =
                path.windows(2).all(|two| i32::from(two[1]) - i32::from(two[0]) == distance);
            if !alike || !before.iter().all(goes_on) || goes_on(last) {
                return None;
            }
        }
    }
    Some(lines.into_values().collect())
}
