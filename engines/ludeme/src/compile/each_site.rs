//! Effects that change each of some sites by itself, as code.
//!
//! All of an effect is evaluated before any of it is carried out. Where what happens on a site
//! depends on nothing that happens on the others, one site is changed after the other, and no
//! action has to wait.

use kernel::ir::{Expr, Type};

use super::emitter::Emitter;
use super::{effects, generators, outcomes, regions};
use crate::ir::{Aspects, Binder, Int, Iter, Leaf, LeafKind, Moves, Piece, Place, Region, Walk};

/// The sites that an effect changes and what it does on each, if each is changed by itself.
pub(super) fn each_site(effect: &Moves) -> Option<(&Region, &Moves)> {
    match effect {
        Moves::ForEachSite { region, moves, otherwise } => {
            let alone = **otherwise == Moves::None && is_local(moves);
            alone.then_some((region, moves))
        }
        _ => None,
    }
}

/// Changes some sites one by one.
pub(super) fn change_each(code: &mut Emitter<'_>, sites: &Region, moves: &Moves) {
    let mut all = Expr::NoSites;
    effects::with_shared_parts(code, |code| all = regions::emit(code, sites));
    let all = code.keep(Type::Set, all).get();
    if let Some(outcomes) = outcomes::outcomes(code, moves) {
        code.disturb();
        return outcomes::change_all(code, all, &outcomes);
    }
    let saved = code.save([Iter::Site, Iter::To]);
    code.for_each(all, |code, site| {
        code.is_site(&site.get());
        code.bind(Iter::Site, site.get());
        code.bind(Iter::To, site.get());
        effects::emit(code, |code| {
            generators::around(code, Binder::Site, |code| generators::emit(code, moves));
        });
    });
    code.restore(&saved);
}

/// True if the moves of an effect change no more than the site that is bound, and nothing but that
/// site decides what they do.
fn is_local(moves: &Moves) -> bool {
    match moves {
        Moves::None => true,
        Moves::All(list) => list.iter().all(is_local),
        Moves::If(parts) => is_known(&parts.0) && is_local(&parts.1) && is_local(&parts.2),
        Moves::Leaf(leaf) => leaf.then.is_empty() && changes_site(leaf),
        _ => false,
    }
}

fn changes_site(leaf: &Leaf) -> bool {
    let fixed = |piece: &Piece| matches!(piece, Piece::Fixed(_));
    match &leaf.kind {
        LeafKind::Add { pieces, state, to, condition, count, apply: None, level: None } => {
            pieces.iter().all(fixed)
                && state.iter().all(is_known)
                && is_there(to, Walk::is_fixed)
                && condition.iter().all(is_known)
                && matches!(count, Int::Const(_))
        }
        LeafKind::Remove { place, level: None, count: None, deferred: false } => {
            is_there(place, Walk::is_fixed)
        }
        LeafKind::Promote { site, pieces } => is_site(site) && pieces.iter().all(fixed),
        LeafKind::SetLayer { at, level: None, value, .. } => is_site(at) && is_known(value),
        LeafKind::SetCount { at, value } => is_site(at) && is_known(value),
        _ => false,
    }
}

/// True if a place is no more than the site that is bound, among regions that may be there.
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

/// True if a number is the site that is bound.
pub(super) fn is_site(number: &Int) -> bool {
    matches!(number, Int::Iter(Iter::Site | Iter::To))
}

/// True if nothing decides a number or condition but the site that is bound, and what no effect on
/// sites changes.
fn is_known(of: &impl Walk) -> bool {
    let unchanged = Aspects::TURN | Aspects::VARS | Aspects::VARIABLES;
    of.reads_beside(&is_site).is_within(unchanged | Aspects::HERE | Aspects::LAYERS)
}
