//! Code for local effects that depend only on the component on a site: a table has the component
//! afterwards for each component before. All sites are changed at once, without a branch for each.

use std::collections::BTreeMap;

use kernel::ir::{Expr, Stmt};

use super::arrays::{CELLS, STATE, int, state_set};
use super::context::Sites;
use super::emitter::Emitter;
use super::local_effects::{is_site, is_there};
use super::module::Trait;
use super::{acts, regions};
use crate::ir::{Bool, Int, Leaf, LeafKind, Moves, Piece, Place, Region};
use crate::lower::Feature;
use crate::state::{EMPTY, Layout, Occupancy};

/// The most components of a game for which this pays.
const MOST_COMPONENTS: usize = 8;

/// The component on a site after an effect, by the component before; 0 for an empty site.
type Outcomes = Vec<u16>;

/// The outcomes of a local effect; `None` if it depends on more or changes more.
pub(super) fn tabulate(code: &Emitter<'_>, moves: &Moves) -> Option<Outcomes> {
    let layout = &code.game.layout;
    let components = layout.owner.len();
    let flat = layout.occupancy == Occupancy::Flat && layout.at.extra == 0;
    let unnoted = code.module.added.is_none() && !code.game.has(Feature::AsksActions);
    let all_sites = code.game.everywhere() == Sites::below(layout.at.sites);
    let has_table = flat && unnoted && all_sites && components <= MOST_COMPONENTS;
    if !(has_table && acts::has_pieces_in_memory(code)) {
        return None;
    }
    (0..components as u16)
        .map(|before| {
            let mut acts = Vec::new();
            acts_on(code, moves, before, &mut acts)?;
            Some(acts.into_iter().fold(before, |what, act| act.on(what)))
        })
        .collect()
}

/// Adds the actions of an effect on a site with a component; `None` if they depend on more.
fn acts_on(code: &Emitter<'_>, moves: &Moves, what: u16, acts: &mut Vec<ActOnSite>) -> Option<()> {
    match moves {
        Moves::None => Some(()),
        Moves::All(list) => list.iter().try_for_each(|moves| acts_on(code, moves, what, acts)),
        Moves::If(parts) => {
            let branch = if holds(&parts.0, what)? { &parts.1 } else { &parts.2 };
            acts_on(code, branch, what, acts)
        }
        Moves::Leaf(leaf) if leaf.then.is_empty() => {
            acts.push(act_of(code, leaf)?);
            Some(())
        }
        _ => None,
    }
}

/// The action of a simple generator on the bound site.
fn act_of(code: &Emitter<'_>, leaf: &Leaf) -> Option<ActOnSite> {
    let component = |pieces: &[Piece]| match pieces {
        &[Piece::Fixed(piece)] if piece > 0 => Some(piece),
        _ => None,
    };
    let exists = |piece: u16| usize::from(piece) < code.game.layout.owner.len();
    match &leaf.kind {
        LeafKind::Add {
            pieces,
            state: None,
            to,
            condition: None,
            count: Int::Const(1..),
            apply: None,
            level: None,
        } if is_each(code, to) => component(pieces).filter(|&p| exists(p)).map(ActOnSite::Add),
        LeafKind::Remove { place, level: None, count: None, deferred: false }
            if is_each(code, place) =>
        {
            Some(ActOnSite::Become(0))
        }
        LeafKind::Promote { site, pieces } if is_site(site) => {
            component(pieces).filter(|&p| exists(p)).map(ActOnSite::Become)
        }
        _ => None,
    }
}

/// True if a place is the bound site, whichever site that is.
fn is_each(code: &Emitter<'_>, place: &Place) -> bool {
    is_there(place, |region| match region {
        Region::Static(set) => code.game.everywhere().is_subset(code.game.set(*set)),
        _ => false,
    })
}

/// Writes code that changes all sites of a set by their outcomes.
pub(super) fn change_all(code: &mut Emitter<'_>, sites: Expr, outcomes: &Outcomes) {
    let layout = &code.game.layout;
    let owner_set = |what: u16| match what {
        0 => EMPTY,
        what => Layout::owner_set(usize::from(layout.owner[usize::from(what)])),
    };
    let sets_of = |what: u16| [usize::from(layout.piece_set[usize::from(what)]), owner_set(what)];
    code.module.traits.add_if(outcomes[0] != 0, Trait::AddsPieces);
    let everywhere = regions::fixed(code, code.game.everywhere());
    let sites = code.keep_set(sites & everywhere);
    // For each set of the state, the sites that enter it and those that leave it.
    let mut changes: BTreeMap<usize, [Vec<Expr>; 2]> = BTreeMap::new();
    for (before, &after) in (0..).zip(outcomes).filter(|&(before, after)| before != *after) {
        let [piece, _] = sets_of(before);
        let changed = sites.clone() & state_set(int(piece as i32));
        let changed = code.keep_set(changed);
        for (sets, others, comes) in
            [(sets_of(after), sets_of(before), 0), (sets_of(before), sets_of(after), 1)]
        {
            let mut sets = sets.to_vec();
            sets.dedup();
            for set in sets.into_iter().filter(|set| !others.contains(set)) {
                changes.entry(set).or_default()[comes].push(changed.clone());
            }
        }
    }
    let after = code.table(outcomes.iter().map(|&what| i32::from(what)));
    code.for_each(sites, |code, site| {
        code.push(Stmt::Store(CELLS, site.get(), after.at(CELLS.at(site.get()))));
    });
    for (set, [come, leave]) in changes {
        let number = int(set as i32);
        let all = |sets: Vec<Expr>| sets.into_iter().reduce(|a, b| a | b);
        let mut sites = state_set(number.clone());
        sites = all(leave).into_iter().fold(sites, Expr::without);
        sites = all(come).into_iter().fold(sites, |sites, entering| sites | entering);
        code.push(Stmt::StoreSet(STATE, number, sites));
    }
}

/// An action on a site.
#[derive(Clone, Copy)]
enum ActOnSite {
    /// Adds a component, unless one stands there.
    Add(u16),
    /// Replaces the component; 0 clears the site.
    Become(u16),
}

impl ActOnSite {
    /// The component on the site afterwards.
    fn on(self, what: u16) -> u16 {
        match self {
            ActOnSite::Add(piece) if what == 0 => piece,
            ActOnSite::Add(_) => what,
            ActOnSite::Become(piece) => piece,
        }
    }
}

/// True if a condition holds for a site with a component; `None` if it depends on more.
fn holds(condition: &Bool, what: u16) -> Option<bool> {
    condition.value(&|condition| match condition {
        Bool::IsEmpty(site) if is_site(site) => Some(what == 0),
        Bool::IsOccupied(site) if is_site(site) => Some(what != 0),
        _ => None,
    })
}
