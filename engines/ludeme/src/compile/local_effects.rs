//! Code for local effects, which change each site of a region by the contents of that site alone.
//!
//! In general all of an effect is evaluated before any of its actions is carried out. Local effects
//! may change one site after the other, and defer no action.

use kernel::ir::Expr;

use super::emitter::Emitter;
use super::{effects, generators, outcomes, regions};
use crate::ir::{Aspects, Binder, Int, Iter, Leaf, LeafKind, Moves, Piece, Place, Region, Walk};

/// The sites that a local effect changes, and its effect on each; `None` for other effects.
pub(super) fn split(effect: &Moves) -> Option<(&Region, &Moves)> {
    match effect {
        Moves::ForEachSite { region, moves, otherwise } => {
            let alone = **otherwise == Moves::None && is_local(moves);
            alone.then_some((region, moves))
        }
        _ => None,
    }
}

/// Writes a local effect.
pub(super) fn emit(code: &mut Emitter<'_>, sites: &Region, moves: &Moves) {
    let mut all = Expr::NoSites;
    effects::with_program_parts(code, |code| all = regions::emit(code, sites));
    let all = code.keep_set(all);
    if let Some(outcomes) = outcomes::tabulate(code, moves) {
        code.clobber();
        return outcomes::change_all(code, all, &outcomes);
    }
    let saved = code.save([Iter::Site, Iter::To]);
    code.for_each(all, |code, site| {
        code.assume_site(&site.get());
        code.bind(Iter::Site, site.get());
        code.bind(Iter::To, site.get());
        effects::emit(code, |code| {
            generators::inside(code, Binder::Site, moves);
        });
    });
    code.restore(&saved);
}

/// True if an effect changes only the bound site, and depends only on its contents.
fn is_local(moves: &Moves) -> bool {
    match moves {
        Moves::None => true,
        Moves::All(list) => list.iter().all(is_local),
        Moves::If(parts) => reads_site(&parts.0) && is_local(&parts.1) && is_local(&parts.2),
        Moves::Leaf(leaf) => leaf.then.is_empty() && changes_site(leaf),
        _ => false,
    }
}

/// As [`is_local`], for a simple generator.
fn changes_site(leaf: &Leaf) -> bool {
    let fixed = |piece: &Piece| matches!(piece, Piece::Fixed(_));
    match &leaf.kind {
        LeafKind::Add { pieces, state, to, condition, count, apply: None, level: None } => {
            pieces.iter().all(fixed)
                && state.iter().all(reads_site)
                && is_there(to, Walk::is_fixed)
                && condition.iter().all(reads_site)
                && matches!(count, Int::Const(_))
        }
        LeafKind::Remove { place, level: None, count: None, deferred: false } => {
            is_there(place, Walk::is_fixed)
        }
        LeafKind::Promote { site, pieces } => is_site(site) && pieces.iter().all(fixed),
        LeafKind::SetLayer { at, level: None, value, .. } => is_site(at) && reads_site(value),
        LeafKind::SetCount { at, value } => is_site(at) && reads_site(value),
        _ => false,
    }
}

/// True if a place is at most the bound site: `may_be` accepts regions that are intersected with
/// it.
pub(super) fn is_there(place: &Place, may_be: impl Fn(&Region) -> bool) -> bool {
    let is_one = |region: &Region| match region {
        Region::List(list) => !list.is_empty() && list.iter().all(is_site),
        _ => false,
    };
    match place {
        Place::Site(site) => is_site(site),
        Place::Region(Region::Intersection(list)) => {
            list.iter().any(is_one) && list.iter().all(|part| is_one(part) || may_be(part))
        }
        Place::Region(region) => is_one(region),
    }
}

/// True if a number is the bound site.
pub(super) fn is_site(number: &Int) -> bool {
    matches!(number, Int::Iter(Iter::Site | Iter::To))
}

/// True if a number or condition reads only the contents of the bound site, and data that no local
/// effect changes.
fn reads_site(node: &impl Walk) -> bool {
    let unchanged = Aspects::TURN | Aspects::VARS | Aspects::VARIABLES;
    node.reads_beside(&is_site).is_within(unchanged | Aspects::HERE | Aspects::LAYERS)
}
