//! Fills: the sites reached along straight paths through free sites, for all origins at once.
//!
//! If the sites of paths are equally far apart, fills take doubling strides (Kogge-Stone, after the
//! Chess Programming Wiki, "Fill Algorithms").

use std::collections::BTreeMap;

use kernel::ir::Expr;

use super::context::Sites;
use super::emitter::Emitter;
use crate::game::Rays;

/// The straight paths of one distance: all their sites, and the length of the longest one.
pub(super) struct Line {
    pub(super) distance: i32,
    pub(super) ends: Sites,
    pub(super) longest: usize,
}

/// The origins, and all sites reached from them through free sites in steps of one distance. `keep`
/// puts intermediate sets into variables.
pub(super) fn filled<'g>(
    code: &mut Emitter<'g>,
    line: &Line,
    origins: &Expr,
    free: Expr,
    keep: impl Fn(&mut Emitter<'g>, Expr) -> Expr,
) -> Expr {
    let mut free = keep(code, free);
    let mut reached = origins.clone();
    let mut stride = 1;
    while stride <= line.longest {
        let distance = line.distance * stride as i32;
        let next = reached.clone() | (free.clone() & reached.shift(distance));
        reached = keep(code, next);
        if 2 * stride <= line.longest {
            free = keep(code, free.clone() & free.shift(distance));
        }
        stride *= 2;
    }
    reached
}

/// Straight paths as lines of one distance each, so that the path from a site continues as the path
/// from the next site. `None` for other paths.
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
